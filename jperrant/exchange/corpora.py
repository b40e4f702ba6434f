"""Learner corpora in formats of their own, which are read and not written.

``cows-l2h``: text with ``[wrong]{right}<tag>`` (Davidson et al. 2020, "Developing NLP Tools with a New Corpus of
Learner Spanish"). ``rlc-gec``: CSV with quoted fragments and their corrections (RLC-GEC, RLC-Test; the Russian
Learner Corpus). ``nucle``: SGML with offsets in paragraphs, of NUCLE and the CoNLL tasks (Dahlmeier et al. 2013,
"Building a Large Annotated Corpus of Learner English"). ``cged``: XML with offsets of errors (NLPTEA's shared tasks
on Chinese Grammatical Error Diagnosis).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from jperrant.alignment.tokens import Operation, align_tokens
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.text import sentence_of
from jperrant.core.values import Sentence
from jperrant.exchange.base import Findings, Mark, MarkedText, Region
from jperrant.exchange.inline import JOINER, InlineText, placed_texts, type_of
from jperrant.exchange.offsets import TokenOffsets
from jperrant.exchange.reading import read_text
from jperrant.exchange.tool import ToolFormat, input_files
from jperrant.exchange.xml_tree import Element, parse_xml

_INNER = r"\[[^][{}<>]*\]\{[^][{}<>]*\}(?:<[^<>]*>)?"
#: What is wrong, with whole marks in it; what is right; the tag.
_COWS = re.compile(
    rf"\[((?:[^][{{}}<>]|{_INNER})*)\](?: ?\{{((?:[^][{{}}<>]|{_INNER})*)\}})?(?: ?<([^<>]*)>)?"
)
_COWS_NAME = re.compile(r"(.+?)(?:(?:GN|AP)[A-Z]{2})?(?:\.(annotated.*))?\.txt")


@dataclass(frozen=True)
class CowsFormat(ToolFormat):
    """The annotations of COWS-L2H; those of one essay by several people are one document."""

    name = "cows-l2h"
    description = "COWS-L2H: Spanish essays with [wrong]{right}<tag>"
    files = "a folder of .txt files, whose names or folders say 'annotated'"
    can_write = False

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the essays of a file, or of the folders of the corpus."""
        essays: list[MarkedText] = []
        sources: dict[str, list[str]] = {}
        for file in input_files(path, ".txt", findings, deep=True):
            if file == path or "annotated" in file.removeprefix(path):
                with findings.noting():
                    text = _cows(file)
                    if sources.setdefault(text.document, text.text.split()) != text.text.split():
                        remark = "the text differs from that of another annotator, a document of its own"
                        name = f"{text.document} ({text.annotator})"
                        text = replace(text, document=name, remarks=(*text.remarks, remark))
                    essays.append(text)
        yield from placed_texts(essays, "raw")


def _cows(file: str) -> MarkedText:
    """Return an essay with its marks.

    Raises:
        FormatError: A bracket is outside of marks; names the line.
    """
    place = Path(file)
    name = _COWS_NAME.fullmatch(place.name)
    document, annotator = (name[1], name[2]) if name else (place.stem, None)
    if annotator is None:  # annotated/TARGET/ANNOTATOR/essay.txt
        annotator = "-".join(place.parent.parts[-2:])
    text = InlineText(file)
    _cows_text(text, read_text(file).rstrip(), 1)
    return text.built(document, annotator)


def _cows_text(text: InlineText, content: str, line: int) -> None:
    position = 0
    for match in [*_COWS.finditer(content), None]:
        between = content[position : match.start() if match else len(content)]
        if stray := re.search(r"[][{}<>]", between):
            number = line + content.count("\n", 0, position + stray.start())
            shown = shorten(between[max(0, stray.start() - 20) :])
            raise FormatError(text.file, number, f"found {shown}, expected [wrong]{{right}}<tag>")
        text.add(between)
        if match is None:
            return
        position = match.end()
        number = line + content.count("\n", 0, match.start())
        _cows_mark(text, match, number)


