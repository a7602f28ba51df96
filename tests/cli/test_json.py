"""JSON reports of real runs: their shape, their stability, and that ``ok`` is the exit status."""

import json
import shutil

import pytest

from tests.cli.conftest import AS_OF, FILE, Run, Sandbox, committed
from tests.report.schema import validate
from tests.support.memory import ROOT, make_index, make_record
from tests.support.rounds import ARTIFACT, make_round


def json_of(sandbox: Sandbox, *arguments: str, cwd: str = ".", **env: str) -> Run:
    command = ("verify", "--format", "json", "--as-of", AS_OF, *arguments)
    return sandbox.kattest(*command, cwd=cwd, **env)


@pytest.fixture
def single(sandbox: Sandbox) -> Sandbox:
    """A file that is itself one round."""
    sandbox.write("skill/SKILL.md", ARTIFACT)
    sandbox.write(FILE, json.dumps(make_round(path="SKILL.md")))
    sandbox.commit()
    return sandbox


@pytest.fixture
def unreadable(sandbox: Sandbox) -> Sandbox:
    sandbox.write(FILE, '{"evaluations": [')
    sandbox.commit()
    return sandbox


@pytest.fixture
def nothing(sandbox: Sandbox) -> Sandbox:
    sandbox.write("README.md", "nothing here was judged\n")
    sandbox.commit()
    return sandbox


REPOSITORIES = [
    "clean", "forged", "superseded", "moved", "single", "unreadable", "nothing", "memory", "overdue",
]  # fmt: skip


@pytest.mark.parametrize(
    ("repository", "source"),
    [
        *((name, []) for name in REPOSITORIES),
        *((name, ["--staged"]) for name in ("forged", "superseded", "nothing", "overdue")),
        *((name, ["--rev", "HEAD"]) for name in REPOSITORIES),
    ],
    ids=str,
)
def test_a_real_report_has_the_shape_of_the_design_and_ok_is_the_status(
    repository: str, source: list[str], request: pytest.FixtureRequest
) -> None:
    sandbox: Sandbox = request.getfixturevalue(repository)
    run = json_of(sandbox, *source)
    document = json.loads(run.out)
    validate(document)
    assert run.err == ""
    assert run.status == (0 if document["ok"] else 1)


@pytest.mark.parametrize(
    ("options", "failing"),
    [
        (["--strict"], ["forged", "superseded", "unreadable"]),
        (["--ignore", "KA1,KA001"], []),
        (["--select", "KA111", "--strict"], ["superseded"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("repository", ["clean", "forged", "superseded", "moved", "unreadable"])
def test_ok_is_false_exactly_where_the_status_is_1(
    repository: str, options: list[str], failing: list[str], request: pytest.FixtureRequest
) -> None:
    sandbox: Sandbox = request.getfixturevalue(repository)
    run = json_of(sandbox, *options)
    assert run.status == (1 if repository in failing else 0)
    assert json.loads(run.out)["ok"] is (run.status == 0)


def test_a_second_run_gives_the_same_bytes_whatever_seeds_and_folders(sandbox: Sandbox) -> None:
    broken = make_round(path="SKILL.md") | {f"extra-{number}": number for number in range(20)}
    broken["weights"] = {f"judge-{number}": 0.1 for number in range(20)}
    committed(sandbox, broken, make_round(path="SKILL.md"))
    shutil.copytree(sandbox.path / "skill", sandbox.path / "another")
    runs = [
        json_of(sandbox, PYTHONHASHSEED="1"),
        json_of(sandbox, PYTHONHASHSEED="2"),
        json_of(sandbox, PYTHONHASHSEED="3", cwd="skill"),
        json_of(sandbox, PYTHONHASHSEED="4", LC_ALL="C", TZ="Asia/Tokyo"),
    ]
    assert runs[0].status == 1
    assert runs[1:] == [runs[0]] * 3


def test_a_second_run_over_a_memory_gives_the_same_bytes_too(memory: Sandbox) -> None:
    index = make_index(make_record(f"slug-{number}", f"phase-{number}") for number in range(20))
    memory.write(f"{ROOT}/index.json", json.dumps(index))
    for form in ("json", "text"):
        runs = [json_of(memory, "--format", form, PYTHONHASHSEED=seed) for seed in ("1", "2")]
        assert runs[0].status == 1
        assert runs[0] == runs[1]


def test_the_text_report_is_as_stable(forged: Sandbox) -> None:
    runs = [
        forged.kattest("verify", "-v", "--as-of", AS_OF, PYTHONHASHSEED=seed) for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
