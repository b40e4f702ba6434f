"""Train the models of a pack, in a clone: ``python -m training CODE --treebanks FOLDER -o FOLDER``."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from jperrant.packs.pack import load_pack
from jperrant.parse.model_scores import About, evaluate_models, save_about, save_evaluation
from jperrant.parse.models import find_models
from jperrant.reporting.listings import format_evaluations
from training.recipe import Data, read_recipe
from training.run import train_models
from training.treebank import read_treebank


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure, and print the scores."""
    parser = ArgumentParser("python -m training", description=__doc__)
    parser.add_argument("code", help="the pack: en, zh or ko")
    parser.add_argument(
        "--treebanks", type=Path, required=True, help="folder of the files that the recipe names"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="new folder for the models")
    parser.add_argument("--recipe", type=Path, help="default: recipe.yaml beside the models of the pack")
    parser.add_argument("--start", help="folder of models to train further, by the 'further' schedules")
    given = parser.parse_args(arguments)
    code, output = given.code, given.output
    lang = load_pack(code).stanza_lang
    file = given.recipe or Path(__file__).parents[1] / "langpacks" / code / "models" / "recipe.yaml"
    recipe = read_recipe(file)
    start = find_models(given.start, lang, None, code).files if given.start else {}
    train_models(lang, recipe, Data(recipe, file, given.treebanks), output, start)
    save_about(output, About(**recipe.about))
    if recipe.test:
        _measure(output, lang, code, given.treebanks / recipe.test)


def _measure(folder: Path, lang: str, code: str, test: Path) -> None:
    """Score models on a treebank's text and on its tokens, keep the scores beside them and print them."""
    models, gold = find_models(str(folder), lang, None, code), read_treebank([test])
    found = [evaluate_models(models, gold.sentences, str(test), given) for given in (False, True)]
    for evaluation in found:
        save_evaluation(folder, evaluation)
    print(format_evaluations(found), end="")


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # vocabularies are made of sets, which the seed orders
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-W", "ignore", "-m", "training", *sys.argv[1:]])
    main()
