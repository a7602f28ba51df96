"""Archiving, deleting, and mending what an interrupted command left; the caller holds the lock.

An archived copy is on the disk before its active record goes, and the index is written last: after
any interruption the names of the files say what is left to do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from kattest.errors import InputError
from kattest.instant import Instant
from kattest.memory.catalogue import (
    Catalogue,
    compare,
    index_of,
    is_outdated,
    kept_twice,
    newest_change,
    says_the_same,
    stored_at,
)
from kattest.memory.index import build_index
from kattest.memory.layout import INDEX
from kattest.memory.model import AnyRecord, ColdRecord, Index, Record
from kattest.memory.succession import is_warm_no_more, unfaithful
from kattest.memory.upkeep import Due, purge_refusal
from kattest.memory.writing import cold_record_document, index_document
from kattest.text import quote_path
from kattest.writing import files
from kattest.writing.view import View

INTACT = "what was there is as it was"


class Upkeep(NamedTuple):
    """What was done with a memory, or would be.

    ``repaired`` are files that an interrupted command had left. ``refused`` says why nothing was
    deleted although something is due. ``notes`` tell what was left alone, and why; ``is_whole``
    that nothing which was due failed.
    """

    archived: tuple[ColdRecord, ...] = ()
    purged: tuple[AnyRecord, ...] = ()
    repaired: tuple[str, ...] = ()
    is_reindexed: bool = False
    refused: str | None = None
    notes: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def is_changed(self) -> bool:
        """Whether any file changed."""
        return bool(self.archived or self.purged or self.repaired or self.is_reindexed)


def repair(view: View, as_of: Instant) -> tuple[View, tuple[str, ...], tuple[str, ...]]:
    """Finish what was interrupted. Return the memory as it then is, what was done, and what not.

    A record that is due for the archive and lies there already loses its active copy, but only
    where the archived one is just what archiving makes of it.

    Raises WriteError where that cannot be done.
    """
    done = [str(draft.relative_to(view.root)) for draft in view.drafts]
    gone: list[str] = []
    notes: list[str] = []
    try:
        files.sweep(view.drafts)
        for active, archived in kept_twice(view.layout):
            if _is_archived_whole(view, active, archived, as_of):
                files.remove(view.root / active)
                gone.append(active)
            else:
                notes.append(
                    f"{quote_path(active)} is in the archive too, and not as archiving would have "
                    "put it there: neither is touched (kattest explain KA404)"
                )
    except OSError as error:
        raise files.failure(str(error.filename or view.root), error, INTACT) from None
    return view.without(gone), (*done, *gone), tuple(notes)


def refusal(view: View, plan: Due, as_of: Instant) -> str | None:
    """Why a person must decide about the deletions of ``plan``."""
    times = (stored_at(file) for file in view.record_files)
    newest = max((time for time in times if time), default=None)
    return purge_refusal(len(plan.purge), len(view.record_files), newest, as_of)


def carry_out(view: View, plan: Due) -> Upkeep:
    """Archive, then delete, what ``plan`` says, all of it but what cannot be."""
    archived: list[ColdRecord] = []
    purged: list[AnyRecord] = []
    failed: list[str] = []
    for record, cold in plan.archive:
        try:
            target = file_in(view.root, cold.file)
            files.create(target, cold_record_document(cold))
            files.remove(view.root / record.file)
            archived.append(cold)
        except OSError as error:
            failed.append(files.failure(cold.file, error, "the record stays active").message)
        except InputError as error:
            failed.append(error.message)
    for one in plan.purge:
        try:
            files.remove(view.root / one.file)
            purged.append(one)
        except OSError as error:
            failed.append(files.failure(one.file, error, "it is still there").message)
    kept = (
        f"{quote_path(record.file)} is due for the archive, and lacks what goes there, or its "
        "names do not agree: it stays (kattest verify says more)"
        for record in plan.kept
    )
    return Upkeep(
        tuple(archived),
        tuple(purged),
        notes=(*kept, *failed),
        is_whole=not failed and not plan.kept,
    )


def file_in(root: Path, file: str) -> Path:
    """The path of a record's file, its folder made. Raises OSError, InputError at a symlink."""
    require_way(root, file)
    target = root / file
    files.make_folders(target.parent)
    return target


