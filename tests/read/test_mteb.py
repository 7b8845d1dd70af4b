"""Predictions as MTEB saves them.

The format is that of ``AbsTask._save_task_predictions`` (mteb/abstasks/abstask.py). The files in ``saved/``
are MTEB's own, and so are the scores that ours must equal.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref import AP, RR, InputError, Predictions, mteb_tasks, nDCG
from irpref.api.evaluation import mean_scores
from irpref.read import read_qrels, read_run
from irpref.read.cutting import batches
from irpref.read.names_of_runs import name_of_run
from tests.read.files import mutated, written

SAVED = Path(__file__).parent / "saved"
MODELS = ("baseline-bm25s", "baseline-random-encoder")
FOLDERS = [SAVED / model for model in MODELS]
QRELS: dict[str, Any] = json.loads((SAVED / "qrels.json").read_text())
ONE, SEVERAL = (
    SAVED / MODELS[0] / f"Garden{kind}_predictions.json" for kind in ("Retrieval", "Multilingual")
)
META = {"mteb_model_meta": {"model_name": "intfloat/e5", "revision": "1"}}


def saved(tmp_path: Path, name: str = "X_predictions.json", **subsets: Any) -> Path:
    return written(tmp_path, json.dumps(META | subsets), name)


# Reading


def test_a_file_with_one_subset_and_split_is_a_run() -> None:
    lists = json.loads(ONE.read_text())["default"]["test"]
    assert read_run(ONE).rows() == read_run(lists).rows()


@pytest.mark.parametrize("subset", ["en", "de"])
@pytest.mark.parametrize("split", ["dev", "test"])
def test_one_of_several_is_chosen(subset: str, split: str) -> None:
    lists = json.loads(SEVERAL.read_text())[subset][split]
    assert read_run(Predictions(SEVERAL, subset, split)).rows() == read_run(lists).rows()


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(
    lambda name: name not in META
)
LISTS = st.dictionaries(
    NAMES, st.dictionaries(NAMES, st.floats(allow_nan=False), min_size=1), min_size=1, max_size=3
)


@given(
    content=st.dictionaries(
        NAMES, st.dictionaries(NAMES, LISTS, min_size=1, max_size=3), min_size=1, max_size=3
    ),
    first=st.booleans(),
)
def test_every_subset_and_split_reads_as_the_dict_in_it(
    content: dict[str, Any], first: bool, tmp_path: Path
) -> None:
    # MTEB writes what is about the model first, but JSON has no order.
    whole = META | content if first else content | META
    path = written(tmp_path, json.dumps(whole), "X_predictions.json")
    for subset, splits in content.items():
        for split, lists in splits.items():
            assert read_run(Predictions(path, subset, split)).rows() == read_run(lists).rows()
    if sum(map(len, content.values())) > 1:
        with pytest.raises(InputError, match="each of which is a run"):
            read_run(path)
    else:
        assert len(read_run(path)) > 0


def test_several_are_no_run_and_the_error_names_them_all() -> None:
    with pytest.raises(InputError) as caught:
        read_run(SEVERAL)
    assert caught.value.source == str(SEVERAL)
    assert "2 subsets" in caught.value.problem
    assert "en: dev, test; de: dev, test" in caught.value.problem
    assert "irpref.Predictions(path, subset='en', split='dev')" in str(caught.value)
    with pytest.raises(InputError, match="2 splits"):
        read_run(Predictions(SEVERAL, "de"))


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        (("fr", "test"), "unknown subset of the predictions 'fr'"),
        (("de", "tset"), "did you mean 'test'"),
    ],
)
def test_a_subset_or_split_that_is_not_there_is_named(asked: tuple[str, str], problem: str) -> None:
    with pytest.raises(InputError) as caught:
        read_run(Predictions(SEVERAL, *asked))
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("lists", "where", "problem"),
    [
        ({"q1": {"d1": "x"}}, {"topic": "q1", "document": "d1"}, "the score 'x' is not a number"),
        ({"q1": {"d1": float("nan")}}, {"topic": "q1", "document": "d1"}, "not a number (NaN)"),
        ({}, {}, "the run is empty"),
        # What other kinds of tasks save (tests/test_abstasks/test_predictions.py of mteb).
        ([0, 1, 1], {}, "these predictions are no lists of documents"),
        ({"cosine_scores": [0.7, 0.8]}, {}, "these predictions are no lists of documents"),
    ],
)
def test_errors_name_file_subset_split_topic_and_document(
    lists: Any, where: dict[str, str], problem: str, tmp_path: Path
) -> None:
    path = saved(tmp_path, de={"test": lists})
    with pytest.raises(InputError) as caught:
        read_run(Predictions(path, "de", "test"))
    assert problem in caught.value.problem
    assert caught.value.source == f"{path}, subset de, split test"
    assert (caught.value.topic, caught.value.document) == (
        where.get("topic"),
        where.get("document"),
    )


def test_a_key_twice_is_refused_with_all_that_leads_to_it(tmp_path: Path) -> None:
    text = '{"mteb_model_meta": {}, "de": {"test": {"q1": {"d1": 1, "d2": 2, "d1": 3}}}}'
    path = written(tmp_path, text, "X_predictions.json")
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert "the key 'd1' is there twice in an object, at 'de' > 'test' > 'q1'" in str(caught.value)


@pytest.mark.parametrize("content", [{}, {"default": {}}, {"default": [1]}])
def test_predictions_of_nothing_are_refused(content: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no splits|have no (subset|split)"):
        read_run(saved(tmp_path, **content))


def test_scores_of_mteb_are_no_lists(tmp_path: Path) -> None:
    # As mteb/results/task_result.py saves them.
    scores = {"test": [{"hf_subset": "default", "ndcg_at_10": 0.4}]}
    content = {
        "dataset_revision": "1",
        "task_name": "X",
        "mteb_version": "2.20.0",
        "scores": scores,
    }
    with pytest.raises(InputError, match=r"these are scores of MTEB.*prediction_folder"):
        read_run(written(tmp_path, json.dumps(content), "X.json"))


def test_predictions_are_no_qrels() -> None:
    with pytest.raises(InputError, match="no qrels; were qrels and run swapped"):
        read_qrels(ONE)


@pytest.mark.parametrize("text", ['{"q1": {"d1": 1}}', "q1 Q0 d1 1 2.5 x\n"])
def test_other_files_have_no_subsets(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file of predictions of MTEB"):
        read_run(Predictions(written(tmp_path, text, "run.txt"), "de"))


def test_parquet_has_no_subsets(tmp_path: Path) -> None:
    """Neither a file nor a folder, read at once or part by part."""
    table = pl.DataFrame({"qid": ["q1"], "docno": ["d1"], "score": [1.0]})
    table.write_parquet(tmp_path / "run.parquet")
    for path in (tmp_path, tmp_path / "run.parquet"):
        asked = Predictions(path, "de")
        for read in (
            read_run,
            lambda given: list(batches(given, "run", "run")),
            lambda given: irpref.collect({"q1": {"d1": 1}}, {"x": given}),
        ):
            with pytest.raises(InputError, match="no file of predictions of MTEB"):
                read(asked)


def test_a_document_with_the_id_of_its_topic_can_be_left_out(tmp_path: Path) -> None:
    path = saved(tmp_path, default={"test": {"a": {"a": 3.0, "b": 1.0}, "b": {"a": 1.0}}})
    found = read_run(Predictions(path, ignore_identical_ids=True))
    assert found.select("topic", "document").rows() == [("a", "b"), ("b", "a")]


# Names


def test_a_run_is_named_by_its_model(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
    one = saved(tmp_path / "one", default={"test": {"q": {"d": 1.0}}})
    packed = tmp_path / "other" / "X_predictions.json.gz"
    packed.write_bytes(gzip.compress(ONE.read_bytes()))
    assert name_of_run(one) == "intfloat/e5"
    assert name_of_run(packed) == "mteb/baseline-bm25s"
    assert name_of_run(Predictions(SEVERAL, "de", "test")) == "mteb/baseline-bm25s"
    compared = irpref.compare(
        QRELS["GardenRetrieval"]["default"]["test"], [ONE, FOLDERS[1] / ONE.name]
    )
    assert compared.systems == ("mteb/baseline-bm25s", "mteb/baseline-random-encoder")


def test_damaged_predictions_are_read_or_refused(tmp_path: Path) -> None:
    """Whatever is wrong with them, there is no other error, neither for the name nor for the run."""
    rng = random.Random(33)
    packed, refused = gzip.compress(SEVERAL.read_bytes()), 0
    whole = read_run(Predictions(SEVERAL, "de", "test")).rows()
    path = tmp_path / SEVERAL.name
    for damaged in (mutated(packed, rng) for _ in range(150)):
        path.write_bytes(damaged)
        assert name_of_run(path) in ("mteb/baseline-bm25s", path.name.removesuffix(".json"))
        try:
            found = read_run(Predictions(path, "de", "test"))
        except InputError:
            refused += 1
        else:
            assert found.rows() == whole
    assert refused > 100


def test_two_files_of_one_model_are_told_apart_by_the_user() -> None:
    with pytest.raises(
        ValueError, match=r"two runs are named 'mteb/baseline-bm25s'.*\{name: path\}"
    ):
        irpref.compare(
            {"q": {"d": 1}}, [Predictions(SEVERAL, "en", "dev"), Predictions(SEVERAL, "de", "dev")]
        )


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"q": {"d": 1}}',
        '{"mteb_model_meta": 3}',
        '{"mteb_model_meta": {"model_name": null}}',
        '{"mteb_model_meta"',
    ],
)
def test_other_json_is_named_by_its_file(text: str, tmp_path: Path) -> None:
    assert name_of_run(written(tmp_path, text, "bm25.json")) == "bm25"


def test_a_file_that_is_not_there_is_named_all_the_same() -> None:
    assert name_of_run("nowhere/bm25.json") == "bm25"


@pytest.mark.parametrize("given", [{"test": {"q": {"d": 1}}}, {"en": {"test": {"q": {"d": 1}}}}])
def test_qrels_of_all_splits_are_refused_with_the_way_to_one(given: Any) -> None:
    """Of all splits of a subset, or of all subsets."""
    with pytest.raises(InputError, match=r"is not a number; .*relevant_docs\[subset\]\[split\]"):
        irpref.compare(given, {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}, "RPP")


# Tasks

TASKS = {
    "GardenRetrieval": ("GardenRetrieval", "default", "test"),
    **{
        f"GardenMultilingual/{subset}/{split}": ("GardenMultilingual", subset, split)
        for subset in ("en", "de")
        for split in ("dev", "test")
    },
}


def task_of(name: str, *, nested: bool = True, **more: Any) -> Any:
    """What of an MTEB task with loaded data is read: see mteb/abstasks/retrieval.py."""
    dataset = {
        subset: {split: {"relevant_docs": qrels, "corpus": []} for split, qrels in splits.items()}
        for subset, splits in QRELS[name].items()
    }
    return SimpleNamespace(metadata=SimpleNamespace(name=name), dataset=dataset, **more)


def literal_tasks(ignoring: tuple[str, ...] = ()) -> dict[str, Any]:
    found = {}
    for task, (name, subset, split) in TASKS.items():
        qrels = QRELS[name][subset][split]
        runs = {}
        for model in MODELS:
            lists = json.loads((SAVED / model / f"{name}_predictions.json").read_text())[subset][
                split
            ]
            runs[f"mteb/{model}"] = {
                topic: {d: s for d, s in scores.items() if not (name in ignoring and d == topic)}
                for topic, scores in lists.items()
            }
        found[task] = (qrels, runs)
    return found


def as_rows(tasks: Any) -> dict[str, Any]:
    return {
        task: (read_qrels(qrels).rows(), {name: read_run(run).rows() for name, run in runs.items()})
        for task, (qrels, runs) in tasks.items()
    }


@pytest.mark.parametrize(
    "qrels",
    [
        [task_of(name) for name in QRELS],
        QRELS,
        {name: task_of(name).dataset for name in QRELS},
        {task: QRELS[name][subset][split] for task, (name, subset, split) in TASKS.items()},
    ],
    ids=["tasks", "nested", "datasets", "by name"],
)
def test_tasks_of_folders_are_the_subsets_and_splits(qrels: Any) -> None:
    assert as_rows(mteb_tasks(qrels, FOLDERS)) == as_rows(literal_tasks())


def test_tasks_in_the_old_form_are_taken_too() -> None:
    # See convert_v1_dataset_format_to_v2 in mteb/abstasks/retrieval.py.
    tasks = []
    for name, judged in QRELS.items():
        several = name == "GardenMultilingual"
        qrels = judged if several else judged["default"]
        about = SimpleNamespace(name=name, is_multilingual=several)
        tasks.append(SimpleNamespace(metadata=about, relevant_docs=qrels))
    assert as_rows(mteb_tasks(tasks, FOLDERS)) == as_rows(literal_tasks())


def test_tasks_say_which_leave_out_identical_ids() -> None:
    tasks = [task_of("GardenRetrieval", ignore_identical_ids=True), task_of("GardenMultilingual")]
    wanted = as_rows(literal_tasks(("GardenRetrieval",)))
    assert as_rows(mteb_tasks(tasks, FOLDERS)) == wanted
    given = mteb_tasks(QRELS, FOLDERS, ignore_identical_ids=["GardenRetrieval"])
    assert as_rows(given) == wanted
    assert wanted != as_rows(literal_tasks())


def test_scores_are_those_that_mteb_measures() -> None:
    theirs = json.loads((SAVED / "scores.json").read_text())
    tasks = mteb_tasks(QRELS, FOLDERS, ignore_identical_ids="GardenRetrieval")
    for task, (name, subset, split) in TASKS.items():
        means = mean_scores(irpref.evaluate(*tasks[task], [nDCG @ 10, AP @ 1000, RR @ 10]))
        for model in MODELS:
            scores = theirs[f"mteb/{model}|{name}|{subset}|{split}"]
            ours = means.loc[f"mteb/{model}"]
            # MTEB rounds these to five digits.
            assert ours["nDCG@10"] == pytest.approx(scores["ndcg_at_10"], abs=5.1e-6)
            assert ours["AP@1000"] == pytest.approx(scores["map_at_1000"], abs=5.1e-6)
            assert ours["RR@10"] == pytest.approx(scores["mrr_at_10"], abs=5.1e-6)


def test_models_can_be_given_names() -> None:
    tasks = mteb_tasks(QRELS, {"b": FOLDERS[1], "a": FOLDERS[0]})
    assert all(list(runs) == ["b", "a"] for _, runs in tasks.values())


@pytest.mark.parametrize(
    ("qrels", "folders", "problem"),
    [
        ({}, FOLDERS, "there are no tasks"),
        (QRELS, [], "there are no folders"),
        (QRELS, [FOLDERS[0], FOLDERS[0]], "two folders have predictions of the model"),
        ([object()], FOLDERS, "no task of MTEB whose data are loaded"),
        (
            [task_of("GardenRetrieval", skip_first_result=True)],
            FOLDERS,
            "leaves out the first result",
        ),
        ({"SciFact": "x"}, FOLDERS, "it has GardenMultilingual, GardenRetrieval"),
        ({"SciFact": "x"}, [SAVED], "give the folder that was MTEB's prediction_folder"),
    ],
)
def test_what_cannot_be_tasks_is_said(qrels: Any, folders: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        mteb_tasks(qrels, folders)


def test_packed_predictions_are_found(tmp_path: Path) -> None:
    shutil.copytree(FOLDERS[1], tmp_path / "other")
    (tmp_path / "bm25").mkdir()
    for file in FOLDERS[0].iterdir():
        (tmp_path / "bm25" / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
    tasks = mteb_tasks(QRELS, [tmp_path / "bm25", tmp_path / "other"])
    assert as_rows(tasks) == as_rows(literal_tasks())


def test_a_part_that_is_no_dict_and_an_unknown_task_are_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'M'"):
        mteb_tasks({"N": "qrels.tsv"}, [tmp_path], ignore_identical_ids=["M"])
    with pytest.raises(ValueError, match="the subset 'en' of N is a int"):
        mteb_tasks({"N": {"de": {"test": {"q": {"d": 1}}}, "en": 3}}, [tmp_path])
