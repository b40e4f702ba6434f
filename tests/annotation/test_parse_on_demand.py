"""Dependencies are parsed where a rule asks, and what is given to a sentence stays."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
from jperrant.core.errors import PackError
from jperrant.core.values import Parallel, Sentence, Token
from jperrant.edits.edit_context import NeedsParse, unparsed
from jperrant.io.m2 import read_m2
from jperrant.packs.pack import load_pack
from jperrant.parse.analyser import PretokenisedParser
from jperrant.parse.cache import CachedParser

DATA = Path(__file__).parents[1] / "data"


def _plain(text: str) -> Sentence:
    return Sentence.from_forms(text.split())


class EagerParser(CachedParser):
    """Parses every sentence that it tags."""

    def tag(self, sentences):
        return self.parse(super().tag(sentences))


@pytest.mark.ci
@pytest.mark.models
@pytest.mark.filterwarnings("ignore:.*read leniently")
@pytest.mark.parametrize(
    ("lang", "tokens", "file", "count"),
    [
        ("en", "given", "conll14/conll14.errant", 12),
        ("zh", "given", "zh/nlpcc18_60.ref.word.m2", 6),
        ("zh", "characters", "zh/nlpcc18_60.ref.char.m2", 6),
        ("ko", "given", "ko/kagas_sample.output.m2", 6),
    ],
)
def test_single_edits_have_the_types_of_full_parses(lang, tokens, file, count):
    annotator = jperrant.load(lang, tokens=tokens)
    corrected = [
        block for block in read_m2(str(DATA / file)) if block.annotations and block.annotations[0].edits
    ]
    pairs = [
        (" ".join(b.source), " ".join(apply_edits(b.source, b.annotations[0].edits[:1]))) for b in corrected
    ]
    eager = Annotator(annotator.pack, EagerParser(annotator.parser), annotator.options)
    found = list(annotator.annotate_many(pairs[:count]))
    assert found == list(eager.annotate_many(pairs[:count]))
    assert sum(len(block.annotations[0].edits) for block in found) >= count


def test_types_that_need_the_heads_of_a_sentence(english):
    """An auxiliary before the verb, and no relation before that."""
    pairs = [("It can gives up .", "It can give up ."), ("He will be eats it .", "He will be eating it .")]
    blocks = english.annotate_many([("She does goes .", "She does go ."), *pairs])
    assert [edit.type for b in blocks for edit in b.annotations[0].edits] == ["R:VERB:FORM"] * 3


def test_an_unparsed_token_is_the_token_but_for_its_dependencies():
    known = Token("goes", "go", "VERB", "VBZ", "Number=Sing", None, "", 3, 7, ("go", "es"))
    (token,) = unparsed(Sentence((known,), "at goes")).tokens
    fields = set(Token._fields) - {"head", "deprel"}
    assert {name: getattr(token, name) for name in fields} == {name: getattr(known, name) for name in fields}
    for read in (
        lambda: token.head, lambda: token.deprel, lambda: hash(token), lambda: tuple(token), lambda: token[0],
        lambda: token == known, lambda: token._replace(lemma="x"), lambda: copy.copy(token),
        lambda: Sentence((token,), "goes").parsed,
    ):  # fmt: skip
        with pytest.raises(NeedsParse) as raised:
            read()
        assert raised.value.token is token
    (token,) = unparsed(Sentence((known._replace(deprel="root"),), "at goes")).tokens
    assert token.deprel == "root", "a relation that is given can be read"


# Hooks, with a parser that counts


def changed(sentence: Sentence, change: Callable[[int, Token], Token]) -> Sentence:
    """Return a sentence with each token changed, which is given with its place."""
    return replace(sentence, tokens=tuple(change(n, token) for n, token in enumerate(sentence.tokens)))


class ChainParser(PretokenisedParser):
    """Tags all tokens X that have no tag, and hangs each on the one before it; the relation says what was given."""

    can_parse = True

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def tag(self, sentences):
        return [changed(s, lambda n, t: t if t.upos else t._replace(upos="X")) for s in sentences]

    def parse(self, sentences):
        self.parsed += [s.text for s in sentences]
        return [changed(s, lambda n, t: t._replace(head=n, deprel=f"{t.head} {t.deprel}")) for s in sentences]


def _annotator(folder: Path, hooks: str, rules: str) -> tuple[Annotator, ChainParser]:
    (folder / "pack.yaml").write_text(f"code: xx\nextends: generic\nlabels: {{MINE: x}}\n{rules}\n", "utf-8")
    (folder / "hooks.py").write_text(hooks, "utf-8")
    parser = ChainParser()
    return Annotator(load_pack("", folder=str(folder)), CachedParser(parser)), parser


_RULE = "rules: [{type: MINE, when: {hook: mine}}]"


@pytest.mark.parametrize(
    "condition",
    [
        "view.source[0].head == 1",
        "any(t.head == 1 for t in view.target_sentence.tokens)",
        "view.source_sentence.parsed",
        "Tree(view, view.source[0]).dependents() != []",
        "Tree(view, view.target[0]).head()[0].form == 'a'",
    ],
)
def test_a_condition_sees_dependencies_or_asks_for_them(tmp_path, condition):
    hooks = (
        "from jperrant.edits.syntax import Tree\ndef mine(view):\n"
        f"    try:\n        return {condition}\n    except Exception:\n        return False\n"
        "CONDITIONS = {'mine': mine}\n"
    )
    annotator, parser = _annotator(tmp_path, hooks, _RULE)
    (block,) = annotator.annotate_many([Parallel(_plain("a b c"), (_plain("a x c"),))])
    assert [edit.type for edit in block.annotations[0].edits] == ["R:MINE"]
    assert len(parser.parsed) == len(set(parser.parsed)) > 0


def test_a_token_that_a_hook_keeps_is_an_error_and_no_endless_loop(tmp_path):
    hooks = "KEPT = []\ndef mine(view):\n    KEPT.append(view.source[0])\n    return KEPT[0].head == 1\n"
    annotator, _ = _annotator(tmp_path, f"{hooks}CONDITIONS = {{'mine': mine}}\n", _RULE)
    records = [Parallel(_plain("a b c"), (_plain("a x c"),)), Parallel(_plain("d b c"), (_plain("d x c"),))]
    with pytest.raises(PackError, match=r"'xx'.*'b'"):
        list(annotator.annotate_many(records))


_ASKS = (
    "PROPERTIES = {'mine': lambda view, token: str(token.head)}\n"
    "def MERGE(spans, alignment):\n    return spans if alignment.source.tokens[0].head == 0 else ()\n"
)
_GIVEN = Sentence((Token("a", upos="X"), Token("b", upos="X", deprel="obj")), "a b")
_UNKNOWN = "view.source[0].head is None and view.source_sentence.parsed is False"


@pytest.mark.parametrize(
    ("hooks", "rules", "source", "parsed"),
    [
        (_ASKS, "rules: [{type: MINE, when: {source: {mine: '1'}}}]", _plain("a b"), ["a b"]),
        ("CONDITIONS = {'mine': lambda view: True}", _RULE, _plain("a b"), []),
        # What is given stays, also when another rule has the sentence parsed.
        ("CONDITIONS = {'mine': lambda view: view.source[0].head == 1 and view.source[0].deprel == 'obj'}", _RULE,
         _GIVEN, ["a b"]),
        (f"CONDITIONS = {{'mine': lambda view: {_UNKNOWN}}}", _RULE, _plain("a b"), None),
    ],
    ids=["a property and a merge ask", "nothing asks", "given", "without models"],
)  # fmt: skip
def test_what_is_parsed_for_hooks(tmp_path, hooks, rules, source, parsed):
    annotator, parser = _annotator(tmp_path, f"{hooks}\n", rules)
    if parsed is None:
        annotator = Annotator(annotator.pack, PretokenisedParser())
    (block,) = annotator.annotate_many([Parallel(source, (_plain("a x"),))])
    assert [edit.type for edit in block.annotations[0].edits] == ["R:MINE"]
    assert parser.parsed == (parsed or [])


def test_a_tag_given_to_a_single_word_types_its_edit():
    def tagged(word):
        bare = Sentence.from_forms(["He", "saw", "the", word])
        return replace(bare, tokens=(*bare.tokens[:3], Token(word, word, "VERB", "VB")))

    verbs = Parallel(tagged("dog"), (tagged("cats"),))
    bare = Parallel(_plain("He saw the dog"), (_plain("He saw the cats"),))
    annotator = jperrant.load("en")
    for records in ([bare, verbs], [verbs, bare]):
        types = [b.annotations[0].edits[0].type for b in annotator.annotate_many(records)]
        assert types == [{bare: "R:NOUN", verbs: "R:VERB"}[record] for record in records]


@pytest.mark.parametrize("field", ["upos", "lemma", "xpos", "feats", "deprel", "head"])
def test_what_is_given_to_one_sentence_is_not_served_to_another(field):
    plain, works_on_tags = ChainParser(), field not in ("deprel", "head")
    (first, last) = Sentence.from_forms(["two", "cats"]).tokens
    values = (0, 2, None) if field == "head" else ("A", "B", "")
    given = [Sentence((first, last._replace(**{field: value})), "two cats") for value in values]
    given = given if works_on_tags else plain.tag(given)
    for sentences in (given, given[::-1]):
        cached = CachedParser(ChainParser())
        look, expected = (cached.tag, plain.tag) if works_on_tags else (cached.parse, plain.parse)
        assert [s for one in sentences for s in look([one])] == expected(sentences) == look(sentences)
