"""What three papers say of missing labels, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from irpref.studies.claims import too_few_pairs, verdict_on
from irpref.studies.degradation import (
    AGREE,
    FREQUENCY,
    ITSELF,
    RECIPROCAL_RANK,
    TAU_B,
    TIED,
    UNIFORM,
)
from irpref.studies.degradation_claims import (
    Numbers,
    Sides,
    agreeing,
    best_case,
    higher,
    orders,
)
from irpref.study import Claim

__all__ = ["label_claims"]

_LEXIPRECISION, _LEXIRECALL = "Diaz 2023", "Diaz & Mitra 2023"


def label_claims(frame: pd.DataFrame, systems: int) -> Iterator[Claim]:
    """The claims on missing labels.

    Args:
        frame: The findings.
        systems: How many systems there are.
    """
    numbers = Numbers.of(frame).where(lambda kept: kept < 1)
    yield from _lexiprecision(numbers, systems)
    yield from _recall_paired(numbers, too_few_pairs(systems))
    yield from _lexirecall(numbers)


def _lexiprecision(numbers: Numbers, systems: int) -> Iterator[Claim]:
    yield from agreeing(
        numbers,
        (_LEXIPRECISION, "Figure 8a"),
        "with fewer labels, rrLP agrees with RR by all labels as often as RR does, or more (.005 less "
        "counts as equal)",
        ("rrLP", "RR"),
        of=AGREE,
        against=RECIPROCAL_RANK,
        way=UNIFORM,
        margin=0.005,
    )
    yield from best_case(numbers, "Figure 8a", "labels", systems, way=UNIFORM)
    yield from agreeing(
        numbers,
        (_LEXIPRECISION, "Abstract"),
        "lexiprecision is more robust than RR (read as: with fewer labels, its sign agrees more often with "
        "its own by all labels)",
        ("LP", "RR"),
        of=AGREE,
        against=ITSELF,
        way=UNIFORM,
    )
    if numbers.has("RR", "LP"):
        ties = {name: numbers.at(name, f"{TIED}, {UNIFORM}") for name in ("RR", "LP")}
        yield _ties_by_labels(ties["RR"], ties["LP"])


def _ties_by_labels(reciprocal: dict[float, float], lexicographic: dict[float, float]) -> Claim:
    place = (_LEXIPRECISION, "Figure 9")
    claim = "with more labels, RR ties more often and lexiprecision less often"
    kept = list(reciprocal)
    if len(kept) < 2:
        few = "it takes two shares of the labels below 1"
        return verdict_on(*place, claim, False, "", doubt=few)
    fewest, most = kept[0], kept[-1]
    holds = reciprocal[fewest] < reciprocal[most] and lexicographic[fewest] > lexicographic[most]
    said = "; ".join(
        f"{name} {ties[fewest]:.3f} at {fewest:g}, {ties[most]:.3f} at {most:g}"
        for name, ties in (("RR", reciprocal), ("LP", lexicographic))
    )
    doubt = "RR ties everywhere" if min(reciprocal.values()) == 1 else ""
    return verdict_on(*place, claim, holds, said, doubt=doubt)


def _recall_paired(numbers: Numbers, doubt: str) -> Iterator[Claim]:
    place, condition = ("Diaz & Ferraro 2022", "Figure 7"), f"{TAU_B}, {UNIFORM}"
    claim = "with fewer labels, RR loses more of the order of the systems than RPP"
    yield from orders(numbers, place, claim, ("RPP", "RR"), condition, doubt=doubt)
    half = numbers.where(lambda kept: kept <= 0.5)
    claim = "with half of the labels or fewer, AP loses more of the order of the systems than RPP"
    yield from orders(half, place, claim, ("RPP", "AP"), condition, doubt=doubt)
    yield from orders(
        numbers,
        place,
        "with fewer labels, RPP keeps as much of the order of the systems as nDCG (.05 less counts as "
        "equal)",
        ("RPP", "nDCG"),
        condition,
        margin=0.05,
        doubt=doubt,
    )


def _lexirecall(numbers: Numbers) -> Iterator[Claim]:
    for other in ("R@1000", "RP"):
        if not numbers.has("LR", other):
            continue
        decides = numbers.at(other, f"{AGREE}, strict, {UNIFORM}", ITSELF)
        doubt = "" if decides else f"{other} ties everywhere"
        for letter, way, removed in (
            ("a", UNIFORM, "at random"),
            ("b", FREQUENCY, "by frequency"),
        ):
            yield higher(
                (_LEXIRECALL, f"Figure 12{letter}"),
                f"with fewer labels (removed {removed}), LR ties less often than {other}",
                (other, "LR"),
                Sides.of(*(numbers.at(name, f"{TIED}, {way}") for name in (other, "LR"))),
                doubt=doubt,
            )
            yield from agreeing(
                numbers,
                (_LEXIRECALL, f"Figure 13{letter}"),
                f"with fewer labels (removed {removed}), LR agrees with itself by all labels more often "
                f"than {other} does (.005 less counts as equal)",
                ("LR", other),
                of=AGREE,
                against=ITSELF,
                way=way,
                margin=0.005,
                doubt=doubt,
            )
    if numbers.has("R@1000"):
        uniform, frequency = (
            numbers.at("R@1000", f"{AGREE}, strict, {way}", ITSELF) for way in (UNIFORM, FREQUENCY)
        )
        alike = "labels go alike in both ways, as equally many runs retrieve each"
        yield higher(
            (_LEXIRECALL, "Figure 13"),
            "R@1000 agrees with itself by all labels less often if labels are removed by frequency",
            ("at random", "by frequency"),
            Sides.of(uniform, frequency),
            doubt=alike if uniform and uniform == frequency else "",
        )