def _cows_mark(text: InlineText, match: re.Match[str], line: int) -> None:
    index, start = len(text.marks), text.length
    _cows_text(text, match[1], line)
    if match[2] is None and match[3] is None:
        text.remarks.append("brackets without a correction and a tag, left out")
        return
    corrections = None
    if match[2] is not None:  # it corrects what the marks inside it correct
        text.remarks += ["a mark inside another that has a correction, left out"] * (len(text.marks) - index)
        del text.marks[index:]
        corrections = (_COWS.sub(lambda inner: inner[2] if inner[2] is not None else inner[1], match[2]),)
    text.mark(start, (match[3] or "").strip(), corrections, line, index=index)


_SENTENCES = "sentences.csv"
_RLC_TOKEN = re.compile(r"\w+(?:-\w+)*|[^\w\s]")


@dataclass(frozen=True)
class RlcFormat(ToolFormat):
    """The tables of RLC-GEC: ``rlc_test.csv``, or ``sentences.csv`` with ``annotations.csv`` beside it."""

    name = "rlc-gec"
    description = "RLC-GEC: Russian sentences and edits in CSV"
    files = "rlc_test.csv, or sentences.csv and annotations.csv in one folder"
    can_write = False

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the sentences of a table."""
        place = Path(path) / _SENTENCES if Path(path).is_dir() else Path(path)
        rows = list(_table(str(place)))
        if rows and "text_orig" in rows[0]:
            for number, (source, group) in enumerate(groupby(rows, key=lambda row: row["text_orig"])):
                edits = list(group)
                with findings.noting():
                    yield _rlc(str(place), place.stem, number, source, edits[0]["text_cor"], edits)
            return
        edits_of: dict[str, list[Mapping[str, str]]] = {}
        for row in _table(str(place.with_name("annotations.csv"))):
            edits_of.setdefault(row["sentence_id"], []).append(row)
        numbers: dict[str, int] = {}
        for row in rows:
            numbers[row["document_id"]] = number = numbers.get(row["document_id"], -1) + 1
            edits = edits_of.get(row["id"], [])
            with findings.noting():
                yield _rlc(str(place), row["document_id"], number, row["text"], row["corrected"], edits)


def _table(path: str) -> Iterator[Mapping[str, str]]:
    """Yield the rows of a CSV file.

    Raises:
        FormatError: A column is missing; names the line.
    """
    rows = csv.DictReader(io.StringIO(read_text(path)))
    needed = (
        {"quote", "correction", "tag"}
        if "sentences" not in path
        else {"id", "document_id", "text", "corrected"}
    )
    if missing := needed - set(rows.fieldnames or ()):
        raise FormatError(
            path, 1, f"found no column {', '.join(sorted(missing))}; expected a table of RLC-GEC"
        )
    for row in rows:
        if None in row.values():
            raise FormatError(path, rows.line_num, "found a row with fewer columns than the first")
        yield row


def _rlc(
    file: str, document: str, number: int, source: str, target: str, edits: Iterable[Mapping[str, str]]
) -> MarkedText:
    """Return a sentence with its edits.

    Raises:
        FormatError: A quote is not in the sentence.
    """
    text, marks, position = " ".join(source.split("\n")), list[Mark](), 0
    starts = [match.start() for match in _RLC_TOKEN.finditer(text)]
    for edit in edits:
        quote = edit["quote"]
        begin = position
        if (token := edit.get("start", "")).isdecimal():
            begin = max(0, starts[min(int(token), len(starts) - 1)] - len(quote)) if starts else 0
        start = text.find(quote, begin)
        start = start if start >= 0 else text.find(quote)
        if start < 0:
            problem = f"sentence {number + 1} of {document}: {shorten(quote)} is not in {shorten(text)}"
            raise FormatError(file, None, problem)
        position = start + len(quote)
        marks.append(Mark(start, position, edit["tag"], (edit["correction"],), f"edit {len(marks) + 1}"))
    marked = MarkedText(file, document, "0", text, sentence=number, marks=tuple(marks))
    if _applied(text, marks) == target.split():
        return next(placed_texts([marked], "raw"))
    line = TokenOffsets.of(text)
    labels = [(*line.tokens(mark.start, mark.end, None)[:2], mark.type) for mark in marks]
    regions = []
    for begin, end, type_, correction in labelled_changes(sentence_of(text), sentence_of(target), labels):
        stretch = line.stretch(begin, end)
        regions.append(Region(stretch.start, stretch.end, type_, correction))
    remark = "the edits do not make the corrected sentence of the corpus, which was compared for its changes"
    return replace(marked, marks=(), regions=tuple(regions), remarks=(remark,))


def _applied(text: str, marks: Iterable[Mark]) -> list[str] | None:
    """Return the tokens of a text with its marks corrected; None where they overlap."""
    parts, end = list[str](), 0
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        if mark.start < end:
            return None
        parts += [text[end : mark.start], *(mark.corrections or ())]
        end = mark.end
    return "".join([*parts, text[end:]]).split()


_DOC = re.compile(r"<DOC\b([^>]*)>(.*?)</DOC>", re.DOTALL)
_PARAGRAPH = re.compile(r"<(?:TITLE|P)>\n?(.*?)\n?(?=</?(?:TITLE|P|TEXT)>)", re.DOTALL)
_ANNOTATION = re.compile(r"<ANNOTATION\b([^>]*)>(.*?)</ANNOTATION>", re.DOTALL)
_MISTAKE = re.compile(r"<MISTAKE\b([^>]*)>(.*?)</MISTAKE>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


@dataclass(frozen=True)
class NucleFormat(ToolFormat):
    """The SGML of NUCLE and of the CoNLL shared tasks: titles and paragraphs are lines."""

    name = "nucle"
    description = "NUCLE and CoNLL-2013/2014: SGML with offsets in paragraphs"
    files = "a file .sgml, or a folder of them"
    can_write = False

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the essays of a file, each as often as it has annotators."""
        for file in input_files(path, ".sgml", findings):
            content = read_text(file)
            if not _DOC.search(content):
                with findings.noting():
                    raise FormatError(file, None, 'found no <DOC nid="…">, expected the SGML of NUCLE')
            for essay in _DOC.finditer(content):
                line = content.count("\n", 0, essay.start()) + 1
                with findings.noting():
                    yield from placed_texts(list(_nucle(file, line, essay[1], essay[2])), "raw")


