"""What of an index still stands, told by the names of files alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from kattest.instant import Instant
from kattest.memory.catalogue import (
    Catalogue,
    compare,
    index_of,
    is_outdated,
    kept_twice,
    newest_change,
    says_the_same,
    stored_at,
)
from kattest.memory.index import build_index
from kattest.memory.layout import lay_out
from kattest.memory.model import AnyRecord, Index
from kattest.memory.parsing import parse_index
from tests.support.memory import CONFIG, ROOT, STORED, archive, file_of, make_index, make_record
from tests.unit.remembering import cold_of, instant, read, record_of
from tests.unit.test_memory_uniting import index_with
from tests.unit.writing import RULES, model_of

DAY = timedelta(days=1)
NOW = instant(STORED)
ONE, TWO = make_record("a"), make_record("b", reward=1.0)
COLD = archive(make_record("c", at=STORED - 100 * DAY), STORED)
HERE = [file_of(record) for record in (ONE, TWO, COLD)]


def compared(index: Index | None, *files: str) -> Catalogue:
    return compare(index, lay_out(ROOT, ["config.json", "index.json", *files]))


def entries_with(**changes: Any) -> Index:
    """An index of one record, whose entry says something else."""
    document = make_index([ONE])
    document["records"][ONE["id"]] |= changes
    return parse_index(read(document), lasting=True).model


def test_an_index_of_what_is_there_stands() -> None:
    catalogue = compared(index_with(ONE, TWO, COLD), *HERE)
    assert [*catalogue.entries] == [ONE["id"], TWO["id"], COLD["id"]]
    assert catalogue.unlisted == ()


def test_without_an_index_nothing_is_listed() -> None:
    assert compared(None, *HERE) == Catalogue({}, (*HERE,))


def test_an_entry_whose_file_is_gone_falls() -> None:
    catalogue = compared(index_with(ONE, TWO), file_of(TWO))
    assert [*catalogue.entries] == [TWO["id"]]
    assert catalogue.unlisted == ()


def test_a_file_without_an_entry_is_named() -> None:
    assert compared(index_with(TWO, COLD), *HERE).unlisted == (file_of(ONE),)


@pytest.mark.parametrize(
    "file", [None, "", "banking/a/else.json", "index.json", file_of(TWO), "../x", file_of(COLD)]
)
def test_an_entry_that_names_another_file_falls(file: Any) -> None:
    catalogue = compared(entries_with(file=file), *HERE)
    assert catalogue.entries == {}
    assert {*catalogue.unlisted} == {*HERE}


def test_an_entry_under_another_key_falls() -> None:
    document = make_index([ONE])
    document["records"] = {TWO["id"]: document["records"][ONE["id"]]}
    catalogue = compared(parse_index(read(document), lasting=True).model, file_of(ONE))
    assert catalogue == Catalogue({}, (file_of(ONE),))


@pytest.mark.parametrize("tier", ["cold", "hot"])
def test_an_entry_whose_tier_denies_where_its_file_is_falls(tier: str) -> None:
    record = ONE if tier == "cold" else COLD
    document = make_index([record])
    document["records"][record["id"]]["tier"] = tier
    catalogue = compared(parse_index(read(document), lasting=True).model, file_of(record))
    assert catalogue == Catalogue({}, (file_of(record),))


def test_a_record_that_is_active_and_archived_is_kept_twice() -> None:
    active = make_record("c", at=STORED - 100 * DAY)
    layout = lay_out(ROOT, [*HERE, file_of(active)])
    assert kept_twice(layout) == [(file_of(active), file_of(COLD))]
    assert kept_twice(lay_out(ROOT, HERE)) == []


def test_the_same_record_in_two_domains_is_not_kept_twice() -> None:
    other = make_record("c", at=STORED - 100 * DAY, domain="retail")
    assert kept_twice(lay_out(ROOT, [file_of(COLD), file_of(other)])) == []


@pytest.mark.parametrize("but_warm", [True, False])
@pytest.mark.parametrize(
    "change",
    [
        {"reward": 0.3},
        {"tier": "cold"},
        {"slug": "z"},
        {"skill": "z"},
        {"expires_at": "2027-01-01T00:00:00Z"},
        {"expires_at": None},
        {"file": "banking/z/phase-2_2026-03-01T12-30-00.json"},
    ],
)
def test_an_index_with_another_entry_says_something_else(
    change: dict[str, Any], *, but_warm: bool
) -> None:
    one, other = index_with(ONE), entries_with(**change)
    assert not says_the_same(one, other, but_warm=but_warm)
    assert not says_the_same(other, one, but_warm=but_warm)


def test_hot_for_warm_is_a_difference_only_where_tiers_count() -> None:
    hot, warm = index_with(ONE), entries_with(tier="warm")
    assert says_the_same(hot, warm, but_warm=True)
    assert not says_the_same(hot, warm, but_warm=False)
    assert says_the_same(warm, warm, but_warm=False)


def test_when_it_was_written_and_the_order_of_slugs_make_no_difference() -> None:
    document = make_index([ONE, TWO], updated=STORED + DAY)
    document["by_domain"]["banking"]["slugs"].reverse()
    other = parse_index(read(document), lasting=True).model
    assert says_the_same(index_with(ONE, TWO), other, but_warm=False)


@pytest.mark.parametrize(
    ("table", "key", "change"),
    [
        ("by_domain", "banking", {"count": 3}),
        ("by_domain", "banking", {"slugs": ["a"]}),
        ("by_phase", "phase-2", {"avg_reward": 0.86}),
        ("by_skill", "other", {"count": 0, "avg_reward": 0.0}),
    ],
)
def test_other_totals_say_something_else(table: str, key: str, change: dict[str, Any]) -> None:
    document = make_index([ONE, TWO])
    document[table][key] = document[table].get(key, {}) | change
    other = parse_index(read(document), lasting=True).model
    assert not says_the_same(index_with(ONE, TWO), other, but_warm=True)


def test_a_count_that_is_wrong_says_something_else() -> None:
    one = index_with(ONE)
    assert not says_the_same(one, one._replace(record_count=2), but_warm=True)


def test_an_index_is_the_one_of_entries_and_of_records_beside_them() -> None:
    models = [model_of(record) for record in (ONE, TWO, COLD)]
    entries = build_index(models[:1], RULES, NOW).records or {}
    short = index_of(entries, models[1:], RULES, NOW)
    assert short == build_index(models, RULES, NOW)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("banking/a/phase-2_2026-03-01T12-30-00.json", NOW),
        ("banking/_archive/a/phase-2_2026-03-01T12-30-00.json", NOW),
        ("banking/a/phase-2_2026-02-30T12-30-00.json", None),
        ("banking/a/phase-2_2026-03-01T24-30-00.json", None),
        ("banking/a/phase-2.json", None),
        ("config.json", None),
        ("", None),
    ],
)
def test_the_name_of_a_file_tells_when_its_record_was_stored(
    file: str, expected: Instant | None
) -> None:
    assert stored_at(file) == expected


def test_the_newest_change_is_that_of_storing_or_archiving() -> None:
    records: list[AnyRecord] = [record_of(ONE), cold_of(archive(TWO, STORED + 91 * DAY))]
    early, late = Instant(0), instant(STORED + 200 * DAY)
    assert newest_change(records, early) == instant(STORED + 91 * DAY)
    assert newest_change(records, late) == late
    assert newest_change([], late) == late


@pytest.mark.parametrize(("seconds", "expected"), [(-1, True), (0, False), (9, False), (10, True)])
def test_an_index_written_before_its_newest_record_or_after_now_is_outdated(
    seconds: int, *, expected: bool
) -> None:
    index = index_with(ONE, updated=STORED + timedelta(seconds=seconds))
    as_of = instant(STORED + timedelta(seconds=9))
    assert is_outdated(index, [record_of(ONE)], as_of) is expected
    assert is_outdated(index._replace(last_updated=None), [], as_of)
    assert CONFIG["tier_hot_days"] > 0
