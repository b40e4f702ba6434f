"""Commands that are imported when they are called: the others would take most of the time of a short command."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

#: Options that take every file up to the next option, as sacrebleu's and ERRANT's do.
SEVERAL_FILES = ("--hyp", "--ref")
#: Says in a context that commands are only listed.
_LISTING = "jperrant.listing"


class Listed(NamedTuple):
    """A command as the list of commands shows it.

    Attributes:
        module: The module of ``jperrant.cli`` whose function ``register`` adds it.
        help: The first paragraph of its help.
    """

    module: str
    help: str


#: The commands of the program, in the order of its help.
COMMANDS = {
    "annotate": Listed("annotate", "Align texts with their corrections and write typed edits as M2."),
    "align": Listed(
        "align", "Re-segment and re-index two M2 files over one text, so that they have the same blocks."
    ),
    "compare": Listed("compare", "Score edits as errant_compare does: the same numbers, the same table."),
    "score": Listed("score", "Score systems with any metric, over M2 files or over texts."),
    "report": Listed(
        "report", "Write one page that shows systems side by side: figures, error types, and every sentence."
    ),
    "review": Listed(
        "review",
        "Write a page on which people accept, reject and change edits; jperrant m2 convert reads what it "
        "saves.",
    ),
    "meta": Listed("meta", "Compare metrics with human judgements, by system and by sentence."),
    "agree": Listed(
        "agree", "Measure how far annotators agree: on edits, tokens, sentences, by type and by metrics."
    ),
    "metrics": Listed("metrics", "List the metrics and what each needs, or show the options of one."),
    "explain": Listed("explain", "Show how a metric comes to its score, sentence by sentence."),
    "find": Listed(
        "find",
        "Find edits by the conditions of the rule language, and show them in context.",
    ),
    "m2": Listed("m2", "Inspect, check, convert and combine M2 files."),
    "packs": Listed("packs", "Inspect, check and create language packs."),
    "models": Listed("models", "Show, get and measure Stanza models."),
    "study": Listed(
        "study",
        "Run an experiment from one file: its steps that are not done yet.",
    ),
}


class LazyGroup(TyperGroup):
    """The program, whose commands are known by name and help until one of them is called."""

    def __init__(self, **settings: Any) -> None:
        settings["commands"] = {
            name: TyperCommand(name, help=listed.help) for name, listed in COMMANDS.items()
        }
        super().__init__(**settings)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line, options that take several files with all of theirs."""
        return super().parse_args(ctx, one_file_each(args))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None; where commands are only listed, one that knows its help and nothing else."""
        listed = self.commands.get(cmd_name)
        return listed if listed is None or ctx.meta.get(_LISTING) else load(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, which lists the commands."""
        ctx.meta[_LISTING] = True
        super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands that begin so."""
        ctx.meta[_LISTING] = True
        return super().shell_complete(ctx, incomplete)


def one_file_each(args: Sequence[str]) -> list[str]:
    """Return a command line with an option before each file that stands after it, up to the next option.

    >>> one_file_each(["score", "--hyp", "a", "b", "--ref", "r", "--json"])
    ['score', '--hyp', 'a', '--hyp', 'b', '--ref', 'r', '--json']
    """
    words: list[str] = []
    option = ""
    for word in args:
        if word.startswith("-") and word != "-":
            option = word.partition("=")[0] if word.partition("=")[0] in SEVERAL_FILES else ""
        elif option and words[-1] != option:
            words.append(option)
        words.append(word)
    return words


def load(name: str) -> Any:
    """Import a command of the program.

    Args:
        name: One of ``COMMANDS``.

    Returns:
        The command or group as typer makes it.
    """
    app = typer.Typer()
    import_module(f"jperrant.cli.{COMMANDS[name].module}").register(app)
    return get_group(app).commands[name]
