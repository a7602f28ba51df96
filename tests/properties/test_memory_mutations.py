"""Every single change of a memory tree is found, but for the ones listed here with their reason."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from fnmatch import fnmatchcase
from typing import NamedTuple

import pytest

from kattest.finding import Severity
from tests.properties.memory_changes import Change, Files, of_document, of_names
from tests.support.memory import (
    CONFIG_1_0,
    STORED,
    archive,
    file_of,
    make_index,
    make_record,
    make_tree,
)
from tests.unit.remembering import judge_tree

DAY = timedelta(days=1)
NOW = STORED + 2 * DAY
ERROR = "error"

HOT = make_record()
WARM = make_record(
    "loan", "phase-3", STORED - 40 * DAY, domain="healthcare", skill="explore", reward=1.0
)
OTHER = make_record(
    "loan", "phase-0", STORED - 10 * DAY, domain="retail", skill="explore", reward=0.3
)
COLD = archive(make_record("old", "phase-2", STORED - 95 * DAY, reward=0.3), STORED - DAY)
INDEX = make_index([HOT, WARM, OTHER, COLD], tiers={WARM["id"]: "warm"})
TIERED = make_tree(HOT, WARM, OTHER, COLD, index=INDEX)
NO_INDEX = make_tree(HOT, WARM, OTHER, COLD, index=False)
OLD = make_record(version="1.0")
OLD_OTHER = make_record(
    "loan",
    "phase-0",
    STORED - 10 * DAY,
    domain="retail",
    skill="explore",
    version="1.0",
    reward=0.3,
)
RETAINED = make_tree(OLD, OLD_OTHER, config=CONFIG_1_0)


def outcome(files: Files) -> str:
    """``error``, or the codes of the warnings: nothing where nothing is found."""
    findings = judge_tree(files, NOW).findings
    if any(finding.severity is Severity.ERROR for finding in findings):
        return ERROR
    return " ".join(sorted({finding.rule.code for finding in findings}))


class Survivors(NamedTuple):
    """Changes that are no error, by patterns of their names, with what is reported and why."""

    patterns: tuple[str, ...]
    reason: str
    reported: str = ""


SPELLING = "another spelling of the same instant, or within the same second"
RECORD = (
    Survivors(
        (
            "/phase_name value: *",
            "/reward_reason value: *",
            "/context/* value: *",
            "/context/phase_number fraction",
            "/context/upstream_promises/? removed",
            "/outcome/artifacts_created value: *",
            "/outcome/artifacts_created/? removed",
            "/outcome/artifacts_created/? value: *",
            "/outcome/checkpoint_response value: *",
            "/outcome/iterations value: *",
        ),
        "free text and numbers of an active record: only its history can say what they were",
    ),
    Survivors(
        (
            "/phase_name unsafe",
            "/reward_reason unsafe",
            "/context/* unsafe",
            "/outcome/artifacts_created/? unsafe",
            "/outcome/checkpoint_response unsafe",
        ),
        "the same, and the character alone is reported",
        "KA007",
    ),
    Survivors(
        (
            "/promise_tag null",
            "/promise_tag value: *",
            "/outcome/promise_emitted null",
            "/outcome/promise_emitted value: *",
        ),
        "one of the two promises alone: reported as a warning",
        "KA208",
    ),
    Survivors(
        ("/promise_tag unsafe", "/outcome/promise_emitted unsafe"), "the same", "KA007 KA208"
    ),
    Survivors(
        ("field: *", "/context field: *", "/outcome field: *"), "reported as a warning", "KA004"
    ),
    Survivors(
        ("/timestamp value: in another zone", "/timestamp value: a fraction later"), SPELLING
    ),
    Survivors(("/version value: = 1.[01]",), "a tree may hold records of both versions"),
)
INDEXED_RECORD = (
    *RECORD,
    Survivors(("/expires_at value: in another zone",), SPELLING),
)
UNINDEXED = "without an index nothing else says what it was"
UNINDEXED_SCORE = (
    Survivors(
        ("/reward value: a tenth more", "/reward value: 0.00[46] more"),
        f"{UNINDEXED}, and between the levels any label will do",
    ),
    Survivors(("/skill_used value: *",), UNINDEXED),
    Survivors(("/skill_used unsafe",), UNINDEXED, "KA007"),
    Survivors(("removed",), UNINDEXED),
)
UNINDEXED_RECORD = (
    *RECORD,
    *UNINDEXED_SCORE,
    Survivors(
        (
            "/expires_at value: a second *",
            "/expires_at value: a day *",
            "/expires_at value: in another zone",
            "/expires_at value: a fraction later",
        ),
        "accepted within a day",
    ),
)
UNTRACED = "it cannot be compared: the record it was made of is gone"
COLD_RECORD = (
    Survivors(
        (
            "/promise_tag null",
            "/promise_tag value: *",
            "/summary value: emptied",
            "/summary value: a*",
            "/summary value: in capitals",
        ),
        UNTRACED,
    ),
    Survivors(("/promise_tag unsafe", "/summary unsafe"), UNTRACED, "KA007"),
    Survivors(
        (
            "/archived_at value: a second *",
            "/archived_at value: a day *",
            "/archived_at value: two days earlier",
            "/archived_at value: a fraction later",
        ),
        "another moment when it was due already, and not after the index",
    ),
    Survivors(
        (
            "/archived_at value: in another zone",
            "/original_timestamp value: in another zone",
            "/original_timestamp value: a fraction later",
        ),
        SPELLING,
    ),
)
INDEXED_COLD_RECORD = (
    *COLD_RECORD,
    Survivors(
        ("/archived_at value: two days later",), "younger than the index, a warning", "KA309"
    ),
)
UNINDEXED_COLD_RECORD = (
    *COLD_RECORD,
    *UNINDEXED_SCORE,
    Survivors(("/archived_at value: two days later",), UNINDEXED),
)
RETAINED_INDEX_FILE = (
    Survivors(
        ("field: *", "/by_*/[*] field: *", "/records/* field: *"), "reported as a warning", "KA004"
    ),
    Survivors(("/version value: = 1.1",), "the protocol's index is of 1.0, in a tree of 1.1"),
    Survivors(
        (
            "/last_updated value: a second later",
            "/last_updated value: a day later",
            "/last_updated value: two days later",
            "/last_updated value: a fraction later",
        ),
        "it may have been rebuilt at any moment since the newest record",
    ),
    Survivors(
        ("/last_updated value: *earlier", "/last_updated value: a year later"),
        "reported as a warning",
        "KA309",
    ),
    Survivors(
        ("/last_updated value: in another zone", "/records/*/expires_at value: in another zone"),
        SPELLING,
    ),
    Survivors(("/by_*/avg_reward value: 0.004 more",), "averages are rounded"),
)
RETAINED_INDEX = (
    *RETAINED_INDEX_FILE,
    Survivors(("removed",), "without tiers nobody needs an index"),
)
TIERED_INDEX = (
    *RETAINED_INDEX_FILE,
    Survivors(("removed",), "reported as a warning", "KA301"),
    Survivors(("/by_*/slugs value: its elements backwards",), "slugs have no order"),
    Survivors(
        ("/records/warm/tier value: = hot",),
        "tiers are only updated when something is written",
    ),
    Survivors(
        (
            "/records/cold/expires_at value: a second *",
            "/records/cold/expires_at value: a day *",
            "/records/cold/expires_at value: a fraction later",
        ),
        "the archived record has no date of its own to compare with; accepted within a day",
    ),
)
CONFIG_FILE = (
    Survivors(("field: *",), "reported as a warning", "KA004"),
    Survivors(
        (
            "/max_results_per_query value: one *",
            "/max_results_per_query value: [1h]*",
            "/enabled value: the other",
        ),
        "it decides on queries alone",
    ),
    Survivors(
        (
            "/known_domains value: emptied",
            "/known_domains value: its elements backwards",
            "/known_domains value: an element more",
            "/known_domains/2 removed",
            "/known_domains/2 value: [!e]*",
        ),
        "domains that no record has, or all of them: no record is in the wrong folder",
    ),
    Survivors(("/known_domains/2 unsafe",), "the same, and the character is reported", "KA007"),
    Survivors(
        (
            "/reward_levels field: in *",
            "/reward_levels/* removed",
            "/reward_levels/excellent value: one less",
            "/reward_levels/failed value: one more",
            "/reward_levels/[!e]* value: a tenth more",
            "/reward_levels/[!e]* value: 0.00[46] more",
            "/reward_levels/* value: [01]",
        ),
        "no record's reward then equals a level of another label",
    ),
    Survivors(("removed",), "the defaults count then, and are the same"),
)
TIERED_CONFIG = (
    *CONFIG_FILE,
    Survivors(
        ("/retention_days value: one *", "/retention_days value: [01]"),
        "with tiers the retention counts for nothing",
    ),
    Survivors(
        ("/tier_*_days value: one *", "/tier_hot_days value: 1"),
        "no record is at the bound, and dates of expiry are accepted within a day",
    ),
)
RETAINED_CONFIG = (
    *CONFIG_FILE,
    Survivors(
        ("/known_domains/3 removed", "/known_domains/3 value: [!e]*"), "no record has this domain"
    ),
    Survivors(("/known_domains/3 unsafe",), "the same, and the character is reported", "KA007"),
    Survivors(("/version value: = 1.1",), "tiers are optional in 1.1"),
    Survivors(
        ("/retention_days value: one *",),
        "no record is at the bound, and dates of expiry are accepted within a day",
    ),
)

CASES = {
    "record": (TIERED, file_of(HOT), INDEXED_RECORD),
    "cold record": (TIERED, file_of(COLD), INDEXED_COLD_RECORD),
    "index": (TIERED, "index.json", TIERED_INDEX),
    "configuration": (TIERED, "config.json", TIERED_CONFIG),
    "record without an index": (NO_INDEX, file_of(HOT), UNINDEXED_RECORD),
    "cold record without an index": (NO_INDEX, file_of(COLD), UNINDEXED_COLD_RECORD),
    "record without tiers": (RETAINED, file_of(OLD), INDEXED_RECORD),
    "index without tiers": (RETAINED, "index.json", RETAINED_INDEX),
    "configuration without tiers": (RETAINED, "config.json", RETAINED_CONFIG),
}


def surprises(changes: Iterable[Change], table: tuple[Survivors, ...], usual: str) -> list[str]:
    """The changes that are not found as ``table`` says, and its patterns that no change has."""
    unused = {pattern for survivors in table for pattern in survivors.patterns}
    wrong = []
    for change in changes:
        expected = []
        for survivors in table:
            matching = {p for p in survivors.patterns if fnmatchcase(change.name, p)}
            unused -= matching
            expected += [survivors.reported] if matching else []
        codes = outcome(change.files)
        seen = codes if codes == ERROR else " ".join(sorted({*codes.split()} - {*usual.split()}))
        if [seen] != (expected or [ERROR]):
            wrong.append(f"{change.name}: {seen or 'nothing'} and not {expected or ERROR}")
    return wrong + [f"{pattern}: no such change" for pattern in sorted(unused)]


@pytest.mark.parametrize(
    ("files", "usual"),
    [(TIERED, ""), (NO_INDEX, "KA301"), (RETAINED, "")],
    ids=["1.1", "no index", "1.0"],
)
def test_nothing_is_wrong_before_a_change(files: Files, usual: str) -> None:
    assert outcome(files) == usual


@pytest.mark.parametrize(("files", "file", "table"), CASES.values(), ids=CASES)
def test_every_change_of_a_document(files: Files, file: str, table: tuple[Survivors, ...]) -> None:
    assert all(survivors.reason for survivors in table)
    assert surprises(of_document(files, file), table, outcome(files)) == []


COPIES = (
    Survivors(
        ("copied: another ending", "copied: a copy's ending"), "reported as a warning", "KA212"
    ),
    Survivors(("copied: out of the root",), "what lies outside of a memory is no part of it"),
)
UNINDEXED_NAMES = (
    *COPIES,
    Survivors(("moved: another ending", "moved: a copy's ending"), UNINDEXED, "KA212"),
    Survivors(("moved: out of the root",), UNINDEXED),
)


@pytest.mark.parametrize(
    ("files", "file", "table"),
    [
        (TIERED, file_of(HOT), COPIES),
        (TIERED, file_of(COLD), COPIES),
        (NO_INDEX, file_of(HOT), UNINDEXED_NAMES),
        (NO_INDEX, file_of(COLD), UNINDEXED_NAMES),
        (RETAINED, file_of(OLD), COPIES),
    ],
    ids=["record", "cold record", "record without an index", "cold, no index", "record of 1.0"],
)
def test_every_change_of_a_name_or_folder(
    files: Files, file: str, table: tuple[Survivors, ...]
) -> None:
    assert surprises(of_names(files, file), table, outcome(files)) == []
