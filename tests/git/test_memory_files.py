"""What can stand where a memory or its files must be, and the names that they can have."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest

from tests.git.memories import (
    AT,
    FIRST,
    HONEST,
    INDEX,
    MODES,
    OLD,
    RECORDS,
    THIRD,
    edit,
    forge,
    found,
    kinds,
    path_of,
    write,
)
from tests.support.git import Repo
from tests.support.memory import ROOT, STORED, archive, make_record, make_tree

every_mode = pytest.mark.parametrize("mode", MODES, ids=str)
DISK_MODES = MODES[:2]
LFS_POINTER = (
    b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 900\n"
)


# Links, submodules and pointers.


@pytest.mark.parametrize("target", ["../../config.json", "nowhere"])
def test_a_record_that_is_a_symlink_is_not_followed(memory: Repo, target: str) -> None:
    path = path_of(THIRD)
    (memory.top / path).unlink()
    (memory.top / path).symlink_to(target)
    assert found(memory, *AT) == [(path, "KA006"), (path, "KA505")]
    memory.commit()
    for mode in DISK_MODES:
        assert found(memory, *mode) == [(path, "KA006")], "its entry is not called dangling"
    assert found(memory, *MODES[2]) == [(path, "KA006"), (path, "KA505")]


@pytest.mark.parametrize("name", ["index.json", "config.json"])
def test_an_index_or_configuration_that_is_a_symlink_is_not_followed(
    memory: Repo, name: str
) -> None:
    (memory.top / ROOT / name).rename(memory.top / name)
    (memory.top / ROOT / name).symlink_to(f"../../{name}")
    memory.commit()
    for mode in DISK_MODES:
        assert found(memory, *mode) == [(f"{ROOT}/{name}", "KA006")]


def test_a_record_that_is_a_git_lfs_pointer_cannot_be_read(memory: Repo) -> None:
    memory.write(path_of(THIRD), LFS_POINTER)
    memory.commit()
    for mode in DISK_MODES:
        assert found(memory, *mode) == [(path_of(THIRD), "KA006")]


def test_a_domain_that_is_a_symlink_is_not_searched(memory: Repo) -> None:
    (memory.top / ROOT / "retail").rename(memory.top / "elsewhere")
    (memory.top / ROOT / "retail").symlink_to("../../elsewhere")
    memory.commit()
    lost = [(INDEX, "KA303"), (INDEX, "KA305"), (INDEX, "KA306")]
    for mode in DISK_MODES:
        there = found(memory, *mode)
        assert (f"{ROOT}/retail", "KA006") in there
        assert [one for one in there if one[0] == INDEX] == lost


@pytest.mark.parametrize("link", [ROOT, ".keysarium"])
def test_a_memory_that_is_a_symlink_is_no_memory_and_no_success(memory: Repo, link: str) -> None:
    (memory.top / link).rename(memory.top / "elsewhere")
    (memory.top / link).symlink_to("elsewhere" if link == ".keysarium" else "../elsewhere")
    lost = {(path_of(record), "KA505") for record in RECORDS if record != OLD}
    lost.add((path_of(OLD), "KA507"))
    assert {*found(memory, *AT)} == {(link, "KA006"), *lost}
    memory.commit()
    assert {*found(memory, *MODES[2])} == {(link, "KA006"), *lost}
    memory.commit("another, whose parent has it too")
    for mode in MODES:
        report = memory.verify(*mode)
        assert [(one["path"], one["code"]) for one in report["findings"]] == [(link, "KA006")]
        [root] = report["memory"]
        assert (root["path"], root["status"], root["records"]) == (link, "failed", 0)
    assert memory.kattest("verify", *AT, "--require", "memory").status == 1


def test_a_symlinked_memory_is_one_where_the_disk_cannot_hold_it(memory: Repo) -> None:
    """With core.symlinks off, git checks symlinks out as files that hold their target."""
    (memory.top / ROOT).rename(memory.top / "elsewhere")
    (memory.top / ROOT).symlink_to("../elsewhere")
    memory.commit()
    clone = memory.clone("clone", "--config", "core.symlinks=false")
    assert (clone.top / ROOT).read_bytes() == b"../elsewhere"
    for mode in DISK_MODES:
        assert found(clone, *mode) == [(ROOT, "KA006")]


@pytest.mark.parametrize(
    ("place", "checked_out"),
    [(ROOT, True), (".keysarium", False)],
    ids=["checked out", "not checked out"],
)
def test_a_memory_in_a_submodule_is_not_taken_for_no_memory(
    empty: Repo, place: str, *, checked_out: bool
) -> None:
    files = {path.removeprefix(f"{place}/"): data for path, data in HONEST.items()}
    library = Repo.init(empty.top.parent / "library", home=empty.top.parent / "home")
    write(library, files)
    library.commit()
    empty.git("submodule", "--quiet", "add", library.top.as_uri(), place)
    empty.commit()
    repo = empty if checked_out else empty.clone("clone")
    assert (repo.top / ROOT / "index.json").exists() is checked_out
    for mode in MODES:
        report = repo.verify(*mode)
        assert [(one["path"], one["code"]) for one in report["findings"]] == [(place, "KA006")]
        assert report["counts"]["memory_roots"] == 1


@pytest.mark.parametrize("place", [ROOT, ".keysarium"])
def test_a_file_where_a_memory_would_be(empty: Repo, place: str) -> None:
    """One called .keysarium is somebody's own; one called memory hides what belongs there."""
    empty.write(place, b"notes\n")
    empty.commit()
    for mode in DISK_MODES:
        assert found(empty, *mode) == ([(ROOT, "KA006")] if place == ROOT else [])


