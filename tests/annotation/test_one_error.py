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


@pytest.mark.parametrize(
    ("source", "target", "merging", "expected"),
    [
        ("voy a el parque", "voy al parque", "rules", [(1, 3, "al", "R:CONTR")]),
        ("je sais", "je ne sais pas", "rules", [(1, 2, "ne sais pas", "R:NEG")]),
        ("sais", "pas sais ne", "rules", [(0, 1, "pas sais ne", "R:OTHER")]),  # in either order
        ("el a b", "x b", "rules", [(0, 1, "", "U:OTHER"), (1, 2, "x", "R:OTHER")]),  # not in this order
        # two tokens between them
        ("je sais bien", "je ne sais bien pas", "rules", [(1, 1, "ne", "M:OTHER"), (3, 3, "pas", "M:OTHER")]),
        # one half of an error is not the error
        ("je sais", "je ne sais bien", "rules", [(1, 1, "ne", "M:OTHER"), (2, 2, "bien", "M:OTHER")]),
        ("je sais", "je ne sais pas", "all-split", [(1, 1, "ne", "M:OTHER"), (2, 2, "pas", "M:OTHER")]),
    ],
)
def test_what_is_joined(annotator, source, target, merging, expected):
    merged = Annotator(annotator.pack, annotator.parser, AnnotatorOptions(merging=merging))
    found = merged.annotate(source, target)
    assert [(e.start, e.end, " ".join(e.correction or ()), e.type) for e in found] == expected


TEXTS = st.lists(st.sampled_from(["je", "ne", "pas", "sais", "a", "el", "al", "b"]), min_size=1, max_size=8)


@examples(60)
@given(TEXTS, TEXTS)
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
