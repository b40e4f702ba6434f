"""Inflections by features, and tokens of several words: their features, tags, edits and trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotation.annotated_files import annotate_files
from jperrant.annotation.annotator import Annotator
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.compact.words import Arc, SurfaceToken, Word
from jperrant.core.conllu import token_arcs
from jperrant.core.errors import FormatError
from jperrant.core.values import UPOS, Sentence, Span, Token, on_cycle
from jperrant.edits.edit_context import EditContext, Inflection, agree, difference, features
from jperrant.io.conllu import parse_conllu
from jperrant.packs.discovery import known_packs
from jperrant.packs.pack import Pack, load_pack
from jperrant.parse.analyser import PretokenisedParser
from jperrant.parse.word_analyser import WordAnalyser, sentences_over
from tests.strategies import examples

DATA = Path(__file__).parents[1] / "data" / "packs"
GENERIC = load_pack("generic")


def type_of(source: Token, target: Token, pack: Pack = GENERIC) -> str:
    sides = [Sentence((token,), token.form) for token in (source, target)]
    [edit] = Annotator(pack, PretokenisedParser()).annotate(*sides)
    return edit.type


def analyses() -> list[list[str]]:
    """Read forms with lemma, UPOS and FEATS; see README.md beside them."""
    lines = (DATA / "inflections.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


@pytest.mark.parametrize("row", analyses(), ids=lambda row: f"{row[0]}-{row[3]}-{row[5]}")
def test_analyses_of_many_languages(row):
    _, upos, lemma, source, feats, target, other, label = row
    pair = Token(source, lemma, upos, feats=feats), Token(target, lemma, upos, feats=other)
    assert type_of(*pair) == f"R:{label}"


@pytest.mark.parametrize(
    ("source", "target", "type_"),
    [
        (Token("hat", "haben", "AUX", feats="Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"),
         Token("haben", "haben", "VERB", feats="VerbForm=Inf"), "R:VERB:FORM"),
        (Token("Haus", "Haus", "PROPN", feats="Number=Sing"),
         Token("Häuser", "Haus", "NOUN", feats="Number=Plur"), "R:NOUN:NUM"),
        (Token("schnell", "schnell", "ADJ"), Token("schneller", "schnell", "ADV"), "R:MORPH"),
    ],
)  # fmt: skip
def test_tags_that_models_confuse_are_forms_of_one_word_all_the_same(source, target, type_):
    assert type_of(source, target) == type_


@pytest.mark.parametrize(
    ("names", "first", "second", "found"),
    [
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing", "Number=Plur", "NUM"),
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "Number=Plur|Case=Acc", "FORM"),
        # one name for two features: one change
        ({"Number": "NUM", "Case": "NUM"}, "Number=Sing|Case=Nom", "Number=Plur|Case=Acc", "NUM"),
        # what one side lacks counts only where nothing else changed
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "Number=Plur", "NUM"),
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "Number=Sing", "CASE"),
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "", "FORM"),
        ({"Number": "NUM", "Case": "NUM"}, "Number=Sing|Case=Nom", "", "NUM"),
        # alternatives agree with each of them
        ({"Case": "CASE"}, "Case=Acc,Dat", "Case=Dat", "FORM"),
        ({"Case": "CASE"}, "Case=Acc,Dat", "Case=Gen", "CASE"),
        # by word class; a name that is no label of the class is FORM
        ({"Number": {"VERB": "SVA", "*": "NUM"}}, "Number=Sing", "Number=Plur", "NUM"),
        ({"Number": {"NOUN": "SVA", "*": "NUM"}}, "Number=Sing", "Number=Plur", "FORM"),
        ({"Number": {"VERB": "SVA"}}, "Number=Sing", "Number=Plur", "FORM"),
        ({}, "Number=Sing", "Number=Plur", "FORM"),
    ],
)
def test_the_principle(names, first, second, found):
    inflection = Inflection(names, frozenset({"NOUN:NUM", "NOUN:CASE", "NOUN:FORM"}))
    assert inflection.name("NOUN", first, second) == found


FEATS = st.dictionaries(
    st.sampled_from(["Number", "Case", "Gender", "Tense", "VerbForm", "Person", "Number[psor]"]),
    st.sampled_from(["A", "B", "A,B", "C"]),
).map(lambda found: "|".join(f"{name}={value}" for name, value in sorted(found.items())))


@given(FEATS, FEATS, st.sampled_from(["NOUN", "VERB", "ADJ", "X"]))
def test_inflections_are_symmetric_and_declared(first, second, word_class):
    inflection = GENERIC.vocabulary.inflection
    found = inflection.name(word_class, first, second)
    assert found == inflection.name(word_class, second, first)
    assert found == "FORM" or f"{word_class}:{found}" in GENERIC.labels
    assert inflection.name(word_class, first, first) == "FORM"
    changed, one_sided = difference(first, second)
    assert not changed & one_sided
    assert all(not agree(features(first)[name], features(second)[name]) for name in changed)


#: Classes between which a form of a word may be taken for another.
ALIKE = [(tag, tag) for tag in sorted(UPOS)] + [
    pair for tags in (("AUX", "VERB"), ("NOUN", "PROPN"), ("DET", "PRON")) for pair in (tags, tags[::-1])
]


@pytest.mark.parametrize("code", sorted(known_packs()))
def test_every_change_of_a_feature_has_a_declared_label(code):
    """Whatever a language does not mark: models and learners' words have such features all the same."""
    pack = load_pack(code, dictionary="none")
    rules, vocabulary = pack.rules, pack.vocabulary
    for feature in GENERIC.vocabulary.inflection._names:
        for tags in ALIKE:
            for values in (("A", "B"), ("A", ""), ("", "B")):
                old, new = [
                    Token(form, "word", tag, feats=value and f"{feature}={value}")
                    for form, tag, value in zip(("worde", "wordi"), tags, values, strict=True)
                ]
                sides = Sentence((old,), old.form), Sentence((new,), new.form)
                edit = EditContext(*sides, Span(0, 1, 0, 1), vocabulary)
                rules.classify(edit)  # raises PackError otherwise


