"""``kattest memory store``: the protocol's memory_store, and its table of errors."""

from __future__ import annotations

import json
import shlex
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.cli.conftest import KATTEST, Run, Sandbox, clean_environment
from tests.cli.writing import (
    NOON,
    clock,
    codes,
    dated,
    document_of,
    files_in,
    give,
    given_record,
    memory_documents,
    memory_files,
    put,
    refused,
    store,
)
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    ROOT,
    archive,
    dumps,
    file_of,
    make_index,
    make_record,
    make_tree,
)

OLD = datetime(2025, 11, 1, 9, 0, tzinfo=UTC)  # to be archived at noon
EXAMPLE = make_record(at=NOON)


def asked(sandbox: Sandbox, *options: str, domain: str = "banking") -> Run:
    return sandbox.kattest(
        "memory", "query", "--domain", domain, "--phase", "phase-2", *options, **clock(NOON)
    )


def stored(sandbox: Sandbox, document: object, *options: str, **env: str) -> Run:
    return give(sandbox, document, "memory", "store", *options, **{**clock(NOON), **env})


class TestARecord:
    def test_the_first_one_brings_configuration_and_index(self, sandbox: Sandbox) -> None:
        run = stored(sandbox, given_record())
        file = "banking/bank_kc_automation/phase-2_2026-03-01T12-30-00.json"
        assert document_of(run) == {
            "id": "bank_kc_automation_phase-2_2026-03-01T12-30-00",
            "file": file,
            "expires_at": "2026-08-28T12:30:00Z",
        }
        assert run.err == "Stored reward 0.7 (good) for phase-2 of bank_kc_automation\n"
        files = {name: json.loads(data) for name, data in memory_files(sandbox).items()}
        assert files == {"config.json": CONFIG, "index.json": make_index([EXAMPLE]), file: EXAMPLE}
        assert [*files[file]] == [*EXAMPLE]
        dated(sandbox).commit()
        assert codes(sandbox, "--rev", "HEAD", "--strict", "--require", "memory") == []

    def test_of_two_in_one_second_the_second_is_a_second_older(self, sandbox: Sandbox) -> None:
        [first] = store(sandbox, NOON, given_record())
        second, third, other = store(
            sandbox, NOON, given_record(), given_record(), given_record("another")
        )
        times = [one["id"][-19:] for one in (first, second, third, other)]
        assert times == [f"2026-03-01T12-{time}" for time in ("30-00", "29-59", "29-58", "30-00")]
        documents = memory_documents(sandbox)
        assert documents[second["file"]]["timestamp"] == "2026-03-01T12:29:59Z"
        assert codes(dated(sandbox), "--strict") == []

    @pytest.mark.slow
    def test_is_stored_from_a_subfolder_and_in_another_root(self, sandbox: Sandbox) -> None:
        (sandbox.path / "deep/er").mkdir(parents=True)
        stored(sandbox, given_record(), cwd="deep/er")
        assert len(memory_documents(sandbox)) == 1
        other = f"agents/one/{ROOT}"
        run = stored(sandbox, given_record(), "--root", f"../{other}", cwd="deep")
        assert run.err.count("\n") == 1
        assert memory_files(sandbox, other) == memory_files(sandbox)
        odd = stored(sandbox, given_record(), "--root", "odd")
        assert "kattest verify looks for memories in folders .keysarium/memory" in odd.err
        assert memory_files(sandbox, "odd") == memory_files(sandbox)
        assert codes(dated(sandbox), "--strict") == []

    @pytest.mark.slow
    def test_is_stored_outside_a_repository_too(self, sandbox: Sandbox) -> None:
        outside = Sandbox(sandbox.path.parent / "out", clean_environment(sandbox.path.parent))
        outside.path.mkdir()
        document_of(stored(outside, given_record()))
        assert set(memory_files(outside)) == {"config.json", "index.json", file_of(EXAMPLE)}
        assert codes(dated(outside), "--strict") == []

    @pytest.mark.slow
    def test_its_words_are_kept_as_they_are(self, sandbox: Sandbox) -> None:
        given = given_record("кейс 1", reward_reason='Слова "и" \\ знаки \U0001f980\n')
        [one] = store(sandbox, NOON, given)
        written = memory_documents(sandbox)[one["file"]]
        assert {name: written[name] for name in given} == given
        assert "🦀" in (sandbox.path / ROOT / one["file"]).read_text("utf-8")


