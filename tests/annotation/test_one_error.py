"""Two edits that are one error: what a pack joins, and what is wrong with what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.pack_check import check_pack
from jperrant.core.edits import apply_edits
from jperrant.core.values import Sentence
from tests.strategies import examples

PACK = """\
code: xx
extends: generic
labels: {NEG: negation, CONTR: contraction}
groups: {NEG: particle, CONTR: adposition}
one_error:
  - name: contraction
    edits: [{operation: [R, U], source: {word: a}}, {operation: [R, U], source: {word: el}}]
    ordered: true
  - name: negation on both sides of the verb
    edits: [{operation: M, target: {word: ne}}, {operation: M, target: {word: pas}}]
    within: 1
rules:
  - {type: CONTR, when: {source: {text: a el}, target: {text: al}}}
  - {type: NEG, when: {target: {first: {word: ne}, last: {word: pas}}}}
"""


@pytest.fixture(scope="module")
def annotator(tmp_path_factory):
    folder = tmp_path_factory.mktemp("xx")
    (folder / "pack.yaml").write_text(PACK, "utf-8")
    return jperrant.load(pack=str(folder), models="none")


def edits(annotator, source: str, target: str) -> list[tuple[int, int, str, str]]:
    found = annotator.annotate(source, target)
    return [(e.start, e.end, " ".join(e.correction or ()), e.type) for e in found]


def test_what_is_joined(annotator):
    assert edits(annotator, "voy a el parque", "voy al parque") == [(1, 3, "al", "R:CONTR")]
    assert edits(annotator, "je sais", "je ne sais pas") == [(1, 2, "ne sais pas", "R:NEG")]


def test_what_is_not(annotator):
    apart = [(1, 1, "ne", "M:OTHER"), (3, 3, "pas", "M:OTHER")]
    assert edits(annotator, "je sais bien", "je ne sais bien pas") == apart  # two tokens between them
    assert [e[:3] for e in edits(annotator, "el a b", "b")] == [
        (0, 2, "")
    ]  # not in this order, one run anyway
    split = Annotator(annotator.pack, annotator.parser, AnnotatorOptions(merging="all-split"))
    assert edits(split, "je sais", "je ne sais pas") == [(1, 1, "ne", "M:OTHER"), (2, 2, "pas", "M:OTHER")]


def test_one_half_of_an_error_is_not_the_error(annotator):
    assert edits(annotator, "je sais", "je ne sais bien") == [
        (1, 1, "ne", "M:OTHER"),
        (2, 2, "bien", "M:OTHER"),
    ]
    assert edits(annotator, "je sais", "je y sais pas") == [(1, 1, "y", "M:OTHER"), (2, 2, "pas", "M:OTHER")]
    assert edits(annotator, "sais", "pas sais ne") == [(0, 1, "pas sais ne", "R:OTHER")]  # in either order


@examples(60)
@given(
    *[st.lists(st.sampled_from(["je", "ne", "pas", "sais", "a", "el", "al", "b"]), min_size=1, max_size=8)]
    * 2
)
def test_applying_the_edits_gives_the_correction(annotator, source, target):
    found = annotator.annotate(Sentence.from_forms(source), Sentence.from_forms(target))
    assert list(apply_edits(source, found)) == target


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("{edits: [{operation: U}]}", "expected two mappings of conditions"),
        ("{name: x, edits: [{operation: U}, {operatoin: M}]}",
         "one_error[0] (x): unknown condition 'operatoin'"),
        ("{edits: [{operation: U}, {operation: M}], within: far}", "expected a number of tokens from 0"),
        ("{edits: [{operation: U}, {operation: M}], ordred: true}",
         "unknown key 'ordred' (did you mean 'ordered'?)"),
        ("{edits: [{operation: U}, {operation: M}], ordered: maybe}", "expected true or false"),
        ("3", "one_error[0]: found 3, expected a mapping"),
    ],
)  # fmt: skip
def test_what_is_wrong(tmp_path, entry, problem):
    (tmp_path / "pack.yaml").write_text(f"code: xx\nextends: generic\none_error:\n- {entry}\n", "utf-8")
    (line,) = check_pack(str(tmp_path)).problems
    assert problem in line
    assert "pack.yaml" in line
