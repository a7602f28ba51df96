"""The protocol's own verification script passes every attestation file that kattest writes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.conftest import FILE, Sandbox
from tests.cli.writing import (
    ARTIFACT_PATH,
    NOON,
    clock,
    codes,
    document_of,
    give,
    judge,
    open_panel,
    whole_round,
)
from tests.git.conftest import copied, empty_template
from tests.oracles.protocol import run_script
from tests.support.git import Repo
from tests.support.rounds import ARTIFACT, HIGH_STAKES, RATIONALES, STANDARD

__all__ = ["empty_template"]

PASS = "PASS: All {} judge attestations verified. Isolation confirmed.\n"  # noqa: S105 - a verdict
ROSTERS = b"""\
panels:
  pair:
    - {judge: domain-expert, weight: 0.5}
    - {judge: threat-modeller, weight: 0.5, titles: [threat modeller]}
  seven:
    - {judge: one}
    - {judge: two}
    - {judge: three}
    - {judge: four}
    - {judge: five}
    - {judge: six}
    - {judge: seven}
"""
PAIR = ("domain-expert", "threat-modeller")
SEVEN = ("one", "two", "three", "four", "five", "six", "seven")
WORDS = (
    "Ясные шаги | и примеры к ним, которым можно следовать без подсказки.",
    'Quotes " and \\ backslashes, a tab\tand a line\nbreak, \U0001f980 and e\u0301.',
    "手順は明確で、例も十分にあります。ただし性能の測定値がまだ見当たりません。これから追加してください。",
)


@pytest.fixture
def repo(empty_template: Repo, tmp_path: Path) -> Sandbox:
    """A repository with an artifact and a published configuration."""
    made = copied(empty_template, tmp_path)
    made.write(ARTIFACT_PATH, ARTIFACT)
    made.write(".kattest.yaml", ROSTERS)
    made.commit()
    return Sandbox(made.top, {**made.env, **clock(NOON)})


def says(repo: Sandbox) -> str:
    assert codes(repo, "--strict") == []
    return run_script((repo.path / FILE).parent)


def record(repo: Sandbox, given: bytes, *options: str, **env: str) -> None:
    run = give(repo, given, "attest", "record", "--from", "-", *options, **env)
    assert document_of(run)["written"] is True


@pytest.mark.parametrize(
    ("panel", "seats", "scores"),
    [
        ("standard", STANDARD, ("8.2", "7.5", "8.0")),
        ("standard", STANDARD, ("10", "7", "8.0")),
        ("standard", STANDARD, ("0.0", "0", "3.0")),
        ("standard", (*STANDARD, "meta-judge"), ("8.0", "0.0", "10.0", "6")),
        ("high-stakes", HIGH_STAKES, ("8.2", "7.5", "8.0", "7.9", "8.1")),
        (
            "high-stakes",
            (*HIGH_STAKES, "meta-judge"),
            ("9.1", "3.4", "8.0", "7.9", "7.2", "6.6"),
        ),
        ("pair", PAIR, ("8.2", "7.5")),
        ("seven", SEVEN, ("8.2", "7.5", "8.0", "7.9", "8.1", "6.9", "7.0")),
    ],
    ids=str,
)
@pytest.mark.slow
def test_passes_every_panel(
    repo: Sandbox, panel: str, seats: tuple[str, ...], scores: tuple[str, ...]
) -> None:
    rationales = tuple(f"{RATIONALES[0]} Number {number}." for number in "abcdefg")
    record(repo, whole_round(scores, seats=[*seats], rationales=rationales, panel=panel))
    assert says(repo) == PASS.format(len(scores))


def test_passes_words_of_any_language_and_several_rounds(repo: Sandbox) -> None:
    opened = open_panel(repo)
    for seat, score, words in zip(STANDARD, ("8.2", "7.5", "8.0"), WORDS, strict=True):
        assert judge(repo, opened["evaluation_id"], seat, score, words).status == 0
    assert repo.kattest("attest", "close", opened["evaluation_id"]).status == 0
    record(repo, whole_round(), **clock(NOON + timedelta(days=1)))
    assert says(repo) == PASS.format(3) * 2


@pytest.mark.slow
def test_fails_what_the_protocols_other_recipe_hashes(repo: Sandbox) -> None:
    record(repo, whole_round(), "--recipe", "bare")
    assert says(repo).startswith("FAIL: 3 violations detected:")


@pytest.mark.slow
@pytest.mark.parametrize("ours", ["main", "side"])
def test_passes_what_the_merge_driver_unites(repo: Sandbox, ours: str) -> None:
    record(repo, whole_round(evaluation_id="first"))
    assert repo.kattest("init").status == 0
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--message", "init")
    repo.git("branch", "side")
    for number, branch in enumerate(("main", "side"), 1):
        repo.git("switch", "--quiet", branch)
        moment = clock(NOON + timedelta(hours=number))
        record(repo, whole_round(evaluation_id=branch, rationales=WORDS), **moment)
        repo.git("commit", "--quiet", "--all", "--message", branch)
    repo.git("switch", "--quiet", ours)
    repo.git("merge", "--quiet", "--no-edit", "main" if ours == "side" else "side")
    assert says(repo) == PASS.format(3) * 3
