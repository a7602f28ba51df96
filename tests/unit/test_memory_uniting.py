"""Indexes of two branches become one; two archivings of one record are told apart from a change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from kattest.memory.model import Index
from kattest.memory.parsing import parse_index
from kattest.memory.uniting import is_one_archiving, unite_indexes, was_archived_first
from tests.support.memory import STORED, archive, file_of, make_index, make_record
from tests.unit.remembering import cold_of, read

DAY = timedelta(days=1)


def index_with(
    *records: dict[str, Any],
    tiers: Mapping[str, str] | None = None,
    updated: datetime | None = STORED,
) -> Index:
    return parse_index(read(make_index(records, tiers=tiers, updated=updated)), lasting=True).model


ONE, TWO, THREE = (make_record(slug, reward=r) for slug, r in (("a", 1.0), ("b", 0.7), ("c", 0.0)))
COLD = archive(ONE, STORED + 91 * DAY)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ([ONE], [ONE, TWO], [ONE, THREE], [ONE, TWO, THREE]),
        ([ONE, TWO], [ONE], [ONE, TWO], [ONE]),  # ours purged it
        ([ONE, TWO], [ONE], [TWO], []),
        ([ONE], [COLD], [ONE], [COLD]),  # ours archived it
        ([ONE], [ONE, TWO], [COLD], [COLD, TWO]),
        ([ONE], [COLD], [COLD], [COLD]),
        ([], [ONE], [COLD], [COLD]),  # active and archived: the archive counts
        ([], [TWO], [TWO], [TWO]),
        ([], [], [], []),
    ],
)
def test_a_record_is_there_where_neither_branch_removed_it(
    base: list[Any], ours: list[Any], theirs: list[Any], expected: list[Any]
) -> None:
    wanted = make_index(expected)
    for one, other in ((ours, theirs), (theirs, ours)):
        united = unite_indexes(index_with(*base), index_with(*one), index_with(*other))
        files = {key: entry.file for key, entry in (united.records or {}).items()}
        assert files == {record["id"]: file_of(record) for record in expected}
        assert united.record_count == len(expected)
        for name in ("by_domain", "by_phase", "by_skill"):
            table = getattr(united, name)
            assert {key: said.size for key, said in table.items()} == {
                key: said["count"] for key, said in wanted[name].items()
            }
            for key, said in table.items():
                mean = Decimal(str(wanted[name][key]["avg_reward"]))
                assert abs(said.avg_reward - mean) <= Decimal("0.005")


def test_without_a_base_everything_is_new() -> None:
    united = unite_indexes(None, index_with(ONE), index_with(TWO))
    assert {*(united.records or {})} == {ONE["id"], TWO["id"]}


def test_a_record_that_one_branch_calls_warm_is_warm() -> None:
    warm, hot = index_with(ONE, tiers={ONE["id"]: "warm"}), index_with(ONE)
    for ours, theirs in ((warm, hot), (hot, warm)):
        records = unite_indexes(hot, ours, theirs).records or {}
        assert records[ONE["id"]].tier == "warm"


def test_the_later_time_of_writing_counts() -> None:
    early, late = (index_with(ONE, updated=STORED + days * DAY) for days in (1, 2))
    assert unite_indexes(None, early, late).last_updated == late.last_updated
    assert unite_indexes(None, late, early).last_updated == late.last_updated


def test_two_archivings_of_one_record_differ_only_in_when() -> None:
    early, late = (cold_of(archive(ONE, STORED + days * DAY)) for days in (91, 92))
    assert is_one_archiving(early, late)
    assert was_archived_first(early, late)
    assert not was_archived_first(late, early)
    assert was_archived_first(early, early)


@pytest.mark.parametrize(
    "change", [{"summary": "else"}, {"reward": 0.3}, {"promise_tag": None}, {"slug": "z"}]
)
def test_an_archived_record_that_says_something_else_is_no_second_archiving(
    change: dict[str, Any],
) -> None:
    other = archive(ONE, STORED + 92 * DAY) | change
    assert not is_one_archiving(cold_of(COLD), cold_of(other, file_of(COLD)))
