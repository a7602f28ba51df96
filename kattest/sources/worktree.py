"""The files on disk: a working tree as git sees it, or a plain folder outside any repository."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kattest.digest import artifact_hexes, joined_git_hex, joined_sha256_hex
from kattest.errors import SourceError
from kattest.sources.database import Blob, Database, IndexEntry
from kattest.sources.objects import blob_size, read_blob
from kattest.sources.repository import Repository, is_repository
from kattest.text import quote_path
from kattest.tree import Content, Kind, Tree, changed_paths, contents_one_by_one

# Not on every platform: no symlinks, no waiting for a writer of a pipe, no conversion of bytes.
_OPEN_FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
    _OPEN_FLAGS |= getattr(os, _flag, 0)


_READ_WHOLE = 1024 * 1024  # bytes; what is larger is hashed piece by piece


class _Entry(NamedTuple):
    """What stands at one path.

    ``tracked`` is the blob that the index has there. ``on_disk`` is False for a file that a
    sparse checkout leaves out: its blob is then its content.
    """

    kind: Kind
    tracked: Blob | None
    on_disk: bool = True


class FolderTree:
    """A Tree over files on disk. Nothing is followed: neither symlinks nor nested repositories."""

    def __init__(self, top: Path, entries: Mapping[str, _Entry], database: Database | None) -> None:
        self._top = top
        self._entries = entries
        self._database = database

    def paths(self) -> Sequence[str]:
        return sorted(self._entries)

    def kind(self, path: str) -> Kind | None:
        entry = self._entries.get(path)
        return entry.kind if entry else None

    def size(self, path: str) -> int:
        entry = self._entries[path]
        if self._database and entry.tracked and not entry.on_disk:
            return blob_size(self._database, entry.tracked.oid, path)
        try:
            return os.lstat(self._top / path).st_size
        except OSError as error:
            raise _unreadable(path, error) from None

    def read(self, path: str) -> bytes:
        entry = self._entries[path]
        if self._database and entry.tracked and not entry.on_disk:
            return read_blob(self._database, entry.tracked.oid, path)
        return b"".join(self._pieces(path))

    def contents(self, paths: Sequence[str], largest: int) -> Iterator[Content]:
        return contents_one_by_one(self, paths, largest)

    def hexes(self, path: str) -> frozenset[str]:
        size = self.size(path)
        if size <= _READ_WHOLE or not self._entries[path].on_disk:
            own = artifact_hexes(self.read(path))
        else:
            own = frozenset((joined_sha256_hex(self._pieces(path)),))
        stored = self._stored_before_conversion(path, size)
        return own if stored is None else own | artifact_hexes(stored)

    def oid(self, path: str) -> str:
        entry, size = self._entries[path], self.size(path)
        if entry.tracked and not entry.on_disk:
            return entry.tracked.oid
        if entry.tracked and self._stored_before_conversion(path, size) is not None:
            return entry.tracked.oid
        hash_name = self._database.hash_name if self._database else "sha1"
        return joined_git_hex("blob", size, self._pieces(path), hash_name)

    def changed_since(self, base: Tree, concerns: Callable[[str], bool]) -> Sequence[str]:
        return changed_paths(base, self, concerns)

    def _pieces(self, path: str) -> Iterator[bytes]:
        return _pieces(self._top, path)

    def _stored_before_conversion(self, path: str, size: int) -> bytes | None:
        """What git stores for a file that it checked out with other line ends, else None."""
        database, tracked = self._database, self._entries[path].tracked
        if not database or not tracked or blob_size(database, tracked.oid, path) == size:
            return None  # a conversion changes the size
        stored = database.stored_id(self._top / path, path)
        return read_blob(database, tracked.oid, path) if stored == tracked.oid else None


def read_regular(top: Path, path: str) -> bytes:
    """The bytes of the regular file at ``path`` below ``top``. Raises SourceError."""
    return b"".join(_pieces(top, path))


def _pieces(top: Path, path: str) -> Iterator[bytes]:
    """The bytes of a file on disk, piece by piece."""
    try:
        with open(os.open(top / path, _OPEN_FLAGS), "rb") as file:
            yield from iter(lambda: file.read(_READ_WHOLE), b"")
    except OSError as error:
        raise _unreadable(path, error) from None


def folder_tree(top: Path, below: str = "") -> FolderTree:
    """Every file on disk below ``top``, or below a folder of it; paths count from ``top``.

    No repository is asked. Raises SourceError where a folder cannot be listed.
    """
    files = _walk(top, lambda _: False, f"{below}/" if below else "")
    return FolderTree(top, {path: _Entry(kind, None) for path, kind in files}, None)


def work_tree(repository: Repository, top: Path) -> FolderTree:
    """The files that git tracks, and those it neither tracks nor ignores.

    Raises SourceError where the index or a folder cannot be read.
    """
    database = repository.database
    tracked = {entry.path: entry for entry in database.index()}
    has_links = database.flag("core.symlinks", default=True)
    entries: dict[str, _Entry] = {}
    for path, found in _walk(top, lambda folder: database.is_ignored(f"{folder}/")):
        known = tracked.pop(path, None)
        if found is Kind.SUBMODULE and any(name.startswith(f"{path}/") for name in tracked):
            continue  # a folder of this repository that became another one
        if known and not has_links and known.blob.kind is Kind.SYMLINK:
            entries[path] = _Entry(Kind.SYMLINK, None)  # on disk, a file that holds its target
        elif known or not database.is_ignored(path):
            entries[path] = _Entry(found, _stored(known))
    # What is left is gone, or stands in an ignored folder, or was never checked out.
    for path, entry in tracked.items():
        kind = _kind(top, path)
        if entry.blob.kind is Kind.SUBMODULE:
            entries[path] = _Entry(Kind.SUBMODULE, None)
        elif kind is not None:
            entries[path] = _Entry(kind, _stored(entry))
        elif entry.skipped:
            entries[path] = _Entry(entry.blob.kind, entry.blob, on_disk=False)
    return FolderTree(top, entries, database)


def _stored(entry: IndexEntry | None) -> Blob | None:
    """The blob that the index has for a file; none while it is in conflict or only intended."""
    return None if entry is None or entry.conflicted or entry.intended else entry.blob


def _walk(
    top: Path, is_skipped: Callable[[str], bool], start: str = ""
) -> Iterator[tuple[str, Kind]]:
    """Everything below ``top`` but folders, from the folder ``start`` in it on.

    A nested repository is one thing, a submodule. Nothing in git directories or in folders that
    ``is_skipped``.
    """
    pending = [start]
    while pending:
        prefix = pending.pop()
        try:
            with os.scandir(os.path.join(top, prefix)) as listing:
                found = {entry.name: _kind_of_entry(entry) for entry in listing}
        except OSError as error:
            raise _unreadable(prefix or ".", error) from None
        if prefix and ".git" in found and is_repository(top / prefix):
            yield prefix[:-1], Kind.SUBMODULE
            continue
        for name, kind in found.items():
            path = f"{prefix}{name}"
            if kind is not Kind.FOLDER:
                yield path, kind
            elif name != ".git" and not is_skipped(path):
                pending.append(f"{path}/")


def _kind(top: Path, path: str) -> Kind | None:
    """What stands at a tracked path; None where nothing does, a folder, or only by a symlink."""
    parent = top / os.path.dirname(path)
    try:
        mode = os.lstat(top / path).st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode) or Path(os.path.realpath(parent)) != parent:
        return None
    return _kind_of_mode(mode)


def _kind_of_entry(entry: os.DirEntry[str]) -> Kind:
    """What an entry of a folder is, as far as the folder itself can tell: sooner than its mode."""
    if entry.is_symlink():
        return Kind.SYMLINK
    if entry.is_dir(follow_symlinks=False):
        return Kind.FOLDER
    return Kind.FILE if entry.is_file(follow_symlinks=False) else Kind.SPECIAL


def _kind_of_mode(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return Kind.FILE
    return Kind.SYMLINK if stat.S_ISLNK(mode) else Kind.SPECIAL


def _unreadable(path: str, error: OSError) -> SourceError:
    return SourceError(
        f"{quote_path(path)} cannot be read: {error.strerror}",
        "make it readable, or have git ignore it",
    )
