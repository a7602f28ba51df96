"""One memory root with many records, verified at HEAD: time and memory, beside git.

python -m tests.benchmarks.memory [--records 100000] [--runs 5]
python -m tests.benchmarks.memory --stream | git fast-import   # to look at it with a profiler
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from tests.benchmarks.measure import KATTEST, Command, bench, show, table
from tests.support.memory import (
    CONFIG,
    LABELS,
    ROOT,
    Document,
    archive,
    dumps,
    file_of,
    iso,
    make_index,
    make_record,
)

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DOMAINS = ("banking", "retail", "enterprise", "healthcare")
REWARDS = tuple(LABELS)


def records(count: int) -> Iterator[Document]:
    """Records of the last 170 days, those older than 90 archived; no two in one second."""
    for number in range(count):
        age = timedelta(days=number % 170, seconds=number // 170)
        made = make_record(
            slug=f"case_{number % 997:03}",
            phase=f"phase-{number % 6}",
            at=NOW - age - timedelta(seconds=1),
            domain=DOMAINS[number % len(DOMAINS)],
            skill=f"skill-{number % 41}",
            reward=REWARDS[number % len(REWARDS)],
        )
        yield archive(made, NOW) if age >= timedelta(days=90) else made


def tree(count: int) -> Iterator[bytes]:
    """A stream for ``git fast-import``: one commit with a whole memory root."""
    made = list(records(count))
    index = make_index(made, updated=NOW)
    files = {file_of(record): dumps(record) for record in made}
    files |= {"config.json": dumps(CONFIG), "index.json": dumps(index)}
    yield f"commit refs/heads/main\ncommitter bench <bench> {NOW.timestamp():.0f} +0000\n".encode()
    yield b"data 7\nmemory\n"
    for file, data in files.items():
        yield f"M 100644 inline {ROOT}/{file}\ndata {len(data)}\n".encode()
        yield data + b"\n"


def _streamed(count: int) -> Iterator[bytes]:
    """The stream, made by another process: the memory of this one counts as that of commands."""
    command = [sys.executable, "-m", "tests.benchmarks.memory", "--stream", "--records", f"{count}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        stream = process.stdout
        assert stream is not None
        yield from iter(lambda: stream.read(2**20), b"")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a memory root with many records.")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=1)
    parser.add_argument("--stream", action="store_true", help="only write the repository")
    options = parser.parse_args()
    if options.stream:
        sys.stdout.buffer.writelines(tree(options.records))
        return
    with bench() as here:
        here.fast_import(_streamed(options.records))
        blobs = here.top.with_name("blobs")
        blobs.write_bytes(here.output("ls-tree", "-r", "--format=%(objectname)", "HEAD"))
        overdue = iso(NOW + timedelta(days=60))
        commands = [
            Command("git cat-file --batch", ["git", "cat-file", "--batch"], feed=blobs),
            Command("kattest verify --rev HEAD", [KATTEST, "verify", "--rev", "HEAD"]),
            Command(
                "the same, most overdue",
                [KATTEST, "verify", "--rev", "HEAD", "--as-of", overdue],
                status=1,
            ),
            Command("kattest verify", [KATTEST, "verify", "--as-of", iso(NOW)]),
            Command(
                "kattest verify --staged", [KATTEST, "verify", "--staged", "--as-of", iso(NOW)]
            ),
        ]
        samples = here.measure(commands, options.runs, options.warm_up)
    show(table(samples, ["git cat-file --batch"], memory=True))


if __name__ == "__main__":
    main()
