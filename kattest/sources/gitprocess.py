"""Starting git: in an environment in which it writes, fetches, replaces and asks nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from kattest.errors import SourceError

_BUFFER = 1024 * 1024  # bytes
# git must neither read another object instead, nor fetch one (older ones only know the second way
# to say that), nor write anything, nor speak another language.
_ENVIRONMENT = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}


def git_program() -> str | None:
    """The git on PATH; None where there is none."""
    return shutil.which("git")


def require_git() -> str:
    """The git on PATH. Raises SourceError where there is none."""
    program = git_program()
    if program is None:
        raise SourceError(
            "this repository can only be read by git itself, and there is no git on PATH",
            "install git, or put it on PATH",
        )
    return program


def run_git(
    command: Sequence[str], where: str | Path, changes: dict[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run git to its end. Raises SourceError where it cannot be started."""
    try:
        return subprocess.run(  # noqa: S603 - git, and names of the repository after its options
            command,
            cwd=where,
            env={**os.environ, **_ENVIRONMENT, **changes},
            input=stdin,
            capture_output=True,
            check=False,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SourceError(f"git cannot be run: {reason}", "see that it works here") from None


def start(
    command: Sequence[str], changes: Mapping[str, str], where: str | None = None
) -> subprocess.Popen[bytes]:
    """A git that answers one by one, in the folder ``where`` and an environment with ``changes``.

    Raises SourceError where it cannot be started.
    """
    try:
        return subprocess.Popen(  # noqa: S603 - git, and paths of the repository
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=_BUFFER,
            cwd=where,
            env={**os.environ, **_ENVIRONMENT, **changes},
        )
    except OSError as error:
        raise SourceError(
            f"{command[0]} cannot be started: {error.strerror}", "see that git works here"
        ) from None


def pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """The standard input and output of a process that has both."""
    assert process.stdin  # noqa: S101 - for the type checker: it is a pipe
    assert process.stdout  # noqa: S101 - the same
    return process.stdin, process.stdout
