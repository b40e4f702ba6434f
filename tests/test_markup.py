"""What values show of themselves in a notebook: elements, marks of letters, style, hostile text."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.display import visible_text
from jperrant.core.markup import STYLE, marked_letters
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.cleme.chunk_tables import chunk_tables
from jperrant.evaluation.metrics.registry import make_scorer
from jperrant.evaluation.metrics.uot.plans import SentencePlan

from .markup_reader import BLOCK, Balanced
from .strategies import blocks as block_values
from .strategies import examples


def test_html_of_a_block_shows_types_and_does_not_rest_on_colours() -> None:
    seen = Balanced(BLOCK._repr_html_())
    assert {"del", "ins"} <= set(seen.tags)
    assert "R:VERB:SVA" in seen.text
    assert re.search(r"\bdel{[^}]*line-through", BLOCK._repr_html_())
    assert re.search(r"\bins{[^}]*underline", BLOCK._repr_html_())


def test_style_applies_inside_our_elements_alone() -> None:
    rules = STYLE.removeprefix("<style>").removesuffix("</style>").split("}")[:-1]
    assert len(rules) > 15
    selectors = [one for rule in rules for one in rule.split("{")[0].split(",")]
    assert all(one.startswith(".jperrant ") for one in selectors)
    used = set(re.findall(r'class="?([\w ]+)', BLOCK._repr_html_())) - {"jperrant"}
    assert all(any(name in one for one in selectors) for names in used for name in names.split())


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("gramamtical", "grammatical", ("gram[am]tical", "gram[ma]tical")),
        ("sentence", "sentences", ("sentence", "sentence[s]")),
        ("are", "is", ("are", "is")),
        ("cafe\u0301s", "cafes", ("caf[e\u0301]s", "caf[e]s")),
        ("갔읍니다", "갔습니다", ("갔[읍]니다", "갔[습]니다")),
        ("a<b>c", "a<i>c", ("a&lt;[b]&gt;c", "a&lt;[i]&gt;c")),
        ("", "a", ("", "a")),
        ("aa", "aaa", ("aa", "aa[a]")),
    ],
)
def test_changed_letters_are_marked_where_most_stay(old: str, new: str, marked: tuple[str, str]) -> None:
    opening, closing = '<span class="letters">', "</span>"
    shown = tuple(side.replace(opening, "[").replace(closing, "]") for side in marked_letters(old, new))
    assert shown == marked


@given(st.text(max_size=12), st.text(max_size=12))
@examples(50)
def test_marked_letters_keep_the_text(old: str, new: str) -> None:
    for text, markup in zip((old, new), marked_letters(old, new), strict=True):
        assert "".join(Balanced(markup).text) == visible_text(text).replace("\r\n", "\n").replace("\r", "\n")


def test_the_best_of_several_systems_stands_out() -> None:
    sources, good = ["a b c d e"] * 2, ["a b c d x"] * 2
    scores = jperrant.score(
        {"A": [good[0], sources[0]], "B": good}, good, source=sources, metrics=["wer", "gleu"]
    )
    best = re.findall(r'<td class="number best">([^<]+)</td>', scores._repr_html_())
    assert best == [f"{scores['B', name].values[name]:.4f}" for name in ("wer", "gleu")], (
        "a lower WER is better"
    )
    assert "best" not in Balanced(scores[:1][0]._repr_html_()).text


def test_chunk_tables_and_plans_and_comparisons_show_themselves() -> None:
    hypothesis = replace(BLOCK, annotations=BLOCK.annotations[:1])
    cleme = make_scorer("cleme2")
    [table] = chunk_tables(cleme, Pair([hypothesis], [BLOCK], "<b>"))  # type: ignore[arg-type]
    seen = Balanced(table._repr_html_())
    assert "TP hit" in seen.text
    assert any("<b>, sentence 1" in text for text in seen.text)
    assert 'class="changed right"' in table._repr_html_()
    edits = BLOCK.annotations[0].edits
    masses = np.array([1.0, 0.5, 0.2])
    plan = SentencePlan(
        "A", 0, BLOCK.source, 0, 0, edits, edits, masses, masses, np.eye(3), np.diag(masses), {}, {}, {}
    )
    html = plan._repr_html_()
    assert "--mass:0.500" in html
    assert "are → is  R:VERB:SVA" in Balanced(html).text
    blocks = [replace(BLOCK, source=(*BLOCK.source, str(n))) for n in range(3)]
    [comparison] = jperrant.paired_tests(jperrant.score([blocks, blocks], blocks), samples=10, by_type=True)
    assert {"f", "M:DET", "R:VERB:SVA"} <= set(Balanced(comparison._repr_html_()).text)


def test_html_is_escaped() -> None:
    evil = "<script>alert('\"')</script>&"
    block = Block((evil,), (Annotation(0, (Edit(0, 1, (evil,), evil, alternatives=((evil,),)),)),))
    seen = Balanced(block._repr_html_())
    assert "script" not in seen.tags
    assert "".join(seen.text).count(evil) == 4
    scores = jperrant.score({evil: ["a c"]}, ["a c"], source=["a b"], metrics="wer")
    for html in (scores._repr_html_(), scores[0]._repr_html_()):
        seen = Balanced(html)
        assert "script" not in seen.tags
        assert evil in seen.text


@given(block=block_values())
def test_html_is_balanced(block: Block) -> None:
    Balanced(block._repr_html_())
