"""Qrels and runs of ranx: as plain dicts, as copies, and what options of reading mean for them.

ranx sorts and completes what it gets, so it gets copies.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba.typed import List as TypedList
from ranx import Qrels, Run
from ranx.data_structures.common import sort_dict_by_key

from irpref import Reading
from irpref.for_adapters import Floats, Integers, from_keywords, shortened

# Arrays of names have a multiple of this as width, since numba compiles for every width.
_WIDTH = 32


def documents_by_topic(data: Any) -> Any:
    """The content of a ``Qrels`` or ``Run``, as ``{topic: {document: number}}``.

    ranx's own ``to_dict`` gives the same, some hundred times slower.

    Args:
        data: A ``Qrels`` or ``Run``, which stays unchanged. The function returns any other object as it is.

    Example:
        >>> documents_by_topic({"q_1": {"d_1": 2.0}})
        {'q_1': {'d_1': 2.0}}
    """
    if not isinstance(data, Qrels | Run):
        return data
    typed = data.qrels if isinstance(data, Qrels) else data.run
    names = numba.typeof(typed).value_type.key_type  # type: ignore[no-untyped-call, unused-ignore]
    # ranx keeps names as characters of one width, or as strings if they came one by one.
    width = getattr(names, "count", None) or -(-_longest(typed) // _WIDTH) * _WIDTH
    documents, numbers, lengths = _flattened(typed, np.empty(0, dtype=f"<U{width}"))
    pairs = zip(documents.tolist(), numbers.tolist(), strict=True)
    return {
        topic: dict(islice(pairs, length))
        for topic, length in zip(typed, lengths.tolist(), strict=True)
    }


@numba.njit(cache=True)
def _longest(typed: Any) -> int:
    longest = 1
    for documents in typed.values():
        for document in documents:
            longest = max(longest, len(document))
    return longest


@numba.njit(cache=True)
def _flattened(
    typed: Any, like: npt.NDArray[np.str_]
) -> tuple[npt.NDArray[np.str_], Floats, Integers]:
    """Documents and numbers of all topics, one after another, and how many each topic has."""
    lengths = np.empty(len(typed), dtype=np.int64)
    for topic, documents in enumerate(typed.values()):
        lengths[topic] = len(documents)
    names = np.empty(lengths.sum(), dtype=like.dtype)
    numbers = np.empty(lengths.sum(), dtype=np.float64)
    row = 0
    for documents in typed.values():
        for document, number in documents.items():
            names[row] = document
            numbers[row] = number
            row += 1
    return names, numbers, lengths


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
    of_metrics = "would not reach ranx's own metrics: write it at each metric, as in 'rpp@100-l2'"
    for name, why in {
        "lists": "has nothing to keep here: irpref.collect(qrels, runs, lists=…) keeps the first documents "
        "of every run",
        "columns": "has nothing to name here: irpref.compare(qrels, runs, columns=…) reads tables",
        "depth": of_metrics,
        "rel": of_metrics,
    }.items():
        if getattr(reading, name) is not None:
            raise ValueError(f"{name}= {why}")
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


def for_ranx(qrels: Any, run: Any, *, make_comparable: bool = False) -> tuple[Any, Any]:
    """Qrels and run such that ``ranx.evaluate`` pairs their topics by name, and changes neither.

    Args:
        qrels: A ``Qrels``, ``{topic: {document: grade}}``, or the array or typed list that ranx takes.
        run: A ``Run``, ``{topic: {document: score}}``, or the array or typed list that ranx takes.
        make_comparable: Whether ranx will complete the run.

    Raises:
        ValueError: ranx takes neither, or needs whole grades.

    Example:
        >>> for_ranx({"q_2": {"d": 1}, 1: {"d": 1}}, {"1": {"d": 0.5}, "q_2": {7: 0.5}})[1]
        {'q_2': {'7': 0.5}, '1': {'d': 0.5}}
    """
    if isinstance(qrels, Mapping) and isinstance(run, Mapping):
        grades, scores = with_text_names(qrels), with_text_names(run)
        complete = not make_comparable or grades.keys() == scores.keys()
        # ranx pairs the topics of dicts by their order, does not complete them, and fails at empty ones.
        if complete and all(grades.values()) and all(scores.values()):
            in_order = dict.fromkeys([*grades, *scores])
            return grades, {topic: scores[topic] for topic in in_order if topic in scores}
    arrays = TypedList | np.ndarray
    return (
        qrels if isinstance(qrels, arrays) else own_qrels(qrels),
        run if isinstance(run, arrays) else own_run(run, make_comparable=make_comparable),
    )


def own_qrels(qrels: Any) -> Qrels:
    """A ``Qrels`` with the same judgments, which ranx may sort.

    Args:
        qrels: A ``Qrels``, or ``{topic: {document: grade}}``.

    Raises:
        ValueError: It is neither, or a grade is not a whole number, which a ``Qrels`` needs.
    """
    if isinstance(qrels, Qrels):
        return copy.copy(qrels)
    if not isinstance(qrels, Mapping):
        raise ValueError(
            f"the qrels are a {type(qrels).__name__}, and ranx's metrics need Qrels or {{topic: "
            "{document: grade}} (Qrels.from_file and Qrels.from_df make Qrels)"
        )
    for topic, grades in qrels.items():
        for document, grade in grades.items():
            if grade != int(grade):
                raise ValueError(
                    f"ranx's metrics need whole grades, but topic {topic}, document {document} has "
                    f"{grade}"
                )
    return Qrels(with_text_names(qrels))


def own_run(run: Any, name: str | None = None, *, make_comparable: bool = False) -> Run:
    """A ``Run`` with the same scores, which ranx may sort and complete.

    The scores of metrics that ranx saves in the copy, it saves in the given ``Run`` too.

    Args:
        run: A ``Run``, or ``{topic: {document: score}}``.
        name: The name of the new run.
        make_comparable: Whether ranx will add and remove topics.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(run, Run):
        own = copy.copy(run)
        if make_comparable:
            # Of ranx's functions, only this one copies the outer dict and keeps the order of documents.
            own.run = sort_dict_by_key(run.run)
        own.name = name
        return own
    _check_run(run, name)
    return Run(with_text_names(run), name=name)


