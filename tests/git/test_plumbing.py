"""Repositories that only git itself can read: judged as an ordinary one with the same content is.

What is asked of ``sources/plumbing.py`` is asked of an ordinary repository too, which is the measure.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.git.conftest import copied
from tests.support.git import ATTESTATIONS, FOLDER, NAME, SKILL, Repo, attestations, run
from tests.support.rounds import ARTIFACT

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

MODES = [[], ["--staged"], ["--rev", "HEAD"]]
OTHER = "notes.txt"


def split(repo: Repo) -> Repo:
    repo.git("update-index", "--split-index")
    return repo


@pytest.fixture(scope="session")
def sha256_template(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A SHA-256 repository whose only commit holds one honest skill. Never changed."""
    top = tmp_path_factory.mktemp("sha256") / "repo"
    repo = Repo.init(top, "--template=", "--object-format=sha256")
    repo.skill()
    repo.commit("An honest skill")
    return repo


@pytest.fixture
def sha256(sha256_template: Repo, tmp_path: Path) -> Repo:
    """A copy of the same, to be changed."""
    return copied(sha256_template, tmp_path)


@pytest.fixture
def both(honest_template: Repo, sha256_template: Repo, tmp_path: Path) -> tuple[Repo, Repo]:
    """An ordinary repository and a SHA-256 one, with the same content."""
    folders = tmp_path / "ordinary", tmp_path / "sha256"
    for folder in folders:
        folder.mkdir()
    return copied(honest_template, folders[0]), copied(sha256_template, folders[1])


def seen(repo: Repo, *args: str) -> Any:
    """What is said of a repository, but for the ids of commits: findings and rounds."""
    report = repo.verify(*args, "--as-of", "2026-03-05T00:00:00Z")
    text = json.dumps([report["findings"], report["rounds"], report["counts"]])
    for number, commit in enumerate(reversed(repo.git("rev-list", "--all").split())):
        text = text.replace(commit, f"commit {number}").replace(commit[:12], f"commit {number}")
    return json.loads(text)


def same(
    repos: Sequence[Repo],
    change: Callable[[Repo], object],
    modes: Sequence[Sequence[str]] = MODES,
) -> list[str]:
    """The codes that are found after a change, which are the same in both, in every mode."""
    codes: list[str] = []
    for repo in repos:
        change(repo)
    for mode in modes:
        ordinary, other = (seen(repo, *mode) for repo in repos)
        assert other == ordinary, mode
        codes.extend(finding["code"] for finding in ordinary[0])
    return codes


def without_git(repo: Repo) -> Repo:
    """The same, where kattest finds no git."""
    folder = repo.top.parent / "no-git"
    folder.mkdir(exist_ok=True)
    return repo.at(repo.top, PATH=str(folder))


# The index.


def intend(repo: Repo) -> None:
    repo.skill("intended", b"intended\n")
    repo.forge("intended")
    repo.write("added/empty", b"")
    repo.git("add", "added")
    repo.git("add", "--intent-to-add", "intended")


def test_intent_to_add_is_in_the_working_tree_alone(both: tuple[Repo, Repo]) -> None:
    assert same(both, intend) == ["KA101"]


def test_an_empty_file_that_was_added_is_not_taken_for_an_intended_one(
    both: tuple[Repo, Repo],
) -> None:
    def add(repo: Repo) -> None:
        repo.write(f"empty/{NAME}", b"")
        repo.git("add", "--all")

    assert same(both, add) == ["KA001", "KA001"]


def test_executable_files_symlinks_and_submodules_are_told_apart(both: tuple[Repo, Repo]) -> None:
    def change(repo: Repo) -> None:
        repo.git("update-index", "--chmod=+x", SKILL)
        (repo.top / "linked").mkdir()
        (repo.top / "linked" / NAME).symlink_to(f"../{ATTESTATIONS}")
        head = repo.git("rev-parse", "HEAD")
        for path in f"module/{NAME}", "library":
            repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},{path}")
        repo.git("add", "linked")
        repo.git("commit", "--quiet", "--message", "all kinds")

    assert same(both, change) == ["KA006"] * 6


def test_a_conflicted_index_is_refused_and_the_working_tree_judged(
    both: tuple[Repo, Repo],
) -> None:
    for repo in both:
        repo.git("switch", "--quiet", "--create", "side")
        repo.write(SKILL, b"theirs\n")
        repo.commit()
        repo.git("switch", "--quiet", "main")
        repo.write(SKILL, b"ours\n")
        repo.commit()
        assert repo.try_git("merge", "side").status == 1
        assert f'the index has a conflict at "{SKILL}"' in repo.refusal("--staged")
        repo.write(SKILL, ARTIFACT)
        assert repo.codes() == []
        repo.git("add", SKILL)
        assert repo.codes("--staged") == []


