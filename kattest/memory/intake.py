"""What ``memory_store`` is given, and the record that it becomes (protocol, memory_store)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from kattest.fields import shown
from kattest.instant import Instant, Timestamp
from kattest.jsondoc import JsonValue, Number
from kattest.memory.layout import (
    UNKNOWN_DOMAIN,
    Place,
    file_of,
    place_of,
    record_file,
    record_id,
    stamp_of,
)
from kattest.memory.lifecycle import expiry_date
from kattest.memory.model import VERSIONS, MemoryConfig, Record
from kattest.memory.parsing import RECORD_TYPES, parse_record
from kattest.paths import blind
from kattest.text import quote, unsafe_characters

_WRITTEN = ("id", "version", "timestamp", "promise_tag", "expires_at")  # by the writer itself
_LONGEST_NAME = 255  # bytes of a file's or folder's name, on most systems
_SOME_TIME = Timestamp("2026-01-01T00:00:00Z", Instant(1767225600))  # for what has none yet


class NewRecord(NamedTuple):
    """A record to be written: its model, and the document that it is."""

    record: Record
    document: dict[str, JsonValue]


def faults_in(value: JsonValue, config: MemoryConfig) -> tuple[str, ...]:
    """Everything that keeps ``value`` from being stored; nothing for a sound one.

    It may hold no field that a record does not have: a misspelt one would be lost in silence.
    """
    if not isinstance(value, dict):
        return (f"a record must be an object, not {shown(value)}",)
    own = tuple(f'"{name}" is set by kattest: leave it out' for name in _WRITTEN if name in value)
    record, faults = parse_record(_document(value, _SOME_TIME, "1.1"), "", VERSIONS)
    # The promise is taken from the outcome, and examined there.
    amiss = tuple(
        f"{fault.message} ({fault.pointer})" for fault in faults if fault.pointer != "/promise_tag"
    )
    return own or amiss or tuple(_value_faults(record, config))


def new_record(
    value: dict[str, JsonValue], config: MemoryConfig, now: Instant, taken: Collection[str]
) -> NewRecord:
    """The record of a sound ``value``: at ``now``, or the last second before it that is free.

    ``taken`` are the ids that there are, as ``paths.blind`` has them. A second after ``now`` would
    be no way out: a record of the future is a fault (rule KA207).
    """
    version = "1.1" if config.tiers else "1.0"
    stored = Instant(now.seconds)
    while True:
        document = _document(value, Timestamp(stored.isoformat(), stored), version)
        record_id = str(document["id"])
        if blind(record_id) not in taken:
            break
        stored = Instant(stored.seconds - 1)
    record = parse_record(document, _file(document, config), VERSIONS).model
    expiry = expiry_date(record, config)
    expires_at = Timestamp(expiry.precise(), expiry) if expiry else None
    document["expires_at"] = expires_at.text if expires_at else None
    return NewRecord(record._replace(expires_at=expires_at), document)


def folder_of(domain: str, config: MemoryConfig) -> str:
    """The folder of a domain: its own, or the one of all that are not known."""
    known = config.known_domains
    return domain if not known or domain in known else UNKNOWN_DOMAIN


def _document(value: dict[str, JsonValue], stored: Timestamp, version: str) -> dict[str, JsonValue]:
    """The record of ``value`` in the protocol's order, without its date of expiry."""
    slug, phase, outcome = value.get("case_slug"), value.get("phase"), value.get("outcome")
    stamp = stamp_of(stored) or ""
    written: dict[str, JsonValue] = {
        "id": record_id(str(slug), str(phase), stamp),
        "version": version,
        "timestamp": stored.text,
        "promise_tag": outcome.get("promise_emitted") if isinstance(outcome, dict) else None,
        "expires_at": None,
    }
    known = {
        name: written[name] if name in written else value[name]
        for name in RECORD_TYPES
        if name in written or name in value
    }
    return known | {name: given for name, given in value.items() if name not in known}


def _file(document: dict[str, JsonValue], config: MemoryConfig) -> str:
    stamp = str(document["id"])[-len("2026-01-01T00-00-00") :]
    domain, slug, phase = (str(document[name]) for name in ("domain", "case_slug", "phase"))
    return record_file(folder_of(domain, config), slug, phase, stamp, False)  # noqa: FBT003 - a Place


def _value_faults(record: Record, config: MemoryConfig) -> Iterator[str]:
    yield from _name_faults(record, config)
    reward = record.reward
    if reward is not None:
        yield from _reward_faults(reward, record.label or "", config)


def _name_faults(record: Record, config: MemoryConfig) -> Iterator[str]:
    names = {"case_slug": record.slug, "domain": record.domain, "phase": record.phase}
    for name, text in names.items():
        if not text or unsafe_characters(text) or text != text.strip():
            yield f'"{name}" must name a folder or file, and {quote(text or "")} cannot'
            return
    stamp = stamp_of(_SOME_TIME) or ""
    place = Place(
        folder_of(record.domain or "", config),
        record.slug or "",
        record.phase or "",
        stamp,
        is_archived=False,
    )
    is_long = any(len(part.encode()) > _LONGEST_NAME for part in file_of(place).split("/"))
    if is_long or place_of(file_of(place)) != place:
        yield f"domain, case_slug and phase make the path {quote(file_of(place))}, which cannot be"


def _reward_faults(reward: Number, label: str, config: MemoryConfig) -> Iterator[str]:
    value = reward.value
    if value.is_signed() or value > 1:
        yield f"the reward {reward.lexeme} is not from 0 to 1"
    levels = config.reward_levels or {}
    labels = [name for name, level in levels.items() if level == value]
    if labels and label not in labels:
        yield f"the reward {reward.lexeme} is called {quote(labels[0])}, not {quote(label)}"
