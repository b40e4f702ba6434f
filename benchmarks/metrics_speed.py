#!/usr/bin/env python3
"""How many CPU seconds does each metric need for a CoNLL-2014 system, compared with published programs?

    python benchmarks/metrics_speed.py [METRIC ...]
    python benchmarks/metrics_speed.py --encoding            # UOT-ERRANT with MiniLM: one system, and four

Metrics: one system against two references, reading included, the best of three rounds. The published M2 scorer
needs Python 2; its figure was measured once (10 to 15 s a system).

Encoding: ``padded`` is the paper's way, every text of every system and reference in the order of the file, 32 at a
time, padded to 128 tokens, nothing kept; jperrant encodes each distinct text once, in batches sorted by length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from bench import CONLL, Row, best, faster, parser_of
from ot.unbalanced import sinkhorn_stabilized_unbalanced
from transformers import AutoModel, AutoTokenizer

from jperrant import read_m2
from jperrant.core.values import Block
from jperrant.encoders.hugging_face import find_encoder
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metrics.base import annotations_of
from jperrant.evaluation.metrics.uot import (
    Problem,
    applied,
    changing,
    edit_texts,
    encode_texts,
    problem_of,
    solve_many,
    texts_of_edits,
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


def print_metrics(metrics: Sequence[str]) -> None:
    """Print the table of metrics."""
    print(f"{'metric':<26}{'system':<8}{'CPU s':>8}")
    for metric in metrics:
        for system in SYSTEMS[:2]:
            print(f"{metric:<26}{system:<8}{metric_seconds(metric, system):>8.2f}", flush=True)


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


def encoding(count: int, names: Sequence[str]) -> tuple[dict[str, int], dict[str, float]]:
    """Return sizes and the CPU seconds of each way to encode systems and references."""
    torch.set_num_threads(1)  # threads that wait for one another burn time on a busy machine
    folder = str(find_encoder("minilm"))
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    encoder = EncoderOptions("minilm").load()
    references = sample("", count)
    systems = [sample(f"-{system}", count) for system in names]
    encoder.embed(["warm up"])
    padded_in_order(["warm up"], tokenizer, model)
    texts = [text for system in systems for text in texts_of(system, references)]
    files = [references, *systems]
    times = {
        "padded": best(lambda: padded_in_order(texts, tokenizer, model), 1),
        "jperrant": best(lambda: encode_texts([texts_of_edits(file, "") for file in files], encoder), 1),
    }
    return {"texts": len(texts), "tokens": len(texts) * PADDED}, times


def print_encoding(count: int) -> None:
    """Print a row for one system, and for several."""
    for number, names in enumerate((SYSTEMS[:1], SYSTEMS)):
        sizes, times = encoding(count, names)
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
    gold, *systems = encode_texts(
        [texts_of_edits(file, "") for file in files], EncoderOptions("minilm").load()
    )
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
    _, times = encoding(20, SYSTEMS[:1])
    question = "UOT-ERRANT, encoding with MiniLM: texts padded, as in the paper"
    yield faster(question, times["jperrant"], times["padded"])
    _, ours, theirs = transport(100, 100)
    yield faster("UOT-ERRANT, one transport problem: POT", ours, theirs)


def main() -> None:
    """Print the table that is asked for."""
    parser = parser_of(__doc__)
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="only these metrics")
    parser.add_argument("--encoding", action="store_true", help="UOT-ERRANT's encoding")
    parser.add_argument("--sentences", type=int, default=60, help="sentences to encode, of 1312")
    given = parser.parse_args()
    if given.encoding:
        print_encoding(given.sentences)
    else:
        print_metrics(given.metrics or METRICS)


if __name__ == "__main__":
    main()
