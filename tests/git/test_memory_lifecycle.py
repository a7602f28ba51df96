"""When records are due, and what the repository's configuration says of memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.git.memories import AT, INDEX, MODES, OLD, forge, found, kinds, path_of, relabel, write
from tests.support.git import Repo
from tests.support.memory import ROOT, STORED, make_record, make_tree

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

REV = ("--rev", "HEAD")
CONFIG = ".kattest.yaml"


def due(empty: Repo, days: int, at: datetime) -> str:
    """Write a memory with one record, stored that many days before ``at``; the record's path."""
    record = make_record(at=(at - timedelta(days=days)).replace(microsecond=0))
    write(empty, make_tree(record))
    return path_of(record)


# The moment.


def test_a_commit_is_judged_at_its_committer_date_where_the_working_tree_is_overdue_now(
    empty: Repo,
) -> None:
    now = datetime.now(UTC)
    path = due(empty, 100, now)
    made = now - timedelta(days=20)
    empty.at(empty.top, GIT_COMMITTER_DATE=made.isoformat()).commit()
    assert found(empty) == [(path, "KA401")]
    assert found(empty, "--staged") == [(path, "KA401")]
    assert found(empty, *REV) == []


def test_the_author_date_of_a_commit_does_not_count_and_a_zone_does(empty: Repo) -> None:
    path = due(empty, 0, STORED)  # 12:30 UTC
    for author, committer, expected in (
        ("2020-01-01T00:00:00Z", "2026-03-01T12:30:00+00:00", []),
        ("2026-03-01T13:00:00Z", "2026-03-01T13:00:00+03:00", [(INDEX, "KA309"), (path, "KA207")]),
        ("2020-01-01T00:00:00Z", "2026-03-01T09:30:01-03:00", []),
    ):
        dated = empty.at(empty.top, GIT_AUTHOR_DATE=author, GIT_COMMITTER_DATE=committer)
        dated.commit()
        assert found(empty, *REV) == sorted(expected)


def test_as_of_and_then_source_date_epoch_override_the_source(memory: Repo) -> None:
    """90 days after the first of its records: warm, and the archive's is long to be deleted."""
    late, later = "2026-05-10T00:00:00Z", "2026-05-25T00:00:00Z"
    epoch = str(int(datetime.fromisoformat(later).timestamp()))
    for source in ["--staged"], [*REV]:
        assert kinds(memory, *source, "--as-of", late) == {"KA402"}
        report = memory.verify(*source, SOURCE_DATE_EPOCH=epoch)
        assert [one["code"] for one in report["findings"]] == ["KA401", "KA402"]
        assert report["as_of"] == later
        assert found(memory, *source, "--as-of", late, SOURCE_DATE_EPOCH=epoch) == [
            (path_of(OLD), "KA402")
        ]


def test_what_is_overdue_is_counted_since_the_first(memory: Repo) -> None:
    [root] = memory.verify(*REV, "--as-of", "2026-05-25T00:00:00Z")["memory"]
    assert root["tiers"] == {"hot": 0, "warm": 2, "cold": 1, "purge": 1}
    assert (root["overdue"], root["overdue_since"]) == (2, "2026-05-09T09:00:00Z")
    assert (root["status"], root["archived"]) == ("failed", 1)


# .kattest.yaml


GRACE = b"lifecycle:\n  grace_days: 30\n"
WARNING = b"severity: {KA401: warning}\n"


@pytest.fixture
def overdue(empty: Repo) -> Repo:
    """A memory whose only record should have been archived ten days ago."""
    due(empty, 100, datetime(2026, 3, 5, tzinfo=UTC))
    empty.commit()
    return empty


@pytest.mark.parametrize(("config", "left"), [(GRACE, []), (WARNING, ["KA401"])])
def test_a_configuration_that_is_published_counts_and_one_that_is_not_does_not_yet(
    overdue: Repo, config: bytes, left: list[str]
) -> None:
    rev_now = (*REV, *AT)
    overdue.write(CONFIG, config)
    overdue.git("add", "--all")
    for mode in MODES[:2]:
        assert overdue.verify(*mode)["counts"]["errors"] == 1
    overdue.git("commit", "--quiet", "--message", "more patience")
    assert overdue.verify(*rev_now)["counts"]["errors"] == 1, "its parent's configuration counts"
    for mode in MODES[:2]:
        report = overdue.verify(*mode)
        assert [one["code"] for one in report["findings"]] == left
        assert report["ok"] is True
        assert report["memory"][0]["status"] == "verified"
    overdue.commit("another")
    assert overdue.verify(*rev_now)["ok"] is True


def test_days_of_grace_end_too(overdue: Repo) -> None:
    overdue.write(CONFIG, GRACE)
    overdue.commit()
    assert overdue.codes("--as-of", "2026-03-25T00:00:00Z") == []
    assert overdue.codes("--as-of", "2026-03-25T00:00:01Z") == ["KA401"]


@pytest.mark.parametrize("days", [b"-1", b"soon", b"0.5", b"true"])
def test_days_of_grace_that_are_no_number_of_days_are_refused(overdue: Repo, days: bytes) -> None:
    overdue.write(CONFIG, b"lifecycle: {grace_days: " + days + b"}\n")
    assert "grace_days" in overdue.refusal()


def test_an_excluded_record_is_not_reported_and_not_lost_to_the_index(memory: Repo) -> None:
    late = make_record("card_limits", at=datetime(2025, 11, 1, tzinfo=UTC))
    kept = make_record()
    path = path_of(late)
    for old in [path_of(OLD), f"{ROOT}/banking"]:
        memory.git("rm", "-r", "--quiet", old)
    write(memory, make_tree(kept, late))
    memory.git("rm", "-r", "--quiet", f"{ROOT}/retail")
    memory.write(CONFIG, f"exclude:\n- {ROOT}/banking/card_limits/\n".encode())
    memory.commit()
    report = memory.verify(*AT)
    assert (report["findings"], report["counts"]["records"]) == ([], 1)
    assert "note: the configuration excludes 1 document\n" in memory.kattest("verify", *AT).stdout
    memory.write(INDEX, make_tree(kept)[INDEX])
    assert {code for _, code in found(memory, *AT)} == {"KA305", "KA306"}, (
        "it is there all the same"
    )
    assert found(memory, *AT, path) == []


def test_an_excluded_memory_is_counted_and_is_not_there_for_require(memory: Repo) -> None:
    forge(memory)
    relabel(memory, make_record("loyalty_app", domain="retail", reward=0.3))
    memory.write(CONFIG, b"exclude: [.keysarium/]\n")
    memory.commit()
    report = memory.verify(*AT)
    assert (report["findings"], report["counts"]["memory_roots"]) == ([], 0)
    said = memory.kattest("verify", *AT).stdout
    assert "note: the configuration excludes 6 documents\n" in said
    assert "that the configuration does not exclude" in said
    assert "holds no memory root" in memory.refusal(*AT, "--require", "memory")
