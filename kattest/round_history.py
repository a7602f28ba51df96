"""What became of published rounds: followed by their evaluation ids, wherever they are now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from kattest.attestation.artifact_trace import ArtifactTrace
from kattest.attestation.succession import StoredRound, may_follow
from kattest.config import Config
from kattest.documents import LoadedFile, attestation_paths, load
from kattest.jsondiff import differences, is_equal
from kattest.jsondoc import Document, JsonValue
from kattest.rules.history_subjects import ChangedRound, LostFile, LostRound, RoundHistory
from kattest.tree import Base, Tree


def round_history(tree: Tree, base: Base, changed: Sequence[str], config: Config) -> RoundHistory:
    """What became of the rounds of ``base`` in ``tree``.

    Only the files at ``changed`` differ and are read. Raises SourceError where one cannot be.
    """
    published = [*_rounds(_loaded(base.tree, changed, config))]
    here = _Here(tree, changed, config)
    followed = _follow(published, here)
    files, rounds = _losses(followed, here, ArtifactTrace(tree, base.tree))
    return RoundHistory(base.commit or "base", tuple(followed.changed), tuple(rounds), tuple(files))


class _Followed(NamedTuple):
    """What became of published rounds. ``moved`` says of a file where its rounds are now."""

    changed: list[ChangedRound]
    lost: list[StoredRound]
    moved: Mapping[str, Collection[str]]


class _Here:
    """The rounds of the judged tree: those of some files at once, the others when asked for."""

    def __init__(self, tree: Tree, paths: Sequence[str], config: Config) -> None:
        self.tree = tree
        self._config = config
        self._paths = frozenset(paths)
        files = _loaded(tree, paths, config)
        self._by_id = _by_id(_rounds(files))
        self.readable = frozenset(loaded.subject.path for loaded in files)

    def named(self, before: StoredRound) -> Sequence[StoredRound]:
        """The rounds with its evaluation id; those without one, if it has none."""
        return self._by_id.get(before.round.evaluation_id, ())

    def has_elsewhere(self, before: StoredRound) -> bool:
        """Whether a file that did not change has the same round too."""
        alike = self._others.get(before.round.evaluation_id, ())
        return any(is_equal(before.value, one.value) for one in alike)

    @cached_property
    def _others(self) -> Mapping[str | None, list[StoredRound]]:
        paths = self._config.included(attestation_paths(self.tree.paths()))
        unchanged = [path for path in paths if path not in self._paths]
        return _by_id(_rounds(_loaded(self.tree, unchanged, self._config)))


def _follow(published: Iterable[StoredRound], here: _Here) -> _Followed:
    changed: list[ChangedRound] = []
    lost: list[StoredRound] = []
    moved: dict[str, set[str]] = {}
    for before in published:
        alike = here.named(before)
        heir = next((after for after in alike if may_follow(before, after)), None)
        if heir is not None:
            moved.setdefault(before.path, set()).add(heir.path)
        elif alike and before.round.evaluation_id is not None:
            after = next((one for one in alike if one.path == before.path), alike[0])
            found = [*differences(before.value, after.value)]
            changed.append(ChangedRound(before, after, found))
        elif not here.has_elsewhere(before):
            lost.append(before)
    return _Followed(changed, lost, moved)


def _losses(
    followed: _Followed, here: _Here, trace: ArtifactTrace
) -> tuple[list[LostFile], list[LostRound]]:
    """What of the lost rounds is a fault, file by file."""
    files: list[LostFile] = []
    rounds: list[LostRound] = []
    by_path: dict[str, list[StoredRound]] = {}
    for before in followed.lost:
        by_path.setdefault(before.path, []).append(before)
    for path, missed in by_path.items():
        moved = followed.moved.get(path, ())
        left = [one for one in missed if trace.is_left(path, one.round, moved)]
        if path in here.readable:
            rounds += map(LostRound, left)
        elif here.tree.kind(path) is not None:
            files.append(LostFile(path, len(missed), is_there=True))
        elif left:
            files.append(LostFile(path, len(left), is_there=False))
    return files, rounds


def _loaded(tree: Tree, paths: Iterable[str], config: Config) -> list[LoadedFile]:
    """Those of the attestation files at ``paths`` that are there and can be read."""
    present = (path for path in paths if tree.kind(path) is not None)
    files = (load(tree, path, config.document_bytes) for path in present)
    return [loaded for loaded in files if loaded.file]


def _by_id(rounds: Iterable[StoredRound]) -> dict[str | None, list[StoredRound]]:
    found: dict[str | None, list[StoredRound]] = {}
    for stored in rounds:
        found.setdefault(stored.round.evaluation_id, []).append(stored)
    return found


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
