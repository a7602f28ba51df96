"""KA101, KA102, KA105, KA106 and KA114: evaluation hashes, links, and the forms of both."""

from __future__ import annotations

import json
import unicodedata
from itertools import pairwise
from typing import Any

from tests.support.rounds import ARTIFACT, NULL, RATIONALES, make_round, sha256
from tests.vectors.case import (
    ARTIFACT_2,
    A,
    Cases,
    Expected,
    R,
    Round,
    World,
    chosen,
    document,
    edited,
    fails,
    judged,
    lexeme,
    passes,
    saying,
)
from tests.vectors.cases.rosters import APART, APART_FIVE, FIVE, QUARTET, quartet, under

HONEST = make_round()
BARE = make_round(bare=True)
PREFIX = "sha256:"
OTHER = PREFIX + sha256("something else")
HASHES = tuple(made["evaluation_hash"] for made in HONEST["attestations"])
DECOMPOSED = unicodedata.normalize("NFD", "Ясный протокол: каждый пример можно повторить самому.")


def _unprefixed(round_: Round) -> Round:
    """Every evaluation hash and link without its prefix."""
    changes: dict[str, Any] = {
        f"/attestations/{seat}/{field}": made[field].removeprefix(PREFIX)
        for seat, made in enumerate(round_["attestations"])
        for field in ("evaluation_hash", "previous_attestation_hash")
    }
    return edited(round_, changes)


def _scored(text: str, hashed: str) -> World:
    """The last judge's score is written as ``text``, and was hashed as ``hashed``."""
    made = make_round(scores=("8.2", "7.5", hashed))
    return judged(edited(made, {"/attestations/2/score": lexeme(text)}))


