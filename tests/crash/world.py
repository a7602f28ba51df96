"""What is done to a repository and must leave it sound: a command, and those that may come next."""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from tests.cli.conftest import Sandbox, clean_environment
from tests.crash.calls import Harm, Plan
from tests.crash.runner import Job, Outcome, Runner

NOW = datetime(2026, 3, 5, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)  # when the next command comes
DRAFT = re.compile(r"\.kattest-[^/]*\.tmp$")
_INTACT = re.compile(
    r"nothing is changed|as (it|they) (was|were)|no record is lost|the record stays active"
    r"|it is still there|nothing is sealed|no panel is opened|the panel is still open"
    r"|[0-9]+ of [0-9]+ records? (is|are) stored"
)


class Command(NamedTuple):
    """A command of kattest, and what it is given to read."""

    args: tuple[str, ...]
    stdin: str = ""


class Session:
    """Runs commands in a repository, at a moment."""

    def __init__(self, runner: Runner, top: Path, at: datetime = LATER) -> None:
        self.top = top
        self.runner = runner
        self._env = clean_environment(top.parent) | {"SOURCE_DATE_EPOCH": f"{at.timestamp():.0f}"}

    def job(self, command: Command, **fields: Any) -> Job:
        """A run of a command. ``fields`` are further ones of a job."""
        return Job(str(self.top), command.args, self._env, command.stdin, **fields)

    def run(self, *args: str, stdin: str = "") -> Outcome:
        """Run a command without harm."""
        return self.runner.run(self.job(Command(args, stdin)))

    def harmed(self, command: Command, plan: Plan, broken: str = "") -> Outcome:
        """Run a command and do harm to it."""
        return self.runner.run(self.job(command, plan=plan, broken=broken))

    def must(self, *args: str, stdin: str = "") -> list[str]:
        """Run a command that has to succeed; what is wrong if it does not."""
        done = self.run(*args, stdin=stdin)
        return [] if done.status == 0 else [f"{args} fails: {done.status} {done.err}"]

    def verified(self, *options: str) -> list[str]:
        """What ``kattest verify --strict`` finds."""
        done = self.run("verify", "--strict", "--format", "json", *options)
        if done.status not in {0, 1}:
            return [f"verify fails: {done.status} {done.err}"]
        report = json.loads(done.out)
        found = [
            f"verify: {one['code']} {one['path']} {one['message']}"
            for one in report["findings"]
            if one["severity"] != "info"
        ]
        return found or ([] if done.status == 0 else [f"verify: {done.out}"])


class World(ABC):
    """A prepared repository at ``template``, the command that is harmed in it, and what must hold.

    ``nexts`` names the commands that may come next.
    """

    nexts: tuple[str, ...]

    def __init__(self, template: Sandbox, runner: Runner) -> None:
        self.template = template.path
        self.command = self.prepare(template, runner)
        template.git("gc", "--quiet")  # it is copied hundreds of times: a pack, not many objects
        self.before = files_in(self.template)

    @abstractmethod
    def prepare(self, template: Sandbox, runner: Runner) -> Command:
        """Fill the repository; the command."""

    @abstractmethod
    def at_once(self, files: Mapping[str, bytes], *, done: Outcome) -> list[str]:
        """What is wrong with what the harmed command left, be it interrupted."""

    @abstractmethod
    def afterwards(self, session: Session, chosen: str, *, done: Outcome) -> list[str]:
        """Run the next command; what is wrong then."""

    def amiss(self, done: Outcome, plan: Plan) -> list[str]:
        """What is wrong with how a command ended to which an error came."""
        if done.status not in {0, 2} or "Traceback" in done.err:
            return [f"it ends with {done.status}: {done.err}"]
        if done.status == 0 or plan.harm is Harm.SHORT:
            return [] if done.status == 0 else [f"it fails: {done.err}"]
        is_said = "kattest: " in done.err and "  what to do: " in done.err
        return [] if is_said and _INTACT.search(done.err) else [f"it does not say all: {done.err}"]


def files_in(top: Path) -> dict[str, bytes]:
    """The files of a working tree and those of kattest in its git directory; folders as ``name/``.

    What locks say of their holders is left out, and drafts have no name of their own.
    """
    found: dict[str, bytes] = {}
    for folder, folders, names in os.walk(top):
        place = Path(folder).relative_to(top)
        if place == Path(".git"):
            folders[:] = [name for name in folders if name == "kattest"]
            names.clear()
        found[f"{place}/"] = b""
        for name in names:
            data = (top / place / name).read_bytes()
            path = DRAFT.sub(".kattest-draft.tmp", str(place / name))
            found[path] = b"" if place.parts[-1:] == ("locks",) else data
    return found


def drafts_in(files: Mapping[str, bytes]) -> list[str]:
    """What is wrong where a draft is left."""
    return [f"a draft is left: {path}" for path in files if DRAFT.search(path)]
