"""A memory on disk: store, query, maintain and index it (memory protocol 1.1 and 1.0).

Whatever interrupts, no record is lost: a new one is there before the index names it, an archived
copy before the active record goes. The names of the files tell the next command what is left to do.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from kattest.config import DOCUMENT_BYTES, Config
from kattest.documents import read_document
from kattest.errors import InputError, KattestError, WriteError
from kattest.instant import Instant
from kattest.jsondoc import Document, JsonValue
from kattest.jsontext import Writable, render
from kattest.memory.catalogue import Catalogue, compare, stored_at
from kattest.memory.identity import id_of_place
from kattest.memory.index import entry_of
from kattest.memory.intake import NewRecord, faults_in, new_record
from kattest.memory.layout import CONFIG, SIDE_FILES, folder_of, place_of
from kattest.memory.model import AnyRecord, MemoryConfig
from kattest.memory.query import (
    Question,
    answer,
    can_be_shown,
    files_worth_reading,
    has_expired,
    nothing,
)
from kattest.memory.upkeep import due, within
from kattest.memory.writing import DEFAULT_RESULTS, default_config_document
from kattest.paths import blind
from kattest.text import plural
from kattest.writing import files
from kattest.writing.locks import PATIENCE, locked
from kattest.writing.place import Place, memory_place
from kattest.writing.upkeep import (
    INTACT,
    Upkeep,
    carry_out,
    file_in,
    is_incomplete,
    left_of,
    mend_index,
    patch_index,
    refusal,
    repair,
    require_way,
)
from kattest.writing.view import View, look

_PATTERNS = SIDE_FILES[0]


class Stored(NamedTuple):
    """The records that were stored; none where the memory is switched off."""

    records: tuple[NewRecord, ...] = ()
    is_enabled: bool = True
    notes: tuple[str, ...] = ()


class Memory:
    """The memory at a place. Each method that writes holds the place's lock for its time.

    ``patience`` is how many seconds it waits for that. Moments are passed in, one for a call.

    All methods raise SourceError where a file cannot be read. Those that write raise WriteError
    where something cannot be written (the message says what is intact), InputError where the
    memory's configuration cannot be followed.
    """

    def __init__(self, place: Place, patience: float = PATIENCE) -> None:
        self._place = place
        self._patience = patience

    @property
    def place(self) -> Place:
        """Where it is."""
        return self._place

    def store(self, values: Sequence[JsonValue], now: Instant) -> Stored:
        """Store what phases came to, all or none of ``values`` (protocol, memory_store).

        The index is written once. Raises InputError, naming all that is wrong, where one of them
        is not what the protocol says.
        """
        with self._locked():
            view = look(self._place)
            view.require_sound()
            if not view.is_enabled:
                return Stored(is_enabled=False)
            _refuse_faults(values, view.config)
            view, _, notes = repair(view, now)
            made = _make(values, view, now)
            self._write(view, made)
            unread = _add_to_index(view, made, now)
        return Stored(tuple(made), notes=(*view.notes, *notes, *unread))

    def query(
        self, question: Question, as_of: Instant, *, read_only: bool
    ) -> tuple[dict[str, Writable], Upkeep]:
        """The protocol's answer to ``question``, and what was archived and purged on the way.

        Nothing is with ``read_only``. What cannot be read or written is noted, and passed over.
        """
        view = look(self._place)  # step 1: is there one, and is it switched on
        if not self._place.root.is_dir() or not view.is_enabled:
            return nothing(question), Upkeep()
        upkeep = Upkeep()
        folder = folder_of(question.domain, view.config.known_domains)
        catalogue = compare(view.committed, view.layout)
        if not read_only and (is_incomplete(view, catalogue) or _is_due(view, folder, as_of)):
            try:
                upkeep = self._maintain_domain(folder, as_of)
            except KattestError as error:
                upkeep = Upkeep(notes=(error.message,))
            view = look(self._place)
            catalogue = compare(view.committed, view.layout)
        records, notes = _best(view, catalogue, question, folder, as_of)
        said = answer(records, question, _patterns(view), _limit(view))
        return said, upkeep._replace(notes=(*upkeep.notes, *view.notes, *notes))

    def maintain(
        self, as_of: Instant, *, dry_run: bool = False, purge_anyway: bool = False
    ) -> Upkeep:
        """Archive and purge what is due, and mend the index (protocol, steps 5 and 6).

        With ``dry_run`` say what would be archived and purged. A deletion that a wrong clock may
        ask for is refused, unless ``purge_anyway``.
        """
        if not self._place.root.is_dir():
            return Upkeep()
        with contextlib.nullcontext() if dry_run else self._locked():
            view = look(self._place)
            view.require_sound()
            repaired: tuple[str, ...] = ()
            notes = view.notes
            if not dry_run:
                view, repaired, left = repair(view, as_of)
                notes = (*notes, *left)
            records, unread = view.read(view.record_files)
            plan = due(records, view.config, as_of)
            refused = None if purge_anyway else refusal(view, plan, as_of)
            plan = plan._replace(purge=()) if refused else plan
            if dry_run:
                cold = tuple(cold for _, cold in plan.archive)
                return Upkeep(cold, plan.purge, refused=refused, notes=(*notes, *unread))
            done = carry_out(view, plan)
            is_fresh = done.is_changed or bool(repaired)
            is_written = mend_index(view, left_of(records, done), as_of, is_fresh=is_fresh)
        return done._replace(
            repaired=repaired,
            is_reindexed=is_written,
            refused=refused,
            notes=(*notes, *unread, *done.notes),
        )

    def reindex(self, as_of: Instant) -> Upkeep:
        """Build the index anew from the records (protocol, index behaviour).

        Without tiers there is an index only where there was one. One that says the same already,
        the tiers of this moment included, stays as it is.
        """
        if not self._place.root.is_dir():
            return Upkeep()
        with self._locked():
            view = look(self._place)
            view.require_sound()
            view, repaired, notes = repair(view, as_of)
            records, unread = view.read(view.record_files)
            is_written = mend_index(view, records, as_of, is_fresh=True)
        notes = (*view.notes, *notes, *unread)
        return Upkeep(repaired=repaired, is_reindexed=is_written, notes=notes)

    def records(self) -> tuple[list[AnyRecord], MemoryConfig, tuple[str, ...]]:
        """Every record that can be read, the configuration, and what could not be read."""
        view = look(self._place)
        found, notes = view.read(view.record_files)
        return found, view.config, (*view.notes, *notes)

    def patterns(self) -> JsonValue:
        """The document of patterns; None where there is none that can be read."""
        return _patterns(look(self._place))

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        with locked(self._place.lock, f"the memory {self._place.shown}", self._patience):
            yield

    def _maintain_domain(self, folder: str, as_of: Instant) -> Upkeep:
        """Archive and purge what is due in one domain's folder: what a query does."""
        with self._locked():
            view = look(self._place)
            view.require_sound()
            view, repaired, notes = repair(view, as_of)
            # What is due anywhere decides whether the clock can be trusted here.
            records, _ = view.read(_old_files(view, "", as_of))
            plan = due(records, view.config, as_of)
            refused = refusal(view, plan, as_of)
            here = within(plan, folder)
            done = carry_out(view, here._replace(purge=()) if refused else here)
            is_fresh = done.is_changed or bool(repaired)
            is_written, _ = patch_index(look(self._place), (), as_of, is_fresh=is_fresh)
        return done._replace(
            repaired=repaired,
            is_reindexed=is_written,
            refused=refused,
            notes=(*notes, *done.notes),
        )

    def _write(self, view: View, made: Sequence[NewRecord]) -> None:
        """Write new records, and before the very first one the configuration."""
        written = 0
        try:
            files.make_folders(view.root)
            if view.is_empty:
                files.create(view.root / CONFIG, default_config_document())
            for one in made:
                require_way(view.root, one.record.file)
            for one in made:
                files.create(file_in(view.root, one.record.file), render(one.document))
                written += 1
        except OSError as error:
            intact = INTACT
            if written:
                intact = f"{written} of {plural(len(made), 'record')} are stored, and the next "
                intact += "command adds them to the index"
            name = made[written].record.file if made else CONFIG
            raise files.failure(str(view.root / name), error, intact) from None


