"""Find the artifact of every round: in the tree, moved in it, or in its history (design, 3.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from kattest.attestation.artifact import (
    Artifact,
    ArtifactState,
    RoundKey,
)
from kattest.attestation.model import FILE_NAME, AttestationFile, Round
from kattest.digest import line_end_hexes
from kattest.instant import Instant
from kattest.paths import blind, path_refusal, plain_path
from kattest.text import quote
from kattest.tree import Beside, History, Kind, Tree, Wanted

_Place: TypeAlias = tuple[str, ...]
"""An artifact: the path of its file, or the paths where it was looked for in vain."""

_LARGEST_TEXT = 8 * 1024 * 1024  # bytes of an artifact that is compared but for line ends
_BEFORE_ALL = Instant(-(10**12))


def artifact_states(
    files: Iterable[AttestationFile],
    tree: Tree,
    history: History,
    is_searched: Callable[[RoundKey, Round], bool],
) -> dict[RoundKey, Artifact]:
    """The state of every round's artifact; none for a round without a path or a digest.

    ``is_searched`` says of a round that does not match the tree whether to search the history
    for it. One that is not searched for counts as superseded.

    Raises ShallowHistoryError where the history ends before a wanted version is found.
    """
    contents = _Contents(tree)
    states: dict[RoundKey, Artifact] = {}
    followed: list[_Case] = []
    for case in (case for file in files for case in _cases(file)):
        refused = case.refused or contents.refusal(case)
        if refused:
            states[case.key] = Artifact(ArtifactState.UNKNOWN, case.paths[0], refused)
        else:
            followed.append(case)
    stale: list[tuple[_Case, Artifact]] = []
    for place, group in _by_place(followed, contents).items():
        for case, artifact in _look(place, group, contents):
            if artifact.state is ArtifactState.SUPERSEDED:
                stale.append((case, artifact))
            states[case.key] = artifact
    states.update(_look_back(stale, history, is_searched))
    return states


def artifact_paths(file_path: str, round_: Round) -> tuple[str, ...]:
    """Where the artifact of a round is looked up: from the top, then from the file's folder."""
    plain = plain_path(round_.artifact_path or "")
    folder = file_path.rpartition("/")[0]
    return (plain, f"{folder}/{plain}") if folder else (plain,)


class _Case(NamedTuple):
    """A round with a path and a digest to look for, and the places where it may be."""

    key: RoundKey
    order: int
    round: Round
    folder: str
    paths: tuple[str, ...]
    hex: str
    refused: str | None

    @property
    def ended(self) -> tuple[Instant, str, int]:
        """Sorts rounds by when they ended, those without a time first, then as they stand."""
        stamps = (self.round.completed_at, *(a.timestamp for a in self.round.attestations))
        instants = (stamp.instant for stamp in stamps if stamp and stamp.instant)
        return max(instants, default=_BEFORE_ALL), self.key[0], self.order

    @property
    def namesake(self) -> str:
        """The path of a file with the artifact's name beside the attestation file."""
        name = self.paths[0].rpartition("/")[2]
        return f"{self.folder}/{name}" if self.folder else name


def _cases(file: AttestationFile) -> Iterator[_Case]:
    for order, round_ in enumerate(file.rounds):
        path, digest = round_.artifact_path, round_.artifact_hash
        if path is None or digest is None or digest.hex is None:
            continue
        yield _Case(
            key=(file.path, round_.pointer),
            order=order,
            round=round_,
            folder=file.folder,
            paths=artifact_paths(file.path, round_),
            hex=digest.hex,
            refused=path_refusal(path),
        )


class _Contents:
    """The files of a tree by what they hold, each read at most once for each question."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._hexes: dict[str, frozenset[str]] = {}
        self._line_end_hexes: dict[str, frozenset[str]] = {}
        self._by_hex: dict[str, str] | None = None
        self._by_folder: dict[tuple[str, str], str] = {}
        self._twins: dict[str, list[str]] | None = None

    def is_file(self, path: str) -> bool:
        """Whether a regular file is at ``path``."""
        return self._tree.kind(path) is Kind.FILE

    def file_at(self, place: _Place) -> str | None:
        """The file of an artifact that is in the tree; None where it is not."""
        return place[0] if self.is_file(place[0]) else None

    def holds(self, path: str, wanted: str) -> bool:
        """Whether the regular file at ``path`` is known by the digest ``wanted``."""
        return wanted in self._hexes_of(path)

    def match(self, case: _Case) -> str | None:
        """The first of the round's paths where the bytes that it judged are."""
        files = (path for path in case.paths if self.is_file(path))
        return next((path for path in files if self.holds(path, case.hex)), None)

    def refusal(self, case: _Case) -> str | None:
        """Why the round's path is not followed: a symlink or the like is where it first leads."""
        for path in case.paths:
            if self.is_file(path) and (twin := self._twin(path)):
                return f"systems that know no letter case take {quote(twin)} for the same file"
            for end in (*(match.start() for match in re.finditer("/", path)), len(path)):
                kind = self._tree.kind(path[:end])
                if kind is not None and kind is not Kind.FILE:
                    return f"{quote(path[:end])} is a {kind.value}"
            if self.is_file(path):
                return None
        return None

    def _twin(self, path: str) -> str | None:
        """Another file that some systems take for the one at ``path``."""
        if self._twins is None:
            self._twins = {}
            for one in self._tree.paths():
                self._twins.setdefault(blind(one), []).append(one)
        return next((twin for twin in self._twins[blind(path)] if twin != path), None)

    def find(self, wanted: str, folder: str) -> str | None:
        """A file with these bytes: in ``folder`` if there is one, else anywhere in the tree."""
        if self._by_hex is None:
            self._by_hex, self._by_folder = {}, {}
            for path in self._tree.paths():
                for digest in self._hexes_of(path) if self.is_file(path) else ():
                    self._by_hex.setdefault(digest, path)
                    self._by_folder.setdefault((digest, path.rpartition("/")[0]), path)
        return self._by_folder.get((wanted, folder)) or self._by_hex.get(wanted)

    def differs_in_line_ends(self, path: str, wanted: str) -> bool:
        """Whether the file at ``path`` is the wanted one but for its line ends."""
        if path not in self._line_end_hexes:
            is_text_sized = self._tree.size(path) <= _LARGEST_TEXT
            data = self._tree.read(path) if is_text_sized else b""
            self._line_end_hexes[path] = frozenset(line_end_hexes(data))
        return wanted in self._line_end_hexes[path]

    def _hexes_of(self, path: str) -> frozenset[str]:
        if path not in self._hexes:
            self._hexes[path] = self._tree.hexes(path)
        return self._hexes[path]


