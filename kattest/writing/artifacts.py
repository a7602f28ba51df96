"""The artifact that a panel judges: what git stores of it, not what an editor shows."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from kattest.digest import git_hex, lfs_oid, sha256_hex
from kattest.errors import InputError, SourceError
from kattest.paths import path_refusal, plain_path
from kattest.sources.gitprocess import require_git, run_git
from kattest.sources.repository import Repository
from kattest.sources.worktree import read_regular
from kattest.text import quote_path


def stored_bytes(repository: Repository, top: Path, path: str) -> bytes:
    """The bytes of the artifact at ``path`` below ``top``, as a commit will have them.

    Where git converts line ends, or a filter changes it, what git stores (design, section 3.1);
    what Git LFS keeps elsewhere counts as it is.

    Raises InputError where there is no regular file that a check would follow, SourceError where
    it cannot be read.
    """
    refusal = path_refusal(path) or (None if plain_path(path) == path else "it is not plain")
    if refusal or not path.isprintable():
        raise InputError(
            f"{quote_path(path)} is not followed: {refusal or 'its name cannot be written down'}",
            "name an artifact inside the repository",
        )
    file = top / path
    if Path(os.path.realpath(file)) != file or not file.is_file():
        what = "is no regular file" if os.path.lexists(file) else "is not there"
        raise InputError(f"the artifact {quote_path(path)} {what}", "name the file that is judged")
    data = read_regular(top, path)
    database = repository.database
    stored = database.stored_id(file, path)
    if not _has_filter(top, path):
        for text in (data, data.replace(b"\r\n", b"\n")):
            if git_hex("blob", text, database.hash_name) == stored:
                return text
    blob = _blob(top, path)
    # A pointer stands for the file itself, by which a check knows it.
    return data if lfs_oid(blob) == sha256_hex(data) else blob


def _has_filter(top: Path, path: str) -> bool:
    """Whether git's attributes have a program or an encoding change a file."""
    command = (require_git(), "check-attr", "-z", "filter", "working-tree-encoding", "--", path)
    said = run_git(command, top, {}).stdout.decode("utf-8", "replace").split("\0")
    return not {*said[2::3]} <= {"unspecified", "unset"}


def _blob(top: Path, path: str) -> bytes:
    """What git itself stores of a file, its filters run, in a place that is gone at once."""
    with tempfile.TemporaryDirectory() as objects:
        where = {"GIT_OBJECT_DIRECTORY": objects}
        made = run_git((require_git(), "hash-object", "-w", "--", path), top, where)
        oid = made.stdout.decode("ascii", "replace").strip()
        found = run_git((require_git(), "cat-file", "blob", oid), top, where)
    if made.returncode or found.returncode:
        said = (made.stderr or found.stderr).decode("utf-8", "replace").strip()
        raise SourceError(
            f"git cannot say what it stores of {quote_path(path)}: {said}",
            "see that its filters work (git add --dry-run PATH)",
        )
    return found.stdout
