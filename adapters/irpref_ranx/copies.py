"""Qrels and runs as ranx may take them: it sorts and completes what it gets, so it gets copies."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
from numba.typed import List as TypedList
from ranx import Qrels, Run
from ranx.data_structures.common import sort_dict_by_key

from irpref.for_adapters import shortened
from irpref_ranx.convert import documents_by_topic


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


def topics_in_order(qrels: Any, run: Any) -> list[str]:
    """The topics of the qrels, in the order of ranx's scores by topic.

    ranx sorts the topics of its own objects, and leaves those of dicts in their order.

    Example:
        >>> topics_in_order({"q_2": {"d": 1}, "q_1": {"d": 1}}, {})
        ['q_2', 'q_1']
    """
    topics = list(map(str, qrels.keys()))
    return topics if isinstance(qrels, Mapping) and isinstance(run, Mapping) else sorted(topics)


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
    if not isinstance(run, Run):
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
    if not isinstance(run, Mapping):
        raise ValueError(
            f"{_called(name)} is a {type(run).__name__}, and ranx's metrics need a Run or {{topic: "
            "{document: score}} (Run.from_file and Run.from_df make a Run)"
        )


def _called(name: str | None) -> str:
    return "the run" if name is None else f"run {shortened(name)!r}"
