"""What ``kattest explain`` prints: the rules' own texts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from kattest.finding import Rule

_WIDTH = 88


def explain(rules: Iterable[Rule]) -> str:
    """The full texts of ``rules``."""
    return "\n".join("".join(f"{line}\n" for line in _paragraphs(rule)) for rule in rules)


def overview(rules: Iterable[Rule]) -> str:
    """One line for each of ``rules``: code, severity and name."""
    return "".join(f"{rule.code}  {rule.severity:7}  {rule.name}\n" for rule in rules)


def _paragraphs(rule: Rule) -> Iterator[str]:
    yield f"{rule.code} {rule.name} ({rule.severity})"
    for title, text in (("What", rule.what), ("Why", rule.why), ("Fix", rule.fix)):
        yield ""
        yield from textwrap.wrap(
            text, _WIDTH, initial_indent=f"  {title:4}  ", subsequent_indent=" " * 8
        )
