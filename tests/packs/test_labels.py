"""Labels of packs: groups that all languages share, and names in other schemes, which `--labels` writes."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

import jperrant
from jperrant.core.errors import UsageError
from jperrant.evaluation.analysis import grouped
from jperrant.evaluation.metrics.base import add_rows
from jperrant.evaluation.statistics.ranking import rank_systems
from jperrant.packs.discovery import known_packs
from jperrant.packs.labels import GROUPS, OTHER, Grouping, group_of
from jperrant.packs.pack import load_pack
from jperrant.packs.read import common_groups, pack_keys
from tests.commands import printed

# ERRANT has nothing like measure words, counters and placeholders.
WITHOUT_COUNTERPARTS = {"zh": {"MC", "QUANT"}, "ja": {"QUANT"}}


def test_labels_of_built_in_packs_have_a_group_and_names_in_other_schemes():
    common = common_groups()
    for code in known_packs():
        keys = load_pack(code).keys
        for label in keys.labels:
            group = group_of(label, keys.groups)
            assert group == common[label], (code, label)
            assert group != OTHER or keys.groups.get(label) == OTHER, "said of a label, not left out"
        lacking = {label for label in keys.labels if not keys.counterparts.get(label, {}).get("errant")}
        assert lacking == WITHOUT_COUNTERPARTS.get(code, set())
        every = {f"{op}:{label}" for op in "MUR" for label in keys.labels}
        assert all(set(keys.names_in(name).names) == every for name in keys.sets())


def test_a_label_means_one_thing_in_all_packs():
    """What stands before the colon is the meaning; after it a pack says how its language shows it."""
    meanings: dict[str, set[str]] = defaultdict(set)
    for code in known_packs():
        for label, description in load_pack(code).labels.items():
            meanings[label].add(description.partition(": ")[0])
    assert {label: found for label, found in meanings.items() if len(found) > 1} == {}
    assert len(meanings) > 150
    # And what several languages have has one name.
    for words, name in {
        "hyphens": "ORTH:HYPHEN",
        "elision": "ELISION",
        "words that sound alike": "SPELL:HOMOPHONE",
        "reflexive,": "VERB:REFL",
        "place of a clitic": "PRON:PLACE",
        "of a participle": "VERB:AGR",
        "choice of the copula": "AUX:COPULA",
        "second place": "WO:V2",
    }.items():
        assert [label for label, [meaning] in meanings.items() if words in meaning] == [name]


# Groups


def test_grouping():
    grouping = Grouping({"NOUN": "noun", "NOUN:NUM": "nominal-inflection", "OTHER": "other"})
    types = ["R:NOUN:NUM", "M:NOUN", "U:NOUN:POSS", "R:OTHER", "UNK", "R:NUON", "WS", "Um"]
    found = ["R:nominal-inflection", "M:noun", "U:noun", "R:other", "UNK", "R:other", "other", "Um"]
    assert [grouping(type_) for type_ in types] == found
    assert grouping.unknown == {"NUON", "WS"}


def test_where_packs_disagree_the_generic_one_goes_first(pack, monkeypatch):
    packs = {}
    for code, group, labels in (
        ("aa", "verb", ["BOTH", "AA", "THEIRS"]),
        ("generic", "noun", ["BOTH"]),
        ("zz", "adverb", ["BOTH", "ZZ", "THEIRS"]),
    ):
        tables = f"labels: {dict.fromkeys(labels, 'x')}\ngroups: {dict.fromkeys(labels, group)}\n"
        packs[code] = Path(pack(f"code: {code}\n{tables}", code))
    monkeypatch.setattr("jperrant.packs.discovery.known_packs", lambda: packs)
    assert common_groups() == {"BOTH": "noun", "AA": "verb", "THEIRS": "verb", "ZZ": "adverb"}


@pytest.mark.parametrize("metric", ["errant", "cleme2"])
def test_grouping_adds_up_and_changes_neither_figures_nor_ranking(short_conll, metric):
    files = [short_conll / f"conll14{name}.errant" for name in ("-AMU", "-CAMB", "")]
    scores = jperrant.score(files[:2], files[2], metrics=[metric])
    found = [grouped(score, Grouping(common_groups())) for score in scores]
    # Sentences count with their best reference, whichever was chosen for the totals.
    assert rank_systems(found) == rank_systems(scores)
    for after, before in zip(found, scores, strict=True):
        assert (after.values, after.total) == (before.values, before.total)
        of_groups, of_types = (add_rows(one.by_type.values(), len(one.total)) for one in (after, before))
        assert of_groups == pytest.approx(of_types)
        assert after.by_type["R:spelling"] == before.by_type["R:SPELL"]
        assert {type_.partition(":")[2] for type_ in after.by_type} <= set(GROUPS)


# Names in other schemes


@pytest.mark.parametrize(
    ("lang", "scheme", "names"),
    [
        # ARETA (Belkebir and Habash 2021): SW word selection, XM missing word, XT unnecessary word.
        ("ar", "areta", {"R:VERB": "R:SW", "M:VERB": "M:XM", "U:VERB": "U:XT"}),
        # ChERRANT has all of 的, 地 and 得 as one sound: one for another is a misspelling, one added a particle.
        ("zh", "cherrant", {"R:DE": "R:SPELL", "M:DE": "M:AUX", "U:DE": "U:AUX"}),
        # As in essays of COWS-L2H: []{a}<az:do:an>, [ella]{}<pr:su:pron>, [por]{para}<conf:prep:popa>.
        ("es", "cows", {"M:ADP:PERSONAL": "M:az:do:an", "U:PRON": "U:pr:su:pron",
                        "R:ADP:PORPARA": "R:conf:prep:popa"}),
        # A label without a name has that of the label it begins with.
        ("tr", "errant_tr", {"R:VERB:MOOD": "R:VERB"}),
    ],
)  # fmt: skip
def test_names_are_those_of_published_schemes(lang, scheme, names):
    found = pack_keys(lang).names_in(scheme).names
    assert {type_: found[type_] for type_ in names} == names


def test_what_is_left_and_what_has_several_names_is_said():
    left, none, several = (
        pack_keys(lang).names_in(scheme).note(scheme)
        for lang, scheme in (("zh", "errant"), ("cs", "errant_cs"), ("sv", "swell"))
    )
    assert left == "label set 'errant': 2 labels without a name in it keep their own (MC, QUANT)"
    assert none == ""
    assert "with several names in it are written by the first" in several
    with pytest.raises(
        UsageError, match=r"pack 'tr' has no label set 'errant_t' \(did you mean 'errant_tr'\?\)"
    ):
        pack_keys("tr").names_in("errant_t")


def test_annotate_and_retype_write_the_names(tmp_path):
    source, target, m2 = tmp_path / "source.txt", tmp_path / "target.txt", tmp_path / "edits.m2"
    source.write_text("a b\n", encoding="utf-8")
    target.write_text("a b .\n", encoding="utf-8")
    m2.write_text("S a b\nA 2 2|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    options = ["--lang", "ar", "--models", "none", "--labels", "areta", "--quiet"]
    with pytest.warns(UserWarning, match="keep their own"):
        annotated = printed("annotate", source, target, *options)
    assert "A 2 2|||M:PM|||.|||" in annotated
    with pytest.warns(UserWarning, match="keep their own"):
        assert printed("m2", "retype", m2, "--gold", *options) == annotated
