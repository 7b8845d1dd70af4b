"""Qrels and runs brought together: positions, ways to read, and what cannot be brought together."""

from __future__ import annotations

import gzip
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irpref.base.errors import InputError
from irpref.base.reading_options import USUAL
from irpref.positions import locating
from irpref.positions.locating import locate_runs
from irpref.read import read_to_fault, source_of
from irpref.read.names_of_runs import SomeRows, name_runs
from tests.literal import relevant
from tests.positions.found_positions import QRELS, RUNS, found_in, wanted_of
from tests.random_cases import Case, cases, place


@given(case=cases(systems=3))
def test_positions_and_tied_groups_of_every_relevant_item_are_those_of_a_plain_sort(
    case: Case,
) -> None:
    collection = case.collect()
    assert found_in(collection) == wanted_of(case.grades, case.runs)
    with_relevant = [t for t, grades in case.grades.items() if relevant(grades)]
    assert list(collection.topics) == with_relevant
    assert list(collection.systems) == list(case.runs)
    assert collection.retrieved.tolist() == [
        [len(case.run(system, topic)) for system in case.runs] for topic in with_relevant
    ]
    for t, topic in enumerate(collection.topics):
        grades = collection.grades[collection.rows(t)]
        assert grades.tolist() == sorted(grades, reverse=True)
        assert dict(zip(collection.documents[collection.rows(t)], grades, strict=True)) == {
            document: grade for document, grade in case.grades[topic].items() if grade > 0
        }


def test_every_kind_of_input_gives_the_same(tmp_path: Path) -> None:
    qrels, runs = tmp_path / "qrels", {name: tmp_path / f"{name}.txt" for name in RUNS}
    qrels.write_text("".join(f"{t} 0 {d} {g}\n" for t, ds in QRELS.items() for d, g in ds.items()))
    for name, path in runs.items():
        lines = "".join(
            f"{t} Q0 {d} 1 {s} x\n" for t, ds in RUNS[name].items() for d, s in ds.items()
        )
        path.write_bytes(gzip.compress(lines.encode()))
    expected = found_in(place(QRELS, RUNS))
    assert found_in(place(qrels, list(runs.values()))) == expected
    assert found_in(place(str(qrels), {name: str(path) for name, path in runs.items()})) == expected
    numbers = {int(t): ds for t, ds in QRELS.items()}
    assert found_in(place(numbers, RUNS)) == expected
    assert (
        found_in(place(qrels, {n: {float(t): d for t, d in r.items()} for n, r in RUNS.items()}))
        == expected
    )


def test_order_and_number_of_runs_do_not_change_a_run() -> None:
    many = {f"s{i}": RUNS["bm25" if i % 3 else "tfidf"] for i in range(40)}
    told: list[tuple[str, int, int]] = []
    collection = locate_runs(QRELS, many, progress=lambda *step: told.append(step)).placements
    pair = place(QRELS, RUNS)
    for i in range(40):
        assert np.array_equal(collection.positions[:, i], pair.positions[:, 0 if i % 3 else 1])
    assert told == [("reading runs", i + 1, 40) for i in range(40)]


# Options


@given(case=cases(systems=2))
def test_judged_only_takes_the_unjudged_out_first(case: Case) -> None:
    judged = {
        name: {
            topic: kept
            for topic, scores in run.items()
            if (kept := {d: s for d, s in scores.items() if case.grades[topic].get(d, -1) >= 0})
        }
        for name, run in case.runs.items()
    }
    if not all(judged.values()):
        return
    collection = place(case.qrels, case.runs, judged_only=True)
    assert collection.reading.judged_only
    assert found_in(collection) == wanted_of(case.grades, judged)
    assert set(collection.coverage.judged_at_10.values()) == {1.0}


@pytest.mark.parametrize("judged_only", [False, True])
def test_runs_without_judged_documents_are_refused_and_one_of_many_is_named(
    judged_only: bool,
) -> None:
    prefixed = {"301": {"x-d1": 1.0, "x-d2": 0.5}}
    with pytest.raises(InputError, match="the run retrieves no judged document") as error:
        place(QRELS, {"s": prefixed, "t": prefixed}, judged_only=judged_only)
    assert error.value.source == "run 's'"
    assert "document names written differently" in str(error.value)
    assert "qrels: d1" in str(error.value)
    assert "run: x-d1, x-d2" in str(error.value)
    with pytest.warns(UserWarning, match="run 's': the run retrieves no judged document"):
        place(QRELS, {"s": prefixed, "t": {"301": {"d1": 1.0}}}, judged_only=judged_only)


@st.composite
def lists_of_names(draw: st.DrawFn) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """By topic, the documents of qrels and of a run: 1 and 001 are two names."""
    names = st.text("01a", min_size=1, max_size=4)
    pool = st.sampled_from(draw(st.lists(names, min_size=2, max_size=5, unique=True)))
    lists = st.dictionaries(pool, st.sets(pool, min_size=1, max_size=2), min_size=1, max_size=2)
    return draw(lists), draw(lists)


