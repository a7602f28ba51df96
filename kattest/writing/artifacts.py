"""The artifact that a panel judges: what git stores of it, not what an editor shows."""

from __future__ import annotations

import os
from pathlib import Path

from kattest.digest import git_hex
from kattest.errors import InputError
from kattest.paths import path_refusal
from kattest.sources.repository import Repository
from kattest.sources.worktree import read_regular
from kattest.text import quote_path


def stored_bytes(repository: Repository, top: Path, path: str) -> bytes:
    """The bytes of the artifact at ``path`` below ``top``, as a commit will have them.

    Where git converts line ends, what it stores (design, section 3.1); what a filter replaces (Git
    LFS) counts as it is.

    Raises InputError where there is no regular file that a check would follow, SourceError where
    it cannot be read.
    """
    refusal = path_refusal(path)
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
    for text in (data, data.replace(b"\r\n", b"\n")):
        if git_hex("blob", text, database.hash_name) == stored:
            return text
    return data
