"""``pt.pref.compare`` against the core."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyterrier as pt
import pytest

import irpref
import irpref_ir_measures
from irpref_pyterrier import compare
from tests.adapters.pyterrier.demo import FRAMES, QRELS, QRELS_PATH, TOPICS, pipelines

NAMES = ("boolean", "bm25", "tfidf")
PREFERENCES = ["RPP", irpref.LP, "AP", "nDCG@10"]
CORE = irpref.compare(QRELS, {name: FRAMES[name] for name in NAMES}, PREFERENCES)


def like_boolean(results: pd.DataFrame) -> pd.DataFrame:
    return FRAMES["boolean"][FRAMES["boolean"]["qid"].isin(results["qid"])]


def systems(kind: str) -> Any:
    """All have the results of the demo, in the order of NAMES."""
    made = pipelines(*NAMES)
    return {
        "dict": made,
        "list": list(made.values()),
        "frames": {name: FRAMES[name] for name in NAMES},
        # A plan evaluates the second system first.
        "shared": {
            **made,
            "boolean": made["bm25"] >> pt.apply.generic(like_boolean),
        },
    }[kind]


LINEAR: list[dict[str, Any]] = [{}, {"batch_size": 5}]
PLANS: list[dict[str, Any]] = [{"plan": "tree"}, {"plan": "tree", "batch_size": 5}]
CASES = [(kind, options) for kind in ("dict", "list", "shared") for options in [*LINEAR, *PLANS]]
# A plan of PyTerrier takes no result frames.
CASES.append(("frames", {}))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("kind", "options"), CASES, ids=str)
def test_it_is_the_comparison_of_the_core(kind: str, options: dict[str, Any]) -> None:
    names = list(NAMES) if kind == "list" else None
    found = compare(
        systems(kind), TOPICS, str(QRELS_PATH), PREFERENCES, names, verbose=False, **options
    )
    assert found.systems == NAMES
    for preference in PREFERENCES:
        for other in NAMES[1:]:
            pd.testing.assert_series_equal(
                found.per_topic(preference, "boolean", other).sort_index(),
                CORE.per_topic(preference, "boolean", other).sort_index(),
            )


def test_preferences_of_experiment_stand_for_irprefs_own() -> None:
    """RPP, with no reference; and what means another thing here is an error."""
    frames = systems("frames")
    found = compare(frames, TOPICS, QRELS, [irpref_ir_measures.RPP, "LP"])
    pd.testing.assert_frame_equal(found.mean("RPP"), CORE.mean("RPP"))
    for asked, message in (
        (irpref_ir_measures.RPP.over_first(), "leave out ref: here all pairs"),
        (pt.measures.nDCG @ 10, "nDCG@10 is an object of ir_measures"),
    ):
        with pytest.raises(ValueError, match=message):
            compare(frames, TOPICS, QRELS, [asked])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_topics_that_are_not_asked_do_not_count() -> None:
    some = [*TOPICS["qid"][:3], "99"]
    topics = pd.DataFrame({"qid": some, "query": "any"})
    assert set(compare(pipelines(*NAMES), topics, QRELS).topics) == set(some[:3])
    kept = compare(pipelines(*NAMES), topics, QRELS, filter_by_topics=False, missing="skip")
    assert set(kept.coverage.missing["bm25"]) == set(TOPICS["qid"]) - set(some)


def test_options_of_reading_are_heard() -> None:
    reversed_ranks = FRAMES["bm25"].assign(rank=-FRAMES["bm25"]["rank"])
    both = {"bm25": reversed_ranks, "tfidf": FRAMES["tfidf"]}
    by_rank = compare(both, TOPICS, QRELS, ["RPP"], order={"bm25": "rank"})
    assert by_rank.mean("RPP").loc["bm25", "tfidf"] < CORE.mean("RPP").loc["bm25", "tfidf"]


def test_further_columns_and_numbers_of_pyterrier_do_not_matter() -> None:
    further = {"docid": range(len(FRAMES["bm25"])), "user": "x", "topic": "y", "prediction": 0.5}
    frames = {"bm25": FRAMES["bm25"].assign(**further), "tfidf": FRAMES["tfidf"]}
    found = compare(frames, TOPICS, QRELS, ["RPP"]).mean("RPP").loc["bm25", "tfidf"]
    assert found == pytest.approx(CORE.mean("RPP").loc["bm25", "tfidf"])


def test_every_pipeline_runs_once() -> None:
    made = pipelines(*NAMES)
    compare(made, TOPICS, QRELS)
    assert all(system.asked == TOPICS["qid"].to_list() for system in made.values())


@pytest.mark.parametrize("column", ["iteration", "subtopic"])
def test_subtopics_reach_strpp(column: str) -> None:
    subtopics = ["1", "2"] * (len(QRELS) // 2) + ["1"] * (len(QRELS) % 2)
    qrels = QRELS.assign(**{column: subtopics})
    found = compare(pipelines(*NAMES), TOPICS, qrels, ["STRPP"])
    frames = {name: FRAMES[name] for name in NAMES}
    expected = irpref.compare(qrels, frames, ["STRPP"]).mean("STRPP")
    pd.testing.assert_frame_equal(found.mean("STRPP"), expected)


def test_mistakes_are_named() -> None:
    made = pipelines(*NAMES)
    with pytest.raises(ValueError, match=r"2 systems have the same name, 'a': give names="):
        compare(list(made.values())[:2], TOPICS, QRELS, names=["a", "a"])
    with pytest.raises(TypeError, match=r"unknown option 'batchsize'; did you mean 'batch_size'"):
        compare(made, TOPICS, QRELS, batchsize=5)
    with pytest.raises(TypeError, match=r"no baseline=, .* comparison\.test\(baseline="):
        compare(made, TOPICS, QRELS, baseline=0)
    with pytest.raises(ValueError, match=r"only one run was given \(bm25\)"):
        compare({"bm25": made["bm25"]}, TOPICS, QRELS)
    with pytest.raises(TypeError, match=r"no save_dir=, .* tables of pt\.Experiment"):
        compare(made, TOPICS, QRELS, save_dir=".")
    equal = {"a": made["bm25"], "b": made["bm25"]}
    with pytest.raises(ValueError, match=r"evaluated no '[ab]', as another system is equal to it"):
        compare(equal, TOPICS, QRELS, plan="tree", verbose=False)
    counting = pipelines("bm25", "tfidf")
    with pytest.raises(ValueError, match="RPQ"):
        compare(counting, TOPICS, QRELS, ["RPQ"])
    assert not counting["bm25"].asked
    twice = pd.concat([FRAMES["tfidf"], FRAMES["tfidf"][:1]])
    with pytest.raises(irpref.InputError, match=r"run 'tfidf'.*topic"):
        compare({"bm25": made["bm25"], "tfidf": twice}, TOPICS, QRELS)
