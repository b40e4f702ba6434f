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
import stanza
import torch
import yaml
from stanza.models.lemma.trainer import Trainer
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.compact.lemmatizer import Lemmatizer
from jperrant.compact.words import relation_file
from jperrant.packs.discovery import known_packs
from jperrant.packs.pack import load_pack
from jperrant.parse.models import find_models
from jperrant.parse.scores import evaluate_models, stanza_document
from training.recipe import Data, read_recipe
from training.run import train_models
from training.treebank import read_treebank

pytestmark = pytest.mark.models

ROOT = Path(__file__).parents[2]
TREEBANK = ROOT / "tests" / "data" / "treebank"
DEV = str(TREEBANK / "dev.conllu")
HEAD = """
package: xx-compact
shorthand: xx_embed
train: [train.conllu]
dev: [dev.conllu]
about: {licence: CC0, sources: none}
"""
STAGES = """
  tokenize:
    schedule: [[8, 0.004]]
    every: 4
    options: {hidden_dim: 48, max_seqlen: 120, batch_size: 4, unit_dropout: 0.1}
  mwt: {schedule: [[4, 0.004]], every: 2, options: {hidden_dim: 48}}
  pos:
    schedule: [[20, 0.004]]
    every: 10
    options: {word_emb_dim: 50, char_hidden_dim: 64, transformed_dim: 48, hidden_dim: 80}
  lemma: {schedule: [[6, 0.004]], every: 3, options: {hidden_dim: 64}}
  depparse:
    schedule: [[4, 0.004]]
    every: 2
    options: {word_emb_dim: 32, char_hidden_dim: 48, hidden_dim: 80}
"""
LEXICON = {
    ("fled", "VERB"): "flee",
    ("horsemen", "NOUN"): "horseman",
    ("sang", "VERB"): "sing",
    ("is", "AUX"): "xx",
}


def train(work: Path, stages: str, folder: Path = TREEBANK) -> Path:
    """Train the stages of a recipe and return the folder of models."""
    file = work / "recipe.yaml"
    file.write_text(f"{HEAD}stages: {stages}", encoding="utf-8")
    recipe = read_recipe(file)
    train_models("xx", recipe, Data(recipe, file, folder), work / "out", {})
    return work / "out"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train(tmp_path_factory.mktemp("models"), STAGES)


@pytest.mark.ci
def test_the_same_training_gives_the_same_bytes(trained, tmp_path):
    random.seed(5)
    torch.manual_seed(6)
    again = train(tmp_path, STAGES)
    files = sorted(p.relative_to(trained) for p in trained.rglob("*.pt"))
    assert len(files) == 5
    assert [(again / f).read_bytes() == (trained / f).read_bytes() for f in files] == [True] * 5


@pytest.mark.ci
def test_the_folder_is_complete_and_stanza_takes_it(trained):
    models = find_models(str(trained), "xx", None, "xx")
    assert set(models.files) == {"tokenize", "mwt", "pos", "lemma", "depparse"}
    assert relation_file(models.files["depparse"]).is_file()
    pipeline = stanza.Pipeline(
        "xx", dir=str(trained), download_method=None, verbose=False, allow_unknown_language=True
    )
    document = pipeline("The cat sat. It slept.")
    assert all(word.upos for sentence in document.sentences for word in sentence.words)


@pytest.mark.ci
@pytest.mark.parametrize("kind", ["", "compact:"])
def test_jperrant_takes_the_folder(trained, tmp_path, kind):
    (tmp_path / "pack.yaml").write_text("code: xx\nname: Example\nextends: generic\nstanza: xx\n")
    annotator = jperrant.load(pack=str(tmp_path), models=f"{kind}{trained}")
    source, target = annotator.parse("He go home ."), annotator.parse("He goes home .")
    assert [(e.start, e.end) for e in annotator.annotate(source, target)] == [(1, 2)]


@pytest.mark.ci
def test_evaluate_prints_and_keeps_scores(trained):
    command = ["models", "evaluate", "xx", "--models", str(trained), "--gold", DEV, "--gold-tokens"]
    done = CliRunner().invoke(app, [*command, "--save"])
    assert done.exit_code == 0, done.output
    assert "UPOS" in done.output
    found = json.loads(CliRunner().invoke(app, [*command, "--json"]).output)
    assert found["scores"]["tokens"] == 1
    assert found["scores"]["upos"] > 0.1
    kept = json.loads((trained / "scores.json").read_text())
    assert kept["evaluations"][0]["scores"]["upos"] == pytest.approx(found["scores"]["upos"], abs=1e-4)


