"""One of two trees that are compared: its records in the files that differ, by their ids."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from kattest.config import Config
from kattest.documents import document_of, read_document
from kattest.jsondoc import Document, JsonValue
from kattest.memory.configuration import UNREADABLE, config_of, default_config, shows_tiers
from kattest.memory.identity import id_of_place
from kattest.memory.layout import CONFIG, Layout, find_roots, lay_out, place_of
from kattest.memory.model import AnyRecord, ColdRecord, MemoryConfig, Record
from kattest.memory.parsing import Parsed, parse_cold_record, parse_config, parse_record
from kattest.memory.plain import plain_cold_record, plain_record
from kattest.rules.history_subjects import StoredRecord
from kattest.tree import Content, Kind, Tree

RecordKey: TypeAlias = tuple[str, str]
"""A record by its memory root and its id, or the id that its path says."""


class RecordSide:
    """The published tree or the judged one: its records in the files that differ, by their ids."""

    def __init__(self, tree: Tree, paths: Sequence[str], config: Config) -> None:
        self._tree = tree
        self._most = config.document_bytes
        self._configs: dict[str, MemoryConfig] = {}
        self.records: list[tuple[RecordKey, StoredRecord]] = []
        self.unreadable: set[str] = set()
        files = [path for path in paths if tree.kind(path) is Kind.FILE]
        for root, found in find_roots(files)[0].items():
            layout = lay_out(root, found)
            for stored in self._read(root, (*layout.records, *layout.archived)):
                self.records.append((_key(stored), stored))
        self._by_key: dict[RecordKey, list[StoredRecord]] = {}
        self._by_id: dict[str, list[tuple[RecordKey, StoredRecord]]] = {}
        self._by_path = {stored.path: stored for _, stored in self.records}
        for key, stored in self.records:
            self._by_key.setdefault(key, []).append(stored)
            self._by_id.setdefault(key[1], []).append((key, stored))

    def __contains__(self, key: RecordKey) -> bool:
        return key in self._by_key

    def named(self, key: RecordKey) -> list[StoredRecord]:
        """The records with this id in this root."""
        return self._by_key.get(key, [])

    def moved(self, key: RecordKey, published: RecordSide) -> list[StoredRecord]:
        """The records with this id in other roots, which did not have it before.

        A memory moves as a whole: as long as its root is there, no record of it has moved.
        """
        if self.has_root(key[0]):
            return []
        alike = self._by_id.get(key[1], ())
        return [stored for other, stored in alike if other not in published]

    def at(self, root: str, file: str | None) -> list[StoredRecord]:
        """The record in one file, if there is one that can be read."""
        path = f"{root}/{file}"
        if path in self._by_path:
            return [self._by_path[path]]
        if file is None or self._tree.kind(path) is not Kind.FILE:
            return []
        return [*self._read(root, (file,))]

    def value(self, stored: StoredRecord) -> JsonValue:
        """The JSON that a record is."""
        parsed = read_document(self._tree, stored.path, self._most).parsed
        return parsed.value if isinstance(parsed, Document) else None

    def has_root(self, root: str) -> bool:
        """Whether there is a memory at ``root``."""
        at = bisect_left(self._paths, f"{root}/")
        return at < len(self._paths) and self._paths[at].startswith(f"{root}/")

    def config(self, root: str) -> MemoryConfig:
        """The configuration of a memory root in this tree (design, section 3.6)."""
        if root not in self._configs:
            self._configs[root] = self._read_config(root)
        return self._configs[root]

    def _read_config(self, root: str) -> MemoryConfig:
        path = f"{root}/{CONFIG}"
        if self._tree.kind(path) is None:
            return default_config(tiers=shows_tiers(*self._whole(root)))
        parsed = read_document(self._tree, path, self._most).parsed
        if not isinstance(parsed, Document) or not isinstance(parsed.value, dict):
            return UNREADABLE
        return config_of(parse_config(parsed.value).model)

    def _whole(self, root: str) -> tuple[Layout, Iterator[AnyRecord]]:
        """A root with all its files, and its active records, which are read when asked for."""
        inside = f"{root}/"
        files = [path[len(inside) :] for path in self._paths if path.startswith(inside)]
        layout = lay_out(root, files)
        regular = (one for one in layout.records if self._tree.kind(layout.path(one)) is Kind.FILE)
        return layout, (stored.record for file in regular for stored in self._read(root, (file,)))

    @cached_property
    def _paths(self) -> Sequence[str]:
        return self._tree.paths()

    def _read(self, root: str, files: Sequence[str]) -> Iterator[StoredRecord]:
        """The records in ``files`` of a root; those that cannot be read are noted."""
        contents = self._tree.contents([f"{root}/{file}" for file in files], self._most)
        for file, content in zip(files, contents, strict=True):
            record = _record(file, content, self._most)
            if record is None:
                self.unreadable.add(f"{root}/{file}")
            else:
                yield StoredRecord(root, record)


def _key(stored: StoredRecord) -> RecordKey:
    return stored.root, stored.record.id or id_of_place(stored.record.file)


def _record(file: str, content: Content, most: int) -> AnyRecord | None:
    """The record that a file's content is; None where it cannot be read."""
    place = place_of(file)
    is_archived = place is not None and place.is_archived
    plain: Callable[[bytes, str], AnyRecord | None]
    plain = plain_cold_record if is_archived else plain_record
    record = plain(content.data, file) if content.data else None
    if record is not None:
        return record
    parsed = document_of(file, content, most).parsed
    if not isinstance(parsed, Document) or not isinstance(parsed.value, dict):
        return None
    model: Parsed[ColdRecord] | Parsed[Record]
    if is_archived:
        model = parse_cold_record(parsed.value, file)
    else:
        model = parse_record(parsed.value, file, ())
    return model.model
