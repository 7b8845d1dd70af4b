"""A dataset of ir_datasets by its id: its qrels, and its texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Any

from irpref.base.errors import InputError, refusing

# Whether a dataset has it; what is missing if not; and what then cannot be read.
_PARTS = {
    "qrels": ("has_qrels", "qrels", "qrels"),
    "topic": ("has_queries", "texts of topics", "topics"),
    "document": ("has_docs", "texts of documents", "documents"),
}


def read_dataset(
    path: str | os.PathLike[str], part: str, read: Callable[[Any], Iterable[Any]]
) -> list[Any] | None:
    """A part of the dataset that a text names, as ir_measures' command names datasets.

    ir_datasets may download it.

    Args:
        path: The text.
        part: ``"qrels"``, or whose texts: ``"topic"`` or ``"document"``.
        read: Reads the part of the dataset.

    Returns:
        The part; None if a file has this name, if no dataset has it, or if ir_datasets is not installed.

    Raises:
        InputError: The dataset has no such part, or it cannot be read.
    """
    name = os.fspath(path)
    if os.path.lexists(name) or find_spec("ir_datasets") is None:
        return None
    import ir_datasets

    try:
        dataset = ir_datasets.load(name)
    except KeyError:
        return None
    has, missing, called = _PARTS[part]
    if not getattr(dataset, has)():
        raise InputError(f"this dataset of ir_datasets has no {missing}", source=name)
    # A download fails in many ways.
    with refusing(f"ir_datasets cannot read its {called}", Exception, source=name):
        return list(read(dataset))
