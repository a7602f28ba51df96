"""Trees of git objects: blobs by path, read from the object database, never converted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from kattest.digest import artifact_hexes
from kattest.errors import ShallowHistoryError, SourceError
from kattest.instant import LAST_SECOND, Instant
from kattest.sources.database import Blob, Database
from kattest.text import quote_path
from kattest.tree import Content, Kind, Tree, changed_paths

KINDS: Mapping[int, Kind] = {
    0o100644: Kind.FILE,
    0o100755: Kind.FILE,
    0o100664: Kind.FILE,  # group-writable blobs, written by early versions of git
    0o120000: Kind.SYMLINK,
    0o160000: Kind.SUBMODULE,
}
DAMAGE_REMEDY = "git fsck says what is wrong; a new clone, or git fetch --refetch, brings it back"
PARTIAL_REMEDY = "this clone is a partial one: git fetch --refetch --no-filter brings what it lacks"
SHALLOW_REMEDY = "fetch the whole history: git fetch --unshallow, or fetch-depth: 0 in a workflow"

_KINDS = {b"%o" % mode: kind for mode, kind in KINDS.items()}
_FOLDER = b"40000"  # its mode
_ID_BYTES = {"sha1": 20, "sha256": 32}
_ENTRIES = {  # of a tree, as git writes it
    name: re.compile(rb"([0-7]+) ([^\0/]+)\0(.{%d})" % size, re.DOTALL)
    for name, size in _ID_BYTES.items()
}
_COMMIT = re.compile(
    rb"tree (?P<tree>[0-9a-f]+)\n(?P<parents>(?:parent [0-9a-f]+\n)*)"
    rb"author [^\n]*\ncommitter [^\n]*> (?P<seconds>-?[0-9]{1,20})[^\n]*\n",
)


class Commit(NamedTuple):
    """A commit. ``parents`` are those it has, be they here or not; ``seconds`` since 1970."""

    id: str
    tree: str
    parents: tuple[str, ...]
    seconds: int


class Entry(NamedTuple):
    """An entry of a tree object. ``kind`` is FOLDER where ``oid`` is another tree's."""

    name: str
    kind: Kind
    oid: str


class BlobTree:
    """A Tree over blobs that a repository holds."""

    def __init__(self, database: Database, blobs: Mapping[str, Blob]) -> None:
        self._database = database
        self._blobs = blobs

    def paths(self) -> Sequence[str]:
        return sorted(self._blobs)

    def kind(self, path: str) -> Kind | None:
        blob = self._blobs.get(path)
        return blob.kind if blob else None

    def size(self, path: str) -> int:
        return blob_size(self._database, self._blobs[path].oid, path)

    def read(self, path: str) -> bytes:
        return read_blob(self._database, self._blobs[path].oid, path)

    def contents(self, paths: Sequence[str], largest: int) -> Iterator[Content]:
        return blob_contents(self._database, [(p, self._blobs[p].oid) for p in paths], largest)

    def hexes(self, path: str) -> frozenset[str]:
        return artifact_hexes(self.read(path))

    def oid(self, path: str) -> str:
        return self._blobs[path].oid

    def changed_since(self, base: Tree, concerns: Callable[[str], bool]) -> Sequence[str]:
        return changed_paths(base, self, concerns)


class CommitTree:
    """The Tree of a commit. What is asked for by its path is found without listing everything.

    Raises SourceError where a part of it is missing or damaged.
    """

    def __init__(self, database: Database, root: str) -> None:
        self._database = database
        self.root = root
        self._folder = lru_cache(maxsize=256)(self._read_folder)

    def paths(self) -> Sequence[str]:
        return sorted(self._blobs)

    def kind(self, path: str) -> Kind | None:
        blob = self._blob(path)
        return blob.kind if blob else None

    def size(self, path: str) -> int:
        return blob_size(self._database, self.oid(path), path)

    def read(self, path: str) -> bytes:
        return read_blob(self._database, self.oid(path), path)

    def contents(self, paths: Sequence[str], largest: int) -> Iterator[Content]:
        return blob_contents(self._database, [(path, self.oid(path)) for path in paths], largest)

    def hexes(self, path: str) -> frozenset[str]:
        return artifact_hexes(self.read(path))

    def oid(self, path: str) -> str:
        blob = self._blob(path)
        if blob is None:
            raise KeyError(path)
        return blob.oid

    def changed_since(self, base: Tree, concerns: Callable[[str], bool]) -> Sequence[str]:
        if isinstance(base, CommitTree):
            changed = _differences(self._database, base.root, self.root)
            return sorted(path for path in changed if concerns(path))
        return changed_paths(base, self, concerns)

    @cached_property
    def _blobs(self) -> Mapping[str, Blob]:
        return dict(_blobs_below(self._database, "", self.root))

    def _blob(self, path: str) -> Blob | None:
        if "_blobs" in self.__dict__:
            return self._blobs.get(path)
        *folders, name = path.split("/")
        oid = self.root
        for folder in folders:
            entry = self._folder(oid).get(folder)
            if entry is None or entry.kind is not Kind.FOLDER:
                return None
            oid = entry.oid
        entry = self._folder(oid).get(name)
        return None if entry is None or entry.kind is Kind.FOLDER else Blob(entry.kind, entry.oid)

    def _read_folder(self, oid: str) -> Mapping[str, Entry]:
        return {entry.name: entry for entry in tree_entries(self._database, oid)}