def test_the_inflection_goes_by_the_class_of_hooks(tmp_path):
    (tmp_path / "pack.yaml").write_text("code: xx\nextends: generic\n", "utf-8")
    (tmp_path / "hooks.py").write_text("PROPERTIES = {'class': lambda view, token: 'NOUN'}\n", "utf-8")
    pack = load_pack("", str(tmp_path))
    for feature, label in (("Number", "NOUN:NUM"), ("Person", "NOUN:FORM")):
        pair = [Token(form, "go", "VERB", feats=f"{feature}={form}") for form in ("go", "goes")]
        assert type_of(*pair, pack) == f"R:{label}"


ART = "Definite=Def|Gender={}|Number={}|PronType=Art"
NEL = ["2-3 nel _ _ _ _", "2 in in ADP _ 4 case", f"3 il il DET {ART.format('Masc', 'Sing')} 4 det"]
NELLA = ["2-3 nella _ _ _ _", "2 in in ADP _ 4 case", f"3 la il DET {ART.format('Fem', 'Sing')} 4 det"]


def conllu(*rows: str) -> list[str]:
    """Return lines of CoNLL-U from rows of ``ID FORM LEMMA UPOS FEATS HEAD DEPREL``."""
    lines = []
    for row in rows:
        id, form, lemma, upos, feats, head, *rest = row.split()
        lines.append("\t".join([id, form, lemma, upos, "_", feats, head, *(rest or ["_"]), "_", "_"]))
    return [*lines, ""]


def sentence(*rows: str, words: bool = False) -> Sentence:
    [found] = parse_conllu(conllu(*rows), "f", words)
    return found


def around(*middle: str) -> list[str]:
    return ["1 sto stare VERB VerbForm=Fin 0 root", *middle, "4 casa casa NOUN Gender=Fem|Number=Sing 1 obl"]


def test_a_contraction_is_one_token_with_the_features_of_its_words() -> None:
    found = sentence(*around(*NELLA))
    assert found.forms == ("sto", "nella", "casa")
    token = found.tokens[1]
    assert (token.lemma, token.upos, token.feats) == ("in", "ADP", ART.format("Fem", "Sing"))
    assert (token.head, token.deprel, token.words) == (3, "case", ("in", "la"))
    assert [t.head for t in found.tokens] == [0, 3, 1]
    assert found.text == "sto nella casa"
    assert all(found.text[t.start : t.end] == t.form for t in found.tokens)


