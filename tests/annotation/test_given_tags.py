"""Tags, lemmas and features that some tokens come with: kept, and never mixed up with those of another sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

import jperrant
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Sentence
from jperrant.parse.cache import CachedParser


@pytest.fixture(scope="module")
def stanza(parsers):
    return parsers["en"]


def test_tags_given_to_some_tokens_are_kept(stanza):
    bare = Sentence.from_forms(["He", "saw", "the", "dog"])
    tags = [("VERB", "VB", "dog"), ("PROPN", "NNP", "Dog"), ("", "", "doggy")]
    given = [
        replace(bare, tokens=(*bare.tokens[:3], bare.tokens[3]._replace(upos=upos, xpos=xpos, lemma=lemma)))
        for upos, xpos, lemma in tags
    ]
    cached = CachedParser(stanza)
    he, saw, the, dog = cached.tag([bare])[0].tokens
    for sentences in (given, given[::-1]):
        for sentence, found in zip(sentences, cached.tag(sentences), strict=True):
            last = sentence.tokens[3]
            kept = last if last.upos else dog._replace(lemma="doggy")
            assert found.tokens == (he, saw, the, kept)


def test_a_tag_given_to_a_single_word_types_its_edit():
    def tagged(word, *tags):
        bare = Sentence.from_forms(["He", "saw", "the", word])
        return replace(
            bare, tokens=(*bare.tokens[:3], bare.tokens[3]._replace(lemma=word, upos=tags[0], xpos=tags[1]))
        )

    verbs = Parallel(tagged("dog", "VERB", "VB"), (tagged("cats", "VERB", "VB"),))
    bare = Parallel(
        Sentence.from_forms(verbs.source.forms), (Sentence.from_forms(verbs.corrections[0].forms),)
    )
    annotator = jperrant.load("en")
    for records in ([bare, verbs], [verbs, bare]):
        types = [b.annotations[0].edits[0].type for b in annotator.annotate_many(records)]
        assert types == [{bare: "R:NOUN", verbs: "R:VERB"}[record] for record in records]


class KeepsTags:
    """An analyser of one's own that keeps what is given and tags the rest as X."""

    can_parse = False

    def tokenize(self, texts):
        return [[sentence_of(text)] for text in texts]

    def tag(self, sentences):
        return [
            replace(s, tokens=tuple([t if t.upos else t._replace(upos="X") for t in s.tokens]))
            for s in sentences
        ]

    def parse(self, sentences):
        return [
            replace(s, tokens=tuple([t._replace(head=0, deprel=t.deprel or "dep") for t in s.tokens]))
            for s in sentences
        ]


def test_relations_given_to_one_sentence_are_not_served_to_another():
    tagged = KeepsTags().tag([Sentence.from_forms(["two", "cats"])])[0]
    given = [
        replace(tagged, tokens=(tagged.tokens[0], tagged.tokens[1]._replace(deprel=d))) for d in ("obj", "")
    ]
    for sentences in (given, given[::-1]):
        cached = CachedParser(KeepsTags())
        assert [s for one in sentences for s in cached.parse([one])] == KeepsTags().parse(sentences)


@pytest.mark.parametrize("field", ["upos", "lemma", "xpos", "feats"])
def test_what_is_given_to_one_sentence_is_not_served_to_another(field):
    bare = Sentence.from_forms(["two", "cats"])
    given = [
        replace(bare, tokens=(bare.tokens[0], bare.tokens[1]._replace(**{field: value})))
        for value in ("A", "B", "")
    ]
    cached = CachedParser(KeepsTags())
    for sentences in (given, given[::-1]):
        assert [s for one in sentences for s in cached.tag([one])] == KeepsTags().tag(sentences)
        assert cached.tag(sentences) == KeepsTags().tag(sentences)
