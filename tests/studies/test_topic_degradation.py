"""The study of missing topics: every number by its definition, and which topics are missing."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import irpref
from irpref import demo_paths
from irpref.cli.main import main
from irpref.methods.names import as_criteria
from irpref.studies.base import Context
from irpref.studies.degradation import system_draws
from tests import literal
from tests.random_cases import make_case
from tests.studies.literal_degradation import (
    METHODS,
    assert_found,
    means,
    over_samples,
    system_numbers,
    values,
)

CASE = make_case(3, topics=9, systems=5, documents=6)
DATA = irpref.collect(CASE.qrels, CASE.runs)
STUDY = irpref.studies.topic_degradation.with_options({"fractions": [1, 0.3], "samples": 4})
FRAME = STUDY(DATA, METHODS, rng=5).frame
PARTS = STUDY.parts(Context("", DATA, (), 5, 2))
LABELS = {topic: literal.relevant(CASE.grades[topic]) for topic in DATA.topics}


@pytest.mark.parametrize("method", ["RR", "LP", "LR", "P@2", "middle_first"])
def test_every_number_is_what_its_definition_gives(method: str) -> None:
    topics = list(LABELS)
    found, reciprocal = (values(LABELS, CASE.runs, name) for name in (method, "RR"))
    whole, first = means(found, topics), means(reciprocal, topics)
    for fraction, kept in PARTS.items():
        samples = [
            system_numbers(
                means(found, [t for t, is_kept in zip(topics, sample, strict=True) if is_kept]),
                whole,
                first,
                DATA.systems,
            )
            for sample in kept
        ]
        assert_found(FRAME, method, f"{fraction:g}", over_samples(samples))


def test_a_fraction_of_the_topics_is_kept_and_a_smaller_one_is_a_part_of_it() -> None:
    assert list(PARTS) == [0.3, 1]
    assert PARTS[0.3].sum(axis=1).tolist() == [round(0.3 * len(DATA.topics))] * 4
    assert PARTS[1].all()
    assert len({tuple(sample) for sample in PARTS[0.3].tolist()}) > 1
    few = STUDY.with_options({"fractions": [0.001, 0.5]}).parts(Context("", DATA, (), 5, 2))
    assert few[0.001].sum(axis=1).tolist() == [1] * 4
    assert (few[0.5] >= few[0.001]).all()


def test_all_topics_give_the_order_of_all_topics() -> None:
    whole = FRAME[(FRAME["treatment"] == "1") & (FRAME["against"] == "itself")]
    decided = whole[~whole["condition"].str.startswith("systems agree")]
    assert decided["estimate"].tolist() == pytest.approx([1.0] * len(decided))
    assert (decided["spread"] == 0).all()


def test_systems_are_ordered_as_a_comparison_orders_them() -> None:
    frame = STUDY(DATA, "RPP", rng=5, order_by="mc4").frame
    whole = DATA.compare("RPP").order("RPP", method="mc4")
    taus = []
    for kept in PARTS[0.3]:
        some = DATA.select(
            topics=[t for t, is_kept in zip(DATA.topics, kept, strict=True) if is_kept]
        )
        order = some.compare("RPP").order("RPP", method="mc4")
        taus.append(kendalltau(order[list(DATA.systems)], whole[list(DATA.systems)]).statistic)
    found = frame[
        (frame["condition"] == "tau_b of the system orders") & (frame["treatment"] == "0.3")
    ]
    assert found["estimate"].item() == pytest.approx(np.nanmean(taus))
    assert found["spread"].item() == pytest.approx(np.nanstd(taus, ddof=1))
    assert "order_by:mc4" in frame.attrs["signature"]


def test_the_command_line_orders_runs_and_systems(capsys: pytest.CaptureFixture[str]) -> None:
    qrels, runs = demo_paths()
    words = ["-p", "RPP", "--order", "rank", "--order-by", "mc4", "--samples", "2", "--seed", "3"]
    files = [str(path) for path in (qrels, *runs)]
    assert main(["study", "topic-degradation", *files, *words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    data = irpref.collect(qrels, runs, order="rank")
    study = irpref.studies.topic_degradation(data, "RPP", order_by="mc4", samples=2, rng=3)
    assert found == json.loads(study.table().to_json())


def test_scores_of_another_tool_can_be_tried() -> None:
    scores = DATA.evaluate("RR")[["system", "topic", "value"]]
    frame = STUDY(DATA, ["RR", {"other": scores}], rng=5).frame
    own, other = (
        frame[frame["method"] == name].drop(columns="method").reset_index(drop=True)
        for name in ("RR", "other")
    )
    pd.testing.assert_frame_equal(own, other)


def test_claims_are_judged_by_topics_that_are_drawn_and_then_taken_away_again() -> None:
    context = Context("", DATA, tuple(as_criteria(["LP"])), 5, 30)
    drawn = system_draws(context)
    kept = STUDY._parts_of(drawn, context)[0.3]
    size = round(0.3 * len(DATA.topics))
    assert kept.shape == (4, len(drawn), len(DATA.topics))
    assert (kept.sum(axis=2) == size).all()
    assert (kept <= drawn).all()
    context = Context("", DATA, tuple(as_criteria(["LP"])), 5, 30)
    [taus] = [
        each.drawn
        for each in STUDY.findings(context)
        if each.treatment == "0.3" and each.condition == "tau_b of the system orders"
    ]
    found, reciprocal = (values(LABELS, CASE.runs, name) for name in ("LP", "RR"))
    assert taus is not None

    def repeated(counts: np.ndarray) -> list[str]:
        return [t for t, n in zip(LABELS, counts, strict=True) for _ in range(int(n))]

    for draw in (1, 2, 3):
        whole, first = (means(each, repeated(drawn[draw])) for each in (found, reciprocal))
        samples = [
            system_numbers(means(found, repeated(each[draw])), whole, first, DATA.systems)
            for each in kept
        ]
        wanted = [each["itself", "tau_b of the system orders"] for each in samples]
        assert taus[draw] == pytest.approx(np.mean(wanted), nan_ok=True)


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match=r"above 0 and at most 1"):
        irpref.studies.topic_degradation(DATA, fractions=[1.5])
    with pytest.raises(ValueError, match="samples must be a whole number"):
        irpref.studies.topic_degradation(DATA, samples=0.5)
    with pytest.raises(ValueError, match="mc4-lists"):
        irpref.studies.topic_degradation(DATA, order_by="mc4-list")
