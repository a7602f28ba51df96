"""Instants as documents hold them, and the microsecond after one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kattest.instant import Instant, parse_instant

FRACTIONS = st.text("0123456789", max_size=12).map(lambda digits: digits.rstrip("0"))
INSTANTS = st.builds(Instant, st.integers(-2_000_000_000, 4_000_000_000), FRACTIONS)


def exact(moment: Instant) -> Decimal:
    return moment.seconds + Decimal(f"0.{moment.fraction or 0}")


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (Instant(0), "1970-01-01T00:00:00Z"),
        (Instant(0, "5"), "1970-01-01T00:00:00.5Z"),
        (Instant(-1, "25"), "1969-12-31T23:59:59.25Z"),
        (Instant(1772366430, "000001"), "2026-03-01T12:00:30.000001Z"),
        (Instant(1772366430, "1234567890123"), "2026-03-01T12:00:30.1234567890123Z"),
    ],
)
def test_an_instant_is_written_with_its_whole_fraction(moment: Instant, expected: str) -> None:
    assert moment.precise() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01T12:00:30Z", "2026-03-01T12:00:30.000001Z"),
        ("2026-03-01T12:00:30.000009Z", "2026-03-01T12:00:30.00001Z"),
        ("2026-03-01T12:00:30.5Z", "2026-03-01T12:00:30.500001Z"),
        ("2026-03-01T12:00:30.999999Z", "2026-03-01T12:00:31Z"),
        ("2026-12-31T23:59:59.999999Z", "2027-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z"),
        ("2026-03-01T12:00:30.0000001Z", "2026-03-01T12:00:30.000001Z"),
        ("2026-03-01T12:00:30.0000019999Z", "2026-03-01T12:00:30.000002Z"),
        ("2026-03-01T12:00:30.9999995Z", "2026-03-01T12:00:31Z"),
        ("2026-03-01T12:00:30." + "9" * 40 + "Z", "2026-03-01T12:00:31Z"),
    ],
)
def test_the_next_microsecond_is_the_first_whole_one(text: str, expected: str) -> None:
    moment = parse_instant(text)
    assert moment is not None
    assert moment.next_microsecond().precise() == expected


@given(INSTANTS)
def test_the_next_microsecond_is_later_and_by_no_more_than_one(moment: Instant) -> None:
    following = moment.next_microsecond()
    assert following > moment
    assert 0 < exact(following) - exact(moment) <= Decimal("0.000001")
    assert exact(following) * 1_000_000 % 1 == 0


@given(INSTANTS)
def test_what_is_written_is_read_back_as_it_was(moment: Instant) -> None:
    assert parse_instant(moment.precise()) == moment


@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)))  # noqa: DTZ001 - made UTC below
def test_python_reads_the_same_times(naive: datetime) -> None:
    moment = naive.replace(tzinfo=UTC)
    seconds = (moment.replace(microsecond=0) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
        seconds=1
    )
    made = Instant(seconds, f"{moment.microsecond:06}".rstrip("0"))
    following = datetime.fromisoformat(made.next_microsecond().precise())
    assert datetime.fromisoformat(made.precise()) == moment
    assert following == moment + timedelta(microseconds=1)
