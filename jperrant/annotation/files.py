"""Annotation of files: which reader a format needs, and what to check before work begins."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from jperrant.annotation.annotator import BATCH, Annotator
from jperrant.annotation.noticed import Noticed
from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.workers import annotate_stream
from jperrant.core.errors import UsageError, nearest
from jperrant.core.splitting import Splitting
from jperrant.core.token_mode import TokenMode
from jperrant.core.values import Block, Parallel
from jperrant.io.answers import AnswerFormat
from jperrant.io.cherrant import read_para, with_unsure
from jperrant.io.files import check_input, count_lines, is_regular
from jperrant.io.jsonl import read_jsonl
from jperrant.io.parallel import (
    read_answers_parallel,
    read_conllu_parallel,
    read_essays_parallel,
    read_lines_parallel,
    read_texts_parallel,
    read_tsv,
)
from jperrant.io.record_check import RecordCheck, Reject, Unannotated

_TEXTS = "texts"
_OTHER_LINES = "with --split-on=blank lines need not correspond"
FORMATS = ("lines", "tsv", "conllu", "jsonl", "essays", "cherrant")


def annotate_files(
    options: AnnotatorOptions,
    source: str,
    targets: Sequence[str] = (),
    *,
    format: str = "lines",
    raw: bool = False,
    jobs: int = 1,
    batch: int = BATCH,
    reject: Reject | None = None,
    noticed: Noticed | None = None,
    answers: str = "",
) -> tuple[Iterator[Block], int | None]:
    """Annotate files, ``-`` meaning standard input.

    Args:
        options: How to annotate. With ``tokens="words"`` the tokens of CoNLL-U are its syntactic words.
        source: The source text; for ``tsv``, ``jsonl`` and ``cherrant`` the one file that holds everything.
        targets: The corrected texts, one for each annotator; none for those formats.
        format: One of ``FORMATS``.
        raw: Take the texts as raw; not for ``conllu``, whose tokens are given. Essays always are. Lines are texts
            of their own, unless the options split texts where sentences go on in the next line: then a file is one.
        jobs, batch: As in ``annotate_stream``.
        reject: Takes the records that cannot be read or whose edits M2 cannot hold, with the error, and the others
            are annotated; None makes the first an error.
        noticed: Counts in what is read; the blocks are counted by whoever takes them.
        answers: How targets are read that language models wrote, as in :func:`jperrant.score`; for ``lines``.

    Returns:
        The blocks, as they are made, and their number where it is known beforehand.

    Raises:
        UsageError: Options that do not fit together.
        JperrantError: Whatever reading and annotating raise, while the blocks are made.
    """
    blocks = annotate_records(
        options,
        source,
        targets,
        format=format,
        raw=raw,
        jobs=jobs,
        batch=batch,
        reject=reject,
        noticed=noticed,
        answers=answers,
    )
    counted = not raw and format not in ("conllu", "essays") and is_regular(source)
    return blocks, count_lines(source) if counted else None


def annotate_records(
    options: AnnotatorOptions,
    source: str,
    targets: Sequence[str],
    *,
    format: str,
    raw: bool,
    batch: int,
    reject: Reject | None,
    jobs: int = 1,
    annotator: Annotator | None = None,
    noticed: Noticed | None = None,
    answers: str = "",
) -> Iterator[Block]:
    """Annotate files as :func:`annotate_files`, without counting what is to come.

    Args:
        annotator: One made of ``effective(options, format)``; None loads one.

    Raises:
        UsageError: Options that do not fit together.
        InputError: A file cannot be read; said before anything is loaded.
    """
    check_format(format, raw)
    if answers and format != "lines":
        raise UsageError(f"--answers is for files of lines, not --format={format}; remove one of them")
    for path in (source, *targets):
        check_input(path)
    effective_options = effective(options, format)
    words = effective_options != options
    raw = raw or format == "essays"
    format = _split_format(format, raw, options)
    unsure: deque[frozenset[int]] = deque()
    tokens_given = not raw and effective_options.tokens == TokenMode.GIVEN
    check = RecordCheck(reject, tokens_given, None if raw else deque())
    if answers:
        told = (noticed or Noticed()).answers.append
        form, texts = AnswerFormat.of(answers), format == _TEXTS
        other = _OTHER_LINES if raw else ""
        records = read_answers_parallel(source, targets, form, told, check, other, whole_texts=texts)
    else:
        records = _records(source, targets, format, unsure, check, words, raw)
    blocks = annotate_stream(
        effective_options,
        records if noticed is None else noticed.read(records),
        raw=raw,
        jobs=jobs,
        batch=batch,
        tolerant=reject is not None,
        annotator=annotator,
    )
    if format == "cherrant":
        blocks = _with_unsure(blocks, unsure)
    return check.blocks(blocks, one_each=not raw)


def check_format(format: str, raw: bool) -> None:
    """Check that a format is known, and that its texts can be raw if they are.

    Raises:
        UsageError: They are not.
    """
    if format not in FORMATS:
        raise UsageError(
            f"unknown format {format!r}{nearest(format, FORMATS)}; expected one of {', '.join(FORMATS)}"
        )
    if raw and format == "conllu":
        raise UsageError(
            "--raw and --format=conllu exclude each other: CoNLL-U gives the tokens; remove --raw"
        )
    if raw and format == "cherrant":
        raise UsageError(
            "--raw and --format=cherrant exclude each other: each row is one sentence; remove --raw"
        )


def _split_format(format: str, raw: bool, options: AnnotatorOptions) -> str:
    """Return the format that is read: where sentences may go on in the next line, a file is one text.

    Raises:
        UsageError: Texts that are not raw are to be split.
    """
    splitting = Splitting.from_name(options.split_on)
    if splitting is not Splitting.AUTO and not raw:
        raise UsageError("--split-on and --one-sentence-per-line need --raw; add it, or remove them")
    return _TEXTS if format == "lines" and splitting.joins_lines else format


def effective(options: AnnotatorOptions, format: str) -> AnnotatorOptions:
    """Return the options that hold for a format: CoNLL-U gives its words."""
    words = options.tokens == TokenMode.WORDS and format == "conllu"
    return replace(options, tokens=TokenMode.GIVEN) if words else options


def _with_unsure(
    blocks: Iterable[Block | Unannotated], unsure: deque[frozenset[int]]
) -> Iterator[Block | Unannotated]:
    """Mark those who could not tell, as ChERRANT's input says."""
    for block in blocks:
        marked = unsure.popleft()
        yield block if isinstance(block, Unannotated) else with_unsure(block, marked)


def _records(
    source: str,
    targets: Sequence[str],
    format: str,
    unsure: deque[frozenset[int]],
    check: RecordCheck,
    words: bool,
    raw: bool,
) -> Iterator[Parallel]:
    if format == "lines":
        return read_lines_parallel(source, targets, check, _OTHER_LINES if raw else "")
    if format == _TEXTS:
        return read_texts_parallel(source, targets, check)
    if format == "conllu":
        return read_conllu_parallel(source, targets, check, words)
    if format == "essays":
        return read_essays_parallel(source, targets, check)
    if targets:
        raise UsageError(
            f"found {len(targets) + 1} files, but a file of --format={format} holds sources and corrections; "
            "give one, or "
            "-o FOLDER/ to write an M2 file for each"
        )
    if format == "cherrant":
        return read_para(source, unsure.append, check)
    return read_tsv(source, check) if format == "tsv" else read_jsonl(source, check)
