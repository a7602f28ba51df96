"""``.kattest.yaml``, read node by node so that every error has a line and a column.

Every key is optional. Unknown and repeated keys are errors: a misspelt one would otherwise
loosen a check in silence. The published JSON Schema is ``config.schema.json`` beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from difflib import get_close_matches
from typing import NoReturn

import yaml
from yaml.constructor import ConstructorError, SafeConstructor

from kattest.config import DOCUMENT_BYTES, INDEX_BYTES, Config, HistoryBase
from kattest.errors import ConfigError
from kattest.finding import Severity
from kattest.roster import META_JUDGE, PROTOCOL_PANELS, WEIGHT_TOLERANCE, Panel, Seat
from kattest.text import quote

LONGEST_GRACE_DAYS = 3650

_KEYS = ("severity", "panels", "lifecycle", "history", "exclude", "limits")
_HISTORY: tuple[HistoryBase, tuple[str, ...]] = (HistoryBase.UPSTREAM, ())
_JUDGE_ID = re.compile(r"[a-z0-9-]{1,64}")
_STRING = "tag:yaml.org,2002:str"
_LONGEST_SCALAR = 40  # characters of a number, date or the like
_CODE = re.compile(r"KA[0-9]{3}")
_LEVELS: Mapping[str, Severity | None] = {**{s.value: s for s in Severity}, "off": None}


def parse_config(data: bytes, where: str) -> Config:
    """Read a configuration file's bytes. ``where`` names the file in errors.

    Raises ConfigError at the first thing that cannot be followed.
    """
    return _Reader(where).config(data)


class _Reader:
    """Turns YAML nodes into a Config; nodes, because they know their line and column."""

    def __init__(self, where: str) -> None:
        self._where = where

    def config(self, data: bytes) -> Config:
        root = self._root(data)
        if root is None:
            return Config()
        keys = self._members(root, "the configuration", _KEYS)
        lifecycle = keys.get("lifecycle")
        limits = keys.get("limits")
        base, protected = self._history(keys["history"]) if "history" in keys else _HISTORY
        return Config(
            severity=self._severity(keys["severity"]) if "severity" in keys else {},
            panels=PROTOCOL_PANELS + (self._panels(keys["panels"]) if "panels" in keys else ()),
            exclude=self._exclude(keys["exclude"]) if "exclude" in keys else (),
            document_bytes=DOCUMENT_BYTES if limits is None else self._limits(limits),
            grace_days=0 if lifecycle is None else self._lifecycle(lifecycle),
            history_base=base,
            protected=protected,
        )

    def _root(self, data: bytes) -> yaml.Node | None:
        try:
            text = data.decode("utf-8")
            root: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
            self._refuse_references(text)
        except UnicodeDecodeError as error:
            raise ConfigError(
                f"{self._where} is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}",
                "save the file as UTF-8",
            ) from None
        except (yaml.YAMLError, RecursionError) as error:
            reason = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
            raise ConfigError(
                f"{self._where} is not YAML: {' '.join(reason.split())}",
                "mend the file at the place named",
            ) from None
        is_null = isinstance(root, yaml.ScalarNode) and self._scalar(root) is None
        return None if is_null else root

    def _refuse_references(self, text: str) -> None:
        """Refuse what makes a short file long (aliases) or a value something else (tags)."""
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, (yaml.AnchorToken, yaml.AliasToken, yaml.TagToken)):
                self._fail(token, "this is an anchor, an alias or a tag", "write a plain value")

    def _severity(self, node: yaml.Node) -> dict[str, Severity | None]:
        severity: dict[str, Severity | None] = {}
        for code, value in self._members(node, "severity").items():
            if not _CODE.fullmatch(code):
                self._fail(value, f"severity: {quote(code)} is no rule's code", "write one: KA111")
            level = "off" if self._scalar(value) is False else self._scalar(value)  # YAML 1.1
            if level not in _LEVELS:
                levels = ", ".join(_LEVELS)
                self._fail(value, f"severity: {code} cannot be {level!r}", f"write one of {levels}")
            severity[code] = _LEVELS[str(level)]
        return severity

    def _panels(self, node: yaml.Node) -> tuple[Panel, ...]:
        panels = []
        taken = {panel.name for panel in PROTOCOL_PANELS}
        for name, seats in self._members(node, "panels").items():
            if name in taken:
                self._fail(
                    seats, f"the panel {quote(name)} is the protocol's own", "choose another"
                )
            panels.append(Panel(name, self._seats(name, seats)))
        return tuple(panels)

    def _seats(self, name: str, node: yaml.Node) -> tuple[Seat, ...]:
        seats = tuple(self._seat(item) for item in self._items(node, f"the panel {quote(name)}"))
        judges = [seat.judge_id for seat in seats]
        if not seats or len({*judges}) != len(judges):
            self._fail(node, f"the panel {quote(name)} has no seats, or two of a judge", "mend it")
        weights = [seat.weight for seat in seats if seat.weight is not None]
        if weights and len(weights) != len(seats):
            self._fail(node, f"the panel {quote(name)} weighs but some seats", "weigh all, or none")
        if weights and abs(sum(weights, Decimal(0)) - 1) > WEIGHT_TOLERANCE:
            self._fail(node, f"the weights of {quote(name)} do not sum to 1", "let them")
        return seats

    def _seat(self, node: yaml.Node) -> Seat:
        keys = self._members(node, "a seat", ("judge", "weight", "titles"))
        judge = self._scalar(keys["judge"]) if "judge" in keys else None
        if not isinstance(judge, str) or not _JUDGE_ID.fullmatch(judge) or judge == META_JUDGE:
            self._fail(
                keys.get("judge", node),
                "a seat has no usable judge",
                f"write an id of lower-case letters, digits and hyphens, not {META_JUDGE}",
            )
        weight = self._weight(keys["weight"]) if "weight" in keys else None
        titles = self._strings(keys["titles"], "titles") if "titles" in keys else ()
        return Seat(judge, weight, titles)

    def _weight(self, node: yaml.Node) -> Decimal:
        value = self._scalar(node)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            self._fail(node, f"a seat cannot weigh {value!r}", "write a number above 0 and up to 1")
        return Decimal(repr(value))

    def _exclude(self, node: yaml.Node) -> tuple[str, ...]:
        patterns = self._strings(node, "exclude")
        try:
            Config(exclude=patterns).included(())
        except (ValueError, re.error) as error:
            self._fail(node, f"exclude: {error!s}", "write gitignore's patterns")
        return patterns

    def _limits(self, node: yaml.Node) -> int:
        keys = self._members(node, "limits", ("document_bytes",))
        if "document_bytes" not in keys:
            return DOCUMENT_BYTES
        return self._whole(
            keys["document_bytes"], "limits: document_bytes", range(1, INDEX_BYTES + 1)
        )

    def _lifecycle(self, node: yaml.Node) -> int:
        keys = self._members(node, "lifecycle", ("grace_days",))
        if "grace_days" not in keys:
            return 0
        return self._whole(
            keys["grace_days"], "lifecycle: grace_days", range(LONGEST_GRACE_DAYS + 1)
        )

    def _history(self, node: yaml.Node) -> tuple[HistoryBase, tuple[str, ...]]:
        keys = self._members(node, "history", ("base", "protect"))
        base, protected = _HISTORY
        if "base" in keys:
            value = self._scalar(keys["base"])
            if value not in [*HistoryBase]:
                remedy = f"write {' or '.join(HistoryBase)}"
                self._fail(keys["base"], f"history: base cannot be {value!r}", remedy)
            base = HistoryBase(str(value))
        if "protect" in keys:
            protected = self._strings(keys["protect"], "history: protect")
        for pattern in protected:
            if not pattern.startswith("refs/"):
                what = f"history: protect: {quote(pattern)} is no pattern of references"
                self._fail(keys["protect"], what, "write whole names: refs/heads/main")
        return base, protected

    def _whole(self, node: yaml.Node, what: str, allowed: range) -> int:
        value = self._scalar(node)
        if type(value) is not int or value not in allowed:
            remedy = f"write a whole number from {allowed[0]} to {allowed[-1]}"
            self._fail(node, f"{what} cannot be {value!r}", remedy)
        return value

    def _members(
        self, node: yaml.Node, what: str, known: tuple[str, ...] = ()
    ) -> dict[str, yaml.Node]:
        """The members of a mapping; of these names only, where any are given."""
        if not isinstance(node, yaml.MappingNode):
            self._fail(node, f"{what} is not a mapping", "write keys and values")
        members: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self._scalar(key_node)
            if not isinstance(key, str):
                self._fail(key_node, f"a key of {what} is not a string", "write it in quotes")
            if key in members:
                self._fail(key_node, f"{what}: {quote(key)} stands twice", "keep one of the two")
            if known and key not in known:
                self._fail(key_node, f"{what}: unknown key {quote(key)}", _suggest(key, known))
            members[key] = value
        return members

    def _items(self, node: yaml.Node, what: str) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            self._fail(node, f"{what} is not a list", "write one")
        items: list[yaml.Node] = node.value
        return items

    def _strings(self, node: yaml.Node, what: str) -> tuple[str, ...]:
        values = [(item, self._scalar(item)) for item in self._items(node, what)]
        for item, value in values:
            if not isinstance(value, str) or not value:
                self._fail(item, f"an entry of {what} is not a string", "write it in quotes")
        return tuple(str(value) for _, value in values)

    def _scalar(self, node: yaml.Node) -> object:
        """The value of a scalar node; None for any other."""
        if not isinstance(node, yaml.ScalarNode):
            return None
        if node.tag != _STRING and len(node.value) > _LONGEST_SCALAR:
            self._fail(node, "a value is too long to be read as a number or date", "quote it")
        construct: Callable[[yaml.Node], object] = SafeConstructor().construct_object
        try:
            return construct(node)
        except (ConstructorError, ValueError, OverflowError) as error:
            self._fail(node, " ".join(str(error).split()), "write a plain value")

    def _fail(self, node: yaml.Node | yaml.Token, what: str, remedy: str) -> NoReturn:
        mark = node.start_mark
        place = f"{self._where}:{mark.line + 1}:{mark.column + 1}"
        raise ConfigError(f"{place}: {what}", remedy)


def _suggest(key: str, known: tuple[str, ...]) -> str:
    close = get_close_matches(key, known, n=1)
    names = ", ".join(known)
    return f'did you mean "{close[0]}"? (known: {names})' if close else f"known keys: {names}"
