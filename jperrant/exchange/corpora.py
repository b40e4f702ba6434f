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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import accumulate, count, groupby
from pathlib import Path

from pydantic import BaseModel

from jperrant.alignment.tokens import Operation, align_tokens
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.text import sentence_of
from jperrant.core.values import Sentence
from jperrant.exchange.collect import Findings, on_tokens
from jperrant.exchange.formats import ToolFormat
from jperrant.exchange.inline import InlineText
from jperrant.exchange.marks import JOINER, MarkedText, Region, TokenOffsets, type_of
from jperrant.exchange.reading import Element, checked_model, parse_xml, read_text
from jperrant.io.m2 import bounded_int

_INNER = r"\[[^][{}<>]*\]\{[^][{}<>]*\}(?:<[^<>]*>)?"
#: The wrong text, with complete marks inside; the right text; the tag.
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
    ending, deep = ".txt", True
    can_write = False

    def inputs(self, path: str, findings: Findings) -> list[str]:
        """Return a file, or the files of the corpus's folders of annotations."""
        files = super().inputs(path, findings)
        return [file for file in files if file == path or "annotated" in file.removeprefix(path)]

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the essay of a file."""
        place = Path(file)
        name = _COWS_NAME.fullmatch(place.name)
        document, annotator = (name[1], name[2]) if name else (place.stem, None)
        if annotator is None:  # annotated/TARGET/ANNOTATOR/essay.txt
            annotator = "-".join(place.parent.parts[-2:]) or "0"
        text = InlineText(file)
        _cows_text(text, read_text(file).rstrip(), 1)
        yield [text.built(document, annotator)]

    def read_texts(self, path: str, findings: Findings) -> list[MarkedText]:
        """Return the essays; a text that differs between annotators becomes two documents."""
        texts, sources = list[MarkedText](), dict[str, list[str]]()
        for text in super().read_texts(path, findings):
            own = text.text.split()
            if sources.setdefault(text.document, own) != own:
                remark = "the text differs from that of another annotator, read as a separate document"
                name = f"{text.document} ({text.annotator})"
                text = replace(text, document=name, remarks=(*text.remarks, remark))
            texts.append(text)
        return texts


def _cows_text(text: InlineText, content: str, line: int) -> None:
    position = 0
    for match in [*_COWS.finditer(content), None]:
        between = content[position : match.start() if match else len(content)]
        for stray in re.finditer(r"[][{}<>]", between):
            number = line + content.count("\n", 0, position + stray.start())
            shown = shorten(between[max(0, stray.start() - 20) :])
            text.bad.append((number, f"found {shown}, expected [wrong]{{right}}<tag>"))
        text.add(between)
        if match is None:
            return
        position = match.end()
        number = line + content.count("\n", 0, match.start())
        _cows_mark(text, match, number)


def _cows_mark(text: InlineText, match: re.Match[str], line: int) -> None:
    begin = text.here()
    _cows_text(text, match[1], line)
    if match[2] is None and match[3] is None:
        text.remarks.append("brackets without a correction and a tag, left out")
        return
    corrections = None
    if match[2] is not None:
        corrections = [_COWS.sub(lambda inner: inner[2] if inner[2] is not None else inner[1], match[2])]
    text.mark(begin, (match[3] or "").strip(), corrections, line, corrects_all=True)


_RLC_TOKEN = re.compile(r"\w+(?:-\w+)*|[^\w\s]")


@dataclass(frozen=True)
class RlcFormat(ToolFormat):
    """The tables of RLC-GEC: ``rlc_test.csv``, or ``sentences.csv`` with ``annotations.csv`` beside it."""

    name = "rlc-gec"
    description = "RLC-GEC: Russian sentences and edits in CSV"
    files = "rlc_test.csv, or sentences.csv and annotations.csv in one folder"
    can_write = False

    def inputs(self, path: str, findings: Findings) -> list[str]:  # noqa: ARG002
        """Return the table of sentences."""
        return [str(Path(path) / "sentences.csv") if Path(path).is_dir() else path]

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the sentences of a table."""
        place = Path(file)
        sentences: list[tuple[str, str, str, list[dict[str, str]]]] = []
        if place.name == "sentences.csv":
            edits_of = defaultdict[str, list[dict[str, str]]](list)
            for row in _table(str(place.with_name("annotations.csv")), {"sentence_id", *_EDIT}):
                edits_of[row["sentence_id"]].append(row)
            for row in _table(file, {"id", "document_id", "text", "corrected"}):
                sentences.append((row["document_id"], row["text"], row["corrected"], edits_of[row["id"]]))
        else:
            table = _table(file, {"text_orig", "text_cor", *_EDIT})
            for source, group in groupby(table, key=lambda row: row["text_orig"]):
                edits = list(group)
                sentences.append((place.stem, source, edits[0]["text_cor"], edits))
        numbers = defaultdict[str, Iterator[int]](count)
        for document, source, target, edits in sentences:
            line = source.replace("\n", " ")
            text = MarkedText(file, document, "0", line, sentence=next(numbers[document]))
            yield _rlc(text, target, edits)


