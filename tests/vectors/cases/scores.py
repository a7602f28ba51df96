"""KA130 to KA133: scores, weights, and what they come to."""

from __future__ import annotations

from typing import Any

from tests.support.rounds import HIGH_STAKES, STANDARD, make_round
from tests.vectors.case import (
    REMOVED,
    A,
    Cases,
    Expected,
    R,
    Round,
    World,
    edited,
    fails,
    judged,
    lexeme,
    passes,
    resealed,
)
from tests.vectors.cases.rosters import (
    APART,
    FIVE,
    PAIR,
    QUARTET,
    pair,
    quartet,
    under,
)

HONEST = make_round()
HIGH = make_round(scores=FIVE)
META = make_round(scores=APART, meta="7.8")  # the mean is 7.65
WEIGHTS = f"{R}/weights"


def _written(first: str, hashed: str | None = None) -> World:
    """The first judge's score is written as ``first``, and was hashed so or as ``hashed``."""
    made = make_round(scores=(hashed or first, "7.5", "8.0"))
    return judged(edited(made, {"/attestations/0/score": lexeme(first)}))


def _scores(*scores: str) -> World:
    return judged(make_round(scores=scores))


SCORE_RANGE = (
    passes("usual", "three scores on the scale", judged(HONEST)),
    passes("lowest", "0.0 is on the scale", _scores("0.0", "0.0", "0.0")),
    passes("highest", "10.0 is on the scale", _scores("10.0", "10.0", "10.0")),
    passes(
        "whole-zero",
        "0 has no minus sign",
        judged(edited(make_round(scores=("0.0", "0.4", "0.2")), {"/attestations/0/score": 0})),
    ),
    fails("negative", "below the scale", _scores("-0.1", "0.4", "0.2"), f"{A}/0/score"),
    fails("above-10", "above the scale", _scores("9.0", "10.1", "9.5"), f"{A}/1/score"),
    fails(
        "minus-zero",
        "-0.0 equals 0.0 and is hashed as another text",
        _scores("-0.0", "0.4", "0.2"),
        f"{A}/0/score",
    ),
    fails(
        "hundred",
        "on a scale of its own; the panel is far apart then",
        _scores("8.2", "7.5", "80.0"),
        f"{A}/2/score",
        Expected("KA124", A),
    ),
    fails(
        "meta-judge",
        "the meta-judge's scale is the same",
        judged(make_round(scores=APART, meta="10.5")),
        f"{A}/3/score",
    ),
    fails(
        "each",
        "every score is looked at",
        _scores("-1.0", "11.0", "5.0"),
        f"{A}/0/score",
        f"{A}/1/score",
        Expected("KA124", A),
    ),
)

SCORE_PRECISION = (
    passes("one-decimal", "as the protocol says", judged(HONEST)),
    passes("none", "8 is read as 8.0", judged(edited(HONEST, {"/attestations/2/score": 8}))),
    passes("exponent", "82e-1 has one decimal", _written("82e-1", "8.2")),
    passes(
        "final-score",
        "a final score is a mean and may have more",
        judged(edited(HONEST, {"/final_score": 7.931})),
    ),
    fails("zero-at-the-end", "8.20 is another text than 8.2", _written("8.20"), f"{A}/0/score"),
    fails(
        "zero-at-the-end-hashed-without",
        "it has two decimals as it is written, though the hash fits its shortest form",
        _written("8.20", "8.2"),
        f"{A}/0/score",
    ),
    fails(
        "two-decimals", "8.25 cannot be rounded in one way only", _written("8.25"), f"{A}/0/score"
    ),
    fails("exponent-of-hundredths", "825e-2 is 8.25", _written("825e-2", "8.25"), f"{A}/0/score"),
    fails(
        "binary-noise",
        "what a program made of 8.2 by adding",
        _written("8.199999999999999"),
        f"{A}/0/score",
    ),
    fails(
        "meta-judge",
        "the meta-judge's score is hashed the same way",
        judged(make_round(scores=APART, meta="7.75")),
        f"{A}/3/score",
    ),
)


