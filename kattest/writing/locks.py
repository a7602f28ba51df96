"""One writer at a time: a lock that ends with its holder, however that ends."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import platform
import random
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from kattest.errors import WriteError
from kattest.instant import Instant
from kattest.text import quote_path
from kattest.writing.files import failure, make_folders

PATIENCE = 30.0  # seconds until a lock that somebody holds is given up
_PAUSE = (0.002, 0.02)  # seconds between two tries: at random, so that many do not try at once
_HELD = {errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}
_SAID = b'{"pid": '  # how that begins
_LARGEST = 1000  # bytes of what a holder says of itself


@contextlib.contextmanager
def locked(file: Path, what: str, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock ``file`` while the body runs. ``what`` is what it is for, in messages.

    The file stays: it is empty, or says who holds the lock. The system lets go of the lock when
    its holder ends, so none is ever left behind.

    Raises WriteError where somebody else holds it for ``patience`` seconds, or it cannot be had.
    """
    handle = _opened(file, what)
    try:
        _wait(handle, what, time.monotonic() + patience, patience)
        _say(handle)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, 0)
    finally:
        os.close(handle)  # which lets go of the lock


def _opened(file: Path, what: str) -> int:
    try:
        make_folders(file.parent)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        raise failure(
            str(file), error, f"so {what} cannot be locked, and nothing is changed"
        ) from None
    if not _is_a_lock(handle):
        os.close(handle)
        raise WriteError(
            f"{quote_path(str(file))} is no lock, so {what} cannot be locked; nothing is changed",
            "move that file away",
        )
    return handle


def _is_a_lock(handle: int) -> bool:
    """Whether the file is one that only locks: whoever holds the lock empties it."""
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        return False
    said = os.read(handle, _LARGEST)  # its size would be of another moment: a holder may empty it
    return not said or said.startswith(_SAID)


def _wait(handle: int, what: str, deadline: float, patience: float) -> None:
    while True:
        try:
            _try(handle)
        except OSError as error:
            if error.errno not in _HELD:
                raise WriteError(
                    f"{what} cannot be locked: {error.strerror}; nothing is changed",
                    "this file system may have no locks: work in a copy on a local disk",
                ) from None
        else:
            return
        if not time.monotonic() < deadline:  # a deadline that is no number has passed
            raise WriteError(
                f"{what} is locked by {_holder(handle)}, for more than {patience:g} seconds; "
                "nothing is changed",
                "wait until that is done, or end it; the lock ends with it",
            )
        time.sleep(random.uniform(*_PAUSE))  # noqa: S311 - nothing secret


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _try(handle: int) -> None:
        os.lseek(handle, _LARGEST, os.SEEK_SET)  # a locked byte could not be read
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _say(handle: int) -> None:
    """Say who holds the lock, for whoever waits; a disk that is full does not keep it from us."""
    holder = {
        "pid": os.getpid(),
        "host": platform.node(),
        "since": Instant(int(time.time())).isoformat(),
    }
    with contextlib.suppress(OSError):
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, json.dumps(holder).encode())


def _holder(handle: int) -> str:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        said = json.loads(os.read(handle, _LARGEST))
        return f"process {said['pid']} on {said['host']} (since {said['since']})"
    except (OSError, ValueError, LookupError, TypeError):
        return "another process"
