"""Training and measuring models, from a tiny treebank to a folder that everything takes."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.compact.words import relation_file
from jperrant.core.errors import InputError, UsageError
from jperrant.packs.discovery import known_packs
from jperrant.parse.models import find_models
from jperrant.parse.scores import evaluate_models
from training.__main__ import main
from training.recipe import read_data, read_recipe
from training.run import train_models
from training.treebank import read_treebank

TREEBANK = Path(__file__).parents[1] / "data" / "treebank"
TRAIN, DEV = str(TREEBANK / "train.conllu"), str(TREEBANK / "dev.conllu")
RECIPE = f"""
package: xx-compact
shorthand: xx_embed
train: {TRAIN}
dev: {DEV}
stages:
  tokenize:
    schedule: [[8, 0.004]]
    every: 4
    options: {{hidden_dim: 48, max_seqlen: 120, batch_size: 4, unit_dropout: 0.1}}
  mwt: {{schedule: [[4, 0.004]], every: 2, options: {{hidden_dim: 48}}}}
  pos:
    schedule: [[20, 0.004]]
    every: 10
    options: {{batch_words: 300, word_emb_dim: 50, char_hidden_dim: 64, transformed_dim: 48, hidden_dim: 80}}
  lemma: {{schedule: [[6, 0.004]], every: 3, options: {{hidden_dim: 64}}}}
  depparse:
    schedule: [[4, 0.004]]
    every: 2
    copies: 1
    options: {{batch_words: 300, word_emb_dim: 32, char_hidden_dim: 48, hidden_dim: 80}}
"""


def tiny(folder, text=RECIPE):
    (folder / "tiny.yaml").write_text(text, encoding="utf-8")
    return read_recipe(folder / "tiny.yaml")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder of models, and the scores that training reported."""
    folder = tmp_path_factory.mktemp("models")
    recipe = tiny(tmp_path_factory.mktemp("recipe"))
    return folder, train_models("xx", read_data(recipe, Path()), recipe, folder, lambda *_: None)


@pytest.mark.ci
def test_the_same_training_gives_the_same_bytes(trained, tmp_path):
    recipe = tiny(tmp_path)
    random.seed(5)
    torch.manual_seed(6)
    scores = train_models("xx", read_data(recipe, Path()), recipe, tmp_path / "out", lambda *_: None)
    folder, expected = trained
    assert scores == expected
    files = sorted(p.relative_to(folder) for p in folder.rglob("*.pt"))
    assert len(files) == 5
    assert [(tmp_path / "out" / f).read_bytes() == (folder / f).read_bytes() for f in files] == [True] * 5


@pytest.mark.ci
def test_the_folder_is_complete_and_stanza_takes_it(trained):
    import stanza

    folder, scores = trained
    assert set(scores) == {"tokenize", "mwt", "pos", "lemma", "depparse"}
    models = find_models(str(folder), "xx", None, "xx")
    assert set(models.files) == set(scores)
    assert relation_file(models.files["depparse"]).is_file()
    pipeline = stanza.Pipeline(
        "xx", dir=str(folder), download_method=None, verbose=False, allow_unknown_language=True
    )
    document = pipeline("The cat sat. It slept.")
    assert all(word.upos for sentence in document.sentences for word in sentence.words)


@pytest.mark.ci
def test_jperrant_takes_the_folder(trained, tmp_path):
    folder, _ = trained
    (tmp_path / "pack.yaml").write_text("code: xx\nname: Example\nextends: generic\nstanza: xx\n")
    annotator = jperrant.load(pack=str(tmp_path), models=str(folder))
    source, target = annotator.parse("He go home ."), annotator.parse("He goes home .")
    assert [(e.start, e.end) for e in annotator.annotate(source, target)] == [(1, 2)]


@pytest.mark.parametrize("lang", ["../xx", "Old English", ""])
def test_only_a_language_code_names_the_folder_of_models(tmp_path, lang):
    recipe = tiny(tmp_path)
    data = read_data(recipe, Path())
    with pytest.raises(UsageError, match="language"):
        train_models(lang, data, recipe, tmp_path / "out", lambda *_: None)
    assert not (tmp_path / "out").exists()


@pytest.mark.ci
def test_a_folder_with_models_is_refused(trained, tmp_path):
    folder, recipe = trained[0], tiny(tmp_path)
    before = (folder / "resources.json").read_bytes()
    with pytest.raises(UsageError, match="holds models; give another folder"):
        train_models("xx", read_data(recipe, Path()), recipe, folder, lambda *_: None)
    assert (folder / "resources.json").read_bytes() == before


@pytest.mark.ci
def test_evaluate_prints_and_keeps_scores(trained):
    folder, _ = trained
    run = CliRunner().invoke
    done = run(
        app, ["models", "evaluate", "xx", "--models", str(folder), "--gold", DEV, "--gold-tokens", "--save"]
    )
    assert done.exit_code == 0, done.output
    assert "UPOS" in done.output
    done = run(
        app, ["models", "evaluate", "xx", "--models", str(folder), "--gold", DEV, "--gold-tokens", "--json"]
    )
    found = json.loads(done.output)
    assert found["scores"]["tokens"] == 1
    assert found["scores"]["upos"] > 0.1
    kept = json.loads((folder / "scores.json").read_text())
    assert kept["evaluations"][0]["scores"]["upos"] == pytest.approx(found["scores"]["upos"], abs=1e-4)


