"""Where two JSON values differ: by what they say, not by how they are written."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kattest.jsondiff import Difference, differences, is_equal, summary
from kattest.jsondoc import JsonValue, parse

NUMBERS = ["0", "-0", "0.0", "1", "1.0", "10e-1", "1E0", "100e-2", "0.1", "1.5", "15e-1", "1e308"]


def read(text: str) -> JsonValue:
    return parse(text.encode()).value


def found(before: str, after: str) -> list[tuple[str, str, str]]:
    places = differences(read(before), read(after))
    return [(one.pointer, one.before, one.after) for one in places]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A JSON text in which few different values stand, so that two of them are often alike."""
    numbers = st.sampled_from(NUMBERS)
    words = st.sampled_from(["null", "true", "false", '""', '"0"', '"a"', '"\\u0061"', "[]", "{}"])
    keys = st.sampled_from(['"a"', '"b"', '"/"', '"~"'])

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        lists = st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        members = st.dictionaries(keys, inner, max_size=3)
        return lists | members.map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs.items()) + "}"
        )

    return draw(st.recursive(numbers | words, larger, max_leaves=6))


def plain(text: str) -> Any:
    """What Python's own reader makes of a text, each value marked with its type."""

    def marked(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: marked(member) for key, member in value.items()}
        if isinstance(value, list):
            return [marked(element) for element in value]
        return ("number", value) if isinstance(value, Decimal) else (type(value), value)

    return marked(json.loads(text, parse_int=Decimal, parse_float=Decimal))


@given(texts(), texts())
def test_values_are_equal_where_another_reader_finds_them_so(before: str, after: str) -> None:
    one, other = read(before), read(after)
    found = [*differences(one, other)]
    assert is_equal(one, other) is (plain(before) == plain(after)) is (not found)
    assert is_equal(other, one) is is_equal(one, other)
    assert [(d.pointer, d.after, d.before) for d in found] == [*differences(other, one)]


@given(texts())
def test_a_value_is_equal_to_itself(text: str) -> None:
    assert is_equal(read(text), read(text))
    assert [*differences(read(text), read(text))] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("8", "8.0"),
        ("8.0", "8.00"),
        ("0.4", "4e-1"),
        ("-0", "0"),
        ("1e2", "100"),
        ('"a"', '"\\u0061"'),
        ('{"a": 1, "b": 2}', '{"b": 2.0, "a": 1}'),
        ("[1, [2]]", "[ 1.0,[ 2 ] ]"),
    ],
)
def test_spelling_and_order_of_members_are_no_difference(before: str, after: str) -> None:
    assert found(before, after) == []
    assert is_equal(read(before), read(after))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("1", "1.0000001", [("", "1", "1.0000001")]),
        ("1", "true", [("", "1", "true")]),
        ("0", "false", [("", "0", "false")]),
        ("0", "null", [("", "0", "null")]),
        ('"1"', "1", [("", '"1"', "1")]),
        ("[]", "{}", [("", "an array", "an object")]),
        ('"a"', '"A"', [("", '"a"', '"A"')]),
        ('"\\u00e9"', '"e\\u0301"', [("", '"\u00e9"', '"e\u0301"')]),
        ('{"a": 1}', "{}", [("/a", "1", "absent")]),
        ("{}", '{"a": null}', [("/a", "absent", "null")]),
        ('{"a/b~": 1}', '{"a/b~": 2}', [("/a~1b~0", "1", "2")]),
        ("[1, 2]", "[1]", [("/1", "2", "absent")]),
        ("[1, 2]", "[2]", [("/0", "1", "2"), ("/1", "2", "absent")]),
        ("[[1]]", "[{}]", [("/0", "an array", "an object")]),
        ('{"b": 1, "a": [0]}', '{"a": [1], "b": 2}', [("/a/0", "0", "1"), ("/b", "1", "2")]),
    ],
)
def test_the_innermost_places_that_differ(
    before: str, after: str, expected: list[tuple[str, str, str]]
) -> None:
    assert found(before, after) == expected
    assert not is_equal(read(before), read(after))


def test_a_summary_shows_a_few_and_counts_the_rest() -> None:
    some = [Difference(f"/{number}", "1", "2") for number in range(5)]
    assert summary(some[:1]) == "/0 was 1 and is 2"
    assert summary(some[:3]) == "/0 was 1 and is 2, /1 was 1 and is 2, /2 was 1 and is 2"
    assert summary(some) == f"{summary(some[:3])}, and 2 more"
    assert summary([Difference("", "null", "absent")]) == "the whole was null and is absent"
