"""What a collection holds, counted again from the judgments and lists that it was made of."""

from __future__ import annotations

from statistics import fmean, pstdev

import pytest

import irpref
from tests.literal import ranked
from tests.random_cases import Case, make_case


def _literal(case: Case) -> tuple[dict[str, float], dict[str, float]]:
    """The means that the papers' tables have, in loops; and the standard deviations."""
    relevant = {
        topic: {document for document, grade in judged.items() if grade > 0}
        for topic, judged in case.grades.items()
    }
    relevant = {topic: documents for topic, documents in relevant.items() if documents}
    lists = {
        (system, topic): ranked(run[topic])
        for system, run in case.runs.items()
        for topic in relevant
        if topic in run
    }
    subtopics = {
        topic: {subtopic for (_, subtopic), grade in case.judgments[topic].items() if grade > 0}
        for topic in relevant
    }
    several = any(
        sum(grade > 0 and document == one for (one, _), grade in case.judgments[topic].items()) > 1
        for topic, documents in relevant.items()
        for document in documents
    )
    found = {key: [d in relevant[key[1]] for d in listed] for key, listed in lists.items()}
    expected = {
        "topics": len(relevant),
        "runs": len(case.runs),
        "relevant documents a topic": fmean(map(len, relevant.values())),
        "subtopics a topic": fmean(map(len, subtopics.values())) if several else 0,
        "documents a list": fmean(map(len, lists.values())),
        "relevant documents a list": fmean(map(sum, found.values())),
    }
    for position in (1, 2, 5):
        expected[f"share of the relevant {position}"] = fmean(
            sum(hits[:position]) / len(relevant[topic]) for (_, topic), hits in found.items()
        )
    spread = {
        "relevant documents a topic": map(len, relevant.values()),
        "subtopics a topic": map(len, subtopics.values()) if several else [0],
        "documents a list": map(len, lists.values()),
        "relevant documents a list": map(sum, found.values()),
    }
    return expected, {name: pstdev(values) for name, values in spread.items()}


@pytest.mark.parametrize("subtopics", [1, 3])
@pytest.mark.parametrize("seed", [1, 2])
def test_means_by_definition(seed: int, subtopics: int) -> None:
    case = make_case(seed, subtopics=subtopics, systems=4)
    frame = irpref.studies.describe(irpref.collect(case.qrels, case.runs), n_resamples=50).frame
    share = frame["condition"].str.startswith("share")
    names = frame["condition"].where(~share, frame["condition"] + " " + frame["treatment"])
    found = dict(zip(names, frame["estimate"], strict=True))
    means, spreads = _literal(case)
    for name, expected in means.items():
        assert found[name] == pytest.approx(expected), name
    assert dict(zip(names, frame["spread"], strict=True)) == pytest.approx(
        {name: spreads.get(name, float("nan")) for name in names}, nan_ok=True
    )
    assert set(frame[~share]["treatment"]) == {"shallow"}
    within = frame.dropna(subset="low")
    assert len(within) > 4
    assert (within["low"] <= within["estimate"]).all()
    assert (within["estimate"] <= within["high"]).all()


@pytest.mark.parametrize(
    ("documents", "depth"), [(100, "shallow"), (101, "standard"), (1001, "deep")]
)
def test_depth_is_that_of_the_lists(documents: int, depth: str) -> None:
    run = {"1": {f"d{number}": float(-number) for number in range(documents)}}
    data = irpref.collect({"1": {"d0": 1}, "2": {"d1": 1}}, {"a": run, "b": run})
    frame = irpref.studies.describe({"one": data, "other": data}).frame
    classes = frame[frame["condition"] == "documents a list"]["treatment"]
    assert list(classes) == [depth, depth]


def test_takes_no_methods() -> None:
    case = make_case(1)
    with pytest.raises(ValueError, match="describe compares no methods"):
        irpref.studies.describe(irpref.collect(case.qrels, case.runs), ["AP"])


def test_what_is_not_retrieved_is_found_at_no_position() -> None:
    run = {"1": {f"d{number}": float(-number) for number in range(10_001)}}
    data = irpref.collect({"1": {"d0": 1, "x": 1}}, {"a": run, "b": run})
    frame = irpref.studies.describe(data).frame
    deepest = frame.query("condition == 'share of the relevant'").iloc[-1]
    assert (deepest["treatment"], deepest["estimate"]) == ("50000", 0.5)