_EDIT = ("quote", "correction", "tag")


def _table(path: str, needed: Set[str]) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file.

    Raises:
        FormatError: A column is missing, or it is not CSV; names the line.
    """
    rows = csv.DictReader(io.StringIO(read_text(path)))
    try:
        if missing := needed - set(rows.fieldnames or ()):
            problem = f"found no column {', '.join(sorted(missing))}; expected a table of RLC-GEC"
            raise FormatError(path, 1, problem)
        for row in rows:
            if None in row.values():
                raise FormatError(path, rows.line_num, "found a row with fewer columns than the first")
            yield row
    except csv.Error as error:
        raise FormatError(path, rows.line_num + 1, f"not CSV ({error})") from None


def _rlc(marked: MarkedText, target: str, edits: Iterable[Mapping[str, str]]) -> Iterator[MarkedText]:
    """Yield a sentence with its edits.

    Raises:
        FormatError: A quote is not in the sentence.
    """
    text, regions, position = marked.text, list[Region](), 0
    starts = [match.start() for match in _RLC_TOKEN.finditer(text)]
    for number, edit in enumerate(edits, start=1):
        quote, begin = edit["quote"], position
        if (token := edit.get("start", "")).isdecimal():
            begin = max(0, starts[min(bounded_int(token), len(starts) - 1)] - len(quote)) if starts else 0
        start = text.find(quote, begin)
        start = start if start >= 0 else text.find(quote)
        if start < 0:
            where = f"sentence {(marked.sentence or 0) + 1} of {marked.document}"
            raise FormatError(marked.file, None, f"{where}: {shorten(quote)} is not in {shorten(text)}")
        position = start + len(quote)
        regions.append(Region(start, position, edit["tag"].strip(), edit["correction"], f"edit {number}"))
    if _applied(text, regions) == target.split():
        yield replace(marked, regions=tuple(regions), running="raw")
        return
    line = TokenOffsets.of(text)
    whole = [on_tokens(line, region, Findings()) for region in regions]
    labels = [(region.start, region.end, region.type) for region in whole]
    changed = labelled_changes(sentence_of(text), sentence_of(target), labels)
    found = tuple([Region(*line.stretch(start, end), type_, text_) for start, end, type_, text_ in changed])
    remark = "the edits do not give the corrected sentence of the corpus; alignment found its changes"
    yield replace(marked, regions=found, remarks=(remark,))


def _applied(text: str, regions: Iterable[Region]) -> list[str] | None:
    """Return the tokens of a text with its regions corrected; None if they overlap."""
    parts, end = list[str](), 0
    for region in sorted(regions, key=lambda region: (region.start, region.end)):
        if region.start < end:
            return None
        parts += [text[end : region.start], region.correction or ""]
        end = region.end
    return "".join([*parts, text[end:]]).split()


_DOC = re.compile(r"<DOC\b([^>]*)>(.*?)</DOC>", re.DOTALL)
_PARAGRAPH = re.compile(r"<(?:TITLE|P)>\n?(.*?)\n?(?=</?(?:TITLE|P|TEXT)>)", re.DOTALL)
_ANNOTATION = re.compile(r"<ANNOTATION\b([^>]*)>(.*?)</ANNOTATION>", re.DOTALL)
_MISTAKE = re.compile(r"<MISTAKE\b([^>]*)>(.*?)</MISTAKE>", re.DOTALL)
_FIELD = re.compile(r"<(TYPE|CORRECTION)>\n?(.*?)\n?</\1>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


@dataclass(frozen=True)
class NucleFormat(ToolFormat):
    """The SGML of NUCLE and of the CoNLL shared tasks: titles and paragraphs are lines."""

    name = "nucle"
    description = "NUCLE and CoNLL-2013/2014: SGML with offsets in paragraphs"
    files = "a file .sgml, or a folder of them"
    ending = ".sgml"
    can_write = False

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the essays of a file, each as often as it has annotators."""
        content = read_text(file)
        if not _DOC.search(content):
            raise FormatError(file, None, 'found no <DOC nid="…">, expected the SGML of NUCLE')
        for essay in _DOC.finditer(content):
            line = content.count("\n", 0, essay.start()) + 1
            yield _nucle(file, line, essay[1], essay[2])


