"""What may still become of a record once it is published (design, section 3.7)."""

from __future__ import annotations

from collections.abc import Iterator

from kattest.instant import DAY, Instant, Timestamp
from kattest.memory.layout import file_of, place_of
from kattest.memory.lifecycle import age, compress, expires
from kattest.memory.model import AnyRecord, ColdRecord, MemoryConfig, Record

_ARCHIVED_FIELDS = {
    "id": "id",
    "slug": "slug",
    "domain": "domain",
    "phase": "phase",
    "skill": "skill_used",
    "reward": "reward",
    "label": "reward_label",
    "promise_tag": "promise_tag",
    "summary": "summary",
    "timestamp": "original_timestamp",
}


def may_leave(record: AnyRecord, config: MemoryConfig, as_of: Instant) -> bool:
    """Whether ``record`` is so old at ``as_of`` that it may be deleted.

    That is after its last day in the cold tier; without tiers, after its own date of expiry.
    """
    if config.tiers is None:
        expiry = expires(record, config)
        return expiry is not None and as_of > expiry
    stored = _stored(record)
    return stored is not None and age(stored, as_of) > config.tiers.cold * DAY


def is_warm_no_more(record: AnyRecord, config: MemoryConfig, as_of: Instant) -> bool:
    """Whether ``record`` is past its last day in the warm tier at ``as_of``."""
    stored = _stored(record)
    tiers = config.tiers
    return stored is not None and tiers is not None and age(stored, as_of) > tiers.warm * DAY


def unfaithful(record: Record, archived: ColdRecord) -> Iterator[str]:
    """The fields in which ``archived`` is not what ``compress`` makes of ``record``.

    Under the names that they have in the archived document. What ``record`` lacks is not compared.
    """
    expected = compress(record, archived.archived_at or Timestamp("", None))
    for field, name in _ARCHIVED_FIELDS.items():
        wanted, found = getattr(expected, field), getattr(archived, field)
        if field == "timestamp":
            wanted, found = wanted and wanted.instant, found and found.instant
        elif field == "reward":
            wanted, found = wanted and wanted.value, found and found.value
        if wanted != found and (wanted is not None or field == "promise_tag"):
            yield name


def other_place(file: str) -> str | None:
    """Where a record lies that is archived, or would lie if it were not; None for another file."""
    place = place_of(file)
    return file_of(place._replace(is_archived=not place.is_archived)) if place else None


def _stored(record: AnyRecord) -> Instant | None:
    return record.timestamp.instant if record.timestamp else None
