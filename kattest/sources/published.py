"""What is published already, and what is new since (design, section 3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kattest.sources.database import Database
from kattest.sources.objects import Commit, parents_here, read_commit


class Change(NamedTuple):
    """What is new, and what it is compared with.

    ``bases`` are the published commits that it grew from, the newest first, none for a first one.
    ``new`` are the commits that are not published yet, parents before their children.
    """

    bases: tuple[Commit, ...]
    new: tuple[Commit, ...]


def change_since(database: Database, tips: Sequence[str], published: Sequence[str]) -> Change:
    """What is new at ``tips``, where everything that ``published`` commits lead to is not.

    The bases are the merge bases of the two: of the published commits that new ones grew from,
    those that no other of them leads to. Several tips are what is being merged.

    Raises ShallowHistoryError where this clone was cut off within the new commits.
    """
    walked = database.walk(tips, published, oldest_first=True)
    new = tuple(read_commit(database, oid) for oid in walked)
    ids = {commit.id for commit in new}
    roots = (commit for commit in new if not ids.issuperset(commit.parents))
    parents = (parent for commit in roots for parent in parents_here(database, commit))
    heads = (read_commit(database, tip) for tip in tips)
    grown_from = {commit.id: commit for commit in (*heads, *parents) if commit.id not in ids}
    bases = grown_from.values() if len(grown_from) == 1 else _newest(database, grown_from)
    return Change(tuple(sorted(bases, key=lambda commit: (-commit.seconds, commit.id))), new)


def followed(database: Database, branch: str | None) -> tuple[tuple[str, ...], str]:
    """What is published, as far as is known here, and its name.

    That is the branch that ``branch`` (HEAD's where none is named) follows, else every branch of a
    remote; nothing where there is neither.
    """
    upstream = database.upstream(branch)
    if upstream:
        return (upstream.commit,), upstream.name
    return tuple(database.tips("refs/remotes/")), "the remote branches"


def _newest(database: Database, commits: dict[str, Commit]) -> list[Commit]:
    """Those of ``commits`` that no other of them leads to."""
    return [
        commit
        for oid, commit in commits.items()
        if oid in {*database.walk((oid,), [other for other in commits if other != oid])}
    ]
