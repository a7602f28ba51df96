"""``kattest init``: what a repository needs to be looked after, added to what it has.

A step adds to a file, or makes it; what is there stays. Doing it again changes nothing.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kattest.attestation.model import FILE_NAME as ATTESTATIONS
from kattest.config import FILE_NAME as CONFIGURATION
from kattest.errors import InputError, SourceError
from kattest.memory.layout import ARCHIVE, INDEX, ROOT
from kattest.sources.gitprocess import require_git, run_git
from kattest.text import quote_path
from kattest.writing import files

ATTRIBUTES = ".gitattributes"
HOOKS = ".pre-commit-config.yaml"

_DRIVERS = ("index", "attestations", "archive")
_ATTRIBUTES = (
    f"{ATTESTATIONS} text eol=lf merge=kattest-attestations",
    f"**/{ROOT}/** text eol=lf",
    f"**/{ROOT}/{INDEX} merge=kattest-index",
    f"**/{ROOT}/*/{ARCHIVE}/** merge=kattest-archive",
)
# Records of one phase resemble each other. Where two branches archived the same one, git would take
# a new record of each for it, renamed, and call that a conflict. With this limit a renamed file is
# still known by its content, or by its name and most of its content.
_RENAMES, _LIMIT = "merge.renameLimit", "1"
_RENAMES_WHY = "with merge.renameLimit, or git may take a new record for an archived one, renamed"
# What two merge bases have archived is not settled for a base that only git sees: it would count as
# ours there, and give way to theirs in the end.
_RECURSIVE = "merge.kattest-archive.recursive"
_ATTRIBUTES_INTRO = "# kattest: rounds, records and their index are merged by what they mean."
_HOOK_IDS = ("kattest-staged", "kattest-memory", "kattest-memory-fix", "kattest-push")
_ENTRY = """\
  - repo: local # kattest, as it is installed on this machine
    hooks:
      - id: kattest-staged
        name: kattest
        entry: kattest verify --staged
        language: system
        always_run: true
        pass_filenames: false
        stages: [pre-commit, pre-merge-commit, manual]
      - id: kattest-push
        name: kattest (push)
        entry: kattest hook pre-push
        language: system
        always_run: true
        pass_filenames: false
        stages: [pre-push]
