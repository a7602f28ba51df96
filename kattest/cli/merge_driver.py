"""``kattest merge-driver``: what git runs where two branches changed one of our files.

``kattest init`` tells git of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="merge-driver",
    help="Merge our files for git, which calls this with its %O %A %B %P.",
    short_help="Merge our files for git.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

_Base = Annotated[Path, typer.Argument(metavar="BASE", help="What both grew from (%O).")]
_Ours = Annotated[Path, typer.Argument(metavar="OURS", help="Ours, and the outcome (%A).")]
_Theirs = Annotated[Path, typer.Argument(metavar="THEIRS", help="Theirs (%B).")]
_Path = Annotated[str, typer.Argument(metavar="PATH", help="The file's own name (%P).")]


@app.command("index")
def index(base: _Base, ours: _Ours, theirs: _Theirs, path: _Path = "index.json") -> None:
    """Rebuild a memory's index for the records of both branches."""
    from kattest.writing.merging import merge_index  # noqa: PLC0415 - start-up

    merge_index(base, ours, theirs, path)


@app.command("attestations", short_help="Unite the rounds of both branches.")
def attestations(
    base: _Base, ours: _Ours, theirs: _Theirs, path: _Path = ".judge-attestations.json"
) -> None:
    """Unite the rounds of both branches; one round with two contents is a conflict."""
    from kattest.writing.merging import merge_attestations  # noqa: PLC0415 - start-up

    merge_attestations(base, ours, theirs, path)


@app.command("archive")
def archive(
    base: _Base,  # noqa: ARG001 - git gives it to every driver
    ours: _Ours,
    theirs: _Theirs,
    path: _Path,
) -> None:
    """Settle that both branches archived one record."""
    from kattest.writing.merging import merge_archive  # noqa: PLC0415 - start-up

    merge_archive(ours, theirs, path)
