"""What rationales show of judges who knew each other: breach, hint or nothing."""

from __future__ import annotations

import pytest

from tests.support.rounds import RATIONALES, make_round
from tests.unit.judging import codes, judge_rounds

SEATS = ("domain-expert", "critic", "completeness-auditor")
SCORES = ("8.2", "7.5", "8.0")


def isolation(text: str, *, seat: int = 0, scores: tuple[str, ...] = SCORES) -> str:
    """What a round comes to in which the judge on ``seat`` gives the rationale ``text``."""
    padded = text if len(text) >= 32 else f"{text} {'That is all there is to say.'}"
    rationales = [*RATIONALES]
    rationales[seat] = padded
    report = judge_rounds(make_round(scores=scores, rationales=tuple(rationales)))
    [round_] = report.rounds
    found = set(codes(report))
    expected = {"breach": {"KA142"}, "hint": {"KA143"}, "no-breach-found": set[str]()}
    assert found <= {"KA142", "KA143"}
    assert expected[round_.isolation] <= found
    assert bool(found) is (round_.isolation != "no-breach-found")
    return round_.isolation


# The domain expert (8.2) writes of the critic (7.5) or the completeness auditor (8.0).
BREACHES = [
    "The critic gave 7.5, and I would not go as low as that.",
    "I have seen that critic scored it 7.5 before I began.",
    "CRITIC: 7.5.",
    "7.5 is what the Critic says, and the critic is right.",
    "The critic's 7.5 is too low for a skill like this one.",
    "critic=7.5",
    "The critic (7,5) is too strict.",
    "The critic rated it 7.50 out of ten.",
    "As the critic will give 7.5/10, I can afford to be kind.",
    "The completeness auditor gives 8.0 here.",
    "The completeness-auditor gives 8 out of 10 here.",
    "completeness\nauditor: score 8",
    "Completeness Auditor: 8/10",
    "The completeness\u00a0auditor went for an 8/10.",
    "Критик поставил 7.5, и это слишком мало.",
    "Критик поставил 7,5 балла, и это слишком мало.",
    "Оценка критика 7.5 мне кажется слишком низкой.",
    "Согласен с критиком: 7,5 вполне достаточно.",  # noqa: RUF001 - a Russian preposition
    "Аудитор полноты поставил 8.0 за этот навык.",
    "Аудитор полноты поставил 8 баллов за этот навык.",
    "По мнению аудитора полноты, это 8 из 10.",
]
HINTS = [
    "The critic will not like what is said here of languages.",
    "A critic may object to the tone of the document.",
    "I leave the completeness auditor to count the sections.",
    "This deserves a 7.5 in my view of the matter.",
    "It is worth 7,5 in my view of the matter.",
    "It is worth 7.50 in my view of the matter.",
    "I would have said 8/10 but for the examples.",
    "I would have said 8 out of 10 but for the examples.",
    "A score of 8 would be too low for this document.",
    "Критик найдёт здесь, к чему придраться.",
    "Пусть аудитор полноты посчитает разделы.",
    "Я бы поставил 7,5, если бы не примеры.",
    "Оценка 8 была бы слишком низкой для такого документа.",
    "Это 8 из 10, не больше и не меньше.",
]
# What looks like a name or a score and is neither.
TRAPS = [
    "This is a critical gap, and critically it is not closed.",
    "Fair criticism is answered; critique is welcome; critics are heard.",
    "The hypercritical reader is served, and so is the uncritical one.",
    "Критика учтена, и это главное в этом документе.",
    "Критики этому документу не хватает.",
    "Критичных ошибок нет, критерии ясны, критически важное есть.",
    "Requires version v7.5.1 of the tool, or v8.0.3 of the other.",
    "Requires version 7.5.1 of the tool, or 8.0.3 of the other.",
    "Requires 1.7.5 of the tool, or 2.8.0 of the other.",
    "It took 17.5 seconds, then 7.55, then 8.01, then 28.0 of them.",
    "It took 77.5 seconds and 108.0 kilobytes and 18.05 pages.",
    "Takes x7.5 and 7.5x and v8.0 and 8.0beta in its stride.",
    "There are 8 sections, 7 of them with 5 examples each.",
    "Eight sections; 8 of them are complete; 80 lines; 8% are blank.",
    "I give 8.2, my own score, for what is there.",
    "My score of 8.2 stands on three legs: steps, examples, tone.",
    "A domain expert like me gives 8.2 for this without a doubt.",
    "Здесь 8 разделов, и каждый из них написан хорошо.",
    "Моя оценка 8,2: разделы полны, примеры понятны.",
    "Completeness is what an auditor would look for in vain.",
    "Полнота раздела достаточна, аудитор нашёл бы всё.",
    "The document was written on 7.5.2026, a day to remember.",
    "Section 3.8.0 and appendix 7.5.2 are empty as yet.",
    "IP 10.7.5.8 and time 7.5.8.0 are placeholders in the text.",
]
# Words that only contain one that calls a number a score.
WORDS_WITHIN = [
    "It demonstrates 8 patterns, each with an example of its own.",
    "It illustrates 8 patterns, each with an example of its own.",
    "It integrates 8 tools, and each of them is dealt with well.",
    "It enumerates 8 cases, and each of them is dealt with well.",
    "It pinpoints 8 flaws, and each of them is dealt with well.",
    "It was generated 8 times over, and each time it came out the same.",
    "The underscores 8 lines long are there for the layout alone.",
    "Автор создал 8 разделов, и все они написаны хорошо.",
    "Автор задал 8 вопросов, и на все есть ответы.",
    "Автор сопоставил 8 подходов, и выбрал из них лучший.",
]


