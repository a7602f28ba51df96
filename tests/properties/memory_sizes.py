"""Memories at sizes that no honest one has, each the files of a tree: see ``sizes``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import product
from typing import Any, TypeAlias

from tests.support.memory import (
    CONFIG,
    ROOT,
    STORED,
    archive,
    dumps,
    file_of,
    make_index,
    make_record,
    make_tree,
)

Files: TypeAlias = dict[str, bytes]

MIB = 1024 * 1024
YESTERDAY = STORED - timedelta(days=1)
"""A day before what the tests judge at."""

CASES: dict[str, Callable[[], Files]] = {}


def case(make: Callable[[], Files]) -> Callable[[], Files]:
    """Register a case under its function's name."""
    CASES[make.__name__] = make
    return make


def compact(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def with_index(**tables: Any) -> Files:
    """A memory of one record, with other tables in its index."""
    record = make_record(at=YESTERDAY)
    return make_tree(record) | {f"{ROOT}/index.json": compact(make_index([record]) | tables)}


def with_levels(levels: dict[str, float], records: Iterable[dict[str, Any]]) -> Files:
    """A memory whose configuration has these reward levels."""
    config = compact(CONFIG | {"reward_levels": levels})
    return make_tree(*records) | {f"{ROOT}/config.json": config}


@case
def memory_of_20_000_records() -> Files:
    return make_tree(*[make_record(f"s{number}", at=YESTERDAY) for number in range(20_000)])


@case
def memory_of_20_000_records_of_one_id() -> Files:
    record = make_record(at=YESTERDAY)
    inside = file_of(record).partition("/")[2]
    return {f"{ROOT}/d{number}/{inside}": dumps(record) for number in range(20_000)}


@case
def memory_of_ids_that_compose_to_one() -> Files:
    spellings = ("\u00e9", "e\u0301")
    slugs = ["".join(letters) for letters in product(spellings, repeat=14)]
    return make_tree(*[make_record(slug, at=YESTERDAY) for slug in slugs])


@case
def memory_of_5_000_roots() -> Files:
    record = make_record(at=YESTERDAY)
    files: Files = {}
    for number in range(5000):
        files |= make_tree(record, root=f"r{number}/{ROOT}")
    return files


@case
def index_of_strange_entries() -> Files:
    strange: tuple[Any, ...] = (
        None,
        [],
        7,
        "x",
        {},
        {"tier": 1},
        {"reward": "0.7", "x": 1},
        [[]],
        True,
        {"file": {}},
    )
    return with_index(records={f"r{n}": strange[n % len(strange)] for n in range(100_000)})


@case
def index_of_entries_without_fields() -> Files:
    return with_index(records={f"r{n}": {} for n in range(1_000_000)})


@case
def index_of_too_many_entries() -> Files:
    return with_index(records={f"r{n}": {} for n in range(2_100_000)})


@case
def index_of_entries_without_records() -> Files:
    [(_, entry)] = make_index([make_record(at=YESTERDAY)])["records"].items()
    return with_index(records={f"r{n}": entry for n in range(100_000)})


@case
def index_of_paths_out_of_the_root() -> Files:
    [(_, entry)] = make_index([make_record(at=YESTERDAY)])["records"].items()
    climbing = entry | {"file": "../" * 1000 + "etc/passwd"}
    return with_index(records={f"r{n}": climbing for n in range(20_000)})


@case
def index_of_slugs() -> Files:
    slugs = [f"s{n}" for n in range(1_000_000)]
    return with_index(by_domain={"banking": {"count": 1, "slugs": slugs, "avg_reward": 0.7}})


@case
def index_of_aggregates() -> Files:
    return with_index(by_skill={f"s{n}": {"count": 1, "avg_reward": 0.7} for n in range(300_000)})


@case
def index_of_open_brackets() -> Files:
    return make_tree(make_record(at=YESTERDAY)) | {f"{ROOT}/index.json": b"[" * (64 * MIB)}


@case
def index_beyond_the_limit() -> Files:
    return make_tree(make_record(at=YESTERDAY)) | {f"{ROOT}/index.json": b" " * (257 * MIB)}


@case
def reward_levels_of_one_value() -> Files:
    records = [make_record(f"s{n}", at=YESTERDAY) | {"reward_label": "x"} for n in range(500)]
    return with_levels({f"level{n}": 0.7 for n in range(400_000)}, records)


@case
def reward_levels_and_rewards() -> Files:
    records = [make_record(f"s{n}", at=YESTERDAY, reward=n / 5000) for n in range(5000)]
    return with_levels({f"level{n}": n / 400_000 for n in range(300_000)}, records)


@case
def archived_record_of_unknown_fields() -> Files:
    record = make_record(at=YESTERDAY - timedelta(days=100))
    cold = archive(record, YESTERDAY)
    unknown = {f"k{n}": 0 for n in range(500_000)}
    return make_tree(cold) | {f"{ROOT}/{file_of(cold)}": compact(cold | unknown)}


@case
def record_of_promises_that_are_none() -> Files:
    record = make_record(at=YESTERDAY)
    files = make_tree(record)
    record["context"]["upstream_promises"] = [0] * 3_000_000
    return files | {f"{ROOT}/{file_of(record)}": compact(record)}


@case
def known_domains_without_end() -> Files:
    config = CONFIG | {"known_domains": [f"_{n}" for n in range(500_000)]}
    return make_tree(make_record(at=YESTERDAY)) | {f"{ROOT}/config.json": compact(config)}
