"""The cost of irpref's work beside a peer's, on one machine in one run; prints a table in Markdown.

    python tests/benchmarks/speed.py --trec-eval CHECKOUT --pref-eval CHECKOUT --ipso CHECKOUT

The checkouts are of usnistgov/trec_eval, which is built here, diazf/pref_eval and JMMackenzie/IPSO.
Collections are made in a temporary folder, where there must be 5 GB; ``--folder`` keeps them. Rows have
names: ``--only files`` measures one. What lacks its peer or its data is left out.

Each work runs in a process of its own, in turns with its peer, and several times. The table has the least
CPU and wall time, and the greatest memory.
"""

from __future__ import annotations

import argparse
import gzip
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from cost import Cost, cost_of_process, cost_of_work, in_turns
from peers import FLAGS, algorithm_1, ipso, pref_eval, relate
from place import Place
from works import qrels_path, run_paths

SIX = ("sgnLP", "rrLP", "LR", "RPP", "dcgRPP", "invRPP")
SEVEN = (*SIX, "IPSO@10")
FOUR = ("RPP", "LP", "LR", "IPSO@10")
MEASURES = ("P@10", "R@10", "F1@10", "AP@10", "RR@10", "nDCG@10")
PEERS = ("trec-eval", "pref-eval", "ipso")
TIE_AWARE = tuple(f"Tie{name}" for name in MEASURES)


class Row(NamedTuple):
    """A row of the table: irpref's work, and what stands beside it.

    Attributes:
        waits: Whether it is the wall time that matters, so that its ratio is named too.
    """

    work: str
    cost: Cost
    beside: str
    other: Cost | None
    waits: bool = False


def reading(place: Place) -> Iterator[Row]:
    """Files to positions, a run."""
    plain = place.rewritten("plain", bytes)
    for what, folder in (
        ("text", plain),
        ("gzip", place.rewritten("gz", lambda text: gzip.compress(text, 6), ".gz")),
        ("blanks of two kinds", place.rewritten("blanks", lambda text: text.replace(b" ", b" \t"))),
        (
            "blanks behind lines",
            place.rewritten("trailing", lambda text: text.replace(b"\n", b" \n")),
        ),
    ):
        ours, theirs = in_turns(
            lambda folder=folder: cost_of_work("collect", folder),
            lambda folder=folder: cost_of_work("pytrec_eval", folder),
            times=place.times,
        )
        each = 1 / 10
        yield Row(
            f"a run, 249 topics × 1,000 lines, {what}: to positions",
            ours.times(each),
            "pytrec_eval reads it into dicts",
            theirs.times(each),
        )


def files(place: Place) -> Iterator[Row]:
    """Run files to results."""
    robust = place.robust
    runs = run_paths(robust)

    def trec_eval() -> Cost:
        costs = [
            cost_of_process([place.trec_eval, "-m", "all_trec", qrels_path(robust), run])
            for run in runs
        ]
        return Cost(*(sum(part) for part in zip(*((c.cpu, c.wall) for c in costs), strict=True)))

    ours, theirs = in_turns(
        lambda: cost_of_work("files", robust, *SEVEN), trec_eval, times=place.times
    )
    work = (
        "110 runs × 249 topics × 1,000 lines: files to six preferences and IPSO@10 of 5,995 pairs"
    )
    yield Row(work, ours, f"trec_eval ({FLAGS}), all measures of the runs", theirs)


def memory(place: Place) -> Iterator[Row]:
    """All pairs in memory, a pair-topic."""
    import irpref

    robust = place.robust
    pair_topics = 249 * 110 * 109 / 2
    ours, ipso_alone = in_turns(
        lambda: cost_of_work("compare", robust, *SIX),
        lambda: cost_of_work("compare", robust, "IPSO@10"),
        times=place.times,
    )
    yield Row(
        "a pair-topic by six preferences",
        ours.times(1 / pair_topics),
        "pref_eval",
        pref_eval(robust, place.checkout("pref-eval"), place.sample),
    )
    data = irpref.collect(qrels_path(robust), run_paths(robust)[: place.sample])
    for name, relation in (
        ("IPSO's own code", ipso(place.checkout("ipso"), 10)),
        ("Algorithm 1 in Python", algorithm_1),
    ):
        theirs = relate(data.placements, 10, place.sample, relation)
        yield Row("a pair-topic by IPSO@10", ipso_alone.times(1 / pair_topics), name, theirs)


