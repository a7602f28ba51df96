"""What ``memory_store`` is given, and the record that it becomes (protocol, memory_store)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from kattest.fields import shown
from kattest.instant import Instant, Timestamp
from kattest.jsondoc import JsonValue, Number
from kattest.memory.configuration import is_reward, labels_by_reward
from kattest.memory.layout import Place, file_of, folder_of, id_at, place_of, record_id, stamp_of
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
    if own or amiss or record.reward is None:
        return own or amiss
    rewards = _reward_faults(record.reward, record.label or "", config)
    return (*_name_faults(value, config), *rewards)


def new_record(
    value: dict[str, JsonValue], config: MemoryConfig, now: Instant, taken: Collection[str]
) -> NewRecord:
    """The record of a sound ``value``: at ``now``, or the last second before it that is free.

    ``taken`` are the ids that there are, as ``paths.blind`` has them. A second after ``now`` would
    be no way out: a record of the future is a fault (rule KA207).
    """
    stored = _second(now.seconds)
    while blind(id_at(_place(value, stored, config))) in taken:
        stored = _second((stored.instant or now).seconds - 1)
    document = _document(value, stored, "1.1" if config.tiers else "1.0")
    record = parse_record(document, file_of(_place(value, stored, config)), VERSIONS).model
    expiry = expiry_date(record, config)
    expires_at = Timestamp(expiry.precise(), expiry) if expiry else None
    document["expires_at"] = expires_at.text if expires_at else None
    return NewRecord(record._replace(expires_at=expires_at), document)


def _second(seconds: int) -> Timestamp:
    moment = Instant(seconds)
    return Timestamp(moment.isoformat(), moment)


def _place(value: Mapping[str, JsonValue], stored: Timestamp, config: MemoryConfig) -> Place:
    domain, slug, phase = (str(value[name]) for name in ("domain", "case_slug", "phase"))
    folder = folder_of(domain, config.known_domains)
    return Place(folder, slug, phase, stamp_of(stored) or "", is_archived=False)


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


def _name_faults(value: Mapping[str, JsonValue], config: MemoryConfig) -> Iterator[str]:
    for name in ("case_slug", "domain", "phase"):
        text = str(value[name])
        if not text or unsafe_characters(text) or text != text.strip():
            yield f'"{name}" must name a folder or file, and {quote(text)} cannot'
            return
    place = _place(value, _SOME_TIME, config)
    is_long = any(len(part.encode()) > _LONGEST_NAME for part in file_of(place).split("/"))
    if is_long or place_of(file_of(place)) != place:
        yield f"domain, case_slug and phase make the path {quote(file_of(place))}, which cannot be"


def _reward_faults(reward: Number, label: str, config: MemoryConfig) -> Iterator[str]:
    if not is_reward(reward):
        yield f"the reward {reward.lexeme} is not from 0 to 1"
    labels = labels_by_reward(config.reward_levels).get(reward.value, {})
    if labels and label not in labels:
        name = next(iter(labels))
        yield f"the reward {reward.lexeme} is called {quote(name)}, not {quote(label)}"
