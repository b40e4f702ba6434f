"""Training and measuring models, from a tiny treebank to a folder that everything takes."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import InputError, UsageError
from jperrant.packs import known_packs
from jperrant.parse.models import ModelFolder, find_models
from jperrant.parse.relation_classes import relation_file
from jperrant.parse.scores import evaluate_models
from jperrant.parse.treebank import read_treebank
from training.__main__ import main
from training.data import read_data
from training.recipe import default_recipe
from training.run import train_models

TREEBANK = Path(__file__).parent / "data" / "treebank"
TRAIN, DEV = str(TREEBANK / "train.conllu"), str(TREEBANK / "dev.conllu")
STEPS = {"tokenize": 8, "mwt": 4, "pos": 20, "lemma": 6, "depparse": 4}


def tiny():
    recipe = default_recipe("small")
    stages = {
        name: replace(stage, schedule=((STEPS[name], 0.004),), every=max(2, STEPS[name] // 2), copies=1)
        for name, stage in recipe.stages.items()
    }
    for name in ("pos", "depparse"):
        stages[name] = replace(stages[name], options={**stages[name].options, "batch_words": 300})
    stages["tokenize"] = replace(
        stages["tokenize"],
        options={**stages["tokenize"].options, "max_seqlen": 120, "batch_size": 4, "unit_dropout": 0.1},
    )
    return replace(recipe, stages=stages)


class Stop(Exception):
    pass


def interrupted_at(data, folder, *place):
    """Train until a report of a place comes; return what was reported."""
    seen: list[tuple[str, int]] = []

    def interrupting(name, step, steps, loss, scores):
        seen.append((name, step))
        if (name, step) == place:
            raise Stop

    with pytest.raises(Stop):
        train_models("xx", data, tiny(), folder, interrupting)
    return seen


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder of models, and the scores that training reported."""
    folder = tmp_path_factory.mktemp("models")
    random.seed(99)
    return folder, train_models("xx", read_data([TRAIN], DEV, tiny()), tiny(), folder, lambda *_: None)


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory):
    """A folder of models whose training was interrupted within a round and as a stage began.

    With it come the scores, what was reported until each interruption and after it, and the refusal of another
    training in between.
    """
    folder = tmp_path_factory.mktemp("interrupted")
    data = read_data([TRAIN], DEV, tiny())
    random.seed(5)
    before = (
        random.getstate(),
        torch.get_rng_state(),
        torch.get_num_threads(),
        np.random.get_state()[1].copy(),
    )
    seen = interrupted_at(data, folder, "pos", 15)
    with pytest.raises(UsageError) as refused:
        train_models("xx", data, replace(tiny(), seed=7), folder, lambda *_: None)
    between = interrupted_at(data, folder, "lemma", 1)
    again: list[tuple[str, int]] = []
    scores = train_models("xx", data, tiny(), folder, lambda *seen: again.append(seen[:2]))
    assert random.getstate() == before[0]
    assert torch.equal(torch.get_rng_state(), before[1])
    assert torch.get_num_threads() == before[2]
    assert (np.random.get_state()[1] == before[3]).all()
    return folder, scores, seen, between, again, str(refused.value)


def test_interrupted_training_goes_on(interrupted):
    _, _, seen, between, again, _ = interrupted
    assert ("tokenize", STEPS["tokenize"]) in seen
    assert between[0] == ("pos", 11)  # the round that was interrupted
    assert again[0] == ("lemma", 1)
    assert {name for name, _ in again} == {"lemma", "depparse"}


def test_interrupted_training_ends_with_the_bytes_of_an_undisturbed_one(interrupted, trained):
    undisturbed, expected = trained
    folder, scores, *_ = interrupted
    assert scores == expected
    files = sorted(p.relative_to(folder) for p in folder.rglob("*.pt"))
    assert len(files) == 5
    assert [(undisturbed / f).read_bytes() == (folder / f).read_bytes() for f in files] == [True] * 5
    assert not list(folder.rglob("*.partial"))


def test_the_folder_is_complete_and_stanza_takes_it(trained):
    import stanza

    folder, scores = trained
    assert set(scores) == {"tokenize", "mwt", "pos", "lemma", "depparse"}
    assert not (folder / ".training").exists()
    models = find_models(str(folder), "xx", None, "xx")
    assert set(models.files) == set(scores)
    assert relation_file(models.files["depparse"]).is_file()
    pipeline = stanza.Pipeline(
        "xx", dir=str(folder), download_method=None, verbose=False, allow_unknown_language=True
    )
    document = pipeline("The cat sat. It slept.")
    assert all(word.upos for sentence in document.sentences for word in sentence.words)


def test_jperrant_takes_the_folder(trained, tmp_path):
    folder, _ = trained
    (tmp_path / "pack.yaml").write_text("code: xx\nname: Example\nextends: generic\nstanza: xx\n")
    annotator = jperrant.load(pack=str(tmp_path), models=str(folder))
    source, target = annotator.parse("He go home ."), annotator.parse("He goes home .")
    assert [(e.start, e.end) for e in annotator.annotate(source, target)] == [(1, 2)]


def test_another_training_in_the_same_folder_is_refused(interrupted):
    assert "unfinished training with different settings" in interrupted[-1]


