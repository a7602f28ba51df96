"""The result of a check, independent of any form it is shown in (design, section 4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from kattest.attestation.artifact import ArtifactState
from kattest.attestation.isolation import Isolation
from kattest.digest import Recipe
from kattest.finding import Finding, Rule, Severity
from kattest.instant import Instant
from kattest.memory.model import Tier
from kattest.rules import RULES
from kattest.text import plural


class Part(StrEnum):
    """The two parts of the protocol, each of which can be judged alone."""

    ATTESTATIONS = "attestations"
    MEMORY = "memory"


class Status(StrEnum):
    """Whether something stands: failed where any rule found an error in it, or around it."""

    VERIFIED = "verified"
    FAILED = "failed"


class JudgeLine(NamedTuple):
    """One attestation as a report shows it. ``codes`` are those of its findings, sorted."""

    judge_id: str | None
    score: str | None
    recorded_at: str | None
    failed: bool
    codes: tuple[str, ...]


class RoundReport(NamedTuple):
    """One round as a report shows it.

    ``codes`` are those of its findings that belong to no single judge, sorted. ``artifact_path``
    is where the artifact is, or was looked for. ``spread`` is the panel's
    highest score less its lowest, None without scores.
    """

    path: str
    pointer: str
    evaluation_id: str | None
    status: Status
    recipe: Recipe | None
    artifact: ArtifactState
    artifact_path: str | None
    isolation: Isolation
    spread: Decimal | None
    final_score: str | None
    judges: tuple[JudgeLine, ...]
    codes: tuple[str, ...]


class Lifecycle(StrEnum):
    """How records age: by the tiers of protocol 1.1, or by the retention of 1.0."""

    TIERS = "tiers"
    RETENTION = "retention"


class RootReport(NamedTuple):
    """One memory root as a report shows it.

    ``lifecycle`` is how its records age, None where its configuration does not say; ``days`` are
    the bounds of that: three with tiers, else one, 0 for ever. ``has_config`` says whether they are
    its own or the protocol's defaults. ``archived`` of its ``records`` lie in the archive;
    ``tiers`` counts all of them by the tier that their age demands. ``overdue`` of them should not
    be where they are any more, the first one ``overdue_since``. Records that are not judged count
    nowhere.
    """

    path: str
    status: Status
    lifecycle: Lifecycle | None = None
    days: tuple[int, ...] = ()
    has_config: bool = False
    records: int = 0
    archived: int = 0
    tiers: Mapping[Tier, int] = MappingProxyType({})
    overdue: int = 0
    overdue_since: Instant | None = None


class JudgedMemory(NamedTuple):
    """What judging the memory of a tree gave.

    ``records`` were judged; ``excluded`` counts the documents that the configuration leaves out.
    """

    roots: tuple[RootReport, ...] = ()
    records: int = 0
    excluded: int = 0
    findings: tuple[Finding, ...] = ()


class Counts(NamedTuple):
    """What was looked at, and how much of it.

    ``excluded`` counts the documents that the configuration leaves out.
    """

    attestation_files: int = 0
    rounds: int = 0
    attestations: int = 0
    memory_roots: int = 0
    records: int = 0
    excluded: int = 0


class SourceKind(StrEnum):
    """What kind of tree was judged; the values are those of the JSON report."""

    WORKTREE = "worktree"
    INDEX = "index"
    COMMIT = "commit"
    RANGE = "range"


class SourceInfo(NamedTuple):
    """What was judged.

    ``rev`` and ``base`` are commit ids where there are any; ``base_name`` is what the base is
    called, empty for a commit's own parent. ``commits`` are in a range. ``config_from`` says where
    the configuration came from, None for the defaults. ``notes`` are things a reader should know
    of the source.
    """

    kind: SourceKind
    rev: str | None = None
    base: str | None = None
    base_name: str = ""
    commits: int = 0
    config_from: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What was judged, for a sentence."""
        if self.kind is SourceKind.COMMIT:
            return f"commit {(self.rev or '')[:12]}"
        if self.kind is SourceKind.RANGE:
            return f"{plural(self.commits, 'commit')} up to {(self.rev or '')[:12]}"
        return "what is staged" if self.kind is SourceKind.INDEX else "the working tree"


class Report(NamedTuple):
    """Everything a check found, findings sorted by path, pointer and code.

    ``parts`` are those of the protocol that were judged. ``paths`` are those it was restricted to,
    none for the whole tree; ``files`` are the attestation files that were judged.
    ``disabled`` are the rules that did not report: off in the configuration or not selected.
    ``strict`` lets warnings fail the check too.
    """

    source: SourceInfo
    as_of: Instant
    counts: Counts
    paths: tuple[str, ...]
    files: tuple[str, ...]
    rounds: tuple[RoundReport, ...]
    memory: tuple[RootReport, ...]
    findings: tuple[Finding, ...]
    parts: tuple[Part, ...] = tuple(Part)
    disabled: tuple[Rule, ...] = ()
    strict: bool = False

    def number_of(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)

    @property
    def ok(self) -> bool:
        """Whether the check passes: no errors and, in a strict one, no warnings."""
        warnings = self.number_of(Severity.WARNING) if self.strict else 0
        return self.number_of(Severity.ERROR) + warnings == 0

    def restricted(self, selected: frozenset[Rule], *, strict: bool) -> Report:
        """This report with the findings of ``selected`` rules only. Verdicts on rounds stay."""
        unselected = {rule for rule in RULES.values() if rule not in selected}
        disabled = unselected | {*self.disabled}
        return self._replace(
            findings=tuple(f for f in self.findings if f.rule in selected),
            disabled=tuple(rule for rule in RULES.values() if rule in disabled),
            strict=strict,
        )
