"""The demo collection and web12 as ranx reads them; ranx compiles anew for every length of name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ranx import Qrels, Run
from ranx.data_structures import Report

import irpref
from irpref import demo_paths
from irpref_ranx import compare, register

Collection = tuple[Qrels, list[Run]]
PREFERENCES = {
    "rpp": "RPP",
    "dcgrpp": "dcgRPP",
    "lp": "LP",
    "rrlp": "rrLP",
    "lr": "LR",
    "ipso@10": "IPSO@10",
    "RPP(weights='dcg')@100": "RPP(weights='dcg')@100",
    "lp@5-l2": "LP(rel=2)@5",
}
METRICS = ["map", *PREFERENCES, "tie_mrr@10"]


@pytest.fixture(scope="session", autouse=True)
def registered() -> None:
    register()


@pytest.fixture(scope="session")
def demo() -> Collection:
    qrels, runs = demo_paths()
    return Qrels.from_file(str(qrels)), [Run.from_file(str(run)) for run in runs]


@pytest.fixture(scope="session")
def web12_paths(shared_data: Path) -> tuple[Path, list[Path]]:
    qrels = shared_data / "web12" / "qrels.txt"
    if not qrels.exists():
        pytest.skip("shared data absent")
    return qrels, sorted((shared_data / "web12" / "runs").glob("*catb*.txt.gz"))


@pytest.fixture(scope="session")
def web12(web12_paths: tuple[Path, list[Path]]) -> Collection:
    qrels, runs = web12_paths
    return Qrels.from_file(str(qrels)), [
        Run.from_file(str(run), name=run.name.removesuffix(".txt.gz")) for run in runs
    ]


@pytest.fixture(scope="session")
def report(demo: Any) -> Report:
    return compare(*demo, METRICS, max_p=0.05)


@pytest.fixture(scope="session")
def comparison() -> irpref.Comparison:
    return irpref.compare(*demo_paths(), list(PREFERENCES.values()))
