"""What can be seen of judges who knew each other's scores (design, section 3.5).

A rationale that names a peer and quotes that peer's exact score is a breach; one of the two is
a hint. Judges who talked elsewhere cannot be seen: the absence of a breach proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from kattest.attestation.model import Attestation
from kattest.roster import Panel, Seat

# Russian titles by judge, with their endings. They stand apart from a seat's own titles, because
# a case ending is a pattern, not a name.
_RUSSIAN: Mapping[str, str] = {
    "domain-expert": r"(?:доменн|предметн|отраслев)\w{2,3}\s+эксперт\w{0,3}"
    r"|эксперт\w{0,3}\s+(?:по\s+)?(?:предметной\s+области|домен\w{0,2})",
    "critic": r"критик(?:ом|ов|ам|ами|ах)?",
    "completeness-auditor": r"аудитор\w{0,3}\s+полноты",
    "additional-expert": r"дополнительн\w{2,3}\s+эксперт\w{0,3}",
    "tiebreaker": r"тай-?брейкер\w{0,3}|арбитр(?:[ауеы]|ом|ов|ам|ами|ах)?",
}
# These forms also mean "criticism": they name the critic only beside the critic's score.
_RUSSIAN_AMBIGUOUS: Mapping[str, str] = {"critic": r"критик[ауеи]"}

# Three digits after a comma or point are thousands, and what follows a slash is a scale.
_NUMBER = re.compile(r"(?<![\w.,/])([0-9]{1,3})(?:[.,]([0-9]{1,2}))?(?!\w|[.,][0-9])")
_SCORE_BEFORE = re.compile(
    r"(?<!\w)(?:scor\w*|rat(?:ed|ing|es?)|gave|gives?|grad\w*|mark\w*|points?"
    r"|оцен\w*|балл\w*|постав\w*|дал\w?)(?:\W+\w+){0,2}\W+$",
    re.IGNORECASE,
)
_BEHIND_NAME = re.compile(r"(?:['\u2019]s)?[\s:=(-]{1,4}([0-9]{1,3})(?!\w|[.,][0-9])")
_SCALE_BEFORE = re.compile(r"(?:/|\bout\s+of|\bиз)\s*$", re.IGNORECASE)
_SCORE_AFTER = re.compile(
    r"\s*(?:/\s*10\b|out\s+of\s+10\b|из\s+10\b|points?\b|балл)", re.IGNORECASE
)
_HYPHENS = dict.fromkeys(range(0x2010, 0x2016), "-")
_EXAMINED = 10_000  # code points of a rationale; the protocol allows 500
_LOOK_AROUND = 60  # characters beside a whole number in which it may be called a score


class Isolation(StrEnum):
    """What was seen of a round's isolation. Never proven, only not found broken."""

    NO_BREACH_FOUND = "no-breach-found"
    HINT = "hint"
    BREACH = "breach"


class Trace(NamedTuple):
    """One judge's rationale that shows knowledge of one peer."""

    judge: Attestation
    peer: Attestation
    named: bool
    quoted: bool

    @property
    def is_breach(self) -> bool:
        """Whether it names the peer and quotes the peer's exact score."""
        return self.named and self.quoted


def traces(panel: Panel, seated: Mapping[str, Attestation]) -> Iterator[Trace]:
    """Every trace of a peer in the rationales of the judges who hold a seat.

    The meta-judge is exempt: it is there to read the others (protocol, section 6).
    """
    seats = [seat for seat in panel.seats if seat.judge_id in seated]
    for seat in seats:
        judge = seated[seat.judge_id]
        if judge.rationale is None:
            continue
        text = _plain(judge.rationale)
        scores = _scores_in(text)
        for other in seats:
            if other is not seat:
                trace = _trace(judge, seated[other.judge_id], other, text, scores)
                if trace is not None:
                    yield trace


def repeated(panel: Panel, seated: Mapping[str, Attestation]) -> Iterator[Trace]:
    """Every judge whose rationale is, but for case and spacing, that of an earlier seat."""
    first: dict[str, Attestation] = {}
    for judge_id in panel.judge_ids:
        judge = seated.get(judge_id)
        if judge is not None and judge.rationale is not None:
            key = " ".join(_plain(judge.rationale).casefold().split())
            peer = first.setdefault(key, judge)
            if peer is not judge:
                yield Trace(judge, peer, named=False, quoted=False)


def _plain(text: str) -> str:
    """The text that is looked at, with one spelling for what looks the same.

    Composed letters, plain hyphens; and only its beginning, for to normalise some texts takes
    quadratic time. KA140 reports what is longer than the protocol allows.
    """
    return normalize("NFKC", text[:_EXAMINED]).translate(_HYPHENS)


def _trace(
    judge: Attestation, peer: Attestation, seat: Seat, text: str, scores: frozenset[Decimal]
) -> Trace | None:
    value = peer.score.value if peer.score is not None else None
    own = judge.score.value if judge.score is not None else None
    named = bool(_names(seat).search(text))
    quoted = value in scores or (named and value in _scores_beside_name(seat, text))
    named = named or (quoted and _names_beside_score(seat, text))
    if not named and (not quoted or value == own):
        return None  # a judge who writes its own score quotes nobody
    return Trace(judge, peer, named, quoted)


def _scores_beside_name(seat: Seat, text: str) -> frozenset[Decimal]:
    """Whole numbers right behind the judge's name: "the critic's 8", "critic (8)"."""
    behind = (_BEHIND_NAME.match(text, match.end()) for match in _names(seat).finditer(text))
    return frozenset(Decimal(match[1]) for match in behind if match)


def _scores_in(text: str) -> frozenset[Decimal]:
    """The numbers of a rationale that are scores: with a decimal, or called one.

    A bare whole number may count anything ("8 sections"), so it takes a word that calls it a
    score. A decimal comma is read as a point.
    """
    return frozenset(
        Decimal(f"{match[1]}.{match[2] or 0}")
        for match in _NUMBER.finditer(text)
        if match[2] or _is_called_score(text, match)
    )


def _is_called_score(text: str, number: re.Match[str]) -> bool:
    window = (max(0, number.start() - _LOOK_AROUND), number.start())
    if _SCALE_BEFORE.search(text, *window):
        return False
    return bool(_SCORE_BEFORE.search(text, *window) or _SCORE_AFTER.match(text, number.end()))


@lru_cache(maxsize=64)
def _names(seat: Seat) -> re.Pattern[str]:
    names = []
    for title in (seat.judge_id, *seat.titles):
        pattern = re.escape(title).replace(r"\-", r"[-_\s]+")
        # Of a title in one word the plural is a common noun: "critics are heard".
        names.append(f"{pattern}s?" if "-" in title else pattern)
    russian = _RUSSIAN.get(seat.judge_id)
    return _words([*names, russian] if russian else names)


def _names_beside_score(seat: Seat, text: str) -> bool:
    ambiguous = _RUSSIAN_AMBIGUOUS.get(seat.judge_id)
    return ambiguous is not None and _words([ambiguous]).search(text) is not None


def _words(patterns: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)
