"""A repository through git's own plumbing, where libgit2 cannot read it (design, section 7).

SHA-256 and reftable repositories, partial clones, split and sparse indexes. git is started for
each question, but for objects and ignored paths, where one process answers them all.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, NamedTuple

from kattest.digest import git_hex
from kattest.errors import SourceError
from kattest.sources.batch import cat_file, read_answer, sound_blobs
from kattest.sources.database import Blob, IndexEntry, Upstream
from kattest.sources.gitprocess import pipes, require_git, run_git, start
from kattest.sources.objects import (
    DAMAGE_REMEDY,
    ID,
    kind_of_mode,
    peeled,
    require_no_commit,
    unreadable_merge,
)
from kattest.tree import Content

_NO_LIMIT = 1 << 62  # bytes
_SETTINGS = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")  # nothing else is run
_EMPTY_BLOBS = {git_hex("blob", b"", name) for name in ("sha1", "sha256")}


class Place(NamedTuple):
    """Where a repository is: its git directory, and the top of its working tree if it has one."""

    git_dir: str
    top: str | None


class GitError(Exception):
    """What git says of a repository that it cannot use."""


class Plumbing:
    """See ``Database``. What is asked often is answered by a process that stays."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._program = require_git()
        self._objects: subprocess.Popen[bytes] | None = None
        self._ignores: subprocess.Popen[bytes] | None = None

    @cached_property
    def hash_name(self) -> str:
        return self._say("rev-parse", "--show-object-format") or "sha1"

    @cached_property
    def is_shallow(self) -> bool:
        return self._say("rev-parse", "--is-shallow-repository") == "true"

    @cached_property
    def is_partial(self) -> bool:
        pattern = r"^(remote\..*\.promisor|extensions\.partialclone)$"
        return bool(self._say("config", "--get-regexp", pattern))

    def read(self, oid: str) -> tuple[str, bytes] | None:
        kind, content = self._object(oid, _NO_LIMIT) or ("", None)
        data = content.data if content else None
        is_sound = data is not None and git_hex(kind, data, self.hash_name) == oid
        return (kind, data) if data is not None and is_sound else None

    def blob_size(self, oid: str) -> int | None:
        kind, content = self._object(oid, 0) or ("", None)
        return content.size if content and kind == "blob" else None

    def blobs(self, oids: Sequence[str], largest: int) -> Iterator[Content | None]:
        return sound_blobs(self, self._program, self._place.git_dir, oids, largest)

    def _object(self, oid: str, largest: int) -> tuple[str, Content] | None:
        """The answer of the one ``git cat-file`` that stays."""
        if self._objects is None:
            self._objects = cat_file(self._program, self._place.git_dir)
        stdin, stdout = pipes(self._objects)
        try:
            stdin.write(f"{oid}\n".encode())
            stdin.flush()
            return read_answer(stdout, oid, largest)
        except (OSError, EOFError):  # it may not fetch what is missing, and gave up
            _end(self._objects)
            self._objects = None
            return None

    def find(self, rev: str) -> str | None:
        return self._say(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}"
        )

    def head(self) -> str | None:
        found = self.find("HEAD")
        if found is None and self._say("rev-parse", "--verify", "--quiet", "HEAD"):
            raise SourceError("HEAD names no commit", DAMAGE_REMEDY)
        return found

    def upstream(self, branch: str | None) -> Upstream | None:
        name = f"{branch or ''}@{{upstream}}"
        short = self._say(
            "rev-parse", "--abbrev-ref", "--verify", "--quiet", "--end-of-options", name
        )
        commit = self.find(name) if short else None
        return Upstream(short, commit) if short and commit else None

    def tips(self, prefix: str, suffix: str = "") -> Sequence[str]:
        listed = self._say("for-each-ref", "--format=%(objectname) %(refname)", prefix) or ""
        tips: set[str] = set()
        for line in filter(None, listed.split("\n")):
            oid, _, name = line.partition(" ")
            if not name.endswith(suffix):
                continue
            commit = peeled(self, oid)
            if commit is None:
                require_no_commit(self, oid, name)
            else:
                tips.add(commit)
        return sorted(tips)

    def merge_heads(self) -> Sequence[str]:
        file = Path(self._say("rev-parse", "--git-path", "MERGE_HEAD") or "")
        try:
            heads = Path(self._place.git_dir, file).read_text("ascii").split()
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise unreadable_merge(str(error)) from None
        if not all(map(ID.fullmatch, heads)):
            raise unreadable_merge("it holds something else than ids of commits")
        return heads

    def walk(
        self, tips: Sequence[str], hidden: Sequence[str] = (), *, oldest_first: bool = False
    ) -> Iterator[str]:
        order = ("--topo-order", "--reverse") if oldest_first else ("--date-order",)
        given = "".join(f"{tip}\n" for tip in (*tips, *(f"^{tip}" for tip in hidden)))
        done = self._run("rev-list", *order, "--stdin", stdin=given.encode())
        if done.returncode:
            raise SourceError(f"the history cannot be read: {_last_line(done)}", DAMAGE_REMEDY)
        yield from done.stdout.decode("ascii").split()

    def index(self) -> Iterator[IndexEntry]:
        listed = self._listed("ls-files", "--stage", "-t", "-z", "--full-name")
        entries = [_index_entry(line) for line in listed]
        # Only an empty file can be one that was merely announced.
        if any(entry.blob.oid in _EMPTY_BLOBS for entry in entries):
            present = self._present()
            entries = [
                entry._replace(intended=not entry.conflicted and entry.path not in present)
                for entry in entries
            ]
        yield from entries

    def _present(self) -> frozenset[str]:
        """The paths of the index but those of ``git add -N``, by comparing with nothing."""
        nothing = git_hex("tree", b"", self.hash_name)
        options = ("--cached", "--name-only", "-z", "--no-renames", "--ita-invisible-in-index")
        listed = self._listed("diff-index", *options, "--ignore-submodules=none", nothing)
        return frozenset(map(_text, listed))

    def _listed(self, *arguments: str) -> list[bytes]:
        done = self._run(*arguments)
        if done.returncode:
            raise SourceError(
                f"the index cannot be read: {_last_line(done)}",
                "see that git itself can read it (git status)",
            )
        return done.stdout.split(b"\0")[:-1]

    def is_ignored(self, path: str) -> bool:
        if self._ignores is None:
            self._ignores = start(
                (*self._command(), "check-ignore", "--no-index", "-z", "-v", "-n", "--stdin"),
                self._environment,
                self._place.top,
            )
        stdin, stdout = pipes(self._ignores)
        path = path.removesuffix("/")  # it looks itself; with one, it asks what the folder ignores
        try:
            stdin.write(path.encode("utf-8", "surrogateescape") + b"\0")
            stdin.flush()
        except OSError:
            return False
        _, _, pattern, _ = (_until_nul(stdout) for _ in range(4))
        return bool(pattern) and not pattern.startswith(b"!")

    def stored_id(self, file: Path, path: str) -> str | None:
        # Text of a command line: a name that is not UTF-8 goes through as it is.
        command = (*self._no_filters, "hash-object", f"--path={path}", "--", os.fspath(file))
        return self._say(*command)

    @cached_property
    def _no_filters(self) -> tuple[str, ...]:
        """Options by which git runs none of the programs that would clean a file."""
        pattern = r"^filter\..*\.(clean|process|required)$"
        listed = self._say("config", "--name-only", "--null", "--get-regexp", pattern) or ""
        names = dict.fromkeys(name for name in listed.split("\0") if name)
        settings = (f"{name}={'false' if name.endswith('required') else ''}" for name in names)
        return tuple(part for setting in settings for part in ("-c", setting))

    def flag(self, name: str, default: bool) -> bool:  # noqa: FBT001 - as in Database
        said = self._say("config", "--type=bool", "--get", name)
        return default if said is None else said == "true"

    def setting(self, name: str) -> str | None:
        return self._say("config", "--get", name)

    def close(self) -> None:
        for process in filter(None, (self._objects, self._ignores)):
            _end(process)
        self._objects = self._ignores = None

    @cached_property
    def _environment(self) -> dict[str, str]:
        """Where the repository is, so that git looks for it no more wherever it runs."""
        git_dir, top = self._place
        found = {"GIT_DIR": git_dir}
        index = os.environ.get("GIT_INDEX_FILE")
        if top:
            found["GIT_WORK_TREE"] = top
        if index:
            found["GIT_INDEX_FILE"] = os.path.join(top or os.getcwd(), index)
        return found

    def _command(self) -> tuple[str, ...]:
        return (self._program, *_SETTINGS)

    def _run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        where = self._place.top or self._place.git_dir
        return run_git((*self._command(), *arguments), where, self._environment, stdin)

    def _say(self, *arguments: str) -> str | None:
        """What git prints, its last line feed aside; None where it fails."""
        done = self._run(*arguments)
        return None if done.returncode else _text(done.stdout).removesuffix("\n")


