"""Compare trees in memory with published ones: what the tests of the history do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from kattest.config import Config
from kattest.engine import check
from kattest.result import Part, Report
from kattest.tree import Base, Kind, MemoryTree
from tests.unit.remembering import instant

NOW = datetime(2026, 3, 3, tzinfo=UTC)


def compare(
    files: Mapping[str, bytes],
    *bases: Mapping[str, bytes],
    at: datetime = NOW,
    kinds: Mapping[str, Kind] | None = None,
    parts: Sequence[Part] = tuple(Part),
) -> Report:
    """The report on a tree that should still have what ``bases`` have."""
    published = [Base(MemoryTree(base)) for base in bases]
    tree = MemoryTree(files, kinds)
    return check(
        tree, None, Config(), instant(at), others=published, skips_published=True, parts=parts
    )


def of_history(report: Report) -> list[str]:
    """The codes of the findings that only the published state gives."""
    return [f.rule.code for f in report.findings if f.rule.code.startswith("KA5")]
