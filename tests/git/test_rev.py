"""--rev: one commit, from its own objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git.conftest import copied
from tests.support.git import ATTESTATIONS, FIRST_COMMIT, FOLDER, SKILL, Repo


@pytest.fixture(scope="module")
def three_template(honest_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """An honest commit, a forged skill, its removal; the second has tags and a branch.

    Never changed.
    """
    repo = copied(honest_template, tmp_path_factory.mktemp("three"))
    repo.skill("skills/forged", b"forged\n")
    repo.forge("skills/forged")
    repo.commit("forged")
    repo.git("branch", "forged")
    repo.git("tag", "light")
    repo.git("tag", "--annotate", "--message", "forged", "annotated")
    repo.git("tag", "--annotate", "--message", "a tag of a tag", "twice", "annotated")
    repo.git("revert", "--no-edit", "HEAD")
    return repo


@pytest.fixture
def three(three_template: Repo, tmp_path: Path) -> Repo:
    """A copy of the same, to be changed."""
    return copied(three_template, tmp_path)


@pytest.mark.parametrize(
    "rev",
    [
        "forged",
        "refs/heads/forged",
        "light",
        "annotated",
        "twice",
        "HEAD~1",
        "HEAD^",
        "@~",
        ":/^forged",
    ],
)
def test_every_name_of_a_commit(three_template: Repo, rev: str) -> None:
    report = three_template.verify("--rev", rev)
    first, commit = three_template.git("rev-parse", "HEAD~2", "HEAD~1").split()
    assert report["source"] == {"kind": "commit", "rev": commit, "base": first}
    assert [finding["code"] for finding in report["findings"]] == ["KA101"]


def test_what_came_before_and_after_it_does_not_matter(three_template: Repo) -> None:
    first, forged, mended = three_template.git("rev-parse", "HEAD~2", "HEAD~1", "HEAD").split()
    for rev, base in (first, None), (mended, forged):
        report = three_template.verify("--rev", rev)
        assert report["source"] == {"kind": "commit", "rev": rev, "base": base}
        assert report["findings"] == []


def test_the_base_of_a_merge_is_its_first_parent(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.git("switch", "--quiet", "--create", "side")
    side = repo.commit("of the side")
    repo.git("switch", "--quiet", "main")
    ours = repo.commit("ours")
    repo.git("merge", "--quiet", "--no-ff", "side", "-m", "merge")
    merge = repo.git("rev-parse", "HEAD")
    assert repo.git("rev-parse", "HEAD^1", "HEAD^2").split() == [ours, side]
    for rev, base in (merge, ours), (side, first):
        source = repo.verify("--rev", rev)["source"]
        assert source == {"kind": "commit", "rev": rev, "base": base}


def test_ids_whole_and_abbreviated(three_template: Repo) -> None:
    commit = three_template.git("rev-parse", "HEAD~1")
    for rev in commit, commit[:7], commit[:12].upper():
        assert three_template.codes("--rev", rev) == ["KA101"]


def test_the_reflog_names_commits(three_template: Repo) -> None:
    assert three_template.codes("--rev", "HEAD@{1}") == ["KA101"]


@pytest.mark.parametrize(
    "rev",
    [
        "nowhere",
        "HEAD~9",
        "0" * 40,
        "HEAD..HEAD",
        "",
        "-x",
        "HEAD:nowhere",
        "\x1b[31m",
        "a b",
        "^HEAD",
    ],
)
def test_a_rev_that_names_no_commit(three_template: Repo, rev: str) -> None:
    said = three_template.refusal(f"--rev={rev}")
    assert "names no commit" in said
    assert "name a commit, branch or tag" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("what", [f"HEAD:{ATTESTATIONS}", f"HEAD:{FOLDER}", "HEAD^{tree}"])
def test_an_object_that_is_no_commit(three_template: Repo, what: str) -> None:
    oid = three_template.git("rev-parse", what)
    for rev in oid, what:
        assert "names no commit" in three_template.refusal("--rev", rev)


def test_a_range_is_not_taken_for_its_end(three_template: Repo) -> None:
    for rev in "HEAD~2..HEAD", "HEAD~2...HEAD":
        assert "names no commit" in three_template.refusal("--rev", rev)


def test_the_working_copy_and_the_index_do_not_matter(three: Repo) -> None:
    (three.top / SKILL).write_bytes(b"edited\n")
    (three.top / ATTESTATIONS).unlink()
    three.git("add", "--all")
    report = three.verify("--rev", "HEAD")
    assert report["findings"] == []
    assert report["rounds"][0]["artifact"] == "current"


def test_a_checkout_filter_does_not_matter(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    (repo.top / SKILL).unlink()
    repo.git("checkout", "--", SKILL)
    assert b"\r\n" in (repo.top / SKILL).read_bytes()
    assert repo.codes("--rev", "HEAD") == []


def test_bytes_are_judged_as_they_are_stored(repo: Repo) -> None:
    repo.skill("windows", b"# CRLF\r\n")
    repo.commit()
    assert repo.codes("--rev", "HEAD") == []
    repo.write(".gitattributes", b"* text=auto\n")
    repo.git("add", "--renormalize", ".")
    repo.commit()
    assert repo.git("show", "HEAD:windows/SKILL.md") == "# CRLF"
    report = repo.verify("--rev", "HEAD")
    assert [finding["code"] for finding in report["findings"]] == ["KA111"]
    assert "only its line ends differ" in report["findings"][0]["message"]


def test_replaced_objects_are_not_what_was_committed(repo: Repo) -> None:
    honest = repo.git("rev-parse", f"HEAD:{ATTESTATIONS}")
    repo.forge_new()
    repo.commit()
    repo.git("replace", repo.git("rev-parse", f"HEAD:{ATTESTATIONS}"), honest)
    assert repo.codes("--rev", "HEAD") == ["KA101"]
    assert repo.codes("--staged") == ["KA101"]


def test_as_of_is_the_committer_date(repo: Repo) -> None:
    seconds = int(repo.git("log", "-1", "--format=%ct"))
    assert seconds > FIRST_COMMIT
    written = repo.git("log", "-1", "--format=%cd", "--date=format:%Y-%m-%dT%H:%M:%SZ")
    assert repo.verify("--rev", "HEAD")["as_of"] == written


def test_the_committer_date_is_not_the_author_date_and_has_a_zone(repo: Repo) -> None:
    elsewhere = repo.at(
        repo.top,
        GIT_AUTHOR_DATE="2026-05-01T00:00:00+00:00",
        GIT_COMMITTER_DATE="2026-06-01T01:30:00+05:30",
    )
    elsewhere.commit()
    assert repo.verify("--rev", "HEAD")["as_of"] == "2026-05-31T20:00:00Z"


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_as_of_and_then_source_date_epoch_override(honest_template: Repo, mode: list[str]) -> None:
    given = ["--as-of", "2026-04-01T00:00:00Z"]
    epoch = {"SOURCE_DATE_EPOCH": "1780000000"}
    assert honest_template.verify(*mode, **epoch)["as_of"] == "2026-05-28T20:26:40Z"
    assert honest_template.verify(*mode, *given, **epoch)["as_of"] == "2026-04-01T00:00:00Z"


def test_an_empty_source_date_epoch_is_none(repo: Repo) -> None:
    dated = repo.verify("--rev", "HEAD", SOURCE_DATE_EPOCH="")["as_of"]
    assert dated == repo.verify("--rev", "HEAD")["as_of"]


def test_the_same_commit_gives_the_same_bytes(three: Repo) -> None:
    one, two = (three.kattest("verify", "--rev", "forged", "--format", "json") for _ in range(2))
    assert one == two


def test_a_detached_head_is_judged(three: Repo) -> None:
    three.git("checkout", "--quiet", "--detach", "forged")
    for mode in [], ["--staged"], ["--rev", "HEAD"]:
        assert three.codes(*mode) == ["KA101"]


def test_packed_objects_and_refs_are_read(three: Repo) -> None:
    three.git("gc", "--quiet", "--aggressive", "--prune=now")
    assert three.codes("--rev", "forged") == ["KA101"]


def test_objects_of_an_alternate_are_read(three: Repo) -> None:
    three.git("clone", "--quiet", "--shared", str(three.top), "../borrower")
    borrower = three.at(three.top.parent / "borrower")
    assert (borrower.top / ".git/objects/info/alternates").exists()
    assert borrower.codes("--rev", "HEAD~1") == ["KA101"]


def test_a_pre_receive_hook_sees_what_is_pushed_before_it_is_accepted(repo: Repo) -> None:
    repo.git("clone", "--quiet", "--bare", str(repo.top), "../server.git")
    server = repo.at(repo.top.parent / "server.git")
    hook = server.write("hooks/pre-receive", b"#!/bin/sh\nread old new ref\n")
    with hook.open("a") as script:
        script.write('test -n "$GIT_QUARANTINE_PATH" && exec kattest verify --rev "$new"\n')
    hook.chmod(0o755)
    honest = repo.commit("another honest commit")
    assert repo.try_git("push", server.top.as_uri(), "main").status == 0
    assert server.git("rev-parse", "main") == honest
    repo.forge()
    repo.commit("forged")
    done = repo.try_git("push", server.top.as_uri(), "main")
    assert done.status != 0
    assert "error KA101 " in done.stderr
    assert server.git("rev-parse", "main") == honest
