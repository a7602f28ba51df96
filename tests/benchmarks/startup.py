"""What a person feels: kattest on one attestation file beside check-jsonschema on one file.

python -m tests.benchmarks.startup [--runs 40]
"""

import argparse
import sys

from tests.benchmarks.measure import CHECK_JSONSCHEMA, KATTEST, SCHEMA, Command, bench, show, table
from tests.support.rounds import ARTIFACT, dumps, make_round

FILE = "skill/.judge-attestations.json"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure start-up.")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--warm-up", type=int, default=5)
    options = parser.parse_args()
    with bench() as here:
        schema = here.top.with_name("schema.json")
        schema.write_text(SCHEMA)
        (here.top / "skill").mkdir()
        (here.top / "README.md").write_text("A repository with one skill\n")
        here.git("add", "README.md")
        here.git("commit", "--quiet", "--message", "the state before")
        (here.top / "skill/SKILL.md").write_bytes(ARTIFACT)
        (here.top / FILE).write_bytes(dumps(make_round(path="SKILL.md")))
        here.git("add", "skill")
        python = sys.executable
        commands = [
            Command("check-jsonschema", [CHECK_JSONSCHEMA, "--schemafile", str(schema), FILE]),
            Command("kattest verify", [KATTEST, "verify"]),
            Command("kattest verify --staged", [KATTEST, "verify", "--staged"]),
            Command("kattest --version", [KATTEST, "--version"]),
            Command("import typer, pygit2", [python, "-c", "import typer, pygit2"]),
            Command("python -c pass", [python, "-c", "pass"]),
        ]
        samples = here.measure(commands, options.runs, options.warm_up)
    show(table(samples, ["check-jsonschema", "import typer, pygit2"]))


if __name__ == "__main__":
    main()
