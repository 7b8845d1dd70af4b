"""ipso_depth: which relations has IPSO in real runs, depth by depth? (Moffat & Mackenzie 2024, Table 3)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import comb

import numpy as np
import pandas as pd

from irpref.base.arrays import MEMORY, Floats, Integers, batches, pair_counts
from irpref.base.tolerance import TOLERANCE, snapped
from irpref.methods.preferences.ipso import IPSO, NON_INFERIOR, NON_SUPERIOR
from irpref.pairwise.challenges import GROUPS
from irpref.pairwise.totals import totals_of_pairs
from irpref.positions.topic_batch import TopicBatch
from irpref.show.reports.study_report import Picture
from irpref.stats.tests.sign import sign_test
from irpref.studies import options
from irpref.studies.base import Context, Experiment, rows, shares, table
from irpref.studies.claims import found_by, too_few_pairs, verdict_on
from irpref.studies.findings import Claim, Finding
from irpref.studies.ipso_space import shares_of
from irpref.studies.numbers.topic_bootstrap import Estimate

_PAPER = "Moffat & Mackenzie 2024"
_implications = partial(verdict_on, _PAPER, "Implications and Limitations")
_EQUAL, _SEPARABLE, _NON_SEPARABLE = "equal", "separable", "non-separable"
# Table 3 puts some of the five groups together: their indices.
_DECIDED = [GROUPS.index(each.label) for each in (NON_INFERIOR, NON_SUPERIOR)]
_KINDS = {_EQUAL: [2], _SEPARABLE: _DECIDED, _NON_SEPARABLE: [0, 4]}
_SIDES = {f"{group}, seen from the better system": group for group in GROUPS}
_LEAD, _BOTH_LED = "depth of the first lead", "depth where the pair becomes non-separable"
_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
_SIGNIFICANT, _MEDIAN_P = "pairs that differ significantly", "median p of the pairs"


@dataclass(frozen=True, kw_only=True)
class IpsoDepth(Experiment):
    """How IPSO's relations change with depth in real runs, and what its sign test makes of them.

    At every depth k (Moffat & Mackenzie 2024, Table 3, Figure 6, and "Implications and Limitations"):

    - the shares of pair-topics that are equal, separable (``ni`` or ``ns``) and non-separable (``**``);
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
        table(
            "Share of pair-topics by depth k",
            tuple(_KINDS),
            format=".1%",
            interval=True,
            treatment="k",
        ),
        table(
            "Share of pair-topics in the five groups, seen from the better system",
            _SIDES,
            format=".1%",
            method="better by",
            treatment="k",
        ),
        table(
            "Depth by which a share of the pair-topics has a lead, and is non-separable",
            [_LEAD, _BOTH_LED],
            columns="treatment",
            format=".0f",
            condition="by share",
        ),
        table(
            "Pairs of systems by the sign test of ni against ns",
            {_SIGNIFICANT: "significant", _MEDIAN_P: "median p"},
            of="pairs",
            treatment="k",
        ),
    )
    picture = Picture(
        "lines",
        x="depth k",
        y="share of pair-topics",
        where={"condition": tuple(_KINDS)},
        series=("condition",),
    )

    notes = (
        "The better system is the one that a method prefers over all topics. ni: it is never behind; ns: "
        "it is never ahead; **: each is ahead somewhere, first the better one (ni-first) or the other.",
        "The paper's own Table 3 has fewer separable pairs at k = 5 (74.49 %) than random SERPs (83.98 %), "
        "and more of them at 10 (74.66 %) than at 5.",
    )

    depths: tuple[int, ...] = options.counts(
        (5, 10, 15, 20, 50, 100), "depths of IPSO", rising=True
    )
    alpha: float = options.alpha()

    def findings(self, context: Context) -> Iterator[Finding]:
        groups, decided, leads = _groups_by_depth(context, self.depths)
        depths = np.array(self.depths)[:, None]
        of = groups.sum(axis=3, keepdims=True)
        kinds = np.stack([groups[:, 0, :, each].sum(axis=0) for each in _KINDS.values()], axis=-1)
        yield from shares(
            context, kinds, of[:, 0], method="IPSO", condition=tuple(_KINDS), treatment=depths
        )
        names = np.array(context.methods, dtype=object)[:, None, None]
        yield from shares(
            context, groups[:, 1:], of[:, 1:], method=names, condition=[*_SIDES], treatment=depths
        )
        for condition, reached in zip((_LEAD, _BOTH_LED), leads, strict=True):
            yield from rows(
                _down_to(context.bootstrap.of_sums(_quantiles, reached), self.depths[-1]),
                method="IPSO",
                condition=condition,
                treatment=[f"{part:.0%}" for part in _QUANTILES],
                n=reached.sum(),
            )
        p = sign_test(*decided)
        yield from rows(
            np.column_stack([(p < self.alpha).mean(axis=1), np.median(p, axis=1)]),
            method="IPSO",
            condition=(_SIGNIFICANT, _MEDIAN_P),
            treatment=depths,
            n=p.shape[1],
        )

    def claims(self, context: Context, frame: pd.DataFrame) -> Iterable[Claim]:
        by = found_by(frame[frame["method"] == "IPSO"], "condition", "treatment")
        equal, separable, significant = (
            {k: float(by[condition, str(k)].estimate) for k in self.depths}
            for condition in (_EQUAL, _SEPARABLE, _SIGNIFICANT)
        )
        said, holds = [], True
        for place, (kind, real) in enumerate({_EQUAL: equal, _SEPARABLE: separable}.items()):
            random = {k: float(shares_of(k)[place]) for k in self.depths}
            fewer = [
                f"k = {k} ({share:.1%}, random {random[k]:.1%})"
                for k, share in real.items()
                if share <= random[k]
            ]
            where = f"not more at {', '.join(fewer)}" if fewer else "more at every k"
            said.append(f"{kind}: {where}")
            holds &= not fewer
        claim = "more pairs of SERPs are equal, and more are separable, than of random SERPs"
        yield verdict_on(_PAPER, "Table 3", claim, holds, "; ".join(said))
        if len(self.depths) > 1:
            listed = ", ".join(f"{share:.1%} at {k}" for k, share in separable.items())
            yield _implications(
                "the numbers of ni and ns topics cannot increase with k",
                not any(later > share for share, later in pairwise(separable.values())),
                f"ni or ns: {listed}",
            )
            systems, (first, *_, last) = len(context.placements.systems), self.depths
            yield _implications(
                "the greater k, the less likely is p of the sign test below the threshold",
                significant[last] < significant[first],
                f"significant: {significant[first]:.1%} of {comb(systems, 2):,} pairs at {first}, "
                f"{significant[last]:.1%} at {last}",
                untestable=too_few_pairs(systems),
            )


