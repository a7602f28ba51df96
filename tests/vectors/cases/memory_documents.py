# ruff: noqa: RUF001 - Russian text is meant to be Cyrillic
"""KA001 to KA007 in a memory: its records, index, configuration and side files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from tests.support.memory import (
    CONFIG_1_0,
    ROOT,
    Document,
    dumps,
    file_of,
    make_index,
    make_record,
)
from tests.support.rounds import sha256
from tests.vectors.case import (
    REMOVED,
    Case,
    Cases,
    Expected,
    World,
    edited,
    fails,
    passes,
    replaced,
)
from tests.vectors.memory import (
    COLD,
    FOR_EVER,
    LASTING,
    OTHER,
    RECORD,
    SKILL_ROOT,
    altered,
    at,
    configured,
    entry_of,
    in_config,
    in_index,
    indexed,
    memory,
    on,
    path_of,
    silent,
    simple,
    within,
)

Typed: TypeAlias = tuple[str, Any, str, str]  # pointer, value, name, why

INDEX = within("index.json")
CONFIGURATION = within("config.json")
SIDE_FILES = (
    "_patterns/domain-patterns.json",
    "_stats/imported-baselines.json",
    "_stats/reward-summary.json",
)
# Every kind of document, by the name that cases give it, with a world that holds all of them.
DOCUMENTS = {
    "record": file_of(RECORD),
    "cold-record": file_of(COLD),
    "config": "config.json",
    "index": "index.json",
    "patterns": SIDE_FILES[0],
    "baselines": SIDE_FILES[1],
    "statistics": SIDE_FILES[2],
}
WHOLE = memory(RECORD, COLD).adding({within(file): b'{"any": "thing"}\n' for file in SIDE_FILES})
TEXT = dumps(RECORD)
ENTRY = entry_of(RECORD)


def _document(path: str) -> bytes:
    return WHOLE.tree[within(path)]


def _without(path: str) -> World:
    """All documents but one, and nothing in its place."""
    return World({file: data for file, data in WHOLE.tree.items() if file != path})


def _instead(path: str, kind: str) -> World:
    return _without(path)._replace(kinds={path: kind})


def _record_text(old: str, new: str | bytes) -> World:
    return memory(RECORD).adding({path_of(RECORD): replaced(TEXT, old, new)})


NOT_JSON = (
    passes("memory", "every document of a memory, written by a JSON library", WHOLE),
    passes(
        "memory-crlf",
        "line ends are white space to JSON",
        World({path: data.replace(b"\n", b"\r\n") for path, data in WHOLE.tree.items()}),
    ),
    passes(
        "memory-escaped",
        "escapes and the characters they stand for are one text",
        memory(make_record("заявки")).adding(
            {path_of(make_record("заявки")): json.dumps(make_record("заявки")).encode()}
        ),
    ),
    passes(
        "memory-excluded",
        "the configuration leaves the record out, and no other document",
        silent(WHOLE.adding({path_of(RECORD): b"{"}), path_of(RECORD)),
    ),
    passes(
        "memory-stray",
        "what is no document of the protocol is not read",
        memory(RECORD).adding({within("notes.txt"): b"{"}),
        *at("notes.txt", "KA212"),
    ),
    *(
        fails(
            f"{name}-{text}",
            why,
            WHOLE.adding({within(file): data(_document(file))}),
            *at(file, "KA001"),
        )
        for name, file in DOCUMENTS.items()
        for text, why, data in (
            ("cut-off", "an interrupted write", lambda whole: whole[:-3]),
            ("no-bytes", "no bytes are no document", lambda _: b""),
        )
    ),
    *(
        fails(f"record-{name}", why, world, *on(RECORD, "KA001"))
        for name, why, world in (
            (
                "byte-order-mark",
                "RFC 8259 forbids one",
                memory(RECORD).adding({path_of(RECORD): b"\xef\xbb\xbf" + TEXT}),
            ),
            (
                "nan",
                "a reward that is not a number is none",
                _record_text('"reward": 0.7', '"reward": NaN'),
            ),
            (
                "trailing-data",
                "a second record behind the first one",
                memory(RECORD).adding({path_of(RECORD): TEXT + TEXT}),
            ),
            (
                "invalid-utf8",
                "Russian in the encoding of old Windows",
                _record_text("Research", "Разбор".encode("cp1251")),
            ),
            (
                "lone-surrogate",
                "half a pair is no character",
                _record_text("User requested", r"\ud83d requested"),
            ),
        )
    ),
    fails(
        "record-misplaced",
        "what lies where records do is read as a document, though not as a record",
        memory(RECORD).adding({within("banking/notes.json"): b"{"}),
        *at("banking/notes.json", "KA001"),
        *at("banking/notes.json", "KA201"),
    ),
    fails(
        "record-beside-another",
        "one record that cannot be read takes nothing from another",
        memory(RECORD, edited(OTHER, {"/reward": 7.0})).adding({path_of(RECORD): b"{"}),
        *on(RECORD, "KA001"),
        *on(OTHER, "KA204", "/reward"),
    ),
    fails(
        "config-unreadable-elsewhere",
        "each root has a configuration of its own",
        memory(RECORD).adding(
            {**memory(OTHER, root=SKILL_ROOT).tree, within("config.json", SKILL_ROOT): b"{"}
        ),
        Expected("KA001", "", within("config.json", SKILL_ROOT)),
    ),
)


def _doubled(name: str, why: str, path: str, old: str, new: str, pointer: str) -> Case:
    world = WHOLE.adding({within(path): replaced(_document(path), old, new)})
    return fails(name, why, world, *at(path, "KA002", pointer))


DUPLICATE_KEY = (
    passes("memory", "every key stands once in its object, and again in others", WHOLE),
    _doubled(
        "record",
        "a reader that takes the first value sees another reward",
        file_of(RECORD),
        '"reward": 0.7',
        '"reward": 1.0, "reward": 0.7',
        "/reward",
    ),
    _doubled(
        "record-context",
        "within an object of a record",
        file_of(RECORD),
        '"agent_count": 3',
        '"agent_count": 4, "agent_count": 3',
        "/context/agent_count",
    ),
    _doubled(
        "record-outcome",
        "within an object of a record",
        file_of(RECORD),
        '"iterations": 2',
        '"iterations": 1, "iterations": 2',
        "/outcome/iterations",
    ),
    _doubled(
        "cold-record",
        "a reader that takes the first value sees another reward",
        file_of(COLD),
        '"reward": 0.7',
        '"reward": 1.0, "reward": 0.7',
        "/reward",
    ),
    _doubled(
        "config",
        "a reader that takes the first value purges on another day",
        "config.json",
        '"tier_cold_days": 180',
        '"tier_cold_days": 999, "tier_cold_days": 180',
        "/tier_cold_days",
    ),
    _doubled(
        "config-level",
        "a level has one value",
        "config.json",
        '"good": 0.7',
        '"good": 0.9, "good": 0.7',
        "/reward_levels/good",
    ),
    _doubled(
        "index",
        "a reader that takes the first value counts otherwise",
        "index.json",
        '"record_count": 2',
        '"record_count": 9, "record_count": 2',
        "/record_count",
    ),
    _doubled(
        "index-record",
        "one id, two entries",
        "index.json",
        '"records": {',
        f'"records": {{"{RECORD["id"]}": {{}},',
        ENTRY,
    ),
    _doubled(
        "index-domain",
        "one domain, two aggregates",
        "index.json",
        '"by_domain": {',
        '"by_domain": {"banking": {},',
        "/by_domain/banking",
    ),
    *(
        _doubled(
            name, "what has no schema has keys", DOCUMENTS[name], '"any"', '"any": 1, "any"', "/any"
        )
        for name in ("patterns", "baselines", "statistics")
    ),
)


def _missing(kind: str, fields: tuple[str, ...], inside: str = "") -> Iterator[Case]:
    """A case for each of the fields of a kind of document that must be there."""
    for field in fields:
        pointer = f"{inside}/{field}"
        world, place = _lacking(kind, pointer)
        name = f"{kind}-missing-{pointer[1:].replace('/', '-').replace('_', '-')}"
        yield fails(name, "the protocol has this field in every such document", world, *place)


def _lacking(kind: str, pointer: str) -> tuple[World, tuple[Expected, ...]]:
    changes = {pointer: REMOVED}
    if kind == "config":
        return configured(changes, RECORD), in_config("KA003", pointer)
    record = RECORD if kind == "record" else COLD
    return altered(record, changes), on(record, "KA003", pointer)


def _missing_in_index() -> Iterator[Case]:
    fields = {
        "": (
            "version",
            "last_updated",
            "record_count",
            "by_domain",
            "by_phase",
            "by_skill",
            "records",
        ),
        ENTRY: ("domain", "phase", "slug", "reward", "skill", "tier", "file", "expires_at"),
        "/by_domain/banking": ("count", "slugs", "avg_reward"),
        "/by_phase/phase-2": ("count", "avg_reward"),
        "/by_skill/goap-research-ed25519": ("count", "avg_reward"),
    }
    names = ("", "entry-", "domain-", "phase-", "skill-")
    for name, (inside, missing) in zip(names, fields.items(), strict=True):
        for field in missing:
            pointer = f"{inside}/{field}"
            yield fails(
                f"index-missing-{name}{field.replace('_', '-')}",
                "the protocol has this field in every index",
                indexed({pointer: REMOVED}),
                *in_index("KA003", pointer),
            )


def _typed(
    kind: str, pointer: str, value: Any, name: str, why: str, place: str | None = None
) -> Case:
    """A document in which one value is not what the protocol wants; ``place`` is what is amiss."""
    change = {pointer: value}
    amiss = place or pointer
    if kind == "index":
        return fails(f"index-{name}", why, indexed(change), *in_index("KA003", amiss))
    if kind == "config":
        return fails(f"config-{name}", why, configured(change, RECORD), *in_config("KA003", amiss))
    record = RECORD if kind == "record" else COLD
    return fails(f"{kind}-{name}", why, altered(record, change), *on(record, "KA003", amiss))


NO_ZONE = "2026-03-01T12:30:00"
RECORD_TYPES: tuple[Typed, ...] = (
    ("/id", 1, "id-is-a-number", "an id is a string"),
    ("/version", 1.1, "version-is-a-number", "a version is a string"),
    ("/version", "1.2", "version-unknown", "no protocol has this version"),
    ("/timestamp", 1772368200, "time-is-a-number", "ISO 8601 is text"),
    ("/timestamp", NO_ZONE, "time-without-zone", "without a zone it is no moment"),
    ("/timestamp", "2026-03-01", "time-is-a-date", "a day is no moment"),
    ("/timestamp", "2026-02-30T12:30:00Z", "time-of-no-day", "the calendar has no such day"),
    ("/case_slug", None, "slug-is-null", "null is no string"),
    ("/domain", ["banking"], "domain-is-a-list", "a record has one domain"),
    ("/phase", 2, "phase-is-a-number", "a phase is a string"),
    ("/phase_name", None, "phase-name-is-null", "null is no string"),
    ("/skill_used", {}, "skill-is-an-object", "a skill is named by a string"),
    ("/reward", "0.7", "reward-is-a-string", "a reward is a JSON number"),
    ("/reward", True, "reward-is-true", "true is not 1"),
    ("/reward", None, "reward-is-null", "no reward is no record"),
    ("/reward_label", 0.7, "label-is-a-number", "a label is a string"),
    ("/reward_reason", None, "reason-is-null", "null is no string"),
    ("/context", [], "context-is-a-list", "a context is an object"),
    ("/context/phase_number", "2", "phase-number-is-a-string", "a phase number is a number"),
    ("/context/domain_detected", None, "domain-detected-is-null", "null is no string"),
    (
        "/context/upstream_promises",
        "CASE_EXPLORED",
        "promises-are-a-string",
        "a list, if only of one",
    ),
    ("/context/patterns_loaded", 3.5, "patterns-with-fraction", "patterns are counted"),
    ("/context/time_budget_pct", "15%", "budget-is-a-string", "a share is a number"),
    ("/context/agent_count", 3.0, "agents-with-decimal", "agents are counted"),
    ("/outcome/artifacts_created", None, "artifacts-are-null", "a list, if only an empty one"),
    (
        "/outcome/checkpoint_response",
        None,
        "response-is-null",
        "without a response nothing is stored",
    ),
    ("/outcome/iterations", "2", "iterations-are-a-string", "iterations are counted"),
    ("/expires_at", None, "expiry-is-null", "with tiers every record expires"),
    ("/expires_at", "2026-08-28T12:30:00", "expiry-without-zone", "without a zone it is no moment"),
    ("/expires_at", "never", "expiry-never", "with tiers every record expires"),
)
PROMISE_TYPES: tuple[Typed, ...] = (
    ("/outcome", [], "outcome-is-a-list", "an outcome is an object"),
    ("/promise_tag", 1, "promise-is-a-number", "a promise is a string, or null"),
    ("/outcome/promise_emitted", False, "emitted-is-false", "a promise is a string, or null"),
)
COLD_TYPES: tuple[Typed, ...] = (
    ("/id", None, "id-is-null", "null is no string"),
    ("/slug", 1, "slug-is-a-number", "a slug is a string"),
    ("/domain", None, "domain-is-null", "null is no string"),
    ("/phase", 2, "phase-is-a-number", "a phase is a string"),
    ("/reward", "0.7", "reward-is-a-string", "a reward is a JSON number"),
    ("/reward_label", None, "label-is-null", "null is no string"),
    ("/skill_used", [], "skill-is-a-list", "a skill is named by a string"),
    ("/promise_tag", ["A"], "promise-is-a-list", "a promise is a string, or null"),
    ("/summary", None, "summary-is-null", "null is no string"),
    ("/archived_at", 0, "archiving-is-a-number", "ISO 8601 is text"),
    (
        "/archived_at",
        "2026-02-20T09:00:00",
        "archiving-without-zone",
        "without a zone it is no moment",
    ),
    (
        "/original_timestamp",
        "2025-11-20T12:00:00",
        "time-without-zone",
        "without a zone it is no moment",
    ),
)
CONFIG_TYPES: tuple[Typed, ...] = (
    ("/version", 1.1, "version-is-a-number", "a version is a string"),
    ("/version", "2.0", "version-unknown", "no protocol has this version"),
    ("/retention_days", "90", "retention-is-a-string", "days are counted"),
    ("/retention_days", 90.0, "retention-with-decimal", "days are counted"),
    ("/max_results_per_query", None, "results-are-null", "results are counted"),
    ("/enabled", "yes", "enabled-is-a-string", "true or false"),
    ("/enabled", 1, "enabled-is-1", "1 is not true"),
    ("/known_domains", "banking", "domains-are-a-string", "a list, if only of one"),
    ("/reward_levels", [1.0, 0.7], "levels-are-a-list", "levels stand by label"),
    ("/reward_levels/good", "0.7", "level-is-a-string", "a level is a JSON number"),
    ("/tier_hot_days", None, "hot-is-null", "null is not leaving out"),
    ("/tier_warm_days", "90", "warm-is-a-string", "days are counted"),
    ("/tier_cold_days", 180.5, "cold-with-fraction", "days are counted"),
)
DOMAIN, PHASE = "/by_domain/banking", "/by_phase/phase-2"
INDEX_TYPES: tuple[Typed, ...] = (
    ("/version", 1.0, "version-is-a-number", "a version is a string"),
    ("/version", "3", "version-unknown", "no protocol has this version"),
    ("/last_updated", NO_ZONE, "updated-without-zone", "without a zone it is no moment"),
    ("/last_updated", None, "updated-is-null", "null is no time"),
    ("/record_count", "1", "count-is-a-string", "records are counted"),
    ("/record_count", 1.0, "count-with-decimal", "records are counted"),
    ("/by_domain", [], "domains-are-a-list", "domains stand by name"),
    ("/by_phase", None, "phases-are-null", "an object, if only an empty one"),
    ("/by_skill", "none", "skills-are-a-string", "skills stand by name"),
    ("/records", [], "records-are-a-list", "entries stand by id"),
    (ENTRY, [], "entry-is-a-list", "an entry is an object"),
    (ENTRY, None, "entry-is-null", "an entry is an object"),
    (f"{ENTRY}/domain", None, "entry-domain-is-null", "null is no string"),
    (f"{ENTRY}/phase", 2, "entry-phase-is-a-number", "a phase is a string"),
    (f"{ENTRY}/slug", 1, "entry-slug-is-a-number", "a slug is a string"),
    (f"{ENTRY}/reward", "0.7", "entry-reward-is-a-string", "a reward is a JSON number"),
    (f"{ENTRY}/skill", None, "entry-skill-is-null", "null is no string"),
    (f"{ENTRY}/tier", 1, "entry-tier-is-a-number", "a tier is named by a string"),
    (f"{ENTRY}/file", None, "entry-file-is-null", "null is no path"),
    (f"{ENTRY}/expires_at", None, "entry-expiry-is-null", "with tiers every record expires"),
    (f"{ENTRY}/expires_at", NO_ZONE, "entry-expiry-without-zone", "without a zone it is no moment"),
    (DOMAIN, 1, "domain-is-a-number", "an aggregate is an object"),
    (f"{DOMAIN}/count", 1.0, "domain-count-with-decimal", "records are counted"),
    (f"{DOMAIN}/avg_reward", "0.7", "domain-average-is-a-string", "a mean is a JSON number"),
    (f"{DOMAIN}/slugs", {}, "domain-slugs-are-an-object", "slugs are a list"),
    (PHASE, None, "phase-is-null", "an aggregate is an object"),
    (f"{PHASE}/count", None, "phase-count-is-null", "records are counted"),
    (f"{PHASE}/avg_reward", False, "phase-average-is-false", "a mean is a JSON number"),
)
SCHEMA = (
    passes("memory", "every field is there, with the protocol's type", WHOLE),
    passes("memory-without-tiers", "tier fields may be missing", simple()),
    passes(
        "memory-no-promise",
        "null is no promise",
        memory(edited(RECORD, {"/promise_tag": None, "/outcome/promise_emitted": None})),
    ),
    passes(
        "memory-phase-number-with-fraction",
        "the protocol has a phase 2.5",
        memory(edited(RECORD, {"/context/phase_number": 2.5})),
    ),
    passes(
        "memory-empty-lists",
        "nothing promised and nothing made",
        memory(
            edited(RECORD, {"/context/upstream_promises": [], "/outcome/artifacts_created": []})
        ),
    ),
    passes(
        "memory-whole-numbers",
        "1 and 1.0 are JSON numbers alike",
        memory(edited(OTHER, {"/reward": 1, "/context/time_budget_pct": 15})),
    ),
    passes(
        "memory-for-ever",
        "where records are kept for ever the date is null, or missing, in the index too",
        simple(
            LASTING, edited(OTHER, {"/version": "1.0", "/expires_at": None}), config=FOR_EVER
        ).adding({path_of(LASTING): dumps(edited(LASTING, {"/expires_at": REMOVED}))}),
    ),
    passes(
        "memory-for-ever-indexed",
        "an entry of a record that is kept for ever has no date either",
        simple(
            LASTING,
            config=FOR_EVER,
            index=edited(make_index([LASTING]), {entry_of(LASTING, "expires_at"): REMOVED}),
        ),
    ),
    passes(
        "memory-side-files",
        "the protocol shows no schema of what lies in _patterns and _stats",
        WHOLE.adding({within(SIDE_FILES[0]): b"[]", within(SIDE_FILES[1]): b"null"}),
    ),
    *_missing(
        "record",
        (
            "id",
            "version",
            "timestamp",
            "case_slug",
            "domain",
            "phase",
            "phase_name",
            "skill_used",
            "reward",
            "reward_label",
            "reward_reason",
            "context",
            "outcome",
            "promise_tag",
            "expires_at",
        ),
    ),
    *_missing(
        "record",
        (
            "phase_number",
            "domain_detected",
            "upstream_promises",
            "patterns_loaded",
            "time_budget_pct",
            "agent_count",
        ),
        "/context",
    ),
    *_missing(
        "record",
        ("artifacts_created", "checkpoint_response", "iterations", "promise_emitted"),
        "/outcome",
    ),
    *_missing(
        "cold-record",
        (
            "id",
            "phase",
            "domain",
            "slug",
            "reward",
            "reward_label",
            "skill_used",
            "promise_tag",
            "summary",
            "archived_at",
            "original_timestamp",
        ),
    ),
    *_missing(
        "config",
        (
            "version",
            "retention_days",
            "max_results_per_query",
            "enabled",
            "known_domains",
            "reward_levels",
        ),
    ),
    *_missing_in_index(),
    *(_typed("record", *case) for case in (*RECORD_TYPES, *PROMISE_TYPES)),
    *(_typed("cold-record", *case) for case in COLD_TYPES),
    *(_typed("config", *case) for case in CONFIG_TYPES),
    *(_typed("index", *case) for case in INDEX_TYPES),
    _typed(
        "record",
        "/context/upstream_promises",
        ["A", 1],
        "promise-in-list-is-a-number",
        "promises are strings",
        "/context/upstream_promises/1",
    ),
    _typed(
        "record",
        "/outcome/artifacts_created",
        [None],
        "artifact-is-null",
        "artifacts are named by strings",
        "/outcome/artifacts_created/0",
    ),
    _typed(
        "config",
        "/known_domains",
        ["banking", 1],
        "domain-is-a-number",
        "a domain is a string",
        "/known_domains/1",
    ),
    _typed(
        "index",
        f"{DOMAIN}/slugs",
        [1],
        "domain-slug-is-a-number",
        "a slug is a string",
        f"{DOMAIN}/slugs/0",
    ),
    *(
        fails(
            f"{name}-is-a-list",
            "the document is an object",
            WHOLE.adding({within(file): b"[]\n"}),
            *at(file, "KA003", ""),
        )
        for name, file in DOCUMENTS.items()
        if file not in SIDE_FILES
    ),
    fails(
        "record-expiry-missing-without-tiers",
        "retention gives every record a date, unless it is 0",
        simple(make_record(version="1.0", days=0)),
        *on(RECORD, "KA003", "/expires_at"),
    ),
    fails(
        "record-two-faults",
        "every fault is named",
        altered(
            RECORD, {"/phase_name": REMOVED, "/reward_reason": 1, "/context/agent_count": None}
        ),
        *on(RECORD, "KA003", "/phase_name", "/reward_reason", "/context/agent_count"),
    ),
    fails(
        "record-empty",
        "every field is missing",
        memory(RECORD).adding({path_of(RECORD): b"{}"}),
        *on(RECORD, "KA003", *(f"/{field}" for field in RECORD)),
    ),
    fails(
        "index-empty",
        "every field is missing",
        memory(RECORD).adding({INDEX: b"{}"}),
        *in_index("KA003", *(f"/{field}" for field in make_index([]))),
    ),
    fails(
        "config-empty",
        "every field is missing but the tiers, without which retention counts, and how long is unknown",
        memory(RECORD).adding({CONFIGURATION: b"{}"}),
        *in_config("KA003", *(f"/{field}" for field in CONFIG_1_0)),
    ),
)

UNKNOWN_FIELD = (
    passes("memory", "nothing beyond the protocol's fields", WHOLE),
    passes(
        "memory-cold-record",
        "in an archived record it is rule KA210's",
        altered(COLD, {"/model": "a"}),
        *on(COLD, "KA210", "/model"),
    ),
    passes(
        "memory-silenced",
        "the configuration turns the rule off",
        altered(RECORD, {"/model": "a"})._replace(config="severity: {KA004: off}\n"),
    ),
    *(
        fails(
            f"record-{name}",
            "nothing protects its value",
            altered(RECORD, {pointer: 1}),
            *on(RECORD, "KA004", pointer),
        )
        for name, pointer in (
            ("top", "/model"),
            ("context", "/context/model"),
            ("outcome", "/outcome/model"),
            ("key-with-slash", "/a~1b~0c"),
        )
    ),
    *(
        fails(f"config-{name}", why, configured({pointer: 1}, RECORD), *in_config("KA004", pointer))
        for name, why, pointer in (
            ("top", "nothing reads it", "/tier_purge_days"),
            ("misspelt-tier", "it is not tier_cold_days", "/tier_cold_day"),
        )
    ),
    *(
        fails(f"index-{name}", why, indexed({pointer: value}), *in_index("KA004", pointer))
        for name, why, pointer, value in (
            ("top", "nothing reads it", "/by_slug", {}),
            ("entry", "nothing protects its value", f"{ENTRY}/label", "good"),
            ("domain", "nothing protects its value", "/by_domain/banking/best", 1),
            ("phase-with-slugs", "slugs stand in domains", "/by_phase/phase-2/slugs", []),
            ("skill", "nothing protects its value", "/by_skill/goap-research-ed25519/best", 1),
        )
    ),
    fails(
        "record-misspelt",
        "a misspelt field is unknown, and the right one is missing",
        _record_text('"phase_name"', '"phaseName"'),
        *on(RECORD, "KA004", "/phaseName"),
        *on(RECORD, "KA003", "/phase_name"),
    ),
    fails(
        "record-with-fields-of-the-archive",
        "an active record is not compressed",
        altered(RECORD, {"/summary": "", "/archived_at": "2026-03-01T13:00:00Z"}),
        *on(RECORD, "KA004", "/archived_at", "/summary"),
    ),
)


def _limited(size: int, world: World = WHOLE) -> World:
    return world._replace(config=f"limits:\n  document_bytes: {size}\n")


LARGE = b" " * len(TEXT) + b"{}\n"
OVERSIZE = (
    passes("memory-at-the-limit", "as large as the limit is not larger", _limited(len(TEXT))),
    passes(
        "memory-large-index",
        "an index grows with its records, so it has a limit of its own",
        _limited(
            len(TEXT),
            memory(RECORD, OTHER, COLD).adding(
                {INDEX: dumps(make_index([RECORD, OTHER, COLD])) + LARGE[:-3]}
            ),
        ),
    ),
    passes(
        "memory-large-stray",
        "the limit is for documents",
        _limited(len(TEXT), memory(RECORD).adding({within("notes.txt"): LARGE})),
        *at("notes.txt", "KA212"),
    ),
    fails("record", "one byte more than the limit", _limited(len(TEXT) - 1), *on(RECORD, "KA005")),
    *(
        fails(
            name,
            "one byte more than the limit, and white space counts",
            _limited(
                len(TEXT),
                WHOLE.adding({within(file): _document(file).ljust(len(TEXT) + 1)}),
            ),
            *at(file, "KA005"),
        )
        for name, file in DOCUMENTS.items()
        if name not in {"record", "index"}
    ),
    fails(
        "record-not-read",
        "a record over the limit is not read, so nothing in it is reported",
        _limited(len(TEXT), memory(RECORD).adding({path_of(RECORD): b"{" + LARGE})),
        *on(RECORD, "KA005"),
    ),
)


def _pointer_to(data: bytes) -> bytes:
    """What Git LFS leaves in the place of ``data``."""
    lines = (
        "version https://git-lfs.github.com/spec/v1",
        f"oid sha256:{sha256(data)}",
        f"size {len(data)}",
    )
    return "".join(f"{line}\n" for line in lines).encode()


NOT_A_FILE = (
    passes("memory", "a folder with regular files", WHOLE),
    passes(
        "memory-no-memory", "a folder of the same name elsewhere", World({"keysarium/memory": b""})
    ),
    passes(
        "memory-link-beside",
        "what lies beside a memory is no part of it",
        memory(RECORD)._replace(kinds={".keysarium/latest": "symlink", "docs/memory": "symlink"}),
    ),
    passes(
        "memory-excluded",
        "the configuration leaves the record out",
        silent(_instead(path_of(RECORD), "symlink"), path_of(RECORD)),
    ),
    *(
        fails(
            f"{name}-{kind.replace(' ', '-')}",
            "what it leads to can change without the repository",
            _instead(within(file), kind),
            *at(file, "KA006"),
        )
        for name, file in DOCUMENTS.items()
        for kind in ("symlink", "submodule", "special file")
    ),
    *(
        fails(
            f"{name}-lfs-pointer",
            "the document is somewhere else",
            WHOLE.adding({within(file): _pointer_to(_document(file))}),
            *at(file, "KA006"),
        )
        for name, file in DOCUMENTS.items()
    ),
    *(
        fails(
            f"{name}-folder",
            "a folder of that name is no document, and nothing in it is one",
            _without(within(file)).adding({within(f"{file}/part-1.json"): b"{}"}),
            *at(file, "KA006"),
        )
        for name, file in DOCUMENTS.items()
        if file in ("config.json", "index.json", *SIDE_FILES)
    ),
    *(
        fails(
            f"memory-{kind.replace(' ', '-')}",
            "a memory must be a folder of this repository",
            World({"README.md": b""}, kinds={ROOT: kind}),
            Expected("KA006", "", ROOT),
        )
        for kind in ("symlink", "submodule", "special file")
    ),
    fails(
        "memory-file",
        "a memory must be a folder",
        World({ROOT: b"{}"}),
        Expected("KA006", "", ROOT),
    ),
    *(
        fails(
            f"memory-home-{kind}",
            "it hides the memory that may be behind it",
            World({"README.md": b""}, kinds={".keysarium": kind}),
            Expected("KA006", "", ".keysarium"),
        )
        for kind in ("symlink", "submodule")
    ),
    fails(
        "memory-of-a-skill",
        "a root is a root wherever it lies; the other one is judged",
        memory(RECORD)._replace(kinds={SKILL_ROOT: "symlink"}),
        Expected("KA006", "", SKILL_ROOT),
    ),
    *(
        fails(
            f"memory-{name[1:]}-symlink",
            "git's own small files are files, and a link called so leads agents astray like any",
            memory(RECORD)._replace(kinds={within(f"banking/{name}"): "symlink"}),
            *at(f"banking/{name}", "KA006"),
        )
        for name in (".gitkeep", ".gitignore", ".gitattributes")
    ),
    fails(
        "record-misplaced-symlink",
        "no link has a place where records lie",
        memory(RECORD)._replace(kinds={within("banking/latest.json"): "symlink"}),
        *at("banking/latest.json", "KA006"),
        *at("banking/latest.json", "KA201"),
    ),
)


def _unsafe(document: Document, pointer: str, text: str, name: str, why: str) -> Case:
    world = memory(edited(document, {pointer: text}))
    return fails(name, why, world, *on(document, "KA007", pointer))


UNSAFE_TEXT = (
    passes("memory", "letters, digits and punctuation", WHOLE),
    passes(
        "memory-russian",
        "letters of any script, and what lays them out",
        memory(
            edited(RECORD, {"/outcome/checkpoint_response": "ок,\n\tуглуби раздел о конкурентах"})
        ),
    ),
    passes(
        "memory-emoji",
        "a joiner between two characters outside ASCII is how such an emoji is written",
        memory(edited(RECORD, {"/reward_reason": "Ok \U0001f469\u200d\U0001f467"})),
    ),
    _unsafe(
        RECORD,
        "/reward_reason",
        "fine\x1b[2K\x1b[32mPASS",
        "record-escape-sequence",
        "an escape character can rewrite what a terminal shows",
    ),
    _unsafe(
        RECORD,
        "/outcome/checkpoint_response",
        "ok \u202edaer ot drah",
        "record-right-to-left-override",
        "it turns what follows around before a reader's eyes",
    ),
    _unsafe(
        RECORD,
        "/context/domain_detected",
        "bank\u200bing",
        "record-zero-width-space",
        "two names that look the same are not",
    ),
    _unsafe(
        COLD,
        "/summary",
        "fine\u2066 so far",
        "cold-record",
        "a summary is what a later query reads",
    ),
    fails(
        "record-in-list",
        "every text is looked at",
        memory(edited(RECORD, {"/outcome/artifacts_created": ["a.md", "b\u00ad.md"]})),
        *on(RECORD, "KA007", "/outcome/artifacts_created/1"),
    ),
    fails(
        "record-and-index",
        "a skill's name stands in the record, in its entry and as a key",
        memory(make_record(skill="explore\u200b")),
        *on(RECORD, "KA007", "/skill_used"),
        *in_index("KA007", entry_of(RECORD, "skill"), "/by_skill/explore\u200b"),
    ),
    fails(
        "record-key",
        "a key is shown to readers too, and this one is unknown besides",
        altered(RECORD, {"/mo\u00addel": 1}),
        *on(RECORD, "KA007", "/mo\u00addel"),
        *on(RECORD, "KA004", "/mo\u00addel"),
    ),
    fails(
        "config",
        "a domain that looks like banking is not",
        configured({"/known_domains": ["banking", "banking\u200b"]}, RECORD),
        *in_config("KA007", "/known_domains/1"),
    ),
    *(
        fails(
            name,
            "an agent reads it as advice",
            WHOLE.adding(
                {within(DOCUMENTS[name]): dumps({"advice": ["be good\U000e0067\U000e0069"]})}
            ),
            *at(DOCUMENTS[name], "KA007", "/advice/0"),
        )
        for name in ("patterns", "baselines", "statistics")
    ),
)

CASES: Cases = {
    "KA001-not-json": NOT_JSON,
    "KA002-duplicate-key": DUPLICATE_KEY,
    "KA003-schema": SCHEMA,
    "KA004-unknown-field": UNKNOWN_FIELD,
    "KA005-oversize": OVERSIZE,
    "KA006-not-a-file": NOT_A_FILE,
    "KA007-unsafe-text": UNSAFE_TEXT,
}
