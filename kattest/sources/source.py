"""Everything a check needs of the outside: a tree, its bases, its history and its moment."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from kattest.engine import Step
from kattest.errors import SourceError, UsageError
from kattest.instant import Instant
from kattest.result import SourceInfo, SourceKind
from kattest.sources.database import Database
from kattest.sources.history import GitHistory
from kattest.sources.index import index_tree
from kattest.sources.objects import (
    Commit,
    CommitTree,
    commit_instant,
    parents_here,
    read_commit,
)
from kattest.sources.published import Change, change_since
from kattest.sources.repository import Repository, find_repository
from kattest.sources.worktree import folder_tree, work_tree
from kattest.text import quote
from kattest.tree import Base, History, MemoryHistory, Tree

Progress = Callable[[int], None]

_MERGE_HEAD = re.compile(r"GITHEAD_([0-9a-f]{40}|[0-9a-f]{64})")


class Source(NamedTuple):
    """What is judged, and what it is judged against.

    ``top`` is the folder that paths are relative to. ``bases`` are the published states, none
    where there is none: the configuration is read from the first, called ``base_name``. With
    ``skips_published`` their rounds are not searched for in the history. ``as_of`` is None where
    the present moment counts. ``steps`` are the commits on the way from the bases that are judged
    too: all of them with ``is_each``, else only the merges, by what they lost.
    """

    info: SourceInfo
    top: Path
    tree: Tree
    history: History
    bases: tuple[Base, ...] = ()
    base_name: str = ""
    skips_published: bool = False
    as_of: Instant | None = None
    steps: tuple[Step, ...] = ()
    is_each: bool = False
    close: Callable[[], None] = lambda: None

    def relative(self, path: str, folder: Path) -> str:
        """``path``, given in ``folder``, relative to the top.

        Raises SourceError where it is outside, or neither the tree nor a base has it.
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
        if inside and not any(_has(tree, inside) for tree in (self.tree, *self._published())):
            ignored = self.info.kind is SourceKind.WORKTREE
            raise SourceError(
                f"{path} is not in {self.info.name}",
                "name a file or folder that is there"
                + (", and that git does not ignore" if ignored else ""),
            )
        return inside

    def _published(self) -> Iterable[Tree]:
        return (base.tree for base in self.bases)


def _has(tree: Tree, path: str) -> bool:
    """Whether something is at ``path`` or below it."""
    if tree.kind(path) is not None:
        return True
    paths = tree.paths()
    at = bisect_left(paths, f"{path}/")
    return at < len(paths) and paths[at].startswith(f"{path}/")


def open_worktree(folder: Path, base: str | None, progress: Progress) -> Source:
    """The working tree around ``folder``; outside a repository, the folder itself.

    Compared with ``base``, else with what is published. Raises SourceError where it cannot be
    read, or the repository is bare.
    """
    repository = find_repository(folder)
    if repository is None:
        if base is not None:
            raise _no_repository(folder)
        note = "this folder is in no repository: no history"
        info = SourceInfo(SourceKind.WORKTREE, notes=(note,))
        top = folder.resolve()
        return Source(info, top, folder_tree(top), MemoryHistory())
    top = _require_top(repository)
    source = Source(
        SourceInfo(SourceKind.WORKTREE), top, work_tree(repository, top), MemoryHistory()
    )
    return _compared_locally(source, repository, base, progress)


def open_index(folder: Path, base: str | None, progress: Progress) -> Source:
    """What the commit being made would hold: the index that git names, or the repository's own.

    Compared with ``base``, else with what is published. Raises SourceError where there is no
    repository or index, or it has conflicts.
    """
    repository = require_repository(folder)
    top = _require_top(repository)
    tree = index_tree(repository.database)
    source = Source(SourceInfo(SourceKind.INDEX), top, tree, MemoryHistory(), skips_published=True)
    return _compared_locally(source, repository, base, progress)


def open_commit(folder: Path, rev: str, progress: Progress) -> Source:
    """One commit, judged at its committer date, and compared with its parents.

    Raises SourceError where there is no repository or no such commit, ShallowHistoryError where
    this clone was cut off before its parents.
    """
    repository = require_repository(folder)
    database = repository.database
    commit = read_commit(database, repository.commit(rev))
    parents = parents_here(database, commit)
    info = SourceInfo(SourceKind.COMMIT, rev=commit.id)
    source = Source(
        _based(info, parents, ""),
        repository.top or folder.resolve(),
        CommitTree(database, commit.tree),
        GitHistory(database, (commit.id,), progress),
        bases=_trees(database, parents),
        base_name=f"{commit.id[:12]}^",
        as_of=commit_instant(commit),
        close=database.close,
    )
    return source if parents else _without_base(source)


