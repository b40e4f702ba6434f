"""Scoring files, texts and shards a part at a time: the figures are those of the whole, and memory stays."""

from __future__ import annotations

import gc
import gzip
import json
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.cli.main import app
from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, FormatError, InputError, JperrantError, UsageError
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.analysis import grouped
from jperrant.evaluation.inputs import Inputs
from jperrant.evaluation.metric_names import BUILT_IN, make_scorer, make_scorers
from jperrant.evaluation.metrics.base import Candidate
from jperrant.evaluation.metrics.edit_distance import WerScorer
from jperrant.evaluation.metrics.imeasure import align_all, is_too_long
from jperrant.evaluation.metrics.system_score import (
    Packed,
    pack,
)
from jperrant.evaluation.read_sides import InStep, OtherSentencesError
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.scoring import Request, evaluate_all, refused_by, score_in_parts
from jperrant.evaluation.text_annotation import TextOptions
from jperrant.io.m2 import read_m2, write_m2
from jperrant.m2tools.merge import merge_m2
from tests.dask_cases import local_cluster
from tests.m2_cases import load_pairs
from tests.strategies import annotations, blocks, examples
from tests.study_cases import contents, run, write_study

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


#: Texts are annotated without models.
TEXTS = TextOptions(AnnotatorOptions("en", models="none"))
METRICS = ("errant", "errant:exact=true", "cleme:weights=none", "cleme2", "gleu", "green", "wer", "cer")


def sentences(number: int) -> list[Block]:
    return [block for _, block in zip(range(number), read_m2(str(CONLL / "conll14.errant")), strict=False)]


def files(folder: Path, blocks: list[Block]) -> dict[str, str]:
    """Write the source, what each annotator made of it, and the M2."""
    texts = {
        "source": [" ".join(block.source) for block in blocks],
        "one": [" ".join(apply_edits(block.source, block.annotations[0].edits)) for block in blocks],
        "two": [" ".join(apply_edits(block.source, block.annotations[1].edits)) for block in blocks],
    }
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with (folder / "gold.m2").open("w") as stream:
        write_m2(blocks, stream)
    return {name: str(folder / name) for name in (*texts, "gold.m2")}


#: Systems, references and source: texts alone, texts against M2 with and without a source, both as references.
Roles: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], str | None]
ROLES: tuple[Roles, ...] = (
    (("one", "two"), ("two", "one"), "source"),
    (("one",), ("gold.m2",), None),
    (("source", "gold.m2"), ("gold.m2", "two"), "source"),
    (("gold.m2",), ("one",), None),
)


@pytest.mark.ci
@examples(40)
@given(metrics=st.permutations(METRICS), roles=st.sampled_from(ROLES), size=st.integers(3, 40))
def test_texts_in_parts_score_as_the_whole(tmp_path_factory, metrics, roles, size) -> None:
    same(tmp_path_factory.mktemp("texts"), 40, metrics, roles, size)


def test_a_few_texts_in_parts_score_as_the_whole(tmp_path: Path) -> None:
    same(tmp_path, 7, ("cleme:weights=none", "gleu"), ROLES[0], 3)


def same(folder: Path, number: int, metrics: Sequence[str], roles: Roles, size: int) -> None:
    paths = files(folder, sentences(number))
    systems, references, source = roles
    scorers = make_scorers([m for m in metrics if "gold.m2" not in systems or m[:5] != "cleme"][:2])
    inputs = Inputs(
        [paths[name] for name in systems],
        references=[paths[name] for name in references],
        source=source and paths[source],
        texts=TEXTS,
    )
    whole = evaluate_all(scorers, Request(scorers, inputs).pairs())
    in_parts = Request(scorers, inputs).scores(0)
    assert isinstance(in_parts[0].combined, Packed)
    equal(in_parts, whole)
    # What is told of the texts themselves, such as blank lines, is told by requests.
    equal(score_in_parts(scorers, inputs, size), evaluate_all(scorers, *InStep(inputs)))


