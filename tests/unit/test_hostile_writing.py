"""What hostile or odd repositories would have the writing commands lose, reach or believe."""

from __future__ import annotations

import os
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from kattest import engine
from kattest.attestation.uniting import UnitingError, unite
from kattest.config import Config
from kattest.errors import InputError, WriteError
from kattest.instant import Instant
from kattest.memory.query import Question
from kattest.sources.worktree import folder_tree
from kattest.writing.locks import locked
from kattest.writing.memory import memory_of
from kattest.writing.panels import panels_of
from kattest.writing.setup import HOOKS, Action, plan
from tests.support.memory import CONFIG, ROOT, STORED, dumps, make_index, make_record, make_tree
from tests.support.rounds import ARTIFACT, make_round
from tests.unit.remembering import instant, read
from tests.unit.test_memory_library import memory_in
from tests.unit.writing import given_record

DOMAINS = ("banking", "retail", "enterprise", "healthcare")
NOW = Instant(1_772_366_400)


def test_a_clock_that_is_wrong_purges_nothing_domain_by_domain(tmp_path: Path) -> None:
    records = [make_record(f"case_{d}_{n}", domain=d) for d in DOMAINS for n in range(3)]
    memory = memory_in(tmp_path, *records)
    late = instant(STORED + timedelta(days=400))
    for domain in DOMAINS:
        _, upkeep = memory.query(Question(domain, "phase-2"), late, read_only=False)
        assert upkeep.refused is not None
    assert len(memory.records()[0]) == len(records)


@pytest.mark.parametrize("kind", ["link", "hard link", "file"])
def test_a_lock_empties_no_other_file(tmp_path: Path, kind: str) -> None:
    precious, lock = tmp_path / "precious", tmp_path / "lock"
    precious.write_bytes(b"precious")
    if kind == "file":
        lock.write_bytes(b"precious")
    else:
        (lock.symlink_to if kind == "link" else lock.hardlink_to)(precious)
    with pytest.raises(WriteError, match="cannot be locked"):
        locked(lock, "it", 0).__enter__()
    assert precious.read_bytes() == lock.read_bytes() == b"precious"


@pytest.mark.parametrize(
    "text",
    [
        'repos:\n- repo: a\n  hooks:\n  - id: x\n    args: [\n"--a",\n]\nci: {}\n',
        "repos:\n  - repo: a\n    hooks: [\n    {id: x}\n  ]\n",
        'a: "\n\n  repos:\n\n  - x\n"\n? repos\n: []\n',
        "a: [\n",
    ],
)
def test_no_configuration_of_hooks_is_broken(tmp_path: Path, text: str) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / HOOKS).write_text(text)
    step = next(step for step in plan(tmp_path) if step.what == HOOKS)
    if step.data is None:
        assert step.action is Action.LEAVE
    else:
        before, after = yaml.safe_load(text), yaml.safe_load(step.data)
        assert after | {"repos": after["repos"][:-1]} == before


def test_our_name_in_a_comment_is_no_hook_of_ours(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / HOOKS).write_text("# kattest-memory is great\nrepos:\n- repo: meta\n  hooks: []\n")
    step = next(step for step in plan(tmp_path) if step.what == HOOKS)
    assert step.action is Action.ADD


def test_fields_around_rounds_are_merged_too() -> None:
    base = read({"a": 1, "b": 1, "evaluations": []})
    ours = read({"a": 2, "b": 1, "evaluations": []})
    theirs = read({"a": 1, "comment": "theirs", "evaluations": [make_round()]})
    united = unite(base, ours, theirs)
    assert {k: v for k, v in united.items() if k != "evaluations"} == read(
        {"a": 2, "comment": "theirs"}
    )
    with pytest.raises(UnitingError, match="two contents"):
        unite(base, ours, read({"a": 3, "b": 1, "evaluations": []}))


def test_maintaining_comes_to_an_end_where_times_have_fractions(tmp_path: Path) -> None:
    late = make_record("late") | {"timestamp": "2026-03-01T15:30:00.5+03:00"}
    memory = memory_in(tmp_path, late, make_record("other"))
    moment = instant(STORED + timedelta(days=91))
    assert memory.maintain(moment).archived
    assert not memory.maintain(moment).is_changed


def test_a_record_that_is_hot_again_is_called_so(tmp_path: Path) -> None:
    record, other = make_record(), make_record("other", at=STORED + timedelta(days=40))
    index = make_index([record, other], tiers={record["id"]: "warm"})
    memory = memory_in(tmp_path, record, other, index=index, config=CONFIG | {"tier_hot_days": 60})
    moment = instant(STORED + timedelta(days=41))
    assert memory.maintain(moment).is_reindexed
    assert engine.check(folder_tree(tmp_path), None, Config(), moment).findings == ()


def test_a_name_that_is_not_utf_8_is_passed_over_and_said(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, make_record())
    folder = os.fsencode(tmp_path / ROOT / "banking") + b"/\xff"
    os.mkdir(folder)
    with open(folder + b"/phase-2_2026-03-01T12-30-00.json", "wb") as file:
        file.write(dumps(make_record("x")))
    upkeep = memory.maintain(instant(STORED))
    assert any("not UTF-8" in note for note in upkeep.notes)
    memory.store([read(given_record())], instant(STORED))
    memory.query(Question("\udcff", "phase-2"), instant(STORED), read_only=False)


def test_of_a_batch_with_one_link_on_its_way_nothing_is_stored(tmp_path: Path) -> None:
    memory = memory_of(tmp_path)
    (tmp_path / ROOT).mkdir(parents=True)
    (tmp_path / ROOT / "retail").symlink_to(tmp_path)
    with pytest.raises(InputError, match="symlink"):
        memory.store([read(given_record()), read(given_record(domain="retail"))], instant(STORED))
    assert not (tmp_path / ROOT / "banking").exists()


def test_a_record_that_no_check_would_read_is_not_stored(tmp_path: Path) -> None:
    memory = memory_of(tmp_path)
    big = given_record(reward_reason="x" * (8 * 1024 * 1024))
    with pytest.raises(InputError, match="larger than"):
        memory.store([read(big)], instant(STORED))
    assert not (tmp_path / ROOT).exists()


@pytest.mark.parametrize("ignored", ["SKILL.md", ".judge-attestations.json"])
def test_what_git_ignores_is_not_judged(tmp_path: Path, ignored: str) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "SKILL.md").write_bytes(ARTIFACT)
    (tmp_path / ".gitignore").write_text(f"{ignored}\n")
    with pytest.raises(InputError, match="no check sees"):
        panels_of(tmp_path).prepare("SKILL.md", NOW)


def test_what_belongs_to_another_repository_is_not_judged(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "sub")], check=True)
    (tmp_path / "sub" / "SKILL.md").write_bytes(ARTIFACT)
    with pytest.raises(InputError, match="no check sees"):
        panels_of(tmp_path).prepare("sub/SKILL.md", NOW, file=".judge-attestations.json")


def test_a_memory_with_only_imported_numbers_begins_as_a_new_one(tmp_path: Path) -> None:
    for path, data in make_tree(config=None, index=False).items():
        (tmp_path / path).write_bytes(data)
    stats = tmp_path / ROOT / "_stats"
    stats.mkdir(parents=True)
    (stats / "imported-baselines.json").write_bytes(b"{}")
    memory_of(tmp_path).store([read(given_record())], instant(STORED))
    assert (tmp_path / ROOT / "config.json").exists()
    assert (tmp_path / ROOT / "index.json").exists()
