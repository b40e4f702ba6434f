"""Scoring files, texts and shards a part at a time: the figures are those of the whole, and memory stays."""

from __future__ import annotations

import gzip
import pickle
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, InputError, UsageError
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.analysis import grouped
from jperrant.evaluation.inputs import Inputs
from jperrant.evaluation.metric_names import make_scorer, make_scorers
from jperrant.evaluation.metrics.base import Candidate
from jperrant.evaluation.metrics.system_score import Packed, pack
from jperrant.evaluation.read_sides import InStep
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.scoring import Request, evaluate_all, refused_by, score_in_parts
from jperrant.evaluation.text_annotation import TextOptions
from jperrant.io.m2 import read_m2, write_m2
from jperrant.m2tools.merge import merge_m2
from tests.commands import refused
from tests.dask_cases import local_cluster
from tests.m2_cases import load_pairs
from tests.strategies import annotations, blocks, examples
from tests.study_cases import contents, run, write_study

pytestmark = pytest.mark.slow

CONLL = Path(__file__).parents[1] / "data" / "conll14"
#: Rows of counts, of floats, of both, with and without types; chosen by sentence, by totals, made of several.
FEW = (
    "errant", "errant:exact=true", "gleu", "wer", "goto:unweighted=true", "cleme:level=sentence,weights=none",
    "cleme2",
)  # fmt: skip


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


def written(folder: Path, **files: Iterable[Block]) -> list[str]:
    for name, held in files.items():
        write_m2(held, folder / f"{name}.m2")
    return [str(folder / f"{name}.m2") for name in files]


@examples(40)
@given(corpus=corpora(), size=st.integers(1, 5), metrics=st.permutations(FEW))
def test_parts_score_as_the_whole(tmp_path_factory, corpus, size, metrics) -> None:
    gold, one, two = corpus
    files = written(tmp_path_factory.mktemp("parts"), one=one, two=two, gold=gold)
    scorers, inputs = make_scorers(metrics[:2]), Inputs(files[:2], references=files[2:])
    try:
        theirs = evaluate_all(scorers, load_pairs(files[:2], files[2], refused=refused_by(scorers)))
    except (EditError, UsageError) as error:
        with pytest.raises(type(error), match=f"^{re.escape(str(error))}$"):
            score_in_parts(scorers, inputs, size)
    else:
        equal(pickle.loads(pickle.dumps(score_in_parts(scorers, inputs, size))), theirs)


def test_annotators_of_several_files_keep_their_numbers(tmp_path: Path) -> None:
    amu, camb, one = (sentences(9, name) for name in ("-AMU", "-CAMB", "-IITB"))
    # Two annotators, of whom one has looked at a sentence now and then.
    first = [Block(b.source, tuple(replace(b.annotations[0], annotator=k) for k in (2, 5))) for b in amu]
    first[:4] = [Block(b.source, b.annotations[n % 2 :][:1]) for n, b in enumerate(first[:4])]
    silent = [Block(block.source) for block in amu]
    merged = list(merge_m2([first, silent, camb], ["first", "silent", "last"]))
    [system, *files, whole] = written(
        tmp_path, system=one, first=first, silent=silent, last=camb, whole=merged
    )
    metrics = ["goto:unweighted=true,reference=3", "errant:exact=true"]
    theirs = jperrant.score(system, files, metrics=metrics)
    equal(score_in_parts(make_scorers(metrics), Inputs([system], references=files), 2), theirs)
    [expected] = jperrant.score(system, whole, metrics=metrics[0])
    assert theirs[0].counts == expected.counts
    assert (theirs[0].rows == expected.rows).all()


def test_sentences_count_in_the_file(tmp_path: Path) -> None:
    good, twice = Block(("a", "b"), (Annotation(0),)), Block(("a", "b"), (Annotation(0), Annotation(1)))
    system, gold = written(tmp_path, system=[*[good] * 5, twice], gold=[*[twice] * 4, good, twice])
    with pytest.raises(InputError, match=r"sentence 6 \(counted from 1\) has 2 annotators"):
        score_in_parts([make_scorer("cleme2")], Inputs([system], references=[gold]), 4)
    [score] = score_in_parts([make_scorer("wer")], Inputs([gold], references=[gold]), 2)
    assert any("first sentence 5" in line for line in score.warnings)


