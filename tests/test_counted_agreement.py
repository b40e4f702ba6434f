"""Agreement from counts is that of all sentences at once."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.annotators import UNSEEN_BY_STATS, load_annotators
from jperrant.evaluation.agreement.counted import count_agreement
from jperrant.evaluation.agreement.measure import measure_agreement
from jperrant.evaluation.agreement.results import AgreementOptions
from jperrant.io.m2 import read_m2
from jperrant.m2tools.describe import corpus_stats
from jperrant.reporting.agreement import format_agreement

from .strategies import blocks, examples

CONLL = Path(__file__).parent / "data" / "conll14" / "conll14.errant"


def same(corpus: list[Block], options: AgreementOptions) -> None:
    whole = measure_agreement(load_annotators([corpus], unseen=UNSEEN_BY_STATS), options)
    numbers = sorted({a.annotator for block in corpus for a in block.annotations})
    counted = count_agreement(corpus, numbers, options)
    # repr, as NaN is not equal to itself and every digit counts.
    assert repr(counted.pairs) == repr(whole.pairs)
    assert repr(dict(counted.values)) == repr(dict(whole.values))
    assert counted.annotators.notes == whole.annotators.notes
    assert counted.names == whole.names
    assert repr(dict(counted.intervals)) == repr(dict(whole.intervals))
    assert (counted.annotators.sentences, counted.tokens) == (len(corpus), whole.tokens)


@examples(60)
@given(
    corpus=st.lists(blocks(), min_size=1, max_size=8).filter(
        lambda corpus: any(len(block.annotations) > 1 for block in corpus)
    ),
    items=st.sampled_from(["tokens", "gaps"]),
    level=st.integers(1, 3),
    samples=st.integers(0, 7),
)
def test_counts_give_the_agreement_of_all_sentences(
    corpus: list[Block], items: str, level: int, samples: int
) -> None:
    same(corpus, AgreementOptions(items=items, level=level, samples=samples))


def test_counts_give_the_agreement_of_conll() -> None:
    corpus = list(islice(read_m2(str(CONLL)), 300))
    same(corpus, AgreementOptions(samples=20))
    same([*corpus, Block(("a",), corpus[0].annotations[:0])], AgreementOptions(level=1))


def test_statistics_of_a_file_need_no_more_than_one_pass(tmp_path: Path) -> None:
    path = tmp_path / "twice.m2"
    text = "".join(CONLL.read_text().partition("\n\n")[:2])
    path.write_text(text * 3)
    stats = corpus_stats(str(path))
    assert stats.agreement is not None
    assert (stats.stats.sentences, stats.stats.repeated) == (3, 2)


def test_edits_that_differ_are_shown_as_they_differ() -> None:
    choice = Edit(1, 2, ("is",), "R:A", alternatives=(("was",),))
    versions = [Edit(1, 2, ("is",), "R:A"), choice, Edit(1, 2, None, "UNK")]
    blocks = [Block(("it", "are"), tuple([Annotation(n, (edit,)) for n, edit in enumerate(versions)]))]
    shown = format_agreement(measure_agreement(load_annotators([blocks])), tables=["sentences"])
    assert [f"are → {text}" in shown for text in ("is (R:A)", "is||was (R:A)", "? (UNK)")] == [True] * 3
