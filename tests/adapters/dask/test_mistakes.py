"""Bad input: the error names partition and topic, or column, and says how to mend it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask
import dask.dataframe as dd
import pandas as pd
import pytest

from irpref import InputError
from irpref_dask import compare
from tests.adapters.dask.long_tables import QRELS, RUNS, in_partitions

TWICE = "the document is there twice in this topic"


@pytest.fixture(autouse=True, scope="module")
def _in_this_thread() -> Iterator[None]:
    with dask.config.set(scheduler="synchronous"):
        yield


def qrels(*rows: tuple[Any, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows or [(1, "d1", 1), (2, "d2", 1)], columns=QRELS)


def runs(*rows: tuple[Any, ...]) -> pd.DataFrame:
    rows = rows or ((1, "d1", 2.0, "new"), (1, "d2", 1.0, "new"), (2, "d2", 1.0, "old"))
    return pd.DataFrame(rows, columns=RUNS)


def error_of(judged: Any, ranked: Any, *arguments: Any, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        compare(judged, ranked, *arguments, **options)
    return caught.value


GOOD = in_partitions(qrels())


@pytest.mark.parametrize("column", ["query_id", "doc_id", "score", "system"])
@pytest.mark.parametrize("more", [{}, {"tag": "x"}])
def test_a_column_is_missing(column: str, more: dict[str, str]) -> None:
    whole = runs().assign(**more)
    word = {"query_id": "topic", "doc_id": "document"}.get(column, column)
    # In all partitions, or in one, which Dask does not know.
    for partitions, said in (
        ([whole.drop(columns=column)] * 2, "runs"),
        ([whole, whole[:0], whole.drop(columns=column)], "runs, partition 2"),
    ):
        for options in ({}, {"systems": ["new", "old"]}):
            error = error_of(GOOD, in_partitions(*partitions), **options)
            assert error.source == said
            known = f"no column has a known name for the {word} (found: "
            if column == "system":
                known = "the frame has no column for the system"
            here = f"there is no column {column!r} (found: "
            assert error.problem.startswith(known if said == "runs" else here)


def test_the_qrels_lack_a_column() -> None:
    whole = qrels()
    lacking = in_partitions(whole, whole.drop(columns="relevance"))
    error = error_of(lacking, in_partitions(runs()))
    assert str(error).startswith("qrels, partition 1: there is no column 'relevance' (found: ")


def test_a_key_that_is_no_column_is_another_matter() -> None:
    def broken(frame: pd.DataFrame) -> pd.DataFrame:
        raise KeyError("another matter")

    ranked = in_partitions(runs()).map_partitions(broken, meta=runs()[:0])
    with pytest.raises(KeyError, match="another matter"):
        compare(GOOD, ranked)


@pytest.mark.parametrize(
    ("row", "problem", "topic"),
    [
        ((7, "d1", float("nan"), "new"), "the score is not a number (NaN)", "7"),
        ((7, "d1", "much", "new"), "the score 'much' is not a number", "7"),
        ((7, None, 1.0, "new"), "the document is empty", "7"),
        ((7, "", 1.0, "new"), "the document is empty", "7"),
        ((None, "d1", 1.0, "new"), "the topic is empty", None),
        ((7, "d1", 1.0, ""), "a row names no system", None),
        ((7, "d1", 1.0, None), "a row names no system", None),
    ],
)
def test_a_value_is_missing(row: tuple[Any, ...], problem: str, topic: str | None) -> None:
    for options in ({}, {"systems": ["new", "old"]}):
        ranked = in_partitions(runs(), runs((1, "d9", 1.0, "new"), row))
        error = error_of(GOOD, ranked, **options)
        assert (error.source, error.line, error.topic) == ("runs, partition 1", 2, topic)
        assert error.problem == problem
    assert error.remedy or "score" in problem or "empty" in problem


def test_a_judgment_is_missing() -> None:
    judged = in_partitions(qrels(), qrels((7, "d1", float("nan"))))
    error = error_of(judged, in_partitions(runs()))
    assert str(error).startswith("qrels, partition 1, line 1, topic 7, document d1: the grade")


def test_a_document_twice_in_a_topic() -> None:
    first, second = runs(), runs((1, "d9", 5.0, "new"), ("1", "d2", 7.0, "new"))
    error = error_of(GOOD, in_partitions(runs((3, "d2", 1.0, "new")), first, second))
    assert str(error).startswith(
        f"runs, partition 1 and runs, partition 2, system 'new', topic 1, document d2: {TWICE}"
    )
    assert "duplicates='first'" in str(error.remedy)
    # The same document of another system is no fault.
    error = error_of(GOOD, in_partitions(first, runs((1, "d1", 1.0, "old")), second[1:]))
    assert error.source == "runs, partition 0 and runs, partition 2, system 'new'"
    # In a table of its own.
    new = in_partitions(first[:2].drop(columns="system"), second.drop(columns="system"))
    old = in_partitions(first[2:].drop(columns="system"))
    error = error_of(GOOD, {"new": new, "old": old})
    assert error.source == "run 'new', partition 0 and run 'new', partition 1, system 'new'"
    assert (error.topic, error.document) == ("1", "d2")


def test_ranks() -> None:
    ranked = runs().assign(rank=[1, 2, 1])
    error = error_of(GOOD, in_partitions(ranked, runs((1, "d7", 1.0, "new"))), order="rank")
    assert str(error).startswith("runs, partition 1: there is no column 'rank' (found: ")
    ranked = ranked.assign(rank=[1, None, 1])
    error = error_of(GOOD, in_partitions(ranked), order="rank")
    assert error.source == "runs, partition 0, system 'new'"
    assert (error.topic, error.document) == ("1", "d2")
    assert "rank" in error.problem


def test_too_few_systems() -> None:
    with pytest.raises(ValueError, match=r"^only one run was given \(new\): it takes two"):
        compare(GOOD, in_partitions(runs()[:2]))
    with pytest.raises(ValueError, match=r"^only one run was given \(old\): it takes two"):
        compare(GOOD, in_partitions(runs()), systems=["old"])
    with pytest.raises(ValueError, match=r"^only one run was given \(old\): it takes two"):
        compare(GOOD, in_partitions(runs()), systems="old")
    with pytest.raises(InputError, match=r"^runs: there are no rows"):
        compare(GOOD, in_partitions(runs()[:0]))
    with pytest.raises(ValueError, match=r"^there are no runs"):
        compare(GOOD, {})


def test_names_of_systems() -> None:
    with pytest.raises(ValueError, match="two systems have the same name"):
        compare(GOOD, in_partitions(runs()), systems=["old", "new", "old"])
    error = error_of(GOOD, in_partitions(runs()), systems=["new", "odl"])
    assert str(error).startswith("run 'odl': the run has no topic in common with the qrels")
    ranked = in_partitions(runs().drop(columns="system"))
    with pytest.raises(ValueError, match="unknown system 'odl'; did you mean 'old'"):
        compare(GOOD, {"old": ranked, "new": ranked}, systems=["new", "odl"])
    with pytest.raises(ValueError, match="unknown run in order 'odl'; did you mean 'old'"):
        compare(GOOD, in_partitions(runs()), order={"odl": "rank"})


def test_no_topic_in_common() -> None:
    judged = in_partitions(qrels(("q1", "d1", 1)))
    error = error_of(judged, in_partitions(runs()))
    assert str(error).startswith("run 'new': the run has no topic in common with the qrels")


def test_one_of_two_systems_retrieves_no_judged_document() -> None:
    astray = (1, "d9", 1.0, "new"), (1, "d1", 1.0, "old")
    error = error_of(GOOD, in_partitions(runs(*astray)))
    assert str(error).startswith("run 'new': the run retrieves no judged document")
    with pytest.warns(UserWarning, match="run 'new': the run retrieves no judged document"):
        compare(GOOD, in_partitions(runs(*astray, (1, "d1", 1.0, "older"))))


def test_nothing_relevant() -> None:
    for judged in (qrels((1, "d1", 0)), qrels()[:0]):
        error = error_of(in_partitions(judged), in_partitions(runs()))
        assert str(error).startswith("qrels: no judgment has a grade above 0")


def test_neither_dask_nor_parquet() -> None:
    for given in (qrels(), {"1": {"d1": 1}}, None):
        kind = type(given).__name__
        message = (
            f"^qrels: a {kind} is neither a Dask DataFrame nor the path of Parquet; .*from_pandas"
        )
        with pytest.raises(InputError, match=message):
            compare(given, in_partitions(runs()))
    with pytest.raises(InputError, match=r"^run 'new': a DataFrame is neither"):
        compare(GOOD, {"new": runs()})
    with pytest.raises(InputError, match=r"^runs: a list is neither"):
        compare(GOOD, ["a.parquet", "b.parquet"])


def test_options() -> None:
    ranked = dd.from_pandas(runs(), npartitions=1)
    with pytest.raises(ValueError, match=r"^npartitions must be a whole number of at least 1"):
        compare(GOOD, ranked, npartitions=0)
    with pytest.raises(TypeError, match=r"^compare\(\): unknown option 'partitions'; did you mean"):
        compare(GOOD, ranked, partitions=3)
    with pytest.raises(
        ValueError, match=r"unknown preference or measure 'RRP' \(did you mean 'RPP'"
    ):
        compare(GOOD, ranked, "RRP")


def test_a_run_by_name_of_several_systems() -> None:
    judged, table = in_partitions(qrels()), in_partitions(runs(), runs())
    one = in_partitions(runs((2, "d2", 1.0, "third")))
    error = error_of(judged, {"both": table, "one": one}, "LP")
    assert str(error).startswith(
        "run 'both': the table has rows of several systems, such as 'new' and 'old'"
    )
    alone = {"two": in_partitions(runs((1, "d1", 1.0, "second"))), "one": one}
    assert compare(judged, alone, "LP").systems == ("two", "one")
