"""KA501 to KA503: published rounds stay what they were, wherever they are."""

from __future__ import annotations

import json

from tests.support.rounds import ARTIFACT, make_round
from tests.vectors.case import (
    ARTIFACT_2,
    FILE,
    REMOVED,
    A,
    Case,
    Cases,
    Expected,
    Files,
    R,
    Round,
    World,
    dumps,
    edited,
    fails,
    judged,
    lexeme,
    on_day,
    passes,
    resealed,
)
from tests.vectors.memory import silent

R2 = "/evaluations/1"
HONEST = make_round()
SECOND = on_day(2, make_round(evaluation_id="second"))
THIRD = on_day(3, make_round(evaluation_id="third"))
SPLIT = make_round(scores=("9.0", "5.5", "8.0"))
SETTLED = make_round(scores=("9.0", "5.5", "8.0"), meta="7.5")
UNSETTLED = Expected("KA124", f"{R}/attestations")
GUIDE = b"# A guide\n"
OF_GUIDE = on_day(2, make_round(evaluation_id="of-guide", path="GUIDE.md", artifact=GUIDE))
NAMELESS = edited(HONEST, {"/evaluation_id": REMOVED})
OTHER_FILE = f"other/{FILE}"
FOLDER, NEW_FOLDER = "skills/explore", "skills/research"
UNLIKE = b"# A skill of its own\n\nNothing that the other one said is in it.\n"
LOST = Expected("KA502", "")


def _single(round_: Round) -> World:
    """A file that is one round, beside its artifact."""
    return World({FILE: json.dumps(round_).encode(), "SKILL.md": ARTIFACT})


def _in(folder: str, *made: Round, artifact: bytes = ARTIFACT) -> World:
    """A skill's folder with its attestation file."""
    return World({f"{folder}/{FILE}": dumps(*made), f"{folder}/SKILL.md": artifact})


def _only(files: Files) -> World:
    return World(files)


def _changed(name: str, why: str, after: Round, pointer: str, *others: Expected) -> Case:
    """The published round became ``after``; the first place where it differs is ``pointer``."""
    return fails(name, why, judged(after).since(judged(HONEST)), f"{R}{pointer}", *others)


REJUDGED = make_round(scores=("8.2", "9.9", "8.0"))
REWORDED = resealed(
    edited(HONEST, {"/attestations/2/rationale_summary": "All that is required is there by now."})
)
RAISED_MEAN = edited(HONEST, {"/final_score": 7.97})
RESETTLED = make_round(scores=("9.0", "5.5", "8.0"), meta="9.0")

