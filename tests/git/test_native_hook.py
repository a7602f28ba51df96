"""hooks/pre-commit under real git: it judges the index that the running commit will use."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.git.memories import edit, recent_memory, write
from tests.support.git import ATTESTATIONS, FOLDER, SKILL, TOP, Repo, Run, run

OTHER = "notes.txt"


REFUSED = "kattest: this commit is refused. git diff --cached shows what it would hold."


def assert_refused(repo: Repo, done: Run, head: str, code: str = "KA101") -> None:
    """That kattest's finding is why there is no commit."""
    assert done.status != 0, done
    assert f"error {code} " in done.stderr
    assert repo.git("rev-parse", "HEAD") == head


def assert_committed(repo: Repo, done: Run, head: str) -> None:
    assert done.status == 0, done
    assert repo.git("rev-parse", "HEAD") != head


def stage_forged(repo: Repo) -> bytes:
    """Stage a forged file; the honest one, for whoever repairs the working copy."""
    honest = (repo.top / ATTESTATIONS).read_bytes()
    repo.forge_new()
    repo.git("add", ATTESTATIONS)
    return honest


# Ways to commit what the index holds, and ways to commit what the working copy holds.
FROM_INDEX = {
    "plain": ["commit", "-m", "x"],
    "amend": ["commit", "--amend", "--no-edit"],
    "include-another": ["commit", "-m", "x", "--include", OTHER],
}
FROM_WORKING_COPY = {
    "path": ["commit", "-m", "x", ATTESTATIONS],
    "folder": ["commit", "-m", "x", FOLDER],
    "only": ["commit", "-m", "x", "--only", ATTESTATIONS],
    "include": ["commit", "-m", "x", "--include", ATTESTATIONS],
    "all": ["commit", "-m", "x", "-a"],
    "amend-all": ["commit", "--amend", "--no-edit", "-a"],
}


@pytest.mark.parametrize("command", FROM_INDEX.values(), ids=FROM_INDEX)
def test_forged_in_the_index_is_refused_though_the_working_copy_is_honest(
    hooked: Repo, command: list[str]
) -> None:
    head = hooked.git("rev-parse", "HEAD")
    honest = stage_forged(hooked)
    hooked.write(ATTESTATIONS, honest)
    hooked.write(OTHER, b"one\n")
    hooked.git("add", OTHER)
    done = hooked.try_git(*command)
    assert_refused(hooked, done, head)
    assert done.stderr.splitlines()[-1] == REFUSED


@pytest.mark.parametrize("command", FROM_INDEX.values(), ids=FROM_INDEX)
def test_honest_in_the_index_passes_though_the_working_copy_is_forged(
    hooked: Repo, command: list[str]
) -> None:
    head = hooked.git("rev-parse", "HEAD")
    hooked.forge()
    hooked.write(OTHER, b"one\n")
    hooked.git("add", OTHER)
    done = hooked.try_git(*command)
    assert_committed(hooked, done, head)
    assert REFUSED not in done.stderr


@pytest.mark.parametrize("command", FROM_WORKING_COPY.values(), ids=FROM_WORKING_COPY)
def test_forged_in_the_working_copy_is_refused_where_git_commits_that(
    hooked: Repo, command: list[str]
) -> None:
    head = hooked.git("rev-parse", "HEAD")
    hooked.forge()
    assert_refused(hooked, hooked.try_git(*command), head)


@pytest.mark.parametrize("command", FROM_WORKING_COPY.values(), ids=FROM_WORKING_COPY)
def test_honest_in_the_working_copy_passes_where_git_commits_that(
    hooked: Repo, command: list[str]
) -> None:
    hooked.git("update-ref", "refs/remotes/origin/main", "HEAD")  # what is forged is unpublished
    honest = stage_forged(hooked)
    hooked.write(OTHER, b"so that amending does not leave the commit empty\n")
    head = hooked.commit("forged", "--no-verify")
    hooked.write(ATTESTATIONS, honest)
    assert_committed(hooked, hooked.try_git(*command), head)


def test_committing_another_path_alone_leaves_a_forged_index_out(hooked: Repo) -> None:
    hooked.write(OTHER, b"one\n")
    head = hooked.commit()
    stage_forged(hooked)
    hooked.write(OTHER, b"two\n")
    assert_committed(hooked, hooked.try_git("commit", "-m", "x", OTHER), head)
    assert hooked.codes("--rev", "HEAD") == []
    assert hooked.codes("--staged") == ["KA101"]