def test_a_damaged_index_is_refused(sha256: Repo) -> None:
    (sha256.top / ".git" / "index").write_bytes(b"DIRC, but no index")
    for mode in MODES[:2]:
        assert "the index cannot be read" in sha256.refusal(*mode)


COMMITS = {
    "all": ["commit", "-a", "-m", "x"],
    "path": ["commit", "-m", "x", ATTESTATIONS],
    "include": ["commit", "-m", "x", "--include", ATTESTATIONS],
}


@pytest.mark.parametrize("command", COMMITS.values(), ids=COMMITS)
@pytest.mark.parametrize("kind", ["split index", "SHA-256"])
def test_the_index_that_git_commits_from_is_judged(
    honest_template: Repo, sha256_template: Repo, tmp_path: Path, kind: str, command: list[str]
) -> None:
    repo = copied(sha256_template if kind == "SHA-256" else honest_template, tmp_path)
    if kind == "split index":
        repo.git("config", "core.splitIndex", "true")
        split(repo)
    repo.hook()
    head = repo.git("rev-parse", "HEAD")
    honest = (repo.top / ATTESTATIONS).read_bytes()
    repo.forge_new()
    done = repo.try_git(*command)
    assert (done.status, repo.git("rev-parse", "HEAD")) == (1, head)
    assert "error KA101 " in done.stderr
    repo.git("add", ATTESTATIONS)
    repo.write(ATTESTATIONS, honest)
    repo.add_round()
    done = repo.try_git(*command)
    assert done.status == 0, done
    assert "2 rounds" in done.stderr


@pytest.mark.parametrize("named", ["relative", "absolute"])
def test_git_index_file_counts_from_any_folder(sha256: Repo, named: str) -> None:
    place = sha256.top / ".git" / "second-index"
    shutil.copy(sha256.top / ".git" / "index", place)
    name = str(place) if named == "absolute" else ".git/second-index"
    second = sha256.at(sha256.top, GIT_INDEX_FILE=name)
    second.forge_new()
    second.git("add", ATTESTATIONS)
    assert second.codes("--staged", cwd=FOLDER) == ["KA101"]
    assert sha256.codes("--staged", cwd=FOLDER) == []


# The working tree.

IGNORED = {
    ".gitignore": b"build/\n*.log/\n!kept.log/\n/top\n",
    "nested/.gitignore": b"*\n!.gitignore\n!again/\n!again/**\n",
    "again/.gitignore": b"deep/\n",
}
FOLDERS = (
    "build", "below/build", "x.log", "kept.log", "top", "below/top", "nested/hidden",
    "nested/again", "again/deep", "again/shallow", "two words", "new\nline", "\u043d\u0430\u0432\u044b\u043a",
    os.fsdecode(b"caf\xe9"), 'quo"te', "back\\slash", "-dash", ":colon", "[a]",
)  # fmt: skip


def test_what_git_ignores_is_not_judged(both: tuple[Repo, Repo]) -> None:
    def write(repo: Repo) -> None:
        for path, data in IGNORED.items():
            repo.write(path, data)
        for folder in FOLDERS:
            repo.write(f"{folder}/SKILL.md", ARTIFACT)
            document = attestations("SKILL.md", evaluation_id=ascii(folder))
            repo.write(f"{folder}/{NAME}", document)

    assert same(both, write, [[]]) == []
    for repo in both:
        listed = repo.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        expected = sum(path.endswith(NAME) for path in listed.split("\0"))
        assert repo.verify()["counts"]["attestation_files"] == expected
        assert 1 < expected < len(FOLDERS)


@pytest.mark.parametrize("by", ["core.autocrlf", ".gitattributes"])
def test_a_checkout_with_other_line_ends_is_clean(both: tuple[Repo, Repo], by: str) -> None:
    clones = []
    for repo in both:
        if by == ".gitattributes":
            repo.write(".gitattributes", b"*.md text eol=crlf\n")
            repo.commit()
        options = ["-c", "core.autocrlf=true"] if by == "core.autocrlf" else []
        clones.append(repo.clone("clone", *options))
        assert b"\r\n" in (clones[-1].top / SKILL).read_bytes()
    assert same(clones, lambda _: None, MODES[:2]) == []
    assert same(clones, lambda clone: clone.write(SKILL, b"more\r\n"), [[]]) == ["KA111"]


