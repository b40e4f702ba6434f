import itertools
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.alignment.documents import align_blocks
from jperrant.alignment.projection import merge_blocks, project_block, witnesses
from jperrant.core.edits import apply_edits
from jperrant.core.errors import InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.io.m2 import read_m2
from tests.strategies import annotations, blocks, examples

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
TOKENS = st.text(alphabet="abc.é", min_size=1, max_size=4)


def block(source, *edits, annotator=0):
    made = [Edit(s, e, None if c is None else tuple(c.split()), t) for s, e, c, t in edits]
    return Block(tuple(source.split()), (Annotation(annotator, tuple(made)),))


def edits_of(blk, annotator=0):
    return [
        (e.start, e.end, None if e.correction is None else " ".join(e.correction), e.type)
        for e in blk.annotation(annotator).edits
    ]


def bare(tokens):
    return "".join(tokens)


@st.composite
def retokenised(draw, text):
    """Cut a text into tokens in some way."""
    cuts = sorted(draw(st.sets(st.integers(1, len(text) - 1)))) if len(text) > 1 else []
    marks = [0, *cuts, len(text)]
    return tuple([text[a:b] for a, b in itertools.pairwise(marks) if a < b])


@examples(300)
@given(st.data())
def test_projection_keeps_the_corrected_text(data):
    before = data.draw(blocks())
    tokens = data.draw(retokenised(bare(before.source)))
    known = (
        witnesses(Block(tokens, (data.draw(annotations(0, len(tokens))),)))
        if data.draw(st.booleans())
        else {}
    )
    after = project_block(before, tokens, known).block
    assert after.source == tokens
    assert [a.annotator for a in after.annotations] == [a.annotator for a in before.annotations]
    for old, new in zip(before.annotations, after.annotations, strict=True):
        assert bare(apply_edits(before.source, old.edits)) == bare(apply_edits(tokens, new.edits))
        assert list(new.edits) == sorted(new.edits, key=lambda e: (e.start, e.end))
        assert all(e.correction is None or all(e.correction) for e in new.edits)
        detections = [sum(e.is_detection for e in a.edits) for a in (old, new)]
        assert detections[0] == detections[1]


def nfd(text):
    return unicodedata.normalize("NFD", text)


def decomposed(tokens):
    return tuple(map(nfd, tokens))


def composed(tokens):
    return unicodedata.normalize("NFC", bare(tokens))


@examples(200)
@given(st.data())
def test_projection_between_composed_and_decomposed_text_loses_nothing(data):
    before = data.draw(blocks())
    tokens = data.draw(retokenised(bare(before.source)))
    expected = [composed(apply_edits(before.source, a.edits)) for a in before.annotations]
    for source, target in [(decomposed(before.source), tokens), (before.source, decomposed(tokens))]:
        after = project_block(replace(before, source=source), target).block
        assert after.source == target
        assert [composed(apply_edits(target, a.edits)) for a in after.annotations] == expected


@given(blocks(), st.sampled_from([tuple, decomposed]))
def test_projection_to_the_same_tokens_in_any_form_changes_no_edit(before, form):
    projected = project_block(replace(before, source=form(before.source)), before.source)
    assert projected.block == before
    assert not any(projected.counts.values())


@given(blocks(), st.lists(TOKENS, max_size=8))
def test_projection_to_another_text_gives_edits_that_can_be_applied(before, tokens):
    projected = project_block(before, tokens)
    for annotation in projected.block.annotations:
        apply_edits(tokens, annotation.edits)


@given(st.lists(blocks(), min_size=1, max_size=5))
def test_merging_keeps_the_corrected_text_of_every_annotator(parts):
    merged = merge_blocks(parts)
    names = {a.annotator for part in parts for a in part.annotations}
    assert [a.annotator for a in merged.annotations] == sorted(names)
    for name in names:
        found = [part.annotation(name) or Annotation(name) for part in parts]
        expected = [t for p, a in zip(parts, found, strict=True) for t in apply_edits(p.source, a.edits)]
        assert list(apply_edits(merged.source, merged.annotation(name).edits)) == expected
        assert len(merged.annotation(name).edits) == sum(len(a.edits) for a in found)


def test_a_span_outside_its_block_never_touches_the_next():
    merged = merge_blocks([block("a b", (1, 9, "x", "R:X")), block("c d")])
    assert edits_of(merged) == [(1, 2, "x", "R:X")]