def test_a_language_by_its_name_and_a_folder():
    folder = str(known_packs()["en"] / "models")
    command = ["--models", folder, "--gold", DEV, "--gold-tokens", "--json"]
    named, coded = (
        CliRunner().invoke(app, ["models", "evaluate", lang, *command]) for lang in ("English", "en")
    )
    assert json.loads(named.output) == json.loads(coded.output)


@pytest.mark.ci
def test_the_command_trains_measures_and_keeps_scores(tmp_path, capsys, monkeypatch):
    """Between reading the treebanks and measuring the models stands a training that others of this file test."""
    folder, called = known_packs()["en"] / "models", []

    def train(lang, data, recipe, output, report, start):
        called.append((lang, len(data.train.sentences), recipe.stages["mwt"].schedule, start))
        report("pos", 20, 20, 0.25, {"upos": 0.5})
        shutil.copytree(folder, output, ignore=shutil.ignore_patterns("scores.json"))

    monkeypatch.setattr("training.__main__.train_models", train)
    code, _ = command(tmp_path, "test: test.conllu\nstages: {mwt: {schedule: [[3, 0.1]]}}")
    assert code == 0
    count = sum(line.startswith("1\t") for line in Path(TRAIN).read_text(encoding="utf-8").splitlines())
    assert called == [("en", count, ((3, 0.1),), None)]
    out, err = capsys.readouterr()
    assert f"training mwt on {count} sentences" in err
    assert "pos: step 20/20  dev upos 50.00" in err
    assert "UPOS" in out
    kept = json.loads((tmp_path / "out" / "scores.json").read_text())["evaluations"]
    assert [one["gold_tokens"] for one in kept] == [False, True]
    assert kept[1]["scores"]["tokens"] == 1


def test_the_embedded_models_name_licence_and_scores():
    done = CliRunner().invoke(app, ["models", "list", "--json"])
    found = {(m["language"], m["models"]): m for m in json.loads(done.output)}
    for lang in ("en", "zh", "ko"):
        models = found[lang, "compact"]
        assert models["licence"] == "CC BY-SA 4.0"
        assert models["bytes"] < 17e6
        assert {e["gold_tokens"] for e in models["evaluations"] if e["gold"] == "test.conllu"} == {
            True,
            False,
        }
    assert found["zh", "learner"]["processors"] == ["tokenize", "pos", "lemma", "depparse"]


def test_scores_agree_with_a_count_by_hand():
    """UPOS over gold tokens is the share of words tagged right."""
    import stanza

    from jperrant.packs.pack import load_pack
    from jperrant.parse.scores import evaluate_models, stanza_document
    from training.treebank import read_treebank

    pack = load_pack("en")
    gold = read_treebank([DEV])
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


def command(tmp_path, recipe):
    """Return the exit code of ``python -m training``, and where models are to go."""
    text = f"package: x\nshorthand: en_embed\ntrain: train.conllu\ndev: dev.conllu\n{recipe}"
    (tmp_path / "recipe.yaml").write_text(text, encoding="utf-8")
    for name, file in (("train", TRAIN), ("dev", DEV), ("test", DEV)):
        shutil.copy(file, tmp_path / f"{name}.conllu")
    out = tmp_path / "out"
    given = ["en", "--recipe", str(tmp_path / "recipe.yaml"), "--treebanks", str(tmp_path), "-o", str(out)]
    return main(given), out


def test_a_lemmatizer_alone_is_scored_on_tokens_only(tmp_path, capsys):
    text = "test: test.conllu\nstages: {lemma: {schedule: [[6, 0.004]]}}\n"
    code, out = command(tmp_path, text)
    told = capsys.readouterr().err
    assert code == 0, told
    assert "training lemma on" in told
    assert f"note: not scored on the text of {tmp_path / 'test.conllu'}: found no tokenizer" in told
    kept = json.loads((out / "scores.json").read_text())["evaluations"]
    assert [(one["gold_tokens"], "lemma" in one["scores"]) for one in kept] == [(True, True)]


@pytest.mark.ci
def test_a_parser_alone_is_trained_on_the_tags_of_the_tagger_it_starts_from(trained, tmp_path):
    folder, _ = trained
    models = find_models(str(folder), "xx", None, "xx")
    text = RECIPE.partition("stages:")[0] + "stages: {depparse: {further: [[4, 0.004]], every: 2, copies: 1}}"
    recipe, out = tiny(tmp_path, text), tmp_path / "models"
    scores = train_models("xx", read_data(recipe, Path()), recipe, out, lambda *_: None, models)
    assert set(scores) == {"depparse"}
    found = find_models(str(out), "xx", None, "xx")
    assert set(found.files) == {"depparse"}
    assert relation_file(found.files["depparse"]).is_file()
    with pytest.raises(InputError, match="a parser without a tagger"):
        evaluate_models(found, read_treebank([DEV]).sentences, DEV, gold_tokens=True)


def test_what_is_wrong_with_a_recipe_is_one_line(tmp_path, capsys):
    code, out = command(tmp_path, "stages: {psos: {}}")
    assert code == InputError.exit_code
    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()
