"""Qrels and runs together: positions, what was left out, and what cannot be brought together."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.errors import InputError
from irpref.project import judgments, ranking
from irpref.project.placements import Placements
from irpref.project.placing import place_runs
from tests.literal import INF, ranked, relevant, tied_group
from tests.random_cases import Case, cases, place

QRELS = {"301": {"d1": 2, "d2": 1, "d3": 0}, "302": {"d1": 1}}
RUNS = {
    "bm25": {"301": {"d2": 3.0, "d9": 2.0, "d1": 1.0}, "302": {"d1": 1.0}},
    "tfidf": {"302": {"d3": 1.0}},
}


def found_in(collection: Placements) -> dict[tuple[str, str, str], tuple[float, float, float]]:
    """By topic, document and system: the position and the bounds of the tied group."""
    arrays = [
        np.where(array == collection.unretrieved, INF, array)
        for array in (collection.positions, collection.tie_first, collection.tie_last)
    ]
    found = {}
    for t, topic in enumerate(collection.topics):
        span = collection.rows(t)
        for row in range(span.start, span.stop):
            for s, system in enumerate(collection.systems):
                found[topic, collection.documents[row], system] = tuple(a[row, s] for a in arrays)
    return found


def wanted_of(
    qrels: dict[str, dict[str, float]], runs: dict[str, dict[str, dict[str, float]]]
) -> dict[tuple[str, str, str], tuple[float, float, float]]:
    wanted = {}
    for topic, grades in qrels.items():
        for system, run in runs.items():
            scores = run.get(topic, {})
            order = ranked(scores)
            for document in relevant(grades, 0):
                place = (INF, INF, INF)
                if document in scores:
                    place = (order.index(document) + 1, *tied_group(scores, document))
                wanted[topic, document, system] = place
    return wanted


@given(case=cases(systems=3))
def test_positions_of_every_relevant_item(case: Case) -> None:
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


@given(case=cases(systems=3, subtopics=2))
def test_what_was_left_out_is_counted_and_named(case: Case) -> None:
    runs = {
        name: {**run, "not judged": {"x": 1.0}, "nor this": {"y": 2.0}}
        for name, run in case.runs.items()
    }
    coverage = place(case.qrels, runs).coverage
    with_relevant = {t for t, grades in case.grades.items() if relevant(grades)}
    assert set(coverage.topics_without_relevant) == case.grades.keys() - with_relevant
    assert coverage.unjudged_topics == dict.fromkeys(runs, 2)
    assert coverage.duplicates == {}
    for system, run in case.runs.items():
        missing = [topic for topic in case.grades if topic not in run]
        assert list(coverage.missing.get(system, ())) == missing
        top = [(t, d) for t in run for d in ranked(run[t])[:10]]
        judged = sum(d in case.grades[t] for t, d in top) / len(top)
        assert coverage.judged_at_10[system] == pytest.approx(judged)


def test_judged_share_counts_only_the_first_ten_of_topics_of_the_qrels() -> None:
    run = {
        "301": {**{f"x{i}": 100.0 - i for i in range(9)}, "d1": 50.0, "d2": 40.0, "d3": 30.0},
        "302": {"d1": 1.0},
        "999": {"x": 1.0, "y": 2.0},
    }
    assert place(QRELS, {"s": run}).coverage.judged_at_10 == {"s": 2 / 11}


def test_topics_in_the_order_of_the_qrels_and_rows_by_falling_grade() -> None:
    qrels = {"9": {"b": 1, "a": 1, "c": 3}, "10": {"z": 0}, "1": {"é": 1}}
    collection = place(qrels, {"s": {"1": {"é": 1.0}}})
    assert collection.topics == ("9", "1")
    assert collection.starts.tolist() == [0, 3, 4]
    assert collection.documents.tolist() == ["c", "a", "b", "é"]
    assert collection.coverage.topics_without_relevant == ("10",)
    assert collection.coverage.missing == {"s": ("9", "10")}


def test_a_repeated_judgment_takes_its_highest_grade() -> None:
    lines = "301 4.5 d1 1\n301 5 d1 2\n301 5 d2 1\n301 4 d2 -1\n301 4 d3 0\n"
    path_rows = [line.split() for line in lines.splitlines()]
    records = [
        type("Judgment", (), {"query_id": t, "doc_id": d, "relevance": float(g), "iteration": i})
        for t, i, d, g in path_rows
    ]
    collection = place(records, {"s": {"301": {"d1": 1.0}}})
    assert dict(zip(collection.documents, collection.grades, strict=True)) == {"d1": 2, "d2": 1}


def test_by_name() -> None:
    collection = place(QRELS, RUNS)
    assert (collection.system("tfidf"), collection.topic("302"), collection.topic(301)) == (1, 1, 0)
    with pytest.raises(ValueError, match="unknown system 'bm52'; did you mean 'bm25'"):
        collection.system("bm52")
    with pytest.raises(ValueError, match="unknown topic '303'; did you mean '30"):
        collection.topic("303")


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
    collection, _ = place_runs(QRELS, many, progress=lambda *step: told.append(step))
    pair = place(QRELS, RUNS)
    for i in range(40):
        assert np.array_equal(collection.positions[:, i], pair.positions[:, 0 if i % 3 else 1])
    assert told == [("reading runs", i + 1, 40) for i in range(40)]


def test_a_long_list_needs_wider_positions() -> None:
    for length, dtype in ((32_766, np.int16), (32_767, np.int32), (100_000, np.int32)):
        run = {"t": {f"d{i}": float(-i) for i in range(length)}}
        qrels = {"t": {f"d{length - 1}": 1, "d0": 1, "never": 1}}
        collection = place(qrels, {"s": run})
        assert collection.positions.dtype == dtype
        where = dict(zip(collection.documents, collection.positions[:, 0].tolist(), strict=True))
        assert where == {"d0": 1, f"d{length - 1}": length, "never": collection.unretrieved}
        assert length < collection.unretrieved


def test_equal_hashes_are_told_apart_by_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = found_in(place(QRELS, RUNS))
    for module in (ranking, judgments):
        monkeypatch.setattr(
            module, "hash_pairs", lambda frame: np.zeros(frame.height, dtype=np.uint64)
        )
    assert found_in(place(QRELS, RUNS)) == expected


@given(case=cases(systems=3))
def test_the_pool_of_a_topic_is_all_that_is_judged_or_retrieved(case: Case) -> None:
    collection = place(case.qrels, case.runs, pool=True)
    assert collection.pool.tolist() == [
        len(
            case.grades[topic].keys()
            | {d for run in case.runs.values() for d in run.get(topic, ())}
        )
        for topic in collection.topics
    ]
    assert isinstance(case.collect().pool, str)


# Options


@given(case=cases(systems=2))
def test_judged_only_takes_the_unjudged_out_first(case: Case) -> None:
    judged = {
        name: {
            topic: kept
            for topic, scores in run.items()
            if (kept := {d: s for d, s in scores.items() if d in case.grades[topic]})
        }
        for name, run in case.runs.items()
    }
    if not all(judged.values()):
        return
    collection = place(case.qrels, case.runs, judged_only=True)
    assert collection.reading.judged_only
    assert found_in(collection) == wanted_of(case.grades, judged)
    assert set(collection.coverage.judged_at_10.values()) == {1.0}


def test_judged_only_with_nothing_judged() -> None:
    with pytest.raises(InputError, match="judged") as error:
        place(QRELS, {"s": {"301": {"x": 1.0}}}, judged_only=True)
    assert error.value.source == "run 's'"


def test_missing_is_kept_for_those_who_compare() -> None:
    assert place(QRELS, RUNS).reading.missing == "worst"
    assert place(QRELS, RUNS, missing="skip").reading.missing == "skip"


def test_duplicates_are_counted_by_system(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("301 Q0 d1 3 1 x\n301 Q0 d1 1 3 x\n301 Q0 d2 2 2 x\n")
    with pytest.raises(InputError, match="there twice") as error:
        place(QRELS, [path])
    found = error.value
    assert (found.source, found.line, found.topic, found.document) == (str(path), 2, "301", "d1")
    collection = place(QRELS, {"a": path, "b": RUNS["bm25"]}, duplicates="first")
    assert collection.coverage.duplicates == {"a": 1}
    assert collection.positions[:2, 0].tolist() == [1, 2]


def test_order_by_rank(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("301 Q0 d1 2 9 x\n301 Q0 d2 1 1 x\n")
    assert place(QRELS, [path], order="rank").positions[:2, 0].tolist() == [2, 1]
    assert place(QRELS, [path], order="rank").reading.order == "rank"
    with pytest.raises(InputError, match=r"order='rank' needs .* rank column") as error:
        place(QRELS, RUNS, order="rank")
    assert error.value.source == "run 'bm25'"


@pytest.mark.parametrize(
    ("options", "nearest"),
    [
        ({"missing": "worse"}, "worst"),
        ({"missing": "skipp"}, "skip"),
        ({"order": "rnak"}, "rank"),
        ({"duplicates": "frist"}, "first"),
    ],
)
def test_unknown_options_name_the_nearest(options: dict[str, Any], nearest: str) -> None:
    name, value = next(iter(options.items()))
    with pytest.raises(ValueError, match=f"unknown {name} '{value}'; did you mean '{nearest}'"):
        place(QRELS, RUNS, **options)


# A rank column that contradicts the scores


def ranks_against_scores(wrong: int, right: int) -> str:
    lines = [f"{301 + t} Q0 d{i} {i} {i} x" for t in range(wrong) for i in (1, 2)]
    lines += [f"{301 + wrong + t} Q0 d{i} {i} {-i} x" for t in range(right) for i in (1, 2)]
    return "\n".join(lines)


def test_contradicting_ranks_warn_and_name_the_option(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text(ranks_against_scores(2, 1))
    with pytest.warns(UserWarning, match="contradicts the scores on 2 of 3 topics") as caught:
        collection = place(QRELS, [path])
    message = str(caught[0].message)
    assert message.startswith(str(path))
    assert "order='rank'" in message
    assert "--order rank" in message
    assert collection.positions[:2, 0].tolist() == [2, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        place(QRELS, [path], order="rank")


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
def test_no_warning(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        place(QRELS, [tmp_path / "a.txt"])


# What is wrong


def test_no_topic_in_common() -> None:
    with pytest.raises(InputError, match="no topic in common with the qrels") as error:
        place(QRELS, {"bm25": RUNS["bm25"], "odd": {"0301": {"d1": 1.0}}})
    assert error.value.source == "run 'odd'"
    assert "(qrels: 301, 302; run: 0301)" in str(error.value)
    assert "written differently?" in str(error.value)


def test_topics_in_common_without_relevant_items_are_enough() -> None:
    qrels = {"301": {"d1": 1}, "302": {"d1": 0}}
    collection = place(qrels, {"s": {"302": {"d1": 1.0}}})
    assert collection.coverage.missing == {"s": ("301",)}


@pytest.mark.parametrize("grade", [0, -1])
def test_nothing_relevant(grade: int, tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(f"301 0 d1 {grade}\n")
    with pytest.raises(InputError, match="no judgment has a grade above 0") as error:
        place(path, RUNS)
    assert error.value.source == str(path)


def test_swapped_files(tmp_path: Path) -> None:
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
    with pytest.raises(InputError, match="run 'bad', line 2, topic 301, document d2: ") as error:
        place(QRELS, {"good": RUNS["bm25"], "bad": {"301": {"d1": 1.0, "d2": float("nan")}}})
    assert error.value.source == "run 'bad'"


def test_a_directory_of_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a directory, not a file; name the files in it"):
        place(QRELS, tmp_path)


def test_two_files_of_one_name(tmp_path: Path) -> None:
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
