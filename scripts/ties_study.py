"""How far tied scores move the systems of a collection: the numbers of the documentation's page on ties.

    python scripts/ties_study.py ../shared/data/trec-covid-r5 ../shared/data/llmjudge

A collection is a folder with ``qrels.txt`` and ``runs/``.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

import irpref
from irpref.methods.measures import AP, RR, P, RankedItems, nDCG, tie_spread

MEASURES = (RR, RR @ 10, P @ 10, nDCG @ 10, AP)


def study(folder: Path) -> str:
    """A Markdown table: what the order of ties does to each measure."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        collection = irpref.collect(folder / "qrels.txt", sorted((folder / "runs").iterdir()))
    ranked = RankedItems.of(collection.placements)
    lines = [
        f"{len(collection.systems)} systems, {len(collection.topics)} topics of `{folder.name}`:",
        "",
        "| measure | largest spread (best less worst mean) | median spread | systems whose rank changes "
        "| largest change | topics unsettled |",
        "|---|---|---|---|---|---|",
    ]
    for measure in MEASURES:
        spread = tie_spread(ranked, measure)
        width = spread["spread"]
        widest = collection.systems[int(width.argmax())]
        moved = np.abs(rankdata(-spread["trec"]) - rankdata(-spread["expected"]))
        lines.append(
            f"| {measure} | {width.max():.3f} ({widest}) | {np.median(width):.4f} "
            f"| {np.count_nonzero(moved)} | {moved.max():g} ranks | {spread['unsettled'].mean():.1%} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    for folder in parser.parse_args().folders:
        print(study(folder), end="\n\n")


if __name__ == "__main__":
    main()
