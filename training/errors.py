"""Learners' errors put into the sentences of a treebank; tags, lemmas and trees stay what was meant.

A table lists the changes of a language. Each single change (this word, in this way) belongs to training or is held
out for tests, by a hash of its words, so that tests meet errors that no training has seen.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from training.error_tables import Change, ErrorTable, Pattern
from training.error_words import Lexicon, Word, children, drop, lexicon_of, rebuilt, words_of
from training.misspelling import lemma_of_misspelt, misspelt
from training.treebank import Treebank, TreebankSentence

_HELD_OUT = 5  # one change in so many is held out
_TRIES = 8


def with_errors(
    treebank: Treebank,
    table: ErrorTable,
    seed: int,
    held_out: bool = False,
    lexicon: Treebank | None = None,
    only: str = "",
) -> Treebank:
    """Return a treebank with learners' errors in the sentences that allow of any, without the others.

    Args:
        treebank: The treebank.
        table: The errors of its language.
        seed: What is drawn derives from it.
        held_out: Make the errors that no training sees, instead of the others.
        lexicon: Where inflected forms come from, and which words are none; the treebank itself by default.
        only: Make errors of one kind only.
    """
    random = Random(seed)
    maker = _Maker(table, random, held_out, lexicon_of((lexicon or treebank).sentences), only)
    made = (maker.changed(sentence) for sentence in treebank.sentences)
    return Treebank(treebank.name, tuple(sentence for sentence in made if sentence is not None))


def regular_forms(treebank: Treebank, table: ErrorTable) -> Treebank:
    """Return the regular forms that a treebank's irregular words do not have, one a sentence: *goed*."""
    lexicon = lexicon_of(treebank.sentences)
    found: dict[tuple[str, str], TreebankSentence] = {}
    for (lemma, upos, xpos), (form, feats) in lexicon.inflected.items():
        columns = {"form": form, "lemma": lemma, "upos": upos, "xpos": xpos, "feats": feats, "deprel": "root"}
        word = Word(columns)
        for change in table.changes:
            if change.kind != "regularise" or not fits(change.word, word, [word]):
                continue
            regular = regular_form(lemma, table.endings.get(change.value or xpos, ()))
            known = lexicon.inflected.get((lemma, upos, change.tags.get("xpos", xpos)))
            if known and regular not in ("", known[0]) and regular not in lexicon.forms:
                row = ("1", regular, lemma, upos, xpos, feats, "0", "root", "_", "_")
                found[regular, upos] = TreebankSentence((row,))
    return Treebank(treebank.name, tuple(found.values()))


def without_misspelt(treebank: Treebank) -> Treebank:
    """Return a treebank without the lemmas of misspelt words (``Typo=Yes``), which are those that were meant."""
    sentences = []
    for sentence in treebank.sentences:
        rows = tuple(
            (*row[:2], "_", *row[3:]) if "Typo=Yes" in row[5].split("|") else row for row in sentence.rows
        )
        sentences.append(replace(sentence, rows=rows))
    return Treebank(treebank.name, tuple(sentences))


def regular_form(lemma: str, endings: Sequence[tuple[str, str]]) -> str:
    """Return a lemma with the first regular ending that fits it, or nothing."""
    for old, new in endings:
        regular, count = re.subn(old, new, lemma.lower())
        if count:
            return regular
    return ""


