"""Real limits: files that may not grow, folders that may not be written, links that lead away."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash.memories import FRESH, given
from tests.crash.panels import SEATS, judging, opened
from tests.crash.runner import Job, Outcome, Runner, copy_of
from tests.crash.world import Command, Session
from tests.support.git import ATTESTATIONS, FOLDER, SKILL
from tests.support.memory import ROOT, make_record, make_tree
from tests.support.rounds import ARTIFACT

NOBODY = 65534
STORE = Command(("memory", "store"), json.dumps(given("One more")))
STORE_RETAIL = Command(("memory", "store"), json.dumps(given("One more", domain="retail")))


@pytest.fixture
def session(template: Sandbox, runner: Runner) -> Session:
    """A repository with a memory and a skill."""
    for path, data in make_tree(*FRESH[:2]).items():
        template.write(path, data)
    template.write(SKILL, ARTIFACT)
    template.commit()
    return Session(runner, template.path)


def files_of(session: Session) -> dict[str, bytes]:
    """Everything in the working tree, and behind it where a link may lead."""
    return {
        str(file): file.read_bytes()
        for file in sorted(session.top.parent.rglob("*"))
        if file.is_file() and ".git" not in file.parts
    }


def refused(done: Outcome, *words: str) -> None:
    assert done.status == 2, done
    assert "Traceback" not in done.err
    for word in (*words, "what to do: "):
        assert word in done.err


def test_a_file_that_may_not_grow_leaves_the_index_as_it_was(session: Session) -> None:
    many = [make_record(f"case_{number}") for number in range(60)]
    for path, data in make_tree(*many).items():
        (session.top / path).parent.mkdir(parents=True, exist_ok=True)
        (session.top / path).write_bytes(data)
    index = session.top / ROOT / "index.json"
    before = index.read_bytes()
    done = session.runner.run(session.job(STORE, largest=len(before) - 1))
    refused(done, "index.json", "File too large", "no record is lost", "kattest memory reindex")
    assert index.read_bytes() == before
    assert session.must(*STORE.args, stdin=STORE.stdin) == []
    # Those that were there, the one whose index could not be written, and the next.
    there = len(many) + len(FRESH[:2])
    assert len(json.loads(index.read_bytes())["records"]) == there + 2


def test_a_round_that_may_not_be_written_leaves_its_panel_open(session: Session) -> None:
    panel = opened(session)
    for judge in SEATS:
        assert session.must(*judging(panel, judge).args, stdin=SEATS[judge][1]) == []
    close = Command(("attest", "close", panel))
    done = session.runner.run(session.job(close, largest=200))
    refused(done, ATTESTATIONS, "File too large", "the panel is still open")
    assert not (session.top / ATTESTATIONS).exists()
    assert session.must(*close.args) == []
    assert (session.top / ATTESTATIONS).exists()


@pytest.mark.parametrize(
    ("folder", "command"),
    [
        (f"{ROOT}/banking", STORE),
        (".git", STORE),
        (".git", Command(("attest", "open", SKILL))),
    ],
)
def test_a_folder_that_may_not_be_written_is_said(
    session: Session, reachable: Path, folder: str, command: Command
) -> None:
    top = copy_of(session.top, reachable / "repository")
    session = Session(session.runner, top)
    inside = [Path(one) for one, _, _ in os.walk(top / folder)]
    for one in inside:
        one.chmod(0o555)
    before = files_of(session)
    done = session.runner.run(as_nobody(session.job(command)))
    for one in inside:
        one.chmod(0o755)
    refused(done, "cannot be written: Permission denied", "see that you may write there")
    assert files_of(session) == before


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that every user may come to; pytest's own are for one alone."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def as_nobody(job: Job) -> Job:
    """The same, by somebody whom modes hold, and to whom the repository belongs: not by root."""
    if os.geteuid() != 0:
        return job
    for folder, _, names in os.walk(job.folder):
        for one in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(one, NOBODY, NOBODY)
    return job._replace(user=NOBODY)


@pytest.mark.parametrize("place", [f"{ROOT}/retail", f"{ROOT}/retail/bank_kc_automation"])
def test_nothing_is_stored_behind_a_link(session: Session, place: str) -> None:
    away = session.top.parent / "away"
    away.mkdir()
    link = session.top / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(away)
    refused(session.runner.run(session.job(STORE_RETAIL)), "symlink")
    assert list(away.iterdir()) == []


def test_a_file_in_the_place_of_a_folder_is_said(session: Session) -> None:
    (session.top / ROOT / "retail").write_bytes(b"")
    before = files_of(session)
    refused(session.runner.run(session.job(STORE_RETAIL)), "retail", "as it was")
    assert files_of(session) == before


def test_no_round_is_written_behind_a_link(session: Session) -> None:
    away = session.top.parent / "away.json"
    (session.top / ATTESTATIONS).symlink_to(away)
    refused(session.run("attest", "open", SKILL), "symlink")
    (session.top / ATTESTATIONS).unlink()
    (session.top / "elsewhere").symlink_to(session.top / FOLDER)
    done = session.run("attest", "open", SKILL, "--file", f"elsewhere/{Path(ATTESTATIONS).name}")
    assert done.status == 0
    assert json.loads(done.out)["file"] == ATTESTATIONS
    assert not away.exists()
