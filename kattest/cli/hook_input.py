"""What git tells its hooks of a push, and what pre-commit and prek tell of it instead."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kattest.errors import UsageError
from kattest.sources.commits import Update
from kattest.sources.database import Database
from kattest.text import quote

_REMOTE_NAME = "PRE_COMMIT_REMOTE_NAME"


class Push(NamedTuple):
    """A reference that is pushed. ``also`` are other commits that it replaces, as far as known."""

    update: Update
    also: Sequence[str] = ()


def sent() -> list[Push]:
    """What git tells a pre-push hook. Raises UsageError where that is nothing that git writes."""
    return [Push(update) for update in _updates(_sent)]


def received() -> list[Update]:
    """What git tells a pre-receive hook. Raises UsageError as ``sent`` does."""
    return _updates(_received)


def update_of(ref: str, old: str, new: str) -> Update:
    """A reference with its two ids, of which all zeros stand for none."""
    return Update(ref, old if old.strip("0") else None, new if new.strip("0") else None)


def is_in_framework() -> bool:
    """Whether pre-commit or prek runs this, which take a hook's standard input for themselves."""
    return "PRE_COMMIT" in os.environ


def framework_remote() -> str:
    """The remote that pre-commit and prek name; empty where they do not."""
    return os.environ.get(_REMOTE_NAME, "")


def framework_push(database: Database) -> Push:
    """What pre-commit and prek say of a push: of its first reference alone.

    They name a commit that the new ones follow: what the reference had, where that is known here,
    else the newest that the remote has. What was last seen of the reference is compared too. Where
    a root is pushed they name none; run by hand, nothing at all: then it is HEAD.
    """
    told = os.environ.get
    new = told("PRE_COMMIT_TO_REF") or told("PRE_COMMIT_LOCAL_BRANCH") or "HEAD"
    branch = told("PRE_COMMIT_REMOTE_BRANCH", "")
    tracking = f"refs/remotes/{framework_remote()}/{branch.removeprefix('refs/heads/')}"
    seen = database.find(tracking)
    update = Update(branch or new, told("PRE_COMMIT_FROM_REF") or None, new)
    return Push(update, (seen,) if seen else ())


def _updates(parse: Callable[[str], Update]) -> list[Update]:
    """What git writes to a hook's standard input, line by line."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("this hook reads what git tells it", "let git run it, in a push")
    data = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    return [parse(line) for line in data.split("\n") if line]


def _sent(line: str) -> Update:
    """One line for pre-push: what is pushed, its id, the reference there, and its id there."""
    _, new, ref, old = _fields(line, line.rsplit(" ", 3), 4)
    return update_of(ref, old, new)


def _received(line: str) -> Update:
    """One line for pre-receive: the old id, the new one, and the reference."""
    old, new, ref = _fields(line, line.split(" ", 2), 3)
    return update_of(ref, old, new)


def _fields(line: str, fields: list[str], number: int) -> list[str]:
    if len(fields) != number:
        raise UsageError(f"{quote(line)} is not what git writes here", "let git run this hook")
    return fields
