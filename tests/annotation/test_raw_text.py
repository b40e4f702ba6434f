"""Raw text: sentences of source and corrections are aligned, and nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from jperrant.alignment.sentences import align_lines, align_passages
from jperrant.annotation.annotated_files import annotate_files
from jperrant.annotation.annotator import Annotator
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.cli.main import app
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError, InputError
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Sentence
from jperrant.io.parallel import read_essays, read_essays_parallel
from tests.commands import printed, refused

TEXTS = st.lists(st.text("ab .", min_size=1, max_size=6), max_size=6)


@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_passages_cover_every_sentence_of_every_text_in_order(
    source: list[str], others: list[list[str]]
) -> None:
    passages = align_passages(source, others)
    assert [n for p in passages for n in p.source] == list(range(len(source)))
    for k, other in enumerate(others):
        assert [n for p in passages for n in p.corrections[k]] == list(range(len(other)))
    assert len(passages) >= 1


def test_passages_end_where_all_corrections_agree() -> None:
    source = ["He go home.", "He sleep.", "She is fine."]
    joined = ["He goes home and he sleeps.", "She is fine."]
    kept = ["He goes home.", "He sleeps.", "She is fine."]
    assert [(p.source, *p.corrections) for p in align_passages(source, [joined, kept])] == [
        (range(2), range(1), range(2)),
        (range(2, 3), range(1, 2), range(2, 3)),
    ]


@given(st.lists(st.tuples(*[st.text("ab .", max_size=9)] * 3), min_size=1, max_size=7))
def test_passages_of_lines_cover_every_line_of_every_text_in_order(rows: list[tuple[str, str, str]]) -> None:
    source, *others = (list(column) for column in zip(*rows, strict=True))
    passages = align_lines(source, others)
    for k, other in enumerate([source, *others]):
        assert [n for p in passages for n in (p.source, *p.corrections)[k]] == list(range(len(other)))


def test_lines_are_in_step_but_where_one_is_split_and_others_are_joined() -> None:
    source = ["Yes .", "He go home . He sleep .", "It rains .", "She is fine .", "We see her .", "No ."]
    other = ["Yes ?", "He goes home .", "He sleeps .", "It rains .", "She is fine . We saw her .", "No ."]
    assert [(p.source, *p.corrections) for p in align_lines(source, [other])] == [
        (range(1), range(1)), (range(1, 2), range(1, 3)), (range(2, 3), range(3, 4)),
        (range(3, 5), range(4, 5)), (range(5, 6), range(5, 6)),
    ]  # fmt: skip
    rewritten = ["Yes .", "It is late .", "Nothing", "", "She is fine .", "No ."]
    for n, p in enumerate(align_lines(source, [rewritten])):
        assert p.source == range(n, n + 1) == p.corrections[0]


def test_raw_text_becomes_one_block_a_passage_and_keeps_every_character(english: Annotator) -> None:
    source = "I likes it. He don't sleep and she walk home. Bye"
    targets = ["I like it. He doesn't sleep. She walks home. Bye", source]
    record = Parallel(Sentence((), source), tuple(Sentence((), target) for target in targets))
    blocks = list(english.annotate_many([record], raw=True))
    assert "".join(token for block in blocks for token in block.source) == source.replace(" ", "")
    for n, target in enumerate(targets):
        corrected = [apply_edits(block.source, block.annotations[n].edits) for block in blocks]
        assert "".join(token for tokens in corrected for token in tokens) == target.replace(" ", "")
    assert ("do", "n't") in [block.source[k : k + 2] for block in blocks for k in range(len(block.source))]
    assert len(blocks) >= 2
    assert [block.annotations[1].edits for block in blocks] == [()] * len(blocks)


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_an_empty_text_is_an_empty_sentence(english: Annotator, text: str) -> None:
    record = Parallel(Sentence((), text), (sentence_of("A word ."),))
    (block,) = english.annotate_many([record], raw=True)
    assert block.source == ()
    assert apply_edits((), block.annotations[0].edits) == ("A", "word", ".")


def essays(folder: Path, *texts: str) -> list[str]:
    paths = [folder / f"{n}.md" for n in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return [*map(str, paths)]


def test_essays_are_read_by_id(tmp_path: Path) -> None:
    one = "### essay_id = 1\n{}\n\n### essay_id = x y\n"
    source, target = essays(tmp_path, one.format("I am.\nYou is."), one.format("I am. You are."))
    assert [(e.id, e.text) for e in read_essays(source)] == [("1", "I am.\nYou is."), ("x y", "")]
    (first, _) = read_essays_parallel(source, [target])
    assert first.corrections[0].text == "I am. You are."


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        (
            "### essay_id = 2\nA\n",
            r"essay 1 is '2', but '1' in .*; put the essays of all files in the same order",
        ),
        ("A\n### essay_id = 1\n", r":1: found 'A', expected '### essay_id"),
    ],
)
def test_essays_that_are_refused(tmp_path: Path, target: str, problem: str) -> None:
    source, other = essays(tmp_path, "### essay_id = 1\nA\n", target)
    with pytest.raises(FormatError, match=problem):
        list(read_essays_parallel(source, [other]))


@pytest.mark.parametrize("raw", [True, False])
def test_only_of_raw_texts_with_other_lines_a_message_says_how_they_are_read(
    tmp_path: Path, raw: bool
) -> None:
    (tmp_path / "s").write_text("One . Two .\n")
    (tmp_path / "t").write_text("One .\nTwo .\n")
    paths = [str(tmp_path / name) for name in "st"]
    with pytest.raises(InputError) as error:
        list(annotate_files(AnnotatorOptions(models="none"), paths[0], paths[1:], raw=raw))
    assert ("split_on=" in str(error.value)) == raw


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        (["--models", "none"], "use annotate --raw"),
        (["--models", "none", "--raw"], "choose other --models"),
        (["--raw"], ""),
        (["--tokens", "words"], ""),
    ],
)
@pytest.mark.parametrize("sharded", [False, True])
def test_advice_on_running_text_is_for_tokens_that_no_models_made(
    options: list[str], advice: str, sharded: bool, tmp_path: Path
) -> None:
    (tmp_path / "a.tsv").write_text("I met Prof. Smith .\tI meet Prof. Smith .\n", encoding="utf-8")
    out = f"{tmp_path}/out/" if sharded else f"{tmp_path}/a.m2"
    args = ["annotate", str(tmp_path / "a.tsv"), "--format", "tsv", "-o", out, *options]
    result = CliRunner().invoke(app, args, catch_exceptions=False)
    assert "Prof. Smith ." in (tmp_path / ("out/a.m2" if sharded else "a.m2")).read_text(encoding="utf-8")
    assert advice in result.stderr
    assert ("running text" in result.stderr) == bool(advice)


@pytest.mark.parametrize("options", [[], ["--raw"], ["--raw", "--split-on", "model"]])
def test_essays_under_headings_are_not_lines(options: list[str], tmp_path: Path) -> None:
    """A heading would be a sentence that every system has right."""
    one = "\n### essay_id = a1\n{}\n"
    source, system = essays(tmp_path, one.format("I has a cat ."), one.format("I have a cat ."))
    annotate = ["annotate", source, system, "--models", "none", *options]
    scored = ["score", "--source", source, "--hyp", system, "--ref", system, "--metric", "gleu", *options]
    for args in (annotate, scored):
        assert re.search("found essays of MultiGEC.*annotate --format essays", refused(*args))
    read = printed("annotate", source, system, "--format", "essays", "--models", "none")
    assert read.startswith("S I has a cat .\nA 1 2|||")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ("source", "no sentence differs from its source"), ("fixed", ""), ("other", ""), ("fixed other", ""),
        ("fixed fixed", "corrections of annotators 0 and 1 are the same in every sentence"),
        ("source source", "corrections of annotator 1: no sentence differs from its source"),
    ],
)  # fmt: skip
def test_corrections_that_are_the_source_or_the_same_twice_are_told(
    tmp_path: Path, files: str, told: str
) -> None:
    source = "".join(f"This are line {n} .\n" for n in range(12))
    fixed = source.replace("are", "is")
    texts = {"source": source, "fixed": fixed, "other": fixed.replace("line 7", "line eight")}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    command = ["annotate", *(str(tmp_path / name) for name in ("source", *files.split()))]
    result = CliRunner().invoke(app, [*command, "--lang", "en", "--models", "none"])
    assert told in result.stderr
    for part in ("same in every", "no sentence"):
        assert (part in result.stderr) == (part in told)
    assert bool(result.stderr) == bool(told)
