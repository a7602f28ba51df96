"""A tree of git objects: blobs by path, read from the object database, never converted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pygit2
from pygit2.enums import FileMode

from kattest.digest import artifact_hexes
from kattest.errors import SourceError
from kattest.text import quote
from kattest.tree import Kind

KINDS: Mapping[int, Kind] = {
    FileMode.BLOB: Kind.FILE,
    FileMode.BLOB_EXECUTABLE: Kind.FILE,
    0o100664: Kind.FILE,  # group-writable blobs, written by early versions of git
    FileMode.LINK: Kind.SYMLINK,
    FileMode.COMMIT: Kind.SUBMODULE,
}

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

    def hexes(self, path: str) -> frozenset[str]:
        return artifact_hexes(self.read(path))


def commit_tree(git: pygit2.Repository, commit: pygit2.Commit) -> BlobTree:
    """The tree of a commit. Raises SourceError where a part of it is missing."""
    blobs: dict[str, Blob] = {}
    pending: list[tuple[str, pygit2.Oid]] = [("", commit.tree_id)]
    while pending:
        prefix, oid = pending.pop()
        for entry in read_tree(git, oid):
            path = prefix + entry_name(entry)
            if entry.filemode == FileMode.TREE:
                pending.append((f"{path}/", entry.id))
            else:
                kind = KINDS.get(int(entry.filemode), Kind.SPECIAL)
                blobs[path] = Blob(kind, entry.id)
    return BlobTree(git, blobs)


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
    found = _object(git, oid)
    if not isinstance(found, pygit2.Blob):
        raise _missing(f"the blob of {quote(path)}")
    return found.data


def blob_size(git: pygit2.Repository, oid: pygit2.Oid, path: str) -> int:
    """A blob's size in bytes, without reading it. Raises SourceError where it is missing."""
    try:
        _, size = git.odb.read_header(oid)
    except (KeyError, pygit2.GitError):
        raise _missing(f"the blob of {quote(path)}") from None
    return size


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
