"""Learners' errors put into treebanks: what was meant stays, trees stay trees, training and test share no error."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from jperrant.core.values import on_cycle
from training import learner_errors
from training.batches import shorter
from training.learner_errors import (
    KINDS,
    lemma_of_misspelt,
    misspelt,
    read_error_table,
    regular_forms,
    with_errors,
    without_misspelt,
)
from training.treebank import Treebank, TreebankSentence, read_treebank

pytestmark = pytest.mark.models

TREEBANK = Path(__file__).parents[1] / "data" / "treebank"
TABLE = Path(__file__).parents[2] / "langpacks" / "en" / "models" / "errors.yaml"


@pytest.fixture(scope="module")
def bank():
    return read_treebank([TREEBANK / "train.conllu"])


@pytest.fixture(scope="module")
def table():
    return read_error_table(TABLE)


def table_of(tmp_path, *changes, rest=""):
    path = tmp_path / "errors.yaml"
    path.write_text(rest + "changes:\n" + "".join(f"  - {change}\n" for change in changes))
    return read_error_table(path)


def sentence(*rows):
    return TreebankSentence(
        tuple((str(n), *row[:5], str(row[5]), row[6], "_", "_") for n, row in enumerate(rows, start=1))
    )


ENJOY = sentence(
    ("I", "I", "PRON", "PRP", "_", 2, "nsubj"),
    ("enjoyed", "enjoy", "VERB", "VBD", "Tense=Past", 0, "root"),
    ("the", "the", "DET", "DT", "_", 4, "det"),
    ("trip", "trip", "NOUN", "NN", "Number=Sing", 2, "obj"),
    (".", ".", "PUNCT", ".", "_", 2, "punct"),
)
SWIM = sentence(
    ("They", "they", "PRON", "PRP", "_", 2, "nsubj"),
    ("enjoy", "enjoy", "VERB", "VBP", "_", 0, "root"),
    ("swimming", "swim", "VERB", "VBG", "VerbForm=Ger", 2, "xcomp"),
)
TO_SWIM = sentence(
    ("to", "to", "PART", "TO", "_", 2, "mark"), ("swim", "swim", "VERB", "VB", "VerbForm=Inf", 0, "root")
)


def made(tmp_path, sentences, *changes, rest=""):
    """Return the words of sentences with errors, training's and those held out."""
    bank, table = Treebank(tuple(sentences)), table_of(tmp_path, *changes, rest=rest)
    found = [s for held_out in (False, True) for s in with_errors(bank, table, 1, held_out).sentences]
    return [[tuple(row[n] for n in (1, 2, 4, 6, 7)) for row in s.words] for s in found]


@pytest.mark.slow
@pytest.mark.parametrize("held_out", [False, True])
def test_trees_stay_trees_and_tokens_stay_whole(bank, table, held_out):
    changed = with_errors(bank, table, 3, held_out)
    assert changed.sentences
    for one in changed.sentences:
        heads = [int(row[6]) for row in one.words]
        assert on_cycle(heads) is None
        assert heads.count(0) == 1
        assert [row[0] for row in one.words] == [str(n) for n in range(1, len(heads) + 1)]
        ranges = [row[0].split("-") for row in one.rows if "-" in row[0]]
        assert all(1 <= int(a) < int(b) <= len(heads) for a, b in ranges)


@pytest.mark.slow
def test_training_and_test_share_no_misspelt_word(bank, table):
    known = {row[1] for s in bank.sentences for row in s.words}
    misspelling = [change for change in table.changes if change.kind == "misspell"]
    table = replace(table, changes=misspelling)

    def misspelt_words(held_out):
        changed = [with_errors(bank, table, seed, held_out) for seed in range(4)]
        return {
            (row[1], row[2]) for b in changed for s in b.sentences for row in s.words if row[1] not in known
        }

    train, test = misspelt_words(False), misspelt_words(True)
    assert len(train) > len(test) > 0
    assert not train & test


def test_an_infinitive_for_a_gerund_keeps_the_tree(tmp_path):
    to = "{form: to, lemma: to, upos: PART, xpos: TO, deprel: mark}"
    rule = f"{{inflect: VB, word: {{xpos: VBG}}, also: {{insert: [{to}], word: {{}}}}}}"
    found = made(tmp_path, [SWIM, TO_SWIM], rule)
    assert [
        ("They", "they", "PRP", "2", "nsubj"),
        ("enjoy", "enjoy", "VBP", "0", "root"),
        ("to", "to", "TO", "4", "mark"),
        ("swim", "swim", "VB", "2", "xcomp"),
    ] in found


def test_regular_forms_keep_lemma_and_tags(tmp_path):
    rest = 'endings: {VBD: [["e$", ed], ["$", ed]]}\n'
    go = sentence(
        ("went", "go", "VERB", "VBD", "Tense=Past", 0, "root"), ("!", "!", "PUNCT", ".", "_", 1, "punct")
    )
    (found,) = made(tmp_path, [go], "{regularise: '', word: {xpos: VBD}}", rest=rest)
    assert found[0] == ("goed", "go", "VBD", "0", "root")


