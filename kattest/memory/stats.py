"""What a memory comes to: for people, and for the brain export (protocol, integration)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from kattest.instant import DAY, Instant
from kattest.jsondoc import JsonValue
from kattest.jsontext import Writable, rounded
from kattest.memory.index import Totals, totals_of
from kattest.memory.lifecycle import tier_of
from kattest.memory.model import Aggregate, AnyRecord, MemoryConfig, Tier
from kattest.memory.patterns import best_patterns
from kattest.memory.writing import average

WEEKS = 26  # of the trend: as long as records live by default
_WEEK = 7 * DAY
_FIRST = -102_730  # the first week that the calendar has whole, in the year 1
_MONDAY = 4 * DAY  # 1970-01-05, the first one


class Week(NamedTuple):
    """The records that were stored in one week. ``first`` is its Monday."""

    first: str
    size: int
    avg_reward: Decimal | None


class Stats(NamedTuple):
    """Numbers of records and their average rewards; ``trend`` by week, the last one that of now."""

    totals: Totals
    tiers: Mapping[Tier, int]
    trend: Sequence[Week]


def stats_of(records: Sequence[AnyRecord], config: MemoryConfig, as_of: Instant) -> Stats:
    """What ``records`` come to at ``as_of``."""
    tiers = dict.fromkeys(Tier, 0)
    for record in records:
        tier = tier_of(record, config, as_of)
        if tier:
            tiers[tier] += 1
    return Stats(totals_of(records), tiers, _trend(records, as_of))


def stats_document(stats: Stats) -> dict[str, Writable]:
    """``stats`` as a document."""
    totals = stats.totals
    return {
        "records": totals.record_count,
        "by_domain": _table(totals.by_domain),
        "by_phase": _table(totals.by_phase),
        "by_skill": _table(totals.by_skill),
        "by_tier": {tier.value: number for tier, number in stats.tiers.items()},
        "trend": [
            {
                "week": week.first,
                "count": week.size,
                "avg_reward": None if week.avg_reward is None else rounded(week.avg_reward, 4),
            }
            for week in stats.trend
        ],
    }


def reward_data(
    records: Sequence[AnyRecord], patterns: JsonValue, exported_from: str
) -> dict[str, Writable]:
    """The section of a brain export: aggregates and patterns, and no record."""
    totals = totals_of(records)
    return {
        "reward_data": {
            "total_records": totals.record_count,
            "domains": sorted(totals.by_domain),
            "phase_averages": {
                phase: rounded(aggregate.avg_reward or Decimal(0), 2)
                for phase, aggregate in sorted(totals.by_phase.items())
            },
            "top_patterns": best_patterns(patterns),
            "exported_from": exported_from,
        }
    }


def _table(table: Mapping[str, Aggregate]) -> dict[str, Writable]:
    return {
        key: {"count": aggregate.size, "avg_reward": average(aggregate)}
        for key, aggregate in sorted(table.items())
    }


def _trend(records: Sequence[AnyRecord], as_of: Instant) -> list[Week]:
    rewards: defaultdict[int, list[Decimal]] = defaultdict(list)
    for record in records:
        stored = record.timestamp.instant if record.timestamp else None
        if stored and record.reward:
            rewards[_week(stored)].append(record.reward.value)
    last = _week(as_of)
    return [
        Week(
            Instant(week * _WEEK + _MONDAY).isoformat()[:10],
            len(given),
            sum(given, Decimal(0)) / len(given) if given else None,
        )
        for week in range(max(last - WEEKS + 1, _FIRST), last + 1)
        for given in (rewards.get(week, []),)
    ]


def _week(moment: Instant) -> int:
    return (moment.seconds - _MONDAY) // _WEEK
