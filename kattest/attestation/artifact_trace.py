"""Whether an artifact that left its place is still in a tree: moved, copied, or edited too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cached_property

from kattest.attestation.lookup import artifact_paths
from kattest.attestation.model import Round
from kattest.tree import Kind, Tree

_LARGEST = 1024 * 1024  # bytes of a file that is compared line by line
_ALIKE = 0.5  # of the larger one's bytes in lines of both: what git calls a rename


class ArtifactTrace:
    """Looks in ``tree`` for artifacts that ``base`` had. Whole trees are read once, if at all."""

    def __init__(self, tree: Tree, base: Tree) -> None:
        self._tree = tree
        self._base = base
        self._known: dict[tuple[object, ...], bool] = {}

    def is_left(self, file_path: str, round_: Round, moved: Collection[str]) -> bool:
        """Whether the artifact of a round of the file ``file_path`` is still there.

        One that cannot be told is. ``moved`` are files that other rounds of that file are in now:
        the artifact may have moved with them, and be changed since.
        """
        digest = round_.artifact_hash.hex if round_.artifact_hash else None
        if round_.artifact_path is None or digest is None:
            return True
        places = artifact_paths(file_path, round_)
        namesakes = tuple(_beside(path, file_path, places[0]) for path in sorted(moved))
        key = (places, namesakes, digest)
        if key not in self._known:
            self._known[key] = self._look((*places, *namesakes), places, digest)
        return self._known[key]

    def _look(self, stands: Iterable[str], places: Iterable[str], digest: str) -> bool:
        if any(map(self._stands, stands)):
            return True
        published = [place for place in places if self._base.kind(place) is Kind.FILE]
        if not published:
            return digest in self._hexes
        if any(self._base.oid(place) in self._oids for place in published):
            return True
        return any(self._is_renamed(place) for place in published)

    def _stands(self, place: str) -> bool:
        """Whether something is at ``place``, or may be: behind a link, or in another repository."""
        parts = place.split("/")
        above = ("/".join(parts[:number]) for number in range(1, len(parts) + 1))
        return any(self._tree.kind(path) is not None for path in above)

    @cached_property
    def _files(self) -> list[str]:
        return [path for path in self._tree.paths() if self._tree.kind(path) is Kind.FILE]

    @cached_property
    def _oids(self) -> frozenset[str]:
        return frozenset(map(self._tree.oid, self._files))

    @cached_property
    def _hexes(self) -> frozenset[str]:
        return frozenset(digest for path in self._files for digest in self._tree.hexes(path))

    @cached_property
    def _added(self) -> list[tuple[int, Counter[bytes]]]:
        """The files that are new, or changed, and may be edited copies: their sizes and lines."""
        changed = self._tree.changed_since(self._base, lambda _: True)
        new = [path for path in changed if self._tree.kind(path) is Kind.FILE]
        contents = self._tree.contents(new, _LARGEST)
        return [_lines(data) for _, data in contents if data]

    def _is_renamed(self, place: str) -> bool:
        """Whether a new file has most of the lines of the one that was at ``place``."""
        if self._base.size(place) > _LARGEST:
            return False
        size, lines = _lines(self._base.read(place))
        return any(
            sum(len(line) * number for line, number in (lines & others).items())
            >= _ALIKE * max(size, other, 1)
            for other, others in self._added
        )


def _lines(data: bytes) -> tuple[int, Counter[bytes]]:
    """The lines of a text, whatever is blank in them, and what they come to in bytes."""
    lines = Counter(filter(None, (b" ".join(line.split()) for line in data.splitlines())))
    return sum(len(line) * number for line, number in lines.items()), lines


def _beside(path: str, file_path: str, place: str) -> str:
    """Where an artifact is that moved with its attestation file to ``path``."""
    folder, here = (one.rpartition("/")[0] for one in (file_path, path))
    inside = place.startswith(f"{folder}/") and bool(folder)
    name = place.removeprefix(f"{folder}/") if inside else place.rpartition("/")[2]
    return f"{here}/{name}" if here else name
