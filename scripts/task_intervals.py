"""How often 95 % intervals over tasks hold: of the bootstrap, by what it draws, and of t-tests.

Two systems differ by nothing on average. Their mean difference is another one in each task (standard
deviation "between"), and another one on each topic of a task (0.6). An interval holds if it has the truth
in it: 0, for other tasks like these; for other topics of these tasks, the mean of their own means.

The second table has tasks of unlike sizes, whose topics alone are drawn: how often the intervals hold, and
how often p < 0.05, of normal values and of skewed ones (exponential, less their mean).

    python scripts/task_intervals.py    # prints the tables of docs/mteb.md, in ten minutes
"""

from __future__ import annotations

import numpy as np
from printed import print_head, print_row
from scipy import stats

from irpref.base.literals import Resample
from irpref.stats.method import Draws
from irpref.stats.rank_intervals import resampled_means
from irpref.stats.tests import known_test

TRIALS, RESAMPLES, TOPICS, WITHIN = 1000, 400, 50, 0.6
DRAWS: tuple[Resample, ...] = ("tasks and topics", "tasks")
COLUMNS = (*DRAWS, "t-test of task means", "topics", "t-test, tasks as strata")


def shares(tasks: int, between: float) -> dict[str, float]:
    """The share of intervals that hold, by what makes them."""
    rng = np.random.default_rng(tasks)
    held = dict.fromkeys(COLUMNS, 0)
    for trial in range(TRIALS):
        truth = rng.normal(0, between, tasks)
        values = [rng.normal(mean, WITHIN, (TOPICS, 1)) for mean in truth]
        means = np.array([task.mean() for task in values])
        for resample in (*DRAWS, "topics"):
            draws = Draws(rng=trial, n_resamples=RESAMPLES)
            drawn = np.concatenate([*resampled_means(values, resample=resample, draws=draws)])
            low, high = np.quantile(drawn, [0.025, 0.975])
            truly = truth.mean() if resample == "topics" else 0
            held[resample] += bool(low <= truly <= high)
        low, high = stats.ttest_1samp(means, 0).confidence_interval()
        held["t-test of task means"] += bool(low <= 0 <= high)
        strata = known_test("t").of_strata(values)
        held["t-test, tasks as strata"] += bool(strata.low[0] <= truth.mean() <= strata.high[0])
    return {name: count / TRIALS for name, count in held.items()}


def unlike_tasks(sizes: list[int], name: str, *, skewed: bool) -> tuple[float, float]:
    """The share of intervals that hold, and of p below 0.05, with the tasks as strata."""
    rng = np.random.default_rng(len(sizes))
    held = found = 0
    for trial in range(2 * TRIALS):
        draw = (lambda shape: rng.exponential(1, shape) - 1) if skewed else rng.standard_normal
        values = [draw((topics, 1)) for topics in sizes]
        test = known_test(name).of_strata(values, draws=Draws(rng=trial, n_resamples=RESAMPLES - 1))
        held += test.low[0] <= 0 <= test.high[0]
        p = test.p if test.adjusted is None else test.adjusted
        found += p[0] < 0.05
    return held / (2 * TRIALS), found / (2 * TRIALS)


def main() -> None:
    """Print the tables."""
    print_head("tasks", "between", *COLUMNS)
    for between in (0.05, 0.2):
        for tasks in (3, 5, 10, 20, 40):
            found = shares(tasks, between)
            print_row(tasks, between, *(f"{found[name]:.0%}" for name in COLUMNS))
    print()
    print_head("topics; values", "t", "p", "flip", "p")
    for sizes in ([50, 50, 50], [4, 200], [4, 4, 200], [4, 200, 200], [4] * 5 + [200] * 5):
        for skewed in (False, True):
            both = [unlike_tasks(sizes, name, skewed=skewed) for name in ("t", "flip")]
            kind = "skewed" if skewed else "normal"
            cells = (cell for held, found in both for cell in (f"{held:.1%}", f"{found:.3f}"))
            print_row(f"{', '.join(map(str, sizes))}; {kind}", *cells)


if __name__ == "__main__":
    main()
