"""Every call that changes or flushes a file: counted, and at a chosen one something happens.

Only the functions of ``os`` are wrapped. A change that is made any other way ends the process.
Flushing is counted, and not done: no kill can show it, and it would take most of the time.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

_WRAPPED = (
    *("open", "write", "fsync", "fdatasync", "ftruncate", "truncate"),
    *("link", "symlink", "rename", "replace", "unlink", "remove"),
    *("mkdir", "rmdir", "chmod", "fchmod", "utime", "chown"),
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FLUSHES = ("fsync", "fdatasync")
_CHANGES = (
    *("os.remove", "os.rename", "os.link", "os.symlink", "os.mkdir", "os.rmdir"),
    *("os.truncate", "os.chmod", "os.chown", "os.utime", "shutil.", "tempfile."),
)
UNSEEN = 99  # the exit status where something changed a file by another way


class Harm(StrEnum):
    """What happens at a call."""

    NONE = "none"
    KILL_BEFORE = "kill before"
    KILL_WITHIN = "kill within"  # of a write, half of the bytes are there
    KILL_AFTER = "kill after"
    ERROR = "error"
    ERRORS = "errors from there on"
    SHORT = "short writes"  # at every write, half of the bytes are taken


class Plan(NamedTuple):
    """Which harm is done, at the how-manieth call, and by which ``errno``."""

    harm: Harm = Harm.NONE
    number: int = 0
    errno: int = 0


class Call(NamedTuple):
    """A call: its name, the file that it concerns, and the one that this becomes."""

    name: str
    file: str
    target: str = ""


class Watch:
    """Wraps the functions of ``os`` in this process, for good."""

    def __init__(self, plan: Plan) -> None:
        self.calls: list[Call] = []
        self._plan = plan
        self._files: dict[int, str] = {}  # what is open
        self._is_within = False
        for name in _WRAPPED:
            real = _flushed if name in _FLUSHES else getattr(os, name)
            setattr(os, name, self._wrapped(name, real))
        sys.addaudithook(self._audit)

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            if name == "open" and not args[1] & _WRITES:
                handle = real(*args, **options)
            else:
                handle = self._do(name, real, args, options)
            if name == "open":
                self._files[handle] = os.fspath(args[0])
            return handle

        return call

    def _do(
        self, name: str, real: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
    ) -> Any:
        file = self._files[args[0]] if isinstance(args[0], int) else os.fspath(args[0])
        has_target = name in {"link", "symlink", "rename", "replace"}
        self.calls.append(Call(name, file, os.fspath(args[1]) if has_target else ""))
        harm, number, errno = self._plan
        is_here = len(self.calls) == number
        if (harm is Harm.ERROR and is_here) or (harm is Harm.ERRORS and len(self.calls) >= number):
            raise OSError(errno, os.strerror(errno), file)
        if harm is Harm.KILL_BEFORE and is_here:
            _die()
        is_halved = harm is Harm.SHORT or (harm is Harm.KILL_WITHIN and is_here)
        if name == "write" and is_halved and len(args[1]) > 1:
            args = (args[0], args[1][: len(args[1]) // 2])
        self._is_within = True
        try:
            done = real(*args, **options)
        finally:
            self._is_within = False
            if harm in {Harm.KILL_WITHIN, Harm.KILL_AFTER} and is_here:
                _die()
        return done

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open":  # a number is what is open already: the pipes to git
            is_change = bool(args[2] & _WRITES) and not isinstance(args[0], int)
        else:
            is_change = event.startswith(_CHANGES)
        if is_change and not self._is_within:
            sys.stderr.write(f"a change that was not counted: {event} {args}\n")
            sys.stderr.flush()
            os._exit(UNSEEN)


def _flushed(_: int) -> None:
    """Nothing: a process that is killed takes nothing with it that the system was given."""


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
