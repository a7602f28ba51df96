"""KA101 to KA106: the protocol's verification algorithm, steps 2a to 2b v, and the forms it needs.

The steps are those of section 3 of the judge attestation protocol:

1.  Load the attestation file (``engine`` and ``attestation.parsing``).
2.  For each round:
    a.  the artifact hash is the same for all attestations: KA114;
    b.  for each attestation:
        i.   reconstruct the evaluation hash (``attestation.evaluation``),
        ii.  compare it with the stored one: KA101,
        iii. the first links to the null hash: KA102,
        iv.  every other links to the one before it: KA102,
        v.   timestamps strictly increase: KA103.
3.  Report (``engine``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kattest.attestation.evaluation import evaluation_of
from kattest.attestation.model import Attestation
from kattest.digest import NULL_HEX, PREFIX, Digest
from kattest.jsondoc import pointer_to
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import RoundSubject
from kattest.text import quote


@check(
    "KA101",
    "evaluation-hash",
    what="Each evaluation hash is the SHA-256 of judge, artifact hash, score and rationale, joined "
    "by `|` (protocol, section 1; steps 2b i and ii of its verification). The artifact hash may "
    "enter with or without its prefix, the score as written or in its shortest or one-decimal "
    "form.",
    why="A hash that does not fit means that the judge, the score, the rationale or the artifact "
    "was changed after the judge sealed them, or that the hash was never computed.",
    fix="Restore the values that were sealed, or have the judge evaluate again. Do not recompute "
    "the hash over changed values: that is the forgery this rule is there to find.",
)
def evaluation_hash(subject: RoundSubject) -> Iterator[Fault]:
    for attestation, recipe in zip(subject.round.attestations, subject.recipes, strict=True):
        if recipe is None and evaluation_of(attestation, subject.round):
            yield Fault(
                f"the evaluation hash of {quote(attestation.name)} does not fit its judge, "
                "artifact hash, score and rationale",
                Spot(attestation.pointer),
            )


@check(
    "KA102",
    "chain-link",
    what="The first attestation links to the null hash, every other one to the evaluation hash of "
    "the attestation before it (protocol, section 2; steps 2b iii and iv).",
    why="The links fix the order in which judgements were recorded. A broken one means that an "
    "attestation was removed, inserted, exchanged or replaced.",
    fix="Restore the attestations in the order in which they were recorded, or run the round "
    "again.",
)
def chain_link(subject: RoundSubject) -> Iterator[Fault]:
    attestations = subject.round.attestations
    if attestations and _differs(attestations[0].previous_hash, NULL_HEX):
        yield Fault(
            "the first attestation must link to the null hash (64 zeros)",
            Spot(pointer_to(attestations[0].pointer, "previous_attestation_hash")),
        )
    for before, attestation in pairwise(attestations):
        stored = before.evaluation_hash
        if stored and stored.hex and _differs(attestation.previous_hash, stored.hex):
            yield Fault(
                f"{quote(attestation.name)} does not link to the attestation before it, "
                f"of {quote(before.name)}",
                Spot(pointer_to(attestation.pointer, "previous_attestation_hash")),
                (
                    (
                        Spot(pointer_to(before.pointer, "evaluation_hash")),
                        "the hash it should link to",
                    ),
                ),
            )


@check(
    "KA105",
    "hash-format",
    what="A hash is 64 lower-case hexadecimal digits. A round's artifact hash begins with "
    "`sha256:`; before every other hash that prefix is optional.",
    why="The protocol's own script strips `sha256:` wherever it stands, so that other texts pass "
    "for the same hash there. One spelling leaves nothing to interpret.",
    fix="Write the digest as it was computed: `sha256:` and 64 digits.",
)
def hash_format(subject: RoundSubject) -> Iterator[Fault]:
    round_ = subject.round
    artifact = round_.artifact_hash
    if artifact and (artifact.hex is None or not artifact.prefixed):
        yield _malformed(artifact, pointer_to(round_.pointer, "artifact_hash"))
    for attestation in round_.attestations:
        for name, digest in _digests(attestation).items():
            if digest and digest.hex is None:
                yield _malformed(digest, pointer_to(attestation.pointer, name))


@check(
    "KA106",
    "mixed-recipes",
    what="All evaluation hashes of a round follow one recipe: the bare artifact hash, as in the "
    "protocol's section 1, or the stored one with its prefix, as in its verification script.",
    why="One program writes one recipe. Two in one round mean that attestations of different "
    "origin were put together.",
    fix="Find out which attestation was added from elsewhere, and run the round again.",
)
def mixed_recipes(subject: RoundSubject) -> Iterator[Fault]:
    known = [
        (attestation, recipe)
        for attestation, recipe in zip(subject.round.attestations, subject.recipes, strict=True)
        if recipe
    ]
    for attestation, recipe in known[1:]:
        first, expected = known[0]
        if recipe is not expected:
            yield Fault(
                f"the hash of {quote(attestation.name)} follows the {recipe} recipe, that of "
                f"{quote(first.name)} the {expected} one",
                Spot(pointer_to(attestation.pointer, "evaluation_hash")),
                (
                    (
                        Spot(pointer_to(first.pointer, "evaluation_hash")),
                        f"this one follows the {expected} recipe",
                    ),
                ),
            )


@check(
    "KA114",
    "artifact-hash-disagrees",
    what="Where an attestation carries an artifact hash of its own, it is the round's (protocol, "
    "step 2a).",
    why="Judges who saw different bytes did not judge the same artifact, and their scores cannot "
    "be weighed together.",
    fix="Run the round again, with one version of the artifact for every judge.",
)
def artifact_hash_disagrees(subject: RoundSubject) -> Iterator[Fault]:
    shared = subject.round.artifact_hash
    if not shared or not shared.hex:
        return
    for attestation in subject.round.attestations:
        if _differs(attestation.artifact_hash, shared.hex):
            yield Fault(
                f"{quote(attestation.name)} judged another artifact than its round",
                Spot(pointer_to(attestation.pointer, "artifact_hash")),
                (
                    (
                        Spot(pointer_to(subject.round.pointer, "artifact_hash")),
                        "the round's artifact hash",
                    ),
                ),
            )


def _digests(attestation: Attestation) -> dict[str, Digest | None]:
    return {
        "evaluation_hash": attestation.evaluation_hash,
        "previous_attestation_hash": attestation.previous_hash,
        "artifact_hash": attestation.artifact_hash,
    }


def _differs(digest: Digest | None, expected: str) -> bool:
    """Whether a well-formed digest is another than ``expected``: KA105 reports the malformed."""
    return digest is not None and digest.hex is not None and digest.hex != expected


def _malformed(digest: Digest, pointer: str) -> Fault:
    shown = quote(digest.text, 80)
    if digest.hex:
        reason = f"it lacks its {PREFIX} prefix"
    elif digest.text.startswith(PREFIX):
        reason = f"after its prefix come {len(digest.text) - len(PREFIX)} characters"
    else:
        reason = f"it has {len(digest.text)} characters"
    return Fault(
        f"{shown} is not a SHA-256 hash ({reason}; expected: sha256: and 64 lower-case "
        "hexadecimal digits)",
        Spot(pointer),
    )


CHECKS = (evaluation_hash, chain_link, hash_format, mixed_recipes, artifact_hash_disagrees)
