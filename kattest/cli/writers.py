"""What the commands that write have in common."""

from __future__ import annotations

import json
import re
import time
from enum import StrEnum

from kattest.cli.judging import moment_given
from kattest.cli.output import emit, murmur
from kattest.instant import Instant
from kattest.jsontext import Writable, render
from kattest.text import HIDING, escape

_ACTING = re.compile(f"[{HIDING}]")


class Form(StrEnum):
    """The forms of what is shown to people too."""

    TEXT = "text"
    JSON = "json"


WAIT_HELP = "How long to wait for another command that writes."


def moment(as_of: str | None, *, precise: bool = False) -> Instant:
    """The moment that a user names by option or SOURCE_DATE_EPOCH, else now.

    In whole seconds, or ``precise`` to the microsecond. Raises UsageError as ``moment_given`` does.
    """
    given = moment_given(as_of)
    if given is not None:
        return given
    seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    fraction = f"{nanoseconds // 1000:06}".rstrip("0") if precise else ""
    return Instant(seconds, fraction)


def show(document: Writable) -> None:
    """Print a document. What could act on a terminal or a log is spelled as JSON spells it."""
    text = _ACTING.sub(lambda match: json.dumps(match[0])[1:-1], render(document).decode())
    emit(text.replace("##[", "#\\u0023["))


def note(text: str) -> None:
    """Say something on standard error, each of its lines on one of its own."""
    for line in text.split("\n"):
        murmur(f"{escape(line)}\n")