@pytest.mark.parametrize("judged_only", [False, True])
@given(both=lists_of_names())
@example(both=({"001": {"d"}, "2": {"e"}}, {"1": {"d"}, "2": {"x"}}))
def test_what_does_not_meet_is_blamed_topics_or_documents(
    judged_only: bool, both: tuple[dict[str, set[str]], dict[str, set[str]]]
) -> None:
    qrels, run = both
    wanted = None
    if not qrels.keys() & run.keys():
        wanted = "no topic in common", "topic"
    elif not any(qrels[topic] & run[topic] for topic in qrels.keys() & run.keys()):
        documents = set().union(*qrels.values()) & set().union(*run.values())
        wanted = (
            ("but some that are judged for other topics", "topic")
            if documents
            else ("retrieves no judged document (", "document")
        )
    fault = None
    try:
        place(
            {topic: dict.fromkeys(documents, 1) for topic, documents in qrels.items()},
            {"s": {topic: dict.fromkeys(documents, 1.0) for topic, documents in run.items()}},
            judged_only=judged_only,
        )
    except InputError as error:
        fault = error
    assert (fault is None) == (wanted is None)
    if fault is not None and wanted is not None:
        assert wanted[0] in fault.problem
        assert f"are the {wanted[1]} names written differently?" in str(fault.remedy)
        topics = wanted[1] == "topic"
        for side, lists in (("qrels", qrels), ("run", run)):
            shown = lists if topics else set().union(*lists.values())
            few = re.search(rf"{side}: ([\w, ]+?)(?:, …)?[;)]", fault.problem)
            assert few is not None
            assert set(few[1].split(", ")) <= set(shown)


