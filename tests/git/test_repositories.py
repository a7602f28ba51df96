"""Every kind of place that kattest can be run in, and the words where it cannot check."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.git.conftest import copied
from tests.support.git import ATTESTATIONS, FOLDER, NAME, SCRIPTS, SKILL, Repo, attestations, run
from tests.support.rounds import ARTIFACT, dumps, make_round

GIT_MODES = [["--staged"], ["--rev", "HEAD"]]
MODES = [[], *GIT_MODES]


def judged(repo: Repo, *args: str, cwd: str = "", **env: str) -> list[str]:
    return sorted(one["path"] for one in repo.verify(*args, cwd=cwd, **env)["rounds"])


# Without a commit, without a repository.


@pytest.mark.parametrize("mode", [[], ["--staged"]], ids=str)
def test_before_the_first_commit(empty: Repo, mode: list[str]) -> None:
    assert judged(empty, *mode) == []
    empty.skill()
    empty.git("add", "--all")
    report = empty.verify(*mode)
    assert [one["path"] for one in report["rounds"]] == [ATTESTATIONS]
    assert report["findings"] == []
    empty.forge()
    empty.git("add", "--all")
    assert empty.codes(*mode) == ["KA101"]


@pytest.mark.parametrize("mode", [[], ["--staged"]], ids=str)
def test_before_the_first_commit_no_version_is_known(empty: Repo, mode: list[str]) -> None:
    empty.skill()
    empty.write(SKILL, b"changed\n")
    empty.git("add", "--all")
    assert empty.codes(*mode) == ["KA110"]


def test_before_the_first_commit_there_is_no_head(empty: Repo) -> None:
    said = empty.refusal("--rev", "HEAD")
    assert '"HEAD" names no commit' in said


def test_an_orphan_branch_is_like_a_first_commit(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--orphan", "fresh")
    repo.skill()
    repo.forge()
    repo.git("add", "--all")
    report = repo.verify("--staged")
    assert [one["code"] for one in report["findings"]] == ["KA101"]
    assert report["source"]["base"] is None


@pytest.fixture
def plain(tmp_path: Path) -> Repo:
    """A folder in no repository, with an honest skill."""
    (tmp_path / "plain").mkdir()
    folder = Repo(tmp_path / "plain", home=tmp_path / "home")
    folder.env["GIT_CEILING_DIRECTORIES"] = str(tmp_path)
    folder.skill()
    return folder


def test_a_folder_outside_any_repository_is_judged(plain: Repo) -> None:
    assert judged(plain) == [ATTESTATIONS]
    assert "note: this folder is in no repository: no history" in (
        plain.kattest("verify").stdout.splitlines()
    )
    plain.forge()
    assert plain.codes() == ["KA101"]


def test_outside_a_repository_the_current_folder_is_the_top(plain: Repo) -> None:
    plain.write(ATTESTATIONS, attestations("SKILL.md"))
    assert judged(plain, cwd=FOLDER) == [NAME]
    assert judged(plain, cwd="skills") == [f"explore/{NAME}"]


def test_outside_a_repository_every_file_counts(plain: Repo) -> None:
    plain.write(".gitignore", b"*\n")
    assert judged(plain) == [ATTESTATIONS]


def test_repositories_below_a_plain_folder_are_not_entered(plain: Repo) -> None:
    plain.nested("nested").skill()
    assert judged(plain) == [ATTESTATIONS]


@pytest.mark.parametrize("mode", GIT_MODES, ids=str)
def test_outside_a_repository_there_is_neither_index_nor_commit(
    plain: Repo, mode: list[str]
) -> None:
    assert "is in no git repository" in plain.refusal(*mode)


def test_a_folder_that_is_gone_is_no_bug_of_kattest(plain: Repo) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && {SCRIPTS}/kattest verify"
    done = run("sh", "-c", command, cwd=plain.top, env=plain.env)
    assert done.status == 2, done
    assert "Traceback" not in done.stderr


def test_an_empty_folder_says_that_it_saw_nothing(plain: Repo) -> None:
    (plain.top / "empty").mkdir()
    done = plain.kattest("verify", cwd="empty")
    assert done.status == 0
    assert "nothing to check: the working tree holds no .judge-attestations.json" in done.stdout
    assert "--require" in plain.refusal("--require", "attestations", cwd="empty")


# Bare repositories.


@pytest.fixture
def bare(repo: Repo) -> Repo:
    """A bare clone of an honest repository."""
    repo.git("clone", "--quiet", "--bare", str(repo.top), "../bare.git")
    return repo.at(repo.top.parent / "bare.git")


@pytest.mark.parametrize("mode", [[], ["--staged"]], ids=str)
def test_a_bare_repository_has_no_working_tree(bare: Repo, mode: list[str]) -> None:
    said = bare.refusal(*mode)
    assert "is bare: it has no working tree" in said
    assert "kattest verify --rev HEAD" in said


def test_a_commit_of_a_bare_repository_is_judged(bare: Repo) -> None:
    assert judged(bare, "--rev", "HEAD") == [ATTESTATIONS]
    assert judged(bare, "--rev", "HEAD", FOLDER) == [ATTESTATIONS]


def test_a_commit_of_a_bare_repository_is_judged_from_anywhere(bare: Repo, plain: Repo) -> None:
    assert judged(plain, "--rev", "HEAD", GIT_DIR=str(bare.top)) == [ATTESTATIONS]


# Which folder is the top: git's own answer is the measure.


PLACES = {
    "GIT_DIR": {"GIT_DIR": "{top}/.git"},
    "GIT_DIR relative": {"GIT_DIR": ".git"},
    "GIT_WORK_TREE": {"GIT_DIR": "{top}/.git", "GIT_WORK_TREE": "{top}"},
    "GIT_WORK_TREE relative": {"GIT_DIR": ".git", "GIT_WORK_TREE": "."},
    "GIT_WORK_TREE elsewhere": {"GIT_DIR": "{top}/.git", "GIT_WORK_TREE": "{top}/../elsewhere"},
    "GIT_WORK_TREE alone": {"GIT_WORK_TREE": "{top}/../elsewhere"},
}


@pytest.mark.parametrize("env", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("mode", [[], ["--staged"]], ids=str)
def test_git_and_kattest_agree_on_the_top(repo: Repo, env: dict[str, str], mode: list[str]) -> None:
    elsewhere = repo.top.parent / "elsewhere"
    elsewhere.mkdir()
    other = repo.at(repo.top, **{key: value.format(top=repo.top) for key, value in env.items()})
    top = Path(other.git("rev-parse", "--show-toplevel"))
    on_disk = (top / ATTESTATIONS).exists()
    assert on_disk is (top == repo.top)
    assert judged(other, *mode) == ([ATTESTATIONS] if on_disk or mode else [])


def test_git_dir_alone_makes_the_current_folder_the_top(repo: Repo) -> None:
    other = repo.at(repo.top, GIT_DIR=str(repo.top / ".git"))
    assert other.git("rev-parse", "--show-toplevel", cwd="skills") == str(repo.top / "skills")
    assert judged(other, cwd="skills") == [f"explore/{NAME}"]


def test_core_worktree_counts(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    repo.git("config", "core.worktree", "../../elsewhere")
    other = repo.at(tmp_path / "elsewhere", GIT_DIR=str(repo.top / ".git"))
    assert other.git("rev-parse", "--show-toplevel") == str(tmp_path / "elsewhere")
    other.skill("of/elsewhere", b"elsewhere\n")
    assert judged(other) == [f"of/elsewhere/{NAME}"]
    assert judged(other, cwd="of") == [f"of/elsewhere/{NAME}"]


def test_a_git_dir_that_is_none_is_refused(repo: Repo) -> None:
    other = repo.at(repo.top, GIT_DIR=str(repo.top / "nowhere"))
    assert other.try_git("status").status == 128
    for mode in MODES:
        assert "nowhere" in other.refusal(*mode)


@pytest.mark.parametrize("data", [b"gitdir: nowhere\n", b"garbage\n", b""])
def test_a_git_file_that_leads_nowhere_is_refused_as_by_git(repo: Repo, data: bytes) -> None:
    repo.write("inner/.git", data)
    assert repo.try_git("status", cwd="inner").status == 128
    for mode in MODES if data.startswith(b"gitdir: ") else [[]]:
        repo.refusal(*mode, cwd="inner")


def test_a_linked_worktree_has_a_head_of_its_own(repo: Repo) -> None:
    repo.git("worktree", "add", "--quiet", "-b", "side", "../linked")
    linked = repo.at(repo.top.parent / "linked")
    linked.forge_new()
    assert linked.codes() == ["KA101"]
    linked.commit()
    assert linked.codes("--rev", "HEAD") == ["KA101"]
    assert repo.codes("--rev", "HEAD") == []
    assert repo.codes() == []


def test_a_linked_worktree_of_a_bare_repository(bare: Repo) -> None:
    bare.git("worktree", "add", "--quiet", "../linked", "main")
    linked = bare.at(bare.top.parent / "linked")
    linked.forge_new()
    linked.commit()
    for mode in MODES:
        assert linked.codes(*mode) == ["KA101"]


def test_a_git_file_that_leads_to_a_bare_repository(bare: Repo) -> None:
    project = bare.at(bare.top.parent / "project")
    project.write(".git", b"gitdir: ../bare.git\n")
    assert project.git("rev-parse", "--is-inside-work-tree") == "false"
    assert "is bare: it has no working tree" in project.refusal()


def test_a_submodule_is_a_repository_of_its_own(repo: Repo, tmp_path: Path) -> None:
    library = Repo.init(tmp_path / "library")
    library.skill()
    library.forge()
    library.commit()
    repo.git("submodule", "--quiet", "add", library.top.as_uri(), "library")
    for mode in MODES:
        assert repo.codes(*mode, cwd="library") == ["KA101"]


def test_a_git_folder_reached_by_a_file(repo: Repo, tmp_path: Path) -> None:
    repo.git("init", "--quiet", f"--separate-git-dir={tmp_path / 'store.git'}")
    assert (repo.top / ".git").is_file()
    for mode in MODES:
        assert judged(repo, *mode) == [ATTESTATIONS]


@pytest.mark.parametrize("name", ["-x two  words, it's a:b имя".encode(), b"caf\xe9"])
def test_a_repository_may_have_any_name(tmp_path: Path, name: bytes) -> None:
    repo = Repo.init(tmp_path / os.fsdecode(name), "--template=")
    repo.skill()
    repo.commit()
    for mode in MODES:
        assert judged(repo, *mode, str(repo.top / FOLDER)) == [ATTESTATIONS]


# Which files: PATH, and the current folder.


@pytest.fixture(scope="module")
def several_template(honest_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Three skills, one of them forged. Never changed."""
    repo = copied(honest_template, tmp_path_factory.mktemp("several"))
    repo.skill("skills/forged", b"forged\n")
    repo.forge("skills/forged")
    repo.skill("others/honest", b"honest\n")
    repo.commit()
    return repo


