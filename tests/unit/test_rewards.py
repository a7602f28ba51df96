# ruff: noqa: RUF001 - Russian answers are meant to be Cyrillic
"""The reward that an answer means: decided where its words leave no choice, and only there."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.memory.reward_words import APPROVAL
from kattest.memory.rewards import Level, classify, verdict_document
from tests.unit.remembering import read

EXCELLENT = [
    *("ok", "ок", "OK", "Ok!", "ok.", "  ok  ", "okay", "k", "yes", "yep", "sure", "good"),
    *("great", "Perfect!", "excellent", "lgtm", "LGTM", "approved", "agreed", "proceed", "next"),
    *("continue", "go ahead", "go on", "move on", "looks good", "all good", "well done"),
    *("great job", "great, thanks", "thanks, go ahead", "please continue", "ok, next"),
    *("да", "Да.", "ага", "угу", "хорошо", "Отлично!", "супер", "принято", "согласен", "дальше"),
    *("продолжай", "всё ок", "все хорошо", "всё верно", "идём дальше", "поехали", "окей"),
    *("хорошо, спасибо", "спасибо, дальше", "отлично, продолжайте", "👍", "✅", "ок 👍"),
    # the protocol's own edge case: praise with a minor note
    "great, just fix the typo in section 3",
    "Great, just fix the typo in section 3.",
    "great, just fix a typo",
    "perfect, only fix the comma in the title",
    "отлично, только исправь опечатку",
    "супер, поправь запятую в заголовке",
    "good, please fix the spelling of the title",
]
GOOD = [
    # the protocol's own examples
    *("углуби X", "углуби раздел 3", "ok, but expand the FinTech competitor section"),
    "expand the FinTech competitor section",
    *("deepen section 2", "please clarify the KPI definition", "elaborate on the risks"),
    *("shorten the introduction", "rename the second heading", "polish the summary"),
    *("fix the typo in section 3", "minor edits to the competitor section"),
    *("good, but expand the summary", "yes, but clarify the scope", "ok, shorten the intro"),
    *("добавь источники в раздел 2", "уточни цель проекта", "поправь вывод", "углубите раздел 1"),
    *("хорошо, но углуби раздел про риски", "сократи введение", "исправь опечатку"),
    *("дополни раздел про рынок", "поясни вывод", "немного расширь введение"),
]
NEEDS_WORK = [
    *("rework sections 2 and 3", "rewrite several sections", "restructure most of the chapters"),
    *("change the approach", "we need a different approach", "wrong direction", "re-research"),
    *("rethink the sections 1 and 2", "redo the parts 1, 2 and 4", "research it again"),
    *("смени подход", "нужен другой подход", "переработай разделы 2 и 3", "исследуй заново"),
    *("перепиши несколько разделов", "измени направление"),
]
FAILED = [
    *("start over", "Start over.", "please start over", "let's start over", "from scratch"),
    *("restart", "restart the phase", "this is unusable", "the result is useless"),
    *("complete redo", "redo everything", "throw it away", "it is completely wrong"),
    *("начни заново", "начни сначала", "всё заново", "с нуля", "переделай всё"),
    *("переделай полностью", "это никуда не годится", "это бесполезно"),
]

UNDECIDED = [
    # denials
    *("no", "нет", "not ok", "don't start over", "it is not unusable", "no need to rework it"),
    *(
        "не надо ничего менять",
        "не начинай заново",
        "без опечаток",
        "never mind",
        "don\u2019t add it",
    ),
    # questions
    *("ok?", "is it useless?", "should we start over?", "а где источники?", "can you expand it?"),
    # contradictions
    *("great, but start over", "ок, но начни заново", "fix the typo and start over"),
    *("perfect, but rework sections 2 and 3", "start over, or just expand section 2"),
    *("хорошо, но смени подход", "rework it slightly"),
    # several areas, or nobody knows how many
    *("expand section 2 and section 3", "add sources, clarify the scope", "углуби X и Y"),
    *("fix the typo; also add a summary", "expand sections 2, 3", "добавь выводы, также примеры"),
    # how much is to change
    *("rework it", "redo it", "переделай вывод", "rewrite the introduction"),
    # what no row says, sarcasm among it
    *(
        "hmm",
        "...",
        "thanks",
        "спасибо",
        "whatever",
        "oh great",
        "ага, конечно",
        "skip it",
        "да ну",
    ),
    *(
        "sure, and pigs fly",
        "I will look at it tomorrow",
        "nice try",
        "wait",
        "good luck with that",
    ),
    # other languages
    *(
        "très bien",
        "gut so",
        "bitte kürzer",
        "muy bien",
        "很好",
        "もう一度",
        "dobrze",
        "так, добре",
    ),
    # long
    "ok " * 1000,
    "great, " + "really " * 400 + "just fix the typo",
]


@pytest.mark.parametrize("answer", EXCELLENT)
def test_an_approval_is_excellent(answer: str) -> None:
    assert classify(answer).level is Level.EXCELLENT


@pytest.mark.parametrize("answer", GOOD)
def test_a_minor_request_is_good(answer: str) -> None:
    assert classify(answer).level is Level.GOOD


@pytest.mark.parametrize("answer", NEEDS_WORK)
def test_rework_of_much_or_another_direction_needs_work(answer: str) -> None:
    assert classify(answer).level is Level.NEEDS_WORK


@pytest.mark.parametrize("answer", FAILED)
def test_starting_over_is_failed(answer: str) -> None:
    assert classify(answer).level is Level.FAILED


@pytest.mark.parametrize("answer", UNDECIDED, ids=lambda answer: answer[:30])
def test_what_a_person_must_decide_is_not_decided(answer: str) -> None:
    verdict = classify(answer)
    assert verdict.level is None
    assert verdict.is_answer
    assert verdict.reason


# Each answer with the level that no reader would give it. To leave them undecided is always right.
NEVER = {
    Level.FAILED: [
        # of something that was, that might have been, or that is denied in other words
        *("the previous version was unusable, this one is great", "was useless before, great now"),
        *("I wanted to start over, but it turned out great", "I thought we must start over, wow"),
        *("glad we avoided starting over", "far from useless", "anything but useless"),
        *("nobody would call this useless", "I wouldn't say useless", "it couldn't be useless"),
        *("neither useless nor wrong", "calling it useless would be unfair"),
        *("раньше было бесполезно, теперь супер", "прошлая версия была непригодна, эта прекрасна"),
        # praise
        *("you built it from scratch, impressive", "сделано с нуля, молодец", "the redo paid off"),
        "I read it from the beginning to the end and loved it",
        # of something else
        *("the competitor's product is useless, good point", "бесполезная функция описана верно"),
        # of one part: that is a small request
        *("rewrite the intro from scratch", "redo the whole paragraph", "restart section 3"),
        *("section 3 is useless", "выброси последний абзац", "перепиши введение с нуля"),
        *("the useless button in figure 2 should go", "redo figure 3 from scratch"),
    ],
    Level.NEEDS_WORK: [
        *("I love the new direction", "the new approach reads well", "новый подход радует"),
        *("you reworked several sections, they read well", "другой подход мне нравится"),
        *("the rework of several sections went perfectly", "explain the new strategy"),
        "the new strategy of the bank is described correctly",
        "in the new approach section, one number is off",
        *("change the direction of the arrow in figure 2", "смени направление стрелки"),
        "sections 2 and 3 are so good I would rewrite the rest after them",
    ],
    Level.GOOD: [
        # everything, or more than one area
        *("fix everything", "fix the whole thing", "update the entire document", "polish it all"),
        *("improve everything substantially", "expand every chapter", "fix all of it"),
        *("add more sources everywhere", "expand multiple areas", "add it to many chapters"),
        *("expand section 2. Expand section 3.", "expand section 2 & section 3"),
        *("expand both chapters", "expand section 2 then section 3"),
        *("исправь всё", "исправь весь документ", "дополни каждый раздел", "углуби везде"),
        *("углуби оба раздела", "расширь весь документ", "углуби раздел 2. Углуби раздел 3."),
        *(
            "fix the title\nadd a summary",
            "- fix the title\n- add a summary",
            "уточни цель\nдобавь вывод",
        ),
        # a change of direction
        *(
            "good, fix the approach",
            "adjust the strategy",
            "исправь концепцию",
            "fix the direction",
        ),
        # a judgement, no request
        *("this is a bit of a disaster", "a little disappointing", "немного разочарован"),
        *("the small details are completely off", "it is slightly better than garbage"),
        *("небольшой ужас", "чуть хуже", "great, another small disaster", "way too small"),
        # praise, or a report of what was done
        *(
            "the numbers add up",
            "you did improve it",
            "the fix works",
            "исправлено",
            "it is a small miracle",
        ),
        *("thanks for fixing the typo", "you managed to improve the report", "добавлять нечего"),
        *("the Polish market section looks right", "немного лучше", "I fixed the typo myself"),
        *("yes it's small", "small business is our focus", "исправлять нечего"),
    ],
    Level.EXCELLENT: [
        *("good punctuation but the content is rubbish", "great spelling; the rest is useless"),
        "awesome formatting hides that the research is empty",
        *("great, spelling is a catastrophe", "great, typos all over the place"),
        *("perfect, a small note: section 4 is wrong entirely", "nice typo"),
        "perfect, a small note: you forgot the whole market analysis",
        *("great, formatting is off in the whole document", "ok apart from typos everywhere"),
        *("yeah right", "yeah, right"),
    ],
}


@pytest.mark.parametrize(
    ("answer", "level"), [(answer, level) for level, answers in NEVER.items() for answer in answers]
)
def test_what_looks_like_a_row_and_is_none_is_not_taken_for_it(answer: str, level: Level) -> None:
    assert classify(answer).level is not level


@pytest.mark.parametrize("answer", ["углуби X", "great, just fix the typo in section 3"])
@pytest.mark.parametrize(("round_number", "expected"), [(1, None), (2, None), (3, 0.3), (9, 0.3)])
def test_minor_feedback_from_the_third_round_on_needs_work(
    answer: str, round_number: int, expected: float | None
) -> None:
    first, level = classify(answer).level, classify(answer, round_number).level
    assert level is (first if expected is None else Level.NEEDS_WORK)


@pytest.mark.parametrize("answer", ["ok", "start over", "смени подход", "hmm"])
def test_other_answers_mean_the_same_in_every_round(answer: str) -> None:
    assert classify(answer, 7).level is classify(answer).level


@pytest.mark.parametrize("answer", ["", " ", "\n\t", "\u00a0\u2003"])
def test_no_answer_stores_nothing(answer: str) -> None:
    verdict = classify(answer)
    assert verdict.level is None
    assert not verdict.is_answer
    document = verdict_document(verdict)
    assert document["store"] is False
    assert document["decided"] is False


@pytest.mark.parametrize(
    ("answer", "reward", "label"),
    [
        ("ok", 1.0, "excellent"),
        ("углуби X", 0.7, "good"),
        ("смени подход", 0.3, "needs_work"),
        ("start over", 0.0, "failed"),
        ("hmm", None, None),
    ],
)
def test_a_verdict_is_told_with_the_protocols_reward_and_label(
    answer: str, reward: float | None, label: str | None
) -> None:
    document = verdict_document(classify(answer))
    assert document["reward"] == read(reward)
    assert document["reward_label"] == label
    assert document["decided"] is (label is not None)
    assert document["store"] is True


WORDS = st.sampled_from(
    [
        *("ok", "not", "fix", "typo", "start over", "rework", "sections", "and", "great", "?", ","),
        *(
            "не",
            "углуби",
            "с нуля",
            "разделы",
            "и",
            "\u2019",
            "\n",
            "😀",
            "",
            "\ud800",
            "\x00",
            "x",
        ),
    ]
)


@settings(max_examples=300)
@given(st.text(max_size=60) | st.lists(WORDS, max_size=12).map(" ".join), st.integers(1, 9))
def test_any_text_has_a_verdict(text: str, round_number: int) -> None:
    verdict = classify(text, round_number)
    assert verdict.is_answer is bool(text.split())
    assert verdict == classify(f"  {text}\n", round_number)
    if "?" in text:
        assert verdict.level is None


REPEATED = [
    *("ok ", "ok, ", "ok", "k", "-", ", ", "thanks ", "thanks, ok ", "good ", "looks ", "a"),
    *("sections a, ", "sections a and ", "разделы а, ", "не", "redo the whole ", "from the ", "\n"),
    *("all ", "начни всё ", "fix,", "great fix ", "\u2019", "sections " + "a, " * 3, "👍"),
]


@pytest.mark.parametrize("piece", REPEATED)
@pytest.mark.parametrize("length", [1_900, 100_000])
def test_no_text_takes_long(piece: str, length: int) -> None:
    text = (piece * length)[: length - 1] + "$"
    started = time.perf_counter()
    classify(text)
    assert time.perf_counter() - started < 0.5


def test_an_approval_that_is_long_is_still_read_in_no_time() -> None:
    started = time.perf_counter()
    assert not APPROVAL.fullmatch("ok, thanks " * 9_000 + "$")
    assert time.perf_counter() - started < 0.5
