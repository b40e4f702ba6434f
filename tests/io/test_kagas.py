"""KAGAS's dialect of M2, against the file its authors distribute."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.io.dialects import KagasTypes, read_kagas, write_kagas
from jperrant.io.m2 import FormatDeviations, read_m2, write_m2
from jperrant.packs.read import pack_keys

DATA = Path(__file__).parents[1] / "data" / "ko"
SAMPLE = DATA / "kagas_sample.output.m2"
TABLE = pack_keys("ko").counterparts
TYPES = [
    "INSERTION", "DELETION", "WS", "WO", "SPELL", "SHORTEN", "PUNCT", "NOUN", "VERB", "ADJECTIVE", "MODIFIER",
    "PARTICLE", "ENDING", "CONJUGATION", "UNCLASSIFIED",
]  # fmt: skip


def read(tmp_path, text):
    file = tmp_path / "kagas.m2"
    file.write_text(text, encoding="utf-8")
    return list(read_kagas(str(file), TABLE, FormatDeviations(strict=True)))


def written(blocks):
    stream = io.StringIO()
    write_kagas(blocks, stream, TABLE)
    return stream.getvalue()


def test_the_sample_gives_its_corrections_and_comes_back_but_for_conjugation_which_is_an_ending(tmp_path):
    blocks = list(read_kagas(str(SAMPLE), TABLE, FormatDeviations(strict=True)))
    corrected = (DATA / "kagas_sample.corrected.txt").read_text(encoding="utf-8").splitlines()
    found = [apply_edits(b.source, b.annotations[0].edits) for b in blocks]
    assert found == [tuple(line.split()) for line in corrected]
    expected = SAMPLE.read_text(encoding="utf-8").replace("CONJUGATION", "ENDING")
    assert written(blocks).rstrip() == expected.rstrip()
    write_m2(blocks, tmp_path / "ours.m2")
    assert list(read_m2(tmp_path / "ours.m2", strict=True)) == blocks, "our dialect"
    ours, theirs = str(tmp_path / "ours.m2"), tmp_path / "theirs.m2"
    for words in ([str(SAMPLE), ours, "--from", "kagas"], [ours, str(theirs), "--to", "kagas"]):
        assert CliRunner().invoke(app, ["m2", "convert", *words]).exit_code == 0
    assert theirs.read_text(encoding="utf-8") == written(blocks)


@pytest.mark.parametrize("name", TYPES)
def test_every_type_reads_as_a_label_of_the_pack(name):
    edits = {"INSERTION": Edit(0, 0, ("말",), name), "DELETION": Edit(0, 1, (), name)}
    type_ = KagasTypes(TABLE).ours(edits.get(name, Edit(0, 1, ("말",), name)), ["글"])
    assert type_.partition(":")[2] in pack_keys("ko").labels


@pytest.mark.parametrize("label", pack_keys("ko").labels)
def test_every_label_is_written_as_a_type(label):
    types = KagasTypes(TABLE)
    assert types.theirs(Edit(0, 1, ("말",), f"R:{label}")) in TYPES
    assert types.theirs(Edit(0, 1, (), f"U:{label}")) == "DELETION"
    assert types.theirs(Edit(0, 0, ("말",), f"M:{label}")) == "INSERTION"


def test_noop_has_an_empty_correction(tmp_path):
    text = "S 가요 .\nA -1 -1|||noop||||||REQUIRED|||-NONE-|||0\n\n"
    blocks = read(tmp_path, text)
    assert blocks == [Block(("가요", "."), (Annotation(0),))]
    assert written(blocks) == text


def test_punctuation_added_and_left_out_is_told(tmp_path):
    tail = "REQUIRED|||-NONE-|||0\n"
    text = f"S 가요 ,\nA 1 2|||DELETION||||||{tail}A 2 2|||INSERTION|||.|||{tail}\n"
    (block,) = read(tmp_path, text)
    assert [e.type for e in block.annotations[0].edits] == ["U:PUNCT", "M:PUNCT"]


def test_an_unknown_type_names_file_line_and_the_nearest(tmp_path):
    with pytest.raises(FormatError, match=r"kagas\.m2:2.*PARTICLES.*did you mean 'PARTICLE'") as found:
        read(tmp_path, "S 가요\nA 0 1|||PARTICLES|||가|||REQUIRED|||-NONE-|||0\n\n")
    assert str(found.value).count("UNCLASSIFIED") == 1


def test_a_pack_without_counterparts_is_refused():
    with pytest.raises(UsageError, match=r"lang=.ko."):
        KagasTypes({"NOUN": {"errant": "NOUN"}})


INSERTED, DELETED = ("친구와", "같이"), Edit(1, 3, (), "U:ADV")
ALTERNATIVE = replace(DELETED, alternatives=(("늘",),))


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Edit(1, 1, INSERTED, "M:OTHER"), ["A 1 1|||INSERTION|||친구와", "A 1 1|||INSERTION|||같이"]),
        (DELETED, ["A 1 2|||DELETION|||", "A 2 3|||DELETION|||"]),
        (Edit(3, 4, ("안", "갔어요"), "R:OTHER"), ["A 3 4|||UNCLASSIFIED|||안 갔어요"]),
        # With alternatives an edit stays whole.
        (
            Edit(1, 1, INSERTED, "M:OTHER", alternatives=(("혼자",),)),
            ["A 1 1|||INSERTION|||친구와 같이||혼자"],
        ),
        (ALTERNATIVE, ["A 1 3|||DELETION|||||늘"]),
    ],
)
def test_insertions_and_deletions_are_written_eojeol_by_eojeol(tmp_path, edit, expected):
    source = ("저는", "어제", "그냥", "갔어요")
    text = written([Block(source, (Annotation(0, (edit,)),))])
    assert [line.rsplit("|||", 3)[0] for line in text.splitlines() if line.startswith("A")] == expected
    (tmp_path / "kagas.m2").write_text(text, encoding="utf-8")
    (block,) = read_kagas(str(tmp_path / "kagas.m2"), TABLE, FormatDeviations())
    assert apply_edits(block.source, block.annotations[0].edits) == apply_edits(source, [edit])
    assert [one.alternatives for one in block.annotations[0].edits][:1] == [edit.alternatives]