def test_a_cache_keeps_the_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = files(tmp_path, sentences(12))
    options = TextOptions(TEXTS.annotator, cache=str(tmp_path / "cache"))
    inputs = Inputs([paths["one"]], references=[paths["two"]], source=paths["source"], texts=options)
    scorers = make_scorers(["errant", "wer"])
    first = Request(scorers, inputs).scores(0)
    monkeypatch.setattr("jperrant.annotation.annotator.annotator_of", None)  # which is not called again
    again = Request(scorers, inputs).scores(0)
    equal(again, first)


class CountingScorer(WerScorer):
    """Notes how many blocks are alive each time it is given some."""

    alive: list[int] = []  # noqa: RUF012

    def candidates(self, pairs, prepared):
        self.alive.append(sum(type(one) is Block for one in gc.get_objects()))
        return super().candidates(pairs, prepared)


@pytest.mark.ci
def test_blocks_of_a_few_parts_are_alive(tmp_path: Path) -> None:
    paths = files(tmp_path, sentences(20) * 4)
    scorer = CountingScorer()
    CountingScorer.alive.clear()
    gc.collect()
    before = sum(type(one) is Block for one in gc.get_objects())
    inputs = Inputs([paths["one"]], references=[paths["two"]], source=paths["source"], texts=TEXTS)
    [score] = score_in_parts([scorer], inputs, 10)
    assert score.sentences == 80
    assert max(CountingScorer.alive) - before <= 3 * 10


def test_what_was_read_leniently_is_said_once(tmp_path: Path) -> None:
    paths = files(tmp_path, sentences(9))
    gold = Path(paths["gold.m2"])
    gold.write_bytes(gold.read_bytes().replace(b"\n", b"\r\n"))
    inputs = Inputs([paths["one"]], references=[str(gold)], texts=TEXTS)
    in_parts = Request(make_scorers(["errant"]), inputs).scores(0)  # Python's warnings are errors
    assert ["read leniently" in line for line in in_parts[0].warnings] == [True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"one: found no text"),
        ("x\n", r"one: found 1 line, expected the 20 of .*source"),
        ("ж щ ю\n" * 20, r"one: found lines unlike those of .*source \(mean similarity 0\.\d\d\)"),
    ],
)
@pytest.mark.parametrize("with_source", [True, False])
def test_what_is_no_correction_is_refused_as_in_memory(
    tmp_path: Path, text: str, message: str, with_source: bool
) -> None:
    paths = files(tmp_path, sentences(20))
    Path(paths["one"]).write_text(text, encoding="utf-8")
    source = paths["source"] if with_source else None
    inputs = Inputs([paths["one"]], references=[paths["gold.m2"]], source=source, texts=TEXTS)
    if not text and not with_source:  # an empty file is M2
        return
    request = Request(make_scorers(["errant"]), inputs)
    with pytest.raises(InputError) as in_memory:
        request.pairs()
    with pytest.raises(InputError) as in_parts:
        request.scores(0)
    assert str(in_parts.value) == str(in_memory.value)
    if with_source:
        assert in_parts.match(message)


def test_bytes_that_are_no_text_are_refused_before_anything_is_annotated(tmp_path: Path) -> None:
    paths = files(tmp_path, sentences(20))
    with Path(paths["two"]).open("ab") as stream:
        stream.write(b"\xff\n")
    inputs = Inputs([paths["one"]], references=[paths["two"]], source=paths["source"], texts=TEXTS)
    with pytest.raises(FormatError, match="not UTF-8"):
        Request(make_scorers(["errant"]), inputs).scores(0)


def test_what_has_to_be_in_memory(tmp_path: Path) -> None:
    paths = files(tmp_path, sentences(8))
    scorers = make_scorers(["errant"])

    def in_parts(**given) -> bool:
        inputs = Inputs([paths["one"]], references=[paths["two"]], **given)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("jperrant.evaluation.scoring.evaluate_all", lambda *_: None)
            patched.setattr(Request, "pairs", lambda _: ())
            return Request(scorers, inputs).scores(0) is not None

    assert in_parts(source=paths["source"], texts=TEXTS)
    assert not in_parts(texts=TEXTS)  # no source: that is an error
    assert not in_parts(source=paths["source"], texts=TextOptions(TEXTS.annotator, raw=True))
    assert not in_parts(source=Path(paths["source"]).read_text().splitlines(), texts=TEXTS)
    (tmp_path / "other").write_text("".join(f"{n} a\n" for n in range(8)))
    other = Inputs([paths["one"]], references=[paths["gold.m2"]], source=str(tmp_path / "other"), texts=TEXTS)
    with pytest.raises(InputError, match="unlike"):
        Request(scorers, other).scores(0)


