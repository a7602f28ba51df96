"""Strict JSON: bytes to a document whose every value can be traced back to its line and column.

The standard library parses; this module refuses what it lets through (byte-order marks, NaN,
lone surrogates, unbounded depth and numbers), keeps number lexemes, and finds places in the
text only when a finding needs them.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple, NoReturn, TypeAlias

NESTING = 64  # how deep arrays and objects may stand in each other
DUPLICATES = 1000  # of one document that are told apart
CONTAINERS = 200_000  # arrays and objects of one document
INDEX_CONTAINERS = 2_000_000  # of a memory's index, which has one for each record
KEY_LENGTH = 1000  # characters of an object's key: every finding inside repeats it
NUMBER_LENGTH = 128  # characters of a number's lexeme
NUMBER_EXPONENT = 308  # the largest exponent, either sign: what a binary64 number can hold

_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|([\[{])|([\]}])', re.DOTALL)
_BLANK = re.compile(r"[ \t\n\r]*+")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}:,]|[^\s"\[\]{}:,]+', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Number(NamedTuple):
    """A JSON number, kept as the text the document holds."""

    lexeme: str

    @property
    def value(self) -> Decimal:
        """The number's exact value."""
        return Decimal(self.lexeme)


class Integer(Number):
    """A number whose lexeme has neither fraction nor exponent."""

    __slots__ = ()


JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | Number | bool | None"


class NotJsonError(Exception):
    """Bytes that are not strict JSON. ``line`` and ``column`` count from 1, in code points."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


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
        wanted = _Wanted()
        for pointer in pointers:
            wanted.add(pointer)
        _seek(self.text, _past_blank(self.text, 0), wanted)
        lines = Lines(self.text)
        return {
            pointer: lines.position(offset) for pointer, offset in wanted.offsets(at_key=at_key)
        }


class Lines:
    """Offsets in a text to lines and columns. A line ends at a line feed, CR LF included."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of ``offset``, counting from 1, columns in code points."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def parse(data: bytes, containers: int = CONTAINERS) -> Document:
    """Parse strict JSON (RFC 8259, UTF-8) within the bounds of this module.

    ``containers`` bounds the number of arrays and objects. Raises NotJsonError at the first place
    that is not JSON or beyond a bound.
    """
    text = _decode(data)
    openers = text.count("[") + text.count("{")
    if openers > containers:
        _check_containers(text, containers)
    duplicates: tuple[DuplicateKey, ...] = ()
    try:
        try:
            value = _decoded(text)
        except _RepeatedKeyError:
            _check_containers(text, containers)  # what is repeated could lie too deep, and be lost
            value = _LENIENT.decode(text)
            duplicates = tuple(islice(_repeated_keys(text), DUPLICATES + 1))
    except RecursionError:
        _check_containers(text, containers)
        raise
    except _LongKeyError:
        message = f"a key is longer than {KEY_LENGTH} characters"
        raise _at(text, _offset_of_long_key(text), message) from None
    except json.JSONDecodeError as error:
        raise NotJsonError(_reason(error.msg), error.lineno, error.colno) from None
    except _RefusedTokenError as error:
        raise _at(text, _offset_of_token(text, error.token), error.message) from None
    if openers > NESTING and _is_deep(value):
        _check_containers(text, containers)
    if "\\" in text and _SURROGATE_ESCAPE.search(text):
        _check_surrogates(text)
    return Document(value, text, duplicates)


def pointer_to(parent: str, token: str | int) -> str:
    """The pointer to member or element ``token`` of the value at ``parent`` (RFC 6901)."""
    return f"{parent}/{_escaped(token) if isinstance(token, str) else token}"