class TestWhatIsNoRecord:
    @pytest.mark.parametrize(
        ("given", "words"),
        [
            (b"", "is not JSON"),
            (b'{"case_slug": ', "is not JSON"),
            (b"\xff\xfe", "is not JSON"),
            (b'{"reward": NaN}', "is not JSON"),
            (b'{"reward": 1.0, "reward": 0.0}', '"reward" twice'),
            (b"7", "must be an object"),
            (dumps([given_record()]), "must be an object"),
            (dumps(given_record(reward=1.1)), "reward 1.1"),
            (dumps(given_record(reward=-0.1)), "reward -0.1"),
            (dumps(given_record(reward="0.7")), "reward"),
            (dumps(given_record(reward=0.7, reward_label="excellent")), '"good"'),
            (dumps(given_record(id="mine")), '"id" is set by kattest'),
            (dumps(given_record(unheard="of")), "unheard"),
            (dumps({**given_record(), "context": None}), "context"),
            (dumps(given_record(context={**given_record()["context"], "note": 1})), '"note"'),
            *(
                (dumps(given_record() | {field: name}), "nothing is stored")
                for field in ("case_slug", "domain", "phase")
                for name in ("", "..", "a/b", " a", "_archive", "a\u202eb", "a\x00b", 7)
                if (field, name) not in {("phase", ".."), ("phase", "_archive")}
            ),
        ],
    )
    @pytest.mark.slow
    def test_is_refused_and_nothing_is_made(
        self, sandbox: Sandbox, given: bytes, words: str
    ) -> None:
        known = dumps({**CONFIG, "known_domains": []})
        sandbox.write(f"{ROOT}/config.json", known)
        refused(stored(sandbox, given), words)
        assert memory_files(sandbox) == {"config.json": known}

    def test_a_missing_field_is_named(self, sandbox: Sandbox) -> None:
        given = given_record()
        del given["outcome"]
        refused(stored(sandbox, given), "nothing is stored", "outcome")
        assert not (sandbox.path / ".keysarium").exists()


class TestABatch:
    def test_is_stored_whole_with_one_index(self, sandbox: Sandbox) -> None:
        given = [given_record("a"), given_record("b", domain="retail", reward=0.25)]
        run = stored(sandbox, given, "--batch")
        assert document_of(run)["count"] == 2
        assert run.err.splitlines() == [
            "Stored reward 0.7 (good) for phase-2 of a",
            "Stored reward 0.25 (good) for phase-2 of b",
        ]
        documents = memory_documents(sandbox)
        assert len(documents) == 2
        index = json.loads(memory_files(sandbox)["index.json"])
        assert index["records"] == make_index(documents.values())["records"]

    @pytest.mark.slow
    def test_with_one_bad_record_is_not_stored_and_names_it(self, sandbox: Sandbox) -> None:
        given = [given_record("a"), given_record("b", reward=2), given_record("c", phase="")]
        run = stored(sandbox, given, "--batch")
        refused(run, "record 2: ", "record 3: ")
        assert "record 1: " not in run.err
        assert not (sandbox.path / ".keysarium").exists()

    @pytest.mark.slow
    def test_may_be_empty_but_must_be_an_array(self, sandbox: Sandbox) -> None:
        run = stored(sandbox, [], "--batch")
        assert document_of(run) == {"stored": [], "count": 0}
        assert not memory_documents(sandbox)
        refused(stored(sandbox, given_record(), "--batch"), "an array")
        assert codes(dated(sandbox), "--strict") == []


