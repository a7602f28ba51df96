"""What the protocol's own text holds: its verification script and its example file.

Both are taken from the text at the time of the test. It is a diff: its lines begin with ``+``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.shared import require_shared


def protocol_lines() -> list[str]:
    text = require_shared("spec/001_*.txt").read_text("utf-8")
    return [line.removeprefix("+") for line in text.splitlines()]


def between(heading: str, opening: str, closing: str) -> str:
    """The lines after ``opening`` and before ``closing``, below ``heading``."""
    lines = protocol_lines()
    begin = lines.index(opening, lines.index(heading)) + 1
    return "\n".join(lines[begin : lines.index(closing, begin)]) + "\n"


def verification_script() -> str:
    heading, opening = "### Verification Script", "python3 << 'VERIFY_ATTESTATION'"
    return between(heading, opening, "VERIFY_ATTESTATION")


def example_file() -> bytes:
    return between("### Example Attestation File", "```json", "```").encode()


def run_script(folder: Path) -> str:
    """What the protocol's script says of the attestation file in ``folder``."""
    done = subprocess.run(
        [sys.executable, "-", str(folder)],
        input=verification_script(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    return done.stdout if done.returncode == 0 else f"{done.stdout}{done.stderr}"
