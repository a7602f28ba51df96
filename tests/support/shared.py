"""What lies beside the repository, in ``../shared``: data made by others, and the protocol.

A checkout may stand alone. Where the folder is absent, the tests that need it skip and say so.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

TOP = Path(__file__).resolve().parents[2]
SHARED = TOP.parent / "shared"


def shared_files(pattern: str) -> list[Path]:
    """The files of ``../shared`` that match a glob pattern, sorted; none where it is absent."""
    return sorted(SHARED.glob(pattern))


def parameters(pattern: str) -> list[ParameterSet]:
    """The files that match, one parameter each; a single skipped one where there are none."""
    found = [pytest.param(path, id=path.name) for path in shared_files(pattern)]
    reason = f"there is no ../shared/{pattern}"
    return found or [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="absent")]


def require_shared(pattern: str) -> Path:
    """The one file that matches; skips the test where there is none."""
    found = shared_files(pattern)
    if not found:
        pytest.skip(f"there is no ../shared/{pattern}")
    return found[0]
