"""Every option of ``kattest verify``: what it does, what it refuses."""

import json
import shutil
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.cli.conftest import AS_OF, FILE, Run, Sandbox, committed, forged_round
from tests.support.rounds import ARTIFACT, dumps, make_round


def report(run: Run) -> dict[str, Any]:
    """The JSON report of a run."""
    assert run.err == ""
    document: dict[str, Any] = json.loads(run.out)
    return document


def codes(run: Run) -> list[str]:
    return [finding["code"] for finding in report(run)["findings"]]


def refused(run: Run, *words: str) -> None:
    """That kattest refused, on standard error alone, in these words."""
    assert (run.status, run.out) == (2, "")
    assert "Traceback" not in run.err
    for word in words:
        assert word in run.err


# --staged, --rev, and the working tree


def test_the_working_tree_is_what_is_on_disk_not_what_is_staged(clean: Sandbox) -> None:
    clean.write(FILE, dumps(forged_round(path="SKILL.md")))
    assert clean.kattest("verify").status == 1
    assert clean.kattest("verify", "--staged").status == 0
    assert clean.kattest("verify", "--rev", "HEAD").status == 0


def test_staged_is_what_the_commit_would_hold_not_what_is_on_disk(clean: Sandbox) -> None:
    honest = make_round(path="SKILL.md")
    clean.write(FILE, dumps(honest, forged_round(path="SKILL.md", evaluation_id="forged")))
    clean.git("add", FILE)
    clean.write(FILE, dumps(honest))
    assert clean.kattest("verify").status == 0
    run = clean.kattest("verify", "--staged")
    assert run.status == 1
    head = clean.git("rev-parse", "--short=12", "HEAD")
    assert run.out.endswith(
        "FAILED: 1 error in what is staged: 1 attestation file, 2 rounds, 6 attestations, "
        f"compared with HEAD ({head})\n"
    )


def test_an_untracked_attestation_file_is_judged_in_the_working_tree_only(clean: Sandbox) -> None:
    clean.write("new/.judge-attestations.json", "{}")
    assert report(clean.kattest("verify", "--format", "json"))["counts"]["attestation_files"] == 2
    staged = report(clean.kattest("verify", "--staged", "--format", "json"))
    assert staged["counts"]["attestation_files"] == 1


def test_rev_is_that_commit_whatever_came_later(forged: Sandbox) -> None:
    first = forged.git("rev-parse", "HEAD")
    forged.git("rm", "-r", "--quiet", "skill")
    committed(forged, make_round(path="SKILL.md", evaluation_id="another"))
    assert forged.kattest("verify", "--rev", "HEAD").status == 1, "the first is lost"
    forged.commit()
    assert forged.kattest("verify", "--rev", "HEAD").status == 0
    run = forged.kattest("verify", "--rev", "HEAD~2")
    assert run.status == 1
    assert f"in commit {first[:12]}: 1 attestation file" in run.out


# What names a commit, and what does not: tests/git/test_rev.py.


def test_the_source_and_its_base_are_named(clean: Sandbox) -> None:
    parent = clean.git("rev-parse", "HEAD")
    head = clean.commit()
    for options, source in (
        ([], {"kind": "worktree", "rev": None, "base": head}),
        (["--staged"], {"kind": "index", "rev": None, "base": head}),
        (["--rev", "HEAD"], {"kind": "commit", "rev": head, "base": parent}),
        (["--rev", "HEAD~1"], {"kind": "commit", "rev": parent, "base": None}),
    ):
        run = clean.kattest("verify", *options, "--format", "json")
        assert report(run)["source"] == source


def test_before_the_first_commit_there_is_no_base(sandbox: Sandbox) -> None:
    sandbox.write("SKILL.md", ARTIFACT)
    sandbox.write(".judge-attestations.json", dumps(make_round()))
    sandbox.git("add", "--all")
    run = sandbox.kattest("verify", "--staged", "--format", "json")
    assert run.status == 0
    assert report(run)["source"] == {"kind": "index", "rev": None, "base": None}


