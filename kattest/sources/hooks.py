"""Where git looks for the hooks of a repository, and putting ours there without losing another.

Each of our hooks is one small script; what it does is ``kattest hook NAME``.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from enum import Enum, StrEnum
from pathlib import Path
from typing import NamedTuple

from kattest.errors import SourceError
from kattest.sources.repository import Repository

_KEPT = ".before-kattest"  # behind the name of a hook that was there before; the script says so too
_LEGACY = ".legacy"  # so pre-commit and prek call what was there before them
_MARK = "# kattest's native git hook"
_PROGRAM = "program=kattest "


class Hook(StrEnum):
    """The hooks of git that kattest has."""

    PRE_COMMIT = "pre-commit"
    PRE_MERGE_COMMIT = "pre-merge-commit"
    PRE_PUSH = "pre-push"
    PRE_RECEIVE = "pre-receive"
    UPDATE = "update"


class Outcome(Enum):
    """What became of a hook, in words."""

    INSTALLED = "installed"
    RENEWED = "was installed already, and is written anew"
    CHAINED = "installed; the hook that was there runs before it"
    KEPT = "installed; what was there is kept, but git never ran it, for it is not executable"
    REMOVED = "removed"
    RESTORED = "removed; the hook that was there before is back"
    ABSENT = "not installed here, so nothing is changed"


class Change(NamedTuple):
    """One hook's file, and what became of it."""

    file: Path
    outcome: Outcome


def hooks_folder(repository: Repository) -> Path:
    """The folder that git runs the repository's hooks from: core.hooksPath, else its own.

    Linked worktrees share that of their main repository.
    """
    configured = repository.database.setting("core.hooksPath")
    if configured:
        place = Path(os.path.expanduser(configured))
        return (repository.top or repository.git_dir) / place
    return repository.common_dir / "hooks"


def install(folder: Path, hook: Hook, script: str, program: Path | None) -> Change:
    """Put the hook's ``script`` in place, run by ``program``; keep what is there.

    Raises SourceError where that cannot be done; then everything is as it was.
    """
    file, kept = _place(folder, hook), folder / f"{hook}{_KEPT}"
    if program:
        script = script.replace(_PROGRAM, f"program={shlex.quote(str(program))} ", 1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        outcome = Outcome.RENEWED if _is_ours(file) else Outcome.INSTALLED
        if outcome is Outcome.INSTALLED and os.path.lexists(file):
            if os.path.lexists(kept):
                raise SourceError(
                    f"{file} is another hook, and {kept} is there too: one of them would be lost",
                    "move one of the two away",
                )
            file.rename(kept)
            outcome = Outcome.CHAINED if os.access(kept, os.X_OK) else Outcome.KEPT
        try:
            _write(file, script)
        except OSError:
            if outcome in {Outcome.CHAINED, Outcome.KEPT}:
                kept.rename(file)
            raise
    except OSError as error:
        raise _unwritable(file, error) from None
    return Change(file, outcome)


def uninstall(folder: Path, hook: Hook) -> Change:
    """Take our hook away, and give back the one that was there before.

    Another hook is left alone. Raises SourceError where that cannot be done.
    """
    file, kept = _place(folder, hook), folder / f"{hook}{_KEPT}"
    if not _is_ours(file):
        return Change(file, Outcome.ABSENT)
    try:
        file.unlink()
        if os.path.lexists(kept):
            kept.rename(file)
            return Change(file, Outcome.RESTORED)
    except OSError as error:
        raise _unwritable(file, error) from None
    return Change(file, Outcome.REMOVED)


def _place(folder: Path, hook: Hook) -> Path:
    """The file of our hook: where pre-commit or prek has moved it, if one of them has."""
    moved = folder / f"{hook}{_LEGACY}"
    return moved if _is_ours(moved) else folder / hook


def _is_ours(file: Path) -> bool:
    """Whether the hook is our script, or a link to it elsewhere; a link to another hook is not."""
    try:
        if file.is_symlink() and (file.parent / os.readlink(file)).parent.samefile(file.parent):
            return False
        with file.open("rb") as stream:
            return _MARK.encode() in stream.read(200)
    except OSError:
        return False


def _write(file: Path, script: str) -> None:
    """Write a hook whole or not at all: git may run it at any moment."""
    draft = file.with_name(f".{file.name}.{os.getpid()}.kattest")
    try:
        draft.write_bytes(script.encode())
        draft.chmod(0o755)
        draft.replace(file)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def _unwritable(file: Path, error: OSError) -> SourceError:
    return SourceError(
        f"the hook {file} cannot be changed: {error.strerror}",
        "see that you may write there; what was there is as it was",
    )
