"""Rosters: the protocol's two, and those that a configuration adds."""

from __future__ import annotations

from typing import Any

import pytest

from kattest.config import Config
from kattest.configfile import parse_config
from tests.support.rounds import RATIONALES, dumps, make_round, sha256
from tests.unit.judging import codes, judge, judge_rounds


def rosters(text: str) -> Config:
    return parse_config(f"panels: {{{text}}}".encode(), ".kattest.yaml")


def round_of(*judges: str, scores: tuple[str, ...] = (), meta: str | None = None) -> dict[str, Any]:
    weights = dict.fromkeys(judges, 1 / len(judges))
    return make_round(weights=weights, scores=scores or ("8.0",) * len(judges), meta=meta)


PAIR = rosters("pair: [{judge: author, weight: 0.5}, {judge: reader, weight: 0.5}]")
OPEN = rosters("open: [{judge: a}, {judge: b}, {judge: c}, {judge: d}]")
TRIO = rosters(
    "trio: [{judge: lawyer, weight: 0.5}, {judge: critic, weight: 0.25}, {judge: user, weight: 0.25}]"
)


class TestTheProtocolsRosters:
    @pytest.mark.parametrize("bare", [False, True])
    @pytest.mark.parametrize("size", [3, 5])
    def test_verify(self, size: int, *, bare: bool) -> None:
        report = judge_rounds(
            make_round(scores=("8.2", "7.5", "8.0", "7.9", "8.1")[:size], bare=bare)
        )
        assert codes(report) == []
        [round_] = report.rounds
        assert round_.recipe == ("bare" if bare else "prefixed")
        assert len(round_.judges) == size

    @pytest.mark.parametrize(
        ("scores", "expected"),
        [
            (("8.0", "5.0", "7.0"), []),
            (("8.0", "4.9", "7.0"), ["KA124"]),
            (("0.0", "3.0", "3.0"), []),
            (("10.0", "0.0", "5.0"), ["KA124"]),
            (("8.2", "5.2", "5.2"), []),  # 8.2 - 5.2 is more than 3 in binary arithmetic
        ],
    )
    def test_need_a_meta_judge_where_scores_differ_by_more_than_3(
        self, scores: tuple[str, ...], expected: list[str]
    ) -> None:
        assert codes(judge_rounds(make_round(scores=scores))) == expected

    def test_count_the_meta_judge_apart(self) -> None:
        report = judge_rounds(make_round(scores=("8.0", "4.0", "7.0"), meta="6.5"))
        assert codes(report) == []
        assert report.counts.attestations == 4

    @pytest.mark.parametrize("size", [1, 2, 4, 6])
    def test_are_of_3_and_5_seats_only(self, size: int) -> None:
        judges = (
            "domain-expert",
            "critic",
            "completeness-auditor",
            "additional-expert",
            "tiebreaker",
            "x",
        )
        report = judge_rounds(round_of(*judges[:size]))
        assert "KA120" in codes(report)

    def test_leave_the_weights_of_five_to_the_round(self) -> None:
        five = make_round(scores=("8.0",) * 5)
        judges = list(five["weights"])
        assert codes(judge_rounds(five | {"weights": dict.fromkeys(judges, 0.2)})) == []
        assert (
            codes(
                judge_rounds(
                    five | {"weights": dict(zip(judges, (0.9, 0.1, 0, 0, 0), strict=True))}
                )
            )
            == ["KA132"] * 3
        )
        assert "KA132" in codes(judge_rounds(five | {"weights": dict.fromkeys(judges, 0.21)}))
        assert "KA132" in codes(judge_rounds(five | {"weights": dict.fromkeys(judges[:4], 0.25)}))
        assert "KA132" in codes(judge_rounds(five | {"weights": five["weights"] | {"x": 0.0}}))

    def test_fix_the_weights_of_three(self) -> None:
        three = make_round(scores=("8.0",) * 3)
        even = dict.fromkeys(three["weights"], 0.3333333)
        assert codes(judge_rounds(three | {"weights": even})) == ["KA132"] * 3
        near = {"domain-expert": 0.4000005, "critic": 0.2999995, "completeness-auditor": 0.3}
        assert codes(judge_rounds(three | {"weights": near})) == []


