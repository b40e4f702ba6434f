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


class Stops:
    """A parser that ends sentences at stops and, as Stanza does, at blank lines."""

    can_parse = False

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

    def tag(self, sentences):
        return list(sentences)

    parse = tag


def sentences(splitting, text=TEXT, parser=None):
    (found,) = SplittingParser(parser or Stops(), splitting).tokenize([text])
    return [" ".join(s.forms) for s in found]


def test_where_texts_are_split():
    assert sentences(Splitting.BLANK) == ["One two .", "three four", "- five - six .", "Seven"]
    assert sentences(Splitting.NEWLINE) == ["One two .", "three four", "- five", "- six .", "Seven"]
    assert sentences(Splitting.MODEL) == ["One two .", "three four - five - six .", "Seven"]
    assert sentences(Splitting.ONE_PER_LINE) == ["One two .", "three four", "- five", "- six . Seven"]


def test_a_line_end_of_windows_is_one_line_end():
    for text in ("One two\nthree .\n\nFour .", TEXT, "\n a \n\n b\n", "a\n \nb"):
        for splitting in (Splitting.BLANK, Splitting.NEWLINE):
            ended = sentences(splitting, text.replace("\n", "\r\n"), PretokenisedParser())
            assert ended == sentences(splitting, text, PretokenisedParser())


def test_without_models_units_are_sentences():
    plain = PretokenisedParser()
    assert sentences(Splitting.BLANK, parser=plain) == ["One two . three four", "- five - six . Seven"]
    assert sentences(Splitting.NEWLINE, parser=plain) == [
        "One two .",
        "three four",
        "- five",
        "- six . Seven",
    ]
    assert sentences(Splitting.ONE_PER_LINE, parser=plain) == sentences(Splitting.NEWLINE, parser=plain)
    assert sentences(Splitting.MODEL, parser=plain) == [" ".join(TEXT.split())]


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
    (tmp_path / "source").write_text(source, encoding="utf-8")
    (tmp_path / "target").write_text(target, encoding="utf-8")
    arguments = [
        "annotate", str(tmp_path / "source"), str(tmp_path / "target"), "--lang", "generic", "--models",
    ]  # fmt: skip
    return CliRunner().invoke(app, [*arguments, "none", *options])


def test_files_of_raw_text(tmp_path):
    source, target = "a b\nc d\n\ne f\n", "a b\nc x d\n\ne f\n"
    default = annotate(tmp_path, source, target, "--raw").output
    assert [line for line in default.splitlines() if line[:1] == "S"] == ["S a b", "S c d", "S", "S e f"]
    assert annotate(tmp_path, source, target, "--raw", "--split-on", "newline").output == default
    assert (
        annotate(tmp_path, source, target, "--raw", "--split-on", "one-sentence-per-line").output == default
    )
    blank = annotate(tmp_path, source, target, "--raw", "--split-on", "blank").output
    assert blank.splitlines() == [
        "S a b c d", "A 3 3|||M:OTHER|||x|||REQUIRED|||-NONE-|||0", "",
        "S e f", "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0", "",
    ]  # fmt: skip
    # Lines need not correspond where a sentence may go on in the next.
    assert annotate(tmp_path, source, "a\nb c x d\n\ne\nf", "--raw", "--split-on", "blank").output == blank
    whole = annotate(tmp_path, source, target, "--raw", "--split-on", "model").output
    assert whole.startswith("S a b c d e f\n")


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
    scores = jperrant.score(
        [["a", "b c d"]],
        [["a b", "c d"]],
        source=["a b", "c"],
        lang="generic",
        models="none",
        raw=True,
        split_on="blank",
    )
    assert scores[0].values["f"] == 1.0  # lines differ, and the paragraph does not
