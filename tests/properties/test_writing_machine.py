"""Any sequence of the commands that write a memory leaves it sound, and loses nothing."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from kattest import engine
from kattest.config import Config
from kattest.errors import InputError
from kattest.instant import DAY, Instant
from kattest.jsondoc import JsonValue, parse
from kattest.memory.query import Question
from kattest.result import Part
from kattest.sources.worktree import folder_tree
from kattest.writing.memory import Memory
from kattest.writing.place import Place
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    LABELS,
    ROOT,
    archive,
    dumps,
    given_of,
    make_record,
)

START = 1_772_366_400  # 2026-03-01T12:00:00Z
OVERDUE = {"KA401", "KA402", "KA406"}  # what time alone brings about

SLUGS = st.sampled_from(["bank_kc_automation", "loans", "кейс", "Loans"])
DOMAINS = st.sampled_from([*CONFIG["known_domains"], "elsewhere"])
PHASES = st.sampled_from(["phase-0", "phase-2"])
REWARDS = st.sampled_from([*LABELS, 0.45])
CONFIGS = st.sampled_from([None, CONFIG, CONFIG_1_0, CONFIG_1_0 | {"retention_days": 0}])


def outcome(slug: str, domain: str, phase: str, reward: float) -> JsonValue:
    record = make_record(slug, phase, domain=domain, reward=reward)
    return parse(dumps(given_of(record))).value


OUTCOMES = st.builds(outcome, SLUGS, DOMAINS, PHASES, REWARDS)


class WritingMachine(RuleBasedStateMachine):
    """A memory on disk, and what must be in it: each record's bytes by its id."""

    stored = Bundle("stored")

    def __init__(self) -> None:
        super().__init__()
        self.top = Path(tempfile.mkdtemp())
        self.memory = Memory(Place(self.top / ROOT, self.top / "lock", f"{ROOT}/"))
        self.now = Instant(START)
        self.records: dict[str, tuple[Instant, str, bytes]] = {}
        self.kept_days: int | None = 180

    def teardown(self) -> None:
        shutil.rmtree(self.top)

    @initialize(config=CONFIGS)
    def configure(self, config: dict[str, Any] | None) -> None:
        if config is not None:
            self.root.mkdir(parents=True)
            (self.root / "config.json").write_bytes(dumps(config))
            is_tiered = "tier_cold_days" in config
            self.kept_days = 180 if is_tiered else config["retention_days"] or None

    @rule(target=stored, value=OUTCOMES)
    def store(self, value: JsonValue) -> str:
        return self.put([value])[0]

    @rule(values=st.lists(OUTCOMES, max_size=4))
    def store_batch(self, values: list[JsonValue]) -> None:
        assert len({*self.put(values)}) == len(values)

    @rule(value=OUTCOMES, values=st.lists(OUTCOMES, max_size=2))
    def store_what_is_wrong(self, value: JsonValue, values: list[JsonValue]) -> None:
        assert isinstance(value, dict)
        before = self.files()
        with pytest.raises(InputError):
            self.memory.store([*values, value | {"reward_label": None}], self.now)
        assert self.files() == before

    @rule(domain=DOMAINS, phase=PHASES, read_only=st.booleans())
    def query(self, domain: str, phase: str, read_only: bool) -> None:  # noqa: FBT001 - a rule
        before = self.files()
        answer, upkeep = self.memory.query(Question(domain, phase), self.now, read_only=read_only)
        assert upkeep.notes == ()
        shown = answer["records"]
        assert isinstance(shown, list)
        assert len(shown) == min(10, len([*self.alive(domain, phase)]))
        if read_only:
            assert self.files() == before

    @rule()
    def maintain(self) -> None:
        self.memory.maintain(self.now, purge_anyway=True)
        assert self.codes() == set()
        before = self.files()
        assert not self.memory.maintain(self.now).is_changed
        assert self.files() == before

    @rule()
    def reindex(self) -> None:
        self.memory.reindex(self.now)
        before = self.files()
        assert not self.memory.reindex(self.now).is_changed
        assert self.files() == before

    @rule(days=st.integers(0, 200), seconds=st.integers(0, 2))
    def wait(self, days: int, seconds: int) -> None:
        self.now = Instant(self.now.seconds + days * DAY + seconds)

    @rule()
    def lose_the_index(self) -> None:
        (self.root / "index.json").unlink(missing_ok=True)
        self.memory.maintain(self.now, purge_anyway=True)

    @rule()
    def leave_a_draft(self) -> None:
        if self.root.is_dir():
            (self.root / ".kattest-1-0123abcd.tmp").write_bytes(b"half a rec")
            self.memory.maintain(self.now, purge_anyway=True)

    @rule(record=stored)
    def interrupt_an_archiving(self, record: str) -> None:
        """Put the active copy back beside the archived one, as if the command had just ended."""
        _, file, data = self.records[record]
        folder, slug, name = file.split("/")
        if (self.root / folder / "_archive" / slug / name).exists():
            (self.root / file).write_bytes(data)
            self.memory.maintain(self.now, purge_anyway=True)
            assert not (self.root / file).exists()

    @invariant()
    def nothing_is_lost(self) -> None:
        for stored, file, data in self.records.values():
            folder, slug, name = file.split("/")
            active, cold = self.root / file, self.root / folder / "_archive" / slug / name
            if active.exists():
                assert active.read_bytes() == data
            elif cold.exists():
                self.assert_archived(data, cold.read_bytes())
            else:
                assert self.is_expired(stored)

    @invariant()
    def nothing_is_wrong_but_what_time_brings(self) -> None:
        assert self.codes() <= OVERDUE

    @property
    def root(self) -> Path:
        return self.top / ROOT

    def put(self, values: list[JsonValue]) -> list[str]:
        made = self.memory.store(values, self.now).records
        for record, _ in made:
            assert record.id is not None
            assert record.id not in self.records
            assert record.timestamp is not None
            assert record.timestamp.instant is not None
            data = (self.root / record.file).read_bytes()
            self.records[record.id] = (record.timestamp.instant, record.file, data)
        return [str(record.id) for record, _ in made]

    def alive(self, domain: str, phase: str) -> Iterator[str]:
        for record, (stored, file, data) in self.records.items():
            said: Any = parse(data).value
            is_asked = said["domain"] == domain and said["phase"] == phase
            folder, slug, name = file.split("/")
            places = (self.root / file, self.root / folder / "_archive" / slug / name)
            if is_asked and not self.is_expired(stored) and any(one.exists() for one in places):
                yield record

    def is_expired(self, stored: Instant) -> bool:
        days = self.kept_days
        return days is not None and self.now.seconds > stored.seconds + days * DAY

    def codes(self) -> set[str]:
        tree = folder_tree(self.top)
        report = engine.check(tree, None, Config(), self.now, parts=(Part.MEMORY,))
        return {finding.rule.code for finding in report.findings}

    def files(self) -> dict[str, bytes]:
        return {
            str(file): file.read_bytes() for file in sorted(self.root.rglob("*")) if file.is_file()
        }

    def assert_archived(self, data: bytes, cold: bytes) -> None:
        found = json.loads(cold)
        at = datetime.fromisoformat(found["archived_at"])
        assert found == archive(json.loads(data), at)


def run(examples: int, steps: int) -> None:
    bounds = settings(max_examples=examples, stateful_step_count=steps, deadline=None)
    run_state_machine_as_test(WritingMachine, settings=bounds)


def test_any_sequence_of_commands_leaves_a_sound_memory() -> None:
    run(examples=25, steps=20)


@pytest.mark.slow
def test_any_long_sequence_of_commands_leaves_a_sound_memory() -> None:
    run(examples=80, steps=40)
