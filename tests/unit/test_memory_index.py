"""The index that records come to, and that it is found right where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from kattest.instant import Instant
from kattest.memory.index import build_index
from kattest.memory.model import Aggregate, AnyRecord, Index, MemoryConfig, Tier
from kattest.memory.parsing import parse_index
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    STORED,
    archive,
    file_of,
    make_index,
    make_record,
    make_tree,
)
from tests.unit.remembering import cold_of, found, instant, judge_tree, read, record_of, rules_of

TIERS = rules_of(CONFIG)
RETENTION = rules_of(CONFIG_1_0)
DAY = timedelta(days=1)
NOW = STORED + DAY


def build(
    *documents: dict[str, Any], at: Instant | None = None, config: MemoryConfig = TIERS
) -> Index:
    records: list[AnyRecord] = [
        cold_of(d) if "archived_at" in d else record_of(d) for d in documents
    ]
    return build_index(records, config, at or instant(NOW))


def slugs_of(index: Index) -> Mapping[str, tuple[str, ...] | None]:
    return {domain: found.slugs for domain, found in (index.by_domain or {}).items()}


OLD = make_record("old", "phase-0", STORED - 100 * DAY, reward=0.3)
COLD = archive(OLD, STORED)


def test_of_nothing_is_empty() -> None:
    index = build()
    assert index.record_count == 0
    assert (index.by_domain, index.by_phase, index.by_skill, index.records) == ({}, {}, {}, {})
    assert index.last_updated is not None
    assert index.last_updated.text == "2026-03-02T12:30:00Z"


def test_counts_by_domain_phase_and_skill() -> None:
    index = build(
        make_record("a", "phase-0", domain="banking", skill="x", reward=1),
        make_record("b", "phase-0", domain="retail", skill="y", reward=0),
        make_record("c", "phase-2", domain="banking", skill="x", reward=0.5),
    )
    assert index.record_count == 3
    assert index.by_domain == {
        "banking": Aggregate(2, Decimal("0.75"), ("a", "c")),
        "retail": Aggregate(1, Decimal(0), ("b",)),
    }
    assert index.by_phase == {
        "phase-0": Aggregate(2, Decimal("0.5")),
        "phase-2": Aggregate(1, Decimal("0.5")),
    }
    assert index.by_skill == {
        "x": Aggregate(2, Decimal("0.75")),
        "y": Aggregate(1, Decimal(0)),
    }


def test_counts_archived_records_with_the_others() -> None:
    index = build(make_record("new", "phase-0", reward=0.7), COLD)
    assert index.record_count == 2
    assert index.by_domain == {"banking": Aggregate(2, Decimal("0.5"), ("new", "old"))}
    assert index.by_phase == {"phase-0": Aggregate(2, Decimal("0.5"))}


def test_averages_are_exact() -> None:
    tenths = [make_record("s", f"p{n}", reward=0.1) for n in range(10)]
    index = build(*tenths)
    assert index.by_domain is not None
    assert index.by_domain["banking"].avg_reward == Decimal("0.1")
    thirds = build(
        *[make_record("s", f"p{n}", reward=reward) for n, reward in enumerate((1, 0, 0))]
    )
    assert thirds.by_skill is not None
    average = thirds.by_skill["goap-research-ed25519"].avg_reward
    assert average is not None
    assert abs(average * 3 - 1) < Decimal("1e-20")


def test_names_each_slug_once_and_in_order() -> None:
    records = [make_record(slug, phase) for phase in ("p", "q") for slug in ("ж", "a b", "a", "'")]
    assert slugs_of(build(*records)) == {"banking": ("'", "a", "a b", "ж")}


def test_has_an_entry_for_each_record() -> None:
    new = make_record("new", "phase-0", reward=0.7)
    entries = build(new, COLD).records
    assert entries is not None
    assert list(entries) == [new["id"], COLD["id"]]
    active, archived = entries[new["id"]], entries[COLD["id"]]
    assert active.file == "banking/new/phase-0_2026-03-01T12-30-00.json"
    assert archived.file == "banking/_archive/old/phase-0_2025-11-21T12-30-00.json"
    assert (active.slug, archived.slug) == ("new", "old")
    assert active.expires_at is not None
    assert active.expires_at.text == new["expires_at"]
    assert archived.expires_at is not None
    assert archived.expires_at.text == OLD["expires_at"]


def test_names_the_path_where_a_record_lies_not_where_its_domain_says() -> None:
    record = record_of(make_record(domain="fishing"), "unknown/s/p_2026-03-01T12-30-00.json")
    entries = build_index([record], TIERS, instant(NOW)).records
    assert entries is not None
    [entry] = entries.values()
    assert (entry.domain, entry.file) == ("fishing", "unknown/s/p_2026-03-01T12-30-00.json")


@pytest.mark.parametrize(
    ("age", "tier"),
    [(0, Tier.HOT), (30, Tier.HOT), (31, Tier.WARM), (91, Tier.WARM), (181, Tier.WARM)],
)
def test_an_active_record_is_hot_or_warm_however_old(age: int, tier: Tier) -> None:
    record = make_record()
    entries = build(record, at=instant(STORED + age * DAY)).records
    assert entries is not None
    assert entries[record["id"]].tier == tier


@pytest.mark.parametrize("age", [0, 31, 91, 181])
def test_an_archived_record_is_cold_however_old(age: int) -> None:
    entries = build(COLD, at=instant(STORED + (age - 100) * DAY)).records
    assert entries is not None
    assert entries[COLD["id"]].tier == Tier.COLD


def test_without_tiers_every_record_is_hot() -> None:
    record = make_record(version="1.0")
    entries = build(record, at=instant(STORED + 400 * DAY), config=RETENTION).records
    assert entries is not None
    assert entries[record["id"]].tier == Tier.HOT


def test_leaves_out_what_has_no_id_and_counts_what_lacks_something_else() -> None:
    record = make_record()
    nameless = {name: value for name, value in record.items() if name != "id"}
    assert build(nameless).record_count == 0
    half = {name: value for name, value in record.items() if name not in {"domain", "reward"}}
    index = build_index([record_of(half, file_of(record))], TIERS, instant(NOW))
    assert index.record_count == 1
    assert (index.by_domain, index.by_phase, index.by_skill) == ({}, {}, {})
    assert index.records is not None
    assert list(index.records) == [record["id"]]


def test_of_records_with_one_id_the_last_counts() -> None:
    first, second = make_record(reward=0), make_record(reward=1, domain="retail")
    index = build(first, second)
    assert index.record_count == 1
    assert index.by_domain == {"retail": Aggregate(1, Decimal(1), ("bank_kc_automation",))}


def as_document(index: Index) -> dict[str, Any]:
    """An index as the protocol writes it."""

    def table(found: Mapping[str, Aggregate] | None) -> dict[str, Any]:
        return {
            key: {"count": value.size, "avg_reward": float(value.avg_reward or 0)}
            | ({} if value.slugs is None else {"slugs": list(value.slugs)})
            for key, value in (found or {}).items()
        }

    return {
        "version": "1.0",
        "last_updated": index.last_updated and index.last_updated.text,
        "record_count": index.record_count,
        "by_domain": table(index.by_domain),
        "by_phase": table(index.by_phase),
        "by_skill": table(index.by_skill),
        "records": {
            key: entry._asdict()
            | {
                "reward": float(entry.reward.lexeme) if entry.reward else None,
                "expires_at": entry.expires_at and entry.expires_at.text,
            }
            for key, entry in (index.records or {}).items()
        },
    }


SEVERAL = (
    make_record("a", "phase-0", reward=1.0),
    make_record("a", "phase-2", STORED - 40 * DAY, reward=0.3),
    make_record("ж и", "phase-2.5", skill="x", reward=0.0),
    COLD,
)


def test_stands_beside_its_records_without_a_finding() -> None:
    index = as_document(build(*SEVERAL))
    assert [entry["tier"] for entry in index["records"].values()] == ["hot", "warm", "hot", "cold"]
    assert found(judge_tree(make_tree(*SEVERAL, index=index), NOW)) == []


def test_read_back_is_the_one_that_was_built() -> None:
    """Building is idempotent: the index and the one read back say the same of the same records."""
    built = build(*SEVERAL)
    again = parse_index(read(as_document(built)), lasting=False)
    assert again.faults == ()
    assert again.model.records is not None
    assert built.records is not None
    for key, entry in again.model.records.items():
        assert entry._replace(reward=None) == built.records[key]._replace(reward=None)
    assert as_document(again.model) == as_document(built)
    assert as_document(build(*SEVERAL)) == as_document(built)


def test_is_the_one_that_the_protocol_makes() -> None:
    index = make_index(SEVERAL, updated=NOW, tiers={SEVERAL[1]["id"]: "warm"})
    built = as_document(build(*SEVERAL))
    for name in ("record_count", "records", "last_updated"):
        assert built[name] == index[name]
    for name in ("by_domain", "by_phase", "by_skill"):
        assert built[name].keys() == index[name].keys()
        for key, aggregate in built[name].items():
            given = index[name][key]
            assert aggregate | {"avg_reward": 0} == given | {"avg_reward": 0}
            assert abs(aggregate["avg_reward"] - given["avg_reward"]) <= 0.005
