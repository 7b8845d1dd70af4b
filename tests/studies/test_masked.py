"""The study of hidden first relevant items, pair-topic by pair-topic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import irpref
from irpref import demo_paths
from irpref.studies.masked import hidden_first
from tests import literal
from tests.literal import INF, Positions, sign
from tests.random_cases import make_case
from tests.studies.turned import tried

CASE = make_case(21, topics=70, systems=5, documents=7)
DATA = irpref.collect(CASE.qrels, CASE.runs)

PREDICTORS: dict[str, Callable[[Positions, Positions], object]] = {
    "LP": literal.sgn_lp,
    "LR": literal.lexirecall,
    "RPP": lambda p, q: literal.rpp(p, q, lambda level: Fraction(1)),
    "RR": lambda p, q: literal.reciprocal(p[0]) - literal.reciprocal(q[0]),
    "P@2": lambda p, q: sum(each <= 2 for each in p) - sum(each <= 2 for each in q),
    "own": lambda p, q: own(np.array(p, dtype=float), np.array(q, dtype=float)),
}


def own(first: np.ndarray, second: np.ndarray) -> float:
    """More items among the first three."""
    return float((first <= 3).sum() - (second <= 3).sum())


METHODS = [irpref.preference(own) if name == "own" else name for name in PREDICTORS]


def pair_topics() -> list[tuple[Positions, Positions]]:
    """Pairs of position vectors whose first items differ, on topics with two relevant items or more."""
    pairs = []
    for topic in DATA.topics:
        wanted = literal.relevant(CASE.grades[topic])
        vectors = [literal.positions(CASE.run(system, topic), wanted) for system in DATA.systems]
        if len(wanted) > 1:
            pairs += [(p, q) for p, q in combinations(vectors, 2) if p[0] != q[0]]
    return pairs


def back_off_acts(p: Positions, q: Positions) -> bool:
    return p[1] == q[1] < INF and p[2:] != q[2:]


def test_suffixes_agree_with_the_hidden_item_as_often_as_pair_by_pair() -> None:
    frame = irpref.studies.masked(DATA, METHODS, n_resamples=20).frame
    found = frame.set_index(["method", "condition"])
    every = pair_topics()
    subsets = {
        "all pair-topics": every,
        "where back-off acts": [pair for pair in every if back_off_acts(*pair)],
    }
    assert len(subsets["where back-off acts"]) > 3
    for name, predictor in PREDICTORS.items():
        for where, pairs in subsets.items():
            right = wrong = 0
            for p, q in pairs:
                said = sign(predictor(p[1:], q[1:]))  # type: ignore[arg-type]
                target = 1 if p[0] < q[0] else -1
                right += said == target
                wrong += said == -target
            tied = len(pairs) - right - wrong
            expected = {
                "strict": (right, len(pairs)),
                "half": (right + tied / 2, len(pairs)),
                "decided": (right, right + wrong),
            }
            for kind, (agree, of) in expected.items():
                row = found.loc[(name, f"{where}, {kind}")]
                assert row["n"] == of
                assert row["estimate"] == pytest.approx(agree / of if of else np.nan, nan_ok=True)


def test_skipped_topics_do_not_count() -> None:
    skipping = irpref.collect(CASE.qrels, CASE.runs, missing="skip")
    found = irpref.studies.masked(skipping, "LP", n_resamples=2).frame["n"].iloc[0]
    lists = {topic: [CASE.run(system, topic) for system in DATA.systems] for topic in DATA.topics}
    kept = 0
    for topic, runs in lists.items():
        wanted = literal.relevant(CASE.grades[topic])
        vectors = [literal.positions(run, wanted) for run in runs if run]
        if len(wanted) > 1:
            kept += sum(p[0] != q[0] for p, q in combinations(vectors, 2))
    assert found == kept < len(pair_topics())


def test_what_is_left_is_a_collection_of_its_own() -> None:
    topics, _, left = hidden_first(DATA.placements)
    sizes = [len(literal.relevant(CASE.grades[topic])) for topic in left.topics]
    assert min(sizes) > 1
    assert np.diff(left.starts).tolist() == [size - 1 for size in sizes]
    assert [DATA.topics[topic] for topic in topics] == list(left.topics)
    for number, topic in enumerate(left.topics):
        vectors = [
            literal.positions(CASE.run(system, topic), literal.relevant(CASE.grades[topic]))
            for system in DATA.systems
        ]
        unretrieved = left.unretrieved
        rest = np.array([[min(p, unretrieved) for p in vector[1:]] for vector in vectors]).T
        assert (left.positions[left.rows(number)] == rest).all()


def runs_with(later: dict[str, tuple[int, int]], topics: int = 30) -> irpref.Collection:
    """Two systems on many topics: where each has its third relevant item, when the second ones tie."""
    runs = {}
    for system, (first, third) in later.items():
        places = {first: "d1", 5: "d2", third: "d3"}
        documents = [places.get(place, f"x{place}") for place in range(1, 10)]
        run = {document: 99.0 - place for place, document in enumerate(documents)}
        runs[system] = {str(topic): run for topic in range(topics)}
    qrels = {str(topic): {"d1": 1, "d2": 1, "d3": 2} for topic in range(topics)}
    return irpref.collect(qrels, runs)


@pytest.mark.parametrize(
    ("worse", "verdict"), [((2, 8), "holds"), ((2, 6), "fails")], ids=["same way", "other way"]
)
def test_claim_of_back_off_is_tested_where_it_acts(worse: tuple[int, int], verdict: str) -> None:
    claims = irpref.studies.masked(runs_with({"a": (1, 7), "b": worse})).claims
    assert claims["verdict"].to_list() == ["by definition", verdict, verdict]


def test_claims_that_nothing_can_test() -> None:
    study = irpref.studies.masked(runs_with({"a": (1, 7), "b": (1, 8)}))
    assert study.claims["note"].to_list()[1:] == [
        "the first relevant items never differ",
        "back-off acts nowhere",
    ]
    assert len(tried(irpref.studies.masked(DATA, "LP", n_resamples=2))) == 2


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("STRPP", "STRPP looks at subtopics"),
        ("TieRR", "TieRR has random ties"),
        ("LP(rel=2)", r"LP\(rel=2\) has .* leave it out; irpref.collect\(…, rel=2\)"),
    ],
)
def test_methods_that_cannot_be_masked_are_refused(method: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"hides the first relevant item, and {message}"):
        irpref.studies.masked(DATA, method)


def test_scores_of_other_tools_are_refused() -> None:
    data = irpref.collect(*demo_paths())
    scores = data.evaluate("AP")
    with pytest.raises(ValueError, match=r"other has scores of whole rankings"):
        irpref.studies.masked(data, {"other": scores})


def test_one_relevant_item_a_topic_is_not_enough() -> None:
    data = irpref.collect({"1": {"d": 1}}, {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}}})
    with pytest.raises(ValueError, match="no topic has two items"):
        irpref.studies.masked(data)
