"""Text that comes from a repository is hostile: find what could act on a reader, and disarm it.

The set of characters is that of house rule 7 (design, section 2): control, bidirectional and
zero-width characters, and the invisible ones beside them.
"""

from __future__ import annotations

import re

_LAYOUT = "\t\n\r"
_HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0, DEL and C1: escape sequences begin here
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # drawn as nothing
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # bidi, zero-width, separators
    "\ufff0-\ufffb"  # drawn as nothing, and interlinear annotation
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # layout of rare scripts
    "\ud800-\udfff"  # lone surrogates: bytes of a file name that are not UTF-8
    "\U000e0000-\U000e0fff"  # tags and variation selectors: whole hidden messages
)
HIDING = _HIDDEN + "\ufe00-\ufe0f"
"""The inside of a character class: what may hide something, variation selectors among it."""

_UNPRINTABLE = re.compile(f"[{_LAYOUT}{_HIDDEN}]")
_HIDES = re.compile(f"[{HIDING}]")
# A selector after a symbol chooses how it is drawn; after a letter, or in a run, it only hides.
_IDLE_SELECTOR = re.compile("(?:^|(?<=[A-Za-z\\s\ufe00-\ufe0f]))[\ufe00-\ufe0f]")
_JOINERS = "\u200c\u200d"
_COMMAND = re.compile(r"^(\s*)::")


def escape(text: str) -> str:
    r"""``text`` with every character that could act on a terminal or mislead a reader spelled out.

    Bytes of a file name that are not UTF-8 come out as ``\xff``. What a workflow runner would
    take for a command, ``::`` at the beginning or ``##[`` anywhere, is broken up. Escaping twice
    changes nothing more.
    """
    spelled = _UNPRINTABLE.sub(lambda match: _spell(match[0]), text)
    return _COMMAND.sub(r"\1\\x3a:", spelled).replace("##[", "#\\x23[")


def clip(text: str, limit: int = 200) -> str:
    """``text``, escaped, and cut to ``limit`` characters: one name must not fill a report."""
    return escape(text if len(text) <= limit else f"{text[:limit]}...")


def _spell(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a surrogate escape stands for one byte (PEP 383)
        return f"\\x{ord(character) & 0xFF:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def quote(text: str, limit: int = 60) -> str:
    """``text`` in quotes for a message, cut to ``limit`` characters."""
    return f'"{text}"' if len(text) <= limit else f'"{text[:limit]}..."'


def quote_path(path: str) -> str:
    """``path`` in quotes for a message, whole: whoever reads it has to find the file."""
    return quote(path, limit=len(path))


def plural(count: int, noun: str) -> str:
    """``count`` and the noun, in the singular for one."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def unsafe_characters(text: str) -> list[str]:
    """The characters of ``text`` that a document has no honest use for, each once.

    Tabs and line breaks are layout. A zero-width joiner between two characters outside ASCII is
    how emoji and several scripts are written, so only one that touches ASCII or an edge counts.
    """
    found: dict[str, None] = {}
    for match in _UNPRINTABLE.finditer(text):
        character = match[0]
        if character in _LAYOUT:
            continue
        if character in _JOINERS and _joins(text, match.start()):
            continue
        found[character] = None
    found.update(dict.fromkeys(_IDLE_SELECTOR.findall(text)))
    return list(found)


def may_hide(text: str) -> bool:
    """Whether any part of ``text``, taken alone, could have unsafe characters."""
    return _HIDES.search(text) is not None


def _joins(text: str, at: int) -> bool:
    neighbours = text[at - 1 : at], text[at + 1 : at + 2]
    return all(c and not c.isascii() and c not in _JOINERS for c in neighbours)