@pytest.mark.parametrize(
    ("rows", "tokens"),
    [
        # Words that spell their token are tokens; so are those of a token whose text may not be shown.
        (["1-2 decirlo _ _ _ _", "1 decir decir VERB VerbForm=Inf 0 root", "2 lo él PRON Gender=Masc 1 obj"],
         [("decir", 0, "root", "VerbForm=Inf"), ("lo", 1, "obj", "Gender=Masc")]),
        (["1-2 _ _ _ _ _", "1 _ _ ADP _ 0 root", "2 _ _ DET _ 1 det"],
         [("_", 0, "root", ""), ("_", 1, "det", "")]),
        # Features of the token itself are kept.
        (["1-2 dell _ _ Typo=Yes _", "1 di di ADP _ 0 root", "2 il il DET Gender=Masc 1 det"],
         [("dell", 0, "root", "Gender=Masc|Typo=Yes")]),
        # Word 1 hangs on word 3, which hangs on word 2, the root: as tokens, 1-2 and 3 would hang on each other.
        (["1-2 xy _ _ _ _", "1 a a ADP _ 3 case", "2 b b PRON _ 0 root", "3 c c NOUN _ 2 nmod"],
         [("xy", 0, "root", ""), ("c", 1, "nmod", "")]),
    ],
    ids=["spelt", "hidden", "own features", "no cycle"],
)  # fmt: skip
def test_tokens_of_words(rows: list[str], tokens: list[tuple[str, int, str, str]]) -> None:
    found = sentence(*rows).tokens
    assert [(t.form, t.head, t.deprel, t.feats) for t in found] == tokens
    assert len(found) == 1 or [t.words for t in found[1:]] == [()] * (len(found) - 1)


@pytest.mark.parametrize(
    ("form", "words", "upos", "feats", "deprel"),
    [
        # Spanish: a verb and its clitics, whose accent shows that they are one word
        (
            "dámela",
            ["da VERB Mood=Imp|Number=Sing|Person=2 root", "me PRON Case=Dat|Number=Sing|Person=1 obj",
             "la PRON Case=Acc|Gender=Fem|Number=Sing|Person=3 obj"],
            "VERB", "Gender[obj]=Fem|Mood=Imp|Number=Sing|Number[obj]=Sing|Person=2", "root",
        ),
        # Hebrew: prefixes of a noun, one of which is not written; and a suffix
        (
            "בבית",
            ["ב ADP _ case", "ה DET PronType=Art det", "בית NOUN Gender=Masc|Number=Sing root"],
            "NOUN", "Gender=Masc|Number=Sing|PronType=Art", "root",
        ),
        (
            "ביתה",
            ["בית NOUN Gender=Masc|Number=Sing root", "של ADP _ case",
             "היא PRON Gender=Fem|Number=Sing|Person=3 nmod"],
            "NOUN", "Gender=Masc|Gender[psor]=Fem|Number=Sing|Number[psor]=Sing|Person[psor]=3", "root",
        ),
        # Arabic: a preposition and an assimilated suffix
        ("إليه", ["إلى ADP _ case", "ه PRON Gender=Masc|Number=Sing|Person=3 root"],
         "ADP", "Gender=Masc|Number=Sing|Person=3", "root"),
        # Portuguese, French, German
        ("lho",
         ["lhe PRON Case=Dat|Number=Sing|Person=3 root", "o PRON Case=Acc|Gender=Masc|Number=Sing|Person=3 obj"],
         "PRON", "Case=Dat|Gender=Masc|Number=Sing|Person=3", "root"),
        ("aux", ["à ADP _ root", "les DET Definite=Def|Number=Plur|PronType=Art det"],
         "ADP", "Definite=Def|Number=Plur|PronType=Art", "root"),
    ],
)  # fmt: skip
def test_which_word_speaks_for_a_token(
    form: str, words: list[str], upos: str, feats: str, deprel: str
) -> None:
    root = next(n for n, word in enumerate(words, start=1) if word.endswith(" root"))
    rows = [f"1-{len(words)} {form} _ _ _ _"]
    for number, word in enumerate(words, start=1):
        spelled, tag, features, relation = word.split()
        head = 0 if number == root else root
        rows.append(f"{number} {spelled} {spelled} {tag} {features} {head} {relation}")
    [token] = sentence(*rows).tokens
    assert (token.form, token.upos, token.feats, token.head, token.deprel) == (form, upos, feats, 0, deprel)


def test_edits_of_contractions_are_of_the_tokens_of_the_text(tmp_path: Path) -> None:
    for name, middle in (("a", NEL), ("b", NELLA)):
        (tmp_path / name).write_text("\n".join(conllu(*around(*middle))) + "\n", encoding="utf-8")
    rules = '[{type: "DET:GENDER", when: {both: {class: ADP}, feats_changed: {any: Gender}}}]'
    (tmp_path / "pack.yaml").write_text(f"code: xx\nextends: generic\nrules: {rules}\n", encoding="utf-8")
    for tokens, expected in (
        ("given", "S sto nel casa\nA 1 2|||R:DET:GENDER|||nella|||"),
        ("words", "S sto in il casa\nA 2 3|||R:DET:GENDER|||la|||"),
    ):
        options = AnnotatorOptions("xx", models="none", pack=str(tmp_path), tokens=tokens)
        [block] = annotate_files(options, str(tmp_path / "a"), [str(tmp_path / "b")], format="conllu")
        assert str(block).startswith(expected)


