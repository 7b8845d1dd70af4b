"""Challengers against a champion as a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import polars as pl

from irpref.render.pair_tests import how_tested
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
    alpha: float,
    signature: str,
) -> Report:
    """One row a challenger: the means, their difference with † and ‡, and the five groups of topics."""
    rows, records, marks = [], [], []
    for challenger, result in results.items():
        rows.append(
            {
                "challenger": challenger,
                "mean": result.challenger,
                "champion's": result.champion,
                "difference": result.difference,
                "p": result.p,
                **result.topics,
                "IPSO p": result.ipso_p,
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
    how = {"test": test, "n_resamples": None, "correction": None, "alpha": alpha}
    words = how_tested({**how, "family": "each challenger by itself"})
    scores = dict.fromkeys(("mean", "champion's"), ".4f") | {"difference": "+.4f"}
    return Report(
        title=f"{measure}: challengers against the champion {champion}, corroborated by {ordering}",
        tables=(
            Table(
                "",
                pl.DataFrame(rows),
                scores | dict.fromkeys(("p", "IPSO p", "least p", "greatest p"), P_VALUE),
                {"difference": marks},
            ),
        ),
        rows=pl.DataFrame(records),
        notes=(
            f"† the difference of the means (challenger less champion) is significant: {words}. "
            f"‡ {ordering} is too, in the same direction (exact sign test of ni against ns, same α).",
            "Topics from the challenger's side: ni ahead, ns behind, = equal, ** both (non-separable); "
            "ni-first: the challenger was ahead first, ns-first: the champion. IPSO p tests ni against "
            "ns on these topics; it does not speak of every metric. A metric may decide each ** topic "
            "either way: least p and greatest p are those of the sign test over all these ways.",
        ),
        facts={"champion": champion, "measure": measure, "ipso": ordering},
        signatures=(signature,),
    )
