"""Write the rule vectors, or compare what is on disk with them.

    python -m tests.vectors.generate
    python -m tests.vectors.generate --check

The vectors are made without kattest, so that they say what is right and not what kattest does.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.vectors.case import Case, World
from tests.vectors.cases import (
    artifacts,
    chain,
    configuration,
    documents,
    lifecycle,
    look_alikes,
    memory_documents,
    memory_files,
    memory_index,
    memory_records,
    panels,
    rationales,
    record_history,
    round_history,
    rounds,
    scores,
    times,
)

TOP = Path(__file__).parent
OWN_FOLDERS = ("__pycache__", "cases")
MODULES = (
    documents,
    memory_documents,
    chain,
    times,
    artifacts,
    panels,
    scores,
    rounds,
    rationales,
    memory_files,
    memory_records,
    memory_index,
    lifecycle,
    look_alikes,
    round_history,
    record_history,
    configuration,
)


def vectors() -> Mapping[str, bytes]:
    """Every file of every vector, by its path below this folder."""
    files: dict[str, bytes] = {}
    for rule, case in _cases():
        folder = f"{rule}/{case.name}_{'fail' if case.fails else 'pass'}"
        if f"{folder}/case.json" in files:
            raise ValueError(f"two cases are called {folder}")
        made = _files(rule.partition("-")[0], case)
        files |= {f"{folder}/{path}": data for path, data in made}
    return files


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args(arguments).check
    wanted, present = vectors(), dict(_present())
    differing = sorted(path for path, data in wanted.items() if present.get(path) != data)
    left_over = sorted(present.keys() - wanted.keys())
    if check:
        return _complain(differing, left_over)
    for path in left_over:
        (TOP / path).unlink()
    for path in differing:
        (TOP / path).parent.mkdir(parents=True, exist_ok=True)
        (TOP / path).write_bytes(wanted[path])
    _remove_empty_folders()
    return 0


def _cases() -> Iterator[tuple[str, Case]]:
    for module in MODULES:
        for rule, cases in module.CASES.items():
            yield from ((rule, case) for case in cases)


def _complain(differing: list[str], left_over: list[str]) -> int:
    for path in differing:
        state = "differs" if (TOP / path).exists() else "is missing"
        sys.stdout.write(f"{path} {state}\n")
    for path in left_over:
        sys.stdout.write(f"{path} is left over\n")
    return 1 if differing or left_over else 0


def _present() -> Iterator[tuple[str, bytes]]:
    for path in (path for top in _tops() for path in (top, *top.rglob("*"))):
        if not path.is_dir():
            yield path.relative_to(TOP).as_posix(), path.read_bytes()


def _remove_empty_folders() -> None:
    folders = [path for top in _tops() for path in (top, *top.rglob("*")) if path.is_dir()]
    for path in sorted(folders, reverse=True):
        if not any(path.iterdir()):
            path.rmdir()


def _tops() -> list[Path]:
    """Everything in this folder that is not the generator's own."""
    return [p for p in TOP.iterdir() if p.name not in OWN_FOLDERS and p.suffix != ".py"]


def _files(code: str, case: Case) -> Iterator[tuple[str, bytes]]:
    world = case.world
    yield "case.json", _description(code, case)
    yield from _below("tree", world.tree)
    for number, (commit, files) in enumerate(world.history):
        yield from _below(f"history/{number:02}-{commit}", files)
    yield from _below("base", world.base or {})
    for number, (name, files) in enumerate(world.parents, start=1):
        yield from _below(f"parents/{number}-{name}", files)


def _below(folder: str, files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for path, data in files.items():
        yield f"{folder}/{path}", data


def _description(code: str, case: Case) -> bytes:
    expect = [{"code": e.code, "path": e.path, "pointer": e.pointer} for e in case.expected(code)]
    described: dict[str, Any] = {"why": case.why, "expect": expect, **_extras(case.world)}
    # ASCII alone: invisible characters in a pointer have to be visible to a reader.
    return (json.dumps(described, indent=2) + "\n").encode()


def _extras(world: World) -> dict[str, Any]:
    extras = {
        "kinds": dict(world.kinds),
        "copies": dict(world.copies),
        "config": world.config,
        "as_of": world.as_of,
    }
    return {name: value for name, value in extras.items() if value}


if __name__ == "__main__":
    sys.exit(main())