ROUND_CHANGED = (
    passes("unchanged", "the round is as it was published", judged(HONEST).since(judged(HONEST))),
    passes("no-base", "nothing was published", judged(HONEST)),
    passes("new-file", "nothing was published here", judged(HONEST).since({"SKILL.md": ARTIFACT})),
    passes(
        "round-added",
        "a file grows by rounds at its end",
        judged(HONEST, SECOND).since(judged(HONEST)),
    ),
    passes(
        "round-added-before",
        "a round is known by its id, not by its place",
        judged(SECOND, HONEST).since(judged(HONEST)),
    ),
    passes(
        "reordered",
        "rounds are told apart by their ids",
        judged(SECOND, HONEST).since(judged(HONEST, SECOND)),
    ),
    passes(
        "reformatted",
        "layout is no part of what was said",
        _only({FILE: json.dumps({"evaluations": [HONEST]}).encode(), "SKILL.md": ARTIFACT}).since(
            judged(HONEST)
        ),
    ),
    passes(
        "keys-reordered",
        "the members of an object have no order",
        judged(dict(reversed(HONEST.items()))).since(judged(HONEST)),
    ),
    passes(
        "escaped",
        "a character and its escape are one",
        _only(
            {
                FILE: dumps(HONEST).replace(b"Clear protocol", b"\\u0043lear protocol"),
                "SKILL.md": ARTIFACT,
            }
        ).since(judged(HONEST)),
    ),
    passes(
        "score-without-fraction",
        "8.0 and 8 are one number, and either has the hash of the other",
        judged(edited(HONEST, {"/attestations/2/score": lexeme("8")})).since(judged(HONEST)),
    ),
    passes(
        "weight-with-exponent",
        "0.4 and 4e-1 are one number",
        judged(edited(HONEST, {"/weights/domain-expert": lexeme("4e-1")})).since(judged(HONEST)),
    ),
    passes(
        "listed-now",
        "a round at the top of a file may become the first of a list",
        judged(HONEST, SECOND).since(_single(HONEST)),
    ),
    passes(
        "moved-to-another-file",
        "the round is known by its id, wherever it stands",
        judged(HONEST).adding({OTHER_FILE: dumps(SECOND)}).since(judged(HONEST, SECOND)),
    ),
    passes(
        "copied-and-changed",
        "the copy took the id of a published round, which is still there: KA135 says so",
        judged(HONEST).adding({OTHER_FILE: dumps(REJUDGED)}).since(judged(HONEST)),
        Expected("KA135", f"{R}/evaluation_id", OTHER_FILE),
    ),
    passes(
        "meta-judge-added",
        "a split panel is settled by whoever comes last",
        judged(SETTLED).since(judged(SPLIT)),
    ),
    passes(
        "meta-judge-added-later",
        "that it ended later follows from it",
        judged(edited(SETTLED, {"/completed_at": "2026-03-01T12:30:00Z"})).since(judged(SPLIT)),
    ),
    passes(
        "meta-judge-added-to-the-last",
        "of two rounds the last one may still be settled",
        judged(HONEST, on_day(2, edited(SETTLED, {"/evaluation_id": "second"}))).since(
            judged(HONEST, on_day(2, edited(SPLIT, {"/evaluation_id": "second"})))
        ),
    ),
    passes(
        "meta-judge-added-with-a-round",
        "the round was the last one that was published",
        judged(SETTLED, SECOND).since(judged(SPLIT)),
    ),
    passes(
        "meta-judge-added-in-another-file",
        "it may move and be settled in one change",
        _only({OTHER_FILE: dumps(SETTLED), "SKILL.md": ARTIFACT}).since(judged(SPLIT)),
    ),
    passes(
        "excluded",
        "the configuration leaves the file out",
        silent(judged(REJUDGED), FILE).since(judged(HONEST)),
    ),
    passes(
        "merged",
        "both sides added a round, and both are there",
        judged(HONEST, SECOND, THIRD)
        .since(judged(HONEST))
        .merging(ours=judged(HONEST, SECOND), theirs=judged(HONEST, THIRD)),
    ),
    passes(
        "settled-by-theirs",
        "one side settled the round that the other left as it was",
        judged(SETTLED).since(judged(SPLIT)).merging(ours=judged(SPLIT), theirs=judged(SETTLED)),
    ),
    _changed(
        "rejudged",
        "a score was raised, and all hashes were made anew",
        REJUDGED,
        "/attestations/1/evaluation_hash",
    ),
    _changed(
        "rationale-reworded",
        "the rationale was replaced, and its hash made anew",
        REWORDED,
        "/attestations/2/evaluation_hash",
    ),
    _changed(
        "final-score-raised",
        "within what is rounded, and outside of every hash",
        RAISED_MEAN,
        "/final_score",
    ),
    _changed(
        "times-changed",
        "times are in no hash",
        edited(HONEST, {"/started_at": "2026-03-01T11:59:00Z"}),
        "/started_at",
    ),
    _changed(
        "judged-on-another-day",
        "the first of the places where it differs is reported",
        on_day(2, HONEST),
        "/attestations/0/timestamp",
    ),
    _changed(
        "completed-later",
        "nobody came after the panel",
        edited(HONEST, {"/completed_at": "2026-03-01T12:30:00Z"}),
        "/completed_at",
    ),
    _changed(
        "path-spelled-otherwise",
        "it leads to the same file, and is not what was published",
        edited(HONEST, {"/artifact_path": "./SKILL.md"}),
        "/artifact_path",
    ),
    _changed(
        "recipe-changed",
        "all hashes were made anew by the other recipe",
        make_round(bare=True),
        "/attestations/0/evaluation_hash",
    ),
    _changed(
        "prefix-dropped",
        "the two spellings of a hash say the same, and are not the same",
        edited(
            HONEST,
            {
                "/attestations/0/previous_attestation_hash": HONEST["attestations"][0][
                    "previous_attestation_hash"
                ].removeprefix("sha256:")
            },
        ),
        "/attestations/0/previous_attestation_hash",
    ),
    _changed(
        "field-added",
        "a field that the protocol does not know",
        edited(HONEST, {"/reviewer": "somebody"}),
        "/reviewer",
        Expected("KA004", f"{R}/reviewer"),
    ),
    _changed(
        "field-removed",
        "the place of a field that is gone",
        edited(HONEST, {"/completed_at": REMOVED}),
        "/completed_at",
        Expected("KA003", f"{R}/completed_at"),
    ),
    _changed(
        "attestation-removed",
        "the last judge is gone",
        edited(HONEST, {"/attestations/2": REMOVED}),
        "/attestations/2",
        Expected("KA120", f"{R}/panel_size"),
    ),
    fails(
        "unknown-field-removed",
        "what the protocol does not know was published all the same",
        judged(HONEST).since(judged(edited(HONEST, {"/reviewer": "somebody"}))),
        f"{R}/reviewer",
    ),
    fails(
        "mended",
        "a published round stays as it is even where it is wrong",
        judged(HONEST).since(judged(edited(HONEST, {"/attestations/1/score": 9.5}))),
        f"{A}/1/score",
    ),
    fails(
        "older-of-two",
        "a round is added, and the one before it was changed on the way",
        judged(REJUDGED, SECOND).since(judged(HONEST)),
        f"{A}/1/evaluation_hash",
    ),
    fails(
        "both-of-two",
        "each round is followed",
        judged(RAISED_MEAN, edited(SECOND, {"/final_score": 7.97})).since(judged(HONEST, SECOND)),
        f"{R}/final_score",
        f"{R2}/final_score",
    ),
    fails(
        "moved-and-changed",
        "it is found where it stands now",
        judged(HONEST)
        .adding({OTHER_FILE: dumps(edited(SECOND, {"/final_score": 7.97}))})
        .since(judged(HONEST, SECOND)),
        Expected("KA501", f"{R}/final_score", OTHER_FILE),
    ),
    fails(
        "folder-renamed-and-changed",
        "it is found where it stands now",
        _in(NEW_FOLDER, RAISED_MEAN).since(_in(FOLDER, HONEST)),
        Expected("KA501", f"{R}/final_score", f"{NEW_FOLDER}/{FILE}"),
    ),
    fails(
        "single-round",
        "a round at the top of a file",
        _single(RAISED_MEAN).since(_single(HONEST)),
        "/final_score",
    ),
    fails(
        "meta-judge-added-to-an-earlier-one",
        "a round was appended since, so this one had been left as it was",
        judged(SETTLED, SECOND).since(judged(SPLIT, SECOND)),
        f"{A}/3",
    ),
    fails(
        "meta-judge-added-and-score-raised",
        "the panel's own scores are not the meta-judge's to change",
        judged(make_round(scores=("9.0", "5.9", "8.0"), meta="7.5")).since(judged(SPLIT)),
        f"{A}/1/evaluation_hash",
    ),
    fails(
        "meta-judge-added-and-weights-changed",
        "weights do not follow from a meta-judge",
        judged(
            edited(SETTLED, {"/weights": {**SETTLED["weights"], "domain-expert": 0.4000001}})
        ).since(judged(SPLIT)),
        f"{A}/3",
    ),
    fails(
        "meta-judge-added-first",
        "it comes last, or the chain was made anew",
        judged(
            resealed(
                edited(
                    SETTLED,
                    {"/attestations": [SETTLED["attestations"][3], *SPLIT["attestations"]]},
                )
            )
        ).since(judged(SPLIT)),
        f"{A}/0/evaluation_hash",
        Expected("KA125", f"{A}/0/judge_id"),
    ),
    fails(
        "meta-judge-rejudged",
        "it speaks once",
        judged(RESETTLED).since(judged(SETTLED)),
        f"{A}/3/evaluation_hash",
    ),
    fails(
        "meta-judge-removed",
        "what was settled is open again",
        judged(SPLIT).since(judged(SETTLED)),
        f"{A}/3",
        UNSETTLED,
    ),
    fails(
        "judge-added",
        "nobody but a meta-judge may come later",
        judged(
            make_round(
                scores=("8.2", "7.5", "8.0", "7.9", "8.1"),
                weights={
                    "domain-expert": 0.3,
                    "critic": 0.2,
                    "completeness-auditor": 0.2,
                    "additional-expert": 0.2,
                    "tiebreaker": 0.1,
                },
            )
        ).since(judged(HONEST)),
        f"{A}/3",
    ),
    fails(
        "merged-with-a-change",
        "theirs was changed while it was merged",
        judged(HONEST, SECOND, edited(THIRD, {"/final_score": 7.97}))
        .since(judged(HONEST))
        .merging(ours=judged(HONEST, SECOND), theirs=judged(HONEST, THIRD)),
        "/evaluations/2/final_score",
    ),
    fails(
        "settled-twice",
        "each side settled the round in its own way, and only one of the two can stay",
        judged(SETTLED)
        .since(judged(SPLIT))
        .merging(ours=judged(SETTLED), theirs=judged(RESETTLED)),
        f"{A}/3/evaluation_hash",
    ),
)

