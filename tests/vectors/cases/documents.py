# ruff: noqa: RUF001 - Russian rationales are meant to be Cyrillic
"""KA001 to KA007: whether a document can be read, and holds what the protocol says it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.support.rounds import make_round, sha256
from tests.vectors.case import (
    FILE,
    REMOVED,
    A,
    Case,
    Cases,
    Expected,
    R,
    Round,
    World,
    document,
    dumps,
    edited,
    fails,
    judged,
    passes,
    replaced,
    saying,
)

HONEST = make_round()
TEXT = dumps(HONEST)
FINAL = '"final_score": 7.93'
RUSSIAN = (
    "Шаги протокола описаны ясно, а примеры в справочнике можно повторить самому.",
    "Не разобраны пограничные случаи для нескольких языков, и сбои не описаны.",
    "Все нужные разделы на месте, но замеров производительности пока нет.",
)
ROUND_FIELDS = (
    "evaluation_id",
    "artifact_path",
    "artifact_hash",
    "panel_size",
    "started_at",
    "completed_at",
    "final_score",
    "weights",
)
ATTESTATION_FIELDS = (
    "judge_id",
    "score",
    "rationale_summary",
    "evaluation_hash",
    "timestamp",
    "previous_attestation_hash",
)
LFS_POINTER = (
    f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256(TEXT)}\nsize {len(TEXT)}\n"
)


def _escaped(round_: Round) -> bytes:
    return json.dumps({"evaluations": [round_]}, ensure_ascii=True).encode()


def _with_final(text: str) -> World:
    return document(replaced(TEXT, FINAL, f'"final_score": {text}'))


def _nested(levels: int) -> World:
    """A document ``levels`` deep: three of them are the file's, the list's and the round's."""
    arrays = levels - 3
    return _with_final(f'7.93, "notes": {"[" * arrays}{"]" * arrays}')


def _with_key(key: str) -> World:
    """An honest file with one more member of this name."""
    return document(replaced(TEXT, '"evaluations"', f'"{key}": 0, "evaluations"'))