@pytest.mark.parametrize(
    ("before", "tokens", "expected"),
    [
        # A boundary inside a token snaps outward; the rest of the token completes the correction.
        (block("I do n't know", (2, 3, "not", "R:CONTR")), "I don't know", [(1, 2, "donot", "R:CONTR")]),
        (block("the end .", (2, 3, "!", "R:PUNCT")), "the end.", [(1, 2, "end!", "R:PUNCT")]),
        (block("the end .", (2, 2, "now", "M:ADV")), "the end.", [(1, 2, "endnow.", "M:ADV")]),
        (block("the end .", (2, 3, "", "U:PUNCT")), "the end.", [(1, 2, "end", "U:PUNCT")]),
        # Finer tokens: what stays equal at the ends is no part of the edit.
        (block("I don't know", (1, 2, "do not", "R:CONTR")), "I do n't know", [(2, 3, "not", "R:CONTR")]),
        (block("I don't know", (1, 2, "do n't", "R:ORTH")), "I do n't know", []),
        # Two edits inside one token become one.
        (block("do n't", (0, 1, "did", "R:VERB"), (1, 2, "not", "R:CONTR")), "don't",
         [(0, 1, "didnot", "R:OTHER")]),
        (block("do n't", (0, 1, "did", "R:V"), (1, 2, "not", "R:V")), "don't", [(0, 1, "didnot", "R:V")]),
        (block("do n't", (0, 0, "x", "M:V"), (1, 2, "", "U:V")), "don't",
         [(0, 0, "x", "M:V"), (0, 1, "do", "U:V")]),
        # Other text: an edit of a differing stretch takes all of it; text of one side belongs to no edit.
        (block("I can not go", (1, 3, "could", "R:V")), "I can't go", [(1, 2, "could", "R:V")]),
        (block("A big cat", (2, 3, "dog", "R:N")), "A big old cat", [(3, 4, "dog", "R:N")]),
        (block("A big old cat", (2, 3, "", "U:A")), "A big cat", []),
        # Marking an error without correcting it collides with nothing.
        (block("do n't", (0, 1, None, "UNK"), (1, 2, "not", "R:V")), "don't",
         [(0, 1, None, "UNK"), (0, 1, "donot", "R:V")]),
        # A decomposed reference stays as it is; only what completes a correction is written anew.
        (block("néà évry !", (0, 2, "né à Paris", "R:X"), (2, 3, ".", "R:PUNCT")), nfd("né à évry !"),
         [(2, 3, "Paris", "R:X"), (3, 4, ".", "R:PUNCT")]),
        (block("a né b", (0, 1, "x", "R:X"), (2, 3, "y", "R:X")), nfd("ané b"),
         [(0, 1, "xné", "R:X"), (1, 2, "y", "R:X")]),
    ],
)  # fmt: skip
def test_projection_examples(before, tokens, expected):
    assert edits_of(project_block(before, tokens.split()).block) == expected


def test_a_reference_edit_tells_the_spacing():
    hyp = block("I do n't know", (2, 3, "not", "R:CONTR"))
    ref = block("I don't know", (1, 2, "do not", "R:OTHER"))
    assert edits_of(project_block(hyp, ref.source, witnesses(ref)).block) == [(1, 2, "do not", "R:CONTR")]


def test_alternatives_are_completed_too():
    edit = Edit(1, 2, ("not",), "R:CONTR", alternatives=(("never",), ()))
    after = project_block(Block(("do", "n't"), (Annotation(0, (edit,)),)), ("don't",)).block
    assert after.annotations[0].edits == (
        Edit(0, 1, ("donot",), "R:CONTR", alternatives=(("donever",), ("do",))),
    )


def test_documents_with_other_boundaries_and_tokens():
    hyp = [block("I do n't know . He go", (6, 7, "goes", "R:V")), block("home . Bye .")]
    ref = [block("I don't know ."), block("He go home .", (1, 2, "goes", "R:V")), block("Bye .")]
    aligned = align_blocks(hyp, ref)
    tokens = ("I", "don't", "know", ".", "He", "go", "home", ".", "Bye", ".")
    assert [b.source for b in aligned.hyp] == [b.source for b in aligned.ref] == [tokens]
    assert edits_of(aligned.hyp[0]) == edits_of(aligned.ref[0]) == [(5, 6, "goes", "R:V")]
    assert aligned.groups == (((1, 2, 3), (1, 2)),)
    assert aligned.shapes == {"3-2": 1}
    assert (aligned.counts["retokenised"], aligned.counts["unaligned"], aligned.similarity) == (1, 0, 1)


def test_a_sentence_on_one_side_only_counts_as_missed_or_false():
    same = block("This is the sentence that both have .", annotator=1)
    hyp = [same, block("The hypothesis alone has this .", (0, 1, "A", "R:DET"), annotator=1), same]
    ref = [block("Only the reference knows what this says .", (0, 1, "Just", "R:ADV")), same, same]
    aligned = align_blocks(hyp, ref)
    assert aligned.counts["unaligned"] == 2
    assert aligned.groups == (((1,), ()), ((2,), (1,)), ((), (2,)), ((3,), (3,)))
    assert [b.source for b in aligned.hyp] == [b.source for b in aligned.ref]
    assert aligned.hyp[0].annotations == (Annotation(1),)
    assert aligned.ref[2].annotations == (Annotation(0), Annotation(1))
    assert edits_of(aligned.hyp[2], 1) == [(0, 1, "A", "R:DET")]


def test_equal_blocks_come_back_as_they_are():
    ref = list(read_m2(str(CONLL14 / "conll14.errant")))[:300]
    hyp = list(read_m2(str(CONLL14 / "conll14-AMU.errant")))[:300]
    aligned = align_blocks(hyp, ref)
    assert (list(aligned.hyp), list(aligned.ref)) == (hyp, ref)
    assert aligned.shapes == {"1-1": 300}
    assert aligned.similarity == 1


def test_bad_input():
    with pytest.raises(UsageError, match=r"did you mean 'gale-church'.*expected one of jp, gale-church"):
        align_blocks([], [], "gale_church")
    hyp = [block("The same start ."), block("01 234567 89 0 12345 6789 0123456789 0123456789")]
    ref = [block("The same start ."), block("Here it goes on one way for a while .")]
    problem = (
        r"^ref\.m2 and hyp\.m2 are not the same text.*first differ at sentence 2, character 1 of ref\.m2: "
        r"'Hereitgoesononewayfo' and sentence 2, character 1 of hyp\.m2: '01234567890123456789'.*$"
    )
    with pytest.raises(InputError, match=problem):
        align_blocks(hyp, ref, hyp_name="hyp.m2", ref_name="ref.m2")
    assert align_blocks([], []).groups == ()
