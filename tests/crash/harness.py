"""Harm at every call, and what comes of it: nothing lost, whatever command is next."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.crash.calls import Call, Harm, Plan
from tests.crash.runner import Outcome, Runner, copy_of
from tests.crash.world import NOW, Session, World, files_in

_KILLS = (Harm.KILL_BEFORE, Harm.KILL_WITHIN, Harm.KILL_AFTER)


class Harness:
    """Does harm to copies of a world, in ``folder``. ``broken`` is how kattest is broken first."""

    def __init__(self, runner: Runner, world: World, folder: Path, broken: str = "") -> None:
        self._runner = runner
        self._world = world
        self._work = folder / "work"  # always here: the name of a lock holds the path
        self._broken = broken
        self._seen: set[tuple[object, ...]] = set()

    def calls(self) -> tuple[Call, ...]:
        """The calls of the command, if nothing harms it."""
        done = self._harmed(Plan())
        assert done.status == 0, done
        wrong = self._judged(done)
        assert self._broken or not wrong, wrong
        return done.calls

    def killed(self) -> list[str]:
        """What is wrong after kills at every call: before it, within it, and after the last.

        After any other call is before the next.
        """
        calls = self.calls()
        before = (Plan(Harm.KILL_BEFORE, number) for number in range(1, len(calls) + 1))
        within = (
            Plan(Harm.KILL_WITHIN, number)
            for number, call in enumerate(calls, 1)
            if call.name == "write"
        )
        after = Plan(Harm.KILL_AFTER, len(calls))
        return [*self._troubles((*before, *within, after), calls)]

    def failed(self, harms: Iterable[tuple[Harm, int]]) -> list[str]:
        """What is wrong after errors at every call."""
        calls = self.calls()
        plans = (
            Plan(harm, number, errno)
            for harm, errno in harms
            for number in range(1, len(calls) + 1)
        )
        return [*self._troubles(plans, calls)]

    def shortened(self) -> list[str]:
        """What is wrong where no write takes all that it is given."""
        return [*self._troubles([Plan(Harm.SHORT)], (Call("write", ""),))]

    def _troubles(self, plans: Iterable[Plan], calls: tuple[Call, ...]) -> Iterator[str]:
        for plan in plans:
            done = self._harmed(plan)
            if plan.harm in _KILLS:
                found = [] if done.status == -9 else [f"it was not killed: {done}"]
            else:
                found = self._world.amiss(done, plan)
            call = calls[plan.number - 1]
            for trouble in (*found, *self._judged(done)):
                yield f"{plan.harm} {plan.errno} at {plan.number} {call.name} {call.file}: {trouble}"

    def _harmed(self, plan: Plan) -> Outcome:
        """Run the command in a fresh copy."""
        self._put(self._world.template, self._work)
        session = Session(self._runner, self._work, NOW)
        return session.harmed(self._world.command, plan, self._broken)

    def _judged(self, done: Outcome) -> list[str]:
        """What is wrong with what a run left; of equal ones the first is looked at."""
        files = files_in(self._work)
        state = (done.status == 0, *sorted(files.items()))
        if state in self._seen:
            return []
        self._seen.add(state)
        troubles = self._world.at_once(files, done=done)
        left = self._work.with_name("left")
        shutil.rmtree(left, ignore_errors=True)
        self._work.rename(left)
        for chosen in self._world.nexts:
            self._put(left, self._work)
            session = Session(self._runner, self._work)
            found = self._world.afterwards(session, chosen, done=done)
            troubles += [f"then {chosen}: {trouble}" for trouble in found]
        return troubles

    def _put(self, source: Path, target: Path) -> None:
        if target.exists():
            shutil.rmtree(target)
        copy_of(source, target)
