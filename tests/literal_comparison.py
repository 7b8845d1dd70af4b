"""What a comparison says of small random cases, by the definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

import irpref
from irpref import IPSO, LP, LR, RPP, STRPP, Comparison, Preference
from tests import literal
from tests.random_cases import Case, cases

Scores = dict[str, float]
Grades = dict[str, int]
Value = Callable[[Case, str, Scores, Scores], float]
GAINS = {1: Fraction(1, 10), 2: Fraction(1, 5), 3: Fraction(3, 10)}


@dataclass(frozen=True)
class Scan:
    """What a scan down two rankings finds, depth by depth."""

    relation: str
    leader: int | None
    decided: int | None
    nonseparable: int | None


def scan(sides: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> Scan:
    """Compare the sums over every prefix, for each way of looking at the two rankings."""
    led: dict[int, int] = {}
    for depth in range(1, len(sides[0][0]) + 1):
        for first, second in sides:
            side = literal.sign(sum(first[:depth]) - sum(second[:depth]))
            if side:
                led.setdefault(side, depth)
    relation = {(): "=", (1,): "ni", (-1,): "ns"}.get(tuple(led), "**")
    return Scan(
        relation,
        next(iter(led), None),
        min(led.values(), default=None),
        max(led.values()) if len(led) == 2 else None,
    )


def ordering(
    grades: Grades, first: Scores, second: Scores, *, way: str, rel: int, cutoff: int | None
) -> Scan:
    """IPSO by scanning the prefixes: binary, by every grade threshold, or by summed gains."""
    wanted = literal.relevant(grades, rel)
    if way == "gains":
        values = [{document: GAINS[grades[document]] for document in wanted}]
    else:
        thresholds = {grades[document] for document in wanted} if way == "graded" else {rel}
        values = [
            dict.fromkeys(literal.relevant(grades, threshold), Fraction(1))
            for threshold in thresholds
        ]
    depth = max(len(first), len(second))
    return scan(
        [tuple(literal.serp(side, v, cutoff, depth) for side in (first, second)) for v in values]
    )


def folded(fold: Callable[..., object], *, rel: int = 1, cutoff: int | None = None) -> Value:
    """A fold of the positions of the relevant items."""

    def value(case: Case, topic: str, first: Scores, second: Scores) -> float:
        wanted = literal.relevant(case.grades[topic], rel)
        return float(fold(*(literal.positions(side, wanted, cutoff) for side in (first, second))))

    return value


def relation_value(*, way: str = "binary", rel: int = 1, cutoff: int | None = None) -> Value:
    def value(case: Case, topic: str, first: Scores, second: Scores) -> float:
        found = ordering(case.grades[topic], first, second, way=way, rel=rel, cutoff=cutoff)
        return {"ni": 1, "ns": -1}.get(found.relation, 0)

    return value


def graded(weight: str, **options: int) -> Value:
    return lambda case, topic, first, second: literal.rounded(
        literal.graded_rpp(
            case.grades[topic], first, second, weight=literal.WEIGHTS[weight], **options
        )
    )


DEFINITIONS: dict[Preference, Value] = {
    LP: folded(literal.sgn_lp),
    LP(magnitude="rr", rel=2) @ 3: folded(literal.rr_lp, rel=2, cutoff=3),
    LR: folded(literal.lexirecall),
    LR @ 4: folded(literal.lexirecall, cutoff=4),
    RPP: graded("uniform"),
    RPP(weights="dcg", rel=2) @ 4: graded("dcg", rel=2, cutoff=4),
    RPP(weights="inverse", graded=False): folded(
        lambda p, q: literal.rpp(p, q, literal.WEIGHTS["inverse"])
    ),
    STRPP: lambda case, topic, first, second: literal.rounded(
        literal.subtopic_rpp(
            case.judgments[topic], first, second, weight=literal.WEIGHTS["uniform"]
        )
    ),
    IPSO: relation_value(),
    IPSO(rel=3) @ 3: relation_value(rel=3, cutoff=3),
    IPSO(graded=True) @ 4: relation_value(way="graded", cutoff=4),
    IPSO(gains=GAINS) @ 4: relation_value(way="gains", cutoff=4),
}
ORDERINGS = {
    preference: {"way": way, "rel": int(preference.rel or 1), "cutoff": preference.cutoff}
    for preference, way in zip(
        list(DEFINITIONS)[-4:], ("binary", "binary", "graded", "gains"), strict=True
    )
}


def counted_topics(case: Case, preference: Preference, a: str, b: str, missing: str) -> list[str]:
    """The topics that count for a pair, in the order of the qrels."""
    return [
        topic
        for topic in case.judgments
        if literal.relevant(case.grades[topic], preference.rel or 1)
        and (missing == "worst" or (case.run(a, topic) and case.run(b, topic)))
    ]


def literal_values(
    case: Case, preference: Preference, a: str, b: str, missing: str = "worst"
) -> dict[str, float]:
    return {
        topic: DEFINITIONS[preference](case, topic, case.run(a, topic), case.run(b, topic))
        for topic in counted_topics(case, preference, a, b, missing)
    }


def compare(case: Case, preferences: object = tuple(DEFINITIONS), **options: object) -> Comparison:
    return irpref.compare(case.qrels, case.runs, preferences, **options)


small_cases = cases(topics=6, systems=3, documents=6, subtopics=2)
missing_means = st.sampled_from(("worst", "skip"))
