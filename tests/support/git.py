"""Real repositories for the tests: git and kattest, run as a user runs them, in a home of their own.

Nothing here may import kattest: it is run as the program that users run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.rounds import ARTIFACT, dumps, make_round

TOP = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent
FOLDER = "skills/explore"
SKILL = f"{FOLDER}/SKILL.md"
NAME = ".judge-attestations.json"
ATTESTATIONS = f"{FOLDER}/{NAME}"
FIRST_COMMIT = 1_772_500_000  # 2026-03-03T01:06:40Z, some time after the rounds of tests.support
_TIMEOUT = 300  # seconds: nothing may hang


class Run(NamedTuple):
    """What a program did."""

    status: int
    stdout: str
    stderr: str


def base_environment() -> dict[str, str]:
    """The environment of the tests, without what steers git, kattest or the hooks' frameworks."""
    steering = ("GIT_", "PRE_COMMIT", "PREK_")
    single = {"SOURCE_DATE_EPOCH", "SKIP", "NO_COLOR", "FORCE_COLOR", "COLUMNS"}
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(steering) and name not in single
    }


def run(
    *command: str | bytes | Path, cwd: Path, env: Mapping[str, str], stdin: bytes | None = None
) -> Run:
    """Run a program to its end."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=False,
        timeout=_TIMEOUT,
    )
    out, err = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
    return Run(done.returncode, out, err)


def attestations(path: str = SKILL, artifact: bytes = ARTIFACT, **fields: Any) -> bytes:
    """An honest attestation file of one round, named after the artifact unless ``fields`` say."""
    return dumps(
        make_round(**{"evaluation_id": f"eval {path}", **fields}, path=path, artifact=artifact)
    )


def forged(document: bytes) -> bytes:
    """``document`` with the critic's score raised after it was hashed: KA101 alone."""
    assert document.count(b'"score": 7.5,') == 1
    return document.replace(b'"score": 7.5,', b'"score": 7.6,')


