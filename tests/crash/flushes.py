"""What a loss of power could take, by the order of the calls: a kill alone cannot show that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.cli.conftest import Sandbox
from tests.crash.calls import Call
from tests.crash.harness import Harness
from tests.crash.runner import Runner
from tests.crash.world import DRAFT, World


def unflushed_of(
    kind: type[World], template: Sandbox, runner: Runner, folder: Path, broken: str = ""
) -> list[str]:
    """What the command of a world leaves to be lost. ``broken`` is how kattest is broken first."""
    world = kind(template, runner)
    known = {path for path in world.before if path.endswith("/")}
    calls = Harness(runner, world, folder, broken).calls()
    assert any(call.name in {"link", "replace"} for call in calls)
    return [*_unflushed(calls, folder / "work", known)]


def _unflushed(calls: Sequence[Call], work: Path, known: set[str]) -> Iterator[str]:
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
