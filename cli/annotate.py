"""``jperrant annotate``: sources and corrections in, M2 out."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from jperrant.cli.annotate_shards import (
    Cluster,
    Force,
    PartOption,
    Resume,
    ShardOptions,
    annotate_folder,
)
from jperrant.cli.completion import languages
from jperrant.cli.options import Dictionary, Quiet, RunHooks
from jperrant.cli.output import say
from jperrant.cli.progress import progress
from jperrant.core.text import TokenMode


class Format(StrEnum):
    """Formats of the input."""

    lines = "lines"
    tsv = "tsv"
    conllu = "conllu"
    jsonl = "jsonl"
    essays = "essays"
    cherrant = "cherrant"


class Merge(StrEnum):
    """Merge strategies."""

    rules = "rules"
    all_split = "all-split"
    all_merge = "all-merge"
    all_equal = "all-equal"


class OnError(StrEnum):
    """What to do with a record that cannot be annotated."""

    stop = "stop"
    reject = "reject"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("annotate")(annotate)


def annotate(
    source: Annotated[
        str, typer.Argument(help="The original text, or the TSV or JSON Lines file; - is stdin.")
    ],
    targets: Annotated[
        list[str] | None, typer.Argument(help="The corrected texts, one file for each annotator.")
    ] = None,
    out: Annotated[
        str,
        typer.Option("--out", "-o", help="Where the M2 goes; - is stdout; OUT/ takes one for each shard."),
    ] = "-",
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            "-l",
            help="A pack, or a language of Stanza; English if not given.",
            autocompletion=languages,
        ),
    ] = None,
    format: Annotated[
        Format, typer.Option("--format", "--input-format", help="Format of the input; M2 is what is written.")
    ] = Format.lines,
    raw: Annotated[
        bool,
        typer.Option("--raw", help="The texts are raw: the models segment them into sentences and tokens."),
    ] = False,
    split_on: Annotated[
        str | None,
        typer.Option(
            metavar="blank|newline|model",
            help="Of raw texts: the models split paragraphs (blank), lines (newline) or the whole (model).",
        ),
    ] = None,
    one_sentence_per_line: Annotated[
        bool, typer.Option("--one-sentence-per-line", help="Of raw texts: each line is a sentence.")
    ] = False,
    answers: Annotated[
        str,
        typer.Option(
            metavar="clean|jsonl:F|tsv:C", help="Corrections are by language models: how they are read."
        ),
    ] = "",
    tokens: Annotated[
        TokenMode,
        typer.Option(
            help="Tokens: as given; words, by the models or syntactic ones of CoNLL-U; or single characters."
        ),
    ] = TokenMode.GIVEN,
    merge: Annotated[Merge, typer.Option(help="How operations merge into edits.")] = Merge.rules,
    lev: Annotated[bool, typer.Option("--lev", help="Align by plain Levenshtein distance.")] = False,
    pack: Annotated[str | None, typer.Option(help="Folder of a language pack of your own.")] = None,
    models: Annotated[
        str, typer.Option(help="compact, default, a Stanza package, a folder, spacy:NAME, or none.")
    ] = "compact",
    labels: Annotated[
        str, typer.Option(help="pack, or another label set of the pack (en: errant, ud).")
    ] = "pack",
    lexicon: Annotated[
        str | None, typer.Option(help="Known words, one a line (.gz), or a Hunspell .dic: tells SPELL.")
    ] = None,
    dictionary: Dictionary = "auto",
    hooks: RunHooks = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Number of processes.")] = 1,
    batch_size: Annotated[
        int, typer.Option(help="Sentences annotated together; changes speed and memory only.")
    ] = 256,
    on_error: Annotated[
        OnError | None,
        typer.Option(
            help="At a record that cannot be annotated: stop (of one file), or reject it to OUT.rejected and go on "
            "(of shards)."
        ),
    ] = None,
    resume: Resume = False,
    force: Force = False,
    part: PartOption = None,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Align texts with their corrections and write typed edits as M2.

    One sentence a line and tokens separated by spaces, unless --raw or --format say otherwise:

    jperrant annotate original.txt corrected0.txt corrected1.txt --lang en -o edits.m2

    Corpora in many files, each of which becomes an M2 file of its own:

    jperrant annotate SHARDS/* --format tsv -o OUT/ --jobs 8
    """
    from jperrant.annotation.files import annotate_files, count_of
    from jperrant.annotation.noticed import Noticed, notes
    from jperrant.annotation.options import AnnotatorOptions
    from jperrant.core.errors import UsageError
    from jperrant.core.messages import agree, plural
    from jperrant.core.text import Splitting
    from jperrant.io.files import STDIO, open_outputs
    from jperrant.io.m2 import write_m2
    from jperrant.io.records import Rejected, rejected_path
    from jperrant.parse.models import NONE

    if format is Format.conllu:
        models = NONE  # the analysis is given
    splitting = Splitting.of_options(split_on, one_sentence_per_line)
    options = AnnotatorOptions(
        lang, models, pack, merge.value, lev, labels, tokens, lexicon, hooks, dictionary, splitting
    )
    given = ShardOptions(resume, force, part, cluster)
    if given.wanted(out):
        if answers:
            raise UsageError("--answers is for a single output; annotate one file at a time, -o FILE.m2")
        from jperrant.annotation.shards import ShardSettings

        settings = ShardSettings(options, format.value, raw, batch_size, on_error is OnError.stop)
        annotate_folder([source, *(targets or [])], out, settings, given, jobs, quiet)
        return
    rejecting, rejected = on_error is OnError.reject, Rejected()
    if rejecting and out == STDIO:
        raise UsageError(
            "--on-error reject writes rejected records beside the output; give the output with -o"
        )
    noticed = Noticed()
    blocks = annotate_files(
        options,
        source,
        targets or [],
        format=format.value,
        raw=raw,
        jobs=jobs,
        batch=batch_size,
        reject=rejected.add if rejecting else None,
        noticed=noticed,
        answers=answers,
    )
    total = count_of(source, format.value, raw)
    inputs = [source, *(targets or []), *options.files()]
    outputs = [out, rejected_path(out)] if rejecting else [out]
    with open_outputs(outputs, inputs) as streams, progress("annotating", total, quiet) as advance:
        rejected.stream = streams[-1]
        write_m2(advance(noticed.watch(blocks)), streams[0])
    if rejecting:
        rejected.remove_if_empty(out)
    problems = noticed.problems(options, raw or format is Format.essays)
    say(
        [
            *noticed.answers,
            *notes(noticed.blockwise, noticed.recoded),
            *(f"{source}: {problem}" for problem in problems),
        ]
    )
    if rejected.count:
        verb = agree(rejected.count, "was", "were")
        say([f"{plural(rejected.count, 'record')} {verb} rejected; see {outputs[-1]}"])
        raise typer.Exit(1)
