"""Paths that documents name: which are followed, and how they are compared (design, 3.4)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_LONGEST_COMPOSED = 1000  # characters: composing takes time with the square of their number
LONGEST_PATH = 4096  # characters: no system opens a longer one

# What most paths are made of, and none that is refused.
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*+(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*+)*+")
_DRIVE = re.compile(r"[A-Za-z]:")


def path_refusal(path: str) -> str | None:
    """Why ``path`` is not followed, or None where it is a plain relative path."""
    if _PLAIN.fullmatch(path) and len(path) <= LONGEST_PATH:
        return None
    if len(path) > LONGEST_PATH:
        return f"it is longer than {LONGEST_PATH} characters"
    parts = path.split("/")
    reasons = (
        ("\0" in path, "it holds a NUL character"),
        ("\\" in path, "it holds a backslash"),
        (path.startswith("/"), "it is absolute"),
        (_DRIVE.match(path) is not None, "it begins with a drive letter"),
        (".." in parts, "it climbs out of its folder"),
        (_enters_git(parts), "it leads into a git directory"),
        (not plain_path(path), "it names no file"),
    )
    return next((reason for holds, reason in reasons if holds), None)


def blind(path: str) -> str:
    """``path`` as systems compare it that know neither letter case nor Unicode composition (NFC).

    Two paths of which this is the same are one file there.
    """
    if path.isascii() or len(path) > _LONGEST_COMPOSED:
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def plain_path(path: str) -> str:
    """``path`` without empty and ``.`` parts."""
    return "/".join(part for part in path.split("/") if part not in {"", "."})


def _enters_git(parts: Iterable[str]) -> bool:
    # A path can have thousands of parts, and few different ones.
    return any(_is_git_folder(part) for part in {*parts})


def _is_git_folder(part: str) -> bool:
    # Windows drops trailing dots and spaces and shortens names; macOS ignores some characters.
    visible = "".join(c for c in part if not "\u200b" <= c <= "\u206f" and c != "\ufeff")
    return visible.partition(":")[0].rstrip(". ").casefold() in {".git", "git~1"}
