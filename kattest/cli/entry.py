"""Where the ``kattest`` script begins: load the program, then run it.

The cyclic garbage collector stays off. A run makes many objects that live to its end, and hardly
any that refers to itself: looking through them again and again would take a good part of its time
(tests/benchmarks). What loading made is set aside, so that the end does not look through it either.
"""

import gc
import sys
from typing import NoReturn

from kattest.cli.status import ExitStatus


def main() -> NoReturn:
    """Run the command line."""
    gc.disable()
    try:
        from kattest.cli.main import run  # noqa: PLC0415 - the point of this module
    except ImportError as error:
        # Python would exit with 1, and that means findings.
        sys.stderr.write(
            f"kattest: it cannot be loaded: {error}\n"
            "  what to do: install it anew, from where it came (pip install --force-reinstall)\n"
        )
        sys.exit(ExitStatus.COULD_NOT_CHECK)
    gc.freeze()
    run()
