"""Honest work raises no finding and is never refused; the same done to what is published is.

The client has all of kattest's hooks, the server hooks/pre-receive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.git.conftest import copied
from tests.git.memories import INDEX, path_of, write
from tests.git.publishing import (
    LOSING,
    WINNING,
    both_copied,
    found_codes,
    publish,
    push,
    refs,
    server_of,
    today,
    write_rounds,
)
from tests.support.git import ATTESTATIONS, FOLDER, NAME, SKILL, Repo
from tests.support.memory import Document, archive, dumps, make_index, make_record, make_tree
from tests.support.rounds import ARTIFACT, make_round

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

OTHER = "notes.txt"
NOW = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
THIRD = make_round(evaluation_id="third", path=SKILL)
FOURTH = make_round(evaluation_id="fourth", path=SKILL)


def aged(slug: str, days: int) -> Document:
    return make_record(slug, at=NOW - timedelta(days=days))


RECENT, OTHER_RECENT, NEW = aged("recent", 3), aged("other_recent", 2), aged("new", 1)
DUE = aged("due", 91)
COLD = archive(aged("cold", 150), NOW - timedelta(days=55))
SPENT = archive(aged("spent", 181), NOW - timedelta(days=80))


@pytest.fixture(scope="module")
def work_template(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = today(copied(empty_template, tmp_path_factory.mktemp("work")))
    repo.write(SKILL, ARTIFACT)
    write_rounds(repo, LOSING, WINNING)
    write(repo, make_tree(RECENT, OTHER_RECENT))
    repo.commit("Two rounds and two records")
    publish(repo).hook("pre-receive")
    for hook in "pre-commit", "pre-merge-commit", "pre-push":
        repo.hook(hook)
    return repo


@pytest.fixture
def work(work_template: Repo, tmp_path: Path) -> Iterator[Repo]:
    """A repository that follows a server, where nothing may be found, whatever a test does."""
    repo = both_copied(work_template, tmp_path)
    yield repo
    assert_honest(repo)


@pytest.fixture
def rewritten(work_template: Repo, tmp_path: Path) -> Repo:
    """The same, where the published rounds are tampered with."""
    return both_copied(work_template, tmp_path)


def assert_honest(repo: Repo) -> None:
    """That no fault is found in any way, and that a push of it lands."""
    for mode in [], ["--staged"], ["--range", "HEAD"], ["--range", "HEAD", "--each-commit"]:
        findings = repo.verify(*mode)["findings"]
        assert [one for one in findings if one["severity"] != "info"] == [], mode
    done = push(repo, "HEAD:refs/heads/main")
    assert done.status == 0, done
    assert refs(server_of(repo))["refs/heads/main"] == repo.git("rev-parse", "HEAD")


def add_round(repo: Repo, round_: Document = THIRD, *options: str) -> str:
    write_rounds(repo, LOSING, WINNING, round_)
    return repo.commit(f"Adds {round_['evaluation_id']}", *options)


def add_record(repo: Repo, record: Document = NEW) -> str:
    write(repo, make_tree(RECENT, OTHER_RECENT, record))
    return repo.commit("Adds a record")


def note(repo: Repo, text: str) -> str:
    repo.write(OTHER, text.encode())
    return repo.commit(text)


def rebase(repo: Repo, editor: str, *args: str) -> None:
    """An interactive rebase; ``editor`` is what sed does to the list of steps."""
    steered = repo.at(
        repo.top, GIT_SEQUENCE_EDITOR=f"sed -i -e '{editor}'", GIT_EDITOR="true", EDITOR="true"
    )
    steered.git("rebase", "--quiet", "--interactive", *args)


class TestUnpublished:
    def test_amending(self, work: Repo) -> None:
        add_round(work)
        add_round(work, THIRD | {"final_score": 7.9}, "--amend")
        add_round(work, FOURTH, "--amend")

    def test_amending_with_a_remote_branch_of_the_same_state(self, work: Repo) -> None:
        add_record(work)
        write(work, make_tree(RECENT, OTHER_RECENT))
        (work.top / path_of(NEW)).unlink()
        another = make_record("new", at=NOW - timedelta(hours=20), reward=1.0)
        write(work, make_tree(RECENT, OTHER_RECENT, another))
        work.commit("Another record", "--amend")

    def test_dropping_a_commit_of_rounds_and_records(self, work: Repo) -> None:
        add_round(work)
        add_record(work)
        note(work, "stays")
        rebase(work, "1,2s/^pick/drop/", "HEAD~3")
        assert THIRD["evaluation_id"] not in (work.top / ATTESTATIONS).read_text()

    def test_reordering(self, work: Repo) -> None:
        add_round(work)
        add_record(work)
        rebase(work, "1{h;d};2{G}", "HEAD~2")
        assert work.git("log", "-1", "--format=%s") == "Adds third"

    def test_squashing_and_fixing_up(self, work: Repo) -> None:
        add_round(work)
        add_round(work, FOURTH)
        note(work, "one")
        rebase(work, "2s/^pick/squash/;3s/^pick/fixup/", "HEAD~3")
        assert work.git("rev-list", "--count", "origin/main..HEAD") == "1"

    def test_autosquash(self, work: Repo) -> None:
        first = add_round(work)
        note(work, "one")
        write_rounds(work, LOSING, WINNING, FOURTH)
        work.git("commit", "--quiet", "--all", f"--fixup={first}")
        rebase(work, "", "--autosquash", "HEAD~3")

    def test_squashing_by_a_merge_and_by_a_reset(self, work: Repo) -> None:
        work.git("switch", "--quiet", "--create", "side")
        add_round(work)
        add_record(work)
        work.git("switch", "--quiet", "main")
        work.git("merge", "--quiet", "--squash", "side")
        work.commit("Squashed")
        work.git("reset", "--quiet", "--soft", "HEAD~1")
        work.commit("Again")

    def test_cherry_picking(self, work: Repo) -> None:
        work.git("switch", "--quiet", "--create", "side")
        one, two = add_round(work), add_record(work)
        work.git("switch", "--quiet", "main")
        note(work, "one")
        work.git("cherry-pick", two, one)

    def test_reverting(self, work: Repo) -> None:
        add_round(work)
        work.git("revert", "--no-edit", "HEAD")
        add_record(work)
        work.git("reset", "--quiet", "--hard", "HEAD~1")

    def test_stashing_and_restoring(self, work: Repo) -> None:
        write_rounds(work, LOSING, WINNING, THIRD)
        work.git("stash", "--quiet")
        note(work, "one")
        work.git("stash", "pop", "--quiet")
        work.commit("Adds third")

    def test_rebasing_onto_what_others_have_published(self, work: Repo) -> None:
        add_record(work)
        others_publish(work, "skills/theirs")
        work.git("fetch", "--quiet")
        work.git("rebase", "--quiet", "origin/main")

    def test_on_a_feature_branch_that_is_behind(self, work: Repo) -> None:
        work.git("switch", "--quiet", "--create", "feature", "--track", "origin/main")
        add_round(work)
        others_publish(work, "skills/theirs")
        work.git("fetch", "--quiet")
        for mode in [], ["--staged"], ["--range", "HEAD"]:
            assert work.codes(*mode) == []
        work.git("merge", "--quiet", "--no-edit", "origin/main")


def others_publish(work: Repo, folder: str) -> None:
    """Another clone adds a skill to the published main."""
    other = work.at(work.top.parent / "theirs")
    work.git("clone", "--quiet", f"../{server_of(work).top.name}", "../theirs")
    other.skill(folder, folder.encode())
    other.commit("Theirs")
    other.git("push", "--quiet")


class TestPublished:
    def test_renaming_the_folder_of_a_skill(self, work: Repo) -> None:
        work.git("mv", FOLDER, "skills/renamed")
        work.commit("Renames the skill")
        assert {*work.codes("--range", "HEAD")} == {"KA115"}

    def test_renaming_the_folder_of_a_skill_and_rewriting_it_later(self, work: Repo) -> None:
        work.git("mv", FOLDER, "skills/renamed")
        work.commit("Renames the skill")
        assert push(work, "main").status == 0
        path, artifact = "skills/renamed/SKILL.md", b"# Written anew\n"
        third = make_round(evaluation_id="third", path=path, artifact=artifact)
        work.write(path, artifact)
        work.write(f"skills/renamed/{NAME}", dumps({"evaluations": [LOSING, WINNING, third]}))
        work.commit("Rewrites the skill")

    def test_removing_a_skill(self, work: Repo) -> None:
        work.git("rm", "--quiet", "-r", FOLDER)
        work.commit("Removes the skill")

    def test_rewriting_a_skill_and_judging_it_anew(self, work: Repo) -> None:
        artifact = b"# Written anew\n"
        work.write(SKILL, artifact)
        add_round(work, make_round(evaluation_id="third", path=SKILL, artifact=artifact))

    def test_formatting_an_attestation_file(self, work: Repo) -> None:
        file = work.top / ATTESTATIONS
        work.write(ATTESTATIONS, file.read_bytes().replace(b"\n  ", b"\n\t"))
        work.commit("Tabs")

    def test_merging_branches_that_each_added_a_round_to_one_file(self, work: Repo) -> None:
        work.git("switch", "--quiet", "--create", "side")
        add_round(work, THIRD)
        work.git("switch", "--quiet", "main")
        add_round(work, FOURTH)
        assert work.try_git("merge", "side").status == 1
        write_rounds(work, LOSING, WINNING, FOURTH, THIRD)
        work.commit("Merges both")

    def test_merging_branches_that_each_added_a_record(self, work: Repo) -> None:
        theirs = make_record("theirs", at=NOW - timedelta(hours=30))
        work.git("switch", "--quiet", "--create", "side")
        add_record(work, theirs)
        work.git("switch", "--quiet", "main")
        add_record(work)
        assert work.try_git("merge", "side").status == 1
        work.write(INDEX, dumps(make_index([RECENT, OTHER_RECENT, NEW, theirs])))
        work.commit("Merges both")

    def test_an_octopus_merge(self, work: Repo) -> None:
        for name in "one", "two":
            work.git("switch", "--quiet", "--create", name, "main")
            work.skill(f"skills/{name}", name.encode())
            work.commit()
        work.git("switch", "--quiet", "main")
        work.git("merge", "--quiet", "--no-edit", "one", "two")

    def test_a_checkout_with_crlf(self, work: Repo) -> None:
        work.git("config", "core.autocrlf", "true")
        work.git("rm", "--quiet", "--cached", "-r", ".")
        work.git("reset", "--quiet", "--hard")
        assert b"\r\n" in (work.top / ATTESTATIONS).read_bytes()
        work.write(OTHER, b"one\r\n")
        work.commit()

    def test_closing_the_last_round_with_a_meta_judge(self, work: Repo) -> None:
        split: dict[str, Any] = {"evaluation_id": "third", "path": SKILL, "meta": "7.0"}
        closed = make_round(**split)
        opened = make_round(**{**split, "meta": None})
        add_round(work, opened)
        assert push(work, "main").status == 0
        add_round(work, closed)
        assert work.codes("--ignore", "KA126") == []
        work.git("reset", "--quiet", "--hard", "origin/main")

    def test_archiving_and_purging_what_is_due(self, work: Repo) -> None:
        seed(work, DUE, COLD, SPENT)
        archived = archive(DUE, NOW)
        (work.top / path_of(DUE)).unlink()
        (work.top / path_of(SPENT)).unlink()
        write(work, make_tree(RECENT, OTHER_RECENT, archived, COLD))
        work.commit("Archives and purges")


def seed(repo: Repo, *records: Document) -> None:
    """Have these records published, though some are overdue by now."""
    write(repo, make_tree(RECENT, OTHER_RECENT, *records))
    repo.commit("Records that wait for maintenance", "--no-verify")
    hook = server_of(repo).top / "hooks" / "pre-receive"
    script = hook.read_bytes()
    hook.unlink()
    repo.git("push", "--quiet", "--no-verify")
    hook.write_bytes(script)
    hook.chmod(0o755)


def amends(repo: Repo) -> None:
    write_rounds(repo, LOSING | {"final_score": 3.12}, WINNING)
    repo.commit("Amended", "--amend", "--no-verify")


def drops_by_rebase(repo: Repo) -> None:
    write_rounds(repo, LOSING, WINNING, THIRD)
    repo.commit("Adds third", "--no-verify")
    repo.git("push", "--quiet", "--no-verify")
    note(repo, "stays")
    rebase(repo, "1s/^pick/drop/", "HEAD~2")


def reverts(repo: Repo) -> None:
    write_rounds(repo, LOSING, WINNING, THIRD)
    repo.commit("Adds third", "--no-verify")
    repo.git("push", "--quiet", "--no-verify")
    write_rounds(repo, LOSING, WINNING)
    repo.commit("Reverts", "--no-verify")


def takes_one_side(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    add_round(repo, THIRD)
    repo.git("switch", "--quiet", "main")
    add_round(repo, FOURTH)
    repo.git("push", "--quiet", "--no-verify", "origin", "side")
    repo.try_git("merge", "side")
    write_rounds(repo, LOSING, WINNING, FOURTH)
    repo.commit("Takes one side", "--no-verify")


def renames_and_drops(repo: Repo) -> None:
    repo.git("mv", FOLDER, "skills/renamed")
    repo.write(f"skills/renamed/{NAME}", dumps({"evaluations": [WINNING]}))
    repo.commit("Renames, and drops a round", "--no-verify")


def renames_rewrites_and_drops(repo: Repo) -> None:
    repo.git("mv", FOLDER, "skills/renamed")
    path, artifact = "skills/renamed/SKILL.md", ARTIFACT + b"\n"
    repo.write(path, artifact)
    third = make_round(evaluation_id="third", path=path, artifact=artifact)
    repo.write(f"skills/renamed/{NAME}", dumps({"evaluations": [WINNING, third]}))
    repo.commit("Renames, rewrites, and drops a round", "--no-verify")


def archives_early(repo: Repo) -> None:
    (repo.top / path_of(RECENT)).unlink()
    write(repo, make_tree(archive(RECENT, NOW), OTHER_RECENT))
    repo.commit("Archives early", "--no-verify")


def archives_unfaithfully(repo: Repo) -> None:
    seed(repo, DUE)
    (repo.top / path_of(DUE)).unlink()
    better = archive(DUE, NOW) | {"reward": 1.0, "reward_label": "excellent"}
    write(repo, make_tree(RECENT, OTHER_RECENT, better))
    repo.commit("Archives unfaithfully", "--no-verify")


def purges_early(repo: Repo) -> None:
    seed(repo, COLD)
    (repo.top / path_of(COLD)).unlink()
    write(repo, make_tree(RECENT, OTHER_RECENT))
    repo.commit("Purges early", "--no-verify")


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (amends, {"KA501"}),
        (drops_by_rebase, {"KA502"}),
        (reverts, {"KA502"}),
        (takes_one_side, {"KA502"}),
        (renames_and_drops, {"KA503"}),
        (renames_rewrites_and_drops, {"KA503"}),
        (archives_early, {"KA403"}),
        (archives_unfaithfully, {"KA506"}),
        (purges_early, {"KA507"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_done_to_what_is_published_it_is_refused(
    rewritten: Repo, change: Callable[[Repo], None], codes: set[str]
) -> None:
    change(rewritten)
    before = refs(server_of(rewritten))
    here = push(rewritten, "--force", "main")
    assert here.status == 1, here
    assert codes <= found_codes(here.stdout + here.stderr), here
    there = push(rewritten, "--force", "--no-verify", "main")
    assert there.status == 1, there
    assert codes <= found_codes(there.stderr), there
    assert refs(server_of(rewritten)) == before


def test_a_published_round_cannot_be_amended_away_by_a_commit(rewritten: Repo) -> None:
    head = rewritten.git("rev-parse", "HEAD")
    write_rounds(rewritten, WINNING)
    for options in [], ["--amend"]:
        done = rewritten.try_git("commit", "--all", "--message", "x", *options)
        assert done.status == 1
        assert found_codes(done.stderr) == {"KA502"}
    assert rewritten.git("rev-parse", "HEAD") == head
