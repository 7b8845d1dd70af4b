"""The public examples of the papers, and what is known of real runs."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from irpref.methods.preferences import IPSO, LP, LR, RPP, rrLP
from irpref.methods.preferences.ipso import RELATIONS
from irpref.pairwise.totals import sum_topics
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from tests.literal import graded_rpp, positions, relevant
from tests.random_cases import matrix, place

# Moffat & Mackenzie (2024)


def serp_collection(serps: list[list[int]]) -> Placements:
    """Each SERP of grades as the run of one system; all with documents of one pool."""
    depth, top = len(serps[0]), max(map(max, serps))
    qrels = {"t": {f"g{g}-{rank}": g for g in range(1, top + 1) for rank in range(depth)}}
    return place(
        qrels,
        {
            f"s{number}": {"t": {f"g{g}-{rank}": float(-rank) for rank, g in enumerate(serp)}}
            for number, serp in enumerate(serps)
        },
    )


def relations(serps: list[list[int]], preference: IPSO = IPSO) -> list[list[str]]:
    values = matrix(preference, serp_collection(serps))[0]
    return [[RELATIONS[value] for value in row] for row in values]


BINARY_OF_3 = [list(serp) for serp in product((0, 1), repeat=3)]


def test_figures_1_and_2_all_pairs_of_three_ranks() -> None:
    """Eight equal cells, and one pair that no rule separates: [1,0,0] and [0,1,1]."""
    found = relations(BINARY_OF_3, IPSO @ 3)
    assert Counter(relation for row in found for relation in row) == {
        "=": 8,
        "**": 2,
        "ni": 27,
        "ns": 27,
    }
    a, c = BINARY_OF_3.index([1, 0, 0]), BINARY_OF_3.index([0, 1, 1])
    assert found[a][c] == found[c][a] == "**"


GOLDEN = (math.sqrt(5) - 1) / 2


def rank_biased(persistence: float) -> object:
    return lambda serp: (1 - persistence) * sum(r * persistence**i for i, r in enumerate(serp))


METRICS = {
    "Prec": sum,
    "RBP(0.8)": rank_biased(0.8),
    "AP": lambda serp: sum(r * sum(serp[: i + 1]) / (i + 1) for i, r in enumerate(serp)),
    "NDCG": lambda serp: sum(r / math.log2(i + 2) for i, r in enumerate(serp)),
    "Succ": max,
    "RBP(golden)": rank_biased(GOLDEN),
    "RR": lambda serp: max(r / (i + 1) for i, r in enumerate(serp)),
    "RBP(0.5)": rank_biased(0.5),
}


def metric_sign(metric: str, first: list[int], second: list[int]) -> int:
    difference = METRICS[metric](first) - METRICS[metric](second)
    return 0 if abs(difference) < 1e-12 else int(np.sign(difference))


def test_table_1_metrics_disagree_on_the_pair_that_is_not_separable() -> None:
    expected = dict(zip(METRICS, (-1, -1, -1, -1, 0, 0, 1, 1), strict=True))
    assert {m: metric_sign(m, [1, 0, 0], [0, 1, 1]) for m in METRICS} == expected
    assert relations([[1, 0, 0], [0, 1, 1]])[0][1] == "**"


def test_every_metric_complies_with_every_other_pair() -> None:
    found = relations(BINARY_OF_3, IPSO @ 3)
    allowed = {"=": {0}, "ni": {0, 1}, "ns": {-1, 0}, "**": {-1, 0, 1}}
    for (a, first), (c, second) in product(enumerate(BINARY_OF_3), repeat=2):
        for metric in METRICS:
            assert metric_sign(metric, first, second) in allowed[found[a][c]]


@pytest.mark.parametrize(
    ("depth", "equal", "separable", "nonseparable"),
    # The table prints 32.81 for the last, and so adds up to 99.99.
    [(5, 3.12, 83.98, 12.89), (10, 0.10, 67.08, 32.82)],
)
def test_table_2_shares_of_all_pairs(
    depth: int, equal: float, separable: float, nonseparable: float
) -> None:
    serps = np.array(list(product((0, 1), repeat=depth)))
    # With as many relevant items as ranks: those that a SERP lacks are not retrieved.
    places = np.where(serps == 1, np.arange(1, depth + 1), np.iinfo(np.int16).max)
    vectors = np.sort(places, axis=1).T[None].astype(np.int16)
    count = np.bincount((IPSO @ depth).fold(vectors, vectors).ravel(), minlength=4)
    shares = 100 * np.array([count[0], count[1] + count[2], count[3]]) / 4**depth
    assert shares == pytest.approx([equal, separable, nonseparable], abs=0.0051)
    assert [count[0], count[3]] == list(counts_by_state(depth))
    assert count[1] == count[2]


def counts_by_state(depth: int) -> tuple[int, int]:
    """Equal and non-separable pairs among all, from the states that Algorithm 1 can be in."""
    states = Counter({(0, False, False): 1})
    for _ in range(depth):
        after: Counter[tuple[int, bool, bool]] = Counter()
        for (cumul, negative, positive), number in states.items():
            for step, ways in ((-1, 1), (0, 2), (1, 1)):
                now = cumul + step
                after[now, negative or now < 0, positive or now > 0] += ways * number
        states = after
    equal = sum(n for (_, negative, positive), n in states.items() if not (negative or positive))
    return equal, sum(n for (_, negative, positive), n in states.items() if negative and positive)


def test_figure_4_the_pattern_by_depth() -> None:
    """Equal to depth 3, non-inferior from 4 to 8, non-separable from 9 on."""
    first = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0]
    second = [1, 0, 1, 0, 0, 1, 0, 1, 1, 0]
    collection = serp_collection([first, second])
    pattern = [
        RELATIONS[matrix(IPSO @ depth, collection)[0, 0, 1]] for depth in range(1, len(first) + 1)
    ]
    assert pattern == ["="] * 3 + ["ni"] * 5 + ["**"] * 2
    batch = TopicBatch(collection, topics=np.array([0]), first=np.array([0]), second=np.array([1]))
    ahead, behind = (IPSO @ 10).leads(batch)
    assert (ahead[0], behind[0]) == (4, 9)


@pytest.mark.parametrize(
    "preference", [IPSO(graded=True) @ 5, IPSO(gains={1: 0.2, 2: 0.8, 3: 1.0}) @ 5]
)
def test_graded_relevance_orders_the_three_serps_of_the_paper(preference: IPSO) -> None:
    """The three SERPs of gains 0, .2, .8 and 1: S1 over S2 by Rule 1, over S3 by Rule 2; S2 ** S3."""
    found = relations([[3, 2, 0, 1, 3], [2, 2, 0, 1, 2], [3, 1, 0, 2, 3]], preference)
    assert found == [["=", "ni", "ni"], ["ns", "=", "**"], ["ns", "**", "="]]


# Diaz & Ferraro (2022)

# Sections 3 and 4: what X and Y retrieve, and the grades of the items that each omits.
X, Y = "04300010300", "30453001100"
X_OMITS, Y_OMITS = (1, 1, 2, 4, 5), (1, 2, 4)


def x_and_y() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Qrels and runs: nine relevant items, of which X retrieves four and Y six."""
    retrieved = {name: [int(c) for c in text if c != "0"] for name, text in (("X", X), ("Y", Y))}
    grades = sorted((*retrieved["X"], *X_OMITS))
    assert grades == sorted((*retrieved["Y"], *Y_OMITS)) == [1, 1, 1, 2, 3, 3, 4, 4, 5]
    items = [f"item{i}" for i in range(len(grades))]
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for name, text in (("X", X), ("Y", Y)):
        unused = dict(zip(items, grades, strict=True))
        runs[name] = {"q": {}}
        for rank, character in enumerate(text, start=1):
            document = f"{name}{rank}"
            if character != "0":
                document = next(item for item, grade in unused.items() if grade == int(character))
                del unused[document]
            runs[name]["q"][document] = float(-rank)
    return {"q": dict(zip(items, grades, strict=True))}, runs


