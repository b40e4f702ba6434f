"""Puts learners' errors into the sentences of a treebank: by the error table of a language, or loose punctuation.

A table lists the changes of a language. Each single change (this word, in this way) belongs to training or is held
out for tests, by a hash of its words, so that tests meet errors that no training has seen.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import yaml

from jperrant.core.conllu import DEPREL, FEATS, FORM, HEAD, LEMMA, MISC, UPOS, XPOS, Row
from training.treebank import Treebank, TreebankSentence

COLUMNS = {"form": FORM, "lemma": LEMMA, "upos": UPOS, "xpos": XPOS, "feats": FEATS, "deprel": DEPREL}
"""Columns of CoNLL-U by the names that patterns use."""

KINDS = ("misspell", "regularise", "inflect", "forms", "drop", "insert", "swap", "case", "double")
Pattern: TypeAlias = Mapping[str, re.Pattern[str]]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the words that fit a pattern; ``README.md`` describes the patterns.

    Attributes:
        kind: One of ``KINDS``.
        value: What the word changes into.
        share: How often the change is drawn, relative to the others.
        word: Regular expressions that the columns of the word match as a whole (FEATS: any one feature), and
            ``without``, a relation that no dependent of the word has.
        tags: The columns that change with the word, and their new values.
        also: A second change: a word inserted beside it, or a dependent dropped, such as *to*.
        at: Where a word is inserted: ``edge`` (before all dependents of the word), ``after`` or ``before`` it.
    """

    kind: str
    value: Any
    share: float = 1.0
    word: Pattern = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    also: Change | None = None
    at: str = "before"


@dataclass(frozen=True, slots=True)
class ErrorTable:
    """The learners' errors of a language.

    Attributes:
        rate: About how many changes there are for each word.
        changes: The possible changes.
        keyboard: The rows of letters of a keyboard.
        sounds: Regular expressions of spellings, and spellings that sound the same.
        endings: By XPOS, regular expressions of lemmas and the regular ending that replaces the match.
    """

    rate: float = 0.1
    changes: Sequence[Change] = ()
    keyboard: Sequence[str] = ()
    sounds: Sequence[tuple[str, str]] = ()
    endings: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)


def read_error_table(path: Path) -> ErrorTable:
    """Read a table of errors.

    Raises:
        TypeError: It has an unknown key.
        ValueError: A change is not of exactly one of ``KINDS``.
    """
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    return ErrorTable(**{**said, "changes": [_change(change) for change in said["changes"]]})


def _change(said: dict[str, Any]) -> Change:
    (kind,) = (kind for kind in KINDS if kind in said)
    value = said.pop(kind)
    if "word" in said:
        said["word"] = _pattern(said["word"])
    if "also" in said:
        said["also"] = _change(said["also"])
    return Change(kind, _pattern(value) if kind == "swap" else value, **said)


def _pattern(said: Mapping[str, str]) -> Pattern:
    return {name: re.compile(text) for name, text in said.items()}


@dataclass(eq=False, slots=True)
class Word:
    """A syntactic word; two words are equal only if they are the same object.

    Attributes:
        columns: Its values by the names in ``COLUMNS``.
        head: Its head; None for the root and where the treebank has no trees.
        misc: The column MISC, which says whether a space follows.
        token: The row of the multi-word token that it is part of, or None; such words are never changed.
    """

    columns: dict[str, str]
    head: Word | None = None
    misc: str = "_"
    token: tuple[str, ...] | None = None

    @property
    def form(self) -> str:
        """The surface form."""
        return self.columns["form"]


def words_of(sentence: TreebankSentence) -> list[Word]:
    """Return the words of a sentence."""
    tokens: dict[int, Row] = {}
    for row in sentence.rows:
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            tokens |= dict.fromkeys(range(first, last + 1), row)
    rows = sentence.words
    words = [
        Word({name: row[n] for name, n in COLUMNS.items()}, None, row[MISC], tokens.get(number))
        for number, row in enumerate(rows, start=1)
    ]
    for word, row in zip(words, rows, strict=True):
        if row[HEAD] not in ("_", "0"):
            word.head = words[int(row[HEAD]) - 1]
    return words


