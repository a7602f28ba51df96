"""Text of the repository cannot act on a terminal, a workflow's log or a reader (house rule 7)."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import KATTEST, Run, Sandbox, copied
from tests.cli.hostile import HOSTILE, assert_harmless, named
from tests.support.rounds import ARTIFACT, dumps, make_round, sha256

WORKFLOW = {name: text for name, text in HOSTILE.items() if "workflow" in name}
INVISIBLE = "".join(text for name, text in HOSTILE.items() if name not in WORKFLOW)
# Each text is in one of these, and each that acts at the beginning of a line begins one, or a line.
each_sort = pytest.mark.parametrize(
    "text",
    ["\n".join(WORKFLOW.values()), HOSTILE["a workflow command after spaces"] + INVISIBLE],
    ids=["all workflow commands", "all that is invisible"],
)


def hostile_document(text: str) -> bytes:
    """A file with rounds that hold ``text`` wherever a report may show what a document says."""
    round_ = make_round(evaluation_id=text, path=text, artifact=b"lost")
    round_[text] = text
    round_["weights"][text] = 0.5
    first = round_["attestations"][0]
    first["judge_id"] = text
    first["rationale_summary"] = f"{text}, and more words than a short rationale has"
    first["timestamp"] = text
    first["evaluation_hash"] = text
    first[text] = 1
    twice = make_round(evaluation_id=text, path="SKILL.md")
    twice["attestations"][1]["judge_id"] = text
    twice["attestations"][2]["judge_id"] = text
    superseded = make_round(evaluation_id="superseded", path=text, artifact=b"earlier\n")
    return dumps(round_, twice, superseded)


@pytest.fixture(scope="module")
def hostile(templates: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """Hostile in its documents and in its file names, in every way. Never changed."""
    sandbox = copied("sandbox", templates, tmp_path_factory.mktemp("hostile"))
    for number, text in enumerate(HOSTILE.values()):
        sandbox.write(f"{named(text)}/.judge-attestations.json", "not JSON")
        sandbox.write(f"skills/{named(text)}/.judge-attestations.json", hostile_document(text))
        sandbox.write(f"plain/{number}/.judge-attestations.json", hostile_document(text))
        sandbox.write(f"plain/{number}/SKILL.md", ARTIFACT)
    sandbox.commit()
    return sandbox


@pytest.mark.parametrize("detail", [[], ["-v"], ["-q"]], ids=["normal", "verbose", "quiet"])
def test_the_text_report_disarms(hostile: Sandbox, detail: list[str]) -> None:
    run = hostile.kattest("verify", *detail)
    assert (run.status, run.err) == (1, "")
    for number in range(len(HOSTILE)):
        place = rf"^plain/{number}/\.judge-attestations\.json:\d+:\d+: error KA101 "
        assert re.search(place, run.out, re.MULTILINE)
    assert_harmless(run.out)


def test_the_json_report_is_printable_ascii_and_means_the_same(hostile: Sandbox) -> None:
    run = hostile.kattest("verify", "--format", "json")
    assert (run.status, run.err) == (1, "")
    assert re.fullmatch(r"[\n -~]*", run.out)
    assert_harmless(run.out)
    document = json.loads(run.out)
    ids = {(found["path"], found["evaluation_id"]) for found in document["rounds"]}
    paths = {found["path"] for found in document["findings"]}
    for number, text in enumerate(HOSTILE.values()):
        assert (f"plain/{number}/.judge-attestations.json", text) in ids
        assert (f"skills/{named(text)}/.judge-attestations.json", text) in ids
        assert f"{named(text)}/.judge-attestations.json" in paths


@each_sort
def test_complaints_disarm(clean: Sandbox, text: str) -> None:
    """A file of any name becomes an argument where a shell expands ``*``."""
    for arguments in (
        ["verify", "--", text],
        ["verify", f"--rev={text}"],
        ["verify", f"--select={text}"],
        ["verify", f"--config={text}"],
        ["verify", f"--as-of={text}"],
        ["verify", f"--output=nowhere/{named(text)}"],
        ["explain", "--", text],
    ):
        run = clean.kattest(*arguments)
        assert (run.status, run.out) == (2, ""), arguments
        assert_harmless(run.err)


def test_complaints_of_the_option_parser_hold_no_control_characters(clean: Sandbox) -> None:
    names = ["colours", "an 8-bit escape", "a line feed", "a carriage return"]
    text = "".join(HOSTILE[name] for name in names)
    for arguments in (
        ["verify", f"--format={text}"],
        ["verify", f"--{text}"],
        ["explain", "KA101", text],
        ["--", text],
    ):
        run = clean.kattest(*arguments)
        assert (run.status, run.out) == (2, ""), arguments
        assert_harmless(run.err)


@each_sort
def test_a_configuration_disarms(clean: Sandbox, text: str) -> None:
    for document in (
        {text: 1},
        {"severity": {text: "off"}},
        {"severity": {"KA101": text}},
        {"panels": {text: [{"judge": text}]}},
        {"exclude": [f"!{text}", text, 7]},
    ):
        clean.write("mine.yaml", json.dumps(document))
        run = clean.kattest("verify", "--config", "mine.yaml")
        assert (run.status, run.out) == (2, ""), document
        assert_harmless(run.err)


@each_sort
def test_a_configuration_by_any_name_is_named_harmlessly(clean: Sandbox, text: str) -> None:
    name = f"{named(text)}.yaml"
    clean.write(name, "severity: {KA101: off}\n")
    run = clean.kattest("verify", "-v", f"--config={name}")
    assert (run.status, run.err) == (0, "")
    assert "note: configuration: " in run.out
    assert_harmless(run.out)


@pytest.mark.parametrize(
    ("source", "ignoring"),
    [([], False), ([], True), (["--staged"], False), (["--rev", "HEAD"], False)],
    ids=str,
)
def test_a_file_name_that_is_not_utf_8_is_shown_byte_by_byte(
    sandbox: Sandbox, source: list[str], *, ignoring: bool
) -> None:
    folder = os.fsencode(sandbox.path) + b"/caf\xe9"
    os.mkdir(folder)
    with open(folder + b"/.judge-attestations.json", "wb") as file:
        file.write(b"{}")
    if ignoring:
        sandbox.write(".gitignore", "*.tmp\n")
    sandbox.commit()
    text = sandbox.kattest("verify", *source)
    assert (text.status, text.err) == (1, "")
    assert text.out.startswith("caf\\xe9/.judge-attestations.json\n")
    report = json.loads(sandbox.kattest("verify", *source, "--format", "json").out)
    assert report["findings"][0]["path"] == "caf\\xe9/.judge-attestations.json"


def test_an_honest_text_in_any_script_is_left_as_it_is(sandbox: Sandbox) -> None:
    name = "навык-技能-مهارة-🔬"
    sandbox.write(f"{name}/SKILL.md", ARTIFACT)
    sandbox.write(f"{name}/.judge-attestations.json", dumps(make_round(evaluation_id=name)))
    run = sandbox.kattest("verify")
    assert (run.status, run.err) == (0, "")
    assert f"  verified  {name}  7.93  (domain-expert 8.2, " in run.out
    assert run.out.startswith(f"{name}/.judge-attestations.json\n")


def big_document(judges: int, length: int) -> bytes:
    """One very long judge id among many attestations."""
    attestations: list[dict[str, Any]] = [{"judge_id": "x" * length}]
    attestations += [{"judge_id": "critic"}] * judges
    document = make_round() | {
        "attestations": attestations,
        "artifact_hash": "sha256:" + sha256(ARTIFACT),
    }
    return dumps(document)


def test_a_long_name_does_not_make_every_other_line_as_long(sandbox: Sandbox) -> None:
    content = big_document(judges=300, length=100_000)
    sandbox.write(".judge-attestations.json", content)
    run = sandbox.kattest("verify")
    assert run.status == 1
    assert len(run.out) < 20 * len(content)


def test_a_long_key_is_not_repeated_in_every_finding(sandbox: Sandbox) -> None:
    """What a report holds grows with the document, not with its square."""
    content = dumps(make_round() | {"k" * 100_000: ["\u202e"] * 300})
    sandbox.write(".judge-attestations.json", content)
    for form in ("text", "json"):
        run = sandbox.kattest("verify", "--format", form)
        assert run.status == 1
        assert len(run.out) < 20 * len(content)


def test_a_report_in_a_pipeline_of_a_workflow_is_harmless_too(sandbox: Sandbox) -> None:
    """Standard output and standard error end up in one log there."""
    sandbox.write("::error::owned/.judge-attestations.json", "{}")
    run: Run = sandbox.run(
        ["sh", "-c", f'"{KATTEST}" verify 2>&1; "{KATTEST}" verify nowhere 2>&1']
    )
    assert_harmless(run.out)