NOT_JSON = (
    passes("standard-panel", "what the protocol shows, written by a JSON library", judged(HONEST)),
    passes(
        "russian-rationales",
        "text outside ASCII, written as it is in UTF-8",
        judged(make_round(rationales=RUSSIAN)),
    ),
    passes(
        "escaped-text",
        "escapes and the characters they stand for are one text, and the hash covers the text",
        document(_escaped(make_round(rationales=RUSSIAN))),
    ),
    passes(
        "surrogate-pair",
        "both halves of a pair, escaped, are one character",
        document(
            _escaped(saying(0, "The steps are clear and short enough to be followed \U0001f600"))
        ),
    ),
    passes(
        "backslash-before-u",
        "an escaped backslash and what looks like half a surrogate pair are plain characters",
        judged(saying(0, r"The skill explains that \ud83d alone is no character of a JSON text.")),
    ),
    passes(
        "brackets-in-text",
        "brackets and escaped quotes within strings open nothing",
        judged(
            saying(0, 'It quotes \\"' + "[{" * 70 + '\\" as an example of what cannot be read.')
        ),
    ),
    passes("crlf", "line ends are white space to JSON", document(TEXT.replace(b"\n", b"\r\n"))),
    passes(
        "nesting-64",
        "64 levels are allowed; the field that holds them is unknown",
        _nested(64),
        Expected("KA004", f"{R}/notes"),
    ),
    passes(
        "number-of-128-characters",
        "the longest number that is read, and still the mean",
        _with_final("7.93".ljust(128, "0")),
    ),
    passes(
        "exponent-308",
        "the largest exponent that is read; the field that holds it is unknown",
        _with_final('7.93, "notes": [1e308, 1E-308]'),
        Expected("KA004", f"{R}/notes"),
    ),
    passes(
        "another-name",
        "a file is an attestation file by its whole name",
        judged(HONEST).adding({f"old{FILE}": b"{", "judge-attestations.json": b"{"}),
    ),
    fails("byte-order-mark", "RFC 8259 forbids one", document(b"\xef\xbb\xbf" + TEXT), ""),
    fails("long-key", "no honest key has 1,001 characters", _with_key("k" * 1001), ""),
    fails("nan", "NaN is JavaScript, not JSON", _with_final("NaN"), ""),
    fails("infinity", "-Infinity is JavaScript, not JSON", _with_final("-Infinity"), ""),
    fails(
        "trailing-data",
        "a second document behind the first one is read by some programs only",
        document(TEXT + b'{"evaluations": []}\n'),
        "",
    ),
    fails(
        "lone-surrogate",
        "half a pair is no character and has no UTF-8 to hash",
        document(replaced(TEXT, "Clear protocol", r"\ud83d protocol")),
        "",
    ),
    fails(
        "lone-surrogate-in-key",
        "a key is text as well",
        _with_final(r'7.93, "\uDE00": 1'),
        "",
    ),
    fails(
        "surrogates-reversed",
        "a low half before a high one is no pair",
        document(replaced(TEXT, "Clear protocol", r"\ude00\ud83d protocol")),
        "",
    ),
    fails("nesting-65", "one level more than the 64 allowed", _nested(65), ""),
    fails("trailing-comma", "a comma before a closing brace", _with_final("7.93,}"), ""),
    fails("comment", "JSON has no comments", _with_final("7.93 /* the mean */"), ""),
    fails("single-quotes", "strings stand in double quotes", _with_final("'7.93'"), ""),
    fails("leading-zero", "a number does not begin with a zero", _with_final("07.93"), ""),
    fails(
        "raw-control-character",
        "a control character within a string has to be escaped",
        document(replaced(TEXT, "Clear protocol", "Clear\tprotocol")),
        "",
    ),
    fails(
        "no-break-space",
        "only four characters are white space to JSON",
        _with_final("\u00a07.93"),
        "",
    ),
    fails("cut-off", "a document that was cut off in the middle", document(TEXT[:700]), ""),
    fails("no-bytes", "no bytes are no document", document(b""), ""),
    fails(
        "invalid-utf8",
        "Russian in the encoding of old Windows is not UTF-8",
        document(replaced(TEXT, "Clear protocol", "Ясный протокол".encode("cp1251"))),
        "",
    ),
    fails(
        "surrogates-as-utf8",
        "a surrogate pair whose halves are encoded one by one is not UTF-8",
        document(replaced(TEXT, "Clear protocol", b"\xed\xa0\xbd\xed\xb8\x80")),
        "",
    ),
    fails("utf16", "JSON between systems is UTF-8", document(TEXT.decode().encode("utf-16")), ""),
    fails(
        "number-of-129-characters",
        "one character more than is read",
        _with_final("7.93".ljust(129, "0")),
        "",
    ),
    fails("exponent-309", "beyond what a double holds", _with_final("7.93e309"), ""),
    fails(
        "beside-a-sound-file",
        "one file that cannot be read takes nothing from another",
        judged(HONEST).adding({f"other/{FILE}": b"{"}),
        Expected("KA001", "", f"other/{FILE}"),
    ),
)

DUPLICATE_KEY = (
    passes("once-each", "every key stands once in its object, and again in others", judged(HONEST)),
    passes(
        "other-case",
        "keys are compared letter by letter, so this is another key, and an unknown one",
        _with_final('7.93, "Final_score": 9.93'),
        Expected("KA004", f"{R}/Final_score"),
    ),
    fails(
        "in-round",
        "a reader that takes the first value sees another final score",
        document(replaced(TEXT, FINAL, f'"final_score": 9.93, {FINAL}')),
        f"{R}/final_score",
    ),
    fails(
        "in-attestation",
        "a reader that takes the first value sees another score",
        document(replaced(TEXT, '"score": 7.5', '"score": 9.9, "score": 7.5')),
        f"{A}/1/score",
    ),
    fails(
        "in-weights",
        "the same value twice is still two members",
        document(replaced(TEXT, '"critic": 0.3', '"critic": 0.3, "critic": 0.3')),
        f"{R}/weights/critic",
    ),
    fails(
        "at-the-top",
        "a whole list of rounds hides behind another one",
        document(replaced(TEXT, '{\n  "evaluations"', '{\n  "evaluations": [],\n  "evaluations"')),
        "/evaluations",
    ),
    fails(
        "escaped",
        "an escape spells the same key",
        document(replaced(TEXT, FINAL, rf'"final_s\u0063ore": 9.93, {FINAL}')),
        f"{R}/final_score",
    ),
    fails(
        "three-times",
        "every repetition is one fault",
        document(replaced(TEXT, FINAL, f"{FINAL}, {FINAL}, {FINAL}")),
        f"{R}/final_score",
        f"{R}/final_score",
    ),
    fails(
        "in-unknown-field",
        "keys count in what the protocol does not name too, and are escaped in the pointer",
        _with_final('7.93, "notes": {"a/b~": 1, "a/b~": 2}'),
        f"{R}/notes/a~1b~0",
        Expected("KA004", f"{R}/notes"),
    ),
)


