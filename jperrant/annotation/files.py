"""Annotation of files and streams by one process or several; the output is the same."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from jperrant.annotation.annotator import BATCH, Annotator, Batch, batches, in_script, texts_of
from jperrant.annotation.noticed import Noticed
from jperrant.annotation.options import AnnotatorOptions
from jperrant.cluster.workers import Work, crew_here
from jperrant.core.errors import UsageError, nearest
from jperrant.core.text import Splitting, TokenMode
from jperrant.core.values import Block, Parallel
from jperrant.io.answers import AnswerFormat
from jperrant.io.cherrant import read_para, with_unsure
from jperrant.io.files import check_input, count_lines, is_regular
from jperrant.io.parallel import (
    in_step,
    read_answers_parallel,
    read_conllu_parallel,
    read_essays_parallel,
    read_jsonl,
    read_lines_parallel,
    read_texts_parallel,
    read_tsv,
)
from jperrant.io.records import RecordCheck
from jperrant.parse.analyser import Analyser
from jperrant.parse.cache import CachedParser
from jperrant.parse.splitting import SplittingParser


def annotate_stream(
    options: AnnotatorOptions,
    records: Iterable[Parallel],
    *,
    raw: bool = False,
    jobs: int = 1,
    batch: int = BATCH,
    annotator: Annotator | None = None,
) -> Iterator[Block]:
    """Yield one block for each record, in order, annotated by ``jobs`` processes.

    The processes end with the iterator: when it is exhausted or closed, when it raises, and when the process
    that runs it ends, however it does.

    Args:
        options: How to annotate.
        records: Sources and their corrections; read no further ahead than the processes need.
        raw: Take the texts as raw.
        jobs: Number of processes; the output does not depend on it.
        batch: Records annotated together.
        annotator: One made of these options; None loads one.

    Raises:
        UsageError: ``jobs`` or ``batch`` is not positive.
        WorkerError: Worker processes die over a batch, each time it is tried.
        JperrantError: As ``load`` and ``annotate_many``; the languages, packs and models are checked before
            the first record is read.
    """
    crew = crew_here(jobs)
    annotator = annotator or options.load()
    tasks = batches(in_script(annotator.pack, records, texts_of), batch)
    work = _BatchWork(options, raw, annotator if jobs == 1 else None)
    with closing(crew.outcomes(work, tasks, in_order=True)) as outcomes:
        for _, outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
            yield outcome


@dataclass
class _BatchWork(Work):
    """Annotates batches; a process has one, which keeps the annotator that it loads for the first.

    Attributes:
        options, raw, annotator: As in ``annotate_stream``.
    """

    options: AnnotatorOptions
    raw: bool
    annotator: Annotator | None = None

    def __call__(self, batch: Sequence[Parallel]) -> Iterator[Block]:
        """Yield the blocks of a batch.

        Raises:
            JperrantError: A record cannot be annotated.
        """
        self.annotator = self.annotator or load_beside_others(self.options)
        yield from list(Batch(self.annotator, batch, self.raw).blocks())


def load_beside_others(options: AnnotatorOptions) -> Annotator:
    """Return an annotator for a worker process: it uses one thread and gives no warnings."""
    with warnings.catch_warnings():  # the parent has said it
        warnings.simplefilter("ignore")
        annotator = options.load()
    parser = annotator.parser
    while isinstance(parser, CachedParser | SplittingParser):
        parser = parser.parser
    if isinstance(parser, Analyser):
        parser.use_one_thread()  # the processes share the cores
    return annotator


_TEXTS = "texts"
_OTHER_LINES = "with --split-on=blank lines need not correspond"
_NEVER_RAW = {"conllu": "CoNLL-U gives the tokens", "cherrant": "each row is one sentence"}
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
    annotator: Annotator | None = None,
    noticed: Noticed | None = None,
    answers: str = "",
) -> Iterator[Block]:
    """Annotate files, ``-`` meaning standard input.

    Args:
        options: How to annotate. With ``tokens="words"`` the tokens of CoNLL-U are its syntactic words.
        source: The source text; for ``tsv``, ``jsonl`` and ``cherrant`` the one file that holds everything.
        targets: The corrected texts, one for each annotator; none for those formats.
        format: One of ``FORMATS``.
        raw: Take the texts as raw; not for ``conllu``, whose tokens are given. Essays always are. Lines are texts
            of their own, unless the options split texts where sentences go on in the next line: then a file is one.
        jobs, batch: As in ``annotate_stream``.
        annotator: One made of ``effective(options, format)``; None loads one.
        noticed: Counts in what is read; the blocks are counted by whoever takes them.
        answers: How targets are read that language models wrote, as in :func:`jperrant.score`; for ``lines``.

    Returns:
        The blocks, as they are made.

    Raises:
        UsageError: Options that do not fit together.
        InputError: A file cannot be read; said before anything is loaded.
        JperrantError: Whatever reading and annotating raise, while the blocks are made.
    """
    check_format(format, raw)
    if answers and format != "lines":
        raise UsageError(f"--answers is for files of lines, not --format={format}; remove one of them")
    for path in (source, *targets):
        check_input(path)
    effective_options = effective(options, format)
    raw = raw or format == "essays"
    words, format = effective_options != options, _split_format(format, raw, options)
    unsure: deque[frozenset[int]] = deque()
    tokens_given = not raw and effective_options.tokens == TokenMode.GIVEN
    check = RecordCheck(tokens_given, None if raw else deque())
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
        annotator=annotator,
    )
    if format == "cherrant":
        blocks = _with_unsure(blocks, unsure)
    return check.blocks(blocks)


def count_of(source: str, format: str, raw: bool) -> int | None:
    """Return the number of blocks that annotating a file will give, where it is known beforehand."""
    counted = not raw and format not in ("conllu", "essays") and is_regular(source)
    return count_lines(source) if counted else None


def check_format(format: str, raw: bool) -> None:
    """Check that a format is known, and that its texts can be raw if they are.

    Raises:
        UsageError: They are not.
    """
    if format not in FORMATS:
        raise UsageError(
            f"unknown format {format!r}{nearest(format, FORMATS)}; expected one of {', '.join(FORMATS)}"
        )
    if raw and (why := _NEVER_RAW.get(format)):
        raise UsageError(f"--raw and --format={format} exclude each other: {why}; remove --raw")


def _split_format(format: str, raw: bool, options: AnnotatorOptions) -> str:
    """Return the format that is read: where sentences may go on in the next line, a file is one text.

    Raises:
        UsageError: Texts that are not raw are to be split.
    """
    splitting = Splitting(options.split_on)
    if splitting is not Splitting.AUTO and not raw:
        raise UsageError("--split-on and --one-sentence-per-line need --raw; add it, or remove them")
    return _TEXTS if format == "lines" and splitting.joins_lines else format


def effective(options: AnnotatorOptions, format: str) -> AnnotatorOptions:
    """Return the options that hold for a format: CoNLL-U gives its words."""
    words = options.tokens == TokenMode.WORDS and format == "conllu"
    return replace(options, tokens=TokenMode.GIVEN) if words else options


def _with_unsure(blocks: Iterable[Block], unsure: deque[frozenset[int]]) -> Iterator[Block]:
    """Mark those who could not tell, as ChERRANT's input says."""
    for block in blocks:
        yield with_unsure(block, unsure.popleft())


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
        records = read_lines_parallel(source, targets, check, _OTHER_LINES if raw else "")
        return in_step(records) if raw else records
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
