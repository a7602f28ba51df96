"""Memory on the command line: --only, --require memory, statuses and the report's words."""

import json
from typing import Any

import pytest

from tests.cli.conftest import AS_OF, FILE, Run, Sandbox, forged_round
from tests.support.memory import ROOT, make_record, make_tree
from tests.support.rounds import ARTIFACT, dumps

SOURCES = [[], ["--staged"], ["--rev", "HEAD"]]
NOW = ("--as-of", AS_OF)
each_source = pytest.mark.parametrize("source", SOURCES, ids=str)


def report(sandbox: Sandbox, *arguments: str) -> dict[str, Any]:
    run = sandbox.kattest("verify", "--format", "json", *NOW, *arguments)
    assert run.err == ""
    document: dict[str, Any] = json.loads(run.out)
    return document


def codes(sandbox: Sandbox, *arguments: str) -> list[str]:
    return [finding["code"] for finding in report(sandbox, *arguments)["findings"]]


def refused(run: Run, *words: str) -> None:
    """That kattest refused, on standard error alone, in these words and with a remedy."""
    assert (run.status, run.out) == (2, "")
    assert "Traceback" not in run.err
    assert "what to do: " in run.err
    for word in words:
        assert word in run.err


def compared(sandbox: Sandbox) -> str:
    """The end of a last line: what was compared with."""
    return f", compared with HEAD ({sandbox.git('rev-parse', '--short=12', 'HEAD')})"


@pytest.fixture
def both(overdue: Sandbox) -> Sandbox:
    """An overdue record and a forged round: KA401 and KA101."""
    overdue.write("skill/SKILL.md", ARTIFACT)
    overdue.write(FILE, dumps(forged_round(path="SKILL.md")))
    overdue.commit()
    return overdue


# Statuses, and the last line.


@each_source
def test_an_honest_memory_is_status_0_and_its_records_are_counted(
    memory: Sandbox, source: list[str]
) -> None:
    run = memory.kattest("verify", *source, *NOW)
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith(f"{ROOT}\n  verified  2 records; by age: 2 hot\n\n")
    assert "\nok: " in run.out
    if source == ["--rev", "HEAD"]:  # the first commit: compared with nothing
        assert run.out.endswith(": 1 memory root, 2 records\n")
    else:
        assert run.out.endswith(f": 1 memory root, 2 records{compared(memory)}\n")


def test_an_overdue_record_is_status_1_and_the_report_says_since_when(overdue: Sandbox) -> None:
    run = overdue.kattest("verify", *NOW)
    assert (run.status, run.err) == (1, "")
    assert f"{ROOT}\n  FAILED    1 record; by age: 1 cold\n" in run.out
    assert "    overdue  1 record, the first since 2026-01-30T00:00:00Z\n" in run.out
    seen = f"1 memory root, 1 record{compared(overdue)}"
    assert run.out.endswith(f"\nFAILED: 1 error in the working tree: {seen}\n")


def test_a_warning_of_a_memory_fails_a_strict_check_alone(memory: Sandbox) -> None:
    memory.git("rm", "--quiet", f"{ROOT}/index.json")
    assert codes(memory) == ["KA301"]
    assert memory.kattest("verify", *NOW).status == 0
    assert memory.kattest("verify", *NOW, "--strict").status == 1


def test_rules_that_do_not_report_leave_the_verdict(overdue: Sandbox) -> None:
    for options in (["--ignore", "KA401"], ["--select", "KA3"]):
        run = overdue.kattest("verify", *NOW, *options)
        assert run.status == 0
        assert f"{ROOT}\n  FAILED    1 record" in run.out
        seen = f"1 memory root, 1 record{compared(overdue)} (1 memory root FAILED)"
        assert run.out.endswith(f": {seen}\n")


def test_quiet_prints_the_findings_of_a_memory_only(overdue: Sandbox) -> None:
    out = overdue.kattest("verify", "-q", *NOW).out.splitlines()
    assert len(out) == 2
    assert " error KA401 archive-overdue: " in out[0]
    assert out[1].startswith("    fix: ")