class _Maker:
    """Makes errors by a table."""

    def __init__(
        self, table: ErrorTable, random: Random, held_out: bool, lexicon: Lexicon, only: str
    ) -> None:
        self.table, self.random, self.held_out, self.lexicon = table, random, held_out, lexicon
        self.changes = [change for change in table.changes if only in ("", change.kind)]
        self.shares = [change.share for change in self.changes]
        self._part_of_change = False
        self._makers = {
            "misspell": self._misspell,
            "regularise": self._regularise,
            "inflect": self._inflect,
            "forms": self._replace,
            "drop": self._drop,
            "insert": self._insert,
            "swap": self._swap,
            "case": self._case,
            "double": self._double,
        }

    def changed(self, sentence: TreebankSentence) -> TreebankSentence | None:
        """Return a sentence with at least one error, or None where none could be made."""
        words = words_of(sentence)
        capital, form = _capital(words), words[0].form
        wanted = 1 + sum(self.random.random() < self.table.rate for _ in words[:-1])
        touched: set[Word] = set()
        made = 0
        for _ in range(_TRIES * wanted):
            (change,) = self.random.choices(self.changes, self.shares)
            made += self._made(words, change, touched)
            if made == wanted:
                break
        if not made:
            return None
        first = words[0]
        # A capital that its own word lost to a change of case is the error.
        lost = first is capital and first.form.lower() == form.lower()
        if capital and _capital(words) is None and first.form[:1].islower() and not (first.token or lost):
            first.columns["form"] = first.form[:1].upper() + first.form[1:]
        return rebuilt(sentence, words)

    def _made(self, words: list[Word], change: Change, touched: set[Word]) -> bool:
        fitting = [w for w in words if not w.token and w not in touched and fits(change.word, w, words)]
        if not fitting:
            return False
        word = self.random.choice(fitting)
        if not self._makers[change.kind](words, word, change):
            return False
        touched.add(word)
        if change.also is not None:
            near = [word] if change.also.kind == "insert" else children(words, word)
            for other in near:
                if fits(change.also.word, other, words):
                    self._part_of_change = True
                    self._makers[change.also.kind](words, other, change.also)
                    self._part_of_change = False
                    break
        return True

    def _allowed(self, kind: str, *forms: str) -> bool:
        """Whether a change is one of those that are wanted: of training, or held out."""
        key = "|".join((kind, *forms)).lower().encode()
        return self._part_of_change or (zlib.crc32(key) % _HELD_OUT == 0) == self.held_out

    def _misspell(self, words: list[Word], word: Word, change: Change) -> bool:  # noqa: ARG002
        wrong = misspelt(word.form, self.random, self.table.keyboard, self.table.sounds)
        if wrong == word.form or wrong.lower() in self.lexicon.forms:
            return False
        lemma = word.columns["lemma"]
        if not self._allowed("misspell", word.form if lemma == "_" else lemma):
            return False
        if lemma != "_":
            word.columns["lemma"] = lemma_of_misspelt(word.form, lemma, wrong)
        word.columns["form"] = wrong
        return True

    def _regularise(self, words: list[Word], word: Word, change: Change) -> bool:  # noqa: ARG002
        lemma = word.columns["lemma"]
        if lemma == "_":
            return False
        regular = regular_form(lemma, self.table.endings.get(change.value or word.columns["xpos"], ()))
        if regular in ("", lemma) or regular in self.lexicon.forms or not self._allowed("regularise", lemma):
            return False
        return self._written(word, regular, change)

    def _inflect(self, words: list[Word], word: Word, change: Change) -> bool:  # noqa: ARG002
        c = word.columns
        found = self.lexicon.inflected.get((c["lemma"], c["upos"], change.value))
        if found is None or c["lemma"] == "_" or found[0] == word.form.lower():
            return False
        if not self._allowed("inflect", word.form, found[0]):
            return False
        self._written(word, found[0], change)
        c["xpos"], c["feats"] = change.value, found[1]
        c.update(change.tags)
        return True

    def _replace(self, words: list[Word], word: Word, change: Change) -> bool:
        others = [form for form in change.value if form != word.form.lower()]
        after = words[words.index(word) + 1 :]
        near = after[0].form if after else ""
        others = [form for form in others if self._allowed("forms", word.form, form, near)]
        if not others:
            return False
        form = self.random.choice(others)
        if word.columns["lemma"] == word.form.lower():
            word.columns["lemma"] = form
        return self._written(word, form, change)

    def _drop(self, words: list[Word], word: Word, change: Change) -> bool:  # noqa: ARG002
        place = words.index(word)
        near = words[place + 1].form if place + 1 < len(words) else ""
        return self._allowed("drop", word.form, near) and drop(words, word)

    def _insert(self, words: list[Word], word: Word, change: Change) -> bool:
        values: Mapping[str, Any] = self.random.choice(change.value)
        new = Word(dict.fromkeys(word.columns, "_") | {name: str(v) for name, v in values.items()}, word)
        if word.columns["lemma"] == "_":
            new.columns |= {"lemma": "_", "feats": "_"}
        place = words.index(word)
        if change.at == "edge":
            while place and words[place - 1].head is word and words[place - 1].columns["deprel"] != "punct":
                place -= 1
        elif change.at == "after":
            place += 1
        inside = (
            place < len(words)
            and place
            and words[place].token
            and words[place].token is words[place - 1].token
        )
        if inside or not self._allowed("insert", new.form, word.form):
            return False
        if change.at == "after":
            before = words[place - 1]
            new.misc, before.misc = before.misc, "SpaceAfter=No" if new.columns["upos"] == "PUNCT" else "_"
        elif new.columns["upos"] == "PUNCT" and place and not words[place - 1].token:
            words[place - 1].misc = "SpaceAfter=No"
        words.insert(place, new)
        word.columns.update(change.tags)
        return True

    def _swap(self, words: list[Word], word: Word, change: Change) -> bool:
        place = words.index(word)
        if place + 1 == len(words):
            return False
        other = words[place + 1]
        if other.token or not fits(change.value, other, words):
            return False
        if not self._allowed("swap", word.form, other.form):
            return False
        words[place], words[place + 1] = other, word
        word.misc, other.misc = other.misc, word.misc
        return True

    def _case(self, words: list[Word], word: Word, change: Change) -> bool:  # noqa: ARG002
        form = word.form
        new = form[:1].lower() + form[1:] if change.value == "lower" else form[:1].upper() + form[1:]
        if new == form or form[1:] != form[1:].lower() or not self._allowed("case", form, change.value):
            return False
        word.columns["form"] = new
        return True

    def _double(self, words: list[Word], word: Word, change: Change) -> bool:  # noqa: ARG002
        if not self._allowed("double", word.form):
            return False
        again = Word(dict(word.columns), word.head or word, "_")
        if word.head is None:
            again.columns["deprel"] = "reparandum"
        again.misc = word.misc if word.columns["upos"] == "PUNCT" else "_"
        words.insert(words.index(word), again)
        return True

    def _written(self, word: Word, form: str, change: Change) -> bool:
        old = word.form
        upper = len(old) > 1 and old.isupper()
        word.columns["form"] = form.upper() if upper else form.capitalize() if old[:1].isupper() else form
        word.columns.update(change.tags)
        return True


def fits(pattern: Pattern, word: Word, words: Sequence[Word]) -> bool:
    """Whether a word fits a pattern of a table; see ``Change``."""
    for name, expected in pattern.items():
        if name == "without":
            if any(expected.fullmatch(child.columns["deprel"]) for child in children(words, word)):
                return False
            continue
        place, _, column = name.rpartition("_")
        other = word if not place else word.head if place == "head" else _next(words, word)
        if other is None:
            return False
        value = other.columns[column]
        values = value.split("|") if column == "feats" else [value.lower() if column == "form" else value]
        if not any(map(expected.fullmatch, values)):
            return False
    return True


def _next(words: Sequence[Word], word: Word) -> Word | None:
    place = words.index(word) + 1
    return words[place] if place < len(words) else None


def _capital(words: Sequence[Word]) -> Word | None:
    """Return the first word if it is capitalised for its place only, and not all in capitals."""
    first = words[0]
    form, lemma = first.form, first.columns["lemma"]
    small = lemma[:1].islower() or lemma == "_"
    return first if form[:1].isupper() and (form[1:].islower() or len(form) == 1) and small else None
