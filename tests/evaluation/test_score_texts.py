"""Texts in, scores out: roles of files, several metrics, options in a metric's name, the cache, wrong files."""

from __future__ import annotations

import itertools
import json
import re
import sqlite3
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import InputError, MissingModelError, UsageError
from jperrant.core.messages import spoken
from jperrant.evaluation.scorers import parse_spec, written_option

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
