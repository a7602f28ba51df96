"""A memory through the library: what is passed over, and what is refused."""

from __future__ import annotations

import json
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kattest.errors import InputError, SourceError, WriteError
from kattest.memory.query import Question
from kattest.writing.memory import Memory, memory_of
from kattest.writing.place import memory_place
from tests.support.memory import (
    CONFIG,
    ROOT,
    STORED,
    archive,
    dumps,
    file_of,
    make_index,
    make_record,
    make_tree,
)
from tests.unit.remembering import instant, read
from tests.unit.writing import given_record

NOW = STORED + timedelta(days=100)
FRESH, DUE = make_record("fresh", at=NOW - timedelta(days=1)), make_record("due")
QUESTION = Question("banking", "phase-2")


def memory_in(folder: Path, *records: Any, **options: Any) -> Memory:
    for path, data in make_tree(*records, **options).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return memory_of(folder)


def slugs(answer: Any) -> list[str]:
    return [one["case_slug"] for one in answer["records"]]


def test_an_interrupted_archiving_is_finished(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH, DUE)
    cold = tmp_path / ROOT / file_of(archive(DUE, NOW))
    cold.parent.mkdir(parents=True)
    cold.write_bytes(dumps(archive(DUE, NOW - timedelta(days=1))))
    upkeep = memory.maintain(instant(NOW))
    assert upkeep.repaired == (file_of(DUE),)
    assert not (tmp_path / ROOT / file_of(DUE)).exists()


@pytest.mark.parametrize("change", [{"reward": 0.1}, {"more": 1}])
def test_two_copies_that_do_not_agree_are_both_kept(tmp_path: Path, change: dict[str, Any]) -> None:
    memory = memory_in(tmp_path, FRESH, DUE)
    cold = tmp_path / ROOT / file_of(archive(DUE, NOW))
    cold.parent.mkdir(parents=True)
    cold.write_bytes(dumps(archive(DUE, NOW) | change))
    upkeep = memory.maintain(instant(NOW))
    assert not upkeep.is_whole
    assert any("KA404" in note for note in upkeep.notes)
    assert cold.exists()
    assert (tmp_path / ROOT / file_of(DUE)).exists()


def test_what_cannot_be_archived_stays_and_is_said(tmp_path: Path) -> None:
    lacking = DUE | {"reward_label": 1}
    memory = memory_in(tmp_path, FRESH, lacking)
    upkeep = memory.maintain(instant(NOW))
    assert upkeep.archived == ()
    assert not upkeep.is_whole
    assert any("due for the archive" in note for note in upkeep.notes)


def test_an_archive_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH, DUE)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ROOT / "banking" / "_archive").symlink_to(tmp_path / "elsewhere")
    upkeep = memory.maintain(instant(NOW))
    assert not upkeep.is_whole
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert (tmp_path / ROOT / file_of(DUE)).exists()


def test_a_file_in_the_place_of_the_archive_is_noted_by_a_query(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH, DUE)
    (tmp_path / ROOT / "banking" / "_archive").write_bytes(b"")
    answer, upkeep = memory.query(QUESTION, instant(NOW), read_only=False)
    assert slugs(answer) == ["fresh", "due"]
    assert any("stays active" in note for note in upkeep.notes)


def test_a_purge_that_is_refused_by_a_query_leaves_all(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, DUE)
    late = instant(STORED + timedelta(days=400))
    answer, upkeep = memory.query(QUESTION, late, read_only=False)
    assert slugs(answer) == []
    assert upkeep.refused is not None
    assert (tmp_path / ROOT / file_of(DUE)).exists()


def test_a_dry_run_says_what_is_due_and_changes_nothing(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH, DUE)
    upkeep = memory.maintain(instant(NOW), dry_run=True)
    assert [record.slug for record in upkeep.archived] == ["due"]
    assert (tmp_path / ROOT / file_of(DUE)).exists()


def test_a_configuration_that_cannot_be_followed_keeps_everything(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH, DUE, config=CONFIG | {"tier_hot_days": 999})
    for change in (
        lambda: memory.store([read(given_record())], instant(NOW)),
        lambda: memory.maintain(instant(NOW)),
        lambda: memory.reindex(instant(NOW)),
    ):
        with pytest.raises(InputError, match=r"config\.json"):
            change()
    answer, _ = memory.query(QUESTION, instant(NOW), read_only=False)
    assert slugs(answer) == ["fresh", "due"]


