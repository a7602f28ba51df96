"""Where everything of a memory root lies (protocol, memory namespace; design, section 3.6)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from kattest.instant import Timestamp
from kattest.paths import blind, path_refusal

ROOT = ".keysarium/memory"
CONFIG = "config.json"
INDEX = "index.json"
UNKNOWN_DOMAIN = "unknown"
ARCHIVE = "_archive"
SIDE_FOLDERS = ("_patterns/", "_stats/")
SIDE_FILES = (
    "_patterns/domain-patterns.json",
    "_stats/imported-baselines.json",
    "_stats/reward-summary.json",
)

_LONGEST_NAME = 255  # characters: no system makes a folder with a longer name
_HOME = ROOT.partition("/")[0]
_NAMED = frozenset((CONFIG, INDEX, *SIDE_FILES))
_GIT_FILES = frozenset((".gitattributes", ".gitignore", ".gitkeep"))
_NAME = r"(?P<phase>[^/]+)_(?P<stamp>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2})\.json"
_RECORD = re.compile(
    rf"""
    (?!(?:{re.escape(CONFIG)}|{re.escape(INDEX)})/)     # no file in the place of a folder
    (?P<domain>[^/_.][^/]*)/
    (?:(?P<archive>{ARCHIVE})/)?
    (?P<slug>(?!{ARCHIVE}/|\.\.?/)[^/]+)/
    {_NAME}
    """,
    re.DOTALL | re.VERBOSE,
)
_RECORD_NAME = re.compile(rf"(?:.*/)?{_NAME}", re.DOTALL)
_PLAIN_LENGTH = len("2026-03-01T12:30:00Z")


class Place(NamedTuple):
    """What the path of a record says of it. ``domain`` is the folder's name."""

    domain: str
    slug: str
    phase: str
    stamp: str
    is_archived: bool


class Layout(NamedTuple):
    """The files of one memory root, by what they must be; paths are relative to ``root``.

    ``named`` are those that the protocol names, be they folders. ``misplaced`` would be records if
    they lay elsewhere. ``gits`` are git's own small files; ``stray`` is everything else.
    """

    root: str
    named: tuple[str, ...]
    records: tuple[str, ...]
    archived: tuple[str, ...]
    misplaced: tuple[str, ...]
    gits: tuple[str, ...]
    stray: tuple[str, ...]

    def path(self, file: str) -> str:
        """The path of a file from the top of the tree."""
        return f"{self.root}/{file}"


def has_memory(paths: Iterable[str]) -> bool:
    """Whether anything among ``paths`` can belong to a memory, or be taken for a part of one."""
    return any(_HOME in blind(path) for path in paths)


def find_roots(paths: Iterable[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The memory roots among ``paths``, each with its files, and what blocks the way to one.

    Files are relative to their root, that of the innermost folder ``.keysarium/memory`` around
    them. Something else than a folder called so, or called ``.keysarium``, is in the second list.
    """
    roots: dict[str, list[str]] = {}
    blocked: list[str] = []
    start, files = "/", [""]  # those of the root of the path before
    for path in paths:
        if _HOME not in path:
            continue
        if path.startswith(start) and _HOME not in path[len(start) :]:
            files.append(path[len(start) :])
            continue
        before, inside, file = f"/{path}".rpartition(f"/{ROOT}/")
        if inside:
            start = f"{before}/{ROOT}/"[1:]
            files = roots.setdefault(start[:-1], [])
            files.append(file)
        elif f"/{path}".endswith((f"/{ROOT}", f"/{_HOME}")):
            blocked.append(path)
    return roots, blocked


def lay_out(root: str, files: Iterable[str]) -> Layout:
    """Tell the ``files`` of a memory root apart by their paths."""
    named: dict[str, None] = {}
    records: list[str] = []
    archived: list[str] = []
    misplaced: list[str] = []
    gits: list[str] = []
    stray: list[str] = []
    for file in files:
        match = _match(file)
        if match:
            (archived if match["archive"] else records).append(file)
        elif name := _named(file):
            named[name] = None
        elif _is_like_a_record(file):
            misplaced.append(file)
        else:
            (gits if file.rpartition("/")[2] in _GIT_FILES else stray).append(file)
    return Layout(
        root=root,
        named=tuple(named),
        records=tuple(records),
        archived=tuple(archived),
        misplaced=tuple(misplaced),
        gits=tuple(gits),
        stray=tuple(stray),
    )


def place_of(file: str) -> Place | None:
    """What the path of a record below its root says of it; None where it is no such path."""
    match = _match(file)
    if match is None:
        return None
    return Place(
        match["domain"], match["slug"], match["phase"], match["stamp"], bool(match["archive"])
    )


def file_of(place: Place) -> str:
    """The path, below its root, of the record at ``place``."""
    return record_file(*place)


def id_at(place: Place) -> str:
    """The id of the record at ``place``."""
    return record_id(place.slug, place.phase, place.stamp)


def record_file(domain: str, slug: str, phase: str, stamp: str, is_archived: bool) -> str:  # noqa: FBT001 - the fields of a Place, in their order
    """The path, below its root, of a record in the folder ``domain``."""
    folder = f"{domain}/{ARCHIVE}" if is_archived else domain
    return f"{folder}/{slug}/{phase}_{stamp}.json"


def record_id(slug: str, phase: str, stamp: str) -> str:
    """The id of a record (design, section 3.6)."""
    return f"{slug}_{phase}_{stamp}"


def stamp_of(timestamp: Timestamp) -> str | None:
    """A record's time as its id and file name have it: UTC, to the second, with hyphens."""
    if timestamp.instant is None:
        return None
    text = timestamp.text
    if len(text) != _PLAIN_LENGTH or not text.endswith("Z"):
        text = timestamp.instant.isoformat()
    return text[:19].replace(":", "-").upper()


def folder_of(domain: str, known: Collection[str] | None) -> str:
    """The folder of a domain: its own, or the one of all that are not ``known``.

    Where no domain is known, each has its own.
    """
    return domain if not known or domain in known else UNKNOWN_DOMAIN


def can_be_domain(name: str) -> bool:
    """Whether a folder for records can be called so."""
    is_one_part = "/" not in name and len(name) <= _LONGEST_NAME
    return is_one_part and name[:1] not in "_." and name not in _NAMED and not path_refusal(name)


def _match(file: str) -> re.Match[str] | None:
    match = _RECORD.fullmatch(file)
    return None if match is None or path_refusal(file) else match


def _named(file: str) -> str | None:
    """The name by which the protocol knows ``file``, or a folder that it lies in."""
    first, _, rest = file.partition("/")
    second = f"{first}/{rest.partition('/')[0]}"
    return first if first in _NAMED else second if second in _NAMED else None


def _is_like_a_record(file: str) -> bool:
    if _RECORD_NAME.fullmatch(file):
        return True
    folder = file.rpartition("/")[0]
    return bool(folder) and folder[0] not in "_." and file.lower().endswith(".json")
