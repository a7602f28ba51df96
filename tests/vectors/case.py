"""What a vector is made of, and small changes to honest rounds. Nothing here imports kattest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from tests.support import rounds
from tests.support.rounds import ARTIFACT, NULL, RATIONALES, make_round, sha256

FILE = ".judge-attestations.json"
R = "/evaluations/0"  # the first round of a file
A = f"{R}/attestations"
ARTIFACT_2 = ARTIFACT + b"\nIt also says what it left out.\n"
ARTIFACT_3 = ARTIFACT_2 + b"\nAnd why.\n"
NOTHING: Mapping[str, Any] = MappingProxyType({})
REMOVED = object()  # as a new value: the member or element goes

Round: TypeAlias = dict[str, Any]
Files: TypeAlias = Mapping[str, bytes]


class Expected(NamedTuple):
    """One finding that a check must give."""

    code: str
    pointer: str
    path: str = FILE


class World(NamedTuple):
    """Everything that a check is given. ``kinds`` names what is not a regular file.

    ``base`` is the published state, ``parents`` are others that the tree grew from, with their
    names. ``copies`` are further files of the tree, each with the one that has its bytes: names
    that some systems could not hold beside each other. ``as_of`` is the moment to judge at, in RFC
    3339: 2026-03-02T00:00:00Z unless it is given.
    """

    tree: Files
    history: tuple[tuple[str, Files], ...] = ()
    base: Files | None = None
    parents: tuple[tuple[str, Files], ...] = ()
    kinds: Mapping[str, str] = NOTHING
    copies: Mapping[str, str] = NOTHING
    config: str | None = None
    as_of: str | None = None

    def adding(self, files: Files) -> World:
        return self._replace(tree={**self.tree, **files})

    def since(self, published: World | Files) -> World:
        """This world compared with a published state."""
        files = published.tree if isinstance(published, World) else published
        return self._replace(base=files)

    def merging(self, **parents: World) -> World:
        """This world as what was made of some others."""
        return self._replace(parents=tuple((name, one.tree) for name, one in parents.items()))

    def after(self, *older: Files) -> World:
        """This world with a history, newest version first."""
        commits = tuple((f"v{len(older) - number}", files) for number, files in enumerate(older))
        return self._replace(history=commits)


class Case(NamedTuple):
    """One vector. A place that is only a pointer is a finding of the case's own rule, in FILE."""

    name: str
    why: str
    world: World
    places: tuple[str | Expected, ...]
    fails: bool

    def expected(self, code: str) -> list[Expected]:
        found = [
            Expected(code, place) if isinstance(place, str) else place for place in self.places
        ]
        return sorted(found, key=lambda e: (e.path, e.pointer, e.code))


Cases: TypeAlias = Mapping[str, tuple[Case, ...]]


def passes(name: str, why: str, world: World, *others: Expected) -> Case:
    """A case in which the rule is content; ``others`` are the findings of other rules."""
    return Case(name, why, world, others, fails=False)


def fails(name: str, why: str, world: World, *places: str | Expected) -> Case:
    """A case in which the rule finds a fault at each of ``places`` that is only a pointer."""
    return Case(name, why, world, places, fails=True)


def document(data: bytes, artifact: bytes = ARTIFACT) -> World:
    """An attestation file with these bytes at the top, beside its artifact."""
    return World({FILE: data, "SKILL.md": artifact})


def judged(*made: Round, artifact: bytes = ARTIFACT) -> World:
    """An attestation file with these rounds at the top, beside its artifact."""
    return document(dumps(*made), artifact)


def dumps(*made: Round) -> bytes:
    """An attestation file with these rounds, their ``lexeme``s spelled out."""
    return re.sub(rb'"@number ([^@"]+)@"', rb"\1", rounds.dumps(*made))


def lexeme(text: str) -> str:
    """A number that ``dumps`` writes exactly so."""
    return f"@number {text}@"


def replaced(data: bytes, old: str, new: str | bytes) -> bytes:
    """``data`` with its one ``old`` replaced."""
    if data.count(old.encode()) != 1:
        raise ValueError(f"{old!r} is not there exactly once")
    return data.replace(old.encode(), new.encode() if isinstance(new, str) else new)


def edited(round_: Round, changes: Mapping[str, Any]) -> Round:
    """A copy of ``round_`` with new values at these pointers; hashes stay as they were."""
    copy = deepcopy(round_)
    for pointer, value in changes.items():
        *parents, last = pointer.removeprefix("/").split("/")
        inside: Any = copy
        for token in parents:
            inside = inside[_key(inside, token)]
        if value is REMOVED:
            del inside[_key(inside, last)]
        else:
            inside[_key(inside, last)] = deepcopy(value)
    return copy


def chosen(round_: Round, *seats: int) -> Round:
    """A copy of ``round_`` with these of its attestations, in this order, as they were."""
    made = round_["attestations"]
    return edited(round_, {"/attestations": [deepcopy(made[seat]) for seat in seats]})


def resealed(round_: Round, *, bare: bool = False) -> Round:
    """A copy of ``round_`` recorded anew as it stands: times, evaluation hashes and links."""
    copy = deepcopy(round_)
    artifact_hash = copy["artifact_hash"]
    text = artifact_hash.removeprefix("sha256:") if bare else artifact_hash
    previous = "sha256:" + NULL
    for number, made in enumerate(copy["attestations"], start=1):
        score = str(made["score"]).removeprefix("@number ").removesuffix("@")
        parts = (made["judge_id"], text, score, made["rationale_summary"])
        made["evaluation_hash"] = "sha256:" + sha256("|".join(parts))
        made["previous_attestation_hash"] = previous
        made["timestamp"] = f"2026-03-01T12:{number // 2:02}:{number % 2 * 30:02}Z"
        previous = made["evaluation_hash"]
    return copy


def at_times(
    stamps: Iterable[str],
    started: str = "2026-03-01T12:00:00Z",
    completed: str = "2026-03-01T12:05:00Z",
) -> Round:
    """An honest round but for its times, which are in no hash."""
    changes = {f"/attestations/{seat}/timestamp": stamp for seat, stamp in enumerate(stamps)}
    return edited(make_round(), {**changes, "/started_at": started, "/completed_at": completed})


def on_day(day: int, round_: Round) -> Round:
    """A copy of ``round_``, judged on this day of March."""
    date = f"2026-03-{day:02}"
    changes = {
        f"/attestations/{seat}/timestamp": made["timestamp"].replace("2026-03-01", date)
        for seat, made in enumerate(round_["attestations"])
    }
    changes |= {"/started_at": f"{date}T12:00:00Z", "/completed_at": f"{date}T12:05:00Z"}
    return edited(round_, changes)


def saying(seat: int, rationale: str, **choices: Any) -> Round:
    """An honest round in which the judge of ``seat`` gives this rationale."""
    said = tuple(rationale if seat == number else text for number, text in enumerate(RATIONALES))
    return make_round(rationales=said, **choices)


def _key(inside: Any, token: str) -> str | int:
    return int(token) if isinstance(inside, list) else token.replace("~1", "/").replace("~0", "~")
