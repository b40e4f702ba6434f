"""Formats that carry every edit: tokens, types, overlaps and alternatives come back without a side file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus, ToolFormat, make_format
from jperrant.exchange.collect import Collector
from jperrant.exchange.marks import Document
from tests.exchange_files import texts_of
from tests.strategies import examples

TOKENS = st.text(st.sampled_from('ab{}|\\=>:n_é😀.,<&"'), min_size=1, max_size=5).filter(
    lambda t: "||" not in t
)
CORRECTIONS = st.lists(TOKENS, max_size=2).map(tuple)
WORDS = st.lists(st.text(st.sampled_from("ab{}\\=>:<"), min_size=1, max_size=3), min_size=1, max_size=2).map(
    tuple
)
#: Every format that needs no side file for edits, and the option that says that texts are tokens.
FORMATS = ["ua-gec:text=tokens", "bea-json:text=tokens", "clc-xml:text=tokens", "iceec-tei", "svala"]


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    """Return a sentence with edits that may overlap."""
    source = tuple(draw(st.lists(TOKENS, min_size=1, max_size=4)))
    edits = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(source)))
        end = draw(st.integers(start, len(source)))
        type_ = draw(TOKENS)
        if draw(st.booleans()):
            edits.append(Edit(start, end, draw(CORRECTIONS), type_))
        elif draw(st.booleans()):
            edits.append(Edit(start, end, None, "UNK"))
        else:
            edits.append(Edit(start, end, draw(WORDS), type_, alternatives=(draw(WORDS),)))
    return Block(source, (Annotation(0, tuple(sorted(edits, key=lambda e: (e.start, e.end)))),))


@pytest.mark.parametrize("name", FORMATS)
@examples(25)
@given(sentences=st.lists(blocks(), min_size=1, max_size=3))
def test_edits_come_back(name: str, tmp_path_factory: pytest.TempPathFactory, sentences: list[Block]) -> None:
    folder, made = tmp_path_factory.mktemp("any"), make_format(name)
    assert isinstance(made, ToolFormat)
    for file, content in made.export(Corpus((Document("d", tuple(sentences)),))).items():
        (folder / (file or "d.jsonl")).write_text("".join(content), encoding="utf-8")
    path = folder if not made.suffix else folder / "d.jsonl"
    back = [block for block, _ in Collector().blocks(texts_of(made, str(path)))]
    # SVALA's edges do not overlap, so edits of one place stand apart there, and their order is lost.
    by_content = name == "svala"
    assert [_sorted(block, by_content) for block in back] == [
        _sorted(block, by_content) for block in sentences
    ]


def _sorted(block: Block, by_content: bool) -> Block:
    """Return a block with its edits in order; edits of one place keep theirs, or are ordered too."""
    [annotation] = block.annotations
    edits = sorted(annotation.edits, key=lambda e: (e.start, e.end, repr(e) if by_content else ""))
    return Block(block.source, (Annotation(0, tuple(edits)),))
