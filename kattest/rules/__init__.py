"""Every rule, one module per subject. To find one by its code, search this folder for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kattest.finding import Rule
from kattest.rules import (
    artifacts,
    chain,
    configuration,
    documents,
    index,
    lifecycle,
    memory_files,
    panels,
    rationales,
    record_history,
    records,
    round_history,
    rounds,
    scores,
    times,
)
from kattest.rules.base import Check
from kattest.rules.subjects import (
    ConfigSubject,
    DocumentSubject,
    FileSubject,
    MemorySubject,
    RoundSubject,
)

if TYPE_CHECKING:  # start-up: only a comparison that has something to say needs them
    from kattest.rules.history_subjects import RecordHistory, RoundHistory

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
MEMORY_CHECKS: tuple[Check[MemorySubject], ...] = (
    *memory_files.CHECKS,
    *records.CHECKS,
    *index.CHECKS,
    *lifecycle.CHECKS,
)
ROUND_HISTORY_CHECKS: tuple[Check[RoundHistory], ...] = round_history.CHECKS
RECORD_HISTORY_CHECKS: tuple[Check[RecordHistory], ...] = record_history.CHECKS
CONFIG_CHECKS: tuple[Check[ConfigSubject], ...] = configuration.CHECKS

_OF_BOTH = frozenset(
    (*(check.rule for check in DOCUMENT_CHECKS), *(check.rule for check in CONFIG_CHECKS))
)
_OF_MEMORY = frozenset(
    (*(check.rule for check in MEMORY_CHECKS), *(check.rule for check in RECORD_HISTORY_CHECKS))
)

_ALL = (
    *(check.rule for check in FILE_CHECKS),
    *(check.rule for check in ROUND_CHECKS),
    *(check.rule for check in ROUND_HISTORY_CHECKS),
    *_OF_BOTH,
    *_OF_MEMORY,
)

RULES: Mapping[str, Rule] = {rule.code: rule for rule in sorted(_ALL, key=lambda r: r.code)}
"""Every rule by its code, in the order of the codes."""

ATTESTATION_RULES = frozenset(_ALL) - _OF_MEMORY
"""The rules by which judge attestations are judged."""

MEMORY_RULES = _OF_BOTH | _OF_MEMORY
"""The rules by which memory trees are judged."""


def matching(prefix: str) -> tuple[Rule, ...]:
    """The rules whose code begins with ``prefix``, letter case aside."""
    return tuple(rule for code, rule in RULES.items() if code.startswith(prefix.upper()))
