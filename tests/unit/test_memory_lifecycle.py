"""When a record changes its tier, what is due when, and what archiving makes of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.instant import Instant, parse_timestamp
from kattest.memory.configuration import UNREADABLE
from kattest.memory.lifecycle import (
    SUMMARY_LENGTH,
    Duty,
    Overdue,
    age,
    compress,
    expires,
    expiry_date,
    expiry_days,
    may_expire,
    overdue,
    tier_of,
)
from kattest.memory.model import AnyRecord, MemoryConfig, Tier
from tests.support.memory import CONFIG, CONFIG_1_0, STORED, archive, iso, make_record
from tests.unit.remembering import cold_of, instant, record_of, rules_of

TIERS = rules_of(CONFIG)
RETENTION = rules_of(CONFIG_1_0)
FOR_EVER = rules_of(CONFIG_1_0 | {"retention_days": 0})
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
ACTIVE = record_of(make_record())
ARCHIVED = cold_of(archive(make_record(), STORED + 91 * DAY))
EITHER = pytest.mark.parametrize("record", [ACTIVE, ARCHIVED], ids=["active", "archived"])
OLD = record_of(make_record(version="1.0"))


def after(days: float = 0, seconds: float = 0, since: datetime = STORED) -> Instant:
    return instant(since + timedelta(days=days, seconds=seconds))


def stored_at(text: str | None, **fields: Any) -> AnyRecord:
    return record_of(make_record() | {"timestamp": text} | fields, "d/s/p_2026-03-01T12-30-00.json")


class TestTier:
    @EITHER
    @pytest.mark.parametrize(
        ("days", "younger", "older"),
        [(30, Tier.HOT, Tier.WARM), (90, Tier.WARM, Tier.COLD), (180, Tier.COLD, Tier.PURGE)],
    )
    def test_a_bound_belongs_to_the_younger_tier(
        self, record: AnyRecord, days: int, younger: Tier, older: Tier
    ) -> None:
        assert tier_of(record, TIERS, after(days, -1)) is younger
        assert tier_of(record, TIERS, after(days)) is younger
        assert tier_of(record, TIERS, after(days, 1)) is older
        assert tier_of(record, TIERS, Instant(after(days).seconds, "0000001")) is older

    @EITHER
    def test_depends_on_age_alone(self, record: AnyRecord) -> None:
        ages = (-400, 0, 1, 31, 91, 181, 40_000)
        found = [tier_of(record, TIERS, after(days)) for days in ages]
        assert found == [Tier.HOT, *[Tier.HOT] * 2, Tier.WARM, Tier.COLD, *[Tier.PURGE] * 2]

    def test_is_that_of_the_configured_days(self) -> None:
        short = rules_of(
            CONFIG | {"tier_hot_days": 1, "tier_warm_days": 2, "tier_cold_days": 36_500}
        )
        assert tier_of(ACTIVE, short, after(1, 1)) is Tier.WARM
        assert tier_of(ACTIVE, short, after(2, 1)) is Tier.COLD
        assert tier_of(ACTIVE, short, after(36_500)) is Tier.COLD
        assert tier_of(ACTIVE, short, after(36_500, 1)) is Tier.PURGE

    @pytest.mark.parametrize("days", [30, 90, 180])
    def test_counts_the_fraction_of_a_second(self, days: int) -> None:
        record = stored_at("2026-03-01T12:30:00.500Z")
        same, later = after(days), after(days, 1)
        younger = tier_of(record, TIERS, same)
        assert tier_of(record, TIERS, Instant(same.seconds, "5")) is younger
        assert tier_of(record, TIERS, Instant(same.seconds, "50001")) is not younger
        assert tier_of(record, TIERS, later) is not younger

    def test_counts_instants_not_clocks(self) -> None:
        record = stored_at("2026-03-01T15:30:00+03:00")
        assert tier_of(record, TIERS, after(30)) is Tier.HOT
        assert tier_of(record, TIERS, after(30, 1)) is Tier.WARM

    @pytest.mark.parametrize("text", [None, "", "yesterday", "2026-03-01T12:30:00", "2026-02-30"])
    @pytest.mark.parametrize("config", [TIERS, UNREADABLE], ids=["tiers", "unreadable"])
    def test_is_not_known_without_a_time(self, text: str | None, config: MemoryConfig) -> None:
        assert tier_of(stored_at(text), config, after()) is None

    @EITHER
    def test_is_not_known_where_the_lifecycle_is_not(self, record: AnyRecord) -> None:
        assert tier_of(record, UNREADABLE, after(500)) is None
        assert tier_of(record, rules_of(CONFIG | {"tier_warm_days": 30}), after(500)) is None
        assert tier_of(record, rules_of({"retention_days": -1}), after(500)) is None

    def test_without_tiers_ends_with_the_records_own_date(self) -> None:
        assert tier_of(OLD, RETENTION, after(90)) is Tier.HOT
        assert tier_of(OLD, RETENTION, after(90, 1)) is Tier.PURGE
        longer = stored_at(iso(STORED), expires_at=iso(STORED + 200 * DAY))
        assert tier_of(longer, RETENTION, after(200)) is Tier.HOT
        assert tier_of(longer, RETENTION, after(200, 1)) is Tier.PURGE

    def test_without_tiers_is_hot_for_ever_where_nothing_expires(self) -> None:
        assert tier_of(OLD, FOR_EVER, after(36_500)) is Tier.HOT
        assert tier_of(stored_at(iso(STORED), expires_at=None), RETENTION, after(999)) is Tier.HOT
        assert tier_of(ARCHIVED, RETENTION, after(999)) is Tier.HOT


class TestDuty:
    @pytest.mark.parametrize("grace", [0, 1, 30, 3650])
    def test_of_archiving_begins_after_the_warm_days_and_the_grace(self, grace: int) -> None:
        if 90 + grace < 180:
            assert overdue(ACTIVE, TIERS, after(90 + grace), grace) is None
            due = Overdue(Duty.ARCHIVE, after(90))
            assert overdue(ACTIVE, TIERS, after(90 + grace, 1), grace) == due
            assert overdue(ACTIVE, TIERS, after(180 + grace), grace) == due
        assert overdue(ARCHIVED, TIERS, after(180 + grace), grace) is None

    @EITHER
    @pytest.mark.parametrize("grace", [0, 1, 30, 3650])
    def test_of_purging_begins_after_the_cold_days_and_the_grace(
        self, record: AnyRecord, grace: int
    ) -> None:
        before = overdue(record, TIERS, after(180 + grace), grace)
        assert before is None or before.duty is Duty.ARCHIVE
        due = Overdue(Duty.PURGE, after(180))
        assert overdue(record, TIERS, after(180 + grace, 1), grace) == due
        assert overdue(record, TIERS, after(40_000), grace) == due

    def test_of_archiving_waits_for_its_whole_grace_even_beyond_the_cold_days(self) -> None:
        assert overdue(ACTIVE, TIERS, after(189), 100) is None
        due = Overdue(Duty.ARCHIVE, after(90))
        assert overdue(ACTIVE, TIERS, after(190, 1), 100) == due

    def test_counts_the_fraction_of_a_second(self) -> None:
        record = stored_at("2026-03-01T12:30:00.25Z")
        assert overdue(record, TIERS, after(90), 0) is None
        assert overdue(record, TIERS, Instant(after(90).seconds, "25"), 0) is None
        due = overdue(record, TIERS, after(90, 1), 0)
        assert due == Overdue(Duty.ARCHIVE, Instant(after(90).seconds, "25"))

    @pytest.mark.parametrize("grace", [0, 7])
    def test_without_tiers_begins_with_the_records_own_date(self, grace: int) -> None:
        assert overdue(OLD, RETENTION, after(90 + grace), grace) is None
        due = Overdue(Duty.EXPIRY, after(90))
        assert overdue(OLD, RETENTION, after(90 + grace, 1), grace) == due
        moved = stored_at(iso(STORED), expires_at=iso(STORED + 5 * DAY))
        assert overdue(moved, RETENTION, after(5 + grace, 1), grace) == Overdue(
            Duty.EXPIRY, after(5)
        )

    def test_is_none_where_nothing_expires(self) -> None:
        for record, config in (
            (OLD, FOR_EVER),
            (OLD, UNREADABLE),
            (ARCHIVED, RETENTION),
            (stored_at(iso(STORED), expires_at=None), RETENTION),
            (stored_at(None), TIERS),
            (stored_at("soon"), TIERS),
        ):
            assert overdue(record, config, after(40_000), 0) is None

    def test_is_none_for_a_record_of_tomorrow(self) -> None:
        assert overdue(ACTIVE, TIERS, after(-1), 0) is None

    def test_at_the_end_of_the_calendar(self) -> None:
        last = stored_at("9999-12-31T23:59:59Z")
        assert overdue(last, TIERS, instant(datetime(9999, 12, 31, tzinfo=UTC)), 3650) is None
        first = stored_at("0001-01-01T00:00:00Z")
        assert overdue(first, TIERS, after(), 3650) is not None


class TestAge:
    def test_is_in_seconds(self) -> None:
        assert age(after(), after()) == 0
        assert age(after(), after(1, 1)) == 86_401
        assert age(after(), after(0, -1)) == -1

    def test_counts_a_second_that_has_begun(self) -> None:
        moment = Instant(after().seconds, "25")
        assert age(moment, after(1)) == 86_400
        assert age(moment, Instant(after(1).seconds, "25")) == 86_400
        assert age(moment, Instant(after(1).seconds, "250001")) == 86_401
        assert age(moment, Instant(after(1).seconds, "3")) == 86_401

    @settings(max_examples=60)
    @given(st.integers(-400, 400), st.integers(0, 400), st.sampled_from(["", "1", "09"]))
    def test_above_a_number_of_days_is_a_comparison_of_instants(
        self, shift: int, days: int, fraction: str
    ) -> None:
        moment = Instant(after().seconds, fraction)
        for as_of in (after(shift), after(shift, 1), Instant(after(shift).seconds, "05")):
            assert (age(moment, as_of) > days * 86_400) is (as_of > moment.after_days(days))


class TestExpiry:
    def test_with_tiers_is_after_the_cold_days(self) -> None:
        assert expiry_days(ACTIVE, TIERS) == (180,)
        assert expiry_date(ACTIVE, TIERS) == after(180)

    def test_of_a_record_from_before_the_tiers_may_be_that_of_retention(self) -> None:
        assert expiry_days(OLD, TIERS) == (180, 90)
        assert expiry_days(OLD, rules_of(CONFIG | {"retention_days": 7})) == (180, 7)
        assert expiry_date(OLD, TIERS) == after(180)

    def test_of_an_archived_record_may_be_either(self) -> None:
        assert expiry_days(ARCHIVED, TIERS) == (180, 90)

    def test_without_tiers_is_after_the_retention_days(self) -> None:
        for record in (OLD, ACTIVE):
            assert expiry_days(record, RETENTION) == (90,)
            assert expiry_date(record, RETENTION) == after(90)

    def test_is_never_with_a_retention_of_0_days(self) -> None:
        assert expiry_days(OLD, FOR_EVER) == ()
        assert expiry_date(OLD, FOR_EVER) is None
        assert not may_expire(OLD, FOR_EVER, after(90))

    def test_is_not_known_without_a_time_or_a_lifecycle(self) -> None:
        assert expiry_date(stored_at(None), TIERS) is None
        assert expiry_date(stored_at("soon"), TIERS) is None
        assert expiry_date(ACTIVE, UNREADABLE) is None
        assert may_expire(stored_at(None), TIERS, after())

    def test_keeps_the_fraction_of_a_second(self) -> None:
        record = stored_at("2026-03-01T12:30:00.125Z")
        assert expiry_date(record, TIERS) == Instant(after(180).seconds, "125")

    @pytest.mark.parametrize("sign", [1, -1])
    def test_is_accepted_up_to_a_day_away(self, sign: int) -> None:
        for record, config, days in (
            (ACTIVE, TIERS, 180),
            (ARCHIVED, TIERS, 180),
            (ARCHIVED, TIERS, 90),
            (OLD, TIERS, 180),
            (OLD, TIERS, 90),
            (OLD, RETENTION, 90),
        ):
            assert may_expire(record, config, after(days))
            assert may_expire(record, config, after(days + sign))
            assert not may_expire(record, config, after(days + sign, sign))
        assert not may_expire(ACTIVE, TIERS, after(90))

    def test_in_a_tree_without_tiers_is_the_records_word(self) -> None:
        assert expires(OLD, RETENTION) == after(90)
        assert expires(OLD, FOR_EVER) is None
        assert expires(ACTIVE, TIERS) is None
        assert expires(ARCHIVED, RETENTION) is None
        assert expires(stored_at(iso(STORED), expires_at="soon"), RETENTION) is None


class TestArchiving:
    ARCHIVED_AT = STORED + 91 * DAY

    def compressed(self, record: dict[str, Any]) -> object:
        return compress(record_of(record), parse_timestamp(iso(self.ARCHIVED_AT)))

    def test_gives_the_protocols_example(self) -> None:
        assert self.compressed(make_record()) == cold_of(archive(make_record(), self.ARCHIVED_AT))

    def test_moves_the_record_into_its_domains_archive(self) -> None:
        stamp = parse_timestamp(iso(self.ARCHIVED_AT))
        file = "unknown/s/phase-2.5_2026-03-01T12-30-00.json"
        moved = compress(record_of(make_record("s"), file), stamp)
        assert moved.file == "unknown/_archive/s/phase-2.5_2026-03-01T12-30-00.json"
        assert compress(record_of(make_record(), "elsewhere.json"), stamp).file == "elsewhere.json"

    @pytest.mark.parametrize("character", ["a", "ж", "\U0001f600", "\n"])
    def test_cuts_the_summary_to_200_characters(self, character: str) -> None:
        for length in (0, 197, 198, 199, 500):
            record = make_record() | {"reward_reason": character * length}
            record["outcome"] |= {"checkpoint_response": "!?"}
            summary = compress(record_of(record), parse_timestamp(iso(self.ARCHIVED_AT))).summary
            assert summary == (character * length + ". !?")[:SUMMARY_LENGTH]

    @pytest.mark.parametrize("field", ["reward_reason", "outcome"])
    def test_makes_no_summary_of_what_is_not_there(self, field: str) -> None:
        record = {name: value for name, value in make_record().items() if name != field}
        made = compress(record_of(record), parse_timestamp(iso(self.ARCHIVED_AT)))
        assert made.summary is None

    @settings(max_examples=60)
    @given(
        st.text(max_size=250),
        st.text(max_size=250),
        st.none() | st.text(max_size=20),
        st.sampled_from([0, 0.3, 0.7, 0.70, 1, 1.0, 0.123456]),
    )
    def test_is_what_the_protocol_says_of_any_record(
        self, reason: str, response: str, promise: str | None, reward: float
    ) -> None:
        record = make_record(reward=reward) | {"reward_reason": reason, "promise_tag": promise}
        record["outcome"] |= {"checkpoint_response": response, "promise_emitted": promise}
        assert self.compressed(record) == cold_of(archive(record, self.ARCHIVED_AT))
