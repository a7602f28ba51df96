"""The index that the running commit will use, entry by entry, with the flags that matter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pygit2
from pygit2.ffi import C, ffi

from kattest.errors import SourceError
from kattest.sources.objects import KINDS, Blob, BlobTree
from kattest.text import quote_path
from kattest.tree import Kind

# git's index-format: the stage in the entry's flags, two flags in its extended ones.
_STAGE_SHIFT = 12
_INTENT_TO_ADD = 1 << 13
_SKIP_WORKTREE = 1 << 14


class IndexEntry(NamedTuple):
    """One entry of an index.

    ``conflicted`` entries have a stage, ``intended`` ones were added with ``git add -N`` and
    hold no content yet, ``skipped`` ones are not checked out (sparse checkouts).
    """

    path: str
    blob: Blob
    conflicted: bool
    intended: bool
    skipped: bool


def read_index(git: pygit2.Repository) -> Iterator[IndexEntry]:
    """Every entry of the index, the one in GIT_INDEX_FILE where that is set.

    pygit2 shows neither stages nor flags of an entry, so they are read through its own binding
    of libgit2. Raises SourceError where the index cannot be read.
    """
    try:
        index = git.index
        pointer = index._index  # noqa: SLF001 - no public way to flags; hence pygit2's upper bound
    except pygit2.GitError as error:
        raise SourceError(
            f"the index cannot be read: {error!s}",
            "this version does not read split or sparse indexes: git update-index "
            "--no-split-index or git sparse-checkout reapply --no-sparse-index undoes them",
        ) from None
    for number in range(len(index)):
        entry = C.git_index_get_byindex(pointer, number)
        mode: int = entry.mode
        yield IndexEntry(
            path=ffi.string(entry.path).decode("utf-8", "surrogateescape"),
            blob=Blob(
                KINDS.get(mode, Kind.SPECIAL),
                pygit2.Oid(raw=bytes(ffi.buffer(ffi.addressof(entry, "id")))),
            ),
            conflicted=bool(entry.flags >> _STAGE_SHIFT & 3),
            intended=bool(entry.flags_extended & _INTENT_TO_ADD),
            skipped=bool(entry.flags_extended & _SKIP_WORKTREE),
        )


def index_tree(git: pygit2.Repository) -> BlobTree:
    """The tree that a commit of the index would hold.

    Raises SourceError where the index has conflicts or cannot be read.
    """
    blobs: dict[str, Blob] = {}
    for entry in read_index(git):
        if entry.conflicted:
            raise SourceError(
                f"the index has a conflict at {quote_path(entry.path)}",
                "resolve it and run git add: a conflicted index cannot be committed",
            )
        if not entry.intended:
            blobs[entry.path] = entry.blob
    return BlobTree(git, blobs)
