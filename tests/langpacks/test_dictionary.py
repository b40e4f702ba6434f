"""Hunspell dictionaries: words with affixes and compounds, where they are looked for, and broken files."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.fingerprint import fingerprint
from jperrant.annotation.pack_check import check_pack
from jperrant.core.errors import FormatError, MissingExtraError, PackError
from jperrant.core.values import Sentence, Token
from jperrant.edits.rule_parts import PositionedDict
from jperrant.packs import dictionary as dictionaries
from jperrant.packs.describe import describe
from jperrant.packs.dictionary import Dictionary, find_dictionary
from jperrant.packs.keys import PackKeys
from jperrant.packs.pack import load_pack
from jperrant.packs.read import PackData, Source
from tests.commands import printed

AFFIXES = "SET UTF-8\nCOMPOUNDFLAG C\nSFX P Y 2\nSFX P 0 ar [^a]\nSFX P a or a\n"
WORDS = "4\nbil/PC\nflicka/P\nhus/C\nSverige\n"


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "dictionaries", "sv_SE")


def write(
    folder: Path, name: str, affixes: str = AFFIXES, words: str = WORDS, encoding: str = "utf-8"
) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.aff").write_bytes(affixes.encode(encoding))
    (folder / f"{name}.dic").write_bytes(words.encode(encoding))
    return folder


def types(source: str, target: str, **options: str) -> list[str]:
    annotator = jperrant.load("sv", models="none", **options)
    edits = annotator.annotate(annotator.parse(source), annotator.parse(target))
    return [edit.type for edit in edits]


def test_affixes_compounds_and_capitals(folder):
    words = Dictionary(folder / "sv_SE.dic")
    for known in ("bil", "bilar", "flickor", "bilhus", "Bil", "BILAR", "Sverige"):
        assert known in words, known
    for unknown in ("bilor", "flickaar", "sverige", "", "a\0b", "\ud800", "x" * 500, "😀"):
        assert unknown not in words, unknown


def test_a_dictionary_in_the_folder_of_a_pack_is_inherited(folder):
    (folder / "pack.yaml").write_text("code: xx\nextends: generic\ndictionary: sv_SE\n", "utf-8")
    child = folder.parent / "child"
    child.mkdir()
    (child / "pack.yaml").write_text(f"code: yy\nextends: {folder.name}\n", "utf-8")
    assert load_pack("", str(child)).dictionary == folder / "sv_SE.dic"
    assert str(folder / "sv_SE.dic") in describe("", str(child))["dictionary"]


def test_an_encoding_of_its_own(tmp_path):
    affixes = AFFIXES.replace("UTF-8", "ISO8859-1")
    words = Dictionary(write(tmp_path, "sv", affixes, "1\nbåt/P\n", "iso8859-1") / "sv.dic")
    assert "båtar" in words
    assert "łódź" not in words


def test_misspelt_words_are_spelling(folder):
    options = {"dictionary": str(folder)}
    assert types("två billar", "två bilar", **options) == ["R:SPELL"]
    assert types("två bilar", "två flickor", **options) == ["R:OTHER"]
    # The list knows neither word, so it has nothing to say of this pair.
    assert types("två stolarr", "två stolar", **options) == ["R:OTHER"]
    assert types("två billar", "två bilar", dictionary="none") == ["R:OTHER"]
    assert types("två billar", "två bilar", lexicon=str(folder / "sv_SE.dic")) == ["R:SPELL"]


def test_a_dictionary_of_one_s_own_replaces_the_pack_s_list(folder, tmp_path):
    pack = tmp_path / "mine"
    pack.mkdir()
    (pack / "words.txt").write_text("billar\n", "utf-8")
    (pack / "pack.yaml").write_text("code: xx\nextends: sv\nlexicon: words.txt\ndictionary: null\n", "utf-8")

    def found(lexicon):
        annotator = jperrant.load(pack=str(pack), models="none", lexicon=lexicon)
        return [edit.type for edit in annotator.annotate("två billar", "två bilar")]

    assert found(None) == ["R:OTHER"]
    assert found(str(folder / "sv_SE.dic")) == ["R:SPELL"]


def test_a_typo_of_a_treebank_is_spelling():
    typo, word = Token("teh", "the", "DET", feats="Typo=Yes"), Token("the", "the", "DET")
    annotator = jperrant.load("sv", models="none", dictionary="none")
    [edit] = annotator.annotate(Sentence((typo,), "teh"), Sentence((word,), "the"))
    assert edit.type == "R:SPELL"


def test_where_a_dictionary_is_looked_for(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(dictionaries, "_installed_folders", lambda: [folder])

    def find(name, pack, where="auto"):
        sources = (Source(pack, PositionedDict(""), False, True),)
        return find_dictionary(PackData(PackKeys(code="xx", dictionary=name), sources), None, where)

    assert find("sv_SE", tmp_path) == folder / "sv_SE.dic"
    assert find("sv", tmp_path) == folder / "sv_SE.dic"  # the only one of the language
    own = write(tmp_path / "pack", "sv_SE")
    assert find("sv_SE", own) == own / "sv_SE.dic"
    assert find("sv_SE", own, "none") is None
    below = write(write(tmp_path / "all", "x") / "sv_SE", "sv_SE")
    assert find("sv_SE", own, str(tmp_path / "all")) == below / "sv_SE.dic"
    with pytest.raises(PackError, match=r"found no nn_NO\.dic"):
        find("nn_NO", own, str(folder))
    with pytest.raises(PackError, match="expected auto, none, a folder"):
        find("sv_SE", own, str(tmp_path / "nowhere"))


def test_a_dictionary_that_a_pack_names_and_nobody_has(tmp_path, monkeypatch):
    monkeypatch.setattr(dictionaries, "_installed_folders", lambda: [])
    (tmp_path / "pack.yaml").write_text("code: xx\nextends: generic\ndictionary: xx_XX\n", "utf-8")
    message = r"pack xx: the dictionary xx_XX is not installed.* commands that have it.*dictionary=.none."
    with pytest.warns(UserWarning, match=message):
        jperrant.load(pack=str(tmp_path), models="none")
    with warnings.catch_warnings(action="error"):
        jperrant.load(pack=str(tmp_path), models="none", dictionary="none")
    checked = check_pack(str(tmp_path))
    assert (checked.problems, checked.missing.partition(";")[0]) == ((), "the dictionary xx_XX")


@pytest.mark.parametrize(
    ("affixes", "words", "place"),
    [
        (AFFIXES, "bil\n", r"sv\.dic:1: found 'bil', expected the number of words"),
        (AFFIXES + "SFX Q Y 2\nSFX Q 0 s .\n", WORDS, r"sv\.aff:6: SFX Q announces 1 more"),
        ("SFX Q Y 2\nSFX R 0 s .\n", WORDS, r"sv\.aff:2: found 'SFX R 0 s \.', expected another SFX Q"),
        ("SET KLINGON-1\n", WORDS, r"sv\.aff: unknown encoding 'KLINGON-1'"),
        ("SET ASCII\n", "1\nbåt\n", r"sv\.dic:2: found a byte that is not ASCII"),
    ],
)
def test_broken_dictionaries(tmp_path, affixes, words, place):
    path = write(tmp_path, "sv", affixes, words) / "sv.dic"
    for make in (lambda: Dictionary(path), lambda: load_pack("sv", dictionary=str(path))):
        with pytest.raises(FormatError, match=place):
            make()


def test_half_a_dictionary(tmp_path):
    (tmp_path / "sv.dic").write_text(WORDS, "utf-8")
    message = r"sv\.aff: cannot be read .*a dictionary consists of a \.dic and a \.aff file"
    with pytest.raises(FormatError, match=message):
        Dictionary(tmp_path / "sv.dic")


def test_without_hunspell(folder, monkeypatch):
    def missing(module, extra):
        raise MissingExtraError(f"{module} of {extra}")

    monkeypatch.setattr(dictionaries, "import_extra", missing)
    with pytest.raises(MissingExtraError):
        load_pack("sv", dictionary=str(folder))


def test_the_dictionary_belongs_to_the_fingerprint(folder):
    first = fingerprint(AnnotatorOptions("sv", models="none", dictionary=str(folder)))
    write(folder, "sv_SE", words=WORDS + "stol/P\n")
    assert first != fingerprint(AnnotatorOptions("sv", models="none", dictionary=str(folder)))


def test_only_true_and_false_are_truth_values(tmp_path):
    (tmp_path / "pack.yaml").write_text(
        "code: xx\nextends: generic\nlists: {negation: [no, off]}\n"
        "rules:\n- {type: DET, when: {source: {word: no, feats: {Poss: Yes, Person: 3}}}}\n"
        "- {type: PRON, when: {source: {word: $negation}}}\n",
        "utf-8",
    )
    pack = load_pack("", str(tmp_path))
    assert pack.code == "xx"


def test_the_command(folder, tmp_path):
    for name, text in (("a", "två billar\n"), ("b", "två bilar\n")):
        (tmp_path / name).write_text(text, "utf-8")
    options = ("-l", "sv", "--models", "none", "--dictionary", folder)
    assert "A 1 2|||R:SPELL|||bilar" in printed("annotate", tmp_path / "a", tmp_path / "b", *options)
