"""Analyses have the same bits whatever they are batched with, on any number of threads, and change nothing else."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jperrant.annotation.annotator import Annotator
from jperrant.compact.layers import Packing
from jperrant.compact.parser import _ROOT
from jperrant.compact.words import Word
from jperrant.core.edits import apply_edits
from jperrant.core.values import Sentence
from jperrant.io.m2 import read_m2
from jperrant.packs.pack import load_pack
from jperrant.parse.analyser import Language
from jperrant.parse.cache import CachedParser
from jperrant.parse.compact_analyser import CompactAnalyser
from jperrant.parse.stanza_analyser import StanzaAnalyser
from tests.stages import mostly_for_ci

CONLL14 = Path(__file__).parents[1] / "data" / "conll14" / "conll14.errant"
MANY = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def new_parser(kind=CompactAnalyser):
    return kind("compact", Language("en", "en", load_pack("en").compact))


@pytest.fixture(scope="module")
def parser(parsers):
    return parsers["en"]


@pytest.fixture(scope="module")
def tagged(parser):
    """Sentences of CoNLL-2014 as their words with tags."""
    forms = [list(b.source) for b in list(read_m2(str(CONLL14)))[::24] if b.source]
    rows = parser.words(forms)
    return [[Word(*word) for word in words] for words in rows]


def scores(parser, sentences):
    """Return the states, arc scores and sides of relations of the first of some sentences, nothing known before."""
    order = sorted(range(len(sentences)), key=lambda n: -len(sentences[n]))
    place = order.index(0)
    rows = [sentences[n] for n in order]
    networks = parser.networks.tagger, parser.networks.parser
    for network in networks:
        network._characters._memory._known = {}
    forms = list(dict.fromkeys(word.form for words in rows for word in words))
    packing = Packing([len(words) for words in rows])
    taken = np.array([forms.index(word.form) for words in rows for word in words])
    states = networks[0]._lstm.run(networks[0]._project(forms), taken[packing.order], packing)
    states[packing.order] = states.copy()
    keys = [[_ROOT, *(word[:4] for word in words)] for words in rows]
    distinct = list(dict.fromkeys(key for words in keys for key in words))
    every = [[distinct.index(key) for key in words] for words in keys]
    arcs, *sides = networks[1]._scores(networks[1]._project(distinct), every)
    end = len(rows[place])
    start = sum(len(words) for words in rows[:place])
    first = slice(start + place, start + place + end + 1)
    return states[start : start + end], arcs[place, : end + 1, : end + 1], *(side[first] for side in sides)


@MANY
@given(st.data())
def test_scores_have_the_same_bits_among_any_companions(parser, tagged, data):
    chosen = data.draw(st.lists(st.integers(0, len(tagged) - 1), min_size=1, max_size=40, unique=True))
    sentences = [tagged[n] for n in chosen]
    together, alone = scores(parser, sentences), scores(parser, sentences[:1])
    assert all(np.array_equal(a, b) for a, b in zip(together, alone, strict=True))


BITS = """
import hashlib, sys
from jperrant.packs.pack import load_pack
from jperrant.parse.analyser import Language
from jperrant.parse.compact_analyser import CompactAnalyser
from jperrant.compact.words import Word

networks = CompactAnalyser("compact", Language("en", "en", load_pack("en").compact)).networks
rows = [line.split() for line in sys.stdin.read().splitlines()]
order = sorted(range(len(rows)), key=lambda n: (n * 7919) % 101) if sys.argv[1] == "mixed" else range(len(rows))
size = len(rows) if sys.argv[1] == "whole" else 3
tags, arcs = {}, {}
for start in range(0, len(rows), size):
    part = order[start : start + size]
    for n, found in zip(part, networks.tagger.tag([rows[n] for n in part])):
        tags[n] = found
    words = [[Word(form, form, *tag) for form, tag in zip(rows[n], tags[n])] for n in part]
    for n, found in zip(part, networks.arcs(words)):
        arcs[n] = found
print([(tags[n], arcs[n]) for n in range(len(rows))])
"""


@pytest.mark.ci
def test_the_same_on_other_processors_and_threads():
    """The kernels of a BLAS for other processors sum in other orders, as do two threads."""
    text = "\n".join(" ".join(b.source) for b in list(read_m2(str(CONLL14)))[::60] if b.source)
    found = set()
    for how, kernels, count in (("whole", "Haswell", 1), ("mixed", "", 2), ("parts", "Sandybridge", 1)):
        environment = {**os.environ, "OPENBLAS_CORETYPE": kernels, "OPENBLAS_NUM_THREADS": str(count)}
        environment["OMP_NUM_THREADS"] = str(count)
        if not kernels:
            del environment["OPENBLAS_CORETYPE"]
        command = [sys.executable, "-c", BITS, how]
        run = subprocess.run(command, input=text, env=environment, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1


@pytest.mark.parametrize("size", mostly_for_ci([1, 3, 7], 3))
def test_stanzas_own_code_finds_the_same_in_any_batch(tagged, size):
    """Taggers and parsers in double precision, all sentences at once; lemmas sentence by sentence."""
    own = new_parser(StanzaAnalyser)
    sentences = [Sentence.from_forms([w.form for w in words]) for words in tagged[:15]]
    together = own.parse(own.tag(sentences))
    parts = [sentences[n : n + size] for n in range(0, len(sentences), size)]
    assert [s for part in reversed(parts) for s in reversed(own.parse(own.tag(part)))] == together[::-1]
    network = own._pipelines["pos"].processors["pos"].trainer.model
    assert {weights.dtype for weights in network.parameters()} == {torch.float64}
    assert torch.get_default_dtype() == torch.float32


# Threads


@pytest.mark.ci
def test_threads_share_an_annotator(parser):
    """Several threads on one annotator that has nothing loaded yet."""
    pack, blocks = load_pack("en"), [b for b in list(read_m2(str(CONLL14)))[::90] if b.source]
    chosen = [
        (" ".join(b.source), [" ".join(apply_edits(b.source, a.edits)) for a in b.annotations])
        for b in blocks
    ]
    expected = list(Annotator(pack, CachedParser(parser)).annotate_many(chosen))
    texts = ["It's raw. He can't go.", "Don't you?"]
    tokens = parser.tokenize(texts)
    shared = Annotator(pack, CachedParser(new_parser(), size=20))

    def work(seed):
        order = random.Random(seed).sample(range(len(chosen)), len(chosen))
        found = list(shared.annotate_many([chosen[n] for n in order], batch=5 + seed))
        assert shared.parser.tokenize(texts) == tokens
        return [block for _, block in sorted(zip(order, found, strict=True), key=lambda pair: pair[0])]

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, range(3))) == [expected] * 3
