"""The artifact that a round judged: where it is, and whether it is still that (design, 3.4)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

RoundKey: TypeAlias = tuple[str, str]
"""A round, by the path of its file and its pointer there."""


class ArtifactState(StrEnum):
    """How the bytes that a round judged stand to the tree."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    MOVED = "moved"
    UNKNOWN = "unknown"
    MISSING = "missing"


class Artifact(NamedTuple):
    """What became of one round's artifact.

    ``path`` is where it is now, or was looked for. ``refused`` says why its path was not
    followed at all (the state is then unknown). ``commit`` names the version that a superseded
    one matches; None where the round was published before and so not searched for.
    ``line_ends`` says that the bytes differ in nothing but line ends. ``newest`` marks the
    newest round of this artifact.
    """

    state: ArtifactState
    path: str
    refused: str | None = None
    commit: str | None = None
    line_ends: bool = False
    newest: bool = True
