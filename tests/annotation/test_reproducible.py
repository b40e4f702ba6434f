"""Analyses are the same whatever they are batched with, on any number of threads, and change nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
from jperrant.core.values import Sentence
from jperrant.io.m2 import read_m2
from jperrant.packs.pack import load_pack
from jperrant.parse.analyser import Language
from jperrant.parse.cache import CachedParser
from jperrant.parse.compact_analyser import CompactAnalyser
from jperrant.parse.stanza_analyser import StanzaAnalyser

pytestmark = pytest.mark.models

CONLL14 = Path(__file__).parents[1] / "data" / "conll14" / "conll14.errant"
BLOCKS = [block for block in list(read_m2(str(CONLL14)))[::30] if block.source]
SENTENCES = [Sentence.from_forms(block.source) for block in BLOCKS]


def new_parser(kind=CompactAnalyser):
    return kind("compact", Language("en", "en", load_pack("en").compact))


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=20, unique=True))
def test_sentences_are_analysed_the_same_among_any_companions(parsers, chosen):
    parser = parsers["en"]
    together = parser.parse(parser.tag(chosen))
    for start in range(0, len(chosen), 3):
        part = chosen[start : start + 3][::-1]
        assert parser.parse(parser.tag(part))[::-1] == together[start : start + 3]


IN_PARTS = """
import sys
import jperrant
from jperrant.core.values import Sentence

parser = jperrant.load("en").parser
sentences = [Sentence.from_forms(line.split()) for line in sys.stdin]
step, size, found = int(sys.argv[1]), int(sys.argv[2]), {}
order = sorted(range(len(sentences)), key=lambda n: n * step % 101)
for start in range(0, len(order), size):
    part = order[start : start + size]
    found |= zip(part, parser.parse(parser.tag([sentences[n] for n in part])))
print([found[n].tokens for n in range(len(sentences))])
"""


@pytest.mark.ci
def test_the_same_on_other_processors_and_threads():
    """The kernels of a BLAS for other processors sum in other orders, as do two threads."""
    text = "\n".join(sentence.text for sentence in SENTENCES[::2])
    found = set()
    for step, size, kernels, count in (
        (1, 100, {"OPENBLAS_CORETYPE": "Haswell"}, "1"),
        (41, 3, {}, "2"),
        (1, 3, {"OPENBLAS_CORETYPE": "Sandybridge"}, "1"),
    ):
        threads = {"OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count}
        command = [sys.executable, "-c", IN_PARTS, str(step), str(size)]
        environment = os.environ | threads | kernels
        run = subprocess.run(command, input=text, env=environment, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1
    assert found.pop().count("Token(") == sum(len(sentence.tokens) for sentence in SENTENCES[::2])


@pytest.mark.ci
def test_stanzas_own_code_finds_the_same_in_any_batch():
    """Taggers and parsers in double precision, all sentences at once; lemmas sentence by sentence."""
    own = new_parser(StanzaAnalyser)
    together = own.parse(own.tag(SENTENCES[:9]))
    parts = [own.parse(own.tag(SENTENCES[start : start + 3])) for start in (6, 3, 0)]
    assert [s for part in reversed(parts) for s in part] == together
    assert torch.get_default_dtype() == torch.float32


@pytest.mark.ci
def test_threads_share_an_annotator(parsers):
    """Several threads on one annotator that has nothing loaded yet."""
    chosen = [
        (" ".join(b.source), [" ".join(apply_edits(b.source, a.edits)) for a in b.annotations])
        for b in BLOCKS[::3]
    ]
    pack = load_pack("en")
    expected = list(Annotator(pack, CachedParser(parsers["en"])).annotate_many(chosen))
    texts = ["It's raw. He can't go.", "Don't you?"]
    tokens = parsers["en"].tokenize(texts)
    shared = Annotator(pack, CachedParser(new_parser(), size=20))

    def work(first):
        found = list(shared.annotate_many(chosen[first:] + chosen[:first], batch=5 + first))
        return found == expected[first:] + expected[:first] and shared.parser.tokenize(texts) == tokens

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, range(3))) == [True] * 3
