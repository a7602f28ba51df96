"""KA201, KA211 and KA212: what lies where in a memory root, and its configuration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.memory import CONFIG, CONFIG_1_0, ROOT, dumps, make_record
from tests.vectors.case import REMOVED, Case, Cases, Expected, World, edited, fails, passes
from tests.vectors.memory import (
    COLD,
    OTHER,
    RECORD,
    SIMPLE,
    SKILL_ROOT,
    at,
    configured,
    entry_of,
    in_config,
    in_index,
    memory,
    on,
    path_of,
    placed,
    silent,
    simple,
    within,
)

NAME = "phase-2_2026-03-01T12-30-00.json"
STAMP = "2026-03-01T12-30-00"


def _misplaced(name: str, why: str, file: str) -> Case:
    """A record beside an honest one, at a path that no record has."""
    world = memory(OTHER).adding({within(file): dumps(RECORD)})
    return fails(name, why, world, *at(file, "KA201"))


RECORD_PATH = (
    passes("active-and-archived", "both places that the protocol has", memory(RECORD, COLD)),
    passes("no-records", "a root in which nothing was stored yet", memory()),
    passes(
        "phase-with-underscores",
        "the stamp is what follows the last underscore",
        memory(make_record(phase="phase_2_b")),
    ),
    passes(
        "names-with-spaces",
        "the protocol restricts neither slugs nor phases",
        memory(make_record("bank of kc", "phase 2")),
    ),
    passes(
        "cyrillic-slug",
        "letters of any script",
        memory(make_record("банк_автоматизация")),
    ),
    passes(
        "slug-like-a-stamp",
        "a slug may look like anything that a folder may be called",
        memory(make_record(STAMP)),
    ),
    passes(
        "nested-root",
        "a root within a skill's folder is a root like the one at the top",
        memory(RECORD, root=SKILL_ROOT),
    ),
    passes(
        "root-within-a-root",
        "a file belongs to the innermost root around it",
        memory(RECORD).adding(memory(OTHER, root=within("banking/.keysarium/memory")).tree),
    ),
    passes(
        "elsewhere",
        "outside of a memory root a file may be called as it likes",
        memory(RECORD).adding({f".keysarium/{NAME}": b"{}", f"docs/memory/banking/{NAME}": b"{}"}),
    ),
    passes(
        "excluded",
        "the configuration leaves the file out",
        silent(
            memory(RECORD).adding({within("banking/notes.json"): b"{}"}),
            within("banking/notes.json"),
        ),
    ),
    passes(
        "domain-like-a-file",
        "config-json is a name like any other",
        memory(
            make_record(domain="config-json"),
            config=edited(CONFIG, {"/known_domains": ["config-json"]}),
        ),
    ),
    _misplaced("at-the-top", "neither domain nor slug", NAME),
    _misplaced("without-slug", "a domain and no slug", f"banking/{NAME}"),
    _misplaced("too-deep", "no query reads below a slug", f"banking/case-a/old/{NAME}"),
    _misplaced(
        "archive-without-slug", "an archived record has a slug too", f"banking/_archive/{NAME}"
    ),
    _misplaced("archive-too-deep", "no query reads there", f"banking/_archive/case-a/old/{NAME}"),
    _misplaced(
        "archive-at-the-top",
        "each domain has an archive of its own",
        f"_archive/banking/case-a/{NAME}",
    ),
    _misplaced(
        "archive-below-slug",
        "the archive is the domain's, not the slug's",
        f"banking/case-a/_archive/{NAME}",
    ),
    _misplaced("archive-twice", "an archive has no archive", f"banking/_archive/_archive/{NAME}"),
    _misplaced(
        "among-the-patterns", "what the protocol names is no domain", f"_patterns/case-a/{NAME}"
    ),
    _misplaced("hidden-domain", "a folder that is hidden is no domain", f".banking/case-a/{NAME}"),
    _misplaced("date-only", "a stamp has a time", "banking/case-a/phase-2_2026-03-01.json"),
    _misplaced(
        "stamp-with-zone", "a stamp ends with its seconds", f"banking/case-a/phase-2_{STAMP}Z.json"
    ),
    _misplaced(
        "stamp-with-fraction",
        "a stamp ends with its seconds",
        f"banking/case-a/phase-2_{STAMP}.5.json",
    ),
    _misplaced(
        "stamp-with-space",
        "a T stands between date and time",
        "banking/case-a/phase-2_2026-03-01 12-30-00.json",
    ),
    _misplaced("without-phase", "a stamp alone", f"banking/case-a/{STAMP}.json"),
    _misplaced(
        "empty-phase", "an underscore with no phase before it", f"banking/case-a/_{STAMP}.json"
    ),
    _misplaced(
        "upper-case-ending",
        "no query for .json files reads it",
        f"banking/case-a/phase-2_{STAMP}.JSON",
    ),
    _misplaced(
        "no-record-name",
        "a document among records that is none by its name",
        "banking/case-a/notes.json",
    ),
    _misplaced("no-record-name-in-domain", "the same beside the slugs", "banking/notes.json"),
    fails(
        "indexed-where-it-belongs",
        "the file is no record, so its entry dangles and counts for nothing",
        memory(RECORD)._replace(
            tree={
                **{
                    path: data
                    for path, data in memory(RECORD).tree.items()
                    if path != path_of(RECORD)
                },
                within(f"banking/{NAME}"): dumps(RECORD),
            }
        ),
        *at(f"banking/{NAME}", "KA201"),
        *in_index("KA303", entry_of(RECORD)),
        *in_index("KA305", "/record_count"),
        *in_index(
            "KA306", "/by_domain/banking", "/by_phase/phase-2", "/by_skill/goap-research-ed25519"
        ),
    ),
    fails(
        "indexed-where-it-lies",
        "an index that agrees makes a path no better",
        placed(RECORD, f"banking/{NAME}"),
        *at(f"banking/{NAME}", "KA201"),
        *in_index("KA303", entry_of(RECORD)),
        *in_index("KA305", "/record_count"),
        *in_index(
            "KA306", "/by_domain/banking", "/by_phase/phase-2", "/by_skill/goap-research-ed25519"
        ),
        *in_index("KA308", entry_of(RECORD, "file")),
    ),
    fails(
        "in-a-nested-root",
        "every root of a tree is judged",
        memory(RECORD).adding(
            {
                **memory(OTHER, root=SKILL_ROOT).tree,
                within(f"retail/{NAME}", SKILL_ROOT): dumps(RECORD),
            }
        ),
        Expected("KA201", "", within(f"retail/{NAME}", SKILL_ROOT)),
    ),
    fails(
        "without-tiers",
        "paths are the same in version 1.0",
        simple().adding({within(f"banking/{NAME}"): dumps(SIMPLE)}),
        *at(f"banking/{NAME}", "KA201"),
    ),
)


def _tiers(hot: Any, warm: Any, cold: Any) -> dict[str, Any]:
    return {"/tier_hot_days": hot, "/tier_warm_days": warm, "/tier_cold_days": cold}


def _without(name: str, why: str, *tiers: str) -> Case:
    changes = {f"/tier_{tier}_days": REMOVED for tier in tiers}
    return fails(name, why, configured(changes), *in_config("KA211", ""))


def _amiss(name: str, why: str, pointer: str, value: Any, place: str | None = None) -> Case:
    world = configured({pointer: value})
    return fails(name, why, world, *in_config("KA211", place or pointer))


MEMORY_CONFIG = (
    passes("protocol-defaults", "the configuration that the protocol shows", memory(RECORD)),
    passes("version-1.0", "no tiers", simple()),
    passes("no-config", "the defaults make sense", memory(RECORD, config=None, index=True)),
    passes(
        "version-1.1-without-tiers",
        "where tier_hot_days is missing the protocol falls back to retention",
        simple(config={**CONFIG_1_0, "version": "1.1"}),
    ),
    passes("shortest-tiers", "each tier lasts a day at least", configured(_tiers(1, 2, 3))),
    passes("longest-tiers", "a hundred years", configured(_tiers(30, 90, 36500))),
    passes("retention-0", "records are kept for ever", configured({"/retention_days": 0})),
    passes("retention-36500", "a hundred years", configured({"/retention_days": 36500})),
    passes(
        "one-result", "a query that gives one record", configured({"/max_results_per_query": 1})
    ),
    passes("disabled", "a memory may be switched off", configured({"/enabled": False}, RECORD)),
    passes("no-domains", "an empty list allows every domain", configured({"/known_domains": []})),
    passes(
        "domain-unknown",
        "it may be named, and is a folder in any case",
        configured({"/known_domains": ["banking", "unknown"]}, RECORD),
    ),
    passes(
        "levels-at-the-bounds",
        "0 and 1 are levels",
        configured({"/reward_levels": {"bad": 0, "fine": 1}}),
    ),
    passes(
        "levels-alike",
        "two levels may have two names",
        configured({"/reward_levels/fine": 0.7}),
    ),
    passes(
        "excluded",
        "the configuration of kattest leaves it out",
        silent(configured({"/max_results_per_query": 0}), within("config.json")),
    ),
    _without("cold-missing", "no tier says when records are purged", "cold"),
    _without("warm-missing", "no tier says when records are archived", "warm"),
    _without("hot-missing", "without it there are no tiers, so the others mean nothing", "hot"),
    _without("hot-alone", "one tier is not all three", "warm", "cold"),
    _without("cold-alone", "one tier is not all three", "hot", "warm"),
    *(
        fails(name, why, configured(_tiers(*days)), *in_config("KA211", "/tier_hot_days"))
        for name, why, days in (
            ("hot-0", "a record would never be hot", (0, 90, 180)),
            ("hot-negative", "no record is younger than now", (-30, 90, 180)),
            ("hot-as-long-as-warm", "a record would never be warm", (90, 90, 180)),
            ("hot-longer-than-warm", "the tiers must rise", (91, 90, 180)),
            ("warm-as-long-as-cold", "a record would never be archived", (30, 180, 180)),
            (
                "warm-longer-than-cold",
                "a record would be purged before it is archived",
                (30, 200, 180),
            ),
            ("cold-36501", "beyond a hundred years no calendar has every date", (30, 90, 36501)),
        )
    ),
    fails(
        "tiers-unknown",
        "with tiers that contradict themselves no record is early, late or due",
        configured(_tiers(90, 30, 180), RECORD, COLD),
        *in_config("KA211", "/tier_hot_days"),
    ),
    fails(
        "hot-missing-with-records",
        "retention counts, as the protocol has it: no archive, and 90 days",
        configured(
            {"/tier_hot_days": REMOVED},
            make_record(days=90),
            COLD,
        ),
        *in_config("KA211", ""),
        *on(COLD, "KA405"),
    ),
    _amiss("tiers-in-version-1.0", "version 1.0 has no tiers", "/version", "1.0"),
    fails(
        "two-faults",
        "every fault is named",
        configured({"/version": "1.0", **_tiers(30, 20, 10)}),
        *in_config("KA211", "/version", "/tier_hot_days"),
    ),
    _amiss("retention-negative", "no record is kept that long", "/retention_days", -1),
    _amiss("retention-36501", "beyond a hundred years", "/retention_days", 36501),
    fails(
        "retention-negative-without-tiers",
        "when records expire is not known then",
        simple(config={**CONFIG_1_0, "retention_days": -90}),
        *in_config("KA211", "/retention_days"),
    ),
    _amiss("no-results", "a query that gives nothing", "/max_results_per_query", 0),
    _amiss("negative-results", "less than nothing", "/max_results_per_query", -1),
    _amiss("no-levels", "no reward would have a label", "/reward_levels", {}),
    _amiss("level-above-1", "beyond the scale", "/reward_levels/splendid", 1.01),
    _amiss("level-below-0", "beyond the scale", "/reward_levels/awful", -0.01),
    _amiss("level-in-percent", "the scale ends at 1", "/reward_levels/good", 70),
    fails(
        "level-with-slash",
        "a slash is escaped in the pointer",
        configured({"/reward_levels/so~1so": 1.5}),
        *in_config("KA211", "/reward_levels/so~1so"),
    ),
    *(
        _amiss(name, why, "/known_domains", ["banking", domain], "/known_domains/1")
        for name, why, domain in (
            ("domain-empty", "a folder has a name", ""),
            ("domain-with-underscore", "such folders are the protocol's own", "_archive"),
            ("domain-hidden", "such folders are hidden", ".banking"),
            ("domain-climbing", "that is no folder of the root", ".."),
            ("domain-with-slash", "that is two folders", "banking/loans"),
            ("domain-config", "a file of the protocol has that name", "config.json"),
            ("domain-index", "a file of the protocol has that name", "index.json"),
            ("domain-twice", "once is enough", "banking"),
        )
    ),
    fails(
        "in-a-nested-root",
        "every root has a configuration of its own",
        memory(RECORD).adding(
            memory(config={**CONFIG_1_0, "max_results_per_query": 0}, root=SKILL_ROOT).tree
        ),
        Expected("KA211", "/max_results_per_query", within("config.json", SKILL_ROOT)),
    ),
)


def _strays() -> Iterator[Case]:
    for name, why, file in (
        ("at-the-top", "nothing reads it", "notes.md"),
        ("document-at-the-top", "the protocol names its documents", "backup.json"),
        ("in-domain", "beside the slugs", "banking/README.md"),
        ("beside-records", "among the records", "banking/case-a/notes.txt"),
        ("in-archive", "among the archived records", "banking/_archive/notes.txt"),
        ("unfinished-write", "what an interrupted write leaves", "index.json.part"),
        ("copy-of-a-record", "its ending says that it is no record", f"banking/case-a/{NAME}.old"),
        ("among-the-patterns", "one file is named there", "_patterns/other.json"),
        ("among-the-statistics", "two files are named there", "_stats/other.json"),
        ("archive-at-the-top", "the archives are the domains'", "_archive/notes.json"),
        ("unknown-protocol-folder", "the protocol names its folders", "_locks/index"),
    ):
        world = memory(RECORD).adding({within(file): b"{}"})
        yield fails(name, why, world, *at(file, "KA212"))


STRAY_FILE = (
    passes("nothing-else", "records, index and configuration", memory(RECORD, COLD)),
    passes(
        "side-files",
        "the files of _patterns and _stats that the protocol names",
        memory(RECORD).adding(
            {
                within("_patterns/domain-patterns.json"): b"[]",
                within("_stats/reward-summary.json"): b"{}",
                within("_stats/imported-baselines.json"): b"{}",
            }
        ),
    ),
    passes(
        "small-files-of-git",
        "git keeps and ignores files by them, in any folder",
        memory(RECORD).adding(
            {
                within(".gitattributes"): b"* -text\n",
                within(".gitignore"): b"*.lock\n",
                within("retail/.gitkeep"): b"",
                within("_stats/.gitkeep"): b"",
            }
        ),
    ),
    passes(
        "excluded",
        "what must stay can be named",
        silent(memory(RECORD).adding({within("README.md"): b"# Memory\n"}), within("README.md")),
    ),
    passes(
        "beside-the-root",
        "the folder around a memory is not the memory",
        memory(RECORD).adding({".keysarium/notes.md": b"", ".keysarium/memory.md": b""}),
    ),
    passes(
        "misplaced-document",
        "what lies where records do, and is called .json, is rule KA201's",
        memory(RECORD).adding({within("banking/notes.json"): b"{}"}),
        *at("banking/notes.json", "KA201"),
    ),
    *_strays(),
    fails(
        "other-case",
        "the protocol's names are compared letter by letter",
        simple().adding({within("Index.json"): b"{}"}),
        *at("Index.json", "KA212"),
        *at("Index.json", "KA006"),
    ),
    fails(
        "not-read",
        "a stray file is no document, so its content is nobody's concern",
        memory(RECORD).adding({within("backup.json"): b'{"a": NaN'}),
        *at("backup.json", "KA212"),
    ),
    passes(
        "symlink",
        "no link has a place in a memory, and rule KA006 says so",
        memory(RECORD)._replace(kinds={within("latest"): "symlink"}),
        *at("latest", "KA006"),
    ),
    passes(
        "symlink-in-place-of-a-domain",
        "what it leads to is read by every query, and is not in the tree: rule KA006 again",
        memory(RECORD)._replace(kinds={within("retail"): "symlink"}),
        *at("retail", "KA006"),
    ),
    fails(
        "root-of-strays",
        "a folder that is called a memory is judged as one",
        World({within("notes.md"): b""}),
        *at("notes.md", "KA212"),
    ),
    fails(
        "two-roots",
        "each root for itself",
        memory(RECORD).adding(
            {within("a.txt", SKILL_ROOT): b"", within("b.txt", f"c/{ROOT}"): b""}
        ),
        Expected("KA212", "", within("a.txt", SKILL_ROOT)),
        Expected("KA212", "", within("b.txt", f"c/{ROOT}")),
    ),
)

CASES: Cases = {
    "KA201-record-path": RECORD_PATH,
    "KA211-memory-config": MEMORY_CONFIG,
    "KA212-stray-file": STRAY_FILE,
}
