"""What all studies share: how they are found and called, what they give back, and mistakes."""

from __future__ import annotations

import json
import pkgutil
import re
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import irpref
from irpref import demo_paths, studies
from irpref.base.checks import check_fraction, check_several
from irpref.show.plots.figures import free_figure
from irpref.show.plots.study_plot import draw_study
from irpref.studies import AnyExperiment, DataFree, Experiment, known_studies
from irpref.studies.claims import Judged
from irpref.studies.findings import Finding

DEMO = irpref.collect(*demo_paths())
QUICK = {"n_resamples": 20}


def helpers() -> set[str]:
    """Modules of the package that hold no study."""
    names = {module.name for module in pkgutil.iter_modules(studies.__path__)}
    return {name for name in names if not isinstance(getattr(studies, name, None), AnyExperiment)}


def test_every_module_is_a_study_under_its_own_name_or_a_helper() -> None:
    for name, experiment in known_studies().items():
        assert getattr(irpref.studies, name.replace("-", "_")) is experiment
        assert type(experiment).__module__ == f"irpref.studies.{name.replace('-', '_')}"
        assert experiment.question.endswith("?")
        assert isinstance(experiment, DataFree | Experiment)
    assert "ties" in known_studies()
    assert "base" in helpers()
    assert not helpers() & {name.replace("-", "_") for name in known_studies()}


@pytest.mark.parametrize("name", sorted(known_studies()))
def test_every_option_says_what_it_is_on_the_command_line(name: str) -> None:
    for option in fields(known_studies()[name]):
        assert option.metadata["help"]


def test_an_unknown_study_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(AttributeError, match="unknown study 'tise'; did you mean 'ties'"):
        _ = irpref.studies.tise


def test_a_study_is_frozen_and_says_how_it_was_made() -> None:
    study = studies.ties(DEMO, ["LP", "RR"], rng=4, **QUICK)
    assert study.frame.columns.to_list() == ["collection", *Finding._fields[:-1]]
    assert study.claims.columns.to_list() == ["collection", *Judged._fields]
    assert study.frame.attrs["signature"] == (
        "of:LP,RR|topics:12|missing:0|study:ties|n_resamples:20|rng:4|irpref:" + irpref.__version__
    )
    with pytest.raises(FrozenInstanceError):
        study.name = "other"


def test_several_collections_give_a_row_each_and_each_begins_anew() -> None:
    few = DEMO.select(topics=DEMO.topics[:5])
    both = studies.ties({"all": DEMO, "few": few}, "LP", rng=1, **QUICK)
    assert list(dict.fromkeys(both.frame["collection"])) == ["all", "few"]
    assert len(both.frame.attrs["signature"].splitlines()) == 2
    alone = studies.ties(few, "LP", rng=1, **QUICK)
    second = both.frame[both.frame["collection"] == "few"].reset_index(drop=True)
    pd.testing.assert_frame_equal(
        second.drop(columns="collection"), alone.frame.drop(columns="collection")
    )
    assert "few" in both.table(claims=True).to_text()
    assert isinstance(draw_study(both.frame, both.picture, new_figure=free_figure), Figure)


def test_the_same_seed_gives_the_same_bytes_and_a_generator_draws_one() -> None:
    one, two = (studies.ties(DEMO, "RR", rng=7, **QUICK).table().to_json() for _ in "ab")
    assert one == two
    assert one != studies.ties(DEMO, "RR", rng=8, **QUICK).table().to_json()
    drawn = studies.ties(DEMO, "RR", rng=np.random.default_rng(1), **QUICK)
    [seed] = re.findall(r"\|rng:(\d+)", drawn.frame.attrs["signature"])
    again = studies.ties(DEMO, "RR", rng=int(seed), **QUICK)
    assert drawn.table().to_csv() == again.table().to_csv()


def test_a_table_goes_to_every_format_and_json_has_the_claims() -> None:
    report = studies.ties(DEMO, ["LP", "RR"], **QUICK).table(claims=True)
    for text in (report.to_text(80), report.to_latex(), report.to_markdown(), report.to_html()):
        assert "RR" in text
        assert "holds" in text
    written = json.loads(report.to_json())
    verdicts = {claim["verdict"] for claim in written["facts"]["claims"]}
    assert verdicts == {"by definition", "holds", "cannot be tested"}
    shares = report.records.query("condition == 'tied pair-topics'")
    assert shares["estimate"].to_list() == pytest.approx([1 / 180, 78 / 180], abs=1e-15)
    assert "holds" not in studies.ties(DEMO, ["LP", "RR"], **QUICK).table().to_text()


