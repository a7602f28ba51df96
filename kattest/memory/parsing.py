"""Parsed JSON documents to the models of a memory root, with a note of every field amiss."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from kattest.fields import (
    ARRAY,
    BOOLEAN,
    INTEGER,
    NUMBER,
    OBJECT,
    TEXT,
    TEXT_OR_NULL,
    FaultKind,
    FieldFault,
    FieldFaults,
    Shape,
    object_at,
    type_name,
)
from kattest.instant import Timestamp, parse_timestamp
from kattest.jsondoc import JsonValue, Number, pointer_to
from kattest.memory.model import (
    TIER_FIELDS,
    VERSIONS,
    Aggregate,
    ColdRecord,
    ConfigFile,
    Index,
    IndexEntry,
    Record,
)
from kattest.text import quote

Model = TypeVar("Model")

_ONLY_TEXT = {str}

RECORD_TYPES = {
    "id": TEXT,
    "version": TEXT,
    "timestamp": TEXT,
    "case_slug": TEXT,
    "domain": TEXT,
    "phase": TEXT,
    "phase_name": TEXT,
    "skill_used": TEXT,
    "reward": NUMBER,
    "reward_label": TEXT,
    "reward_reason": TEXT,
    "context": OBJECT,
    "outcome": OBJECT,
    "promise_tag": TEXT_OR_NULL,
    "expires_at": TEXT,
}
_RECORD = Shape(RECORD_TYPES)
_LASTING_RECORD = Shape(RECORD_TYPES | {"expires_at": TEXT_OR_NULL}, optional=("expires_at",))
CONTEXT_TYPES = {
    "phase_number": NUMBER,
    "domain_detected": TEXT,
    "upstream_promises": ARRAY,
    "patterns_loaded": INTEGER,
    "time_budget_pct": NUMBER,
    "agent_count": INTEGER,
}
_CONTEXT = Shape(CONTEXT_TYPES)
_PROMISES = [*CONTEXT_TYPES].index("upstream_promises")
OUTCOME_TYPES = {
    "artifacts_created": ARRAY,
    "checkpoint_response": TEXT,
    "iterations": INTEGER,
    "promise_emitted": TEXT_OR_NULL,
}
_OUTCOME = Shape(OUTCOME_TYPES)
COLD_RECORD_TYPES = {
    "id": TEXT,
    "phase": TEXT,
    "domain": TEXT,
    "slug": TEXT,
    "reward": NUMBER,
    "reward_label": TEXT,
    "skill_used": TEXT,
    "promise_tag": TEXT_OR_NULL,
    "summary": TEXT,
    "archived_at": TEXT,
    "original_timestamp": TEXT,
}
_COLD_RECORD = Shape(COLD_RECORD_TYPES)
_CONFIG = Shape(
    {
        "version": TEXT,
        "retention_days": INTEGER,
        "max_results_per_query": INTEGER,
        "enabled": BOOLEAN,
        "known_domains": ARRAY,
        "reward_levels": OBJECT,
        **dict.fromkeys(TIER_FIELDS, INTEGER),
    },
    optional=TIER_FIELDS,
)
_INDEX = Shape(
    {
        "version": TEXT,
        "last_updated": TEXT,
        "record_count": INTEGER,
        "by_domain": OBJECT,
        "by_phase": OBJECT,
        "by_skill": OBJECT,
        "records": OBJECT,
    }
)
ENTRY_TYPES = {
    "domain": TEXT,
    "phase": TEXT,
    "slug": TEXT,
    "reward": NUMBER,
    "skill": TEXT,
    "tier": TEXT,
    "file": TEXT,
    "expires_at": TEXT,
}
_ENTRY = Shape(ENTRY_TYPES)
_LASTING_ENTRY = Shape(ENTRY_TYPES | {"expires_at": TEXT_OR_NULL}, optional=("expires_at",))
_AGGREGATE = Shape({"count": INTEGER, "avg_reward": NUMBER})
_DOMAIN_AGGREGATE = Shape({"count": INTEGER, "avg_reward": NUMBER, "slugs": ARRAY})


_PROMISE_POINTERS = ("", "/promise_tag", "/outcome", "/outcome/promise_emitted")


class Parsed(NamedTuple, Generic[Model]):
    """A model and the faults of the fields that it was read from."""

    model: Model
    faults: tuple[FieldFault, ...]


def parse_record(value: JsonValue, file: str, lasting: Collection[str]) -> Parsed[Record]:
    """Read an active record. In ``lasting`` versions ``expires_at`` may be null or missing."""
    faults = FieldFaults()
    is_lasting = isinstance(value, dict) and value.get("version") in lasting
    values = _read(_LASTING_RECORD if is_lasting else _RECORD, value, "a record", faults)
    record_id, version, timestamp, slug, domain, phase, _, skill = values[:8]
    reward, label, reason, context, outcome, promise_tag, expires_at = values[8:]
    response, promise = _response_and_promise(context, outcome, faults)
    are_known = not any(fault.pointer in _PROMISE_POINTERS for fault in faults.all())
    _check_version(version, faults)
    record = Record(
        file,
        record_id,
        version,
        slug,
        domain,
        phase,
        skill,
        reward,
        label,
        reason,
        response,
        promise_tag,
        (promise_tag, promise) if are_known else None,
        _time(timestamp, "/timestamp", faults),
        _time(expires_at, "/expires_at", faults),
    )
    return Parsed(record, faults.all())


def parse_cold_record(value: JsonValue, file: str) -> Parsed[ColdRecord]:
    """Read an archived record. Unknown fields are no faults: rule KA210 reads them off it."""
    faults = FieldFaults()
    values = _read(_COLD_RECORD, value, "an archived record", faults)
    record_id, phase, domain, slug, reward, label = values[:6]
    skill, promise_tag, summary, archived_at, timestamp = values[6:]
    record = ColdRecord(
        file,
        record_id,
        slug,
        domain,
        phase,
        skill,
        reward,
        label,
        promise_tag,
        summary,
        _time(timestamp, "/original_timestamp", faults),
        _time(archived_at, "/archived_at", faults),
        _COLD_RECORD.unknown(value) if isinstance(value, dict) else (),
    )
    schema = tuple(fault for fault in faults.all() if fault.kind is FaultKind.SCHEMA)
    return Parsed(record, schema)


def parse_config(value: JsonValue) -> Parsed[ConfigFile]:
    """Read ``config.json``."""
    faults = FieldFaults()
    values = _read(_CONFIG, value, "the configuration", faults)
    version, retention_days, max_results, enabled, known_domains, reward_levels, *tiers = values
    _check_version(version, faults)
    present = value if isinstance(value, dict) else {}
    config = ConfigFile(
        version=version,
        retention_days=_integer(retention_days),
        max_results=_integer(max_results),
        enabled=enabled,
        known_domains=_strings(known_domains, "/known_domains", faults),
        reward_levels=None if reward_levels is None else _levels(reward_levels, faults),
        tiers={
            name: _integer(days)
            for name, days in zip(TIER_FIELDS, tiers, strict=True)
            if name in present
        },
    )
    return Parsed(config, faults.all())


def parse_index(value: JsonValue, *, lasting: bool) -> Parsed[Index]:
    """Read ``index.json``. With ``lasting`` records ``expires_at`` may be null or missing."""
    faults = FieldFaults()
    version, last_updated, record_count, by_domain, by_phase, by_skill, records = _read(
        _INDEX, value, "the index", faults
    )
    _check_version(version, faults)
    index = Index(
        last_updated=_time(last_updated, "/last_updated", faults),
        record_count=_integer(record_count),
        by_domain=_aggregates(by_domain, "/by_domain", faults, has_slugs=True),
        by_phase=_aggregates(by_phase, "/by_phase", faults),
        by_skill=_aggregates(by_skill, "/by_skill", faults),
        records=_entries(records, _LASTING_ENTRY if lasting else _ENTRY, faults),
    )
    return Parsed(index, faults.all())


def _read(
    shape: Shape, value: JsonValue, what: str, faults: FieldFaults, pointer: str = ""
) -> tuple[Any, ...]:
    """The values of the object at ``pointer``; by default of a whole document."""
    if isinstance(value, dict):
        return shape.read(value, pointer, faults)
    # What is no object at all has one fault, not that of each member too.
    return shape.read(object_at(value, pointer, what, faults), pointer, FieldFaults())


def _response_and_promise(
    context: dict[str, JsonValue] | None, outcome: dict[str, JsonValue] | None, faults: FieldFaults
) -> tuple[str | None, str | None]:
    """What a record's outcome says that other documents repeat; both objects are examined."""
    if context is not None:
        promises = _CONTEXT.read(context, "/context", faults)[_PROMISES]
        _strings(promises, "/context/upstream_promises", faults)
    if outcome is None:
        return None, None
    artifacts, response, _, promise = _OUTCOME.read(outcome, "/outcome", faults)
    _strings(artifacts, "/outcome/artifacts_created", faults)
    return response, promise


