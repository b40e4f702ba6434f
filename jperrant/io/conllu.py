"""Reading CoNLL-U: sentences with their analysis.

The tokens are those of the text. A multi-word token (``3-4``) is one token with the analysis of its words, unless
they spell it, as ``do`` and ``n't`` spell ``don't``; then they are tokens. Its lemma, tags and relation are those
of one word, its features those of all words (``jperrant.core.conllu``), and heads are numbered by tokens.
Empty nodes are not read. https://universaldependencies.org/format.html describes the format; tags, features and
relations that are not in it are refused, for they would spoil error types without a word. FEATS are read as they
are written, also unsorted and in a treebank's own names, as long as each is a name and a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from jperrant.core.conllu import (
    DEPREL,
    FEATS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    UPOS,
    XPOS,
    ConlluSentence,
    Row,
    are_tokens,
    conllu_sentences,
    head_word,
    token_arcs,
    token_feats,
)
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, nearest
from jperrant.core.values import SEPARATOR, Sentence, Token
from jperrant.core.values import UPOS as UPOS_TAGS
from jperrant.io.files import read_lines

_NONE = "_"
_FEATURE = re.compile(r"[A-Za-z][A-Za-z0-9]*(\[[A-Za-z0-9]+\])?=[^=|\s]+")
#: A multi-word token: its first and last word, from 1, and its columns.
_Range = tuple[int, int, Row]


def read_conllu(path: str, words: bool = False) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, ``-`` meaning standard input, in constant memory.

    Args:
        path: The file.
        words: Whether the tokens are the syntactic words, and lines of multi-word tokens are not read.

    Raises:
        FormatError: A line has not ten columns, a number is wrong, a form is empty or holds white space, a UPOS
            does not exist, FEATS are malformed, or the heads form a cycle; names file and line.
        InputError: The file cannot be read.
    """
    yield from parse_conllu(read_lines(path), path, words)


def parse_conllu(lines: Iterable[str], file: str, words: bool = False) -> Iterator[Sentence]:
    """Yield sentences from lines; ``file`` is the name used in messages, ``words`` as in ``read_conllu``.

    A sentence without words (comments only, then a blank line) is an empty sentence; comments after the last
    blank line belong to none.
    """
    for sentence in conllu_sentences(lines, file):
        for number, row in zip(sentence.lines, sentence.rows, strict=True):
            if not words or "-" not in row[ID]:
                _check_row(row, file, number)
        yield _sentence(sentence, words)


def _sentence(sentence: ConlluSentence, by_words: bool) -> Sentence:
    tokens = _words(sentence.words)
    ranges = [] if by_words else [_range(row) for row in sentence.rows if "-" in row[ID]]
    if ranges := [token for token in ranges if not _spelled(token, tokens)]:
        tokens = _spaced(_surface(tokens, ranges))
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens), sentence.comment("sent_id"))


def _range(row: Row) -> _Range:
    first, _, last = row[ID].partition("-")
    return int(first), int(last), row


def _words(rows: Sequence[Row]) -> list[Token]:
    tokens, offset = [], 0
    for row in rows:
        form = row[FORM]
        lemma, upos, xpos, feats = _value(row[LEMMA], form), *map(_value, row[UPOS:HEAD])
        head = None if row[HEAD] == _NONE else int(row[HEAD])
        tokens.append(
            Token(form, lemma, upos, xpos, feats, head, _value(row[DEPREL]), offset, offset + len(form))
        )
        offset += len(form) + 1
    return tokens


def _check_row(row: Row, file: str, number: int) -> None:
    form = row[FORM]
    if not form or len(form.split()) != 1 or form.strip() != form:
        raise FormatError(file, number, f"found the form {form!r}, expected text without white space")
    if SEPARATOR in form:
        raise FormatError(
            file, number, f"the form {form!r} contains '|||', which separates the fields of M2; replace it"
        )
    if problem := _upos_problem(row) or _feats_problem(row) or _deprel_problem(row):
        raise FormatError(file, number, problem)


