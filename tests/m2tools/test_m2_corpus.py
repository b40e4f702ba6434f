"""``m2 stats`` and ``m2 adjudicate``: what a corpus holds, and one version of several annotators'."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import FormatError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.agreement.annotators import Annotators
from jperrant.m2tools.adjudicate import Adjudication, adjudicate_m2
from jperrant.m2tools.merge import split_m2
from jperrant.m2tools.stats import CorpusStats
from tests.commands import printed, refused
from tests.m2_cases import GOLD, change
from tests.strategies import examples

run = partial(printed, "m2")


def sentence(text: str, *versions: list[Edit] | None) -> Block:
    given = [Annotation(n, tuple(edits)) for n, edits in enumerate(versions) if edits is not None]
    return Block(tuple(text.split()), tuple(given))


# --- stats


def test_counts_of_conll14() -> None:
    # Sentences, tokens and edits as grep and wc count them
    [conll] = json.loads(run("stats", GOLD, "--json"))
    lines = Path(GOLD).read_text(encoding="utf-8").splitlines()
    assert conll["sentences"] == sum(line.startswith("S") for line in lines) == 1312
    assert conll["tokens"] == sum(len(line.split()) - 1 for line in lines if line.startswith("S")) == 30144
    for annotator, own in conll["annotators"].items():
        edits = [line for line in lines if line.endswith(f"|{annotator}") and "|noop|" not in line]
        assert own["edits"] == len(edits) == own["insertions"] + own["deletions"] + own["replacements"]
        assert own["changed"] + own["unchanged"] == 1312
        assert own["types"] == Counter(line.split("|||")[1] for line in edits)
    assert conll["agreement"]["values"]["kappa_identification"] == pytest.approx(0.4405, abs=5e-5)


def test_what_is_counted_apart() -> None:
    stats = CorpusStats()
    blocks = [
        sentence("a b c", [change(0, 1), change(2, 2), change(2, 3, "")], None),
        sentence("a b c", [], [Edit(0, 2, None, "UNK")]),
        sentence("", []),
        sentence("d", [Edit(0, 1, ("e",), "R:A", alternatives=(("f",),))]),
    ]
    assert list(stats.count(blocks)) == blocks
    assert (stats.sentences, stats.tokens, stats.empty, stats.repeated, stats.jointly) == (4, 7, 1, 1, 1)
    first, second = stats.annotators[0], stats.annotators[1]
    assert first.operations == {"R": 2, "M": 1, "U": 1}
    assert first.unchanged == 2
    assert (second.sentences, second.detection, second.edits, second.operations.total()) == (1, 1, 1, 0)
    assert (first.types, second.types) == ({"R:A": 4, "noop": 2}, {"UNK": 1})


def test_a_data_statement(short_conll: Path, tmp_path: Path) -> None:
    one, empty = tmp_path / "one.m2", tmp_path / "empty.m2"
    jperrant.write_m2([sentence("a b", [change(0, 1, "c", "R:SPELL")])], one)
    page = run("stats", short_conll / "conll14.errant", one, "--format", "md", "--lang", "en")
    assert "| all | 101 |" in page
    assert page.count("**Edits by type") == 2
    assert page.count("**Agreement") == 1, "one annotator agrees with nobody"
    assert "| R:SPELL | 1 | 100.0000 | spelling |" in page
    assert json.loads(run("stats", one, "--json"))[0]["agreement"] is None
    empty.touch()
    with pytest.raises(FormatError, match="no sentences"):
        run("stats", empty)


# --- adjudicate


def adjudicated(blocks: list[Block], **options: object) -> tuple[list[Block], Adjudication]:
    names = tuple(str(n) for n in range(3))
    result = Adjudication()
    return list(adjudicate_m2(Annotators(names, tuple(blocks)), result, **options)), result  # type: ignore[arg-type]


def test_what_needs_nobody_and_what_is_open() -> None:
    blocks = [
        sentence("a", [change(0, 1)], [change(0, 1)]),
        sentence("b", [change(0, 1)], []),
        sentence("c", None, [change(0, 1)]),
        sentence("d"),
    ]
    gold, result = adjudicated(blocks)
    assert [len(block.annotations) for block in gold] == [1, 0, 1, 0]
    assert result.counts == {"agreed": 1, "alone": 1}
    assert result.open == [blocks[1], blocks[3]]
    decided, result = adjudicated(blocks, decisions=[sentence("b", [change(0, 1, "y")]), blocks[3]])
    assert decided[1].annotations[0].edits == (change(0, 1, "y"),)
    assert [block.source for block in result.open] == [("d",)]
    preferred, result = adjudicated(blocks, prefer=1)
    assert preferred[1].annotations[0].edits == ()
    assert result.counts["preferred"] == 1


def test_decisions_of_equal_sentences_go_to_those_that_were_open() -> None:
    settled, left = sentence("a", [change(0, 1)], [change(0, 1)], []), sentence("a", [change(0, 1)], [])
    blocks = [settled, left]
    for options in ({"majority": True}, {"majority": True, "prefer": 2}):
        assert adjudicated(blocks, **options)[1].open == [left]
        gold, result = adjudicated(blocks, decisions=[sentence("a", [change(0, 1, "y")])], **options)
        assert [b.annotations[0].edits for b in gold] == [(change(0, 1),), (change(0, 1, "y"),)]
        assert result.counts == {"majority": 1, "decided": 1}
    same = sentence("a", [], [])
    gold, _ = adjudicated([same, *blocks], decisions=[settled, sentence("a", [])], prefer=0)
    assert [b.annotations[0].edits for b in gold] == [(), (change(0, 1),), ()]
    every = [sentence("a", [change(0, 1, text)]) for text in "pqr"]
    gold, _ = adjudicated([same, left, same], decisions=every)
    assert [b.annotations for b in gold] == [b.annotations for b in every], "as many as sentences"


def test_a_decision_about_another_text_is_refused() -> None:
    with pytest.raises(FormatError, match=r"sentence 2 .*'z'"):
        adjudicated([sentence("a", [], [change(0, 1)])], decisions=[sentence("a", []), sentence("z", [])])


def test_the_majority_decides_edit_by_edit() -> None:
    block = sentence("a b c", [change(0, 1), change(1, 2)], [change(0, 1)], [change(0, 1), change(2, 3)])
    gold, result = adjudicated([block], majority=True)
    assert gold[0].annotations[0].edits == (change(0, 1),)
    assert result.counts == {"majority": 1}
    very = [change(1, 1, "very"), change(1, 1, "very")]
    gold, _ = adjudicated([sentence("a b", very, very, very[:1])], majority=True)
    assert list(gold[0].annotations[0].edits) == very, "most have it twice"
    two = sentence("a", [change(0, 1)], [])
    assert adjudicated([two], majority=True)[1].open == [two], "two have no majority"


VERSIONS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=6)


@given(VERSIONS, st.integers(0, 2))
@examples(40)
def test_deciding_all_for_one_gives_this_annotator(versions: list[tuple[int, int, int]], choice: int) -> None:
    edits = [change(0, 1), change(1, 1, "y"), change(1, 2, "")]
    blocks = [sentence("a b", *[edits[:n] for n in numbers]) for numbers in versions]
    _, first = adjudicated(blocks)
    chosen = [Block(b.source, (Annotation(0, b.annotations[choice].edits),)) for b in first.open]
    gold, result = adjudicated(blocks, decisions=chosen)
    assert [block.annotations[0].edits for block in gold] == [b.annotations[choice].edits for b in blocks]
    assert result.open == []


def test_annotators_and_outputs_that_cannot_be(tmp_path: Path) -> None:
    paths = split_m2([sentence("a", [change(0, 1)], [])], str(tmp_path / "by{}.m2"))
    assert "did you mean" in refused("m2", "adjudicate", *paths, "--prefer", "by00")
    assert "overwrite" in refused("m2", "adjudicate", *paths, "-o", paths[0])


def test_commands_advise_only_options_that_they_have(tmp_path: Path) -> None:
    blocks = [sentence("a", [change(0, 1)], [change(0, 1, "y")]), sentence("b", None, [change(0, 1)])]
    path = tmp_path / "gap.m2"
    jperrant.write_m2(blocks, path)
    for command in ("stats", "adjudicate"):
        said = CliRunner().invoke(app, ["m2", command, str(path)]).stderr
        assert "annotator 0: 1 sentence without an annotation, first sentence 2" in said
        assert "--missing" not in said