def blocks_of_score_shards(number: int, edited: int) -> str:
    rows = []
    for row in range(12):
        edit = "A 1 2|||R:NOUN|||d|||REQUIRED|||-NONE-|||0" if (row + number) % edited else ""
        rows.append(f"S a b{number} c {row}\n{edit or 'A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0'}\n\n")
    return "".join(rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, edited in (("sys", 2), ("other", 4), ("ref", 3)):
        (tmp_path / name).mkdir()
        shards = [blocks_of_score_shards(number, edited) for number in range(3)]
        for number, shard in enumerate(shards):
            (tmp_path / name / f"{number}.m2").write_text(shard)
        (tmp_path / f"{name}.m2").write_text("".join(shards))
    (tmp_path / "sys" / "manifest.json").write_text("{}")
    return tmp_path


def scored(*arguments: object) -> list[dict]:
    result = CliRunner().invoke(app, ["score", *map(str, arguments), "--json"])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    found = json.loads(result.stdout)
    return [{**one, "hypothesis": ""} for one in (found if isinstance(found, list) else [found])]


def test_what_cannot_be_scored_by_shards(folder: Path) -> None:
    cases = [
        (("sys", "--ref", "ref", "-m", "gleu:draws=2"), "needs the whole corpus at once"),
        (("sys", "--ref", "ref.m2", "-m", "wer"), "folders"),
    ]
    for arguments, message in cases:
        given = [folder / one if (folder / one).exists() else one for one in arguments]
        with pytest.raises(JperrantError, match=message):
            scored(*given)
    (folder / "ref" / "2.m2").rename(folder / "ref" / "4.m2")
    with pytest.raises(JperrantError, match=r"2 is in .*sys but not in .*ref"):
        scored(folder / "sys", "--ref", folder / "ref", "-m", "wer")


def test_shards_with_other_sentences_are_named(folder: Path) -> None:
    (folder / "other" / "1.m2").write_text("S x y\nA 0 1|||R:X|||z|||REQUIRED|||-NONE-|||0\n\n")
    with pytest.raises(InputError, match=r"other/1\.m2: its sentences or tokens differ .*ref/1\.m2"):
        scored(folder / "sys", folder / "other", "--ref", folder / "ref", "-m", "errant:exact")


def test_shards_are_not_overwritten(folder: Path) -> None:
    for name in ("sys/0.m2", "ref/2.m2"):
        before = (folder / name).read_bytes()
        for option in ("-o", "--per-sentence"):
            with pytest.raises(UsageError, match="would overwrite it"):
                scored(folder / "sys", "--ref", folder / "ref", "-m", "wer", option, folder / name)
        assert (folder / name).read_bytes() == before


def test_a_shard_is_there_once(folder: Path) -> None:
    (folder / "ref" / "1.m2.gz").write_bytes(gzip.compress((folder / "ref" / "1.m2").read_bytes()))
    with pytest.raises(JperrantError, match=r"ref/1\.m2 and 1\.m2\.gz are one shard"):
        scored(folder / "sys", "--ref", folder / "ref", "-m", "wer")


def test_a_shard_that_cannot_be_read_is_not_left_out(folder: Path) -> None:
    for side in ("sys", "ref"):
        (folder / side / "3.m2.zst").write_bytes(b"\x28\xb5\x2f\xfd and more")
    with pytest.raises(FormatError, match=r"3\.m2\.zst: found a Zstandard file"):
        scored(folder / "sys", "--ref", folder / "ref", "-m", "wer")


@pytest.mark.ci
def test_a_study_on_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    import jperrant

    study = write_study(tmp_path)
    run(study, "alone")
    with local_cluster(2) as address:
        jperrant.run_study(study / "study.yaml", study / "out", cluster=address)
    ours, theirs = (contents(study / out) for out in ("out", "alone"))
    assert ours == theirs
