"""The graph of the SVALA editor, by which the SweLL corpus was annotated: a JSON file for each text and annotator.

``{"source": [{"id": "s0", "text": "are "}], "target": [{"id": "t0", "text": "is "}], "edges": {"e-s0-t0": {"id":
…, "ids": ["s0", "t0"], "labels": ["R:VERB:SVA"], "manual": true}}}`` (Wirén et al. 2019, "SVALA: Annotation of
Second-Language Learner Text Based on Mostly Automatic Alignment of Parallel Corpora"). An edge with several
labels becomes one edit whose types are joined by ``+``. An edge with labels between equal tokens marks an error
without correcting it.

Edges cannot overlap. Edits that do, and those without any token, stand in the graph's ``comment``, a line each,
and so do alternatives, behind the name of their edge: the editor allows comments of edges only with certain labels.

M2's edits are stretches in order, so edges that cross, as where a word was moved, become one edit over all they
reach, and the parts of an edit that lie apart become one with what is between them.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import Any, ClassVar

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.m2_format import alternatives_of
from jperrant.core.values import Block, Edit
from jperrant.exchange.base import Corpus, Document, ExchangeFormat, ExportedFile, MarkedText, Region
from jperrant.exchange.files import annotators_of, edits_of, input_files, names_of, read_json
from jperrant.exchange.inline import JOINER, correction_field, is_tokenised, type_of, with_common_lines
from jperrant.exchange.offsets import TokenOffsets, correction_text


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge, its tokens by their indices.

    Attributes:
        id: Its name.
        source, target: The tokens on both sides, in order.
        labels: Its labels.
        comment: What somebody noted.
    """

    id: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    labels: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph.

    Attributes:
        source, target: The texts of the tokens, with their white space.
        edges: The edges; every token is in one.
        comment: A note on the whole.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    edges: tuple[Edge, ...]
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of source tokens and of the target tokens that stand for it.

    Attributes:
        start, end: Half-open range of source tokens.
        target_start, target_end: Half-open range of target tokens.
        edges: The edges between them.
    """

    start: int
    end: int
    target_start: int
    target_end: int
    edges: tuple[Edge, ...]

    @property
    def type(self) -> str:
        """The labels; those of several edges each once; empty if there are none."""
        labels = [label for edge in self.edges for label in edge.labels]
        return JOINER.join(labels if len(self.edges) == 1 else dict.fromkeys(labels))

    @property
    def notes(self) -> list[str]:
        """The lines of the comments of all edges."""
        return [line for edge in self.edges if edge.comment for line in edge.comment.split("\n")]


def graph_of(record: Any, file: str) -> Graph:
    """Return the graph of a JSON value.

    Raises:
        FormatError: It is not a graph, an edge names a token that there is not, or a token is in two edges.
    """
    expected = '{"source": [{"id": "s0", "text": "a "}], "target": […], "edges": {"e": {"ids": ["s0"], …}}}'
    try:
        sides = [
            [(str(token["id"]), str(token["text"])) for token in record[side]]
            for side in ("source", "target")
        ]
        listed = [
            (str(name), [str(id_) for id_ in edge["ids"]], tuple([str(label) for label in edge.get("labels", [])]),
             str(edge.get("comment") or ""))
            for name, edge in record["edges"].items()
        ]  # fmt: skip
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise FormatError(
            file, None, f"cannot be read as a graph of SVALA ({error!r}), expected {expected}"
        ) from None
    places: dict[str, tuple[int, int]] = {}
    for side, tokens in enumerate(sides):
        for index, (id_, text) in enumerate(tokens):
            if id_ in places or len(text.split()) != 1:
                raise FormatError(
                    file, None, f"token {id_!r} is given twice, or is not one token ({shorten(text)})"
                )
            places[id_] = side, index
    edges = _edges(listed, places, file)
    source, target = (tuple([text for _, text in tokens]) for tokens in sides)
    return Graph(source, target, tuple(edges), str(record.get("comment") or ""))


def _edges(
    listed: Sequence[tuple[str, list[str], tuple[str, ...], str]],
    places: Mapping[str, tuple[int, int]],
    file: str,
) -> Iterator[Edge]:
    used: dict[str, str] = {}
    for name, ids, labels, comment in listed:
        for id_ in ids:
            if id_ not in places:
                raise FormatError(file, None, f"edge {name!r} refers to token {id_!r}, which does not exist")
            if id_ in used:
                raise FormatError(file, None, f"token {id_!r} is in two edges, {used[id_]!r} and {name!r}")
            used[id_] = name
        source, target = (tuple(sorted(places[i][1] for i in ids if places[i][0] == side)) for side in (0, 1))
        yield Edge(name, source, target, labels, comment)
    for id_, (side, index) in places.items():
        if id_ in used:
            continue
        yield Edge(f"e-{id_}", *(((index,), ()) if side == 0 else ((), (index,))))


def changes(graph: Graph) -> Iterator[Change]:
    """Yield the stretches of a graph that are changed or labelled, in order."""
    for change in _Order(graph).changes():
        before = [text.strip() for text in graph.source[change.start : change.end]]
        after = [text.strip() for text in graph.target[change.target_start : change.target_end]]
        if change.type or before != after:
            yield change


class _Order:
    """Puts the edges of a graph in order."""

    def __init__(self, graph: Graph) -> None:
        self.length, self.target_length = len(graph.source), len(graph.target)
        self.edges = graph.edges
        self.by_target = {token: edge for edge in graph.edges for token in edge.target}
        self.position = {edge.id: k for k, edge in enumerate(graph.edges)}
        #: By number of source tokens: how far the edges before reach, on both sides; where the others begin.
        reach, low = [0] * (self.length + 1), [0] * (self.length + 1)
        high = [self.target_length] * (self.length + 1)
        for edge in graph.edges:
            if edge.source:
                first = edge.source[0]
                reach[first + 1] = max(reach[first + 1], edge.source[-1] + 1)
                if edge.target:
                    low[first + 1] = max(low[first + 1], edge.target[-1] + 1)
                    high[first] = min(high[first], edge.target[0])
        self.low = list(accumulate(low, max))
        self.high = list(accumulate(reversed(high), min))[::-1]
        reach = list(accumulate(reach, max))
        self.cuts = [i for i in range(self.length + 1) if reach[i] <= i and self.low[i] <= self.high[i]]
        #: Both grow with the cut.
        self.cut_low, self.cut_high = [self.low[i] for i in self.cuts], [self.high[i] for i in self.cuts]
        self.deleted = sorted(
            [(e.source[0], self.position[e.id]) for e in graph.edges if e.source and not e.target]
        )
        self.at_cut: dict[int, list[tuple[int, int, Edge]]] = {}
        self._insertions()

    def changes(self) -> Iterator[Change]:
        """Yield all stretches, also those that are not changed."""
        starts = {edge.source[0]: edge for edge in self.edges if edge.source}
        for cut, following in pairwise([*self.cuts, None]):
            for first, last, edge in self.at_cut.get(cut or 0, ()):
                yield Change(cut or 0, cut or 0, first, last, (edge,))
            if following is None:
                return
            assert cut is not None
            edges = [starts[k] for k in range(cut, following) if k in starts]
            first, last = self.high[cut], self.low[following]
            inside = {e.id: e for t in range(first, last) if not (e := self.by_target[t]).source}
            yield Change(cut, following, min(first, last), last, (*edges, *inside.values()))

    def _insertions(self) -> None:
        """Give the target tokens without source tokens that stand between stretches to their cut."""
        token = 0
        while token < self.target_length:
            edge = self.by_target[token]
            last = token + 1
            while last < self.target_length and self.by_target[last] is edge:
                last += 1
            if not edge.source:
                cuts = self.cuts[bisect_left(self.cut_high, last) : bisect_right(self.cut_low, token)]
                if cuts:  # else it stands inside a stretch
                    self.at_cut.setdefault(self._cut(edge, cuts), []).append((token, last, edge))
            token = last

    def _cut(self, edge: Edge, cuts: Sequence[int]) -> int:
        """Return which cut an insertion is at; tokens between them are deleted, so the order of edges decides."""
        between = self.deleted[
            bisect_left(self.deleted, (cuts[0], -1)) : bisect_left(self.deleted, (cuts[-1], -1))
        ]
        before = [place for place, position in between if position < self.position[edge.id]]
        return min([cut for cut in cuts if not before or cut > before[-1]], default=cuts[-1])


SUFFIX = ".json"
#: What is said of an edge.
_SAME, _BEGINS, _ENDS, _OR = "corrected to the same", "begins the sentence", "ends the sentence", "or: "
_ALSO = re.compile(r"also sentence (\d+), tokens (\d+) (\d+) => (.+?) =>(?: (.*))?")
_NOTHING = "(only marked)"


@dataclass(frozen=True)
class SvalaFormat(ExchangeFormat):
    """The graph of the SVALA editor."""

    name: ClassVar[str] = "svala"
    description: ClassVar[str] = (
        "graph of the SVALA editor (SweLL): tokens of both sides and edges between them"
    )
    files: ClassVar[str] = "a folder: DOC.aN.json for each document and annotator"
    is_folder: ClassVar[bool] = True

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield a file for each document and annotator; none for a document without any token."""
        for document in corpus.documents:
            if any(block.source for block in document.blocks):
                for annotator in annotators_of(document):
                    graph = json.dumps(_Writer(document, annotator).graph(), ensure_ascii=False, indent=1)
                    yield ExportedFile(f"{document.name}.a{annotator}{SUFFIX}", [graph, "\n"])

    def read(self, path: str) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        versions: dict[str, list[MarkedText]] = {}
        for file in input_files(path, SUFFIX):
            if file.endswith(".jperrant.json"):
                continue
            text = _marked_text(graph_of(read_json(file), file), file)
            versions.setdefault(text.document, []).append(text)
        for texts in versions.values():
            yield from texts if all(is_tokenised(text.text) for text in texts) else with_common_lines(texts)


