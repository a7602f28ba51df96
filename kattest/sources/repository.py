"""Find and open a repository as git itself would, its environment included (design, section 7)."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import NamedTuple

import pygit2
from pygit2.enums import RepositoryOpenFlag

from kattest.errors import SourceError
from kattest.instant import LAST_SECOND, Instant
from kattest.text import quote


class Repository(NamedTuple):
    """An open repository and the top of its working tree; None where it is bare."""

    git: pygit2.Repository
    top: Path | None

    @property
    def head(self) -> pygit2.Commit | None:
        """The commit that HEAD names; None before the first one.

        Raises SourceError where HEAD names something that is not there.
        """
        if self.git.head_is_unborn:
            return None
        return self.commit("HEAD")

    def commit(self, rev: str) -> pygit2.Commit:
        """The commit that ``rev`` names. Raises SourceError where it names none."""
        try:
            return self.git.revparse_single(rev).peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError):
            remedy = "name a commit, branch or tag of this repository"
            if self.git.is_shallow:
                remedy += "; this clone is shallow: git fetch --unshallow brings the rest"
            raise SourceError(f"{quote(rev)} names no commit", remedy) from None


def find_repository(folder: Path) -> Repository | None:
    """The repository that git would use in ``folder``, or None where there is none.

    GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE and the object directories of git's environment count.
    Raises SourceError where there is one that cannot be opened.
    """
    named = os.environ.get("GIT_DIR")
    where = Path(named) if named else _discover(folder)
    if where is None:
        return None
    try:
        git = _open(where)
        top = _top(git, folder, named=named is not None)
        index = os.environ.get("GIT_INDEX_FILE")
        if index and top and not os.path.isabs(index):
            # git reads it from the top, wherever a hook has gone since; libgit2 from here.
            git = _open(where, GIT_INDEX_FILE=str(top / index))
    except pygit2.GitError as error:
        raise _unusable(where, str(error)) from None
    return Repository(git, top)


def is_repository(folder: Path) -> bool:
    """Whether ``folder`` itself, not one around it, is the top of a repository that exists."""
    across = False
    try:
        return bool(pygit2.discover_repository(str(folder), across, str(folder.parent)))
    except pygit2.GitError:
        return False


def commit_instant(commit: pygit2.Commit) -> Instant:
    """The commit's committer date. Raises SourceError where no calendar has it."""
    if not 0 <= commit.commit_time <= LAST_SECOND:
        raise SourceError(
            f"commit {commit.id} claims a date that no calendar has", "name one with --as-of"
        )
    return Instant(commit.commit_time)


def _discover(folder: Path) -> Path | None:
    """The top of the repository in or around ``folder``, or its git directory where it is bare.

    A ``.git`` file that leads nowhere is not passed over: the folder belongs to a repository that
    is not there.
    """
    across = os.environ.get("GIT_DISCOVERY_ACROSS_FILESYSTEM", "") in {"1", "true", "yes", "on"}
    ceiling = os.environ.get("GIT_CEILING_DIRECTORIES", "")
    try:
        found = pygit2.discover_repository(str(folder), across, ceiling)
    except pygit2.GitError as error:
        raise _unusable(folder, str(error)) from None
    for parent in (folder, *folder.parents):
        marker = parent / ".git"
        if found and marker.exists() and is_repository(parent):
            return parent
        if marker.is_file():
            raise SourceError(
                f"{marker} names a repository that is not there",
                "move that repository back, or run git worktree repair in it",
            )
    return Path(found) if found else None


def _open(where: Path, **changes: str) -> pygit2.Repository:
    """Open the repository, with ``changes`` to git's environment.

    libgit2 refuses to open one while GIT_WORK_TREE is set; ``_top`` honours that.
    """
    kept = {name: os.environ.pop(name, None) for name in ("GIT_WORK_TREE", *changes)}
    os.environ.update(changes)
    try:
        git = pygit2.Repository(str(where), RepositoryOpenFlag.FROM_ENV)
        if "GIT_INDEX_FILE" in changes:
            len(git.index)  # libgit2 looks the variable up when it first needs the index
        return git
    finally:
        for name, value in kept.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _top(git: pygit2.Repository, folder: Path, *, named: bool) -> Path | None:
    """The top of the working tree by git's own rules (git(1), GIT_WORK_TREE and core.worktree)."""
    work_tree = os.environ.get("GIT_WORK_TREE")
    if work_tree:
        return Path(work_tree).resolve()
    if git.is_bare:
        return None
    if named and "core.worktree" not in git.config:
        return folder.resolve()  # GIT_DIR alone makes the current folder the top
    return Path(git.workdir).resolve()


def _unusable(path: Path, reason: str) -> SourceError:
    where = str(path)
    if "not owned by current user" in reason:
        return SourceError(
            f"the repository at {where} belongs to another user, so it is not trusted",
            f"if you do, run: git config --global --add safe.directory {shlex.quote(where)}",
        )
    return SourceError(
        f"the repository at {where} cannot be opened: {reason}",
        "see that git itself can use it (git status). Repositories with SHA-256, reftable, a split "
        "or a sparse index, and partial clones, cannot be read by this version",
    )