# Raw text

#: What the networks of the stand-in below say of Italian words.
TAGS = {
    "in": ("in", "ADP", ""), "sto": ("stare", "VERB", ""), "casa": ("casa", "NOUN", "Gender=Fem|Number=Sing"),
    "il": ("il", "DET", ART.format("Masc", "Sing")), "la": ("il", "DET", ART.format("Fem", "Sing")),
}  # fmt: skip
HEADS = {"sto": 0, "in": 4, "il": 4, "la": 4, "casa": 1}


class Tagger(WordAnalyser):
    """An analyser whose networks are a table."""

    def __init__(self) -> None:
        pass

    def words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        rows = [[(form, *TAGS[form]) for form in sentence] for sentence in forms]
        return [[Word(form, lemma, upos, "", feats) for form, lemma, upos, feats in row] for row in rows]

    def arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        return [[Arc(HEADS[word.form], f"of {word.form}") for word in row] for row in rows]

    def cut(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        raise NotImplementedError

    @property
    def can_parse(self) -> bool:
        return True


@pytest.mark.parametrize(("form", "article", "middle"), [("nel", "il", NEL), ("nella", "la", NELLA)])
def test_raw_text_has_the_same_tokens_as_conllu(form: str, article: str, middle: list[str]) -> None:
    text = f"sto {form} casa"
    end = 4 + len(form)
    offsets = [SurfaceToken(0, 3), SurfaceToken(4, end, ("in", article)), SurfaceToken(end + 1, end + 5)]
    [raw] = Tagger().parse(Tagger().tag(sentences_over(text, [offsets])))
    found = sentence(*around(*middle))
    assert [(t.form, t.upos, t.feats, t.words) for t in raw.tokens[1:]] == [
        (t.form, t.upos, t.feats, t.words) for t in found.tokens[1:]
    ]
    assert [t.head for t in raw.tokens] == [t.head for t in found.tokens]
    assert raw.tokens[1].deprel == "of in"


# Properties


@st.composite
def treebanks(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A text and its rows: words in a tree, some of them in multi-word tokens."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=6))
    count = sum(sizes)
    letters = st.text("abב", min_size=1, max_size=2)
    order = draw(st.permutations(range(1, count + 1)))
    above = [0] + [order[draw(st.integers(0, n - 1))] for n in range(1, count)]
    heads = dict(zip(order, above, strict=True))
    text, rows, number = [], [], 1
    for size in sizes:
        words = [draw(letters) for _ in range(size)]
        form = draw(st.sampled_from(["".join(words), "z"])) if size > 1 else words[0]
        text.append(form)
        if size > 1:
            rows.append(f"{number}-{number + size - 1} {form} _ _ _ _")
        for word in words:
            tag = draw(st.sampled_from(["ADP", "DET", "PRON", "VERB", "NOUN"]))
            rows.append(f"{number} {word} {word} {tag} _ {heads[number]} dep")
            number += 1
    return " ".join(text), rows


@examples(60)
@given(treebanks())
def test_tokens_are_the_text_and_a_tree(treebank: tuple[str, list[str]]) -> None:
    text, rows = treebank
    found = sentence(*rows)
    assert "".join(found.forms) == text.replace(" ", "")
    heads = [token.head for token in found.tokens]
    assert heads.count(0) == 1
    assert on_cycle(heads) is None
    assert all(head is not None and head <= len(heads) for head in heads)
    words = sentence(*rows, words=True)
    assert len(words.tokens) == sum("-" not in row.split()[0] for row in rows)


def test_a_long_chain_of_heads() -> None:
    count = 50_000
    arcs = token_arcs(list(range(count)), ["X"] * count, [1] * count)
    assert arcs[-1] == (count - 1, count - 1)


def test_a_range_that_ends_after_the_sentence_names_its_line() -> None:
    with pytest.raises(FormatError, match="f:2: found ID '2-3'"):
        sentence("1 a a X _ 0 root", "2-3 b _ _ _ _", "2 b b X _ 1 dep")
