"""Repositories made to deceive: by their objects, names and dates, or by whom they compare with."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.git.conftest import copied
from tests.git.memories import write
from tests.git.publishing import (
    ZEROS,
    assert_refused,
    both_copied,
    found_codes,
    publish,
    push,
    refs,
    server_of,
)
from tests.support.git import ATTESTATIONS, FOLDER, Repo, Run
from tests.support.memory import ROOT, archive, make_record, make_tree

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

CONFIG = ".kattest.yaml"
LOOSE = b"severity: {KA101: off, KA501: off}\n"
FORGED = ["KA101", "KA501"]
LOCAL = [[], ["--staged"]]
NOBODY = "ab" * 20
OTHER = "notes.txt"


def in_days(days: int) -> datetime:
    return datetime.now(UTC).replace(microsecond=0) + timedelta(days=days)


YESTERDAY = in_days(-1)


@pytest.fixture(scope="module")
def published_template(honest_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(honest_template, tmp_path_factory.mktemp("published"))
    publish(repo)
    return repo


@pytest.fixture
def published(published_template: Repo, tmp_path: Path) -> Repo:
    """A repository that follows a server, which has hooks/pre-receive; both hold one skill."""
    repo = both_copied(published_template, tmp_path)
    server_of(repo).hook("pre-receive")
    return repo


def forge_loosely(repo: Repo) -> str:
    """A commit that forges a score, and switches off the rules that would tell."""
    repo.forge()
    repo.write(CONFIG, LOOSE)
    return repo.commit("Forged")


def note(repo: Repo, text: str = "one") -> str:
    """A commit that changes nothing that is judged."""
    repo.write(OTHER, text.encode())
    return repo.commit(text)


def errors(report: dict[str, Any]) -> list[str]:
    """The codes of a report's errors, each once."""
    return sorted({one["code"] for one in report["findings"] if one["severity"] == "error"})


def assert_unchecked(repo: Repo, done: Run, why: str, before: dict[str, str]) -> None:
    """That a push is refused because it could not be checked, and nothing of it is published."""
    assert done.status == 1, done
    assert why in done.stderr
    assert "remote:   what to do: " in done.stderr
    assert "kattest: this push is refused." in done.stderr
    assert refs(server_of(repo)) == before


# Objects that git reads and others do not.


def rewritten(repo: Repo, kind: str, name: str, old: bytes, new: bytes) -> str:
    """The id of an object that is another one but for some bytes, as no git would write it."""
    command = ["git", "cat-file", kind, name]
    done = subprocess.run(command, cwd=repo.top, env=repo.env, capture_output=True, check=True)
    assert done.stdout.count(old) == 1
    data = done.stdout.replace(old, new)
    return repo.git("hash-object", "-t", kind, "-w", "--stdin", "--literally", stdin=data)


def without_an_address(repo: Repo, commit: str) -> str:
    """A commit like another one, whose author has no address: libgit2 cannot read it."""
    return rewritten(repo, "commit", commit, b" <author@example.org>", b"")


def test_a_forged_commit_that_cannot_be_read_is_not_received(published: Repo) -> None:
    before = refs(server_of(published))
    evil = without_an_address(published, forge_loosely(published))
    published.git("update-ref", "refs/heads/evil", evil)
    for ref in "main", "new":
        done = push(published, f"evil:refs/heads/{ref}")
        assert_unchecked(published, done, f"kattest: refs/heads/{ref}: ", before)
    for mode in ["--rev", "evil"], ["--range", "origin/main..evil"]:
        assert '"evil" names no commit' in published.refusal(*mode)


def test_a_commit_that_cannot_be_read_is_not_received_below_a_sound_one(published: Repo) -> None:
    before = refs(server_of(published))
    evil = without_an_address(published, forge_loosely(published))
    tree = f"{evil}^{{tree}}"
    above = published.git("commit-tree", "-p", evil, "-m", "above", tree)
    done = push(published, f"{above}:refs/heads/new")
    assert_unchecked(published, done, "kattest: refs/heads/new: ", before)


