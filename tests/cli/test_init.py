"""``kattest init``: what it adds to a repository, and what it leaves alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import FILE, KATTEST, Sandbox, clean_environment
from tests.cli.writing import dated, files_in, put, refused
from tests.git.memories import INDEX
from tests.support.git import forged
from tests.support.memory import ROOT, make_record, make_tree

ATTRIBUTES, HOOKS, CONFIG = ".gitattributes", ".pre-commit-config.yaml", ".kattest.yaml"
OURS = ["kattest-staged", "kattest-push"]
LAYOUTS = {
    "plain": """\
repos:
  - repo: https://example.org/hooks
    rev: v1
    hooks:
      - id: tidy
""",
    "no newline at its end": """\
repos:
  - repo: https://example.org/hooks
    rev: v1
    hooks:
      - id: tidy""",
    "comments and blank lines": """\
# See https://pre-commit.com
default_stages: [pre-commit]

repos:
  # what everybody has
  - repo: https://example.org/hooks  # ours
    rev: "v1"
    hooks:

      - id: tidy
        args: ["--fix", 'a: b']  # careful
      # - id: later

  - repo: local
    hooks:
      - id: mine
        name: mine
        entry: |
          sh -c '
          true
          '
        language: system

# the end
""",
    "repos are not last": """\
repos:
  - repo: https://example.org/hooks
    rev: v1
    hooks:
      - id: tidy
        exclude: |
          (?x)^(
            a|
            b
          )$
# about the rest
ci:
  autofix_prs: false
fail_fast: true
""",
    "items that are not indented": """\
repos:
- repo: https://example.org/hooks
  rev: v1
  hooks:
  - id: tidy
""",
    "items indented by four": """\
repos:
    - repo: https://example.org/hooks
      rev: v1
      hooks:
          - id: tidy
""",
    "flow style": "repos: [{repo: local, hooks: []}]\n",
    "flow style below": """\
repos:
  [{repo: local, hooks: []}]
""",
    "an empty list": "repos: []\n",
    "nothing in it": "repos:\n",
    "no repos": "fail_fast: true\n",
    "an empty file": "",
    "a document marker": """\
---
repos:
  - repo: local
    hooks: []
...
""",
    "CRLF": "repos:\r\n  - repo: local\r\n    hooks: []\r\n",
    "a comment behind repos": """\
repos:  # all of them
  - repo: local
    hooks: []
""",
    "repos in a block of text": """\
exclude: |
  x
repos:
  - repo: local
    hooks: []
""",
    "a quoted key": """\
"repos":
  - repo: local
    hooks: []
