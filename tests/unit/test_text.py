"""Hostile text: which characters are found, and that none of them gets through."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.text import escape, quote, unsafe_characters
from tests.support.rounds import RATIONALES, dumps, make_round
from tests.unit.judging import codes, judge

CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]
BIDIRECTIONAL = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
SEPARATORS = [0x2028, 0x2029]
# Unicode's Default_Ignorable_Code_Point: drawn as nothing. Those from FE00 to FE0F are left out:
# they choose between the forms of a character, and half of all emoji need one.
ZERO_WIDTH = [
    0x00AD,
    0x034F,
    0x061C,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    0x3164,
    0xFEFF,
    0xFFA0,
    *range(0xE0000, 0xE1000),
]
ZERO_WIDTH_FORMATS = [*range(0xFFF0, 0xFFFC), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)]

UNSAFE = {chr(c) for c in (*CONTROLS, *BIDIRECTIONAL, *SEPARATORS, *ZERO_WIDTH)}
ANY_TEXT = st.text(
    st.characters(exclude_categories=())
    | st.sampled_from(sorted(UNSAFE))
    | st.integers(0xD800, 0xDFFF).map(chr)
)


def name(code: int) -> str:
    return f"U+{code:04X}"


@pytest.mark.parametrize("code", sorted({*CONTROLS, *BIDIRECTIONAL, *SEPARATORS}), ids=name)
def test_controls_and_what_turns_text_around_are_escaped(code: int) -> None:
    escaped = escape(f"a{chr(code)}b")
    assert escaped.isprintable()
    assert escaped.startswith("a\\")
    assert escaped.endswith("b")


@pytest.mark.parametrize("code", [*ZERO_WIDTH[:40], 0xE0001, 0xE0041, 0xE007F, 0xE0100], ids=name)
def test_what_is_drawn_as_nothing_is_escaped(code: int) -> None:
    assert escape(chr(code)).isascii()


def test_rare_formats_that_are_drawn_as_nothing_are_escaped() -> None:
    assert [name(code) for code in ZERO_WIDTH_FORMATS if not escape(chr(code)).isascii()] == []


def test_rare_formats_that_are_drawn_as_nothing_are_found() -> None:
    missed = [name(c) for c in ZERO_WIDTH_FORMATS if unsafe_characters(f"a{chr(c)}b") != [chr(c)]]
    assert missed == []


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\x00", r"\x00"),
        ("a\tb\r\nc", r"a\tb\r\nc"),
        ("\x7f\x9b", r"\x7f\x9b"),
        ("\u202e", r"\u202e"),
        ("\U000e0041", r"\U000e0041"),
        ("\udcff", r"\xff"),
        ("\udc80", r"\x80"),
        ("\ud800", r"\ud800"),
        ("\udfff", r"\udfff"),
        ("plain ASCII, ünïcödé, русский, 日本語, 😀", "plain ASCII, ünïcödé, русский, 日本語, 😀"),
    ],
)
def test_escapes_are_spelt_like_this(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@settings(max_examples=500)
@given(ANY_TEXT)
def test_no_text_comes_through_with_an_unsafe_character(text: str) -> None:
    escaped = escape(text)
    assert not UNSAFE & {*escaped}
    assert {unicodedata.category(c) for c in escaped}.isdisjoint({"Cc", "Cs", "Zl", "Zp"})
    escaped.encode()  # no half of a surrogate pair is left
    assert escape(escaped) == escaped


@settings(max_examples=500)
@given(ANY_TEXT)
def test_what_is_safe_stays_as_it_is_and_the_rest_is_found(text: str) -> None:
    if escape(text) == text:
        assert unsafe_characters(text) == []
    for character in unsafe_characters(text):
        assert character in text
        assert escape(character) != character


def test_every_single_unsafe_character_is_found() -> None:
    layout = {"\t", "\n", "\r"}
    missed = {c for c in UNSAFE - layout if unsafe_characters(f"a{c}b") != [c]}
    assert missed == set()


@pytest.mark.parametrize(
    "text",
    [
        "tabs\tand\nline\r\nbreaks",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family, joined
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # the rainbow flag
        "\u2764\ufe0f",  # a red heart
        "1\ufe0f\u20e3",  # a keycap
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a non-joiner
        "\u0915\u094d\u200d\u0937",  # Devanagari, with a joiner
        "\U0001f1e9\U0001f1ea",  # a flag
        "e\u0301",
        "",
    ],
)
def test_honest_text_is_safe(text: str) -> None:
    assert unsafe_characters(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\u200db", ["\u200d"]),
        ("\u200d\U0001f468", ["\u200d"]),
        ("\U0001f468\u200d", ["\u200d"]),
        ("\U0001f468\u200d8", ["\u200d"]),
        ("8\u200c\U0001f468", ["\u200c"]),
        ("\u200b \u202e \u200b", ["\u200b", "\u202e"]),
        ("\x1b]0;title\x07", ["\x1b", "\x07"]),
    ],
)
def test_unsafe_characters_are_named_once_each_in_order(text: str, found: list[str]) -> None:
    assert unsafe_characters(text) == found


@pytest.mark.parametrize(
    "text", ["界\u200d\u200c\u200d\u200c界", "я\u200c\u200cя", "\U0001f468\u200d\u200d\U0001f469"]
)
def test_joiners_in_a_row_join_nothing_but_can_carry_a_message(text: str) -> None:
    assert unsafe_characters(text) != []


@pytest.mark.parametrize("code", [0x1B, 0x07, 0x7F, 0x9B, 0x202E, 0x2066, 0x200B, 0xFEFF, 0xE0041])
def test_they_are_found_wherever_they_are_in_a_document(code: int) -> None:
    hostile = chr(code)
    honest = make_round()
    rationale = make_round(rationales=(f"{RATIONALES[0]}{hostile}{RATIONALES[1]}", *RATIONALES[1:]))
    assert "KA007" in codes(judge(dumps(honest | {"evaluation_id": f"a{hostile}b"})))
    assert "KA007" in codes(judge(dumps(honest | {f"a{hostile}b": 1})))
    assert "KA007" in codes(judge(dumps(honest | {"x": [{"y": [f"a{hostile}b"]}]})))
    assert codes(judge(dumps(rationale))) == ["KA007"]


@pytest.mark.parametrize("selector", ["\ufe00", "\ufe0f"])
@pytest.mark.parametrize("where", ["{0}text", "te{0}xt", "te {0}xt", "\u2764{0}{0}"])
def test_a_selector_that_selects_nothing_is_found_in_a_document(selector: str, where: str) -> None:
    text = where.format(selector)
    assert unsafe_characters(text) == [selector]
    assert "KA007" in codes(judge(dumps(make_round() | {"evaluation_id": text})))


def test_quotes_cut_long_text() -> None:
    assert quote("short") == '"short"'
    assert quote("x" * 60) == f'"{"x" * 60}"'
    assert quote("x" * 61) == f'"{"x" * 60}..."'
    assert quote("x" * 100, 8) == '"xxxxxxxx..."'
