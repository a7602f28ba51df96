"""The protocol's own memory: its examples, made to agree, and what becomes of them with age."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from kattest.memory.model import Tier
from kattest.result import Status
from tests.unit.remembering import found, judge_tree

ROOT = ".keysarium/memory"

# The protocol's text, in its own spelling. Of the index only what speaks of the example record is
# kept, for the other 46 records are not shown.
CONFIG = """{
  "version": "1.1",
  "retention_days": 90,
  "max_results_per_query": 10,
  "enabled": true,
  "known_domains": ["banking", "retail", "enterprise", "healthcare"],
  "reward_levels": {
    "excellent": 1.0,
    "good": 0.7,
    "needs_work": 0.3,
    "failed": 0.0
  },
  "tier_hot_days": 30,
  "tier_warm_days": 90,
  "tier_cold_days": 180
}
"""
RECORD = """{
  "id": "bank_kc_automation_phase-2_2026-03-01T12-30-00",
  "version": "1.1",
  "timestamp": "2026-03-01T12:30:00Z",
  "case_slug": "bank_kc_automation",
  "domain": "banking",
  "phase": "phase-2",
  "phase_name": "Research",
  "skill_used": "goap-research-ed25519",
  "reward": 0.7,
  "reward_label": "good",
  "reward_reason": "User requested minor edits to competitor analysis section",
  "context": {
    "phase_number": 2,
    "domain_detected": "banking",
    "upstream_promises": ["DISCOVERY_COMPLETE", "CASE_EXPLORED"],
    "patterns_loaded": 3,
    "time_budget_pct": 15.0,
    "agent_count": 3
  },
  "outcome": {
    "artifacts_created": ["02_research_findings.md"],
    "checkpoint_response": "ok, but expand the FinTech competitor section",
    "iterations": 2,
    "promise_emitted": "RESEARCH_PARANOID_PASSED"
  },
  "promise_tag": "RESEARCH_PARANOID_PASSED",
  "expires_at": "2026-08-28T12:30:00Z"
}
"""
COLD_RECORD = """{
  "id": "bank_kc_automation_phase-2_2026-01-01T12-00-00",
  "phase": "phase-2",
  "domain": "banking",
  "slug": "bank_kc_automation",
  "reward": 0.7,
  "reward_label": "good",
  "skill_used": "goap-research-ed25519",
  "promise_tag": "RESEARCH_PARANOID_PASSED",
  "summary": "User requested minor edits to competitor analysis section. ok, but expand the FinTech competitor section",
  "archived_at": "2026-03-02T14:00:00Z",
  "original_timestamp": "2026-01-01T12:00:00Z"
}
"""
INDEX = """{
  "version": "1.0",
  "last_updated": "2026-03-02T14:00:00Z",
  "record_count": 1,
  "by_domain": {
    "banking": {
      "count": 1,
      "slugs": ["bank_kc_automation"],
      "avg_reward": 0.7
    }
  },
  "by_phase": {
    "phase-2": { "count": 1, "avg_reward": 0.7 }
  },
  "by_skill": {
    "goap-research-ed25519": { "count": 1, "avg_reward": 0.7 }
  },
  "records": {
    "bank_kc_automation_phase-2_2026-03-01T12-30-00": {
      "domain": "banking",
      "phase": "phase-2",
      "slug": "bank_kc_automation",
      "reward": 0.7,
      "skill": "goap-research-ed25519",
      "tier": "hot",
      "file": "banking/bank_kc_automation/phase-2_2026-03-01T12-30-00.json",
      "expires_at": "2026-08-28T12:30:00Z"
    }
  }
}
"""
COLD_ENTRY = """{
  "domain": "banking",
  "phase": "phase-2",
  "slug": "bank_kc_automation",
  "reward": 0.7,
  "skill": "goap-research-ed25519",
  "tier": "cold",
  "file": "banking/_archive/bank_kc_automation/phase-2_2026-01-01T12-00-00.json",
  "expires_at": "2026-06-30T12:00:00Z"
}
"""

ACTIVE_FILE = f"{ROOT}/banking/bank_kc_automation/phase-2_2026-03-01T12-30-00.json"
ARCHIVED_FILE = f"{ROOT}/banking/_archive/bank_kc_automation/phase-2_2026-01-01T12-00-00.json"
STORED = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
OLD_STORED = datetime(2026, 1, 1, 12, tzinfo=UTC)
UPDATED = datetime(2026, 3, 2, 14, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


def tree(*, active: bool = True, archived: bool = False, index: bool = True) -> dict[str, bytes]:
    """The protocol's files, with those of its two records that are asked for."""
    files = {f"{ROOT}/config.json": CONFIG}
    listed: dict[str, Any] = json.loads(INDEX)
    [(active_id, entry)] = listed["records"].items()
    listed["records"] = {active_id: entry} if active else {}
    if active:
        files[ACTIVE_FILE] = RECORD
    if archived:
        files[ARCHIVED_FILE] = COLD_RECORD
        listed["records"][json.loads(COLD_RECORD)["id"]] = json.loads(COLD_ENTRY)
    listed["record_count"] = active + archived
    for name in ("by_domain", "by_phase", "by_skill"):
        for aggregate in listed[name].values():
            aggregate["count"] = active + archived
    if index:
        files[f"{ROOT}/index.json"] = (
            INDEX if active and not archived else json.dumps(listed, indent=2)
        )
    return {path: text.encode() for path, text in files.items()}


