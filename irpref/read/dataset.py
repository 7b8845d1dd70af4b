"""A dataset of ir_datasets by its id, and its qrels."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

from irpref.base.errors import InputError, refusing


def qrels_of_dataset(path: str | os.PathLike[str]) -> Iterable[Any] | None:
    """The qrels of the dataset that a text names, as the command of ir_measures takes them.

    None if a file has this name, if no dataset has it, or if ir_datasets is not installed. ir_datasets
    may download the qrels.

    Raises:
        InputError: The dataset has no qrels, or they cannot be read.
    """
    name = os.fspath(path)
    dataset = dataset_named(name)
    if dataset is None:
        return None
    if not dataset.has_qrels():
        raise InputError("this dataset of ir_datasets has no qrels", source=name)
    # A download fails in many ways.
    with refusing("ir_datasets cannot read its qrels", Exception, source=name):
        return list(dataset.qrels_iter())


def dataset_named(name: str) -> Any | None:
    """The dataset of ir_datasets with this id; None if a file has this name, or no dataset has."""
    if os.path.lexists(name) or find_spec("ir_datasets") is None:
        return None
    import ir_datasets

    try:
        return ir_datasets.load(name)
    except KeyError:
        return None
