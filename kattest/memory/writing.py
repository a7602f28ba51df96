"""Documents of a memory as the writer lays them out (protocol, schemas of the memory text)."""

from __future__ import annotations

from collections.abc import Mapping

from kattest.instant import Timestamp
from kattest.jsondoc import Number
from kattest.jsontext import Writable, render, rounded
from kattest.memory.configuration import (
    DEFAULT_DOMAINS,
    DEFAULT_LEVELS,
    DEFAULT_RETENTION,
    DEFAULT_TIERS,
)
from kattest.memory.model import TIER_FIELDS, Aggregate, ColdRecord, Index, IndexEntry

DEFAULT_RESULTS = 10  # of a query
_PLACES = 4  # decimals of an average; two could miss it by all that is allowed


def default_config_document() -> bytes:
    """``config.json`` with the defaults of protocol 1.1."""
    return render(
        {
            "version": "1.1",
            "retention_days": DEFAULT_RETENTION.days,
            "max_results_per_query": DEFAULT_RESULTS,
            "enabled": True,
            "known_domains": DEFAULT_DOMAINS,
            "reward_levels": {name: rounded(n, 1) for name, n in DEFAULT_LEVELS.items()},
            **dict(zip(TIER_FIELDS, DEFAULT_TIERS, strict=True)),
        }
    )


def cold_record_document(record: ColdRecord) -> bytes:
    """An archived record."""
    return render(
        {
            "id": record.id,
            "phase": record.phase,
            "domain": record.domain,
            "slug": record.slug,
            "reward": record.reward,
            "reward_label": record.label,
            "skill_used": record.skill,
            "promise_tag": record.promise_tag,
            "summary": record.summary,
            "archived_at": _text(record.archived_at),
            "original_timestamp": _text(record.timestamp),
        }
    )


def index_document(index: Index) -> bytes:
    """``index.json``. Its version is the one that the protocol's example has."""
    return render(
        {
            "version": "1.0",
            "last_updated": _text(index.last_updated),
            "record_count": index.record_count,
            "by_domain": _aggregates(index.by_domain or {}),
            "by_phase": _aggregates(index.by_phase or {}),
            "by_skill": _aggregates(index.by_skill or {}),
            "records": {key: _entry(entry) for key, entry in (index.records or {}).items()},
        }
    )


def average(aggregate: Aggregate) -> Number:
    """The average reward of an aggregate, as documents have it."""
    return rounded(aggregate.avg_reward or Number("0").value, _PLACES)


def _aggregates(table: Mapping[str, Aggregate]) -> dict[str, Writable]:
    made: dict[str, Writable] = {}
    for key, aggregate in sorted(table.items()):
        slugs = {} if aggregate.slugs is None else {"slugs": aggregate.slugs}
        made[key] = {"count": aggregate.size, **slugs, "avg_reward": average(aggregate)}
    return made


def _entry(entry: IndexEntry) -> dict[str, Writable]:
    return {
        "domain": entry.domain,
        "phase": entry.phase,
        "slug": entry.slug,
        "reward": entry.reward,
        "skill": entry.skill,
        "tier": entry.tier,
        "file": entry.file,
        "expires_at": _text(entry.expires_at),
    }


def _text(timestamp: Timestamp | None) -> str | None:
    return timestamp.text if timestamp else None
