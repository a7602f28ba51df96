"""What an agent does all day, in a shell, and what is in the repository afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.oracles.protocol import run_script
from tests.support.git import ATTESTATIONS, FOLDER, Repo, run
from tests.support.memory import ROOT, make_index
from tests.support.rounds import sha256

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("agent.sh")
STANDARD = ["domain-expert", "critic", "completeness-auditor"]


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_an_agent_writes_what_stands(empty: Repo, shell: str) -> None:
    done = run(shell, SCRIPT, cwd=empty.top, env=empty.env)
    assert done.status == 0, done
    assert "Traceback" not in done.stderr, done
    assert empty.git("status", "--porcelain") == ""
    first, second = json.loads((empty.top / ATTESTATIONS).read_bytes())["evaluations"]
    judges = [[one["judge_id"] for one in found["attestations"]] for found in (first, second)]
    assert judges == [STANDARD, [*STANDARD, "meta-judge"]]
    assert (first["final_score"], second["final_score"]) == (7.93, 6.5)
    for found, commit in ((first, "HEAD^"), (second, "HEAD")):
        artifact = empty.git("show", f"{commit}:{found['artifact_path']}") + "\n"
        assert found["artifact_hash"] == f"sha256:{sha256(artifact)}"
    assert run_script(empty.top / FOLDER).count("PASS: ") == 2
    (file,) = (empty.top / ROOT).glob("banking/*/*.json")
    record = json.loads(file.read_bytes())
    assert (record["reward"], record["reward_label"]) == (0.7, "good")
    assert json.loads((empty.top / ROOT / "index.json").read_bytes()) == make_index([record])


def test_the_hook_that_the_agent_installed_refuses_a_forged_score(empty: Repo) -> None:
    assert run("sh", SCRIPT, cwd=empty.top, env=empty.env).status == 0
    head = empty.git("rev-parse", "HEAD")
    file = empty.top / ATTESTATIONS
    file.write_bytes(file.read_bytes().replace(b'"score": 4.0', b'"score": 9.0'))
    done = empty.try_git("commit", "--all", "--message", "forged")
    assert done.status != 0
    assert "KA101" in done.stdout + done.stderr
    assert empty.git("rev-parse", "HEAD") == head