@pytest.mark.parametrize("text", BREACHES)
def test_naming_a_peer_and_its_exact_score_is_a_breach(text: str) -> None:
    assert isolation(text) == "breach"


@pytest.mark.parametrize("between", ["  ", "\n  ", "\u2010", "\u2011", "\u00a0"])
def test_a_title_is_known_however_its_words_are_spaced(between: str) -> None:
    assert isolation(f"The completeness{between}auditor gives 8 out of 10.") == "breach"


@pytest.mark.parametrize("text", HINTS)
def test_one_of_the_two_is_a_hint(text: str) -> None:
    assert isolation(text) == "hint"


@pytest.mark.parametrize("text", TRAPS)
def test_what_only_looks_like_it_is_nothing(text: str) -> None:
    assert isolation(text) == "no-breach-found"


@pytest.mark.parametrize("text", WORDS_WITHIN)
def test_a_count_after_a_word_that_contains_one_for_scoring_is_nothing(text: str) -> None:
    assert isolation(text) == "no-breach-found"


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        (1, "The domain expert gave 8.2 to this, and I do not."),
        (1, "domain-expert: 8.2"),
        (1, "Доменный эксперт поставил 8,2 за этот навык."),
        (1, "Предметный эксперт поставил 8,2 за этот навык."),
        (1, "Эксперт по предметной области поставил 8,2."),
        (1, "Оценка доменного эксперта 8.2 завышена."),
        (2, "The critic gave 7.5 to this, and I do not."),
        (2, "Критик дал 7.5, и он неправ."),
    ],
)
def test_every_seat_is_watched(seat: int, text: str) -> None:
    assert isolation(text, seat=seat) == "breach"


@pytest.mark.parametrize(
    ("peer", "text"),
    [
        (3, "The additional expert gave 7.9, and that settles it."),
        (3, "Дополнительный эксперт поставил 7.9."),
        (4, "The tiebreaker gave 8.1, and that settles it."),
        (4, "The tie-breaker gave 8.1, and that settles it."),
        (4, "Арбитр поставил 8.1."),
        (4, "Тай-брейкер поставил 8,1."),
    ],
)
def test_the_seats_of_five_are_watched_too(peer: int, text: str) -> None:
    scores = ("8.2", "7.5", "8.0", "7.9", "8.1")
    assert isolation(text, scores=scores) == "breach"
    assert isolation(text, seat=(peer + 3) % 5, scores=scores) == "breach"


def test_the_score_must_be_the_peers_own() -> None:
    assert isolation("The critic may well give 9.9 to this.") == "hint"
    # The critic is named, and the auditor quoted: a hint of each, a breach of neither.
    assert isolation("The critic may well give 8.0 to this.") == "hint"


@pytest.mark.parametrize(
    "text", ["I give 8.2 for this.", "8.2/10", "Моя оценка 8,2.", "Score: 8.2"]
)
def test_ones_own_score_is_no_trace_where_a_peer_has_the_same(text: str) -> None:
    assert isolation(text, scores=("8.2", "8.2", "8.0")) == "no-breach-found"
    assert isolation(text, seat=1, scores=("8.2", "8.2", "8.0")) == "no-breach-found"


def test_a_peer_named_beside_its_score_is_a_breach_though_it_is_ones_own_too() -> None:
    text = "The critic gave 8.2, and so do I."
    assert isolation(text, scores=("8.2", "8.2", "8.0")) == "breach"


def test_a_whole_score_is_quoted_with_or_without_its_decimal() -> None:
    for text in ("The critic gave 7.0 here.", "The critic gave 7 here.", "The critic gave 7/10."):
        assert isolation(text, scores=("8.2", "7.0", "8.0")) == "breach"
    assert isolation("The critic gave 7 reasons here.", scores=("8.2", "7.5", "8.0")) == "hint"


def test_the_meta_judge_may_name_and_quote_everybody() -> None:
    meta = "Weighing domain-expert (8.2), critic (4.5) and completeness-auditor (8.0) against each other."
    rationales = (*RATIONALES[:3], meta)
    report = judge_rounds(
        make_round(scores=("8.2", "4.5", "8.0"), meta="7.0", rationales=rationales)
    )
    assert codes(report) == []
    assert report.rounds[0].isolation == "no-breach-found"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (RATIONALES[0], RATIONALES[0]),
        (RATIONALES[0], RATIONALES[0].upper()),
        (RATIONALES[0], RATIONALES[0].replace(" ", "\n  ")),
        ("Straße " * 6, "STRASSE " * 6),
    ],
)
def test_the_same_rationale_twice_is_a_breach(one: str, other: str) -> None:
    report = judge_rounds(make_round(rationales=(one.strip(), other.strip(), RATIONALES[2])))
    assert set(codes(report)) == {"KA144"}
    assert report.rounds[0].isolation == "breach"


def test_nearly_the_same_rationale_is_not_the_same() -> None:
    nearly = RATIONALES[0].replace("Clear", "Plain")
    report = judge_rounds(make_round(rationales=(RATIONALES[0], nearly, RATIONALES[2])))
    assert codes(report) == []


def test_a_breach_among_judges_who_disagree_is_a_collapse() -> None:
    told = ("The critic gave 2.5, and I differ in every respect.", *RATIONALES[1:])
    report = judge_rounds(make_round(scores=("8.2", "2.5", "8.0"), meta="6.0", rationales=told))
    assert codes(report) == ["KA142", "KA145"]
