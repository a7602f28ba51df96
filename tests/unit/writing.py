"""Panels and records by hand: what the tests of the pure core of writing are made with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kattest.attestation.building import OpenPanel, Sealed, build_round, seal
from kattest.digest import Recipe
from kattest.instant import Instant
from kattest.jsontext import render
from kattest.memory.intake import new_record
from kattest.memory.model import AnyRecord, MemoryConfig, Record
from kattest.roster import STANDARD, Panel
from tests.support.memory import CONFIG, given_of, is_cold, make_record
from tests.support.rounds import ARTIFACT, RATIONALES, sha256
from tests.unit.remembering import cold_of, read, record_of, rules_of

OPENED = Instant(1_772_366_400)  # 2026-03-01T12:00:00Z
RULES = rules_of(CONFIG)


def panel_of(
    roster: Panel = STANDARD, recipe: Recipe = Recipe.PREFIXED, opened: Instant = OPENED
) -> OpenPanel:
    """A panel that judges the artifact of the oracle."""
    digest = sha256(ARTIFACT)
    return OpenPanel("e1", "SKILL.md", digest, ".judge-attestations.json", roster, recipe, opened)


def sealed_by(
    panel: OpenPanel,
    scores: Sequence[str],
    rationales: Sequence[str] = RATIONALES,
    times: Sequence[Instant] | None = None,
) -> dict[str, Sealed]:
    """What the judges of a panel gave, in seat order; a score more is the meta-judge's."""
    judges = (*panel.panel.judge_ids, "meta-judge")
    moments = times or [panel.opened_at] * len(scores)
    return {
        judge: seal(panel, judge, score, rationale, moment)
        for judge, score, rationale, moment in zip(
            judges, scores, rationales, moments, strict=False
        )
    }


def file_with(panel: OpenPanel, sealed: Mapping[str, Sealed]) -> bytes:
    """The attestation file that holds the round alone."""
    return render({"evaluations": [build_round(panel, sealed)]})


def given_record(**changes: Any) -> dict[str, Any]:
    """The protocol's example of what memory_store is given, with ``changes``."""
    return given_of(make_record()) | changes


def stored(now: Instant, config: MemoryConfig = RULES, **changes: Any) -> tuple[Record, bytes]:
    """The record that kattest makes of ``given_record``, and its document."""
    value = read(given_record(**changes))
    assert isinstance(value, dict)
    made = new_record(value, config, now, ())
    return made.record, render(made.document)


def model_of(document: Mapping[str, Any]) -> AnyRecord:
    """The model of a document of the oracle, active or archived."""
    return cold_of(document) if is_cold({**document}) else record_of(document)
