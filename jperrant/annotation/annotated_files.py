"""Annotation of files and streams in several formats, by one process or several with the same output."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from jperrant.annotation.annotator import BATCH, Annotator, annotator_of
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.noticed import Noticed
from jperrant.core.errors import UsageError, check_known
from jperrant.core.text import Splitting, TokenMode
from jperrant.core.values import Block
from jperrant.io.files import check_input, is_regular, read_lines
from jperrant.io.parallel import (
    RecordCheck,
    in_step,
    read_conllu_parallel,
    read_essays_parallel,
    read_jsonl,
    read_lines_parallel,
    read_para,
    read_tsv,
)

#: The way to read files of lines whose sentences may continue on the next line: a whole file is one text.
_TEXTS = "texts"
_OTHER_LINES = "lines need not correspond with --split-on=blank"
_NEVER_RAW = {"conllu": "CoNLL-U gives the tokens", "cherrant": "each row is one sentence"}
#: The formats in which one file holds sources and corrections.
WHOLE = ("tsv", "jsonl", "cherrant")
FORMATS = ("lines", "conllu", "essays", *WHOLE)


def annotate_files(
    options: AnnotatorOptions,
    source: str,
    targets: Sequence[str] = (),
    *,
    format: str = "lines",
    raw: bool = False,
    jobs: int = 1,
    batch: int = BATCH,
    annotator: Annotator | None = None,
    noticed: Noticed | None = None,
    answers: str = "",
) -> Iterator[Block]:
    """Annotate files; ``-`` is standard input.

    Args:
        options: The options of the annotator. With ``tokens="words"`` the tokens of CoNLL-U are its syntactic
            words.
        source: The file of the source; for the formats ``WHOLE`` the one file with sources and corrections.
        targets: The files of corrections, one for each annotator; empty for the formats ``WHOLE``.
        format: One of ``FORMATS``.
        raw: Whether texts are raw; essays always are, and ``conllu`` never is. Each line is a text, unless the
            options let sentences continue in the next line; then a file is one text.
        jobs, batch: As in ``Annotator.annotate_many``.
        annotator: An annotator with ``effective(options, format)``; None loads one.
        noticed: Collects properties of the texts for warnings; the caller passes the blocks to it.
        answers: The format of targets that language models wrote, as in :func:`jperrant.score`; only for ``lines``.

    Returns:
        An iterator over the blocks.

    Raises:
        UsageError: Options are incompatible.
        InputError: A file cannot be read; raised before models are loaded.
        JperrantError: Reading or annotating fails; raised during iteration.
    """
    check_format(format, raw, options)
    if answers and format != "lines":
        raise UsageError(f"--answers is for files of lines, not --format={format}; remove one of them")
    if targets and format in WHOLE:
        raise UsageError(
            f"found {len(targets) + 1} files, but a file of --format={format} holds sources and corrections; "
            "give one, or -o FOLDER/ to write an M2 file for each"
        )
    for path in (source, *targets):
        check_input(path)
    raw, noticed = raw or format == "essays", noticed or Noticed()
    effective_options = effective(options, format)
    tokens_given = not raw and effective_options.tokens == TokenMode.GIVEN
    check, remedy = RecordCheck(tokens_given, None if raw else deque()), _OTHER_LINES if raw else ""
    whole_texts = format == "lines" and Splitting(options.split_on).joins_lines
    match format:
        case "lines":
            records = read_lines_parallel(
                source,
                targets,
                check,
                remedy,
                whole_texts=whole_texts,
                answers=answers,
                notes=noticed.answers,
            )
            records = in_step(records) if raw and not whole_texts else records
        case "conllu":
            records = read_conllu_parallel(source, targets, check, options.tokens == TokenMode.WORDS)
        case "essays":
            records = read_essays_parallel(source, targets, check)
        case "cherrant":
            records = read_para(source, check)
        case _:
            records = read_tsv(source, check) if format == "tsv" else read_jsonl(source, check)
    annotator = annotator or annotator_of(effective_options)
    blocks = annotator.annotate_many(noticed.read(records), raw=raw, batch=batch, jobs=jobs)
    return check.blocks(blocks)


def count_of(source: str, format: str, raw: bool) -> int | None:
    """Return the number of blocks that a file will give; None if it is unknown in advance."""
    counted = not raw and format not in ("conllu", "essays") and is_regular(source)
    return sum(1 for _ in read_lines(source)) if counted else None


def check_format(format: str, raw: bool, options: AnnotatorOptions) -> None:
    """Check that a format is known and compatible with raw texts and their splitting.

    Raises:
        UsageError: The format is unknown, cannot be raw, or texts that are not raw should be split.
    """
    check_known("format", format, FORMATS)
    if raw and (why := _NEVER_RAW.get(format)):
        raise UsageError(f"--raw and --format={format} exclude each other: {why}; remove --raw")
    if Splitting(options.split_on) is not Splitting.AUTO and not raw and format != "essays":
        raise UsageError("--split-on needs --raw; add --raw, or remove --split-on")


def effective(options: AnnotatorOptions, format: str) -> AnnotatorOptions:
    """Return the options for a format: CoNLL-U has given tokens, also with ``tokens="words"``."""
    words = options.tokens == TokenMode.WORDS and format == "conllu"
    return replace(options, tokens=TokenMode.GIVEN) if words else options
