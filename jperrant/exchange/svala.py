"""The graph of the SVALA editor, by which the SweLL corpus was annotated: a JSON file for each text and annotator.

``{"source": [{"id": "s0", "text": "are "}], "target": [{"id": "t0", "text": "is "}], "edges": {"e-s0-t0": {"id":
…, "ids": ["s0", "t0"], "labels": ["R:VERB:SVA"], "manual": true}}}`` (Wirén et al. 2019, "SVALA: Annotation of
Second-Language Learner Text Based on Mostly Automatic Alignment of Parallel Corpora"). An edge with several
labels becomes one edit whose types are joined by ``+``. An edge with labels between equal tokens marks an error
without correcting it.

Edges cannot overlap. Edits that do, and those without any token, stand in the graph's ``comment``, a line each,
and so do alternatives, behind the name of their edge: the editor allows comments of edges only with certain labels.

M2's edits are stretches in order. Of edges that cross those that keep most words in their order stay, and each of
the others, a word that was moved, becomes a deletion and an insertion. The parts of an edit that lie apart become
one with what is between them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.values import Block, Edit, alternatives_of
from jperrant.exchange.base import Corpus, ExportedFile, Findings, MarkedText, Region
from jperrant.exchange.inline import JOINER, correction_field, is_tokenised, type_of, with_common_lines
from jperrant.exchange.offsets import TokenOffsets, correction_text
from jperrant.exchange.side_file import Document
from jperrant.exchange.tool import AnnotatorFiles, edits_of, read_json


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge, its tokens by their indices.

    Attributes:
        id: Its name.
        source, target: The tokens on both sides, in order.
        labels: Its labels.
        notes: What somebody noted, by lines.
    """

    id: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph.

    Attributes:
        source, target: The texts of the tokens, each with white space behind it.
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
        """The notes on all edges."""
        return [note for edge in self.edges for note in edge.notes]

    def before(self, graph: Graph) -> tuple[str, ...]:
        """Return the source tokens."""
        return tuple([text.strip() for text in graph.source[self.start : self.end]])

    def after(self, graph: Graph) -> tuple[str, ...]:
        """Return the target tokens."""
        return tuple([text.strip() for text in graph.target[self.target_start : self.target_end]])


def graph_of(record: Any, file: str) -> Graph:
    """Return the graph of a JSON value.

    Raises:
        FormatError: It is not a graph, an edge names a token that there is not, or a token is in two edges.
    """
    expected = '{"source": [{"id": "s0", "text": "a "}], "target": […], "edges": {"e": {"ids": ["s0"], …}}}'
    places: dict[str, tuple[int, int]] = {}
    used: dict[str, str] = {}
    sides: tuple[list[str], list[str]] = [], []
    try:
        for number, side in enumerate(("source", "target")):
            for token in record[side]:
                id_, text = str(token["id"]), str(token["text"])
                if id_ in places or len(text.split()) != 1:
                    problem = f"token {id_!r} is given twice, or is not one token ({shorten(text)})"
                    raise FormatError(file, None, problem)
                places[id_] = number, len(sides[number])
                sides[number].append(text if text[-1].isspace() else f"{text} ")
        edges = [_edge(str(name), edge, places, used, file) for name, edge in record["edges"].items()]
        comment = str(record.get("comment") or "")
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        problem = f"cannot be read as a graph of SVALA ({error!r}), expected {expected}"
        raise FormatError(file, None, problem) from None
    for id_, (side_, index) in places.items():
        if id_ not in used:
            edges.append(Edge(f"e-{id_}", *(((index,), ()) if side_ == 0 else ((), (index,)))))
    return Graph(tuple(sides[0]), tuple(sides[1]), tuple(edges), comment)


def _edge(
    name: str, record: Any, places: Mapping[str, tuple[int, int]], used: dict[str, str], file: str
) -> Edge:
    ids = [str(id_) for id_ in record["ids"]]
    for id_ in ids:
        if id_ not in places:
            raise FormatError(file, None, f"edge {name!r} refers to token {id_!r}, which does not exist")
        if id_ in used:
            raise FormatError(file, None, f"token {id_!r} is in two edges, {used[id_]!r} and {name!r}")
        used[id_] = name
    source, target = (tuple(sorted(places[i][1] for i in ids if places[i][0] == side)) for side in (0, 1))
    labels = tuple([str(label) for label in record.get("labels", [])])
    comment = str(record.get("comment") or "")
    return Edge(name, source, target, labels, tuple(comment.split("\n")) if comment else ())


def changes(graph: Graph) -> Iterator[Change]:
    """Yield the stretches of a graph that are changed or labelled, in order."""
    by_source = {token: k for k, edge in enumerate(graph.edges) for token in edge.source}
    by_target = {token: k for k, edge in enumerate(graph.edges) for token in edge.target}
    start = target_start = 0
    while start < len(graph.source) or target_start < len(graph.target):
        first = _first(graph, by_source.get(start), by_target.get(target_start))
        end, target_end, reached, waiting = start, target_start, set[int](), [first]
        while waiting:  # whatever shares a token with the stretch belongs to it
            if (k := waiting.pop()) in reached:
                continue
            reached.add(k)
            ends = max([end, *[t + 1 for t in graph.edges[k].source]])
            target_ends = max([target_end, *[t + 1 for t in graph.edges[k].target]])
            waiting += [by_source[t] for t in range(end, ends)]
            waiting += [by_target[t] for t in range(target_end, target_ends)]
            end, target_end = ends, target_ends
        edges = sorted([graph.edges[k] for k in reached], key=lambda e: (not e.source, e.source, e.target))
        change = Change(start, end, target_start, target_end, tuple(edges))
        if change.type or change.before(graph) != change.after(graph):
            yield change
        start, target_start = end, target_end


