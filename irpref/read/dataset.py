"""The qrels of a dataset of ir_datasets, by its id."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

__all__ = ["qrels_of_dataset"]


def qrels_of_dataset(path: str | os.PathLike[str]) -> Iterable[Any] | None:
    """The qrels of the dataset that a text names, as the command of ir_measures takes them.

    None if a file has this name, if no dataset has it, or if ir_datasets is not installed. ir_datasets
    may download the qrels.
    """
    name = os.fspath(path)
    if os.path.lexists(name) or find_spec("ir_datasets") is None:
        return None
    import ir_datasets

    try:
        dataset = ir_datasets.load(name)
    except KeyError:
        return None
    qrels: Iterable[Any] | None = dataset.qrels_iter() if dataset.has_qrels() else None
    return qrels
