"""How findings of a study become a table: which of them, under which headings."""

from __future__ import annotations

import pandas as pd

from irpref.show.reports.study_report import Layout, findings_table
from irpref.studies.findings import COLUMNS, Finding

FINDINGS = [
    Finding("LP", "RR", "ties", "10", 0.1, n=4, spread=0.5),
    Finding("LP", "AP", "ties", "10", 0.2, n=5, spread=0.6),
    Finding("LP", "RR", "wins", "20", 0.3, n=6, spread=0.7),
]


def content(layout: Layout, *collections: str) -> dict[str, list[object]]:
    found = [(name, *each[:-1]) for name in collections or [""] for each in FINDINGS]
    table = findings_table(pd.DataFrame(found, columns=list(COLUMNS)), layout)
    return {} if table is None else table.frame.to_dict(as_series=False)


def test_rows_and_conditions_have_the_headings_that_stand_with_them() -> None:
    layout = Layout("Ties", {"wins": "won", "ties": "tied"}, rows={"treatment": "k"}, of="topics")
    shown = {"k": ["10", "20"], "won": [None, 0.3], "tied": [0.2, None], "topics": [5, 6]}
    assert content(layout) == shown
    assert list(content(layout)) == list(shown)


def test_further_columns_say_what_is_shown_and_what_it_is_called() -> None:
    layout = Layout("Ties", ["ties"], columns="against", where={"against": {"AP": "by AP"}})
    assert content(layout) == {"method": ["LP"], "by AP": [0.2]}
    plain = Layout("Ties", ["ties"], columns="against", where={"against": ["RR"]}, show="spread")
    assert content(plain) == {"method": ["LP"], "RR": [0.5]}


def test_several_collections_have_a_row_each_of_one_column() -> None:
    layout = Layout("Ties", ["wins"], rows={"treatment": "k", "method": "by"}, of="topics")
    shown = {"collection": ["A", "B"], "k": ["20", "20"], "LP": [0.3, 0.3]}
    assert content(layout, "A", "B") == shown


def test_no_findings_are_no_table() -> None:
    assert content(Layout("Ties", ["losses"])) == {}
