"""A repository and the bare one that it is pushed to, side by side in one folder."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from tests.git.conftest import copied
from tests.support.git import ATTESTATIONS, SKILL, Repo, Run
from tests.support.rounds import dumps, make_round

SERVER = "server.git"
ZEROS = "0" * 40
LOSING = make_round(evaluation_id="losing", path=SKILL, scores=("3.1", "3.0", "3.2"))
WINNING = make_round(evaluation_id="winning", path=SKILL)


def bare_beside(repo: Repo, *options: str, name: str = SERVER) -> Repo:
    """A bare repository of the same user beside ``repo``."""
    home = Path(repo.env["HOME"])
    return Repo.init(repo.top.parent / name, "--bare", "--template=", *options, home=home)


def publish(repo: Repo, *options: str) -> Repo:
    """Push main, which it then follows, to a new server; the server."""
    server = bare_beside(repo, *options)
    repo.git("remote", "add", "origin", f"../{SERVER}")
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    return server


def both_copied(template: Repo, folder: Path) -> Repo:
    """A copy of a published repository, and of its server beside it."""
    repo = copied(template, folder)
    shutil.copytree(template.top.parent / SERVER, folder / SERVER, symlinks=True)
    return repo


def server_of(repo: Repo) -> Repo:
    return repo.at(repo.top.parent / SERVER)


def today(repo: Repo) -> Repo:
    """The same repository, where git commits at the present moment."""
    moment = f"{datetime.now(UTC).timestamp():.0f} +0000"
    return repo.at(repo.top, GIT_AUTHOR_DATE=moment, GIT_COMMITTER_DATE=moment)


def write_rounds(repo: Repo, *rounds: dict[str, object]) -> None:
    repo.write(ATTESTATIONS, dumps(*rounds))


def push(repo: Repo, *args: str) -> Run:
    """What a push to the server does."""
    return repo.try_git("push", "origin", *args)


def refs(repo: Repo) -> dict[str, str]:
    """What each reference names."""
    listed = repo.git(
        "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags"
    )
    return dict(line.split(" ", 1) for line in listed.splitlines())


def objects(server: Repo) -> list[str]:
    """The files of the object store, folders too."""
    return sorted(str(path) for path in (server.top / "objects").rglob("*"))


def finding_lines(said: str) -> list[str]:
    """The findings that a program's words show, without git's prefix for a server's words."""
    lines = (line.removeprefix("remote: ").rstrip() for line in said.splitlines())
    levels = (" error KA", " warning KA", " info KA")
    return sorted(line for line in lines if any(level in line for level in levels))


def found_codes(said: str) -> set[str]:
    """The codes of the errors and warnings that a program's words show."""
    lines = finding_lines(said)
    return {word for line in lines for word in line.split() if word.startswith("KA")}


def assert_pushed(repo: Repo, done: Run, ref: str = "refs/heads/main", rev: str = "HEAD") -> None:
    assert done.status == 0, done
    assert refs(server_of(repo))[ref] == repo.git("rev-parse", rev)


def assert_refused(done: Run, *codes: str) -> None:
    """That a push is refused for these findings, which the client's screen shows."""
    assert done.status == 1, done
    assert found_codes(done.stderr) == {*codes}, done
    assert "kattest: this push is refused." in done.stderr
