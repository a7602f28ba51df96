"""The hook ids of .pre-commit-hooks.yaml under the real pre-commit and prek.

Each tool installs this kattest, as it is in the working tree, into an environment of its own:
once for all tests, and for all workers of a parallel run.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.git.memories import edit, recent_memory, write
from tests.support.git import ATTESTATIONS, FOLDER, SCRIPTS, SKILL, TOP, Repo, Run, run

MANIFEST = ".pre-commit-hooks.yaml"
CONFIG = ".pre-commit-config.yaml"
OTHER = "notes.txt"

needs_installing = [pytest.mark.slow, pytest.mark.xdist_group("frameworks")]


@pytest.fixture(params=["pre-commit", "prek"])
def tool(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that every worker of this run shares."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "frameworks"
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps other workers out."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def published(shared: Path) -> Repo:
    """A repository whose only commit is kattest as it is in the working tree."""
    with alone(shared):
        top = shared / "kattest"
        if (top / ".git").exists():
            return Repo(top, home=shared / "home")
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        listed = run(
            "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=TOP, env=env
        )
        assert listed.status == 0, listed
        repo = Repo.init(top, home=shared / "home")
        for path in listed.stdout.split("\0"):
            if path and (TOP / path).is_file():
                file = repo.write(path, (TOP / path).read_bytes())
                file.chmod((TOP / path).stat().st_mode)
        repo.git("add", "--all")
        repo.git("commit", "--quiet", "--message", "kattest")
        return repo


@pytest.fixture
def managed(repo: Repo, published: Repo, shared: Path, tool: str) -> Repo:
    """A repository with an honest skill, whose hook for everything the tool has installed."""
    return installed(repo, published, shared, tool, "kattest-staged")


@pytest.fixture
def both(repo: Repo, published: Repo, shared: Path, tool: str) -> Repo:
    """The same with a memory, and the hook for memory beside the hook for everything."""
    write(repo, recent_memory())
    return installed(repo, published, shared, tool, "kattest-staged", "kattest-memory")


@pytest.fixture
def memory_only(repo: Repo, published: Repo, shared: Path, tool: str) -> Repo:
    """The same with the hook for memory alone."""
    write(repo, recent_memory())
    return installed(repo, published, shared, tool, "kattest-memory")


def installed(repo: Repo, published: Repo, shared: Path, tool: str, *hooks: str) -> Repo:
    """``repo`` with these hooks of kattest, installed by the tool."""
    rev = published.git("rev-parse", "HEAD")
    # Programs that install packages need their user's settings for that.
    managed = repo.at(
        repo.top,
        HOME=os.environ["HOME"],
        PRE_COMMIT_HOME=str(shared / "pre-commit"),
        PREK_HOME=str(shared / "prek"),
    )
    managed.env.pop("XDG_CONFIG_HOME")
    if "XDG_CONFIG_HOME" in os.environ:
        managed.env["XDG_CONFIG_HOME"] = os.environ["XDG_CONFIG_HOME"]
    ids = "".join(f"  - id: {hook}\n" for hook in hooks)
    managed.write(
        CONFIG, f"repos:\n- repo: {published.top}\n  rev: {rev}\n  hooks:\n{ids}".encode()
    )
    managed.write(OTHER, b"one\n")
    managed.commit()
    with alone(shared):
        for hook in "pre-commit", "pre-merge-commit":
            done = use(managed, tool, "install", "--install-hooks", "--hook-type", hook)
            assert done.status == 0, done
    return managed


def use(repo: Repo, tool: str, *args: str) -> Run:
    return run(SCRIPTS / tool, *args, cwd=repo.top, env=repo.env)


def assert_refused(repo: Repo, done: Run, head: str, code: str = "KA101") -> None:
    assert done.status != 0, done
    assert f"error {code} " in done.stdout + done.stderr, done
    assert repo.git("rev-parse", "HEAD") == head


def assert_committed(repo: Repo, done: Run, head: str) -> None:
    assert done.status == 0, done
    assert "Passed" in done.stdout + done.stderr, done
    assert repo.git("rev-parse", "HEAD") != head


def test_the_manifest_is_valid(repo: Repo, tool: str) -> None:
    done = use(repo, tool, "validate-manifest", str(TOP / MANIFEST))
    assert done.status == 0, done


class TestInstalled:
    pytestmark = needs_installing

    def test_an_honest_commit_passes(self, managed: Repo) -> None:
        head = managed.git("rev-parse", "HEAD")
        managed.skill("skills/second", b"second\n")
        managed.git("add", "--all")
        assert_committed(managed, managed.try_git("commit", "-m", "x"), head)

    def test_a_commit_of_other_files_is_judged_too(self, managed: Repo) -> None:
        managed.forge()
        managed.git("commit", "--all", "--no-verify", "--message", "forged")
        head = managed.git("rev-parse", "HEAD")
        managed.write(OTHER, b"two\n")
        assert_refused(managed, managed.try_git("commit", "-m", "x", OTHER), head)

    def test_forged_in_the_index_is_refused_though_the_working_copy_is_honest(
        self, managed: Repo
    ) -> None:
        head = managed.git("rev-parse", "HEAD")
        honest = (managed.top / ATTESTATIONS).read_bytes()
        managed.forge()
        managed.git("add", ATTESTATIONS)
        managed.write(ATTESTATIONS, honest)
        assert_refused(managed, managed.try_git("commit", "-m", "x"), head)
        assert (managed.top / ATTESTATIONS).read_bytes() == honest

    def test_honest_in_the_index_passes_though_the_working_copy_is_forged(
        self, managed: Repo
    ) -> None:
        head = managed.git("rev-parse", "HEAD")
        managed.forge_new()
        managed.write(OTHER, b"two\n")
        managed.git("add", OTHER)
        assert_committed(managed, managed.try_git("commit", "-m", "x"), head)
        assert managed.codes() == ["KA101"]

    @pytest.mark.parametrize(
        "options", [["-a"], [ATTESTATIONS], [FOLDER], ["--amend", "-a"]], ids=" ".join
    )
    def test_what_git_takes_from_the_working_copy_is_judged(
        self, managed: Repo, options: list[str]
    ) -> None:
        head = managed.git("rev-parse", "HEAD")
        managed.forge()
        assert_refused(managed, managed.try_git("commit", "-m", "x", *options), head)

    def test_committing_another_path_alone_leaves_a_forged_index_out(self, managed: Repo) -> None:
        head = managed.git("rev-parse", "HEAD")
        managed.forge()
        managed.git("add", ATTESTATIONS)
        managed.write(OTHER, b"two\n")
        assert_committed(managed, managed.try_git("commit", "-m", "x", OTHER), head)

    def test_a_commit_that_only_deletes_an_artifact_is_refused(self, managed: Repo) -> None:
        head = managed.git("rev-parse", "HEAD")
        managed.git("rm", "--quiet", SKILL)
        assert_refused(managed, managed.try_git("commit", "-m", "x"), head, "KA112")

    def test_a_commit_that_deletes_a_whole_skill_passes(self, managed: Repo) -> None:
        head = managed.git("rev-parse", "HEAD")
        managed.git("rm", "--quiet", "-r", FOLDER)
        assert_committed(managed, managed.try_git("commit", "-m", "x"), head)

    def test_a_merge_that_brings_a_forged_file_is_refused(self, managed: Repo) -> None:
        managed.git("switch", "--quiet", "--create", "side")
        managed.forge()
        managed.commit("forged", "--no-verify")
        managed.git("switch", "--quiet", "main")
        managed.write(OTHER, b"two\n")
        head = managed.commit("other", "--no-verify")
        done = managed.try_git("merge", "--no-ff", "side", "--message", "merge")
        assert_refused(managed, done, head)

    def test_in_a_linked_worktree_its_own_index_counts(self, managed: Repo) -> None:
        managed.git("worktree", "add", "--quiet", "../linked")
        linked = managed.at(managed.top.parent / "linked")
        head = linked.git("rev-parse", "HEAD")
        linked.forge()
        linked.git("add", "--all")
        assert_refused(linked, linked.try_git("commit", "-m", "x"), head)
        assert managed.codes("--staged") == []

    def test_from_a_sub_folder(self, managed: Repo) -> None:
        head = managed.git("rev-parse", "HEAD")
        managed.forge()
        managed.git("add", "--all")
        assert_refused(managed, managed.try_git("commit", "-m", "x", cwd=FOLDER), head)

    @pytest.mark.parametrize("files", [[], ["--all-files"]], ids=str)
    def test_by_hand_in_the_manual_stage(self, managed: Repo, tool: str, files: list[str]) -> None:
        command = ["run", "--hook-stage", "manual", *files]
        assert use(managed, tool, *command).status == 0
        managed.forge()
        managed.git("add", "--all")
        done = use(managed, tool, *command)
        assert done.status == 1
        assert "error KA101 " in done.stdout + done.stderr

    def test_what_cannot_be_checked_is_refused(self, managed: Repo) -> None:
        head = managed.git("rev-parse", "HEAD")
        managed.write(".kattest.yaml", b"severity: [\n")
        managed.git("add", "--all")
        done = managed.try_git("commit", "-m", "x")
        assert done.status != 0
        assert "kattest: .kattest.yaml is not YAML" in done.stdout + done.stderr
        assert managed.git("rev-parse", "HEAD") == head


def record_of(repo: Repo) -> str:
    """The path of the memory's one record."""
    return repo.git("ls-files", "*/banking/*")


