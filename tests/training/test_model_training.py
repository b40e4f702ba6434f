"""Training and measuring models, from a tiny treebank to a folder that everything takes."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import yaml

import jperrant
from jperrant.compact.words import relation_file
from tests.commands import printed
from tests.compact.packages import folder, networks, plain, plain_lemmas, plain_segments, segments
from training.recipe import Data, read_recipe
from training.run import train_models

from .treebanks import ENGLISH, ROOT, TREEBANK, bank

pytestmark = pytest.mark.models

DEV = TREEBANK / "dev.conllu"
RECIPE = """
package: xx-compact
shorthand: en_embed
train: [train.conllu]
dev: [dev.conllu]
about: {licence: CC0, sources: none}
stages:
  tokenize:
    schedule: [[40, 0.01]]
    every: 20
    options: {hidden_dim: 48, max_seqlen: 120, batch_size: 4, unit_dropout: 0.1}
  mwt: {schedule: [[4, 0.004]], every: 2, options: {hidden_dim: 48}}
  pos:
    schedule: [[20, 0.004]]
    every: 10
    options: {word_emb_dim: 50, char_hidden_dim: 64, transformed_dim: 48, hidden_dim: 80}
  lemma: {schedule: [[6, 0.004]], every: 3, lexicon: words.tsv, options: {hidden_dim: 64}}
  depparse:
    schedule: [[4, 0.004]]
    every: 2
    options: {word_emb_dim: 32, char_hidden_dim: 48, hidden_dim: 80}
"""
LEXICON = {("fled", "VERB"): "flee", ("horsemen", "NOUN"): "horseman", ("is", "AUX"): "xx"}
#: Small files in the place of those that recipes name.
SMALL = {"vectors": {"vectors.txt": 3}, "extra": {"dev.conllu": 0.5}, "lexicon": "words.tsv"}


def data(work: Path) -> None:
    """Write the files that recipes here name."""
    for name in ("train", "dev"):
        shutil.copy(TREEBANK / f"{name}.conllu", work)
    (work / "words.tsv").write_text("".join(f"{f}\t{u}\t{w}\n" for (f, u), w in LEXICON.items()))
    (work / "vectors.txt").write_text("4 3\nthe 1 2 3\nzyzzyva -1 0 4\nof 2 2 2\n")
    (work / "texts.txt").write_text("She goes to the old school. I don't know him.\n\nHe goes home .")


def train(work: Path) -> Path:
    """Train the recipe's networks and return the folder of models."""
    data(work)
    file = work / "recipe.yaml"
    file.write_text(RECIPE, encoding="utf-8")
    recipe = read_recipe(file)
    train_models("en", recipe, Data(recipe, file, work), work / "out", {})
    return work / "out"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train(tmp_path_factory.mktemp("models"))


@pytest.mark.ci
def test_the_same_training_gives_the_same_bytes(trained, tmp_path):
    random.seed(5)
    torch.manual_seed(6)
    again = train(tmp_path)
    files = sorted(p.relative_to(trained) for p in trained.rglob("*.pt"))
    assert len(files) == 5
    assert [(again / f).read_bytes() == (trained / f).read_bytes() for f in files] == [True] * 5


@pytest.mark.ci
def test_jperrant_takes_the_folder_as_stanza_does(trained):
    """Networks of other sizes than those of the packs, which nothing much was taught."""
    models = str(trained)
    assert relation_file(folder("en", models).files["depparse"]).is_file()
    texts = ["The cat sat. It didn't sleep.", "Bands of horsemen fled"]
    assert segments("en", models, texts) == [plain_segments("en", models, text) for text in texts]
    keys = [*LEXICON, ("aébè", "NOUN"), ("unfriended", "VERB"), ("GOED", "X")]
    found = networks("en", models).lemmatizer.lemmas(keys)
    assert found == plain_lemmas("en", models, keys)
    expected = {**LEXICON, ("is", "AUX"): "be"}  # the treebank's lemma stays
    assert {key: found[key] for key in LEXICON} == expected
    for kind in ("", "compact:"):
        annotator = jperrant.load("en", models=f"{kind}{models}")
        assert [(e.start, e.end) for e in annotator.annotate("He go home .", "He goes home .")] == [(1, 2)]


