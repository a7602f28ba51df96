"""What git's hooks are told of a push, and judging it: reference by reference.

Of a push that was refused nothing may be published, so each of them is judged, whatever the others
came to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import typer

from kattest.cli.judging import Choices, current_folder, judge, moment_given, trusted_by
from kattest.cli.output import complain, emit, wants_colour
from kattest.cli.progress import Progress
from kattest.cli.status import ExitStatus
from kattest.config import FILE_NAME, Config
from kattest.errors import KattestError, UsageError
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.sources.commits import Update, open_commit_tree, open_update
from kattest.sources.repository import Repository
from kattest.sources.source import require_repository
from kattest.text import escape, quote
from kattest.trust import trusted_config

_REMOTE_NAME = "PRE_COMMIT_REMOTE_NAME"


def judge_sent(remote: str) -> None:
    """Judge what git tells a pre-push hook that it sends to ``remote``, or a framework says.

    Leaves with the worst of their exit statuses, where one is not clean.
    """
    repository = require_repository(current_folder())
    pushes = [_Push(update) for update in _updates(_pushed)]
    if not pushes and "PRE_COMMIT" not in os.environ:
        emit("nothing is pushed, so there is nothing to check\n")
        return
    if not pushes:
        pushes = [_told_by_framework(repository)]
        remote = os.environ.get(_REMOTE_NAME, "")
    published = _remote_tips(repository, remote)
    _finish([_judge_push(repository, push, published) for push in pushes])


def judge_received() -> None:
    """Judge what git tells a pre-receive hook: all of it, before any of it is published."""
    _receive(_updates(_received))


def judge_update(ref: str, old: str, new: str) -> None:
    """Judge what git tells an update hook of one reference."""
    _receive([_update(ref, old, new)])


def _judge_replacement(update: Update) -> ExitStatus:
    """Refuse what would show readers of this repository other objects than those checked."""
    ref = escape(update.ref)
    emit(f"{ref}: a replacement of an object, which would hide what was checked, is not received\n")
    return ExitStatus.FINDINGS


def _receive(updates: Sequence[Update]) -> None:
    repository = require_repository(current_folder())
    published = repository.database.tips("refs/")
    _finish([_judge_received(repository, update, published) for update in updates])


def _judge_received(repository: Repository, update: Update, published: Sequence[str]) -> ExitStatus:
    if update.new is None:
        return _judge_deletion(repository, update)
    if update.ref.startswith("refs/replace/"):
        return _judge_replacement(update)
    return _judge_push(repository, _Push(update), published)


class _Push(NamedTuple):
    """A reference that is pushed. ``also`` are other commits that it replaces, as far as known."""

    update: Update
    also: Sequence[str] = ()


def _judge_push(repository: Repository, push: _Push, published: Sequence[str]) -> ExitStatus:
    """Judge one reference, and print the report."""
    ref = escape(push.update.ref)
    if push.update.new is None:
        emit(f"{ref}: deleted, so there is nothing to check\n")
        return ExitStatus.CLEAN
    progress = Progress()
    try:
        source = open_update(
            repository, push.update, (*published, *push.also), push.also, progress.commits
        )
        if source is None:
            emit(f"{ref}: not a commit, so there is nothing to check\n")
            return ExitStatus.CLEAN
        report = judge(
            source, trusted_by(source), Choices(moment=moment_given(None)), progress.records
        )
    except KattestError as error:
        complain(f"{push.update.ref}: {error.message}", error.remedy)
        return ExitStatus.COULD_NOT_CHECK
    finally:
        progress.close()
    colour = wants_colour(sys.stdout)
    emit(f"{ref}:\n{text_report.render(report, colour=colour, detail=Detail.BRIEF)}")
    return ExitStatus.CLEAN if report.ok else ExitStatus.FINDINGS


def _judge_deletion(repository: Repository, update: Update) -> ExitStatus:
    """Refuse to delete what the configuration of its last commit protects."""
    ref = escape(update.ref)
    try:
        tree = open_commit_tree(repository, update.old or "")
        config = trusted_config(tree, None, "").config if tree else Config()
    except KattestError as error:
        complain(f"{update.ref}: {error.message}", error.remedy)
        return ExitStatus.COULD_NOT_CHECK
    if config.protects(update.ref):
        emit(f"{ref}: protected by history.protect of {FILE_NAME}, so it is not deleted\n")
        return ExitStatus.FINDINGS
    emit(f"{ref}: deleted, so there is nothing to check\n")
    return ExitStatus.CLEAN


def _finish(statuses: Sequence[ExitStatus]) -> None:
    worst = max(statuses, default=ExitStatus.CLEAN)
    if worst is not ExitStatus.CLEAN:
        raise typer.Exit(worst)


def _remote_tips(repository: Repository, remote: str) -> Sequence[str]:
    """What a remote is known to have; every remote, where this one has no name."""
    of_it = repository.database.tips(f"refs/remotes/{remote}/") if remote else ()
    return of_it or repository.database.tips("refs/remotes/")


def _told_by_framework(repository: Repository) -> _Push:
    """What pre-commit and prek say of a push: of its first reference alone.

    They name a commit that the new ones follow: what the reference had, where that is known here,
    else the newest that the remote has. What was last seen of the reference is compared too. Where
    a root is pushed they name none; run by hand, nothing at all: then it is HEAD.
    """
    told = os.environ.get
    new = told("PRE_COMMIT_TO_REF") or told("PRE_COMMIT_LOCAL_BRANCH") or "HEAD"
    branch = told("PRE_COMMIT_REMOTE_BRANCH", "")
    tracking = f"refs/remotes/{told(_REMOTE_NAME)}/{branch.removeprefix('refs/heads/')}"
    seen = repository.database.find(tracking)
    update = Update(branch or new, told("PRE_COMMIT_FROM_REF") or None, new)
    return _Push(update, (seen,) if seen else ())


def _updates(parse: Callable[[str], Update]) -> list[Update]:
    """What git writes to a hook's standard input, line by line."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("this hook reads what git tells it", "let git run it, in a push")
    data = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    return [parse(line) for line in data.split("\n") if line]


def _pushed(line: str) -> Update:
    """One line for pre-push: what is pushed, its id, the reference there, and its id there."""
    _, new, ref, old = _fields(line, line.rsplit(" ", 3), 4)
    return _update(ref, old, new)


def _received(line: str) -> Update:
    """One line for pre-receive: the old id, the new one, and the reference."""
    old, new, ref = _fields(line, line.split(" ", 2), 3)
    return _update(ref, old, new)


def _fields(line: str, fields: list[str], number: int) -> list[str]:
    if len(fields) != number:
        raise UsageError(f"{quote(line)} is not what git writes here", "let git run this hook")
    return fields


def _update(ref: str, old: str, new: str) -> Update:
    return Update(ref, old if old.strip("0") else None, new if new.strip("0") else None)
