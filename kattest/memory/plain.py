"""Plain records and entries of an index, read in one step, so that a large tree is read soon.

One is plain where it is written as the protocol writes it: all of its fields and no other, in the
protocol's order, each of its type, no escape in a string, nothing hidden. A regular expression,
made of the tables that ``parsing`` reads by, says so at once; in nothing that is plain could
``jsondoc`` or ``parsing`` find a fault. Everything else is read by those, and so is what is left of
an index.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property
from types import MappingProxyType

from kattest.fields import ARRAY, INTEGER, TEXT, TEXT_OR_NULL, JsonType
from kattest.instant import parse_timestamp
from kattest.jsondoc import INDEX_CONTAINERS, KEY_LENGTH, NotJsonError, number_of, parse
from kattest.memory.model import VERSIONS, ColdRecord, Index, IndexEntry, Record
from kattest.memory.parsing import (
    COLD_RECORD_TYPES,
    CONTEXT_TYPES,
    ENTRY_TYPES,
    OUTCOME_TYPES,
    RECORD_TYPES,
    parse_index,
)
from kattest.text import HIDING, may_hide

_BLANK = r"[ \t\n\r]*+"
_WHOLE = r"-?(?:0|[1-9][0-9]{0,30})"
_NUMBER = rf"{_WHOLE}(?:\.[0-9]{{1,30}})?"
_ENTRIES = re.compile(rf'"records"{_BLANK}:{_BLANK}\{{')
_END = re.compile(rf"\}}{_BLANK}\}}{_BLANK}")  # of the entries, and of the index with them


def plain_record(data: bytes, file: str) -> Record | None:
    """The active record that ``data`` is, if it is a plain one with a date of expiry."""
    text = _decoded(data)
    match = _grammar(text).record.fullmatch(text) if text else None
    if match is None:
        return None
    values = match.groups()
    record_id, version, timestamp, slug, domain, phase, skill, reward = values[:8]
    label, reason, response, promise, promise_tag, expires_at = values[8:]
    stored, expiry = parse_timestamp(timestamp), parse_timestamp(expires_at)
    if version not in VERSIONS or stored.instant is None or expiry.instant is None:
        return None
    return Record(
        file,
        record_id,
        version,
        slug,
        domain,
        phase,
        skill,
        number_of(reward),
        label,
        reason,
        response,
        promise_tag,
        (promise_tag, promise),
        stored,
        expiry,
    )


def plain_cold_record(data: bytes, file: str) -> ColdRecord | None:
    """The archived record that ``data`` is, if it is a plain one."""
    text = _decoded(data)
    match = _grammar(text).cold_record.fullmatch(text) if text else None
    if match is None:
        return None
    values = match.groups()
    record_id, phase, domain, slug, reward, label, skill = values[:7]
    promise_tag, summary, archived_at, timestamp = values[7:]
    stored, archived = parse_timestamp(timestamp), parse_timestamp(archived_at)
    if stored.instant is None or archived.instant is None:
        return None
    return ColdRecord(
        file,
        record_id,
        slug,
        domain,
        phase,
        skill,
        number_of(reward),
        label,
        promise_tag,
        summary,
        stored,
        archived,
    )


def plain_index(data: bytes) -> Index | None:
    """The index that ``data`` is, if all of its entries are plain and nothing follows them.

    The entries are cut out, and what is left is read the long way: an index without any.
    """
    text = _decoded(data)
    start = _ENTRIES.search(text) if text else None
    if not text or not start:
        return None
    entries, end = _entries(text, start.end())
    if entries is None or not _END.fullmatch(text, end):
        return None
    index = _without_fault(text[: start.end()] + text[end:])
    return index._replace(records=entries) if index else None


def _without_fault(text: str) -> Index | None:
    """An index in which there is nothing to note."""
    try:
        document = parse(text.encode())
    except NotJsonError:
        return None
    index, faults = parse_index(document.value, lasting=False)
    if faults or document.duplicates or "\\" in text or may_hide(text):
        return None
    return index


def _entries(text: str, offset: int) -> tuple[dict[str, IndexEntry] | None, int]:
    """The plain entries from ``offset`` on by their id, and where they end.

    None where there are too many, or two of one id.
    """
    entries: dict[str, IndexEntry] = {}
    number, end = 0, offset
    match_entry = _grammar(text).entry.match
    while match := match_entry(text, end):
        record_id, domain, phase, slug, reward, skill, tier, file, expires_at = match.groups()
        expiry = parse_timestamp(expires_at)
        if expiry.instant is None:
            return None, end
        entries[record_id] = IndexEntry(
            domain, phase, slug, number_of(reward), skill, file, expiry, tier
        )
        number += 1
        end = match.end()
    return (entries if len(entries) == number <= INDEX_CONTAINERS // 2 else None), end


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


class _Grammar:
    """What plain documents are made of, with strings of some class of characters."""

    def __init__(self, character: str) -> None:
        self._character = character
        string = f'"{character}*+"'
        self._strings = rf"\[{_BLANK}(?:{string}{_BLANK}(?:,{_BLANK}{string}{_BLANK})*+)?\]"

    @cached_property
    def record(self) -> re.Pattern[str]:
        """A whole active record."""
        inside = {
            "context": self._object(CONTEXT_TYPES, left_out=CONTEXT_TYPES),
            "outcome": self._object(OUTCOME_TYPES, left_out=("iterations",)),
        }
        members = self._object(RECORD_TYPES, left_out=("phase_name",), inside=inside)
        return re.compile(f"{_BLANK}{members}{_BLANK}")

    @cached_property
    def cold_record(self) -> re.Pattern[str]:
        """A whole archived record."""
        return re.compile(f"{_BLANK}{self._object(COLD_RECORD_TYPES)}{_BLANK}")

    @cached_property
    def entry(self) -> re.Pattern[str]:
        """An entry of the index: the first behind the bracket, each of the others by a comma."""
        before = r"(?:(?<=\{)|(?<!\{),)"
        key = rf'"({self._character}{{0,{KEY_LENGTH}}}+)"'
        entry = self._object(ENTRY_TYPES)
        return re.compile(f"{before}{_BLANK}{key}{_BLANK}:{_BLANK}{entry}{_BLANK}")

    def _object(
        self,
        types: Mapping[str, JsonType],
        left_out: Collection[str] = (),
        inside: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """An object with these members, each a group but those ``left_out`` and ``inside``."""
        members = []
        for name, kind in types.items():
            value = inside.get(name) or self._value(kind, "(?:" if name in left_out else "(")
            members.append(f'{_BLANK}"{name}"{_BLANK}:{_BLANK}{value}{_BLANK}')
        return r"\{" + ",".join(members) + r"\}"

    def _value(self, kind: JsonType, group: str) -> str:
        """A value of a type; every array of a record holds strings."""
        if kind is TEXT:
            return f'"{group}{self._character}*+)"'
        if kind is TEXT_OR_NULL:
            return f'(?:"{group}{self._character}*+)"|null)'
        if kind is ARRAY:
            return self._strings
        return f"{group}{_WHOLE if kind is INTEGER else _NUMBER})"


# ASCII alone is known sooner, and most documents hold nothing else.
_ASCII = _Grammar(r"[ !#-\[\]-~]")
_ANY = _Grammar(rf'[^"\\\x00-\x1f{HIDING}]')


def _grammar(text: str) -> _Grammar:
    return _ASCII if text.isascii() else _ANY
