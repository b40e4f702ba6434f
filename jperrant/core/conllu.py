"""Sentences of CoNLL-U from lines: words, multi-word tokens, comments, and errors with their lines.

Every reader of CoNLL-U starts here. https://universaldependencies.org/format.html describes the format; empty
nodes are not read.

The words of a multi-word token (``do``, ``n't``) are tokens where they spell it. Else (``del``: ``de``, ``il``)
it is one token, which takes lemma, tags and place in the tree from one word, its head, and features from all of
them, so that rules see the article's gender in ``nel`` → ``nella``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.core.messages import plural
from jperrant.core.values import on_cycle

COLUMNS = 10
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, _DEPS, MISC = range(COLUMNS)
#: A line's columns.
Row = tuple[str, ...]
_EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """A sentence of CoNLL-U; its IDs, heads and ranges are right.

    Attributes:
        rows: The ten columns of each word and multi-word token, in order.
        new_paragraph: Whether a comment says that a paragraph or document begins here.
        lines: The number of each of their lines.
        comments: The number of each comment's line, and the comment without ``#`` and the spaces around it.
    """

    rows: tuple[Row, ...]
    new_paragraph: bool = False
    lines: tuple[int, ...] = ()
    comments: tuple[tuple[int, str], ...] = ()

    @property
    def words(self) -> list[Row]:
        """The rows of syntactic words."""
        return [row for row in self.rows if "-" not in row[ID]]

    def comment(self, key: str) -> str:
        """Return the value of the first comment ``key = value``; empty where there is none."""
        values = (comment.partition("=") for _, comment in self.comments)
        return next((value.strip() for name, _, value in values if name.strip() == key), "")


def conllu_sentences(lines: Iterable[str], file: str) -> Iterator[ConlluSentence]:
    """Yield the sentences of lines without their ends.

    A sentence without words (comments only, then a blank line) is an empty sentence; comments after the last
    blank line belong to none.

    Args:
        lines: The lines.
        file: Their file, for messages.

    Raises:
        FormatError: A line has not ten columns, an ID or a head is wrong, or the heads form a cycle; names file
            and line.
    """
    rows: list[tuple[int, Row]] = []
    comments: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            comments.append((number, line[1:].strip()))
        elif line.strip():
            rows.append((number, _columns(line, file, number)))
        elif rows or comments:
            yield _sentence(rows, comments, file)
            rows, comments = [], []
    if rows:
        yield _sentence(rows, comments, file)


def _columns(line: str, file: str, number: int) -> Row:
    columns = tuple(line.split("\t"))
    if len(columns) != COLUMNS:
        hint = "; columns are separated by tabs, not spaces" if len(columns) == 1 else ""
        raise FormatError(file, number, f"found {plural(len(columns), 'column')}, expected {COLUMNS}{hint}")
    return columns


def _sentence(
    rows: Sequence[tuple[int, Row]], comments: Sequence[tuple[int, str]], file: str
) -> ConlluSentence:
    rows = [(number, row) for number, row in rows if not _EMPTY_NODE.fullmatch(row[ID])]
    words = _words(rows, file)
    heads = [_head(row, len(words), file, number) for number, row in words]
    if (word := on_cycle(heads)) is not None:
        problem = f"found a cycle of heads through word {word + 1}, expected a tree; correct HEAD (column 7)"
        raise FormatError(file, words[word][0], problem)
    new_paragraph = any(comment.startswith(("newpar", "newdoc")) for _, comment in comments)
    numbers, columns = zip(*rows, strict=True) if rows else ((), ())
    return ConlluSentence(columns, new_paragraph, numbers, tuple(comments))


def _words(rows: Sequence[tuple[int, Row]], file: str) -> list[tuple[int, Row]]:
    """Return the words, which count from 1; each multi-word token stands before its first."""
    words: list[tuple[int, Row]] = []
    last, total = 0, sum("-" not in row[ID] for _, row in rows)
    for number, row in rows:
        if found := _RANGE.fullmatch(row[ID]):
            first, after = map(int, found.groups())
            if not last < first == len(words) + 1 <= after <= total:
                expected = "a multi-word token right before its words, such as 3-4 before the words 3 and 4"
                raise FormatError(file, number, f"found ID {shorten(row[ID])}, expected {expected}")
            last = after
            continue
        words.append((number, row))
        if row[ID] != str(len(words)):
            problem = f"found ID {shorten(row[ID])}, expected {len(words)}; words count from 1"
            raise FormatError(file, number, problem)
    return words


def _head(row: Row, words: int, file: str, number: int) -> int | None:
    """Return the head of a word, None for none."""
    head, deprel = row[HEAD], row[DEPREL]
    if deprel.isdecimal():
        swapped = "" if head.isdecimal() else "; the columns HEAD (7) and DEPREL (8) seem to be swapped"
        expected = swapped or ", expected a relation such as nsubj, or _"
        raise FormatError(file, number, f"found the number {shorten(deprel)} as DEPREL{expected}")
    if head == "_":
        return None
    if not _NUMBER.fullmatch(head) or int(head) > words:
        problem = f"found head {shorten(head)}, expected a number from 0 to {words}, or _"
        raise FormatError(file, number, problem)
    return int(head)


def surface_tokens(rows: Iterable[Row]) -> Iterator[tuple[str, bool, bool]]:
    """Yield each token of the text: its form, whether it stands for several words, and whether no space follows."""
    inside = 0
    for row in rows:
        if "-" in row[ID]:
            inside = int(row[ID].partition("-")[2])
            yield row[FORM], True, is_glued(row)
        elif int(row[ID]) > inside:
            yield row[FORM], False, is_glued(row)


def is_glued(row: Row) -> bool:
    """Whether no space follows a word or token."""
    return "SpaceAfter=No" in row[MISC].split("|")


#: Classes whose words carry the meaning of a token: a Hebrew noun with its prefixes is a noun, while a contracted
#: preposition and article (``zum``) are the preposition.
_OPEN = frozenset(["ADJ", "ADV", "NOUN", "NUM", "PROPN", "VERB"])
_VERBAL = frozenset(["AUX", "VERB"])
#: What a pronoun agrees in with what it stands for. On another word it has a layer, as in Universal Dependencies.
_AGREEMENT = frozenset(["Gender", "Number", "Person"])


def are_tokens(form: str, words: Sequence[str]) -> bool:
    """Whether the words of a multi-word token are tokens of their own, because they spell it (``do``, ``n't``)."""
    return all(words) and "".join(words) == form


def head_word(upos: Sequence[str]) -> int:
    """Return the place of the word whose lemma, tags and relation a token takes, from 0.

    It is the first word of an open class, else the first. Tags alone decide, so that types do not depend on
    whether a sentence is parsed.

    Args:
        upos: The UPOS of the words, at least one.
    """
    return next((n for n, tag in enumerate(upos) if tag in _OPEN), 0)


def token_feats(upos: Sequence[str], feats: Sequence[str], token: str = "") -> str:
    """Return the features of a token: those of its head, and what the other words agree on.

    Gender, number and person of a pronoun at a verb or noun are told from those of the head by a layer:
    ``Gender[obj]`` at verbs, ``Gender[psor]`` at other words of open classes.

    >>> token_feats(["ADP", "DET"], ["", "Definite=Def|Gender=Masc"])
    'Definite=Def|Gender=Masc'
    >>> token_feats(["VERB", "PRON"], ["Number=Sing|VerbForm=Fin", "Gender=Fem|Number=Plur"])
    'Gender[obj]=Fem|Number=Sing|Number[obj]=Plur|VerbForm=Fin'

    Args:
        upos: The UPOS of the words.
        feats: Their FEATS as in CoNLL-U, empty for none.
        token: FEATS of the token itself, such as ``Typo=Yes``.
    """
    head = head_word(upos)
    others: dict[str, set[str]] = {}
    for number, (tag, each) in enumerate(zip(upos, feats, strict=True)):
        if number != head:
            for name, value in _features(each).items():
                others.setdefault(_layered(name, tag, upos[head]), set()).add(value)
    merged = {name: values.pop() for name, values in others.items() if len(values) == 1}
    merged |= _features(feats[head]) | _features(token)
    return "|".join(f"{name}={merged[name]}" for name in sorted(merged, key=str.lower))


def _layered(name: str, upos: str, head: str) -> str:
    if upos != "PRON" or name not in _AGREEMENT or head not in _OPEN | _VERBAL:
        return name
    return f"{name}[{'obj' if head in _VERBAL else 'psor'}]"


def _features(feats: str) -> dict[str, str]:
    pairs = (feature.partition("=") for feature in feats.split("|") if "=" in feature)
    return {name: value for name, _, value in pairs}


def token_arcs(heads: Sequence[int], upos: Sequence[str], sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return the head of each token of a parsed sentence, and the word whose relation it takes.

    A token hangs by the word that is nearest to the root, of several its head word. So there is never a cycle: each
    token's head is nearer to the root than the token.

    Args:
        heads: The heads of the words, from 1, 0 for a root; without cycles.
        upos: The UPOS of the words.
        sizes: How many words each token has.

    Returns:
        For each token its head's number from 1, 0 for a root, and the place of the word, from 0.
    """
    owner = [number for number, size in enumerate(sizes, start=1) for _ in range(size)]
    arcs, start = [], 0
    for size in sizes:
        words = range(start, start + size)
        first = start + head_word(upos[start : start + size])
        word = min(words, key=lambda n: (_depth(n, heads), n != first, n)) if size > 1 else start
        arcs.append((owner[heads[word] - 1] if heads[word] else 0, word))
        start += size
    return arcs


def _depth(word: int, heads: Sequence[int]) -> int:
    """Return how far a word is from its root."""
    depth = 0
    while heads[word]:
        word, depth = heads[word] - 1, depth + 1
    return depth
