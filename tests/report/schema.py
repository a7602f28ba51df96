"""The JSON report, version 1, as a JSON Schema: section 4.1 of the design, and its memory roots."""

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_COMMIT = {"type": ["string", "null"], "pattern": "^[0-9a-f]{40}$"}
_PLACE = {"type": ["integer", "null"], "minimum": 1}
_PATH = {"type": "string", "minLength": 1}
_MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"


def _one_of(*values: str | None) -> dict[str, Any]:
    return {"enum": list(values)}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_LOCATION: dict[str, Mapping[str, Any]] = {
    "path": _PATH,
    "pointer": {"type": "string", "pattern": "^(/([^~]|~[01])*)?$"},
    "line": _PLACE,
    "column": _PLACE,
    "commit": _COMMIT,
}

SCHEMA = _object(
    schema={"const": "kattest.report/1"},
    kattest={"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+"},
    source=_object(kind=_one_of("worktree", "index", "commit", "range"), rev=_COMMIT, base=_COMMIT),
    config={"type": ["string", "null"], "minLength": 1},
    as_of={"type": "string", "pattern": _MOMENT},
    ok={"type": "boolean"},
    counts=_object(
        attestation_files=_COUNT,
        rounds=_COUNT,
        attestations=_COUNT,
        memory_roots=_COUNT,
        records=_COUNT,
        errors=_COUNT,
        warnings=_COUNT,
        infos=_COUNT,
    ),
    rounds=_array(
        _object(
            path=_PATH,
            evaluation_id={"type": ["string", "null"]},
            status=_one_of("verified", "failed"),
            recipe=_one_of("bare", "prefixed", None),
            artifact=_one_of("current", "superseded", "moved", "unknown", "missing"),
            isolation=_one_of("no-breach-found", "hint", "breach"),
            spread={"type": ["string", "null"], "pattern": r"^[0-9]+(\.[0-9]+)?$"},
        )
    ),
    memory=_array(
        _object(
            path=_PATH,
            status=_one_of("verified", "failed"),
            lifecycle=_one_of("tiers", "retention", None),
            records=_COUNT,
            archived=_COUNT,
            tiers=_object(hot=_COUNT, warm=_COUNT, cold=_COUNT, purge=_COUNT),
            overdue=_COUNT,
            overdue_since={"type": ["string", "null"], "pattern": _MOMENT},
        )
    ),
    findings=_array(
        _object(
            code={"type": "string", "pattern": "^KA[0-9]{3}$"},
            name={"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"},
            severity=_one_of("error", "warning", "info"),
            **_LOCATION,
            message=_TEXT | {"minLength": 1},
            related=_array(_object(**_LOCATION, message=_TEXT | {"minLength": 1})),
        )
    ),
)

KEYS = {
    "": list(SCHEMA["properties"]),
    "source": ["kind", "rev", "base"],
    "counts": list(SCHEMA["properties"]["counts"]["properties"]),
    "rounds": list(SCHEMA["properties"]["rounds"]["items"]["properties"]),
    "memory": list(SCHEMA["properties"]["memory"]["items"]["properties"]),
    "findings": list(SCHEMA["properties"]["findings"]["items"]["properties"]),
    "related": [*_LOCATION, "message"],
}
"""The keys of each object of a report, in the order of the design."""


def validate(document: object) -> None:
    """Raise what jsonschema raises where ``document`` is no report of version 1."""
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(document)
