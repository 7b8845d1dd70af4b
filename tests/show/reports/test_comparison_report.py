"""How a comparison shows itself: short, well formed, in a terminal and in a notebook."""

from __future__ import annotations

import re

import pandas as pd
import pytest

import irpref
from irpref import RPP
from irpref.report.report import Report
from tests.html import assert_well_formed
from tests.random_cases import collection_of


@pytest.mark.parametrize("systems", [2, 3, 125])
def test_repr_is_short_and_shows_the_best(systems: int) -> None:
    qrels, runs = collection_of(systems, 6)
    comparison = irpref.compare(qrels, runs)
    text = comparison.report(top=12 if systems > 2 else None).to_text(signatures=False)
    # Outside a terminal the signatures stand in place of the last line.
    assert repr(comparison).startswith(text.rpartition("Why?")[0])
    lines = text.splitlines()
    assert len(lines) <= 34
    assert max(map(len, lines)) <= 110
    for preference in comparison.preferences:
        assert str(preference) in repr(comparison)
    best = comparison.order(RPP)
    if systems == 2:
        assert f"{comparison.mean(RPP).iloc[0, 1]:+.3f}" in repr(comparison)
        return
    rows = [re.search(r"\(\d+-\d+\) +(participant-run-\d+) +([+-]\S+)", line) for line in lines]
    shown = {row[1]: row[2] for row in rows if row}
    assert shown == {name: f"{mean:+.3f}" for name, mean in best.iloc[:12].items()}
    assert list(shown) == list(best.index[:12])
    assert ("12 of 125 shown; top=125 for all." in lines) == (systems == 125)


@pytest.mark.parametrize("systems", [2, 3])
def test_html_is_well_formed_and_names_are_escaped(systems: int) -> None:
    names = ["<b>", "a & b", "</td><script>x</script>"][:systems]
    qrels, runs = collection_of(systems, 3)
    renamed = dict(zip(names, runs.values(), strict=True))
    fragment = irpref.compare(qrels, renamed)._repr_html_()
    parsed = assert_well_formed(fragment)
    assert {"b", "script"}.isdisjoint(parsed.seen)
    assert all(name in parsed.text for name in names)
    assert "table" in parsed.seen


def test_a_notebook_gets_the_text_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # In a notebook rich displays by itself what it is asked to write, and says nothing.
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = repr(irpref.compare(*collection_of(3, 2)))
    assert "participant-run-000" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    "name", ["system", "topic", "rank", "wins", "letters", "rank within", "mean", "over", "value"]
)
def test_measures_may_be_called_like_the_columns_of_a_report(name: str) -> None:
    scores = pd.DataFrame(
        [
            (system, topic, 0.5 + 0.1 * place * int(topic), name)
            for place, system in enumerate(["worst", "middle", "best"])
            for topic in "123"
        ],
        columns=["system", "topic", "value", "measure"],
    )
    comparison = irpref.compare_scores(scores)

    def rows_of(report: Report) -> list[list[str]]:
        lines = report.to_text().splitlines()
        start = next(n for n, line in enumerate(lines) if line.startswith("─")) + 1
        return [line.split() for line in lines[start:][: len(report.tables[0].frame)]]

    assert [row[:6] for row in rows_of(comparison.report(test=False))] == [
        ["1", "best", "+0.300", "6", "0", "0"],
        ["2", "middle", "+0.000", "3", "0", "3"],
        ["3", "worst", "-0.300", "0", "0", "6"],
    ]
    board = rows_of(comparison.report(test="t"))
    assert [row[0] + row[1] + row[3] for row in board] == ["a1best", "b2middle", "c3worst"]
    against = rows_of(comparison.report(baseline="worst", test="t"))
    assert [row[0] for row in against] == ["best", "middle"]
    topics = comparison.report(per_topic=True, baseline="worst").to_text().splitlines()
    assert [line.split() for line in topics[4:6]] == [
        ["1", "best", "+0.200"],
        ["1", "middle", "+0.100"],
    ]
    pair = scores[scores["system"] != "middle"]
    clearest = irpref.compare_scores(pair).report().to_text().splitlines()
    start = clearest.index("Topics best wins most clearly") + 3
    assert [line.split() for line in clearest[start : start + 2]] == [
        ["3", "+0.600"],
        ["2", "+0.400"],
    ]


@pytest.mark.parametrize(("test", "intervals"), [("t", 1), ("wilcoxon", 0)])
@pytest.mark.parametrize("baseline", [None, "bm25"])
def test_what_has_no_interval_has_no_column_of_intervals(
    test: str, intervals: int, baseline: str | None
) -> None:
    qrels, runs = irpref.demo_paths()
    report = irpref.compare(qrels, runs[:2]).report(test=test, baseline=baseline)
    table = report.tables[0].frame
    assert sum("% interval" in name for name in table.columns) == intervals
    assert all(table[name].null_count() < table.height for name in table.columns)
