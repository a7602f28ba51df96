"""What became of published rounds: followed by their evaluation ids, wherever they are now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from kattest.attestation.lookup import artifact_paths
from kattest.attestation.succession import StoredRound, may_follow
from kattest.config import Config
from kattest.documents import LoadedFile, attestation_paths, load
from kattest.jsondiff import differences, is_equal
from kattest.jsondoc import Document, JsonValue
from kattest.rules.history_subjects import ChangedRound, LostFile, LostRound, RoundHistory
from kattest.tree import Base, Kind, Tree


def round_history(tree: Tree, base: Base, changed: Sequence[str], config: Config) -> RoundHistory:
    """What became of the rounds of ``base`` in ``tree``.

    Only the files at ``changed`` differ and are read. Raises SourceError where one cannot be.
    """
    published = [*_rounds(_loaded(base.tree, changed, config))]
    here = _Here(tree, changed, config)
    altered, lost = [], []
    moved: dict[str, set[str]] = {}
    for before in published:
        alike = here.named(before)
        heir = next((after for after in alike if may_follow(before, after)), None)
        if heir is not None:
            moved.setdefault(before.path, set()).add(heir.path)
            continue
        if alike and before.round.evaluation_id is not None:
            after = next((one for one in alike if one.path == before.path), alike[0])
            altered.append(_changed(before, after))
        elif not here.has_elsewhere(before):
            lost.append(before)
    files, rounds = _losses(lost, moved, tree, base.tree, here)
    return RoundHistory(base.commit or "base", tuple(altered), tuple(rounds), tuple(files))


class _Here:
    """The rounds of the judged tree: those of some files at once, the others when asked for."""

    def __init__(self, tree: Tree, paths: Sequence[str], config: Config) -> None:
        self._tree = tree
        self._config = config
        self._paths = frozenset(paths)
        files = _loaded(tree, paths, config)
        self._rounds = [*_rounds(files)]
        self._others: list[StoredRound] | None = None
        self.readable = frozenset(loaded.subject.path for loaded in files)

    def named(self, before: StoredRound) -> list[StoredRound]:
        """The rounds with its evaluation id; those without one, if it has none."""
        name = before.round.evaluation_id
        return [one for one in self._rounds if one.round.evaluation_id == name]

    def has_elsewhere(self, before: StoredRound) -> bool:
        """Whether a file that did not change has the same round too."""
        if self._others is None:
            paths = self._config.included(attestation_paths(self._tree.paths()))
            unchanged = [path for path in paths if path not in self._paths]
            self._others = [*_rounds(_loaded(self._tree, unchanged, self._config))]
        return any(is_equal(before.value, one.value) for one in self._others)


def _losses(
    lost: Sequence[StoredRound],
    moved: Mapping[str, Collection[str]],
    tree: Tree,
    base: Tree,
    here: _Here,
) -> tuple[list[LostFile], list[LostRound]]:
    """What of the lost rounds is a fault, file by file.

    ``moved`` says of a file where its other rounds are now.
    """
    files: list[LostFile] = []
    rounds: list[LostRound] = []
    by_path: dict[str, list[StoredRound]] = {}
    for before in lost:
        by_path.setdefault(before.path, []).append(before)
    for path, missed in by_path.items():
        left = [one for one in missed if _artifact_is_left(one, tree, base, moved.get(path, ()))]
        if path in here.readable:
            rounds += map(LostRound, left)
        elif tree.kind(path) is not None:
            files.append(LostFile(path, len(missed), is_there=True))
        elif left:
            files.append(LostFile(path, len(left), is_there=False))
    return files, rounds


def _artifact_is_left(before: StoredRound, tree: Tree, base: Tree, moved: Collection[str]) -> bool:
    """Whether the artifact of a lost round is still there, at its place or elsewhere.

    One that cannot be told is. Where other rounds of its file stand in files at ``moved``, it may
    have moved with them, and be changed since.
    """
    round_ = before.round
    if round_.artifact_path is None or round_.artifact_hash is None:
        return True
    places = artifact_paths(before.path, round_)
    namesakes = (_beside(path, before, places[0]) for path in moved)
    if any(tree.kind(place) is not None for place in (*places, *namesakes)):
        return True
    files = [path for path in tree.paths() if tree.kind(path) is Kind.FILE]
    published = {base.oid(place) for place in places if base.kind(place) is Kind.FILE}
    if published:
        return any(tree.oid(path) in published for path in files)
    return any(round_.artifact_hash.hex in tree.hexes(path) for path in files)


def _beside(path: str, before: StoredRound, place: str) -> str:
    """Where an artifact is that moved with its attestation file to ``path``."""
    folder, here = (one.rpartition("/")[0] for one in (before.path, path))
    inside = place.startswith(f"{folder}/") and bool(folder)
    name = place.removeprefix(f"{folder}/") if inside else place.rpartition("/")[2]
    return f"{here}/{name}" if here else name


def _changed(before: StoredRound, after: StoredRound) -> ChangedRound:
    return ChangedRound(before, after, [*differences(before.value, after.value)])


def _loaded(tree: Tree, paths: Iterable[str], config: Config) -> list[LoadedFile]:
    """Those of the attestation files at ``paths`` that are there and can be read."""
    present = (path for path in paths if tree.kind(path) is not None)
    files = (load(tree, path, config.document_bytes) for path in present)
    return [loaded for loaded in files if loaded.file]


def _rounds(files: Iterable[LoadedFile]) -> Iterator[StoredRound]:
    for subject, file in files:
        if file is None or not isinstance(subject.parsed, Document):
            continue
        for round_ in file.rounds:
            value = _value_at(subject.parsed.value, round_.pointer)
            yield StoredRound(file.path, round_, value, round_ is file.rounds[-1])


def _value_at(value: JsonValue, pointer: str) -> JsonValue:
    """A round's own JSON: that of the document, or of an element of its evaluations."""
    if pointer and isinstance(value, dict):
        rounds = value["evaluations"]
        assert isinstance(rounds, list)  # noqa: S101 - for the type checker: a round was read there
        return rounds[int(pointer.rpartition("/")[2])]
    return value
