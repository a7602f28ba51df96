"""A temporary repository, and the ``kattest`` script run in it as its users run it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.memory import make_record, make_tree
from tests.support.rounds import ARTIFACT, dumps, make_round

KATTEST = str(Path(sys.executable).with_name("kattest"))
FILE = "skill/.judge-attestations.json"
AS_OF = "2026-03-02T09:00:00Z"
TIMEOUT = 60  # seconds, far beyond any run here

_UNWANTED = ("NO_COLOR", "FORCE_COLOR", "SOURCE_DATE_EPOCH", "PYTHONIOENCODING", "PYTHONUTF8")


class Run(NamedTuple):
    """What a run left: its exit status and what it wrote."""

    status: int
    out: str
    err: str


class Sandbox:
    """A folder with a git repository in it, apart from the user's configuration."""

    def __init__(self, path: Path, env: Mapping[str, str]) -> None:
        self.path = path
        self.env = env

    def git(self, *args: str) -> str:
        done = subprocess.run(
            ["git", *args], cwd=self.path, env=self.env, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def commit(self) -> str:
        """Commit everything there is; the commit's id."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a change")
        return self.git("rev-parse", "HEAD")

    def kattest(self, *args: str, cwd: str = ".", **env: str) -> Run:
        return self.run([KATTEST, *args], cwd=cwd, **env)

    def run(self, command: list[str], *, cwd: str = ".", **env: str) -> Run:
        done = subprocess.run(
            command,
            cwd=self.path / cwd,
            env={**self.env, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=TIMEOUT,
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    def python(self, code: str, *args: str, **env: str) -> Run:
        """Run ``code`` where kattest can be imported; ``args`` are its arguments."""
        return self.run([sys.executable, "-c", code, *args], **env)


def clean_environment(home: Path) -> dict[str, str]:
    """The environment without git's variables and the user's configuration and wishes."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") and name not in _UNWANTED
    }
    day = "2026-03-01T13:00:00Z"
    git = {"CONFIG_GLOBAL": os.devnull, "CONFIG_NOSYSTEM": "1"}
    git |= {f"{who}_{what}": value for who, what, value in _identity(day)}
    return {
        **kept,
        **{f"GIT_{name}": value for name, value in git.items()},
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color",
    }


def _identity(day: str) -> list[tuple[str, str, str]]:
    values = {"NAME": "A Tester", "EMAIL": "tester@example.org", "DATE": day}
    return [(who, *item) for who in ("AUTHOR", "COMMITTER") for item in values.items()]


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The repositories that the fixtures below copy, by the fixture's name."""
    home = tmp_path_factory.mktemp("templates")
    env = clean_environment(home)

    def empty(name: str) -> Sandbox:
        sandbox = Sandbox(home / name, env)
        sandbox.path.mkdir()
        sandbox.git("init", "--quiet", "--template=", "--initial-branch", "main")
        return sandbox

    empty("sandbox")
    committed(empty("clean"), make_round(path="SKILL.md"))
    committed(empty("forged"), forged_round(path="SKILL.md"))
    superseded = committed(empty("superseded"), make_round(path="SKILL.md"))
    superseded.write("skill/SKILL.md", "# A skill, changed\n")
    superseded.commit()
    moved = committed(empty("moved"), make_round(path="SKILL.md"))
    moved.git("mv", "skill/SKILL.md", "skill/README.md")
    moved.commit()
    for name, tree in (
        ("memory", make_tree(make_record(), make_record("loan_approval"))),
        ("overdue", make_tree(make_record(at=datetime(2025, 11, 1, tzinfo=UTC)))),
    ):
        repository = empty(name)
        for path, data in tree.items():
            repository.write(path, data)
        repository.commit()
    return {path.name: path for path in home.iterdir()}


def copied(name: str, templates: dict[str, Path], folder: Path) -> Sandbox:
    shutil.copytree(templates[name], folder / "repository")
    return Sandbox(folder / "repository", clean_environment(folder))


@pytest.fixture
def sandbox(templates: dict[str, Path], tmp_path: Path) -> Sandbox:
    """An empty repository."""
    return copied("sandbox", templates, tmp_path)


@pytest.fixture
def clean(templates: dict[str, Path], tmp_path: Path) -> Sandbox:
    """One commit with one skill and its honest round."""
    return copied("clean", templates, tmp_path)


@pytest.fixture
def forged(templates: dict[str, Path], tmp_path: Path) -> Sandbox:
    """One commit with one round whose critic's score was raised: KA101, and nothing else."""
    return copied("forged", templates, tmp_path)


@pytest.fixture
def superseded(templates: dict[str, Path], tmp_path: Path) -> Sandbox:
    """A skill that was changed after it was judged: KA111, a warning, and nothing else."""
    return copied("superseded", templates, tmp_path)


@pytest.fixture
def moved(templates: dict[str, Path], tmp_path: Path) -> Sandbox:
    """A skill under another name: KA115, an info, and nothing else."""
    return copied("moved", templates, tmp_path)


@pytest.fixture
def memory(templates: dict[str, Path], tmp_path: Path) -> Sandbox:
    """One commit with an honest memory of two records."""
    return copied("memory", templates, tmp_path)


@pytest.fixture
def overdue(templates: dict[str, Path], tmp_path: Path) -> Sandbox:
    """A memory whose one record should have been archived: KA401, and nothing else."""
    return copied("overdue", templates, tmp_path)


def committed(sandbox: Sandbox, *rounds: dict[str, Any]) -> Sandbox:
    sandbox.write("skill/SKILL.md", ARTIFACT)
    sandbox.write(FILE, dumps(*rounds))
    sandbox.commit()
    return sandbox


def forged_round(**changes: Any) -> dict[str, Any]:
    """A round whose critic's score was raised, and whose final score follows it: KA101 alone."""
    forged = make_round(**changes)
    forged["attestations"][1]["score"] = 9.5
    forged["final_score"] = 8.53
    return forged