def test_index_without_a_checksum_is_read(both: tuple[Repo, Repo]) -> None:
    def skip_hash(repo: Repo) -> None:
        repo.git("config", "index.skipHash", "true")
        repo.forge_new()
        repo.git("add", "--all")

    assert same(both, skip_hash, MODES[:2]) == ["KA101", "KA101"]


# The history.


def test_a_superseded_version_is_found_and_an_unknown_one_is_not(both: tuple[Repo, Repo]) -> None:
    def supersede(repo: Repo) -> None:
        for number in 1, 2:
            repo.write(SKILL, f"{number}\n".encode())
            repo.commit()

    assert same(both, supersede) == ["KA111"] * 3
    said = [one["message"] for repo in both for one in repo.verify()["findings"]]
    assert all(
        repo.git("rev-parse", "HEAD~2")[:12] in word for repo, word in zip(both, said, strict=True)
    )

    def judge_unknown(repo: Repo) -> None:
        repo.add_round(artifact=b"never\n")
        repo.git("add", "--all")

    assert sorted(same(both, judge_unknown, MODES[:2])) == ["KA110", "KA110"]


def test_a_merge_is_compared_with_both_parents(both: tuple[Repo, Repo]) -> None:
    def merge(repo: Repo) -> None:
        repo.git("switch", "--quiet", "--create", "side")
        repo.add_round(evaluation_id="of the side")
        repo.commit()
        repo.git("switch", "--quiet", "main")
        repo.write(OTHER, b"x\n")
        repo.commit()
        repo.git("merge", "--quiet", "--no-ff", "--strategy=ours", "side", "-m", "loses a round")

    assert same(both, merge, [["--rev", "HEAD"]]) == ["KA502"]


def test_what_is_being_merged_is_a_base_too(both: tuple[Repo, Repo]) -> None:
    def merge(repo: Repo) -> None:
        repo.git("switch", "--quiet", "--create", "side")
        repo.add_round(evaluation_id="of the side")
        repo.commit()
        repo.git("switch", "--quiet", "main")
        repo.write(OTHER, b"x\n")
        repo.commit()
        repo.git("merge", "--no-ff", "--no-commit", "--strategy=ours", "side")

    assert same(both, merge, MODES[:2]) == ["KA502", "KA502"]


def test_the_upstreams_merge_base_is_the_base(both: tuple[Repo, Repo]) -> None:
    for repo in both:
        clone = repo.clone("clone")
        base = repo.git("rev-parse", "HEAD")
        repo.commit("published later")
        clone.add_round(evaluation_id="unpublished")
        clone.commit()
        clone.git("fetch", "--quiet")
        clone.git("checkout", "--quiet", "HEAD~1", "--", ATTESTATIONS)
        for mode in MODES[:2]:
            report = clone.verify(*mode)
            assert report["findings"] == []
            assert report["source"]["base"] == base
        clone.git("branch", "--quiet", "--unset-upstream")
        assert clone.verify("--staged")["source"]["base"] == base, "every branch of a remote"
        assert clone.codes("--staged", "--base", "HEAD") == ["KA502"]


def test_signed_commits_and_tags_of_tags_are_read(both: tuple[Repo, Repo]) -> None:
    for repo in both:
        repo.forge_new()
        repo.commit()
        raw = run("git", "cat-file", "commit", "HEAD", cwd=repo.top, env=repo.env).stdout
        header, _, message = raw.partition("\n\n")
        name = "gpgsig" if repo is both[0] else "gpgsig-sha256"
        signature = f"{name} -----BEGIN SSH SIGNATURE-----\n \n abc\n -----END SSH SIGNATURE-----"
        signed = f"{header}\n{signature}\n\n{message}".encode()
        oid = repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=signed)
        repo.git("tag", "--annotate", "--message", "a tag", "one", oid)
        repo.git("tag", "--annotate", "--message", "a tag of a tag", "two", "one")
        for rev in oid, "one", "two", oid[:9]:
            report = repo.verify("--rev", rev)
            assert report["source"]["rev"] == oid
            assert [one["code"] for one in report["findings"]] == ["KA101"]
    for rev in "nowhere", "HEAD^{tree}", "-x", f"HEAD:{SKILL}":
        assert "names no commit" in both[1].refusal(f"--rev={rev}")


# Which repository, and whose.


