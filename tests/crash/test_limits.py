"""Real limits: files that may not grow, folders that may not be written, links that lead away."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash.memories import DUE, FRESH, given
from tests.crash.panels import EARLIER, SEATS, judging, opened
from tests.crash.runner import Job, Outcome, Runner, copy_of
from tests.crash.world import Command, Session, files_in
from tests.support.git import ATTESTATIONS, FOLDER, SKILL
from tests.support.memory import ROOT, file_of, make_record, make_tree
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


def judged(session: Session) -> str:
    """A panel of which all have judged."""
    panel = opened(session)
    for judge in SEATS:
        assert session.must(*judging(panel, judge).args, stdin=SEATS[judge][1]) == []
    return panel


@pytest.mark.parametrize("before", [None, EARLIER])
def test_a_round_that_may_not_be_written_leaves_its_panel_open(
    session: Session, before: bytes | None
) -> None:
    file = session.top / ATTESTATIONS
    if before is not None:
        file.write_bytes(before)
    close = Command(("attest", "close", judged(session)))
    files = files_in(session.top)
    done = session.runner.run(session.job(close, largest=len(before or b"") + 200))
    refused(done, ATTESTATIONS, "File too large", "the panel is still open")
    assert files_in(session.top) == files
    assert session.must(*close.args) == []
    rounds = json.loads(before)["evaluations"] if before else []
    assert json.loads(file.read_bytes())["evaluations"][:-1] == rounds


@pytest.mark.parametrize(
    ("folder", "command"),
    [
        (ROOT, STORE),
        (ROOT, STORE_RETAIL),
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


def test_a_record_whose_index_may_not_be_written_is_stored_and_that_is_said(
    session: Session, reachable: Path
) -> None:
    top = copy_of(session.top, reachable / "repository")
    session = Session(session.runner, top)
    before = files_in(top)
    (top / ROOT).chmod(0o555)
    done = session.runner.run(as_nobody(session.job(STORE)))
    (top / ROOT).chmod(0o755)
    refused(done, "stored, and not in the index yet", "index.json", "do not store them again")
    after = files_in(top)
    assert before.items() <= after.items()
    made = [json.loads(after[path]) for path in {*after} - {*before} if path.startswith(ROOT)]
    assert [one["reward_reason"] for one in made] == ["One more"]
    reindexed = session.runner.run(as_nobody(session.job(Command(("memory", "reindex")))))
    assert reindexed.status == 0, reindexed
    entries = json.loads((top / ROOT / "index.json").read_bytes())["records"]
    assert made[0]["id"] in entries


def test_a_round_whose_folder_may_not_be_written_leaves_its_panel_open(
    session: Session, reachable: Path
) -> None:
    (session.top / ATTESTATIONS).write_bytes(EARLIER)
    panel = judged(session)
    top = copy_of(session.top, reachable / "repository")
    session = Session(session.runner, top)
    close = session.job(Command(("attest", "close", panel)))
    before = files_in(top)
    (top / FOLDER).chmod(0o555)
    done = session.runner.run(as_nobody(close))
    (top / FOLDER).chmod(0o755)
    refused(done, ATTESTATIONS, "cannot be written: Permission denied", "panel is still open")
    assert files_in(top) == before
    assert session.runner.run(as_nobody(close)).status == 0


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


@pytest.mark.parametrize("place", [".keysarium", ROOT, f"{ROOT}/banking"])
def test_nothing_changes_behind_a_link_in_a_folders_place(session: Session, place: str) -> None:
    for path, data in make_tree(*FRESH[:2], *DUE).items():
        (session.top / path).parent.mkdir(parents=True, exist_ok=True)
        (session.top / path).write_bytes(data)
    away = session.top.parent / "away"
    (session.top / place).rename(away)
    (session.top / place).symlink_to(away)
    before = files_in(away)
    refused(session.run(*STORE.args, stdin=STORE.stdin), "symlink")
    assert files_in(away) == before
    for command in ("maintain", "reindex"):
        done = session.run("memory", command)
        assert done.status in {0, 2}, done
        assert files_in(away) == before


@pytest.mark.parametrize("kind", ["symlink", "file"])
def test_what_is_due_stays_where_the_archive_is_no_folder(session: Session, kind: str) -> None:
    for path, data in make_tree(*FRESH[:2], DUE[0]).items():
        (session.top / path).parent.mkdir(parents=True, exist_ok=True)
        (session.top / path).write_bytes(data)
    away, place = session.top.parent / "away", session.top / ROOT / "banking" / "_archive"
    away.mkdir()
    if kind == "symlink":
        place.symlink_to(away)
    else:
        place.write_bytes(b"")
    kept = session.top / ROOT / file_of(DUE[0])
    before = kept.read_bytes()
    refused(session.run("memory", "maintain"), "symlink" if kind == "symlink" else "File exists")
    assert kept.read_bytes() == before
    assert list(away.iterdir()) == []
    place.unlink()
    assert session.must("memory", "maintain") == []
    assert not kept.exists()


@pytest.mark.parametrize("place", [".keysarium", ROOT, f"{ROOT}/retail"])
def test_a_file_in_the_place_of_a_folder_is_said(session: Session, place: str) -> None:
    file = session.top / place
    if file.exists():
        shutil.rmtree(file)
    file.write_bytes(b"")
    before = files_of(session)
    refused(session.run(*STORE_RETAIL.args, stdin=STORE_RETAIL.stdin), place, "as it was")
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
