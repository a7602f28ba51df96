"""Everything a check needs of the outside: a tree, its base, its history and its moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from kattest.errors import SourceError
from kattest.instant import Instant
from kattest.result import SourceInfo
from kattest.sources.history import GitHistory
from kattest.sources.index import index_tree
from kattest.sources.objects import commit_tree
from kattest.sources.repository import Repository, commit_instant, find_repository
from kattest.sources.worktree import folder_tree, work_tree
from kattest.text import escape
from kattest.tree import History, MemoryHistory, Tree

Progress = Callable[[int], None]


class Source(NamedTuple):
    """What is judged, and what it is judged against.

    ``top`` is the folder that paths are relative to. ``base`` is the published state, None where
    there is none: the configuration is read from it. With ``skips_published`` its rounds are not
    searched for in the history. ``as_of`` is None where the present moment counts.
    """

    info: SourceInfo
    top: Path
    tree: Tree
    history: History
    base: Tree | None = None
    skips_published: bool = False
    as_of: Instant | None = None

    def relative(self, path: str, folder: Path) -> str:
        """``path``, given in ``folder``, relative to the top.

        Raises SourceError where it is outside, or the tree has nothing there.
        """
        head, name = os.path.split(os.path.join(folder, path).rstrip("/") or "/")
        # Folders on the way may be reached by symlinks; what stands at the end is judged as it is.
        if name in {"", ".", ".."}:
            full = Path(os.path.realpath(os.path.join(head, name)))
        else:
            full = Path(os.path.realpath(head), name)
        if not full.is_relative_to(self.top):
            raise SourceError(
                f"{escape(path)} is outside {escape(str(self.top))}, which is being checked",
                "run kattest in the repository that the path belongs to",
            )
        inside = full.relative_to(self.top).as_posix()
        inside = "" if inside == "." else inside
        if inside and not any(p == inside or p.startswith(f"{inside}/") for p in self.tree.paths()):
            raise SourceError(
                f"{escape(path)} is not in {self.info.name}",
                "name a file or folder that is there"
                + (", and that git does not ignore" if self.info.kind == "worktree" else ""),
            )
        return inside


def open_worktree(folder: Path, progress: Progress) -> Source:
    """The working tree around ``folder``; outside a repository, the folder itself.

    Raises SourceError where it cannot be read, or the repository is bare.
    """
    repository = find_repository(folder)
    if repository is None:
        info = SourceInfo("worktree", notes=("this folder is in no repository: no history",))
        top = folder.resolve()
        return Source(info, top, folder_tree(top), MemoryHistory())
    top = _require_top(repository)
    return _with_head(
        Source(SourceInfo("worktree"), top, work_tree(repository, top), MemoryHistory()),
        repository,
        progress,
    )


def open_index(folder: Path, progress: Progress) -> Source:
    """What the commit being made would hold: the index that git names, or the repository's own.

    Raises SourceError where there is no repository or index, or it has conflicts.
    """
    repository = _require_repository(folder)
    top = _require_top(repository)
    tree = index_tree(repository.git)
    source = Source(SourceInfo("index"), top, tree, MemoryHistory(), skips_published=True)
    return _with_head(source, repository, progress)


def open_commit(folder: Path, rev: str, progress: Progress) -> Source:
    """One commit, judged at its committer date by its own configuration.

    Raises SourceError where there is no repository or no such commit.
    """
    repository = _require_repository(folder)
    commit = repository.commit(rev)
    return Source(
        SourceInfo("commit", rev=str(commit.id)),
        repository.top or folder.resolve(),
        commit_tree(repository.git, commit),
        GitHistory(repository.git, (commit.id,), progress),
        as_of=commit_instant(commit),
    )


def _with_head(source: Source, repository: Repository, progress: Progress) -> Source:
    """``source`` with HEAD as its base, and the history from HEAD and of what is being merged."""
    head = repository.head
    if head is None:
        note = "there is no commit yet: the configuration, if any, is this tree's own"
        return source._replace(info=source.info._replace(notes=(note,)))
    heads = (head.id, *repository.git.listall_mergeheads())
    return source._replace(
        info=source.info._replace(base=str(head.id)),
        base=commit_tree(repository.git, head),
        history=GitHistory(repository.git, heads, progress),
    )


def _require_repository(folder: Path) -> Repository:
    repository = find_repository(folder)
    if repository is None:
        raise SourceError(
            f"{escape(str(folder))} is in no git repository",
            "run kattest inside one; outside, kattest verify without options judges the folder",
        )
    return repository


def _require_top(repository: Repository) -> Path:
    if repository.top is None:
        raise SourceError(
            f"the repository at {escape(repository.git.path)} is bare: it has no working tree",
            "name what to judge there: kattest verify --rev HEAD",
        )
    return repository.top
