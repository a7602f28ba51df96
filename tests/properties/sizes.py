"""Adversarial inputs at their full size, each to be judged in a process of its own.

``python -m tests.properties.sizes NAME`` prints, as JSON, how long the check took and how much
memory the process came to use, both to be bounded by the tests.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from kattest.config import Config
from kattest.configfile import parse_config
from kattest.errors import ConfigError
from kattest.jsondoc import KEY_LENGTH, NESTING
from tests.properties.memory_sizes import CASES as MEMORY_CASES
from tests.support.rounds import ARTIFACT, RATIONALES, dumps, make_round
from tests.unit.judging import codes, judge

MIB = 1024 * 1024
LARGEST = 8 * MIB
ADDRESS_SPACE = 6 * 1024 * MIB  # so that a case that goes wrong does not take the machine along


class Input(NamedTuple):
    """An attestation file, what else the tree holds (a memory), and a configuration to be read."""

    data: bytes
    files: dict[str, bytes] = {"SKILL.md": ARTIFACT}  # noqa: RUF012 - a NamedTuple's default
    config: bytes = b""


CASES: dict[str, Callable[[], Input]] = {}


def case(make: Callable[[], bytes | Input]) -> Callable[[], Input]:
    """Register a case under its function's name."""

    def build() -> Input:
        made = make()
        return made if isinstance(made, Input) else Input(made)

    CASES[make.__name__] = build
    return build


