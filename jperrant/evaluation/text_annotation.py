"""From plain texts to blocks: systems and references are annotated, equal texts only once."""

from __future__ import annotations

import io
import json
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.display import shown
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.packages import versions_of
from jperrant.core.progress import track
from jperrant.core.text import Splitting, sentence_of
from jperrant.core.values import Block, Parallel
from jperrant.core.version import VERSION
from jperrant.io.files import ended, read_lines
from jperrant.io.m2 import FormatDeviations, parse_m2, read_m2, write_m2
from jperrant.io.recognise import Kind, recognise, refuse

if TYPE_CHECKING:
    from jperrant.annotation.annotator import Annotator
    from jperrant.core.store import Store

#: The lines of a text.
Lines: TypeAlias = tuple[str, ...]
#: The kind of annotations in the store.
_KIND = "annotations"
#: The mean similarity of lines to the source, from 0 to 1, below which a text is refused as its correction.
UNRELATED = 0.35
#: The number of lines that are compared for this.
COMPARED = 200
#: The formats that are refused as texts. (JSON Lines and columns can be answers of language models.)
NO_TEXTS = frozenset([Kind.CONLLU, Kind.ESSAYS, Kind.XML, Kind.HTML])


@dataclass(frozen=True, slots=True)
class TextOptions:
    """The options for annotating texts.

    Attributes:
        annotator: The options of the annotator: language, models and others.
        raw: Whether texts are not tokenised, so that the models split them into sentences and tokens.
        cache: The folder that keeps annotations between runs; empty for none.
        answers: The format of the output of language models, as in :func:`jperrant.io.answers.read_answers`; empty
            for one sentence per line.
    """

    annotator: AnnotatorOptions = field(default_factory=AnnotatorOptions)
    raw: bool = False
    cache: str = ""
    answers: str = ""

    def __post_init__(self) -> None:
        if self.answers:
            from jperrant.io.answers import check_form

            check_form(self.answers)
        if self.annotator.split_on != Splitting.AUTO and not self.raw:
            raise UsageError("--split-on needs --raw; add --raw, or remove --split-on")


@dataclass(frozen=True, slots=True)
class Text:
    """One text.

    Attributes:
        name: The name of the text in messages: its path or its role.
        lines: The sentences of the text, or the lines of a raw text; in memory, or read again at each iteration.
    """

    name: str
    lines: Collection[str]


def text_of(
    given: object, name: str, source: Text | None = None, answers: str = "", *, whole: bool = True
) -> Text:
    """Return a text without blank lines at its end, except those that match lines of the source.

    Args:
        given: The path of a file, or sentences.
        name: The name of sentences in messages.
        source: The source of a correction; None for the source itself.
        answers: The format of the output of a language model, as in :class:`TextOptions`.
        whole: Whether to read the text now; if not, it must be a regular file.

    Raises:
        InputError: The file cannot be read or is empty, or ``given`` is not a list of sentences.
        FormatError: The file is not UTF-8 (names the line), or lacks the fields of answers.
    """
    least = len(source.lines) if source else 0
    if isinstance(given, str | PathLike):
        name = fspath(given)
        lines: Collection[str] = tuple(read_lines(name)) if whole else FileLines(name, least)
        _require_text(name, lines)
    else:
        lines = _sentences(given, name)
        if source is None:
            return Text(name, lines)
    if answers and source:
        from jperrant.io.answers import read_answers  # not needed for M2

        lines, _ = read_answers(answers, name, tuple(lines), tuple(source.lines))
    return Text(name, tuple(ended(lines, least)) if whole else lines)


def read_text(path: str) -> Lines:
    """Return the lines of a text file.

    Raises:
        InputError: The file cannot be read, or is empty.
        FormatError: The file is not UTF-8; names file and line.
    """
    lines = tuple(read_lines(path))
    _require_text(path, lines)
    return lines


def _require_text(path: str, lines: Iterable[str]) -> None:
    """Check that a file has lines of text.

    Raises:
        InputError: All lines are blank.
        FormatError: The file is in a format that is refused as text.
    """
    kind = recognise(lines)
    if kind is Kind.EMPTY:
        raise InputError(f"{path}: found no text, expected one sentence per line")
    refuse(path, kind, NO_TEXTS)


