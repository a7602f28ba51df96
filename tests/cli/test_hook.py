"""`kattest hook`: the commands that git runs, when it is not git that runs them."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import TIMEOUT, Sandbox
from tests.support.git import SCRIPTS, Run, run

ZEROS = "0" * 40
KATTEST = SCRIPTS / "kattest"


def told(sandbox: Sandbox, stdin: bytes, *args: str, **env: str) -> Run:
    """What a hook does with this on its standard input."""
    return run(KATTEST, "hook", *args, cwd=sandbox.path, env={**sandbox.env, **env}, stdin=stdin)


def head(sandbox: Sandbox) -> str:
    return sandbox.git("rev-parse", "HEAD")


class TestInput:
    @pytest.mark.parametrize("hook", ["pre-push", "pre-receive"])
    def test_nothing_to_do(self, clean: Sandbox, hook: str) -> None:
        done = told(clean, b"", hook)
        assert done.status == 0, done
        assert done.stderr == ""

    def test_nothing_pushed_is_said(self, clean: Sandbox) -> None:
        assert told(clean, b"", "pre-push", "origin", "url").stdout == (
            "nothing is pushed, so there is nothing to check\n"
        )

    @pytest.mark.parametrize("hook", ["pre-push", "pre-receive"])
    def test_without_standard_input(self, clean: Sandbox, hook: str) -> None:
        command = f"exec '{KATTEST}' hook {hook} <&-"
        done = run("sh", "-c", command, cwd=clean.path, env=clean.env)
        assert done.status == 2, done
        assert "kattest: this hook reads what git tells it" in done.stderr
        assert "what to do: let git run it, in a push" in done.stderr

    @pytest.mark.parametrize("hook", ["pre-push", "pre-receive"])
    def test_on_a_terminal_it_does_not_wait(self, clean: Sandbox, hook: str) -> None:
        keyboard, terminal = pty.openpty()
        try:
            done = subprocess.run(
                [KATTEST, "hook", hook],
                cwd=clean.path,
                env=clean.env,
                stdin=terminal,
                capture_output=True,
                check=False,
                timeout=TIMEOUT,
            )
        finally:
            os.close(terminal)
            os.close(keyboard)
        assert done.returncode == 2, done
        assert b"kattest: this hook reads what git tells it" in done.stderr

    @pytest.mark.parametrize(
        ("hook", "line"),
        [
            ("pre-push", b"refs/heads/main\n"),
            ("pre-push", b"one two three\n"),
            ("pre-receive", b"one\n"),
            ("pre-receive", b"one two\n"),
            ("pre-push", b"\xff\xfe\n"),
            ("pre-receive", b"\x1b[31m\n"),
        ],
    )
    def test_what_git_does_not_write(self, clean: Sandbox, hook: str, line: bytes) -> None:
        done = told(clean, line, hook)
        assert done.status == 2, done
        assert "is not what git writes here" in done.stderr
        assert "\x1b" not in done.stderr
        assert "what to do: let git run this hook" in done.stderr

    @pytest.mark.parametrize("hook", ["pre-push", "pre-receive"])
    def test_a_bad_line_among_good_ones(self, clean: Sandbox, hook: str) -> None:
        oid = head(clean)
        good = {
            "pre-push": f"refs/heads/main {oid} refs/heads/main {ZEROS}",
            "pre-receive": f"{ZEROS} {oid} refs/heads/new",
        }[hook]
        assert told(clean, good.encode(), hook).status == 0
        assert told(clean, f"{good}\nbad\n".encode(), hook).status == 2

    @pytest.mark.parametrize(
        "line",
        [
            f"{ZEROS} {'1' * 40} refs/heads/main",
            f"{'1' * 40} HEAD refs/heads/main",
            f"{ZEROS} nonsense refs/heads/main",
        ],
    )
    def test_a_commit_that_is_not_there_does_not_pass(self, clean: Sandbox, line: str) -> None:
        done = told(clean, line.encode(), "pre-receive")
        assert done.status == 2, done
        assert "kattest: refs/heads/main: " in done.stderr

    def test_a_forged_commit(self, forged: Sandbox) -> None:
        oid = head(forged)
        for hook, line in (
            ("pre-receive", f"{ZEROS} {oid} refs/heads/new"),
            ("pre-push", f"refs/heads/main {oid} refs/heads/main {ZEROS}"),
            ("pre-push", f"HEAD~0 {oid} refs/heads/main {ZEROS}"),
        ):
            done = told(forged, line.encode(), hook)
            assert done.status == 1, done
            assert " error KA101 " in done.stdout
        assert told(forged, b"", "update", "refs/heads/new", ZEROS, oid).status == 1

    def test_the_name_of_a_reference_is_shown_as_text(self, clean: Sandbox) -> None:
        line = f"{ZEROS} {head(clean)} refs/heads/\x1b[31m\u202e".encode() + b"\xff"
        done = told(clean, line, "pre-receive")
        assert done.status == 0, done
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout

    def test_several_faults_give_the_worst_status(self, forged: Sandbox) -> None:
        lines = f"{ZEROS} {head(forged)} refs/heads/new\n{'1' * 40} {head(forged)} refs/heads/x\n"
        done = told(forged, lines.encode(), "pre-receive")
        assert done.status == 2, done
        assert " error KA101 " in done.stdout


class TestCommands:
    def test_its_help_names_every_hook(self, sandbox: Sandbox) -> None:
        done = sandbox.kattest("hook", "--help")
        assert done.status == 0
        for name in "install", "uninstall", "pre-commit", "pre-merge-commit", "pre-push":
            assert name in done.out
        for name in "pre-receive", "update":
            assert name in done.out

    @pytest.mark.parametrize("args", [["post-commit"], ["update"], ["update", "a", "b"], ["-x"]])
    def test_what_is_no_command(self, clean: Sandbox, args: list[str]) -> None:
        done = clean.kattest("hook", *args)
        assert done.status == 2, done
        assert "Traceback" not in done.err

    @pytest.mark.parametrize("hook", ["pre-commit", "pre-merge-commit"])
    def test_by_hand_it_judges_what_is_staged(self, forged: Sandbox, hook: str) -> None:
        done = forged.kattest("hook", hook)
        assert done.status == 1, done
        assert " error KA101 " in done.out

    @pytest.mark.parametrize("hook", ["pre-commit", "pre-merge-commit", "pre-push", "pre-receive"])
    def test_outside_a_repository(self, sandbox: Sandbox, tmp_path: Path, hook: str) -> None:
        outside = Sandbox(tmp_path / "outside", sandbox.env)
        outside.path.mkdir()
        done = told(outside, b"", hook)
        assert done.status == 2, done
        assert "is in no git repository" in done.stderr