def _quantiles(reached: Floats) -> Floats:
    """(B, Q) the least depth by which each share has been reached, from (B, K + 1) numbers by depth."""
    cumulated = np.cumsum(reached, axis=1)[:, None]
    # The numbers are whole, or the share of them is what float noise must not miss.
    enough = cumulated >= np.array(_QUANTILES)[:, None] * cumulated[..., -1:] * (1 - TOLERANCE)
    return np.asarray(enough.argmax(axis=2) + 1.0)


def _down_to(estimate: Estimate, deepest: int) -> Estimate:
    """The estimates, NaN where they lie below the deepest depth; without intervals that do."""
    within = estimate.high <= deepest
    value = np.where(within | (estimate.value <= deepest), estimate.value, np.nan)
    return Estimate(value, *np.where(within, estimate[1:3], np.nan), estimate.drawn)


def _groups_by_depth(context: Context, depths: Sequence[int]) -> tuple[Floats, Integers, Floats]:
    """Count the five groups of IPSO at D depths, ascending; the last one is K.

    Returns:
        For T topics, P pairs and M methods:

        - (T, 1 + M, D, 5) pairs in each of :data:`.GROUPS` at each depth: seen from the first system, and
          from the one that each method prefers.
        - (2, D, P) topics where the first system, and the second one, is non-inferior.
        - (2, T, K + 1) pairs whose first lead, and whose second one, is at depth 1 … K, or not.
    """
    placements, methods = context.placements, context.methods
    topics, systems = len(placements.topics), len(placements.systems)
    first, second = np.triu_indices(systems, 1)
    totals = totals_of_pairs(placements, methods, progress=context.progress)
    # From the first system of each pair, and from the one that each method prefers over all topics.
    signs = [np.sign(snapped(totals[each].mean[first, second])) for each in methods]
    seen, deepest = np.array([np.ones(len(first)), *signs]), depths[-1]
    ahead_by, behind_by = (seen > 0).astype(np.float64), (seen < 0).astype(np.float64)
    groups = np.zeros((topics, len(seen), len(depths), len(GROUPS)))
    decided = np.zeros((2, len(depths), len(first)), dtype=np.int64)
    leads_at = np.zeros((2, topics, deepest + 1))
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
            groups[chosen, :, place] = ahead_by @ group + behind_by @ group[..., ::-1]
            decided[:, place] += group[..., _DECIDED].sum(axis=0).T
        topic, pair = np.nonzero(counted)
        for each, reached in enumerate((np.minimum(ahead, behind), np.maximum(ahead, behind))):
            shape = len(chosen), deepest + 1
            leads_at[each, chosen] = pair_counts(topic, reached[topic, pair] - 1, shape)
        context.tell("looking for leads", int(chosen[-1]) + 1, topics)
    return groups, decided, leads_at


def _groups(ahead: Integers, behind: Integers, depth: int) -> Integers:
    """(T, P) index in :data:`.GROUPS` of each pair-topic, seen from the first system."""
    led, trailed = ahead <= depth, behind <= depth
    one_leads = 2 + led - trailed.astype(np.int64)
    return np.where(led & trailed, np.where(ahead < behind, len(GROUPS) - 1, 0), one_leads)


ipso_depth = IpsoDepth()
