"""``jperrant annotate``: sources and corrections in, M2 out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from jperrant.cli.groups import (
    TEXTS,
    Answers,
    BatchSize,
    Cluster,
    Dictionary,
    Jobs,
    Labels,
    Lang,
    Models,
    OnePerLine,
    Out,
    Pack,
    Quiet,
    Raw,
    RunHooks,
    SplitOn,
    option,
    switch,
    takes_groups,
)
from jperrant.cli.output import say
from jperrant.cli.progress import progress
from jperrant.core.text import TokenMode

if TYPE_CHECKING:
    from jperrant.annotation.shards import ShardSettings, ShardsResult

EDITS, SHARDS = "How edits are made", "Shards (-o FOLDER/)"
#: Names of failed shards that are printed.
_SHOWN = 20


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


MergeBy: TypeAlias = Annotated[
    Merge, option("--merge", help="Merge operations into edits by this strategy.", panel=EDITS)
]
Levenshtein: TypeAlias = Annotated[
    bool, switch("--lev", help="Align by plain Levenshtein distance.", panel=EDITS)
]
TokensAre: TypeAlias = Annotated[
    TokenMode,
    option(
        "--tokens",
        help="Take tokens as given, as words of the models or of CoNLL-U, or as single characters.",
        panel=TEXTS,
    ),
]


@dataclass(frozen=True)
class ShardOptions:
    """The options that only corpora in many files have."""

    resume: Annotated[
        bool, switch("--resume", help="Annotate only shards that are missing or have changed.", panel=SHARDS)
    ] = False
    force: Annotated[bool, switch("--force", help="Start over, whatever the folder holds.", panel=SHARDS)] = (
        False
    )
    cluster: Cluster = None

    def wanted(self, out: str) -> bool:
        """Return whether the output is a folder, for one M2 file a shard.

        Raises:
            UsageError: It is not, and there are options for that alone.
        """
        from jperrant.core.errors import UsageError
        from jperrant.io.files import names_folder

        if names_folder(out):
            return True
        given = {"--resume": self.resume, "--force": self.force, "--cluster": self.cluster}
        for name, value in given.items():
            if value:
                raise UsageError(f"{name} is for shards; give their folder with -o FOLDER/")
        return False


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("annotate")(takes_groups(annotate))


def annotate(
    shards: ShardOptions,
    source: Annotated[
        str, typer.Argument(help="The original text, or the TSV or JSON Lines file; - is stdin.")
    ],
    targets: Annotated[
        list[str] | None, typer.Argument(help="The corrected texts, one file for each annotator.")
    ] = None,
    out: Out = "-",
    lang: Lang = None,
    format: Annotated[
        Format,
        option("--format", "--input-format", help="Read the input in this format; M2 is what is written."),
    ] = Format.lines,
    raw: Raw = False,
    split_on: SplitOn = None,
    one_sentence_per_line: OnePerLine = False,
    answers: Answers = "",
    tokens: TokensAre = TokenMode.GIVEN,
    merge: MergeBy = Merge.rules,
    lev: Levenshtein = False,
    pack: Pack = None,
    models: Models = "compact",
    labels: Labels = "pack",
    lexicon: Annotated[
        str | None,
        option(
            "--lexicon", metavar="FILE", help="Tell SPELL by these words, one a line, or a .dic.", panel=TEXTS
        ),
    ] = None,
    dictionary: Dictionary = "auto",
    hooks: RunHooks = None,
    jobs: Jobs = 1,
    batch_size: BatchSize = 256,
    on_error: Annotated[
        OnError | None,
        option(
            "--on-error",
            help="Stop at a record that cannot be annotated, or write it to OUT.rejected and go on.",
            panel=SHARDS,
        ),
    ] = None,
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
    if shards.wanted(out):
        if answers:
            raise UsageError("--answers is for a single output; annotate one file at a time, -o FILE.m2")
        from jperrant.annotation.shards import ShardSettings

        settings = ShardSettings(options, format.value, raw, batch_size, on_error is OnError.stop)
        annotate_folder([source, *(targets or [])], out, settings, shards, jobs, quiet)
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


def annotate_folder(
    paths: Sequence[str], out: str, settings: ShardSettings, given: ShardOptions, jobs: int, quiet: bool
) -> None:
    """Annotate shards, and say what came of them; exit code 2 if one failed, 1 if records were set aside."""
    from jperrant.annotation.shards import annotate_shards, find_shards
    from jperrant.cluster.processes import crew_of
    from jperrant.core.errors import UsageError

    if given.resume and given.force:
        raise UsageError(
            "--resume and --force exclude each other: one keeps finished shards, the other replaces them; give "
            "only one"
        )
    shards = find_shards(paths, settings.format)
    with crew_of(given.cluster, jobs) as crew:
        result = annotate_shards(shards, out, settings, crew=crew, resume=given.resume, force=given.force)
    _tell(result, out, quiet)


def _tell(result: ShardsResult, out: str, quiet: bool) -> None:
    """Print what came of shards on stderr, and end with an exit code unless all is well."""
    from jperrant.annotation.shards import summary
    from jperrant.core.display import printable

    say(result.notes)
    failures = [
        reason if reason.startswith(f"{name}:") else f"{name}: {reason}"
        for name, reason in result.failed.items()
    ]
    for line in failures[:_SHOWN]:
        typer.echo(f"jperrant: {printable(line)}", err=True)
    if not quiet or failures or result.rejections:
        typer.echo(printable(f"{out}: {summary(result)}"), err=True)
    if failures:
        raise typer.Exit(2)
    if result.rejections:
        raise typer.Exit(1)