def _by_place(cases: Iterable[_Case], contents: _Contents) -> dict[_Place, list[_Case]]:
    """The rounds of each artifact, newest first, by where the artifact is or was looked for.

    A path means the file that matches. Where none does, it means the file that a later round of
    the same paths matches, else the first that is there: a file of the same name elsewhere is
    another artifact.
    """
    matches: dict[tuple[str, ...], str] = {}
    groups: dict[_Place, list[_Case]] = {}
    for case in sorted(cases, key=lambda case: case.ended, reverse=True):
        match = contents.match(case)
        if match:
            matches.setdefault(case.paths, match)
        files = (path for path in case.paths if contents.is_file(path))
        file = match or matches.get(case.paths) or next(files, None)
        groups.setdefault((file,) if file else case.paths, []).append(case)
    return _joined(groups, contents)


def _joined(groups: dict[_Place, list[_Case]], contents: _Contents) -> dict[_Place, list[_Case]]:
    """``groups``, with the rounds of a renamed folder's artifact put to those that follow them.

    When a skill's folder is renamed, its old rounds go on naming the old path. Once a later round
    of the same attestation file has judged the file of that name beside it, they are that
    artifact's, and superseded by it.
    """
    newest: dict[tuple[str, str], _Case] = {}
    for place, group in groups.items():
        for case in group if contents.file_at(place) else ():
            newest.setdefault((place[0], case.key[0]), case)
    joined: dict[_Place, list[_Case]] = {}
    for place, group in groups.items():
        for case in group:
            heir = None if contents.file_at(place) else newest.get((case.namesake, case.key[0]))
            is_followed = heir is not None and heir.ended > case.ended
            joined.setdefault((case.namesake,) if is_followed else place, []).append(case)
    return joined


def _look(
    place: _Place, group: Sequence[_Case], contents: _Contents
) -> Iterator[tuple[_Case, Artifact]]:
    """The state of each round of one artifact.

    One whose bytes are not there is called superseded until the history has been asked. Where
    the path is gone and the newest round's bytes are elsewhere, the artifact moved there, for
    the older rounds too: they have simply been superseded since.
    """
    newest = max(group, key=lambda case: case.ended)
    file = contents.file_at(place)
    moved_to = None if file else contents.find(newest.hex, newest.folder)
    for case in group:
        here = file or moved_to
        if here is None:
            here = contents.find(case.hex, case.folder)
            state = ArtifactState.MOVED if here else ArtifactState.MISSING
        elif contents.holds(here, case.hex):
            state = ArtifactState.CURRENT if here in case.paths else ArtifactState.MOVED
        else:
            state = ArtifactState.SUPERSEDED
        yield (
            case,
            Artifact(
                state,
                here or case.paths[0],
                line_ends=state is ArtifactState.SUPERSEDED
                and contents.differs_in_line_ends(here or "", case.hex),
                newest=case is newest,
            ),
        )


def _wanted(case: _Case, artifact: Artifact) -> Wanted:
    """The version that a round judged, and where it may have been.

    Where the round says, where its artifact is now, or beside its file when that was elsewhere.
    """
    paths = tuple(dict.fromkeys((*case.paths, artifact.path)))
    name = case.round.evaluation_id
    beside = None if name is None else Beside(FILE_NAME, f'"{name}"'.encode(), case.paths[0])
    return Wanted(paths, case.hex, beside)


def _look_back(
    stale: Sequence[tuple[_Case, Artifact]],
    history: History,
    is_searched: Callable[[RoundKey, Round], bool],
) -> Iterator[tuple[RoundKey, Artifact]]:
    """What the history says of rounds whose bytes are no longer in the tree."""
    searched = [
        (case.key, artifact, _wanted(case, artifact))
        for case, artifact in stale
        if is_searched(case.key, case.round)
    ]
    found = history.find(frozenset(wanted for *_, wanted in searched)) if searched else {}
    for key, artifact, version in searched:
        commit = found.get(version)
        state = ArtifactState.UNKNOWN if commit is None else ArtifactState.SUPERSEDED
        yield key, artifact._replace(state=state, commit=commit)
