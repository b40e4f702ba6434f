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
from typer.testing import CliRunner, Result

import jperrant
from jperrant import Annotation, Block, Edit
from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError
from jperrant.evaluation.analysis import analyse
from jperrant.evaluation.metrics.base import Candidate, Pair
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.evaluation.statistics.ranking import rank_systems
from jperrant.evaluation.statistics.significance import paired_rows, paired_tests

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
SAMPLE = 250


def sample(name: str) -> list[Block]:
    return list(jperrant.read_m2(str(CONLL14 / f"conll14{name}.errant")))[:SAMPLE]


REF, AMU, CAMB = sample(""), sample("-AMU"), sample("-CAMB")


def shifted(block: Block, by: int) -> list[tuple[int, list[Edit]]]:
    return [
        (a.annotator, [replace(e, start=e.start + by, end=e.end + by) for e in a.edits])
        for a in block.annotations
    ]


def join(blocks: list[Block]) -> Block:
    """The joined block, written anew here as an oracle."""
    source: list[str] = []
    edits: dict[int, list[Edit]] = {}
    for block in blocks:
        for annotator, found in shifted(block, len(source)):
            edits.setdefault(annotator, []).extend(found)
        source += block.source
    return Block(tuple(source), tuple(Annotation(a, tuple(e)) for a, e in edits.items()))


def split(block: Block, at: int) -> list[Block]:
    """The block in two, if no edit stands over or at the cut."""
    if not 0 < at < len(block.source):
        return [block]
    if any(e.start <= at <= e.end for a in block.annotations for e in a.edits):
        return [block]
    left = tuple(Annotation(a.annotator, tuple(e for e in a.edits if e.end < at)) for a in block.annotations)
    right = tuple(
        Annotation(
            a.annotator,
            tuple(replace(e, start=e.start - at, end=e.end - at) for e in a.edits if e.start > at),
        )
        for a in block.annotations
    )
    return [Block(block.source[:at], left), Block(block.source[at:], right)]


def resegmented(blocks: list[Block], seed: int, rate: float = 0.2) -> list[Block]:
    rng = random.Random(seed)
    pieces: list[Block] = []
    for block in blocks:
        parts = split(block, rng.randrange(len(block.source) + 1)) if rng.random() < rate else [block]
        if pieces and rng.random() < rate:
            pieces[-1] = join([pieces[-1], parts.pop(0)])
        pieces += parts
    return pieces


def groups_of(hyp: list[Block], ref: list[Block]) -> list[tuple[int, int]]:
    """Ranges of reference blocks between the token offsets at which both sides have a boundary."""
    ours = set(accumulate(len(b.source) for b in hyp))
    ends = [n for n, at in enumerate(accumulate(len(b.source) for b in ref), start=1) if at in ours]
    return list(pairwise([0, *ends]))


def cli(*args: str) -> Result:
    return CliRunner().invoke(app, list(args))


def write(path: Path, blocks: list[Block]) -> str:
    with path.open("w", encoding="utf-8") as stream:
        jperrant.write_m2(blocks, stream)
    return str(path)


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("system", [AMU, CAMB], ids=["AMU", "CAMB"])
@pytest.mark.parametrize("mode", ["cs", "cse", "ds", "dt"])
@pytest.mark.parametrize("exact", [False, True])
def test_resegmented_copies_score_as_the_joined_blocks(system: list[Block], mode: str, exact: bool) -> None:
    for seed in range(3):
        copy = resegmented(system, seed)
        spans = groups_of(copy, REF)
        assert 0 < len(spans) < SAMPLE
        scorer = ErrantScorer(mode=mode, exact=exact)
        pair = Pair([join(system[a:b]) for a, b in spans], [join(REF[a:b]) for a, b in spans])
        [expected] = evaluate(scorer, [pair])
        [found] = jperrant.score(copy, REF, metrics=ErrantScorer(mode=mode, exact=exact))
        assert found.counts == expected.counts
        assert found.by_type == expected.by_type
        assert found.spans == tuple(spans)


