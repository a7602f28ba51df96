"""The read-only tree of bytes that everything is checked against, and its history.

The core sees a repository through these two protocols alone. ``sources/`` implements them over
git and the disk; the in-memory ones below serve tests and callers that hold the bytes already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from kattest.digest import artifact_hexes, git_hex


class Kind(Enum):
    """What stands at a path."""

    FILE = "file"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    FOLDER = "folder"
    SPECIAL = "special file"


class Content(NamedTuple):
    """The size in bytes of a regular file, and its bytes; None where it is larger than asked."""

    size: int
    data: bytes | None


class Tree(Protocol):
    """A read-only set of files under one top folder.

    Paths are relative to the top, with ``/``; names that are not UTF-8 hold surrogate escapes.
    """

    def paths(self) -> Sequence[str]:
        """Every path of the tree, folders aside, sorted."""
        ...

    def kind(self, path: str) -> Kind | None:
        """What stands at ``path``; None where nothing does.

        A tree holds no folders of its own: one that is there because of the files in it is None.
        """
        ...

    def size(self, path: str) -> int:
        """The size in bytes of the regular file at ``path``."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of the regular file at ``path``.

        Raises SourceError where they cannot be read.
        """
        ...

    def contents(self, paths: Sequence[str], largest: int) -> Iterator[Content]:
        """The content of each of the regular files at ``paths``, in their order.

        For many files faster than one by one. Raises SourceError where bytes cannot be read.
        """
        ...

    def hexes(self, path: str) -> frozenset[str]:
        """The digests by which the artifact at ``path`` is known, see ``digest.artifact_hexes``.

        In a working tree also those of what git stores for the file, where the two differ only
        by git's own conversion of line ends.
        """
        ...

    def oid(self, path: str) -> str:
        """The id that git gives, or would give, the bytes of what stands at ``path``.

        Trees that are compared use one hash: what has one id is the same.
        """
        ...

    def changed_since(self, base: Tree, concerns: Callable[[str], bool]) -> Sequence[str]:
        """The paths at which this tree and ``base`` hold different things, sorted.

        Only those that ``concerns`` says matter. Raises SourceError where a tree cannot be read.
        """
        ...


class Beside(NamedTuple):
    """A place relative to a file, in whichever folder that was: one called so that held a text."""

    file: str
    text: bytes
    path: str


class Wanted(NamedTuple):
    """A version that the history is searched for: these bytes, at one of these paths.

    Or else ``beside`` a file, which may have been in another folder then.
    """

    paths: tuple[str, ...]
    hex: str
    beside: Beside | None = None


class History(Protocol):
    """The versions that a tree had before."""

    def find(self, wanted: frozenset[Wanted]) -> Mapping[Wanted, str]:
        """The commit of a version for each of ``wanted`` that some version matches.

        One walk, however many are wanted. Raises ShallowHistoryError where the history ends
        early with some of them unfound.
        """
        ...


def contents_one_by_one(tree: Tree, paths: Iterable[str], largest: int) -> Iterator[Content]:
    """What ``Tree.contents`` gives, for trees that have no faster way."""
    for path in paths:
        size = tree.size(path)
        yield Content(size, tree.read(path) if size <= largest else None)


def changed_paths(base: Tree, head: Tree, concerns: Callable[[str], bool]) -> list[str]:
    """What ``Tree.changed_since`` gives, for trees that have no faster way."""
    paths = sorted({path for tree in (base, head) for path in tree.paths() if concerns(path)})
    return [path for path in paths if not is_same_at(path, base, head)]


def is_same_at(path: str, base: Tree, head: Tree) -> bool:
    """Whether two trees hold the same bytes at ``path``, or the same else, or both nothing."""
    kind = head.kind(path)
    if kind is not base.kind(path):
        return False
    return kind is not Kind.FILE or base.oid(path) == head.oid(path)


def is_below(path: str, folders: Sequence[str]) -> bool:
    """Whether ``path`` is one of ``folders`` or inside one; with none given, everything is."""
    return not folders or any(
        not folder or path == folder or path.startswith(f"{folder}/") for folder in folders
    )


class MemoryTree:
    """A tree held in memory. A path in ``kinds`` is that instead of a regular file."""

    def __init__(self, files: Mapping[str, bytes], kinds: Mapping[str, Kind] | None = None) -> None:
        self._files = files
        self._kinds = kinds or {}

    def paths(self) -> Sequence[str]:
        return sorted({*self._files, *self._kinds})

    def kind(self, path: str) -> Kind | None:
        return self._kinds.get(path) or (Kind.FILE if path in self._files else None)

    def size(self, path: str) -> int:
        return len(self._files[path])

    def read(self, path: str) -> bytes:
        return self._files[path]

    def contents(self, paths: Sequence[str], largest: int) -> Iterator[Content]:
        return contents_one_by_one(self, paths, largest)

    def hexes(self, path: str) -> frozenset[str]:
        return artifact_hexes(self._files[path])

    def oid(self, path: str) -> str:
        return git_hex("blob", self._files[path], "sha1")

    def changed_since(self, base: Tree, concerns: Callable[[str], bool]) -> Sequence[str]:
        return changed_paths(base, self, concerns)


class Base(NamedTuple):
    """What a tree is compared with, and its commit's id where it has one.

    It is published, or else one of several branches that are merged.
    """

    tree: Tree
    commit: str | None = None
    is_published: bool = True


class MemoryHistory:
    """A history held in memory: commit names with their trees, newest first."""

    def __init__(self, commits: Sequence[tuple[str, Tree]] = ()) -> None:
        self._commits = commits

    def find(self, wanted: frozenset[Wanted]) -> Mapping[Wanted, str]:
        found: dict[Wanted, str] = {}
        for commit, tree in self._commits:
            for version in wanted - found.keys():
                places = (*version.paths, *self._beside(version.beside))
                files = [path for path in places if tree.kind(path) is Kind.FILE]
                if any(version.hex in tree.hexes(path) for path in files):
                    found[version] = commit
        return found

    def _beside(self, beside: Beside | None) -> Iterator[str]:
        for _, tree in self._commits if beside else ():
            for path in tree.paths():
                folder, _, name = path.rpartition("/")
                if beside and name == beside.file and beside.text in tree.read(path):
                    yield f"{folder}/{beside.path}" if folder else beside.path