NUMBERS = st.integers(-(10**12), 10**12), st.floats(allow_nan=False), st.integers(0, 3) | st.floats(0, 1)


@given(st.lists(st.tuples(*NUMBERS), max_size=6))
def test_numbers_come_out_as_they_went_in(rows: list[tuple[float, ...]]) -> None:
    packed = Packed([pack([Candidate(0, None, row) for row in rows])])
    assert repr(rows) == repr([candidate.row for candidate in packed])


def test_files_of_other_sentences_are_aligned_as_a_whole(tmp_path: Path) -> None:
    gold = [Block(block.source, block.annotations[:1]) for block in sentences(30)]
    other = [*gold[:29], Block((*gold[29].source, "more"))]
    amu = sentences(30, "-AMU")
    [reference, *systems] = written(tmp_path, gold=gold, one=amu, shorter=gold[:20], other=other)
    requests = [Request(make_scorers(["errant"]), Inputs([s], references=[reference])) for s in systems]
    in_parts, *aligned = (request.scores(0) for request in requests)
    assert [type(found.combined) for [found] in (in_parts, *aligned)] == [Packed, tuple, tuple]
    equal(in_parts, requests[0].scores())


#: Prints the most megabytes a process has held; what getrusage says counts the process that forked it, too.
PEAK = (
    "import re, sys; status = open('/proc/self/status').read(); "
    "print(int(re.search(r'VmHWM:\\s*(\\d+)', status)[1]) // 1024, file=sys.stderr)"
)


@pytest.mark.ci
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_memory_of_the_command_does_not_grow_with_text(tmp_path: Path) -> None:
    program = f"from jperrant.cli.main import run\ntry: run()\nfinally:\n    {PEAK}"
    options = ["--ci", "--samples", "5", "--by-type"]

    def peak(number: int) -> int:
        sides = (islice(cycle(sentences(100, name)), number) for name in ("-AMU", ""))
        system, gold = written(tmp_path, **dict(zip(("system", "gold"), sides, strict=True)))
        command = [sys.executable, "-c", program, "score", system, "--ref", gold, *options]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return int(done.stderr.split()[-1])

    assert peak(40_000) < min(250, peak(20_000) + 20)  # MB; as objects 20,000 sentences take hundreds


#: Texts are annotated without models.
TEXTS = TextOptions(AnnotatorOptions("en", models="none"))
METRICS = (*FEW, "green", "cer")


def sentences(number: int, name: str = "") -> list[Block]:
    return list(islice(read_m2(str(CONLL / f"conll14{name}.errant")), number))


def files(folder: Path, blocks: list[Block]) -> dict[str, str]:
    """Write the source, what each annotator made of it, and the M2."""
    texts = {"source": [block.source for block in blocks]}
    for n, name in enumerate(("one", "two")):
        texts[name] = [apply_edits(block.source, block.annotations[n].edits) for block in blocks]
    for name, lines in texts.items():
        (folder / name).write_text("".join([f"{' '.join(line)}\n" for line in lines]), encoding="utf-8")
    written(folder, gold=blocks)
    return {name: str(folder / name) for name in (*texts, "gold.m2")}


#: Systems, references and source: texts alone, texts against M2 with and without a source, both as references.
ROLES: tuple[tuple[tuple[str, ...], tuple[str, ...], str | None], ...] = (
    (("one", "two"), ("two", "one"), "source"),
    (("one",), ("gold.m2",), None),
    (("source", "gold.m2"), ("gold.m2", "two"), "source"),
    (("gold.m2",), ("one",), None),
)


