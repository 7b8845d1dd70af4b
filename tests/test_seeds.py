"""The seed is 0 by default: the same command writes the same bytes, and printing a result draws nothing."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import irpref
from irpref import PairTest, demo_paths
from irpref.base.keywords import seed
from irpref.cli.main import main
from irpref.report.report import Report, SeenAsReport, Worded
from irpref.stats.method import PairedTests
from tests.command_line import fail, process

QRELS, RUNS = demo_paths()
ROOT = Path(__file__).resolve().parent.parent
ALL, TWO = [str(QRELS), *map(str, RUNS)], [str(QRELS), *map(str, RUNS[:2])]
# With fewer resamples than sets of signs, signs are drawn.
FEW = ["--resamples", "60"]
DRAWING = {
    "baseline.txt": ["compare", *ALL, "-p", "RPP", "--baseline", "bm25", *FEW],
    "hsd.csv": ["compare", *TWO, "-p", "RPP", "--test", "hsd", *FEW],
    "randomization.tex": ["compare", *TWO, "-p", "RPP", "--test", "randomization", *FEW],
    "signs.txt": ["compare", *ALL, "-p", "LR", "--test", "fit", *FEW],
    "hsd.json": ["compare", *ALL, "--test", "hsd", *FEW],
    "page.html": ["compare", *TWO, "-p", "RPP", "--test", "hsd", *FEW],
    "corroborate.md": ["corroborate", *TWO, "-m", "AP@10", "--test", "randomization", *FEW],
    "study.txt": ["study", "ties", *ALL, "-p", "LP", *FEW],
    "study-without-data.txt": ["study", "worst-case", "--items", "500", "--samples", "50"],
    "ranks.svg": ["plot", "ranks", *ALL, *FEW],
    "matrix.svg": ["plot", "matrix", *ALL, "--test", "hsd", *FEW],
}
EVERY = pytest.mark.parametrize("name", DRAWING)


def written(name: str, folder: Path, *more: str) -> str:
    """What a command writes."""
    assert main([*DRAWING[name], *more, "-o", str(folder / name)]) == 0
    return (folder / name).read_text()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What all commands write in a process that has nothing in common with this one."""
    folder = tmp_path_factory.mktemp("process")
    program = (
        f"from tests.test_seeds import *\nfor name in DRAWING: written(name, Path({str(folder)!r}))"
    )
    done = process(
        *(sys.executable, "-W", "ignore", "-c", program),
        cwd=ROOT,
        # Another order of sets than here.
        env={
            **os.environ,
            "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1",
        },
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
@EVERY
def test_the_same_command_writes_the_same_bytes_as_with_seed_0(
    name: str, elsewhere: Path, tmp_path: Path
) -> None:
    assert written(name, tmp_path, "--seed", "0").encode() == (elsewhere / name).read_bytes()


@pytest.fixture(scope="module")
def drawn() -> set[str]:
    """The seeds that commands have drawn: no two are the same."""
    return {"0"}


@pytest.mark.slow
@EVERY
@pytest.mark.filterwarnings("ignore")
def test_seed_none_draws_a_seed_and_shows_it(name: str, drawn: set[str], tmp_path: Path) -> None:
    text = written(name, tmp_path, "--seed", "none")
    # In a picture, a comment says what its letters are.
    (seed,) = set(re.findall(r"(?:\brng:|\bseed )(\d+)", text))
    assert seed not in drawn
    drawn.add(seed)
    assert written(name, tmp_path, "--seed", seed) == text


@pytest.mark.parametrize("command", ["compare", "corroborate"])
def test_seed_none_is_refused_where_nothing_is_drawn(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {"compare": [], "corroborate": ["-m", "AP"]}[command]
    said = fail(capsys, command, *TWO, *words, "--test", "t", "--seed", "none")
    assert "--seed is for random numbers, and no test here draws any (t)" in said


def test_a_test_without_rng_has_seed_0_and_none_draws_one() -> None:
    compared = irpref.compare(QRELS, RUNS, "RPP")
    found = [
        compared.test(test=irpref.PairTest(method="hsd", n_resamples=99, **more))
        for more in ({}, {"rng": 0})
    ]
    assert found[0].attrs["rng"] == 0
    assert found[0].equals(found[1])
    for how in (PairTest(rng=None, n_resamples=99), PairTest(rng=None, n_resamples=99)):
        board = compared.leaderboard(test=how)
        again = PairTest(rng=board.attrs["rng"], n_resamples=99)
        assert f"|rng:{board.attrs['rng']}|" in board.attrs["signature"]
        assert board.equals(compared.leaderboard(test=again))
    assert board.attrs["rng"] != 0


def seeds_by_default() -> Iterator[tuple[str, object]]:
    """The default of every argument and field that is a seed, where there is one."""
    for path in (*ROOT.glob("irpref/**/*.py"), *ROOT.glob("adapters/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            given: list[tuple[str, ast.expr | None]] = []
            if isinstance(node, ast.FunctionDef):
                asked = node.args
                placed = [*asked.posonlyargs, *asked.args][::-1]
                given += [(a.arg, v) for a, v in zip(placed, asked.defaults[::-1], strict=False)]
                given += [
                    (a.arg, v) for a, v in zip(asked.kwonlyargs, asked.kw_defaults, strict=True)
                ]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                value = node.value
                if isinstance(value, ast.Call) and ast.unparse(value.func) == "seed":
                    value = ast.Constant(seed("anything").default)
                elif isinstance(value, ast.Call):
                    value = next((k.value for k in value.keywords if k.arg == "default"), None)
                given.append((node.target.id, value))
            for name, value in given:
                if name in ("rng", "seed", "random_seed") and isinstance(value, ast.Constant):
                    yield f"{path.relative_to(ROOT)}:{node.lineno} {name}", value.value


def test_every_seed_is_0_by_default() -> None:
    found = dict(seeds_by_default())
    assert len(found) >= 7
    assert {place: value for place, value in found.items() if value != 0} == {}


def saved(data: irpref.Collection) -> irpref.Collection:
    """The collection, read from a file that is gone once it was read."""
    with TemporaryDirectory() as folder:
        data.save(f"{folder}/all.irpref")
        found = irpref.collect(f"{folder}/all.irpref")
        assert found.topics == data.topics
    return found


def results() -> dict[str, Callable[[], SeenAsReport | Report]]:
    """One of every kind of result that people see as its report, made of tests with drawn seeds."""
    draws = PairTest(method="randomization", rng=None, n_resamples=600)
    data = irpref.collect(QRELS, RUNS)
    tasks = {name: data.select(topics=data.topics[n::2]) for n, name in enumerate("ab")}
    return {
        "Collection": lambda: data,
        "SavedCollection": lambda: saved(data),
        "Coverage": lambda: data.coverage,
        "Comparison": data.compare,
        "Summary": lambda: data.compare().summary,
        "TaskComparison": lambda: irpref.compare_tasks(tasks),
        "Report": lambda: data.compare().report(test=draws),
        "Explanation": lambda: data.compare().explain("6", "bm25", "tfidf"),
        "Corroboration": lambda: data.corroborate("bm25", "tfidf", measure="AP", test=draws),
        "Plan": lambda: irpref.plan("RPP", difference=0.2, pilot=data.compare()),
        "Study": lambda: irpref.studies.ties(data, "LP", rng=None, n_resamples=60),
    }


def kinds(of: type[SeenAsReport] = SeenAsReport) -> Iterator[str]:
    for kind in of.__subclasses__():
        # A base has no fields, or is there for one field.
        if is_dataclass(kind) and kind is not Worded:
            yield kind.__name__
        yield from kinds(kind)


@cache
def result(kind: str) -> SeenAsReport | Report:
    return results()[kind]()


def test_every_result_is_printed_below() -> None:
    made = {name: type(result(name)).__name__ for name in results()}
    assert made == {kind: kind for kind in ("Report", *kinds())}


@pytest.mark.parametrize("kind", results())
def test_printing_a_result_twice_draws_and_tests_nothing(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = result(kind)
    # A comparison is tested when people look at it for the first time.
    seen = str(made)

    def refuse(*given: object, **options: Any) -> None:
        raise AssertionError("something was drawn or tested")

    monkeypatch.setattr(np.random, "default_rng", refuse)
    monkeypatch.setattr(PairedTests, "__init__", refuse)
    for show in (str, repr, type(made)._repr_html_):
        assert show(made) == show(made) != ""
    assert str(made) == seen
