"""What leaves the program: reports, complaints, and the exit status (design, section 4)."""

from __future__ import annotations

import contextlib
import os
import sys
from enum import IntEnum
from pathlib import Path
from typing import TextIO

from kattest.errors import UsageError
from kattest.text import escape


class ExitStatus(IntEnum):
    """The same for every command and format."""

    CLEAN = 0
    FINDINGS = 1
    COULD_NOT_CHECK = 2
    BUG = 3
    INTERRUPTED = 130


def emit(text: str, output: Path | None = None) -> None:
    """Write a report to standard output, or whole to the file ``output``.

    A reader that stops early (``kattest verify | head``) is no fault. Raises UsageError where
    the file cannot be written.
    """
    if output is not None:
        _write_file(text, output)
        return
    try:
        _write(sys.stdout, text)
    except BrokenPipeError:
        # What is still buffered would fail again when the interpreter flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str, remedy: str) -> None:
    """Say on standard error what went wrong and what to do."""
    with contextlib.suppress(BrokenPipeError):
        _write(sys.stderr, f"kattest: {message}\n  what to do: {remedy}\n")


def wants_colour(stream: TextIO) -> bool:
    """Whether ``stream`` is a terminal that shows colours, and the user does not object."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def _write_file(text: str, output: Path) -> None:
    """Replace ``output`` at once, so that nobody reads half a report."""
    draft = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    try:
        with draft.open("xb") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
        draft.replace(output)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise _unwritable(output, error) from None


def _unwritable(output: Path, error: OSError) -> UsageError:
    return UsageError(
        f"the report cannot be written to {escape(str(output))}: {error.strerror}",
        "name a file in a folder that can be written to",
    )
