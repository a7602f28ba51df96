"""One process that runs kattest, for all tests of a worker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox, copied, templates
from tests.crash.runner import Runner, started

__all__ = ["templates"]


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    with started() as it:
        yield it


@pytest.fixture
def template(templates: dict[str, Path], tmp_path: Path) -> Sandbox:
    """An empty repository."""
    return copied("sandbox", templates, tmp_path)
