"""Documents to JSON text: nothing is lost, and it is laid out as Python's own writer does."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.jsondoc import JsonValue, Number, parse
from kattest.jsontext import render, rounded

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
LEXEMES = st.sampled_from(
    ["0", "-0", "-0.0", "7", "7.0", "7.00", "1e5", "1E+05", "0.1e-7", "123456789012345678901.50"]
)
PARSED: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | TEXT | LEXEMES.map(Number),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)
ORDINARY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | TEXT | st.integers(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


def told_apart(value: JsonValue) -> object:
    """``value`` with the order of members, so that comparing sees it, and kinds of numbers alike."""
    if isinstance(value, dict):
        return [(key, told_apart(member)) for key, member in value.items()]
    if isinstance(value, list):
        return [[told_apart(element)] for element in value]
    return ("number", value.lexeme) if isinstance(value, Number) else (type(value), value)


@settings(max_examples=80)
@given(PARSED)
def test_what_is_written_is_read_with_every_lexeme_and_order(value: JsonValue) -> None:
    document = parse(render(value))
    assert told_apart(document.value) == told_apart(value)
    assert document.duplicates == ()


@settings(max_examples=80)
@given(ORDINARY)
def test_it_is_laid_out_as_python_lays_it_out(value: Any) -> None:
    assert render(value) == (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


@given(PARSED)
def test_writing_what_was_read_changes_nothing(value: JsonValue) -> None:
    once = render(value)
    assert render(parse(once).value) == once


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((), b"[]\n"),
        ({}, b"{}\n"),
        ({"a": [{}, []]}, b'{\n  "a": [\n    {},\n    []\n  ]\n}\n'),
        (("a", "b"), b'[\n  "a",\n  "b"\n]\n'),
        (Decimal("0.30"), b"0.30\n"),
        (Decimal("1E-6"), b"0.000001\n"),
        (Decimal("1E+2"), b"100\n"),
        (True, b"true\n"),
        (1, b"1\n"),
        ('я"\\\x00\n😀', '"я\\"\\\\\\u0000\\n😀"\n'.encode()),
    ],
)
def test_pythons_own_values_stand_for_those_of_a_document(value: Any, expected: bytes) -> None:
    assert render(value) == expected


@pytest.mark.parametrize(
    ("value", "places", "expected"),
    [
        ("7.94", 2, "7.94"),
        ("7.9", 2, "7.9"),
        ("8", 2, "8.0"),
        ("7.995", 2, "8.0"),
        ("0.125", 2, "0.12"),
        ("0.135", 2, "0.14"),
        ("0", 4, "0.0"),
        ("10", 1, "10.0"),
        ("0.00004", 4, "0.0"),
    ],
)
def test_a_number_is_rounded_half_to_even_and_keeps_one_decimal(
    value: str, places: int, expected: str
) -> None:
    assert rounded(Decimal(value), places) == Number(expected)


@pytest.mark.parametrize("value", ["1e300", "-1e300", "5e24", "12345678901234567890123456789.5"])
def test_a_number_beyond_all_measure_is_rounded_to_one_that_can_be_read(value: str) -> None:
    made = parse(render(rounded(Decimal(value), 4))).value
    assert isinstance(made, Number)
    assert float(made.lexeme) == pytest.approx(float(value))
