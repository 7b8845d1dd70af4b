"""The tie-aware metrics inside ranx: against ranx's own metrics over every order, and against the core."""

from __future__ import annotations

import importlib
from itertools import chain, groupby, permutations, product
from typing import Any

import numpy as np
import pytest
import ranx
from numba.typed import List as TypedList
from ranx import Qrels, Run

import irpref
import irpref_ranx
from irpref import demo_paths
from irpref_ranx.metrics import TIE_METRICS

pytestmark = pytest.mark.slow

NAMES = sorted(TIE_METRICS)
GRADES = {"garden-001": 2, "garden-002": 1, "garden-003": 0, "garden-004": 3, "garden-005": 1}
TIED = {
    "garden-003": 9.0,
    "garden-001": 7.5,
    "garden-002": 7.5,
    "garden-009": 7.5,
    "garden-008": 2.0,
    "garden-004": -1.0,
    "garden-007": -1.0,
}
CORE = {
    "tie_mrr": "TieRR",
    "tie_map": "TieAP",
    "tie_ndcg": "TienDCG",
    "tie_ndcg_burges": "nDCG(ties='expected', dcg='exp-log2')",
    "tie_precision": "TieP",
    "tie_recall": "TieR",
    "tie_f1": "TieF1",
}


def every_order(scores: dict[str, float]) -> list[dict[str, float]]:
    """Scores without ties for every order of the tied groups."""
    ranked = sorted(scores, key=lambda document: -scores[document])
    groups = [list(group) for _, group in groupby(ranked, key=lambda document: scores[document])]
    return [
        {document: -float(place) for place, document in enumerate(chain(*order))}
        for order in product(*(permutations(group) for group in groups))
    ]


@pytest.mark.parametrize("name", NAMES)
def test_is_the_mean_of_ranx_own_metric_over_every_order(name: str) -> None:
    orders = every_order(TIED)
    run = Run({f"q_{number:02}": scores for number, scores in enumerate(orders)})
    qrels = Qrels({f"q_{number:02}": GRADES for number in range(len(orders))})
    for suffix in ("", "@1", "@2", "@3", "@4", "@6", "@7", "@20", "-l2", "@3-l2", "@6-l3", "-l4"):
        expected = ranx.evaluate(qrels, run, name.removeprefix("tie_") + suffix)
        found = ranx.evaluate(Qrels({"q": GRADES}), Run({"q": TIED}), name + suffix)
        assert found == pytest.approx(expected, abs=1e-12), suffix


@pytest.mark.parametrize("suffix", ["", "@10", "@5-l2"])
def test_equals_the_core_on_the_demo_collection(demo: Any, suffix: str) -> None:
    check_against_core(*demo, *demo_paths(), suffix)


def test_equals_the_core_on_web12(web12: Any, web12_paths: Any) -> None:
    check_against_core(*web12, *web12_paths, "@20")


def check_against_core(
    qrels: Any, runs: list[Run], qrels_path: Any, paths: Any, suffix: str
) -> None:
    cut, _, level = suffix.partition("-l")
    for run, path in zip(runs, paths, strict=True):
        found = ranx.evaluate(
            qrels, run, [name + suffix for name in NAMES], return_mean=False, make_comparable=True
        )
        for name in NAMES:
            measure: Any = irpref.parse(CORE[name] + cut)
            measure = measure(rel=int(level)) if level else measure
            scores = irpref.evaluate(qrels_path, [path], measure).set_index("topic")["value"]
            expected = scores.reindex(run.get_query_ids()).to_numpy()
            np.testing.assert_allclose(found[name + suffix], expected, atol=1e-12, rtol=0)


