"""Whatever is stored verifies, and the short way to an index leads where the long one does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.instant import DAY, Instant
from kattest.jsondoc import parse
from kattest.jsontext import render
from kattest.memory.catalogue import compare, index_of, says_the_same
from kattest.memory.index import build_index, entry_of
from kattest.memory.intake import faults_in, new_record
from kattest.memory.layout import lay_out
from kattest.memory.lifecycle import tier_of
from kattest.memory.model import IndexEntry
from kattest.memory.parsing import parse_index
from kattest.memory.upkeep import due
from kattest.memory.writing import cold_record_document, index_document
from kattest.paths import blind
from tests.properties.test_honest_memory import Memory, memories
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    ROOT,
    STORED,
    dumps,
    file_of,
    make_record,
)
from tests.unit.remembering import found, instant, judge_tree, read, record_of, rules_of
from tests.unit.writing import given_record, model_of

NOW = instant(STORED)
NAMES = st.one_of(
    *[st.sampled_from(["case", "кейс", "a b", "_x", "con:x", "x.json", "Case", "it's", "é"])] * 4,
    st.sampled_from(["..", "a/b", "", ".git", "config.json"]),
    st.text(st.characters(codec="utf-8"), max_size=6),
)
MEMORIES = memories().filter(
    lambda memory: not any("\\" in record["id"] for record in memory.records)
)
CONFIGS = st.sampled_from(
    [CONFIG, CONFIG | {"known_domains": []}, CONFIG_1_0, CONFIG_1_0 | {"retention_days": 0}]
)
REWARDS = st.sampled_from(
    [(1.0, "excellent"), (0.7, "good"), (0.5, "so-so"), (0.3, "needs_work"), (1.5, "x")]
)


@settings(max_examples=100)
@given(NAMES, NAMES, NAMES, REWARDS, CONFIGS, st.text(max_size=30).filter(str.isprintable))
def test_what_is_not_refused_verifies(
    slug: str,
    phase: str,
    domain: str,
    reward: tuple[float, str],
    config: dict[str, Any],
    words: str,
) -> None:
    rules = rules_of(config)
    rewarded = {"reward": reward[0], "reward_label": reward[1], "reward_reason": words}
    value = read(given_record(case_slug=slug, phase=phase, domain=domain, **rewarded))
    assert isinstance(value, dict)
    if faults_in(value, rules):
        return
    taken: set[str] = set()
    made = []
    for _ in range(3):
        made.append(new_record(value, rules, NOW, taken))
        taken.add(blind(made[-1].record.id or ""))
    assert len({one.record.file for one in made}) == 3
    records = [one.record for one in made]
    files = {one.record.file: render(one.document) for one in made}
    files |= {
        "index.json": index_document(build_index(records, rules, NOW)),
        "config.json": dumps(config),
    }
    report = judge_tree({f"{ROOT}/{file}": data for file, data in files.items()}, STORED)
    assert found(report) == []


AGES = st.one_of(
    st.integers(0, 200 * DAY),
    st.builds(lambda days, off: days * DAY + off, st.sampled_from([30, 90]), st.integers(-3, 3)),
)


@settings(max_examples=100)
@given(AGES, st.sampled_from(["", "5"]))
def test_a_tier_by_name_is_that_of_the_record_or_hot_for_a_second_longer(
    age: int, fraction: str
) -> None:
    rules = rules_of(CONFIG)
    record = record_of(given_record_at(-age))
    as_of = Instant(NOW.seconds, fraction)
    long = tier_of(record, rules, as_of)
    [short] = tiers_by_name({record.id or "": entry_of(record, rules, NOW)}, as_of)
    is_within_a_second = 0 < age + (fraction != "") - 30 * DAY <= 1
    expected = "hot" if long == "hot" or is_within_a_second else "warm"
    assert short == expected


def tiers_by_name(entries: dict[str, IndexEntry], as_of: Instant) -> list[str | None]:
    made = index_of(entries, (), rules_of(CONFIG), as_of)
    return [entry.tier for entry in (made.records or {}).values()]


def given_record_at(seconds: int) -> dict[str, Any]:
    return make_record(at=STORED + timedelta(seconds=seconds))


@settings(max_examples=50)
@given(MEMORIES, st.data())
def test_entries_and_records_come_to_the_index_of_everything(
    memory: Memory, data: st.DataObject
) -> None:
    rules = rules_of(memory.config)
    records = [model_of(record) for record in memory.records]
    is_listed = [data.draw(st.booleans()) for _ in records]
    listed = [one for one, is_in in zip(records, is_listed, strict=True) if is_in]
    rest = [one for one, is_in in zip(records, is_listed, strict=True) if not is_in]
    earlier = NOW.after_days(-data.draw(st.integers(0, 40)))
    before = build_index(listed, rules, earlier)
    stored = parse_index(parse(index_document(before)).value, lasting=True)
    assert stored.faults == ()
    layout = lay_out(ROOT, [file_of(record) for record in memory.records])
    catalogue = compare(stored.model, layout)
    assert {*catalogue.unlisted} == {record.file for record in rest}
    short = index_of(catalogue.entries, rest, rules, NOW)
    long = build_index(records, rules, NOW)
    assert says_the_same(short, long, but_warm=True)
    assert says_the_same(long, short, but_warm=True)
    assert short._replace(records=None) == long._replace(records=None)


@settings(max_examples=40)
@given(MEMORIES, st.integers(0, 500))
def test_a_memory_is_clean_once_what_is_due_is_done(memory: Memory, days: int) -> None:
    rules, later = rules_of(memory.config), STORED + timedelta(days=days, seconds=1)
    records = {file_of(record): (model_of(record), dumps(record)) for record in memory.records}
    plan = due((model for model, _ in records.values()), rules, instant(later))
    assert plan.kept == ()
    for record in (*plan.purge, *(active for active, _ in plan.archive)):
        del records[record.file]
    for _, cold in plan.archive:
        records[cold.file] = (cold, cold_record_document(cold))
    files = {file: data for file, (_, data) in records.items()}
    index = build_index([model for model, _ in records.values()], rules, instant(later))
    files |= {"config.json": dumps(memory.config), "index.json": index_document(index)}
    report = judge_tree({f"{ROOT}/{file}": data for file, data in files.items()}, later)
    assert found(report) == []
