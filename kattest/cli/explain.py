"""``kattest explain``: what a rule checks, why, and how to mend what it finds."""

from typing import Annotated

import typer

from kattest.cli.codes import complete_code
from kattest.cli.output import emit
from kattest.errors import UsageError
from kattest.report.explain import explain as explain_rules
from kattest.report.explain import overview
from kattest.rules import RULES, matching

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("explain")
def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="[CODE]",
            help="A rule's code or name (KA101, chain-link), or the beginning of codes (KA1).",
            autocompletion=complete_code,
        ),
    ] = None,
) -> None:
    """Explain a rule, or list them all.

    What it checks, why, and how to mend what it finds.
    """
    if code is None:
        emit(overview(RULES.values()))
        return
    rules = matching(code) or tuple(rule for rule in RULES.values() if rule.name == code)
    if not rules:
        raise UsageError(
            f"there is no rule {code}", "kattest explain, without a code, lists all rules"
        )
    emit(explain_rules(rules))
