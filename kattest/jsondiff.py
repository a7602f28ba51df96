"""Where two JSON values differ. Numbers are compared by their value, members in any order."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from kattest.jsondoc import JsonValue, Number, pointer_to
from kattest.text import quote

_SHOWN = 3  # differences in one message


class _Absent(Enum):
    ABSENT = "absent"


class Difference(NamedTuple):
    """A place where two values differ, and a text for each; pointers are those of the values."""

    pointer: str
    before: str
    after: str

    @property
    def text(self) -> str:
        """What differs, for a message."""
        return f"{self.pointer or 'the whole'} was {self.before} and is {self.after}"


def differences(
    before: JsonValue | _Absent, after: JsonValue | _Absent, pointer: str = ""
) -> Iterator[Difference]:
    """The innermost places where ``before`` and ``after`` differ, in the order of their names."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            one, other = before.get(key, _Absent.ABSENT), after.get(key, _Absent.ABSENT)
            yield from differences(one, other, pointer_to(pointer, key))
    elif isinstance(before, list) and isinstance(after, list):
        for number in range(max(len(before), len(after))):
            one = before[number] if number < len(before) else _Absent.ABSENT
            other = after[number] if number < len(after) else _Absent.ABSENT
            yield from differences(one, other, pointer_to(pointer, number))
    elif not _is_same(before, after):
        yield Difference(pointer, _text(before), _text(after))


def is_equal(before: JsonValue, after: JsonValue) -> bool:
    """Whether two values are the same."""
    return before == after or next(differences(before, after), None) is None


def summary(found: list[Difference]) -> str:
    """The first few of some differences, and how many there are."""
    shown = ", ".join(difference.text for difference in found[:_SHOWN])
    more = len(found) - _SHOWN
    return f"{shown}, and {more} more" if more > 0 else shown


def _is_same(before: JsonValue | _Absent, after: JsonValue | _Absent) -> bool:
    if isinstance(before, Number) and isinstance(after, Number):
        return before.value == after.value
    return type(before) is type(after) and before == after


def _text(value: JsonValue | _Absent) -> str:
    if isinstance(value, _Absent):
        return "absent"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, Number):
        return value.lexeme
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    return "null" if value is None else str(value).lower()
