"""What kattest reports: rules, locations and findings (design, section 2)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How much a finding weighs. Only errors fail a check, unless it is a strict one."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Rule(NamedTuple):
    """One permanent rule. Its texts are what ``kattest explain`` prints.

    ``code`` and ``name`` never change once published. ``what`` says what is checked, ``why``
    what goes wrong without it, ``fix`` what to do when it fires.
    """

    code: str
    name: str
    severity: Severity
    what: str
    why: str
    fix: str


class Location(NamedTuple):
    """A place in the judged tree.

    ``path`` is relative to the top of the tree, with ``/``; bytes that are not UTF-8 are
    surrogate escapes. ``pointer`` is a JSON pointer (RFC 6901), empty for the whole document.
    ``line`` and ``column`` count from 1, columns in code points; both are None where the place
    is not inside a readable text.
    """

    path: str
    pointer: str = ""
    line: int | None = None
    column: int | None = None
    commit: str | None = None


class Related(NamedTuple):
    """The other end of a finding: a place, and what it has to do with it."""

    location: Location
    message: str


class Finding(NamedTuple):
    """One fault at one primary location. ``message`` is raw text: reports escape it."""

    rule: Rule
    severity: Severity
    location: Location
    message: str
    related: tuple[Related, ...] = ()

    @property
    def sort_key(self) -> tuple[str, str, str, str]:
        """The order of findings in every report: path, pointer, code; then the message."""
        return (self.location.path, self.location.pointer, self.rule.code, self.message)
