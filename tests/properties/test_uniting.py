"""Whatever two branches did, the merge holds all of it, and does not ask which one is ours."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.attestation.uniting import unite
from kattest.jsondoc import JsonValue
from kattest.jsontext import render
from kattest.memory.model import IndexEntry
from kattest.memory.uniting import unite_indexes
from tests.support.memory import STORED, make_index, make_record
from tests.support.rounds import make_round
from tests.unit.judging import errors, judge
from tests.unit.remembering import read
from tests.unit.test_memory_uniting import index_with

MINUTES = st.integers(5, 9)


class Branches(NamedTuple):
    base: list[dict[str, Any]] | None
    ours: list[dict[str, Any]]
    theirs: list[dict[str, Any]]


@st.composite
def branches(draw: st.DrawFn) -> Branches:
    """Rounds by the minute in which they were closed; each branch has its own order of new ones."""
    minutes = draw(st.lists(MINUTES, max_size=9))
    has_meta = draw(st.sampled_from(["", "ours", "theirs", "both"]))
    base: list[dict[str, Any]] = []
    sides: dict[str, list[dict[str, Any]]] = {"ours": [], "theirs": []}
    for number, minute in enumerate(minutes):
        torn: dict[str, Any] = {"scores": ("9.0", "4.0", "7.0"), "evaluation_id": f"e{number}"}
        ended = {"completed_at": f"2026-03-01T12:0{minute}:00Z"}
        plain, decided = make_round(**torn) | ended, make_round(**torn, meta="6.0") | ended
        where = draw(st.sampled_from(["base", "ours", "theirs", "both"]))
        if where == "base":
            base.append(plain)
            for side, rounds in sides.items():
                rounds.append(decided if has_meta in {side, "both"} else plain)
        else:
            for side, rounds in sides.items():
                if where in {side, "both"}:
                    rounds.insert(draw(st.integers(len(base), len(rounds))), decided)
    is_new = not base and draw(st.booleans())
    return Branches(None if is_new else base, **sides)


def file_of(rounds: list[dict[str, Any]] | None) -> JsonValue:
    return None if rounds is None else read({"evaluations": rounds})


@settings(max_examples=60)
@given(branches())
def test_every_round_is_there_whichever_branch_is_ours(branched: Branches) -> None:
    base, ours, theirs = map(file_of, branched)
    united = unite(base, ours, theirs)
    assert render(united) == render(unite(base, theirs, ours))
    made: Any = united["evaluations"]
    before = [one["evaluation_id"] for one in branched.base or []]
    after = {one["evaluation_id"] for one in (*branched.ours, *branched.theirs)}
    names = [one["evaluation_id"] for one in made]
    assert names[: len(before)] == before
    assert len(names) == len({*names})
    assert {*names} == {*before} | after
    ended = [(one["completed_at"], one["evaluation_id"]) for one in made[len(before) :]]
    assert ended == sorted(ended)
    given_ = {render(read(one)) for one in (*branched.ours, *branched.theirs)}
    assert {render(one) for one in made} <= given_


@settings(max_examples=30)
@given(branches())
def test_a_meta_judge_that_a_branch_added_is_not_lost(branched: Branches) -> None:
    made: Any = unite(*map(file_of, branched))["evaluations"]
    seats: dict[str, int] = {}
    for one in (*branched.ours, *branched.theirs):
        name = one["evaluation_id"]
        seats[name] = max(seats.get(name, 0), len(one["attestations"]))
    assert {one["evaluation_id"]: len(one["attestations"]) for one in made} == seats


@settings(max_examples=20)
@given(branches())
def test_merging_once_more_changes_nothing(branched: Branches) -> None:
    base, ours, theirs = map(file_of, branched)
    united = unite(base, ours, theirs)
    assert unite(united, united, united) == united
    assert errors(judge(render(united))) <= {"KA136", "KA124"}


DAYS = st.sets(st.integers(0, 9))


@settings(max_examples=40)
@given(DAYS, DAYS, DAYS, DAYS, DAYS)
def test_an_index_holds_what_neither_branch_removed(
    base: set[int], lost: set[int], dropped: set[int], new: set[int], other: set[int]
) -> None:
    ours = (base - lost) | new
    theirs = (base - dropped) | other
    expected = (ours & theirs) | ((ours | theirs) - base)
    three = [index_with(*(record_of(day) for day in sorted(days))) for days in (base, ours, theirs)]
    united = unite_indexes(*three)
    wanted = make_index([record_of(day) for day in sorted(expected)], updated=STORED)
    assert said(united.records) == {key: one["file"] for key, one in wanted["records"].items()}
    assert united.record_count == len(expected)
    swapped = unite_indexes(three[0], three[2], three[1])
    assert swapped.records == united.records
    assert swapped.by_domain == united.by_domain


def record_of(day: int) -> dict[str, Any]:
    return make_record(f"case-{day}", reward=day / 10)


def said(records: Any) -> dict[str, str | None]:
    entries: dict[str, IndexEntry] = records or {}
    return {key: entry.file for key, entry in entries.items()}