@pytest.mark.parametrize("staged", ["forged", "honest"])
def test_in_a_linked_worktree_its_own_index_counts(hooked: Repo, staged: str) -> None:
    hooked.git("worktree", "add", "--quiet", "../linked")
    linked = hooked.at(hooked.top.parent / "linked")
    for one, state in (linked, staged), (hooked, "honest" if staged == "forged" else "forged"):
        if state == "forged":
            stage_forged(one)
    linked.write(OTHER, b"one\n")
    linked.git("add", OTHER)
    head = linked.git("rev-parse", "HEAD")
    done = linked.try_git("commit", "-m", "x")
    (assert_refused if staged == "forged" else assert_committed)(linked, done, head)


def test_in_a_submodule(repo: Repo) -> None:
    repo.git("clone", "--quiet", str(repo.top), "../library")
    repo.git("submodule", "--quiet", "add", (repo.top.parent / "library").as_uri(), "library")
    submodule = repo.at(repo.top / "library")
    submodule.hook()
    head = submodule.git("rev-parse", "HEAD")
    submodule.forge()
    assert_refused(submodule, submodule.try_git("commit", "-a", "-m", "x"), head)


@pytest.mark.parametrize("options", [[], ["-a"]], ids=["index", "all"])
@pytest.mark.parametrize("by", ["options", "environment"])
def test_in_a_bare_repository_with_a_work_tree_of_its_own(
    tmp_path: Path, by: str, options: list[str]
) -> None:
    store, home = tmp_path / "dotfiles.git", tmp_path / "dotfiles"
    Repo.init(store, "--bare").hook()
    home.mkdir()
    plain = Repo(home, home=tmp_path / "home")
    if by == "options":
        steer = [f"--git-dir={store}", f"--work-tree={home}"]
        dotfiles = plain
    else:
        steer = []
        dotfiles = plain.at(home, GIT_DIR=str(store), GIT_WORK_TREE=str(home))
    plain.skill()
    dotfiles.git(*steer, "add", FOLDER)
    assert dotfiles.try_git(*steer, "commit", "-m", "honest").status == 0
    dotfiles.forge()
    if not options:
        dotfiles.git(*steer, "add", FOLDER)
    done = dotfiles.try_git(*steer, "commit", "-m", "forged", *options)
    assert done.status != 0
    assert "error KA101 " in done.stderr
    assert dotfiles.git(*steer, "rev-list", "--count", "HEAD") == "1"


@pytest.mark.parametrize("named", ["relative", "absolute"])
@pytest.mark.parametrize("staged", ["forged", "honest"])
def test_the_index_in_git_index_file_counts(hooked: Repo, staged: str, named: str) -> None:
    head = hooked.git("rev-parse", "HEAD")
    place = hooked.top / ".git" / "second-index"
    shutil.copy(hooked.top / ".git" / "index", place)
    name = str(place) if named == "absolute" else ".git/second-index"
    second = hooked.at(hooked.top, GIT_INDEX_FILE=name)
    stage_forged(second if staged == "forged" else hooked)
    second.write(OTHER, b"one\n")
    second.git("add", OTHER)
    done = second.try_git("commit", "-m", "x")
    (assert_refused if staged == "forged" else assert_committed)(second, done, head)


def test_a_relative_git_index_file_counts_from_a_sub_folder_too(repo: Repo) -> None:
    second = repo.at(repo.top, GIT_INDEX_FILE=".git/second-index")
    shutil.copy(repo.top / ".git" / "index", repo.top / ".git" / "second-index")
    stage_forged(second)
    assert second.git("diff", "--cached", "--name-only", cwd=FOLDER) == ATTESTATIONS
    assert second.codes("--staged", cwd=FOLDER) == ["KA101"]
    assert repo.codes("--staged", cwd=FOLDER) == []


@pytest.mark.parametrize("hook", ["pre-merge-commit", "pre-commit"])
def test_a_merge_that_brings_a_forged_file_is_refused(repo: Repo, hook: str) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    repo.forge()
    repo.commit("forged")
    repo.git("switch", "--quiet", "main")
    repo.write(OTHER, b"one\n")
    head = repo.commit()
    repo.hook(hook)
    if hook == "pre-merge-commit":
        done = repo.try_git("merge", "--no-ff", "side", "-m", "merge")
    else:  # what git leaves to be committed by hand
        repo.git("merge", "--no-ff", "--no-commit", "side")
        done = repo.try_git("commit", "-m", "merge")
    assert_refused(repo, done, head)


