"""Digests: how they are written, and what is hashed (design, section 3.1). hashlib only."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

PREFIX = "sha256:"
NULL_HEX = "0" * 64

_DIGEST = re.compile(r"(sha256:)?([0-9a-f]{64})")
_LFS_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n"
    rb"(?:ext-[0-9]-[!-~]+ sha256:[0-9a-f]{64}\n)*"
    rb"oid sha256:([0-9a-f]{64})\n"
    rb"size [0-9]+\n"
)
_LFS_LARGEST = 1024  # the LFS specification: a pointer is smaller than this, in bytes


class Recipe(StrEnum):
    """Which text of the artifact hash enters an evaluation hash.

    The protocol's recipe for creating hashes uses the bare digits; its verification script uses
    the stored value, prefix included.
    """

    BARE = "bare"
    PREFIXED = "prefixed"


class Digest(NamedTuple):
    """A digest as a document holds it. ``hex`` is None where the text is not a digest."""

    text: str
    hex: str | None

    @property
    def prefixed(self) -> bool:
        """Whether the text begins with ``sha256:``."""
        return self.text.startswith(PREFIX)


def parse_digest(text: str) -> Digest:
    """Read 64 lower-case hexadecimal digits with at most one leading ``sha256:``."""
    match = _DIGEST.fullmatch(text)
    return Digest(text, match[2] if match else None)


def sha256_hex(data: bytes) -> str:
    """SHA-256 of ``data``, 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def git_hex(kind: str, data: bytes, hash_name: str) -> str:
    """The id that git gives an object of this kind.

    ``hash_name`` is what its repository makes ids with: sha1 or sha256.
    """
    return joined_git_hex(kind, len(data), (data,), hash_name)


def joined_git_hex(kind: str, size: int, pieces: Iterable[bytes], hash_name: str) -> str:
    """What ``git_hex`` gives of all ``pieces`` put together, ``size`` bytes."""
    digest = hashlib.new(hash_name, usedforsecurity=False)
    digest.update(b"%s %d\0" % (kind.encode(), size))
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def joined_sha256_hex(pieces: Iterable[bytes]) -> str:
    """SHA-256 of all ``pieces`` put together, for what is too large to hold at once."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def evaluation_hex(
    judge_id: str, artifact_hex: str, recipe: Recipe, score: str, rationale: str
) -> str:
    """The evaluation hash: SHA-256 over judge, artifact hash, score and rationale.

    The parts are joined by ``|`` as UTF-8, exactly as given (protocol, section 1).
    """
    artifact = artifact_hex if recipe is Recipe.BARE else PREFIX + artifact_hex
    return sha256_hex(f"{judge_id}|{artifact}|{score}|{rationale}".encode())


def lfs_oid(data: bytes) -> str | None:
    """The digest that a Git LFS pointer names, or None where ``data`` is not a pointer."""
    if len(data) >= _LFS_LARGEST:
        return None
    match = _LFS_POINTER.fullmatch(data)
    return match[1].decode() if match else None


def artifact_hexes(data: bytes) -> frozenset[str]:
    """The digests by which an artifact with these bytes may be known.

    Its own, and for a Git LFS pointer also the one it stands for (design, section 3.4).
    """
    oid = lfs_oid(data)
    return frozenset((sha256_hex(data),) if oid is None else (sha256_hex(data), oid))


def line_end_hexes(data: bytes) -> Iterator[str]:
    """The digests ``data`` would have with the other kind of line ends."""
    unix = data.replace(b"\r\n", b"\n")
    yield sha256_hex(unix)
    yield sha256_hex(unix.replace(b"\n", b"\r\n"))