def test_a_branch_whose_tip_only_git_can_read_keeps_its_protection(published: Repo) -> None:
    server = server_of(published)
    published.write(CONFIG, b"history: {protect: [refs/heads/kept]}\n")
    odd = without_an_address(published, published.commit())
    (server.top / "hooks" / "pre-receive").rename(server.top / "hooks" / "away")
    published.git("push", "--quiet", "origin", f"{odd}:refs/heads/kept")
    (server.top / "hooks" / "away").rename(server.top / "hooks" / "pre-receive")
    done = push(published, ":kept")
    assert done.status == 1, done
    assert "refs/heads/kept" in done.stderr
    assert "history.protect" in done.stderr
    assert refs(server)["refs/heads/kept"] == odd


def test_a_missing_object_cannot_be_checked(published: Repo) -> None:
    """Nor does it pass for something that is no commit."""
    server = server_of(published)
    tip = server.git("rev-parse", "main")
    for old, new in (tip, NOBODY), (NOBODY, ZEROS):
        done = server.kattest("hook", "update", "refs/heads/main", old, new)
        assert done.status == 2, done
        assert NOBODY in done.stderr or NOBODY[:12] in done.stderr
        assert "what to do: " in done.stderr


def test_a_folder_of_an_odd_mode_is_a_folder(published: Repo) -> None:
    published.forge()
    published.git("add", "--all")
    whole = published.git("write-tree")
    for mode in b"040000", b"40755":
        tree = rewritten(published, "tree", whole, b"40000 skills\0", mode + b" skills\0")
        evil = published.git("commit-tree", "-p", "HEAD", "-m", "odd", tree)
        assert published.codes("--range", f"origin/main..{evil}") == FORGED, mode
    assert_refused(push(published, f"{evil}:refs/heads/main"), *FORGED)


def test_a_file_of_an_odd_mode_is_a_file(published: Repo) -> None:
    """An artifact of such a mode is still there, wherever it was moved."""
    published.git("rm", "--quiet", ATTESTATIONS)
    published.git("mv", FOLDER, "kept")
    whole = published.git("write-tree", "--prefix=kept/")
    kept = rewritten(published, "tree", whole, b"100644 SKILL.md\0", b"100600 SKILL.md\0")
    top = published.git("mktree", stdin=f"040000 tree {kept}\tkept\n".encode())
    evil = published.git("commit-tree", "-p", "HEAD", "-m", "odd", top)
    assert published.codes("--range", f"origin/main..{evil}") == ["KA503"]


def test_replacements_of_objects_are_not_received(published: Repo) -> None:
    """They would show everybody who fetches them something else than what was checked."""
    server = server_of(published)
    judged = published.git("rev-parse", f"HEAD:{ATTESTATIONS}")
    before = published.git("rev-parse", "HEAD")
    note(published)
    published.forge()
    forged = published.git("hash-object", "-w", ATTESTATIONS)
    for what, by in (judged, forged), (before, "HEAD"):
        done = push(published, f"{by}:refs/replace/{what}")
        assert done.status == 1, done
        assert f"refs/replace/{what}" in done.stderr
        assert "kattest: this push is refused." in done.stderr
    assert not server.git("for-each-ref", "refs/replace")


# Somebody else's branches are not what is published.


@pytest.fixture
def reviewed(published: Repo) -> Repo:
    """The same, on a branch that follows nothing, with somebody else's forged branch fetched."""
    other = published.clone("other")
    forge_loosely(other)
    published.git("remote", "add", "other", str(other.top))
    published.git("fetch", "--quiet", "other")
    published.git("switch", "--quiet", "--create", "review", "--no-track", "origin/main")
    return published


@pytest.mark.parametrize("is_ahead", [True, False])
def test_merging_somebody_elses_branch_does_not_publish_it(
    reviewed: Repo, *, is_ahead: bool
) -> None:
    base = note(reviewed) if is_ahead else reviewed.git("rev-parse", "HEAD")
    reviewed.git("merge", "--quiet", "--no-ff", "--no-commit", "other/main")
    for mode in LOCAL:
        report = reviewed.verify(*mode)
        assert report["source"]["base"] == reviewed.git("rev-parse", "origin/main")
        assert report["config"] is None
        assert sorted(one["code"] for one in report["findings"]) == [*FORGED, "KA509"]
    assert base == reviewed.git("rev-parse", "HEAD")


