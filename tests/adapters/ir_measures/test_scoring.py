"""Scores of ir_measures' measures of runs that irpref reads: against ir_measures itself, and the core."""

from __future__ import annotations

from typing import Any

import ir_measures
import pandas as pd
import pytest
from ir_measures.providers import registry as providers

import irpref
from irpref import demo_paths
from irpref.api.evaluation import mean_scores
from irpref_ir_measures import LP, RPP, TieRR, scores
from tests.random_cases import Case, make_case

# The same measure in ir_measures and here; those with trec_eval's ties are computed by several tools.
ALIKE = {
    "AP": "AP",
    "AP(rel=2)@3": "AP(rel=2)@3",
    "RR": "RR",
    "RR@3": "RR@3",
    "P@2": "P@2",
    "R@3": "R@3",
    "nDCG@3": "nDCG@3",
    "Rprec": "RP",
    "Success@2": "Success@2",
}
SUBTOPICS = ["StRecall@2", "ERR_IA@5", "alpha_nDCG(alpha=0.2)@5", "StRecall(rel=2)@4", "AP_IA"]
needs_pyndeval = pytest.mark.skipif(
    not providers["pyndeval"].is_available(), reason="pyndeval is not installed"
)


def wide(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.pivot(index=["measure", "topic"], columns="system", values="value")


def assert_as_the_core(qrels: Any, runs: Any, **reading: Any) -> None:
    found = scores(qrels, runs, list(ALIKE), **reading)
    assert list(found.columns) == ["system", "topic", "measure", "value"]
    assert list(dict.fromkeys(found["measure"])) == list(ALIKE)
    core = irpref.evaluate(qrels, runs, list(ALIKE.values()), **reading)
    found["measure"] = found["measure"].map(ALIKE)
    pd.testing.assert_frame_equal(wide(found), wide(core), rtol=0, atol=1e-9, check_like=True)


@pytest.mark.parametrize(
    "name",
    [
        "MAP",
        "MAP@3",
        "MRR@2",
        "NDCG@3",
        "Precision@2",
        "Recall@3",
        "Rprec",
        "SetP",
        "SetR",
        "SetF",
        "Success@1",
    ],
)
def test_what_irpref_understands_is_the_same_in_ir_measures(name: str) -> None:
    qrels = {"1": {"a": 2, "b": 1, "c": 1, "z": 3}, "2": {"d": 1}}
    run = {"1": {"x": 4.0, "b": 3.0, "y": 2.0, "a": 1.0}, "2": {"d": 2.0, "a": 1.0}}
    measure = ir_measures.parse_measure(name)
    theirs = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    [ours] = mean_scores(irpref.evaluate(qrels, {"run": run}, name)).to_numpy()[0]
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_ties_are_in_one_order_for_every_tool() -> None:
    """The values of the core. ir_measures alone has others: RR@3 by msmarco, AP by trec_eval."""
    case = make_case(21, topics=40)
    assert_as_the_core(case.qrels, case.runs)
    alone = {
        name: {
            metric.query_id: metric.value
            for metric in ir_measures.iter_calc([ir_measures.RR @ 3], case.grades, run)
        }
        for name, run in case.runs.items()
    }
    found = scores(case.grades, case.runs, "RR@3").set_index(["system", "topic"])["value"]
    assert any(abs(value - alone[system][topic]) > 0.1 for (system, topic), value in found.items())


def with_ranks_and_repeats(case: Case) -> dict[str, pd.DataFrame]:
    """Runs with ranks that contradict the scores, and the first document of every topic twice."""
    frames = {}
    for name, lists in case.runs.items():
        rows = [
            (topic, document, rank, score)
            for topic, scored in lists.items()
            for rank, (document, score) in enumerate([*scored.items(), *[*scored.items()][:1]])
        ]
        frames[name] = pd.DataFrame(rows, columns=["query_id", "doc_id", "rank", "score"])
    return frames


@pytest.mark.filterwarnings("ignore:.*rank column:UserWarning")
def test_runs_are_read_as_the_core_reads_them() -> None:
    case = make_case(22, topics=30)
    runs = with_ranks_and_repeats(case)
    assert_as_the_core(case.qrels, runs, duplicates="first", order={"s0": "rank"})
    assert_as_the_core(case.qrels, runs, duplicates="first", judged_only=True)
    assert_as_the_core(case.qrels, case.runs, missing="skip")
    assert len(scores(case.qrels, case.runs, "AP", missing="skip")) < len(
        scores(case.qrels, case.runs, "AP")
    )
    with pytest.raises(irpref.InputError, match="twice"):
        scores(case.qrels, runs, "AP")


def test_a_document_that_is_judged_twice_has_its_highest_grade() -> None:
    case = make_case(23, topics=20, subtopics=3)
    judged = [
        (case.grades[topic][document], grade)
        for topic, each in case.judgments.items()
        for (document, _), grade in each.items()
    ]
    assert any(grade < highest for highest, grade in judged)
    assert_as_the_core(case.qrels, case.runs)


def test_without_ties_they_are_those_of_ir_measures() -> None:
    """Compat depends on whether scores are above 0: here they are."""
    case = make_case(24, topics=20, ties=False)
    runs = {
        name: {t: {d: score + 1 for d, score in scored.items()} for t, scored in lists.items()}
        for name, lists in case.runs.items()
    }
    asked = ["Judged@4", "P(judged_only=True)@3", "Bpref", "SetF", "IPrec@0.5", "Compat(p=0.9)"]
    found = scores(case.grades, runs, asked).set_index(["measure", "system", "topic"])["value"]
    parsed = [ir_measures.parse_measure(text) for text in asked]
    assert len(found) == len(asked) * len(runs) * len(case.grades)
    for system, run in runs.items():
        for metric in ir_measures.iter_calc(parsed, case.grades, run):
            value = found[str(metric.measure), system, metric.query_id]
            assert value == pytest.approx(metric.value, abs=1e-12)
    assert found.groupby("measure").nunique().min() >= 4


def test_measures_of_irpref_see_the_ties() -> None:
    case = make_case(25, topics=30)
    found = scores(case.qrels, case.runs, [TieRR @ 3, "AP"])
    core = irpref.evaluate(case.qrels, case.runs, "TieRR@3")
    pd.testing.assert_frame_equal(
        wide(found[found["measure"] == "TieRR@3"]), wide(core), atol=1e-12, check_like=True
    )


@pytest.mark.parametrize("preference", [RPP.over_first(), LP(ref="base.run"), "LP", "rpp(ref='a')"])
def test_scores_over_a_reference_are_refused(preference: Any) -> None:
    with pytest.raises(ValueError, match=r"irpref\.compare\(qrels, runs, \['(RPP|LP)'\]\)"):
        scores(*demo_paths(), [preference])


def test_a_comparison_takes_them() -> None:
    qrels, runs = demo_paths()
    found = scores(qrels, runs, "AP")
    comparison = irpref.compare(qrels, runs, ["AP", {"theirs": found}])
    for one, two in (("bm25", "tfidf"), ("boolean", "bm25")):
        pd.testing.assert_series_equal(
            comparison.per_topic("theirs", one, two),
            comparison.per_topic("AP", one, two),
            check_names=False,
            atol=1e-9,
        )
    pd.testing.assert_frame_equal(
        comparison.outcomes("theirs"), comparison.outcomes("AP"), check_like=True
    )
    assert "from:measure:AP;topics:12;missing:0;ir_measures:" in comparison.signature("theirs")


def test_the_signature_says_what_was_read_and_how() -> None:
    qrels, runs = demo_paths()
    found = scores(qrels, runs, ["AP", "nDCG@10"], judged_only=True, missing="skip")
    version = ir_measures.__version__
    assert found.attrs["signature"] == (
        f"of:AP,nDCG@10|topics:12|missing:0:skipped|judged-only|ir_measures:{version}|"
        f"table:scores|irpref:{irpref.__version__}"
    )


def subtopic_recall(case: Case, system: str, topic: str, cutoff: int, rel: int = 1) -> float:
    judged = case.judgments[topic]
    subtopics = {subtopic for (_, subtopic), grade in judged.items() if grade >= rel}
    listed = sorted(case.run(system, topic).items(), key=lambda pair: -pair[1])[:cutoff]
    seen = {
        subtopic
        for document, _ in listed
        for subtopic in subtopics
        if judged.get((document, subtopic), 0) >= rel
    }
    return len(seen) / len(subtopics) if subtopics else 0.0


def expected_reciprocal_rank(case: Case, system: str, topic: str, cutoff: int) -> float:
    """Chapelle et al. (2009): a searcher is content with a document by its grade, of at most 4."""
    listed = sorted(case.run(system, topic).items(), key=lambda pair: -pair[1])[:cutoff]
    total, looking = 0.0, 1.0
    for place, (document, _) in enumerate(listed, start=1):
        content = (2 ** max(case.grades[topic].get(document, 0), 0) - 1) / 2**4
        total += looking * content / place
        looking *= 1 - content
    return total


@pytest.mark.skipif(not providers["gdeval"].is_available(), reason="gdeval needs perl")
def test_gdeval_reads_topics_of_any_name() -> None:
    case = make_case(29, topics=20, ties=False)
    found = scores(case.grades, case.runs, ["ERR@3", "nDCG(dcg='exp-log2')@3"])
    values = found.set_index(["measure", "system", "topic"])["value"]
    core = irpref.evaluate(case.grades, case.runs, "nDCG(dcg='exp-log2')@3")
    for system, topic, value in zip(core["system"], core["topic"], core["value"], strict=True):
        # gdeval has five digits.
        assert values["nDCG(dcg='exp-log2')@3", system, topic] == pytest.approx(value, abs=1e-5)
        wanted = expected_reciprocal_rank(case, system, topic, 3)
        assert values["ERR@3", system, topic] == pytest.approx(wanted, abs=1e-5)
    assert found.groupby("measure")["value"].nunique().min() > 5


@needs_pyndeval
def test_measures_of_subtopics_are_right_at_once_and_alone() -> None:
    case = make_case(26, topics=20, subtopics=3, ties=False)
    found = scores(case.qrels, case.runs, [*SUBTOPICS, "AP"])
    assert found.groupby("measure")["value"].nunique().min() > 3
    for text in SUBTOPICS:
        alone = scores(case.qrels, case.runs, text)
        pd.testing.assert_frame_equal(wide(found[found["measure"] == text]), wide(alone))
    values = found.set_index(["measure", "system", "topic"])["value"]
    for system in case.runs:
        for topic in case.judgments:
            for text, cutoff, rel in (("StRecall@2", 2, 1), ("StRecall(rel=2)@4", 4, 2)):
                wanted = subtopic_recall(case, system, topic, cutoff, rel)
                assert values[text, system, topic] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("nDGC@10", "unknown measure of ir_measures 'nDGC'; did you mean 'nDCG'"),
        ("ERR-IA@20", r"^ERR-IA@20: "),
        ("nDCG(rel=2)@10", "unsupported params"),
        ("AP@'ten'", r"^AP@'ten': invalid param cutoff='ten'"),
        ("ERR", r"Unsupported measures \{ERR\}"),
        ("StRecall@20", "StRecall@20 needs subtopics, and qrels names none"),
        ([], "no measure"),
        (7, "one of ir_measures or its text, not 7"),
    ],
    ids=str,
)
def test_a_measure_that_cannot_be_computed_is_refused_in_a_line(asked: Any, message: str) -> None:
    case = make_case(27, topics=3)
    with pytest.raises(ValueError, match=message) as refused:
        scores(case.grades, case.runs, asked)
    assert "\n" not in str(refused.value)


def test_what_has_no_meaning_here_is_refused() -> None:
    case = make_case(28, topics=3)
    with pytest.raises(
        irpref.InputError, match=r"topic t, document d: the grade 0.5 is not a whole"
    ):
        scores({"t": {"d": 0.5}}, {"run": {"t": {"d": 1.0}}}, "AP", rel=0.5)
    with pytest.raises(ValueError, match="leave out lists="):
        scores(case.grades, case.runs, "AP", lists=10)
    with pytest.raises(TypeError, match="did you mean 'missing'"):
        scores(case.grades, case.runs, "AP", missin="skip")
    with pytest.raises(irpref.InputError, match="topic"):
        scores(case.grades, {"run": {"elsewhere": {"d": 1.0}}}, "AP")
