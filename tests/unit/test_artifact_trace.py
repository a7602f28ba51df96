"""Whether an artifact that left its place is still in a tree: what counts as the same one."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from kattest.attestation.artifact_trace import ArtifactTrace
from kattest.attestation.model import Round
from kattest.attestation.parsing import parse_file
from kattest.jsondoc import parse
from kattest.tree import Kind, MemoryTree
from tests.support.rounds import dumps, make_round

FILE = "a/.judge-attestations.json"
PLACE = "a/SKILL.md"
LARGEST = 1024 * 1024
LINES = [f"This is line {number}.\n".encode() for number in range(10)]  # of 16 bytes each
TEN = b"".join(LINES)


def round_of(path: str | None, artifact: bytes) -> Round:
    made = make_round(path=path or "", artifact=artifact)
    if path is None:
        del made["artifact_path"]
    parsed = parse(dumps(made)).value
    assert isinstance(parsed, dict)
    file, _ = parse_file(parsed, FILE)
    assert file
    return file.rounds[0]


def is_left(
    files: Mapping[str, bytes],
    base: Mapping[str, bytes],
    judged: bytes | None = None,
    *,
    path: str | None = "SKILL.md",
    kinds: Mapping[str, Kind] | None = None,
    moved: Collection[str] = (),
) -> bool:
    """Whether the artifact at PLACE of ``base``, judged there, is left in ``files``."""
    artifact = base.get(PLACE, b"") if judged is None else judged
    trace = ArtifactTrace(MemoryTree(files, kinds), MemoryTree(base))
    found = trace.is_left(FILE, round_of(path, artifact), moved)
    assert trace.is_left(FILE, round_of(path, artifact), moved) is found
    return found


def becomes(artifact: bytes, other: bytes) -> bool:
    """Whether ``other``, a new file elsewhere, is what ``artifact`` has become."""
    return is_left({"b/other": other}, {PLACE: artifact})


def lines(count: int, *, other: int = 0) -> bytes:
    """The first lines of TEN, and some of the same length that it does not have."""
    return b"".join(LINES[:count]) + b"".join(b"Other line %3d.\n" % one for one in range(other))


class TestPlaces:
    def test_what_is_at_its_place_is_left_whatever_it_is(self) -> None:
        assert is_left({PLACE: b"another"}, {PLACE: TEN})
        assert is_left({PLACE: b""}, {PLACE: TEN})

    @pytest.mark.parametrize("kind", [Kind.SYMLINK, Kind.SUBMODULE, Kind.SPECIAL])
    @pytest.mark.parametrize("place", ["a", PLACE])
    def test_so_is_what_may_be_behind_something_else(self, place: str, kind: Kind) -> None:
        assert is_left({}, {PLACE: TEN}, kinds={place: kind})
        assert not is_left({}, {PLACE: TEN}, kinds={f"{place}.md": kind})

    def test_a_file_in_the_way_is_no_folder(self) -> None:
        """Whether it stands for the folder cannot be told, so that it does."""
        assert is_left({"a": b""}, {PLACE: TEN})

    def test_a_round_that_names_no_artifact_has_one_left(self) -> None:
        assert is_left({}, {PLACE: TEN}, path=None)

    def test_what_is_nowhere_is_gone(self) -> None:
        assert not is_left({}, {PLACE: TEN})
        assert not is_left({"b/other": b"another\n"}, {PLACE: TEN})

    def test_what_moved_with_the_file_is_left_whatever_it_is_now(self) -> None:
        assert is_left({"b/SKILL.md": b"x"}, {PLACE: TEN}, moved=["b/.judge-attestations.json"])
        assert not is_left({"c/SKILL.md": b"x"}, {PLACE: TEN}, moved=["b/.judge-attestations.json"])

    def test_an_exact_copy_is_left_even_where_it_was_before(self) -> None:
        assert is_left({"b/other": TEN}, {PLACE: TEN, "b/other": TEN})
        assert is_left({"b/other": TEN}, {PLACE: TEN, "b/other": b"another"})

    def test_what_was_published_counts_not_what_was_judged(self) -> None:
        """The artifact had been edited since."""
        assert is_left({"b/other": b"edited\n"}, {PLACE: b"edited\n"}, TEN)
        assert not is_left({"b/other": TEN}, {PLACE: b"edited\n"}, TEN)

    def test_without_a_published_one_only_the_judged_bytes_count(self) -> None:
        assert is_left({"b/other": TEN}, {}, TEN)
        assert not is_left({"b/other": TEN + b"\n"}, {}, TEN)

    def test_links_are_no_copies(self) -> None:
        assert not is_left({"b/other": TEN}, {PLACE: TEN}, kinds={"b/other": Kind.SYMLINK})


class TestLikeness:
    @pytest.mark.parametrize(
        ("other", "is_alike"),
        [
            (TEN + b"\n", True),
            (lines(5), True),  # half of it
            (lines(4), False),
            (lines(10, other=10), True),  # half of the new one
            (lines(10, other=12), False),
            (lines(5, other=5), True),
            (lines(4, other=6), False),
            (b"".join(reversed(LINES)), True),
        ],
    )
    def test_half_of_the_larger_ones_bytes_in_whole_lines(
        self, other: bytes, *, is_alike: bool
    ) -> None:
        assert becomes(TEN, other) is is_alike
        assert becomes(other, TEN) is is_alike

    def test_bytes_count_not_lines(self) -> None:
        short = b"-\n" * 9
        assert becomes(short + TEN, TEN)
        assert not becomes(short + TEN, short + b"other\n")

    def test_a_line_counts_as_often_as_both_have_it(self) -> None:
        assert becomes(b"same\n" * 10, b"same\n" * 5)
        assert not becomes(b"same\n" * 10, b"same\n" * 4)
        assert not becomes(b"same\n" + TEN, b"same\n" * 20)

    def test_what_is_blank_does_not_count(self) -> None:
        assert becomes(b"one line\n", b"one line")
        assert becomes(TEN, TEN.replace(b"\n", b"\r\n"))
        assert becomes(TEN, TEN.replace(b"\n", b" \n\n"))
        assert becomes(TEN, TEN.replace(b"This", b"\t  This "))

    def test_bytes_that_are_no_text(self) -> None:
        data = bytes(range(256)) + b"\n"
        assert becomes(data, data + b"\0\n")
        assert not becomes(data, data[128:])

    def test_what_did_not_change_is_not_compared(self) -> None:
        """One that was there before is another artifact, much alike as it may be."""
        before = {PLACE: TEN, "b/other": lines(9)}
        assert not is_left({"b/other": lines(9)}, before)
        assert is_left({"b/other": TEN + b"one more\n"}, before)
        assert is_left({"b/other": lines(9), "b/new": lines(9)}, before)

    def test_one_of_many_is_enough(self) -> None:
        unlike = {f"c/{number}": b"%d\n" % number for number in range(20)}
        assert not is_left(unlike, {PLACE: TEN})
        assert is_left({**unlike, "c/new": lines(5)}, {PLACE: TEN})


class TestSizes:
    def test_an_empty_file_is_like_no_other(self) -> None:
        assert not becomes(TEN, b"")
        assert not becomes(b"", TEN)
        assert not becomes(b"", b"\n")

    def test_an_empty_file_is_an_exact_copy_of_another(self) -> None:
        assert becomes(b"", b"")

    def test_as_large_as_is_compared(self) -> None:
        largest = LINES[0] * (LARGEST // 16)
        assert len(largest) == LARGEST
        assert becomes(largest, largest[LARGEST // 2 :])
        assert becomes(largest[LARGEST // 2 :], largest)
        assert not becomes(largest, largest[LARGEST // 2 + 16 :])

    def test_larger_ones_are_only_compared_as_a_whole(self) -> None:
        larger = LINES[0] * (LARGEST // 16) + b"\n"
        assert len(larger) == LARGEST + 1
        assert becomes(larger, larger)
        assert not becomes(larger, larger + b"\n")
        assert not becomes(larger, larger[:-1])
        assert not becomes(larger[:-1], larger)
