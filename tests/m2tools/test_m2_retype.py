"""Retyping M2: gold keeps the edits, auto keeps the corrected text."""

from __future__ import annotations

from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotation.annotator import Annotator, load
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.errors import FormatError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.m2tools.dialects import corrected_lines
from jperrant.m2tools.retype import retype_auto, retype_gold, retype_m2
from tests.m2_cases import SAMPLE, blocks, detections, read, texts, written
from tests.strategies import examples


@pytest.fixture(scope="module")
def plain() -> Annotator:
    """Annotates without models; types then say little, spans and texts are what they always are."""
    return load("fr", models="none")


@given(st.lists(blocks(), max_size=5), st.booleans(), st.integers(1, 3))
@examples(60)
def test_gold_keeps_the_texts(plain: Annotator, given_: list[Block], minimal: bool, batch: int) -> None:
    found = list(retype_gold(given_, plain, minimal=minimal, batch=batch))
    for old, new in zip(given_, found, strict=True):
        assert new.source == old.source
        assert [a.annotator for a in new.annotations] == [a.annotator for a in old.annotations]
        assert texts(new) == texts(old)
        for before, after in zip(old.annotations, new.annotations, strict=True):
            assert len(after.edits) == len(before.edits)
            for edit in after.edits:
                assert tuple(new.source[edit.start : edit.end]) != edit.correction or edit.type == "UNK"
                given = [(e.start, e.end, e.correction) for e in before.edits]
                assert minimal or (edit.start, edit.end, edit.correction) in given


@given(st.lists(blocks(), max_size=5), st.integers(1, 3))
@examples(60)
def test_auto_keeps_the_texts_and_the_detections(plain: Annotator, given_: list[Block], batch: int) -> None:
    found = list(retype_auto(given_, plain, batch=batch))
    for old, new in zip(given_, found, strict=True):
        assert texts(new) == texts(old)
        assert detections(new) == detections(old)
        assert [a.annotator for a in new.annotations] == [a.annotator for a in old.annotations]
        for annotation in new.annotations:
            places = [(e.start, e.end) for e in annotation.edits]
            assert places == sorted(places)


SAMPLE_AUTO = """\
S This are gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||3
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||3
A 2 3|||UNK|||-NONE-|||REQUIRED|||-NONE-|||3
A 2 3|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||3
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||10

"""


def test_auto_with_english_types(english: Annotator) -> None:
    assert written(retype_auto(read(SAMPLE), english)) == SAMPLE_AUTO
    kept = written(retype_auto(read(SAMPLE), english, old_types=True))
    assert kept == SAMPLE_AUTO.replace("|||UNK|||", "|||Um|||")


def test_given_spans_of_one_pair_are_told_apart(english: Annotator) -> None:
    # Two annotators reach the same text by different edits.
    one, two = (Edit(1, 2, ("goes",), "x"),), (Edit(1, 2, (), "x"), Edit(2, 2, ("goes",), "x"))
    block = Block(("She", "go", "home"), (Annotation(0, one), Annotation(1, two)))
    [found] = retype_gold([block], english)
    assert [[e.type[0] for e in a.edits] for a in found.annotations] == [["R"], ["U", "M"]]
    assert found.annotations[0].edits[0].type == "R:VERB:SVA"


def test_auto_without_edits_left_is_an_explicit_noop(plain: Annotator) -> None:
    block = Block(("a", "a"), (Annotation(0, (Edit(0, 0, ("a",), "x"), Edit(1, 2, (), "x"))),))
    [line] = written(retype_auto([block], plain)).splitlines()[1:-1]
    assert line == "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"
    # Given edits are kept where the text stays the same.
    [kept] = retype_gold([block], plain)
    assert [e.type[0] for e in kept.annotations[0].edits] == ["M", "U"]


def test_edits_that_cannot_be_applied_are_named(plain: Annotator) -> None:
    good = Block(("a",), (Annotation(0),))
    bad = Block(("a", "b"), (Annotation(2, (Edit(0, 2, ("x",), "t"), Edit(1, 2, ("y",), "t"))),))
    for retype in (retype_auto, retype_gold):
        with pytest.raises(FormatError, match=r"x\.m2: sentence 2, annotator 2: edit 1 2 .*overlaps"):
            list(retype([good, bad], plain, file="x.m2", batch=1))
    with pytest.raises(FormatError, match="outside"):
        list(corrected_lines([Block(("a",), (Annotation(0, (Edit(0, 4, (), "t"),)),))]))


def test_retype_settings() -> None:
    for both in (True, False):
        with pytest.raises(UsageError, match="auto=True and gold=True"):
            retype_m2([], AnnotatorOptions(), auto=both, gold=both)
    with pytest.raises(UsageError, match="batch"):
        list(retype_m2([], AnnotatorOptions(), auto=True, batch=0))
    # Old types need no models and no language.
    assert list(retype_m2([], AnnotatorOptions(lang="nowhere"), gold=True, old_types=True)) == []


def test_tools_stream(plain: Annotator) -> None:
    endless = cycle([Block(("a", "b"), (Annotation(0, (Edit(1, 2, ("c",), "t"),)),))])
    assert next(retype_auto(endless, plain)).source == ("a", "b")
    assert next(retype_gold(endless, plain)).source == ("a", "b")
    assert next(corrected_lines(endless)) == "a c"