@dataclass
class _Writer:
    """Makes the graph of a document by one annotator."""

    document: Document
    annotator: int
    source: list[str] = field(default_factory=list)
    target: list[str] = field(default_factory=list)
    edges: dict[str, dict[str, Any]] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)

    def graph(self) -> dict[str, Any]:
        """Return the graph as JSON."""
        empty = ""
        for k, annotation in edits_of(self.document, self.annotator):
            block = self.document.blocks[k]
            first, first_target = len(self.source), len(self.target)
            self._sentence(k, block, annotation.edits)
            if not block.source:
                if self.source:
                    self.source[-1] += "\n"
                else:
                    empty += "\n"
                continue
            self.source[first] = empty + self.source[first]
            empty = ""
            self.source[-1] = self.source[-1].rstrip(" ") + "\n"
            if len(self.target) > first_target:
                self.target[-1] = self.target[-1].rstrip(" ") + "\n"
        tokens = {
            side: [{"id": f"{side[0]}{k}", "text": text} for k, text in enumerate(texts)]
            for side, texts in (("source", self.source), ("target", self.target))
        }
        comment = {"comment": "\n".join(self.comments)} if self.comments else {}
        return {**tokens, "edges": self.edges, **comment}

    def _sentence(self, number: int, block: Block, edits: Sequence[Edit]) -> None:
        position = 0
        for edit in edits:
            if edit.start < position or _has_no_token(edit) or not block.source:
                self.comments.append(_also(number, edit))
                continue
            self._kept(block.source[position : edit.start])
            self._edit(block, edit, self._place(number, block, edits, edit))
            position = edit.end
        self._kept(block.source[position:])

    def _kept(self, tokens: Sequence[str]) -> None:
        for token in tokens:
            self._edge([token], [token], [])

    def _place(self, number: int, block: Block, edits: Sequence[Edit], edit: Edit) -> list[str]:
        """Return what has to be said of an insertion between two sentences."""
        if edit.start < edit.end or 0 < edit.start < len(block.source):
            return []
        if edit.start == 0:
            return [_BEGINS] if number else []
        is_kept = sum(e.end - e.start for e in edits) < len(block.source)
        return [] if is_kept or any(e.start < e.end and e.correction for e in edits) else [_ENDS]

    def _edit(self, block: Block, edit: Edit, notes: list[str]) -> None:
        covered = block.source[edit.start : edit.end]
        if edit.correction == covered:
            notes.append(_SAME)
        if edit.alternatives:
            notes.append(_OR + correction_field(edit.alternatives))
        correction = covered if edit.correction is None else edit.correction
        labels = edit.type.split(JOINER)
        # The editor takes each label once.
        name = self._edge(covered, correction, labels if len({*labels}) == len(labels) else [edit.type])
        self.comments += [f"{name}: {note}" for note in notes]

    def _edge(self, covered: Sequence[str], correction: Sequence[str], labels: list[str]) -> str:
        """Add an edge and its tokens, and return its name; the editor expects ids in the order of their letters."""
        ids = [f"s{len(self.source) + k}" for k in range(len(covered))]
        ids = sorted([*ids, *[f"t{len(self.target) + k}" for k in range(len(correction))]])
        self.source += [f"{token} " for token in covered]
        self.target += [f"{token} " for token in correction]
        name = "-".join(["e", *ids])
        self.edges[name] = {"id": name, "ids": ids, "labels": labels, "manual": bool(labels)}
        return name