def rebuilt(sentence: TreebankSentence, words: Sequence[Word]) -> TreebankSentence:
    """Return a sentence with its words replaced by these."""
    numbers = {id(word): number for number, word in enumerate(words, start=1)}
    trees = "head" not in sentence.lacks
    rows: list[tuple[str, ...]] = []
    for number, word in enumerate(words, start=1):
        if word.token is not None and (number == 1 or words[number - 2].token is not word.token):
            last = number + sum(other.token is word.token for other in words) - 1
            rows.append((f"{number}-{last}", *word.token[1:]))
        head = str(numbers[id(word.head)]) if word.head else "0" if trees else "_"
        c = word.columns
        row = (c["form"], c["lemma"], c["upos"], c["xpos"], c["feats"], head, c["deprel"], "_", word.misc)
        rows.append((str(number), *row))
    return replace(sentence, rows=tuple(rows))


def children(words: Sequence[Word], word: Word) -> list[Word]:
    """Return the dependents of a word."""
    return [other for other in words if other.head is word]


def drop(words: list[Word], word: Word) -> bool:
    """Remove a word and return True, unless it has dependents, is the root or is part of a multi-word token."""
    place = words.index(word)
    if word.token or word.head is None or len(words) < 2 or children(words, word):
        return False
    if place and not words[place - 1].token:
        words[place - 1].misc = word.misc  # the space after the removed word stays
    del words[place]
    return True


@dataclass(slots=True)
class Lexicon:
    """The forms of a treebank.

    Attributes:
        forms: All forms in lower case.
        inflected: The most frequent form and FEATS of each lemma, UPOS and XPOS.
    """

    forms: set[str] = field(default_factory=set)
    inflected: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)


def lexicon_of(sentences: Iterable[TreebankSentence]) -> Lexicon:
    """Return the forms of some sentences, without those marked as misspelt or foreign."""
    counts: Counter[tuple[str, str, str, str, str]] = Counter()
    for sentence in sentences:
        for row in sentence.words:
            if not {"Typo=Yes", "Foreign=Yes", "Abbr=Yes"} & set(row[5].split("|")):
                counts[row[1].lower(), row[2], row[3], row[4], row[5]] += 1
    lexicon = Lexicon()
    for (form, lemma, upos, xpos, feats), _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        lexicon.forms.add(form)
        lexicon.inflected.setdefault((lemma, upos, xpos), (form, feats))
    return lexicon


_SLIPS = ("drop", "double", "swap", "neighbour", "sound", "sound")


def misspelt(form: str, random: Random, rows: Sequence[str], sounds: Sequence[tuple[str, str]]) -> str:
    """Return a word with one letter or sound misspelt, or the word itself where the drawn misspelling does not fit.

    Args:
        form: The word; its first letter stays, unless it is part of a longer sound: *phone*, *fone*.
        random: Draws the misspelling.
        rows: The rows of a keyboard.
        sounds: Regular expressions, and what learners write instead.
    """
    slip = random.choice(_SLIPS)
    if slip == "sound":
        return _by_sound(form, random, sounds)
    places = [n for n in range(1, len(form)) if form[n].isalpha()]
    if slip == "swap":
        places = [n for n in places if n + 1 < len(form) and form[n + 1].isalpha() and form[n] != form[n + 1]]
    if not places:
        return form
    place = random.choice(places)
    before, letter, after = form[:place], form[place], form[place + 1 :]
    if slip == "drop":
        return before + after
    if slip == "double":
        return before + letter + letter + after
    if slip == "swap":
        return before + after[0] + letter + after[1:]
    return before + random.choice(_near(letter, rows) or [letter]) + after


