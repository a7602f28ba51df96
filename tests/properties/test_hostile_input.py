"""No input, however hostile, ends in a traceback: a check always gives a report, and the same one."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.jsondoc import parse
from kattest.report import json as json_report
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.result import Report
from kattest.text import escape
from kattest.tree import Kind
from tests.support.rounds import ARTIFACT, make_round
from tests.unit.judging import FILE, judge


class Raw(str):
    """Text that stands in the JSON as it is: numbers in any form, or no JSON at all."""

    __slots__ = ()


class Members(tuple[tuple[str, Any], ...]):
    """The members of an object, repeated keys and all."""

    __slots__ = ()


def written(value: Any) -> str:
    """``value`` as JSON, or nearly."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Members):
        return "{" + ", ".join(f"{json.dumps(k)}: {written(v)}" for k, v in value) + "}"
    if isinstance(value, dict):
        return written(Members([*value.items()]))
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


TEXTS = ["", " ", "\0", "\x1b[31m", "\u202e", "\u200b", "../x", ".git/config", "/", "|", "a" * 600]
TEXTS += [
    "sha256:",
    f"sha256:{'0' * 64}",
    "0" * 64,
    "F" * 64,
    "~0/~1",
    "%s{0}",
    "<script>",
    "::x::",
]
TEXTS += ["2026-03-01T12:00:30Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "NaN"]
TEXTS += ["critic", "meta-judge", "domain-expert", "SKILL.md", "critic 7.5", "критик 7,5", "\ufdfa"]
NUMBERS = [
    "0",
    "-0",
    "-0.0",
    "8.2",
    "8.20",
    "1e1",
    "82e-1",
    "1e308",
    "-1e308",
    "1e-308",
    "0e308",
    "3",
    "5",
    "-3",
    "4.0",
    "1e999",
    "NaN",
    "01",
]
NUMBERS += ["9" * 128, "9" * 129, "0." + "1" * 126, "-Infinity"]
HOSTILE_TEXT = st.sampled_from(TEXTS)
HOSTILE_NUMBERS = st.sampled_from(NUMBERS).map(Raw)
LEAVES = (
    st.none() | st.booleans() | HOSTILE_NUMBERS | HOSTILE_TEXT | st.text(max_size=8) | st.integers()
)
KEYS = st.sampled_from(
    [*make_round(), *make_round()["attestations"][0], "", "/", "~", "evaluations"]
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(st.tuples(KEYS | HOSTILE_TEXT, inner), max_size=4).map(Members)
    ),
    max_leaves=12,
)
HONEST = {
    "evaluations": [
        make_round(evaluation_id="a", scores=("8.2", "4.5", "8.0"), meta="7.0"),
        make_round(evaluation_id="b", scores=("8.0",) * 5, bare=True),
    ]
}


def everything(value: Any) -> list[Any]:
    """Every array and object inside ``value``, itself first."""
    found = [value] if isinstance(value, dict | list) else []
    for inner in value.values() if isinstance(value, dict) else value if found else ():
        found += everything(inner)
    return found


@st.composite
def near_valid(draw: st.DrawFn) -> str:
    """An honest file with some of its values replaced, removed, added, doubled or exchanged."""
    document: Any = deepcopy(HONEST)
    for _ in range(draw(st.integers(1, 4))):
        inside = draw(st.sampled_from(everything(document)))
        at = draw(st.sampled_from([*inside])) if inside and isinstance(inside, dict) else None
        if isinstance(inside, list) and inside:
            at = draw(st.integers(0, len(inside) - 1))
        action = draw(st.sampled_from(["replace", "replace", "remove", "add", "copy"]))
        if at is not None and action == "replace":
            inside[at] = draw(VALUES)
        elif at is not None and action == "remove":
            del inside[at]
        elif at is not None and action == "copy" and isinstance(inside, list):
            inside.insert(draw(st.integers(0, len(inside))), deepcopy(inside[at]))
        elif isinstance(inside, list):
            inside.append(draw(VALUES))
        else:
            inside[draw(KEYS | HOSTILE_TEXT)] = draw(VALUES)
    rounds = document.get("evaluations")
    if isinstance(rounds, list) and rounds and draw(st.booleans()):
        document = draw(st.sampled_from(rounds))
    return written(document)


def judged(data: bytes, **where: Any) -> Report:
    """The report, after everything that any report must be."""
    report = judge(data, **where)
    assert report == judge(data, **where)
    keys = [(f.location.path, f.location.pointer, f.rule.code) for f in report.findings]
    assert keys == sorted(keys)
    assert report.ok or report.findings
    assert report.counts.attestation_files == len(report.files)
    if not report.rounds:
        assert report.findings or not report.files  # nothing read is never a success
    for detail in Detail:
        shown = text_report.render(report, colour=False, detail=detail)
        assert all(line == escape(line) for line in shown.split("\n"))
    parse(json_report.render(report).encode())
    return report


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    judged(data)


@settings(max_examples=300)
@given(VALUES)
def test_random_json(value: Any) -> None:
    judged(written(value).encode("utf-8", "surrogatepass"))


@settings(max_examples=300)
@given(VALUES)
def test_random_values_in_place_of_the_rounds(value: Any) -> None:
    judged(written({"evaluations": value}).encode("utf-8", "surrogatepass"))


@settings(max_examples=700)
@given(near_valid())
def test_nearly_honest_files(text: str) -> None:
    judged(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=200)
@given(near_valid(), st.data())
def test_nearly_honest_files_with_bytes_changed(text: str, data: st.DataObject) -> None:
    broken = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(data.draw(st.integers(1, 3))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    judged(bytes(broken[: data.draw(st.integers(0, len(broken)))]))


PATHS = st.sampled_from(
    [
        "SKILL.md",
        "a/SKILL.md",
        FILE,
        f"a/{FILE}",
        f"a/{FILE}/b",
        f"{FILE}.bak",
        "\udcff/x",
        "a\nb",
        "/",
    ]
)


@settings(max_examples=200)
@given(
    st.dictionaries(
        PATHS, st.sampled_from([ARTIFACT, b"", b"[]", b"\xff", written(HONEST).encode()])
    ),
    st.dictionaries(PATHS, st.sampled_from([kind for kind in Kind if kind is not Kind.FILE])),
    near_valid(),
)
def test_any_tree_around_them(files: dict[str, bytes], kinds: dict[str, Kind], text: str) -> None:
    judged(text.encode("utf-8", "surrogatepass"), path=f"s/{FILE}", files=files, kinds=kinds)
