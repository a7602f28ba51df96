"""Judge bytes in memory: what most tests of the core do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kattest.config import Config
from kattest.engine import check
from kattest.finding import Severity
from kattest.instant import Instant
from kattest.result import Report
from kattest.tree import Kind, MemoryTree
from tests.support.rounds import ARTIFACT, dumps

FILE = ".judge-attestations.json"
AS_OF = Instant(1_772_366_400)  # 2026-03-01T12:00:00Z


def judge(
    data: bytes,
    *,
    config: Config | None = None,
    path: str = FILE,
    files: Mapping[str, bytes] | None = None,
    kinds: Mapping[str, Kind] | None = None,
) -> Report:
    """The report on an attestation file with these bytes, beside ``files`` (the artifact alone)."""
    others = {"SKILL.md": ARTIFACT} if files is None else files
    tree = MemoryTree({path: data, **others}, kinds)
    return check(tree, None, config or Config(), AS_OF)


def judge_rounds(*rounds: dict[str, Any], config: Config | None = None) -> Report:
    """The report on an attestation file with these rounds, beside their artifact."""
    return judge(dumps(*rounds), config=config)


def codes(report: Report) -> list[str]:
    """The codes of all findings, sorted, repeated ones repeated."""
    return sorted(finding.rule.code for finding in report.findings)


def errors(report: Report) -> set[str]:
    """The codes of the findings that are errors."""
    return {f.rule.code for f in report.findings if f.severity is Severity.ERROR}