def test_staged_and_rev_exclude_each_other(clean: Sandbox) -> None:
    refused(clean.kattest("verify", "--staged", "--rev", "HEAD"), "--staged", "--rev")


@pytest.mark.parametrize("option", ["--staged", "--rev=HEAD"])
def test_outside_a_repository_only_the_folder_itself_can_be_judged(
    sandbox: Sandbox, option: str
) -> None:
    committed(sandbox, make_round(path="SKILL.md"))
    shutil.rmtree(sandbox.path / ".git")
    refused(sandbox.kattest("verify", option), "is in no git repository", "what to do")
    run = sandbox.kattest("verify")
    assert run.status == 0
    assert "note: this folder is in no repository: no history\n" in run.out


# PATH


@pytest.fixture
def two(sandbox: Sandbox) -> Sandbox:
    """An honest skill in ``good/`` whose artifact is at the top, and a forged one in ``bad/``."""
    sandbox.write("shared.md", ARTIFACT)
    sandbox.write(
        "good/.judge-attestations.json", dumps(make_round(path="shared.md", evaluation_id="good"))
    )
    sandbox.write("bad/SKILL.md", ARTIFACT)
    sandbox.write(
        "bad/.judge-attestations.json",
        dumps(forged_round(path="bad/SKILL.md", evaluation_id="bad")),
    )
    sandbox.write("docs/README.md", "nothing to judge here\n")
    sandbox.commit()
    return sandbox


# Every way to write a path: tests/git/test_repositories.py.


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ([], "good"),
        ([], "shared.md"),
        (["--staged"], "docs/../good/.judge-attestations.json"),
        (["--rev", "HEAD"], "shared.md"),
    ],
    ids=str,
)
def test_a_path_narrows_what_is_judged_but_not_what_it_refers_to(
    two: Sandbox, source: list[str], path: str
) -> None:
    run = two.kattest("verify", *source, "--format", "json", path)
    assert run.status == 0
    assert [(found["evaluation_id"], found["artifact"]) for found in report(run)["rounds"]] == [
        ("good", "current")
    ]


def test_a_path_of_an_artifact_shows_the_rounds_of_it(two: Sandbox) -> None:
    run = two.kattest("verify", "bad/SKILL.md")
    assert run.status == 1
    assert run.out.startswith("bad/.judge-attestations.json\n  FAILED    bad\n")
    assert "good" not in run.out
    head = two.git("rev-parse", "--short=12", "HEAD")
    seen = "1 attestation file, 1 round, 3 attestations"
    assert run.out.endswith(f"in the working tree: {seen}, compared with HEAD ({head})\n")


def test_a_path_that_is_not_there_is_refused(two: Sandbox) -> None:
    refused(
        two.kattest("verify", "good", "good/nowhere"),
        "kattest: good/nowhere is not in the working tree\n",
        "what to do: name a file or folder that is there, and that git does not ignore\n",
    )


def test_a_path_that_was_staged_is_judged_though_it_is_gone_from_disk(two: Sandbox) -> None:
    two.write("new/.judge-attestations.json", "{}")
    two.git("add", "new")
    shutil.rmtree(two.path / "new")
    refused(two.kattest("verify", "new"))
    assert two.kattest("verify", "--staged", "new").status == 1


def test_a_path_that_is_gone_is_judged_by_what_it_had(two: Sandbox) -> None:
    (two.path / "bad" / ".judge-attestations.json").unlink()
    run = two.kattest("verify", "bad", "--format", "json")
    assert (codes(run), run.status) == (["KA503"], 1)
    (two.path / "shared.md").unlink()
    shutil.rmtree(two.path / "bad")
    run = two.kattest("verify", "bad", "--format", "json")
    assert (codes(run), run.status) == ([], 0)


def test_a_path_that_looks_like_an_option_follows_two_dashes(two: Sandbox) -> None:
    two.write("--strict/.judge-attestations.json", "{}")
    assert two.kattest("verify", "--", "--strict").status == 1


# --format


