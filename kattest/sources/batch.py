"""Many blobs at once, through one ``git cat-file --batch``.

Object by object, libgit2 takes four times as long as git does, and git works beside us on another
processor. Who reads this way compares the bytes with their id, as libgit2 does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import IO

from kattest.errors import SourceError
from kattest.tree import Content

FEW = 1000  # blobs that are read sooner than git has started

_PIECE = 1024 * 1024  # bytes
# git must neither read another object instead, nor fetch one, nor speak another language.
_ENVIRONMENT = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}


def git_program() -> str | None:
    """The git on PATH; None where there is none."""
    return shutil.which("git")


def read_blobs(
    program: str, git_dir: str, oids: Sequence[str], largest: int
) -> Iterator[Content | None]:
    """The content of each blob in ``oids``, in their order; None for one that is missing.

    Raises SourceError where git stops before the last, or has something else there.
    """
    command = [program, f"--git-dir={git_dir}", "cat-file", "--batch", "--buffer"]
    environment = os.environ | _ENVIRONMENT
    try:
        process = subprocess.Popen(  # noqa: S603 - git, and a path of the repository
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=_PIECE, env=environment
        )
    except OSError as error:
        raise _unusable(f"{program} cannot be started: {error.strerror}") from None
    with process as git:
        assert git.stdin  # noqa: S101 - for the type checker: it is a pipe
        assert git.stdout  # noqa: S101 - the same
        feeder = threading.Thread(target=_feed, args=(git.stdin, oids), daemon=True)
        feeder.start()
        try:
            for oid in oids:
                yield _answer(git.stdout, oid, largest)
        finally:
            git.kill()
            feeder.join()


def _feed(stream: IO[bytes], oids: Sequence[str]) -> None:
    try:
        with stream:
            stream.write("\n".join(oids).encode() + b"\n")
    except OSError:  # git ended first; whoever reads from it sees that
        return


def _answer(stream: IO[bytes], oid: str, largest: int) -> Content | None:
    """What git says to one id: a line with kind and size, the bytes, and a line feed."""
    header = stream.readline()
    kind, _, length = header[len(oid) :].rpartition(b" ")
    if kind != b" blob":
        if header.endswith(b" missing\n"):
            return None
        raise _unusable(f"git cat-file gave no blob for {oid}, but {header[:100]!r}")
    size = int(length)
    if size > largest:
        _pass_over(stream, size + 1)
        return Content(size, None)
    answer = stream.read(size + 1)
    if len(answer) <= size:
        raise _unusable(f"git cat-file ended within the blob {oid}")
    return Content(size, answer[:size])


def _pass_over(stream: IO[bytes], size: int) -> None:
    while size > 0 and (piece := stream.read(min(size, _PIECE))):
        size -= len(piece)


def _unusable(what: str) -> SourceError:
    return SourceError(what, "see that git itself can read the repository (git fsck)")
