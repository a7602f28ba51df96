"""Read the members of a JSON object by name and type, collecting every fault on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from itertools import product
from typing import Any, NamedTuple, TypeVar

from kattest.jsondoc import Integer, JsonValue, Number, pointer_to

_T = TypeVar("_T")


class FaultKind(Enum):
    """What is wrong with a member."""

    SCHEMA = "missing or wrongly typed"
    UNKNOWN = "unknown"


class FieldFault(NamedTuple):
    """One member that is missing, of the wrong type, or unknown to the protocol."""

    kind: FaultKind
    pointer: str
    message: str


def type_name(value: JsonValue) -> str:
    """What JSON calls a value of this type, with its article."""
    if isinstance(value, bool):
        return "a boolean"
    if value is None:
        return "null"
    names: dict[type, str] = {dict: "an object", list: "an array", str: "a string"}
    return names.get(type(value), "a number")


def shown(value: JsonValue) -> str:
    """What a message calls a value that should be another: a number itself, or the type."""
    return value.lexeme if isinstance(value, Number) else type_name(value)


class FieldFaults:
    """The faults of a document's fields, at most ``MOST`` of each kind."""

    MOST = 2000  # more than any rule reports of one document, so that nothing else is crowded out

    def __init__(self) -> None:
        self._by_kind: dict[FaultKind, list[FieldFault]] = {}

    def note(self, fault: FieldFault) -> None:
        """Keep ``fault``, unless there are enough of its kind."""
        kept = self._by_kind.setdefault(fault.kind, [])
        if len(kept) < self.MOST:
            kept.append(fault)

    def wants(self, kind: FaultKind) -> bool:
        """Whether another fault of this kind would be kept: else none need be described."""
        return len(self._by_kind.get(kind, ())) < self.MOST

    def schema(self, pointer: str, message: str) -> None:
        """Keep a fault in what must be at ``pointer``."""
        self.note(FieldFault(FaultKind.SCHEMA, pointer, message))

    def all(self) -> tuple[FieldFault, ...]:
        """Those kept, by kind and then in the order in which they were noted."""
        if not self._by_kind:
            return ()
        kinds = (self._by_kind.get(kind, ()) for kind in FaultKind)
        return tuple(fault for kept in kinds for fault in kept)


class Fields:
    """The members of one object. Each getter returns None where it noted a fault.

    ``faults`` is shared by all objects of a document. Call ``finish`` last: it notes the
    members that nobody asked for and returns them.
    """

    def __init__(self, members: dict[str, JsonValue], pointer: str, faults: FieldFaults) -> None:
        self._rest = dict(members)
        self._pointer = pointer
        self._faults = faults

    def text(self, name: str, *, required: bool = True, empty: bool = True) -> str | None:
        """The string called ``name``; with ``empty`` False, one that is not empty."""
        text = self._typed(name, str, "a string", required=required)
        if text == "" and not empty:
            self._fault(name, f'"{name}" must not be empty')
            return None
        return text

    def number(self, name: str) -> Number | None:
        """The number called ``name``."""
        return self._typed(name, Number, "a number")

    def integer(self, name: str) -> int | None:
        """The number called ``name``, written without fraction or exponent."""
        number = self._typed(name, Integer, "a whole number")
        return None if number is None else int(number.lexeme)

    def array(self, name: str) -> list[JsonValue] | None:
        """The array called ``name``."""
        return self._typed(name, list, "an array")

    def object(self, name: str) -> dict[str, JsonValue] | None:
        """The object called ``name``."""
        return self._typed(name, dict, "an object")

    def finish(self) -> dict[str, JsonValue]:
        """The members nobody asked for, each noted as unknown."""
        for name in self._rest:
            self._faults.note(unknown_member(self._pointer, name))
        return self._rest

    def _typed(
        self, name: str, kind: type[_T], expected: str, *, required: bool = True
    ) -> _T | None:
        value = self._rest.pop(name, _ABSENT)
        if isinstance(value, kind):
            return value
        if not isinstance(value, _Absent):
            self._fault(name, f'"{name}" must be {expected}, not {shown(value)}')
        elif required:
            self._fault(name, f'the field "{name}" is missing')
        return None

    def _fault(self, name: str, message: str) -> None:
        self._faults.schema(pointer_to(self._pointer, name), message)


class _Absent:
    """The type of a member that is not there: null is a value of its own."""


_ABSENT = _Absent()


def object_at(
    value: JsonValue, pointer: str, what: str, faults: FieldFaults
) -> dict[str, JsonValue]:
    """``value`` where it is an object; else an empty one, with the fault noted."""
    if isinstance(value, dict):
        return value
    if faults.wants(FaultKind.SCHEMA):
        faults.schema(pointer, f"{what} must be an object, not {type_name(value)}")
    return {}


def unknown_member(pointer: str, name: str) -> FieldFault:
    """The fault of a member called ``name`` that the protocol does not have at ``pointer``."""
    message = f'the protocol has no field "{name}" here'
    return FieldFault(FaultKind.UNKNOWN, pointer_to(pointer, name), message)


class JsonType(NamedTuple):
    """What a member must be: its name in messages, and the classes of such values."""

    name: str
    classes: tuple[type, ...]


TEXT = JsonType("a string", (str,))
TEXT_OR_NULL = JsonType("a string or null", (str, type(None)))
NUMBER = JsonType("a number", (Number, Integer))
INTEGER = JsonType("a whole number", (Integer,))
BOOLEAN = JsonType("true or false", (bool,))
ARRAY = JsonType("an array", (list,))
OBJECT = JsonType("an object", (dict,))


class Shape:
    """The members of one kind of object, with their types: what ``Fields`` is to a few objects.

    Made for many objects that are alike, of which nearly all are sound.
    """

    def __init__(self, types: Mapping[str, JsonType], optional: Collection[str] = ()) -> None:
        self._types = types
        self._optional = frozenset(optional)
        self._sound = frozenset(product(*(kind.classes for kind in types.values())))

    def sound(self, members: dict[str, JsonValue]) -> tuple[Any, ...] | None:
        """The values of a complete object without a fault, in the order of the types; else None."""
        if len(members) != len(self._types):
            return None
        try:
            values = tuple(map(members.__getitem__, self._types))
        except KeyError:
            return None
        return values if tuple(map(type, values)) in self._sound else None

    def read(
        self, members: dict[str, JsonValue], pointer: str, faults: FieldFaults
    ) -> tuple[Any, ...]:
        """The values of an object at ``pointer``, in the order of the types.

        None for what is missing or amiss; faults and unknown members are noted.
        """
        return self.sound(members) or tuple(self._examined(members, pointer, faults))

    def unknown(self, members: Iterable[str]) -> tuple[str, ...]:
        """Those of ``members`` that the protocol does not name."""
        return tuple(name for name in members if name not in self._types)

    def _examined(
        self, members: dict[str, JsonValue], pointer: str, faults: FieldFaults
    ) -> Iterator[Any]:
        is_wanted = faults.wants(FaultKind.SCHEMA)
        for name, kind in self._types.items():
            value = members.get(name)
            if name not in members:
                if is_wanted and name not in self._optional:
                    faults.schema(pointer_to(pointer, name), f'the field "{name}" is missing')
            elif type(value) not in kind.classes:
                if is_wanted:
                    message = f'"{name}" must be {kind.name}, not {shown(value)}'
                    faults.schema(pointer_to(pointer, name), message)
                value = None
            yield value
        for name in self.unknown(members):
            faults.note(unknown_member(pointer, name))
