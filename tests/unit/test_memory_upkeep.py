"""What is due in a memory: to the second, and not where a clock may be wrong."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from kattest.instant import Instant
from kattest.memory.lifecycle import overdue
from kattest.memory.upkeep import Due, due, purge_refusal
from tests.support.memory import CONFIG, CONFIG_1_0, STORED, archive, file_of, make_record
from tests.unit.remembering import cold_of, instant, record_of, rules_of
from tests.unit.writing import RULES, model_of

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
RECORD = make_record()
COLD = archive(RECORD, STORED + 91 * DAY)


def due_at(document: dict[str, Any], age: timedelta, config: dict[str, Any] = CONFIG) -> str:
    """What is due of one record at an age."""
    plan = due([model_of(document)], rules_of(config), instant(STORED + age))
    return ", ".join(name for name in Due._fields if getattr(plan, name))


@pytest.mark.parametrize(
    ("document", "age", "expected"),
    [
        (RECORD, 0 * DAY, ""),
        (RECORD, -DAY, ""),
        (RECORD, 90 * DAY - SECOND, ""),
        (RECORD, 90 * DAY, ""),
        (RECORD, 90 * DAY + SECOND, "archive"),
        (RECORD, 180 * DAY, "archive"),
        (RECORD, 180 * DAY + SECOND, "purge"),
        (COLD, 90 * DAY, ""),
        (COLD, 180 * DAY, ""),
        (COLD, 180 * DAY + SECOND, "purge"),
    ],
)
def test_a_bound_belongs_to_the_younger_tier(
    document: dict[str, Any], age: timedelta, expected: str
) -> None:
    assert due_at(document, age) == expected


def test_a_part_of_a_second_past_the_bound_counts_as_it_does_for_the_rules() -> None:
    moment = instant(STORED + 90 * DAY)._replace(fraction="9")
    [(record, cold)] = due([record_of(RECORD)], RULES, moment).archive
    assert overdue(record, RULES, moment, 0) is not None
    assert overdue(cold, RULES, moment, 0) is None


def test_a_record_with_a_fraction_is_due_a_fraction_later() -> None:
    late = RECORD | {"timestamp": "2026-03-01T12:30:00.5Z"}
    assert due_at(late, 90 * DAY) == ""
    assert due_at(late, 90 * DAY + SECOND) == "archive"


def test_what_is_archived_is_what_the_protocol_compresses() -> None:
    moment = STORED + 100 * DAY
    plan = due([record_of(RECORD)], RULES, instant(moment))
    assert plan.archive == ((record_of(RECORD), cold_of(archive(RECORD, moment))),)


def test_a_summary_is_cut_to_200_code_points() -> None:
    long = RECORD | {"reward_reason": "я😀" * 120}
    [(_, cold)] = due([record_of(long)], RULES, instant(STORED + 100 * DAY)).archive
    assert cold.summary == "я😀" * 100


@pytest.mark.parametrize(
    ("config", "days", "age", "expected"),
    [
        (CONFIG_1_0, 90, 90 * DAY, ""),
        (CONFIG_1_0, 90, 90 * DAY + SECOND, "purge"),
        (CONFIG_1_0, 7, 7 * DAY + SECOND, "purge"),  # its own date counts
        (CONFIG_1_0 | {"retention_days": 7}, 90, 90 * DAY, ""),
        (CONFIG_1_0 | {"retention_days": 0}, 90, 9999 * DAY, ""),
        (CONFIG_1_0 | {"retention_days": 0}, 0, 9999 * DAY, ""),
        (CONFIG_1_0, 0, 9999 * DAY, ""),
    ],
)
def test_without_tiers_a_record_goes_after_its_own_date(
    config: dict[str, Any], days: int, age: timedelta, expected: str
) -> None:
    assert due_at(make_record(version="1.0", days=days), age, config) == expected


def test_where_the_configuration_cannot_be_known_nothing_is_due() -> None:
    broken = CONFIG | {"tier_hot_days": 90, "tier_warm_days": 30}
    assert due_at(RECORD, 9999 * DAY, broken) == ""


@pytest.mark.parametrize(
    "name", ["domain", "skill_used", "reward", "reward_label", "reward_reason"]
)
def test_a_record_that_lacks_something_is_kept(name: str) -> None:
    lacking = {key: value for key, value in RECORD.items() if key != name}
    record = record_of(lacking, file_of(RECORD))
    plan = due([record], RULES, instant(STORED + 100 * DAY))
    assert plan == Due((), (), (record,))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "else"},
        {"id": None},
        {"case_slug": "else"},
        {"phase": "else"},
        {"timestamp": "2026-03-01T12:30:01Z"},
    ],
)
def test_a_record_whose_names_disagree_is_kept(change: dict[str, Any]) -> None:
    record = record_of(RECORD | change, file_of(RECORD))
    plan = due([record], RULES, instant(STORED + 100 * DAY))
    assert plan == Due((), (), (record,))


def test_a_record_without_a_time_is_never_due() -> None:
    for time in (None, "yesterday"):
        record = record_of(RECORD | {"timestamp": time}, file_of(RECORD))
        assert due([record], RULES, instant(STORED + 9999 * DAY)) == Due((), (), ())


@pytest.mark.parametrize(
    ("going", "total", "newest", "expected"),
    [
        (0, 10, 0, None),
        (0, 0, None, None),
        (0, 10, 999, None),  # nothing goes: the clock does not matter
        (1, 10, 100, None),
        (1, 10, 101, "the clock is not to be trusted"),
        (1, 10, None, None),
        (5, 10, 0, None),
        (6, 10, 0, "6 of 10 records"),
        (1, 1, 0, "1 of 1 record would"),
        (1, 2, 0, None),
        (2, 3, 0, "more than 50%"),
    ],
)
def test_a_person_decides_where_a_wrong_clock_may_be_the_reason(
    going: int, total: int, newest: int | None, expected: str | None
) -> None:
    moment = None if newest is None else Instant(newest)
    said = purge_refusal(going, total, moment, Instant(100))
    if expected is None:
        assert said is None
    else:
        assert said is not None
        assert expected in said


def test_a_clock_in_the_second_of_the_newest_record_is_trusted() -> None:
    assert purge_refusal(1, 10, Instant(100, "9"), Instant(100, "1")) is None
