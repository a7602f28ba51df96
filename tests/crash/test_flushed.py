"""What a loss of power could take was flushed."""

from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash import memories, panels
from tests.crash.flushes import unflushed_of
from tests.crash.runner import Runner
from tests.crash.world import World

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", [*memories.WORLDS, *panels.WORLDS])
def test_everything_is_flushed_in_its_order(
    kind: type[World], template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    assert unflushed_of(kind, template, runner, tmp_path) == []
