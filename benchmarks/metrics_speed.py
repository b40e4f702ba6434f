#!/usr/bin/env python3
"""What does a system of CoNLL-2014 cost in each metric, beside published programs, in CPU seconds of one thread?

    python benchmarks/metrics_speed.py [METRIC ...] [--m2scorer FOLDER --python2 PROGRAM]
    python benchmarks/metrics_speed.py --encoding            # UOT-ERRANT with MiniLM: one system, and four
    python benchmarks/metrics_speed.py --encoding --shape bert --sentences 20   # an encoder of BERT-base's size
    python benchmarks/metrics_speed.py --transport           # UOT-ERRANT's transport, beside POT

Metrics: one system against two references, reading included, the best of three rounds. ``--m2scorer`` is a checkout
of nusnlp/m2scorer, which needs Python 2; without it its figure is one that was measured before (10 to 15 s a
system). Sentences on which MaxMatch's lattice is as large as can be follow.

Encoding: ``padded`` is the paper's way, every text of every system and reference in the order of the file, 32 at a
time, padded to 128 tokens, nothing kept; jperrant encodes each distinct text once, in batches sorted by length.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from bench import CONLL, Row, best, faster, parser_of
from ot.unbalanced import sinkhorn_stabilized_unbalanced
from transformers import AutoConfig, AutoModel, AutoTokenizer

from jperrant import read_m2
from jperrant.core.values import Annotation, Block, Edit
from jperrant.encoders import load_encoder
from jperrant.encoders.models import find_encoder
from jperrant.evaluation.metrics.base import annotations_of
from jperrant.evaluation.metrics.texts import corrected_texts
from jperrant.evaluation.metrics.uot import (
    Problem,
    applied,
    changing,
    edit_texts,
    encode_edits,
    problem_of,
    solve_many,
)
from jperrant.evaluation.scoring import score

METRICS = (
    "errant", "cleme2", "m2", "m2:level=sentence", "goto", "gleu", "gleu:variant=corrected", "green", "imeasure",
    "wer", "cer",
)  # fmt: skip
SYSTEMS = ("AMU", "CAMB", "IITB", "INPUT")
GOLD = CONLL / "conll14.errant"
#: CPU seconds of the published M2 scorer for a system, at least, where it was measured before.
M2SCORER = 10.0
PADDED, BATCH = 128, 32


def metric_seconds(metric: str, system: str) -> float:
    """Return the CPU seconds of one system."""
    path = str(CONLL / f"conll14-{system}.errant")
    return best(lambda: score(path, str(GOLD), metrics=metric))


def m2scorer_seconds(folder: Path, python: str, system: str) -> float:
    """Return the CPU seconds of the published M2 scorer."""
    path = CONLL / f"conll14-{system}.errant"
    with tempfile.TemporaryDirectory() as name:
        text = Path(name) / "system.txt"
        texts = corrected_texts(list(read_m2(str(path))), path.name)
        text.write_text("".join(" ".join(versions[0][1]) + "\n" for versions in texts), "utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        program = [python, "scripts/m2scorer.py", str(text), str(GOLD)]
        subprocess.run(program, check=True, capture_output=True, cwd=folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def hostile_sentences() -> dict[str, tuple[list[str], list[str]]]:
    """Return sentences on which a lattice of alignments is as large as can be."""
    return {
        "118 words, none in common": ([f"a{n}" for n in range(118)], [f"b{n}" for n in range(118)]),
        "800 words, none in common": ([f"a{n}" for n in range(800)], [f"b{n}" for n in range(800)]),
        "repeated n-grams": (["a", "b"] * 100, ["b", "a", "c"] * 60),
        "one word 200 times": (["a"] * 200, ["a"] * 100),
    }


def hostile_seconds(source: list[str], text: list[str]) -> float:
    """Return the CPU seconds of one sentence in MaxMatch."""
    system = [Block(tuple(source), (Annotation(0, (Edit(0, len(source), tuple(text), "R:OTHER"),)),))]
    return best(lambda: score(system, system, metrics="m2"), 1)


def print_metrics(given: argparse.Namespace) -> None:
    """Print the table of metrics, and that of sentences."""
    print(f"{'metric':<26}{'system':<8}{'CPU s':>8}{'published':>11}{'times':>8}")
    for metric in given.metrics or METRICS:
        for system in SYSTEMS[:2]:
            seconds, other = metric_seconds(metric, system), None
            if metric == "m2":
                run = given.m2scorer is not None
                other = m2scorer_seconds(given.m2scorer, given.python2, system) if run else M2SCORER
            beside = f"{other:>11.2f}{other / seconds:>8.1f}" if other else ""
            print(f"{metric:<26}{system:<8}{seconds:>8.2f}{beside}", flush=True)
    if not given.metrics or "m2" in given.metrics:
        for name, texts in hostile_sentences().items():
            print(f"{'m2, ' + name:<34}{hostile_seconds(*texts):>8.2f}", flush=True)


def sample(name: str, count: int) -> list[Block]:
    """Return sentences spread evenly over the file of a system."""
    blocks = list(read_m2(str(CONLL / f"conll14{name}.errant")))
    step = max(1, len(blocks) // count)
    return blocks[::step][:count]


def texts_of(blocks: Sequence[Block], others: Sequence[Block]) -> list[str]:
    """What the paper's code encodes for one system: hypothesis and references of each sentence, all over again."""
    found = []
    for pair in zip(blocks, others, strict=True):
        for block in pair:
            for annotation in annotations_of(block):
                edits = changing(annotation)
                found.append(applied(block.source, edits))
                found += [other for _, other in edit_texts(block.source, edits)]
    return found


