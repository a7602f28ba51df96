"""``kattest hook``: what git's hooks run, and putting them in place."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kattest.cli.judging import Choices, current_folder, judge, open_local, trusted_by
from kattest.cli.output import complain, emit, wants_colour
from kattest.cli.progress import Progress
from kattest.cli.status import ExitStatus
from kattest.config import FILE_NAME, Config
from kattest.errors import KattestError, UsageError
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.text import escape, quote
from kattest.trust import trusted_config

if TYPE_CHECKING:
    from kattest.sources.commits import Update
    from kattest.sources.hooks import Change, Hook
    from kattest.sources.repository import Repository

app = typer.Typer(
    name="hook",
    help="Run as a git hook (git and the hooks' frameworks do that), or install one.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_REMOTE_NAME = "PRE_COMMIT_REMOTE_NAME"
_LOCAL = ("pre-commit", "pre-merge-commit", "pre-push")
_SERVER = ("pre-receive",)
_Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[HOOK]...",
        help="pre-commit, pre-merge-commit, pre-push; pre-receive or update on a server. By "
        "default the first three, in a bare repository pre-receive.",
        show_default=False,
    ),
]


@app.command("install")
def install(names: _Names = None) -> None:
    """Install hooks where git looks for them.

    A hook that is there already stays: it runs before ours.
    """
    # Start-up: the hooks themselves do not need it.
    from importlib.resources import files  # noqa: PLC0415

    from kattest.sources import hooks  # noqa: PLC0415

    script = (files("kattest.cli") / "hook.sh").read_text("utf-8")
    program = Path(sys.executable).with_name("kattest")
    _change(
        names,
        lambda folder, hook: hooks.install(
            folder, hook, script, program if program.exists() else None
        ),
    )


@app.command("uninstall")
def uninstall(names: _Names = None) -> None:
    """Remove our hooks, and give back those that were there before."""
    from kattest.sources import hooks  # noqa: PLC0415 - as in ``install``

    _change(names, hooks.uninstall)


def _change(names: list[str] | None, change: "Callable[[Path, Hook], Change]") -> None:
    from kattest.sources.hooks import Hook, hooks_folder  # noqa: PLC0415 - as in ``install``

    repository = _repository()
    known = [*Hook]
    for name in names or ():
        if name not in known:
            raise UsageError(f"kattest has no hook {name}", f"name one of {', '.join(known)}")
    chosen = names or (_SERVER if repository.top is None else _LOCAL)
    folder = hooks_folder(repository)
    for name in chosen:
        file, outcome = change(folder, Hook(name))
        emit(f"{escape(str(file))}: {outcome.value}\n")


@app.command("pre-commit")
def pre_commit() -> None:
    """Check what the commit being made would hold."""
    _judge_commit()


@app.command("pre-merge-commit")
def pre_merge_commit() -> None:
    """Check what the merge being made would hold."""
    _judge_commit()


def _judge_commit() -> None:
    from kattest.sources.local import open_index  # noqa: PLC0415 - start-up, as in ``verify``

    progress = Progress()
    folder = current_folder()
    try:
        source, trusted = open_local(
            lambda base: open_index(folder, base, progress.commits), None, None
        )
        report = judge(source, trusted, Choices(), progress.records)
    finally:
        progress.close()
    colour = wants_colour(sys.stdout)
    emit(text_report.render(report, colour=colour, detail=Detail.NORMAL))
    if not report.ok:
        raise typer.Exit(ExitStatus.FINDINGS)


@app.command("pre-push")
def pre_push(
    remote: Annotated[str, typer.Argument(help="The remote's name, as git gives it.")] = "",
    url: Annotated[str, typer.Argument(help="Its address.")] = "",  # noqa: ARG001 - git gives it
) -> None:
    """Check each commit that is pushed, against what the remote has.

    Reads from standard input what git writes there; under pre-commit and prek, which take that for
    themselves, the environment.
    """
    repository = _repository()
    pushes = [_Push(update) for update in _updates(_pushed)]
    if pushes:
        published = _remote_tips(repository, remote)
    elif "PRE_COMMIT" in os.environ:
        push = _told_by_framework(repository)
        pushes, published = [push], _remote_tips(repository, os.environ.get(_REMOTE_NAME, ""))
    else:
        emit("nothing is pushed, so there is nothing to check\n")
        return
    _finish([_judge_push(repository, push, published) for push in pushes])


@app.command("pre-receive")
def pre_receive() -> None:
    """Check each commit that is received, before any reference changes.

    Reads from standard input what git writes there.
    """
    _receive(_updates(_received))


@app.command("update")
def update(ref: str, old: str, new: str) -> None:
    """Check what one reference is about to become."""
    _receive([_update(ref, old, new)])


def _receive(updates: "Sequence[Update]") -> None:
    """Judge what a server is about to publish: all of it, before it refuses any."""
    repository = _repository()
    published = repository.database.tips("refs/")
    statuses = [
        _judge_deletion(repository, update)
        if update.new is None
        else _judge_push(repository, _Push(update), published)
        for update in updates
    ]
    _finish(statuses)


class _Push(NamedTuple):
    """A reference that is pushed. ``also`` are other commits that it replaces, as far as known."""

    update: "Update"
    also: Sequence[str] = ()


def _judge_push(repository: "Repository", push: _Push, published: Sequence[str]) -> ExitStatus:
    """Judge one reference, and print the report."""
    from kattest.sources.commits import open_update  # noqa: PLC0415 - start-up, as in ``verify``

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
        report = judge(source, trusted_by(source), Choices(), progress.records)
    except KattestError as error:
        complain(f"{push.update.ref}: {error.message}", error.remedy)
        return ExitStatus.COULD_NOT_CHECK
    finally:
        progress.close()
    colour = wants_colour(sys.stdout)
    emit(f"{ref}:\n{text_report.render(report, colour=colour, detail=Detail.BRIEF)}")
    return ExitStatus.CLEAN if report.ok else ExitStatus.FINDINGS


def _judge_deletion(repository: "Repository", update: "Update") -> ExitStatus:
    """Refuse to delete what the configuration of its last commit protects."""
    from kattest.sources.commits import open_commit_tree  # noqa: PLC0415 - as in ``_judge_push``

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


def _remote_tips(repository: "Repository", remote: str) -> Sequence[str]:
    """What a remote is known to have; every remote, where this one has no name."""
    of_it = repository.database.tips(f"refs/remotes/{remote}/") if remote else ()
    return of_it or repository.database.tips("refs/remotes/")


def _told_by_framework(repository: "Repository") -> _Push:
    """What pre-commit and prek say of a push: of its first reference alone.

    They name a commit that the new ones follow: what the reference had, where that is known here,
    else the newest that the remote has. What was last seen of the reference is compared too. Where
    a root is pushed they name none; run by hand, nothing at all: then it is HEAD.
    """
    from kattest.sources.commits import Update  # noqa: PLC0415 - as in ``_judge_push``

    told = os.environ.get
    new = told("PRE_COMMIT_TO_REF") or told("PRE_COMMIT_LOCAL_BRANCH") or "HEAD"
    branch = told("PRE_COMMIT_REMOTE_BRANCH", "")
    tracking = f"refs/remotes/{told(_REMOTE_NAME)}/{branch.removeprefix('refs/heads/')}"
    seen = repository.database.find(tracking)
    update = Update(branch or new, told("PRE_COMMIT_FROM_REF") or None, new)
    return _Push(update, (seen,) if seen else ())


def _updates(parse: "Callable[[str], Update]") -> "list[Update]":
    """What git writes to a hook's standard input, line by line."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("this hook reads what git tells it", "let git run it, in a push")
    data = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    return [parse(line) for line in data.split("\n") if line]


def _pushed(line: str) -> "Update":
    """One line for pre-push: what is pushed, its id, the reference there, and its id there."""
    _, new, ref, old = _fields(line, line.rsplit(" ", 3), 4)
    return _update(ref, old, new)


def _received(line: str) -> "Update":
    """One line for pre-receive: the old id, the new one, and the reference."""
    old, new, ref = _fields(line, line.split(" ", 2), 3)
    return _update(ref, old, new)


def _fields(line: str, fields: list[str], number: int) -> list[str]:
    if len(fields) != number:
        raise UsageError(f"{quote(line)} is not what git writes here", "let git run this hook")
    return fields


def _update(ref: str, old: str, new: str) -> "Update":
    from kattest.sources.commits import Update  # noqa: PLC0415 - as in ``_judge_push``

    return Update(ref, old if old.strip("0") else None, new if new.strip("0") else None)


def _repository() -> "Repository":
    from kattest.sources.source import require_repository  # noqa: PLC0415 - as in ``_judge_push``

    return require_repository(current_folder())
