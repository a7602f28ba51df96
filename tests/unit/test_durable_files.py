"""Files that are written whole, and locks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kattest.errors import WriteError
from kattest.writing import files
from kattest.writing.locks import locked

HOLDER = """
import sys
from pathlib import Path
from kattest.writing.locks import locked
with locked(Path(sys.argv[1]), "it", 0):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_new_file_is_made_once(tmp_path: Path) -> None:
    file = tmp_path / "a"
    files.create(file, b"first")
    with pytest.raises(FileExistsError):
        files.create(file, b"second")
    assert file.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_keeps_its_mode_when_it_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    file.chmod(0o640)
    files.replace(file, b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


def test_what_cannot_be_written_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        files.replace(tmp_path / "folder", b"x")
    with pytest.raises(OSError, match="No such file"):
        files.create(tmp_path / "absent" / "a", b"x")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_file_in_the_way_of_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(FileExistsError):
        files.make_folders(tmp_path / "a")
    files.make_folders(tmp_path / "b" / "c")
    files.make_folders(tmp_path / "b" / "c")
    assert (tmp_path / "b" / "c").is_dir()


def test_only_drafts_are_swept(tmp_path: Path) -> None:
    names = [".kattest-12-0123abcd.tmp", ".kattest-12.tmp", "a.tmp"]
    assert [files.is_draft(name) for name in names] == [True, False, False]
    files.sweep([tmp_path / names[0]])  # one that is gone already


@pytest.mark.parametrize(
    ("number", "words"), [(28, "make room"), (13, "may write there"), (5, "wrong with that disk")]
)
def test_an_error_says_what_is_intact_and_what_to_do(number: int, words: str) -> None:
    error = files.failure("a\x1b", OSError(number, os.strerror(number)), "all is as it was")
    assert os.strerror(number) in error.message
    assert "all is as it was" in error.message
    assert words in error.remedy


def test_a_lock_names_its_holder_and_ends_with_it(tmp_path: Path) -> None:
    file = tmp_path / "locks" / "one"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(WriteError, match=rf"process {holder.pid} on .+ \(since 2"):
            locked(file, "it", 0.05).__enter__()
        holder.kill()
    with locked(file, "it", 0):
        assert b"pid" in file.read_bytes()
    assert file.read_bytes() == b""


def test_a_lock_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(WriteError, match="cannot be locked"):
        locked(tmp_path / "a" / "lock", "it").__enter__()
