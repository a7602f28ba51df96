"""Many attestation files in one repository: time and memory, beside git and check-jsonschema.

python -m tests.benchmarks.many [--files 1000] [--runs 5]
"""

import argparse
from collections.abc import Iterator

from tests.benchmarks.measure import CHECK_JSONSCHEMA, KATTEST, SCHEMA, Command, bench, show, table
from tests.support.rounds import dumps, make_round


def skills(count: int) -> Iterator[bytes]:
    """A stream for ``git fast-import``: one commit with ``count`` skills, each judged once."""
    yield b"commit refs/heads/main\ncommitter bench <bench> 1000000000 +0000\n"
    yield b"data 10\nall skills\n"
    for number in range(count):
        folder = f"skills/{number % 50:02}/{number:05}"
        artifact = f"# Skill {number}\n".encode() + b"It does what its name says.\n" * 50
        document = dumps(make_round(evaluation_id=f"{number}", path="SKILL.md", artifact=artifact))
        for name, content in (("SKILL.md", artifact), (".judge-attestations.json", document)):
            yield f"M 100644 inline {folder}/{name}\ndata {len(content)}\n".encode()
            yield content + b"\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure many attestation files.")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=1)
    options = parser.parse_args()
    with bench() as here:
        here.fast_import(skills(options.files))
        names = sorted(str(p) for p in here.top.glob("skills/*/*/.judge-attestations.json"))
        blobs, schema = here.top.with_name("blobs"), here.top.with_name("schema.json")
        blobs.write_text(
            "".join(
                f"HEAD:{p.relative_to(here.top)}\n" for p in sorted(here.top.glob("skills/*/*/*"))
            )
        )
        schema.write_text(SCHEMA)
        commands = [
            Command("git cat-file --batch", ["git", "cat-file", "--batch"], feed=blobs),
            Command("check-jsonschema", [CHECK_JSONSCHEMA, "--schemafile", str(schema), *names]),
            Command("kattest verify", [KATTEST, "verify"]),
            Command("kattest verify -q", [KATTEST, "verify", "-q"]),
            Command("kattest verify --staged", [KATTEST, "verify", "--staged"]),
            Command("kattest verify --rev HEAD", [KATTEST, "verify", "--rev", "HEAD"]),
            Command("kattest, JSON", [KATTEST, "verify", "--format", "json"]),
        ]
        samples = here.measure(commands, options.runs, options.warm_up)
    show(table(samples, ["git cat-file --batch", "check-jsonschema"], memory=True))


if __name__ == "__main__":
    main()
