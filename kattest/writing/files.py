"""Files that are there whole or not at all, whatever interrupts, and stay once they are there.

A draft is written beside its file, flushed to the disk, and given its name in one step; then the
folder is flushed too. A draft that an interrupted command left is swept away by the next one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from kattest.errors import WriteError
from kattest.text import quote_path

_DRAFT = re.compile(r"\.kattest-[0-9]+-[0-9a-f]{8}\.tmp")
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
_NO_FLUSH = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EBADF}


def create(file: Path, data: bytes) -> None:
    """Make a new file. Raises FileExistsError where there is one, OSError where it cannot be made.

    The caller holds the lock that everybody takes who writes there: without hard links (on some
    network file systems) nothing else keeps two from making one file.
    """
    draft = _draft(file, data)
    try:
        os.link(draft, file)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(file):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.rename(draft, file)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)
    flush_folder(file.parent)


def replace(file: Path, data: bytes) -> None:
    """Make or replace a file: whoever reads sees the old one or the new one, never a part.

    Raises OSError where that cannot be done; the old one is then as it was.
    """
    draft = _draft(file, data)
    try:
        with contextlib.suppress(FileNotFoundError):
            os.chmod(draft, stat.S_IMODE(os.stat(file).st_mode))
        os.replace(draft, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    flush_folder(file.parent)


def remove(file: Path) -> None:
    """Delete a file for good. Raises OSError where that cannot be done."""
    os.unlink(file)
    flush_folder(file.parent)


def make_folders(folder: Path, *, mode: int = 0o777) -> None:
    """Make a folder and those above it, each flushed into its parent. Raises OSError."""
    missing = [folder]
    while not missing[-1].parent.is_dir() and missing[-1] != missing[-1].parent:
        missing.append(missing[-1].parent)
    for one in reversed(missing):
        try:
            os.mkdir(one, mode)
        except FileExistsError:
            if not one.is_dir():
                raise
            continue
        flush_folder(one.parent)


def flush_folder(folder: Path) -> None:
    """Have the disk keep the names in ``folder``, where its system can do that."""
    if sys.platform == "win32":  # pragma: no cover - there folders cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FLUSH:
            raise
    finally:
        os.close(handle)


def is_draft(name: str) -> bool:
    """Whether a file of this name is a draft."""
    return _DRAFT.fullmatch(name) is not None


def sweep(drafts: Iterable[Path]) -> None:
    """Delete drafts that an interrupted command has left; the caller holds the lock."""
    for draft in drafts:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)


def failure(file: str, error: OSError, intact: str) -> WriteError:
    """The error for ``file``, which could not be written; ``intact`` says what still is."""
    reason = error.strerror or str(error)
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        remedy = "make room, then run the command again"
    elif error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        remedy = "see that you may write there, then run the command again"
    else:
        remedy = "see what is wrong with that disk or folder, then run the command again"
    return WriteError(f"{quote_path(file)} cannot be written: {reason}; {intact}", remedy)


def _draft(file: Path, data: bytes) -> Path:
    """A draft of ``file`` with these bytes, on the disk. Raises OSError; then there is none."""
    draft = file.with_name(f".kattest-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    return draft