ROUND_REMOVED = (
    passes("all-there", "both are there", judged(HONEST, SECOND).since(judged(HONEST, SECOND))),
    passes(
        "moved-to-another-file",
        "the round is known by its id",
        judged(HONEST).adding({OTHER_FILE: dumps(SECOND)}).since(judged(HONEST, SECOND)),
    ),
    passes(
        "repeated-and-cleaned-up",
        "it stood in two files, and one of the two still has it",
        judged(HONEST, SECOND)
        .adding({OTHER_FILE: dumps(THIRD)})
        .since(judged(HONEST, SECOND).adding({OTHER_FILE: dumps(SECOND, THIRD)})),
    ),
    passes(
        "with-its-artifact",
        "one of two artifacts is gone with all that was said of it",
        judged(HONEST).since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE})),
    ),
    passes(
        "with-its-changed-artifact",
        "the artifact was another one already when it was removed",
        judged(HONEST).since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": b"# Another\n"})),
    ),
    passes(
        "artifact-was-gone",
        "the artifact had been removed before",
        judged(HONEST).since(judged(HONEST, OF_GUIDE)),
    ),
    passes(
        "excluded",
        "the configuration leaves the file out",
        silent(judged(HONEST), FILE).since(judged(HONEST, SECOND)),
    ),
    passes(
        "without-an-id",
        "it is there as it was, beside a new one",
        judged(NAMELESS, SECOND).since(judged(NAMELESS)),
        Expected("KA003", f"{R}/evaluation_id"),
    ),
    passes(
        "without-an-id-moved",
        "it is there as it was, in another file",
        judged(SECOND).adding({OTHER_FILE: dumps(NAMELESS)}).since(judged(NAMELESS, SECOND)),
        Expected("KA003", f"{R}/evaluation_id", OTHER_FILE),
    ),
    passes(
        "merged",
        "both sides added a round, and both are there",
        judged(HONEST, THIRD, SECOND)
        .since(judged(HONEST))
        .merging(ours=judged(HONEST, SECOND), theirs=judged(HONEST, THIRD)),
    ),
    passes(
        "removed-by-theirs-with-its-artifact",
        "one side removed an artifact and its rounds, which the other had kept",
        judged(HONEST)
        .since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE}))
        .merging(ours=judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE}), theirs=judged(HONEST)),
    ),
    passes(
        "artifact-replaced-by-an-unlike-one",
        "the artifact is gone, and a new one has next to nothing of it",
        judged(HONEST)
        .adding({"INTRODUCTION.md": UNLIKE})
        .since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE})),
    ),
    fails("last", "a losing round is gone", judged(HONEST).since(judged(HONEST, SECOND)), ""),
    fails("first", "a losing round is gone", judged(SECOND).since(judged(HONEST, SECOND)), ""),
    fails(
        "replaced",
        "there are as many rounds as before, and one of them is another",
        judged(HONEST, THIRD).since(judged(HONEST, SECOND)),
        "",
    ),
    fails(
        "all",
        "a file without rounds is one that nothing was lost of, to whom does not know",
        _only({FILE: b'{"evaluations": []}\n', "SKILL.md": ARTIFACT}).since(judged(HONEST, SECOND)),
        "",
        LOST,
        Expected("KA136", ""),
    ),
    fails(
        "list",
        "a list is a file without rounds",
        _only({FILE: b"[]\n", "SKILL.md": ARTIFACT}).since(judged(HONEST)),
        "",
        Expected("KA003", ""),
        Expected("KA136", ""),
    ),
    fails(
        "named-anew",
        "an id is what a round is known by",
        judged(edited(HONEST, {"/evaluation_id": "another"})).since(judged(HONEST)),
        "",
    ),
    fails(
        "named-in-other-case",
        "ids are compared letter by letter",
        judged(edited(SECOND, {"/evaluation_id": "Second"})).since(judged(SECOND)),
        "",
    ),
    fails(
        "id-removed",
        "a round without an id is another round",
        judged(NAMELESS).since(judged(HONEST)),
        "",
        Expected("KA003", f"{R}/evaluation_id"),
    ),
    fails(
        "without-an-id",
        "without an id it can only be known by all that it says",
        judged(edited(NAMELESS, {"/final_score": 7.97})).since(judged(NAMELESS)),
        "",
        Expected("KA003", f"{R}/evaluation_id"),
    ),
    fails(
        "artifact-renamed",
        "the artifact is still there, under another name",
        judged(HONEST)
        .adding({"INTRODUCTION.md": GUIDE})
        .since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE})),
        "",
    ),
    fails(
        "artifact-renamed-and-edited",
        "most of the artifact is still there, under another name",
        judged(HONEST)
        .adding({"INTRODUCTION.md": GUIDE + b"Mended\n"})
        .since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE})),
        "",
    ),
    fails(
        "artifact-changed",
        "the artifact is still there, with other bytes",
        judged(HONEST)
        .adding({"GUIDE.md": b"# Another\n"})
        .since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE})),
        "",
    ),
    fails(
        "changed-artifact-renamed",
        "what stood there when it was published is what is still there",
        judged(HONEST)
        .adding({"INTRODUCTION.md": b"# Another\n"})
        .since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": b"# Another\n"})),
        "",
    ),
    fails(
        "missing-artifact-elsewhere",
        "the path led nowhere, and the bytes that were judged are there",
        judged(HONEST)
        .adding({"INTRODUCTION.md": GUIDE})
        .since(judged(HONEST, OF_GUIDE).adding({"INTRODUCTION.md": GUIDE})),
        "",
    ),
    fails(
        "artifact-unknown",
        "without a path nobody can tell whether the artifact is gone",
        judged(HONEST).since(judged(HONEST, edited(OF_GUIDE, {"/artifact_path": REMOVED}))),
        "",
    ),
    fails(
        "merged-without-theirs",
        "the merge kept one side's round and dropped the other's",
        judged(HONEST, SECOND)
        .since(judged(HONEST))
        .merging(ours=judged(HONEST, SECOND), theirs=judged(HONEST, THIRD)),
        "",
    ),
    fails(
        "merged-without-ours",
        "the merge kept one side's round and dropped the other's",
        judged(HONEST, THIRD)
        .since(judged(HONEST))
        .merging(ours=judged(HONEST, SECOND), theirs=judged(HONEST, THIRD)),
        "",
    ),
    fails(
        "lost-of-all-sides",
        "what all sides had is reported once",
        judged(SECOND)
        .since(judged(HONEST, SECOND))
        .merging(ours=judged(HONEST, SECOND), theirs=judged(HONEST, SECOND)),
        "",
    ),
)

