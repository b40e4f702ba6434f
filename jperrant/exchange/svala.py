"""The graph of the SVALA editor, by which the SweLL corpus was annotated: a JSON file for each text and annotator.

``{"source": [{"id": "s0", "text": "are "}], "target": [{"id": "t0", "text": "is "}], "edges": {"e-s0-t0": {"id":
…, "ids": ["s0", "t0"], "labels": ["R:VERB:SVA"], "manual": true}}}`` (Wirén et al. 2019, "SVALA: Annotation of
Second-Language Learner Text Based on Mostly Automatic Alignment of Parallel Corpora"). An edge with several
labels becomes one edit whose types are joined by ``+``. An edge with labels between equal tokens marks an error
without correcting it.

Edits that edges cannot express are written in the graph's ``comment``, one a line: edits that overlap others, that
have alternatives or no token, or that would be read back differently.

M2's edits are stretches in order. Where edges cross, the edges that keep the most words in order stay; each of the
others is a moved word and becomes a deletion and an insertion. If the parts of an edit lie apart, the edit also
covers the tokens between them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.values import Edit
from jperrant.exchange.formats import AnnotatorFiles, Corpus
from jperrant.exchange.marks import (
    JOINER,
    Document,
    MarkedText,
    Region,
    TokenOffsets,
    correction_text,
    is_tokenised,
    type_of,
)  # fmt: skip
from jperrant.exchange.reading import checked_model, read_bytes

_ALSO = re.compile(r"also sentence (\d+), tokens (\d+) (\d+) => (.+?) =>(?: (.*))?")
_NOTHING = "(only marked)"


class _Token(BaseModel):
    id: str
    text: str


class _EdgeOfFile(BaseModel):
    ids: list[str]
    labels: list[str] = []
    comment: str | None = None


class _File(BaseModel):
    """The JSON of a graph."""

    source: list[_Token]
    target: list[_Token]
    edges: dict[str, _EdgeOfFile]
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge: its name, its tokens on both sides by their indices, in order, and its labels."""

    id: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph.

    Attributes:
        source, target: The texts of the tokens, each with white space after it.
        edges: The edges; every token is in one.
        comments: What people wrote, by lines.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    edges: tuple[Edge, ...]
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of source tokens with its target tokens.

    Attributes:
        start, end, target_start, target_end: The half-open ranges of both.
        edges: The edges between.
        type: The labels of all edges, each once; empty if there are none.
        correction: The target tokens, separated by spaces; None if they equal those of the source.
    """

    start: int
    end: int
    target_start: int
    target_end: int
    edges: tuple[Edge, ...]
    type: str
    correction: str | None


def graph_of(value: Any, file: str) -> Graph:
    """Return a graph from JSON, given as bytes or as a parsed value.

    Raises:
        FormatError: It is not a graph, an edge names an unknown token, or a token is in two edges.
    """
    record = checked_model(_File, value, file, "a graph of SVALA")
    places: dict[str, tuple[int, int]] = {}
    for side, tokens in enumerate((record.source, record.target)):
        for index, token in enumerate(tokens):
            if token.id in places or len(token.text.split()) != 1:
                problem = f"token {token.id!r} is given twice, or is not one token ({shorten(token.text)})"
                raise FormatError(file, None, problem)
            places[token.id] = side, index
    used: dict[str, str] = {}
    edges = []
    for name, edge in record.edges.items():
        for id_ in edge.ids:
            if id_ not in places:
                raise FormatError(file, None, f"edge {name!r} refers to token {id_!r}, which does not exist")
            if id_ in used:
                raise FormatError(file, None, f"token {id_!r} is in two edges, {used[id_]!r} and {name!r}")
            used[id_] = name
        edges.append(_edge(name, [places[id_] for id_ in edge.ids], edge.labels))
    edges += [_edge(f"e-{id_}", [place]) for id_, place in places.items() if id_ not in used]
    comments = [text for text in (record.comment, *[e.comment for e in record.edges.values()]) if text]
    source, target = (
        tuple([t.text if t.text[-1].isspace() else f"{t.text} " for t in side])
        for side in (record.source, record.target)
    )
    return Graph(
        source, target, tuple(edges), tuple([line for text in comments for line in text.split("\n")])
    )


def _edge(name: str, places: Sequence[tuple[int, int]], labels: Sequence[str] = ()) -> Edge:
    source, target = (tuple(sorted([index for one, index in places if one == side])) for side in (0, 1))
    return Edge(name, source, target, tuple(labels))


def changes(graph: Graph) -> Iterator[Change]:
    """Yield the stretches of a graph that are changed or labelled, in order."""
    by_source = {token: k for k, edge in enumerate(graph.edges) for token in edge.source}
    by_target = {token: k for k, edge in enumerate(graph.edges) for token in edge.target}
    start = target_start = 0
    while start < len(graph.source) or target_start < len(graph.target):
        first = _first(graph, by_source.get(start), by_target.get(target_start))
        end, target_end, reached, waiting = start, target_start, set[int](), [first]
        while waiting:  # edges that share a token with the stretch belong to it
            if (k := waiting.pop()) in reached:
                continue
            reached.add(k)
            ends = max([end, *[t + 1 for t in graph.edges[k].source]])
            target_ends = max([target_end, *[t + 1 for t in graph.edges[k].target]])
            waiting += [by_source[t] for t in range(end, ends)]
            waiting += [by_target[t] for t in range(target_end, target_ends)]
            end, target_end = ends, target_ends
        edges = sorted([graph.edges[k] for k in reached], key=lambda e: (not e.source, e.source, e.target))
        labels = [label for edge in edges for label in edge.labels]
        type_ = JOINER.join(labels if len(edges) == 1 else dict.fromkeys(labels))
        sides = graph.source[start:end], graph.target[target_start:target_end]
        before, after = (" ".join([token.strip() for token in side]) for side in sides)
        if type_ or before != after:
            correction = None if before == after else after
            yield Change(start, end, target_start, target_end, tuple(edges), type_, correction)
        start, target_start = end, target_end


def _first(graph: Graph, source: int | None, target: int | None) -> int:
    """Return the earlier edge: that of the next source token or that of the next target token.

    An insertion comes before what is kept or replaced; beside a deletion the order of edges decides.
    """
    if source is None or target is None:
        [only] = [k for k in (source, target) if k is not None]
        return only
    if graph.edges[target].source:
        return source
    return target if graph.edges[source].target else min(source, target)


def untangled(graph: Graph) -> tuple[Graph, int]:
    """Return a graph in which each edge that moves tokens across others is split in two, and their number."""
    moved = {edge.id for change in changes(graph) for edge in _moved(change.edges)}
    edges: list[Edge] = []
    for edge in graph.edges:
        edges += [replace(edge, target=()), replace(edge, source=())] if edge.id in moved else [edge]
    return replace(graph, edges=tuple(edges)), len(moved)


def _moved(edges: Sequence[Edge]) -> list[Edge]:
    """Return the edges to split so that the others do not cross; none if tokens of an edge are not adjacent."""
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


@dataclass(frozen=True)
class SvalaFormat(AnnotatorFiles):
    """The graph of the SVALA editor."""

    name = "svala"
    description = "graph of the SVALA editor (SweLL): tokens of both sides and edges between them"
    files = "a folder: DOC.aN.json for each document and annotator"
    ending = ".json"

    def export(self, corpus: Corpus) -> Mapping[str, Iterable[str]]:
        """Return a file for each document and annotator; none for a document without any token."""
        documents = tuple([d for d in corpus.documents if any(block.source for block in d.blocks)])
        return super().export(replace(corpus, documents=documents))

    def lines(self, document: Document, annotator: int) -> Iterator[str]:
        """Yield the text of a file: a graph that is read as the edits of the annotator."""
        only_noted = set[int]()
        while True:
            graph = _written(document, annotator, only_noted)
            read = _marked_text(graph_of(graph, ""), "", "", "")
            found = Counter([(r.start, r.end, r.type, r.correction) for r in read.regions])
            others = set[int]()
            for k, (_, edit, (start, end)) in enumerate(document.placed_edits(annotator)):
                region = (start, end, edit.type, correction_text(edit))
                if not found[region]:
                    others.add(k)
                found[region] -= 1
            if others <= only_noted:
                yield json.dumps(graph, ensure_ascii=False, indent=1) + "\n"
                return
            only_noted |= others

    def text_of(self, file: str, document: str, annotator: str) -> MarkedText:
        """Return the text of a file."""
        return _marked_text(graph_of(read_bytes(file), file), file, document, annotator)


def _written(document: Document, annotator: int, only_noted: Collection[int]) -> dict[str, Any]:
    """Return a graph as JSON.

    Args:
        document: The document.
        annotator: The annotator whose edits are written.
        only_noted: The edits that are written in the comment only.
    """
    sides: dict[str, list[str]] = {"source": [], "target": []}
    edges: dict[str, dict[str, Any]] = {}
    comments: list[str] = []
    number, pending = -1, ""

    def add(covered: Sequence[str], correction: Sequence[str], labels: list[str]) -> None:
        """Add an edge and its tokens; the editor expects ids in alphabetical order."""
        ids = []
        for side, tokens in (("source", covered), ("target", correction)):
            ids += [f"{side[0]}{len(sides[side]) + k}" for k in range(len(tokens))]
            sides[side] += [f"{token} " for token in tokens]
        name = "-".join(["e", *sorted(ids)])
        edges[name] = {"id": name, "ids": sorted(ids), "labels": labels, "manual": bool(labels)}

    for k, (block, own) in enumerate(document.edits(annotator)):
        tokens, position = block.source, 0
        first = {side: len(texts) for side, texts in sides.items()}
        for edit in own:
            number += 1
            covered = tokens[edit.start : edit.end]
            correction = covered if edit.correction is None else edit.correction
            if edit.start < position or not (covered or correction) or not tokens or number in only_noted:
                comments.append(_also(k, edit))
                continue
            for token in tokens[position : edit.start]:
                add([token], [token], [])
            labels = edit.type.split(JOINER)  # the editor accepts each only once
            add(covered, correction, labels if len({*labels}) == len(labels) else [edit.type])
            position = edit.end
        for token in tokens[position:]:
            add([token], [token], [])
        if tokens:
            sides["source"][first["source"]] = pending + sides["source"][first["source"]]
            pending = ""
            for side, texts in sides.items():
                if len(texts) > first[side]:
                    texts[-1] = texts[-1].rstrip(" ") + "\n"
        elif sides["source"]:
            sides["source"][-1] += "\n"
        else:
            pending += "\n"
    graph: dict[str, Any] = {
        side: [{"id": f"{side[0]}{k}", "text": text} for k, text in enumerate(texts)]
        for side, texts in sides.items()
    }
    comment = {"comment": "\n".join(comments)} if comments else {}
    return {**graph, "edges": edges, **comment}


def _also(number: int, edit: Edit) -> str:
    text = correction_text(edit)
    line = f"also sentence {number + 1}, tokens {edit.start} {edit.end} => {edit.type} => "
    return (line + (_NOTHING if text is None else text)).rstrip(" ")


def _marked_text(graph: Graph, file: str, document: str, annotator: str) -> MarkedText:
    text = "".join(graph.source).removesuffix("\n").rstrip(" ")
    offsets = TokenOffsets.of(text)
    graph, moved = untangled(graph)
    made = list(changes(graph))
    regions = [_region(change, graph, offsets) for change in made]
    remarks = ["edges that cross joined to one edit" for change in made if len(change.edges) > 1]
    remarks += ["an edge that moves tokens, read as a deletion and an insertion"] * moved
    for line in graph.comments:
        if match := _ALSO.fullmatch(line):
            regions.append(_also_region(match, text, file))
        else:
            remarks.append("a comment, which M2 cannot hold, left out")
    joins = not is_tokenised(text)
    return MarkedText(file, document, annotator, text, tuple(regions), remarks=tuple(remarks), joins=joins)


def _region(change: Change, graph: Graph, offsets: TokenOffsets) -> Region:
    begin, end = offsets.stretch(change.start, change.end)
    if begin == end and change.start and _ends_line(change, graph):
        begin = end = offsets.ends[change.start - 1]
    covered, correction = offsets.text[begin:end], change.correction
    name = change.edges[0].id
    return Region(begin, end, change.type or type_of(covered, correction), correction, name, covered)


def _ends_line(change: Change, graph: Graph) -> bool:
    """Return whether an insertion after the last token of a line ends that line and does not begin the next."""
    if "\n" not in graph.source[change.start - 1]:
        return False
    before = change.target_start == 0 or "\n" not in graph.target[change.target_start - 1]
    return before or "\n" in graph.target[change.target_end - 1]


def _also_region(match: re.Match[str], text: str, file: str) -> Region:
    """Return the region of a line of the graph's comment.

    Raises:
        FormatError: It names an unknown sentence or token.
    """
    lines = text.split("\n")
    number, start, end = (int(match[k][:9]) for k in (1, 2, 3))
    if not 1 <= number <= len(lines) or not 0 <= start <= end <= len(lines[number - 1].split()):
        raise FormatError(file, None, f"found comment {match[0]!r}, whose tokens do not exist")
    base = sum(len(line) + 1 for line in lines[: number - 1])
    begin, finish = TokenOffsets.of(lines[number - 1]).stretch(start, end)
    correction = None if match[5] == _NOTHING else match[5] or ""
    return Region(base + begin, base + finish, match[4], correction, match[0][:40])
