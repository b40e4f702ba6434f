"""MaxMatch, PT-M2 and PT-ERRANT: edits and counts of the published scorer, weights by hand, odd input."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, InputError
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.maxmatch import (
    MOST_ARCS,
    Extractor,
    GoldEdit,
    Matching,
    MaxMatchScorer,
    build_arcs,
    build_lattice,
    match_edits,
)
from jperrant.evaluation.metrics.pretrained import PtErrantScorer
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.evaluation.scoring import score

CONLL = Path(__file__).parents[1] / "data" / "conll14"
GOLD = str(CONLL / "conll14.errant")
#: Correct, proposed, gold and the mean F of sentences: the published scorer's counts, with conll14.errant as gold.
EXPECTED = {
    "AMU": (513, 1227, 2446, 0.38387258146523434),
    "CAMB": (779, 1964, 2653, 0.3548836379009659),
    "IITB": (29, 91, 2092, 0.3173189181668602),
    "INPUT": (0, 0, 2070, 0.3132621951219512),
}
CASES = {
    case["name"]: case
    for case in json.loads(
        (Path(__file__).parents[1] / "data" / "maxmatch" / "cases.json").read_text("utf-8")
    )
}


def block(source: str, *annotators: tuple[Edit, ...]) -> Block:
    return Block(tuple(source.split()), tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


def score_blocks(hypothesis: list[Block], references: list[Block], **options: object) -> Score:
    [result] = score(hypothesis, references, metrics=make_scorer("m2", **options))
    return result


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("system", EXPECTED)
def test_conll14_has_the_counts_of_the_published_scorer(system: str) -> None:
    correct, proposed, gold, mean = EXPECTED[system]
    [result] = score(str(CONLL / f"conll14-{system}.errant"), GOLD, metrics="m2")
    assert result.counts == {"correct": correct, "proposed": proposed, "gold": gold}
    precision = correct / proposed if proposed else 1
    f = 1.25 * correct / (0.25 * gold + proposed)
    assert result.values == pytest.approx({"precision": precision, "recall": correct / gold, "f": f})
    # The sentence level chooses among the same candidates.
    sentence = MaxMatchScorer(level="sentence")
    rows = [candidate.row for candidate in sentence.combine(result.candidates)]
    assert sum(row[5] for row in rows) / len(rows) == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("name", ["three_sentences", "order_of_sentences", "noop_of_another_annotator"])
def test_chosen_annotators_are_those_of_the_published_scorer(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    (tmp_path / "gold.m2").write_text(case["gold"], "utf-8")
    sources = [line[2:] for line in case["gold"].split("\n") if line.startswith("S ")]
    system = [
        block(source, (Edit(0, len(source.split()), tuple(text.split()), "R:OTHER"),))
        for source, text in zip(sources, case["hypotheses"], strict=True)
    ]
    [result] = score(system, str(tmp_path / "gold.m2"), metrics="m2")
    assert [candidate.reference for candidate in result.combined] == case["chosen"]
    assert (result.counts["correct"], result.counts["proposed"]) == (case["correct"], case["proposed"])
    assert result.values["f"] == pytest.approx(case["f"], abs=5e-5)


SOURCE = "My friend swim in lake ."
GOLD_EDITS = (Edit(2, 3, ("swims",), "SVA"), Edit(4, 4, ("the",), "ArtOrDet", alternatives=(("a",),)))


def test_edits_count_by_operation_and_type_of_the_gold_edits() -> None:
    system = block(SOURCE, (Edit(0, 1, (), "U:X"), Edit(4, 5, ("a", "lake"), "R:X")))
    result = score_blocks([system], [block(SOURCE, GOLD_EDITS)])
    counts = {type_: row[:3] for type_, row in result.by_type.items()}
    assert counts == {"M:ArtOrDet": (1, 1, 1), "R:SVA": (0, 0, 1), "U:UNMATCHED": (0, 1, 0)}


def test_a_sentence_with_too_many_arcs_is_noted() -> None:
    source, text = [f"a{n}" for n in range(80)], tuple(f"b{n}" for n in range(80))
    system = block(" ".join(source), (Edit(0, 80, text, "R:OTHER"),))
    result = score_blocks([system], [system])
    assert result.values["f"] == 1
    assert any("sentence 1 (counted from 1)" in line for line in result.warnings)


def test_equal_gold_edits_are_noted() -> None:
    the = Edit(4, 4, ("the",), "M:DET")
    result = score_blocks([block(SOURCE, (the,))], [block(SOURCE, (the, the))])
    assert result.counts == {"correct": 2, "proposed": 1, "gold": 2}
    assert any("equal gold edits" in line for line in result.warnings)


@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize(
    ("system", "gold", "expected"),
    [
        (block(""), block(""), (1, 1, 1)),
        (block("p"), block("p"), (1, 1, 1)),
        (block("p q"), block("p q", (Edit(0, 1, ("1",), "R:X"),)), (1, 0, 0)),
        (block("p q", (Edit(0, 1, ("1",), "R:X"),)), block("p q"), (0, 1, 0)),
        (block("p", (Edit(0, 1, (), "U:X"),)), block("p", (Edit(0, 1, None, "UNK"),)), (1, 1, 1)),
    ],
    ids=["empty", "one token", "system unchanged", "reference unchanged", "everything deleted"],
)
def test_odd_sentences_have_defined_values(
    level: str, system: Block, gold: Block, expected: tuple[float, float, float]
) -> None:
    result = score_blocks([system], [gold], level=level)
    assert tuple(result.values.values()) == expected


def test_input_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    overlapping = block("p q r", (Edit(0, 2, (), "U:X"), Edit(1, 3, (), "U:X")))
    with pytest.raises(EditError, match="sentence 2 "):
        score_blocks([block("p q r"), overlapping], [block("p q r")] * 2)
    (tmp_path / "overlapping.m2").write_text(format_block(overlapping), "utf-8")
    with pytest.raises(InputError, match=r"overlapping\.m2: sentence 1 "):
        score(str(tmp_path / "overlapping.m2"), [block("p q r")], metrics="m2")


def test_gold_edits_may_overlap() -> None:
    gold = block("p q r", (Edit(0, 2, (), "U:X"), Edit(1, 3, (), "U:Y")))
    result = score_blocks([block("p q r", (Edit(1, 3, (), "U:X"),))], [gold])
    assert result.counts == {"correct": 1, "proposed": 1, "gold": 2}


def test_the_signature_names_every_option() -> None:
    scorer = MaxMatchScorer(max_unchanged_words=3, ignore_whitespace_casing=True, level="sentence", beta=1)
    assert scorer.settings == ("lvl:sentence", "beta:1", "unchanged:3", "casing:ignored")


DATA = Path(__file__).parents[1] / "data" / "maxmatch"
SEARCH_CASES = json.loads((DATA / "cases.json").read_text("utf-8"))
RANDOM = json.loads((DATA / "random.json").read_text("utf-8"))


def gold_of(m2: str) -> list[tuple[list[str], dict[int, list[GoldEdit]]]]:
    """Read M2 keeping the order of the file, which the published scorer depends on."""
    blocks = []
    for block in m2.split("\n\n")[:-1]:
        first, *lines = block.split("\n")
        annotators: dict[int, list[GoldEdit]] = {}
        for line in lines:
            span, type_, text, _, _, annotator = line[2:].split("|||")
            edits = annotators.setdefault(int(annotator), [])
            if type_ != "noop":
                start, end = map(int, span.split())
                corrections = [() if c == "-NONE-" else tuple(c.split()) for c in text.split("||")]
                edits.append(GoldEdit(start, end, tuple(corrections), type_))
        blocks.append((first[2:].split(), annotators or {0: []}))
    return blocks


def options_of(case: Mapping[str, Any]) -> tuple[int, bool]:
    options = case["options"]
    limit = int(options[1]) if "--max_unchanged_words" in options else 2
    return limit, "--ignore_whitespace_casing" in options


def shrunk(source: Sequence[str], start: int, end: int, correction: Sequence[str]) -> list[object]:
    """Return an edit as the published scorer prints it: without the tokens it keeps at its ends."""
    words = list(correction)
    while start < end and words and source[start] == words[0]:
        start, words = start + 1, words[1:]
    while start < end and words and source[end - 1] == words[-1]:
        end, words = end - 1, words[:-1]
    return [start, end, " ".join(source[start:end]), " ".join(words)]


def matchings(case: Mapping[str, Any]) -> list[tuple[list[str], dict[int, Matching]]]:
    limit, casing = options_of(case)
    return [
        (
            source,
            {
                annotator: match_edits(Extractor(source, text.split(), limit), annotators[annotator], casing)
                for annotator in sorted(annotators)
            },
        )
        for (source, annotators), text in zip(gold_of(case["gold"]), case["hypotheses"], strict=True)
    ]


@pytest.mark.parametrize("case", SEARCH_CASES, ids=lambda case: case["name"])
def test_edits_are_those_of_the_published_scorer(case: Mapping[str, Any]) -> None:
    edits = [
        [shrunk(source, *edit) for edit in matching.proposed]
        for source, by_annotator in matchings(case)
        for matching in by_annotator.values()
    ]
    assert edits == case["edits"]


@pytest.mark.parametrize("case", SEARCH_CASES, ids=lambda case: case["name"])
def test_counts_of_the_chosen_annotators_are_those_of_the_published_scorer(case: Mapping[str, Any]) -> None:
    chosen = [
        by_annotator[annotator]
        for (_, by_annotator), annotator in zip(matchings(case), case["chosen"], strict=True)
    ]
    correct = sum(matching.correct for matching in chosen)
    proposed = sum(len(matching.proposed) for matching in chosen)
    gold = sum(len(matching.gold) for matching in chosen)
    assert (correct, proposed) == (case["correct"], case["proposed"])
    assert (correct / gold if gold else 1) == pytest.approx(case["recall"], abs=5e-5)


@pytest.mark.parametrize("case", RANDOM, ids=lambda case: case["hypothesis"] or "empty")
def test_random_sentences_have_the_edits_of_the_published_scorer(case: Mapping[str, Any]) -> None:
    [(source, annotators)] = gold_of(case["gold"] + "\n\n")
    extractor = Extractor(source, case["hypothesis"].split())
    for annotator, edits, correct in case["expected"]:
        matching = match_edits(extractor, annotators[annotator])
        assert [shrunk(source, *edit) for edit in matching.proposed] == edits
        assert matching.correct == correct


SOURCES = st.lists(st.sampled_from("pqrs"), max_size=9)


@given(SOURCES, SOURCES)
def test_applying_the_edits_gives_the_hypothesis(source: list[str], hypothesis: list[str]) -> None:
    proposed = Extractor(source, hypothesis).edits(())
    edits = [Edit(edit.start, edit.end, edit.correction, "R:OTHER") for edit in proposed]
    assert apply_edits(source, edits) == tuple(hypothesis)


@given(SOURCES, SOURCES, st.data())
def test_gold_edits_of_the_hypothesis_are_all_matched(
    source: list[str], hypothesis: list[str], data: st.DataObject
) -> None:
    proposed = Extractor(source, hypothesis).edits(())
    kept = data.draw(st.lists(st.sampled_from(range(len(proposed))), unique=True)) if proposed else []
    gold = [GoldEdit(proposed[n].start, proposed[n].end, (proposed[n].correction,)) for n in sorted(kept)]
    assert match_edits(Extractor(source, hypothesis), gold).correct == len(gold)


@given(SOURCES, SOURCES)
def test_the_lattice_holds_the_shortest_paths_of_both_matrices(
    source: list[str], hypothesis: list[str]
) -> None:
    lattice = build_lattice(source, hypothesis)
    expected: set[tuple[int, int]] = set()
    for substitution in (1, 2):
        expected |= shortest_steps(source, hypothesis, substitution)
    width = len(hypothesis) + 1
    steps = {(before, vertex) for vertex, befores in lattice.steps.items() for before in befores}
    assert steps == {(a * width + b, c * width + d) for (a, b), (c, d) in expected}


def shortest_steps(source: Sequence[str], hypothesis: Sequence[str], substitution: int) -> set[Any]:
    """Return all steps of shortest paths, by the definition: distance before + step + distance after."""

    def distances(first: Sequence[str], second: Sequence[str]) -> list[list[int]]:
        table = [[i + j for j in range(len(second) + 1)] for i in range(len(first) + 1)]
        for i, one in enumerate(first, start=1):
            for j, other in enumerate(second, start=1):
                change = 0 if one == other else substitution
                table[i][j] = min(table[i - 1][j - 1] + change, table[i - 1][j] + 1, table[i][j - 1] + 1)
        return table

    there, back = distances(source, hypothesis), distances(source[::-1], hypothesis[::-1])
    rows, columns = len(source), len(hypothesis)
    steps = set()
    for i in range(rows + 1):
        for j in range(columns + 1):
            for di, dj in ((1, 1), (1, 0), (0, 1)):
                if i + di <= rows and j + dj <= columns:
                    same = di and dj and source[i] == hypothesis[j]
                    cost = 0 if same else substitution if di and dj else 1
                    rest = back[rows - i - di][columns - j - dj]
                    if there[i][j] + cost + rest == there[rows][columns]:
                        steps.add(((i, j), (i + di, j + dj)))
    return steps


@given(SOURCES, SOURCES)
def test_sentences_cut_in_pieces_keep_their_text(source: list[str], hypothesis: list[str]) -> None:
    """Where arcs are too many to list, a sentence is cut; here at every second word or so."""
    cut = Extractor(source, hypothesis, most_arcs=0)
    edits = [Edit(edit.start, edit.end, edit.correction, "R:OTHER") for edit in cut.edits(())]
    assert apply_edits(source, edits) == tuple(hypothesis)


def test_a_sentence_cut_at_shared_words_has_the_edits_of_the_whole() -> None:
    source = [f"w{n}" for n in range(40)]
    hypothesis = [*source[:10], "x", *source[11:30], *source[31:], "y"]
    whole, cut = Extractor(source, hypothesis), Extractor(source, hypothesis, most_arcs=20)
    assert whole.whole
    assert not cut.whole
    expected = [[10, 11, "w10", "x"], [30, 31, "w30", ""], [40, 40, "", "y"]]
    gold = [GoldEdit(10, 11, (("x",),)), GoldEdit(30, 31, ((),)), GoldEdit(40, 40, (("y",),))]
    for extractor in (whole, cut):
        assert [shrunk(source, *edit) for edit in extractor.edits(())] == expected
        assert match_edits(extractor, gold).correct == 3


@pytest.mark.parametrize(
    ("source", "hypothesis"),
    [
        ([f"a{n}" for n in range(118)], [f"b{n}" for n in range(118)]),
        (["p", "q"] * 100, ["q", "p", "r"] * 60),
        (["p"] * 200, ["p"] * 100),
    ],
    ids=["nothing in common", "repeated n-grams", "one word"],
)
def test_a_hostile_sentence_takes_no_exponential_time(source: list[str], hypothesis: list[str]) -> None:
    begin = process_time()
    edits = Extractor(source, hypothesis).edits([GoldEdit(3, 4, (("b7",),))])
    assert process_time() - begin < 10, "a quarter of a second, where nothing else runs"
    assert apply_edits(source, [Edit(e.start, e.end, e.correction, "R") for e in edits]) == tuple(hypothesis)


def test_arcs_are_counted_as_the_published_scorer_lists_them() -> None:
    """``p q`` to ``p 1``: p and q→1 are steps of both matrices, the two ways round q→1 of the second alone."""
    arcs = build_arcs(build_lattice(["p", "q"], ["p", "1"]), 2, MOST_ARCS)
    assert arcs is not None
    longer = 3  # from the start to the end, and to the middle of both ways round
    assert arcs.total == 2 + 2 + 4 + longer


PT_SOURCE = ("he", "go", "to", "a", "school", ".")


def pt_block(*annotators: tuple[Edit, ...]) -> Block:
    return Block(PT_SOURCE, tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


def pt_score(folder: Path, hypothesis: Block, reference: Block, **options: object) -> Score:
    [result] = evaluate(
        make_scorer("pt-m2", encoder=str(folder), **options), [Pair([hypothesis], [reference])]
    )
    return result


#: One edit in the file of the system, two for MaxMatch, since the reference has one of them.
BOTH = Edit(1, 4, ("goes", "to"), "R:OTHER")
PT_GOLD = (Edit(1, 2, ("goes",), "R:VERB:SVA"), Edit(3, 4, ("the",), "R:DET"))


def test_weights_by_hand(tiny_bert: Path) -> None:
    result = pt_score(tiny_bert, pt_block((BOTH,)), pt_block(PT_GOLD), layer=2)
    hand, source, reference = ByHand(tiny_bert, 2), "he go to a school .", "he goes to the school ."
    right = hand.weight("he goes to a school .", source, reference)
    wrong = hand.weight("he go to school .", source, reference)
    missed = hand.weight("he go to the school .", source, reference)
    assert min(right, wrong, missed) > 1e-4
    assert result.counts == pytest.approx({"tp": right, "fp": wrong, "fn": missed}, abs=1e-6)
    assert {type_: row[:3] for type_, row in result.by_type.items()} == {
        "R:VERB:SVA": pytest.approx((right, 0, 0), abs=1e-6),
        "U:UNMATCHED": pytest.approx((0, wrong, 0), abs=1e-6),
        "R:DET": pytest.approx((0, 0, missed), abs=1e-6),
    }


def test_a_matched_alternative_weighs_the_same_on_both_sides(tiny_bert: Path) -> None:
    gold = Edit(1, 2, ("went",), "R:VERB", alternatives=(("goes",),))
    result = pt_score(tiny_bert, pt_block((Edit(1, 2, ("goes",), "R:VERB"),)), pt_block((gold,)))
    assert result.values == {"precision": 1, "recall": 1, "f": 1}
    assert result.counts["tp"] > 0


def test_options_of_maxmatch(tiny_bert: Path) -> None:
    apart = pt_block((Edit(0, 5, ("she", "go", "to", "a", "schools"), "R:OTHER"),))
    joined = pt_score(tiny_bert, apart, apart, max_unchanged_words=3)
    assert joined.values["f"] == 1
    assert "unchanged:3" in joined.signature
    assert pt_score(tiny_bert, apart, apart).values["f"] == 0
    casing = pt_block((Edit(0, 1, ("He",), "R:ORTH"),))
    ignored = pt_score(tiny_bert, casing, pt_block(()), ignore_whitespace_casing=True)
    assert ignored.values["f"] == 1
    assert "casing:ignored" in ignored.signature


SOURCE_PT_ERRANT = ("he", "go", "to", "a", "school", ".")
SVA = Edit(1, 2, ("goes",), "R:VERB:SVA")
THE = Edit(3, 4, ("the",), "R:DET")
NO_DET = Edit(3, 4, (), "U:DET")


def block_of_pt_errant(*annotators: tuple[Edit, ...]) -> Block:
    return Block(SOURCE_PT_ERRANT, tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


def score_of_pt_errant(scorer: PtErrantScorer, hypothesis: Block, reference: Block) -> Score:
    [found] = evaluate(scorer, [Pair([hypothesis], [reference])])
    return found


class ByHand:
    """BERTScore written from its definition: layer, cosine, best match, special tokens matched but not counted."""

    def __init__(self, folder: Path, layer: int) -> None:
        from transformers import AutoModel, AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(str(folder))
        self.model = AutoModel.from_pretrained(str(folder)).eval()
        self.layer = layer

    def vectors(self, text: str) -> np.ndarray:
        import torch

        with torch.inference_mode():
            ids = torch.tensor([self.tokenizer(text)["input_ids"]])
            hidden = self.model(ids, output_hidden_states=True).hidden_states[self.layer][0].double().numpy()
        return hidden / np.linalg.norm(hidden, axis=1, keepdims=True)

    def f(self, candidate: str, reference: str) -> float:
        similarity = self.vectors(candidate) @ self.vectors(reference).T
        precision = similarity[1:-1].max(axis=1).mean()  # without [CLS] and [SEP]
        recall = similarity[:, 1:-1].max(axis=0).mean()
        return float(2 * precision * recall / (precision + recall))

    def weight(self, candidate: str, source: str, reference: str) -> float:
        return abs(self.f(candidate, reference) - self.f(source, reference))


@pytest.mark.parametrize("layer", [1, 2])
def test_weights_by_hand_of_pt_errant(tiny_bert: Path, layer: int) -> None:
    found = score_of_pt_errant(
        make_scorer("pt-errant", encoder=str(tiny_bert), layer=layer),
        block_of_pt_errant((SVA, NO_DET)),
        block_of_pt_errant((SVA, THE)),
    )
    hand, source, reference = (
        ByHand(tiny_bert, layer),
        "he go to a school .",
        "he goes to the school .",
    )
    sva = hand.weight("he goes to a school .", source, reference)
    deleted = hand.weight("he go to school .", source, reference)
    the = hand.weight("he go to the school .", source, reference)
    assert min(sva, deleted, the) > 1e-4
    assert found.counts == pytest.approx({"tp": sva, "fp": deleted, "fn": the}, abs=1e-6)
    precision, recall = sva / (sva + deleted), sva / (sva + the)
    f = 1.25 * precision * recall / (0.25 * precision + recall)
    assert found.values == pytest.approx({"precision": precision, "recall": recall, "f": f}, abs=1e-4)
    assert found.by_type["U:DET"][:3] == pytest.approx((0, deleted, 0), abs=1e-6)


def test_rescaling_changes_weights_but_no_score(tiny_bert: Path) -> None:
    plain = score_of_pt_errant(
        make_scorer("pt-errant", encoder=str(tiny_bert)),
        block_of_pt_errant((SVA, NO_DET)),
        block_of_pt_errant((SVA, THE)),
    )
    scaled = score_of_pt_errant(
        make_scorer("pt-errant", encoder=str(tiny_bert), baseline=0.5),
        block_of_pt_errant((SVA, NO_DET)),
        block_of_pt_errant((SVA, THE)),
    )
    assert scaled.counts["tp"] == pytest.approx(2 * plain.counts["tp"])
    assert scaled.values == pytest.approx(plain.values)
    assert "|base:0.5|" in scaled.signature


@pytest.mark.parametrize(
    ("hyp", "ref", "values"),
    [((), (), (1, 1, 1)), ((SVA,), (), (0, 1, 0)), ((), (SVA,), (1, 0, 0)), ((SVA,), (SVA,), (1, 1, 1))],
)
def test_empty_sides(
    tiny_bert: Path, hyp: tuple[Edit, ...], ref: tuple[Edit, ...], values: tuple[float, ...]
) -> None:
    for level in ("corpus", "sentence"):
        found = score_of_pt_errant(
            make_scorer("pt-errant", encoder=str(tiny_bert), level=level),
            block_of_pt_errant(hyp),
            block_of_pt_errant(ref),
        )
        assert tuple(found.values.values()) == values


def test_the_best_reference_is_chosen(tiny_bert: Path) -> None:
    found = score_of_pt_errant(
        make_scorer("pt-errant", encoder=str(tiny_bert)),
        block_of_pt_errant((SVA,)),
        block_of_pt_errant((THE,), (SVA,)),
    )
    assert found.combined[0].reference == 1


def test_equal_edits_with_other_types_match(tiny_bert: Path) -> None:
    renamed = Edit(1, 2, ("goes",), "R:VERB:FORM")
    found = score_of_pt_errant(
        make_scorer("pt-errant", encoder=str(tiny_bert)),
        block_of_pt_errant((renamed,)),
        block_of_pt_errant((SVA,)),
    )
    assert found.values["f"] == 1
    assert set(found.by_type) == {"R:VERB:FORM"}


def test_duplicates_and_deleting_everything(tiny_bert: Path) -> None:
    everything = Edit(0, 6, (), "U:OTHER")
    found = score_of_pt_errant(
        make_scorer("pt-errant", encoder=str(tiny_bert)),
        block_of_pt_errant((SVA, SVA, everything)),
        block_of_pt_errant((SVA,)),
    )
    single = score_of_pt_errant(
        make_scorer("pt-errant", encoder=str(tiny_bert)),
        block_of_pt_errant((SVA,)),
        block_of_pt_errant((SVA,)),
    )
    assert found.counts["tp"] == pytest.approx(2 * single.counts["tp"])
    assert found.counts["fp"] > 0


def test_layers_of_known_models() -> None:
    assert EncoderOptions().for_bertscore().layer == 9
    assert EncoderOptions("minilm").for_bertscore().layer is None
