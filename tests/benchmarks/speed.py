"""Speed as ratios to peers, measured in one run on one machine.

    python tests/benchmarks/make_collection.py /tmp/robust
    python tests/benchmarks/speed.py memory /tmp/robust --pref-eval CHECKOUT_OF_diazf/pref_eval \
        --ipso CHECKOUT_OF_JMMackenzie/IPSO
    python tests/benchmarks/speed.py files /tmp/robust [--trec-eval PATH_OF_trec_eval]
    python tests/benchmarks/speed.py select FOLDER_WITH_qrels.txt_AND_runs/
    python tests/benchmarks/speed.py significance FOLDER_WITH_qrels.txt_AND_runs/
    python tests/benchmarks/speed.py recommendation
    python tests/benchmarks/speed.py start

Each line names the peer, the data and the ratio.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import importlib
import io
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import irpref
from irpref import IPSO, LP, LR, RPP, dcgRPP, invRPP, rrLP
from irpref.choices import DEFAULT_PREFERENCES
from irpref.demo import demo_paths
from irpref.names import parse
from irpref.preferences import Preference
from irpref.project.placements import Placements
from irpref.project.placing import place_runs
from irpref.summarise.totals import sum_topics

SIX: list[Preference] = [LP, rrLP, LR, RPP, dcgRPP, invRPP]
# What is measured on a collection.
FOLDERS = ("memory", "files", "select", "significance")
PEER_NAMES = ["lexiprecision", "rrlexiprecision", "lexirecall", "rpp", "dcgrpp", "invrpp"]


def timed(work: Callable[[], Any], *, times: int = 1) -> tuple[float, Any]:
    """The least of some wall times, and the last result."""
    best, result = float("inf"), None
    for _ in range(times):
        begun = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - begun)
    return best, result


def run_paths(folder: Path) -> list[Path]:
    return sorted((folder / "runs").iterdir())


def memory(folder: Path, pref_eval: Path | None, ipso: Path | None, sample: int) -> None:
    """All pairs in memory: six preferences against pref_eval, IPSO against a literal Algorithm 1."""
    collection, _ = place_runs(folder / "qrels.txt", run_paths(folder))
    pair_topics = (
        len(collection.topics) * len(collection.systems) * (len(collection.systems) - 1) / 2
    )
    ours, _ = timed(lambda: sum_topics(collection, SIX), times=3)
    print(f"irpref, six preferences, {pair_topics:,.0f} pair-topics: {ours:.2f} s")
    if pref_eval is not None:
        theirs = peer_preferences(folder, pref_eval, sample)
        print(
            f"pref_eval, the same on {sample} runs: {theirs * 1e6:.0f} µs a pair-topic; "
            f"irpref is {theirs / (ours / pair_topics):.0f} × as fast"
        )
    for depth in (10, 100):
        preference = IPSO @ depth
        ours, _ = timed(lambda preference=preference: sum_topics(collection, [preference]), times=3)
        peers = [("a literal Algorithm 1 in Python", algorithm_1)]
        if ipso is not None:
            peers.append(("JMMackenzie/IPSO", reference_ipso(ipso, depth)))
        for name, peer in peers:
            theirs = literal_ipso(collection, depth, sample, peer)
            print(
                f"{preference}: {ours:.2f} s; {name}: {theirs * 1e6:.1f} µs a pair-topic; "
                f"irpref is {theirs / (ours / pair_topics):.0f} × as fast"
            )


def peer_preferences(folder: Path, checkout: Path, sample: int) -> float:
    """Seconds a pair-topic that pref_eval takes, its position vectors given."""
    sys.path.insert(0, str(checkout))
    trec_io = importlib.import_module("util.trec_io")
    peer = importlib.import_module("pref_eval")
    qrels = trec_io.read_qrels(str(folder / "qrels.txt"), None, None)
    runs = dict(trec_io.read_run(str(path), qrels, None) for path in run_paths(folder)[:sample])
    topics = len(next(iter(runs.values())))
    seconds, _ = timed(lambda: peer.get_prefs(0, runs, PEER_NAMES, False))
    return seconds / (topics * sample * (sample - 1) / 2)


def reference_ipso(checkout: Path, depth: int) -> Callable[[list[int], list[int]], object]:
    """The comparison of the paper's own code."""
    sys.path.insert(0, str(checkout))
    with contextlib.redirect_stdout(io.StringIO()):
        compare = importlib.import_module("ipso").ipso_compare
    return lambda first, second: compare(first, second, depth)


