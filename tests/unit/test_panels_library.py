"""Panels through the library: what is refused, and that nothing is written then."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from kattest.attestation.building import OpenPanel
from kattest.digest import Recipe
from kattest.errors import InputError, SourceError, WriteError
from kattest.instant import Instant
from kattest.writing.panels import Judgement, Panels, panels_of
from tests.support.rounds import ARTIFACT, RATIONALES, STANDARD, make_round
from tests.support.rounds import dumps as rounds_file

NOW = Instant(1_772_366_400)  # 2026-03-01T12:00:00Z
FILE = ".judge-attestations.json"
SCORES = ("8.2", "7.5", "8.0")


@pytest.fixture
def top(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "SKILL.md").write_bytes(ARTIFACT)
    return tmp_path


def opened(top: Path, **options: str) -> tuple[Panels, OpenPanel]:
    panels = panels_of(top)
    panel = panels.prepare("SKILL.md", NOW, **options)  # type: ignore[arg-type] # options are texts
    panels.open(panel)
    return panels, panel


def judgements(scores: Iterable[str] = SCORES) -> list[Judgement]:
    rows = zip((*STANDARD, "meta-judge"), scores, RATIONALES, strict=False)
    return [Judgement(*row) for row in rows]


def judged(top: Path, scores: Iterable[str] = SCORES) -> tuple[Panels, OpenPanel]:
    panels, panel = opened(top)
    for given in judgements(scores):
        panels.judge(panel.evaluation_id, given, NOW)
    return panels, panel


def pending(top: Path) -> list[Path]:
    return sorted((top / ".git/kattest/panels").glob("*/*"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (Judgement("stranger", "8.0", RATIONALES[0]), "has no seat"),
        (Judgement("critic", "8.25", RATIONALES[0]), "is no score"),
        (Judgement("critic", "8.0", " \n"), "no rationale"),
        (Judgement("meta-judge", "8.0", RATIONALES[0]), "needs no meta-judge: it waits for"),
    ],
)
def test_what_no_judge_may_give_is_not_sealed(top: Path, given: Judgement, words: str) -> None:
    panels, panel = opened(top)
    before = pending(top)
    with pytest.raises(InputError, match=words):
        panels.judge(panel.evaluation_id, given, NOW)
    assert pending(top) == before


def test_a_meta_judge_is_not_heard_where_scores_are_close(top: Path) -> None:
    panels, panel = judged(top)
    with pytest.raises(InputError, match="close enough"):
        panels.judge(panel.evaluation_id, Judgement("meta-judge", "8.0", RATIONALES[3]), NOW)


def test_a_panel_that_disagrees_waits_for_its_meta_judge(top: Path) -> None:
    panels, panel = judged(top, ("9.0", "5.9", "8.0"))
    closed = panels.close(panel.evaluation_id)
    assert closed.needs_meta
    assert not (top / FILE).exists()
    panels.judge(panel.evaluation_id, Judgement("meta-judge", "6.4", RATIONALES[3]), NOW)
    panels.close(panel.evaluation_id)
    assert json.loads((top / FILE).read_bytes())["evaluations"][0]["final_score"] == 6.4


def test_a_closed_panel_leaves_nothing_behind(top: Path) -> None:
    panels, panel = judged(top)
    (pending(top)[0].parent / ".kattest-1-0123abcd.tmp").write_bytes(b"half")
    panels.close(panel.evaluation_id)
    assert pending(top) == []
    with pytest.raises(InputError, match="no open panel"):
        panels.close(panel.evaluation_id)


def test_closing_again_what_was_interrupted_after_the_writing_finishes_it(top: Path) -> None:
    panels, panel = judged(top)
    kept = {file: file.read_bytes() for file in pending(top)}
    panels.close(panel.evaluation_id)
    written = (top / FILE).read_bytes()
    for file, data in kept.items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    assert panels.close(panel.evaluation_id).final_score is not None
    assert (top / FILE).read_bytes() == written
    assert pending(top) == []


def test_another_round_of_the_same_id_is_not_overwritten(top: Path) -> None:
    panels, panel = judged(top)
    other = rounds_file(make_round(evaluation_id=panel.evaluation_id))
    (top / FILE).write_bytes(other)
    with pytest.raises(InputError, match="another round"):
        panels.close(panel.evaluation_id)
    assert (top / FILE).read_bytes() == other


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"evaluations": [1]}', b'{"a": 1, "a": 2}'])
def test_a_file_that_can_take_no_round_is_found_before_anybody_judges(
    top: Path, content: bytes
) -> None:
    (top / FILE).write_bytes(content)
    with pytest.raises(InputError, match="can be added"):
        opened(top)
    assert (top / FILE).read_bytes() == content


def test_a_file_that_is_none_is_found_before_anybody_judges(top: Path) -> None:
    (top / FILE).mkdir()
    with pytest.raises(InputError, match="no regular file"):
        opened(top)
    (top / FILE).rmdir()
    (top / FILE).symlink_to("SKILL.md")
    with pytest.raises(InputError, match="symlink"):
        opened(top)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"panel": "jury"}, "no panel"),
        ({"file": "a/b.json"}, "no check would find it"),
        ({"file": f"../{FILE}"}, "not followed"),
    ],
)
def test_what_no_panel_can_be_is_refused(top: Path, options: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        opened(top, **options)


@pytest.mark.parametrize("artifact", ["absent.md", ".git/config", "../x", "SKILL.md/x", "a\nb"])
def test_what_no_artifact_can_be_is_refused(top: Path, artifact: str) -> None:
    with pytest.raises(InputError):
        panels_of(top).prepare(artifact, NOW)


@pytest.mark.parametrize(
    "roster",
    [
        "[{judge: critic}, {judge: domain-expert}, {judge: completeness-auditor}]",
        "[{judge: domain-expert, weight: 0.5}, {judge: critic, weight: 0.25}, {judge: completeness-auditor, weight: 0.25}]",
    ],
)
def test_a_roster_that_would_be_judged_as_another_is_not_opened(top: Path, roster: str) -> None:
    (top / ".kattest.yaml").write_text(f"panels:\n  rival: {roster}\n")
    with pytest.raises(InputError, match="has the judges of the standard panel"):
        opened(top, panel="rival")


def test_a_panel_that_is_damaged_is_said(top: Path) -> None:
    panels, panel = judged(top)
    for file in pending(top):
        file.write_bytes(b"{}")
        with pytest.raises(SourceError, match="not what kattest wrote"):
            panels.close(panel.evaluation_id)
        file.write_bytes(b"{")
        with pytest.raises(SourceError, match="not what kattest wrote"):
            panels.close(panel.evaluation_id)


def test_a_round_is_recorded_as_it_was_judged_elsewhere(top: Path) -> None:
    panels = panels_of(top)
    panel = panels.prepare("SKILL.md", NOW, recipe=Recipe.BARE, evaluation_id="e1")
    closed = panels.record(panel, judgements())
    assert closed.final_score is not None
    assert closed.final_score.lexeme == "7.93"
    with pytest.raises(InputError, match="has a round"):
        panels_of(top).prepare("SKILL.md", NOW, evaluation_id="e1")
    with pytest.raises(InputError, match="judges twice"):
        panels.record(panel, [*judgements(), *judgements()])
    with pytest.raises(InputError, match="waits for"):
        panels.record(panel, judgements()[:2])
    assert panels.record(panel, judgements(("9.0", "1.0", "8.0"))).needs_meta


def test_a_folder_that_cannot_be_made_is_said(top: Path) -> None:
    (top / "a").write_bytes(b"")
    panels = panels_of(top)
    panel = panels.prepare("SKILL.md", NOW, file=f"a/{FILE}")
    with pytest.raises(WriteError, match="the panel is still open"):
        panels.record(panel, judgements())


def test_there_is_no_panel_outside_a_repository(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no git repository"):
        panels_of(tmp_path)
