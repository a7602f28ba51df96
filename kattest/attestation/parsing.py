"""A parsed JSON document to an attestation file, with a note of every field that is amiss."""

from __future__ import annotations

from typing import NamedTuple

from kattest.attestation.model import Attestation, AttestationFile, Round
from kattest.digest import Digest, parse_digest
from kattest.fields import (
    FaultKind,
    FieldFault,
    FieldFaults,
    Fields,
    object_at,
    type_name,
)
from kattest.instant import Timestamp, parse_timestamp
from kattest.jsondoc import JsonValue, Number, pointer_to

_ROUND_FIELDS = frozenset({"evaluation_id", "artifact_path", "artifact_hash", "attestations"})


class ParsedFile(NamedTuple):
    """An attestation file and the faults of its fields, in the order of the document."""

    file: AttestationFile
    faults: tuple[FieldFault, ...]


def parse_file(value: JsonValue, path: str) -> ParsedFile:
    """Read the document ``value`` found at ``path``.

    A document without ``evaluations`` whose top level is itself a round is one round (design,
    section 3.3).
    """
    faults = FieldFaults()
    top = object_at(value, "", "the document", faults)
    if is_round(top):
        return ParsedFile(AttestationFile(path, (_round(top, "", faults),)), faults.all())
    rounds: list[Round] = []
    if isinstance(value, dict):
        fields = Fields(top, "", faults)
        for index, element in enumerate(fields.array("evaluations") or ()):
            pointer = pointer_to("/evaluations", index)
            members = object_at(element, pointer, "a round", faults)
            if isinstance(element, dict):
                rounds.append(_round(members, pointer, faults))
        fields.finish()
    return ParsedFile(AttestationFile(path, tuple(rounds)), faults.all())


def is_round(document: dict[str, JsonValue]) -> bool:
    """Whether a whole document is one round, without the list around it (design, section 3.3)."""
    return "evaluations" not in document and bool(_ROUND_FIELDS & document.keys())


def _round(members: dict[str, JsonValue], pointer: str, faults: FieldFaults) -> Round:
    fields = Fields(members, pointer, faults)
    return Round(
        pointer=pointer,
        evaluation_id=fields.text("evaluation_id", empty=False),
        artifact_path=fields.text("artifact_path"),
        artifact_hash=_digest(fields, "artifact_hash"),
        panel_size=fields.integer("panel_size"),
        started_at=_timestamp(fields, "started_at"),
        completed_at=_timestamp(fields, "completed_at"),
        attestations=_attestations(fields, pointer, faults),
        final_score=fields.number("final_score"),
        weights=_weights(fields, pointer, faults),
        unknown=fields.finish(),
    )


def _attestations(fields: Fields, pointer: str, faults: FieldFaults) -> tuple[Attestation, ...]:
    attestations = []
    inside = pointer_to(pointer, "attestations")
    for index, element in enumerate(fields.array("attestations") or ()):
        at = pointer_to(inside, index)
        if isinstance(element, dict):
            attestations.append(_attestation(element, at, faults))
        else:
            # It keeps its seat, so that the links around it are not compared across the gap.
            object_at(element, at, "an attestation", faults)
            attestations.append(_attestation({}, at, FieldFaults()))
    return tuple(attestations)


def _attestation(members: dict[str, JsonValue], pointer: str, faults: FieldFaults) -> Attestation:
    fields = Fields(members, pointer, faults)
    return Attestation(
        pointer=pointer,
        judge_id=fields.text("judge_id"),
        score=fields.number("score"),
        rationale=fields.text("rationale_summary"),
        evaluation_hash=_digest(fields, "evaluation_hash"),
        timestamp=_timestamp(fields, "timestamp"),
        previous_hash=_digest(fields, "previous_attestation_hash"),
        artifact_hash=_digest(fields, "artifact_hash", required=False),
        unknown=fields.finish(),
    )


def _digest(fields: Fields, name: str, *, required: bool = True) -> Digest | None:
    text = fields.text(name, required=required)
    return None if text is None else parse_digest(text)


def _timestamp(fields: Fields, name: str) -> Timestamp | None:
    text = fields.text(name)
    return None if text is None else parse_timestamp(text)


def _weights(fields: Fields, pointer: str, faults: FieldFaults) -> dict[str, Number] | None:
    members = fields.object("weights")
    if members is None:
        return None
    inside = pointer_to(pointer, "weights")
    weights = {name: value for name, value in members.items() if isinstance(value, Number)}
    for name in (name for name in members if name not in weights):
        message = f'the weight of "{name}" must be a number, not {type_name(members[name])}'
        faults.note(FieldFault(FaultKind.SCHEMA, pointer_to(inside, name), message))
    return weights if weights.keys() == members.keys() else None
