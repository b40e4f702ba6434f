"""Annotation of files: which reader a format needs, and what to check before work begins."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from jperrant.alignment.tokens import BLOCKWISE, is_blockwise
from jperrant.annotation.annotator import BATCH
from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.workers import annotate_stream
from jperrant.core.errors import UsageError, nearest
from jperrant.core.messages import agree, plural
from jperrant.core.raw_text import RunningText
from jperrant.core.splitting import Splitting
from jperrant.core.token_mode import TokenMode
from jperrant.core.values import Block, Parallel
from jperrant.io.cherrant import read_para, with_unsure
from jperrant.io.files import count_lines, is_regular
from jperrant.io.jsonl import read_jsonl
from jperrant.io.parallel import (
    read_conllu_parallel,
    read_essays_parallel,
    read_lines_parallel,
    read_texts_parallel,
    read_tsv,
)
from jperrant.io.record_check import RecordCheck, Reject

_TEXTS = "texts"
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

    Returns:
        The blocks, as they are made, and their number where it is known beforehand.

    Raises:
        UsageError: Options that do not fit together.
        JperrantError: Whatever reading and annotating raise, while the blocks are made.
    """
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r}{nearest(format, FORMATS)}; known: {', '.join(FORMATS)}")
    if raw and format == "conllu":
        raise UsageError("CoNLL-U gives the tokens, so --raw does not go with --format conllu")
    words = options.tokens == TokenMode.WORDS and format == "conllu"
    if words:  # CoNLL-U gives them
        options = replace(options, tokens=TokenMode.GIVEN)
    if raw and format == "cherrant":
        raise UsageError("each row of --format cherrant is one sentence, so --raw does not go with it")
    raw = raw or format == "essays"
    unsure: deque[frozenset[int]] = deque()
    if options.split_on != Splitting.AUTO and not raw:
        raise UsageError(
            "--split-on and --one-sentence-per-line are for raw text; add --raw, or leave them out"
        )
    if format == "lines" and Splitting.from_name(options.split_on).joins_lines:
        format = _TEXTS
    tokens_given = not raw and options.tokens == TokenMode.GIVEN
    check = RecordCheck(reject, tokens_given, None if raw else deque())
    records = _records(source, targets, format, unsure, check, words)
    blocks = annotate_stream(options, records, raw=raw, jobs=jobs, batch=batch)
    if format == "cherrant":
        blocks = (with_unsure(block, unsure.popleft()) for block in blocks)
    blocks = check.blocks(blocks, one_each=not raw)
    counted = not raw and format != "conllu" and is_regular(source)
    return blocks, count_lines(source) if counted else None


def count_blockwise(blocks: Iterable[Block], counts: Counter[str]) -> Iterator[Block]:
    """Pass blocks on and count those whose edits were found block by block."""
    for block in blocks:
        counts[BLOCKWISE] += is_blockwise(block)
        yield block


def watch_running_text(blocks: Iterable[Block], text: RunningText) -> Iterator[Block]:
    """Pass blocks on and count those whose tokens look like running text."""
    for block in blocks:
        text.add(block.source)
        yield block


def blockwise_note(counts: Counter[str]) -> list[str]:
    """Return what to say of the blocks that were counted: a line, or none."""
    if not (count := counts[BLOCKWISE]):
        return []
    return [
        f"{plural(count, 'sentence')} {agree(count, 'is', 'are')} too long to be aligned exactly; "
        "edits were found block by block (docs/errant.md, Long sentences)"
    ]


def _records(
    source: str,
    targets: Sequence[str],
    format: str,
    unsure: deque[frozenset[int]],
    check: RecordCheck,
    words: bool,
) -> Iterator[Parallel]:
    if format == "lines":
        return read_lines_parallel(source, targets, check)
    if format == _TEXTS:
        return read_texts_parallel(source, targets, check)
    if format == "conllu":
        return read_conllu_parallel(source, targets, check, words)
    if format == "essays":
        return read_essays_parallel(source, targets, check)
    if targets:
        raise UsageError(f"--format {format} takes one file that holds everything, found {len(targets) + 1}")
    if format == "cherrant":
        return read_para(source, unsure.append, check)
    return read_tsv(source, check) if format == "tsv" else read_jsonl(source, check)
