"""Small spaCy pipelines from a treebank of UD, made as those that ERRANT is used with are: for comparisons.

``ud`` keeps the names of relations of Universal Dependencies and has a morphologizer and a trained lemmatizer;
``clear`` has the names that ERRANT's rules know, an attribute ruler that maps tags to UPOS and a lemmatizer with
rules, as ``en_core_web_sm`` has. The trees are those of UD in both.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.lookups import Lookups
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.batchers import minibatch_by_words
from spacy.util import fix_random_seed

from jperrant.core.conllu import ConlluSentence, conllu_sentences
from jperrant.io.files import read_lines

KINDS = ("ud", "clear")
_WIDTH = 96
#: Relations by name; the tree stays. ``case`` means a preposition in UD, and the possessive 's in CLEAR.
_CLEAR = {
    "aux:pass": "auxpass", "nsubj:pass": "nsubjpass", "csubj:pass": "csubjpass", "obj": "dobj", "iobj": "dative",
    "nmod:poss": "poss", "compound:prt": "prt", "root": "ROOT", "flat": "compound", "obl": "pobj", "nmod": "pobj",
    "case": "prep",
}  # fmt: skip
#: Endings that a lemmatizer with rules takes off.
_ENDINGS = {
    "noun": [["s", ""], ["ies", "y"], ["ches", "ch"], ["shes", "sh"], ["xes", "x"], ["ses", "s"]],
    "verb": [["s", ""], ["ies", "y"], ["es", ""], ["ed", "e"], ["ed", ""], ["ing", "e"], ["ing", ""]],
    "adj": [["er", ""], ["est", ""], ["er", "e"], ["est", "e"]],
    "adv": [["er", ""], ["est", ""]],
}


def train(kind: str, treebank: Path, folder: Path, steps: int, sentences: int) -> None:
    """Train a pipeline and write it.

    Args:
        kind: ``ud`` or ``clear``.
        treebank: CoNLL-U.
        folder: Where the pipeline goes.
        steps: Batches of about 1,000 words.
        sentences: How many sentences of the treebank are learnt from.
    """
    fix_random_seed(0)
    read = list(conllu_sentences(read_lines(str(treebank)), str(treebank)))
    nlp = _pipeline(kind)
    examples = [_example(nlp, rows, kind) for rows in _rows(read, sentences)]
    nlp.initialize(lambda: examples)
    optimizer = nlp.create_optimizer()
    for batch in itertools.islice(_batches(examples), steps):
        nlp.update(batch, sgd=optimizer, drop=0.1)
    if kind == "clear":
        _add_rules(nlp, read)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with nlp.use_params(optimizer.averages):
        nlp.to_disk(folder)


def _pipeline(kind: str) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec", config={"model": _tok2vec()})
    shared = {"@architectures": "spacy.Tok2VecListener.v1", "width": _WIDTH, "upstream": "tok2vec"}
    tagger = {"@architectures": "spacy.Tagger.v2", "tok2vec": shared}
    nlp.add_pipe("tagger", config={"model": tagger})
    nlp.add_pipe("parser", config={"model": _parser(shared)})
    if kind == "ud":
        nlp.add_pipe("morphologizer", config={"model": tagger})
        nlp.add_pipe("trainable_lemmatizer", config={"model": tagger, "min_tree_freq": 2})
    return nlp


def _add_rules(nlp: Language, treebank: Sequence[ConlluSentence]) -> None:
    """Add what is not trained."""
    ruler = nlp.add_pipe("attribute_ruler")
    for tag, upos in _most_frequent_upos(treebank).items():
        ruler.add([[{"TAG": tag}]], {"POS": upos})  # type: ignore[attr-defined]
    lemmatizer = nlp.add_pipe("lemmatizer", config={"mode": "rule"})
    lemmatizer.initialize(lookups=_tables(treebank))  # type: ignore[attr-defined]


def _tok2vec() -> dict[str, object]:
    """Return the network of ``en_core_web_sm``, which also reads whether a space follows a word."""
    attributes = {"NORM": 5000, "PREFIX": 1000, "SUFFIX": 2500, "SHAPE": 2500, "SPACY": 50, "IS_SPACE": 50}
    return {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy.MultiHashEmbed.v2", "width": _WIDTH, "attrs": list(attributes),
            "rows": list(attributes.values()), "include_static_vectors": False,
        },
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2", "width": _WIDTH, "depth": 4, "window_size": 1,
            "maxout_pieces": 3,
        },
    }  # fmt: skip


def _parser(shared: dict[str, object]) -> dict[str, object]:
    return {
        "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "parser", "extra_state_tokens": False,
        "hidden_width": 64, "maxout_pieces": 2, "use_upper": True, "tok2vec": shared,
    }  # fmt: skip


def _rows(treebank: Sequence[ConlluSentence], most: int) -> list[list[tuple[str, ...]]]:
    sentences = [list(s.words) for s in treebank if not any(" " in w[1] for w in s.words)]
    random.Random(0).shuffle(sentences)
    return sentences[:most]


def _example(nlp: Language, rows: list[tuple[str, ...]], kind: str) -> Example:
    words = [row[1] for row in rows]
    spaces = ["SpaceAfter=No" not in row[9] for row in rows]
    gold = Doc(
        nlp.vocab, words=words, spaces=spaces, tags=[row[4] for row in rows], pos=[row[3] for row in rows],
        lemmas=[row[2] for row in rows], morphs=["" if row[5] == "_" else row[5] for row in rows],
        heads=[int(row[6]) - 1 if row[6] != "0" else n for n, row in enumerate(rows)],
        deps=[_relation(row, kind) for row in rows],
    )  # fmt: skip
    return Example(Doc(nlp.vocab, words=words, spaces=spaces), gold)


def _relation(row: tuple[str, ...], kind: str) -> str:
    relation, tag = row[7], row[4]
    if kind == "ud":
        return "ROOT" if relation == "root" else relation
    if relation == "case" and tag == "POS":
        return "case"
    if relation == "mark" and tag == "TO":
        return "aux"
    if relation == "xcomp" and tag.startswith("JJ"):
        return "acomp"
    return _CLEAR.get(relation, _CLEAR.get(relation.split(":")[0], relation.split(":")[0]))


def _most_frequent_upos(treebank: Sequence[ConlluSentence]) -> dict[str, str]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in treebank:
        for row in sentence.words:
            counts[row[4]][row[3]] += 1
    return {tag: upos.most_common(1)[0][0] for tag, upos in counts.items()}


def _tables(treebank: Sequence[ConlluSentence]) -> Lookups:
    """Return what a lemmatizer with rules looks up: known lemmas, irregular forms and endings."""
    known: defaultdict[str, set[str]] = defaultdict(set)
    irregular: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    for sentence in treebank:
        for row in sentence.words:
            form, lemma, upos = row[1].lower(), row[2].lower(), row[3].lower()
            known[upos].add(lemma)
            if lemma[:2] != form[:2]:
                irregular[upos][form] = [lemma]
    lookups = Lookups()
    lookups.add_table("lemma_index", {upos: sorted(lemmas) for upos, lemmas in known.items()})
    lookups.add_table("lemma_exc", dict(irregular))
    lookups.add_table("lemma_rules", _ENDINGS)
    return lookups


def _batches(examples: list[Example]) -> Iterator[list[Example]]:
    order = random.Random(0)
    while True:
        order.shuffle(examples)
        yield from minibatch_by_words(examples, size=1000)
