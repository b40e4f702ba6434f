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
from jperrant.parse.analyser import Parser, PretokenisedParser
from jperrant.parse.cache import CachedParser

DATA = Path(__file__).parents[1] / "data"
#: Pairs whose types need the heads of a sentence (an auxiliary before the verb), and no relation before that.
NEED_HEADS = (
    ("It can gives up .", "It can give up .", "R:VERB:FORM"),
    ("She does goes .", "She does go .", "R:VERB:FORM"),
    ("He will be eats it .", "He will be eating it .", "R:VERB:FORM"),
)


class EagerParser(PretokenisedParser):
    """Parses every sentence that it tags."""

    can_parse = True

    def __init__(self, parser: Parser) -> None:
        super().__init__()
        self.parser = parser

    def tag(self, sentences):
        return self.parser.parse(self.parser.tag(sentences))

    def parse(self, sentences):
        return self.parser.parse(sentences)


def single_edits(path: str) -> list[Parallel]:
    """Return each sentence of a file with its first correction applied alone; no source is there twice."""
    pairs = {}
    for block in read_m2(path):
        edits = [e for annotation in block.annotations for e in annotation.edits if not e.is_detection]
        for edit in edits[:1]:
            target = Sentence.from_forms(apply_edits(block.source, [edit]))
            pairs[block.source] = Parallel(Sentence.from_forms(block.source), (target,))
    return list(pairs.values())


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
    pairs = single_edits(str(DATA / file))[:count]
    assert len(pairs) == count
    if lang == "en":
        pairs += [Parallel(_plain(source), (_plain(target),)) for source, target, _ in NEED_HEADS]
        blocks = list(annotator.annotate_many(pairs))[count:]
        types = [edit.type for block in blocks for edit in block.annotations[0].edits]
        assert types == [type_ for _, _, type_ in NEED_HEADS]
    eager = Annotator(annotator.pack, EagerParser(annotator.parser), annotator.options)
    assert list(annotator.annotate_many(pairs)) == list(eager.annotate_many(pairs))


# Tokens of an unparsed sentence

TOKEN = Token("goes", "go", "VERB", "VBZ", "Number=Sing", None, "", 3, 7, ("go", "es"))


def _plain(text: str) -> Sentence:
    return Sentence.from_forms(text.split())


def test_an_unparsed_token_is_the_token_but_for_its_dependencies():
    (token,) = unparsed(Sentence((TOKEN,), "at goes")).tokens
    assert isinstance(token, Token)
    fields = set(Token._fields) - {"head", "deprel"}
    assert {name: getattr(token, name) for name in fields} == {name: getattr(TOKEN, name) for name in fields}


@pytest.mark.parametrize(
    "read",
    [
        lambda token: token.head,
        lambda token: token.deprel,
        lambda token: getattr(token, "head", None),
        hash,
        tuple,
        lambda token: token[0],
        lambda token: token != TOKEN,
        lambda token: token == TOKEN,
        lambda token: token == unparsed(Sentence((TOKEN,), "goes")).tokens[0],
        lambda token: token._replace(lemma="x"),
        copy.copy,
        lambda token: Sentence((token,), "goes").parsed,
    ],
)
def test_reading_a_dependency_raises_whatever_the_way(read):
    (token,) = unparsed(Sentence((TOKEN,), "at goes")).tokens
    with pytest.raises(NeedsParse) as raised:
        read(token)
    assert raised.value.token is token


def test_a_relation_that_is_given_can_be_read():
    (token,) = unparsed(Sentence((TOKEN._replace(deprel="root"),), "at goes")).tokens
    assert token.deprel == "root"
    with pytest.raises(NeedsParse):
        _ = token.head


# Hooks, with a parser that counts


def changed(sentence: Sentence, change: Callable[[int, Token], Token]) -> Sentence:
    """Return a sentence with each token changed, which is given with its place."""
    return replace(sentence, tokens=tuple(change(n, token) for n, token in enumerate(sentence.tokens)))