def open_range(folder: Path, given: str, progress: Progress, *, is_each: bool) -> Source:
    """The commits of ``BASE..HEAD``, or of ``HEAD`` since what is published.

    Judged at the head's committer date, and compared with the merge base of the two ends. Raises
    SourceError where there is no repository, no such commit, or none in common;
    ShallowHistoryError where this clone was cut off within the range.
    """
    repository = require_repository(folder)
    database = repository.database
    base, head_rev = _ends(given)
    head = repository.commit(head_rev)
    if base is None:
        published, name = _followed(database, None if head_rev == "HEAD" else head_rev)
        if not published:
            raise SourceError(
                f"{quote(head_rev)} follows no branch, and no remote branch is known here",
                "name what to compare it with: --range BASE..HEAD",
            )
    else:
        published, name = (repository.commit(base),), base
    change = change_since(database, (head,), published)
    if not change.bases:
        raise SourceError(
            f"{quote(name)} and {quote(head_rev)} have no commit in common",
            "name two ends of one history",
        )
    notes = []
    if not change.new:
        notes.append(f"the range {given} is empty: it holds no commit that {name} does not have")
    elif base is not None and change.bases[0].id != published[0]:
        notes.append(f"{name} is no ancestor of {head_rev}: compared with their merge base")
    top = repository.top or folder.resolve()
    source = _range_source(database, top, head, change.bases, change.new, progress, is_each=is_each)
    info = _based(source.info._replace(notes=tuple(notes)), change.bases, name)
    return source._replace(info=info, base_name=change.bases[0].id[:12])


class Update(NamedTuple):
    """A reference that is pushed: the commit or tag that it had and that it gets, None for none."""

    ref: str
    old: str | None
    new: str | None


def open_update(
    repository: Repository,
    update: Update,
    published: Sequence[str],
    replaced: Sequence[str],
    progress: Progress,
) -> Source | None:
    """What a push would publish under one reference; None where that is no commit.

    It is compared with what the reference had, with what else it is known to replace, and with the
    published commits that it grew from.
    Raises SourceError where the old one is not here, ShallowHistoryError where this clone was cut
    off within what is new.
    """
    database = repository.database
    new = database.find(update.new or "")
    if new is None:
        return None
    old = None if update.old is None else database.find(update.old)
    if old is None and update.old is not None and not database.read(update.old):
        raise SourceError(
            f"what {quote(update.ref)} has now ({update.old[:12]}) is not in this clone, so what "
            "would be lost cannot be checked",
            "run git fetch, and push again",
        )
    known = (*published, *((old,) if old else ()))
    change = change_since(database, (new,), known)
    before = (*((old,) if old else ()), *replaced)
    bases = _once((*(read_commit(database, oid) for oid in before), *change.bases))
    top = repository.top or repository.git_dir
    source = _range_source(database, top, new, bases, change.new, progress, is_each=False)
    if not bases:
        return _without_base(source)
    name = f"what {update.ref} has now" if old else "what is published"
    return source._replace(info=_based(source.info, bases, name), base_name=bases[0].id[:12])


def open_commit_tree(repository: Repository, rev: str) -> Tree | None:
    """The tree of the commit that ``rev`` names; None where it names none."""
    database = repository.database
    commit = database.find(rev)
    return CommitTree(database, read_commit(database, commit).tree) if commit else None


def require_repository(folder: Path) -> Repository:
    """The repository of ``folder``. Raises SourceError where there is none."""
    repository = find_repository(folder)
    if repository is None:
        raise _no_repository(folder)
    return repository


