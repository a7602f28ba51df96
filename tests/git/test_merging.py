"""Two branches that both store, archive, purge and judge, merged by real git with our drivers."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.protocol import run_script
from tests.support.git import SCRIPTS, Repo, Run, run
from tests.support.memory import ROOT, archive, given_of, is_cold, make_index, make_record
from tests.support.rounds import ARTIFACT, RATIONALES, STANDARD

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
FOLDER = "skill"
FILE = f"{FOLDER}/.judge-attestations.json"
INDEX = f"{ROOT}/index.json"


def day(number: float) -> datetime:
    return START + timedelta(days=number)


class Merging:
    """A repository that ``kattest init`` has prepared, where it is some day."""

    def __init__(self, repo: Repo) -> None:
        path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
        self.repo = repo.at(repo.top, PATH=path)

    def run(self, *command: str, at: float = 0, stdin: object = None) -> Run:
        moment = day(at)
        date = moment.isoformat()
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        env = {**self.repo.env, **dates, "SOURCE_DATE_EPOCH": f"{moment.timestamp():.0f}"}
        data = None if stdin is None else json.dumps(stdin).encode()
        return run(*command, cwd=self.repo.top, env=env, stdin=data)

    def must(self, *command: str, at: float = 0, stdin: object = None) -> str:
        done = self.run(*command, at=at, stdin=stdin)
        assert done.status == 0, done
        return done.stdout

    def store(self, slug: str, at: float) -> str:
        value = given_of(make_record(slug))
        said = self.must("kattest", "memory", "store", at=at, stdin=value)
        name: str = json.loads(said)["id"]
        return name

    def judge(self, name: str, at: float) -> None:
        rows = zip(STANDARD, ("8.2", "7.5", "8.0"), RATIONALES, strict=False)
        value = {
            "artifact_path": f"{FOLDER}/SKILL.md",
            "evaluation_id": name,
            "attestations": [
                {"judge_id": judge, "score": float(score), "rationale_summary": f"{name}: {words}"}
                for judge, score, words in rows
            ],
        }
        self.must("kattest", "attest", "record", "--from", "-", at=at, stdin=value)

    def maintain(self, at: float) -> None:
        self.must("kattest", "memory", "maintain", at=at)

    def commit(self, at: float) -> None:
        self.must("git", "add", "--all")
        self.must("git", "commit", "--quiet", "--message", f"day {at}", at=at)

    def records(self) -> dict[str, Any]:
        files = (self.repo.top / ROOT).rglob("*_*.json")
        found = [json.loads(file.read_bytes()) for file in files]
        return {one["id"]: one for one in found}

    def rounds(self) -> list[str]:
        document = json.loads((self.repo.top / FILE).read_bytes())
        return [one["evaluation_id"] for one in document["evaluations"]]

    def is_sound(self, at: float, *ignored: str) -> None:
        """Nothing is wrong in the working tree and in the commit, and other programs agree."""
        assert self.must("git", "status", "--porcelain") == ""
        options = ("--strict", *(("--ignore", ",".join(ignored)) if ignored else ()))
        self.must("kattest", "verify", *options, at=at)
        self.must("kattest", "verify", "--rev", "HEAD", *options, at=at)
        assert "FAIL" not in run_script(self.repo.top / FOLDER)
        index = json.loads((self.repo.top / INDEX).read_bytes())
        wanted = make_index(self.records().values())
        assert index["records"].keys() == wanted["records"].keys()
        assert index["record_count"] == wanted["record_count"]
        for key, entry in wanted["records"].items():
            assert index["records"][key] | {"tier": ""} == entry | {"tier": ""}


@pytest.fixture
def merging(empty: Repo) -> Merging:
    """Three records, of which one is too old on day 200, and one round."""
    it = Merging(empty)
    (it.repo.top / FOLDER).mkdir()
    (it.repo.top / FOLDER / "SKILL.md").write_bytes(ARTIFACT)
    it.must("kattest", "init")
    for slug, at in (("ancient", 0), ("shared", 60), ("shared", 61), ("shared", 80)):
        it.store(slug, at)
    it.judge("old", 81)
    it.commit(81)
    return it


def branches(it: Merging, names: Sequence[str] = ("main", "topic")) -> dict[str, list[str]]:
    """On each branch days apart: two records, the archiving of what is due, a round."""
    stored: dict[str, list[str]] = {}
    for number, name in enumerate(names):
        at = 152 + number
        it.must("git", "checkout", "--quiet", *(() if name == "main" else ("-b", name, "main~0")))
        if name != "main":
            it.must("git", "reset", "--quiet", "--hard", "base")
        else:
            it.must("git", "tag", "base")
        stored[name] = [it.store(slug, at) for slug in ("shared", name)]
        it.maintain(at)
        it.judge(name, at)
        it.commit(at)
    return stored


def of_both(it: Merging, stored: dict[str, list[str]], rounds: Sequence[str]) -> None:
    records = it.records()
    assert {name for names in stored.values() for name in names} <= records.keys()
    old = [one for one in records.values() if is_cold(one)]
    assert len(old) == 3
    assert len(records) == 4 + sum(map(len, stored.values()))
    assert it.rounds() == rounds


@pytest.mark.parametrize("into", ["main", pytest.param("topic", marks=pytest.mark.slow)])
def test_what_two_branches_wrote_is_merged_whole(merging: Merging, into: str) -> None:
    stored = branches(merging)
    merging.must("git", "checkout", "--quiet", into)
    other = "topic" if into == "main" else "main"
    merging.must("git", "merge", "--quiet", "--no-edit", other, at=154)
    of_both(merging, stored, ["old", "main", "topic"])
    merging.is_sound(154)


@pytest.mark.slow
class TestOtherWays:
    def test_a_branch_is_rebased(self, merging: Merging) -> None:
        stored = branches(merging)
        merging.must("git", "checkout", "--quiet", "topic")
        merging.must("git", "rebase", "--quiet", "main", at=154)
        of_both(merging, stored, ["old", "main", "topic"])
        merging.is_sound(154)

    def test_a_commit_is_picked(self, merging: Merging) -> None:
        stored = branches(merging)
        merging.must("git", "checkout", "--quiet", "main")
        merging.must("git", "cherry-pick", "topic", at=154)
        of_both(merging, stored, ["old", "main", "topic"])
        merging.is_sound(154)

    def test_three_branches_are_merged_one_after_another(self, merging: Merging) -> None:
        stored = branches(merging, ("main", "topic", "third"))
        merging.must("git", "checkout", "--quiet", "main")
        for number, name in enumerate(("third", "topic")):
            merging.must("git", "merge", "--quiet", "--no-edit", name, at=155 + number)
        assert {*merging.rounds()} == {"old", "main", "topic", "third"}
        assert {one for names in stored.values() for one in names} <= merging.records().keys()
        merging.is_sound(156)

    def test_what_one_branch_purged_and_another_archived_is_purged_anew(
        self, merging: Merging
    ) -> None:
        branches(merging)
        merging.must("git", "checkout", "--quiet", "topic")
        merging.maintain(185)
        assert not any("ancient" in name for name in merging.records())
        merging.commit(185)
        merging.must("git", "checkout", "--quiet", "main")
        merging.must("git", "merge", "--quiet", "--no-edit", "topic", at=185.5)
        # For git, main has added the archived copy, which topic never had.
        merging.must("kattest", "verify", "--ignore", "KA402,KA508", at=185.5)
        merging.maintain(185.5)
        assert not any("ancient" in name for name in merging.records())
        merging.must("kattest", "verify", at=185.5)

    @pytest.mark.parametrize("into", ["main", "topic"])
    @pytest.mark.parametrize("published", ["main", "topic"])
    def test_the_published_archiving_stays(
        self, merging: Merging, into: str, published: str
    ) -> None:
        branches(merging)
        merging.must("git", "update-ref", "refs/remotes/origin/main", published)
        merging.must("git", "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
        merging.must("git", "checkout", "--quiet", into)
        other = "topic" if into == "main" else "main"
        merging.must("git", "merge", "--quiet", "--no-edit", other, at=154)
        at = day(152 if published == "main" else 153)
        cold = [one for one in merging.records().values() if is_cold(one)]
        assert {one["archived_at"] for one in cold} == {f"{at:%Y-%m-%dT%H:%M:%SZ}"}
        for what in ((), ("--rev", "HEAD"), ("--range", "origin/main..HEAD")):
            merging.must("kattest", "verify", *what, at=154)

    def test_what_another_branch_than_the_followed_one_has_published_stays(
        self, merging: Merging
    ) -> None:
        branches(merging)
        merging.must("git", "remote", "add", "origin", ".")
        merging.must("git", "update-ref", "refs/remotes/origin/main", "main")
        merging.must("git", "update-ref", "refs/remotes/origin/topic", "base")
        merging.must("git", "checkout", "--quiet", "-b", "late", "topic")
        merging.must("git", "branch", "--quiet", "--set-upstream-to", "origin/topic")
        merging.must("git", "merge", "--quiet", "--no-edit", "main", at=154)
        cold = [one for one in merging.records().values() if is_cold(one)]
        assert {one["archived_at"] for one in cold} == {f"{day(152):%Y-%m-%dT%H:%M:%SZ}"}
        for what in ((), ("--rev", "HEAD"), ("--base", "origin/main")):
            merging.must("kattest", "verify", *what, at=154)

    def test_of_two_unpublished_archivings_either_may_stay(self, merging: Merging) -> None:
        branches(merging)
        merging.must("git", "update-ref", "refs/remotes/origin/main", "base")
        merging.must("git", "checkout", "--quiet", "topic")
        merging.must("git", "merge", "--quiet", "--no-edit", "main", at=154)
        for what in ((), ("--rev", "HEAD"), ("--range", "origin/main..HEAD")):
            merging.must("kattest", "verify", *what, at=154)

    def test_branches_that_have_merged_each_other_agree(self, merging: Merging) -> None:
        branches(merging)
        for one, other in (("main", "topic"), ("topic", "main")):
            merging.must("git", "checkout", "--quiet", "-b", f"both-{one}", one)
            merging.must("git", "merge", "--quiet", "--no-edit", other, at=154)
        before = merging.records()
        merging.must("git", "merge", "--quiet", "--no-edit", "both-main", at=155)
        assert merging.records() == before
        merging.must("kattest", "verify", "--rev", "HEAD", at=155)

    def test_one_round_with_two_contents_is_a_conflict(self, merging: Merging) -> None:
        branches(merging)
        merging.must("git", "checkout", "--quiet", "-b", "rival", "topic")
        document = json.loads((merging.repo.top / FILE).read_bytes())
        document["evaluations"][-1]["final_score"] = 9.9
        (merging.repo.top / FILE).write_text(json.dumps(document, indent=2))
        merging.commit(154)
        merging.must("git", "checkout", "--quiet", "topic")
        document["evaluations"][-1]["final_score"] = 1.1
        (merging.repo.top / FILE).write_text(json.dumps(document, indent=2))
        merging.commit(154)
        ours = (merging.repo.top / FILE).read_bytes()
        done = merging.run("git", "merge", "--no-edit", "rival", at=155)
        assert done.status == 1
        assert 'the round "topic" has two contents' in done.stderr
        assert FILE in done.stderr
        assert (merging.repo.top / FILE).read_bytes() == ours
        assert merging.run("kattest", "verify", at=155).status != 0

    def test_a_broken_index_is_a_conflict_that_reindexing_mends(self, merging: Merging) -> None:
        stored = branches(merging)
        merging.must("git", "checkout", "--quiet", "main")
        (merging.repo.top / INDEX).write_text("{")
        merging.commit(154)
        done = merging.run("git", "merge", "--no-edit", "topic", at=154)
        assert done.status == 1
        assert "kattest memory reindex" in done.stderr
        merging.must("kattest", "memory", "reindex", at=154)
        merging.must("git", "add", "--all")
        merging.must("git", "commit", "--quiet", "--no-edit", at=154)
        of_both(merging, stored, ["old", "main", "topic"])
        merging.is_sound(154)

    def test_a_clone_without_drivers_is_never_called_sound_when_it_is_not(
        self, merging: Merging, tmp_path: Path
    ) -> None:
        branches(merging)
        clone = tmp_path / "clone"
        shutil.copytree(merging.repo.top, clone)
        it = Merging(merging.repo.at(clone))
        for name in ("index", "attestations", "archive"):
            it.must("git", "config", "--remove-section", f"merge.kattest-{name}")
        it.must("git", "checkout", "--quiet", "main")
        it.run("git", "merge", "--no-edit", "topic", at=154)
        assert it.run("kattest", "verify", at=154).status != 0


@pytest.mark.slow
def test_archives_of_the_oracle_are_those_of_kattest(merging: Merging) -> None:
    before = merging.records()
    merging.maintain(152)
    archived = {name: one for name, one in merging.records().items() if is_cold(one)}
    assert len(archived) == 3
    for name, one in archived.items():
        assert one == archive(before[name], day(152))
