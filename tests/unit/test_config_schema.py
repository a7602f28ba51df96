"""The published JSON Schema of ``.kattest.yaml`` and the reader of that file say the same."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from kattest.config import HistoryBase
from kattest.configfile import LONGEST_GRACE_DAYS, parse_config
from kattest.errors import ConfigError
from tests.unit.test_configuration import REFUSED

SCHEMA: dict[str, Any] = json.loads(files("kattest").joinpath("config.schema.json").read_text())

GOOD = [
    "{}",
    "null",
    "severity: {}",
    "severity: {KA111: error, KA115: warning, KA140: info, KA141: off}",
    "severity: {KA111: 'off'}",
    "panels: {}",
    "panels: {p: [{judge: a}]}",
    "panels: {p: [{judge: a, weight: 1}]}",
    "panels: {p: [{judge: a, weight: 1.0}]}",
    "panels: {p: [{judge: a-1, weight: 0.5, titles: []}, {judge: '2', weight: 0.5}]}",
    "panels: {p: [{judge: critic, titles: [x, 'y z']}]}",
    "panels: {'': [{judge: a}]}",
    "exclude: []",
    "exclude: [a, 'b/**', '!c', '#d', ' ']",
    "limits: {}",
    "limits: {document_bytes: 1}",
    "limits: {document_bytes: 268435456}",
    "lifecycle: {}",
    "lifecycle: {grace_days: 0}",
    "lifecycle: {grace_days: 3650}",
    "history: {}",
    "history: {base: upstream}",
    "history: {base: head, protect: []}",
    "history: {protect: [refs/heads/main, 'refs/tags/*', refs/]}",
    "{severity: {}, panels: {}, lifecycle: {}, history: {}, exclude: [], limits: {}}",
]
# What a JSON Schema cannot say, or sees differently: refused by the reader alone.
BEYOND_THE_SCHEMA = {
    "a repeated key": "exclude: [a]\nexclude: [b]",
    "a repeated code": "severity: {KA111: off, KA111: off}",
    "a repeated panel": "panels:\n  p: [{judge: a}]\n  p: [{judge: b}]",
    "a repeated key of a seat": "panels: {p: [{judge: a, judge: b}]}",
    "panels: a judge twice": "panels: {p: [{judge: a}, {judge: a}]}",
    "panels: weights of some": "panels: {p: [{judge: a, weight: 1}, {judge: b}]}",
    "panels: weights that miss 1": "panels: {p: [{judge: a, weight: 0.9}]}",
    "exclude: no pattern": "exclude: ['!']",
    "a merge key": "<<: {exclude: [a]}",
    "limits: a whole number with a point": "limits: {document_bytes: 8.0}",
    "lifecycle: a whole number with a point": "lifecycle: {grace_days: 8.0}",
    "a repeated key of the history": "history: {base: head, base: head}",
    "a repeated key of the lifecycle": "lifecycle: {grace_days: 1, grace_days: 2}",
}
# Keys and values that only YAML can have, and one that Python's regular expressions let through.
NOT_JSON = {
    "a number as a key",
    "null as a key",
    "a list as a key",
    "a foreign tag",
    "panels: a date for a judge",
    "panels: a weight that is no number",
    "panels: a judge with a line break",
}


def validates(text: str) -> bool:
    return Draft202012Validator(SCHEMA).is_valid(yaml.safe_load(text))


def is_followed(text: str) -> bool:
    try:
        parse_config(text.encode(), ".kattest.yaml")
    except ConfigError:
        return False
    return True


def test_the_schema_is_a_valid_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("text", GOOD)
def test_both_accept(text: str) -> None:
    assert validates(text)
    assert is_followed(text)


@pytest.mark.parametrize("name", sorted(REFUSED.keys() - BEYOND_THE_SCHEMA.keys() - NOT_JSON))
def test_both_refuse(name: str) -> None:
    text = REFUSED[name][0]
    assert not validates(text)
    assert not is_followed(text)


@pytest.mark.parametrize("name", BEYOND_THE_SCHEMA)
def test_the_reader_alone_refuses(name: str) -> None:
    assert validates(BEYOND_THE_SCHEMA[name])
    assert not is_followed(BEYOND_THE_SCHEMA[name])


def test_both_know_the_same_keys() -> None:
    for key in SCHEMA["properties"]:
        assert is_followed(f"{key}: {'[]' if key == 'exclude' else '{}'}")
    seat = SCHEMA["properties"]["panels"]["additionalProperties"]["items"]["properties"]
    assert is_followed("panels: {p: [{judge: a, weight: 1, titles: [x]}]}")
    assert seat.keys() == {"judge", "weight", "titles"}
    assert SCHEMA["properties"]["limits"]["properties"].keys() == {"document_bytes"}
    assert SCHEMA["properties"]["lifecycle"]["properties"].keys() == {"grace_days"}
    history = SCHEMA["properties"]["history"]["properties"]
    assert history.keys() == {"base", "protect"}
    assert history["base"]["enum"] == [*HistoryBase]
    defaults = parse_config(b"", ".kattest.yaml")
    assert history["base"]["default"] == defaults.history_base
    assert history["protect"]["default"] == [*defaults.protected]
    grace = SCHEMA["properties"]["lifecycle"]["properties"]["grace_days"]
    assert (grace["minimum"], grace["maximum"]) == (0, LONGEST_GRACE_DAYS)
    assert grace["default"] == defaults.grace_days