def test_a_language_by_its_name_and_a_folder():
    folder = str(known_packs()["en"] / "models")
    command = ["--models", folder, "--gold", DEV, "--gold-tokens", "--json"]
    named, coded = (
        CliRunner().invoke(app, ["models", "evaluate", lang, *command]) for lang in ("English", "en")
    )
    assert json.loads(named.output) == json.loads(coded.output)


@pytest.mark.ci
def test_the_command_trains_measures_and_keeps_scores(tmp_path):
    """By the settings of the English recipe, with few steps; the second time from the models of the first."""
    for name, file in (("train", "train"), ("dev", "dev"), ("test", "dev")):
        shutil.copy(TREEBANK / f"{file}.conllu", tmp_path / f"{name}.conllu")
    recipe = yaml.safe_load((known_packs()["en"] / "models" / "recipe.yaml").read_text(encoding="utf-8"))
    recipe |= {name: [f"{name}.conllu"] for name in ("train", "dev")}
    del recipe["teacher"]
    for stage in recipe["stages"].values():
        for key in {"vectors", "extra", "taught", "lexicon"} & stage.keys():
            del stage[key]
        for key in {"schedule", "further"} & stage.keys():
            stage[key] = [[min(steps, 4), rate] for steps, rate in stage[key]]
    recipe["test"] = "test.conllu"
    (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(recipe, sort_keys=False), encoding="utf-8")
    shutil.copy(known_packs()["en"] / "models" / "errors.yaml", tmp_path)
    command = [sys.executable, "-m", "training", "en", "--recipe", str(tmp_path / "recipe.yaml")]
    for more in (["-o", "out"], ["--start", str(tmp_path / "out"), "-o", "further"]):
        done = subprocess.run(
            [*command, "--treebanks", str(tmp_path), *more[:-1], str(tmp_path / more[-1])],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "pos: step" in done.stderr
        assert "UPOS" in done.stdout
        kept = json.loads((tmp_path / more[-1] / "scores.json").read_text())
        assert kept["licence"] == "CC BY-SA 4.0"
        assert [one["gold_tokens"] for one in kept["evaluations"]] == [False, True]


def test_the_embedded_models_name_licence_and_scores():
    done = CliRunner().invoke(app, ["models", "list", "--json"])
    found = {(m["language"], m["models"]): m for m in json.loads(done.output)}
    for lang in ("en", "zh", "ko"):
        models = found[lang, "compact"]
        assert models["licence"] == "CC BY-SA 4.0"
        assert models["bytes"] < 17e6
        measured = {e["gold_tokens"] for e in models["evaluations"] if e["gold"] == "test.conllu"}
        assert measured == {True, False}
    assert found["zh", "learner"]["processors"] == ["tokenize", "pos", "lemma", "depparse"]


def test_scores_agree_with_a_count_by_hand():
    """UPOS over gold tokens is the share of words tagged right."""
    gold, pack = read_treebank([Path(DEV)]), load_pack("en")
    models = find_models("compact", "en", pack.compact, "en")
    found = evaluate_models(models, gold.sentences, DEV, gold_tokens=True)
    document = stanza_document(gold.sentences)
    expected = [word.upos for s in document.sentences for word in s.words]
    pipeline = stanza.Pipeline(
        "en", dir=str(pack.compact), processors="tokenize,pos", tokenize_pretokenized=True, download_method=None,
        verbose=False,
    )  # fmt: skip
    tagged = pipeline([[word.text for word in s.words] for s in document.sentences])
    tags = [word.upos for s in tagged.sentences for word in s.words]
    assert found.scores["upos"] == pytest.approx(sum(map(str.__eq__, expected, tags)) / len(tags))
    assert found.words == len(tags)


def test_a_lemmatizer_has_all_words_of_its_lexicon(tmp_path):
    """As Stanza reads the file, and as jperrant does; the treebank's lemma of *is* stays."""
    (tmp_path / "words.tsv").write_text("".join(f"{f}\t{u}\t{w}\n" for (f, u), w in LEXICON.items()))
    for name in ("train", "dev"):
        shutil.copy(TREEBANK / f"{name}.conllu", tmp_path)
    stage = "{lemma: {schedule: [[3, 0.003]], lexicon: words.tsv, options: {hidden_dim: 8}}}"
    file = train(tmp_path, stage, tmp_path) / "xx" / "lemma" / "xx-compact.pt"
    expected = {**LEXICON, ("is", "AUX"): "be"}
    assert Lemmatizer(torch.load(file, weights_only=True)).lemmas(list(LEXICON)) == expected
    stanzas = Trainer(model_file=str(file), device="cpu", args={})
    assert stanzas.predict_dict(list(LEXICON)) == list(expected.values())
