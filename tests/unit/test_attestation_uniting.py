"""Attestation files of two branches become one, and no round is lost or made up."""

from __future__ import annotations

from typing import Any

import pytest

from kattest.attestation.uniting import UnitingError, rounds_in, unite, with_rounds
from kattest.jsondoc import JsonValue, parse
from kattest.jsontext import render
from tests.support.rounds import make_round
from tests.unit.judging import codes, judge
from tests.unit.remembering import read


def round_at(name: str, hour: int = 13, **changes: Any) -> dict[str, Any]:
    return make_round(evaluation_id=name, **changes) | {"completed_at": f"2026-03-01T{hour}:00:00Z"}


def file_of(*rounds: dict[str, Any], **around: Any) -> JsonValue:
    return read(around | {"evaluations": [*rounds]})


def ids(document: JsonValue) -> list[str]:
    return [str(one["evaluation_id"]) for one in rounds_in(document)]


A, B, C, D = (round_at(name, hour) for name, hour in (("a", 13), ("b", 14), ("c", 15), ("d", 16)))
TORN = round_at("torn", scores=("9.0", "4.0", "7.0"))
DECIDED = round_at("torn", scores=("9.0", "4.0", "7.0"), meta="6.5")


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ([A], [A, B], [A, C], ["a", "b", "c"]),
        ([A], [A, C], [A, B], ["a", "b", "c"]),
        ([], [D, B], [C], ["b", "c", "d"]),
        ([B, A], [B, A, D], [B, A, C], ["b", "a", "c", "d"]),  # the base keeps its order
        ([A], [A], [A, B], ["a", "b"]),
        ([A], [A, B], [A, B], ["a", "b"]),
        ([A, B], [A], [B], ["a", "b"]),  # each dropped one
        ([A, B], [B], [B], ["b"]),  # both dropped it
        ([A], [], [], []),
        ([], [], [], []),
    ],
)
def test_the_rounds_of_both_are_there_the_older_first(
    base: list[Any], ours: list[Any], theirs: list[Any], expected: list[str]
) -> None:
    united = unite(file_of(*base), file_of(*ours), file_of(*theirs))
    assert ids(united) == expected
    assert united == unite(file_of(*base), file_of(*theirs), file_of(*ours))


def test_rounds_of_one_moment_are_in_the_order_of_their_ids() -> None:
    one, other = round_at("x"), round_at("w")
    assert ids(unite(None, file_of(one), file_of(other))) == ["w", "x"]
    assert ids(unite(None, file_of(other), file_of(one))) == ["w", "x"]


def test_times_are_compared_as_instants() -> None:
    early = round_at("z") | {"completed_at": "2026-03-01T15:30:00+03:00"}  # 12:30 in UTC
    assert ids(unite(None, file_of(A), file_of(early))) == ["z", "a"]


def test_a_file_that_is_new_on_both_branches_has_no_base() -> None:
    assert ids(unite(None, file_of(B), file_of(A))) == ["a", "b"]


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_round_to_which_one_branch_added_a_meta_judge_is_that_branchs(*, is_ours: bool) -> None:
    base, added = file_of(TORN, A), file_of(DECIDED, A, B)
    other = file_of(TORN, A, C)
    ours, theirs = (added, other) if is_ours else (other, added)
    united = unite(base, ours, theirs)
    assert ids(united) == ["torn", "a", "b", "c"]
    [decided, *_] = rounds_in(united)
    assert decided == read(DECIDED)
    assert codes(judge(render(united))) == []


@pytest.mark.parametrize("base", [None, file_of(), file_of(TORN)])
def test_one_round_with_two_contents_is_for_a_person(base: JsonValue) -> None:
    other = round_at("torn", scores=("9.0", "4.0", "7.0"), meta="5.0")
    with pytest.raises(UnitingError, match='"torn" has two contents'):
        unite(base, file_of(DECIDED), file_of(other))


@pytest.mark.parametrize("layout", [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
def test_a_file_may_be_one_round_without_the_list_around_it(layout: list[int]) -> None:
    base, ours, theirs = (read(A) if alone else file_of(A) for alone in layout)
    assert ids(unite(base, ours, theirs)) == ["a"]
    assert ids(unite(base, ours, file_of(A, B))) == ["a", "b"]


def test_two_lone_rounds_become_a_list() -> None:
    united = unite(None, read(B), read(A))
    assert [*united] == ["evaluations"]
    assert ids(united) == ["a", "b"]


def test_what_is_around_the_rounds_stays_ours() -> None:
    united = unite(file_of(A), file_of(A, B, note="ours"), file_of(A, C))
    assert united["note"] == "ours"
    assert [*united] == ["note", "evaluations"]
    assert with_rounds(file_of(A, note="ours"), []) == {"note": "ours", "evaluations": []}
    assert with_rounds(None, []) == {"evaluations": []}


def test_a_number_that_is_only_written_otherwise_is_no_second_content() -> None:
    other = render(file_of(A)).replace(b"8.2", b"8.20")
    assert other != render(file_of(A))
    assert ids(unite(None, file_of(A), parse(other).value)) == ["a"]


@pytest.mark.parametrize(
    "document",
    [
        *(None, [], "a", True, {}, {"rounds": []}, {"evaluations": None}, {"evaluations": {}}),
        *({"evaluations": "a"}, {"evaluations": [1]}, {"evaluations": [A, None]}),
        {"evaluations": [[A]]},
    ],
)
def test_what_is_no_attestation_file_is_refused(document: Any) -> None:
    with pytest.raises(UnitingError, match="no attestation file"):
        rounds_in(read(document))
    for place in range(1, 3):
        three = [file_of(A)] * 3
        three[place] = read(document)
        with pytest.raises(UnitingError):
            unite(*three)


@pytest.mark.parametrize(
    "rounds",
    [
        [{"artifact_path": "SKILL.md"}],
        [A | {"evaluation_id": None}],
        [A | {"evaluation_id": 7}],
        [A, A],
        [A, A | {"artifact_path": "other"}],
    ],
)
def test_rounds_that_cannot_be_told_apart_are_refused(rounds: list[dict[str, Any]]) -> None:
    for three in ([rounds, [A], [A]], [[A], rounds, [A]], [[A], [A], rounds]):
        with pytest.raises(UnitingError, match="evaluation_id"):
            unite(*(file_of(*one) for one in three))
