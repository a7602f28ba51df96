"""Where the ``kattest`` script begins: load the program, then run it.

Loading makes many objects and no garbage. With the collector off while it happens, and what was
loaded set aside, a run starts and ends in about five sixths of the time.
"""

import gc
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line."""
    gc.disable()
    from kattest.cli.main import run  # noqa: PLC0415 - the point of this module

    gc.freeze()
    gc.enable()
    run()
