"""Writing to a memory of many records, beside editing its index by hand as agents do.

python -m tests.benchmarks.store [--records 10000] [--runs 10] [--profile]
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.measure import KATTEST, Command, bench, environment, show, table
from tests.benchmarks.memory import NOW, tree
from tests.support.memory import ROOT, dumps, given_of, make_record

BY_HAND = """
import json, sys
index = json.load(open(sys.argv[1]))
index["records"]["new"] = {**next(iter(index["records"].values()))}
index["record_count"] += 1
json.dump(index, open(sys.argv[2], "w"), indent=2)
"""
PROFILED = """
import cProfile, gc, pstats, sys
sys.argv = ["kattest", "memory", "store"]
gc.disable()
from kattest.cli.main import run
profile = cProfile.Profile()
try:
    profile.runcall(run)
except SystemExit:
    pass
pstats.Stats(profile, stream=sys.stderr).sort_stats("cumtime").print_stats("kattest", 30)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure writing to a memory.")
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument(
        "--profile", action="store_true", help="only show where a store's time goes"
    )
    options = parser.parse_args()
    os.environ["SOURCE_DATE_EPOCH"] = f"{NOW.timestamp():.0f}"
    with bench() as here:
        here.fast_import(tree(options.records))
        feed = here.top.with_name("outcome.json")
        feed.write_bytes(dumps(given_of(make_record("new_case", at=NOW))))
        if options.profile:
            profile(here.top, feed)
            return
        index, copy = here.top / ROOT / "index.json", here.top.with_name("index.json")
        question = ["--domain", "banking", "--phase", "phase-0", "--read-only"]
        commands = [
            Command("index edited by hand", [sys.executable, "-c", BY_HAND, str(index), str(copy)]),
            Command("kattest --version", [KATTEST, "--version"]),
            Command("memory store", [KATTEST, "memory", "store"], feed=feed),
            Command("memory query", [KATTEST, "memory", "query", *question]),
            Command("memory maintain", [KATTEST, "memory", "maintain"]),
        ]
        samples = here.measure(commands, options.runs, options.warm_up)
    show(table(samples, ["index edited by hand"], memory=True))


def profile(top: Path, feed: Path) -> None:
    with feed.open("rb") as stream:
        subprocess.run(
            [sys.executable, "-c", PROFILED],
            cwd=top,
            env=environment(top.parent),
            stdin=stream,
            stdout=subprocess.DEVNULL,
            check=True,
        )


if __name__ == "__main__":
    main()