class _Mistake(BaseModel):
    start_par: int
    start_off: int
    end_par: int
    end_off: int
    TYPE: str
    CORRECTION: str = ""


def _nucle(file: str, line: int, head: str, content: str) -> Iterator[MarkedText]:
    """Yield an essay by each annotator.

    Raises:
        FormatError: A mistake lies outside of its paragraph, or is not complete; names the line of the essay.
    """
    paragraphs = [match[1].replace("\n", " ") for match in _PARAGRAPH.finditer(content)]
    begins = [0, *accumulate([len(paragraph) + 1 for paragraph in paragraphs])]
    document = dict(_ATTRIBUTE.findall(head)).get("nid", f"line{line}")
    text = MarkedText(file, document, "", "\n".join(paragraphs), running="raw")
    annotations = list(_ANNOTATION.finditer(content))
    if not annotations:
        yield text
    for annotation in annotations:
        regions = []
        for number, (attributes, fields) in enumerate(_MISTAKE.findall(annotation[2]), start=1):
            record = dict(_ATTRIBUTE.findall(attributes)) | dict(_FIELD.findall(fields))
            mistake = checked_model(_Mistake, record, file, f"mistake {number}", line)
            ends = [(mistake.start_par, mistake.start_off), (mistake.end_par, mistake.end_off)]
            if not all(0 <= p < len(paragraphs) and 0 <= k <= len(paragraphs[p]) for p, k in ends):
                problem = f"mistake {number} lies outside of its paragraph: {attributes}"
                raise FormatError(file, line, problem)
            start, end = [begins[paragraph] + offset for paragraph, offset in ends]
            regions.append(Region(start, end, mistake.TYPE, mistake.CORRECTION, f"mistake {number}"))
        annotator = dict(_ATTRIBUTE.findall(annotation[1])).get("teacher_id") or "0"
        yield replace(text, annotator=annotator, regions=tuple(regions))


