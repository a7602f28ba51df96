"""``kattest hook``: what git's hooks run, and putting them in place.

Start-up: each command loads what it needs, and a hook has no need of what installs it.
"""

import sys
from typing import Annotated

import typer

from kattest.cli.judging import Choices, current_folder, judge, moment_given, open_local
from kattest.cli.output import emit, wants_colour
from kattest.cli.progress import Progress
from kattest.cli.status import ExitStatus
from kattest.report import text as text_report
from kattest.report.text import Detail

app = typer.Typer(
    name="hook",
    help="Run as a git hook (git and the hooks' frameworks do that), or install one.",
    short_help="Run as a git hook, or install one.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

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
    from kattest.cli.installing import install_hooks  # noqa: PLC0415 - start-up, see above

    install_hooks(names or ())


@app.command("uninstall")
def uninstall(names: _Names = None) -> None:
    """Remove hooks, and give back those before them."""
    from kattest.cli.installing import uninstall_hooks  # noqa: PLC0415 - start-up, see above

    uninstall_hooks(names or ())


@app.command("pre-commit")
def pre_commit() -> None:
    """Check what the commit would hold."""
    _judge_commit()


@app.command("pre-merge-commit")
def pre_merge_commit() -> None:
    """Check what the merge would hold."""
    _judge_commit()


@app.command("pre-push")
def pre_push(
    remote: Annotated[str, typer.Argument(help="The remote's name, as git gives it.")] = "",
    url: Annotated[str, typer.Argument(help="Its address.")] = "",  # noqa: ARG001 - git gives it
) -> None:
    """Check what a push would publish.

    The whole tree of each reference that is pushed, and what it changes of what the remote has.
    Reads from standard input what git writes there; under pre-commit and prek, which take that for
    themselves, the environment.
    """
    from kattest.cli.pushes import judge_sent  # noqa: PLC0415 - start-up, see above

    judge_sent(remote)


@app.command("pre-receive")
def pre_receive() -> None:
    """Check what a server receives.

    The whole tree of each reference, and what it changes of what is published; before any of them
    changes. Reads from standard input what git writes there.
    """
    from kattest.cli.pushes import judge_received  # noqa: PLC0415 - start-up, see above

    judge_received()


@app.command("update")
def update(
    ref: Annotated[str, typer.Argument(help="The reference, as git gives it.")],
    old: Annotated[str, typer.Argument(help="The id that it has; zeros where it is new.")],
    new: Annotated[str, typer.Argument(help="The id that it gets; zeros where it is deleted.")],
) -> None:
    """Check what one reference would become."""
    from kattest.cli.pushes import judge_update  # noqa: PLC0415 - start-up, see above

    judge_update(ref, old, new)


def _judge_commit() -> None:
    from kattest.sources.local import open_index  # noqa: PLC0415 - start-up, see above

    progress = Progress()
    folder = current_folder()
    try:
        source, trusted = open_local(
            lambda base: open_index(folder, base, progress.commits), None, None
        )
        report = judge(source, trusted, Choices(moment=moment_given(None)), progress.records)
        source.close()
    finally:
        progress.close()
    colour = wants_colour(sys.stdout)
    emit(text_report.render(report, colour=colour, detail=Detail.NORMAL))
    if not report.ok:
        raise typer.Exit(ExitStatus.FINDINGS)