FILE_REMOVED = (
    passes("there", "the file is there", judged(HONEST).since(judged(HONEST))),
    passes(
        "with-its-artifact",
        "a skill that is given up goes as a whole",
        _only({"README.md": b"# Skills\n"}).since(_in(FOLDER, HONEST)),
    ),
    passes(
        "with-both-artifacts",
        "all that it spoke of is gone",
        _only({"README.md": b"# Skills\n"}).since(
            judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE})
        ),
    ),
    passes(
        "folder-renamed",
        "the artifact and all that was said of it moved together",
        _in(NEW_FOLDER, HONEST).since(_in(FOLDER, HONEST)),
    ),
    passes(
        "folder-renamed-with-a-path-from-the-top",
        "the round names the old folder, and is not to be changed",
        _in(NEW_FOLDER, make_round(path=f"{FOLDER}/SKILL.md")).since(
            _in(FOLDER, make_round(path=f"{FOLDER}/SKILL.md"))
        ),
        Expected("KA115", f"{R}/artifact_path", f"{NEW_FOLDER}/{FILE}"),
    ),
    passes(
        "folder-renamed-and-edited",
        "the artifact was edited on the way, and all that was said of it came along",
        _in(NEW_FOLDER, HONEST, artifact=ARTIFACT_2).since(_in(FOLDER, HONEST)),
        Expected("KA111", f"{R}/artifact_hash", f"{NEW_FOLDER}/{FILE}"),
    ),
    passes(
        "unlike-skill-added",
        "one skill was given up, and a new one has next to nothing of it",
        _only({f"{NEW_FOLDER}/SKILL.md": UNLIKE}).since(_in(FOLDER, HONEST)),
    ),
    passes(
        "alike-skill-there-before",
        "one of two that are much alike was given up, and the other one stays",
        _only({f"{NEW_FOLDER}/SKILL.md": ARTIFACT_2}).since(
            _in(FOLDER, HONEST).adding({f"{NEW_FOLDER}/SKILL.md": ARTIFACT_2})
        ),
    ),
    passes(
        "merged-into-another-file",
        "its rounds stand in another file now",
        judged(HONEST, SECOND).since(judged(HONEST).adding({OTHER_FILE: dumps(SECOND)})),
    ),
    passes(
        "without-rounds",
        "nothing stood in it",
        _only({"SKILL.md": ARTIFACT}).since({FILE: b"{\n", "SKILL.md": ARTIFACT}),
    ),
    passes(
        "excluded",
        "the configuration leaves the file out",
        silent(_only({"SKILL.md": ARTIFACT}), FILE).since(judged(HONEST)),
    ),
    passes(
        "added-by-theirs",
        "one side never had the file",
        judged(HONEST)
        .since({"SKILL.md": ARTIFACT})
        .merging(ours=_only({"SKILL.md": ARTIFACT}), theirs=judged(HONEST)),
    ),
    fails(
        "artifact-there",
        "the artifact looks as if it had never been judged",
        _only({"SKILL.md": ARTIFACT}).since(judged(HONEST)),
        "",
    ),
    fails(
        "artifact-changed",
        "an artifact with other bytes is still there",
        _only({"SKILL.md": ARTIFACT_2}).since(judged(HONEST)),
        "",
    ),
    fails(
        "artifact-moved",
        "the skill's folder was renamed, and its attestations were left behind",
        _only({f"{NEW_FOLDER}/SKILL.md": ARTIFACT}).since(_in(FOLDER, HONEST)),
        Expected("KA503", "", f"{FOLDER}/{FILE}"),
    ),
    fails(
        "artifact-moved-and-edited",
        "a line more in the renamed folder does not make it another skill",
        _only({f"{NEW_FOLDER}/SKILL.md": ARTIFACT_2}).since(_in(FOLDER, HONEST)),
        Expected("KA503", "", f"{FOLDER}/{FILE}"),
    ),
    fails(
        "artifact-moved-and-cut",
        "most of its lines are still there, in a file of another name",
        _only({"docs/EXPLORING.md": ARTIFACT}).since(
            _in(FOLDER, make_round(artifact=ARTIFACT_2), artifact=ARTIFACT_2)
        ),
        Expected("KA503", "", f"{FOLDER}/{FILE}"),
    ),
    fails(
        "artifact-moved-with-other-line-ends",
        "line ends are no part of what it says: git calls this a rename too",
        _only({f"{NEW_FOLDER}/SKILL.md": ARTIFACT.replace(b"\n", b"\r\n")}).since(
            _in(FOLDER, HONEST)
        ),
        Expected("KA503", "", f"{FOLDER}/{FILE}"),
    ),
    fails(
        "behind-a-symlink",
        "the folder is a link to another one, where anything may be",
        _only({"archive/SKILL.md": UNLIKE})
        ._replace(kinds={FOLDER: "symlink"})
        .since(_in(FOLDER, HONEST)),
        Expected("KA503", "", f"{FOLDER}/{FILE}"),
    ),
    fails(
        "behind-a-symlink-further-up",
        "the folder of all skills is a link",
        _only({"README.md": b"# Skills\n"})
        ._replace(kinds={"skills": "symlink"})
        .since(_in(FOLDER, HONEST)),
        Expected("KA503", "", f"{FOLDER}/{FILE}"),
    ),
    fails(
        "behind-a-submodule",
        "the folder is another repository's now, where anything may be",
        _only({"README.md": b"# Skills\n"})
        ._replace(kinds={FOLDER: "submodule"})
        .since(_in(FOLDER, HONEST)),
        Expected("KA503", "", f"{FOLDER}/{FILE}"),
    ),
    fails(
        "behind-a-symlink-and-judged-anew",
        "where the link leads, a round was won that the published one had lost",
        _in("archive", make_round(evaluation_id="anew", artifact=UNLIKE), artifact=UNLIKE)
        ._replace(kinds={FOLDER: "symlink"})
        .since(_in(FOLDER, HONEST)),
        Expected("KA503", "", f"{FOLDER}/{FILE}"),
    ),
    fails(
        "one-of-two-artifacts-there",
        "it goes with all of its artifacts or not at all",
        _only({"GUIDE.md": GUIDE}).since(judged(HONEST, OF_GUIDE).adding({"GUIDE.md": GUIDE})),
        "",
    ),
    fails(
        "renamed-without-a-round",
        "the file that it became has one round less",
        _only({OTHER_FILE: dumps(HONEST), "SKILL.md": ARTIFACT}).since(judged(HONEST, SECOND)),
        "",
    ),
    fails(
        "called-otherwise",
        "under another name nobody reads it",
        _only({f"{FILE}.bak": dumps(HONEST), "SKILL.md": ARTIFACT}).since(judged(HONEST)),
        "",
    ),
    fails(
        "cut-off",
        "it is there, and nobody can read it",
        _only({FILE: dumps(HONEST)[:-9], "SKILL.md": ARTIFACT}).since(judged(HONEST)),
        "",
        Expected("KA001", ""),
    ),
    fails(
        "unreadable-without-artifact",
        "what cannot be read is not gone, and its rounds cannot be told to be",
        _only({FILE: b"{\n"}).since(judged(HONEST)),
        "",
        Expected("KA001", ""),
    ),
    fails(
        "symlink",
        "a link is no attestation file",
        _only({"SKILL.md": ARTIFACT})._replace(kinds={FILE: "symlink"}).since(judged(HONEST)),
        "",
        Expected("KA006", ""),
    ),
    fails(
        "folder",
        "a folder is no attestation file",
        _only({f"{FILE}/notes": b"\n", "SKILL.md": ARTIFACT}).since(judged(HONEST)),
        "",
        Expected("KA006", ""),
    ),
    fails(
        "merged-without-theirs",
        "the file that one side added did not come through the merge",
        _only({"SKILL.md": ARTIFACT})
        .since({"SKILL.md": ARTIFACT})
        .merging(ours=_only({"SKILL.md": ARTIFACT}), theirs=judged(HONEST)),
        "",
    ),
)

CASES: Cases = {
    "KA501-round-changed": ROUND_CHANGED,
    "KA502-round-removed": ROUND_REMOVED,
    "KA503-attestation-file-removed": FILE_REMOVED,
}
