"""The study of missing labels: every number by its definition, and which labels are missing."""

from __future__ import annotations

from statistics import stdev
from typing import Any

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref.api.collection import Collection
from irpref.methods.names import as_criteria
from irpref.studies.base import Context
from irpref.studies.degradation import _drawn_samples, system_draws
from tests.random_cases import make_case
from tests.studies.literal_degradation import (
    METHODS,
    Labels,
    assert_found,
    degraded,
    means,
    system_numbers,
    values,
)

CASE = make_case(11, topics=7, systems=4, documents=9, subtopics=2)
DATA = irpref.collect(CASE.qrels, CASE.runs)
SUBJECT = Context("", DATA, (), 5, 20)
STUDY = irpref.studies.label_degradation.with_options({"fractions": [0.5, 0.2, 1], "samples": 3})
FRAME = STUDY(DATA, METHODS, rng=5, n_resamples=20).frame
NAMES = ("RR", "LP", "LR", "P@2", "middle_first")


def labels(data: Collection) -> Labels:
    """By topic, the relevant documents."""
    relevant = data.judgments[data.judgments["grade"] > 0]
    return {
        str(topic): set(some["document"]) for topic, some in relevant.groupby("topic", sort=False)
    }


TREATMENTS = STUDY.treatments(SUBJECT)
PARTS = [[labels(part(DATA)) for part in treatment.samples] for treatment in TREATMENTS]


@pytest.mark.parametrize("method", NAMES)
def test_every_number_is_what_its_definition_gives(method: str) -> None:
    whole = labels(DATA)
    assert len(TREATMENTS) == 6
    for treatment, parts in zip(TREATMENTS, PARTS, strict=True):
        wanted = degraded([(part, CASE.runs) for part in parts], whole, CASE.runs, method)
        assert_found(FRAME, method, treatment.treatment, wanted, treatment.circumstance)


def test_the_spread_is_over_samples_and_the_interval_over_topics() -> None:
    for treatment, parts in zip(TREATMENTS, PARTS, strict=True):
        shares = []
        for part in parts:
            found = [v for each in values(part, CASE.runs, "RR").values() for v in each.values()]
            shares.append(sum(v == 0 for v in found) / len(found))
        some = FRAME[(FRAME["method"] == "RR") & (FRAME["treatment"] == treatment.treatment)]
        tied = some["condition"] == f"tied pair-topics, {treatment.circumstance}"
        [row] = some[tied].to_dict("records")
        assert row["spread"] == pytest.approx(stdev(shares), abs=1e-12)
        assert row["low"] <= row["estimate"] <= row["high"]
        assert row["n"] == 6 * len(DATA.topics)


def test_a_fraction_of_the_labels_of_each_topic_is_kept_and_a_smaller_one_is_a_part_of_it() -> None:
    whole = labels(DATA)
    assert len({len(each) for each in whole.values()}) > 2
    for treatment, parts in zip(TREATMENTS, PARTS, strict=True):
        for part in parts:
            for topic, wanted in whole.items():
                kept = max(1, round(float(treatment.treatment) * len(wanted)))
                assert part[topic] <= wanted
                assert len(part[topic]) == kept
    for fewer, more in ((0, 1), (1, 2), (3, 4), (4, 5)):
        for small, large in zip(PARTS[fewer], PARTS[more], strict=True):
            assert all(small[topic] <= large[topic] for topic in whole)


def test_judgments_of_what_is_not_relevant_stay() -> None:
    def others(data: Collection) -> set[tuple[str, str]]:
        found = data.judgments.groupby(["topic", "document"])["grade"].max()
        return set(found[found <= 0].index)

    assert others(DATA)
    for treatment in TREATMENTS:
        assert others(treatment.samples[0](DATA)) == others(DATA)


def test_what_more_runs_retrieve_goes_sooner() -> None:
    # On every topic, three runs retrieve often, one run seldom, none never: the weights are 3, 1 and 0.
    topics = [str(number) for number in range(400)]
    alone, both = {"often": 1.0}, {"often": 2.0, "seldom": 1.0}
    found = {"a": alone, "b": alone, "c": both}
    judged = {"often": 1, "seldom": 1, "never": 1, "junk": 0}
    data = irpref.collect(
        dict.fromkeys(topics, judged),
        {name: dict.fromkeys(topics, scores) for name, scores in found.items()},
    )
    study = irpref.studies.label_degradation.with_options({"fractions": [0.7], "samples": 1})
    gone = {}
    for treatment in study.treatments(Context("", data, (), 1, 2)):
        kept = [each for wanted in labels(treatment.samples[0](data)).values() for each in wanted]
        gone[treatment.circumstance] = 1 - pd.Series(kept).value_counts() / len(topics)
    assert gone["uniform"].to_dict() == pytest.approx(
        {"often": 1 / 3, "seldom": 1 / 3, "never": 1 / 3}, abs=0.1
    )
    assert gone["by frequency"].to_dict() == pytest.approx(
        {"often": 0.75, "seldom": 0.25, "never": 0}, abs=0.1
    )
    assert gone["by frequency"]["never"] == 0


