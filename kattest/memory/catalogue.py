"""What an index says beside what is there: the writer's short way, which reads no record twice.

An index that kattest wrote differs from its records only where a command was interrupted, or files
came or went by other means. Both show in the names of the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from kattest.instant import Instant, Timestamp, parse_instant
from kattest.jsontext import rounded
from kattest.memory.identity import id_of_place
from kattest.memory.index import entry_of, totals_of
from kattest.memory.layout import Layout, place_of
from kattest.memory.lifecycle import changed_at, tier_at
from kattest.memory.model import AnyRecord, Index, IndexEntry, MemoryConfig, Tier
from kattest.memory.succession import other_place

_STAMP = len("2026-03-01T12-30-00")  # characters of the time that an id ends with


class Catalogue(NamedTuple):
    """The entries that have their record, and the files of records that have no entry."""

    entries: Mapping[str, IndexEntry]
    unlisted: tuple[str, ...]


def compare(index: Index | None, layout: Layout) -> Catalogue:
    """What of ``index`` still stands; without a sound one nothing does."""
    files, archived = dict.fromkeys((*layout.records, *layout.archived)), {*layout.archived}
    entries = {
        key: entry
        for key, entry in ((index and index.records) or {}).items()
        if entry.file in files
        and id_of_place(entry.file or "") == key
        and (entry.tier == Tier.COLD) is (entry.file in archived)
    }
    listed = {entry.file for entry in entries.values()}
    return Catalogue(entries, tuple(file for file in files if file not in listed))


def kept_twice(layout: Layout) -> list[tuple[str, str]]:
    """Files of active records that are in the archive too, each with the archived file."""
    archived = {*layout.archived}
    pairs = ((file, other_place(file)) for file in layout.records)
    return [(file, other) for file, other in pairs if other in archived]


def index_of(
    entries: Mapping[str, IndexEntry],
    records: Iterable[AnyRecord],
    config: MemoryConfig,
    as_of: Instant,
) -> Index:
    """The index of what ``entries`` stand for, and of ``records`` beside them."""
    everything = {key: _with_tier(key, entry, config, as_of) for key, entry in entries.items()}
    added = {record.id: entry_of(record, config, as_of) for record in records if record.id}
    everything.update(added)
    totals = totals_of(everything.values())
    newest = _moment(max((key[-_STAMP:] for key in everything), default=""))
    written = max(as_of, newest or as_of)
    return Index(
        Timestamp(written.isoformat(), written),
        totals.record_count,
        totals.by_domain,
        totals.by_phase,
        totals.by_skill,
        everything,
    )


def says_the_same(one: Index, other: Index, *, but_warm: bool) -> bool:
    """Whether an index differs from the one that would be built in nothing but when it was written.

    ``but_warm``: nor in that a record which is warm by now is still called hot, which is fine.
    """
    return (
        one.record_count == other.record_count
        and _tables(one) == _tables(other)
        and (one.records or {}).keys() == (other.records or {}).keys()
        and all(
            entry == built or (but_warm and _has_become_warm(entry, built))
            for entry, built in _pairs(one, other)
        )
    )


def newest_change(records: Iterable[AnyRecord], as_of: Instant) -> Instant:
    """When the newest record was stored or archived, or ``as_of`` if that is later: in seconds."""
    changes = (changed.seconds for record in records if (changed := changed_at(record)))
    return Instant(max((as_of.seconds, *changes)))


def is_outdated(index: Index, records: Iterable[AnyRecord], as_of: Instant) -> bool:
    """Whether rule KA309 would find fault with when ``index`` was written."""
    written = index.last_updated.instant if index.last_updated else None
    newest = newest_change(records, Instant(0))
    return written is None or not newest.seconds <= written.seconds <= as_of.seconds


def _tables(index: Index) -> list[object]:
    return [
        {
            key: (said.size, said.slugs and sorted(said.slugs), _rough(said.avg_reward))
            for key, said in (table or {}).items()
        }
        for table in (index.by_domain, index.by_phase, index.by_skill)
    ]


def _rough(average: Decimal | None) -> str:
    return rounded(average or Decimal(0), 2).lexeme


def _pairs(one: Index, other: Index) -> Iterator[tuple[IndexEntry, IndexEntry]]:
    built = other.records or {}
    return ((entry, built[key]) for key, entry in (one.records or {}).items())


def _has_become_warm(entry: IndexEntry, built: IndexEntry) -> bool:
    return entry.tier == Tier.HOT and entry._replace(tier=Tier.WARM) == built


def _with_tier(key: str, entry: IndexEntry, config: MemoryConfig, as_of: Instant) -> IndexEntry:
    """``entry`` with the tier that its record has by ``as_of``, as far as its id tells."""
    if entry.tier == Tier.COLD or config.tiers is None:
        return entry
    stored = _moment(key[-_STAMP:])
    if stored is None:
        return entry
    # What a time may have after its seconds is not in a name; `hot` is never wrong for a while.
    is_hot = tier_at(Instant(stored.seconds + 1), config.tiers, as_of) is Tier.HOT
    return entry._replace(tier=Tier.HOT if is_hot else Tier.WARM)


def stored_at(file: str) -> Instant | None:
    """The time in the name of a record's file; None where it is no time."""
    place = place_of(file)
    return _moment(place.stamp) if place else None


def _moment(stamp: str) -> Instant | None:
    date, _, time = stamp.partition("T")
    return parse_instant(f"{date}T{time.replace('-', ':')}Z")
