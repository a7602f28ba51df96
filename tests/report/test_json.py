"""The JSON report, version 1: its shape is a contract (design, section 4.1)."""

import json
import re
from typing import Any

import pytest
from jsonschema import ValidationError

from kattest.report import json as json_report
from kattest.rules import RULES
from tests.report.scenario import BASE, COMMIT, Scenario, as_of
from tests.report.scenarios import FILE, SCENARIOS, skill
from tests.report.schema import KEYS, validate
from tests.support.memory import ROOT
from tests.support.rounds import dumps, make_round

every_scenario = pytest.mark.parametrize("name", SCENARIOS)


def document_of(scenario: Scenario) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json_report.render(scenario.report()))
    return document


@every_scenario
def test_a_report_has_exactly_the_shape_of_the_design(name: str) -> None:
    validate(document_of(SCENARIOS[name]))


def test_the_schema_of_this_test_refuses_what_the_design_does_not_name() -> None:
    document = document_of(SCENARIOS["forged"])
    for changed in (
        document | {"more": 1},
        document | {"counts": document["counts"] | {"excluded": 0}},
        {key: value for key, value in document.items() if key != "ok"},
        document | {"rounds": [document["rounds"][0] | {"status": "ok"}]},
        document | {"findings": [document["findings"][0] | {"pointer": "evaluations"}]},
        document | {"memory": [{"path": ROOT}]},
    ):
        with pytest.raises(ValidationError):
            validate(changed)


@every_scenario
def test_keys_come_in_the_order_of_the_design(name: str) -> None:
    document = document_of(SCENARIOS[name])
    assert list(document) == KEYS[""]
    for key in ("source", "counts"):
        assert list(document[key]) == KEYS[key]
    for key in ("rounds", "memory", "findings"):
        assert all(list(item) == KEYS[key] for item in document[key])
    for finding in document["findings"]:
        assert all(list(related) == KEYS["related"] for related in finding["related"])


@every_scenario
def test_counts_add_up(name: str) -> None:
    document = document_of(SCENARIOS[name])
    counts = document["counts"]
    severities = [finding["severity"] for finding in document["findings"]]
    for severity in ("error", "warning", "info"):
        assert counts[f"{severity}s"] == severities.count(severity)
    assert counts["rounds"] == len(document["rounds"])
    assert counts["attestation_files"] >= len({found["path"] for found in document["rounds"]})
    assert counts["memory_roots"] == len(document["memory"])
    if not SCENARIOS[name].paths:  # a root is read whole, and told whole
        assert counts["records"] == sum(root["records"] for root in document["memory"])
    for root in document["memory"]:
        assert sum(root["tiers"].values()) <= root["records"]
        assert (root["overdue_since"] is None) is (root["overdue"] == 0)


@every_scenario
def test_ok_is_false_where_errors_are_counted_or_warnings_in_a_strict_check(name: str) -> None:
    scenario = SCENARIOS[name]
    for strict in (False, True):
        document = document_of(scenario._replace(strict=strict))
        counts = document["counts"]
        assert document["ok"] is (counts["errors"] + (counts["warnings"] if strict else 0) == 0)


@every_scenario
def test_findings_are_sorted_by_path_pointer_and_code(name: str) -> None:
    findings = document_of(SCENARIOS[name])["findings"]
    keys = [(found["path"], found["pointer"], found["code"]) for found in findings]
    assert keys == sorted(keys)


def test_findings_of_several_files_and_rounds_are_sorted_too() -> None:
    broken = make_round()
    for attestation in broken["attestations"]:
        attestation["score"] = 99.25
    file = dumps(*[broken] * 12)
    files = {f"{folder}/.judge-attestations.json": file for folder in ("b", "a", "B", "a-b", "a/b")}
    findings = document_of(Scenario(files))["findings"]
    keys = [(found["path"], found["pointer"], found["code"]) for found in findings]
    assert len(keys) > 100
    assert keys == sorted(keys)