def test_a_merge_of_honest_branches_passes(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    repo.skill("skills/other", b"another\n")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write(OTHER, b"one\n")
    head = repo.commit()
    repo.hook("pre-merge-commit")
    assert_committed(repo, repo.try_git("merge", "--no-ff", "side", "-m", "merge"), head)


def test_a_merge_whose_round_judged_a_version_of_the_other_side_passes_with_a_warning(
    repo: Repo,
) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    repo.write(SKILL, b"of the side\n")
    repo.add_round()
    side = repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write(OTHER, b"one\n")
    head = repo.commit()
    repo.hook()
    repo.git("merge", "--no-ff", "--no-commit", "side")
    repo.write(SKILL, b"of the merge\n")
    repo.git("add", SKILL)
    done = repo.try_git("commit", "-m", "merge")
    assert_committed(repo, done, head)
    assert "warning KA111 artifact-superseded: " in done.stderr
    assert side[:12] in done.stderr


def test_a_patch_chosen_by_hand_is_judged(hooked: Repo) -> None:
    head = hooked.git("rev-parse", "HEAD")
    hooked.forge()
    hooked.write(SKILL, b"not chosen\n")
    done = hooked.try_git("commit", "-m", "x", "--patch", ATTESTATIONS, stdin=b"a\n")
    assert_refused(hooked, done, head)


@pytest.mark.parametrize("folder", ["skills", FOLDER])
@pytest.mark.parametrize("options", [[], ["-a"]], ids=["plain", "all"])
def test_in_a_hook_that_changes_the_folder(repo: Repo, folder: str, options: list[str]) -> None:
    """git names the index relative to the top, wherever the program that reads it is run."""
    hook = repo.write(".git/hooks/pre-commit", f"#!/bin/sh\ncd {folder}\n".encode())
    with hook.open("a") as script:
        script.write("exec kattest verify --staged\n")
    hook.chmod(0o755)
    head = repo.git("rev-parse", "HEAD")
    repo.forge()
    repo.git("add", "--all")
    assert_refused(repo, repo.try_git("commit", "-m", "x", *options), head)


def test_in_a_merge_of_a_linked_worktree(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    repo.write(SKILL, b"of the side\n")
    repo.add_round()
    side = repo.commit()
    repo.git("worktree", "add", "--quiet", "-b", "linked", "../linked", "main")
    linked = repo.at(repo.top.parent / "linked")
    linked.hook()
    linked.git("merge", "--no-ff", "--no-commit", "side")
    linked.write(SKILL, b"of the merge\n")
    linked.git("add", SKILL)
    done = linked.try_git("commit", "-m", "merge")
    assert done.status == 0, done
    assert side[:12] in done.stderr


@pytest.mark.parametrize("options", [["-C", "../.."], []], ids=["from outside, -C", "within"])
def test_from_a_sub_folder(hooked: Repo, options: list[str]) -> None:
    head = hooked.git("rev-parse", "HEAD")
    hooked.write(f"{FOLDER}/deep/x.txt", b"x\n")
    stage_forged(hooked)
    done = hooked.try_git(*options, "commit", "-m", "x", cwd=f"{FOLDER}")
    assert_refused(hooked, done, head)


def test_from_outside_the_repository(hooked: Repo) -> None:
    head = hooked.git("rev-parse", "HEAD")
    stage_forged(hooked)
    done = hooked.try_git("-C", hooked.top.name, "commit", "-m", "x", cwd="..")
    assert_refused(hooked, done, head)


def test_the_first_commit_is_judged(empty: Repo) -> None:
    empty.hook()
    empty.skill()
    empty.git("add", SKILL)
    honest = stage_forged(empty)
    assert empty.try_git("commit", "-m", "x").status != 0
    empty.write(ATTESTATIONS, honest)
    empty.git("add", ATTESTATIONS)
    assert empty.try_git("commit", "-m", "x").status == 0


def test_a_commit_that_only_deletes_an_artifact_is_refused(hooked: Repo) -> None:
    head = hooked.git("rev-parse", "HEAD")
    hooked.git("rm", "--quiet", SKILL)
    assert_refused(hooked, hooked.try_git("commit", "-m", "x"), head, "KA112")


def test_a_commit_that_deletes_the_artifact_with_its_attestations_passes(hooked: Repo) -> None:
    head = hooked.git("rev-parse", "HEAD")
    hooked.git("rm", "--quiet", "-r", FOLDER)
    assert_committed(hooked, hooked.try_git("commit", "-m", "x", "--allow-empty"), head)


def test_a_commit_that_changes_a_judged_artifact_passes_with_a_warning(hooked: Repo) -> None:
    head = hooked.git("rev-parse", "HEAD")
    hooked.write(SKILL, b"changed\n")
    done = hooked.try_git("commit", "-am", "x")
    assert_committed(hooked, done, head)
    assert "warning KA111 " in done.stderr


def test_a_new_round_that_judged_bytes_of_no_version_is_refused(hooked: Repo) -> None:
    head = hooked.git("rev-parse", "HEAD")
    hooked.skill(artifact=b"never committed\n", evaluation_id="a new round")
    hooked.git("add", ATTESTATIONS)
    assert_refused(hooked, hooked.try_git("commit", "-m", "x"), head, "KA110")


@pytest.fixture
def remembering(hooked: Repo) -> Repo:
    """The same, with a memory that is honest, and recent whenever these tests are run."""
    write(hooked, recent_memory())
    hooked.commit("A memory")
    return hooked


def test_a_forged_record_is_refused_though_the_working_copy_is_honest(remembering: Repo) -> None:
    head = remembering.git("rev-parse", "HEAD")
    [path] = (path for path in recent_memory() if "/banking/" in path)
    edit(remembering, path, reward_label="excellent")
    remembering.git("add", "--all")
    write(remembering, recent_memory())
    assert_refused(remembering, remembering.try_git("commit", "-m", "x"), head, "KA205")
    done = remembering.try_git("commit", "-a", "-m", "x", "--allow-empty")
    assert_committed(remembering, done, head)


def test_a_commit_that_only_deletes_a_record_is_refused(remembering: Repo) -> None:
    head = remembering.git("rev-parse", "HEAD")
    [path] = (path for path in recent_memory() if "/banking/" in path)
    remembering.git("rm", "--quiet", path)
    done = remembering.try_git("commit", "-m", "x")
    for code in "KA303", "KA505":
        assert_refused(remembering, done, head, code)


def test_a_commit_that_deletes_a_whole_memory_is_refused(remembering: Repo) -> None:
    head = remembering.git("rev-parse", "HEAD")
    remembering.git("rm", "-r", "--quiet", ".keysarium")
    assert_refused(remembering, remembering.try_git("commit", "-m", "x"), head, "KA505")


def test_a_commit_without_attestation_files_passes_and_says_so(empty: Repo) -> None:
    empty.hook()
    empty.write(OTHER, b"one\n")
    empty.git("add", OTHER)
    done = empty.try_git("commit", "-m", "x")
    assert done.status == 0
    assert "nothing to check: what is staged holds no .judge-attestations.json" in done.stderr


@pytest.fixture
def few_tools(tmp_path: Path) -> str:
    """A PATH with what the hook needs, but for kattest."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("git", "sh", "cat"):
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    return str(tools)


def test_without_kattest_on_the_path_every_commit_is_refused(hooked: Repo, few_tools: str) -> None:
    head = hooked.git("rev-parse", "HEAD")
    bare = hooked.at(hooked.top, PATH=few_tools)
    bare.write(OTHER, b"honest\n")
    bare.git("add", OTHER)
    done = bare.try_git("commit", "-m", "x")
    assert done.status != 0
    assert "kattest: not found on PATH" in done.stderr
    assert "what to do: install kattest" in done.stderr
    assert by_hand(bare).status == 2
    assert hooked.git("rev-parse", "HEAD") == head


@pytest.mark.parametrize(
    ("first_line", "status"),
    [("#!/nonexistent/python", 127), ("#!/bin/sh\nexit 3", 3), ("#!/bin/sh\nkill -9 $$", 137)],
)
def test_a_kattest_that_cannot_run_refuses_the_commit(
    hooked: Repo, few_tools: str, first_line: str, status: int
) -> None:
    head = hooked.git("rev-parse", "HEAD")
    program = Path(few_tools) / "kattest"
    program.write_text(f"{first_line}\n")
    program.chmod(0o755)
    bare = hooked.at(hooked.top, PATH=few_tools)
    bare.write(OTHER, b"honest\n")
    bare.git("add", OTHER)
    done = bare.try_git("commit", "-m", "x")
    assert done.status != 0
    assert done.stderr.splitlines()[-1] == REFUSED
    assert hooked.git("rev-parse", "HEAD") == head
    assert by_hand(bare).status == status


def by_hand(repo: Repo) -> Run:
    """The hook itself: git makes 1 of every status but 0."""
    return run(".git/hooks/pre-commit", cwd=repo.top, env=repo.env)


def test_the_hook_keeps_kattests_status_and_says_what_is_refused(hooked: Repo) -> None:
    done = by_hand(hooked)
    assert done.status == 0
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1].startswith("ok: what is staged: ")
    stage_forged(hooked)
    done = by_hand(hooked)
    assert done.status == 1
    assert done.stderr == f"{REFUSED}\n"
    assert done.stdout.splitlines()[-1].startswith("FAILED: 1 error in what is staged: ")
    hooked.write(".kattest.yaml", b"severity: [\n")
    hooked.git("add", "--all")
    done = by_hand(hooked)
    assert done.status == 2
    assert done.stderr.startswith("kattest: .kattest.yaml is not YAML")
    assert done.stderr.splitlines()[-1] == REFUSED


# README's installation, word for word.


HOOKS = ["pre-commit", "pre-merge-commit", "pre-push"]


def install(repo: Repo, cwd: str = "") -> Run:
    """Run README's commands for the native hook with a shell, where a user would."""
    readme = (TOP / "README.md").read_text("utf-8")
    [commands] = [
        block
        for block in re.findall(r"^```sh\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
        if "kattest hook install" in block
    ]
    return run("sh", "-c", commands, cwd=repo.top / cwd, env=repo.env)


def to_be_merged(repo: Repo) -> str:
    """A forged branch ``side`` to be merged into ``main``; the commit of that."""
    repo.git("switch", "--quiet", "--create", "side")
    repo.forge()
    repo.commit("forged", "--no-verify")
    repo.git("switch", "--quiet", "main")
    repo.write(OTHER, b"two\n")
    return repo.commit("other", "--no-verify")


@pytest.mark.parametrize("where", ["at the top", "in a sub folder", "core.hooksPath"])
def test_installed_as_the_readme_says_it_refuses_commits_and_merges(repo: Repo, where: str) -> None:
    if where == "core.hooksPath":
        repo.git("config", "core.hooksPath", ".git/hooks of a team")
    hooks = repo.top / repo.git("rev-parse", "--git-path", "hooks")
    assert not hooks.exists(), "as where git has no templates: the folder is made"
    done = install(repo, FOLDER if where == "in a sub folder" else "")
    assert (done.status, done.stderr) == (0, "")
    assert sorted(path.name for path in hooks.iterdir()) == HOOKS
    assert [line.split(": ")[0].rpartition("/")[2] for line in done.stdout.splitlines()] == HOOKS
    head = to_be_merged(repo)
    done = repo.try_git("merge", "--no-ff", "side", "-m", "merge")
    assert_refused(repo, done, head)
    assert REFUSED in done.stderr.splitlines()
    repo.git("merge", "--abort")
    repo.forge()
    assert_refused(repo, repo.try_git("commit", "-am", "x"), head)
    repo.git("checkout", "--quiet", "HEAD", "--", ".")
    repo.write(OTHER, b"three\n")
    assert_committed(repo, repo.try_git("commit", "-am", "x"), head)


@pytest.mark.parametrize("name", ["pre-commit", "pre-merge-commit"])
def test_installing_as_the_readme_says_keeps_a_hook_that_is_there(repo: Repo, name: str) -> None:
    own = b"#!/bin/sh\necho their own >&2\n"
    repo.write(f".git/hooks/{name}", own).chmod(0o755)
    for _ in range(2):
        assert install(repo).status == 0
        kept = repo.top / ".git" / "hooks" / f"{name}.before-kattest"
        assert kept.read_bytes() == own
    for hook in HOOKS:
        installed = repo.top / ".git" / "hooks" / hook
        assert b"kattest's native git hook" in installed.read_bytes()
        assert installed.stat().st_mode & 0o111, "git runs only what is executable"
    head = to_be_merged(repo)
    if name == "pre-merge-commit":
        done = repo.try_git("merge", "--no-ff", "side", "-m", "merge")
    else:
        repo.forge()
        done = repo.try_git("commit", "-am", "x")
    assert_refused(repo, done, head)
    assert "their own" in done.stderr


def test_installed_as_the_readme_says_in_a_linked_worktree_it_serves_all(repo: Repo) -> None:
    repo.git("worktree", "add", "--quiet", "../linked")
    linked = repo.at(repo.top.parent / "linked")
    assert install(linked).status == 0
    for one in linked, repo:
        head = one.git("rev-parse", "HEAD")
        stage_forged(one)
        assert_refused(one, one.try_git("commit", "-m", "x"), head)