@pytest.fixture
def several(several_template: Repo, tmp_path: Path) -> Repo:
    """A copy of the same, to be changed."""
    return copied(several_template, tmp_path)


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("cwd", ["", FOLDER, "others"])
def test_from_any_folder_the_whole_repository_is_judged(
    several_template: Repo, cwd: str, mode: list[str]
) -> None:
    report = several_template.verify(*mode, cwd=cwd)
    assert len(report["rounds"]) == 3
    assert [one["code"] for one in report["findings"]] == ["KA101"]


@pytest.mark.parametrize(
    ("cwd", "paths", "expected"),
    [
        ("", ["skills"], ["skills/explore", "skills/forged"]),
        ("", ["skills/"], ["skills/explore", "skills/forged"]),
        ("", ["./skills/../others"], ["others/honest"]),
        ("", ["others", "skills/explore"], ["others/honest", "skills/explore"]),
        ("", ["skills", "skills/explore"], ["skills/explore", "skills/forged"]),
        ("", [f"skills/explore/{NAME}"], ["skills/explore"]),
        ("", [SKILL], ["skills/explore"]),
        ("", [SKILL, "others/honest"], ["others/honest", "skills/explore"]),
        ("", ["."], ["others/honest", "skills/explore", "skills/forged"]),
        ("skills", ["explore"], ["skills/explore"]),
        ("skills", ["."], ["skills/explore", "skills/forged"]),
        ("skills", [".."], ["others/honest", "skills/explore", "skills/forged"]),
        ("skills/explore", [NAME], ["skills/explore"]),
        ("skills/explore", ["../../others"], ["others/honest"]),
        ("skills/explore", ["SKILL.md"], ["skills/explore"]),
    ],
)
def test_a_path_narrows_from_the_current_folder(
    several_template: Repo, cwd: str, paths: list[str], expected: list[str]
) -> None:
    assert judged(several_template, *paths, cwd=cwd) == [f"{one}/{NAME}" for one in expected]


