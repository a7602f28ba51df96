"""Trees of git objects: blobs by path, never converted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from kattest.digest import artifact_hexes
from kattest.sources.database import Blob, Database
from kattest.sources.objects import (
    Entry,
    blob_contents,
    blob_size,
    raw_entries,
    read_blob,
    tree_entries,
)
from kattest.tree import Content, Kind, Tree, changed_paths


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
        for kind, name, raw in raw_entries(database, tree):
            path = above + name.decode("utf-8", "surrogateescape")
            if kind is Kind.FOLDER:
                pending.append((f"{path}/", raw.hex()))
            else:
                yield path, Blob(kind, raw.hex())


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
