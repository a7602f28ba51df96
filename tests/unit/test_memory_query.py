"""Which records are worth reading, and the answer that they make."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from kattest.memory.query import (
    Question,
    answer,
    files_worth_reading,
    has_expired,
    nothing,
    question_in,
)
from tests.support.memory import CONFIG_1_0, STORED, archive, file_of, make_record
from tests.unit.remembering import instant, read, record_of, rules_of
from tests.unit.test_memory_patterns import FAST, SLOW
from tests.unit.test_memory_uniting import index_with
from tests.unit.writing import RULES, model_of

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
NOW = STORED
ASKED = Question("banking", "phase-2")


def record_at(slug: str, days: int, reward: float, **more: Any) -> dict[str, Any]:
    return make_record(slug, at=NOW - days * DAY, reward=reward, **more)


def cold(slug: str, days: int, reward: float) -> dict[str, Any]:
    return archive(record_at(slug, days, reward), NOW - (days - 91) * DAY)


RANKED = [
    record_at("best-new", 1, 1.0),
    record_at("best-old", 80, 1.0),
    record_at("good-new", 2, 0.7),
    record_at("good-old", 3, 0.7),
    record_at("failed", 0, 0.0),
    cold("cold-best", 100, 1.0),
    cold("cold-good", 95, 0.7),
    cold("cold-older", 96, 0.7),
]
OTHERS = [
    record_at("other-phase", 1, 1.0, phase="phase-0"),
    record_at("other-domain", 1, 1.0, domain="retail"),
    record_at("expired", 181, 1.0),
]


def files(*records: dict[str, Any], at: timedelta = 0 * DAY) -> list[str]:
    entries = (index_with(*records).records or {}).values()
    return files_worth_reading(entries, ASKED, instant(NOW + at))


def test_active_records_come_first_then_the_best_then_the_newest() -> None:
    mixed = [*OTHERS, *reversed(RANKED)]
    assert files(*mixed) == [file_of(record) for record in RANKED]


def test_a_record_expires_after_its_date_and_not_on_it() -> None:
    record = record_at("a", 0, 1.0)
    assert files(record, at=180 * DAY) == [file_of(record)]
    assert files(record, at=180 * DAY + SECOND) == []


def test_a_record_that_never_expires_is_always_there() -> None:
    record = make_record("a", at=NOW, version="1.0", days=0)
    assert files(record, at=99_999 * DAY) == [file_of(record)]


@pytest.mark.parametrize("limit", [1, 4, 8, 100])
def test_an_answer_has_the_best_up_to_the_limit(limit: int) -> None:
    models = [model_of(record) for record in reversed(RANKED)]
    said: Any = answer(models, ASKED, None, limit)
    expected = [record.get("case_slug") or record["slug"] for record in RANKED][:limit]
    assert [one["case_slug"] for one in said["records"]] == expected
    assert said["count"] == len(expected)


def test_an_answer_has_the_fields_of_the_protocol() -> None:
    record, old = record_at("a", 1, 1.0), cold("b", 100, 0.7)
    said: Any = answer(
        [model_of(old), model_of(record)], ASKED, read({"patterns": [SLOW, FAST]}), 10
    )
    assert [*said] == ["records", "patterns", "count", "domain"]
    assert said["domain"] == "banking"
    assert said["patterns"] == [read(SLOW)]
    summary = archive(record, NOW)["summary"]
    assert said["records"] == [
        {
            "case_slug": "a",
            "phase": "phase-2",
            "reward": read(1.0),
            "reward_label": "excellent",
            "skill_used": "goap-research-ed25519",
            "outcome_summary": summary,
            "timestamp": record["timestamp"],
        },
        {
            "case_slug": "b",
            "phase": "phase-2",
            "reward": read(0.7),
            "reward_label": "good",
            "skill_used": "goap-research-ed25519",
            "outcome_summary": old["summary"],
            "timestamp": old["original_timestamp"],
        },
    ]
    assert [*said["records"][0]] == [*said["records"][1]]


def test_a_memory_that_is_switched_off_answers_nothing() -> None:
    assert nothing(ASKED) == {"records": [], "patterns": [], "count": 0, "domain": "banking"}
    assert answer([], ASKED, None, 10) == nothing(ASKED)


@pytest.mark.parametrize(
    ("config", "version", "days", "after", "expected"),
    [
        ({}, "1.1", 180, 180 * DAY, False),
        ({}, "1.1", 180, 180 * DAY + SECOND, True),
        (CONFIG_1_0, "1.0", 90, 90 * DAY + SECOND, True),
        (CONFIG_1_0, "1.0", 0, 9999 * DAY, False),
        (CONFIG_1_0 | {"retention_days": 0}, "1.0", 90, 9999 * DAY, False),
    ],
)
def test_a_records_own_date_decides_whether_it_has_expired(
    config: dict[str, Any], version: str, days: int, after: timedelta, *, expected: bool
) -> None:
    record = record_of(make_record(version=version, days=days))
    rules = rules_of(config) if config else RULES
    assert has_expired(record, rules, instant(STORED + after)) is expected


def test_an_archived_record_has_no_date_of_its_own() -> None:
    assert not has_expired(model_of(cold("a", 100, 1.0)), RULES, instant(NOW + 9999 * DAY))


@pytest.mark.parametrize("more", [{}, {"slug": "x"}, {"skill": "y"}, {"slug": "x", "skill": "y"}])
def test_a_question_names_phase_and_domain(more: dict[str, str]) -> None:
    asked = {"phase": "phase-2", "domain": "banking"} | more
    assert question_in(read(asked)) == (ASKED, ())


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({}, ["phase", "domain"]),
        ({"phase": "p"}, ["domain"]),
        ({"phase": 7, "domain": "d"}, ["phase"]),
        ({"phase": "p", "domain": None}, ["domain"]),
        ({"phase": "p", "domain": "d", "slug": 7}, ["slug"]),
        ({"phase": "p", "domain": "d", "limit": 7}, ["limit"]),
    ],
)
def test_what_is_amiss_in_a_question_is_named(document: Any, named: list[str]) -> None:
    question, faults = question_in(read(document))
    assert question is None
    assert len(faults) == len(named)
    assert all(f'"{name}"' in fault for name, fault in zip(named, faults, strict=True))


@pytest.mark.parametrize("document", [None, [], "banking", 7])
def test_what_is_no_object_is_no_question(document: Any) -> None:
    question, [fault] = question_in(read(document))
    assert question is None
    assert "must be an object" in fault