def _nucle(file: str, line: int, head: str, content: str) -> Iterator[MarkedText]:
    """Yield an essay by each annotator.

    Raises:
        FormatError: A mistake lies outside of its paragraph, or is not complete; names the line of the essay.
    """
    paragraphs = [match[1].replace("\n", " ") for match in _PARAGRAPH.finditer(content)]
    begins = [0]
    for paragraph in paragraphs:
        begins.append(begins[-1] + len(paragraph) + 1)
    text = MarkedText(
        file, dict(_ATTRIBUTE.findall(head)).get("nid", f"line{line}"), "", "\n".join(paragraphs)
    )
    annotations = list(_ANNOTATION.finditer(content))
    if not annotations:
        yield text
    for annotation in annotations:
        marks = []
        for number, mistake in enumerate(_MISTAKE.finditer(annotation[2]), start=1):
            places = dict(_ATTRIBUTE.findall(mistake[1]))
            fields = dict(re.findall(r"<(TYPE|CORRECTION)>\n?(.*?)\n?</\1>", mistake[2], re.DOTALL))
            try:
                ends = [(int(places[f"{end}_par"]), int(places[f"{end}_off"])) for end in ("start", "end")]
                if not all(
                    0 <= par < len(paragraphs) and 0 <= off <= len(paragraphs[par]) for par, off in ends
                ):
                    raise FormatError(
                        file, line, f"mistake {number} lies outside of its paragraph: {mistake[1]}"
                    )
                start, end = [begins[par] + off for par, off in ends]
                type_ = fields["TYPE"]
            except (KeyError, ValueError) as error:
                raise FormatError(file, line, f"mistake {number} is not complete ({error!r})") from None
            corrections = (fields["CORRECTION"],) if "CORRECTION" in fields else ("",)
            marks.append(Mark(start, end, type_, corrections, f"mistake {number}"))
        annotator = dict(_ATTRIBUTE.findall(annotation[1])).get("teacher_id", "0")
        yield replace(text, annotator=annotator, marks=tuple(marks))


