"""Real retrieval without Java: two pipelines over an index of bm25s and a reranker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bm25s
import pandas as pd
import pyterrier as pt
import pytest

import irpref
from irpref_ir_measures import IPSO, LP, RPP, TieRR
from irpref_pyterrier import compare

CORPUS = Path(__file__).parents[3] / "scripts" / "demo_corpus"
COLUMNS = ["qid", "query", "docno", "rank", "score"]


def texts() -> dict[str, str]:
    lines = (CORPUS / "documents.jsonl").read_text().splitlines()
    return {document["id"]: document["text"] for document in map(json.loads, lines)}


def retriever(documents: dict[str, str], **options: float) -> pt.Transformer:
    """A pipeline of its own over the documents."""
    index = bm25s.BM25(**options)
    index.index(bm25s.tokenize(list(documents.values()), show_progress=False), show_progress=False)
    names = list(documents)

    def search(topics: pd.DataFrame) -> pd.DataFrame:
        rows: list[Any] = []
        for topic in topics.itertuples():
            query = bm25s.tokenize(topic.query, show_progress=False)
            found, scores = index.retrieve(query, k=20, show_progress=False)
            for rank, (number, score) in enumerate(zip(found[0], scores[0], strict=True)):
                if score > 0:
                    rows.append((topic.qid, topic.query, names[number], rank, float(score)))
        return pd.DataFrame(rows, columns=COLUMNS)

    return pt.apply.generic(search, transform_outputs=lambda columns: COLUMNS)


@pytest.fixture(scope="module")
def setting() -> tuple[dict[str, pt.Transformer], pd.DataFrame, pd.DataFrame]:
    documents = texts()
    lucene = retriever(documents, k1=1.2, b=0.75)
    flat = retriever(documents, k1=0.4, b=0.0)

    def words_in_order(row: Any) -> float:
        """How many of the query's words the first sentence contains: many ties."""
        first = documents[row["docno"]].split(". ")[0].lower()
        return sum(word in first for word in row["query"].lower().split())

    systems = {
        "bm25": lucene,
        "flat": flat,
        "reranked": lucene >> pt.apply.doc_score(words_in_order),
    }
    topics = pd.read_csv(CORPUS / "topics.tsv", sep="\t", names=["qid", "query"], dtype=str)
    return systems, topics, pt.io.read_qrels(str(CORPUS / "qrels.txt"))


def test_an_experiment_says_of_real_pipelines_what_the_framework_says(
    setting: tuple[dict[str, pt.Transformer], pd.DataFrame, pd.DataFrame],
) -> None:
    systems, topics, qrels = setting
    results = {name: system(topics) for name, system in systems.items()}
    core = irpref.compare(CORPUS / "qrels.txt", results, ["RPP", "LP", "IPSO@10"])
    measures = {"RPP": RPP.over_first(), "LP": LP.over_first(), "IPSO@10": IPSO.over_first() @ 10}
    found = pt.Experiment(
        systems,
        topics,
        qrels,
        ["map", TieRR, *measures.values()],
        baseline="bm25",
        correction="holm",
        validate="error",
    ).set_index("name")
    for text, measure in measures.items():
        assert found[str(measure)].to_dict() == pytest.approx(core.mean(text)["bm25"].to_dict())
    assert found.loc["reranked", str(measures["RPP"])] < 0
    assert found.loc["bm25", "map"] > 0.2
    own = compare(systems, topics, qrels, ["RPP", "LP", "IPSO@10"])
    pd.testing.assert_frame_equal(own.mean("RPP"), core.mean("RPP"))


def test_the_framework_alone_takes_our_measures(
    setting: tuple[dict[str, pt.Transformer], pd.DataFrame, pd.DataFrame],
) -> None:
    systems, topics, qrels = setting
    reference = RPP.against(systems["bm25"](topics))
    found = pt.Experiment(
        list(systems.values()),
        topics,
        qrels,
        eval_metrics=["map", TieRR @ 10, reference],
        names=list(systems),
    )
    assert set(found.columns) == {"name", "map", "TieRR@10", str(reference)}
    assert found.loc[0, str(reference)] == 0
