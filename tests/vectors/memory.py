"""Small memory trees for vectors, and places in them. Nothing here imports kattest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    ROOT,
    STORED,
    Document,
    archive,
    dumps,
    file_of,
    iso,
    make_index,
    make_record,
    make_tree,
)
from tests.vectors.case import Expected, World, edited

AS_OF = datetime(2026, 3, 2, tzinfo=UTC)  # where a vector names no moment of its own
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
LONG_AGO = datetime(2025, 11, 20, 12, tzinfo=UTC)  # older than the warm days, not the cold ones
ARCHIVED = datetime(2026, 2, 20, 9, tzinfo=UTC)

RECORD = make_record()
OTHER = make_record(
    "shop_returns", "phase-3", STORED - DAY, domain="retail", skill="explore", reward=1.0
)
OLD = make_record(at=LONG_AGO)
COLD = archive(OLD, ARCHIVED)
SIMPLE = make_record(version="1.0")  # of a tree without tiers
LASTING = make_record(version="1.0", days=0)  # and without an end
FOR_EVER = edited(CONFIG_1_0, {"/retention_days": 0})
SKILL_ROOT = f".claude/skills/explore/{ROOT}"
NO_CHANGES: Mapping[str, Any] = MappingProxyType({})


def memory(
    *records: Document,
    config: Document | None = CONFIG,
    index: Document | bool | None = None,
    as_of: datetime | None = None,
    root: str = ROOT,
) -> World:
    """A memory root with these records. It has an index of them where ``config`` has tiers."""
    if index is None:
        index = config is not None and "tier_hot_days" in config
    files = make_tree(*records, config=config, index=index, root=root)
    return World(files, as_of=iso(as_of) if as_of else None)


def simple(*records: Document, config: Document | None = CONFIG_1_0, **choices: Any) -> World:
    """A memory root of protocol 1.0: without tiers and, unless it is given, without an index."""
    return memory(*(records or (SIMPLE,)), config=config, **choices)


def configured(changes: Mapping[str, Any], *records: Document, config: Document = CONFIG) -> World:
    """A memory root whose configuration has these changes; without records, unless given."""
    return memory(*records, config=edited(config, changes))


def indexed(changes: Mapping[str, Any], *records: Document, as_of: datetime | None = None) -> World:
    """A memory root whose index has these changes; of ``RECORD``, unless others are given."""
    listed = records or (RECORD,)
    return memory(*listed, index=edited(make_index(listed), changes), as_of=as_of)


def altered(record: Document, changes: Mapping[str, Any], **choices: Any) -> World:
    """A memory root with ``record``, indexed as it was before its document got these changes."""
    world = memory(record, **choices)
    return world.adding({path_of(record): dumps(edited(record, changes))})


def placed(record: Document, file: str, config: Document = CONFIG) -> World:
    """A memory root whose only record lies at ``file``, and is indexed there."""
    index = edited(make_index([record]), {entry_of(record, "file"): file})
    world = memory(config=config, index=index if "tier_hot_days" in config else False)
    return world.adding({within(file): dumps(record)})


def silent(world: World, *paths: str) -> World:
    """``world`` with a configuration of kattest that excludes these paths."""
    lines = "".join(f'  - "{path}"\n' for path in paths)
    return world._replace(config=f"exclude:\n{lines}")


def lenient(world: World, days: int) -> World:
    """``world`` with a configuration of kattest that gives records these days of grace."""
    return world._replace(config=f"lifecycle:\n  grace_days: {days}\n")


def within(file: str, root: str = ROOT) -> str:
    """The path, from the top, of a file of the memory root."""
    return f"{root}/{file}"


def path_of(record: Document, root: str = ROOT) -> str:
    """The path, from the top, of a record."""
    return within(file_of(record), root)


def entry_of(record: Document, field: str = "") -> str:
    """The pointer of a record's entry in the index, or of a field of it."""
    entry = f"/records/{record['id']}"
    return f"{entry}/{field}" if field else entry


def at(file: str, code: str, *pointers: str) -> tuple[Expected, ...]:
    """Findings in a file of the memory root; without pointers, one of the whole file."""
    return tuple(Expected(code, pointer, within(file)) for pointer in pointers or ("",))


def on(record: Document, code: str, *pointers: str) -> tuple[Expected, ...]:
    """Findings in the document of a record."""
    return at(file_of(record), code, *pointers)


def in_index(code: str, *pointers: str) -> tuple[Expected, ...]:
    """Findings in the index."""
    return at("index.json", code, *pointers)


def in_config(code: str, *pointers: str) -> tuple[Expected, ...]:
    """Findings in the configuration of the memory."""
    return at("config.json", code, *pointers)
