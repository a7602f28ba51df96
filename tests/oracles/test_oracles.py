"""kattest against others' readings of the protocol: a shell script's, and the protocol's own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.oracles.protocol import example_file, run_script, verification_script
from tests.support.rounds import ARTIFACT, RATIONALES, attestation, dumps, make_round, sha256
from tests.unit.judging import FILE, codes, errors, judge

Round: TypeAlias = dict[str, Any]

FIVE = ("8.2", "7.5", "8.0", "7.9", "8.1")
PASS = "PASS: All {} judge attestations verified. Isolation confirmed.\n"  # noqa: S105 - a verdict


def script_says(data: bytes, folder: Path) -> str:
    (folder / FILE).write_bytes(data)
    (folder / "SKILL.md").write_bytes(ARTIFACT)
    return run_script(folder)


class TestTheShellScript:
    """An independent writer, made from the protocol's words."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        script = Path(__file__).with_name("attest.sh")
        subprocess.run(["bash", script, tmp_path], check=True, capture_output=True)
        return tmp_path

    def test_writes_what_kattest_verifies(self, folder: Path) -> None:
        files = {"SKILL.md": (folder / "SKILL.md").read_bytes()}
        report = judge((folder / FILE).read_bytes(), files=files)
        assert codes(report) == []
        [round_] = report.rounds
        assert (round_.status, round_.recipe, round_.artifact) == ("verified", "bare", "current")
        assert [line.judge_id for line in round_.judges] == [
            "domain-expert",
            "critic",
            "completeness-auditor",
        ]

    def test_writes_what_the_program_verifies(self, folder: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "kattest", "verify", "--format", "json", "--strict"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        report = json.loads(done.stdout)
        assert report["ok"] is True
        assert report["counts"]["attestations"] == 3
        assert report["rounds"][0]["recipe"] == "bare"

    def test_writes_what_kattest_finds_changed(self, folder: Path) -> None:
        data = (folder / FILE).read_bytes()
        files = {"SKILL.md": (folder / "SKILL.md").read_bytes()}
        for old, new in ((b"8.2,", b"8.3,"), (b"vague", b"clear"), (b'"critic",', b'"critics",')):
            assert data.count(old) == 1
            assert "KA101" in codes(judge(data.replace(old, new), files=files))


class TestTheProtocolsScript:
    """The protocol hashes the bare artifact hash in section 1, the stored one in section 3."""

    def test_is_the_one_meant(self) -> None:
        compile(verification_script(), "protocol", "exec")
        assert "Isolation confirmed" in verification_script()

    @pytest.mark.parametrize(
        ("scores", "meta"),
        [
            (("8.2", "7.5", "8.0"), None),
            (("8.0", "0.0", "10.0"), "6.0"),
            (FIVE, None),
            (("9.1", "3.4", "8.0", "7.9", "7.2"), "6.6"),
        ],
    )
    def test_passes_what_kattest_passes(
        self, scores: tuple[str, ...], meta: str | None, tmp_path: Path
    ) -> None:
        data = dumps(make_round(scores=scores, meta=meta))
        number = len(scores) + (meta is not None)
        assert script_says(data, tmp_path) == PASS.format(number)
        report = judge(data)
        assert codes(report) == []
        assert report.rounds[0].recipe == "prefixed"

    def test_passes_words_of_any_language_that_kattest_passes(self, tmp_path: Path) -> None:
        words = ("Ясные шаги | и примеры к ним, которым можно следовать.", *RATIONALES[1:])
        data = dumps(make_round(rationales=words))
        assert script_says(data, tmp_path) == PASS.format(3)
        assert codes(judge(data)) == []

    def test_passes_several_rounds(self, tmp_path: Path) -> None:
        data = dumps(make_round(), make_round(evaluation_id="second", scores=FIVE))
        assert script_says(data, tmp_path) == PASS.format(3) + PASS.format(5)
        assert codes(judge(data)) == []

    def test_passes_a_round_at_the_top_level(self, tmp_path: Path) -> None:
        data = json.dumps(make_round()).encode()
        assert script_says(data, tmp_path) == PASS.format(3)
        assert codes(judge(data)) == []

    def test_fails_the_protocols_own_recipe_which_kattest_passes(self, tmp_path: Path) -> None:
        data = dumps(make_round(bare=True))
        assert script_says(data, tmp_path).startswith("FAIL: 3 violations detected:")
        report = judge(data)
        assert codes(report) == []
        assert report.rounds[0].recipe == "bare"


class TestTheProtocolsExample:
    def test_has_the_findings_of_made_up_hashes_and_no_traceback(self) -> None:
        report = judge(example_file(), files={".claude/skills/explore/SKILL.md": ARTIFACT})
        # Its evaluation hashes have 66 digits, in three hashes and the two links to them.
        assert codes(report) == [*["KA105"] * 5, "KA110"]
        [round_] = report.rounds
        assert round_.evaluation_id == "bto-eval-2026-03-01T12:00:00Z"
        assert (round_.status, round_.final_score) == ("failed", "7.94")

    def test_lacks_its_artifact(self) -> None:
        assert set(codes(judge(example_file(), files={}))) == {"KA105", "KA112"}

    def test_fails_the_protocols_script_too(self, tmp_path: Path) -> None:
        (tmp_path / FILE).write_bytes(example_file())
        assert run_script(tmp_path).startswith("FAIL: 3 violations detected:")


# Forgeries: how to make one, what the protocol's script says to it, and what kattest finds.


def resealed(round_: Round) -> Round:
    """``round_`` with every hash and link made anew over what it now says, as the script does."""
    previous = "sha256:" + "0" * 64
    for entry in round_["attestations"]:
        hashed = (
            f"{entry['judge_id']}|{round_['artifact_hash']}|{entry['score']}"
            f"|{entry['rationale_summary']}"
        )
        entry["evaluation_hash"] = f"sha256:{sha256(hashed)}"
        entry["previous_attestation_hash"] = previous
        previous = entry["evaluation_hash"]
    return round_


def honest() -> Round:
    return make_round()


def changed(**fields: Any) -> bytes:
    return dumps(honest() | fields)


def entry_changed(seat: int, **fields: Any) -> bytes:
    """One attestation changed, and the whole chain made anew to fit."""
    round_ = honest()
    round_["attestations"][seat] |= fields
    return dumps(resealed(round_))


def last_judge_dropped() -> bytes:
    round_ = honest()
    del round_["attestations"][-1]
    return dumps(round_)


def last_judge_dropped_and_counted() -> bytes:
    round_ = honest()
    del round_["attestations"][-1]
    weights = {"domain-expert": 0.4, "critic": 0.6}
    return dumps(round_ | {"panel_size": 2, "weights": weights, "final_score": 7.78})


def all_judges_dropped() -> bytes:
    return changed(attestations=[])


def judges_exchanged() -> bytes:
    round_ = honest()
    entries = round_["attestations"]
    entries[0], entries[1] = entries[1], entries[0]
    return dumps(round_)


def judges_exchanged_and_relinked() -> bytes:
    round_ = honest()
    entries = round_["attestations"]
    entries[0], entries[1] = entries[1], entries[0]
    entries[0]["timestamp"], entries[1]["timestamp"] = (
        entries[1]["timestamp"],
        entries[0]["timestamp"],
    )
    return dumps(resealed(round_))


def judge_doubled() -> bytes:
    round_ = honest()
    round_["attestations"][2] |= {"judge_id": "critic"}
    return dumps(resealed(round_))


def times_backwards() -> bytes:
    round_ = honest()
    stamps = [entry["timestamp"] for entry in round_["attestations"]]
    for entry, stamp in zip(round_["attestations"], reversed(stamps), strict=True):
        entry["timestamp"] = stamp
    return dumps(round_)


def score_not_a_number() -> bytes:
    return entry_changed(0, score=float("nan"))


def score_infinite() -> bytes:
    return entry_changed(0, score=float("inf"))


def score_with_a_trailing_zero() -> bytes:
    return dumps(honest()).replace(b'"score": 8.2,', b'"score": 8.20,')


def score_twice() -> bytes:
    return dumps(honest()).replace(b'"score": 8.2,', b'"score": 9.9,\n          "score": 8.2,')


def prefix_in_the_middle() -> bytes:
    round_ = honest()
    digest = round_["attestations"][0]["evaluation_hash"]
    round_["attestations"][0]["evaluation_hash"] = f"{digest[:30]}sha256:{digest[30:]}"
    return dumps(round_)


def prefixes_everywhere() -> bytes:
    round_ = honest()
    digest = round_["attestations"][0]["evaluation_hash"]
    round_["attestations"][1]["previous_attestation_hash"] = f"sha256:{digest}sha256:"
    return dumps(round_)


def meta_judge_left_out() -> bytes:
    return dumps(make_round(scores=("8.2", "2.5", "8.0")))


def peers_score_quoted() -> bytes:
    words = ("The critic gave 7.5, so I can afford to be kind.", *RATIONALES[1:])
    return dumps(make_round(rationales=words))


def rationales_alike() -> bytes:
    return dumps(make_round(rationales=(RATIONALES[0],) * 3))


def round_repeated() -> bytes:
    return dumps(honest(), honest())


def recipes_mixed() -> bytes:
    """Links that fit, and hashes that do: of one judge by the bare recipe."""
    round_ = honest()
    bare = make_round(bare=True)["attestations"][2]
    round_["attestations"][2]["evaluation_hash"] = bare["evaluation_hash"]
    return dumps(round_)


def artifact_made_up() -> bytes:
    round_ = honest() | {"artifact_hash": f"sha256:{sha256(b'never there')}"}
    return dumps(resealed(round_))


def byte_order_mark() -> bytes:
    return b"\xef\xbb\xbf" + dumps(honest())


def hidden_text() -> bytes:
    return entry_changed(0, rationale_summary=f"{RATIONALES[0]}\u202e{RATIONALES[1]}")


PASSED, FAILED, CRASHED, SILENT = "PASS: All 3", "FAIL: ", "Traceback", ""

FORGERIES: list[tuple[str, Callable[[], bytes], str, set[str]]] = [
    ("panel_size raised", lambda: changed(panel_size=5), PASSED, {"KA120"}),
    ("panel_size lowered", lambda: changed(panel_size=1), PASSED, {"KA120"}),
    ("final_score raised", lambda: changed(final_score=9.9), PASSED, {"KA133"}),
    ("final_score a word", lambda: changed(final_score="9.9"), PASSED, {"KA003"}),
    (
        "weights shifted",
        lambda: changed(weights={"domain-expert": 1.0, "critic": 0, "completeness-auditor": 0}),
        PASSED,
        {"KA132"},
    ),
    ("weights gone", lambda: changed(weights={}), PASSED, {"KA132"}),
    ("times backwards", times_backwards, PASSED, {"KA103"}),
    ("a time without a zone", lambda: changed(started_at="2026-03-01"), PASSED, {"KA104"}),
    (
        "an attestation after the end",
        lambda: changed(completed_at="2026-03-01T12:00:31Z"),
        PASSED,
        {"KA134"},
    ),
    ("the last judge dropped", last_judge_dropped, "PASS: All 2", {"KA120"}),
    (
        "the last judge dropped and counted",
        last_judge_dropped_and_counted,
        "PASS: All 2",
        {"KA120"},
    ),
    ("all judges dropped", all_judges_dropped, "PASS: All 0", {"KA136"}),
    ("no rounds", lambda: b'{"evaluations": []}', SILENT, {"KA136"}),
    ("no anything", lambda: b"{}", "PASS: All 0", {"KA003", "KA136"}),
    ("two judges exchanged", judges_exchanged, FAILED, {"KA102", "KA103", "KA123"}),
    ("two judges exchanged and relinked", judges_exchanged_and_relinked, PASSED, {"KA123"}),
    ("a judge twice", judge_doubled, PASSED, {"KA122"}),
    ("a judge unknown", lambda: entry_changed(1, judge_id="friend"), PASSED, {"KA121"}),
    ("a score not a number", score_not_a_number, PASSED, {"KA001"}),
    ("a score without end", score_infinite, PASSED, {"KA001"}),
    ("a score off the scale", lambda: entry_changed(0, score=99.9), PASSED, {"KA130", "KA124"}),
    ("a score below the scale", lambda: entry_changed(0, score=-0.0), PASSED, {"KA130", "KA124"}),
    ("a score of two decimals", lambda: entry_changed(0, score=8.25), PASSED, {"KA131"}),
    ("a score with a trailing zero", score_with_a_trailing_zero, PASSED, {"KA131"}),
    ("a score that is a word", lambda: entry_changed(0, score="8.2"), PASSED, {"KA003"}),
    ("a score that is true", lambda: entry_changed(0, score=True), PASSED, {"KA003"}),
    ("a score twice, the first for show", score_twice, PASSED, {"KA002"}),
    ("a prefix in the middle of a hash", prefix_in_the_middle, PASSED, {"KA105"}),
    ("prefixes around a link", prefixes_everywhere, PASSED, {"KA105"}),
    ("no meta-judge where one is needed", meta_judge_left_out, PASSED, {"KA124"}),
    ("a peer's score quoted", peers_score_quoted, PASSED, {"KA142"}),
    ("one rationale for all", rationales_alike, PASSED, {"KA144"}),
    ("a round twice", round_repeated, PASSED, {"KA135"}),
    ("an artifact that never was", artifact_made_up, PASSED, {"KA110"}),
    ("a path out of the tree", lambda: changed(artifact_path="../SKILL.md"), PASSED, {"KA113"}),
    ("a path gone", lambda: dumps(_without("artifact_path")), PASSED, {"KA003"}),
    ("recipes mixed", recipes_mixed, FAILED, {"KA106"}),
    ("a byte-order mark", byte_order_mark, CRASHED, {"KA001"}),
    ("a link gone", lambda: dumps(_without_link()), CRASHED, {"KA003"}),
]


def _without(name: str) -> Round:
    round_ = honest()
    del round_[name]
    return round_


def _without_link() -> Round:
    round_ = honest()
    del round_["attestations"][1]["previous_attestation_hash"]
    return round_


@pytest.mark.parametrize(
    ("forge", "script", "found"), [row[1:] for row in FORGERIES], ids=[row[0] for row in FORGERIES]
)
def test_forgery(forge: Callable[[], bytes], script: str, found: set[str], tmp_path: Path) -> None:
    data = forge()
    said = script_says(data, tmp_path)
    assert said.startswith(script) if script else said == SILENT
    report = judge(data)
    assert not report.ok
    assert found <= errors(report)


def test_hidden_text_passes_the_script_and_warns_here(tmp_path: Path) -> None:
    data = hidden_text()
    assert script_says(data, tmp_path) == PASS.format(3)
    assert codes(judge(data)) == ["KA007"]


def test_forgeries_beside_the_point_are_left_out() -> None:
    """The table is about blind spots: most of it must be what the script passes."""
    blind = [row for row in FORGERIES if row[2].startswith("PASS") or row[2] == SILENT]
    assert len(blind) >= 30
    assert len({row[0] for row in FORGERIES}) == len(FORGERIES)


def test_the_builder_of_honest_rounds_agrees_with_itself() -> None:
    """``resealed`` above and ``make_round`` are two writings of one recipe."""
    assert resealed(make_round()) == make_round()
    first = make_round()["attestations"][0]
    artifact_hash = make_round()["artifact_hash"]
    again = attestation(
        "domain-expert", artifact_hash, "8.2", RATIONALES[0], "sha256:" + "0" * 64, 30
    )
    assert first == again
