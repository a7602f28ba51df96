"""What configuration counts in a memory root: its own, or defaults, and what of it is not known."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from kattest.memory.configuration import LONGEST_DAYS, UNREADABLE, default_config, tiers_of
from kattest.memory.model import MemoryConfig, Retention, Tiers
from kattest.memory.parsing import parse_config
from kattest.result import Lifecycle
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    ROOT,
    STORED,
    archive,
    make_record,
    make_tree,
)
from tests.unit.remembering import judge_tree, read, rules_of

LEVELS = {
    "excellent": Decimal(1),
    "good": Decimal("0.7"),
    "needs_work": Decimal("0.3"),
    "failed": Decimal(0),
}
DOMAINS = ("banking", "retail", "enterprise", "healthcare")
TIER_NAMES = ("tier_hot_days", "tier_warm_days", "tier_cold_days")


def tiered(hot: Any, warm: Any, cold: Any) -> dict[str, Any]:
    return CONFIG | dict(zip(TIER_NAMES, (hot, warm, cold), strict=True))


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in CONFIG.items() if name not in names}


class TestOfTheFile:
    def test_the_protocols_example(self) -> None:
        assert rules_of(CONFIG) == MemoryConfig(DOMAINS, LEVELS, Tiers(30, 90, 180), 90)
        assert rules_of(CONFIG_1_0) == MemoryConfig(DOMAINS, LEVELS, Retention(90), 90)

    def test_is_that_of_the_defaults(self) -> None:
        assert rules_of(CONFIG) == default_config(tiers=True)
        assert rules_of(CONFIG_1_0) == default_config(tiers=False)

    def test_without_hot_days_there_are_no_tiers(self) -> None:
        for missing in (("tier_hot_days",), TIER_NAMES[:2], TIER_NAMES):
            assert rules_of(without(*missing)).lifecycle == Retention(90)

    @pytest.mark.parametrize(
        "config",
        [
            without("tier_warm_days"),
            without("tier_cold_days"),
            without(*TIER_NAMES[1:]),
            tiered(30, None, 180),
            tiered(None, 90, 180),
            tiered("30", 90, 180),
            tiered(30.0, 90, 180),
            CONFIG | {"tier_cold_days": True},
            tiered(0, 90, 180),
            tiered(-1, 90, 180),
            tiered(90, 90, 180),
            tiered(30, 180, 180),
            tiered(180, 90, 30),
            tiered(30, 90, LONGEST_DAYS + 1),
            tiered(30, 90, 10**100),
            tiered(-(10**100), 90, 180),
        ],
    )
    def test_tiers_that_make_no_sense_leave_the_lifecycle_unknown(
        self, config: dict[str, Any]
    ) -> None:
        found = rules_of(config)
        assert (found.lifecycle, found.tiers, found.expires) == (None, None, False)
        assert found.retention_days == 90

    @pytest.mark.parametrize("days", [(1, 2, 3), (30, 31, 32), (1, 2, LONGEST_DAYS)])
    def test_tiers_that_rise_by_a_day_are_fine(self, days: tuple[int, int, int]) -> None:
        assert rules_of(tiered(*days)).lifecycle == Tiers(*days)
        assert tiers_of(parse_config(read(tiered(*days))).model) == Tiers(*days)

    @pytest.mark.parametrize("days", [0, 1, LONGEST_DAYS])
    def test_retention_within_bounds(self, days: int) -> None:
        config = rules_of(CONFIG_1_0 | {"retention_days": days})
        assert (config.lifecycle, config.retention_days) == (Retention(days), days)
        assert config.expires is (days > 0)

    @pytest.mark.parametrize("days", [-1, LONGEST_DAYS + 1, 10**100, 90.0, "90", None, True, []])
    def test_retention_beyond_them_leaves_the_lifecycle_unknown(self, days: Any) -> None:
        config = rules_of(CONFIG_1_0 | {"retention_days": days})
        assert (config.lifecycle, config.retention_days) == (None, None)
        assert not config.expires
        beside_tiers = rules_of(CONFIG | {"retention_days": days})
        assert beside_tiers.lifecycle == Tiers(30, 90, 180)
        assert beside_tiers.retention_days is None

    def test_an_empty_list_of_domains_is_known_to_be_empty(self) -> None:
        assert rules_of(CONFIG | {"known_domains": []}).known_domains == ()

    @pytest.mark.parametrize(
        ("field", "value", "part"),
        [
            ("known_domains", None, "known_domains"),
            ("known_domains", ["banking", 7], "known_domains"),
            ("known_domains", "banking", "known_domains"),
            ("reward_levels", None, "reward_levels"),
            ("reward_levels", {"good": "0.7"}, "reward_levels"),
            ("reward_levels", [], "reward_levels"),
        ],
    )
    def test_a_part_that_is_amiss_is_not_known_and_the_others_are(
        self, field: str, value: Any, part: str
    ) -> None:
        assert rules_of(CONFIG | {field: value}) == rules_of(CONFIG)._replace(**{part: None})
        assert rules_of(without(field)) == rules_of(CONFIG)._replace(**{part: None})

    @pytest.mark.parametrize("config", [{}, [], None, "x", 7])
    def test_of_nothing_nothing_is_known(self, config: Any) -> None:
        assert rules_of(config) == UNREADABLE


class TestInATree:
    """Which lifecycle a root has, as its report says."""

    @staticmethod
    def lifecycle(files: dict[str, bytes]) -> Lifecycle | None:
        [root] = judge_tree(files, STORED).memory
        return root.lifecycle

    def test_is_that_of_the_file(self) -> None:
        assert self.lifecycle(make_tree(config=CONFIG)) is Lifecycle.TIERS
        assert self.lifecycle(make_tree(config=CONFIG_1_0)) is Lifecycle.RETENTION

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"{}", b"\xff"])
    def test_is_not_known_where_the_file_cannot_be_read(self, data: bytes) -> None:
        files = make_tree(make_record()) | {f"{ROOT}/config.json": data}
        assert self.lifecycle(files) is None

    def test_without_a_file_is_that_of_1_1_where_the_tree_shows_it(self) -> None:
        old, new = make_record(version="1.0"), make_record()
        at = STORED + timedelta(days=91)
        for files in (
            make_tree(old, config=None),  # an index
            make_tree(new, config=None, index=False),  # a record of 1.1
            make_tree(archive(old, at), config=None, index=False),  # an archive
        ):
            assert self.lifecycle(files) is Lifecycle.TIERS
        assert self.lifecycle(make_tree(old, config=None, index=False)) is Lifecycle.RETENTION
