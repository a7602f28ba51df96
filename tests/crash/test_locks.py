"""Who holds a lock is said, and nobody holds it longer than they live."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash.memories import DUE, FRESH, given
from tests.crash.panels import SEATS, judging, opened
from tests.crash.runner import Outcome, Runner
from tests.crash.world import NOW, Command, Session, files_in
from tests.support.git import SKILL
from tests.support.memory import ROOT, make_tree
from tests.support.rounds import ARTIFACT

HOLDING = """
import sys
from pathlib import Path
from kattest.writing.locks import locked
from kattest.writing.pending import PendingPanels
from kattest.writing.place import memory_place
from kattest.sources.source import require_repository
if sys.argv[1] == "memory":
    lock = memory_place(Path.cwd(), None).lock
else:
    lock = PendingPanels(require_repository(Path.cwd()).common_dir).lock
with locked(lock, "it", 0):
    print("held", flush=True)
    sys.stdin.read()
"""
TAKING = """
import sys
from pathlib import Path
from kattest.writing.locks import locked
print("ready", flush=True)
sys.stdin.read()
for _ in range(5000):
    with locked(Path("lock"), "it", 60):
        pass
"""
STORE = Command(("memory", "store"), json.dumps(given("One more")))
MAINTAIN = Command(("memory", "maintain"))
REINDEX = Command(("memory", "reindex"))
LONG = 30  # seconds: how long a command waits that is not told


@pytest.fixture
def session(template: Sandbox, runner: Runner) -> Session:
    """A memory with something that is due, and a skill."""
    for path, data in make_tree(*FRESH, *DUE).items():
        template.write(path, data)
    template.write(SKILL, ARTIFACT)
    return Session(runner, template.path, NOW + timedelta(minutes=1))


@contextmanager
def held(top: Path, which: str = "memory") -> Iterator[int]:
    """Another process holds a lock; the process, until it is killed by SIGKILL."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, which], cwd=top, stdin=-1, stdout=-1, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder.pid
        holder.kill()


def refused(done: Outcome, holder: int, begun: datetime) -> None:
    """Nothing is done, and who holds the lock is said."""
    assert done.status == 2, done
    assert done.out == ""
    assert "nothing is changed" in done.err
    said = re.search(r"is locked by process ([0-9]+) on (.*) \(since (.*?)\)", done.err)
    assert said is not None, done.err
    assert said[1] == str(holder)
    assert said[2] == platform.node()
    assert begun <= datetime.fromisoformat(said[3]) <= datetime.now(UTC)


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@pytest.mark.parametrize("wait", ["0", "0.3"])
def test_a_held_lock_is_waited_for_and_then_told_of(session: Session, wait: str) -> None:
    begun = now()
    with held(session.top) as holder:
        before = files_in(session.top)
        commands = [one._replace(args=(*one.args, "--wait", wait)) for one in (STORE, MAINTAIN)]
        start = time.monotonic()
        done = session.runner.together([session.job(command) for command in commands])
        seconds = time.monotonic() - start
        assert files_in(session.top) == before
    for one in done:
        refused(one, holder, begun)
        assert f"for more than {wait} seconds" in one.err
    assert float(wait) <= seconds < LONG


def test_the_lock_is_one_from_wherever_and_however_the_memory_is_named(session: Session) -> None:
    begun = now()
    outside = session.top.parent
    (outside / "link").symlink_to(session.top / ROOT)
    ways: list[tuple[Path, tuple[str, ...]]] = [
        (session.top / Path(SKILL).parent, ()),
        (session.top / ROOT / "banking", ()),
        (session.top, ("--root", ROOT)),
        (session.top / Path(SKILL).parent, ("--root", str(session.top / ROOT))),
        (session.top / ROOT, ("--root", ".")),
        (outside, ("--root", f"{session.top.name}/{ROOT}/../memory")),
        (outside, ("--root", "link")),
    ]
    with held(session.top) as holder:
        before = files_in(session.top)
        jobs = [
            session.job(command._replace(args=(*command.args, "--wait", "0", *root)))._replace(
                folder=str(folder)
            )
            for folder, root in ways
            for command in (STORE, REINDEX)
        ]
        done = session.runner.together(jobs)
        assert files_in(session.top) == before
    for one in done:
        refused(one, holder, begun)
    assert [one.status for one in session.runner.together(jobs[-1:])] == [0]


def test_another_memory_is_not_locked(session: Session) -> None:
    with held(session.top):
        other = ("--root", f"another/{ROOT}", "--wait", "0")
        assert session.must(*STORE.args, *other, stdin=STORE.stdin) == []


def test_outside_a_repository_a_memory_is_locked_too(session: Session, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    shutil.copytree(session.top / ROOT, plain / ROOT)
    session = Session(session.runner, plain)
    begun = now()
    with held(plain) as holder:
        before = files_in(plain / ROOT)
        refused(session.run(*STORE.args, "--wait", "0", stdin=STORE.stdin), holder, begun)
        assert files_in(plain / ROOT) == before
    assert session.must(*STORE.args, "--wait", "0", stdin=STORE.stdin) == []


def test_a_holder_that_is_killed_holds_nothing(session: Session) -> None:
    with held(session.top):
        pass
    assert session.must(*STORE.args, "--wait", "0", stdin=STORE.stdin) == []


@pytest.mark.slow
def test_a_lock_that_changes_hands_is_refused_to_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TAKING]
    takers = [
        subprocess.Popen(command, cwd=tmp_path, stdin=-1, stdout=-1, stderr=-1, text=True)
        for _ in range(6)
    ]
    for one in takers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in takers:
        assert one.stdin is not None
        one.stdin.close()
    troubles = []
    for one in takers:
        assert one.stderr is not None
        troubles += one.stderr.read().splitlines()[-1:]
        one.stderr.close()
        one.wait()
        assert one.stdout is not None
        one.stdout.close()
    assert troubles == []


def test_a_question_is_answered_while_the_lock_is_held(session: Session) -> None:
    question = ("memory", "query", "--domain", "banking", "--phase", "phase-2", "--wait", "0")
    with held(session.top) as holder:
        before = files_in(session.top)
        done = session.run(*question)
        only_read = session.run(*question, "--read-only")
        assert files_in(session.top) == before
    assert (done.status, only_read.status) == (0, 0)
    wanted = {one["timestamp"] for one in (FRESH[0], *DUE[:2])}
    assert {one["timestamp"] for one in json.loads(done.out)["records"]} == wanted
    assert done.out == only_read.out
    assert re.search(rf"^note: .* is locked by process {holder} on ", done.err, re.MULTILINE)
    assert only_read.err == ""


def test_the_panels_of_a_repository_are_locked_apart_from_its_memory(session: Session) -> None:
    panel = opened(session)
    begun = now()
    with held(session.top, "panels") as holder:
        before = files_in(session.top)
        commands = [
            Command(("attest", "open", SKILL)),
            judging(panel, "critic"),
            Command(("attest", "close", panel)),
        ]
        jobs = [
            session.job(one._replace(args=(*one.args, "--wait", "0")))._replace(folder=folder)
            for one in commands
            for folder in (str(session.top), str((session.top / SKILL).parent))
            if folder == str(session.top) or one.args[1] != "open"
        ]
        for done in session.runner.together(jobs):
            refused(done, holder, begun)
        assert files_in(session.top) == before
        assert session.must(*STORE.args, "--wait", "0", stdin=STORE.stdin) == []
    for judge in SEATS:
        assert session.must(*judging(panel, judge).args, stdin=SEATS[judge][1]) == []
    assert session.must("attest", "close", panel, "--wait", "0") == []
