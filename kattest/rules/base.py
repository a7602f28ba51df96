"""How a rule is written: its texts and its check, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from kattest.finding import Rule, Severity

Subject = TypeVar("Subject")


class Spot(NamedTuple):
    """A place that a fault points to.

    ``path`` is None for the document being checked. ``at_key`` asks for the place of a member's
    key instead of its value. ``position`` is the line and column where the check knows them
    already.
    """

    pointer: str = ""
    path: str | None = None
    commit: str | None = None
    at_key: bool = False
    position: tuple[int, int] | None = None


class Fault(NamedTuple):
    """What a check found: the raw material of a finding."""

    message: str
    spot: Spot
    related: tuple[tuple[Spot, str], ...] = ()


class Check(NamedTuple, Generic[Subject]):
    """A rule with the function that finds its faults in one subject."""

    rule: Rule
    faults: Callable[[Subject], Iterable[Fault]]


def check(  # noqa: PLR0913 - a rule's identity and its three texts
    code: str,
    name: str,
    severity: Severity = Severity.ERROR,
    *,
    what: str,
    why: str,
    fix: str,
) -> Callable[[Callable[[Subject], Iterable[Fault]]], Check[Subject]]:
    """Make the decorated function the check of a rule with these texts."""
    rule = Rule(code, name, severity, what, why, fix)

    def bind(faults: Callable[[Subject], Iterable[Fault]]) -> Check[Subject]:
        return Check(rule, faults)

    return bind
