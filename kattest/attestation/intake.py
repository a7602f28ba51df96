"""A whole round in one document, as ``attest record`` is given it."""

from __future__ import annotations

from typing import NamedTuple

from kattest.fields import ARRAY, NUMBER, TEXT, FieldFaults, Shape, shown
from kattest.jsondoc import JsonValue, pointer_to
from kattest.text import unsafe_characters

_OPTIONAL = ("panel", "file", "evaluation_id", "artifact_hash")
_ROUND = Shape(
    {"artifact_path": TEXT, "attestations": ARRAY, **dict.fromkeys(_OPTIONAL, TEXT)},
    optional=_OPTIONAL,
)
_JUDGEMENT = Shape({"judge_id": TEXT, "score": NUMBER, "rationale_summary": TEXT})


class GivenRound(NamedTuple):
    """A round to be recorded. ``judgements`` are judge, score as it is written, and rationale."""

    artifact_path: str
    judgements: tuple[tuple[str, str, str], ...]
    panel: str | None
    file: str | None
    evaluation_id: str | None
    artifact_hash: str | None


def read_round(value: JsonValue) -> tuple[GivenRound | None, tuple[str, ...]]:
    """The round that ``value`` is, or everything that is wrong with it."""
    faults = FieldFaults()
    if not isinstance(value, dict):
        return None, (f"a round must be an object, not {shown(value)}",)
    path, attestations, panel, file, evaluation_id, artifact_hash = _ROUND.read(value, "", faults)
    judgements = []
    for number, element in enumerate(attestations or ()):
        pointer = pointer_to("/attestations", number)
        if isinstance(element, dict):
            judgements.append(_JUDGEMENT.read(element, pointer, faults))
        else:
            faults.schema(pointer, f"a judgement must be an object, not {shown(element)}")
    if evaluation_id is not None and (
        not evaluation_id.strip() or unsafe_characters(evaluation_id)
    ):
        faults.schema("/evaluation_id", "it must be a text that can be read")
    found = faults.all()
    if found:
        return None, tuple(f"{fault.message} ({fault.pointer})" for fault in found)
    given = tuple((judge, score.lexeme, rationale) for judge, score, rationale in judgements)
    return GivenRound(path, given, panel, file, evaluation_id, artifact_hash), ()
