"""Raw text without Stanza: its tokens, sentences and words are those that Stanza makes with the same models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.compact.tokenizer import KNOWN, CharacterFeatures, Expander, Tokenizer, addresses, paragraphs_of
from jperrant.compact.weights import OtherFormatError, Vocabulary, read_model
from tests.stages import mostly_for_ci
from tests.strategies import examples

from .packages import networks, plain, plain_segments, real_sentences, segments

pytestmark = pytest.mark.slow

PACKAGES = [("en", "compact"), ("zh", "compact"), ("zh", "learner"), ("ko", "compact")]
ODD = [
    "a@b.cd", "x.y@[1.2.3.4]", '"a\\ b"@c.de', "http://www.ab.com/x", "www.abc.org", "foo.com.uk",
    "https://a.bc", "...", "\n",
    "\n\n", "\n \x97\n", "\x85", "\u3000", " ", "İx", "A B", "Fax:", "Job Group:", "(713) 571-9571", "x365",
    "28/10/2004", "November 5, 1999", "$62,500.00", "don't", "CAN'T", "Gonna", "’s", "我们的书", "中文字。",
    "你好！", "한국어는", "먹었습니다.", "👨‍👩‍👧", "e\u0301", "\x00", "<PAD>", "He left. She", " 3, 5 ", "z" * 40,
]  # fmt: skip
TEXTS = st.lists(st.one_of(st.text(max_size=6), st.sampled_from(ODD)), max_size=12).map("".join)
LEXICON = ["中文", "中文字", "文字", "ab", "abc", "ßx", "i̇x", "A b", "我们的书"]


def real_text(lang: str) -> list[str]:
    """Return sentences as they are written."""
    texts = [" ".join(words) for words in real_sentences(lang)[:60]]
    if lang == "zh":
        return [text.replace(" ", "") for text in texts]
    return [text.replace(" .", ".").replace(" ,", ",").replace(" n't", "n't") for text in texts]


@pytest.mark.models
@pytest.mark.parametrize("package", mostly_for_ci(PACKAGES, *PACKAGES[:2]))
def test_real_text(package: tuple[str, str]) -> None:
    texts = real_text(package[0])
    passage = " ".join(texts)  # longer than what is read at once
    assert len(passage) > 1100
    for text, own in zip([*texts[:5], passage], segments(*package, [*texts[:5], passage]), strict=True):
        assert own == plain_segments(*package, text)


@pytest.mark.models
@pytest.mark.parametrize("package", mostly_for_ci(PACKAGES, PACKAGES[0]))
@examples(20)
@given(texts=st.lists(TEXTS.filter(str.strip), min_size=1, max_size=4))
def test_any_texts(package: tuple[str, str], texts: list[str]) -> None:
    assert segments(*package, texts) == [plain_segments(*package, text) for text in texts]


@pytest.mark.models
@pytest.mark.parametrize("number", mostly_for_ci([998, 999, 1000, 1001, 2100], 1001))
def test_texts_as_long_as_what_is_read_at_once(number: int) -> None:
    for unit in ("He can't go. ", "abcdefghij", "a\nb. "):
        text = (unit * number)[:number].strip()
        assert segments("en", "compact", [text]) == [plain_segments("en", "compact", text)]


# Parts


@pytest.mark.models
@examples(60)
@given(TEXTS, st.booleans(), st.booleans())
def test_paragraphs_features_and_addresses(text: str, skip_newline: bool, has_words: bool) -> None:
    """All that a network is told of a text, whatever the features."""
    from stanza.models.tokenization.data import KNOWN_FEAT_FUNCS, TokenizationDataset
    from stanza.models.tokenization.utils import MASK_RE, create_dictionary

    assert KNOWN == KNOWN_FEAT_FUNCS
    first = ["numeric", "space_before", "capitalized"]
    names = [*first, *sorted(KNOWN.difference(first))]
    settings = {
        "feat_funcs": names, "skip_newline": skip_newline, "use_dictionary": has_words, "num_dict_feat": 4,
    }  # fmt: skip
    vocabulary = Vocabulary({"_id2unit": ["<PAD>", "<UNK>"], "_unit2id": {"<PAD>": 0, "<UNK>": 1}})
    vocabulary.unit2id = vocabulary.number  # type: ignore[attr-defined]
    data = TokenizationDataset(
        settings, input_text=text, vocab=vocabulary, evaluation=True, dictionary=create_dictionary(LEXICON)
    )
    features = CharacterFeatures(names, LEXICON if has_words else None, 4)
    paragraphs = paragraphs_of(text, skip_newline)
    assert [p.text for p in paragraphs] == ["".join(c for c, _ in p) for p in data.data if p]
    for paragraph in paragraphs:
        assert all(text[place] == c or c == " " for c, place in zip(*paragraph, strict=True))
        [(_, _, told, _)] = data.para_to_sentences([(c, 0) for c in paragraph.text])
        of_characters = [features.of_character(c) for c in paragraph.text]
        assert np.array_equal(
            np.hstack([of_characters, features.of_places(paragraph.text, len(paragraph.text))]), told
        )
        assert list(addresses(paragraph.text)) == [m.span() for m in MASK_RE.finditer(paragraph.text)]


@pytest.mark.parametrize(
    "other",
    [{"conv_res": "1,9"}, {"charlm_forward_file": "x.pt"}, {"feat_funcs": ["new"]}, {"hierarchical": False}],
)
def test_kinds_that_are_left_to_stanza(other: dict[str, object]) -> None:
    model = read_model(networks("en").files["tokenize"])
    assert Tokenizer(model)
    with pytest.raises(OtherFormatError, match=f"found .*{next(iter(other)).split('_')[0]}"):
        Tokenizer(model | {"config": model["config"] | other})


# The expander


@pytest.mark.models
@examples(40)
@given(st.lists(st.text(min_size=1, max_size=9) | st.sampled_from(["can't", "Gonna", "IT'S"]), min_size=1))
def test_words_of_tokens(forms: list[str]) -> None:
    from stanza.models.common.doc import Document

    forms = ["".join(form.split()) or "a" for form in forms]
    rows = [[{"id": (1,), "text": form, "misc": "MWT=Yes"}] for form in forms]
    document = plain("en", "compact", "tokenize", "mwt").processors["mwt"].process(Document(rows))
    expected = {
        form: tuple(w.text for w in s.words) for form, s in zip(forms, document.sentences, strict=True)
    }
    expander = networks("en").expander
    assert expander is not None
    assert expander.words(forms) == expected == {form: expander.words([form])[form] for form in forms}


def test_words_in_the_dictionary() -> None:
    model = read_model(networks("en").files["mwt"])
    words = Expander(model | {"dict": {"zum": "zu dem", "am": "am"}}).words(["zum", "Zum", "ZUM", "am"])
    assert words == {"zum": ("zu", "dem"), "Zum": ("Zu", "dem"), "ZUM": ("ZU", "DEM"), "am": ("am",)}
    with pytest.raises(OtherFormatError, match="found force_exact_pieces False"):
        Expander(model | {"config": model["config"] | {"force_exact_pieces": False}})


PIECES = (
    *"abB1.@-\"\\ []:/w_!é", "www.", "http://", "https://", ".com", "com.", ".co", "x@y.z", "1.2.3.", "a.b", "www"
)  # fmt: skip


@pytest.mark.models
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@examples(300)
def test_addresses_are_those_of_stanza(text: str) -> None:
    from stanza.models.tokenization.utils import MASK_RE

    assert list(addresses(text)) == [found.span() for found in MASK_RE.finditer(text)]


@pytest.mark.parametrize("run", ["a" * 100_000, "a." * 50_000, "a-" * 50_000, "A." * 50_000])
def test_addresses_beside_a_long_run_of_letters(run: str) -> None:
    """Stanza's expression takes minutes for them, with the square of their length."""
    text = f"{run} x@y.z www.abc.de/f"
    assert [text[start:end] for start, end in addresses(text)] == ["x@y.z", "www.abc.de/f"]
