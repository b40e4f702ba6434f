"""Results are used again only while packs and models are the same: those that a language or a folder stands for."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import shutil
from pathlib import Path

import pytest

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.fingerprint import fingerprint
from jperrant.core.values import Annotation, Block
from jperrant.encoders.hugging_face import fingerprint as fingerprint_of_weights
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.studies.run import annotator_content, model_content
from jperrant.evaluation.text_annotation import TextAnnotator, TextOptions
from jperrant.packs.discovery import known_packs


def pack(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(text, encoding="utf-8")
    return folder


def test_names_of_a_language_stand_for_its_pack_and_models() -> None:
    known = fingerprint(AnnotatorOptions("en"))
    assert fingerprint(AnnotatorOptions("English")) == known
    assert len(known) > len(fingerprint(AnnotatorOptions("en", models="none")))


def test_models_of_a_pack_of_one_s_own(tmp_path: Path) -> None:
    folder = pack(tmp_path / "mine", "code: xy\nextends: en\nstanza: en\n")
    shutil.copytree(known_packs()["en"] / "models", folder / "models")
    options = AnnotatorOptions(pack=str(folder))
    before = fingerprint(options)
    file = folder / "models" / "en" / "mwt" / "ewt-compact.pt"
    file.write_bytes(file.read_bytes() + b" ")
    assert fingerprint(options) != before
    # Models elsewhere are looked for under Stanza's code, not under the name of the folder.
    given = AnnotatorOptions(pack=str(folder), models=f"compact:{folder / 'models'}")
    assert len(fingerprint(given)) == len(before)


def test_a_pack_in_the_next_folder_belongs_to_those_that_extend_it(tmp_path: Path) -> None:
    base = pack(tmp_path / "base", "code: base\nextends: generic\nname: Base\n")
    child = pack(tmp_path / "child", "code: child\nextends: base\n")
    options = AnnotatorOptions(pack=str(child), models="none")
    before = fingerprint(options)
    with (base / "pack.yaml").open("a", encoding="utf-8") as stream:
        stream.write("labels: {ODD: something odd}\n")
    assert fingerprint(options) != before


def test_only_files_that_a_pack_of_one_s_own_names_count(tmp_path: Path) -> None:
    """A folder with texts and results in it can be a pack, too, and annotating can be resumed there."""
    folder = pack(tmp_path / "mine", "code: xy\nextends: generic\nlexicon: words\nresources: [table]\n")
    for name in ("hooks.py", "words", "table"):
        (folder / name).write_text("")
    options = AnnotatorOptions(pack=str(folder), models="none")
    known = fingerprint(options)
    (folder / "x.m2").write_text("S a\n\n")
    assert fingerprint(options) == known
    for name in ("hooks.py", "words", "table"):
        (folder / name).write_text("# changed\n")
        before, known = known, fingerprint(options)
        assert known != before, name


@pytest.mark.parametrize(("lang", "package"), [("zh", "pypinyin"), ("en", "stanza")])
def test_another_version_of_a_package_makes_annotations_anew(
    lang: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = AnnotatorOptions(lang, models="none" if lang == "zh" else "compact")
    annotated, versions, found = [], {package: "1"}, []

    def annotate(self: TextAnnotator, *columns: tuple[str, ...]) -> tuple[Block, ...]:
        annotated.append(columns)
        return (Block(("a",), (Annotation(0),)),)

    monkeypatch.setattr(TextAnnotator, "_annotate", annotate)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: versions.get(name, "1"))
    for versions[package] in ("1", "1", "2"):
        TextAnnotator(TextOptions(options, cache=str(tmp_path))).blocks(("a",), [("a",)])
        found.append((len(annotated), annotator_content(options)))
    assert found[0] == found[1], "kept"
    assert [count for count, _ in found] == [1, 1, 2]
    assert found[2][1] != found[0][1], "nor are the results of a study used"


@pytest.mark.parametrize(
    ("metric", "option"), [("uot", "encoder"), ("pt-errant", "encoder"), ("some", "tokenizer")]
)
def test_all_files_of_a_model_s_folder_count(metric: str, option: str, tmp_path: Path) -> None:
    def content() -> list[str]:
        fingerprint_of_weights.cache_clear()
        return list(model_content(dataclasses.asdict(make_scorer(metric, **{option: str(tmp_path)}))))

    files = ("tokenizer.json", "config.json", "model.safetensors")
    for name in (*files, "notes.md"):
        (tmp_path / name).write_text("{}")
    before = content()
    (tmp_path / "notes.md").write_text("another")
    assert content() == before
    for name in files:
        (tmp_path / name).write_text("[]")
        before, known = content(), before
        assert before != known, name
