"""What a repository decides for itself, once it is read (design, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import NamedTuple

from kattest.finding import Severity
from kattest.roster import PROTOCOL_PANELS, Panel

FILE_NAME = ".kattest.yaml"
LARGEST_FILE = 1024 * 1024  # bytes of a configuration file
DOCUMENT_BYTES = 8 * 1024 * 1024
INDEX_BYTES = 256 * 1024 * 1024  # of an index, which grows with its records


class HistoryBase(StrEnum):
    """What local work is compared with: what is published, or the last commit."""

    UPSTREAM = "upstream"
    HEAD = "head"


class Config(NamedTuple):
    """A repository's decisions, or the defaults.

    ``severity`` maps rule codes to a level, None for off. ``panels`` holds the protocol's
    rosters and then the repository's own. ``exclude`` holds patterns in gitignore's syntax of
    documents that are not judged. ``document_bytes`` bounds the size of one document.
    ``grace_days`` is how long a record may be overdue for archiving or deletion.
    ``history_base`` is what the working tree and the index are compared with. ``protected`` holds
    patterns of references that a push may not delete.
    """

    severity: Mapping[str, Severity | None] = MappingProxyType({})
    panels: tuple[Panel, ...] = PROTOCOL_PANELS
    exclude: tuple[str, ...] = ()
    document_bytes: int = DOCUMENT_BYTES
    grace_days: int = 0
    history_base: HistoryBase = HistoryBase.UPSTREAM
    protected: tuple[str, ...] = ()

    def protects(self, ref: str) -> bool:
        """Whether a push may not delete the reference ``ref``."""
        return any(fnmatchcase(ref, pattern) for pattern in self.protected)

    def included(self, paths: Iterable[str]) -> list[str]:
        """``paths`` without those that ``exclude`` names, in their order."""
        if not self.exclude:
            return list(paths)
        from pathspec import GitIgnoreSpec  # noqa: PLC0415 - start-up: only where it is used

        spec = GitIgnoreSpec.from_lines(self.exclude)
        return [path for path in paths if not spec.match_file(path)]
