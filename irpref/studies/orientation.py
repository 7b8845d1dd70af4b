"""orientation: does a metric reward the first relevant item, or the last? (Diaz & Mitra 2023, Figure 3)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import ranges
from irpref.base.literals import Progress
from irpref.methods.measures import RBP
from irpref.methods.names import as_measures
from irpref.positions.given_positions import placements_at
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import DataFree, Findings, rows

_PRECISION, _RECALL = "precision orientation", "recall orientation"
_RBP = tuple(str(RBP(persistence=persistence)) for persistence in (0.5, 0.8, 0.95))


@dataclass(frozen=True, kw_only=True)
class Orientation(DataFree):
    """How much a metric loses if the first relevant item, or the last one, drops to the end.

    There are n items, and m of them are relevant. Precision orientation: of the relevant items one is at
    position 1 and the others are at the end; how much does the score fall if the first one drops to them?
    Recall orientation: all relevant items are at the top; how much does the score fall if the last of
    them drops to position n (Diaz & Mitra 2023, Figures 2 and 3)? TSE has exposure 1/i by default.

    The journal's version (Diaz, Ekstrand & Mitra 2025) calls recall orientation the sensitivity of a metric
    to a user who wants every relevant item; only its abstract could be read. When the last item drops, that
    user alone has to look further, so the loss is such a sensitivity.

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
        Layout(
            f"{each.capitalize()}, by the number of relevant items",
            [each],
            columns="method",
            rows={"treatment": "relevant"},
        )
        for each in (_PRECISION, _RECALL)
    )
    picture = Picture("lines", x="relevant items", y="loss of score", panels=("condition",))

    notes = (f"RBP alone has persistence {RBP.persistence}.",)

    items: int = options.count(100_000, "how many items there are")
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

    def findings(self, rng: np.random.Generator, progress: Progress | None) -> Findings:
        m = np.repeat(self.relevant, self.relevant)
        level = ranges(np.ones_like(self.relevant), np.array(self.relevant))
        at_end = self.items - m + level
        of_first, of_last = np.where(level == 1, 1, at_end), np.where(level == m, self.items, level)
        positions = np.column_stack([of_first, at_end, level, of_last])
        placements = placements_at(positions, self.relevant, self.items)
        for measure in as_measures(self.measures):
            scores = measure.scores(placements).T
            better = scores if measure.higher_is_better else -scores
            yield from rows(
                better[::2] - better[1::2],
                method=measure,
                condition=[[_PRECISION], [_RECALL]],
                treatment=self.relevant,
            )