EVALUATION_HASH = (
    passes(
        "prefixed", "the artifact hash enters as it is stored, as in the script", judged(HONEST)
    ),
    passes("bare", "the artifact hash enters without its prefix, as in section 1", judged(BARE)),
    passes(
        "stored-without-prefix",
        "one leading sha256: is optional before an evaluation hash and a link",
        judged(_unprefixed(HONEST)),
    ),
    passes("five-judges", "the high-stakes panel", judged(make_round(scores=FIVE))),
    passes("five-judges-bare", "the same by section 1", judged(make_round(scores=FIVE, bare=True))),
    passes(
        "configured-roster",
        "a roster that the repository added",
        under(QUARTET, quartet()),
    ),
    passes(
        "with-meta-judge",
        "the meta-judge's attestation is hashed like any other",
        judged(make_round(scores=APART, meta="7.8")),
    ),
    passes(
        "five-judges-with-meta-judge",
        "six attestations, the last of them the meta-judge's",
        judged(make_round(scores=APART_FIVE, meta="7.8", bare=True)),
    ),
    passes(
        "single-round",
        "a file without `evaluations` whose top level is itself a round",
        document(json.dumps(HONEST).encode()),
    ),
    passes("score-8-hashed-as-8.0", "a JSON writer drops the zero", _scored("8", "8.0")),
    passes("score-8.0-hashed-as-8", "the shortest form of a score", _scored("8.0", "8")),
    passes("score-8-hashed-as-8", "a score's text as it is written", _scored("8", "8")),
    passes("score-with-exponent", "82e-1 is one way to write 8.2", _scored("82e-1", "8.2")),
    passes(
        "pipe-in-rationale",
        "the rationale comes last, so its pipes move nothing",
        judged(saying(0, "Compared both ways | with and without examples | and it holds.")),
    ),
    passes(
        "decomposed-text",
        "letters and their marks are hashed as stored, never composed",
        judged(saying(0, DECOMPOSED)),
    ),
    passes(
        "two-rounds",
        "each round is a chain of its own",
        judged(HONEST, make_round(evaluation_id="second", scores=("8.4", "7.7", "8.1"))),
    ),
    fails(
        "score-changed",
        "7.6 was not what the critic sealed",
        judged(edited(HONEST, {"/attestations/1/score": 7.6})),
        f"{A}/1",
    ),
    fails(
        "score-changed-under-bare",
        "neither recipe gives the stored hash",
        judged(edited(BARE, {"/attestations/1/score": 7.6})),
        f"{A}/1",
    ),
    fails(
        "meta-judge-score-changed",
        "the meta-judge's score is sealed too, and decides",
        judged(
            edited(
                make_round(scores=APART, meta="7.8"),
                {"/attestations/3/score": 8.8, "/final_score": 8.8},
            )
        ),
        f"{A}/3",
    ),
    fails(
        "rationale-changed",
        "one word was taken out",
        judged(
            edited(
                HONEST,
                {"/attestations/1/rationale_summary": RATIONALES[1].replace(" not", "")},
            )
        ),
        f"{A}/1",
    ),
    fails(
        "rationale-trimmed-afterwards",
        "the hash covers the space at the end that is no longer stored",
        judged(
            edited(
                saying(0, RATIONALES[0] + " "),
                {"/attestations/0/rationale_summary": RATIONALES[0]},
            )
        ),
        f"{A}/0",
    ),
    fails(
        "rationale-composed-afterwards",
        "the same letters in other code points are other bytes",
        judged(
            edited(
                saying(0, DECOMPOSED),
                {"/attestations/0/rationale_summary": unicodedata.normalize("NFC", DECOMPOSED)},
            )
        ),
        f"{A}/0",
    ),
    fails(
        "judge-changed",
        "the evaluation was the critic's; the new name has no seat either",
        judged(edited(HONEST, {"/attestations/1/judge_id": "critics"})),
        f"{A}/1",
        Expected("KA121", f"{A}/1/judge_id"),
    ),
    fails(
        "judges-exchanged",
        "two names changed places, so neither fits its score and rationale",
        judged(
            edited(
                HONEST,
                {
                    "/attestations/1/judge_id": "completeness-auditor",
                    "/attestations/2/judge_id": "critic",
                },
            )
        ),
        f"{A}/1",
        f"{A}/2",
        Expected("KA123", f"{A}/2/judge_id"),
    ),
    fails(
        "artifact-hash-changed",
        "the artifact was changed and its hash exchanged; no judge sealed that",
        judged(
            edited(HONEST, {"/artifact_hash": PREFIX + sha256(ARTIFACT_2)}), artifact=ARTIFACT_2
        ),
        *(f"{A}/{seat}" for seat in range(3)),
    ),
    fails(
        "hash-made-up",
        "a well-formed hash of something else; the next link follows it",
        judged(
            edited(
                HONEST,
                {
                    "/attestations/1/evaluation_hash": OTHER,
                    "/attestations/2/previous_attestation_hash": OTHER,
                },
            )
        ),
        f"{A}/1",
    ),
    fails(
        "score-rounded-to-fit",
        "the hash of 8.3 is not that of 8.25, and a score is never rounded to fit",
        _scored("8.25", "8.3"),
        f"{A}/2",
        Expected("KA131", f"{A}/2/score"),
    ),
    fails(
        "score-with-two-decimals-hashed",
        "8.50 is no form of the score 8.5",
        _scored("8.5", "8.50"),
        f"{A}/2",
    ),
)


def _linked(seat: int, text: str) -> World:
    return judged(edited(HONEST, {f"/attestations/{seat}/previous_attestation_hash": text}))


