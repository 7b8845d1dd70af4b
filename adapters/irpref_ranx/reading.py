"""The core's options of reading, as far as they mean something for ranx's runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ranx import Run

from irpref import Reading
from irpref.for_adapters import from_keywords, shortened


def reading_of(
    caller: Callable[..., Any],
    keywords: Mapping[str, Any],
    runs: Mapping[str, Any],
    *,
    make_comparable: bool,
) -> Reading:
    """How to read some runs, from the keywords of ``compare`` or ``evaluate``.

    Args:
        caller: The function that was called, for the error.
        keywords: The options of a :class:`irpref.Reading` that were given.
        runs: The runs by name.
        make_comparable: ranx's option.

    Raises:
        TypeError: There is no such option.
        ValueError: An option is unknown, means nothing for a ``Run`` or dict, or contradicts
            ``make_comparable``.

    Example:
        >>> reading_of(reading_of, {"judged_only": True}, {}, make_comparable=False).judged_only
        True
    """
    reading = from_keywords(Reading, caller, keywords)
    if reading.lists is not None:
        raise ValueError(
            "lists= has nothing to keep here: irpref.collect(qrels, runs, lists=…) keeps the first "
            "documents of every run"
        )
    if reading.columns is not None:
        raise ValueError(
            "columns= has nothing to name here: irpref.compare(qrels, runs, columns=…) reads tables"
        )
    for name in ("depth", "rel"):
        if getattr(reading, name) is not None:
            raise ValueError(
                f"{name}= would not reach ranx's own metrics: write it at each metric, as in 'rpp@100-l2'"
            )
    if make_comparable and reading.missing == "skip":
        raise ValueError(
            "make_comparable=True counts a topic that a run lacks as 0, and missing='skip' leaves it "
            "out: take one of them"
        )
    reading.check_names(runs)
    for name, run in runs.items():
        if not isinstance(run, Run | Mapping):
            continue
        kind = "a ranx Run" if isinstance(run, Run) else "a dict"
        if reading.order_of(name) == "rank":
            raise ValueError(
                f"run {shortened(name)!r}: {kind} has no ranks that order='rank' could follow: make it "
                "with the ranks, negated, as scores, or call irpref.compare(…, order='rank') with the "
                "file that has the ranks"
            )
        if reading.duplicates == "first":
            raise ValueError(
                f"run {shortened(name)!r}: {kind} has every document once in a topic, so "
                "duplicates='first' is too late (Run.from_file keeps the last score of a document): call "
                "irpref.compare(…, duplicates='first') with the file that has the duplicates"
            )
    return reading
