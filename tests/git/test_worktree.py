"""The working tree: what git tracks, and what it neither tracks nor ignores."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.support.git import ATTESTATIONS, FOLDER, NAME, SKILL, Repo, attestations, forged, run
from tests.support.rounds import ARTIFACT, sha256

UNTRACKED = "untracked/.judge-attestations.json"


def judged(repo: Repo, *args: str) -> list[str]:
    """The paths of the attestation files whose rounds were judged."""
    return sorted(round_["path"] for round_ in repo.verify(*args)["rounds"])


def findings(repo: Repo, *args: str) -> list[tuple[str, str]]:
    """Where something was found, and what."""
    return [(one["path"], one["code"]) for one in repo.verify(*args)["findings"]]


def test_untracked_files_are_judged(repo: Repo) -> None:
    repo.skill("untracked")
    repo.forge("untracked")
    assert findings(repo) == [(UNTRACKED, "KA101")]


def test_a_tracked_file_is_judged_as_it_is_on_disk(repo: Repo) -> None:
    honest = (repo.top / ATTESTATIONS).read_bytes()
    repo.forge_new()
    repo.git("add", ATTESTATIONS)
    repo.write(ATTESTATIONS, honest)
    assert findings(repo) == []
    assert findings(repo, "--staged") == [(ATTESTATIONS, "KA101")]


def test_a_deleted_attestation_file_is_not_judged(repo: Repo) -> None:
    (repo.top / ATTESTATIONS).unlink()
    assert findings(repo) == [(ATTESTATIONS, "KA503")]
    (repo.top / SKILL).unlink()
    report = repo.verify()
    assert report["counts"]["attestation_files"] == 0
    assert report["findings"] == []


def test_a_deleted_artifact_is_missing(repo: Repo) -> None:
    (repo.top / SKILL).unlink()
    assert findings(repo) == [(ATTESTATIONS, "KA112")]


# Each folder holds a skill; whether it is judged is for git to say.
IGNORE = rb"""
# a comment
build/
/top-only/
*.d
deep/**/x/
!build/keep/
some/*
!some/kept/
a[bc]/
\#hash/
\!bang/
quest?on/
**/logs
tail/**
blank\ /
  indented/
CASE/
outer/inner/
"""
FOLDERS = (
    "build",
    "build/keep",
    "nested/build",
    "top-only",
    "nested/top-only",
    "conf.d",
    "nested/conf.d/sub",
    "deep/x",
    "deep/1/2/x/y",
    "deep/1/2/z",
    "some/lost",
    "some/kept",
    "ab",
    "ad",
    "#hash",
    "!bang",
    "question",
    "quest/on",
    "logs",
    "a/b/logs/c",
    "tail/x",
    "blank ",
    "indented",
    "  indented",
    "case",
    "CASE",
    "outer/inner",
    "x/outer/inner",
    "own/hidden",
    "own/shown",
    "own/again/hidden",
    "excluded",
    "of-user",
    "forced",
    "forced/below",
    "пример",
    "ünï",
    "скрытый",
)


def test_exactly_what_git_ignores_is_left_out(empty: Repo) -> None:
    empty.write(".gitignore", IGNORE + "скрытый/\n".encode())
    empty.write("own/.gitignore", b"hidden/\n!again/hidden/\n")
    empty.write(".git/info/exclude", b"excluded/\nforced/\n")
    empty.write("../home/ignored-by-user", b"of-user/\n")
    empty.git(
        "config", "--global", "core.excludesFile", str(empty.top.parent / "home/ignored-by-user")
    )
    for folder in FOLDERS:
        empty.skill(folder)
    empty.git("add", "--force", "forced")
    listed = empty.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    expected = sorted(path for path in listed.split("\0") if path.endswith(NAME))
    assert judged(empty) == expected
    hidden = {f"{folder}/{NAME}" for folder in FOLDERS} - {*expected}
    assert {f"build/{NAME}", f"of-user/{NAME}", f"excluded/{NAME}"} < hidden
    assert f"forced/below/{NAME}" in expected


def test_an_ignored_name_is_judged_once_it_is_tracked(empty: Repo) -> None:
    empty.write(".gitignore", NAME.encode())
    empty.skill("tracked")
    empty.skill("ignored")
    empty.git("add", "--force", "tracked")
    assert judged(empty) == [f"tracked/{NAME}"]


def test_ignored_artifacts_are_no_part_of_the_tree(empty: Repo) -> None:
    empty.write(".gitignore", b"SKILL.md\n")
    empty.skill()
    assert findings(empty) == [(ATTESTATIONS, "KA112")]


def test_a_nested_repository_is_not_entered(repo: Repo) -> None:
    nested = repo.nested("nested")
    nested.skill()
    nested.forge()
    nested.commit()
    assert judged(repo) == [ATTESTATIONS]
    assert findings(nested) == [(ATTESTATIONS, "KA101")]


@pytest.mark.parametrize("kind", ["empty folder", "empty file", "dangling file", "dangling link"])
def test_only_a_real_repository_is_not_entered(repo: Repo, kind: str) -> None:
    """A `.git` that is no repository hides nothing from git, so nothing from kattest."""
    repo.skill("nested/skill")
    place = repo.top / "nested" / ".git"
    if kind == "empty folder":
        place.mkdir()
    elif kind == "dangling link":
        place.symlink_to("nowhere")
    else:
        place.write_bytes(b"gitdir: nowhere\n" if kind == "dangling file" else b"")
    path = f"nested/skill/{NAME}"
    assert path in repo.git("ls-files", "--others", "--exclude-standard").splitlines()
    assert judged(repo) == [f"nested/skill/{NAME}", ATTESTATIONS]


def test_tracked_files_of_a_folder_that_became_a_repository_are_judged(repo: Repo) -> None:
    repo.nested("skills").commit()
    assert ATTESTATIONS in repo.git("ls-files").splitlines()
    repo.forge_new()
    assert findings(repo) == [(ATTESTATIONS, "KA101")]


def test_a_submodule_is_not_entered(repo: Repo, tmp_path: Path) -> None:
    library = Repo.init(tmp_path / "library")
    library.skill()
    library.forge()
    library.commit()
    repo.git("submodule", "--quiet", "add", library.top.as_uri(), "library")
    repo.commit()
    assert (repo.top / "library" / ATTESTATIONS).exists()
    for mode in [], ["--staged"], ["--rev", "HEAD"]:
        assert judged(repo, *mode) == [ATTESTATIONS]


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_submodule_where_a_document_must_be(repo: Repo, mode: list[str]) -> None:
    nested = repo.nested(UNTRACKED)
    nested.commit()
    repo.git("add", UNTRACKED)
    repo.git("commit", "-m", "a submodule")
    assert findings(repo, *mode) == [(UNTRACKED, "KA006")]


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_submodule_on_the_way_to_an_artifact(repo: Repo, mode: list[str]) -> None:
    nested = repo.nested("library")
    nested.write("SKILL.md", ARTIFACT)
    nested.commit()
    repo.write(UNTRACKED, attestations("library/SKILL.md"))
    repo.commit()
    assert findings(repo, *mode) == [(UNTRACKED, "KA113")]


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_folder_where_a_document_must_be(repo: Repo, mode: list[str]) -> None:
    repo.write(f"{UNTRACKED}/README", b"hidden\n")
    repo.commit()
    assert findings(repo, *mode) == [(UNTRACKED, "KA006")]


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_symlinked_attestation_file(repo: Repo, mode: list[str]) -> None:
    targets = {"honest": f"../{ATTESTATIONS}", "outside": "/etc/passwd", "void": "nowhere"}
    for folder, target in targets.items():
        (repo.top / folder).mkdir()
        (repo.top / folder / NAME).symlink_to(target)
    repo.commit()
    assert findings(repo, *mode) == [(f"{folder}/{NAME}", "KA006") for folder in targets]


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_symlinked_artifact_is_not_followed(repo: Repo, mode: list[str]) -> None:
    repo.write(UNTRACKED, attestations("linked.md"))
    (repo.top / "linked.md").symlink_to(SKILL)
    repo.commit()
    assert findings(repo, *mode) == [(UNTRACKED, "KA113")]


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_symlinked_folder_on_the_way_to_an_artifact_is_not_followed(
    repo: Repo, mode: list[str]
) -> None:
    repo.write(UNTRACKED, attestations("linked/SKILL.md"))
    (repo.top / "linked").symlink_to(FOLDER)
    repo.commit()
    assert findings(repo, *mode) == [(UNTRACKED, "KA113")]


def test_a_tracked_folder_replaced_by_a_symlink_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    (repo.top / FOLDER).rename(tmp_path / "outside")
    (repo.top / FOLDER).symlink_to(tmp_path / "outside")
    assert judged(repo) == []
    repo.write(UNTRACKED, attestations(SKILL))
    assert findings(repo) == [(UNTRACKED, "KA113")]


def test_symlinked_folders_are_not_searched(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / NAME).write_bytes(b"forged")
    (repo.top / "linked").symlink_to(tmp_path / "outside")
    (repo.top / "loop").symlink_to(".")
    assert judged(repo) == [ATTESTATIONS]


def test_a_symlink_is_one_where_the_disk_cannot_hold_it(repo: Repo) -> None:
    """With core.symlinks off, git checks symlinks out as files that hold their target."""
    (repo.top / "untracked").mkdir()
    (repo.top / UNTRACKED).symlink_to(f"../{ATTESTATIONS}")
    (repo.top / "linked.md").symlink_to("target")
    repo.write(f"linked/{NAME}", attestations("linked.md", b"target"))
    repo.commit()
    clone = repo.clone("clone", "--config", "core.symlinks=false")
    assert (clone.top / "linked.md").read_bytes() == b"target"
    expected = [(f"linked/{NAME}", "KA113"), (UNTRACKED, "KA006")]
    assert findings(clone, "--staged") == expected
    assert findings(clone) == expected


def test_a_repository_reached_through_a_symlink(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo.top)
    linked = repo.at(tmp_path / "link")
    assert judged(linked) == [ATTESTATIONS]
    assert judged(linked, FOLDER) == [ATTESTATIONS]
    assert judged(linked, str(tmp_path / "link" / FOLDER)) == [ATTESTATIONS]


@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_a_special_file_in_place_of_a_document_does_not_hang(repo: Repo, kind: str) -> None:
    (repo.top / "untracked").mkdir()
    make_special(repo.top / UNTRACKED, kind)
    assert findings(repo) == [(UNTRACKED, "KA006")]


@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_a_tracked_document_replaced_by_a_special_file(repo: Repo, kind: str) -> None:
    (repo.top / ATTESTATIONS).unlink()
    make_special(repo.top / ATTESTATIONS, kind)
    assert findings(repo) == [(ATTESTATIONS, "KA006"), (ATTESTATIONS, "KA503")]


@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_a_special_file_in_place_of_an_artifact_does_not_hang(repo: Repo, kind: str) -> None:
    (repo.top / SKILL).unlink()
    make_special(repo.top / SKILL, kind)
    assert findings(repo) == [(ATTESTATIONS, "KA113")]


def make_special(path: Path, kind: str) -> None:
    os.mknod(path, 0o644 | (stat.S_IFIFO if kind == "fifo" else stat.S_IFSOCK))


def test_intent_to_add_is_judged_from_disk(repo: Repo) -> None:
    repo.skill("untracked")
    repo.git("add", "--intent-to-add", "untracked")
    assert judged(repo) == [ATTESTATIONS, UNTRACKED]
    repo.forge("untracked")
    assert findings(repo) == [(UNTRACKED, "KA101")]


NOT_UTF8 = b"caf\xe9\xff"


@pytest.fixture
def not_utf8(repo: Repo) -> Repo:
    """A skill in a folder whose name is not UTF-8; its artifact is found beside it."""
    folder = os.fsdecode(NOT_UTF8)
    repo.write(f"{folder}/SKILL.md", ARTIFACT)
    repo.write(f"{folder}/{NAME}", forged(attestations("SKILL.md")))
    repo.commit()
    return repo


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_names_that_are_not_utf8_are_judged_and_escaped(not_utf8: Repo, mode: list[str]) -> None:
    shown = rf"caf\xe9\xff/{NAME}"
    text = not_utf8.kattest("verify", *mode)
    assert text.status == 1
    assert f"{shown}:19:9: error KA101 " in text.stdout
    text.stdout.encode("ascii")
    done = not_utf8.kattest("verify", "--format", "json", *mode)
    done.stdout.encode("ascii")
    report = strict_json(done.stdout)
    assert [(one["path"], one["code"]) for one in report["findings"]] == [(shown, "KA101")]


def strict_json(text: str) -> Any:
    """Read JSON as a strict reader does: its strings must be Unicode, without lone surrogates."""
    document = json.loads(text)
    json.dumps(document, ensure_ascii=False).encode("utf-8")
    return document


def test_a_path_that_is_not_utf8_can_be_given(not_utf8: Repo) -> None:
    assert not_utf8.codes(os.fsdecode(NOT_UTF8)) == ["KA101"]
    assert not_utf8.codes(FOLDER) == []


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_hostile_names_are_judged_and_cannot_act_on_a_terminal(repo: Repo, mode: list[str]) -> None:
    names = ["\x1b[31mred", "new\nline", "\u202egnp", "two  spaces", 'quo"te', "back\\slash"]
    for name in names:
        repo.skill(name)
        repo.forge(name)
    repo.commit()
    text = repo.kattest("verify", *mode)
    assert text.status == 1
    assert text.stdout.count("error KA101 ") == len(names)
    assert not {"\x1b", "\u202e"} & {*text.stdout}
    assert "new\nline" not in text.stdout
    named = [(path, code) for path, code in findings(repo, *mode) if code == "KA101"]
    assert named == sorted((f"{name}/{NAME}", "KA101") for name in names)


def test_a_sparse_checkout_still_counts_what_is_not_checked_out(repo: Repo) -> None:
    repo.skill("other", b"other\n")
    repo.write("in/only.json", b"{}")
    repo.write(f"in/{NAME}", attestations("other/SKILL.md", b"other\n", evaluation_id="in"))
    repo.commit()
    repo.git("sparse-checkout", "set", "--cone", "--no-sparse-index", "in")
    assert not (repo.top / FOLDER).exists()
    for mode in [], ["--staged"]:
        report = repo.verify(*mode)
        assert report["findings"] == []
        paths = [round_["path"] for round_ in report["rounds"]]
        assert paths == [f"in/{NAME}", f"other/{NAME}", ATTESTATIONS]


def test_a_file_that_is_back_in_a_sparse_checkout_is_judged_as_it_is_on_disk(repo: Repo) -> None:
    honest = (repo.top / ATTESTATIONS).read_bytes()
    repo.write("in/x", b"x\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "--cone", "--no-sparse-index", "in")
    repo.write(SKILL, ARTIFACT)
    repo.write(ATTESTATIONS, honest)
    repo.forge_new()
    assert findings(repo) == [(ATTESTATIONS, "KA101")]


@pytest.mark.parametrize("by", ["core.autocrlf", "core.eol", ".gitattributes"])
def test_a_checkout_with_other_line_ends_is_clean(repo: Repo, by: str) -> None:
    settings = {
        "core.autocrlf": ["-c", "core.autocrlf=true"],
        "core.eol": ["-c", "core.eol=crlf"],
        ".gitattributes": [],
    }[by]
    if by == "core.eol":
        repo.write(".gitattributes", b"* text=auto\n")
    if by == ".gitattributes":
        repo.write(".gitattributes", b"*.md text eol=crlf\n")
    repo.commit()
    clone = repo.clone("clone", *settings)
    assert b"\r\n" in (clone.top / SKILL).read_bytes()
    assert findings(clone) == []
    assert findings(clone, "--staged") == []


def test_a_checkout_with_the_users_own_autocrlf_is_clean(repo: Repo) -> None:
    repo.git("config", "--global", "core.autocrlf", "true")
    clone = repo.clone("clone")
    assert b"\r\n" in (clone.top / SKILL).read_bytes()
    assert findings(clone) == []


def test_only_line_ends_that_git_converts_may_differ(repo: Repo) -> None:
    repo.write(SKILL, ARTIFACT.replace(b"\n", b"\r\n"))
    report = repo.verify()
    assert [one["code"] for one in report["findings"]] == ["KA111"]
    assert "only its line ends differ" in report["findings"][0]["message"]


def test_a_change_beside_converted_line_ends_is_seen(repo: Repo) -> None:
    clone = repo.clone("clone", "-c", "core.autocrlf=true")
    clone.write(SKILL, (clone.top / SKILL).read_bytes() + b"more\r\n")
    assert clone.codes() == ["KA111"]


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_git_lfs_pointer_stands_for_its_content(repo: Repo, mode: list[str]) -> None:
    content = bytes(range(256)) * 9
    pointer = (
        b"version https://git-lfs.github.com/spec/v1\n"
        b"oid sha256:" + sha256(content).encode() + b"\nsize 2304\n"
    )
    repo.write("model.bin", pointer)
    repo.write(f"model/{NAME}", attestations("model.bin", content))
    repo.commit()
    report = repo.verify(*mode)
    assert report["findings"] == []
    assert {one["artifact"] for one in report["rounds"]} == {"current"}


def test_a_git_lfs_file_that_is_checked_out_is_the_same(repo: Repo) -> None:
    content = bytes(range(256)) * 9
    pointer = (
        b"version https://git-lfs.github.com/spec/v1\n"
        b"oid sha256:" + sha256(content).encode() + b"\nsize 2304\n"
    )
    repo.write("model.bin", pointer)
    repo.write(f"model/{NAME}", attestations("model.bin", content))
    repo.commit()
    repo.write("model.bin", content)
    assert findings(repo) == []


@pytest.mark.parametrize("mode", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_git_lfs_pointer_where_a_document_must_be(repo: Repo, mode: list[str]) -> None:
    repo.write(
        UNTRACKED,
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 9\n",
    )
    repo.commit()
    assert findings(repo, *mode) == [(UNTRACKED, "KA006")]


@pytest.mark.parametrize("path", [ATTESTATIONS, SKILL, FOLDER])
def test_what_cannot_be_read_is_not_passed_over(repo: Repo, path: str) -> None:
    (repo.top / path).chmod(0)
    try:
        done = run(*as_a_user(), "kattest", "verify", cwd=repo.top, env=repo.env)
    finally:
        (repo.top / path).chmod(0o755)
    assert done.status == 2, done
    assert f'kattest: "{path}' in done.stderr
    assert "cannot be read: Permission denied" in done.stderr
    assert not done.stdout


def as_a_user() -> list[str]:
    """What runs a program without root's right to read everything."""
    if os.geteuid():
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root can read everything")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
