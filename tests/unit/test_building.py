# ruff: noqa: RUF001 - other scripts are meant to look like this one
"""Rounds as the writer makes them: hashes, scores, rationales, order, times, weights."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise, permutations
from typing import Any

import pytest

from kattest.attestation.building import (
    build_round,
    final_score,
    missing_seats,
    panel_scores,
    rationale_summary,
    score_text,
    seal,
    wants_meta_judge,
    weights_of,
)
from kattest.attestation.panels import spread_of
from kattest.digest import Recipe
from kattest.instant import Instant, parse_instant
from kattest.roster import HIGH_STAKES, STANDARD, Panel, Seat
from tests.support.rounds import RATIONALES, make_round
from tests.unit.writing import OPENED, panel_of, sealed_by

SCORES = ("8.2", "7.5", "8.0")


def built(*args: Any, **kwargs: Any) -> list[dict[str, Any]]:
    """The attestations of a round."""
    panel = panel_of()
    return build_round(panel, sealed_by(panel, *args, **kwargs))["attestations"]  # type: ignore[return-value]


@pytest.mark.parametrize("recipe", Recipe)
@pytest.mark.parametrize(
    ("roster", "scores", "meta"),
    [
        (STANDARD, SCORES, None),
        (STANDARD, ("8.2", "4.9", "10.0"), "6.0"),
        (HIGH_STAKES, ("8.2", "7.5", "8.0", "0.0", "10.0"), "5.5"),
    ],
)
def test_hashes_and_links_are_those_of_the_protocols_words(
    roster: Panel, scores: tuple[str, ...], meta: str | None, recipe: Recipe
) -> None:
    expected = make_round(scores=scores, meta=meta, bare=recipe is Recipe.BARE)
    panel = panel_of(roster, recipe)
    made = build_round(panel, sealed_by(panel, [*scores, *([meta] if meta else [])]))
    attestations: Any = made["attestations"]
    assert made["artifact_hash"] == expected["artifact_hash"]
    assert made["panel_size"] == expected["panel_size"]
    for ours, theirs in zip(attestations, expected["attestations"], strict=True):
        assert [*ours] == [*theirs]
        assert Decimal(ours["score"].lexeme) == Decimal(str(theirs["score"]))
        for field in ("judge_id", "evaluation_hash", "previous_attestation_hash"):
            assert ours[field] == theirs[field]
    assert [*made] == [*expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", "7.0"),
        ("0", "0.0"),
        ("10", "10.0"),
        ("10.0", "10.0"),
        ("7.5", "7.5"),
        ("0.0", "0.0"),
        *((text, None) for text in ("7.55", "7.50", "10.1", "11", "100", "-1", "-0.0", "+7")),
        *((text, None) for text in ("1e1", "7.", ".5", "07", "7,5", " 7", "7 ", "7\n", "")),
        *((text, None) for text in ("٧", "７", "7.٥", "nan", "inf", "8.2/10", "1_0")),
    ],
)
def test_a_score_has_one_decimal_and_is_never_rounded(text: str, expected: str | None) -> None:
    assert score_text(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" \n\tшаги ясны \u00a0\u2003", "шаги ясны"),
        ("я" * 501, "я" * 500),
        ("😀" * 600, "😀" * 500),
        ("  " + "я" * 499 + " конец", "я" * 499),
        ("a" * 499 + "\n" + "b" * 10, "a" * 499),
        ("a" * 490 + " " * 20 + "b", "a" * 490),
        ("a" * 499 + " " + "b", "a" * 499),
        ("a b  c", "a b  c"),
        (" " * 600, ""),
    ],
)
def test_a_rationale_is_trimmed_and_cut_and_trimmed_again(text: str, expected: str) -> None:
    summary = rationale_summary(text)
    assert summary == expected
    assert rationale_summary(summary) == summary


def test_the_chain_has_seat_order_whatever_the_order_of_sealing() -> None:
    panel = panel_of()
    given = [("domain-expert", "8.2"), ("critic", "7.5"), ("completeness-auditor", "8.0")]
    for order in permutations(given):
        sealed = {
            name: seal(panel, name, score, RATIONALES[0], Instant(OPENED.seconds + second))
            for second, (name, score) in enumerate(order)
        }
        made: Any = build_round(panel, sealed)["attestations"]
        assert [one["judge_id"] for one in made] == [name for name, _ in given]
        assert made[0]["previous_attestation_hash"] == "sha256:" + "0" * 64
        for before, after in pairwise(made):
            assert after["previous_attestation_hash"] == before["evaluation_hash"]


@pytest.mark.parametrize(
    "offsets",
    [
        (0, 0, 0),
        (30, 20, 10),
        (10, 20, 30),
        (20, 10, 20),
        (-5, -5, -5),  # a clock that went back after the panel was opened
        (-5, 7, 0),
    ],
)
@pytest.mark.parametrize("fraction", ["", "5", "999999", "9999999", "0000001"])
def test_times_rise_and_none_lies_before_opening_or_sealing(
    offsets: tuple[int, ...], fraction: str
) -> None:
    panel = panel_of(opened=Instant(OPENED.seconds, fraction))
    times = [Instant(OPENED.seconds + offset, fraction) for offset in offsets]
    sealed = sealed_by(panel, SCORES, times=times)
    made: Any = build_round(panel, sealed)
    recorded = [parse_instant(one["timestamp"]) for one in made["attestations"]]
    for one, moment, given in zip(made["attestations"], recorded, times, strict=True):
        assert moment is not None
        assert moment >= max(given, panel.opened_at, sealed[one["judge_id"]].sealed_at)
    assert all(before < after for before, after in pairwise(recorded))  # type: ignore[operator]
    assert parse_instant(made["started_at"]) == panel.opened_at
    assert parse_instant(made["completed_at"]) == recorded[-1]


def test_a_time_that_is_late_enough_is_the_time_of_sealing() -> None:
    times = [Instant(OPENED.seconds + second) for second in (10, 20, 30)]
    assert [one["timestamp"][-3:] for one in built(SCORES, times=times)] == ["10Z", "20Z", "30Z"]


@pytest.mark.parametrize("size", range(1, 13))
def test_seats_without_weights_weigh_the_same_and_sum_to_1(size: int) -> None:
    roster = Panel("open", tuple(Seat(f"judge-{number}") for number in range(size)))
    weights = weights_of(roster)
    assert [*weights] == [*roster.judge_ids]
    assert abs(sum(weights.values(), Decimal(0)) - 1) <= Decimal("0.000001")
    assert min(weights.values()) > 0
    assert max(weights.values()) - min(weights.values()) <= Decimal("0.000012")


def test_weights_that_a_roster_fixes_are_kept() -> None:
    assert weights_of(STANDARD) == {
        "domain-expert": Decimal("0.4"),
        "critic": Decimal("0.3"),
        "completeness-auditor": Decimal("0.3"),
    }


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        (("8.2", "7.5", "8.0"), "7.93"),  # 3.28 + 2.25 + 2.40
        (("8.0", "8.0", "8.0"), "8.0"),
        (("0.0", "0.0", "0.0"), "0.0"),
        (("10.0", "7.0", "7.0", "9.9"), "9.9"),  # a meta-judge's counts alone
    ],
)
def test_the_final_score_is_the_weighted_mean_or_the_meta_judges(
    scores: tuple[str, ...], expected: str
) -> None:
    panel = panel_of()
    assert final_score(panel, sealed_by(panel, scores)).lexeme == expected


@pytest.mark.parametrize(
    ("scores", "spread", "is_wanted"),
    [
        (("8.0", "5.0", "7.0"), "3.0", False),
        (("8.2", "5.2", "5.2"), "3.0", False),
        (("8.0", "4.9", "7.0"), "3.1", True),
        (("8.0", "1.0"), "7.0", False),  # incomplete
    ],
)
def test_a_meta_judge_is_wanted_by_a_complete_panel_that_disagrees_by_more_than_3(
    scores: tuple[str, ...], spread: str, *, is_wanted: bool
) -> None:
    panel = panel_of()
    sealed = sealed_by(panel, scores)
    assert spread_of(panel_scores(panel, sealed).values()) == Decimal(spread)
    assert wants_meta_judge(panel, sealed) is is_wanted
    assert missing_seats(panel, sealed) == panel.panel.judge_ids[len(scores) :]


def test_the_meta_judges_score_is_not_part_of_the_spread() -> None:
    panel = panel_of()
    sealed = sealed_by(panel, ("8.0", "4.0", "7.0", "0.0"))
    assert spread_of(panel_scores(panel, sealed).values()) == Decimal("4.0")