def memory_of(folder: Path, root: Path | None = None, patience: float = PATIENCE) -> Memory:
    """The memory at the top of the repository of ``folder``, or at ``root``.

    Raises what ``memory_place`` raises.
    """
    return Memory(memory_place(folder, root), patience)


def _refuse_faults(values: Sequence[JsonValue], config: MemoryConfig) -> None:
    found = [
        f"record {number}: {fault}" if len(values) > 1 else fault
        for number, value in enumerate(values, 1)
        for fault in faults_in(value, config)
    ]
    if found:
        raise InputError(
            f"nothing is stored: {'; '.join(found)}",
            "mend that; the protocol's section on memory_store shows what a record is made of",
        )


def _add_to_index(view: View, made: Sequence[NewRecord], now: Instant) -> tuple[str, ...]:
    try:
        _, unread = patch_index(view, [one.record for one in made], now, is_fresh=True)
    except WriteError as error:
        stored = ", ".join(one.record.id or "" for one in made)
        raise WriteError(
            f"stored, and not in the index yet: {stored}; {error.message}",
            "see what is wrong there, then run kattest memory reindex; do not store them again",
        ) from None
    return unread


def _make(values: Sequence[JsonValue], view: View, now: Instant) -> list[NewRecord]:
    taken = {blind(id_of_place(file)) for file in view.record_files}
    made: list[NewRecord] = []
    for value in values:
        one = new_record(value if isinstance(value, dict) else {}, view.config, now, taken)
        taken.add(blind(one.record.id or ""))
        made.append(one)
        if len(render(one.document)) > DOCUMENT_BYTES:
            raise InputError(
                f"nothing is stored: a record would be larger than {DOCUMENT_BYTES} bytes, and no "
                "check would read it",
                "store less of it",
            )
    return made


