"""The hook id kattest-memory-fix under the real pre-commit and prek: it mends, fails, and passes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.git.memories import INDEX, write
from tests.git.test_frameworks import (
    OTHER,
    assert_committed,
    installed,
    needs_installing,
    published,
    shared,
    tool,
    use,
)
from tests.support.git import Repo
from tests.support.memory import ROOT, Document, dumps, file_of, is_cold, make_record, make_tree

__all__ = ["published", "shared", "tool"]

pytestmark = needs_installing

NOON = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(hours=12)
FRESH = make_record("fresh", at=NOON)
OVERDUE = make_record("overdue", at=NOON - timedelta(days=100))
HOOK = "kattest-memory-fix"


def with_hook(repo: Repo, published: Repo, shared: Path, tool: str, *records: Document) -> Repo:
    """``repo`` with a memory of these records, and the hook."""
    if records:
        write(repo, make_tree(*records))
    return installed(repo, published, shared, tool, HOOK, "kattest-memory")


def change(repo: Repo) -> None:
    repo.write(OTHER, b"two\n")
    repo.git("add", "--all")


def test_fails_when_it_changed_something_and_passes_once_that_is_added(
    repo: Repo, published: Repo, shared: Path, tool: str
) -> None:
    managed = with_hook(repo, published, shared, tool, FRESH, OVERDUE)
    head = managed.git("rev-parse", "HEAD")
    change(managed)
    refused = managed.try_git("commit", "-m", "x")
    assert refused.status != 0
    assert "Archived 1 records to cold storage in banking" in refused.stdout + refused.stderr
    assert "git add --all" in refused.stdout + refused.stderr
    assert managed.git("rev-parse", "HEAD") == head
    assert not (managed.top / ROOT / file_of(OVERDUE)).exists()
    managed.git("add", "--all")
    assert_committed(managed, managed.try_git("commit", "-m", "x"), head)
    committed = managed.git("ls-tree", "-r", "--name-only", "HEAD", f"{ROOT}/banking").splitlines()
    records = [json.loads(managed.git("show", f"HEAD:{path}")) for path in committed]
    assert {record["id"]: is_cold(record) for record in records} == {
        FRESH["id"]: False,
        OVERDUE["id"]: True,
    }
    assert managed.git("status", "--porcelain") == ""


def test_mends_an_index(repo: Repo, published: Repo, shared: Path, tool: str) -> None:
    managed = with_hook(repo, published, shared, tool, FRESH)
    head = managed.git("rev-parse", "HEAD")
    index = json.loads((managed.top / INDEX).read_bytes())
    managed.write(INDEX, dumps({**index, "record_count": 7}))
    managed.git("add", "--all")
    assert managed.try_git("commit", "-m", "x").status != 0
    managed.git("add", "--all")
    change(managed)
    assert_committed(managed, managed.try_git("commit", "-m", "x"), head)
    assert json.loads(managed.git("show", f"HEAD:{INDEX}"))["record_count"] == 1


def test_passes_where_nothing_is_due_and_changes_nothing(
    repo: Repo, published: Repo, shared: Path, tool: str
) -> None:
    managed = with_hook(repo, published, shared, tool, FRESH)
    head = managed.git("rev-parse", "HEAD")
    before = (managed.top / INDEX).read_bytes()
    change(managed)
    assert_committed(managed, managed.try_git("commit", "-m", "x"), head)
    assert (managed.top / INDEX).read_bytes() == before


def test_passes_where_there_is_no_memory(
    repo: Repo, published: Repo, shared: Path, tool: str
) -> None:
    managed = with_hook(repo, published, shared, tool)
    head = managed.git("rev-parse", "HEAD")
    change(managed)
    assert_committed(managed, managed.try_git("commit", "-m", "x"), head)
    assert not (managed.top / ".keysarium").exists()


def test_refuses_where_a_person_must_decide(
    repo: Repo, published: Repo, shared: Path, tool: str
) -> None:
    ancient = make_record("ancient", at=NOON - timedelta(days=200))
    managed = with_hook(repo, published, shared, tool, ancient)
    head = managed.git("rev-parse", "HEAD")
    change(managed)
    done = managed.try_git("commit", "-m", "x")
    assert done.status != 0
    assert "--purge-anyway" in done.stdout + done.stderr
    assert managed.git("rev-parse", "HEAD") == head
    assert (managed.top / ROOT / file_of(ancient)).exists()


def test_by_hand_in_the_manual_stage(repo: Repo, published: Repo, shared: Path, tool: str) -> None:
    managed = with_hook(repo, published, shared, tool, FRESH, OVERDUE)
    command = ["run", "--hook-stage", "manual", HOOK]
    assert use(managed, tool, *command).status == 1
    managed.git("add", "--all")
    assert use(managed, tool, *command).status == 0
