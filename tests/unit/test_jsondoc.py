"""Strict JSON: what is accepted, what is refused, and where every value stands in the text."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.jsondoc import (
    CONTAINERS,
    DUPLICATES,
    KEY_LENGTH,
    NESTING,
    NUMBER_EXPONENT,
    NUMBER_LENGTH,
    Integer,
    JsonValue,
    NotJsonError,
    Number,
    parse,
    pointer_to,
)
from tests.support.shared import parameters, require_shared, shared_files

SUITE = "data/json-test-suite/test_parsing"

# The cases that RFC 8259 leaves free: accepted (True) or refused, and why.
FREE = {
    "i_number_double_huge_neg_exp.json": (False, "an exponent beyond 308"),
    "i_number_huge_exp.json": (False, "an exponent beyond 308"),
    "i_number_neg_int_huge_exp.json": (False, "an exponent beyond 308"),
    "i_number_pos_double_huge_exp.json": (False, "an exponent beyond 308"),
    "i_number_real_neg_overflow.json": (False, "an exponent beyond 308"),
    "i_number_real_pos_overflow.json": (False, "an exponent beyond 308"),
    "i_number_real_underflow.json": (False, "an exponent beyond 308"),
    "i_number_too_big_neg_int.json": (True, "numbers are exact, up to 128 characters"),
    "i_number_too_big_pos_int.json": (True, "numbers are exact, up to 128 characters"),
    "i_number_very_big_negative_int.json": (True, "numbers are exact, up to 128 characters"),
    "i_object_key_lone_2nd_surrogate.json": (False, "half of a surrogate pair"),
    "i_string_1st_surrogate_but_2nd_missing.json": (False, "half of a surrogate pair"),
    "i_string_1st_valid_surrogate_2nd_invalid.json": (False, "half of a surrogate pair"),
    "i_string_UTF-16LE_with_BOM.json": (False, "not UTF-8"),
    "i_string_UTF-8_invalid_sequence.json": (False, "not UTF-8"),
    "i_string_UTF8_surrogate_U+D800.json": (False, "not UTF-8"),
    "i_string_incomplete_surrogate_and_escape_valid.json": (False, "half of a surrogate pair"),
    "i_string_incomplete_surrogate_pair.json": (False, "half of a surrogate pair"),
    "i_string_incomplete_surrogates_escape_valid.json": (False, "half of a surrogate pair"),
    "i_string_invalid_lonely_surrogate.json": (False, "half of a surrogate pair"),
    "i_string_invalid_surrogate.json": (False, "half of a surrogate pair"),
    "i_string_invalid_utf-8.json": (False, "not UTF-8"),
    "i_string_inverted_surrogates_U+1D11E.json": (False, "half of a surrogate pair"),
    "i_string_iso_latin_1.json": (False, "not UTF-8"),
    "i_string_lone_second_surrogate.json": (False, "half of a surrogate pair"),
    "i_string_lone_utf8_continuation_byte.json": (False, "not UTF-8"),
    "i_string_not_in_unicode_range.json": (False, "not UTF-8"),
    "i_string_overlong_sequence_2_bytes.json": (False, "not UTF-8"),
    "i_string_overlong_sequence_6_bytes.json": (False, "not UTF-8"),
    "i_string_overlong_sequence_6_bytes_null.json": (False, "not UTF-8"),
    "i_string_truncated-utf-8.json": (False, "not UTF-8"),
    "i_string_utf16BE_no_BOM.json": (False, "NUL characters between the tokens"),
    "i_string_utf16LE_no_BOM.json": (False, "NUL characters between the tokens"),
    "i_structure_500_nested_arrays.json": (False, "nested more than 64 deep"),
    "i_structure_UTF-8_BOM_empty_object.json": (False, "a byte-order mark"),
}


def refusal(data: bytes | str) -> NotJsonError:
    with pytest.raises(NotJsonError) as caught:
        parse(data.encode() if isinstance(data, str) else data)
    return caught.value


def place(text: str, pointer: str, *, at_key: bool = False) -> tuple[int, int]:
    return parse(text.encode()).positions([pointer], at_key=at_key)[pointer]


class TestJsonTestSuite:
    @pytest.mark.parametrize("path", parameters(f"{SUITE}/y_*.json"))
    def test_accepts_what_must_be_accepted(self, path: Path) -> None:
        assert parse(path.read_bytes()).text == path.read_bytes().decode()

    @pytest.mark.parametrize("path", parameters(f"{SUITE}/n_*.json"))
    def test_refuses_what_must_be_refused(self, path: Path) -> None:
        assert refusal(path.read_bytes()).message

    @pytest.mark.parametrize("path", parameters(f"{SUITE}/i_*.json"))
    def test_decides_what_is_left_free(self, path: Path) -> None:
        assert path.name in FREE, "decide this case in the table"
        accepted, _why = FREE[path.name]
        if accepted:
            parse(path.read_bytes())
        else:
            refusal(path.read_bytes())

    def test_is_there_whole(self) -> None:
        require_shared(SUITE)
        counts = [len(shared_files(f"{SUITE}/{kind}_*.json")) for kind in "yni"]
        assert counts == [95, 188, len(FREE)]


class TestPositions:
    @pytest.mark.parametrize(
        ("text", "pointer", "expected"),
        [
            ("1", "", (1, 1)),
            ("  [1]", "", (1, 3)),
            ('{"a": 1}', "/a", (1, 7)),
            ('{\n\t"a":\t[\n\t\t1,\n\t\t 2]}', "/a/1", (4, 4)),
            ('{"a": 1,\r\n "b": 2}', "/b", (2, 7)),
            ('{"a": 1,\r"b": 2}', "/b", (1, 15)),
            ('{"a": 1,\r\r\n"b": 2}', "/b", (2, 6)),
            ('{"é": "ß", "b": 2}', "/b", (1, 17)),
            ('{"\U0001f600": "\U0001f600\U0001f600", "b": 2}', "/b", (1, 18)),
            ('{"a": "\u2028", "b": 2}', "/b", (1, 17)),
            (r'{"\u0061": 1}', "/a", (1, 12)),
            (r'{"\/": 1}', "/~1", (1, 8)),
            ('{"a/b": 1, "c~d": 2}', "/a~1b", (1, 9)),
            ('{"a/b": 1, "c~d": 2}', "/c~0d", (1, 19)),
            ('{"~1": 1, "/": 2}', "/~01", (1, 8)),
            ('{"~1": 1, "/": 2}', "/~1", (1, 16)),
            ('{"": {"": 7}}', "/", (1, 6)),
            ('{"": {"": 7}}', "//", (1, 11)),
            ("[[], [[1, [2]], 3]]", "/1/0/1/0", (1, 12)),
            ("[[], [[1, [2]], 3]]", "/1/1", (1, 17)),
            ('[{"a": "}]{[:,"}, {"b": 1}]', "/1/b", (1, 25)),
            (r'["\"", "\\", "\\\"", 4]', "/3", (1, 22)),
            ('{"0": [1], "1": 2}', "/0/0", (1, 8)),
            ("[true, false, null, -1.5e3]", "/3", (1, 21)),
        ],
    )
    def test_of_values(self, text: str, pointer: str, expected: tuple[int, int]) -> None:
        assert place(text, pointer) == expected

    @pytest.mark.parametrize(
        ("text", "pointer", "expected"),
        [
            ('{"a": 1}', "/a", (1, 2)),
            ('{\n  "a": {"b":\n 1}}', "/a/b", (2, 9)),
            (r'{"x": 0, "\u0061" : 1}', "/a", (1, 10)),
            ("[1, 2]", "/1", (1, 5)),
            ('{"a": [{"k": 1}]}', "/a/0/k", (1, 9)),
            ("{}", "", (1, 1)),
        ],
    )
    def test_of_keys(self, text: str, pointer: str, expected: tuple[int, int]) -> None:
        assert place(text, pointer, at_key=True) == expected

    @pytest.mark.parametrize(
        ("text", "pointer", "expected"),
        [
            ('{"a": {"b": 1}}', "/a/missing", (1, 7)),
            ('{"a": {"b": 1}}', "/a/missing/deeper/0", (1, 7)),
            ('{"a": [1]}', "/a/1", (1, 7)),
            ('{"a": 1}', "/missing", (1, 1)),
            (' {"a": 1}', "/a/0", (1, 8)),
            (" 7", "/nothing/at/all", (1, 2)),
        ],
    )
    def test_of_what_is_missing_are_those_of_the_nearest_value_around_it(
        self, text: str, pointer: str, expected: tuple[int, int]
    ) -> None:
        assert place(text, pointer) == expected

    def test_of_a_missing_key_are_those_of_the_key_around_it(self) -> None:
        assert place('{"a": {"b": 1}}', "/a/missing", at_key=True) == (1, 2)

    def test_of_several_pointers_come_together(self) -> None:
        document = parse(b'{"a": [1, 2],\n "b": 3}')
        assert document.positions(["", "/a/1", "/b", "/c"]) == {
            "": (1, 1),
            "/a/1": (1, 11),
            "/b": (2, 7),
            "/c": (1, 1),
        }

    def test_of_a_repeated_key_are_those_of_the_last_which_is_its_value(self) -> None:
        assert place('{"a": 1, "a": 2}', "/a") == (1, 15)
        assert place('{"a": 1, "a": 2}', "/a", at_key=True) == (1, 10)
        assert parse(b'{"a": 1, "a": 2}').value == {"a": Number("2")}

    @pytest.mark.parametrize(
        ("text", "pointer", "expected"),
        [
            ('{"a": {"b": 1}, "a": {"b": 2}}', "/a/b", (1, 28)),
            ('{"a": {"b": 1}, "a": {"c": 2}}', "/a/c", (1, 28)),
            ('{"a": {"b": 1}, "a": {"c": 2}}', "/a/b", (1, 22)),
            ('{"a": [1, 2], "a": [3]}', "/a/1", (1, 20)),
            ('{"a": [1, 2], "a": 3}', "/a/0", (1, 20)),
            ('{"a": {"b": {"c": 1}}, "a": {"b": {}}}', "/a/b/c", (1, 35)),
            ('[{"a": {"b": 1}, "a": {}}, {"a": {"b": 1}}]', "/0/a/b", (1, 23)),
        ],
    )
    def test_inside_a_repeated_key_are_those_in_its_last_value(
        self, text: str, pointer: str, expected: tuple[int, int]
    ) -> None:
        assert place(text, pointer) == expected

    def test_of_a_missing_key_inside_a_repeated_key_is_the_last_one(self) -> None:
        assert place('{"a": {"b": 1}, "a": {"c": 2}}', "/a/b", at_key=True) == (1, 17)

    @pytest.mark.parametrize("blank", [" ", "\t", "\r", "  \t\r "])
    def test_are_those_behind_white_space_everywhere(self, blank: str) -> None:
        tokens = ["{", '"a"', ":", "[", "1", ",", "{", '"b"', ":", "null", "}", "]", ",", '"c"']
        tokens += [":", '"x"', "}"]
        text = blank + blank.join(tokens) + blank
        pointers = ["", "/a", "/a/0", "/a/1", "/a/1/b", "/c", "/a/2", "/a/1/x", "/d"]
        places = parse(text.encode()).positions(pointers)
        values = dict(zip(pointers, ["{", "[", "1", "{", "n", '"', "[", "{", "{"], strict=True))
        assert {pointer: text[column - 1] for pointer, (_, column) in places.items()} == (
            values | {"/c": '"'}
        )
        assert text[places["/c"][1] - 1 :].startswith('"x"')
        keys = parse(text.encode()).positions(["/a", "/a/1/b", "/c"], at_key=True)
        assert [text[column - 1 :][:3] for _, column in keys.values()] == ['"a"', '"b"', '"c"']

    def test_are_those_behind_line_breaks_everywhere(self) -> None:
        text = '\n{\n"a"\n:\n[\n1\n,\n{\n"b"\n:\nnull\n}\n]\n}\n'
        places = parse(text.encode()).positions(["", "/a", "/a/0", "/a/1", "/a/1/b"])
        assert [*places.values()] == [(line, 1) for line in (2, 5, 6, 8, 11)]

    def test_of_elements_count_from_0_without_leading_zeros(self) -> None:
        text = "[10, 20, 30]"
        found = parse(text.encode()).positions(["/0", "/2", "/3", "/-", "/00", "/01", "/"])
        assert found == {
            "/0": (1, 2),
            "/2": (1, 10),
            **dict.fromkeys(["/3", "/-", "/00", "/01", "/"], (1, 1)),
        }


class TestDuplicates:
    @staticmethod
    def found(text: str) -> list[tuple[str, str, str, int]]:
        return [
            (double.pointer, double.key, text[double.offset :], double.first_offset)
            for double in parse(text.encode()).duplicates
        ]

    def test_none_in_an_honest_document(self) -> None:
        assert self.found('{"a": {"a": 1}, "b": {"a": 1}, "c": [{"a": 1}, {"a": 2}]}') == []

    def test_names_both_places(self) -> None:
        assert self.found('{"a": 1, "a": 2}') == [("/a", "a", '"a": 2}', 1)]

    def test_names_the_first_place_of_several(self) -> None:
        text = '{"a": 1, "a": 2, "a": 3}'
        assert self.found(text) == [
            ("/a", "a", '"a": 2, "a": 3}', 1),
            ("/a", "a", '"a": 3}', 1),
        ]

    def test_finds_nested_ones_in_the_order_of_the_text(self) -> None:
        text = '{"x": [1, {"q": 1, "q": 2}], "x": {"z": {"y": 1, "y": 1}}}'
        pointers = [pointer for pointer, *_ in self.found(text)]
        assert pointers == ["/x/1/q", "/x", "/x/z/y"]

    def test_does_not_hide_what_is_refused(self) -> None:
        for rest in ("NaN", "1e999", "x", "", '"\\ud800"', f'"{chr(9)}"'):
            refusal(f'{{"a": 1, "a": 2, "b": {rest}}}')
            refusal(f'{{"a": {rest}, "a": 2}}')

    def test_keeps_the_last_value_whatever_came_before(self) -> None:
        text = '{"a": {"x": 1}, "b": [{"c": 1, "c": [2]}], "a": {"y": 3}}'
        value = parse(text.encode()).value
        assert same(value, by_library(text))
        assert self.found('[{"a": 1, "a": 2}, {"a": 1}]') == [
            ("/0/a", "a", '"a": 2}, {"a": 1}]', 2)
        ]

    def test_is_bounded_in_number(self) -> None:
        text = "{" + ", ".join(['"a": 1'] * (3 * DUPLICATES)) + "}"
        assert len(self.found(text)) == DUPLICATES + 1

    def test_compares_keys_as_they_are_meant(self) -> None:
        text = r'{"a": 1, "\u0061": 2, "\/": 3, "/": 4}'
        assert [pointer for pointer, *_ in self.found(text)] == ["/a", "/~1"]

    def test_does_not_normalise_keys(self) -> None:
        assert self.found('{"\u00e9": 1, "e\u0301": 2}') == []


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "position"),
        [
            ("", (1, 1)),
            ("\n", (2, 1)),
            ("[1,\n 2,\n]", (3, 1)),
            ('{"a": 1,}', (1, 9)),
            ('{"a" 1}', (1, 6)),
            ("{a: 1}", (1, 2)),
            ("{'a': 1}", (1, 2)),
            ('{"a": 1} x', (1, 10)),
            ('{"a": 1}{"b": 2}', (1, 9)),
            ("[1] // comment", (1, 5)),
            ('["é", nul]', (1, 7)),
            ("[NaN]", (1, 2)),
            ('["NaN", NaN]', (1, 9)),
            ('{"Infinity": Infinity}', (1, 14)),
            ("[1, -Infinity]", (1, 5)),
            ("[01]", (1, 3)),
            ('["a\tb"]', (1, 4)),
            ('["a\nb"]', (1, 4)),
            ('["\0"]', (1, 3)),
            ("[1\u00a0]", (1, 3)),
            ("\u2028[1]", (1, 1)),
            ("[\u0661]", (1, 2)),
            ('["\U0001f600", "\\ud83d"]', (1, 7)),
            (r'{"\udc00": 1}', (1, 2)),
            (r'["\ude00\ud83d"]', (1, 2)),
        ],
    )
    def test_name_the_place(self, text: str, position: tuple[int, int]) -> None:
        error = refusal(text)
        assert (error.line, error.column) == position

    @pytest.mark.parametrize(
        ("text", "position"),
        [("[1,\n 1e999x]", (2, 2)), ("[1, [1e999x", (1, 6)), ("[1e999.5]", (1, 2))],
    )
    def test_name_the_place_of_a_number_that_runs_into_something(
        self, text: str, position: tuple[int, int]
    ) -> None:
        error = refusal(text)
        assert (error.line, error.column) == position

    def test_of_a_byte_order_mark(self) -> None:
        error = refusal(b"\xef\xbb\xbf{}")
        assert "byte-order mark" in error.message
        assert (error.line, error.column) == (1, 1)

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    def test_of_other_encodings(self, encoding: str) -> None:
        refusal('{"a": 1}'.encode(encoding))

    def test_of_bytes_that_are_not_utf8_names_line_and_column_in_characters(self) -> None:
        error = refusal('{"é": 1,\n "ß": "'.encode() + b'\xff"}')
        assert (error.line, error.column) == (2, 8)
        assert "0xff" in error.message

    def test_accept_a_whole_surrogate_pair_and_an_escaped_backslash_before_one(self) -> None:
        assert parse(rb'"\ud83d\ude00"').value == "\U0001f600"
        assert parse(rb'"\\ud83d"').value == r"\ud83d"


class TestBounds:
    def test_nesting_up_to_the_limit(self) -> None:
        parse(b"[" * NESTING + b"]" * NESTING)
        parse(b'{"a":' * NESTING + b"1" + b"}" * NESTING)
        error = refusal(b"[" * (NESTING + 1) + b"]" * (NESTING + 1))
        assert (error.line, error.column) == (1, 65)
        refusal(b'{"a":' * (NESTING + 1) + b"1" + b"}" * (NESTING + 1))

    @pytest.mark.parametrize("depth", [65, 66, 500, 900, 990, 1000, 1100, 5000])
    @pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
    def test_nesting_beyond_the_limit_is_refused_where_it_passes_it(
        self, depth: int, opening: str, closing: str
    ) -> None:
        one = len([c for c in opening if c in "[{"])
        times = -(-depth // one)
        error = refusal(opening * times + "1" + closing * times)
        assert str(NESTING) in error.message
        before = opening * (NESTING // one)
        assert (error.line, error.column) == (1, len(before) + 1)

    @pytest.mark.parametrize("depth", [NESTING + 1, 500])
    def test_nesting_beyond_the_limit_is_refused_wherever_it_is(self, depth: int) -> None:
        deep = "[" * (depth - 1) + "]" * (depth - 1)
        for text in (f"[{deep}]", f"[1, {{}}, [], {deep}, 2]", f'{{"a": 1, "b": {deep}}}'):
            refusal(text)

    @pytest.mark.parametrize("depth", [NESTING + 1, 500, 900])
    def test_nesting_beyond_the_limit_is_refused_below_a_repeated_key(self, depth: int) -> None:
        deep = "[" * (depth - 1) + "]" * (depth - 1)
        for text in (f'{{"a": {deep}, "a": 1}}', f'{{"a": 1, "a": {deep}}}'):
            assert str(NESTING) in refusal(text).message

    def test_nesting_counts_depth_not_brackets(self) -> None:
        parse(b"[" + b",".join([b"[[]]"] * 500) + b"]")
        parse(b'["' + b"[{" * 500 + b'", "\\"' + b"[{" * 500 + b'"]')

    def test_containers_up_to_the_limit(self) -> None:
        parse(b"[" + b",".join([b"[]"] * (CONTAINERS - 1)) + b"]")
        assert str(CONTAINERS) in refusal(b"[" + b",".join([b"{}"] * CONTAINERS) + b"]").message

    @pytest.mark.parametrize("most", [1, 2, 3, 10])
    def test_containers_up_to_another_limit(self, most: int) -> None:
        parse(b"[" + b",".join([b"{}"] * (most - 1)) + b"]", most)
        with pytest.raises(NotJsonError, match=f"more than {most} objects and arrays") as caught:
            parse(b"[" + b",\n".join([b"[]"] * (most + 3)) + b"]", most)
        assert (caught.value.line, caught.value.column) == (most, 2 if most == 1 else 1)

    def test_containers_are_not_counted_in_strings(self) -> None:
        text = rb'["[[[[{{{{\"[[[[", {"[{[{": "\\\"[{"}]'
        assert parse(text, 2).value
        with pytest.raises(NotJsonError):
            parse(text, 1)

    @pytest.mark.parametrize("text", [b"[[],", b"[[], x]", b"[[]] x", b'[[], "'])
    def test_containers_within_the_limit_do_not_hide_what_is_not_json(self, text: bytes) -> None:
        with pytest.raises(NotJsonError) as caught:
            parse(text, 2)
        assert "objects and arrays" not in caught.value.message

    @pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
    @pytest.mark.parametrize("closed", [True, False])
    def test_very_deep_nesting_is_refused_at_once(self, opening: bytes, *, closed: bool) -> None:
        closing = opening.replace(b'"a":', b"").translate(bytes.maketrans(b"[{", b"]}"))[::-1]
        data = opening * 100_000 + (b"1" + closing * 100_000 if closed else b"")
        begin = time.process_time()
        refusal(data)
        assert time.process_time() - begin < 2

    def test_key_length(self) -> None:
        longest = "\U0001f600" * KEY_LENGTH
        for key in (longest, json.dumps(longest)[1:-1]):  # as itself, and in escapes
            assert parse(f'{{"{key}": 1}}'.encode()).value == {longest: Number("1")}
            error = refusal(f'[\n{{"a": 1, "b": {{ "{key}x": 1}}}}]')
            assert (error.line, error.column) == (2, 17)

    def test_key_length_is_that_of_one_key_not_of_all(self) -> None:
        keys = [f"{number:0500d}" for number in range(8)] + ["x" * KEY_LENGTH]
        assert parse(json.dumps(dict.fromkeys(keys, 1)).encode()).value == dict.fromkeys(
            keys, Number("1")
        )
        assert refusal(json.dumps(dict.fromkeys([*keys, "x" * (KEY_LENGTH + 1)]))).message

    @pytest.mark.parametrize(
        "text",
        [
            '{"a": 1, "a": 2, "KEY": 3}',
            '{"KEY": 1, "a": 2, "a": 3}',
            '{"KEY": 1, "KEY": 2}',
            '{"a": {"KEY": 1}, "a": 2}',
        ],
    )
    def test_key_length_counts_beside_repeated_keys(self, text: str) -> None:
        error = refusal(text.replace("KEY", "k" * (KEY_LENGTH + 1)))
        assert "a key is longer" in error.message
        assert error.column == text.index('"KEY"') + 1
        assert parse(text.replace("KEY", "k" * KEY_LENGTH).encode()).duplicates

    def test_a_string_may_be_longer_than_a_key(self) -> None:
        assert parse(f'{{"a": "{"x" * 10 * KEY_LENGTH}"}}'.encode()).value

    def test_number_length(self) -> None:
        assert parse(b"1" * NUMBER_LENGTH).value == Number("1" * NUMBER_LENGTH)
        assert refusal(b"[" + b"1" * (NUMBER_LENGTH + 1) + b"]").column == 2
        refusal(b"0." + b"1" * NUMBER_LENGTH)
        refusal(b"-" + b"1" * NUMBER_LENGTH)

    @pytest.mark.parametrize("sign", ["", "+", "-"])
    def test_number_exponent(self, sign: str) -> None:
        assert parse(f"1e{sign}{NUMBER_EXPONENT}".encode()).value
        refusal(f"1e{sign}{NUMBER_EXPONENT + 1}")
        refusal(f"0E{sign}{NUMBER_EXPONENT + 1}")
        refusal(f"1e{sign}{'9' * 100}")

    def test_the_place_of_a_refused_number_is_not_that_of_a_string_like_it(self) -> None:
        assert refusal('["1e999", 1e999]').column == 11

    def test_a_leading_zero_in_an_exponent_is_not_its_size(self) -> None:
        assert parse(b"1e-0000000000308").value == Number("1e-0000000000308")


class TestNumbers:
    @pytest.mark.parametrize(
        "lexeme", ["8.2", "8.20", "8e0", "80E-1", "-0.0", "0.1000", "12345678901234567890.123"]
    )
    def test_keep_their_text(self, lexeme: str) -> None:
        assert parse(lexeme.encode()).value == Number(lexeme)

    @pytest.mark.parametrize(
        ("lexeme", "whole"),
        [("3", True), ("-3", True), ("-0", True), ("3.0", False), ("3e0", False), ("3E+1", False)],
    )
    def test_are_whole_by_their_text(self, lexeme: str, *, whole: bool) -> None:
        assert isinstance(parse(lexeme.encode()).value, Integer) is whole

    def test_are_the_same_number_whole_or_not_by_their_text(self) -> None:
        assert parse(b"3").value == Integer("3") == Number("3")
        assert Integer("3") != Number("3.0")
        assert parse(b"[3, 3.0]").value == [Number("3"), Number("3.0")]
        assert Integer("-0").value == Number("-0.0").value == 0

    def test_have_exact_values(self) -> None:
        digits = "1234567890" * 12
        for lexeme in (digits, f"0.{digits}", f"-{digits}"):
            value = parse(lexeme.encode()).value
            assert isinstance(value, Number)
            assert str(value.value) == lexeme


# Any JSON text: tokens of a random value with random white space and escapes between them.

BLANK = st.text(" \t\n\r", max_size=3)
LEXEMES = st.from_regex(
    r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,12})?([eE][+-]?[0-9]{1,2})?", fullmatch=True
)


@st.composite
def string_tokens(draw: st.DrawFn) -> str:
    """A JSON string, each character as itself, in its short escape, or in hexadecimal."""
    parts = []
    for character in draw(st.text(max_size=8)):
        forms = [json.dumps(character)[1:-1]]
        if character.isprintable() and character not in '"\\':
            forms.append(character)
        if character == "/":
            forms.append(r"\/")
        parts.append(draw(st.sampled_from(forms)))
    return f'"{"".join(parts)}"'


@st.composite
def json_texts(draw: st.DrawFn, depth: int = 4) -> str:
    kinds = ["literal", "number", "string", *(["array", "object"] * 2 if depth else [])]
    kind = draw(st.sampled_from(kinds))
    if kind == "literal":
        text = draw(st.sampled_from(["true", "false", "null"]))
    elif kind == "number":
        text = draw(LEXEMES)
    elif kind == "string":
        text = draw(string_tokens())
    elif kind == "array":
        items = draw(st.lists(json_texts(depth - 1), max_size=4))
        text = f"[{','.join(items)}{draw(BLANK)}]"
    else:
        keys = draw(st.lists(string_tokens(), max_size=4, unique_by=json.loads))
        members = [f"{draw(BLANK)}{key}{draw(BLANK)}:{draw(json_texts(depth - 1))}" for key in keys]
        text = f"{{{','.join(members)}{draw(BLANK)}}}"
    return draw(BLANK) + text + draw(BLANK)


class Lexeme(str):
    """A number as the standard library read it: its text, told from a string of the same text."""

    __slots__ = ()


def by_library(text: str) -> Any:
    return json.loads(text, parse_int=Lexeme, parse_float=Lexeme)


def same(ours: JsonValue, theirs: Any) -> bool:
    if isinstance(ours, Number):
        return isinstance(theirs, Lexeme) and ours.lexeme == str(theirs)
    if isinstance(ours, dict):
        return (
            isinstance(theirs, dict)
            and list(ours) == list(theirs)
            and all(same(value, theirs[key]) for key, value in ours.items())
        )
    if isinstance(ours, list):
        return (
            isinstance(theirs, list)
            and len(ours) == len(theirs)
            and all(same(*pair) for pair in zip(ours, theirs, strict=True))
        )
    return type(ours) is type(theirs) and bool(ours == theirs)


def values(value: JsonValue, pointer: str = "") -> list[tuple[str, JsonValue]]:
    found = [(pointer, value)]
    if isinstance(value, dict):
        for key, member in value.items():
            found += values(member, pointer_to(pointer, key))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            found += values(element, pointer_to(pointer, index))
    return found


@settings(max_examples=300)
@given(json_texts())
def test_reads_any_json_like_the_standard_library(text: str) -> None:
    document = parse(text.encode())
    assert same(document.value, by_library(text))
    assert document.duplicates == ()


@settings(max_examples=200)
@given(json_texts())
def test_every_position_leads_to_text_that_starts_the_value(text: str) -> None:
    document = parse(text.encode())
    lines = text.split("\n")
    decoder = json.JSONDecoder(parse_int=Lexeme, parse_float=Lexeme)
    found = values(document.value)
    positions = document.positions(pointer for pointer, _ in found)
    for pointer, value in found:
        line, column = positions[pointer]
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        assert same(value, decoder.raw_decode(rest)[0])


@settings(max_examples=200)
@given(json_texts())
def test_every_key_position_leads_to_the_key(text: str) -> None:
    document = parse(text.encode())
    lines = text.split("\n")
    keys = {
        pointer_to(pointer, key): key
        for pointer, value in values(document.value)
        if isinstance(value, dict)
        for key in value
    }
    for pointer, (line, column) in document.positions(keys, at_key=True).items():
        assert json.JSONDecoder().raw_decode(lines[line - 1][column - 1 :])[0] == keys[pointer]
