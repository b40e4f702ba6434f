"""The commands that extract edits from texts, align M2 files and find edits: ``annotate``, ``align``, ``find``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from jperrant.cli.groups import (
    ANALYSIS,
    ANSWERS,
    AT_ONCE,
    CLUSTER,
    DICTIONARY,
    HOOKS,
    JOBS,
    JSON,
    LABELS,
    LANG,
    LEVENSHTEIN,
    MERGE,
    MODELS,
    OUT,
    OUTPUT,
    PACK,
    PROCESSES,
    QUIET,
    RAW,
    SHORT_JSON,
    SPLIT_ON,
    STRICT,
    TEXTS,
    TOKENS,
    Merge,
    Several,
    argument,
    languages,
    option,
    switch,
)
from jperrant.cli.output import progress, say, show
from jperrant.core.text import TokenMode

if TYPE_CHECKING:
    from jperrant.annotation.shards import ShardsResult

SHARDS = "Shards (-o FOLDER/)"
WORDS = "Recognise SPELL by these correct words, one a line, or a .dic."
#: The most names of failed shards that are printed.
_SHOWN = 20


@dataclass(frozen=True)
class ShardOptions:
    """The options of corpora in many files (shards)."""

    resume: bool = switch("--resume", "Annotate only shards that are missing or have changed.", SHARDS)
    force: bool = switch("--force", "Annotate all shards again, finished ones too.", SHARDS)
    cluster: str | None = CLUSTER

    def wanted(self, out: str) -> bool:
        """Return whether the output is a folder, with one M2 file for each shard.

        Raises:
            UsageError: The output is a file, but an option for shards is given.
        """
        from jperrant.core.errors import UsageError
        from jperrant.io.files import names_folder

        if names_folder(out):
            return True
        for name in ("resume", "force", "cluster"):
            if getattr(self, name):
                raise UsageError(f"--{name} is for shards; give their folder with -o FOLDER/")
        return False


def annotate(
    shards: ShardOptions,
    source: str = argument("SOURCE", "The original text, or the TSV or JSON Lines file; - is stdin."),
    targets: Several = argument("TARGETS", "The corrected texts, one file for each annotator.", None),
    out: str = OUT,
    lang: str | None = LANG,
    format: Literal["lines", "tsv", "conllu", "jsonl", "essays", "cherrant"] = option(
        "lines", "--format --input-format", "Read the input in this format; the output is M2."
    ),
    raw: bool = RAW,
    split_on: str = SPLIT_ON,
    answers: str = ANSWERS,
    tokens: TokenMode = option(TokenMode.GIVEN, "--tokens", TOKENS, None, TEXTS),
    merge: Merge = MERGE,
    lev: bool = LEVENSHTEIN,
    pack: str | None = PACK,
    models: str = MODELS,
    labels: str = LABELS,
    lexicon: str | None = option(None, "--lexicon", WORDS, "FILE", TEXTS),
    dictionary: str = option("auto", "--dictionary", DICTIONARY, "NAME", TEXTS),
    hooks: bool | None = HOOKS,
    jobs: int = JOBS,
    batch_size: int = option(256, "--batch-size", AT_ONCE, "N", PROCESSES),
    quiet: bool = QUIET,
) -> None:
    """Align texts with their corrections and write typed edits as M2.

    One sentence a line and tokens separated by spaces, unless --raw or --format say otherwise:

    jperrant annotate original.txt corrected0.txt corrected1.txt --lang en -o edits.m2

    Corpora in many files, each of which becomes an M2 file of its own:

    jperrant annotate SHARDS/* --format tsv -o OUT/ --jobs 8
    """
    from jperrant.annotation.annotated_files import annotate_files, count_of
    from jperrant.annotation.annotator_options import AnnotatorOptions
    from jperrant.annotation.noticed import Noticed
    from jperrant.core.errors import UsageError
    from jperrant.io.files import open_output
    from jperrant.io.m2 import write_m2
    from jperrant.parse.models import NONE

    if format == "conllu":
        models = NONE  # the analysis is given
    options = AnnotatorOptions(
        lang, models, pack, merge, lev, labels, tokens, lexicon, hooks, dictionary, split_on
    )
    if shards.wanted(out):
        if answers:
            raise UsageError("--answers is for a single output; annotate one file at a time, -o FILE.m2")
        from jperrant.annotation.shards import ShardWork, annotate_shards  # with pydantic
        from jperrant.cluster.workers import crew_of

        work = ShardWork(options, Path(out), format, raw, batch_size)
        paths = [source, *(targets or [])]
        with crew_of(shards.cluster, jobs) as crew:
            result = annotate_shards(paths, work, crew, resume=shards.resume, force=shards.force)
        _tell(result, out, quiet)
        return
    noticed = Noticed()
    blocks = annotate_files(
        options,
        source,
        targets or [],
        format=format,
        raw=raw,
        jobs=jobs,
        batch=batch_size,
        noticed=noticed,
        answers=answers,
    )
    total = count_of(source, format, raw)
    inputs = [source, *(targets or []), *options.files()]
    with open_output(out, inputs) as stream, progress("annotating", total, quiet) as advance:
        write_m2(advance(noticed.watch(blocks)), stream)
    problems = [f"{source}: {one}" for one in noticed.problems(options, raw or format == "essays")]
    say([*noticed.answers, *problems])


def _tell(result: ShardsResult, out: str, quiet: bool) -> None:
    """Print the outcome of shards on stderr; exit with a code if any failed."""
    from jperrant.core.display import printable

    say(result.notes)
    failures = [
        reason if reason.startswith(f"{name}:") else f"{name}: {reason}"
        for name, reason in result.failed.items()
    ]
    for line in failures[:_SHOWN]:
        typer.echo(f"jperrant: {printable(line)}", err=True)
    if not quiet or failures:
        typer.echo(printable(f"{out}: {result}"), err=True)
    if failures:
        raise typer.Exit(2)


def align(
    hypothesis: str = argument("HYP.m2", "M2 file of the system; - is stdin."),
    references: str = argument("REF.m2", "M2 file of the references."),
    out: str = option(..., "--out -o", "Write both files to this folder; it is created if missing.", "DIR"),
    method: str = option("jp", "--method", "Align by jp, or by lengths of sentences.", "jp|gale-church"),
    json: bool = JSON,
    strict: bool = STRICT,
    quiet: bool = QUIET,
) -> None:
    """Re-segment and re-index two M2 files over one text, so that they have the same blocks.

    Both files go to the folder under their own names.

    Example: jperrant align system.m2 gold.m2 -o aligned
    """
    from jperrant.evaluation.aligning import align_files, output_paths
    from jperrant.reporting.m2_reports import alignment_json, alignment_summary

    targets = output_paths(hypothesis, references, Path(out))
    with progress("aligning", None, quiet) as advance:
        aligned, notes = align_files(hypothesis, references, targets, method, strict=strict, watch=advance)
    say(notes)
    report = alignment_json if json else alignment_summary
    show(report(aligned, method, *map(str, targets)))


def find(
    corpus: list[str] = argument("CORPUS...", "An M2 file, or CoNLL-U of the source and of its corrections."),
    when: str = option("{}", "--when -w", "Find what meets these conditions, written as in a pack's rules."),
    types: Several = option(
        None, "--type -t", "Find only a type, category or pattern (R:SPELL, DET, R:VERB*); repeatable."
    ),
    part: Literal["edits", "source", "target"] = option(
        "edits", "--in", "Search the edits, or single tokens of the source or target sentences."
    ),
    lang: str = option("generic", "--lang -l", LANG.help, "CODE", complete=languages),
    pack: str | None = PACK,
    models: str = option("none", "--models", ANALYSIS, "NAME", TEXTS),
    dictionary: str = option("none", "--dictionary", DICTIONARY, "NAME", TEXTS),
    hooks: bool | None = HOOKS,
    format: str | None = option(
        None, "--format", "Write text, counts, tsv, csv, json, m2, md, latex or html.", "NAME", OUTPUT
    ),
    json: bool = SHORT_JSON,
    context: int = option(6, "--context", "Show N tokens on each side.", "N", OUTPUT, min=0),
    out: str = OUT,
    quiet: bool = QUIET,
) -> None:
    """Find edits by the conditions of the rule language, and show them in context.

    jperrant find learner.conllu corrected.conllu -w '{both: {upos: DET}, feats_changed: {any: Gender}}'
    """
    from jperrant.annotation.annotator_options import AnnotatorOptions
    from jperrant.annotation.find import search
    from jperrant.core.tables import format_of
    from jperrant.io.files import open_output
    from jperrant.reporting.concordance import FORMATS, check_concordance, write_matches

    format = format_of(format, out, json=json, known=FORMATS)
    check_concordance(format, part)
    options = AnnotatorOptions(lang, models, pack, dictionary=dictionary, hooks=hooks)
    inputs = [*corpus, *options.files()]
    matches = search(corpus, when, types or (), part, options)
    with open_output(out, inputs) as stream, progress("searching", None, quiet) as advance:
        write_matches(advance(matches), stream, format, context)