def test_what_both_parts_hold_is_counted_in_one_line(both: Sandbox) -> None:
    seen = "1 attestation file, 1 round, 3 attestations, 1 memory root, 1 record"
    seen += compared(both)
    assert both.kattest("verify", *NOW).out.endswith(
        f"\nFAILED: 2 errors in the working tree: {seen}\n"
    )


# --only


@each_source
def test_only_judges_one_part_of_the_protocol(both: Sandbox, source: list[str]) -> None:
    assert sorted(codes(both, *source)) == ["KA101", "KA401"]
    attested = report(both, *source, "--only", "attestations")
    assert [finding["code"] for finding in attested["findings"]] == ["KA101"]
    assert (attested["memory"], attested["counts"]["memory_roots"]) == ([], 0)
    assert (len(attested["rounds"]), attested["counts"]["records"]) == (1, 0)
    remembered = report(both, *source, "--only", "memory")
    assert [finding["code"] for finding in remembered["findings"]] == ["KA401"]
    assert (remembered["rounds"], remembered["counts"]["attestation_files"]) == ([], 0)
    assert (len(remembered["memory"]), remembered["counts"]["records"]) == (1, 1)


@pytest.mark.parametrize("part", ["attestations", "memory"])
def test_the_status_is_that_of_the_part(clean: Sandbox, part: str) -> None:
    for path, data in make_tree(make_record(), index=False).items():
        clean.write(path, data.replace(b'"reward_label": "good"', b'"reward_label": "failed"'))
    run = clean.kattest("verify", *NOW, "--only", part)
    assert run.status == (1 if part == "memory" else 0)
    other = {"attestations": ROOT, "memory": FILE}[part]
    assert other not in run.out


def test_only_needs_nothing_that_the_other_part_would_need(memory: Sandbox) -> None:
    memory.write(FILE, "{")
    run = memory.kattest("verify", *NOW, "--only", "memory", "--require", "memory")
    assert (run.status, run.err) == (0, "")
    assert "note:" not in run.out


@pytest.mark.parametrize(
    ("only", "required"),
    [
        ("memory", ["attestations"]),
        ("attestations", ["memory"]),
        ("memory", ["memory", "attestations"]),
    ],
    ids=str,
)
def test_requiring_what_only_leaves_out_is_refused(
    both: Sandbox, only: str, required: list[str]
) -> None:
    options = [option for part in required for option in ("--require", part)]
    refused(both.kattest("verify", "--only", only, *options), "--require", "--only")


@pytest.mark.parametrize("part", ["attestations", "memory"])
def test_what_only_names_can_be_required(both: Sandbox, part: str) -> None:
    assert both.kattest("verify", *NOW, "--only", part, "--require", part).status == 1


# --require


@each_source
def test_a_required_memory_that_is_there_is_no_fault(memory: Sandbox, source: list[str]) -> None:
    assert memory.kattest("verify", *source, *NOW, "--require", "memory").status == 0


@each_source
def test_a_required_memory_that_is_not_there_is_status_2(clean: Sandbox, source: list[str]) -> None:
    run = clean.kattest("verify", *source, "--require", "memory")
    refused(run, "--require memory", "no memory root")


def test_of_two_required_parts_each_must_be_there(clean: Sandbox) -> None:
    options = ("--require", "attestations", "--require", "memory")
    refused(clean.kattest("verify", *options), "--require memory")
    for path, data in make_tree(make_record()).items():
        clean.write(path, data)
    assert clean.kattest("verify", *NOW, *options).status == 0
    clean.git("rm", "-r", "--quiet", "skill")
    refused(clean.kattest("verify", *NOW, *options), "--require attestations")


def test_a_memory_elsewhere_does_not_meet_the_requirement(memory: Sandbox) -> None:
    memory.write("docs/README.md", "nothing to remember\n")
    refused(memory.kattest("verify", "docs", "--require", "memory"), "--require memory")


def test_an_empty_folder_of_a_memory_does_not_meet_the_requirement(sandbox: Sandbox) -> None:
    (sandbox.path / ROOT).mkdir(parents=True)
    refused(sandbox.kattest("verify", "--require", "memory"), "--require memory")
