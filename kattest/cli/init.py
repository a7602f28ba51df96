"""``kattest init``: prepare a repository."""

from __future__ import annotations

from typing import Annotated

import typer

from kattest.cli.judging import current_folder
from kattest.cli.output import emit
from kattest.sources.source import require_repository, require_top
from kattest.text import escape
from kattest.writing.setup import Action, Step, carry_out, plan

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("init", short_help="Prepare a repository: merge drivers, hooks, configuration.")
def init(
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")
    ] = False,
) -> None:
    """Prepare this repository: merge drivers, pre-commit's hooks, a commented .kattest.yaml.

    What is there is kept, and shown as such; what is added is shown whole. Each clone needs it
    once, for git does not share its merge drivers.
    """
    top = require_top(require_repository(current_folder()))
    steps = plan(top)
    for step in steps:
        emit(_shown(step))
    if dry_run:
        emit("nothing is changed: this was --dry-run\n")
        return
    carry_out(top, steps)
    if all(step.action is Action.KEEP for step in steps):
        emit("everything was there already\n")


def _shown(step: Step) -> str:
    why = f": {step.why}" if step.why else ""
    added = "".join(f"  + {escape(line)}\n" for line in step.added.splitlines())
    return f"{step.action.value} {step.what}{why}\n{added}"
