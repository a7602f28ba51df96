"""The evaluation hash seen from the verifier's side: what could have made it (design, 3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kattest.attestation.model import Attestation, Round
from kattest.digest import Recipe, evaluation_hex
from kattest.jsondoc import Number


class Evaluation(NamedTuple):
    """What an evaluation hash covers, all of it present and well formed, and the stored hash."""

    judge_id: str
    artifact_hex: str
    score: Number
    rationale: str
    stored_hex: str

    def recipe(self) -> Recipe | None:
        """The recipe that gives the stored hash, with any form of the score; None: none does."""
        for recipe in Recipe:
            for score in score_texts(self.score):
                computed = evaluation_hex(
                    self.judge_id, self.artifact_hex, recipe, score, self.rationale
                )
                if computed == self.stored_hex:
                    return recipe
        return None


def evaluation_of(attestation: Attestation, round_: Round) -> Evaluation | None:
    """What the attestation's hash covers; None where a part is missing or malformed."""
    artifact, stored = round_.artifact_hash, attestation.evaluation_hash
    if (
        attestation.judge_id is None
        or attestation.score is None
        or attestation.rationale is None
        or artifact is None
        or artifact.hex is None
        or stored is None
        or stored.hex is None
    ):
        return None
    return Evaluation(
        attestation.judge_id,
        artifact.hex,
        attestation.score,
        attestation.rationale,
        stored.hex,
    )


def score_decimals(score: Number) -> int:
    """How many decimals a score has, as it is written or as it is meant, whichever is more."""
    written = score.lexeme.lower().partition("e")[0].partition(".")[2]
    meant = _shortest(score).partition(".")[2]
    return max(len(written), len(meant))


def score_texts(score: Number) -> Iterator[str]:
    """The texts that a score may have been hashed as, never rounded to fit.

    Its JSON lexeme, its shortest decimal form, and its one-decimal form where it has one.
    """
    yield score.lexeme
    shortest = _shortest(score)
    yield shortest
    whole, _, decimals = shortest.partition(".")
    if not decimals:
        yield f"{whole}.0"


def _shortest(score: Number) -> str:
    text = f"{score.value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
