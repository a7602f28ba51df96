"""What configuration counts in a memory root: its own, or the defaults (design, section 3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType

from kattest.jsondoc import Number
from kattest.memory.layout import INDEX, Layout
from kattest.memory.model import AnyRecord, ConfigFile, MemoryConfig, Record, Retention, Tiers

LONGEST_DAYS = 36_500  # a hundred years; beyond it no calendar has every date

DEFAULT_DOMAINS = ("banking", "retail", "enterprise", "healthcare")
DEFAULT_LEVELS: Mapping[str, Decimal] = MappingProxyType(
    {
        "excellent": Decimal(1),
        "good": Decimal("0.7"),
        "needs_work": Decimal("0.3"),
        "failed": Decimal(0),
    }
)
DEFAULT_RETENTION = Retention(90)
DEFAULT_TIERS = Tiers(hot=30, warm=90, cold=180)

UNREADABLE = MemoryConfig(None, None, None, None)
"""Of a root whose ``config.json`` is there and cannot be read: nothing is known."""


def default_config(*, tiers: bool) -> MemoryConfig:
    """The defaults of protocol 1.1, or those of 1.0, which has no tiers."""
    lifecycle = DEFAULT_TIERS if tiers else DEFAULT_RETENTION
    return MemoryConfig(DEFAULT_DOMAINS, DEFAULT_LEVELS, lifecycle, DEFAULT_RETENTION.days)


def shows_tiers(layout: Layout, records: Iterable[AnyRecord]) -> bool:
    """Whether a root without a configuration is one of protocol 1.1 (design, section 3.6).

    ``records`` are only asked for where its layout does not tell.
    """
    has_traces = INDEX in layout.named or bool(layout.archived)
    return has_traces or any(
        isinstance(record, Record) and record.version == "1.1" for record in records
    )


def is_reward(reward: Number) -> bool:
    """Whether a number lies on the scale of rewards, from 0 to 1, and has no minus sign."""
    return not reward.value.is_signed() and reward.value <= 1


def labels_by_reward(levels: Mapping[str, Decimal] | None) -> dict[Decimal, dict[str, None]]:
    """The labels that each level's reward may have, in order; with any other reward, any will do.

    All at once: a root may hold thousands of rewards and its configuration thousands of levels.
    """
    labels: dict[Decimal, dict[str, None]] = {}
    for name, level in (levels or {}).items():
        labels.setdefault(level, {})[name] = None
    return labels


def config_of(file: ConfigFile) -> MemoryConfig:
    """The configuration that ``file`` decides; a part that is amiss there is not known.

    Without ``tier_hot_days`` there are no tiers (protocol, configuration).
    """
    days = file.retention_days
    retention = days if days is not None and 0 <= days <= LONGEST_DAYS else None
    levels = file.reward_levels
    lifecycle: Tiers | Retention | None
    if "tier_hot_days" in file.tiers:
        lifecycle = tiers_of(file)
    else:
        lifecycle = None if retention is None else Retention(retention)
    return MemoryConfig(
        known_domains=file.known_domains,
        reward_levels=None if levels is None else {name: n.value for name, n in levels.items()},
        lifecycle=lifecycle,
        retention_days=retention,
    )


def tiers_of(file: ConfigFile) -> Tiers | None:
    """The tiers of a configuration: all three, 0 < hot < warm < cold. None where they are not."""
    hot, warm, cold = (file.tiers.get(f"tier_{name}_days") for name in Tiers._fields)
    if hot is None or warm is None or cold is None:
        return None
    return Tiers(hot, warm, cold) if 0 < hot < warm < cold <= LONGEST_DAYS else None
