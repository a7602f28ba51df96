"""Every kind of repository, judged in every way, clean and forged: the status of each cell.

The change is the same in all of them: one more round in a published attestation file, honest or
with a score that was raised after it was hashed; or the file is dropped, which only a comparison
with what is published can show.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.support.git import ATTESTATIONS, TOP, Repo, base_environment, run

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

BARE = "is bare: it has no working tree"
CUT_OFF = "git fetch --unshallow"
NOT_HERE = "is not in this clone"
LACKS = "git fetch --refetch --no-filter"

# What a change is found by.
STATES = {"clean": None, "forged": "KA101", "dropping": "KA503"}

# A cell has status 0 where the change is clean and 1 where it is not, or, each time, status 2
# and these words.
REFUSALS: Mapping[str, Mapping[str, str]] = {
    "ordinary": {},
    "linked worktree": {},
    "bare": {"worktree": BARE, "staged": BARE},
    "shallow, cut off at the change": {"commit": CUT_OFF, "range": CUT_OFF, "push": NOT_HERE},
    "shallow, deep enough": {},
    "partial, with what is needed": {},
    "partial, without what is needed": dict.fromkeys(
        ("worktree", "staged", "commit", "range", "push"), LACKS
    ),
    "split index": {},
    "sparse index": {},
    "SHA-256": {},
    "reftable": {},
}


class Source:
    """What is cloned: ``main``, and a branch for each state, one change ahead of it.

    ``server`` has ``main`` alone. Never changed.
    """

    def __init__(self, folder: Path, hash_name: str) -> None:
        repo = Repo.init(folder / "source", f"--object-format={hash_name}")
        repo.git("config", "uploadpack.allowFilter", "true")
        repo.skill()
        repo.commit("An honest skill")
        repo.write("other/notes.txt", b"notes\n")
        self.base = repo.commit("Something else")
        changes: dict[str, Callable[[], None]] = {
            "clean": repo.add_round,
            "forged": repo.forge_new,
            "dropping": (repo.top / ATTESTATIONS).unlink,
        }
        for state, change in changes.items():
            repo.git("switch", "--quiet", "--create", state, "main")
            change()
            repo.commit(f"A {state} change")
        repo.git("clone", "--quiet", "--bare", "--branch=main", str(repo.top), "../server.git")
        self.server = repo.at(folder / "server.git")
        self.server.git("branch", "--quiet", "-D", *STATES)
        self.repo = repo

    def clone(self, folder: Path, state: str, *options: str) -> Repo:
        """A clone in ``folder`` at a change, as over a network; it follows ``main`` if it has it."""
        top = folder / "clone"
        url = self.repo.top.as_uri()
        self.repo.git("clone", "--quiet", f"--branch={state}", *options, url, str(top))
        clone = self.repo.at(top)
        clone.try_git("branch", "--quiet", "--set-upstream-to=origin/main", state)
        return clone


def linked(source: Source, folder: Path, state: str) -> Repo:
    source.clone(folder, "main").git("worktree", "add", "--quiet", "../linked", state)
    worktree = source.repo.at(folder / "linked")
    worktree.git("branch", "--quiet", "--set-upstream-to=origin/main")
    return worktree


def partial(source: Source, folder: Path, state: str) -> Repo:
    clone = source.clone(folder, state, "--filter=blob:none")
    clone.git("cat-file", "-e", f"{source.base}:{ATTESTATIONS}")  # which fetches it
    return clone


def split(source: Source, folder: Path, state: str) -> Repo:
    clone = source.clone(folder, state)
    clone.git("update-index", "--split-index")
    assert [*(clone.top / ".git").glob("sharedindex.*")]
    return clone


def sparse(source: Source, folder: Path, state: str) -> Repo:
    clone = source.clone(folder, state)
    clone.git("sparse-checkout", "set", "--cone", "--sparse-index", "other")
    assert "skills/" in clone.git("ls-files", "--sparse").splitlines()
    assert not (clone.top / "skills").exists()
    return clone


def cloned(*options: str) -> Callable[[Source, Path, str], Repo]:
    return lambda source, folder, state: source.clone(folder, state, *options)


KINDS: Mapping[str, Callable[[Source, Path, str], Repo]] = {
    "ordinary": cloned(),
    "linked worktree": linked,
    "bare": cloned("--bare"),
    "shallow, cut off at the change": cloned("--depth=1"),
    "shallow, deep enough": cloned("--depth=2"),
    "partial, with what is needed": partial,
    "partial, without what is needed": cloned("--filter=blob:none"),
    "split index": split,
    "sparse index": sparse,
    "SHA-256": cloned(),
    "reftable": cloned("--ref-format=reftable"),
}


def made_here() -> list[str]:
    """The kinds that the git which is installed can make."""
    usage = run("git", "init", "-h", cwd=TOP, env=base_environment())
    return [kind for kind in KINDS if kind != "reftable" or "--ref-format" in "".join(usage[1:])]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Source]:
    """By the format of their objects."""
    return {name: Source(tmp_path_factory.mktemp(name), name) for name in ("sha1", "sha256")}


# The ways to judge: each gives a status, and what was said.


def verified(*options: str) -> Callable[[Repo, Source], tuple[int, str]]:
    def judge(repo: Repo, source: Source) -> tuple[int, str]:
        given = (option.format(base=source.base) for option in options)
        done = repo.kattest("verify", *given)
        return done.status, done.stdout + done.stderr

    return judge


def pushed(repo: Repo, source: Source) -> tuple[int, str]:
    """A push to a server that has ``main`` before the change; kattest's status, not git's."""
    server = repo.at(repo.top.parent / "server.git")
    shutil.copytree(source.server.top, server.top)
    repo.hook("pre-push")
    done = repo.try_git("push", "--quiet", server.top.as_uri(), "HEAD:refs/heads/main")
    landed = server.git("rev-parse", "main") == repo.git("rev-parse", "HEAD")
    assert landed is (done.status == 0), done
    assert landed or "kattest: this push is refused." in done.stderr, done
    said = done.stdout + done.stderr
    if landed:
        return 0, said
    return (1 if "\nFAILED: " in said else 2), said


WAYS: Mapping[str, Callable[[Repo, Source], tuple[int, str]]] = {
    "worktree": verified(),
    "staged": verified("--staged"),
    "commit": verified("--rev", "HEAD"),
    "range": verified("--range", "{base}..HEAD"),
    "push": pushed,
}


def test_the_table_is_whole() -> None:
    assert KINDS.keys() == REFUSALS.keys()
    assert all(refused.keys() <= WAYS.keys() for refused in REFUSALS.values())


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", made_here())
def test_every_cell(sources: Mapping[str, Source], tmp_path: Path, kind: str, state: str) -> None:
    source = sources["sha256" if kind == "SHA-256" else "sha1"]
    repo = KINDS[kind](source, tmp_path, state)
    # A shallow clone has one branch: there, local work is not ahead of anything that is known.
    knows_main = repo.try_git("rev-parse", "--verify", "--quiet", "main").status == 0
    knows_main |= repo.try_git("rev-parse", "--verify", "--quiet", "origin/main").status == 0
    for way, judge in WAYS.items():
        status, said = judge(repo, source)
        words = REFUSALS[kind].get(way)
        if words:
            assert (status, words in said) == (2, True), f"{way}: {said}"
            assert "what to do: " in said
        else:
            is_local = way in {"worktree", "staged"}
            code = None if state == "dropping" and is_local and not knows_main else STATES[state]
            assert status == (1 if code else 0), f"{way}: {said}"
            assert said.count(": error KA") == said.count(f": error {code} "), f"{way}: {said}"
            assert (code is None) is (": error KA" not in said), f"{way}: {said}"
