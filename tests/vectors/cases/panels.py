"""KA120 to KA126: who sat on the panel, and in which order."""

from __future__ import annotations

from tests.support.rounds import HIGH_STAKES, make_round
from tests.vectors.case import (
    A,
    Cases,
    Expected,
    R,
    Round,
    chosen,
    edited,
    fails,
    judged,
    passes,
    resealed,
)
from tests.vectors.cases.rosters import (
    APART,
    APART_FIVE,
    FIVE,
    PAIR,
    PEERS,
    QUARTET,
    pair,
    peers,
    quartet,
    under,
)

HONEST = make_round()
META = make_round(scores=APART, meta="7.8")
EXACTLY_3 = ("8.8", "5.8", "8.0")  # in binary arithmetic the difference is above 3
SIZE = f"{R}/panel_size"


def _renamed(seat: int, judge: str, round_: Round = HONEST) -> Round:
    """The judge of ``seat`` recorded its attestation under another id."""
    return resealed(edited(round_, {f"/attestations/{seat}/judge_id": judge}))


def _recorded(round_: Round, *seats: int) -> Round:
    """These of its attestations, recorded in this order."""
    return resealed(chosen(round_, *seats))


PANEL_SIZE = (
    passes("three", "the standard panel", judged(HONEST)),
    passes("five", "the high-stakes panel", judged(make_round(scores=FIVE))),
    passes("meta-judge-aside", "the meta-judge does not count", judged(META)),
    passes("configured-four", "the configuration adds a roster", under(QUARTET, quartet())),
    passes("configured-two", "a roster of two, without weights", under(PAIR, pair())),
    fails(
        "last-dropped", "no link shows it, only the size does", judged(chosen(HONEST, 0, 1)), SIZE
    ),
    fails(
        "two-dropped-of-five",
        "what is left looks like the standard panel",
        judged(chosen(make_round(scores=FIVE), 0, 1, 2)),
        SIZE,
    ),
    fails(
        "last-dropped-before-meta-judge",
        "the meta-judge does not take an empty seat",
        judged(_recorded(META, 0, 1, 3)),
        SIZE,
    ),
    fails(
        "no-such-roster",
        "the protocol has panels of 3 and 5; who else may sit is for the configuration to say",
        judged(make_round(scores=FIVE[:4], weights=dict.fromkeys([*HIGH_STAKES][:4], 0.25))),
        SIZE,
    ),
    fails(
        "meta-judge-counted",
        "four attested, but the panel has three seats; and no roster has four",
        judged(edited(META, {"/panel_size": 4})),
        SIZE,
        SIZE,
    ),
    fails(
        "meta-judge-alone",
        "a meta-judge without a panel decides on nothing",
        judged(_recorded(META, 3)),
        SIZE,
    ),
    fails(
        "negative",
        "no panel has this size, and three judges attested",
        judged(edited(HONEST, {"/panel_size": -3})),
        SIZE,
        SIZE,
    ),
)

JUDGE_UNKNOWN = (
    passes("standard", "each judge has a seat", judged(HONEST)),
    passes("high-stakes", "each judge has a seat", judged(make_round(scores=FIVE))),
    passes("meta-judge", "the meta-judge needs no seat", judged(META)),
    passes("configured-four", "a seat of the repository's own roster", under(QUARTET, quartet())),
    passes(
        "configured-three",
        "of two rosters with three seats, the one whose judges they are",
        under(PEERS, peers()),
    ),
    passes(
        "standard-beside-configured-three",
        "a roster of the repository takes nothing from the standard one",
        under(PEERS, HONEST),
    ),
    fails(
        "misspelt",
        "nobody of that name has a seat, and the critic never attested",
        judged(_renamed(1, "critics")),
        f"{A}/1/judge_id",
    ),
    fails(
        "upper-case",
        "ids are compared letter by letter",
        judged(_renamed(1, "Critic")),
        f"{A}/1/judge_id",
    ),
    fails(
        "pipe-in-id",
        "an id with the delimiter could move text from one part of the hash to another",
        judged(_renamed(1, "critic|sha256:00")),
        f"{A}/1/judge_id",
    ),
    fails(
        "seat-of-another-panel",
        "the tiebreaker sits on the panel of five",
        judged(_renamed(1, "tiebreaker")),
        f"{A}/1/judge_id",
    ),
    fails(
        "configured-elsewhere",
        "without a configuration the security reviewer has no seat anywhere",
        judged(quartet()),
        f"{A}/2/judge_id",
        Expected("KA120", SIZE),
    ),
    fails("no-characters", "nobody", judged(_renamed(1, "")), f"{A}/1/judge_id"),
)