CHAIN_LINK = (
    passes("chained", "null hash, then the hash before", judged(HONEST)),
    passes(
        "null-hash-without-prefix",
        "64 zeros, as the protocol's constant is written",
        _linked(0, NULL),
    ),
    passes(
        "link-without-prefix",
        "the same digest, with its prefix left out at one end",
        _linked(1, HASHES[0].removeprefix(PREFIX)),
    ),
    passes(
        "five-judges-with-meta-judge",
        "the meta-judge links to the last of the panel",
        judged(make_round(scores=APART_FIVE, meta="7.8")),
    ),
    fails(
        "first-not-null",
        "something came before the first attestation",
        _linked(0, OTHER),
        f"{A}/0/previous_attestation_hash",
    ),
    fails(
        "later-to-null",
        "the second attestation pretends to be the first",
        _linked(1, PREFIX + NULL),
        f"{A}/1/previous_attestation_hash",
    ),
    fails(
        "later-skips-one",
        "the third attestation links past the second",
        _linked(2, HASHES[0]),
        f"{A}/2/previous_attestation_hash",
    ),
    fails(
        "to-itself",
        "an attestation does not come before itself",
        _linked(1, HASHES[1]),
        f"{A}/1/previous_attestation_hash",
    ),
    fails(
        "first-removed",
        "the critic now stands first and links to what was removed",
        judged(chosen(HONEST, 1, 2)),
        f"{A}/0/previous_attestation_hash",
        Expected("KA120", f"{R}/panel_size"),
    ),
    fails(
        "middle-removed",
        "the auditor links to the critic, who is gone",
        judged(chosen(HONEST, 0, 2)),
        f"{A}/1/previous_attestation_hash",
        Expected("KA120", f"{R}/panel_size"),
    ),
    fails(
        "one-replaced",
        "the critic evaluated again; the auditor still links to the first evaluation",
        judged(
            edited(
                HONEST,
                {"/attestations/1": make_round(scores=("8.2", "7.4", "8.0"))["attestations"][1]},
            )
        ),
        f"{A}/2/previous_attestation_hash",
    ),
    fails(
        "meta-judge-links-to-first",
        "the meta-judge comes after the whole panel",
        judged(
            edited(
                made := make_round(scores=APART, meta="7.8"),
                {
                    "/attestations/3/previous_attestation_hash": made["attestations"][0][
                        "evaluation_hash"
                    ]
                },
            )
        ),
        f"{A}/3/previous_attestation_hash",
    ),
    fails(
        "second-round-chained-to-first",
        "a round begins a chain of its own",
        judged(
            HONEST,
            edited(
                make_round(evaluation_id="second"),
                {"/attestations/0/previous_attestation_hash": HASHES[2]},
            ),
        ),
        "/evaluations/1/attestations/0/previous_attestation_hash",
    ),
)


def _hashed(pointer: str, text: str) -> World:
    return judged(edited(HONEST, {pointer: text}))


MALFORMED_EVALUATION_HASHES = {
    "66-digits": HASHES[1] + "ab",
    "63-digits": HASHES[1][:-1],
    "upper-case": PREFIX + HASHES[1].removeprefix(PREFIX).upper(),
    "prefix-in-upper-case": "SHA256:" + HASHES[1].removeprefix(PREFIX),
    "prefix-in-the-middle": HASHES[1][7:30] + PREFIX + HASHES[1][30:],
    "prefix-at-the-end": HASHES[1].removeprefix(PREFIX) + PREFIX,
    "prefix-twice": PREFIX + HASHES[1],
    "line-feed-at-end": HASHES[1] + "\n",
    "space-in-front": " " + HASHES[1],
    "not-hexadecimal": HASHES[1][:-1] + "g",
    "digits-of-another-script": HASHES[1][:-1] + "\u0663",
    "no-characters": "",
}

HASH_FORMAT = (
    passes("prefixed", "sha256: and 64 lower-case digits", judged(HONEST)),
    passes(
        "optional-prefix-left-out",
        "optional before an evaluation hash and a link",
        judged(_unprefixed(HONEST)),
    ),
    *(
        fails(
            name,
            "one optional prefix and 64 lower-case digits, and nothing that a script might strip",
            _hashed("/attestations/1/evaluation_hash", text),
            f"{A}/1/evaluation_hash",
        )
        for name, text in MALFORMED_EVALUATION_HASHES.items()
    ),
    fails(
        "link-in-upper-case",
        "a link is a hash as well",
        _hashed("/attestations/1/previous_attestation_hash", PREFIX + HASHES[0][7:].upper()),
        f"{A}/1/previous_attestation_hash",
    ),
    fails(
        "null-hash-too-short",
        "the null hash has 64 zeros",
        _hashed("/attestations/0/previous_attestation_hash", NULL[:-1]),
        f"{A}/0/previous_attestation_hash",
    ),
    fails(
        "artifact-hash-without-prefix",
        "an artifact hash is stored with its prefix; what was hashed is the bare recipe's",
        judged(edited(BARE, {"/artifact_hash": sha256(ARTIFACT)})),
        f"{R}/artifact_hash",
    ),
    fails(
        "artifact-hash-66-digits",
        "nothing can be compared with it",
        _hashed("/artifact_hash", HONEST["artifact_hash"] + "00"),
        f"{R}/artifact_hash",
    ),
    fails(
        "own-artifact-hash-malformed",
        "an attestation's own artifact hash has the same form",
        judged(edited(HONEST, {"/attestations/1/artifact_hash": "sha256:abc"})),
        f"{A}/1/artifact_hash",
    ),
    fails(
        "several",
        "each malformed hash is reported",
        judged(
            edited(
                HONEST,
                {
                    "/attestations/0/previous_attestation_hash": "none",
                    "/attestations/2/evaluation_hash": "none",
                },
            )
        ),
        f"{A}/0/previous_attestation_hash",
        f"{A}/2/evaluation_hash",
    ),
)


