"""Colour, progress and encodings: what depends on who is reading."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import AS_OF, FILE, KATTEST, Sandbox, committed, copied
from tests.cli.terminal import on_terminal
from tests.support.memory import ROOT, make_record, make_tree
from tests.support.rounds import make_round

GREEN_OK = "\x1b[32mok\x1b[0m: the working tree"
RED_FAILED = "\x1b[1;31mFAILED\x1b[0m"

# kattest with no patience: it shows progress at once instead of after a second.
IMPATIENT = """
import sys
from kattest.cli import progress
from kattest.cli.main import run

progress._PATIENCE = progress._PERIOD = 0.0
sys.argv[0] = "kattest"
run()
"""


def coloured(sandbox: Sandbox, *arguments: str, **env: str) -> str:
    return on_terminal(sandbox, [KATTEST, *arguments], stream="stdout", **env)


def test_a_terminal_gets_colours(clean: Sandbox) -> None:
    assert GREEN_OK in coloured(clean, "verify")
    clean.write(FILE, "{}")
    assert RED_FAILED in coloured(clean, "verify")


@pytest.mark.parametrize(
    "arguments", [("verify",), ("verify", "-q"), ("verify", "-v"), ("explain",)]
)
def test_a_pipe_gets_no_colours(forged: Sandbox, arguments: tuple[str, ...]) -> None:
    assert "\x1b" not in forged.kattest(*arguments).out


@pytest.mark.parametrize(
    ("name", "value"), [("NO_COLOR", "1"), ("NO_COLOR", "false"), ("TERM", "dumb")]
)
def test_a_terminal_gets_no_colours_where_they_are_not_wanted(
    forged: Sandbox, name: str, value: str
) -> None:
    assert "\x1b" not in coloured(forged, "verify", **{name: value})


def test_an_empty_no_color_is_no_wish(clean: Sandbox) -> None:
    """So says no-color.org: when present and not an empty string."""
    assert GREEN_OK in coloured(clean, "verify", NO_COLOR="")


def test_colours_change_nothing_but_colours(forged: Sandbox) -> None:
    shown = coloured(forged, "verify", "-v", "--as-of", "2026-03-02T09:00:00Z")
    plain = forged.kattest("verify", "-v", "--as-of", "2026-03-02T09:00:00Z").out
    for code in ("0", "1", "2", "32", "1;31", "1;33", "1;36"):
        shown = shown.replace(f"\x1b[{code}m", "")
    assert shown == plain


def test_json_on_a_terminal_has_no_colours(forged: Sandbox) -> None:
    assert json.loads(coloured(forged, "verify", "--format", "json"))["ok"] is False


def test_a_report_file_has_no_colours_though_there_is_a_terminal(forged: Sandbox) -> None:
    assert coloured(forged, "verify", "--output", "report.txt") == ""
    assert "\x1b" not in (forged.path / "report.txt").read_text()


@pytest.fixture
def old(sandbox: Sandbox) -> Sandbox:
    """A round that no version matches, after several commits: the whole history is searched."""
    committed(sandbox, make_round(path="SKILL.md", artifact=b"never committed\n"))
    sandbox.commit()
    sandbox.commit()
    return sandbox


def test_a_terminal_shows_progress_and_is_left_as_it_was(old: Sandbox) -> None:
    command = [sys.executable, "-c", IMPATIENT, "verify"]
    shown = on_terminal(old, command, stream="stderr")
    assert "searching the history: 2 commits" in shown
    assert shown.startswith("\r\x1b[K")
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown


def test_standard_error_that_is_no_terminal_gets_no_progress(old: Sandbox) -> None:
    run = old.python(IMPATIENT, "verify")
    assert (run.status, run.err) == (1, "")


def test_quick_work_shows_no_progress_even_on_a_terminal(old: Sandbox) -> None:
    assert on_terminal(old, [KATTEST, "verify"], stream="stderr") == ""


@pytest.fixture(scope="module")
def many(templates: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """Two memories with 500 honest records between them. Never changed."""
    sandbox = copied("sandbox", templates, tmp_path_factory.mktemp("many"))
    for folder, number in (("a", 450), ("b", 50)):
        records = [make_record(f"{folder}-{slug}") for slug in range(number)]
        for path, data in make_tree(*records, root=f"{folder}/{ROOT}").items():
            sandbox.write(path, data)
    sandbox.git("add", "--all")
    return sandbox


BAR = re.compile(r"\r\x1b\[Kreading records: \[([# ]{30})\] (\d+) of 500")


@pytest.mark.parametrize("source", [[], ["--staged"]], ids=str)
def test_a_terminal_shows_how_many_records_have_been_read(many: Sandbox, source: list[str]) -> None:
    command = [sys.executable, "-c", IMPATIENT, "verify", "--as-of", AS_OF, *source]
    shown = on_terminal(many, command, stream="stderr")
    assert BAR.sub("", shown) == "\r\x1b[K", "and is left as it was"
    bars = BAR.findall(shown)
    assert len(bars) > 1
    numbers = [int(number) for _, number in bars]
    assert numbers == sorted({*numbers})
    assert 0 < numbers[0] < numbers[-1] <= 500
    for bar, number in bars:
        assert bar == f"{'#' * (30 * int(number) // 500):30}"


def test_records_that_are_read_into_a_pipe_or_at_once_show_no_progress(many: Sandbox) -> None:
    run = many.python(IMPATIENT, "verify", "--as-of", AS_OF)
    assert (run.status, run.err) == (0, "")
    assert run.out.endswith("\nok: the working tree: 2 memory roots, 500 records\n")
    command = [KATTEST, "verify", "--as-of", AS_OF, "--only", "memory", "b"]
    assert on_terminal(many, command, stream="stderr") == ""


CYRILLIC = "оценка-навыка-2026"


@pytest.mark.parametrize(
    "env",
    [
        pytest.param({"PYTHONIOENCODING": "ascii"}, id="an encoding that is asked for"),
        pytest.param({"PYTHONIOENCODING": "ascii:strict"}, id="with strict errors"),
        pytest.param(
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="the C locale"
        ),
    ],
)
def test_what_the_terminal_cannot_show_is_spelled_out(
    sandbox: Sandbox, env: dict[str, str]
) -> None:
    committed(sandbox, make_round(path="SKILL.md", evaluation_id=CYRILLIC))
    run = sandbox.kattest("verify", **env)
    assert (run.status, run.err) == (0, "")
    spelled = CYRILLIC.encode("ascii", "backslashreplace").decode()
    assert f"  verified  {spelled}  7.93  (domain-expert 8.2, " in run.out
    assert run.out.isascii()


def test_what_the_terminal_can_show_is_shown(sandbox: Sandbox) -> None:
    committed(sandbox, make_round(path="SKILL.md", evaluation_id=CYRILLIC))
    line = f"  verified  {CYRILLIC}  7.93  (domain-expert 8.2, "
    assert line in sandbox.kattest("verify").out
    koi = sandbox.run(
        ["sh", "-c", f'"{KATTEST}" verify | iconv -f KOI8-R -t UTF-8'], PYTHONIOENCODING="koi8-r"
    )
    assert line in koi.out


def test_a_complaint_that_the_terminal_cannot_show_is_spelled_out(clean: Sandbox) -> None:
    run = clean.kattest("verify", "нет-такого", PYTHONIOENCODING="ascii")
    assert run.status == 2
    assert run.err.isascii()
    assert "\\u043d\\u0435\\u0442" in run.err
    assert "Traceback" not in run.err
