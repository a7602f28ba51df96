"""``kattest attest``: open a panel, let its judges judge, close it.

Start-up: each command loads what it needs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kattest.cli.given import document_given, text_given
from kattest.cli.judging import current_folder
from kattest.cli.output import emit
from kattest.cli.status import ExitStatus
from kattest.cli.writers import WAIT_HELP, moment, note, show
from kattest.digest import PREFIX, Recipe
from kattest.errors import InputError
from kattest.roster import STANDARD
from kattest.text import quote_path
from kattest.writing.locks import PATIENCE

if TYPE_CHECKING:
    from kattest.attestation.building import OpenPanel
    from kattest.writing.panels import Closed, Panels

app = typer.Typer(
    name="attest",
    help="Let a panel judge an artifact, and attest what it found.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

_Id = Annotated[str, typer.Argument(metavar="ID", help="The evaluation_id that open printed.")]
_Wait = Annotated[float, typer.Option("--wait", metavar="SECONDS", min=0, help=WAIT_HELP)]
_Recipe = Annotated[
    Recipe,
    typer.Option(
        "--recipe", help="What of the artifact hash is hashed: see kattest explain KA106."
    ),
]


@app.command("open", short_help="Fix the artifact's hash and the roster.")
def open_(
    artifact: Annotated[str, typer.Argument(help="The file that is judged.")],
    panel: Annotated[
        str, typer.Option("--panel", help="standard, high-stakes, or one of .kattest.yaml.")
    ] = STANDARD.name,
    file: Annotated[
        str | None,
        typer.Option(
            "--file", metavar="PATH", help="The attestation file, if not beside ARTIFACT."
        ),
    ] = None,
    recipe: _Recipe = Recipe.PREFIXED,
    wait: _Wait = PATIENCE,
) -> None:
    """Fix the artifact's hash and the roster, before anybody judges; print them as JSON."""
    folder = current_folder()
    panels = _panels(folder, wait)
    opened = panels.prepare(
        panels.inside(artifact, folder),
        moment(None, precise=True),
        panel=panel,
        file=None if file is None else panels.inside(file, folder),
        recipe=recipe,
    )
    panels.open(opened)
    show(
        {
            "evaluation_id": opened.evaluation_id,
            "artifact_path": opened.artifact_path,
            "artifact_hash": PREFIX + opened.artifact_hex,
            "file": opened.file,
            "panel": opened.panel.name,
            "seats": opened.panel.judge_ids,
        }
    )


@app.command("judge", short_help="Seal one judge's evaluation, and print its hash.")
def judge(
    evaluation_id: _Id,
    judge_id: Annotated[str, typer.Option("--judge", metavar="JUDGE", help="Who judges: a seat.")],
    score: Annotated[str, typer.Option("--score", help="From 0.0 to 10.0, one decimal.")],
    rationale_file: Annotated[
        str,
        typer.Option("--rationale-file", metavar="FILE", help="The reasons; - for standard input."),
    ],
    wait: _Wait = PATIENCE,
) -> None:
    """Seal one judge's evaluation, and print its hash; nothing of what others said is shown."""
    from kattest.attestation.panels import SHORTEST_RATIONALE  # noqa: PLC0415 - start-up
    from kattest.writing.panels import Judgement  # noqa: PLC0415 - start-up

    rationale = text_given(rationale_file)
    given = Judgement(judge_id, score, rationale)
    panels = _panels(current_folder(), wait)
    sealed = panels.judge(evaluation_id, given, moment(None, precise=True))
    if len(sealed.rationale) < SHORTEST_RATIONALE:
        note("the rationale is so short that the score can be guessed from the hash (KA141)")
    emit(f"{PREFIX}{sealed.evaluation_hex}\n")


@app.command("close")
def close(evaluation_id: _Id, wait: _Wait = PATIENCE) -> None:
    """Link the chain in seat order, and write the round to its file.

    The exit status is 1, and nothing is written, where the scores lie more than 3.0 apart: then a
    meta-judge has to judge too.
    """
    _say(_panels(current_folder(), wait).close(evaluation_id))


@app.command("record")
def record(
    source: Annotated[
        str, typer.Option("--from", metavar="FILE", help="The round as JSON; - for standard input.")
    ],
    recipe: _Recipe = Recipe.PREFIXED,
    wait: _Wait = PATIENCE,
) -> None:
    """Write a whole round that was judged elsewhere.

    Its document has artifact_path (from the top of the repository) and attestations, each with
    judge_id, score and rationale_summary; panel, file, evaluation_id, artifact_hash are optional.
    """
    from kattest.attestation.intake import read_round  # noqa: PLC0415 - start-up
    from kattest.writing.panels import Judgement  # noqa: PLC0415 - start-up

    given, faults = read_round(document_given(source))
    if given is None:
        raise InputError(f"this is no round: {'; '.join(faults)}", "kattest attest record --help")
    panels = _panels(current_folder(), wait)
    prepared = panels.prepare(
        given.artifact_path,
        moment(None, precise=True),
        panel=given.panel or STANDARD.name,
        file=given.file,
        recipe=recipe,
        evaluation_id=given.evaluation_id,
    )
    _require_hash(prepared, given.artifact_hash)
    _say(panels.record(prepared, [Judgement(*one) for one in given.judgements]))


def _panels(folder: Path, wait: float) -> Panels:
    from kattest.writing.panels import panels_of  # noqa: PLC0415 - start-up

    return panels_of(folder, wait)


def _require_hash(prepared: OpenPanel, given: str | None) -> None:
    if given is not None and given.removeprefix(PREFIX) != prepared.artifact_hex:
        raise InputError(
            f"artifact_hash is not that of {quote_path(prepared.artifact_path)}, so something else "
            "was judged; nothing is written",
            "put the artifact back as it was judged, or judge it anew",
        )


def _say(closed: Closed) -> None:
    panel = closed.panel
    for finding in closed.findings:
        rule = finding.rule
        note(f"{finding.severity.value} {rule.code} {rule.name}: {finding.message}")
    if closed.needs_meta:
        note(
            f"the scores lie {closed.spread} apart, more than 3.0: a meta-judge must decide\n"
            f"  what to do: kattest attest judge {panel.evaluation_id} --judge meta-judge, then\n"
            "  close again"
        )
    elif closed.final_score is None:
        note(
            "the round would break these rules, so nothing is written\n"
            "  what to do: open a new panel, and let its judges judge anew"
        )
    show(
        {
            "evaluation_id": panel.evaluation_id,
            "file": panel.file,
            "written": closed.final_score is not None,
            "needs_meta_judge": closed.needs_meta,
            "spread": closed.spread,
            "final_score": closed.final_score,
        }
    )
    if closed.final_score is None:
        raise typer.Exit(ExitStatus.FINDINGS)
