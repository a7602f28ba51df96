"""A repository through libgit2: the ordinary case, and the fast one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType, SortMode
from pygit2.ffi import C, ffi

from kattest.errors import SourceError
from kattest.sources.batch import FEW, sound_blobs
from kattest.sources.database import Blob, IndexEntry, Upstream
from kattest.sources.gitprocess import git_program
from kattest.sources.objects import (
    DAMAGE_REMEDY,
    ID,
    kind_of_mode,
    peeled,
    require_no_commit,
    unreadable_merge,
)
from kattest.tree import Content

# git's index-format: the stage in the entry's flags, two flags in its extended ones.
_STAGE_SHIFT = 12
_INTENT_TO_ADD = 1 << 13
_SKIP_WORKTREE = 1 << 14
_NAMES: Mapping[int, str] = {
    ObjectType.COMMIT: "commit",
    ObjectType.TREE: "tree",
    ObjectType.BLOB: "blob",
    ObjectType.TAG: "tag",
}
_PROMISOR = re.compile(r"remote\..*\.promisor|extensions\.partialclone", re.DOTALL)


class LibGit:
    """See ``Database``."""

    def __init__(self, git: pygit2.Repository) -> None:
        self._git = git

    @property
    def hash_name(self) -> str:
        return "sha1"  # what libgit2 reads

    @property
    def is_shallow(self) -> bool:
        return bool(self._git.is_shallow)

    @property
    def is_partial(self) -> bool:
        names = (entry.name or "" for entry in self._git.config)
        return any(_PROMISOR.fullmatch(name) for name in names)

    def read(self, oid: str) -> tuple[str, bytes] | None:
        try:
            kind, data = self._git.read(oid)
        except (KeyError, ValueError, pygit2.GitError):
            return None
        return _NAMES.get(kind, ""), data

    def blob_size(self, oid: str) -> int | None:
        try:
            kind, size = self._git.odb.read_header(oid)
        except (KeyError, ValueError, pygit2.GitError):
            return None
        return size if kind == ObjectType.BLOB else None

    def blobs(self, oids: Sequence[str], largest: int) -> Iterator[Content | None]:
        program = git_program() if len(oids) > FEW else None
        if program is None:
            return (self._blob(oid, largest) for oid in oids)
        return sound_blobs(self, program, self._git.path, oids, largest)

    def _blob(self, oid: str, largest: int) -> Content | None:
        size = self.blob_size(oid)
        if size is None or size > largest:
            return None if size is None else Content(size, None)
        found = self.read(oid)
        return Content(size, found[1]) if found else None

    def find(self, rev: str) -> str | None:
        try:
            if ID.fullmatch(rev):
                oid = rev
            elif rev == "HEAD" or rev.startswith("refs/"):
                oid = str(self._git.lookup_reference(rev).resolve().target)
            else:
                oid = str(self._git.revparse_single(rev).id)
        except (KeyError, ValueError, pygit2.GitError):
            return None
        return peeled(self, oid)

    def head(self) -> str | None:
        if self._git.head_is_unborn:
            return None
        found = self.find("HEAD")
        if found is None:
            raise SourceError("HEAD names no commit", DAMAGE_REMEDY)
        return found

    def upstream(self, branch: str | None) -> Upstream | None:
        if branch is None and self._git.head_is_detached:
            return None
        try:
            name = branch or str(self._git.lookup_reference("HEAD").target)
            followed = self._git.branches.local[name.removeprefix("refs/heads/")].upstream
        except (KeyError, ValueError, pygit2.GitError):  # it is gone, or was never fetched
            return None
        commit = self.find(followed.name) if followed is not None else None  # type: ignore[redundant-expr]  # pygit2's stubs do not say so
        return Upstream(followed.branch_name, commit) if commit else None

    def tips(self, prefix: str, suffix: str = "") -> Sequence[str]:
        names = [one for one in self._git.references if one.startswith(prefix)]
        named = {name: self.find(name) for name in names if name.endswith(suffix)}
        for name, commit in named.items():
            if commit is None:
                self._require_no_commit(name)
        return sorted({commit for commit in named.values() if commit})

    def _require_no_commit(self, name: str) -> None:
        """See that a reference names something else than a commit, and not what is missing."""
        try:
            target = self._git.lookup_reference(name).resolve().target
        except (KeyError, pygit2.GitError):
            return  # it leads to a branch that is not there, as a remote's HEAD may
        require_no_commit(self, str(target), name)

    def merge_heads(self) -> Sequence[str]:
        try:
            return [str(oid) for oid in self._git.listall_mergeheads()]
        except (ValueError, pygit2.GitError) as error:
            raise unreadable_merge(str(error)) from None

    def walk(
        self, tips: Sequence[str], hidden: Sequence[str] = (), *, oldest_first: bool = False
    ) -> Iterator[str]:
        mode = SortMode.TOPOLOGICAL | SortMode.REVERSE if oldest_first else SortMode.TIME
        try:
            walker = self._git.walk(None, mode)
            for tip in tips:
                walker.push(tip)
            for tip in hidden:
                walker.hide(tip)
            for commit in walker:
                yield str(commit.id)
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise SourceError(f"the history cannot be read: {error!s}", DAMAGE_REMEDY) from None

    def index(self) -> Iterator[IndexEntry]:
        """See ``Database``. pygit2 shows neither stages nor flags, so its own binding is asked."""
        try:
            index = self._git.index
            pointer = index._index  # noqa: SLF001 - no public way to flags; hence the upper bound
        except pygit2.GitError as error:
            raise SourceError(
                f"the index cannot be read: {error!s}",
                "see that git itself can read it (git status); git reset makes it anew from HEAD",
            ) from None
        for number in range(len(index)):
            entry = C.git_index_get_byindex(pointer, number)
            mode: int = entry.mode
            yield IndexEntry(
                path=ffi.string(entry.path).decode("utf-8", "surrogateescape"),
                blob=Blob(
                    kind_of_mode(mode),
                    bytes(ffi.buffer(ffi.addressof(entry, "id"))).hex(),
                ),
                conflicted=bool(entry.flags >> _STAGE_SHIFT & 3),
                intended=bool(entry.flags_extended & _INTENT_TO_ADD),
                skipped=bool(entry.flags_extended & _SKIP_WORKTREE),
            )

    def is_ignored(self, path: str) -> bool:
        try:
            return bool(self._git.path_is_ignored(path))
        except UnicodeEncodeError:  # pygit2 cannot ask about a name that is not UTF-8: judge it
            return False

    def stored_id(self, file: Path, path: str) -> str | None:
        try:
            return str(self._git.hashfile(os.fspath(file), as_path=path))
        except (OSError, UnicodeEncodeError, pygit2.GitError):  # nothing that git would convert
            return None

    def flag(self, name: str, default: bool) -> bool:  # noqa: FBT001 - as in Database
        config = self._git.config
        try:
            return bool(config.get_bool(name)) if name in config else default
        except (ValueError, pygit2.GitError) as error:
            raise SourceError(f"{name} cannot be read: {error!s}", "mend git's config") from None

    def setting(self, name: str) -> str | None:
        config = self._git.config
        return str(config[name]) if name in config else None

    def close(self) -> None:
        self._git.free()
