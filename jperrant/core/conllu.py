"""CoNLL-U sentences from lines: words, multi-word tokens and comments, with line numbers for messages.

Every reader of CoNLL-U starts here. https://universaldependencies.org/format.html describes the format; empty
nodes are not read.

A multi-word token whose words spell it (``do``, ``n't``) is read as its words. Any other (``del``: ``de``,
``il``) is one token. It takes its lemma, tags and place in the tree from one word, its head, and its features
from all words, so that rules see the article's gender in ``nel`` → ``nella``.
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
#: The ten columns of a line.
Row = tuple[str, ...]
_EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """One CoNLL-U sentence whose IDs, heads and ranges have been checked.

    Attributes:
        rows: The ten columns of each word and multi-word token, in order.
        new_paragraph: Whether a comment (``newpar``, ``newdoc``) says that a paragraph or document begins here.
        lines: The line number of each row.
        comments: Each comment's line number and its text, without ``#`` and surrounding spaces.
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
        """Return the value of the first comment ``key = value``, or an empty string."""
        values = (comment.partition("=") for _, comment in self.comments)
        return next((value.strip() for name, _, value in values if name.strip() == key), "")


def conllu_sentences(lines: Iterable[str], file: str) -> Iterator[ConlluSentence]:
    """Yield the sentences in lines that have no line ends.

    Comments followed by a blank line, without words, are an empty sentence. Comments after the last blank line
    are ignored.

    Args:
        lines: The lines.
        file: The name of the file, for messages.

    Raises:
        FormatError: A line does not have ten columns, an ID or a head is wrong, or the heads form a cycle. The
            message names file and line.
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
    """Return the rows of words; their IDs must count from 1, and ranges must come right before their words."""
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
    """Return the number of a word's head, or None if HEAD is ``_``."""
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
    """Yield each token of the text: form, whether it stands for several words, whether no space follows."""
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


#: UPOS tags of words that can head a multi-word token: a Hebrew noun with its prefixes is a noun. A token
#: without such a word is headed by its first word, as ``zum`` (preposition and article) by the preposition.
_OPEN = frozenset(["ADJ", "ADV", "NOUN", "NUM", "PROPN", "VERB"])
_VERBAL = frozenset(["AUX", "VERB"])
#: Features in which a pronoun agrees with its antecedent. On a host verb or noun they get a layer, as in
#: Universal Dependencies.
_AGREEMENT = frozenset(["Gender", "Number", "Person"])


def are_tokens(form: str, words: Sequence[str]) -> bool:
    """Whether the words of a multi-word token spell it, so that they are the tokens (``do``, ``n't``)."""
    return all(words) and "".join(words) == form


def head_word(upos: Sequence[str]) -> int:
    """Return the 0-based index of the word that gives a multi-word token its lemma, tags and relation.

    This is the first word of an open class, or else the first word. Only tags decide, so that error types do
    not depend on whether a sentence is parsed.

    Args:
        upos: The UPOS of the words, at least one.
    """
    return next((n for n, tag in enumerate(upos) if tag in _OPEN), 0)


def token_feats(upos: Sequence[str], feats: Sequence[str], token: str = "") -> str:
    """Return the FEATS of a multi-word token: its head's, and the values on which its other words agree.

    A layer separates the gender, number and person of an attached pronoun from those of the head:
    ``Gender[obj]`` on verbs, ``Gender[psor]`` on other words of open classes.

    >>> token_feats(["ADP", "DET"], ["", "Definite=Def|Gender=Masc"])
    'Definite=Def|Gender=Masc'
    >>> token_feats(["VERB", "PRON"], ["Number=Sing|VerbForm=Fin", "Gender=Fem|Number=Plur"])
    'Gender[obj]=Fem|Number=Sing|Number[obj]=Plur|VerbForm=Fin'

    Args:
        upos: The UPOS of the words.
        feats: Their FEATS as in CoNLL-U; an empty string for a word without any.
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
    """Return each token's head in a parsed sentence, and the word whose relation the token takes.

    A token is attached by its word nearest to the root; if several words are as near, by its head word. So
    heads never form a cycle: each token's head is nearer to the root than the token.

    Args:
        heads: The 1-based head of each word, 0 for a root; without cycles.
        upos: The UPOS of the words.
        sizes: How many words each token has.

    Returns:
        For each token, the 1-based number of its head token (0 for a root) and the 0-based index of the word.
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
