"""The report that people read: each round with its judges, then what is wrong, and the remedy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from operator import itemgetter
from typing import NamedTuple

from kattest.attestation.artifact import ArtifactState
from kattest.attestation.isolation import Isolation
from kattest.attestation.model import FILE_NAME
from kattest.finding import Finding, Location, Severity
from kattest.memory.layout import ROOT
from kattest.memory.model import Tier
from kattest.report.common import looked_at, plain_decimal
from kattest.result import (
    JudgeLine,
    Lifecycle,
    Part,
    Report,
    RootReport,
    RoundReport,
    SourceInfo,
    SourceKind,
    Status,
)
from kattest.rules import RULES
from kattest.text import clip, escape, plural

_ISOLATION = {
    Isolation.NO_BREACH_FOUND: "no breach found",
    Isolation.HINT: "in doubt",
    Isolation.BREACH: "breached",
}


_STATE_SEVERITY = {
    ArtifactState.SUPERSEDED: Severity.WARNING,
    ArtifactState.UNKNOWN: Severity.ERROR,
    ArtifactState.MISSING: Severity.ERROR,
}
_FINAL_SCORE = "final score"
_NAME_LENGTH = 64  # of a judge: what the design allows, and no more than a line can bear


_NOTHING = {
    (Part.ATTESTATIONS,): f"no {FILE_NAME}",
    (Part.MEMORY,): f"no {ROOT}",
    tuple(Part): f"no {FILE_NAME} and no {ROOT}",
}
_AGES: Mapping[Lifecycle | None, Mapping[Tier, str]] = {
    Lifecycle.TIERS: {tier: tier.value for tier in Tier} | {Tier.PURGE: "to purge"},
    Lifecycle.RETENTION: {Tier.HOT: "not expired", Tier.PURGE: "expired"},
    None: {},
}
_SHOWN = 3  # findings of one rule in one memory root


class Detail(Enum):
    """How much is shown: findings alone, with what they come to, rounds too, or everything."""

    QUIET = "quiet"
    BRIEF = "brief"
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
        if self._detail in {Detail.NORMAL, Detail.VERBOSE}:
            yield from self._files()
            yield from self._memory()
        yield from self._findings()
        if self._detail is not Detail.QUIET:
            yield from self._notes()
            yield self._summary()

    def _files(self) -> Iterator[str]:
        rounds: defaultdict[str, list[RoundReport]] = defaultdict(list)
        for round_ in self._report.rounds:
            rounds[round_.path].append(round_)
        for path in self._report.files:
            yield self._palette.strong(escape(path))
            for round_ in rounds[path]:
                yield from self._round(round_)
            if not rounds[path]:
                yield "  no round to judge"
            yield ""

    def _round(self, round_: RoundReport) -> Iterator[str]:
        is_plain = round_.status is Status.VERIFIED and not _has_codes(round_)
        if is_plain and self._detail is not Detail.VERBOSE:
            yield self._plain_round(round_)
        else:
            yield from self._full_round(round_)

    def _plain_round(self, round_: RoundReport) -> str:
        name = clip(round_.evaluation_id or "")
        scores = ", ".join(f"{_judge_name(judge)} {judge.score}" for judge in round_.judges)
        return f"  {self._verdict(round_)}  {name}  {round_.final_score}  ({scores})"

    def _full_round(self, round_: RoundReport) -> Iterator[str]:
        name = clip(round_.evaluation_id or "a round without an evaluation id")
        yield "  ".join(("", self._verdict(round_), name, *round_.codes))
        yield f"    artifact   {clip(round_.artifact_path or '(none)')}: {self._state(round_)}"
        yield f"    isolation  {_ISOLATION[round_.isolation]}"
        names = [_judge_name(judge) for judge in round_.judges]
        width = max(map(len, (*names, _FINAL_SCORE)))
        for judge, judge_name in zip(round_.judges, names, strict=True):
            yield f"    {judge_name:{width}}  {_score(judge.score)}  {self._judge(judge)}"
        yield f"    {_FINAL_SCORE:{width}}  {_score(round_.final_score)}".rstrip()
        if self._detail is Detail.VERBOSE:
            spread = "unknown" if round_.spread is None else plain_decimal(round_.spread)
            yield self._palette.faint(
                f"    recipe {round_.recipe or 'unknown'}, spread {spread}, at "
                f"{round_.pointer or 'the top of the document'}"
            )

    def _verdict(self, judged: RoundReport | RootReport) -> str:
        if judged.status is Status.VERIFIED:
            return self._palette.good("verified")
        return self._palette.severity(Severity.ERROR, "FAILED") + "  "

    def _state(self, round_: RoundReport) -> str:
        severity = _STATE_SEVERITY.get(round_.artifact)
        return self._palette.severity(severity, round_.artifact) if severity else round_.artifact

    def _judge(self, judge: JudgeLine) -> str:
        verdict = (
            self._palette.severity(Severity.ERROR, "FAILED")
            if judge.failed
            else self._palette.good("ok")
        )
        parts = [verdict, *judge.codes]
        if self._detail is Detail.VERBOSE and judge.recorded_at:
            parts.append(self._palette.faint(clip(judge.recorded_at, _NAME_LENGTH)))
        return "  ".join(parts)

    def _memory(self) -> Iterator[str]:
        for root in self._report.memory:
            yield self._palette.strong(escape(root.path))
            yield f"  {self._verdict(root)}  {_records(root)}"
            is_by_default = root.lifecycle is not None and not root.has_config
            if root.records and (is_by_default or self._detail is Detail.VERBOSE):
                yield self._palette.faint(f"    lifecycle  {_lifecycle(root)}")
            if root.overdue and root.overdue_since:
                since = root.overdue_since.isoformat()
                yield f"    overdue  {plural(root.overdue, 'record')}, the first since {since}"
            yield ""

    def _findings(self) -> Iterator[str]:
        explained: set[str] = set()
        for finding, more in self._groups():
            yield from self._finding(finding, with_fix=finding.rule.code not in explained)
            explained.add(finding.rule.code)
            if more:
                yield f"    and {more} more {finding.rule.code} like it: -v lists them"
        if self._report.findings and self._detail is not Detail.QUIET:
            yield ""

    def _groups(self) -> Iterator[tuple[Finding, int]]:
        """Findings in reading order, each with the number of those left out behind it.

        Of one rule in one memory root the first few stand together, unless everything is asked
        for: a whole tree can be overdue.
        """
        findings = sorted(self._report.findings, key=_reading_order)
        if self._detail is Detail.VERBOSE:
            yield from ((finding, 0) for finding in findings)
            return
        groups: dict[object, list[Finding]] = {}
        for number, finding in enumerate(findings):
            root, inside, _ = f"/{finding.location.path}".rpartition(f"/{ROOT}/")
            groups.setdefault((root, finding.rule.code) if inside else number, []).append(finding)
        for group in groups.values():
            shown = _first_few(group)
            yield from ((finding, 0) for finding in shown[:-1])
            yield shown[-1], len(group) - len(shown)

    def _finding(self, finding: Finding, *, with_fix: bool) -> Iterator[str]:
        label = self._palette.severity(finding.severity, f"{finding.severity} {finding.rule.code}")
        yield f"{_place(finding.location)}: {label} {finding.rule.name}: {escape(finding.message)}"
        for related in finding.related:
            yield f"    see {_place(related.location)}: {escape(related.message)}"
        if with_fix:
            yield f"    fix: {finding.rule.fix}"

    def _notes(self) -> Iterator[str]:
        report = self._report
        for note in report.source.notes:
            yield f"note: {escape(note)}"
        if report.counts.excluded:
            excluded = plural(report.counts.excluded, "document")
            yield f"note: the configuration excludes {excluded}"
        yield from _disabled(report)
        if self._detail is Detail.VERBOSE or report.source.config_from:
            yield f"note: configuration: {escape(report.source.config_from or 'the defaults')}"
        if self._detail is Detail.VERBOSE:
            yield f"note: judged as of {report.as_of.isoformat()}"

    def _summary(self) -> str:
        report, palette = self._report, self._palette
        is_empty = not report.counts.attestation_files and not report.counts.memory_roots
        if is_empty and report.ok:
            return _nothing(report)
        seen = f"{report.source.name}: {looked_at(report.counts)}{_compared(report.source)}"
        numbers = [(report.number_of(severity), severity.value) for severity in Severity]
        tally = ", ".join(plural(number, noun) for number, noun in numbers if number)
        if not report.ok:
            verdict = "FAILED (strict)" if report.strict else "FAILED"
            return f"{palette.severity(Severity.ERROR, verdict)}: {tally} in {seen}"
        # By rules that were told not to report.
        for noun, judged in (("round", report.rounds), ("memory root", report.memory)):
            failed = sum(one.status is Status.FAILED for one in judged)
            if failed:
                tally = ", ".join(filter(None, (tally, f"{plural(failed, noun)} FAILED")))
        return f"{palette.good('ok')}: {seen}" + (f" ({tally})" if tally else "")


def _compared(source: SourceInfo) -> str:
    """What the tree was compared with."""
    if source.base is None:
        return ""
    name = source.base_name or ("its parent" if source.kind is SourceKind.COMMIT else "the base")
    return f", compared with {name} ({source.base[:12]})"


def _nothing(report: Report) -> str:
    """The last line where no document was judged: why, so that it is not taken for a success."""
    left = f"{report.source.name} holds {_NOTHING[report.parts]}"
    if report.paths:
        left += " at or below the paths given"
    if report.counts.excluded:
        left += " that the configuration does not exclude"
    return f"nothing to check: {left}"


def _records(root: RootReport) -> str:
    """How many records a root has, where they are, and how old."""
    if not root.records:
        return "no record"
    kinds = [(root.tiers.get(tier, 0), words) for tier, words in _AGES[root.lifecycle].items()]
    ages = ", ".join(f"{number} {words}" for number, words in kinds if number)
    archived = f", {root.archived} in the archive" if root.archived else ""
    return f"{plural(root.records, 'record')}{archived}; by age: {ages or 'unknown'}"


def _lifecycle(root: RootReport) -> str:
    """How the records of a root age, and who says so."""
    if root.lifecycle is None:
        return "unknown: config.json does not say, so no age was checked"
    source = "config.json" if root.has_config else "the protocol's defaults"
    if root.lifecycle is Lifecycle.TIERS:
        hot, warm, cold = root.days
        return f"hot to {hot} days, warm to {warm}, cold to {cold}, by {source}"
    (days,) = root.days
    return f"kept {plural(days, 'day') if days else 'for ever'}, by {source}"


def _disabled(report: Report) -> Iterator[str]:
    if not report.disabled:
        return
    enabled = [code for code, rule in RULES.items() if rule not in report.disabled]
    if len(enabled) < len(report.disabled):
        yield f"note: only these rules reported: {', '.join(enabled)}"
    else:
        yield f"note: these rules did not report: {', '.join(r.code for r in report.disabled)}"


def _first_few(group: Sequence[Finding]) -> list[Finding]:
    """A few findings of one rule: of several files rather than many of one."""
    of_file: Counter[str] = Counter()
    ranked = []
    for number, finding in enumerate(group):
        ranked.append((of_file[finding.location.path], number))
        of_file[finding.location.path] += 1
    return [group[number] for _, number in sorted(sorted(ranked)[:_SHOWN], key=itemgetter(1))]


def _has_codes(round_: RoundReport) -> bool:
    return bool(round_.codes) or any(judge.codes for judge in round_.judges)


def _reading_order(finding: Finding) -> tuple[str, int, int, str]:
    """Findings as a reader goes through a file, where programs get them by pointer."""
    location = finding.location
    return location.path, location.line or 0, location.column or 0, finding.rule.code


def _judge_name(judge: JudgeLine) -> str:
    return clip(judge.judge_id or "(no judge id)", _NAME_LENGTH)


def _score(score: str | None) -> str:
    """A score with its point where those of other scores are: two digits before, two behind."""
    whole, point, decimals = (score or "?").partition(".")
    return f"{whole:>2}{point}{decimals:{3 - len(point)}}"


def _place(location: Location) -> str:
    parts = [escape(location.path)]
    if location.line is not None:
        parts += [str(location.line), str(location.column)]
    place = ":".join(parts)
    return f"{place} (commit {location.commit[:12]})" if location.commit else place