@dataclass(frozen=True)
class CgedFormat(ToolFormat):
    """The XML of CGED: a unit is a document, each character a token."""

    name = "cged"
    description = "CGED: Chinese units with offsets of errors, in XML"
    files = "a file .xml, or a folder of them"
    ending = ".xml"
    can_write = False

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the units of a file."""
        # Units often stand in a file without an element around them.
        content = re.sub(r"\A\s*<\?xml[^>]*\?>", "", read_text(file))
        for number, unit in enumerate(parse_xml(f"<all>{content}</all>", file).descendants("DOC"), start=1):
            yield _cged(file, number, unit)


class _Error(BaseModel):
    start_off: int
    end_off: int
    type: str


def _cged(file: str, number: int, unit: Element) -> Iterator[MarkedText]:
    """Yield a unit; an error without a change in ``<CORRECTION>`` is only marked.

    Raises:
        FormatError: There is no text, or an error lies outside of it; names the line.
    """
    texts = unit.elements("TEXT")
    source = "".join(_characters(texts[0])) if texts else ""
    if not source:
        raise FormatError(file, unit.line, "found no text in <TEXT>, expected a unit of CGED")
    labels = []
    for element in unit.elements("ERROR"):
        error = checked_model(_Error, dict(element.attributes), file, "<ERROR>", element.line)
        start, end, is_missing = error.start_off - 1, error.end_off, error.type == "M"
        if not 0 <= start < end <= len(source) + is_missing:
            where = f"{start + 1} to {end}, outside the text of {len(source)} characters"
            raise FormatError(file, element.line, f"found an error at {where}")
        labels.append((start, start if is_missing else end, error.type))
    corrected = [sentence_of(" ".join(_characters(element))) for element in unit.elements("CORRECTION")]
    text = sentence_of(" ".join(source))
    regions = []
    for start, end, type_, correction in labelled_changes(text, corrected[0] if corrected else None, labels):
        begin = min(2 * start, 2 * len(source) - 1)  # each character is a token
        # Redundant text is deleted unless a correction says otherwise.
        field = "" if type_ == "R" and not corrected else correction
        regions.append(Region(begin, 2 * end - 1 if end > start else begin, type_, field))
    document = texts[0].attributes.get("id") or f"{Path(file).stem}-{number}"
    yield MarkedText(file, document, "0", " ".join(source), tuple(regions))


def _characters(element: Element) -> str:
    return "".join("".join([part for part in element.content if isinstance(part, str)]).split())


#: Start, end and type of a stretch of tokens.
_Label = tuple[int, int, str]


def labelled_changes(
    source: Sentence, target: Sentence | None, labels: Sequence[_Label]
) -> Iterator[tuple[int, int, str, str | None]]:
    """Yield the changes between a sentence and its correction, with the labels of the tokens that they touch.

    Changes that share a label become one change.

    Args:
        source: The tokens of the sentence.
        target: Its correction; without one, labels only mark errors.
        labels: Its labels; a label without tokens stands for an insertion.

    Yields:
        Start, end, type and correction; None where an error is only marked.
    """
    if target is None:
        yield from ((*label, None) for label in labels)
        return
    runs: list[tuple[list[Operation], dict[_Label, None]]] = []
    before: dict[_Label, None] = {}
    for op in align_tokens(source, target).operations:
        is_equal = source.forms[op.start : op.end] == target.forms[op.target_start : op.target_end]
        own = {label: None for label in labels if _meets(label, op.start, op.end, is_equal)}
        if own.keys() & before.keys():
            runs[-1][0].append(op)
            runs[-1][1].update(own)
        elif own or not is_equal:
            runs.append(([op], own))
        before = own
    for run, own in runs:
        start, end = run[0].start, run[-1].end
        covered, corrected = (
            " ".join(words)
            for words in (source.forms[start:end], target.forms[run[0].target_start : run[-1].target_end])
        )
        text = None if covered == corrected else corrected
        types = dict.fromkeys([name for label in own for name in label[2].split(JOINER)])
        yield start, end, JOINER.join(types) or type_of(covered, text), text
    yield from ((*label, None) for label in labels if all(label not in own for _, own in runs))


def _meets(label: _Label, start: int, end: int, is_equal: bool) -> bool:
    """Return whether a label shares tokens with an operation or, if it has no tokens, touches the operation."""
    if label[0] == label[1]:
        return not is_equal and start <= label[0] <= end
    return max(label[0], start) < min(label[1], end)
