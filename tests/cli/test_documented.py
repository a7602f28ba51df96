"""The examples of docs/writing.md, run as they stand there."""

import re
from pathlib import Path

from tests.cli.conftest import Sandbox
from tests.support.rounds import ARTIFACT

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/writing.md").read_text("utf-8")


def documented(marker: str) -> str:
    """The code block under a marker."""
    found = re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", GUIDE, re.DOTALL)
    assert found
    return found[1]


def test_the_library_does_what_its_example_says(sandbox: Sandbox) -> None:
    sandbox.write("skills/explore/SKILL.md", ARTIFACT)
    run = sandbox.python(documented("library"))
    assert run.status == 0, run.err
    verified = sandbox.kattest("verify", "--strict", "--require", "attestations")
    assert verified.status == 0, verified.out
