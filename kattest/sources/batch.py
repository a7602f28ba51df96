"""Objects through one long-running ``git cat-file --batch``: many blobs at once, or one by one.

Object by object, libgit2 takes four times as long as git does, and git works beside us on another
processor. Who reads this way compares the bytes with their id, as libgit2 does.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import IO

from kattest.digest import git_hex
from kattest.errors import SourceError
from kattest.sources.database import Database
from kattest.sources.gitprocess import pipes, start
from kattest.tree import Content

FEW = 1000  # blobs that are read sooner than git has started

_PIECE = 1024 * 1024  # bytes


def read_blobs(
    program: str, git_dir: str, oids: Sequence[str], largest: int
) -> Iterator[Content | None]:
    """The content of each blob in ``oids``, in their order; None for one that is missing.

    Raises SourceError where git has something else there, or stops in its midst.
    """
    with cat_file(program, git_dir, "--buffer") as git:
        stdin, stdout = pipes(git)
        feeder = threading.Thread(target=_feed, args=(stdin, oids), daemon=True)
        feeder.start()
        try:
            for oid in oids:
                yield _read_blob(stdout, oid, largest)
        finally:
            git.kill()
            feeder.join()


def sound_blobs(
    database: Database, program: str, git_dir: str, oids: Sequence[str], largest: int
) -> Iterator[Content | None]:
    """What ``read_blobs`` gives, and None for content that is not what its id names.

    libgit2 compares the two, git does not. One that may not fetch what a partial clone lacks ends:
    then it is missing.
    """
    contents = read_blobs(program, git_dir, oids, largest)
    for oid in oids:
        try:
            content = next(contents, None)
        except SourceError:
            if not database.is_partial:
                raise
            content = None
        data = content.data if content else None
        is_other = data is not None and git_hex("blob", data, database.hash_name) != oid
        yield None if is_other else content


def _read_blob(stream: IO[bytes], oid: str, largest: int) -> Content | None:
    try:
        found = read_answer(stream, oid, largest)
    except EOFError:
        raise _unusable(f"git cat-file ended before the blob {oid}") from None
    if found and found[0] != "blob":
        raise _unusable(f"git cat-file gave no blob for {oid}, but a {found[0]}")
    return found[1] if found else None


def cat_file(program: str, git_dir: str, *options: str) -> subprocess.Popen[bytes]:
    """A ``git cat-file --batch`` that waits for ids. Raises SourceError where it cannot start."""
    command = [program, f"--git-dir={git_dir}", "cat-file", "--batch", *options]
    return start(command, {})


def _feed(stream: IO[bytes], oids: Sequence[str]) -> None:
    try:
        with stream:
            stream.write("\n".join(oids).encode() + b"\n")
    except OSError:  # git ended first; whoever reads from it sees that
        return


def read_answer(stream: IO[bytes], oid: str, largest: int) -> tuple[str, Content] | None:
    """What git says to one id: a line with kind and size, the bytes, and a line feed.

    None where the object is missing. Raises EOFError where git has ended, and SourceError where
    its answer is none.
    """
    header = stream.readline()
    name, kind, length = (*header.decode("ascii", "replace").rstrip("\n").split(" "), "", "")[:3]
    if not header:
        raise EOFError
    if name == oid and kind == "missing":
        return None
    if name != oid or not length.isdigit():
        raise _unusable(f"git cat-file gave no object for {oid}, but {header[:100]!r}")
    size = int(length)
    if size > largest:
        _pass_over(stream, size + 1)
        return kind, Content(size, None)
    answer = stream.read(size + 1)
    if len(answer) <= size:
        raise _unusable(f"git cat-file ended within the object {oid}")
    return kind, Content(size, answer[:size])


def _pass_over(stream: IO[bytes], size: int) -> None:
    while size > 0 and (piece := stream.read(min(size, _PIECE))):
        size -= len(piece)


def _unusable(what: str) -> SourceError:
    return SourceError(what, "see that git itself can read the repository (git fsck)")