@pytest.mark.parametrize("mode", GIT_MODES, ids=str)
@pytest.mark.parametrize(
    ("path", "codes"), [("explore", []), ("forged", ["KA101"]), ("forged/SKILL.md", ["KA101"])]
)
def test_a_path_narrows_what_git_holds_too(
    several_template: Repo, mode: list[str], path: str, codes: list[str]
) -> None:
    report = several_template.verify(*mode, path, cwd="skills")
    folder = path.removesuffix("/SKILL.md")
    assert [one["path"] for one in report["rounds"]] == [f"skills/{folder}/{NAME}"]
    assert [one["code"] for one in report["findings"]] == codes


@pytest.fixture(scope="module")
def shared_artifact(honest_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """An artifact with rounds in three files, by each kind of path, and others. Never changed."""
    repo = copied(honest_template, tmp_path_factory.mktemp("shared"))
    second = make_round(evaluation_id="second", path=SKILL)
    repo.write(f"panels/{NAME}", dumps(make_round(evaluation_id="gone", path="gone.md"), second))
    repo.write(f"{FOLDER}/deep/{NAME}", attestations("SKILL.md", evaluation_id="of the deep"))
    repo.write(f"{FOLDER}/deep/SKILL.md", ARTIFACT)
    repo.write("unjudged.md", b"x\n")
    repo.write("notes/unreadable.md", b"x\n")
    repo.write(f"notes/{NAME}", b"{")
    repo.commit()
    return repo


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_path_may_be_an_artifacts(shared_artifact: Repo, mode: list[str]) -> None:
    report = shared_artifact.verify(*mode, SKILL)
    assert [one["path"] for one in report["rounds"]] == [f"panels/{NAME}"] * 2 + [ATTESTATIONS]
    # The whole file is checked, so that what is wrong beside the round is not passed over.
    assert [(one["code"], one["path"]) for one in report["findings"]] == [
        ("KA115", f"panels/{NAME}")
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"{FOLDER}/deep/SKILL.md", [f"{FOLDER}/deep/{NAME}"]),
        ("unjudged.md", []),
        ("notes/unreadable.md", []),
    ],
    ids=["from the file's own folder", "never judged", "beside a file that cannot be read"],
)
def test_a_path_of_an_artifact_means_the_files_with_a_round_of_it(
    shared_artifact: Repo, path: str, expected: list[str]
) -> None:
    done = shared_artifact.kattest("verify", path)
    assert done.status == 0
    if expected:
        files = [line for line in done.stdout.splitlines() if line.endswith(NAME)]
        assert files == expected
    else:
        assert done.stdout == (
            f"nothing to check: the working tree holds no {NAME} and no .keysarium/memory "
            "at or below the paths given\n"
        )
        required = shared_artifact.refusal("--require", "attestations", path)
        assert "holds no attestation file" in required