def literal_ipso(
    collection: Placements,
    depth: int,
    sample: int,
    relate: Callable[[list[int], list[int]], object],
) -> float:
    """Seconds a pair-topic that a function of two relevance vectors takes."""
    serps = []
    for topic in range(len(collection.topics)):
        positions = collection.positions[collection.rows(topic), :sample]
        vectors = np.zeros((depth, sample), dtype=int)
        row, column = np.nonzero(positions <= depth)
        vectors[positions[row, column] - 1, column] = 1
        serps.append(vectors.T.tolist())

    def compare() -> None:
        for vectors in serps:
            for first, second in itertools.combinations(vectors, 2):
                relate(first, second)

    seconds, _ = timed(compare)
    return seconds / (len(serps) * sample * (sample - 1) / 2)


def algorithm_1(first: Sequence[int], second: Sequence[int]) -> str:
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


def files(folder: Path, trec_eval: Path | None) -> None:
    """Run files to six mean matrices and IPSO counts, against reading them alone."""
    code = (
        "import sys, resource\n"
        "from pathlib import Path\n"
        "import irpref\n"
        "from irpref import *\n"
        "runs = sorted((Path(sys.argv[1]) / 'runs').iterdir())\n"
        "c = irpref.compare(Path(sys.argv[1]) / 'qrels.txt', runs,\n"
        "    [LP, rrLP, LR, RPP, dcgRPP, invRPP, IPSO @ 10])\n"
        "assert all(c.mean(p).shape[0] == len(runs) for p in c.preferences)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", code, str(folder)]
    ours, done = timed(
        lambda: subprocess.run(command, check=True, capture_output=True, text=True), times=3
    )
    paths = run_paths(folder)
    print(f"irpref, {len(paths)} files to seven results: {ours:.2f} s, {float(done.stdout):.0f} MB")
    reading, _ = timed(lambda: [parse_run(path) for path in paths])
    print(
        f"pytrec_eval.parse_run of the same files: {reading:.2f} s; irpref takes "
        f"{ours / reading:.2f} × that"
    )
    if trec_eval is not None:
        measures = ["-m", "all_trec"]
        with tempfile.TemporaryDirectory() as scratch:
            seconds = 0.0
            for path in paths:
                plain = path
                if path.suffix == ".gz":
                    plain = Path(scratch) / path.stem
                    plain.write_bytes(gzip.decompress(path.read_bytes()))
                seconds += timed(
                    lambda plain=plain: subprocess.run(
                        [trec_eval, *measures, folder / "qrels.txt", plain],
                        check=True,
                        stdout=subprocess.DEVNULL,
                    )
                )[0]
        print(
            f"trec_eval reading and evaluating the same files: {seconds:.2f} s; irpref takes "
            f"{ours / seconds:.2f} × that"
        )


def parse_run(path: Path) -> object:
    import pytrec_eval

    data = path.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    with io.StringIO(data.decode()) as file:
        return pytrec_eval.parse_run(file)


def recommendation(topics: int = 6000, systems: int = 21, depth: int = 100) -> None:
    """Many short topics: 6,000 users with 15 relevant items or so, in memory."""
    rng = np.random.default_rng(0)
    qrels, runs = {}, {f"system-{s:02d}": {} for s in range(systems)}
    for user in range(topics):
        items = rng.choice(5000, 300, replace=False)
        relevant = int(np.clip(rng.lognormal(2.4, 0.7), 1, 100))
        qrels[str(user)] = {str(item): 1 for item in items[:relevant]}
        for run in runs.values():
            shown = rng.permutation(items)[:depth]
            run[str(user)] = {str(item): float(depth - i) for i, item in enumerate(shown)}
    collection, _ = place_runs(qrels, runs)
    for what, preferences in (
        ("the default preferences", [parse(text) for text in DEFAULT_PREFERENCES]),
        ("seven preferences", [*SIX, IPSO @ 10]),
    ):
        begun = time.process_time()
        sum_topics(collection, preferences)
        print(
            f"irpref, {what}, {topics} topics × {systems} systems × depth {depth}: "
            f"{time.process_time() - begun:.2f} s of CPU once read"
        )


