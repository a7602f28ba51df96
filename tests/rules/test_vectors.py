"""Every vector gives exactly the findings it expects, and vectors and rules belong together."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kattest.finding import Location, Rule
from kattest.rules import RULES
from tests.support.vectors import TOP, Place, Vector, vectors
from tests.vectors import generate
from tests.vectors.cases import chain

VECTORS = vectors()
POINTED = {"KA001", "KA002"}  # these point at a place in the text, whatever value stands there


@pytest.fixture(params=sorted({vector.rule for vector in VECTORS}))
def of_rule(request: pytest.FixtureRequest) -> list[Vector]:
    """The vectors of one rule: what holds of every one of them needs no test for each."""
    return [vector for vector in VECTORS if vector.rule == request.param]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_findings_are_exactly_those_expected(vector: Vector) -> None:
    found = [
        Place(finding.location.path, finding.location.pointer, finding.rule.code)
        for finding in vector.report().findings
    ]
    assert found == vector.expected, vector.described["why"]


def test_folder_says_whether_the_rule_fires(of_rule: list[Vector]) -> None:
    for vector in of_rule:
        codes = {place.code for place in vector.expected}
        assert (vector.code in codes) is vector.fails, vector.name
        assert re.fullmatch(r"[a-z0-9.-]+_(pass|fail)", vector.folder.name)


def test_description_is_complete(of_rule: list[Vector]) -> None:
    optional = {"kinds", "copies", "config", "as_of"}
    for vector in of_rule:
        described = vector.described
        assert {"why", "expect"} <= described.keys() <= {"why", "expect", *optional}, vector.name
        assert described["why"].strip(), vector.name
        assert "\n" not in described["why"], vector.name
        assert vector.expected == sorted(vector.expected), vector.name


def test_places_are_in_their_files(of_rule: list[Vector]) -> None:
    for vector, location in _locations(of_rule):
        if location.line is None or location.column is None:
            assert location.line is location.column, vector.name
            continue
        text = vector.files[location.path].decode("utf-8", "replace")
        lines = text.split("\n")
        assert 1 <= location.line <= len(lines), vector.name
        assert 1 <= location.column <= len(lines[location.line - 1]) + 1, vector.name


def test_places_hold_what_the_pointer_names(of_rule: list[Vector]) -> None:
    for vector, finding in ((v, finding) for v in of_rule for finding in v.report().findings):
        location = finding.location
        if location.line is None or location.column is None or finding.rule.code in POINTED:
            continue
        text = vector.files[location.path].decode()
        start = [0, *(match.end() for match in re.finditer("\n", text))][location.line - 1]
        stands, _ = json.JSONDecoder().raw_decode(text, start + location.column - 1)
        tokens, value = _nearest(json.loads(text), location.pointer)
        assert stands == value or stands == tokens[-1], vector.name


def test_every_rule_has_a_passing_and_a_failing_vector() -> None:
    counts = Counter((vector.rule, vector.fails) for vector in VECTORS)
    for rule in RULES.values():
        for fails in (False, True):
            assert counts[_folder(rule), fails], (_folder(rule), fails)


def test_every_folder_of_vectors_is_of_a_rule() -> None:
    folders = {path.parent.parent.name for path in TOP.glob("*/*/case.json")}
    assert folders == {_folder(rule) for rule in RULES.values()}


def test_vectors_are_those_that_are_generated() -> None:
    command = [sys.executable, "-m", "tests.vectors.generate", "--check"]
    done = subprocess.run(
        command, cwd=TOP.parents[1], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_check_says_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "TOP", tmp_path)
    monkeypatch.setattr(generate, "MODULES", (chain,))  # one is enough to write and compare
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    changed, gone, *_ = sorted(tmp_path.glob("KA1*/*/case.json"))
    changed.write_bytes(b"{}")
    gone.unlink()
    added = tmp_path / "KA999-none" / "case_pass" / "case.json"
    added.parent.mkdir(parents=True)
    added.touch()
    (tmp_path / "stray.json").touch()
    assert capsys.readouterr().out == ""
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{changed.relative_to(tmp_path).as_posix()} differs",
        f"{gone.relative_to(tmp_path).as_posix()} is missing",
        f"{added.relative_to(tmp_path).as_posix()} is left over",
        "stray.json is left over",
    ]
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    assert not added.parent.parent.exists()


@pytest.mark.parametrize("text", ["what", "why", "fix"])
@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_texts_of_rules_are_sentences(rule: Rule, text: str) -> None:
    sentence: str = getattr(rule, text)
    assert re.match(r"[A-Z`]", sentence)
    assert sentence.endswith(".")
    assert "  " not in sentence
    assert sentence.count("`") % 2 == 0


def test_the_oracle_does_not_import_kattest() -> None:
    sources = [
        *Path(TOP).glob("*.py"),
        *Path(TOP).glob("cases/*.py"),
        TOP.parent / "support/memory.py",
        TOP.parent / "support/rounds.py",
    ]
    for path in sources:
        assert not re.search(r"^\s*(from|import) kattest\b", path.read_text("utf-8"), re.MULTILINE)


def _folder(rule: Rule) -> str:
    return f"{rule.code}-{rule.name}"


def _locations(of_rule: list[Vector]) -> Iterator[tuple[Vector, Location]]:
    for vector in of_rule:
        for finding in vector.report().findings:
            yield vector, finding.location
            yield from ((vector, related.location) for related in finding.related)


def _nearest(document: Any, pointer: str) -> tuple[list[str], Any]:
    """The value that ``pointer`` names, or the nearest around it, and the tokens that lead there."""
    tokens: list[str] = [""]
    value = document
    for escaped in pointer.split("/")[1:]:
        token = escaped.replace("~1", "/").replace("~0", "~")
        inside = value if isinstance(value, dict) else {}
        if isinstance(value, list):
            inside = {str(number): element for number, element in enumerate(value)}
        if token not in inside:
            break
        value = inside[token]
        tokens.append(token)
    return tokens, value
