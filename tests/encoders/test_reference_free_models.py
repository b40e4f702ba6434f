"""Regressors and causal language models: tiny ones, against what the transformers library itself computes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import jperrant
from jperrant.core.errors import CorruptModelError, InputError, UsageError
from jperrant.encoders import heads
from jperrant.encoders.heads import CausalLm, Regressor, cut_windows, load_regressor
from jperrant.encoders.options import EncoderOptions
from tests.conftest import WORDS
from tests.evaluation.test_reference_free import scored
from tests.m2_cases import rewritten as block

pytestmark = pytest.mark.models

TEXTS = [
    "he goes home .", "", "she is going to the school .", "a", "he go home .",
    "it was not very much , is it .",
]  # fmt: skip


def bert_config(**options: Any) -> Any:
    sizes = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    usual = {"vocab_size": len(WORDS), "max_position_embeddings": 16, "initializer_range": 0.5}
    return transformers.BertConfig(**sizes, **{**usual, **options})


def save(model: Any, folder: Path, tokens_of: Path | None) -> Path:
    model.save_pretrained(folder)
    if tokens_of is not None:
        transformers.AutoTokenizer.from_pretrained(tokens_of).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def regressors(tiny_bert: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three regressors as SOME publishes them: each in its folder, without a tokenizer."""
    folder = tmp_path_factory.mktemp("some")
    for seed, name in enumerate(("grammer", "fluency", "meaning")):
        torch.manual_seed(seed)
        save(transformers.BertForSequenceClassification(bert_config(num_labels=1)), folder / name, None)
    return folder


