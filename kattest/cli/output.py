"""What leaves the program: reports, complaints, and the exit status (design, section 4)."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TextIO

from kattest.errors import UsageError
from kattest.text import escape


def emit(text: str, output: Path | None = None) -> None:
    """Write a report to standard output, or whole to the file ``output``.

    A reader that stops early (``kattest verify | head``) is no fault. Raises UsageError where
    the report cannot be written.
    """
    if output is not None:
        _write_file(text, output)
        return
    try:
        _write(sys.stdout, text)
    except BrokenPipeError:
        _abandon(sys.stdout)
    except OSError as error:
        _abandon(sys.stdout)
        raise _unwritable("standard output", error.strerror) from None


def complain(message: str, remedy: str) -> None:
    """Say on standard error what went wrong and what to do, if anybody can hear it."""
    murmur(f"kattest: {escape(message)}\n  what to do: {escape(remedy)}\n")


def murmur(text: str) -> None:
    """Write to standard error, if anybody can hear it."""
    try:
        _write(sys.stderr, text)
    except (OSError, UsageError):
        _abandon(sys.stderr)


def wants_colour(stream: TextIO | None) -> bool:
    """Whether ``stream`` is a terminal that shows colours, and the user does not object."""
    if stream is None or not stream.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # the caller closed it
        raise _unwritable("a standard stream", "it is closed")
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def _abandon(stream: TextIO | None) -> None:
    """Let what is still buffered go nowhere, or it would fail once more when Python exits."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _write_file(text: str, output: Path) -> None:
    """Replace a file at once, so that nobody reads half a report; write to anything else."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        target = output.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        draft = target.parent / f".kattest-{os.getpid()}.tmp"
        try:
            with draft.open("xb") as file:
                file.write(data)
            draft.replace(target)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise _unwritable(str(output), reason) from None


def _unwritable(where: str, reason: str | None) -> UsageError:
    return UsageError(
        f"the report cannot be written to {where or 'a file without a name'}: {reason}",
        "name a file in a folder that can be written to",
    )
