"""Qrels and runs of ranx: as plain dicts, as copies, and what options of reading mean for them.

ranx sorts and completes what it gets, so it gets copies.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any

import numba
import numpy as np
from ranx import Qrels, Run
from ranx.data_structures.common import sort_dict_by_key

from irpref import Reading
from irpref.for_adapters import Floats, refuse_unknown_options, shortened

Lists = dict[str, dict[str, Any]]


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
    joined, numbers, lengths = _flattened(typed)
    documents = joined.split("\0") if len(numbers) else []
    pairs = iter(list(zip(documents, numbers.tolist(), strict=True)))
    return {
        topic: dict(islice(pairs, length)) for topic, length in zip(typed, lengths, strict=True)
    }


@numba.njit(cache=True)
def _flattened(typed: Any) -> tuple[str, Floats, list[int]]:
    """Documents and numbers of all topics, one after another, and how many each topic has."""
    # ranx keeps names as characters of one width, or as strings if they came one by one.
    names = [str(document) for documents in typed.values() for document in documents]
    numbers = [float(number) for documents in typed.values() for number in documents.values()]
    return "\0".join(names), np.array(numbers), [len(documents) for documents in typed.values()]


def lists_of(data: Any, called: str, kind: str) -> Lists:
    """The content of ranx's object or a dict as ``{topic: {document: number}}``, by texts.

    Args:
        data: A ``Qrels``, a ``Run`` or a dict.
        called: What it is called in errors.
        kind: What it should be: ``"Qrels"`` or ``"Run"``.

    Raises:
        ValueError: It is something else, or two topics are the same as text.

    Example:
        >>> lists_of({1: {7: 0.5}}, "the run", "Run")
        {'1': {'7': 0.5}}
    """
    if not isinstance(data, {"Qrels": Qrels, "Run": Run}[kind] | Mapping):
        raise ValueError(
            f"{called} is a {type(data).__name__}, and what ranx and irpref can both read is a {kind} or "
            f"{{topic: {{document: number}}}} ({kind}.from_file and {kind}.from_df make a {kind})"
        )
    given = documents_by_topic(data)
    lists = {
        str(topic): {str(document): number for document, number in documents.items()}
        for topic, documents in given.items()
    }
    if len(lists) < len(given):
        raise ValueError(
            f"{called}: two topics are the same as text, such as 1 and '1': give all one type"
        )
    return lists


_AT_METRICS = "write it at each metric, as in 'rpp@100-l2'"
_INSTEAD = {
    "order": "they have no ranks, so make them with the ranks, negated, as scores",
    "duplicates": "they have every document once (Run.from_file keeps the last score)",
    "missing": "make_comparable=True counts a topic that a run lacks as one without results",
    "depth": _AT_METRICS,
    "rel": _AT_METRICS,
}


def refuse_others(given: Mapping[str, Any], own: Sequence[str]) -> None:
    """Refuse what ``compare`` does not take, and say what to do instead.

    Options of reading mean nothing for ranx's runs and metrics; what is done without them may be said.

    Args:
        given: The options by name.
        own: Those that it takes.

    Raises:
        ValueError: An option is another call's.
        TypeError: There is no such option.

    Example:
        >>> refuse_others({"missing": "worst"}, [])
    """
    if "reference" in given:
        raise ValueError(
            "reference= is not for compare, which takes all pairs. One run over another: with "
            "irpref_ranx.reference(run): ranx.evaluate(…); all over one, irpref.compare and its baseline="
        )
    defaults = {option.name: option.default for option in fields(Reading)}
    refuse_unknown_options("compare()", [name for name in given if name not in defaults], own)
    for name, value in given.items():
        # What a run lacks is counted as the worst, where nobody says otherwise.
        if value != defaults[name] and (name, value) != ("missing", "worst"):
            instead = f": {_INSTEAD[name]}" if name in _INSTEAD else ""
            raise ValueError(
                f"{name}= is not for ranx's runs and metrics{instead}. irpref.compare(qrels, runs, "
                f"{name}=…) takes it, for files too"
            )


def copied_qrels(qrels: Any) -> Qrels:
    """A ``Qrels`` with the same judgments, which ranx may sort.

    Args:
        qrels: A ``Qrels``, or ``{topic: {document: grade}}``.

    Raises:
        ValueError: It is neither, or a grade is not a whole number, which a ``Qrels`` needs.
    """
    if isinstance(qrels, Qrels):
        return copy.copy(qrels)
    judged = lists_of(qrels, "the first argument (qrels)", "Qrels")
    for topic, grades in judged.items():
        for document, grade in grades.items():
            if grade != int(grade):
                raise ValueError(
                    f"ranx's metrics need whole grades, but topic {topic}, document {document} has "
                    f"{grade}"
                )
    return Qrels(judged)


def copied_run(run: Any, name: str, only: Lists | None = None) -> Run:
    """A ``Run`` with the same scores, which ranx may sort and complete.

    The scores of metrics that ranx saves in a copy of the whole ``Run``, it saves in the given one too.

    Args:
        run: A ``Run``, or ``{topic: {document: score}}``.
        name: The name of the new run.
        only: The documents by topic that it keeps, as ``judged_only`` means; by default all.

    Raises:
        ValueError: It is neither, or nothing is left.
    """
    if isinstance(run, Run) and only is None:
        new = copy.copy(run)
        # Of ranx's functions, only this one copies the outer dict and keeps the order of documents.
        new.run = sort_dict_by_key(run.run)
        new.name = name
        return new
    lists = lists_of(run, f"run {shortened(name)!r}", "Run")
    if only is not None:
        lists = {
            topic: {d: score for d, score in scores.items() if only.get(topic, {}).get(d, -1) >= 0}
            for topic, scores in lists.items()
        }
        if not any(lists.values()):
            raise ValueError(
                f"run {shortened(name)!r}: judged_only leaves nothing, since no document is judged"
            )
    return Run(lists, name=name)
