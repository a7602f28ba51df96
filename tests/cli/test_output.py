"""``--output FILE``: the whole report or none, in that file or nowhere."""

import os
import stat
import threading
from pathlib import Path

import pytest

from tests.cli.conftest import AS_OF, Run, Sandbox


def report_of(sandbox: Sandbox, *arguments: str) -> Run:
    return sandbox.kattest("verify", "--as-of", AS_OF, *arguments)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "reports"
    made.mkdir()
    return made


@pytest.mark.parametrize(("repository", "form"), [("clean", "json"), ("forged", "text")])
def test_the_file_holds_what_standard_output_would_and_that_stays_empty(
    repository: str, form: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    sandbox: Sandbox = request.getfixturevalue(repository)
    printed = report_of(sandbox, "--format", form)
    run = report_of(sandbox, "--format", form, "--output", str(folder / "report"))
    assert run == Run(printed.status, "", "")
    assert (folder / "report").read_text() == printed.out
    assert os.listdir(folder) == ["report"]


def test_a_report_that_was_there_is_replaced_whole(clean: Sandbox, folder: Path) -> None:
    report = folder / "report.txt"
    report.write_text("an older and longer report\n" * 100)
    assert report_of(clean, "--output", str(report)).status == 0
    assert report.read_text() == report_of(clean).out


def test_the_file_is_relative_to_where_kattest_is_run(clean: Sandbox) -> None:
    assert clean.kattest("verify", "--output", "report.txt", cwd="skill").status == 0
    assert (clean.path / "skill/report.txt").exists()


def test_a_check_that_could_not_be_done_leaves_an_older_report_alone(
    clean: Sandbox, folder: Path
) -> None:
    report = folder / "report.txt"
    report.write_text("an older report\n")
    run = clean.kattest("verify", "--rev", "nowhere", "--output", str(report))
    assert (run.status, run.out) == (2, "")
    assert report.read_text() == "an older report\n"
    assert os.listdir(folder) == ["report.txt"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("nowhere/report.txt", id="a folder that is not there"),
        pytest.param("file/report.txt", id="a folder that is a file"),
        pytest.param("inner", id="a folder itself"),
        pytest.param(".", id="this folder"),
        pytest.param("..", id="the folder above"),
        pytest.param("", id="nothing"),
        pytest.param("/", id="the root"),
        pytest.param("x" * 300, id="a name too long"),
    ],
)
def test_a_file_that_cannot_be_written_is_status_2_and_leaves_no_draft(
    clean: Sandbox, folder: Path, name: str
) -> None:
    (folder / "file").write_text("")
    (folder / "inner").mkdir()
    run = clean.kattest("verify", "--output", name, cwd=str(folder))
    assert run.status == 2
    assert "Traceback" not in run.err
    assert "what to do: " in run.err
    assert sorted(os.listdir(folder)) == ["file", "inner"]
    assert os.listdir(folder / "inner") == []


def test_a_folder_that_takes_no_file_is_status_2(clean: Sandbox) -> None:
    """Not even root's: a folder that permits nothing to others would stop only them."""
    run = clean.kattest("verify", "--output", "/proc/report.txt")
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith("kattest: the report cannot be written to /proc/report.txt: ")


def test_a_long_name_that_the_file_system_takes_is_taken(clean: Sandbox, folder: Path) -> None:
    name = "r" * os.pathconf(folder, "PC_NAME_MAX")
    assert clean.kattest("verify", "--output", str(folder / name)).status == 0
    assert os.listdir(folder) == [name]


def test_a_pipe_is_written_to_and_not_replaced(clean: Sandbox, folder: Path) -> None:
    """So is /dev/null, which a run as root would otherwise turn into a file for the whole system."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)  # a reader, so that nobody waits for one
    try:
        run = report_of(clean, "--output", str(pipe))
        assert run == Run(0, "", "")
        assert stat.S_ISFIFO(pipe.lstat().st_mode)
        assert os.read(held, 65536).decode() == report_of(clean).out
    finally:
        os.close(held)
    assert os.listdir(folder) == ["pipe"]


def test_a_symlink_is_followed_and_stays_one(clean: Sandbox, folder: Path) -> None:
    (folder / "report.txt").write_text("an older report\n")
    (folder / "link").symlink_to("report.txt")
    assert report_of(clean, "--output", str(folder / "link")) == Run(0, "", "")
    assert (folder / "link").is_symlink()
    assert (folder / "report.txt").read_text() == report_of(clean).out


def test_nobody_ever_reads_half_a_report(clean: Sandbox, folder: Path) -> None:
    report = folder / "report.txt"
    whole = report_of(clean).out
    report.write_text(whole)
    seen: set[str] = set()
    stop = threading.Event()

    def watch() -> None:
        while not stop.is_set():
            seen.add(report.read_text())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for _ in range(3):
            assert report_of(clean, "--output", str(report)).status == 0
    finally:
        stop.set()
        watcher.join()
    assert seen == {whole}


def test_text_that_is_not_ascii_is_written_as_utf_8(sandbox: Sandbox, folder: Path) -> None:
    sandbox.write("навык/.judge-attestations.json", "{}")
    report = folder / "report.txt"
    run = sandbox.kattest("verify", "--output", str(report), PYTHONIOENCODING="ascii")
    assert run == Run(1, "", "")
    assert report.read_bytes().startswith("навык/.judge-attestations.json\n".encode())
