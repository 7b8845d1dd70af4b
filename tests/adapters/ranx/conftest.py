"""The demo collection and web12 as ranx reads them; ranx compiles anew for every length of name."""

from __future__ import annotations

from pathlib import Path

import pytest
from ranx import Qrels, Run

import irpref_ranx  # noqa: F401
from irpref.demo import demo_paths

Collection = tuple[Qrels, list[Run]]


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
