"""Attestation files put together: one more round, or the rounds of two branches."""

from __future__ import annotations

from kattest.attestation.parsing import is_round
from kattest.instant import Instant, parse_instant
from kattest.jsondiff import is_equal
from kattest.jsondoc import JsonValue
from kattest.text import quote


class UnitingError(Exception):
    """Two files that cannot be one. The message says why."""


def rounds_in(document: JsonValue) -> list[dict[str, JsonValue]]:
    """The rounds of an attestation file.

    Raises UnitingError where it is none, or one of them has no id or that of another.
    """
    listed: JsonValue = None
    if isinstance(document, dict):
        listed = [document] if is_round(document) else document.get("evaluations")
    rounds = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    if not isinstance(listed, list) or len(rounds) != len(listed):
        raise UnitingError("it is no attestation file")
    ids = [one.get("evaluation_id") for one in rounds]
    if not all(isinstance(name, str) for name in ids) or len({*map(str, ids)}) != len(ids):
        raise UnitingError("a round in it has no evaluation_id, or that of another one")
    return rounds


def with_rounds(document: JsonValue, rounds: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    """The file that ``document`` is, with these rounds instead; None is a new one."""
    around = document if isinstance(document, dict) and not is_round(document) else {}
    return {**around, "evaluations": [*rounds]}


def unite(base: JsonValue, ours: JsonValue, theirs: JsonValue) -> dict[str, JsonValue]:
    """The rounds of two branches that grew from ``base``, None where that had no such file.

    Those of the base first, then the new ones, the older first: it does not matter which branch is
    ours. A round that one branch added to, by a meta-judge, is that branch's. No round is dropped
    that one of them still has.

    Raises UnitingError where one round has two contents.
    """
    before = _by_id([] if base is None else rounds_in(base))
    mine, others = _by_id(rounds_in(ours)), _by_id(rounds_in(theirs))
    united: dict[str, dict[str, JsonValue]] = {}
    new = {name: one for name, one in (mine | others).items() if name not in before}
    for name in (*before, *sorted(new, key=lambda name: (_completed(new[name]), name))):
        one, other, old = mine.get(name), others.get(name), before.get(name)
        if one is None or other is None:
            kept = one or other
            if kept is not None:
                united[name] = kept
        elif is_equal(one, other) or (old is not None and is_equal(other, old)):
            united[name] = one
        elif old is not None and is_equal(one, old):
            united[name] = other
        else:
            raise UnitingError(f"the round {quote(name)} has two contents")
    around = _united_around(_around(base), _around(ours), _around(theirs))
    return {**around, "evaluations": [*united.values()]}


def _around(document: JsonValue) -> dict[str, JsonValue]:
    """The members of a file beside its rounds."""
    if not isinstance(document, dict) or is_round(document):
        return {}
    return {name: value for name, value in document.items() if name != "evaluations"}


def _united_around(
    base: dict[str, JsonValue], ours: dict[str, JsonValue], theirs: dict[str, JsonValue]
) -> dict[str, JsonValue]:
    united: dict[str, JsonValue] = {}
    for name in ours | theirs:
        sides = [[side[name]] if name in side else [] for side in (base, ours, theirs)]
        old, one, other = sides
        if one not in (old, other) and other != old:
            raise UnitingError(f"the field {quote(name)} has two contents")
        for value in other if one == old else one:
            united[name] = value
    return united


def _by_id(rounds: list[dict[str, JsonValue]]) -> dict[str, dict[str, JsonValue]]:
    return {str(one["evaluation_id"]): one for one in rounds}


def _completed(round_: dict[str, JsonValue]) -> Instant:
    text = round_.get("completed_at")
    return (parse_instant(text) if isinstance(text, str) else None) or Instant(0)
