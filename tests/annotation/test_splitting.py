"""Raw text split at blank lines, at lines, by the models alone, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from jperrant.core.text import Splitting, places_of, sentence_of
from jperrant.core.values import Sentence, Token
from jperrant.parse.analyser import PretokenisedParser
from jperrant.parse.splitting import SplittingParser

TEXT = "One two .\nthree four\n \n- five\n- six . Seven\n"


class Stops(PretokenisedParser):
    """A parser that ends sentences at stops and, as Stanza does, at blank lines."""

    def tokenize(self, texts):
        return [[s for part in text.split("\n\n") for s in self._cut(part)] for text in texts]

    def _cut(self, text):
        tokens, start = [], 0
        for token in sentence_of(text).tokens:
            start = token.start if not tokens else start
            tokens.append(Token(token.form, start=token.start - start, end=token.end - start))
            if token.form == ".":
                yield Sentence(tuple(tokens), text[start : token.end])
                tokens = []
        if tokens:
            yield Sentence(tuple(tokens), text[start : start + tokens[-1].end])


def sentences(splitting, text=TEXT, parser=None):
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
    for text in ("One two\nthree .\n\nFour .", TEXT, "\n a \n\n b\n", "a\n \nb"):
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


def annotate(tmp_path, source, target, *options):
    for name, text in (("source", source), ("target", target)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["annotate", str(tmp_path / "source"), str(tmp_path / "target"), "--lang", "generic"]
    return CliRunner().invoke(app, [*command, "--models", "none", *options])


def split(tmp_path, target, on, source="a b\nc d\n\ne f\n"):
    return annotate(tmp_path, source, target, "--raw", *(["--split-on", on] if on else [])).output


def test_files_of_raw_text(tmp_path):
    target = "a b\nc x d\n\ne f\n"
    default = split(tmp_path, target, "")
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


def test_essays(tmp_path):
    source = "### essay_id = 1\na b\nc d\n"
    done = annotate(tmp_path, source, source, "--format", "essays", "--split-on", "one-sentence-per-line")
    assert [line for line in done.output.splitlines() if line[:1] == "S"] == ["S a b", "S c d"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--split-on", "newline"], "needs --raw"),
        (["--raw", "--split-on", "lines"], "did you mean 'newline'?"),
    ],
)
def test_options_that_do_not_fit(tmp_path, options, says):
    error = annotate(tmp_path, "a\n", "a\n", *options).exception
    assert isinstance(error, UsageError)
    assert says in str(error)


def test_from_python():
    annotator = jperrant.load("generic", models="none", split_on="newline")
    blocks = list(annotator.annotate_many([("a b\nc", "a b\nc d")], raw=True))
    assert [block.source for block in blocks] == [("a", "b"), ("c",)]
    with pytest.raises(UsageError, match="one-sentence-per-line"):
        jperrant.load("generic", models="none", split_on="sentences")
    options = {"lang": "generic", "models": "none", "raw": True, "split_on": "blank"}
    scores = jperrant.score([["a", "b c d"]], [["a b", "c d"]], source=["a b", "c"], **options)
    assert scores[0].values["f"] == 1.0  # lines differ, and the paragraph does not