class TestMemory:
    pytestmark = needs_installing

    def test_an_honest_commit_passes_both_hooks(self, both: Repo) -> None:
        head = both.git("rev-parse", "HEAD")
        both.write(OTHER, b"two\n")
        done = both.try_git("commit", "-a", "-m", "x")
        assert_committed(both, done, head)
        assert (done.stdout + done.stderr).count("Passed") == 2

    def test_a_forged_record_is_refused_by_both_hooks(self, both: Repo) -> None:
        head = both.git("rev-parse", "HEAD")
        honest = (both.top / record_of(both)).read_bytes()
        edit(both, record_of(both), reward_label="excellent")
        both.git("add", "--all")
        both.write(record_of(both), honest)
        done = both.try_git("commit", "-m", "x")
        assert_refused(both, done, head, "KA205")
        assert (done.stdout + done.stderr).count("error KA205 ") == 2

    def test_the_hook_for_memory_leaves_a_forged_attestation_to_the_other(self, both: Repo) -> None:
        head = both.git("rev-parse", "HEAD")
        both.forge()
        done = both.try_git("commit", "-a", "-m", "x")
        assert_refused(both, done, head)
        assert (done.stdout + done.stderr).count("error KA101 ") == 1
        assert (done.stdout + done.stderr).count("Passed") == 1

    def test_alone_the_hook_for_memory_does_not_judge_attestations(self, memory_only: Repo) -> None:
        head = memory_only.git("rev-parse", "HEAD")
        memory_only.forge()
        assert_committed(memory_only, memory_only.try_git("commit", "-a", "-m", "x"), head)

    def test_a_commit_that_only_deletes_a_record_is_refused(self, memory_only: Repo) -> None:
        head = memory_only.git("rev-parse", "HEAD")
        memory_only.git("rm", "--quiet", record_of(memory_only))
        assert_refused(memory_only, memory_only.try_git("commit", "-m", "x"), head, "KA303")

    def test_a_merge_that_brings_a_forged_record_is_refused(self, memory_only: Repo) -> None:
        memory_only.git("switch", "--quiet", "--create", "side")
        edit(memory_only, record_of(memory_only), reward_label="excellent")
        memory_only.commit("forged", "--no-verify")
        memory_only.git("switch", "--quiet", "main")
        memory_only.write(OTHER, b"two\n")
        head = memory_only.commit("other", "--no-verify")
        done = memory_only.try_git("merge", "--no-ff", "side", "--message", "merge")
        assert_refused(memory_only, done, head, "KA205")

    def test_by_hand_in_the_manual_stage(self, memory_only: Repo, tool: str) -> None:
        command = ["run", "--hook-stage", "manual", "kattest-memory"]
        assert use(memory_only, tool, *command).status == 0
        edit(memory_only, record_of(memory_only), reward_label="excellent")
        memory_only.git("add", "--all")
        done = use(memory_only, tool, *command)
        assert done.status == 1
        assert "error KA205 " in done.stdout + done.stderr
