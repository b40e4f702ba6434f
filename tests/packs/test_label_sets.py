"""Label sets: the names of other annotation schemes, written by `--labels`."""

from __future__ import annotations

import warnings

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from jperrant.packs.discovery import known_packs
from jperrant.packs.pack import load_pack
from jperrant.packs.read import pack_keys

SETS = [(code, name) for code in known_packs() for name in pack_keys(code, None).sets()]
KEPT = [one for one in SETS if one[0] in ("es", "sv", "tr")]


@pytest.mark.parametrize(
    ("code", "name"), [one if one in KEPT else pytest.param(*one, marks=pytest.mark.ci) for one in SETS]
)
def test_types_are_of_the_set_or_said_to_be_left(code, name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        annotator = jperrant.load(code, models="none", dictionary="none", labels=name)
    said = " ".join([str(warning.message) for warning in caught])
    pack = load_pack(code, dictionary="none")
    given = {label: names.get(name) or [] for label, names in pack.keys.counterparts.items()}
    same = {label: label for label in pack.labels}
    own = {**same, **pack.keys.label_sets.get(name, {})} if name in ("pack", *pack.keys.label_sets) else {}
    published = {name for names in given.values() for name in ([names] if isinstance(names, str) else names)}
    known = {one[2:] if one[:2] in ("M:", "U:", "R:") else one for one in published} | set(own.values())
    found = [
        edit.type[2:]
        for example in pack.examples
        for edit in annotator.annotate(example.source, example.target)
        if ":" in edit.type
    ]
    assert found or not pack.examples
    for label in found:
        assert label in known or f"{label}," in said or f"{label})" in said, label


def test_a_name_may_be_that_of_one_operation():
    # ARETA (Belkebir and Habash 2021): SW word selection, XM missing word, XT unnecessary word.
    areta = pack_keys("ar").names_in("areta")
    assert [areta.names[f"{op}:VERB"] for op in "RMU"] == ["R:SW", "M:XM", "U:XT"]
    # ChERRANT has all of 的, 地 and 得 as one sound, so one for another is a misspelling, and one added a particle.
    cherrant = pack_keys("zh").names_in("cherrant")
    assert [cherrant.names[f"{op}:DE"] for op in "RMU"] == ["R:SPELL", "M:AUX", "U:AUX"]


def test_spanish_has_the_tags_of_cows_l2h():
    # As they stand in its essays: []{a}<az:do:an>, [ella]{}<pr:su:pron>, [por]{para}<conf:prep:popa>.
    cows = pack_keys("es").names_in("cows")
    assert cows.names["M:ADP:PERSONAL"] == "M:az:do:an"
    assert cows.names["U:PRON"] == "U:pr:su:pron"
    assert cows.names["R:ADP:PORPARA"] == "R:conf:prep:popa"
    assert "PUNCT" in cows.left


def test_a_label_without_a_name_has_that_of_the_label_it_begins_with():
    assert pack_keys("tr").names_in("errant_tr").names["R:VERB:MOOD"] == "R:VERB"


def test_what_is_left_and_what_has_several_names_is_said():
    quantity = pack_keys("zh").names_in("errant")
    assert quantity.left == ("MC", "QUANT")
    assert quantity.note("errant") == (
        "label set 'errant': 2 labels without a name in it keep their own (MC, QUANT)"
    )
    assert pack_keys("cs").names_in("errant_cs").note("errant_cs") == ""
    assert "with several names in it are written by the first" in pack_keys("sv").names_in("swell").note(
        "swell"
    )


def test_unknown_sets_are_refused():
    with pytest.raises(
        UsageError, match=r"pack 'tr' has no label set 'errant_t' \(did you mean 'errant_tr'\?\)"
    ):
        pack_keys("tr").names_in("errant_t")


@pytest.mark.parametrize(("lang", "name", "expected"), [("tr", "errant_tr", "PUNC"), ("ar", "areta", "PM")])
def test_annotate_and_retype_write_the_names(tmp_path, lang, name, expected):
    source, target, m2 = tmp_path / "source.txt", tmp_path / "target.txt", tmp_path / "edits.m2"
    source.write_text("a b\n", encoding="utf-8")
    target.write_text("a b .\n", encoding="utf-8")
    given = ["--lang", lang, "--models", "none", "--labels", name, "--quiet"]
    with pytest.warns(UserWarning, match="keep their own"):
        annotated = CliRunner().invoke(app, ["annotate", str(source), str(target), *given])
    assert f"A 2 2|||M:{expected}|||.|||" in annotated.stdout
    m2.write_text("S a b\nA 2 2|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="keep their own"):
        retyped = CliRunner().invoke(app, ["m2", "retype", str(m2), "--gold", *given])
    assert retyped.stdout == annotated.stdout
