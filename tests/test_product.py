"""Everything that systems are compared by × everything that can be asked × every format.

Each works or is refused in a sentence. New preferences, measures and options are found by themselves.
"""

from __future__ import annotations

import json
import pickle
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from typing import Any, Literal, get_args, get_origin

import pandas as pd
import pytest

import irpref
from irpref import IPSO, Collection, Comparison, PairTest
from irpref.api.evaluation import evaluation_report, mean_scores
from irpref.base.literals import Correction, Format, OrderMethod, ProfileBy
from irpref.base.named import Named
from irpref.methods.measures import Measure
from irpref.methods.names import as_measures, known_names
from irpref.report.report import Report, render
from irpref.stats.tests import TESTS
from tests.random_cases import make_case

Ask = Callable[[Comparison], object]

pytestmark = pytest.mark.filterwarnings("ignore")

# Values of the options whose types name none.
SOME: dict[str, tuple[object, ...]] = {
    "rel": (0.5, 2, 9),
    "cutoff": (1, 3, 2**31 - 1),
    "weights": ("uniform", "dcg", "inverse", tuple(range(9, 0, -1)), (1,), abs),
    "gains": (None, {1: 1, 2: 2, 3: 3}, {1: 0.1, 2: "1/3", 3: 1}, {3: 1}),
    "n": ("pool", 2, 500),
    "persistence": (0.1, 0.9),
    "level": (2, 5),
}


def values_of(option: str, annotation: object) -> tuple[object, ...]:
    if option in SOME:
        return SOME[option]
    if annotation is bool:
        return (True, False)
    assert get_origin(annotation) is Literal, f"give some values of {option} in SOME"
    return get_args(annotation)


def variants() -> Iterator[Named]:
    """Every known name, and with each value of each option, also where ties are random."""
    for named in known_names().values():
        yield named
        if named._preset is not None:
            # A short name for some options of another one.
            continue
        types = typing.get_type_hints(type(named))
        ties = get_args(types.get("ties", None))
        for option in fields(named):
            if option.init:
                values = values_of(option.name, types[option.name])
                for number, value in enumerate(values):
                    # Where ties are random, the first value and the last one.
                    random = number in (0, len(values) - 1)
                    for tie in (None, *(tie for tie in ties if tie == "expected" and random)):
                        more = {} if tie is None or option.name == "ties" else {"ties": tie}
                        if option.name == "cutoff":
                            change = lambda: named(**more) @ value  # noqa: B023, E731
                        else:
                            change = lambda: named(**{option.name: value, **more})  # noqa: B023, E731
                        made = works(change)
                        if made is not None:
                            yield made


def works(ask: Callable[[], Any]) -> Any:
    """What is asked; None if it is refused, in a sentence that says more than a word or two."""
    try:
        return ask()
    except ValueError as error:
        refused = str(error)
    assert len(refused.split()) > 4, refused
    assert "\n" not in refused
    return None


VARIANTS = {str(each): each for each in variants()}
# All names, each with random ties, and where hardly anything or nothing is found: values of every kind.
TYPICAL = {
    text
    for text in VARIANTS
    if text in known_names() or text.endswith(("(ties='expected')", "@1")) or "rel=9" in text
}
EVERY = pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=() if text in known_names() else pytest.mark.slow)
        for text in VARIANTS
    ],
)


@cache
def data(missing: Literal["worst", "skip"] = "worst", systems: int = 3) -> Collection:
    """Ties, grades, subtopics, and topics that runs lack."""
    case = make_case(8, topics=7, systems=3, documents=7, subtopics=2)
    assert any(len(lists) < len(case.judgments) for lists in case.runs.values())
    whole = irpref.collect(case.qrels, case.runs, missing=missing)
    return whole if systems == 3 else whole.select(systems=whole.systems[:systems])


def seeded(method: str | None = None, **options: Any) -> PairTest:
    return PairTest(method=method, rng=1, n_resamples=40, **options)  # type: ignore[arg-type]


ASKED: dict[str, Ask] = {
    "mean": lambda c: c.mean(c.preferences[0]),
    "outcomes": lambda c: c.outcomes(c.preferences[0]),
    "per_topic": lambda c: c.per_topic(c.preferences[0], *c.systems[:2]),
    "relations": lambda c: c.relations(c.preferences[0], *c.systems[:2]),
    "profile": lambda c: [c.profile(*c.systems[:2], by=by) for by in get_args(ProfileBy)],
    "explain": lambda c: [c.explain(topic, *c.systems[:2]) for topic in c.topics],
    "explain one": lambda c: c.explain(c.topics[0], *c.systems[:2]),
    "signature": lambda c: c.signature(c.preferences[0]),
    "coverage": lambda c: repr(c.coverage),
    "repr": repr,
    "pickle": lambda c: pickle.loads(pickle.dumps(c)).mean(str(c.preferences[0])),
    "leaderboard": lambda c: c.leaderboard(test=seeded()),
    "plan": lambda c: repr(irpref.plan(c.preferences[0], difference=0.15, pilot=c)),
}
for method in TESTS:
    ASKED[f"test {method}"] = lambda c, method=method: c.test(
        test=PairTest(method=method, rng=1, n_resamples=40)
    )
for correction in get_args(Correction):
    ASKED[f"test {correction}"] = lambda c, correction=correction: c.test(
        test=PairTest(correction=correction), baseline=c.systems[0]
    )
for order in get_args(OrderMethod):
    ASKED[f"order {order}"] = lambda c, order=order: c.order(c.preferences[0], method=order)

