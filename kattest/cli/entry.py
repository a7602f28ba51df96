"""Where the ``kattest`` script begins: load the program, then run it.

Loading makes many objects and no garbage. With the collector off while it happens, and what was
loaded set aside, a run starts and ends in about five sixths of the time.
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
    gc.enable()
    run()
