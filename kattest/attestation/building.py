"""Rounds as the writer makes them (protocol, sections 1, 2 and 6; design, 3.1 to 3.3).

A panel is opened, each judge's evaluation is sealed, and what was sealed is linked into a round.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_DOWN, Decimal
from itertools import chain
from typing import NamedTuple

from kattest.attestation.panels import (
    HIGHEST_SCORE,
    LONGEST_RATIONALE,
    fixed_weights,
    mean_of,
    needs_meta_judge,
    spread_of,
)
from kattest.digest import NULL_HEX, PREFIX, Recipe, evaluation_hex
from kattest.instant import Instant
from kattest.jsondoc import Number
from kattest.jsontext import Writable, rounded
from kattest.roster import META_JUDGE, Panel

_SCORE = re.compile(r"(?:[0-9]|10)(?:\.[0-9])?")
_MILLIONTH = Decimal("0.000001")


class OpenPanel(NamedTuple):
    """A panel whose judges may judge: everything about its round that is fixed before they do.

    ``file`` is the attestation file that the round goes to; both paths count from the top of the
    repository. ``artifact_hex`` is the SHA-256 of the artifact's bytes.
    """

    evaluation_id: str
    artifact_path: str
    artifact_hex: str
    file: str
    panel: Panel
    recipe: Recipe
    opened_at: Instant


class Sealed(NamedTuple):
    """One judge's evaluation, which does not change any more.

    ``score`` has one decimal, ``rationale`` is the summary that is hashed.
    """

    judge_id: str
    score: str
    rationale: str
    evaluation_hex: str
    sealed_at: Instant


def score_text(text: str) -> str | None:
    """A score from 0.0 to 10.0 with exactly one decimal; None where ``text`` is none.

    It is never rounded.
    """
    if not _SCORE.fullmatch(text) or Decimal(text) > HIGHEST_SCORE:
        return None
    return text if "." in text else f"{text}.0"


def rationale_summary(text: str) -> str:
    """What of a rationale is kept: trimmed, its first 500 code points, trimmed again."""
    return text.strip()[:LONGEST_RATIONALE].strip()


def seal(panel: OpenPanel, judge_id: str, score: str, rationale: str, now: Instant) -> Sealed:
    """Seal what a judge gives; ``score`` and ``rationale`` are as the functions above give them."""
    digest = evaluation_hex(judge_id, panel.artifact_hex, panel.recipe, score, rationale)
    return Sealed(judge_id, score, rationale, digest, max(now, panel.opened_at))


def panel_scores(panel: OpenPanel, sealed: Mapping[str, Sealed]) -> dict[str, Decimal]:
    """The scores of the panel that are sealed, by judge; a meta-judge is not of it."""
    judges = (judge for judge in panel.panel.judge_ids if judge in sealed)
    return {judge: Decimal(sealed[judge].score) for judge in judges}


def missing_seats(panel: OpenPanel, sealed: Mapping[str, Sealed]) -> tuple[str, ...]:
    """The judges who have not judged yet."""
    return tuple(judge for judge in panel.panel.judge_ids if judge not in sealed)


def wants_meta_judge(panel: OpenPanel, sealed: Mapping[str, Sealed]) -> bool:
    """Whether the panel is complete, and disagrees so much that a meta-judge must decide."""
    scores = panel_scores(panel, sealed).values()
    return not missing_seats(panel, sealed) and needs_meta_judge(spread_of(scores))


def build_round(panel: OpenPanel, sealed: Mapping[str, Sealed]) -> dict[str, Writable]:
    """The round that a complete panel, and its meta-judge if there is one, come to.

    The chain is linked in seat order. Each attestation is recorded when it was sealed, or else,
    to be later than the one before it, a microsecond after that. The same panel always gives the
    same round.
    """
    attestations: list[Writable] = []
    previous, recorded = NULL_HEX, panel.opened_at
    for judge in chain(panel.panel.judge_ids, (META_JUDGE,) if META_JUDGE in sealed else ()):
        one = sealed[judge]
        is_later = not attestations or one.sealed_at > recorded
        recorded = one.sealed_at if is_later else recorded.next_microsecond()
        attestations.append(
            {
                "judge_id": judge,
                "score": Number(one.score),
                "rationale_summary": one.rationale,
                "evaluation_hash": PREFIX + one.evaluation_hex,
                "timestamp": recorded.precise(),
                "previous_attestation_hash": PREFIX + previous,
            }
        )
        previous = one.evaluation_hex
    return {
        "evaluation_id": panel.evaluation_id,
        "artifact_path": panel.artifact_path,
        "artifact_hash": PREFIX + panel.artifact_hex,
        "panel_size": len(panel.panel.seats),
        "started_at": panel.opened_at.precise(),
        "completed_at": recorded.precise(),
        "attestations": attestations,
        "final_score": final_score(panel, sealed),
        "weights": weights_of(panel.panel),
    }


def final_score(panel: OpenPanel, sealed: Mapping[str, Sealed]) -> Number:
    """The meta-judge's score where one sat, else the weighted mean to two decimals."""
    if META_JUDGE in sealed:
        return Number(sealed[META_JUDGE].score)
    return rounded(mean_of(panel_scores(panel, sealed), weights_of(panel.panel)), 2)


def weights_of(panel: Panel) -> dict[str, Decimal]:
    """The weights of a roster; where it fixes none, all seats weigh the same.

    What is left of 1 by rounding to a millionth goes to the first seat.
    """
    fixed = fixed_weights(panel)
    if fixed is not None:
        return fixed
    share = (1 / Decimal(len(panel.seats))).quantize(_MILLIONTH, ROUND_DOWN).normalize()
    weights = dict.fromkeys(panel.judge_ids, share)
    weights[panel.judge_ids[0]] = (1 - share * (len(weights) - 1)).normalize()
    return weights