def test_an_artifact_that_is_named_is_still_checked_whole(several: Repo) -> None:
    several.write("skills/forged/SKILL.md", b"changed\n")
    assert several.codes("skills/forged/SKILL.md") == ["KA111", "KA101"]
    assert several.codes(SKILL) == []


def test_an_artifact_that_is_gone_cannot_be_named(several: Repo) -> None:
    (several.top / SKILL).unlink()
    assert several.codes(SKILL) == ["KA112"], "a base has it"
    assert several.codes("--staged", SKILL) == []
    several.git("rm", "--quiet", "--cached", SKILL)
    several.commit()
    for mode in [], ["--staged"]:
        assert f"kattest: {SKILL} is not in " in several.refusal(*mode, SKILL)


def test_an_absolute_path_narrows_too(several_template: Repo) -> None:
    for path in "others", "others/honest/SKILL.md":
        narrowed = judged(several_template, str(several_template.top / path), cwd="skills")
        assert narrowed == [f"others/honest/{NAME}"]


def test_a_path_is_no_beginning_of_a_name(several: Repo) -> None:
    several.skill("skills/explore-more", b"more\n")
    assert judged(several, FOLDER) == [ATTESTATIONS]


def test_a_path_does_not_narrow_what_a_round_may_refer_to(several: Repo) -> None:
    honest = "others/honest/SKILL.md"
    several.write(f"skills/away/{NAME}", attestations(honest, b"honest\n", evaluation_id="away"))
    several.write(f"skills/moved/{NAME}", attestations("gone.md", b"honest\n", evaluation_id="m"))
    assert several.codes("skills/away") == []
    assert several.codes("skills/moved") == ["KA115"]


@pytest.mark.parametrize("path", ["nowhere", "skills/explor", f"{SKILL}/x", "*.md", "-"])
def test_a_path_that_does_not_exist_is_refused(several_template: Repo, path: str) -> None:
    assert f"kattest: {path} is not in " in several_template.refusal("--", path)