@pytest.fixture(scope="module")
def gpt(tiny_bert: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 of 12 positions; a text begins with [CLS]."""
    folder = tmp_path_factory.mktemp("models") / "tiny-gpt2"
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_bert)
    tokenizer.bos_token = "[CLS]"
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"n_positions": 12, "n_embd": 8, "n_layer": 2, "n_head": 2, "initializer_range": 0.5}
    config = transformers.GPT2Config(vocab_size=len(WORDS), bos_token_id=2, eos_token_id=3, **sizes)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@cache
def causal_model(folder: Path) -> Any:
    return transformers.AutoModelForCausalLM.from_pretrained(folder).eval()


@cache
def tokenizer_of(folder: Path) -> Any:
    return transformers.AutoTokenizer.from_pretrained(folder)


def ids_of(folder: Path, text: str) -> list[int]:
    return list(tokenizer_of(folder)(text, add_special_tokens=False)["input_ids"])


def expected_losses(folder: Path, text: str, ids: Sequence[int] = ()) -> list[float]:
    """Return the loss of each token but the first, as the library computes it; a text begins with [CLS]."""
    ids = ids or [2, *ids_of(folder, text)]
    with torch.no_grad():
        logs = torch.log_softmax(causal_model(folder)(input_ids=torch.tensor([ids])).logits[0], 1)
    return [-float(logs[at - 1, ids[at]]) for at in range(1, len(ids))]


@pytest.mark.parametrize(("batch_size", "tokens"), [(1, None), (2, None), (32, None), (32, 1)])
def test_losses_are_those_of_the_library_whatever_the_batch(
    gpt: Path, batch_size: int, tokens: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tokens:
        monkeypatch.setattr(heads, "CAUSAL_TOKENS", tokens)
    for text, own in zip(TEXTS, CausalLm(gpt, "cpu", batch_size).losses(TEXTS), strict=True):
        assert own == pytest.approx(expected_losses(gpt, text), abs=1e-5)


def test_tables_show_perplexity_without_per_cent_and_with_as_many_decimals(gpt: Path, tmp_path: Path) -> None:
    for name, text in (("gold", "goes"), ("one", "goes"), ("two", "went")):
        edit = f"A 1 2|||R:VERB|||{text}|||REQUIRED|||-NONE-|||0"
        (tmp_path / f"{name}.m2").write_text(f"S he go home .\n{edit}\n\n", encoding="utf-8")
    study = tmp_path / "study.yaml"
    study.write_text(
        "datasets:\n  en: {references: gold.m2, systems: {one: one.m2, two: two.m2}}\n"
        f"metrics:\n  perplexity: 'perplexity:model={gpt},device=cpu'\n"
        "comparisons: [{systems: [one, two], metric: perplexity, samples: 20}]\n"
        "layout: {percent: true, decimals: 1}\n",
        encoding="utf-8",
    )
    result = jperrant.run_study(study, tmp_path / "out")
    value = result.scores["en"]["perplexity"]["one"].values["perplexity"]
    for name in ("systems-en", "comparison-en-one_vs_two-perplexity"):
        assert f"{value:.1f}" in (tmp_path / f"out/tables/{name}.txt").read_text().split(), name


def test_long_texts_are_read_in_windows(gpt: Path) -> None:
    words = [word for word in WORDS if word.isalpha()]
    text = " ".join(words[number % len(words)] for number in range(29))
    short = " ".join(text.split()[:11])
    [found] = CausalLm(gpt, "cpu").losses([text])
    assert len(found) == 29
    # the last window is the last 12 tokens; of it the last 29 - 23 = 6 are new
    last = expected_losses(gpt, "", ids_of(gpt, text)[-12:])
    assert found[-6:] == pytest.approx(last[-6:], abs=1e-5)
    assert found[:11] == pytest.approx(expected_losses(gpt, short), abs=1e-5)
    scores = scored(
        "perplexity", *([block("he go", one)] for one in (text, short)), model=str(gpt), device="cpu"
    )
    assert [["longer than the 12 tokens" in line for line in one.warnings] for one in scores] == [[True], []]


def test_windows_cover_each_token_once() -> None:
    for length in range(1, 40):
        windows = cut_windows(tuple(range(length)), 8)
        assert [i for window in windows for i in window.ids[window.known :]] == [*range(1, length)]
        assert all(len(window.ids) <= 8 for window in windows)


def test_models_that_are_not_causal_are_refused(gpt: Path, tiny_bert: Path, tmp_path: Path) -> None:
    masked = save(transformers.BertForMaskedLM(bert_config()), tmp_path / "masked", tiny_bert)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    vit = transformers.ViTModel(transformers.ViTConfig(**sizes, image_size=8, patch_size=4))
    images = save(vit, tmp_path / "vit", tiny_bert)
    for folder, device, error, message in (
        (tiny_bert, "auto", InputError, "expected a causal language model, but"),
        (masked, "auto", InputError, "depend on the words that follow"),
        (images, "auto", InputError, "found a model of another kind, expected a causal language model"),
        (gpt, "cuda:99", UsageError, "device 'cuda:99' cannot be used"),
    ):
        with pytest.raises(error, match=message):
            CausalLm(folder, device)


# Regressors


@cache
def classifier(folder: Path) -> Any:
    return transformers.BertForSequenceClassification.from_pretrained(folder).eval()


def expected_number(folder: Path, tokens_of: Path, *texts: str, limit: int = 16) -> float:
    """Return what the library gives for a text or a pair of texts alone."""
    how = {"truncation": True, "max_length": limit, "return_tensors": "pt", "return_token_type_ids": True}
    inputs = tokenizer_of(tokens_of)(*([text] for text in texts), **how)
    with torch.no_grad():
        return float(classifier(folder)(**inputs).logits[0, 0])


@pytest.mark.parametrize("batch_size", [1, 3, pytest.param(32, marks=pytest.mark.ci)])
def test_numbers_are_those_of_the_library_whatever_the_batch(
    regressors: Path, tiny_bert: Path, batch_size: int
) -> None:
    folder = regressors / "meaning"
    model = Regressor(folder, tiny_bert, 128, "cpu", batch_size)
    found = [one.value for one in model.score(TEXTS)]
    assert found == pytest.approx([expected_number(folder, tiny_bert, text) for text in TEXTS], abs=1e-5)
    others = TEXTS[::-1]
    pairs = [one.value for one in model.score(TEXTS, others)]
    expected = [expected_number(folder, tiny_bert, *both) for both in zip(TEXTS, others, strict=True)]
    assert pairs == pytest.approx(expected, abs=1e-5)
    assert len({round(number, 6) for number in found}) > 3, "the model tells texts apart"


def test_long_texts_are_cut_for_regressors_and_said(regressors: Path, tiny_bert: Path) -> None:
    options = {"model": str(regressors), "tokenizer": str(tiny_bert), "device": "cpu"}
    long, expected = " ".join(["very"] * 40), regressors / "fluency"
    [score], [other] = (scored("some", [block("he go", long)], **options, batch_size=size) for size in (1, 8))
    assert any("1 sentence longer than the 16 tokens" in line for line in score.warnings)
    fluency = (expected_number(expected, tiny_bert, long) - 1) / 3
    assert score.combined[0].details["fluency"] == pytest.approx(fluency, abs=1e-5)
    assert other.signature == score.signature


def test_models_that_are_no_regressors_are_refused(
    regressors: Path, tiny_bert: Path, gpt: Path, tmp_path: Path
) -> None:
    def saved(name: str, **options: Any) -> Path:
        model = transformers.BertForSequenceClassification(bert_config(**options))
        return save(model, tmp_path / name, tiny_bert)

    weights = saved("cut", num_labels=1) / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    for folder, error, message in (
        (tiny_bert, InputError, r"expected a .*regressor, but .* classifier"),
        (saved("two", num_labels=2), InputError, "found a model with 2 outputs"),
        (regressors / "fluency", InputError, "found no tokenizer"),
        (
            saved("small", num_labels=1, vocab_size=5), InputError,
            f"has {len(WORDS)} entries, but the model has embeddings for 5",
        ),
        (tmp_path / "cut", CorruptModelError, "cannot be loaded"),
    ):  # fmt: skip
        with pytest.raises(error, match=message):
            load_regressor(str(folder))


# Metrics


@pytest.mark.parametrize("metric", ["some", "impara", "scribendi", "perplexity"])
def test_metrics_with_models_are_those_of_what_the_library_computes(
    metric: str, regressors: Path, tiny_bert: Path, gpt: Path
) -> None:
    def numbers(name: str) -> Any:
        folder = regressors / name
        return lambda *sides: [expected_number(folder, tiny_bert, *row) for row in zip(*sides, strict=True)]

    def cosines(*sides: Sequence[str]) -> list[float]:
        vectors = [EncoderOptions("minilm", device="cpu").load().embed(side) for side in sides]
        one, other = (own / np.linalg.norm(own, axis=1, keepdims=True) for own in vectors)
        return list((one * other).sum(axis=1))

    def losses(texts: Sequence[str]) -> list[list[float]]:
        return [expected_losses(gpt, text) for text in texts]

    folders, causal = {"model": str(regressors), "tokenizer": str(tiny_bert)}, {"model": str(gpt)}
    single = {**folders, "model": str(regressors / "fluency"), "encoder": "minilm"}
    parts = {"grammaticality": "grammer", "fluency": "fluency", "meaning": "meaning"}
    given, functions = {
        "some": (folders, {name: numbers(folder) for name, folder in parts.items()}),
        "impara": (single, {"quality": numbers("fluency"), "similarity": cosines}),
        "scribendi": (
            causal,
            {"perplexity": lambda texts: [math.exp(np.mean(own)) for own in losses(texts)]},
        ),
        "perplexity": (causal, {"losses": losses}),
    }[metric]
    texts = ("he goes home .", "he go home .", "the weather is fine today")
    blocks = [block("he go home .", text) for text in texts]
    [score], [expected] = scored(metric, blocks, **given, device="cpu"), scored(metric, blocks, **functions)
    for own, other in zip(score.combined, expected.combined, strict=True):
        assert own.row == pytest.approx(other.row, abs=1e-5)
        assert own.details == pytest.approx(other.details, abs=1e-5)
    label = {"some": "some|grammaticality:", "impara": "|enc:minilm@"}.get(metric, "|model:tiny-gpt2@")
    assert label in score.signature
