"""What init plans, and does, beside what is there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from kattest.errors import InputError
from kattest.writing.setup import HOOKS, Action, Step, carry_out, plan

OTHER = (
    "repos:\n  - repo: local\n    hooks:\n      - {id: a, name: a, entry: a, language: system}\n"
)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    return tmp_path


def hooks_step(top: Path) -> Step:
    return next(step for step in plan(top) if step.what == HOOKS)


def test_everything_is_made_once(top: Path) -> None:
    steps = plan(top)
    assert [step.action for step in steps] == [
        Action.MAKE,
        Action.ADD,
        Action.MAKE,
        Action.MAKE,
    ]
    carry_out(top, steps)
    assert {step.action for step in plan(top)} == {Action.KEEP}


@pytest.mark.parametrize("indent", ["", "  ", "    "])
@pytest.mark.parametrize("tail", ["", "\n", "\nfail_fast: true\n", "# the end\n"])
def test_hooks_are_added_behind_the_last(top: Path, indent: str, tail: str) -> None:
    body = OTHER.replace("\n  ", f"\n{indent}").removesuffix("\n") + ("\n" if tail else "")
    (top / HOOKS).write_text(body + tail)
    before = yaml.safe_load(body + tail)
    carry_out(top, [hooks_step(top)])
    after = yaml.safe_load((top / HOOKS).read_text())
    assert after["repos"][:-1] == before["repos"]
    assert [hook["id"] for hook in after["repos"][-1]["hooks"]] == [
        "kattest-staged",
        "kattest-push",
    ]
    assert after.get("fail_fast") == before.get("fail_fast")


@pytest.mark.parametrize(
    "text", ["repos: []\n", "repos: [{repo: local, hooks: []}]\n", "fail_fast: true\n", ""]
)
def test_another_layout_is_left_alone_and_said(top: Path, text: str) -> None:
    (top / HOOKS).write_text(text)
    step = hooks_step(top)
    assert step.action is Action.LEAVE
    assert "add this under repos yourself" in step.why
    carry_out(top, [step])
    assert (top / HOOKS).read_text() == text


def test_attributes_are_added_to_a_last_line_without_end(top: Path) -> None:
    (top / ".gitattributes").write_text("*.png binary")
    carry_out(top, plan(top))
    lines = (top / ".gitattributes").read_text().splitlines()
    assert lines[0] == "*.png binary"
    assert any("merge=kattest-index" in line for line in lines)


@pytest.mark.parametrize("name", [".gitattributes", HOOKS, ".kattest.yaml"])
def test_what_is_no_text_file_is_refused(top: Path, name: str) -> None:
    (top / name).mkdir()
    with pytest.raises(InputError, match="no regular file"):
        plan(top)
    (top / name).rmdir()
    (top / name).write_bytes(b"\xff")
    with pytest.raises(InputError, match="UTF-8"):
        plan(top)
