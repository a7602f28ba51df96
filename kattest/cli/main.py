"""The program: its commands, and what becomes of errors (design, section 4)."""

import sys
import traceback
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from kattest import __version__
from kattest.cli.output import complain
from kattest.cli.status import ExitStatus
from kattest.errors import KattestError

_COMMANDS = ("verify", "explain", "hook", "attest", "memory", "merge-driver", "init")


class _Program(TyperGroup):
    """Loads a command, from the module of its name, only when it is asked for: start-up."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        names: Any = dict.fromkeys(_COMMANDS)
        self.commands = names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - typer's own signature
        """The command of this name; None where there is none."""
        if cmd_name not in self.commands:
            return None
        module = import_module(f"kattest.cli.{cmd_name.replace('-', '_')}")
        return typer.main.get_command(module.app)


app = typer.Typer(
    name="kattest",
    cls=_Program,
    help="Verify and write judge attestations (who judged which artifact, with what score, in "
    "which order) and memory trees (reward records, their index, their lifecycle).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # errors are ours to word, and rich costs start-up time
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        typer.echo(f"kattest {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Options of the program itself."""


def run() -> NoReturn:
    """Run the command line. The exit status is 0, 1, 2, 3 or 130; see the design, section 4."""
    try:
        app()
    except KattestError as error:
        complain(error.message, error.remedy)
        sys.exit(ExitStatus.COULD_NOT_CHECK)
    except KeyboardInterrupt:
        sys.exit(ExitStatus.INTERRUPTED)
    except Exception:  # noqa: BLE001 - the last line of defence: a bug must not look like a finding
        traceback.print_exc()
        complain("this is a bug in kattest, and nothing was verified", "report the lines above")
        sys.exit(ExitStatus.BUG)
    sys.exit(ExitStatus.CLEAN)
