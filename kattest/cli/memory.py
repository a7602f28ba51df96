"""``kattest memory``: store, query and maintain a memory.

Start-up: each command loads what it needs.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kattest.cli.given import document_given
from kattest.cli.judging import current_folder
from kattest.cli.output import emit, wants_colour
from kattest.cli.status import ExitStatus
from kattest.cli.writers import WAIT_HELP, Form, moment, note, show
from kattest.errors import InputError, UsageError, WriteError
from kattest.jsontext import Writable
from kattest.writing.locks import PATIENCE

if TYPE_CHECKING:
    from kattest.memory.query import Question
    from kattest.writing.memory import Memory
    from kattest.writing.upkeep import Upkeep

app = typer.Typer(
    name="memory",
    help="Store, query and maintain a memory of reward records.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

_Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="FOLDER",
        help="The memory, if not .keysarium/memory at the top of the repository.",
    ),
]
_Wait = Annotated[float, typer.Option("--wait", metavar="SECONDS", min=0, help=WAIT_HELP)]
_AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="TIME", help="The moment that counts, if not now."),
]


@app.command("store", short_help="Store what a phase came to: JSON on standard input.")
def store(
    *,
    batch: Annotated[
        bool, typer.Option("--batch", help="Read an array of records; the index is written once.")
    ] = False,
    root: _Root = None,
    wait: _Wait = PATIENCE,
) -> None:
    """Store what a phase came to: the protocol's memory_store, its input as JSON on standard input.

    Nothing is stored where any of it is not as the protocol says.
    """
    value = document_given("-")
    if batch and not isinstance(value, list):
        raise InputError("--batch reads an array of records", "put brackets around them")
    values = value if batch and isinstance(value, list) else [value]
    stored = _memory(root, wait).store(values, moment(None))
    _notes(stored.notes)
    if not stored.is_enabled:
        note("the memory is switched off (enabled, in its config.json): nothing is stored")
    made: list[Writable] = []
    for record, document in stored.records:
        reward = record.reward.lexeme if record.reward else ""
        note(f"Stored reward {reward} ({record.label}) for {record.phase} of {record.slug}")
        made.append({"id": record.id, "file": record.file, "expires_at": document["expires_at"]})
    show({"stored": made, "count": len(made)} if batch else made[0] if made else {"id": None})


@app.command("query", short_help="Answer what is worth knowing before a phase.")
def query(  # noqa: PLR0913 - typer: one parameter for each option of the command
    *,
    domain: Annotated[str | None, typer.Option("--domain", help="Of which domain.")] = None,
    phase: Annotated[str | None, typer.Option("--phase", help="Of which phase.")] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE", help="The protocol's input as JSON; - for standard input."
        ),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Archive and purge nothing on the way.")
    ] = False,
    root: _Root = None,
    as_of: _AsOf = None,
    wait: _Wait = PATIENCE,
) -> None:
    """Answer what is worth knowing before a phase: the protocol's memory_query."""
    question = _question(domain, phase, source)
    memory = _memory(root, wait)
    answer, upkeep = memory.query(question, moment(as_of), read_only=read_only)
    _tell(upkeep)
    show(answer)


@app.command("maintain")
def maintain(  # noqa: PLR0913 - as of ``query``
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what is due, and change nothing.")
    ] = False,
    purge_anyway: Annotated[
        bool,
        typer.Option(
            "--purge-anyway",
            help="Purge although the clock lies before the newest record, or more than half of the "
            "memory would go.",
        ),
    ] = False,
    fail_if_changed: Annotated[
        bool,
        typer.Option(
            "--fail-if-changed", help="Exit with 1 where anything was changed: for hooks."
        ),
    ] = False,
    root: _Root = None,
    as_of: _AsOf = None,
    wait: _Wait = PATIENCE,
) -> None:
    """Archive and purge what is due, and mend the index."""
    memory = _memory(root, wait)
    upkeep = memory.maintain(moment(as_of), dry_run=dry_run, purge_anyway=purge_anyway)
    _tell(upkeep, is_planned=dry_run)
    show(_document(upkeep, is_planned=dry_run))
    _refuse_rest(upkeep)
    if fail_if_changed and upkeep.is_changed and not dry_run:
        note("the memory was changed: add it to the commit (git add --all), and commit again")
        raise typer.Exit(ExitStatus.FINDINGS)


@app.command("reindex")
def reindex(root: _Root = None, as_of: _AsOf = None, wait: _Wait = PATIENCE) -> None:
    """Build the index anew from the records."""
    upkeep = _memory(root, wait).reindex(moment(as_of))
    _tell(upkeep)
    show(_document(upkeep, is_planned=False))