def test_a_memory_that_is_switched_off_stores_and_answers_nothing(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH, config=CONFIG | {"enabled": False})
    stored = memory.store([read(given_record())], instant(NOW))
    assert (stored.records, stored.is_enabled) == ((), False)
    answer, _ = memory.query(QUESTION, instant(NOW), read_only=True)
    assert slugs(answer) == []


def test_a_memory_that_is_not_there_is_empty(tmp_path: Path) -> None:
    memory = memory_of(tmp_path)
    assert slugs(memory.query(QUESTION, instant(NOW), read_only=False)[0]) == []
    assert not memory.maintain(instant(NOW)).is_changed
    assert not memory.reindex(instant(NOW)).is_changed
    assert memory.records()[0] == []
    assert memory.patterns() is None
    assert list(tmp_path.iterdir()) == []


def test_a_broken_index_is_built_anew_when_something_is_stored(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH)
    index = tmp_path / ROOT / "index.json"
    index.write_bytes(b"{")
    assert slugs(memory.query(QUESTION, instant(NOW), read_only=False)[0]) == ["fresh"]
    assert index.read_bytes() == b"{"
    stored = memory.store([read(given_record())], instant(NOW))
    entries = json.loads(index.read_bytes())["records"]
    assert entries.keys() == {FRESH["id"], stored.records[0].record.id}
    assert not memory.reindex(instant(NOW)).is_reindexed


def test_without_tiers_there_is_no_new_index(tmp_path: Path) -> None:
    old = {k: v for k, v in CONFIG.items() if not k.startswith("tier_")} | {"version": "1.0"}
    memory = memory_in(tmp_path, config=old, index=False)
    memory.store([read(given_record())], instant(NOW))
    assert not memory.reindex(instant(NOW)).is_reindexed
    assert not (tmp_path / ROOT / "index.json").exists()


def test_what_is_in_the_way_of_a_record_is_said(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH)
    (tmp_path / ROOT / "retail").write_bytes(b"")
    with pytest.raises(WriteError, match="cannot be written"):
        memory.store([read(given_record(domain="retail"))], instant(NOW))


def test_records_stored_before_one_that_fails_are_said_and_indexed_next(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH)
    (tmp_path / ROOT / "retail").write_bytes(b"")
    values = [read(given_record(case_slug="good")), read(given_record(domain="retail"))]
    with pytest.raises(WriteError, match="1 of 2 records"):
        memory.store(values, instant(NOW))
    assert memory.reindex(instant(NOW)).is_reindexed
    assert [record.slug for record in memory.records()[0]] == ["fresh", "good"]


def test_an_index_in_the_place_of_a_folder_is_said(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, FRESH, index=False)
    (tmp_path / ROOT / "index.json").mkdir()
    (tmp_path / ROOT / "index.json" / "x").write_bytes(b"")
    with pytest.raises(WriteError, match="no record is lost"):
        memory.reindex(instant(NOW))


def test_a_memory_behind_a_symlink_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / ".keysarium").symlink_to(tmp_path / "real")
    with pytest.raises(InputError, match="symlink"):
        memory_of(tmp_path)


def test_a_bare_repository_has_a_memory_only_by_name(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path)], check=True)
    with pytest.raises(SourceError, match="bare"):
        memory_place(tmp_path, None)
    assert memory_place(tmp_path, Path("m")).root == tmp_path.resolve() / "m"


def test_a_lock_is_one_for_one_memory_however_it_is_named(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    named = memory_place(tmp_path, Path(ROOT))
    assert named.lock == memory_place(tmp_path, None).lock
    assert named.lock.is_relative_to(tmp_path.resolve() / ".git")
    (tmp_path / "below").mkdir()
    assert memory_place(tmp_path / "below", None).root == named.root


def test_a_time_before_the_newest_record_purges_nothing(tmp_path: Path) -> None:
    old = archive(make_record("old", at=NOW - timedelta(days=300)), NOW - timedelta(days=200))
    memory = memory_in(tmp_path, FRESH, old, DUE, index=make_index([FRESH, old, DUE]))
    early = instant(NOW - timedelta(days=2))
    upkeep = memory.maintain(early)
    assert upkeep.refused is not None
    assert "clock" in upkeep.refused
    assert memory.maintain(early, purge_anyway=True).purged
