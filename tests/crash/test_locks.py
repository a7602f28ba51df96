"""Who holds a lock is said, and nobody holds it longer than they live."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash.memories import DUE, FRESH, given
from tests.crash.runner import Runner
from tests.crash.world import NOW, Session
from tests.support.memory import ROOT, file_of, make_tree

HOLDING = """
import sys
from pathlib import Path
from kattest.writing.locks import locked
from kattest.writing.place import memory_place
with locked(memory_place(Path.cwd(), None).lock, "it", 0):
    print("held", flush=True)
    sys.stdin.read()
"""
GIVEN = json.dumps(given("One more"))


@pytest.fixture
def session(template: Sandbox, runner: Runner) -> Session:
    for path, data in make_tree(*FRESH, *DUE).items():
        template.write(path, data)
    return Session(runner, template.path, NOW + timedelta(minutes=1))


@contextmanager
def held(top: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING], cwd=top, stdin=-1, stdout=-1, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
        holder.kill()


@pytest.mark.parametrize("wait", ["0", "0.2"])
@pytest.mark.parametrize("root", [(), ("--root", ROOT)])
def test_a_held_lock_is_waited_for_and_then_told_of(
    session: Session, wait: str, root: tuple[str, ...]
) -> None:
    before = sorted(session.top.rglob("*.json"))
    with held(session.top) as holder:
        done = session.run("memory", "store", "--wait", wait, *root, stdin=GIVEN)
    assert done.status == 2
    assert f"locked by process {holder.pid} on " in done.err
    assert "(since 2" in done.err
    assert "nothing is changed" in done.err
    assert sorted(session.top.rglob("*.json")) == before


def test_a_holder_that_is_killed_holds_nothing(session: Session) -> None:
    with held(session.top):
        pass
    assert session.must("memory", "store", "--wait", "0", stdin=GIVEN) == []


def test_a_question_is_answered_while_the_lock_is_held(session: Session) -> None:
    question = ("--domain", "banking", "--phase", "phase-2", "--wait", "0")
    with held(session.top):
        done = session.run("memory", "query", *question)
    assert done.status == 0
    assert json.loads(done.out)["count"] == 3
    assert "note: " in done.err
    assert "locked by process" in done.err
    assert (session.top / ROOT / file_of(DUE[0])).exists()
