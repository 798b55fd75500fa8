"""The `earned` group, and the one place where errors become messages and exit codes (0, 1, 2 or 3)."""

from __future__ import annotations

import importlib
import os
import sys
import traceback

import click

from earned import __version__
from earned.cli.printing import say
from earned.errors import ConfigurationError, EarnedError

COMMANDS = {
    "audit": ("earned.cli.audit:audit", "Label every surface pass, with evidence, and report the integrity gap."),
    "read": ("earned.cli.read:read", "Say what was recognised: format, task, model, outcome, steps, completeness."),
    "report": ("earned.cli.report:report", "Render an audit folder again: page, Markdown, card."),
}
"""Command to (where it is, one line of help): listed without importing any."""

PLANNED = ("compare", "judge", "key", "review", "slices", "suite", "task")
"""Commands of later versions: named here so that whoever has read of one is told that it is not there yet."""

FAILED, USAGE = 1, 3


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Every command, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's signature
        """The command, imported now; None when there is none of that name. ConfigurationError for a PLANNED one."""
        if cmd_name in PLANNED:
            raise ConfigurationError(
                f"Expected one of {', '.join(sorted(COMMANDS))}, the commands of this version; found {cmd_name!r}, which is "
                "not built yet.",
                slug="not-built-yet",
            )
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101  # the table above is ours
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        """The list of commands, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="earned")
def group() -> None:
    """Was the pass earned? Audits recorded agent trajectories that passed a benchmark.

    \b
    Example:
      earned audit runs/2026-11-30 --out audits/november
    """  # noqa: D301  # click's mark for lines that stay as they are


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 sound, 1 the tool failed, 2 `--fail-on` is true, 3 usage or input."""
    try:
        code = group.main(args=arguments, prog_name="earned", standalone_mode=False)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read our output has gone
        code = FAILED
    except click.exceptions.Abort:
        say("earned: stopped. What was finished is kept; the same command goes on from there.")
        code = FAILED
    except click.ClickException as error:
        error.show()
        code = USAGE
    except EarnedError as error:
        code = _told(error)
    except Exception as error:  # noqa: BLE001  # the last border: a user is told what to do, not shown our stack
        code = _told(_unforeseen(error))
    sys.exit(code if isinstance(code, int) else 0)


def _told(error: EarnedError) -> int:
    say(f"earned: {error} [{error.slug}]")
    return error.exit_code


def _unforeseen(error: Exception) -> EarnedError:
    """An error that nobody raised on purpose, with the place in our code that a report of it needs."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if f"{os.sep}earned{os.sep}" in frame.filename] or frames
    place = f"{ours[-1].filename.rpartition(os.sep)[2]}:{ours[-1].lineno}" if ours else "an unknown place"
    return EarnedError(
        f"Expected the command to finish or to say why not; found {type(error).__name__} at {place}: {str(error)[:500]}. "
        "What was finished is kept. Please report this with the command.",
        slug="internal-error",
    )