def select(folder: Path, selections: int = 1000) -> None:
    """Parts of a collection by their judgments, against reading the files again."""
    reading, data = timed(lambda: irpref.collect(folder / "qrels.txt", run_paths(folder)))
    rng = np.random.default_rng(0)
    masks = [rng.random(len(data.judgments)) < share for share in rng.random(selections)]
    # Of each no more is kept than its size, as in a study.
    seconds, _ = timed(lambda: [len(data.select(judgments=mask).topics) for mask in masks])
    print(
        f"{selections:,} selections of {len(data.judgments):,} judgments: {seconds:.2f} s; reading "
        f"{len(data.systems)} files again so often would take {selections * reading:,.0f} s"
    )


def significance(folder: Path, resamples: int = 10_000) -> None:
    """Tests of all pairs by RPP and LP, against randomised Tukey HSD of the same pairs."""
    comparison = irpref.compare(folder / "qrels.txt", run_paths(folder), [RPP, LP])
    pairs = len(comparison.systems) * (len(comparison.systems) - 1) // 2
    print(f"{pairs:,} pairs, {len(comparison.topics)} topics, B = {resamples:,}")
    for preference in (RPP, LP):
        seconds = {}
        for method in ("hsd", "flip", "wilcoxon", "t", "sign"):
            cpu, wall = time.process_time(), time.perf_counter()
            comparison.test(preference, method=method, rng=1, n_resamples=resamples)  # type: ignore[arg-type]
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            seconds[method] = cpu
            print(
                f"{preference} {method}: {wall:.2f} s wall, {cpu:.2f} s CPU, "
                f"{cpu / seconds['hsd']:.3f} × HSD"
            )


def start() -> None:
    """How long it takes to start."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    qrels, (first, second, *_) = demo_paths()
    two = [str(qrels), str(first), str(second)]
    for name, command in (
        ("python -c pass", [sys.executable, "-c", "pass"]),
        ("import numpy", [sys.executable, "-c", "import numpy"]),
        ("import numpy, polars", [sys.executable, "-c", "import numpy, polars"]),
        ("import irpref", [sys.executable, "-c", "import irpref"]),
        ("irpref --help", [sys.executable, "-m", "irpref", "--help"]),
        ("irpref compare, two runs of the demo", [sys.executable, "-m", "irpref", "compare", *two]),
    ):
        seconds, _ = timed(
            lambda command=command: subprocess.run(
                command, check=True, stdout=subprocess.DEVNULL, env=environment
            ),
            times=7,
        )
        print(f"{name}: {seconds:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=[*FOLDERS, "recommendation", "start"])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--pref-eval", type=Path, help="a checkout of diazf/pref_eval")
    parser.add_argument("--ipso", type=Path, help="a checkout of JMMackenzie/IPSO")
    parser.add_argument("--trec-eval", type=Path, help="the trec_eval program")
    parser.add_argument("--sample", type=int, default=8, help="runs that the slow peers compare")
    options = parser.parse_args()
    if options.what in FOLDERS and options.folder is None:
        parser.error(f"{options.what} needs the folder of a collection")
    if options.what == "memory":
        memory(options.folder, options.pref_eval, options.ipso, options.sample)
    elif options.what == "files":
        files(options.folder, options.trec_eval)
    elif options.what == "select":
        select(options.folder)
    elif options.what == "significance":
        significance(options.folder)
    elif options.what == "recommendation":
        recommendation()
    else:
        start()


if __name__ == "__main__":
    main()
