"""brat, INCEpTION and Label Studio: their files to the character, and what annotators do to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cassis
import pytest

from jperrant.core.errors import FormatError, InputError
from jperrant.exchange.brat import type_name, type_of
from tests.exchange_files import HARD, exported, imported

#: The running example of docs/exchange.md.
EXAMPLE = """\
S This are gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||0

"""


def foreign(files: dict[str, str], folder: Path, format: str, **options: Any) -> tuple[list[str], list[str]]:
    """Return the A lines of files that no export wrote, and the notes but the one about the side file."""
    for name, text in files.items():
        (folder / "tool" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tool" / name).write_text(text, encoding="utf-8")
    text, notes = imported(folder / "tool", format, **options)
    assert "no side file" in notes[0]
    edits = [line.split("|||") for line in text.split("\n") if line.startswith("A")]
    return [f"{head[2:]} {type_} {correction}" for head, type_, correction, *_ in edits], notes[1:]


def test_brat_files_are_as_brat_reads_them(tmp_path: Path) -> None:
    out = exported(EXAMPLE, "brat", tmp_path)
    assert (out / "annotator0" / "gold.txt").read_text(
        encoding="utf-8"
    ) == "This are gramamtical sentence .\n"
    # brat cannot read the line of an empty region without its last tab.
    assert (out / "annotator0" / "gold.ann").read_text(encoding="utf-8") == (
        "T1\tR_VERB_SVA 5 8\tare\n#1\tAnnotatorNotes T1\tis\nT2\tM_DET 9 9\t\n#2\tAnnotatorNotes T2\ta\n"
        "T3\tR_SPELL 9 20\tgramamtical\n#3\tAnnotatorNotes T3\tgrammatical\n"
    )
    assert (out / "annotation.conf").read_text(encoding="utf-8") == (
        "[entities]\nM_DET\nR_SPELL\nR_VERB_SVA\n\n[relations]\n\n[events]\n\n[attributes]\nDelete\tArg:<ENTITY>\n"
    )
    assert "R_VERB_SVA | R:VERB:SVA\n" in (out / "visual.conf").read_text(encoding="utf-8")


@pytest.mark.parametrize("type_", ["R:VERB:SVA", "R:WO:NOM: FORM", "a_b-c", "שלום", "😀", "-0020-", "UNK"])
def test_brat_names_of_types(type_: str) -> None:
    name = type_name(type_)
    assert type_of(name) == type_
    assert set(name) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def test_brat_of_a_corpus(tmp_path: Path) -> None:
    standoff = (
        "T1\tArticles 5 8\tare\n#1\tAnnotatorNotes T1\tare a\nT2\tSpelling 9 20\tgramamtical\n"
        "A1\tDelete T2\nT3\tWord_choice 21 29\tsentence\nR1\tRel Arg1:T1 Arg2:T2\n#5\tNote T1\tlooks odd\n"
    )
    files = {"essay.txt": "This are gramamtical sentence .", "essay.ann": standoff}
    edits, notes = foreign(files, tmp_path, "brat")
    assert edits == ["1 2 Articles are a", "2 3 Spelling ", "3 4 UNK -NONE-"]
    assert sorted(note.partition(": ")[2] for note in notes) == [
        "'Word:choice' without a correction became UNK",
        "a relation, which M2 cannot hold, left out",
        "a remark of kind 'Note', which M2 cannot hold, left out",
        "annotator 'tool' is number 0; choose other numbers with --annotator NAME=NUMBER",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1\tX 0 4", r"a.ann:1: .*expected 'T1<TAB>TYPE START END<TAB>TEXT'"),
        ("T1\tX 0 2;3 4\tTh s", r"a.ann:1: T1 has several fragments .0 2;3 4"),
        ("T1\tX 0 4\tThat", r"a.ann: line 1 .T1.: 0 to 4 covers 'This', expected 'That'"),
        ("T1\tX 4 2\t", r"a.ann: line 1 .T1.: 4 to 2 lies outside the text of 11 characters"),
        ("T1\tX 5 99\tis", r"5 to 99 lies outside"),
        ("T1\tX 5 11\tis\nyes", r"a.ann:2: found 'yes'"),
        ("T1\tX 5 10\tis no", r"line 1 .T1. crosses sentences: 5 to 10 covers 'is\\nno'"),
        ("T1\tX 0 4\tThis\nT1\tX 0 4\tThis", r"a.ann:2: T1 is given twice, first in line 1"),
        ("#1\tAnnotatorNotes T7\tit", r"a note or attribute of T7"),
        (
            "T1\tX 0 4\tThis\n#1\tAnnotatorNotes T1\ta\n#2\tAnnotatorNotes T1\tb",
            r"a.ann:3: found a second note of T1",
        ),
        ("hello", r"a.ann:1: found 'hello'"),
    ],
)
def test_brat_files_that_cannot_be_read(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        foreign({"a.txt": "This is\nnow", "a.ann": line}, tmp_path, "brat")


def test_offsets_in_utf16_are_converted_and_said(tmp_path: Path) -> None:
    files = {
        "a.txt": "😀 😀 go now",
        "a.ann": "T1\tX 6 8\tgo\n#1\tAnnotatorNotes T1\tcome\nT2\tX 9 12\tnow\n",
    }
    edits, notes = foreign(files, tmp_path, "brat")
    assert edits == ["2 3 X come", "3 4 UNK -NONE-"]
    assert any("UTF-16 code units" in note for note in notes)
    files["a.ann"] += "T3\tX 4 6\tgo\n"  # this one counts code points
    with pytest.raises(FormatError, match=r"line 1 .T1.: 6 to 8 covers ' n', expected 'go'"):
        foreign(files, tmp_path, "brat")


def test_a_text_that_nobody_opened_is_not_looked_at(tmp_path: Path) -> None:
    edits, notes = foreign({"annotator0/a.txt": "This is"}, tmp_path, "brat")
    assert edits == []
    assert "'0' has not finished" in notes[0]


def test_regions_inside_tokens_grow_and_new_overlaps_are_counted(tmp_path: Path) -> None:
    out = exported(EXAMPLE, "brat", tmp_path)
    standoff = out / "annotator0" / "gold.ann"
    lines = "T4\tR_MORPH 21 25\tsent\n#4\tAnnotatorNotes T4\tSent\n"
    lines += "T5\tR_WO 0 8\tThis are\n#5\tAnnotatorNotes T5\tx\nT6\tUNK 30 31\t.\nT7\tUNK 22 24\ten\n"
    standoff.write_text(standoff.read_text(encoding="utf-8") + lines, encoding="utf-8")
    text, notes = imported(out, "brat")
    assert "A 3 4|||R:MORPH|||Sentence|||" in text
    assert [note.partition("gold.ann, ")[2] for note in notes] == [
        "line 7 (T4): begins or ends inside a token, widened to whole tokens (2 times; this is the first)",
        "line 9 (T5): overlaps another edit (0 2 and 1 2)",
    ]


def test_inception_files_are_read_by_cassis(tmp_path: Path) -> None:
    out = exported(HARD, "inception", tmp_path)
    [file] = (out / "annotator0").iterdir()
    types = cassis.TypeSystem()
    segmentation = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
    for name in (f"{segmentation}.Sentence", f"{segmentation}.Token", "webanno.custom.Edit"):
        made = types.create_type(name, supertypeName="uima.tcas.Annotation")
    types.create_feature(made, "category", "uima.cas.String")
    types.create_feature(made, "correction", "uima.cas.String")
    cas = cassis.load_cas_from_xmi(file.read_text(encoding="utf-8"), typesystem=types)
    edits = [(e.get_covered_text(), e.category, e.correction) for e in cas.select("webanno.custom.Edit")]
    assert edits[:3] == [
        ("are", "R:VERB:SVA", "is"),
        ("", "M:DET", "a"),
        ("gramamtical", "R:SPELL", "grammatical"),
    ]
    assert ("", "M:OTHER", "👍 👍🏽") in edits
    tokens = cas.select("de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token")
    expected = [word for line in HARD.split("\n") if line.startswith("S") for word in line.split()[1:]]
    assert [token.get_covered_text() for token in tokens] == expected
    assert cas.typecheck() == []


def test_inception_counts_utf16(tmp_path: Path) -> None:
    text = "S 😀 go\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\nA 2 2|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0\n\n"
    out = exported(text, "inception", tmp_path)
    xmi = (out / "annotator0" / "gold.xmi").read_text(encoding="utf-8")
    assert 'begin="3" end="5" category="R:VERB" correction="goes"' in xmi
    assert 'begin="5" end="5" category="M:PUNCT" correction="."' in xmi


def test_inception_layer_and_tag_set(tmp_path: Path) -> None:
    out = exported(EXAMPLE, "inception", tmp_path)
    [layer] = json.loads((out / "layer.json").read_text(encoding="utf-8"))
    assert layer["name"] == "webanno.custom.Edit"
    assert (layer["allow_stacking"], layer["overlap_mode"]) == (True, "ANY_OVERLAP")
    assert (layer["cross_sentence"], layer["anchoring_mode"]) == (False, "TOKENS")
    assert [feature["name"] for feature in layer["features"]] == ["category", "correction"]
    tag_set = json.loads((out / "tagset.json").read_text(encoding="utf-8"))
    assert layer["features"][0]["tag_set"] == tag_set
    assert [tag["tag_name"] for tag in tag_set["tags"]] == ["M:DET", "R:SPELL", "R:VERB:SVA"]


def test_a_curated_project_becomes_one_m2(tmp_path: Path) -> None:
    """The folders of an unpacked project export: a folder for each document, a file for each annotator."""
    out = exported(EXAMPLE, "inception", tmp_path)
    xmi = (out / "annotator0" / "gold.xmi").read_text(encoding="utf-8")
    project = out / "project"
    files = {
        "annotation/gold.xmi/maria.xmi": xmi.replace('correction="is"', 'correction="was"'),
        "annotation/gold.xmi/INITIAL_CAS.xmi": xmi,
        "curation/gold.xmi/CURATION_USER.xmi": xmi.replace('category="R:SPELL"', 'category="R:OTHER"'),
    }
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    side = str(out / "gold.jperrant.json")
    curated, _ = imported(project / "curation", "inception", side=side)
    assert curated == EXAMPLE.replace("R:SPELL", "R:OTHER")
    everybody, _ = imported(project, "inception", side=side, annotators={"maria": 0, "CURATION_USER": 1})
    assert "R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0" in everybody
    assert "R:OTHER|||grammatical|||REQUIRED|||-NONE-|||1" in everybody


def test_byte_order_marks_come_and_go(tmp_path: Path) -> None:
    text = "S \ufeffa b\nA 1 2|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"
    out = exported(text, "brat", tmp_path)
    assert imported(out, "brat") == (text, [])
    (tmp_path / "other").mkdir()
    out = exported(EXAMPLE, "inception", tmp_path / "other")
    file = out / "annotator0" / "gold.xmi"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert imported(out, "inception") == (EXAMPLE, [])


def test_archives_are_not_passed_over(tmp_path: Path) -> None:
    out = exported(EXAMPLE, "inception", tmp_path)
    (out / "annotator0" / "maria.zip").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"maria.zip: found an archive; unpack"):
        imported(out, "inception")


def test_fields_that_inception_emptied_are_restored(tmp_path: Path) -> None:
    text = "S a b\nA 0 1|||R:X||||||REQUIRED|||-NONE-|||0\nA 1 2|||U:X||||||REQUIRED|||-NONE-|||0\n\n"
    out = exported(text, "inception", tmp_path)
    file = out / "annotator0" / "gold.xmi"
    xmi = file.read_text(encoding="utf-8")
    assert xmi.count('correction="-NONE-"') == 1
    file.write_text(xmi.replace('correction="-NONE-"', 'correction=""'), encoding="utf-8")
    assert imported(out, "inception") == (text, [])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<", "&", r"gold.xmi:1: not XML"),
        ("<xmi:XMI", '<!DOCTYPE x [<!ENTITY a "aa">]><xmi:XMI', "found a DOCTYPE"),
        ("sofaString=", "other=", "no text .sofaString"),
        ('encoding="', 'encoding="x', r"gold.xmi:1: not XML .unknown encoding"),
        ('category="M:DET"', "", r"annotation \d+ at 9 to 9 has no category"),
        ('begin="9" end="9"', 'begin="x" end="9"', r"annotation \d+: found no begin and end"),
        ('begin="9" end="9"', 'begin="9" end="900"', r"annotation \d+: 9 to 900 lies outside"),
    ],
)
def test_cas_files_that_cannot_be_read(old: str, new: str, message: str, tmp_path: Path) -> None:
    file = exported(EXAMPLE, "inception", tmp_path) / "annotator0" / "gold.xmi"
    xmi = file.read_text(encoding="utf-8")
    assert old in xmi
    file.write_text(xmi.replace(old, new), encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        imported(tmp_path / "out", "inception")


def label_studio(folder: Path, text: str = EXAMPLE) -> tuple[Path, list[Any]]:
    out = exported(text, "label-studio", folder)
    return out / "tasks.json", json.loads((out / "tasks.json").read_text(encoding="utf-8"))


def test_label_studio_tasks_are_as_it_reads_them(tmp_path: Path) -> None:
    _, [task] = label_studio(tmp_path)
    assert task["data"] == {"text": "This are gramamtical sentence .", "document": "gold", "block": 1}
    [annotation] = task["annotations"]
    region, span = {"id": "b0a0e1", "to_name": "text"}, {"start": 9, "end": 20}
    labels = {**span, "text": "gramamtical", "labels": ["M:DET"]}
    assert [r for r in annotation["result"] if r["id"] == "b0a0e1"] == [
        {**region, "from_name": "type", "type": "labels", "value": labels},
        {**region, "from_name": "correction", "type": "textarea", "value": {**span, "text": ["a"]}},
        {**region, "from_name": "place", "type": "choices", "value": {**span, "choices": ["insert before"]}},
    ]
    view = (tmp_path / "out" / "labels.xml").read_text(encoding="utf-8")
    assert '<Text name="text" value="$text" granularity="word"/>' in view
    assert '<Label value="R:VERB:SVA"' in view


def test_label_studio_work_in_all_states(tmp_path: Path) -> None:
    two = EXAMPLE + "S go\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\nS no\n\nS so\n\n"
    file, tasks = label_studio(tmp_path, two)
    results(tasks)[1]["value"]["text"] = "stale"
    tasks[1]["annotations"][0]["was_cancelled"] = True
    tasks[2]["predictions"] = [{"model_version": "x", "result": []}]
    tasks[3]["drafts"] = [{"user": "0", "result": [{"id": "a"}]}]
    file.write_text(json.dumps(tasks), encoding="utf-8")
    text, notes = imported(file, "label-studio", side=str(tmp_path / "out" / "gold.jperrant.json"))
    assert text == EXAMPLE + "S go\n\nS no\n\nS so\n\n"
    shown = [note.partition("tasks.json: ")[2] for note in notes]
    assert shown[:3] == [
        "task 1: region b0a0e0: 5 to 8 covers 'are', expected 'stale' as the file says; the offsets are used",
        "task 2: annotator '0' has not finished, left out (2 times; this is the first)",
        "task 3: a task with predictions only, which nobody has checked, left without annotations",
    ]


@pytest.mark.parametrize(
    ("user", "name"),
    [({"id": 7, "email": "maria@example.org"}, "maria@example.org"), (7, "user7"), ("", "user")],
)
def test_label_studio_users_have_names(user: Any, name: str, tmp_path: Path) -> None:
    file, tasks = label_studio(tmp_path)
    tasks[0]["annotations"][0] |= {"completed_by": user, "result": results(tasks)[1:]}
    file.write_text(json.dumps(tasks), encoding="utf-8")
    assert imported(file.parent, "label-studio", annotators={name: 0}) == (EXAMPLE, [])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t[0].pop("data"), "task 1: data: found none, .* of Label Studio's export as JSON"),
        (lambda t: t[0]["data"].update(text="Other"), "task 1: sentence 1 of 'gold' .*character 1"),
        (lambda t: t[0]["data"].update(block=6), "task 1: found sentence 6 of 'gold', expected 1 to 1"),
        (lambda t: t.append(t[0]), "task 2: annotator '0' has annotated sentence 1"),
        (lambda t: value(t, 1).update(labels=["A", "B"]), "labels: .* most 1 item, not 2, in region b0a0e0"),
        (lambda t: results(t).pop(1), "in region b0a0e0"),
        (lambda t: value(t, 1).update(labels=1.5), "labels: found '1.5', .* region b0a0e0"),
        (lambda t: value(t, 1).update(end=99), "region b0a0e0: 5 to 99 lies outside"),
        (lambda t: value(t, 2).update(text=["a", "b"]), "correction.text: .* at most 1 item"),
        (lambda t: t[0].update(annotations=[3]), "task 1: found '3', .* fields=all"),
        (
            lambda t: t[0].update(id=42, annotations=""),
            "task 42: annotations: found .* expected a valid list",
        ),
    ],
)
def test_label_studio_files_that_cannot_be_read(change: Any, message: str, tmp_path: Path) -> None:
    file, tasks = label_studio(tmp_path)
    change(tasks)
    file.write_text(json.dumps(tasks), encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        imported(file.parent, "label-studio")


def test_json_with_endless_numbers_is_refused(tmp_path: Path) -> None:
    file, _ = label_studio(tmp_path)
    file.write_text(f"[{'9' * 5000}]", encoding="utf-8")
    with pytest.raises(FormatError, match="number out of range"):
        imported(file.parent, "label-studio")


def results(tasks: list[Any]) -> list[Any]:
    found: list[Any] = tasks[0]["annotations"][0]["result"]
    return found


def value(tasks: list[Any], number: int) -> Any:
    return results(tasks)[number]["value"]
