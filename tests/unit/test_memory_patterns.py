"""Patterns of a domain, in each of the layouts in which they are read."""

from __future__ import annotations

from typing import Any

import pytest

from kattest.memory.patterns import best_patterns, patterns_of
from tests.unit.remembering import read

SLOW = {
    "pattern_id": "banking-phase2-slow",
    "description": "Banking cases take 2x longer in Phase 2",
    "confidence": 0.85,
    "actionable_advice": "Allocate extra time",
}
FAST = SLOW | {"pattern_id": "retail-fast", "confidence": 0.9}
NAMED = SLOW | {"pattern_id": "p7", "domain": "banking", "confidence": 0.1}


def ids(patterns: list[Any]) -> list[str]:
    return [one["pattern_id"] for one in patterns]


@pytest.mark.parametrize(
    "document",
    [
        [SLOW, FAST, NAMED],
        {"patterns": [SLOW, FAST, NAMED]},
        {"version": "1.0", "patterns": [SLOW, FAST, NAMED]},
        {"banking": [SLOW, NAMED], "retail": [FAST]},
        {"patterns": {"banking": [SLOW, NAMED], "retail": [FAST]}},
    ],
)
def test_each_layout_has_the_patterns_of_a_domain(document: Any) -> None:
    assert ids(patterns_of(read(document), "banking")) == ["banking-phase2-slow", "p7"]
    assert ids(patterns_of(read(document), "retail")) == ["retail-fast"]
    assert patterns_of(read(document), "bank") == []
    assert ids(best_patterns(read(document))) == ["retail-fast", "banking-phase2-slow", "p7"]


def test_a_pattern_is_shown_as_the_protocol_shows_it() -> None:
    [shown] = patterns_of(read([SLOW | {"seen": 7, "domain": "banking"}]), "banking")
    assert shown == read(SLOW)
    assert isinstance(shown, dict)
    assert [*shown] == [*SLOW]


def test_the_domain_that_a_pattern_names_counts_more_than_its_place_and_id() -> None:
    moved = SLOW | {"domain": "retail"}
    assert ids(patterns_of(read({"banking": [moved]}), "retail")) == [SLOW["pattern_id"]]
    assert patterns_of(read({"banking": [moved]}), "banking") == []
    assert ids(patterns_of(read({"retail": [SLOW]}), "retail")) == [SLOW["pattern_id"]]


@pytest.mark.parametrize(
    "document",
    [
        *(None, 7, "x", {}, [], {"patterns": 7}, {"patterns": None}, {"banking": "slow"}),
        *([7, None, ["x"], {}], [{"description": "no id"}], {"banking": {"a": SLOW}}),
    ],
)
def test_what_is_no_pattern_is_passed_over(document: Any) -> None:
    assert patterns_of(read(document), "banking") == []
    assert best_patterns(read(document)) == []


def test_a_certainty_that_is_no_number_is_none() -> None:
    odd = [SLOW | {"confidence": value} for value in ("high", None, True)]
    assert ids(best_patterns(read([*odd, NAMED]))) == ["p7", *[SLOW["pattern_id"]] * 3]
    bare = {"pattern_id": 7}
    assert patterns_of(read([bare]), "banking") == []
    assert best_patterns(read([bare])) == [read(bare)]