def lemma_of_misspelt(form: str, lemma: str, wrong: str) -> str:
    """Return the lemma with the same misspelling: *recieved*, of *receive*, gives *recieve*.

    Where the misspelling is in the inflected part, the misspelt word is its own lemma.
    """
    pairs = zip(form.lower(), lemma.lower(), strict=False)
    stem = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    ending = form[stem:]
    inside = wrong.endswith(ending) and len(wrong) - len(ending) >= 2
    kept = wrong.removesuffix(ending) if inside else wrong
    return (kept.lower() if lemma.islower() else kept) + (lemma[stem:] if inside else "")


def _by_sound(form: str, random: Random, sounds: Sequence[tuple[str, str]]) -> str:
    found = [(match, new) for old, new in sounds for match in re.finditer(old, form) if match.end() > 1]
    if not found:
        return form
    match, new = random.choice(found)
    return form[: match.start()] + match.expand(new) + form[match.end() :]


def _near(letter: str, rows: Sequence[str]) -> list[str]:
    """Return the letters beside a letter on a keyboard, those above and below included."""
    small = letter.lower()
    for number, row in enumerate(rows):
        place = row.find(small)
        if place >= 0:
            near = [row[n] for n in (place - 1, place + 1) if 0 <= n < len(row)]
            for other in (*rows[max(0, number - 1) : number], *rows[number + 1 : number + 2]):
                near += other[place : place + 1]
            return near
    return []


_HELD_OUT = 5  # one change in this many is held out
_TRIES = 8


def with_errors(
    treebank: Treebank, table: ErrorTable, seed: int, held_out: bool = False, lexicon: Treebank | None = None
) -> Treebank:
    """Return the sentences of a treebank that can have learners' errors, with such errors.

    Args:
        treebank: The treebank.
        table: The errors of its language.
        seed: Seed of the random choice.
        held_out: Make the errors that are held out from training, instead of the others.
        lexicon: The known forms and inflections; by default those of the treebank.
    """
    random = Random(seed)
    maker = _Maker(table, random, held_out, lexicon_of((lexicon or treebank).sentences))
    made = (maker.changed(sentence) for sentence in treebank.sentences)
    return Treebank(tuple(sentence for sentence in made if sentence is not None))


def regular_forms(treebank: Treebank, table: ErrorTable) -> Treebank:
    """Return regular forms of a treebank's irregular words, which are wrong, one a sentence: *goed*."""
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
    return Treebank(tuple(found.values()))


def without_misspelt(treebank: Treebank) -> Treebank:
    """Return a treebank without the lemmas of misspelt words (``Typo=Yes``): they belong to the intended words."""
    sentences = []
    for sentence in treebank.sentences:
        rows = tuple(
            (*row[:2], "_", *row[3:]) if "Typo=Yes" in row[5].split("|") else row for row in sentence.rows
        )
        sentences.append(replace(sentence, rows=rows))
    return Treebank(tuple(sentences))


def regular_form(lemma: str, endings: Sequence[tuple[str, str]]) -> str:
    """Return a lemma with the first regular ending that fits it, or ""."""
    for old, new in endings:
        regular, count = re.subn(old, new, lemma.lower())
        if count:
            return regular
    return ""


