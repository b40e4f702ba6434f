"""Scoring a part at a time: the figures are those of all sentences at once, and memory does not grow with text."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.errors import EditError, FormatError, InputError, UsageError
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.analysis import grouped
from jperrant.evaluation.inputs import Inputs
from jperrant.evaluation.metrics.base import Candidate
from jperrant.evaluation.metrics.imeasure import align_all, is_too_long
from jperrant.evaluation.metrics.score import (
    Packed,
    pack,
)
from jperrant.evaluation.reading import OtherSentencesError
from jperrant.evaluation.scorers import BUILT_IN, make_scorer, make_scorers
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.scoring import Request, evaluate_all, refused_by, score_in_parts
from jperrant.io.m2 import read_m2, write_m2
from jperrant.m2tools.merge import merge_m2
from tests.m2_cases import load_pairs
from tests.strategies import annotations, blocks, examples

pytestmark = pytest.mark.slow

CONLL = Path(__file__).parents[1] / "data" / "conll14"
#: Rows of counts, of floats, of both, with and without types; chosen by sentence, by totals, made of several.
FEW = (
    "errant",
    "errant:exact=true",
    "gleu",
    "wer",
    "goto:unweighted=true",
    "cleme:level=sentence,weights=none",
    "cleme2",
)


def equal(ours: Scores, theirs: Scores) -> None:
    assert [score.hypothesis for score in ours] == [score.hypothesis for score in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert (mine.signature, mine.warnings) == (other.signature, other.warnings)
        # repr, as it tells 3 from 3.0 and shows every digit.
        assert repr(mine.to_dict(per_sentence=True)) == repr(other.to_dict(per_sentence=True))
        assert (mine.rows == other.rows).all()
        renamed = grouped(mine, lambda type_: type_[:1]).by_type
        assert repr(renamed) == repr(grouped(other, lambda type_: type_[:1]).by_type)


@st.composite
def corpora(draw) -> tuple[list[Block], list[Block], list[Block]]:
    """References with up to three annotators, and two systems of one, without overlaps."""
    gold = draw(st.lists(blocks(), min_size=1, max_size=9))
    return gold, *(
        [Block(block.source, (draw(annotations(0, len(block.source))),)) for block in gold] for _ in range(2)
    )


def written(folder: Path, **files: Sequence[Block]) -> list[str]:
    for name, held in files.items():
        with (folder / f"{name}.m2").open("w") as stream:
            write_m2(held, stream)
    return [str(folder / f"{name}.m2") for name in files]


@examples(40)
@given(corpus=corpora(), size=st.integers(1, 5), metrics=st.permutations(FEW))
def test_parts_score_as_the_whole(tmp_path_factory, corpus, size, metrics) -> None:
    gold, one, two = corpus
    files = written(tmp_path_factory.mktemp("parts"), one=one, two=two, gold=gold)
    scorers = make_scorers(metrics[:2])
    try:
        theirs = evaluate_all(scorers, load_pairs(files[:2], files[2], refused=refused_by(scorers)))
    except (EditError, UsageError) as error:
        theirs = error
    if isinstance(theirs, Exception):
        with pytest.raises(type(theirs)) as caught:
            score_in_parts(scorers, Inputs(files[:2], references=files[2:]), size)
        assert str(caught.value) == str(theirs)
        return
    ours = score_in_parts(scorers, Inputs(files[:2], references=files[2:]), size)
    equal(pickle.loads(pickle.dumps(ours)), theirs)


def first_sentences(number: int, name: str = "") -> list[Block]:
    return [
        block for _, block in zip(range(number), read_m2(str(CONLL / f"conll14{name}.errant")), strict=False)
    ]


def test_annotators_of_several_files_keep_their_numbers(tmp_path: Path) -> None:
    amu, camb, one = (first_sentences(9, name) for name in ("-AMU", "-CAMB", "-IITB"))
    # Two annotators, of whom one has looked at a sentence now and then.
    first = [Block(b.source, tuple(replace(b.annotations[0], annotator=k) for k in (2, 5))) for b in amu]
    first[:4] = [Block(b.source, b.annotations[n % 2 :][:1]) for n, b in enumerate(first[:4])]
    silent = [Block(block.source) for block in amu]
    files = written(tmp_path, system=one, first=first, silent=silent, last=camb)
    merged = written(tmp_path, merged=list(merge_m2([first, silent, camb], ["first", "silent", "last"])))
    metrics = ["goto:unweighted=true,reference=3", "errant:exact=true"]
    scorers = make_scorers(metrics)
    ours = score_in_parts(scorers, Inputs(files[:1], references=files[1:]), 2)
    theirs = jperrant.score(files[:1], files[1:], metrics=metrics)
    equal(ours, theirs)
    whole = jperrant.score(files[:1], merged, metrics=metrics[:1])
    assert theirs[0].counts == whole[0].counts
    assert (theirs[0].rows == whole[0].rows).all()


def sharded(folder: Path, cuts: Sequence[int], **files: Sequence[Block]) -> list[str]:
    for name, held in files.items():
        (folder / name).mkdir()
        for start, end in pairwise(cuts):
            written(folder / name, **{f"{start:03}": held[start:end]})
    return [str(folder / name) for name in files]


def test_which_metrics_need_the_corpus_at_once(tmp_path: Path) -> None:
    whole = [name for name in BUILT_IN if make_scorer(name).needs_corpus]
    assert whole == ["cleme", "llm-s", "llm-e"], "length weights take the mean length of all chunks"
    with pytest.raises(UsageError, match=r"'gleu', with these options, needs the whole corpus"):
        score_in_parts([make_scorer("gleu", draws=3)], Inputs([str(tmp_path)], references=[str(tmp_path)]))


def test_other_sentences_are_not_scored_a_part_at_a_time(tmp_path: Path) -> None:
    gold = first_sentences(6)
    shorter = [*gold[:5], Block((*gold[5].source, "more"))]
    files = written(tmp_path, fewer=gold[:4], other=shorter, gold=gold, none=[])
    for system in files[:2]:
        with pytest.raises(OtherSentencesError):
            score_in_parts([make_scorer("errant")], Inputs([system], references=files[2:3]), 2)
    with pytest.raises(FormatError, match=r"none\.m2: found no sentences"):
        score_in_parts([make_scorer("errant")], Inputs(files[3:], references=files[2:3]))


def test_sentences_count_in_the_file(tmp_path: Path) -> None:
    good, twice = Block(("a", "b"), (Annotation(0),)), Block(("a", "b"), (Annotation(0), Annotation(1)))
    files = written(tmp_path, system=[*[good] * 5, twice], gold=[*[twice] * 4, good, twice])
    with pytest.raises(InputError, match=r"sentence 6 \(counted from 1\) has 2 annotators"):
        score_in_parts([make_scorer("cleme2")], Inputs(files[:1], references=files[1:]), 4)
    [score] = score_in_parts([make_scorer("wer")], Inputs(files[1:], references=files[1:]), 2)
    assert any("first sentence 5" in line for line in score.warnings)


@given(
    rows=st.lists(
        st.tuples(
            st.integers(-(10**12), 10**12), st.floats(allow_nan=False), st.integers(0, 3) | st.floats(0, 1)
        ),
        max_size=6,
    )
)
def test_numbers_come_out_as_they_went_in(rows) -> None:
    packed = Packed([pack([Candidate(0, None, row) for row in rows])])
    assert repr(rows) == repr([candidate.row for candidate in packed])


def test_notes_of_shards_count_the_sentences_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for function in (is_too_long, align_all):
        monkeypatch.setattr(function, "__defaults__", (3000,))
    systems, gold = first_sentences(40, "-AMU"), first_sentences(40)
    whole = jperrant.score(*written(tmp_path, system=systems, gold=gold), metrics=["imeasure"])
    (tmp_path / "shards").mkdir()
    folders = sharded(tmp_path / "shards", (0, 3, 4, 40), system=systems, gold=gold)
    joined = score_in_parts([make_scorer("imeasure")], Inputs(folders[:1], ["system"], folders[1:]), 5)
    warnings = [line.partition(": ")[2] for line in joined[0].warnings]
    assert any("too long to align at once" in line for line in warnings)
    assert warnings == [line.partition(": ")[2] for line in whole[0].warnings]


def test_large_files_are_scored_a_part_at_a_time(tmp_path: Path) -> None:
    gold = [Block(block.source, block.annotations[:1]) for block in first_sentences(30)]
    two = [Block(b.source, (Annotation(0), Annotation(1))) for b in gold]
    files = written(tmp_path, one=first_sentences(30, "-AMU"), gold=gold, two=two, shorter=gold[:20])
    scorers = make_scorers(["errant", "wer"])
    for paths in (files[:2], [files[0], files[2]], [files[2], files[1]]):
        request = Request(scorers, Inputs(paths[:1], references=paths[1:]))
        in_parts = request.scores(0)
        assert isinstance(in_parts[0].combined, Packed)
        equal(in_parts, evaluate_all(scorers, request.pairs()))
    small = Request(scorers, Inputs(files[:1], references=files[1:2]))
    other = Request(scorers, Inputs(files[3:], references=files[1:2]))
    for scores in (small.scores(), other.scores(0)):  # of which the latter have to be aligned
        assert isinstance(scores[0].combined, tuple)


#: Prints the most megabytes a process has held; what getrusage says counts the process that forked it, too.
PEAK = (
    "import re, sys; status = open('/proc/self/status').read(); "
    "print(int(re.search(r'VmHWM:\\s*(\\d+)', status)[1]) // 1024, file=sys.stderr)"
)


@pytest.mark.ci
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_memory_of_the_command_does_not_grow_with_text(tmp_path: Path) -> None:
    sizes = []
    for sentences in (31_000, 62_000):
        files = [str(tmp_path / f"{name}{sentences}.m2") for name in ("system", "gold")]
        for path, name in zip(files, ("-AMU", ""), strict=True):
            with Path(path).open("w") as stream:
                write_m2(islice(cycle(first_sentences(100, name)), sentences), stream)
        program = f"from jperrant.cli.main import run\ntry: run()\nfinally:\n    {PEAK}"
        command = [
            sys.executable, "-c", program, "score", *files[:-1], "--ref", files[-1], "--ci", "--samples", "5",
            "--by-type",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        sizes.append(int(done.stderr.split()[-1]))
    assert sizes[1] < 250
    assert sizes[1] - sizes[0] < 30  # MB for 31,000 more sentences; as objects they take hundreds
