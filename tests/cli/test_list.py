"""The command ``irpref list``: every name there is, with a line each."""

from __future__ import annotations

import csv
import io
import json

import pytest

import irpref
from irpref.methods.names import known_names
from irpref.methods.preferences.criterion import Criterion
from irpref.stats.tests import TESTS, known_test
from irpref.studies import known_studies
from tests.command_line import fail, succeed


def test_every_name_is_listed_once_with_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    text = succeed(capsys, "list", "--format", "csv")
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(text))}
    known, studies = known_names(), known_studies()
    assert sorted(rows) == sorted([*known, *studies, *TESTS])
    assert len(text.splitlines()) == 1 + len(known) + len(studies) + len(TESTS)
    for name in TESTS:
        row = rows.pop(name)
        assert (row["kind"], row["what"]) == ("test", known_test(name).summary)
    for name, study in studies.items():
        row = rows.pop(name)
        assert (row["kind"], row["what"]) == ("study", study.question)
        assert row["options"] == ", ".join(study.options)
    for name, row in rows.items():
        assert row["kind"] == ("preference" if isinstance(known[name], Criterion) else "measure")
        assert len(row["what"]) > 20
        assert "``" not in row["what"]
        if row["stands_for"]:
            assert irpref.parse(row["stands_for"]) == known[name]
        for option in filter(None, row["options"].split(", ")):
            assert hasattr(known[name], option)
    assert rows["LP"]["what"] == "lexiprecision: who serves the best-off user? (Diaz 2023)"
    assert rows["LP"]["options"] == "ties, unjudged, magnitude"
    assert rows["rrLP"]["stands_for"] == "LP(magnitude='rr')"
    # It takes ties in one way only.
    assert rows["TSE"]["options"] == "exposure, persistence"


@pytest.mark.parametrize(
    ("typed", "name", "said"),
    [
        ("RPP", "RPP (preference): recall-paired", "Example: irpref compare QRELS RUN RUN -p "),
        (
            "rpp@10",
            "RPP (preference): recall-paired",
            "weights   'uniform'      How much recall level",
        ),
        (" RPP(weights='dcg') @ 10", "RPP (preference)", "graded    True "),
        ("map", "AP (measure): The mean", "Elsewhere: map, map_cut\n"),
        ("ndcg_cut_10", "nDCG (measure): ", "gains   None     {grade: gain} first replaces grades"),
        ("rrlp", "rrLP (preference): ", "Short for: LP(magnitude='rr')\n"),
        ("tse", "TSE (measure): ", 'Example: irpref evaluate QRELS RUN -m "TSE@10"'),
        ("hsd", "hsd (test): ", "Example: irpref compare QRELS RUN RUN --test hsd"),
        ("randomization", "randomization (test): Random signs", "--test randomization"),
        ("ties", "ties (study): How often do", "n_resamples  1000     How often the topics are"),
    ],
)
def test_a_name_alone_is_explained(
    typed: str, name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = succeed(capsys, "list", typed)
    assert text.startswith(name)
    assert said in text
    assert "``" not in text
    assert ":class:" not in text
    [row] = csv.DictReader(io.StringIO(succeed(capsys, "list", typed, "--format", "csv")))
    assert row["name"] == name.partition(" ")[0]


def test_every_option_of_every_name_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    of_a_kind = {type(each): name for name, each in known_names().items()}
    for name in [*of_a_kind.values(), "ties", "label-degradation"]:
        each = {**known_names(), **known_studies()}[name]
        [table] = json.loads(succeed(capsys, "list", name, "--format", "json"))["tables"]
        for row in table["rows"]:
            assert row["default"] == repr(getattr(each, row["option"]))
            assert "`" not in row["what"]
            assert row["what"].endswith((".", ")")), (name, row)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("wilcoxn", "unknown name 'wilcoxn'; did you mean 'wilcoxon'?"),
        ("RRP@10", "unknown name 'RRP'; did you mean 'RPP'?"),
        ("bpref", "unknown name 'bpref'"),
    ],
)
def test_what_is_not_there_is_refused(
    typed: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in fail(capsys, "list", typed)


def test_what_the_notes_say_of_all_holds_for_all() -> None:
    for name, each in known_names().items():
        assert str(irpref.parse(f"{name}(rel=2)@10")) == str(each(rel=2) @ 10)


def test_the_list_fits_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irpref.report.terminal.terminal_width", lambda: 80)
    lines = succeed(capsys, "list").splitlines()
    assert max(map(len, lines)) <= 80
    assert {"Preferences", "Measures", "Studies", "Short names"} <= set(lines)
