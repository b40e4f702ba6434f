"""Language packs: inheritance, validation, and how a language finds its pack."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jperrant.annotation.annotator import Annotator
from jperrant.annotation.pack_check import check_pack
from jperrant.core.errors import FormatError, PackError
from jperrant.core.values import UPOS, Sentence
from jperrant.packs import discovery
from jperrant.packs.describe import describe
from jperrant.packs.discovery import InstalledPacks, iter_packs, known_packs
from jperrant.packs.pack import load_pack
from jperrant.parse.analyser import PretokenisedParser


def edits(found, source: str, target: str) -> list[str]:
    annotator = Annotator(found, PretokenisedParser())
    return [
        e.type
        for e in annotator.annotate(Sentence.from_forms(source.split()), Sentence.from_forms(target.split()))
    ]


def test_a_folder_of_ones_own(pack):
    found = load_pack("en", pack("code: xx\nname: Example\nlabels: {BAD: whatever}\nrules: [{type: BAD}]\n"))
    assert (found.code, found.name, found.stanza_lang, found.compact) == ("xx", "Example", "", None)
    assert edits(found, "a b", "a c") == ["R:BAD"]


def test_inheritance(pack):
    """Mappings merge key by key, null removes, lists replace, and the parent's rules come after one's own."""
    found = load_pack(
        "",
        pack(
            "code: xx\nextends: generic\n"
            "labels: {NEW: one more, SYM: null}\n"
            "lists: {classes: [NOUN]}\ncosts: {lemma: 0.25, open_classes: [NOUN]}\n"
            "rules:\n  - {type: NEW, when: {both: {word: new}}}\n"
        ),
    )
    parent = load_pack("generic")
    assert set(found.labels) == set(parent.labels) - {"SYM"} | {"NEW"}
    assert found.name == "any language"
    assert found.costs.lemma == 0.25
    assert found.costs.open_classes == {"NOUN"}
    assert found.costs.insertion == parent.costs.insertion
    assert edits(found, "a", "a new") == ["M:NEW"]
    assert edits(found, "a b", "a B") == ["R:ORTH:CASE"]
    assert edits(parent, "a", "a new") == ["M:OTHER"]


def test_inflections_that_are_not_marked_have_no_labels(pack):
    text = (
        "code: xx\nextends: generic\nmarks: {NOUN: [NUM], VERB: [TENSE, SVA]}\nlabels: {'PRON:CASE': mine}\n"
    )
    found = load_pack("", pack(text))
    inflected = {label for label in found.labels if label.partition(":")[0] in UPOS and ":" in label}
    assert {label for label in inflected if not label.endswith(":FORM")} == {
        "NOUN:NUM",
        "VERB:TENSE",
        "VERB:SVA",
        "PRON:CASE",
    }
    assert {label for label in load_pack("generic").labels if label.endswith(":FORM")} <= inflected
    assert "ORTH:CASE" in found.labels
    (problem,) = check_pack(pack("code: yy\nextends: generic\nmarks: {NOUN: [NUMB]}\n", "yy")).problems[:1]
    assert "yaml:3: NOUN: marks: no inherited label is 'NOUN:NUMB' (did you mean 'NOUN:NUM'?)" in problem


def test_a_set_of_inherited_labels_may_name_one_that_the_pack_removes(pack):
    pack("code: aa\nextends: generic\nlabel_sets: {short: {'NOUN:CASE': N:C, 'NOUN:POSS': N:P}}\n", "aa")
    found = load_pack("", pack("code: bb\nextends: aa\nlabels: {'NOUN:POSS': null}\n", "bb"))
    assert found.keys.names_in("short").names["R:NOUN:CASE"] == "R:N:C"
    assert "R:NOUN:POSS" not in found.keys.names_in("short").names


def test_null_removes_the_parents_rules(pack):
    found = load_pack("", pack("code: xx\nextends: generic\nrules: null\n"))
    with pytest.raises(PackError, match="no rule fires"):
        edits(found, "a", "b")


@pytest.mark.parametrize(
    "key", ["labels", "costs", "merge", "lists", "tables", "label_sets", "classes", "deprels"]
)
def test_keys_without_a_value_are_empty(pack, key):
    content = "code: xx\nlabels: {BAD: x}\nrules: [{type: UNK}]\n"
    if key == "labels":
        content = content.replace("{BAD: x}", "")
    else:
        content += f"{key}:\n"
    assert load_pack("", pack(content)).code == "xx"


def test_circular_packs(pack, monkeypatch):
    first, second = pack("code: aa\nextends: bb\n", "aa"), pack("code: bb\nextends: aa\n", "bb")
    packs = InstalledPacks(aa=Path(first), bb=Path(second))
    monkeypatch.setattr(discovery, "known_packs", lambda: packs)
    with pytest.raises(PackError, match=r"cycle: .*aa → .*bb → .*aa"):
        load_pack("aa")


HEAD = "code: xx\nlabels: {BAD: x, NOUN: y}\nrules: [{type: BAD}]\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (HEAD + "aliases: en\n", "aliases: found 'en', expected a list"),
        ("name: x\nrules: []\n", "'code' is missing"),
        ("code: false\n", r"code: found False \(.* put it in quotes\), expected text in one line"),
        (HEAD + "extends: genric\n", r"unknown pack 'genric' \(did you mean 'generic'"),
        (HEAD + "costs: {open_classes: NOUN}\n", ":4: open_classes: found 'NOUN', expected a list"),
        (HEAD + "costs: {open_classes: [NUON]}\n", r":4: open_classes: 'NUON' is no tag .*did you mean 'NOUN'"),
        (HEAD + "upos_classes: {NUON: X}\n", ":4: NUON: 'NUON' is no tag"),
        (HEAD + "costs: {insertion: 0}\n", ":4: insertion: found 0, expected a number above 0"),
        (HEAD + "inflection: {Number: {VRB: SVA}}\n", r":4: VRB: inflection: Number: .*did you mean 'VERB'"),
        (HEAD + "label_sets: {ud: {NOUM: X}}\n",
         r":4: NOUM: label_sets: ud: unknown label \(did you mean 'NOUN'"),
        (HEAD + "dictionary: ../other/sv_SE\n",
         "dictionary: found '../other/sv_SE', expected a file in the pack"),
        (HEAD + "dictionary: /usr/share/hunspell/sv_SE\n", "dictionary: found .*, expected a file in the pack"),
        (HEAD + "dictionary: sv_SE.dic\n", "dictionary: found 'sv_SE.dic', expected the name without .dic"),
        (HEAD + "label_sets: {ud: {NOUN: N N}}\n", ":4: NOUN: found 'N N', expected text without spaces"),
        (HEAD + "label_sets: {ud: {NOUN: noop}}\n", "found 'noop', expected text .* other than noop"),
        (HEAD + "lexicon: nowhere.txt\n", r"lexicon: found no file .*nowhere\.txt"),
        (HEAD.replace("[{type: BAD}]", "[{type: GOOD}]"), "unknown label 'GOOD'"),
        ("- a\n", "expected a mapping"),
        ("", "expected a mapping"),
    ],
)  # fmt: skip
def test_wrong_packs(pack, content, problem):
    folder = pack(content)
    with pytest.raises(PackError, match=problem) as error:
        load_pack("", folder)
    assert str(error.value).startswith(str(Path(folder) / "pack.yaml"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "line"), [("code: xx\nlabels: {a: ]\n", ":2"), ("code: a: b\n", ":1"), ("code: \x07\n", "")]
)
def test_not_yaml(pack, content, line):
    with pytest.raises(FormatError, match=rf"pack\.yaml{line}: not YAML") as error:
        load_pack("", pack(content))
    assert "\n" not in str(error.value)


def test_no_pack_there(tmp_path):
    with pytest.raises(PackError, match=r"found no pack\.yaml"):
        load_pack("", str(tmp_path))


@pytest.mark.parametrize("content", [b"not gzip", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03garbage"])
def test_a_damaged_lexicon(pack, content):
    folder = pack(HEAD + "lexicon: words.gz\n")
    (Path(folder) / "words.gz").write_bytes(content)
    with pytest.raises(PackError, match=r"words\.gz cannot be read"):
        load_pack("", folder)


def test_a_lexicon_that_has_changed_is_read_again(pack):
    folder = pack("code: xx\nextends: generic\nlexicon: words.txt\n")
    words = Path(folder) / "words.txt"
    words.write_text("a\nthe\n", "utf-8")
    assert edits(load_pack("", folder), "a housse", "a house") == ["R:OTHER"]
    words.write_text("a\nhouse\nthe\n", "utf-8")
    assert edits(load_pack("", folder), "a housse", "a house") == ["R:SPELL"]


def test_hooks_run_only_for_the_pack_that_was_asked_for(pack, tmp_path, monkeypatch):
    mark = tmp_path / "ran"
    hooks = f"from pathlib import Path\nPath({str(mark)!r}).touch()\nCONDITIONS = {{'never': lambda view: False}}\n"
    folder = pack(HEAD.replace("[{", "[{type: NOUN, when: {hook: never}}, {"), "hh", hooks)
    packs = InstalledPacks(**known_packs(), hh=Path(folder))
    monkeypatch.setattr(discovery, "known_packs", lambda: packs)
    assert "hh" in [code for code, _, _ in iter_packs()]
    for code in ("en", "generic"):
        load_pack(code, dictionary="none")  # with an option it is read again, whoever loaded it before
    assert not mark.exists()
    assert edits(load_pack("hh"), "a", "b") == ["R:BAD"]
    assert mark.exists()


@pytest.mark.ci
def test_label_sets_are_total():
    for code in known_packs():
        found = load_pack(code)
        for name in found.keys.label_sets:
            assert set(found.keys.names_in(name).names) == {
                f"{op}:{label}" for op in "MUR" for label in found.labels
            }
        assert not any(re.search(r"\s|→", label) for label in found.labels)


def test_stanza_languages_without_a_pack_get_the_generic_one():
    found = load_pack("af")
    assert (found.code, found.stanza_lang, found.name, found.compact) == ("af", "af", "Afrikaans", None)
    assert found.labels == load_pack("generic").labels


@pytest.mark.parametrize("code", sorted(known_packs()))
def test_lines_of_packs_can_be_read(code):
    files = [(path, path.read_text("utf-8").splitlines()) for path in known_packs()[code].glob("*.yaml")]
    assert [
        (path.name, n) for path, lines in files for n, line in enumerate(lines, 1) if len(line) > 120
    ] == []


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
    own = pack("code: xx\nextends: generic\nlexicon: words.txt\n")
    words.rename(Path(own) / "words.txt")
    assert edits(load_pack("", own), "ett hsu", "ett hus") == ["R:SPELL"]
    with pytest.raises(PackError, match=r"nowhere\.txt cannot be read"):
        load_pack("da", lexicon="nowhere.txt")


def test_models_are_inherited_with_the_language(pack):
    """Or a pack that adds a label to English could not be used without ``--models``."""
    english = load_pack("en").compact
    assert load_pack("", pack("code: en\nextends: en\n", "same")).compact == english
    assert load_pack("", pack("code: yy\nextends: same\n", "further")).compact == english
    assert load_pack("", pack("code: sco\nextends: en\nstanza: sco\n", "other")).compact is None
