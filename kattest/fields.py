"""Read the members of a JSON object by name and type, collecting every fault on the way."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeVar

from kattest.jsondoc import JsonValue, Number, pointer_to

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
    names = {dict: "an object", list: "an array", str: "a string", Number: "a number"}
    return names[type(value)]


class FieldFaults:
    """The faults of a document's fields, at most ``MOST`` of each kind."""

    MOST = 2000  # more than any rule reports of one document, so that nothing else is crowded out

    def __init__(self) -> None:
        self._by_kind: dict[FaultKind, list[FieldFault]] = {kind: [] for kind in FaultKind}

    def note(self, fault: FieldFault) -> None:
        """Keep ``fault``, unless there are enough of its kind."""
        kept = self._by_kind[fault.kind]
        if len(kept) < self.MOST:
            kept.append(fault)

    def all(self) -> tuple[FieldFault, ...]:
        """Those kept, by kind and then in the order in which they were noted."""
        return tuple(fault for kept in self._by_kind.values() for fault in kept)


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
        number = self._typed(name, Number, "a whole number")
        if number is None or number.is_integer:
            return None if number is None else int(number.lexeme)
        self._fault(name, f'"{name}" must be a whole number, not {number.lexeme}')
        return None

    def array(self, name: str) -> list[JsonValue] | None:
        """The array called ``name``."""
        return self._typed(name, list, "an array")

    def object(self, name: str) -> dict[str, JsonValue] | None:
        """The object called ``name``."""
        return self._typed(name, dict, "an object")

    def finish(self) -> dict[str, JsonValue]:
        """The members nobody asked for, each noted as unknown."""
        for name in self._rest:
            pointer = pointer_to(self._pointer, name)
            message = f'the protocol has no field "{name}" here'
            self._faults.note(FieldFault(FaultKind.UNKNOWN, pointer, message))
        return self._rest

    def _typed(
        self, name: str, kind: type[_T], expected: str, *, required: bool = True
    ) -> _T | None:
        value = self._rest.pop(name, _ABSENT)
        if isinstance(value, kind):
            return value
        if not isinstance(value, _Absent):
            self._fault(name, f'"{name}" must be {expected}, not {type_name(value)}')
        elif required:
            self._fault(name, f'the field "{name}" is missing')
        return None

    def _fault(self, name: str, message: str) -> None:
        pointer = pointer_to(self._pointer, name)
        self._faults.note(FieldFault(FaultKind.SCHEMA, pointer, message))


class _Absent:
    """The type of a member that is not there: null is a value of its own."""


_ABSENT = _Absent()


def object_at(
    value: JsonValue, pointer: str, what: str, faults: FieldFaults
) -> dict[str, JsonValue]:
    """``value`` where it is an object; else an empty one, with the fault noted."""
    if isinstance(value, dict):
        return value
    message = f"{what} must be an object, not {type_name(value)}"
    faults.note(FieldFault(FaultKind.SCHEMA, pointer, message))
    return {}
