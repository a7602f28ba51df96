"""`kattest hook install` and `uninstall`: where git looks, and without losing another hook."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.git.publishing import bare_beside, found_codes
from tests.support.git import SCRIPTS, TOP, Repo, Run, run

slow = pytest.mark.slow  # many real repositories, and runs in them

LOCAL = ["pre-commit", "pre-merge-commit", "pre-push"]
SCRIPT = (TOP / "hooks" / "pre-commit").read_text()
OTHER = "notes.txt"
BACK = "removed; the hook that was there before is back"


def hook(repo: Repo, *args: str, cwd: str | Path = "") -> Run:
    return repo.kattest("hook", *args, cwd=cwd)


def changed(repo: Repo, *args: str, cwd: str | Path = "") -> list[tuple[Path, str]]:
    """The files that an install or uninstall names, and what became of them."""
    done = hook(repo, *args, cwd=cwd)
    assert done.status == 0, done
    lines = (line.rpartition(": ") for line in done.stdout.splitlines())
    return [(Path(file), outcome) for file, _, outcome in lines]


def hooks_of(repo: Repo) -> Path:
    return repo.top / ".git" / "hooks"


def foreign(file: Path, script: str = "exit 0") -> bytes:
    """Put another hook in place; its bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o750)
    return file.read_bytes()


