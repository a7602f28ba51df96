"""The harness can fail: it sees what a kattest loses that was broken on purpose."""

from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash import breaks, memories
from tests.crash.harness import Harness
from tests.crash.runner import Runner
from tests.crash.world import World

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("broken", "kind", "trouble"),
    [
        (breaks.ARCHIVE_ORDER, memories.ArchiveFirst, "a record is lost"),
        (breaks.PLAIN_REPLACE, memories.Reindex, "is torn"),
        (breaks.PLAIN_CREATE, memories.StoreMore, "is torn"),
    ],
)
def test_what_is_broken_on_purpose_is_seen(
    broken: str, kind: type[World], trouble: str, template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    found = Harness(runner, kind(template, runner), tmp_path, broken).killed()
    assert any(trouble in one for one in found), found