""",
}


def init(sandbox: Sandbox, *options: str, cwd: str = ".") -> str:
    run = sandbox.kattest("init", *options, cwd=cwd)
    assert run.status == 0, run
    return run.out


def everything(sandbox: Sandbox) -> dict[str, tuple[int, bytes]]:
    return files_in(sandbox.path)


def hooks_of(document: Mapping[str, Any]) -> list[str]:
    return [hook["id"] for repo in document["repos"] for hook in repo["hooks"]]


def loaded(sandbox: Sandbox) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((sandbox.path / HOOKS).read_text("utf-8"))
    return found


class TestAnEmptyRepository:
    def test_gets_everything_once(self, sandbox: Sandbox) -> None:
        before = everything(sandbox)
        shown = init(sandbox, "--dry-run")
        assert everything(sandbox) == before
        said = init(sandbox)
        assert said in shown
        made = everything(sandbox)
        assert made.keys() - before.keys() == {ATTRIBUTES, HOOKS, CONFIG}
        for name in (ATTRIBUTES, HOOKS, CONFIG):
            for line in made[name][1].decode().splitlines():
                assert f"  + {line}\n" in said
        assert hooks_of(loaded(sandbox)) == OURS
        for name in ("index", "attestations", "archive"):
            driver = sandbox.git("config", "--local", f"merge.kattest-{name}.driver")
            assert driver == f"kattest merge-driver {name} %O %A %B %P"
            assert f"  + merge.kattest-{name}.driver = {driver}\n" in said
        assert "everything was there already" in init(sandbox)
        assert everything(sandbox) == made

    @pytest.mark.slow
    def test_gets_it_at_its_top_from_a_subfolder(self, sandbox: Sandbox) -> None:
        (sandbox.path / "a/b").mkdir(parents=True)
        init(sandbox, cwd="a/b")
        assert {ATTRIBUTES, HOOKS, CONFIG} <= {path.name for path in sandbox.path.iterdir()}

    @pytest.mark.slow
    def test_its_configuration_says_nothing_yet(self, sandbox: Sandbox) -> None:
        init(sandbox)
        assert yaml.safe_load((sandbox.path / CONFIG).read_text("utf-8")) is None
        commented = (sandbox.path / CONFIG).read_text("utf-8")
        lines = [line.removeprefix("# ") for line in commented.splitlines()]
        start = next(number for number, line in enumerate(lines) if line.startswith("severity:"))
        meant = [line for line in lines[start:] if line]
        sandbox.write(CONFIG, "\n".join(meant) + "\n")
        put(sandbox, make_tree(make_record()))
        run = dated(sandbox).kattest("verify", "--format", "json", "--config", CONFIG)
        assert run.status == 0, run
        assert json.loads(run.out)["counts"]["records"] == 1

    @pytest.mark.slow
    def test_knows_where_memories_and_rounds_are(self, sandbox: Sandbox) -> None:
        init(sandbox)
        cases = {
            FILE: "kattest-attestations",
            ".judge-attestations.json": "kattest-attestations",
            INDEX: "kattest-index",
            f"deep/er/{INDEX}": "kattest-index",
            f"{ROOT}/banking/_archive/a/x.json": "kattest-archive",
            f"deep/{ROOT}/banking/_archive/a/x.json": "kattest-archive",
            f"{ROOT}/banking/a/x.json": "unspecified",
            f"{ROOT}/config.json": "unspecified",
            f"{ROOT}/banking/index.json": "unspecified",
            "index.json": "unspecified",
        }
        for path, driver in cases.items():
            assert sandbox.git("check-attr", "merge", "--", path).endswith(f": merge: {driver}")
            known = driver != "unspecified" or ROOT in path
            eol = sandbox.git("check-attr", "eol", "--", path)
            assert eol.endswith(": lf" if known else ": unspecified")


@pytest.mark.slow
class TestWhatIsThere:
    @pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
    def test_a_hook_configuration_keeps_all_it_has(self, sandbox: Sandbox, layout: str) -> None:
        sandbox.write(HOOKS, layout)
        before = yaml.safe_load(layout)
        said = init(sandbox)
        after = loaded(sandbox)
        text = (sandbox.path / HOOKS).read_bytes().decode()
        if "cannot add to" in said:
            assert text == layout
            assert f"{OURS[0]}\n" in said
        else:
            assert hooks_of(after) == [*hooks_of(before), *OURS]
            assert after["repos"][:-1] == before["repos"]
            assert {**after, "repos": None} == {**before, "repos": None}
            assert [line for line in layout.splitlines() if line not in text.splitlines()] == []
            added = [line for line in text.splitlines() if line not in layout.splitlines()]
            for line in added:
                assert f"  + {line}\n" in said
        again = everything(sandbox)
        init(sandbox)
        assert everything(sandbox) == again

    @pytest.mark.parametrize(
        "layout",
        ["plain", "no newline at its end", "comments and blank lines", "repos are not last"],
    )
    def test_the_layouts_that_pre_commit_writes_are_added_to(
        self, sandbox: Sandbox, layout: str
    ) -> None:
        sandbox.write(HOOKS, LAYOUTS[layout])
        assert f"add to {HOOKS}" in init(sandbox)
        assert hooks_of(loaded(sandbox))[-2:] == OURS

    @pytest.mark.parametrize("tool", ["pre-commit", "prek"])
    def test_the_tools_own_sample_is_added_to(self, sandbox: Sandbox, tool: str) -> None:
        sample = sandbox.run([str(Path(KATTEST).with_name(tool)), "sample-config"]).out
        sandbox.write(HOOKS, sample)
        assert f"add to {HOOKS}" in init(sandbox)
        after, before = loaded(sandbox), yaml.safe_load(sample)
        assert hooks_of(after) == [*hooks_of(before), *OURS]
        assert after["repos"][:-1] == before["repos"]

    @pytest.mark.parametrize(
        "text", ["*.md text\n", "*.md text", "", "# a comment\r\n*.md text\r\n", "[attr]x -y\n"]
    )
    def test_attributes_keep_all_they_have(self, sandbox: Sandbox, text: str) -> None:
        sandbox.write(ATTRIBUTES, text)
        init(sandbox)
        after = (sandbox.path / ATTRIBUTES).read_bytes().decode()
        assert after.startswith(text)
        assert sandbox.git("check-attr", "merge", FILE).endswith(": kattest-attestations")
        if "*.md" in text:
            assert sandbox.git("check-attr", "text", "x.md").endswith(": set")
        again = everything(sandbox)
        init(sandbox)
        assert everything(sandbox) == again

    def test_a_configuration_is_not_touched(self, sandbox: Sandbox) -> None:
        sandbox.write(CONFIG, "severity: {KA111: error}  # ours")
        assert f"keep {CONFIG}" in init(sandbox)
        assert (sandbox.path / CONFIG).read_text("utf-8") == "severity: {KA111: error}  # ours"

    def test_a_rename_limit_of_the_users_own_stays(self, sandbox: Sandbox) -> None:
        sandbox.git("config", "merge.renameLimit", "5000")
        init(sandbox)
        assert sandbox.git("config", "--get-all", "merge.renameLimit") == "5000"

    @pytest.mark.parametrize("name", [ATTRIBUTES, HOOKS, CONFIG])
    def test_a_symlink_or_folder_or_text_of_another_encoding_stops_it(
        self, sandbox: Sandbox, name: str
    ) -> None:
        elsewhere = sandbox.write("elsewhere", "mine\n")
        file = sandbox.path / name
        for make in (
            lambda: file.symlink_to("elsewhere"),
            file.mkdir,
            lambda: file.write_bytes(b"caf\xe9\n"),
        ):
            make()
            before = everything(sandbox)
            refused(sandbox.kattest("init"), name)
            assert everything(sandbox) == before
            if file.is_dir() and not file.is_symlink():
                file.rmdir()
            else:
                file.unlink()
        assert elsewhere.read_text("utf-8") == "mine\n"

    def test_a_mode_is_kept(self, sandbox: Sandbox) -> None:
        sandbox.write(ATTRIBUTES, "*.md text\n").chmod(0o600)
        init(sandbox)
        assert (sandbox.path / ATTRIBUTES).stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_outside_a_repository_and_in_a_bare_one_it_says_so(tmp_path: Path) -> None:
    outside = Sandbox(tmp_path, clean_environment(tmp_path))
    refused(outside.kattest("init"), "repository")
    outside.git("init", "--quiet", "--bare", "bare.git")
    before = everything(outside)
    refused(outside.kattest("init", cwd="bare.git"), "bare")
    assert everything(outside) == before


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["", "comments", "repos are not last"])
@pytest.mark.parametrize("tool", ["pre-commit", "prek"])
def test_the_tools_run_what_is_written(clean: Sandbox, tool: str, layout: str) -> None:
    scripts = Path(KATTEST).parent
    search_path = f"{scripts}{os.pathsep}{clean.env['PATH']}"
    sandbox = Sandbox(clean.path, {**clean.env, "PATH": search_path})
    local = """\
repos:
  - repo: local
    hooks:
      - id: mine
        name: mine
        entry: "true"
        language: system
"""
    if layout:
        rest = "# the end\n" if layout == "comments" else "fail_fast: true\n"
        sandbox.write(HOOKS, local + rest)
    init(sandbox)
    command = str(scripts / tool)
    valid = sandbox.run([command, "validate-config", HOOKS])
    assert valid.status == 0, valid
    sandbox.git("add", "--all")
    installed = sandbox.run([command, "install", "--hook-type", "pre-commit"])
    assert installed.status == 0, installed
    honest = sandbox.run(["git", "commit", "--message", "honest"])
    assert honest.status == 0, honest
    assert "kattest" in honest.out + honest.err
    assert "Passed" in honest.out + honest.err
    head = sandbox.git("rev-parse", "HEAD")
    path = sandbox.path / FILE
    path.write_bytes(forged(path.read_bytes()))
    run = sandbox.run(["git", "commit", "--all", "--message", "forged"])
    assert run.status != 0
    assert "error KA101 " in run.out + run.err
    assert sandbox.git("rev-parse", "HEAD") == head