def test_linked_worktrees_and_sub_folders(sha256: Repo) -> None:
    sha256.git("worktree", "add", "--quiet", "-b", "side", "../linked")
    linked = sha256.at(sha256.top.parent / "linked")
    linked.forge_new()
    linked.git("add", "--all")
    for mode in MODES[:2]:
        assert linked.codes(*mode, cwd=FOLDER) == ["KA101"]
        assert sha256.codes(*mode, cwd=FOLDER) == []


@pytest.mark.parametrize("where", ["at the top", "core.hooksPath", "linked worktree"])
def test_hooks_are_installed_where_git_looks_for_them(sha256: Repo, where: str) -> None:
    repo = sha256
    if where == "core.hooksPath":
        repo.git("config", "core.hooksPath", ".git/hooks of a team")
    elif where == "linked worktree":
        repo.git("worktree", "add", "--quiet", "-b", "side", "../linked")
        repo = repo.at(repo.top.parent / "linked")
    done = run("kattest", "hook", "install", cwd=repo.top / FOLDER, env=repo.env)
    assert done.status == 0, done
    assert (repo.top / repo.git("rev-parse", "--git-path", "hooks") / "pre-commit").exists()
    repo.forge_new()
    done = repo.try_git("commit", "-a", "-m", "x")
    assert done.status == 1
    assert "error KA101 " in done.stderr


@pytest.mark.parametrize("cwd", ["", FOLDER])
def test_another_users_repository_is_refused_with_the_line_that_mends_it(
    sha256: Repo, cwd: str
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a repository away")
    for folder, _, names in os.walk(sha256.top):
        for name in (".", *names):
            os.chown(os.path.join(folder, name), 12345, 12345, follow_symlinks=False)
    remedy = f"git config --global --add safe.directory {shlex.quote(str(sha256.top))}"
    for mode in MODES:
        said = sha256.refusal(*mode, cwd=cwd)
        assert remedy in said
    sha256.git(*shlex.split(remedy)[1:], cwd="..")
    for mode in MODES:
        assert sha256.codes(*mode, cwd=cwd) == []


# When git is started, and when not.


@pytest.mark.parametrize("name", ["link", "sdir", "linked", "sdir.json"])
def test_a_file_of_such_a_name_needs_no_git(repo: Repo, name: str) -> None:
    """The names of the extensions of an index occur in ordinary ones too."""
    repo.write(name, f"{name}\n".encode())
    repo.write(f"link/{name}" if name != "link" else "x/link", b"sdir link")
    repo.forge_new()
    repo.commit()
    for mode in MODES:
        assert without_git(repo).codes(*mode) == ["KA101"]


KINDS: Mapping[str, Callable[[Repo], object]] = {
    "split index": split,
    "extension": lambda repo: (
        repo.git("config", "core.repositoryFormatVersion", "1"),
        repo.git("config", "extensions.partialClone", "origin"),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_without_git_they_are_refused_with_the_remedy(repo: Repo, kind: str) -> None:
    KINDS[kind](repo)
    for mode in MODES:
        said = without_git(repo).refusal(*mode)
        assert "there is no git on PATH" in said
        assert "install git" in said


def test_without_git_a_sha256_repository_is_refused_with_the_remedy(sha256: Repo) -> None:
    for mode in MODES:
        assert "install git, or put it on PATH" in without_git(sha256).refusal(*mode)


def test_a_promisor_is_never_asked(repo: Repo) -> None:
    """A check neither reaches the network nor changes what the clone holds."""
    repo.git("config", "uploadpack.allowFilter", "true")
    for number in 1, 2:
        repo.write(SKILL, f"{number}\n".encode())
        repo.commit()
    clone = repo.clone("clone", "--filter=blob:none")
    trace = repo.top.parent / "trace"
    wrapper = repo.top.parent / "upload-pack"
    wrapper.write_text(
        f'#!/bin/sh\necho asked >>{shlex.quote(str(trace))}\nexec git-upload-pack "$@"\n'
    )
    wrapper.chmod(0o755)
    clone.git("config", "remote.origin.uploadpack", str(wrapper))
    lacking = clone.git("rev-list", "--objects", "--all", "--missing=print").count("\n?")
    for mode in [], ["--rev", "HEAD"], ["--range", "HEAD~2..HEAD"]:
        done = clone.kattest("verify", *mode)
        assert done.status in {0, 2}
        assert not trace.exists()
    assert clone.git("rev-list", "--objects", "--all", "--missing=print").count("\n?") == lacking
    clone.git("cat-file", "-e", f"HEAD~1:{SKILL}")
    assert trace.exists(), "the wrapper is what git would run"
