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
from jperrant.core.values import UPOS, Sentence, Span, Token, on_cycle
from jperrant.edits.edit_context import EditContext, Inflection, agree, difference, features
from jperrant.io.conllu_files import parse_conllu
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


def test_tags_that_models_confuse_are_forms_of_one_word_all_the_same():
    hat = Token("hat", "haben", "AUX", feats="Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin")
    assert type_of(hat, Token("haben", "haben", "VERB", feats="VerbForm=Inf")) == "R:VERB:FORM"
    houses = Token("Häuser", "Haus", "NOUN", feats="Number=Plur")
    assert type_of(Token("Haus", "Haus", "PROPN", feats="Number=Sing"), houses) == "R:NOUN:NUM"


NUM_CASE = {"Number": "NUM", "Case": "CASE"}


@pytest.mark.parametrize(
    ("names", "first", "second", "found"),
    [
        # one name for two features: one change
        ({"Number": "NUM", "Case": "NUM"}, "Number=Sing|Case=Nom", "Number=Plur|Case=Acc", "NUM"),
        # what one side lacks counts only where nothing else changed
        (NUM_CASE, "Number=Sing|Case=Nom", "Number=Plur", "NUM"),
        (NUM_CASE, "Number=Sing|Case=Nom", "Number=Sing", "CASE"),
        (NUM_CASE, "Number=Sing|Case=Nom", "", "FORM"),
        # alternatives agree with each of them
        (NUM_CASE, "Case=Acc,Dat", "Case=Dat", "FORM"),
        (NUM_CASE, "Case=Acc,Dat", "Case=Gen", "CASE"),
        # by word class; a name that is no label of the class is FORM
        ({"Number": {"VERB": "SVA", "*": "NUM"}}, "Number=Sing", "Number=Plur", "NUM"),
        ({"Number": {"NOUN": "SVA", "*": "NUM"}}, "Number=Sing", "Number=Plur", "FORM"),
        ({"Number": {"VERB": "SVA"}}, "Number=Sing", "Number=Plur", "FORM"),
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
    for feature in GENERIC.vocabulary.inflection._names:
        for tag, other in ALIKE:
            old = Token("worde", "word", tag, feats=f"{feature}=A")
            new = Token("wordi", "word", other, feats=f"{feature}=B")
            sides = Sentence((old,), old.form), Sentence((new,), new.form)
            # raises PackError otherwise
            pack.rules.classify(EditContext(*sides, Span(0, 1, 0, 1), pack.vocabulary))


def test_the_inflection_goes_by_the_class_of_hooks(tmp_path):
    (tmp_path / "pack.yaml").write_text("code: xx\nextends: generic\n", "utf-8")
    (tmp_path / "hooks.py").write_text("PROPERTIES = {'class': lambda view, token: 'NOUN'}\n", "utf-8")
    pack = load_pack("", str(tmp_path))
    for feature, label in (("Number", "NOUN:NUM"), ("Person", "NOUN:FORM")):
        pair = [Token(form, "go", "VERB", feats=f"{feature}={form}") for form in ("go", "goes")]
        assert type_of(*pair, pack) == f"R:{label}"


#: Words of an Italian sentence: LEMMA UPOS FEATS HEAD DEPREL.
ITALIAN = {
    "sto": "stare VERB VerbForm=Fin 0 root",
    "in": "in ADP _ 4 case",
    "il": "il DET Definite=Def|Gender=Masc|Number=Sing|PronType=Art 4 det",
    "la": "il DET Definite=Def|Gender=Fem|Number=Sing|PronType=Art 4 det",
    "casa": "casa NOUN Gender=Fem|Number=Sing 1 obl",
}
NEL, NELLA = (("sto", "in", "il", "casa"), "nel"), (("sto", "in", "la", "casa"), "nella")


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


def around(words: tuple[str, ...], contraction: str) -> list[str]:
    """Return the rows of Italian words, of which the second and the third are contracted."""
    rows = [f"{number} {word} {ITALIAN[word]}" for number, word in enumerate(words, start=1)]
    return [rows[0], f"2-3 {contraction} _ _ _ _", *rows[1:]]


@pytest.mark.parametrize(
    ("rows", "tokens"),
    [
        # Words that spell their token are tokens; so are those of a token whose text may not be shown.
        (["1-2 decirlo _ _ _ _", "1 decir decir VERB VerbForm=Inf 0 root", "2 lo él PRON Gender=Masc 1 obj"],
         [("decir", "VERB", 0, "root", "VerbForm=Inf"), ("lo", "PRON", 1, "obj", "Gender=Masc")]),
        (["1-2 _ _ _ _ _", "1 _ _ ADP _ 0 root", "2 _ _ DET _ 1 det"],
         [("_", "ADP", 0, "root", ""), ("_", "DET", 1, "det", "")]),
        # Features of the token itself are kept.
        (["1-2 dell _ _ Typo=Yes _", "1 di di ADP _ 0 root", "2 il il DET Gender=Masc 1 det"],
         [("dell", "ADP", 0, "root", "Gender=Masc|Typo=Yes")]),
        # Word 1 hangs on word 3, which hangs on word 2, the root: as tokens, 1-2 and 3 would hang on each other.
        (["1-2 xy _ _ _ _", "1 a a ADP _ 3 case", "2 b b PRON _ 0 root", "3 c c NOUN _ 2 nmod"],
         [("xy", "ADP", 0, "root", ""), ("c", "NOUN", 1, "nmod", "")]),
        # Spanish: a verb and its clitics, whose accent shows that they are one word
        (["1-3 dámela _ _ _ _", "1 da da VERB Mood=Imp|Number=Sing|Person=2 0 root",
          "2 me me PRON Case=Dat|Number=Sing|Person=1 1 obj",
          "3 la la PRON Case=Acc|Gender=Fem|Number=Sing|Person=3 1 obj"],
         [("dámela", "VERB", 0, "root", "Gender[obj]=Fem|Mood=Imp|Number=Sing|Number[obj]=Sing|Person=2")]),
        # Hebrew: prefixes of a noun, one of which is not written; and a suffix
        (["1-3 בבית _ _ _ _", "1 ב ב ADP _ 3 case", "2 ה ה DET PronType=Art 3 det",
          "3 בית בית NOUN Gender=Masc|Number=Sing 0 root"],
         [("בבית", "NOUN", 0, "root", "Gender=Masc|Number=Sing|PronType=Art")]),
        (["1-3 ביתה _ _ _ _", "1 בית בית NOUN Number=Sing 0 root", "2 של של ADP _ 1 case",
          "3 היא היא PRON Gender=Fem|Number=Sing|Person=3 1 nmod"],
         [("ביתה", "NOUN", 0, "root", "Gender[psor]=Fem|Number=Sing|Number[psor]=Sing|Person[psor]=3")]),
        # Arabic: a preposition and an assimilated suffix
        (["1-2 إليه _ _ _ _", "1 إلى إلى ADP _ 2 case", "2 ه ه PRON Gender=Masc|Person=3 0 root"],
         [("إليه", "ADP", 0, "root", "Gender=Masc|Person=3")]),
        # Portuguese: two pronouns
        (["1-2 lho _ _ _ _", "1 lhe lhe PRON Case=Dat|Person=3 0 root", "2 o o PRON Case=Acc|Gender=Masc 1 obj"],
         [("lho", "PRON", 0, "root", "Case=Dat|Gender=Masc|Person=3")]),
    ],
)  # fmt: skip
def test_tokens_of_words(rows: list[str], tokens: list[tuple[str, str, int, str, str]]) -> None:
    found = sentence(*rows).tokens
    assert [(t.form, t.upos, t.head, t.deprel, t.feats) for t in found] == tokens


def test_edits_of_contractions_are_of_the_tokens_of_the_text(tmp_path: Path) -> None:
    for name, contracted in (("a", NEL), ("b", NELLA)):
        (tmp_path / name).write_text("\n".join(conllu(*around(*contracted))) + "\n", encoding="utf-8")
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


class Tagger(WordAnalyser):
    """An analyser whose networks are the table of Italian words."""

    can_parse = True

    def __init__(self) -> None:
        pass

    def words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        return [[self.word(form, *ITALIAN[form].split()) for form in sentence] for sentence in forms]

    def word(self, form: str, lemma: str, upos: str, feats: str, *_: str) -> Word:
        return Word(form, lemma, upos, "", feats.strip("_"))

    def arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        found = [[ITALIAN[word.form].split() for word in row] for row in rows]
        return [[Arc(int(head), deprel) for *_, head, deprel in row] for row in found]

    def cut(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        raise NotImplementedError


def test_raw_text_has_the_same_tokens_as_conllu() -> None:
    offsets = [SurfaceToken(0, 3), SurfaceToken(4, 9, ("in", "la")), SurfaceToken(10, 14)]
    [raw] = Tagger().parse(Tagger().tag(sentences_over("sto nella casa", [offsets])))
    assert raw == sentence(*around(*NELLA))
    la = "Definite=Def|Gender=Fem|Number=Sing|PronType=Art"
    assert raw.tokens[1] == Token("nella", "in", "ADP", "", la, 3, "case", 4, 9, ("in", "la"))
    assert [t.head for t in raw.tokens] == [0, 3, 1]


# Properties


@st.composite
def treebanks(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A text and its rows: words in a tree, some of them in multi-word tokens."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=6))
    order = draw(st.permutations(range(1, sum(sizes) + 1)))
    heads = {order[0]: 0} | {order[n]: order[draw(st.integers(0, n - 1))] for n in range(1, len(order))}
    text, rows, end = "", list[str](), 0
    for size in sizes:
        words = draw(st.lists(st.text("abב", min_size=1, max_size=2), min_size=size, max_size=size))
        form = draw(st.sampled_from(["".join(words), "z"])) if size > 1 else words[0]
        rows += [f"{end + 1}-{end + size} {form} _ _ _ _"] if size > 1 else []
        for number, word in enumerate(words, start=end + 1):
            tag = draw(st.sampled_from(["ADP", "DET", "PRON", "VERB", "NOUN"]))
            rows.append(f"{number} {word} {word} {tag} _ {heads[number]} dep")
        text, end = text + form, end + size
    return text, rows


@examples(60)
@given(treebanks())
def test_tokens_are_the_text_and_a_tree(treebank: tuple[str, list[str]]) -> None:
    text, rows = treebank
    found, words = sentence(*rows), sentence(*rows, words=True)
    assert len(words.tokens) == sum("-" not in row.split()[0] for row in rows)
    assert "".join(found.forms) == text
    assert all(found.text[t.start : t.end] == t.form for t in found.tokens)
    heads = [token.head for token in found.tokens]
    assert heads.count(0) == 1
    assert on_cycle(heads) is None
    assert all(head is not None and head <= len(heads) for head in heads)


def test_a_long_chain_of_heads() -> None:
    count = 50_000
    arcs = token_arcs(list(range(count)), ["X"] * count, [1] * count)
    assert arcs[-1] == (count - 1, count - 1)
