"""What became of published records: followed by their ids, wherever their memory is now."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from kattest.config import Config
from kattest.documents import document_of, read_document
from kattest.instant import Instant
from kattest.jsondiff import Difference, differences
from kattest.jsondoc import Document, JsonValue, pointer_to
from kattest.memory.configuration import (
    DEFAULT_TIERS,
    UNREADABLE,
    config_of,
    default_config,
)
from kattest.memory.identity import id_of_place
from kattest.memory.layout import CONFIG, INDEX, find_roots, lay_out, place_of
from kattest.memory.model import AnyRecord, ColdRecord, MemoryConfig, Record
from kattest.memory.parsing import Parsed, parse_cold_record, parse_config, parse_record
from kattest.memory.plain import plain_cold_record, plain_record
from kattest.memory.succession import is_warm_no_more, may_leave, other_place, unfaithful
from kattest.rules.history_subjects import Archived, ChangedRecord, RecordHistory, StoredRecord
from kattest.tree import Base, Content, Kind, Tree

_Key: TypeAlias = tuple[str, str]
"""A record by its memory root and its id, or the id that its path says."""


def record_history(
    tree: Tree, base: Base, changed: Sequence[str], config: Config, as_of: Instant
) -> RecordHistory:
    """What became of the records of ``base`` in ``tree``, judged at ``as_of``.

    Only the files at ``changed`` differ and are read. Raises SourceError where one cannot be.
    """
    before, after = _Side(base.tree, changed, config), _Side(tree, changed, config)
    follower = _Follower(before, after, as_of)
    for key, stored in before.records:
        follower.follow(key, stored)
    return RecordHistory(
        commit=base.commit or "base",
        changed=tuple(follower.changed),
        gone=tuple(follower.gone),
        archived=tuple(follower.archived),
        backdated=tuple(follower.backdated()),
    )


class _Side:
    """The published tree or the judged one: its records in the files that differ, by their ids."""

    def __init__(self, tree: Tree, paths: Sequence[str], config: Config) -> None:
        self._tree = tree
        self._most = config.document_bytes
        self._configs: dict[str, MemoryConfig] = {}
        self.records: list[tuple[_Key, StoredRecord]] = []
        self.unreadable: set[str] = set()
        files = [path for path in paths if tree.kind(path) is Kind.FILE]
        for root, found in find_roots(files)[0].items():
            layout = lay_out(root, found)
            for stored in self._read(root, (*layout.records, *layout.archived)):
                self.records.append((_key(stored), stored))
        self._by_key: dict[_Key, list[StoredRecord]] = {}
        self._by_id: dict[str, list[tuple[_Key, StoredRecord]]] = {}
        self._by_path = {stored.path: stored for _, stored in self.records}
        for key, stored in self.records:
            self._by_key.setdefault(key, []).append(stored)
            self._by_id.setdefault(key[1], []).append((key, stored))

    def __contains__(self, key: _Key) -> bool:
        return key in self._by_key

    def named(self, key: _Key) -> list[StoredRecord]:
        """The records with this id in this root."""
        return self._by_key.get(key, [])

    def moved(self, key: _Key, published: _Side) -> list[StoredRecord]:
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
            return default_config(tiers=self._shows_tiers(root))
        parsed = read_document(self._tree, path, self._most).parsed
        if not isinstance(parsed, Document) or not isinstance(parsed.value, dict):
            return UNREADABLE
        return config_of(parse_config(parsed.value).model)

    def _shows_tiers(self, root: str) -> bool:
        """Whether a root without a configuration is one of protocol 1.1 (design, section 3.6)."""
        if self._tree.kind(f"{root}/{INDEX}") is not None:
            return True
        inside = f"{root}/"
        files = [path[len(inside) :] for path in self._paths if path.startswith(inside)]
        layout = lay_out(root, files)
        regular = [one for one in layout.records if self._tree.kind(layout.path(one)) is Kind.FILE]
        return bool(layout.archived) or any(
            isinstance(stored.record, Record) and stored.record.version == "1.1"
            for stored in self._read(root, regular)
        )

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


class _Follower:
    """Follows each published record to what it is now."""

    def __init__(self, before: _Side, after: _Side, as_of: Instant) -> None:
        self._before = before
        self._after = after
        self._as_of = as_of
        self._seen: set[str] = set()  # paths of the records that published ones have become
        self.changed: list[ChangedRecord] = []
        self.gone: list[StoredRecord] = []
        self.archived: list[Archived] = []

    def follow(self, key: _Key, stored: StoredRecord) -> None:
        """Note what is amiss with what ``stored`` has become."""
        root, record = stored
        heirs = self._heirs(key, stored)
        self._seen.update(heir.path for heir in heirs)
        alike = [heir for heir in heirs if heir.record.is_archived is record.is_archived]
        if alike:
            self._compare(stored, alike)
        elif heirs and isinstance(record, Record):
            self._judge_archiving(stored, record, heirs[0])
        elif heirs and isinstance(record, ColdRecord):
            self._judge_return(stored, record, heirs[0])
        elif unreadable := self._unreadable(stored):
            self.changed.append(ChangedRecord(stored, unreadable, []))
        elif not may_leave(record, self._before.config(root), self._as_of):
            self.gone.append(stored)

    def backdated(self) -> Iterator[StoredRecord]:
        """The records that are new, and older than what is new can be."""
        for key, stored in self._after.records:
            if key in self._before or stored.path in self._seen:
                continue
            if self._before.at(stored.root, other_place(stored.record.file)):
                continue  # a copy of one that did not change
            is_known = self._before.has_root(stored.root)
            config = (self._before if is_known else self._after).config(stored.root)
            if is_warm_no_more(stored.record, config, self._as_of):
                yield stored

    def _heirs(self, key: _Key, stored: StoredRecord) -> list[StoredRecord]:
        """What has the record's id now; else what is at its place, or at its other one."""
        root, record = stored
        named = self._after.named(key)
        if not named:  # with its memory; one that did so is not what two have become
            moved = self._after.moved(key, self._before)
            named = [heir for heir in moved if heir.path not in self._seen][:1]
        if not named and stored.path not in self._after.unreadable:
            named = self._after.at(root, record.file)
        return named or self._after.at(root, other_place(record.file))

    def _unreadable(self, stored: StoredRecord) -> str | None:
        """Where the record is, and cannot be read."""
        places = (stored.record.file, other_place(stored.record.file))
        paths = (f"{stored.root}/{file}" for file in places)
        return next((path for path in paths if path in self._after.unreadable), None)

    def _compare(self, stored: StoredRecord, alike: Sequence[StoredRecord]) -> None:
        value = self._before.value(stored)
        found = [[*differences(value, self._after.value(heir))] for heir in alike]
        if all(found):
            self.changed.append(ChangedRecord(stored, alike[0].path, found[0]))

    def _judge_archiving(self, stored: StoredRecord, record: Record, heir: StoredRecord) -> None:
        archived = heir.record
        if not isinstance(archived, ColdRecord):
            return
        fields = tuple(unfaithful(record, archived))
        due = self._early(record, archived, stored.root, heir.root)
        if fields or due:
            root, path = stored.root, heir.path
            self.archived.append(Archived(record, root, path, archived, fields, due))

    def _early(
        self, record: Record, archived: ColdRecord, root: str, root_now: str
    ) -> Instant | None:
        """When a record might be archived by the published tiers, where it was archived before.

        Where none were published, by the protocol's own. None where the tiers of its own tree
        forbid it too: rule KA403 says so.
        """
        made = archived.archived_at.instant if archived.archived_at else None
        stored = record.timestamp.instant if record.timestamp else None
        published = self._before.config(root)
        tiers = published.tiers if published.lifecycle is None else published.tiers or DEFAULT_TIERS
        now = self._after.config(root_now).tiers
        if not made or not stored or not tiers or not now or now.warm >= tiers.warm:
            return None
        due = stored.after_days(tiers.warm)
        return due if made <= due else None

    def _judge_return(self, stored: StoredRecord, archived: ColdRecord, heir: StoredRecord) -> None:
        active = heir.record
        fields = unfaithful(active, archived) if isinstance(active, Record) else ()
        found = [
            Difference(pointer_to("", field), "what the archive says", "something else")
            for field in fields
        ]
        if found:
            self.changed.append(ChangedRecord(stored, heir.path, found))


def _key(stored: StoredRecord) -> _Key:
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
