"""Every single change of a published round is found, but that a meta-judge may come to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.memory_changes import places
from tests.properties.test_mutations import EDITS, ROUNDS, SAMPLES, changed, later, without
from tests.support.rounds import ARTIFACT, dumps, make_round
from tests.unit.comparing import compare, of_history
from tests.unit.judging import FILE

Round: TypeAlias = dict[str, Any]

AROUND = {"SKILL.md": ARTIFACT}
OTHER = make_round(evaluation_id="another")
in_every_round = pytest.mark.parametrize("honest", ROUNDS.values(), ids=ROUNDS)


def history(data: bytes, published: bytes) -> list[str]:
    return of_history(compare({**AROUND, FILE: data}, {**AROUND, FILE: published}))


def unfound(honest: Round, changes: Iterator[tuple[str, Any]]) -> list[str]:
    """The labels of the changes of which the history tells nothing; there must be some changes."""
    text = dumps(honest)
    verdicts = [
        (label, history(dumps(result), text))
        for label, result in changes
        if json.dumps(result) != json.dumps(honest)
    ]
    assert verdicts
    return [label for label, codes in verdicts if codes not in (["KA501"], ["KA502"])]


@in_every_round
def test_nothing_is_told_of_a_round_that_stays(honest: Round) -> None:
    assert history(dumps(honest), dumps(honest)) == []
    assert history(dumps(honest, OTHER), dumps(honest)) == []
    assert history(json.dumps({"evaluations": [OTHER, honest]}).encode(), dumps(honest)) == []


@in_every_round
def test_every_member_that_is_gone(honest: Round) -> None:
    changes = ((str(path), without(honest, path)) for path, _ in places(honest) if path)
    assert unfound(honest, changes) == []


@in_every_round
def test_every_member_that_is_something_else(honest: Round) -> None:
    changes = (
        (f"{path} = {sample!r}", changed(honest, path, sample) if path else sample)
        for path, _ in places(honest)
        for sample in SAMPLES
    )
    assert unfound(honest, changes) == []


@in_every_round
def test_every_member_that_is_new(honest: Round) -> None:
    objects = [path for path, value in places(honest) if isinstance(value, dict)]
    values: tuple[Any, ...] = (None, 0, "x", {})
    changes = (
        (f"{path} {name}", changed(honest, (*path, name), value))
        for path in objects
        for name in ("note", "", "Score", "meta-judge")
        for value in values
    )
    assert unfound(honest, changes) == []


@in_every_round
def test_every_number_that_is_another(honest: Round) -> None:
    numbers = [(path, value) for path, value in places(honest) if isinstance(value, int | float)]
    changes = (
        (f"{path} {step}", changed(honest, path, value + step))
        for path, value in numbers
        for step in (-1, 1, 0.1, -0.1, 0.04, 0.0000001)
    )
    assert unfound(honest, changes) == []


@in_every_round
def test_every_text_that_reads_otherwise(honest: Round) -> None:
    texts = [(path, value) for path, value in places(honest) if isinstance(value, str)]
    changes = (
        (f"{path} {label}", changed(honest, path, edit))
        for path, value in texts
        for label, edit in EDITS.items()
    )
    assert unfound(honest, changes) == []


@in_every_round
def test_every_time_that_is_another_or_says_so_otherwise(honest: Round) -> None:
    times = [(path, value) for path, value in places(honest) if str(value).startswith("2026-")]

    def changes() -> Iterator[tuple[str, Round]]:
        for path, value in times:
            for seconds in (-86400, -1, 0.001, 1):
                yield f"{path} {seconds}", changed(honest, path, later(value, seconds))
            for text in (value.replace("Z", "+00:00"), value.replace("Z", ".0Z"), value.lower()):
                yield f"{path} = {text}", changed(honest, path, text)

    assert unfound(honest, changes()) == []


@in_every_round
def test_every_attestation_that_is_gone_doubled_exchanged_or_another_rounds(honest: Round) -> None:
    made = honest["attestations"]
    foreign = make_round(artifact=b"another\n", scores=("1.0",) * 5, meta="1.0")["attestations"]

    def lists() -> Iterator[tuple[str, list[Any]]]:
        for one in range(len(made)):
            yield f"up to {one}", made[:one]
            yield f"{one} twice", [*made[:one], made[one], *made[one:]]
            yield f"another for {one}", [*made[:one], foreign[one], *made[one + 1 :]]
            yield f"{one} at the end", [*made, made[one]]
            for other in range(one):
                swapped = [*made]
                swapped[one], swapped[other] = swapped[other], swapped[one]
                yield f"{one} and {other}", swapped
        for seat in range(5):
            yield f"{seat} added", [*made, foreign[seat]]

    changes = ((label, honest | {"attestations": result}) for label, result in lists())
    assert unfound(honest, changes) == []


@in_every_round
def test_every_change_that_comes_with_another_round_or_in_another_file(honest: Round) -> None:
    for path, value in places(honest):
        if not path or isinstance(value, dict | list):
            continue
        result = changed(honest, path, "x")
        assert history(dumps(OTHER, result), dumps(honest)) in (["KA501"], ["KA502"]), path
        files = {**AROUND, FILE: dumps(OTHER), f"a/{FILE}": dumps(result)}
        codes = of_history(compare(files, {**AROUND, FILE: dumps(honest, OTHER)}))
        assert codes in (["KA501"], ["KA502"]), path


@in_every_round
def test_survivor_a_meta_judge_may_come_to_the_last_round_and_end_it_anew(honest: Round) -> None:
    panel, has_one = honest["panel_size"], len(honest["attestations"]) > honest["panel_size"]
    meta = make_round(scores=("9.0",) * panel, meta="7.5")["attestations"][-1]
    settled = deepcopy(honest)
    settled["attestations"].append(meta)
    settled |= {"completed_at": "2026-03-01T13:00:00Z", "final_score": 7.5}
    assert history(dumps(settled), dumps(honest)) == (["KA501"] if has_one else [])
    assert history(dumps(settled, OTHER), dumps(honest, OTHER)) == ["KA501"]
    if not has_one:
        kept = {"attestations", "completed_at", "final_score"}
        changes = (
            (str(path), changed(settled, path, "x"))
            for path, _ in places(settled)
            if path and path[0] not in kept
        )
        assert unfound(honest, changes) == []


@settings(max_examples=300)
@given(st.data())
def test_any_other_text_in_any_place(data: st.DataObject) -> None:
    honest = data.draw(st.sampled_from([*ROUNDS.values()]))
    texts = [path for path, value in places(honest) if isinstance(value, str)]
    path = data.draw(st.sampled_from(texts))
    character = data.draw(st.characters(codec="utf-8"))

    def edit(text: str) -> str:
        at = data.draw(st.integers(0, len(text)))
        return text[:at] + character + text[at + data.draw(st.integers(0, 1)) :]

    result = changed(honest, path, edit)
    if result != honest:
        assert history(dumps(result), dumps(honest)) in (["KA501"], ["KA502"])