def test_the_format_is_text_unless_told_otherwise(clean: Sandbox) -> None:
    assert clean.kattest("verify").out == clean.kattest("verify", "--format", "text").out
    assert report(clean.kattest("verify", "--format", "json"))["schema"] == "kattest.report/1"


@pytest.mark.parametrize("form", ["xml", "", "TEXT"])
def test_an_unknown_format_is_refused(clean: Sandbox, form: str) -> None:
    refused(clean.kattest("verify", f"--format={form}"), "--format", "text", "json")


# --strict


# Without it, warnings pass: tests/cli/test_status.py. More repositories: tests/cli/test_json.py.


def test_strict_lets_warnings_fail(superseded: Sandbox) -> None:
    run = superseded.kattest("verify", "--strict")
    assert run.status == 1
    assert "\nFAILED (strict): " in run.out
    assert "1 warning" in run.out.splitlines()[-1]


def test_strict_lets_infos_pass(moved: Sandbox) -> None:
    assert moved.kattest("verify", "--strict").status == 0


# --as-of and SOURCE_DATE_EPOCH


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z"),
        ("2026-03-02T12:00:00+03:00", "2026-03-02T09:00:00Z"),
    ],
)
def test_as_of_is_the_moment_that_is_reported(clean: Sandbox, given: str, shown: str) -> None:
    run = clean.kattest("verify", "--as-of", given, "--format", "json")
    assert report(run)["as_of"] == shown


@pytest.mark.parametrize(
    "time",
    ["", "2026-03-02T09:00:00", "1772442000", "2026-02-30T00:00:00Z"],
)
def test_as_of_refuses_what_is_no_moment(clean: Sandbox, time: str) -> None:
    refused(
        clean.kattest("verify", f"--as-of={time}"), "--as-of", "write it like 2026-03-01T12:00:00Z"
    )


@pytest.mark.parametrize("epoch", ["soon", "-1", "9" * 20, "\u0661"])
def test_an_environment_that_names_no_moment_is_refused(clean: Sandbox, epoch: str) -> None:
    refused(
        clean.kattest("verify", SOURCE_DATE_EPOCH=epoch),
        "SOURCE_DATE_EPOCH",
        "what to do: unset it",
    )


def test_an_empty_environment_variable_names_nothing(clean: Sandbox) -> None:
    assert clean.kattest("verify", SOURCE_DATE_EPOCH="").status == 0


def test_a_commit_is_judged_at_its_own_time_and_everything_else_now(clean: Sandbox) -> None:
    run = clean.kattest("verify", "--rev", "HEAD", "--format", "json")
    assert report(run)["as_of"] == "2026-03-01T13:00:00Z"
    for source in ([], ["--staged"]):
        before = datetime.now(UTC).replace(microsecond=0)
        run = clean.kattest("verify", *source, "--format", "json")
        assert before <= datetime.fromisoformat(report(run)["as_of"]) <= datetime.now(UTC)


# --select and --ignore


@pytest.fixture
def several(sandbox: Sandbox) -> Sandbox:
    """One round with KA004 (a warning), KA101 and KA133."""
    broken = make_round(path="SKILL.md") | {"note": "more than the protocol knows"}
    broken["attestations"][1]["score"] = 9.5
    return committed(sandbox, broken)


