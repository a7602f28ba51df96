"""Rule codes on the command line: ``KA101,KA2``, with prefixes."""

from __future__ import annotations

from collections.abc import Iterable

from kattest.errors import UsageError
from kattest.finding import Rule
from kattest.rules import matching


def rules_named(option: str, values: Iterable[str]) -> frozenset[Rule]:
    """The rules that an option's values name, separated by commas, by code or its beginning.

    Raises UsageError where one names no rule.
    """
    named: set[Rule] = set()
    for code in (code.strip() for value in values for code in value.split(",")):
        rules = matching(code) if code else ()
        if not rules:
            raise UsageError(
                f"{option}: there is no rule whose code begins with {code or 'nothing'}",
                "kattest explain lists the rules",
            )
        named.update(rules)
    return frozenset(named)


def complete_code(incomplete: str) -> list[tuple[str, str]]:
    """The codes that go on as typed so far, with their names, for shell completion.

    In a list, its last code is completed. What was typed is kept to the letter: shells drop
    what does not begin with it.
    """
    last = incomplete.rpartition(",")[2]
    return [(incomplete + rule.code[len(last) :], rule.name) for rule in matching(last)]
