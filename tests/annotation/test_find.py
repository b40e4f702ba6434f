"""Searching corpora: the queries that L2-UD saves, M2, single tokens, every format, and bad input."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.find import search
from jperrant.core.errors import FormatError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.io.m2 import read_m2, write_m2
from tests.commands import printed, refused

M2 = """\
S she go to school
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S he go
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

"""
run = partial(printed, "find")


def conllu(*sentences: str) -> str:
    """Return CoNLL-U of sentences in the short form ``form/UPOS/lemma/FEATS/head/deprel``."""
    text = ""
    for number, sentence in enumerate(sentences, start=1):
        text += f"# sent_id = s{number}\n"
        for place, word in enumerate(sentence.split(), start=1):
            form, upos, lemma, feats, head, deprel = (word.split("/") + [""] * 6)[:6]
            row = (place, form, lemma or "_", upos, "_", feats or "_", head or "_", deprel or "_", "_", "_")
            text += "\t".join(map(str, row)) + "\n"
        text += "\n"
    return text


LA, IL = "la/DET/il/Gender=Fem/2/det", "il/DET/il/Gender=Masc/2/det"
LIBRO, SENTENCE = "libro/NOUN/libro/Gender=Masc/0/root", "libro/NOUN/libro//0/root"
AVEVANO, SNABB = "avevano/AUX/avere/Number=Plur", "snabb/ADJ/snabb"
UNO, NESSUNO = "ci/PRON/ci è/AUX/essere uno/PRON/uno", "ci/PRON/ci è/AUX/essere nessuno/PRON/nessuno"
DEN, BIL, BILEN = "den/DET/den/Definite=Def/2/det", "bil/NOUN/bil/Definite=Ind", "bilen/NOUN/bil/Definite=Def"
#: For each query of docs/find.md a pair of sentences that it finds, and one that it does not. Of L2-UD, which saves
#: such queries, are their names and what they mean, not their text.
QUERIES = {
    "it/IDG": (f"{LA} {LIBRO}", f"{IL} {LIBRO}", f"{LA} {LIBRO}", f"{LA.replace('la', 'lo')} {LIBRO}"),
    "it/IDG1": (
        f"{LA} {LIBRO}", f"{IL} {LIBRO}",
        f"{LA} mano/NOUN/mano/Gender=Fem/0/root", f"{IL} mano/NOUN/mano/Gender=Fem/0/root",
    ),
    "it/ING": (
        "figlio/NOUN/figlio/Gender=Masc", "figlia/NOUN/figlia/Gender=Fem",
        "figlio/NOUN/figlio/Gender=Masc|Number=Sing", "figli/NOUN/figlio/Gender=Masc|Number=Plur",
    ),
    "it/IVN": (AVEVANO, "aveva/AUX/avere/Number=Sing", AVEVANO, "hanno/AUX/avere/Number=Plur"),
    "it/MD": (
        f"mio/DET/mio//2/det:poss {SENTENCE}", f"il/DET/il//3/det mio/DET/mio//3/det:poss {SENTENCE}",
        SENTENCE, f"il/DET/il//2/det {SENTENCE}",
    ),
    "it/RD": (f"non/ADV/non {UNO}", f"non/ADV/non {NESSUNO}", UNO, NESSUNO),
    "sv/M-Adj-adv": ("snabbt/ADV/snabbt", SNABB, SNABB, "snabbt/ADV/snabbt"),
    "sv/M-Case": (
        "han/PRON/han/Case=Nom", "honom/PRON/han/Case=Acc", "han/PRON/han/Case=Nom", "hon/PRON/hon/Case=Nom",
    ),
    "sv/M-Def-agr": (f"{DEN} {BIL}/0/root", f"{DEN} {BILEN}/0/root", f"{BIL}/0/root", f"{BILEN}/0/root"),
    "sv/S-FinV": (
        "sen/ADV/sen//3/advmod vi/PRON/vi//3/nsubj åt/VERB/äta//0/root",
        "sen/ADV/sen//2/advmod åt/VERB/äta//0/root vi/PRON/vi//2/nsubj",
        "att/SCONJ/att//3/mark vi/PRON/vi//3/nsubj åt/VERB/äta//0/root",
        "att/SCONJ/att//2/mark åt/VERB/äta//0/root vi/PRON/vi//2/nsubj",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", QUERIES)
def test_the_queries_of_l2_ud(tmp_path, name):
    page = (Path(__file__).parents[2] / "docs" / "find.md").read_text("utf-8")
    [query] = re.findall(rf"^\| `{name}` \| .* \| `(.*)` \|$", page, re.M)
    source, target, other, corrected = QUERIES[name]
    for file, sentences in (("source", (source, other)), ("target", (target, corrected))):
        (tmp_path / file).write_text(conllu(*sentences), "utf-8")
    found = list(search([str(tmp_path / "source"), str(tmp_path / "target")], query.replace("\\|", "|")))
    assert [(match.sentence, match.id) for match in found] == [(1, "s1")]


def lemmas(letters: str) -> list[dict[str, str]]:
    return [{"lemma": letter} for letter in letters]


@pytest.mark.parametrize(
    ("when", "places"),
    [
        ({"preceded": lemmas("ba")}, [4]),
        ({"preceded": lemmas("abb")}, [3]),
        ({"followed": lemmas("ab")}, [3]),
        ({"followed": lemmas("ba")}, [1]),
        ({"lemma": {"starts_with": "a"}, "followed": lemmas("b")}, [0, 4]),
    ],
)
def test_words_beside_a_word(tmp_path, when, places):
    path = tmp_path / "a.conllu"
    path.write_text(conllu(" ".join(f"{letter}/X/{letter}" for letter in "abbaab")), "utf-8")
    found = search([str(path), str(path)], when, part="source")
    assert [(m.span.start, m.edit) for m in found] == [(place, None) for place in places]


@pytest.fixture
def m2(tmp_path):
    path = tmp_path / "a.m2"
    path.write_text(M2, "utf-8")
    return str(path)


def test_types_and_conditions_on_m2(m2):
    assert [m.edit.correction for m in search([m2], {"operation": "M"})] == [(".",)]
    assert [m.sentence for m in search([m2], {"target": {"word": "goes"}}, ["R:VERB:*"])] == [1, 2]
    tokens = search([m2], {"word": "go"}, part="source")
    assert [(m.sentence, m.annotator, m.span.start) for m in tokens] == [(1, 0, 1), (2, 0, 1)]


def test_marks_without_a_correction_are_found_by_type(tmp_path):
    path = str(tmp_path / "marks.m2")
    edits = [Edit(0, 1, ("x", "y"), "R:X"), Edit(0, 2, None, "UNK"), Edit(2, 3, ("home",), "R:X")]
    write_m2([Block(("they", "go", "home"), (Annotation(0, tuple(edits)),))], path)
    assert [(m.edit.type, m.span) for m in search([path], {})] == [
        ("R:X", (0, 1, 0, 2)), ("UNK", (0, 2, 0, 0)), ("R:X", (2, 3, 3, 4)),
    ]  # fmt: skip
    assert [m.edit.type for m in search([path], {"source": {"word": {"not": "go"}}})] == ["R:X", "R:X"]
    assert run(path, "-t", "UNK").lstrip().startswith("[they go → ?] UNK home")
    assert json.loads(run(path, "-t", "UNK", "--format", "json"))[0]["correction"] is None


@pytest.mark.parametrize("annotators", [[], [1], [2, 3]])
def test_words_of_sentences_whoever_annotated_them(tmp_path, annotators):
    block = Block(("they", "go"), tuple(Annotation(n, (Edit(0, 1, ("x",), "R:X"),)) for n in annotators))
    write_m2([block], path := str(tmp_path / "a.m2"))
    [found] = search([path], {"word": "go"}, part="source")
    assert (found.sentence, found.annotator, found.span.start) == (1, 0, 1)
    found = search([path], {"word": "go"}, part="target")
    assert [(m.annotator, m.span.start) for m in found] == [(n, 1) for n in annotators or [0]]


@pytest.mark.models
def test_m2_that_models_analyse(m2):
    options = AnnotatorOptions("en")
    found = list(search([m2], {"source": {"upos": "VERB", "dependent": {"lemma": "she"}}}, options=options))
    assert [(m.sentence, m.edit.type) for m in found] == [(1, "R:VERB:SVA")]


def test_every_format(m2, tmp_path):
    lines = run(m2, "-t", "R:*").splitlines()
    assert lines[0].endswith("she [go → goes] R:VERB:SVA to school  (1)")
    assert lines[-1].split() == ["all", "2"]
    counts = run(m2, "-t", "R:*", "--format", "counts").split()
    assert counts == ["type", "matches", "R:VERB:SVA", "2", "all", "2"]
    assert run(m2, "-t", "=X", "--format", "counts") == "nothing found\n"
    header, row = run(m2, "-t", "M:*", "--format", "tsv").splitlines()
    values = dict(zip(header.split("\t"), row.split("\t"), strict=True))
    assert (values["left"], values["correction"], values["type"]) == ("she go to school", ".", "M:PUNCT")
    first, second = json.loads(run(m2, "-t", "R:*", "--format", "json"))
    assert (first["source"], first["correction"], second["sentence"]) == (["go"], ["goes"], 2)
    run(m2, "-t", "M:*", "--format", "m2", "-o", str(tmp_path / "found.m2"))
    (block,) = read_m2(str(tmp_path / "found.m2"))
    assert [edit.type for edit in block.annotations[0].edits] == ["M:PUNCT"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("-w", "{source: {wrod: a}}"), r"--when: unknown test or property 'wrod' \(did you mean 'word'"),
        (("-w", "{sorce: {word: a}}"), r"--when: unknown condition 'sorce' \(did you mean 'source'"),
        (("-w", "word"), "expected a mapping of conditions"),
        (("-w", "{a: [}"), "--when:1: not YAML"),
        (("-w", "{word: \udcff}"), "--when: not YAML: .* surrogate"),
        (("-w", "{source: {upos: NOUN}}"),
         "tests upos, but M2 holds no .* such as --lang en --models compact$"),
        (("-w", "{source: {upos: NOUN}}", "-l", "en"), "M2 holds no analysis; .* such as --models compact$"),
        (("-w", "{source: {upos: NOUN}}", "--models", "compact"), "give the language with --lang, or CoNLL-U"),
        (("-w", "{any: [{source: {head: {word: a}}}]}"), "tests head, but M2 holds no analysis"),
        (("--in", "source", "-t", "R:*"), "only edits have types"),
        (("--in", "target", "--format", "m2"), "M2 holds edits"),
    ],
)  # fmt: skip
def test_bad_input(m2, arguments, problem):
    assert re.search(problem, refused("find", m2, *arguments))


@pytest.mark.filterwarnings("ignore::jperrant.io.m2.FormatDeviationWarning")
def test_overlapping_edits_are_named(m2):
    edit = "A 0 2|||R:X|||x|||REQUIRED|||-NONE-|||0\n"
    Path(m2).write_text(M2.replace("S he go\n", f"S he go\n{edit}"), "utf-8")
    with pytest.raises(FormatError, match=r"a\.m2: sentence 2, annotator 0: edit 1 2 .*jperrant m2 check"):
        list(search([m2], {}))
    assert len(list(search([m2], {"word": "he"}, part="source"))) == 1
