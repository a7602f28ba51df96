"""`kattest verify --range`: what a range of commits changes, whichever way it is written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.git.conftest import copied
from tests.git.memories import FIRST, HONEST, INDEX, OLD, SECOND, THIRD, edit, path_of, write
from tests.git.publishing import (
    LOSING,
    WINNING,
    both_copied,
    finding_lines,
    publish,
    push,
    server_of,
    write_rounds,
)
from tests.support.git import ATTESTATIONS, FOLDER, SKILL, Repo
from tests.support.memory import ROOT, dumps, make_index
from tests.support.rounds import ARTIFACT, make_round

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

OTHER = "notes.txt"
THIRD_ROUND = make_round(evaluation_id="third", path=SKILL)


@pytest.fixture(scope="module")
def published_template(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(empty_template, tmp_path_factory.mktemp("published"))
    repo.write(SKILL, ARTIFACT)
    write_rounds(repo, LOSING, WINNING)
    write(repo, HONEST)
    repo.commit("Two rounds and a memory")
    publish(repo)
    return repo


@pytest.fixture
def published(published_template: Repo, tmp_path: Path) -> Repo:
    """A repository that follows a server; both have two rounds and an honest memory."""
    return both_copied(published_template, tmp_path)


def switch(repo: Repo, name: str, *start: str) -> None:
    repo.git("switch", "--quiet", "--create", name, *start)


def note(repo: Repo, text: str) -> str:
    """A commit that changes nothing that is judged."""
    repo.write(OTHER, text.encode())
    return repo.commit(text)


def drop_a_round(repo: Repo) -> str:
    write_rounds(repo, WINNING)
    return repo.commit("Drops a round")


def findings(repo: Repo, *args: str) -> list[tuple[str, str | None]]:
    """The code of each finding, and its commit."""
    return [(one["code"], one["commit"]) for one in repo.verify(*args)["findings"]]


def words(repo: Repo, *args: str) -> str:
    return repo.kattest("verify", *args).stdout


class TestForms:
    def test_a_range_is_compared_with_its_merge_base(self, published: Repo) -> None:
        base = published.git("rev-parse", "HEAD")
        drop_a_round(published)
        head = note(published, "one")
        published.git("tag", "start", base)
        for form in (
            f"{base}..HEAD",
            "start..",
            "origin/main..main",
            "HEAD~2...HEAD",
            "HEAD",
            "main",
        ):
            report = published.verify("--range", form)
            assert report["source"] == {"kind": "range", "rev": head, "base": base}, form
            assert findings(published, "--range", form) == [("KA502", None)], form
        assert f"2 commits up to {head[:12]}" in words(published, "--range", "start..")
        assert f"compared with start ({base[:12]})" in words(published, "--range", "start..")
        assert f"compared with origin/main ({base[:12]})" in words(published, "--range", "HEAD")

    def test_the_head_is_judged_whole(self, repo: Repo) -> None:
        repo.forge()
        forged = repo.commit()
        note(repo, "one")
        assert repo.codes("--range", f"{forged}..HEAD") == ["KA101"]

    def test_a_base_that_is_no_ancestor(self, published: Repo) -> None:
        base = published.git("rev-parse", "HEAD")
        switch(published, "feature")
        note(published, "one")
        published.git("switch", "--quiet", "main")
        write_rounds(published, LOSING, WINNING, THIRD_ROUND)
        published.commit("A third round")
        for form in "main..feature", "main...feature":
            report = published.verify("--range", form)
            assert report["source"]["base"] == base
            assert report["findings"] == []
            said = words(published, "--range", form)
            assert "note: main is no ancestor of feature: compared with their merge base" in said

    def test_an_empty_range_says_so(self, published: Repo) -> None:
        for form in "HEAD..HEAD", "HEAD", "main", "main..":
            done = published.kattest("verify", "--range", form)
            assert done.status == 0, done
            assert "is empty: it holds no commit" in done.stdout, form
        note(published, "one")
        said = words(published, "--range", "HEAD..HEAD~1")
        assert "note: the range HEAD..HEAD~1 is empty" in said

    def test_an_empty_range_does_not_hide_a_forged_head(self, repo: Repo) -> None:
        repo.forge()
        repo.commit()
        assert repo.codes("--range", "HEAD..HEAD") == ["KA101"]

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ("", '"" is no range'),
            ("A..B..C", '"A..B..C" is no range'),
            ("HEAD~1..HEAD...HEAD", '"HEAD~1..HEAD...HEAD" is no range'),
            ("..HEAD", '"..HEAD" is no range'),
            ("...", '"..." is no range'),
            ("nowhere..HEAD", '"nowhere" names no commit'),
            ("HEAD..nowhere", '"nowhere" names no commit'),
            ("nowhere", '"nowhere" names no commit'),
            ("HEAD....HEAD", '"HEAD....HEAD" is no range'),
        ],
    )
    def test_what_is_no_range(self, repo: Repo, given: str, said: str) -> None:
        assert said in repo.refusal("--range", given)

    def test_a_head_alone_needs_something_published(self, repo: Repo) -> None:
        said = repo.refusal("--range", "HEAD")
        assert "HEAD" in said
        assert "follows no branch, and no remote branch is known here that it grew from" in said
        assert "--range BASE..HEAD" in said

    def test_a_branch_that_follows_nothing_is_compared_with_the_remote(
        self, published: Repo
    ) -> None:
        base = published.git("rev-parse", "HEAD")
        switch(published, "feature")
        drop_a_round(published)
        for form in "HEAD", "feature":
            assert published.verify("--range", form)["source"]["base"] == base
            assert published.codes("--range", form) == ["KA502"]
        published.git("checkout", "--quiet", "--detach")
        assert published.codes("--range", "HEAD") == ["KA502"]

    def test_unrelated_histories_cannot_be_compared(self, repo: Repo) -> None:
        repo.git("switch", "--quiet", "--orphan", "other")
        note(repo, "one")
        said = repo.refusal("--range", "main..other")
        assert '"main" and "other" have no commit in common' in said

    def test_a_shallow_clone_cannot_check_what_was_cut_off(self, published: Repo) -> None:
        for text in "one", "two", "three":
            note(published, text)
        published.git("tag", "start", "HEAD~3")
        clone = published.clone("clone", "--depth=2")
        clone.git("fetch", "--quiet", "--depth=1", "origin", "tag", "start")
        for options in [], ["--each-commit"]:
            said = clone.refusal("--range", "start..HEAD", *options)
            assert "git fetch --unshallow" in said
        assert clone.codes("--range", "HEAD~1..HEAD") == []
        clone.git("fetch", "--quiet", "--unshallow")
        assert clone.codes("--range", "start..HEAD") == []


class TestSteps:
    def test_what_was_mended_within_the_range_is_no_fault_of_the_whole(
        self, published: Repo
    ) -> None:
        dropped = drop_a_round(published)
        write_rounds(published, LOSING, WINNING)
        published.commit("Mended")
        assert findings(published, "--range", "HEAD") == []
        assert findings(published, "--range", "HEAD", "--each-commit") == [("KA502", dropped)]

    def test_each_finding_names_the_commit_where_it_appeared(self, published: Repo) -> None:
        dropped = drop_a_round(published)
        note(published, "one")
        published.skill("skills/other", b"other\n")
        published.forge("skills/other")
        forged = published.commit("Forges")
        note(published, "two")
        assert {*findings(published, "--range", "HEAD", "--each-commit")} == {
            ("KA502", dropped),
            ("KA101", forged),
        }
        said = words(published, "--range", "HEAD", "--each-commit")
        assert f"(commit {dropped[:12]}): error KA502 " in said
        assert f"(commit {forged[:12]}): error KA101 " in said
        assert {*findings(published, "--range", "HEAD")} == {("KA502", None), ("KA101", None)}

    def test_parents_come_before_their_children_whatever_their_dates(self, published: Repo) -> None:
        early = published.at(published.top, GIT_COMMITTER_DATE="1772600000 +0000")
        late = published.at(published.top, GIT_COMMITTER_DATE="1772700000 +0000")
        dropped = drop_a_round(late)
        note(early, "a child that claims to be older")
        options = ("--range", "HEAD", "--each-commit")
        assert findings(published, *options) == [("KA502", dropped)]

    def test_a_merge_that_drops_what_a_side_had(self, published: Repo) -> None:
        switch(published, "side")
        write_rounds(published, LOSING, WINNING, THIRD_ROUND)
        published.commit("A third round")
        published.git("switch", "--quiet", "main")
        note(published, "one")
        published.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
        write_rounds(published, LOSING, WINNING)
        merge = published.commit("Merges, and drops the round")
        assert [code for code, _ in findings(published, "--range", "HEAD")] == ["KA502"]
        note(published, "two")
        assert findings(published, "--range", "HEAD") == [("KA502", merge)]
        assert findings(published, "--range", "HEAD", "--each-commit") == [("KA502", merge)]

    def test_an_honest_merge(self, published: Repo) -> None:
        switch(published, "side")
        published.skill("skills/side", b"side\n")
        published.commit()
        published.git("switch", "--quiet", "main")
        published.skill("skills/main", b"main\n")
        published.commit()
        published.git("merge", "--quiet", "--no-edit", "side")
        note(published, "after")
        for options in [], ["--each-commit"]:
            assert findings(published, "--range", "HEAD", *options) == []

    def test_each_commit_is_judged_at_its_own_date(self, published: Repo) -> None:
        index = make_index([FIRST, SECOND, THIRD])

        def purge(days: int) -> str:
            moment = datetime.fromisoformat(OLD["original_timestamp"]) + timedelta(days=days)
            dated = published.at(published.top, GIT_COMMITTER_DATE=moment.isoformat())
            write(dated, HONEST)
            (dated.top / path_of(OLD)).unlink(missing_ok=True)
            dated.write(INDEX, dumps(index))
            return dated.commit("Purges", "--amend")

        note(published, "to be amended")
        each = ("--range", "HEAD", "--each-commit", "--select", "KA507")
        early = purge(179)
        assert findings(published, *each) == [("KA507", early)]
        due = purge(181)
        assert findings(published, *each) == []
        late = note(published, "at an earlier date")
        assert findings(published, *each) == [("KA507", late)]
        assert due != late
        assert findings(published, *each, "--as-of", "2026-06-01T00:00:00Z") == []
        assert published.codes(*each, SOURCE_DATE_EPOCH="1780272000") == []

    def test_as_of_replaces_the_date_of_the_head(self, published: Repo) -> None:
        (published.top / path_of(OLD)).unlink()
        published.write(INDEX, dumps(make_index([FIRST, SECOND, THIRD])))
        published.commit("Purges too early")
        args = ("--range", "HEAD", "--select", "KA507")
        assert published.codes(*args) == ["KA507"]
        assert published.codes(*args, "--as-of", "2026-06-01T00:00:00Z") == []
        report = published.verify(*args, SOURCE_DATE_EPOCH="1780272000")
        assert report["as_of"] == "2026-06-01T00:00:00Z"
        assert report["findings"] == []


class TestPaths:
    @pytest.mark.parametrize("options", [[], ["--each-commit"]], ids=str)
    def test_a_path_narrows_what_is_judged(self, published: Repo, options: list[str]) -> None:
        drop_a_round(published)
        (published.top / path_of(FIRST)).unlink()
        published.commit()
        args = ("--range", "HEAD", *options)
        assert {"KA502", "KA505"} <= {*published.codes(*args)}
        assert published.codes(*args, FOLDER) == ["KA502"]
        assert "KA502" not in published.codes(*args, ROOT)
        assert "KA505" in published.codes(*args, ROOT)

    def test_a_path_that_only_the_base_has(self, published: Repo) -> None:
        (published.top / ATTESTATIONS).unlink()
        published.commit()
        for path in ATTESTATIONS, FOLDER:
            assert published.codes("--range", "HEAD", path) == ["KA503"]
        assert "is not in" in published.refusal("--range", "HEAD", "nowhere")

    def test_nothing_of_a_required_part(self, repo: Repo) -> None:
        note(repo, "one")
        said = repo.refusal("--range", "HEAD~1..HEAD", "--require", "memory")
        assert "--require memory: 1 commit up to " in said
        assert repo.codes("--range", "HEAD~1..HEAD", "--require", "attestations") == []


class TestBase:
    def test_local_work_is_compared_with_a_base_of_choice(self, repo: Repo) -> None:
        repo.write(SKILL, ARTIFACT)
        write_rounds(repo, LOSING, WINNING)
        start = repo.commit("Two rounds")
        drop_a_round(repo)
        for mode in [], ["--staged"]:
            assert repo.codes(*mode) == []
            assert repo.codes(*mode, "--base", start) == ["KA502"]
            report = repo.verify(*mode, "--base", start)
            assert report["source"]["base"] == start
            said = words(repo, *mode, "--base", "HEAD~1")
            assert f"compared with HEAD~1 ({start[:12]})" in said
            assert '"nowhere" names no commit' in repo.refusal(*mode, "--base", "nowhere")


def forges_a_score(repo: Repo) -> None:
    repo.skill("skills/other", b"other\n")
    repo.forge("skills/other")


def drops_a_round(repo: Repo) -> None:
    write_rounds(repo, WINNING)


def rewrites_a_round(repo: Repo) -> None:
    write_rounds(repo, LOSING, WINNING | {"final_score": 7.9})


def removes_a_file(repo: Repo) -> None:
    (repo.top / ATTESTATIONS).unlink()


def loses_a_record(repo: Repo) -> None:
    (repo.top / path_of(FIRST)).unlink()
    repo.write(INDEX, dumps(make_index([SECOND, THIRD, OLD])))


def edits_a_record(repo: Repo) -> None:
    edit(repo, path_of(FIRST), reward=1.0, reward_label="excellent")


CHANGES = [
    forges_a_score,
    drops_a_round,
    rewrites_a_round,
    removes_a_file,
    loses_a_record,
    edits_a_record,
]


def told(report: dict[str, Any]) -> set[tuple[str, str, str, str]]:
    return {
        (one["code"], one["path"], one["pointer"], one["message"]) for one in report["findings"]
    }


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change.__name__))
def test_the_same_change_gives_the_same_findings_everywhere(published: Repo, change: Any) -> None:
    change(published)
    published.git("add", "--all")
    at = datetime(2026, 3, 3, 12, tzinfo=UTC).isoformat()
    staged = told(published.verify("--staged", "--as-of", at))
    published.commit()
    in_range = told(published.verify("--range", "HEAD"))
    assert staged
    assert staged == in_range
    assert in_range == told(published.verify("--range", "HEAD", "--each-commit"))
    assert in_range == told(published.verify("--rev", "HEAD"))
    said = finding_lines(words(published, "--range", "HEAD"))
    server_of(published).hook("pre-receive")
    refused = push(published, "main")
    assert refused.status == 1
    assert finding_lines(refused.stderr) == said
    published.hook("pre-push")
    stopped = push(published, "main")
    assert stopped.status == 1
    assert finding_lines(stopped.stdout + stopped.stderr) == said


def test_each_commit_is_compared_with_what_it_grew_from(published: Repo) -> None:
    """A branch that merged main has commits before that, which never had what main has since."""
    switch(published, "feature")
    note(published, "one")
    published.git("switch", "--quiet", "main")
    published.add_round()
    published.commit()
    push(published, "main")
    published.git("switch", "--quiet", "feature")
    published.git("merge", "--quiet", "--no-edit", "main")
    note(published, "two")
    for options in ["--range", "origin/main..HEAD"], ["--range", "main..HEAD", "--each-commit"]:
        assert published.codes(*options) == []
    published.git("checkout", "--quiet", "main~1", "--", ATTESTATIONS)
    published.commit("Drop what main has")
    assert published.codes("--range", "main..HEAD", "--each-commit") == ["KA502"]
