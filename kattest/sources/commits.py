"""Commits: a single one, a range of them, and what a push would publish."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kattest.engine import Step
from kattest.errors import SourceError, UsageError
from kattest.result import SourceInfo, SourceKind
from kattest.sources.database import Database
from kattest.sources.history import GitHistory
from kattest.sources.objects import (
    Commit,
    commit_instant,
    parents_here,
    read_commit,
    require_no_commit,
)
from kattest.sources.published import (
    Change,
    Followed,
    any_remote,
    change_since,
    followed,
    grown_from,
)
from kattest.sources.repository import Repository
from kattest.sources.source import (
    Progress,
    Source,
    based,
    once,
    require_repository,
    trees,
    without_base,
)
from kattest.sources.trees import CommitTree
from kattest.text import quote
from kattest.tree import Tree


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
        based(info, parents, ""),
        repository.top or folder.resolve(),
        CommitTree(database, commit.tree),
        GitHistory(database, (commit.id,), progress),
        bases=trees(database, parents, _unpublished(database, parents)),
        base_name=f"{commit.id[:12]}^",
        as_of=commit_instant(commit),
        close=database.close,
    )
    return source if parents else without_base(source)


def _unpublished(database: Database, parents: Sequence[Commit]) -> set[str]:
    """Those parents of a merge that are not published, as far as remote branches tell.

    Without any, all but the first: it is the branch that was merged into.
    """
    known = any_remote(database) if len(parents) > 1 else None
    if known is None:
        return {parent.id for parent in parents[1:]}
    return {parent.id for parent in parents if any(database.walk((parent.id,), known.tips))}


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
        known = _known(database, head_rev)
    else:
        known = Followed((repository.commit(base),), base, is_certain=True)
    name = known.name
    change = change_since(database, (head,), known.tips)
    if not change.bases:
        raise SourceError(
            f"{quote(name)} and {quote(head_rev)} have no commit in common",
            "name two ends of one history",
        )
    if not change.new and not known.is_certain:
        raise _nothing_known(head_rev)  # a checkout of a change must not be compared with itself
    notes = []
    if not change.new:
        notes.append(f"the range {given} is empty: it holds no commit that {name} does not have")
    elif base is not None and change.bases[0].id != known.tips[0]:
        notes.append(f"{name} is no ancestor of {head_rev}: compared with their merge base")
    top = repository.top or folder.resolve()
    source = _range_source(database, top, head, change, progress, is_each=is_each)
    info = based(source.info._replace(notes=tuple(notes)), change.bases, name)
    return source._replace(info=info, base_name=change.bases[0].id[:12])


def _known(database: Database, rev: str) -> Followed:
    """What ``rev`` grew from, as far as is known here. Raises SourceError where nothing is."""
    known = followed(database, None if rev == "HEAD" else rev) or any_remote(database)
    if known is None:
        raise _nothing_known(rev)
    return known


def _nothing_known(rev: str) -> SourceError:
    return SourceError(
        f"{quote(rev)} follows no branch, and no remote branch is known here that it grew from",
        "name what to compare it with: --range BASE..HEAD",
    )


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
    """What a push would publish under one reference; None where that is a blob or a tree.

    It is compared with what the reference had, with what else it is known to replace, and with the
    published commits that it grew from.

    Raises SourceError where the old or the new one cannot be read, ShallowHistoryError where this
    clone was cut off within what is new.
    """
    database = repository.database
    new = database.find(update.new or "")
    if new is None:
        require_no_commit(database, update.new or "", update.ref)
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
    grown = _of_main_first(database, change.bases)
    bases = once((*(read_commit(database, oid) for oid in before), *grown))
    top = repository.top or repository.git_dir
    change = change._replace(bases=bases)
    source = _range_source(database, top, new, change, progress, is_each=False)
    if not bases:
        return without_base(source)
    # Another branch excuses nothing here: nobody may have judged it. Nor does the commit itself.
    excusing = before or [one.id for one in bases if one.id != new]
    compared = [one._replace(is_published=one.commit in excusing) for one in source.bases]
    source = source._replace(bases=tuple(compared))
    name = f"what {update.ref} has now" if old else "what is published"
    return source._replace(info=based(source.info, bases, name), base_name=bases[0].id[:12])


def _of_main_first(database: Database, bases: Sequence[Commit]) -> Sequence[Commit]:
    """``bases``, those first that the main branch has: whoever else pushes here is not trusted.

    That is the main branch of a remote, or on a server the one that HEAD names.
    """
    if len(bases) > 1:
        main = database.tips("refs/remotes/", "/HEAD") or [*filter(None, (database.head(),))]
        return sorted(bases, key=lambda one: any(database.walk((one.id,), main)))
    return bases


def open_commit_tree(repository: Repository, rev: str) -> Tree | None:
    """The tree of the commit that ``rev``, an id, names; None where that is a blob or a tree.

    Raises SourceError where it cannot be read.
    """
    database = repository.database
    commit = database.find(rev)
    if commit is None:
        require_no_commit(database, rev, rev)
        return None
    return CommitTree(database, read_commit(database, commit).tree)


def _range_source(  # noqa: PLR0913 - what a range is, and what judges it
    database: Database,
    top: Path,
    head: str,
    change: Change,
    progress: Progress,
    *,
    is_each: bool,
) -> Source:
    """A source of a change up to ``head``; what a merge had must survive it."""
    bases, new = change
    commit = read_commit(database, head)
    unpublished = {one.id for one in new}
    own_bases = grown_from(database, change) if is_each else {}

    def merged(one: Commit) -> tuple[Commit, ...]:
        return parents_here(database, one) if len(one.parents) > 1 else ()

    def step(one: Commit) -> Step:
        against = once((*own_bases.get(one.id, ()), *merged(one)))
        return Step(
            one.id,
            CommitTree(database, one.tree),
            trees(database, against, unpublished),
            commit_instant(one),
            GitHistory(database, (one.id,), progress),
        )

    before = [one for one in new if one.id != head and (is_each or len(one.parents) > 1)]
    return Source(
        SourceInfo(SourceKind.RANGE, rev=head, commits=len(new)),
        top,
        CommitTree(database, commit.tree),
        GitHistory(database, (head,), progress),
        bases=trees(database, once((*bases, *(merged(commit) if new else ()))), unpublished),
        skips_published=True,
        as_of=commit_instant(commit),
        steps=tuple(step(one) for one in before),
        is_each=is_each,
        close=database.close,
    )


def _ends(given: str) -> tuple[str | None, str]:
    """The base and the head of a range as git writes one; no base where only a head is given."""
    dots = "..." if "..." in given else ".."
    base, found, head = given.partition(dots)
    # Without a base it would be HEAD, and empty: a variable that is not set must not pass.
    if not base or ".." in base or ".." in head or head.startswith("."):
        raise UsageError(f"{quote(given)} is no range", "write --range BASE..HEAD, or --range HEAD")
    return (base, head or "HEAD") if found else (None, given)
