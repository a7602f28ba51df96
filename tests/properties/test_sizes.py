"""Inputs made to exhaust time or memory: judged within generous bounds, each with a finding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

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
    reports = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=TOP,
            env={**os.environ, "PYTHONHASHSEED": seed},
            input=text.encode(),
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(reports) == 1