def _has_no_token(edit: Edit) -> bool:
    return edit.start == edit.end and not edit.correction


def _also(number: int, edit: Edit) -> str:
    text = correction_text(edit)
    correction = _NOTHING if text is None else text
    return (
        f"also sentence {number + 1}, tokens {edit.start} {edit.end} => {edit.type} => {correction}".rstrip(
            " "
        )
    )


def _marked_text(graph: Graph, file: str) -> MarkedText:
    document, annotator = names_of(file, SUFFIX)
    text = "".join(graph.source).removesuffix("\n").rstrip(" ")
    offsets = TokenOffsets.of(text)
    graph, lines = _with_notes(graph)
    made = list(changes(graph))
    regions = [_region(change, graph, offsets) for change in made]
    remarks = ["edges that cross joined to one edit" for change in made if len(change.edges) > 1]
    others = [note for change in made for note in change.notes if not _is_ours(note)]
    for line in lines:
        if match := _ALSO.fullmatch(line):
            regions.append(_also_region(match, text, file))
        else:
            others.append(line)
    remarks += ["a comment, which M2 cannot hold, left out"] * len(others)
    return MarkedText(file, document, annotator, text, tuple(regions), remarks=tuple(remarks))


def _with_notes(graph: Graph) -> tuple[Graph, list[str]]:
    """Return a graph whose edges have what its comment says of them, and the other lines of the comment."""
    notes: dict[str, list[str]] = {edge.id: [edge.comment] if edge.comment else [] for edge in graph.edges}
    lines = []
    for line in graph.comment.split("\n") if graph.comment else []:
        name, _, note = line.partition(": ")
        if name in notes and _is_ours(note):
            notes[name].append(note)
        else:
            lines.append(line)
    edges = [replace(edge, comment="\n".join(notes[edge.id])) for edge in graph.edges]
    return replace(graph, edges=tuple(edges)), lines