def test_the_examples_are_clean_while_all_is_hot() -> None:
    report = judge_tree(tree(), UPDATED)
    assert found(report) == []
    [root] = report.memory
    assert (root.status, root.records, root.tiers) == (Status.VERIFIED, 1, {Tier.HOT: 1})


def test_the_archived_example_is_one_that_was_archived_early() -> None:
    """The protocol archives it 60 days old, and by its own thresholds only one of 91 may be."""
    report = judge_tree(tree(archived=True), UPDATED)
    assert found(report) == [("KA403", ARCHIVED_FILE, "/archived_at")]


def late(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files with the archived example as it would be, archived a second after its 90 days."""
    mended = {
        path: data.replace(
            b'"archived_at": "2026-03-02T14:00:00Z"', b'"archived_at": "2026-04-01T12:00:01Z"'
        )
        for path, data in files.items()
    }
    index = f"{ROOT}/index.json"
    if index in mended:
        mended[index] = mended[index].replace(b"2026-03-02T14:00:00Z", b"2026-04-01T12:00:01Z")
    return mended


Expected = list[tuple[str, str, str]]
CLEAN: Expected = []
ARCHIVE_DUE: Expected = [("KA401", ACTIVE_FILE, "/timestamp")]
PURGE_DUE: Expected = [("KA402", ACTIVE_FILE, "/timestamp")]
COLD_PURGE_DUE: Expected = [("KA402", ARCHIVED_FILE, "/original_timestamp")]


def around(
    bound: datetime, before: Expected, after: Expected
) -> Iterator[tuple[datetime, Expected]]:
    """The moments around a bound, each with what must be found at it: the bound is before."""
    for moment in (bound - DAY, bound - SECOND, bound):
        yield moment, before
    for moment in (bound + SECOND, bound + DAY):
        yield moment, after


@pytest.mark.parametrize("with_index", [True, False])
@pytest.mark.parametrize(
    ("days", "before", "after"),
    [(30, CLEAN, CLEAN), (90, CLEAN, ARCHIVE_DUE), (180, ARCHIVE_DUE, PURGE_DUE)],
    ids=["hot", "warm", "cold"],
)
def test_an_active_record_around_the_end_of_a_tier(
    days: int, before: Expected, after: Expected, *, with_index: bool
) -> None:
    """The index calls it hot all the time, as the protocol leaves it."""
    files = tree(index=with_index)
    without_index = [] if with_index else [("KA301", f"{ROOT}/index.json", "")]
    for moment, expected in around(STORED + days * DAY, before, after):
        assert found(judge_tree(files, moment)) == sorted(
            expected + without_index, key=lambda finding: finding[1]
        ), moment


@pytest.mark.parametrize(("days", "before", "after"), [(180, CLEAN, COLD_PURGE_DUE)], ids=["cold"])
def test_an_archived_record_around_the_end_of_its_tier(
    days: int, before: Expected, after: Expected
) -> None:
    files = late(tree(active=False, archived=True))
    for moment, expected in around(OLD_STORED + days * DAY, before, after):
        assert found(judge_tree(files, moment)) == expected, moment


def test_both_records_at_every_bound() -> None:
    files = late(tree(archived=True))
    first = OLD_STORED + 90 * DAY + SECOND
    moments = {first} | {
        stored + days * DAY + step
        for stored in (STORED, OLD_STORED)
        for days in (30, 90, 180)
        for step in (-DAY, -SECOND, 0 * DAY, SECOND, DAY)
    }
    for moment in sorted(moment for moment in moments if moment >= first):
        expected = COLD_PURGE_DUE if moment > OLD_STORED + 180 * DAY else []
        if moment > STORED + 180 * DAY:
            expected = expected + PURGE_DUE
        elif moment > STORED + 90 * DAY:
            expected = expected + ARCHIVE_DUE
        assert found(judge_tree(files, moment)) == expected, moment


def test_the_report_counts_tiers_by_age() -> None:
    files = late(tree(archived=True))
    for days, tiers in (
        (30, {Tier.HOT: 1, Tier.WARM: 1}),
        (32, {Tier.WARM: 1, Tier.COLD: 1}),
        (91, {Tier.COLD: 2}),
        (122, {Tier.COLD: 1, Tier.PURGE: 1}),
        (181, {Tier.PURGE: 2}),
    ):
        shift = timedelta(seconds=-1800) if days == 30 else timedelta()
        [root] = judge_tree(files, STORED + days * DAY + shift).memory
        assert root.tiers == tiers, days


@pytest.mark.parametrize("tier", ["warm", "hot", "cold", "purge"])
def test_the_tier_of_the_index_around_the_hot_days(tier: str) -> None:
    """An entry may say hot for ever, and warm only once it is."""
    index = f"{ROOT}/index.json"
    files = tree()
    files[index] = files[index].replace(b'"tier": "hot"', f'"tier": "{tier}"'.encode())
    pointer = "/records/bank_kc_automation_phase-2_2026-03-01T12-30-00/tier"
    wrong = [("KA307", index, pointer)]
    young = [] if tier == "hot" else wrong
    older = [] if tier in {"hot", "warm"} else wrong
    for moment, expected in around(STORED + 30 * DAY, young, older):
        assert found(judge_tree(files, moment)) == expected, moment


@pytest.mark.parametrize(
    ("seconds", "is_early"), [(-86400, True), (-1, True), (0, True), (1, False), (86400, False)]
)
def test_archiving_around_the_warm_days(seconds: int, *, is_early: bool) -> None:
    moment = OLD_STORED + 90 * DAY + timedelta(seconds=seconds)
    stamp = moment.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    files = {
        path: data.replace(b"2026-03-02T14:00:00Z", stamp)
        for path, data in tree(active=False, archived=True).items()
    }
    expected = [("KA403", ARCHIVED_FILE, "/archived_at")] if is_early else []
    assert found(judge_tree(files, OLD_STORED + 120 * DAY)) == expected


def test_moments_of_tomorrow_are_found_up_to_the_second() -> None:
    """The moment of a check may be that of the storing or archiving, but not before."""
    index = ("KA309", f"{ROOT}/index.json", "/last_updated")
    files = late(tree(archived=True))
    last = OLD_STORED + 90 * DAY + SECOND  # when the one was archived and the index updated
    assert found(judge_tree(files, last)) == []
    early = [("KA207", ARCHIVED_FILE, "/archived_at"), index]
    assert found(judge_tree(files, last - SECOND)) == early
    stored = tree()
    assert found(judge_tree(stored, STORED)) == [index]
    assert found(judge_tree(stored, STORED - SECOND)) == [
        ("KA207", ACTIVE_FILE, "/timestamp"),
        index,
    ]
