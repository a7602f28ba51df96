# ruff: noqa: RUF001 - Russian rationales are meant to be Cyrillic
"""KA140 to KA145: what judges wrote, and what it shows of their isolation.

The honest scores are 8.2 (domain expert), 7.5 (critic) and 8.0 (completeness auditor).
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.rounds import RATIONALES, make_round
from tests.vectors.case import (
    A,
    Case,
    Cases,
    Expected,
    World,
    fails,
    judged,
    passes,
    saying,
)
from tests.vectors.cases.rosters import APART, FIVE, QUARTET, QUARTET_SEATS, under

HONEST = make_round()
CYRILLIC_500 = ("Шаги протокола описаны ясно и полно, примеры можно повторить. " * 9)[:499] + "."
ASTRAL = "\U00013000"  # one code point, two in UTF-16, four bytes in UTF-8


def _said(seat: int) -> str:
    """Where the rationale of ``seat`` stands."""
    return f"{A}/{seat}/rationale_summary"


def _says(name: str, why: str, text: str, *others: Expected, seat: int = 0) -> Case:
    """The rule is content with this rationale."""
    return passes(name, why, judged(saying(seat, text)), *others)


def _shows(name: str, why: str, text: str, seat: int = 0) -> Case:
    """The rule finds fault with this rationale."""
    return fails(name, why, judged(saying(seat, text)), _said(seat))


RATIONALE_SHAPE = (
    passes("usual", "one sentence, trimmed", judged(HONEST)),
    _says("cyrillic-500", "500 code points are 500 characters, whatever their bytes", CYRILLIC_500),
    _says("astral-500", "500 code points, and 1000 in UTF-16", ASTRAL * 500),
    _says("combining-500", "a letter and its mark are two code points", "e\u0301" * 250),
    _says(
        "white-space-within",
        "only the ends are trimmed",
        "Clear  protocol\tsteps,\n\nand examples too.",
    ),
    _shows("ascii-501", "one code point too many", "a" * 501),
    _shows("cyrillic-501", "one code point too many", CYRILLIC_500 + "."),
    _shows("astral-501", "one code point too many", ASTRAL * 501),
    _shows("combining-502", "251 letters for a reader, 502 code points", "e\u0301" * 251),
    _shows("space-in-front", "not trimmed", " " + RATIONALES[0]),
    _shows("line-feed-at-end", "not trimmed", RATIONALES[0] + "\n"),
    _shows("no-break-space-at-end", "a no-break space is white space", RATIONALES[0] + "\u00a0"),
    _shows("cut-within-words", "cut to 500 and not trimmed again", "a" * 499 + " "),
    fails(
        "long-and-untrimmed",
        "two faults of one text",
        judged(saying(0, "a" * 501 + " ")),
        _said(0),
        _said(0),
    ),
    fails(
        "meta-judge",
        "the meta-judge's rationale has the same shape",
        judged(saying(3, "a" * 501, scores=APART, meta="7.8")),
        _said(3),
    ),
)

RATIONALE_SHORT = (
    passes("usual", "a full sentence", judged(HONEST)),
    _says("32", "32 code points", "Clear steps, and good examples.".ljust(32, ".")),
    _says("cyrillic-32", "32 code points", "Шаги ясны, примеры можно понять.".ljust(32, ".")),
    _shows("31", "one code point too few", "Clear steps, and good examples."),
    _shows("astral-31", "31 code points, though 62 in UTF-16", ASTRAL * 31),
    _shows("cyrillic-31", "31 code points, though 62 bytes", "я" * 31),
    _shows("no-characters", "no rationale at all", ""),
    fails(
        "meta-judge",
        "its score can be guessed from the hash just as well",
        judged(saying(3, "Both sides weighed.", scores=APART, meta="7.8")),
        _said(3),
    ),
    fails(
        "two-judges",
        "each one is reported",
        judged(make_round(rationales=("Good.", RATIONALES[1], "Complete."))),
        _said(0),
        _said(2),
    ),
)

# By name of the case: the seat that says it, the text, and why it is a breach.
BREACHES: Mapping[str, tuple[int, str, str]] = {
    "english-title": (
        0,
        "The critic gave 7.5 for the missing edge cases, which seems too harsh to me.",
        "names the critic and quotes 7.5",
    ),
    "english-id": (
        1,
        "I saw completeness-auditor: 8.0, yet recovery after a failure is not described.",
        "names the auditor by id and quotes 8.0",
    ),
    "english-title-of-two-words": (
        2,
        "Like the Domain Expert, who scored this 8.2, I find the steps clear.",
        "names the domain expert and quotes 8.2",
    ),
    "whole-number-behind-name": (
        0,
        "I agree with the completeness auditor (8) that all the sections are there.",
        "a whole number right behind the name is the score that is meant",
    ),
    "plural": (
        1,
        "Next to the domain-experts 8.2 this is low, for recovery is not described.",
        "the id in the plural is still the id",
    ),
    "capitals": (
        0,
        "THE CRITIC SAID 7.5 AND I SAY THAT THE EXAMPLES CAN BE FOLLOWED.",
        "letter case does not hide a name",
    ),
    "possessive": (
        0,
        "The critic's 7.5 is too low for steps as clear and short as these.",
        "the genitive does not hide a name",
    ),
    "line-break-in-title": (
        2,
        "Just as the domain\nexpert (8.2) says, all sections that matter are present.",
        "a title may be broken over two lines",
    ),
    "whole-number": (
        1,
        "The completeness auditor gave it 8, and I would not go as high as that.",
        "8 that is called a score is 8.0",
    ),
    "out-of-ten": (
        1,
        "The completeness auditor has 8/10, and I would not go as high as that.",
        "8 out of 10 is 8.0",
    ),
    "decimal-comma": (
        0,
        "The critic's mark of 7,5 leaves out that the examples can be followed.",
        "a decimal comma is a decimal point",
    ),
    "russian": (
        0,
        "Критик поставил 7.5, но примеры в справочнике можно повторить самому.",
        "names the critic in Russian and quotes 7.5",
    ),
    "russian-genitive": (
        0,
        "Оценка критика 7.5 занижена: шаги описаны ясно, примеры полны.",
        "beside the critic's score this form names the critic",
    ),
    "russian-instrumental": (
        0,
        "Не согласен с критиком (7.5): пограничные случаи описаны в справочнике.",
        "a case ending does not hide a name",
    ),
    "russian-decimal-comma": (
        0,
        "Критик поставил 7,5, но примеры в справочнике можно повторить самому.",
        "a decimal comma is how Russian writes 7.5",
    ),
    "russian-title-of-two-words": (
        2,
        "Вслед за доменным экспертом (8,2) считаю шаги протокола ясными.",
        "both words in the instrumental",
    ),
    "russian-subject-expert": (
        2,
        "Эксперт предметной области дал 8,2, и разделы действительно все на месте.",
        "another name of the domain expert",
    ),
    "russian-auditor": (
        0,
        "Согласен с аудитором полноты: 8.0 за разделы, примеров достаточно.",
        "names the auditor and quotes 8.0",
    ),
    "russian-whole-number": (
        0,
        "Аудитор полноты поставил 8 баллов, и я с ним почти во всём согласен.",
        "8 that is called a score is 8.0",
    ),
    "no-break-hyphen": (
        2,
        "Like the domain\u2011expert, who scored this 8.2, I find the steps clear.",
        "a hyphen that does not break is how many programs write this one",
    ),
    "russian-decomposed": (
        2,
        "Дополняя: доменны\u0438\u0306 эксперт дал 8,2, и все разделы на месте.",
        "the same title, with one letter and its mark apart",
    ),
}

ISOLATION_BREACH = (
    passes("no-peer", "nobody is named and nothing quoted", judged(HONEST)),
    passes(
        "meta-judge",
        "the meta-judge is there to read the others",
        judged(
            saying(
                3,
                "Between domain-expert (9.0) and critic (5.5) I side with the former.",
                scores=APART,
                meta="7.8",
            )
        ),
    ),
    _says(
        "own-score",
        "one's own score is no secret",
        "I give 8.2 for clear steps and for examples to follow.",
    ),
    _says(
        "own-name",
        "one's own name and score",
        "As the domain expert I give 8.2 for steps that are clear.",
    ),
    _says(
        "name-alone",
        "a name without a score is a hint",
        "The critic will miss edge cases, but the examples can be followed.",
        Expected("KA143", _said(0)),
    ),
    _says(
        "score-alone",
        "a score without a name is a hint",
        "A cautious 7.5 would be too low for steps as clear as these.",
        Expected("KA143", _said(0)),
    ),
    _says(
        "name-with-another-score",
        "the critic gave 7.5, not 6.5; the name alone is a hint",
        "The critic gave 6.5, I think, but the examples can be followed.",
        Expected("KA143", _said(0)),
    ),
    _says(
        "thousands-beside-name",
        "7,500 tokens are not the critic's 7.5; the name alone is a hint",
        "The critic may object to 7,500 tokens, but the examples can be followed.",
        Expected("KA143", _said(0)),
    ),
    passes(
        "without-a-roster",
        "without a roster nobody is anybody's peer, and the size is the fault",
        judged(
            saying(
                0,
                "The critic gave 7.5 for the missing edge cases, which is too harsh.",
                scores=FIVE[:4],
                weights=dict.fromkeys(QUARTET_SEATS, 0.25),
            )
        ),
        Expected("KA120", "/evaluations/0/panel_size"),
        Expected("KA121", f"{A}/2/judge_id"),
    ),
    *(_shows(name, why, text, seat) for name, (seat, text, why) in BREACHES.items()),
    fails(
        "two-peers",
        "each peer is a breach of its own",
        judged(saying(2, "The domain expert has 8.2 and the critic 7.5, so I take the middle.")),
        _said(2),
        _said(2),
    ),
    fails(
        "same-score-as-own",
        "that it is one's own score too does not hide whose it was",
        judged(
            saying(
                2,
                "As the critic says, 8.0 is what complete sections are worth.",
                scores=("8.2", "8.0", "8.0"),
            )
        ),
        _said(2),
    ),
    fails(
        "of-five",
        "the tiebreaker, spelt another way",
        judged(saying(0, "The tie-breaker came to 8.1, which I find a little low.", scores=FIVE)),
        _said(0),
    ),
    fails(
        "of-five-russian",
        "the additional expert in Russian",
        judged(saying(1, "Дополнительный эксперт поставил 7,9, но сбои не описаны.", scores=FIVE)),
        _said(1),
    ),
    fails(
        "configured-title",
        "a title that the configuration gives a seat",
        under(
            QUARTET,
            saying(
                0,
                "The Security Lead gave 7.9, which leaves the examples out of sight.",
                scores=("8.2", "7.5", "7.9", "8.0"),
                weights=dict.fromkeys(QUARTET_SEATS, 0.25),
            ),
        ),
        _said(0),
    ),
)

ISOLATION_HINT = (
    passes("no-peer", "nobody is named and nothing quoted", judged(HONEST)),
    _says(
        "own-score",
        "one's own score is no secret",
        "I give 8.2 for clear steps and for examples to follow.",
    ),
    _says(
        "criticism",
        "these words only begin like a judge's name",
        "Critical criticism by critics aside, the steps are clear.",
    ),
    _says(
        "expert-alone",
        "an expert in general is not the domain expert",
        "Any expert in the field can follow what is written here.",
    ),
    _says(
        "russian-criticism",
        "without the critic's score this form means criticism",
        "Такая критика была бы излишней: шаги протокола описаны ясно.",
    ),
    _says(
        "russian-critical",
        "this word only begins like the critic's name",
        "Критически важные шаги описаны, критичных пробелов в них нет.",
    ),
    _says(
        "count",
        "8 sections are no score",
        "All 8 sections are present, and each of them has its example.",
    ),
    _says(
        "version",
        "3.7.5 is no 7.5, and neither is v7.5",
        "Tried with 3.7.5 and with v7.5 of the tool: the steps hold.",
    ),
    _says(
        "longer-number",
        "neither 17.5 nor 7.55 is 7.5",
        "It takes 17.5 minutes at most, and 7.55 on the second run.",
    ),
    _says(
        "thousands",
        "a comma before three digits groups them: no score has three decimals",
        "It takes 8,000 tokens at most, or 7,500 with the shorter references.",
    ),
    _says(
        "generated",
        "what was generated was not rated",
        "The skill generated 8 files, and each of them has an example to follow.",
    ),
    _says(
        "russian-created",
        "what was created was not given",
        "Навык создал 8 файлов, и в каждом из них есть понятный пример.",
    ),
    passes(
        "out-of-ten",
        "the 10 in 8.2/10 is the scale, not the score that the critic gave",
        judged(
            saying(
                0,
                "I gave 8.2/10 for clear steps and for examples to follow.",
                scores=("8.2", "10.0", "8.0"),
            )
        ),
    ),
    passes(
        "russian-arbitration",
        "arbitration is a subject, not the tiebreaker",
        judged(saying(0, "Порядок арбитража описан ясно, примеры можно повторить.", scores=FIVE)),
    ),
    passes(
        "same-score-as-own",
        "a score that is one's own may be written, whoever else gave it",
        judged(
            saying(
                2,
                "I come to 8.0, for all sections that matter are present.",
                scores=("8.2", "8.0", "8.0"),
            )
        ),
    ),
    passes(
        "meta-judge",
        "the meta-judge is there to read the others",
        judged(
            saying(3, "The critic weighs edge cases more than the rest.", scores=APART, meta="7.8")
        ),
    ),
    _says(
        "breach",
        "name and score together are more than a hint",
        BREACHES["english-title"][1],
        Expected("KA142", _said(0)),
    ),
    _shows(
        "name-alone",
        "may be chance",
        "The critic will miss edge cases, but the examples can be followed.",
    ),
    _shows(
        "score-alone",
        "may be chance",
        "A cautious 7.5 would be too low for steps as clear as these.",
    ),
    _shows(
        "russian-name-alone",
        "may be chance",
        "Критик заметит пробелы, но примеры можно повторить самому.",
    ),
    _shows(
        "russian-score-alone",
        "may be chance",
        "Осторожные 7,5 были бы слишком низкой оценкой за такие шаги.",
    ),
    fails(
        "name-of-one-score-of-another",
        "the critic is named, and the auditor's score is quoted: two hints",
        judged(saying(0, "The critic would not go as far as 8.0, but the steps are clear.")),
        _said(0),
        _said(0),
    ),
    fails(
        "score-of-two",
        "one number, and two peers who gave it",
        judged(
            saying(
                0,
                "Less than 8.0 would be unfair to steps as clear as these.",
                scores=("8.2", "8.0", "8.0"),
            )
        ),
        _said(0),
        _said(0),
    ),
)


def _same(*texts: str) -> World:
    return judged(make_round(rationales=texts))


SENTENCE = "Clear protocol steps, and examples that can be followed."

RATIONALE_REPEATED = (
    passes("three-texts", "each judge wrote its own", judged(HONEST)),
    passes(
        "alike",
        "one word differs",
        _same(SENTENCE, SENTENCE.replace("Clear", "Good"), RATIONALES[2]),
    ),
    passes(
        "meta-judge",
        "the meta-judge may adopt a judge's words",
        judged(make_round(scores=APART, meta="7.8", rationales=(*RATIONALES[:3], RATIONALES[0]))),
    ),
    passes(
        "in-two-rounds",
        "a judge may come to the same words again",
        judged(HONEST, make_round(evaluation_id="second")),
    ),
    fails("two-alike", "two seats, one text", _same(RATIONALES[0], SENTENCE, SENTENCE), _said(2)),
    fails("three-alike", "one text, three votes", _same(*[SENTENCE] * 3), _said(1), _said(2)),
    fails(
        "letter-case",
        "letter case aside",
        _same(SENTENCE, SENTENCE.upper(), RATIONALES[2]),
        _said(1),
    ),
    fails(
        "spacing",
        "spacing aside",
        _same(SENTENCE, SENTENCE.replace(" ", "\n "), RATIONALES[2]),
        _said(1),
    ),
    fails(
        "russian-letter-case",
        "letter case aside, in any script",
        _same(CYRILLIC_500, RATIONALES[1], CYRILLIC_500.upper()),
        _said(2),
    ),
)


def _apart(text: str, seat: int = 0) -> World:
    return judged(saying(seat, text, scores=APART, meta="7.8"))


CONFORMITY_COLLAPSE = (
    passes(
        "genuine",
        "far apart, and no breach was found",
        judged(make_round(scores=APART, meta="7.8")),
    ),
    passes(
        "breach-in-agreement",
        "a breach, but the panel is not apart",
        judged(saying(0, BREACHES["english-title"][1])),
        Expected("KA142", _said(0)),
    ),
    passes(
        "hint",
        "far apart, and a hint is no breach",
        _apart("The critic will miss edge cases, but the examples can be followed."),
        Expected("KA143", _said(0)),
    ),
    passes(
        "exactly-3",
        "3.0 is not more than 3.0",
        judged(
            saying(
                0,
                "The critic gave 5.8 for the missing edge cases, which is too harsh.",
                scores=("8.8", "5.8", "8.0"),
            )
        ),
        Expected("KA142", _said(0)),
    ),
    fails(
        "breach-apart",
        "the disagreement itself is suspect",
        _apart("The critic gave 5.5 for the missing edge cases, which is too harsh."),
        A,
        Expected("KA142", _said(0)),
    ),
    fails(
        "without-meta-judge",
        "suspect whether a meta-judge sat or not",
        judged(
            saying(
                1,
                "The domain expert gave 9.0, and I cannot see what for at all.",
                scores=APART,
            )
        ),
        A,
        Expected("KA124", A),
        Expected("KA142", _said(1)),
    ),
)

CASES: Cases = {
    "KA140-rationale-shape": RATIONALE_SHAPE,
    "KA141-rationale-short": RATIONALE_SHORT,
    "KA142-isolation-breach": ISOLATION_BREACH,
    "KA143-isolation-hint": ISOLATION_HINT,
    "KA144-rationale-repeated": RATIONALE_REPEATED,
    "KA145-conformity-collapse": CONFORMITY_COLLAPSE,
}
