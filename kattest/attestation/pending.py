"""Pending panels as documents: an open panel, and each sealed evaluation in a file of its own."""

from __future__ import annotations

from decimal import Decimal

from kattest.attestation.building import OpenPanel, Sealed
from kattest.digest import PREFIX, Recipe
from kattest.instant import Instant, parse_instant
from kattest.jsondoc import JsonValue
from kattest.jsontext import Writable
from kattest.roster import Panel, Seat


def panel_document(panel: OpenPanel) -> dict[str, Writable]:
    """An open panel."""
    return {
        "evaluation_id": panel.evaluation_id,
        "artifact_path": panel.artifact_path,
        "artifact_hash": PREFIX + panel.artifact_hex,
        "file": panel.file,
        "recipe": panel.recipe.value,
        "opened_at": panel.opened_at.precise(),
        "panel": panel.panel.name,
        "seats": [
            {"judge": seat.judge_id, "weight": None if seat.weight is None else str(seat.weight)}
            for seat in panel.panel.seats
        ],
    }


def sealed_document(sealed: Sealed) -> dict[str, Writable]:
    """One judge's sealed evaluation."""
    return {
        "judge_id": sealed.judge_id,
        "score": sealed.score,
        "rationale_summary": sealed.rationale,
        "evaluation_hash": PREFIX + sealed.evaluation_hex,
        "sealed_at": sealed.sealed_at.precise(),
    }


def read_panel(document: JsonValue) -> OpenPanel:
    """The panel of a document that kattest wrote. Raises LookupError or ValueError for another."""
    members = _members(document)
    seats = members["seats"]
    return OpenPanel(
        evaluation_id=str(members["evaluation_id"]),
        artifact_path=str(members["artifact_path"]),
        artifact_hex=str(members["artifact_hash"]).removeprefix(PREFIX),
        file=str(members["file"]),
        panel=Panel(
            str(members["panel"]), tuple(map(_seat, seats if isinstance(seats, list) else ()))
        ),
        recipe=Recipe(str(members["recipe"])),
        opened_at=_instant(members["opened_at"]),
    )


def read_sealed(document: JsonValue) -> Sealed:
    """The evaluation of a document that kattest wrote. Raises as ``read_panel`` does."""
    members = _members(document)
    return Sealed(
        judge_id=str(members["judge_id"]),
        score=str(members["score"]),
        rationale=str(members["rationale_summary"]),
        evaluation_hex=str(members["evaluation_hash"]).removeprefix(PREFIX),
        sealed_at=_instant(members["sealed_at"]),
    )


def _seat(value: JsonValue) -> Seat:
    members = _members(value)
    weight = members["weight"]
    return Seat(str(members["judge"]), None if weight is None else Decimal(str(weight)))


def _members(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _instant(value: JsonValue) -> Instant:
    instant = parse_instant(value) if isinstance(value, str) else None
    if instant is None:
        raise ValueError("not a time")
    return instant
