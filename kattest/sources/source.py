"""Everything a check needs of the outside: a tree, its bases, its history and its moment."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from kattest.engine import Step
from kattest.errors import SourceError
from kattest.instant import Instant
from kattest.result import SourceInfo, SourceKind
from kattest.sources.database import Database
from kattest.sources.objects import Commit
from kattest.sources.repository import Repository, find_repository
from kattest.sources.trees import CommitTree
from kattest.tree import Base, History, Tree
from kattest.trust import TrustedConfig, trusted_config

Progress: TypeAlias = Callable[[int], None]
"""Is told how many commits have been searched."""


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
        inside = relative_to_top(self.top, path, folder)
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


def trusted_by(source: Source) -> TrustedConfig:
    """The configuration that counts for ``source``: that of its base (design, section 3.7)."""
    base = source.bases[0].tree if source.bases else None
    return trusted_config(source.tree, base, source.base_name)


def relative_to_top(top: Path, path: str, folder: Path) -> str:
    """``path``, given in ``folder``, relative to ``top``. Raises SourceError where it is outside.

    Folders on the way may be reached by symlinks; what stands at the end is taken as it is.
    """
    head, name = os.path.split(os.path.join(folder, path).rstrip("/") or "/")
    if name in {"", ".", ".."}:
        full = Path(os.path.realpath(os.path.join(head, name)))
    else:
        full = Path(os.path.realpath(head), name)
    if not full.is_relative_to(top):
        raise SourceError(
            f"{path} is outside {top}",
            "run kattest in the repository that the path belongs to",
        )
    inside = full.relative_to(top).as_posix()
    return "" if inside == "." else inside


def _has(tree: Tree, path: str) -> bool:
    """Whether something is at ``path`` or below it."""
    if tree.kind(path) is not None:
        return True
    paths = tree.paths()
    at = bisect_left(paths, f"{path}/")
    return at < len(paths) and paths[at].startswith(f"{path}/")


def require_repository(folder: Path) -> Repository:
    """The repository of ``folder``. Raises SourceError where there is none."""
    repository = find_repository(folder)
    if repository is None:
        raise no_repository(folder)
    return repository


def require_top(repository: Repository) -> Path:
    """The top of the repository's working tree. Raises SourceError where it is bare."""
    if repository.top is None:
        raise SourceError(
            f"the repository at {repository.git_dir} is bare: it has no working tree",
            "name what to judge there: kattest verify --rev HEAD",
        )
    return repository.top


def no_repository(folder: Path) -> SourceError:
    """The error for a folder that is in no repository."""
    return SourceError(
        f"{folder} is in no git repository",
        "run kattest inside one; outside, kattest verify without options judges the folder",
    )


def trees(
    database: Database, commits: Iterable[Commit], unpublished: Collection[str] = ()
) -> tuple[Base, ...]:
    """The trees of ``commits``, to compare with; ``unpublished`` are the ids of some of them."""
    return tuple(
        Base(CommitTree(database, commit.tree), commit.id, commit.id not in unpublished)
        for commit in commits
    )


def once(commits: Iterable[Commit]) -> tuple[Commit, ...]:
    """``commits`` in their order, each once."""
    return tuple({commit.id: commit for commit in commits}.values())


def based(info: SourceInfo, bases: Sequence[Commit], name: str) -> SourceInfo:
    """``info`` with the newest of ``bases``, called ``name``; as it is without one."""
    return info._replace(base=bases[0].id, base_name=name) if bases else info


def without_base(source: Source) -> Source:
    """``source``, which has nothing to be compared with, saying so."""
    note = "nothing is published before this: no history to compare with, and the configuration, "
    note += "if any, is this tree's own"
    return source._replace(info=source.info._replace(notes=(*source.info.notes, note)))