def parts(place: Place) -> Iterator[Row]:
    """The parts of the way from files to results, of one run."""
    plain = place.rewritten("plain", bytes)
    steps: list[tuple[str, int, tuple[Any, ...]]] = [
        ("reading", 10, ("read", plain)),
        ("ranking", 10, ("rank", plain)),
        ("finding the relevant documents", 10, ("locate", plain)),
        ("comparing all pairs", 110, ("compare", place.robust, *SEVEN)),
    ]
    whole, *costs = in_turns(
        lambda: cost_of_work("files", place.robust, *SEVEN),
        *(lambda work=work: cost_of_work(*work) for _, _, work in steps),
        times=place.times,
    )
    for (what, runs, _), cost in zip(steps, costs, strict=True):
        each = whole.times(1 / 110)
        yield Row(f"a run: {what}", cost.times(1 / runs), "files to seven results", each)


def expected(place: Place) -> Iterator[Row]:
    """Exact means over all orders of ties, and the same pairs in one order."""
    for name in ("LP", "LR", "RPP", "IPSO"):
        ours, plain = in_turns(
            lambda name=name: cost_of_work("compare", place.covid, f"{name}(ties='expected')"),
            lambda name=name: cost_of_work("compare", place.covid, name),
            times=place.times,
        )
        yield Row(f"expected {name}, TREC-COVID, no cutoff", ours, "the same in one order", plain)


def measures(place: Place) -> Iterator[Row]:
    """Tie-aware measures beside those of one order (McSherry & Najork 2008, section 3)."""
    ours, plain = in_turns(
        lambda: cost_of_work("evaluate_files", place.covid, *TIE_AWARE),
        lambda: cost_of_work("evaluate_files", place.covid, *MEASURES),
        times=place.times,
    )
    yield Row("six tie-aware measures, TREC-COVID, from files", ours, "tie-oblivious ones", plain)
    for tie_aware, name in zip(TIE_AWARE, MEASURES, strict=True):
        ours, plain = in_turns(
            lambda name=tie_aware: cost_of_work("score", place.covid, name, 10),
            lambda name=name: cost_of_work("score", place.covid, name, 10),
            times=place.times,
        )
        each = 1 / 10
        yield Row(f"{tie_aware}, TREC-COVID", ours.times(each), name, plain.times(each))


def significance(place: Place) -> Iterator[Row]:
    """Tests of all pairs, and one shuffle in a loop."""
    for name in ("LP", "RPP"):
        ours, t = in_turns(
            lambda name=name: cost_of_work("test", place.robust, name, "hsd", 10_000),
            lambda name=name: cost_of_work("test", place.robust, name, "randomization", 10_000),
            times=place.times,
        )
        work = f"Tukey's HSD of 5,995 pairs by {name}, B = 10,000"
        yield Row(work, ours, "the randomization test", t)


def flips(place: Place) -> Iterator[Row]:
    """The randomization test, and what BLAS takes for its sums and their maxima."""
    for topics in (50, 250):
        ours, product = in_turns(
            lambda topics=topics: cost_of_work("randomize", topics, 125, 10_000, processors=1),
            lambda topics=topics: cost_of_work("multiply", topics, 125, 10_000, processors=1),
            times=place.times,
        )
        work = f"the randomization test of 125 systems on {topics} topics, B = 10,000"
        yield Row(work, ours, "the product of its signs and values, and maxima", product)


def recommendation(place: Place) -> Iterator[Row]:
    """Many users with short lists."""
    parquet, text = in_turns(
        lambda: cost_of_work("files", place.users_parquet, *FOUR),
        lambda: cost_of_work("files", place.users, *FOUR),
        times=place.times,
    )
    work = "10⁵ users × 10 systems × 20 items: Parquet to four preferences"
    yield Row(work, parquet, "the same from text", text)


def million(place: Place) -> Iterator[Row]:
    """A million users."""
    ours = cost_of_work("files", place.million, *FOUR)
    theirs = cost_of_work("files", place.users_parquet, *FOUR)
    work = "10⁶ users × 10 systems × 20 items: Parquet to four preferences"
    yield Row(work, ours, "10⁵ users", theirs)


def systems(place: Place) -> Iterator[Row]:
    """A thousand systems."""
    ours, tenth = in_turns(
        lambda: cost_of_work("compare", place.thousand, *FOUR),
        lambda: cost_of_work("compare", place.thousand, "RPP"),
        times=place.times,
    )
    yield Row("1,000 systems × 100 topics in memory, four preferences", ours, "RPP alone", tenth)


