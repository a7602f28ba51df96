"""Where a memory is, and the lock that its writers take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from kattest.digest import sha256_hex
from kattest.errors import InputError, SourceError
from kattest.memory.layout import ROOT
from kattest.sources.repository import Repository, find_repository


class Place(NamedTuple):
    """A memory root on disk, which need not exist yet. ``shown`` is what documents call it."""

    root: Path
    lock: Path
    shown: str


def memory_place(folder: Path, root: Path | None) -> Place:
    """The memory at the top of the repository of ``folder``, or the one that ``root`` names.

    Outside a repository ``folder`` is the top. Raises InputError where the way to it leads through
    a symlink, SourceError where the repository cannot be opened or is bare.
    """
    if root is not None:
        found = Path(os.path.realpath(folder / root))
        return Place(found, _lock(found, find_repository(_existing(found))), f"{root}/")
    repository = find_repository(folder)
    top = Path(os.path.realpath(folder)) if repository is None else repository.top
    if top is None:
        raise SourceError("this repository is bare: it has no working tree", "name a --root")
    found = top / ROOT
    if Path(os.path.realpath(found)) != found:
        raise InputError(
            f"{found} is reached by a symlink, which no check would follow",
            "put a folder there, or name the other one with --root",
        )
    return Place(found, _lock(found, repository), f"{ROOT}/")


def _existing(folder: Path) -> Path:
    """``folder``, or the nearest one above it that exists."""
    return next(one for one in (folder, *folder.parents) if one.is_dir())


def _lock(root: Path, repository: Repository | None) -> Path:
    """The lock of a memory: in the git directory, so that no check meets it, else beside it."""
    if repository is None:
        return root.parent / ".kattest.lock"
    name = sha256_hex(os.fsencode(root))[:16]
    return repository.git_dir / "kattest" / "locks" / f"memory-{name}"
