"""Everything a check needs of the outside: a tree, its base, its history and its moment."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from kattest.errors import SourceError
from kattest.instant import Instant
from kattest.result import SourceInfo, SourceKind
from kattest.sources.history import GitHistory
from kattest.sources.index import index_tree
from kattest.sources.objects import commit_tree, read_commit
from kattest.sources.repository import Repository, commit_instant, find_repository
from kattest.sources.worktree import folder_tree, work_tree
from kattest.tree import History, MemoryHistory, Tree

Progress = Callable[[int], None]


class Source(NamedTuple):
    """What is judged, and what it is judged against.

    ``top`` is the folder that paths are relative to. ``base`` is the published state, None where
    there is none: the configuration is read from it. With ``skips_published`` its rounds are not
    searched for in the history. ``is_cut_off`` says that there is a base, and that a shallow clone
    does not have it. ``as_of`` is None where the present moment counts.
    """

    info: SourceInfo
    top: Path
    tree: Tree
    history: History
    base: Tree | None = None
    skips_published: bool = False
    is_cut_off: bool = False
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
                f"{path} is outside {self.top}, which is being checked",
                "run kattest in the repository that the path belongs to",
            )
        inside = full.relative_to(self.top).as_posix()
        inside = "" if inside == "." else inside
        if inside and not self._has(inside):
            ignored = self.info.kind is SourceKind.WORKTREE
            raise SourceError(
                f"{path} is not in {self.info.name}",
                "name a file or folder that is there"
                + (", and that git does not ignore" if ignored else ""),
            )
        return inside

    def _has(self, path: str) -> bool:
        """Whether something is at ``path`` or below it."""
        if self.tree.kind(path) is not None:
            return True
        paths = self.tree.paths()
        at = bisect_left(paths, f"{path}/")
        return at < len(paths) and paths[at].startswith(f"{path}/")


def open_worktree(folder: Path, progress: Progress) -> Source:
    """The working tree around ``folder``; outside a repository, the folder itself.

    Raises SourceError where it cannot be read, or the repository is bare.
    """
    repository = find_repository(folder)
    if repository is None:
        note = "this folder is in no repository: no history"
        info = SourceInfo(SourceKind.WORKTREE, notes=(note,))
        top = folder.resolve()
        return Source(info, top, folder_tree(top), MemoryHistory())
    top = _require_top(repository)
    return _with_head(
        Source(SourceInfo(SourceKind.WORKTREE), top, work_tree(repository, top), MemoryHistory()),
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
    source = Source(SourceInfo(SourceKind.INDEX), top, tree, MemoryHistory(), skips_published=True)
    return _with_head(source, repository, progress)


def open_commit(folder: Path, rev: str, progress: Progress) -> Source:
    """One commit, judged at its committer date by the configuration of its first parent.

    Raises SourceError where there is no repository or no such commit.
    """
    repository = _require_repository(folder)
    commit = repository.commit(rev)
    parent = next(iter(commit.parent_ids), None)
    base = None if parent is None else read_commit(repository.git, parent)
    is_cut_off = base is None and repository.git.is_shallow
    note = "this clone ends before the commit's parent, whose configuration is not known"
    return Source(
        SourceInfo(
            SourceKind.COMMIT,
            rev=str(commit.id),
            base=str(base.id) if base else None,
            notes=(note,) if is_cut_off else (),
        ),
        repository.top or folder.resolve(),
        commit_tree(repository.git, commit),
        GitHistory(repository.git, (commit.id,), progress),
        base=commit_tree(repository.git, base) if base else None,
        is_cut_off=is_cut_off,
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
            f"{folder} is in no git repository",
            "run kattest inside one; outside, kattest verify without options judges the folder",
        )
    return repository


def _require_top(repository: Repository) -> Path:
    if repository.top is None:
        raise SourceError(
            f"the repository at {repository.git.path} is bare: it has no working tree",
            "name what to judge there: kattest verify --rev HEAD",
        )
    return repository.top
