"""Answers at a checkpoint that leave no choice, in English and Russian (see ``rewards``).

Each pattern is a whole answer, not a word in one: "useless" may be said of anything, and "start
over" may be what somebody is glad to be spared.
"""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE | re.VERBOSE
_SEP = r"[\s,.!;:)\-\u2013\u2014]"
_END = rf"{_SEP}*"

_APPROVAL = r"""(?:
    ok(?:ay)?|k|yes|yep|yeah|y|sure|good|great|perfect|excellent|nice|fine|awesome|approved?|agreed?
    |lgtm|proceed|continue|next|go|accepted?|correct|wonderful|super|cool|looks\ good|all\ good
    |go\ (?:on|ahead)|move\ on|well\ done|good\ (?:job|work)|great\ (?:job|work)
    |ок(?:ей)?|окэй|да|ага|угу|хорошо|отлично|супер|прекрасно|замечательно|идеально|класс|здорово
    |принято|согласен|согласна|подходит|годится|дальше|далее|продолжай(?:те)?|верно|правильно
    |вс[её]\ (?:ок|хорошо|отлично|верно|супер|подходит|правильно)|ид[её]м\ дальше|поехали|👍|✅|👌
)"""
_COURTESY = r"(?:thanks|thank\ you|please|спасибо|пожалуйста)"
APPROVAL = re.compile(
    rf"{_SEP}*(?:{_COURTESY}{_SEP}+)*{_APPROVAL}(?:{_SEP}+(?:{_APPROVAL}|{_COURTESY}))*{_END}",
    _FLAGS,
)


def _said(one: str) -> re.Pattern[str]:
    """Answers that say ``one`` thing, or several that are alike, and nothing else."""
    return re.compile(rf"{one}(?:{_SEP}+{one})*(?:{_SEP}+{_COURTESY})?{_END}", _FLAGS)


_ASKS = r"""(?:(?:
    please|just|only|but|now|let's|we\ (?:need|should|must)(?:\ to)?|you\ (?:need|should)(?:\ to)?
    |it\ needs|need|пожалуйста|просто|только|но|лучше|давай(?:те)?|нужно|надо|нужен|нужна|нужны
)[\s,:\-\u2013\u2014]+)*"""
_PRAISE = rf"{_APPROVAL}(?:{_SEP}+{_APPROVAL})*{_SEP}+"

# What a small request may be about: a few words, of one area, that change no direction.
_STOP = r"""(?:
    all|every\w*|each|both|whole|entire|multiple|many|several|most|and|also|plus|then|again|as\ well
    |sections|chapters|parts|areas|paragraphs|approach\w*|direction|strateg\w+|concept\w*|topic
    |rework|rewrite|redo|phase|half|complete\w*|total\w*|entirely|over|scratch|anew|no|not|nothing|never|without|or|but|instead
    |вс[еёяю]|вс[её]х|весь|кажд\w+|оба|обе|обоих|обеих|везде|всюду|несколько|мног\w+|больш\w+
    |и|также|ещ[её]|плюс|потом|затем|разделы|разделов|разделах|главы|глав|части|частей|абзацы
    |подход\w*|направлени\w+|стратеги\w+|концепци\w+|тем[уаы]|полностью|целиком|заново|сначала
    |нуля|не|нет|ничего|ни|без|или|но|вместо
)"""
_ALONE = r"(?:it|this|that|these|those|them|this\ one|его|е[её]|их|это|этот|эту|эти)"
_WORD = r"[\w'\"«»()№#%\-]+"
_ABOUT = rf"""
    (?!{_ALONE}{_END}\Z)(?!.*[0-9][^0-9.]+[0-9])
    (?:(?!{_STOP}(?!\w)){_WORD}\ ){{0,9}}(?!{_STOP}(?!\w)){_WORD}
"""
_VERB = r"""(?:
    (?:slightly\ )?(?:deepen|expand|elaborate\ on|elaborate|extend|add|clarify|adjust|tweak|fix
    |correct|rename|shorten|polish|update|improve)
    |(?:minor|small)\ (?:edits?|changes?|adjustments?|tweaks?|corrections?)\ (?:to|in|of)
    |(?:(?:немного|чуть|слегка)\ )?(?:углуби|расширь|добавь|уточни|поправь|исправь|дополни|поясни
    |сократи)(?:те)?
    |(?:немного|чуть|слегка)\ (?:углубить|расширить|уточнить|поправить|дополнить|сократить)
)"""
REQUEST = re.compile(rf"(?:{_PRAISE})?{_ASKS}{_VERB}\ {_ABOUT}{_END}", _FLAGS)