class Repo:
    """A repository in a folder of the test's own, cut off from the settings of its user.

    ``env`` is what every program gets. Whatever git does, it does a minute after the last, so
    that of two commits one is the newer.
    """

    def __init__(self, top: Path, *, home: Path, env: Mapping[str, str] | None = None) -> None:
        self.top = top
        home.mkdir(exist_ok=True)
        self.env = {
            **base_environment(),
            "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "xdg"),
            "GIT_CONFIG_GLOBAL": str(home / "global.gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "An Author",
            "GIT_AUTHOR_EMAIL": "author@example.org",
            "GIT_COMMITTER_NAME": "A Committer",
            "GIT_COMMITTER_EMAIL": "committer@example.org",
            "LC_ALL": "C.UTF-8",
            **(env or {}),
        }
        self._moments = 0

    @classmethod
    def init(cls, top: Path, *options: str, home: Path | None = None) -> Repo:
        """A new repository at ``top``, its user's home beside it."""
        top.mkdir(parents=True, exist_ok=True)
        repo = cls(top, home=home or top.parent / "home")
        repo.git("config", "--global", "protocol.file.allow", "always")
        repo.git("init", "--quiet", "--initial-branch=main", *options)
        return repo

    def nested(self, folder: str) -> Repo:
        """A new repository of the same user inside this one."""
        return Repo.init(self.top / folder, home=Path(self.env["HOME"]))

    def at(self, top: Path, **env: str) -> Repo:
        """The same user in another folder: a clone, a linked worktree, another environment."""
        other = Repo(top, home=Path(self.env["HOME"]), env={**self.env, **env})
        other._moments = self._moments
        return other

    def clone(self, name: str, *options: str) -> Repo:
        """A clone in a folder beside this one, as over a network."""
        top = self.top.parent / name
        self.git("clone", "--quiet", *options, self.top.as_uri(), str(top))
        return self.at(top)

    def git(
        self, *args: str | bytes | Path, cwd: str | Path = "", stdin: bytes | None = None
    ) -> str:
        """What git prints. It must succeed."""
        done = self.try_git(*args, cwd=cwd, stdin=stdin)
        assert done.status == 0, f"git {args}: {done}"
        return done.stdout.removesuffix("\n")

    def try_git(
        self, *args: str | bytes | Path, cwd: str | Path = "", stdin: bytes | None = None
    ) -> Run:
        """What git does, at a moment of its own."""
        self._moments += 1
        moment = f"{FIRST_COMMIT + 60 * self._moments} +0000"
        env = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment, **self.env}
        return run("git", *args, cwd=self.top / cwd, env=env, stdin=stdin)

    def write(self, path: str, data: bytes) -> Path:
        """Write a file of the working tree."""
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return file

    def commit(self, message: str = "A change", *options: str) -> str:
        """Commit everything that is in the working tree; the commit's id."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message, *options)
        return self.git("rev-parse", "HEAD")

    def object(self, name: str) -> Path:
        """The file of a loose object."""
        oid = self.git("rev-parse", name)
        return self.top / ".git" / "objects" / oid[:2] / oid[2:]

    def skill(self, folder: str = FOLDER, artifact: bytes = ARTIFACT, **fields: Any) -> None:
        """Write a skill and an honest attestation file of it."""
        self.write(f"{folder}/SKILL.md", artifact)
        document = attestations(f"{folder}/SKILL.md", artifact, **fields)
        self.write(f"{folder}/{NAME}", document)

    def forge(self, folder: str = FOLDER) -> None:
        """Raise a score in a skill's attestation file after it was hashed."""
        file = self.top / folder / NAME
        file.write_bytes(forged(file.read_bytes()))

    def add_round(self, folder: str = FOLDER, **fields: Any) -> None:
        """Add a round to a skill's attestation file, honest unless ``fields`` say otherwise."""
        file, path = self.top / folder / NAME, f"{folder}/SKILL.md"
        rounds = json.loads(file.read_bytes())["evaluations"]
        usual = {"evaluation_id": f"round {len(rounds) + 1}", "path": path}
        judged = fields.get("artifact") or (self.top / path).read_bytes()
        file.write_bytes(dumps(*rounds, make_round(**{**usual, **fields, "artifact": judged})))

    def forge_new(self, folder: str = FOLDER) -> None:
        """Add a round whose score was raised after it was hashed: KA101 alone, even published."""
        self.add_round(folder)
        file = self.top / folder / NAME
        before, score, after = file.read_bytes().rpartition(b'"score": 7.5,')
        assert score
        file.write_bytes(before + b'"score": 7.6,' + after)

    def hook(self, name: str = "pre-commit") -> None:
        """Install kattest's native hook, as its first lines tell."""
        hooks = self.top / self.git("rev-parse", "--git-path", "hooks")
        hooks.mkdir(exist_ok=True)
        (hooks / name).write_bytes((TOP / "hooks" / "pre-commit").read_bytes())
        (hooks / name).chmod(0o755)

    def kattest(self, *args: str | Path, cwd: str | Path = "", **env: str) -> Run:
        """What the program does. It never shows its insides."""
        done = run(SCRIPTS / "kattest", *args, cwd=self.top / cwd, env={**self.env, **env})
        assert done.status in {0, 1, 2}, done
        assert "Traceback" not in done.stderr, done
        return done

    def verify(self, *args: str | Path, cwd: str | Path = "", **env: str) -> dict[str, Any]:
        """The JSON report of a check that could be made."""
        done = self.kattest("verify", "--format", "json", *args, cwd=cwd, **env)
        assert done.status in {0, 1}, done
        report: dict[str, Any] = json.loads(done.stdout)
        assert report["ok"] is (done.status == 0), done
        return report

    def codes(self, *args: str | Path, cwd: str | Path = "", **env: str) -> list[str]:
        """The codes of what a check found."""
        report = self.verify(*args, cwd=cwd, **env)
        return [finding["code"] for finding in report["findings"]]

    def refusal(self, *args: str | Path, cwd: str | Path = "", **env: str) -> str:
        """What kattest says when it could not check: exit status 2, and what to do."""
        done = self.kattest("verify", *args, cwd=cwd, **env)
        assert done.status == 2, done
        assert not done.stdout
        assert "what to do: " in done.stderr
        return done.stderr
