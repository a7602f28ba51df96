"""KA135 and KA136: that there are rounds at all, and that each is told from every other."""

from __future__ import annotations

import json

from tests.support.rounds import make_round
from tests.vectors.case import (
    FILE,
    A,
    Cases,
    Expected,
    R,
    document,
    dumps,
    edited,
    fails,
    judged,
    passes,
)

HONEST = make_round()
EMPTY = edited(HONEST, {"/attestations": []})
SECOND = make_round(evaluation_id="second")
SECOND_ID = "/evaluations/1/evaluation_id"

REPEATED = (
    passes("one-round", "nothing to be repeated", judged(HONEST)),
    passes("two-rounds", "each has an id of its own", judged(HONEST, SECOND)),
    passes(
        "two-files",
        "each has an id of its own",
        judged(HONEST).adding({f"other/{FILE}": dumps(SECOND)}),
    ),
    passes(
        "other-case",
        "ids are compared letter by letter",
        judged(SECOND, edited(SECOND, {"/evaluation_id": "Second"})),
    ),
    fails(
        "in-one-file",
        "the later round took the earlier one's id",
        judged(HONEST, HONEST),
        SECOND_ID,
    ),
    fails(
        "across-files",
        "of two files, the later in the order of the tree is reported",
        judged(HONEST).adding({f"other/{FILE}": dumps(HONEST)}),
        Expected("KA135", f"{R}/evaluation_id", f"other/{FILE}"),
    ),
    fails(
        "three-times",
        "each round but the first is reported",
        judged(HONEST, HONEST, SECOND, HONEST),
        SECOND_ID,
        "/evaluations/3/evaluation_id",
    ),
    fails(
        "single-round-beside-list",
        "a round at the top of a file has an id like any other",
        judged(HONEST).adding({f"other/{FILE}": json.dumps(HONEST).encode()}),
        Expected("KA135", "/evaluation_id", f"other/{FILE}"),
    ),
    fails(
        "across-artifacts",
        "ids are the repository's, not the artifact's",
        judged(
            HONEST,
            make_round(path="GUIDE.md", artifact=b"# A guide\n"),
        ).adding({"GUIDE.md": b"# A guide\n"}),
        SECOND_ID,
    ),
)

EMPTY_FILE = (
    passes("one-round", "one round, three attestations", judged(HONEST)),
    passes("two-rounds", "two rounds, three attestations each", judged(HONEST, SECOND)),
    fails(
        "no-rounds",
        "the protocol's script passes over it in silence",
        document(b'{"evaluations": []}\n'),
        "",
    ),
    fails(
        "no-attestations",
        'the protocol\'s script says "All 0 judge attestations verified"',
        judged(EMPTY),
        A,
    ),
    fails(
        "one-of-two",
        "a round that was judged says nothing of the one that was not",
        judged(HONEST, edited(EMPTY, {"/evaluation_id": "second"})),
        "/evaluations/1/attestations",
    ),
    fails(
        "single-round",
        "a round at the top of a file can be empty too",
        document(json.dumps(EMPTY).encode()),
        "/attestations",
    ),
)

CASES: Cases = {
    "KA135-evaluation-id-repeated": REPEATED,
    "KA136-empty-file": EMPTY_FILE,
}