@dataclass(frozen=True)
class CgedFormat(ToolFormat):
    """The XML of CGED: a unit is a document, each character a token."""

    name = "cged"
    description = "CGED: Chinese units with offsets of errors, in XML"
    files = "a file .xml, or a folder of them"
    can_write = False

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the units of a file."""
        for file in input_files(path, ".xml", findings):
            with findings.noting():
                # Units often stand in a file without an element around them.
                content = re.sub(r"\A\s*<\?xml[^>]*\?>", "", read_text(file))
                root = parse_xml(f"<all>{content}</all>", file)
                for number, unit in enumerate(root.descendants("DOC"), start=1):
                    with findings.noting():
                        yield _cged(file, number, unit)


def _cged(file: str, number: int, unit: Element) -> MarkedText:
    """Return a unit; an error without a change in ``<CORRECTION>`` is only marked.

    Raises:
        FormatError: There is no text, or an error lies outside of it; names the line.
    """
    texts = unit.elements("TEXT")
    source = "".join(_characters(texts[0])) if texts else ""
    if not source:
        raise FormatError(file, unit.line, "found no text in <TEXT>, expected a unit of CGED")
    errors = []
    for error in unit.elements("ERROR"):
        try:
            start, end = int(error.attributes["start_off"]) - 1, int(error.attributes["end_off"])
            type_ = error.attributes["type"]
        except (KeyError, ValueError) as problem:
            raise FormatError(file, error.line, f"found an error without {problem}") from None
        if not 0 <= start < end <= len(source) + (type_ == "M"):
            problem_ = f"found an error at {start + 1} to {end}, outside the text of {len(source)} characters"
            raise FormatError(file, error.line, problem_)
        errors.append((start, start if type_ == "M" else end, type_))
    corrected = unit.elements("CORRECTION")
    text = sentence_of(" ".join(source))
    target = sentence_of(" ".join(_characters(corrected[0]))) if corrected else None
    regions = []
    for start, end, type_, correction in labelled_changes(text, target, errors):
        begin = min(2 * start, 2 * len(source) - 1)  # characters stand apart
        # What is redundant is taken out, where no correction says otherwise.
        field = "" if type_ == "R" and target is None else correction
        regions.append(Region(begin, 2 * end - 1 if end > start else begin, type_, field))
    document = texts[0].attributes.get("id") or f"{Path(file).stem}-{number}"
    return MarkedText(file, document, "0", " ".join(source), tuple(regions))


def _characters(element: Element) -> str:
    return "".join("".join([part for part in element.content if isinstance(part, str)]).split())


#: Start, end and type of a stretch of tokens.
Label = tuple[int, int, str]


def labelled_changes(
    source: Sentence, target: Sentence | None, labels: Sequence[Label], target_labels: Sequence[Label] = ()
) -> Iterator[tuple[int, int, str, str | None]]:
    """Yield what changes between a sentence and its correction, with the labels of the tokens it touches.

    Changes that share a label are one.

    Args:
        source: The sentence.
        target: Its correction; without one labels only mark errors.
        labels: Those of the sentence; one without tokens is of what is put in there.
        target_labels: Those of the correction.

    Yields:
        Start, end, type and correction; None where an error is only marked.
    """
    if target is None:
        yield from ((*label, None) for label in labels)
        return
    runs: list[tuple[list[Operation], dict[tuple[str, Label], None]]] = []
    before: dict[tuple[str, Label], None] = {}
    for op in align_tokens(source, target).operations:
        is_equal = source.forms[op.start : op.end] == target.forms[op.target_start : op.target_end]
        own = {("", label): None for label in labels if _meets(label, op.start, op.end, is_equal)}
        own |= {("t", x): None for x in target_labels if _meets(x, op.target_start, op.target_end, is_equal)}
        if own.keys() & before.keys():
            runs[-1][0].append(op)
            runs[-1][1].update(own)
        elif own or not is_equal:
            runs.append(([op], own))
        before = own
    for run, own in runs:
        start, end = run[0].start, run[-1].end
        covered = source.forms[start:end]
        corrected = target.forms[run[0].target_start : run[-1].target_end]
        text = None if covered == corrected else " ".join(corrected)
        types = dict.fromkeys([name for _, label in own for name in label[2].split(JOINER)])
        yield start, end, JOINER.join(types) or type_of(" ".join(covered), text), text
    for label in labels:
        if all(("", label) not in own for _, own in runs):
            yield *label, None


def _meets(label: Label, start: int, end: int, is_equal: bool) -> bool:
    """Whether a label is of tokens that an operation has; one without tokens of a change that reaches it."""
    if label[0] == label[1]:
        return not is_equal and start <= label[0] <= end
    return max(label[0], start) < min(label[1], end)
