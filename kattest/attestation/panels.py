"""A round against its roster: who took which seat, and what the scores come to.

Sources: protocol, sections 1, 2 and 5; design, section 3.3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal

from kattest.attestation.model import Attestation, Round
from kattest.roster import Panel

SPREAD_LIMIT = Decimal("3.0")  # above it, a meta-judge must decide
FINAL_SCORE_TOLERANCE = Decimal("0.05")  # scores have one decimal
LOWEST_SCORE, HIGHEST_SCORE = Decimal(0), Decimal(10)
LONGEST_RATIONALE = 500  # code points of a summary
SHORTEST_RATIONALE = 32  # code points; of a shorter one the score can be guessed from the hash


def panel_of(round_: Round, panels: Sequence[Panel]) -> Panel | None:
    """The roster that a round was judged by, or None where none has its size.

    Of several with that size, the one that seats most of the round's judges, the first of equals.
    """
    size = len(round_.panel) if round_.panel_size is None else round_.panel_size
    return roster_for(size, {attestation.judge_id for attestation in round_.panel}, panels)


def roster_for(size: int, judges: Collection[str | None], panels: Sequence[Panel]) -> Panel | None:
    """The roster by which ``size`` seats taken by ``judges`` are judged, as of ``panel_of``."""
    taken = {*judges}
    fitting = [panel for panel in panels if len(panel.seats) == size]
    return max(fitting, key=lambda panel: len(taken & {*panel.judge_ids}), default=None)


def seated(panel: Panel, round_: Round) -> dict[str, Attestation]:
    """Each seat's attestation by judge id, in seat order: the first where a judge has several."""
    first: dict[str | None, Attestation] = {}
    for attestation in round_.panel:
        first.setdefault(attestation.judge_id, attestation)
    return {judge: first[judge] for judge in panel.judge_ids if judge in first}


def spread(attestations: Iterable[Attestation]) -> Decimal | None:
    """Highest score less the lowest, exact; None without a score."""
    return spread_of([a.score.value for a in attestations if a.score is not None])


def spread_of(scores: Collection[Decimal]) -> Decimal | None:
    """The highest of ``scores`` less the lowest; None where there are none."""
    return max(scores) - min(scores) if scores else None


def needs_meta_judge(scores_spread: Decimal | None) -> bool:
    """Whether the panel disagrees so much that a meta-judge must decide (protocol, section 5)."""
    return scores_spread is not None and scores_spread > SPREAD_LIMIT


def expected_weights(panel: Panel, round_: Round) -> Mapping[str, Decimal] | None:
    """The weights that count: the roster's own, else the round's; None where neither has all."""
    fixed = fixed_weights(panel)
    if fixed is not None:
        return fixed
    own = {judge: number.value for judge, number in (round_.weights or {}).items()}
    return own if own.keys() == {*panel.judge_ids} else None


def fixed_weights(panel: Panel) -> dict[str, Decimal] | None:
    """The weights of a roster by judge; None where the round's own count."""
    fixed = {seat.judge_id: seat.weight for seat in panel.seats if seat.weight is not None}
    return fixed if len(fixed) == len(panel.seats) else None


def weighted_mean(panel: Panel, round_: Round) -> Decimal | None:
    """The mean of the panel's scores by weight, exact; None where a score or weight is lacking."""
    weights = expected_weights(panel, round_)
    scores = {
        judge: attestation.score.value
        for judge, attestation in seated(panel, round_).items()
        if attestation.score is not None
    }
    if weights is None or scores.keys() != weights.keys():
        return None
    return mean_of(scores, weights)


def mean_of(scores: Mapping[str, Decimal], weights: Mapping[str, Decimal]) -> Decimal:
    """The mean of ``scores`` by weight, exact; both are by judge, and name the same ones."""
    return sum((scores[judge] * weights[judge] for judge in scores), Decimal(0))
