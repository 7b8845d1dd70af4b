"""irpref's measures in PyTerrier's own searches of a grid."""

from __future__ import annotations

from typing import Any

import pyterrier as pt
import pytest
from ir_measures import AP, nDCG

from irpref_ir_measures import RPP, TieRR
from tests.adapters.pyterrier.demo import FRAMES, QRELS, TOPICS

OVER_BOOLEAN = RPP.against(FRAMES["boolean"], name="boolean")
OURS = [TieRR, TieRR @ 10, OVER_BOOLEAN, OVER_BOOLEAN @ 5]


def cut() -> tuple[pt.Transformer, dict[pt.Transformer, dict[str, list[int]]]]:
    last = pt.RankCutoff(3)
    return pt.Transformer.from_df(FRAMES["bm25"]) >> last, {last: {"k": [2, 4, 8, 20]}}


@pytest.mark.slow
@pytest.mark.parametrize("measure", [*OURS, AP, nDCG @ 10], ids=str)
@pytest.mark.parametrize("batch_size", [None, 5])
def test_a_scan_takes_them_as_it_takes_its_own(measure: Any, batch_size: int | None) -> None:
    pipeline, parameters = cut()
    options: dict[str, Any] = {"metrics": [measure], "batch_size": batch_size}
    scan = pt.GridScan(pipeline, parameters, TOPICS, QRELS, **options)
    assert scan["tran_0_k"].to_list() == [2, 4, 8, 20]
    for row in scan.itertuples():
        alone = pt.Transformer.from_df(FRAMES["bm25"]) % row.tran_0_k
        expected = pt.Evaluate(alone(TOPICS), QRELS, [measure])[str(measure)]
        assert scan.loc[row.Index, str(measure)] == pytest.approx(expected)
    listed = pt.GridScan(pipeline, parameters, TOPICS, QRELS, dataframe=False, **options)
    assert [values[str(measure)] for _, values in listed] == scan[str(measure)].to_list()


def test_the_best_setting_of_a_scan() -> None:
    pipeline, parameters = cut()
    scan = pt.GridScan(pipeline, parameters, TOPICS, QRELS, ["map", OVER_BOOLEAN])
    best = scan.loc[scan[str(OVER_BOOLEAN)].idxmax()]
    assert best["tran_0_k"] == 20
    setting = pt.GridSearch(
        pipeline, parameters, TOPICS, QRELS, metric="map", return_type="best_setting"
    )
    assert setting[0] == best["map"]


@pytest.mark.parametrize("measure", [*OURS, AP, nDCG @ 10], ids=str)
def test_a_search_takes_no_measure_object_its_own_neither(measure: Any) -> None:
    # PyTerrier 1.1 looks a result up by the object, and stores it by the text. If this fails, it has
    # learnt it: say so in docs/pyterrier.md.
    pipeline, parameters = cut()
    with pytest.raises(KeyError):
        pt.GridSearch(pipeline, parameters, TOPICS, QRELS, metric=measure)
    with pytest.raises(KeyError):
        pt.KFoldGridSearch(pipeline, parameters, [TOPICS[:6], TOPICS[6:]], QRELS, metric=measure)
    for text in (str(measure), "AP", "nDCG@10"):
        with pytest.raises(ValueError, match="unkonwn measure"):
            pt.GridSearch(pipeline, parameters, TOPICS, QRELS, metric=text)
