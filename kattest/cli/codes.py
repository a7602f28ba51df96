"""Rule codes on the command line: ``KA101,KA2``, with prefixes."""

from __future__ import annotations

from collections.abc import Iterable

from kattest.errors import UsageError
from kattest.finding import Rule
from kattest.rules import RULES, matching
from kattest.text import escape


def rules_named(option: str, values: Iterable[str]) -> frozenset[Rule]:
    """The rules that an option's values name, separated by commas, by code or its beginning.

    Raises UsageError where one names no rule.
    """
    named: set[Rule] = set()
    for code in (code.strip() for value in values for code in value.split(",")):
        rules = matching(code) if code else ()
        if not rules:
            raise UsageError(
                f"{option}: there is no rule whose code begins with {escape(code) or 'nothing'}",
                "kattest explain lists the rules",
            )
        named.update(rules)
    return frozenset(named)


def complete_code(incomplete: str) -> list[tuple[str, str]]:
    """The codes that begin as typed so far, with their names, for shell completion."""
    return [(rule.code, rule.name) for rule in RULES.values() if rule in matching(incomplete)]