@examples(20)
@given(metrics=st.permutations(METRICS), roles=st.sampled_from(ROLES), size=st.integers(3, 40))
def test_texts_in_parts_score_as_the_whole(tmp_path_factory, metrics, roles, size) -> None:
    systems, references, source = roles
    paths = files(tmp_path_factory.mktemp("texts"), sentences(20))
    scorers = make_scorers([m for m in metrics if "gold.m2" not in systems or m[:5] != "cleme"][:2])
    systems, references = ([paths[name] for name in names] for names in (systems, references))
    inputs = Inputs(systems, references=references, source=source and paths[source], texts=TEXTS)
    whole = evaluate_all(scorers, Request(scorers, inputs).pairs())
    in_parts = Request(scorers, inputs).scores(0)
    assert isinstance(in_parts[0].combined, Packed)
    equal(in_parts, whole)
    # What is told of the texts themselves, such as blank lines, is told by requests.
    equal(score_in_parts(scorers, inputs, size), evaluate_all(scorers, *InStep(inputs)))


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("one", "", r"one: found no text"),
        ("one", "x\n", r"one: found 1 line, expected the 20 of .*source"),
        ("one", "ж щ ю\n" * 20, r"one: found lines unlike those of .*source \(mean similarity 0\.\d\d\)"),
        ("one", "\udcff\n", "not UTF-8"),
        ("source", "ж щ ю\n" * 20, "unlike"),
    ],
)
def test_wrong_texts_are_refused_as_in_memory(tmp_path: Path, file: str, text: str, message: str) -> None:
    paths = files(tmp_path, sentences(20))
    Path(paths[file]).write_text(text, encoding="utf-8", errors="surrogateescape")
    inputs = Inputs([paths["one"]], references=[paths["gold.m2"]], source=paths["source"], texts=TEXTS)
    request = Request(make_scorers(["errant"]), inputs)
    with pytest.raises(InputError) as in_memory:
        request.pairs()
    with pytest.raises(InputError, match=message) as in_parts:
        request.scores(0)
    assert str(in_parts.value) == str(in_memory.value)


def shard(number: int, edited: int) -> str:
    """Return twelve sentences, of which every so manyth has an edit less."""
    edit = "A 1 2|||R:NOUN|||d|||REQUIRED|||-NONE-|||0\n"
    rows = range(12)
    return "".join([f"S a b{number} c {row}\n{edit if (row + number) % edited else ''}\n" for row in rows])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, edited in (("sys", 2), ("other", 4), ("ref", 3)):
        (tmp_path / name).mkdir()
        for number in range(3):
            (tmp_path / name / f"{number}.m2").write_text(shard(number, edited))
    (tmp_path / "sys" / "manifest.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("made", "data", "words", "message"),
    [
        ("x", b"", "sys --ref ref -m gleu:draws=2", "needs the whole corpus at once"),
        ("x", b"", "sys --ref ref/0.m2 -m wer", "folders"),
        ("ref/4.m2", b"S a\n\n", "sys --ref ref -m wer", r"4 is in .*ref but not in .*sys"),
        ("other/1.m2", b"S x y\nA 0 1|||R:X|||z|||REQUIRED|||-NONE-|||0\n\n",
         "sys other --ref ref -m errant:exact", r"other/1\.m2: its sentences or tokens differ .*ref/1\.m2"),
        ("ref/1.m2.gz", gzip.compress(b"S a\n\n", mtime=0), "sys --ref ref -m wer",
         r"ref/1\.m2 and 1\.m2\.gz are the same shard"),
        ("ref/2.m2.zst", b"\x28\xb5\x2f\xfd and more", "sys --ref ref -m wer", r"ref/2\.m2"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_by_shards(
    folder: Path, made: str, data: bytes, words: str, message: str
) -> None:
    (folder / made).write_bytes(data)
    assert re.search(message, refused("score", *words.split()))


@pytest.mark.parametrize("name", ["sys/0.m2", "ref/2.m2"])
@pytest.mark.parametrize("option", ["-o", "--per-sentence"])
def test_shards_are_not_overwritten(folder: Path, name: str, option: str) -> None:
    before = (folder / name).read_bytes()
    assert "would overwrite the input" in refused("score", "sys", "--ref", "ref", "-m", "wer", option, name)
    assert (folder / name).read_bytes() == before


@pytest.mark.ci
def test_a_study_on_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    study = write_study(tmp_path, "formats: [text]\n")
    run(study, "alone")
    with local_cluster(2) as address:
        jperrant.run_study(study / "study.yaml", study / "out", cluster=address)
    ours, theirs = (contents(study / out) for out in ("out", "alone"))
    assert ours == theirs
