"""A progress line on standard error, for work over a second, on a terminal only."""

from __future__ import annotations

import sys
import time

_PATIENCE = 1.0  # seconds before anything is shown
_PERIOD = 0.1  # seconds between two updates
_WIDTH = 30  # characters of a bar


class Progress:
    """Shows how much has been done. ``close`` leaves the line as it was found."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def commits(self, searched: int) -> None:
        """Note how many commits have been searched so far; how many there are is not known."""
        if self._is_due():
            self._show(f"searching the history: {searched} commits")

    def records(self, read: int, of: int) -> None:
        """Note how many records have been read, of how many."""
        if self._is_due():
            bar = "#" * (_WIDTH * read // of)
            self._show(f"reading records: [{bar:{_WIDTH}}] {read} of {of}")

    def close(self) -> None:
        """Erase the line, if one was shown."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False

    def _is_due(self) -> bool:
        return time.monotonic() >= self._next and sys.stderr.isatty()

    def _show(self, line: str) -> None:
        self._next = time.monotonic() + _PERIOD
        self._shown = True
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
