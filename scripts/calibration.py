"""Do the tests hold their level? False positives in worlds in which no system is better.

    python scripts/calibration.py ../shared/data/*/
    python scripts/calibration.py --simulated

A collection is a folder with ``qrels.txt`` and ``runs/``. The worlds are in ``nulls.py``: labels shuffled,
joint flips, equal means. The first table says how often a procedure finds any pair different (at most .05
is right), the second how often a test finds a single pair. Of more than 100 topics, 100 take part; add
``--whole`` for all.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from nulls import NULLS, Data, collection_of, data_of, pairs_of
from scipy.stats import beta
from simulated import KINDS, simulated

from irpref import AP, LP, RPP
from irpref.measures import Measure
from irpref.preferences import Preference
from irpref.stats.corrections import adjust
from irpref.stats.sign_flips import SignFlips
from irpref.stats.tests.hsd import hsd_of_preferences, hsd_of_scores
from tests.stats.named import joint_flips, paired_tests

ALPHA = 0.05
FLIPS = 999
# A test by shuffles holds its level with few of them too, where α (B + 1) is whole.
SHUFFLES = 199
USERS = 100
# Pairs of a collection that are tested one by one.
SINGLE = 40
# systems × topics of the simulated collections; every size of either meets every kind.
SIZES = (
    ((6, 25), (20, 50), (40, 200)),
    ((6, 50), (20, 200), (40, 25)),
    ((6, 200), (20, 25), (40, 50)),
)


@dataclass(frozen=True)
class Case:
    """One collection by one preference or measure."""

    collection: str
    what: str
    data: Data

    @property
    def signs(self) -> bool:
        return self.what == "LP"


def flip(data: Data, rng: np.random.Generator, *, studentized: bool = False) -> float:
    """The least p-value of the family by joint flips: literally, and faster than all p-values.

    No statistic is larger than the largest, so nothing steps down before it is found.
    """
    scores = data.ndim == 2 and not studentized
    values = data if scores else pairs_of(data)
    if not scores:
        norm = np.sqrt((values**2).sum(axis=0))
        values = values[:, norm > 0] / (norm[norm > 0] if studentized else 1)
    if values.shape[1] == 0:
        return 1.0

    def largest(sums: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        # The largest difference of two systems is the range of the systems.
        highest, lowest = sums.max(axis=-1), sums.min(axis=-1)
        return np.asarray(highest - lowest if scores else np.maximum(highest, -lowest))

    observed = largest(values.sum(axis=0)) * (1 - 1e-5)
    single = values.astype(np.float32)
    flips = SignFlips(len(values), FLIPS)
    reached = np.zeros(1, dtype=np.int64)
    for signs in flips.blocks(rng, max(4, 60_000 // values.shape[1])):
        reached += np.count_nonzero(largest(signs.astype(np.float32) @ single) >= observed)
    return float(flips.p_values(reached)[0])


def holm(data: Data, rng: np.random.Generator, *, method: str) -> float:
    return float(adjust(paired_tests(pairs_of(data), method=method).p).min())  # type: ignore[arg-type]


def hsd(data: Data, rng: np.random.Generator) -> float:
    of = hsd_of_scores if data.ndim == 2 else hsd_of_preferences
    return float(of(data, rng=rng, n_resamples=SHUFFLES).p.min())


# The least p-value of the family, by procedure.
PROCEDURES: dict[str, Callable[[Data, np.random.Generator], float]] = {
    "t + Holm": partial(holm, method="t"),
    "sign + Holm": partial(holm, method="sign"),
    "HSD": hsd,
    "flip": flip,
    "flip, studentized": partial(flip, studentized=True),
}


def agree(data: Data) -> None:
    """Stop unless the library's joint flips give the same least p-value."""
    values = pairs_of(data)
    for studentized in (False, True):
        p = joint_flips(values, rng=1, n_resamples=FLIPS, studentized=studentized).adjusted
        assert p is not None
        ours = flip(data, np.random.default_rng(1), studentized=studentized)
        # In single precision, a flip or two may seem to reach what it just misses.
        if abs(p.min() - ours) > 2.5 / (FLIPS + 1):
            raise SystemExit(f"the library finds p = {p.min()}, this script {ours}")


