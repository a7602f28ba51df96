"""What a memory comes to, on a terminal: in blocks, in ASCII, and never by what a name says."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from kattest.memory.stats import Week, stats_of
from kattest.report.stats import render, trend
from kattest.text import escape
from tests.support.memory import STORED, make_record
from tests.unit.remembering import instant, record_of
from tests.unit.writing import RULES, model_of

DAY = timedelta(days=1)
HOSTILE = ["\x1b[31mred", "a\u202eb", "a\nb", "::error::x", "\x07", "z\u200bz"]


def text_of(
    *records: dict[str, Any], blocks: bool = False, colour: bool = False, files: bool = True
) -> str:
    models = [model_of(one) if files else record_of(one, "a/b/c.json") for one in records]
    return render(stats_of(models, RULES, instant(STORED)), blocks=blocks, colour=colour)


def row(text: str, name: str) -> list[str]:
    [line] = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return line.split()


BEST = make_record("a", reward=1.0, at=STORED - DAY)
HALF = make_record("b", reward=0.5, domain="retail", at=STORED - 100 * DAY)
FAILED = make_record("c", reward=0.0, phase="phase-0", at=STORED - 8 * DAY)


def test_a_table_has_number_average_and_bar() -> None:
    text = text_of(BEST, HALF, FAILED)
    assert text.splitlines()[0] == "3 records; by age: 2 hot, 1 cold"
    assert row(text, "banking") == ["banking", "2", "0.5", "#" * 10]
    assert row(text, "retail") == ["retail", "1", "0.5", "#" * 10]
    assert row(text, "phase-0") == ["phase-0", "1", "0.0"]
    assert row(text, "phase-2") == ["phase-2", "2", "0.75", "#" * 15]
    assert "average reward by week, " in text


def test_without_blocks_all_is_ascii() -> None:
    assert text_of(BEST, HALF, FAILED).isascii()
    assert "█" * 20 in text_of(BEST, blocks=True)


def test_colour_dims_bars_and_nothing_else() -> None:
    painted = text_of(BEST, HALF, FAILED, colour=True)
    assert painted.replace("\x1b[2m", "").replace("\x1b[0m", "") == text_of(BEST, HALF, FAILED)
    assert painted.count("\x1b[2m") == painted.count("\x1b[0m") == 4
    assert "\x1b" not in text_of(BEST, HALF, FAILED)


def test_an_empty_memory_is_one_line() -> None:
    assert text_of() == "0 records\n"


@pytest.mark.parametrize("blocks", [True, False])
def test_the_trend_rises_with_the_reward(*, blocks: bool) -> None:
    tenths = [None, *range(11)]
    weeks = [
        Week(
            "2026-01-05", 0 if tenth is None else 1, None if tenth is None else Decimal(tenth) / 10
        )
        for tenth in tenths
    ]
    scale = "▁▂▃▄▅▆▇█" if blocks else "_.,-=+*#"
    drawn = trend(weeks, blocks=blocks)
    assert len(drawn) == len(weeks)
    assert drawn[0] == " "
    heights = [scale.index(character) for character in drawn[1:]]
    assert heights == sorted(heights)
    assert heights[0] == 0
    assert heights[-1] == 7


@pytest.mark.parametrize("reward", ["-5", "1.5", "1e300"])
def test_a_reward_out_of_range_stays_in_the_picture(reward: str) -> None:
    assert trend([Week("2026-01-05", 1, Decimal(reward))], blocks=False) in {"_", "#"}


@pytest.mark.parametrize("reward", [1.5, -0.5, 1e25])
def test_a_bar_is_never_longer_than_a_reward_of_1(reward: float) -> None:
    text = text_of(make_record(reward=reward))
    assert "#" * 21 not in text


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_spelled_out(name: str) -> None:
    record = make_record() | {"domain": name, "phase": name, "skill_used": name}
    text = text_of(record, files=False, blocks=True)
    assert escape(text.replace("\n", "")) == text.replace("\n", "")
    assert len(text.splitlines()) == len(text_of(make_record()).splitlines())
    assert text.count(escape(name)) == 3


def test_a_long_name_is_cut() -> None:
    text = text_of(make_record() | {"domain": "d" * 5000}, files=False)
    assert max(map(len, text.splitlines())) < 200


def test_names_that_begin_alike_have_a_line_each() -> None:
    names = ["d" * 40 + end for end in ("one", "two")]
    records = [make_record(name[-3:]) | {"domain": name} for name in names]
    text = text_of(*records, files=False)
    assert sum(line.startswith("ddd") for line in text.splitlines()) == 2
