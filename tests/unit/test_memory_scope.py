"""What of a memory is judged: nothing that is left out may loosen the checks of the rest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from kattest.config import Config
from kattest.finding import Severity
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.result import Status
from tests.support.memory import (
    CONFIG,
    ROOT,
    STORED,
    dumps,
    file_of,
    make_index,
    make_record,
    make_tree,
)
from tests.unit.remembering import found, judge_tree

NOW = STORED + timedelta(days=5)
RECORD = make_record()
OTHER = make_record("shop_returns", domain="retail", reward=1.0)
INDEX = f"{ROOT}/index.json"
CONFIG_FILE = f"{ROOT}/config.json"
NAME = file_of(RECORD).rpartition("/")[2]


def path_of(record: Mapping[str, Any]) -> str:
    return f"{ROOT}/{file_of({**record})}"


def broken(**changes: Any) -> dict[str, bytes]:
    """A memory in which one of two records cannot be read, with these changes to its index."""
    index = make_index([RECORD, OTHER]) | changes
    return make_tree(RECORD, OTHER, index=index) | {path_of(OTHER): b"{"}


class TestARecordThatCannotBeRead:
    def test_counts_with_its_entry(self) -> None:
        assert found(judge_tree(broken(), NOW)) == [("KA001", path_of(OTHER), "")]

    @pytest.mark.parametrize("paths", [[], [INDEX]])
    @pytest.mark.parametrize("excluded", [(), ("retail/",)])
    def test_does_not_free_the_index(self, paths: list[str], excluded: tuple[str, ...]) -> None:
        entry = make_index([OTHER])["records"][OTHER["id"]]
        records = make_index([RECORD, OTHER])["records"]
        phantoms = {f"phantom_{number}": entry for number in range(3)}
        files = broken(record_count=4711, records=records | phantoms)
        report = judge_tree(files, NOW, config=Config(exclude=excluded), paths=paths)
        of_index = [(code, pointer) for code, path, pointer in found(report) if path == INDEX]
        assert of_index == [
            ("KA305", "/record_count"),
            *(("KA303", f"/records/phantom_{number}") for number in range(3)),
        ]

    def test_does_not_free_the_aggregates(self) -> None:
        by_skill = {"invented": {"count": 9, "avg_reward": 1}}
        codes = {code for code, path, _ in found(judge_tree(broken(by_skill=by_skill), NOW))}
        assert "KA306" in codes


class TestAConfigurationThatCannotBeRead:
    OLD = make_record("old", at=STORED - timedelta(days=300))

    @pytest.mark.parametrize(
        ("paths", "excluded"),
        [([f"{ROOT}/banking"], ()), ([path_of(OLD)], ()), ([], ("config.json",))],
    )
    def test_is_said_wherever_records_are_judged(
        self, paths: list[str], excluded: tuple[str, ...]
    ) -> None:
        files = make_tree(self.OLD, index=False) | {CONFIG_FILE: b"{"}
        report = judge_tree(files, NOW, config=Config(exclude=excluded), paths=paths)
        assert found(report) == [("KA001", CONFIG_FILE, "")]

    @pytest.mark.parametrize("field", ["known_domains", "reward_levels", "retention_days"])
    def test_is_said_of_each_part_by_which_records_are_judged(self, field: str) -> None:
        files = make_tree(RECORD, config=CONFIG | {field: "?"})
        report = judge_tree(files, NOW, paths=[path_of(RECORD)])
        assert found(report) == [("KA003", CONFIG_FILE, f"/{field}")]

    def test_leaves_no_root_verified_even_where_it_is_but_a_warning(self) -> None:
        config = CONFIG | {"tier_warm_days": 5}
        files = make_tree(self.OLD, config=config)
        levels = {"KA211": Severity.WARNING}
        report = judge_tree(files, NOW, config=Config(severity=levels))
        assert report.ok
        assert [root.status for root in report.memory] == [Status.FAILED]
        text = text_report.render(report, colour=False, detail=Detail.NORMAL)
        assert "by age: unknown" in text
        assert "(1 warning, 1 memory root FAILED)" in text


class TestAPath:
    def test_of_a_record_shows_what_the_index_says_of_it(self) -> None:
        files = make_tree(RECORD, OTHER) | {
            path_of(RECORD): dumps(RECORD | {"reward": 1.0, "reward_label": "excellent"})
        }
        for path in (path_of(RECORD), f"{ROOT}/banking"):
            report = judge_tree(files, NOW, paths=[path])
            place = f"/records/{RECORD['id']}/reward"
            assert found(report) == [("KA304", INDEX, place)]
            assert not report.ok
        assert judge_tree(files, NOW, paths=[path_of(OTHER)]).ok

    def test_of_a_folder_shows_which_of_its_records_are_gone(self) -> None:
        files = make_tree(RECORD, OTHER)
        del files[path_of(OTHER)]
        report = judge_tree(files, NOW, paths=[f"{ROOT}/retail"])
        assert found(report) == []  # nothing is there to be meant
        report = judge_tree(files, NOW, paths=[f"{ROOT}/retail", path_of(RECORD)])
        assert found(report) == [("KA303", INDEX, f"/records/{OTHER['id']}")]


class TestPathsThatAreNotFollowed:
    @pytest.mark.parametrize(
        "folder",
        [
            *("banking/a\\b", "banking/..\\..\\x", "banking/.git", "banking/git~1", "C:/case"),
            *("banking/.", "banking/..", "a\\b/case", "banking/\0"),
        ],
    )
    def test_are_no_place_of_a_record(self, folder: str) -> None:
        files = make_tree(RECORD) | {f"{ROOT}/{folder}/{NAME}": dumps(RECORD)}
        assert found(judge_tree(files, NOW)) == [("KA201", f"{ROOT}/{folder}/{NAME}", "")]

    @pytest.mark.parametrize("slug", ["a\\b", ".git", ".."])
    def test_are_found_in_the_entry_of_another_record_too(self, slug: str) -> None:
        odd = make_record(slug, reward=0.0)
        index = make_index([RECORD])
        index["records"][RECORD["id"]]["file"] = file_of(odd)
        report = judge_tree(make_tree(RECORD, odd, index=index), NOW)
        assert found(report) == [
            ("KA201", path_of(odd), ""),
            ("KA308", INDEX, f"/records/{RECORD['id']}/file"),
        ]


@pytest.mark.parametrize("folder", ["_patterns", "_stats"])
def test_other_json_beside_the_named_files_is_strict_too(folder: str) -> None:
    path = f"{ROOT}/{folder}/other.json"
    assert found(judge_tree({**make_tree(RECORD), path: b"[1,"}, NOW)) == [
        ("KA001", path, ""),
        ("KA212", path, ""),
    ]
    assert found(judge_tree({**make_tree(RECORD), path: b"[1]"}, NOW)) == [("KA212", path, "")]


def test_every_wrong_entry_of_an_index_is_listed() -> None:
    index = make_index([RECORD])
    entry = index["records"][RECORD["id"]]
    index["records"] |= {f"phantom_{number}": entry for number in range(1500)}
    report = judge_tree(make_tree(RECORD, index=index), NOW)
    assert [code for code, _, _ in found(report)] == ["KA303"] * 1500
    text = text_report.render(report, colour=False, detail=Detail.NORMAL)
    assert "    and 1497 more KA303 like it: -v lists them\n" in text


class TestTheTextReport:
    def test_shows_several_files_rather_than_many_faults_of_one(self) -> None:
        records = [make_record(f"case_{number}") for number in range(4)]
        files = make_tree(*records, index=False) | {path_of(record): b"{}" for record in records}
        report = judge_tree(files, NOW)
        text = text_report.render(report, colour=False, detail=Detail.NORMAL)
        shown = {line.partition(":")[0] for line in text.splitlines() if "error KA003" in line}
        assert shown == {path_of(record) for record in records[:3]}
        faults = sum(finding.rule.code == "KA003" for finding in report.findings)
        assert f"    and {faults - 3} more KA003 like it: -v lists them\n" in text


def test_a_record_of_version_1_0_is_not_blamed_for_a_retention_that_is_not_known() -> None:
    config = {name: value for name, value in CONFIG.items() if name != "retention_days"}
    simple = make_record(version="1.0")
    report = judge_tree(make_tree(simple, config=config), NOW)
    assert found(report) == [("KA003", CONFIG_FILE, "/retention_days")]


def test_ids_of_many_combining_marks_are_compared_at_once() -> None:
    slug = "x" + "\u0301\u0316" * 20_000  # composing these takes minutes
    report = judge_tree(make_tree(make_record() | {"id": slug}, index=False), NOW)
    assert ("KA202", path_of(RECORD), "/id") in found(report)
