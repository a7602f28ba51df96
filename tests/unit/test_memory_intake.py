"""What memory_store is given: what is refused and why, and the record that the rest becomes."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest

from kattest.jsondoc import parse
from kattest.memory.intake import faults_in, new_record
from kattest.memory.layout import folder_of
from kattest.memory.model import MemoryConfig
from kattest.paths import blind
from tests.support.memory import CONFIG, CONFIG_1_0, ROOT, STORED, dumps, file_of, iso, make_record
from tests.unit.remembering import found, instant, judge_tree, read, rules_of
from tests.unit.writing import RULES, given_record, stored

NOW = instant(STORED)
ANY_DOMAIN = rules_of(CONFIG | {"known_domains": []})
MISSING = object()


def faults(value: Any, config: MemoryConfig = RULES) -> tuple[str, ...]:
    return faults_in(read(value), config)


def changed(path: str, value: Any) -> dict[str, Any]:
    """The record with one member set, or left out."""
    record = deepcopy(given_record())
    *above, name = path.split("/")
    inside: Any = record
    for key in above:
        inside = inside[key]
    inside[name] = value
    if value is MISSING:
        del inside[name]
    return record


FIELDS = [
    path
    for name, member in given_record().items()
    for path in (name, *(f"{name}/{i}" for i in (member if isinstance(member, dict) else ())))
]


def test_the_protocols_example_is_sound() -> None:
    assert len(FIELDS) == 20
    assert faults(given_record()) == ()


@pytest.mark.parametrize("path", FIELDS)
def test_a_field_that_is_missing_is_named(path: str) -> None:
    [fault] = faults(changed(path, MISSING))
    assert fault == f'the field "{path.rpartition("/")[2]}" is missing (/{path})'


@pytest.mark.parametrize("path", FIELDS)
def test_a_field_of_another_type_is_named(path: str) -> None:
    [fault] = faults(changed(path, value=True))
    assert f'"{path.rpartition("/")[2]}" must be ' in fault
    assert "true" not in fault


@pytest.mark.parametrize("path", ["extra", "context/extra", "outcome/extra", "Reward"])
def test_a_field_that_the_protocol_does_not_have_is_named(path: str) -> None:
    [fault] = faults(changed(path, "x"))
    assert f'no field "{path.rpartition("/")[2]}"' in fault


@pytest.mark.parametrize("name", ["id", "version", "timestamp", "promise_tag", "expires_at"])
def test_a_field_that_kattest_sets_itself_is_not_to_be_given(name: str) -> None:
    [fault] = faults(changed(name, None))
    assert fault.startswith(f'"{name}" is set by kattest')


@pytest.mark.parametrize(
    ("path", "value"),
    [("context/upstream_promises", ["A", 1]), ("outcome/artifacts_created", [None])],
)
def test_a_list_of_texts_holds_texts(path: str, value: Any) -> None:
    [fault] = faults(changed(path, value))
    assert "must hold strings" in fault


@pytest.mark.parametrize("value", [None, [], "record", 7, True, [given_record()]])
def test_what_is_no_object_is_no_record(value: Any) -> None:
    [fault] = faults(value)
    assert fault.startswith("a record must be an object")


def test_several_faults_are_named_at_once() -> None:
    record = given_record(reward="0.7", skill_used=None)
    del record["phase_name"]
    assert len(faults(record)) == 3


def test_a_promise_may_be_null() -> None:
    assert faults(changed("outcome/promise_emitted", None)) == ()


@pytest.mark.parametrize(
    ("reward", "is_sound"),
    [
        *(("0.5", True), ("0.999", True), ("1e-3", True), ("1.001", False), ("2", False)),
        *(("-0.1", False), ("1e2", False), ("-0.0", False)),
    ],
)
def test_a_reward_lies_from_0_to_1(reward: str, *, is_sound: bool) -> None:
    text = json.dumps(given_record()).replace('"reward": 0.7', f'"reward": {reward}')
    assert (faults_in(parse(text.encode()).value, RULES) == ()) is is_sound


@pytest.mark.parametrize(
    ("reward", "label", "is_sound"),
    [
        (1.0, "excellent", True),
        (1, "excellent", True),
        (0.0, "failed", True),
        (0.3, "needs_work", True),
        (0.7, "needs_work", False),
        (1.0, "good", False),
        (0.7, "", False),
        (0.7, "Good", False),
        (0.5, "so-so", True),  # no level says what 0.5 is called
    ],
)
def test_a_level_is_called_by_its_label(reward: float, label: str, *, is_sound: bool) -> None:
    found_faults = faults(given_record(reward=reward, reward_label=label))
    assert (found_faults == ()) is is_sound
    assert is_sound or "is called" in found_faults[0]


LONG = "n" * 300  # longer than any file system's names
HOSTILE = ["", " ", "..", ".", "a/b", "a\\b", "/a", "a\0", "a\x1b[31m", "a\u202eb", "a\u200b"]


@pytest.mark.parametrize("name", [*HOSTILE, "a ", " a", "a\n", ".git", "_archive", LONG])
def test_a_slug_that_can_be_no_folder_is_refused(name: str) -> None:
    assert faults(given_record(case_slug=name), ANY_DOMAIN)


@pytest.mark.parametrize("name", ["", " ", "a/b", "a\\b", "a\0", "a\u202eb", "a ", "../a", LONG])
def test_a_phase_that_can_be_in_no_file_name_is_refused(name: str) -> None:
    assert faults(given_record(phase=name), ANY_DOMAIN)


@pytest.mark.parametrize(
    "name",
    [*HOSTILE, "a ", "_patterns", "_x", ".x", ".git", "c:x", "config.json", "index.json", LONG],
)
def test_a_domain_that_can_be_no_folder_is_refused(name: str) -> None:
    assert faults(given_record(domain=name), ANY_DOMAIN)


@pytest.mark.parametrize("name", ["кейс", "a b", "it's", "a.b", "-", "case_2", "naïve", "😀"])
def test_other_names_are_as_good_as_any(name: str) -> None:
    assert faults(given_record(case_slug=name, domain=name, phase=name), ANY_DOMAIN) == ()


def test_a_record_of_an_unknown_domain_lies_in_unknown_and_keeps_its_domain() -> None:
    record, document = stored(NOW, domain="space")
    assert record.file == f"unknown/bank_kc_automation/{file_of(make_record()).rpartition('/')[2]}"
    assert json.loads(document)["domain"] == record.domain == "space"
    assert folder_of("banking", RULES.known_domains) == "banking"
    assert folder_of("space", ANY_DOMAIN.known_domains) == "space"


@pytest.mark.parametrize(
    ("config", "days", "version"),
    [
        (CONFIG, 180, "1.1"),
        (CONFIG | {"tier_cold_days": 400}, 400, "1.1"),
        (CONFIG | {"retention_days": 0}, 180, "1.1"),
        (CONFIG_1_0, 90, "1.0"),
        (CONFIG_1_0 | {"retention_days": 7}, 7, "1.0"),
        (CONFIG_1_0 | {"retention_days": 0}, 0, "1.0"),
    ],
)
def test_a_record_is_the_one_that_the_protocol_makes(
    config: dict[str, Any], days: int, version: str
) -> None:
    record, document = stored(NOW, rules_of(config))
    expected = make_record(version=version, days=days)
    assert document == dumps(expected)  # members in the order of the schema, too
    assert record.file == file_of(expected)
    assert expected["expires_at"] == (iso(STORED + timedelta(days=days)) if days else None)
    text = record.expires_at.text if record.expires_at else None
    assert text == expected["expires_at"]


def test_the_order_in_which_fields_were_given_does_not_matter() -> None:
    shuffled = dict(reversed(given_record().items()))
    value = read(shuffled)
    assert isinstance(value, dict)
    document = new_record(value, RULES, NOW, ()).document
    assert [*document] == [*make_record()]


def test_numbers_keep_the_text_in_which_they_were_given() -> None:
    text = json.dumps(given_record()).replace("0.7", "0.70").replace("15.0", "1.5e1")
    value = parse(text.encode()).value
    assert isinstance(value, dict)
    _, document = new_record(value, RULES, NOW, ())
    assert document["reward"] == value["reward"]
    assert document["context"] == value["context"]


def test_records_of_one_second_get_seconds_of_their_own_none_later() -> None:
    value = read(given_record())
    assert isinstance(value, dict)
    taken: set[str] = set()
    times = []
    for _ in range(5):
        record, document = new_record(value, RULES, NOW._replace(fraction="75"), taken)
        assert record.id == document["id"]
        assert record.file == file_of(
            json.loads(json.dumps(make_record())) | {"timestamp": document["timestamp"]}
        )
        taken.add(blind(record.id or ""))
        times.append(document["timestamp"])
    assert times == [iso(STORED - timedelta(seconds=second)) for second in range(5)]
    assert len(taken) == 5


def test_an_id_is_taken_by_one_that_differs_only_in_case() -> None:
    first, _ = stored(NOW, case_slug="Case")
    value = read(given_record(case_slug="case"))
    assert isinstance(value, dict)
    second = new_record(value, RULES, NOW, {blind(first.id or "")}).record
    assert second.timestamp is not None
    assert second.timestamp.text == iso(STORED - timedelta(seconds=1))


@pytest.mark.parametrize("domain", ["space", "a/b", "_x", "..", ".git", "c:x"])
def test_a_domain_that_is_not_known_never_makes_a_path(domain: str) -> None:
    assert faults(given_record(domain=domain)) == ()
    record, document = stored(NOW, domain=domain)
    assert record.file.startswith("unknown/bank_kc_automation/")
    tree = {f"{ROOT}/{record.file}": document, f"{ROOT}/config.json": dumps(CONFIG)}
    assert {code for code, _, _ in found(judge_tree(tree, STORED))} == {"KA301"}
