"""No memory, however hostile, ends in a traceback: a check always gives a report, and the same one."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.jsondoc import parse
from kattest.report import json as json_report
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.result import Report, Status
from kattest.text import escape
from kattest.tree import Kind
from tests.properties.test_hostile_input import HOSTILE_TEXT, VALUES, Raw, everything, written
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    ROOT,
    STORED,
    archive,
    dumps,
    file_of,
    make_index,
    make_record,
    make_tree,
)
from tests.unit.remembering import found, judge_tree

DAY = timedelta(days=1)
NOW = STORED + DAY
RECORD = make_record()
OTHER = make_record("loan", "phase-3", STORED - 40 * DAY, reward=1.0)
COLD = archive(make_record("old", "phase-0", STORED - 95 * DAY, reward=0.3), STORED - DAY)
INDEX = make_index([RECORD, OTHER, COLD])
HONEST = make_tree(RECORD, OTHER, COLD, index=INDEX)
DOCUMENTS: dict[str, Any] = {
    file_of(RECORD): RECORD,
    file_of(COLD): COLD,
    "config.json": CONFIG,
    "index.json": INDEX,
    "_patterns/domain-patterns.json": {"patterns": []},
    "_stats/reward-summary.json": {"total_records": 3},
    "_stats/imported-baselines.json": {},
    "banking/misplaced.json": RECORD,
}
FILES = st.sampled_from([*DOCUMENTS])
FIRST = datetime(1, 1, 1, tzinfo=UTC)
LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
MOMENTS = st.sampled_from([NOW, NOW, NOW, FIRST, LAST])


def judged(files: dict[str, bytes], at: datetime = NOW, **where: Any) -> Report:
    """The report, after everything that any report must be."""
    report = judge_tree(files, at, **where)
    assert report == judge_tree(files, at, **where)
    keys = [(f.location.path, f.location.pointer, f.rule.code) for f in report.findings]
    assert keys == sorted(keys)
    assert report.ok is all(root.status is Status.VERIFIED for root in report.memory)
    for detail in Detail:
        shown = text_report.render(report, colour=False, detail=detail)
        assert all(line == escape(line) for line in shown.split("\n"))
    parse(json_report.render(report).encode())
    return report


def with_text(file: str, text: str) -> dict[str, bytes]:
    return HONEST | {f"{ROOT}/{file}": text.encode("utf-8", "surrogatepass")}


def codes(report: Report) -> set[str]:
    return {code for code, _, _ in found(report)}


def test_the_tree_around_them_is_clean() -> None:
    assert found(judged(HONEST)) == []


@settings(max_examples=100)
@given(FILES, st.binary(max_size=100))
def test_random_bytes(file: str, data: bytes) -> None:
    judged(HONEST | {f"{ROOT}/{file}": data})


@settings(max_examples=100)
@given(FILES, VALUES)
def test_random_json(file: str, value: Any) -> None:
    judged(with_text(file, written(value)))


@settings(max_examples=100)
@given(st.sampled_from(["by_domain", "by_phase", "by_skill", "records"]), VALUES, MOMENTS)
def test_random_values_in_place_of_a_table_of_the_index(
    table: str, value: Any, at: datetime
) -> None:
    judged(with_text("index.json", written(INDEX | {table: value})), at)


KEYS = (
    st.sampled_from(
        sorted(
            {*RECORD, *COLD, *CONFIG, *INDEX, *INDEX["records"], *INDEX["records"][RECORD["id"]]}
        )
    )
    | HOSTILE_TEXT
)
TIMES = st.sampled_from(
    [
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+23:59",
        "0001-01-01T00:00:00-23:59",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59.999+00:01",
        "9999-12-31T23:59:59-23:59",
        "0000-00-00T00:00:00Z",
        "10000-01-01T00:00:00Z",
        "2026-03-01T12:30:00.5Z",
        "2026-03-01T12:30:60Z",
        "٢٠٢٦-03-01T12:30:00Z",
    ]
)
NUMBERS = st.sampled_from(
    [
        "1e308",
        "-1e308",
        "1e-308",
        "-0.0",
        "-0",
        "0e308",
        "9" * 128,
        f"0.{'1' * 126}",
        "1.0",
        "1e0",
        "36500",
        "36501",
        f"1{'0' * 100}",
        f"-1{'0' * 100}",
        "2.5",
        "90.0",
        "1e400",
        "NaN",
    ]
).map(Raw)
PATHS = st.sampled_from(
    [
        "../x",
        "/etc/passwd",
        "a\0b",
        ".git/config",
        "C:\\x",
        "\udcff",
        "x" * 5000,
        "",
        file_of(OTHER),
    ]
)
STRANGE = VALUES | TIMES | NUMBERS | PATHS


@st.composite
def near_valid(draw: st.DrawFn, documents: tuple[Any, ...]) -> str:
    """One of ``documents`` with some values replaced, removed, added or exchanged."""
    document: Any = deepcopy(draw(st.sampled_from(documents)))
    for _ in range(draw(st.integers(1, 4))):
        inside = draw(st.sampled_from(everything(document)))
        steps = [*inside] if isinstance(inside, dict) else [*range(len(inside))]
        action = draw(st.sampled_from(["replace", "replace", "replace", "remove", "add"]))
        if not steps or action == "add":
            if isinstance(inside, list):
                inside.append(draw(STRANGE))
            else:
                inside[draw(KEYS)] = draw(STRANGE)
        elif action == "remove":
            del inside[draw(st.sampled_from(steps))]
        else:
            inside[draw(st.sampled_from(steps))] = draw(STRANGE)
    return written(document)


NEARLY = {file: near_valid((document,)) for file, document in DOCUMENTS.items()} | {
    file_of(RECORD): near_valid((RECORD, COLD)),
    file_of(COLD): near_valid((RECORD, COLD)),
    "config.json": near_valid((CONFIG, CONFIG_1_0)),
}


@settings(max_examples=150)
@given(st.fixed_dictionaries({}, optional=NEARLY), MOMENTS)
def test_nearly_honest_documents(texts: dict[str, str], at: datetime) -> None:
    files = dict(HONEST)
    for file, text in texts.items():
        files |= with_text(file, text).items() - HONEST.items()
    judged(files, at)


NAMES = st.sampled_from(
    [
        file_of(RECORD),
        file_of(COLD),
        file_of(COLD).replace("_archive/", ""),
        file_of(RECORD).replace("banking/", "banking/_archive/"),
        "config.json",
        "config.json/x",
        "index.json",
        "index.json/a/b_2026-03-01T12-30-00.json",
        "_stats/reward-summary.json/x",
        "banking/a/b_2026-03-01T12-30-00.json",
        "banking/a/b_9999-99-99T99-99-99.json",
        "a\n/\udcff/\x1b[31m_2026-03-01T12-30-00.json",
        "..json",
        "../../config.json",
        "x/.keysarium/memory/index.json",
        "",
    ]
)
CONTENTS = st.sampled_from(
    [b"", b"{}", b"[]", b"\xff", *(dumps(document) for document in DOCUMENTS.values())]
)


@settings(max_examples=100)
@given(
    st.dictionaries(NAMES, CONTENTS, max_size=6),
    st.dictionaries(
        NAMES, st.sampled_from([kind for kind in Kind if kind is not Kind.FILE]), max_size=3
    ),
    st.booleans(),
)
def test_any_tree(files: dict[str, bytes], kinds: dict[str, Kind], whole: bool) -> None:  # noqa: FBT001 - drawn
    around = HONEST if whole else {}
    judged(
        {**around, **{f"{ROOT}/{file}".rstrip("/"): data for file, data in files.items()}},
        kinds={f"{ROOT}/{file}".rstrip("/"): kind for file, kind in kinds.items()},
    )


TIMED = {
    "record": (file_of(RECORD), RECORD, ("timestamp", "expires_at")),
    "cold": (file_of(COLD), COLD, ("original_timestamp", "archived_at")),
    "index": ("index.json", INDEX, ("last_updated",)),
}


@pytest.mark.parametrize(("file", "document", "fields"), TIMED.values(), ids=TIMED)
@pytest.mark.parametrize("at", [FIRST, NOW, LAST], ids=["year 1", "now", "year 9999"])
def test_times_at_both_ends_of_the_calendar(
    file: str, document: dict[str, Any], fields: tuple[str, ...], at: datetime
) -> None:
    ends = (
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
    )
    for times in product(ends, repeat=len(fields)):
        changed = document | dict(zip(fields, times, strict=True))
        assert codes(judged(with_text(file, written(changed)), at))


@pytest.mark.parametrize(
    "days",
    [f"1{'0' * 100}", f"-1{'0' * 100}", "-1", "0", "36501", "9" * 128, "1e2", "90.0", "true"],
)
def test_days_without_bound_are_found(days: str) -> None:
    for field in ("tier_hot_days", "tier_warm_days", "tier_cold_days"):
        report = judged(with_text("config.json", written(CONFIG | {field: Raw(days)})), LAST)
        assert codes(report) & {"KA211", "KA003"}
        assert report.memory[0].lifecycle is None
    flat = make_tree(make_record(version="1.0"), config=None, index=False)
    text = written(CONFIG_1_0 | {"retention_days": Raw(days)})
    report = judged(flat | {f"{ROOT}/config.json": text.encode()})
    assert days == "0" or codes(report) & {"KA211", "KA003"}


@pytest.mark.parametrize(
    "reward",
    [
        "1e308",
        "-1e308",
        "-1e-308",
        "-0.0",
        "-0",
        "1.0000000000000000000001",
        "9" * 128,
        f"1.{'0' * 125}1",
    ],
)
def test_rewards_beyond_their_scale_are_found(reward: str) -> None:
    files = with_text(file_of(RECORD), written(RECORD | {"reward": Raw(reward)}))
    assert "KA204" in codes(judged(files))
    everywhere = {key: entry | {"reward": Raw(reward)} for key, entry in INDEX["records"].items()}
    averages = {
        table: {key: found_ | {"avg_reward": Raw(reward)} for key, found_ in INDEX[table].items()}
        for table in ("by_domain", "by_phase", "by_skill")
    }
    index = written(INDEX | averages | {"records": everywhere})
    assert {"KA204"} <= codes(judged({**files, f"{ROOT}/index.json": index.encode()}))
    assert codes(judged(with_text("index.json", index)))


@pytest.mark.parametrize("reward", ["1e-308", f"0.{'9' * 126}", "0e308", "0.0", "1E0"])
def test_rewards_on_the_scale_however_written_are_counted_exactly(reward: str) -> None:
    files = with_text(file_of(RECORD), written(RECORD | {"reward": Raw(reward)}))
    assert "KA204" not in codes(judged(files))


# Entries with their fields in an order that no other test has.
BACKWARDS = dict(reversed(INDEX["records"][RECORD["id"]].items()))


def test_entries_beyond_what_is_reported_are_read_like_the_others() -> None:
    """Faults are reported up to a bound; a fault beyond it must not pass for something sound."""
    missing: dict[str, Any] = {f"a{n}": {} for n in range(300)}  # eight faults each
    amiss = {f"b{n}": BACKWARDS | {"reward": "0.7"} for n in range(3)}
    real = {RECORD["id"]: BACKWARDS | {"reward": "0.7"}}
    judged(with_text("index.json", written(INDEX | {"records": {**missing, **amiss, **real}})))


def test_a_record_does_not_make_another_ones_faults_pass() -> None:
    """What one document holds beyond the reported faults must not change how the next is read."""
    amiss = dict(reversed(RECORD["outcome"].items())) | {"checkpoint_response": 5}
    first = deepcopy(RECORD) | {"outcome": amiss}
    first["context"]["upstream_promises"] = [0] * 2001
    judged(with_text(file_of(RECORD), written(first)))
    report = judged(with_text(file_of(RECORD), written(RECORD | {"outcome": amiss})))
    assert ("KA003", f"{ROOT}/{file_of(RECORD)}", "/outcome/checkpoint_response") in found(report)