REPORTS: dict[str, Callable[[Comparison], Report]] = {
    "plain": lambda c: c.report(),
    "top": lambda c: c.report(top=2),
    "test": lambda c: c.report(test=seeded()),
    "no test": lambda c: c.report(test=False),
    "baseline": lambda c: c.report(baseline=c.systems[1], test=seeded("randomization")),
    "per topic": lambda c: c.report(per_topic=True),
    "per topic over a baseline": lambda c: c.report(per_topic=True, baseline=c.systems[0]),
}


@cache
def compared(text: str, missing: Literal["worst", "skip"], systems: int) -> Comparison | None:
    found: Comparison | None = works(lambda: data(missing, systems).compare(VARIANTS[text]))
    return found


# Options change values: what is computed from means, tests and counts alone sees no more than that, and
# profiles and coverage see none.
OF_EVERY_VARIANT = [
    *("mean", "outcomes", "per_topic", "relations", "explain one", "pickle"),
    *("signature", "test t", "test hsd", "order mean"),
]


@EVERY
def test_each_question_is_answered_or_refused(text: str) -> None:
    assert pickle.loads(pickle.dumps(VARIANTS[text])) == VARIANTS[text]
    comparison = compared(text, "worst", 3)
    if comparison is None:
        return
    for name in ASKED if text in TYPICAL else OF_EVERY_VARIANT:
        ask = ASKED[name]
        answer = works(lambda ask=ask: ask(comparison))
        if name in ("mean", "outcomes", "per_topic") or name.startswith("order mean"):
            assert answer is not None, name
            numbers = answer.select_dtypes("number") if isinstance(answer, pd.DataFrame) else answer
            # Where nothing is relevant, there is no mean.
            none = name == "mean" and not comparison.totals[comparison.preferences[0]].most_topics
            assert none or not numbers.isna().to_numpy().any(), name


@EVERY
def test_each_question_is_answered_or_refused_where_topics_are_skipped(text: str) -> None:
    comparison = compared(text, "skip", 3)
    more = ("leaderboard", "test hsd", "repr") if text in TYPICAL else ()
    for name in ("mean", "outcomes", "per_topic", "test t", *more):
        if comparison is not None:
            works(lambda name=name: ASKED[name](comparison))


@EVERY
def test_each_report_is_made_or_refused(text: str) -> None:
    # Options change values; what a report of a pair says, they do not, but for random ties.
    own_name = text in known_names() and VARIANTS[text]._preset is None
    whole = own_name or text.endswith("(ties='expected')")
    some = ("plain", "test", "baseline", "per topic") if text in TYPICAL else ("per topic",)
    for systems in (2, 3) if whole else (3,):
        comparison = compared(text, "worst", systems)
        if comparison is None:
            continue
        for name in REPORTS if whole else some:
            report = works(lambda make=REPORTS[name], c=comparison: make(c))
            if report is not None:
                assert json.loads(report.to_json())["title"] == report.title
                assert report.to_csv().startswith(tuple(report.rows.columns))
                said = (report.answer or [report.title])[0]
                assert said in " ".join(report.to_text().split())


def reports() -> dict[str, Report]:
    """One of every kind of report, of criteria of every kind."""
    several = ["RPP", "IPSO@3", "IPSO(ties='expected')@3", "AP", "TSE"]
    made = {
        f"{name}, {systems} systems": works(
            lambda make=make, systems=systems: make(data(systems=systems).compare(several))
        )
        for name, make in REPORTS.items()
        for systems in (2, 3)
    }
    placements, measures = data().placements, as_measures(["AP", "nDCG@3"])
    made["means"] = evaluation_report(placements, measures)
    made["scores"] = evaluation_report(placements, measures, per_topic=True)
    made["ties"] = evaluation_report(placements, measures, ties=True)
    made["collection"] = data().report
    first, *others = data().systems
    made["corroboration"] = data().corroborate(first, others, measure="AP@3").report
    for what in ("RPP", "LP"):
        made[f"plan {what}"] = irpref.plan(what, difference=0.3, sd=0.7).report
    return {name: report for name, report in made.items() if report is not None}


@pytest.mark.parametrize("form", get_args(Format))
def test_each_report_is_written_in_each_format(form: Format) -> None:
    made = reports()
    assert len(made) > 12
    for name, report in made.items():
        for width in (None, 40):
            assert len(render(report, form, screen={"width": width})) > 40, name


@EVERY
def test_each_measure_is_evaluated_and_each_preference_is_refused(text: str) -> None:
    asked = VARIANTS[text]
    scores = works(lambda: data().evaluate(asked))
    assert scores is None or isinstance(asked, Measure)
    if scores is None:
        return
    assert not mean_scores(scores).isna().to_numpy().any()
    again = irpref.compare_scores(scores)
    assert set(again.systems) == set(data().systems)
    # Of the others, what depends on their values.
    whole = text in TYPICAL
    asked_for: tuple[dict[str, Any], ...] = ({"per_topic": True}, {"ties": True}, {"top": 1})
    for options in asked_for if whole else asked_for[:1]:
        report = works(
            lambda options=options: evaluation_report(data().placements, [asked], **options)
        )
        assert report is None or json.loads(report.to_json())["title"] == report.title
    first, *others = data().systems
    for preference in (IPSO @ 2, "IPSO(graded=True)") if whole else ():
        works(
            lambda preference=preference: repr(
                data().corroborate(first, others, measure=asked, preference=preference)
            )
        )


def test_a_newcomer_can_hold_the_public_names_in_the_head() -> None:
    assert len(irpref.__all__) <= 50
