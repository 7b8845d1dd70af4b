"""What two rankings are to each other under each judgment of their unjudged documents, one by one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from irpref import IPSO, LP, LR, RPP
from irpref.methods.preferences.unjudged_aware import UnjudgedAwarePreference
from tests.literal import lexirecall, ranked, sgn_lp, signs
from tests.random_cases import Case, make_case

INF = float("inf")
ANY: dict[str, UnjudgedAwarePreference] = {
    "IPSO": IPSO(unjudged="any"),
    "LP": LP(unjudged="any"),
    "LR": LR(unjudged="any"),
    "RPP": RPP(unjudged="any", graded=False),
}
SURE = {-1: "sure loss", 0: "sure tie", 1: "sure win"}


@dataclass(frozen=True)
class Truth:
    """What two rankings of a topic are to each other under all judgments, and under those there are."""

    possible: dict[str, set[int | str]]
    observed: dict[str, int | str]
    beaten: dict[str, bool]

    def relation(self, name: str) -> str:
        """The relation, if it is the same under all judgments."""
        if len(self.possible[name]) > 1:
            return "uncertain"
        [only] = self.possible[name]
        return str(only) if name == "IPSO" else SURE[int(only)]


def folds(first: tuple[float, ...], second: tuple[float, ...]) -> dict[str, int | str]:
    profile = signs(first, second)
    ahead, behind = 1 in profile, -1 in profile
    total = sum(profile)
    return {
        "IPSO": {(0, 0): "=", (1, 0): "ni", (0, 1): "ns", (1, 1): "**"}[ahead, behind],
        "LP": sgn_lp(first, second),
        "LR": lexirecall(first, second),
        "RPP": (total > 0) - (total < 0),
    }


def truth(grades: dict[str, int], lists: list[list[str]], rel: float) -> Truth:
    """Try all judgments of the unjudged documents of two lists; at first that none is relevant."""
    unjudged = sorted({each for one in lists for each in one if each not in grades})
    results = []
    for labels in itertools.product((False, True), repeat=len(unjudged)):
        relevant = {each for each, grade in grades.items() if grade >= rel and grade > 0}
        relevant |= {each for each, label in zip(unjudged, labels, strict=True) if label}
        first, second = (
            [at for at, each in enumerate(one, start=1) if each in relevant] for one in lists
        )
        levels = max(len(first), len(second))
        padded = ((*map(float, one), *[INF] * (levels - len(one))) for one in (first, second))
        results.append(folds(*padded))
    possible = {name: {result[name] for result in results} for name in ANY}
    beaten = {name: -1 in found for name, found in possible.items()}
    beaten["IPSO"] = bool(possible["IPSO"] & {"ns", "**"})
    return Truth(possible, results[0], beaten)


def with_unjudged(seed: int, *, topics: int = 80, documents: int = 6, systems: int = 3) -> Case:
    """A random case of which many judgments are gone; of topics with many documents too."""
    case = make_case(seed, topics=topics, documents=documents, systems=systems)
    rng = random.Random(seed)
    for topic, judged in case.judgments.items():
        for key in list(judged):
            if rng.random() < 0.4 and (topic, key[0]) != ("t0", "d0"):
                del judged[key]
    return case


def truths(case: Case, depth: int, rel: float = 1) -> Iterator[tuple[str, str, str, Truth]]:
    for topic, grades in case.grades.items():
        if not any(grade >= 1 for grade in grades.values()):
            continue
        lists = {name: ranked(case.run(name, topic))[:depth] for name in case.runs}
        relevant = any(grade >= rel for grade in grades.values())
        for a, b in itertools.product(lists, lists) if relevant else ():
            yield topic, a, b, truth(grades, [lists[a], lists[b]], rel)
