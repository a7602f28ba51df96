"""The report that people read: each round with its judges, then what is wrong, and the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from kattest.attestation.isolation import Isolation
from kattest.finding import Finding, Location, Severity
from kattest.report.common import looked_at, plain_decimal, plural, source_name
from kattest.result import JudgeLine, Report, RoundReport, RoundStatus
from kattest.rules import RULES
from kattest.text import escape

_ISOLATION = {
    Isolation.NO_BREACH_FOUND: "no breach found",
    Isolation.HINT: "isolation in doubt",
    Isolation.BREACH: "isolation breached",
}


class Detail(Enum):
    """How much is shown: findings alone, rounds too, or everything."""

    QUIET = "quiet"
    NORMAL = "normal"
    VERBOSE = "verbose"


def render(report: Report, *, colour: bool, detail: Detail) -> str:
    """The report as text, with ANSI colours if asked for. Text from the repository is escaped."""
    return "".join(f"{line}\n" for line in _Writer(report, _Palette(colour), detail).lines())


class _Palette(NamedTuple):
    """ANSI colours, or none."""

    on: bool

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on else text

    def strong(self, text: str) -> str:
        return self._paint(text, "1")

    def faint(self, text: str) -> str:
        return self._paint(text, "2")

    def good(self, text: str) -> str:
        return self._paint(text, "32")

    def severity(self, severity: Severity, text: str) -> str:
        codes = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
        return self._paint(text, codes[severity])


class _Writer:
    """Writes one report, line by line."""

    def __init__(self, report: Report, palette: _Palette, detail: Detail) -> None:
        self._report = report
        self._palette = palette
        self._detail = detail

    def lines(self) -> Iterator[str]:
        if self._detail is not Detail.QUIET:
            for path in self._report.files:
                yield from self._file(path)
        yield from self._findings()
        if self._detail is not Detail.QUIET:
            yield from self._notes()
            yield self._summary()

    def _file(self, path: str) -> Iterator[str]:
        yield self._palette.strong(escape(path))
        rounds = [round_ for round_ in self._report.rounds if round_.path == path]
        for round_ in rounds:
            yield from self._round(round_)
        if not rounds:
            yield "  no round could be read"
        yield ""

    def _round(self, round_: RoundReport) -> Iterator[str]:
        name = escape(round_.evaluation_id or "a round without an evaluation id")
        artifact = escape(round_.artifact_path or "no artifact named")
        yield f"  {self._verdict(round_)}  {name}"
        yield f"    {artifact}: {round_.artifact}; {_ISOLATION[round_.isolation]}"
        width = max((len(_judge_name(judge)) for judge in round_.judges), default=0)
        width = max(width, len("final score"))
        for judge in round_.judges:
            yield f"    {_judge_name(judge):{width}}  {_score(judge.score)}  {self._judge(judge)}"
        yield f"    {'final score':{width}}  {_score(round_.final_score)}"
        if self._detail is Detail.VERBOSE:
            spread = "unknown" if round_.spread is None else plain_decimal(round_.spread)
            yield self._palette.faint(
                f"    recipe {round_.recipe or 'unknown'}, spread {spread}, at "
                f"{round_.pointer or 'the top of the document'}"
            )

    def _verdict(self, round_: RoundReport) -> str:
        if round_.status is RoundStatus.VERIFIED:
            return self._palette.good("verified")
        return self._palette.severity(Severity.ERROR, "FAILED  ")

    def _judge(self, judge: JudgeLine) -> str:
        verdict = (
            self._palette.severity(Severity.ERROR, "FAILED")
            if judge.failed
            else self._palette.good("ok")
        )
        parts = [verdict, *judge.codes]
        if self._detail is Detail.VERBOSE and judge.recorded_at:
            parts.append(self._palette.faint(escape(judge.recorded_at)))
        return "  ".join(parts)

    def _findings(self) -> Iterator[str]:
        explained: set[str] = set()
        for finding in self._report.findings:
            yield from self._finding(finding, with_fix=finding.rule.code not in explained)
            explained.add(finding.rule.code)
        if self._report.findings and self._detail is not Detail.QUIET:
            yield ""

    def _finding(self, finding: Finding, *, with_fix: bool) -> Iterator[str]:
        label = self._palette.severity(finding.severity, f"{finding.severity} {finding.rule.code}")
        yield f"{_place(finding.location)}: {label} {finding.rule.name}: {escape(finding.message)}"
        for related in finding.related:
            yield f"    see {_place(related.location)}: {escape(related.message)}"
        if with_fix:
            yield self._palette.faint(f"    fix: {finding.rule.fix}")

    def _notes(self) -> Iterator[str]:
        report = self._report
        for note in report.source.notes:
            yield f"note: {escape(note)}"
        if report.counts.excluded:
            excluded = plural(report.counts.excluded, "document")
            yield f"note: the configuration excludes {excluded}"
        yield from _disabled(report)
        if self._detail is Detail.VERBOSE:
            yield f"note: configuration: {escape(report.source.config_from or 'the defaults')}"
            yield f"note: judged as of {report.as_of.isoformat()}"

    def _summary(self) -> str:
        report, palette = self._report, self._palette
        where = source_name(report.source)
        if not report.counts.attestation_files:
            return f"nothing to check: {where} holds no attestation file"
        seen = f"{where}: {looked_at(report.counts)}"
        tally = ", ".join(
            plural(report.number_of(severity), severity.value)
            for severity in Severity
            if severity is Severity.ERROR or report.number_of(severity)
        )
        if report.ok:
            return f"{palette.good('ok')}: {seen}" + (f" ({tally})" if report.findings else "")
        verdict = "FAILED (strict)" if report.strict else "FAILED"
        return f"{palette.severity(Severity.ERROR, verdict)}: {tally} in {seen}"


def _disabled(report: Report) -> Iterator[str]:
    if not report.disabled:
        return
    enabled = [code for code, rule in RULES.items() if rule not in report.disabled]
    if len(enabled) < len(report.disabled):
        yield f"note: only these rules reported: {', '.join(enabled)}"
    else:
        yield f"note: these rules did not report: {', '.join(r.code for r in report.disabled)}"


def _judge_name(judge: JudgeLine) -> str:
    return escape(judge.judge_id or "(no judge id)")


def _score(score: str | None) -> str:
    return f"{score or '?':>4}"


def _place(location: Location) -> str:
    parts = [escape(location.path)]
    if location.line is not None:
        parts += [str(location.line), str(location.column)]
    place = ":".join(parts)
    return f"{place} (commit {location.commit[:12]})" if location.commit else place
