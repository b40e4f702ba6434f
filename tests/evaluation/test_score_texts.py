"""Files and texts in, scores out: roles, several metrics, options, the cache, warnings of what misleads."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import unicodedata
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import jperrant
from jperrant.core.errors import FormatError, InputError, MissingModelError, UsageError
from jperrant.core.messages import spoken
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.inputs import Systems
from jperrant.evaluation.metric_names import parse_spec, written_option
from tests.commands import printed, refused
from tests.m2_cases import rewritten

SOURCE = ["This are bad .", "Me too .", "He go home", "I has two cat ."]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday"]
GOOD = ["This is bad .", "Me too .", "He goes home .", "I have two cats ."]
HALF = ["This is bad .", "Me too .", "He go home", "I have two cat ."]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, lines in (("s", SOURCE), ("half", HALF), ("good", GOOD), ("short", GOOD[:2])):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> str:
    return printed("score", *args)


def values(*args: str) -> dict[tuple[str, str], dict[str, float]]:
    objects = json.loads(run(*args, "--json"))
    objects = objects if isinstance(objects, list) else [objects]
    return {(o["hypothesis"], o["metric"]): o["values"] for o in objects}


def told(words: str, *given: Any, **options: Any) -> list[str]:
    """Score, and return who is warned with these words."""
    lines = jperrant.score(*given, **{"metrics": "wer", "models": "none", **options}).warnings()
    return [line.partition(": ")[0] for line in lines if words in line]


TEXTS = ("--source", "s.txt", "--models", "none")


def test_texts_and_m2_may_be_mixed(folder: Path) -> None:
    found = values(*TEXTS, "--hyp", "half.txt", "good.txt", "--ref", "good.txt", "-m", "errant", "-m", "wer")
    assert list(found) == list(product(("half.txt", "good.txt"), ("errant", "wer")))
    expected = found["half.txt", "errant"]
    assert (expected["precision"], expected["recall"]) == (1, pytest.approx(2 / 5))
    assert found["good.txt", "errant"]["f"] == 1
    assert found["half.txt", "wer"]["wer"] == pytest.approx(3 / 16)
    annotator = jperrant.load("en", models="none")
    for name, lines in (("gold.m2", GOOD), ("half.m2", HALF)):
        jperrant.write_m2(annotator.annotate_many(zip(SOURCE, lines, strict=True)), name)
    for hyp, ref in (("half.txt", "gold.m2"), ("half.m2", "good.txt"), ("half.m2", "gold.m2")):
        # Where the source is in the M2 file it need not be given again.
        assert values("--models", "none", "--hyp", hyp, "--ref", ref)[hyp, "errant"] == expected
    both = values("--models", "none", "--hyp", "half.txt", "--ref", "gold.m2", "--ref", "half.txt")
    assert both["half.txt", "errant"]["f"] == 1, "two files of references are two annotators"


def test_raw_texts_whose_lines_are_as_many_by_chance_are_aligned() -> None:
    lines = [f"{name} go home on {day} ." for name, day in zip("ABCD", DAYS, strict=True)]
    gold = [line.replace("go", "goes") for line in lines]
    split = [gold[0], "B goes home", "on Tuesday .", " ".join(gold[2:])]
    (score,) = jperrant.score(split, gold, source=lines, metrics="errant", raw=True, models="none")
    assert score.counts == {"tp": 4, "fp": 0, "fn": 0}


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ("--source s.txt short.txt --ref good.txt", "short.txt: found 2 lines, expected the 4 of s.txt"),
        ("--source s.txt empty.txt --ref good.txt", "empty.txt: found no text"),
        ("--source gold.m2 half.txt --ref good.txt", "found M2, expected text"),
        ("--hyp - --ref gold.m2 -m m2", "standard input is read as M2; give text as a file"),
        ("--hyp - --ref -", "only one file can be read from it"),
        ("none.m2 --ref gold.m2", "none.m2: found no sentences"),
        ("gold.m2 --ref bad.m2", "bad.m2:2: annotator 'me' is not a number"),
        ("gold.m2 --ref gold.m2 -m errant:mode=ds,mode=cs", "'mode' is given twice; give it once"),
        ("gold.m2 --ref gold.m2 -m errant -m errant:beta=0.5", "same metric is given twice"),
        ("--ref gold.m2 bad.m2", "found no systems to score; give at least one"),
        ("gold.m2 --hyp bad.m2 --ref gold.m2", "in two places: gold.m2 and, after --hyp, bad.m2"),
        ("gold.m2 --names A,B --ref gold.m2", "2 names for 1 system: A, B"),
    ],
)
def test_bad_input_is_one_line(folder: Path, args: str, expected: str) -> None:
    edit = "A 0 1|||R:X|||c|||REQUIRED|||-NONE-|||"
    for name, text in (("gold", f"S a b\n{edit}0\n\n"), ("none", "\n\n"), ("bad", f"S a b\n{edit}me\n")):
        (folder / f"{name}.m2").write_text(text, encoding="utf-8")
    message = refused("score", *args.split(), "--models", "none", data=b"This is a cat .\n")
    assert expected in message


ROLES = {
    ("A", "B", "--ref", "R"): (["A", "B"], 1),
    ("--hyp", "A", "B", "--ref", "R"): (["A", "B"], 1),
    ("--ref", "R", "B", "--hyp", "A"): (["A"], 2),
    ("--hyp", "B", "--hyp=A", "--ref", "R", "R"): (["B", "A"], 2),
    ("--hyp", "A", "B", "--names", "good,lower", "--ref", "R"): (["good", "lower"], 1),
    ("B", "-m", "errant", "A", "--ref", "R", "--", "R"): (["B", "A", "R"], 1),
}


@pytest.mark.parametrize("words", ROLES)
def test_roles_are_said_and_systems_keep_their_order(words: tuple[str, ...], folder: Path) -> None:
    """No file is a reference because it stands last, and names go by the order of the systems."""
    edit = "A {0} {0}|||M:X|||x|||REQUIRED|||-NONE-|||0\n"
    for name, fixed in (("A", 2), ("B", 1), ("R", 3)):
        (folder / name).write_text("S a b c\n" + "".join(map(edit.format, range(fixed))) + "\n")
    scores = json.loads(run("--json", *words))
    scores = scores if isinstance(scores, list) else [scores]
    names, references = ROLES[words]
    assert [score["hypothesis"] for score in scores] == names
    assert {score["signature"].split("|")[3] for score in scores} == {f"refs:{references}"}
    best = max(scores, key=lambda score: score["values"]["recall"])
    assert best["hypothesis"] in ("A", "good", "R"), "a name goes with its file"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("errant:beta=x", "beta='x', expected a number"),
        ("errant:exact=perhaps", "expected yes or no"),
        ("errant:beta", "option 'beta' has no value; write beta=VALUE"),
        ("CLEME2.0", "did you mean 'cleme2'"),
        ("gleu draws=5",
         "unknown metric 'gleu draws=5'; give each metric by itself, options after a colon"),
    ],
)  # fmt: skip
def test_specifications_of_metrics(spec: str, message: str) -> None:
    expected = {"mode": "ds", "beta": 1.0, "exact": True, "filter": ("M:DET", "U:DET")}
    assert parse_spec("ERRANT:mode=ds,beta=1,exact,filter=M:DET,U:DET") == ("errant", expected)
    factors = {"factors": ".5,.3,.1,.1", "level": "sentence"}
    assert parse_spec("cleme2:factors=.5,.3,.1,.1,level=sentence") == ("cleme2", factors)
    assert not parse_spec("errant:exact=no")[1]["exact"]
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
    with pytest.raises(UsageError, match="found metric None, expected one of gleu, cleme2"):
        scores["A"]


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
    annotating = "jperrant.annotation.annotator.Annotator.annotate_many"
    monkeypatch.setattr(annotating, lambda *_: pytest.fail("annotated twice"))
    assert run(*args) == first


def test_metrics_command() -> None:
    listed = {m["metric"]: m for m in json.loads(printed("metrics", "--json"))}
    assert (listed["wer"]["better"], listed["wer"]["needs"]) == ("lower", "references, texts")
    options = {o["name"]: o for o in json.loads(printed("metrics", "cleme2", "--json"))["options"]}
    assert list(options["level"]["choices"]) == ["corpus", "sentence"]
    assert "llm_model" in options
    for name in listed:
        assert printed("metrics", name)


def test_score_help_fits_a_screen() -> None:
    shown = printed("score", "--help")
    assert len(shown.splitlines()) <= 67
    assert "--assumption" not in shown, "options of metrics are shown by 'jperrant metrics NAME'"


@pytest.mark.parametrize(
    ("specs", "flag", "advice"),
    [
        (["errant", "gleu:level=sentence"], "--merge-distance", "-m cleme:merge_distance=..."),
        (["pt-errant", "cleme2"], "--llm-model", "-m cleme2:llm_model=..."),
        (["uot", "errant"], "--exact", "-m errant:exact"),
        ([], "--mood", ""),
    ],
)
def test_an_option_of_a_metric_is_told_where_it_goes(specs: list[str], flag: str, advice: str) -> None:
    assert written_option(flag, specs) == advice


def test_a_missing_model_is_told_before_texts_are_annotated(monkeypatch: pytest.MonkeyPatch) -> None:
    annotating = "jperrant.annotation.annotator.annotator_of"
    monkeypatch.setattr(annotating, lambda _: pytest.fail("texts were annotated"))
    for metric, error, message in (
        ("uot:encoder=nobody/has-this", MissingModelError, "jperrant models get --encoder nobody/has-this"),
        ("llm-s", UsageError, "no language model was given"),
    ):
        with pytest.raises(error, match=message):
            jperrant.score({"half": HALF}, [GOOD], source=SOURCE, metrics=["errant", metric])


@pytest.mark.parametrize("ends", [*product(("", "\n", "\n \n\n"), repeat=3)])
def test_blank_lines_at_the_end_are_no_sentences(ends: Sequence[str], tmp_path: Path) -> None:
    texts = ("He go .\nMe too .\n", *["He goes .\nMe too .\n"] * 2)
    source, system, reference = paths = [tmp_path / str(number) for number in range(3)]
    for path, text, end in zip(paths, texts, ends, strict=True):
        path.write_text(text + end, encoding="utf-8")
    for expected in ((1, 0, 0), (1, 1, 0)):
        [score] = jperrant.score(system, reference, source=source, models="none")
        assert (score.sentences, score.total) == (2, expected)
        system.write_text("He goes .\n\n", encoding="utf-8")  # a blank answer deletes its sentence


@pytest.mark.parametrize(
    ("systems", "references", "options", "message"),
    [
        (GOOD, None, {}, "found no references; give them with references="),
        ([], GOOD, {}, "found no systems to score; give at least one, as references= gives only"),
        (GOOD, GOOD, {"source": None}, "found no file 'This is bad .'; if these are sentences, give source="),
        (GOOD, "\n".join(GOOD), {}, "found a text in one string"),
        (GOOD, {"A": GOOD}, {}, "expected a path, blocks, a list of sentences"),
        (GOOD, [None, "Me too ."], {}, "found None, expected a path"),
        ([line.split() for line in GOOD], GOOD, {}, "found a list for each of the 4 sentences"),
        ({"a": [None] * 4}, [GOOD], {}, "sentence 1 .* is None, expected a Block or a string"),
        ({"a": ["a", 7, "b", "c"]}, [GOOD], {}, r"a: sentence 2 \(counted from 1\) is 7, expected a string"),
        ([__file__], [["a c"]], {"source": ["a b"]}, r"found the path .*\.py where the source is a list of"),
        (GOOD, GOOD, {"metrics": {"gleu": {"draws": 5}}}, "metrics is {'gleu': {'draws': 5}}, expected"),
        (GOOD, GOOD, {"metrics": None}, "metrics is None, expected a metric"),
        (GOOD, GOOD, {"raw": "false"}, "raw is 'false', expected True or False"),
        (GOOD, GOOD, {"metric": "gleu"}, "unknown keyword 'metric' .did you mean 'metrics'"),
        (GOOD, GOOD, {"lang": ["en"]}, r"lang is \['en'\], expected a string"),
    ],
)
def test_python_values_of_other_kinds_are_refused(
    systems: Any, references: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises((TypeError, InputError)) as refusal:
        jperrant.score(systems, references, **{"source": SOURCE, "metrics": "gleu", **options})
    assert re.search(message, spoken(str(refusal.value)))


def test_sentences_may_come_from_files_and_generators(folder: Path) -> None:
    [plain] = jperrant.score(HALF, GOOD[::1], source=SOURCE, metrics="gleu")
    with (folder / "half.txt").open(encoding="utf-8") as lines:
        [read] = jperrant.score(lines, iter(GOOD), source=iter(SOURCE), metrics="gleu")
    [mixed] = jperrant.score(folder / "half.txt", GOOD, source=SOURCE, metrics="gleu")
    assert plain.values == read.values == mixed.values
    assert not any("blank lines" in warning for warning in read.warnings)


@pytest.mark.models
def test_raw_texts_are_tokenised_whatever_the_metric() -> None:
    given = {"source": ["He go, too. I am."], "metrics": "wer", "lang": "en", "raw": True}
    [score] = jperrant.score(["He goes, too. I am."], given["source"], **given)
    assert score.counts == {"distance": 1, "length": 8}


@pytest.mark.models
def test_edits_that_are_shown_do_not_depend_on_the_metric() -> None:
    given = {"source": ["This are gramamtical ."], "references": [["This is grammatical ."]]}
    both, *_ = jperrant.explain(["This is gramamtical ."], **given, metrics=["gleu", "errant"])
    [text] = jperrant.explain(["This is gramamtical ."], **given, metrics="gleu")
    assert text.edits == both.edits
    assert "R:VERB:SVA" in {edit.type for edit in text.edits}


def test_corrections_of_short_lines_are_like_their_source() -> None:
    for source, correction in (
        (["我喜欢吃平果。", "這是書。"], ["我喜欢吃苹果。", "这是书。"]),
        (["학교에갔다.", "밥을먹었다."], ["학교에 갔다.", "밥을 먹었다."]),
        (["teh", "recieve"], ["the", "receive"]),
    ):
        [score] = jperrant.score({"A": correction}, [correction], source=source, metrics="wer")
        assert score.values == {"wer": 0}


def test_running_text_given_as_tokens_is_told(tmp_path: Path) -> None:
    """Of the source, or as a language model writes corrections of a source that has tokens."""
    source, right = ["This are bad .", "He go ."], ["This is bad .", "He goes ."]
    glued, running = ["This is bad.", "He goes."], ["This are bad. She goed home.", "He go ."]
    line = "1 sentence looks like running text, not tokens: 'goes.' in sentence 2"
    for system, reference, warned in (
        (glued, right, ["A"]),
        (right, glued, ["references"]),
        (glued, glued, ["A", "references"]),
    ):
        assert told(line, {"A": system}, [reference], source=source) == warned
    assert told("looks like running text", {"A": right}, [right], source=running)
    for options in ({"raw": True}, {"tokens": "characters"}):
        assert not told("running text", {"A": right}, [right], source=running, **options)
    (tmp_path / "glued").write_text("\n".join(glued) + "\n", encoding="utf-8")
    jperrant.write_m2([Block(tuple(line.split())) for line in source], tmp_path / "gold.m2")
    assert told("looks like running text", tmp_path / "glued", tmp_path / "gold.m2")


@pytest.mark.parametrize("options", [{}, {"raw": True}, {"raw": True, "split_on": "blank"}])
def test_lines_for_which_a_system_gave_nothing_are_told(options: dict[str, Any]) -> None:
    source, given = ["He go home.", "", "I am here."], ["", "", "I am here."]
    line = "has no answer (line 1)"
    assert told(line, {"A": given}, [source], source=source, **options) == ["A"]
    assert not told("no answer", {"A": source}, [given if not options else source], source=source, **options)
    if options:
        assert told(line, {"A": given[1:]}, [source], source=source, **options) == ["A"]


@pytest.mark.parametrize("raw", [False, True])
def test_texts_in_another_normal_form_are_told(raw: bool, tmp_path: Path) -> None:
    """Hangul has nothing in common with its decomposed form, and yet the text is a version of its source."""
    source = ["저는 학교에 갔습니다 .", "밥을 먹었다 .", "집에 간다 .", "I am ."]
    apart = [unicodedata.normalize("NFD", line) for line in source]
    line = "3 lines have words of the source with characters encoded differently"
    for system, reference, text, names in (
        (apart, source, source, ["A"]),
        (source, apart, source, ["references"]),
        (source, source, source, []),
        (apart, apart, apart, []),
    ):
        assert told(line, {"A": system}, [reference], source=text, lang="ko", raw=raw) == names
    (tmp_path / "a").write_text(unicodedata.normalize("NFD", "Příliš málo .\n"), encoding="utf-8")
    (tmp_path / "gold.m2").write_text("S Příliš málo .\n\n", encoding="utf-8")
    assert told("1 line has words of the source with", f"{tmp_path}/a", f"{tmp_path}/gold.m2")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no paths here")
def test_pipes_keep_their_beginning(tmp_path: Path) -> None:
    def pipe(text: str) -> str:
        """Return the path of a pipe with a text, as a shell's ``<(cat FILE)`` gives it."""
        out, into = os.pipe()
        os.write(into, text.encode())
        os.close(into)
        return f"/dev/fd/{out}"

    block = "S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"
    [score] = jperrant.score(pipe(block * 2), pipe(block + "S a b\n\n"))
    assert (score.sentences, score.counts) == (2, {"tp": 1, "fp": 1, "fn": 0})
    (tmp_path / "text").write_text("c b\nc b\n")
    gold, source = pipe(block + "S a b\n\n"), pipe("a b\na b\n")
    [score] = jperrant.score(tmp_path / "text", gold, source=source, metrics=["wer"])
    assert score.values == {"wer": 1 / 4}


