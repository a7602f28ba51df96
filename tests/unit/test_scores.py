"""A score's text: in which forms it may have been hashed, and how many decimals it may have."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.jsondoc import NUMBER_LENGTH
from tests.support.rounds import ARTIFACT, RATIONALES, dumps, make_round, sha256
from tests.unit.judging import codes, judge

PLACEHOLDER = 7777.0


def judged(lexeme: str, hashed: str, *, bare: bool = False) -> list[str]:
    """The findings on the last judge's score, written as ``lexeme`` and hashed as ``hashed``."""
    round_ = make_round(bare=bare)
    last = round_["attestations"][2]
    artifact = sha256(ARTIFACT) if bare else round_["artifact_hash"]
    hashed_text = f"{last['judge_id']}|{artifact}|{hashed}|{RATIONALES[2]}"
    last["evaluation_hash"] = f"sha256:{sha256(hashed_text)}"
    last["score"] = PLACEHOLDER
    data = dumps(round_).replace(str(PLACEHOLDER).encode(), lexeme.encode())
    about_scores = {"KA001", "KA003", "KA101", "KA130", "KA131"}
    return [code for code in codes(judge(data)) if code in about_scores]


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize(
    ("lexeme", "hashed"),
    [
        ("8", "8"),
        ("8", "8.0"),
        ("8.0", "8"),
        ("8.0", "8.0"),
        ("8.2", "8.2"),
        ("0", "0"),
        ("0", "0.0"),
        ("0.0", "0"),
        ("0.1", "0.1"),
        ("10", "10"),
        ("10", "10.0"),
        ("10.0", "10"),
        ("10.0", "10.0"),
        ("8e0", "8e0"),
        ("8e0", "8"),
        ("8e0", "8.0"),
        ("8E+0", "8E+0"),
        ("80e-1", "80e-1"),
        ("80e-1", "8"),
        ("80e-1", "8.0"),
        ("82e-1", "8.2"),
        ("1e-1", "0.1"),
        ("1e1", "1e1"),
        ("1e1", "10"),
        ("1e1", "10.0"),
        ("0e5", "0"),
        ("0e-5", "0.0"),
    ],
)
def test_passes_as_its_lexeme_its_shortest_and_its_one_decimal_form(
    lexeme: str, hashed: str, *, bare: bool
) -> None:
    assert judged(lexeme, hashed, bare=bare) == []


@pytest.mark.parametrize(
    ("lexeme", "hashed"),
    [
        ("8.2", "8.20"),
        ("8.2", "8.3"),
        ("8.2", "8.2 "),
        ("8.2", " 8.2"),
        ("8.2", "8,2"),
        ("8.2", "+8.2"),
        ("8.2", "08.2"),
        ("8.2", "82e-1"),
        ("8", "8.00"),
        ("8", "8."),
        ("8", "08"),
        ("8e0", "8E0"),
        ("1E1", "1e1"),
        ("1e1", "1E+1"),
        ("0.1", ".1"),
        ("0", "-0"),
        ("0.0", "-0.0"),
        ("0", ""),
        ("10", "1e1"),
        ("8.2", "\uff18.2"),
    ],
)
def test_does_not_pass_as_any_other_text(lexeme: str, hashed: str) -> None:
    assert judged(lexeme, hashed) == ["KA101"]


FORTY = "0" * 38


@pytest.mark.parametrize(
    ("lexeme", "hashed"),
    [
        ("8.20", "8.20"),
        ("8.20", "8.2"),
        ("8.00", "8.0"),
        ("8.00", "8"),
        ("8.00", "8.00"),
        ("8.25", "8.25"),
        ("0.82e1", "8.2"),
        ("825e-2", "8.25"),
        ("825e-2", "825e-2"),
        (f"8.{FORTY}00", "8.0"),
        (f"8.2{FORTY}1", f"8.2{FORTY}1"),
        (f"9.9{'9' * 39}", f"9.9{'9' * 39}"),
    ],
)
def test_with_more_than_one_decimal_is_too_precise_though_its_hash_fits(
    lexeme: str, hashed: str
) -> None:
    assert judged(lexeme, hashed) == ["KA131"]


@pytest.mark.parametrize(
    ("lexeme", "hashed"),
    [
        ("8.25", "8.2"),
        ("8.25", "8.3"),
        ("8.199999999999999", "8.2"),
        ("8.2000000000000001", "8.2"),  # the same binary64 number
        (f"8.2{FORTY}1", "8.2"),
        (f"9.9{'9' * 39}", "10"),
        (f"9.9{'9' * 39}", "10.0"),
        (f"0.0{FORTY}1", "0.0"),
        ("1e-2", "0.0"),
    ],
)
def test_is_never_rounded_to_fit(lexeme: str, hashed: str) -> None:
    assert judged(lexeme, hashed) == ["KA101", "KA131"]


@pytest.mark.parametrize(
    "lexeme", ["-0.0", "-0", "-0e0", "-0.1", "-1", "-8.2", "10.1", "11", "1e2"]
)
def test_off_the_scale_or_with_a_minus_is_out_of_range(lexeme: str) -> None:
    assert judged(lexeme, lexeme) == ["KA130"]


@pytest.mark.parametrize(
    "lexeme", ["1e308", "9" * NUMBER_LENGTH, "-1e308", f"10.{FORTY}01", f"-0.{FORTY}01"]
)
def test_far_off_or_barely_off_the_scale_is_out_of_range(lexeme: str) -> None:
    assert "KA130" in judged(lexeme, lexeme)


@pytest.mark.parametrize("lexeme", ["1e-308", f"0.{FORTY}01"])
def test_barely_above_zero_is_on_the_scale(lexeme: str) -> None:
    assert judged(lexeme, lexeme) == ["KA131"]


@pytest.mark.parametrize(
    "lexeme", ["NaN", "Infinity", "-Infinity", "1e309", "1" * 129, "08.2", "8."]
)
def test_that_is_no_json_number_makes_the_document_unreadable(lexeme: str) -> None:
    assert judged(lexeme, lexeme) == ["KA001"]


@pytest.mark.parametrize("value", ['"8.2"', "null", "true", "[8.2]", '{"value": 8.2}', '""'])
def test_that_is_not_a_number_is_wrongly_typed(value: str) -> None:
    assert judged(value, "8.2") == ["KA003"]


@settings(max_examples=200)
@given(st.integers(0, 100))
def test_every_score_on_the_scale_passes_in_every_form(tenths: int) -> None:
    value = Decimal(tenths) / 10
    written = f"{value:.1f}"
    shortest = f"{tenths // 10}" if tenths % 10 == 0 else written
    for lexeme in {written, shortest, f"{tenths}e-1"}:
        for hashed in {lexeme, shortest, written}:
            assert judged(lexeme, hashed) == []
