"""Whatever a panel gives, the round that kattest builds of it verifies."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.attestation.building import (
    OpenPanel,
    Sealed,
    build_round,
    rationale_summary,
    score_text,
    seal,
)
from kattest.config import Config
from kattest.configfile import parse_config
from kattest.digest import Recipe
from kattest.instant import Instant
from kattest.jsontext import render
from kattest.roster import HIGH_STAKES, STANDARD, Panel
from tests.support.rounds import ARTIFACT, sha256
from tests.unit.judging import errors, judge

# What a text says decides whether it betrays another judge: that is not the writer's doing.
OF_THE_TEXT = {"KA142", "KA144"}
SCORES = st.integers(0, 100).map(lambda tenths: f"{tenths // 10}.{tenths % 10}") | (
    st.integers(0, 10).map(str)
)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | (
    st.text(st.sampled_from("aя😀 \n|"), min_size=480, max_size=520)
)
MOMENTS = st.builds(
    Instant,
    st.integers(1_772_366_390, 1_772_366_400),
    st.text("0123456789", max_size=8).map(lambda digits: digits.rstrip("0")),
)
CUSTOM = parse_config(
    b"panels: {pair: [{judge: author, weight: 0.55}, {judge: reader, weight: 0.45}],"
    b" open: [{judge: n1}, {judge: n2}, {judge: n3}, {judge: n4}, {judge: n5}, {judge: n6},"
    b" {judge: n7}], alone: [{judge: one}], trio: [{judge: x9}, {judge: x8}, {judge: x7}]}",
    ".kattest.yaml",
)


class Judged(NamedTuple):
    """A complete panel, and what each judge gave, in the order of sealing."""

    panel: OpenPanel
    sealed: dict[str, Sealed]


@st.composite
def panels(draw: st.DrawFn) -> Judged:
    roster: Panel = draw(st.sampled_from(CUSTOM.panels))
    assert {STANDARD, HIGH_STAKES} < {*CUSTOM.panels}
    panel = OpenPanel(
        "e1",
        "SKILL.md",
        sha256(ARTIFACT),
        ".judge-attestations.json",
        roster,
        draw(st.sampled_from(Recipe)),
        draw(MOMENTS),
    )
    given_scores = [score_text(draw(SCORES)) or "" for _ in roster.seats]
    values = [*map(Decimal, given_scores)]
    judges = [*zip(roster.judge_ids, given_scores, strict=True)]
    if max(values) - min(values) > 3:
        judges.append(("meta-judge", score_text(draw(SCORES)) or ""))
    sealed = {}
    for number, (judge_id, score) in enumerate(draw(st.permutations(judges))):
        # A number of its own keeps two judges from saying the same (KA144).
        rationale = rationale_summary(f"{draw(st.just('') | st.just(' '))}#{number} {draw(TEXTS)}")
        sealed[judge_id] = seal(panel, judge_id, score, rationale, draw(MOMENTS))
    return Judged(panel, sealed)


@settings(max_examples=60)
@given(panels())
def test_any_round_verifies(judged: Judged) -> None:
    made = render({"evaluations": [build_round(*judged)]})
    report = judge(made, config=CUSTOM)
    assert errors(report) - OF_THE_TEXT == set()
    assert report.counts.attestations == len(judged.sealed)
    [round_] = report.rounds
    assert round_.recipe == judged.panel.recipe.value


@settings(max_examples=15)
@given(panels().filter(lambda judged: judged.panel.panel in Config().panels), st.data())
def test_one_other_character_is_found(judged: Judged, data: st.DataObject) -> None:
    made: Any = build_round(*judged)
    one = data.draw(st.sampled_from(made["attestations"]))
    one["rationale_summary"] += "."
    assert "KA101" in errors(judge(render({"evaluations": [made]})))


@settings(max_examples=25)
@given(panels(), st.randoms())
def test_the_same_panel_gives_the_same_round(judged: Judged, chance: Any) -> None:
    shuffled = [*judged.sealed.items()]
    chance.shuffle(shuffled)
    assert render(build_round(judged.panel, dict(shuffled))) == render(build_round(*judged))


@settings(max_examples=25)
@given(panels())
def test_what_is_hashed_is_what_is_stored(judged: Judged) -> None:
    made: Any = build_round(*judged)
    artifact = made["artifact_hash"]
    if judged.panel.recipe is Recipe.BARE:
        artifact = artifact.removeprefix("sha256:")
    for one in made["attestations"]:
        parts = (one["judge_id"], artifact, one["score"].lexeme, one["rationale_summary"])
        digest = hashlib.sha256("|".join(parts).encode()).hexdigest()
        assert one["evaluation_hash"] == f"sha256:{digest}"