def family(job: tuple[Case, str, str, int, int]) -> int:
    """In how many worlds a procedure finds any pair."""
    case, null, procedure, replicates, seed = job
    rng, find, world = np.random.default_rng(seed), PROCEDURES[procedure], NULLS[null]
    warnings.simplefilter("ignore", UserWarning)
    if procedure.startswith("flip"):
        agree(world(case.data, rng))
    return sum(find(world(case.data, rng), rng) < ALPHA for _ in range(replicates))


def single_pairs(job: tuple[Case, str, int, int]) -> dict[str, float]:
    """The share of pairs with p < .05, pair by pair, by test."""
    case, null, replicates, seed = job
    rng = np.random.default_rng(seed)
    pairs = pairs_of(case.data).shape[1]
    some = rng.choice(pairs, min(SINGLE, pairs), replace=False)
    methods = ("sign",) if case.signs else ("t", "wilcoxon", "randomization")
    found = dict.fromkeys(methods, 0.0)
    for _ in range(replicates):
        values = pairs_of(NULLS[null](case.data, rng))[:, some]
        for method in methods:
            tests = paired_tests(values, method=method, rng=rng, n_resamples=FLIPS)  # type: ignore[arg-type]
            found[method] += float(np.mean(tests.p < ALPHA)) / replicates
    return found


def bound(found: int, replicates: int) -> float:
    """The upper end of Clopper and Pearson's 95 % interval of a rate."""
    return float(beta.ppf(0.975, found + 1, replicates - found)) if found < replicates else 1.0


def cases_of(folders: list[Path], *, whole: bool) -> Iterator[Case]:
    for folder in folders:
        topics = None if whole else USERS
        collection = collection_of(folder, topics=topics)
        for what in (RPP, AP, LP):
            yield Case(folder.name, str(what), data_of(collection, what))


def simulated_cases() -> Iterator[Case]:
    whats: tuple[Preference | Measure, ...] = (RPP, AP)
    for kind, sizes in zip(KINDS, SIZES, strict=True):
        for systems, topics in sizes:
            collection = simulated(kind, systems=systems, topics=topics, seed=1)
            for what in whats:
                yield Case(f"{kind}, {systems} × {topics}", str(what), data_of(collection, what))


def jobs_of(
    cases: list[Case], names: list[str], replicates: int, many: int
) -> Iterator[tuple[Case, str, str, int, int]]:
    """Every case under every null by every procedure that makes sense there."""
    for number, case in enumerate(cases):
        for at, null in enumerate(NULLS):
            # A mean of 0 does not make wins as frequent as losses, and less the mean no sign is a sign.
            if case.signs and null == "equal means":
                continue
            for name in names:
                if case.signs == (name == "sign + Holm"):
                    times = many if name == "flip" else replicates
                    yield case, null, name, times, 10 * number + at


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--simulated", action="store_true", help="simulated collections instead")
    parser.add_argument("--whole", action="store_true", help="all topics")
    parser.add_argument("--procedure", action="append", choices=PROCEDURES, help="only this one")
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--flip-replicates", type=int, default=10_000)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    cases = list(
        simulated_cases() if options.simulated else cases_of(options.folders, whole=options.whole)
    )
    names = options.procedure or list(PROCEDURES)
    jobs = list(jobs_of(cases, names, options.replicates, options.flip_replicates))
    # Two processes of one thread each are faster than one of two.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        print(
            "| values | collection | null | procedure | any pair found | 95 % bound | replicates |"
        )
        print("|---|---|---|---|---|---|---|")
        for (case, null, name, times, _), found in zip(jobs, pool.map(family, jobs), strict=True):
            print(
                f"| {case.what} | {case.collection} | {null} | {name} | {found / times:.4f} | "
                f"{bound(found, times):.4f} | {times:,} |",
                flush=True,
            )
        if options.simulated or options.procedure:
            return
        print(
            "\n| values | collection | null | test | p < .05, pair by pair |\n|---|---|---|---|---|"
        )
        singles = [(case, null, options.replicates, seed) for case, null, *_, seed in jobs]
        unique = {
            (case.collection, case.what, null): (case, null, *more) for case, null, *more in singles
        }
        results = pool.map(single_pairs, unique.values())
        for (collection, what, null), shares in zip(unique, results, strict=True):
            for test, share in shares.items():
                print(f"| {what} | {collection} | {null} | {test} | {share:.4f} |", flush=True)


if __name__ == "__main__":
    main()
