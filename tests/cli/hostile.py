"""Text that could act on a terminal, a workflow's log or a reader, and how to see that it cannot."""

import re
import unicodedata

HOSTILE = {
    "colours": "\x1b[31mred\x1b[0m",
    "a title": "\x1b]0;owned\x07",
    "a link": "\x1b]8;;https://example.org\x1b\\click\x1b]8;;\x1b\\",
    "an 8-bit escape": "\x9b31mred",
    "a bidirectional override": "\u202egnissim",
    "a bidirectional isolate": "\u2066inside\u2069",
    "a line feed": "first\nok: all is well",
    "a carriage return": "first\rok: all is well",
    "a line separator": "first\u2028ok: all is well\u2029\x85",
    "a backspace": "bad\x08\x08\x08good",
    "a zero-width space": "zero\u200bwidth",
    "a hidden message": "tags\U000e0068\U000e0069",
    "a workflow command": "::error file=x::owned",
    "a workflow command after spaces": "  ::stop-commands::token",
    "a workflow command on a line of its own": "first\n::error file=x::owned",
    "an old workflow command": "##[error]owned",
    "an old workflow command further on": "first ##[add-mask]owned",
}


def named(text: str) -> str:
    """``text`` as the name of one file or folder."""
    return text.replace("/", "-")


def assert_harmless(text: str) -> None:
    assert {c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp"}} <= {"\n"}
    assert not re.findall(r"[\U000e0000-\U000e0fff]", text)
    # The runner trims a line before it looks for "::", and looks for "##[" anywhere in it.
    assert [line for line in text.split("\n") if line.lstrip().startswith("::")] == []
    assert [line for line in text.split("\n") if "##[" in line] == []
