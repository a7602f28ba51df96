# ruff: noqa: RUF001 - Russian answers are meant to be Cyrillic
"""``kattest memory`` query, maintain, reindex, stats, export and classify, as pipelines run them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import KATTEST, Run, Sandbox, clean_environment
from tests.cli.terminal import on_terminal
from tests.cli.writing import (
    NOON,
    clock,
    codes,
    dated,
    document_of,
    files_in,
    give,
    memory_documents,
    memory_files,
    put,
    refused,
)
from tests.support.memory import (
    CONFIG,
    ROOT,
    Document,
    archive,
    dumps,
    file_of,
    is_cold,
    iso,
    make_index,
    make_record,
    make_tree,
)

DAY = timedelta(days=1)
PATTERNS = [
    {
        "pattern_id": "banking-phase2-slow",
        "description": "Banking cases take 2x longer in Phase 2",
        "confidence": 0.85,
        "actionable_advice": "Allocate extra time",
    },
    {"pattern_id": "retail-fast", "description": "x", "confidence": 0.95, "actionable_advice": "y"},
]


def aged(days: float, slug: str = "", **fields: Any) -> Document:
    """A record that was stored ``days`` before noon."""
    return make_record(slug or f"d{days:g}", at=NOON - timedelta(days=days), **fields)


def cold(days: float, slug: str = "", **fields: Any) -> Document:
    """A record that was archived when it was 91 days old."""
    record = aged(days, slug, **fields)
    return archive(record, datetime.fromisoformat(record["timestamp"]) + 91 * DAY)


KEPT = (
    aged(1, reward=0.3),
    aged(5, reward=1.0),
    aged(6, reward=1.0),
    aged(20, phase="phase-0"),
    aged(40, reward=0.7),
    aged(90, reward=0.0),
    cold(100, reward=1.0),
    cold(120, reward=1.0),
    cold(180, reward=0.3),
    aged(3, domain="retail"),
)
DUE = (aged(91, reward=0.7), cold(181, reward=1.0))
ELSEWHERE = (aged(92, domain="retail"), cold(183, domain="retail"))


def memory(sandbox: Sandbox, *records: Document, **config: Any) -> Sandbox:
    return put(sandbox, make_tree(*records, config={**CONFIG, **config}))


def query(sandbox: Sandbox, *options: str, domain: str = "banking", **env: str) -> Run:
    asked = ("--domain", domain, "--phase", "phase-2")
    return sandbox.kattest("memory", "query", *asked, *options, **{**clock(NOON), **env})


def maintain(sandbox: Sandbox, *options: str, at: datetime = NOON) -> Run:
    return sandbox.kattest("memory", "maintain", *options, **clock(at))


def reindex(sandbox: Sandbox, at: datetime = NOON) -> Run:
    return sandbox.kattest("memory", "reindex", **clock(at))


def ids(records: Iterable[Document]) -> list[str]:
    return sorted(record["id"] for record in records)


def answer(records: Iterable[Document], limit: int = 10, domain: str = "banking") -> Document:
    """What the protocol answers from ``records`` at noon, none of them overdue."""

    def told(record: Document) -> Document:
        summary = record.get("summary")
        if summary is None:
            words = f"{record['reward_reason']}. {record['outcome']['checkpoint_response']}"
            summary = words[:200]
        return {
            "case_slug": record.get("slug") or record["case_slug"],
            "phase": record["phase"],
            "reward": record["reward"],
            "reward_label": record["reward_label"],
            "skill_used": record["skill_used"],
            "outcome_summary": summary,
            "timestamp": record.get("original_timestamp") or record["timestamp"],
        }

    asked = [one for one in records if (one["domain"], one["phase"]) == (domain, "phase-2")]
    asked.sort(key=lambda one: told(one)["timestamp"], reverse=True)
    asked.sort(key=lambda one: (is_cold(one), -one["reward"]))
    best = [told(record) for record in asked[:limit]]
    return {"records": best, "patterns": [], "count": len(best), "domain": domain}


def assert_indexed(sandbox: Sandbox, *records: Document, updated: datetime = NOON) -> None:
    """The memory holds these records, in an index like that of the oracle."""
    assert ids(memory_documents(sandbox).values()) == ids(records)
    by_age = {record["id"]: record for record in records if not is_cold(record)}
    warm = {
        name: "warm"
        for name, record in by_age.items()
        if NOON - datetime.fromisoformat(record["timestamp"]) > 30 * DAY
    }
    expected = make_index(memory_documents(sandbox).values(), updated=updated, tiers=warm)
    found = json.loads(memory_files(sandbox)["index.json"])
    for table in ("by_domain", "by_phase", "by_skill"):
        for key, group in found[table].items():
            assert group.pop("avg_reward") == pytest.approx(
                expected[table][key].pop("avg_reward"), abs=0.00501
            )
    assert found == expected


class TestQuery:
    def test_answers_by_the_index_and_without_it_the_same(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT)
        before = files_in(sandbox.path)
        run = query(sandbox)
        assert document_of(run) == answer(KEPT)
        assert not run.err
        (sandbox.path / ROOT / "index.json").unlink()
        assert query(sandbox).out == run.out
        sandbox.write(f"{ROOT}/index.json", before[f"{ROOT}/index.json"][1])
        after = files_in(sandbox.path)
        assert {name: after[name] for name in before} == before

    @pytest.mark.slow
    @pytest.mark.parametrize("limit", [1, 3, 5, 6, 8])
    @pytest.mark.parametrize("way", ["index", "scan"])
    def test_more_than_the_limit_are_ranked(self, sandbox: Sandbox, limit: int, way: str) -> None:
        memory(sandbox, *KEPT, max_results_per_query=limit)
        if way == "scan":
            (sandbox.path / ROOT / "index.json").unlink()
        assert document_of(query(sandbox)) == answer(KEPT, limit)

    @pytest.mark.slow
    def test_reads_the_protocols_input_from_a_file_or_standard_input(
        self, sandbox: Sandbox
    ) -> None:
        memory(sandbox, *KEPT)
        asked = {"phase": "phase-2", "domain": "banking", "slug": "s", "skill": "k"}
        sandbox.write("sub/asked.json", dumps(asked))
        command = ("memory", "query", "--from")
        for run in (
            give(sandbox, asked, *command, "-", **clock(NOON)),
            sandbox.kattest(*command, "asked.json", cwd="sub", **clock(NOON)),
        ):
            assert document_of(run) == answer(KEPT)
        for bad in (b"", b"[]", b"{}", dumps({**asked, "phase": 2}), b'{"phase": "", "phase": ""}'):
            refused(give(sandbox, bad, *command, "-"))
        for options in (["--domain", "banking"], ["--domain", "b", "--from", "sub/asked.json"], []):
            assert sandbox.kattest("memory", "query", *options).status == 2

    def test_archives_and_purges_in_its_domain_on_the_way(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT, *DUE, *ELSEWHERE)
        run = query(sandbox)
        archived = archive(DUE[0], NOON)
        assert document_of(run) == answer((*KEPT, archived))
        assert run.err.splitlines() == [
            "Archived 1 records to cold storage in banking",
            "Purged 1 expired records from banking",
        ]
        assert_indexed(sandbox, *KEPT, archived, *ELSEWHERE)
        written = memory_documents(sandbox)[file_of(archived)]
        assert written == archived
        assert [*written] == [*archived]
        before = files_in(sandbox.path)
        assert query(sandbox).out == run.out
        assert files_in(sandbox.path) == before

    def test_read_only_changes_nothing_and_leaves_out_what_has_expired(
        self, sandbox: Sandbox
    ) -> None:
        memory(sandbox, *KEPT, *DUE, *ELSEWHERE)
        before = files_in(sandbox.path)
        run = query(sandbox, "--read-only")
        # What should be archived is still active; what should be purged has expired.
        assert document_of(run) == answer((*KEPT, DUE[0]))
        assert not run.err
        assert files_in(sandbox.path) == before

    @pytest.mark.slow
    def test_what_expired_by_its_own_date_is_left_out(self, sandbox: Sandbox) -> None:
        early = aged(10, "early", reward=1.0) | {"expires_at": iso(NOON - DAY)}
        memory(sandbox, *KEPT, early)
        assert document_of(query(sandbox)) == answer(KEPT)
        (sandbox.path / ROOT / "index.json").unlink()
        assert document_of(query(sandbox, "--read-only")) == answer(KEPT)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "document",
        [
            PATTERNS,
            {"patterns": PATTERNS},
            {"banking": PATTERNS[:1], "retail": PATTERNS[1:]},
            [{**PATTERNS[0], "pattern_id": "x", "domain": "banking"}, PATTERNS[1]],
        ],
    )
    def test_brings_the_patterns_of_its_domain(self, sandbox: Sandbox, document: Any) -> None:
        memory(sandbox, *KEPT)
        sandbox.write(f"{ROOT}/_patterns/domain-patterns.json", dumps(document))
        [pattern] = document_of(query(sandbox))["patterns"]
        assert {**pattern, "pattern_id": ""} == {**PATTERNS[0], "pattern_id": ""}

    @pytest.mark.slow
    def test_passes_over_what_it_cannot_read(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT)
        bad = KEPT[1]
        sandbox.write(f"{ROOT}/{file_of(bad)}", b'{"id": ')
        sandbox.write(f"{ROOT}/_patterns/domain-patterns.json", b"{")
        run = query(sandbox)
        assert document_of(run) == answer(one for one in KEPT if one is not bad)
        assert file_of(bad) in run.err

    @pytest.mark.slow
    def test_finds_what_the_index_does_not_know(self, sandbox: Sandbox) -> None:
        put(sandbox, make_tree(*KEPT, index=make_index(KEPT[2:])))
        assert document_of(query(sandbox, "--read-only")) == answer(KEPT)
        assert document_of(query(sandbox)) == answer(KEPT)
        assert codes(dated(sandbox), "--strict") == []

    @pytest.mark.slow
    def test_at_another_moment(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT)
        later = iso(NOON + 175 * DAY)
        run = query(sandbox, "--read-only", "--as-of", later)
        assert document_of(run)["count"] == 2  # of those that are 1 and 5 days old
        assert query(sandbox, "--as-of", "yesterday").status == 2

    @pytest.mark.slow
    def test_outside_a_repository(self, tmp_path: Path) -> None:
        outside = Sandbox(tmp_path, clean_environment(tmp_path))
        memory(outside, *KEPT, *DUE)
        assert document_of(query(outside)) == answer((*KEPT, archive(DUE[0], NOON)))


class TestMaintain:
    def test_a_dry_run_says_what_it_would_do_and_does_nothing(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT, *DUE, *ELSEWHERE)
        before = files_in(sandbox.path)
        dry = maintain(sandbox, "--dry-run", "--fail-if-changed")
        said = document_of(dry)
        assert files_in(sandbox.path) == before
        assert (said["dry_run"], said["changed"]) == (True, False)
        real = document_of(maintain(sandbox))
        assert (real["dry_run"], real["changed"]) == (False, True)
        for what, expected in (
            ("archived", [archive(DUE[0], NOON), archive(ELSEWHERE[0], NOON)]),
            ("purged", [DUE[1], ELSEWHERE[1]]),
        ):
            assert said[what] == real[what]
            assert ids(real[what]) == ids(expected)
            assert sorted(one["file"] for one in real[what]) == sorted(map(file_of, expected))
        assert dry.err.splitlines() == [
            "Would have archived 1 records to cold storage in banking",
            "Would have archived 1 records to cold storage in retail",
            "Would have purged 1 expired records from banking",
            "Would have purged 1 expired records from retail",
        ]

    def test_a_second_run_changes_not_one_byte(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT, *DUE, *ELSEWHERE)
        first = maintain(sandbox, "--fail-if-changed")
        assert document_of(first, 1)["changed"] is True
        assert "git add" in first.err
        archived = (archive(DUE[0], NOON), archive(ELSEWHERE[0], NOON))
        assert_indexed(sandbox, *KEPT, *archived)
        before = files_in(sandbox.path)
        second = maintain(sandbox, "--fail-if-changed")
        assert document_of(second)["changed"] is False
        assert not second.err
        assert files_in(sandbox.path) == before
        assert codes(dated(sandbox), "--strict") == []

    @pytest.mark.slow
    def test_at_another_moment_does_what_is_due_then(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT, *DUE)
        said = document_of(maintain(sandbox, "--as-of", iso(NOON - 2 * DAY)))
        assert said["archived"] == said["purged"] == []
        said = document_of(maintain(sandbox, "--as-of", iso(NOON + DAY)))
        assert ids(said["archived"]) == ids([DUE[0], KEPT[5]])

    @pytest.mark.slow
    def test_more_than_half_is_not_purged_unless_a_person_says_so(self, sandbox: Sandbox) -> None:
        gone = [cold(200 + number) for number in range(3)]
        memory(sandbox, aged(1), aged(100), *gone)
        before = memory_documents(sandbox)
        for options in (["--dry-run"], []):
            run = maintain(sandbox, *options)
            said = document_of(run, 2)
            assert said["purged"] == []
            assert "3 of 5 records" in said["refused"]
            assert "--purge-anyway" in run.err
        after = memory_documents(sandbox)
        assert before.keys() - after.keys() == {file_of(aged(100))}
        query(sandbox)
        assert memory_documents(sandbox) == after
        done = document_of(maintain(sandbox, "--purge-anyway"))
        assert ids(done["purged"]) == ids(gone)
        assert_indexed(sandbox, aged(1), archive(aged(100), NOON))

    @pytest.mark.slow
    def test_exactly_half_is_purged(self, sandbox: Sandbox) -> None:
        memory(sandbox, aged(1), cold(200))
        assert ids(document_of(maintain(sandbox))["purged"]) == ids([cold(200)])

    @pytest.mark.slow
    def test_a_clock_before_the_newest_record_purges_nothing(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT, *DUE, aged(-1, "tomorrow"))
        run = maintain(sandbox)
        said = document_of(run, 2)
        assert said["purged"] == []
        assert "clock" in said["refused"]
        assert file_of(DUE[1]) in memory_documents(sandbox)
        assert ids(document_of(maintain(sandbox, "--purge-anyway"))["purged"]) == ids([DUE[1]])

    @pytest.mark.slow
    def test_what_an_interrupted_archiving_left_is_finished(self, sandbox: Sandbox) -> None:
        archived = archive(DUE[0], NOON - timedelta(hours=2))
        memory(sandbox, *KEPT, DUE[0])
        sandbox.write(f"{ROOT}/{file_of(archived)}", dumps(archived))
        draft = sandbox.write(f"{ROOT}/banking/.kattest-7-0123abcd.tmp", b"{")
        said = document_of(maintain(sandbox))
        assert set(said["repaired"]) == {file_of(DUE[0]), "banking/.kattest-7-0123abcd.tmp"}
        assert not draft.exists()
        assert_indexed(sandbox, *KEPT, archived)

    @pytest.mark.slow
    def test_an_unfaithful_archive_of_an_active_record_is_left_to_a_person(
        self, sandbox: Sandbox
    ) -> None:
        archived = archive(DUE[0], NOON - timedelta(hours=2)) | {"summary": "something else"}
        memory(sandbox, *KEPT, DUE[0])
        sandbox.write(f"{ROOT}/{file_of(archived)}", dumps(archived))
        before = memory_documents(sandbox)
        run = maintain(sandbox)
        assert memory_documents(sandbox) == before
        assert "KA404" in run.err

    @pytest.mark.slow
    def test_without_a_memory_there_is_nothing_to_do(self, sandbox: Sandbox) -> None:
        said = document_of(maintain(sandbox, "--fail-if-changed"))
        assert (said["changed"], said["archived"], said["purged"]) == (False, [], [])
        assert not (sandbox.path / ".keysarium").exists()

    @pytest.mark.slow
    def test_a_memory_elsewhere(self, sandbox: Sandbox) -> None:
        other = f"agents/one/{ROOT}"
        put(sandbox, make_tree(*KEPT, *DUE, root=other))
        document_of(maintain(sandbox, "--root", other))
        assert file_of(archive(DUE[0], NOON)) in memory_documents(sandbox, other)
        assert codes(dated(sandbox), "--strict") == []


@pytest.mark.slow
class TestReindex:
    def test_twice_is_the_same_byte_for_byte(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT)
        (sandbox.path / ROOT / "index.json").unlink()
        assert document_of(reindex(sandbox))["reindexed"] is True
        assert_indexed(sandbox, *KEPT)
        before = files_in(sandbox.path)
        assert document_of(reindex(sandbox))["reindexed"] is False
        assert document_of(reindex(sandbox, NOON + timedelta(hours=1)))["reindexed"] is False
        assert files_in(sandbox.path) == before

    @pytest.mark.parametrize(
        "damage",
        [
            b"",
            b"{",
            dumps(make_index(KEPT[1:])),
            dumps(make_index([*KEPT, aged(2, "gone")])),
            dumps(make_index(KEPT) | {"record_count": 0}),
            dumps(make_index(KEPT) | {"by_phase": {}}),
            dumps(make_index(KEPT) | {"last_updated": iso(NOON + DAY)}),
            dumps(make_index(KEPT)).replace(b'"reward": 0.3', b'"reward": 1.0'),
            dumps(make_index(KEPT)).replace(b'"tier": "cold"', b'"tier": "hot"'),
        ],
    )
    def test_mends_an_index(self, sandbox: Sandbox, damage: bytes) -> None:
        memory(sandbox, *KEPT)
        sandbox.write(f"{ROOT}/index.json", damage)
        assert codes(dated(sandbox))
        assert document_of(reindex(sandbox))["reindexed"] is True
        assert_indexed(sandbox, *KEPT)
        assert codes(dated(sandbox), "--strict") == []

    def test_leaves_out_what_cannot_be_read_and_says_so(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT)
        sandbox.write(f"{ROOT}/{file_of(KEPT[0])}", b"{")
        run = reindex(sandbox)
        assert document_of(run)["reindexed"] is True
        assert file_of(KEPT[0]) in run.err
        index = json.loads(memory_files(sandbox)["index.json"])
        assert index["records"].keys() == {one["id"] for one in KEPT[1:]}


class TestNumbers:
    def test_stats_are_json_in_a_pipe(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT)
        said = document_of(sandbox.kattest("memory", "stats", **clock(NOON)))
        assert said["records"] == len(KEPT)
        assert said["by_tier"] == {"hot": 5, "warm": 2, "cold": 3, "purge": 0}
        rewards = [one["reward"] for one in KEPT if one["domain"] == "banking"]
        assert said["by_domain"]["banking"] == {
            "count": 9,
            "avg_reward": pytest.approx(sum(rewards) / 9, abs=0.0001),
        }
        assert sum(week["count"] for week in said["trend"]) == len(KEPT)
        weeks = [datetime.fromisoformat(week["week"]) for week in said["trend"]]
        assert {day.weekday() for day in weeks} == {0}
        assert weeks[-1] <= NOON.replace(tzinfo=None) < weeks[-1] + 7 * DAY

    @pytest.mark.slow
    def test_stats_are_text_on_a_terminal(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT)
        command = [KATTEST, "memory", "stats"]
        text = on_terminal(sandbox, command, stream="stdout", **clock(NOON))
        assert "banking" in text
        assert not text.lstrip().startswith("{")
        forced = on_terminal(
            sandbox, [*command, "--format", "json"], stream="stdout", **clock(NOON)
        )
        assert json.loads(forced)["records"] == len(KEPT)
        piped = sandbox.kattest("memory", "stats", "--format", "text", **clock(NOON))
        assert "banking" in piped.out
        assert "\x1b" not in piped.out

    @pytest.mark.slow
    def test_what_a_record_is_called_cannot_command_a_terminal(self, sandbox: Sandbox) -> None:
        memory(sandbox, aged(1, skill="evil\x1b[2Jskill"))
        text = on_terminal(
            sandbox, [KATTEST, "memory", "stats"], stream="stdout", NO_COLOR="1", **clock(NOON)
        )
        assert "\x1b" not in text
        assert "evil" in text

    @pytest.mark.slow
    def test_an_export_has_aggregates_and_no_record(self, sandbox: Sandbox) -> None:
        memory(sandbox, *KEPT)
        sandbox.write(f"{ROOT}/_patterns/domain-patterns.json", dumps(PATTERNS))
        said = document_of(sandbox.kattest("memory", "export", **clock(NOON)))
        groups = {
            phase: [one["reward"] for one in KEPT if one["phase"] == phase]
            for phase in ("phase-0", "phase-2")
        }
        assert said == {
            "reward_data": {
                "total_records": len(KEPT),
                "domains": ["banking", "retail"],
                "phase_averages": {
                    phase: round(sum(rewards) / len(rewards), 2)
                    for phase, rewards in groups.items()
                },
                "top_patterns": [PATTERNS[1], PATTERNS[0]],
                "exported_from": ".keysarium/memory/",
            }
        }

    @pytest.mark.slow
    @pytest.mark.parametrize("command", ["stats", "export"])
    def test_of_no_memory_are_zero(self, sandbox: Sandbox, command: str) -> None:
        said = document_of(sandbox.kattest("memory", command, **clock(NOON)))
        assert 0 in {said.get("records"), said.get("reward_data", {}).get("total_records")}
        assert not (sandbox.path / ".keysarium").exists()


@pytest.mark.parametrize(
    ("options", "reward", "label"),
    [
        (["ok"], 1.0, "excellent"),
        (["ок"], 1.0, "excellent"),
        (["углуби раздел о рисках"], 0.7, "good"),
        (["углуби раздел о рисках", "--round", "3"], 0.3, "needs_work"),
        (["great, just fix the typo in section 3"], 1.0, "excellent"),
        (["this is unusable, start over"], 0.0, "failed"),
        (["hm"], None, None),
    ],
)
@pytest.mark.slow
def test_classify_follows_the_protocols_table(
    sandbox: Sandbox, options: list[str], reward: float | None, label: str | None
) -> None:
    said = document_of(sandbox.kattest("memory", "classify", *options))
    assert (said["reward"], said["reward_label"]) == (reward, label)
    assert said["decided"] is (reward is not None)


@pytest.mark.slow
def test_no_answer_is_not_to_be_stored(sandbox: Sandbox) -> None:
    said = document_of(sandbox.kattest("memory", "classify", ""))
    assert (said["store"], said["reward"]) == (False, None)
