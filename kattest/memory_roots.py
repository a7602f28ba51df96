"""Read a memory root: its documents, and everything that the rules want to know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from kattest.config import INDEX_BYTES, Config
from kattest.documents import document_of, read_document
from kattest.instant import Instant
from kattest.jsondoc import Document, JsonValue
from kattest.locate import Located, run
from kattest.memory.configuration import (
    UNREADABLE,
    config_of,
    default_config,
    shows_tiers,
)
from kattest.memory.identity import id_of_place, namesakes, paired
from kattest.memory.index import by_id, differing, totals_of
from kattest.memory.layout import CONFIG, INDEX, SIDE_FILES, SIDE_FOLDERS, Layout
from kattest.memory.lifecycle import overdue
from kattest.memory.model import (
    AnyRecord,
    ColdRecord,
    ConfigFile,
    Index,
    IndexEntry,
    MemoryConfig,
    Record,
)
from kattest.memory.parsing import (
    Parsed,
    parse_cold_record,
    parse_config,
    parse_index,
    parse_record,
)
from kattest.memory.plain import plain_cold_record, plain_index, plain_record
from kattest.rules import DOCUMENT_CHECKS
from kattest.rules.documents import is_plain
from kattest.rules.subjects import DocumentSubject, MemorySubject
from kattest.tree import Content, Kind, Tree

_Model = TypeVar("_Model")
_AnyRecord = TypeVar("_AnyRecord", Record, ColdRecord)


class LoadedRoot(NamedTuple):
    """A memory root, and the faults of its documents."""

    subject: MemorySubject
    faults: tuple[Located, ...]


def load_root(
    tree: Tree, layout: Layout, config: Config, as_of: Instant, progress: Callable[[], None]
) -> LoadedRoot:
    """Read everything of the root that ``layout`` describes.

    ``progress`` is told of each record that was read. Raises SourceError where the tree cannot
    give the bytes of a document.
    """
    reader = _Reader(tree, layout, config, progress)
    config_file, decided, lasting = reader.decided()
    records = reader.records(lasting)
    archived = reader.cold_records()
    committed = reader.index(lasting)
    layout = layout._replace(stray=reader.others())
    in_force = decided or default_config(tiers=shows_tiers(layout, records))
    everything: tuple[AnyRecord, ...] = (*records, *archived)
    listed, shared = by_id(everything), namesakes(everything)
    counted = _counted(listed, reader, committed)
    pairs = paired((committed and committed.records) or {}, listed, shared)
    subject = MemorySubject(
        layout=layout,
        config_file=config_file,
        config=in_force,
        records=records,
        archived=archived,
        committed=committed,
        totals=totals_of(counted),
        by_id=listed,
        namesakes=shared,
        differing=differing(pairs, in_force),
        unread=frozenset(reader.unread),
        uncounted=len(listed) + len(reader.unread) - len(counted),
        overdue=tuple(
            (record, found)
            for record in everything
            if (found := overdue(record, in_force, as_of, config.grace_days))
        ),
        as_of=as_of,
    )
    return LoadedRoot(subject, tuple(reader.faults))


class Overview(NamedTuple):
    """What a memory says of itself, no record read.

    ``committed`` is the index, None where there is none, or one in which something is amiss.
    """

    layout: Layout
    config_file: ConfigFile | None
    config: MemoryConfig
    committed: Index | None
    faults: tuple[Located, ...]


def load_overview(tree: Tree, layout: Layout, config: Config) -> Overview:
    """Read the configuration and the index of a root. Raises what ``load_root`` raises."""
    reader = _Reader(tree, layout, config, lambda: None)
    config_file, decided, lasting = reader.decided()
    index = reader.index(lasting)
    path = layout.path(INDEX)
    is_sound = all(where != path for where, _, _ in reader.faults)
    if decided is None:
        records = () if index or layout.archived else reader.records(())
        decided = default_config(tiers=shows_tiers(layout, records))
    return Overview(layout, config_file, decided, index if is_sound else None, tuple(reader.faults))


def load_records(
    tree: Tree, layout: Layout, config: Config, memory: MemoryConfig
) -> tuple[tuple[AnyRecord, ...], tuple[Located, ...]]:
    """The records of a root that can be read, and the faults of all. As of ``load_root``."""
    reader = _Reader(tree, layout, config, lambda: None)
    records = reader.records(memory.lasting_versions)
    return (*records, *reader.cold_records()), tuple(reader.faults)


class _Reader:
    """Reads the documents of one root, and collects their faults."""

    def __init__(
        self, tree: Tree, layout: Layout, config: Config, progress: Callable[[], None]
    ) -> None:
        self._tree = tree
        self._layout = layout
        self._largest = config.document_bytes
        self._progress = progress
        self.faults: list[Located] = []
        self.unread: list[str] = []
        self.not_plain: list[AnyRecord] = []

    def decided(self) -> tuple[ConfigFile | None, MemoryConfig | None, Sequence[str]]:
        """The configuration, what it decides, and the versions of records that need not expire.

        Without one nothing is decided, and records expire.
        """
        file = self._named(CONFIG, parse_config)
        is_unreadable = file is None and CONFIG in self._layout.named
        decided = config_of(file) if file else UNREADABLE if is_unreadable else None
        return file, decided, decided.lasting_versions if decided else ()

    def index(self, lasting: Sequence[str]) -> Index | None:
        """The index; None where there is none that can be read."""
        plain = self._plain_index() if INDEX in self._layout.named else None
        if plain is not None:
            return plain
        return self._named(INDEX, lambda value: parse_index(value, lasting=bool(lasting)))

    def _plain_index(self) -> Index | None:
        path = self._layout.path(INDEX)
        if self._tree.kind(path) is not Kind.FILE:
            return None
        data = next(self._tree.contents((path,), INDEX_BYTES)).data
        return plain_index(data) if data else None

    def records(self, lasting: Sequence[str]) -> list[Record]:
        """The active records that can be read; those of ``lasting`` versions need not expire."""
        return self._records(
            self._layout.records,
            plain_record,
            lambda value, file: parse_record(value, file, lasting),
        )

    def cold_records(self) -> list[ColdRecord]:
        """The archived records that can be read."""
        return self._records(self._layout.archived, plain_cold_record, parse_cold_record)

    def others(self) -> tuple[str, ...]:
        """Read everything else that must be JSON, and see that all of it are regular files.

        Return the stray ones that are.
        """
        layout, regular = self._layout, []
        for file in (*layout.misplaced, *(file for file in layout.named if file in SIDE_FILES)):
            self._note(read_document(self._tree, layout.path(file), self._largest))
        for file in (*layout.gits, *layout.stray):
            path = layout.path(file)
            is_file = self._tree.kind(path) is Kind.FILE
            if not is_file or (file.startswith(SIDE_FOLDERS) and file.endswith(".json")):
                self._note(read_document(self._tree, path, self._largest))
            if is_file:
                regular.append(file)
        return tuple(file for file in regular if file in {*layout.stray})

    def _named(self, file: str, read: Callable[[JsonValue], Parsed[_Model]]) -> _Model | None:
        if file not in self._layout.named:
            return None
        document = read_document(self._tree, self._layout.path(file), self._largest)
        if not isinstance(document.parsed, Document):
            self._note(document)
            return None
        model, faults = read(document.parsed.value)
        self._note(document._replace(field_faults=faults))
        return model if isinstance(document.parsed.value, dict) else None

    def _records(
        self,
        files: Sequence[str],
        plain: Callable[[bytes, str], _AnyRecord | None],
        read: Callable[[JsonValue, str], Parsed[_AnyRecord]],
    ) -> list[_AnyRecord]:
        """The records in ``files``, those that are not ``plain`` the long way."""
        models: list[_AnyRecord] = []
        for file, content in self._contents(files):
            model = plain(content.data, file) if content and content.data else None
            if model is None:
                model = self._read_record(file, content, read)
            if model is None or model.id is None:
                self.unread.append(file)
            if model is not None:
                models.append(model)
            self._progress()
        return models

    def _read_record(
        self,
        file: str,
        content: Content | None,
        read: Callable[[JsonValue, str], Parsed[_AnyRecord]],
    ) -> _AnyRecord | None:
        path = self._layout.path(file)
        if content is None:
            kind = self._tree.kind(path) or Kind.FOLDER
            self._note(DocumentSubject(path, kind, 0, self._largest))
            return None
        document = document_of(path, content, self._largest)
        if not isinstance(document.parsed, Document):
            self._note(document)
            return None
        model, faults = read(document.parsed.value, file)
        self._note(document._replace(field_faults=faults))
        self.not_plain.append(model)
        return model

    def _contents(self, files: Sequence[str]) -> Iterator[tuple[str, Content | None]]:
        """Each of ``files`` with its content, read in one go; None where it is no regular file."""
        path, kind = self._layout.path, self._tree.kind
        regular = [file for file in files if kind(path(file)) is Kind.FILE]
        contents = self._tree.contents([path(file) for file in regular], self._largest)
        yield from zip(regular, contents, strict=True)
        if len(regular) < len(files):
            yield from ((file, None) for file in files if kind(path(file)) is not Kind.FILE)

    def _note(self, document: DocumentSubject) -> None:
        if not is_plain(document):
            found = run(DOCUMENT_CHECKS, document)
            self.faults.extend((document.path, rule, fault) for rule, fault in found)


def _counted(
    records: Mapping[str, AnyRecord], reader: _Reader, index: Index | None
) -> list[AnyRecord | IndexEntry]:
    """Everything that counts in the totals: the records, and what stands for those unknown.

    A record that cannot be read, or lacks what the index takes from it, counts with the entry that
    it has in the index, so that one broken file does not leave all totals open.
    """
    entries = (index and index.records) or {}
    counted: dict[str, AnyRecord | IndexEntry] = {**records}
    for record in reader.not_plain:
        if record.id is not None and not _is_whole(record):
            counted[record.id] = entries.get(record.id, record)
    for file in reader.unread:
        entry = entries.get(id_of_place(file))
        if entry and entry.file == file:
            counted.setdefault(id_of_place(file), entry)
    return [*counted.values()]


def _is_whole(record: AnyRecord) -> bool:
    """Whether a record has everything that the index takes from it."""
    return None not in (record.domain, record.slug, record.phase, record.skill, record.reward)