def _sentences(given: Any, name: str) -> Lines:
    lines = tuple(given)
    if not lines:
        raise InputError(f"{name}: found no sentences, expected a list of strings")
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str):
            raise InputError(
                f"{name}: sentence {number} (counted from 1) is {shown(line)}, expected a string"
            )
    return lines


class FileLines(Collection[str]):
    """The lines of a text, read from the file at each iteration, without blank lines at the end.

    Args:
        path: The file.
        least: The number of lines up to which blank lines at the end are kept.
    """

    def __init__(self, path: str, least: int = 0) -> None:
        self.path, self._least = path, least

    @cached_property
    def _count(self) -> int:
        return sum(1 for _ in self)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return ended(read_lines(self.path), self._least)

    def __contains__(self, line: object) -> bool:
        return any(own == line for own in self)


class SourceLines(FileLines):
    """The sources of an M2 file as lines, read from the file at each iteration."""

    def __iter__(self) -> Iterator[str]:
        # Deviations are reported where the blocks themselves are read.
        return map(source_line, read_m2(self.path, deviations=FormatDeviations()))


def source_line(block: Block) -> str:
    """Return the source of a block as a line."""
    return " ".join(block.source)


class TextAnnotator:
    """Annotates texts, or reads their annotations from the cache; models are loaded on first use.

    Args:
        options: The options. Cached annotations depend on them and on the contents of the pack and models.

    Raises:
        InputError: The folder of the cache is unusable.
        JperrantError: The pack or the models cannot be found.
    """

    def __init__(self, options: TextOptions) -> None:
        self.options = options
        self._store: Store | None = None
        if options.cache:
            from jperrant.core.store import Store  # with SQLite and OpenSSL

            self._store = Store(Path(options.cache) / "annotations.sqlite")
            self._signature = _signature(options)
            self._store.put(_KIND, {})  # reports an unusable folder before work begins

    def blocks(self, source: Lines, texts: Sequence[Lines]) -> list[tuple[Block, ...]]:
        """Return the blocks of several corrections, each with one annotator and independent of the others.

        Args:
            source: The lines of the source.
            texts: The lines of each text, as many as those of the source unless raw.
        """
        return self._found([(source, lines) for lines in texts]) if source else [()] * len(texts)

    def together(self, source: Lines, texts: Sequence[Lines]) -> tuple[Block, ...]:
        """Return the blocks of several raw references, as annotators 0, 1 … over the same sentences."""
        return self._found([(source, *texts)])[0]

    def _found(self, entries: Sequence[tuple[Lines, ...]]) -> list[tuple[Block, ...]]:
        """Return the blocks of sources with corrections, cached or newly annotated, each distinct one once."""
        found = {entry: blocks for entry in dict.fromkeys(entries) if (blocks := self._kept(entry))}
        if missing := [entry for entry in dict.fromkeys(entries) if entry not in found]:
            for entry, blocks in zip(missing, self._annotated(missing), strict=True):
                found[entry] = blocks
                self._keep(entry, blocks)
        return [found[entry] for entry in entries]

    def _kept(self, entry: tuple[Lines, ...]) -> tuple[Block, ...] | None:
        body = self._store.get(_KIND, self._key(entry)) if self._store else None
        if body is None:
            return None
        lines = body.decode("utf-8", "surrogatepass").split("\n")[:-1]
        return tuple(parse_m2(lines, _KIND, FormatDeviations(strict=True)))

    def _keep(self, entry: tuple[Lines, ...], blocks: tuple[Block, ...]) -> None:
        if self._store:
            body = io.StringIO()
            write_m2(blocks, body)
            self._store.put(_KIND, {self._key(entry): body.getvalue().encode("utf-8", "surrogatepass")})

    def _key(self, entry: tuple[Lines, ...]) -> str:
        from hashlib import sha256  # with OpenSSL, a tenth of the start of a command that keeps nothing

        return sha256(json.dumps([self._signature, *entry]).encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def _annotator(self) -> Annotator:
        from jperrant.annotation.annotator import annotator_of  # with the rule language

        # The warning about a missing language is among those of the scores.
        return annotator_of(replace(self.options.annotator, lang=self.options.annotator.language))

    def _annotated(self, entries: Sequence[tuple[Lines, ...]]) -> list[tuple[Block, ...]]:
        """Return the blocks of several corrections of the same source, annotated in one pass unless raw."""
        if self.options.raw:
            return [self._annotate(*entry) for entry in entries]
        blocks = self._annotate(entries[0][0], *(lines for _, lines in entries))
        return [tuple([_of_one(block, n) for block in blocks]) for n in range(len(entries))]

    def _annotate(self, *columns: Lines) -> tuple[Block, ...]:
        """Return the blocks of a source (first column) and its corrections, as annotators 0, 1 …"""
        raw = self.options.raw
        joined = raw and Splitting(self.options.annotator.split_on).joins_lines
        if joined or len({len(column) for column in columns}) > 1:  # raw texts whose lines are not parallel
            columns = tuple([("\n".join(column),) for column in columns])
        elif raw:
            columns = tuple(_in_step(columns))
        records = [
            Parallel(sentence_of(source), tuple([sentence_of(line) for line in lines]))
            for source, *lines in zip(*columns, strict=True)
        ]
        blocks = self._annotator.annotate_many(records, raw=raw)
        return tuple(track(blocks, "annotating", None if raw else len(records)))


def _signature(options: TextOptions) -> str:
    """Return everything that annotations depend on besides the texts, as JSON."""
    from jperrant.annotation.fingerprint import fingerprint, packages  # with the rule language

    annotator = replace(options.annotator, lang=options.annotator.language)
    return json.dumps(
        [
            *(VERSION, asdict(annotator), options.raw),
            *fingerprint(options.annotator),
            versions_of(packages(options.annotator)),
        ],
        sort_keys=True,
    )


def check_correction(text: Text, source: Text, raw: bool = False) -> None:
    """Check that a text looks like a correction of its source.

    Args:
        text, source: The two texts; they need not be in memory.
        raw: Whether the text is raw, so that its lines need not match those of the source.

    Raises:
        InputError: The text has columns, another number of lines than the source, or is too different from it.
    """
    from jperrant.io.answers import check_columns, why_lines_differ  # not needed for M2

    check_columns(text.name, source.lines, text.lines)
    ours, theirs = len(text.lines), len(source.lines)
    if ours != theirs:
        if raw:
            return
        why = why_lines_differ(source.lines, text.lines, "add --raw to align them")
        raise InputError(
            f"{text.name}: found {plural(ours, 'line')}, expected the {theirs} of {source.name}, as one line is "
            f"one sentence{f': {why}' if why else ''}"
        )
    both = [source.lines, text.lines]
    if raw:
        both = [*_in_step([*map(tuple, both)])]
    if (pairs := sum(1 for _ in _filled(*both))) < 3:
        return
    step = max(1, pairs // COMPARED)
    sample = [_similarity(one, other) for one, other in islice(_filled(*both), 0, None, step)]
    if (mean := sum(sample) / len(sample)) < UNRELATED:
        raise InputError(
            f"{text.name}: found lines unlike those of {source.name} (mean similarity {mean:.2f}), "
            "expected a corrected version of it; is it another text or "
            "language, or in another order? If it is correct, make M2 from it with 'jperrant annotate'"
        )


def _in_step(columns: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the lines of raw texts in equal numbers; lines are joined until they are parallel."""
    from jperrant.io.parallel import joined_lines  # imports rapidfuzz, not needed for M2

    return list(zip(*joined_lines(columns), strict=True))


def _filled(source: Collection[str], lines: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of lines that are both not blank."""
    for pair in zip(source, lines, strict=True):
        if pair[0].strip() and pair[1].strip():
            yield pair


def _similarity(one: str, other: str) -> float:
    """Return the similarity of two lines, from 0 to 1, by words, or by characters if there are few spaces."""
    from rapidfuzz.distance import Indel

    # A text in another Unicode normal form is still a correction of its source.
    one, other = (unicodedata.normalize("NFC", line) for line in (one, other))
    words = one.split(), other.split()
    spaced = len(words[0]) > 2 and len(one) < 12 * len(words[0])
    return Indel.normalized_similarity(*words) if spaced else Indel.normalized_similarity(one, other)


def _of_one(block: Block, annotator: int) -> Block:
    """Return a block with only one of its annotators, as annotator 0."""
    return replace(block, annotations=(replace(block.annotations[annotator], annotator=0),))