@pytest.mark.parametrize("name", ["forged-ignored", "forged-off", "memory-overdue-ignored"])
def test_what_a_rule_that_does_not_report_found_is_in_the_verdict_alone(name: str) -> None:
    document = document_of(SCENARIOS[name])
    assert document["ok"] is True
    assert document["findings"] == []
    assert document["counts"]["errors"] == 0
    assert [found["status"] for found in document["rounds"] + document["memory"]] == ["failed"]


@every_scenario
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    first, second = (json_report.render(SCENARIOS[name].report()) for _ in range(2))
    assert first == second


@every_scenario
def test_a_report_is_printable_ascii_on_lines_and_ends_with_one(name: str) -> None:
    text = json_report.render(SCENARIOS[name].report())
    assert re.fullmatch(r"(?:[ -~]+\n)+", text)


@every_scenario
def test_findings_name_a_rule_and_a_place(name: str) -> None:
    for finding in document_of(SCENARIOS[name])["findings"]:
        assert finding["name"] == RULES[finding["code"]].name
        assert (finding["line"] is None) is (finding["column"] is None)
        if finding["pointer"]:
            assert finding["line"] is not None


def test_a_clean_report_in_full() -> None:
    assert document_of(SCENARIOS["clean"]) == {
        "schema": "kattest.report/1",
        "kattest": "0.1.0",
        "source": {"kind": "worktree", "rev": None, "base": None},
        "config": None,
        "as_of": as_of().isoformat(),
        "ok": True,
        "counts": {
            "attestation_files": 1,
            "rounds": 1,
            "attestations": 3,
            "memory_roots": 0,
            "records": 0,
            "errors": 0,
            "warnings": 0,
            "infos": 0,
        },
        "rounds": [
            {
                "path": FILE,
                "evaluation_id": "bto-eval-2026-03-01T12:00:00Z",
                "status": "verified",
                "recipe": "prefixed",
                "artifact": "current",
                "isolation": "no-breach-found",
                "spread": "0.7",
            }
        ],
        "memory": [],
        "findings": [],
    }


HOT = {"hot": 1, "warm": 0, "cold": 0, "purge": 0}


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("memory-clean", ("verified", "tiers", 2, 0, HOT | {"hot": 2}, 0, None)),
        ("memory-tiers", ("verified", "tiers", 5, 2, HOT | {"hot": 2, "warm": 1, "cold": 2}, 0, None)),
        (
            "memory-overdue",
            ("failed", "tiers", 15, 2, HOT | {"cold": 12, "purge": 2}, 14, "2026-01-31T09:00:00Z"),
        ),
        (
            "memory-overdue-ignored",
            ("failed", "tiers", 15, 2, HOT | {"cold": 12, "purge": 2}, 14, "2026-01-31T09:00:00Z"),
        ),
        (
            "memory-grace",
            ("failed", "tiers", 15, 2, HOT | {"cold": 12, "purge": 2}, 13, "2026-01-31T09:00:00Z"),
        ),
        ("memory-1.0", ("failed", "retention", 2, 0, HOT | {"purge": 1}, 1, "2026-02-25T09:00:00Z")),
        ("memory-unreadable", ("failed", None, 2, 0, HOT | {"hot": 0}, 0, None)),
        ("memory-symlink", ("failed", None, 0, 0, HOT | {"hot": 0}, 0, None)),
    ],
)  # fmt: skip
def test_what_a_memory_root_is_reported_as(name: str, reported: tuple[Any, ...]) -> None:
    [found] = document_of(SCENARIOS[name])["memory"]
    assert found == dict(zip(KEYS["memory"], (ROOT, *reported), strict=True))


def test_a_range_names_its_end_its_base_and_where_the_configuration_came_from() -> None:
    document = document_of(SCENARIOS["history-rewritten"])
    assert document["source"] == {"kind": "range", "rev": COMMIT, "base": BASE}
    assert document["config"] == "origin/main:.kattest.yaml"
    assert document_of(SCENARIOS["history-grown"])["config"] is None


