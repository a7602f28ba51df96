"""KA006 and KA113: names that are another file on systems without letter case or composition."""

from __future__ import annotations

from tests.support.memory import ROOT
from tests.support.rounds import ARTIFACT, make_round
from tests.vectors.case import (
    FILE,
    Cases,
    Expected,
    R,
    World,
    dumps,
    fails,
    judged,
    passes,
)
from tests.vectors.memory import RECORD, memory, silent, within

HONEST = make_round()
SECOND = make_round(evaluation_id="second")
OTHER_CASE = ".Judge-Attestations.json"
COMPOSED, APART = "caf\u00e9", "cafe\u0301"
LIKE_ROOT = ".keysarium/Memory"


def _like(*paths: str) -> tuple[Expected, ...]:
    """Findings of these whole paths, in the order in which they come."""
    return tuple(Expected("KA006", "", path) for path in sorted(paths))


def _beside(world: World, path: str, of: str) -> World:
    """``world`` with a file at ``path`` that has the bytes of another."""
    return world._replace(copies={**world.copies, path: of})


def _in(folder: str, evaluation_id: str = "in-a-folder") -> World:
    """A folder with a skill and its attestation file."""
    made = make_round(evaluation_id=evaluation_id, path=f"{folder}/SKILL.md")
    return World({f"{folder}/{FILE}": dumps(made), f"{folder}/SKILL.md": ARTIFACT})


NOT_A_FILE = (
    passes("name-exact", "the protocol's own spelling", judged(HONEST)),
    passes(
        "name-of-another-file",
        "it differs by more than its letter case",
        _beside(judged(HONEST), "Judge-Attestations.json", FILE),
    ),
    passes(
        "folders-of-other-names",
        "two folders that no system takes for one",
        _in("skills").adding(_in("skill", "other").tree),
    ),
    passes(
        "other-case-excluded",
        "the configuration leaves it out",
        silent(_beside(judged(HONEST), f"docs/{OTHER_CASE}", FILE), "docs/"),
    ),
    fails(
        "other-case-alone",
        "where letter case counts for nothing this is read as an attestation file",
        World({OTHER_CASE: dumps(HONEST), "SKILL.md": ARTIFACT}),
        *_like(OTHER_CASE),
    ),
    fails(
        "other-case-beside",
        "a checkout has but one of the two, and which one is chance",
        _beside(judged(HONEST), OTHER_CASE, FILE),
        *_like(OTHER_CASE, FILE),
    ),
    fails(
        "folder-in-other-case",
        "each file is spelled right, and both are one where letter case counts for nothing",
        _in("skills")._replace(copies={f"Skills/{FILE}": f"skills/{FILE}"}),
        *_like(f"Skills/{FILE}", f"skills/{FILE}"),
        Expected("KA135", f"{R}/evaluation_id", f"skills/{FILE}"),
    ),
    fails(
        "folder-composed-otherwise",
        "both folders are one where Unicode composition counts for nothing",
        World({f"{COMPOSED}/{FILE}": dumps(SECOND), "SKILL.md": ARTIFACT})._replace(
            copies={f"{APART}/{FILE}": f"{COMPOSED}/{FILE}"}
        ),
        *_like(f"{COMPOSED}/{FILE}", f"{APART}/{FILE}"),
        Expected("KA135", f"{R}/evaluation_id", f"{COMPOSED}/{FILE}"),
    ),
    passes("memory-exact", "the protocol's own spelling", memory(RECORD)),
    fails(
        "memory-in-other-case",
        "where letter case counts for nothing this is a memory",
        memory(RECORD, root=LIKE_ROOT),
        *_like(LIKE_ROOT),
    ),
    fails(
        "home-in-other-case",
        "the folder around it is a part of its name",
        memory(RECORD, root=".Keysarium/memory"),
        *_like(".Keysarium/memory"),
    ),
    fails(
        "memory-in-other-case-beside",
        "a checkout mixes the files of the two",
        _beside(memory(RECORD), f"{LIKE_ROOT}/config.json", within("config.json")),
        *_like(LIKE_ROOT, ROOT),
    ),
    fails(
        "memory-folder-in-other-case",
        "each is spelled right, and both are one where letter case counts for nothing",
        _beside(
            memory(RECORD, root=f"skills/{ROOT}"),
            f"Skills/{ROOT}/config.json",
            f"skills/{ROOT}/config.json",
        ),
        *_like(f"Skills/{ROOT}", f"skills/{ROOT}"),
    ),
    *(
        fails(
            f"memory-{name.partition('.')[0]}-in-other-case",
            "a checkout has but one of the two, and which one is chance",
            _beside(memory(RECORD), within(name.capitalize()), within(name)),
            *_like(within(name), within(name.capitalize())),
            Expected("KA212", "", within(name.capitalize())),
        )
        for name in ("index.json", "config.json")
    ),
)

ARTIFACT_PATH = (
    passes(
        "namesakes-elsewhere",
        "a file of that name in another folder is another file",
        judged(HONEST).adding({"docs/Skill.md": ARTIFACT}),
    ),
    passes(
        "twins-of-others",
        "twins that no round speaks of are nobody's concern here",
        _beside(judged(HONEST).adding({"notes.md": b"\n"}), "Notes.md", "notes.md"),
    ),
    fails(
        "twin-in-other-case",
        "where letter case counts for nothing the other may be what an agent reads",
        _beside(judged(HONEST), "Skill.md", "SKILL.md"),
        f"{R}/artifact_path",
    ),
    fails(
        "twin-folder",
        "the folder's other spelling is enough",
        _beside(
            World({"skills/SKILL.md": ARTIFACT, FILE: dumps(make_round(path="skills/SKILL.md"))}),
            "Skills/SKILL.md",
            "skills/SKILL.md",
        ),
        f"{R}/artifact_path",
    ),
    fails(
        "twin-composed-otherwise",
        "both names are one where Unicode composition counts for nothing",
        _beside(
            World({f"{COMPOSED}.md": ARTIFACT, FILE: dumps(make_round(path=f"{COMPOSED}.md"))}),
            f"{APART}.md",
            f"{COMPOSED}.md",
        ),
        f"{R}/artifact_path",
    ),
)

CASES: Cases = {
    "KA006-not-a-file": NOT_A_FILE,
    "KA113-artifact-path": ARTIFACT_PATH,
}