class _Maker:
    """Makes errors by a table."""

    def __init__(self, table: ErrorTable, random: Random, held_out: bool, lexicon: Lexicon) -> None:
        self.table, self.random, self.held_out, self.lexicon = table, random, held_out, lexicon
        self.shares = [change.share for change in table.changes]
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
            (change,) = self.random.choices(self.table.changes, self.shares)
            made += self._made(words, change, touched)
            if made == wanted:
                break
        if not made:
            return None
        first = words[0]
        # If the first word itself was changed to lower case, that is the error, and its capital is not restored.
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
        if also := change.also:
            near = [word] if also.kind == "insert" else children(words, word)
            if other := next((other for other in near if fits(also.word, other, words)), None):
                self._part_of_change = True
                self._makers[also.kind](words, other, also)
                self._part_of_change = False
        return True

    def _allowed(self, kind: str, *forms: str) -> bool:
        """Whether a change belongs to the wanted ones: those of training, or those held out."""
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
        near = _following(words, word)
        others = [
            form
            for form in change.value
            if form != word.form.lower() and self._allowed("forms", word.form, form, near)
        ]
        if not others:
            return False
        form = self.random.choice(others)
        if word.columns["lemma"] == word.form.lower():
            word.columns["lemma"] = form
        return self._written(word, form, change)

    def _drop(self, words: list[Word], word: Word, change: Change) -> bool:  # noqa: ARG002
        return self._allowed("drop", word.form, _following(words, word)) and drop(words, word)

    def _insert(self, words: list[Word], word: Word, change: Change) -> bool:
        new = Word(dict.fromkeys(word.columns, "_") | self.random.choice(change.value), word)
        if word.columns["lemma"] == "_":
            new.columns |= {"lemma": "_", "feats": "_"}
        place = words.index(word)
        if change.at == "edge":
            while place and words[place - 1].head is word and words[place - 1].columns["deprel"] != "punct":
                place -= 1
        elif change.at == "after":
            place += 1
        token = words[place].token if 0 < place < len(words) else None
        inside = token and words[place - 1].token is token
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
        if word is words[-1]:
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
        value = word.form.lower() if name == "form" else word.columns[name]
        values = value.split("|") if name == "feats" else [value]
        if not any(map(expected.fullmatch, values)):
            return False
    return True


def _following(words: Sequence[Word], word: Word) -> str:
    """Return the form of the next word, or ""."""
    return next((other.form for other in words[words.index(word) + 1 :]), "")


def _capital(words: Sequence[Word]) -> Word | None:
    """Return the first word if it has a capital only because it is first."""
    first = words[0]
    form, lemma = first.form, first.columns["lemma"]
    small = lemma[:1].islower() or lemma == "_"
    return first if form[:1].isupper() and (form[1:].islower() or len(form) == 1) and small else None


_STOPS = frozenset(".!?。！？…")
_SMILES = ("😀", "😂", "👍", "❤️", ":)", ":-)", ":D", ":(", "<3", "xD")
_CLOSED = "SpaceAfter=No"
_LOOSE = {
    "none": 30, "no stop": 25, "more stops": 10, "smile": 10, "no space": 5, "lower case": 17,
    "lower case, no stop": 3,  # rare, as only the words then show where a sentence ends
}  # fmt: skip
"""How many of a hundred sentences get each change."""


def with_loose_punctuation(treebank: Treebank, seed: int) -> Treebank:
    """Return a treebank with the loose punctuation of learners; about a third of the sentences do not change.

    A sentence loses its final stop, repeats it two or three times, has an emoticon instead or no space after it,
    or begins in lower case. Tokens and sentence boundaries are right; tags and trees may not be.

    Args:
        treebank: The treebank.
        seed: Seed of the random choice.
    """
    random = Random(seed)
    changes = random.choices(list(_LOOSE), list(_LOOSE.values()), k=len(treebank.sentences))
    pairs = zip(treebank.sentences, changes, strict=True)
    return Treebank(tuple(replace(s, rows=tuple(_loosened(s.rows, change, random))) for s, change in pairs))


def _loosened(rows: Sequence[Row], change: str, random: Random) -> list[Row]:
    """Return the rows of a sentence after a change, or unchanged where the change does not fit."""
    *others, last = rows
    if last[FORM] not in _STOPS or any("-" in row[0] for row in rows[-2:]):
        others.append(last)
    elif change == "more stops":
        others.append((last[0], last[FORM] * random.choice((2, 2, 3)), *last[2:]))
    elif change == "no space":
        others.append((*last[:MISC], _CLOSED))
    elif others and change in ("no stop", "smile", "lower case, no stop"):
        misc = [part for part in others[-1][MISC].split("|") if part not in ("_", _CLOSED)]
        others[-1] = (*others[-1][:MISC], "|".join(misc) or "_")
        if change == "smile":
            others.append((last[0], random.choice(_SMILES), *last[2:MISC], "_"))
    else:
        others.append(last)
    if change.startswith("lower case"):
        number, form, *rest = others[0]
        others[0] = (number, form[:1].lower() + form[1:], *rest)
    return others