def test_a_judged_document_below_the_depth_is_one() -> None:
    run = {"301": {"x": 9.0, "d1": 1.0}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for judged_only in (False, True):
            placed = place(QRELS, {"s": run}, depth=1, judged_only=judged_only)
            assert (placed.positions == placed.unretrieved).all()


def test_a_judged_document_that_is_not_relevant_is_one() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        place({"301": {"d": 1, "e": 0}}, {"s": {"301": {"x": 2.0, "e": 1.0}}})


def test_order_by_rank_goes_by_the_rank_column_and_needs_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("301 Q0 d1 2 9 x\n301 Q0 d2 1 1 x\n")
    assert place(QRELS, [path], order="rank").positions[:2, 0].tolist() == [2, 1]
    assert place(QRELS, [path], order="rank").reading.order == "rank"
    with pytest.raises(InputError, match=r"order='rank' needs .* rank column") as error:
        place(QRELS, RUNS, order="rank")
    assert error.value.source == "run 'bm25'"


# A rank column that contradicts the scores


def ranks_against_scores(wrong: int, right: int) -> str:
    lines = [f"{301 + t} Q0 d{i} {i} {i} x" for t in range(wrong) for i in (1, 2)]
    lines += [f"{301 + wrong + t} Q0 d{i} {i} {-i} x" for t in range(right) for i in (1, 2)]
    return "\n".join(lines)


def test_contradicting_ranks_warn_and_name_the_option(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text(ranks_against_scores(2, 1))
    with pytest.warns(UserWarning, match="contradicts the scores") as caught:
        collection = place(QRELS, [path])
    message = str(caught[0].message)
    assert message.startswith(str(path))
    assert "on 2 of 3 topics" in message
    assert "order={'odd': 'rank'}" in message
    assert collection.positions[:2, 0].tolist() == [2, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        place(QRELS, [path], order="rank")
        place(QRELS, [path], order={"odd": "rank"})


def test_each_run_has_the_order_that_is_given_for_it(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("301 Q0 d1 1 1 x\n301 Q0 d2 2 2 x\n")
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    with pytest.warns(UserWarning, match=r"a\.txt: the rank column contradicts") as caught:
        placements = place(QRELS, paths, order={"b": "rank"})
    assert len(caught) == 1
    assert placements.positions[:2].tolist() == [[2, 1], [1, 2]]


def test_an_order_for_a_run_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown run in order 'bm52'; did you mean 'bm25'"):
        place(QRELS, RUNS, order={"bm52": "rank"})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("301 Q0 a 1 1 x\n301 Q0 a 1 1 x\n301 Q0 b 1 nan x\n", "line 2.*there twice"),
        ("301 Q0 a 1 1 x\n301 Q0 a 1 1 x\nbroken\n", "line 2.*there twice"),
        ("301 Q0 a 1 nan x\n301 Q0 a 1 1 x\nbroken\n", "line 1.*NaN"),
        ("301 Q0 a 1 1 x\nbroken\n301 Q0 a 1 1 x\n", "line 2.*1 column"),
        ("broken\n301 Q0 a 1 nan x\n", "line 1.*1 column"),
    ],
)
def test_of_several_faults_the_first_line_is_named(text: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=fault):
        place(QRELS, [path])


@pytest.mark.parametrize(
    "text",
    [
        ranks_against_scores(1, 1),
        "301 Q0 d1 0 1 x\n301 Q0 d2 0 2 x\n301 Q0 d3 0 3 x\n",
        "301 Q0 d3 3 1 x\n301 Q0 d1 1 3 x\n301 Q0 d2 2 2 x\n",
        "301 Q0 d1 a 1 x\n301 Q0 d2 b 2 x\n",
    ],
    ids=["half of the topics", "all equal", "unsorted", "no numbers"],
)
def test_ranks_that_do_not_contradict_the_scores_on_most_topics_are_not_warned_of(
    text: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        place(QRELS, [tmp_path / "a.txt"])


# What is wrong


def test_swapped_files_are_recognised(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("301 0 d1 1\n")
    run.write_text("301 Q0 d1 1 1 x\n")
    with pytest.raises(InputError, match="were qrels and run swapped") as error:
        place(run, [qrels])
    assert error.value.source == str(run)
    with pytest.raises(InputError, match="were qrels and run swapped") as error:
        place(qrels, [run, tmp_path / "qrels.txt"])
    assert error.value.source == str(qrels)


def test_the_first_bad_run_is_named_however_many_there_are(tmp_path: Path) -> None:
    paths = [tmp_path / f"r{i:02}.txt" for i in range(30)]
    for i, path in enumerate(paths):
        path.write_text("301 Q0 d1 1 x\n" if i in {11, 27} else "301 Q0 d1 1 1 x\n")
    with pytest.raises(InputError) as error:
        place(QRELS, paths)
    assert error.value.source == str(paths[11])
    assert error.value.line == 1


def test_bad_input_in_memory_names_the_run() -> None:
    with pytest.raises(InputError, match="run 'bad', topic 301, document d2: ") as error:
        place(QRELS, {"good": RUNS["bm25"], "bad": {"301": {"d1": 1.0, "d2": float("nan")}}})
    assert error.value.source == "run 'bad'"


def test_a_directory_of_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a directory without Parquet files; name the files in it"):
        place(QRELS, tmp_path)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="two runs are named 'a'"):
        place(QRELS, [tmp_path / "a.txt", tmp_path / "a.gz"])


@given(text=st.text(st.sampled_from("301 Q0d\t\n.x-"), max_size=60))
def test_any_text_is_read_or_refused_with_its_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "any.txt"
    path.write_text(text)
    refused = None
    try:
        place(QRELS, [path])
    except InputError as error:
        refused = error.source
    assert refused in (None, str(path))


@pytest.mark.parametrize("kind", [str, int, float])
@pytest.mark.parametrize("budget", [1, 10_000, 1_000_000])
def test_small_runs_of_a_file_are_read_some_at_a_time(
    kind: type, budget: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of each, and where they are, are those that a look for this one alone finds."""
    monkeypatch.setattr(locating, "MEMORY_BUDGET", budget)
    path = tmp_path / "runs.parquet"
    rows = [(kind(n * 7 % 13), f"d{n}", n) for n in range(100)]
    table = pl.DataFrame(rows, schema=["system", "doc_id", "score"], orient="row")
    table.with_columns(query_id=pl.lit("1"), text=pl.lit("long " * 99)).write_parquet(path)
    named = name_runs(path) | {"other": {"1": {"d1": 1.0}}}
    found = list(locating._each_run(named, USUAL))
    assert [name for name, _ in found] == list(named)
    for name, run in found[:-1]:
        assert source_of(run, "") == f"{path}, system {name}"
        one, other = (read_to_fault(each, "run") for each in (run, named[name]))
        assert one[0].equals(other[0], null_equal=True)
        assert one[1] is other[1] is None
    together = [run for _, run in found if isinstance(run, SomeRows)]
    assert not any("text" in run.frame.columns for run in together)
    assert bool(together) == (kind is not float and budget > 1)
    assert found[-1] == ("other", named["other"])


def test_a_fault_of_a_small_run_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "runs.parquet"
    columns = {"query_id": ["1"] * 3, "doc_id": ["a", "b", "b"], "score": [1.0, 2.0, None]}
    pl.DataFrame(columns | {"system": ["x", "y", "x"]}).write_parquet(path)
    with pytest.raises(InputError, match=r"runs\.parquet, system x, line 3, topic 1, document b"):
        place({"1": {"a": 1}}, path)


def test_a_frame_of_pandas_with_a_column_system_is_read_under_its_given_name() -> None:
    columns = {"query_id": ["1"], "doc_id": ["a"], "score": [1.0], "system": ["x"]}
    placements = place({"1": {"a": 1}}, {"one": pd.DataFrame(columns), "other": {"1": ["b"]}})
    assert placements.systems == ("one", "other")
    assert placements.positions[:, 0].tolist() == [1]
