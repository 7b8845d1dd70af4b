"""Draws of tasks and topics: their distribution is that of all draws there are."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest

from irpref.base.literals import Resample
from irpref.stats.method import Draws
from irpref.stats.rank_intervals import rank_intervals, resampled_means, task_rank_intervals

# Two tasks, of two topics and three; three systems, two of which often tie.
TASKS = [
    [[0.5, 0.25, 0.0], [0.0, 0.25, 0.5]],
    [[1.0, 0.0, 0.5], [0.0, 0.5, 0.5], [0.25, 0.25, 0.75]],
]
DRAWS = 40_000


def every_draw(tasks: list[list[list[float]]], resample: Resample) -> Counter[tuple[float, ...]]:
    """How likely every mean of task means is: all draws of tasks, and for each all draws of topics."""
    found: Counter[tuple[float, ...]] = Counter()
    number = range(len(tasks))
    chosen = [tuple(number)]
    if resample != "topics":
        chosen = list(product(number, repeat=len(tasks)))
    for drawn in chosen:
        topics: list[Any] = [[range(len(tasks[task]))] for task in drawn]
        if resample != "tasks":
            topics = [
                list(product(range(len(tasks[task])), repeat=len(tasks[task]))) for task in drawn
            ]
        each = list(product(*topics))
        for draw in each:
            means = [
                np.mean([tasks[task][topic] for topic in some], axis=0)
                for task, some in zip(drawn, draw, strict=True)
            ]
            mean = tuple(np.round(np.mean(means, axis=0), 9).tolist())
            found[mean] += 1 / len(chosen) / len(each)
    return found


def likely_ranks(draws: Counter[tuple[float, ...]], systems: int) -> np.ndarray[Any, Any]:
    """(S, S) how likely each system has each rank; equal means share the best rank."""
    shares = np.zeros((systems, systems))
    for means, share in draws.items():
        for system, mean in enumerate(means):
            shares[system, sum(other > mean for other in means)] += share
    return shares


@pytest.mark.parametrize("resample", get_args(Resample))
def test_draws_are_distributed_as_all_draws_there_are(resample: Resample) -> None:
    wanted = every_draw(TASKS, resample)
    assert sum(wanted.values()) == pytest.approx(1)
    tasks, draws = list(map(np.array, TASKS)), Draws(rng=7, n_resamples=DRAWS)
    drawn = np.concatenate(list(resampled_means(tasks, resample=resample, draws=draws)))
    assert drawn.shape == (DRAWS, 3)
    found = Counter(map(tuple, np.round(drawn, 9).tolist()))
    assert set(found) <= set(wanted)
    for means, share in wanted.items():
        # Five standard errors.
        assert abs(found[means] / DRAWS - share) < 5 * np.sqrt(share * (1 - share) / DRAWS)


@pytest.mark.parametrize("resample", get_args(Resample))
@pytest.mark.parametrize("alpha", [0.04, 0.3])
def test_intervals_are_the_percentiles_of_the_ranks(resample: Resample, alpha: float) -> None:
    shares = np.cumsum(likely_ranks(every_draw(TASKS, resample), 3), axis=1)
    for ends in (alpha / 2, 1 - alpha / 2):
        # No share lies within five standard errors, that chance would decide.
        assert np.abs(shares[:, :-1] - ends).min() > 5 * np.sqrt(ends * (1 - ends) / DRAWS)
    found = task_rank_intervals(
        TASKS, resample=resample, draws=Draws(rng=3, n_resamples=DRAWS, alpha=alpha)
    )
    assert found.low.tolist() == ((shares >= alpha / 2).argmax(axis=1) + 1).tolist()
    assert found.high.tolist() == ((shares >= 1 - alpha / 2).argmax(axis=1) + 1).tolist()


def test_the_rank_is_by_the_mean_of_task_means() -> None:
    many, few = [[1.0, 0.0]] * 9, [[0.0, 1.5]]
    assert task_rank_intervals([many, few], resample="tasks").rank.tolist() == [2, 1]
    assert rank_intervals([*many, *few]).rank.tolist() == [1, 2]


def test_topics_of_one_task_have_the_intervals_of_a_comparison() -> None:
    scores = np.random.default_rng(3).normal([0.3, 0, 0.1, 0.1], 1, (30, 4))
    one = task_rank_intervals([scores], resample="topics", draws=Draws(rng=1, n_resamples=DRAWS))
    plain = rank_intervals(scores, draws=Draws(rng=1, n_resamples=DRAWS))
    for name in ("rank", "low", "high"):
        assert getattr(one, name).tolist() == getattr(plain, name).tolist()


@pytest.mark.parametrize(
    ("tasks", "resample"),
    [
        ([[[1.0, 0.0], [0.9, 0.1]]], "tasks"),
        ([[[1.0, 0.0], [0.9, 0.1]]], "tasks and topics"),
        ([[[1.0, 0.0], [0.9, 0.1]], [[1.0, 0.0]]], "topics"),
    ],
)
def test_where_nothing_is_known_the_interval_is_all_ranks(tasks: Any, resample: Resample) -> None:
    found = task_rank_intervals(tasks, resample=resample, draws=Draws(rng=1, n_resamples=50))
    assert (found.rank.tolist(), found.low.tolist(), found.high.tolist()) == (
        [1, 2],
        [1, 1],
        [2, 2],
    )


def test_batches_are_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irpref.stats.rank_intervals.MEMORY", 30)
    tasks, draws = list(map(np.array, TASKS)), Draws(rng=1, n_resamples=25)
    batches = list(resampled_means(tasks, resample="tasks and topics", draws=draws))
    assert [len(batch) for batch in batches] == [10, 10, 5]
    wanted = every_draw(TASKS, "tasks and topics")
    assert set(map(tuple, np.round(np.concatenate(batches), 9).tolist())) <= set(wanted)


@pytest.mark.parametrize("scores", [[], [[[1.0]], [[1.0, 2.0]]], [[[np.nan]]], [[]], [[1.0]]])
def test_other_shapes_are_refused(scores: Any) -> None:
    with pytest.raises(ValueError, match="scores must be"):
        task_rank_intervals(scores)


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown"):
        task_rank_intervals(TASKS, resample="task")  # type: ignore[arg-type]
    for wrong in ({"n_resamples": 0}, {"alpha": 1.0}):
        with pytest.raises(ValueError, match="must"):
            Draws(**wrong)  # type: ignore[arg-type]
