#!/usr/bin/env python3
"""Does meta-evaluation on SEEDA, GJG15 and GMEG give the figures that were published or computed elsewhere?

    python benchmarks/meta_evaluation.py --seeda FOLDER --gjg15 FOLDER --gmeg FOLDER --references FOLDER

The folders are clones of tmu-nlp/SEEDA, grammatical/evaluation, grammarly/GMEG and cnap/grammaticality-metrics;
``--data FOLDER`` takes all four from one folder, by the names seeda, gjg15, gmeg and references. Every figure of
``data/meta/meta_evaluation.json`` is compared: scores of systems, correlations by groups, agreement with judgements
under each rule for ties and by pair of ranks, windows, TrueSkill and Expected Wins. Then the human scores
recomputed from judgements are compared with the published ones. Exits with 1 if a figure is further away than
1e-6.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from bench import Needs, Row, parser_of

from jperrant.evaluation.meta.data_files import with_reference_files
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.levels import (
    TIE_RULES,
    compared,
    judged_pairs,
    pair_analysis,
    sentence_agreement,
    system_correlation,
    window_analysis,
)
from jperrant.evaluation.meta.metric_scores import Computation, MetricScores
from jperrant.evaluation.meta.published import SEEDA_SETS, read_gjg15, read_gmeg, read_seeda

EXPECTED = Path(__file__).parent / "data" / "meta" / "meta_evaluation.json"
TOLERANCE = 1e-6
#: For each part of the file the metric of systems, that of sentences, and the set of references.
ROWS = {
    "length": ("length", "length", "NUCLE"),
    "gleu_corrected_true_references": (
        "gleu:variant=corrected,draws=500,generator=python3",
        "gleu:variant=corrected,level=sentence,smoothing=none",
        "NUCLE",
    ),
    "gleu_corrected_gec_metrics_references": (
        "gleu:variant=corrected,draws=500,generator=python3",
        "gleu:variant=corrected,level=sentence,smoothing=none",
        "gec-metrics",
    ),
    "gleu_official_expected_true_references": ("gleu", "gleu:level=sentence", "NUCLE"),
}
#: Not compared: in this file Kendall's τ of GJG15 under "wrong" leaves ties out, other than in its SEEDA part.
ODD = ("gjg15/gleu_official_py2_500/sentence/wrong/kendall",)


def rows() -> Iterator[Row]:
    """Say what the comparison needs."""
    raise Needs("clones of four data sets: python benchmarks/meta_evaluation.py --help")


def main() -> int:
    """Compare everything and return the exit status."""
    folders = arguments()
    seeda = read_seeda(folders["seeda"])
    seeda = with_gec_metrics(with_reference_files(seeda, [folders["references"]], ["NUCLE", "NUCLE.m2"])[0])
    gjg15 = read_gjg15(folders["gjg15"])
    gjg15, _, _ = with_reference_files(gjg15, [folders["references"]], ["NUCLE"])
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))
    ours = {name: seeda_row(seeda, *row) for name, row in ROWS.items()} | {"gjg15": gjg15_rows(gjg15)}
    worst = 0.0
    print(f"{'part':56} {'figures':>8}  largest difference")
    for name, theirs in expected.items():
        for part, figures in theirs.items():
            compared = list(differences(ours[name].get(part), figures, f"{name}/{part}"))
            if compared:
                most = max(compared)
                worst = max(worst, most)
                print(f"{name + '/' + part:56} {len(compared):8}  {most:.1e}")
    print_human(seeda, gjg15)
    print_gmeg(read_gmeg(folders["gmeg"]))
    print("ok" if worst <= TOLERANCE else f"a figure is {worst:.1e} away")
    return 0 if worst <= TOLERANCE else 1


def arguments() -> dict[str, str]:
    """Return the folder of each data set."""
    parser = parser_of(__doc__)
    parser.add_argument("--data", help="a folder that has all four")
    names = ("seeda", "gjg15", "gmeg", "references")
    for name in names:
        parser.add_argument(f"--{name}")
    given = parser.parse_args()
    folders = {name: getattr(given, name) or str(Path(given.data or ".", name)) for name in names}
    if missing := [folder for folder in folders.values() if not Path(folder).is_dir()]:
        parser.error(f"no folder {missing[0]}")
    return folders


def with_gec_metrics(seeda: MetaDataset) -> MetaDataset:
    """Return the data set with the references of gec-metrics: no correction where the M2 lacks annotator 1."""
    first, second = seeda.reference_set("NUCLE")
    [blocks] = seeda.reference_set("NUCLE.m2")
    there = [1 in {one.annotator for one in block.annotations} for block in blocks]  # type: ignore[union-attr]
    source = [" ".join(block.source) for block in blocks]  # type: ignore[union-attr]
    uncorrected = tuple(str(b) if has else s for b, s, has in zip(second, source, there, strict=True))
    return seeda.with_references({"gec-metrics": (first, uncorrected)})


def seeda_row(
    seeda: MetaDataset, system_metric: str, sentence_metric: str, references: str
) -> dict[str, Any]:
    """Return the figures of one metric in the form of the file."""
    [scores] = Computation((system_metric,)).scores(seeda, references)
    [sentences] = Computation((sentence_metric,)).scores(seeda, references)
    base = seeda.group("base")
    row: dict[str, Any] = {
        "system_scores": dict(zip(scores.systems, scores.corpus.tolist(), strict=True)),
        "system": {
            group: {human: correlations(seeda, scores, human, group) for human in seeda.human}
            for group in ("base", "+fluency", "all")
        },
        "sentence": {
            name: {rule: agreement(seeda, sentences, name, rule) for rule in TIE_RULES} for name in SEEDA_SETS
        },
    }
    for width in (4, 8):
        both = compared(scores, seeda.human_scores("TS_edit", base), base)
        shown = window_analysis(both, width).windows
        row[f"window{width}_ts_edit"] = [[one.pearson, one.spearman] for one in shown]
    for name, aggregation in (("trueskill", "trueskill"), ("expected_wins", "ew")):
        for group in ("base", "+fluency"):
            row[f"{name}_{group}"] = aggregated(seeda, sentences, aggregation, group)
    # Of Length the file has no correlations of these.
    return (
        row if system_metric != "length" else row | {key: row[key]["scores"] for key in row if "_base" in key}
    )


def correlations(dataset: MetaDataset, scores: MetricScores, human: str, group: str) -> dict[str, float]:
    """Return the correlations of a metric with a human score."""
    systems = dataset.group(group)
    return system_correlation(compared(scores, dataset.human_scores(human, systems), systems)).values


def aggregated(seeda: MetaDataset, sentences: MetricScores, aggregation: str, group: str) -> dict[str, Any]:
    """Return scores of systems made from those of their sentences, and the correlations of these."""
    systems = seeda.group(group)
    figures = sentences.select(systems).aggregate(aggregation)
    scores = replace(sentences.select(systems), corpus=figures)
    return {
        "scores": dict(zip(systems, figures.tolist(), strict=True)),
        "corr": {
            human: list(correlations(seeda, scores, human, group).values())[:2] for human in seeda.human
        },
    }


def agreement(dataset: MetaDataset, scores: MetricScores, judgements: str, rule: str) -> dict[str, Any]:
    """Return the agreement of a metric with judgements, also by pair of ranks."""
    judged, systems = dataset.judgement_set(judgements), dataset.system_names
    if "base" in dataset.groups:
        systems = dataset.group("base")
    pairs = judged_pairs(scores, judged, systems, rule)
    found = sentence_agreement(pairs)
    return {
        "accuracy": found.accuracy,
        "kendall": found.kendall,
        "pairs": found.pairs,
        "agree": found.agree,
        "ties": found.ties,
        "by_rank_pair": {
            f"{pair.first}-{pair.second}": [pair.agree, pair.pairs] for pair in pair_analysis(pairs).pairs
        },
    }


def gjg15_rows(gjg15: MetaDataset) -> dict[str, Any]:
    """Return the figures of GJG15 in the form of the file."""
    corpus, sentences = Computation(("gleu:draws=500", "gleu:level=sentence")).scores(gjg15, "NUCLE")
    rows = {}
    for name, scores in (("gleu_official_py2_500", corpus), ("sentgleu", sentences)):
        rows[name] = {
            "scores": dict(zip(scores.systems, scores.corpus.tolist(), strict=True)),
            "corr": {
                group: {
                    human: list(correlations(gjg15, scores, human, group).values())[:2]
                    for human in gjg15.human
                }
                for group in ("13", "12")
            },
            "sentence": {rule: agreement(gjg15, sentences, "rank", rule) for rule in TIE_RULES},
        }
    return rows


def differences(ours: Any, theirs: Any, where: str) -> Iterator[float]:
    """Yield how far each of our figures is from theirs; infinity where we have none."""
    if theirs is None or isinstance(theirs, str) or where in ODD:
        return
    if isinstance(theirs, Mapping):
        for key, value in theirs.items():
            yield from differences(ours[key] if ours else None, value, f"{where}/{key}")
    elif isinstance(theirs, list):
        for n, value in enumerate(theirs):
            yield from differences(ours[n] if ours else None, value, where)
    else:
        yield abs(ours - theirs) if ours is not None else float("inf")


def print_human(seeda: MetaDataset, gjg15: MetaDataset) -> None:
    """Print how far human scores recomputed from judgements are from published ones."""
    print(f"\n{'human scores from judgements':56} {'Pearson':>8}  largest difference")
    for dataset, pairs in (
        (gjg15, [("EW", "ew:rank"), ("TS", "ts:rank")]),
        (
            seeda,
            [(f"{kind.upper()}_{name}", f"{kind}:{name}") for name in SEEDA_SETS for kind in ("ew", "ts")],
        ),
    ):
        for published, recomputed in pairs:
            theirs, ours = (
                dataset.human_scores(name, dataset.system_names) for name in (published, recomputed)
            )
            r = np.corrcoef(ours, theirs)[0, 1]
            print(f"{dataset.name + ' ' + published:56} {r:8.4f}  {np.abs(ours - theirs).max():.4f}")


def print_gmeg(gmeg: MetaDataset) -> None:
    """Print the rows of UOT-ERRANT's Table 1 that need no models, on GMEG."""
    print(f"\n{'GMEG-wiki, 8 systems, TrueSkill':56} {'r':>8}  rho   (published)")
    human = gmeg.human_scores("rating", gmeg.system_names)
    for spec, published in (
        ("gleu:variant=corrected,level=sentence,smoothing=none", ".785 .619"),
        ("green", ".871 .786"),
    ):
        [scores] = Computation((spec,)).scores(gmeg, "refs")
        found = system_correlation(compared(scores, human, gmeg.system_names, aggregation="trueskill")).values
        print(f"{spec:56} {found['pearson']:8.3f}  {found['spearman']:.3f} ({published})")


if __name__ == "__main__":
    sys.exit(main())