def workers(place: Place) -> Iterator[Row]:
    """All processors, and one alone."""
    for what, work in (
        ("files to seven results", ("files", place.robust, *SEVEN)),
        ("seven results in memory", ("compare", place.robust, *SEVEN)),
        ("expected RPP", ("compare", place.covid, "RPP(ties='expected')")),
    ):
        ours, alone = in_turns(
            lambda work=work: cost_of_work(*work),
            lambda work=work: cost_of_work(*work, processors=1),
            times=place.times,
        )
        yield Row(f"{what}, {os.cpu_count()} processors", ours, "one processor", alone)


def select(place: Place) -> Iterator[Row]:
    """Parts of a collection."""
    ours, again = in_turns(
        lambda: cost_of_work("select", place.covid, 100),
        lambda: cost_of_work("collect", place.covid),
        times=place.times,
    )
    work = "a part of TREC-COVID with a share of its judgments"
    yield Row(work, ours.times(1 / 100), "reading the files again", again)


def start(place: Place) -> Iterator[Row]:
    """How long it takes to start."""
    demo = Path(__file__).parents[2] / "irpref" / "cli" / "demo_collection"
    two = [demo / "runs" / "bm25-prf.txt", demo / "runs" / "tfidf.txt"]
    for what, arguments in (
        ("irpref --help", ["--help"]),
        ("irpref compare, two runs of the demo", ["compare", demo / "qrels.txt", *two]),
        (
            "irpref compare --test fit, two runs of the demo",
            ["compare", demo / "qrels.txt", *two, "--test", "fit"],
        ),
    ):
        ours, python = in_turns(
            lambda arguments=arguments: cost_of_process(
                [sys.executable, "-m", "irpref", *arguments]
            ),
            lambda: cost_of_process([sys.executable, "-c", "import numpy, polars"]),
            times=place.times,
        )
        yield Row(what, ours._replace(memory=0), "import numpy, polars", python, waits=True)


ROWS: dict[str, Callable[[Place], Iterator[Row]]] = {
    rows.__name__: rows
    for rows in (
        files,
        memory,
        reading,
        parts,
        expected,
        measures,
        significance,
        flips,
        recommendation,
        million,
        systems,
        workers,
        select,
        start,
    )
}


def table(rows: list[Row]) -> str:
    """The rows in Markdown."""
    frame = pd.DataFrame(
        {
            "work": row.work,
            "irpref takes": _words(row.cost),
            "beside it": row.beside,
            "takes": "" if row.other is None else _words(row.other._replace(memory=0)),
            "ratio of CPU": "" if row.other is None else _ratio(row, row.other),
        }
        for row in rows
    )
    return str(frame.to_markdown(index=False, disable_numparse=True))


def _ratio(row: Row, other: Cost) -> str:
    cpu = f"{row.cost.cpu / other.cpu:.2g}"
    return f"{cpu}, wall {row.cost.wall / other.wall:.2g}" if row.waits else cpu


def _words(cost: Cost) -> str:
    memory = f", {cost.memory:,.0f} MB" if cost.memory else ""
    return f"{_time(cost.cpu)} CPU, {_time(cost.wall)} wall{memory}"


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.2g} µs"


def machine() -> str:
    """The machine and what runs on it."""
    import numpy as np
    import polars as pl

    import irpref

    return (
        f"irpref {irpref.__version__} with all of {os.cpu_count()} processors, and its peers with one; "
        f"{platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, polars "
        f"{pl.__version__}; trec_eval compiled with {FLAGS}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=ROWS, metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--folder", type=Path, help="where collections are made, and kept")
    parser.add_argument("--trec-covid", type=Path, help="a folder with its qrels and runs/")
    for peer in PEERS:
        parser.add_argument(f"--{peer}", type=Path, help="a checkout")
    parser.add_argument("--times", type=int, default=3, help="how often each work is done")
    parser.add_argument("--sample", type=int, default=8, help="runs that the slow peers compare")
    options = parser.parse_args()
    checkouts = {peer: getattr(options, peer.replace("-", "_")) for peer in PEERS}
    with tempfile.TemporaryDirectory() as scratch:
        place = Place(
            options.folder or Path(scratch),
            options.trec_covid,
            checkouts,
            sample=options.sample,
            times=options.times,
        )
        found: list[Row] = []
        for name in options.only or ROWS:
            try:
                found += ROWS[name](place)
            except LookupError as error:
                print(f"{name} left out: {error}", file=sys.stderr)
    print(machine() + "\n\n" + table(found))


if __name__ == "__main__":
    main()