@pytest.mark.parametrize(
    ("arguments", "left", "status"),
    [
        ([], ["KA101", "KA133", "KA004"], 1),
        (["--select", "ka101"], ["KA101"], 1),
        (["--select", "KA1"], ["KA101", "KA133"], 1),
        (["--select", "KA101,KA004"], ["KA101", "KA004"], 1),
        (["--select", "KA101, ka0"], ["KA101", "KA004"], 1),
        (["--select", "KA101", "--select", "KA133"], ["KA101", "KA133"], 1),
        (["--select", "KA102"], [], 0),
        (["--ignore", "KA1"], ["KA004"], 0),
        (["--ignore", "ka101,Ka133"], ["KA004"], 0),
        (["--ignore", "KA101", "--ignore", "KA133", "--ignore", "KA004"], [], 0),
        (["--select", "KA1", "--ignore", "KA10"], ["KA133"], 1),
        (["--select", "KA101", "--ignore", "KA133"], ["KA101"], 1),
        (["--strict", "--ignore", "KA1"], ["KA004"], 1),
        (["--strict", "--ignore", "KA1,KA004"], [], 0),
    ],
)
def test_select_and_ignore_choose_rules_by_code_and_beginning(
    several: Sandbox, arguments: list[str], left: list[str], status: int
) -> None:
    run = several.kattest("verify", "--format", "json", *arguments)
    assert sorted(codes(run)) == sorted(left)
    assert run.status == status


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--select", value) for value in ("KA9", "KA1011", "chain", "", "KA101,", "101")),
        *(("--ignore", value) for value in ("KA9", "", "KA101 KA102")),
    ],
)
def test_a_code_that_is_no_rules_is_refused_rather_than_passed_over(
    clean: Sandbox, option: str, value: str
) -> None:
    refused(
        clean.kattest("verify", option, value),
        option,
        "what to do: kattest explain lists the rules",
    )


def test_leaving_no_rule_at_all_is_refused_rather_than_green(forged: Sandbox) -> None:
    for options in (
        ["--select", "KA101", "--ignore", "KA1"],
        ["--ignore", "KA"],
        ["--only", "memory", "--select", "KA1"],
        ["--only", "attestations", "--select", "KA3"],
    ):
        refused(
            forged.kattest("verify", *options),
            "--select, --ignore and --only leave no rule to check by",
            "what to do: ignore less, or select more",
        )


# --config


def test_config_is_used_instead_of_the_repositorys(forged: Sandbox) -> None:
    forged.write(".kattest.yaml", "severity: {KA101: warning}\n")
    forged.commit()
    outside = forged.path.parent / "elsewhere.yaml"
    outside.write_text("severity: {KA101: info}\n")
    assert report(forged.kattest("verify", "--format", "json"))["counts"]["warnings"] == 1
    run = forged.kattest("verify", "--format", "json", "--config", str(outside))
    assert run.status == 0
    counts = report(run)["counts"]
    assert (counts["errors"], counts["warnings"], counts["infos"]) == (0, 0, 1)


def test_config_is_relative_to_where_kattest_is_run_and_is_named_on_request(
    forged: Sandbox,
) -> None:
    forged.write("skill/mine.yaml", "severity:\n  KA101: warning\n")
    run = forged.kattest("verify", "-v", "--config", "mine.yaml", cwd="skill")
    assert run.status == 0
    assert "note: configuration: mine.yaml\n" in run.out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("severity: {KA101: loud}\n", "mine.yaml:1:19: severity: KA101 cannot be 'loud'"),
        ("severity: {KA999: off}\n", "KA999"),
        ("sevrity: {}\n", 'unknown key "sevrity"'),
        ("severity: [\n", "is not YAML"),
        (b"\xff", "is not UTF-8"),
    ],
)
def test_a_configuration_that_cannot_be_followed_is_refused(
    clean: Sandbox, content: str | bytes, words: str
) -> None:
    clean.write("mine.yaml", content)
    refused(clean.kattest("verify", "--config", "mine.yaml"), words, "what to do")


@pytest.mark.parametrize("name", ["nowhere.yaml", "skill", ""])
def test_a_configuration_that_cannot_be_read_is_refused(clean: Sandbox, name: str) -> None:
    refused(
        clean.kattest("verify", "--config", name), "cannot be read", "name a configuration file"
    )


# --require


@pytest.mark.parametrize("source", [[], ["--staged"], ["--rev", "HEAD"]])
def test_required_attestations_that_are_there_are_no_fault(
    clean: Sandbox, source: list[str]
) -> None:
    assert clean.kattest("verify", *source, "--require", "attestations").status == 0


@pytest.mark.parametrize("source", [[], ["--staged"], ["--rev", "HEAD"]])
def test_required_attestations_that_are_not_there_are_status_2(
    sandbox: Sandbox, source: list[str]
) -> None:
    sandbox.commit()
    run = sandbox.kattest("verify", *source, "--require", "attestations")
    refused(run, "--require attestations", "no attestation file", "what to do")


