"""Find and open a repository as git itself would, its environment included (design, section 7)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pygit2
from pygit2.enums import RepositoryOpenFlag

from kattest.errors import SourceError
from kattest.instant import Instant
from kattest.text import escape


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
            raise SourceError(f"{escape(rev)!r} names no commit", remedy) from None


def find_repository(folder: Path) -> Repository | None:
    """The repository that git would use in ``folder``, or None where there is none.

    GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE and the object directories of git's environment count.
    Raises SourceError where there is one that cannot be opened.
    """
    named = os.environ.get("GIT_DIR")
    path = named or _discover(folder)
    if path is None:
        return None
    try:
        with _without_work_tree():
            git = pygit2.Repository(path, RepositoryOpenFlag.FROM_ENV)
        return Repository(git, _top(git, folder, named=named is not None))
    except pygit2.GitError as error:
        raise _unusable(path, str(error)) from None


def commit_instant(commit: pygit2.Commit) -> Instant:
    """The commit's committer date."""
    return Instant(commit.commit_time)


def _discover(folder: Path) -> str | None:
    across = os.environ.get("GIT_DISCOVERY_ACROSS_FILESYSTEM", "") in {"1", "true", "yes", "on"}
    ceiling = os.environ.get("GIT_CEILING_DIRECTORIES", "")
    try:
        return pygit2.discover_repository(str(folder), across, ceiling)
    except pygit2.GitError as error:
        raise _unusable(str(folder), str(error)) from None


@contextmanager
def _without_work_tree() -> Iterator[None]:
    """libgit2 refuses to open a repository while GIT_WORK_TREE is set; ``_top`` honours it."""
    value = os.environ.pop("GIT_WORK_TREE", None)
    try:
        yield
    finally:
        if value is not None:
            os.environ["GIT_WORK_TREE"] = value


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


def _unusable(path: str, reason: str) -> SourceError:
    where = escape(path)
    if "not owned by current user" in reason:
        folder = Path(path).resolve()
        top = folder.parent if folder.name == ".git" else folder
        return SourceError(
            f"the repository at {where} belongs to another user, so it is not trusted",
            f"if you do, run: git config --global --add safe.directory '{escape(str(top))}'",
        )
    return SourceError(
        f"the repository at {where} cannot be opened: {escape(reason)}",
        "see that git itself can use it (git status). Repositories with SHA-256, reftable, a split "
        "or a sparse index, and partial clones, cannot be read by this version",
    )