@pytest.mark.parametrize("path", ["..", "../home", "/", "skills/../../repo-2"])
def test_a_path_outside_the_repository_is_refused(several_template: Repo, path: str) -> None:
    said = several_template.refusal(path)
    assert f"kattest: {path} is outside {several_template.top}" in said


@pytest.mark.parametrize("mode", GIT_MODES, ids=str)
def test_a_path_that_git_does_not_hold_is_refused(several_template: Repo, mode: list[str]) -> None:
    assert "kattest: nowhere is not in " in several_template.refusal(*mode, "nowhere")
    said = several_template.refusal(*mode, "..")
    assert f"kattest: .. is outside {several_template.top}" in said


def test_an_ignored_path_is_refused(several: Repo) -> None:
    several.write(".gitignore", b"hidden/\n")
    several.skill("hidden")
    assert "that git does not ignore" in several.refusal("hidden")


def test_a_path_that_is_only_on_disk_is_not_in_the_index(several: Repo) -> None:
    several.skill("new", b"new\n")
    assert judged(several, "new") == [f"new/{NAME}"]
    for mode in GIT_MODES:
        assert "kattest: new is not in " in several.refusal(*mode, "new")


def test_an_empty_path_is_the_current_folder(several_template: Repo) -> None:
    assert several_template.codes("") == ["KA101"]
    assert several_template.codes("", cwd=FOLDER) == []


# A repository that belongs to another user.


