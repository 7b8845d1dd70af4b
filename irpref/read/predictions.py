"""One subset and split of a file of predictions that MTEB has saved."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Predictions(os.PathLike[str]):
    """A run in a file of predictions of MTEB, which may hold one for each subset and split of a task.

    It stands wherever a path of a run does. The file is read when the run is.

    Attributes:
        path: The file, which MTEB saves as ``<prediction folder>/<task>_predictions.json``.
        subset: The subset of the task, such as ``"de"``; None if the file has one only.
        split: The split, such as ``"test"``; None if the subset has one only.
        ignore_identical_ids: Leave out the documents that have the id of their topic. In some tasks, such
            as ArguAna, MTEB does so before it computes its measures, but saves them all the same.

    Example:
        >>> run = Predictions("e5/MIRACLRetrieval_predictions.json", subset="de", split="dev")
        >>> str(run)
        'e5/MIRACLRetrieval_predictions.json, subset de, split dev'
    """

    path: str | os.PathLike[str]
    subset: str | None = None
    split: str | None = None
    ignore_identical_ids: bool = False

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def __str__(self) -> str:
        parts = [("subset", self.subset), ("split", self.split)]
        said = [f"{kind} {name}" for kind, name in parts if name is not None]
        return ", ".join([os.fspath(self.path), *said])