def require_way(root: Path, file: str) -> None:
    """Raise InputError where the way to a record's file leads through a symlink."""
    target = root / file
    if Path(os.path.realpath(target.parent)) != target.parent:
        raise InputError(
            f"{quote_path(str(target.parent))} is reached by a symlink, which no check would "
            "follow; nothing is written there",
            "put a folder in its place",
        )


def left_of(records: Iterable[AnyRecord], done: Upkeep) -> list[AnyRecord]:
    """The records that are there after ``done``."""
    gone = {record.file for record in done.purged}
    cold = {record.id: record for record in done.archived}
    kept = (record for record in records if record.file not in gone)
    return [
        cold.get(record.id, record) if isinstance(record, Record) else record for record in kept
    ]


def mend_index(view: View, records: Sequence[AnyRecord], as_of: Instant, *, is_fresh: bool) -> bool:
    """Write the index of ``records`` unless the one that is there says the same.

    ``is_fresh``: also where records have become warm since it was written. Whether it was written.
    Raises WriteError where it cannot be.
    """
    is_wanted = INDEX in view.layout.named or bool(records)
    if not has_index(view) or not is_wanted:
        return False
    index = build_index(records, view.config, newest_change(records, as_of))
    is_current = _is_current(view.committed, index, is_fresh=is_fresh)
    if is_current and view.committed and not is_outdated(view.committed, records, as_of):
        return False
    write_index(view, index)
    return True


def patch_index(
    view: View, records: Sequence[AnyRecord], as_of: Instant, *, is_fresh: bool
) -> tuple[bool, tuple[str, ...]]:
    """Do what ``mend_index`` does, by the index that there was: ``records`` are new.

    Also what of the memory could not be read.
    """
    if not has_index(view):
        return False, ()
    catalogue = compare(view.committed, view.layout)
    unlisted, notes = view.read(catalogue.unlisted)
    index = index_of(catalogue.entries, [*unlisted, *records], view.config, as_of)
    if _is_current(view.committed, index, is_fresh=is_fresh):
        return False, notes
    write_index(view, index)
    return True, notes


def is_incomplete(view: View, catalogue: Catalogue) -> bool:
    """Whether an interrupted command has left something to do."""
    if view.drafts or kept_twice(view.layout):
        return True
    if INDEX not in view.layout.named:
        return has_index(view) and bool(view.record_files)
    if view.committed is None:
        return False  # a broken one is built anew when the next record is stored (protocol, errors)
    return bool(catalogue.unlisted) or len(catalogue.entries) < len(view.committed.records or ())


def has_index(view: View) -> bool:
    """Whether there is to be an index: with tiers, or where there is one already."""
    return view.config.tiers is not None or INDEX in view.layout.named


def write_index(view: View, index: Index) -> None:
    """Replace the index. Raises WriteError; the one that was there is then as it was."""
    try:
        files.replace(view.root / INDEX, index_document(index))
    except OSError as error:
        intact = "no record is lost, and the next command writes it"
        raise files.failure(str(view.root / INDEX), error, intact) from None


def _is_current(committed: Index | None, index: Index, *, is_fresh: bool) -> bool:
    return committed is not None and says_the_same(committed, index, but_warm=not is_fresh)


def _is_archived_whole(view: View, active: str, archived: str, as_of: Instant) -> bool:
    records, _ = view.read((active, archived))
    match records:
        case [Record() as record, ColdRecord() as cold]:
            is_due = is_warm_no_more(record, view.config, as_of)
            return is_due and not cold.unknown and not [*unfaithful(record, cold)]
    return False