class TestWithoutTiers:
    """Protocol 1.0: no index, and what has expired is deleted."""

    @pytest.fixture
    def plain(self, sandbox: Sandbox) -> Sandbox:
        sandbox.write(f"{ROOT}/config.json", dumps(CONFIG_1_0))
        return sandbox

    def test_a_record_expires_by_retention_and_there_is_no_index(self, plain: Sandbox) -> None:
        [one] = store(plain, NOON, given_record())
        assert memory_documents(plain) == {one["file"]: make_record(at=NOON, version="1.0")}
        assert "index.json" not in memory_files(plain)
        assert codes(dated(plain), "--strict") == []

    @pytest.mark.slow
    def test_an_index_that_is_there_is_kept_up(self, plain: Sandbox) -> None:
        plain.write(f"{ROOT}/index.json", dumps(make_index([])))
        store(plain, NOON, given_record())
        index = json.loads(memory_files(plain)["index.json"])
        assert [*index["records"]] == [EXAMPLE["id"]]
        assert codes(dated(plain), "--strict") == []

    @pytest.mark.slow
    def test_nothing_is_archived_and_what_expired_is_purged(self, plain: Sandbox) -> None:
        for days in (100, 89, 0):
            store(plain, NOON - timedelta(days=days), given_record(f"d{days}"))
        run = asked(plain)
        assert "Purged 1 expired records from banking" in run.err
        assert [one["case_slug"] for one in document_of(run)["records"]] == ["d0", "d89"]
        assert sorted(name.split("/")[1] for name in memory_documents(plain)) == ["d0", "d89"]
        assert "index.json" not in memory_files(plain)
        assert codes(dated(plain), "--strict") == []

    @pytest.mark.slow
    def test_a_retention_of_none_keeps_for_ever(self, plain: Sandbox) -> None:
        plain.write(f"{ROOT}/config.json", dumps({**CONFIG_1_0, "retention_days": 0}))
        [one] = store(plain, NOON - timedelta(days=4000), given_record())
        assert one["expires_at"] is None
        assert document_of(asked(plain))["count"] == 1


@pytest.mark.slow
class TestTheProtocolsTableOfErrors:
    """One test for each row; permissions do not stop root, so other obstacles stand in the way."""

    def test_the_memory_does_not_exist(self, sandbox: Sandbox) -> None:
        empty = {"records": [], "patterns": [], "count": 0, "domain": "banking"}
        assert document_of(asked(sandbox)) == empty
        assert not (sandbox.path / ".keysarium").exists()
        document_of(stored(sandbox, given_record()))
        assert (sandbox.path / ROOT / file_of(EXAMPLE)).is_file()

    def test_config_json_is_missing(self, sandbox: Sandbox) -> None:
        days = range(12)
        old = [make_record(f"d{n}", at=NOON - timedelta(days=n), version="1.0") for n in days]
        put(sandbox, make_tree(*old, config=None, index=False))
        assert document_of(asked(sandbox))["count"] == 10
        [new] = store(sandbox, NOON, given_record())
        assert new["expires_at"] == "2026-05-30T12:30:00Z"  # 90 days
        assert codes(dated(sandbox), "--strict") == []

    def test_config_json_is_missing_where_there_is_an_index(self, sandbox: Sandbox) -> None:
        put(sandbox, make_tree(make_record("old"), config=None))
        [new] = store(sandbox, NOON, given_record())
        assert new["expires_at"] == "2026-08-28T12:30:00Z"  # 180 days
        assert codes(dated(sandbox), "--strict") == []

    @pytest.mark.parametrize("content", [b"", b"{", b'{"id": 1}', b"\xff", b"[]"])
    def test_malformed_json_file(self, sandbox: Sandbox, content: bytes) -> None:
        good, bad = make_record("good", at=NOON), make_record("bad", at=NOON)
        put(sandbox, make_tree(good, bad))
        sandbox.write(f"{ROOT}/{file_of(bad)}", content)
        run = asked(sandbox)
        assert [one["case_slug"] for one in document_of(run)["records"]] == ["good"]
        assert f"note: {ROOT}/{file_of(bad)}: " in run.err
        document_of(stored(sandbox, given_record("third")))
        assert (sandbox.path / ROOT / file_of(bad)).read_bytes() == content
        assert document_of(asked(sandbox))["count"] == 2

    def test_write_fails_because_something_is_in_the_way(self, sandbox: Sandbox) -> None:
        put(sandbox, make_tree(make_record("other", domain="retail", at=NOON)))
        sandbox.write(f"{ROOT}/banking", b"in the way")
        before = memory_files(sandbox)
        refused(stored(sandbox, given_record()), "cannot be written")
        assert memory_files(sandbox) == before

    def test_write_fails_because_the_disk_is_full(self, sandbox: Sandbox) -> None:
        document_of(stored(sandbox, given_record("first")))
        before = files_in(sandbox.path / ROOT)
        sandbox.write("given.json", dumps(given_record("second")))
        script = f"ulimit -f 0; {shlex.quote(KATTEST)} memory store <given.json"
        refused(sandbox.run(["sh", "-c", script], **clock(NOON)), "cannot be written", "make room")
        assert files_in(sandbox.path / ROOT) == before

    def test_domain_not_in_known_domains(self, sandbox: Sandbox) -> None:
        [one] = store(sandbox, NOON, given_record(domain="space travel"))
        assert one["file"] == f"unknown/{EXAMPLE['case_slug']}/phase-2_2026-03-01T12-30-00.json"
        assert memory_documents(sandbox)[one["file"]]["domain"] == "space travel"
        assert document_of(asked(sandbox, domain="space travel"))["count"] == 1
        assert document_of(asked(sandbox, domain="unknown"))["count"] == 0
        assert codes(dated(sandbox), "--strict") == []

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"records": {}}', b"\x00" * 100])
    def test_index_json_is_corrupted(self, sandbox: Sandbox, content: bytes) -> None:
        kept = make_record("kept", at=NOON)
        put(sandbox, make_tree(kept))
        sandbox.write(f"{ROOT}/index.json", content)
        assert document_of(asked(sandbox))["count"] == 1
        document_of(stored(sandbox, given_record()))
        index = json.loads(memory_files(sandbox)["index.json"])
        assert index["records"] == make_index([kept, EXAMPLE])["records"]
        assert codes(dated(sandbox), "--strict") == []

    def test_archive_directory_write_fails(self, sandbox: Sandbox) -> None:
        old = make_record(at=OLD)
        put(sandbox, make_tree(old, make_record("new", at=NOON)))
        sandbox.write(f"{ROOT}/banking/_archive", b"in the way")
        before = memory_files(sandbox)
        run = asked(sandbox)
        assert document_of(run)["count"] == 2
        assert "note: " in run.err
        assert "the record stays active" in run.err
        assert memory_files(sandbox) == before
        maintained = sandbox.kattest("memory", "maintain", **clock(NOON))
        assert maintained.status == 2
        assert "could not be archived" in maintained.err
        assert memory_files(sandbox) == before


