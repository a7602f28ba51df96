"""Panels that are open, in the git directory: never in the tree, and seen by all its worktrees.

Each has a folder. What a judge seals is a file of its own there, made once and never changed.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from kattest.attestation.building import OpenPanel, Sealed
from kattest.attestation.pending import panel_document, read_panel, read_sealed, sealed_document
from kattest.digest import sha256_hex
from kattest.errors import InputError, SourceError
from kattest.jsondoc import JsonValue, NotJsonError, parse
from kattest.jsontext import render
from kattest.text import quote, quote_path
from kattest.writing import files

_PANEL = "panel.json"
_PRIVATE = 0o700  # what one judge gave is not for the others' eyes
_DONE = ".done"  # behind the name of a panel's folder that is being deleted


class PendingPanels:
    """The open panels of a repository. Its callers hold its ``lock``."""

    def __init__(self, git_dir: Path) -> None:
        self._home = git_dir / "kattest" / "panels"
        self.lock = git_dir / "kattest" / "locks" / "attestations"

    def add(self, panel: OpenPanel) -> None:
        """Keep a new panel. Raises WriteError where that cannot be done."""
        folder = self._folder(panel.evaluation_id)
        self._tidy()
        try:
            files.make_folders(self._home, mode=_PRIVATE)
            files.make_folders(folder, mode=_PRIVATE)
            files.create(folder / _PANEL, render(panel_document(panel)))
        except FileExistsError:
            raise _open_already(panel.evaluation_id) from None
        except OSError as error:
            raise files.failure(str(folder), error, "no panel is opened") from None

    def refuse_open(self, evaluation_id: str) -> None:
        """Raise InputError where there is an open panel of this id."""
        if (self._folder(evaluation_id) / _PANEL).exists():
            raise _open_already(evaluation_id)

    def find(self, evaluation_id: str) -> OpenPanel:
        """The open panel of this id. Raises InputError where there is none."""
        file = self._folder(evaluation_id) / _PANEL
        document = _document(file)
        if document is None:
            raise InputError(
                f"there is no open panel {quote(evaluation_id)}",
                "open one (kattest attest open), or see that the id is whole; a panel that was "
                "closed is in its attestation file",
            )
        try:
            return read_panel(document)
        except (LookupError, ValueError):
            raise _damaged(file) from None

    def sealed(self, panel: OpenPanel) -> dict[str, Sealed]:
        """What the judges of a panel have sealed, by judge."""
        folder = self._folder(panel.evaluation_id)
        found: dict[str, Sealed] = {}
        for file in sorted(folder.glob("judge-*.json")):
            try:
                one = read_sealed(_document(file))
            except (LookupError, ValueError):
                raise _damaged(file) from None
            found[one.judge_id] = one
        return found

    def seal(self, panel: OpenPanel, sealed: Sealed) -> None:
        """Keep what a judge gave. Raises InputError where that judge has given it before."""
        file = self._folder(panel.evaluation_id) / f"judge-{sealed.judge_id}.json"
        self._tidy()
        try:
            files.create(file, render(sealed_document(sealed)))
        except FileExistsError:
            raise InputError(
                f"{quote(sealed.judge_id)} has judged in {quote(panel.evaluation_id)} already, and "
                "what is sealed does not change",
                "to judge anew, open a new panel",
            ) from None
        except OSError as error:
            raise files.failure(str(file), error, "nothing is sealed") from None

    def drop(self, panel: OpenPanel) -> None:
        """Forget a panel whose round is written. Where that fails, closing it again does it."""
        folder = self._folder(panel.evaluation_id)
        with contextlib.suppress(OSError):
            os.rename(folder, folder.with_suffix(_DONE))
        self._tidy()

    def _folder(self, evaluation_id: str) -> Path:
        return self._home / sha256_hex(evaluation_id.encode("utf-8", "surrogateescape"))[:32]

    def _tidy(self) -> None:
        """Delete what is left of closed panels, and of commands that were interrupted."""
        with contextlib.suppress(OSError):  # it is in nobody's way: the next one does it
            for folder in self._home.iterdir():
                names = os.listdir(folder)
                is_open = _PANEL in names and folder.suffix != _DONE
                files.sweep(folder / name for name in names if files.is_draft(name) or not is_open)
                if not is_open:
                    os.rmdir(folder)


def _document(file: Path) -> JsonValue:
    """A document; None where there is none."""
    try:
        return parse(file.read_bytes()).value
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SourceError(
            f"{quote_path(str(file))} cannot be read: {error.strerror}", "make it readable"
        ) from None
    except NotJsonError:
        raise _damaged(file) from None


def _open_already(evaluation_id: str) -> InputError:
    return InputError(f"there is an open panel {quote(evaluation_id)} already", "close it first")


def _damaged(file: Path) -> SourceError:
    return SourceError(
        f"{quote_path(str(file))} is not what kattest wrote", "open a new panel, and judge anew"
    )