def test_blocks_that_can_be_gone_through_once_are_scored_whole(tmp_path: Path) -> None:
    system, gold = tmp_path / "system.m2", tmp_path / "gold.m2"
    for path, corrections in ((system, "xyz"), (gold, "qyz")):
        jperrant.write_m2([rewritten("a b", f"{word} b") for word in corrections], path)
    read = jperrant.read_m2
    for scores in (
        jperrant.score(system, iter([gold])),
        jperrant.score(read(system), read(gold)),
        jperrant.report(read(system), [read(gold)], metrics="errant").scores,
    ):
        assert [(one.sentences, one.counts) for one in scores] == [(3, {"tp": 2, "fp": 1, "fn": 1})]
    assert len(jperrant.explain(read(system), read(gold))) == 3


def test_the_same_content_in_two_roles_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("s.txt", "a b\nc d\n"), ("r.txt", "a x\nc d\n"), ("copy.txt", "a x\r\nc d")):
        Path(name).write_text(text)

    def pairs(systems: Systems, references: Any, source: Any = "s.txt") -> list[str]:
        lines = jperrant.score(systems, references, source=source, metrics=["wer", "gleu"]).warnings()
        return [line.partition(" have the same content;")[0] for line in lines if "same content" in line]

    assert pairs(["r.txt", "copy.txt"], "r.txt") == [
        "r.txt (system) and copy.txt (system)",
        "r.txt (system) and r.txt (references)",
        "copy.txt (system) and r.txt (references)",
    ]
    assert pairs({"A": "s.txt"}, "s.txt") == [
        "A (system) and s.txt (references)",
        "A (system) and s.txt (source)",
        "s.txt (references) and s.txt (source)",
    ]
    systems = {"A": ["a x", "c d"], "B": ["a x", "c d"]}
    assert pairs(systems, ["a y", "c d"], ["a b", "c d"]) == ["A (system) and B (system)"]


