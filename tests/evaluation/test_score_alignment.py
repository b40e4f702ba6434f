"""Scoring of files whose sentences or tokens differ from those of the references."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant import Annotation, Block, Edit
from jperrant.evaluation.analysis import analyse
from jperrant.evaluation.metrics.base import Candidate, Pair
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.evaluation.statistics.ranking import rank_systems
from jperrant.evaluation.statistics.significance import paired_rows
from tests.commands import printed, refused

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
SAMPLE = 250


def sample(name: str) -> list[Block]:
    return list(jperrant.read_m2(str(CONLL14 / f"conll14{name}.errant")))[:SAMPLE]


REF, AMU, CAMB = sample(""), sample("-AMU"), sample("-CAMB")


def join(blocks: list[Block]) -> Block:
    """The joined block, written anew here as an oracle."""
    source: list[str] = []
    edits: dict[int, list[Edit]] = {}
    for block in blocks:
        for own in block.annotations:
            moved = [replace(e, start=e.start + len(source), end=e.end + len(source)) for e in own.edits]
            edits.setdefault(own.annotator, []).extend(moved)
        source += block.source
    return Block(tuple(source), tuple(Annotation(a, tuple(e)) for a, e in edits.items()))


def joined(blocks: list[Block], seed: int, rate: float = 0.2) -> list[Block]:
    """Return a copy in which sentences are joined to the one before at this rate."""
    rng, pieces = random.Random(seed), [blocks[:1]]
    for one in blocks[1:]:
        if rng.random() < rate:
            pieces[-1].append(one)
        else:
            pieces.append([one])
    return [join(piece) for piece in pieces]


def groups_of(hyp: list[Block], ref: list[Block]) -> list[tuple[int, int]]:
    """Ranges of reference blocks between the token offsets at which both sides have a boundary."""
    ours = set(accumulate(len(b.source) for b in hyp))
    ends = [n for n, at in enumerate(accumulate(len(b.source) for b in ref), start=1) if at in ours]
    return list(pairwise([0, *ends]))


def block(text: str, *edits: Edit) -> Block:
    return Block(tuple(text.split()), (Annotation(0, edits),))


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("system", [AMU, CAMB], ids=["AMU", "CAMB"])
@pytest.mark.parametrize("mode", ["cs", "cse", "ds", "dt"])
@pytest.mark.parametrize("exact", [False, True])
def test_copies_score_as_what_lies_between_common_boundaries(
    system: list[Block], mode: str, exact: bool
) -> None:
    scorer = ErrantScorer(mode=mode, exact=exact)
    for seed in range(3):
        hyp, ref = joined(system, seed), joined(REF, seed + 3)
        spans = groups_of(hyp, ref)
        sides = [join(hyp[a:b]) for a, b in groups_of(ref, hyp)], [join(ref[a:b]) for a, b in spans]
        [expected] = evaluate(scorer, [Pair(*sides)])
        [found] = jperrant.score(hyp, ref, metrics=scorer)
        assert (found.counts, found.by_type) == (expected.counts, expected.by_type)
        assert found.spans == tuple(spans)
        told = [o["reference_sentences"] for o in found.sentence_dicts()]
        assert told == [list(range(1 + start, 1 + end)) for start, end in spans]


def test_a_dropped_line_counts_as_missed() -> None:
    edited = [n for n, b in enumerate(REF) if all(a.edits for a in b.annotations)]
    for at in (edited[0], edited[len(edited) // 2], edited[-1]):
        unchanged = [*AMU[:at], Block(AMU[at].source, (Annotation(0),)), *AMU[at + 1 :]]
        [expected], [found] = (jperrant.score(side, REF) for side in (unchanged, AMU[:at] + AMU[at + 1 :]))
        assert found.counts == expected.counts
        assert found.combined[at].row[2] > 0
        assert "1 unaligned (their edits count as missed or wrong)" in found.warnings[0]


def test_an_added_line_counts_as_wrong() -> None:
    extra = block("a sentence beyond everything else", Edit(0, 1, ("b",), "R:X"), Edit(2, 3, (), "U:X"))
    [base], [found] = jperrant.score(AMU, REF), jperrant.score([*AMU[:9], extra, *AMU[9:]], REF)
    assert found.counts == {**base.counts, "fp": base.counts["fp"] + 2}
    assert found.spans[8:11] == ((8, 9), (9, 9), (9, 10))


def test_other_tokens_are_projected_onto_the_references() -> None:
    ref = [block("He don't know .", Edit(1, 2, ("doesn't",), "R:VERB:SVA")), block("Yes .")]
    [found] = jperrant.score([block("He do n't know . Yes .", Edit(1, 2, ("does",), "R:VERB:SVA"))], ref)
    assert found.counts == {"tp": 1, "fp": 0, "fn": 0}
    assert "aligned 1 sentence to 2: 1 group, 1 with different tokens" in found.warnings[0]


def test_a_missing_annotator_is_said() -> None:
    edit = Edit(0, 1, ("It",), "R:PRON")
    ref = [block("One .", edit), Block(("Two", "is", "."), (Annotation(0), Annotation(1, (edit,))))]
    [found] = jperrant.score([block("One . Two is .", edit)], ref)
    assert found.counts == {"tp": 1, "fp": 0, "fn": 0}
    assert "1 with an annotator missing in a part (read as unchanged there)" in found.warnings[0]


def test_a_table_says_whose_signature_names_the_alignment() -> None:
    table = str(jperrant.score([[join(AMU[:2]), *AMU[2:]], CAMB], REF))
    start = "errant|mode:cs|beta:0.5|"
    lines = [line.removeprefix(start) for line in table.splitlines() if line.startswith(start)]
    assert [line.startswith("align:jp|") for line in lines] == [True, False]
    assert [line.rpartition(" ")[2] for line in lines] == ["1)", "2)"], "hypothesis 1, hypothesis 2"
    alike = str(jperrant.score([AMU, CAMB], REF)).splitlines()
    assert [line for line in alike if line.startswith(start)] == [f"{start}refs:2|v:{jperrant.__version__}"]


@pytest.mark.parametrize("command", ["compare {} {}", "score {} --ref {}", "align {} {} -o new"])
def test_another_text_is_refused(tmp_path: Path, command: str) -> None:
    ours, theirs = tmp_path / "ours.m2", tmp_path / "theirs.m2"
    jperrant.write_m2([block("The cat sat on the mat .")], ours)
    jperrant.write_m2([block("The prime number 11 is odd .")], theirs)
    message = refused(*command.format(ours, theirs).split())
    assert "are not the same text" in message
    assert f"sentence 1, character 4 of {theirs}: 'primenumber11isodd.'" in message
    assert f"sentence 1, character 4 of {ours}: 'catsatonthemat.'" in message
    assert not Path("new").exists()


def test_systems_with_other_groups_score_as_alone_and_are_compared() -> None:
    systems = [AMU, joined(CAMB, 1), joined(CAMB, 1, 0.05), joined(AMU, 1)]
    scores = jperrant.score(systems, REF)
    for system, found in zip(systems, scores, strict=True):
        [alone] = jperrant.score(system, REF)
        assert (found.counts, found.sentences) == (alone.counts, alone.sentences)
    assert len(rank_systems(scores)) == 4
    extras = analyse(scores, ci=True, paired_bs=True, paired_ar=True, samples=200)
    for found, extra in zip(scores[1:], extras[1:], strict=True):
        for comparison in extra.comparisons:
            assert comparison.differences["f"].value == found.values["f"] - scores[0].values["f"]
            assert 0 < comparison.differences["f"].p <= 1


@st.composite
def spans(draw: st.DrawFn, size: int) -> tuple[tuple[int, int], ...]:
    ends = sorted({*draw(st.lists(st.integers(1, size))), size})
    inserted = draw(st.lists(st.sampled_from([0, *ends]), max_size=3))
    return tuple(sorted([*pairwise([0, *ends]), *((at, at) for at in inserted)]))


@given(st.data(), st.integers(1, 12), st.integers(1, 4))
def test_paired_rows_are_about_the_same_references(data: st.DataObject, size: int, systems: int) -> None:
    scores, told = [], []
    for _ in range(systems):
        own = data.draw(spans(size))
        # Each row counts the reference sentences it stands for.
        candidates = [(Candidate(0, 0, (end - start, 1, 0)),) for start, end in own]
        scores.append(Score(ErrantScorer(), "", "", candidates, tuple(c for (c,) in candidates), spans=own))
        told.append({end for _, end in own if end})
    rows = paired_rows(scores)
    lengths = np.diff([0, *sorted(set.intersection(*told))])
    for score_, own_rows in zip(scores, rows, strict=True):
        assert (own_rows[:, 0] == lengths).all()
        assert own_rows[:, 1].sum() == score_.sentences


def test_aligned_files_score_as_the_files_did(tmp_path: Path) -> None:
    jperrant.write_m2(REF, tmp_path / "ref.m2")
    jperrant.write_m2(joined(AMU, 5), tmp_path / "hyp.m2")
    printed("align", tmp_path / "hyp.m2", tmp_path / "ref.m2", "-o", tmp_path / "out")
    [before], [after] = (jperrant.score(f / "hyp.m2", f / "ref.m2") for f in (tmp_path, tmp_path / "out"))
    assert before.counts == after.counts
    assert not after.spans


def test_joined_edits_have_the_type_they_share_or_none() -> None:
    """Two edits that become one, and a line that says so."""
    went, home = Edit(1, 2, ("went",), "R:SPELL"), Edit(2, 3, ("home",), "R:ORTH")
    gold = [block("He wnet hom", went, home)]
    for second, by_type in (
        ("R:VERB", {"R:OTHER": (0, 1, 0), "R:SPELL": (0, 0, 1), "R:ORTH": (1, 0, 0)}),
        ("R:NOUN", {"R:NOUN": (0, 1, 0), "R:SPELL": (0, 0, 1), "R:ORTH": (1, 0, 0)}),
    ):
        halves = Edit(1, 2, ("we",), "R:NOUN"), Edit(2, 3, ("nt",), second), replace(home, start=3, end=4)
        [found] = jperrant.score([block("He wn et hom", *halves)], gold, metrics="errant:mode=cse")
        assert found.by_type == by_type
        assert ("1 edit merged from edits of different types" in found.warnings[0]) == (second == "R:VERB")
