"""R, recall, and TieR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irpref.base.named import preset
from irpref.methods.measures.precision import RelevantRetrieved


@dataclass(frozen=True, kw_only=True, repr=False)
class Recall(RelevantRetrieved):
    """The share of the relevant items that is retrieved, within k (McSherry & Najork 2008, section 2.2).

    The divisor is the number of relevant items in the qrels.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import R
        >>> R(rel=2) @ 100
        R(rel=2)@100
    """

    name: ClassVar[str] = "R"


R = Recall()
TieR = preset("TieR", R, ties="expected")
