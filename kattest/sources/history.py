"""Search the history for the versions that rounds judged: one walk, however many they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from kattest.digest import artifact_hexes
from kattest.errors import ShallowHistoryError
from kattest.sources.database import Database
from kattest.sources.objects import SHALLOW_REMEDY, Entry, read_blob, read_commit, tree_entries
from kattest.text import quote
from kattest.tree import Beside, Kind, Wanted


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
        """See ``kattest.tree.History``. What was moved costs two more walks."""
        found = self._search(wanted)
        moved = [version for version in wanted - found.keys() if version.beside]
        if moved:
            places = self._former_places(moved)
            again = {version: version._replace(paths=places[version]) for version in moved}
            there = self._search(frozenset(again.values()))
            found |= {version: there[new] for version, new in again.items() if new in there}
        if found.keys() != wanted and self._database.is_shallow:
            raise ShallowHistoryError(
                f"the history of this clone was cut off before {_unfound(wanted - found.keys())}",
                SHALLOW_REMEDY,
            )
        return found

    def _search(self, wanted: frozenset[Wanted]) -> dict[Wanted, str]:
        search = _Search(self._database, wanted)
        for number, commit in enumerate(self._commits(), start=1):
            search.visit(commit)
            if search.found.keys() == wanted:
                break
            self._progress(number)
        return search.found

    def _former_places(self, moved: Sequence[Wanted]) -> dict[Wanted, tuple[str, ...]]:
        """Where versions may have been beside the file that they are beside now."""
        folders = _Folders(self._database, {one.beside.file for one in moved if one.beside})
        for number, commit in enumerate(self._commits(), start=1):
            folders.visit(commit)
            self._progress(number)
        return {one: tuple(folders.places(one.beside)) for one in moved if one.beside}

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


class _Folders:
    """Every folder of a history that had a file of one of these names, and what that held."""

    def __init__(self, database: Database, names: Collection[str]) -> None:
        self._database = database
        self._names = names
        self._seen: set[tuple[str, str]] = set()
        self._files: dict[tuple[str, str], set[str]] = {}  # name and blob, with their folders

    def visit(self, commit: str) -> None:
        """Note the folders that ``commit`` has."""
        pending = [("", read_commit(self._database, commit).tree)]
        while pending:
            prefix, oid = pending.pop()
            if (prefix, oid) in self._seen:
                continue
            self._seen.add((prefix, oid))
            for entry in tree_entries(self._database, oid):
                if entry.kind is Kind.FOLDER:
                    pending.append((f"{prefix}{entry.name}/", entry.oid))
                elif entry.kind is Kind.FILE and entry.name in self._names:
                    self._files.setdefault((entry.name, entry.oid), set()).add(prefix)

    def places(self, beside: Beside) -> Iterator[str]:
        """The places beside each file that held the text."""
        for (name, oid), folders in self._files.items():
            if name == beside.file and beside.text in read_blob(self._database, oid, name):
                yield from (f"{folder}{beside.path}" for folder in sorted(folders))


def _unfound(wanted: Collection[Wanted]) -> str:
    paths = sorted({version.paths[0] for version in wanted})
    more = f" and of {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"the version of {quote(paths[0])}{more} that was judged"
