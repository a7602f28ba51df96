"""A check says what it looked at, and never more than it saw (house rule 9)."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import FILE, Sandbox
from tests.support.rounds import dumps, make_round

OFF = "severity: {KA101: off}\n"
NEITHER = "no .judge-attestations.json and no .keysarium/memory"
IGNORED = [
    pytest.param(["--ignore", "KA101"], id="ignored"),
    pytest.param(["--select", "KA102"], id="not selected"),
    pytest.param(["--config", "../off.yaml"], id="off"),
]


@pytest.fixture
def silenced(forged: Sandbox, tmp_path: Path) -> Sandbox:
    """A forged round, and a configuration beside the repository that switches KA101 off."""
    (tmp_path / "off.yaml").write_text(OFF)
    return forged


@pytest.mark.parametrize("source", [[], ["--staged"], ["--rev", "HEAD"]])
def test_nothing_to_check_is_status_0_and_said(sandbox: Sandbox, source: list[str]) -> None:
    sandbox.write("README.md", "nothing here was judged\n")
    sandbox.commit()
    sandbox.commit()
    run = sandbox.kattest("verify", *source)
    assert (run.status, run.err) == (0, "")
    name = {
        "--staged": "what is staged",
        "--rev": f"commit {sandbox.git('rev-parse', 'HEAD')[:12]}",
    }
    checked = name.get(source[0], "") if source else "the working tree"
    assert run.out == f"nothing to check: {checked} holds {NEITHER}\n"
    for part, what in ("attestations", ".judge-attestations.json"), ("memory", ".keysarium/memory"):
        run = sandbox.kattest("verify", *source, "--only", part)
        assert (run.status, run.err) == (0, "")
        assert run.out == f"nothing to check: {checked} holds no {what}\n"


def test_a_repository_without_a_commit_has_nothing_to_check(sandbox: Sandbox) -> None:
    for source in ([], ["--staged"]):
        run = sandbox.kattest("verify", *source)
        assert (run.status, run.err) == (0, "")
        assert run.out.splitlines()[-1].startswith("nothing to check: ")
    run = sandbox.kattest("verify", "--rev", "HEAD")
    assert (run.status, run.out) == (2, "")


def test_nothing_at_a_path_is_not_nothing_anywhere(clean: Sandbox) -> None:
    """The tree does hold an attestation file; only the path that was asked for does not."""
    clean.write("docs/README.md", "nothing here was judged\n")
    run = clean.kattest("verify", "docs")
    assert run.status == 0
    assert run.out == (
        f"nothing to check: the working tree holds {NEITHER} at or below the paths given\n"
    )


def test_what_the_configuration_excludes_is_counted_and_not_denied(clean: Sandbox) -> None:
    """The tree does hold an attestation file; it was left out."""
    clean.write("mine.yaml", "exclude: [skill/]\n")
    run = clean.kattest("verify", "--config", "mine.yaml")
    assert run.status == 0
    assert "excludes 1 document" in run.out
    assert run.out.endswith(" that the configuration does not exclude\n")


@pytest.mark.parametrize("arguments", IGNORED)
def test_a_rule_that_does_not_report_does_not_make_a_forged_round_verified(
    silenced: Sandbox, arguments: list[str]
) -> None:
    run = silenced.kattest("verify", *arguments)
    assert (run.status, run.err) == (0, "")
    assert "  FAILED    bto-eval" in run.out
    assert "    critic                 9.5   FAILED  KA101\n" in run.out
    assert "verified" not in run.out
    head = silenced.git("rev-parse", "--short=12", "HEAD")
    seen = f"1 attestation file, 1 round, 3 attestations, compared with HEAD ({head})"
    assert run.out.endswith(f"\nok: the working tree: {seen} (1 round FAILED)\n")
    assert "KA101" not in run.out.replace(_note(run.out), "").replace("FAILED  KA101", "")


def test_rules_that_do_not_report_are_named(forged: Sandbox) -> None:
    ignoring = forged.kattest("verify", "--ignore", "KA101,KA133")
    assert _note(ignoring.out) == "note: these rules did not report: KA101, KA133"
    selecting = forged.kattest("verify", "--select", "KA102,KA103")
    assert _note(selecting.out) == "note: only these rules reported: KA102, KA103"
    assert _note(forged.kattest("verify").out) == ""


@pytest.mark.parametrize("arguments", IGNORED)
def test_the_json_report_keeps_the_verdict_too(silenced: Sandbox, arguments: list[str]) -> None:
    run = silenced.kattest("verify", "--format", "json", *arguments)
    document = json.loads(run.out)
    assert (run.status, document["ok"]) == (0, True)
    assert [found["status"] for found in document["rounds"]] == ["failed"]
    assert document["findings"] == []
    assert document["counts"]["errors"] == 0


@pytest.mark.parametrize("source", [[], ["--staged"], ["--rev", "HEAD"]])
def test_a_rule_that_the_configuration_switches_off_is_named(
    forged: Sandbox, source: list[str]
) -> None:
    forged.write(".kattest.yaml", OFF)
    forged.commit()
    forged.commit()
    run = forged.kattest("verify", *source)
    assert run.status == 0
    assert _note(run.out) == "note: these rules did not report: KA101"
    assert "  FAILED    bto-eval" in run.out
    assert "error" not in run.out
    report = json.loads(forged.kattest("verify", "--format", "json", *source).out)
    assert report["ok"] is True
    assert report["findings"] == []
    assert [found["status"] for found in report["rounds"]] == ["failed"]


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        ("", "0 rounds, 0 attestations"),
        ("{}", "0 rounds, 0 attestations"),
        ('{"evaluations": []}', "0 rounds, 0 attestations"),
        ('{"evaluations": [{}]}', "1 round, 0 attestations"),
    ],
)
def test_an_attestation_file_that_attests_nothing_fails(
    clean: Sandbox, content: str, seen: str
) -> None:
    clean.write(FILE, content)
    run = clean.kattest("verify")
    assert run.status == 1
    assert f"1 attestation file, {seen}, compared with HEAD (" in run.out
    assert "verified" not in run.out


def test_isolation_is_never_called_proven(clean: Sandbox) -> None:
    out = clean.kattest("verify", "-v").out
    assert "no breach found" in out
    assert "isolated" not in out
    assert "proven" not in out


def _note(out: str) -> str:
    """The line that names the rules that did or did not report."""
    return next(
        (line for line in out.splitlines() if line.startswith("note: ") and "report" in line), ""
    )


def test_a_report_never_takes_one_skills_artifact_for_anothers(sandbox: Sandbox) -> None:
    """Both skills name ``SKILL.md`` in their own folder, and both renamed it since."""
    for skill in ("a", "b"):
        artifact = f"# Skill {skill}\n".encode()
        judged = make_round(evaluation_id=skill, path="SKILL.md", artifact=artifact)
        sandbox.write(f"{skill}/.judge-attestations.json", dumps(judged))
        sandbox.write(f"{skill}/README.md", artifact)
    sandbox.commit()
    run = sandbox.kattest("verify", "--format", "json")
    assert [found["artifact"] for found in json.loads(run.out)["rounds"]] == ["moved", "moved"]
    assert run.status == 0