def test_the_demo_collection_has_ties_that_matter(demo: Any) -> None:
    qrels, runs = demo
    boolean = next(run for run in runs if run.name == "boolean")
    found = ranx.evaluate(qrels, boolean, ["mrr@10", "tie_mrr@10"])
    assert found["mrr@10"] != pytest.approx(found["tie_mrr@10"], abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_input_of_ranx(name: str) -> None:
    expected = ranx.evaluate(Qrels({"q": GRADES}), Run({"q": TIED}), f"{name}@3")
    assert ranx.evaluate({"q": GRADES}, {"q": TIED}, f"{name}@3") == expected
    judged, retrieved = (
        np.array([[hash(document), number] for document, number in numbers.items()], dtype=float)
        for numbers in (GRADES, TIED)
    )
    assert ranx.evaluate(judged[None], retrieved[None], f"{name}@3") == expected
    assert ranx.evaluate(TypedList([judged]), TypedList([retrieved]), f"{name}@3") == expected


def test_a_topic_without_relevant_documents_or_without_results_scores_0() -> None:
    nothing = {"garden-001": 0, "garden-002": -1}
    qrels = Qrels({"q_1": GRADES, "q_2": nothing, "q_3": GRADES})
    run = Run({"q_1": TIED, "q_2": TIED})
    whole = ranx.evaluate(Qrels({"q_1": GRADES}), Run({"q_1": TIED}), NAMES)
    found = ranx.evaluate(qrels, run, NAMES, return_mean=False, make_comparable=True)
    for name in NAMES:
        assert found[name].tolist() == [whole[name], 0, 0]
    only_empty = ranx.evaluate(Qrels({"q_1": nothing}), Run({"q_1": TIED}), NAMES)
    assert set(only_empty.values()) == {0}


def test_scores_that_are_no_numbers_are_refused() -> None:
    run = Run({"p": TIED, "q": {"garden-001": np.nan}})
    with pytest.raises(ValueError, match=r"^topic 2 of 2: .* not a number"):
        ranx.evaluate(Qrels({"p": GRADES, "q": GRADES}), run, "tie_mrr")


def test_a_document_twice_in_an_array_is_refused_without_advice_that_is_not_ranx_s() -> None:
    judged, twice = np.array([[1.0, 1.0]]), np.array([[1.0, 3.0], [1.0, 2.0]])
    with pytest.raises(ValueError, match=r"^topic 1 of 1: the document is there twice") as caught:
        ranx.evaluate(judged[None], twice[None], "tie_mrr")
    assert "duplicates" not in str(caught.value)


@pytest.mark.parametrize("level", [0, -1])
def test_a_relevance_level_below_1_is_refused(level: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ranx.evaluate(Qrels({"q": GRADES}), Run({"q": TIED}), f"tie_mrr-l{level}")


def test_tables_and_latex_of_ranx_have_labels_for_them(demo: Any) -> None:
    qrels, runs = demo
    report = ranx.compare(qrels, runs, ["mrr@10", *(f"{name}@10-l2" for name in NAMES)])
    labels = [f"Tie {label}@10-l2" for label in ("F1", "MAP", "MRR", "NDCG", "NDCG Burges", "P")]
    for label in [*labels, "Tie Recall@10-l2"]:
        assert f" {label} " in f" {str(report).splitlines()[0]} "
        assert f"\\textbf{{{label}}}" in report.to_latex()
    assert "Tie MRR" in str(ranx.compare(qrels, runs, "tie_mrr"))


def test_their_names_may_be_written_in_any_case(demo: Any) -> None:
    qrels, runs = demo
    lower, mixed = (
        ranx.compare(qrels, runs, [f"{name}@10-l2", name]) for name in ("tie_mrr", "Tie_MRR")
    )
    assert str(mixed) == str(lower)
    assert mixed.to_latex() == lower.to_latex()
    assert "TIE_NDCG" in irpref_ranx.compare(qrels, runs, ["TIE_NDCG", "rpp"]).results["bm25"]
    # ranx's own names stay as ranx has them.
    with pytest.raises(ValueError, match="Metric MRR not supported"):
        ranx.evaluate(qrels, runs[0], "MRR")
    with pytest.raises(KeyError, match="mr"):
        lower.get_metric_label("MR")


def test_the_names_can_be_parsed_by_ranx() -> None:
    assert not any("-l" in name or "rbp" in name for name in NAMES)


def test_registering_again_changes_nothing() -> None:
    evaluation: Any = importlib.import_module("ranx.meta.evaluate")
    report: Any = importlib.import_module("ranx.data_structures.report")

    def state() -> tuple[Any, ...]:
        return (
            evaluation.metric_switch,
            dict(report.metric_labels),
            list(report.chars),
            list(report.super_chars),
        )

    before = state()
    irpref_ranx.register()
    importlib.reload(irpref_ranx)
    assert state() == before
    assert len(set(report.chars)) == len(report.chars) == len(set(report.super_chars))


def test_unknown_metrics_are_still_refused_by_ranx(demo: Any) -> None:
    qrels, runs = demo
    with pytest.raises(ValueError, match="not supported"):
        ranx.evaluate(qrels, runs[0], "tie_hits")
