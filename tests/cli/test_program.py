"""The program around its commands: version, help, ``explain``, ``python -m`` and completion."""

import re
import sys

import pytest

from kattest import __version__
from kattest.rules import RULES
from tests.cli.conftest import Run, Sandbox

OVERVIEW = "".join(f"{rule.code}  {rule.severity:7}  {rule.name}\n" for rule in RULES.values())


def test_version_is_one_line(clean: Sandbox) -> None:
    assert clean.kattest("--version") == Run(0, f"kattest {__version__}\n", "")


def test_python_m_runs_the_same_program(forged: Sandbox) -> None:
    module = [sys.executable, "-m", "kattest"]
    assert forged.run([*module, "--version"]) == forged.kattest("--version")
    assert forged.run([*module, "verify"]) == forged.kattest("verify")
    assert forged.run([*module, "verify", "nowhere"]) == forged.kattest("verify", "nowhere")


def test_kattest_alone_shows_how_it_is_used_and_passes_nothing(clean: Sandbox) -> None:
    run = clean.kattest()
    assert run.status == 2
    assert "Usage: " in run.out + run.err
    for command in ("verify", "explain"):
        assert re.search(rf"^ +{command} ", run.out + run.err, re.MULTILINE)


@pytest.mark.parametrize("command", [[], ["verify"], ["explain"]])
def test_help_goes_to_standard_output(clean: Sandbox, command: list[str]) -> None:
    run = clean.kattest(*command, "--help")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith(" ".join(["Usage: kattest", *command, "["]))
    assert clean.kattest(*command, "-h") == run


def test_help_says_what_the_exit_statuses_mean(clean: Sandbox) -> None:
    words = " ".join(clean.kattest("verify", "--help").out.split())
    for status in ("0 where", "1 where", "2 where", "3 for a bug"):
        assert status in words


def test_no_line_of_help_is_cut_off(clean: Sandbox) -> None:
    for group in ((), ("hook",), ("attest",), ("memory",), ("merge-driver",)):
        assert "..." not in clean.kattest(*group, "--help").out.replace("[ARGS]...", "")


def test_explain_alone_lists_every_rule_once_in_order(clean: Sandbox) -> None:
    assert clean.kattest("explain") == Run(0, OVERVIEW, "")


@pytest.mark.parametrize("name", ["KA101", "ka101", "evaluation-hash"])
def test_explain_one_rule_by_code_or_name(clean: Sandbox, name: str) -> None:
    run = clean.kattest("explain", name)
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("KA101 evaluation-hash (error)\n\n  What  ")
    words = " ".join(run.out.split())
    rule = RULES["KA101"]
    for text in (rule.what, rule.why, rule.fix):
        assert text in words
    assert run.out.count("  What  ") == run.out.count("  Why   ") == run.out.count("  Fix   ") == 1


def test_explain_finds_a_rule_by_its_name(clean: Sandbox) -> None:
    assert clean.kattest("explain", "chain-link").out.startswith("KA102 chain-link (error)\n")


def test_explain_every_rule_that_begins_so(clean: Sandbox) -> None:
    run = clean.kattest("explain", "ka1")
    titles = re.findall(r"^(KA\d{3}) ", run.out, re.MULTILINE)
    assert titles == [code for code in RULES if code.startswith("KA1")]
    assert run.status == 0


def test_explanations_fit_a_narrow_terminal(clean: Sandbox) -> None:
    assert max(map(len, clean.kattest("explain", "KA").out.splitlines())) <= 88


@pytest.mark.parametrize("code", ["KA999", "no-such-rule", "KA1011"])
def test_explain_refuses_what_it_does_not_know(clean: Sandbox, code: str) -> None:
    run = clean.kattest("explain", code)
    assert (run.status, run.out) == (2, "")
    assert f"there is no rule {code}\n" in run.err
    assert "what to do: kattest explain" in run.err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("kattest explain KA10", [code for code in RULES if code.startswith("KA10")]),
        ("kattest verify --select KA00", [code for code in RULES if code.startswith("KA00")]),
        ("kattest verify --ignore KA13", [code for code in RULES if code.startswith("KA13")]),
        ("kattest verify --require a", ["attestations"]),
        ("kattest verify --format ", ["text", "json"]),
        ("kattest ver", ["verify"]),
    ],
)
def test_bash_completes_commands_options_and_codes(
    clean: Sandbox, words: str, expected: list[str]
) -> None:
    position = len(words.split(" ")) - 1
    run = clean.kattest(
        _KATTEST_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(position)
    )
    assert (run.status, run.err) == (0, "")
    assert run.out.split() == expected


def test_codes_are_completed_in_the_letter_case_that_is_being_typed(clean: Sandbox) -> None:
    """The shell keeps what was typed, and ``kattest explain ka110`` works."""
    run = clean.kattest(
        _KATTEST_COMPLETE="complete_bash", COMP_WORDS="kattest explain ka11", COMP_CWORD="2"
    )
    assert run.out.split() == [code.lower() for code in RULES if code.startswith("KA11")]


def test_zsh_completes_codes_with_their_names(clean: Sandbox) -> None:
    run = clean.kattest(
        _KATTEST_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="kattest explain KA10"
    )
    assert (run.status, run.err) == (0, "")
    assert '"KA101":"evaluation-hash"' in run.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_show_completion_prints_a_script_for_the_shell(clean: Sandbox, shell: str) -> None:
    """Without typer's look at which shell it runs in, which differs from test to test."""
    run = clean.kattest(
        "--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1"
    )
    assert (run.status, run.err) == (0, "")
    assert "_KATTEST_COMPLETE=complete_" in run.out


def test_the_bash_script_defines_a_completion_that_bash_accepts(clean: Sandbox) -> None:
    script = clean.kattest(
        "--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1"
    ).out
    run = clean.run(["bash", "-c", f"{script}\ncomplete -p kattest"])
    assert (run.status, run.err) == (0, "")
    assert run.out == "complete -o default -F _kattest_completion kattest\n"
