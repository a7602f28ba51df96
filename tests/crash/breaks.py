"""Ways to break kattest that lose something where it is interrupted: what the harness must see."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

ARCHIVE_ORDER = "the active record goes before the archived copy is there"
PLAIN_REPLACE = "files are replaced by writing into them"
PLAIN_CREATE = "new files are written under their own name"
FLUSHED_NAMES = "no folder is flushed"
FLUSHED_BYTES = "no file is flushed"


def _archive_order() -> None:
    files = import_module("kattest.writing.upkeep").files
    create, remove = files.create, files.remove

    def create_late(file: Path, data: bytes) -> None:
        if file.parent.parent.name == "_archive":
            remove(file.parents[2] / file.parent.name / file.name)
        create(file, data)

    def remove_early(file: Path) -> None:
        with contextlib.suppress(FileNotFoundError):
            remove(file)

    files.create, files.remove = create_late, remove_early


def _plain_replace() -> None:
    files = import_module("kattest.writing.upkeep").files

    def replace(file: Path, data: bytes) -> None:
        _write(file, data, os.O_TRUNC)

    files.replace = replace


def _plain_create() -> None:
    files = import_module("kattest.writing.upkeep").files

    def create(file: Path, data: bytes) -> None:
        _write(file, data, os.O_EXCL)

    files.create = create


def _flushed_names() -> None:
    import_module("kattest.writing.files").flush_folder = lambda folder: None  # noqa: ARG005


def _flushed_bytes() -> None:
    files = import_module("kattest.writing.files")
    flush_folder, flush = files.flush_folder, os.fsync

    def flush_folders_alone(folder: Path) -> None:
        os.fsync, kept = flush_of_now, os.fsync
        flush_folder(folder)
        os.fsync = kept


def _write(file: Path, data: bytes, flag: int) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | flag, 0o666)
    os.write(handle, data)
    os.fsync(handle)
    os.close(handle)


BREAKS: Mapping[str, Callable[[], None]] = {
    ARCHIVE_ORDER: _archive_order,
    PLAIN_REPLACE: _plain_replace,
    PLAIN_CREATE: _plain_create,
}
