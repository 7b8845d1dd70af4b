"""ipso_depth: which relations has IPSO in real runs, depth by depth? (Moffat & Mackenzie 2024, Table 3)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import comb
from typing import ClassVar

import numpy as np
import pandas as pd

from irpref.arrays import Floats
from irpref.checks import check_alpha, check_counts
from irpref.keywords import on_command_line, several
from irpref.noise import NOISE
from irpref.render.study import Layout, Picture
from irpref.stats.serp_pairs import shares_of
from irpref.stats.tests.sign import sign_test
from irpref.stats.topic_bootstrap import Estimate
from irpref.studies.base import Experiment, Subject, row
from irpref.studies.claims import too_few_pairs, verdict_on
from irpref.study import Claim, Finding
from irpref.summarise.corroboration import GROUPS
from irpref.summarise.groups_by_depth import groups_by_depth

__all__ = ["IpsoDepth", "ipso_depth"]

_PAPER = "Moffat & Mackenzie 2024"
_EQUAL, _SEPARABLE, _NON_SEPARABLE = "equal", "separable", "non-separable"
# Table 3 puts some of the five groups together: their indices.
_KINDS = {_EQUAL: [2], _SEPARABLE: [1, 3], _NON_SEPARABLE: [0, 4]}
_SIDES = {group: f"{group}, seen from the better system" for group in GROUPS}
_LEAD, _BOTH_LED = "depth of the first lead", "depth where the pair becomes non-separable"
_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
_SIGNIFICANT, _MEDIAN_P = "pairs that differ significantly", "median p of the pairs"


@dataclass(frozen=True, kw_only=True)
class IpsoDepth(Experiment):
    """How IPSO's relations change with depth in real runs, and what its sign test makes of them.

    At every depth k (Moffat & Mackenzie 2024, Table 3, Figure 6, and "Implications and Limitations"):

    - the shares of pair-topics that are equal, separable (``ni`` or ``ns``) and non-separable (``**``);
    - the five groups, seen from the system of each pair that a method prefers over all topics (pairs that
      it does not tell apart are left out);
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
        >>> from irpref.demo import demo_paths
        >>> study = irpref.studies.ipso_depth(irpref.collect(*demo_paths()), depths=(5, 10))
        >>> shares = study.frame.query("treatment == '10' and method == 'IPSO'")
        >>> shares.set_index("condition")["estimate"].round(3).head(3).to_dict()
        {'equal': 0.056, 'separable': 0.517, 'non-separable': 0.428}
    """

    question: ClassVar[str] = "Which relations has IPSO in real runs, depth by depth?"
    default_methods: ClassVar[tuple[str, ...]] = ("AP",)
    layouts: ClassVar[tuple[Layout, ...]] = (
        Layout(
            "Share of pair-topics by depth k",
            rows=("treatment",),
            where={"condition": tuple(_KINDS)},
            headings={"treatment": "k"},
            format=".1%",
            interval=True,
        ),
        Layout(
            "Share of pair-topics in the five groups, seen from the better system",
            rows=("method", "treatment"),
            where={"condition": tuple(_SIDES.values())},
            headings={"treatment": "k", "method": "better by"}
            | {side: group for group, side in _SIDES.items()},
            format=".1%",
        ),
        Layout(
            "Depth by which a share of the pair-topics has a lead, and is non-separable",
            rows=("condition",),
            columns="treatment",
            where={"condition": (_LEAD, _BOTH_LED)},
            headings={"condition": "by share"},
            format=".0f",
        ),
        Layout(
            "Pairs of systems by the sign test of ni against ns",
            rows=("treatment",),
            where={"condition": (_SIGNIFICANT, _MEDIAN_P)},
            headings={
                "treatment": "k",
                _SIGNIFICANT: "significant",
                _MEDIAN_P: "median p",
                "of": "pairs",
            },
            sizes=True,
        ),
    )
    picture: ClassVar[Picture] = Picture(
        "lines",
        x="depth k",
        y="share of pair-topics",
        where={"condition": tuple(_KINDS)},
        series=("condition",),
    )

    notes: ClassVar[tuple[str, ...]] = (
        "The better system is the one that a method prefers over all topics.",
        "The paper's own Table 3 has fewer separable pairs at k = 5 (74.49 %) than random SERPs (83.98 %), "
        "and more of them at 10 (74.66 %) than at 5.",
    )

    depths: tuple[int, ...] = field(
        default=(5, 10, 15, 20, 50, 100),
        metadata=on_command_line(
            "depths of IPSO (default: 5,10,15,20,50,100)", metavar="K,…", number=several(int)
        ),
    )
    alpha: float = field(
        default=0.05,
        metadata=on_command_line("significance level (default: 0.05)", metavar="A", number=float),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "depths", tuple(sorted(check_counts("depths", self.depths))))
        check_alpha(self.alpha)

    def findings(self, subject: Subject) -> Iterator[Finding]:
        found = groups_by_depth(
            subject.placements, self.depths, subject.methods, progress=subject.progress
        )
        bootstrap = subject.bootstrap
        for place, depth in enumerate(self.depths):
            groups = found.groups[0, place]
            of = groups.sum(axis=1)
            for kind, members in _KINDS.items():
                counts = groups[:, members].sum(axis=1)
                yield row(
                    bootstrap.of_ratio(counts, of),
                    method="IPSO",
                    condition=kind,
                    treatment=depth,
                    n=int(of.sum()),
                )
        for method, by_depth in zip(subject.methods, found.groups[1:], strict=True):
            for depth, groups in zip(self.depths, by_depth, strict=True):
                of = groups.sum(axis=1)
                for side, counts in zip(_SIDES.values(), groups.T, strict=True):
                    yield row(
                        bootstrap.of_ratio(counts, of),
                        method=method,
                        condition=side,
                        treatment=depth,
                        n=int(of.sum()),
                    )
        for condition, reached in zip((_LEAD, _BOTH_LED), found.reached, strict=True):
            for share in _QUANTILES:
                depth_of = bootstrap.of_sums(partial(_quantile, share=share), reached)
                yield row(
                    _depth_by(depth_of, self.depths[-1]),
                    method="IPSO",
                    condition=condition,
                    treatment=f"{share:.0%}",
                    n=int(reached.sum()),
                )
        for depth, p in zip(self.depths, sign_test(*found.decided), strict=True):
            for condition, value in (
                (_SIGNIFICANT, (p < self.alpha).mean()),
                (_MEDIAN_P, np.median(p)),
            ):
                yield Finding("IPSO", "", condition, str(depth), float(value), n=len(p))

    def claims(self, subject: Subject, frame: pd.DataFrame) -> Iterable[Claim]:
        found = {
            str(condition): part.set_index("treatment")["estimate"]
            for condition, part in frame[frame["method"] == "IPSO"].groupby("condition", sort=False)
        }
        yield _more_than_random(found, self.depths)
        if len(self.depths) > 1:
            yield _never_more(found[_SEPARABLE], self.depths)
            systems = len(subject.placements.systems)
            yield _less_significant(found[_SIGNIFICANT], self.depths, systems)


def _quantile(reached: Floats, share: float) -> Floats:
    """(B,) the least depth by which a share has been reached, from (B, K + 1) numbers by depth."""
    cumulated = np.cumsum(reached, axis=1)
    # The numbers are whole, or the share of them is what float noise must not miss.
    enough = cumulated >= share * cumulated[:, -1:] * (1 - NOISE)
    return np.asarray(enough.argmax(axis=1) + 1.0)


def _depth_by(estimate: Estimate, deepest: int) -> Estimate:
    """The estimate, NaN where it lies below the deepest depth; without an interval that does."""
    if estimate.high <= deepest:
        return estimate
    value = estimate.value if estimate.value <= deepest else np.nan
    return Estimate.without_interval(value)


def _more_than_random(found: dict[str, pd.Series], depths: tuple[int, ...]) -> Claim:
    said, fails = [], False
    for kind in (_EQUAL, _SEPARABLE):
        pairs = [
            (k, float(found[kind][str(k)]), float(getattr(shares_of(k), kind))) for k in depths
        ]
        fewer = [
            f"k = {k} ({real:.1%}, random {random:.1%})"
            for k, real, random in pairs
            if real <= random
        ]
        said.append(
            f"{kind}: not more at {', '.join(fewer)}" if fewer else f"{kind}: more at every k"
        )
        fails |= bool(fewer)
    return verdict_on(
        _PAPER,
        "Table 3",
        "more pairs of SERPs are equal, and more are separable, than of random SERPs",
        not fails,
        "; ".join(said),
    )


def _never_more(separable: pd.Series, depths: tuple[int, ...]) -> Claim:
    rises = [
        (one, other)
        for one, other in pairwise(depths)
        if separable[str(other)] > separable[str(one)]
    ]
    said = ", ".join(f"{separable[str(k)]:.1%} at {k}" for k in depths)
    return verdict_on(
        _PAPER,
        "Implications and Limitations",
        "the numbers of ni and ns topics cannot increase with k",
        not rises,
        f"ni or ns: {said}",
    )


def _less_significant(significant: pd.Series, depths: tuple[int, ...], systems: int) -> Claim:
    least, most = (float(significant[str(k)]) for k in (depths[0], depths[-1]))
    pairs = comb(systems, 2)
    return verdict_on(
        _PAPER,
        "Implications and Limitations",
        "the greater k, the less likely is p of the sign test below the threshold",
        most < least,
        f"significant: {least:.1%} of {pairs:,} pairs at {depths[0]}, {most:.1%} at {depths[-1]}",
        doubt=too_few_pairs(systems),
    )


ipso_depth = IpsoDepth()
