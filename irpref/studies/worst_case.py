"""worst_case: which metric knows the worst-off searcher? (Diaz & Mitra 2023, section 4)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pandas as pd

from irpref.arrays import Floats, Integers
from irpref.checks import check_count, check_counts
from irpref.choices import Progress
from irpref.keywords import on_command_line, several
from irpref.measures import RBP, TSE
from irpref.names import as_criteria, as_measures
from irpref.preferences.criterion import Criterion
from irpref.project.given_positions import placements_at
from irpref.render.study import Layout, Picture
from irpref.stats.agreement import (
    AGREEMENTS,
    agreement_of,
    agreement_size,
    agreement_sums,
)
from irpref.stats.random_positions import random_positions
from irpref.studies.base import DataFree
from irpref.studies.worst_case_claims import (
    COIN,
    TABLE_1,
    WORST_OFF,
    Agreements,
    exposure_claim,
    random_ranking_claims,
)
from irpref.study import Claim, Finding
from irpref.summarise.pair_topics import pair_topics

__all__ = ["WorstCase", "worst_case"]

_AGREES = {kind: f"agreement with the {WORST_OFF}, {kind}" for kind in AGREEMENTS}
_TIED = "two rankings are the same to the worst-off searcher"
_SERVED = {
    "deterministic": "worst-off exposure, deterministic",
    "stochastic": "worst-off exposure, stochastic",
}
# Those of Table 1.
_PAIRS, _FEWEST, _MOST = 10_000, 5, 50
# Figure 5: m from 1 on. The exposure of each metric is that of a TSE.
_OPTIMAL = 25
_EXPOSURES = {
    "AP": TSE,
    "nDCG": TSE(exposure="log2"),
    "RBP": TSE(exposure="rbp", persistence=RBP.persistence),
}
# Batch size, in pairs of rankings; bounds memory.
_BATCH = 10_000


@dataclass(frozen=True, kw_only=True)
class WorstCase(DataFree):
    """How often metrics agree with the worst-off searcher, and how well rankings can serve that searcher.

    A searcher may want any of the relevant items, and no others. The worst-off one wants the last one only,
    and so prefers the ranking that has its last relevant item earlier (Diaz & Mitra 2023, Theorem A.1).
    The study draws pairs of random rankings of n items, and counts how often a metric prefers the same
    ranking (Table 1). A tie of the metric is a disagreement (``strict``, as in the paper), half an
    agreement (``half``), or left out (``decided``).

    The best deterministic ranking of m relevant items gives the worst-off searcher the exposure of position
    m. The best stochastic one has all relevant items on top, in random order. It gives a searcher who wants
    one item the mean exposure of the first m positions. With a metric that weighs every item by 1/m or
    more, nobody is worse off than that (Figure 5).

    Attributes:
        items: n, one number or several.
        samples: How many pairs of rankings are drawn for each n.
        fewest: The least number of relevant items of a pair; all numbers up to ``most`` are equally likely.
        most: The greatest number of them.
        measures: The measures, as objects or texts.
        relevant: m of the best rankings, one number or several.

    Raises:
        ValueError: A number is not a whole one above 0, or more items are relevant than there are.

    Example:
        >>> import irpref
        >>> study = irpref.studies.worst_case(items=100, fewest=2, most=5, samples=500, measures="TSE")
        >>> study.frame.query("method == 'TSE'")["estimate"].to_list()
        [1.0, 1.0, 1.0]
    """

    question: ClassVar[str] = "Which metric agrees with the worst-off searcher?"
    draws: ClassVar[bool] = True
    layouts: ClassVar[tuple[Layout, ...]] = (
        Layout(
            "Share of random pairs that are the same to the worst-off searcher, by n",
            rows=("treatment",),
            columns="method",
            where={"condition": [_TIED]},
            headings={"treatment": "n", "of": "pairs"},
            sizes=True,
        ),
        *(
            Layout(
                f"{condition[0].upper()}{condition[1:]}, by n",
                rows=("treatment",),
                columns="method",
                where={"condition": [condition]},
                headings={"treatment": "n"},
            )
            for condition in _AGREES.values()
        ),
        *(
            Layout(
                f"Exposure that the best {ranking} ranking gives the {WORST_OFF}, by m",
                rows=("treatment",),
                columns="method",
                where={"condition": [condition]},
                headings={"treatment": "m"},
            )
            for ranking, condition in _SERVED.items()
        ),
    )
    picture: ClassVar[Picture] = Picture(
        "lines",
        x="relevant items",
        y=f"exposure of the {WORST_OFF}",
        where={"condition": tuple(_SERVED.values())},
        series=("condition",),
        panels=("method",),
    )
    notes: ClassVar[tuple[str, ...]] = (
        "Agreement is of the pairs that the worst-off searcher tells apart; strict: a tie of the metric is "
        "a disagreement; half: half an agreement; decided: left out. A coin prefers either at random.",
    )

    items: tuple[int, ...] = field(
        default=tuple(TABLE_1),
        metadata=on_command_line(
            "how many items there are (default: 1000,10000,100000,1000000)",
            metavar="N,…",
            number=several(int),
        ),
    )
    samples: int = field(
        default=_PAIRS,
        metadata=on_command_line("how many pairs of rankings to draw (default: 10000)"),
    )
    fewest: int = field(
        default=_FEWEST,
        metadata=on_command_line(
            "least number of relevant items of a pair (default: 5)", metavar="M"
        ),
    )
    most: int = field(
        default=_MOST,
        metadata=on_command_line("greatest number of them (default: 50)", metavar="M"),
    )
    measures: tuple[str, ...] = field(
        default=("TSE", "R@1000", "RP", "AP", "nDCG"),
        metadata=on_command_line(
            "measures with commas between them (default: TSE,R@1000,RP,AP,nDCG)",
            metavar="M,…",
            number=several(str),
        ),
    )
    relevant: tuple[int, ...] = field(
        default=tuple(range(1, _OPTIMAL + 1)),
        metadata=on_command_line(
            "relevant items of the best rankings (default: 1 to 25)",
            metavar="M,…",
            number=several(int),
        ),
    )

    def __post_init__(self) -> None:
        for name in ("items", "relevant"):
            object.__setattr__(self, name, check_counts(name, getattr(self, name)))
        for name in ("samples", "fewest", "most"):
            object.__setattr__(self, name, check_count(name, getattr(self, name)))
        object.__setattr__(self, "measures", tuple(map(str, as_measures(self.measures))))
        if not self.fewest <= self.most <= min(self.items):
            raise ValueError(
                f"of {min(self.items)} items {self.fewest} to {self.most} cannot be relevant: most= must "
                "be at least fewest=, and items= at least most="
            )

    def findings(self, rng: np.random.Generator, progress: Progress | None) -> Iterator[Finding]:
        # What is drawn for one n does not depend on the others.
        seed = int(rng.integers(2**32))
        criteria = as_criteria(self.measures)
        names = (*self.measures, COIN)
        for number, n in enumerate(self.items, start=1):
            tied, counts = self._simulate(np.random.default_rng([seed, n]), n, criteria)
            share = tied / self.samples
            yield Finding(WORST_OFF, "", _TIED, str(n), share, n=self.samples)
            for kind, condition in _AGREES.items():
                for name, sums in zip(names, counts, strict=True):
                    agreement = agreement_of(sums, kind).item()
                    pairs = int(agreement_size(sums, kind))
                    yield Finding(name, WORST_OFF, condition, str(n), agreement, n=pairs)
            if progress is not None:
                progress("comparing random rankings", number, len(self.items))
        for name, (alone, mixed) in _served(max(self.relevant)).items():
            for how, exposure in (("deterministic", alone), ("stochastic", mixed)):
                for m in self.relevant:
                    yield Finding(name, "", _SERVED[how], str(m), float(exposure[m - 1]))

    def claims(self, frame: pd.DataFrame) -> Iterator[Claim]:
        as_in_the_paper = (self.fewest, self.most) == (_FEWEST, _MOST)
        other = (
            f"m from {self.fewest} to {self.most}, where the paper's is from {_FEWEST} to {_MOST}"
        )
        yield from random_ranking_claims(_agreements(frame), "" if as_in_the_paper else other)
        yield exposure_claim(_served(_OPTIMAL))

    def _simulate(
        self, rng: np.random.Generator, n: int, criteria: Sequence[Criterion]
    ) -> tuple[int, Floats]:
        """The pairs that tie for the worst-off searcher; (C + 1, 3) counts for the metrics and a coin."""
        tied, counts = 0, np.zeros((len(criteria) + 1, 3))
        for start in range(0, self.samples, _BATCH):
            size = min(_BATCH, self.samples - start)
            relevant = rng.integers(self.fewest, self.most, size=size, endpoint=True)
            first, second = (random_positions(rng, relevant, n) for _ in range(2))
            target = _last(second, relevant) - _last(first, relevant)
            tied += int((target == 0).sum())
            there = np.arange(first.shape[1]) < relevant[:, None]
            placements = placements_at(np.column_stack([first[there], second[there]]), relevant, n)
            for part in pair_topics(placements, criteria):
                counts[:-1] += agreement_sums(part.values[:, :, 0], target[part.topics])
            counts[-1] += agreement_sums(rng.choice([-1, 1], size=size), target)
        return tied, counts


def _last(positions: Integers, relevant: Integers) -> Integers:
    """(Q,) the position of the last relevant item."""
    return np.asarray(positions[np.arange(len(relevant)), relevant - 1])


def _served(most: int) -> dict[str, tuple[Floats, Floats]]:
    """By metric, for 1 to m relevant items, what the best deterministic and stochastic rankings give."""
    sizes = np.arange(1, most + 1)
    on_top = np.concatenate([np.arange(1, m + 1) for m in sizes])[:, None]
    placements = placements_at(on_top, sizes, most)
    found = {}
    for name, efficiency in _EXPOSURES.items():
        exposure = efficiency.scores(placements)[:, 0]
        found[name] = exposure, np.cumsum(exposure) / sizes
    return found


def _agreements(frame: pd.DataFrame) -> Agreements:
    """What the findings say of random rankings, as counts of pairs."""
    tied = frame[frame["condition"] == _TIED]
    ways = [frame[frame["condition"] == _AGREES[kind]] for kind in ("strict", "half")]
    counts = {}
    for (_, strict), (_, half) in zip(*(way.iterrows() for way in ways), strict=True):
        agree = strict["estimate"] * strict["n"]
        tie = 2 * (half["estimate"] - strict["estimate"]) * strict["n"]
        sums = np.round([agree, tie, strict["n"] - agree - tie])
        counts[int(strict["treatment"]), strict["method"]] = sums
    return Agreements(
        samples=int(tied["n"].iloc[0]),
        tied=dict(zip(tied["treatment"].astype(int), tied["estimate"], strict=True)),
        counts=counts,
    )


worst_case = WorstCase()
