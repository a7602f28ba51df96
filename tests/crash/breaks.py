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
UNFLUSHED_NAMES = "no folder is flushed"
UNFLUSHED_BYTES = "no file is flushed"


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


def _unflushed_names() -> None:
    import_module("kattest.writing.upkeep").files.flush_folder = lambda folder: None  # noqa: ARG005


def _unflushed_bytes() -> None:
    files = import_module("kattest.writing.upkeep").files

    def create(file: Path, data: bytes) -> None:
        draft = file.with_name(".kattest-1-00000000.tmp")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        os.write(handle, data)
        os.close(handle)
        os.link(draft, file)
        os.unlink(draft)
        files.flush_folder(file.parent)

    files.create = create


def _write(file: Path, data: bytes, flag: int) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | flag, 0o666)
    os.write(handle, data)
    os.fsync(handle)
    os.close(handle)


BREAKS: Mapping[str, Callable[[], None]] = {
    ARCHIVE_ORDER: _archive_order,
    PLAIN_REPLACE: _plain_replace,
    PLAIN_CREATE: _plain_create,
    UNFLUSHED_NAMES: _unflushed_names,
    UNFLUSHED_BYTES: _unflushed_bytes,
}
