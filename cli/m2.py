"""``jperrant m2``: the M2 tool box."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from jperrant.cli.annotate import Merge
from jperrant.cli.completion import languages
from jperrant.cli.lean import CommandBox
from jperrant.cli.m2_adjudicate import adjudicate
from jperrant.cli.m2_check import check
from jperrant.cli.m2_convert import convert
from jperrant.cli.m2_stats import stats
from jperrant.cli.options import Quiet, RunHooks, Strict
from jperrant.cli.output import say
from jperrant.core.text import TokenMode

if TYPE_CHECKING:
    from jperrant.core.values import Block

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE.m2", help="The M2 file; - is stdin.")]
Out: TypeAlias = Annotated[str, typer.Option("--out", "-o", help="Where the result goes; - is stdout.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = CommandBox(name="m2", help="Inspect, check, convert and combine M2 files.", no_args_is_help=True)
    for command in (check, stats, convert, retype, merge, split, adjudicate):
        box.command(command.__name__)(command)
    app.add_typer(box)


def retype(
    file: File,
    auto: Annotated[
        bool, typer.Option("--auto", help="Extract the edits again from the source and the corrected text.")
    ] = False,
    gold: Annotated[bool, typer.Option("--gold", help="Keep the edits; minimise and type them.")] = False,
    out: Out = "-",
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            "-l",
            help="A pack, or a language of Stanza; English if not given.",
            autocompletion=languages,
        ),
    ] = None,
    no_min: Annotated[
        bool, typer.Option("--no-min", help="Do not cut edits down to what they change (--gold).")
    ] = False,
    old_types: Annotated[
        bool, typer.Option("--old-types", help="Keep the types; with --auto those of detection edits.")
    ] = False,
    lev: Annotated[bool, typer.Option("--lev", help="Align by plain Levenshtein distance (--auto).")] = False,
    merge: Annotated[Merge, typer.Option(help="How operations merge into edits (--auto).")] = Merge.rules,
    tokens: Annotated[
        TokenMode,
        typer.Option(help="characters: the file's tokens are characters; analyse the words they make."),
    ] = TokenMode.GIVEN,
    pack: Annotated[str | None, typer.Option(help="Folder of a language pack of your own.")] = None,
    models: Annotated[
        str, typer.Option(help="compact, default, a Stanza package, a folder, spacy:NAME, or none.")
    ] = "compact",
    labels: Annotated[
        str, typer.Option(help="pack, or another label set of the pack (en: errant, ud).")
    ] = "pack",
    hooks: RunHooks = None,
    batch_size: Annotated[
        int, typer.Option(help="Sentences looked at together; changes speed and memory only.")
    ] = 128,
    strict: Strict = False,
    _quiet: Quiet = False,
) -> None:
    """Reclassify edits, as errant_m2 does.

    jperrant m2 retype old.m2 --gold --lang en -o new.m2
    """
    from jperrant.annotation.options import AnnotatorOptions
    from jperrant.core.progress import track
    from jperrant.io.files import open_output
    from jperrant.io.m2 import write_m2
    from jperrant.m2tools.retype import retype_m2

    options = AnnotatorOptions(lang, models, pack, merge.value, lev, labels, tokens, hooks=hooks)
    with _read(file, strict) as blocks, open_output(out, [file, *options.files()]) as stream:
        typed = retype_m2(
            blocks,
            options,
            auto=auto,
            gold=gold,
            minimal=not no_min,
            old_types=old_types,
            file=file,
            batch=batch_size,
        )
        write_m2(track(typed, "typing (sentences)"), stream)


def merge(
    files: Annotated[list[str], typer.Argument(metavar="FILE.m2…", help="M2 files of the same sentences.")],
    out: Out = "-",
    strict: Strict = False,
    _quiet: Quiet = False,
) -> None:
    """Merge files into one with the annotators of all, numbered in the order of the files."""
    from contextlib import ExitStack

    from jperrant.io.files import check_stdin, open_output
    from jperrant.io.m2 import write_m2
    from jperrant.m2tools.merge import merge_m2

    check_stdin(files)
    notes: list[str] = []
    with ExitStack() as stack, open_output(out, files) as stream:
        blocks = [stack.enter_context(_read(file, strict)) for file in files]
        write_m2(merge_m2(blocks, files, notes), stream)
    say(notes)


def split(
    file: File,
    out: Annotated[
        str, typer.Option("--out", "-o", help="A folder, or a name with {} for the annotator's number.")
    ],
    strict: Strict = False,
    _quiet: Quiet = False,
) -> None:
    """Write one file for each annotator."""
    from jperrant.m2tools.merge import split_m2

    with _read(file, strict) as blocks:
        split_m2(blocks, out, file)


@contextmanager
def _read(file: str, strict: bool) -> Iterator[Iterator[Block]]:
    """Give the blocks of a file, and say afterwards what was read leniently."""
    from jperrant.core.progress import track
    from jperrant.io.m2 import FormatDeviations, read_m2

    deviations = FormatDeviations(strict)
    yield track(read_m2(file, strict, deviations), f"reading {file} (sentences)")
    say([summary] if (summary := deviations.summary(file)) else [])