def _missing() -> Iterator[Case]:
    for field in ROUND_FIELDS:
        yield fails(
            f"missing-{field.replace('_', '-')}",
            "the protocol names no field of a round as optional",
            judged(edited(HONEST, {f"/{field}": REMOVED})),
            f"{R}/{field}",
        )
    for field in ATTESTATION_FIELDS:
        yield fails(
            f"missing-{field.replace('_', '-')}",
            "the protocol names no field of an attestation as optional",
            judged(edited(HONEST, {f"/attestations/1/{field}": REMOVED})),
            f"{A}/1/{field}",
        )


def _typed(name: str, why: str, pointer: str, value: object) -> Case:
    return fails(name, why, judged(edited(HONEST, {pointer: value})), f"{R}{pointer}")


SCHEMA = (
    passes("standard-panel", "every field is there, with the protocol's type", judged(HONEST)),
    passes(
        "single-round",
        "a file without `evaluations` whose top level is itself a round is accepted",
        document(json.dumps(HONEST).encode()),
    ),
    passes(
        "whole-numbers",
        "8 and 8.0 are JSON numbers alike",
        judged(edited(HONEST, {"/attestations/2/score": 8, "/final_score": 8})),
        # 8 is further than 0.05 from 7.93.
        Expected("KA133", f"{R}/final_score"),
    ),
    *_missing(),
    fails(
        "empty-evaluation-id",
        "an empty id tells a round from no other",
        judged(edited(HONEST, {"/evaluation_id": ""})),
        f"{R}/evaluation_id",
    ),
    fails(
        "missing-attestations",
        "the list itself is missing, and so is every attestation",
        judged(edited(HONEST, {"/attestations": REMOVED})),
        f"{R}/attestations",
        Expected("KA136", f"{R}/attestations"),
    ),
    fails(
        "missing-evaluations",
        "an object with nothing of a round and no list of rounds",
        document(b"{}"),
        "/evaluations",
        Expected("KA136", ""),
    ),
    fails(
        "single-round-missing-field",
        "what holds for a round in a list holds for a round at the top",
        document(json.dumps(edited(HONEST, {"/final_score": REMOVED})).encode()),
        "/final_score",
    ),
    fails(
        "round-without-fields",
        "every field is missing; a panel that is not stated has no wrong size",
        document(b'{"evaluations": [{}]}'),
        *(f"{R}/{field}" for field in (*ROUND_FIELDS, "attestations")),
        Expected("KA136", f"{R}/attestations"),
    ),
    fails(
        "document-is-a-list",
        "a list of rounds without the object around it",
        document(json.dumps([HONEST]).encode()),
        "",
        Expected("KA136", ""),
    ),
    fails(
        "evaluations-is-an-object",
        "rounds come in a list",
        document(json.dumps({"evaluations": HONEST}).encode()),
        "/evaluations",
        Expected("KA136", ""),
    ),
    fails(
        "round-is-a-string",
        "a round is an object; the other one is judged",
        document(json.dumps({"evaluations": ["bto-eval-1", HONEST]}).encode()),
        R,
    ),
    fails(
        "attestation-is-null",
        "it keeps its place in the chain, so its neighbours are not blamed",
        judged(edited(HONEST, {"/attestations/1": None})),
        f"{A}/1",
    ),
    _typed("score-is-a-string", "a score is a JSON number", "/attestations/0/score", "8.2"),
    _typed("score-is-true", "true is not 1", "/attestations/0/score", value=True),
    _typed("judge-is-a-number", "a judge id is a string", "/attestations/0/judge_id", 1),
    _typed("rationale-is-null", "null is no string", "/attestations/0/rationale_summary", None),
    _typed("panel-size-with-fraction", "an integer, says the protocol", "/panel_size", 3.0),
    _typed("final-score-is-a-string", "a final score is a JSON number", "/final_score", "7.93"),
    _typed("time-is-a-number", "ISO 8601 is text", "/started_at", 1772366400),
    _typed("weights-are-a-list", "weights stand by judge", "/weights", [0.4, 0.3, 0.3]),
    _typed(
        "weight-is-a-string",
        "the weight is there, with the wrong type: that is the whole fault",
        "/weights/critic",
        "0.3",
    ),
    fails(
        "own-artifact-hash-is-null",
        "an attestation may leave its own artifact hash out, and null is not leaving out",
        judged(edited(HONEST, {"/attestations/1/artifact_hash": None})),
        f"{A}/1/artifact_hash",
    ),
)