def _escaped(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")


def strings(value: JsonValue) -> Iterator[tuple[list[str], str]]:
    """Every string of a document with the tokens of its pointer, keys at their member's place.

    The list is the walk's own, and true until the next step: ``pointer_of`` keeps what it says.
    """
    return _strings(value, [])


def pointer_of(tokens: Iterable[str]) -> str:
    """The pointer that leads by ``tokens``, which are escaped already."""
    return "".join(f"/{token}" for token in tokens)


def _strings(value: JsonValue, tokens: list[str]) -> Iterator[tuple[list[str], str]]:
    if isinstance(value, str):
        yield tokens, value
    elif isinstance(value, list):
        for index, element in enumerate(value):
            tokens.append(str(index))
            yield from _strings(element, tokens)
            tokens.pop()
    elif isinstance(value, dict):
        for key, member in value.items():
            tokens.append(_escaped(key))
            yield tokens, key
            yield from _strings(member, tokens)
            tokens.pop()


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


def _decoded(text: str) -> JsonValue:
    if text[:1] in "[{":
        value: JsonValue
        value, end = _STRICT.raw_decode(text)
        if end == len(text) or not text[end:].strip(" \t\n\r"):
            return value
    decoded: JsonValue = _STRICT.decode(text)  # it says what is wrong, and where
    return decoded


def _is_deep(value: JsonValue) -> bool:
    """Whether arrays and objects stand in each other more than ``NESTING`` deep."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(NESTING):
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, dict | list)
        ]
    return bool(level)


def _check_containers(text: str, most: int) -> None:
    level = count = 0
    for match in _BRACKET.finditer(text):
        if match[1]:
            level, count = level + 1, count + 1
            if level > NESTING:
                raise _at(text, match.start(), f"it is nested more than {NESTING} deep")
            if count > most:
                message = f"it has more than {most} objects and arrays"
                raise _at(text, match.start(), message)
        elif match[2]:
            level -= 1


class _RepeatedKeyError(Exception):
    """An object has a key twice."""


class _LongKeyError(Exception):
    """An object has a key that is longer than kattest bears."""


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _RepeatedKeyError
    # All keys together are seldom that long, and measuring each takes longer.
    if len("".join(members)) > KEY_LENGTH:
        _check_keys(members)
    return members


def _check_keys(members: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if max(map(len, members), default=0) > KEY_LENGTH:
        raise _LongKeyError
    return members


def _offset_of_long_key(text: str) -> int:
    for token, following in pairwise(_TOKEN.finditer(text)):
        may_be_long = following[0] == ":" and len(token[0]) > KEY_LENGTH
        if may_be_long and len(json.loads(token[0])) > KEY_LENGTH:
            return token.start()
    return 0


@lru_cache(maxsize=4096)
def _integer(lexeme: str) -> Integer:
    return Integer(_bounded(lexeme))


@lru_cache(maxsize=4096)
def number_of(lexeme: str) -> Number:
    """The number that ``lexeme`` is, the same object for the same text."""
    return Number(_bounded(lexeme))


def _bounded(lexeme: str) -> str:
    if len(lexeme) > NUMBER_LENGTH:
        raise _RefusedTokenError(lexeme, f"a number is longer than {NUMBER_LENGTH} characters")
    exponent = lexeme.lower().partition("e")[2]
    if exponent and abs(int(exponent)) > NUMBER_EXPONENT:
        message = f"a number's exponent is beyond {NUMBER_EXPONENT}"
        raise _RefusedTokenError(lexeme, message)
    return lexeme


def _refuse_constant(name: str) -> NoReturn:
    raise _RefusedTokenError(name, f"{name} is not JSON")


# Made once: making a decoder takes as long as reading a record with it.
_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_int=_integer,
    parse_float=number_of,
    parse_constant=_refuse_constant,
)
# Makes nothing of what it reads: it only finds where values end.
_skip = json.JSONDecoder(parse_int=len, parse_float=len).raw_decode
_LENIENT = json.JSONDecoder(
    object_hook=_check_keys,
    parse_int=_integer,
    parse_float=number_of,
    parse_constant=_refuse_constant,
)


def _offset_of_token(text: str, token: str) -> int:
    # What was refused can lead a longer run, where the text goes wrong right behind it.
    tokens = (match for match in _TOKEN.finditer(text) if match[0].startswith(token))
    return next((match.start() for match in tokens), 0)


def _check_surrogates(text: str) -> None:
    for match in _TOKEN.finditer(text):
        if match[0].startswith('"') and _SURROGATE.search(json.loads(match[0])):
            raise _at(text, match.start(), "a string holds half of a surrogate pair")


class _Wanted:
    """A value whose place is wanted, or that has such values inside. Pointers are never built."""

    __slots__ = ("children", "key_offset", "offset", "pointer", "visits", "within")

    def __init__(self) -> None:
        self.children: dict[str, _Wanted] = {}
        self.pointer: str | None = None
        self.offset = 0
        self.key_offset: int | None = None
        # Where a key is repeated, the last value counts: how often this value was entered, and in
        # which visit of the value around it.
        self.visits = 0
        self.within = 0

    def add(self, pointer: str) -> None:
        """Want the value at ``pointer``."""
        node = self
        for token in pointer.split("/")[1:]:
            node = node.children.setdefault(token, _Wanted())
        node.pointer = pointer

    def enter(self, offset: int, key_offset: int | None, within: int) -> None:
        """Note that the value is at ``offset``, in this visit of the value around it."""
        self.offset, self.key_offset, self.within = offset, key_offset, within
        self.visits += 1

    def offsets(
        self, *, at_key: bool, around: int = 0, within: int = 0
    ) -> Iterator[tuple[str, int]]:
        """Each wanted pointer with its offset; that of the value around where it has none."""
        is_there = self.visits > 0 and self.within == within
        own = self.key_offset if at_key and self.key_offset is not None else self.offset
        place = own if is_there else around
        if self.pointer is not None:
            yield self.pointer, place
        inside = self.visits if is_there else -1
        for child in self.children.values():
            yield from child.offsets(at_key=at_key, around=place, within=inside)


def _seek(
    text: str, offset: int, wanted: _Wanted, within: int = 0, key_offset: int | None = None
) -> int:
    """Note the offset of the value at ``offset``, and of those inside that are wanted.

    The text is known to be JSON. Return the offset of what follows the value, white space aside.
    What nobody wants is passed over at the speed of the parser.
    """
    wanted.enter(offset, key_offset, within)
    if wanted.children and text[offset] == "{":
        return _seek_members(text, _past_blank(text, offset + 1), wanted)
    if wanted.children and text[offset] == "[":
        return _seek_elements(text, _past_blank(text, offset + 1), wanted)
    return _past_value(text, offset)


def _seek_members(text: str, offset: int, wanted: _Wanted) -> int:
    while text[offset] != "}":
        key, end = _skip(text, offset)
        colon = _past_blank(text, end)
        value = _past_blank(text, colon + 1)
        child = wanted.children.get(_escaped(key))
        if child:
            end = _seek(text, value, child, wanted.visits, offset)
        else:
            end = _past_value(text, value)
        offset = _past_blank(text, end + 1) if text[end] == "," else end
    return _past_blank(text, offset + 1)


def _seek_elements(text: str, offset: int, wanted: _Wanted) -> int:
    index = 0
    while text[offset] != "]":
        child = wanted.children.get(str(index))
        end = _seek(text, offset, child, wanted.visits) if child else _past_value(text, offset)
        offset = _past_blank(text, end + 1) if text[end] == "," else end
        index += 1
    return _past_blank(text, offset + 1)


def _past_value(text: str, offset: int) -> int:
    end: int = _skip(text, offset)[1]
    return _past_blank(text, end)


def _past_blank(text: str, offset: int) -> int:
    match = _BLANK.match(text, offset)
    return match.end() if match else offset


class _Frame:
    """One open array or object during a search for repeated keys."""

    __slots__ = ("index", "is_object", "key", "keys", "token")

    def __init__(self, token: str, *, is_object: bool) -> None:
        self.token = token
        self.is_object = is_object
        self.index = 0
        self.key: str | None = None
        self.keys: dict[str, int] = {}

    @property
    def child_token(self) -> str:
        """The token that leads to the value being read."""
        return str(self.index) if self.key is None else _escaped(self.key)


def _repeated_keys(text: str) -> Iterator[DuplicateKey]:
    """The keys that their objects had already, in a text known to be JSON."""
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
            frame.key = json.loads(token)
            first = frame.keys.setdefault(frame.key, match.start())
            if first != match.start():
                tokens = (*(frame.token for frame in stack[1:]), frame.child_token)
                yield DuplicateKey(pointer_of(tokens), frame.key, match.start(), first)
        elif token in "[{":
            child = frame.child_token if frame else ""
            stack.append(_Frame(child, is_object=token == "{"))


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