@pytest.mark.slow
class TestAMemoryThatIsNotToBeWritten:
    def test_is_switched_off(self, sandbox: Sandbox) -> None:
        put(sandbox, make_tree(make_record(at=OLD), config={**CONFIG, "enabled": False}))
        before = files_in(sandbox.path / ROOT)
        run = stored(sandbox, given_record())
        assert document_of(run) == {"id": None}
        assert "switched off" in run.err
        assert document_of(stored(sandbox, [given_record()], "--batch"))["count"] == 0
        assert document_of(asked(sandbox))["records"] == []
        assert files_in(sandbox.path / ROOT) == before

    @pytest.mark.parametrize(
        "config",
        [
            b"{",
            dumps({**CONFIG, "tier_hot_days": 100}),
            dumps({**CONFIG, "tier_hot_days": "30"}),
            dumps({**CONFIG_1_0, "retention_days": -1}),
        ],
    )
    def test_has_a_configuration_that_cannot_be_followed(
        self, sandbox: Sandbox, config: bytes
    ) -> None:
        put(sandbox, make_tree(make_record(at=OLD)))
        sandbox.write(f"{ROOT}/config.json", config)
        before = files_in(sandbox.path / ROOT)
        refused(stored(sandbox, given_record()), "config.json")
        refused(sandbox.kattest("memory", "maintain"), "config.json")
        refused(sandbox.kattest("memory", "reindex"), "config.json")
        assert asked(sandbox).status == 0
        assert files_in(sandbox.path / ROOT) == before

    def test_is_reached_by_a_symlink(self, sandbox: Sandbox) -> None:
        (sandbox.path / "elsewhere").mkdir()
        (sandbox.path / ".keysarium").symlink_to("elsewhere")
        refused(stored(sandbox, given_record()), "symlink")
        assert [*(sandbox.path / "elsewhere").iterdir()] == []

    def test_has_a_domain_that_is_reached_by_a_symlink(self, sandbox: Sandbox) -> None:
        put(sandbox, make_tree(make_record("new", domain="retail", at=NOON)))
        (sandbox.path / "elsewhere").mkdir()
        (sandbox.path / ROOT / "banking").symlink_to("../../elsewhere")
        refused(stored(sandbox, given_record()), "symlink")
        assert [*(sandbox.path / "elsewhere").iterdir()] == []


@pytest.mark.slow
def test_a_record_that_is_archived_already_is_not_stored_again(sandbox: Sandbox) -> None:
    cold: dict[str, Any] = archive(make_record(at=OLD), NOON)
    put(sandbox, make_tree(cold, make_record("new", at=NOON)))
    [one] = store(sandbox, OLD, given_record())
    assert one["id"].endswith("2025-11-01T08-59-59")
