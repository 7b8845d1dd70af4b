"""Files as BEIR writes them: qrels of its data sets, and what ``beir/util.py`` saves."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import irpref
from irpref.read import read_qrels, read_run
from tests.read.files import written

QRELS = {"PLAIN-2": {"MED-2427": 2, "MED-10": 1}, "PLAIN-12": {"MED-10": 1}}
RUN = {"PLAIN-2": {"MED-10": 0.75, "MED-9": 1e-05}, "PLAIN-12": {"MED-2427": 12.5}}


def test_qrels_have_a_header(tmp_path: Path) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", quoting=csv.QUOTE_MINIMAL)
    writer.writerow(["query-id", "corpus-id", "score"])
    for topic, judged in QRELS.items():
        for document, grade in judged.items():
            writer.writerow([topic, document, grade])
    found = read_qrels(written(tmp_path, text.getvalue(), "test.tsv"))
    columns = ["topic", "document", "grade"]
    assert found.select(columns).rows() == read_qrels(QRELS).select(columns).rows()


def test_a_run_file_has_no_ranks(tmp_path: Path) -> None:
    text = "".join(
        f"{topic} Q0 {document} 0 {score} beir\n"
        for topic, documents in RUN.items()
        for document, score in sorted(documents.items(), key=lambda item: item[1], reverse=True)
    )
    path = written(tmp_path, text, "nfcorpus.run.trec")
    columns = ["topic", "document", "score"]
    assert read_run(path).select(columns).rows() == read_run(RUN).select(columns).rows()
    assert irpref.collect(QRELS, [path]).systems == ("nfcorpus",)


def test_results_in_json_are_a_run(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(RUN), "results.json")
    assert read_run(path).rows() == read_run(RUN).rows()
