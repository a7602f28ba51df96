"""What a loss of power could take was flushed: a kill alone cannot show that."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash import breaks, memories, panels
from tests.crash.calls import Call
from tests.crash.harness import Harness
from tests.crash.runner import Runner
from tests.crash.world import DRAFT, World

pytestmark = pytest.mark.slow

WORLDS = (*memories.WORLDS, *panels.WORLDS)


def unflushed(calls: Sequence[Call], work: Path, known: set[str]) -> Iterator[str]:
    """What is named before its bytes are on the disk, or goes before what replaces it is.

    ``known`` are the folders that were there before.
    """
    bytes_: set[str] = set()  # the files and folders that are still to be flushed
    names: set[str] = set()
    for name, file, target in calls:
        if "/locks/" in file or ".done" in file:  # what the next command makes or sweeps again
            continue
        if name == "write":
            bytes_.add(file)
        elif name == "fsync":
            bytes_.discard(file)
            names.discard(file)
        elif name in {"link", "rename", "replace"}:
            yield from (f"{target} has its name before its bytes",) if file in bytes_ else ()
            if target.endswith(".done"):
                yield from (f"a panel goes before the names in {one}" for one in sorted(names))
            else:
                names.add(str(Path(target).parent))
        elif name == "mkdir" and f"{Path(file).relative_to(work)}/" not in known:
            names.add(str(Path(file).parent))
        elif name == "unlink" and not DRAFT.search(file):
            yield from (f"{file} goes before the names in {one}" for one in sorted(names))
            names.add(str(Path(file).parent))
    yield from (f"{one} is never flushed" for one in sorted(bytes_ | names))


def found(
    kind: type[World], template: Sandbox, runner: Runner, folder: Path, how: str
) -> list[str]:
    world = kind(template, runner)
    known = {path for path in world.before if path.endswith("/")}
    calls = Harness(runner, world, folder, how).calls()
    assert any(call.name in {"link", "replace"} for call in calls)
    return [*unflushed(calls, folder / "work", known)]


@pytest.mark.parametrize("kind", WORLDS)
def test_everything_is_flushed_in_its_order(
    kind: type[World], template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    assert found(kind, template, runner, tmp_path, "") == []


@pytest.mark.parametrize(
    ("broken", "trouble"),
    [
        (breaks.UNFLUSHED_NAMES, "goes before the names in"),
        (breaks.UNFLUSHED_BYTES, "has its name before its bytes"),
    ],
)
def test_what_is_not_flushed_is_seen(
    broken: str, trouble: str, template: Sandbox, runner: Runner, tmp_path: Path
) -> None:
    troubles = found(memories.Archive, template, runner, tmp_path, broken)
    assert any(trouble in one for one in troubles), troubles
