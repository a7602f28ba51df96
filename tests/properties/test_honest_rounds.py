"""Any honest round verifies: whatever the scores, the words, the weights and the recipe."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.rounds import ARTIFACT, HIGH_STAKES, RATIONALES, dumps, make_round
from tests.unit.judging import errors, judge

SCORES = st.integers(0, 100).map(lambda tenths: f"{tenths // 10}.{tenths % 10}")
# Letters, marks, digits, punctuation, symbols and spaces of any script: nothing that is invisible.
VISIBLE = st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cn", "Co", "Zl", "Zp"))
WORDS = st.text(VISIBLE | st.sampled_from("\n\t|\"\\'éßяжも😀 "), max_size=30)


@st.composite
def ingredients(draw: st.DrawFn) -> dict[str, Any]:
    """What an honest round is made of, but for the recipe."""
    size = draw(st.sampled_from([3, 5]))
    scores = draw(st.lists(SCORES, min_size=size, max_size=size))
    values = [Decimal(score) for score in scores]
    torn = max(values) - min(values) > 3
    rationales = [
        f"{draw(WORDS)} {RATIONALES[number]} {draw(WORDS)}".strip() for number in range(size + torn)
    ]
    weights = None
    if size == 5 and draw(st.booleans()):
        cuts = sorted(draw(st.lists(st.integers(1, 99), min_size=4, max_size=4, unique=True)))
        parts = [high - low for low, high in zip([0, *cuts], [*cuts, 100], strict=True)]
        weights = {judge_id: part / 100 for judge_id, part in zip(HIGH_STAKES, parts, strict=True)}
    return {
        "scores": tuple(scores),
        "meta": draw(SCORES) if torn else None,
        "rationales": tuple(rationales),
        "weights": weights,
    }


def honest_rounds() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda made, bare: make_round(**made, bare=bare), ingredients(), st.booleans())


@settings(max_examples=200)
@given(honest_rounds())
def test_an_honest_round_has_no_errors(round_: dict[str, Any]) -> None:
    report = judge(dumps(round_))
    assert errors(report) == set()
    [found] = report.rounds
    assert found.status == "verified"
    assert found.recipe is not None
    assert not any(line.failed for line in found.judges)


@settings(max_examples=50)
@given(st.lists(honest_rounds(), min_size=1, max_size=4), st.booleans())
def test_honest_rounds_stand_side_by_side(rounds: list[dict[str, Any]], split: bool) -> None:  # noqa: FBT001 - drawn
    named = [round_ | {"evaluation_id": f"e{number}"} for number, round_ in enumerate(rounds)]
    artifact = {"SKILL.md": ARTIFACT}
    if split:
        others = {f"s{n}/.judge-attestations.json": dumps(r) for n, r in enumerate(named[1:])}
        report = judge(dumps(named[0]), files={**artifact, **others})
    else:
        report = judge(dumps(*named), files=artifact)
    assert errors(report) == set()
    assert report.counts.rounds == len(named)
    assert report.counts.attestations == sum(len(round_["attestations"]) for round_ in named)


@settings(max_examples=50)
@given(ingredients(), st.booleans())
def test_a_judge_by_the_other_recipe_is_found(made: dict[str, Any], bare: bool) -> None:  # noqa: FBT001 - drawn
    """The last attestation is another's, made by the other recipe, with its link mended."""
    round_, other = make_round(**made, bare=bare), make_round(**made, bare=not bare)
    last = other["attestations"][-1]
    last["previous_attestation_hash"] = round_["attestations"][-2]["evaluation_hash"]
    round_["attestations"][-1] = last
    assert errors(judge(dumps(round_))) == {"KA106"}
