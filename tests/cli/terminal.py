"""Run a command on a terminal of its own, and read what it writes there."""

import errno
import os
import pty
import subprocess

from tests.cli.conftest import TIMEOUT, Sandbox


def on_terminal(sandbox: Sandbox, command: list[str], *, stream: str, **env: str) -> str:
    """What ``command`` writes to ``stream`` (stdout or stderr) where that is a terminal.

    The other stream is thrown away.
    """
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        command,
        cwd=sandbox.path,
        env={**sandbox.env, **env},
        stdin=subprocess.DEVNULL,
        stdout=terminal if stream == "stdout" else subprocess.DEVNULL,
        stderr=terminal if stream == "stderr" else subprocess.DEVNULL,
    )
    os.close(terminal)
    written = b""
    try:
        while chunk := _read(keyboard):
            written += chunk
    finally:
        os.close(keyboard)
    process.wait(TIMEOUT)
    return written.decode().replace("\r\n", "\n")


def _read(keyboard: int) -> bytes:
    try:
        return os.read(keyboard, 65536)
    except OSError as error:
        if error.errno == errno.EIO:  # how Linux says that nobody has the terminal open any more
            return b""
        raise
