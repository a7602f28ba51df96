"""The text report: golden texts, and what holds for all of them."""

import itertools
import re
import subprocess
import sys

import pytest

from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.result import SourceKind
from tests.report.regenerate import differences
from tests.report.scenario import COMMIT, Scenario
from tests.report.scenarios import GOLDEN, SCENARIOS, golden_texts
from tests.support.rounds import ARTIFACT, dumps, make_round

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


# What a report without -v says instead of the rest of a long list.
MORE = re.compile(r"    and (\d+) more (KA\d{3}) like it: -v lists them")

# A verified round without findings: id, final score, and each judge with a score.
PLAIN = re.compile(r"  verified  (\S+)  ([\d.]+)  \((.+)\)")


@every_scenario
def test_verbose_only_adds_to_the_lines_of_the_whole_report(name: str) -> None:
    """But for verified rounds without findings, whose one line becomes a block that says it all,
    and for what it says of a list that is cut off.
    """
    verbose = rendered(name, Detail.VERBOSE).splitlines()
    for line in rendered(name, Detail.NORMAL).splitlines():
        if plain := PLAIN.fullmatch(line):
            block = block_of(f"  verified  {plain[1]}", verbose)
            assert re.fullmatch(rf"    final score +{re.escape(plain[2])}", block[-2])
            judges = [re.escape(judge) for judge in plain[3].split(", ")]
            for shown, judge in zip(block[2:-2], judges, strict=True):
                assert re.match(judge.replace(r"\ ", " +") + "  +ok  ", shown.lstrip())
        elif not MORE.fullmatch(line):
            assert any(more.startswith(line) for more in verbose)


def block_of(title: str, lines: list[str]) -> list[str]:
    """The lines below ``title``, as far as they are indented deeper."""
    below = lines[lines.index(title) + 1 :]
    return list(itertools.takewhile(lambda line: line.startswith("    "), below))


@every_scenario
def test_a_verified_round_without_findings_is_one_line_and_no_other_is(name: str) -> None:
    report = SCENARIOS[name].report()
    plain = [
        (found.evaluation_id, found.final_score, [f"{j.judge_id} {j.score}" for j in found.judges])
        for found in report.rounds
        if found.status == "verified" and not found.codes and not any(j.codes for j in found.judges)
    ]
    lines = rendered(name, Detail.NORMAL).splitlines()
    matches = [match for line in lines if (match := PLAIN.fullmatch(line))]
    assert [(match[1], match[2], match[3].split(", ")) for match in matches] == plain
    whole = [line for line in lines if line.startswith("    artifact   ")]
    assert len(whole) == len(report.rounds) - len(plain)
    verbose = rendered(name, Detail.VERBOSE).splitlines()
    assert not any(PLAIN.fullmatch(line) for line in verbose)
    whole = [line for line in verbose if line.startswith("    artifact   ")]
    assert len(whole) == len(report.rounds)


@every_scenario
def test_findings_come_in_the_order_of_their_places(name: str) -> None:
    report = SCENARIOS[name].report()
    expected = sorted(
        (f.location.path, f.location.line or 0, f.location.column or 0, f.rule.code)
        for f in report.findings
    )
    assert places(rendered(name, Detail.VERBOSE)) == expected
    for detail in Detail.NORMAL, Detail.QUIET:
        text = rendered(name, detail)
        if not MORE.search(text):
            assert places(text) == expected


@every_scenario
def test_of_one_rule_in_one_memory_root_the_first_three_are_shown_and_the_rest_is_counted(
    name: str,
) -> None:
    for detail in Detail.NORMAL, Detail.QUIET:
        text = rendered(name, detail)
        shown = [code for *_, code in places(text)]
        everything = [code for *_, code in places(rendered(name, Detail.VERBOSE))]
        left_out = {match[2]: int(match[1]) for match in MORE.finditer(text)}
        for code in everything:
            assert shown.count(code) + left_out.get(code, 0) == everything.count(code)
        assert all(shown.count(code) == 3 for code in left_out)
        assert [line for line in text.splitlines() if " more KA" in line] == [
            match[0] for match in MORE.finditer(text)
        ]


def test_an_overdue_tree_is_shown_by_three_of_its_records_and_listed_on_request() -> None:
    normal, verbose = (rendered("memory-overdue", d) for d in (Detail.NORMAL, Detail.VERBOSE))
    assert normal.count(" error KA401 ") == 3
    assert "\n    and 9 more KA401 like it: -v lists them\n" in normal
    assert normal.count(" error KA402 ") == 2
    assert verbose.count(" error KA401 ") == 12
    assert " more " not in verbose


def test_findings_of_several_files_come_in_the_order_of_their_places() -> None:
    """By numbers: line 100 is after line 20, wherever its pointer is sorted."""
    broken = make_round()
    for attestation in broken["attestations"]:
        attestation["score"] = 99.25
    broken["another"] = broken["one more"] = 1
    file = dumps(*[broken] * 12)
    files = {f"{folder}/.judge-attestations.json": file for folder in ("b", "a", "B", "a-b", "a/b")}
    report = Scenario(files).report()
    text = text_report.render(report, colour=False, detail=Detail.NORMAL)
    shown = places(text)
    assert len(shown) == len(report.findings) > 100
    assert shown == sorted(shown)
    assert [place for place in shown if place[1] > 100]
    assert not MORE.search(text)


