"""Edits in the last column of CoNLL-U, on the token where they begin.

Ours: ``Edit=R:SPELL|Correction=grammatical``; ``EditSpan=2-4`` for several tokens, ``EditSpan=before`` or
``after`` for an insertion beside the token; without ``Correction`` an error is only marked; a second edit of a
token has ``Edit2`` and so on. Values are escaped as in UDPipe's ``SpacesAfter``: ``\\s`` is a space, ``\\p`` a
bar, ``\\\\`` a backslash.

Of others are read: ``CorrectForm`` of English-EWT (``_`` for a word that goes, ``goeswith`` for one word in
pieces) and
``CorrectionLabels`` of Swedish-SweLL (``O;M-Gend``; ``O:2`` goes on from the token before). SweLL's corrections
are in a file of their own, sentence by sentence: ``target=FILE``; without it labels are marks without a correction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from jperrant.core.conllu import DEPREL, FORM, ID, LEMMA, MISC, UPOS, Row, conllu_sentences
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.messages import plural
from jperrant.core.option import option
from jperrant.core.values import SEPARATOR, Block, Edit, Sentence, Token
from jperrant.exchange.base import MarkedText, Region
from jperrant.exchange.inline import JOINER, type_of
from jperrant.exchange.labels import Label, labelled_changes
from jperrant.exchange.offsets import TokenOffsets, correction_text
from jperrant.exchange.side_file import Document
from jperrant.exchange.tool import AnnotatorFiles, edits_of
from jperrant.io.files import read_lines
from jperrant.io.m2 import bounded_int

LABELS = "CorrectionLabels"
_NOTE = "Edit="


@dataclass(frozen=True, slots=True)
class MiscRow:
    """A word of a CoNLL-U file, and its values of the last column.

    Attributes:
        line: Its line.
        number: Which word it is, from 1 on; 0 stands for a sentence without words, whose edits are in a comment.
        form, lemma, upos, deprel: Its columns.
        misc: The values by key.
    """

    line: int
    number: int
    form: str
    lemma: str = ""
    upos: str = ""
    deprel: str = ""
    misc: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MiscSentence:
    """The words of a sentence; or the comment of one without words."""

    rows: tuple[MiscRow, ...]
    comment: MiscRow | None = None


def read_misc(path: str) -> Iterator[MiscSentence]:
    """Yield the sentences of a CoNLL-U file: words, neither multi-word tokens nor empty nodes.

    Raises:
        FormatError: A line has not ten columns, or a form or an ID is wrong; names file and line.
        InputError: The file cannot be read.
    """
    for sentence in conllu_sentences(read_lines(path), path):
        lines = zip(sentence.lines, sentence.rows, strict=True)
        rows = [_row(row, path, line) for line, row in lines if "-" not in row[ID]]
        notes = [
            MiscRow(n, 0, "", misc=_values(text)) for n, text in sentence.comments if text.startswith(_NOTE)
        ]
        yield MiscSentence(tuple(rows), notes[-1] if notes else None)


def _row(row: Row, path: str, line: int) -> MiscRow:
    form, misc = row[FORM], row[MISC]
    if len(form.split()) != 1 or form != form.strip() or SEPARATOR in form:
        raise FormatError(path, line, f"found the form {form!r}, expected text without white space and '|||'")
    values = {} if misc == "_" else _values(misc)
    return MiscRow(line, int(row[ID]), form, row[LEMMA], row[UPOS], row[DEPREL], values)


def _values(misc: str) -> dict[str, str]:
    return {key: value for key, _, value in (part.partition("=") for part in misc.split("|"))}


def _labels(sentence: MiscSentence) -> list[Label]:
    """Return start, end and type of each labelled stretch; ``:2`` goes on from the token before."""
    found: list[Label] = []
    for row in sentence.rows:
        if not (value := row.misc.get(LABELS)):
            continue
        labels = [label.partition(":") for label in value.split(";")]
        names = [name for name, _, _ in labels]
        goes_on = any(number not in ("", "1") for _, _, number in labels)
        if goes_on and found and found[-1][1] == row.number - 1:
            start, _, before = found[-1]
            found[-1] = (start, row.number, JOINER.join(dict.fromkeys([*before.split(JOINER), *names])))
        else:
            found.append((row.number - 1, row.number, JOINER.join(names)))
    return found


def _sentence(sentence: MiscSentence) -> Sentence:
    tokens = [Token(row.form, row.lemma, row.upos) for row in sentence.rows]
    return Sentence(tuple(tokens), " ".join([row.form for row in sentence.rows]))


EDIT, CORRECTION, SPAN = "Edit", "Correction", "EditSpan"
_BEFORE, _AFTER = "before", "after"
_EMPTY = "_\t" * 7


@dataclass(frozen=True)
class ConlluFormat(AnnotatorFiles):
    """Edits in the MISC column of CoNLL-U."""

    name = "conllu"
    description = "MISC of CoNLL-U: Edit=, Correction=; CorrectForm= (EWT), CorrectionLabels= (SweLL)"
    files = "a folder: DOC.aN.conllu for each document and annotator"
    ending = ".conllu"
    input_options = ("target",)

    target: str = option("", "CoNLL-U file of the corrected sentences, for CorrectionLabels.")

    def lines(self, document: Document, annotator: int) -> Iterator[str]:
        """Yield the lines of a file."""
        for k, annotation in edits_of(document, annotator):
            block = document.blocks[k]
            misc = _misc(block, annotation.edits)
            yield f"# sent_id = {document.name}-{k + 1}\n# text = {' '.join(block.source)}\n"
            if 0 in misc:
                yield f"# {misc[0]}\n"
            for number, token in enumerate(block.source, start=1):
                yield f"{number}\t{token}\t{_EMPTY}{misc.get(number, '_')}\n"
            yield "\n"

    def text_of(self, file: str, document: str, annotator: str) -> MarkedText:
        """Return the text of a file."""
        sentences = list(read_misc(file))
        targets = list(read_misc(self.target)) if self.target else []
        if targets and len(targets) != len(sentences):
            problem = f"found {plural(len(targets), 'sentence')}, expected {len(sentences)} as in {file}"
            raise FormatError(self.target, None, problem)
        reader = _Reader(file)
        for k, sentence in enumerate(sentences):
            reader.sentence(sentence, targets[k] if targets else None)
        return MarkedText(file, document, annotator, "\n".join(reader.lines), tuple(reader.regions))


def _misc(block: Block, edits: tuple[Edit, ...]) -> dict[int, str]:
    """Return the last column by the number of the token; 0 is a sentence without tokens."""
    values: dict[int, list[str]] = {}
    count: dict[int, int] = {}
    for edit in edits:
        number = min(edit.start + 1, len(block.source))
        count[number] = count.get(number, 0) + 1
        suffix = str(count[number]) if count[number] > 1 else ""
        fields = {EDIT: edit.type, CORRECTION: correction_text(edit), SPAN: _span(edit, number)}
        values.setdefault(number, []).extend(
            [f"{key}{suffix}={escaped(value)}" for key, value in fields.items() if value is not None]
        )
    return {number: "|".join(parts) for number, parts in values.items()}


def _span(edit: Edit, number: int) -> str | None:
    if edit.start == edit.end:
        return _BEFORE if edit.start < number else _AFTER
    return None if edit.end == edit.start + 1 else f"{edit.start + 1}-{edit.end}"


def escaped(value: str) -> str:
    r"""Return a value of MISC without spaces and bars.

    >>> escaped("a b|")
    'a\\sb\\p'
    """
    return value.replace("\\", "\\\\").replace(" ", "\\s").replace("|", "\\p")


def unescaped(value: str) -> str:
    r"""Return what a value of MISC stands for.

    >>> unescaped("a\\sb\\p")
    'a b|'
    """
    characters, rest = [], iter(value)
    for character in rest:
        if character == "\\":
            following = next(rest, "")
            character = {"s": " ", "p": "|", "\\": "\\"}.get(following, f"\\{following}")
        characters.append(character)
    return "".join(characters)


class _Reader:
    """Reads the sentences of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: list[str] = []
        self.regions: list[Region] = []
        self.base = 0

    def sentence(self, sentence: MiscSentence, target: MiscSentence | None) -> None:
        """Read a sentence."""
        text = " ".join([row.form for row in sentence.rows])
        offsets = TokenOffsets.of(text)
        for row in sentence.rows:
            self._ours(row, len(sentence.rows), offsets)
            self._correct_form(row, sentence, offsets)
        if sentence.comment is not None and not sentence.rows:
            self._ours(sentence.comment, 0, offsets)
        labels = _labels(sentence)
        corrected, others = (_sentence(target), _labels(target)) if target else (None, [])
        for start, end, type_, correction in labelled_changes(_sentence(sentence), corrected, labels, others):
            line = sentence.rows[min(start, len(sentence.rows) - 1)].line if sentence.rows else 0
            self._add(offsets, start, end, type_, correction, line)
        self.lines.append(text)
        self.base += len(text) + 1

    def _ours(self, row: MiscRow, length: int, offsets: TokenOffsets) -> None:
        """Read the edits in our keys."""
        for key, value in row.misc.items():
            suffix = key.removeprefix(EDIT)
            if not key.startswith(EDIT) or (suffix and not suffix.isdecimal()):
                continue
            start, end = self._span(row, row.misc.get(f"{SPAN}{suffix}"), length)
            correction = row.misc.get(f"{CORRECTION}{suffix}")
            field = None if correction is None else unescaped(correction)
            self._add(offsets, start, end, unescaped(value), field, row.line)

    def _span(self, row: MiscRow, span: str | None, length: int) -> tuple[int, int]:
        """Return the tokens of an edit."""
        if span is None and row.number:
            return row.number - 1, row.number
        if span in (_BEFORE, _AFTER):
            place = row.number - (span == _BEFORE and row.number > 0)
            return place, place
        first, _, last = (span or "").partition("-")
        end = bounded_int(last) if last.isdecimal() else 0
        if first == str(row.number) and 1 <= row.number <= end <= length:
            return row.number - 1, end
        expected = f"{row.number}-N with N up to {length}, before, or after"
        raise FormatError(self.file, row.line, f"{SPAN}={shorten(span or '')}, expected {expected}")

    def _correct_form(self, row: MiscRow, sentence: MiscSentence, offsets: TokenOffsets) -> None:
        """Read English-EWT's key; the pieces of a word belong to its first."""
        form = row.misc.get("CorrectForm")
        if form is None or row.deprel == "goeswith":
            return
        end = row.number
        while end < len(sentence.rows) and sentence.rows[end].deprel == "goeswith":
            end += 1
        correction = "" if form == "_" else unescaped(form)
        covered = " ".join(offsets.forms[row.number - 1 : end])
        self._add(offsets, row.number - 1, end, type_of(covered, correction), correction, row.line)

    def _add(
        self, offsets: TokenOffsets, start: int, end: int, type_: str, correction: str | None, line: int
    ) -> None:
        begin, finish = offsets.stretch(start, end)
        region = Region(self.base + begin, self.base + finish, type_, correction, f"line {line}")
        self.regions.append(region)
