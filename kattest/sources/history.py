"""Search the history for the versions that rounds judged: one walk, however many they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from kattest.digest import artifact_hexes
from kattest.errors import ShallowHistoryError
from kattest.sources.database import Database
from kattest.sources.objects import SHALLOW_REMEDY, Entry, read_blob, read_commit, tree_entries
from kattest.text import quote
from kattest.tree import Kind, Wanted


class GitHistory:
    """The commits that can be reached from ``heads``, newest first.

    ``progress`` is told after each commit how many have been searched.
    """

    def __init__(
        self, database: Database, heads: Sequence[str], progress: Callable[[int], None]
    ) -> None:
        self._database = database
        self._heads = heads
        self._progress = progress

    def find(self, wanted: frozenset[Wanted]) -> Mapping[Wanted, str]:
        """See ``kattest.tree.History``."""
        search = _Search(self._database, wanted)
        for number, commit in enumerate(self._commits(), start=1):
            search.visit(commit)
            if search.found.keys() == wanted:
                break
            self._progress(number)
        if search.found.keys() != wanted and self._database.is_shallow:
            raise ShallowHistoryError(
                f"the history of this clone was cut off before {_unfound(wanted, search)}",
                SHALLOW_REMEDY,
            )
        return search.found

    def _commits(self) -> Iterator[str]:
        return self._database.walk(self._heads) if self._heads else iter(())


class _Node:
    """A folder or file on the way to wanted versions."""

    __slots__ = ("children", "wanted")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.wanted: dict[str, list[Wanted]] = {}


class _Search:
    """Walks each tree only where a wanted path leads, and each tree object only once."""

    def __init__(self, database: Database, wanted: frozenset[Wanted]) -> None:
        self.found: dict[Wanted, str] = {}
        self._database = database
        self._root = _Node()
        self._seen: set[tuple[int, str]] = set()
        for version in wanted:
            for path in version.paths:
                node = self._root
                for part in path.split("/"):
                    node = node.children.setdefault(part, _Node())
                node.wanted.setdefault(version.hex, []).append(version)

    def visit(self, commit: str) -> None:
        """Note the wanted versions that ``commit`` has."""
        pending = [(self._root, read_commit(self._database, commit).tree)]
        while pending:
            node, oid = pending.pop()
            if (id(node), oid) in self._seen:
                continue
            self._seen.add((id(node), oid))
            for entry in tree_entries(self._database, oid):
                child = node.children.get(entry.name)
                if child is None:
                    continue
                if entry.kind is Kind.FOLDER:
                    pending.append((child, entry.oid))
                elif entry.kind is Kind.FILE:
                    self._compare(child, entry, commit)

    def _compare(self, node: _Node, entry: Entry, commit: str) -> None:
        if not node.wanted or (id(node), entry.oid) in self._seen:
            return
        self._seen.add((id(node), entry.oid))
        for digest in artifact_hexes(read_blob(self._database, entry.oid, entry.name)):
            for version in node.wanted.get(digest, ()):
                self.found.setdefault(version, commit)


def _unfound(wanted: frozenset[Wanted], search: _Search) -> str:
    paths = sorted({version.paths[0] for version in wanted - search.found.keys()})
    more = f" and of {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"the version of {quote(paths[0])}{more} that was judged"