_SLIP = r"""(?:
    typos?|spelling|punctuation|commas?|formatting
    |опечатк[уи]|запят(?:ую|ые)|орфографию|пунктуацию|форматирование
)"""
NOTE = re.compile(
    rf"""{_PRAISE}{_ASKS}(?:fix|correct|mind|(?:поправь|исправь)(?:те)?)\ (?:(?:the|a|that|one)\ )?
    (?:(?:small|tiny|minor|небольшую|мелкую)\ )?{_SLIP}
    (?:\ (?:in|of|on|at|в|во|на)\ {_ABOUT})?{_END}""",
    _FLAGS,
)

_SEVERAL_AREAS = r"""(?:
    (?:the\ )?(?:several|multiple|many|most)\ (?:of\ the\ )?(?:sections|parts|areas|chapters)
    |(?:the\ )?(?:sections|parts|areas|chapters)\ \w+(?:,\ \w+)*,?\ and\ \w+
    |(?:несколько|многие|большинство)\ (?:разделов|разделы|частей|части|глав|главы)
    |(?:разделы|части|главы)\ \w+(?:,\ \w+)*\ и\ \w+
)"""
_REWORK = r"""(?:
    (?:rework|rewrite|redo|reconsider|rethink|restructure|overhaul)
    |(?:переработай|перепиши|переделай|пересмотри)(?:те)?|переработать|переписать|переделать
    |пересмотреть
)"""
_WAY_EN, _WAY_RU = r"(?:approach|direction|strategy)", r"(?:подход|направление|стратегию)"
_ONE_REWORK = rf"""{_ASKS}(?:
    {_REWORK}\ {_SEVERAL_AREAS}
    |(?:change|switch)\ (?:the\ |your\ |our\ )?{_WAY_EN}
    |(?:(?:use|try|take|choose)\ )?(?:a\ different|another|a\ new)\ {_WAY_EN}|wrong\ {_WAY_EN}
    |re-?research(?:\ (?:it|this|the\ topic))?|research\ (?:it|this|the\ topic)\ (?:again|anew)
    |(?:(?:смени|измени|поменяй)(?:те)?|сменить|изменить|поменять)\ {_WAY_RU}
    |(?:другой|другую|другое|иной|иную|иное|новый|новую|новое)\ {_WAY_RU}
    |(?:исследуй(?:те)?|исследовать)\ (?:(?:это|тему)\ )?заново
)"""
REWORK = _said(_ONE_REWORK)

_ONE_FAILED = rf"""{_ASKS}(?:
    start(?:ing)?\ (?:(?:it|this|everything)\ )?(?:all\ )?over|start\ (?:again\ )?from\ scratch
    |from\ scratch|restart(?:\ (?:it|this|the\ phase))?
    |redo\ (?:it\ |this\ )?(?:everything|all|all\ of\ it|completely|entirely|from\ scratch)
    |(?:a\ )?(?:complete|full|total)\ redo|throw\ (?:it|this|everything)\ away
    |(?:it|this|that|everything|the\ (?:result|outcome|whole\ thing))(?:\ is|'s)\ (?:
        (?:completely\ |totally\ |entirely\ )?(?:unusable|useless|worthless)
        |(?:completely|totally|entirely)\ wrong)
    |(?:начни(?:те)?|начать|начн[её]м)\ (?:вс[её]\ )?(?:заново|сначала|с\ нуля)
    |вс[её]\ (?:заново|с\ нуля)|с\ нуля
    |переделай(?:те)?\ (?:вс[её]|полностью|целиком|с\ нуля)|вс[её]\ переделать
    |(?:это|вс[её]\ это|результат|вс[её])\ (?:совершенно\ |полностью\ )?
        (?:никуда\ не\ годится|бесполез(?:но|ен)|непригод(?:но|ен))
    |выброси(?:те)?\ (?:это|вс[её])|перезапусти(?:те)?(?:\ фазу)?
)"""
FAILED = _said(_ONE_FAILED)
