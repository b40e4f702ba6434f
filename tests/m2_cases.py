"""Blocks, drawn and written out, for tests of the M2 tool box."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from hypothesis import strategies as st

from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.evaluation.inputs import Inputs, held
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.read_sides import InStep, M2Input
from jperrant.io.m2 import FormatDeviations, parse_m2

CONLL14 = Path(__file__).parent / "data" / "conll14"
GOLD = str(CONLL14 / "conll14.errant")

words = st.sampled_from(["a", "b", "the", "The", ",", "'s"])

SAMPLE = """\
S This are gramamtical sentence .
A 0 2|||old|||This is|||REQUIRED|||-NONE-|||3
A 2 3|||Um|||-NONE-|||REQUIRED|||-NONE-|||3
A 2 3|||old|||a grammatical|||REQUIRED|||-NONE-|||3
A 4 5|||old|||.|||REQUIRED|||-NONE-|||3
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||10

"""


@st.composite
def annotations(draw: st.DrawFn, source: tuple[str, ...], annotator: int) -> Annotation:
    edits: list[Edit] = []
    at = 0
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(at, len(source)))
        end = draw(st.integers(start, min(len(source), start + 3)))
        correction = tuple(draw(st.lists(words, max_size=3)))
        if draw(st.booleans()):  # something for minimisation
            correction = (*source[start:end][:1], *correction, *source[start:end][-1:])
        type_ = draw(st.sampled_from(["R:X", "M:Y", "U:Z", "UNK", "Um"]))
        edits.append(Edit(start, end, correction, type_))
        at = end
    return Annotation(annotator, tuple(edits))


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    source = tuple(draw(st.lists(words, max_size=8)))
    return Block(source, tuple(draw(annotations(source, n)) for n in range(draw(st.integers(0, 3)))))


def read(text: str) -> list[Block]:
    return list(parse_m2(text.split("\n"), "test.m2", FormatDeviations()))


def written(found: Iterable[Block]) -> str:
    return "".join(map(format_block, found))


def change(start: int, end: int, text: str = "x", type_: str = "R:A") -> Edit:
    return Edit(start, end, tuple(text.split()), type_)


def rewritten(source: str, *texts: str) -> Block:
    """Return a block with an annotator for each text, who replaces the whole source by it."""
    tokens = tuple(source.split())
    edits = [() if text == source else (change(0, len(tokens), text),) for text in texts]
    return Block(tokens, tuple(Annotation(number, own) for number, own in enumerate(edits)))


def texts(block: Block) -> list[tuple[str, ...]]:
    return [apply_edits(block.source, a.edits) for a in block.annotations]


def detections(block: Block) -> list[list[tuple[int, int, tuple[str, ...] | None]]]:
    return [[(e.start, e.end, e.correction) for e in a.edits if e.is_detection] for a in block.annotations]


def load_pairs(
    hypotheses: Sequence[M2Input], references: M2Input, strict: bool = False, refused: Collection[str] = ()
) -> list[Pair]:
    """Return systems with their references, all of them M2, as ``score`` reads them."""
    given = [held(one) for one in hypotheses]
    [pairs] = InStep(Inputs(given, references=[held(references)], strict=strict, only_m2=True), refused)
    return pairs
