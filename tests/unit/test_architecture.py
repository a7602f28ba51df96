"""The layers of the design (section 2), read off the imports: dependencies point one way."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import kattest

ROOT = Path(kattest.__file__).parent
LAYERS = [
    "errors finding text instant roster digest paths tree",
    "jsondoc jsondiff jsontext fields config configfile",
    "attestation memory",
    "rules",
    (
        "documents locate look_alikes result verdicts attestation_part memory_roots memory_part "
        "round_history record_side record_history history_part engine trust"
    ),
    "report sources",
    "writing",
    "cli __main__",
]
RANKS = {name: rank for rank, layer in enumerate(LAYERS) for name in layer.split()}
OUTSIDE = {
    "sources",
    "writing",
    "cli",
    "__main__",
}  # they may touch the world; the rest is the core

# Where each library from outside the standard one may be imported.
LIBRARIES = {
    "pygit2": {"sources"},
    "typer": {"cli"},
    "yaml": {"configfile", "writing"},
    "pathspec": {"config"},
}
# Of the standard library, what reaches the world, the clock or chance.
WORLDLY = {
    *("os", "io", "sys", "time", "pathlib", "shutil", "tempfile", "glob", "fileinput", "mmap"),
    *("socket", "ssl", "http", "urllib", "select", "signal", "threading", "multiprocessing"),
    *("asyncio", "concurrent", "random", "secrets", "uuid", "logging", "getpass", "platform"),
    *("locale", "atexit", "ctypes", "importlib", "pickle", "shelve", "sqlite3", "webbrowser"),
}
NOWHERE = {"pty", "zlib", "binascii", "hmac", "crypt", "_hashlib", "_sha2", "_sha256"}
WORLDLY_CALLS = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}
WORLDLY_METHODS = {"now", "today", "utcnow", "fromtimestamp", "read_text", "read_bytes", "getenv"}
PROCESSES = {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "startfile"}
PROCESSES |= {
    f"{kind}{how}" for kind in ("exec", "spawn") for how in ("l", "le", "lp", "v", "ve", "vp")
}

MODULES = sorted(path.relative_to(ROOT.parent) for path in ROOT.rglob("*.py"))


def part_of(module: Path) -> str:
    """The part of kattest that a module belongs to: the first name below the package."""
    return module.parts[1].removesuffix(".py")


@cache
def syntax(module: Path) -> ast.Module:
    return ast.parse((ROOT.parent / module).read_bytes(), str(module))


def imports(module: Path) -> Iterator[str]:
    """The full name of everything that a module imports, wherever in it."""
    for node in ast.walk(syntax(module)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            assert node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def parts_used(module: Path) -> set[str]:
    """The parts of kattest that a module imports from. The package itself holds the version only."""
    found = {name.split(".")[1] for name in imports(module) if name.startswith("kattest.")}
    return found - {"__version__"}


in_every_module = pytest.mark.parametrize("module", MODULES, ids=str)
in_the_core = pytest.mark.parametrize(
    "module", [module for module in MODULES if part_of(module) not in OUTSIDE], ids=str
)


def test_every_part_has_a_layer() -> None:
    parts = {part_of(module) for module in MODULES} - {"__init__"}
    assert parts <= RANKS.keys()


@in_every_module
def test_imports_point_down(module: Path) -> None:
    used = parts_used(module)
    if part_of(module) == "__init__":
        assert used == set()
        return
    rank = RANKS[part_of(module)]
    assert {part for part in used if RANKS[part] > rank} == set()


def test_nothing_imports_the_command_line_but_its_entry_point() -> None:
    users = {part_of(module) for module in MODULES if "cli" in parts_used(module)}
    assert users <= {"cli", "__main__"}


def test_reports_and_sources_do_not_know_each_other() -> None:
    for module in MODULES:
        assert not (part_of(module) == "report" and "sources" in parts_used(module))
        assert not (part_of(module) == "sources" and "report" in parts_used(module))


def test_no_module_imports_itself_round_about() -> None:
    graph = {dotted(module): direct(module) for module in MODULES}
    settled: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name in settled:
            return
        for used in sorted(graph.get(name, ())):
            visit(used, (*path, name))
        settled.add(name)

    for name in graph:
        visit(name, ())


def dotted(module: Path) -> str:
    return ".".join(module.with_suffix("").parts).removesuffix(".__init__")


def direct(module: Path) -> set[str]:
    known = {dotted(other) for other in MODULES}
    found = set()
    for name in imports(module):
        if name.startswith("kattest."):
            found.add(name if name in known else name.rpartition(".")[0])
    return found - {"kattest"}


@in_every_module
def test_libraries_are_imported_in_their_place_alone(module: Path) -> None:
    for name in {name.split(".")[0] for name in imports(module)} - {"kattest", "__future__"}:
        if name not in sys.stdlib_module_names:
            assert part_of(module) in LIBRARIES.get(name, set()), name


@in_the_core
def test_the_core_touches_neither_files_nor_clock_nor_chance(module: Path) -> None:
    assert {name.split(".")[0] for name in imports(module)} & WORLDLY == set()
    for node in ast.walk(syntax(module)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                assert node.func.id not in WORLDLY_CALLS, f"{module}:{node.lineno}"
            elif isinstance(node.func, ast.Attribute):
                assert node.func.attr not in WORLDLY_METHODS, f"{module}:{node.lineno}"


@in_every_module
def test_nothing_starts_a_process_and_only_hashlib_hashes(module: Path) -> None:
    names = {*imports(module)}
    assert {name.split(".")[0] for name in names} & NOWHERE == set()
    if "hashlib" in {name.split(".")[0] for name in names}:
        assert part_of(module) == "digest"
    for node in ast.walk(syntax(module)):
        if isinstance(node, ast.Attribute):
            assert node.attr not in PROCESSES, f"{module}:{node.lineno}"


def test_hashes_come_from_hashlib() -> None:
    assert "hashlib" in imports(Path("kattest/digest.py"))


@in_the_core
def test_the_core_catches_nothing_blindly(module: Path) -> None:
    for node in ast.walk(syntax(module)):
        if isinstance(node, ast.ExceptHandler):
            named = ast.unparse(node.type) if node.type else "everything"
            assert named not in {"everything", "Exception", "BaseException"}, node.lineno