def test_attestations_elsewhere_do_not_meet_the_requirement(two: Sandbox) -> None:
    refused(two.kattest("verify", "docs", "--require", "attestations"), "--require attestations")


def test_excluded_attestations_do_not_meet_the_requirement(clean: Sandbox) -> None:
    clean.write("mine.yaml", "exclude: [skill/]\n")
    run = clean.kattest("verify", "--config", "mine.yaml", "--require", "attestations")
    refused(run, "--require attestations")


@pytest.mark.parametrize("option", ["--require", "--only"])
@pytest.mark.parametrize("value", ["peace", "", "Memory"])
def test_there_are_only_two_parts_of_the_protocol(clean: Sandbox, option: str, value: str) -> None:
    words = f"Invalid value for '{option}': {value!r} is not"
    refused(clean.kattest("verify", f"{option}={value}"), words, "'attestations'", "'memory'")


# -q and -v


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet_prints_findings_only(option: str, clean: Sandbox) -> None:
    assert clean.kattest("verify", option) == Run(0, "", "")
    clean.write("skill/SKILL.md", "changed\n")
    run = clean.kattest("verify", option)
    assert run.status == 0
    assert run.out.startswith(f"{FILE}:6:24: warning KA111 artifact-superseded: ")
    assert "verified" not in run.out
    assert "attestation file" not in run.out


@pytest.mark.parametrize("option", ["-v", "--verbose"])
def test_verbose_adds_times_recipe_spread_configuration_and_moment(
    option: str, clean: Sandbox
) -> None:
    run = clean.kattest("verify", option, "--as-of", AS_OF)
    assert run.status == 0
    plain = clean.kattest("verify", "--as-of", AS_OF)
    for more in (
        "2026-03-01T12:00:30Z",
        "recipe prefixed",
        "spread 0.7",
        AS_OF,
        "configuration: the defaults",
    ):
        assert more in run.out
        assert more not in plain.out


def test_quiet_and_verbose_exclude_each_other(clean: Sandbox) -> None:
    refused(clean.kattest("verify", "-q", "-v"), "-q", "-v")
    refused(clean.kattest("verify", "-qv"), "-q", "-v")


@pytest.mark.parametrize("option", ["-q", "-v"])
def test_the_json_report_is_always_whole(forged: Sandbox, option: str) -> None:
    plain = forged.kattest("verify", "--format", "json", "--as-of", AS_OF)
    assert forged.kattest("verify", "--format", "json", "--as-of", AS_OF, option) == plain


def test_a_verified_round_is_one_line_and_whole_where_more_is_asked_for(clean: Sandbox) -> None:
    line = (
        "  verified  bto-eval-2026-03-01T12:00:00Z  7.93"
        "  (domain-expert 8.2, critic 7.5, completeness-auditor 8.0)\n"
    )
    head = clean.git("rev-parse", "--short=12", "HEAD")
    counts = "1 attestation file, 1 round, 3 attestations"
    seen = f"\nok: the working tree: {counts}, compared with HEAD ({head})\n"
    assert clean.kattest("verify").out == f"{FILE}\n{line}{seen}"
    out = clean.kattest("verify", "-v").out
    assert line not in out
    assert (
        "  verified  bto-eval-2026-03-01T12:00:00Z\n    artifact   skill/SKILL.md: current\n" in out
    )
    assert "    completeness-auditor   8.0   ok  2026-03-01T12:01:30Z\n" in out


def test_every_option_of_the_design_is_in_the_help(clean: Sandbox) -> None:
    run = clean.kattest("verify", "--help")
    assert (run.status, run.err) == (0, "")
    for option in (
        "--staged", "--rev", "--range", "--each-commit", "--base", "--format", "--output", "--strict", "--as-of", "--select", "--ignore",
        "--config", "--require", "--only", "-q", "-v", "-h", "PATH",
    ):  # fmt: skip
        assert option in run.out
