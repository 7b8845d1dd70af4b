"""A saved collection says what the collection says: the same bytes of every report, warning and table."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import irpref
from irpref import Collection, InputError, demo_paths
from tests.random_cases import Case, cases

QRELS, RUNS = demo_paths()
ASKED = ["RPP", "IPSO@3", "nDCG@2", "RPP(ties='expected')"]
MEASURES = ["AP", "nDCG@3", "TieRR"]
SMALL = settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
# Everything that can be said of how qrels and runs are read.
READING = st.fixed_dictionaries(
    {},
    optional={
        "order": st.sampled_from(["rank", {"s0": "rank"}]),
        "duplicates": st.just("first"),
        "judged_only": st.just(True),
        "missing": st.just("skip"),
        "depth": st.integers(1, 5),
        "rel": st.sampled_from([1, 2]),
        "users": st.just(True),
        "groups": st.just({"both": ["s0", "s1"]}),
        "lists": st.integers(1, 4),
    },
)


def said_of(make: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What is made, or the error, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = make()
        except (InputError, ValueError) as error:
            found = str(error)
    return found, [str(each.message) for each in caught]


def everything(data: Collection, asked: list[str] = ASKED) -> dict[str, Any]:
    """All that a collection says, as text."""
    comparison = data.compare(asked)
    tables = {
        "coverage": data.coverage.frame,
        "judgments": data.judgments,
        "evaluated": data.evaluate(MEASURES),
    }
    if data.reading.lists is not None:
        tables["lists"] = data.lists
    reports = {
        "summary": comparison.report(test=False),
        "topics": comparison.report(per_topic=True),
        "collection": data.report,
    }
    # What looks wrong with runs is compared where it is warned of: of parts, it is what the first one says.
    wrong = tuple(f"{name}: " for name in data.systems)
    reports = {
        name: replace(
            report, remarks=tuple(each for each in report.remarks if not each.startswith(wrong))
        )
        for name, report in reports.items()
    }
    return {
        "names": (data.systems, data.topics),
        # Those of preferences are in the reports.
        "signatures": [table.attrs.get("signature") for table in tables.values()],
        "warnings": [str(each) for each in comparison.warnings],
        **{name: table.to_csv() for name, table in tables.items()},
        **{f"{name}, text": report.to_text() for name, report in reports.items()},
        **{f"{name}, JSON": report.to_json() for name, report in reports.items()},
    }


def assert_same(found: Any, wanted: Any) -> None:
    """What both say, errors and warnings too."""
    assert found[1] == wanted[1]
    if isinstance(wanted[0], str):
        assert found[0] == wanted[0]
        return
    said, same = said_of(lambda: everything(found[0])), said_of(lambda: everything(wanted[0]))
    assert said == same


def in_frames(case: Case, seed: int, *, twice: bool) -> dict[str, pl.DataFrame]:
    """Each run as a frame with ranks that may contradict its scores, and some documents twice."""
    rng, found = random.Random(seed), {}
    for name, topics in case.runs.items():
        rows = [
            (topic, document, score, rank)
            for topic, scores in topics.items()
            for rank, (document, score) in zip(
                rng.sample(range(1, 1 + len(scores)), len(scores)), scores.items(), strict=True
            )
        ]
        if twice:
            rows += [(topic, document, -9.0, 99) for topic, document, *_ in rows[::5]]
        rows.append(("stranger", "d0", 1.0, 1))
        columns = ["query_id", "doc_id", "score", "rank"]
        found[name] = pl.DataFrame(rows, schema=columns, orient="row")
    return found


@SMALL
@given(
    case=cases(topics=9, subtopics=2),
    how=READING,
    seed=st.integers(0, 2**32),
    parts=st.sampled_from([1, 2, 3, 40]),
)
def test_the_same_is_said_of_what_was_saved(
    case: Case, how: dict[str, Any], seed: int, parts: int, tmp_path: Path
) -> None:
    runs = in_frames(case, seed, twice="duplicates" in how)
    whole = said_of(lambda: irpref.collect(case.qrels, runs, **how))
    place = tmp_path / "x.irpref"
    refused, told = said_of(
        lambda: irpref.convert(case.qrels, runs, place, parts=None if parts == 1 else parts, **how)
    )
    if isinstance(whole[0], str):
        assert isinstance(refused, str)
        return
    assert refused is None
    found = said_of(lambda: irpref.collect(place))
    assert_same(found, whole if parts == 1 else (whole[0], told))
    data = found[0]
    rng = np.random.default_rng(seed)
    few = list(rng.choice(data.topics, max(1, len(data.topics) // 2), replace=False))
    mask = rng.random(len(data.judgments)) < 0.7
    some: list[dict[str, Any]] = [{"topics": few}, {"judgments": mask}, {"depth": 1}]
    if "groups" not in how:
        some.append({"systems": data.systems[:2]})
        some.append({"systems": data.systems[::-1], "topics": few[:1]})
    part = some[seed % len(some)]
    wanted = said_of(lambda: whole[0].select(**part))
    # Once of the file, and once of what was read of it.
    for one in (said_of(lambda: irpref.collect(place))[0], data):
        assert_same(said_of(lambda: one.select(**part)), wanted)  # noqa: B023


@pytest.mark.parametrize("parts", [None, 3])
def test_subtopics_are_kept(parts: int | None, tmp_path: Path) -> None:
    qrels, _ = demo_paths(subtopics=True)
    place = tmp_path / "x.irpref"
    irpref.convert(qrels, RUNS, place, parts=parts)
    asked = ["STRPP", "RPP", "LexiRecall(n='pool')"]
    assert everything(irpref.collect(place), asked) == everything(
        irpref.collect(qrels, RUNS), asked
    )


def test_topics_and_documents_may_be_numbers(tmp_path: Path) -> None:
    judgments = pl.DataFrame({"topic": [7, 7, 30], "document": [1, 2, 1], "grade": [1.0, 0.0, 2.0]})
    ranking = pl.DataFrame({"topic": [7, 7, 30], "document": [2, 1, 9], "score": [3.0, 2.0, 1.0]})
    data = Collection.from_rankings(judgments, {"a": ranking, "b": ranking[1:]}, lists=2)
    data.save(tmp_path / "x.irpref")
    saved = irpref.collect(tmp_path / "x.irpref")
    assert everything(saved) == everything(data)
    assert everything(saved.select(topics=[7])) == everything(data.select(topics=[7]))


@pytest.mark.parametrize("parts", [None, 4])
def test_a_part_is_saved_as_a_part(parts: int | None, tmp_path: Path) -> None:
    data = irpref.collect(QRELS, RUNS, lists=3)
    irpref.convert(QRELS, RUNS, tmp_path / "whole.irpref", parts=parts, lists=3)
    whole = irpref.collect(tmp_path / "whole.irpref")

    def half(of: Collection) -> Collection:
        return of.select(judgments=lambda judged: judged.index % 2 == 0, topics=data.topics[::2])

    half(whole).save(tmp_path / "half.irpref")
    saved, wanted = irpref.collect(tmp_path / "half.irpref"), half(data)
    assert everything(saved) == everything(wanted)
    mask = np.arange(len(wanted.judgments)) % 3 > 0
    for part in ({"judgments": mask}, {"systems": wanted.systems[3:1:-1]}, {"depth": 2}):
        assert everything(saved.select(**part)) == everything(wanted.select(**part))


@pytest.mark.parametrize("parts", [None, 2, 12])
def test_sums_go_part_by_part(parts: int | None, tmp_path: Path) -> None:
    place = tmp_path / "x.irpref"
    irpref.convert(QRELS, RUNS, place, parts=parts, missing="skip")
    for names in (None, ["tfidf", "bm25"]):
        paths = [QRELS.parent / f"runs/{name}.txt" for name in names or ()] or RUNS
        wanted = irpref.compare(QRELS, paths, ASKED, keep="summary", missing="skip")
        found = irpref.compare(place, names, ASKED, keep="summary")
        assert found.systems == wanted.systems
        assert found.coverage.frame.round(12).equals(wanted.coverage.frame.round(12))
        for each in ASKED:
            assert found.outcomes(each).equals(wanted.outcomes(each))
            assert found.signature(each) == wanted.signature(each)
            np.testing.assert_allclose(found.mean(each), wanted.mean(each), rtol=0, atol=1e-12)


@pytest.mark.parametrize("parts", [None, 2])
def test_warnings_are_given_again(parts: int | None, tmp_path: Path) -> None:
    """Of ranks that contradict scores, and of a run that retrieves no judged document."""
    qrels = {str(topic): {"d": 1, "e": 1} for topic in range(4)}
    columns = {"query_id": [*"0123"] * 2, "doc_id": ["d"] * 4 + ["e"] * 4}
    wrong = pl.DataFrame({**columns, "score": [1.0] * 4 + [2.0] * 4, "rank": [1] * 4 + [2] * 4})
    runs = {
        "wrong": wrong,
        "nothing": {str(topic): {"x": 1.0} for topic in range(4)},
        "good": {"1": {"d": 1.0}},
    }
    whole = said_of(lambda: irpref.collect(qrels, runs))
    assert len(whole[1]) == 2
    place = tmp_path / "x.irpref"
    _, told = said_of(lambda: irpref.convert(qrels, runs, place, parts=parts))
    if parts is None:
        assert told == whole[1]
    assert [each.split(": ", 2)[1][:30] for each in told] == [
        each.split(": ", 2)[1][:30] for each in whole[1]
    ]
    assert_same(said_of(lambda: irpref.collect(place)), (whole[0], told))
    assert said_of(lambda: irpref.collect(place, ["good"]))[1] == []
    assert said_of(lambda: irpref.collect(place, ["good", "nothing"]))[1] == [
        each for each in told if "nothing" in each
    ]
    assert said_of(lambda: irpref.compare(place, None, "RPP", keep="summary"))[1] == told
    with pytest.raises(InputError, match="no judged document"):
        irpref.collect(place, "nothing")


def test_a_task_may_be_a_saved_collection(tmp_path: Path) -> None:
    place = tmp_path / "x.irpref"
    irpref.convert(QRELS, RUNS, place, order="rank")
    data = irpref.collect(QRELS, RUNS, order="rank")
    wanted = irpref.compare_tasks({"one": data, "two": data}, "RPP").report().to_text()
    for runs in (None, data.systems):
        tasks = {"one": (place, runs), "two": data}
        assert irpref.compare_tasks(tasks, "RPP").report().to_text() == wanted
    with pytest.raises(ValueError, match="order= says how files are read, and the task"):
        irpref.compare_tasks({"one": (place, None)}, "RPP", order="rank")
    with pytest.raises(ValueError, match="unknown system 'none'"):
        irpref.compare_tasks({"one": (place, ["none"])}, "RPP")


def test_groups_and_orders_of_systems_that_are_left_out_go_with_them(tmp_path: Path) -> None:
    how: Any = {
        "order": {"bm25": "rank", "tfidf": "rank"},
        "groups": {"both": ["bm25", "bm25-prf"], "alone": ["tfidf"]},
        "deterministic": ["alone"],
    }
    for parts in (None, 3):
        irpref.convert(QRELS, RUNS, tmp_path / "x.irpref", parts=parts, **how)
        for names in (None, ["both", "alone"], ["bm25-prf", "bm25", "tfidf"]):
            found = irpref.collect(tmp_path / "x.irpref", names)
            same: Any = how if "tfidf" in found.systems else {}
            wanted = irpref.collect(
                QRELS, [QRELS.parent / f"runs/{name}.txt" for name in found.systems], **same
            )
            assert everything(found) == everything(wanted)
    few = irpref.collect(tmp_path / "x.irpref", ["boolean", "bm25-prf"]).reading
    assert (dict(few.order), list(few.deterministic)) == ({}, [])  # type: ignore[arg-type]


COLLECTIONS = ["trec-covid-r5", "web12", "llmjudge", "clef-tar17", "recsys-ml-small"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", COLLECTIONS)
def test_real_collections_are_the_same(name: str, shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / name
    if not folder.is_dir():
        pytest.skip(f"../shared/data/{name} absent")
    runs = sorted((folder / "runs").iterdir())[:3]
    how: Any = {"lists": 5, "rel": 2} if name == "llmjudge" else {}
    wanted = irpref.compare(folder / "qrels.txt", runs, ["RPP", "nDCG@10"], **how)
    scores = irpref.evaluate(folder / "qrels.txt", runs, "AP", **how).to_csv()
    for parts in (1, 3):
        irpref.convert(folder / "qrels.txt", runs, tmp_path / "x.irpref", parts=parts, **how)
        found = irpref.compare(tmp_path / "x.irpref", None, ["RPP", "nDCG@10"])
        assert found.report().to_text() == wanted.report().to_text()
        assert found.report().to_json() == wanted.report().to_json()
        assert irpref.evaluate(tmp_path / "x.irpref", None, "AP").to_csv() == scores
