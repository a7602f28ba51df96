"""What a memory comes to, for a terminal: tables, and a small picture of how rewards went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from kattest.memory.model import Aggregate
from kattest.memory.stats import Stats, Week
from kattest.memory.writing import average
from kattest.text import clip, plural

_BLOCKS = "▁▂▃▄▅▆▇█"
_ASCII = "_.,-=+*#"
_BAR = 20  # characters for a reward of 1
_DIM, _RESET = "\x1b[2m", "\x1b[0m"


def render(stats: Stats, *, blocks: bool, colour: bool) -> str:
    """``stats`` as text: in ASCII without ``blocks``, dimmed bars with ``colour``."""
    return "\n".join(_lines(stats, blocks=blocks, colour=colour)) + "\n"


def _lines(stats: Stats, *, blocks: bool, colour: bool) -> Iterator[str]:
    totals = stats.totals
    tiers = ", ".join(f"{number} {tier}" for tier, number in stats.tiers.items() if number)
    yield plural(totals.record_count, "record") + (f"; by age: {tiers}" if tiers else "")
    for name, table in (
        ("domain", totals.by_domain),
        ("phase", totals.by_phase),
        ("skill", totals.by_skill),
    ):
        if table:
            yield ""
            yield from _table(name, table, blocks=blocks, colour=colour)
    if any(week.size for week in stats.trend):
        yield ""
        first, last = stats.trend[0].first, stats.trend[-1].first
        yield f"average reward by week, {first} to {last}"
        yield f"  {trend(stats.trend, blocks=blocks)}"


def trend(weeks: Sequence[Week], *, blocks: bool) -> str:
    """A character for each week: the higher the average reward, the higher; a space for none."""
    scale = _BLOCKS if blocks else _ASCII
    return "".join(
        " " if week.avg_reward is None else scale[_step(week.avg_reward, len(scale))]
        for week in weeks
    )


def _table(
    name: str, table: Mapping[str, Aggregate], *, blocks: bool, colour: bool
) -> Iterator[str]:
    shown = [(clip(key, 40), aggregate) for key, aggregate in sorted(table.items())]
    width = max(len(name), *(len(key) for key, _ in shown))
    yield f"{name:{width}}  records  average"
    for key, aggregate in shown:
        reward = aggregate.avg_reward or Decimal(0)
        bar = ("█" if blocks else "#") * round(_BAR * min(max(reward, Decimal(0)), Decimal(1)))
        painted = f"{_DIM}{bar}{_RESET}" if colour and bar else bar
        line = f"{key:{width}}  {aggregate.size or 0:7}  {average(aggregate).lexeme:7}  {painted}"
        yield line.rstrip()


def _step(reward: Decimal, steps: int) -> int:
    return min(max(int(reward * steps), 0), steps - 1)
