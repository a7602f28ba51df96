"""Where the configuration comes from: the base, whatever is judged, and the report says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git.conftest import copied
from tests.git.publishing import (
    assert_refused,
    both_copied,
    found_codes,
    publish,
    push,
    server_of,
    write_rounds,
)
from tests.support.git import SKILL, Repo
from tests.support.rounds import make_round

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

CONFIG = ".kattest.yaml"
LOOSE = b"severity: {KA101: off, KA501: off}\n"
STRICT = b"severity: {KA101: error}\n"
BROKEN = b"severity: [\n"
OTHER = "notes.txt"
MODES = [[], ["--staged"], ["--range", "HEAD"], ["--range", "HEAD", "--each-commit"]]


@pytest.fixture(scope="module")
def published_template(honest_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(honest_template, tmp_path_factory.mktemp("published"))
    publish(repo)
    return repo


@pytest.fixture
def published(published_template: Repo, tmp_path: Path) -> Repo:
    """A repository that follows a server; nobody has configured anything."""
    repo = both_copied(published_template, tmp_path)
    server_of(repo).hook("pre-receive")
    return repo


@pytest.fixture
def loose(published: Repo) -> Repo:
    """The same, where the published configuration turns KA101 and KA501 off."""
    published.write(CONFIG, LOOSE)
    published.commit()
    published.git("push", "--quiet")
    return published


def codes(repo: Repo, *args: str) -> set[str]:
    return {*repo.codes(*args)}


def test_loosening_and_forging_in_one_commit(published: Repo) -> None:
    published.write(CONFIG, LOOSE)
    published.forge()
    published.commit()
    for mode in MODES:
        assert codes(published, *mode) == {"KA101", "KA501", "KA509"}, mode
    assert codes(published, "--rev", "HEAD") == {"KA101", "KA501", "KA509"}
    assert_refused(push(published, "main"), "KA101", "KA501", "KA509")
    assert_refused(push(published, "main:refs/heads/new"), "KA101", "KA501", "KA509")


def test_loosening_in_one_commit_and_forging_in_the_next(published: Repo) -> None:
    published.write(CONFIG, LOOSE)
    loosened = published.commit()
    published.forge()
    forged = published.commit()
    for mode in MODES:
        assert codes(published, *mode) == {"KA101", "KA501", "KA509"}, mode
    findings = published.verify("--range", "HEAD", "--each-commit")["findings"]
    assert {(one["code"], one["commit"]) for one in findings} == {
        ("KA509", loosened),
        ("KA101", forged),
        ("KA501", forged),
    }
    assert_refused(push(published, "main"), "KA101", "KA501", "KA509")


def test_loosening_that_is_taken_back_at_the_tip(published: Repo) -> None:
    published.write(CONFIG, LOOSE)
    published.forge()
    forged = published.commit()
    (published.top / CONFIG).unlink()
    published.commit()
    assert codes(published, "--range", "HEAD") == {"KA101", "KA501"}
    findings = published.verify("--range", "HEAD", "--each-commit")["findings"]
    assert {one["commit"] for one in findings} == {forged}


def test_a_change_of_the_configuration_alone_passes_and_is_shown(published: Repo) -> None:
    published.write(CONFIG, LOOSE)
    published.git("add", "--all")
    for mode in MODES[:2]:
        (finding,) = published.verify(*mode)["findings"]
        assert (finding["code"], finding["severity"]) == ("KA509", "info")
        assert finding["path"] == CONFIG
        assert "does not count yet" in finding["message"]
    published.commit()
    for mode in MODES:
        assert codes(published, *mode) == {"KA509"}
    done = push(published, "main")
    assert done.status == 0, done
    assert found_codes(done.stderr) == {"KA509"}


def test_the_report_names_where_it_came_from(loose: Repo) -> None:
    base = loose.git("rev-parse", "origin/main")
    loose.forge()
    loose.commit()
    named = f"{base[:12]}:{CONFIG}"
    for mode in MODES:
        report = loose.verify(*mode)
        assert report["findings"] == []
        assert [*report][:4] == ["schema", "kattest", "source", "config"]
        assert report["config"] == named, mode
        assert f"note: configuration: {named}" in loose.kattest("verify", *mode).stdout
    done = push(loose, "main")
    assert done.status == 0, done
    assert f"remote: note: configuration: {named}" in done.stderr


def test_the_defaults_are_not_named(published: Repo) -> None:
    published.write(OTHER, b"one\n")
    published.commit()
    for mode in MODES:
        assert published.verify(*mode)["config"] is None
        assert "configuration" not in published.kattest("verify", *mode).stdout


def test_a_first_commit_has_its_own_and_says_so(empty: Repo) -> None:
    empty.skill()
    empty.write(CONFIG, LOOSE)
    empty.forge()
    empty.git("add", "--all")
    for mode in MODES[:2]:
        report = empty.verify(*mode)
        assert (report["config"], report["findings"]) == (CONFIG, [])
        said = empty.kattest("verify", *mode).stdout
        assert "note: nothing is published before this" in said
    empty.commit()
    assert empty.verify("--rev", "HEAD")["config"] == CONFIG


def test_a_file_that_the_user_names_counts_before_any(loose: Repo) -> None:
    loose.forge()
    loose.commit()
    strict = loose.top.parent / "strict.yaml"
    strict.write_bytes(STRICT)
    for mode in [*MODES, ["--rev", "HEAD"]]:
        report = loose.verify(*mode, "--config", str(strict))
        assert report["config"] == str(strict)
        assert {one["code"] for one in report["findings"]} == {"KA101", "KA501"}


def test_the_configuration_comes_from_the_merge_base_not_from_the_newest(published: Repo) -> None:
    published.git("switch", "--quiet", "--create", "feature", "--track", "origin/main")
    published.forge()
    published.commit()
    published.git("switch", "--quiet", "main")
    published.write(CONFIG, LOOSE)
    published.commit()
    published.git("push", "--quiet")
    published.git("switch", "--quiet", "feature")
    for mode in MODES:
        assert codes(published, *mode) == {"KA101", "KA501"}, mode
    published.git("merge", "--quiet", "--no-edit", "origin/main")
    for mode in MODES[:3]:
        assert codes(published, *mode) <= {"KA509"}, mode


def test_a_merge_in_progress_does_not_bring_its_own_configuration(published: Repo) -> None:
    published.git("switch", "--quiet", "--create", "side")
    published.write(CONFIG, LOOSE)
    published.forge()
    published.commit()
    published.git("switch", "--quiet", "main")
    published.write(OTHER, b"one\n")
    head = published.commit()
    published.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    for mode in MODES[:2]:
        assert {"KA101", "KA501", "KA509"} == codes(published, *mode), mode
    for hook in "pre-commit", "pre-merge-commit":
        published.hook(hook)
    done = published.try_git("commit", "--message", "merge")
    assert done.status == 1
    assert {"KA101", "KA501"} <= found_codes(done.stderr)
    published.git("merge", "--abort")
    done = published.try_git("merge", "--no-ff", "--no-edit", "side")
    assert done.status != 0
    assert {"KA101", "KA501"} <= found_codes(done.stderr)
    assert published.git("rev-parse", "HEAD") == head


class TestHistoryBase:
    def test_head_where_the_published_configuration_says_so(self, published: Repo) -> None:
        published.write(CONFIG, b"history: {base: head}\n")
        published.commit()
        published.git("push", "--quiet")
        write_rounds(
            published,
            make_round(evaluation_id="one", path=SKILL),
            make_round(evaluation_id="two", path=SKILL),
        )
        published.commit("Two rounds of my own, and the published one is gone")
        head = published.git("rev-parse", "HEAD")
        assert codes(published, "--range", "HEAD") == {"KA502"}
        for mode in MODES[:2]:
            report = published.verify(*mode)
            assert report["source"]["base"] == head
            assert report["config"] == f"HEAD:{CONFIG}"
            assert report["findings"] == []
            assert codes(published, *mode, "--base", "origin/main") == {"KA502"}
        write_rounds(published, make_round(evaluation_id="two", path=SKILL))
        published.git("add", "--all")
        for mode in MODES[:2]:
            assert codes(published, *mode) == {"KA502"}

    def test_not_where_only_the_change_says_so(self, published: Repo) -> None:
        published.write(CONFIG, b"history: {base: head}\n")
        write_rounds(published, make_round(evaluation_id="one", path=SKILL))
        published.commit()
        for mode in MODES[:2]:
            assert codes(published, *mode) == {"KA502", "KA509"}


class TestBroken:
    def test_a_change_that_breaks_it_cannot_be_checked(self, published: Repo) -> None:
        published.write(CONFIG, BROKEN)
        published.commit()
        for mode in [*MODES, ["--rev", "HEAD"]]:
            assert f"{CONFIG} is not YAML" in published.refusal(*mode), mode
        done = push(published, "main")
        assert done.status == 1
        assert f"{CONFIG} is not YAML" in done.stderr

    def test_a_step_on_the_way_may_have_been_broken(self, published: Repo) -> None:
        published.write(CONFIG, BROKEN)
        published.commit()
        (published.top / CONFIG).unlink()
        published.commit()
        for mode in MODES[:3]:
            assert codes(published, *mode) == set()
        assert push(published, "main").status == 0

    def test_a_broken_base_is_mended_by_the_defaults(self, published: Repo) -> None:
        published.write(CONFIG, BROKEN)
        published.commit()
        hook = server_of(published).top / "hooks" / "pre-receive"
        hook.rename(hook.with_name("away"))
        published.git("push", "--quiet")
        hook.with_name("away").rename(hook)
        published.write(CONFIG, LOOSE)
        published.forge()
        published.commit()
        for mode in MODES:
            report = published.verify(*mode)
            assert report["config"] is None
            assert {one["code"] for one in report["findings"]} == {"KA101", "KA501", "KA509"}
            said = published.kattest("verify", *mode).stdout
            assert "the defaults judge the change that mends it" in said
        assert_refused(push(published, "main"), "KA101", "KA501", "KA509")
