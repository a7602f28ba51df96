"""The harness can fail: it sees what a kattest loses that was broken on purpose."""

from errno import ENOSPC
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash import breaks, memories
from tests.crash.calls import Harm
from tests.crash.flushes import unflushed_of
from tests.crash.harness import Harness
from tests.crash.runner import Runner
from tests.crash.world import NOW, World
from tests.support.memory import ROOT, file_of, make_record

pytestmark = pytest.mark.slow

INDEX = f"{ROOT}/index.json"
NEW = f"{ROOT}/{file_of(make_record(at=NOW))}"
ONLY = f"{ROOT}/{file_of(memories.ArchiveFirst.due[0])}"
KILLED: dict[str, tuple[type[World], str]] = {
    breaks.ARCHIVE_ORDER: (memories.ArchiveFirst, f"a record is lost: {ONLY}"),
    breaks.PLAIN_REPLACE: (memories.Reindex, f"{INDEX} is torn"),
    breaks.PLAIN_CREATE: (memories.StoreMore, f"{NEW} is torn"),
}
UNFLUSHED = {
    breaks.UNFLUSHED_NAMES: "goes before the names in",
    breaks.UNFLUSHED_BYTES: "has its name before its bytes",
}


@pytest.mark.parametrize("broken", KILLED)
def test_what_a_kill_loses_is_seen(
    broken: str, template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    kind, trouble = KILLED[broken]
    found = Harness(runner, kind(template, runner), tmp_path, broken).killed()
    assert any(trouble in one for one in found), found


@pytest.mark.parametrize("broken", UNFLUSHED)
def test_what_a_loss_of_power_loses_is_seen(
    broken: str, template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    found = unflushed_of(memories.Archive, template, runner, tmp_path, broken)
    assert any(UNFLUSHED[broken] in one for one in found), found


def test_what_an_error_or_a_short_write_loses_is_seen(
    template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    world = memories.Reindex(template, runner)
    harness = Harness(runner, world, tmp_path, breaks.PLAIN_REPLACE)
    for found in (harness.failed([(Harm.ERROR, ENOSPC)]), harness.shortened()):
        assert any(f"{INDEX} is torn" in one for one in found), found


def test_every_break_is_tried() -> None:
    assert {*KILLED, *UNFLUSHED} == {*breaks.BREAKS}
