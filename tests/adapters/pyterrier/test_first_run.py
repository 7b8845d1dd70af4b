"""PyTerrier's own ``pt.Experiment`` with preferences over its first system."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_rel, wilcoxon
from statsmodels.stats.multitest import multipletests

import irpref
from irpref_ir_measures import IPSO, LP, LR, RPP
from tests.adapters.pyterrier.demo import CORE, FRAMES, QRELS, TOPICS, pipelines

NAMES = ["q1", "q2", "q3", "q4"]
SCORES = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([1.0, 2.0, 3.0]), min_size=1)


def frame(nested: dict[str, dict[str, float]], value: str) -> pd.DataFrame:
    rows = [(q, d, v) for q, documents in nested.items() for d, v in documents.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", value])


@pytest.mark.slow
@settings(deadline=None, max_examples=6)
@pytest.mark.filterwarnings("ignore")
@given(
    st.fixed_dictionaries(
        {
            q: st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 2), min_size=1)
            for q in NAMES
        }
    ),
    st.lists(st.fixed_dictionaries(dict.fromkeys(NAMES, SCORES)), min_size=3, max_size=4),
    st.sampled_from(["t", "wilcoxon"]),
)
def test_means_wins_and_p_values_are_those_of_the_core(
    grades: Any, runs: list[Any], test: str
) -> None:
    measures: dict[str, Any] = {"RPP": RPP, "LP@2": LP @ 2, "LR": LR}
    first = {text: measure.over_first() for text, measure in measures.items()}
    found = pt.Experiment(
        [pt.model.add_ranks(frame(run, "score")) for run in runs],
        pd.DataFrame({"qid": NAMES, "query": "any"}),
        frame(grades, "label"),
        ["map", *first.values()],
        names=list("abcd")[: len(runs)],
        baseline=0,
        test=test,
        correction="holm",
    ).set_index("name")
    relevant = any(grade > 0 for judged in grades.values() for grade in judged.values())
    systems = dict(zip("abcd", runs, strict=False))
    core = irpref.compare(grades, systems, list(measures)) if relevant else None
    for text, measure in first.items():
        p = []
        for name in list(systems)[1:]:
            values = np.zeros(len(NAMES))
            if core is not None:
                values = core.per_topic(text, name, "a").reindex(NAMES, fill_value=0).to_numpy()
            assert found.loc[name, str(measure)] == pytest.approx(values.mean(), abs=1e-12)
            assert found.loc[name, f"{measure} +"] == (values > 0).sum()
            assert found.loc[name, f"{measure} -"] == (values < 0).sum()
            p.append((ttest_rel if test == "t" else wilcoxon)(values, np.zeros_like(values))[1])
        rows = found.loc[list(systems)[1:]]
        np.testing.assert_allclose(rows[f"{measure} p-value"].to_numpy(float), p, atol=1e-12)
        if not np.isnan(p).any():
            corrected = multipletests(p, method="holm")[1]
            found_p = rows[f"{measure} p-value corrected"].to_numpy(float)
            np.testing.assert_allclose(found_p, corrected, atol=1e-12)


@pytest.mark.parametrize("kind", ["pipelines", "frames"])
def test_every_system_is_compared_with_the_first(kind: str) -> None:
    names = ("bm25", "boolean", "tfidf")
    systems: Any = pipelines(*names) if kind == "pipelines" else {n: FRAMES[n] for n in names}
    rpp, ipso = RPP.over_first(), IPSO.over_first() @ 10
    found = pt.Experiment(
        systems, TOPICS, QRELS, ["map", rpp, ipso], baseline="bm25", perquery=False
    )
    for text, measure in {"RPP": rpp, "IPSO@10": ipso}.items():
        expected = CORE.mean(text)["bm25"][list(names)].to_list()
        assert found[str(measure)].to_list() == pytest.approx(expected)
    by_query = pt.Experiment(systems, TOPICS, QRELS, [RPP.over_first()], perquery=True)
    tfidf = by_query[by_query["name"] == "tfidf"].set_index("qid")["value"]
    expected = CORE.per_topic("RPP", "tfidf", "bm25")
    assert tfidf.to_dict() == pytest.approx(expected.to_dict())


def test_a_second_call_and_batches_are_refused() -> None:
    systems, measures = pipelines("bm25", "boolean"), ["map", RPP.over_first()]
    pt.Experiment(systems, TOPICS, QRELS, measures)
    with pytest.raises(ValueError, match=r"first run of an earlier call: make a new measure"):
        pt.Experiment(systems, TOPICS, QRELS, measures)
    with pytest.raises(ValueError, match=r"other qrels than this one: .* no batches"):
        pt.Experiment(systems, TOPICS, QRELS, [RPP.over_first()], batch_size=5)


@pytest.mark.parametrize("dtype", ["int64", "object", "category"])
def test_a_run_is_no_better_than_itself_whatever_its_ids_are(dtype: str) -> None:
    texts = FRAMES["bm25"].assign(docno=FRAMES["bm25"]["docno"].str[-3:].str.lstrip("n-0"))
    texts = texts.drop_duplicates(["qid", "docno"])
    numbered = texts.astype({"docno": "int64"}).astype({"docno": dtype})
    qrels = QRELS.assign(docno=QRELS["docno"].str[-3:].str.lstrip("n-0"))
    measures = [RPP.over_first(), LP.over_first()]
    found = pt.Experiment({"text": texts, "other": numbered}, TOPICS, qrels, measures)
    assert (found[list(map(str, measures))] == 0).all(axis=None)


def test_a_text_is_refused_as_pyterrier_refuses_those_of_ir_measures() -> None:
    # If this fails, it has learnt them: say so in docs/pyterrier.md.
    for text in ("RPP", "RPP(ref='bm25.run')", "RR@10"):
        with pytest.raises((ValueError, KeyError), match="measure"):
            pt.Experiment([FRAMES["bm25"]], TOPICS, QRELS, [text])