def filled(head: bytes, piece: bytes, tail: bytes = b"") -> bytes:
    """As many pieces between ``head`` and ``tail`` as the largest document holds."""
    return head + piece * ((LARGEST - len(head) - len(tail)) // len(piece)) + tail


def list_filled(head: bytes, piece: bytes, tail: bytes) -> bytes:
    """The same with commas between the pieces."""
    count = (LARGEST - len(head) - len(tail)) // (len(piece) + 1)
    return head + b",".join([piece] * count) + tail


def rationale(text: str) -> bytes:
    """A round in which the first judge writes ``text`` as often as there is room for."""
    room = LARGEST - len(dumps(make_round()))
    words = text * (room // len(json.dumps(text, ensure_ascii=False)[1:-1].encode()))
    return dumps(make_round(rationales=(words, *RATIONALES[1:])))


def without_judges(number: int, **fields: Any) -> bytes:
    """Rounds with an artifact each and nothing else."""
    rounds = [
        {"evaluation_id": f"e{i}", "artifact_hash": f"sha256:{i:064x}", "attestations": []}
        | {name: value(i) if callable(value) else value for name, value in fields.items()}
        for i in range(number)
    ]
    return json.dumps({"evaluations": rounds}, separators=(",", ":")).encode()


@case
def beyond_the_limit() -> bytes:
    return b" " * (9 * MIB)


@case
def empty_rounds_without_end() -> bytes:
    return filled(b'{"evaluations":[', b"{},")


@case
def empty_rounds() -> bytes:
    return b'{"evaluations":[' + b",".join([b"{}"] * 199_000) + b"]}"


@case
def unknown_keys() -> bytes:
    return b"{" + b",".join(b'"k%07d":0' % i for i in range(LARGEST // 13)) + b"}"


@case
def repeated_keys() -> bytes:
    return list_filled(b"{", b'"a":0', b"}")


@case
def repeated_keys_in_many_objects() -> bytes:
    return b"[" + b",".join([b'{"a":0,"a":0,"a":0}'] * 199_000) + b"]"


@case
def open_brackets() -> bytes:
    return b"[" * LARGEST


@case
def open_braces() -> bytes:
    return filled(b"", b'{"a":')


@case
def escaped_quotes() -> bytes:
    return filled(b'"', b'\\"', b'"')


@case
def escaped_quotes_without_end() -> bytes:
    return filled(b'"', b'\\"')


@case
def backslashes() -> bytes:
    return filled(b'["', b"\\\\", b'"]')


@case
def brackets_in_a_string() -> bytes:
    return filled(b'["', b'\\"[{', b'"]')


@case
def quotes() -> bytes:
    return b'"' * LARGEST


@case
def white_space() -> bytes:
    return filled(b"[", b"\n", b"]")


@case
def numbers() -> bytes:
    return list_filled(b'{"evaluations":[', b"1", b"]}")


@case
def long_numbers() -> bytes:
    return b"[" + b",".join(b"%0128d" % i for i in range(10**127, 10**127 + 60_000)) + b"]"


@case
def surrogate_pairs() -> bytes:
    return list_filled(b'{"evaluations":[', rb'"\ud83d\ude00"', b"]}")


@case
def unsafe_strings() -> bytes:
    return list_filled(b'{"evaluations":[', rb'"\u202e"', b"]}")


@case
def one_long_key_around_many_values() -> bytes:
    return b'{"' + b"k" * (LARGEST // 2) + b'":[' + b",".join([b"1"] * (LARGEST // 5)) + b"]}"


@case
def one_long_key_around_many_strings() -> bytes:
    return b'{"' + b"k" * (LARGEST // 2) + b'":[' + b",".join([b'""'] * (LARGEST // 8)) + b"]}"


@case
def one_long_key_around_unsafe_strings() -> bytes:
    return rb'{"' + b"k" * (LARGEST // 2) + b'":[' + b",".join([rb'"\u202e"'] * 2000) + b"]}"


@case
def one_long_key_around_repeated_keys() -> bytes:
    return b'{"' + b"k" * (LARGEST // 2) + b'":{' + b",".join([b'"":0'] * (LARGEST // 12)) + b"}}"


@case
def long_keys_in_each_other() -> bytes:
    key = b'{"' + b"k" * (LARGEST // 80) + b'":'
    inner = b"[" + b",".join([rb'"\u202e"'] * 100_000) + b"]"
    return key * 60 + inner + b"}" * 60


def within_keys(inner: bytes) -> bytes:
    """``inner``, as deep as it may be, below the longest keys there may be."""
    key = b'{"' + b"k" * KEY_LENGTH + b'":'
    return key * (NESTING - 2) + inner + b"}" * (NESTING - 2)


@case
def longest_keys_around_many_values() -> bytes:
    return within_keys(b"[" + b",".join([b"1"] * (LARGEST // 3)) + b"]")


@case
def longest_keys_around_unsafe_strings() -> bytes:
    return within_keys(b"[" + b",".join([rb'"\u202e"'] * (LARGEST // 12)) + b"]")


@case
def longest_keys_around_repeated_keys() -> bytes:
    return within_keys(b"{" + b",".join([b'"":0'] * (LARGEST // 8)) + b"}")


@case
def longest_keys_around_unknown_fields() -> bytes:
    fields = b",".join(b'"k%06d":0' % i for i in range(LARGEST // 13))
    return b'{"evaluations":[{"weights":{' + fields + b"}," + within_keys(b"1")[1:-1] + b"}]}"


@case
def judges_20_000() -> bytes:
    round_ = make_round()
    first = round_["attestations"][0]
    brief = first | {"rationale_summary": "Brief."}
    round_["attestations"] = [brief | {"judge_id": f"j{i}"} for i in range(20_000)]
    round_["weights"] = {f"j{i}": 0.00005 for i in range(20_000)}
    return json.dumps({"evaluations": [round_]}, separators=(",", ":")).encode()


@case
def one_judge_20_000_times() -> bytes:
    round_ = make_round()
    brief = round_["attestations"][0] | {"rationale_summary": "Brief."}
    round_["attestations"] = [brief] * 20_000
    return json.dumps({"evaluations": [round_]}, separators=(",", ":")).encode()


@case
def rounds_5_000() -> bytes:
    rounds = [make_round(evaluation_id=f"e{i}") for i in range(5000)]
    return json.dumps({"evaluations": rounds}, separators=(",", ":")).encode()


@case
def rounds_5_000_of_one_id() -> bytes:
    rounds = [make_round(evaluation_id="e") for i in range(5000)]
    return json.dumps({"evaluations": rounds}, separators=(",", ":")).encode()


@case
def files_5_000() -> Input:
    files = {
        f"s{i}/.judge-attestations.json": dumps(make_round(evaluation_id=f"e{i}"))
        for i in range(5000)
    }
    return Input(dumps(make_round()), files | {"SKILL.md": ARTIFACT})


@case
def weights_300_000() -> bytes:
    round_ = make_round()
    round_["weights"] = {f"j{i}": 0.1 for i in range(300_000)}
    return dumps(round_)


@case
def weights_300_000_of_another_type() -> bytes:
    round_ = make_round()
    round_["weights"] = {f"j{i}": None for i in range(300_000)}
    return dumps(round_)


@case
def rationale_of_7_mib() -> bytes:
    return dumps(make_round(rationales=("Reasons. " * (7 * MIB // 9), *RATIONALES[1:])))


@case
def rationale_of_whole_numbers() -> bytes:
    return rationale("1 ")


@case
def rationale_of_decimals() -> bytes:
    return rationale("1.1 ")


@case
def rationale_of_one_decimal() -> bytes:
    return rationale("1").replace(b"1111", b"1.11", 1)


@case
def rationale_of_words_for_scores() -> bytes:
    return rationale("score of, 1 ")


@case
def rationale_of_russian_words_for_scores() -> bytes:
    return rationale("дал ещё и 1 ")


@case
def rationale_of_numbers_far_apart() -> bytes:
    return rationale("8" + " " * 60)


@case
def rationale_of_spaces() -> bytes:
    return rationale("score" + " " * 1_000_000)


@case
def rationale_of_half_a_russian_title() -> bytes:
    return rationale("доменный \t")


@case
def rationale_of_experts() -> bytes:
    return rationale("эксперт по ")


@case
def rationale_of_one_expert_and_spaces() -> bytes:
    return rationale("эксперт по" + " " * 1_000_000)


@case
def rationale_of_critics() -> bytes:
    return rationale("critic ")


@case
def rationale_of_letters_that_grow_when_composed() -> bytes:
    return rationale("\ufdfa")


@case
def rationale_of_combining_marks() -> bytes:
    return rationale("\u0300\u0316")


@case
def rationale_of_joiners() -> bytes:
    return rationale("\u200d")


@case
def artifact_path_of_many_folders() -> bytes:
    return dumps(make_round(path="a/" * (7 * MIB // 2) + "b"))


@case
def artifact_path_of_dots() -> bytes:
    return dumps(make_round(path="./" * (7 * MIB // 2) + "SKILL.md"))


@case
def artifact_path_of_one_long_name() -> bytes:
    return dumps(make_round(path="a" * (7 * MIB)))


@case
def missing_artifacts_in_a_large_tree() -> Input:
    files = {f"f/{i}": b"%d" % i for i in range(10_000)}
    return Input(without_judges(40_000, artifact_path=lambda i: f"p{i}"), files)


@case
def many_versions_of_a_missing_artifact_in_a_large_tree() -> Input:
    files = {f"f/{i}": b"%d" % i for i in range(10_000)}
    return Input(without_judges(40_000, artifact_path="p"), files)


@case
def many_versions_of_a_large_artifact() -> Input:
    return Input(without_judges(40_000, artifact_path="SKILL.md"), {"SKILL.md": b"x\n" * MIB})


@case
def timestamps_of_many_digits() -> bytes:
    round_ = make_round()
    round_["started_at"] = f"2026-03-01T12:00:00.{'0' * 7 * MIB}Z"
    return dumps(round_)


@case
def hashes_of_many_digits() -> bytes:
    round_ = make_round()
    round_["artifact_hash"] = f"sha256:{'0' * 7 * MIB}"
    return dumps(round_)


@case
def judge_ids_of_many_letters() -> bytes:
    round_ = make_round()
    round_["attestations"][0]["judge_id"] = "j" * (7 * MIB)
    return dumps(round_)


@case
def configuration_of_open_brackets() -> Input:
    return Input(dumps(make_round()), config=b"[" * MIB)


@case
def configuration_of_open_braces() -> Input:
    return Input(dumps(make_round()), config=b"{a: " * (MIB // 4))


@case
def configuration_of_aliases() -> Input:
    seats = b", ".join(b"{judge: j%d}" % i for i in range(25_000))
    names = b"".join(b"  p%d: *seats\n" % i for i in range(35_000))
    return Input(dumps(make_round()), config=b"panels:\n  p: &seats [" + seats + b"]\n" + names)


@case
def configuration_of_a_number_to_base_60() -> Input:
    config = b"limits: {document_bytes: 1" + b":0" * (MIB // 2 - 20) + b"}"
    return Input(dumps(make_round()), config=config)


@case
def configuration_of_keys() -> Input:
    codes_ = b", ".join(b"KA%03d: off" % i for i in range(1000))
    return Input(dumps(make_round()), config=b"severity: {" + codes_ + b"}" + b" " * (MIB - 20_000))


@case
def keys_as_deep_as_the_parser_goes_below_a_repeated_key() -> bytes:
    keys = (b'{"' + b"k" * KEY_LENGTH + b'":') * 900
    repeated = b"{" + b",".join([b'"":0'] * 2000) + b"}"
    return b'{"a":' + keys + repeated + b"}" * 900 + b',"a":0}'


def beside_a_round(make: Callable[[], dict[str, bytes]]) -> Callable[[], Input]:
    """A case of memory, in a tree with an honest attestation file."""
    return lambda: Input(dumps(make_round()), make() | {"SKILL.md": ARTIFACT})


CASES |= {name: beside_a_round(make) for name, make in MEMORY_CASES.items()}


def measure(name: str) -> dict[str, Any]:
    """Judge one case."""
    data, files, config = CASES[name]()
    begin = time.perf_counter()
    found: list[str] = []
    try:
        followed = parse_config(config, ".kattest.yaml") if config else Config()
        found = codes(judge(data, files=files, config=followed))
    except ConfigError:
        found = ["ConfigError"]
    seconds = time.perf_counter() - begin
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return {
        "seconds": round(seconds, 2),
        "peak_mib": peak // MIB,
        "input_bytes": len(data) + len(config) + sum(map(len, files.values())),
        "found": {code: found.count(code) for code in dict.fromkeys(found)},
    }


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    json.dump(measure(sys.argv[1]), sys.stdout)