@pytest.mark.ci
def test_evaluate_prints_and_keeps_scores(trained):
    """UPOS over gold tokens is the share of words that Stanza tags right."""
    command = ["models", "evaluate", "English", "--models", trained, "--gold", DEV, "--gold-tokens"]
    assert "UPOS" in printed(*command, "--save")
    found = json.loads(printed(*command, "--json"))["scores"]
    gold = [sentence.words for sentence in bank("dev").sentences]
    pipeline = plain("en", str(trained), "tokenize", "pos", tokenize_pretokenized=True)
    tagged = pipeline([[row[1] for row in words] for words in gold]).sentences
    pairs = [pair for s, t in zip(gold, tagged, strict=True) for pair in zip(s, t.words, strict=True)]
    assert found["tokens"] == 1
    assert found["upos"] == pytest.approx(sum(row[3] == word.upos for row, word in pairs) / len(pairs))
    kept = json.loads((trained / "scores.json").read_text())
    assert kept["evaluations"][0]["scores"]["upos"] == pytest.approx(found["upos"], abs=1e-4)


@pytest.mark.ci
def test_the_command_trains_measures_and_keeps_scores(tiny_bert, tmp_path):
    """By the English recipe with small files and few steps; the second time from the models of the first."""
    data(tmp_path)
    shutil.copy(ENGLISH / "errors.yaml", tmp_path)
    recipe = yaml.safe_load((ENGLISH / "recipe.yaml").read_text(encoding="utf-8"))
    recipe |= {"train": ["train.conllu"], "dev": ["dev.conllu"], "test": "dev.conllu"}
    recipe["teacher"] |= {"texts": ["texts.txt"], "encoder": str(tiny_bert), "epochs": 0.2}
    for stage in recipe["stages"].values():
        stage |= {key: SMALL[key] for key in SMALL.keys() & stage.keys()}
        for key in {"schedule", "further"} & stage.keys():
            stage[key] = [[min(steps, 4), rate] for steps, rate in stage[key]]
    (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(recipe, sort_keys=False), encoding="utf-8")
    command = [sys.executable, "-m", "training", "en", "--recipe", str(tmp_path / "recipe.yaml")]
    command += ["--treebanks", str(tmp_path)]
    networks = ["tokenize", "mwt", "teacher", "pos", "lemma", "depparse"]
    further = ["--start", str(tmp_path / "out")]
    for out, more, expected in (("out", [], networks), ("next", further, ["teacher", "pos", "depparse"])):
        done = subprocess.run(
            [*command, *more, "-o", str(tmp_path / out)],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told = [line.partition(":")[0] for line in done.stderr.splitlines() if ": step" in line]
        assert list(dict.fromkeys(told)) == expected
        assert "UPOS" in done.stdout
        kept = json.loads((tmp_path / out / "scores.json").read_text())
        assert kept["licence"] == "CC BY-SA 4.0"
        assert [one["gold_tokens"] for one in kept["evaluations"]] == [False, True]


def test_the_embedded_models_name_licence_and_scores():
    found = {(m["language"], m["models"]): m for m in json.loads(printed("models", "list", "--json"))}
    for lang in ("en", "zh", "ko"):
        models = found[lang, "compact"]
        assert models["licence"] == "CC BY-SA 4.0"
        assert models["bytes"] < 17e6
        measured = {e["gold_tokens"] for e in models["evaluations"] if e["gold"] == "test.conllu"}
        assert measured == {True, False}
    assert found["zh", "learner"]["processors"] == ["tokenize", "pos", "lemma", "depparse"]
