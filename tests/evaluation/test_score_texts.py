"""Files and texts in, scores out: roles, several metrics, options, the cache, warnings of what misleads."""

from __future__ import annotations

import itertools
import json
import os
import re
import sqlite3
import unicodedata
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError, MissingModelError, UsageError
from jperrant.core.messages import spoken
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.inputs import Systems
from jperrant.evaluation.metric_names import parse_spec, written_option

DATA = Path(__file__).parents[1] / "data" / "conll14"
SOURCE = ["This are bad .", "Me too .", "He go home", "I has two cat ."]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Christmas"]
GOOD = ["This is bad .", "Me too .", "He goes home .", "I have two cats ."]
HALF = ["This is bad .", "Me too .", "He go home", "I have two cat ."]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, lines in (("s", SOURCE), ("half", HALF), ("good", GOOD), ("short", GOOD[:2])):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["score", *args], catch_exceptions=True)
    if code:
        assert result.exception is not None
        return str(result.exception)
    assert result.exit_code == 0, result.output
    return result.stdout


def values(*args: str) -> dict[tuple[str, str], dict[str, float]]:
    objects = json.loads(run(*args, "--json"))
    objects = objects if isinstance(objects, list) else [objects]
    return {(o["hypothesis"], o["metric"]): o["values"] for o in objects}


TEXTS = ("--source", "s.txt", "--models", "none")


def test_texts_are_scored(folder: Path) -> None:
    found = values(
        *TEXTS, "--hyp", "half.txt", "--hyp", "good.txt", "--ref", "good.txt", "-m", "errant", "-m", "wer"
    )
    assert list(found) == [
        ("half.txt", "errant"),
        ("half.txt", "wer"),
        ("good.txt", "errant"),
        ("good.txt", "wer"),
    ]
    assert found["half.txt", "errant"]["precision"] == 1
    assert found["half.txt", "errant"]["recall"] == pytest.approx(2 / 5)
    assert found["good.txt", "errant"]["f"] == 1
    assert found["half.txt", "wer"]["wer"] == pytest.approx(3 / 16)


def test_texts_and_m2_may_be_mixed(folder: Path) -> None:
    annotator = jperrant.load("en", models="none")
    with (folder / "gold.m2").open("w") as stream:
        jperrant.write_m2(annotator.annotate_many(zip(SOURCE, GOOD, strict=True)), stream)
    with (folder / "half.m2").open("w") as stream:
        jperrant.write_m2(annotator.annotate_many(zip(SOURCE, HALF, strict=True)), stream)
    expected = values(*TEXTS, "half.txt", "--ref", "good.txt")["half.txt", "errant"]
    for hyp, ref in (("half.txt", "gold.m2"), ("half.m2", "good.txt"), ("half.m2", "gold.m2")):
        # Where the source is in the M2 file it need not be given again.
        assert values("--models", "none", "--hyp", hyp, "--ref", ref)[hyp, "errant"] == expected
    both = values("--models", "none", "--hyp", "half.txt", "--ref", "gold.m2", "--ref", "half.txt")
    assert both["half.txt", "errant"]["f"] == 1, "two files of references are two annotators"


