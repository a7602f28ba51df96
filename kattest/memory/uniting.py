"""Memories put together: the indexes of two branches, and two archivings of one record.

git asks for the merged index before the merged records are anywhere, so the index is merged by what
decides about them: a file is in the merge where both branches have it, or one has added it.
"""

from __future__ import annotations

from kattest.instant import Instant, Timestamp
from kattest.memory.index import totals_of
from kattest.memory.model import ColdRecord, Index, IndexEntry, Tier


def unite_indexes(base: Index | None, ours: Index, theirs: Index) -> Index:
    """The index of the records of two branches that grew from ``base``."""
    before, mine, others = _by_file(base), _by_file(ours), _by_file(theirs)
    files = (mine.keys() & others.keys()) | ((mine.keys() | others.keys()) - before.keys())
    entries: dict[str, IndexEntry] = {}
    for file in sorted(files):
        (key, one), (_, other) = mine.get(file) or others[file], others.get(file) or mine[file]
        warm = Tier.WARM in {one.tier, other.tier}
        if key not in entries or one.tier == Tier.COLD:
            entries[key] = one._replace(tier=Tier.WARM) if warm else one
    totals = totals_of(entries.values())
    return Index(
        last_updated=_later(ours.last_updated, theirs.last_updated),
        record_count=totals.record_count,
        by_domain=totals.by_domain,
        by_phase=totals.by_phase,
        by_skill=totals.by_skill,
        records=entries,
    )


def is_one_archiving(one: ColdRecord, other: ColdRecord) -> bool:
    """Whether two archived records differ in nothing but when they were archived."""
    return one._replace(archived_at=None) == other._replace(archived_at=None)


def was_archived_first(one: ColdRecord, other: ColdRecord) -> bool:
    """Whether ``one`` was archived no later than ``other``."""
    return _instant(one.archived_at) <= _instant(other.archived_at)


def _by_file(index: Index | None) -> dict[str, tuple[str, IndexEntry]]:
    records = (index and index.records) or {}
    return {entry.file: (key, entry) for key, entry in records.items() if entry.file}


def _later(one: Timestamp | None, other: Timestamp | None) -> Timestamp | None:
    return max(one, other, key=_instant)


def _instant(timestamp: Timestamp | None) -> Instant:
    return (timestamp.instant if timestamp else None) or Instant(0)
