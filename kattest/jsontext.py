"""Documents to JSON text, as the protocol's examples are laid out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring
from typing import TypeAlias

from kattest.jsondoc import Number

Writable: TypeAlias = (
    "Mapping[str, Writable] | Sequence[Writable] | str | Number | int | Decimal | None"
)
"""What can be written: parsed values, and Python's own in their place."""

_INDENT = "  "
_LARGE = Decimal(10) ** 15


def rounded(value: Decimal, places: int) -> Number:
    """``value`` to at most so many decimals, half to even, and to at least one.

    One that is too large for decimals to matter is written with an exponent.
    """
    if abs(value) >= _LARGE:
        return Number(f"{value:e}")
    whole, _, decimals = f"{round(value, places):f}".partition(".")
    return Number(f"{whole}.{decimals.rstrip('0') or 0}")


def render(value: Writable) -> bytes:
    """``value`` as a document: UTF-8, indented by two, with a line feed at its end.

    Numbers keep the text that they were read with, members their order. Bytes of a file name that
    are not UTF-8 come out as JSON spells lone surrogates.
    """
    return f"{_text(value, '')}\n".encode("utf-8", "backslashreplace")


def _text(value: Writable, indent: str) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, Number | int | Decimal):
        return _atom(value)
    inside = indent + _INDENT
    if isinstance(value, Mapping):
        members = (f"{encode_basestring(key)}: {_text(v, inside)}" for key, v in value.items())
        return _enclosed("{", members, "}", indent)
    return _enclosed("[", (_text(element, inside) for element in value), "]", indent)


def _atom(value: Number | int | Decimal | None) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Number):
        return value.lexeme
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _enclosed(opening: str, parts: Iterable[str], closing: str, indent: str) -> str:
    lines = f",\n{indent}{_INDENT}".join(parts)
    return f"{opening}\n{indent}{_INDENT}{lines}\n{indent}{closing}" if lines else opening + closing
