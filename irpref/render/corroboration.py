"""Challengers against a champion as a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import polars as pl

from irpref.choices import Correction
from irpref.render.pair_tests import CORRECTION_NAMES, how_tested
from irpref.render.report import Report
from irpref.render.table import P_VALUE, Table
from irpref.summarise.corroboration import ChallengerResult

__all__ = ["corroboration_report"]


def corroboration_report(
    *,
    champion: str,
    measure: str,
    ordering: str,
    results: Mapping[str, ChallengerResult],
    test: str,
    correction: Correction | None,
    alpha: float,
    signature: str,
) -> Report:
    """One row a challenger: the means, their difference with † and ‡, and the five groups of topics."""
    rows, records, marks = [], [], []
    by = "" if correction is None else f" ({CORRECTION_NAMES[correction]})"
    p, ipso_p = f"p{by}", f"IPSO p{by}"
    for challenger, result in results.items():
        rows.append(
            {
                "challenger": challenger,
                "mean": result.challenger,
                "champion's": result.champion,
                "difference": result.difference,
                p: result.p_adjusted,
                **result.topics,
                ipso_p: result.ipso_p_adjusted,
                "least p": result.least_p,
                "greatest p": result.greatest_p,
            }
        )
        marks.append("†" * result.significant + "‡" * result.corroborated)
        values = asdict(result)
        counts = values.pop("topics")
        means = {f"{side}_mean": values.pop(side) for side in ("challenger", "champion")}
        records.append(
            {
                "challenger": challenger,
                "champion": champion,
                "measure": measure,
                "ipso": ordering,
                **means,
                **values,
                **counts,
                "signature": signature,
            }
        )
    drawn = max((each.resamples or 0 for each in results.values()), default=0)
    how = {"test": test, "n_resamples": drawn or None, "correction": correction, "alpha": alpha}
    family = f"all {len(results)} challengers"
    if correction is None:
        family = "one challenger" if len(results) == 1 else "each challenger by itself"
    words = how_tested({**how, "family": family})
    same = "same α" if correction is None else "same correction and α"
    scores = dict.fromkeys(("mean", "champion's"), ".4f") | {"difference": "+.4f"}
    return Report(
        title=f"{measure}: challengers against the champion {champion}, corroborated by {ordering}",
        tables=(
            Table(
                "",
                pl.DataFrame(rows),
                scores | dict.fromkeys((p, ipso_p, "least p", "greatest p"), P_VALUE),
                {"difference": marks},
            ),
        ),
        rows=pl.DataFrame(records),
        notes=(
            f"† the difference of the means (challenger less champion) is significant: {words}. "
            f"‡ {ordering} is too, in the same direction (exact sign test of ni against ns, {same}).",
            "Topics from the challenger's side: ni ahead, ns behind, = equal, ** both (non-separable); "
            "ni-first: the challenger was ahead first, ns-first: the champion. IPSO p tests ni against "
            "ns on these topics; it does not speak of every metric. A metric may decide each ** topic "
            "either way: least p and greatest p are those of the sign test over all these ways, not "
            "corrected. A metric that ties on ni and ns topics, as P and RR do, can be outside them.",
        ),
        facts={"champion": champion, "measure": measure, "ipso": ordering},
        signatures=(signature,),
    )