@pytest.mark.parametrize("name", ["fifo", "device"])
def test_a_special_file_in_place_of_a_record_does_not_hang(memory: Repo, name: str) -> None:
    path = memory.top / path_of(THIRD)
    path.unlink()
    if name == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    assert found(memory, *AT) == [(path_of(THIRD), "KA006"), (path_of(THIRD), "KA505")]


def test_a_stray_file_and_a_record_in_the_wrong_place(memory: Repo) -> None:
    memory.write(f"{ROOT}/.gitkeep", b"")
    memory.write(f"{ROOT}/index.json.tmp", b"{")
    memory.write(f"{ROOT}/retail/notes.json", b"{}")
    memory.commit()
    for mode in DISK_MODES:
        assert found(memory, *mode) == [
            (f"{ROOT}/index.json.tmp", "KA212"),
            (f"{ROOT}/retail/notes.json", "KA201"),
        ]


# Line ends.


@pytest.mark.parametrize("setting", ["core.autocrlf=true", "core.eol=crlf"])
def test_an_honest_memory_that_is_checked_out_with_other_line_ends_is_clean(
    memory: Repo, setting: str
) -> None:
    if setting == "core.eol=crlf":
        memory.write(".gitattributes", b"* text=auto\n")
        memory.commit()
    clone = memory.clone("clone", "-c", setting)
    assert b"\r\n" in (clone.top / path_of(FIRST)).read_bytes()
    for mode in MODES:
        assert found(clone, *mode) == []
    forge(clone)
    assert found(clone, *AT) == [(INDEX, "KA304")]


# Names.


SLUGS = ("bank loans, 2026", "кредитный_конвейер", "銀行", "-q", "a:b", "a..b")


def named(slugs: tuple[str, ...] = SLUGS) -> dict[str, bytes]:
    """A memory with a record of each slug, active and archived."""
    records = []
    for number, slug in enumerate(slugs):
        at = STORED - timedelta(days=number)
        records.append(make_record(slug, at=at))
        old = make_record(slug, at=at - timedelta(days=120))
        records.append(archive(old, at - timedelta(days=20)))
    return make_tree(*records)


@every_mode
def test_slugs_in_any_script_are_found_by_their_names(empty: Repo, mode: list[str]) -> None:
    write(empty, named())
    empty.commit()
    report = empty.verify(*mode)
    assert report["findings"] == []
    assert report["counts"]["records"] == 2 * len(SLUGS)


def test_a_finding_of_a_record_in_any_script_has_its_name(empty: Repo) -> None:
    write(empty, named())
    cyrillic = f"{ROOT}/banking/{SLUGS[1]}"
    [path] = (path for path in named() if path.startswith(f"{cyrillic}/"))
    edit(empty, path, reward_label="failed")
    empty.commit()
    for mode in DISK_MODES:
        assert f"\n{path}:11:" in empty.kattest("verify", *mode, cyrillic).stdout
    assert found(empty, *AT, cyrillic) == [(path, "KA205")]


NOT_UTF8 = os.fsdecode(b"caf\xe9")


def test_a_slug_that_is_not_utf8_is_no_slug_that_a_record_can_have(memory: Repo) -> None:
    stray = make_record("cafe")
    name = path_of(stray).rpartition("/")[2]
    memory.write(f"{ROOT}/banking/{NOT_UTF8}/{name}", make_tree(stray)[path_of(stray)])
    memory.commit()
    shown = rf"{ROOT}/banking/caf\xe9/{name}"
    for mode in MODES:
        found_there = [code for path, code in found(memory, *mode) if path == shown]
        assert found_there == ["KA202", "KA302"]
    text = memory.kattest("verify", *AT)
    assert (text.status, text.stdout.isascii()) == (1, True)
    assert f"\n{shown}:" in text.stdout
    assert kinds(memory, *AT, f"{ROOT}/banking/{NOT_UTF8}") == {"KA202", "KA302"}


def test_composed_and_decomposed_names_of_one_slug_are_the_same_record(memory: Repo) -> None:
    """A file system that normalises has one file where this repository has two."""
    composed, decomposed = (make_record(slug) for slug in ("caf\u00e9", "cafe\u0301"))
    write(memory, make_tree(*RECORDS, composed, decomposed))
    memory.commit()
    for mode in DISK_MODES:
        assert [code for _, code in found(memory, *mode)] == ["KA209"]


def test_outside_a_repository_every_memory_below_the_folder_is_judged(memory: Repo) -> None:
    plain = memory.at(memory.top.parent / "plain", GIT_CEILING_DIRECTORIES=str(memory.top.parent))
    plain.top.mkdir()
    write(plain, HONEST)
    forge(plain)
    assert found(plain, *AT) == [(INDEX, "KA304")]
    assert found(plain, *AT, cwd=".keysarium") == [], "the memory is no root of its own there"
