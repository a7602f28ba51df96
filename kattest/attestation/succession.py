"""What may still become of a round once it is published (design, section 3.7)."""

from __future__ import annotations

from typing import NamedTuple

from kattest.attestation.model import Round
from kattest.jsondiff import is_equal
from kattest.jsondoc import JsonValue
from kattest.roster import META_JUDGE

_FOLLOWING = frozenset({"attestations", "completed_at", "final_score"})


class StoredRound(NamedTuple):
    """A round with the file that it is in and the JSON that it is.

    ``is_last`` says that it is the last round of its file.
    """

    path: str
    round: Round
    value: JsonValue
    is_last: bool


def may_follow(before: StoredRound, after: StoredRound) -> bool:
    """Whether ``after`` is what ``before``, published, may be now.

    It never changes. But a meta-judge's attestation may be added to the last round of a file, and
    what follows from it: ``completed_at`` and ``final_score``.
    """
    if is_equal(before.value, after.value):
        return True
    return before.is_last and _adds_meta_judge(before.value, after.value)


def _adds_meta_judge(before: JsonValue, after: JsonValue) -> bool:
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    kept = (before.keys() | after.keys()) - _FOLLOWING
    if not all(key in before and key in after for key in kept):
        return False
    if not all(is_equal(before[key], after[key]) for key in kept):
        return False
    old, new = before.get("attestations"), after.get("attestations")
    if not isinstance(old, list) or not isinstance(new, list) or len(new) != len(old) + 1:
        return False
    is_added = _is_meta_judge(new[-1]) and not any(map(_is_meta_judge, old))
    return is_added and is_equal(old, new[:-1])


def _is_meta_judge(value: JsonValue) -> bool:
    return isinstance(value, dict) and value.get("judge_id") == META_JUDGE
