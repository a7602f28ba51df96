"""Honest rounds, made without kattest: hashes straight from the protocol's words.

Everything here is an oracle for the tests, so nothing here may import kattest.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

NULL = "0" * 64
STANDARD = {"domain-expert": 0.4, "critic": 0.3, "completeness-auditor": 0.3}
HIGH_STAKES = {
    "domain-expert": 0.3,
    "critic": 0.2,
    "completeness-auditor": 0.2,
    "additional-expert": 0.2,
    "tiebreaker": 0.1,
}
ARTIFACT = b"# A skill\n\nIt explores a subject and writes down what it found.\n"
RATIONALES = (
    "Clear protocol steps, and the references hold examples that can be followed.",
    "Edge cases for inputs in several languages are not handled; recovery is unclear.",
    "All required sections are present, but performance benchmarks are missing so far.",
    "The steps fit what practitioners do, and the vocabulary is that of the field.",
    "On balance the strengths prevail: the gaps named can be closed without a redesign.",
    "The panel disagrees on completeness; weighing both sides, this is what remains.",
)


def sha256(data: bytes | str) -> str:
    """64 hexadecimal digits."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def attestation(
    judge: str,
    artifact_hash: str,
    score: str,
    rationale: str,
    previous: str,
    second: int,
) -> dict[str, Any]:
    """One attestation. ``artifact_hash`` is the text that enters the hash, so it sets the recipe."""
    return {
        "judge_id": judge,
        "score": float(score),
        "rationale_summary": rationale,
        "evaluation_hash": "sha256:" + sha256(f"{judge}|{artifact_hash}|{score}|{rationale}"),
        "timestamp": f"2026-03-01T12:{second // 60:02}:{second % 60:02}Z",
        "previous_attestation_hash": previous,
    }


def make_round(
    *,
    evaluation_id: str = "bto-eval-2026-03-01T12:00:00Z",
    path: str = "SKILL.md",
    artifact: bytes = ARTIFACT,
    scores: tuple[str, ...] = ("8.2", "7.5", "8.0"),
    weights: dict[str, float] | None = None,
    meta: str | None = None,
    rationales: tuple[str, ...] = RATIONALES,
    bare: bool = False,
) -> dict[str, Any]:
    """A round that follows the protocol. ``meta`` is the meta-judge's score, None for none."""
    if weights is None:
        weights = STANDARD if len(scores) == 3 else HIGH_STAKES
    digest = sha256(artifact)
    text = digest if bare else f"sha256:{digest}"
    judges = [*zip(weights, scores, strict=True)]
    if meta is not None:
        judges.append(("meta-judge", meta))
    attestations: list[dict[str, Any]] = []
    previous = "sha256:" + NULL
    for number, (judge, score) in enumerate(judges):
        made = attestation(judge, text, score, rationales[number], previous, 30 * (number + 1))
        attestations.append(made)
        previous = made["evaluation_hash"]
    mean = sum(weights[judge] * float(score) for judge, score in judges if judge in weights)
    return {
        "evaluation_id": evaluation_id,
        "artifact_path": path,
        "artifact_hash": f"sha256:{digest}",
        "panel_size": len(scores),
        "started_at": "2026-03-01T12:00:00Z",
        "completed_at": "2026-03-01T12:05:00Z",
        "attestations": attestations,
        "final_score": float(meta) if meta is not None else round(mean, 2),
        "weights": dict(weights),
    }


def dumps(*rounds: dict[str, Any]) -> bytes:
    """An attestation file with these rounds."""
    return (json.dumps({"evaluations": list(rounds)}, indent=2, ensure_ascii=False) + "\n").encode()
