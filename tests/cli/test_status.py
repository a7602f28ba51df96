"""Exit statuses, and what goes to which stream (design, section 4)."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import KATTEST, TIMEOUT, Run, Sandbox

# A shell may leave SIGINT ignored in what it starts, and that is inherited. This undoes it.
INTERRUPTIBLE = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
A_RULE_RAISES = """
import sys
from kattest import attestation_part
from kattest.cli.main import run
from kattest.rules.base import Check

def broken(subject):
    raise ZeroDivisionError("a rule went wrong")

first = attestation_part.ROUND_CHECKS[0]
attestation_part.ROUND_CHECKS = (Check(first.rule, broken),)
sys.argv[0] = "kattest"
run()
"""


def test_a_clean_check_exits_with_0_and_its_report_on_standard_output(clean: Sandbox) -> None:
    run = clean.kattest("verify")
    assert run.status == 0
    assert run.err == ""
    assert "verified" in run.out
    head = clean.git("rev-parse", "--short=12", "HEAD")
    seen = "1 attestation file, 1 round, 3 attestations"
    assert run.out.endswith(f"\nok: the working tree: {seen}, compared with HEAD ({head})\n")


def test_errors_exit_with_1_and_the_report_on_standard_output(forged: Sandbox) -> None:
    run = forged.kattest("verify")
    assert run.status == 1
    assert run.err == ""
    assert "FAILED" in run.out
    assert "error KA101 evaluation-hash" in run.out


@pytest.mark.parametrize("repository", ["superseded", "moved"])
def test_warnings_and_infos_exit_with_0(repository: str, request: pytest.FixtureRequest) -> None:
    sandbox: Sandbox = request.getfixturevalue(repository)
    run = sandbox.kattest("verify")
    assert run.status == 0
    assert run.err == ""


def test_what_could_not_be_checked_exits_with_2_and_the_remedy_on_standard_error(
    clean: Sandbox,
) -> None:
    run = clean.kattest("verify", "--rev", "no-such-branch")
    assert (run.status, run.out) == (2, "")
    assert run.err == (
        'kattest: "no-such-branch" names no commit\n'
        "  what to do: name a commit, branch or tag of this repository\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "--no-such-option"], "--no-such-option"),
        (["verify", "--rev"], "--rev"),
        (["no-such-command"], "no-such-command"),
        (["explain", "KA101", "KA102"], "KA102"),
    ],
)
def test_a_wrong_command_line_exits_with_2_and_says_what_is_wrong(
    clean: Sandbox, arguments: list[str], words: str
) -> None:
    run = clean.kattest(*arguments)
    assert (run.status, run.out) == (2, "")
    assert words in run.err
    assert "Traceback" not in run.err


def test_a_bug_exits_with_3_and_a_traceback_on_standard_error(clean: Sandbox) -> None:
    run = clean.python(A_RULE_RAISES, "verify")
    assert (run.status, run.out) == (3, "")
    assert "Traceback (most recent call last)" in run.err
    assert "ZeroDivisionError: a rule went wrong" in run.err
    assert "bug in kattest" in run.err


def test_a_bug_writes_no_report_file(clean: Sandbox) -> None:
    run = clean.python(A_RULE_RAISES, "verify", "--output", "report.txt")
    assert run.status == 3
    assert clean.git("status", "--short") == ""


def test_an_interrupt_exits_with_130_without_a_traceback(clean: Sandbox, tmp_path: Path) -> None:
    fifo = tmp_path / "config"
    os.mkfifo(fifo)
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, KATTEST, "verify", "--config", str(fifo)],
        cwd=clean.path,
        env=dict(clean.env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with open(_writer(fifo), "wb"):  # from here on kattest waits for the configuration
        out, err = _interrupted(process)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    ("repository", "status", "form"), [("clean", 0, "text"), ("forged", 1, "json")]
)
def test_a_reader_that_is_gone_changes_neither_status_nor_standard_error(
    repository: str, status: int, form: str, request: pytest.FixtureRequest
) -> None:
    sandbox: Sandbox = request.getfixturevalue(repository)
    run = _into_a_closed_pipe(sandbox, "verify", "--format", form)
    assert run == Run(status, "", "")


def test_head_in_a_pipeline_keeps_the_status(forged: Sandbox) -> None:
    script = f'"{KATTEST}" verify --verbose | head -n 1; echo "${{PIPESTATUS[0]}}"'
    run = forged.run(["bash", "-c", script])
    assert run == Run(0, "skill/.judge-attestations.json\n1\n", "")


def test_explain_into_a_closed_pipe_is_no_fault(clean: Sandbox) -> None:
    assert _into_a_closed_pipe(clean, "explain") == Run(0, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["verify", "explain"])
def test_a_full_disk_is_status_2_and_no_bug_of_kattest(clean: Sandbox, command: str) -> None:
    run = clean.run(["sh", "-c", f'"{KATTEST}" {command} >/dev/full'])
    assert run.status == 2
    assert "Traceback" not in run.err
    assert "what to do" in run.err


def test_a_closed_standard_output_is_status_2_and_no_bug_of_kattest(clean: Sandbox) -> None:
    run = clean.run(["sh", "-c", f'"{KATTEST}" verify >&-'])
    assert run.status == 2
    assert "Traceback" not in run.err


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(("arguments", "status"), [("verify", 0), ("verify --rev nope", 2)])
def test_a_standard_error_that_takes_nothing_keeps_the_status(
    clean: Sandbox, where: str, arguments: str, status: int
) -> None:
    if where.endswith("full") and not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    assert clean.run(["sh", "-c", f'"{KATTEST}" {arguments} {where}']).status == status


def _into_a_closed_pipe(sandbox: Sandbox, *arguments: str) -> Run:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [KATTEST, *arguments],
            cwd=sandbox.path,
            env=dict(sandbox.env),
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            timeout=TIMEOUT,
        )
    finally:
        os.close(writer)
    return Run(done.returncode, "", done.stderr.decode())


def _interrupted(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What a process writes that SIGINT ends.

    A signal that comes right before Python waits in read(2) is not seen until that returns; there
    is another, then, as from anybody at a keyboard.
    """
    try:
        for _ in range(5):
            process.send_signal(signal.SIGINT)
            try:
                return process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                continue
    finally:
        process.kill()
    pytest.fail("it went on as if nothing had happened")


def _writer(fifo: Path) -> int:
    """A descriptor that writes to ``fifo``, once somebody reads from it."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        try:
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            time.sleep(0.01)
    pytest.fail("nobody read from the pipe")
