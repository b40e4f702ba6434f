"""Lemmas without Stanza: those that Stanza finds with the same models, whatever the words and their company."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.compact.lemmatizer import Lemmatizer, Speller
from jperrant.compact.weights import OtherFormatError, read_model
from tests.stages import mostly_for_ci
from tests.strategies import examples

from .packages import networks, plain
from .test_fast_parse import real_sentences

UPOS = ["ADJ", "NOUN", "VERB", "PROPN", "AUX", "PUNCT", "X", "NUM", "none of them"]
WORDS = {
    "en": ["mice", "Went", "BETTER", "antennæ", "ãntennas", "unfriended", "_", "<UNK>", "o'clock", "x" * 70],
    "zh": ["我们", "書", "_", "Went", "a" * 70],
    "ko": ["먹었습니다", "학교에서는", "彼는", "갔뷁다", "_", "버느라고", "ABC를", "가" * 60],
}
MARKS = ["<PAD>", "<UNK>", "<SOS>", "<EOS>"]


def expected(lang: str, keys: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    from stanza.models.common.doc import Document

    pipeline = plain(lang, "compact", "tokenize", "lemma", tokenize_pretokenized=True, lemma_pretagged=True)
    document = pipeline.processors["lemma"].process(
        Document([[{"id": (1,), "text": f, "upos": u}] for f, u in keys])
    )
    return {key: s.words[0].lemma or "" for key, s in zip(keys, document.sentences, strict=True)}


def found(lang: str, keys: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    return networks(lang).lemmatizer.lemmas(keys)


@pytest.mark.models
@pytest.mark.parametrize("lang", mostly_for_ci(WORDS, "en"))
def test_real_words(lang: str) -> None:
    words = sorted({word for sentence in real_sentences(lang)[:40] for word in sentence})
    keys = [(word, upos) for word in words for upos in ("NOUN", "VERB")]
    assert len(keys) > 400
    assert found(lang, keys) == expected(lang, keys)


@pytest.mark.models
@pytest.mark.parametrize("lang", WORDS)
@examples(30)
@given(data=st.data())
def test_any_words(lang: str, data: st.DataObject) -> None:
    words = st.one_of(st.text(min_size=1, max_size=7), st.sampled_from(WORDS[lang]))
    words = words.map(lambda word: "".join(word.split()) or "a")
    keys = data.draw(st.lists(st.tuples(words, st.sampled_from(UPOS)), min_size=1, max_size=8, unique=True))
    own = found(lang, keys)
    assert own == expected(lang, keys)
    assert own == {key: found(lang, [key])[key] for key in keys}


@pytest.mark.models
@pytest.mark.parametrize("seed", [1, 8, 12, 14])
def test_networks_of_other_sizes(seed: int) -> None:
    """As ``training`` makes them; weights at random."""
    import torch
    from stanza.models.common.seq2seq_model import Seq2SeqModel

    torch.manual_seed(seed)
    units = [*MARKS, *"abcd"]
    settings = {
        "vocab_size": len(units), "emb_dim": 5, "hidden_dim": 8, "dropout": 0, "max_dec_len": 9, "num_layers": 1,
        "attn_type": "soft", "pos_dim": 5, "pos_vocab_size": 6, "num_edit": 3, "beam_size": 1, "pos": True,
        "edit": True, "copy": True,
    }  # fmt: skip
    network = Seq2SeqModel(settings).eval()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter)
    vocabularies = {
        name: {"_id2unit": known, "_unit2id": {u: n for n, u in enumerate(known)}}
        for name, known in (("char", units), ("pos", [*MARKS, "NOUN", "VERB"]))
    }
    state = {name: part.numpy() for name, part in network.state_dict().items()}
    words = ["dcéabcd", "aébè", "bbbb", "cda", "ab", "éè", "é"]
    tags = [0, 1, 2, 0, 1, 4, 5]
    speller = Speller({"model": state, "vocab": vocabularies, "config": settings})
    more, found_kinds = [*units, "é", "è"], set()
    for word, tag, (edit, spelt) in zip(words, tags, speller._batch(words, tags), strict=True):
        ids = torch.tensor([[2, *map(more.index, word), 3]])
        with torch.no_grad():
            [expected], kinds = network.predict(
                ids, ids.eq(0), torch.tensor([tag]), 1, never_decode_unk=False
            )
        assert (edit, spelt) == (int(kinds.argmax()), "" if edit else "".join(more[n] for n in expected))
        found_kinds.add(edit)
    assert 0 in found_kinds


def test_a_dictionary_alone() -> None:
    content = {"NOUN": {"Mice": "mouse", "data": "_"}, "*": {"mice": "mus", "_": "_"}}
    settings = read_model(networks("zh").files["lemma"])["config"]
    model = {
        "config": settings, "dicts_version": 3, "contextual": [],
        "dicts": gzip.compress(json.dumps(content).encode()),
    }  # fmt: skip
    keys = [("Mice", "NOUN"), ("mice", "NOUN"), ("Mice", "VERB"), ("data", "NOUN"), ("_", "X")]
    found = Lemmatizer(model).lemmas(keys)
    assert [found[key] for key in keys] == ["mouse", "mus", "Mice", "", "_"]
    for other in ({"dicts_version": 1}, {"contextual": [{}]}, {"config": settings | {"caseless": True}}):
        with pytest.raises(OtherFormatError):
            Lemmatizer(model | other)
    with pytest.raises(ValueError, match="from tags to forms"):
        Lemmatizer(model | {"dicts": gzip.compress(b"[]")})


def test_the_same_bits_in_any_company() -> None:
    """States of the network, not only what they decide."""
    lemmatizer = networks("ko").lemmatizer
    speller = lemmatizer._speller
    source = [[2, *speller.vocabulary.numbers(word), 3] for word in ("먹었습니다", "학교는", "갔다", "x")]
    together = speller._encode(source, [4, 5, 6, 7])
    for row in range(len(source)):
        alone = speller._encode(source[row : row + 1], [4 + row])
        assert np.array_equal(together[2][row], alone[2][0])
        assert np.array_equal(together[3][row], alone[3][0])
