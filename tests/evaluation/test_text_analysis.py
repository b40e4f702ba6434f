"""How texts that are scored become tokens and edits: with which models, and what is told of them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app


@pytest.mark.parametrize("metric", ["gleu", "green", "wer", "imeasure"])
def test_metrics_over_texts_need_no_models(metric: str) -> None:
    [score] = jperrant.score(
        {"A": ["a b c d f"]}, [["a b c d f"]], source=["a b c d e"], metrics=[metric], lang="fi"
    )
    assert score.values[score.scorer.main] == (0 if metric == "wer" else 1)


@pytest.mark.models
def test_raw_texts_are_tokenised_whatever_the_metric(tmp_path: Path) -> None:
    texts = {"source": "He go, too. I am.", "system": "He goes, too. I am."}
    for name, text in texts.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    source, system = str(tmp_path / "source"), str(tmp_path / "system")
    [score] = jperrant.score([system], [source], source=source, metrics=["wer"], lang="en", raw=True)
    assert score.counts == {"distance": 1, "length": 8}
    [again] = jperrant.score({"A": system}, [source], source=source, metrics="wer", raw=True)
    assert again.counts == score.counts


@pytest.mark.models
def test_edits_that_are_shown_do_not_depend_on_the_metric() -> None:
    source, system, reference = (
        ["This are gramamtical ."],
        ["This is gramamtical ."],
        ["This is grammatical ."],
    )
    given = {"source": source, "references": [reference]}
    both, text = (jperrant.explain(system, **given, metrics=m)[0] for m in (["gleu", "errant"], "gleu"))
    assert text.edits == both.edits
    assert "R:VERB:SVA" in {edit.type for edit in text.edits}


@pytest.mark.parametrize(
    ("source", "correction"),
    [
        (
            ["我喜欢吃平果。", "他今天很高心的来了。", "這是我的書。"],
            ["我喜欢吃苹果。", "他今天很高兴地来了。", "这是我的书。"],
        ),
        (
            ["저는학교에갔습니다.", "밥을먹었다.", "집에간다."],
            ["저는 학교에 갔습니다.", "밥을 먹었다.", "집에 간다."],
        ),
        (["teh", "recieve", "becuase"], ["the", "receive", "because"]),
    ],
)
def test_corrections_of_short_lines_are_like_their_source(source: list[str], correction: list[str]) -> None:
    assert jperrant.score({"A": correction}, [correction], source=source, metrics="wer")[0].values == {
        "wer": 0
    }


def test_running_text_given_as_tokens_is_told(tmp_path: Path) -> None:
    source, right = ["This are bad. She goed home.", "He go ."], ["This is bad. She went home.", "He goes ."]
    [score] = jperrant.score({"A": right}, [right], source=source, metrics="wer")
    assert any("looks like running text" in line and "raw=True" in line for line in score.warnings)
    for name, lines in (("source", source), ("right", right)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    given = str(tmp_path / "right"), str(tmp_path / "right")
    [again] = jperrant.score(given[:-1], given[-1], source=str(tmp_path / "source"), metrics="wer")
    both = ([w for w in one.warnings if "same content" not in w] for one in (score, again))
    assert next(both) == next(both)
    for options in ({"raw": True}, {"tokens": "characters"}):
        [other] = jperrant.score(
            {"A": right}, [right], source=source, metrics="wer", models="none", **options
        )
        assert not any("running text" in line for line in other.warnings)


def test_corrections_that_are_running_text_are_told(tmp_path: Path) -> None:
    """As a language model writes them, of a source that has tokens."""
    source, right = ["This are bad .", "He go ."], ["This is bad .", "He goes ."]
    glued = ["This is bad.", "He goes."]
    told = "1 sentence looks like running text, not tokens: 'goes.' in sentence 2; give raw=True"
    system, reference, both = (
        jperrant.score({"A": hyp}, [ref], source=source, metrics="wer")[0].warnings
        for hyp, ref in ((glued, right), (right, glued), (glued, glued))
    )
    assert [w.partition(" (")[0] for w in system if "running" in w] == [f"A: {told}"]
    assert [w.partition(" (")[0] for w in reference if "running" in w] == [f"references: {told}"]
    assert sum("running" in w for w in both) == 2
    for name, lines in (("source", source), ("right", right), ("glued", glued)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("source", "glued", "right")]
    assert (
        CliRunner().invoke(app, ["annotate", *files, "--models", "none", "-o", f"{tmp_path}/a.m2"]).exit_code
        == 0
    )
    again = jperrant.score(f"{tmp_path}/glued", f"{tmp_path}/a.m2", metrics="wer")
    assert any("glued: 1 sentence looks like running text" in warning for warning in again[0].warnings)


def test_lines_for_which_a_system_gave_nothing_are_told() -> None:
    source, given, right = ["He go .", "", "I am ."], ["", "", "I am ."], ["He goes .", "", "I am ."]
    told = "1 of the 2 source sentences has no answer (line 1), so that all its words count as deleted"
    [score] = jperrant.score({"A": given}, [right], source=source, metrics="wer")
    assert any(warning.startswith(f"A: {told}") for warning in score.warnings)
    [score] = jperrant.score({"A": right}, [given], source=source, metrics="wer")
    assert not any("no answer" in w for w in score.warnings)


@pytest.mark.parametrize("options", [{}, {"split_on": "newline"}, {"split_on": "blank"}])
def test_raw_lines_for_which_a_system_gave_nothing_are_told(options: dict[str, str]) -> None:
    source, given = ["He go home.", "", "I am here."], ["", "", "I am here."]
    shared = {"metrics": "wer", "models": "none", "raw": True, **options}
    for lines, told in ((given, True), (given[1:], True), (["He go home.", "", "I am."], False)):
        [score] = jperrant.score({"A": lines}, [source], source=source, **shared)
        assert any("has no answer (line 1)" in warning for warning in score.warnings) == told


@pytest.mark.parametrize("raw", [False, True])
def test_texts_in_another_normal_form_are_told(raw: bool) -> None:
    """Hangul has nothing in common with its decomposed form, and yet the text is a version of its source."""
    source = ["저는 학교에 갔습니다 .", "밥을 먹었다 .", "집에 간다 .", "I am ."]
    apart = [unicodedata.normalize("NFD", line) for line in source]
    shared = {"metrics": "wer", "lang": "ko", "models": "none", "raw": raw}
    told = "3 lines have words of the source with characters encoded otherwise"
    for system, reference, names in (
        (apart, source, ["A"]),
        (source, apart, ["references"]),
        (source, source, []),
    ):
        [score] = jperrant.score({"A": system}, [reference], source=source, **shared)
        assert [w.partition(": ")[0] for w in score.warnings if told in w] == names
    [score] = jperrant.score({"A": apart}, [apart], source=apart, **shared)
    assert not any("encoded" in warning for warning in score.warnings)


def test_a_text_in_another_normal_form_than_m2_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(unicodedata.normalize("NFD", "Příliš málo .\n"), encoding="utf-8")
    (tmp_path / "gold.m2").write_text("S Příliš málo .\n\n", encoding="utf-8")
    [score] = jperrant.score(f"{tmp_path}/a", f"{tmp_path}/gold.m2", metrics="wer")
    assert any("a: 1 line has words of the source with characters encoded" in w for w in score.warnings)