def test_a_claim_without_a_number_has_none_in_json() -> None:
    written = json.loads(studies.ipso_space(depths=3).table().to_json())
    thetas = {claim["verdict"]: claim["theta"] for claim in written["facts"]["claims"]}
    assert thetas["cannot be tested"] is None
    assert thetas["holds"] > 0


def test_own_functions_and_scores_of_other_tools_are_rows() -> None:
    def first_place(first: np.ndarray, second: np.ndarray) -> float:
        return float(first[0] == 1) - float(second[0] == 1)

    scores = DEMO.evaluate("RR")
    study = studies.ties(DEMO, [first_place, "RR", {"theirs": scores}], **QUICK)
    shares = study.frame.query("condition == 'tied pair-topics'").set_index("method")["estimate"]
    assert shares["theirs"] == shares["RR"] < shares["first_place"]


def test_a_picture_is_drawn_into_the_axes_that_it_is_given() -> None:
    study = studies.ties(DEMO, ["LP", "RR"], **QUICK)
    axes = free_figure(4, 3).add_subplot()
    assert study.plot(axes) is axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["LP", "RR"]
    both = studies.ties({"a": DEMO, "b": DEMO}, "LP", **QUICK)
    with pytest.raises(ValueError, match="2 panels, and one Axes holds one"):
        both.plot(axes)


@pytest.mark.parametrize(
    ("data", "methods", "options", "said"),
    [
        (DEMO, ["LPP"], {}, "unknown preference or measure 'LPP'"),
        (DEMO, "LP", {"n_resamples": 0}, "n_resamples must be a whole number of at least 1"),
        (DEMO, "LP", {"rng": -1}, "rng must be a whole number of at least 0"),
        (DEMO, "LP", {"rng": "x"}, "rng must be a whole number of at least 0"),
        (DEMO.select(systems=["bm25"]), "LP", {}, r"there is one only \(bm25\)"),
        ({"x": DEMO.select(systems=["bm25"])}, "LP", {}, "collection x: ties compares systems"),
        (demo_paths()[0], "LP", {}, r"irpref.collect\(qrels, runs\) makes one"),
        ({}, "LP", {}, "needs a collection"),
    ],
    ids=["method", "resamples", "seed", "text", "one", "one-of-some", "path", "none"],
)
def test_a_mistake_is_one_clear_line(
    data: object, methods: object, options: dict[str, object], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        studies.ties(data, methods, **options)


def test_an_unknown_option_is_an_error_with_the_nearest() -> None:
    with pytest.raises(TypeError, match="ties: unknown option 'n_resample'; did you mean 'n_res"):
        studies.ties(DEMO, n_resample=3)


@pytest.mark.parametrize("values", [0, 1.5, -0.2, "0.2", [0.5, 0], [], [True], [float("nan")]])
def test_fractions_are_above_0_and_at_most_1(values: object) -> None:
    with pytest.raises(ValueError, match="fractions"):
        check_several("fractions", values, check_fraction, like=0.2)


def test_what_was_left_out_is_said() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 0}}
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}, "3": {"e": 1.0}}}
    data = irpref.collect(qrels, runs)
    [first, *_] = studies.ties(data, "LP").notes
    assert first == "Without relevant documents, and left out: 1 topic (2)."
    [first, *_] = studies.ties({"mine": data}, "LP").notes
    assert first.startswith("mine. Without relevant documents")


def test_a_study_of_users_says_user_and_item() -> None:
    data = irpref.collect(*demo_paths(), users=True)
    study = studies.describe(data, **QUICK)
    text = replace(study.table(), signatures=()).to_text()
    assert "How much of a user's relevant items a list has" in text
    assert not re.search(r"\b(topics?|documents?)\b", text, re.IGNORECASE)
    assert study.plot().get_ylabel() == "share of a user's relevant items"
    # What programs read stays, and so does a study of searches too.
    assert study.table().to_csv() == studies.describe(DEMO, **QUICK).table().to_csv()
    both = studies.describe({"one": data, "other": DEMO}, **QUICK)
    assert "topic's" in both.table().to_text()
