"""Putting git hooks in place, and taking them away again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from kattest.cli.judging import current_folder
from kattest.cli.output import emit
from kattest.errors import UsageError
from kattest.sources import hooks
from kattest.sources.hooks import Change, Hook, hooks_folder
from kattest.sources.source import require_repository
from kattest.text import escape

_LOCAL = (Hook.PRE_COMMIT, Hook.PRE_MERGE_COMMIT, Hook.PRE_PUSH)
_SERVER = (Hook.PRE_RECEIVE,)


def install_hooks(names: Sequence[str]) -> None:
    """Install the hooks of these names; without any, those that the repository needs.

    Raises UsageError for a name that is no hook's, SourceError where one cannot be written.
    """
    script = (files("kattest.cli") / "hook.sh").read_text("utf-8")
    here = Path(sys.executable).with_name("kattest")
    program = here if here.exists() else None
    _change(names, lambda folder, hook: hooks.install(folder, hook, script, program))


def uninstall_hooks(names: Sequence[str]) -> None:
    """Remove the hooks of these names that are ours. Raises what ``install_hooks`` raises."""
    _change(names, hooks.uninstall)


def _change(names: Sequence[str], change: Callable[[Path, Hook], Change]) -> None:
    for name in names:
        if name not in [*Hook]:
            raise UsageError(f"kattest has no hook {name}", f"name one of {', '.join(Hook)}")
    repository = require_repository(current_folder())
    by_default = _SERVER if repository.top is None else _LOCAL
    folder = hooks_folder(repository)
    for hook in map(Hook, names) if names else by_default:
        file, outcome = change(folder, hook)
        emit(f"{escape(str(file))}: {outcome.value}\n")
    if not folder.is_relative_to(repository.common_dir):
        sys.stderr.write(
            "note: core.hooksPath names that folder; the hooks serve whoever else uses it\n"
        )
