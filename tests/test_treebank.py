"""Treebanks: what is read, and what is refused with its line."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.parse.treebank import Treebank, TreebankSentence, read_treebank, text_and_labels
from training.data import read_data, trainable
from training.recipe import default_recipe, read_recipe

TREEBANK = Path(__file__).parent / "data" / "treebank"
TRAIN, DEV = str(TREEBANK / "train.conllu"), str(TREEBANK / "dev.conllu")
ROW = "1\tcat\tcat\tNOUN\tNN\t_\t0\troot\t_\t_\n"


def written(tmp_path: Path, text: str, name: str = "x.conllu") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_is_read(tmp_path):
    bank = read_treebank([TRAIN])
    assert len(bank.sentences) == 80
    assert bank.has("lemma")
    assert bank.has("xpos")
    assert bank.multi_word_tokens > 0
    with lzma.open(tmp_path / "t.conllu.xz", "wt", encoding="utf-8") as stream:
        stream.write(Path(TRAIN).read_text(encoding="utf-8"))
    assert read_treebank([str(tmp_path / "t.conllu.xz")]).sentences == bank.sentences


@pytest.mark.parametrize("first", ["# newdoc\n", ""])
def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path, first):
    [plain] = read_treebank([written(tmp_path, first + ROW)]).sentences
    [marked] = read_treebank([written(tmp_path, "\ufeff" + first + ROW)]).sentences
    assert marked == plain
    assert marked.new_paragraph == bool(first)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tcat\n", r":1: found 2 columns, expected 10"),
        ("1 cat\n", r":1: found 1 column, expected 10; .*tabs"),
        (ROW.replace("1\t", "2\t", 1), r":1: found ID '2', expected 1"),
        (ROW.replace("\t0\troot", "\t7\troot"), r":1: found head '7'"),
        (ROW.replace("\t0\troot", "\t1\tdep"), r":1: found a cycle of heads"),
        (ROW + ROW.replace("1\t", "2\t", 1), r"found 2 roots"),
        ("1-3\tcats\t_\t_\t_\t_\t_\t_\t_\t_\n" + ROW, r"found the range '1-3'"),
        ("", "found no sentences"),
        ("# only a comment\n\n", "found no sentences"),
    ],
)
def test_malformed_files_are_named(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as error:
        read_treebank([written(tmp_path, text)])
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_treebank([str(tmp_path / "none.conllu")])
    (tmp_path / "bad.conllu").write_bytes(b"1\t\xff\n")
    with pytest.raises(FormatError, match="not UTF-8"):
        read_treebank([str(tmp_path / "bad.conllu")])


@pytest.mark.parametrize(("ending", "module"), [(".gz", gzip), (".xz", lzma), (".bz2", bz2)])
@pytest.mark.parametrize("damage", ["cut", "changed", "none"])
def test_damaged_compressed_files_cannot_be_read(tmp_path, ending, module, damage):
    path = tmp_path / f"x.conllu{ending}"
    whole = module.compress(Path(TRAIN).read_bytes())
    damaged = {
        "cut": whole[: len(whole) // 2],
        "changed": whole[:40] + b"\xff" * 40 + whole[80:],
        "none": ROW.encode(),
    }
    path.write_bytes(damaged[damage])
    with pytest.raises(InputError, match=f"{re.escape(str(path))}: cannot be read"):
        read_treebank([str(path)])


def blanked(bank: Treebank, *columns: int) -> Treebank:
    rows = tuple(
        TreebankSentence(
            tuple(tuple("_" if n in columns else value for n, value in enumerate(row)) for row in s.rows)
        )
        for s in bank.sentences
    )
    return Treebank(bank.name, rows)


def test_what_is_missing_is_said(tmp_path):
    recipe = default_recipe()
    data = read_data([TRAIN], DEV, recipe)
    assert trainable(data) == (["tokenize", "mwt", "pos", "lemma", "depparse"], [])

    def without(*columns: int):
        path = written(tmp_path, "".join(blanked(data.train, *columns).lines()))
        return trainable(read_data([path], DEV, recipe))

    stages, lacks = without(4)
    assert stages == ["tokenize", "mwt", "pos", "lemma", "depparse"]
    assert lacks == ["XPOS is missing: the tagger leaves it empty"]
    stages, lacks = without(2, 6)
    assert stages == ["tokenize", "mwt", "pos"]
    assert [line.partition(" ")[0] for line in lacks] == ["lemmas", "heads"]
    stages, lacks = without(3)
    assert stages == ["tokenize", "mwt"]
    assert "UPOS" in lacks[0]


def test_sentences_without_a_whole_tree_teach_no_heads(tmp_path):
    trees, bare = read_treebank([DEV]), blanked(read_treebank([TRAIN]), 6)
    first, *others = trees.sentences
    half = TreebankSentence(((*first.rows[0][:6], "_", *first.rows[0][7:]), *first.rows[1:]))
    mixed = Treebank("mixed", (half, *bare.sentences, *others))
    path = written(tmp_path, "".join(mixed.lines()))
    read = read_treebank([path])
    assert ["head" in s.lacks for s in read.sentences] == [True] * 81 + [False] * len(others)
    assert "depparse" in trainable(read_data([path], DEV, default_recipe()))[0]
    only_half = written(tmp_path, "".join(Treebank("half", (half, *bare.sentences)).lines()), "half.conllu")
    assert "depparse" not in trainable(read_data([only_half], DEV, default_recipe()))[0]


def test_too_little_data(tmp_path):
    with pytest.raises(UsageError, match="1 sentence "):
        read_data([written(tmp_path, ROW)], DEV, default_recipe())
    with pytest.raises(UsageError, match=r"give the treebanks: "):
        read_data([], "", default_recipe())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stages: {pso: {}}", r"unknown key 'pso' \(did you mean 'pos'\?\)"),
        ("stages: {pos: {step: 3}}", "unknown key 'step'"),
        ("size: huge", "unknown size 'huge'"),
        ("- a", "expected a mapping of keys to values"),
        ("{", "not YAML"),
        (
            "only: [tokenise]",
            r"r\.yaml: only: unknown 'tokenise' \(did you mean 'tokenize'\?\); expected some of",
        ),
        ("train: 5", r"r\.yaml: train: found 5, expected a text or a list of texts"),
        ("dev: [5]", r"dev: found \[5\], expected a text or a list"),
        ("test: [a]", r"test: found \['a'\], expected text"),
        ("package: 3", "package: found 3, expected text"),
        ("seed: abc", "seed: found 'abc', expected 0 or a larger whole number"),
        ("seed: 1.5", r"seed: found 1\.5"),
        ("about: free", "about: found 'free', expected a mapping"),
        ("size: 3", "size: found 3, expected text"),
        ("errors: [a]", r"errors: found \['a'\], expected text"),
        ("stages: pos", "stages: found 'pos', expected a mapping of keys"),
        ("stages: {pos: 3}", "stages: pos: found 3, expected a mapping of keys"),
        (
            "stages: {pos: {schedule: 5}}",
            r"stages: pos: schedule: found 5, expected a list of \[steps, learning",
        ),
        (
            "stages: {pos: {schedule: [[a, 1]]}}",
            "pos: schedule: steps: found 'a', expected 0 or a larger whole",
        ),
        (
            "stages: {pos: {further: [[9, fast]]}}",
            "further: learning rate: found 'fast', expected 0 or a larger",
        ),
        ("stages: {pos: {epochs: many}}", "stages: pos: epochs: found 'many'"),
        (
            "stages: {pos: {options: {hidden_dim: abc}}}",
            "pos: options: hidden_dim: found 'abc', expected 0 or a larger",
        ),
        ("stages: {pos: {average: 2}}", "average: found 2.0, expected a number from 0 to less than 1"),
        ("stages: {pos: {noise: -1}}", "noise: found -1, expected 0 or a larger number"),
        ("stages: {pos: {options: [a]}}", r"options: found \['a'\], expected a mapping"),
        (
            "stages: {pos: {extra: {a.conllu: often}}}",
            r"extra: a\.conllu: found 'often', expected 0 or a larger",
        ),
        ("stages: {lemma: {lexicon: 3}}", "lexicon: found 3, expected text"),
    ],
)
def test_recipes_that_are_wrong(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as error:
        read_recipe(written(tmp_path, text, "r.yaml"))
    assert "\n" not in str(error.value)


def test_a_recipe_that_is_no_text(tmp_path):
    (tmp_path / "r.yaml").write_bytes(b"package: \xff\n")
    with pytest.raises(FormatError, match=r"r\.yaml: not YAML"):
        read_recipe(str(tmp_path / "r.yaml"))


def test_a_text_alone_is_a_list_and_a_key_without_a_value_is_none(tmp_path):
    text = (
        "train: a.conllu\ndev: b.conllu\nonly: pos\npackage:\nstages: {pos: , lemma: {schedule: [[9, 1e-3]]}}"
    )
    recipe = read_recipe(written(tmp_path, text, "r.yaml"))
    assert (recipe.train, recipe.dev, recipe.only) == (("a.conllu",), ("b.conllu",), ("pos",))
    assert recipe.package == ""
    assert recipe.stages["pos"] == default_recipe().stages["pos"]
    assert recipe.stages["lemma"].schedule == ((9, 0.001),)
    assert read_recipe(written(tmp_path, "stages:\n", "r.yaml")) == default_recipe()


def test_the_recipes_of_the_embedded_models_are_recipes():
    from jperrant.packs import load_pack

    for code in ("en", "zh", "ko"):
        folder = load_pack(code).compact
        recipe = read_recipe(str(folder / "recipe.yaml"))
        assert recipe.train
        assert recipe.about["licence"]
        assert (folder / code / "pos" / f"{recipe.package}.pt").is_file()


FORMS = st.text(st.sampled_from("abé漢.'"), min_size=1, max_size=4)


@given(st.lists(st.lists(st.tuples(FORMS, st.booleans()), min_size=1, max_size=5), min_size=1, max_size=4))
def test_labels_end_every_token_and_sentence(sentences):
    bank = [
        TreebankSentence(
            tuple(
                (str(n), form, "_", "X", "_", "_", "0", "_", "_", "SpaceAfter=No" if glued else "_")
                for n, (form, glued) in enumerate(words, start=1)
            )
        )
        for words in sentences
    ]
    text, labels = text_and_labels(bank)
    assert len(text) == len(labels)
    found, at = [], 0
    for place, label in enumerate(labels):
        if label != "0":
            found.append((text[at : place + 1].strip(), label))
            at = place + 1
    expected = [
        (form, "2" if n == len(words) - 1 else "1")
        for words in sentences
        for n, (form, _) in enumerate(words)
    ]
    assert found == expected
