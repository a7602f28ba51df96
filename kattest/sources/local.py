"""Local work: the working tree, and what is staged; compared with what is published."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from kattest.config import Config, HistoryBase
from kattest.errors import SourceError
from kattest.result import SourceInfo, SourceKind
from kattest.sources.database import Database
from kattest.sources.history import GitHistory
from kattest.sources.index import index_tree
from kattest.sources.objects import read_commit
from kattest.sources.published import Change, Followed, any_remote, change_since, followed
from kattest.sources.repository import Repository, find_repository
from kattest.sources.source import (
    Progress,
    Source,
    based,
    no_repository,
    once,
    require_repository,
    require_top,
    trees,
    trusted_by,
    without_base,
)
from kattest.sources.worktree import folder_tree, work_tree
from kattest.text import quote
from kattest.tree import MemoryHistory, Tree
from kattest.trust import TrustedConfig

_MERGE_HEAD = re.compile(r"GITHEAD_([0-9a-f]{40}|[0-9a-f]{64})")


def open_worktree(folder: Path, base: str | None, progress: Progress) -> Source:
    """The working tree around ``folder``; outside a repository, the folder itself.

    Compared with ``base``, else with what is published. Raises SourceError where it cannot be
    read, or the repository is bare.
    """
    repository = find_repository(folder)
    if repository is None:
        if base is not None:
            raise no_repository(folder)
        note = "this folder is in no repository: no history"
        info = SourceInfo(SourceKind.WORKTREE, notes=(note,))
        top = folder.resolve()
        return Source(info, top, folder_tree(top), MemoryHistory())
    top = require_top(repository)
    source = Source(
        SourceInfo(SourceKind.WORKTREE), top, work_tree(repository, top), MemoryHistory()
    )
    return _compared_locally(source, repository, base, progress)


def open_trusted(
    open_with: Callable[[str | None], Source],
    base: str | None,
    trust: Callable[[Source], TrustedConfig],
) -> tuple[Source, TrustedConfig]:
    """Local work, compared with ``base`` or what is published, and the configuration it trusts.

    That may say that the last commit is what it is compared with.
    """
    source = open_with(base)
    trusted = trust(source)
    if base is None and source.bases and trusted.config.history_base is HistoryBase.HEAD:
        source.close()
        source = open_with("HEAD")
        trusted = trust(source)
    return source, trusted


def local_state(folder: Path) -> tuple[Tree, Config]:
    """The working tree around ``folder``, and the configuration by which it will be judged.

    Raises what ``open_worktree`` raises, and ConfigError.
    """
    source, trusted = open_trusted(
        lambda base: open_worktree(folder, base, lambda _: None), None, trusted_by
    )
    return source.tree, trusted.config


def open_index(folder: Path, base: str | None, progress: Progress) -> Source:
    """What the commit being made would hold: the index that git names, or the repository's own.

    Compared with ``base``, else with what is published. Raises SourceError where there is no
    repository or index, or it has conflicts.
    """
    repository = require_repository(folder)
    top = require_top(repository)
    tree = index_tree(repository.database)
    source = Source(SourceInfo(SourceKind.INDEX), top, tree, MemoryHistory(), skips_published=True)
    return _compared_locally(source, repository, base, progress)


def _compared_locally(
    source: Source, repository: Repository, base: str | None, progress: Progress
) -> Source:
    """``source`` with its bases, and the history from HEAD and of what is being merged."""
    database = repository.database
    source = source._replace(close=database.close)
    head = database.head()
    if head is None:
        return without_base(source)
    tips = tuple(dict.fromkeys((head, *_merged_now(database))))
    change, name = _local_change(repository, tips, base)
    merged = [read_commit(database, tip) for tip in tips] if len(tips) > 1 else []
    commits = once((*change.bases, *merged))
    unpublished = {commit.id for commit in merged}.difference(one.id for one in change.bases)
    return source._replace(
        info=based(source.info, commits, name),
        bases=trees(database, commits, unpublished),
        base_name=name if name == "HEAD" else commits[0].id[:12],
        history=GitHistory(database, tips, progress),
    )


def _local_change(
    repository: Repository, tips: Sequence[str], base: str | None
) -> tuple[Change, str]:
    """What is new here: since ``base``, else since what is published, else since HEAD."""
    database = repository.database
    if base is not None:
        known: Followed | None = Followed((repository.commit(base),), base, is_certain=True)
    else:
        known = followed(database, None) or any_remote(database)
    if known:
        # What is being merged may be such a remote branch, and somebody else's: it is not trusted.
        change = change_since(database, tips if known.is_certain else tips[:1], known.tips)
        if change.bases:
            return change, known.name
        if known.is_certain:
            raise SourceError(
                f"{quote(known.name)} and HEAD have no commit in common, so what HEAD lost of it "
                "cannot be said",
                "name what to compare with: --base REV",
            )
    return change_since(database, tips, tips[:1]), "HEAD"


def _merged_now(database: Database) -> Sequence[str]:
    """The commits that are being merged. git names them to hooks before it writes MERGE_HEAD."""
    named = (match[1] for name in os.environ if (match := _MERGE_HEAD.fullmatch(name)))
    return [*database.merge_heads(), *sorted(oid for oid in named if database.find(oid) == oid)]
