"""Many at once: nothing is lost, and everything counts once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Sandbox
from tests.crash.memories import given, records_in
from tests.crash.panels import judging, opened, rounds_in
from tests.crash.runner import Runner
from tests.crash.world import NOW, Command, Session, files_in
from tests.support.git import SKILL
from tests.support.memory import ROOT, make_index
from tests.support.rounds import ARTIFACT, HIGH_STAKES, RATIONALES

STORING = """
import json, sys, time
from pathlib import Path
from kattest.instant import Instant
from kattest.jsondoc import parse
from kattest.writing.memory import memory_of

values = [parse(line.encode()).value for line in Path(sys.argv[1]).read_text().splitlines()]
print("ready", flush=True)
sys.stdin.readline()
memory = memory_of(Path.cwd(), None, 300)
for value in values:
    (made,) = memory.store([value], Instant(int(time.time()))).records
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    assert made.document["timestamp"] <= now, (made.document["timestamp"], now)
"""
REWARDS = (1.0, 0.7, 0.3, 0.0)


def stored_exactly(session: Session, reasons: set[str]) -> None:
    files = files_in(session.top)
    records = [document for _, document in records_in(files)]
    assert sorted(one["reward_reason"] for one in records) == sorted(reasons)
    assert len({one["id"] for one in records}) == len(reasons)
    index = json.loads(files[f"{ROOT}/index.json"])
    for table in ("by_domain", "by_phase", "by_skill"):
        for said in index[table].values():  # to the places that the oracle has
            said["avg_reward"] = round(said["avg_reward"], 2)
    assert index == make_index(records)


@pytest.mark.slow
def test_32_processes_that_store_50_records_each_lose_none(
    template: Sandbox, runner: Runner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    processes, each = 32, 50
    reasons = set()
    started = []
    for number in range(processes):
        lines = tmp_path / f"{number}.jsonl"
        own = [f"{number}.{one}" for one in range(each)]
        reasons.update(own)
        slug = "shared" if number % 2 else f"case_{number}"
        values = [
            given(reason, slug=slug, reward=REWARDS[one % len(REWARDS)])
            for one, reason in enumerate(own)
        ]
        lines.write_text("".join(json.dumps(value) + "\n" for value in values))
        process = subprocess.Popen(
            [sys.executable, "-c", STORING, str(lines)],
            cwd=template.path,
            env=template.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    begin = time.perf_counter()
    for process in started:
        assert process.stdin is not None
        process.stdin.close()
    assert [process.wait() for process in started] == [0] * processes
    seconds = time.perf_counter() - begin
    for process in started:
        assert process.stdout is not None
        process.stdout.close()
    with capsys.disabled():
        rate = processes * each / seconds
        sys.stderr.write(f"\n{processes * each} records in {seconds:.1f} s: {rate:.0f}/s\n")
    session = Session(runner, template.path, NOW)
    stored_exactly(session, reasons)
    env = {name: value for name, value in template.env.items() if name != "SOURCE_DATE_EPOCH"}
    verified = Sandbox(template.path, env).kattest("verify", "--strict", "--require", "memory")
    assert verified.status == 0, verified


def test_commands_that_store_at_once_lose_nothing(template: Sandbox, runner: Runner) -> None:
    session = Session(runner, template.path, NOW)
    reasons = [f"number {number}" for number in range(12)]
    commands = [Command(("memory", "store"), json.dumps(given(reason))) for reason in reasons]
    done = runner.together([session.job(command) for command in commands])
    assert [one.status for one in done] == [0] * len(reasons)
    stored_exactly(session, {*reasons})
    assert session.verified("--require", "memory") == []


@pytest.fixture
def skilled(template: Sandbox, runner: Runner) -> Session:
    template.write(SKILL, ARTIFACT)
    template.commit()
    return Session(runner, template.path, NOW)


def test_the_five_judges_of_a_panel_may_judge_at_once(skilled: Session) -> None:
    panel = json.loads(skilled.run("attest", "open", SKILL, "--panel", "high-stakes").out)
    jobs = [
        skilled.job(
            Command(
                (
                    *("attest", "judge", panel["evaluation_id"], "--judge", judge),
                    *("--score", f"{number + 5}.0", "--rationale-file", "-"),
                ),
                rationale,
            )
        )
        for number, (judge, rationale) in enumerate(zip(HIGH_STAKES, RATIONALES, strict=False))
    ]
    done = skilled.runner.together(jobs)
    assert [one.status for one in done] == [0] * 5
    assert skilled.run("attest", "close", panel["evaluation_id"]).status == 1  # 5.0 to 9.0
    meta = ("--judge", "meta-judge", "--score", "7.0", "--rationale-file", "-")
    assert skilled.must("attest", "judge", panel["evaluation_id"], *meta, stdin=RATIONALES[5]) == []
    assert skilled.must("attest", "close", panel["evaluation_id"]) == []
    (made,) = rounds_in(files_in(skilled.top))
    attestations = made["attestations"]
    assert isinstance(attestations, list)
    hashes = [one["evaluation_hash"] for one in attestations[:5]]
    assert hashes == [one.out.strip() for one in done]
    assert skilled.verified("--require", "attestations") == []


def test_of_two_who_race_for_a_seat_one_gets_it(skilled: Session) -> None:
    panel = opened(skilled)
    jobs = [skilled.job(judging(panel, "critic")._replace(stdin=text)) for text in RATIONALES[:2]]
    done = skilled.runner.together(jobs)
    assert sorted(one.status for one in done) == [0, 2]
    for judge in ("domain-expert", "completeness-auditor"):
        assert skilled.must(*judging(panel, judge).args, stdin=RATIONALES[3] + judge) == []
    jobs = [skilled.job(Command(("attest", "close", panel)))] * 2
    assert sorted(one.status for one in skilled.runner.together(jobs)) == [0, 2]
    rounds = rounds_in(files_in(skilled.top))
    assert len(rounds) == 1
    winner = next(text for one, text in zip(done, RATIONALES, strict=False) if one.status == 0)
    assert winner in json.dumps(rounds[0])
    assert os.listdir(skilled.top / ".git/kattest/panels") == []