@pytest.fixture
def foreign(repo: Repo) -> Repo:
    """A repository of another user, with a forged skill."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a repository away")
    repo.forge_new()
    repo.commit()
    for folder, _, names in os.walk(repo.top):
        for name in (".", *names):
            os.chown(os.path.join(folder, name), 12345, 12345, follow_symlinks=False)
    return repo


@pytest.mark.parametrize(
    ("settings", "cwd"), [("GIT_CONFIG_GLOBAL", ""), ("HOME", FOLDER)], ids=str
)
def test_the_remedy_for_another_users_repository_mends_it(
    foreign: Repo, cwd: str, settings: str
) -> None:
    if settings == "HOME":
        del foreign.env["GIT_CONFIG_GLOBAL"]
    assert foreign.try_git("status").status == 128
    remedy = f"git config --global --add safe.directory {shlex.quote(str(foreign.top))}"
    for mode in MODES:
        said = foreign.refusal(*mode, cwd=cwd)
        assert "belongs to another user" in said
        assert re.findall(r"git config --global --add safe\.directory .*", said) == [remedy]
    foreign.git(*shlex.split(remedy)[1:], cwd="..")
    assert foreign.try_git("status").status == 0
    for mode in MODES:
        assert foreign.codes(*mode, cwd=cwd) == ["KA101"]


def test_the_remedy_is_one_line_for_a_shell_whatever_the_name(foreign: Repo) -> None:
    top = foreign.top.parent / "two  words, it's quo\"te $HOME имя"
    foreign.top.rename(top)
    renamed = foreign.at(top)
    [line] = re.findall(r"git config --global --add safe\.directory .*", renamed.refusal())
    done = run("sh", "-c", line, cwd=top.parent, env=renamed.env)
    assert done.status == 0, done
    assert renamed.try_git("status").status == 0
    assert renamed.codes() == ["KA101"]


def test_all_repositories_can_be_trusted_at_once(foreign: Repo) -> None:
    foreign.git("config", "--global", "safe.directory", "*", cwd="..")
    assert foreign.try_git("status").status == 0
    assert foreign.codes() == ["KA101"]


def test_another_users_bare_repository(foreign: Repo) -> None:
    (foreign.top / ".git").rename(foreign.top.parent / "bare.git")
    foreign.git("config", "--file=bare.git/config", "core.bare", "true", cwd="..")
    bare = foreign.at(foreign.top.parent / "bare.git")
    said = bare.refusal("--rev", "HEAD")
    [line] = re.findall(r"git config --global --add safe\.directory .*", said)
    foreign.git(*shlex.split(line)[1:], cwd="..")
    assert bare.codes("--rev", "HEAD") == ["KA101"]


def test_a_linked_worktree_of_ones_own_in_another_users_repository(foreign: Repo) -> None:
    foreign.git("config", "--global", "safe.directory", "*", cwd="..")
    foreign.git("worktree", "add", "--quiet", "../linked")
    foreign.git("config", "--global", "--unset-all", "safe.directory", cwd="..")
    linked = foreign.at(foreign.top.parent / "linked")
    assert linked.try_git("status").status == 0
    for mode in MODES:
        assert linked.codes(*mode) == ["KA101"]


# What this version cannot read, it says.


def test_a_pygit2_that_cannot_be_loaded_is_no_finding(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "pygit2.py").write_text("raise ImportError('no libgit2')\n")
    env = {**repo.env, "PYTHONPATH": str(tmp_path / "broken")}
    done = run(SCRIPTS / "kattest", "verify", cwd=repo.top, env=env)
    assert done.status in {2, 3}, done
    assert "no libgit2" in done.stderr


@pytest.mark.parametrize("mode", [[], ["--staged"]], ids=str)
def test_a_split_index(repo: Repo, mode: list[str]) -> None:
    repo.git("update-index", "--split-index")
    assert judged(repo, *mode) == [ATTESTATIONS]
    repo.forge_new()
    repo.git("add", "--all")
    assert [*(repo.top / ".git").glob("sharedindex.*")]
    assert repo.codes(*mode) == ["KA101"]


@pytest.mark.parametrize("mode", [[], ["--staged"]], ids=str)
def test_a_sparse_index(repo: Repo, mode: list[str]) -> None:
    repo.write("in/x", b"x\n")
    repo.commit()
    repo.git("status")  # it learns that no file was changed: changed ones would be kept
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
    assert "skills/" in repo.git("ls-files", "--sparse").splitlines()
    assert judged(repo, *mode) == [ATTESTATIONS]
    assert repo.codes(*mode) == []
    repo.skill("in/forged", b"forged\n")
    repo.forge("in/forged")
    repo.git("add", "--all")
    assert "skills/" in repo.git("ls-files", "--sparse").splitlines()
    assert repo.codes(*mode) == ["KA101"]


def test_a_sha256_repository(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "repo", "--object-format=sha256")
    repo.skill()
    repo.commit()
    for mode in MODES:
        assert judged(repo, *mode) == [ATTESTATIONS]
        assert repo.codes(*mode) == []
    repo.forge_new()
    commit = repo.commit()
    for mode in MODES:
        assert repo.codes(*mode) == ["KA101"]
    assert repo.verify("--rev", "HEAD")["source"]["rev"] == commit
    assert len(commit) == 64


def test_an_extension_that_git_does_not_know_is_refused_in_its_words(repo: Repo) -> None:
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.notYetInvented", "true")
    assert repo.try_git("status").status == 128
    for mode in MODES:
        assert "notyetinvented" in repo.refusal(*mode)


@pytest.fixture
def partial(repo: Repo) -> Repo:
    """A clone that has the blobs of its checkout alone; its artifact was changed twice."""
    repo.git("config", "uploadpack.allowFilter", "true")
    for number in 1, 2:
        repo.write(SKILL, f"{number}\n".encode())
        repo.commit()
    clone = repo.clone("clone", "--filter=blob:none")
    assert clone.git("rev-list", "--objects", "--all", "--missing=print").count("?") == 2
    return clone


def test_a_partial_clone_is_judged_by_what_it_has(partial: Repo) -> None:
    assert partial.codes("--staged") == ["KA111"]


@pytest.mark.parametrize("mode", [[], ["--rev", "HEAD"]], ids=str)
def test_what_a_partial_clone_lacks_is_not_taken_for_unknown(
    partial: Repo, mode: list[str]
) -> None:
    said = partial.refusal(*mode)
    assert "is not in this clone" in said
    assert "git fetch --refetch --no-filter" in said
    partial.git("fetch", "--quiet", "--refetch", "--no-filter")
    assert partial.codes(*mode) == ["KA111"]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_partial_clone_by_an_older_git(repo: Repo, mode: list[str]) -> None:
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.partialClone", "origin")
    assert judged(repo, *mode) == [ATTESTATIONS]
    repo.forge_new()
    repo.commit()
    assert repo.codes(*mode) == ["KA101"]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_head_that_names_nothing(repo: Repo, mode: list[str]) -> None:
    repo.write(".git/HEAD", b"0" * 40 + b"\n")
    assert "HEAD" in repo.refusal(*mode)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_damaged_head(repo: Repo, mode: list[str]) -> None:
    repo.write(".git/HEAD", b"no ref\n")
    repo.refusal(*mode)


def test_a_damaged_configuration_of_git(repo: Repo) -> None:
    repo.write(".git/config", b"[core\n")
    for mode in MODES:
        assert "cannot be opened" in repo.refusal(*mode)
