"""Do the tests hold their level? False positives in worlds in which no system is better.

    python scripts/calibration.py ../shared/data/*/
    python scripts/calibration.py --simulated
    python scripts/calibration.py --draws 300 ../shared/data/*/

A collection is a folder with ``qrels.txt`` and ``runs/``. The worlds are in ``nulls.py``: labels shuffled,
joint flips, equal means. The first table says how often a procedure finds any pair different (at most .05
is right), the second how often a test finds a single pair. Of more than 100 topics, 100 take part; add
``--whole`` for all. With ``--draws``, systems and topics are drawn so often, topics with replacement, and
flip and bootstrap stand side by side: how often each finds any pair, and which share of the pairs it finds
on the right side where nothing is changed.
"""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
from nulls import NULLS, Data, collection_of, data_of, joint_flips, pairs_of, shuffled_labels
from printed import parser_of, print_head, print_row
from scipy.stats import beta
from simulated import KINDS, simulated

from irpref import AP, LP, LR, RPP
from irpref.methods.measures import Measure
from irpref.methods.preferences import Preference
from irpref.stats.corrections import adjust
from irpref.stats.method import Draws
from irpref.stats.tests import known_test
from irpref.stats.tests.hsd import tukey_hsd

ALPHA = 0.05
RESAMPLES = 499
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


def stepped(data: Data, rng: np.random.Generator, *, test: str) -> Data:
    how = Draws(rng=rng, n_resamples=RESAMPLES)
    return np.asarray(known_test(test).of_values(pairs_of(data), draws=how).adjusted)


def holm(data: Data, rng: np.random.Generator, *, method: str) -> Data:
    return adjust(known_test(method).of_values(pairs_of(data)).p)


def hsd(data: Data, rng: np.random.Generator) -> Data:
    return tukey_hsd(data, Draws(rng=rng, n_resamples=SHUFFLES)).p


STEPPED = {name: partial(stepped, test=name) for name in ("flip", "bootstrap")}
# The p-values of the family, by procedure.
PROCEDURES: dict[str, Callable[[Data, np.random.Generator], Data]] = {
    "t + Holm": partial(holm, method="t"),
    "sign + Holm": partial(holm, method="sign"),
    "HSD": hsd,
    **STEPPED,
}


def family(job: tuple[Case, str, str, int, int]) -> int:
    """In how many worlds a procedure finds any pair."""
    case, null, procedure, replicates, seed = job
    rng, find, world = np.random.default_rng(seed), PROCEDURES[procedure], NULLS[null]
    warnings.simplefilter("ignore", UserWarning)
    return sum(bool(find(world(case.data, rng), rng).min() < ALPHA) for _ in range(replicates))


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
            how = Draws(rng=rng, n_resamples=RESAMPLES)
            tests = known_test(method).of_values(values, draws=how)
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
    cases: list[Case], names: list[str], replicates: int
) -> Iterator[tuple[Case, str, str, int, int]]:
    """Every case under every null by every procedure that makes sense there."""
    for number, case in enumerate(cases):
        for at, null in enumerate(NULLS):
            # A mean of 0 does not make wins as frequent as losses, and less the mean no sign is a sign.
            if case.signs and null == "equal means":
                continue
            for name in names:
                if case.signs == (name == "sign + Holm"):
                    yield case, null, name, replicates, 10 * number + at


def subset(data: Data, systems: npt.NDArray[np.intp]) -> Data:
    return data[:, systems] if data.ndim == 2 else data[:, systems][:, :, systems]


def side_by_side(data: Data, number: int, topics: int, seed: int) -> Data:
    """(4, 2) if flip and bootstrap find any pair, by null; and the share of all pairs they find rightly."""
    rng = np.random.default_rng(seed)
    data = subset(data, rng.choice(data.shape[1], min(number, data.shape[1]), replace=False))
    mean, drawn = data.mean(axis=0), data[rng.integers(len(data), size=topics)]
    worlds = shuffled_labels(drawn, rng), joint_flips(drawn, rng), drawn - mean
    found = [[test(world, rng).min() < ALPHA for test in STEPPED.values()] for world in worlds]
    rightly = pairs_of(drawn).mean(axis=0) * pairs_of(mean[None])[0] > 0
    share = [np.mean((test(drawn, rng) < ALPHA) & rightly) for test in STEPPED.values()]
    return np.array([*found, share], dtype=float)


def print_side_by_side(folders: list[Path], draws: int) -> None:
    nulls = ("shuffled", "flips", "means")
    print_head("values", "collection", "systems × topics", *nulls, "found")
    for folder in folders:
        collection = collection_of(folder)
        for what, number, topics in product((RPP, AP, LR), (5, 20), (20, 30, 50, 100)):
            data = data_of(collection, what)  # type: ignore[arg-type]
            if topics > len(data):
                continue
            found = np.array([side_by_side(data, number, topics, seed) for seed in range(draws)])
            errors = (found.std(axis=0, ddof=1) / np.sqrt(draws)).max(axis=1)
            cells = [
                f"{flip:.3f}, {bootstrap:.3f} ± {error:.3f}"
                for (flip, bootstrap), error in zip(found.mean(axis=0), errors, strict=True)
            ]
            print_row(what, folder.name, f"{min(number, data.shape[1])} × {topics}", *cells)


def main() -> None:
    parser = parser_of(__doc__, folders="*")
    parser.add_argument("--simulated", action="store_true", help="simulated collections instead")
    parser.add_argument("--whole", action="store_true", help="all topics")
    parser.add_argument("--procedure", action="append", choices=PROCEDURES, help="only this one")
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--draws", type=int, help="flip and bootstrap side by side")
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    if options.draws:
        return print_side_by_side(options.folders, options.draws)
    real = cases_of(options.folders, whole=options.whole)
    cases = list(simulated_cases() if options.simulated else real)
    jobs = list(jobs_of(cases, options.procedure or list(PROCEDURES), options.replicates))
    # Two processes of one thread each are faster than one of two.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        where = ("values", "collection", "null")
        print_head(*where, "procedure", "any pair found", "95 % bound")
        for (case, null, name, times, _), found in zip(jobs, pool.map(family, jobs), strict=True):
            rates = f"{found / times:.4f}", f"{bound(found, times):.4f}"
            print_row(case.what, case.collection, null, name, *rates)
        if options.simulated or options.procedure:
            return
        print()
        print_head(*where, "test", "p < .05, pair by pair")
        unique = {
            (case.collection, case.what, null): (case, null, *more) for case, null, _, *more in jobs
        }
        results = pool.map(single_pairs, unique.values())
        for (collection, what, null), shares in zip(unique, results, strict=True):
            for test, share in shares.items():
                print_row(what, collection, null, test, f"{share:.4f}")


if __name__ == "__main__":
    main()