def _old_files(view: View, folder: str, as_of: Instant) -> list[str]:
    """The files of a domain, or of all, whose records may be due, as far as their names tell."""
    tiers = view.config.tiers
    oldest = as_of.after_days(-tiers.warm) if tiers else as_of
    return [
        file
        for file in view.record_files
        if file.startswith(f"{folder}/" if folder else "") and (stored_at(file) or oldest) <= oldest
    ]


def _is_due(view: View, folder: str, as_of: Instant) -> bool:
    if view.config.lifecycle is None:
        return False
    records, _ = view.read(_old_files(view, folder, as_of))
    plan = due(records, view.config, as_of)
    return bool(plan.archive or plan.purge)


def _best(
    view: View, catalogue: Catalogue, question: Question, folder: str, as_of: Instant
) -> tuple[list[AnyRecord], tuple[str, ...]]:
    """The records to answer with, read until there are enough; steps 2 to 4."""
    unlisted = (
        file
        for file in catalogue.unlisted
        if (place := place_of(file)) and (place.domain, place.phase) == (folder, question.phase)
    )
    scanned, notes = view.read(unlisted)
    known = {record.file: record for record in scanned}
    entries = [
        *catalogue.entries.values(),
        *(entry_of(record, view.config, as_of) for record in scanned),
    ]
    best: list[AnyRecord] = []
    more: list[str] = []
    for file in files_worth_reading(entries, question, as_of):
        if len(best) == _limit(view):
            break
        records, faults = ([known[file]], ()) if file in known else view.read((file,))
        best += (
            record
            for record in records
            if can_be_shown(record) and not has_expired(record, view.config, as_of)
        )
        more += faults
    return best, (*notes, *more)


def _patterns(view: View) -> JsonValue:
    if _PATTERNS not in view.layout.named:
        return None
    subject = read_document(view.tree, view.layout.path(_PATTERNS), Config().document_bytes)
    return subject.parsed.value if isinstance(subject.parsed, Document) else None


def _limit(view: View) -> int:
    file = view.overview.config_file
    return max(1, (file and file.max_results) or DEFAULT_RESULTS)
