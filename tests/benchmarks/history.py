"""How the search of a long history grows with the rounds that need it: it should not.

    python -m tests.benchmarks.history [--commits 20000] [--runs 5]

The artifact changes in one commit of a hundred, other files in all others. One round of each
attestation file judged bytes that no version ever had, so that the whole history is searched.
"""

import argparse
from collections.abc import Iterator
from typing import Any

from tests.benchmarks.measure import KATTEST, Command, bench, show, table
from tests.support.rounds import dumps, make_round

ROUNDS = (1, 10, 100)
REFERENCES = ("git rev-list HEAD --count", "git log -- SKILL.md")
EVERY = 100  # commits between two versions of the artifact


def history(commits: int) -> Iterator[bytes]:
    """A stream for ``git fast-import``: one file changed by each commit."""
    for number in range(commits):
        path, content = b"SKILL.md", version(number)
        if number % EVERY:
            path = b"docs/%02d/%02d.md" % (number % 29, number % 17)
            content = b"page, as of commit %d\n" % number
        yield b"commit refs/heads/main\ncommitter bench <bench> %d +0000\n" % (10**9 + number * 60)
        yield b"data 8\na change\n"
        yield b"M 100644 inline %s\ndata %d\n%s\n" % (path, len(content), content)


def version(number: int) -> bytes:
    """The artifact as it was from the commit with this number on."""
    return b"# A skill\n\nIts version is %d.\n" % number


def rounds(count: int, commits: int) -> list[dict[str, Any]]:
    """``count`` rounds: one of bytes that never were, the others of versions all over the past."""
    step = max(1, commits // EVERY // count)
    versions = [b"never committed\n", *(version(n * step * EVERY) for n in range(count - 1))]
    return [
        make_round(evaluation_id=f"round-{number}", artifact=artifact)
        for number, artifact in enumerate(versions)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the search of the history.")
    parser.add_argument("--commits", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=1)
    options = parser.parse_args()
    with bench() as here:
        here.fast_import(history(options.commits))
        commands = [
            Command(REFERENCES[0], ["git", "rev-list", "HEAD", "--count"]),
            Command(REFERENCES[1], ["git", "log", "--oneline", "--", "SKILL.md"]),
        ]
        for count in ROUNDS:
            (here.top / f"{count}").mkdir()
            file = here.top / f"{count}/.judge-attestations.json"
            file.write_bytes(dumps(*rounds(count, options.commits)))
            # Each is judged alone, and all of them name the one artifact at the top.
            args = [KATTEST, "verify", f"{count}", "--ignore", "KA135"]
            commands.append(Command(f"kattest verify, rounds: {count}", args, status=1))
        show(table(here.measure(commands, options.runs, options.warm_up), REFERENCES))
        here.git("add", ".")
        here.git("commit", "--quiet", "--message", "the rounds")
        args = [KATTEST, "verify", "--staged", "--ignore", "KA135"]
        commands = [*commands[: len(REFERENCES)], Command("kattest verify --staged", args)]
        show(iter(["", "Staged, with all these rounds in HEAD already:"]))
        show(table(here.measure(commands, options.runs, options.warm_up), REFERENCES))


if __name__ == "__main__":
    main()
