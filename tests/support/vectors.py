"""Rule vectors from disk: what each one says is right, and what kattest makes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kattest.config import Config
from kattest.configfile import parse_config
from kattest.engine import check
from kattest.instant import Instant, parse_instant
from kattest.result import Report
from kattest.tree import Base, Kind, MemoryHistory, MemoryTree

TOP = Path(__file__).parents[1] / "vectors"
AS_OF = Instant(1_772_409_600)  # 2026-03-02T00:00:00Z, where a vector names no moment of its own


class Place(NamedTuple):
    """One finding, as far as a vector describes it."""

    path: str
    pointer: str
    code: str


class Vector(NamedTuple):
    """One vector: a case of one rule, and where it lies."""

    folder: Path
    described: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.rule}/{self.folder.name}"

    @property
    def rule(self) -> str:
        """The rule's code and name, as its folder is called."""
        return self.folder.parent.name

    @property
    def code(self) -> str:
        return self.rule.partition("-")[0]

    @property
    def fails(self) -> bool:
        return self.folder.name.endswith("_fail")

    @property
    def expected(self) -> list[Place]:
        return [Place(**finding) for finding in self.described["expect"]]

    @property
    def files(self) -> dict[str, bytes]:
        """The files of the tree that is judged."""
        files = _files(self.folder / "tree")
        copies: Mapping[str, str] = self.described.get("copies", {})
        return files | {path: files[of] for path, of in copies.items()}

    @property
    def base(self) -> MemoryTree | None:
        """The published state, where there is one."""
        folder = self.folder / "base"
        return MemoryTree(_files(folder)) if folder.is_dir() else None

    @property
    def parents(self) -> list[Base]:
        """What the tree was merged of: branches that nobody has published yet."""
        parents = _numbered(self.folder / "parents")
        return [Base(tree, name, is_published=False) for name, tree in parents]

    @property
    def as_of(self) -> Instant:
        """The moment that it is judged at."""
        text = self.described.get("as_of")
        instant = AS_OF if text is None else parse_instant(text)
        if instant is None:
            raise ValueError(f"{self.name} is judged at {text!r}, which is no moment")
        return instant

    def report(self) -> Report:
        """What kattest says of it."""
        kinds = {path: Kind(kind) for path, kind in self.described.get("kinds", {}).items()}
        config = self.described.get("config")
        return check(
            MemoryTree(self.files, kinds),
            self.base,
            parse_config(config.encode(), "case.json") if config else Config(),
            self.as_of,
            others=self.parents,
            history=MemoryHistory(_numbered(self.folder / "history")),
            skips_published=True,
        )


def vectors() -> list[Vector]:
    """Every vector on disk, in the order of their names."""
    return [
        Vector(path.parent, json.loads(path.read_bytes()))
        for path in sorted(TOP.glob("KA*/*/case.json"))
    ]


def _numbered(folder: Path) -> list[tuple[str, MemoryTree]]:
    """The trees below ``folder`` by their names, in the order of the numbers before these."""
    trees = sorted(folder.iterdir()) if folder.is_dir() else []
    return [(path.name.partition("-")[2], MemoryTree(_files(path))) for path in trees]


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
