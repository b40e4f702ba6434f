"""Corpora that are only read: COWS-L2H, RLC-GEC, NUCLE and CGED; bad places, repeated annotations, links.

All samples are made by hand in the formats that the corpora describe.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError
from jperrant.exchange.collect import Findings
from tests.exchange_files import blocks_of, change, edits_of, imported, put, texts_of


def test_cows_marks(tmp_path: Path) -> None:
    essay = (
        "\ufeffEs []{la}<ab:det> casa [roja] [los]{}<pr:det:art> [mis [amigo]{amigos}<na> es]{mis amigos son}<ga>"
        "[.]{!} y [tu]<st:pn>"
    )
    findings = Findings()
    [block] = blocks_of("cows-l2h", put(tmp_path, {"7.S20_Famous.annotated.txt": essay}), findings)
    assert block.source == ("Es", "casa", "roja", "los", "mis", "amigo", "es.", "y", "tu")
    expected = [(1, 1, "ab:det", "la"), (3, 4, "pr:det:art", ""), (4, 7, "ga+R:OTHER", "mis amigos son!")]
    assert edits_of(block) == [*expected, (8, 9, "UNK", None)]
    assert apply_edits(block.source, block.annotations[0].edits[:3])[1:3] == ("la", "casa")
    assert sum("left out" in kind for kind in findings.counts) == 2


def test_annotations_of_one_essay_are_annotators_of_one_block(tmp_path: Path) -> None:
    files = {
        "annotated/1.S20_Famous.annotated.txt": "Yo [es]{soy}<fs> Ana.",
        "annotated/1.S20_Famous.annotated_verbs.txt": "[Yo]{}<pr:su>  es Ana.",
        "annotated/a_personal/annotator1/1.S20_FamousAPCE.txt": "Yo es Anna.",
        "essays/1.S20_Famous.txt": "Yo es Ana.",
        "annotated/2.S20_Famous.annotated.txt": "Yo [soy {Ana.",
    }
    with pytest.raises(FormatError, match=r"2\.S20_Famous"):
        imported(put(tmp_path / "c", files), "cows-l2h")
    assert not (tmp_path / "back.m2").exists()
    back, notes = imported(tmp_path / "c", "cows-l2h", on_error="skip")
    assert back == (
        "S Yo es Ana.\nA 1 2|||fs|||soy|||REQUIRED|||-NONE-|||1\nA 0 1|||pr:su||||||REQUIRED|||-NONE-|||2\n\n"
        "S Yo es Anna.\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )
    assert any("2.S20_Famous.annotated.txt:1" in note for note in notes)
    assert notes[-1] == "1 text left out, which cannot be read"


def test_a_file_without_folders_is_of_one_annotator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("essay.txt").write_text("Yo [es]{soy}<fs> Ana.")
    [block] = blocks_of("cows-l2h", Path("essay.txt"))
    assert edits_of(block) == [(1, 2, "fs", "soy")]


def test_all_bad_places_are_named_and_where_no_text_is_left_nothing_is_written(tmp_path: Path) -> None:
    good, bad = "[a]{b}<t>", "ok\nbad {"
    put(tmp_path, {"0.annotated.txt": good, "1.annotated.txt": bad, "2.annotated.txt": bad})
    more = f"and 1 more place: {tmp_path}/2.annotated.txt:2; on_error="
    with pytest.raises(FormatError, match=rf"1\.annotated\.txt:2: found .*{more}"):
        texts_of("cows-l2h", tmp_path)
    with pytest.raises(FormatError, match=r"1\.annotated\.txt:2: found"):
        imported(tmp_path / "1.annotated.txt", "cows-l2h", on_error="skip")
    assert not (tmp_path / "back.m2").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_links_and_pipes_in_a_folder_are_named_and_not_followed(tmp_path: Path) -> None:
    put(tmp_path, {"1.annotated.txt": "[a]{b}<t>", "brat/a.txt": "a"})
    (tmp_path / "2.annotated.txt").symlink_to(tmp_path / "1.annotated.txt")
    os.mkfifo(tmp_path / "3.annotated.txt")
    os.mkfifo(tmp_path / "brat" / "a.ann")
    for format, folder, read, left_out in (("cows-l2h", tmp_path, 1, 2), ("brat", tmp_path / "brat", 0, 1)):
        findings = Findings()
        assert len(texts_of(format, folder, findings)) == read
        assert findings.counts == {"a link or a pipe, which is not followed, left out": left_out}


def test_the_test_table_of_rlc(tmp_path: Path) -> None:
    table = (
        'text_orig,text_cor,quote,correction,tag\n"Мама готовить, и я.",Мама готовит и я.,готовить,готовит,Ortho\n'
        '"Мама готовить, и я.",Мама готовит и я.,",",,Punct\nОн дома дом.,Он там дом.,дом,там,Lex\n'
        "Он дома дом.,Он там дом.,Он,Он,Same\n"
    )
    findings = Findings()
    first, second = blocks_of("rlc-gec", put(tmp_path, {"x": table}) / "x", findings)
    assert edits_of(first) == [(1, 2, "Ortho+Punct", "готовит")]
    assert edits_of(second) == [(0, 1, "UNK", None), (1, 2, "Lex", "там")]
    assert any("alignment" in kind for kind in findings.counts)


def test_the_tables_of_rlc(tmp_path: Path) -> None:
    sentences = "1001,1,1,Он был дом и дом.,Он был дом и дома.,\n1002,1,2,Да.,Да.,\n"
    tables = {
        "sentences.csv": f"id,document_id,sentence_index,text,corrected,status\n{sentences}",
        "annotations.csv": "id,sentence_id,tag,quote,correction,start,end,annotation_source\n"
        "7,1001,gov,дом,дома,4,5,manual\n",
    }
    found = [edits_of(block) for block in blocks_of("rlc-gec", put(tmp_path, tables))]
    assert found == [[(4, 5, "gov", "дома.")], []]


NUCLE = """\
<DOC nid="840">
<TEXT>
<TITLE>
A plan
</TITLE>
<P>
He like R&D . It are good .
</P>
</TEXT>
<ANNOTATION teacher_id="8">
<MISTAKE start_par="1" start_off="3" end_par="1" end_off="7">
<TYPE>SVA</TYPE><CORRECTION>likes</CORRECTION></MISTAKE>
<MISTAKE start_par="1" start_off="17" end_par="1" end_off="20">
<TYPE>SVA</TYPE><CORRECTION>is</CORRECTION></MISTAKE>
</ANNOTATION>
<ANNOTATION teacher_id="9">
<MISTAKE start_par="0" start_off="0" end_par="0" end_off="1">
<TYPE>ArtOrDet</TYPE><CORRECTION></CORRECTION></MISTAKE>
</ANNOTATION>
</DOC>
"""


def test_nucle(tmp_path: Path) -> None:
    title, paragraph = blocks_of("nucle", put(tmp_path, {"x.sgml": NUCLE}))
    assert (edits_of(title, 8), edits_of(title, 9)) == ([], [(0, 1, "ArtOrDet", "")])
    assert edits_of(paragraph, 8) == [(1, 2, "SVA", "likes"), (5, 6, "SVA", "is")]
    change(tmp_path / "x.sgml", 'end_off="7"', 'end_off="70"')
    with pytest.raises(FormatError, match=r"x.sgml:1: mistake 1 lies outside"):
        texts_of("nucle", tmp_path)


CGED = """\
<DOC><TEXT id="1-2">
别只能想自己。我去年日本。
</TEXT>
<CORRECTION>别只想自己。我去年去日本。</CORRECTION>
<ERROR start_off="3" end_off="3" type="R"></ERROR>
<ERROR start_off="11" end_off="11" type="M"></ERROR>
<ERROR start_off="8" end_off="8" type="S"></ERROR></DOC>
<DOC><TEXT id="2">他了。</TEXT>
<ERROR start_off="2" end_off="2" type="R"/><ERROR start_off="1" end_off="1" type="S"/></DOC>
"""


def test_cged(tmp_path: Path) -> None:
    first, second = blocks_of("cged", put(tmp_path, {"x.xml": CGED}))
    assert "".join(apply_edits(first.source, first.annotations[0].edits)) == "别只想自己。我去年去日本。"
    assert edits_of(first) == [(2, 3, "R", ""), (7, 8, "UNK", None), (10, 10, "M", "去")]
    assert edits_of(second) == [(0, 1, "UNK", None), (1, 2, "R", "")]
    change(tmp_path / "x.xml", 'end_off="3"', 'end_off="30"')
    findings = Findings(skips=True)
    assert len(texts_of("cged", tmp_path, findings)) == 1
    [problem] = findings.problems
    assert problem.line == 5
    assert problem.problem == "found an error at 3 to 30, outside the text of 13 characters"