"""
# A list under ``repos``: every line of it is an item, inside of one, blank, or a comment.
_REPOS = re.compile(
    r"""^repos:[ ]*(?:\#.*)?\n(?P<items>(?:[ ]*(?:\#.*)?\n)*(?P<indent>[ ]*)-[ ].*
    (?:\n(?:[ ]*(?:\#.*)?\n)*(?P=indent)(?:-|[ ]{1,}\S).*)*\n?)""",
    re.MULTILINE | re.VERBOSE,
)
_NEW_HOOKS = f"""\
default_install_hook_types: [pre-commit, pre-merge-commit, pre-push]
repos:
{_ENTRY}"""
_NEW_CONFIGURATION = """\
# What kattest judges this repository by. It is read from the published state, never from the change
# that is being judged. Every key is optional; these are the defaults.

# severity:               # error, warning, info or off, by code (kattest explain lists them)
#   KA111: error          # for instance: a skill must be judged again whenever it changes

# exclude: []             # documents that are not judged, in gitignore's patterns

# panels:                 # rosters beside the protocol's panels of three and five
#   security:
#     - {judge: domain-expert, weight: 0.5}
#     - {judge: threat-modeller, weight: 0.5, titles: [threat modeller]}

# lifecycle:
#   grace_days: 0         # how long a record may be overdue for archiving or deletion

# history:
#   base: upstream        # or head: what local work is compared with
#   protect: []           # references that a push may not delete: refs/heads/main

# limits:
#   document_bytes: 8388608
"""


class Action(StrEnum):
    """What a step does."""

    MAKE = "make"
    ADD = "add to"
    KEEP = "keep"
    LEAVE = "cannot add to"


class Step(NamedTuple):
    """One file, or git's configuration, and what is added to it; ``why`` where nothing is."""

    what: str
    action: Action
    added: str = ""
    why: str = ""
    data: bytes | None = None


def plan(top: Path) -> list[Step]:
    """What is to be done in the repository whose working tree has its top at ``top``.

    Raises InputError where one of the files is something else, SourceError where it is unreadable.
    """
    return [
        _attributes(_read(top, ATTRIBUTES)),
        _drivers(top),
        _hooks(_read(top, HOOKS)),
        _configuration(_read(top, CONFIGURATION)),
    ]


def carry_out(top: Path, steps: Sequence[Step]) -> None:
    """Do it. Raises WriteError where that cannot be done, SourceError where git refuses."""
    for step in steps:
        if step.data is not None:
            try:
                files.replace(top / step.what, step.data)
            except OSError as error:
                raise files.failure(step.what, error, "what was there is as it was") from None
        elif step.action is Action.ADD:
            for line in step.added.splitlines():
                name, _, value = line.partition(" = ")
                _git(top, "config", "--local", name, value)


def _attributes(text: str | None) -> Step:
    present = {" ".join(line.split()) for line in (text or "").splitlines()}
    missing = [line for line in _ATTRIBUTES if line not in present]
    if not missing:
        return Step(ATTRIBUTES, Action.KEEP, why="it has our lines")
    added = "".join(f"{line}\n" for line in (_ATTRIBUTES_INTRO, *missing))
    return _added(ATTRIBUTES, text, added)


def _drivers(top: Path) -> Step:
    wanted = {
        f"merge.kattest-{name}.driver": f"kattest merge-driver {name} %O %A %B %P"
        for name in _DRIVERS
    }
    wanted[_RECURSIVE] = "binary"
    missing = [
        f"{name} = {value}"
        for name, value in wanted.items()
        if _git(top, "config", "--local", "--get", name) != value
    ]
    if not _git(top, "config", "--local", "--get", _RENAMES):
        missing.append(f"{_RENAMES} = {_LIMIT}")
    what = "git's configuration of this clone"
    if not missing:
        return Step(what, Action.KEEP, why="it has our merge drivers")
    return Step(what, Action.ADD, "".join(f"{line}\n" for line in missing), _RENAMES_WHY)


def _hooks(text: str | None) -> Step:
    if text is None:
        return Step(HOOKS, Action.MAKE, _NEW_HOOKS, data=_NEW_HOOKS.encode())
    before = _loaded(text)
    if any(hook in _HOOK_IDS for hook in _hook_ids(before)):
        return Step(HOOKS, Action.KEEP, why="it has a hook of ours")
    end, indent = _end_of_repos(text) or (0, "")
    entry = textwrap.indent(textwrap.dedent(_ENTRY), indent)
    newline = "" if text[:end].endswith("\n") else "\n"
    data = f"{text[:end]}{newline}{entry}{text[end:]}"
    if not end or not _adds_one(before, _loaded(data)):
        why = "it is not laid out as pre-commit writes it; add this under repos yourself"
        return Step(HOOKS, Action.LEAVE, _ENTRY, why)
    return Step(HOOKS, Action.ADD, entry, data=data.encode())


def _loaded(text: str) -> Any:
    """What a YAML document says; None where it is none."""
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _hook_ids(document: Any) -> Iterator[object]:
    repos = document.get("repos") if isinstance(document, dict) else None
    for repo in repos if isinstance(repos, list) else ():
        hooks = repo.get("hooks") if isinstance(repo, dict) else None
        for hook in hooks if isinstance(hooks, list) else ():
            yield hook.get("id") if isinstance(hook, dict) else None


def _adds_one(before: Any, after: Any) -> bool:
    """Whether a configuration is another one with one more repository at the end, ours."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    old, new = before.get("repos"), after.get("repos")
    if not isinstance(old, list) or not isinstance(new, list):
        return False
    return after | {"repos": new[:-1]} == before and new[-1:] == _loaded(_ENTRY)


def _end_of_repos(text: str) -> tuple[int, str] | None:
    """Where the last item of ``repos`` ends, and how its items are indented.

    None where that is no list of one item a line, or stands there more than once.
    """
    if len(re.findall(r"^[\"']?repos[\"']?\s*:", text, re.MULTILINE)) != 1:
        return None
    match = _REPOS.search(text)
    return (match.end("items"), match["indent"]) if match else None


def _configuration(text: str | None) -> Step:
    if text is not None:
        return Step(CONFIGURATION, Action.KEEP, why="it is yours")
    return Step(CONFIGURATION, Action.MAKE, _NEW_CONFIGURATION, data=_NEW_CONFIGURATION.encode())


def _added(name: str, text: str | None, added: str) -> Step:
    if text is None:
        return Step(name, Action.MAKE, added, data=added.encode())
    newline = "" if not text or text.endswith("\n") else "\n"
    return Step(name, Action.ADD, added, data=f"{text}{newline}{added}".encode())


def _read(top: Path, name: str) -> str | None:
    """The text of a file at the top; None where there is none."""
    file = top / name
    if not os.path.lexists(file):
        return None
    if file.is_symlink() or not file.is_file():
        raise InputError(f"{quote_path(name)} is no regular file", "move it away")
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except OSError as error:
        raise SourceError(
            f"{quote_path(name)} cannot be read: {error.strerror}", "make it readable"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{quote_path(name)} is not UTF-8", "save it as UTF-8") from None


def _git(top: Path, *args: str) -> str:
    done = run_git([require_git(), *args], top, {})
    is_reading = "--get" in args
    if done.returncode and not (is_reading and done.returncode == 1):
        reason = done.stderr.decode("utf-8", "replace").strip()
        raise SourceError(f"git config fails: {reason}", "see that git works here")
    return done.stdout.decode("utf-8", "replace").strip()