def test_what_is_not_relevant_to_a_method_any_more_ties() -> None:
    qrels = {"1": {"low": 1, "lower": 1, "high": 2}}
    runs = {"a": {"1": {"high": 2.0, "low": 1.0}}, "b": {"1": {"low": 2.0, "high": 1.0}}}
    data = irpref.collect(qrels, runs)
    study = irpref.studies.label_degradation(data, "RR(rel=2)", fractions=[0.1], samples=40)
    tied = study.frame.query("condition == 'tied pair-topics, uniform'")["estimate"].item()
    assert 0.4 < tied < 0.9


def test_a_seed_is_a_result() -> None:
    few = {"fractions": [0.5], "samples": 2, "n_resamples": 2}
    one, same, other = (
        irpref.studies.label_degradation(DATA, "RR", rng=rng, **few).frame for rng in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(one, same)
    assert not np.allclose(one["estimate"], other["estimate"], equal_nan=True)


def test_claims_are_judged_by_topics_and_samples_that_are_drawn_again() -> None:
    few, methods = {"fractions": [0.5], "samples": 3}, as_criteria(["LP", "RR"])
    study = irpref.studies.label_degradation.with_options(few)
    context = Context("", DATA, tuple(methods), 5, 20)
    kept = study.treatments(context)[0]
    parts = [labels(part(DATA)) for part in kept.samples]
    topics, whole = list(DATA.topics), values(labels(DATA), CASE.runs, "LP")
    found = [values(part, CASE.runs, "LP") for part in parts]
    findings = {
        (each.method, each.against, each.condition): each
        for each in study.findings(Context("", DATA, tuple(methods), 5, 20))
    }
    drawn = np.concatenate(list(context.bootstrap.with_all_topics()))
    weights = _drawn_samples(context, 3, 21)
    tied = findings["LP", "", "tied pair-topics, uniform"].drawn
    taus = findings["LP", "itself", "tau_b of the system orders, uniform"].drawn
    assert tied is not None
    assert taus is not None
    for draw in (0, 1, 2):
        ties = sum(
            weight * drawn[draw, at] * (pair[topic] == 0)
            for weight, sample in zip(weights[draw], found, strict=True)
            for pair in sample.values()
            for at, topic in enumerate(topics)
        )
        assert tied[draw] == pytest.approx(ties / len(whole) / len(topics))
    # The numbers of systems have their own draws: fewer of them.
    drawn, weights = system_draws(context), _drawn_samples(context, 3, len(taus))
    assert len(drawn) == len(taus) == 3
    for draw in (0, 1, 2):
        repeated = [t for t, n in zip(topics, drawn[draw], strict=True) for _ in range(int(n))]
        wanted = means(whole, repeated)
        each = [
            system_numbers(means(sample, repeated), wanted, wanted, DATA.systems)
            for sample in found
        ]
        number = [one["itself", "tau_b of the system orders"] for one in each]
        assert taus[draw] == pytest.approx(np.dot(weights[draw], number), nan_ok=True)


def test_runs_without_unjudged_documents_must_be_kept() -> None:
    qrels = {"1": {"d": 1, "e": 1, "f": 0}}
    runs = {"a": {"1": {"f": 3.0, "d": 2.0, "e": 1.0}}, "b": {"1": {"e": 2.0, "x": 1.5, "d": 1.0}}}
    options: dict[str, Any] = {"fractions": 0.5, "samples": 1, "n_resamples": 2}
    with pytest.raises(ValueError, match=r"judged_only=True .*: leave it out, or .*lists=3"):
        irpref.studies.label_degradation(
            irpref.collect(qrels, runs, judged_only=True), "RR", **options
        )
    kept = irpref.collect(qrels, runs, judged_only=True, lists=3)
    # Whichever relevant document stays, b has it first, as it has the first of both.
    frame = irpref.studies.label_degradation(kept, "RR", **{**options, "samples": 6}).frame
    agree = frame[frame["condition"].str.startswith("pair-topics agree, strict")]
    assert set(agree["estimate"]) == {1.0}


def test_mistakes_are_told() -> None:
    study = irpref.studies.label_degradation
    with pytest.raises(ValueError, match=r"fractions are the shares that are kept, above 0"):
        study(DATA, fractions=[0])
    with pytest.raises(ValueError, match="samples must be a whole number"):
        study(DATA, samples=0)
    scores = pd.DataFrame(
        [(system, topic, 0.5) for system in DATA.systems for topic in DATA.topics],
        columns=["system", "topic", "value"],
    )
    with pytest.raises(ValueError, match="the scores clicks were computed from all labels"):
        study(DATA, ["RR", {"clicks": scores}])
    judged = irpref.collect(CASE.qrels, CASE.runs, judged_only=True)
    with pytest.raises(ValueError, match="lists="):
        study(judged, "RR")
