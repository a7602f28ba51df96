"""A memory as it is found on disk: what its names say, its configuration and its index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from kattest.config import Config
from kattest.errors import InputError
from kattest.locate import Located
from kattest.memory.configuration import default_config
from kattest.memory.layout import CONFIG, INDEX, Layout, lay_out
from kattest.memory.model import AnyRecord, Index, MemoryConfig
from kattest.memory_roots import Overview, load_overview, load_records
from kattest.sources.worktree import folder_tree
from kattest.text import quote_path
from kattest.tree import MemoryTree, Tree
from kattest.writing import files
from kattest.writing.place import Place


class View(NamedTuple):
    """A memory at one moment. ``drafts`` are files that an interrupted command has left.

    ``nameless`` are files whose names are not UTF-8.
    """

    root: Path
    tree: Tree
    overview: Overview
    drafts: tuple[Path, ...]
    nameless: tuple[str, ...] = ()

    @property
    def layout(self) -> Layout:
        """Its files."""
        return self.overview.layout

    @property
    def config(self) -> MemoryConfig:
        """The configuration that counts."""
        return self.overview.config

    @property
    def committed(self) -> Index | None:
        """The index that is there, unless something in it is amiss."""
        return self.overview.committed

    @property
    def is_enabled(self) -> bool:
        """Whether the memory is switched on."""
        file = self.overview.config_file
        return file is None or file.enabled is not False

    @property
    def is_empty(self) -> bool:
        """Whether it has neither a configuration nor an index, nor a record."""
        return not {CONFIG, INDEX} & {*self.layout.named} and not self.record_files

    @property
    def record_files(self) -> tuple[str, ...]:
        """The files of all records."""
        return (*self.layout.records, *self.layout.archived)

    @property
    def notes(self) -> tuple[str, ...]:
        """What of the configuration and the index could not be read."""
        nameless = (
            f"{quote_path(name)} has a name that is not UTF-8, and is passed over"
            for name in self.nameless
        )
        return (*messages(self.overview.faults), *nameless)

    def require_sound(self) -> None:
        """Raise InputError where the configuration does not say how records live."""
        if self.config.lifecycle is None:
            raise InputError(
                f"{quote_path(str(self.root / CONFIG))} cannot be followed, so it is not known how "
                "long records live; nothing is changed",
                "mend it (kattest verify says where), or delete it for the protocol's defaults",
            )

    def read(self, wanted: Iterable[str]) -> tuple[list[AnyRecord], tuple[str, ...]]:
        """Those records of the files ``wanted`` that can be read, and what is wrong with others."""
        asked = {*wanted}
        layout = self.layout._replace(
            records=tuple(file for file in self.layout.records if file in asked),
            archived=tuple(file for file in self.layout.archived if file in asked),
        )
        if not asked:
            return [], ()
        records, faults = load_records(self.tree, layout, Config(), self.config)
        return [*records], messages(faults)

    def without(self, gone: Sequence[str]) -> View:
        """The same memory without the active records in the files ``gone``."""
        left = tuple(file for file in self.layout.records if file not in {*gone})
        layout = self.layout._replace(records=left)
        return self._replace(overview=self.overview._replace(layout=layout), drafts=())


def is_nameable(path: str) -> bool:
    """Whether a document can name a file: its path holds no byte that is not UTF-8."""
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)


def look(place: Place) -> View:
    """The memory at a place; an empty one where there is none.

    Raises SourceError where it cannot be read.
    """
    top = place.root.parent.parent
    below = place.root.relative_to(top).as_posix()
    if not place.root.is_dir():
        tree: Tree = MemoryTree({})
        return View(place.root, tree, _overview(tree, lay_out(below, ())), ())
    tree = folder_tree(top, below)
    paths = [path[len(below) + 1 :] for path in tree.paths()]
    names = [*filter(is_nameable, paths)]
    drafts = {name for name in names if files.is_draft(name.rpartition("/")[2])}
    layout = lay_out(below, (name for name in names if name not in drafts))
    found = tuple(place.root / name for name in sorted(drafts))
    nameless = tuple(name for name in paths if not is_nameable(name))
    return View(place.root, tree, _overview(tree, layout), found, nameless)


def _overview(tree: Tree, layout: Layout) -> Overview:
    """What a memory says of itself; an empty one begins with protocol 1.1."""
    overview = load_overview(tree, layout, Config())
    if {CONFIG, INDEX} & {*layout.named} or layout.records or layout.archived:
        return overview
    return overview._replace(config=default_config(tiers=True))


def messages(faults: Iterable[Located]) -> tuple[str, ...]:
    """What is wrong in documents, in words."""
    return tuple(f"{path}: {fault.message}" for path, _, fault in faults)
