"""Train the models of a pack, in a clone: ``python -m training CODE --treebanks FOLDER -o FOLDER``."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from jperrant.core.errors import JperrantError
from jperrant.core.messages import naming_options
from jperrant.packs.pack import load_pack
from jperrant.parse.models import find_models
from jperrant.parse.scores import About, evaluate_models, hindrance, save_about, save_evaluation
from jperrant.reporting.listings import format_evaluations
from training.loop import Report, log_report
from training.recipe import read_data, read_recipe
from training.run import train_models
from training.treebank import read_treebank


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, measure, and print the scores; return the exit code."""
    parser = ArgumentParser("python -m training", description=__doc__)
    parser.add_argument("code", help="the pack: en, zh or ko")
    parser.add_argument(
        "--treebanks", type=Path, required=True, help="folder of the files that the recipe names"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder for the models")
    parser.add_argument("--recipe", type=Path, help="default: recipe.yaml beside the models of the pack")
    parser.add_argument("--start", help="folder of models to train further, by the 'further' schedules")
    given = parser.parse_args(arguments)
    try:
        with naming_options():
            _train(given.code, given.treebanks, given.output, given.recipe, given.start)
    except JperrantError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _train(code: str, treebanks: Path, output: Path, recipe: Path | None, start: str | None) -> None:
    pack = load_pack(code)
    embedded = Path(__file__).parent.parent / "langpacks" / pack.code / "models"
    plan = read_recipe(recipe or embedded / "recipe.yaml")
    data = read_data(plan, treebanks)
    older = find_models(start, pack.stanza_lang, None, code) if start else None
    words = data.train.word_count
    _tell(f"training {' '.join(plan.stages)} on {len(data.train.sentences):,} sentences, {words:,} words")
    train_models(pack.stanza_lang, data, plan, output, _report(), older)
    save_about(output, About(plan.about.get("licence", ""), plan.about.get("sources", "")))
    if not plan.test:
        return
    models = find_models(str(output), pack.stanza_lang, None, code)
    gold = read_treebank([str(treebanks / plan.test)])
    found = []
    for gold_tokens in (False, True):
        if reason := hindrance(models, gold_tokens):
            given = "tokens" if gold_tokens else "text"
            _tell(f"note: not scored on the {given} of {gold.name}: {reason}")
        else:
            found.append(evaluate_models(models, gold.sentences, gold.name, gold_tokens))
            save_evaluation(output, found[-1])
    print(format_evaluations(found), end="")


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


def _report() -> Report:
    """Return a report of the training: lines, and on a terminal the step at hand between them."""

    def write(line: str) -> None:
        lasting = "dev" in line or not sys.stderr.isatty()
        print(line if lasting else f"\r{line}  ", end="\n" if lasting else "", file=sys.stderr, flush=True)

    return log_report(write, every=10 if sys.stderr.isatty() else 100)


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # vocabularies are made of sets, which the seed orders
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-W", "ignore", "-m", "training", *sys.argv[1:]])
    sys.exit(main())
