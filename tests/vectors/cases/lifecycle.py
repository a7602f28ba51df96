"""KA401 to KA406: every record is in the tier that its age demands."""

from __future__ import annotations

from datetime import timedelta

from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    STORED,
    archive,
    dumps,
    file_of,
    iso,
    make_index,
    make_record,
)
from tests.vectors.case import REMOVED, Case, Cases, Expected, edited, fails, passes
from tests.vectors.memory import (
    ARCHIVED,
    COLD,
    DAY,
    FOR_EVER,
    LASTING,
    LONG_AGO,
    OLD,
    RECORD,
    SECOND,
    SIMPLE,
    SKILL_ROOT,
    altered,
    at,
    entry_of,
    in_config,
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

SHORT = edited(CONFIG, {"/tier_hot_days": 1, "/tier_warm_days": 2, "/tier_cold_days": 3})
BRIEF = make_record(days=3)  # of a tree with the short tiers
BRIEF_COLD = archive(BRIEF, STORED + 2 * DAY + SECOND)
BROKEN_TIERS = edited(CONFIG, {"/tier_warm_days": 10})
FRACTION = edited(RECORD, {"/timestamp": "2026-03-01T12:30:00.5Z"})

ARCHIVE_OVERDUE = (
    passes("young", "a day old", memory(RECORD)),
    passes("archived", "it is where it should be", memory(COLD)),
    *(
        passes(name, why, memory(RECORD, as_of=STORED + age))
        for name, why, age in (
            ("day-before", "89 days old", 89 * DAY),
            ("second-before", "a second less than 90 days", 90 * DAY - SECOND),
            ("at-90-days", "the bound belongs to the younger tier", 90 * DAY),
        )
    ),
    *(
        passes(f"grace-{name}", why, lenient(memory(RECORD, as_of=STORED + age), 7))
        for name, why, age in (
            ("after-the-bound", "the days of grace have begun", 90 * DAY + SECOND),
            ("day-before", "the sixth of seven days of grace is over", 96 * DAY),
            ("at-its-end", "the bound belongs to the younger tier here too", 97 * DAY),
        )
    ),
    passes(
        "own-tiers-at-the-bound",
        "the configuration's days count",
        memory(BRIEF, config=SHORT, as_of=STORED + 2 * DAY),
    ),
    passes(
        "fraction",
        "the record is half a second younger than its second",
        memory(FRACTION, as_of=STORED + 90 * DAY),
    ),
    passes(
        "without-tiers",
        "in version 1.0 nothing is archived",
        simple(LASTING, config=FOR_EVER, as_of=STORED + 100 * DAY),
    ),
    passes(
        "tiers-unknown",
        "tiers that contradict themselves make nothing due",
        memory(RECORD, config=BROKEN_TIERS, as_of=STORED + 100 * DAY),
        *in_config("KA211", "/tier_hot_days"),
    ),
    passes(
        "config-unreadable",
        "which tiers there are is not known",
        memory(RECORD, as_of=STORED + 100 * DAY).adding({within("config.json"): b""}),
        *at("config.json", "KA001"),
    ),
    passes(
        "excluded",
        "the configuration leaves the record out",
        silent(memory(RECORD, as_of=STORED + 100 * DAY), path_of(RECORD)),
    ),
    passes(
        "too-old-for-the-archive",
        "what should be deleted need not be archived",
        memory(RECORD, as_of=STORED + 180 * DAY + SECOND),
        *on(RECORD, "KA402", "/timestamp"),
    ),
    passes(
        "time-unknown",
        "a time without a zone is no time, so nothing is due",
        altered(RECORD, {"/timestamp": "2026-03-01T12:30:00"}, as_of=STORED + 100 * DAY),
        *on(RECORD, "KA003", "/timestamp"),
    ),
    *(
        fails(name, why, memory(RECORD, as_of=STORED + age), *on(RECORD, "KA401", "/timestamp"))
        for name, why, age in (
            ("second-after", "90 days and a second", 90 * DAY + SECOND),
            ("day-after", "91 days", 91 * DAY),
            ("at-180-days", "not yet due for deletion", 180 * DAY),
        )
    ),
    fails(
        "grace-over",
        "seven days and a second late",
        lenient(memory(RECORD, as_of=STORED + 97 * DAY + SECOND), 7),
        *on(RECORD, "KA401", "/timestamp"),
    ),
    fails(
        "grace-until-deletion",
        "with a week of grace it is not yet due for deletion, and long for the archive",
        lenient(memory(RECORD, as_of=STORED + 187 * DAY), 7),
        *on(RECORD, "KA401", "/timestamp"),
    ),
    fails(
        "own-tiers",
        "the configuration's days count",
        memory(BRIEF, config=SHORT, as_of=STORED + 2 * DAY + SECOND),
        *on(RECORD, "KA401", "/timestamp"),
    ),
    fails(
        "other-zone",
        "ages are between moments, whatever the clock showed",
        placed(
            edited(RECORD, {"/timestamp": "2026-03-01T15:30:00+03:00"}), file_of(RECORD)
        )._replace(as_of=iso(STORED + 90 * DAY + SECOND)),
        *on(RECORD, "KA401", "/timestamp"),
    ),
    fails(
        "fraction-after",
        "half a second late",
        memory(FRACTION, as_of=STORED + 90 * DAY + SECOND),
        *on(RECORD, "KA401", "/timestamp"),
    ),
    fails(
        "older-than-the-tiers",
        "a record of version 1.0 is archived like any other, whenever it expires",
        memory(SIMPLE, as_of=STORED + 91 * DAY),
        *on(SIMPLE, "KA401", "/timestamp"),
    ),
    fails(
        "defaults-by-index",
        "without a configuration an index shows version 1.1",
        memory(SIMPLE, config=None, index=True, as_of=STORED + 91 * DAY),
        *on(SIMPLE, "KA401", "/timestamp"),
    ),
    fails(
        "defaults-by-archive",
        "without a configuration an archive shows version 1.1",
        memory(SIMPLE, COLD, config=None, index=False, as_of=STORED + 91 * DAY),
        *on(SIMPLE, "KA401", "/timestamp"),
        *on(COLD, "KA402", "/original_timestamp"),
        *at("index.json", "KA301"),
    ),
    fails(
        "defaults-by-record",
        "without a configuration a record of version 1.1 shows it",
        memory(RECORD, config=None, index=False, as_of=STORED + 91 * DAY),
        *on(RECORD, "KA401", "/timestamp"),
        *at("index.json", "KA301"),
    ),
    fails(
        "one-of-two",
        "each record has its own age",
        memory(OLD, RECORD),
        *on(OLD, "KA401", "/timestamp"),
    ),
    fails(
        "warm-in-the-index",
        "the index may call it warm, and it is still overdue",
        indexed({f"/records/{RECORD['id']}/tier": "warm"}, as_of=STORED + 91 * DAY),
        *on(RECORD, "KA401", "/timestamp"),
    ),
    fails(
        "nested-root-alone",
        "each root has tiers of its own",
        memory(BRIEF, config=SHORT, root=SKILL_ROOT, as_of=STORED + 2 * DAY + SECOND).adding(
            memory(RECORD).tree
        ),
        Expected("KA401", "/timestamp", path_of(BRIEF, SKILL_ROOT)),
    ),
)


def _purge(name: str, why: str, age: timedelta) -> tuple[Case, Case]:
    """An active record and an archived one, both due for deletion and for nothing else."""
    return (
        fails(
            f"active-{name}",
            why,
            memory(RECORD, as_of=STORED + age),
            *on(RECORD, "KA402", "/timestamp"),
        ),
        fails(
            f"archived-{name}",
            why,
            memory(COLD, as_of=LONG_AGO + age),
            *on(COLD, "KA402", "/original_timestamp"),
        ),
    )


def _kept(name: str, why: str, age: timedelta, grace: int = 0) -> tuple[Case, Case]:
    """An active record, due for the archive, and an archived one; neither is for deletion."""
    active, archived = memory(RECORD, as_of=STORED + age), memory(COLD, as_of=LONG_AGO + age)
    due = on(RECORD, "KA401", "/timestamp")
    return (
        passes(f"active-{name}", why, lenient(active, grace) if grace else active, *due),
        passes(f"archived-{name}", why, lenient(archived, grace) if grace else archived),
    )


PURGE_OVERDUE = (
    passes("young", "a day old, and archived lately", memory(RECORD, COLD)),
    *_kept("day-before", "179 days old", 179 * DAY),
    *_kept("second-before", "a second less than 180 days", 180 * DAY - SECOND),
    *_kept("at-180-days", "the bound belongs to the younger tier", 180 * DAY),
    *_kept("in-grace", "the days of grace have begun", 180 * DAY + SECOND, 7),
    *_kept("day-before-grace-ends", "the sixth of seven days of grace is over", 186 * DAY, 7),
    *_kept("at-the-end-of-grace", "the bound belongs to the younger tier here too", 187 * DAY, 7),
    passes(
        "without-tiers",
        "in version 1.0 a record goes by its own date",
        simple(LASTING, config=FOR_EVER, as_of=STORED + 1000 * DAY),
    ),
    passes(
        "tiers-unknown",
        "tiers that contradict themselves make nothing due",
        memory(RECORD, COLD, config=BROKEN_TIERS, as_of=STORED + 1000 * DAY),
        *in_config("KA211", "/tier_hot_days"),
    ),
    passes(
        "excluded",
        "the configuration leaves the record out",
        silent(memory(COLD, as_of=LONG_AGO + 181 * DAY), path_of(COLD)),
    ),
    passes(
        "time-unknown",
        "a record without a time has no age",
        altered(COLD, {"/original_timestamp": REMOVED}, as_of=LONG_AGO + 1000 * DAY),
        *on(COLD, "KA003", "/original_timestamp"),
    ),
    *_purge("second-after", "180 days and a second", 180 * DAY + SECOND),
    *_purge("day-after", "181 days", 181 * DAY),
    *_purge("years-after", "what was meant to be forgotten", 3000 * DAY),
    fails(
        "active-after-grace",
        "seven days and a second late",
        lenient(memory(RECORD, as_of=STORED + 187 * DAY + SECOND), 7),
        *on(RECORD, "KA402", "/timestamp"),
    ),
    fails(
        "archived-after-grace",
        "seven days and a second late",
        lenient(memory(COLD, as_of=LONG_AGO + 187 * DAY + SECOND), 7),
        *on(COLD, "KA402", "/original_timestamp"),
    ),
    fails(
        "own-tiers",
        "the configuration's days count",
        memory(BRIEF, config=SHORT, as_of=STORED + 3 * DAY + SECOND),
        *on(BRIEF, "KA402", "/timestamp"),
    ),
    fails(
        "age-since-storing",
        "archiving late makes no record younger",
        memory(
            archive(OLD, LONG_AGO + 179 * DAY),
            as_of=LONG_AGO + 180 * DAY + SECOND,
        ),
        *on(COLD, "KA402", "/original_timestamp"),
    ),
    fails(
        "both-copies",
        "the active one and its archived copy",
        memory(OLD, COLD, as_of=LONG_AGO + 181 * DAY),
        *on(OLD, "KA402", "/timestamp"),
        *on(OLD, "KA404", "/id"),
        *on(COLD, "KA402", "/original_timestamp"),
    ),
    fails(
        "defaults-by-archive",
        "without a configuration an archive shows version 1.1",
        memory(COLD, config=None, index=False, as_of=LONG_AGO + 181 * DAY),
        *on(COLD, "KA402", "/original_timestamp"),
        *at("index.json", "KA301"),
    ),
)


def _early(name: str, why: str, after: timedelta) -> Case:
    record = archive(OLD, LONG_AGO + after)
    return fails(name, why, memory(record), *on(COLD, "KA403", "/archived_at"))


ARCHIVED_EARLY = (
    passes("in-time", "92 days after it was stored", memory(COLD)),
    passes(
        "second-after", "90 days and a second", memory(archive(OLD, LONG_AGO + 90 * DAY + SECOND))
    ),
    passes(
        "late",
        "a late archiving is not an early one",
        memory(archive(OLD, LONG_AGO + 170 * DAY), as_of=LONG_AGO + 171 * DAY),
    ),
    passes(
        "own-tiers",
        "the configuration's days count",
        memory(
            BRIEF_COLD,
            config=SHORT,
            index=make_index([BRIEF_COLD], days=3),
            as_of=STORED + 3 * DAY,
        ),
    ),
    passes(
        "other-zone",
        "moments are compared, not clocks",
        memory(edited(COLD, {"/archived_at": "2026-02-18T04:00:00-08:01"})),
    ),
    passes(
        "grace",
        "grace is for what is late",
        lenient(memory(archive(OLD, LONG_AGO + 90 * DAY + SECOND)), 7),
    ),
    passes(
        "without-tiers",
        "no archive is in time there, which is rule KA405's",
        simple(archive(OLD, LONG_AGO + DAY)),
        *on(COLD, "KA405"),
    ),
    passes(
        "tiers-unknown",
        "tiers that contradict themselves make nothing early",
        memory(archive(OLD, LONG_AGO + DAY), config=BROKEN_TIERS),
        *in_config("KA211", "/tier_hot_days"),
    ),
    passes(
        "time-unknown",
        "a moment that is missing is not early",
        altered(COLD, {"/archived_at": REMOVED}),
        *on(COLD, "KA003", "/archived_at"),
    ),
    _early("at-90-days", "the bound belongs to the younger tier, and that is active", 90 * DAY),
    _early("second-before", "a second too early", 90 * DAY - SECOND),
    _early("day-before", "a day too early", 89 * DAY),
    _early("at-once", "an unwelcome lesson, buried at once", SECOND),
    _early("before-it-was-stored", "nobody archives what is not there", -1 * DAY),
    fails(
        "own-tiers",
        "the configuration's days count",
        memory(archive(OLD, ARCHIVED), config=edited(CONFIG, {"/tier_warm_days": 100})),
        *on(COLD, "KA403", "/archived_at"),
    ),
    fails(
        "young-record",
        "it is still hot",
        memory(archive(RECORD, STORED + SECOND)),
        *on(archive(RECORD, STORED), "KA403", "/archived_at"),
    ),
    fails(
        "clock-of-another-zone",
        "half past noon in the east is early in the morning here",
        memory(edited(COLD, {"/archived_at": "2026-02-18T12:30:00+08:00"})),
        *on(COLD, "KA403", "/archived_at"),
    ),
    fails(
        "by-default",
        "without a configuration the protocol's days count",
        memory(archive(OLD, LONG_AGO + DAY), config=None, index=True),
        *on(COLD, "KA403", "/archived_at"),
    ),
)

COLD_NEXT = archive(make_record(phase="phase-3", at=LONG_AGO), ARCHIVED)
COLD_ELSEWHERE = archive(make_record(at=LONG_AGO, domain="retail"), ARCHIVED)
ARCHIVED_TWICE = (
    passes("one-of-each", "two records", memory(RECORD, COLD)),
    passes(
        "same-slug-and-phase",
        "another time is another record",
        memory(COLD, make_record(at=LONG_AGO + SECOND, days=180)),
        *on(make_record(at=LONG_AGO + SECOND), "KA401", "/timestamp"),
    ),
    passes(
        "two-roots",
        "the copy in another root is another record",
        memory(COLD).adding(
            simple(
                make_record(at=LONG_AGO, version="1.0", days=0), config=FOR_EVER, root=SKILL_ROOT
            ).tree
        ),
    ),
    passes(
        "excluded",
        "the configuration leaves the active one out",
        silent(memory(OLD, COLD), path_of(OLD)),
    ),
    fails(
        "interrupted",
        "the archive was written, and the active record not removed; it is overdue besides",
        memory(OLD, COLD),
        *on(OLD, "KA401", "/timestamp"),
        *on(OLD, "KA404", "/id"),
    ),
    fails(
        "in-grace",
        "no grace is for being in two places",
        lenient(memory(OLD, COLD), 30),
        *on(OLD, "KA404", "/id"),
    ),
    fails(
        "index-names-the-active-one",
        "whichever of the two the index names, there are two",
        lenient(memory(OLD, COLD, index=False), 30),
        *on(OLD, "KA404", "/id"),
        *at("index.json", "KA301"),
    ),
    fails(
        "copy-in-another-domain",
        "an id is unique in its root, whatever the domains",
        lenient(memory(OLD, COLD_ELSEWHERE), 30),
        *on(OLD, "KA404", "/id"),
    ),
    fails(
        "without-tiers",
        "there should be no archive at all",
        simple(make_record(at=LONG_AGO, version="1.0", days=0), COLD, config=FOR_EVER),
        *on(OLD, "KA404", "/id"),
        *on(COLD, "KA405"),
    ),
    fails(
        "young",
        "archived early, and still there",
        memory(RECORD, archive(RECORD, STORED + SECOND)),
        *on(RECORD, "KA404", "/id"),
        *on(archive(RECORD, STORED), "KA403", "/archived_at"),
    ),
)

ARCHIVE_WITHOUT_TIERS = (
    passes("with-tiers", "an archive belongs there", memory(COLD)),
    passes("without-archive", "version 1.0 has none", simple()),
    passes(
        "no-config",
        "the archive itself shows version 1.1",
        memory(COLD, config=None, index=True),
    ),
    passes(
        "config-unreadable",
        "whether there are tiers is not known",
        memory(COLD).adding({within("config.json"): b"{"}),
        *at("config.json", "KA001"),
    ),
    passes(
        "excluded",
        "the configuration leaves the archive out",
        silent(simple(SIMPLE, COLD), within("banking/_archive/")),
    ),
    fails(
        "version-1.0", "nothing reads an archive there", simple(SIMPLE, COLD), *on(COLD, "KA405")
    ),
    fails("archive-alone", "nothing reads an archive there", simple(COLD), *on(COLD, "KA405")),
    fails(
        "version-1.1-without-tiers",
        "without tier_hot_days the lifecycle is disabled, whatever the version",
        simple(COLD, config={**CONFIG_1_0, "version": "1.1"}),
        *on(COLD, "KA405"),
    ),
    fails(
        "for-ever",
        "what is never deleted is not archived either",
        simple(LASTING, COLD, config=FOR_EVER),
        *on(COLD, "KA405"),
    ),
    fails(
        "two-records",
        "every record is named",
        simple(COLD, COLD_NEXT),
        *on(COLD, "KA405"),
        *on(COLD_NEXT, "KA405"),
    ),
    fails(
        "with-index",
        "an index makes no tiers where a configuration says that there are none",
        simple(
            COLD,
            index=edited(
                make_index([COLD]), {entry_of(COLD, "expires_at"): iso(LONG_AGO + 90 * DAY)}
            ),
        ),
        *on(COLD, "KA405"),
    ),
    fails(
        "retention-unknown",
        "how long records are kept is not known, and that there are no tiers is",
        simple(COLD, config={**CONFIG_1_0, "retention_days": -1}),
        *in_config("KA211", "/retention_days"),
        *on(COLD, "KA405"),
    ),
    fails(
        "very-old",
        "nothing purges an archive there",
        simple(COLD, as_of=LONG_AGO + 1000 * DAY),
        *on(COLD, "KA405"),
    ),
    fails(
        "in-a-nested-root",
        "each root has a configuration of its own",
        memory(COLD).adding(simple(COLD, root=SKILL_ROOT).tree),
        Expected("KA405", "", path_of(COLD, SKILL_ROOT)),
    ),
)

EXPIRED = STORED + 90 * DAY
RECORD_EXPIRED = (
    passes("young", "a day old", simple()),
    passes("day-before", "it expires tomorrow", simple(as_of=EXPIRED - DAY)),
    passes("at-the-moment", "it has not passed yet", simple(as_of=EXPIRED)),
    passes("grace", "the days of grace have begun", lenient(simple(as_of=EXPIRED + SECOND), 7)),
    passes(
        "at-the-end-of-grace",
        "seven days, and not more",
        lenient(simple(as_of=EXPIRED + 7 * DAY), 7),
    ),
    passes(
        "for-ever",
        "retention 0 means never",
        simple(LASTING, config=FOR_EVER, as_of=STORED + 3000 * DAY),
    ),
    passes(
        "for-ever-with-a-date",
        "where records are kept for ever a date is a fault, and no reason to delete",
        simple(config=FOR_EVER, as_of=EXPIRED + DAY),
        *on(SIMPLE, "KA206", "/expires_at"),
    ),
    passes(
        "with-tiers",
        "with tiers a record goes by its age, even one of version 1.0 that has expired",
        memory(
            make_record(version="1.0", days=30),
            config=edited(CONFIG, {"/retention_days": 30}),
            as_of=STORED + 31 * DAY,
        ),
    ),
    passes(
        "config-unreadable",
        "whether records expire is not known",
        simple(as_of=EXPIRED + DAY).adding({within("config.json"): b"{"}),
        *at("config.json", "KA001"),
    ),
    passes(
        "excluded",
        "the configuration leaves the record out",
        silent(simple(as_of=EXPIRED + DAY), path_of(SIMPLE)),
    ),
    passes(
        "date-unknown",
        "a date without a zone is no moment",
        simple(as_of=EXPIRED + DAY).adding(
            {path_of(SIMPLE): dumps({**SIMPLE, "expires_at": "2026-05-30T12:30:00"})}
        ),
        *on(SIMPLE, "KA003", "/expires_at"),
    ),
    *(
        fails(name, why, simple(as_of=EXPIRED + late), *on(SIMPLE, "KA406", "/expires_at"))
        for name, why, late in (
            ("second-after", "its date has passed", SECOND),
            ("day-after", "its date has passed", DAY),
            ("years-after", "nothing else ever deletes it", 1000 * DAY),
        )
    ),
    fails(
        "grace-over",
        "seven days and a second late",
        lenient(simple(as_of=EXPIRED + 7 * DAY + SECOND), 7),
        *on(SIMPLE, "KA406", "/expires_at"),
    ),
    fails(
        "own-retention",
        "the configuration's days made its date",
        simple(
            make_record(version="1.0", days=7),
            config=edited(CONFIG_1_0, {"/retention_days": 7}),
            as_of=STORED + 7 * DAY + SECOND,
        ),
        *on(SIMPLE, "KA406", "/expires_at"),
    ),
    fails(
        "by-its-own-word",
        "the record's date counts, though it is a day after what retention makes",
        simple(make_record(version="1.0", days=91), as_of=EXPIRED + DAY + SECOND),
        *on(SIMPLE, "KA406", "/expires_at"),
    ),
    passes(
        "by-its-own-word",
        "the record's date counts, though retention makes it a day earlier",
        simple(make_record(version="1.0", days=91), as_of=EXPIRED + DAY),
    ),
    fails(
        "wrong-date",
        "a date that is wrong has passed all the same",
        simple(make_record(version="1.0", days=2), as_of=STORED + 3 * DAY),
        *on(SIMPLE, "KA206", "/expires_at"),
        *on(SIMPLE, "KA406", "/expires_at"),
    ),
    fails(
        "version-1.1-without-tiers",
        "without tier_hot_days retention counts, whatever the version",
        simple(
            make_record(days=90),
            config={**CONFIG_1_0, "version": "1.1"},
            as_of=EXPIRED + SECOND,
        ),
        *on(RECORD, "KA406", "/expires_at"),
    ),
    fails(
        "no-config",
        "without a configuration, and with nothing of version 1.1, there are 90 days",
        simple(config=None, as_of=EXPIRED + SECOND),
        *on(SIMPLE, "KA406", "/expires_at"),
    ),
    fails(
        "one-of-two",
        "each record has its own date",
        simple(SIMPLE, make_record(at=STORED + DAY, version="1.0"), as_of=EXPIRED + SECOND),
        *on(SIMPLE, "KA406", "/expires_at"),
    ),
)

CASES: Cases = {
    "KA401-archive-overdue": ARCHIVE_OVERDUE,
    "KA402-purge-overdue": PURGE_OVERDUE,
    "KA403-archived-early": ARCHIVED_EARLY,
    "KA404-archived-twice": ARCHIVED_TWICE,
    "KA405-archive-without-tiers": ARCHIVE_WITHOUT_TIERS,
    "KA406-record-expired": RECORD_EXPIRED,
}
