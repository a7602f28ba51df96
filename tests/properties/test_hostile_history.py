"""Whatever was published, and whatever became of it: always a report, and always the same one."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.jsondoc import parse
from kattest.report import json as json_report
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.result import Report
from kattest.text import escape
from kattest.tree import Kind
from tests.properties import test_hostile_input as attestations
from tests.properties import test_hostile_memory as memory
from tests.support.memory import ROOT
from tests.support.rounds import ARTIFACT
from tests.unit.comparing import compare, of_history
from tests.unit.judging import FILE

Files = dict[str, bytes]


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@st.composite
def skills(draw: st.DrawFn) -> Files:
    """A few attestation files, nearly honest or nothing like it, with an artifact or without."""
    contents = attestations.near_valid().map(encoded) | st.sampled_from([b"", b"[]", b"\xff{"])
    paths = st.sampled_from([FILE, f"a/{FILE}", f"b/{FILE}", f"a/{FILE}/b", f"A/{FILE}"])
    artifacts = st.sampled_from(["SKILL.md", "a/SKILL.md", "skill.md", "c.md"])
    made = draw(st.dictionaries(paths, contents, max_size=3))
    return made | draw(st.dictionaries(artifacts, st.sampled_from([ARTIFACT, b"x"]), max_size=2))


@st.composite
def memories(draw: st.DrawFn) -> Files:
    """An honest memory, or a part of it, some documents of which are not what they were."""
    kept = draw(st.sets(st.sampled_from(sorted(memory.HONEST))))
    texts = draw(st.fixed_dictionaries({}, optional=memory.NEARLY))
    strange = draw(st.dictionaries(memory.NAMES, memory.CONTENTS, max_size=2))
    root = draw(st.sampled_from([ROOT, ROOT, f"a/{ROOT}", ".Keysarium/memory"]))
    files = {path: memory.HONEST[path] for path in kept}
    files |= {f"{ROOT}/{file}": encoded(text) for file, text in texts.items()}
    files |= {f"{ROOT}/{file}": data for file, data in strange.items()}
    return {path.replace(ROOT, root, 1): data for path, data in files.items()}


TREES = skills() | memories()
KINDS = st.dictionaries(
    st.sampled_from([FILE, f"a/{FILE}", "SKILL.md", ROOT, f"{ROOT}/index.json"]),
    st.sampled_from([kind for kind in Kind if kind is not Kind.FILE]),
    max_size=2,
)


def judged(files: Files, *bases: Files, at: datetime, kinds: dict[str, Kind]) -> Report:
    """The report, after everything that any report must be."""
    report = compare(files, *bases, at=at, kinds=kinds)
    assert report == compare(files, *bases, at=at, kinds=kinds)
    keys = [finding.sort_key for finding in report.findings]
    assert keys == sorted(keys)
    for detail in Detail:
        shown = text_report.render(report, colour=False, detail=detail)
        assert all(line == escape(line) for line in shown.split("\n"))
    parse(json_report.render(report).encode())
    return report


@settings(max_examples=150)
@given(skills(), skills(), KINDS, memory.MOMENTS)
def test_any_attestation_files_after_any_others(
    files: Files, base: Files, kinds: dict[str, Kind], at: datetime
) -> None:
    judged(files, base, at=at, kinds=kinds)


@settings(max_examples=120)
@given(memories(), memories(), KINDS, memory.MOMENTS)
def test_any_memory_after_any_other(
    files: Files, base: Files, kinds: dict[str, Kind], at: datetime
) -> None:
    judged(files, base, at=at, kinds=kinds)


@settings(max_examples=100)
@given(TREES, TREES, TREES, memory.MOMENTS)
def test_any_tree_after_several(files: Files, one: Files, other: Files, at: datetime) -> None:
    found = {*of_history(judged(files, one, other, at=at, kinds={}))}
    alone = {code for base in (one, other) for code in of_history(compare(files, base, at=at))}
    assert found - {"KA508"} == alone - {"KA508"}
    assert found <= alone


@settings(max_examples=120)
@given(TREES, memory.MOMENTS)
def test_no_tree_has_lost_anything_of_itself(files: Files, at: datetime) -> None:
    assert of_history(judged(files, files, at=at, kinds={})) == []


@settings(max_examples=100)
@given(TREES, memory.MOMENTS)
def test_what_is_added_to_nothing_loses_nothing(files: Files, at: datetime) -> None:
    assert {*of_history(compare(files, {}, at=at))} <= {"KA508", "KA509"}
