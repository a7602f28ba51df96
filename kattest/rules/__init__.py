"""Every rule, one module per subject. To find one by its code, search this folder for it."""

from __future__ import annotations

from collections.abc import Mapping

from kattest.finding import Rule
from kattest.rules import (
    artifacts,
    chain,
    documents,
    panels,
    rationales,
    rounds,
    scores,
    times,
)
from kattest.rules.base import Check
from kattest.rules.subjects import DocumentSubject, FileSubject, RoundSubject

DOCUMENT_CHECKS: tuple[Check[DocumentSubject], ...] = documents.CHECKS
FILE_CHECKS: tuple[Check[FileSubject], ...] = rounds.CHECKS
ROUND_CHECKS: tuple[Check[RoundSubject], ...] = (
    *chain.CHECKS,
    *times.CHECKS,
    *artifacts.CHECKS,
    *panels.CHECKS,
    *scores.CHECKS,
    *rationales.CHECKS,
)


_ALL = (
    *(check.rule for check in DOCUMENT_CHECKS),
    *(check.rule for check in FILE_CHECKS),
    *(check.rule for check in ROUND_CHECKS),
)

RULES: Mapping[str, Rule] = {rule.code: rule for rule in sorted(_ALL, key=lambda r: r.code)}
"""Every rule by its code, in the order of the codes."""


def matching(prefix: str) -> tuple[Rule, ...]:
    """The rules whose code begins with ``prefix``, letter case aside."""
    return tuple(rule for code, rule in RULES.items() if code.startswith(prefix.upper()))