def _weighted(round_: Round, weights: dict[str, Any]) -> World:
    return judged(edited(round_, {"/weights": weights}))


WEIGHTS_CASES = (
    passes("standard", "0.4, 0.3, 0.3", judged(HONEST)),
    passes("five", "five weights of the round's own, and their sum is 1", judged(HIGH)),
    passes(
        "other-order",
        "members of an object have no order",
        _weighted(HONEST, dict(reversed(STANDARD.items()))),
    ),
    passes(
        "written-otherwise",
        "4e-1 and 0.30 are the same numbers",
        _weighted(HONEST, {**STANDARD, "domain-expert": lexeme("4e-1"), "critic": lexeme("0.30")}),
    ),
    passes(
        "sum-within-tolerance",
        "the sum is 1.000001",
        _weighted(HIGH, {**HIGH_STAKES, "tiebreaker": lexeme("0.100001")}),
    ),
    passes("without-meta-judge", "the meta-judge has no weight", judged(META)),
    passes("configured", "the weights that the configuration fixes", under(QUARTET, quartet())),
    passes(
        "configured-without", "this roster leaves them to the round", under(PAIR, pair(0.75, 0.25))
    ),
    fails(
        "name-missing",
        "the critic has no weight, and the rest sum to 0.7",
        judged(edited(HONEST, {"/weights/critic": REMOVED})),
        WEIGHTS,
        WEIGHTS,
    ),
    fails(
        "none",
        "no judge has a weight, and nothing sums to 1",
        _weighted(HONEST, {}),
        *[WEIGHTS] * 4,
    ),
    fails(
        "name-extra",
        "the tiebreaker has no seat on the standard panel",
        _weighted(HONEST, {**STANDARD, "tiebreaker": 0.0}),
        f"{WEIGHTS}/tiebreaker",
    ),
    fails(
        "name-extra-with-weight",
        "a weight of nobody's, and the sum is 1.1",
        _weighted(HONEST, {**STANDARD, "tiebreaker": 0.1}),
        WEIGHTS,
        f"{WEIGHTS}/tiebreaker",
    ),
    fails(
        "name-misspelt",
        "the auditor has no weight, and somebody else has",
        _weighted(HONEST, {"domain-expert": 0.4, "critic": 0.3, "auditor": 0.3}),
        WEIGHTS,
        f"{WEIGHTS}/auditor",
    ),
    fails(
        "meta-judge",
        "the meta-judge is no part of the mean",
        judged(edited(META, {"/weights/meta-judge": 0.0})),
        f"{WEIGHTS}/meta-judge",
    ),
    fails(
        "not-the-rosters",
        "they sum to 1, and are not the standard panel's",
        _weighted(HONEST, {**STANDARD, "domain-expert": 0.3, "critic": 0.4}),
        f"{WEIGHTS}/critic",
        f"{WEIGHTS}/domain-expert",
    ),
    fails(
        "shifted-with-final-score",
        "the final score follows the shifted weights, not the standard panel's",
        judged(
            make_round(weights={"domain-expert": 0.8, "critic": 0.1, "completeness-auditor": 0.1})
        ),
        *(f"{WEIGHTS}/{judge}" for judge in STANDARD),
        Expected("KA133", f"{R}/final_score"),
    ),
    fails(
        "sum-off",
        "the weights of five are the round's own, but sum to 1.002",
        _weighted(HIGH, {**HIGH_STAKES, "tiebreaker": 0.102}),
        WEIGHTS,
    ),
    fails(
        "sum-just-off",
        "the sum is 1.0000011, further from 1 than 0.000001",
        _weighted(HIGH, {**HIGH_STAKES, "tiebreaker": lexeme("0.1000011")}),
        WEIGHTS,
    ),
    fails(
        "zero-among-five",
        "a judge whose weight is 0 sits for nothing",
        judged(make_round(scores=FIVE, weights={**HIGH_STAKES, "critic": 0.3, "tiebreaker": 0.0})),
        f"{WEIGHTS}/tiebreaker",
    ),
    fails(
        "negative-among-five",
        "a negative weight turns a judge's praise against the artifact",
        judged(make_round(scores=FIVE, weights={**HIGH_STAKES, "critic": 0.4, "tiebreaker": -0.1})),
        f"{WEIGHTS}/tiebreaker",
    ),
    fails(
        "not-the-configured",
        "the configuration fixes 0.25 for each",
        under(
            QUARTET, edited(quartet(), {"/weights/critic": 0.26, "/weights/domain-expert": 0.24})
        ),
        f"{WEIGHTS}/critic",
        f"{WEIGHTS}/domain-expert",
    ),
    fails(
        "sum-off-configured-without",
        "left to the round they still sum to 1",
        under(PAIR, edited(pair(), {"/weights/writer": 0.501})),
        WEIGHTS,
    ),
)