def test_search_lengths_of_x_and_y() -> None:
    """f1(X) = 2, f2(X) = 3, f3(X) = 7; f1(Y) = 1; at grade 4: f1(X) = 2, f1(Y) = 3."""
    qrels, runs = x_and_y()
    collection = place(qrels, runs)
    batch = TopicBatch(collection, topics=np.array([0]), first=np.array([0, 1]))
    by_size = {
        group.first.shape[1]: group.first[0] for group in batch.position_batches("grades", 1)
    }
    last = collection.unretrieved
    assert by_size[9].T.tolist() == [[2, 3, 7, 9, *[last] * 5], [1, 3, 4, 5, 8, 9, *[last] * 3]]
    assert by_size[3].T.tolist() == [[2, last, last], [3, 4, last]]


def test_preferences_between_x_and_y() -> None:
    """Each threshold by hand; what neither retrieves is at the end of both corpus rankings: a tie."""
    qrels, runs = x_and_y()
    collection = place(qrels, runs)
    # The level sums: -1+0-1-1-1-1 for all nine; {2,…}: (2,3,9) against (1,3,4,5): -1+0-1-1;
    # {3,…}: the same positions without the omitted 2; {4,5}: +1-1; {5}: -1.
    by_threshold = {1: (9, -5), 2: (6, -3), 3: (5, -3), 4: (3, 0), 5: (1, -1)}
    total = sum(size for size, _ in by_threshold.values())
    expected = Fraction(sum(signs for _, signs in by_threshold.values()), total)
    assert graded_rpp(qrels["q"], runs["X"]["q"], runs["Y"]["q"], weight=lambda i: Fraction(1)) == (
        expected
    )
    assert matrix(RPP, collection)[0, 0, 1] == pytest.approx(float(expected))
    assert matrix(RPP(graded=False), collection)[0, 0, 1] == pytest.approx(-5 / 9)
    assert matrix(LP, collection)[0, 0, 1] == -1
    assert matrix(LP(rel=4), collection)[0, 0, 1] == 1
    assert matrix(rrLP(rel=4), collection)[0, 0, 1] == pytest.approx(1 / 2 - 1 / 3)
    assert matrix(LR(rel=4), collection)[0, 0, 1] == -1


