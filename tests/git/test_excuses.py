"""What was never judged excuses nothing: neither another branch, nor the pushed commit itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git.conftest import copied
from tests.git.publishing import (
    assert_pushed,
    assert_refused,
    both_copied,
    publish,
    push,
    server_of,
)
from tests.support.git import ATTESTATIONS, Repo

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

CONFIG = ".kattest.yaml"
SILENT = b"severity: {KA110: off}\n"


@pytest.fixture(scope="module")
def guarded_template(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(empty_template, tmp_path_factory.mktemp("guarded"))
    repo.skill()
    repo.commit()
    publish(repo).hook("pre-receive")
    return repo


@pytest.fixture
def guarded(guarded_template: Repo, tmp_path: Path) -> Repo:
    return both_copied(guarded_template, tmp_path)


def made_up(repo: Repo) -> str:
    """Commit a round on bytes that no version of the artifact ever had: KA110."""
    repo.add_round(artifact=b"what never was\n")
    return repo.commit("A round on what never was")


def test_a_round_does_not_reach_main_by_a_branch_that_silenced_its_rule(guarded: Repo) -> None:
    guarded.git("switch", "--quiet", "--create", "evil")
    guarded.write(CONFIG, SILENT)
    guarded.commit("Silence a rule")
    assert_pushed(guarded, push(guarded, "evil"), "refs/heads/evil")
    made_up(guarded)
    assert_pushed(guarded, push(guarded, "evil"), "refs/heads/evil")
    guarded.git("rm", "--quiet", CONFIG)
    guarded.commit("As if nothing had been")
    guarded.git("switch", "--quiet", "main")
    guarded.git("merge", "--quiet", "--no-ff", "--no-edit", "evil")
    assert_refused(push(guarded, "main"), "KA110")
    guarded.git("reset", "--quiet", "--hard", "evil")
    assert_refused(push(guarded, "main"), "KA110")


def test_nor_through_the_clients_hook(guarded: Repo) -> None:
    (server_of(guarded).top / "hooks" / "pre-receive").unlink()
    guarded.git("switch", "--quiet", "--create", "evil")
    made_up(guarded)
    push(guarded, "evil")
    guarded.hook("pre-push")
    done = push(guarded, "evil:main")
    assert done.status == 1
    assert "error KA110 " in done.stdout + done.stderr


def test_a_commit_on_the_way_is_no_excuse_for_itself(guarded: Repo) -> None:
    first = made_up(guarded)
    guarded.git("checkout", "--quiet", "HEAD~1", "--", ATTESTATIONS)
    guarded.commit("Take it back")
    assert_pushed(guarded, push(guarded, "main"))
    assert_refused(push(guarded, f"{first}:refs/heads/other"), "KA110")
    assert_refused(push(guarded, "--force", f"{first}:refs/heads/main"), "KA110")


def test_many_names_of_one_commit_are_judged_once(guarded: Repo) -> None:
    guarded.skill("skills/other", b"other\n")
    guarded.commit()
    names = [f"main:refs/tags/v{number}" for number in range(5)]
    done = push(guarded, *names)
    assert done.status == 0, done
    assert done.stderr.count("remote: ok: ") == 1
    assert done.stderr.count(": the same as refs/tags/v0") == 4
    guarded.forge("skills/other")
    guarded.commit()
    done = push(guarded, *(f"main:refs/tags/w{number}" for number in range(5)))
    assert done.status == 1, done
    assert done.stderr.count("FAILED: ") == 1
    assert done.stderr.count("the same as refs/tags/w0") == 4


def test_a_new_branch_is_judged_by_the_main_branchs_configuration(guarded: Repo) -> None:
    guarded.git("switch", "--quiet", "--orphan", "evil")
    guarded.write(CONFIG, b"severity: {KA101: off, KA133: off, KA501: off}\n")
    guarded.commit("Nothing but a configuration, and newer than main")
    assert_pushed(guarded, push(guarded, "evil"), "refs/heads/evil")
    guarded.git("switch", "--quiet", "--create", "feature", "main")
    guarded.git("merge", "--quiet", "--allow-unrelated-histories", "--no-edit", "evil")
    guarded.forge_new()
    guarded.commit("Forge under it")
    assert_refused(push(guarded, "feature"), "KA101", "KA509")
    guarded.git("reset", "--quiet", "--hard", "HEAD~1")
    assert_pushed(guarded, push(guarded, "feature"), "refs/heads/feature")