def padded_in_order(texts: Sequence[str], tokenizer: Any, model: Any) -> None:
    """Encode texts as the paper's code does."""
    for start in range(0, len(texts), BATCH):
        given = tokenizer(
            list(texts[start : start + BATCH]),
            max_length=PADDED,
            padding="max_length",
            truncation=True,
            return_tensors="pt",
        )
        with torch.inference_mode():
            hidden = model(**given).last_hidden_state
            mask = given["attention_mask"][..., None]
            (hidden * mask).sum(1) / mask.sum(1)


def shaped(kind: str, folder: str) -> str:
    """Write an encoder of a base model's size with random weights: speed does not depend on them."""
    tokenizer = AutoTokenizer.from_pretrained(str(find_encoder("minilm")))
    torch.manual_seed(0)
    config = AutoConfig.for_model(kind, vocab_size=len(tokenizer), bos_token_id=0, eos_token_id=0)
    AutoModel.from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def encoding(count: int, name: str, names: Sequence[str]) -> tuple[dict[str, int], dict[str, float]]:
    """Return sizes and the CPU seconds of each way to encode systems and references."""
    torch.set_num_threads(1)  # threads that wait for one another burn time on a busy machine
    folder = str(find_encoder(name))
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    encoder = load_encoder(name)
    references = sample("", count)
    systems = [sample(f"-{system}", count) for system in names]
    encoder.embed(["warm up"])
    padded_in_order(["warm up"], tokenizer, model)
    texts = [text for system in systems for text in texts_of(system, references)]
    files = [references, *systems]
    times = {
        "padded": best(lambda: padded_in_order(texts, tokenizer, model), 1),
        "jperrant": best(lambda: encode_edits(files, [""] * len(files), encoder), 1),
    }
    return {"texts": len(texts), "tokens": len(texts) * PADDED}, times


def print_encoding(count: int, name: str, sides: Sequence[Sequence[str]]) -> None:
    """Print a row for one system, and for several."""
    for number, names in enumerate(sides):
        sizes, times = encoding(count, name, names)
        if number == 0:
            print(f"{count} sentences, 2 references; CPU seconds of one thread")
            print(f"{'systems':<20}" + "".join(f"{head:>10}" for head in (*sizes, *times)))
        print(f"{'+'.join(names):<20}" + "".join(f"{size:>10}" for size in sizes.values()), end="")
        print("".join(f"{taken:>10.2f}" for taken in times.values()))
        print(
            f"{'times quicker':<50}" + "".join(f"{times['padded'] / t:>10.1f}" for t in times.values()),
            flush=True,
        )


def solve_by_pot(problem: Problem) -> object:
    """Return the plan as the paper's code finds it."""
    return sinkhorn_stabilized_unbalanced(problem.a, problem.b, problem.cost, 0.1, 0.1, reg_type="kl")


def transport(count: int, pot: int) -> tuple[int, float, float]:
    """Return the number of problems, and the CPU seconds of one by jperrant and by POT."""
    files = [sample(name, count) for name in ("", "-AMU", "-CAMB", "-IITB")]
    gold, *systems = encode_edits(files, [""] * len(files), load_encoder("minilm"))
    problems = [
        problem_of(hyp, ref)
        for system in systems
        for hyps, refs in zip(system, gold, strict=True)
        for hyp in hyps
        for ref in refs
        if hyp.edits and ref.edits
    ]
    few = problems[:: max(1, len(problems) // pot)]
    theirs = best(lambda: list(map(solve_by_pot, few))) / len(few)
    return len(problems), best(lambda: solve_many(problems)) / len(problems), theirs


def rows() -> Iterator[Row]:
    """Yield MaxMatch beside its program, and UOT-ERRANT beside the paper's way."""
    yield faster(
        "MaxMatch, CoNLL-2014: m2scorer, measured once elsewhere", metric_seconds("m2", "AMU"), M2SCORER
    )
    _, times = encoding(20, "minilm", SYSTEMS[:1])
    question = "UOT-ERRANT, encoding with MiniLM: texts padded, as in the paper"
    yield faster(question, times["jperrant"], times["padded"])
    _, ours, theirs = transport(100, 100)
    yield faster("UOT-ERRANT, a problem of transport: POT", ours, theirs)


def main() -> None:
    """Print the table that is asked for."""
    parser = parser_of(__doc__)
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="only these metrics")
    parser.add_argument("--m2scorer", type=Path, help="a checkout of nusnlp/m2scorer")
    parser.add_argument("--python2", default="python2.7", help="the program that runs Python 2")
    parser.add_argument("--encoding", action="store_true", help="UOT-ERRANT's encoding")
    parser.add_argument("--shape", choices=("bert", "gpt2"), help="encode with one of this base model's size")
    parser.add_argument("--transport", action="store_true", help="UOT-ERRANT's transport")
    parser.add_argument("--sentences", type=int, default=60, help="of 1312, for encoding and transport")
    given = parser.parse_args()
    if given.transport:
        count, ours, theirs = transport(given.sentences, 500)
        print(f"{count} problems; CPU ms per problem: POT {theirs * 1e3:.3f}, jperrant {ours * 1e3:.3f}")
    elif given.shape:
        with tempfile.TemporaryDirectory() as folder:
            print_encoding(given.sentences, shaped(given.shape, folder), (SYSTEMS[:1],))
    elif given.encoding:
        print_encoding(given.sentences, "minilm", (SYSTEMS[:1], SYSTEMS))
    else:
        print_metrics(given)


if __name__ == "__main__":
    main()