class TestRostersOfAConfiguration:
    def test_are_unknown_without_it(self) -> None:
        assert "KA120" in codes(judge_rounds(round_of("author", "reader")))

    def test_verify_with_it(self) -> None:
        assert codes(judge_rounds(round_of("author", "reader"), config=PAIR)) == []

    def test_stand_beside_the_protocols(self) -> None:
        for config in (PAIR, OPEN, TRIO):
            assert codes(judge_rounds(make_round(), config=config)) == []

    def test_fix_an_order(self) -> None:
        assert codes(judge_rounds(round_of("reader", "author"), config=PAIR)) == ["KA123"]

    def test_fix_who_sits(self) -> None:
        found = codes(judge_rounds(round_of("author", "stranger"), config=PAIR))
        assert "KA121" in found
        assert "KA132" in found

    def test_fix_weights_if_they_have_some(self) -> None:
        round_ = round_of("author", "reader")
        shifted = round_ | {"weights": {"author": 0.6, "reader": 0.4}}
        assert codes(judge_rounds(shifted, config=PAIR)) == ["KA132"] * 2

    def test_leave_weights_to_the_round_if_they_have_none(self) -> None:
        round_ = round_of("a", "b", "c", "d")
        assert codes(judge_rounds(round_, config=OPEN)) == []
        shifted = round_ | {"weights": {"a": 0.7, "b": 0.1, "c": 0.1, "d": 0.1}}
        assert codes(judge_rounds(shifted, config=OPEN)) == []
        heavy = round_ | {"weights": {"a": 0.8, "b": 0.1, "c": 0.1, "d": 0.1}}
        assert "KA132" in codes(judge_rounds(heavy, config=OPEN))

    def test_of_one_size_are_told_apart_by_their_judges(self) -> None:
        trio = make_round(
            weights={"lawyer": 0.5, "critic": 0.25, "user": 0.25}, scores=("8.0", "7.0", "9.0")
        )
        assert codes(judge_rounds(trio, config=TRIO)) == []
        assert "KA121" in codes(judge_rounds(trio))
        mixed = round_of("lawyer", "critic", "completeness-auditor")
        assert "KA121" in codes(judge_rounds(mixed, config=TRIO))

    def test_may_have_a_meta_judge_too(self) -> None:
        torn = round_of("author", "reader", scores=("9.0", "2.0"), meta="5.5")
        assert codes(judge_rounds(torn, config=PAIR)) == []
        alone = round_of("author", "reader", scores=("9.0", "2.0"))
        assert codes(judge_rounds(alone, config=PAIR)) == ["KA124"]

    @pytest.mark.parametrize("name", ["reader", "Reader", "first reader", "FIRST  READER"])
    def test_name_judges_by_id_and_title_in_rationales(self, name: str) -> None:
        config = rosters(
            "pair: [{judge: author, weight: 0.5}, "
            "{judge: reader, weight: 0.5, titles: [first reader]}]"
        )
        told = (f"I know that the {name} will give 7.5 to this, and I differ.", *RATIONALES[1:])
        round_ = make_round(
            weights={"author": 0.5, "reader": 0.5}, scores=("8.0", "7.5"), rationales=told
        )
        assert codes(judge_rounds(round_, config=config)) == ["KA142"]

    @pytest.mark.parametrize("title", ["C++ lead", "(ops)", "a.b", "*", "[x"])
    def test_take_titles_as_they_are_written(self, title: str) -> None:
        config = rosters(
            "pair: [{judge: author, weight: 0.5}, "
            f"{{judge: reader, weight: 0.5, titles: ['{title}']}}]"
        )
        rationales = (f"The opinion of {title} is that of others, not mine.", *RATIONALES[1:])
        round_ = make_round(
            weights={"author": 0.5, "reader": 0.5}, scores=("8.0", "7.5"), rationales=rationales
        )
        assert codes(judge_rounds(round_, config=config)) == ["KA143"]
        honest = round_of("author", "reader", scores=("8.0", "7.5"))
        assert codes(judge_rounds(honest, config=config)) == []


def test_a_judge_id_with_a_bar_cannot_make_another_judges_hash_its_own() -> None:
    """``a|b`` + ``|hash`` would hash like ``a`` + ``|b|hash``; no roster seats such an id."""
    round_ = make_round()
    first = round_["attestations"][0]
    first["judge_id"] = f"domain-expert|{round_['artifact_hash']}"
    hashed = f"{first['judge_id']}|{round_['artifact_hash']}|8.2|{first['rationale_summary']}"
    first["evaluation_hash"] = f"sha256:{sha256(hashed)}"
    assert "KA121" in codes(judge(dumps(round_)))
