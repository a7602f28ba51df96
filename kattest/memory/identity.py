"""What a record is called, and when two records are called the same (design, section 3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kattest.memory.layout import Place, id_at, place_of, record_file, record_id, stamp_of
from kattest.memory.model import AnyRecord, IndexEntry
from kattest.paths import blind


def own_place(record: AnyRecord) -> Place | None:
    """The place that ``record`` claims by its fields, in the folder that it lies in.

    None where one of the fields is missing.
    """
    stamp = stamp_of(record.timestamp) if record.timestamp else None
    if record.slug is None or record.phase is None or stamp is None:
        return None
    folder = record.file.partition("/")[0]
    return Place(folder, record.slug, record.phase, stamp, record.is_archived)


def id_of_place(file: str) -> str:
    """The id that the path of a record says it has; nothing for another path."""
    place = place_of(file)
    return id_at(place) if place else ""


def is_consistent(record: AnyRecord) -> bool:
    """Whether id, path, slug, phase and time of ``record`` all agree."""
    slug, phase = record.slug, record.phase
    stamp = stamp_of(record.timestamp) if record.timestamp else None
    if slug is None or phase is None or stamp is None or record.id != record_id(slug, phase, stamp):
        return False
    folder = record.file.partition("/")[0]
    return record.file == record_file(folder, slug, phase, stamp, record.is_archived)


def paired(
    entries: Mapping[str, IndexEntry],
    records: Mapping[str, AnyRecord],
    shared: Mapping[str, tuple[AnyRecord, ...]],
) -> Iterable[tuple[str, IndexEntry, AnyRecord]]:
    """The entries that have a record, with their id and that record.

    ``records`` are by id, ``shared`` as ``namesakes`` gives them. Of records that share an id, an
    entry has the one that it names.
    """
    pairs = (
        (key, entry, record)
        for key, entry in entries.items()
        if (record := records.get(key)) is not None
    )
    if not shared:
        return pairs
    by_place = {(key, record.file): record for key, alike in shared.items() for record in alike}
    return (
        (key, entry, by_place.get((blind(key), entry.file or ""), record))
        for key, entry, record in pairs
    )


def namesakes(records: Iterable[AnyRecord]) -> dict[str, tuple[AnyRecord, ...]]:
    """The records that share an id, or nearly so (see ``paths.blind``), by that id."""
    first: dict[str, AnyRecord] = {}
    shared: dict[str, list[AnyRecord]] = {}
    for record in records:
        if record.id is not None:
            key = blind(record.id)
            other = first.setdefault(key, record)
            if other is not record:
                shared.setdefault(key, [other]).append(record)
    return {key: tuple(found) for key, found in shared.items()}
