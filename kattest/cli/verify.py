"""``kattest verify``: judge a working tree, what is staged, or a commit."""

import os
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kattest import engine
from kattest.cli.codes import complete_code, rules_named
from kattest.cli.output import emit, wants_colour
from kattest.cli.progress import Progress
from kattest.cli.status import ExitStatus
from kattest.config import FILE_NAME, LARGEST_FILE
from kattest.errors import (
    ConfigError,
    NothingToCheckError,
    ShallowHistoryError,
    SourceError,
    UsageError,
)
from kattest.finding import Rule
from kattest.instant import Instant, parse_instant
from kattest.report import json as json_report
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.result import Part, Report
from kattest.rules import ATTESTATION_RULES, MEMORY_RULES, RULES
from kattest.trust import TrustedConfig, trusted_config

if TYPE_CHECKING:
    from kattest.sources.source import Source

_RULES = {Part.ATTESTATIONS: ATTESTATION_RULES, Part.MEMORY: MEMORY_RULES}
_EPOCH_DIGITS = 11  # far beyond the year 5000


class Format(StrEnum):
    """The forms of a report."""

    TEXT = "text"
    JSON = "json"


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
    staged, or in one commit. The exit status is 0 where nothing wrong was found, 1 where something
    was, 2 where it could not be checked, 3 for a bug in kattest.
    """
    if staged and rev is not None:
        raise UsageError("--staged and --rev exclude each other", "choose what is to be judged")
    if quiet and verbose:
        raise UsageError("-q and -v exclude each other", "choose one of them")
    parts = tuple(Part) if only is None else (only,)
    required = require or []
    if any(part not in parts for part in required):
        raise UsageError(
            "--require asks for what --only leaves out",
            "name that part in --only too, or leave --only out",
        )
    selected = _selection(select, ignore, parts)
    moment = _moment(as_of)
    folder = _current_folder()
    progress = Progress()
    try:
        source = _open(folder, staged=staged, rev=rev, progress=progress)
        trusted = _config_file(config) if config else _trusted(source)
        report = engine.check(
            source.tree,
            source.base if source.skips_published else None,
            trusted.config,
            moment or source.as_of or Instant(int(time.time())),
            history=source.history,
            source=source.info._replace(
                config_from=trusted.origin, notes=source.info.notes + trusted.notes
            ),
            paths=[source.relative(path, folder) for path in paths or []],
            parts=parts,
            progress=progress.records,
        )
    finally:
        progress.close()
    report = report.restricted(selected, strict=strict)
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


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise SourceError(
            f"the current folder cannot be used: {error.strerror}", "go to one that exists"
        ) from None


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


def _moment(as_of: str | None) -> Instant | None:
    """The moment that the user names, by option or environment; None where the source decides."""
    if as_of is not None:
        instant = parse_instant(as_of)
        if instant is None:
            raise UsageError(
                f"--as-of: {as_of} is not an RFC 3339 time with a zone",
                "write it like 2026-03-01T12:00:00Z",
            )
        return instant
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return None
    if not (epoch.isascii() and epoch.isdigit() and len(epoch) <= _EPOCH_DIGITS):
        raise UsageError(
            f"SOURCE_DATE_EPOCH is {epoch}, not a number of seconds since 1970",
            "unset it, or set it to a whole number",
        )
    return Instant(int(epoch))


def _open(folder: Path, *, staged: bool, rev: str | None, progress: Progress) -> "Source":
    # Start-up: pygit2 is loaded where it is needed, and not to explain a rule.
    from kattest.sources.source import open_commit, open_index, open_worktree  # noqa: PLC0415

    if staged:
        return open_index(folder, progress.commits)
    if rev is not None:
        return open_commit(folder, rev, progress.commits)
    return open_worktree(folder, progress.commits)


def _trusted(source: "Source") -> TrustedConfig:
    if source.is_cut_off and source.tree.kind(FILE_NAME):
        raise ShallowHistoryError(
            f"the {FILE_NAME} that counts is its parent's, and this clone ends before that",
            "fetch the whole history (git fetch --unshallow), or name a file with --config",
        )
    base_name = f"{source.info.rev[:12]}^" if source.info.rev else "HEAD"
    return trusted_config(source.tree, source.base, base_name)


def _config_file(path: Path) -> TrustedConfig:
    from kattest.configfile import parse_config  # noqa: PLC0415 - start-up: it needs a YAML parser

    name = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ConfigError(
            f"{name} cannot be read: {error.strerror}", "name a configuration file"
        ) from None
    return TrustedConfig(parse_config(data, name), name)


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
