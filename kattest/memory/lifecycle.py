"""Tiers, what is due when, and what archiving makes of a record (design, section 3.6).

Age is the judged moment less the record's time. A bound belongs to the younger tier.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from kattest.instant import DAY, Instant, Timestamp
from kattest.memory.layout import file_of, place_of
from kattest.memory.model import (
    AnyRecord,
    ColdRecord,
    MemoryConfig,
    Record,
    Retention,
    Tier,
    Tiers,
)

SUMMARY_LENGTH = 200  # code points


class Duty(Enum):
    """What has to be done with a record at some age."""

    ARCHIVE = "archive"
    PURGE = "purge"
    EXPIRY = "expiry"  # purging in a tree without tiers


class Overdue(NamedTuple):
    """A duty that was not done, and since when it is due."""

    duty: Duty
    since: Instant


def tier_of(record: AnyRecord, config: MemoryConfig, as_of: Instant) -> Tier | None:
    """The tier that the age of ``record`` demands at ``as_of``; None where that is not known.

    Without tiers a record is hot until it expires.
    """
    lifecycle = config.lifecycle
    if isinstance(lifecycle, Tiers):
        stored = record.timestamp.instant if record.timestamp else None
        return tier_at(stored, lifecycle, as_of) if stored else None
    if lifecycle is None:
        return None
    expiry = expires(record, config)
    return Tier.PURGE if expiry and as_of > expiry else Tier.HOT


def tier_at(stored: Instant, tiers: Tiers, as_of: Instant) -> Tier:
    """The tier of a record that was ``stored`` then, by ``as_of``."""
    seconds = age(stored, as_of)
    if seconds <= tiers.hot * DAY:
        return Tier.HOT
    if seconds <= tiers.warm * DAY:
        return Tier.WARM
    return Tier.COLD if seconds <= tiers.cold * DAY else Tier.PURGE


def overdue(
    record: AnyRecord, config: MemoryConfig, as_of: Instant, grace_days: int
) -> Overdue | None:
    """What should have become of ``record`` by ``as_of``, more than ``grace_days`` ago."""
    lifecycle = config.lifecycle
    if not isinstance(lifecycle, Tiers):
        expiry = expires(record, config)
        if expiry and age(expiry, as_of) > grace_days * DAY:
            return Overdue(Duty.EXPIRY, expiry)
        return None
    stored = record.timestamp.instant if record.timestamp else None
    late = age(stored, as_of) - grace_days * DAY if stored else 0
    if stored is None or late <= lifecycle.warm * DAY:
        return None
    if late > lifecycle.cold * DAY:
        return Overdue(Duty.PURGE, stored.after_days(lifecycle.cold))
    if record.is_archived:
        return None
    return Overdue(Duty.ARCHIVE, stored.after_days(lifecycle.warm))


def age(moment: Instant, as_of: Instant) -> int:
    """The age of ``moment`` at ``as_of`` in seconds, one that has begun counted whole.

    So an age is above a whole number of seconds exactly where this is.
    """
    seconds = as_of.seconds - moment.seconds
    return seconds + 1 if as_of.fraction > moment.fraction else seconds


def changed_at(record: AnyRecord) -> Instant | None:
    """When a record was stored, or archived if it is; None where that is not known."""
    stamp = record.archived_at if isinstance(record, ColdRecord) else record.timestamp
    return stamp.instant if stamp else None


def expires(record: AnyRecord, config: MemoryConfig) -> Instant | None:
    """When a record leaves a tree without tiers: by its own word (design, section 3.7)."""
    if isinstance(record, ColdRecord) or not isinstance(config.lifecycle, Retention):
        return None
    return record.expires_at.instant if config.expires and record.expires_at else None


def expiry_days(record: AnyRecord, config: MemoryConfig) -> tuple[int, ...]:
    """How many days after its time a record may expire; the first is what the writer chooses.

    A record of version 1.0 in a tree with tiers was stored before they were, and keeps the date
    that retention gave it; of an archived one the version is not known. Empty for one that never
    expires, or where that is not known.
    """
    lifecycle = config.lifecycle
    if not isinstance(lifecycle, Tiers):
        return (lifecycle.days,) if lifecycle and lifecycle.days else ()
    if _is_of_1_0(record):
        return (lifecycle.cold, config.retention_days or lifecycle.cold)
    return (lifecycle.cold,)


def _is_of_1_0(record: AnyRecord) -> bool:
    """Whether a record may have been stored by protocol 1.0."""
    return isinstance(record, ColdRecord) or record.version == "1.0"


def expiry_date(record: AnyRecord, config: MemoryConfig) -> Instant | None:
    """When the writer lets ``record`` expire; None for never, or where that is not known."""
    stored = record.timestamp.instant if record.timestamp else None
    days = expiry_days(record, config)
    return stored.after_days(days[0]) if stored and days else None


def may_expire(record: AnyRecord, config: MemoryConfig, given: Instant) -> bool:
    """Whether ``given`` is a date on which ``record`` may expire, within a day.

    True where its own time, or the retention that it was stored under, is not known.
    """
    stored = record.timestamp.instant if record.timestamp else None
    if stored is None or (config.retention_days is None and _is_of_1_0(record)):
        return True
    after, days = given.seconds - stored.seconds, expiry_days(record, config)
    # There are one or two of them: no generator for so little, so often.
    return bool(days) and (abs(after - days[0] * DAY) <= DAY or abs(after - days[-1] * DAY) <= DAY)


def compress(record: Record, archived_at: Timestamp) -> ColdRecord:
    """The archived record that ``record`` becomes (protocol, COLD record schema)."""
    place = place_of(record.file)
    return ColdRecord(
        file=file_of(place._replace(is_archived=True)) if place else record.file,
        id=record.id,
        slug=record.slug,
        domain=record.domain,
        phase=record.phase,
        skill=record.skill,
        reward=record.reward,
        label=record.label,
        promise_tag=record.promise_tag,
        summary=_summary(record.reason, record.response),
        timestamp=record.timestamp,
        archived_at=archived_at,
    )


def _summary(reason: str | None, response: str | None) -> str | None:
    if reason is None or response is None:
        return None
    return f"{reason}. {response}"[:SUMMARY_LENGTH]
