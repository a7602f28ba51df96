"""Time commands side by side, in one run, interleaved: what the benchmarks share."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

TOOLS = Path(sys.executable).parent
KATTEST = str(TOOLS / "kattest")
CHECK_JSONSCHEMA = str(TOOLS / "check-jsonschema")

SCHEMA = """{
  "type": "object",
  "required": ["evaluations"],
  "properties": {"evaluations": {"type": "array", "items": {
    "type": "object",
    "required": ["evaluation_id", "artifact_path", "artifact_hash", "attestations"],
    "properties": {"attestations": {"type": "array", "items": {
      "type": "object",
      "required": ["judge_id", "score", "evaluation_hash", "previous_attestation_hash"],
      "properties": {"score": {"type": "number", "minimum": 0, "maximum": 10}}
    }}}
  }}}
}
"""


class Command(NamedTuple):
    """One of the things to compare. ``status`` is the exit status that it must have."""

    name: str
    args: Sequence[str]
    status: int = 0
    feed: Path | None = None


class Sample(NamedTuple):
    """One run: wall-clock seconds, and the largest resident memory in MiB."""

    seconds: float
    mebibytes: float


def environment(home: Path) -> dict[str, str]:
    """An environment in which git and kattest see nothing of the user's own configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {
        f"GIT_{role}_{what}": "bench"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return {**kept, **git, **who, "HOME": str(home), "XDG_CONFIG_HOME": str(home)}


class Bench:
    """A temporary repository and the means to measure in it."""

    def __init__(self, home: Path) -> None:
        self.top = home / "repository"
        self.top.mkdir()
        self._env = environment(home)
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *args: str, feed: bytes | None = None) -> None:
        subprocess.run(["git", *args], cwd=self.top, env=self._env, input=feed, check=True)

    def output(self, *args: str) -> bytes:
        """What git says to ``args``."""
        command = ["git", *args]
        return subprocess.run(
            command, cwd=self.top, env=self._env, check=True, capture_output=True
        ).stdout

    def fast_import(self, stream: Iterator[bytes]) -> None:
        """Feed ``stream`` to ``git fast-import`` piece by piece, then check main out."""
        command = ["git", "fast-import", "--quiet", "--done"]
        process = subprocess.Popen(command, cwd=self.top, env=self._env, stdin=subprocess.PIPE)
        assert process.stdin
        process.stdin.writelines(stream)
        process.stdin.write(b"done\n")
        process.stdin.close()
        if process.wait():
            sys.exit("git fast-import failed")
        self.git("repack", "-a", "-d", "--quiet")
        self.git("reset", "--quiet", "--hard", "main")

    def sample(self, command: Command) -> Sample:
        """Run ``command`` once, its output thrown away."""
        with open(command.feed or os.devnull, "rb") as feed:
            start = time.perf_counter()
            process = subprocess.Popen(
                command.args,
                cwd=self.top,
                env=self._env,
                stdin=feed,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            _, state, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(state)
        if process.returncode != command.status:
            sys.exit(f"{command.name}: exit status {process.returncode}, not {command.status}")
        unit = 2**20 if sys.platform == "darwin" else 2**10
        return Sample(seconds, usage.ru_maxrss / unit)

    def measure(
        self, commands: Sequence[Command], runs: int, warm_up: int
    ) -> Mapping[str, list[Sample]]:
        """``runs`` samples of each command after ``warm_up`` ones that do not count.

        One of each at a time, beginning with another one each time, so that whatever slows the
        machine down for a while slows all of them down.
        """
        samples: dict[str, list[Sample]] = {command.name: [] for command in commands}
        for number in range(-warm_up, runs):
            first = number % len(commands)
            for command in (*commands[first:], *commands[:first]):
                sample = self.sample(command)
                if number >= 0:
                    samples[command.name].append(sample)
        return samples


@contextmanager
def bench() -> Iterator[Bench]:
    """A Bench that is removed afterwards."""
    home = Path(tempfile.mkdtemp(prefix="kattest-bench-"))
    try:
        yield Bench(home)
    finally:
        shutil.rmtree(home)


def table(
    samples: Mapping[str, list[Sample]], references: Sequence[str], *, memory: bool = False
) -> Iterator[str]:
    """Lines with each command's median and quartiles, and its ratio to each reference.

    A ratio is the median of the ratios within each round of runs, not a ratio of medians.
    """
    width = max(map(len, samples))
    shown = [f"/ {name}" for name in references]
    head = f"{'':{width}}  {'median':>9}  {'quartiles':>17}"
    yield head + ("  peak MiB" if memory else "") + "".join(f"  {name}" for name in shown)
    for name, own in samples.items():
        times = [sample.seconds for sample in own]
        low, _, high = statistics.quantiles(times, n=4) if len(times) > 1 else times * 3
        line = f"{name:{width}}  {_ms(statistics.median(times)):>9}  {_ms(low):>8} {_ms(high):>8}"
        if memory:
            line += f"  {max(sample.mebibytes for sample in own):8.0f}"
        for reference, title in zip(references, shown, strict=True):
            pairs = zip(own, samples[reference], strict=True)
            ratio = statistics.median(one.seconds / other.seconds for one, other in pairs)
            line += f"  {ratio:{len(title)}.2f}"
        yield line


def show(lines: Iterator[str]) -> None:
    """Print ``lines``."""
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
