"""``kattest attest`` as pipelines run it: open, judge, close, record."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import FILE, Sandbox, clean_environment, copied
from tests.cli.writing import (
    ARTIFACT_PATH,
    SCORES,
    SEATS,
    Document,
    codes,
    dated,
    document_of,
    files_in,
    give,
    hash_of,
    judge,
    judge_all,
    open_panel,
    refused,
    rounds_in,
    whole_round,
)
from tests.support.git import forged
from tests.support.rounds import ARTIFACT, HIGH_STAKES, NULL, RATIONALES, STANDARD, sha256

CUSTOM = b"""\
panels:
  security:
    - {judge: domain-expert, weight: 0.5}
    - {judge: threat-modeller, weight: 0.5, titles: [threat modeller]}
"""
BREACH = "I agree with the critic, who gave this artifact 7.5 for its missing edge cases."


@pytest.fixture(scope="module")
def skill_template(templates: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    skill = dated(copied("sandbox", templates, tmp_path_factory.mktemp("skill")))
    skill.write(ARTIFACT_PATH, ARTIFACT)
    skill.commit()
    return skill


@pytest.fixture(scope="module")
def open_template(
    skill_template: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Sandbox, Document]:
    sandbox = same(skill_template, tmp_path_factory.mktemp("open"))
    return sandbox, open_panel(sandbox)


@pytest.fixture(scope="module")
def judged_template(
    open_template: tuple[Sandbox, Document], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Sandbox, str]:
    sandbox = same(open_template[0], tmp_path_factory.mktemp("judged"))
    evaluation_id = open_template[1]["evaluation_id"]
    judge_all(sandbox, evaluation_id)
    return sandbox, evaluation_id


def same(template: Sandbox, folder: Path) -> Sandbox:
    """A copy of a repository, its open panels with it."""
    shutil.copytree(template.path, folder / "repository", symlinks=True)
    return dated(Sandbox(folder / "repository", clean_environment(folder)))


@pytest.fixture
def skill(skill_template: Sandbox, tmp_path: Path) -> Sandbox:
    """A repository whose only commit holds an artifact."""
    return same(skill_template, tmp_path)


@pytest.fixture
def panel(open_template: tuple[Sandbox, Document], tmp_path: Path) -> tuple[Sandbox, str]:
    """The same, with an open panel."""
    return same(open_template[0], tmp_path), open_template[1]["evaluation_id"]


@pytest.fixture
def judged(judged_template: tuple[Sandbox, str], tmp_path: Path) -> tuple[Sandbox, str]:
    """The same, where the three judges have judged."""
    return same(judged_template[0], tmp_path), judged_template[1]


def sealed(sandbox: Sandbox) -> dict[str, tuple[int, bytes]]:
    """What is kept of open panels."""
    return files_in(sandbox.path / ".git" / "kattest" / "panels")


def close(sandbox: Sandbox, evaluation_id: str, status: int = 0) -> Document:
    return document_of(sandbox.kattest("attest", "close", evaluation_id), status)


class TestOpen:
    def test_prints_what_is_fixed_before_anybody_judges(
        self, open_template: tuple[Sandbox, Document]
    ) -> None:
        sandbox, opened = open_template
        assert opened["artifact_path"] == ARTIFACT_PATH
        assert opened["artifact_hash"] == f"sha256:{sha256(ARTIFACT)}"
        assert opened["file"] == FILE
        assert opened["panel"] == "standard"
        assert opened["seats"] == [*STANDARD]
        assert opened["evaluation_id"].startswith("bto-eval-2026-03-01T12:30:00Z-")
        assert not (sandbox.path / FILE).exists()
        assert sandbox.git("status", "--porcelain", "--ignored") == ""

    def test_a_panel_of_five_and_another_file_from_a_subfolder(self, skill: Sandbox) -> None:
        options = ("--panel", "high-stakes", "--file", "../rounds/.judge-attestations.json")
        opened = open_panel(skill, "SKILL.md", *options, cwd="skill")
        assert opened["seats"] == [*HIGH_STAKES]
        assert opened["artifact_path"] == ARTIFACT_PATH
        assert opened["file"] == "rounds/.judge-attestations.json"

    def test_only_a_published_roster_is_known(self, skill: Sandbox) -> None:
        skill.write(".kattest.yaml", CUSTOM)
        run = skill.kattest("attest", "open", ARTIFACT_PATH, "--panel", "security")
        refused(run, 'no panel "security"', "standard, high-stakes")
        skill.commit()
        opened = open_panel(skill, "--panel", "security")
        assert opened["seats"] == ["domain-expert", "threat-modeller"]

    def test_outside_a_repository_it_says_so(self, tmp_path: Path) -> None:
        outside = Sandbox(tmp_path, clean_environment(tmp_path))
        outside.write("SKILL.md", ARTIFACT)
        refused(outside.kattest("attest", "open", "SKILL.md"), "no git repository")
        assert [path.name for path in tmp_path.iterdir()] == ["SKILL.md"]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "options",
        [
            ["skill/MISSING.md"],
            ["skill"],
            ["skill/link.md"],
            ["../outside.md"],
            [".git/config"],
            [ARTIFACT_PATH, "--file", "skill/rounds.json"],
            [ARTIFACT_PATH, "--file", "../.judge-attestations.json"],
            [ARTIFACT_PATH, "--file", ".git/.judge-attestations.json"],
            [ARTIFACT_PATH, "--file", "away/.judge-attestations.json"],
            ["away/outside.md"],
            [ARTIFACT_PATH, "--panel", "unheard-of"],
        ],
        ids=" ".join,
    )
    def test_what_no_check_would_follow_is_refused(
        self, skill: Sandbox, options: list[str]
    ) -> None:
        (skill.path / "skill/link.md").symlink_to("SKILL.md")
        (skill.path / "away").symlink_to("..")
        (skill.path.parent / "outside.md").write_bytes(ARTIFACT)
        refused(skill.kattest("attest", "open", *options))
        assert sealed(skill) == {}

    @pytest.mark.slow
    def test_a_symlinked_folder_stands_for_the_one_it_leads_to(self, skill: Sandbox) -> None:
        (skill.path / "link").symlink_to("skill")
        opened = open_panel(skill, "link/SKILL.md")
        assert (opened["artifact_path"], opened["file"]) == (ARTIFACT_PATH, FILE)


class TestJudge:
    def test_prints_its_hash_and_nothing_of_what_others_said(
        self, panel: tuple[Sandbox, str]
    ) -> None:
        sandbox, evaluation_id = panel
        first = judge(sandbox, evaluation_id, "critic", "2.7", "A zebra among rationales. " * 2)
        trimmed = ("A zebra among rationales. " * 2).strip()
        assert first.out == hash_of("critic", ARTIFACT, "2.7", trimmed) + "\n"
        assert not first.err
        for seat in ("domain-expert", "critic"):
            other = judge(sandbox, evaluation_id, seat, "9.1", RATIONALES[0])
            assert len(other.out.splitlines()) == (seat == "domain-expert")
            for secret in ("2.7", "zebra", first.out.strip()):
                assert secret not in other.out + other.err

    def test_what_is_sealed_does_not_change(self, judged: tuple[Sandbox, str]) -> None:
        sandbox, evaluation_id = judged
        before = sealed(sandbox)
        run = judge(sandbox, evaluation_id, "critic", "9.9", RATIONALES[1])
        refused(run, '"critic" has judged')
        assert sealed(sandbox) == before
        close(sandbox, evaluation_id)
        assert [one["score"] for one in rounds_in(sandbox)[0]["attestations"]] == [8.2, 7.5, 8.0]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("seat", "score", "rationale"),
        [
            ("tiebreaker", "7.0", RATIONALES[0]),
            ("", "7.0", RATIONALES[0]),
            ("../critic", "7.0", RATIONALES[0]),
            *(
                ("critic", score, RATIONALES[0])
                for score in (
                    "10.1",
                    "11",
                    "-1",
                    "7.55",
                    "7.50",
                    ".5",
                    "7.",
                    "1e1",
                    "nan",
                    "",
                    "\u0667",
                )
            ),
            ("critic", "7.0", ""),
            ("critic", "7.0", " \n\t\u00a0"),
            ("critic", "7.0", b"caf\xe9, and so on for a while"),
            ("meta-judge", "7.0", RATIONALES[0]),
        ],
    )
    def test_what_is_no_judgement_is_refused(
        self, panel: tuple[Sandbox, str], seat: str, score: str, rationale: str | bytes
    ) -> None:
        sandbox, evaluation_id = panel
        before = sealed(sandbox)
        run = judge(sandbox, evaluation_id, seat, score, rationale)
        assert run.status == 2
        assert not run.out
        assert "what to do: " in run.err or "Error" in run.err
        assert sealed(sandbox) == before

    def test_a_long_rationale_is_cut_to_500_code_points(self, panel: tuple[Sandbox, str]) -> None:
        sandbox, evaluation_id = panel
        text = f"  {'ж😀' * 249}a {'b' * 9}\n"
        run = judge(sandbox, evaluation_id, "critic", "10", text)
        assert run.out.strip() == hash_of("critic", ARTIFACT, "10.0", f"{'ж😀' * 249}a")

    @pytest.mark.slow
    def test_a_rationale_file_is_read_from_the_current_folder(
        self, panel: tuple[Sandbox, str]
    ) -> None:
        sandbox, evaluation_id = panel
        sandbox.write("notes/critic.md", RATIONALES[1])
        options = ("--judge", "critic", "--score", "7.5", "--rationale-file")
        command = ("attest", "judge", evaluation_id, *options)
        refused(sandbox.kattest(*command, "critic.md"), '"critic.md" cannot be read')
        run = sandbox.kattest(*command, "critic.md", cwd="notes")
        assert run.out.strip() == hash_of("critic", ARTIFACT, "7.5", RATIONALES[1])

    def test_an_artifact_that_has_changed_is_not_judged_until_it_is_put_back(
        self, panel: tuple[Sandbox, str]
    ) -> None:
        sandbox, evaluation_id = panel
        before = sealed(sandbox)
        sandbox.write(ARTIFACT_PATH, ARTIFACT + b"\n")
        refused(judge(sandbox, evaluation_id, "critic", "7.5", RATIONALES[1]), "has changed")
        assert sealed(sandbox) == before
        sandbox.write(ARTIFACT_PATH, ARTIFACT)
        assert judge(sandbox, evaluation_id, "critic", "7.5", RATIONALES[1]).status == 0

    @pytest.mark.slow
    def test_judges_in_a_linked_worktree_and_in_a_subfolder(
        self, panel: tuple[Sandbox, str], tmp_path: Path
    ) -> None:
        sandbox, evaluation_id = panel
        sandbox.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
        linked = Sandbox(tmp_path / "linked", sandbox.env)
        judge_all(linked, evaluation_id)
        assert linked.git("status", "--porcelain") == ""
        assert document_of(linked.kattest("attest", "close", evaluation_id, cwd="skill"))["written"]
        assert rounds_in(linked)[0]["evaluation_id"] == evaluation_id
        assert not (sandbox.path / FILE).exists()
        assert codes(linked, "--strict") == []


class TestClose:
    def test_writes_a_round_that_verifies(self, judged: tuple[Sandbox, str]) -> None:
        sandbox, evaluation_id = judged
        assert close(sandbox, evaluation_id) == {
            "evaluation_id": evaluation_id,
            "file": FILE,
            "written": True,
            "needs_meta_judge": False,
            "spread": 0.7,
            "final_score": 7.93,
        }
        [written] = rounds_in(sandbox)
        assert [one["judge_id"] for one in written["attestations"]] == [*SEATS]
        hashes = [
            hash_of(seat, ARTIFACT, score, rationale)
            for seat, score, rationale in zip(SEATS, SCORES, RATIONALES, strict=False)
        ]
        assert [one["evaluation_hash"] for one in written["attestations"]] == hashes
        links = [one["previous_attestation_hash"] for one in written["attestations"]]
        assert links == [f"sha256:{NULL}", *hashes[:-1]]
        assert written["weights"] == STANDARD
        assert sealed(sandbox) == {}
        sandbox.commit()
        assert codes(sandbox, "--rev", "HEAD", "--strict", "--require", "attestations") == []
        refused(sandbox.kattest("attest", "close", evaluation_id), "no open panel")

    def test_with_seats_missing_nothing_is_written(self, panel: tuple[Sandbox, str]) -> None:
        sandbox, evaluation_id = panel
        run = sandbox.kattest("attest", "close", evaluation_id)
        refused(run, "waits for domain-expert, critic, completeness-auditor")
        assert sandbox.git("status", "--porcelain") == ""

    def test_a_panel_that_disagrees_needs_a_meta_judge(self, panel: tuple[Sandbox, str]) -> None:
        sandbox, evaluation_id = panel
        judge_all(sandbox, evaluation_id, ("8.1", "5.0", "8.0"))
        before = sealed(sandbox)
        run = sandbox.kattest("attest", "close", evaluation_id)
        said = document_of(run, 1)
        assert (said["written"], said["needs_meta_judge"]) == (False, True)
        assert (said["spread"], said["final_score"]) == (3.1, None)
        assert "--judge meta-judge" in run.err
        assert sealed(sandbox) == before
        assert sandbox.git("status", "--porcelain") == ""
        assert judge(sandbox, evaluation_id, "meta-judge", "6.6", RATIONALES[5]).status == 0
        assert close(sandbox, evaluation_id)["final_score"] == 6.6
        [written] = rounds_in(sandbox)
        assert written["attestations"][-1]["judge_id"] == "meta-judge"
        assert written["panel_size"] == 3
        assert codes(sandbox, "--strict") == []

    @pytest.mark.slow
    @pytest.mark.parametrize("scores", [("8.0", "5.0", "6.0"), ("4.4", "1.4", "2.0")])
    def test_exactly_three_apart_needs_no_meta_judge(
        self, panel: tuple[Sandbox, str], scores: tuple[str, ...]
    ) -> None:
        sandbox, evaluation_id = panel
        judge_all(sandbox, evaluation_id, scores)
        refused(
            judge(sandbox, evaluation_id, "meta-judge", "6.0", RATIONALES[5]), "needs no meta-judge"
        )
        assert close(sandbox, evaluation_id)["spread"] == 3.0
        assert codes(sandbox, "--strict") == []

    def test_a_round_that_breaks_isolation_is_not_written(self, panel: tuple[Sandbox, str]) -> None:
        sandbox, evaluation_id = panel
        judge_all(sandbox, evaluation_id, rationales=(BREACH, *RATIONALES[1:]))
        run = sandbox.kattest("attest", "close", evaluation_id)
        assert document_of(run, 1)["written"] is False
        assert "error KA142 isolation-breach: " in run.err
        assert sandbox.git("status", "--porcelain") == ""

    def test_other_rounds_of_the_file_stay_as_they_are(self, judged: tuple[Sandbox, str]) -> None:
        sandbox, evaluation_id = judged
        older = document_of(
            give(sandbox, whole_round(evaluation_id="older"), "attest", "record", "--from", "-")
        )
        assert older["written"] is True
        file = json.loads((sandbox.path / FILE).read_bytes())
        sandbox.write(FILE, json.dumps({"note": "ours", **file}))
        before = rounds_in(sandbox)
        close(sandbox, evaluation_id)
        assert rounds_in(sandbox)[:-1] == before
        assert json.loads((sandbox.path / FILE).read_bytes())["note"] == "ours"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"{",
            b"[]",
            b"{}",
            b'{"evaluations": {}}',
            b'{"evaluations": [1]}',
            b'{"evaluations": [], "evaluations": []}',
            b'\xef\xbb\xbf{"evaluations": []}',
        ],
    )
    def test_a_file_that_is_no_attestation_file_is_not_touched(
        self, judged: tuple[Sandbox, str], content: bytes
    ) -> None:
        sandbox, evaluation_id = judged
        sandbox.write(FILE, content)
        before = files_in(sandbox.path / "skill"), sealed(sandbox)
        refused(sandbox.kattest("attest", "close", evaluation_id), "skill/.judge-attestations.json")
        assert (files_in(sandbox.path / "skill"), sealed(sandbox)) == before

    @pytest.mark.slow
    @pytest.mark.parametrize("target", ["elsewhere.json", "missing.json"])
    def test_a_symlink_in_the_files_place_is_not_followed(
        self, judged: tuple[Sandbox, str], target: str
    ) -> None:
        sandbox, evaluation_id = judged
        elsewhere = sandbox.write("elsewhere.json", b'{"evaluations": []}')
        (sandbox.path / FILE).symlink_to(f"../{target}")
        refused(sandbox.kattest("attest", "close", evaluation_id), "symlink")
        assert elsewhere.read_bytes() == b'{"evaluations": []}'
        assert (sandbox.path / FILE).is_symlink()
        assert not (sandbox.path / "missing.json").exists()

    @pytest.mark.slow
    def test_an_artifact_that_changed_after_the_last_judge_is_not_attested(
        self, judged: tuple[Sandbox, str]
    ) -> None:
        sandbox, evaluation_id = judged
        sandbox.write(ARTIFACT_PATH, b"another\n")
        refused(sandbox.kattest("attest", "close", evaluation_id), "has changed")
        sandbox.write(ARTIFACT_PATH, ARTIFACT)
        assert close(sandbox, evaluation_id)["written"] is True

    @pytest.mark.slow
    @pytest.mark.parametrize("evaluation_id", ["unheard-of", "", "../panels", "a\nb"])
    def test_an_unknown_panel_is_refused_by_all(self, skill: Sandbox, evaluation_id: str) -> None:
        refused(skill.kattest("attest", "close", evaluation_id), "no open panel")
        refused(judge(skill, evaluation_id, "critic", "7.0", RATIONALES[0]), "no open panel")

    @pytest.mark.slow
    def test_two_panels_of_one_artifact_do_not_mix(self, judged: tuple[Sandbox, str]) -> None:
        sandbox, first = judged
        second = open_panel(sandbox)["evaluation_id"]
        assert second != first
        judge_all(sandbox, second, ("6.0", "6.1", "6.2"))
        for evaluation_id in (second, first):
            close(sandbox, evaluation_id)
        written = {one["evaluation_id"]: one["final_score"] for one in rounds_in(sandbox)}
        assert written == {second: 6.09, first: 7.93}
        assert codes(sandbox, "--strict") == []


class TestRecord:
    def test_writes_a_whole_round(self, skill: Sandbox) -> None:
        given = whole_round(evaluation_id="e1", artifact_hash=f"sha256:{sha256(ARTIFACT)}")
        said = document_of(give(skill, given, "attest", "record", "--from", "-"))
        assert (said["evaluation_id"], said["written"]) == ("e1", True)
        assert codes(skill, "--strict") == []
        before = files_in(skill.path / "skill")
        again = whole_round(("8.3", "7.5", "8.0"), evaluation_id="e1")
        refused(give(skill, again, "attest", "record", "--from", "-"), '"e1"')
        assert files_in(skill.path / "skill") == before

    @pytest.mark.slow
    def test_with_a_meta_judge_from_a_file_by_the_bare_recipe(self, skill: Sandbox) -> None:
        seats, scores = (*HIGH_STAKES, "meta-judge"), ("9.1", "3.4", "8.0", "7.9", "7.2", "6.6")
        given = whole_round(scores, seats=seats, panel="high-stakes", file="x/" + Path(FILE).name)
        skill.write("given.json", given)
        command = ("attest", "record", "--from", "given.json", "--recipe", "bare")
        said = document_of(skill.kattest(*command))
        assert (said["file"], said["final_score"]) == ("x/.judge-attestations.json", 6.6)
        [written] = rounds_in(skill, said["file"])
        for one, seat, score, rationale in zip(
            written["attestations"], seats, scores, RATIONALES, strict=True
        ):
            assert one["evaluation_hash"] == hash_of(seat, ARTIFACT, score, rationale, bare=True)
        report = json.loads(skill.kattest("verify", "--strict", "--format", "json").out)
        assert report["rounds"][0]["recipe"] == "bare"
        assert report["findings"] == []

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("given", "words"),
        [
            (b"", "is not JSON"),
            (b"[]", "must be an object"),
            (b'{"artifact_path": "x", "artifact_path": "x"}', '"artifact_path" twice'),
            (b'{"artifact_path": "skill/SKILL.md"}', "attestations"),
            (whole_round(artifact_hash=f"sha256:{NULL}"), "artifact_hash is not that of"),
            (whole_round(unheard="of"), "unheard"),
            (whole_round(scores=("8.2", "7.5")), "waits for completeness-auditor"),
            (whole_round(seats=("domain-expert", "critic", "critic")), '"critic" judges twice'),
            (whole_round(seats=("domain-expert", "critic", "nobody")), '"nobody" has no seat'),
            (whole_round(scores=("8.2", "7.55", "8.0")), "does not round"),
            (whole_round(scores=("8.2", '"7.5"', "8.0")), "score"),
            (whole_round(seats=(*SEATS, "meta-judge"), scores=(*SCORES, "8.0")), "no meta-judge"),
            (whole_round(panel="unheard-of"), 'no panel "unheard-of"'),
            (whole_round(artifact_path="../SKILL.md"), "not followed"),
            (whole_round(artifact_path="/etc/passwd"), "not followed"),
            (whole_round(file="/tmp/.judge-attestations.json"), "not followed"),  # noqa: S108
            (whole_round(rationales=("", "x", "x")), "no rationale"),
        ],
    )
    def test_what_is_no_round_is_refused(self, skill: Sandbox, given: bytes, words: str) -> None:
        run = give(skill, given, "attest", "record", "--from", "-")
        refused(run, words)
        assert skill.git("status", "--porcelain") == ""

    @pytest.mark.slow
    def test_a_panel_that_disagrees_needs_a_meta_judge_here_too(self, skill: Sandbox) -> None:
        run = give(skill, whole_round(("9.0", "5.9", "8.0")), "attest", "record", "--from", "-")
        assert document_of(run, 1)["needs_meta_judge"] is True
        assert skill.git("status", "--porcelain") == ""


@pytest.mark.slow
class TestWhatGitStores:
    """The hash is that of the blob, whatever stands between it and the working tree."""

    def attested(self, sandbox: Sandbox) -> str:
        """Attest and commit the artifact; the hash that was attested."""
        said = document_of(give(sandbox, whole_round(), "attest", "record", "--from", "-"))
        assert said["written"] is True
        sandbox.commit()
        assert codes(sandbox, "--rev", "HEAD", "--strict") == []
        assert codes(sandbox, "--strict") == []
        return str(rounds_in(sandbox)[0]["artifact_hash"])

    @pytest.mark.parametrize(
        "prepare",
        [
            lambda sandbox: sandbox.git("config", "core.autocrlf", "true"),
            lambda sandbox: sandbox.git("config", "core.autocrlf", "input"),
            lambda sandbox: sandbox.write(".gitattributes", "*.md text\n"),
            lambda sandbox: sandbox.write(".gitattributes", "*.md text eol=crlf\n"),
        ],
        ids=["autocrlf", "autocrlf-input", "text", "eol-crlf"],
    )
    def test_of_converted_line_ends(
        self, sandbox: Sandbox, prepare: Callable[[Sandbox], object]
    ) -> None:
        prepare(sandbox)
        sandbox.write(ARTIFACT_PATH, ARTIFACT.replace(b"\n", b"\r\n"))
        assert self.attested(dated(sandbox)) == f"sha256:{sha256(ARTIFACT)}"
        assert sandbox.git("cat-file", "blob", f"HEAD:{ARTIFACT_PATH}") == ARTIFACT.decode().strip()

    def test_of_line_ends_that_are_not_converted(self, sandbox: Sandbox) -> None:
        crlf = ARTIFACT.replace(b"\n", b"\r\n")
        sandbox.write(ARTIFACT_PATH, crlf)
        assert self.attested(dated(sandbox)) == f"sha256:{sha256(crlf)}"

    def test_of_what_a_filter_keeps_elsewhere(self, sandbox: Sandbox) -> None:
        clean = sandbox.write(
            "../clean.sh",
            "#!/bin/sh\ncat >.git/content\n"
            'printf "version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n" '
            '"$(sha256sum .git/content | cut -c -64)" "$(wc -c <.git/content | tr -d " ")"\n',
        )
        clean.chmod(0o755)
        sandbox.git("config", "filter.keep.clean", str(clean))
        sandbox.git("config", "filter.keep.smudge", "cat .git/content")
        sandbox.write(".gitattributes", "*.md filter=keep\n")
        sandbox.write(ARTIFACT_PATH, ARTIFACT)
        assert self.attested(dated(sandbox)) == f"sha256:{sha256(ARTIFACT)}"
        assert "oid sha256:" in sandbox.git("cat-file", "blob", f"HEAD:{ARTIFACT_PATH}")

    def test_of_a_pointer_whose_content_is_not_here(self, sandbox: Sandbox) -> None:
        digest = sha256(ARTIFACT)
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 62\n"
        sandbox.write(ARTIFACT_PATH, pointer)
        self.attested(dated(sandbox))


def test_a_forged_round_beside_it_does_not_keep_an_honest_one_out(clean: Sandbox) -> None:
    sandbox = dated(clean)
    path = sandbox.path / FILE
    path.write_bytes(forged(path.read_bytes()))
    given = whole_round(evaluation_id="honest")
    assert document_of(give(sandbox, given, "attest", "record", "--from", "-"))["written"] is True
    assert "KA101" in codes(sandbox)