UNKNOWN_FIELD = (
    passes("protocol-fields", "nothing beyond the protocol's fields", judged(HONEST)),
    passes(
        "own-artifact-hash",
        "the protocol has the artifact hash recorded in each attestation",
        judged(edited(HONEST, {"/attestations/1/artifact_hash": HONEST["artifact_hash"]})),
    ),
    passes(
        "silenced",
        "the configuration turns the rule off",
        judged(edited(HONEST, {"/model": "a"}))._replace(config="severity: {KA004: off}\n"),
    ),
    fails(
        "in-round",
        "nothing protects its value",
        judged(edited(HONEST, {"/model": "a"})),
        f"{R}/model",
    ),
    fails(
        "in-attestation",
        "nothing protects its value",
        judged(edited(HONEST, {"/attestations/2/confidence": 0.9})),
        f"{A}/2/confidence",
    ),
    fails(
        "at-the-top",
        "beside the list of rounds there is nothing in the protocol",
        document(json.dumps({"version": "1.0", "evaluations": [HONEST]}).encode()),
        "/version",
    ),
    fails(
        "round-field-at-the-top",
        "beside a list of rounds the top level is not a round itself",
        document(json.dumps({"evaluation_id": "a", "evaluations": [HONEST]}).encode()),
        "/evaluation_id",
    ),
    fails(
        "misspelt",
        "a misspelt field is unknown, and the right one is missing",
        document(replaced(TEXT, '"final_score"', '"finalScore"')),
        f"{R}/finalScore",
        Expected("KA003", f"{R}/final_score"),
    ),
    fails(
        "key-with-slash",
        "a slash and a tilde are escaped in the pointer",
        _with_final('7.93, "a/b~c": 1'),
        f"{R}/a~1b~0c",
    ),
)


def _limited(size: int, data: bytes = TEXT) -> World:
    return document(data)._replace(config=f"limits:\n  document_bytes: {size}\n")


OVERSIZE = (
    passes(
        "at-the-limit",
        "as large as the limit is not larger, so it is read, and its forged score is found",
        _limited(len(TEXT), replaced(TEXT, '"score": 7.5', '"score": 7.6')),
        Expected("KA101", f"{A}/1"),
    ),
    passes("below-the-default", "far below 8 MiB", judged(HONEST)),
    passes(
        "large-artifact",
        "the limit is for documents, not for what they speak of",
        _limited(len(TEXT)).adding({"data.bin": b"\0" * (len(TEXT) + 1)}),
    ),
    fails("over-the-limit", "one byte more than the limit", _limited(len(TEXT) - 1), ""),
    fails(
        "not-read",
        "a document over the limit is not read, so nothing in it is reported",
        _limited(4, b'{"evaluations": "none"'),
        "",
    ),
)


def _instead(kind: str) -> World:
    return World({"SKILL.md": b"# A skill\n"}, kinds={FILE: kind})


