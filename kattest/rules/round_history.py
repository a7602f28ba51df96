"""KA501 to KA503: published rounds stay what and where they were (design, section 3.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kattest.rules.base import Fault, Spot, check
from kattest.text import plural, quote

if TYPE_CHECKING:  # start-up, as in ``kattest.rules``
    from kattest.attestation.succession import StoredRound
    from kattest.rules.history_subjects import RoundHistory


@check(
    "KA501",
    "round-changed",
    what="A published round never changes. Only a meta-judge's attestation may still be added to "
    "the last round of a file, with the `completed_at` and `final_score` that follow from it.",
    why="Whoever can rewrite a judgement can rewrite its hashes too, and the file then looks as if "
    "it had always been so. Only the published state shows that it was not.",
    fix="Restore the round as it was published (the finding names the command), and append a new "
    "round. What only your own branch has may change: give it an upstream, or name the published "
    "state with `--base`.",
)
def round_changed(history: RoundHistory) -> Iterator[Fault]:
    for changed in history.changed:
        first = changed.differences[0].pointer
        yield Fault(
            f"the published round {_name(changed.before)} has changed: {changed.what}",
            Spot(changed.after.round.pointer + first, changed.after.path),
            (history.published(changed.before),),
        )


@check(
    "KA502",
    "round-removed",
    what="A published round is never removed, but together with the artifact that it judged. It "
    "may move to another file, for it is known by its evaluation id.",
    why="A losing round that is dropped leaves a file in which only the winning one stands.",
    fix="Restore the round as it was published (the finding names the command); in a merge, keep "
    "the rounds of both sides.",
)
def round_removed(history: RoundHistory) -> Iterator[Fault]:
    for lost in history.lost:
        yield Fault(
            f"the published round {_name(lost.before)} is gone, and its artifact is still there",
            Spot(path=lost.before.path),
            (history.published(lost.before),),
        )


@check(
    "KA503",
    "attestation-file-removed",
    what="A published attestation file goes only together with its artifacts. Renaming or moving "
    "it loses nothing, and neither does a folder that goes as a whole.",
    why="Without its attestations an artifact looks as if it had never been judged, and nothing is "
    "left that a check could find amiss.",
    fix="Restore the file (the finding names the command), or remove the artifacts too.",
)
def attestation_file_removed(history: RoundHistory) -> Iterator[Fault]:
    for file in history.files:
        rounds = plural(file.lost, "published round")
        message = (
            f"this can no longer be read as an attestation file, and {rounds} stood in it"
            if file.is_there
            else f"this attestation file is gone with {rounds}, and an artifact of it is still here"
        )
        yield Fault(
            message,
            Spot(path=file.path),
            (history.published_file(file.path),),
        )


def _name(round_: StoredRound) -> str:
    return quote(round_.round.evaluation_id or "(without an evaluation id)")


CHECKS = (round_changed, round_removed, attestation_file_removed)