@pytest.mark.parametrize("last", [6, 8])
def test_raw_texts_whose_lines_are_as_many_by_chance_are_aligned(last: int) -> None:
    lines = [f"{name} go home on {day} ." for name, day in zip("ABCDEFGH", DAYS, strict=True)]
    gold = [line.replace("go", "goes") for line in lines]
    split = [
        *gold[:1], "B goes home", "on Tuesday .", *gold[2 : last - 2], " ".join(gold[last - 2 : last]),
        *gold[last:],
    ]  # fmt: skip
    assert len(split) == len(lines)
    (score,) = jperrant.score(split, gold, source=lines, metrics="errant", raw=True, models="none")
    assert score.counts == {"tp": 8, "fp": 0, "fn": 0}


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--hyp", "short.txt", "--ref", "good.txt"], r"short.txt: found 2 lines, expected the 4 of s.txt"),
        (["--hyp", "empty.txt", "--ref", "good.txt"], "empty.txt: found no text"),
        (["--hyp", "half.txt"], "found no references"),
        (["--hyp", "half.txt", "--ref", "good.txt", "-m", "errant:mode=ds,mode=cs"],
         "'mode' is given twice; give it once"),
        (["--hyp", "-", "--ref", "-"], "only one file can be read from it"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(folder: Path, args: list[str], expected: str) -> None:
    message = run(*TEXTS, *args, code=2)
    assert expected in message
    assert "\n" not in message


def test_wrong_files_in_wrong_places(folder: Path) -> None:
    assert "half.txt is text, not M2; to score texts, give the text that was corrected" in run(
        "half.txt", "--ref", "good.txt", code=2
    )
    gold = str(DATA / "conll14.errant")
    message = run("--source", gold, "--hyp", "half.txt", "--ref", "good.txt", code=2)
    assert "found M2, expected text" in message
    (folder / "blank.txt").write_text("\n\n", encoding="utf-8")
    message = run("--source", "blank.txt", "--hyp", "half.txt", "--ref", "good.txt", code=2)
    assert "blank.txt: found no text" in message


@pytest.mark.models
def test_another_order_is_found_out() -> None:
    sources = [
        f"The {animal} sees number {n} in the {place} ."
        for n, (animal, place) in enumerate(
            [
                ("dog", "old house"), ("cat", "garden"), ("bird", "high tree"), ("fish", "blue river"),
                ("horse", "field"),
            ]
        )
    ]  # fmt: skip
    other = ["A completely different text", "Nothing here is like it", "So what", "And on it goes", "The end"]
    with pytest.raises(
        InputError, match=r"hypothesis: found lines unlike those of source \(mean similarity 0"
    ):
        jperrant.score(other, sources, source=sources, metrics="wer")


ROLES = {
    ("A", "B", "--ref", "R"): (["A", "B"], 1),
    ("--hyp", "A", "B", "--ref", "R"): (["A", "B"], 1),
    ("--ref", "R", "B", "--hyp", "A"): (["A"], 2),
    ("--hyp", "B", "--hyp=A", "--ref", "R", "R"): (["B", "A"], 2),
    ("--hyp", "A", "B", "--names", "good,lower", "--ref", "R"): (["good", "lower"], 1),
    ("B", "-m", "errant", "A", "--ref", "R", "--", "R"): (["B", "A", "R"], 1),
}


@pytest.mark.parametrize("words", ROLES)
def test_roles_are_said_and_systems_keep_their_order(words: tuple[str, ...], tmp_path: Path) -> None:
    """No file is a reference because it stands last, and names go by the order of the systems."""
    for name, fixed in (("A", 40), ("B", 20), ("R", 60)):
        blocks = list(islice(jperrant.read_m2(DATA / "conll14.errant"), 60))
        own = [
            b if n < fixed else jperrant.Block(b.source, (jperrant.Annotation(0),))
            for n, b in enumerate(blocks)
        ]
        one = [jperrant.Block(b.source, b.annotations[:1]) for b in own]
        with (tmp_path / name).open("w", encoding="utf-8") as stream:
            jperrant.write_m2(one, stream)
    files = [
        str(tmp_path / word) if word in "ABR" else word.replace("=A", f"={tmp_path}/A") for word in words
    ]
    found = CliRunner().invoke(app, ["score", "--json", *files])
    assert found.exit_code == 0, found.output
    scores = json.loads(found.stdout)
    scores = scores if isinstance(scores, list) else [scores]
    names, references = ROLES[words]
    assert [Path(score["hypothesis"]).name for score in scores] == names
    assert {score["signature"].split("|")[3] for score in scores} == {f"refs:{references}"}
    best = max(scores, key=lambda score: score["values"]["recall"])
    assert Path(best["hypothesis"]).name in ("A", "good", "R"), "a name goes with its file"


def test_systems_stand_in_one_place_and_references_are_named() -> None:
    for words, message in (
        (
            ["a.m2", "--hyp", "b.m2", "--ref", "r.m2"],
            "systems stand in two places: a.m2 and, after --hyp, b.m2",
        ),
        (["a.m2", "r.m2"], "found no references; give them with --ref"),
        (["--ref", "r.m2", "a.m2"], "found no systems to score; give at least one"),
        (["a.m2", "--names", "A,B", "--ref", "r.m2"], "2 names for 1 system: A, B"),
    ):
        assert message in str(CliRunner().invoke(app, ["score", *words]).exception)


def test_specifications_of_metrics() -> None:
    assert parse_spec("ERRANT:mode=ds,beta=1,exact,filter=M:DET,U:DET") == (
        "errant",
        {"mode": "ds", "beta": 1.0, "exact": True, "filter": ("M:DET", "U:DET")},
    )
    assert parse_spec("cleme2:factors=.5,.3,.1,.1,level=sentence")[1] == {
        "factors": ".5,.3,.1,.1",
        "level": "sentence",
    }
    assert not parse_spec("errant:exact=no")[1]["exact"]
    for spec, message in (
        ("errant:betta=1", "no option 'betta' .did you mean 'beta'"),
        ("errant:beta=x", "beta='x', expected a number"),
        ("errant:exact=perhaps", "expected yes or no"),
        ("errant:beta=1,beta=2", "is given twice"),
        ("errand", "unknown metric 'errand'"),
        ("CLEME2.0", "did you mean 'cleme2'"),
        ("errant:beta", "option 'beta' has no value; write beta=VALUE"),
        (
            "gleu draws=5",
            "unknown metric 'gleu draws=5'; write one metric each, and its options after a colon: gleu:",
        ),
        ("errant,gleu", "unknown metric 'errant,gleu'; write one metric each"),
    ):
        with pytest.raises(UsageError, match=message):
            parse_spec(spec)


@pytest.mark.models
def test_python_takes_strings_lists_and_mappings() -> None:
    systems = {"A": HALF, "B": GOOD}
    scores = jperrant.score(systems, GOOD, source=SOURCE, metrics=["gleu", "cleme2:level=sentence"])
    assert scores.systems == ("A", "B")
    assert scores.metrics == ("gleu", "cleme2")
    assert scores["B", "cleme2"].values["hit"] == pytest.approx(3 / 4), "one sentence needs no change"
    assert scores["A", "gleu"].values["gleu"] < scores["B", "gleu"].values["gleu"] == 1
    [one] = jperrant.score(HALF, [GOOD, HALF], source=SOURCE, metrics="wer")
    assert (one.hypothesis, one.values) == ("hypothesis", {"wer": 0.0})
    assert one.signature.split("|")[1] == "refs:2"
    with pytest.raises(UsageError, match="unknown system 'C'; expected one of A, B"):
        scores["C", "gleu"]
    with pytest.raises(UsageError, match="expected one of"):
        scores["A"]
    with pytest.raises(UsageError, match="found no references"):
        jperrant.score(HALF, source=SOURCE)


@pytest.mark.models
def test_repr_is_a_table() -> None:
    shown = repr(jperrant.score({"A": HALF}, GOOD, source=SOURCE, metrics=["wer", "cer"]))
    assert shown.splitlines()[0].split() == ["hypothesis", "wer", "cer"]
    assert len(shown) < 500


def test_python_names_what_is_no_sentence_and_no_argument() -> None:
    with pytest.raises(InputError, match=r"sentence 1 .* is None, expected a Block, or a list of strings"):
        jperrant.score({"a": [None] * 3}, [["a c"] * 3], source=["a b"] * 3, metrics="wer")  # type: ignore[dict-item]
    with pytest.raises(InputError, match=r"a: sentence 2 \(counted from 1\) is 7, expected a string"):
        jperrant.score({"a": ["a", 7]}, [["a c"] * 2], source=["a b"] * 2, metrics="wer")  # type: ignore[dict-item]
    with pytest.raises(UsageError, match=r"found the path .*\.py where the source is a list of sentences"):
        jperrant.score([__file__], [["a c"]], source=["a b"], metrics="wer")


def test_a_warning_names_its_metric_among_several() -> None:
    camb = Path(__file__).parents[1] / "data/conll14/conll14-CAMB.errant"
    files = [str(camb), str(camb.with_name("conll14.errant"))]
    [line] = jperrant.score(files[:-1], files[-1], metrics=["cleme2"]).warnings()
    assert line.startswith(f"{camb}: the choice of references depends on the order")
    both = jperrant.score(files[:-1], files[-1], metrics=["errant", "cleme2"])
    assert line in both[1].warnings
    assert line.replace(f"{camb}: ", f"{camb}: cleme2: ") in both.warnings()


def test_text_on_standard_input_is_told_from_m2(folder: Path) -> None:
    (folder / "gold.m2").write_text("S This is a cat .\nA 2 3|||R:X|||the|||REQUIRED|||-NONE-|||0\n\n")
    given = ["score", "--hyp", "-", "--ref", "gold.m2", "-m", "m2"]
    result = CliRunner().invoke(app, given, input="This is a cat .\n")
    assert "begins with 'S ' or 'A '; standard input is read as M2, give text as a file" in str(
        result.exception
    )


def test_one_metric_twice_with_other_options(folder: Path) -> None:
    out = run(*TEXTS, "half.txt", "--ref", "good.txt", "-m", "errant:mode=cs", "-m", "errant:mode=ds")
    assert out.splitlines()[0].split() == ["hypothesis", "errant", "mode:cs", "f", "errant", "mode:ds", "f"]
    for other, twice in (("errant", "'errant'"), ("errant:beta=0.5", "'errant' and 'errant:beta=0.5'")):
        said = run(*TEXTS, "half.txt", "--ref", "good.txt", "-m", "errant", "-m", other, code=1)
        assert said.startswith(f"the same metric is given twice: {twice}")


def test_annotations_are_kept_and_damaged_ones_made_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = (*TEXTS, "--hyp", "half.txt", "--ref", "good.txt", "--cache", "kept")
    first = run(*args)
    kept = folder / "kept" / "annotations.sqlite"
    assert run(*args) == first
    with sqlite3.connect(kept) as store:  # one is cut short, another changed
        [(one,), (other,)] = store.execute("SELECT key FROM packed").fetchall()
        store.execute("UPDATE packed SET value = substr(value, 1, length(value) - 3) WHERE key = ?", [one])
        store.execute("UPDATE packed SET value = zeroblob(9) WHERE key = ?", [other])
    store.close()
    assert run(*args) == first
    kept.write_bytes(b"no store")
    assert run(*args) == first

    def fails(*_: object) -> None:
        raise AssertionError("nothing is annotated twice")

    monkeypatch.setattr("jperrant.annotation.annotator.Annotator.annotate_many", fails)
    assert run(*args) == first


def test_metrics_command() -> None:
    shown = CliRunner().invoke(app, ["metrics", "--json"])
    listed = {m["metric"]: m for m in json.loads(shown.stdout)}
    assert (listed["wer"]["better"], listed["wer"]["needs"]) == ("lower", "references, texts")
    shown = CliRunner().invoke(app, ["metrics", "cleme2", "--json"])
    options = {o["name"]: o for o in json.loads(shown.stdout)["options"]}
    assert list(options["level"]["choices"]) == ["corpus", "sentence"]
    assert "llm_model" in options
    for name in listed:
        assert CliRunner().invoke(app, ["metrics", name]).exit_code == 0


def test_score_help_fits_a_screen() -> None:
    shown = CliRunner().invoke(app, ["score", "--help"], env={"COLUMNS": "80", "TERM": "dumb"}).stdout
    assert len(shown.splitlines()) <= 67
    assert "--assumption" not in shown, "options of metrics are shown by 'jperrant metrics NAME'"


@pytest.mark.parametrize(
    ("specs", "flag", "advice"),
    [
        (["errant", "cleme2"], "--factors", "-m cleme2:factors=..."),
        (["errant", "gleu:level=sentence"], "--merge-distance", "-m cleme:merge_distance=..."),
        (["pt-errant", "cleme2"], "--llm-model", "-m cleme2:llm_model=..."),
        (["uot", "errant"], "--exact", "-m errant:exact"),
        (["no-such"], "--draws", "-m gleu:draws=..."),
        ([], "--mood", ""),
    ],
)
def test_an_option_of_a_metric_is_told_where_it_goes(specs: list[str], flag: str, advice: str) -> None:
    assert written_option(flag, specs) == advice


@pytest.mark.parametrize(
    ("metric", "option"),
    [("uot:encoder=nobody/has-this", "--encoder"), ("perplexity:model=nobody/has-this", "--model")],
)
def test_a_missing_model_is_told_before_texts_are_annotated(
    metric: str, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "jperrant.annotation.annotator.annotator_of", lambda _: pytest.fail("texts were annotated")
    )
    for score in (
        lambda: jperrant.score({"half": HALF}, [GOOD], source=SOURCE, metrics=["errant", metric]),
        lambda: jperrant.score(HALF, GOOD, source=SOURCE, metrics=["errant", metric], lang="en"),
    ):
        with pytest.raises(MissingModelError, match=f"jperrant models get {option} nobody/has-this"):
            score()


def test_a_language_model_that_is_not_named_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "jperrant.annotation.annotator.annotator_of", lambda _: pytest.fail("texts were annotated")
    )
    with pytest.raises(UsageError, match="no language model was given"):
        jperrant.score({"half": HALF}, [GOOD], source=SOURCE, metrics=["errant", "llm-s"])


