"""The shapes of objects: what is missing, amiss or unknown in one, however many came before it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    JsonType,
    Shape,
)
from kattest.jsondoc import Integer
from tests.unit.remembering import read

KINDS = {
    "text": TEXT,
    "text or null": TEXT_OR_NULL,
    "number": NUMBER,
    "integer": INTEGER,
    "boolean": BOOLEAN,
    "array": ARRAY,
    "object": OBJECT,
}
VALUES: tuple[Any, ...] = (None, True, False, 0, -3, 0.5, 1e3, "", "x", [], [1], {}, {"a": 1})
FITS: dict[str, tuple[Any, ...]] = {
    "text": ("", "x"),
    "text or null": (None, "", "x"),
    "number": (0, -3, 0.5, 1e3),
    "integer": (0, -3),
    "boolean": (True, False),
    "array": ([], [1]),
    "object": ({}, {"a": 1}),
}
SOUND = {"name": "x", "size": 1, "note": None}
TYPES = {"name": TEXT, "size": NUMBER, "note": TEXT_OR_NULL}


def shape(optional: tuple[str, ...] = ()) -> Shape:
    return Shape(TYPES, optional)


def members(document: Any) -> dict[str, Any]:
    value = read(document)
    assert isinstance(value, dict)
    return value


def reading(
    shape: Shape, document: Any, pointer: str = ""
) -> tuple[tuple[Any, ...], list[FieldFault]]:
    faults = FieldFaults()
    found = shape.read(members(document), pointer, faults)
    return found, [*faults.all()]


def pointers(shape: Shape, document: Any, kind: FaultKind) -> list[str]:
    return [fault.pointer for fault in reading(shape, document)[1] if fault.kind is kind]


def test_a_sound_object_has_its_values_in_the_order_of_the_types_and_no_faults() -> None:
    for document in (SOUND, dict(reversed(SOUND.items()))):
        found, faults = reading(shape(), document)
        assert faults == []
        assert found == ("x", Integer("1"), None)
        assert shape().sound(members(document)) == found


@pytest.mark.parametrize("name", TYPES)
def test_a_missing_member_is_named(name: str) -> None:
    document = {key: value for key, value in SOUND.items() if key != name}
    found, [fault] = reading(shape(), document, "/records/x~1y")
    assert fault == FieldFault(
        FaultKind.SCHEMA, f"/records/x~1y/{name}", f'the field "{name}" is missing'
    )
    assert found == tuple(members(document).get(name) for name in TYPES)
    assert shape().sound(members(document)) is None


def test_an_optional_member_may_be_missing_but_not_amiss() -> None:
    assert reading(shape(("size",)), {"name": "x", "note": None}) == (("x", None, None), [])
    assert pointers(shape(("size",)), SOUND | {"size": "1"}, FaultKind.SCHEMA) == ["/size"]
    assert pointers(shape(("size",)), SOUND | {"size": None}, FaultKind.SCHEMA) == ["/size"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_member_has_its_type_and_no_other(kind: str) -> None:
    odd = Shape({"x": KINDS[kind], "y": TEXT})
    for value in VALUES:
        document = {"x": value, "y": "z"}
        found, faults = reading(odd, document)
        fits = any(type(value) is type(fit) and value == fit for fit in FITS[kind])
        assert (not faults) is fits, (kind, value)
        assert found == (read(value) if fits else None, "z"), (kind, value)
        assert odd.sound(members(document)) == (found if fits else None)
        if not fits:
            assert faults[0].message.startswith(f'"x" must be {KINDS[kind].name}, not ')


def test_an_unknown_member_is_named_and_not_among_the_values() -> None:
    document = SOUND | {"a/b": [1]}
    found, [fault] = reading(shape(), document, "/top")
    assert (fault.kind, fault.pointer) == (FaultKind.UNKNOWN, "/top/a~1b")
    assert found == ("x", Integer("1"), None)
    assert shape().sound(members(document)) is None
    assert shape().unknown(document) == ("a/b",)
    assert shape().unknown(SOUND) == ()


def test_a_shape_may_have_one_field_alone() -> None:
    alone = Shape({"x": TEXT})
    assert reading(alone, {"x": "y"}) == (("y",), [])
    assert reading(alone, {"x": "long"}) == (("long",), [])


def test_every_fault_of_an_object_is_named_at_once() -> None:
    _, faults = reading(shape(), {"size": "1", "x": 1, "y": 2})
    assert [(fault.kind, fault.pointer) for fault in faults] == [
        (FaultKind.SCHEMA, "/name"),
        (FaultKind.SCHEMA, "/size"),
        (FaultKind.SCHEMA, "/note"),
        (FaultKind.UNKNOWN, "/x"),
        (FaultKind.UNKNOWN, "/y"),
    ]


ANY_VALUE = st.sampled_from(VALUES)
OBJECTS = st.dictionaries(st.sampled_from([*TYPES, "other"]), ANY_VALUE, max_size=4) | st.builds(
    lambda change: SOUND | change, st.dictionaries(st.sampled_from([*TYPES]), ANY_VALUE, max_size=2)
)


@settings(max_examples=150)
@given(st.lists(OBJECTS, max_size=8), st.sampled_from([(), ("size",), ("name", "note")]))
def test_what_was_read_before_changes_nothing(
    documents: list[dict[str, Any]], optional: tuple[str, ...]
) -> None:
    """Whatever a shape may remember, it is never to the advantage of another object."""
    used = shape(optional)
    for document in documents:
        assert reading(used, document) == reading(shape(optional), document)


def test_objects_of_many_kinds_are_told_apart() -> None:
    wide = Shape(dict.fromkeys(map(str, range(8)), TEXT_OR_NULL))
    for number in range(256):
        sound = {str(bit): "x" if number >> bit & 1 else None for bit in range(8)}
        assert reading(wide, sound) == (tuple(sound.values()), [])
        assert pointers(wide, sound | {"3": 1}, FaultKind.SCHEMA) == ["/3"]


def full() -> FieldFaults:
    """Faults of a document that has more than are kept."""
    faults = FieldFaults()
    for number in range(FieldFaults.MOST + 1):
        faults.schema(f"/{number}", "amiss")
        faults.note(FieldFault(FaultKind.UNKNOWN, f"/{number}", "unknown"))
    return faults


def test_faults_are_bounded_by_kind() -> None:
    faults = full()
    assert len(faults.all()) == 2 * FieldFaults.MOST
    kinds = [fault.kind for fault in faults.all()]
    assert kinds == [FaultKind.SCHEMA] * FieldFaults.MOST + [FaultKind.UNKNOWN] * FieldFaults.MOST


@pytest.mark.parametrize(
    "faulty", [SOUND | {"size": "1"}, {"name": "x"}, SOUND | {"x": 1}, SOUND | {"note": 1, "x": 1}]
)
def test_a_fault_beyond_the_bound_does_not_pass_for_sound_later(faulty: dict[str, Any]) -> None:
    used = shape()
    used.read(members(faulty), "", full())
    assert reading(used, faulty) == reading(shape(), faulty)


def test_a_type_is_named_in_its_message() -> None:
    odd = Shape({"x": JsonType("an odd thing", (list,)), "y": TEXT})
    [fault] = reading(odd, {"x": 1.50, "y": ""})[1]
    assert fault.message == '"x" must be an odd thing, not 1.5'
