"""Any honest memory verifies: whatever its records, their age, their words and their lifecycle."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.memory.index import build_index
from kattest.memory.model import AnyRecord
from kattest.result import Status
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    LABELS,
    ROOT,
    STORED,
    archive,
    file_of,
    is_cold,
    make_index,
    make_record,
    make_tree,
)
from tests.unit.remembering import cold_of, found, instant, judge_tree, record_of, rules_of

DAY = timedelta(days=1)
# Letters, digits, punctuation and symbols of any script: nothing that is invisible, or a path's.
VISIBLE = st.characters(
    codec="utf-8",
    exclude_categories=("Cc", "Cf", "Cn", "Co", "Zl", "Zp", "Mn", "Lo"),
    exclude_characters="/",
)
NAMES = st.sampled_from(["case", "bank_kc", "a b", "кейс", "it's", '"q"', "ж_и", "-", "x.json"]) | (
    st.text(VISIBLE, min_size=1, max_size=8).filter(lambda name: name not in {".", ".."})
)
PHASES = st.sampled_from(["phase-0", "phase-2", "phase-2.5", "фаза 3", "_", "a_b"])
DOMAINS = st.sampled_from([*CONFIG["known_domains"], "unknown"])
SKILLS = st.sampled_from(["explore", "goap-research-ed25519", "", "навык"])
REWARDS = st.sampled_from([*LABELS]) | st.integers(0, 1000).map(lambda number: number / 1000)
WORDS = st.text(VISIBLE | st.sampled_from('\n\t"\\ /'), max_size=150)


class Memory(NamedTuple):
    """The documents of an honest tree at ``NOW``, and its configuration."""

    records: tuple[dict[str, Any], ...]
    config: dict[str, Any]
    days: int


NOW = STORED


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Records of any age that may still be there, each where its age wants it."""
    has_tiers = draw(st.booleans())
    hot = draw(st.integers(1, 60))
    warm = hot + draw(st.integers(1, 90))
    if has_tiers:
        cold = warm + draw(st.integers(2, 400))
        tiers = {"tier_hot_days": hot, "tier_warm_days": warm, "tier_cold_days": cold}
        config, days = CONFIG | tiers, cold
    else:
        days = draw(st.sampled_from([0, 1, 90, 36_500]))
        config = CONFIG_1_0 | {"retention_days": days}
    oldest = (days or 1000) * 86_400
    records: dict[str, dict[str, Any]] = {}
    for _ in range(draw(st.integers(0, 5))):
        age = draw(st.integers(0, min(oldest, 1500 * 86_400)))
        at = NOW - timedelta(seconds=age)
        record = make_record(
            draw(NAMES),
            draw(PHASES),
            at,
            domain=draw(DOMAINS),
            skill=draw(SKILLS),
            reward=draw(REWARDS),
            version="1.1" if has_tiers else "1.0",
            days=days,
        )
        record["reward_reason"] = draw(WORDS)
        record["outcome"]["checkpoint_response"] = draw(WORDS)
        record["promise_tag"] = record["outcome"]["promise_emitted"] = draw(
            st.none() | st.just("DONE")
        )
        if has_tiers and age > warm * 86_400:
            due = (at + warm * DAY) + timedelta(seconds=1)
            late = draw(st.integers(0, int((NOW - due).total_seconds())))
            record = archive(record, due + timedelta(seconds=late))
        records.setdefault(record["id"], record)
    return Memory(tuple(records.values()), config, days)


def index_of(memory: Memory) -> dict[str, Any]:
    return make_index(memory.records, days=memory.days)


@settings(max_examples=150)
@given(memories(), st.booleans())
def test_an_honest_memory_is_clean(memory: Memory, has_index: bool) -> None:  # noqa: FBT001 - drawn
    index = index_of(memory)
    files = make_tree(*memory.records, config=memory.config, index=index if has_index else False)
    report = judge_tree(files, NOW)
    codes = {code for code, _, _ in found(report)}
    needs_index = "tier_hot_days" in memory.config and memory.records
    assert codes == (set() if has_index or not needs_index else {"KA301"})
    [root] = report.memory
    assert root.status is Status.VERIFIED
    assert root.records == len(memory.records) == sum(root.tiers.values())
    assert root.archived == sum(map(is_cold, memory.records))
    assert root.overdue == 0


@settings(max_examples=100)
@given(memories())
def test_the_index_is_the_one_that_the_protocol_makes(memory: Memory) -> None:
    expected = index_of(memory)
    records: list[AnyRecord] = [
        cold_of(record) if is_cold(record) else record_of(record) for record in memory.records
    ]
    built = build_index(records, rules_of(memory.config), instant(NOW))
    assert built.record_count == expected["record_count"]
    for name in ("by_domain", "by_phase", "by_skill"):
        tables = getattr(built, name)
        assert tables.keys() == expected[name].keys()
        for key, aggregate in tables.items():
            given_ = expected[name][key]
            assert aggregate.size == given_["count"]
            assert list(aggregate.slugs or []) == given_.get("slugs", [])
            assert abs(aggregate.avg_reward - Decimal(str(given_["avg_reward"]))) <= Decimal(
                "0.005"
            )
    assert built.records is not None
    assert [*built.records] == [*expected["records"]]
    for key, entry in built.records.items():
        wanted = expected["records"][key]
        for field in ("domain", "phase", "slug", "skill", "file"):
            assert getattr(entry, field) == wanted[field]
        assert entry.reward is not None
        assert entry.reward.value == Decimal(str(wanted["reward"]))
        text = entry.expires_at.text if entry.expires_at else None
        assert text == wanted["expires_at"]
        assert entry.tier == wanted["tier"] or (entry.tier, wanted["tier"]) == ("warm", "hot")


@settings(max_examples=40)
@given(memories().filter(lambda memory: memory.records), st.data())
def test_a_lost_record_is_missed_by_the_index(memory: Memory, data: st.DataObject) -> None:
    lost = data.draw(st.sampled_from(memory.records))
    files = make_tree(*memory.records, config=memory.config, index=index_of(memory))
    del files[f"{ROOT}/{file_of(lost)}"]
    codes = {code for code, _, _ in found(judge_tree(files, NOW))}
    assert {"KA303", "KA305", "KA306"} <= codes