def test_blank_lines_at_the_end_are_no_sentences(tmp_path: Path) -> None:
    texts = {"source": "He go .\nMe too .\n", "system": "He goes .\nMe too .\n"}
    expected = None
    for ends in itertools.product(("", "\n", "\n \n\n"), repeat=3):
        paths = [tmp_path / name for name in ("source", "system", "reference")]
        for path, end in zip(paths, ends, strict=True):
            path.write_text(texts.get(path.name, texts["system"]) + end, encoding="utf-8")
        source, system, reference = map(str, paths)
        [score] = jperrant.score(system, reference, source=source, models="none")
        assert score.sentences == 2
        expected = expected or score.total
        assert score.total == expected == (1, 0, 0)
    (tmp_path / "system").write_text("He goes .\n\n", encoding="utf-8")
    [score] = jperrant.score(system, reference, source=source, models="none")
    assert (score.sentences, score.total) == (2, (1, 1, 0)), "a blank answer deletes its sentence"


SENTENCES = ["This are bad .", "Me too ."]
FIXED = ["This is bad .", "Me too ."]


@pytest.mark.parametrize(
    ("systems", "references", "options", "message"),
    [
        (FIXED, None, {}, "found no references; give them with references="),
        ([], FIXED, {}, "found no systems to score; give at least one, as what references= gives are"),
        (FIXED, FIXED, {"source": None}, "found no file 'This is bad .'; if these are sentences, give source="),
        (FIXED, "\n".join(FIXED), {}, "found a text in one string"),
        (FIXED, {"A": FIXED}, {}, "expected a path, blocks, a list of sentences"),
        (FIXED, [None, "Me too ."], {}, "found None, expected a path"),
        (b"h.m2", FIXED, {}, "expected a path, blocks"),
        ([line.split() for line in FIXED], FIXED, {}, "found a list for each of the 2 sentences"),
        (FIXED, [[line] for line in FIXED], {}, "found a list for each of the 2 sentences"),
        (FIXED, FIXED, {"metrics": {"gleu": {"draws": 5}}}, "metrics is {'gleu': {'draws': 5}}, expected"),
        (FIXED, FIXED, {"metrics": None}, "metrics is None, expected a metric"),
        (FIXED, FIXED, {"raw": "false"}, "raw is 'false', expected True or False"),
        (FIXED, FIXED, {"answers": True}, "answers is True, expected a string"),
        (FIXED, FIXED, {"lang": ["en"]}, r"lang is \['en'\], expected a string"),
    ],
)  # fmt: skip
def test_python_values_of_other_kinds_are_refused(
    systems: Any, references: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        jperrant.score(systems, references, **{"source": SENTENCES, "metrics": "gleu", **options})
    assert re.search(message, spoken(str(refused.value)))


def test_sentences_may_come_from_files_and_generators(tmp_path: Path) -> None:
    [plain] = jperrant.score(FIXED, FIXED[::1], source=SENTENCES, metrics="gleu")
    path = tmp_path / "h"
    path.write_text("\n".join(FIXED) + "\n", encoding="utf-8")
    with path.open(encoding="utf-8") as lines:
        [read] = jperrant.score(lines, iter(FIXED), source=iter(SENTENCES), metrics="gleu")
    [mixed] = jperrant.score(path, FIXED, source=SENTENCES, metrics="gleu")
    assert plain.values == read.values == mixed.values
    assert not any("blank lines" in warning for warning in read.warnings)


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


def test_files_that_cannot_be_scored(tmp_path: Path) -> None:
    empty, good, bad = tmp_path / "empty.m2", tmp_path / "good.m2", tmp_path / "bad.m2"
    empty.write_text("\n\n")
    good.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n")
    bad.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||me\n")
    with pytest.raises(FormatError, match=r"empty\.m2: found no sentences"):
        jperrant.score(str(empty), str(good))
    with pytest.raises(FormatError, match=r"bad\.m2:2: annotator 'me' is not a number"):
        jperrant.score(str(good), str(bad))
    with pytest.raises(UsageError, match=r"found no references; give them with references="):
        jperrant.score(str(good))
    with pytest.raises(InputError, match=r"nowhere\.txt: cannot be read"):
        jperrant.score(str(good), str(good), source=str(tmp_path / "nowhere.txt"))
    [score] = jperrant.score(str(good), str(good), metrics="errant:beta=1")
    assert score.values["f"] == 1.0


def pipe(path: Path) -> str:
    """Return the path of a pipe with what is in a file, as a shell's ``<(cat FILE)`` gives it."""
    out, into = os.pipe()
    os.write(into, path.read_bytes())
    os.close(into)
    return f"/dev/fd/{out}"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no paths here")
def test_pipes_keep_their_beginning(tmp_path: Path) -> None:
    system, gold, source = (tmp_path / name for name in ("system.m2", "gold.m2", "source.txt"))
    system.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n" * 2)
    gold.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\nS a b\n\n")
    source.write_text("a b\na b\n")
    text = tmp_path / "system.txt"
    text.write_text("c b\nc b\n")
    for files in ((pipe(system), gold), (system, pipe(gold)), (pipe(system), pipe(gold))):
        [score] = jperrant.score(*map(str, files))
        assert (score.sentences, score.counts) == (2, {"tp": 1, "fp": 1, "fn": 0})
    [expected] = jperrant.score(str(text), str(gold), source=str(source), metrics=["wer"])
    [score] = jperrant.score(str(text), pipe(gold), source=pipe(source), metrics=["wer"])
    assert score.values == expected.values


def test_what_was_read_leniently_is_said(tmp_path: Path) -> None:
    odd = tmp_path / "odd.m2"
    odd.write_text("S a b\nA  0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n")
    [score] = jperrant.score(str(odd), [Block(("a", "b"))])
    [line] = [line for line in score.warnings if "unusual white space in the span" in line]
    assert line.startswith(str(odd))
    with pytest.raises(FormatError, match=r"odd\.m2:2"):
        jperrant.score(str(odd), str(odd), strict=True)


def test_blocks_that_can_be_gone_through_once_are_scored_whole(tmp_path: Path) -> None:
    system, gold = tmp_path / "system.m2", tmp_path / "gold.m2"
    edit = "A 0 1|||R:X|||{}|||REQUIRED|||-NONE-|||0\n\n"
    system.write_text("".join("S a b\n" + edit.format(c) for c in "xyz"))
    gold.write_text("".join("S a b\n" + edit.format(c) for c in "qyz"))

    def read(path: Path) -> object:
        return jperrant.read_m2(str(path))

    [expected] = jperrant.score(str(system), str(gold))
    assert (expected.sentences, expected.counts) == (3, {"tp": 2, "fp": 1, "fn": 1})
    for scores in (
        jperrant.score(read(system), read(gold)),
        jperrant.score(read(system), [read(gold)]),
        jperrant.score(str(system), iter([str(gold)])),
    ):
        assert [(one.sentences, one.counts) for one in scores] == [(3, expected.counts)]
    assert len(jperrant.explain(read(system), read(gold))) == 3
    for page in (
        jperrant.report(read(system), read(gold), metrics="errant"),
        jperrant.report(read(system), [read(gold)], metrics="errant"),
    ):
        assert [(one.sentences, one.counts) for one in page.scores] == [(3, expected.counts)]


@pytest.fixture
def roles(tmp_path: Path) -> Path:
    (tmp_path / "s.txt").write_text("a b\nc d\n")
    (tmp_path / "r.txt").write_text("a x\nc d\n")
    (tmp_path / "copy.txt").write_text("a x\r\nc d")
    return tmp_path


def test_the_same_content_in_two_roles_is_told(roles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(roles)

    def told(systems: Systems, references: str) -> list[str]:
        lines = jperrant.score(systems, references, source="s.txt", metrics=["wer", "gleu"]).warnings()
        return [line.partition(" have the same content;")[0] for line in lines if "same content" in line]

    assert told(["r.txt", "copy.txt"], "r.txt") == [
        "r.txt (system) and copy.txt (system)",
        "r.txt (system) and r.txt (references)",
        "copy.txt (system) and r.txt (references)",
    ]
    assert told({"A": "s.txt", "B": "r.txt"}, "s.txt") == [
        "A (system) and s.txt (references)",
        "A (system) and s.txt (source)",
        "s.txt (references) and s.txt (source)",
    ]
    first, second = (["a x", "c d"] for _ in range(2))
    systems, gold = {"A": first, "B": second}, ["a y", "c d"]
    [line] = jperrant.score(systems, gold, source=["a b", "c d"], metrics="wer").warnings()
    assert line.startswith("A (system) and B (system) have the same content")


def test_edits_that_cannot_agree_are_told() -> None:
    source = tuple("abcdefghijklmnopqrstu")
    own = tuple(Edit(n, n + 1, ("x",), "R:OTHER") for n in range(20))
    system = Block(source, (Annotation(0, own),))
    unknown = Block(source, (Annotation(0, tuple(replace(edit, type="UNK") for edit in own)),))
    [line] = jperrant.score([system], [unknown]).warnings()
    assert line.startswith("references: found only edits of type UNK, which correct nothing")
    other = Block(source, (Annotation(0, tuple(replace(edit, correction=("y",)) for edit in own)),))
    [line] = jperrant.score([system], [other]).warnings()
    assert line.startswith("hypothesis: none of its edits is among those of the references")
    assert not jperrant.score([system], [replace(other, annotations=(Annotation(0, (own[0],)),))]).warnings()


def test_a_system_with_several_annotators_is_told() -> None:
    edit = Edit(0, 1, ("c",), "R:OTHER")
    references = Block(("a", "b"), (Annotation(0, (edit,)), Annotation(1)))
    system = Block(("a", "b"), (Annotation(0, (edit,)),))
    [line] = jperrant.score([references], [system]).warnings()
    assert line.startswith("hypothesis: found 2 annotators, as files of references have them")
    assert not jperrant.score([system], [references]).warnings()


def test_references_without_an_edit_are_told() -> None:
    source = Block(("a", "b"), (Annotation(0),))
    system = replace(source, annotations=(Annotation(0, (Edit(0, 1, ("c",), "R:OTHER"),)),))
    [line] = jperrant.score([system], [source]).warnings()
    assert line.startswith("references: found no edits, as if they were the source")
    assert jperrant.score([source], [source], metrics="errant").warnings() == (
        "hypothesis (system) and references have the same content; check that both are what you mean",
    )


def test_types_of_other_label_sets_are_told_where_they_count() -> None:
    names = ("NOUN", "VERB", "ADJ", "DET", "PREP", "SPELL")

    def blocks(types: list[str]) -> list[Block]:
        edits = [Edit(0, 1, ("x",), f"R:{name}") for name in types]
        return [Block(("a", "b"), (Annotation(0, (edit,)),)) for edit in edits]

    gold = blocks([*names])
    told = "of its 6 types of edits the references have 0, as if the types came from different label sets"
    other = blocks([f"S/{name}" for name in names])
    assert any(told in line for line in jperrant.score(other, gold, metrics="errant:mode=cse").warnings())
    half = blocks([*names[:3], "A", "B", "C"])
    for system, metric in ((other, "errant"), (half, "errant:mode=cse"), (other[:4], "errant:mode=cse")):
        assert not any(
            "label sets" in line
            for line in jperrant.score(system, gold[: len(system)], metrics=metric).warnings()
        )


TAIL = "|||REQUIRED|||-NONE-|||0"
#: Spans as written on the sentence "a b c", and the part inside.
SPANS = {
    "0 999": (0, 3),
    "0 99999999": (0, 3),
    "7 9": (3, 3),
    "-5 2": (0, 2),
    "-7 -5": (0, 0),
    "2 1": (2, 2),
    f"0 {'9' * 5000}": (0, 3),
    f"-{'9' * 5000} 1": (0, 1),
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, tuple[Path, Path]]:
    """For each span a file that has it as written, and one that has the part inside."""
    paths = {}
    for number, (span, (start, end)) in enumerate(SPANS.items()):
        wild, tame = tmp_path / f"{number}.m2", tmp_path / f"{number}.inside.m2"
        wild.write_text(f"S a b c\nA {span}|||R:X|||d{TAIL}\n\n", encoding="utf-8")
        tame.write_text(f"S a b c\nA {start} {end}|||R:X|||d{TAIL}\n\n", encoding="utf-8")
        paths[span] = wild, tame
    return paths


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jperrant.io.m2.FormatDeviationWarning")
@pytest.mark.parametrize("metric", ["errant", "cleme", "cleme2"])
@pytest.mark.parametrize("span", SPANS)
def test_every_metric_scores_the_part_inside(
    files: dict[str, tuple[Path, Path]], metric: str, span: str
) -> None:
    wild, tame = files[span]
    for hyp, ref in ((wild, tame), (tame, wild), (wild, wild)):
        [score] = jperrant.score(hyp, ref, metrics=metric)
        [expected] = jperrant.score(tame, tame, metrics=metric)
        assert score.counts == expected.counts
        assert any("span outside the sentence" in note for note in score.warnings)


def test_blocks_in_memory_follow_the_rule() -> None:
    wild = [Block(("a",), (Annotation(0, (Edit(0, 10**12, ("b",), "R:X"),)),))]
    [score] = jperrant.score(wild, wild, metrics="errant:mode=dt")
    assert score.counts["tp"] == 1
    assert any("1 edit outside the sentence is clipped" in note for note in score.warnings)
    with pytest.raises(InputError, match="sentence 1 has 1 edit outside"):
        jperrant.score(wild, wild, strict=True)
