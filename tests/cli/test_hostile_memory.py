"""Text in the records, indexes and names of a memory cannot act on anybody either."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import AS_OF, KATTEST, Sandbox, copied
from tests.cli.hostile import HOSTILE, assert_harmless, named
from tests.cli.terminal import on_terminal
from tests.support.memory import (
    CONFIG,
    ROOT,
    STORED,
    archive,
    dumps,
    file_of,
    make_index,
    make_record,
    make_tree,
    stamp,
)

NOW = ("--as-of", AS_OF)


def slug_of(text: str) -> str:
    """``text`` as the slug of a record, whose path may hold no backslash."""
    return named(text).replace("\\", "-")


def hostile_memory(text: str) -> dict[str, bytes]:
    """A memory that holds ``text`` wherever a report may show what it says."""
    fields = dict.fromkeys(
        (
            "id", "version", "case_slug", "domain", "phase", "skill_used", "reward_label",
            "reward_reason", "promise_tag",
        ),
        text,
    )  # fmt: skip
    record = make_record("plain") | fields | {text: text}
    dated = make_record("dated") | {"timestamp": text, "expires_at": text}
    old = archive(make_record("old") | fields, STORED) | {text: text, "summary": text * 200}
    slug = slug_of(text)
    twin, twins = make_record(slug), make_record(slug, domain="retail")
    index = make_index([twin])
    entry = index["records"][twin["id"]]
    index["records"] |= {
        text: dict.fromkeys(entry, text) | {text: text},
        f"{text}_climbs": entry | {"file": f"../{text}", "tier": text},
        twin["id"]: entry | {"skill": text, "slug": text, "tier": text, "expires_at": text},
    }
    index["by_domain"][text] = {"count": 1, "slugs": [text, text], "avg_reward": 1}
    index["by_domain"]["banking"]["slugs"] = [text]
    index["by_phase"][text] = text
    index["by_skill"][text] = {"count": 2, "avg_reward": 0.5}
    index |= {"version": text, "last_updated": text, text: 1}
    config: dict[str, Any] = CONFIG | {
        "version": text,
        "known_domains": [text, text, f"_{text}"],
        "reward_levels": {text: 7, f"{text}2": 0.7},
        text: text,
    }
    name = f"phase-2_{stamp(STORED)}.json"
    return {
        "config.json": dumps(config),
        "index.json": dumps(index),
        f"banking/plain/{name}": dumps(record),
        f"banking/dated/{name}": dumps(dated),
        f"banking/_archive/old/{name}": dumps(old),
        file_of(twin): dumps(twin),
        file_of(twins): dumps(twins),
        f"{named(text)}/{named(text)}/{named(text)}.json": b"{}",
        f"x/{named(text)}": b"stray",
    }


@pytest.fixture(scope="module")
def hostile(templates: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """Hostile in the documents of a memory and in their names, in every way. Never changed."""
    sandbox = copied("sandbox", templates, tmp_path_factory.mktemp("hostile"))
    for number, text in enumerate(HOSTILE.values()):
        for file, data in hostile_memory(text).items():
            sandbox.write(f"{number}/{ROOT}/{file}", data)
        record = make_record(slug_of(text)) | {"reward_label": text}
        for path, data in make_tree(record, root=f"{named(text)}/{ROOT}").items():
            sandbox.write(path, data)
        unread = f"banking/{slug_of(text)}/{slug_of(text)}_{stamp(STORED)}.json"
        sandbox.write(f"unread/{number}/{ROOT}/{unread}", "not JSON")
    sandbox.git("add", "--all")
    return sandbox


# Of every document of a memory there is one whose finding quotes it.
CODES = (
    "KA003", "KA004", "KA201", "KA202", "KA203", "KA209", "KA210", "KA211", "KA212", "KA303", "KA304",
    "KA306", "KA307", "KA308",
)  # fmt: skip


@pytest.mark.parametrize("detail", [[], ["-v"], ["-q"]], ids=["normal", "verbose", "quiet"])
def test_the_text_report_disarms(hostile: Sandbox, detail: list[str]) -> None:
    run = hostile.kattest("verify", *NOW, *detail)
    assert (run.status, run.err) == (1, "")
    for number, text in enumerate(HOSTILE.values()):
        for code in CODES:
            place = rf"^{number}/{re.escape(ROOT)}/.*(?:error|warning) {code} "
            assert re.search(place, run.out, re.MULTILINE), (code, text)
        assert re.search(rf"^unread/{number}/.* error KA001 ", run.out, re.MULTILINE), text
    assert_harmless(run.out)


def test_the_staged_memory_disarms_too_and_on_a_terminal(hostile: Sandbox) -> None:
    shown = on_terminal(
        hostile, [KATTEST, "verify", "--staged", *NOW], stream="stdout", NO_COLOR="1"
    )
    assert " error KA202 " in shown
    assert_harmless(shown)


def test_the_json_report_is_printable_ascii_and_means_the_same(hostile: Sandbox) -> None:
    run = hostile.kattest("verify", *NOW, "--format", "json")
    assert (run.status, run.err) == (1, "")
    assert re.fullmatch(r"[\n -~]*", run.out)
    assert_harmless(run.out)
    document = json.loads(run.out)
    roots = {root["path"] for root in document["memory"]}
    paths = {found["path"] for found in document["findings"]}
    for number, text in enumerate(HOSTILE.values()):
        assert {f"{number}/{ROOT}", f"{named(text)}/{ROOT}"} <= roots
        assert f"{number}/{ROOT}/{named(text)}/{named(text)}/{named(text)}.json" in paths


def test_a_report_in_a_workflow_is_harmless_with_its_complaints(hostile: Sandbox) -> None:
    """Standard output and standard error end up in one log there."""
    kattest = f'"{KATTEST}" verify --as-of {AS_OF}'
    run = hostile.run(
        [
            "sh",
            "-c",
            f"{kattest} ./::* 2>&1; {kattest} ./'##[error]owned' 2>&1; {kattest} ./no 2>&1",
        ]
    )
    assert " error KA205 " in run.out
    assert_harmless(run.out)


def test_a_long_id_or_slug_is_not_repeated_in_every_finding(sandbox: Sandbox) -> None:
    """What a report holds grows with the documents, not with their squares."""
    long = "x" * 100_000
    index = make_index([make_record()])
    entry = index["records"].popitem()[1]
    index["records"] |= {f"{long}{number}": entry | {"file": long} for number in range(20)}
    index["by_domain"][long] = {"count": 1, "slugs": [long, f"{long}2"], "avg_reward": 1}
    tree = make_tree(make_record(), index=False)
    path = next(path for path in tree if "/banking/" in path)
    tree[path] = dumps(make_record() | {"id": long, "domain": long, "reward_label": long})
    tree[f"{ROOT}/index.json"] = dumps(index)
    for path, data in tree.items():
        sandbox.write(path, data)
    for form in ("text", "json"):
        run = sandbox.kattest("verify", *NOW, "--format", form)
        assert run.status == 1
        assert len(run.out) < 20 * sum(map(len, tree.values()))