def _first(graph: Graph, source: int | None, target: int | None) -> int:
    """Return which edge comes first, that of the next source token or that of the next target token.

    An insertion comes before what is kept or replaced; beside a deletion the order of edges decides.
    """
    if source is None or target is None:
        [only] = [k for k in (source, target) if k is not None]
        return only
    if graph.edges[target].source:
        return source
    return target if graph.edges[source].target else min(source, target)


def untangled(graph: Graph) -> tuple[Graph, int]:
    """Return a graph in which each edge that moves tokens across others is two, and how many there were."""
    moved = {edge.id for change in changes(graph) for edge in _moved(change.edges)}
    edges = []
    for edge in graph.edges:
        if edge.id in moved:
            edges += [replace(edge, target=(), notes=()), replace(edge, source=())]
        else:
            edges.append(edge)
    return replace(graph, edges=tuple(edges)), len(moved)


def _moved(edges: Sequence[Edge]) -> list[Edge]:
    """Return edges to be cut, so that the others do not cross; none where tokens of one edge lie apart."""
    sides = [side for edge in edges for side in (edge.source, edge.target) if side]
    if len(edges) == 1 or any(side[-1] - side[0] >= len(side) for side in sides):
        return []
    both = sorted([edge for edge in edges if edge.source and edge.target], key=lambda edge: edge.source)
    #: For each edge the weight of the heaviest chain in order that ends with it, and the edge before it there.
    chains: list[tuple[int, int]] = []
    for edge in both:
        before = [(w, k) for k, (w, _) in enumerate(chains) if both[k].target[-1] < edge.target[0]]
        weight, last = max(before, default=(0, -1))
        chains.append((weight + 2 * len(edge.source) - bool(edge.labels), last))
    place = max(range(len(both)), key=lambda k: chains[k][0], default=-1)
    kept = set[int]()
    while place >= 0:
        kept.add(place)
        place = chains[place][1]
    return [edge for k, edge in enumerate(both) if k not in kept]


#: What is said of an edge.
_SAME, _BEGINS, _ENDS, _OR = "corrected to the same", "begins the sentence", "ends the sentence", "or: "
_ALSO = re.compile(r"also sentence (\d+), tokens (\d+) (\d+) => (.+?) =>(?: (.*))?")
_NOTHING = "(only marked)"


@dataclass(frozen=True)
class SvalaFormat(AnnotatorFiles):
    """The graph of the SVALA editor."""

    name = "svala"
    description = "graph of the SVALA editor (SweLL): tokens of both sides and edges between them"
    files = "a folder: DOC.aN.json for each document and annotator"
    ending = ".json"

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield a file for each document and annotator; none for a document without any token."""
        documents = tuple([d for d in corpus.documents if any(block.source for block in d.blocks)])
        return super().export(replace(corpus, documents=documents))

    def lines(self, document: Document, annotator: int) -> Iterator[str]:
        """Yield the text of a file."""
        yield json.dumps(_Writer(document, annotator).graph(), ensure_ascii=False, indent=1) + "\n"

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        versions: dict[str, list[MarkedText]] = {}
        for text in super().texts(path, findings):
            versions.setdefault(text.document, []).append(text)
        for texts in versions.values():
            yield from texts if all(is_tokenised(text.text) for text in texts) else with_common_lines(texts)

    def text_of(self, file: str, document: str, annotator: str) -> MarkedText:
        """Return the text of a file."""
        return _marked_text(graph_of(read_json(file), file), file, document, annotator)


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


def _marked_text(graph: Graph, file: str, document: str, annotator: str) -> MarkedText:
    text = "".join(graph.source).removesuffix("\n").rstrip(" ")
    offsets = TokenOffsets.of(text)
    graph, lines = _with_notes(graph)
    graph, moved = untangled(graph)
    made = list(changes(graph))
    regions = [_region(change, graph, offsets) for change in made]
    remarks = ["edges that cross joined to one edit" for change in made if len(change.edges) > 1]
    remarks += ["an edge that moves tokens, read as a deletion and an insertion"] * moved
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
    notes = {edge.id: list(edge.notes) for edge in graph.edges}
    lines = []
    for line in graph.comment.split("\n") if graph.comment else []:
        name, _, note = line.partition(": ")
        if name in notes and _is_ours(note):
            notes[name].append(note)
        else:
            lines.append(line)
    edges = [replace(edge, notes=tuple(notes[edge.id])) for edge in graph.edges]
    return replace(graph, edges=tuple(edges)), lines


def _is_ours(note: str) -> bool:
    return note in (_SAME, _BEGINS, _ENDS) or note.startswith(_OR)


def _region(change: Change, graph: Graph, offsets: TokenOffsets) -> Region:
    begin, end = offsets.stretch(change.start, change.end)
    if begin == end and change.start and _ends_line(change, graph):
        begin = end = offsets.ends[change.start - 1]
    covered = offsets.text[begin:end]
    before, after = change.before(graph), change.after(graph)
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
