"""A memory with so many records that they are read through one git process."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from kattest.sources.batch import FEW
from tests.git.conftest import copied
from tests.support.git import Repo
from tests.support.memory import ROOT, STORED, dumps, file_of, iso, make_record, make_tree

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

COUNT = FEW + 50
AT = ("--as-of", iso(STORED + timedelta(days=2)))
RECORDS = [
    make_record(f"case_{number % 9}", at=STORED + timedelta(seconds=number))
    for number in range(COUNT)
]
VICTIM = RECORDS[700]


def stream() -> Iterator[bytes]:
    """One commit with all records, for ``git fast-import``."""
    yield f"commit refs/heads/main\ncommitter a <a> {STORED.timestamp():.0f} +0000\ndata 1\n.".encode()
    for path, data in make_tree(*RECORDS).items():
        yield f"\nM 100644 inline {path}\ndata {len(data)}\n".encode() + data
    yield b"\n"


@pytest.fixture(scope="module")
def many_template(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(empty_template, tmp_path_factory.mktemp("many"))
    repo.git("fast-import", "--quiet", stdin=b"".join(stream()))
    # Every object in a file of its own, so that one can be removed or replaced.
    for pack in (repo.top / ".git/objects/pack").glob("*.pack"):
        data = pack.read_bytes()
        for part in pack.parent.glob(f"{pack.stem}.*"):
            part.unlink()
        repo.git("unpack-objects", "-q", stdin=data)
    repo.git("read-tree", "main")
    return repo


@pytest.fixture
def many(many_template: Repo, tmp_path: Path) -> Repo:
    """A repository whose only commit holds a memory of so many records; nothing checked out."""
    return copied(many_template, tmp_path)


def test_are_verified_in_a_commit_and_in_the_index(many: Repo) -> None:
    for mode in (["--rev", "HEAD"], ["--staged"]):
        report = many.verify(*mode, *AT)
        assert (report["ok"], report["counts"]["records"]) == (True, COUNT)


def test_are_told_apart(many: Repo) -> None:
    path = f"{ROOT}/{file_of(VICTIM)}"
    many.write(path, dumps(VICTIM | {"reward_label": "failed"}))
    many.git("add", path)
    findings = many.verify("--staged", *AT)["findings"]
    assert [(one["code"], one["path"]) for one in findings] == [("KA205", path), ("KA504", path)]


def test_a_record_beyond_the_limit_is_passed_over_and_the_next_ones_are_read(many: Repo) -> None:
    path = f"{ROOT}/{file_of(VICTIM)}"
    many.write(path, dumps(VICTIM | {"phase_name": "x" * 3_000_000}))
    many.write(".kattest.yaml", b"limits: {document_bytes: 2000000}\n")
    many.git("add", path)
    findings = many.verify("--staged", *AT, "--config", ".kattest.yaml")["findings"]
    assert [(one["code"], one["path"]) for one in findings] == [("KA005", path), ("KA504", path)]


def test_a_blob_that_is_missing_is_status_2(many: Repo) -> None:
    path = f"{ROOT}/{file_of(VICTIM)}"
    many.object(f"HEAD:{path}").unlink()
    assert f'the blob of "{path}" is missing' in many.refusal("--rev", "HEAD", *AT)


def test_a_blob_with_other_bytes_than_its_id_says_is_status_2(many: Repo) -> None:
    path = f"{ROOT}/{file_of(VICTIM)}"
    forged = dumps(VICTIM | {"phase_name": "Reseerch"})
    other = many.git("hash-object", "-w", "--stdin", stdin=forged).strip()
    victim = many.object(f"HEAD:{path}")
    victim.chmod(0o644)
    victim.write_bytes(many.object(other).read_bytes())
    assert f'the blob of "{path}" is missing' in many.refusal("--rev", "HEAD", *AT)


@pytest.mark.parametrize("content", [None, b"no program", b"#!/no/such/interpreter\n"])
def test_a_git_that_is_not_there_or_cannot_be_started(
    many: Repo, tmp_path: Path, content: bytes | None
) -> None:
    """Without git the records are read one by one; with one that fails, nothing is verified."""
    folder = tmp_path / "bin"
    folder.mkdir()
    if content is not None:
        program = folder / "git"
        program.write_bytes(content)
        program.chmod(0o755)
    many.env["PATH"] = str(folder)
    run = many.kattest("verify", "--rev", "HEAD", *AT)
    if content is None:
        assert (run.status, run.stderr) == (0, "")
    else:
        assert run.status == 2
        assert "git cannot be started" in run.stderr


@pytest.mark.parametrize("script", ["exit 0", "echo", "echo 1 tree 5; echo 12345"])
def test_a_git_that_says_something_else_is_status_2(
    many: Repo, tmp_path: Path, script: str
) -> None:
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    many.env["PATH"] = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    run = many.kattest("verify", "--rev", "HEAD", *AT)
    assert run.status == 2
    assert "git cat-file" in run.stderr or "git fsck" in run.stderr


def test_a_tree_with_two_entries_of_one_name_is_status_2(empty: Repo) -> None:
    blobs = [empty.git("hash-object", "-w", "--stdin", stdin=data).strip() for data in (b"1", b"2")]
    raw = b"".join(b"100644 README.md\0" + bytes.fromhex(blob) for blob in blobs)
    tree = empty.git("hash-object", "-t", "tree", "--literally", "-w", "--stdin", stdin=raw).strip()
    commit = empty.git("commit-tree", "-m", "two", tree).strip()
    assert f"the tree {tree} is missing from the object database, or damaged" in empty.refusal(
        "--rev", commit
    )


def test_a_memory_that_is_a_repository_of_its_own_is_not_passed_over(empty: Repo) -> None:
    for path, data in make_tree(RECORDS[0]).items():
        empty.write(path, data)
    subprocess.run(["git", "init", "--quiet", str(empty.top / ROOT)], check=True)
    run = empty.kattest("verify", *AT)
    assert run.status == 1
    assert f"{ROOT}: error KA006 not-a-file: a folder must be here, and this is a submodule" in (
        run.stdout
    )
