"""The peers: trec_eval built here, pref_eval, IPSO's reference, and literal definitions."""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from cost import Cost, cost_here
from works import qrels_path, run_paths

from irpref.positions.placements import Placements

__all__ = ["FLAGS", "algorithm_1", "build_trec_eval", "ipso", "pref_eval", "relate"]

FLAGS = "-O3"
"""How the C compiler optimises trec_eval here; its own Makefile says -g, without optimising."""

Relation = Callable[[list[int], list[int]], object]
PREFERENCES = ("lexiprecision", "rrlexiprecision", "lexirecall", "rpp", "dcgrpp", "invrpp")


def build_trec_eval(checkout: Path, folder: Path) -> Path:
    """trec_eval, built in a copy of a checkout of usnistgov/trec_eval with :data:`FLAGS`."""
    copy = folder / "trec_eval"
    shutil.copytree(checkout, copy)
    (copy / "trec_eval").unlink(missing_ok=True)
    flags = f'CFLAGS={FLAGS} -w -I. -DVERSIONID=\\"benchmark\\"'
    subprocess.run(["make", "trec_eval", flags], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    return copy / "trec_eval"


def pref_eval(folder: Path, checkout: Path, systems: int) -> Cost:
    """A pair-topic by six preferences of diazf/pref_eval, the runs of some systems in memory."""
    sys.path.insert(0, str(checkout))
    trec_io, peer = (importlib.import_module(name) for name in ("util.trec_io", "pref_eval"))
    qrels = trec_io.read_qrels(str(qrels_path(folder)), None, None)
    paths = run_paths(folder)[:systems]
    runs = dict(trec_io.read_run(str(path), qrels, None) for path in paths)
    topics = len(next(iter(runs.values())))
    cost = cost_here(lambda: peer.get_prefs(0, runs, list(PREFERENCES), False))
    return cost.times(1 / (topics * systems * (systems - 1) / 2))


def ipso(checkout: Path, depth: int) -> Relation:
    """The comparison of JMMackenzie/IPSO."""
    sys.path.insert(0, str(checkout))
    with contextlib.redirect_stdout(io.StringIO()):
        compare = importlib.import_module("ipso").ipso_compare
    return lambda first, second: compare(first, second, depth)


def algorithm_1(first: Sequence[int], second: Sequence[int]) -> str:
    """Algorithm 1 of Moffat & Mackenzie 2024, literally."""
    cumulated = 0
    been_negative = been_positive = False
    for one, other in zip(first, second, strict=True):
        cumulated += one
        cumulated -= other
        if cumulated < 0:
            been_negative = True
        if cumulated > 0:
            been_positive = True
    if been_negative and been_positive:
        return "**"
    return "ni" if been_positive else "ns" if been_negative else "="


def relate(placements: Placements, depth: int, systems: int, relation: Relation) -> Cost:
    """A pair-topic by a function of two relevance vectors."""
    serps = []
    for topic in range(len(placements.topics)):
        positions = placements.positions[placements.rows(topic), :systems]
        vectors = np.zeros((depth, systems), dtype=int)
        row, column = np.nonzero(positions <= depth)
        vectors[positions[row, column] - 1, column] = 1
        serps.append(vectors.T.tolist())

    def compare() -> None:
        for vectors in serps:
            for first, second in itertools.combinations(vectors, 2):
                relation(first, second)

    return cost_here(compare).times(1 / (len(serps) * systems * (systems - 1) / 2))
