"""KA504 to KA508: published records stay what they were until they are due."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    ROOT,
    STORED,
    Document,
    archive,
    dumps,
    file_of,
    iso,
    make_index,
    make_record,
)
from tests.vectors.case import (
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
    ARCHIVED,
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
    at,
    memory,
    on,
    path_of,
    silent,
    simple,
    within,
)

PATIENT = edited(CONFIG, {"/tier_warm_days": 120})
HASTY = edited(CONFIG, {"/tier_warm_days": 60})
SHORT_LIVED = edited(CONFIG, {"/tier_warm_days": 91, "/tier_cold_days": 95})
FORGETFUL = edited(CONFIG, {"/tier_cold_days": 100})
RAISED = edited(RECORD, {"/reward": 1.0, "/reward_label": "excellent"})
NEXT = make_record("shop_returns", "phase-0", STORED - 2 * DAY, domain="retail", skill="explore")
PURGE = LONG_AGO + 180 * DAY
EXPIRY = STORED + 90 * DAY
COLD_AGAIN = edited(COLD, {"/archived_at": iso(ARCHIVED + DAY)})
COLD_ONCE_MORE = edited(COLD, {"/archived_at": iso(ARCHIVED + 2 * DAY)})
ATTIC = f"attic/{ROOT}"
PAST_90_DAYS = make_record(at=STORED - 95 * DAY, version="1.0")
OTHERS_COLD = archive(
    make_record("card_limits", at=LONG_AGO, reward=0.3), ARCHIVED
)  # of the same age as COLD


def _simple(*records: Document, as_of: datetime) -> World:
    """A memory of version 1.0 with just these records."""
    return memory(*records, config=CONFIG_1_0, as_of=as_of)


def _changed(
    name: str, why: str, before: Document, changes: Mapping[str, Any], pointer: str, *more: Expected
) -> Case:
    """A published record that was edited, together with the index."""
    after = edited(before, changes)
    return fails(
        name, why, memory(after).since(memory(before)), *on(before, "KA504", pointer), *more
    )


def _archived(
    name: str, why: str, changes: Mapping[str, Any], pointers: str, *more: Expected
) -> Case:
    """A record that was archived as another than it was."""
    after = edited(COLD, changes)
    places = on(COLD, "KA506", *(f"/{field}" for field in pointers.split()))
    return fails(name, why, memory(after).since(memory(OLD)), *places, *more)


RECORD_CHANGED = (
    passes("unchanged", "the record is as it was", memory(RECORD).since(memory(RECORD))),
    passes("no-base", "nothing was published", memory(RECORD)),
    passes("added", "a memory grows by records", memory(RECORD, OTHER).since(memory(RECORD))),
    passes(
        "reformatted",
        "layout, and the order of members, are no part of what was said",
        memory(RECORD)
        .adding({path_of(RECORD): json.dumps(dict(reversed(RECORD.items()))).encode()})
        .since(memory(RECORD)),
    ),
    passes(
        "reward-spelled-otherwise",
        "0.7 and 0.70 are one number",
        memory(RECORD)
        .adding({path_of(RECORD): replaced(dumps(RECORD), '"reward": 0.7', '"reward": 0.70')})
        .since(memory(RECORD)),
    ),
    passes(
        "memory-moved",
        "the record is known by its id, wherever its memory is",
        memory(RECORD, COLD, root=SKILL_ROOT).since(memory(RECORD, COLD)),
    ),
    passes(
        "domain-moved",
        "what it says is what it said: the configuration knows its domain no more",
        memory(
            config=edited(CONFIG, {"/known_domains": ["retail"]}),
            index=make_index([RECORD], folder="unknown"),
        )
        .adding({within(file_of(RECORD, "unknown")): dumps(RECORD)})
        .since(memory(RECORD)),
    ),
    passes(
        "excluded",
        "the configuration leaves it out",
        silent(memory(RAISED), path_of(RECORD)).since(memory(RECORD)),
    ),
    passes(
        "in-two-roots",
        "two memories may have a record of one id, and each is followed in its own",
        memory(RECORD, root=f"docs/{ROOT}")
        .adding(memory(RAISED, root=SKILL_ROOT).tree)
        .since(memory(RECORD).adding(memory(RAISED, root=SKILL_ROOT).tree)),
    ),
    passes(
        "restored",
        "the tiers grew, and the record came back from the archive as it had been",
        memory(OLD, config=PATIENT).since(memory(COLD)),
    ),
    passes(
        "archive-cleaned-up",
        "the record was there twice, and stays as the active one that it was",
        memory(OLD, config=PATIENT).since(memory(OLD, COLD, config=PATIENT)),
    ),
    passes(
        "merged",
        "both sides stored a record",
        memory(RECORD, OTHER, NEXT)
        .since(memory(RECORD))
        .merging(ours=memory(RECORD, OTHER), theirs=memory(RECORD, NEXT)),
    ),
    passes(
        "archived-by-both",
        "two branches archived one record, and the copy of one of them has to go",
        memory(COLD_AGAIN).since(memory(OLD)).merging(ours=memory(COLD), theirs=memory(COLD_AGAIN)),
    ),
    passes(
        "archived-by-both-and-published",
        "one branch archived what was archived and published since, and that copy stays",
        memory(COLD).since(memory(COLD)).merging(ours=memory(COLD), theirs=memory(COLD_AGAIN)),
    ),
    _changed(
        "reward-raised",
        "the index was made anew, so that nothing contradicts it",
        RECORD,
        {"/reward": 1.0, "/reward_label": "excellent"},
        "/reward",
    ),
    _changed(
        "reason-reworded",
        "what is in no index",
        RECORD,
        {"/reward_reason": "The user was delighted"},
        "/reward_reason",
    ),
    _changed(
        "outcome-changed",
        "a value inside of another",
        RECORD,
        {"/outcome/iterations": 1},
        "/outcome/iterations",
    ),
    _changed(
        "list-shortened",
        "the element that is gone",
        RECORD,
        {"/context/upstream_promises": ["DISCOVERY_COMPLETE"]},
        "/context/upstream_promises/1",
    ),
    _changed(
        "expiry-moved",
        "within what is rounded",
        RECORD,
        {"/expires_at": iso(STORED + 180 * DAY - SECOND)},
        "/expires_at",
    ),
    _changed(
        "field-added",
        "a field that the protocol does not know",
        RECORD,
        {"/note": "as agreed"},
        "/note",
        *on(RECORD, "KA004", "/note"),
    ),
    fails(
        "field-removed",
        "what the protocol does not know was published all the same",
        memory(RECORD).since(memory(edited(RECORD, {"/note": "as agreed"}))),
        *on(RECORD, "KA504", "/note"),
    ),
    fails(
        "without-tiers",
        "a record of version 1.0",
        simple(edited(SIMPLE, {"/reward_reason": "The user was delighted"})).since(simple()),
        *on(SIMPLE, "KA504", "/reward_reason"),
    ),
    _changed(
        "archived-summary",
        "an archived record is as fixed as an active one",
        COLD,
        {"/summary": "All went well"},
        "/summary",
    ),
    _changed(
        "archived-anew",
        "the moment at which it was archived is a part of it",
        COLD,
        {"/archived_at": iso(ARCHIVED + DAY)},
        "/archived_at",
    ),
    fails(
        "archived-anew-on-a-side",
        "a side of the merge changed the moment, and the published one stays whoever merges",
        memory(COLD_AGAIN)
        .since(memory(COLD))
        .merging(ours=memory(COLD), theirs=memory(COLD_AGAIN)),
        *on(COLD, "KA504", "/archived_at"),
    ),
    fails(
        "archived-anew-on-both-sides",
        "both sides have the changed one, and it is not the published one",
        memory(COLD_AGAIN)
        .since(memory(COLD))
        .merging(ours=memory(COLD_AGAIN), theirs=memory(COLD_AGAIN)),
        *on(COLD, "KA504", "/archived_at"),
    ),
    fails(
        "archived-by-both-and-as-neither",
        "the copy is one that no side made",
        memory(COLD_ONCE_MORE)
        .since(memory(OLD))
        .merging(ours=memory(COLD), theirs=memory(COLD_AGAIN)),
        *on(COLD, "KA504", "/archived_at", "/archived_at"),
    ),
    fails(
        "archived-by-both-and-reworded",
        "the copy of one side says something else than when",
        memory(edited(COLD_AGAIN, {"/summary": "All went well"}))
        .since(memory(OLD))
        .merging(
            ours=memory(COLD), theirs=memory(edited(COLD_AGAIN, {"/summary": "All went well"}))
        ),
        *on(COLD, "KA504", "/archived_at"),
        *on(COLD, "KA506", "/summary"),
    ),
    fails(
        "one-of-two",
        "each record is followed",
        memory(RAISED, OTHER).since(memory(RECORD, OTHER)),
        *on(RECORD, "KA504", "/reward"),
    ),
    fails(
        "named-anew",
        "what is at its place says that it is another",
        memory(index=make_index([RECORD]))
        .adding({path_of(RECORD): dumps(edited(RECORD, {"/id": "another"}))})
        .since(memory(RECORD)),
        *on(RECORD, "KA504", "/id"),
        *on(RECORD, "KA202", "/id"),
        *on(RECORD, "KA302", "/id"),
        *at("index.json", "KA303", f"/records/{RECORD['id']}"),
    ),
    fails(
        "unreadable",
        "it is there, and nobody can read it",
        memory(RECORD).adding({path_of(RECORD): b"{\n"}).since(memory(RECORD)),
        *on(RECORD, "KA504", ""),
        *on(RECORD, "KA001", ""),
    ),
    fails(
        "archived-unreadable",
        "it is there, and nobody can read it",
        memory(COLD).adding({path_of(COLD): b"[]"}).since(memory(COLD)),
        *on(COLD, "KA504", ""),
        *on(COLD, "KA003", ""),
    ),
    fails(
        "memory-moved-and-changed",
        "it is found where it is now",
        memory(RAISED, root=SKILL_ROOT).since(memory(RECORD)),
        Expected("KA504", "/reward", path_of(RECORD, SKILL_ROOT)),
    ),
    fails(
        "restored-with-another-reason",
        "it came back from the archive as what the archive was not made of",
        memory(edited(OLD, {"/reward_reason": "The user was delighted"}), config=PATIENT).since(
            memory(COLD)
        ),
        *on(OLD, "KA504", "/summary"),
    ),
    fails(
        "restored-with-another-reward",
        "it came back from the archive as a better one",
        memory(edited(OLD, {"/reward": 1.0, "/reward_label": "excellent"}), config=PATIENT).since(
            memory(COLD)
        ),
        *on(OLD, "KA504", "/reward"),
    ),
    fails(
        "merged-with-a-change",
        "theirs was changed while it was merged",
        memory(RAISED, OTHER)
        .since(memory(OTHER))
        .merging(ours=memory(OTHER), theirs=memory(RECORD, OTHER)),
        *on(RECORD, "KA504", "/reward"),
    ),
)

RECORD_LOST = (
    passes("there", "the record is there", memory(RECORD).since(memory(RECORD))),
    passes("archived", "it is in the archive", memory(COLD).since(memory(OLD))),
    passes(
        "copy-cleaned-up",
        "it was there twice, and is in the archive still",
        memory(COLD).since(memory(OLD, COLD)),
    ),
    passes(
        "purged-when-due",
        "a second more than 180 days",
        memory(as_of=PURGE + SECOND).since(memory(OLD)),
    ),
    passes(
        "purged-by-its-own-days",
        "the published configuration's days count",
        memory(config=SHORT_LIVED, as_of=STORED + 95 * DAY + SECOND).since(
            memory(RECORD, config=SHORT_LIVED)
        ),
    ),
    passes(
        "excluded",
        "the configuration leaves it out",
        silent(memory(), f"{ROOT}/banking/").since(memory(RECORD)),
    ),
    passes(
        "expired",
        "without tiers a record goes once its own date has passed",
        _simple(as_of=EXPIRY + SECOND).since(simple()),
    ),
    passes(
        "of-version-1.0-alone",
        "its own 90 days are over, and nothing in its memory shows tiers",
        World({"README.md": b"# Skills\n"}).since(simple(PAST_90_DAYS, config=None)),
    ),
    passes(
        "memory-moved",
        "the record is known by its id, wherever its memory is",
        memory(RECORD, root=SKILL_ROOT).since(memory(RECORD)),
    ),
    passes(
        "purged-by-theirs",
        "one side deleted what was due, and the other had it still",
        memory(RECORD, as_of=PURGE + SECOND)
        .since(memory(RECORD, OLD))
        .merging(ours=memory(RECORD, OLD), theirs=memory(RECORD)),
    ),
    fails(
        "deleted",
        "the index was made anew, so that nothing tells of it",
        memory(OTHER).since(memory(RECORD, OTHER)),
        *on(RECORD, "KA505", ""),
    ),
    fails(
        "deleted-with-the-memory",
        "the whole memory is gone",
        World({"README.md": b"# Skills\n"}).since(memory(RECORD, OTHER)),
        *on(RECORD, "KA505", ""),
        *on(OTHER, "KA505", ""),
    ),
    fails(
        "deleted-when-warm-no-more",
        "it was due for the archive, and not for deletion",
        memory().since(memory(OLD)),
        *on(OLD, "KA505", ""),
    ),
    fails(
        "purged-at-180-days",
        "the bound belongs to the younger tier",
        memory(as_of=PURGE).since(memory(OLD)),
        *on(OLD, "KA505", ""),
    ),
    fails(
        "purged-by-days-lowered-on-the-way",
        "the published configuration's days count, not those of the change",
        memory(config=FORGETFUL).since(memory(OLD)),
        *on(OLD, "KA505", ""),
    ),
    fails(
        "purged-by-the-defaults",
        "without a configuration the protocol's days count",
        memory(config=None, index=True).since(memory(OLD, config=None, index=True)),
        *on(OLD, "KA505", ""),
    ),
    fails(
        "without-tiers-any-more",
        "the change took the tiers away, and the published ones count",
        _simple(as_of=STORED + 100 * DAY).since(memory(RECORD)),
        *on(RECORD, "KA505", ""),
    ),
    fails(
        "not-expired",
        "without tiers a record stays until its own date",
        _simple(as_of=EXPIRY).since(simple()),
        *on(SIMPLE, "KA505", ""),
    ),
    fails(
        "without-an-end",
        "a record that never expires stays for ever",
        memory(config=FOR_EVER, as_of=STORED + 1000 * DAY).since(simple(LASTING, config=FOR_EVER)),
        *on(LASTING, "KA505", ""),
    ),
    fails(
        "in-one-of-two-roots",
        "two memories had a record of one id, and one of them has lost it",
        memory()
        .adding(memory(RECORD, root=SKILL_ROOT).tree)
        .since(memory(RECORD).adding(memory(RECORD, root=SKILL_ROOT).tree)),
        *on(RECORD, "KA505", ""),
    ),
    fails(
        "moved-out-of-its-memory",
        "a memory moves as a whole: this one is there, and has lost a record to an attic",
        memory(OTHER).adding(memory(RECORD, root=ATTIC).tree).since(memory(RECORD, OTHER)),
        *on(RECORD, "KA505", ""),
    ),
    fails(
        "moved-out-of-a-memory-that-only-its-configuration-is-left-of",
        "the memory has no other record, and is there all the same",
        memory().adding(memory(RECORD, root=ATTIC).tree).since(memory(RECORD)),
        *on(RECORD, "KA505", ""),
    ),
    fails(
        "of-version-1.0-among-others",
        "its own 90 days are over, but its memory shows tiers: there a record stays for 180",
        memory(NEXT, OTHERS_COLD, config=None, index=False).since(
            memory(PAST_90_DAYS, NEXT, OTHERS_COLD, config=None, index=False)
        ),
        *on(PAST_90_DAYS, "KA505", ""),
        *at("index.json", "KA301"),
    ),
    fails(
        "stored-anew-under-another-id",
        "what is there now is another record",
        memory(make_record("bank_kc")).since(memory(RECORD)),
        *on(RECORD, "KA505", ""),
    ),
    fails(
        "out-of-the-way",
        "what lies beside the protocol's places is no record",
        memory().adding({within("banking/backup.txt"): dumps(RECORD)}).since(memory(RECORD)),
        *on(RECORD, "KA505", ""),
        *at("banking/backup.txt", "KA212"),
    ),
    fails(
        "merged-without-theirs",
        "the record that one side stored did not come through the merge",
        memory(RECORD, OTHER)
        .since(memory(RECORD))
        .merging(ours=memory(RECORD, OTHER), theirs=memory(RECORD, NEXT)),
        *on(NEXT, "KA505", ""),
    ),
    fails(
        "lost-of-all-sides",
        "what all sides had is reported once",
        memory(OTHER)
        .since(memory(RECORD, OTHER))
        .merging(ours=memory(RECORD, OTHER), theirs=memory(RECORD, OTHER)),
        *on(RECORD, "KA505", ""),
    ),
)

YOUNG = make_record(at=STORED - 70 * DAY)
YOUNG_COLD = archive(YOUNG, STORED)
ELSEWHERE = edited(COLD, {"/original_timestamp": "2025-11-20T15:00:00+03:00"})
UNTAGGED = edited(OLD, {"/promise_tag": None})

ARCHIVE_UNFAITHFUL = (
    passes("when-due", "just what archiving makes of it", memory(COLD).since(memory(OLD))),
    passes("no-base", "nothing tells what it was", memory(edited(COLD, {"/summary": "x"}))),
    passes(
        "and-moved",
        "the memory moved in the same change",
        memory(COLD, root=SKILL_ROOT).since(memory(OLD)),
    ),
    passes(
        "time-in-another-zone",
        "the archive says the moment in another way",
        memory(COLD).adding({path_of(COLD): dumps(ELSEWHERE)}).since(memory(OLD)),
    ),
    passes(
        "days-lowered-when-due",
        "by the published days it was due as well",
        memory(COLD, config=HASTY).since(memory(OLD)),
    ),
    passes(
        "days-lowered-before",
        "the lower days were published before it was archived",
        memory(YOUNG_COLD, config=HASTY).since(memory(YOUNG, config=HASTY)),
    ),
    passes(
        "tiers-introduced-when-due",
        "it was more than the protocol's 90 days old",
        memory(COLD, config=HASTY).since(simple(edited(OLD, {"/version": "1.0"}))),
    ),
    passes(
        "tiers-introduced-before",
        "the tree's own 90 days forbid it, and rule KA403 says so",
        memory(YOUNG_COLD).since(simple(YOUNG)),
        *on(YOUNG_COLD, "KA403", "/archived_at"),
    ),
    passes(
        "too-early",
        "its own tree forbids it, and rule KA403 says so",
        memory(YOUNG_COLD).since(memory(YOUNG)),
        *on(YOUNG_COLD, "KA403", "/archived_at"),
    ),
    passes(
        "excluded",
        "the configuration leaves it out",
        silent(memory(edited(COLD, {"/summary": "x"})), f"{ROOT}/banking/").since(memory(OLD)),
    ),
    passes(
        "archived-by-theirs",
        "one side archived what was due, and the other had it still",
        memory(COLD).since(memory(OLD)).merging(ours=memory(OLD), theirs=memory(COLD)),
    ),
    _archived("summary", "the lesson reads otherwise", {"/summary": "All went well"}, "summary"),
    _archived(
        "summary-cut-shorter",
        "the summary ends where it should, or it is another",
        {"/summary": COLD["summary"][:40]},
        "summary",
    ),
    _archived(
        "reward",
        "a better one came into the archive than had been stored",
        {"/reward": 1.0, "/reward_label": "excellent"},
        "reward reward_label",
    ),
    _archived(
        "reward-alone",
        "a reward that is no level's, with the label that it had",
        {"/reward": 0.8},
        "reward",
    ),
    _archived("promise", "it kept another promise", {"/promise_tag": "ANOTHER"}, "promise_tag"),
    _archived("promise-dropped", "it kept one", {"/promise_tag": None}, "promise_tag"),
    _archived("skill", "another skill takes the blame", {"/skill_used": "explore"}, "skill_used"),
    fails(
        "promise-made-up",
        "it kept none",
        memory(COLD).since(memory(UNTAGGED)),
        *on(COLD, "KA506", "/promise_tag"),
    ),
    fails(
        "days-lowered-on-the-way",
        "the published configuration's days count, not those of the change",
        memory(YOUNG_COLD, config=HASTY).since(memory(YOUNG)),
        *on(YOUNG_COLD, "KA506", "/archived_at"),
    ),
    fails(
        "tiers-introduced-on-the-way",
        "without published tiers the protocol's 90 days count, not those of the change",
        memory(YOUNG_COLD, config=HASTY).since(simple(YOUNG)),
        *on(YOUNG_COLD, "KA506", "/archived_at"),
    ),
    fails(
        "days-lowered-in-another-memory",
        "the memory moved on the way, and its published days count",
        memory(YOUNG_COLD, config=HASTY, root=SKILL_ROOT).since(memory(YOUNG)),
        Expected("KA506", "/archived_at", path_of(YOUNG_COLD, SKILL_ROOT)),
    ),
    fails(
        "and-moved",
        "it is found where it is now",
        memory(edited(COLD, {"/summary": "All went well"}), root=SKILL_ROOT).since(memory(OLD)),
        Expected("KA506", "/summary", path_of(COLD, SKILL_ROOT)),
    ),
    fails(
        "archived-by-theirs",
        "one side archived it as another than the other had it",
        memory(edited(COLD, {"/summary": "All went well"}))
        .since(memory(OLD))
        .merging(ours=memory(OLD), theirs=memory(edited(COLD, {"/summary": "All went well"}))),
        *on(COLD, "KA506", "/summary"),
    ),
)

PURGED_EARLY = (
    passes("there", "the archive is as it was", memory(COLD).since(memory(COLD))),
    passes(
        "when-due",
        "a second more than 180 days",
        memory(as_of=PURGE + SECOND).since(memory(COLD)),
    ),
    passes(
        "restored",
        "the tiers grew, and it is active again",
        memory(OLD, config=PATIENT).since(memory(COLD)),
    ),
    passes(
        "excluded",
        "the configuration leaves it out",
        silent(memory(), f"{ROOT}/banking/").since(memory(COLD)),
    ),
    passes(
        "days-raised-when-due",
        "the new days are for what comes",
        memory(config=edited(CONFIG, {"/tier_cold_days": 360}), as_of=PURGE + SECOND).since(
            memory(COLD)
        ),
    ),
    passes(
        "by-theirs",
        "one side deleted what was due, and the other had it still",
        memory(as_of=PURGE + SECOND)
        .since(memory(COLD))
        .merging(ours=memory(COLD), theirs=memory()),
    ),
    fails("deleted", "102 days old", memory().since(memory(COLD)), *on(COLD, "KA507", "")),
    fails(
        "at-180-days",
        "the bound belongs to the younger tier",
        memory(as_of=PURGE).since(memory(COLD)),
        *on(COLD, "KA507", ""),
    ),
    fails(
        "days-lowered-on-the-way",
        "the published configuration's days count, not those of the change",
        memory(config=FORGETFUL).since(memory(COLD)),
        *on(COLD, "KA507", ""),
    ),
    fails(
        "moved-out-of-its-memory",
        "a memory moves as a whole: this one is there, and has lost a record to an attic",
        memory(RECORD).adding(memory(COLD, root=ATTIC).tree).since(memory(RECORD, COLD)),
        *on(COLD, "KA507", ""),
        Expected("KA508", "/original_timestamp", path_of(COLD, ATTIC)),
    ),
    fails(
        "one-of-two",
        "each record is followed",
        memory(OTHERS_COLD).since(memory(COLD, OTHERS_COLD)),
        *on(COLD, "KA507", ""),
    ),
    fails(
        "with-the-memory",
        "the whole memory is gone, active record and archived one",
        World({"README.md": b"# Skills\n"}).since(memory(RECORD, COLD)),
        *on(RECORD, "KA505", ""),
        *on(COLD, "KA507", ""),
    ),
    fails(
        "merged-without-theirs",
        "one side archived a record of its own, and it did not come through the merge",
        memory(RECORD)
        .since(memory(RECORD))
        .merging(ours=memory(RECORD), theirs=memory(RECORD, COLD)),
        *on(COLD, "KA507", ""),
    ),
)

RECORD_BACKDATED = (
    passes("young", "stored yesterday", memory(RECORD, OTHER).since(memory(RECORD))),
    passes(
        "at-90-days",
        "the bound belongs to the younger tier",
        memory(RECORD, as_of=STORED + 90 * DAY).since(memory()),
    ),
    passes("no-base", "a first commit has no history", memory(RECORD, COLD)),
    passes(
        "published",
        "it was there before",
        memory(RECORD, COLD).since(memory(COLD)),
    ),
    passes("archived", "it was there before, as an active one", memory(COLD).since(memory(OLD))),
    passes(
        "archived-and-left",
        "it is there still as the active one that it was: KA404 says that it is there twice",
        memory(OLD, COLD).since(memory(OLD)),
        *on(OLD, "KA401", "/timestamp"),
        *on(OLD, "KA404", "/id"),
    ),
    passes(
        "memory-moved",
        "it was there before, in another folder",
        memory(RECORD, COLD, root=SKILL_ROOT).since(memory(RECORD, COLD)),
    ),
    passes(
        "without-tiers",
        "version 1.0 has no warm days",
        simple(make_record(at=STORED - 80 * DAY, version="1.0")).since(simple()),
        *on(SIMPLE, "KA505", ""),
    ),
    passes(
        "excluded",
        "the configuration leaves it out",
        silent(memory(RECORD, COLD), "_archive/").since(memory(RECORD)),
    ),
    passes(
        "from-the-other-side",
        "one side of the merge had it",
        memory(RECORD, COLD)
        .since(memory(RECORD))
        .merging(ours=memory(RECORD), theirs=memory(RECORD, COLD)),
    ),
    fails(
        "archived-already",
        "nobody ever saw it active",
        memory(RECORD, COLD).since(memory(RECORD)),
        *on(COLD, "KA508", "/original_timestamp"),
    ),
    fails(
        "active",
        "it says to be 102 days old, and nobody ever saw it",
        memory(RECORD, OLD).since(memory(RECORD)),
        *on(OLD, "KA508", "/timestamp"),
        *on(OLD, "KA401", "/timestamp"),
    ),
    fails(
        "second-after-90-days",
        "a second too late",
        memory(RECORD, as_of=STORED + 90 * DAY + SECOND).since(memory()),
        *on(RECORD, "KA508", "/timestamp"),
        *on(RECORD, "KA401", "/timestamp"),
    ),
    fails(
        "days-raised-on-the-way",
        "the published configuration's days count, not those of the change",
        memory(RECORD, OLD, config=PATIENT).since(memory(RECORD)),
        *on(OLD, "KA508", "/timestamp"),
    ),
    fails(
        "new-memory",
        "a memory that is brought in whole is new as well",
        memory(RECORD, COLD).since({"README.md": b"# Skills\n"}),
        *on(COLD, "KA508", "/original_timestamp"),
    ),
    fails(
        "in-a-merge",
        "neither side had it",
        memory(RECORD, COLD)
        .since(memory(RECORD))
        .merging(ours=memory(RECORD), theirs=memory(RECORD)),
        *on(COLD, "KA508", "/original_timestamp"),
    ),
)

CASES: Cases = {
    "KA504-record-changed": RECORD_CHANGED,
    "KA505-record-lost": RECORD_LOST,
    "KA506-archive-unfaithful": ARCHIVE_UNFAITHFUL,
    "KA507-purged-early": PURGED_EARLY,
    "KA508-record-backdated": RECORD_BACKDATED,
}
