"""What is published already, and what is new since (design, section 3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kattest.sources.database import Database
from kattest.sources.objects import Commit, parents_here, read_commit


class Change(NamedTuple):
    """What is new, and what it is compared with.

    ``bases`` are the published commits that it grew from, none for a first one. Those that the
    first tip grew from come first, then the newest.
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
    is_walked = not {*published}.issuperset(tips)
    walked = database.walk(tips, published, oldest_first=True) if is_walked else ()
    new = tuple(read_commit(database, oid) for oid in walked)
    ids = {commit.id for commit in new}
    roots = (commit for commit in new if not ids.issuperset(commit.parents))
    parents = (parent for commit in roots for parent in parents_here(database, commit))
    heads = (read_commit(database, tip) for tip in tips)
    left = {commit.id: commit for commit in (*heads, *parents) if commit.id not in ids}
    bases = [*left.values()] if len(left) == 1 else _newest(database, left)
    if len(bases) > 1:  # whoever dates a commit must not choose by whose configuration it is judged
        foreign = {one.id: any(database.walk((one.id,), tips[:1])) for one in bases}
        bases.sort(key=lambda one: (foreign[one.id], -one.seconds, one.id))
    return Change(tuple(bases), new)


class Followed(NamedTuple):
    """What is published, as far as is known here: its commits, and its name.

    ``is_certain`` says that somebody said so: then it cannot be something unrelated.
    """

    tips: tuple[str, ...]
    name: str
    is_certain: bool


def followed(database: Database, branch: str | None) -> Followed | None:
    """What ``branch`` (HEAD's where none is named) follows.

    That is its upstream, else the main branch of each remote; None where neither is known.
    """
    short = branch.removeprefix("refs/").removeprefix("heads/") if branch else None
    upstream = database.upstream(short)
    if upstream:
        return Followed((upstream.commit,), upstream.name, is_certain=True)
    main = tuple(database.tips("refs/remotes/", "/HEAD"))
    return Followed(main, "the remote's main branch", is_certain=False) if main else None


def any_remote(database: Database) -> Followed | None:
    """Every branch of every remote; None where there is none."""
    tips = tuple(database.tips("refs/remotes/"))
    return Followed(tips, "the remote branches", is_certain=False) if tips else None


def grown_from(database: Database, change: Change) -> dict[str, tuple[Commit, ...]]:
    """Of each new commit, by its id, the published ones that it grew from itself."""
    found: dict[str, dict[str, Commit]] = {}
    for commit in change.new:
        roots: dict[str, Commit] = {}
        for parent in commit.parents:
            roots |= found[parent] if parent in found else {parent: read_commit(database, parent)}
        found[commit.id] = roots
    return {
        oid: (*(_newest(database, roots) if len(roots) > 1 else roots.values()),)
        for oid, roots in found.items()
    }


def _newest(database: Database, commits: dict[str, Commit]) -> list[Commit]:
    """Those of ``commits`` that no other of them leads to."""
    return [
        commit
        for oid, commit in commits.items()
        if any(database.walk((oid,), [other for other in commits if other != oid]))
    ]
