"""The reward that a user's answer at a checkpoint means (protocol, reward assignment rules).

An answer is decided only where its words leave no choice between rows of the protocol's table, in
English or Russian. Everything else is for a person: a guessed reward would teach a wrong lesson.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from kattest.jsondoc import Number
from kattest.jsontext import Writable
from kattest.memory import reward_words as words


class Level(Enum):
    """A row of the table: its label and its reward."""

    EXCELLENT = ("excellent", Number("1.0"))
    GOOD = ("good", Number("0.7"))
    NEEDS_WORK = ("needs_work", Number("0.3"))
    FAILED = ("failed", Number("0.0"))


class Verdict(NamedTuple):
    """What an answer means; without a level, ``reason`` says why nobody but a person can tell.

    ``is_answer`` is False where there was none: then nothing is to be stored.
    """

    level: Level | None
    reason: str
    is_answer: bool = True


THIRD_ROUND = 3  # from which on minor feedback is no longer a good sign
_LONGEST = 300  # code points of an answer that is looked at
_WHOLE = (
    (words.APPROVAL, Level.EXCELLENT, "an approval, and nothing else"),
    (words.FAILED, Level.FAILED, "the phase starts over"),
    (
        words.REWORK,
        Level.NEEDS_WORK,
        "significant rework: of several areas, or in another direction",
    ),
)


def classify(text: str, round_number: int = 1) -> Verdict:
    """The reward of an answer, given in the ``round_number``-th round of feedback on a phase."""
    lines = text.replace("\u2019", "'").split("\n")
    answer = " ".join(" ".join(lines).split())
    if not answer:
        return Verdict(None, "there is no answer: nothing is to be stored", is_answer=False)
    if len(answer) > _LONGEST or sum(map(bool, map(str.strip, lines))) > 1:
        return Verdict(None, "it is long, or of several lines: that takes a reader")
    for pattern, level, reason in _WHOLE:
        if pattern.fullmatch(answer):
            return Verdict(level, reason)
    return _minor(answer, round_number)


def verdict_document(verdict: Verdict) -> dict[str, Writable]:
    """``verdict`` as a document; without a level, reward and label are null."""
    label, reward = verdict.level.value if verdict.level else (None, None)
    return {
        "reward": reward,
        "reward_label": label,
        "decided": verdict.level is not None,
        "store": verdict.is_answer,
        "reason": verdict.reason,
    }


def _minor(answer: str, round_number: int) -> Verdict:
    is_note = words.NOTE.fullmatch(answer)
    if not is_note and not words.REQUEST.fullmatch(answer):
        return Verdict(None, "no row of the protocol's table says for certain what it means")
    if round_number >= THIRD_ROUND:
        return Verdict(Level.NEEDS_WORK, f"minor feedback, in round {round_number}")
    if is_note:
        return Verdict(Level.EXCELLENT, "praise with a minor note")
    return Verdict(Level.GOOD, "a minor request that concerns one area")
