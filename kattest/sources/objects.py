"""Objects of git, read from the object database: commits, entries of trees, and blobs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kattest.errors import ShallowHistoryError, SourceError
from kattest.instant import LAST_SECOND, Instant
from kattest.sources.database import Database
from kattest.text import quote_path
from kattest.tree import Content, Kind

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

# The same, as a tree object writes them; there are folders too.
TREE_KINDS = {b"%o" % mode: kind for mode, kind in KINDS.items()} | {b"40000": Kind.FOLDER}
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


def tree_entries(database: Database, oid: str) -> Iterator[Entry]:
    """The entries of a tree. Raises SourceError where it is missing or damaged."""
    for mode, name, raw in raw_entries(database, oid):
        kind = TREE_KINDS.get(mode, Kind.SPECIAL)
        yield Entry(name.decode("utf-8", "surrogateescape"), kind, raw.hex())


def raw_entries(database: Database, oid: str) -> list[tuple[bytes, bytes, bytes]]:
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