def test_what_an_unfinished_training_learns_from_stays_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("training.run.call_in_process", lambda *_, **__: {})
    words, model = tmp_path / "words.txt", tmp_path / "pos.pt"
    words.write_text("cat\n")
    model.write_bytes(b"tagger")
    recipe = tiny()
    stage = replace(recipe.stages["tokenize"], words=str(words))
    recipe = replace(recipe, stages={**recipe.stages, "tokenize": stage})
    data, start = read_data([TRAIN], DEV, recipe), ModelFolder(tmp_path, "xx", "older", {"pos": model})
    *kept, last = data.train.sentences
    moved = replace(
        data,
        train=replace(data.train, sentences=tuple(kept)),
        dev=replace(data.dev, sentences=(last, *data.dev.sentences)),
    )

    def begin(data, start):
        train_models("xx", data, recipe, tmp_path / "out", lambda *_: None, start)

    begin(data, start)
    begin(data, start)
    with pytest.raises(UsageError, match="unfinished training"):
        begin(moved, start)
    for file in (words, model):
        before = file.read_bytes()
        file.write_bytes(b"others\n")
        with pytest.raises(UsageError, match="unfinished training"):
            begin(data, start)
        file.write_bytes(before)
    begin(data, start)


@pytest.mark.parametrize("lang", ["../xx", "Old English", ""])
def test_only_a_language_code_names_the_folder_of_models(tmp_path, lang):
    with pytest.raises(UsageError, match="language"):
        train_models(lang, read_data([TRAIN], DEV, tiny()), tiny(), tmp_path / "out", lambda *_: None)
    assert not list(tmp_path.iterdir())


def test_a_folder_of_other_models_is_refused(trained, tmp_path, monkeypatch):
    monkeypatch.setattr("training.run.call_in_process", lambda *_, **__: {})
    folder, data = tmp_path / "out", read_data([TRAIN], DEV, tiny())
    shutil.copytree(trained[0], folder)
    before = (folder / "resources.json").read_bytes()
    models = find_models(str(folder), "xx", None, "xx")
    for lang, recipe, start in (
        ("yy", tiny(), None),
        ("xx", replace(tiny(), package="xx-other"), None),
        ("xx", tiny(), models),
    ):
        with pytest.raises(UsageError, match="give another folder"):
            train_models(lang, data, recipe, folder, lambda *_: None, start)
    assert (folder / "resources.json").read_bytes() == before
    assert not (folder / ".training").exists()
    train_models("xx", data, tiny(), folder, lambda *_: None)  # the same models once more


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
    assert f"tokenize mwt pos lemma depparse on {count} sentences" in err
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

    from jperrant.packs import load_pack
    from jperrant.parse.scores import evaluate_models
    from jperrant.parse.treebank import read_treebank, stanza_document

    pack = load_pack("en")
    gold = read_treebank([DEV])
    models = find_models("compact", "en", pack.compact, "en")
    found = evaluate_models(models, gold, gold_tokens=True)
    document = stanza_document(gold)
    expected = [word.upos for s in document.sentences for word in s.words]
    pipeline = stanza.Pipeline(
        "en", dir=str(pack.compact), processors="tokenize,pos", tokenize_pretokenized=True, download_method=None,
        verbose=False,
    )  # fmt: skip
    tagged = pipeline([[word.text for word in s.words] for s in document.sentences])
    tags = [word.upos for s in tagged.sentences for word in s.words]
    assert found.scores["upos"] == pytest.approx(sum(map(str.__eq__, expected, tags)) / len(tags))
    assert found.words == len(tags)


def command(tmp_path, recipe, train=TRAIN):
    """Return the exit code of ``python -m training``, and where models are to go."""
    text = f"train: train.conllu\ndev: dev.conllu\n{recipe}"
    (tmp_path / "recipe.yaml").write_text(text, encoding="utf-8")
    for name, file in (("train", train), ("dev", DEV), ("test", DEV)):
        shutil.copy(file, tmp_path / f"{name}.conllu")
    out = tmp_path / "out"
    given = ["en", "--recipe", str(tmp_path / "recipe.yaml"), "--treebanks", str(tmp_path), "-o", str(out)]
    return main(given), out


def test_a_lemmatizer_alone_is_scored_on_tokens_only(tmp_path, capsys):
    text = "size: small\ntest: test.conllu\nonly: lemma\nstages: {lemma: {schedule: [[6, 0.004]]}}\n"
    code, out = command(tmp_path, text)
    told = capsys.readouterr().err
    assert code == 0, told
    assert "training lemma on" in told
    assert f"note: not scored on the text of {tmp_path / 'test.conllu'}: found no tokenizer" in told
    kept = json.loads((out / "scores.json").read_text())["evaluations"]
    assert [(one["gold_tokens"], "lemma" in one["scores"]) for one in kept] == [(True, True)]


def test_a_parser_alone_is_trained_on_the_tags_of_the_tagger_it_starts_from(trained, tmp_path):
    folder, _ = trained
    models = find_models(str(folder), "xx", None, "xx")
    recipe, out = replace(tiny(), only=("depparse",)), tmp_path / "models"
    scores = train_models("xx", read_data([TRAIN], DEV, recipe), recipe, out, lambda *_: None, models)
    assert set(scores) == {"depparse"}
    found = find_models(str(out), "xx", None, "xx")
    assert set(found.files) == {"depparse"}
    assert relation_file(found.files["depparse"]).is_file()
    with pytest.raises(InputError, match="a parser without a tagger"):
        evaluate_models(found, read_treebank([DEV]), gold_tokens=True)


@pytest.mark.parametrize(
    ("only", "message"),
    [("depparse", "the tags of a tagger, and there is none"), ("mwt", "the treebanks allow tokenize, pos")],
)
def test_what_cannot_be_trained_is_said_at_once(tmp_path, capsys, only, message):
    plain = tmp_path / "plain.conllu"
    lines = Path(TRAIN).read_text(encoding="utf-8").splitlines(keepends=True)
    plain.write_text("".join(x for x in lines if "-" not in x.partition("\t")[0]), encoding="utf-8")
    code, out = command(tmp_path, f"only: [{only}]", plain)
    assert code == UsageError.exit_code
    assert message in capsys.readouterr().err
    assert not out.exists()