# Multi-word tokens


def _spelled(token: _Range, words: Sequence[Token]) -> bool:
    """Whether the words stay tokens. Treebanks that may not show their text have ``_`` for every form."""
    first, last, row = token
    forms = [word.form for word in words[first - 1 : last]]
    return row[FORM] == _NONE or are_tokens(row[FORM], forms)


def _surface(words: list[Token], ranges: Sequence[_Range]) -> list[Token]:
    """Return tokens with each multi-word token in place of its words."""
    inside = {first: (last, row) for first, last, row in ranges}
    tokens, sizes, position = [], [], 0
    while position < len(words):
        last, row = inside.get(position + 1, (position + 1, None))
        sizes.append(last - position)
        tokens.append(words[position] if row is None else _merged(row, words[position:last]))
        position += sizes[-1]
    if any(word.head is None for word in words):
        return [token._replace(head=None) for token in tokens]
    arcs = token_arcs([word.head or 0 for word in words], [word.upos for word in words], sizes)
    return [
        token._replace(head=head, deprel=words[word].deprel)
        for token, (head, word) in zip(tokens, arcs, strict=True)
    ]


def _merged(row: Row, words: Sequence[Token]) -> Token:
    upos = [word.upos for word in words]
    feats = token_feats(upos, [word.feats for word in words], _value(row[FEATS]))
    forms = tuple(word.form for word in words) if len(words) > 1 else ()
    return words[head_word(upos)]._replace(form=row[FORM], feats=feats, words=forms)


def _spaced(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens with their offsets in the text in which single spaces separate them."""
    starts = accumulate((len(token.form) + 1 for token in tokens), initial=0)
    return [
        token._replace(start=start, end=start + len(token.form))
        for token, start in zip(tokens, starts, strict=False)
    ]


# Columns


def _value(column: str, form: str = "") -> str:
    """Return a column, an underscore meaning nothing, unless that is what the word is."""
    return "" if column == _NONE and form != _NONE else column


def _upos_problem(columns: Row) -> str:
    upos = columns[UPOS]
    if upos == _NONE or upos in UPOS_TAGS:
        return ""
    found = f"unknown UPOS {shorten(upos)}"
    for name, column in (("LEMMA (3)", LEMMA), ("XPOS (5)", XPOS), ("FEATS (6)", FEATS)):
        if columns[column] in UPOS_TAGS:
            return f"{found}; the columns UPOS (4) and {name} seem to be swapped"
    hint = " (it is CCONJ since UD 2)" if upos == "CONJ" else nearest(upos.upper(), sorted(UPOS_TAGS))
    return f"{found}{hint}; expected one of {', '.join(sorted(UPOS_TAGS))}, or _ for none"


def _feats_problem(columns: Row) -> str:
    feats = columns[FEATS]
    if _are_features(columns[XPOS]):
        return (
            f"found the features {shorten(columns[XPOS])} as XPOS; the columns XPOS (5) and FEATS (6) seem "
            "to be swapped"
        )
    if feats == _NONE:
        return ""
    if not _are_features(feats):
        return f"found FEATS {shorten(feats)}, expected Name=Value|Name=Value, or _ for none"
    names = [feature.partition("=")[0] for feature in feats.split("|")]
    twice = next((name for name in names if names.count(name) > 1), "")
    return (
        f"FEATS {shorten(feats)} give {twice} twice; separate several values of one feature by commas"
        if twice
        else ""
    )


def _deprel_problem(columns: Row) -> str:
    deprel = columns[DEPREL]
    if not deprel or len(deprel.split()) != 1:
        return f"found DEPREL {shorten(deprel)}, expected a relation such as nsubj, or _"
    return ""


def _are_features(text: str) -> bool:
    return all(_FEATURE.fullmatch(feature) for feature in text.split("|"))
