"""Values inside ir_measures, against the literal definitions and the core."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, Metric, Qrel, ScoredDoc, nDCG, parse_measure

import irpref
from irpref import demo_paths
from irpref_ir_measures import (
    ASL,
    IPSO,
    ISL,
    LP,
    LR,
    RPP,
    STRPP,
    TSE,
    TSL,
    LexiPrecision,
    LexiRecall,
    TieAP,
    TienDCG,
    TieP,
    TieRR,
    dcgRPP,
    provider,
    rrLP,
)
from tests import literal

QRELS = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1}, "3": {"a": 0}, "4": {"z": 1}}
RUN = {"1": {"a": 3.0, "x": 2.0, "b": 1.0}, "2": {"x": 1.0, "a": 1.0}, "9": {"a": 1.0}}
OTHER = {"1": {"x": 3.0, "b": 2.0, "a": 1.0}, "2": {"a": 1.0}, "3": {"a": 1.0}}


def by_query(measure: Any, qrels: Any, run: Any) -> dict[Any, float]:
    metrics = list(ir_measures.iter_calc([measure], qrels, run))
    assert all(isinstance(metric, Metric) and metric.measure is measure for metric in metrics)
    assert all(type(metric.value) is float for metric in metrics)
    values = {metric.query_id: metric.value for metric in metrics}
    assert len(values) == len(metrics)
    return values


pytestmark = pytest.mark.filterwarnings("ignore:.*no topic in common:UserWarning")
# Many topics at a time, as a call costs more than its topics do.
FEW = settings(max_examples=3)
topics, documents = st.sampled_from("123456789xyz"), st.sampled_from("abcdef")
judgments = st.dictionaries(
    topics, st.dictionaries(documents, st.integers(-1, 2), max_size=5), min_size=8
)
results = st.dictionaries(
    topics, st.dictionaries(documents, st.integers(0, 3).map(float), min_size=1, max_size=5)
)


@FEW
@given(judgments, results, results.filter(bool))
def test_preferences_are_those_of_the_papers(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    other: dict[str, dict[str, float]],
) -> None:
    asked: dict[Any, Callable[..., float]] = {
        LP: literal.sgn_lp,
        LR: literal.lexirecall,
        rrLP: lambda one, two: float(literal.rr_lp(one, two)),
        RPP(graded=False): lambda one, two: float(literal.rpp(one, two, lambda level: Fraction(1))),
    }
    for unbound, definition in asked.items():
        for cutoff in (None, 2):
            measure = unbound.against(other) if cutoff is None else unbound.against(other) @ cutoff
            values = by_query(measure, qrels, run)
            assert list(values) == list(qrels)
            for topic, grades in qrels.items():
                wanted = literal.relevant(grades)
                one, two = (
                    literal.positions(side.get(topic, {}), wanted, cutoff) for side in (run, other)
                )
                assert values[topic] == pytest.approx(definition(one, two), abs=1e-12)


@FEW
@given(judgments, results, results.filter(bool))
def test_ipso_counts_relations(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    other: dict[str, dict[str, float]],
) -> None:
    bound = IPSO.against(other) @ 3
    number = by_query(bound, qrels, run)
    shares = {
        count: by_query(bound(count=count), qrels, run) for count in ("ni", "ns", "eq", "nonsep")
    }
    for topic, grades in qrels.items():
        wanted = literal.relevant(grades)
        one, two = (literal.positions(side.get(topic, {}), wanted, 3) for side in (run, other))
        signs = set(literal.signs(one, two))
        relation = {
            (False, False): "eq",
            (True, False): "ni",
            (False, True): "ns",
            (True, True): "nonsep",
        }[1 in signs, -1 in signs]
        assert number[topic] == {"ni": 1, "ns": -1}.get(relation, 0)
        for count, values in shares.items():
            assert values[topic] == (count == relation)


@pytest.mark.parametrize("cutoff", [None, 1, 3])
@pytest.mark.parametrize(
    "options", [{}, {"ties": "expected"}, {"graded": True}, {"rel": 2}], ids=str
)
@FEW
@given(judgments, results, results.filter(bool))
def test_relations_add_up_to_one_and_are_equal_without_relevant_documents(
    options: dict[str, Any],
    cutoff: int | None,
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    other: dict[str, dict[str, float]],
) -> None:
    bound = IPSO.against(other)(**options)
    asked = bound if cutoff is None else bound @ cutoff
    number = by_query(asked, qrels, run)
    of = {count: by_query(asked(count=count), qrels, run) for count in ("ni", "ns", "eq", "nonsep")}
    for topic, grades in qrels.items():
        shares = {count: values[topic] for count, values in of.items()}
        assert sum(shares.values()) == pytest.approx(1)
        assert shares["ni"] - shares["ns"] == pytest.approx(number[topic])
        if not any(grade >= options.get("rel", 1) for grade in grades.values()):
            assert shares == {"ni": 0, "ns": 0, "eq": 1, "nonsep": 0}
            assert number[topic] == 0


def all_orders(scores: dict[str, float]) -> list[list[str]]:
    """Every order of the tied groups."""
    levels = sorted(set(scores.values()), reverse=True)
    groups = [[name for name in scores if scores[name] == level] for level in levels]
    orders = [list(permutations(group)) for group in groups]
    return [[name for group in chosen for name in group] for chosen in product(*orders)]


@FEW
@given(judgments, results)
def test_tied_measures_are_means_over_all_orders(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    def reciprocal_rank(order: list[str], wanted: set[str]) -> float:
        return next((1 / rank for rank, name in enumerate(order, 1) if name in wanted), 0.0)

    def precision(order: list[str], wanted: set[str]) -> float:
        return len(wanted.intersection(order[:2])) / 2

    def average_precision(order: list[str], wanted: set[str]) -> float:
        hits = [rank for rank, name in enumerate(order, 1) if name in wanted]
        return sum(i / rank for i, rank in enumerate(hits, 1)) / len(wanted) if wanted else 0.0

    measures: dict[Any, Callable[[list[str], set[str]], float]] = {
        TieRR: reciprocal_rank,
        TieP @ 2: precision,
        TieAP: average_precision,
    }
    for measure, definition in measures.items():
        values = by_query(measure, qrels, run)
        for topic, grades in qrels.items():
            wanted = literal.relevant(grades)
            orders = all_orders(run.get(topic, {}))
            expected = sum(definition(order, wanted) for order in orders) / len(orders)
            assert values[topic] == pytest.approx(expected)


def test_every_topic_of_the_qrels_counts() -> None:
    qrels = {**QRELS, "5": {}}
    for measure in (TieRR, RPP.against(OTHER), IPSO.against(OTHER) @ 2, LexiRecall(n=10)):
        values = by_query(measure, qrels, RUN)
        assert list(values) == ["1", "2", "3", "4", "5"]
        assert values["3"] == values["5"] == 0
    # The core's mean leaves topics without relevant items out, this one counts them as ties.
    runs = {"run": RUN, "other": OTHER}
    core = irpref.compare(QRELS, runs, [RPP.core()]).per_topic("RPP", "run", "other")
    assert len(core) == 3
    assert RPP.against(OTHER).calc_aggregate(QRELS, RUN) == pytest.approx(core.sum() / 4)


def frame(data: dict[str, dict[str, float]], value: str) -> pd.DataFrame:
    rows = [
        (topic, name, number) for topic, names in data.items() for name, number in names.items()
    ]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", value])


def records(data: dict[str, dict[str, float]], kind: Any) -> list[Any]:
    return [kind(t, name, number) for t, names in data.items() for name, number in names.items()]


@pytest.mark.parametrize("measures", [[TieRR @ 2, RPP, AP], [LP @ 2]], ids=str)
def test_every_kind_of_input_gives_the_same(measures: list[Any]) -> None:
    kinds_of_qrels = {
        "dict": lambda: QRELS,
        "frame": lambda: frame(QRELS, "relevance"),  # type: ignore[arg-type]
        "records": lambda: records(QRELS, Qrel),  # type: ignore[arg-type]
        "iterator": lambda: iter(records(QRELS, Qrel)),  # type: ignore[arg-type]
    }
    kinds_of_run = {
        "dict": lambda: RUN,
        "frame": lambda: frame(RUN, "score"),
        "records": lambda: records(RUN, ScoredDoc),
        "iterator": lambda: iter(records(RUN, ScoredDoc)),
    }
    kinds_of_reference = {
        "dict": lambda: OTHER,
        "frame": lambda: frame(OTHER, "score"),
        "iterator": lambda: iter(records(OTHER, ScoredDoc)),
        "pyterrier": lambda: frame(OTHER, "score").rename(
            columns={"query_id": "qid", "doc_id": "docno"}
        ),
    }
    seen = []
    # Each is read by itself: one of them in each kind, and all as iterators.
    kinds = [(name, "dict", "dict") for name in kinds_of_qrels]
    kinds += [("dict", name, "dict") for name in kinds_of_run]
    kinds += [("dict", "dict", name) for name in kinds_of_reference]
    for of_qrels, of_run, of_reference in [*kinds, ("iterator", "iterator", "iterator")]:
        qrels, run = kinds_of_qrels[of_qrels], kinds_of_run[of_run]
        reference = kinds_of_reference[of_reference]
        bound = [
            measure.against(reference(), name="other") if hasattr(measure, "against") else measure
            for measure in measures
        ]
        seen.append(ir_measures.calc_aggregate(bound, qrels(), run()))
    # By hand. TieRR: 1 and the mean of 1/2 and 1. RPP: (1 · 1 + 2 · 1/2) / 3 and -1. LP: 1 and -1.
    by_hand = {"TieRR@2": 1.75 / 4, "RPP(ref='other')": (2 / 3 - 1) / 4, "LP(ref='other')@2": 0.0}
    for values in seen:
        assert len(values) == len(measures)
        for measure, value in values.items():
            assert value == pytest.approx(by_hand.get(str(measure), seen[0][measure]))


def test_ids_of_any_type_come_back_as_they_were() -> None:
    qrels = pd.DataFrame({"query_id": [1, 1, 2], "doc_id": [7, 8, 7], "relevance": [1, 0, 1]})
    run = pd.DataFrame({"query_id": [1, 1, 2], "doc_id": [7, 8, 7], "score": [2.0, 1.0, 1.0]})
    texts = run.astype({"query_id": str, "doc_id": str})
    categories = texts.astype({"query_id": "category", "doc_id": "category"})
    for reference in (run, texts, categories, texts.astype(object)):
        assert by_query(RPP.against(reference), qrels, run) == {1: 0, 2: 0}
        assert by_query(LP.against(reference), qrels, texts[:1]) == {1: 0, 2: -1}


def test_one_call_and_one_evaluator_for_many_measures_and_runs() -> None:
    bound = RPP.against(OTHER, name="other")
    asked = [AP, TieRR @ 2, bound, nDCG @ 3, bound(weights="dcg"), LP.against(RUN, name="run")]
    aggregated, metrics = ir_measures.calc(asked, QRELS, RUN)
    assert set(aggregated) == set(asked)
    assert len(metrics) == len(asked) * len(QRELS)
    assert aggregated[LP(ref="run")] == 0
    evaluator = ir_measures.evaluator(asked, iter(records(QRELS, Qrel)))  # type: ignore[arg-type]
    for run in (RUN, OTHER, RUN):
        assert evaluator.calc_aggregate(run) == ir_measures.calc_aggregate(asked, QRELS, run)
    assert provider.calc_aggregate([bound, bound], QRELS, RUN) == {bound: aggregated[bound]}


def test_measures_say_which_columns_they_need() -> None:
    asked = [AP, TieRR, RPP(ref="b"), STRPP(ref="b")]
    assert set(ir_measures.run_inputs(asked)) == {"query_id", "doc_id", "score"}
    assert set(ir_measures.qrel_inputs(asked)) == {
        *("query_id", "doc_id", "relevance", "iteration")
    }
    assert "iteration" not in ir_measures.qrel_inputs(asked[:3])


@pytest.mark.parametrize("empty", [{}, {"1": {}}, [], frame({}, "score")], ids=str)
def test_a_run_may_have_retrieved_nothing(empty: Any) -> None:
    asked = [TieRR, RPP.against(OTHER), LR.against(OTHER), TSE, LexiRecall(n=3)]
    found = ir_measures.calc_aggregate(asked, QRELS, empty)
    assert found == ir_measures.calc_aggregate(asked, QRELS, {"1": {"y": 1.0}})
    assert found[LR.against(OTHER)] == -2 / 4


def test_a_run_of_other_topics_has_retrieved_nothing() -> None:
    assert TieRR.calc_aggregate(QRELS, {"9": {"a": 1.0}}) == 0
    bound = RPP.against({"9": {"a": 1.0}}, name="elsewhere")
    with pytest.warns(UserWarning, match="no topic in common"):
        assert by_query(bound, QRELS, RUN) == {"1": 1, "2": 1, "3": 0, "4": 0}


def test_nothing_at_all_may_be_relevant() -> None:
    qrels = {"1": {"a": 0}, "2": {"b": -1}}
    asked = [TieRR, RPP.against(OTHER), LexiPrecision(n=9)]
    assert set(ir_measures.calc_aggregate(asked, qrels, RUN).values()) == {0.0}


def test_no_topics_no_values() -> None:
    assert list(ir_measures.iter_calc([TieRR, RPP.against(OTHER)], [], RUN)) == []


def test_judged_only_takes_unjudged_documents_out_of_both_runs() -> None:
    measure = RPP.against(OTHER)
    assert by_query(measure, QRELS, RUN)["1"] == pytest.approx(2 / 3)
    # Without x: a b against b a, so that only the grade of 2 prefers one.
    assert by_query(measure(judged_only=True), QRELS, RUN)["1"] == pytest.approx(1 / 3)
    assert by_query(TieRR, QRELS, RUN)["2"] == 0.75
    assert by_query(TieRR(judged_only=True), QRELS, RUN)["2"] == 1
    assert by_query(TieRR(judged_only=True), {"1": {"y": 1}}, RUN) == {"1": 0}


def test_a_repeated_document_is_an_error() -> None:
    run = [ScoredDoc("1", "a", 2.0), ScoredDoc("1", "a", 1.0)]
    with pytest.raises(ValueError, match=r"topic 1, document a: .* twice"):
        TieRR.calc_aggregate(QRELS, run)


def test_subtopics_are_read_from_the_iteration() -> None:
    qrels = [Qrel("1", "a", 1, "s"), Qrel("1", "b", 1, "t"), Qrel("1", "c", 1, "t")]
    run, other = {"1": {"a": 2.0, "b": 1.0}}, {"1": {"b": 2.0, "c": 1.0}}
    # s: a at 1 against nowhere. t: 2, ∞ against 1, 2. Background: 1, 2, ∞ twice.
    expected = (1 * 1 + 2 * -1 + 3 * 0) / 6
    assert by_query(STRPP.against(other), iter(qrels), run) == {"1": pytest.approx(expected)}
    assert by_query(STRPP.against(other), pd.DataFrame(qrels), run) == {
        "1": pytest.approx(expected)
    }
    with pytest.raises(ValueError, match="name no subtopics"):
        by_query(STRPP.against(other), {"1": {"a": 1}}, run)


PREFERENCES = {
    "RPP": RPP,
    "RPP(weights='dcg')@10": dcgRPP @ 10,
    "RPP(ties='expected')": RPP(ties="expected"),
    "LP": LP,
    "LP(magnitude='rr')": rrLP,
    "LR@20": LR @ 20,
    "IPSO@10": IPSO @ 10,
    "IPSO(graded=True)@10": IPSO(graded=True) @ 10,
    "IPSO(gains={1: 1, 2: 3})": IPSO(gains={1: 1, 2: 3}),
}
MEASURES = {
    "RR(ties='expected')@10": TieRR @ 10,
    "AP(ties='expected',rel=2)": TieAP(rel=2),
    "nDCG(ties='expected',dcg='exp-log2')@5": TienDCG(dcg="exp-log2") @ 5,
    "RR(ties='expected',level=2)": TieRR(level=2),
    "TSE(exposure='log2')": TSE(exposure="log2"),
    "ASL(n=150,ties='expected')@9": ASL(n=150, ties="expected") @ 9,
    "ISL(n=150)": ISL(n=150),
    "TSL(n=150,ties='expected')": TSL(n=150, ties="expected"),
    "LexiRecall(n=150)": LexiRecall(n=150),
    "LexiPrecision(n=150,value='share')": LexiPrecision(n=150, value="share"),
}


def agree(qrels: Path, runs: list[Path], preferences: dict[str, Any], measures: Any) -> None:
    """The core and ir_measures have the same numbers, for references by path and in memory."""
    one, two = runs
    named = {"one": one, "two": two}
    core = irpref.compare(qrels, named, list(preferences))
    scores = irpref.evaluate(qrels, {"one": one}, list(measures)) if measures else None
    judged = list(ir_measures.read_trec_qrels(str(qrels)))
    run = list(ir_measures.read_trec_run(str(one)))
    other = list(ir_measures.read_trec_run(str(two)))
    for text, preference in preferences.items():
        expected = core.per_topic(text, "one", "two").to_dict()
        for bound in (preference(ref=two), preference.against(other)):
            values = by_query(bound, judged, run)
            assert {t: values.pop(t) for t in expected} == pytest.approx(expected, abs=1e-12)
            assert not any(values.values())
    for text, measure in measures.items():
        assert scores is not None
        rows = scores[scores["measure"] == str(irpref.parse(text))]
        expected = dict(zip(rows["topic"], rows["value"], strict=True))
        assert by_query(measure, judged, run) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_the_core_says_the_same_on_the_demo_collection() -> None:
    qrels, runs = demo_paths()
    for one, two in ((0, 1), (2, 1), (4, 5)):
        agree(qrels, [runs[one], runs[two]], PREFERENCES, MEASURES)
    qrels, runs = demo_paths(subtopics=True)
    agree(qrels, runs[1:3], {"STRPP": STRPP, "STRPP(weights='dcg')": STRPP(weights="dcg")}, {})


def test_the_core_says_the_same_on_real_runs(shared_data: Path) -> None:
    folder = shared_data / "web12"
    runs = sorted((folder / "runs").iterdir())[:4:3]
    preferences = {
        text: preference for text, preference in PREFERENCES.items() if "gains" not in text
    }
    measures = {text: measure for text, measure in MEASURES.items() if "n=" not in text}
    agree(folder / "qrels.txt", runs, preferences, measures)
    agree(folder / "qrels.diversity.txt", runs, {"STRPP": STRPP}, {})


def test_built_in_measures_are_what_they_were() -> None:
    qrels, runs = (str(path) for path in (demo_paths()[0], demo_paths()[1][0]))
    judged = list(ir_measures.read_trec_qrels(qrels))
    run = list(ir_measures.read_trec_run(runs))
    alone = ir_measures.calc_aggregate([AP, nDCG @ 10], judged, run)
    mixed = ir_measures.calc_aggregate(
        [AP, TieAP, nDCG @ 10, parse_measure("TieRR@10")], judged, run
    )
    assert {measure: mixed[measure] for measure in alone} == alone
