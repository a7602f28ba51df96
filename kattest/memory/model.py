"""Memory trees as frozen data (memory protocol; design, section 3.6).

A field is None where the document lacks it or gives it another type: the document rules report
that, and every other rule works on what is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from kattest.instant import Timestamp
from kattest.jsondoc import Number

TIER_FIELDS = ("tier_hot_days", "tier_warm_days", "tier_cold_days")
VERSIONS = ("1.0", "1.1")  # of the protocol, as records, configurations and indexes name it


class Tier(StrEnum):
    """How a record of some age is kept (protocol, record lifecycle)."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"
    PURGE = "purge"


class Record(NamedTuple):
    """An active reward record.

    ``file`` is its path below the memory root. ``promises`` are its promise tag and the promise of
    its outcome, either of which may be null; None where one of the two is missing or amiss.
    """

    file: str
    id: str | None
    version: str | None
    slug: str | None
    domain: str | None
    phase: str | None
    skill: str | None
    reward: Number | None
    label: str | None
    reason: str | None
    response: str | None
    promise_tag: str | None
    promises: tuple[str | None, str | None] | None
    timestamp: Timestamp | None
    expires_at: Timestamp | None

    @property
    def is_archived(self) -> bool:
        """Whether it lies in the archive."""
        return False


class ColdRecord(NamedTuple):
    """An archived record, compressed.

    ``timestamp`` is that of the record it was made of, ``unknown`` the names of fields that an
    archived record does not have.
    """

    file: str
    id: str | None
    slug: str | None
    domain: str | None
    phase: str | None
    skill: str | None
    reward: Number | None
    label: str | None
    promise_tag: str | None
    summary: str | None
    timestamp: Timestamp | None
    archived_at: Timestamp | None
    unknown: tuple[str, ...] = ()

    @property
    def is_archived(self) -> bool:
        """Whether it lies in the archive."""
        return True


AnyRecord: TypeAlias = Record | ColdRecord


class ConfigFile(NamedTuple):
    """``config.json`` as it is written. ``tiers`` holds those tier fields that are there."""

    version: str | None
    retention_days: int | None
    max_results: int | None
    enabled: bool | None
    known_domains: tuple[str, ...] | None
    reward_levels: Mapping[str, Number] | None
    tiers: Mapping[str, int | None]


class Tiers(NamedTuple):
    """The lifecycle of protocol 1.1: the last day, in days of age, of each tier."""

    hot: int
    warm: int
    cold: int


class Retention(NamedTuple):
    """The lifecycle of protocol 1.0: how many days a record is kept; 0 for ever."""

    days: int


class MemoryConfig(NamedTuple):
    """The configuration that counts in a memory root.

    A part is None where ``config.json`` does not let it be known. ``retention_days`` is also
    there with tiers: records that were stored before them follow it.
    """

    known_domains: tuple[str, ...] | None
    reward_levels: Mapping[str, Decimal] | None
    lifecycle: Tiers | Retention | None
    retention_days: int | None

    @property
    def tiers(self) -> Tiers | None:
        """The tiers, where there are any."""
        return self.lifecycle if isinstance(self.lifecycle, Tiers) else None

    @property
    def expires(self) -> bool:
        """Whether records are known to expire some day."""
        return self.lifecycle is not None and self.lifecycle != Retention(0)

    @property
    def lasting_versions(self) -> tuple[str, ...]:
        """The versions of records that need no date of expiry.

        Those of version 1.0 keep to the retention under which they were stored.
        """
        if not self.expires:
            return VERSIONS
        return ("1.0",) if self.retention_days == 0 else ()


class IndexEntry(NamedTuple):
    """What the index says of one record. ``file`` is relative to the memory root."""

    domain: str | None
    phase: str | None
    slug: str | None
    reward: Number | None
    skill: str | None
    file: str | None
    expires_at: Timestamp | None
    tier: str | None


class Aggregate(NamedTuple):
    """What the index says of all records of a domain, phase or skill; slugs only of a domain.

    ``size`` is their number: the field ``count``.
    """

    size: int | None
    avg_reward: Decimal | None
    slugs: tuple[str, ...] | None = None


class Index(NamedTuple):
    """``index.json``: every record by its id, and what they come to."""

    last_updated: Timestamp | None
    record_count: int | None
    by_domain: Mapping[str, Aggregate] | None
    by_phase: Mapping[str, Aggregate] | None
    by_skill: Mapping[str, Aggregate] | None
    records: Mapping[str, IndexEntry] | None
