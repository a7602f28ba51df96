"""The merge drivers, given three files as git gives them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kattest.errors import InputError, KattestError, SourceError
from kattest.writing.merging import merge_archive, merge_attestations, merge_index
from tests.support.memory import ROOT, STORED, archive, dumps, file_of, make_index, make_record
from tests.support.rounds import dumps as rounds_file
from tests.support.rounds import make_round

RECORD = make_record()
MINE, THEIRS = make_record("mine"), make_record("theirs")
COLD = archive(RECORD, STORED + timedelta(days=91))
LATER = archive(RECORD, STORED + timedelta(days=92))
PLACE = f"{ROOT}/{file_of(COLD)}"


class Three:
    """The files BASE, OURS and THEIRS."""

    def __init__(self, folder: Path, base: bytes, ours: bytes, theirs: bytes) -> None:
        self.base, self.ours, self.theirs = (folder / name for name in ("base", "ours", "theirs"))
        for file, data in ((self.base, base), (self.ours, ours), (self.theirs, theirs)):
            file.write_bytes(data)

    @property
    def outcome(self) -> Any:
        return json.loads(self.ours.read_bytes())


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """git in a new repository, where the tests are."""
    top = tmp_path / "repository"
    top.mkdir()
    monkeypatch.chdir(top)

    def git(*args: str) -> str:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        done = subprocess.run(["git", *who, *args], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "--quiet", "--initial-branch", "main")
    return git


def commit(git: Callable[..., str], content: dict[str, Any]) -> None:
    file = Path(PLACE)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(dumps(content))
    git("add", "--all")
    git("commit", "--quiet", "--message", "a change")


def test_an_index_is_that_of_the_records_of_both(tmp_path: Path) -> None:
    indexes = (make_index([RECORD]), make_index([RECORD, MINE]), make_index([THEIRS]))
    three = Three(tmp_path, *map(dumps, indexes))
    merge_index(three.base, three.ours, three.theirs, "index.json")
    wanted = make_index([MINE, THEIRS])
    assert three.outcome["records"] == wanted["records"]
    assert three.outcome["by_domain"] == wanted["by_domain"]


def test_indexes_that_grew_from_nothing_are_united(tmp_path: Path) -> None:
    three = Three(tmp_path, b"", dumps(make_index([MINE])), dumps(make_index([THEIRS])))
    merge_index(three.base, three.ours, three.theirs, "index.json")
    assert three.outcome["records"].keys() == {MINE["id"], THEIRS["id"]}


@pytest.mark.parametrize("broken", [b"{", b"[]", b'{"records": {}, "records": {}}', b"{}"])
def test_a_broken_index_is_a_conflict_and_ours_stays(tmp_path: Path, broken: bytes) -> None:
    ours = dumps(make_index([MINE]))
    three = Three(tmp_path, b"", ours, broken)
    with pytest.raises(InputError, match=r"index\.json") as caught:
        merge_index(three.base, three.ours, three.theirs, "index.json")
    assert "kattest memory reindex" in caught.value.remedy
    assert three.ours.read_bytes() == ours


def test_rounds_are_united_by_their_ids(tmp_path: Path) -> None:
    old, mine, theirs = (make_round(evaluation_id=name) for name in ("old", "mine", "theirs"))
    three = Three(tmp_path, rounds_file(old), rounds_file(old, mine), rounds_file(old, theirs))
    merge_attestations(three.base, three.ours, three.theirs, "f")
    ids = [one["evaluation_id"] for one in three.outcome["evaluations"]]
    assert ids == ["old", "mine", "theirs"]


@pytest.mark.parametrize(
    ("theirs", "reason"),
    [
        (
            rounds_file(make_round(evaluation_id="one", scores=("1.0", "1.0", "1.0"))),
            "two contents",
        ),
        (b"[]", "no attestation file"),
        (b"{", "not JSON"),
    ],
)
def test_what_cannot_be_united_is_a_conflict(tmp_path: Path, theirs: bytes, reason: str) -> None:
    ours = rounds_file(make_round(evaluation_id="one"))
    three = Three(tmp_path, b"", ours, theirs)
    with pytest.raises(InputError, match=reason):
        merge_attestations(three.base, three.ours, three.theirs, "f")
    assert three.ours.read_bytes() == ours


def test_a_file_that_git_does_not_give_is_said(tmp_path: Path) -> None:
    three = Three(tmp_path, b"", b"", b"")
    with pytest.raises(SourceError, match="cannot be read"):
        merge_attestations(three.base, tmp_path / "absent", three.theirs, "f")


@pytest.mark.parametrize(("ours", "theirs"), [(COLD, LATER), (LATER, COLD)])
def test_of_two_archivings_the_first_is_kept(
    tmp_path: Path, repository: Callable[..., str], ours: Any, theirs: Any
) -> None:
    three = Three(tmp_path, b"", dumps(ours), dumps(theirs))
    merge_archive(three.ours, three.theirs, PLACE)
    assert three.outcome == COLD
    assert repository("status", "--porcelain") == ""


@pytest.mark.parametrize("published", [COLD, LATER])
@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_of_two_archivings_the_published_is_kept(
    tmp_path: Path, repository: Callable[..., str], published: Any, side: str
) -> None:
    commit(repository, published)
    repository("update-ref", "refs/remotes/origin/main", "HEAD")
    other = LATER if published == COLD else COLD
    commit(repository, other)
    pair = (published, other) if side == "ours" else (other, published)
    three = Three(tmp_path, b"", *map(dumps, pair))
    merge_archive(three.ours, three.theirs, PLACE)
    assert three.outcome == published


def test_without_a_remote_what_head_has_is_kept(
    tmp_path: Path, repository: Callable[..., str]
) -> None:
    commit(repository, LATER)
    three = Three(tmp_path, b"", dumps(LATER), dumps(COLD))
    merge_archive(three.ours, three.theirs, PLACE)
    assert three.outcome == LATER


@pytest.mark.parametrize("other", [{**COLD, "reward": 0.1}, {**COLD, "more": 1}, {}])
def test_two_archived_records_that_differ_are_a_conflict(tmp_path: Path, other: Any) -> None:
    three = Three(tmp_path, b"", dumps(COLD), dumps(other))
    with pytest.raises(KattestError):
        merge_archive(three.ours, three.theirs, PLACE)
    assert three.outcome == COLD
