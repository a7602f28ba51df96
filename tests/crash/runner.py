"""Runs kattest again and again, each time in a process of its own, and harms it as it is told.

``python -m tests.crash.runner`` reads requests, one a line: jobs that are started together. It has
loaded kattest once and forks for each job, so that a run costs milliseconds.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import pkgutil
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from tests.crash import breaks
from tests.crash.calls import Call, Harm, Plan, Watch
from tests.support.git import TOP

_TIMEOUT = 120  # seconds until a run that hangs is ended


class Job(NamedTuple):
    """A run of kattest. ``broken`` names a way to break it, ``largest`` the largest file it may write.

    ``user`` runs it, where there is one.
    """

    folder: str
    args: Sequence[str]
    env: Mapping[str, str]
    stdin: str = ""
    plan: Plan = Plan()
    broken: str = ""
    largest: int = 0
    user: int = 0


class Outcome(NamedTuple):
    """What a run did: below zero, the status is the signal that ended it."""

    status: int
    out: str
    err: str
    calls: tuple[Call, ...]


class Runner:
    """The process that runs kattest."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, job: Job) -> Outcome:
        """Run one job to its end."""
        return self.together([job])[0]

    def together(self, jobs: Sequence[Job]) -> list[Outcome]:
        """Run several at the same time."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        requests.write(json.dumps(jobs) + "\n")
        requests.flush()
        answered = json.loads(answers.readline())
        return [
            Outcome(status, out, err, tuple(Call(*call) for call in calls))
            for status, out, err, calls in answered
        ]


@contextlib.contextmanager
def started() -> Iterator[Runner]:
    """A runner, until the body ends."""
    command = [sys.executable, "-m", "tests.crash.runner"]
    with subprocess.Popen(
        command, cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Runner(process)
        assert process.stdin is not None
        process.stdin.close()


class _Streams(NamedTuple):
    stdin: IO[bytes]
    out: IO[bytes]
    err: IO[bytes]
    calls: IO[bytes]


def _serve() -> None:
    # Typer's too: a job of another user may not be able to read them any more.
    for package in ("kattest", "typer._click"):
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                with contextlib.suppress(ImportError, AssertionError):  # of another system
                    import_module(module.name)
    gc.disable()
    gc.freeze()
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for line in requests:
        jobs = [Job(*fields) for fields in json.loads(line)]
        answers.write(json.dumps(_run(jobs)) + "\n")
        answers.flush()


def _run(jobs: Sequence[Job]) -> list[Outcome]:
    """Fork for each job; they begin when the last one is there."""
    gate, opened = os.pipe()
    children: list[tuple[int, _Streams]] = []
    for job in jobs:
        made = (tempfile.TemporaryFile() for _ in _Streams._fields)  # noqa: SIM115 - closed below
        streams = _Streams(*made)
        streams.stdin.write(job.stdin.encode())
        streams.stdin.seek(0)
        child = os.fork()
        if not child:
            os.close(opened)
            os.read(gate, 1)
            os.close(gate)
            _become(job, streams)
        children.append((child, streams))
    os.close(opened)
    os.close(gate)
    return [_outcome(child, streams) for child, streams in children]


def _outcome(child: int, streams: _Streams) -> Outcome:
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    found = []
    for stream in streams:
        stream.seek(0)
        found.append(stream.read().decode("utf-8", "replace"))
        stream.close()
    _, out, err, calls = found
    return Outcome(status, out, err, tuple(json.loads(calls or "[]")))


def _become(job: Job, streams: _Streams) -> None:
    """Be kattest, in the child; never return."""
    status: Any = 98
    try:
        signal.alarm(_TIMEOUT)
        for number, stream in enumerate(streams[:3]):
            os.dup2(stream.fileno(), number)
        os.chdir(job.folder)
        os.environ.clear()
        os.environ.update(job.env)
        if job.largest:
            resource.setrlimit(resource.RLIMIT_FSIZE, (job.largest, job.largest))
        if job.user:
            os.setgroups([])
            os.setgid(job.user)
            os.setuid(job.user)
        sys.argv = ["kattest", *job.args]
        run = import_module("kattest.cli.main").run
        if job.broken:
            breaks.BREAKS[job.broken]()
        harm, number, errno = job.plan
        watch = Watch(Plan(Harm(harm), number, errno))
        try:
            run()
        except SystemExit as end:
            status = end.code
        sys.stdout.flush()
        sys.stderr.flush()
        if not job.largest:
            streams.calls.write(json.dumps(watch.calls).encode())
            streams.calls.flush()
    finally:
        os._exit(status)


def copy_of(template: Path, folder: Path) -> Path:
    """A copy of a prepared repository."""
    return Path(shutil.copytree(template, folder, symlinks=True))


if __name__ == "__main__":
    _serve()
