"""Write the golden reports anew, or see that they are up to date.

python -m tests.report.regenerate           # then read the difference: git diff tests/report
python -m tests.report.regenerate --check   # status 1, and what differs, where they are not
"""

import argparse
import difflib
import sys
from collections.abc import Iterator

from tests.report.scenarios import GOLDEN, golden_texts


def differences() -> Iterator[str]:
    """Lines of a unified diff from the golden files to what is rendered now."""
    rendered = golden_texts()
    stored = {path.name: path.read_text("utf-8") for path in GOLDEN.glob("*.txt")}
    for name in sorted(rendered.keys() | stored.keys()):
        before, after = stored.get(name, ""), rendered.get(name, "")
        if before != after or (name in rendered) != (name in stored):
            yield f"{name}: {'differs' if name in stored else 'is missing'}\n"
            yield from difflib.unified_diff(
                before.splitlines(keepends=True), after.splitlines(keepends=True), "golden", "now"
            )


def regenerate() -> None:
    """Write every golden file, and remove those that nothing renders."""
    rendered = golden_texts()
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.txt"):
        if path.name not in rendered:
            path.unlink()
    for name, text in rendered.items():
        (GOLDEN / name).write_text(text, "utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the golden reports anew.")
    parser.add_argument("--check", action="store_true", help="write nothing; compare")
    if parser.parse_args().check:
        found = list(differences())
        sys.stdout.writelines(found)
        sys.exit(1 if found else 0)
    regenerate()


if __name__ == "__main__":
    main()
