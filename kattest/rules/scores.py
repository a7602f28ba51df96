"""KA130 to KA133: scores, weights, and what they come to (design, sections 3.1 and 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from kattest.attestation.evaluation import score_decimals
from kattest.attestation.panels import (
    FINAL_SCORE_TOLERANCE,
    HIGHEST_SCORE,
    LOWEST_SCORE,
    weighted_mean,
)
from kattest.jsondoc import Number, pointer_to
from kattest.roster import WEIGHT_TOLERANCE, Panel
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import RoundSubject
from kattest.text import quote


@check(
    "KA130",
    "score-range",
    what="Every score lies from 0.0 to 10.0, and has no minus sign.",
    why="One score far outside the scale decides the mean alone.",
    fix="Have the judge score again on the scale from 0.0 to 10.0.",
)
def score_range(subject: RoundSubject) -> Iterator[Fault]:
    for attestation in subject.round.attestations:
        score = attestation.score
        if score and not _on_scale(score):
            yield Fault(
                f"the score of {quote(attestation.name)}, {score.lexeme}, is not from 0.0 to 10.0",
                Spot(pointer_to(attestation.pointer, "score")),
            )


@check(
    "KA131",
    "score-precision",
    what="Every score has at most one decimal, as it is written (protocol, section 1).",
    why="The hash covers the score's text. With more decimals it depends on how a program rounds, "
    "and no two need to agree on it.",
    fix="Have the judge evaluate again with one decimal. Rounding the score now would break its "
    "hash.",
)
def score_precision(subject: RoundSubject) -> Iterator[Fault]:
    for attestation in subject.round.attestations:
        score = attestation.score
        if score and score_decimals(score) > 1:
            yield Fault(
                f"the score of {quote(attestation.name)}, {score.lexeme}, has "
                f"{score_decimals(score)} decimals instead of one",
                Spot(pointer_to(attestation.pointer, "score")),
            )


@check(
    "KA132",
    "weights",
    what="The weights name exactly the panel's judges, are the roster's own (0.4, 0.3, 0.3 for the "
    "standard panel), or, where it fixes none, lie above 0 and sum to 1.",
    why="No hash covers the weights. Whoever shifts them shifts the final score without touching a "
    "judgement.",
    fix="Restore the weights of the roster.",
)
def weights(subject: RoundSubject) -> Iterator[Fault]:
    given, panel = subject.round.weights, subject.panel
    if given is None or panel is None:
        return
    pointer = pointer_to(subject.round.pointer, "weights")
    for judge in panel.judge_ids:
        if judge not in given:
            yield Fault(f"the weights do not name {quote(judge)}", Spot(pointer))
    for judge in given:
        if judge not in panel.judge_ids:
            yield Fault(
                f"the weights name {quote(judge)}, who has no seat on the {panel.name} panel",
                Spot(pointer_to(pointer, judge), at_key=True),
            )
    yield from _weights_off(panel, given, pointer)


@check(
    "KA133",
    "final-score",
    what="The final score is the weighted mean of the panel's scores, within 0.05; where a "
    "meta-judge sat, its score is accepted too.",
    why="The final score is what people read, and no hash covers it.",
    fix="If a hash of the round is broken too, mend that first: the score may be forged. Then set "
    "final_score to the mean named in the finding.",
)
def final_score(subject: RoundSubject) -> Iterator[Fault]:
    round_ = subject.round
    mean = weighted_mean(subject.panel, round_) if subject.panel else None
    if mean is None or round_.final_score is None:
        return
    final, meta = round_.final_score.value, round_.meta
    if abs(final - mean) <= FINAL_SCORE_TOLERANCE:
        return
    if meta and meta.score and final == meta.score.value:
        return
    other = f" or the meta-judge's {meta.score.lexeme}" if meta and meta.score else ""
    yield Fault(
        f"the final score is {round_.final_score.lexeme}, and should be the weighted mean "
        f"{mean.normalize():f}{other}",
        Spot(pointer_to(round_.pointer, "final_score")),
    )


def _on_scale(score: Number) -> bool:
    value = score.value
    return not value.is_signed() and LOWEST_SCORE <= value <= HIGHEST_SCORE


def _weights_off(panel: Panel, given: Mapping[str, Number], pointer: str) -> Iterator[Fault]:
    """The faults in the weights' values, given a roster that fixes them or does not."""
    fixed = {seat.judge_id: seat.weight for seat in panel.seats}
    for judge, number in given.items():
        expected, weight = fixed.get(judge), number.value
        spot = Spot(pointer_to(pointer, judge))
        if expected is not None and abs(weight - expected) > WEIGHT_TOLERANCE:
            yield Fault(
                f"the weight of {quote(judge)} is {number.lexeme}; on the {panel.name} panel it "
                f"is {expected}",
                spot,
            )
        elif expected is None and judge in fixed and weight <= 0:
            yield Fault(f"the weight of {quote(judge)} is {number.lexeme}, not above 0", spot)
    total = sum((number.value for number in given.values()), Decimal(0))
    if abs(total - 1) > WEIGHT_TOLERANCE:
        yield Fault(f"the weights sum to {total}, not to 1", Spot(pointer))


CHECKS = (score_range, score_precision, weights, final_score)
