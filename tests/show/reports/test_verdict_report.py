"""The verdict in words."""

from __future__ import annotations

import json

import irpref
from irpref import LP, LR, RPP
from tests.html import assert_well_formed


def _runs(a_first: int, b_first: int) -> tuple[dict, dict]:
    """Qrels and two runs: a finds the first of two documents earlier, b the last, on so many topics."""
    qrels, a, b = {}, {}, {}
    for number in range(a_first + b_first):
        topic = str(number)
        qrels[topic] = {"d": 1, "e": 1}
        early = {"d": 9.0, "x": 8.0, "y": 7.0, "e": 6.0}
        late = {"x": 9.0, "d": 8.0, "e": 7.0, "y": 6.0}
        a[topic], b[topic] = (early, late) if number < a_first else (late, early)
    return qrels, {"new": a, "old": b}


def test_the_paragraph_says_who_how_much_how_sure_and_what_would_change_it() -> None:
    verdict = irpref.compare(*_runs(18, 2), [RPP, LP, LR]).verdict("new", "old")
    text = verdict.text
    assert (
        "The best-off users (the first recall level that differs decides): new serves them better (LP "
        "+0.800; 18 topics won, 0 tied, 2 lost); that is hardly chance (p = 0.0012)." in text
    )
    assert (
        "Most users (all recall levels count): neither system serves them better (RPP +0.000)."
        in text
    )
    assert (
        "The worst-off users (the last recall level that differs decides): old serves them better (LR "
        "-0.800; 18 topics won, 0 tied, 2 lost); that is hardly chance" in text
    )
    assert "have to go the other way to undo the lead: 8 by LP, 8 by LR." in text
    assert "Ties: no relevant document has the score of another document." in text
    assert "40 documents of new and 40 of old are unjudged (on 20 topics)" in text
    report = verdict.report
    assert report.facts["verdict"] == text
    assert report.notes[0] == text
    assert json.loads(report.to_json())["facts"]["verdict"] == text
    assert_well_formed(verdict._repr_html_())
    assert max(map(len, report.to_text(80).splitlines()[:-2])) <= 80
    assert report.records["winner"].fillna("nobody").to_list() == ["new", "nobody", "old"]


def test_a_winner_that_hangs_on_the_order_of_ties_is_said() -> None:
    # By name, descending, z stands before d; over all orders nobody leads.
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"d": 1.0, "z": 1.0, "y": 0.5}}}
    text = irpref.compare({"1": {"d": 1, "z": 0, "y": 0}}, runs, RPP).verdict("a", "b").text
    assert (
        "Ties: on 1 topic relevant documents have the score of other documents; taking all orders of the "
        "ties changes the means to LP +0.500, RPP +0.500, LR +0.500." in text
    )
    runs = {"a": {"1": {"d": 1.0, "z": 1.0}}, "b": {"1": {"d": 1.0, "c": 1.0}}}
    text = irpref.compare({"1": {"d": 1, "z": 0, "c": 0}}, runs, RPP).verdict("a", "b").text
    assert (
        "changes the means to LP +0.000, RPP +0.000, LR +0.000; then another system leads, or none, by "
        "LP, RPP, LR." in text
    )
    assert "the first 10 documents of both systems are all judged" in text
