"""interleaving: does a preference say what interleaving would? (Diaz & Ferraro 2022, Figure 5)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd

from irpref.arrays import Floats
from irpref.render.study import Layout, Picture
from irpref.stats.agreement import agreement_sums
from irpref.stats.pearson import moments, pearson
from irpref.stats.topic_bootstrap import Estimate
from irpref.studies import options
from irpref.studies.base import Experiment, Subject, agreements, rows
from irpref.studies.claims import verdict_on
from irpref.study import Claim, Finding
from irpref.summarise.interleaving import CLICKS, DCG, READINGS, UNIFORM, VARIANTS, interleaved
from irpref.summarise.pair_topics import pair_topics

_figure_5 = partial(verdict_on, "Diaz & Ferraro 2022", "Figure 5")
_SAID = {f"interleaving by {variant.said}": variant.said for variant in VARIANTS}
_NAMES = tuple(_SAID)
_MAIN, _OPEN = _NAMES[:4], _NAMES[4:]
# What the last ones have in common.
_READ = f"{CLICKS}, {UNIFORM}, "
_RPP = "RPP(graded=False)"
_BASELINES = ("AP", "nDCG", "ASL", "RR")
_CORRELATION = "Pearson's r"
_AGREEMENT = "sign agreement"
_STRICT, _DECIDED = f"{_AGREEMENT}, strict", f"{_AGREEMENT}, decided"
# What the paper found, less rounding.
_FOUND = 0.975
# Of fewer pair-topics, one moves a share by more than two points.
_FEW = 50


@dataclass(frozen=True, kw_only=True)
class Interleaving(Experiment):
    """How well preferences and measures agree with offline interleaving, in two readings of the paper.

    Some pairs of systems are drawn on every topic, and their rankings are interleaved offline: a simulated
    user sees relevant documents only (a grade of at least 1).

    - By positions, Eq. 2 of Diaz & Ferraro (2022) read literally: the ranking is preferred that has more
      relevant documents down to position k. k is uniform down to the end of the longer ranking, or its
      chance is proportional to 1 / log2(k + 1).
    - By clicks: balanced interleaving (Joachims 2002), the mean over both sides of the coin. A user clicks
      all relevant documents down to the r-th. r is uniform over the relevant documents of the topic, or
      its chance is proportional to 1 / log2(r + 1). The ranking is preferred that contributed more clicks.
      Where the shorter ranking ends, the rest of the longer one follows. A user who does not find r
      documents prefers none.

    The paper leaves open what ends the list, and what becomes of a user who does not find r documents. What
    is taken here was chosen after trying the others: of all, RPP correlates most with it. So the study says
    what comes out of the others too, for uniform users by clicks: the list ends with the shorter ranking
    (as in Algorithm 1 of Chapelle et al. 2012, which the paper cites), a user who does not find r documents
    prefers a ranking by all clicks, or both.

    The sign agreement is over the pair-topics that the target decides (see ``agreement``); Pearson's r
    takes each pair in both orders (Figure 5, bottom row).

    Attributes:
        pairs: How many pairs of systems are drawn on each topic; all if there are no more.

    Raises:
        ValueError: pairs is not a whole number above 0.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> study = irpref.studies.interleaving(irpref.collect(*demo_paths()), "RPP(graded=False)")
        >>> found = study.frame.set_index(["method", "against", "condition"])["estimate"].round(2)
        >>> found["RPP(graded=False)", "interleaving by clicks, uniform", "Pearson's r"].item()
        0.96
    """

    question: ClassVar[str] = "Does a preference say what interleaving would?"
    default_methods: ClassVar[tuple[str, ...]] = (_RPP, "dcgRPP(graded=False)", *_BASELINES)
    layouts: ClassVar[tuple[Layout, ...]] = (
        *(
            Layout(
                caption,
                columns="against",
                where={"condition": [condition], "against": against},
                headings=_SAID | {each: _SAID[each].removeprefix(_READ) for each in _OPEN},
                format=".2f",
            )
            for condition, against, caption in (
                (_CORRELATION, _MAIN, "Pearson's r with interleaving"),
                (
                    _CORRELATION,
                    _OPEN,
                    f"Pearson's r with interleaving by {_READ}read in other ways",
                ),
                (_STRICT, _MAIN, "Sign agreement with interleaving; a tie disagrees"),
                (_DECIDED, _MAIN, "Sign agreement with interleaving, where both decide"),
            )
        ),
        Layout(
            f"Pearson's r and sign agreement with {_RPP}",
            where={"condition": [_CORRELATION, _STRICT, _DECIDED], "against": [_RPP]},
            headings={_CORRELATION: "r", _STRICT: "strict", _DECIDED: "decided"},
            format=".2f",
        ),
    )
    picture: ClassVar[Picture] = Picture(
        "dots",
        x="Pearson's r",
        where={"condition": [_CORRELATION], "against": _MAIN},
        series=("method", "against"),
    )

    pairs: int = options.count(500, "how many pairs of systems are drawn on each topic")

    def findings(self, subject: Subject) -> Iterator[Finding]:
        names = [*map(str, subject.methods), *_NAMES]
        values = self._values(subject)
        correlation = subject.bootstrap.of_sums(pearson, moments(values))
        both = np.isfinite(values)
        for target in dict.fromkeys([*_NAMES, *(name for name in names if name == _RPP)]):
            against = names.index(target)
            counts = agreement_sums(values, values[:, [against]])
            for place, name in enumerate(names):
                # Not with itself, and not one variant of interleaving with another.
                if name == target or {name, target} <= set(_NAMES):
                    continue
                yield from rows(
                    correlation.at(place, against),
                    method=name,
                    against=target,
                    condition=_CORRELATION,
                    n=(both[:, place] & both[:, against]).sum(),
                )
                yield from agreements(
                    subject, counts[:, place], method=name, against=target, where=_AGREEMENT
                )

    def _values(self, subject: Subject) -> Floats:
        """(T, methods + variants, N) values of methods and interleaving on some pairs; NaN for none."""
        placements = subject.placements
        systems = len(placements.systems)
        first, second = np.triu_indices(systems, 1)
        number = min(self.pairs, len(first))
        drawn = np.array([subject.rng.permutation(len(first))[:number] for _ in placements.topics])
        values = np.empty((len(drawn), len(subject.methods) + len(_NAMES), number))
        for part in pair_topics(placements, subject.methods, progress=subject.progress):
            chosen = drawn[part.topics]
            values[part.topics, : len(subject.methods)] = np.take_along_axis(
                part.values, chosen[None], axis=2
            ).swapaxes(0, 1)
        for topic, chosen in enumerate(drawn):
            values[topic, len(subject.methods) :] = interleaved(
                placements, topic, first[chosen], second[chosen]
            )
            subject.tell("interleaving", topic + 1, len(drawn))
        return values

    def claims(self, subject: Subject, frame: pd.DataFrame) -> Iterable[Claim]:
        if _RPP not in map(str, subject.methods):
            return
        correlation = _with_rpp(frame, _CORRELATION)
        agreement = _with_rpp(frame, _STRICT)
        # A measure that never prefers any system correlates with nothing.
        others = [
            name
            for name in _BASELINES
            if name in correlation and not np.isnan(correlation[name].value)
        ]
        doubt = _doubt(frame)
        for reading in READINGS:
            uniform, dcg = (f"interleaving by {reading}, {users}" for users in (UNIFORM, DCG))
            found = correlation[uniform]
            yield _figure_5(
                f"RPP correlates with interleaving (by {reading}) with r = .98",
                _reached(found),
                f"r = {_said(found)}",
                doubt=doubt,
            )
            if reading == CLICKS:
                every = {_SAID[name]: correlation[name] for name in (uniform, *_OPEN)}
                yield _figure_5(
                    "RPP correlates with interleaving (by clicks, in every reading) with r = .98",
                    all(map(_reached, every.values())),
                    "; ".join(f"{said}: {_said(each)}" for said, each in every.items()),
                    doubt=doubt,
                )
            if not others:
                continue
            best = max(others, key=lambda name: float(correlation[name].value))
            lower = correlation[best].value < correlation[dcg].value < found.value
            yield _figure_5(
                f"if users (by {reading}) are those of DCG, r is less, but more than with any measure",
                lower,
                f"uniform {_said(found)}, DCG {_said(correlation[dcg])}; most with a measure, {best}: "
                f"{_said(correlation[best])}",
                doubt=doubt,
            )
            nearest = max(others, key=lambda name: float(agreement[name].value))
            yield _figure_5(
                f"interleaving (by {reading}) agrees with RPP in sign more often than any measure does",
                agreement[uniform].value > agreement[nearest].value,
                f"interleaving {_said(agreement[uniform])}; the nearest measure, {nearest}: "
                f"{_said(agreement[nearest])}",
                doubt=doubt,
            )


def _doubt(frame: pd.DataFrame) -> str:
    """Why the pair-topics say little; empty if they are enough."""
    found = frame[(frame["condition"] == _CORRELATION) & (frame["against"] == _RPP)]
    found = found[found["method"].isin(_NAMES)]
    if found["estimate"].isna().any():
        return "RPP or interleaving never prefers any system"
    pair_topics = int(found["n"].min())
    return "" if pair_topics >= _FEW else f"there are {pair_topics} pair-topics only"


def _reached(correlation: Estimate) -> bool:
    """Whether r = .98 or more is not excluded, up to rounding."""
    return bool(np.fmax(correlation.value, correlation.high) >= _FOUND)


def _with_rpp(frame: pd.DataFrame, condition: str) -> dict[str, Estimate]:
    chosen = frame[(frame["condition"] == condition) & (frame["against"] == _RPP)]
    return {
        str(each["method"]): Estimate(each["estimate"], each["low"], each["high"])
        for each in chosen.to_dict("records")
    }


def _said(estimate: Estimate) -> str:
    interval = "" if np.isnan(estimate.low) else f" [{estimate.low:.2f}, {estimate.high:.2f}]"
    return f"{estimate.value:.2f}{interval}"


interleaving = Interleaving()
