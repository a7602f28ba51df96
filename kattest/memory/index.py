"""The index that records come to (protocol, index file; design, section 3.6)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import NamedTuple

from kattest.instant import Instant, Timestamp
from kattest.jsondoc import Number
from kattest.memory.lifecycle import expiry_date, may_expire, tier_of
from kattest.memory.model import (
    Aggregate,
    AnyRecord,
    ColdRecord,
    Index,
    IndexEntry,
    MemoryConfig,
    Tier,
)

AVERAGE_TOLERANCE = Decimal("0.005")


class Totals(NamedTuple):
    """What all records of a memory come to; averages are exact."""

    record_count: int
    by_domain: Mapping[str, Aggregate]
    by_phase: Mapping[str, Aggregate]
    by_skill: Mapping[str, Aggregate]


def build_index(records: Iterable[AnyRecord], config: MemoryConfig, as_of: Instant) -> Index:
    """The index of ``records``, archived ones among them, with the tiers they have at ``as_of``.

    A record without an id has no place in it. Who writes an index writes this; the rules compare
    one with the two halves that it is made of, ``totals_of`` and ``entry_of``.
    """
    listed = by_id(records)
    totals = totals_of(listed.values())
    return Index(
        last_updated=Timestamp(as_of.isoformat(), as_of),
        record_count=totals.record_count,
        by_domain=totals.by_domain,
        by_phase=totals.by_phase,
        by_skill=totals.by_skill,
        records={key: entry_of(record, config, as_of) for key, record in listed.items()},
    )


def by_id(records: Iterable[AnyRecord]) -> dict[str, AnyRecord]:
    """Records by their id; of several with one id the last."""
    return {record.id: record for record in records if record.id is not None}


def entry_of(record: AnyRecord, config: MemoryConfig, as_of: Instant) -> IndexEntry:
    """The entry of one record. An archived record has no date of expiry of its own."""
    if isinstance(record, ColdRecord):
        tier, expiry = Tier.COLD, expiry_date(record, config)
        expires_at = Timestamp(expiry.precise(), expiry) if expiry else None
    else:
        is_old = config.tiers is not None and tier_of(record, config, as_of) is not Tier.HOT
        tier = Tier.WARM if is_old else Tier.HOT
        expires_at = record.expires_at
    return IndexEntry(
        domain=record.domain,
        phase=record.phase,
        slug=record.slug,
        reward=record.reward,
        skill=record.skill,
        file=record.file,
        expires_at=expires_at,
        tier=tier,
    )


def differing(
    pairs: Iterable[tuple[str, IndexEntry, AnyRecord]], config: MemoryConfig
) -> list[tuple[str, IndexEntry, AnyRecord]]:
    """Those of ``pairs`` whose entry does not say just what its record says: none, most often.

    A tier of `hot` is what an active record had when it was stored.
    """
    return [
        pair
        for pair in pairs
        if not (
            (entry := pair[1]).file == (record := pair[2]).file
            and entry.reward == record.reward
            and entry.skill == record.skill
            and entry.slug == record.slug
            and entry.phase == record.phase
            and entry.domain == record.domain
            and entry.tier == (Tier.COLD if record.is_archived else Tier.HOT)
            and has_its_expiry(entry, record, config)
        )
    ]


def has_its_expiry(entry: IndexEntry, record: AnyRecord, config: MemoryConfig) -> bool:
    """Whether an entry expires when its record does; True where one of the two is not known."""
    given = entry.expires_at.instant if entry.expires_at else None
    if isinstance(record, ColdRecord):
        return given is None or config.lifecycle is None or may_expire(record, config, given)
    if entry.expires_at == record.expires_at or config.lifecycle is None:
        return True
    date = record.expires_at.instant if record.expires_at else None
    # Where there should be a date and is none, rule KA003 says so.
    is_missing = (given is None or date is None) and not config.lasting_versions
    return given == date or is_missing


def totals_of(records: Collection[AnyRecord | IndexEntry]) -> Totals:
    """What ``records`` come to; an entry may stand for a record that is not known."""
    slugs: defaultdict[str | None, set[str]] = defaultdict(set)
    # There are few kinds of records, however many there are.
    for domain, slug in {(record.domain, record.slug) for record in records}:
        slugs[domain].update(() if slug is None else (slug,))
    kinds = Counter(
        (record.domain, record.phase, record.skill, record.reward) for record in records
    )
    tables: tuple[dict[str, Counter[Number]], ...] = ({}, {}, {})
    for (*keys, reward), number in kinds.items():
        for table, key in zip(tables, keys, strict=True):
            if key is not None and reward is not None:
                table.setdefault(key, Counter())[reward] += number
    by_domain, by_phase, by_skill = (
        {key: _aggregate(rewards) for key, rewards in table.items()} for table in tables
    )
    return Totals(
        record_count=len(records),
        by_domain={
            domain: aggregate._replace(slugs=tuple(sorted(slugs[domain])))
            for domain, aggregate in by_domain.items()
        },
        by_phase=by_phase,
        by_skill=by_skill,
    )


def _aggregate(rewards: Mapping[Number, int]) -> Aggregate:
    count = sum(rewards.values())
    total = sum((reward.value * times for reward, times in rewards.items()), Decimal(0))
    return Aggregate(count, total / count)
