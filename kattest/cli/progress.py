"""A progress line on standard error, for work over a second, on a terminal only."""

from __future__ import annotations

import sys
import time

_PATIENCE = 1.0  # seconds before anything is shown
_PERIOD = 0.1  # seconds between two updates


class HistoryProgress:
    """Shows how many commits have been searched. ``close`` leaves the line as it was found."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def __call__(self, commits: int) -> None:
        """Note that ``commits`` have been searched so far."""
        now = time.monotonic()
        if now >= self._next and sys.stderr.isatty():
            self._next = now + _PERIOD
            self._shown = True
            sys.stderr.write(f"\r\x1b[Ksearching the history: {commits} commits")
            sys.stderr.flush()

    def close(self) -> None:
        """Erase the line, if one was shown."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