def _entries(
    members: dict[str, JsonValue] | None, shape: Shape, faults: FieldFaults
) -> dict[str, IndexEntry] | None:
    if members is None:
        return None
    entries = {}
    for record_id, value in members.items():
        values = shape.sound(value) if isinstance(value, dict) else None
        if values is None:
            values = _read(shape, value, "an entry", faults, pointer_to("/records", record_id))
        domain, phase, slug, reward, skill, tier, file, expires_at = values
        expiry = None if expires_at is None else parse_timestamp(expires_at)
        if expiry and expiry.instant is None:
            _time(expires_at, pointer_to(pointer_to("/records", record_id), "expires_at"), faults)
        entries[record_id] = IndexEntry(domain, phase, slug, reward, skill, file, expiry, tier)
    return entries


def _aggregates(
    members: dict[str, JsonValue] | None,
    table: str,
    faults: FieldFaults,
    *,
    has_slugs: bool = False,
) -> dict[str, Aggregate] | None:
    if members is None:
        return None
    shape = _DOMAIN_AGGREGATE if has_slugs else _AGGREGATE
    aggregates = {}
    for key, value in members.items():
        pointer = pointer_to(table, key)
        size, average, *slugs = _read(shape, value, "an aggregate", faults, pointer)
        aggregates[key] = Aggregate(
            size=_integer(size),
            avg_reward=None if average is None else average.value,
            slugs=_strings(slugs[0], pointer_to(pointer, "slugs"), faults) if slugs else None,
        )
    return aggregates


