"""Strict JSON: bytes to a document whose every value can be traced back to its line and column.

The standard library parses; this module refuses what it lets through (byte-order marks, NaN,
lone surrogates, unbounded depth and numbers), keeps number lexemes, and finds places in the
text only when a finding needs them.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, NoReturn, TypeAlias

NESTING = 64  # how deep arrays and objects may stand in each other
CONTAINERS = 200_000  # arrays and objects of one document
KEY_LENGTH = 1000  # characters of an object's key: every finding inside repeats it
NUMBER_LENGTH = 128  # characters of a number's lexeme
NUMBER_EXPONENT = 308  # the largest exponent, either sign: what a binary64 number can hold

_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|([\[{])|([\]}])', re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}:,]|[^\s"\[\]{}:,]+', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONSTANTS = ("NaN", "Infinity", "-Infinity")


class Number(NamedTuple):
    """A JSON number, kept as the text the document holds."""

    lexeme: str

    @property
    def value(self) -> Decimal:
        """The number's exact value."""
        return Decimal(self.lexeme)

    @property
    def is_integer(self) -> bool:
        """Whether the lexeme has neither fraction nor exponent."""
        return self.lexeme.lstrip("-").isdigit()


JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | Number | bool | None"


class NotJsonError(Exception):
    """Bytes that are not strict JSON. ``line`` and ``column`` count from 1, in code points."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class Place(NamedTuple):
    """Where one value stands: its pointer, its offset and, for a member, the key's offset."""

    pointer: str
    offset: int
    key_offset: int | None


class DuplicateKey(NamedTuple):
    """A key that its object had already. Offsets are those of the two keys."""

    pointer: str
    key: str
    offset: int
    first_offset: int


class Document(NamedTuple):
    """A parsed document. Where a key is repeated, ``value`` holds the last of its values."""

    value: JsonValue
    text: str
    duplicates: tuple[DuplicateKey, ...]

    def positions(
        self, pointers: Iterable[str], *, at_key: bool = False
    ) -> dict[str, tuple[int, int]]:
        """Line and column of each pointer's value, or of its key, from one walk over the text.

        A pointer to nothing (a missing member) gets the place of the nearest value around it.
        """
        wanted = set(pointers)
        around = {ancestor for pointer in wanted for ancestor in _ancestors(pointer)}
        offsets = {
            place.pointer: place.key_offset
            if at_key and place.key_offset is not None
            else place.offset
            for place in _walk(self.text)
            if place.pointer in around
        }
        lines = Lines(self.text)
        return {
            pointer: lines.position(
                next(offsets[ancestor] for ancestor in _ancestors(pointer) if ancestor in offsets)
            )
            for pointer in wanted
        }


