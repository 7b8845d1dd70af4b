"""Orders of systems against enumeration of all orders and against their own definitions."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from irpref.summarise.orders.bradley_terry import bradley_terry
from irpref.summarise.orders.kemeny import kemeny
from irpref.summarise.orders.majority import condorcet_cycles, count_wins
from irpref.summarise.orders.mc4 import mc4
from irpref.summarise.orders.order import SystemOrder, order_systems

METHODS = ("mean", "borda", "copeland", "mc4", "kemeny", "bradley-terry")


def topic_scores(systems: int, topics: int, seed: int, *, levels: int = 5) -> np.ndarray:
    """(T, S) scores with ties: what each topic prefers is an order with ties."""
    return np.random.default_rng((systems, topics, seed)).integers(0, levels, (topics, systems))


def order(method: str, scores: np.ndarray, **options: float) -> SystemOrder:
    signs = np.sign(scores[:, :, None] - scores[:, None, :])
    wins = (signs > 0).sum(axis=0)
    return order_systems(
        method,  # type: ignore[arg-type]
        mean=signs.mean(axis=0),
        wins=wins,
        topics=np.full_like(wins, len(scores)),
        **options,
    )


some_scores = st.builds(
    topic_scores,
    systems=st.integers(1, 6),
    topics=st.integers(1, 9),
    seed=st.integers(0, 10_000),
    levels=st.sampled_from((2, 5, 100)),
)


def best_orders(value: np.ndarray) -> set[tuple[int, ...]]:
    """All orders that put higher values first, by enumeration: each pair the wrong way costs."""
    costs = {
        candidate: sum(
            max(0.0, value[b] - value[a]) for a, b in itertools.combinations(candidate, 2)
        )
        for candidate in itertools.permutations(range(len(value)))
    }
    return {candidate for candidate, cost in costs.items() if cost < 1e-9}


def in_the_given_order(candidates: set[tuple[int, ...]]) -> tuple[int, ...]:
    """Of orders that differ only in ties, the one that leaves those as they were given."""
    return min(candidates)


@given(some_scores)
def test_mean_is_the_mean_preference_over_all_others(scores: np.ndarray) -> None:
    systems = scores.shape[1]
    value = np.zeros(systems)
    for a in range(systems):
        against = [
            np.mean([np.sign(topic[a] - topic[b]) for topic in scores])
            for b in range(systems)
            if b != a
        ]
        value[a] = np.mean(against) if against else 0
    found = order("mean", scores)
    assert found.value == pytest.approx(value)
    assert tuple(found.order) == in_the_given_order(best_orders(np.round(value, 9)))


@given(some_scores)
def test_borda_counts_the_systems_below_in_every_topics_list(scores: np.ndarray) -> None:
    points = np.zeros(scores.shape[1])
    for topic in scores:
        for a, b in itertools.permutations(range(len(topic)), 2):
            points[a] += 1 if topic[a] > topic[b] else 0.5 if topic[a] == topic[b] else 0
    found = order("borda", scores)
    assert found.value == pytest.approx(points / len(scores))
    assert tuple(found.order) == in_the_given_order(best_orders(points))


def test_bordas_order_is_the_nearest_to_the_lists_by_squared_rank_difference() -> None:
    rng = np.random.default_rng(4)
    for _ in range(10):
        lists = np.array([rng.permutation(5) for _ in range(7)])

        def distance(candidate: tuple[int, ...], lists: np.ndarray = lists) -> int:
            place = np.argsort(candidate)
            return int(((place - lists) ** 2).sum())

        found = order("borda", -lists)
        least = min(distance(candidate) for candidate in itertools.permutations(range(5)))
        assert distance(tuple(found.order)) == least


@given(some_scores)
def test_copeland_counts_majorities(scores: np.ndarray) -> None:
    value = np.zeros(scores.shape[1])
    for a, b in itertools.permutations(range(len(value)), 2):
        ahead = sum(topic[a] > topic[b] for topic in scores)
        behind = sum(topic[a] < topic[b] for topic in scores)
        value[a] += (ahead > behind) * 1 - (ahead < behind) * 1
    found = order("copeland", scores)
    assert found.value.tolist() == value.tolist()
    assert tuple(found.order) == in_the_given_order(best_orders(value))


def disagreements(candidate: tuple[int, ...], scores: np.ndarray) -> int:
    return sum(
        int(topic[b] > topic[a])
        for topic in scores
        for a, b in itertools.combinations(candidate, 2)
    )


def inversions(candidate: tuple[int, ...]) -> int:
    return sum(a > b for a, b in itertools.combinations(candidate, 2))


@given(some_scores)
def test_kemeny_is_the_best_of_all_orders(scores: np.ndarray) -> None:
    found = order("kemeny", scores)
    candidates = list(itertools.permutations(range(scores.shape[1])))
    least = min(disagreements(candidate, scores) for candidate in candidates)
    assert disagreements(tuple(found.order), scores) == least
    assert found.value[found.order].tolist() == list(range(len(found.order)))[::-1]


@pytest.mark.parametrize("seed", range(12))
def test_kemeny_inside_a_circle_and_its_rule_for_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Every majority is by one topic, in a circle: many orders are optimal.
    beats = np.triu(rng.random((6, 6)) < 0.5, 1)
    beats |= np.tril(~beats.T, -1)
    beats[np.arange(6), (np.arange(6) + 1) % 6] = True
    beats[(np.arange(6) + 1) % 6, np.arange(6)] = False
    wins = beats.astype(np.int64)
    assert condorcet_cycles(wins) == (tuple(range(6)),)
    place = kemeny(wins)
    found = tuple(np.argsort(-place).tolist())
    costs = {
        candidate: (
            sum(wins[b, a] for a, b in itertools.combinations(candidate, 2)),
            inversions(candidate),
        )
        for candidate in itertools.permutations(range(6))
    }
    assert costs[found] == min(costs.values())


def fewest_disagreements(wins: np.ndarray) -> int:
    """The least number of reversed preferences, by the best order of every subset of systems."""
    systems = len(wins)
    least = {0: 0}
    for chosen in range(1, 1 << systems):
        inside = [system for system in range(systems) if chosen >> system & 1]
        least[chosen] = min(
            least[chosen & ~(1 << last)] + int(sum(wins[last, above] for above in inside))
            for last in inside
        )
    return least[(1 << systems) - 1]


def test_kemeny_of_eleven_systems_against_the_best_orders_of_all_subsets() -> None:
    scores = np.random.default_rng(2).normal(size=(15, 11))
    found = order("kemeny", scores)
    assert len(found.cycles[0]) > 6
    wins = count_wins(scores)
    assert disagreements(tuple(found.order), scores) == fewest_disagreements(wins)


def test_kemeny_of_many_systems() -> None:
    scores = np.random.default_rng(0).normal(size=(50, 40))
    found = order("kemeny", scores)
    assert len(found.cycles[0]) > 30
    wins = count_wins(scores)
    in_order = wins[np.ix_(found.order, found.order)]
    for system in range(40):
        # Moved below those that follow it, one by one, it never leaves fewer disagreements.
        more = in_order[system, system + 1 :] - in_order[system + 1 :, system]
        assert np.all(np.cumsum(more) >= 0)
    for method in ("borda", "copeland", "mc4"):
        other = order(method, scores).order
        assert np.tril(in_order).sum() < np.tril(wins[np.ix_(other, other)]).sum()
    no_circle = np.triu(np.ones((60, 60), dtype=np.int64), 1)
    assert kemeny(no_circle).tolist() == list(range(60))[::-1]


def test_kemeny_says_where_it_stops() -> None:
    scores = np.random.default_rng(0).normal(size=(50, 60))
    with pytest.raises(ValueError, match=r"at most 40 systems .* of 60"):
        order("kemeny", scores)


def reachable(beats: np.ndarray) -> np.ndarray:
    reach = beats.copy()
    for middle, first, last in itertools.product(range(len(beats)), repeat=3):
        reach[first, last] |= reach[first, middle] & reach[middle, last]
    return reach


def eigen_solution(chain: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eig(chain.T)
    stationary = np.real(vectors[:, np.argmin(np.abs(values - 1))])
    return stationary / stationary.sum()


def dense_chain(wins: np.ndarray) -> np.ndarray:
    """From P pick any Q of all systems uniformly; move if more topics prefer Q."""
    systems = len(wins)
    chain = np.zeros((systems, systems))
    for p, q in itertools.product(range(systems), repeat=2):
        chain[p, q if wins[q, p] > wins[p, q] else p] += 1 / systems
    return chain


majority_wins = st.builds(
    lambda systems, seed, topics: np.random.default_rng((systems, seed)).integers(
        0, topics, (systems, systems)
    ),
    systems=st.integers(1, 9),
    seed=st.integers(0, 10_000),
    topics=st.sampled_from((2, 3, 50)),
)


@given(majority_wins)
def test_mc4_is_the_dense_eigen_solution_inside_each_component(wins: np.ndarray) -> None:
    np.fill_diagonal(wins, 0)
    beats = wins > wins.T
    reach = reachable(beats)
    value = mc4(wins)
    for system in range(len(wins)):
        together = [
            other
            for other in range(len(wins))
            if other == system or (reach[system, other] and reach[other, system])
        ]
        below = sum(reach[system, other] and not reach[other, system] for other in range(len(wins)))
        share = eigen_solution(dense_chain(wins[np.ix_(together, together)]))
        assert value[system] == pytest.approx(below + share[together.index(system)], abs=1e-9)
        for other in range(len(wins)):
            if reach[system, other] and not reach[other, system]:
                assert value[system] > value[other]


@given(majority_wins, st.sampled_from((0.01, 0.15, 0.9)))
def test_mc4_with_teleport_is_one_dense_eigen_solution(wins: np.ndarray, teleport: float) -> None:
    np.fill_diagonal(wins, 0)
    chain = (1 - teleport) * dense_chain(wins) + teleport / len(wins)
    assert mc4(wins, teleport=teleport) == pytest.approx(eigen_solution(chain), abs=1e-9)


def test_mc4_converges_where_ten_steps_do_not() -> None:
    systems = 30
    scores = -np.tile(np.arange(systems), (3, 1))
    assert order("mc4", scores).order.tolist() == list(range(systems))
    ten_steps = np.ones(systems) @ np.linalg.matrix_power(dense_chain(count_wins(scores)), 10)
    assert mc4(count_wins(scores))[0] == systems
    assert ten_steps[0] / systems < 0.5


def test_a_walk_keeps_its_smallest_shares() -> None:
    # A ladder that is only climbed down from the top: shares fall by orders of magnitude.
    systems = 25
    wins = np.triu(np.ones((systems, systems), dtype=np.int64), 1)
    wins[systems - 1, 0], wins[0, systems - 1] = 1, 0
    value = mc4(wins)
    chain = dense_chain(wins)
    assert value.min() > 0
    assert value.sum() == pytest.approx(1)
    assert value @ chain == pytest.approx(value, rel=1e-9)


@given(majority_wins)
def test_cycles_are_the_systems_that_reach_each_other(wins: np.ndarray) -> None:
    np.fill_diagonal(wins, 0)
    reach = reachable(wins > wins.T)
    expected = {
        tuple(other for other in range(len(wins)) if reach[system, other] and reach[other, system])
        for system in range(len(wins))
    } - {()}
    found = condorcet_cycles(wins)
    assert set(found) == expected
    assert len(found) == len(expected)


def test_condorcets_own_circle_is_reported_by_every_method() -> None:
    circle = [[3, 2, 1, 0], [1, 3, 2, 0], [2, 1, 3, 0]]
    for method in METHODS:
        found = order(method, np.array([*circle, *circle, [0, 1, 2, 3]]))
        assert found.cycles == ((0, 1, 2),), method
        assert found.order[-1] == 3
    assert order("borda", np.array([[3, 2, 1]])).cycles == ()


def test_the_circle_that_beats_more_systems_comes_first() -> None:
    circle = np.array([[0, 2, 1], [1, 0, 2], [2, 1, 0]])
    wins = np.block([[circle, np.zeros((3, 3), dtype=int)], [np.full((3, 3), 3), circle]])
    assert condorcet_cycles(wins) == ((3, 4, 5), (0, 1, 2))


def test_wins_of_per_topic_lists() -> None:
    scores = np.array([[0.5, 0.5, np.nan], [0.2, 0.9, 0.1]])
    assert count_wins(scores).tolist() == [[0, 0, 1], [1, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize("seed", range(5))
def test_bradley_terry_has_the_greatest_likelihood(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wins = rng.integers(0, 9, (5, 5)) + 0.5
    np.fill_diagonal(wins, 0)

    def minus_likelihood(strength: np.ndarray) -> float:
        odds = strength[:, None] - strength
        return float((wins * np.logaddexp(0, -odds)).sum())

    expected = minimize(minus_likelihood, np.zeros(5), method="BFGS", options={"gtol": 1e-9}).x
    assert bradley_terry(wins) == pytest.approx(expected - expected.mean(), abs=1e-5)


def test_bradley_terry_expects_as_many_wins_as_there_were() -> None:
    found = order("bradley-terry", scores := topic_scores(6, 40, 1))
    chance = 1 / (1 + np.exp(found.value - found.value[:, None]))
    expected = len(scores) * (chance.sum(axis=1) - 0.5)
    ties = (scores[:, :, None] == scores[:, None, :]).sum(axis=(0, 2)) - len(scores)
    assert expected == pytest.approx(count_wins(scores).sum(axis=1) + ties / 2, rel=1e-5)


def test_bradley_terry_raises_where_no_finite_solution_exists() -> None:
    always_wins = np.array([[0, 5, 5], [0, 0, 2], [0, 3, 0]])
    with pytest.raises(ValueError, match="2 of 3 systems never win over any of the others"):
        bradley_terry(always_wins)
    apart = np.kron(np.eye(2), [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="no finite solution"):
        bradley_terry(apart)
    # A tie is half a win to each side, which is enough.
    assert order("bradley-terry", np.array([[1, 0], [0, 0]])).order.tolist() == [0, 1]


def test_bradley_terry_without_choix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(ImportError, match=r"pip install 'irpref\[bradley-terry\]'"):
        bradley_terry([[0, 1], [1, 0]])


@pytest.mark.parametrize("method", METHODS)
def test_equal_systems_stay_as_they_were_given(method: str) -> None:
    found = order(method, np.zeros((4, 5), dtype=int))
    assert found.order.tolist() == list(range(5))
    assert found.cycles == ()
    assert "order they were given in" in found.ties
    assert found.method == method


@pytest.mark.parametrize("method", METHODS)
def test_one_system_alone(method: str) -> None:
    assert order(method, np.zeros((3, 1), dtype=int)).order.tolist() == [0]


@pytest.mark.parametrize("method", METHODS)
def test_the_value_falls_along_the_order(method: str) -> None:
    for seed in range(5):
        found = order(method, topic_scores(6, 30, seed))
        assert np.all(np.diff(found.value[found.order]) <= 0)
        assert sorted(found.order) == list(range(6))


def test_means_that_differ_by_float_noise_are_equal() -> None:
    mean = np.array([[0, 0.1, 0.2, -0.3], [-0.1, 0, 0, 0.1 - 1e-17], [0, 0, 0, 0], [0, 0, 0, 0]])
    mean[0, 3] = -(0.1 + 0.2)
    nothing = np.zeros((4, 4), dtype=int)
    found = order_systems("mean", mean=mean, wins=nothing, topics=nothing)
    assert found.order.tolist() == [0, 1, 2, 3]


def test_what_cannot_be_asked_for() -> None:
    scores = topic_scores(3, 5, 0)
    with pytest.raises(ValueError, match="did you mean 'copeland'"):
        order("copland", scores)
    with pytest.raises(ValueError, match="teleport belongs to the order 'mc4'"):
        order("borda", scores, teleport=0.1)
    for teleport in (1, -0.1):
        with pytest.raises(ValueError, match="teleport"):
            order("mc4", scores, teleport=teleport)