def locate(folder: Path) -> Place:
    """Where git itself finds the repository of ``folder``.

    Raises GitError where it does not, or does not trust it; SourceError where git is not there.
    """
    program = require_git()
    command = (program, "rev-parse", "--absolute-git-dir", "--is-inside-work-tree")
    done = run_git(command, folder, {})
    if done.returncode:
        raise GitError(_text(done.stderr).strip().removeprefix("fatal: "))
    git_dir, _, is_inside = _text(done.stdout).rstrip("\n").rpartition("\n")
    named = os.environ.get("GIT_WORK_TREE")
    if named:
        return Place(git_dir, os.path.realpath(os.path.join(folder, named)))
    if is_inside != "true":
        return Place(git_dir, None)
    top = run_git((program, "rev-parse", "--show-toplevel"), folder, {})
    return Place(git_dir, _text(top.stdout).removesuffix("\n") or None)


def _index_entry(line: bytes) -> IndexEntry:
    """One line of ``git ls-files --stage -t``: a tag, the mode, the id, the stage, the path."""
    facts, _, path = line.partition(b"\t")
    tag, mode, oid, stage = facts.decode("ascii").split(" ")
    kind = kind_of_mode(int(mode, 8))
    return IndexEntry(
        _text(path), Blob(kind, oid), conflicted=stage != "0", intended=False, skipped=tag == "S"
    )


def _until_nul(stream: IO[bytes]) -> bytes:
    found = bytearray()
    while (byte := stream.read(1)) not in {b"\0", b""}:
        found += byte
    return bytes(found)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with contextlib.suppress(OSError):  # what was written to it last may still be in the pipe
        process.communicate()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _last_line(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = _text(done.stderr).strip().split("\n")
    return lines[-1].removeprefix("fatal: ") or "git says nothing"
