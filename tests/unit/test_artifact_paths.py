"""Where an artifact path may lead: inside the repository, to a regular file."""

from __future__ import annotations

from typing import Any

import pytest

from kattest.attestation.artifact import ArtifactState
from kattest.tree import Kind
from tests.support.rounds import ARTIFACT, dumps, make_round
from tests.unit.judging import FILE, codes, judge

OTHER = b"other bytes\n"

REFUSED = {
    "absolute": "/SKILL.md",
    "a network share": "//server/share/SKILL.md",
    "the parent": "..",
    "climbing": "../SKILL.md",
    "climbing inside": "skill/../SKILL.md",
    "climbing at the end": "SKILL.md/..",
    "climbing after a dot": "./../SKILL.md",
    "a drive": "C:/SKILL.md",
    "a drive in lower case": "c:/SKILL.md",
    "a drive without a slash": "C:SKILL.md",
    "a backslash": "skill\\SKILL.md",
    "climbing by backslash": "..\\SKILL.md",
    "a device by backslash": "\\\\?\\C:\\SKILL.md",
    "a NUL": "SKILL.md\0.txt",
    "a NUL alone": "\0",
    "nothing": "",
    "a dot": ".",
    "dots and slashes": "././/",
    "a slash": "/",
    ".git": ".git",
    ".git/config": ".git/config",
    ".git after a dot": "./.git/config",
    ".git after two slashes": "skill//.git/config",
    "a nested .git": "vendor/lib/.git/HEAD",
    ".git at the end": "vendor/lib/.git",
    ".GIT": ".GIT/config",
    ".Git": ".Git/config",
    ".git with a dot": ".git./config",
    ".git with a space": ".git /config",
    ".git with dots and spaces": ".git . ./config",
    ".git with a stream": ".git::$INDEX_ALLOCATION/config",
    ".git with a named stream": ".git:x/config",
    "a short name": "git~1/config",
    "a short name in capitals": "GIT~1/config",
    "a short name with a dot": "git~1./config",
    ".git with a zero-width non-joiner": ".g\u200cit/config",
    ".git with a zero-width joiner": "\u200d.git/config",
    ".git with a left-to-right mark": ".git\u200e/config",
    ".git with a right-to-left override": ".\u202egit/config",
    ".git with a deprecated format": ".gi\u206at/config",
    ".git with a byte-order mark": "\ufeff.git/config",
    ".GIT with all of it": "vendor/.\u200cGI\ufeffT. /config",
}

FOLLOWED = [
    "SKILL.md",
    "./SKILL.md",
    "skill/SKILL.md",
    "skill//SKILL.md",
    "skill/./SKILL.md",
    ".claude/skills/explore/SKILL.md",
    ".gitignore",
    ".github/SKILL.md",
    ".gitattributes",
    "a.git/SKILL.md",
    ".git2/SKILL.md",
    "git/SKILL.md",
    "git~2/SKILL.md",
    "..a/SKILL.md",
    "a../SKILL.md",
    ".../SKILL.md",
    "a..b",
    "-rf",
    "~/SKILL.md",
    "$HOME/SKILL.md",
    "a b/SKILL.md",
    "навык/SKILL.md",
    "スキル.md",
    "\U0001f600.md",
    "*.md",
    "a\nb.md",
    "skill/SKILL.md:2",
]


def judge_path(artifact_path: str, **where: Any) -> list[str]:
    """What is found of a path, but for the characters in it that no text should hold."""
    found = codes(judge(dumps(make_round(path=artifact_path)), **where))
    return [code for code in found if code != "KA007"]


@pytest.mark.parametrize("path", REFUSED.values(), ids=REFUSED)
def test_is_refused_even_where_a_matching_file_is_there(path: str) -> None:
    files = {path: ARTIFACT, "SKILL.md": ARTIFACT, "config": ARTIFACT}
    assert judge_path(path, files=files) == ["KA113"]
    [round_] = judge(dumps(make_round(path=path)), files=files).rounds
    assert round_.status == "failed"
    assert round_.artifact == ArtifactState.UNKNOWN


@pytest.mark.parametrize("path", FOLLOWED)
def test_is_followed_to_a_matching_file(path: str) -> None:
    plain = "/".join(part for part in path.split("/") if part not in {"", "."})
    assert judge_path(path, files={plain: ARTIFACT}) == []
    assert judge_path(path, files={plain: OTHER}) == ["KA110"]
    assert judge_path(path, files={}) == ["KA112"]


def test_is_looked_for_from_the_top_then_from_the_files_own_folder() -> None:
    where = f"skills/explore/{FILE}"
    beside = {"skills/explore/SKILL.md": ARTIFACT}
    assert judge_path("SKILL.md", path=where, files=beside) == []
    assert judge_path("skills/explore/SKILL.md", path=where, files=beside) == []
    assert judge_path("SKILL.md", path=where, files={**beside, "SKILL.md": OTHER}) == []
    assert judge_path("SKILL.md", path=where, files={"SKILL.md": ARTIFACT}) == []
    wrong = {"SKILL.md": OTHER, "skills/explore/SKILL.md": OTHER}
    assert judge_path("SKILL.md", path=where, files=wrong) == ["KA110"]


@pytest.mark.parametrize("kind", [Kind.SYMLINK, Kind.SUBMODULE, Kind.SPECIAL])
@pytest.mark.parametrize("there", ["skill/SKILL.md", "skill"])
def test_is_not_followed_through_what_is_no_regular_file(kind: Kind, there: str) -> None:
    elsewhere = {"copy/SKILL.md": ARTIFACT}
    found = judge_path("skill/SKILL.md", files=elsewhere, kinds={there: kind})
    assert found == ["KA113"]


def test_to_a_folder_is_to_no_file() -> None:
    assert judge_path("skill", files={"skill/README.md": OTHER}) == ["KA112"]


def test_to_what_has_moved_says_where_it_is() -> None:
    report = judge(dumps(make_round(path="old/SKILL.md")), files={"new/SKILL.md": ARTIFACT})
    assert codes(report) == ["KA115"]
    assert report.rounds[0].artifact_path == "new/SKILL.md"


def test_beside_the_attestation_file_comes_before_elsewhere() -> None:
    files = {"a/SKILL.md": ARTIFACT, "skill/RENAMED.md": ARTIFACT, "z/SKILL.md": ARTIFACT}
    report = judge(dumps(make_round(path="gone.md")), path=f"skill/{FILE}", files=files)
    assert report.rounds[0].artifact_path == "skill/RENAMED.md"


def test_that_differs_in_line_ends_alone_is_said_so() -> None:
    windows = ARTIFACT.replace(b"\n", b"\r\n")
    report = judge(dumps(make_round()), files={"SKILL.md": windows})
    assert codes(report) == ["KA110"]
    assert "line ends" in report.findings[0].message