def marked(type_: str = "R:OTHER", word: str = "x", annotators: int = 1, edits: int = 20) -> list[Block]:
    """Return a sentence of twenty letters, of which each annotator changes the first ones."""
    own = tuple(Edit(n, n + 1, (word,), type_) for n in range(edits))
    return [Block(tuple("abcdefghijklmnopqrst"), tuple(Annotation(n, own) for n in range(annotators)))]


@pytest.mark.parametrize(
    ("system", "references", "line"),
    [
        (marked(), marked("UNK"), "references: found only edits of type UNK, which correct nothing"),
        (marked(), marked(word="y"), "hypothesis: none of its edits is among those of the references"),
        (marked(annotators=2), marked(edits=1), "hypothesis: found 2 annotators, as in a file of references"),
        (marked(word="e\u0301"), marked(edits=2, word="é"), "hypothesis: its corrections and those of"),
        (marked(), marked(edits=0), "references: found no edits, so every edit"),
        (marked(edits=0), marked(edits=0), "hypothesis (system) and references have the same content"),
    ],
)
def test_what_cannot_be_meant_is_told(system: list[Block], references: list[Block], line: str) -> None:
    [warning] = jperrant.score(system, references).warnings()
    assert warning.startswith(line)
    assert not jperrant.score(marked(), marked(edits=1, annotators=2)).warnings()


