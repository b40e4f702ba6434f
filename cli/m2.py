"""The commands for M2 files: the group ``m2``, and ``review``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from jperrant.cli.groups import (
    AT_ONCE,
    CI,
    HOOKS,
    JSON,
    LABELS,
    LANG,
    LEVENSHTEIN,
    MERGE,
    MODELS,
    NAMES,
    OUT,
    PACK,
    PROCESSES,
    QUIET,
    SPEC,
    STRICT,
    TEXTS,
    TITLE,
    TOKENS,
    Merge,
    Output,
    Several,
    argument,
    convertible,
    listed,
    option,
    switch,
)
from jperrant.cli.output import say, show
from jperrant.core.text import TokenMode

if TYPE_CHECKING:
    from jperrant.core.values import Block
    from jperrant.m2tools.check import Finding

TOOLS = "Files of annotation tools"
FILE = argument("FILE.m2", "The M2 file; - is stdin.")
IN_OUT = "The file to read, and the file to write; - is stdin or stdout. Tools have folders or several files."
FROM = "Read IN in this format, such as cherrant or brat; by default the file extension decides."
TO = "Write OUT in this format, such as text:annotator=1; by default the file extension decides."
UNREADABLE = "If texts of a corpus cannot be read, name them and stop, or skip them."


def review(
    file: str = FILE,
    out: str = OUT,
    lang: str | None = LANG,
    pack: str | None = PACK,
    adjudicate: bool = switch("--adjudicate", "Merge the versions of several annotators into one."),
    blind: bool = switch("--blind", "Show nobody's edits, so that each person annotates alone."),
    title: str = TITLE,
    strict: bool = STRICT,
) -> None:
    """Write a page on which people accept, reject and change edits; jperrant m2 convert reads what they save.

    jperrant review gold.m2 --lang en -o review.html

    jperrant m2 convert gold.Anna.review.json gold.reviewed.m2 --from review
    """
    from jperrant.cli.output import input_paths
    from jperrant.io.files import check_outputs
    from jperrant.reporting.html.page import check_page
    from jperrant.reporting.html.review import review as make_review

    inputs = input_paths(file, pack=pack)
    check_outputs([out], inputs)
    check_page(out)
    how: dict[str, Any] = {"adjudicate": adjudicate, "blind": blind, "title": title, "strict": strict}
    page = make_review(file, lang=lang, pack=pack, **how)
    say(page.notes)
    page.save(out, inputs)


def check(
    files: list[str] = argument("FILE.m2...", "The M2 files; - is stdin."),
    lang: str | None = LANG,
    pack: str | None = PACK,
    labels: str = LABELS,
    content: bool = switch("--content", "Check edits, not only the format, as --lang, --pack and --fix do."),
    allow: Several = option(None, "--allow", "Leave out findings of this kind; repeatable.", "KIND"),
    fix: bool = switch("--fix", "Write the file to --out with the safe fixes applied."),
    out: str = OUT,
    json: bool = JSON,
    _quiet: bool = QUIET,
) -> None:
    """List every problem, with file and line; exit code 1 if there are problems besides warnings.

    Without options these are the deviations from the M2 format.

    jperrant m2 check anna.m2 ben.m2 --lang en
    """
    from jperrant.core.display import printable
    from jperrant.core.errors import UsageError
    from jperrant.io.files import check_stdin, open_output
    from jperrant.io.m2 import write_m2
    from jperrant.m2tools.check import ContentCheck, Fixes, check_codes, check_m2, fix_m2, labels_of_pack
    from jperrant.reporting.m2_reports import findings_json, fixes_lines

    if labels != "pack" and lang is None and pack is None:
        raise UsageError("--labels chooses labels of a pack; give the pack with --lang or --pack")
    if not fix and out != "-":
        raise UsageError("--out is for --fix; findings go to stdout")
    known = labels_of_pack(lang or "", pack, labels) if lang or pack else None
    left_out = check_codes(allow or ())
    if not fix:
        check_stdin(files)
        looks = content or known is not None
        every = (check_m2(file, ContentCheck(file, known, left_out) if looks else None) for file in files)
        found: Iterable[Finding] = (one for part in every for one in part if one.code not in left_out)
        failed = False
        with open_output("-") as stream:
            if json:
                found = list(found)
                stream.write(findings_json(files, found))
            for finding in found:
                failed |= not finding.is_warning
                if not json:
                    stream.write(f"{finding}\n")
        raise typer.Exit(1 if failed else 0)
    if len(files) > 1:
        raise UsageError(f"found {len(files)} files, but --fix writes one; run it once for each")
    if json and out == "-":
        raise UsageError("--json and the fixed file both go to stdout; give the fixed file a name with --out")
    fixes = Fixes()
    with open_output(out, files) as stream:
        write_m2(fix_m2(files[0], known, fixes, left_out), stream)
    left = [finding for finding in fixes.left if finding.code not in left_out]
    if json:
        show(findings_json(files, left, fixes))
    for line in () if json else fixes_lines(left, fixes):
        typer.echo(printable(line), err=True)
    raise typer.Exit(1 if any(not finding.is_warning for finding in left) else 0)


def stats(
    output: Output,
    files: list[str] = argument("FILE.m2...", "The parts of a corpus; - is stdin."),
    lang: str | None = LANG,
    pack: str | None = PACK,
    ci: bool = CI,
    strict: bool = STRICT,
    _quiet: bool = QUIET,
) -> None:
    """Count sentences, tokens and edits, by annotator and type, and say how far annotators agree.

    jperrant m2 stats train.m2 test.m2 --lang en --format md -o statement.md
    """
    from jperrant.io.files import check_outputs, check_stdin
    from jperrant.m2tools.stats import corpus_stats
    from jperrant.packs.read import pack_keys
    from jperrant.reporting.m2_reports import format_stats

    kind, out = output.kind(), output.out
    check_stdin(files)
    check_outputs([out], files)
    labels = pack_keys(lang or "", pack).labels if lang or pack else None
    notes: list[str] = []
    counted = [corpus_stats(file, _samples() if ci else 0, strict, notes) for file in files]
    say(notes)
    show(format_stats(counted, kind, labels), out, files)


def _samples() -> int:
    from jperrant.evaluation.statistics.significance import SAMPLES

    return SAMPLES["bootstrap"]


def convert(
    paths: Several = argument("IN... OUT", IN_OUT, None),
    source: str = option("", "--from", FROM, SPEC, complete=convertible),
    target: str = option("", "--to", TO, SPEC, complete=convertible),
    list_: bool = switch("--list", "List the formats; with --to FORMAT, show the options of one."),
    lang: str | None = LANG,
    pack: str | None = PACK,
    sentences: int | None = option(None, "--sentences", "Write N sentences to each document.", "N", TOOLS),
    side: str | None = option(
        None, "--side", "Read this side file, not the one beside the first IN.", "FILE", TOOLS
    ),
    annotator: Several = option(
        None,
        "--annotator",
        "Give an annotator of the tool this number in M2; repeatable.",
        "NAME=NUMBER",
        TOOLS,
    ),
    complete: bool = switch(
        "--complete",
        "Take sentences without marks as correct: every annotator read all sentences of their files.",
        TOOLS,
    ),
    on_error: Literal["stop", "skip"] = option("stop", "--on-error", UNREADABLE, None, TOOLS),
    strict: bool = STRICT,
    _quiet: bool = QUIET,
) -> None:
    """Convert between M2, plain text, ChERRANT's and KAGAS's M2, and the files of annotation tools.

    Annotations that nobody changes in a tool come back byte for byte.

    jperrant m2 convert gold.m2 gold.txt --to text:annotator=1

    jperrant m2 convert gold.m2 gold-brat --to brat --lang en

    jperrant m2 convert gold-brat gold.reviewed.m2 --from brat
    """
    from jperrant.core.errors import UsageError
    from jperrant.m2tools.convert import annotator_numbers, convert_m2

    if list_:
        from jperrant.reporting.listings import format_convertible

        show(format_convertible(target.partition(":")[0]))
        return
    if not paths or len(paths) < 2:
        raise UsageError("give the file to read and, after it, the file to write; - is stdin or stdout")
    *inputs, out = paths
    if len(inputs) > 1 and Path(out).exists():
        raise UsageError(f"{out} exists; the last path is the file to write, which must be new after several")
    done = convert_m2(
        inputs, out, source, target, lang=lang, pack=pack, strict=strict, sentences=sentences,
        side=side, annotators=annotator_numbers(annotator or []), complete=complete, on_error=on_error,
    )  # fmt: skip
    say(done.notes)


def retype(
    file: str = FILE,
    auto: bool = switch("--auto", "Extract the edits again from the source and the corrected text."),
    gold: bool = switch("--gold", "Keep the edits; minimise and type them."),
    out: str = OUT,
    lang: str | None = LANG,
    no_min: bool = switch("--no-min", "Do not cut edits down to what they change (--gold)."),
    old_types: bool = switch("--old-types", "Keep the types (with --auto only of detection edits)."),
    lev: bool = LEVENSHTEIN,
    merge: Merge = MERGE,
    tokens: TokenMode = option(TokenMode.GIVEN, "--tokens", TOKENS, None, TEXTS),
    pack: str | None = PACK,
    models: str = MODELS,
    labels: str = LABELS,
    hooks: bool | None = HOOKS,
    batch_size: int = option(128, "--batch-size", AT_ONCE, "N", PROCESSES),
    strict: bool = STRICT,
    _quiet: bool = QUIET,
) -> None:
    """Reclassify edits, as errant_m2 does.

    jperrant m2 retype old.m2 --gold --lang en -o new.m2
    """
    from jperrant.annotation.annotator_options import AnnotatorOptions
    from jperrant.core.progress import track
    from jperrant.io.files import open_output
    from jperrant.io.m2 import write_m2
    from jperrant.m2tools.retype import retype_m2

    options = AnnotatorOptions(lang, models, pack, merge, lev, labels, tokens, hooks=hooks)
    which = {"auto": auto, "gold": gold, "minimal": not no_min, "old_types": old_types}
    with _read(file, strict) as blocks, open_output(out, [file, *options.files()]) as stream:
        typed = retype_m2(blocks, options, **which, file=file, batch=batch_size)
        write_m2(track(typed, "typing (sentences)"), stream)


def merge(
    files: list[str] = argument("FILE.m2...", "M2 files of the same sentences."),
    out: str = OUT,
    strict: bool = STRICT,
    _quiet: bool = QUIET,
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
    file: str = FILE,
    out: str = option(
        ..., "--out -o", "Write to this folder, or to names with {} for the annotator's number."
    ),
    strict: bool = STRICT,
    _quiet: bool = QUIET,
) -> None:
    """Write one file for each annotator."""
    from jperrant.m2tools.merge import split_m2

    with _read(file, strict) as blocks:
        split_m2(blocks, out, file)


def adjudicate(
    files: list[str] = argument("FILE.m2...", "A file for each annotator, or one with several."),
    out: str = OUT,
    open: str | None = option(None, "--open", "Write the undecided sentences to this file.", "FILE"),
    decisions: Several = option(
        None, "--decisions", "Take decided sentences from this file; repeatable.", "FILE"
    ),
    majority: bool = switch("--majority", "Take the edits that most annotators have, of three or more."),
    prefer: str | None = option(None, "--prefer", "Use this version if nothing else decides.", "NAME"),
    names: str = NAMES,
    strict: bool = STRICT,
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
    """Yield the blocks of a file; afterwards report the deviations from M2 that were tolerated."""
    from jperrant.core.progress import track
    from jperrant.io.m2 import FormatDeviations, read_m2

    deviations = FormatDeviations(strict)
    yield track(read_m2(file, strict, deviations), f"reading {file} (sentences)")
    say([summary] if (summary := deviations.summary(file)) else [])