@app.command("stats", short_help="Show what the records come to, and how rewards went.")
def stats(
    form: Annotated[
        Form | None,
        typer.Option("--format", help="By default text on a terminal, JSON anywhere else."),
    ] = None,
    root: _Root = None,
    as_of: _AsOf = None,
) -> None:
    """Show what the records come to: by domain, phase, skill and tier, and how rewards went."""
    from kattest.memory.stats import stats_document, stats_of  # noqa: PLC0415 - start-up
    from kattest.report import stats as text  # noqa: PLC0415 - start-up

    records, config, notes = _memory(root, 0).records()
    _notes(notes)
    found = stats_of(records, config, moment(as_of))
    if form is Form.TEXT or (form is None and sys.stdout.isatty()):
        encoding = (sys.stdout.encoding or "").lower().replace("-", "")
        emit(text.render(found, blocks=encoding == "utf8", colour=wants_colour(sys.stdout)))
    else:
        show(stats_document(found))


@app.command("classify", short_help="Say which reward an answer means, if that can be told.")
def classify(
    text: Annotated[str, typer.Argument(help="What the user answered at the checkpoint.")],
    rounds: Annotated[
        int,
        typer.Option(
            "--round", min=1, help="The how-manieth round of feedback on this phase it is."
        ),
    ] = 1,
) -> None:
    """Say which reward an answer means by the protocol's table, where that can be told.

    English and Russian. Where a person must decide, reward and label are null.
    """
    from kattest.memory import rewards  # noqa: PLC0415 - start-up

    show(rewards.verdict_document(rewards.classify(text, rounds)))


@app.command("export", short_help="Print the reward_data section of a brain export.")
def export(root: _Root = None) -> None:
    """Print the reward_data section of a brain export: aggregates and patterns, no record."""
    from kattest.memory.stats import reward_data  # noqa: PLC0415 - start-up

    memory = _memory(root, 0)
    records, _, notes = memory.records()
    _notes(notes)
    show(reward_data(records, memory.patterns(), memory.place.shown))


def _memory(root: Path | None, wait: float) -> Memory:
    from kattest.memory.layout import ROOT  # noqa: PLC0415 - start-up
    from kattest.writing.memory import memory_of  # noqa: PLC0415 - start-up

    memory = memory_of(current_folder(), root, wait)
    if not f"/{memory.place.root.as_posix()}".endswith(f"/{ROOT}"):
        note(f"kattest verify looks for memories in folders {ROOT}, and will not look at this one")
    return memory


def _question(domain: str | None, phase: str | None, source: str | None) -> Question:
    from kattest.memory.query import Question, question_in  # noqa: PLC0415 - start-up

    if source is not None and domain is None and phase is None:
        question, faults = question_in(document_given(source))
        if question is None:
            raise InputError(f"this is no question: {'; '.join(faults)}", "give phase and domain")
        return question
    if source is not None or domain is None or phase is None:
        raise UsageError(
            "a query needs --domain and --phase, or else --from", "name what is asked for"
        )
    return Question(domain, phase)


def _tell(upkeep: Upkeep, *, is_planned: bool = False) -> None:
    """Say what was done, in the protocol's words."""
    _notes(upkeep.notes)
    would = "Would have " if is_planned else ""
    archived, purged = (
        Counter(record.file.partition("/")[0] for record in records)
        for records in (upkeep.archived, upkeep.purged)
    )
    for domain, count in archived.items():
        did = f"{would}archived" if would else "Archived"
        note(f"{did} {count} records to cold storage in {domain}")
    for domain, count in purged.items():
        did = f"{would}purged" if would else "Purged"
        note(f"{did} {count} expired records from {domain}")
    if upkeep.refused:
        note(f"nothing is purged: {upkeep.refused}")


def _document(upkeep: Upkeep, *, is_planned: bool) -> dict[str, Writable]:
    return {
        "dry_run": is_planned,
        "changed": upkeep.is_changed and not is_planned,
        "archived": [{"id": record.id, "file": record.file} for record in upkeep.archived],
        "purged": [{"id": record.id, "file": record.file} for record in upkeep.purged],
        "repaired": upkeep.repaired,
        "reindexed": upkeep.is_reindexed,
        "refused": upkeep.refused,
        "notes": upkeep.notes,
    }


def _refuse_rest(upkeep: Upkeep) -> None:
    """Raise WriteError where something that is due was not done."""
    if upkeep.refused:
        raise WriteError(
            f"what is due for deletion is still there: {upkeep.refused}",
            "set the clock right; if it is, run kattest memory maintain --purge-anyway",
        )
    if not upkeep.is_whole:
        raise WriteError(
            "some records could not be archived or purged, and are as they were",
            "see what is wrong there, then run kattest memory maintain again",
        )


def _notes(notes: tuple[str, ...]) -> None:
    for text in notes:
        note(f"note: {text}")
