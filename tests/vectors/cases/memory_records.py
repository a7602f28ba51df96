"""KA202 to KA210: what a record says of itself, and what its place says of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
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
    in_index,
    indexed,
    lenient,
    memory,
    on,
    path_of,
    placed,
    silent,
    simple,
    within,
)

COMPOSED = "café"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)
NEXT = make_record(phase="phase-3")
FOLDER = "banking/bank_kc_automation"
ARCHIVE = "banking/_archive/bank_kc_automation"
NAME = "phase-2_2026-03-01T12-30-00.json"
OLD_NAME = "phase-2_2025-11-20T12-00-00.json"


def _renamed(name: str, why: str, record: Document, file: str, pointer: str) -> Case:
    """A record that agrees with itself, and lies where another should."""
    return fails(name, why, placed(record, file), *at(file, "KA202", pointer))


def _says(
    name: str, why: str, record: Document, changes: Mapping[str, Any], *pointers: str
) -> Case:
    """A record that lies where it did, and says something else now; its index agrees with it."""
    said = edited(record, changes)
    return fails(name, why, placed(said, file_of(record)), *on(record, "KA202", *pointers))


def _timed(name: str, why: str, timestamp: str) -> Case:
    """A record whose time is written in another way than its path and its id have it."""
    record = edited(RECORD, {"/timestamp": timestamp})
    return passes(name, why, placed(record, f"{FOLDER}/{NAME}"))


def _exchanged() -> World:
    files = {entry_of(RECORD, "file"): file_of(NEXT), entry_of(NEXT, "file"): file_of(RECORD)}
    world = indexed(files, RECORD, NEXT)
    return world.adding({path_of(RECORD): dumps(NEXT), path_of(NEXT): dumps(RECORD)})


RECORD_IDENTITY = (
    passes("active-and-archived", "id, fields and path say the same", memory(RECORD, COLD)),
    passes("without-tiers", "the same in version 1.0", simple()),
    passes(
        "same-second",
        "two phases may end in the same second",
        memory(RECORD, make_record(phase="phase-3")),
    ),
    passes(
        "underscores",
        "slug and phase may both hold the underscore that joins them",
        memory(make_record("a_b", "phase_2")),
    ),
    passes("names-with-spaces", "as the names are", memory(make_record("bank of kc", "phase 2"))),
    passes(
        "cyrillic",
        "letters of any script, and archived ones",
        memory(
            make_record("банк_заявки", "этап-2"),
            archive(make_record("банк_заявки", "этап-2", LONG_AGO), ARCHIVED),
        ),
    ),
    passes(
        "decomposed-everywhere",
        "id, field and path agree, letter and mark apart",
        memory(make_record(DECOMPOSED)),
    ),
    _timed("other-zone", "the path has the time in UTC", "2026-03-01T15:30:00+03:00"),
    _timed("other-zone-and-day", "the path has the date in UTC", "2026-02-28T23:30:00-13:00"),
    _timed("fraction", "the path has the time to the second", "2026-03-01T12:30:00.999Z"),
    _timed("offset-zero", "another way to write UTC", "2026-03-01T12:30:00+00:00"),
    _timed("lower-case", "RFC 3339 allows small letters", "2026-03-01t12:30:00z"),
    passes(
        "domain-aside",
        "the domain is rule KA203's, and is not in the id",
        placed(RECORD, f"retail/bank_kc_automation/{NAME}"),
        *at(f"retail/bank_kc_automation/{NAME}", "KA203", "/domain"),
    ),
    _renamed(
        "slug-of-path", "moved to another case", RECORD, f"banking/case-b/{NAME}", "/case_slug"
    ),
    _renamed(
        "phase-of-path",
        "renamed to another phase",
        RECORD,
        f"{FOLDER}/phase-3_2026-03-01T12-30-00.json",
        "/phase",
    ),
    _renamed(
        "time-of-path",
        "renamed to another second",
        RECORD,
        f"{FOLDER}/phase-2_2026-03-01T12-30-01.json",
        "/timestamp",
    ),
    _renamed(
        "slug-of-path-archived",
        "moved to another case",
        COLD,
        f"banking/_archive/b/{OLD_NAME}",
        "/slug",
    ),
    _renamed(
        "phase-of-path-archived",
        "renamed to another phase",
        COLD,
        f"{ARCHIVE}/phase-3_2025-11-20T12-00-00.json",
        "/phase",
    ),
    _renamed(
        "time-of-path-archived",
        "renamed to another day",
        COLD,
        f"{ARCHIVE}/phase-2_2025-11-21T12-00-00.json",
        "/original_timestamp",
    ),
    _renamed(
        "archived-at-in-path",
        "an archived record keeps the time at which it was stored",
        COLD,
        f"{ARCHIVE}/phase-2_2026-02-20T09-00-00.json",
        "/original_timestamp",
    ),
    _renamed(
        "slug-in-other-case",
        "names are compared letter by letter",
        RECORD,
        f"banking/Bank_KC_automation/{NAME}",
        "/case_slug",
    ),
    _renamed(
        "decomposed-path",
        "the same word to a reader, and another path to git",
        make_record(COMPOSED),
        f"banking/{DECOMPOSED}/{NAME}",
        "/case_slug",
    ),
    _says(
        "slug",
        "the path and the id keep what it was",
        RECORD,
        {"/case_slug": "b"},
        "/case_slug",
        "/id",
    ),
    _says(
        "phase",
        "the path and the id keep what it was",
        RECORD,
        {"/phase": "phase-3"},
        "/phase",
        "/id",
    ),
    _says(
        "time",
        "the path and the id keep when it was",
        RECORD,
        {"/timestamp": "2026-03-01T12:30:01Z"},
        "/timestamp",
        "/id",
    ),
    _says(
        "local-time",
        "the path must have the time in UTC, and has that of the wall",
        RECORD,
        {"/timestamp": "2026-03-01T12:30:00+03:00"},
        "/timestamp",
        "/id",
    ),
    _says("id", "the path keeps what it was", RECORD, {"/id": OTHER["id"]}, "/id"),
    _says(
        "id-without-time",
        "an id has three parts",
        RECORD,
        {"/id": "bank_kc_automation_phase-2"},
        "/id",
    ),
    _says(
        "id-with-colons",
        "a stamp has hyphens",
        RECORD,
        {"/id": "bank_kc_automation_phase-2_2026-03-01T12:30:00"},
        "/id",
    ),
    _says("id-empty", "no id at all", RECORD, {"/id": ""}, "/id"),
    _says(
        "slug-and-id",
        "a record that agrees with itself, at the path of another",
        RECORD,
        {"/case_slug": "case-b", "/id": "case-b_phase-2_2026-03-01T12-30-00"},
        "/case_slug",
    ),
    _says("slug-archived", "the path and the id keep it", COLD, {"/slug": "b"}, "/slug", "/id"),
    _says(
        "phase-archived",
        "the path and the id keep it",
        COLD,
        {"/phase": "phase-3"},
        "/phase",
        "/id",
    ),
    _says(
        "time-archived",
        "the path and the id keep it",
        COLD,
        {"/original_timestamp": "2025-11-20T11:59:59Z"},
        "/original_timestamp",
        "/id",
    ),
    _says("id-archived", "the path keeps what it was", COLD, {"/id": OTHER["id"]}, "/id"),
    fails(
        "exchanged",
        "two records with each other's content, and an index that knows where each is",
        _exchanged(),
        *on(RECORD, "KA202", "/phase"),
        *on(NEXT, "KA202", "/phase"),
    ),
    _says(
        "id-decomposed",
        "an id is compared as it is written",
        make_record(COMPOSED),
        {"/id": f"{DECOMPOSED}_phase-2_2026-03-01T12-30-00"},
        "/id",
    ),
    fails(
        "in-a-nested-root",
        "every root is judged",
        memory(OTHER)
        .adding({f"{SKILL_ROOT}/banking/case-b/{NAME}": dumps(SIMPLE)})
        .adding({f"{SKILL_ROOT}/config.json": dumps(CONFIG_1_0)}),
        Expected("KA202", "/case_slug", f"{SKILL_ROOT}/banking/case-b/{NAME}"),
    ),
)

INSURANCE = make_record(domain="insurance")
COLD_INSURANCE = archive(make_record(at=LONG_AGO, domain="insurance"), ARCHIVED)
ANY_DOMAIN = edited(CONFIG, {"/known_domains": []})


def _foldered(record: Document, folder: str, config: Document = CONFIG) -> World:
    return placed(record, file_of(record, folder), config)


def _astray(name: str, why: str, record: Document, folder: str, config: Document = CONFIG) -> Case:
    file = file_of(record, folder)
    return fails(name, why, placed(record, file, config), *at(file, "KA203", "/domain"))


RECORD_DOMAIN = (
    passes("known", "each in the folder of its domain", memory(RECORD, OTHER, COLD)),
    passes(
        "unknown-domain",
        "the folder is unknown, and the domain stays",
        _foldered(INSURANCE, "unknown"),
    ),
    passes(
        "unknown-domain-archived", "the archive does the same", _foldered(COLD_INSURANCE, "unknown")
    ),
    passes("called-unknown", "a record may say so itself", memory(make_record(domain="unknown"))),
    passes(
        "any-domain",
        "an empty list knows every domain",
        _foldered(INSURANCE, "insurance", ANY_DOMAIN),
    ),
    passes(
        "own-domains",
        "what the configuration names",
        memory(INSURANCE, config=edited(CONFIG, {"/known_domains": ["insurance"]})),
    ),
    passes(
        "domain-that-is-no-folder",
        "a name that no folder can have is unknown like any other",
        _foldered(make_record(domain="banking/loans"), "unknown"),
    ),
    passes(
        "config-unreadable",
        "which domains are known is not known",
        memory(INSURANCE).adding({within("config.json"): b"{"}),
        *at("config.json", "KA001"),
    ),
    passes(
        "excluded",
        "the configuration leaves the record out",
        silent(_foldered(RECORD, "retail"), within(f"retail/bank_kc_automation/{NAME}")),
    ),
    _astray("other-domain", "a lesson of banks among those of shops", RECORD, "retail"),
    _astray("other-domain-archived", "the same in the archive", COLD, "retail"),
    _astray("known-under-unknown", "banking is known", RECORD, "unknown"),
    _astray("known-under-unknown-archived", "banking is known", COLD, "unknown"),
    _astray("unknown-domain-in-its-own-folder", "it belongs under unknown", INSURANCE, "insurance"),
    _astray(
        "unknown-domain-archived-in-its-own-folder",
        "it belongs under unknown",
        COLD_INSURANCE,
        "insurance",
    ),
    _astray("unknown-domain-under-a-known-one", "it belongs under unknown", INSURANCE, "banking"),
    _astray(
        "any-domain-under-unknown",
        "no domain is unknown where all are allowed",
        INSURANCE,
        "unknown",
        ANY_DOMAIN,
    ),
    _astray(
        "in-other-case",
        "Banking is not banking, so it is unknown",
        make_record(domain="Banking"),
        "banking",
    ),
    _astray(
        "called-unknown-elsewhere",
        "unknown is its folder",
        make_record(domain="unknown"),
        "banking",
    ),
    _astray("without-tiers", "the same in version 1.0", SIMPLE, "retail", CONFIG_1_0),
    fails(
        "by-default",
        "without a configuration the protocol's four domains are known",
        memory(make_record(domain="insurance", version="1.0"), config=None, index=False),
        *on(INSURANCE, "KA203", "/domain"),
    ),
    fails(
        "own-domains-without-banking",
        "the configuration replaces the protocol's domains",
        memory(RECORD, config=edited(CONFIG, {"/known_domains": ["insurance"]})),
        *on(RECORD, "KA203", "/domain"),
    ),
)


def _rewarded(reward: float, label: str = "good", record: Document = RECORD) -> World:
    return memory(edited(record, {"/reward": reward, "/reward_label": label}))


REWARD_RANGE = (
    passes("level", "one of the protocol's levels", memory(RECORD, COLD)),
    passes("zero", "the lowest reward", _rewarded(0, "failed")),
    passes("one", "the highest reward", _rewarded(1, "excellent")),
    passes("one-with-decimal", "the same number", _rewarded(1.0, "excellent")),
    passes("between-levels", "a reward need not be a level", _rewarded(0.123456789)),
    passes("with-exponent", "another way to write a small number", _rewarded(1e-05)),
    *(
        fails(
            f"{name}{suffix}",
            why,
            _rewarded(reward, label, record),
            *on(record, "KA204", "/reward"),
        )
        for name, why, reward, label in (
            ("above-one", "just beyond the scale", 1.01, "excellent"),
            ("percent", "the scale ends at 1", 70, "good"),
            ("huge", "it would decide every average alone", 1e300, "good"),
            ("below-zero", "just beyond the scale", -0.01, "failed"),
            ("minus-zero", "a minus sign has no place, even before nothing", -0.0, "failed"),
        )
        for suffix, record in (("", RECORD), ("-archived", COLD))
    ),
    fails(
        "without-tiers",
        "the same in version 1.0",
        simple(edited(SIMPLE, {"/reward": 1.7})),
        *on(SIMPLE, "KA204", "/reward"),
    ),
    fails(
        "among-others",
        "one record, and the average it spoils",
        memory(RECORD, make_record(phase="phase-3", reward=3.0), OTHER),
        *on(make_record(phase="phase-3"), "KA204", "/reward"),
    ),
)

TWO_NAMES = edited(CONFIG, {"/reward_levels/fine": 0.7})
OWN_LEVELS = edited(CONFIG, {"/reward_levels": {"yes": 1, "no": 0}})


def _labelled(
    name: str, why: str, reward: float, label: str, record: Document = RECORD, **choices: Any
) -> Case:
    said = edited(record, {"/reward": reward, "/reward_label": label})
    return fails(name, why, memory(said, **choices), *on(record, "KA205", "/reward_label"))


REWARD_LABEL = (
    *(
        passes(
            f"{label.replace('_', '-')}",
            "the label of its level",
            memory(
                make_record(reward=reward),
                archive(make_record(at=LONG_AGO, reward=reward), ARCHIVED),
            ),
        )
        for label, reward in CONFIG["reward_levels"].items()
    ),
    passes(
        "between-levels", "a reward that is no level has any label", _rewarded(0.75, "quite good")
    ),
    passes("near-a-level", "equal is equal", _rewarded(0.7000001, "fair")),
    passes("whole-number", "1 is the level 1.0", _rewarded(1, "excellent")),
    passes(
        "two-names",
        "a level has two labels, and this is one",
        memory(edited(RECORD, {"/reward_label": "fine"}), config=TWO_NAMES),
    ),
    passes(
        "own-levels",
        "the configuration's levels replace the protocol's",
        memory(RECORD, make_record(phase="phase-3", reward=0.3), config=OWN_LEVELS),
    ),
    passes(
        "excluded",
        "the configuration leaves the record out",
        silent(_rewarded(0.7, "excellent"), path_of(RECORD)),
    ),
    passes(
        "config-unreadable",
        "which levels there are is not known",
        _rewarded(0.7, "excellent").adding({within("config.json"): b"{"}),
        *at("config.json", "KA001"),
    ),
    _labelled("too-good", "0.7 is good", 0.7, "excellent"),
    _labelled("too-bad", "1 is excellent", 1, "good"),
    _labelled("zero", "0 is failed", 0, "needs_work"),
    _labelled("other-case", "labels are compared letter by letter", 0.7, "Good"),
    _labelled("with-hyphen", "needs_work has an underscore", 0.3, "needs-work"),
    _labelled("empty", "no label is not its label", 0.7, ""),
    _labelled("archived", "the same in the archive", 0.7, "excellent", COLD),
    _labelled("two-names-and-a-third", "neither of the two", 0.7, "great", config=TWO_NAMES),
    _labelled("own-levels", "the configuration's label counts", 1, "excellent", config=OWN_LEVELS),
    _labelled("by-default", "the protocol's levels count", 0.7, "great", config=None, index=True),
    _labelled("without-tiers", "the same in version 1.0", 0.7, "bad", SIMPLE, config=CONFIG_1_0),
)


def _expiring(record: Document, after: timedelta, **choices: Any) -> World:
    """``record`` expires ``after`` its time, and the index says so too."""
    due = iso(datetime.fromisoformat(record["timestamp"]) + after)
    return memory(edited(record, {"/expires_at": due}), **choices)


def _untimely(name: str, why: str, record: Document, after: timedelta, **choices: Any) -> Case:
    world = _expiring(record, after, **choices)
    return fails(name, why, world, *on(record, "KA206", "/expires_at"))


YEAR_COLD = edited(CONFIG, {"/tier_cold_days": 365})
EXPIRES_AT = (
    passes("cold-days", "180 days after its time", memory(RECORD)),
    passes("a-day-later", "within a day, and a day is within", _expiring(RECORD, 181 * DAY)),
    passes("a-day-earlier", "within a day, and a day is within", _expiring(RECORD, 179 * DAY)),
    passes("retention-days", "90 days without tiers", simple()),
    passes("a-day-after-retention", "within a day", _expiring(SIMPLE, 91 * DAY, config=CONFIG_1_0)),
    passes(
        "own-cold-days",
        "the configuration's days count",
        _expiring(RECORD, 365 * DAY, config=YEAR_COLD),
    ),
    passes(
        "own-retention-days",
        "the configuration's days count",
        _expiring(SIMPLE, 30 * DAY, config=edited(CONFIG_1_0, {"/retention_days": 30})),
    ),
    passes(
        "other-zone",
        "dates are compared as moments",
        memory(edited(RECORD, {"/expires_at": "2026-08-28T15:30:00+03:00"})),
    ),
    passes("null-for-ever", "retention 0 means no date", simple(LASTING, config=FOR_EVER)),
    passes(
        "missing-for-ever",
        "retention 0 means no date, and no field either",
        simple(edited(LASTING, {"/expires_at": REMOVED}), config=FOR_EVER),
    ),
    passes(
        "older-than-the-tiers", "a record of version 1.0 keeps its retention's date", memory(SIMPLE)
    ),
    passes(
        "version-1.0-with-tiers",
        "a writer of records of version 1.0 may follow the tiers",
        memory(make_record(version="1.0", days=180)),
    ),
    passes(
        "defaults-with-tiers", "an index shows version 1.1", memory(RECORD, config=None, index=True)
    ),
    passes(
        "defaults-without-tiers",
        "nothing shows version 1.1",
        memory(SIMPLE, config=None, index=False),
    ),
    passes("archived", "an archived record has no date of its own", memory(COLD)),
    passes(
        "tiers-unknown",
        "what contradicts itself says nothing of a date",
        _expiring(RECORD, 7 * DAY, config=edited(CONFIG, {"/tier_hot_days": 100})),
        *at("config.json", "KA211", "/tier_hot_days"),
    ),
    _untimely("late", "a day and a second", RECORD, 181 * DAY + SECOND),
    _untimely("early", "a day and a second", RECORD, 179 * DAY - SECOND),
    _untimely("outlives-all", "a lesson that would never be forgotten", RECORD, 36500 * DAY),
    _untimely("at-once", "a lesson that no query sees", RECORD, 0 * DAY),
    _untimely("before-its-time", "it would have expired before it was stored", RECORD, -1 * DAY),
    _untimely(
        "retention-with-tiers", "tiers replace retention for records of 1.1", RECORD, 90 * DAY
    ),
    _untimely(
        "cold-days-without-tiers", "90 days without tiers", SIMPLE, 180 * DAY, config=CONFIG_1_0
    ),
    _untimely(
        "late-without-tiers", "a day and a second", SIMPLE, 91 * DAY + SECOND, config=CONFIG_1_0
    ),
    _untimely(
        "early-without-tiers", "a day and a second", SIMPLE, 89 * DAY - SECOND, config=CONFIG_1_0
    ),
    _untimely("date-for-ever", "retention 0 means no date", LASTING, 90 * DAY, config=FOR_EVER),
    _untimely("neither-date", "neither the tiers' date nor the retention's", SIMPLE, 120 * DAY),
    _untimely(
        "cold-days-of-others", "the configuration's days count", RECORD, 180 * DAY, config=YEAR_COLD
    ),
    _untimely(
        "default-with-tiers", "180 days by default", RECORD, 90 * DAY, config=None, index=True
    ),
    _untimely(
        "default-without-tiers", "90 days by default", SIMPLE, 180 * DAY, config=None, index=False
    ),
    fails(
        "late-in-another-zone",
        "half an hour more than a day, wherever the clock stands",
        memory(edited(RECORD, {"/expires_at": "2026-08-29T12:00:00-01:00"})),
        *on(RECORD, "KA206", "/expires_at"),
    ),
)


def _stored(moment: datetime) -> Document:
    return make_record(at=moment, version="1.0")


COLD_TOMORROW = archive(OLD, AS_OF + SECOND)
FUTURE_COLD = archive(make_record(at=AS_OF + SECOND), AS_OF + 91 * DAY)
RECORD_IN_FUTURE = (
    passes("past", "both were stored and one archived before now", memory(RECORD, COLD)),
    passes("now", "the moment itself is not after it", memory(make_record(at=AS_OF))),
    passes("archived-now", "the moment itself is not after it", memory(archive(OLD, AS_OF))),
    passes("expires-in-future", "an end lies in the future", memory(RECORD, as_of=STORED)),
    passes(
        "fraction-of-now",
        "the moment of a check has no fraction, and a record of it may have",
        memory(edited(RECORD, {"/timestamp": "2026-03-01T12:30:00.9Z"}), as_of=STORED),
    ),
    passes(
        "now-elsewhere",
        "moments are compared, not clocks",
        placed(
            edited(SIMPLE, {"/timestamp": "2026-03-02T02:30:00+14:00"}), file_of(SIMPLE), CONFIG_1_0
        )._replace(as_of=iso(STORED)),
    ),
    fails(
        "a-second",
        "a second is after; so is the index that it updated",
        memory(make_record(at=AS_OF + SECOND)),
        *on(_stored(AS_OF + SECOND), "KA207", "/timestamp"),
        *in_index("KA309", "/last_updated"),
    ),
    fails(
        "without-tiers",
        "the same in version 1.0",
        simple(_stored(AS_OF + DAY)),
        *on(_stored(AS_OF + DAY), "KA207", "/timestamp"),
    ),
    fails(
        "judged-earlier",
        "an honest record, of a commit that is older than it",
        simple(as_of=STORED - SECOND),
        *on(SIMPLE, "KA207", "/timestamp"),
    ),
    fails(
        "archived-tomorrow",
        "an archiving has a moment too",
        memory(COLD_TOMORROW),
        *on(COLD_TOMORROW, "KA207", "/archived_at"),
        *in_index("KA309", "/last_updated"),
    ),
    fails(
        "stored-and-archived",
        "both moments lie ahead",
        memory(FUTURE_COLD),
        *on(FUTURE_COLD, "KA207", "/original_timestamp", "/archived_at"),
        *in_index("KA309", "/last_updated"),
    ),
    fails(
        "far",
        "a record that stays young for a century",
        simple(_stored(AS_OF + 36500 * DAY)),
        *on(_stored(AS_OF + 36500 * DAY), "KA207", "/timestamp"),
    ),
)


def _promised(tag: str | None, emitted: str | None, record: Document = RECORD) -> World:
    said = edited(record, {"/promise_tag": tag, "/outcome/promise_emitted": emitted})
    return memory(said) if record is RECORD else simple(said)


PROMISE_MISMATCH = (
    passes("same", "one promise in two places", memory(RECORD)),
    passes("none", "no promise was emitted", _promised(None, None)),
    passes("archived", "an archived record has no outcome", memory(COLD)),
    passes(
        "tag-missing",
        "a field that is missing disagrees with nothing",
        altered(RECORD, {"/promise_tag": REMOVED}),
        *on(RECORD, "KA003", "/promise_tag"),
    ),
    passes(
        "outcome-missing",
        "an outcome that is missing says nothing",
        altered(RECORD, {"/outcome": REMOVED}),
        *on(RECORD, "KA003", "/outcome"),
    ),
    passes(
        "emitted-missing",
        "a field that is missing disagrees with nothing",
        altered(RECORD, {"/outcome/promise_emitted": REMOVED}),
        *on(RECORD, "KA003", "/outcome/promise_emitted"),
    ),
    *(
        fails(name, why, _promised(tag, emitted, record), *on(record, "KA208", "/promise_tag"))
        for name, why, tag, emitted, record in (
            ("differs", "two promises", "CASE_EXPLORED", "RESEARCH_PARANOID_PASSED", RECORD),
            ("tag-alone", "a promise that was not emitted", "CASE_EXPLORED", None, RECORD),
            ("outcome-alone", "a promise that nobody finds", None, "CASE_EXPLORED", RECORD),
            (
                "other-case",
                "promises are compared letter by letter",
                "case_explored",
                "CASE_EXPLORED",
                RECORD,
            ),
            ("empty-and-none", "an empty promise is a string, and none is null", "", None, RECORD),
            ("without-tiers", "the same in version 1.0", "A", "B", SIMPLE),
        )
    ),
)

JOINED = (make_record("a", "b_c"), make_record("a_b", "c"))
TWIN = make_record(domain="retail")
COLD_TWIN = archive(make_record(at=LONG_AGO, domain="retail"), ARCHIVED)
UNICODE = (make_record(COMPOSED), make_record(DECOMPOSED, domain="retail"))
CLAIMING = make_record("shop_returns", domain="retail", version="1.0")
THIRD = make_record(domain="healthcare")
RECORD_REPEATED = (
    passes("different", "other slug, phase and time", memory(RECORD, OTHER, COLD)),
    passes("same-second", "two phases in one second", memory(RECORD, make_record(phase="phase-3"))),
    passes(
        "same-phase",
        "a phase again, a second later",
        memory(RECORD, make_record(at=STORED + SECOND)),
    ),
    fails(
        "other-case",
        "on many systems their files would overwrite each other",
        memory(RECORD, make_record("Bank_KC_automation", domain="retail")),
        *on(make_record("Bank_KC_automation", domain="retail"), "KA209", "/id"),
    ),
    passes(
        "two-roots",
        "an id is unique in its root",
        memory(RECORD).adding(memory(RECORD, root=SKILL_ROOT).tree),
    ),
    passes(
        "active-and-archived",
        "a record and its archived copy are rule KA404's",
        lenient(memory(OLD, COLD), 30),
        *on(OLD, "KA404", "/id"),
    ),
    fails(
        "two-domains",
        "the path tells them apart, and the index does not",
        memory(RECORD, TWIN),
        *on(TWIN, "KA209", "/id"),
    ),
    fails(
        "three-domains",
        "each but the first",
        memory(RECORD, THIRD, TWIN),
        *on(THIRD, "KA209", "/id"),
        *on(TWIN, "KA209", "/id"),
    ),
    fails(
        "archived-in-two-domains",
        "the same in the archive",
        memory(COLD, COLD_TWIN),
        *on(COLD_TWIN, "KA209", "/id"),
    ),
    fails(
        "without-tiers",
        "the same in version 1.0",
        simple(SIMPLE, make_record(domain="retail", version="1.0")),
        *on(TWIN, "KA209", "/id"),
    ),
    fails(
        "slug-and-phase-joined",
        "a with b_c, and a_b with c: one underscore joins them, so the ids are one",
        memory(*JOINED),
        *on(JOINED[1], "KA209", "/id"),
    ),
    fails(
        "composed-and-decomposed",
        "one name to a file system that normalises",
        memory(*UNICODE),
        *on(UNICODE[1], "KA209", "/id"),
    ),
    fails(
        "claimed",
        "a record with another's id disagrees with its own path besides",
        simple(SIMPLE).adding({path_of(CLAIMING): dumps({**CLAIMING, "id": SIMPLE["id"]})}),
        *on(CLAIMING, "KA202", "/id"),
        *on(CLAIMING, "KA209", "/id"),
    ),
)


def _cold(name: str, why: str, changes: Mapping[str, Any], *pointers: str) -> Case:
    return fails(name, why, altered(COLD, changes), *on(COLD, "KA210", *pointers))


EXTRAS = (
    "version",
    "timestamp",
    "case_slug",
    "phase_name",
    "reward_reason",
    "context",
    "outcome",
    "expires_at",
)
COLD_SHAPE = (
    passes("protocol-fields", "exactly the protocol's fields", memory(COLD)),
    passes("no-promise", "no promise was emitted", memory(edited(COLD, {"/promise_tag": None}))),
    passes(
        "summary-of-200",
        "as long as archiving makes it",
        memory(edited(COLD, {"/summary": "s" * 200})),
    ),
    passes(
        "summary-of-200-beyond-the-plane",
        "code points are counted, not what encodes them",
        memory(edited(COLD, {"/summary": "\U0001f600" * 200})),
    ),
    passes(
        "empty-summary",
        "nothing was said, and the field is there",
        memory(edited(COLD, {"/summary": ""})),
    ),
    passes(
        "field-missing",
        "a field too few is rule KA003's",
        altered(COLD, {"/summary": REMOVED}),
        *on(COLD, "KA003", "/summary"),
    ),
    passes(
        "active-with-more",
        "an active record's unknown field is rule KA004's",
        memory(edited(RECORD, {"/summary": "s" * 201})),
        *on(RECORD, "KA004", "/summary"),
    ),
    *(
        _cold(
            f"keeps-{field.replace('_', '-')}",
            "archiving drops it",
            {f"/{field}": OLD[field]},
            f"/{field}",
        )
        for field in EXTRAS
    ),
    _cold("foreign-field", "archiving adds nothing", {"/tier": "cold"}, "/tier"),
    _cold("two-fields", "each is named", {"/a": 1, "/b": 2}, "/a", "/b"),
    _cold("field-with-slash", "a slash is escaped in the pointer", {"/a~1b": 1}, "/a~1b"),
    _cold(
        "summary-of-201",
        "one character more than archiving leaves",
        {"/summary": "s" * 201},
        "/summary",
    ),
    _cold(
        "summary-of-201-letters",
        "letters of any script count once",
        {"/summary": "ж" * 201},
        "/summary",
    ),
    fails(
        "moved-by-hand",
        "an active record in the archive has too much, and lacks what archiving gives",
        memory(COLD).adding({path_of(COLD): dumps(OLD)}),
        *on(COLD, "KA210", *(f"/{field}" for field in EXTRAS)),
        *on(COLD, "KA003", "/slug", "/summary", "/archived_at", "/original_timestamp"),
    ),
)

CASES: Cases = {
    "KA202-record-identity": RECORD_IDENTITY,
    "KA203-record-domain": RECORD_DOMAIN,
    "KA204-reward-range": REWARD_RANGE,
    "KA205-reward-label": REWARD_LABEL,
    "KA206-expires-at": EXPIRES_AT,
    "KA207-record-in-future": RECORD_IN_FUTURE,
    "KA208-promise-mismatch": PROMISE_MISMATCH,
    "KA209-record-repeated": RECORD_REPEATED,
    "KA210-cold-shape": COLD_SHAPE,
}