def test_regular_forms_of_irregular_words(tmp_path, table):
    rows = [("went", "go", "VBD"), ("swam", "swim", "VBD"), ("walked", "walk", "VBD"), ("ran", "run", "VBD")]
    bank = Treebank(tuple(sentence((f, m, "VERB", x, "_", 0, "root")) for f, m, x in rows))
    found = {(s.rows[0][1], s.rows[0][2]) for s in regular_forms(bank, table).sentences}
    assert {("goed", "go"), ("swimmed", "swim"), ("runned", "run")} <= found
    assert not any(lemma == "walk" for _, lemma in found)


def test_misspelt_words_of_a_treebank_teach_no_lemma():
    one = sentence(
        ("recieved", "receive", "VERB", "VBD", "Tense=Past|Typo=Yes", 0, "root"),
        ("it", "it", "PRON", "PRP", "_", 1, "obj"),
    )
    (found,) = without_misspelt(Treebank((one,))).sentences
    assert [row[2] for row in found.rows] == ["_", "it"]


def test_the_first_word_keeps_its_capital(tmp_path):
    the = sentence(
        ("The", "the", "DET", "DT", "_", 2, "det"), ("trip", "trip", "NOUN", "NN", "_", 3, "nsubj"),
        ("ended", "end", "VERB", "VBD", "_", 0, "root"),
    )  # fmt: skip
    (found,) = made(tmp_path, [the], "{drop: true, word: {upos: DET}}")
    assert [row[0] for row in found] == ["Trip", "ended"]


@pytest.mark.parametrize(
    ("form", "lemma", "wrong", "expected"),
    [
        ("received", "receive", "recieved", "recieve"),
        ("received", "receive", "receivde", "receivde"),
        ("friends", "friend", "freinds", "freind"),
        ("bought", "buy", "bouhgt", "bouhgt"),
        ("Friends", "friend", "Freinds", "freind"),
    ],
)
def test_lemmas_of_misspelt_words_are_never_what_was_meant(form, lemma, wrong, expected):
    assert lemma_of_misspelt(form, lemma, wrong) == expected


def test_misspelling_keeps_the_first_letter():
    draw = random.Random(1)
    found = {misspelt("Beautiful", draw, ["qwertyuiop", "asdfghjkl"], [("eau", "ou")]) for _ in range(200)}
    assert len(found) > 20
    assert all(word.startswith("B") for word in found)
    assert "Boutiful" in found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{drop: true, wrod: {}}", "wrod"),
        ("{word: {}}", "expected 1"),
        ('{drop: true, word: {form: "("}}', "unterminated subpattern"),
    ],
)
def test_a_malformed_change_is_refused(tmp_path, text, said):
    with pytest.raises((TypeError, ValueError, re.error), match=said):
        table_of(tmp_path, text)


def test_the_english_table_uses_every_kind(table):
    assert {change.kind for change in table.changes} == set(KINDS)


@pytest.mark.parametrize("forms", [["I", "go", "."], ["?", "go", "."], ["¿", "go", "?"]])
def test_a_sentence_loses_its_last_or_its_opening_mark(forms):
    tags = [("PUNCT" if form in ".?¿" else "X", 2 * (form != "go")) for form in forms]
    one = sentence(
        *((form, form, tag, "_", "_", head, "x") for form, (tag, head) in zip(forms, tags, strict=True))
    )
    found = shorter(one, opening=False)
    assert found is not None
    assert [row[1] for row in found.words] == forms[:2]
    opened = shorter(one, opening=True)
    assert opened is None if forms[0] != "¿" else [row[6] for row in opened.words] == ["0", "1"]
    assert shorter(found, opening=False) is None


def test_what_is_put_in_is_new_wherever_it_lies_in_memory(tmp_path, monkeypatch):
    """A word that is put in may get the place in memory of one that was dropped."""
    so = "{form: so, lemma: so, upos: ADV, xpos: RB, deprel: advmod}"
    table = table_of(
        tmp_path,
        "{drop: true, word: {upos: DET|PRON}}",
        f"{{insert: [{so}], word: {{upos: VERB}}}}",
        "{double: true, word: {form: so}}",
        rest="rate: 1\n",
    )
    bank = Treebank((ENJOY, SWIM) * 50)
    expected = with_errors(bank, table, 1)
    kept, words_of = [], learner_errors.words_of

    def keep(sentence):
        kept.append(words_of(sentence))
        return list(kept[-1])

    monkeypatch.setattr(learner_errors, "words_of", keep)
    assert with_errors(bank, table, 1) == expected
    assert any([row[1] for row in s.words].count("so") > 1 for s in expected.sentences)


@pytest.mark.parametrize("lemma", ["_", "london", "London"])
def test_a_first_word_can_lose_its_capital(tmp_path, lemma):
    london = sentence(
        ("London", lemma, "PROPN", "NNP", "_", 2, "nsubj"), ("sleeps", "sleep", "VERB", "VBZ", "_", 0, "root")
    )
    found = made(tmp_path, [london], "{case: lower, word: {upos: PROPN}}")
    assert [[row[0] for row in one] for one in found] == [["london", "sleeps"]]
