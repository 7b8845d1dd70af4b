"""A whole study by a least grade that is relevant: ``irpref.collect(…, rel=2)``, ``--rel 2``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import irpref
from irpref.base.reading_options import ReadingOptions
from irpref.cli.main import main
from irpref.methods.names import as_criteria
from irpref.studies import Experiment, known_studies
from tests.random_cases import make_case

CASE = make_case(21, topics=10, systems=4, documents=20)
ON_RUNS = {name: each for name, each in known_studies().items() if isinstance(each, Experiment)}
# These look at nothing but the values of their methods.
BY_VALUES = (
    *("agreement", "correlation", "discriminative-power", "dominance", "ipso-significance"),
)
LISTS = 20


def with_rel(methods: Sequence[str]) -> dict[str, str]:
    """By a method that has rel=2 itself, the method that has not."""
    own = (str(each.named(rel=2)) for each in as_criteria(methods) if each.named is not None)
    return dict(zip(own, methods, strict=True))


PLAIN = irpref.collect(CASE.qrels, CASE.runs, lists=LISTS)
FROM_2 = irpref.collect(CASE.qrels, CASE.runs, lists=LISTS, rel=2)


@pytest.mark.parametrize("name", ON_RUNS)
def test_everything_that_a_study_looks_at_is_as_if_lower_grades_were_0(name: str) -> None:
    study = ON_RUNS[name].with_options({"n_resamples": 3})
    methods = study.default_methods[:3] or None
    grade = pl.col("relevance")
    cut = CASE.qrels.with_columns(relevance=pl.when(grade == 1).then(0).otherwise(grade))
    data = irpref.collect(cut, CASE.runs, lists=LISTS), FROM_2, PLAIN
    expected, from_2, all_grades = (study(each, methods).frame for each in data)
    pd.testing.assert_frame_equal(from_2, expected)
    assert not all_grades["estimate"].equals(expected["estimate"])


@pytest.mark.parametrize("name", BY_VALUES)
def test_methods_are_as_with_rel_of_their_own(name: str) -> None:
    study = ON_RUNS[name].with_options({"n_resamples": 3})
    own = with_rel(study.default_methods)
    # Of other topics, other ones are drawn. And IPSO's triangle is of a metric that is chosen by its name.
    about = ["method", "against", "condition", "treatment", "estimate", "n"]
    one, two = (
        frame[frame["method"].isin(own.values())][about].reset_index(drop=True)
        for frame in (study(FROM_2).frame, study(PLAIN, list(own)).frame.replace(own))
    )
    pd.testing.assert_frame_equal(one, two, rtol=0, atol=1e-12)


def test_all_default_methods_tie_as_with_rel_of_their_own() -> None:
    names = sorted({name for study in ON_RUNS.values() for name in study.default_methods})
    own = with_rel(names)
    one, two = (
        irpref.studies.ties(data, methods, n_resamples=3).frame.query(
            "condition == 'tied pair-topics'"
        )
        for data, methods in ((FROM_2, names), (PLAIN, list(own)))
    )
    assert one["estimate"].to_list() == two["estimate"].to_list()
    assert one["n"].to_list() == two["n"].to_list()
    assert two["method"].map(own).to_list() == one["method"].to_list() == names


def test_the_command_line_says_rel_of_a_whole_study(tmp_path: Path) -> None:
    CASE.qrels.write_csv(tmp_path / "qrels.csv")
    for system, run in CASE.runs.items():
        rows = [f"{t} Q0 {d} 1 {s} x" for t, found in run.items() for d, s in found.items()]
        (tmp_path / system).write_text("\n".join([*rows, ""]))
    qrels, runs = tmp_path / "qrels.csv", [str(tmp_path / system) for system in CASE.runs]
    words = ["study", "ties", str(qrels), *runs, "--rel", "2", "--resamples", "3"]
    assert main([*words, "-o", str(tmp_path / "ties.csv")]) == 0
    found = pd.read_csv(tmp_path / "ties.csv", comment="#")
    expected = irpref.studies.ties(FROM_2, n_resamples=3)
    assert found["estimate"].to_list() == pytest.approx(expected.frame["estimate"].to_list())
    assert "|grades-from:2|" in expected.frame.attrs["signature"]
    assert any(note.startswith("Without relevant documents") for note in expected.notes)


def test_a_method_with_rel_of_its_own_does_not_lose_its_claims_silently() -> None:
    own = irpref.studies.ties(PLAIN, ["LP(rel=2)", "RR"], n_resamples=3).claims
    assert "not tried: LP" in set(own["note"])
    whole = irpref.studies.ties(FROM_2, ["LP", "RR"], n_resamples=3).claims
    assert "not tried: LP" not in set(whole["note"])


def test_options_of_reading_are_refused_where_they_come_too_late() -> None:
    with pytest.raises(TypeError, match=r"^ties: rel says .* irpref.collect\(…, rel=…\)$"):
        irpref.studies.ties(PLAIN, rel=2)
    for study in ON_RUNS.values():
        assert not study.options.keys() & ReadingOptions.__annotations__.keys()
