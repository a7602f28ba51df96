"""KA201, KA211 and KA212: what lies where in a memory root, and its configuration."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kattest.finding import Severity
from kattest.jsondoc import pointer_to
from kattest.memory.configuration import LONGEST_DAYS, tiers_of
from kattest.memory.layout import CONFIG, can_be_domain
from kattest.memory.model import TIER_FIELDS, ConfigFile
from kattest.rules.base import Fault, check
from kattest.rules.subjects import MemorySubject
from kattest.text import quote


@check(
    "KA201",
    "record-path",
    what="Every record lies at `{domain}/{slug}/{phase}_{stamp}.json`, or archived at "
    "`{domain}/_archive/{slug}/{phase}_{stamp}.json`, with a stamp like 2026-03-01T12-30-00.",
    why="A record that lies elsewhere is read by no query and counted by no check: it is as good "
    "as lost, or hidden.",
    fix="Move the file to the path that its domain, slug, phase and time make. What is no record "
    "belongs outside of the memory.",
)
def record_path(subject: MemorySubject) -> Iterator[Fault]:
    for file in subject.layout.misplaced:
        yield Fault(
            "a record lies at domain/slug/phase_2026-03-01T12-30-00.json below its memory, and "
            "this does not: it is read as none",
            subject.spot(file),
        )


@check(
    "KA211",
    "memory-config",
    what="`config.json` makes sense: tiers are all there or none, with 0 < hot < warm < cold; "
    "version 1.0 has none; days are at most 36,500; levels lie from 0 to 1; domains can be "
    "folders and stand once; a query may give at least one result.",
    why="The configuration decides when records are archived and deleted. One that contradicts "
    "itself is read differently by each program, and records are lost.",
    fix="Mend the field that the finding names. The protocol's section on configuration shows the "
    "defaults.",
)
def memory_config(subject: MemorySubject) -> Iterator[Fault]:
    config = subject.config_file
    if config is None:
        return
    faults = (*_tier_faults(config), *_number_faults(config), *_name_faults(config))
    for pointer, message in faults:
        yield Fault(message, subject.spot(CONFIG, pointer))


@check(
    "KA212",
    "stray-file",
    Severity.WARNING,
    what="A memory root holds nothing but its records, its index and configuration, the named "
    "files of `_patterns/` and `_stats/`, and git's own small files.",
    why="Nothing reads or protects other files there, and a temporary one left behind is often the "
    "trace of an interrupted write.",
    fix="Move the file elsewhere, or remove it. What must stay can be named under `exclude` in "
    ".kattest.yaml.",
)
def stray_file(subject: MemorySubject) -> Iterator[Fault]:
    for file in subject.layout.stray:
        yield Fault("the protocol has no place for this file in a memory", subject.spot(file))


def _tier_faults(config: ConfigFile) -> Iterator[tuple[str, str]]:
    tiers = config.tiers
    if not tiers:
        return
    missing = [name for name in TIER_FIELDS if name not in tiers]
    if missing:
        yield "", f"there are tiers, and these are missing: {', '.join(missing)}"
    elif None not in tiers.values() and tiers_of(config) is None:
        days = ", ".join(f"{name} {tiers[name]}" for name in TIER_FIELDS)
        message = f"{days}: each must be above the one before, from 1 to {LONGEST_DAYS}"
        yield pointer_to("", TIER_FIELDS[0]), message
    if config.version == "1.0":
        yield "/version", 'the version is "1.0", which has no tiers, and there are some'


def _number_faults(config: ConfigFile) -> Iterator[tuple[str, str]]:
    days, results = config.retention_days, config.max_results
    if days is not None and not 0 <= days <= LONGEST_DAYS:
        yield "/retention_days", f"records are kept {days} days, and it must be 0 to {LONGEST_DAYS}"
    if results is not None and results < 1:
        yield "/max_results_per_query", f"a query may give {results} results, and must give one"
    levels = config.reward_levels
    if levels is not None and not levels:
        yield "/reward_levels", "there are no reward levels"
    for name, number in (levels or {}).items():
        if not Decimal(0) <= number.value <= Decimal(1):
            pointer = pointer_to("/reward_levels", name)
            yield pointer, f"the level {quote(name)} is {number.lexeme}, not from 0 to 1"


def _name_faults(config: ConfigFile) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for number, domain in enumerate(config.known_domains or ()):
        pointer = pointer_to("/known_domains", number)
        if not can_be_domain(domain):
            yield pointer, f"{quote(domain)} cannot be the folder of a domain"
        elif domain in seen:
            yield pointer, f"the domain {quote(domain)} stands here twice"
        seen.add(domain)


CHECKS = (record_path, memory_config, stray_file)
