"""UOT-ERRANT: processor time of encoding and of transport, against the way of the paper's code, in one run.

Takes sentences of CoNLL-2014 spread evenly over the file, with the encoder MiniLM. The columns:

- ``padded``: the paper's way, which is every text of every system and reference, in the order of the file, 32 at a
  time, padded to 128 tokens, nothing kept; and POT, one problem at a time;
- ``jperrant``: each distinct text once, in batches sorted by length;
- ``products``: only the matrix products of the encoder's layers, over the tokens of the distinct texts.

Run from the root of the repository::

    python benchmarks/uot_speed.py                       # 60 sentences: encoding one system, and four
    python benchmarks/uot_speed.py --sentences 20 --shape bert   # an encoder of BERT-base's size, one system
    python benchmarks/uot_speed.py --sentences 20 --shape gpt2   # a causal one
    python benchmarks/uot_speed.py --solver              # transport only, over the whole test set
    python benchmarks/uot_speed.py --device cuda         # time of one system on a GPU, whole test set
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from jperrant.core.values import Block
from jperrant.encoders import CPU_TOKENS, Encoder, load_encoder
from jperrant.encoders.models import find_encoder
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.metrics.uot import (
    Problem,
    applied,
    changing,
    edit_texts,
    encode_edits,
    problem_of,
    solve_many,
)
from jperrant.evaluation.scorers import make_scorer
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


def shaped(kind: str, folder: str) -> str:
    """Write an encoder of a base model's size with random weights: speed does not depend on them."""
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(find_encoder("minilm")))
    torch.manual_seed(0)
    config = AutoConfig.for_model(kind, vocab_size=len(tokenizer), bos_token_id=0, eos_token_id=0)
    AutoModel.from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tokens_left(texts: Sequence[str], encoder: Encoder) -> int:
    """Return how many tokens an encoder must compute: each of each distinct text."""
    return sum(map(len, {tokens.ids for tokens in encoder._tokenize(texts)}))


def products(tokens: int, model: Any) -> None:
    """Multiply as many rows as there are tokens with the weights of all layers."""
    layers = [m for name, m in model.named_modules() if hasattr(m, "weight") and "pooler" not in name]
    weights = [m.weight.T if isinstance(m, torch.nn.Linear) else m.weight for m in layers if linear(m)]
    with torch.inference_mode():
        for start in range(0, tokens, CPU_TOKENS):
            for weight in weights:
                torch.mm(torch.ones(min(CPU_TOKENS, tokens - start), len(weight)), weight)


def linear(module: Any) -> bool:
    return type(module).__name__ in ("Linear", "Conv1D")  # the latter is GPT-2's


def encoding(count: int, name: str, sides: Sequence[tuple[str, ...]], best: int) -> None:
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(1)  # threads that wait for one another burn time on a busy machine
    folder = str(find_encoder(name))
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    encoder = load_encoder(name)
    references = sample("", count)
    systems = {system: sample(f"-{system}", count) for system in SYSTEMS}
    encoder.embed(["warm up"])
    padded_in_order(["warm up"], tokenizer, model)
    size = f"{model.config.num_hidden_layers} layers of {model.config.hidden_size}"
    print(f"{count} sentences, 2 references, {torch.get_num_threads()} thread, {size}; CPU seconds")
    heads = ("texts", "tokens", "left", "padded", "jperrant", "products")
    print(f"{'systems':<20}" + "".join(f"{head:>10}" for head in heads))
    for names in sides:
        texts = [text for name in names for text in texts_of(systems[name], references)]
        files = [references, *(systems[name] for name in names)]
        left = tokens_left(texts, encoder)
        ways = {
            "padded": lambda texts=texts: padded_in_order(texts, tokenizer, model),
            "jperrant": lambda files=files: encode_edits(files, [""] * len(files), encoder),
            "products": lambda left=left: products(left, model),
        }
        runs = [{way: cpu_time(work) for way, work in ways.items()} for _ in range(best)]
        times = {way: min(run[way] for run in runs) for way in ways}
        sizes = (len(texts), len(texts) * PADDED, left)
        print(f"{'+'.join(names):<20}" + "".join(f"{size:>10}" for size in sizes), end="")
        print("".join(f"{taken:>10.2f}" for taken in times.values()))
        ratios = "".join(f"{times['padded'] / taken:>10.1f}" for taken in times.values())
        print(f"{'times quicker':<50}{ratios}", flush=True)


def solve_by_pot(problem: Problem) -> object:
    """Return the plan as the paper's code finds it."""
    from ot.unbalanced import sinkhorn_stabilized_unbalanced

    return sinkhorn_stabilized_unbalanced(problem.a, problem.b, problem.cost, 0.1, 0.1, reg_type="kl")


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
    theirs = min(cpu_time(lambda: list(map(solve_by_pot, few))) for _ in range(3)) / len(few)
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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=0, help="of 1312; 60 or 20 for encoding, else all")
    parser.add_argument("--best", type=int, default=1, help="of so many runs, in turn, of encoding")
    parser.add_argument("--shape", choices=("bert", "gpt2"), help="encode with one of this base model's size")
    parser.add_argument("--solver", action="store_true", help="transport only")
    parser.add_argument("--pot", type=int, default=500, help="problems POT solves")
    parser.add_argument("--cache", default="", help="keep sentence vectors here")
    parser.add_argument("--device", help="time one system on this device")
    given = parser.parse_args()
    if given.solver:
        transport(given.sentences or 1312, given.cache, given.pot)
    elif given.device:
        one_system(given.device, given.sentences or 1312)
    elif given.shape:
        with tempfile.TemporaryDirectory() as folder:
            encoding(given.sentences or 20, shaped(given.shape, folder), (SYSTEMS[:1],), given.best)
    else:
        encoding(given.sentences or 60, "minilm", (SYSTEMS[:1], SYSTEMS), given.best)


if __name__ == "__main__":
    main()
