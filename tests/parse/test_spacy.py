"""spaCy's pipelines: ERRANT's M2 on the same analysis, batches that change nothing, what pipelines lack."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import jperrant
from jperrant.annotation.annotator import Annotator, annotator_of
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.fingerprint import fingerprint
from jperrant.core.errors import (
    CorruptModelError,
    InputError,
    MissingExtraError,
    MissingModelError,
    UsageError,
)
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, format_block
from jperrant.parse.analyser import Language, Scheme, find_analyser
from jperrant.parse.spacy_analyser import Pipeline, SpacyAnalyser
from tests.stages import mostly_for_ci

pytestmark = pytest.mark.models

SAMPLE = json.loads(
    gzip.decompress((Path(__file__).parents[1] / "data" / "errant" / "spacy.json.gz").read_bytes())
)
RECORDS = [Parallel(sentence_of(s), tuple(map(sentence_of, cs))) for s, *cs in SAMPLE["records"]]
ENGLISH = Language("en", "en", renames=True)
TEXTS = [
    "He go home .",
    "Me too !",
    "I likes the cats which sleeps , and you ?",
    "No",
    "a b c d e f g h i j k " * 9,
]


@pytest.fixture(scope="module")
def spacy() -> Any:
    """spaCy, with a component that gives the analyses of the sample, and one that joins tokens."""
    library = pytest.importorskip("spacy")
    assigned = ["token.tag", "token.pos", "token.lemma", "token.dep", "token.head"]
    library.Language.factory("jperrant_stored", assigns=assigned, default_config={"kind": "ud"}, func=stored)
    library.Language.component("jperrant_joining", func=joining)
    return library


def stored(nlp: Any, name: str, kind: str) -> Any:
    analyses = {tuple(text.split()): rows for text, rows in SAMPLE[kind]["analyses"].items()}

    def analyse(doc: Any) -> Any:
        for token, row in zip(doc, analyses.get(tuple([t.text for t in doc]), []), strict=False):
            token.lemma_, token.pos_, token.tag_ = row[:3]
            token.set_morph(row[3])
            token.head, token.dep_ = doc[row[4]], row[5]
        return doc

    return analyse


def joining(doc: Any) -> Any:
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[:2])
    return doc


def on_disk(nlp: Any, folder: Path) -> str:
    """Write a pipeline and return what ``--models`` takes."""
    nlp.to_disk(folder)
    return f"spacy:{folder}"


WORDS = {
    "@architectures": "spacy.HashEmbedCNN.v2", "width": 16, "depth": 2, "embed_size": 100, "window_size": 1,
    "maxout_pieces": 2, "subword_features": True, "pretrained_vectors": None,
}  # fmt: skip
TAGGER = {"@architectures": "spacy.Tagger.v2", "tok2vec": WORDS}
PARSER = {
    "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "parser", "extra_state_tokens": False,
    "hidden_width": 8, "maxout_pieces": 2, "use_upper": True, "tok2vec": WORDS,
}  # fmt: skip


def untaught(spacy: Any, relations: Sequence[str] = ("dobj", "nsubj", "prep", "det")) -> Any:
    """Return a pipeline with networks that nothing was taught: their answers are wild, and differ word by word."""
    nlp = spacy.blank("en")
    tagger = nlp.add_pipe("tagger", config={"model": TAGGER})
    morphologizer = nlp.add_pipe("morphologizer", config={"model": TAGGER})
    parser = nlp.add_pipe("parser", config={"model": PARSER})
    for tag, upos in (("NN", "NOUN"), ("VB", "VERB"), ("DT", "DET"), ("JJ", "ADJ")):
        tagger.add_label(tag)
        morphologizer.add_label(f"POS={upos}")
    for relation in relations:
        parser.add_label(relation)
    spacy.util.fix_random_seed(0)
    nlp.initialize()
    return nlp


@pytest.fixture(scope="module")
def networks(spacy: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    return on_disk(untaught(spacy), tmp_path_factory.mktemp("spacy") / "networks")


@pytest.fixture
def analyser(networks: str) -> SpacyAnalyser:
    found = find_analyser(networks, ENGLISH)
    assert isinstance(found, SpacyAnalyser)
    return found


@pytest.mark.parametrize("kind", mostly_for_ci(["ud", "clear"], "clear"))
def test_the_m2_of_errant_on_the_same_pipeline(spacy: Any, kind: str, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("jperrant_stored", config={"kind": kind})
    models = on_disk(nlp, tmp_path / kind)
    assert not Pipeline(models.partition(":")[2])._batches, (
        "another package's component sees one text at a time"
    )
    loaded = jperrant.load("en", models=models)
    for merging, lev, expected in SAMPLE[kind]["m2"]:
        annotator = Annotator(loaded.pack, loaded.parser, AnnotatorOptions(merging=merging, lev=lev))
        assert "".join(map(format_block, annotator.annotate_many(RECORDS, batch=7))) == expected


@pytest.mark.ci
def test_tokens_have_what_spacy_says_of_each_text_alone(spacy: Any, analyser: SpacyAnalyser) -> None:
    nlp = spacy.load(analyser.pipeline.folder)
    assert analyser.pipeline._batches
    sentences = [sentence_of(text) for text in TEXTS]
    together = analyser.parse(analyser.tag(sentences))
    assert analyser.tag(sentences[::-1])[::-1] == together
    for sentence, found in zip(sentences, together, strict=True):
        doc = nlp(spacy.tokens.Doc(nlp.vocab, list(sentence.forms)))
        expected = [(t.tag_, t.pos_, t.lemma_, t.dep_, 0 if t.head == t else t.head.i + 1) for t in doc]
        assert [(t.xpos, t.upos, t.lemma, t.deprel, t.head) for t in found.tokens] == expected
        assert [(t.form, t.start, t.end) for t in found.tokens] == [
            (t.form, t.start, t.end) for t in sentence.tokens
        ]


def loaded(models: str, **options: Any) -> Annotator:
    """Return an annotator; what the pipeline lacks is not of interest."""
    with warnings.catch_warnings(action="ignore"):
        return jperrant.load("en", models=models, **options)


RAW = "He  go\thome. Me\u00a0too! \u200bSo   do\u3000I\u2028 (really)."


@pytest.mark.ci
def test_raw_text_is_segmented_by_spacy_and_analysed_once(spacy: Any, analyser: SpacyAnalyser) -> None:
    (sentences, nothing, again) = analyser.tokenize([RAW, " \t", RAW])
    assert again == sentences
    assert nothing == []
    assert "".join(t.form for s in sentences for t in s.tokens) == "".join(RAW.split())
    assert all(s.text[t.start : t.end] == t.form for s in sentences for t in s.tokens)
    assert all(s.text in RAW for s in sentences)
    doc = spacy.load(analyser.pipeline.folder)(RAW)
    kept = [t for t in doc if t.text.strip()]
    assert [(t.form, t.xpos, t.deprel) for s in sentences for t in s.tokens] == [
        (t.text, t.tag_, t.dep_) for t in kept
    ]
    assert analyser.parse(analyser.tag(sentences)) == sentences, "the analysis of the text is kept"


@pytest.mark.ci
def test_whole_texts_and_words(networks: str) -> None:
    annotator = loaded(networks, tokens="words")
    (block,) = annotator.annotate_many([("I don't know.Me too", "I do not know. Me too")])
    assert block.source == ("I", "do", "n't", "know", ".", "Me", "too")
    (edit,) = [e for e in block.annotations[0].edits if e.start == 2]
    assert (edit.correction, edit.type) == (("not",), "R:CONTR")
    blocks = loaded(networks).annotate_many([("He go. Me too", "He goes. Me too")], raw=True)
    assert [t for b in blocks for t in b.source] == ["He", "go", ".", "Me", "too"]


def test_given_tags_and_heads_stay(analyser: SpacyAnalyser) -> None:
    (tagged,) = analyser.tag([sentence_of("He go home .")])
    mine = replace(
        tagged, tokens=tuple([t._replace(upos="X", xpos="FW", head=None, deprel="") for t in tagged.tokens])
    )
    (found,) = analyser.parse(analyser.tag([mine]))
    assert [(t.upos, t.xpos) for t in found.tokens] == [("X", "FW")] * 4
    assert [(t.head, t.deprel) for t in found.tokens] == [(t.head, t.deprel) for t in tagged.tokens]
    bare = replace(mine, tokens=tuple([t._replace(upos="", head=0, deprel="mine") for t in mine.tokens]))
    (found,) = analyser.tag([bare])
    assert {(t.head, t.deprel) for t in found.tokens} == {(0, "mine")}
    assert [t.upos for t in found.tokens] == [t.upos for t in tagged.tokens]


# Bad input


@pytest.mark.ci
def test_what_a_pipeline_lacks_is_said(spacy: Any, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("attribute_ruler").add([[{"LOWER": "a"}]], {"TAG": "DT", "POS": "DET"})
    models = on_disk(nlp, tmp_path / "rules")
    with pytest.warns(UserWarning, match=r"no lemmas \(no lemmatizer\).*no relations \(no parser\)") as said:
        annotator = jperrant.load("en", models=models)
    assert len(said) == 1
    assert "tags" not in str(said[0].message)
    (edit,) = annotator.annotate("I have cat", "I have a cat")
    assert edit.type == "M:DET"
    with pytest.raises(UsageError, match=r"has no tagger, lemmatizer or parser"):
        jperrant.load("en", models=on_disk(spacy.blank("en"), tmp_path / "blank"))


@pytest.mark.ci
@pytest.mark.parametrize(
    ("scheme", "relations", "expected"),
    [
        (
            "clear",
            "nsubj obj obl",
            r"relations of Universal Dependencies; they are used unchanged.*,scheme=ud",
        ),
        ("ud", "nsubj dobj prep", r"in the CLEAR style.*remove scheme=ud"),
        ("ud", "nsubj obj", ""),
        ("clear", "sb oa", ""),
    ],
)
def test_another_scheme_than_the_rules_read_is_said(
    scheme: str, relations: str, expected: str, spacy: Any, tmp_path: Path
) -> None:
    models = on_disk(untaught(spacy, relations.split()), tmp_path / "p")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        jperrant.load("en", models=f"{models},scheme={scheme}")
        jperrant.load("sv", models=f"{models},scheme={scheme},language=any", dictionary="none")
    about = [str(w.message) for w in said if re.search("relations of|CLEAR", str(w.message))]
    assert bool(about) == bool(expected)
    assert all(re.search(expected, line) for line in about)


def test_another_language_and_options(networks: str) -> None:
    with pytest.raises(UsageError, match=r"for the language 'en', but the texts are in 'sv'.*,language=any"):
        jperrant.load("sv", models=networks, dictionary="none")
    find_analyser(f"{networks},language=any", Language("sv", "sv"))
    find_analyser(networks, Language("generic"))
    with pytest.raises(UsageError, match=r"unknown option 'scheme=du'.*mean 'scheme=ud"):
        find_analyser(f"{networks},scheme=du", ENGLISH)
    assert find_analyser(f"{networks},scheme=ud", ENGLISH).scheme is Scheme.UD


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("en_core_web_xxl", "run: python -m spacy download en_core_web_xxl$"), ("./none", "no such folder"),
        ("./file", "is a file"), (".", "expected a spaCy pipeline"), ("", "without a pipeline"),
    ],
)  # fmt: skip
def test_what_is_no_pipeline(
    name: str, expected: str, copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    with pytest.raises(MissingModelError if name else UsageError, match=expected):
        find_analyser(f"spacy:{name}", ENGLISH)


@pytest.fixture
def copied(networks: str, tmp_path: Path) -> Path:
    folder = tmp_path / "copied"
    shutil.copytree(networks.removeprefix("spacy:"), folder)
    return folder


@pytest.mark.ci
def test_damaged_pipelines(copied: Path) -> None:
    (copied / "tagger" / "model").write_bytes(b"\x91")
    with pytest.raises(CorruptModelError, match=r"spacy:.*copied cannot be loaded"):
        loaded(f"spacy:{copied}")
    (copied / "meta.json").write_text("[]")
    with pytest.raises(CorruptModelError, match=r"meta\.json: found list, expected a mapping"):
        find_analyser(f"spacy:{copied}", ENGLISH)


@pytest.mark.ci
def test_another_spacy_and_missing_packages(spacy: Any, copied: Path) -> None:
    meta = json.loads((copied / "meta.json").read_text())
    (copied / "meta.json").write_text(json.dumps(meta | {"spacy_version": ">=2.1,<2.2"}))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        jperrant.load("en", models=f"spacy:{copied}")
    (line,) = [str(w.message) for w in said if "2.1" in str(w.message)]
    assert f"made for spaCy >=2.1,<2.2, but {spacy.__version__} is installed" in line
    shutil.rmtree(copied / "parser")
    required = r"made for spaCy >=2\.1,<2\.2.*run: pip install 'spacy>=2\.1,<2\.2'"
    with pytest.raises(MissingExtraError, match=required):
        loaded(f"spacy:{copied}")
    (copied / "meta.json").write_text(json.dumps(meta | {"requirements": ["no-such-package>=1,<2"]}))
    with pytest.raises(MissingExtraError, match=r"run: pip install 'no-such-package>=1,<2'"):
        loaded(f"spacy:{copied}")


@pytest.mark.ci
def test_components_that_change_the_tokens(spacy: Any, analyser: SpacyAnalyser, tmp_path: Path) -> None:
    nlp = spacy.load(analyser.pipeline.folder)
    nlp.add_pipe("jperrant_joining")
    annotator = loaded(on_disk(nlp, tmp_path / "p"))
    with pytest.raises(InputError, match=r"changes the given tokens.*jperrant_joining"):
        annotator.annotate("He go", "He goes")


def test_the_fingerprint_is_of_the_files_and_of_spacy(spacy: Any, networks: str, copied: Path) -> None:
    here = fingerprint(AnnotatorOptions("en", f"spacy:{copied}"))
    assert f"spacy {spacy.__version__}" in here
    assert fingerprint(AnnotatorOptions("en", f"spacy:{copied},scheme=ud")) != here
    (copied / "vocab" / "strings.json").write_text("[]")
    assert fingerprint(AnnotatorOptions("en", f"spacy:{copied}")) != here


@pytest.mark.ci
def test_worker_processes(networks: str) -> None:
    records = [Parallel(sentence_of(a), (sentence_of(b),)) for a, b in pairwise(TEXTS)]
    options = AnnotatorOptions("en", networks)
    with pytest.warns(UserWarning, match="no lemmas") as said:
        found = list(annotator_of(options).annotate_many(records, jobs=2, batch=2))
    assert len(said) == 1
    assert found == list(loaded(networks).annotate_many(records))
