"""What is read in one step is what the long way reads: nothing passes because it was read fast."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.jsondoc import INDEX_CONTAINERS, NotJsonError, parse
from kattest.memory.parsing import Parsed, parse_cold_record, parse_index, parse_record
from kattest.memory.plain import plain_cold_record, plain_index, plain_record
from kattest.text import unsafe_characters
from tests.properties.memory_changes import changed, places
from tests.properties.test_hostile_input import Raw, written
from tests.properties.test_hostile_memory import COLD, INDEX, RECORD, near_valid
from tests.support.memory import STORED, archive, dumps, make_index, make_record

FILE = "banking/s/p_2026-03-01T12-30-00.json"

Fast = Callable[[bytes], Any]
Slow = Callable[[Any], Parsed[Any]]
WAYS: dict[str, tuple[dict[str, Any], Fast, Slow]] = {
    "record": (
        RECORD,
        lambda data: plain_record(data, FILE),
        lambda value: parse_record(value, FILE, ()),
    ),
    "cold record": (
        COLD,
        lambda data: plain_cold_record(data, FILE),
        lambda value: parse_cold_record(value, FILE),
    ),
    "index": (INDEX, plain_index, lambda value: parse_index(value, lasting=False)),
}
in_each_way = pytest.mark.parametrize("way", WAYS)


def agrees(way: str, data: bytes) -> bool:
    """Whether ``data`` is read in one step; if so it is read like that the long way too."""
    _, fast, slow = WAYS[way]
    found = fast(data)
    if found is None:
        return False
    document = parse(data, INDEX_CONTAINERS)  # an error here would be one that was passed over
    model, faults = slow(document.value)
    assert (found, (), ()) == (model, faults, document.duplicates)
    assert not unsafe_characters(document.text)
    assert getattr(model, "unknown", ()) == ()
    return True


@in_each_way
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (" ,\t", "\n:\r\n ")])
def test_the_protocols_documents_are_read_in_one_step(
    way: str, separators: tuple[str, str]
) -> None:
    document = WAYS[way][0]
    assert agrees(way, dumps(document))
    for indent in (None, 0, "\t"):
        text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=False)
        assert agrees(way, f" \n{text}\t".encode())


@in_each_way
@settings(max_examples=200)
@given(st.data())
def test_nearly_honest_documents(way: str, data: st.DataObject) -> None:
    text = data.draw(near_valid((WAYS[way][0],)))
    agrees(way, text.encode("utf-8", "surrogatepass"))


@in_each_way
@settings(max_examples=200)
@given(st.data())
def test_honest_documents_with_bytes_changed(way: str, data: st.DataObject) -> None:
    broken = bytearray(dumps(WAYS[way][0]))
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(broken) - 1))
        piece = data.draw(st.sampled_from([b"", b",", b"}", b"{", b'"', b"\\", b" ", b"0", b"e"]))
        broken[at : at + data.draw(st.integers(0, 1))] = piece
    agrees(way, bytes(broken))


VALUES: tuple[Any, ...] = (
    *(Raw(text) for text in ("01", "1.", ".5", "+1", "-", "1e5", "0.70", "-0", "-0.0", "NaN")),
    *(Raw(text) for text in ("9" * 31, "9" * 32, "9" * 128, "9" * 129, f"0.{'1' * 31}", "1.0e999")),
    *(
        Raw(text)
        for text in ('"\\u0041"', '"\\ud800"', '"a\tb"', '"a\nb"', "'x'", "", "nul", "true")
    ),
    *("\x7f", "\u202e", "\u200b", "\ufe0f", "\U000e0041", "\u00ad", "é", "e\u0301", "\U0001f600"),
    *("", " ", "2026-03-01T12:30:00Z", "2026-02-30T12:30:00Z", "1.0", "1.2", "x" * 2000, "{", "}}"),
    *(None, [], {}, ["a"], ["a", 1], [["a"]], {"records": {}}),
)


@in_each_way
def test_every_field_with_every_strange_value(way: str) -> None:
    document = WAYS[way][0]
    texts = [
        written(changed(document, place, value))
        for place, _ in places(document)
        for value in VALUES
        if place
    ]
    assert any(agrees(way, text.encode("utf-8", "surrogatepass")) for text in texts)


@in_each_way
def test_what_stands_around_a_document(way: str) -> None:
    data = dumps(WAYS[way][0])
    for odd in (b"\xef\xbb\xbf" + data, data + b"x", data + data, b"[" + data + b"]", data[:-2]):
        assert not agrees(way, odd)
    for other in (b"\x0c", b"\xc2\xa0", b"\xe2\x80\xa8", b"\x00", b"\x1e"):
        assert not agrees(way, other + data)
        assert not agrees(way, data + other)
        assert not agrees(way, data.replace(b": ", b":" + other, 1))


ENTRIES = json.dumps(INDEX["records"])
REST = {name: value for name, value in INDEX.items() if name != "records"}


def index_with(tail: str, **tables: Any) -> bytes:
    return (json.dumps(REST | tables)[:-1] + ", " + tail).encode()


@pytest.mark.parametrize(
    "data",
    [
        index_with(f'"records": {ENTRIES}, "records": {ENTRIES}}}'),
        index_with(f'"records": [], "records": {ENTRIES}}}'),
        index_with(f'"records": {ENTRIES}, "records": {{}}}}'),
        index_with(f'"\\u0072ecords": {{}}, "records": {ENTRIES}}}'),
        index_with(f'"records": {ENTRIES[:-1]}, {ENTRIES[1:]}}}'),
        index_with(f'"records": {ENTRIES[:-1]},}}}}'),
        index_with(f'"records": {{,{ENTRIES[1:]}}}'),
        index_with(f'"records": {ENTRIES}, "note": 1}}'),
        index_with(f'"more": {{"records": {ENTRIES}}}}}'),
        index_with(f'"records": {ENTRIES}}}', by_skill={"records": {}}),
        index_with(f'"records": {ENTRIES}}}', by_skill={"\u202e": {"count": 1, "avg_reward": 1}}),
        index_with('"records": {}}', by_phase={}),
        json.dumps({"records": INDEX["records"]}).encode(),
        json.dumps(REST | {"by_skill": {"records": INDEX["records"]}}).encode(),
        json.dumps([INDEX]).encode(),
        b'{"records": {}}',
        b"",
        b"\xff",
    ],
)
def test_strange_indexes(data: bytes) -> None:
    try:
        parse(data)
    except NotJsonError:
        assert not agrees("index", data)
    else:
        agrees("index", data)


def test_an_index_reads_its_entries_wherever_they_stand() -> None:
    """Fields in another order are as good, and no entry is lost."""
    records = [make_record(f"s{n}", at=STORED - timedelta(days=n)) for n in range(5)]
    index = make_index([*records, archive(make_record("z"), STORED)])
    for first in index:
        order = {first: index[first]} | index
        found = plain_index(dumps(order))
        model = parse_index(parse(dumps(order)).value, lasting=False).model
        assert (found is None) is (first == "records")  # these must come last
        assert found is None or found == model
    whole = plain_index(dumps(index))
    assert whole is not None
    assert whole.records is not None
    assert [*whole.records] == [*index["records"]]
