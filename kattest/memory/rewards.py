"""The reward that a user's answer at a checkpoint means (protocol, reward assignment rules).

An answer is decided only where its words leave no choice between rows of the protocol's table, in
English or Russian. Everything else is for a person: a guessed reward would teach a wrong lesson.
"""

from __future__ import annotations

from enum import Enum
from re import Match
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
_LONGEST = 2000  # code points of an answer that is looked at
_PUNCTUATION = " ,.;:!-\u2013\u2014"


def classify(text: str, round_number: int = 1) -> Verdict:
    """The reward of an answer, given in the ``round_number``-th round of feedback on a phase."""
    answer = " ".join(text.replace("\u2019", "'").split())
    if not answer:
        return Verdict(None, "there is no answer: nothing is to be stored", is_answer=False)
    for decide in (_whole, _starting_over, _reworking):
        verdict = decide(answer)
        if verdict:
            return verdict
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


def _whole(answer: str) -> Verdict | None:
    """What the answer as a whole is: a question, an approval, a denial of something."""
    if len(answer) > _LONGEST:
        return Verdict(None, "it is long, and takes a reader")
    if "?" in answer:
        return Verdict(None, "it asks something, so it decides nothing yet")
    if words.APPROVAL.fullmatch(answer):
        return Verdict(Level.EXCELLENT, "an approval, and nothing else")
    if words.NEGATION.search(words.FAILED.sub(" ", answer)):
        return Verdict(None, "it denies something, and what that leaves takes a reader")
    return None


def _starting_over(answer: str) -> Verdict | None:
    failed = words.FAILED.search(answer)
    if not failed:
        return None
    is_less = words.MINOR.search(answer) and not words.REWORK.search(answer)
    if words.OPENS_WELL.match(answer) or words.SMALL.search(answer) or is_less:
        return Verdict(None, f"{_quoted(failed)} speaks for starting over, the rest against it")
    return Verdict(Level.FAILED, f"the phase starts over: {_quoted(failed)}")


def _reworking(answer: str) -> Verdict | None:
    turn, rework = words.TURN.search(answer), words.REWORK.search(answer)
    asked = turn or rework
    if not asked:
        return None
    others = (
        words.OPENS_WELL.match(answer),
        words.SMALL.search(answer),
        words.MINOR.search(answer),
    )
    if any(others):
        return Verdict(None, f"{_quoted(asked)} asks for rework, the rest for less")
    if not turn and not words.AREAS.search(answer):
        return Verdict(None, f"how much is to change by {_quoted(asked)} takes a reader")
    return Verdict(Level.NEEDS_WORK, f"significant rework: {_quoted(asked)}")


def _minor(answer: str, round_number: int) -> Verdict:
    opening, small = words.OPENS_WELL.match(answer), words.SMALL.search(answer)
    if not (small or words.MINOR.search(answer)):
        return Verdict(None, "no row of the protocol's table says what it means")
    rest = answer[opening.end() :] if opening else answer
    if words.SEVERAL.search(rest.strip(_PUNCTUATION)):
        return Verdict(None, "it may concern one area or several, and that decides the reward")
    if round_number >= THIRD_ROUND:
        return Verdict(Level.NEEDS_WORK, f"minor feedback, in round {round_number}")
    if opening and small:
        return Verdict(Level.EXCELLENT, f"praise with a minor note: {_quoted(small)}")
    return Verdict(Level.GOOD, "a minor request that concerns one area")


def _quoted(match: Match[str]) -> str:
    return f'"{match[0]}"'
