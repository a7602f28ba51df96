"""``kattest verify``: judge a working tree, what is staged, or a commit."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kattest.cli.codes import complete_code, rules_named
from kattest.cli.judging import (
    Choices,
    config_file,
    current_folder,
    judge,
    moment_given,
    open_local,
)
from kattest.cli.output import emit, wants_colour
from kattest.cli.progress import Progress
from kattest.cli.status import ExitStatus
from kattest.errors import NothingToCheckError, UsageError
from kattest.finding import Rule
from kattest.report import json as json_report
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.result import Part, Report
from kattest.rules import ATTESTATION_RULES, MEMORY_RULES, RULES
from kattest.trust import TrustedConfig

if TYPE_CHECKING:
    from kattest.sources.source import Source

_RULES = {Part.ATTESTATIONS: ATTESTATION_RULES, Part.MEMORY: MEMORY_RULES}

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Format(StrEnum):
    """The forms of a report."""

    TEXT = "text"
    JSON = "json"


@app.command("verify")
def verify(  # noqa: PLR0913 - typer: one parameter for each option of the command
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Check only the files at or below PATH, or of the artifact PATH.",
            show_default=False,
        ),
    ] = None,
    *,
    staged: Annotated[
        bool, typer.Option("--staged", help="Check what the commit being made would hold.")
    ] = False,
    rev: Annotated[
        str | None, typer.Option("--rev", metavar="REV", help="Check one commit.")
    ] = None,
    range_: Annotated[
        str | None,
        typer.Option(
            "--range",
            metavar="BASE..HEAD",
            help="Check what HEAD changes since BASE, and all of HEAD; HEAD alone: since what is "
            "published.",
        ),
    ] = None,
    each_commit: Annotated[
        bool, typer.Option("--each-commit", help="With --range: check every commit of it.")
    ] = False,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="REV",
            help="Compare the working tree, or what is staged, with REV instead of what is "
            "published.",
        ),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="The form of the report.")] = Format.TEXT,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write the report to FILE instead."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail the check.")] = False,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of", metavar="TIME", help="The moment to check at (2026-03-01T12:00:00Z)."
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="CODES",
            help="Report these rules only: codes or their beginnings (KA1,KA003).",
            autocompletion=complete_code,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore",
            metavar="CODES",
            help="Do not report these rules.",
            autocompletion=complete_code,
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Use this configuration instead."),
    ] = None,
    require: Annotated[
        list[Part] | None,
        typer.Option("--require", help="Fail where there is none of this part to check."),
    ] = None,
    only: Annotated[
        Part | None, typer.Option("--only", help="Check only this part of the protocol.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print findings only.")] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Print all that is known."),
    ] = False,
) -> None:
    """Verify judge attestations and memory trees.

    In the working tree (tracked files, and untracked ones that git does not ignore), in what is
    staged, in one commit, or in a range of them. The exit status is 0 where nothing wrong was
    found, 1 where something was, 2 where it could not be checked, 3 for a bug in kattest.
    """
    subject = _Subject(staged, rev, range_, each_commit, base)
    subject.refuse_contradictions()
    if quiet and verbose:
        raise UsageError("-q and -v exclude each other", "choose one of them")
    parts = tuple(Part) if only is None else (only,)
    required = require or []
    if any(part not in parts for part in required):
        raise UsageError(
            "--require asks for what --only leaves out",
            "name that part in --only too, or leave --only out",
        )
    choices = Choices(parts, _selection(select, ignore, parts), moment_given(as_of), (), strict)
    folder = current_folder()
    progress = Progress()
    try:
        source, trusted = subject.open(folder, config, progress)
        inside = [source.relative(path, folder) for path in paths or []]
        report = judge(source, trusted, choices._replace(paths=inside), progress.records)
        source.close()
    finally:
        progress.close()
    if report.ok:
        _refuse_nothing(report, required)
    detail = Detail.QUIET if quiet else Detail.VERBOSE if verbose else Detail.NORMAL
    if form is Format.JSON:
        text = json_report.render(report)
    else:
        colour = output is None and wants_colour(sys.stdout)
        text = text_report.render(report, colour=colour, detail=detail)
    emit(text, output)
    raise typer.Exit(ExitStatus.CLEAN if report.ok else ExitStatus.FINDINGS)


def _selection(
    select: list[str] | None, ignore: list[str] | None, parts: tuple[Part, ...]
) -> frozenset[Rule]:
    selected = rules_named("--select", select) if select else frozenset(RULES.values())
    left = selected - rules_named("--ignore", ignore or [])
    if not any(left & _RULES[part] for part in parts):
        raise UsageError(
            "--select, --ignore and --only leave no rule to check by",
            "ignore less, or select more",
        )
    return left


class _Subject(NamedTuple):
    """What the user wants to be judged, and compared with."""

    staged: bool
    rev: str | None
    range: str | None
    each_commit: bool
    base: str | None

    def refuse_contradictions(self) -> None:
        """Raise UsageError where the options exclude each other."""
        chosen = [
            option
            for option, is_given in (
                ("--staged", self.staged),
                ("--rev", self.rev is not None),
                ("--range", self.range is not None),
            )
            if is_given
        ]
        if len(chosen) > 1:
            raise UsageError(
                f"{' and '.join(chosen)} exclude each other", "choose what is to be judged"
            )
        if self.each_commit and self.range is None:
            raise UsageError("--each-commit is for ranges", "name one: --range BASE..HEAD")
        if self.base is not None and chosen not in ([], ["--staged"]):
            raise UsageError(
                f"--base is not for {chosen[0]}, which says itself what it is compared with",
                "leave it out, or write --range BASE..HEAD",
            )

    def open(
        self, folder: Path, config: Path | None, progress: Progress
    ) -> tuple["Source", TrustedConfig]:
        """The source that is meant, and the configuration that judges it."""
        # Start-up: pygit2 is loaded where it is needed, and not to explain a rule.
        if self.rev is None and self.range is None:
            from kattest.sources import local  # noqa: PLC0415

            open_it = local.open_index if self.staged else local.open_worktree
            return open_local(
                lambda base: open_it(folder, base, progress.commits), self.base, config
            )
        from kattest.sources import commits  # noqa: PLC0415
        from kattest.sources.source import trusted_by  # noqa: PLC0415

        if self.rev is not None:
            source = commits.open_commit(folder, self.rev, progress.commits)
        else:
            given, each = self.range or "", self.each_commit
            source = commits.open_range(folder, given, progress.commits, is_each=each)
        return source, config_file(config) if config else trusted_by(source)


def _refuse_nothing(report: Report, required: list[Part]) -> None:
    counts = report.counts
    missing = "memory record" if counts.memory_roots else "memory root"
    for part, count, what in (
        (Part.ATTESTATIONS, counts.attestation_files, "attestation file"),
        (Part.MEMORY, counts.records, missing),
    ):
        if part in required and not count:
            raise NothingToCheckError(
                f"--require {part}: {report.source.name} holds no {what}",
                "see that the right folder, commit and paths are checked",
            )