def _final(text: str, round_: Round = HONEST) -> World:
    return judged(edited(round_, {"/final_score": lexeme(text)}))


FINAL_SCORE = (
    passes("mean", "7.93, the weighted mean", judged(HONEST)),
    passes("as-in-the-protocol", "the protocol's own example rounds it to 7.94", _final("7.94")),
    passes("one-decimal", "7.9 is within 0.05", _final("7.9")),
    passes("high-by-0.05", "exactly 0.05 is within", _final("7.98")),
    passes("low-by-0.05", "exactly 0.05 is within", _final("7.88")),
    passes("five", "weighted by the round's own weights", judged(HIGH)),
    passes("configured", "weighted as the configuration fixes", under(QUARTET, quartet())),
    passes("meta-judge", "where a meta-judge sat, its score is accepted", judged(META)),
    passes("mean-beside-meta-judge", "the mean is accepted then too", _final("7.65", META)),
    passes(
        "meta-judge-written-otherwise",
        "780e-2 is the meta-judge's score",
        _final("780e-2", META),
    ),
    fails("high", "above the mean by more than 0.05", _final("7.981"), f"{R}/final_score"),
    fails("low", "below the mean by more than 0.05", _final("7.879"), f"{R}/final_score"),
    fails(
        "plain-mean",
        "7.0 is the mean without weights; with them it is 7.25",
        _final("7.0", make_round(scores=("9.0", "6.5", "6.5", "6.5", "6.5"))),
        f"{R}/final_score",
    ),
    fails("highest", "the highest score is not the mean", _final("8.2"), f"{R}/final_score"),
    fails(
        "high-beside-meta-judge",
        "neither the mean, 7.65, nor the meta-judge's 7.8",
        _final("8.6", META),
        f"{R}/final_score",
    ),
    fails(
        "low-beside-meta-judge",
        "neither the mean, 7.65, nor the meta-judge's 7.8",
        _final("7.5", META),
        f"{R}/final_score",
    ),
    fails(
        "with-meta-judge-averaged",
        "the meta-judge is no part of a mean: 6.63 is that of all four",
        _final("6.63", make_round(scores=APART, meta="4.0")),
        f"{R}/final_score",
    ),
    fails(
        "off-the-scale",
        "no mean of scores up to 10.0 is above 10.0",
        _final("11"),
        f"{R}/final_score",
    ),
    fails(
        "score-raised-and-sealed",
        "everything was sealed anew over a raised score, and the final score forgotten",
        judged(resealed(edited(HONEST, {"/attestations/0/score": 8.4}))),
        f"{R}/final_score",
    ),
)

CASES: Cases = {
    "KA130-score-range": SCORE_RANGE,
    "KA131-score-precision": SCORE_PRECISION,
    "KA132-weights": WEIGHTS_CASES,
    "KA133-final-score": FINAL_SCORE,
}