# Diaz (2023)


def test_figure_4_of_lexiprecision_with_the_sign_that_its_text_gives() -> None:
    """(2, 4, 10, n-1, n) against (2, 8, 9, 500, n): sgn +1 and rr +1/8 (erratum 3)."""
    n = 1000
    vectors = {"first": (2, 4, 10, n - 1, n), "second": (2, 8, 9, 500, n)}
    runs = {
        name: {
            "q": {
                f"item{vector.index(rank)}" if rank in vector else f"x{rank}": float(-rank)
                for rank in range(1, n + 1)
            }
        }
        for name, vector in vectors.items()
    }
    qrels = {"q": {f"item{i}": 1 for i in range(5)}}
    assert positions(runs["first"]["q"], relevant(qrels["q"])) == vectors["first"]
    collection = place(qrels, runs)
    assert matrix(LP, collection)[0, 0, 1] == 1
    assert matrix(rrLP, collection)[0, 0, 1] == 1 / 8


# Real runs


@pytest.fixture(scope="module")
def covid(shared_data: Path) -> Placements:
    folder = shared_data / "trec-covid-r5"
    with pytest.warns(UserWarning, match="uogTrDPH_QE_RF_SB_B.*contradicts the scores"):
        return place(folder / "qrels.txt", sorted((folder / "runs").iterdir()))


def tied(values: np.ndarray) -> int:
    """Pairs of systems with the same value, over all topics."""
    first, second = np.triu_indices(values.shape[1], 1)
    return int((values[:, first] == values[:, second]).sum())


def test_ties_on_trec_covid_are_as_many_as_the_papers_say(covid: Placements) -> None:
    """Of 7,750 pairs on 50 topics RR ties 69.70 %, LP 0.03 %, TSE 99.33 %."""
    assert (len(covid.systems), len(covid.topics)) == (125, 50)
    pairs = 50 * 7750
    spans = [covid.positions[covid.rows(topic)] for topic in range(50)]
    first = np.stack([span.min(axis=0) for span in spans])
    last = np.stack([span.max(axis=0) for span in spans])
    assert tied(first) / pairs == pytest.approx(0.6970, abs=0.00005)
    assert tied(last) / pairs == pytest.approx(0.9933, abs=0.00005)
    # LP, rrLP and LR tie where all positions are the same: on 0.03 %.
    for totals in sum_topics(covid, [LP, rrLP, LR]):
        assert totals.ties[np.triu_indices(125, 1)].sum() == 102
    assert 102 / pairs == pytest.approx(0.0003, abs=0.00005)


def test_lexiprecision_and_lexirecall_refine_rr_and_tse_on_trec_covid(covid: Placements) -> None:
    """Where RR differs LP has its sign, and where TSE differs LR has its."""
    lexiprecision, lexirecall = matrix(LP, covid), matrix(LR, covid)
    for topic in range(len(covid.topics)):
        span = covid.positions[covid.rows(topic)].astype(int)
        for values, deciding in (
            (lexiprecision[topic], span.min(axis=0)),
            (lexirecall[topic], span.max(axis=0)),
        ):
            difference = np.sign(deciding[None, :] - deciding[:, None])
            assert np.array_equal(values[difference != 0], difference[difference != 0])
