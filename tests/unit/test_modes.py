"""What the modes of git's tree objects say: those that git writes, and those that it reads too."""

from __future__ import annotations

import pytest

from kattest.sources.objects import kind_of_mode, written_kind
from kattest.tree import Kind

CANONICAL = {
    b"40000": Kind.FOLDER,
    b"100644": Kind.FILE,
    b"100755": Kind.FILE,
    b"120000": Kind.SYMLINK,
    b"160000": Kind.SUBMODULE,
}


@pytest.mark.parametrize(("mode", "kind"), CANONICAL.items())
def test_modes_that_git_writes(mode: bytes, kind: Kind) -> None:
    assert written_kind(mode) is kind
    assert kind_of_mode(int(mode, 8)) is kind


@pytest.mark.parametrize(("mode", "kind"), CANONICAL.items())
def test_zeros_before_a_mode_change_nothing(mode: bytes, kind: Kind) -> None:
    for zeros in b"0", b"00", b"0" * 40:
        assert written_kind(zeros + mode) is kind


@pytest.mark.parametrize("bits", [0, 0o600, 0o644, 0o664, 0o755, 0o777, 0o4755, 0o7777])
def test_what_is_allowed_to_whom_does_not_matter(bits: int) -> None:
    """As in trees of old versions of git, or of other programs."""
    for mode, kind in CANONICAL.items():
        odd = (int(mode, 8) & 0o170000) | bits
        assert kind_of_mode(odd) is kind
        assert written_kind(b"%o" % odd) is kind


@pytest.mark.parametrize("mode", [b"0", b"1", b"644", b"10000", b"20000", b"60000", b"140000"])
def test_what_is_nothing_else_is_a_submodule(mode: bytes) -> None:
    """So git takes pipes, devices and sockets, and what has no kind at all."""
    assert written_kind(mode) is Kind.SUBMODULE
    assert kind_of_mode(int(mode, 8)) is Kind.SUBMODULE


def test_every_mode_that_git_can_hold_is_of_a_kind_and_no_larger_one() -> None:
    kinds = {written_kind(b"%o" % (bits << 12)) for bits in range(16)}
    assert kinds == {Kind.FOLDER, Kind.FILE, Kind.SYMLINK, Kind.SUBMODULE}
    assert written_kind(b"177777") is Kind.SUBMODULE
    for larger in b"200000", b"240000", b"300644", b"1100644", b"7" * 40:
        assert written_kind(larger) is None
