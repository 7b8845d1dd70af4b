"""The demo collection as PyTerrier has it, for the tests of its adapter."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyterrier as pt

import irpref
from irpref import demo_paths
from irpref.methods.preferences import rrLP

QRELS_PATH, RUN_PATHS = demo_paths()
QRELS = pt.io.read_qrels(str(QRELS_PATH))
FRAMES = {path.stem: pt.io.read_results(str(path)) for path in RUN_PATHS}
TOPICS = pd.DataFrame({"qid": list(dict.fromkeys(QRELS["qid"])), "query": "any"})
CORE = irpref.compare(
    QRELS_PATH, RUN_PATHS, [irpref.RPP, irpref.LP, irpref.LR, rrLP, irpref.IPSO @ 10]
)


class Counting(pt.Transformer):
    """Results from a frame, and how often they were asked for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.frame = FRAMES[name]
        self.asked: list[str] = []

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        self.asked.extend(inp["qid"])
        return inp[["qid", "query"]].merge(self.frame, on="qid")

    def __repr__(self) -> str:
        return f"Counting({self.name!r})"


def pipelines(*names: str) -> dict[str, Counting]:
    return {name: Counting(name) for name in names}


def column(frame: pd.DataFrame, name: str) -> dict[str, Any]:
    return dict(zip(frame["name"], frame[name], strict=True))
