"""What a memory comes to, beside plain recomputation."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from statistics import mean
from typing import Any

import pytest

from kattest.jsondoc import parse
from kattest.jsontext import render
from kattest.memory.index import build_index
from kattest.memory.parsing import parse_index
from kattest.memory.stats import WEEKS, reward_data, stats_document, stats_of
from kattest.memory.writing import index_document
from tests.support.memory import CONFIG_1_0, STORED, archive, make_record
from tests.unit.remembering import instant, read, record_of, rules_of
from tests.unit.test_memory_patterns import FAST, SLOW
from tests.unit.writing import RULES, model_of

DAY = timedelta(days=1)


def some_records(seed: int) -> list[dict[str, Any]]:
    """Records of many kinds and ages, every third of them archived."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    made = []
    for number in range(60):
        at = STORED - timedelta(seconds=chance.randrange(200 * 86_400))
        record = make_record(
            f"case-{number}",
            chance.choice(["phase-0", "phase-2", "phase-2.5"]),
            at,
            domain=chance.choice(["banking", "retail", "space"]),
            skill=chance.choice(["explore", "goap"]),
            reward=chance.randrange(0, 1001) / 1000,
        )
        made.append(archive(record, at + 91 * DAY) if number % 3 == 0 else record)
    return made


def average(records: list[dict[str, Any]]) -> float:
    return float(mean(record["reward"] for record in records))


def by(name: str, records: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups = defaultdict(list)
    for record in records:
        groups[record[name]].append(record)
    return groups


def monday(record_or_now: dict[str, Any] | datetime) -> str:
    """The Monday of its week."""
    moment = record_or_now
    if not isinstance(moment, datetime):
        text = moment.get("original_timestamp") or moment["timestamp"]
        moment = datetime.fromisoformat(text)
    return (moment - timedelta(days=moment.weekday())).date().isoformat()


@pytest.mark.parametrize("seed", range(3))
def test_numbers_and_averages_are_those_of_the_records(seed: int) -> None:
    records = some_records(seed)
    said: Any = stats_document(stats_of([*map(model_of, records)], RULES, instant(STORED)))
    assert said["records"] == len(records)
    for table, name in (
        ("by_domain", "domain"),
        ("by_phase", "phase"),
        ("by_skill", "skill_used"),
    ):
        groups = by(name, records)
        assert [*said[table]] == sorted(groups)
        for key, group in groups.items():
            assert said[table][key]["count"] == len(group)
            assert float(said[table][key]["avg_reward"].lexeme) == pytest.approx(
                average(group), abs=0.00005001
            )


@pytest.mark.parametrize("seed", range(3))
def test_tiers_are_those_of_age(seed: int) -> None:
    records = some_records(seed)
    expected = dict.fromkeys(("hot", "warm", "cold", "purge"), 0)
    for record in records:
        text = record.get("original_timestamp") or record["timestamp"]
        days = (STORED - datetime.fromisoformat(text)) / DAY
        bounds = (("hot", 30), ("warm", 90), ("cold", 180))
        expected[next((name for name, most in bounds if days <= most), "purge")] += 1
    said: Any = stats_document(stats_of([*map(model_of, records)], RULES, instant(STORED)))
    assert said["by_tier"] == expected
    assert [*said["by_tier"]] == ["hot", "warm", "cold", "purge"]


@pytest.mark.parametrize(
    "now",
    [
        STORED,
        datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC),  # a Sunday
        datetime(2026, 3, 2, tzinfo=UTC),  # a Monday
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(2024, 2, 29, 12, tzinfo=UTC),
    ],
)
def test_the_trend_is_of_26_weeks_that_begin_on_monday(now: datetime) -> None:
    records = [
        record | {"reward": record["reward"]}
        for days in range(0, 400, 5)
        for record in [make_record(at=now - days * DAY, reward=days % 11 / 10)]
    ]
    edge = datetime.fromisoformat(monday(now)).replace(tzinfo=UTC)
    records += [make_record("edge", at=edge - timedelta(seconds=1), reward=1.0)]
    records += [make_record("edge", at=edge, reward=0.0)]
    trend = stats_of([*map(model_of, records)], RULES, instant(now)).trend
    assert len(trend) == WEEKS == 26
    first = datetime.fromisoformat(monday(now))
    weeks = [(first - number * 7 * DAY).date().isoformat() for number in reversed(range(WEEKS))]
    assert [week.first for week in trend] == weeks
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        groups[monday(record)].append(record)
    for week in trend:
        assert week.size == len(groups[week.first])
        if week.size:
            assert float(week.avg_reward or 0) == pytest.approx(average(groups[week.first]))
        else:
            assert week.avg_reward is None


def test_a_week_without_records_has_no_average() -> None:
    said: Any = stats_document(stats_of([], RULES, instant(STORED)))
    assert said["records"] == 0
    assert {(week["count"], week["avg_reward"]) for week in said["trend"]} == {(0, None)}
    assert said["by_domain"] == {}


def test_without_tiers_a_record_is_hot_until_it_expires() -> None:
    records = [record_of(make_record(version="1.0", days=days)) for days in (1, 90)]
    said = stats_of(records, rules_of(CONFIG_1_0), instant(STORED + 2 * DAY))
    assert {tier.value: number for tier, number in said.tiers.items() if number} == {
        "hot": 1,
        "purge": 1,
    }


@pytest.mark.parametrize("seed", range(3))
def test_an_export_holds_aggregates_and_no_record(seed: int) -> None:
    records = some_records(seed)
    exported: Any = reward_data(
        [*map(model_of, records)], read({"banking": [SLOW], "retail": [FAST]}), "memory/"
    )
    [data] = exported.values()
    assert [*exported] == ["reward_data"]
    assert [*data] == [
        *("total_records", "domains", "phase_averages", "top_patterns", "exported_from")
    ]
    assert data["total_records"] == len(records)
    assert data["domains"] == sorted(by("domain", records))
    groups = by("phase", records)
    assert [*data["phase_averages"]] == sorted(groups)
    for phase, group in groups.items():
        found = float(data["phase_averages"][phase].lexeme)
        assert found == pytest.approx(average(group), abs=0.005001)
    assert [one["pattern_id"] for one in data["top_patterns"]] == [
        "retail-fast",
        SLOW["pattern_id"],
    ]
    assert data["exported_from"] == "memory/"
    assert not any(record["id"].encode() in render(exported) for record in records)


def test_an_empty_memory_can_be_exported() -> None:
    exported: Any = reward_data([], None, "m/")
    assert exported["reward_data"] == {
        "total_records": 0,
        "domains": [],
        "phase_averages": {},
        "top_patterns": [],
        "exported_from": "m/",
    }


@pytest.mark.parametrize("reward", [1e300, -1e300, 1e-300, 1e25])
def test_a_reward_beyond_all_measure_is_still_counted(reward: float) -> None:
    records = [record_of(make_record(reward=reward)), record_of(make_record("b", reward=0.5))]
    assert stats_document(stats_of(records, RULES, instant(STORED)))["records"] == 2
    assert parse(render(reward_data(records, None, "m/")))
    index = parse(index_document(build_index(records, RULES, instant(STORED)))).value
    assert parse_index(index, lasting=True).faults == ()


def test_a_record_without_reward_or_time_is_only_counted() -> None:
    bare = make_record() | {"reward": None, "timestamp": None}
    said: Any = stats_document(stats_of([record_of(bare, "a/b/c.json")], RULES, instant(STORED)))
    assert said["records"] == 1
    assert said["by_domain"] == {}
    assert sum(week["count"] for week in said["trend"]) == 0
