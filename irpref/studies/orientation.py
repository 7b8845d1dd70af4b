"""orientation: does a metric reward the first relevant item, or the last? (Diaz & Mitra 2023, Figure 3)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from irpref.base.arrays import Floats, Integers, ranges
from irpref.base.literals import Progress
from irpref.methods.measures import RBP
from irpref.methods.names import as_measures
from irpref.positions.given_positions import placements_at
from irpref.show.reports.study_report import Picture
from irpref.studies import options
from irpref.studies.base import DataFree, rows, table
from irpref.studies.claims import verdict_on
from irpref.studies.findings import Claim, Finding

_PAPER, _ITEM = "Diaz & Mitra 2023", "Figure 3"
_figure_3 = partial(verdict_on, _PAPER, _ITEM)
_PRECISION, _RECALL = "precision orientation", "recall orientation"
_FIGURE_3 = 100_000
_COUNTED = ("AP", "R@1000", "RP")
# Smaller differences cannot be seen in the figure.
_SEEN = 1e-4
_PERSISTENCES = (0.5, 0.8, 0.95)
_RBP = tuple(str(RBP(persistence=persistence)) for persistence in _PERSISTENCES)


@dataclass(frozen=True, kw_only=True)
class Orientation(DataFree):
    """How much a metric loses if the first relevant item, or the last one, drops to the end.

    There are n items, and m of them are relevant. Precision orientation: of the relevant items one is at
    position 1 and the others are at the end; how much does the score fall if the first one drops to them?
    Recall orientation: all relevant items are at the top; how much does the score fall if the last of
    them drops to position n (Diaz & Mitra 2023, Figures 2 and 3)? TSE has exposure 1/i by default.

    Attributes:
        items: n.
        relevant: m, one number or several.
        measures: The measures, as objects or texts.

    Raises:
        ValueError: A number is not a whole one above 0, or more items are relevant than there are.

    Example:
        >>> import irpref
        >>> study = irpref.studies.orientation(items=100, relevant=2, measures=["AP", "RR"])
        >>> study.frame["condition"].to_list()[:2], study.frame["estimate"].round(3).to_list()
        (['precision orientation', 'recall orientation'], [0.495, 0.49, 0.99, 0.0])
    """

    question = "Does a metric reward finding the first relevant item, or the last one?"
    layouts = tuple(
        table(
            f"{each.capitalize()}, by the number of relevant items",
            [each],
            columns="method",
            treatment="relevant",
        )
        for each in (_PRECISION, _RECALL)
    )
    picture = Picture("lines", x="relevant items", y="loss of score", panels=("condition",))

    notes = (f"RBP alone has persistence {RBP.persistence}.",)

    items: int = options.count(_FIGURE_3, "how many items there are")
    relevant: tuple[int, ...] = options.counts(
        tuple(range(1, 16)), "how many of them are relevant", shown="1 to 15", metavar="M,…"
    )
    measures: tuple[str, ...] = options.measures(
        ("RR", "nDCG", "AP", "R@1000", "RP", "TSE", *_RBP),
        shown="RR,nDCG,AP,R@1000,RP,TSE, and RBP with three persistences",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        options.check_relevant(self.items, self.relevant)

    def findings(self, rng: np.random.Generator, progress: Progress | None) -> Iterator[Finding]:
        for name, losses in self._losses().items():
            yield from rows(
                losses, method=name, condition=[[_PRECISION], [_RECALL]], treatment=self.relevant
            )

    def _losses(self) -> dict[str, Floats]:
        """By measure, (2, M) precision orientation and recall orientation for each m."""
        m = np.repeat(self.relevant, self.relevant)
        level = ranges(np.ones_like(self.relevant), np.array(self.relevant))
        at_end = self.items - m + level
        of_first, of_last = np.where(level == 1, 1, at_end), np.where(level == m, self.items, level)
        positions = np.column_stack([of_first, at_end, level, of_last])
        placements = placements_at(positions, self.relevant, self.items)
        found = {}
        for measure in as_measures(self.measures):
            scores = measure.scores(placements).T
            better = scores if measure.higher_is_better else -scores
            found[str(measure)] = better[::2] - better[1::2]
        return found

    def claims(self, frame: pd.DataFrame) -> Iterator[Claim]:
        # The figure has its own n and m, whatever was asked for here.
        figure = Orientation()
        levels, losses = np.array(figure.relevant), figure._losses()
        precision, recall = ({name: each[at] for name, each in losses.items()} for at in (0, 1))
        yield from _precision_claims(levels, precision)
        yield from _recall_claims(levels, recall)
        first, last, of_ap = precision["TSE"], recall["TSE"], recall["AP"]
        yield verdict_on(
            _PAPER,
            f"{_ITEM}, section 3.2",
            "TSE depends on the last relevant item alone",
            not first[1:].any(),
            f"its precision orientation is {np.abs(first[1:]).max():g} from m = {levels[1]} on",
        )
        yield verdict_on(
            _PAPER,
            f"{_ITEM}, section 3.1",
            "TSE is calibrated: its recall orientation is the same for all m",
            np.ptp(last) <= _SEEN,
            f"with exposure 1/i it is 1/m - 1/n, from {last[0]:.3f} at m = 1 to {last[-1]:.3f} at m = "
            f"{levels[-1]}; AP's differs from it by {np.abs(last - of_ap).max():.0e} at the most",
        )


def _precision_claims(levels: Integers, losses: Mapping[str, Floats]) -> Iterator[Claim]:
    counted = np.stack([losses[name] for name in _COUNTED])
    behind = np.stack([loss for name, loss in losses.items() if name != "RR"]) - losses["RR"]
    yield _figure_3(
        "RR has the greatest precision orientation for all m",
        behind.max() <= _SEEN,
        f"it leads by {-behind[:, 1:].max():.3f} or more from m = {levels[1]} on; at m = 1 RR has "
        f"{losses['RR'][0]:.5f}, as AP and TSE have, and R@1000 and RP {losses['RP'][0]:.5f}",
    )
    spread = np.ptp(counted, axis=0).max()
    yield _figure_3(
        "AP, R@1000 and RP have the same precision orientation",
        spread <= _SEEN,
        f"1/m each; they differ by {spread:.0e} at the most",
    )
    ahead = losses["nDCG"] - counted.max(axis=0)
    not_ahead = np.flatnonzero(ahead <= 0)
    missed = [
        f"m = {levels[at]} (nDCG {losses['nDCG'][at]:.3f}, AP {losses['AP'][at]:.3f})"
        for at in not_ahead
    ]
    rest = np.delete(ahead, not_ahead).min(initial=1.0)
    yield _figure_3(
        "nDCG has more precision orientation than AP, R@1000 and RP",
        not missed,
        f"{'not at ' + ', '.join(missed) + '; elsewhere ' if missed else ''}by {rest:.3f} or more",
    )
    crossings = []
    for persistence, name in zip(_PERSISTENCES, _RBP, strict=True):
        above = levels[losses[name] > np.maximum(losses["nDCG"], losses["AP"])]
        when = f"from m = {above.min()} on" if len(above) else f"never up to m = {levels[-1]}"
        crossings.append(f"{persistence}: {when}")
    yield _figure_3(
        "RBP has more precision orientation than nDCG and AP from a modest m on",
        False,
        f"with {'; with '.join(crossings)}",
        untestable="the persistence is not stated",
    )
    varies = max(np.ptp(losses[name]) for name in ("RR", *_RBP))
    yield _figure_3(
        "the precision orientation of RR and RBP does not depend on m",
        varies <= _SEEN,
        f"it varies by {varies:.0e} at the most",
    )


def _recall_claims(levels: Integers, losses: Mapping[str, Floats]) -> Iterator[Claim]:
    counted = np.stack([losses[name] for name in _COUNTED]).min(axis=0)
    others = ("nDCG", *_RBP, "RR")
    margins = counted - np.stack([losses[name] for name in others])
    nearest = others[int(margins[:, 1:].min(axis=1).argmin())]
    yield _figure_3(
        "AP, R@1000 and RP have more recall orientation than nDCG, RBP and RR for all m",
        margins.min() >= -_SEEN,
        f"by {margins[:, 1:].min():.4f} or more from m = {levels[1]} on (the next is {nearest}); at m = 1 "
        f"RR has {losses['RR'][0]:.5f}, as AP has",
    )
    yield _figure_3(
        "RR has no recall orientation unless one item is relevant",
        not losses["RR"][1:].any() and losses["RR"][0] > 0,
        f"{losses['RR'][0]:.5f} at m = 1, {np.abs(losses['RR'][1:]).max():g} above",
    )
    yield _figure_3(
        "recall orientation falls with m, but for RR",
        all((np.diff(losses[name]) < 0).all() for name in (*_COUNTED, "nDCG", *_RBP)),
        ", ".join(
            f"{name} from {losses[name][0]:.3f} to {losses[name][-1]:.3f}"
            for name in (*_COUNTED, "nDCG")
        ),
    )


orientation = Orientation()