def _mixed(*recipes: str, **choices: Any) -> Round:
    """A round whose attestations follow these recipes, seat by seat."""
    made = {
        recipe: make_round(bare=recipe == "bare", **choices)["attestations"]
        for recipe in ("bare", "prefixed")
    }
    attestations = [dict(made[recipe][seat]) for seat, recipe in enumerate(recipes)]
    for before, attestation in pairwise(attestations):
        attestation["previous_attestation_hash"] = before["evaluation_hash"]
    return edited(make_round(**choices), {"/attestations": attestations})


MIXED_RECIPES = (
    passes("prefixed", "one recipe", judged(HONEST)),
    passes("bare", "one recipe", judged(BARE)),
    passes(
        "one-recipe-a-round",
        "two rounds may come from two programs",
        judged(HONEST, edited(BARE, {"/evaluation_id": "second"})),
    ),
    fails(
        "second-bare",
        "the critic's attestation comes from another program",
        judged(_mixed("prefixed", "bare", "prefixed")),
        f"{A}/1/evaluation_hash",
    ),
    fails(
        "first-prefixed",
        "both later attestations differ from the first",
        judged(_mixed("prefixed", "bare", "bare")),
        f"{A}/1/evaluation_hash",
        f"{A}/2/evaluation_hash",
    ),
    fails(
        "meta-judge-prefixed",
        "the meta-judge's attestation comes from another program",
        judged(_mixed("bare", "bare", "bare", "prefixed", scores=APART, meta="7.8")),
        f"{A}/3/evaluation_hash",
    ),
    fails(
        "beside-a-broken-hash",
        "an attestation that follows no recipe does not hide that the others follow two",
        judged(edited(_mixed("prefixed", "prefixed", "bare"), {"/attestations/0/score": 8.1})),
        f"{A}/2/evaluation_hash",
        Expected("KA101", f"{A}/0"),
    ),
)

HASH_DISAGREES = (
    passes("none-of-its-own", "the round's artifact hash counts for all", judged(HONEST)),
    passes(
        "the-same",
        "each attestation carries the round's artifact hash",
        judged(
            edited(
                HONEST,
                {
                    f"/attestations/{seat}/artifact_hash": HONEST["artifact_hash"]
                    for seat in range(3)
                },
            )
        ),
    ),
    fails(
        "differs",
        "the critic says it saw other bytes, though the hash it sealed says otherwise",
        judged(edited(HONEST, {"/attestations/1/artifact_hash": OTHER})),
        f"{A}/1/artifact_hash",
    ),
    fails(
        "sealed-over-other-bytes",
        "the critic judged another version, and its hash does not fit the round's",
        judged(
            edited(
                other := make_round(artifact=ARTIFACT_2),
                {
                    "/artifact_hash": HONEST["artifact_hash"],
                    "/attestations/0": HONEST["attestations"][0],
                    "/attestations/1/artifact_hash": other["artifact_hash"],
                    "/attestations/1/previous_attestation_hash": HASHES[0],
                    "/attestations/2": {
                        **HONEST["attestations"][2],
                        "previous_attestation_hash": other["attestations"][1]["evaluation_hash"],
                    },
                },
            )
        ),
        f"{A}/1/artifact_hash",
        Expected("KA101", f"{A}/1"),
    ),
    fails(
        "first-and-last",
        "each one that differs is reported",
        judged(
            edited(
                HONEST,
                {"/attestations/0/artifact_hash": OTHER, "/attestations/2/artifact_hash": OTHER},
            )
        ),
        f"{A}/0/artifact_hash",
        f"{A}/2/artifact_hash",
    ),
)

CASES: Cases = {
    "KA101-evaluation-hash": EVALUATION_HASH,
    "KA102-chain-link": CHAIN_LINK,
    "KA105-hash-format": HASH_FORMAT,
    "KA106-mixed-recipes": MIXED_RECIPES,
    "KA114-artifact-hash-disagrees": HASH_DISAGREES,
}
