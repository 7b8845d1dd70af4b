"""Agreement with the worst-off searcher, and that searcher's exposure, against all searchers one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from irpref.studies import worst_case
from irpref.studies.findings import Study
from irpref.studies.worst_case import WorstCase
from tests.literal import sign
from tests.studies.turned import verdicts

Ranks = tuple[int, ...]

# Section 2.3.1: what each metric gives for the i-th of m relevant items at a position.
EXPOSURES: dict[str, Callable[[int], float]] = {
    "AP": lambda position: 1 / position,
    "nDCG": lambda position: 1 / math.log2(position + 1),
    "RBP": lambda position: 0.2 * 0.8 ** (position - 1),
}
NORMALISED: dict[str, Callable[[int, int], float]] = {
    "AP": lambda level, m: level / m,
    "nDCG": lambda level, m: 1 / sum(1 / math.log2(k + 1) for k in range(1, m + 1)),
    "RBP": lambda level, m: 1.0,
}


def score(metric: str, ranks: Ranks) -> float:
    exposure, normalised = EXPOSURES[metric], NORMALISED[metric]
    m = len(ranks)
    return sum(
        exposure(position) * normalised(level, m)
        for level, position in enumerate(sorted(ranks), start=1)
    )


def searchers(items: Ranks) -> Iterator[Ranks]:
    """Everything that somebody may want: all sets of the relevant items but the empty one."""
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)


@pytest.fixture(scope="module")
def small() -> Study:
    return worst_case(
        items=6, fewest=3, most=3, samples=20_000, measures=["AP", "R@2", "RP", "TSE"]
    )


@pytest.mark.parametrize("metric", EXPOSURES)
def test_the_worst_off_searcher_wants_the_last_relevant_item(metric: str) -> None:
    """Theorem A.1, on which the study stands."""
    for m in range(1, 5):
        for ranks in combinations(range(1, 8), m):
            worst = min(score(metric, wanted) for wanted in searchers(ranks))
            assert worst == pytest.approx(EXPOSURES[metric](ranks[-1]), rel=1e-12)


# Of the rankings of six items, three of them relevant, by what a metric sees.
SEEN: dict[str, Callable[[Ranks], Fraction]] = {
    "AP": lambda ranks: sum((Fraction(i, p) for i, p in enumerate(ranks, start=1)), Fraction(0)),
    "R@2": lambda ranks: Fraction(sum(p <= 2 for p in ranks)),
    "RP": lambda ranks: Fraction(sum(p <= 3 for p in ranks)),
    "TSE": lambda ranks: Fraction(1, ranks[-1]),
}


@pytest.mark.parametrize("method", SEEN)
def test_agreement_is_that_over_all_pairs_of_rankings_but_for_chance(
    small: Study, method: str
) -> None:
    counts = {1: 0, 0: 0, -1: 0}
    for one, other in product(combinations(range(1, 7), 3), repeat=2):
        worst = sign(other[-1] - one[-1])
        if worst:
            counts[worst * sign(SEEN[method](one) - SEEN[method](other))] += 1
    agree, tie, disagree = counts[1], counts[0], counts[-1]
    pairs = agree + tie + disagree
    wanted = {
        "strict": (agree / pairs, pairs),
        "half": ((agree + tie / 2) / pairs, pairs),
        "decided": (agree / (agree + disagree), agree + disagree),
    }
    rows = small.frame[small.frame["method"] == method].to_dict("records")
    found = {row["condition"].rpartition(", ")[2]: row for row in rows}
    for way, (share, of) in wanted.items():
        row = found[way]
        assert row["n"] == pytest.approx(20_000 * of / 400, rel=0.05)
        assert row["estimate"] == pytest.approx(share, abs=5 * 0.5 / row["n"] ** 0.5)
        assert share < 1 or row["estimate"] == 1


def test_ties_of_the_worst_off_searcher(small: Study) -> None:
    last = [ranks[-1] for ranks in combinations(range(1, 7), 3)]
    share = sum(one == other for one, other in product(last, repeat=2)) / len(last) ** 2
    [row] = small.frame[small.frame["method"] == "worst-off searcher"].to_dict("records")
    assert row["estimate"] == pytest.approx(share, abs=5 * 0.5 / 20_000**0.5)
    assert row["n"] == 20_000


@pytest.mark.parametrize("metric", EXPOSURES)
def test_exposure_by_the_best_rankings_is_the_least_of_all_searchers(metric: str) -> None:
    sizes = [1, 2, 3, 5]
    study = worst_case(items=6, fewest=1, most=2, samples=10, relevant=sizes)
    for m in sizes:
        # Item i is at position order[i].
        orders = list(permutations(range(1, m + 1)))
        means = [
            sum(score(metric, tuple(order[item] for item in wanted)) for order in orders)
            / len(orders)
            for wanted in searchers(tuple(range(m)))
        ]
        alone = min(score(metric, wanted) for wanted in searchers(tuple(range(1, m + 1))))
        rows = study.frame[(study.frame["method"] == metric) & (study.frame["treatment"] == str(m))]
        found = dict(zip(rows["condition"], rows["estimate"], strict=True))
        served = {"deterministic": alone, "stochastic": min(means)}
        wanted = {
            f"worst-off exposure, {ranking}": exposure for ranking, exposure in served.items()
        }
        assert found == pytest.approx(wanted)


def test_what_is_drawn_for_one_n_depends_on_the_seed_alone() -> None:
    options: dict[str, Any] = {"samples": 50, "most": 9, "relevant": 2}
    both, one = worst_case(items=[30, 40], **options), worst_case(items=40, **options)
    other_seed = worst_case(items=40, rng=1, **options)

    def drawn(study: Study) -> list[float]:
        rows = study.frame.query("treatment == '40' and condition.str.endswith('half')")
        return rows["estimate"].tolist()

    assert drawn(both) == drawn(one)
    assert drawn(one) != drawn(other_seed)
    assert both.frame.equals(worst_case(items=[30, 40], **options).frame)


AGREE, TIES, WORSE = (
    "The 24 shares of agreement with the worst-off searcher",
    "The 4 shares of rankings that tie for the worst-off searcher",
    "R@1000 and RP agree with the worst-off searcher worse than random",
)


def test_what_the_paper_claims() -> None:
    study = worst_case()
    found = verdicts(study)
    assert len(found) == 6
    assert {claim: each for claim, each in found.items() if each != "holds"} == {
        "TSE has perfect sign agreement with the worst-off searcher": "by definition",
        "The optimal stochastic ranker serves the worst-off searcher better than the optimal "
        "deterministic one": "by definition",
    }
    [note] = study.claims.loc[study.claims["claim"] == WORSE, "note"]
    assert note.startswith("depends on how ties count: ")
    # At n = 1,000 every ranking has the same recall at 1,000.
    printed = study.frame.query("method == 'R@1000' and treatment == '1000' and estimate == 0")
    assert set(printed["against"]) == {"worst-off searcher", "printed"}


def test_table_1_is_of_its_own_numbers_of_relevant_items() -> None:
    assert not {AGREE, TIES} & set(verdicts(worst_case(items=1000, most=9, samples=20)))


def test_claims_are_undecided_of_few_pairs_and_need_their_measures() -> None:
    found = verdicts(worst_case(items=1000, samples=200, measures=["TSE", "AP", "nDCG"]))
    assert WORSE not in found
    mixed = "AP and nDCG agree with the worst-off searcher slightly better than random"
    assert found[mixed] == "undecided"


def test_draws_vary_as_samples_do() -> None:
    """The interval of a share that is simulated is that of a share."""
    experiment = WorstCase(items=(1000,), samples=400, relevant=(2,))
    [coin] = [
        each
        for each in experiment.findings(np.random.default_rng(1), None)
        if each.method == "coin" and each.condition.endswith("half") and each.against != "printed"
    ]
    assert coin.drawn is not None
    assert coin.drawn[0] == coin.estimate
    error = (coin.estimate * (1 - coin.estimate) / coin.n) ** 0.5
    assert np.std(coin.drawn[1:]) == pytest.approx(error, rel=0.1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"items": 20}, "of 20 items 5 to 50 cannot be relevant"),
        ({"fewest": 60}, "of 1000 items 60 to 50 cannot be relevant"),
        ({"samples": 0}, "samples must be a whole number of at least 1, not 0"),
        ({"measures": "LP"}, "LP is not a measure but a preference"),
    ],
    ids=["too few items", "none in between", "no samples", "a preference"],
)
def test_mistakes(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        worst_case(**options)
