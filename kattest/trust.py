"""Which configuration counts: the base's, never that of the change being judged (design, 3.7)."""

from __future__ import annotations

from typing import NamedTuple

from kattest.config import FILE_NAME, LARGEST_FILE, Config
from kattest.errors import ConfigError
from kattest.rules import RULES
from kattest.tree import Kind, Tree


class TrustedConfig(NamedTuple):
    """A configuration, where it came from (None: the defaults), and what to know about it."""

    config: Config
    origin: str | None = None
    notes: tuple[str, ...] = ()


def trusted_config(tree: Tree, base: Tree | None, base_name: str) -> TrustedConfig:
    """The configuration by which ``tree`` is judged: that of ``base``, its own where it has none.

    The change's own configuration must be sound all the same, or it would lock everybody out
    once it is the base. Where the base's cannot be followed and the change mends it, the defaults
    judge the change. Raises ConfigError where neither can be followed.
    """
    own = _read(tree)
    if base is None:
        return _followed(own, FILE_NAME)
    _followed(own, FILE_NAME)
    try:
        return _followed(_read(base), f"{base_name}:{FILE_NAME}")
    except ConfigError as error:
        note = f"{error.message}: the defaults judge the change that mends it"
        return TrustedConfig(Config(), None, (note,))


def _read(tree: Tree) -> bytes | None:
    kind = tree.kind(FILE_NAME)
    if kind is None:
        return None
    if kind is not Kind.FILE:
        raise ConfigError(f"{FILE_NAME} is a {kind.value}", "make it a regular file")
    if tree.size(FILE_NAME) > LARGEST_FILE:
        raise ConfigError(
            f"{FILE_NAME} is larger than {LARGEST_FILE} bytes",
            "keep the configuration to what kattest needs",
        )
    return tree.read(FILE_NAME)


def _followed(data: bytes | None, name: str) -> TrustedConfig:
    if data is None:
        return TrustedConfig(Config())
    # Start-up: most repositories have no configuration, and need no YAML parser.
    from kattest.configfile import parse_config  # noqa: PLC0415

    config = parse_config(data, name)
    refuse_unknown_rules(config)
    return TrustedConfig(config, name)


def refuse_unknown_rules(config: Config) -> None:
    """Raise ConfigError where ``config`` names a rule that this version does not have."""
    for code in config.severity:
        if code not in RULES:
            raise ConfigError(
                f"the configuration sets the severity of {code}, and there is no such rule",
                "`kattest explain` lists the rules of this version",
            )
