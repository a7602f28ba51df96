"""Search the history for the versions that rounds judged: one walk, however many they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pygit2
from pygit2.enums import FileMode, SortMode

from kattest.digest import artifact_hexes
from kattest.errors import ShallowHistoryError, SourceError
from kattest.sources.objects import DAMAGE_REMEDY, KINDS, entry_name, read_blob, read_tree
from kattest.text import quote
from kattest.tree import Kind, Wanted


class GitHistory:
    """The commits that can be reached from ``heads``, newest first.

    ``progress`` is told after each commit how many have been searched.
    """

    def __init__(
        self,
        git: pygit2.Repository,
        heads: Sequence[pygit2.Oid],
        progress: Callable[[int], None],
    ) -> None:
        self._git = git
        self._heads = heads
        self._progress = progress

    def find(self, wanted: frozenset[Wanted]) -> Mapping[Wanted, str]:
        """See ``kattest.tree.History``."""
        search = _Search(self._git, wanted)
        for number, commit in enumerate(self._commits(), start=1):
            search.visit(commit)
            if search.found.keys() == wanted:
                break
            self._progress(number)
        if search.found.keys() != wanted and self._git.is_shallow:
            raise ShallowHistoryError(
                f"the history of this clone was cut off before {_unfound(wanted, search)}",
                "fetch the whole history: git fetch --unshallow, or fetch-depth: 0 in a workflow",
            )
        return search.found

    def _commits(self) -> Iterator[pygit2.Commit]:
        if not self._heads:
            return
        try:
            walker = self._git.walk(self._heads[0], SortMode.TIME)
            for head in self._heads[1:]:
                walker.push(head)
            yield from walker
        except (KeyError, pygit2.GitError) as error:
            raise SourceError(
                f"the history cannot be read: {error!s}",
                DAMAGE_REMEDY,
            ) from None


class _Node:
    """A folder or file on the way to wanted versions."""

    __slots__ = ("children", "wanted")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.wanted: dict[str, list[Wanted]] = {}


class _Search:
    """Walks each tree only where a wanted path leads, and each tree object only once."""

    def __init__(self, git: pygit2.Repository, wanted: frozenset[Wanted]) -> None:
        self.found: dict[Wanted, str] = {}
        self._git = git
        self._root = _Node()
        self._seen: set[tuple[int, pygit2.Oid]] = set()
        for version in wanted:
            for path in version.paths:
                node = self._root
                for part in path.split("/"):
                    node = node.children.setdefault(part, _Node())
                node.wanted.setdefault(version.hex, []).append(version)

    def visit(self, commit: pygit2.Commit) -> None:
        """Note the wanted versions that ``commit`` has."""
        pending = [(self._root, commit.tree_id)]
        while pending:
            node, oid = pending.pop()
            if (id(node), oid) in self._seen:
                continue
            self._seen.add((id(node), oid))
            for entry in read_tree(self._git, oid):
                child = node.children.get(entry_name(entry))
                if child is None:
                    continue
                if entry.filemode == FileMode.TREE:
                    pending.append((child, entry.id))
                elif KINDS.get(int(entry.filemode)) is Kind.FILE:
                    self._compare(child, entry, str(commit.id))

    def _compare(self, node: _Node, entry: pygit2.Object, commit: str) -> None:
        if not node.wanted or (id(node), entry.id) in self._seen:
            return
        self._seen.add((id(node), entry.id))
        for digest in artifact_hexes(read_blob(self._git, entry.id, entry_name(entry))):
            for version in node.wanted.get(digest, ()):
                self.found.setdefault(version, commit)


def _unfound(wanted: frozenset[Wanted], search: _Search) -> str:
    paths = sorted({version.paths[0] for version in wanted - search.found.keys()})
    more = f" and of {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"the version of {quote(paths[0])}{more} that was judged"
