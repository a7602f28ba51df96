"""What the rest of ``sources/`` asks of git, whoever answers: libgit2, or git's own plumbing.

Ids of objects are lower-case hexadecimal text. Nothing is converted and nothing replaced: neither
line ends nor objects (git-replace, grafts).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from kattest.tree import Content, Kind


class Blob(NamedTuple):
    """What stands at one path of an index or a commit."""

    kind: Kind
    oid: str


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


class Upstream(NamedTuple):
    """The branch that a branch follows: its name, and its commit as far as it is known here."""

    name: str
    commit: str


class Database(Protocol):
    """An open repository.

    It is asked as often as anybody likes; what it answers does not change.
    """

    @property
    def hash_name(self) -> str:
        """What git makes ids with: sha1 or sha256."""
        ...

    @property
    def is_shallow(self) -> bool:
        """Whether the history of this clone was cut off."""
        ...

    @property
    def is_partial(self) -> bool:
        """Whether this clone was made without all objects."""
        ...

    def read(self, oid: str) -> tuple[str, bytes] | None:
        """The kind (commit, tree, blob, tag) and the bytes of an object.

        None where it is missing or damaged.
        """
        ...

    def blob_size(self, oid: str) -> int | None:
        """The size of a blob in bytes; None where it is missing or damaged."""
        ...

    def blobs(self, oids: Sequence[str], largest: int) -> Iterator[Content | None]:
        """The content of each blob in ``oids``, in their order; None where it is missing."""
        ...

    def find(self, rev: str) -> str | None:
        """The commit that ``rev`` names in git's language; None where it names none."""
        ...

    def head(self) -> str | None:
        """The commit that HEAD names; None before the first one."""
        ...

    def upstream(self, branch: str | None) -> Upstream | None:
        """What a local branch follows, HEAD's where none is named; None for nothing known."""
        ...

    def tips(self, prefix: str, suffix: str = "") -> Sequence[str]:
        """The commits that the references called ``prefix``...``suffix`` name, each once, sorted.

        Raises SourceError where one names something that cannot be read.
        """
        ...

    def merge_heads(self) -> Sequence[str]:
        """The commits that are being merged into HEAD."""
        ...

    def walk(
        self, tips: Sequence[str], hidden: Sequence[str] = (), *, oldest_first: bool = False
    ) -> Iterator[str]:
        """The commits that can be reached from ``tips``, and not from ``hidden``.

        Newest first by their dates; or, with ``oldest_first``, parents before their children.
        Raises SourceError where the history cannot be read.
        """
        ...

    def index(self) -> Iterator[IndexEntry]:
        """Every entry of the index, the one in GIT_INDEX_FILE where that is set.

        Raises SourceError where it cannot be read.
        """
        ...

    def is_ignored(self, path: str) -> bool:
        """Whether git ignores ``path`` of the working tree; a folder's ends with a slash."""
        ...

    def stored_id(self, file: Path, path: str) -> str | None:
        """The id that git would store ``file`` under at ``path``, its conversions done.

        None where git cannot say.
        """
        ...

    def flag(self, name: str, default: bool) -> bool:  # noqa: FBT001 - as git config's own
        """A Boolean of git's configuration."""
        ...

    def setting(self, name: str) -> str | None:
        """A text of git's configuration; None where it is not set."""
        ...

    def close(self) -> None:
        """Let go of what the repository holds open."""
        ...