def _range_source(  # noqa: PLR0913, PLR0917 - what a range is, and what judges it
    database: Database,
    top: Path,
    head: str,
    bases: Sequence[Commit],
    new: Sequence[Commit],
    progress: Progress,
    *,
    is_each: bool,
) -> Source:
    """A source of what is new from ``bases`` to ``head``; what a merge had must survive it."""
    commit = read_commit(database, head)

    def merged(one: Commit) -> tuple[Commit, ...]:
        return parents_here(database, one) if len(one.parents) > 1 else ()

    def step(one: Commit) -> Step:
        against = _once((*bases, *merged(one))) if is_each else merged(one)
        return Step(
            one.id,
            CommitTree(database, one.tree),
            _trees(database, against),
            commit_instant(one),
            GitHistory(database, (one.id,), progress),
        )

    before = [one for one in new if one.id != head and (is_each or len(one.parents) > 1)]
    return Source(
        SourceInfo(SourceKind.RANGE, rev=head, commits=len(new)),
        top,
        CommitTree(database, commit.tree),
        GitHistory(database, (head,), progress),
        bases=_trees(database, _once((*bases, *(merged(commit) if new else ())))),
        skips_published=True,
        as_of=commit_instant(commit),
        steps=tuple(step(one) for one in before),
        is_each=is_each,
        close=database.close,
    )


def _compared_locally(
    source: Source, repository: Repository, base: str | None, progress: Progress
) -> Source:
    """``source`` with its bases, and the history from HEAD and of what is being merged."""
    database = repository.database
    source = source._replace(close=database.close)
    head = database.head()
    if head is None:
        return _without_base(source)
    tips = tuple(dict.fromkeys((head, *_merged_now(database))))
    change, name = _local_change(repository, tips, base)
    merged = [read_commit(database, tip) for tip in tips] if len(tips) > 1 else []
    commits = _once((*change.bases, *merged))
    return source._replace(
        info=_based(source.info, commits, name),
        bases=_trees(database, commits),
        base_name=name if name == "HEAD" else commits[0].id[:12],
        history=GitHistory(database, tips, progress),
    )


def _local_change(
    repository: Repository, tips: Sequence[str], base: str | None
) -> tuple[Change, str]:
    """What is new here: since ``base``, else since what is published, else since HEAD."""
    database = repository.database
    if base is not None:
        published: tuple[str, ...] = (repository.commit(base),)
        name = base
    else:
        published, name = _followed(database, None)
    if published:
        change = change_since(database, tips, published)
        if change.bases:
            return change, name
    return change_since(database, tips, tips[:1]), "HEAD"


def _followed(database: Database, branch: str | None) -> tuple[tuple[str, ...], str]:
    """What is published, as far as is known here, and its name.

    That is the branch that ``branch`` (HEAD's where none is named) follows, else every branch of a
    remote; nothing where there is neither.
    """
    upstream = database.upstream(branch)
    if upstream:
        return (upstream.commit,), upstream.name
    return tuple(database.tips("refs/remotes/")), "the remote branches"


def _merged_now(database: Database) -> Sequence[str]:
    """The commits that are being merged. git names them to hooks before it writes MERGE_HEAD."""
    named = (match[1] for name in os.environ if (match := _MERGE_HEAD.fullmatch(name)))
    return [*database.merge_heads(), *sorted(oid for oid in named if database.find(oid) == oid)]


def _based(info: SourceInfo, bases: Sequence[Commit], name: str) -> SourceInfo:
    return info._replace(base=bases[0].id, base_name=name) if bases else info


def _trees(database: Database, commits: Iterable[Commit]) -> tuple[Base, ...]:
    return tuple(Base(CommitTree(database, commit.tree), commit.id) for commit in commits)


def _once(commits: Iterable[Commit]) -> tuple[Commit, ...]:
    return tuple({commit.id: commit for commit in commits}.values())


def _without_base(source: Source) -> Source:
    note = "nothing is published before this: no history to compare with, and the configuration, "
    note += "if any, is this tree's own"
    return source._replace(info=source.info._replace(notes=(*source.info.notes, note)))


def _ends(given: str) -> tuple[str | None, str]:
    """The base and the head of a range as git writes one; no base where only a head is given."""
    for dots in ("...", ".."):
        base, found, head = given.partition(dots)
        if found:
            if ".." in head:
                raise UsageError(
                    f"{quote(given)} is no range", "write --range BASE..HEAD, or --range HEAD"
                )
            return base or "HEAD", head or "HEAD"
    if not given:
        raise UsageError("the range is empty text", "write --range BASE..HEAD, or --range HEAD")
    return None, given


def _no_repository(folder: Path) -> SourceError:
    return SourceError(
        f"{folder} is in no git repository",
        "run kattest inside one; outside, kattest verify without options judges the folder",
    )


def _require_top(repository: Repository) -> Path:
    if repository.top is None:
        raise SourceError(
            f"the repository at {repository.git_dir} is bare: it has no working tree",
            "name what to judge there: kattest verify --rev HEAD",
        )
    return repository.top
