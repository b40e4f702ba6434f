"""What values show of themselves in a notebook: blocks with their edits, tables, hostile text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

import jperrant
from jperrant.core.values import Annotation, Block, Edit
from tests.markup_reader import BLOCK, Balanced
from tests.strategies import blocks as block_values


def test_a_block_shows_what_each_annotator_deleted_and_inserted() -> None:
    assert BLOCK._repr_html_() == (
        '<p dir="auto">annotator 0: This <del>are</del> <ins>is</ins> <sub>R:VERB:SVA</sub> <ins>a</ins> '
        "<sub>M:DET</sub> gramamtical sentence <del>.</del> <sub>U:PUNCT</sub></p>"
        '<p dir="auto">annotator 1: This are gramamtical sentence . (no changes)</p>'
    )


@pytest.mark.parametrize(
    ("edit", "shown"),
    [
        (Edit(1, 2, None, "UNK"), "He <mark>go</mark> <sub>UNK</sub>"),
        (Edit(2, 2, None, "UNK"), "He go <sub>UNK</sub>"),
        (
            Edit(1, 2, ("goes",), "R:VERB", alternatives=(("went",), ())),
            "He <del>go</del> <ins>goes</ins> or <ins>went</ins> or <ins>∅</ins> <sub>R:VERB</sub>",
        ),
    ],
)
def test_edits_without_and_with_several_corrections(edit: Edit, shown: str) -> None:
    block = Block(("He", "go"), (Annotation(0, (edit,)),))
    assert block._repr_html_() == f'<p dir="auto">annotator 0: {shown}</p>'


def test_scores_and_comparisons_are_tables() -> None:
    blocks = [replace(BLOCK, source=(*BLOCK.source, str(n))) for n in range(3)]
    scores = jperrant.score([blocks, blocks], blocks)
    [comparison] = jperrant.paired_tests(scores, samples=10, by_type=True)
    assert {"f", "M:DET", "R:VERB:SVA"} <= set(Balanced(comparison._repr_html_()).text)
    assert "table" in Balanced(scores._repr_html_()).tags


def test_html_is_escaped() -> None:
    evil = "<script>alert('\"')</script>&"
    block = Block((evil,), (Annotation(0, (Edit(0, 1, (evil,), evil, alternatives=((evil,),)),)),))
    seen = Balanced(block._repr_html_())
    assert "script" not in seen.tags
    assert "".join(seen.text).count(evil) == 4
    assert "\u202e" not in Block(("a\u202eb",))._repr_html_()
    scores = jperrant.score({evil: ["a c"]}, ["a c"], source=["a b"], metrics="wer")
    for html in (scores._repr_html_(), scores[0]._repr_html_()):
        seen = Balanced(html)
        assert "script" not in seen.tags
        assert evil in seen.text


@given(block=block_values())
def test_html_is_balanced(block: Block) -> None:
    Balanced(block._repr_html_())
