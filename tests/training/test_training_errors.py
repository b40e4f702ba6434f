"""Learners' errors put into treebanks: what was meant stays, trees stay trees, training and test share no error."""

from __future__ import annotations

from dataclasses import replace

import pytest

from training.learner_errors import (
    KINDS,
    lemma_of_misspelt,
    read_error_table,
    regular_forms,
    with_errors,
    without_misspelt,
)
from training.treebank import Treebank

from .treebanks import ENGLISH, bank, check_tree, sentence

pytestmark = pytest.mark.models

SWIM = (
    "They/they/PRON/PRP/_/2/nsubj enjoy/enjoy/VERB/VBP/_/0/root swimming/swim/VERB/VBG/VerbForm=Ger/2/xcomp"
)
TO_SWIM = "to/to/PART/TO/_/2/mark swim/swim/VERB/VB/VerbForm=Inf/0/root"
THE_TRIP = "The/the/DET/DT/_/2/det trip/trip/NOUN/NN/_/3/nsubj ended/end/VERB/VBD/_/0/root"
TO = "{form: to, lemma: to, upos: PART, xpos: TO, deprel: mark}"


@pytest.fixture(scope="module")
def table():
    return read_error_table(ENGLISH / "errors.yaml")


def table_of(tmp_path, change, rest=""):
    path = tmp_path / "errors.yaml"
    path.write_text(f"{rest}changes:\n  - {change}\n")
    return read_error_table(path)


@pytest.mark.slow
def test_trees_stay_trees_and_training_and_test_share_no_misspelt_word(table):
    assert {change.kind for change in table.changes} == set(KINDS)
    known = {row[1] for s in bank().sentences for row in s.words}
    misspelling = [change for change in table.changes if change.kind == "misspell"]
    misspelt: dict[bool, set[tuple[str, ...]]] = {}
    for held_out in (False, True):
        changed = with_errors(bank(), table, 3, held_out).sentences
        assert changed == with_errors(bank(), table, 3, held_out).sentences
        for one in changed:
            check_tree(one)
        only = replace(table, changes=misspelling)
        rows = (
            row for n in range(4) for s in with_errors(bank(), only, n, held_out).sentences for row in s.words
        )
        misspelt[held_out] = {(row[1], row[2]) for row in rows if row[1] not in known}
    assert len(misspelt[False]) > len(misspelt[True]) > 0
    assert not misspelt[False] & misspelt[True]


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ([SWIM, TO_SWIM], f"{{inflect: VB, word: {{xpos: VBG}}, also: {{insert: [{TO}], word: {{}}}}}}",
         "They/they/PRON/PRP/_/2/nsubj enjoy/enjoy/VERB/VBP/_/0/root to/to/PART/TO/_/4/mark "
         "swim/swim/VERB/VB/VerbForm=Inf/2/xcomp"),
        (["went/go/VERB/VBD/_/0/root"], "{regularise: '', word: {xpos: VBD}}", "goed/go/VERB/VBD/_/0/root"),
        ([THE_TRIP], "{drop: true, word: {upos: DET}}",
         "Trip/trip/NOUN/NN/_/2/nsubj ended/end/VERB/VBD/_/0/root"),
        (["London/london/PROPN/NNP/_/0/root"], "{case: lower, word: {upos: PROPN}}",
         "london/london/PROPN/NNP/_/0/root"),
    ],
)  # fmt: skip
def test_changes_keep_lemma_tags_tree_and_the_capital_of_the_first_word(tmp_path, before, change, after):
    """But for a capital whose loss is the error."""
    rules = table_of(tmp_path, change, 'endings: {VBD: [["e$", ed], ["$", ed]]}\n')
    sentences = Treebank(tuple(map(sentence, before)))
    found = [s for held_out in (False, True) for s in with_errors(sentences, rules, 1, held_out).sentences]
    assert sentence(after) in found


def test_regular_forms_of_irregular_words(table):
    rows = ("went/go", "swam/swim", "walked/walk", "ran/run")
    verbs = Treebank(tuple(sentence(f"{row}/VERB/VBD/_/0/root") for row in rows))
    found = {(s.rows[0][1], s.rows[0][2]) for s in regular_forms(verbs, table).sentences}
    assert {("goed", "go"), ("swimmed", "swim"), ("runned", "run")} <= found
    assert not any(lemma == "walk" for _, lemma in found)


def test_misspelt_words_of_a_treebank_teach_no_lemma():
    one = sentence("recieved/receive/VERB/VBD/Tense=Past|Typo=Yes/0/root it/it/PRON/PRP/_/1/obj")
    (found,) = without_misspelt(Treebank((one,))).sentences
    assert [row[2] for row in found.rows] == ["_", "it"]


@pytest.mark.parametrize(
    "words",
    [
        "received receive recieved recieve", "received receive receivde receivde", "bought buy bouhgt bouhgt",
        "Friends friend Freinds freind",
    ],
)  # fmt: skip
def test_lemmas_of_misspelt_words_are_never_what_was_meant(words):
    form, lemma, wrong, expected = words.split()
    assert lemma_of_misspelt(form, lemma, wrong) == expected
