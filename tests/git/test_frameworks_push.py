"""The hook id kattest-push under the real pre-commit and prek, in real pushes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git import test_frameworks as frameworks
from tests.git.publishing import (
    assert_pushed,
    bare_beside,
    found_codes,
    push,
    refs,
    server_of,
    write_rounds,
)
from tests.git.test_frameworks import CONFIG, OTHER, alone, installed, needs_installing, use
from tests.support.git import SKILL, Repo
from tests.support.rounds import make_round

pytestmark = needs_installing
shared, published, tool = frameworks.shared, frameworks.published, frameworks.tool

NEW = "refs/heads/new"
TELLER = b"""- repo: local
  hooks:
  - id: teller
    name: teller
    entry: sh -c 'env | grep ^PRE_COMMIT > ../told || true'
    language: system
    always_run: true
    pass_filenames: false
    stages: [pre-push]
"""


@pytest.fixture
def pushing(repo: Repo, published: Repo, shared: Path, tool: str) -> Repo:
    """A repository whose hook for pushes the tool has installed, and a server without anything."""
    repo = installed(repo, published, shared, tool, "kattest-push")
    bare_beside(repo)
    repo.git("remote", "add", "origin", "../server.git")
    file = repo.top / CONFIG
    file.write_bytes(file.read_bytes() + TELLER)
    repo.commit("A hook that tells its environment")
    with alone(shared):
        done = use(repo, tool, "install", "--install-hooks", "--hook-type", "pre-push")
        assert done.status == 0, done
    return repo


@pytest.fixture
def follower(pushing: Repo) -> Repo:
    """The same, whose main is published already."""
    pushing.git("push", "--quiet", "--no-verify", "--set-upstream", "origin", "main")
    return pushing


def told(repo: Repo) -> dict[str, str]:
    """What the tool has told the hooks of the last push."""
    lines = (repo.top.parent / "told").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def assert_refused(repo: Repo, *args: str, codes: set[str]) -> None:
    before = refs(server_of(repo))
    done = push(repo, *args)
    assert done.status == 1, done
    assert found_codes(done.stdout + done.stderr) == codes, done
    assert refs(server_of(repo)) == before


def other_skill(repo: Repo, folder: str = "skills/other") -> None:
    repo.skill(folder, folder.encode())
    repo.commit()


def drop_the_round(repo: Repo) -> None:
    write_rounds(repo, make_round(evaluation_id="another", path=SKILL))
    repo.commit("Drops a round")


def test_the_first_push_of_a_root(pushing: Repo) -> None:
    done = push(pushing, "main")
    assert_pushed(pushing, done)
    assert "PRE_COMMIT_FROM_REF" not in told(pushing)


def test_a_forged_first_push_of_a_root_is_refused(pushing: Repo) -> None:
    pushing.forge()
    pushing.commit()
    assert_refused(pushing, "main", codes={"KA101"})


def test_an_update(follower: Repo) -> None:
    before = follower.git("rev-parse", "HEAD")
    other_skill(follower)
    done = push(follower, "main")
    assert_pushed(follower, done)
    assert told(follower)["PRE_COMMIT_FROM_REF"] == before
    assert told(follower)["PRE_COMMIT_TO_REF"] == follower.git("rev-parse", "HEAD")
    assert told(follower)["PRE_COMMIT_REMOTE_NAME"] == "origin"
    assert told(follower)["PRE_COMMIT_REMOTE_BRANCH"] == "refs/heads/main"


def test_an_update_that_forges_or_drops_is_refused(follower: Repo) -> None:
    follower.forge()
    follower.commit()
    assert_refused(follower, "main", codes={"KA101", "KA501"})
    follower.git("reset", "--quiet", "--hard", "HEAD~1")
    drop_the_round(follower)
    assert_refused(follower, "main", codes={"KA502"})


def test_a_new_branch(follower: Repo) -> None:
    base = follower.git("rev-parse", "HEAD")
    follower.git("switch", "--quiet", "--create", "new")
    other_skill(follower)
    assert_pushed(follower, push(follower, "new"), NEW)
    assert told(follower)["PRE_COMMIT_FROM_REF"] == base
    drop_the_round(follower)
    assert_refused(follower, "new:newer", codes={"KA502"})


def test_a_new_branch_that_drops_in_its_first_commit_is_refused(follower: Repo) -> None:
    follower.git("switch", "--quiet", "--create", "new")
    drop_the_round(follower)
    other_skill(follower)
    assert_refused(follower, "new", codes={"KA502"})


def test_a_forced_push_that_drops_is_refused(follower: Repo) -> None:
    write_rounds(
        follower,
        make_round(evaluation_id=f"eval {SKILL}", path=SKILL),
        make_round(evaluation_id="another", path=SKILL),
    )
    follower.commit("Another round")
    follower.git("push", "--quiet", "--no-verify")
    follower.git("reset", "--quiet", "--hard", "HEAD~1")
    follower.write(OTHER, b"two\n")
    follower.commit()
    assert_refused(follower, "--force", "main", codes={"KA502"})


def test_the_working_copy_and_the_index_do_not_matter(follower: Repo) -> None:
    follower.forge()
    follower.commit()
    follower.git("checkout", "--quiet", "HEAD~1", "--", SKILL, "skills")
    assert_refused(follower, "main", codes={"KA101", "KA501"})


def test_a_deletion_passes(follower: Repo) -> None:
    follower.git("push", "--quiet", "--no-verify", "origin", f"HEAD:{NEW}")
    done = push(follower, "--delete", "new")
    assert done.status == 0, done
    assert NEW not in refs(server_of(follower))


def test_by_hand_what_is_published_is_what_head_is_compared_with(follower: Repo, tool: str) -> None:
    command = ["run", "--hook-stage", "pre-push", "--all-files"]
    done = use(follower, tool, *command)
    assert done.status == 0, done
    drop_the_round(follower)
    done = use(follower, tool, *command)
    assert done.status == 1, done
    assert found_codes(done.stdout + done.stderr) == {"KA502"}
    done = use(follower, tool, *command[:-1], "--from-ref", "HEAD~1", "--to-ref", "HEAD")
    assert done.status == 1, done
    assert found_codes(done.stdout + done.stderr) == {"KA502"}
