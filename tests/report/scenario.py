"""One report of the golden ones: what is judged, in memory, without git or a disk."""

from collections.abc import Mapping
from typing import NamedTuple

from kattest import engine
from kattest.config import Config
from kattest.instant import Instant, parse_instant
from kattest.result import Report, SourceInfo, SourceKind
from kattest.rules import RULES
from kattest.tree import Kind, MemoryHistory, MemoryTree

COMMIT = "8d1f3c5b7a9e0246813579bdf02468ace13579bd"
BASE = "3f7e9a1c5d2b4860f1e3a5c7092b4d6f8135e7ac"


def as_of() -> Instant:
    moment = parse_instant("2026-03-02T09:00:00Z")
    assert moment
    return moment


class Scenario(NamedTuple):
    """A tree, and what else a check is given."""

    files: Mapping[str, bytes]
    kinds: Mapping[str, Kind] | None = None
    earlier: Mapping[str, bytes] | None = None
    base: Mapping[str, bytes] | None = None
    config: Config = Config()
    source: SourceInfo = SourceInfo(SourceKind.WORKTREE)
    ignored: frozenset[str] = frozenset()
    strict: bool = False
    paths: tuple[str, ...] = ()

    def report(self) -> Report:
        earlier = [(COMMIT, MemoryTree(self.earlier))] if self.earlier else []
        report = engine.check(
            MemoryTree(self.files, self.kinds),
            None if self.base is None else MemoryTree(self.base),
            self.config,
            as_of(),
            history=MemoryHistory(earlier),
            skips_published=True,
            source=self.source,
            paths=self.paths,
        )
        selected = frozenset(rule for code, rule in RULES.items() if code not in self.ignored)
        return report.restricted(selected, strict=self.strict)
