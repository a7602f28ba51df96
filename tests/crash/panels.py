"""Panels that a command is interrupted in."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.cli.conftest import Sandbox
from tests.crash.runner import Outcome, Runner
from tests.crash.world import NOW, Command, Session, World, drafts_in, files_in
from tests.support.git import ATTESTATIONS, SKILL, attestations
from tests.support.rounds import ARTIFACT, RATIONALES, STANDARD

_HOME = ".git/kattest/panels/"
SEATS = dict(zip(STANDARD, zip(("8.2", "7.5", "8.0"), RATIONALES, strict=False), strict=True))
EARLIER = attestations()


def judging(panel: str, judge: str) -> Command:
    """A judge gives what it has to give."""
    score, rationale = SEATS[judge]
    words = ("--judge", judge, "--score", score, "--rationale-file", "-")
    return Command(("attest", "judge", panel, *words), rationale)


class Panel(World):
    """A panel in a repository with one skill, of which ``judged`` have judged already."""

    judged: tuple[str, ...] = ()
    has_file = False
    panel = ""

    def prepare(self, template: Sandbox, runner: Runner) -> Command:
        template.write(SKILL, ARTIFACT)
        if self.has_file:
            template.write(ATTESTATIONS, EARLIER)
        template.commit()
        session = Session(runner, template.path, NOW)
        self.panel = opened(session)
        for judge in self.judged:
            assert not session.must(*judging(self.panel, judge).args, stdin=SEATS[judge][1])
        return self.harmed_command()

    def harmed_command(self) -> Command:
        raise NotImplementedError

    def at_once(self, files: Mapping[str, bytes], *, done: Outcome) -> list[str]:  # noqa: ARG002
        try:
            rounds = rounds_in(files)
            pending = [json.loads(data) for path, data in files.items() if _is_pending(path)]
        except ValueError as error:
            return [f"a file is torn: {error}"]
        troubles = [] if None not in pending else ["a file of a panel is empty"]
        if self.has_file and rounds[:1] != json.loads(EARLIER)["evaluations"]:
            troubles.append("a round is lost")
        ids = [one["evaluation_id"] for one in rounds]
        if len({*ids}) < len(ids):
            troubles.append(f"a round is there twice: {ids}")
        kept = [self.before[path] for path in self.before if _is_pending(path)]
        is_kept = all(data in files.values() for data in kept)
        if self.panel not in ids and not is_kept:
            troubles.append("what a judge sealed is lost")
        return troubles

    def sound(self, session: Session, *panels: str) -> list[str]:
        """What is wrong once ``panels`` are closed."""
        files = files_in(session.top)
        ids = [one["evaluation_id"] for one in rounds_in(files)]
        return [
            *(
                f"{panel} is there {ids.count(panel)} times"
                for panel in panels
                if ids.count(panel) != 1
            ),
            *self.at_once(files, done=_NOTHING),
            *drafts_in(files),
            *session.verified("--require", "attestations"),
        ]

    def finish(self, session: Session, panel: str) -> list[str]:
        """Let everybody judge who has not, and close."""
        troubles = []
        for judge in SEATS:
            done = session.run(*judging(panel, judge).args, stdin=SEATS[judge][1])
            if done.status != 0 and "has judged" not in done.err:
                troubles.append(f"{judge} cannot judge: {done.err}")
        return [*troubles, *session.must("attest", "close", panel)]


class Open(Panel):
    """Another panel is opened."""

    nexts = ("open",)

    def harmed_command(self) -> Command:
        return Command(("attest", "open", SKILL))

    def afterwards(self, session: Session, chosen: str, *, done: Outcome) -> list[str]:  # noqa: ARG002
        panels = [self.panel, opened(session)]
        if done.status == 0:
            panels.append(json.loads(done.out)["evaluation_id"])
        troubles = [one for panel in panels for one in self.finish(session, panel)]
        return [*troubles, *self.sound(session, *panels)]


class Judge(Panel):
    """The last of three judges seals its evaluation."""

    nexts = ("judge",)
    judged = ("domain-expert", "completeness-auditor")

    def harmed_command(self) -> Command:
        return judging(self.panel, "critic")

    def afterwards(self, session: Session, chosen: str, *, done: Outcome) -> list[str]:  # noqa: ARG002
        again = session.run(*self.command.args, stdin=self.command.stdin)
        is_kept = again.status == 2 and "has judged" in again.err
        troubles = [] if is_kept or again.status == 0 else [f"it cannot judge again: {again}"]
        if done.status == 0 and not is_kept:
            troubles.append("what was sealed is lost")
        return [
            *troubles,
            *session.must("attest", "close", self.panel),
            *self.sound(session, self.panel),
            *left_of(session, self.panel),
        ]


class Close(Panel):
    """A panel is closed whose round is the first in its file."""

    nexts = ("close", "another panel")
    judged = tuple(SEATS)

    def harmed_command(self) -> Command:
        return Command(("attest", "close", self.panel))

    def at_once(self, files: Mapping[str, bytes], *, done: Outcome) -> list[str]:
        troubles = super().at_once(files, done=done)
        is_written = self.panel in files.get(ATTESTATIONS, b"").decode()
        return troubles if is_written or done.status != 0 else [*troubles, "no round is written"]

    def afterwards(self, session: Session, chosen: str, *, done: Outcome) -> list[str]:  # noqa: ARG002
        troubles, panels = [], [self.panel]
        session.run("attest", "close", self.panel)
        if chosen == "another panel":
            panels.append(opened(session))
            troubles += self.finish(session, panels[-1])
            names = [path for path in files_in(session.top) if path.startswith(_HOME)]
            troubles += [f"this is left: {name}" for name in names if name != _HOME]
        return [
            *troubles,
            *self.sound(session, *panels),
            *left_of(session, self.panel),
        ]


class CloseMore(Close):
    """A panel is closed whose file has a round already."""

    has_file = True


WORLDS = (Open, Judge, Close, CloseMore)
_NOTHING = Outcome(-9, "", "", ())


def opened(session: Session) -> str:
    """The id of a new panel."""
    done = session.run("attest", "open", SKILL)
    assert done.status == 0, done
    panel: str = json.loads(done.out)["evaluation_id"]
    return panel


def rounds_in(files: Mapping[str, bytes]) -> list[dict[str, object]]:
    data = files.get(ATTESTATIONS)
    rounds: list[dict[str, object]] = json.loads(data)["evaluations"] if data is not None else []
    return rounds


def left_of(session: Session, panel: str) -> list[str]:
    """What is wrong where a closed panel is still open."""
    done = session.run("attest", "close", panel)
    is_gone = done.status == 2 and "there is no open panel" in done.err
    return [] if is_gone else [f"the panel is still there: {done}"]


def _is_pending(path: str) -> bool:
    return path.startswith(_HOME) and path.endswith(".json")
