"""KA301 to KA309: the index says exactly what the records say."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    STORED,
    Document,
    archive,
    dumps,
    file_of,
    iso,
    make_index,
    make_record,
)
from tests.vectors.case import REMOVED, Case, Cases, Expected, World, edited, fails, passes
from tests.vectors.memory import (
    ARCHIVED,
    AS_OF,
    COLD,
    DAY,
    FOR_EVER,
    LASTING,
    LONG_AGO,
    OLD,
    OTHER,
    RECORD,
    SECOND,
    SIMPLE,
    SKILL_ROOT,
    altered,
    at,
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

INDEX = within("index.json")
SKILL = "goap-research-ed25519"


def _pass(name: str, why: str, changes: Mapping[str, Any], *records: Document) -> Case:
    """An index that the rule is content with, after these changes."""
    return passes(name, why, indexed(changes, *records))


def _fail(
    code: str,
    name: str,
    why: str,
    changes: Mapping[str, Any],
    *pointers: str,
    of: tuple[Document, ...] = (),
) -> Case:
    """An index in which the rule finds these faults, after these changes."""
    return fails(name, why, indexed(changes, *of), *in_index(code, *pointers))


INDEX_MISSING = (
    passes("there", "tiers, a record and an index", memory(RECORD)),
    passes("no-records", "nothing was stored yet", memory(index=False)),
    passes("without-tiers", "version 1.0 has no index", simple()),
    passes("without-tiers-and-there", "nor does it forbid one", simple(index=True)),
    passes(
        "defaults-without-tiers",
        "nothing shows version 1.1",
        memory(SIMPLE, config=None, index=False),
    ),
    passes(
        "config-unreadable",
        "whether there are tiers is not known",
        memory(RECORD, index=False).adding({within("config.json"): b"{"}),
        *at("config.json", "KA001"),
    ),
    passes(
        "unreadable",
        "it is there, and in what state is rule KA001's",
        memory(RECORD).adding({INDEX: b"{"}),
        *in_index("KA001", ""),
    ),
    passes(
        "symlink",
        "something is there, and what is rule KA006's",
        memory(RECORD, index=False)._replace(kinds={INDEX: "symlink"}),
        *in_index("KA006", ""),
    ),
    passes(
        "excluded",
        "the configuration leaves the index out",
        silent(memory(RECORD, index=False), INDEX),
    ),
    fails("with-tiers", "a record and no index", memory(RECORD, index=False), *in_index("KA301")),
    fails(
        "archive-alone", "archived records count too", memory(COLD, index=False), *in_index("KA301")
    ),
    fails(
        "record-unreadable",
        "there is a record, though nobody can read it, and that is all the more reason for an index",
        memory(RECORD, index=False).adding({path_of(RECORD): b"{"}),
        *on(RECORD, "KA001"),
        *in_index("KA301"),
    ),
    fails(
        "defaults-by-record",
        "without a configuration a record of version 1.1 shows that there are tiers",
        memory(RECORD, config=None, index=False),
        *in_index("KA301"),
    ),
    fails(
        "defaults-by-archive",
        "without a configuration an archive shows that there are tiers",
        memory(COLD, config=None, index=False),
        *in_index("KA301"),
    ),
    fails(
        "in-a-nested-root",
        "each root has an index of its own",
        memory(RECORD).adding(memory(RECORD, index=False, root=SKILL_ROOT).tree),
        Expected("KA301", "", within("index.json", SKILL_ROOT)),
    ),
)

COMPOSED = make_record("café")
DECOMPOSED_ID = unicodedata.normalize("NFD", COMPOSED["id"])
RECORD_NOT_INDEXED = (
    passes("indexed", "active and archived", memory(RECORD, OTHER, COLD)),
    passes("no-index", "an index that is not there lacks nothing", simple()),
    passes(
        "index-unreadable",
        "what cannot be read lacks nothing",
        memory(RECORD).adding({INDEX: b"[1"}),
        *in_index("KA001", ""),
    ),
    passes(
        "no-entries",
        "where all entries are missing that is the whole fault",
        indexed({"/records": REMOVED}),
        *in_index("KA003", "/records"),
    ),
    passes(
        "record-unreadable",
        "a record that cannot be read has no id to look for",
        memory(RECORD).adding({path_of(OTHER): b"{"}),
        *on(OTHER, "KA001", ""),
    ),
    passes(
        "id-missing",
        "a record without an id has no id to look for",
        altered(RECORD, {"/id": REMOVED}),
        *on(RECORD, "KA003", "/id"),
    ),
    passes(
        "excluded",
        "the configuration leaves the record out",
        silent(indexed({entry_of(RECORD): REMOVED}), path_of(RECORD)),
    ),
    *(
        fails(
            name,
            why,
            indexed({entry_of(record): REMOVED}, RECORD, COLD),
            *on(record, "KA302", "/id"),
        )
        for name, why, record in (
            ("active", "no query sees it", RECORD),
            ("archived", "no query sees it", COLD),
        )
    ),
    fails(
        "all",
        "every record is named",
        indexed({"/records": {}}, RECORD, COLD),
        *on(RECORD, "KA302", "/id"),
        *on(COLD, "KA302", "/id"),
    ),
    fails(
        "without-tiers",
        "an index that is there must be right",
        simple(index=edited(make_index([SIMPLE]), {"/records": {}})),
        *on(SIMPLE, "KA302", "/id"),
    ),
    fails(
        "stored-without-index",
        "a record was stored, and nothing of the index was updated",
        memory(OTHER, RECORD, index=make_index([OTHER])),
        *on(RECORD, "KA302", "/id"),
        *in_index("KA305", "/record_count"),
        *in_index("KA306", "/by_domain", "/by_phase", "/by_skill"),
        *in_index("KA309", "/last_updated"),
    ),
    fails(
        "under-another-id",
        "its entry is another record's, which is not there",
        indexed(
            {
                entry_of(RECORD): REMOVED,
                "/records/other": make_index([RECORD])["records"][RECORD["id"]],
            }
        ),
        *on(RECORD, "KA302", "/id"),
        *in_index("KA303", "/records/other"),
    ),
    fails(
        "under-its-decomposed-id",
        "a reader looks for the very characters",
        indexed(
            {
                entry_of(COMPOSED): REMOVED,
                f"/records/{DECOMPOSED_ID}": make_index([COMPOSED])["records"][COMPOSED["id"]],
            },
            COMPOSED,
        ),
        *on(COMPOSED, "KA302", "/id"),
        *in_index("KA303", f"/records/{DECOMPOSED_ID}"),
    ),
)


def _foreign(record: Document) -> dict[str, Any]:
    """Changes that give the index one more entry, and nothing else."""
    return {entry_of(record): make_index([record])["records"][record["id"]]}


ENTRY_DANGLING = (
    passes("every-record-there", "active and archived", memory(RECORD, OTHER, COLD)),
    passes("empty", "no entries and no records", memory()),
    *(
        passes(
            f"{name}",
            "the record is there, and its own fault is the only one",
            world,
            *on(record, code, ""),
        )
        for name, record, code, world in (
            (
                "record-unreadable",
                OTHER,
                "KA001",
                memory(RECORD, OTHER).adding({path_of(OTHER): b"{"}),
            ),
            (
                "archived-unreadable",
                COLD,
                "KA001",
                memory(RECORD, COLD).adding({path_of(COLD): b"{"}),
            ),
            (
                "record-no-object",
                OTHER,
                "KA003",
                memory(RECORD, OTHER).adding({path_of(OTHER): b"[]"}),
            ),
            (
                "record-oversize",
                RECORD,
                "KA005",
                memory(RECORD)._replace(
                    config=f"limits:\n  document_bytes: {len(dumps(RECORD)) - 1}\n"
                ),
            ),
            (
                "record-symlink",
                OTHER,
                "KA006",
                World(
                    {
                        p: data
                        for p, data in memory(RECORD, OTHER).tree.items()
                        if p != path_of(OTHER)
                    },
                    kinds={path_of(OTHER): "symlink"},
                ),
            ),
        )
    ),
    passes(
        "excluded",
        "the configuration leaves the index out",
        silent(indexed(_foreign(OTHER)), INDEX),
    ),
    _fail("KA303", "entry-alone", "no such record", _foreign(OTHER), entry_of(OTHER)),
    _fail("KA303", "archived-entry-alone", "no such record", _foreign(COLD), entry_of(COLD)),
    _fail(
        "KA303",
        "no-id-at-all",
        "an empty id is nobody's",
        {"/records/": make_index([RECORD])["records"][RECORD["id"]]},
        "/records/",
    ),
    fails(
        "id-with-slash",
        "a slash is escaped in the pointer",
        indexed({"/records/a~1b~0c": make_index([OTHER])["records"][OTHER["id"]]}),
        *in_index("KA303", "/records/a~1b~0c"),
    ),
    fails(
        "another-id-of-the-file",
        "two entries for one file, and one of the ids is nobody's",
        indexed({"/records/again": make_index([RECORD])["records"][RECORD["id"]]}),
        *in_index("KA303", "/records/again"),
    ),
    fails(
        "purged-without-index",
        "the record was deleted, and nothing of the index was updated",
        memory(RECORD, index=make_index([RECORD, OTHER])),
        *in_index("KA303", entry_of(OTHER)),
        *in_index("KA305", "/record_count"),
        *in_index("KA306", "/by_domain/retail", "/by_phase/phase-3", "/by_skill/explore"),
    ),
    fails(
        "all-lost",
        "every record was deleted",
        memory(
            index=edited(
                make_index([RECORD, COLD]),
                {"/record_count": 0, "/by_domain": {}, "/by_phase": {}, "/by_skill": {}},
            )
        ),
        *in_index("KA303", entry_of(RECORD), entry_of(COLD)),
    ),
    fails(
        "without-tiers",
        "an index that is there must be right",
        simple(index=edited(make_index([SIMPLE]), _foreign(OTHER))),
        *in_index("KA303", entry_of(OTHER)),
    ),
    fails(
        "in-another-root",
        "a record of another root is not this root's",
        indexed(_foreign(OTHER)).adding(memory(OTHER, root=SKILL_ROOT).tree),
        *in_index("KA303", entry_of(OTHER)),
    ),
)


def _differs(record: Document, field: str, value: Any, name: str = "", why: str = "") -> Case:
    tail = "-archived" if record is COLD else ""
    place = entry_of(record, field)
    return fails(
        f"{name or field.replace('_', '-')}{tail}",
        why or "the record says something else",
        indexed({place: value}, record),
        *in_index("KA304", place),
    )


def _entry_differs() -> Iterator[Case]:
    for record in (RECORD, COLD):
        yield _differs(record, "domain", "retail")
        yield _differs(record, "phase", "phase-3")
        yield _differs(record, "slug", "case-b")
        yield _differs(record, "reward", 0.8)
        yield _differs(record, "reward", 0.7000001, "reward-nearly", "equal is equal")
        yield _differs(record, "skill", "explore")
        yield _differs(record, "skill", "", "skill-empty")
        yield _differs(record, "file", file_of(OTHER), "file", "it leads to another record's place")
        yield _differs(record, "expires_at", "2030-01-01T00:00:00Z")


EXPIRY = entry_of(RECORD, "expires_at")
COLD_EXPIRY = entry_of(COLD, "expires_at")
UNKNOWN = make_record(domain="insurance")
ENTRY_DIFFERS = (
    passes("same", "active and archived", memory(RECORD, OTHER, COLD)),
    passes("without-tiers", "the same in version 1.0", simple(index=True)),
    _pass(
        "whole-number",
        "numbers are compared, not their text",
        {entry_of(OTHER, "reward"): 1},
        OTHER,
    ),
    _pass("other-zone", "dates are compared as moments", {EXPIRY: "2026-08-28T15:30:00+03:00"}),
    _pass(
        "archived-a-day-later",
        "an archived record has no date of its own; within a day",
        {COLD_EXPIRY: iso(LONG_AGO + 181 * DAY)},
        COLD,
    ),
    _pass("archived-a-day-earlier", "within a day", {COLD_EXPIRY: iso(LONG_AGO + 179 * DAY)}, COLD),
    _pass(
        "archived-of-version-1.0",
        "it may have been one of version 1.0, with its retention's date",
        {COLD_EXPIRY: iso(LONG_AGO + 90 * DAY)},
        COLD,
    ),
    passes("null-for-ever", "neither has a date", simple(LASTING, config=FOR_EVER, index=True)),
    passes(
        "missing-for-ever",
        "the record says null, and the entry nothing: neither has a date",
        simple(
            LASTING,
            config=FOR_EVER,
            index=edited(make_index([LASTING]), {entry_of(LASTING, "expires_at"): REMOVED}),
        ),
    ),
    passes(
        "domain-under-unknown",
        "the domain stays the record's, and the file lies under unknown",
        memory(index=make_index([UNKNOWN], folder="unknown")).adding(
            {within(file_of(UNKNOWN, "unknown")): dumps(UNKNOWN)}
        ),
    ),
    passes(
        "field-missing-in-the-entry",
        "a field that is missing differs from nothing",
        indexed({entry_of(RECORD, "skill"): REMOVED}),
        *in_index("KA003", entry_of(RECORD, "skill")),
    ),
    passes(
        "date-missing-in-the-entry",
        "a field that is missing differs from nothing, a date like any other",
        indexed({EXPIRY: REMOVED}),
        *in_index("KA003", EXPIRY),
    ),
    passes(
        "date-without-zone-in-the-entry",
        "what is no moment is not compared",
        indexed({EXPIRY: "2026-08-28T12:30:00"}),
        *in_index("KA003", EXPIRY),
    ),
    passes(
        "field-missing-in-the-record",
        "nothing is there to differ from",
        altered(RECORD, {"/skill_used": REMOVED}),
        *on(RECORD, "KA003", "/skill_used"),
    ),
    passes(
        "tiers-unknown",
        "when an archived record is due is not known then",
        memory(
            COLD,
            config=edited(CONFIG, {"/tier_warm_days": 10}),
            index=edited(make_index([COLD]), {COLD_EXPIRY: "2030-01-01T00:00:00Z"}),
        ),
        *in_config("KA211", "/tier_hot_days"),
    ),
    passes(
        "excluded",
        "the configuration leaves the index out",
        silent(indexed({entry_of(RECORD, "reward"): 1}), INDEX),
    ),
    *_entry_differs(),
    _differs(
        RECORD,
        "expires_at",
        iso(STORED + 180 * DAY + SECOND),
        "a-second-later",
        "an active record's date is in the record",
    ),
    _differs(COLD, "expires_at", iso(LONG_AGO + 181 * DAY + SECOND), "late", "a day and a second"),
    _differs(COLD, "expires_at", iso(LONG_AGO + 179 * DAY - SECOND), "early", "a day and a second"),
    _differs(
        COLD,
        "file",
        file_of(OLD),
        "file-before-archiving",
        "the path was not updated when it was archived",
    ),
    _differs(
        RECORD,
        "file",
        file_of(archive(RECORD, STORED)),
        "file-after-archiving",
        "it was not archived",
    ),
    _differs(
        RECORD, "domain", "Banking", "domain-in-other-case", "names are compared letter by letter"
    ),
    fails(
        "every-field",
        "every difference is named",
        indexed(
            {
                entry_of(RECORD, "domain"): "retail",
                entry_of(RECORD, "phase"): "phase-3",
                entry_of(RECORD, "slug"): "case-b",
                entry_of(RECORD, "reward"): 0,
                entry_of(RECORD, "skill"): "explore",
                entry_of(RECORD, "file"): file_of(OTHER),
                entry_of(RECORD, "expires_at"): "2030-01-01T00:00:00Z",
            }
        ),
        *in_index(
            "KA304",
            *(
                entry_of(RECORD, field)
                for field in ("domain", "phase", "slug", "reward", "skill", "file", "expires_at")
            ),
        ),
    ),
    fails(
        "domain-as-the-folder-unknown",
        "the folder's name is not the domain",
        memory(
            index=edited(
                make_index([UNKNOWN], folder="unknown"), {entry_of(UNKNOWN, "domain"): "unknown"}
            )
        ).adding({within(file_of(UNKNOWN, "unknown")): dumps(UNKNOWN)}),
        *in_index("KA304", entry_of(UNKNOWN, "domain")),
    ),
    fails(
        "date-for-ever",
        "the record never expires, and the entry does",
        simple(
            LASTING,
            config=FOR_EVER,
            index=edited(
                make_index([LASTING]), {entry_of(LASTING, "expires_at"): "2030-01-01T00:00:00Z"}
            ),
        ),
        *in_index("KA304", entry_of(LASTING, "expires_at")),
    ),
    fails(
        "without-tiers",
        "an index that is there must be right",
        simple(index=edited(make_index([SIMPLE]), {entry_of(SIMPLE, "reward"): 1})),
        *in_index("KA304", entry_of(SIMPLE, "reward")),
    ),
    fails(
        "record-changed",
        "the record was edited, and the index still says what it said, averages too",
        altered(RECORD, {"/reward": 0.65}),
        *in_index("KA304", entry_of(RECORD, "reward")),
        *in_index(
            "KA306",
            "/by_domain/banking/avg_reward",
            "/by_phase/phase-2/avg_reward",
            f"/by_skill/{SKILL}/avg_reward",
        ),
    ),
)


def _count(name: str, why: str, count: int) -> Case:
    return _fail("KA305", name, why, {"/record_count": count}, "/record_count", of=(RECORD, COLD))


RECORD_COUNT = (
    passes("none", "no records, and the index says so", memory()),
    passes("two", "archived records count", memory(RECORD, COLD)),
    passes("without-tiers", "the same in version 1.0", simple(index=True)),
    passes("without-index", "nothing is counted", simple()),
    passes(
        "record-unreadable",
        "a record that cannot be read counts with its entry",
        memory(RECORD, OTHER).adding({path_of(OTHER): b"{"}),
        *on(OTHER, "KA001", ""),
    ),
    passes(
        "record-unreadable-counted",
        "one without an entry may be counted, for nobody can say whether it is a record",
        indexed({"/record_count": 2}).adding({path_of(OTHER): b"{"}),
        *on(OTHER, "KA001", ""),
    ),
    fails(
        "record-unreadable-too-many",
        "one record that cannot be read does not make seven",
        indexed({"/record_count": 7}).adding({path_of(OTHER): b"{"}),
        *in_index("KA305", "/record_count"),
        *on(OTHER, "KA001", ""),
    ),
    passes(
        "misplaced",
        "a file at no record's path is no record",
        memory(RECORD).adding({within("banking/notes.json"): dumps(OTHER)}),
        *at("banking/notes.json", "KA201"),
    ),
    passes(
        "count-missing",
        "a field that is missing is not wrong",
        indexed({"/record_count": REMOVED}),
        *in_index("KA003", "/record_count"),
    ),
    passes(
        "excluded",
        "the configuration leaves the index out",
        silent(indexed({"/record_count": 7}), INDEX),
    ),
    _count("one-more", "a record was lost, or never was", 3),
    _count("without-the-archived", "archived records count", 1),
    _count("zero", "two is not nothing", 0),
    _count("negative", "no index has less than nothing", -2),
    _count("huge", "any whole number can be written", 10**30),
    fails(
        "one-of-none",
        "there are no records",
        memory(index=edited(make_index([]), {"/record_count": 1})),
        *in_index("KA305", "/record_count"),
    ),
    fails(
        "without-tiers",
        "an index that is there must be right",
        simple(index=edited(make_index([SIMPLE]), {"/record_count": 2})),
        *in_index("KA305", "/record_count"),
    ),
    fails(
        "two-roots",
        "each index counts its own root",
        indexed({"/record_count": 2}).adding(memory(OTHER, root=SKILL_ROOT).tree),
        *in_index("KA305", "/record_count"),
    ),
)

TABLES = (
    ("domain", "banking", "retail"),
    ("phase", "phase-2", "phase-3"),
    ("skill", SKILL, "explore"),
)
THIRDS = tuple(
    make_record(phase="phase-2", at=STORED + number * SECOND, reward=reward)
    for number, reward in enumerate((1.0, 1.0, 0.0))
)


def _aggregate(name: str, why: str, changes: Mapping[str, Any], *pointers: str) -> Case:
    return _fail("KA306", name, why, changes, *pointers, of=(RECORD, OTHER))


def _of_each_table() -> Iterator[Case]:
    for name, key, other in TABLES:
        table = f"/by_{name}"
        here = f"{table}/{key}"
        for text, average in (("lower", 0.695), ("higher", 0.705)):
            yield _pass(
                f"{name}-average-{text}",
                "0.005 is within 0.005",
                {f"{here}/avg_reward": average},
                RECORD,
                OTHER,
            )
        for text, average in (
            ("lower", 0.69),
            ("higher", 0.71),
            ("a-little-lower", 0.6949),
            ("a-little-higher", 0.7051),
            ("of-none", 0),
        ):
            pointer = f"{here}/avg_reward"
            yield _aggregate(f"{name}-average-{text}", "not the mean", {pointer: average}, pointer)
        for text, count in (("too-high", 2), ("too-low", 0)):
            pointer = f"{here}/count"
            yield _aggregate(f"{name}-count-{text}", "there is one", {pointer: count}, pointer)
        yield _aggregate(f"{name}-missing", f"records have this {name}", {here: REMOVED}, table)
        yield _aggregate(f"{name}-all-missing", "each is named", {table: {}}, table, table)
        yield _aggregate(
            f"{name}-nobody-has",
            f"no record has this {name}",
            {f"{table}/nobody": make_index([RECORD])[f"by_{name}"][key]},
            f"{table}/nobody",
        )
        yield _aggregate(
            f"{name}-renamed",
            "one is missing, and one is nobody's",
            {here: REMOVED, f"{table}/nobody": make_index([RECORD])[f"by_{name}"][key]},
            table,
            f"{table}/nobody",
        )
        yield _aggregate(
            f"{name}-exchanged",
            "each has the other's average",
            {f"{here}/avg_reward": 1.0, f"{table}/{other}/avg_reward": 0.7},
            f"{here}/avg_reward",
            f"{table}/{other}/avg_reward",
        )


SLUGS = "/by_domain/banking/slugs"
AGGREGATE = (
    passes("two-of-each", "what the records come to", memory(RECORD, OTHER)),
    passes("with-archived", "archived records count", memory(RECORD, OTHER, COLD)),
    passes("nothing", "no records, no keys", memory()),
    passes("without-tiers", "the same in version 1.0", simple(index=True)),
    passes("thirds", "two thirds, written as 0.67", memory(*THIRDS)),
    _pass(
        "thirds-in-full",
        "as many digits as one likes",
        {f"/by_{name}/{key}/avg_reward": 0.6666666666666666 for name, key, _ in TABLES},
        *THIRDS,
    ),
    _pass(
        "slugs-in-any-order",
        "a set has no order",
        {SLUGS: ["case-b", "bank_kc_automation"]},
        RECORD,
        make_record("case-b"),
    ),
    passes("cyrillic", "keys in any script", memory(make_record("заявки", "этап", skill="разбор"))),
    passes(
        "unknown-domain",
        "records are counted by their domain, not by their folder",
        memory(index=make_index([UNKNOWN], folder="unknown")).adding(
            {within(file_of(UNKNOWN, "unknown")): dumps(UNKNOWN)}
        ),
    ),
    passes(
        "record-unreadable",
        "a record that cannot be read counts with its entry",
        memory(RECORD, OTHER).adding({path_of(OTHER): b"{"}),
        *on(OTHER, "KA001", ""),
    ),
    fails(
        "record-unreadable-and-more",
        "a record that cannot be read does not leave open what the others come to",
        indexed({"/by_domain": {}}).adding({path_of(OTHER): b"{"}),
        *in_index("KA306", "/by_domain"),
        *on(OTHER, "KA001", ""),
    ),
    passes(
        "none-left",
        "what is left of a domain whose last record was purged counts nothing",
        indexed({"/by_domain/retail": {"count": 0, "slugs": [], "avg_reward": 0}}),
    ),
    passes(
        "reward-missing",
        "a record without a reward has no mean",
        altered(RECORD, {"/reward": REMOVED}),
        *on(RECORD, "KA003", "/reward"),
    ),
    passes(
        "table-missing",
        "a table that is missing is the whole fault",
        indexed({"/by_skill": REMOVED}),
        *in_index("KA003", "/by_skill"),
    ),
    passes(
        "average-missing",
        "a field that is missing is not wrong",
        indexed({f"/by_skill/{SKILL}/avg_reward": REMOVED}),
        *in_index("KA003", f"/by_skill/{SKILL}/avg_reward"),
    ),
    passes(
        "excluded",
        "the configuration leaves the index out",
        silent(indexed({"/by_skill": {}}), INDEX),
    ),
    *_of_each_table(),
    _aggregate("slug-missing", "a record has it", {SLUGS: []}, SLUGS),
    _aggregate("slug-foreign", "no record has it", {SLUGS: ["bank_kc_automation", "b"]}, SLUGS),
    _aggregate("slug-twice", "once is enough", {SLUGS: ["bank_kc_automation"] * 2}, SLUGS),
    _aggregate("slug-renamed", "one is missing, and one is nobody's", {SLUGS: ["b"]}, SLUGS, SLUGS),
    _aggregate(
        "slug-of-another-domain",
        "it is retail's",
        {SLUGS: ["bank_kc_automation", "shop_returns"]},
        SLUGS,
    ),
    _aggregate(
        "slug-in-other-case",
        "names are compared letter by letter",
        {SLUGS: ["Bank_KC_automation"]},
        SLUGS,
        SLUGS,
    ),
    fails(
        "archived-not-counted",
        "the aggregates are those of the active record alone",
        indexed(
            {f"/by_{name}": make_index([RECORD])[f"by_{name}"] for name, *_ in TABLES},
            RECORD,
            COLD,
        ),
        *in_index(
            "KA306",
            "/by_domain/banking/count",
            "/by_phase/phase-2/count",
            f"/by_skill/{SKILL}/count",
        ),
    ),
    _fail(
        "KA306",
        "thirds-rounded-to-0.66",
        "two thirds are 0.667, and 0.66 is more than 0.005 away",
        {"/by_domain/banking/avg_reward": 0.66},
        "/by_domain/banking/avg_reward",
        of=THIRDS,
    ),
    _fail(
        "KA306",
        "mean-of-the-levels-there-are",
        "a mean counts every record, not every reward once",
        {"/by_phase/phase-2/avg_reward": 0.5},
        "/by_phase/phase-2/avg_reward",
        of=THIRDS,
    ),
    fails(
        "folder-for-domain",
        "records are counted by their domain, not by their folder",
        memory(
            index=edited(
                make_index([UNKNOWN], folder="unknown"),
                {
                    "/by_domain": {
                        "unknown": make_index([UNKNOWN])["by_domain"]["insurance"],
                    }
                },
            )
        ).adding({within(file_of(UNKNOWN, "unknown")): dumps(UNKNOWN)}),
        *in_index("KA306", "/by_domain", "/by_domain/unknown"),
    ),
    fails(
        "key-with-slash",
        "a slash is escaped in the pointer",
        indexed({"/by_skill/a~1b": {"count": 1, "avg_reward": 1}}),
        *in_index("KA306", "/by_skill/a~1b"),
    ),
    fails(
        "without-tiers",
        "an index that is there must be right",
        simple(index=edited(make_index([SIMPLE]), {"/by_phase/phase-2/avg_reward": 0.8})),
        *in_index("KA306", "/by_phase/phase-2/avg_reward"),
    ),
)

AGES = {"hot": 5 * DAY, "warm": 60 * DAY, "cold": 120 * DAY, "purge": 200 * DAY}


def _tiers() -> Iterator[Case]:
    """Every tier that an index can name, of a record in each place and of each age."""
    for age_name, age in AGES.items():
        for tier in AGES:
            yield _tier_active(tier, age_name, age)
            yield _tier_archived(tier, age_name, age)


def _tier_active(tier: str, age_name: str, age: Any) -> Case:
    due = {"cold": on(RECORD, "KA401", "/timestamp"), "purge": on(RECORD, "KA402", "/timestamp")}
    place = entry_of(RECORD, "tier")
    world = indexed({place: tier}, as_of=STORED + age)
    allowed = ("hot",) if age_name == "hot" else ("hot", "warm")
    name = f"{tier}-active-{age_name}-age"
    others = due.get(age_name, ())
    if tier in allowed:
        return passes(
            name, "an active record is hot, or warm once it is old enough", world, *others
        )
    why = "an active record is hot or warm, and warm once it is old enough"
    return fails(name, why, world, *in_index("KA307", place), *others)


def _tier_archived(tier: str, age_name: str, age: Any) -> Case:
    is_early = age_name in {"hot", "warm"}
    record = archive(RECORD, STORED + (DAY if is_early else 91 * DAY))
    others = on(record, "KA403", "/archived_at") if is_early else ()
    if age_name == "purge":
        others = on(record, "KA402", "/original_timestamp")
    place = entry_of(record, "tier")
    world = indexed({place: tier}, record, as_of=STORED + age)
    name = f"{tier}-archived-{age_name}-age"
    if tier == "cold":
        return passes(name, "what is archived is cold, whatever its age", world, *others)
    return fails(name, "what is archived is cold", world, *in_index("KA307", place), *others)


TIER = entry_of(RECORD, "tier")
TIER_LOCATION = (
    passes("written-by-the-protocol", "hot when stored, cold when archived", memory(RECORD, COLD)),
    passes(
        "warm-just-after-30-days",
        "30 days and a second",
        indexed({TIER: "warm"}, as_of=STORED + 30 * DAY + SECOND),
    ),
    passes(
        "hot-at-30-days",
        "the bound belongs to the younger tier",
        memory(RECORD, as_of=STORED + 30 * DAY),
    ),
    passes(
        "own-tiers",
        "the configuration's days count",
        memory(
            RECORD,
            config=edited(CONFIG, {"/tier_hot_days": 1}),
            index=edited(make_index([RECORD]), {TIER: "warm"}),
            as_of=STORED + DAY + SECOND,
        ),
    ),
    passes("without-tiers", "without tiers every record is hot", simple(index=True)),
    passes(
        "tier-missing",
        "a field that is missing is not wrong",
        indexed({TIER: REMOVED}),
        *in_index("KA003", TIER),
    ),
    passes(
        "without-record",
        "an entry without a record has no place to compare with",
        indexed(_foreign(OTHER)),
        *in_index("KA303", entry_of(OTHER)),
    ),
    passes(
        "excluded", "the configuration leaves the index out", silent(indexed({TIER: "cold"}), INDEX)
    ),
    *_tiers(),
    fails(
        "warm-at-30-days",
        "the bound belongs to the younger tier, which is hot",
        indexed({TIER: "warm"}, as_of=STORED + 30 * DAY),
        *in_index("KA307", TIER),
    ),
    fails(
        "own-tiers",
        "the configuration's days count",
        memory(
            RECORD,
            config=edited(CONFIG, {"/tier_hot_days": 80}),
            index=edited(make_index([RECORD]), {TIER: "warm"}),
            as_of=STORED + 60 * DAY,
        ),
        *in_index("KA307", TIER),
    ),
    _fail("KA307", "no-tier", "the protocol has no such tier", {TIER: "lukewarm"}, TIER),
    _fail("KA307", "upper-case", "tiers are compared letter by letter", {TIER: "HOT"}, TIER),
    _fail("KA307", "empty", "an empty tier is none", {TIER: ""}, TIER),
    fails(
        "warm-without-tiers",
        "without tiers no record is ever warm",
        simple(index=edited(make_index([SIMPLE]), {entry_of(SIMPLE, "tier"): "warm"})),
        *in_index("KA307", entry_of(SIMPLE, "tier")),
    ),
    fails(
        "warm-without-tiers-expired",
        "nor when it has expired",
        simple(
            index=edited(make_index([SIMPLE]), {entry_of(SIMPLE, "tier"): "warm"}),
            as_of=STORED + 91 * DAY,
        ),
        *in_index("KA307", entry_of(SIMPLE, "tier")),
        *on(SIMPLE, "KA406", "/expires_at"),
    ),
    fails(
        "cold-without-tiers",
        "without tiers nothing is archived",
        simple(index=edited(make_index([SIMPLE]), {entry_of(SIMPLE, "tier"): "cold"})),
        *in_index("KA307", entry_of(SIMPLE, "tier")),
    ),
)

HERE = entry_of(RECORD, "file")
FILE = file_of(RECORD)
INDEX_PATH = (
    passes("active-and-archived", "paths of records, relative to the root", memory(RECORD, COLD)),
    passes("with-spaces", "names are as they are", memory(make_record("bank of kc", "phase 2"))),
    passes("cyrillic", "letters of any script", memory(make_record("заявки"))),
    passes(
        "dots-in-names",
        "only a whole name of two dots climbs",
        memory(make_record("a..b", "phase-2.5")),
    ),
    passes(
        "of-another-record",
        "a path of a record, and of the wrong one: that is rule KA304's",
        indexed({HERE: file_of(OTHER)}),
        *in_index("KA304", HERE),
    ),
    passes(
        "path-missing",
        "a field that is missing is not wrong",
        indexed({HERE: REMOVED}),
        *in_index("KA003", HERE),
    ),
    passes(
        "excluded",
        "the configuration leaves the index out",
        silent(indexed({HERE: "/etc/passwd"}), INDEX),
    ),
    *(
        _fail("KA308", name, why, {HERE: path}, HERE)
        for name, why, path in (
            ("absolute", "it begins at the top of the disk", f"/{FILE}"),
            ("absolute-elsewhere", "it leads out of the repository", "/etc/passwd"),
            ("climbing", "it leads out of the root", f"../{FILE}"),
            ("climbing-within", "it comes back, and climbs", f"banking/../{FILE}"),
            (
                "climbing-far",
                "it leads out of the repository",
                "../../../../home/a/b/phase-2_2026-03-01T12-30-00.json",
            ),
            ("backslash", "a separator on some systems only", FILE.replace("/", "\\")),
            ("backslash-climbing", "it climbs on some systems only", f"banking/..\\..\\{FILE}"),
            ("drive-letter", "it leads to a disk", f"C:/{FILE}"),
            ("drive-letter-relative", "it leads to a disk", f"c:{FILE}"),
            ("git-folder", "what lies there runs", ".git/hooks/phase-2_2026-03-01T12-30-00.json"),
            (
                "git-folder-within",
                "what lies there runs",
                "banking/.git/phase-2_2026-03-01T12-30-00.json",
            ),
            (
                "git-folder-in-other-case",
                "the same folder on some systems",
                "banking/.GIT/phase-2_2026-03-01T12-30-00.json",
            ),
            ("empty", "it names no file", ""),
            ("root", "it names the root itself", "."),
            ("folder", "a folder is no record", "banking/bank_kc_automation"),
            ("from-the-top", "it is relative to the root, not to the repository", within(FILE)),
            ("with-dot", "one file has one path", f"./{FILE}"),
            ("double-slash", "one file has one path", FILE.replace("/", "//")),
            (
                "no-record-name",
                "it is no path of a record",
                "banking/bank_kc_automation/notes.json",
            ),
            ("config", "it is no path of a record", "config.json"),
            ("index", "it is no path of a record", "index.json"),
            (
                "archive-of-slug",
                "the archive is the domain's",
                "banking/bank_kc_automation/_archive/phase-2_2026-03-01T12-30-00.json",
            ),
            ("address", "it leads to another machine", f"https://example.org/{FILE}"),
            (
                "endless",
                "no system opens such a path",
                f"banking/{'a' * 4096}/phase-2_2026-03-01T12-30-00.json",
            ),
        )
    ),
    _fail(
        "KA308",
        "archived",
        "archived records have paths too",
        {entry_of(COLD, "file"): f"../{file_of(COLD)}"},
        entry_of(COLD, "file"),
        of=(COLD,),
    ),
    fails(
        "nul",
        "a name ends there for some programs, and the character is unsafe anywhere",
        indexed({HERE: f"{FILE}\0.txt"}),
        *in_index("KA007", HERE),
        *in_index("KA308", HERE),
    ),
    fails(
        "without-record",
        "who follows an entry that has no record follows its path first",
        indexed({"/records/x": {**make_index([OTHER])["records"][OTHER["id"]], "file": "../../x"}}),
        *in_index("KA303", "/records/x"),
        *in_index("KA308", "/records/x/file"),
    ),
    fails(
        "without-tiers",
        "an index that is there is followed",
        simple(index=edited(make_index([SIMPLE]), {entry_of(SIMPLE, "file"): "/etc/passwd"})),
        *in_index("KA308", entry_of(SIMPLE, "file")),
    ),
)


def _updated(name: str, why: str, text: str, *records: Document) -> Case:
    return _fail("KA309", name, why, {"/last_updated": text}, "/last_updated", of=records)


INDEX_OUTDATED = (
    passes("of-the-newest-record", "updated when it was stored", memory(RECORD, OTHER)),
    passes("of-the-newest-archiving", "updated when it was archived", memory(COLD)),
    passes("empty", "no record is newer", memory()),
    _pass(
        "later",
        "something was purged since",
        {"/last_updated": iso(AS_OF - DAY + 14 * 3600 * SECOND)},
    ),
    _pass("now", "the moment itself is not after it", {"/last_updated": iso(AS_OF)}),
    _pass(
        "fraction-of-now",
        "the moment of a check has no fraction",
        {"/last_updated": "2026-03-02T00:00:00.9Z"},
    ),
    _pass(
        "other-zone",
        "moments are compared, not clocks",
        {"/last_updated": "2026-03-01T02:30:00-10:00"},
    ),
    passes(
        "fraction-of-the-record",
        "to the second",
        memory(edited(RECORD, {"/timestamp": "2026-03-01T12:30:00.9Z"})),
    ),
    passes("without-index", "nothing is outdated", simple()),
    passes(
        "without-zone",
        "a time without a zone is no moment",
        indexed({"/last_updated": "2020-01-01T00:00:00"}),
        *in_index("KA003", "/last_updated"),
    ),
    passes(
        "time-of-the-record-unknown",
        "a record without a time is not newer",
        altered(RECORD, {"/timestamp": "soon"}),
        *on(RECORD, "KA003", "/timestamp"),
    ),
    passes(
        "excluded",
        "the configuration leaves the index out",
        silent(indexed({"/last_updated": iso(AS_OF + DAY)}), INDEX),
    ),
    _updated(
        "second-before-the-record", "it was stored and the index not updated", iso(STORED - SECOND)
    ),
    _updated(
        "before-the-newest-record",
        "it is as old as the older one",
        iso(STORED - DAY),
        OTHER,
        RECORD,
    ),
    _updated(
        "before-the-archiving",
        "it was archived and the index not updated",
        iso(ARCHIVED - SECOND),
        COLD,
    ),
    _updated(
        "of-storing-not-archiving", "it was archived and the index not updated", iso(LONG_AGO), COLD
    ),
    _updated("put-back", "an index of last year", "2025-01-01T00:00:00Z"),
    _updated("second-after-now", "nobody updated it tomorrow", iso(AS_OF + SECOND)),
    _updated("far-after-now", "nobody updated it then", "2999-01-01T00:00:00Z"),
    _updated(
        "before-in-another-zone", "it is an hour older than it looks", "2026-03-01T12:30:00+01:00"
    ),
    fails(
        "empty-and-after-now",
        "an index of nothing has a moment too",
        memory(index=edited(make_index([]), {"/last_updated": iso(AS_OF + DAY)})),
        *in_index("KA309", "/last_updated"),
    ),
    fails(
        "judged-earlier",
        "an honest index, of a commit that is older than it",
        memory(
            index=make_index([RECORD])
            | {"records": {}, "record_count": 0, "by_domain": {}, "by_phase": {}, "by_skill": {}},
            as_of=STORED - SECOND,
        ),
        *in_index("KA309", "/last_updated"),
    ),
    fails(
        "without-tiers",
        "an index that is there must be right",
        simple(
            index=edited(make_index([SIMPLE]), {"/last_updated": iso(STORED - SECOND)}),
            config=CONFIG_1_0,
        ),
        *in_index("KA309", "/last_updated"),
    ),
)

CASES: Cases = {
    "KA301-index-missing": INDEX_MISSING,
    "KA302-record-not-indexed": RECORD_NOT_INDEXED,
    "KA303-entry-dangling": ENTRY_DANGLING,
    "KA304-entry-differs": ENTRY_DIFFERS,
    "KA305-record-count": RECORD_COUNT,
    "KA306-aggregate": AGGREGATE,
    "KA307-tier-location": TIER_LOCATION,
    "KA308-index-path": INDEX_PATH,
    "KA309-index-outdated": INDEX_OUTDATED,
}
