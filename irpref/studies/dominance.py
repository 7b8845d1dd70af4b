"""dominance: is a system better on its worst topics too, or on its best, or on all alike?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Integers, Values
from irpref.base.message import refusal
from irpref.base.tolerance import difference, product
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.ipso import IPSO
from irpref.methods.preferences.lexiprecision import LP
from irpref.methods.preferences.lexirecall import LR
from irpref.methods.preferences.recall_paired import RPP
from irpref.pairwise.topic_values import how_to_fill, topic_win_rates
from irpref.positions.topic_batch import TopicBatch
from irpref.show.reports.study_report import Layout, Picture
from irpref.stats.orders.win_rates import rounded
from irpref.studies.base import Context, Experiment, Findings, rows
from irpref.studies.numbers.topic_bootstrap import ratio

_OUTCOMES = ("mean", "leximin", "leximax", "quantiles won", "dominance")
_DOMINATES = "one system dominates"
_REVERSED = {f"mean reversed by {outcome}": outcome for outcome in _OUTCOMES[1:4]}
_STABLE = {f"stable by {outcome}": outcome for outcome in _OUTCOMES}
_PAIR = tuple(f"by {outcome}" for outcome in _OUTCOMES)
# In which share of the draws a winner is the same, to be called stable.
_OFTEN = 0.95


@dataclass(frozen=True, kw_only=True)
class Dominance(Experiment):
    """Whether the better system is better on its worst topics, on its best, or on all alike.

    Each system's scores are sorted, from its worst topic to its best, and two systems are compared quantile
    by quantile. These are the four preferences again, with topics in place of relevant items:

    - leximin: the worst quantile where the two differ decides, so that those who are served worst count
      first (F. Diaz, "Pessimistic Evaluation", SIGIR-AP 2024, doi:10.1145/3673791.3698428);
    - leximax: the best one does;
    - quantiles won: the system decides that wins more of them;
    - dominance: one system wins some and loses none (first-order stochastic dominance).

    The study counts the pairs in which one system dominates, the orders by mean that the others reverse,
    and the pairs with the same winner in 95 % of the draws of topics (with replacement). Of two systems
    alone, it also says what came out, and in which share of the draws. Measures compare by their scores;
    preferences by the mean of a system over all others on each topic. The topics are those that all
    systems have.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> found = irpref.studies.dominance(data, "AP").frame.set_index("condition")["estimate"]
        >>> float(found["one system dominates"])
        0.4
        >>> two = irpref.studies.dominance(data.select(systems=["bm25", "boolean"]), "AP").frame
        >>> leximin = two.query("condition == 'by leximin'").set_index("treatment")["estimate"]
        >>> float(leximin["all topics"]), bool(leximin["bm25"] > 0.8)
        (1.0, True)
    """

    question = "Is a system better on its worst topics too, on its best, or on all?"
    default_methods = ("AP", "nDCG", "nDCG@10", "RR", "P@10", "R@1000", "RPP")
    layouts = (
        Layout(
            "Two systems (positive: the first is better) over all topics, and in shares of draws",
            _PAIR,
            columns="treatment",
            rows={"method": "method", "condition": "compared"},
        ),
        Layout(
            "Share of pairs that one system dominates, or whose order by mean another way reverses",
            {_DOMINATES: "dominance", **_REVERSED},
            of="pairs",
            format=".1%",
        ),
        Layout(
            "Share of pairs with the same winner in 95 % of the draws of topics",
            _STABLE,
            format=".1%",
        ),
    )
    picture = Picture(
        "dots",
        x="share of pairs of systems",
        where={"condition": (_DOMINATES, *_REVERSED)},
        series=("method", "condition"),
    )
    notes = (
        "leximin: the worst quantile of topics where two systems differ decides; leximax: the best one; "
        "quantiles won: who wins more of them; dominance: one wins some and loses none. Shares have no "
        "intervals: a draw repeats topics, so that two systems cross in it more often.",
    )

    def findings(self, context: Context) -> Findings:
        systems = context.placements.systems
        for method in context.watched(context.methods, "sorting topics"):
            scores = _scores(context, method)
            places = score_places(scores)
            bootstrap = replace(context.bootstrap, topics=len(scores))
            whole = _outcomes(scores, places, np.ones((1, len(scores))))[0]
            won_tied_lost = np.zeros((3, *whole.shape))
            cells = len(systems) * max(len(scores), len(_OUTCOMES) * len(systems))
            for drawn in bootstrap.draws(cells):
                found = _outcomes(scores, places, drawn)
                won_tied_lost += [(np.sign(found) == sign).sum(axis=0) for sign in (1, 0, -1)]
            shares = won_tied_lost / self.n_resamples
            yield from _of_pairs(method, np.sign(whole), shares)
            if len(systems) == 2:
                first, second = systems
                yield from rows(
                    np.column_stack([whole[:, 0], shares[..., 0].T]),
                    method=method,
                    condition=np.array(_PAIR)[:, None],
                    treatment=("all topics", first, "neither", second),
                    n=len(scores),
                )


def _scores(context: Context, method: Criterion) -> Floats:
    """(T, S) scores on the topics that all systems have; the win rates of a preference.

    Raises:
        ValueError: There is no such topic.
    """
    placements = context.placements
    counted = method.counted(placements).all(axis=1)
    shared = counted & method.has_relevant(TopicBatch(placements))
    if not shared.any():
        raise refusal(
            f"dominance: no topic that counts for {method} is of every system: ",
            how_to_fill(placements, method),
        )
    scores = method.scores(placements)
    if scores is None:
        scores = topic_win_rates(placements, method, progress=context.progress)
    return scores[shared]


def _outcomes(scores: Floats, places: Integers, drawn: Floats) -> Floats:
    """(B, outcomes, P) value of each outcome for each pair, from (B, T) draws of the topics."""
    first, second = np.triu_indices(scores.shape[1], 1)
    means = product(drawn, scores) / len(scores)
    of_means = rounded(means[:, first] - means[:, second])
    of_quantiles = quantile_outcomes(places, drawn)[..., first, second]
    return np.concatenate([of_means[:, None], of_quantiles], axis=1)


def _of_pairs(method: Criterion, signs: Values, shares: Floats) -> Findings:
    """What comes out of all pairs.

    Args:
        method: The method.
        signs: (outcomes, P) which system is better by each outcome.
        shares: (3, outcomes, P) share of the draws where the first is better, neither is, the second is.
    """
    mean, pairs = signs[0], signs.shape[1]
    stable = np.maximum(shares[0], shares[2]) >= _OFTEN
    ordered = int(np.count_nonzero(mean))
    of = np.array([pairs, *[ordered] * len(_REVERSED), *[pairs] * len(stable)])
    found = np.count_nonzero([signs[4] != 0, *(signs[1:4] * mean < 0), *stable], axis=1)
    conditions = (_DOMINATES, *_REVERSED, *_STABLE)
    return rows(ratio(np.stack([found, of], axis=-1)), method=method, condition=conditions, n=of)


def score_places(scores: npt.ArrayLike) -> Integers:
    """The place of every score among all of them: 1 for the best; equal scores share one.

    Args:
        scores: (T, S) score of every system on every topic, higher is better.

    Returns:
        (T, S) whole numbers. Scores that differ by float noise only are equal.

    Example:
        >>> score_places([[0.1 + 0.2, 0.5], [0.3, 0.0]]).tolist()
        [[2, 1], [2, 3]]
    """
    given = np.asarray(scores, dtype=np.float64)
    best_first, index = np.unique(-given, return_inverse=True)
    steps = np.cumsum(difference(best_first[1:], best_first[:-1]) != 0)
    places = np.concatenate(([1], 1 + steps))
    # A small type makes comparisons several times as fast.
    smallest = np.min_scalar_type(-int(places[-1]) - 1)
    return np.asarray(places[index].reshape(given.shape).astype(smallest))


def quantile_outcomes(places: Integers, drawn: Values) -> Values:
    """Compare every two of S systems quantile by quantile; above 0 if the first one is better.

    The scores of each are sorted, from its worst topic to its best. Sorted places are to the topics what
    sorted positions are to the relevant items: the best topic is the first recall level, and the worst
    topic the last. So the outcomes are the folds of LR, LP, RPP and IPSO.

    Args:
        places: (T, S) from :func:`score_places`.
        drawn: (B, T) how often each topic is drawn, with T draws in each row.

    Returns:
        (B, 4, S, S) of each draw. Leximin: the sign at the worst quantile where they differ. Leximax: at
        the best one. Quantiles won: the share that the first system wins, less that of the second. And
        dominance: 1 if the first system wins some and loses none, which is first-order stochastic
        dominance; -1 the other way round; else 0.

    Example:
        The second system is better on its worst topic, the first on its best.

        >>> found = quantile_outcomes(score_places([[0.1, 0.4], [0.9, 0.8], [0.5, 0.5]]), np.ones((1, 3)))
        >>> found[0, :, 0, 1].astype(int).tolist()
        [-1, 1, 0, 0]
    """
    topics, _ = places.shape
    every = np.tile(np.arange(topics), len(drawn))
    chosen = np.repeat(every, drawn.astype(np.int64).ravel()).reshape(len(drawn), topics)
    quantiles = np.sort(places[chosen], axis=1)
    folds = [each.fold(quantiles, quantiles) for each in (LR, LP, RPP)]
    folds.append(IPSO.signed_values(IPSO.fold(quantiles, quantiles)))
    return np.stack(folds, axis=1)