NOT_A_FILE = (
    passes("regular-file", "a document that is a regular file", judged(HONEST)),
    passes(
        "symlink-elsewhere",
        "links are fine where no document and no artifact must be",
        judged(HONEST)._replace(kinds={"docs/latest": "symlink", "vendor/tool": "submodule"}),
    ),
    fails("symlink", "what it leads to can change without the repository", _instead("symlink"), ""),
    fails("submodule", "its content is in another repository", _instead("submodule"), ""),
    fails("special-file", "a device or pipe has no bytes to verify", _instead("special file"), ""),
    fails(
        "folder",
        "a folder of that name holds files, and is no document",
        World({f"{FILE}/round.json": TEXT, "SKILL.md": b"# A skill\n"}),
        "",
    ),
    fails("lfs-pointer", "the document is somewhere else", document(LFS_POINTER.encode()), ""),
    fails(
        "beside-a-sound-file",
        "each document stands for itself",
        judged(HONEST)._replace(kinds={f"other/{FILE}": "symlink"}),
        Expected("KA006", "", f"other/{FILE}"),
    ),
)

UNSAFE_TEXT = (
    passes("plain-text", "letters, digits and punctuation", judged(HONEST)),
    passes("russian", "letters of any script", judged(make_round(rationales=RUSSIAN))),
    passes(
        "layout",
        "tabs and line breaks are layout",
        judged(
            saying(0, "Clear protocol steps.\r\n\tThe references hold examples.\nNothing else.")
        ),
    ),
    passes(
        "emoji-joined",
        "a joiner between two characters outside ASCII is how such an emoji is written",
        judged(
            saying(
                0,
                "Written for families \U0001f469\u200d\U0001f467 and hearts \u2764\ufe0f\u200d\U0001f525 alike.",
            )
        ),
    ),
    passes(
        "persian",
        "a non-joiner within a word is how Persian is written",
        judged(
            saying(
                0,
                "\u0645\u0631\u0627\u062d\u0644 \u0631\u0627 \u0645\u06cc\u200c\u062a\u0648\u0627\u0646 \u062f\u0646\u0628\u0627\u0644 \u06a9\u0631\u062f: it can be followed.",
            )
        ),
    ),
    fails(
        "escape-sequence",
        "an escape character can rewrite what a terminal shows",
        judged(
            saying(1, "Edge cases are not handled \x1b[2K\x1b[32mPASS\x1b[0m, recovery is unclear.")
        ),
        f"{A}/1/rationale_summary",
    ),
    fails(
        "right-to-left-override",
        "it turns what follows around before a reader's eyes",
        judged(saying(1, "Edge cases are not handled, \u202edaer ot drah\u202c to a reviewer.")),
        f"{A}/1/rationale_summary",
    ),
    fails(
        "zero-width-space",
        "two ids that look the same are not",
        judged(make_round(evaluation_id="bto-eval\u200b-1")),
        f"{R}/evaluation_id",
    ),
    fails(
        "joiner-in-latin-text",
        "Latin text has no use for a joiner",
        judged(saying(1, "Edge ca\u200dses are not handled, and recovery is unclear.")),
        f"{A}/1/rationale_summary",
    ),
    fails(
        "joiner-after-one-letter",
        "what counts is the character right beside it",
        judged(saying(1, "Written for families \U0001f469a\u200d\U0001f467 and not for others.")),
        f"{A}/1/rationale_summary",
    ),
    fails(
        "mark-within-text",
        "a byte-order mark within a string is invisible",
        judged(saying(1, "Edge cases\ufeff are not handled, and recovery is unclear.")),
        f"{A}/1/rationale_summary",
    ),
    fails(
        "tag-characters",
        "tag characters carry a message that only a machine sees",
        judged(
            saying(1, "Edge cases are not handled so far.\U000e0067\U000e0069\U000e0076\U000e0065")
        ),
        f"{A}/1/rationale_summary",
    ),
    fails(
        "variation-selectors",
        "one after an emoji chooses its form; three in a row carry data that nobody sees",
        judged(saying(1, "Edge cases\ufe07\ufe06\ufe05 are not handled, recovery is unclear.")),
        f"{A}/1/rationale_summary",
    ),
    fails(
        "in-key",
        "a key is shown to readers too, and this one is unknown besides",
        judged(edited(HONEST, {"/mo\u00addel": 1})),
        f"{R}/mo\u00addel",
        Expected("KA004", f"{R}/mo\u00addel"),
    ),
    fails(
        "in-two-places",
        "every text is looked at",
        judged(
            edited(
                saying(0, "Clear steps,\u2066 and examples that can be followed."),
                {"/evaluation_id": "a\x00"},
            )
        ),
        f"{A}/0/rationale_summary",
        f"{R}/evaluation_id",
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
