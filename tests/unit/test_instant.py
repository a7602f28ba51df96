"""Timestamps: which texts name an instant, and how instants compare."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kattest.instant import Instant, parse_instant, parse_timestamp


def instant(text: str) -> Instant:
    found = parse_instant(text)
    assert found is not None, text
    return found


@pytest.mark.parametrize(
    ("text", "seconds", "fraction"),
    [
        ("1970-01-01T00:00:00Z", 0, ""),
        ("1970-01-01T00:00:01z", 1, ""),
        ("1970-01-01t00:00:01Z", 1, ""),
        ("1969-12-31T23:59:59Z", -1, ""),
        ("1969-12-31T23:59:59.25Z", -1, "25"),
        ("2026-03-01T12:00:30Z", 1772366430, ""),
        ("2026-03-01T12:00:30.500Z", 1772366430, "5"),
        ("2026-03-01T12:00:30.000Z", 1772366430, ""),
        ("2026-03-01T15:00:30+03:00", 1772366430, ""),
        ("2026-03-01T06:30:30-05:30", 1772366430, ""),
        ("2026-03-01T12:00:30-00:00", 1772366430, ""),
        ("2026-03-01T12:00:30+00:00", 1772366430, ""),
        ("2026-03-02T11:59:30+23:59", 1772366430, ""),
        ("2024-02-29T00:00:00Z", 1709164800, ""),
        ("2000-02-29T00:00:00Z", 951782400, ""),
        ("0001-01-01T00:00:00Z", -62135596800, ""),
        ("9999-12-31T23:59:59Z", 253402300799, ""),
        ("2026-03-01T12:00:30." + "0" * 39 + "1Z", 1772366430, "0" * 39 + "1"),
    ],
)
def test_reads_rfc3339_with_a_zone(text: str, seconds: int, fraction: str) -> None:
    assert parse_instant(text) == Instant(seconds, fraction)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-03-01",
        "2026-03-01T12:00:30",
        "2026-03-01 12:00:30Z",
        "2026-03-01T12:00Z",
        "2026-03-01T12Z",
        "2026-03-01T12:00:30.Z",
        "2026-03-01T12:00:30,5Z",
        "2026-03-01T12:00:30+0300",
        "2026-03-01T12:00:30+03",
        "2026-03-01T12:00:30+3:00",
        "2026-03-01T12:00:30+24:00",
        "2026-03-01T12:00:30+03:60",
        "2026-03-01T12:00:30Z+03:00",
        "2026-03-01T12:00:30 Z",
        " 2026-03-01T12:00:30Z",
        "2026-03-01T12:00:30Z\n",
        "2026-03-01T12:00:30Z ",
        "20260301T120030Z",
        "26-03-01T12:00:30Z",
        "02026-03-01T12:00:30Z",
        "+2026-03-01T12:00:30Z",
        "-2026-03-01T12:00:30Z",
        "0000-01-01T00:00:00Z",
        "2026-W09-7T12:00:30Z",
        "2026-060T12:00:30Z",
        "2026-00-01T12:00:30Z",
        "2026-13-01T12:00:30Z",
        "2026-03-00T12:00:30Z",
        "2026-02-29T12:00:30Z",
        "1900-02-29T12:00:30Z",
        "2026-04-31T12:00:30Z",
        "2026-03-01T24:00:00Z",
        "2026-03-01T12:60:00Z",
        "2026-03-01T12:00:61Z",
        "2026-03-01T12:00:30\u2212" + "03:00",
        "\u0662\u0660\u0662\u0666-03-01T12:00:30Z",
        "2026-03-01T12:00:3\uff10Z",
    ],
)
def test_refuses_what_names_no_instant(text: str) -> None:
    assert parse_instant(text) is None
    assert parse_timestamp(text) == (text, None)


@pytest.mark.parametrize("text", ["2016-12-31T23:59:60Z", "2017-01-01T05:29:60+05:30"])
def test_refuses_leap_seconds(text: str) -> None:
    assert parse_instant(text) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-03-01T12:00:30Z", "2026-03-01T12:00:31Z"),
        ("2026-03-01T12:00:30Z", "2026-03-01T12:00:30.0000000001Z"),
        ("2026-03-01T12:00:30.09Z", "2026-03-01T12:00:30.1Z"),
        ("2026-03-01T12:00:30.5Z", "2026-03-01T12:00:30.51Z"),
        ("2026-03-01T12:00:30.49Z", "2026-03-01T12:00:30.5Z"),
        ("2026-03-01T12:00:30.999999999999999999Z", "2026-03-01T12:00:31Z"),
        ("2026-03-01T23:00:00+12:00", "2026-03-01T11:00:01Z"),
        ("2026-03-02T00:30:00+02:00", "2026-03-01T23:00:00Z"),
        ("2026-02-28T23:59:59-00:01", "2026-03-01T00:01:00Z"),
        ("1969-12-31T23:59:59.9Z", "1970-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59.1Z", "1969-12-31T23:59:59.9Z"),
    ],
)
def test_compares_instants_whatever_their_zone_and_digits(earlier: str, later: str) -> None:
    assert instant(earlier) < instant(later)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2026-03-01T12:00:30Z", "2026-03-01T12:00:30.000Z"),
        ("2026-03-01T12:00:30.5Z", "2026-03-01T13:00:30.50+01:00"),
        ("2026-03-01T00:00:00+01:00", "2026-02-28T23:00:00Z"),
    ],
)
def test_equal_instants_are_equal_however_they_are_written(one: str, other: str) -> None:
    assert instant(one) == instant(other)


@given(
    st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31)),  # noqa: DTZ001 - a zone is drawn below
    st.integers(-23 * 60 - 59, 23 * 60 + 59),
)
def test_agrees_with_the_standard_library(moment: datetime, minutes: int) -> None:
    there = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    seconds = there - datetime(1970, 1, 1, tzinfo=UTC)
    found = instant(there.isoformat())
    assert found.seconds == seconds // timedelta(seconds=1)
    assert (found.fraction or "0").ljust(6, "0")[:6] == f"{there.microsecond:06}"
    assert (
        found.isoformat()
        == f"{there.astimezone(UTC).replace(tzinfo=None):%Y-%m-%dT%H:%M:%S}Z".rjust(20, "0")
    )


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59-00:01",
        "9999-12-31T23:59:59-23:59",
    ],
)
def test_at_the_ends_of_the_calendar_reads_an_instant_that_can_be_printed_or_none(
    text: str,
) -> None:
    found = parse_instant(text)
    assert found is None or parse_instant(found.isoformat()) == found
