"""Honest memory trees, made without kattest: the oracle of the tests of memory (protocol 1.1)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

Document: TypeAlias = dict[str, Any]

ROOT = ".keysarium/memory"
STORED = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)

CONFIG: Document = {
    "version": "1.1",
    "retention_days": 90,
    "max_results_per_query": 10,
    "enabled": True,
    "known_domains": ["banking", "retail", "enterprise", "healthcare"],
    "reward_levels": {"excellent": 1.0, "good": 0.7, "needs_work": 0.3, "failed": 0.0},
    "tier_hot_days": 30,
    "tier_warm_days": 90,
    "tier_cold_days": 180,
}
CONFIG_1_0: Document = {
    name: value for name, value in CONFIG.items() if not name.startswith("tier_")
} | {"version": "1.0"}
LABELS = {1.0: "excellent", 0.7: "good", 0.3: "needs_work", 0.0: "failed"}


def iso(moment: datetime) -> str:
    """RFC 3339 in UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stamp(moment: datetime) -> str:
    """A time as ids and file names have it."""
    return moment.strftime("%Y-%m-%dT%H-%M-%S")


def make_record(
    slug: str = "bank_kc_automation",
    phase: str = "phase-2",
    at: datetime = STORED,
    *,
    domain: str = "banking",
    skill: str = "goap-research-ed25519",
    reward: float = 0.7,
    version: str = "1.1",
    days: int | None = None,
) -> Document:
    """The protocol's example record, with what is given instead.

    It expires after ``days``: by default 180, or 90 in version 1.0; never where they are 0.
    """
    days = (90 if version == "1.0" else 180) if days is None else days
    return {
        "id": f"{slug}_{phase}_{stamp(at)}",
        "version": version,
        "timestamp": iso(at),
        "case_slug": slug,
        "domain": domain,
        "phase": phase,
        "phase_name": "Research",
        "skill_used": skill,
        "reward": reward,
        "reward_label": LABELS.get(reward, "good"),
        "reward_reason": "User requested minor edits to competitor analysis section",
        "context": {
            "phase_number": 2,
            "domain_detected": domain,
            "upstream_promises": ["DISCOVERY_COMPLETE", "CASE_EXPLORED"],
            "patterns_loaded": 3,
            "time_budget_pct": 15.0,
            "agent_count": 3,
        },
        "outcome": {
            "artifacts_created": ["02_research_findings.md"],
            "checkpoint_response": "ok, but expand the FinTech competitor section",
            "iterations": 2,
            "promise_emitted": "RESEARCH_PARANOID_PASSED",
        },
        "promise_tag": "RESEARCH_PARANOID_PASSED",
        "expires_at": iso(at + timedelta(days=days)) if days else None,
    }


def given_of(record: Document) -> Document:
    """What ``memory_store`` is given to make ``record``: all but what it sets itself."""
    own = {"id", "version", "timestamp", "promise_tag", "expires_at"}
    return {name: value for name, value in record.items() if name not in own}


def archive(record: Document, at: datetime) -> Document:
    """The archived record that ``record`` becomes at that moment."""
    summary = f"{record['reward_reason']}. {record['outcome']['checkpoint_response']}"
    return {
        "id": record["id"],
        "phase": record["phase"],
        "domain": record["domain"],
        "slug": record["case_slug"],
        "reward": record["reward"],
        "reward_label": record["reward_label"],
        "skill_used": record["skill_used"],
        "promise_tag": record["promise_tag"],
        "summary": summary[:200],
        "archived_at": iso(at),
        "original_timestamp": record["timestamp"],
    }


def is_cold(record: Document) -> bool:
    """Whether a document is an archived record."""
    return "archived_at" in record


def file_of(record: Document, folder: str | None = None) -> str:
    """Where a record lies below its root; ``folder`` instead of its domain's."""
    slug, moment = (
        (record["slug"], record["original_timestamp"])
        if is_cold(record)
        else (record["case_slug"], record["timestamp"])
    )
    domain = folder or record["domain"]
    inside = f"{domain}/_archive" if is_cold(record) else domain
    name = f"{record['phase']}_{moment[:19].replace(':', '-')}.json"
    return f"{inside}/{slug}/{name}"


def make_index(
    records: Iterable[Document],
    *,
    updated: datetime | None = None,
    tiers: Mapping[str, str] | None = None,
    days: int = 180,
    folder: str | None = None,
) -> Document:
    """The index of ``records``. ``tiers`` gives those that are neither hot nor cold, by id."""
    listed = list(records)
    entries: Document = {}
    for record in listed:
        moment = record["original_timestamp" if is_cold(record) else "timestamp"]
        stored = datetime.fromisoformat(moment.upper())
        cold_expiry = iso(stored + timedelta(days=days)) if days else None
        entries[record["id"]] = {
            "domain": record["domain"],
            "phase": record["phase"],
            "slug": record["slug" if is_cold(record) else "case_slug"],
            "reward": record["reward"],
            "skill": record["skill_used"],
            "tier": "cold" if is_cold(record) else (tiers or {}).get(record["id"], "hot"),
            "file": file_of(record, folder),
            "expires_at": cold_expiry if is_cold(record) else record["expires_at"],
        }
    changes = [(record.get("archived_at") or record["timestamp"]).upper() for record in listed]
    newest = max(map(datetime.fromisoformat, changes), default=STORED)
    return {
        "version": "1.0",
        "last_updated": iso(updated or newest),
        "record_count": len(entries),
        "by_domain": _aggregates(entries, "domain", slugs=True),
        "by_phase": _aggregates(entries, "phase"),
        "by_skill": _aggregates(entries, "skill"),
        "records": entries,
    }


def make_tree(
    *records: Document,
    config: Document | None = CONFIG,
    index: Document | bool = True,
    root: str = ROOT,
) -> dict[str, bytes]:
    """The files of a memory root with these records.

    ``index`` is the index, or whether there is one, made of the records.
    """
    files = {file_of(record): dumps(record) for record in records}
    if config is not None:
        files["config.json"] = dumps(config)
    if index is True:
        index = make_index(records)
    if index:
        files["index.json"] = dumps(index)
    return {f"{root}/{file}": data for file, data in files.items()}


def dumps(document: Any) -> bytes:
    """A document as the protocol's agents write it."""
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def copy(document: Document) -> Document:
    """A copy that shares nothing with ``document``."""
    return deepcopy(document)


def _aggregates(entries: Document, field: str, *, slugs: bool = False) -> Document:
    groups: dict[str, list[Document]] = {}
    for entry in entries.values():
        groups.setdefault(entry[field], []).append(entry)
    made: Document = {}
    for key, group in groups.items():
        made[key] = {"count": len(group)}
        if slugs:
            made[key]["slugs"] = sorted({entry["slug"] for entry in group})
        made[key]["avg_reward"] = round(sum(entry["reward"] for entry in group) / len(group), 2)
    return made
