"""``pt.pref.compare``: what ``pt.Experiment`` cannot show, as it sees each system by itself."""

# mypy: allow-untyped-calls
# (PyTerrier has types for some of its functions only)

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import ir_measures
import pandas as pd
import pyterrier as pt

import irpref
from irpref import Comparison, Reading, for_adapters

# Options of pt.Experiment that compare has itself, and those about the runs; others are for its tables.
_OWN = {"retr_systems", "topics", "qrels", "names", "kwargs"}
_OF_RUNS = {
    "batch_size",
    "filter_by_qrels",
    "filter_by_topics",
    "plan",
    "precompute_prefix",
    "validate",
    "verbose",
}


def compare(
    retr_systems: Any,
    topics: Any,
    qrels: Any,
    preferences: for_adapters.ComparedBy = for_adapters.DEFAULT_PREFERENCES,
    names: Sequence[str] | None = None,
    **options: Any,
) -> Comparison:
    """Run every pipeline once, by ``pt.Experiment``, and compare every pair as :func:`irpref.compare` does.

    Where all systems are result frames, ``irpref.compare(qrels, {name: frame})`` does without topics.

    Args:
        retr_systems: Pipelines or result frames: a list, or a dict by name.
        topics: See ``pt.Experiment``.
        qrels: See ``pt.Experiment``. STRPP reads a column ``iteration`` or ``subtopic``.
        preferences: Preferences and measures of irpref: see :func:`irpref.compare`.
        names: The name of each system, if ``retr_systems`` is a list.
        options: Those of :class:`irpref.Reading` (``order``, ``duplicates``, …), and those of
            ``pt.Experiment`` that are not about its table: filter_by_topics, batch_size, plan, ….

    Returns:
        The comparison, which leaves out topics without relevant items.

    Raises:
        ValueError: Two systems have one name, or :func:`irpref.compare` or ``pt.Experiment`` raises an
            error.
        TypeError: Neither has such an option.

    Example:
        >>> import pandas as pd
        >>> topics = pd.DataFrame({"qid": ["1"], "query": ["slugs"]})
        >>> qrels = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "label": [1, 1]})
        >>> def results(*documents):
        ...     rows = [("1", docno, -rank, rank) for rank, docno in enumerate(documents)]
        ...     return pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"])
        >>> systems = {"old": results("a", "c", "b"), "new": results("a", "b", "c")}
        >>> comparison = compare(systems, topics, qrels, ["RPP", "AP"])
        >>> comparison.per_topic("RPP", "new", "old").to_dict()
        {'1': 0.5}
    """
    host = set(inspect.signature(pt.Experiment).parameters)
    of_host = host & _OF_RUNS
    of_reading = {option.name for option in fields(Reading)}
    for name in (host - _OWN - _OF_RUNS) & set(options):
        raise TypeError(
            f"compare() takes no {name}=, which is for tables of pt.Experiment: ask the comparison, "
            "such as comparison.test(baseline=…)"
        )
    for_adapters.refuse_unknown_options("compare()", options, sorted(of_host | of_reading))
    criteria = for_adapters.as_criteria(preferences)  # before any pipeline runs
    if isinstance(retr_systems, Mapping):
        names = list(map(str, retr_systems))
        retr_systems = list(retr_systems.values())
    elif names is None:
        names = list(map(str, retr_systems))
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(
                f"{times} systems have the same name, {for_adapters.shown(name)}: give names="
            )

    seen: list[tuple[pd.DataFrame, pd.DataFrame]] = []

    def keep(judged: pd.DataFrame, run: pd.DataFrame) -> Iterator[tuple[str, float]]:
        """Stand in for a measure: keep what is evaluated, and say whose it was by the values.

        The value of each topic is the number of the run, or of its batch.
        """
        # PyTerrier may have further columns, such as numbers of its own called docid.
        subtopic = "subtopic" if "subtopic" in judged else "iteration"
        judged = judged.filter(["query_id", "doc_id", "relevance", subtopic])
        seen.append((judged, run.filter(["query_id", "doc_id", "score", "rank"])))
        return ((topic, len(seen) - 1) for topic in judged["query_id"].unique())

    evaluated = pt.Experiment(
        retr_systems,
        topics,
        qrels,
        [ir_measures.define(keep, "irpref", support_cutoff=False)],
        names=names,
        perquery=True,
        **{name: value for name, value in options.items() if name in of_host},
    )
    # A plan need not evaluate the systems in their order, so the table tells which run is whose.
    numbers = {
        name: values.dropna().astype(int).unique()
        for name, values in evaluated.groupby("name")["value"]
    }
    for name in names:
        if name not in numbers:
            raise ValueError(
                f"PyTerrier evaluated no {for_adapters.shown(name)}, as another system is equal to it: "
                "give one of them"
            )
    runs = {name: pd.concat([seen[number][1] for number in numbers[name]]) for name in names}
    judged = pd.concat([seen[number][0] for number in numbers[names[0]]])
    comparison: Comparison = irpref.compare(
        judged.sort_values("query_id", kind="stable"),  # as without batches
        runs,
        criteria,
        **{name: value for name, value in options.items() if name in of_reading},
    )
    return comparison