def test_the_checkout_of_somebodys_change_is_not_compared_with_that_change(
    published: Repo,
) -> None:
    """As a runner of checks has it: HEAD is a remote's reference, and no branch is followed."""
    base = published.git("rev-parse", "HEAD")
    evil = forge_loosely(published)
    published.git("update-ref", "refs/remotes/pull/1/merge", evil)
    published.git("checkout", "--quiet", "--detach", evil)
    said = published.refusal("--range", "HEAD")
    assert "no remote branch is known here that it grew from" in said
    assert "--range BASE..HEAD" in said
    for mode in ["--range", "origin/main..HEAD"], ["--base", "origin/main"]:
        assert errors(published.verify(*mode)) == FORGED
    published.git("remote", "set-head", "origin", "main")
    for mode in [], ["--staged"], ["--range", "HEAD"]:
        report = published.verify(*mode)
        assert report["source"]["base"] == base, mode
        assert report["config"] is None
        assert errors(report) == FORGED


def test_a_range_without_a_base_does_not_pass_for_an_empty_one(published: Repo) -> None:
    """A workflow's variable that is not set must not make everything pass."""
    forge_loosely(published)
    assert '"..HEAD" is no range' in published.refusal("--range", "..HEAD")
    assert '"...HEAD" is no range' in published.refusal("--range", "...HEAD")


def test_what_has_no_commit_in_common_cannot_be_compared(published: Repo) -> None:
    published.git("switch", "--quiet", "--orphan", "root")
    published.skill()
    forge_loosely(published)
    why = '"origin/main" and HEAD have no commit in common'
    for mode in LOCAL:
        assert why in published.refusal("--base", "origin/main", *mode)
    published.git("branch", "--quiet", "--set-upstream-to=origin/main")
    for mode in LOCAL:
        assert why in published.refusal(*mode)


@pytest.mark.parametrize(
    ("whole", "mode"),
    [
        ("refs/remotes/origin/main", ["--range", "{}..HEAD"]),
        ("refs/remotes/origin/main", ["--base", "{}"]),
        ("refs/heads/main", ["--rev", "{}"]),
    ],
)
def test_a_tag_does_not_stand_in_for_a_branch(published: Repo, whole: str, mode: list[str]) -> None:
    name = whole.removeprefix("refs/heads/").removeprefix("refs/remotes/")
    published.git("tag", name, whole)
    if whole == "refs/heads/main":
        published.forge()
        published.commit()
    else:
        published.git("tag", "--force", name, forge_loosely(published))
    said = published.refusal(*(one.format(name) for one in mode))
    assert f'"{name}" names refs/tags/{name} and {whole}, and they are not the same' in said
    assert errors(published.verify(*(one.format(whole) for one in mode))) == FORGED


def test_a_tag_of_a_branchs_own_commit_changes_nothing(published: Repo) -> None:
    published.git("tag", "origin/main", "refs/remotes/origin/main")
    forge_loosely(published)
    assert errors(published.verify("--range", "origin/main..HEAD")) == FORGED


# Dates that have not come yet.