class Lines:
    """Offsets in a text to lines and columns. A line ends at a line feed, CR LF included."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of ``offset``, counting from 1, columns in code points."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def parse(data: bytes) -> Document:
    """Parse strict JSON (RFC 8259, UTF-8) within the bounds of this module.

    Raises NotJsonError at the first place that is not.
    """
    text = _decode(data)
    _check_containers(text)
    builder = _Builder()
    decoder = json.JSONDecoder(
        object_pairs_hook=builder,
        parse_int=_number,
        parse_float=_number,
        parse_constant=_refuse_constant,
    )
    try:
        value = decoder.decode(text)
    except json.JSONDecodeError as error:
        raise NotJsonError(_reason(error.msg), error.lineno, error.colno) from None
    except _RefusedTokenError as error:
        raise _at(text, _offset_of_token(text, error.token), error.message) from None
    if builder.has_long_keys:
        message = f"a key is longer than {KEY_LENGTH} characters"
        raise _at(text, _offset_of_long_key(text), message)
    if _SURROGATE_ESCAPE.search(text):
        _check_surrogates(text)
    return Document(value, text, tuple(_duplicates(text)) if builder.has_duplicates else ())


def pointer_to(parent: str, token: str | int) -> str:
    """The pointer to member or element ``token`` of the value at ``parent`` (RFC 6901)."""
    if isinstance(token, str):
        token = token.replace("~", "~0").replace("/", "~1")
    return f"{parent}/{token}"


def strings(value: JsonValue, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every string of a document with its pointer, keys included (at their member's pointer)."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from strings(element, pointer_to(pointer, index))
    elif isinstance(value, dict):
        for key, member in value.items():
            inner = pointer_to(pointer, key)
            yield inner, key
            yield from strings(member, inner)


class _RefusedTokenError(Exception):
    """A token that the grammar allows, or the library does, and kattest does not."""

    def __init__(self, token: str, message: str) -> None:
        super().__init__(message)
        self.token = token
        self.message = message


def _decode(data: bytes) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        raise NotJsonError("it begins with a byte-order mark", 1, 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise _at(before, len(before), message) from None


def _check_containers(text: str) -> None:
    if text.count("[") + text.count("{") <= NESTING:
        return
    level = count = 0
    for match in _BRACKET.finditer(text):
        if match[1]:
            level, count = level + 1, count + 1
            if level > NESTING:
                raise _at(text, match.start(), f"it is nested more than {NESTING} deep")
            if count > CONTAINERS:
                message = f"it has more than {CONTAINERS} objects and arrays"
                raise _at(text, match.start(), message)
        elif match[2]:
            level -= 1


class _Builder:
    """Builds the objects of one document, and notes what the parser would let pass."""

    def __init__(self) -> None:
        self.has_duplicates = False
        self.has_long_keys = False

    def __call__(self, pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        members = dict(pairs)
        self.has_duplicates |= len(members) != len(pairs)
        self.has_long_keys |= max(map(len, members), default=0) > KEY_LENGTH
        return members


def _offset_of_long_key(text: str) -> int:
    for token, following in pairwise(_TOKEN.finditer(text)):
        may_be_long = following[0] == ":" and len(token[0]) > KEY_LENGTH
        if may_be_long and len(json.loads(token[0])) > KEY_LENGTH:
            return token.start()
    return 0


@lru_cache(maxsize=4096)
def _number(lexeme: str) -> Number:
    if len(lexeme) > NUMBER_LENGTH:
        raise _RefusedTokenError(lexeme, f"a number is longer than {NUMBER_LENGTH} characters")
    exponent = lexeme.lower().partition("e")[2]
    if exponent and abs(int(exponent)) > NUMBER_EXPONENT:
        message = f"a number's exponent is beyond {NUMBER_EXPONENT}"
        raise _RefusedTokenError(lexeme, message)
    return Number(lexeme)


def _refuse_constant(name: str) -> NoReturn:
    raise _RefusedTokenError(name, f"{name} is not JSON")


def _offset_of_token(text: str, token: str) -> int:
    # A constant can lead a longer run of letters where the text goes wrong right behind it.
    for match in _TOKEN.finditer(text):
        if match[0] == token or (token in _CONSTANTS and match[0].startswith(token)):
            return match.start()
    return 0


def _check_surrogates(text: str) -> None:
    for match in _TOKEN.finditer(text):
        if match[0].startswith('"') and _SURROGATE.search(json.loads(match[0])):
            raise _at(text, match.start(), "a string holds half of a surrogate pair")


def _duplicates(text: str) -> Iterator[DuplicateKey]:
    found: list[DuplicateKey] = []
    for _ in _walk(text, found.append):
        yield from found
        found.clear()


class _Frame:
    """One open array or object during a walk."""

    __slots__ = ("index", "is_object", "key", "key_offset", "keys", "pointer")

    def __init__(self, pointer: str, *, is_object: bool) -> None:
        self.pointer = pointer
        self.is_object = is_object
        self.index = 0
        self.key: str | None = None
        self.key_offset: int | None = None
        self.keys: dict[str, int] = {}


def _walk(text: str, on_duplicate: Callable[[DuplicateKey], None] | None = None) -> Iterator[Place]:
    """Every value of a text that is known to be JSON, in the order of the text."""
    stack: list[_Frame] = []
    for match in _TOKEN.finditer(text):
        token, frame = match[0], stack[-1] if stack else None
        if token == ":":
            continue
        if frame and token == ",":
            frame.index += 1
            frame.key = None
        elif token in "]}":
            stack.pop()
        elif frame and frame.is_object and frame.key is None:
            _enter_member(frame, json.loads(token), match.start(), on_duplicate)
        else:
            place = _place(frame, match.start())
            yield place
            if token in "[{":
                stack.append(_Frame(place.pointer, is_object=token == "{"))


def _enter_member(
    frame: _Frame,
    key: str,
    offset: int,
    on_duplicate: Callable[[DuplicateKey], None] | None,
) -> None:
    frame.key, frame.key_offset = key, offset
    first = frame.keys.setdefault(key, offset)
    if on_duplicate and first != offset:
        on_duplicate(DuplicateKey(pointer_to(frame.pointer, key), key, offset, first))


def _place(frame: _Frame | None, offset: int) -> Place:
    if frame is None:
        return Place("", offset, None)
    if frame.key is not None:
        return Place(pointer_to(frame.pointer, frame.key), offset, frame.key_offset)
    return Place(pointer_to(frame.pointer, frame.index), offset, None)


def _ancestors(pointer: str) -> Iterator[str]:
    """``pointer`` itself, then each value around it, the whole document last."""
    yield pointer
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def _at(text: str, offset: int, message: str) -> NotJsonError:
    return NotJsonError(message, *Lines(text).position(offset))


_REASONS: Mapping[str, str] = {
    "Expecting value": "a value is missing or misspelt",
    "Extra data": "something follows the end of the document",
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing",
    "Illegal trailing comma before end of object": "a comma stands before the closing brace",
    "Illegal trailing comma before end of array": "a comma stands before the closing bracket",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Unterminated string starting at": "a string is not closed",
    "Invalid control character at": "a string holds a control character that is not escaped",
    "Invalid \\escape": "a string holds a backslash that escapes nothing",
    "Invalid \\uXXXX escape": "a string holds \\u without four hexadecimal digits",
}


def _reason(message: str) -> str:
    return _REASONS.get(message.rstrip(": "), f"the JSON parser says: {message}")
