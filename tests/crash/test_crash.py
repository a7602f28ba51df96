"""Nothing is lost: every command is killed at every call that changes a file, and each call fails."""

from errno import EIO, ENOSPC
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash import memories, panels
from tests.crash.calls import Harm
from tests.crash.harness import Harness
from tests.crash.runner import Runner
from tests.crash.world import World

pytestmark = pytest.mark.slow

WORLDS = (*memories.WORLDS, *panels.WORLDS)
ERRORS = [(Harm.ERROR, ENOSPC), (Harm.ERRORS, EIO)]  # one call fails, and all from one on


@pytest.mark.parametrize("kind", WORLDS)
def test_a_command_that_is_killed_loses_nothing(
    kind: type[World], template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    assert Harness(runner, kind(template, runner), tmp_path).killed() == []


@pytest.mark.parametrize("kind", WORLDS)
def test_a_call_that_fails_loses_nothing_and_is_told(
    kind: type[World], template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    harness = Harness(runner, kind(template, runner), tmp_path)
    assert harness.failed(ERRORS) == []
    assert harness.shortened() == []