def places(text: str) -> list[tuple[str, int, int, str]]:
    """Path, line, column and code of each finding, as they come."""
    found = re.findall(
        r"^([^\s:]+)(?::(\d+):(\d+))?: (?:error|warning|info) (KA\d{3}) ", text, re.MULTILINE
    )
    return [(path, int(line or 0), int(column or 0), code) for path, line, column, code in found]


@pytest.mark.parametrize(
    ("name", "codes", "what"),
    [
        ("forged-ignored", "KA101", "round"),
        ("forged-off", "KA101", "round"),
        ("memory-overdue-ignored", "KA401, KA402", "memory root"),
    ],
)
def test_what_breaks_a_rule_that_does_not_report_has_failed_all_the_same(
    name: str, codes: str, what: str
) -> None:
    lines = rendered(name, Detail.NORMAL).splitlines()
    assert sum(line.startswith("  FAILED    ") for line in lines) == 1
    assert f"note: these rules did not report: {codes}" in lines
    assert lines[-1].startswith("ok: ")
    assert lines[-1].endswith(f" (1 {what} FAILED)")
    assert rendered(name, Detail.QUIET) == ""


def test_where_all_that_was_judged_is_gone_it_has_failed_all_the_same() -> None:
    """Nothing is left to check, and that is the fault."""
    published = {"a/.judge-attestations.json": dumps(make_round()), "a/SKILL.md": ARTIFACT}
    report = Scenario({"a/SKILL.md": ARTIFACT}, base=published).report()
    assert [finding.rule.code for finding in report.findings] == ["KA503"]
    for detail in Detail:
        text = text_report.render(report, colour=False, detail=detail)
        assert ": error KA503 " in text
        if detail is not Detail.QUIET:
            last = text.splitlines()[-1]
            assert last == "FAILED: 1 error in the working tree: no document"
            assert "nothing to check" not in text


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
    counts = report.counts
    if not counts.attestation_files and not counts.memory_roots:
        assert last.startswith("nothing to check: ")
        return
    assert last.startswith("ok: " if report.ok else "FAILED")
    source = {
        SourceKind.WORKTREE: "the working tree",
        SourceKind.INDEX: "what is staged",
        SourceKind.COMMIT: f"commit {COMMIT[:12]}",
        SourceKind.RANGE: f"3 commits up to {COMMIT[:12]}",
    }[report.source.kind]
    assert f" {source}: " in last
    for parent, count, noun in (
        (counts.attestation_files, counts.attestation_files, "attestation file"),
        (counts.attestation_files, counts.rounds, "round"),
        (counts.attestation_files, counts.attestations, "attestation"),
        (counts.memory_roots, counts.memory_roots, "memory root"),
        (counts.memory_roots, counts.records, "record"),
    ):
        said = re.search(rf"\b{count} {noun}{'' if count == 1 else 's'}\b", last)
        assert bool(said) is bool(parent)


@every_scenario
def test_what_the_tree_was_compared_with_ends_the_last_line(name: str) -> None:
    source = SCENARIOS[name].report().source
    last = rendered(name, Detail.NORMAL).splitlines()[-1]
    compared = f", compared with {source.base_name} ({(source.base or '')[:12]})"
    assert (compared in last) is (source.base is not None)


@every_scenario
def test_where_the_configuration_came_from_is_said_but_for_the_defaults(name: str) -> None:
    source = SCENARIOS[name].report().source
    lines = rendered(name, Detail.NORMAL).splitlines()
    said = [line for line in lines if line.startswith("note: configuration: ")]
    origin = source.config_from
    assert said == ([f"note: configuration: {origin}"] if origin else [])


@every_scenario
def test_brief_is_the_findings_and_what_they_come_to(name: str) -> None:
    quiet, brief = rendered(name, Detail.QUIET), rendered(name, Detail.BRIEF)
    assert brief.startswith(quiet)
    rest = brief.removeprefix(quiet)
    assert rendered(name, Detail.NORMAL).endswith(rest)
    *notes, last = rest.splitlines()
    assert last == rendered(name, Detail.NORMAL).splitlines()[-1]
    assert all(not note or note.startswith("note: ") for note in notes)


@every_scenario
def test_each_finding_has_its_place_severity_code_and_name_on_one_line(name: str) -> None:
    lines = rendered(name, Detail.VERBOSE).splitlines()
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
        if finding.severity == "error" and finding.location.path in report.files:
            assert finding.rule.code in blocks


@every_scenario
def test_every_memory_root_has_its_verdict_and_its_number_of_records(name: str) -> None:
    text = rendered(name, Detail.NORMAL)
    for root in SCENARIOS[name].report().memory:
        verdict = "FAILED  " if root.status == "failed" else "verified"
        number = {0: "no record", 1: "1 record"}.get(root.records, f"{root.records} records")
        assert f"{root.path}\n  {verdict}  {number}" in text


def rendered(name: str, detail: Detail) -> str:
    return text_report.render(SCENARIOS[name].report(), colour=False, detail=detail)