def _check_version(version: str | None, faults: FieldFaults) -> None:
    if version is not None and version not in VERSIONS:
        known = " or ".join(map(quote, VERSIONS))
        faults.schema("/version", f'"version" must be {known}, not {quote(version)}')


def _time(text: str | None, pointer: str, faults: FieldFaults) -> Timestamp | None:
    """The time at ``pointer``; None where there is none."""
    if text is None:
        return None
    timestamp = parse_timestamp(text)
    if timestamp.instant is None:
        name = pointer.rpartition("/")[2]
        message = f'"{name}" must be an RFC 3339 time with a zone, not {quote(text)}'
        faults.schema(pointer, message)
    return timestamp


def _integer(number: Number | None) -> int | None:
    return None if number is None else int(number.lexeme)


def _strings(
    elements: list[JsonValue] | None, pointer: str, faults: FieldFaults
) -> tuple[str, ...] | None:
    """The array of strings at ``pointer``; None where there is none, or it holds others too."""
    if elements is None:
        return None
    if {*map(type, elements)} <= _ONLY_TEXT:
        return tuple(map(str, elements))
    name = pointer.rpartition("/")[2]
    for number, element in enumerate(elements):
        if not isinstance(element, str):
            message = f'"{name}" must hold strings, not {type_name(element)}'
            faults.schema(pointer_to(pointer, number), message)
    return None


def _levels(members: Mapping[str, JsonValue], faults: FieldFaults) -> dict[str, Number] | None:
    levels = {name: value for name, value in members.items() if isinstance(value, Number)}
    for name, value in members.items():
        if name not in levels:
            message = f"the level {quote(name)} must be a number, not {type_name(value)}"
            faults.schema(pointer_to("/reward_levels", name), message)
    return levels if len(levels) == len(members) else None
