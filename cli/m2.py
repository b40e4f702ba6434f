"""``jperrant m2``: the M2 tool box."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from jperrant.cli.annotate import Levenshtein, Merge, MergeBy, TokensAre
from jperrant.cli.groups import (
    BatchSize,
    Ci,
    Labels,
    Lang,
    Models,
    Names,
    Out,
    Output,
    Pack,
    Quiet,
    RunHooks,
    Strict,
    listed,
    option,
    switch,
    takes_groups,
)
from jperrant.cli.m2_check import check
from jperrant.cli.m2_convert import convert
from jperrant.cli.output import say, show
from jperrant.core.text import TokenMode

if TYPE_CHECKING:
    from jperrant.core.values import Block

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE.m2", help="The M2 file; - is stdin.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = typer.Typer(name="m2", help="Inspect, check, convert and combine M2 files.", no_args_is_help=True)
    for command in (check, stats, convert, retype, merge, split, adjudicate):
        box.command(command.__name__)(takes_groups(command))
    app.add_typer(box)


def retype(
    file: File,
    auto: Annotated[
        bool, switch("--auto", help="Extract the edits again from the source and the corrected text.")
    ] = False,
    gold: Annotated[bool, switch("--gold", help="Keep the edits; minimise and type them.")] = False,
    out: Out = "-",
    lang: Lang = None,
    no_min: Annotated[
        bool, switch("--no-min", help="Do not cut edits down to what they change (--gold).")
    ] = False,
    old_types: Annotated[
        bool, switch("--old-types", help="Keep the types; with --auto those of detection edits.")
    ] = False,
    lev: Levenshtein = False,
    merge: MergeBy = Merge.rules,
    tokens: TokensAre = TokenMode.GIVEN,
    pack: Pack = None,
    models: Models = "compact",
    labels: Labels = "pack",
    hooks: RunHooks = None,
    batch_size: BatchSize = 128,
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
    files: Annotated[list[str], typer.Argument(metavar="FILE.m2...", help="M2 files of the same sentences.")],
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
        str,
        option("--out", "-o", help="Write to this folder, or to names with {} for the annotator's number."),
    ],
    strict: Strict = False,
    _quiet: Quiet = False,
) -> None:
    """Write one file for each annotator."""
    from jperrant.m2tools.merge import split_m2

    with _read(file, strict) as blocks:
        split_m2(blocks, out, file)


def stats(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE.m2...", help="The parts of a corpus; - is stdin.")
    ],
    output: Output,
    lang: Lang = None,
    pack: Pack = None,
    ci: Ci = False,
    strict: Strict = False,
    _quiet: Quiet = False,
) -> None:
    """Count sentences, tokens and edits, by annotator and type, and say how far annotators agree.

    jperrant m2 stats train.m2 test.m2 --lang en --format md -o statement.md
    """
    from jperrant.io.files import check_output, check_stdin
    from jperrant.m2tools.stats import corpus_stats, label_meanings
    from jperrant.reporting.m2_stats import format_stats

    kind, out = output.kind(), output.out
    check_stdin(files)
    check_output(out, files)
    labels = label_meanings(lang or "", pack) if lang or pack else None
    notes: list[str] = []
    counted = [corpus_stats(file, _samples() if ci else 0, strict, notes) for file in files]
    say(notes)
    show(format_stats(counted, kind, labels), out, files)


def _samples() -> int:
    from jperrant.evaluation.statistics.significance import SAMPLES

    return SAMPLES["bootstrap"]


def adjudicate(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE.m2...", help="A file for each annotator, or one with several."),
    ],
    out: Out = "-",
    open: Annotated[
        str | None,
        option("--open", metavar="FILE", help="Write the sentences that are still undecided there."),
    ] = None,
    decisions: Annotated[
        list[str] | None,
        option(
            "--decisions",
            metavar="FILE",
            help="Take sentences that are decided from there; repeatable.",
        ),
    ] = None,
    majority: Annotated[
        bool, switch("--majority", help="Take the edits that most of three annotators or more have.")
    ] = False,
    prefer: Annotated[
        str | None, option("--prefer", metavar="NAME", help="Use this annotator's version as a last resort.")
    ] = None,
    names: Names = "",
    strict: Strict = False,
) -> None:
    """Combine several annotators into one version: what they agree on, and what a person decided.

    jperrant m2 adjudicate anna.m2 ben.m2 --open open.m2 -o gold.m2
    """
    from jperrant.core.display import printable
    from jperrant.core.errors import UsageError, nearest
    from jperrant.evaluation.agreement.annotators import UNSEEN_BY_ADJUDICATION, load_annotators
    from jperrant.io.files import open_outputs
    from jperrant.io.m2 import read_m2, write_m2
    from jperrant.m2tools.adjudicate import Adjudication, adjudicate_m2

    found = load_annotators(files, listed(names), strict=strict, unseen=UNSEEN_BY_ADJUDICATION)
    if prefer is not None and prefer not in found.names:
        known = ", ".join(found.names)
        raise UsageError(f"found no annotator {prefer!r}{nearest(prefer, found.names)}; annotators: {known}")
    result = Adjudication()
    decided = [block for file in decisions or () for block in read_m2(file, strict)]
    paths = [out] if open is None else [out, open]
    with open_outputs(paths, [*files, *(decisions or ())]) as streams:
        blocks = adjudicate_m2(
            found,
            result,
            decisions=decided,
            decisions_file=", ".join(decisions or ()),
            majority=majority,
            prefer=None if prefer is None else found.names.index(prefer),
        )
        write_m2(blocks, streams[0])
        if open is not None:
            write_m2(result.open, streams[1])
    say(found.notes)
    for line in result.lines(", ".join(files)):
        typer.echo(printable(line), err=True)


@contextmanager
def _read(file: str, strict: bool) -> Iterator[Iterator[Block]]:
    """Give the blocks of a file, and say afterwards what was read leniently."""
    from jperrant.core.progress import track
    from jperrant.io.m2 import FormatDeviations, read_m2

    deviations = FormatDeviations(strict)
    yield track(read_m2(file, strict, deviations), f"reading {file} (sentences)")
    say([summary] if (summary := deviations.summary(file)) else [])
