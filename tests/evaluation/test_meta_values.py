"""The values of meta-evaluation: data sets, scores that metrics give them, scores read from a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import jperrant
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset
from jperrant.evaluation.meta.metric_scores import Computation
from jperrant.evaluation.meta.tables import read_score_tables

SOURCES = ("This are a cats .", "She go home .", "He like it .", "I has it .")
GOLD = ("This is a cat .", "She goes home .", "He likes it .", "I have it .")
SYSTEMS = {
    "good": ("This is a cat .", "She goes home .", "He likes it .", "I has it ."),
    "half": ("This is a cats .", "She goes home .", "He like it .", "I has it ."),
    "none": SOURCES,
}


@pytest.fixture
def dataset() -> MetaDataset:
    judgements = JudgementSet("edit", (Judgement(0, "a", {"good": 1, "half": 2, "none": 3}),))
    return MetaDataset(
        "made", SOURCES, SYSTEMS, {"gold": (GOLD,)}, {"TS": {"good": 1.0}}, {"edit": judgements}, lang="en"
    )


def test_scores_are_those_of_score(dataset: MetaDataset) -> None:

    wer, length = Computation(("wer", "length")).scores(dataset, "gold")
    expected = jperrant.score(
        map(list, SYSTEMS.values()), [list(GOLD)], source=SOURCES, metrics="wer", lang=None
    )
    assert wer.systems == ("good", "half", "none")
    assert wer.corpus.tolist() == [score.values["wer"] for score in expected]
    assert wer.lower_is_better
    assert wer.sentences.shape == (3, 4)
    assert wer.sentences[0].tolist() == [0, 0, 0, 0.25]
    assert length.corpus[2] == sum(map(len, SOURCES))
    assert wer.aggregate("ew").tolist() == sorted(wer.aggregate("ew"), reverse=True)
    assert wer.select(["none", "good"]).corpus.tolist() == wer.corpus[[2, 0]].tolist()


def test_references_of_the_whole_text_are_cut_to_the_sentences() -> None:
    part = MetaDataset("part", SOURCES[1:3], {"x": SOURCES[1:3]}, lines=(1, 2), full_length=4)
    assert part.with_references({"gold": [GOLD]}).references["gold"] == (GOLD[1:3],)
    with pytest.raises(InputError, match=r"3 sentences.* 2 .* 4 "):
        part.with_references({"gold": [GOLD[:3]]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": {"x": SOURCES[:2]}}, r"'x' has 2 sentences.* 4 "),
        ({"systems": {}}, "no systems"),
        ({"human": {"TS": {"god": 1.0}}}, r"'TS' mentions system 'god'.*'good'"),
        ({"judgements": {"e": JudgementSet("e", (Judgement(4, "a", {}),))}}, "sentence 5, but there are 4"),
        ({"judgements": {"e": JudgementSet("e", (Judgement(0, "a", {"bad": 1}),))}}, "'bad'"),
    ],
)
def test_parts_that_do_not_fit(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        MetaDataset(**{"name": "made", "sources": SOURCES, "systems": SYSTEMS, **change})  # type: ignore[arg-type]


def test_unknown_names_are_named(dataset: MetaDataset) -> None:
    for call in (dataset.group, dataset.judgement_set, dataset.reference_set):
        with pytest.raises(UsageError, match="'golf'"):
            call("golf")
    with pytest.raises(UsageError, match=r"no human score 'golf'.*TS, ew:edit, ts:edit"):
        dataset.human_scores("golf", ["good"])
    assert dataset.group("all") == tuple(SYSTEMS)
    with pytest.raises(UsageError, match=r"'gleu' needs references.*gold"):
        Computation(("gleu",)).scores(dataset)


def test_scores_from_a_table(dataset: MetaDataset, tmp_path: Path) -> None:
    table = tmp_path / "scores.tsv"
    rows = [f"{system}\t{n}\t{n + k}\t{-n}" for k, system in enumerate(SYSTEMS) for n in range(1, 5)]
    table.write_text("\n".join(["system\tsentence\tSOME\tPPL", *rows, "good\t\t9\t9"]) + "\n")
    some, ppl = read_score_tables({str(table): str(table)}, dataset, lower=["PPL"])
    assert some.corpus.tolist() == [9, 3.5, 4.5]
    assert np.array_equal(some.sentences[1], [2, 3, 4, 5])
    assert (some.sign, ppl.sign) == (1, -1)
    table = tmp_path / "from there.tsv"
    table.write_text("system\tM x|y\ngood\t1\nnone\t2\n")
    [m] = read_score_tables({str(table): str(table)}, dataset)
    assert (m.name, m.signature.split("|")[0]) == ("M x|y", "M%20x%7Cy")
    assert m.signature.endswith("from%20there.tsv")
    assert (m.systems, m.corpus.tolist(), m.has_sentences) == (("good", "none"), [1, 2], False)
    with pytest.raises(UsageError, match="no scores of sentences"):
        m.aggregate("trueskill")


def test_one_path_or_choice_stands_for_itself(dataset: MetaDataset, tmp_path: Path) -> None:

    table, gold, edits = tmp_path / "scores.tsv", tmp_path / "gold.txt", tmp_path / "none.m2"
    table.write_text("system\tM\ngood\t1\nhalf\t3\nnone\t2\n")
    gold.write_text("".join(f"{line}\n" for line in GOLD))
    edits.write_text("".join(f"S {line}\n\n" for line in SOURCES))
    options = {"human": "ts:edit", "groups": "all", "numbers": 1, "analyses": "system"}
    one = jperrant.meta_evaluate(dataset, "wer", scores=table, references=gold, **options)
    listed = jperrant.meta_evaluate(dataset, "wer", scores=[str(table)], references=[str(gold)], **options)
    assert one.to_dict() == listed.to_dict()
    assert [scores.name for scores in one.metrics] == ["wer", "M"]
    with pytest.raises(UsageError, match="1 system"):  # those with edits count
        jperrant.meta_evaluate(dataset, "wer", references=gold, edits=edits, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"sampels": 1}, "'sampels'.*'samples'"), ({"samples": "10"}, "samples is '10', expected a whole")],
)
def test_options_that_there_are_not(dataset: MetaDataset, options: dict[str, object], message: str) -> None:

    with pytest.raises(UsageError, match=message):
        jperrant.meta_evaluate(dataset, "length", **options)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name\tM\n", "1"),
        ("system\tM\ngod\t1\n", r":2: .*'god'.*'good'"),
        ("system\tM\ngood\tx\n", r":2: found 'x'"),
        ("system\tM\ngood\t1\t2\n", r":2: found 3 columns, expected 2"),
        ("system\tM\ngood\t1\ngood\t2\n", ":3: .*twice"),
        ("system\tM\ngood\t" + "1" * 5000 + "\n", r":2: found '1{1,100}…?'"),
        ("system\tsentence\tM\ngood\t" + "1" * 5000 + "\t1\n", r":2: found sentence '1{1,100}…?', .* 1 to 4"),
        ("system\tM\n", "no lines below"),
        ("system\tsentence\tM\ngood\t5\t1\n", r":2: .*'5'.* 1 to 4"),
    ],
)
def test_tables_that_cannot_be_read(dataset: MetaDataset, tmp_path: Path, text: str, place: str) -> None:
    table = tmp_path / "scores.tsv"
    table.write_text(text)
    with pytest.raises(FormatError, match=place):
        read_score_tables({str(table): str(table)}, dataset)


@pytest.mark.parametrize(("given", "missing"), [((1, 2), 3), ((2, 3, 4), 1)])
def test_a_sentence_that_is_missing(
    dataset: MetaDataset, tmp_path: Path, given: tuple[int, ...], missing: int
) -> None:
    table = tmp_path / "scores.tsv"
    table.write_text("system\tsentence\tM\n" + "".join(f"good\t{n}\t1\n" for n in given))
    with pytest.raises(InputError, match=f"'good' for sentence {missing}"):
        read_score_tables({str(table): str(table)}, dataset)
