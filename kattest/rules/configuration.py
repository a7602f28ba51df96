"""KA509: whether a change edits the configuration that it would be judged by (design, 3.7)."""

from __future__ import annotations

from collections.abc import Iterator

from kattest.config import FILE_NAME
from kattest.finding import Severity
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import ConfigSubject


@check(
    "KA509",
    "config-changed",
    Severity.INFO,
    what="A change that edits .kattest.yaml is judged by the published one.",
    why="Else whoever forges a score could switch off its rule in the same change. This only says "
    "that the new configuration does not count yet.",
    fix="Nothing has to be done: the new configuration counts once it is published. A change that "
    "needs it comes after that.",
)
def config_changed(subject: ConfigSubject) -> Iterator[Fault]:
    if subject.is_changed:
        by = subject.judged_by or "the defaults"
        yield Fault(
            f"{FILE_NAME} is changed here and does not count yet: this is judged by {by}",
            Spot(path=FILE_NAME),
        )


CHECKS = (config_changed,)