def _blobs_below(database: Database, prefix: str, oid: str) -> Iterator[tuple[str, Blob]]:
    pending = [(prefix, oid)]
    while pending:
        above, tree = pending.pop()
        for mode, name, raw in _raw_entries(database, tree):
            path = above + name.decode("utf-8", "surrogateescape")
            if mode == _FOLDER:
                pending.append((f"{path}/", raw.hex()))
            else:
                yield path, Blob(_KINDS.get(mode, Kind.SPECIAL), raw.hex())


def _differences(database: Database, before: str, after: str) -> Iterator[str]:
    """The paths where two trees differ: what is the same is not even read."""
    pending: list[tuple[str, str, str]] = [("", before, after)] if before != after else []
    while pending:
        prefix, *sides = pending.pop()
        old, new = ({e.name: e for e in tree_entries(database, side)} for side in sides)
        for name in old.keys() | new.keys():
            one, other = old.get(name), new.get(name)
            if one == other:
                continue
            path = f"{prefix}{name}"
            if one and other and one.kind is other.kind is Kind.FOLDER:
                pending.append((f"{path}/", one.oid, other.oid))
                continue
            for entry in filter(None, (one, other)):
                if entry.kind is Kind.FOLDER:
                    yield from (below for below, _ in _blobs_below(database, f"{path}/", entry.oid))
            if any(entry and entry.kind is not Kind.FOLDER for entry in (one, other)):
                yield path


def tree_entries(database: Database, oid: str) -> Iterator[Entry]:
    """The entries of a tree. Raises SourceError where it is missing or damaged."""
    for mode, name, raw in _raw_entries(database, oid):
        kind = Kind.FOLDER if mode == _FOLDER else _KINDS.get(mode, Kind.SPECIAL)
        yield Entry(name.decode("utf-8", "surrogateescape"), kind, raw.hex())


def _raw_entries(database: Database, oid: str) -> list[tuple[bytes, bytes, bytes]]:
    """Mode, name and raw id of each entry of a tree.

    Raises SourceError where the tree is missing or damaged, or two entries have one name.
    """
    kind, data = database.read(oid) or ("", b"")
    entries: list[tuple[bytes, bytes, bytes]] = _ENTRIES[database.hash_name].findall(data)
    rest = len(b" \0") + _ID_BYTES[database.hash_name]  # bytes of an entry beside mode and name
    size = sum(len(mode) + len(name) + rest for mode, name, _ in entries)
    names = {name for _, name, _ in entries}
    if kind != "tree" or size != len(data) or len(names) != len(entries):
        raise missing(database, f"the tree {oid}")
    return entries


def read_commit(database: Database, oid: str) -> Commit:
    """A commit. Raises SourceError where it is missing or damaged."""
    kind, data = database.read(oid) or ("", b"")
    match = _COMMIT.match(data)
    if kind != "commit" or match is None:
        raise missing(database, f"the commit {oid}")
    parents = match["parents"].decode().split()[1::2]
    return Commit(oid, match["tree"].decode(), tuple(parents), int(match["seconds"]))


def commit_instant(commit: Commit) -> Instant:
    """The commit's committer date. Raises SourceError where no calendar has it."""
    if not 0 <= commit.seconds <= LAST_SECOND:
        raise SourceError(
            f"commit {commit.id} claims a date that no calendar has", "name one with --as-of"
        )
    return Instant(commit.seconds)


def parents_here(database: Database, commit: Commit) -> tuple[Commit, ...]:
    """The parents of ``commit``.

    Raises ShallowHistoryError where this clone was cut off before them, SourceError where one is
    missing or damaged.
    """
    for parent in commit.parents:
        if database.is_shallow and database.read(parent) is None:
            raise ShallowHistoryError(
                f"this clone was cut off at commit {commit.id[:12]}: its parents are not here, so "
                "what it changed cannot be checked",
                SHALLOW_REMEDY,
            )
    return tuple(read_commit(database, parent) for parent in commit.parents)


def blob_contents(
    database: Database, wanted: Sequence[tuple[str, str]], largest: int
) -> Iterator[Content]:
    """The contents of blobs, given by path and id. Raises SourceError where one is missing."""
    contents = database.blobs([oid for _, oid in wanted], largest)
    for (path, _), content in zip(wanted, contents, strict=True):
        if content is None:
            raise missing(database, f"the blob of {quote_path(path)}")
        yield content


def read_blob(database: Database, oid: str, path: str) -> bytes:
    """A blob's bytes. Raises SourceError where it is missing or damaged."""
    kind, data = database.read(oid) or ("", b"")
    if kind != "blob":
        raise missing(database, f"the blob of {quote_path(path)}")
    return data


def blob_size(database: Database, oid: str, path: str) -> int:
    """A blob's size in bytes, without reading it. Raises SourceError where it is missing."""
    size = database.blob_size(oid)
    if size is None:
        raise missing(database, f"the blob of {quote_path(path)}")
    return size


def missing(database: Database, what: str) -> SourceError:
    """The error for an object that cannot be had, with the remedy for this kind of clone."""
    if database.is_partial:
        return SourceError(f"{what} is not in this clone", PARTIAL_REMEDY)
    return SourceError(
        f"{what} is missing from the object database, or damaged",
        DAMAGE_REMEDY,
    )
