"""Raw text: it is split where the user says, its sentences are aligned, and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.alignment.sentences import Passage, align_lines, align_passages
from jperrant.annotation.annotated_files import annotate_files
from jperrant.annotation.annotator import Annotator
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.text import Splitting, places_of, sentence_of
from jperrant.core.values import Parallel, Sentence
from jperrant.io.parallel import read_essays, read_essays_parallel
from jperrant.parse.analyser import PretokenisedParser
from jperrant.parse.splitting import SplittingParser
from tests.commands import refused
from tests.shard_cases import PLAIN, annotate

TEXTS = st.lists(st.text("ab .", min_size=1, max_size=6), max_size=6)


def covers(passages: Sequence[Passage], texts: Sequence[Sequence[str]]) -> bool:
    """Whether passages have each sentence of each text once and in order."""
    sides = zip(*[(p.source, *p.corrections) for p in passages], strict=True)
    return [[n for r in side for n in r] for side in sides] == [list(range(len(text))) for text in texts]


@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_passages_cover_every_sentence_of_every_text_in_order(
    source: list[str], others: list[list[str]]
) -> None:
    assert covers(align_passages(source, others), [source, *others])


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
    assert covers(align_lines(source, others), [source, *others])


def test_lines_are_in_step_but_where_one_is_split_and_others_are_joined() -> None:
    source = ["Yes .", "He go home . He sleep .", "It rains .", "She is fine .", "We see her .", "No ."]
    other = ["Yes ?", "He goes home .", "He sleeps .", "It rains .", "She is fine . We saw her .", "No ."]
    assert [(p.source, *p.corrections) for p in align_lines(source, [other])] == [
        (range(1), range(1)), (range(1, 2), range(1, 3)), (range(2, 3), range(3, 4)),
        (range(3, 5), range(4, 5)), (range(5, 6), range(5, 6)),
    ]  # fmt: skip
    rewritten = ["Yes .", "It is late .", "Nothing", "", "She is fine .", "No ."]
    in_step = [(range(n, n + 1),) * 2 for n in range(len(source))]
    assert [(p.source, *p.corrections) for p in align_lines(source, [rewritten])] == in_step


def test_raw_text_becomes_one_block_a_passage_and_keeps_every_character(english: Annotator) -> None:
    source = "I likes it. He don't sleep and she walk home. Bye"
    targets = ["I like it. He doesn't sleep. She walks home. Bye", source]
    record = Parallel(Sentence((), source), tuple(Sentence((), target) for target in targets))
    blocks = list(english.annotate_many([record], raw=True))
    assert "".join(token for block in blocks for token in block.source) == source.replace(" ", "")
    for n, target in enumerate(targets):
        corrected = [apply_edits(block.source, block.annotations[n].edits) for block in blocks]
        assert "".join(token for tokens in corrected for token in tokens) == target.replace(" ", "")
    assert blocks[1].source[1:3] == ("do", "n't")
    assert [block.annotations[1].edits for block in blocks] == [()] * len(blocks)


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_text_is_an_empty_sentence(english: Annotator, text: str) -> None:
    (block,) = english.annotate_many([(Sentence((), text), "A word .")], raw=True)
    assert block.source == ()
    assert apply_edits((), block.annotations[0].edits) == ("A", "word", ".")


def written(folder: Path, *texts: str) -> list[str]:
    paths = [folder / f"{n}.md" for n in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return [*map(str, paths)]


def test_essays_are_read_by_id(tmp_path: Path) -> None:
    one = "### essay_id = 1\n{}\n\n### essay_id = x y\n"
    source, target = written(tmp_path, one.format("I am.\nYou is."), one.format("I am. You are."))
    assert [(e.id, e.text) for e in read_essays(source)] == [("1", "I am.\nYou is."), ("x y", "")]
    (first, _) = read_essays_parallel(source, [target])
    assert first.corrections[0].text == "I am. You are."
    for text, problem in (
        ("### essay_id = 2\nA\n", r"essay 1 is '2', but '1' in .*; put the essays .* in the same order"),
        ("A\n### essay_id = 1\n", r":1: found 'A', expected '### essay_id"),
    ):
        Path(target).write_text(text)
        with pytest.raises(FormatError, match=problem):
            list(read_essays_parallel(source, [target]))


@pytest.mark.parametrize("raw", [True, False])
def test_only_of_raw_texts_with_other_lines_a_message_says_how_they_are_read(
    tmp_path: Path, raw: bool
) -> None:
    source, *targets = written(tmp_path, "One . Two .\n", "One .\nTwo .\n")
    with pytest.raises(InputError) as error:
        list(annotate_files(AnnotatorOptions(models="none"), source, targets, raw=raw))
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
@pytest.mark.parametrize("out", ["a.m2", "out/"])
def test_advice_on_running_text_is_for_tokens_that_no_models_made(
    options: list[str], advice: str, out: str, tmp_path: Path
) -> None:
    (tmp_path / "a.tsv").write_text("I met Prof. Smith .\tI meet Prof. Smith .\n", encoding="utf-8")
    result = annotate(tmp_path / "a.tsv", "--format", "tsv", "-o", f"{tmp_path}/{out}", *options)
    assert result.exit_code == 0
    assert advice in result.stderr
    assert ("running text" in result.stderr) == bool(advice)


@pytest.mark.parametrize("options", [[], ["--raw"], ["--raw", "--split-on", "model"]])
def test_essays_under_headings_are_not_lines(options: list[str], tmp_path: Path) -> None:
    """A heading would be a sentence that every system has right."""
    one = "\n### essay_id = a1\n{}\n"
    source, system = written(tmp_path, one.format("I has a cat ."), one.format("I have a cat ."))
    annotated = ["annotate", source, system, "--models", "none", *options]
    scored = ["score", "--source", source, "--hyp", system, "--ref", system, "--metric", "gleu", *options]
    for args in (annotated, scored):
        assert re.search("found essays of MultiGEC.*annotate --format essays", refused(*args))


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ("source", "no sentence differs from its source"), ("fixed", ""), ("fixed other", ""),
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
    paths = written(tmp_path, *(texts[name] for name in ("source", *files.split())))
    said = annotate(*paths, "--lang", "en", "--models", "none").stderr
    assert told in said
    assert bool(said) == bool(told)
    assert not ("same in every" in said and "no sentence" in said)


# Where texts are split

LINES = "One two .\nthree four\n \n- five\n- six . Seven\n"


class Stops(PretokenisedParser):
    """A parser that ends sentences at stops and, as Stanza does, at blank lines."""

    def tokenize(self, texts):
        parts = [[part for block in text.split("\n\n") for part in SENTENCE.findall(block)] for text in texts]
        return [[sentence_of(part.strip()) for part in own if part.strip()] for own in parts]


SENTENCE = re.compile(r"[^.]*\.|[^.]+")


def sentences(splitting, text=LINES, parser=None):
    (found,) = SplittingParser(parser or Stops(), splitting).tokenize([text])
    return [" ".join(s.forms) for s in found]


@pytest.mark.parametrize(
    ("splitting", "by_models", "plain"),
    [
        (Splitting.BLANK, "One two .|three four|- five - six .|Seven", "One two . three four|- five - six . Seven"),
        (Splitting.NEWLINE, "One two .|three four|- five|- six .|Seven",
         "One two .|three four|- five|- six . Seven"),
        (Splitting.MODEL, "One two .|three four - five - six .|Seven",
         "One two . three four - five - six . Seven"),
        (Splitting.ONE_PER_LINE, "One two .|three four|- five|- six . Seven",
         "One two .|three four|- five|- six . Seven"),
    ],
)  # fmt: skip
def test_where_texts_are_split(splitting, by_models, plain):
    assert sentences(splitting) == by_models.split("|")
    assert sentences(splitting, parser=PretokenisedParser()) == plain.split("|"), "units are sentences"


def test_a_line_end_of_windows_is_one_line_end():
    for text in ("One two\nthree .\n\nFour .", LINES, "\n a \n\n b\n", "a\n \nb"):
        for splitting in (Splitting.BLANK, Splitting.NEWLINE):
            ended = sentences(splitting, text.replace("\n", "\r\n"), PretokenisedParser())
            assert ended == sentences(splitting, text, PretokenisedParser())


@given(st.lists(st.text("ab. \n\r\t\u2028", max_size=30), max_size=4), st.sampled_from(list(Splitting)[1:]))
def test_sentences_are_pieces_of_the_text(texts, splitting):
    parser = SplittingParser(Stops(), splitting)
    found = parser.tokenize(texts)
    for text, own in zip(texts, found, strict=True):
        places_of(own, text)  # raises where one is not
        assert "".join(form for s in own for form in s.forms) == "".join(text.split())
        for sentence in own:
            assert all(sentence.text[t.start : t.end] == t.form for t in sentence.tokens)
            assert sentence.tokens
    assert [parser.tokenize([text])[0] for text in texts] == found


def split(folder: Path, target: str, on: str = "", source: str = "a b\nc d\n\ne f\n") -> str:
    options = ["--raw", *(["--split-on", on] if on else []), *PLAIN]
    return annotate(*written(folder, source, target), *options).output


def test_files_of_raw_text(tmp_path: Path) -> None:
    target = "a b\nc x d\n\ne f\n"
    default = split(tmp_path, target)
    assert [line for line in default.splitlines() if line[:1] == "S"] == ["S a b", "S c d", "S", "S e f"]
    assert {split(tmp_path, target, on) for on in ("newline", "one-sentence-per-line")} == {default}
    blank = split(tmp_path, target, "blank")
    assert blank.splitlines() == [
        "S a b c d", "A 3 3|||M:OTHER|||x|||REQUIRED|||-NONE-|||0", "",
        "S e f", "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0", "",
    ]  # fmt: skip
    # Lines need not correspond where a sentence may go on in the next.
    assert split(tmp_path, "a\nb c x d\n\ne\nf", "blank") == blank
    assert split(tmp_path, target, "model").startswith("S a b c d e f\n")


def test_lines_of_essays(tmp_path: Path) -> None:
    files = written(tmp_path, *["### essay_id = 1\na b\nc d\n"] * 2)
    options = ["--format", "essays", "--split-on", "one-sentence-per-line", *PLAIN]
    found = annotate(*files, *options).output.splitlines()
    assert [line for line in found if line[:1] == "S"] == ["S a b", "S c d"]


def test_ways_of_splitting_that_do_not_fit() -> None:
    assert "needs --raw" in refused("annotate", "a", "b", "--split-on", "newline", *PLAIN)
    assert "did you mean 'newline'?" in refused("annotate", "a", "b", "--raw", "--split-on", "lines", *PLAIN)
    with pytest.raises(UsageError, match="one-sentence-per-line"):
        jperrant.load("generic", models="none", split_on="sentences")


def test_texts_in_python_are_split() -> None:
    annotator = jperrant.load("generic", models="none", split_on="newline")
    blocks = list(annotator.annotate_many([("a b\nc", "a b\nc d")], raw=True))
    assert [block.source for block in blocks] == [("a", "b"), ("c",)]
    options = {"lang": "generic", "models": "none", "raw": True, "split_on": "blank"}
    scores = jperrant.score([["a", "b c d"]], [["a b", "c d"]], source=["a b", "c"], **options)
    assert scores[0].values["f"] == 1.0  # lines differ, and the paragraph does not
