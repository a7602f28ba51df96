"""A tree of git objects: blobs by path, read from the object database, never converted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pygit2
from pygit2.enums import FileMode, ObjectType

from kattest.digest import artifact_hexes, git_blob_hex
from kattest.errors import SourceError
from kattest.sources.batch import FEW, git_program, read_blobs
from kattest.text import quote_path
from kattest.tree import Content, Kind, contents_one_by_one

KINDS: Mapping[int, Kind] = {
    FileMode.BLOB: Kind.FILE,
    FileMode.BLOB_EXECUTABLE: Kind.FILE,
    0o100664: Kind.FILE,  # group-writable blobs, written by early versions of git
    FileMode.LINK: Kind.SYMLINK,
    FileMode.COMMIT: Kind.SUBMODULE,
}

_KINDS = {b"%o" % mode: kind for mode, kind in KINDS.items()}
_TREE = b"40000"  # the mode of a folder
_ENTRY = re.compile(rb"([0-7]+) ([^\0/]+)\0(.{20})", re.DOTALL)  # of a tree, as git writes it
_ENTRY_REST = len(b" \0") + 20  # bytes of an entry beside its mode and name

DAMAGE_REMEDY = "git fsck says what is wrong; a new clone, or git fetch --refetch, brings it back"


class Blob(NamedTuple):
    """What stands at one path of an index or a commit."""

    kind: Kind
    oid: pygit2.Oid


class BlobTree:
    """A Tree over blobs that a repository holds."""

    def __init__(self, git: pygit2.Repository, blobs: Mapping[str, Blob]) -> None:
        self._git = git
        self._blobs = blobs

    def paths(self) -> Sequence[str]:
        return sorted(self._blobs)

    def kind(self, path: str) -> Kind | None:
        blob = self._blobs.get(path)
        return blob.kind if blob else None

    def size(self, path: str) -> int:
        return blob_size(self._git, self._blobs[path].oid, path)

    def read(self, path: str) -> bytes:
        return read_blob(self._git, self._blobs[path].oid, path)

    def contents(self, paths: Sequence[str], largest: int) -> Iterator[Content]:
        program = git_program() if len(paths) > FEW else None
        if program is None:
            yield from contents_one_by_one(self, paths, largest)
            return
        oids = [str(self._blobs[path].oid) for path in paths]
        contents = read_blobs(program, self._git.path, oids, largest)
        for path, oid, content in zip(paths, oids, contents, strict=True):
            # libgit2 compares what it reads with its id; git does not.
            if content is None or (content.data is not None and git_blob_hex(content.data) != oid):
                raise _missing(f"the blob of {quote_path(path)}")
            yield content

    def hexes(self, path: str) -> frozenset[str]:
        return artifact_hexes(self.read(path))


def commit_tree(git: pygit2.Repository, commit: pygit2.Commit) -> BlobTree:
    """The tree of a commit. Raises SourceError where a part of it is missing or damaged."""
    blobs: dict[str, Blob] = {}
    pending: list[tuple[str, pygit2.Oid]] = [("", commit.tree_id)]
    while pending:
        prefix, oid = pending.pop()
        for mode, name, raw in _raw_entries(git, oid):
            path, entry = prefix + name.decode("utf-8", "surrogateescape"), pygit2.Oid(raw=raw)
            if mode == _TREE:
                pending.append((f"{path}/", entry))
            else:
                blobs[path] = Blob(_KINDS.get(mode, Kind.SPECIAL), entry)
    return BlobTree(git, blobs)


def _raw_entries(git: pygit2.Repository, oid: pygit2.Oid) -> list[tuple[bytes, bytes, bytes]]:
    """Mode, name and raw id of each entry of a tree: several times as fast as pygit2's objects.

    Raises SourceError where the tree is missing or damaged, or two entries have one name.
    """
    kind, data = _raw(git, oid) or (None, b"")
    entries = _ENTRY.findall(data)
    size = sum(len(mode) + len(name) + _ENTRY_REST for mode, name, _ in entries)
    names = {name for _, name, _ in entries}
    if kind != ObjectType.TREE or size != len(data) or len(names) != len(entries):
        raise _missing(f"the tree {oid}")
    return entries


def entry_name(entry: pygit2.Object) -> str:
    """The name of a tree's entry; bytes that are not UTF-8 become surrogate escapes."""
    raw: bytes = entry.raw_name or b""
    return raw.decode("utf-8", "surrogateescape")


def read_commit(git: pygit2.Repository, oid: pygit2.Oid) -> pygit2.Commit:
    """A commit object. Raises SourceError where it is missing."""
    found = _object(git, oid)
    if not isinstance(found, pygit2.Commit):
        raise _missing(f"the commit {oid}")
    return found


def read_tree(git: pygit2.Repository, oid: pygit2.Oid) -> pygit2.Tree:
    """A tree object. Raises SourceError where it is missing."""
    found = _object(git, oid)
    if not isinstance(found, pygit2.Tree):
        raise _missing(f"the tree {oid}")
    return found


def read_blob(git: pygit2.Repository, oid: pygit2.Oid, path: str) -> bytes:
    """A blob's bytes. Raises SourceError where it is missing."""
    found = _raw(git, oid)
    if found is None or found[0] != ObjectType.BLOB:
        raise _missing(f"the blob of {quote_path(path)}")
    return found[1]


def blob_size(git: pygit2.Repository, oid: pygit2.Oid, path: str) -> int:
    """A blob's size in bytes, without reading it. Raises SourceError where it is missing."""
    try:
        _, size = git.odb.read_header(oid)
    except (KeyError, pygit2.GitError):
        raise _missing(f"the blob of {quote_path(path)}") from None
    return size


def _raw(git: pygit2.Repository, oid: pygit2.Oid) -> tuple[int, bytes] | None:
    """The kind and the bytes of an object; None where it is missing or damaged."""
    try:
        found: tuple[int, bytes] = git.read(oid)
    except (KeyError, pygit2.GitError):
        return None
    return found


def _object(git: pygit2.Repository, oid: pygit2.Oid) -> object:
    try:
        return git.get(oid)
    except pygit2.GitError:  # it is there, and damaged
        return None


def _missing(what: str) -> SourceError:
    return SourceError(
        f"{what} is missing from the object database, or damaged",
        DAMAGE_REMEDY,
    )