JUDGE_REPEATED = (
    passes("once-each", "three judges, three attestations", judged(HONEST)),
    passes(
        "in-two-rounds",
        "the same judges judge again in a later round",
        judged(HONEST, make_round(evaluation_id="second")),
    ),
    fails(
        "critic-twice",
        "the critic took the auditor's seat",
        judged(_renamed(2, "critic")),
        f"{A}/2/judge_id",
    ),
    fails(
        "all-one",
        "one judge with three votes",
        judged(_renamed(1, "domain-expert", _renamed(2, "domain-expert"))),
        f"{A}/1/judge_id",
        f"{A}/2/judge_id",
    ),
    fails(
        "beside-a-full-panel",
        "a fourth attestation, of a judge who has attested: the panel is larger than it says",
        judged(_recorded(HONEST, 0, 1, 2, 1)),
        f"{A}/3/judge_id",
        Expected("KA120", SIZE),
    ),
    fails(
        "meta-judge-twice",
        "one meta-judge decides; the first of two is not last either",
        judged(_recorded(META, 0, 1, 2, 3, 3)),
        f"{A}/4/judge_id",
        Expected("KA125", f"{A}/3/judge_id"),
    ),
)

JUDGE_ORDER = (
    passes("in-order", "the order of the protocol's section 2", judged(HONEST)),
    passes("five-in-order", "the order of the panel of five", judged(make_round(scores=FIVE))),
    passes("configured", "the order of the repository's roster", under(QUARTET, quartet())),
    fails(
        "two-exchanged",
        "the critic attested first",
        judged(_recorded(HONEST, 1, 0, 2)),
        f"{A}/1/judge_id",
    ),
    fails(
        "reversed",
        "each one attested after a judge whose seat follows",
        judged(_recorded(HONEST, 2, 1, 0)),
        f"{A}/1/judge_id",
        f"{A}/2/judge_id",
    ),
    fails(
        "last-two-of-five",
        "the tiebreaker comes last",
        judged(_recorded(make_round(scores=FIVE), 0, 1, 2, 4, 3)),
        f"{A}/4/judge_id",
    ),
    fails(
        "configured",
        "in this roster the auditor sits last",
        under(QUARTET, _recorded(quartet(), 0, 1, 3, 2)),
        f"{A}/3/judge_id",
    ),
)

META_JUDGE_MISSING = (
    passes("agreement", "0.7 between the highest and the lowest", judged(HONEST)),
    passes(
        "exactly-3",
        "8.8 less 5.8 is 3.0 in decimal arithmetic, and not more than 3.0",
        judged(make_round(scores=EXACTLY_3)),
    ),
    passes("decided", "more than 3.0, and a meta-judge attested", judged(META)),
    passes(
        "five-decided",
        "more than 3.0 among five, and a meta-judge attested",
        judged(make_round(scores=APART_FIVE, meta="7.8")),
    ),
    passes(
        "meta-judge-far-off",
        "only the panel's scores count; this meta-judge was not needed",
        judged(make_round(meta="4.0")),
        Expected("KA126", f"{A}/3/judge_id"),
    ),
    fails(
        "above-3",
        "3.1 between the highest and the lowest",
        judged(make_round(scores=("8.9", "5.8", "8.0"))),
        A,
    ),
    fails(
        "five-apart",
        "any two of the panel count",
        judged(make_round(scores=("8.2", "7.5", "8.0", "7.9", "4.1"))),
        A,
    ),
    fails(
        "dropped",
        "the meta-judge was cut off the end of the chain; its score is still the final one",
        judged(chosen(META, 0, 1, 2)),
        A,
        Expected("KA133", f"{R}/final_score"),
    ),
)

META_JUDGE_MISPLACED = (
    passes("last", "after the whole panel", judged(META)),
    passes("none", "there is no meta-judge", judged(HONEST)),
    fails(
        "before-the-last",
        "the auditor attested after the meta-judge had decided",
        judged(_recorded(META, 0, 1, 3, 2)),
        f"{A}/2/judge_id",
    ),
    fails(
        "first",
        "there was nothing to decide on",
        judged(_recorded(META, 3, 0, 1, 2)),
        f"{A}/0/judge_id",
    ),
)

META_JUDGE_UNNEEDED = (
    passes("needed", "3.5 between the highest and the lowest", judged(META)),
    passes(
        "barely-needed",
        "3.1 is more than 3.0",
        judged(make_round(scores=("8.9", "5.8", "8.0"), meta="7.8")),
    ),
    passes("none", "there is no meta-judge", judged(HONEST)),
    fails(
        "agreement",
        "0.7 between the highest and the lowest",
        judged(make_round(meta="7.8")),
        f"{A}/3/judge_id",
    ),
    fails(
        "exactly-3",
        "3.0 is not more than 3.0, in decimal arithmetic",
        judged(make_round(scores=EXACTLY_3, meta="7.8")),
        f"{A}/3/judge_id",
    ),
)

CASES: Cases = {
    "KA120-panel-size": PANEL_SIZE,
    "KA121-judge-unknown": JUDGE_UNKNOWN,
    "KA122-judge-repeated": JUDGE_REPEATED,
    "KA123-judge-order": JUDGE_ORDER,
    "KA124-meta-judge-missing": META_JUDGE_MISSING,
    "KA125-meta-judge-misplaced": META_JUDGE_MISPLACED,
    "KA126-meta-judge-unneeded": META_JUDGE_UNNEEDED,
}