def only_judged(run: Any, judged: Mapping[str, Mapping[str, Any]], name: str | None = None) -> Any:
    """The run without its unjudged documents, as ``judged_only`` means.

    The scores of metrics that ranx saves in a new ``Run``, it saves in the given one too.

    Args:
        run: A ``Run``, or ``{topic: {document: score}}``.
        judged: The judged documents by topic.
        name: The name of the run in errors.

    Raises:
        ValueError: Nothing is left, or it is neither.

    Example:
        >>> only_judged({"q_1": {"d_1": 2.0, "d_2": 1.0}}, {"q_1": {"d_2": 0}})
        {'q_1': {'d_2': 1.0}}
    """
    _check_run(run, name)
    left = {
        topic: {d: score for d, score in scores.items() if d in judged.get(topic, {})}
        for topic, scores in with_text_names(documents_by_topic(run)).items()
    }
    if not any(left.values()):
        raise ValueError(
            f"{_called(name)}: judged_only leaves nothing, since no document is judged"
        )
    if not isinstance(run, Run):
        return left
    own = Run(left, name=run.name)
    own.scores, own.mean_scores, own.std_scores = run.scores, run.mean_scores, run.std_scores
    return own


def with_text_names(data: Mapping[Any, Mapping[Any, Any]]) -> dict[str, dict[str, Any]]:
    """The same dict, with texts as names of topics and documents.

    Example:
        >>> with_text_names({1: {7: 0.5}})
        {'1': {'7': 0.5}}
    """
    return {
        str(topic): {str(document): number for document, number in documents.items()}
        for topic, documents in data.items()
    }


def _check_run(run: Any, name: str | None) -> None:
    if not isinstance(run, Run | Mapping):
        raise ValueError(
            f"{_called(name)} is a {type(run).__name__}, and ranx's metrics need a Run or {{topic: "
            "{document: score}} (Run.from_file and Run.from_df make a Run)"
        )


def _called(name: str | None) -> str:
    return "the run" if name is None else f"run {shortened(name)!r}"
