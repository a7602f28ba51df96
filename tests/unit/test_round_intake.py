"""A whole round as ``attest record`` is given it."""

from __future__ import annotations

from typing import Any

import pytest

from kattest.attestation.intake import GivenRound, read_round
from kattest.jsondoc import parse
from tests.support.rounds import RATIONALES
from tests.unit.remembering import read

JUDGEMENT = {"judge_id": "critic", "score": 7.5, "rationale_summary": RATIONALES[0]}
GIVEN = {"artifact_path": "SKILL.md", "attestations": [JUDGEMENT]}


def test_a_round_needs_an_artifact_and_judgements() -> None:
    given, faults = read_round(read(GIVEN))
    assert faults == ()
    judgement = ("critic", "7.5", RATIONALES[0])
    assert given == GivenRound("SKILL.md", (judgement,), None, None, None, None)


def test_the_rest_may_be_given_too() -> None:
    more = {"panel": "open", "file": "f", "evaluation_id": "e", "artifact_hash": "sha256:00"}
    given, faults = read_round(read(GIVEN | more))
    assert faults == ()
    assert given is not None
    assert given[2:] == ("open", "f", "e", "sha256:00")


@pytest.mark.parametrize("score", ["7", "7.5", "7.50", "1e1", "-0"])
def test_a_score_keeps_the_text_in_which_it_was_given(score: str) -> None:
    text = '{"artifact_path": "a", "attestations": [{"judge_id": "x", "score": %s, '
    given, _ = read_round(parse((text % score + '"rationale_summary": "r"}]}').encode()).value)
    assert given is not None
    assert given.judgements == (("x", score, "r"),)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"artifact_path": None}, "/artifact_path"),
        ({"artifact_path": 1}, "/artifact_path"),
        ({"attestations": {}}, "/attestations"),
        ({"attestations": [JUDGEMENT, 7]}, "/attestations/1"),
        ({"attestations": [JUDGEMENT | {"score": "7.5"}]}, "/attestations/0/score"),
        ({"attestations": [JUDGEMENT | {"score": True}]}, "/attestations/0/score"),
        ({"attestations": [JUDGEMENT | {"judge_id": None}]}, "/attestations/0/judge_id"),
        ({"attestations": [JUDGEMENT | {"timestamp": "now"}]}, "/attestations/0/timestamp"),
        ({"panel": 3}, "/panel"),
        ({"panel_size": 3}, "/panel_size"),
        ({"final_score": 7.5}, "/final_score"),
        ({"artifact_hash": None}, "/artifact_hash"),
    ],
)
def test_what_is_amiss_is_named_with_its_place(change: dict[str, Any], place: str) -> None:
    given, faults = read_round(read(GIVEN | change))
    assert given is None
    assert [fault.rpartition("(")[2] for fault in faults] == [f"{place})"]


def test_everything_that_is_missing_is_named_at_once() -> None:
    given, faults = read_round(read({"attestations": [{}]}))
    assert given is None
    named = {fault.rpartition("(")[2].rstrip(")") for fault in faults}
    judged = {f"/attestations/0/{name}" for name in JUDGEMENT}
    assert named == {"/artifact_path"} | judged


@pytest.mark.parametrize("value", [None, [], "round", 7, True])
def test_what_is_no_object_is_no_round(value: Any) -> None:
    given, faults = read_round(read(value))
    assert given is None
    [fault] = faults
    assert "must be an object" in fault
