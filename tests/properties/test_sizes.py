"""Inputs made to exhaust time or memory: judged within generous bounds, each with a finding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.memory import dumps, make_index, make_record
from tests.support.shared import TOP

pytest.importorskip("resource", reason="memory is measured by a Unix system call")

from tests.properties.sizes import CASES

SECONDS = 60
MEBIBYTES = 1024

# What must be found of each; the other cases need only end in time.
EXPECTED: dict[str, set[str]] = {
    "beyond_the_limit": {"KA005"},
    "empty_rounds_without_end": {"KA001"},
    "empty_rounds": {"KA003"},
    "unknown_keys": {"KA004"},
    "repeated_keys": {"KA002"},
    "repeated_keys_in_many_objects": {"KA002"},
    "open_brackets": {"KA001"},
    "open_braces": {"KA001"},
    "escaped_quotes_without_end": {"KA001"},
    "quotes": {"KA001"},
    "white_space": {"KA003"},
    "numbers": {"KA003"},
    "surrogate_pairs": {"KA003"},
    "unsafe_strings": {"KA003", "KA007"},
    "one_long_key_around_many_values": {"KA001"},
    "longest_keys_around_many_values": {"KA003"},
    "longest_keys_around_unsafe_strings": {"KA007"},
    "longest_keys_around_repeated_keys": {"KA002"},
    "judges_20_000": {"KA120", "KA102"},
    "one_judge_20_000_times": {"KA120", "KA122"},
    "rounds_5_000": set(),
    "rounds_5_000_of_one_id": {"KA135"},
    "files_5_000": set(),
    "weights_300_000": {"KA132"},
    "weights_300_000_of_another_type": {"KA003"},
    "rationale_of_7_mib": {"KA140"},
    "rationale_of_critics": {"KA140", "KA143"},
    "rationale_of_joiners": {"KA007"},
    "artifact_path_of_dots": set(),
    "missing_artifacts_in_a_large_tree": {"KA112"},
    "many_versions_of_a_missing_artifact_in_a_large_tree": {"KA112"},
    "many_versions_of_a_large_artifact": {"KA110"},
    "timestamps_of_many_digits": {"KA104"},
    "hashes_of_many_digits": {"KA105"},
    "judge_ids_of_many_letters": {"KA121"},
    "keys_as_deep_as_the_parser_goes_below_a_repeated_key": {"KA001"},
    "memory_of_20_000_records": set(),
    "memory_of_20_000_records_of_one_id": {"KA209"},
    "memory_of_ids_that_compose_to_one": {"KA209"},
    "memory_of_5_000_roots": set(),
    "index_of_strange_entries": {"KA003", "KA303"},
    "index_of_entries_without_fields": {"KA003", "KA303"},
    "index_of_too_many_entries": {"KA001"},
    "index_of_entries_without_records": {"KA303", "KA302"},
    "index_of_paths_out_of_the_root": {"KA308"},
    "index_of_slugs": {"KA306"},
    "index_of_aggregates": {"KA306"},
    "index_of_open_brackets": {"KA001"},
    "index_beyond_the_limit": {"KA005"},
    "reward_levels_of_one_value": {"KA205"},
    "reward_levels_and_rewards": {"KA205"},
    "archived_record_of_unknown_fields": {"KA210"},
    "record_of_promises_that_are_none": {"KA003"},
    "known_domains_without_end": {"KA211"},
    "configuration_of_open_brackets": {"ConfigError"},
    "configuration_of_open_braces": {"ConfigError"},
    "configuration_of_a_number_to_base_60": {"ConfigError"},
    "configuration_of_keys": {"ConfigError"},
}
# These are over in a moment, and stay so.
QUICK = {
    "beyond_the_limit",
    "empty_rounds_without_end",
    "open_brackets",
    "open_braces",
    "escaped_quotes_without_end",
    "timestamps_of_many_digits",
    "hashes_of_many_digits",
    "keys_as_deep_as_the_parser_goes_below_a_repeated_key",
    "index_of_open_brackets",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in CASES],
)
def test_is_judged_in_time_and_space(
    name: str, record_property: Callable[[str, Any], None]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.properties.sizes", name],
        cwd=TOP,
        capture_output=True,
        text=True,
        timeout=2 * SECONDS,  # making the input takes its time too
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    measured = json.loads(done.stdout)
    for key, value in measured.items():
        record_property(key, value)
    assert EXPECTED.get(name, set()) <= measured["found"].keys()
    assert measured["seconds"] < SECONDS
    assert measured["peak_mib"] < MEBIBYTES


PROGRAM = """
import hashlib, sys
from kattest.report import json
from tests.unit.judging import judge
print(hashlib.sha256(json.render(judge(sys.stdin.buffer.read())).encode()).hexdigest())
"""
OBJECT_OF_3000 = ", ".join(f'"k{number}": null' for number in range(3000))
ROUNDS = ", ".join(f'{{"x{number}": 1, "y": [], "z": null}}' for number in range(800))


def reports(program: str, data: bytes) -> set[bytes]:
    """What ``program`` prints of ``data`` in processes that order sets in different ways."""
    return {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=TOP,
            env={**os.environ, "PYTHONHASHSEED": seed},
            input=data,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }


@pytest.mark.parametrize(
    "text",
    [
        f'{{"evaluations": [{{"weights": {{{OBJECT_OF_3000}}}}}]}}',
        f'{{"evaluations": [{{{OBJECT_OF_3000}}}]}}',
        f'{{"evaluations": [{ROUNDS}]}}',
        f"{{{OBJECT_OF_3000}, {OBJECT_OF_3000}}}",
        '{"evaluations": [{"attestations": [{"rationale_summary": "\\u0001\\u0002\\u202e\\u200b"}]}]}',
    ],
    ids=["weights", "unknown fields", "rounds", "repeated keys", "unsafe text"],
)
def test_the_report_is_the_same_whatever_the_hash_seed(text: str) -> None:
    """House rule 6 of the design: byte-identical output, however sets happen to be ordered."""
    assert len(reports(PROGRAM, text.encode())) == 1


MEMORY_PROGRAM = """
import hashlib, sys
from kattest.report import json
from tests.support.memory import ROOT, STORED, make_record, make_tree
from tests.unit.remembering import judge_tree
slugs = [f"s{n}" for n in range(1200)]
files = make_tree(*map(make_record, slugs), index=False) | {f"{ROOT}/index.json": sys.stdin.buffer.read()}
print(hashlib.sha256(json.render(judge_tree(files, STORED)).encode()).hexdigest())
"""
DANGLING = {
    f"r{n}": {
        "domain": "banking",
        "phase": "phase-2",
        "slug": "s",
        "reward": 0.7,
        "skill": "x",
        "tier": "hot",
        "file": "../x",
        "expires_at": "2026-08-28T12:30:00Z",
    }
    for n in range(1500)
}


@pytest.mark.parametrize(
    "tables",
    [
        {"records": DANGLING},
        {"records": {key: {} for key in DANGLING}},
        {"by_domain": {key: {"count": 1, "avg_reward": 1, "slugs": [key]} for key in DANGLING}},
        {"by_domain": {"banking": {"count": 1200, "avg_reward": 0.7, "slugs": [*DANGLING]}}},
    ],
    ids=["entries without records", "entries without fields", "domains", "slugs"],
)
def test_the_report_on_a_memory_is_the_same_whatever_the_hash_seed(tables: dict[str, Any]) -> None:
    index = make_index([make_record(f"s{n}") for n in range(1200)]) | tables
    assert len(reports(MEMORY_PROGRAM, dumps(index))) == 1
