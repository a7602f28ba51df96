"""The options of `kattest verify` that name a range or a base, and what excludes what."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import FILE, Run, Sandbox
from tests.support.rounds import dumps, make_round


def refused(done: Run) -> str:
    """What is said where nothing could be checked."""
    assert done.status == 2, done
    assert done.out == ""
    assert "what to do: " in done.err
    return done.err


@pytest.mark.parametrize(
    "options",
    [
        ["--range", "HEAD..HEAD", "--staged"],
        ["--range", "HEAD..HEAD", "--rev", "HEAD"],
        ["--range", "", "--staged"],
        ["--range", "", "--rev", ""],
    ],
    ids=" ".join,
)
def test_a_range_excludes_other_sources(clean: Sandbox, options: list[str]) -> None:
    assert "exclude each other" in refused(clean.kattest("verify", *options))


@pytest.mark.parametrize("options", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_each_commit_needs_a_range(clean: Sandbox, options: list[str]) -> None:
    done = clean.kattest("verify", "--each-commit", *options)
    assert "--each-commit is for ranges" in refused(done)


@pytest.mark.parametrize("option", ["--rev", "--range"])
def test_a_base_is_for_local_work(clean: Sandbox, option: str) -> None:
    done = clean.kattest("verify", "--base", "HEAD", option, "HEAD")
    assert f"--base is not for {option}" in refused(done)


@pytest.mark.parametrize("options", [[], ["--staged"]], ids=str)
def test_a_base_that_is_no_commit(clean: Sandbox, options: list[str]) -> None:
    for base in "nowhere", "", "HEAD:skill", "HEAD^{tree}":
        assert "names no commit" in refused(clean.kattest("verify", *options, "--base", base))


def test_a_range_or_base_outside_a_repository(sandbox: Sandbox) -> None:
    outside = Sandbox(sandbox.path.parent, sandbox.env)
    for options in ["--range", "A..B"], ["--base", "HEAD"]:
        assert "is in no git repository" in refused(outside.kattest("verify", *options))


def test_a_range_before_the_first_commit(sandbox: Sandbox) -> None:
    for given in "HEAD", "HEAD..HEAD", "..":
        refused(sandbox.kattest("verify", "--range", given))


def test_ends_that_look_like_options_or_name_objects(clean: Sandbox) -> None:
    for given in "HEAD..--all", "--all..HEAD", "HEAD..HEAD:skill", "HEAD^{tree}..HEAD":
        assert "names no commit" in refused(clean.kattest("verify", f"--range={given}"))


def test_formats_of_a_range(clean: Sandbox) -> None:
    base = clean.git("rev-parse", "HEAD")
    clean.write(FILE, dumps(make_round(path="SKILL.md", evaluation_id="another")))
    head = clean.commit()
    done = clean.kattest("verify", "--range", f"{base}..{head}", "--format", "json")
    assert done.status == 1
    report = json.loads(done.out)
    assert report["source"] == {"kind": "range", "rev": head, "base": base}
    assert [one["code"] for one in report["findings"]] == ["KA502"]
    quiet = clean.kattest("verify", "--range", f"{base}..{head}", "-q")
    assert quiet.status == 1
    assert quiet.out.splitlines()[0].startswith(f"{FILE}:1:1: error KA502 round-removed: ")


def test_rules_and_parts_are_chosen_in_a_range_too(clean: Sandbox) -> None:
    clean.write(FILE, dumps(make_round(path="SKILL.md", evaluation_id="another")))
    clean.commit()
    args = ("verify", "--range", "HEAD~1..HEAD")
    for each in [], ["--each-commit"]:
        assert clean.kattest(*args, *each).status == 1
        assert clean.kattest(*args, *each, "--ignore", "KA502").status == 0
        assert clean.kattest(*args, *each, "--select", "KA101").status == 0
        assert clean.kattest(*args, *each, "--select", "KA5").status == 1
        assert clean.kattest(*args, *each, "--only", "memory").status == 0


def test_warnings_fail_a_range_where_that_is_wished(superseded: Sandbox) -> None:
    first = make_round(path="SKILL.md")
    outdated = make_round(path="SKILL.md", evaluation_id="outdated")
    superseded.write(FILE, dumps(first, outdated))
    superseded.commit()
    for each in [], ["--each-commit"]:
        args = ("verify", "--range", "HEAD~1..HEAD", *each)
        done = superseded.kattest(*args)
        assert done.status == 0, done
        assert " warning KA111 " in done.out
        assert superseded.kattest(*args, "--strict").status == 1


def test_the_help_says_what_a_range_is(clean: Sandbox) -> None:
    done = clean.kattest("verify", "--help")
    assert done.status == 0
    for option in "--range", "--each-commit", "--base":
        assert option in done.out
