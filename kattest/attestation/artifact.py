"""The artifact that a round judged: where it is, and whether it is still that (design, 3.4)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple, TypeAlias

LONGEST_PATH = 4096  # characters: no system opens a longer one

_DRIVE = re.compile(r"[A-Za-z]:")

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


def path_refusal(path: str) -> str | None:
    """Why an artifact path is not followed, or None where it is a plain relative path."""
    if len(path) > LONGEST_PATH:
        return f"it is longer than {LONGEST_PATH} characters"
    parts = path.split("/")
    reasons = (
        ("\0" in path, "it holds a NUL character"),
        ("\\" in path, "it holds a backslash"),
        (path.startswith("/"), "it is absolute"),
        (_DRIVE.match(path) is not None, "it begins with a drive letter"),
        (".." in parts, "it climbs out of its folder"),
        (any(_is_git_folder(part) for part in parts), "it leads into a git directory"),
        (not plain_path(path), "it names no file"),
    )
    return next((reason for holds, reason in reasons if holds), None)


def plain_path(path: str) -> str:
    """``path`` without empty and ``.`` parts."""
    return "/".join(part for part in path.split("/") if part not in {"", "."})


def _is_git_folder(part: str) -> bool:
    # Windows drops trailing dots and spaces and shortens names; macOS ignores some characters.
    visible = "".join(c for c in part if not "\u200b" <= c <= "\u206f" and c != "\ufeff")
    return visible.partition(":")[0].rstrip(". ").casefold() in {".git", "git~1"}
