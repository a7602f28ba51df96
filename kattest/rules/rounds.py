"""KA135 and KA136: that there are rounds at all, and that each is told from every other."""

from __future__ import annotations

from collections.abc import Iterator

from kattest.jsondoc import pointer_to
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import FileSubject
from kattest.text import quote


@check(
    "KA135",
    "evaluation-id-repeated",
    what="No two rounds of the repository have the same evaluation_id.",
    why="Rounds are followed through the history by their id. Two with one id can stand in for "
    "each other.",
    fix="Give the later round an id of its own.",
)
def evaluation_id_repeated(subject: FileSubject) -> Iterator[Fault]:
    for round_ in subject.file.rounds:
        if round_.evaluation_id is None:
            continue
        path, pointer = subject.evaluation_ids[round_.evaluation_id][0]
        if (path, pointer) != (subject.file.path, round_.pointer):
            yield Fault(
                f"the evaluation id {quote(round_.evaluation_id)} is another round's already",
                Spot(pointer_to(round_.pointer, "evaluation_id")),
                ((Spot(pointer_to(pointer, "evaluation_id"), path=path), "that round"),),
            )


@check(
    "KA136",
    "empty-file",
    what="An attestation file has at least one round, and each round at least one attestation.",
    why="The protocol's script passes an empty round with the words \"All 0 judge attestations "
    'verified". Nothing was judged, so nothing is shown.',
    fix="Add the round that was judged, or remove the file.",
)
def empty_file(subject: FileSubject) -> Iterator[Fault]:
    if not subject.file.rounds:
        yield Fault("this file holds no evaluation round", Spot())
    for round_ in subject.file.rounds:
        if not round_.attestations:
            yield Fault(
                "this round holds no attestation", Spot(pointer_to(round_.pointer, "attestations"))
            )


CHECKS = (evaluation_id_repeated, empty_file)