class ChainParser(PretokenisedParser):
    """Tags all tokens X and hangs each on the one before it."""

    can_parse = True

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def tag(self, sentences):
        return [changed(s, lambda n, t: t._replace(upos="X")) for s in sentences]

    def parse(self, sentences):
        self.parsed += [s.text for s in sentences]
        return [changed(s, lambda n, t: t._replace(head=n, deprel="dep")) for s in sentences]


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
        "view.source_sentence.tokens[1].head == 1",
        "any(t.head == 1 for t in view.target_sentence.tokens)",
        "view.source_sentence.parsed",
        "view.source.tokens[view.source.start - 1].head == 0",
        "Tree(view, view.source[0]).dependents() != []",
        "Tree(view, view.target[0]).head()[0].form == 'a'",
    ],
)
@pytest.mark.parametrize(
    "body",
    ["    return {0}\n", "    try:\n        return {0}\n    except Exception:\n        return False\n"],
)
def test_a_condition_sees_dependencies_or_asks_for_them(tmp_path, condition, body):
    hooks = (
        "from jperrant.edits.syntax import Tree\n"
        f"def mine(view):\n{body.format(condition)}\nCONDITIONS = {{'mine': mine}}\n"
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


def test_heads_that_are_given_to_one_sentence_are_not_another_ones(tmp_path):
    hooks = "CONDITIONS = {'mine': lambda view: view.source[0].head == 2}\n"
    annotator, _ = _annotator(tmp_path, hooks, _RULE)
    given = Sentence((Token("a", head=0), Token("b", head=2)), "a b")
    pairs = [Parallel(given, (_plain("a x"),)), Parallel(_plain("a b"), (_plain("a x"),))]
    for records in (pairs, pairs[::-1]):
        types = {
            record.source.tokens[1].head: block.annotations[0].edits[0].type
            for record, block in zip(records, annotator.annotate_many(records), strict=True)
        }
        assert types[2] == "R:MINE" != types[None]


def test_tags_given_to_some_tokens_are_kept(parsers):
    bare = Sentence.from_forms(["He", "saw", "the", "dog"])
    tags = [("VERB", "VB", "dog"), ("PROPN", "NNP", "Dog"), ("", "", "doggy")]
    given = [
        replace(bare, tokens=(*bare.tokens[:3], bare.tokens[3]._replace(upos=upos, xpos=xpos, lemma=lemma)))
        for upos, xpos, lemma in tags
    ]
    cached = CachedParser(parsers["en"])
    he, saw, the, dog = cached.tag([bare])[0].tokens
    for sentences in (given, given[::-1]):
        for sentence, found in zip(sentences, cached.tag(sentences), strict=True):
            last = sentence.tokens[3]
            kept = last if last.upos else dog._replace(lemma="doggy")
            assert found.tokens == (he, saw, the, kept)


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


class KeepsTags(PretokenisedParser):
    """An analyser of one's own that keeps what is given and tags the rest as X."""

    def tag(self, sentences):
        return [changed(s, lambda n, t: t if t.upos else t._replace(upos="X")) for s in sentences]

    def parse(self, sentences):
        return [changed(s, lambda n, t: t._replace(head=0, deprel=t.deprel or "dep")) for s in sentences]


@pytest.mark.parametrize("field", ["upos", "lemma", "xpos", "feats", "deprel"])
def test_what_is_given_to_one_sentence_is_not_served_to_another(field):
    plain = KeepsTags()
    (first, last) = Sentence.from_forms(["two", "cats"]).tokens
    given = [Sentence((first, last._replace(**{field: value})), "two cats") for value in ("A", "B", "")]
    given = plain.tag(given) if field == "deprel" else given
    for sentences in (given, given[::-1]):
        cached = CachedParser(KeepsTags())
        look, expected = (cached.parse, plain.parse) if field == "deprel" else (cached.tag, plain.tag)
        assert [s for one in sentences for s in look([one])] == expected(sentences) == look(sentences)
