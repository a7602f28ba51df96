"""Objects of git, read from the object database: commits, entries of trees, and blobs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from kattest.errors import ShallowHistoryError, SourceError
from kattest.instant import LAST_SECOND, Instant
from kattest.sources.database import Database
from kattest.text import quote, quote_path
from kattest.tree import Content, Kind

ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""The whole id of an object."""

_KIND_BITS = 0o170000  # of a mode
_KINDS = {0o040000: Kind.FOLDER, 0o100000: Kind.FILE, 0o120000: Kind.SYMLINK}
_LARGEST_MODE = 0o177777
DAMAGE_REMEDY = "git fsck says what is wrong; a new clone, or git fetch --refetch, brings it back"
PARTIAL_REMEDY = "this clone is a partial one: git fetch --refetch --no-filter brings what it lacks"
SHALLOW_REMEDY = "fetch the whole history: git fetch --unshallow, or fetch-depth: 0 in a workflow"

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


@lru_cache(maxsize=64)
def kind_of_mode(mode: int) -> Kind:
    """What a mode says, canonical or not, as git reads it: what is nothing else is a submodule."""
    return _KINDS.get(mode & _KIND_BITS, Kind.SUBMODULE)


@lru_cache(maxsize=64)
def written_kind(mode: bytes) -> Kind | None:
    """What a mode of a tree object says; None for a number that git cannot hold."""
    value = int(mode, 8)
    return kind_of_mode(value) if value <= _LARGEST_MODE else None


def tree_entries(database: Database, oid: str) -> Iterator[Entry]:
    """The entries of a tree. Raises SourceError where it is missing or damaged."""
    for kind, name, raw in raw_entries(database, oid):
        yield Entry(name.decode("utf-8", "surrogateescape"), kind, raw.hex())


def raw_entries(database: Database, oid: str) -> list[tuple[Kind, bytes, bytes]]:
    """Kind, name and raw id of each entry of a tree.

    Raises SourceError where the tree is missing or damaged, or two entries have one name.
    """
    kind, data = database.read(oid) or ("", b"")
    entries: list[tuple[bytes, bytes, bytes]] = _ENTRIES[database.hash_name].findall(data)
    rest = len(b" \0") + _ID_BYTES[database.hash_name]  # bytes of an entry beside mode and name
    size = sum(len(mode) + len(name) + rest for mode, name, _ in entries)
    names = {name for _, name, _ in entries}
    found = [(one, name, raw) for mode, name, raw in entries if (one := written_kind(mode))]
    if kind != "tree" or size != len(data) or not len(names) == len(entries) == len(found):
        raise missing(database, f"the tree {oid}")
    return found


def read_commit(database: Database, oid: str) -> Commit:
    """A commit. Raises SourceError where it is missing or damaged."""
    kind, data = database.read(oid) or ("", b"")
    match = _COMMIT.match(data)
    if kind != "commit" or match is None:
        raise missing(database, f"the commit {oid}")
    parents = match["parents"].decode().split()[1::2]
    return Commit(oid, match["tree"].decode(), tuple(parents), int(match["seconds"]))


def peeled(database: Database, oid: str) -> str | None:
    """The commit that ``oid`` is, or that a tag of this id names; None where it is something else.

    Nothing of it is parsed: one that is damaged is found when it is read.
    """
    kind, named = _peel(database, oid)
    return named if kind == "commit" else None


def require_no_commit(database: Database, oid: str, name: str) -> None:
    """See that what ``name`` names, its tags peeled, is a blob or a tree.

    Raises SourceError where it cannot be read.
    """
    kind, named = _peel(database, oid)
    if kind not in {"blob", "tree"}:
        raise missing(database, f"the object {named}, which {quote(name)} names,")


def _peel(database: Database, oid: str) -> tuple[str, str]:
    """Kind and id of what ``oid`` is, or its tags name in the end; no kind for what is missing."""
    while True:
        kind, data = database.read(oid) or ("", b"")
        if kind != "tag":
            return kind, oid
        oid = data.partition(b"\n")[0].removeprefix(b"object ").decode("ascii", "replace")


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


def unreadable_merge(reason: str) -> SourceError:
    """The error for a merge in progress that cannot be told."""
    return SourceError(
        f"what is being merged cannot be read: {reason}",
        "git merge --abort, or mend MERGE_HEAD in the git directory",
    )


def missing(database: Database, what: str) -> SourceError:
    """The error for an object that cannot be had, with the remedy for this kind of clone."""
    if database.is_partial:
        return SourceError(f"{what} is not in this clone", PARTIAL_REMEDY)
    return SourceError(
        f"{what} is missing from the object database, or damaged",
        DAMAGE_REMEDY,
    )