def _is_ours(note: str) -> bool:
    return note in (_SAME, _BEGINS, _ENDS) or note.startswith(_OR)


def _region(change: Change, graph: Graph, offsets: TokenOffsets) -> Region:
    begin, end = offsets.stretch(change.start, change.end)
    if begin == end and change.start and _ends_line(change, graph):
        begin = end = offsets.ends[change.start - 1]
    covered = offsets.text[begin:end]
    before, after = (
        tuple([text.strip() for text in texts])
        for texts in (
            graph.source[change.start : change.end],
            graph.target[change.target_start : change.target_end],
        )
    )
    others = [alternatives_of(note.removeprefix(_OR)) for note in change.notes if note.startswith(_OR)]
    correction: str | None = correction_field([after, *(others[0] if others else ())])
    if after == before and _SAME not in change.notes and not others:
        correction = None
    name = change.edges[0].id if change.edges else ""
    return Region(begin, end, change.type or type_of(covered, correction), correction, name, covered)


def _ends_line(change: Change, graph: Graph) -> bool:
    """Whether an insertion behind the last token of a line ends it, rather than beginning the next."""
    if "\n" not in graph.source[change.start - 1] or _BEGINS in change.notes:
        return False
    if _ENDS in change.notes or "\n" in graph.target[change.target_end - 1]:
        return True
    return change.target_start == 0 or "\n" not in graph.target[change.target_start - 1]


def _also_region(match: re.Match[str], text: str, file: str) -> Region:
    """Return the region of a line of the graph's comment.

    Raises:
        FormatError: There is no such sentence or token.
    """
    lines = text.split("\n")
    number, start, end = (int(match[k][:9]) for k in (1, 2, 3))
    if not 1 <= number <= len(lines) or not 0 <= start <= end <= len(lines[number - 1].split()):
        raise FormatError(file, None, f"found comment {match[0]!r}, whose tokens do not exist")
    base = sum(len(line) + 1 for line in lines[: number - 1])
    begin, finish = TokenOffsets.of(lines[number - 1]).stretch(start, end)
    correction = None if match[5] == _NOTHING else match[5] or ""
    return Region(base + begin, base + finish, match[4], correction, match[0][:40])
