"""Judging a push: reference by reference, each of them whatever the others came to."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeAlias

import typer

from kattest.cli import hook_input
from kattest.cli.hook_input import Push
from kattest.cli.judging import Choices, current_folder, judge, moment_given
from kattest.cli.output import complain, emit, wants_colour
from kattest.cli.progress import Progress
from kattest.cli.status import ExitStatus
from kattest.config import FILE_NAME, Config
from kattest.errors import KattestError
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.sources.commits import Update, open_commit_tree, open_update
from kattest.sources.repository import Repository
from kattest.sources.source import Source, require_repository, trusted_by
from kattest.text import escape
from kattest.trust import trusted_config

_Key: TypeAlias = tuple[object, ...]


def judge_sent(remote: str) -> None:
    """Judge what git tells a pre-push hook that it sends to ``remote``, or a framework says.

    Leaves with the worst of the references' exit statuses, where one is not clean.
    """
    repository = require_repository(current_folder())
    pushes = hook_input.sent()
    if not pushes and not hook_input.is_in_framework():
        emit("nothing is pushed, so there is nothing to check\n")
        return
    if not pushes:
        pushes = [hook_input.framework_push(repository.database)]
        remote = hook_input.framework_remote()
    judge_one = _Judge(repository, _remote_tips(repository, remote))
    _finish(repository, [judge_one.pushed(push) for push in pushes])


def judge_received() -> None:
    """Judge what git tells a pre-receive hook: all of it, before any of it is published."""
    _receive(hook_input.received())


def judge_update(ref: str, old: str, new: str) -> None:
    """Judge what git tells an update hook of one reference."""
    _receive([hook_input.update_of(ref, old, new)])


def _receive(updates: Sequence[Update]) -> None:
    repository = require_repository(current_folder())
    judge_one = _Judge(repository, repository.database.tips("refs/"))
    _finish(repository, [judge_one.received(update) for update in updates])


class _Judge:
    """Judges references of one repository, where everything from ``published`` is known."""

    def __init__(self, repository: Repository, published: Sequence[str]) -> None:
        self._repository = repository
        self._published = published
        self._judged: dict[_Key, tuple[str, ExitStatus]] = {}

    def received(self, update: Update) -> ExitStatus:
        """Judge what a server is about to publish under one reference."""
        if update.new is None:
            return self._deleted(update)
        if update.ref.startswith("refs/replace/"):
            return _refuse(
                update.ref,
                "it would show readers of this repository another object than was checked",
                "push the commits themselves, and no replacements of them",
            )
        return self.pushed(Push(update))

    def pushed(self, push: Push) -> ExitStatus:
        """Judge what a push would make of one reference, and print the report."""
        ref, update = escape(push.update.ref), push.update
        if update.new is None:
            emit(f"{ref}: deleted, so there is nothing to check\n")
            return ExitStatus.CLEAN
        progress = Progress()
        try:
            known = (*self._published, *push.also)
            source = open_update(self._repository, update, known, push.also, progress.commits)
            if source is None:
                emit(f"{ref}: not a commit, so there is nothing to check\n")
                return ExitStatus.CLEAN
            return self._once(ref, source, progress)
        except KattestError as error:
            complain(f"{update.ref}: {error.message}", error.remedy)
            return ExitStatus.COULD_NOT_CHECK
        finally:
            progress.close()

    def _once(self, ref: str, source: Source, progress: Progress) -> ExitStatus:
        """Judge a source, if not one just like it was judged before: many tags of one commit."""
        bases = ((base.commit, base.is_published) for base in source.bases)
        key = (source.info.rev, *bases, *(step.commit for step in source.steps))
        if key in self._judged:
            first, status = self._judged[key]
            emit(f"{ref}: the same as {first}\n")
            return status
        choices = Choices(moment=moment_given(None))
        report = judge(source, trusted_by(source), choices, progress.records)
        colour = wants_colour(sys.stdout)
        emit(f"{ref}:\n{text_report.render(report, colour=colour, detail=Detail.BRIEF)}")
        status = ExitStatus.CLEAN if report.ok else ExitStatus.FINDINGS
        self._judged[key] = ref, status
        return status

    def _deleted(self, update: Update) -> ExitStatus:
        """Refuse to delete what the configuration of its last commit protects."""
        try:
            tree = open_commit_tree(self._repository, update.old or "")
            config = trusted_config(tree, None, "").config if tree else Config()
        except KattestError as error:
            complain(f"{update.ref}: {error.message}", error.remedy)
            return ExitStatus.COULD_NOT_CHECK
        if config.protects(update.ref):
            return _refuse(
                update.ref,
                f"its {FILE_NAME} protects it from being deleted (history.protect)",
                "change that on this branch first, or ask whoever runs the server",
            )
        emit(f"{escape(update.ref)}: deleted, so there is nothing to check\n")
        return ExitStatus.CLEAN


def _refuse(ref: str, reason: str, remedy: str) -> ExitStatus:
    complain(f"{ref} is refused: {reason}", remedy)
    return ExitStatus.FINDINGS


def _finish(repository: Repository, statuses: Sequence[ExitStatus]) -> None:
    repository.database.close()
    worst = max(statuses, default=ExitStatus.CLEAN)
    if worst is not ExitStatus.CLEAN:
        raise typer.Exit(worst)


def _remote_tips(repository: Repository, remote: str) -> Sequence[str]:
    """What a remote is known to have; every remote, where this one has no name."""
    of_it = repository.database.tips(f"refs/remotes/{remote}/") if remote else ()
    return of_it or repository.database.tips("refs/remotes/")
