"""What values show of themselves in a line, and their forms as dicts, data frames and rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

import jperrant
from jperrant.core.errors import InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit, Parallel, Sentence, Token
from jperrant.evaluation.explain import chunk_tables
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.score_set import Scores
from jperrant.io.m2 import FormatDeviations, parse_m2, write_m2
from jperrant.packs.pack import load_pack
from tests.commands import printed
from tests.markup_reader import BLOCK
from tests.strategies import blocks as block_values
from tests.strategies import examples

DATA = Path(__file__).parents[1] / "data" / "conll14"

#: Characters that a repr may have; a screen line or two.
LONGEST = 1000
#: One of them with a long signature.
METRICS = ["errant", "cleme2:factors=.4,.3,.2,.1,exact=yes,weights=length"]
EDIT = Edit(0, 1, ("b",), "R:X", "why", ((),))


def large_objects() -> list[object]:
    form = "x" * 10_000
    token = Token(form, form, form, form, form, 0, form, 0, len(form), (form,) * 50)
    sentence = Sentence((token,) * 50, form, form)
    edit = Edit(0, 1, (form,) * 1000, form, form, ((form,) * 100,) * 100)
    annotation = Annotation(0, (edit,) * 1000)
    block = Block((form,) * 1000, (annotation,) * 100)
    small = [replace(BLOCK, source=(*BLOCK.source, str(n))) for n in range(300)]
    gold = [replace(b, annotations=b.annotations[:1]) for b in small]
    scores = jperrant.score(gold, small, metrics=METRICS)
    tables = chunk_tables(make_scorer("cleme2"), Pair(gold, small, form), [1])  # type: ignore[arg-type]
    aligned = jperrant.align(gold, small)
    return [
        *(sentence, Parallel(sentence, (sentence,) * 100), annotation, block, scores[0], scores),
        Scores([replace(scores[0], hypothesis=f"{form}{n}") for n in range(500)]),
        replace(scores[0], hypothesis=form),
        *(*tables, tables[0].rows[0], aligned, load_pack("en"), jperrant.load("en", models="none")),
    ]


def test_repr_of_large_objects_is_a_few_lines() -> None:
    for value in large_objects():
        lines = repr(value).splitlines()
        assert type(value).__name__ in lines[0] or isinstance(value, Scores)
        assert len(lines) <= (45 if isinstance(value, Scores) else 1), value
        assert all(len(line) <= LONGEST for line in lines), (type(value), max(map(len, lines)))


def test_repr_says_what_matters() -> None:
    assert repr(BLOCK) == "<Block 'This are gramamtical sentence .': 2 annotators, 3 edits>"
    assert repr(BLOCK.annotations[1]) == "<Annotation 1: 0 edits>"
    assert str(Block(("a|||b",))) == repr(Block(("a|||b",))), "what M2 cannot hold"
    scores = jperrant.score([replace(BLOCK, annotations=BLOCK.annotations[:1])], [BLOCK], metrics=METRICS)
    figures = "precision 1.0000, recall 1.0000, f 1.0000"
    assert repr(scores[0]) == f"<Score errant of 'hypothesis': {figures} (1 sentence)>"
    assert max(len(score.signature) for score in scores) > 60
    assert {score.signature for score in scores} <= {*repr(scores).splitlines()}, "whole signatures"


@examples(50)
@given(block=block_values())
def test_str_is_m2_as_written(block: Block) -> None:
    written: list[str] = []
    write_m2([block], SimpleNamespace(write=written.append))  # type: ignore[arg-type]
    assert str(block) == "".join(written)
    assert list(parse_m2(str(block).splitlines(), "str", FormatDeviations(strict=True))) == [block]


@given(block=block_values())
def test_dict_round_trip_through_json(block: Block) -> None:
    assert Block.from_dict(json.loads(json.dumps(block.to_dict()))) == block


@pytest.mark.parametrize("wrong", [{"source": 1}, {"source": "a b"}, {"source": ["a", None]}, {"more": 1}])
def test_dict_that_is_no_block(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"block: .*to_dict"):
        Block.from_dict({"source": ["a"], "annotations": []} | wrong)


@pytest.mark.parametrize("new", [{"correction": "is"}, {"start": float("inf")}, {"end": 0.5}, {"type": 1}])
def test_dict_that_is_no_edit(new: dict[str, Any]) -> None:
    assert Edit.from_dict(EDIT.to_dict()) == EDIT
    with pytest.raises(InputError, match=r"block: .*to_dict"):
        Block.from_dict({"source": ["a"], "annotations": [{"annotator": 0, "edits": [EDIT.to_dict() | new]}]})
    with pytest.raises(InputError, match=r"edit: .*'end'.*to_dict"):
        Edit.from_dict({"start": 0, "type": "R:X", "correction": []})
    for make in (lambda: Edit(1, 2, "is", "R:X"), lambda: Block("I is")):  # type: ignore[arg-type]
        with pytest.raises(InputError, match="is', expected a tuple of tokens"):
            make()


def test_score_to_dict_is_the_json_output(tmp_path: Any) -> None:
    file = tmp_path / "a.m2"
    file.write_text(str(BLOCK), encoding="utf-8")
    shown = json.loads(printed("score", file, "--ref", file, "--json"))
    [score] = scores = jperrant.score(file, file)
    assert score.to_dict() == shown
    assert scores.to_dict() == [shown]
    [sentence] = score.to_dict(per_sentence=True)["per_sentence"]
    assert sentence["counts"] == shown["counts"]


def test_data_frames() -> None:
    systems = {"A": ["a x", "c"], "B": ["a b", "d"]}
    scores = jperrant.score(systems, ["a x", "c"], source=["a b", "c"], metrics=["wer", "cer"])
    frame = scores.to_dataframe()
    assert list(frame["hypothesis"]) == ["A", "A", "B", "B"]
    assert list(frame["metric"]) == ["wer", "cer", "wer", "cer"]
    assert frame["wer"].isna().tolist() == [False, True, False, True]
    sentences = scores["A", "wer"].to_dataframe()
    assert sentences.index.tolist() == [1, 2]
    [errant] = jperrant.score([BLOCK], [BLOCK])
    assert errant.to_dataframe(by="type").loc["M:DET", "tp"] == 1
    with pytest.raises(UsageError, match="sentence, type"):
        errant.to_dataframe(by="tipe")


def conll_scores(metrics: str | list[str]) -> Scores:
    systems = {name: DATA / f"conll14-{name}.errant" for name in ("AMU", "CAMB", "IITB")}
    return jperrant.score(systems, DATA / "conll14.errant", metrics=metrics)


def test_warnings_stand_with_the_figures() -> None:
    scores = conll_scores("errant:mode=dt")
    warnings = scores.warnings()
    assert len(warnings) == 3
    places = [str(scores), scores.to_latex(), scores.to_markdown(intervals="", test="")]
    assert all(f"warning: {line}" in place for line in warnings for place in places)
    assert all(line in scores._repr_html_() for line in warnings)
    assert [line for one in scores.to_dict() for line in one["warnings"]] == list(warnings)
    assert scores.to_dataframe().attrs["warnings"] == list(warnings)
    for by in ("sentence", "type"):
        assert scores["CAMB"].to_dataframe(by=by).attrs["warnings"] == list(warnings[1:2])


@pytest.mark.ci
def test_the_table_of_a_paper() -> None:
    """Figures of the table are those of the functions that compute them."""
    scores = conll_scores(["errant", "wer"])
    assert r"hypothesis & errant f & wer \\" in scores.to_latex(intervals="", test="")
    scores = Scores(scores[::2])
    low = jperrant.intervals(scores["CAMB"])["f"]
    half = f"{scores['CAMB'].values['f']:.4f} $\\pm$ {(low.high - low.low) / 2:.4f}"
    assert f" {half}" in scores.to_latex(["f"], bold_best=False)
    layout: dict[str, Any] = {"percent": True, "intervals": "brackets", "test": "randomisation"}
    lines = scores.to_markdown(["f", "recall"], **layout).splitlines()
    interval = f"{100 * low.low:.2f}, {100 * low.high:.2f}"
    assert lines[3] == f"| CAMB | **33.48 \\[{interval}\\]** | **27.77 \\[26.09, 29.60\\]**‡ |"
    assert any(line.startswith("`‡: differs from AMU") for line in lines)
    other = scores.to_markdown(["f"], test="randomisation", baseline="CAMB", samples=100)
    assert "‡: differs from CAMB" in other
    with pytest.raises(UsageError, match=r"unknown test 'bootstrp' .did you mean 'bootstrap'"):
        scores.to_latex(test="bootstrp")


@pytest.mark.models
def test_from_spacy() -> None:
    spacy = pytest.importorskip("spacy")
    words, lemmas = ["Dogs", "bark", " ", "Cats", "sleep"], ["dog", "bark", " ", "cat", "sleep"]
    analysis = {"lemmas": lemmas, "pos": ["NOUN", "VERB", "SPACE", "NOUN", "VERB"]}
    parsed = {"heads": [1, 1, 1, 4, 4], "deps": ["nsubj", "ROOT", "", "nsubj", "ROOT"]}
    vocabulary = spacy.blank("en").vocab
    first, second = jperrant.from_spacy(spacy.tokens.Doc(vocabulary, words, **analysis, **parsed))
    assert [(t.form, t.lemma) for t in first.tokens] == [("Dogs", "dog"), ("bark", "bark")]
    assert (second.text, [t.head for t in second.tokens]) == ("Cats sleep", [2, 0])
    assert all(s.text[t.start : t.end] == t.form for s in (first, second) for t in s.tokens)
    [unparsed] = jperrant.from_spacy(spacy.tokens.Doc(vocabulary, words, **analysis))
    assert (unparsed.forms, unparsed.parsed) == (("Dogs", "bark", "Cats", "sleep"), False)


@pytest.mark.models
def test_from_stanza_itself() -> None:
    stanza = pytest.importorskip("stanza")
    noun = {"lemma": "dog", "upos": "NOUN", "feats": "Number=Plur", "head": 2, "deprel": "nsubj"}
    verb = {"id": 2, "text": "bark", "upos": "VERB", "head": 0, "deprel": "root"}
    rows = [[{"id": 1, "text": "Dogs", **noun}, verb], [{"id": 1, "text": "Again"}]]
    first, second = jperrant.from_stanza(stanza.Document(rows))
    assert (first.parsed, second.tagged) == (True, False)
    assert first.tokens[0] == Token("Dogs", "dog", "NOUN", "", "Number=Plur", 2, "nsubj", 0, 4)
    annotator = jperrant.load("en", models="none")
    [edit] = annotator.annotate(first, Sentence.from_forms(["Dogs", "barks"]))
    assert (edit.start, edit.end, edit.correction) == (1, 2, ("barks",))


def test_long_names_and_many_warnings_are_told_from_one_another() -> None:
    [score, *_] = conll_scores("errant")
    told = tuple(f"line {n}" for n in range(30))
    names = [f"bea19-dev_gpt-4o-mini-2024-07-18_zero-shot-prompt-in-English-{n}" for n in (1, 2, 3)]
    named = Scores(replace(score, hypothesis=name, warnings=told) for name in names)
    lines = str(named).splitlines()
    assert len({*map(repr, named)}) == len({line.split()[0] for line in lines[1:4]}) == 3
    assert lines[-1] == "… and 11 more lines"