def test_types_of_other_label_sets_are_told_where_they_count() -> None:
    names = ("NOUN", "VERB", "ADJ", "DET", "PREP", "SPELL")
    other, half = [f"S/{name}" for name in names], [*names[:3], "A", "B", "C"]

    def warned(types: Sequence[str], metric: str) -> list[str]:
        system, gold = ([marked(f"R:{name}", edits=1)[0] for name in given] for given in (types, names))
        words = "the references have 0 of its 6 error types, which suggests different label"
        return told(words, system, gold[: len(types)], metrics=metric)

    assert warned(other, "errant:mode=cse") == ["hypothesis"]
    for types, metric in ((other, "errant"), (half, "errant:mode=cse"), (other[:4], "errant:mode=cse")):
        assert not warned(types, metric)


#: Spans as written on the sentence "a b c", and the part inside.
SPANS = {
    "0 999": (0, 3),
    "7 9": (3, 3),
    "-5 2": (0, 2),
    "-7 -5": (0, 0),
    "2 1": (2, 2),
    f"0 {'9' * 5000}": (0, 3),
    f"-{'9' * 5000} 1": (0, 1),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jperrant.io.m2.FormatDeviationWarning")
@pytest.mark.parametrize("span", SPANS)
def test_every_metric_scores_the_part_inside(tmp_path: Path, span: str) -> None:
    wild, tame = tmp_path / "wild.m2", tmp_path / "tame.m2"
    for path, (start, end) in ((wild, span.split()), (tame, SPANS[span])):
        path.write_text(f"S a b c\nA {start} {end}|||R:X|||d|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    metrics = ["errant", "cleme", "cleme2"]
    expected = jperrant.score(tame, tame, metrics=metrics)
    for sides in ((wild, tame), (tame, wild), (wild, wild)):
        found = jperrant.score(*sides, metrics=metrics)
        assert [score.counts for score in found] == [score.counts for score in expected]
        assert any("span outside the sentence" in note for note in found.warnings())
    assert any(line.startswith(str(wild)) for line in jperrant.score(wild, tame)[0].warnings)
    with pytest.raises(FormatError, match=r"wild\.m2:2"):
        jperrant.score(wild, tame, strict=True)


def test_blocks_in_memory_follow_the_rule() -> None:
    wild = [Block(("a",), (Annotation(0, (Edit(0, 10**12, ("b",), "R:X"),)),))]
    [score] = jperrant.score(wild, wild, metrics="errant:mode=dt")
    assert score.counts["tp"] == 1
    assert any("1 edit outside the sentence is clipped" in note for note in score.warnings)
    with pytest.raises(InputError, match="sentence 1 has 1 edit outside"):
        jperrant.score(wild, wild, strict=True)
