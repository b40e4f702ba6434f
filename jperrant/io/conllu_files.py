"""Reading CoNLL-U: sentences with their analysis.

The tokens are those of the text. If the words of a multi-word token (``3-4``) spell it, as ``do`` and ``n't``
spell ``don't``, the words are the tokens. Any other multi-word token is one token, with the lemma, tags and
relation of one word and the features of all words (``jperrant.core.conllu``). Heads are numbered by tokens.
Empty nodes are not read. https://universaldependencies.org/format.html describes the format. Tags, features and
relations outside the format are refused, as they would silently spoil error types. FEATS may be unsorted and
have a treebank's own names, as long as each is a name and a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from jperrant.core.conllu import (
    DEPREL,
    FEATS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    UPOS,
    XPOS,
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


def read_conllu(path: str, words: bool = False) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, ``-`` meaning standard input, in constant memory.

    Args:
        path: The file.
        words: Make the syntactic words the tokens, and do not read the lines of multi-word tokens.

    Raises:
        FormatError: A line does not have ten columns, a number is wrong, a form is empty or holds white space,
            a UPOS does not exist, FEATS are malformed, or the heads form a cycle. The message names file and
            line.
        InputError: The file cannot be read.
    """
    yield from parse_conllu(read_lines(path), path, words)


def parse_conllu(lines: Iterable[str], file: str, words: bool = False) -> Iterator[Sentence]:
    """Yield sentences from lines; ``file`` is the name used in messages, ``words`` as in ``read_conllu``.

    Comments followed by a blank line, without words, are an empty sentence. Comments after the last blank line
    are ignored.
    """
    for sentence in conllu_sentences(lines, file):
        for number, row in zip(sentence.lines, sentence.rows, strict=True):
            if (not words or "-" not in row[ID]) and (problem := next(_problems(row), "")):
                raise FormatError(file, number, problem)
        tokens = list(map(_word, sentence.words))
        if not words:
            tokens = _surface(tokens, [row for row in sentence.rows if "-" in row[ID]])
        bare = Sentence.from_forms([token.form for token in tokens], sentence.comment("sent_id"))
        places = zip(tokens, bare.tokens, strict=True)
        yield replace(bare, tokens=tuple([token._replace(start=b.start, end=b.end) for token, b in places]))


def _value(column: str, form: str = "") -> str:
    """Return a column, or an empty string for an underscore unless the word itself is one."""
    return "" if column == _NONE and form != _NONE else column


def _word(row: Row) -> Token:
    head = None if row[HEAD] == _NONE else int(row[HEAD])
    upos, xpos, feats = map(_value, row[UPOS:HEAD])
    return Token(row[FORM], _value(row[LEMMA], row[FORM]), upos, xpos, feats, head, _value(row[DEPREL]))


def _surface(words: list[Token], ranges: Iterable[Row]) -> list[Token]:
    """Return tokens with each multi-word token in place of its words, unless they spell it.

    Treebanks that must not publish their text have ``_`` for every form.
    """
    merged: dict[int, tuple[Row, Sequence[Token]]] = {}
    for row in ranges:
        first, last = map(int, row[ID].split("-"))
        own = words[first - 1 : last]
        if row[FORM] != _NONE and not are_tokens(row[FORM], [word.form for word in own]):
            merged[first - 1] = row, own
    if not merged:
        return words
    inside = {n for first, (_, own) in merged.items() for n in range(first + 1, first + len(own))}
    starts = [n for n in range(len(words)) if n not in inside]
    tokens = [_merged(*merged[n]) if n in merged else words[n] for n in starts]
    sizes = [len(merged[n][1]) if n in merged else 1 for n in starts]
    if any(word.head is None for word in words):
        return [token._replace(head=None) for token in tokens]
    arcs = token_arcs([word.head or 0 for word in words], [word.upos for word in words], sizes)
    hung = zip(tokens, arcs, strict=True)
    return [token._replace(head=head, deprel=words[word].deprel) for token, (head, word) in hung]


def _merged(row: Row, words: Sequence[Token]) -> Token:
    upos = [word.upos for word in words]
    feats = token_feats(upos, [word.feats for word in words], _value(row[FEATS]))
    forms = tuple(word.form for word in words) if len(words) > 1 else ()
    return words[head_word(upos)]._replace(form=row[FORM], feats=feats, words=forms)


def _problems(row: Row) -> Iterator[str]:
    """Yield what is wrong with a row, if anything."""
    form, upos, xpos, feats, deprel = row[FORM], row[UPOS], row[XPOS], row[FEATS], row[DEPREL]
    swapped = "; the columns {} and {} seem to be swapped"
    if len(form.split()) != 1 or form.strip() != form:
        yield f"found the form {form!r}, expected text without white space"
    if SEPARATOR in form:
        yield f"the form {form!r} contains '|||', which separates the fields of M2; replace it"
    if upos not in (_NONE, *UPOS_TAGS):
        others = {"LEMMA (3)": row[LEMMA], "XPOS (5)": xpos, "FEATS (6)": feats}
        other = next((name for name, column in others.items() if column in UPOS_TAGS), "")
        hint = " (it is CCONJ since UD 2)" if upos == "CONJ" else nearest(upos.upper(), sorted(UPOS_TAGS))
        expected = f"{hint}; expected one of {', '.join(sorted(UPOS_TAGS))}, or _ for none"
        yield f"unknown UPOS {shorten(upos)}{swapped.format('UPOS (4)', other) if other else expected}"
    if _are_features(xpos):
        yield f"found the features {shorten(xpos)} as XPOS{swapped.format('XPOS (5)', 'FEATS (6)')}"
    if feats != _NONE and not _are_features(feats):
        yield f"found FEATS {shorten(feats)}, expected Name=Value|Name=Value, or _ for none"
    names = [feature.partition("=")[0] for feature in feats.split("|")]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        yield f"FEATS {shorten(feats)} give {twice} twice; separate several values of one feature by commas"
    if len(deprel.split()) != 1:
        yield f"found DEPREL {shorten(deprel)}, expected a relation such as nsubj, or _"


def _are_features(text: str) -> bool:
    return all(_FEATURE.fullmatch(feature) for feature in text.split("|"))
