"""Texts scored a part at a time: figures are those of all sentences at once, memory does not grow with them."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Block
from jperrant.evaluation.inputs import Inputs
from jperrant.evaluation.metrics.edit_distance import WerScorer
from jperrant.evaluation.metrics.score import Packed
from jperrant.evaluation.reading import InStep
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.scoring import Request, evaluate_all, score_in_parts
from jperrant.evaluation.texts import TextOptions
from jperrant.io.m2 import read_m2, write_m2
from tests.strategies import examples

from .test_corpus_rows import CONLL, equal

pytestmark = pytest.mark.slow

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
