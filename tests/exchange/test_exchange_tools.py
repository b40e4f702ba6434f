"""brat, INCEpTION and Label Studio: their files to the character, and what annotators do to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import cassis
import pytest

from jperrant.core.errors import FormatError, InputError
from jperrant.exchange.brat import type_name, type_of
from tests.exchange_files import EXAMPLE, HARD, change, exported, imported, put


def foreign(files: dict[str, str], folder: Path, format: str) -> tuple[list[str], list[str]]:
    """Return the edits of files that no export wrote, and the notes but the one about the side file."""
    text, notes = imported(put(folder / "tool", files), format)
    assert "no side file" in notes[0]
    edits = [line.split("|||") for line in text.split("\n") if line.startswith("A")]
    return [f"{head[2:]} {type_} {correction}" for head, type_, correction, *_ in edits], notes[1:]


def test_brat_files_are_as_brat_reads_them(tmp_path: Path) -> None:
    out = exported(EXAMPLE, "brat", tmp_path)
    read = {file.name: file.read_text(encoding="utf-8") for file in out.rglob("*.*")}
    assert read["gold.txt"] == "This are gramamtical sentence .\n"
    # brat cannot read the line of an empty region without its last tab.
    assert read["gold.ann"] == (
        "T1\tR_VERB_SVA 5 8\tare\n#1\tAnnotatorNotes T1\tis\nT2\tM_DET 9 9\t\n#2\tAnnotatorNotes T2\ta\n"
        "T3\tR_SPELL 9 20\tgramamtical\n#3\tAnnotatorNotes T3\tgrammatical\n"
    )
    parts = ["M_DET\nR_SPELL\nR_VERB_SVA", "[relations]", "[events]", "[attributes]\nDelete\tArg:<ENTITY>\n"]
    assert read["annotation.conf"] == "[entities]\n" + "\n\n".join(parts)
    assert "R_VERB_SVA | R:VERB:SVA\n" in read["visual.conf"]


@pytest.mark.parametrize("type_", ["R:WO:NOM: FORM", "a_b-c", "שלום", "😀", "-0020-"])
def test_brat_names_of_types(type_: str) -> None:
    name = type_name(type_)
    assert type_of(name) == type_
    assert name.isascii()
    assert name.replace("_", "").replace("-", "").isalnum()


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


def test_a_part_of_a_token_is_corrected_and_no_more(tmp_path: Path) -> None:
    marks = [("U_VERB", ""), ("R_VERB_SVA", "-NONE-"), ("R_VERB_SVA", "d"), ("UNK", "-NONE-"), ("UNK", "x y")]
    standoff = ""
    for k, (type_, note) in enumerate(marks):
        standoff += f"T{k}\t{type_} {6 * k + 4} {6 * k + 5}\ts\n"
        standoff += f"#{k}\tAnnotatorNotes T{k}\t{note}\n" if note else ""
    edits, notes = foreign({"a.txt": "likes likes likes likes likes", "a.ann": standoff}, tmp_path, "brat")
    verbs = ["0 1 U:VERB like", "1 2 R:VERB:SVA like", "2 3 R:VERB:SVA liked"]
    assert edits == [*verbs, "3 4 UNK -NONE-", "4 5 UNK x y"]
    assert any("widened to whole tokens (5 times" in note for note in notes)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1\tX 0 4", r"a.ann:1: .*expected 'T1<TAB>TYPE START END<TAB>TEXT'"),
        ("T1\tX 0 2;3 4\tTh s", r"a.ann:1: T1 has several fragments .0 2;3 4"),
        ("T1\tX 0 4\tThat", r"a.ann: line 1 .T1.: 0 to 4 covers 'This', expected 'That'"),
        ("T1\tX 4 2\t", r"a.ann: line 1 .T1.: 4 to 2 lies outside the text of 11 characters"),
        ("T1\tX 5 11\tis\nyes", r"a.ann:2: found 'yes'"),
        ("T1\tX 5 10\tis no", r"line 1 .T1. crosses sentences: 5 to 10 covers 'is\\nno'"),
        ("T1\tX 0 4\tThis\nT1\tX 0 4\tThis", r"a.ann:2: T1 is given twice, first in line 1"),
        ("#1\tAnnotatorNotes T7\tit", r"a note or attribute of T7"),
        ("#1\tAnnotatorNotes T1\ta\n#2\tAnnotatorNotes T1\tb", r"a.ann:2: found a second note of T1"),
    ],
)
def test_brat_files_that_cannot_be_read(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        foreign({"a.txt": "This is\nnow", "a.ann": line}, tmp_path, "brat")


def test_offsets_in_utf16_are_converted_and_said(tmp_path: Path) -> None:
    lines = "T1\tX 6 8\tgo\n#1\tAnnotatorNotes T1\tcome\nT2\tX 9 12\tnow\n"
    files = {"a.txt": "😀 😀 go now", "a.ann": lines}
    edits, notes = foreign(files, tmp_path, "brat")
    assert edits == ["2 3 X come", "3 4 UNK -NONE-"]
    assert any("UTF-16 code units" in note for note in notes)
    files["a.ann"] += "T3\tX 4 6\tgo\n"  # this one counts code points
    with pytest.raises(FormatError, match=r"line 1 .T1.: 6 to 8 covers ' n', expected 'go'"):
        foreign(files, tmp_path, "brat")


def test_a_text_that_nobody_opened_is_not_looked_at(tmp_path: Path) -> None:
    edits, [note] = foreign({"annotator0/a.txt": "This is"}, tmp_path, "brat")
    assert edits == []
    assert "'0' has not finished" in note


def test_inception_files_are_read_by_cassis(tmp_path: Path) -> None:
    out = exported(HARD, "inception", tmp_path)
    types = cassis.TypeSystem()
    segmentation = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
    for name in (f"{segmentation}.Sentence", f"{segmentation}.Token", "webanno.custom.Edit"):
        made = types.create_type(name, supertypeName="uima.tcas.Annotation")
    types.create_feature(made, "category", "uima.cas.String")
    types.create_feature(made, "correction", "uima.cas.String")
    xmi = (out / "annotator0" / "gold.xmi").read_text(encoding="utf-8")
    cas = cassis.load_cas_from_xmi(xmi, typesystem=types)
    edits = [(e.get_covered_text(), e.category, e.correction) for e in cas.select("webanno.custom.Edit")]
    assert edits[1:4] == [
        ("", "M:DET", "a"),
        ("gramamtical", "R:SPELL", "grammatical"),
        ("go", "R:VERB:SVA", "goes"),  # after a character of two UTF-16 code units
    ]
    tokens = [token.get_covered_text() for token in cas.select(f"{segmentation}.Token")]
    assert tokens == [word for line in HARD.split("\n") if line.startswith("S") for word in line.split()[1:]]
    assert cas.typecheck() == []


def test_inception_layer_and_tag_set(tmp_path: Path) -> None:
    out = exported(EXAMPLE, "inception", tmp_path)
    [layer], tag_set = [json.loads((out / f"{name}.json").read_text("utf-8")) for name in ("layer", "tagset")]
    assert (layer["name"], layer["overlap_mode"]) == ("webanno.custom.Edit", "ANY_OVERLAP")
    assert layer["features"][0]["tag_set"] == tag_set
    assert [tag["tag_name"] for tag in tag_set["tags"]] == ["M:DET", "R:SPELL", "R:VERB:SVA"]


def test_a_curated_project_becomes_one_m2(tmp_path: Path) -> None:
    """The folders of an unpacked project export: a folder for each document, a file for each annotator."""
    out = exported(EXAMPLE, "inception", tmp_path)
    xmi = (out / "annotator0" / "gold.xmi").read_text(encoding="utf-8")
    files = {
        "annotation/gold.xmi/maria.xmi": xmi.replace('correction="is"', 'correction="was"'),
        "annotation/gold.xmi/INITIAL_CAS.xmi": xmi,
        "curation/gold.xmi/CURATION_USER.xmi": xmi.replace('category="R:SPELL"', 'category="R:OTHER"'),
    }
    project, side = put(tmp_path / "project", files), str(out / "gold.jperrant.json")
    curated, _ = imported(project / "curation", "inception", side=side)
    assert curated == EXAMPLE.replace("R:SPELL", "R:OTHER")
    everybody, _ = imported(project, "inception", side=side, annotators={"maria": 0, "CURATION_USER": 1})
    assert "R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0" in everybody
    assert "R:OTHER|||grammatical|||REQUIRED|||-NONE-|||1" in everybody
    (out / "annotator0" / "maria.zip").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"maria.zip: found an archive; unpack"):
        imported(out, "inception")


def test_the_byte_order_mark_of_a_text_stays(tmp_path: Path) -> None:
    text = "S \ufeffa b\nA 1 2|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"
    for name in ("brat", "ua-gec"):
        assert imported(exported(text, name, tmp_path, name), name) == (text, [])


def test_what_programs_add_and_inception_empties_is_restored(tmp_path: Path) -> None:
    text = "S a b\nA 0 1|||R:X||||||REQUIRED|||-NONE-|||0\nA 1 2|||U:X||||||REQUIRED|||-NONE-|||0\n\n"
    out = exported(text, "inception", tmp_path)
    change(out / "annotator0" / "gold.xmi", 'correction="-NONE-"', 'correction=""')
    change(out / "annotator0" / "gold.xmi", "<?xml", "\ufeff<?xml")
    assert imported(out, "inception") == (text, [])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<", "&", r"gold.xmi:1: not XML"),
        ("sofaString=", "other=", "no text .sofaString"),
        ('category="M:DET"', "", r"annotation \d+ at 9 to 9 has no category"),
        ('begin="9" end="9"', 'begin="x" end="9"', r"annotation \d+: found no begin and end"),
        ('begin="9" end="9"', 'begin="9" end="900"', r"annotation \d+: 9 to 900 lies outside"),
    ],
)
def test_cas_files_that_cannot_be_read(old: str, new: str, message: str, tmp_path: Path) -> None:
    out = exported(EXAMPLE, "inception", tmp_path)
    change(out / "annotator0" / "gold.xmi", old, new)
    with pytest.raises(FormatError, match=message):
        imported(out, "inception")


#: Changes tasks, and the results of the first of them.
Change: TypeAlias = Callable[[list[Any], list[Any]], object]


def label_studio(folder: Path, change: Change, text: str = EXAMPLE) -> Path:
    """Return the file of tasks after a change."""
    file = exported(text, "label-studio", folder) / "tasks.json"
    tasks = json.loads(file.read_text(encoding="utf-8"))
    change(tasks, tasks[0]["annotations"][0]["result"])
    file.write_text(json.dumps(tasks), encoding="utf-8")
    return file


def test_label_studio_tasks_are_as_it_reads_them(tmp_path: Path) -> None:
    file = exported(EXAMPLE, "label-studio", tmp_path) / "tasks.json"
    [task] = json.loads(file.read_text(encoding="utf-8"))
    assert task["data"] == {"text": "This are gramamtical sentence .", "document": "gold", "block": 1}
    region, span = {"id": "b0a0e1", "to_name": "text"}, {"start": 9, "end": 20}
    labels = {**span, "text": "gramamtical", "labels": ["M:DET"]}
    assert [result for result in task["annotations"][0]["result"] if result["id"] == "b0a0e1"] == [
        {**region, "from_name": "type", "type": "labels", "value": labels},
        {**region, "from_name": "correction", "type": "textarea", "value": {**span, "text": ["a"]}},
        {**region, "from_name": "place", "type": "choices", "value": {**span, "choices": ["insert before"]}},
    ]
    view = file.with_name("labels.xml").read_text(encoding="utf-8")
    assert '<Text name="text" value="$text" granularity="word"/>' in view
    assert '<Label value="R:VERB:SVA"' in view


def test_label_studio_work_in_all_states(tmp_path: Path) -> None:
    def work(tasks: list[Any], results: list[Any]) -> None:
        results[1]["value"]["text"] = "stale"
        tasks[1]["annotations"][0]["was_cancelled"] = True
        tasks[2]["predictions"] = [{"model_version": "x", "result": []}]
        tasks[3]["drafts"] = [{"user": "0", "result": [{"id": "a"}]}]

    more = "S go\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\nS no\n\nS so\n\n"
    file = label_studio(tmp_path, work, EXAMPLE + more)
    text, notes = imported(file, "label-studio", side=str(file.with_name("gold.jperrant.json")))
    assert text == EXAMPLE + "S go\n\nS no\n\nS so\n\n"
    assert [note.partition("tasks.json: ")[2] for note in notes][:3] == [
        "task 1: region b0a0e0: 5 to 8 covers 'are', expected 'stale' as the file says; the offsets are used",
        "task 2: annotator '0' has not finished, left out (2 times; this is the first)",
        "task 3: a task with predictions only, which nobody has checked, left without annotations",
    ]


@pytest.mark.parametrize(
    ("user", "name"),
    [({"id": 7, "email": "maria@example.org"}, "maria@example.org"), (7, "user7"), ("", "user")],
)
def test_label_studio_users_have_names(user: Any, name: str, tmp_path: Path) -> None:
    def work(tasks: list[Any], results: list[Any]) -> None:
        tasks[0]["annotations"] = [{"completed_by": user, "result": results[1:]}]

    folder = label_studio(tmp_path, work).parent
    assert imported(folder, "label-studio", annotators={name: 0}) == (EXAMPLE, [])


@pytest.mark.parametrize(("place", "span"), [("insert before", "2 2"), ("insert after", "3 3")])
def test_an_insertion_beside_a_part_of_a_token_is_beside_the_token(
    place: str, span: str, tmp_path: Path
) -> None:
    def work(_: list[Any], results: list[Any]) -> None:
        results[3]["value"] |= {"start": 12, "end": 15, "text": "mam"}
        results[5]["value"]["choices"] = [place]

    text, _ = imported(label_studio(tmp_path, work).parent, "label-studio")
    assert f"A {span}|||M:DET|||a|||" in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t, _: t[0].pop("data"), "task 1: data: missing, .* of Label Studio's export as JSON"),
        (lambda t, _: t[0]["data"].update(text="Other"), "task 1: sentence 1 of 'gold' .*character 1"),
        (lambda t, _: t[0]["data"].update(block=6), "task 1: found sentence 6 of 'gold', expected 1 to 1"),
        (lambda t, _: t.append(t[0]), "task 2: annotator '0' has annotated sentence 1"),
        (lambda _, r: r[1]["value"].update(labels=["A", "B"]), "labels: .* most 1 item, not 2, in region b0a0e0"),
        (lambda _, r: r.pop(1), "type: missing, in region b0a0e0"),
        (lambda _, r: r[1]["value"].update(end=99), "region b0a0e0: 5 to 99 lies outside"),
        (lambda _, r: r.append(r[1]), "region b0a0e0 has two results of 'type'"),
        (lambda t, _: t[0].update(annotations=[3]), "task 1: found '3', .* fields=all"),
        (lambda t, _: t[0].update(id=42, annotations=""), "task 42: annotations: found .* expected a valid list"),
    ],
)  # fmt: skip
def test_label_studio_files_that_cannot_be_read(change: Change, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        imported(label_studio(tmp_path, change).parent, "label-studio")
