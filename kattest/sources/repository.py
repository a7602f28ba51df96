"""Find and open a repository as git itself would, its environment included (design, section 7)."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pygit2
from pygit2.enums import RepositoryOpenFlag

from kattest.errors import SourceError
from kattest.sources.database import Database
from kattest.sources.libgit import LibGit
from kattest.sources.objects import SHALLOW_REMEDY
from kattest.text import quote

# What libgit2 cannot read: an index with one of these extensions (a split one, a sparse one).
_INDEX_FOR_GIT = re.compile(rb"link|sdir")
_CHECKSUM = 20  # bytes at the end of an index
# And extensions of a repository, but for these; objectformat where it says SHA-1.
_KNOWN = {"noop", "objectformat", "preciousobjects", "worktreeconfig"}


class Repository(NamedTuple):
    """An open repository and the top of its working tree; None where it is bare."""

    database: Database
    top: Path | None
    git_dir: Path

    @property
    def common_dir(self) -> Path:
        """The git directory that all its working trees share."""
        return common_dir(self.git_dir)

    def commit(self, rev: str) -> str:
        """The commit that ``rev`` names. Raises SourceError where it names none, or several."""
        found = self.database.find(rev)
        names = (f"refs/{kind}/{rev}" for kind in ("tags", "heads", "remotes"))
        meant = {name: commit for name in names if (commit := self.database.find(name))}
        if len({*meant.values()}) > 1:
            raise SourceError(
                f"{quote(rev)} names {' and '.join(meant)}, and they are not the same commit",
                "write the whole name of the one that is meant",
            )
        if found is None:
            remedy = "name a commit, branch or tag of this repository"
            if self.database.is_shallow:
                remedy += f"; this clone is shallow: {SHALLOW_REMEDY}"
            raise SourceError(f"{quote(rev)} names no commit", remedy)
        return found


def find_repository(folder: Path) -> Repository | None:
    """The repository that git would use in ``folder``, or None where there is none.

    GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE and the object directories of git's environment count.
    Raises SourceError where there is one that cannot be opened.
    """
    named = os.environ.get("GIT_DIR")
    where = Path(named) if named else _discover(folder)
    if where is None:
        return None
    git_dir = where if named else Path(pygit2.discover_repository(str(where)) or where)
    if _needs_git(git_dir, folder if named else where):
        return _through_git(folder)
    try:
        git = _open(where)
        top = _top(git, folder, named=named is not None)
        index = os.environ.get("GIT_INDEX_FILE")
        if index and top and not os.path.isabs(index):
            # git reads it from the top, wherever a hook has gone since; libgit2 from here.
            git = _open(where, GIT_INDEX_FILE=str(top / index))
    except pygit2.GitError as error:
        raise _unusable(where, str(error)) from None
    return Repository(LibGit(git), top, Path(git.path))


def is_repository(folder: Path) -> bool:
    """Whether ``folder`` itself, not one around it, is the top of a repository that exists."""
    across = False
    try:
        return bool(pygit2.discover_repository(str(folder), across, str(folder.parent)))
    except pygit2.GitError:
        return False


def _needs_git(git_dir: Path, top: Path) -> bool:
    """Whether libgit2 cannot read the repository, by what its configuration and index say.

    A relative GIT_INDEX_FILE counts from ``top``.
    """
    config = common_dir(git_dir) / "config"
    if "extensions" in _content(config).decode("utf-8", "replace").lower():
        try:
            entries = {entry.name.lower(): entry.value for entry in pygit2.Config(str(config))}
        except pygit2.GitError:
            return True  # git says what is wrong with it
        extensions = {
            name.removeprefix("extensions."): (value or "").lower()
            for name, value in entries.items()
            if name.startswith("extensions.")
        }
        if not extensions.keys() <= _KNOWN or extensions.get("objectformat", "sha1") != "sha1":
            return True
    index = os.environ.get("GIT_INDEX_FILE")
    file = top / index if index else git_dir / "index"
    data = _content(file)
    return any(_is_extension(data, match.start()) for match in _INDEX_FOR_GIT.finditer(data))


def _is_extension(index: bytes, at: int) -> bool:
    """Whether an extension begins there: then nothing but extensions follows, to the end."""
    end = len(index) - _CHECKSUM
    is_link = index[at : at + 4] == b"link"
    if is_link and int.from_bytes(index[at + 4 : at + 8]) < _CHECKSUM:
        return False  # it begins with the checksum of another index; this is a file's name
    while 0 <= at < end:
        at += 8 + int.from_bytes(index[at + 4 : at + 8])
    return at == end


def common_dir(git_dir: Path) -> Path:
    """The git directory that a linked worktree's own one belongs to; any other is its own."""
    return Path(os.path.normpath(git_dir / (_first_line(git_dir / "commondir") or "")))


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _first_line(file: Path) -> str:
    return _content(file).decode("utf-8", "surrogateescape").partition("\n")[0]


def _through_git(folder: Path) -> Repository:
    # Start-up: most repositories do not need it.
    from kattest.sources.plumbing import GitError, Plumbing, locate  # noqa: PLC0415

    try:
        place = locate(folder)
    except GitError as error:
        raise _unusable(folder, str(error)) from None
    return Repository(Plumbing(place), Path(place.top) if place.top else None, Path(place.git_dir))


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
    if "not owned by current user" in reason or "dubious ownership" in reason:
        return SourceError(
            f"the repository at {where} belongs to another user, so it is not trusted",
            f"if you do, run: git config --global --add safe.directory {shlex.quote(where)}",
        )
    return SourceError(
        f"the repository at {where} cannot be opened: {reason}",
        "see that git itself can use it (git status)",
    )
