"""Results and other frames: ids become texts, and what cannot be used is named."""

from __future__ import annotations

from typing import Any

import pandas as pd

from irpref import InputError
from irpref.for_adapters import refuse_missing_columns, shown, text_of_id

_IDS = ("qid", "docno", "query_id", "doc_id")


def said(name: object) -> str:
    """The run of a system in a message: the system's name, short."""
    return f"run {shown(name)}"


def concerning(name: object, error: Exception) -> Exception:
    """The error of a host, which names no system, with the name of the system."""
    if isinstance(error, TypeError):
        return TypeError(f"{said(name)}: {error}")
    # pt.Experiment speaks of the system's text, or of its number.
    nothing = not isinstance(error, InputError) and "no results" in str(error)
    problem = "no document is retrieved for any of the topics" if nothing else str(error)
    return InputError(problem, source=said(name))


def check_results(results: pd.DataFrame, name: object) -> None:
    """Refuse results that lack a column or an id, or have a score that is no number.

    Raises:
        InputError: They do; the error names the run, and topic and document.
    """
    refuse_missing_columns(results.columns, ("qid", "docno", "score"), said(name))
    lacking = results["qid"].isna() | results["docno"].isna()
    _refuse(lacking, "the qid or docno is missing", results, name)
    if results["score"].dtype == object:
        wrong = pd.to_numeric(results["score"], errors="coerce").isna()
        _refuse(wrong, "the score {score!r} is not a number", results, name)


def _refuse(wrong: pd.Series[bool], problem: str, results: pd.DataFrame, name: object) -> None:
    if not wrong.any():
        return
    row = int(wrong.to_numpy().argmax())
    first = results.iloc[row]
    raise InputError(
        problem.format(score=first["score"]),
        source=said(name),
        line=row + 1,
        topic=str(first["qid"]),
        document=str(first["docno"]),
    )


def with_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy with ids as text, since PyTerrier distinguishes ids of different types."""
    texts = {
        column: pd.Series([_text(name) for name in frame[column]], index=frame.index, dtype=object)
        for column in ids_not_text(frame)
    }
    return frame.assign(**texts)


def ids_not_text(frame: pd.DataFrame) -> list[str]:
    """The columns of ids that are no texts."""
    return [
        column
        for column in _IDS
        if column in frame.columns
        and pd.api.types.infer_dtype(frame[column], skipna=False) != "string"
    ]


def _text(name: Any) -> Any:
    if pd.isna(name):
        return name
    if isinstance(name, bytes):
        return name.decode("utf-8", "surrogateescape")
    return text_of_id(name)
