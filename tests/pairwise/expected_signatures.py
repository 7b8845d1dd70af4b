"""What the signature of every frame and report is, word for word, where nothing is as it is by default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

import irpref
from irpref import (
    AP,
    ASL,
    IPSO,
    LP,
    LR,
    RBP,
    RPP,
    RR,
    STRPP,
    TSE,
    Collection,
    Comparison,
    LexiPrecision,
    LexiRecall,
    P,
    PairTest,
    nDCG,
)
from irpref.api.evaluation import evaluation_report
from irpref.api.task_comparison import TaskComparison
from irpref.base.short_hash import short_hash
from irpref.methods.preferences import invRPP, rrLP
from irpref.report.report import Report

VERSION = f"irpref:{irpref.__version__}"

SYSTEMS = ("bm25", "tfidf", "boolean")

READ = (
    "missing:0:skipped|judged-only|duplicates:first|depth:10|selected:systems=3/6#6323a68e,topics=4/12#c1734618",
    VERSION,
)
"""What every line of :func:`part` says of how it was read and selected, and by what version."""

OF_RPP = "pref:RPP|weights:dcg|graded:yes|rel:2|cutoff:7|ties:trec"

OF_IPSO = "pref:IPSO|graded:no|rel:any|cutoff:5|ties:trec"

OF_AP = "measure:AP|rel:2|cutoff:none|ties:trec"

CHOSEN = (RPP(weights="dcg", rel=2) @ 7, IPSO @ 5, AP(rel=2))


def line(what: str, *more: str, topics: int = 4) -> str:
    """The whole signature of a result of the part."""
    read, version = READ
    return "|".join([*([what] if what else []), f"topics:{topics}", read, *more, version])


def first_earlier(first: Any, second: Any) -> float:
    """Whoever has the first relevant item earlier."""
    return float(first[0] < second[0]) - float(first[0] > second[0])


LINES: list[tuple[Any, str]] = [
    (RPP, "pref:RPP|weights:uniform|graded:yes|rel:any|cutoff:none|ties:trec"),
    (CHOSEN[0], OF_RPP),
    (
        RPP(weights=[4, 2, 1] * 4, graded=False, ties="expected"),
        f"pref:RPP|weights:({','.join(['4.0,2.0,1.0'] * 4)})|graded:no|rel:any|cutoff:none|ties:expected",
    ),
    (
        invRPP @ 3,
        "pref:RPP|weights:inverse|graded:yes|rel:any|cutoff:3|ties:trec",
    ),
    (STRPP(weights="dcg"), "pref:STRPP|weights:dcg|rel:any|cutoff:none|ties:trec"),
    (LP, "pref:LP|magnitude:sgn|rel:any|cutoff:none|ties:trec"),
    (rrLP(ties="expected"), "pref:LP|magnitude:rr|rel:any|cutoff:none|ties:expected"),
    (LR(rel=2) @ 8, "pref:LR|rel:2|cutoff:8|ties:trec"),
    (IPSO, "pref:IPSO|graded:no|rel:any|cutoff:none|ties:trec"),
    (IPSO(graded=True) @ 10, "pref:IPSO|graded:yes|rel:any|cutoff:10|ties:trec"),
    (
        IPSO(gains={1: 1, 2: 3}) @ 5,
        "pref:IPSO|graded:no|gains:((1,1),(2,3))|rel:any|cutoff:5|ties:trec",
    ),
    (
        irpref.preference(first_earlier, rel=2) @ 9,
        f"pref:first_earlier(rel=2)@9#{short_hash(first_earlier)}|rel:2|cutoff:9|ties:trec",
    ),
    (
        irpref.preference(first_earlier, label="own"),
        f"pref:own#{short_hash(first_earlier)}|rel:any|cutoff:none|ties:trec",
    ),
    (AP(rel=2), OF_AP),
    (irpref.TieRR @ 10, "measure:RR|rel:any|cutoff:10|ties:expected"),
    (P(ties="worst") @ 5, "measure:P|rel:any|cutoff:5|ties:worst"),
    (
        nDCG(dcg="exp-log2") @ 10,
        "measure:nDCG|dcg:exp-log2|rel:any|cutoff:10|ties:trec",
    ),
    (
        nDCG(gains={1: 1, 2: 7}),
        "measure:nDCG|gains:((1,1),(2,7))|dcg:log2|rel:any|cutoff:none|ties:trec",
    ),
    (RR(level=2) @ 10, "measure:RR|level:2|rel:any|cutoff:10|ties:trec"),
    (RBP(persistence=0.5), "measure:RBP|persistence:0.5|rel:any|cutoff:none|ties:trec"),
    (ASL(n=30, ties="worst"), "measure:ASL|n:30|rel:any|cutoff:none|ties:worst"),
    (
        TSE(exposure="rbp", persistence=0.5),
        "measure:TSE|exposure:rbp|persistence:0.5|rel:any|cutoff:none|ties:trec",
    ),
    (
        LexiRecall(n=30),
        "measure:LexiRecall|n:30|value:log-odds|rel:any|cutoff:none|ties:trec",
    ),
    (
        LexiPrecision(n=30, value="share") @ 10,
        "measure:LexiPrecision|n:30|value:share|rel:any|cutoff:10|ties:trec",
    ),
]

FROM = "from:" + line("measure:RR|rel:any|cutoff:none|ties:trec", "table:scores").replace("|", ";")
"""How scores by RR were made, when they are given to something else."""

PAIR = ("a:bm25", "b:tfidf")

METHODS = ("t", "wilcoxon", "sign", "randomization", "hsd")
JOINT = ("randomization", "hsd")

TESTED = {"alpha": 0.3, "rng": 3, "n_resamples": 200}

FRAMES: dict[str, tuple[Callable[[Collection, Comparison], Any], str]] = {
    "mean": (lambda data, c: c.mean(CHOSEN[0]), line(OF_RPP)),
    "mean of a measure": (lambda data, c: c.mean(CHOSEN[2]), line(OF_AP)),
    "outcomes": (lambda data, c: c.outcomes(CHOSEN[0]), line(OF_RPP, "table:outcomes")),
    "per_topic": (lambda data, c: c.per_topic(CHOSEN[0], *SYSTEMS[:2]), line(OF_RPP, *PAIR)),
    "relations": (
        lambda data, c: c.relations(CHOSEN[1], *SYSTEMS[:2]),
        line(OF_IPSO, "table:relations", *PAIR),
    ),
    **{
        f"order {method}": (
            lambda data, c, method=method: c.order(CHOSEN[0], method=method),
            line(OF_RPP, f"method:{method}"),
        )
        for method in ("mean", "borda", "copeland", "kemeny", "bradley-terry")
    },
    "order mc4": (
        lambda data, c: c.order(CHOSEN[0], method="mc4", teleport=0.1),
        line(OF_RPP, "method:mc4", "teleport:0.1"),
    ),
    **{
        f"test {method}": (
            lambda data, c, method=method: c.test(
                CHOSEN[0], test=PairTest(method=method, **TESTED)
            ),
            line(
                OF_RPP,
                f"test:{method}",
                f"correction:{'none' if method in JOINT else 'holm'}",
                "family:allpairs",
                "alpha:0.3",
                # Four topics have sixteen signs, which are enumerated.
                *(["rng:3", "B:200"] if method == "hsd" else []),
            ),
        )
        for method in METHODS
    },
    "test against baselines": (
        lambda data, c: c.test(
            CHOSEN[0], baseline=SYSTEMS[:2], test=PairTest(method="wilcoxon", correction="bh")
        ),
        line(
            *(OF_RPP, "test:wilcoxon", "correction:bh"),
            *("family:allagainstbm25,tfidf", "alpha:0.05"),
        ),
    ),
    **{
        f"leaderboard {method}": (
            lambda data, c, method=method: c.leaderboard(
                CHOSEN[0], test=PairTest(method=method, **TESTED)
            ),
            line(
                OF_RPP,
                "table:board",
                f"test:{method}",
                f"correction:{'none' if method in JOINT else 'holm'}",
                *("family:allpairs", "alpha:0.3"),
                *(["rng:3", "B:200"] if method == "hsd" else []),
            ),
        )
        for method in METHODS
    },
    "profile by share": (
        lambda data, c: c.profile(*SYSTEMS[:2], bins=5, rel=2, cutoff=9),
        line("", *PAIR, "profile:share", "bins:5", "rel:2", "cutoff:9"),
    ),
    "profile by level": (
        lambda data, c: c.profile(*SYSTEMS[:2], by="level"),
        line("", *PAIR, "profile:level", "rel:any", "cutoff:none"),
    ),
    "profile by grade": (
        lambda data, c: c.profile(*SYSTEMS[:2], by="grade", rel=2),
        line("", *PAIR, "profile:grade", "rel:2", "cutoff:none"),
    ),
    "levels": (
        lambda data, c: c.explain("6", *SYSTEMS[:2]).levels,
        line(
            *("of:RPP(rel=2,weights='dcg')@7,IPSO@5,AP(rel=2)", "topic:6"),
            *PAIR,
            "table:levels",
            topics=1,
        ),
    ),
    "decisions": (
        lambda data, c: c.explain("6", *SYSTEMS[:2]).decisions,
        line(
            *("of:RPP(rel=2,weights='dcg')@7,IPSO@5,AP(rel=2)", "topic:6"),
            *PAIR,
            topics=1,
        ),
    ),
    "mean of a summary": (lambda data, c: c.summary.mean(CHOSEN[0]), line(OF_RPP)),
    "outcomes of a summary": (
        lambda data, c: c.summary.outcomes(CHOSEN[1]),
        line(OF_IPSO, "table:outcomes"),
    ),
    "order of a summary": (
        lambda data, c: c.summary.order(CHOSEN[0], method="copeland"),
        line(OF_RPP, "method:copeland"),
    ),
    "test of a summary": (
        lambda data, c: c.summary.test(CHOSEN[1], baseline="bm25", test=PairTest(alpha=0.1)),
        line(OF_IPSO, "test:sign", "correction:holm", "family:allagainstbm25", "alpha:0.1"),
    ),
    "leaderboard of a summary": (
        lambda data, c: c.summary.leaderboard(CHOSEN[0]),
        line(
            OF_RPP,
            "table:board",
            "test:t",
            "correction:holm",
            "family:allpairs",
            "alpha:0.05",
        ),
    ),
    "evaluate": (
        lambda data, c: data.evaluate([AP(rel=2), nDCG @ 10]),
        line("of:AP(rel=2),nDCG@10", "table:scores"),
    ),
    "judgments": (lambda data, c: data.judgments, line("", "table:judgments")),
    "corroboration": (
        lambda data, c: (
            data.corroborate(
                *SYSTEMS[:2], measure=AP(rel=2) @ 7, test=PairTest(method="wilcoxon", alpha=0.1)
            ).frame
        ),
        line(
            *("pref:IPSO|graded:no|rel:2|cutoff:7|ties:trec", "champion:bm25"),
            *("challengers:tfidf", "measure:AP(rel=2)@7"),
            *("test:wilcoxon", "correction:none", "alpha:0.1"),
        ),
    ),
    "scores beside preferences": (
        lambda data, c: data.compare({"judge": data.evaluate(RR)}).mean("judge"),
        line(f"scores:judge#da396881|{FROM}"),
    ),
    "compare_scores": (
        lambda data, c: irpref.compare_scores(data.evaluate(RR)).per_topic("RR", *SYSTEMS[:2]),
        "|".join(
            [
                "scores:RR#da396881",
                FROM,
                *("topics:4", *PAIR, VERSION),
            ]
        ),
    ),
    "compare_scores of another tool": (
        lambda data, c: irpref.compare_scores(
            pd.DataFrame({"system": [*"aabb"], "topic": [1, 2] * 2, "value": [0.1, 0.2, 0.3, 0.5]}),
            higher_is_better=False,
        ).test("value", test=PairTest(rng=5, method="hsd", n_resamples=100)),
        "|".join(
            [
                *(
                    "scores:value#87906bd2",
                    "better:lower",
                    "topics:2",
                    "test:hsd",
                    "correction:none",
                ),
                *("family:onepair", "alpha:0.05", "rng:5", "B:100", VERSION),
            ]
        ),
    ),
}

TASKS = ("tasks:2", "resample:tasks", "test:t", "correction:holm")


def two_tasks(data: Collection) -> TaskComparison:
    """The part, as two tasks of which each is the whole of it."""
    return irpref.compare_tasks({"one": data, "other": data}, CHOSEN)


FRAMES |= {
    "mean of tasks": (
        lambda data, c: two_tasks(data).mean(CHOSEN[0]),
        line(OF_RPP, "tasks:2", topics=8),
    ),
    "task by task": (
        lambda data, c: two_tasks(data).by_task(CHOSEN[1], baseline="tfidf"),
        line(OF_IPSO, "table:tasks", "baseline:tfidf", "tasks:2", topics=8),
    ),
    "outcomes of tasks": (
        lambda data, c: two_tasks(data).outcomes(CHOSEN[2]),
        line(OF_AP, "table:outcomes", "tasks:2", topics=8),
    ),
    "order by tasks": (
        lambda data, c: two_tasks(data).order(CHOSEN[0], method="mc4", teleport=0.1),
        line(OF_RPP, "tasks:2", "method:mc4", "teleport:0.1", topics=8),
    ),
    "test of task means": (
        lambda data, c: two_tasks(data).test(CHOSEN[0], baseline="bm25", test=PairTest(alpha=0.1)),
        line(OF_RPP, *TASKS, "family:allagainstbm25", "alpha:0.1", topics=8),
    ),
    "test of topics in tasks": (
        lambda data, c: two_tasks(data).test(
            CHOSEN[0],
            resample="topics",
            test=PairTest(rng=3, n_resamples=200),
        ),
        line(
            OF_RPP,
            *(
                "tasks:2",
                "resample:topics",
                "test:randomization",
                "correction:none",
                "family:allpairs",
            ),
            *("alpha:0.05", "rng:3", "B:200"),
            topics=8,
        ),
    ),
    "leaderboard of tasks": (
        lambda data, c: two_tasks(data).leaderboard(CHOSEN[0]),
        line(
            OF_RPP,
            "table:board",
            *TASKS,
            "family:allpairs",
            "alpha:0.05",
            topics=8,
        ),
    ),
}

BOARD = "report:board"

AGAINST = ("report:baseline", "baseline:bm25")

REPORTS: dict[str, tuple[Callable[[Collection, Comparison], Report], list[str]]] = {
    "leaderboard": (
        lambda data, c: c.report(test=PairTest(method="hsd", rng=3, n_resamples=100)),
        [
            line(
                *(OF_RPP, "table:board"),
                *("test:hsd", "correction:none", "family:allpairs", "alpha:0.05"),
                *("rng:3", "B:100", BOARD),
            ),
            line(OF_IPSO, BOARD),
            line(OF_AP, BOARD),
        ],
    ),
    "against a baseline": (
        lambda data, c: c.report(baseline="bm25", test=PairTest(alpha=0.2)),
        [
            line(
                *(OF_RPP, "test:randomization", "correction:none"),
                *("family:allagainstbm25", "alpha:0.2", *AGAINST),
            ),
            line(OF_IPSO, *AGAINST),
            line(OF_AP, *AGAINST),
        ],
    ),
    "tasks": (
        lambda data, c: two_tasks(data).report(test=PairTest(rng=3, n_resamples=200)),
        [
            line(
                *(OF_RPP, "table:board", *TASKS, "family:allpairs", "alpha:0.05"),
                BOARD,
                topics=8,
            ),
            line(OF_IPSO, "tasks:2", BOARD, topics=8),
            line(OF_AP, "tasks:2", BOARD, topics=8),
        ],
    ),
    "topic by topic": (
        lambda data, c: c.report(per_topic=True),
        [line(each, "report:topics") for each in (OF_RPP, OF_IPSO, OF_AP)],
    ),
    "topic by topic against a baseline": (
        lambda data, c: c.report(per_topic=True, baseline="tfidf"),
        [line(each, "report:topics", "baseline:tfidf") for each in (OF_RPP, OF_IPSO, OF_AP)],
    ),
    "without a test": (
        lambda data, c: c.report(test=False),
        [line(each, BOARD) for each in (OF_RPP, OF_IPSO, OF_AP)],
    ),
    "against a baseline without a test": (
        lambda data, c: c.report(baseline="bm25", test=False),
        [line(each, *AGAINST) for each in (OF_RPP, OF_IPSO, OF_AP)],
    ),
    "of a summary": (
        lambda data, c: c.summary.report(baseline="bm25", test=False),
        [line(each, *AGAINST) for each in (OF_RPP, OF_IPSO, OF_AP)],
    ),
    "tasks against a baseline": (
        lambda data, c: two_tasks(data).report(baseline="bm25", test=False),
        [line(each, "tasks:2", *AGAINST, topics=8) for each in (OF_RPP, OF_IPSO, OF_AP)],
    ),
    "collection": (lambda data, c: data.report, [line("")]),
    "means": (
        lambda data, c: evaluation_report(data.placements, [AP(rel=2), RR]),
        [
            line(each, "report:means")
            for each in (OF_AP, "measure:RR|rel:any|cutoff:none|ties:trec")
        ],
    ),
    "scores topic by topic": (
        lambda data, c: evaluation_report(data.placements, [AP(rel=2)], per_topic=True),
        [line(OF_AP, "report:scores")],
    ),
    "ties": (
        lambda data, c: evaluation_report(data.placements, [AP(rel=2)], ties=True),
        [line(OF_AP.replace("ties:trec", "ties:expected"), "report:ties")],
    ),
    "corroboration": (
        lambda data, c: data.corroborate(*SYSTEMS[:2], measure="AP@10").report,
        [
            line(
                *("pref:IPSO|graded:no|rel:any|cutoff:10|ties:trec", "champion:bm25"),
                *("challengers:tfidf", "measure:AP@10"),
                *("test:t", "correction:none", "alpha:0.05"),
            )
        ],
    ),
}