def listing(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every entry of a folder: its mode, and its bytes or where it leads."""
    return {
        file.name: (
            file.lstat().st_mode,
            os.readlink(file).encode() if file.is_symlink() else file.read_bytes(),
        )
        for file in folder.iterdir()
    }


def assert_refuses(repo: Repo, **env: str) -> None:
    """That git runs our pre-commit hook there."""
    head = repo.git("rev-parse", "HEAD")
    repo.forge()
    done = repo.at(repo.top, **env).try_git("commit", "--all", "--message", "x")
    assert done.status == 1, done
    assert "KA101" in found_codes(done.stderr)
    assert repo.git("rev-parse", "HEAD") == head


class TestThereAndBack:
    def test_by_default_the_hooks_of_local_work(self, repo: Repo) -> None:
        folder = hooks_of(repo).resolve()
        assert not folder.exists()
        assert changed(repo, "install") == [(folder / name, "installed") for name in LOCAL]
        assert sorted(file.name for file in folder.iterdir()) == LOCAL
        assert all(file.stat().st_mode & 0o111 == 0o111 for file in folder.iterdir())
        assert_refuses(repo)
        assert changed(repo, "uninstall") == [(folder / name, "removed") for name in LOCAL]
        assert [*folder.iterdir()] == []

    def test_uninstalling_gives_it_back_as_it_was(self, repo: Repo) -> None:
        folder = hooks_of(repo)
        foreign(folder / "pre-commit")
        (folder / "pre-commit").write_bytes(b"#!/bin/sh\n# \xc3\x28\r\n")
        (folder / "pre-merge-commit").symlink_to("post-commit")
        (folder / "pre-push").symlink_to("nowhere")
        foreign(folder / "post-commit")
        before = listing(folder)
        assert {outcome for _, outcome in changed(repo, "install")} == {
            "installed; the hook that was there runs before it",
            "installed; what was there is kept, but git never ran it, for it is not executable",
        }
        assert not (folder / "pre-commit").is_symlink()
        assert {outcome for _, outcome in changed(repo, "uninstall")} == {BACK}
        assert listing(folder) == before


@slow
class TestWhere:
    def test_from_a_sub_folder_and_by_name(self, repo: Repo) -> None:
        named = changed(repo, "install", "update", "pre-push", cwd="skills")
        assert [file.name for file, _ in named] == ["update", "pre-push"]
        assert sorted(file.name for file in hooks_of(repo).iterdir()) == ["pre-push", "update"]

    def test_in_a_bare_repository(self, repo: Repo) -> None:
        server = bare_beside(repo)
        (file, outcome), *others = changed(server, "install")
        assert (file.resolve(), outcome) == (server.top / "hooks" / "pre-receive", "installed")
        assert not others
        repo.git("remote", "add", "origin", "../server.git")
        repo.forge()
        repo.commit()
        done = repo.try_git("push", "origin", "main")
        assert done.status == 1
        assert found_codes(done.stderr) == {"KA101"}
        assert changed(server, "uninstall") == [(file, "removed")]

    @pytest.mark.parametrize("form", ["relative", "absolute", "home"])
    def test_where_core_hooks_path_leads(self, repo: Repo, form: str) -> None:
        place = {
            "relative": "tools/git hooks",
            "absolute": str(repo.top.parent / "elsewhere"),
            "home": "~/hooks",
        }[form]
        folder = {
            "relative": repo.top / place,
            "absolute": Path(place),
            "home": Path(repo.env["HOME"]) / "hooks",
        }[form]
        repo.git("config", "core.hooksPath", place)
        named = changed(repo, "install", cwd="skills")
        assert [file for file, _ in named] == [folder / name for name in LOCAL]
        assert sorted(file.name for file in folder.iterdir()) == LOCAL
        assert not hooks_of(repo).exists()
        assert_refuses(repo)
        changed(repo, "uninstall")
        assert [*folder.iterdir()] == []

    def test_core_hooks_path_in_a_bare_repository(self, repo: Repo) -> None:
        server = bare_beside(repo)
        server.git("config", "core.hooksPath", "ours")
        changed(server, "install")
        assert (server.top / "ours" / "pre-receive").exists()
        repo.forge()
        repo.commit()
        done = repo.try_git("push", str(server.top), "main")
        assert done.status == 1
        assert found_codes(done.stderr) == {"KA101"}

    def test_a_linked_worktree_shares_those_of_its_repository(self, repo: Repo) -> None:
        repo.git("worktree", "add", "--quiet", "../linked")
        linked = repo.at(repo.top.parent / "linked")
        changed(linked, "install")
        assert sorted(file.name for file in hooks_of(repo).iterdir()) == LOCAL
        assert_refuses(linked)
        assert_refuses(repo)

    def test_a_relative_core_hooks_path_in_a_linked_worktree_is_its_own(self, repo: Repo) -> None:
        repo.git("config", "core.hooksPath", "tools")
        repo.git("worktree", "add", "--quiet", "../linked")
        linked = repo.at(repo.top.parent / "linked")
        changed(linked, "install", "pre-commit")
        assert [file.name for file in (linked.top / "tools").iterdir()] == ["pre-commit"]
        assert_refuses(linked)

    def test_in_a_submodule(self, repo: Repo) -> None:
        repo.git("clone", "--quiet", str(repo.top), "../library")
        repo.git("submodule", "--quiet", "add", (repo.top.parent / "library").as_uri(), "library")
        submodule = repo.at(repo.top / "library")
        changed(submodule, "install", "pre-commit")
        assert_refuses(submodule)

    def test_with_sha_256(self, tmp_path: Path) -> None:
        repo = Repo.init(tmp_path / "repo", "--template=", "--object-format=sha256")
        repo.skill()
        repo.commit()
        changed(repo, "install", "pre-commit")
        assert_refuses(repo)

    def test_a_path_with_spaces_and_quotes(self, tmp_path: Path) -> None:
        repo = Repo.init(tmp_path / 'it\'s a "folder" $HOME', "--template=")
        repo.skill()
        repo.commit()
        foreign(hooks_of(repo) / "pre-commit", "echo before >&2")
        changed(repo, "install", "pre-commit")
        assert_refuses(repo)
        assert "before" in repo.try_git("commit", "--all", "--message", "x").stderr

    def test_outside_a_repository(self, repo: Repo) -> None:
        outside = repo.at(repo.top.parent)
        for command in "install", "uninstall":
            done = hook(outside, command)
            assert done.status == 2
            assert "is in no git repository" in done.stderr


@slow
class TestProgram:
    def test_the_program_that_installed_it_runs_without_a_path(
        self, repo: Repo, few_tools: str
    ) -> None:
        changed(repo, "install", "pre-commit")
        written = (hooks_of(repo) / "pre-commit").read_text()
        assert written == SCRIPT.replace("program=kattest ", f"program={SCRIPTS / 'kattest'} ", 1)
        assert_refuses(repo, PATH=few_tools)

    def test_where_that_one_is_gone_the_path_counts(self, repo: Repo, few_tools: str) -> None:
        changed(repo, "install", "pre-commit")
        file = hooks_of(repo) / "pre-commit"
        file.write_text(file.read_text().replace(str(SCRIPTS), "/nonexistent"))
        assert_refuses(repo)
        done = repo.at(repo.top, PATH=few_tools).try_git("commit", "--all", "--message", "x")
        assert done.status == 1
        assert "kattest: not found on PATH" in done.stderr


@pytest.fixture
def few_tools(tmp_path: Path) -> str:
    """A PATH with what the hook needs, but for kattest."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in "git", "sh", "cat":
        found = run("which", name, cwd=tmp_path, env=os.environ).stdout.strip()
        (folder / name).symlink_to(found)
    return str(folder)


@slow
class TestAnotherHook:
    def test_it_runs_first_and_its_failure_refuses(self, repo: Repo) -> None:
        foreign(hooks_of(repo) / "pre-commit", 'echo "before $0" >&2; exit "${FAIL:-0}"')
        ((_, outcome),) = changed(repo, "install", "pre-commit")
        assert outcome == "installed; the hook that was there runs before it"
        repo.write(OTHER, b"one\n")
        repo.git("add", OTHER)
        failing = repo.at(repo.top, FAIL="3")
        done = failing.try_git("commit", "--message", "x")
        assert done.status == 1
        assert "before .git/hooks/pre-commit.before-kattest" in done.stderr
        assert " 1 attestation file" not in done.stdout + done.stderr
        assert repo.try_git("commit", "--message", "x").status == 0
        assert_refuses(repo)

    def test_it_gets_the_arguments_and_the_input(self, repo: Repo) -> None:
        server = bare_beside(repo)
        repo.git("remote", "add", "origin", "../server.git")
        foreign(hooks_of(repo) / "pre-push", 'echo "args $*" >&2; sed "s/^/read /" >&2')
        foreign(server.top / "hooks" / "pre-receive", 'sed "s/^/received /"')
        changed(repo, "install", "pre-push")
        changed(server, "install")
        done = repo.try_git("push", "origin", "main", "main:refs/heads/other")
        assert done.status == 0, done
        assert "args origin ../server.git" in done.stderr
        head = repo.git("rev-parse", "HEAD")
        for ref in "refs/heads/main", "refs/heads/other":
            assert f"read refs/heads/main {head} {ref} {'0' * 40}\n" in done.stderr
            assert f"remote: received {'0' * 40} {head} {ref}" in done.stderr
            assert f"remote: {ref}:" in done.stderr
            assert f"{ref}:" in done.stdout

    def test_one_that_does_not_read_its_input(self, repo: Repo) -> None:
        bare_beside(repo)
        repo.git("remote", "add", "origin", "../server.git")
        foreign(hooks_of(repo) / "pre-push", "exec <&-; exit 0")
        changed(repo, "install", "pre-push")
        names = [f"main:refs/heads/branch-{number:03}" for number in range(40)]
        assert repo.try_git("push", "--quiet", "origin", *names).status == 0
        repo.forge()
        repo.commit()
        assert repo.try_git("push", "--quiet", "origin", *names).status == 1

    def test_one_that_git_does_not_run_does_not_run_before_ours_either(self, repo: Repo) -> None:
        file = hooks_of(repo) / "pre-commit"
        foreign(file, "exit 1")
        file.chmod(0o644)
        changed(repo, "install", "pre-commit")
        repo.write(OTHER, b"one\n")
        repo.commit()
        changed(repo, "uninstall", "pre-commit")
        assert stat.S_IMODE(file.stat().st_mode) == 0o644

    @pytest.mark.parametrize("target", ["pre-commit", "./pre-commit", "{folder}/pre-commit"])
    def test_one_that_is_another_name_of_a_hook_that_is_chained_too(
        self, repo: Repo, target: str
    ) -> None:
        folder = hooks_of(repo)
        foreign(folder / "pre-commit", "echo before >&2")
        (folder / "pre-merge-commit").symlink_to(target.format(folder=folder))
        before = listing(folder)
        changed(repo, "install")
        repo.git("switch", "--quiet", "--create", "side")
        repo.write(OTHER, b"one\n")
        repo.commit()
        repo.git("switch", "--quiet", "main")
        done = repo.try_git("merge", "--no-ff", "--no-edit", "side")
        assert done.status == 0, done
        assert done.stderr.count("before") == 1
        changed(repo, "uninstall")
        assert listing(folder) == before

    def test_a_chained_symlink_still_leads_to_its_hook(self, repo: Repo) -> None:
        folder = hooks_of(repo)
        foreign(folder / "common.sh", "echo common >&2")
        (folder / "pre-commit").symlink_to("common.sh")
        common = (folder / "common.sh").read_bytes()
        changed(repo, "install", "pre-commit")
        assert (folder / "common.sh").read_bytes() == common
        repo.write(OTHER, b"one\n")
        repo.git("add", OTHER)
        assert "common" in repo.try_git("commit", "--message", "x").stderr

    def test_ours_from_the_repository_of_kattest_is_known(self, repo: Repo) -> None:
        hooks_of(repo).mkdir()
        (hooks_of(repo) / "pre-commit").symlink_to(TOP / "hooks" / "pre-commit")
        changed(repo, "install", "pre-commit")
        assert (TOP / "hooks" / "pre-commit").read_text() == SCRIPT
        assert not (hooks_of(repo) / "pre-commit").is_symlink()
        assert changed(repo, "uninstall", "pre-commit")[0][1] == "removed"

    def test_installing_again_changes_nothing_else(self, repo: Repo) -> None:
        foreign(hooks_of(repo) / "pre-commit")
        changed(repo, "install")
        before = listing(hooks_of(repo))
        again = {outcome for _, outcome in changed(repo, "install")}
        assert again == {"was installed already, and is written anew"}
        assert listing(hooks_of(repo)) == before

    def test_uninstalling_where_nothing_is_installed(self, repo: Repo) -> None:
        absent = "not installed here, so nothing is changed"
        assert {outcome for _, outcome in changed(repo, "uninstall")} == {absent}
        foreign(hooks_of(repo) / "pre-commit")
        foreign(hooks_of(repo) / "pre-commit.before-kattest")
        before = listing(hooks_of(repo))
        assert {outcome for _, outcome in changed(repo, "uninstall")} == {absent}
        assert listing(hooks_of(repo)) == before

    def test_with_both_names_taken_nothing_is_lost(self, repo: Repo) -> None:
        folder = hooks_of(repo)
        foreign(folder / "pre-commit", "exit 0")
        changed(repo, "install", "pre-commit")
        foreign(folder / "pre-commit", "another tool wrote this over ours")
        before = listing(folder)
        done = hook(repo, "install", "pre-commit")
        assert done.status == 2
        assert "one of them would be lost" in done.stderr
        assert "what to do: move one of the two away" in done.stderr
        assert listing(folder) == before
        (folder / "pre-commit").rename(folder / "away")
        assert changed(repo, "install", "pre-commit")[0][1].startswith("installed")
        assert changed(repo, "uninstall", "pre-commit")[0][1] == BACK


@slow
class TestFailures:
    def test_an_unknown_name_changes_nothing(self, repo: Repo) -> None:
        for command in "install", "uninstall":
            done = hook(repo, command, "pre-commit", "post-commit")
            assert done.status == 2
            assert "kattest has no hook post-commit" in done.stderr
            assert "pre-commit, pre-merge-commit, pre-push, pre-receive, update" in done.stderr
        assert not hooks_of(repo).exists()

    def test_a_folder_that_is_a_file(self, repo: Repo) -> None:
        hooks_of(repo).write_bytes(b"not a folder")
        done = hook(repo, "install")
        assert done.status == 2
        assert "cannot be changed" in done.stderr
        assert hooks_of(repo).read_bytes() == b"not a folder"

    def test_a_hook_that_is_a_folder_is_not_lost(self, repo: Repo) -> None:
        (hooks_of(repo) / "pre-commit" / "inside").mkdir(parents=True)
        for command in "install", "uninstall":
            hook(repo, command, "pre-commit")
        assert [*hooks_of(repo).rglob("inside")]

    def test_where_nothing_can_be_written_all_is_as_it_was(self, repo: Repo) -> None:
        foreign(hooks_of(repo) / "pre-commit")
        before = listing(hooks_of(repo))
        command = f"ulimit -f 0; exec '{SCRIPTS / 'kattest'}' hook install"
        done = run("sh", "-c", command, cwd=repo.top, env=repo.env)
        assert done.status == 2, done
        assert "cannot be changed: File too large" in done.stderr
        assert "what to do: see that you may write there" in done.stderr
        assert listing(hooks_of(repo)) == before


@slow
@pytest.mark.parametrize("framework", ["pre-commit", "prek"])
def test_one_that_a_framework_moves_away_goes_on(repo: Repo, framework: str) -> None:
    changed(repo, "install", "pre-commit")
    hook = "{id: nothing, name: nothing, entry: 'true', language: system, always_run: true}"
    config = f"repos: [{{repo: local, hooks: [{hook}]}}]\n"
    repo.write(".pre-commit-config.yaml", config.encode())
    done = run(SCRIPTS / framework, "install", cwd=repo.top, env=repo.env)
    assert done.status == 0, done
    folder = hooks_of(repo)
    assert b"kattest's native git hook" in (folder / "pre-commit.legacy").read_bytes()
    repo.write(OTHER, b"one\n")
    repo.commit()
    repo.forge()
    repo.git("add", "--all")
    refused = repo.try_git("commit", "--message", "forged")
    assert refused.status == 1, refused
    assert "KA101" in refused.stdout + refused.stderr
    [(_, outcome)] = changed(repo, "install", "pre-commit")
    assert outcome == "was installed already, and is written anew"
    assert not (folder / "pre-commit.before-kattest").exists()
    changed(repo, "uninstall", "pre-commit")
    assert not (folder / "pre-commit.legacy").exists()
    assert (folder / "pre-commit").exists(), "the framework's own hook stays"