@pytest.fixture(scope="module")
def remembering_template(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(empty_template, tmp_path_factory.mktemp("remembering"))
    write(repo, make_tree(make_record(at=YESTERDAY)))
    repo.commit()
    publish(repo)
    return repo


@pytest.fixture
def remembering(remembering_template: Repo, tmp_path: Path) -> Repo:
    """A repository and its server, with a memory whose one record was stored yesterday."""
    repo = both_copied(remembering_template, tmp_path)
    server_of(repo).hook("pre-receive")
    return repo


def at(repo: Repo, moment: datetime) -> Repo:
    """The same repository, where commits claim to be made at ``moment``."""
    date = f"{moment.timestamp():.0f} +0000"
    return repo.at(repo.top, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)


def forget(repo: Repo) -> str:
    """A commit that deletes the memory's records."""
    repo.git("rm", "-r", "--quiet", ".keysarium")
    write(repo, make_tree())
    return repo.commit("Purged")


def test_a_date_that_has_not_come_does_not_make_a_record_due(remembering: Repo) -> None:
    later = in_days(800)
    forget(at(remembering, later))
    for mode in ["--range", "HEAD"], ["--rev", "HEAD"]:
        assert remembering.codes(*mode) == ["KA505"], mode
    done = push(remembering, "main")
    assert_refused(done, "KA505")
    assert "a date that the commit claims and that has not come yet" in done.stderr
    assert remembering.codes("--range", "HEAD", "--as-of", later.isoformat()) == []


def test_nor_does_the_date_of_a_merge_on_the_way(remembering: Repo) -> None:
    now, late = at(remembering, in_days(0)), at(remembering, in_days(800))
    now.git("switch", "--quiet", "--create", "side")
    note(now)
    now.git("switch", "--quiet", "main")
    write(now, make_tree(make_record("card_limits", at=in_days(-2)), root=f"docs/{ROOT}"))
    now.commit("A memory that nobody has yet")
    late.git("merge", "--quiet", "--no-commit", "--no-ff", "side")
    late.git("rm", "-r", "--quiet", "docs")
    merge = late.commit("Merged without it")
    note(now, "two")
    (finding,) = now.verify("--range", "HEAD")["findings"]
    assert (finding["code"], finding["commit"]) == ("KA505", merge)


def test_nor_to_be_archived(remembering: Repo) -> None:
    """The archive keeps little of a record: it must not come early either."""
    remembering.git("rm", "-r", "--quiet", ".keysarium")
    record = make_record(at=YESTERDAY)
    write(remembering, make_tree(archive(record, in_days(95))))
    at(remembering, in_days(96)).commit("Archived")
    assert remembering.codes("--range", "HEAD") == ["KA506"]
    later = in_days(96).isoformat()
    assert remembering.codes("--range", "HEAD", "--as-of", later) == []


# What is read before anything is judged.


def test_a_merge_that_cannot_be_read_cannot_be_judged(repo: Repo) -> None:
    file = repo.top / ".git" / "MERGE_HEAD"
    for content in "garbage\n", f"{NOBODY}\n":
        file.write_text(content)
        for mode in LOCAL:
            repo.refusal(*mode)
    file.write_text("")
    assert repo.codes() == []


def test_a_setting_that_is_no_boolean_cannot_be_followed(repo: Repo) -> None:
    repo.git("config", "core.symlinks", "banana")
    assert "core.symlinks" in repo.refusal()


def test_an_unknown_rule_is_refused_in_a_change_and_replaced_in_a_base(published: Repo) -> None:
    published.write(CONFIG, b"severity: {KA999: off}\n")
    published.commit()
    assert "KA999" in published.refusal("--range", "HEAD")
    before = refs(server_of(published))
    assert_unchecked(published, push(published, "main"), "KA999", before)
    base = published.git("rev-parse", "HEAD")
    published.write(CONFIG, b"severity: {}\n")
    published.forge()
    published.commit()
    done = published.kattest("verify", "--range", f"{base}..HEAD")
    assert done.status == 1, done
    assert found_codes(done.stdout) == {*FORGED, "KA509"}
    assert "KA999" in done.stdout
    assert "the defaults judge the change that mends it" in done.stdout
    assert "note: configuration: " not in done.stdout


def test_line_ends_of_a_checkout_are_no_change_of_the_configuration(repo: Repo) -> None:
    repo.write(CONFIG, b"severity:\n  KA111: error\n")
    repo.commit()
    repo.git("config", "core.autocrlf", "true")
    (repo.top / CONFIG).unlink()
    repo.git("checkout", "--", CONFIG)
    assert (repo.top / CONFIG).read_bytes().count(b"\r\n") == 2
    for mode in LOCAL:
        assert repo.codes(*mode) == []
    (repo.top / CONFIG).write_bytes(b"severity:\r\n  KA111: info\r\n")
    assert repo.codes() == ["KA509"]
