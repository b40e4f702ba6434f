"""What the graph of the SVALA editor says: tokens of both sides, edges between them, and the edits that these make.

An edge joins source tokens and target tokens. M2's edits are stretches in order, so edges that cross, as where a
word was moved, become one edit over all they reach, and the parts of an edge that lie apart become one with what
is between them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from jperrant.core.errors import FormatError
from jperrant.core.m2_format import shorten
from jperrant.exchange.inline_text import JOINER


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
