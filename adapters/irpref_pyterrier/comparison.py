"""``pt.pref.compare``: run pipelines, and compare every pair of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import irpref
from irpref import Comparison
from irpref.for_adapters import DEFAULT_PREFERENCES, ComparedBy
from irpref_pyterrier.options import split_options
from irpref_pyterrier.systems import prepare
from irpref_pyterrier.tables import PLACEHOLDER

# Options of pt.Experiment for its table, which compare does not give.
_OF_TABLES = (
    *("baseline", "correction", "correction_alpha", "dataframe", "eval_metrics", "highlight"),
    *("perquery", "round", "test", "columns"),
)


def compare(
    retr_systems: Any,
    topics: Any,
    qrels: Any,
    preferences: ComparedBy = DEFAULT_PREFERENCES,
    names: Sequence[str] | None = None,
    *,
    filter_by_qrels: bool = False,
    filter_by_topics: bool = True,
    **options: Any,
) -> Comparison:
    """Run every pipeline once and compare every pair of them, as :func:`irpref.compare` does.

    Args:
        retr_systems: Pipelines or result frames: a list, or a dict by name.
        topics: See ``pt.Experiment``; None if all systems are result frames.
        qrels: See ``pt.Experiment``.
        preferences: See :func:`irpref.compare`.
        names: The name of each system.
        filter_by_qrels: See ``pt.Experiment``.
        filter_by_topics: See ``pt.Experiment``.
        options: Those of :class:`irpref.Reading` (``order``, ``duplicates``, …), and further ones of
            ``pt.Experiment``: batch_size, verbose, validate, save_dir, save_mode, save_format, plan.

    Returns:
        The comparison, which leaves out topics without relevant items.

    Raises:
        ValueError: Two systems have one name, or :func:`irpref.compare` or ``pt.Experiment`` raises an
            error.
        TypeError: Neither has such an option.
    """
    reading, hosts = split_options(compare, options, but=_OF_TABLES)
    systems = prepare(
        retr_systems,
        topics,
        qrels,
        names,
        filter_by_qrels=filter_by_qrels,
        filter_by_topics=filter_by_topics,
    )
    for name, times in Counter(systems.names).items():
        if times > 1:
            raise ValueError(f"{times} systems have the same name, {name!r}; give names=")
    if topics is None:
        if hosts:
            raise TypeError(f"without topics no pipeline runs: leave {', '.join(hosts)} out")
        frames = systems.frames()
    else:
        frames = systems.run([PLACEHOLDER], **hosts)[1]
    runs = dict(zip(systems.names, frames, strict=True))
    comparison: irpref.Comparison = irpref.compare(systems.qrels, runs, preferences, **reading)
    return comparison
