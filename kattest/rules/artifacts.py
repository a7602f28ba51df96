"""KA110 to KA113 and KA115: whether the artifact is still what was judged (design, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from kattest.attestation.artifact import Artifact, ArtifactState
from kattest.finding import Severity
from kattest.jsondoc import pointer_to
from kattest.paths import path_refusal
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import RoundSubject
from kattest.text import quote


@check(
    "KA110",
    "artifact-unknown",
    what="The bytes a round judged are those of its artifact, now or in some version of the "
    "history. A commit being made is searched for its new rounds only.",
    why="A hash that no version ever had means that the judges saw something which was never part "
    "of this repository, or that the hash was made up.",
    fix="Commit the version that was judged before the round that judged it, or judge the "
    "artifact as it is. After a rewrite of the history, judge it again.",
)
def artifact_unknown(subject: RoundSubject) -> Iterator[Fault]:
    artifact = _in_state(subject, ArtifactState.UNKNOWN)
    if artifact and artifact.refused is None:
        yield Fault(
            f"no version of {quote(artifact.path)} has the bytes that this round judged"
            f"{_line_ends(artifact)}",
            _hash_spot(subject),
            ((Spot(path=artifact.path), "the artifact as it is"),),
        )


@check(
    "KA111",
    "artifact-superseded",
    Severity.WARNING,
    what="The newest round of an artifact judged its present bytes. Older rounds may speak of "
    "older versions.",
    why="The artifact was changed after it was judged: the score is of another version.",
    fix="Judge the artifact again and append the round.",
)
def artifact_superseded(subject: RoundSubject) -> Iterator[Fault]:
    artifact = _in_state(subject, ArtifactState.SUPERSEDED)
    if artifact and artifact.newest:
        version = (
            f"this round judged the version in commit {artifact.commit[:12]}"
            if artifact.commit
            else "this round was published before, so the version it judged was not searched for"
        )
        yield Fault(
            f"{quote(artifact.path)} has changed since it was judged: {version}"
            f"{_line_ends(artifact)}",
            _hash_spot(subject),
            ((Spot(path=artifact.path, commit=artifact.commit), "the version that was judged"),)
            if artifact.commit
            else (),
        )


@check(
    "KA112",
    "artifact-missing",
    what="The artifact of every round is in the tree, at its path or elsewhere.",
    why="A judgement of something that is gone cannot be compared with anything.",
    fix="Restore the artifact, or remove its attestation file together with it.",
)
def artifact_missing(subject: RoundSubject) -> Iterator[Fault]:
    artifact = _in_state(subject, ArtifactState.MISSING)
    if artifact:
        yield Fault(
            f"there is no file {quote(artifact.path)}, neither from the top nor beside this file, "
            "and no file of the tree has the bytes that this round judged",
            _path_spot(subject),
        )


@check(
    "KA113",
    "artifact-path",
    what="An artifact path is relative, stays inside the repository and leads to a regular file: "
    "not absolute, no `..`, no drive letter, no backslash, no NUL, nothing in `.git`, no symlink "
    "or submodule on the way. No other file has a path that differs from it by letter case or "
    "Unicode composition alone.",
    why="A path that leads out of the repository makes the check read, and vouch for, bytes that "
    "are not under version control. And two paths that are one on macOS or Windows show readers "
    "there another file than the one that was judged.",
    fix="Write the path from the top of the repository, or from the attestation file's folder, "
    "with forward slashes. Rename, or remove, one of two files that are called nearly the same.",
)
def artifact_path(subject: RoundSubject) -> Iterator[Fault]:
    path, artifact = subject.round.artifact_path, subject.artifact
    if path is None:
        return
    reason = artifact.refused if artifact else path_refusal(path)
    if reason:
        yield Fault(
            f"the artifact path {quote(path)} is not followed: {reason}", _path_spot(subject)
        )


@check(
    "KA115",
    "artifact-moved",
    Severity.INFO,
    what="The artifact is at the path its round names.",
    why="The file that was judged was renamed or moved since. The judgement still holds, for its "
    "bytes are the same.",
    fix="Nothing has to be done. Name the new path in the next round.",
)
def artifact_moved(subject: RoundSubject) -> Iterator[Fault]:
    artifact = _in_state(subject, ArtifactState.MOVED)
    if artifact:
        yield Fault(
            f"{quote(subject.round.artifact_path or '')} is now {quote(artifact.path)}, with the "
            "same bytes",
            _path_spot(subject),
            ((Spot(path=artifact.path), "the artifact now"),),
        )


def _in_state(subject: RoundSubject, state: ArtifactState) -> Artifact | None:
    artifact = subject.artifact
    return artifact if artifact and artifact.state is state else None


def _line_ends(artifact: Artifact) -> str:
    return " (now only its line ends differ)" if artifact.line_ends else ""


def _hash_spot(subject: RoundSubject) -> Spot:
    return Spot(pointer_to(subject.round.pointer, "artifact_hash"))


def _path_spot(subject: RoundSubject) -> Spot:
    return Spot(pointer_to(subject.round.pointer, "artifact_path"))


CHECKS = (
    artifact_unknown,
    artifact_superseded,
    artifact_missing,
    artifact_path,
    artifact_moved,
)
