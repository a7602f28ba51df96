"""Words by which users answer at a checkpoint, in English and Russian (see ``rewards``)."""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE | re.VERBOSE
_APPROVAL_WORDS = r"""
    ok(?:ay)?|k|yes|yep|yeah|y|sure|good|great|perfect|excellent|nice|fine|awesome|approved?|agreed?
    |lgtm|proceed|continue|next|go|accepted?|correct|right|wonderful|super|cool|looks\ good
    |all\ good|go\ (?:on|ahead)|move\ on|well\ done|good\ (?:job|work)|great\ (?:job|work)
    |ок(?:ей)?|окэй|да|ага|угу|хорошо|отлично|супер|прекрасно|замечательно|идеально|класс|здорово
    |принято|согласен|согласна|подходит|годится|дальше|далее|продолжай(?:те)?|верно|правильно
    |вс[её]\ (?:ок|хорошо|отлично|верно|супер|подходит|правильно)|ид[её]м\ дальше|поехали|👍|✅|👌
"""
_SEPARATOR = r"[\s,.!;:)\-–—]*"
_COURTESY = r"thanks|thank\ you|please|спасибо|пожалуйста"
APPROVAL = re.compile(
    rf"{_SEPARATOR}(?:(?:{_COURTESY}){_SEPARATOR})*(?:{_APPROVAL_WORDS})"
    rf"(?:{_SEPARATOR}(?:{_APPROVAL_WORDS}|{_COURTESY}))*{_SEPARATOR}",
    _FLAGS,
)
OPENS_WELL = re.compile(rf"{_SEPARATOR}(?:{_APPROVAL_WORDS})(?!\w)", _FLAGS)

FAILED = re.compile(
    r"""(?<!\w)(?:
    start(?:ing)?\ (?:it\ |this\ |everything\ )?(?:all\ )?over|from\ scratch
    |from\ the\ (?:very\ )?beginning
    |unusable|useless|worthless|(?:complete|total|full)\ redo
    |(?:completely|totally|entirely)\ (?:redo|wrong)
    |redo\ (?:it\ |this\ )?(?:everything|completely|entirely|all\ of\ it)
    |redo\ (?:the\ )?(?:whole|entire)\ \w+
    |throw\ (?:it|this|everything)\ away|restart(?:\ the\ phase)?
    |с\ нуля|с\ самого\ начала|начн?и(?:те)?\ (?:вс[её]\ )?(?:заново|сначала)
    |непригодн\w+|бесполезн\w+
    |никуда\ не\ год\w+|(?:полностью|целиком|вс[её])\ (?:переделай|переделать|заново)\w*
    |переделай(?:те)?\ (?:вс[её]|полностью|целиком)|выброси(?:те)?|перезапусти\w*
    )(?!\w)""",
    _FLAGS,
)
REWORK = re.compile(
    r"""(?<!\w)(?:
    rework\w*|rewrite|redo|reconsider|rethink|restructure|overhaul
    |переработай\w*|переработать|перепиши\w*|переписать|переделай\w*|переделать|пересмотри\w*
    )(?!\w)""",
    _FLAGS,
)
# What alone makes a request significant: another direction, or research that begins anew.
TURN = re.compile(
    r"""(?<!\w)(?:
    re-?research|research\ (?:it\ )?again
    |(?:change|another|a\ different|different|new|wrong)\ (?:the\ )?(?:approach|direction|strategy)
    |(?:смени|измени|поменя)\w*\ (?:подход|направление|стратегию)
    |(?:другой|другую|иной|иную|новый|новую)\ (?:подход|стратегию)|исследуй\w*\ заново
    )(?!\w)""",
    _FLAGS,
)
AREAS = re.compile(
    r"""(?<!\w)(?:
    (?:several|multiple|many|most)\ (?:of\ the\ )?(?:sections|parts|areas|chapters)
    |(?:sections|parts|areas|chapters)\ \w+(?:,\ \w+)*,?\ and\ \w+
    |(?:несколько|многие|большинство)\ (?:разделов|разделы|частей|части)
    |(?:разделы|части)\ \w+(?:,\ \w+)*\ и\ \w+
    )(?!\w)""",
    _FLAGS,
)
SMALL = re.compile(
    r"""(?<!\w)(?:
    typos?|misspell\w*|spelling|wording|comma|punctuation|formatting
    |a\ (?:small|tiny|minor)\ note|nit(?:s|pick)?
    |опечатк\w+|орфограф\w+|пунктуац\w+|запят\w+|форматирован\w+
    )(?!\w)""",
    _FLAGS,
)
MINOR = re.compile(
    r"""(?<!\w)(?:
    deepen|expand|elaborate|extend|add|clarify|adjust|tweak|fix|correct|rename|shorten|polish|update|improve
    |minor|small|slightly|a\ (?:little|bit)
    |углуби\w*|углубить|расшир\w+|добав\w+|уточн\w+|поправ\w+|исправ\w+|дополн\w+|поясн\w+|сократи\w*
    |немного|чуть|слегка|небольш\w+|мелк\w+
    )(?!\w)""",
    _FLAGS,
)
NEGATION = re.compile(
    r"(?<!\w)(?:no|not|don'?t|doesn'?t|isn'?t|aren'?t|wasn'?t|won'?t|can'?t|never|without|nothing|hardly"
    r"|не|нет|нельзя|ни|без)(?!\w)",
    re.IGNORECASE,
)
SEVERAL = re.compile(
    r"(?<!\w)(?:and|also|plus|as\ well|sections|parts"
    r"|и|также|ещ[её]|плюс|разделы|разделах|разделов)(?!\w)"
    r"|[;\n]|,(?!\s*(?:but|just|only|please|но|только|просто|пожалуйста)(?!\w))",
    _FLAGS,
)
