"""Language packs: inheritance, validation, and how a language finds its pack."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from jperrant.annotation.annotator import Annotator
from jperrant.core.errors import InputError, PackError
from jperrant.core.values import UPOS, Sentence
from jperrant.packs import discovery
from jperrant.packs.describe import describe
from jperrant.packs.discovery import InstalledPacks, iter_packs, known_packs
from jperrant.packs.pack import load_pack
from jperrant.parse.analyser import PretokenisedParser


def edits(found, source: str, target: str) -> list[str]:
    annotator = Annotator(found, PretokenisedParser())
    sides = (Sentence.from_forms(text.split()) for text in (source, target))
    return [edit.type for edit in annotator.annotate(*sides)]


def test_a_folder_of_ones_own(pack):
    found = load_pack("en", pack("code: xx\nname: Example\nlabels: {BAD: whatever}\nrules: [{type: BAD}]\n"))
    assert (found.code, found.name, found.stanza_lang, found.compact) == ("xx", "Example", "", None)
    assert edits(found, "a b", "a c") == ["R:BAD"]


def test_inheritance(pack):
    """Mappings merge key by key, null removes, lists replace, and the parent's rules come after one's own."""
    content = """
        code: xx
        extends: generic
        labels: {NEW: one more, SYM: null}
        lists: {classes: [NOUN]}
        costs: {lemma: 0.25, open_classes: [NOUN]}
        rules: [{type: NEW, when: {both: {word: new}}}]"""
    found, parent = load_pack("", pack(content)), load_pack("generic")
    assert set(found.labels) == set(parent.labels) - {"SYM"} | {"NEW"}
    assert found.name == "any language"
    assert found.costs.lemma == 0.25
    assert found.costs.open_classes == {"NOUN"}
    assert found.costs.insertion == parent.costs.insertion
    assert edits(found, "a", "a new") == ["M:NEW"]
    assert edits(found, "a b", "a B") == ["R:ORTH:CASE"]
    without_rules = load_pack("", pack("code: xx\nextends: generic\nrules: null\n"))
    with pytest.raises(PackError, match="no rule fires"):
        edits(without_rules, "a", "b")


def test_inflections_that_are_not_marked_have_no_labels(pack):
    marks = "marks: {NOUN: [NUM], VERB: [TENSE, SVA]}\nlabels: {'PRON:CASE': mine}\n"
    labels = load_pack("", pack(f"code: xx\nextends: generic\n{marks}")).labels
    inflected = {label for label in labels if label.partition(":")[0] in UPOS and ":" in label}
    named = {label for label in inflected if not label.endswith(":FORM")}
    assert named == {"NOUN:NUM", "VERB:TENSE", "VERB:SVA", "PRON:CASE"}
    assert {label for label in load_pack("generic").labels if label.endswith(":FORM")} <= inflected
    assert "ORTH:CASE" in labels


def test_a_set_of_inherited_labels_may_name_one_that_the_pack_removes(pack):
    pack("code: aa\nextends: generic\nlabel_sets: {short: {'NOUN:CASE': N:C, 'NOUN:POSS': N:P}}\n", "aa")
    found = load_pack("", pack("code: bb\nextends: aa\nlabels: {'NOUN:POSS': null}\n", "bb"))
    names = found.keys.names_in("short").names
    assert names["R:NOUN:CASE"] == "R:N:C"
    assert "R:NOUN:POSS" not in names


def test_keys_without_a_value_are_empty(pack):
    keys = ("labels", "costs", "merge", "lists", "tables", "label_sets", "classes", "deprels")
    empty = "".join([f"{key}:\n" for key in keys])
    assert load_pack("", pack(f"code: xx\nrules: [{{type: UNK}}]\n{empty}")).labels == {}


HEAD = "code: xx\nlabels: {BAD: x, NOUN: y}\nrules: [{type: BAD}]\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("name: x\nrules: []\n", "1: the key 'code' is missing"),
        ("code: false\n", r"1: code: found False \(.* put it in quotes\), expected text in one line"),
        (HEAD + "extends: genric\n", r"4: .*unknown pack 'genric' \(did you mean 'generic'"),
        (HEAD + "costs: {open_classes: NOUN}\n", "4: open_classes: found 'NOUN', expected a list"),
        (HEAD + "costs: {open_classes: [NUON]}\n", r"4: open_classes: 'NUON' is no tag .*did you mean 'NOUN'"),
        (HEAD + "upos_classes: {NUON: X}\n", "4: NUON: 'NUON' is no tag"),
        (HEAD + "costs: {insertion: 0}\n", "4: insertion: found 0, expected a number above 0"),
        (HEAD + "inflection: {Number: {VRB: SVA}}\n", r"4: VRB: inflection: Number: .*did you mean 'VERB'"),
        (HEAD + "label_sets: {ud: {NOUM: X}}\n", r"4: NOUM: label_sets: ud: unknown label \(did you mean 'NOUN'"),
        ("code: yy\nextends: generic\nmarks: {NOUN: [NUMB]}\n",
         r"3: NOUN: marks: no inherited label is 'NOUN:NUMB' \(did you mean 'NOUN:NUM'\?\)"),
        (HEAD + "dictionary: sv_SE.dic\n", "4: dictionary: found 'sv_SE.dic', expected the name without .dic"),
        (HEAD + "label_sets: {ud: {NOUN: N N}}\n", "4: NOUN: found 'N N', expected text without spaces"),
        (HEAD + "label_sets: {ud: {NOUN: noop}}\n", "4: NOUN: found 'noop', expected text .* other than noop"),
        (HEAD + "lexicon: nowhere.txt\n", r"4: lexicon: found no file .*nowhere\.txt"),
        (HEAD.replace("[{type: BAD}]", "[{type: GOOD}]"), "3: .*unknown label 'GOOD'"),
        ("", " expected a mapping"),
        ("code: xx\nlabels: {a: ]\n", "2: not YAML"),
        ("code: \x07\n", " not YAML"),
    ],
)  # fmt: skip
def test_wrong_packs(pack, content, problem):
    with pytest.raises(InputError, match=rf"^\S+pack\.yaml:{problem}") as error:
        load_pack("", pack(content))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("extends", "circle"), [({"b": "a", "a": "b"}, "a → .*b → .*a; remove"), ({"a": "a"}, "a → .*a; remove")]
)
def test_a_circle_is_named(pack, extends, circle):
    for name, parent in extends.items():
        folder = pack(f"code: {name * 2}\nextends: {parent}\n", name)
    with pytest.raises(
        PackError, match=rf"yaml:2: extends: the packs extend each other in a cycle: .*{circle}"
    ):
        load_pack("", folder)


def test_hooks_run_only_for_the_pack_that_was_asked_for(pack, tmp_path, monkeypatch):
    mark = tmp_path / "ran"
    hooks = f"from pathlib import Path\nPath({str(mark)!r}).touch()\nCONDITIONS = {{'never': lambda view: False}}\n"
    folder = pack(HEAD.replace("[{", "[{type: NOUN, when: {hook: never}}, {"), "hh", hooks)
    packs = InstalledPacks(**known_packs(), hh=Path(folder))
    monkeypatch.setattr(discovery, "known_packs", lambda: packs)
    assert "hh" in [code for code, _, _ in iter_packs()]
    load_pack("en", dictionary="none")  # with an option it is read again, whoever loaded it before
    assert not mark.exists()
    assert edits(load_pack("hh"), "a", "b") == ["R:BAD"]
    assert mark.exists()


def test_stanza_languages_without_a_pack_get_the_generic_one():
    found = load_pack("af")
    assert (found.code, found.stanza_lang, found.name, found.compact) == ("af", "af", "Afrikaans", None)
    assert found.labels == load_pack("generic").labels


@pytest.mark.ci
@pytest.mark.filterwarnings("ignore:the text is in Latin letters")
@pytest.mark.parametrize("code", sorted(known_packs()))
def test_text_without_any_analysis_is_typed_all_the_same(code):
    found = load_pack(code)
    types = edits(found, "a b c d e teh", "A x b , d The e f the")
    assert types
    assert {t.split(":", 1)[1] for t in types} <= set(found.labels)


@pytest.mark.parametrize("name", discovery.FAMILIES)
def test_a_family_is_extended_and_no_language(pack, name):
    """Nobody chooses it; a pack extends it, and removes a label together with the rules that name it."""
    assert name not in known_packs()
    with pytest.raises(PackError, match=f"unknown language '{name}'"):
        load_pack(name)
    languages = [code for code in known_packs() if describe(code)["extends"][:1] == [name]]
    assert len(languages) == 5
    labels = set(discovery.read_file(discovery.families()[name])["labels"])
    lists = "lists: {negations: [ne], quantifiers: [mnogo], reflexive_possessives: [svoj]}"
    assert labels <= set(load_pack("", pack(f"code: xx\nextends: {name}\n{lists}\n", "all")).labels)
    none = "".join([f"  {label}: null\n" for label in labels])
    assert labels.isdisjoint(load_pack("", pack(f"code: xx\nextends: {name}\nlabels:\n{none}")).labels)


def test_a_lexicon_of_ones_own(pack, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("\ufeff# Swedish\nhus\nbil\n", encoding="utf-8")
    assert edits(load_pack("da", lexicon=str(words)), "ett hsu", "ett hus") == ["R:SPELL"]
    assert edits(load_pack("da", lexicon=str(words)), "ett bil", "ett hus") == ["R:OTHER"]
    assert edits(load_pack("da"), "ett hsu", "ett hus") == ["R:OTHER"]
    with pytest.raises(PackError, match=r"nowhere\.txt cannot be read"):
        load_pack("da", lexicon="nowhere.txt")


def test_the_lexicon_of_a_pack_is_read_again_when_it_has_changed(pack):
    folder = pack("code: xx\nextends: generic\nlexicon: words.gz\n")
    words = Path(folder) / "words.gz"
    for known, type_ in (("a\nthe\n", "R:OTHER"), ("a\nhouse\nthe\n", "R:SPELL")):
        words.write_bytes(gzip.compress(known.encode(), mtime=0))
        assert edits(load_pack("", folder), "a housse", "a house") == [type_]
    for damaged in (b"not gzip", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03garbage"):
        words.write_bytes(damaged)
        with pytest.raises(PackError, match=r"words\.gz cannot be read"):
            load_pack("", folder)


def test_models_and_labels_are_inherited_with_the_language(pack):
    """Or a pack that adds a label to English could not be used without ``--models``."""
    english = load_pack("en")
    same = load_pack("", pack("code: en\nextends: en\nlabels: {MINE: x}\n", "same"))
    assert (same.compact, set(same.labels)) == (english.compact, {*english.labels, "MINE"})
    assert load_pack("", pack("code: yy\nextends: same\n", "further")).compact == english.compact
    assert load_pack("", pack("code: sco\nextends: en\nstanza: sco\n", "other")).compact is None
