"""What may become of rounds and records once they are published."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from kattest.attestation.parsing import parse_file
from kattest.attestation.succession import StoredRound, may_follow
from kattest.jsondoc import parse
from kattest.memory.succession import is_warm_no_more, may_leave, other_place, unfaithful
from tests.support import rounds
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    STORED,
    archive,
    make_record,
)
from tests.support.rounds import make_round
from tests.unit.remembering import cold_of, instant, record_of, rules_of

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)

SPLIT = make_round(scores=("9.0", "5.5", "8.0"))
SETTLED = make_round(scores=("9.0", "5.5", "8.0"), meta="7.5")


def stored(made: Mapping[str, Any], *, is_last: bool = True) -> StoredRound:
    parsed = parse(rounds.dumps({**made})).value
    assert isinstance(parsed, dict)
    file, _ = parse_file(parsed, "a")
    assert file
    listed = parsed["evaluations"]
    assert isinstance(listed, list)
    return StoredRound("a", file.rounds[0], listed[0], is_last)


class TestRounds:
    @pytest.mark.parametrize("is_last", [True, False])
    def test_one_that_is_the_same_may_follow(self, *, is_last: bool) -> None:
        assert may_follow(stored(SPLIT, is_last=is_last), stored(SPLIT))

    def test_a_meta_judge_may_come_to_the_last_one(self) -> None:
        assert may_follow(stored(SPLIT), stored(SETTLED))
        assert may_follow(stored(SPLIT), stored(SETTLED, is_last=False))
        assert not may_follow(stored(SPLIT, is_last=False), stored(SETTLED))

    def test_nobody_may_go(self) -> None:
        assert not may_follow(stored(SETTLED), stored(SPLIT))

    @pytest.mark.parametrize("field", ["completed_at", "final_score"])
    def test_what_follows_from_a_meta_judge_may_follow_with_one_alone(self, field: str) -> None:
        value = {"completed_at": "2026-03-01T13:00:00Z", "final_score": 9.0}[field]
        assert may_follow(stored(SPLIT), stored(SETTLED | {field: value}))
        assert not may_follow(stored(SPLIT), stored(SPLIT | {field: value}))
        assert not may_follow(stored(SETTLED), stored(SETTLED | {field: value}))

    @pytest.mark.parametrize(
        "field", sorted(SPLIT.keys() - {"attestations", "completed_at", "final_score"})
    )
    @pytest.mark.parametrize("how", ["another", "absent"])
    def test_nothing_else_may_change_with_one(self, field: str, how: str) -> None:
        other = {**SETTLED, field: "another"}
        if how == "absent":
            del other[field]
        assert not may_follow(stored(SPLIT), stored(other))
        assert not may_follow(stored(other), stored(SETTLED))

    def test_nothing_may_be_added_with_one(self) -> None:
        assert not may_follow(stored(SPLIT), stored(SETTLED | {"note": "as agreed"}))

    @pytest.mark.parametrize(
        "order", [(3, 0, 1, 2), (0, 1, 3, 2), (0, 1, 3), (0, 1, 2, 3, 3), (3,), (0, 1, 2, 2)]
    )
    def test_it_comes_last_once_and_alone(self, order: tuple[int, ...]) -> None:
        made = [SETTLED["attestations"][seat] for seat in order]
        assert not may_follow(stored(SPLIT), stored(SETTLED | {"attestations": made}))

    @pytest.mark.parametrize("judge", ["tiebreaker", "Meta-Judge", "", None])
    def test_nobody_else_may_come(self, judge: str | None) -> None:
        *panel, meta = SETTLED["attestations"]
        other = SETTLED | {"attestations": [*panel, meta | {"judge_id": judge}]}
        assert not may_follow(stored(SPLIT), stored(other))

    @pytest.mark.parametrize("value", [None, "x", {}, [], 7])
    def test_what_is_no_list_of_attestations_may_not_change(self, value: Any) -> None:
        odd = SPLIT | {"attestations": value}
        assert may_follow(stored(odd), stored(odd))
        assert not may_follow(stored(odd), stored(SETTLED))
        assert not may_follow(stored(SPLIT), stored(odd))


class TestWhenRecordsMayLeave:
    @pytest.mark.parametrize(("age", "may"), [(180 * DAY, False), (180 * DAY + SECOND, True)])
    def test_with_tiers_after_the_cold_days(self, age: timedelta, *, may: bool) -> None:
        for record in (record_of(make_record()), cold_of(archive(make_record(), STORED))):
            assert may_leave(record, rules_of(CONFIG), instant(STORED + age)) is may

    @pytest.mark.parametrize(("age", "may"), [(90 * DAY, False), (90 * DAY + SECOND, True)])
    def test_without_tiers_after_their_own_date(self, age: timedelta, *, may: bool) -> None:
        record = record_of(make_record(version="1.0"))
        assert may_leave(record, rules_of(CONFIG_1_0), instant(STORED + age)) is may

    def test_never_where_they_have_no_end(self) -> None:
        record = record_of(make_record(version="1.0", days=0))
        rules = rules_of(CONFIG_1_0 | {"retention_days": 0})
        assert not may_leave(record, rules, instant(STORED + 3000 * DAY))

    @pytest.mark.parametrize("timestamp", ["", "soon", "2026-03-01T12:30:00", None, 7])
    def test_never_where_their_time_is_not_known(self, timestamp: object) -> None:
        record = record_of(make_record() | {"timestamp": timestamp}, "banking/a/b.json")
        assert not may_leave(record, rules_of(CONFIG), instant(STORED + 3000 * DAY))
        assert not is_warm_no_more(record, rules_of(CONFIG), instant(STORED + 3000 * DAY))

    @pytest.mark.parametrize(("age", "no_more"), [(90 * DAY, False), (90 * DAY + SECOND, True)])
    def test_they_are_warm_up_to_the_last_moment(self, age: timedelta, *, no_more: bool) -> None:
        record = record_of(make_record())
        assert is_warm_no_more(record, rules_of(CONFIG), instant(STORED + age)) is no_more

    def test_without_tiers_nothing_is_warm_no_more(self) -> None:
        record = record_of(make_record(version="1.0"))
        assert not is_warm_no_more(record, rules_of(CONFIG_1_0), instant(STORED + 900 * DAY))


RECORD = make_record()
COLD = archive(RECORD, STORED + 91 * DAY)
OTHER_VALUES = {
    "id": "another",
    "phase": "phase-9",
    "domain": "retail",
    "slug": "another",
    "reward": 0.71,
    "reward_label": "excellent",
    "skill_used": "explore",
    "promise_tag": "ANOTHER",
    "summary": "All went well",
    "original_timestamp": "2026-03-01T12:30:01Z",
}


class TestUnfaithfulArchives:
    @staticmethod
    def of(archived: Mapping[str, Any], record: Mapping[str, Any] = RECORD) -> list[str]:
        return [*unfaithful(record_of(record, "a/b/c.json"), cold_of(archived, "a/b/c.json"))]

    def test_what_archiving_makes_is_faithful(self) -> None:
        assert self.of(COLD) == []

    def test_when_it_was_made_is_its_own(self) -> None:
        assert self.of(COLD | {"archived_at": "2026-07-01T00:00:00Z"}) == []

    @pytest.mark.parametrize("field", OTHER_VALUES)
    def test_every_other_field_counts_under_its_own_name(self, field: str) -> None:
        assert self.of(COLD | {field: OTHER_VALUES[field]}) == [field]
        assert self.of({name: value for name, value in COLD.items() if name != field}) == [field]

    @pytest.mark.parametrize(
        ("field", "value"), [("reward", 0.70), ("original_timestamp", "2026-03-01T15:30:00+03:00")]
    )
    def test_numbers_and_moments_may_be_spelled_otherwise(self, field: str, value: object) -> None:
        assert self.of(COLD | {field: value}) == []

    def test_a_promise_that_was_not_made_is_none(self) -> None:
        without = RECORD | {"promise_tag": None}
        assert self.of(COLD | {"promise_tag": None}, without) == []
        assert self.of(COLD, without) == ["promise_tag"]


@pytest.mark.parametrize(
    ("file", "other"),
    [
        ("retail/shop/phase-1_2026-03-01T12-30-00.json", "_archive/"),
        ("un known/a b/x_2026-03-01T12-30-00.json", "_archive/"),
        ("index.json", None),
        ("retail/shop/notes.txt", None),
        ("retail/more/shop/phase-1_2026-03-01T12-30-00.json", None),
    ],
)
def test_a_record_has_one_place_in_the_archive_and_one_outside(
    file: str, other: str | None
) -> None:
    if other is None:
        assert other_place(file) is None
        return
    domain, _, rest = file.partition("/")
    archived = f"{domain}/{other}{rest}"
    assert other_place(file) == archived
    assert other_place(archived) == file
