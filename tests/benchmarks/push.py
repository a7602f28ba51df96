"""A push into a repository with hooks/pre-receive, beside the same push without a hook.

    python -m tests.benchmarks.push [--records 10000] [--runs 5]

A push cannot be made twice, so each is made into a copy of the server; the copying is not counted.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.measure import TOOLS, Bench, Sample, bench, environment, show, table
from tests.benchmarks.memory import NOW, records, tree
from tests.support.memory import ROOT, dumps, file_of, make_index, make_record

HOOK = Path(__file__).parents[2] / "hooks" / "pre-receive"


class Push(NamedTuple):
    """One of the pushes to compare: what is pushed, and into a copy of which server."""

    name: str
    server: str
    refs: str
    is_hooked: bool


PUSHES = [
    Push(f"{what}, {how}", server, refs, how == "pre-receive")
    for what, server, refs in (
        ("first push", "empty.git", "main:main"),
        ("one more record", "filled.git", "more:main"),
    )
    for how in ("no hook", "pre-receive")
]


def one_more(here: Bench, count: int) -> None:
    """A branch with one record more, and the index that goes with it."""
    made = list(records(count))
    new = make_record("case_new", at=NOW - timedelta(seconds=30))
    here.git("switch", "--quiet", "--create", "more")
    file = here.top / ROOT / file_of(new)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(dumps(new))
    index = make_index([*made, new], updated=NOW)
    (here.top / ROOT / "index.json").write_bytes(dumps(index))
    here.git("add", ".")
    command = ["git", "commit", "--quiet", "--message", "one more record"]
    env = environment(here.top.parent) | {"GIT_COMMITTER_DATE": NOW.isoformat()}
    subprocess.run(command, cwd=here.top, env=env, check=True)


def prepared(here: Bench, count: int) -> None:
    """Make the repository and its two servers, one without anything and one with main."""
    here.fast_import(tree(count))
    one_more(here, count)
    for server in "empty.git", "filled.git":
        here.git("init", "--quiet", "--bare", "--initial-branch", "main", f"../{server}")
    here.git("push", "--quiet", "../filled.git", "main")


def sample(here: Bench, env: Mapping[str, str], push: Push) -> Sample:
    """Push once into a fresh copy of the server."""
    copy = here.top.parent / "copy.git"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(here.top.parent / push.server, copy)
    if push.is_hooked:
        shutil.copy(HOOK, copy / "hooks" / "pre-receive")
    command = ["git", "push", "--quiet", str(copy), push.refs]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=here.top, env=env, capture_output=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{push.name}: {done.stderr.decode()}")
    return Sample(seconds, 0)


def measured(here: Bench, runs: int, warm_up: int) -> dict[str, list[Sample]]:
    env = environment(here.top.parent)
    env["PATH"] = f"{TOOLS}:{env['PATH']}"
    samples: dict[str, list[Sample]] = {push.name: [] for push in PUSHES}
    for number in range(-warm_up, runs):
        for push in PUSHES:
            taken = sample(here, env, push)
            if number >= 0:
                samples[push.name].append(taken)
    return samples


def costs(samples: Mapping[str, list[Sample]]) -> Iterator[str]:
    """What the hook adds to each push, in seconds."""
    yield ""
    for plain, hooked in zip(PUSHES[::2], PUSHES[1::2], strict=True):
        pairs = zip(samples[hooked.name], samples[plain.name], strict=True)
        added = statistics.median(one.seconds - other.seconds for one, other in pairs)
        yield f"{hooked.name} adds {added:.2f} s to the push"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what hooks/pre-receive adds to a push.")
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=1)
    options = parser.parse_args()
    with bench() as here:
        prepared(here, options.records)
        samples = measured(here, options.runs, options.warm_up)
        show(table(samples, [PUSHES[0].name, PUSHES[2].name]))
        show(costs(samples))


if __name__ == "__main__":
    main()