def test_findings_of_the_history_name_the_published_commit_beside_their_place() -> None:
    findings = document_of(SCENARIOS["history-rewritten"])["findings"]
    found = [one for one in findings if one["code"].startswith("KA50")]
    codes = {one["code"] for one in found}
    assert codes == {f"KA50{number}" for number in range(1, 10)}
    for one in found:
        assert one["commit"] is None
        commits = {related["commit"] for related in one["related"]}
        assert commits == (set() if one["code"] in {"KA508", "KA509"} else {BASE})


def test_memory_roots_are_sorted_by_path_and_each_has_its_own_verdict() -> None:
    found = document_of(SCENARIOS["memory-several"])["memory"]
    assert [(root["path"], root["status"], root["records"]) for root in found] == [
        (f"services/a/{ROOT}", "verified", 1),
        (f"services/b/{ROOT}", "failed", 1),
        (f"services/c/{ROOT}", "verified", 0),
    ]


def test_every_finding_of_a_long_list_is_there() -> None:
    findings = document_of(SCENARIOS["memory-overdue"])["findings"]
    codes = [found["code"] for found in findings]
    assert (codes.count("KA401"), codes.count("KA402")) == (12, 2)


def test_a_finding_in_full() -> None:
    [finding] = document_of(SCENARIOS["superseded"])["findings"]
    message = finding.pop("message")
    [related] = finding.pop("related")
    assert finding == {
        "code": "KA111",
        "name": "artifact-superseded",
        "severity": "warning",
        "path": FILE,
        "pointer": "/evaluations/0/artifact_hash",
        "line": 6,
        "column": 24,
        "commit": None,
    }
    assert COMMIT[:12] in message
    assert related["commit"] == COMMIT
    assert related["path"].endswith("/SKILL.md")


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("clean", ("verified", "prefixed", "current", "no-breach-found", "0.7")),
        ("forged", ("failed", None, "current", "no-breach-found", "1.5")),
        ("forged-ignored", ("failed", None, "current", "no-breach-found", "1.5")),
        ("forged-off", ("failed", None, "current", "no-breach-found", "1.5")),
        ("superseded", ("verified", "prefixed", "superseded", "no-breach-found", "0.7")),
        ("unknown", ("failed", "prefixed", "unknown", "no-breach-found", "0.7")),
        ("moved", ("verified", "prefixed", "moved", "no-breach-found", "0.7")),
        ("missing", ("failed", "prefixed", "missing", "no-breach-found", "0.7")),
        ("breach", ("failed", "prefixed", "current", "breach", "0.7")),
        ("meta-judge", ("verified", "prefixed", "current", "no-breach-found", "4.0")),
        ("single-round", ("verified", "prefixed", "current", "no-breach-found", "0.7")),
    ],
)
def test_what_a_round_is_reported_as(name: str, reported: tuple[str | None, ...]) -> None:
    [found] = document_of(SCENARIOS[name])["rounds"]
    keys = ("status", "recipe", "artifact", "isolation", "spread")
    assert tuple(found[key] for key in keys) == reported


def test_a_round_without_scores_has_no_spread_and_without_an_id_no_id() -> None:
    empty = make_round() | {"attestations": []}
    del empty["evaluation_id"]
    document = document_of(Scenario(skill(empty)))
    validate(document)
    [found] = document["rounds"]
    assert (found["evaluation_id"], found["spread"], found["recipe"]) == (None, None, None)
    assert found["status"] == "failed"


@pytest.mark.parametrize("score", ["1e2", "-0.0", "1E-3", "1e300", "0.30000000000000004"])
def test_a_spread_is_written_without_an_exponent(score: str) -> None:
    text = dumps(make_round()).replace(b'"score": 8.2', f'"score": {score}'.encode())
    document = document_of(Scenario(skill() | {FILE: text}))
    assert re.fullmatch(r"[0-9]+(\.[0-9]+)?", document["rounds"][0]["spread"])