def test_a_dropped_line_counts_as_missed() -> None:
    edited = [n for n, b in enumerate(REF) if all(a.edits for a in b.annotations)]
    for at in (edited[0], edited[len(edited) // 2], edited[-1]):
        copy = AMU[:at] + AMU[at + 1 :]
        unchanged = [*AMU]
        unchanged[at] = Block(AMU[at].source, (Annotation(0),))
        [expected], [found] = jperrant.score(unchanged, REF), jperrant.score(copy, REF)
        assert found.counts == expected.counts
        assert found.combined[at].row[2] > 0
        assert "1 unaligned (their edits count as missed or wrong)" in found.warnings[0]


def test_an_added_line_counts_as_wrong() -> None:
    edits = (Edit(0, 1, ("b",), "R:X"), Edit(2, 3, (), "U:X"))
    extra = Block(("a", "sentence", "beyond", "everything", "else"), (Annotation(0, edits),))
    [base], [found] = jperrant.score(AMU, REF), jperrant.score([*AMU[:9], extra, *AMU[9:]], REF)
    assert found.counts == {**base.counts, "fp": base.counts["fp"] + 2}
    assert found.spans[8:11] == ((8, 9), (9, 9), (9, 10))


def test_other_tokens_are_projected_onto_the_references() -> None:
    def block(text: str, *edits: Edit) -> Block:
        return Block(tuple(text.split()), (Annotation(0, edits),))

    ref = [block("He don't know .", Edit(1, 2, ("doesn't",), "R:VERB:SVA")), block("Yes .")]
    hyp = [block("He do n't know . Yes .", Edit(1, 2, ("does",), "R:VERB:SVA"))]
    [found] = jperrant.score(hyp, ref)
    assert found.counts == {"tp": 1, "fp": 0, "fn": 0}
    [warning] = found.warnings
    assert "aligned 1 sentence to 2: 1 group, 1 with different tokens" in warning


def test_a_missing_annotator_is_said() -> None:
    one, two = Block(("One", ".")), Block(("Two", "is", "."))
    edit = Edit(0, 1, ("It",), "R:PRON")
    ref = [
        replace(one, annotations=(Annotation(0, (edit,)),)),
        replace(two, annotations=(Annotation(0), Annotation(1, (edit,)))),
    ]
    [found] = jperrant.score([Block(one.source + two.source, (Annotation(0, (edit,)),))], ref)
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


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    ref, empty = write(tmp_path / "ref.m2", REF), write(tmp_path / "empty.m2", [])
    with pytest.raises(FormatError, match=r"empty\.m2: found no sentences"):
        jperrant.score(empty, ref)
    with pytest.raises(FormatError, match=r"empty\.m2: found no sentences"):
        jperrant.align(ref, empty)


@pytest.mark.parametrize("command", ["compare", "score"])
def test_another_text_is_refused(tmp_path: Path, command: str) -> None:
    ours = write(tmp_path / "ours.m2", [Block(("The", "cat", "sat", "on", "the", "mat", "."))])
    theirs = write(tmp_path / "theirs.m2", [Block(("The", "prime", "number", "11", "is", "odd", "."))])
    found = cli(command, ours, *(["--ref"] if command == "score" else []), theirs)
    assert isinstance(found.exception, InputError)
    message = str(found.exception)
    assert "are not the same text" in message
    assert f"sentence 1, character 4 of {theirs}: 'primenumber11isodd.'" in message
    assert f"sentence 1, character 4 of {ours}: 'catsatonthemat.'" in message
    assert found.stdout == ""


def test_each_system_scores_in_company_as_alone() -> None:
    sides = [AMU, resegmented(CAMB, 1), resegmented(AMU, 2), CAMB]
    together = jperrant.score(sides, REF)
    for side, found in zip(sides, together, strict=True):
        [alone] = jperrant.score(side, REF)
        assert (found.counts, found.sentences) == (alone.counts, alone.sentences)


def test_paired_tests_of_systems_with_other_groups() -> None:
    scores = jperrant.score([AMU, resegmented(CAMB, 1), resegmented(CAMB, 1, 0.05)], REF)
    rows = paired_rows(scores)
    common = set.intersection(*({end for _, end in s.spans} for s in scores[1:]))
    assert {len(r) for r in rows} == {len(common)}
    for score_, own in zip(scores, rows, strict=True):
        assert tuple(own.sum(axis=0)) == score_.total
    assert len(rank_systems(scores)) == 3
    extras = analyse(scores, ci=True, paired_bs=True, paired_ar=True, samples=200)
    for score_, extra in zip(scores[1:], extras[1:], strict=True):
        for comparison in extra.comparisons:
            assert comparison.differences["f"].value == score_.values["f"] - scores[0].values["f"]
            assert 0 < comparison.differences["f"].p <= 1


def test_a_resegmented_copy_does_not_differ_from_the_system() -> None:
    copy = [part for block in AMU for part in split(block, len(block.source) // 2)]
    scores = jperrant.score([AMU, copy], REF)
    assert scores[1].spans
    for test in ("bootstrap", "randomisation"):
        [comparison] = paired_tests(scores, test, samples=100)
        assert comparison.differences["f"].value == 0
        assert comparison.differences["f"].p == 1


@st.composite
def spans(draw: st.DrawFn, size: int) -> tuple[tuple[int, int], ...]:
    ends = sorted({*draw(st.lists(st.integers(1, size))), size})
    found = list(pairwise([0, *ends]))
    for at in draw(st.lists(st.sampled_from([0, *ends]), max_size=3)):
        found.append((at, at))
    return tuple(sorted(found))


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


def test_sentences_tell_which_references_they_are() -> None:
    [found] = jperrant.score(resegmented(AMU, 0), REF)
    told = [o["reference_sentences"] for o in found.sentence_dicts()]
    assert told == [list(range(1 + start, 1 + end)) for start, end in found.spans]
    assert [number for numbers in told for number in numbers] == list(range(1, len(REF) + 1))
    [same] = jperrant.score(AMU, REF)
    assert "reference_sentences" not in next(iter(same.sentence_dicts()))


def test_aligned_files_score_as_the_files_did(tmp_path: Path) -> None:
    ref, hyp = write(tmp_path / "ref.m2", REF), write(tmp_path / "hyp.m2", resegmented(AMU, 5))
    out = tmp_path / "out"
    assert cli("align", hyp, ref, "-o", str(out)).exit_code == 0
    [before], [after] = jperrant.score(hyp, ref), jperrant.score(out / "hyp.m2", out / "ref.m2")
    assert before.counts == after.counts
    assert not after.spans


def test_joined_edits_have_the_type_they_share_or_none() -> None:
    """Two edits that become one, and a line that says so."""
    halves = (Edit(1, 2, ("we",), "R:NOUN"), Edit(2, 3, ("nt",), "R:VERB"), Edit(3, 4, ("home",), "R:ORTH"))
    system = [Block(("He", "wn", "et", "hom"), (Annotation(0, halves),))]
    gold_edits = (Edit(1, 2, ("went",), "R:SPELL"), Edit(2, 3, ("home",), "R:ORTH"))
    gold = [Block(("He", "wnet", "hom"), (Annotation(0, gold_edits),))]
    [found] = jperrant.score(system, gold, metrics="errant:mode=cse")
    assert found.by_type == {"R:OTHER": (0, 1, 0), "R:SPELL": (0, 0, 1), "R:ORTH": (1, 0, 0)}
    assert "1 edit joined" in found.warnings[0]
