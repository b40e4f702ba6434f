"""UOT-ERRANT: processor time of encoding and of transport, against the way of the paper's code, in one run.

Takes sentences of CoNLL-2014 spread evenly over the file, with the encoder MiniLM. The paper's way is: every text
of every system and reference, in the order of the file, 32 at a time, padded to 128 tokens, nothing kept; and POT,
one problem at a time. Run from the root of the repository::

    python benchmarks/uot_speed.py                       # 60 sentences: encoding one system, and four
    python benchmarks/uot_speed.py --solver              # transport only, over the whole test set
    python benchmarks/uot_speed.py --device cuda         # time of one system on a GPU, whole test set
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from jperrant.core.values import Block
from jperrant.encoders import load_encoder
from jperrant.encoders.find import find_encoder
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.evaluation.metrics.registry import make_scorer
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.metrics.uot.edit_vectors import applied, changing, edit_texts, encode_edits
from jperrant.evaluation.metrics.uot.pot_solver import solve_with_pot
from jperrant.evaluation.metrics.uot.problem import problem_of
from jperrant.evaluation.metrics.uot.transport import solve_many
from jperrant.io.m2 import read_m2

FOLDER = Path(__file__).parent.parent / "tests" / "data" / "conll14"
SYSTEMS = ("AMU", "CAMB", "IITB", "INPUT")
PADDED, BATCH = 128, 32


def sample(name: str, count: int) -> list[Block]:
    blocks = list(read_m2(str(FOLDER / f"conll14{name}.errant")))
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


def cpu_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def encoding(count: int) -> None:
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(1)  # threads that wait for one another burn time on a busy machine
    folder = str(find_encoder("minilm"))
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    encoder = load_encoder("minilm")
    references = sample("", count)
    systems = {name: sample(f"-{name}", count) for name in SYSTEMS}
    encoder.embed(["warm up"])
    padded_in_order(["warm up"], tokenizer, model)
    print(f"{count} sentences, 2 references, {torch.get_num_threads()} threads, MiniLM; CPU seconds")
    print(f"{'systems':<20}{'texts':>8}{'padded':>10}{'jperrant':>10}{'ratio':>8}")
    for names in (SYSTEMS[:1], SYSTEMS):
        texts = [text for name in names for text in texts_of(systems[name], references)]
        theirs = cpu_time(lambda texts=texts: padded_in_order(texts, tokenizer, model))
        files = [references, *(systems[name] for name in names)]
        ours = cpu_time(lambda files=files: encode_edits(files, [""] * len(files), encoder))
        print(f"{'+'.join(names):<20}{len(texts):>8}{theirs:>10.2f}{ours:>10.2f}{theirs / ours:>8.1f}")


def transport(count: int, cache: str, pot: int) -> None:
    encoder = load_encoder("minilm", cache=cache)
    files = [sample(name, count) for name in ("", "-AMU", "-CAMB", "-IITB")]
    gold, *systems = encode_edits(files, [""] * len(files), encoder)
    problems = [
        problem_of(hyp, ref)
        for system in systems
        for hyps, refs in zip(system, gold, strict=True)
        for hyp in hyps
        for ref in refs
        if hyp.edits and ref.edits
    ]
    ours = min(cpu_time(lambda: solve_many(problems)) for _ in range(3)) / len(problems)
    few = problems[:: max(1, len(problems) // pot)]
    theirs = min(cpu_time(lambda: solve_with_pot(few)) for _ in range(3)) / len(few)
    sizes = [p.cost.shape for p in problems]
    mean = [sum(s[at] for s in sizes) / len(sizes) for at in (0, 1)]
    print(f"{len(problems)} problems, {mean[0]:.1f} x {mean[1]:.1f} edits on average; CPU ms per problem")
    print(f"POT {theirs * 1e3:.3f}   jperrant {ours * 1e3:.3f}   ratio {theirs / ours:.1f}")


def one_system(device: str, count: int) -> None:
    pair = Pair(sample("-AMU", count), sample("", count), "AMU")
    scorer = make_scorer("uot", encoder="minilm", device=device)
    scorer.load().embed(["warm up"])
    start = time.perf_counter()
    [score] = evaluate(scorer, [pair])
    took = time.perf_counter() - start
    print(f"{device}: AMU, {count} sentences, 2 references: {took:.1f} s, F {score.values['f']:.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, default=0, help="of 1312; 60 for encoding, else all")
    parser.add_argument("--solver", action="store_true", help="transport only")
    parser.add_argument("--pot", type=int, default=500, help="problems POT solves")
    parser.add_argument("--cache", default="", help="keep sentence vectors here")
    parser.add_argument("--device", help="time one system on this device")
    given = parser.parse_args()
    if given.solver:
        transport(given.sentences or 1312, given.cache, given.pot)
    elif given.device:
        one_system(given.device, given.sentences or 1312)
    else:
        encoding(given.sentences or 60)


if __name__ == "__main__":
    main()
