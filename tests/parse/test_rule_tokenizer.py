"""Raw text without models: tokens and sentences as the treebanks of Universal Dependencies have them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.packs.pack import load_pack
from jperrant.parse.rule_tokenizer import TokenRules

CASES = {
    "en": [
        ("I don't know Dr. Smith's well-known book.", "I do n't know Dr. Smith 's well - known book ."),
        ("So do I. He said: (etc.) $3.50!", "So do I . | He said : ( etc. ) $ 3.50 !"),
        ('"Stop!" he said. "Why?" Go on...', '" Stop ! " he said . | " Why ? " | Go on ...'),
    ],
    "fr": [
        ("L'homme qu'il a vu, c'est-à-dire lui.", "L' homme qu' il a vu , c'est-à-dire lui ."),
        ("A-t-elle aujourd’hui donné ? Donne-le-moi.", "A -t-elle aujourd’hui donné ? | Donne -le -moi ."),
    ],
    "de": [
        ("Er geht z. B. am 3. Mai, usw. Dr. Rot kommt.", "Er geht z. B. am 3. Mai , usw. Dr. Rot kommt ."),
        ("Die U-Bahn kommt. Ein- und Ausgang", "Die U-Bahn kommt . | Ein- und Ausgang"),
    ],
    "nl": [("Hij komt. 's Avonds gaat z'n auto's stuk.", "Hij komt . | 's Avonds gaat z'n auto's stuk .")],
    "it": [("Un po' dell'arte c'è.", "Un po' dell' arte c' è .")],
    "tr": [("Ankara'da 5'te kaldık mı? Evet.", "Ankara'da 5'te kaldık mı ? | Evet .")],
    "sv": [("Vi åt t.ex. glass bl.a. Det var gott.", "Vi åt t.ex. glass bl.a. Det var gott .")],
    "cs": [("Bydlí v Praze-Libni. Proč?", "Bydlí v Praze-Libni . | Proč ?")],
    "ro": [("Într-o zi s-a dus.", "Într- o zi s- a dus .")],
    "uk": [("П'ять років.", "П'ять років .")],
    "hi": [("राम आया। वह गया।", "राम आया । | वह गया ।")],
    "el": [("Απ' όλα; Με τον κ. Παπά.", "Απ' όλα ; Με τον κ. Παπά .")],
    "da": [("Se www.a.dk, mail a@b.dk.", "Se www.a.dk , mail a@b.dk .")],
}  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "expected"), [(k, *case) for k, v in CASES.items() for case in v])
def test_texts_are_cut_as_in_treebanks(lang: str, text: str, expected: str) -> None:
    parser = jperrant.load(lang, models="none", dictionary="none", tokens="words").parser
    [sentences] = parser.tokenize([text])
    assert " | ".join(" ".join(sentence.forms) for sentence in sentences) == expected
    assert all(s.text[t.start : t.end] == t.form for s in sentences for t in s.tokens)


RULES = [rules for lang in ("en", "fr", "de") if (rules := load_pack(lang).tokens)]


@given(st.text("aB1l'-. \n!?\"()é,:/@’…", max_size=40), st.sampled_from(RULES))
def test_tokens_are_the_text(text: str, rules: TokenRules) -> None:
    forms = [form for sentence in rules.sentences(text) for form in sentence.forms]
    assert "".join(forms) == "".join(text.split())
    assert all(form == form.strip() and form for form in forms)


def test_a_text_without_spaces_is_noticed_in_every_language(tmp_path: Path) -> None:
    """Its marks alone would leave clauses as tokens, which nothing shows to be whole sentences."""
    files = tmp_path / "source", tmp_path / "corrected"
    for file, end in zip(files, ("だ", "です"), strict=True):
        file.write_text(f"猫が好き{end}。犬も好きです。\n")
    options = ["--lang", "generic", "--models", "none", "--raw"]
    result = CliRunner().invoke(app, ["annotate", *map(str, files), *options])
    assert "1 sentence looks like running text" in result.stderr
    assert "choose other --models" in result.stderr
