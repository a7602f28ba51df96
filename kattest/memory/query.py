"""``memory_query``: which records are worth reading, and the answer they make (protocol, 1 to 9).

The steps are those of the protocol's algorithm. Whoever asks has done steps 1, 5 and 6 (is there a
memory, archive, purge); steps 2 and 3 differ only in where the entries come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kattest.fields import TEXT, FieldFaults, Shape, shown
from kattest.instant import Instant, Timestamp
from kattest.jsondoc import JsonValue
from kattest.jsontext import Writable
from kattest.memory.catalogue import stored_at
from kattest.memory.lifecycle import compress
from kattest.memory.model import AnyRecord, IndexEntry, MemoryConfig, Record
from kattest.memory.patterns import patterns_of

_QUESTION = Shape(
    {"phase": TEXT, "domain": TEXT, "slug": TEXT, "skill": TEXT}, optional=("slug", "skill")
)


class Question(NamedTuple):
    """What a phase asks for: the lessons of all cases of its domain, in the same phase."""

    domain: str
    phase: str


def question_in(value: JsonValue) -> tuple[Question | None, tuple[str, ...]]:
    """The question of a document, or what is wrong with it.

    ``slug`` and ``skill`` belong to the protocol's input; none of its steps uses them.
    """
    if not isinstance(value, dict):
        return None, (f"a question must be an object, not {shown(value)}",)
    faults = FieldFaults()
    phase, domain, _, _ = _QUESTION.read(value, "", faults)
    if faults.all():
        return None, tuple(fault.message for fault in faults.all())
    return Question(domain, phase), ()


def files_worth_reading(
    entries: Iterable[IndexEntry], question: Question, as_of: Instant
) -> list[str]:
    """The files that a question is about, the best first: steps 2, 4 and 7.

    Active records go before archived ones, then by reward, then the newest. What has expired is
    left out.
    """
    asked = [
        entry
        for entry in entries
        if entry.domain == question.domain
        and entry.phase == question.phase
        and not _has_expired(entry.expires_at, as_of)
    ]
    asked.sort(key=_rank)
    return [entry.file for entry in asked if entry.file]


def answer(
    records: Sequence[AnyRecord], question: Question, patterns: JsonValue, limit: int
) -> dict[str, Writable]:
    """The protocol's output: steps 7 to 9. ``patterns`` is their document, None without one."""
    best = sorted(records, key=_order)[:limit]
    return {
        "records": [_shown(record) for record in best],
        "patterns": patterns_of(patterns, question.domain),
        "count": len(best),
        "domain": question.domain,
    }


def nothing(question: Question) -> dict[str, Writable]:
    """The answer of a memory that is switched off, or is not there."""
    return {"records": [], "patterns": [], "count": 0, "domain": question.domain}


def has_expired(record: AnyRecord, config: MemoryConfig, as_of: Instant) -> bool:
    """Whether a record's own date of expiry has passed: step 4."""
    if not isinstance(record, Record) or not config.expires:
        return False
    return _has_expired(record.expires_at, as_of)


def can_be_shown(record: AnyRecord) -> bool:
    """Whether a record has everything that an answer says of it."""
    return None not in _shown(record).values()


def _has_expired(expires_at: Timestamp | None, as_of: Instant) -> bool:
    return bool(expires_at and expires_at.instant and expires_at.instant < as_of)


def _rank(entry: IndexEntry) -> tuple[object, ...]:
    stored = stored_at(entry.file or "")
    reward = entry.reward.value if entry.reward else 0
    return entry.tier == "cold", -reward, -(stored.seconds if stored else 0), entry.file


def _order(record: AnyRecord) -> tuple[object, ...]:
    stored = record.timestamp.instant if record.timestamp else None
    reward = record.reward.value if record.reward else 0
    return record.is_archived, -reward, -(stored.seconds if stored else 0), record.file


def _shown(record: AnyRecord) -> Mapping[str, Writable]:
    cold = compress(record, Timestamp("", None)) if isinstance(record, Record) else record
    return {
        "case_slug": record.slug,
        "phase": record.phase,
        "reward": record.reward,
        "reward_label": record.label,
        "skill_used": record.skill,
        "outcome_summary": cold.summary,
        "timestamp": record.timestamp.text if record.timestamp else None,
    }
