"""The text report: golden texts, and what holds for all of them."""

import re
import subprocess
import sys

import pytest

from kattest.report import text as text_report
from kattest.report.text import Detail
from tests.report.regenerate import differences
from tests.report.scenarios import GOLDEN, SCENARIOS, golden_texts

every_scenario = pytest.mark.parametrize("name", SCENARIOS)


@pytest.mark.parametrize("name", sorted(golden_texts()))
def test_a_report_reads_as_it_was_approved(name: str) -> None:
    """After a change that is meant: ``python -m tests.report.regenerate``, and read the diff."""
    assert golden_texts()[name] == (GOLDEN / name).read_text("utf-8")


def test_there_is_a_golden_text_for_each_report_and_no_other() -> None:
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(golden_texts())


def test_regenerating_would_change_nothing() -> None:
    assert list(differences()) == []
    command = [sys.executable, "-m", "tests.report.regenerate", "--check"]
    assert subprocess.run(command, cwd=GOLDEN.parents[2], check=False).returncode == 0


@every_scenario
def test_quiet_is_the_findings_of_the_whole_report_word_for_word(name: str) -> None:
    quiet, normal = rendered(name, Detail.QUIET), rendered(name, Detail.NORMAL)
    assert quiet in normal
    assert quiet.count("\n    fix: ") == len({f.rule for f in SCENARIOS[name].report().findings})


@every_scenario
def test_verbose_only_adds_to_the_lines_of_the_whole_report(name: str) -> None:
    verbose = rendered(name, Detail.VERBOSE).splitlines()
    assert all(
        any(more.startswith(line) for more in verbose)
        for line in rendered(name, Detail.NORMAL).splitlines()
    )


@every_scenario
def test_colours_change_nothing_but_colours(name: str) -> None:
    for detail in Detail:
        report = SCENARIOS[name].report()
        coloured = text_report.render(report, colour=True, detail=detail)
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == rendered(name, detail)
        for line in coloured.splitlines():
            assert line.count("\x1b[0m") * 2 == line.count("\x1b[")


@every_scenario
def test_the_last_line_gives_the_verdict_the_source_and_the_counts(name: str) -> None:
    report = SCENARIOS[name].report()
    last = rendered(name, Detail.NORMAL).splitlines()[-1]
    if not report.counts.attestation_files:
        assert last.startswith("nothing to check: ")
        return
    assert last.startswith("ok: " if report.ok else "FAILED")
    assert re.search(r"(the working tree|the index|commit [0-9a-f]{12})", last)
    for count, noun in (
        (report.counts.attestation_files, "attestation file"),
        (report.counts.rounds, "round"),
        (report.counts.attestations, "attestation"),
    ):
        assert re.search(rf"\b{count} {noun}{'' if count == 1 else 's'}\b", last)


@every_scenario
def test_each_finding_has_its_place_severity_code_and_name_on_one_line(name: str) -> None:
    lines = rendered(name, Detail.NORMAL).splitlines()
    for finding in SCENARIOS[name].report().findings:
        label = f": {finding.severity} {finding.rule.code} {finding.rule.name}: "
        assert any(label in line and line.startswith(finding.location.path) for line in lines)


@every_scenario
def test_no_line_ends_in_white_space(name: str) -> None:
    for detail in Detail:
        assert [line for line in rendered(name, detail).splitlines() if line != line.rstrip()] == []


@every_scenario
def test_every_failed_round_shows_why_beside_it(name: str) -> None:
    """Whoever sees FAILED looks at the lines below it: the code of each error has to be there."""
    report = SCENARIOS[name].report()
    if not any(found.status == "failed" for found in report.rounds):
        return
    blocks = rendered(name, Detail.NORMAL).partition("\n\n")[0]
    for finding in report.findings:
        if finding.severity == "error":
            assert finding.rule.code in blocks


def rendered(name: str, detail: Detail) -> str:
    return text_report.render(SCENARIOS[name].report(), colour=False, detail=detail)
