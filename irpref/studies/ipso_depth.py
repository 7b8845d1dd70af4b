"""ipso_depth: which relations has IPSO in real runs, depth by depth? (Moffat & Mackenzie 2024, Table 3)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import MEMORY, Floats, Integers, batches, pair_counts
from irpref.base.tolerance import TOLERANCE, snapped
from irpref.methods.preferences.ipso import IPSO, NON_INFERIOR, NON_SUPERIOR
from irpref.pairwise.challenges import GROUPS
from irpref.pairwise.totals import totals_of_pairs
from irpref.positions.topic_batch import TopicBatch
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings, rows, shares
from irpref.studies.ipso_space import shares_of
from irpref.studies.numbers.drawn_tests import sign_p
from irpref.studies.numbers.topic_bootstrap import Estimate

# Table 3 puts some of the five groups together: their indices.
_DECIDED = [GROUPS.index(each.label) for each in (NON_INFERIOR, NON_SUPERIOR)]
_KINDS = {"equal": [2], "separable": _DECIDED, "non-separable": [0, 4]}
_SIDES = {f"{group}, seen from the better system": group for group in GROUPS}
_LEAD, _BOTH_LED = "depth of the first lead", "depth where the pair becomes non-separable"
_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
_SIGNIFICANT, _MEDIAN_P = "pairs that differ significantly", "median p of the pairs"


@dataclass(frozen=True, kw_only=True)
class IpsoDepth(Experiment):
    """How IPSO's relations change with depth in real runs, and what its sign test makes of them.

    At every depth k (Moffat & Mackenzie 2024, Table 3, Figure 6, and "Implications and Limitations"):

    - the shares of pair-topics that are equal, separable (``ni`` or ``ns``) and non-separable (``**``);
      beside them, those of all pairs of SERPs there are;
    - the five groups, seen from the system of each pair that a method prefers over all topics (pairs
      that it leaves tied are left out);
    - the share of pairs of systems with p < alpha by the sign test of ``ni`` against ``ns``, without
      correction, and the median p. These have no intervals: topics that are drawn twice would count
      as evidence twice.

    Besides, the depth by which some share of the pair-topics has a lead, and is non-separable.

    Attributes:
        depths: k, one depth or several.
        alpha: Significance level.

    Raises:
        ValueError: A depth is not a whole number above 0, or alpha is outside (0, 1).

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.ipso_depth(irpref.collect(*demo_paths()), depths=(5, 10))
        >>> shares = study.frame.query("treatment == '10' and method == 'IPSO'")
        >>> shares.set_index("condition")["estimate"].round(3).head(3).to_dict()
        {'equal': 0.056, 'separable': 0.517, 'non-separable': 0.428}
    """

    question = "Which relations has IPSO in real runs, depth by depth?"
    default_methods = ("AP",)
    layouts = (
        Layout(
            "Share of pair-topics by depth k",
            tuple(_KINDS),
            format=".1%",
            interval=True,
            rows={"method": "of", "treatment": "k"},
        ),
        Layout(
            "Share of pair-topics in the five groups, seen from the better system",
            _SIDES,
            format=".1%",
            rows={"method": "better by", "treatment": "k"},
        ),
        Layout(
            "Depth by which a share of the pair-topics has a lead, and is non-separable",
            [_LEAD, _BOTH_LED],
            columns="treatment",
            format=".0f",
            rows={"condition": "by share"},
        ),
        Layout(
            "Pairs of systems by the sign test of ni against ns",
            {_SIGNIFICANT: "significant", _MEDIAN_P: "median p"},
            of="pairs",
            rows={"treatment": "k"},
        ),
    )
    picture = Picture(
        "lines",
        x="depth k",
        y="share of pair-topics",
        where={"condition": tuple(_KINDS), "method": ["IPSO"]},
        series=("condition",),
    )

    notes = (
        "The better system is the one that a method prefers over all topics. ni: it is never behind; ns: "
        "it is never ahead; **: each is ahead somewhere, first the better one (ni-first) or the other.",
    )

    depths: tuple[int, ...] = options.counts(
        (5, 10, 15, 20, 50, 100), "depths of IPSO", rising=True
    )
    alpha: float = options.alpha()

    def findings(self, context: Context) -> Findings:
        topics_by_group, better, leads = _groups_by_depth(context, self.depths)
        depths = np.array(self.depths)[:, None]
        of = topics_by_group.sum(axis=3, keepdims=True)
        kinds = np.stack(
            [topics_by_group[:, 0, :, each].sum(axis=0) for each in _KINDS.values()], axis=-1
        )
        yield from shares(
            context, kinds, of[:, 0], method="IPSO", condition=tuple(_KINDS), treatment=depths
        )
        random = np.array([shares_of(depth) for depth in self.depths], dtype=np.float64)
        yield from rows(random, method="random SERPs", condition=tuple(_KINDS), treatment=depths)
        names = np.array(context.methods, dtype=object)[:, None, None]
        yield from shares(
            context,
            topics_by_group[:, 1:],
            of[:, 1:],
            method=names,
            condition=[*_SIDES],
            treatment=depths,
        )
        yield from rows(
            _down_to(context.bootstrap.of_sums(_quantiles, leads), self.depths[-1]),
            method="IPSO",
            condition=[[_LEAD], [_BOTH_LED]],
            treatment=[f"{part:.0%}" for part in _QUANTILES],
            n=leads.sum(axis=(0, 2))[:, None],
        )
        tested = partial(_tested, alpha=self.alpha)
        for depth, signs in zip(self.depths, better, strict=True):
            found = context.bootstrap.of_sums(tested, np.stack([signs > 0, signs < 0], axis=1))
            yield from rows(
                Estimate.without_interval(found.drawn),
                method="IPSO",
                condition=(_SIGNIFICANT, _MEDIAN_P),
                treatment=depth,
                n=signs.shape[1],
            )


def _tested(decided: Floats, *, alpha: float) -> Floats:
    """(B, 2) the share of P pairs with p < alpha, and the median p, from (B, 2, P) topics for each side."""
    p = sign_p(*decided.astype(np.int64).swapaxes(0, 1))
    return np.column_stack([(p < alpha).mean(axis=1), np.median(p, axis=1)])


def _quantiles(reached: Floats) -> Floats:
    """(…, Q) the least depth by which each share has been reached, from (…, K + 1) numbers by depth."""
    cumulated = np.cumsum(reached, axis=-1)[..., None, :]
    # The numbers are whole, or the share of them is what float noise must not miss.
    enough = cumulated >= np.array(_QUANTILES)[:, None] * cumulated[..., -1:] * (1 - TOLERANCE)
    return np.asarray(enough.argmax(axis=-1) + 1.0)


def _down_to(estimate: Estimate, deepest: int) -> Estimate:
    """The estimates, NaN where they lie below the deepest depth; without intervals that do."""
    within = estimate.high <= deepest
    value = np.where(within | (estimate.value <= deepest), estimate.value, np.nan)
    low, high = np.where(within, estimate[1:3], np.nan)
    return Estimate(value, low, high, estimate.drawn)


def _groups_by_depth(
    context: Context, depths: Sequence[int]
) -> tuple[Floats, npt.NDArray[np.int8], Floats]:
    """Count the five groups of IPSO at D depths, ascending; the last one is K.

    Returns:
        For T topics, P pairs and M methods:

        - (T, 1 + M, D, 5) pairs in each of :data:`.GROUPS` at each depth: seen from the first system, and
          from the one that each method prefers.
        - (D, T, P) +1 where the first system is non-inferior, -1 where it is non-superior, else 0.
        - (T, 2, K + 1) pairs whose first lead, and whose second one, is at depth 1 … K, or not.
    """
    placements, methods = context.placements, context.methods
    topics, systems = len(placements.topics), len(placements.systems)
    first, second = np.triu_indices(systems, 1)
    totals = totals_of_pairs(placements, methods, progress=context.progress)
    # From the first system of each pair, and from the one that each method prefers over all topics.
    signs = [np.sign(snapped(totals[each].mean[first, second])) for each in methods]
    seen, deepest = np.array([np.ones(len(first)), *signs]), depths[-1]
    ahead_by, behind_by = (seen > 0).astype(np.float64), (seen < 0).astype(np.float64)
    topics_by_group = np.zeros((topics, len(seen), len(depths), len(GROUPS)))
    better = np.zeros((len(depths), topics, len(first)), dtype=np.int8)
    leads_at = np.zeros((topics, 2, deepest + 1))
    # Two depths for every two systems, and as much again to find them.
    for part in batches(topics, 4 * systems**2, MEMORY):
        chosen = np.arange(topics)[part]
        batch = TopicBatch(placements, topics=chosen)
        ahead, behind = (
            np.minimum(leads[:, first, second], deepest + 1).astype(np.int64)
            for leads in (IPSO @ deepest).first_leads(batch)
        )
        counted = IPSO.compared(batch)[:, first, second]
        for place, depth in enumerate(depths):
            # (T, P, 5) From the other side, the groups are the other way round.
            group = _groups(ahead, behind, depth)[..., None] == np.arange(len(GROUPS))
            group &= counted[..., None]
            topics_by_group[chosen, :, place] = ahead_by @ group + behind_by @ group[..., ::-1]
            for sign, decided in zip((1, -1), _DECIDED, strict=True):
                better[place, chosen] += np.int8(sign) * group[..., decided]
        topic, pair = np.nonzero(counted)
        for each, reached in enumerate((np.minimum(ahead, behind), np.maximum(ahead, behind))):
            shape = len(chosen), deepest + 1
            leads_at[chosen, each] = pair_counts(topic, reached[topic, pair] - 1, shape)
        context.tell("looking for leads", int(chosen[-1]) + 1, topics)
    return topics_by_group, better, leads_at


def _groups(ahead: Integers, behind: Integers, depth: int) -> Integers:
    """(T, P) index in :data:`.GROUPS` of each pair-topic, seen from the first system."""
    led, trailed = ahead <= depth, behind <= depth
    one_leads = 2 + led - trailed.astype(np.int64)
    return np.where(led & trailed, np.where(ahead < behind, len(GROUPS) - 1, 0), one_leads)
