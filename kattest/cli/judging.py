"""From a source to its report: what every command that judges does, whatever it judges."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kattest import engine
from kattest.config import LARGEST_FILE
from kattest.errors import ConfigError, SourceError, UsageError
from kattest.finding import Rule
from kattest.instant import DAY, Instant, parse_instant
from kattest.result import Part, Report
from kattest.rules import RULES
from kattest.trust import TrustedConfig

if TYPE_CHECKING:
    from kattest.sources.source import Source


_EPOCH_DIGITS = 11  # far beyond the year 5000


class Choices(NamedTuple):
    """What a user chooses of a check, beside its source.

    ``moment`` replaces the one that the source has. ``paths`` are relative to the top.
    """

    parts: Sequence[Part] = tuple(Part)
    selected: frozenset[Rule] = frozenset(RULES.values())
    moment: Instant | None = None
    paths: Sequence[str] = ()
    strict: bool = False


def judge(
    source: Source,
    trusted: TrustedConfig,
    choices: Choices,
    progress: Callable[[int, int], None],
) -> Report:
    """The report on ``source``, judged by a configuration that can be trusted.

    Raises what ``engine.check`` raises.
    """
    now = Instant(int(time.time()))
    first, others = source.bases[:1], source.bases[1:]
    notes = (*source.info.notes, *trusted.notes, *_ahead(source, choices, now))
    are_published = all(one.is_published for one in first)
    report = engine.check(
        source.tree,
        first[0].tree if first else None,
        trusted.config,
        choices.moment or source.as_of or now,
        base_is_published=are_published,
        others=others,
        history=source.history,
        skips_published=source.skips_published and are_published,
        source=source.info._replace(config_from=trusted.origin, notes=notes),
        paths=choices.paths,
        parts=choices.parts,
        progress=progress,
        now=None if choices.moment else now,
    )
    report = engine.check_steps(
        source.steps,
        report,
        trusted.config,
        whole=source.is_each,
        as_of=choices.moment,
        progress=progress,
        now=None if choices.moment else now,
    )
    return report.restricted(choices.selected, strict=choices.strict)


def open_local(
    open_with: Callable[[str | None], Source], base: str | None, config: Path | None
) -> tuple[Source, TrustedConfig]:
    """Local work and its configuration, which may say that it is compared with HEAD.

    ``base`` and ``config`` are what the user names instead, None for nothing.
    """
    from kattest.sources.local import open_trusted  # noqa: PLC0415 - start-up
    from kattest.sources.source import trusted_by  # noqa: PLC0415 - start-up

    trust = trusted_by if config is None else lambda _: config_file(config)
    return open_trusted(open_with, base, trust)


def config_file(path: Path) -> TrustedConfig:
    """The configuration in a file that the user names. Raises ConfigError where it has none."""
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


def moment_given(as_of: str | None) -> Instant | None:
    """The moment that the user names, by option or environment; None where the source decides.

    Raises UsageError where what is named is no moment.
    """
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


def current_folder() -> Path:
    """The folder that the program was started in. Raises SourceError where it is gone."""
    try:
        return Path.cwd()
    except OSError as error:
        raise SourceError(
            f"the current folder cannot be used: {error.strerror}", "go to one that exists"
        ) from None


def _ahead(source: Source, choices: Choices, now: Instant) -> Sequence[str]:
    """What to know where a commit claims a date that has not come yet."""
    if choices.moment or not source.as_of or source.as_of.seconds <= now.seconds + DAY:
        return ()
    date = source.as_of.isoformat()
    note = f"this is judged at {date}, a date that the commit claims and that has not come yet; "
    return (f"{note}what may be gone by then must be due today already",)
