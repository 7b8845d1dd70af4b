"""A report in every format holds the same, whatever the names in it are."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.message import Message, Option
from irpref.report.report import Report, joined, render
from irpref.report.table import Table
from tests.html import assert_well_formed

NAMES = ["[red]run[/red]", "a,b \"c\" 'd'", "<i>&amp;", "文書:smile:", "-1.5", "x" * 70]
VALUES = [1 / 3, -1e-15, 0.1 + 0.2, 1.0, -0.5, 2 / 3]


@pytest.fixture
def report() -> Report:
    rows = pl.DataFrame({"system": NAMES, "mean": VALUES, "wins": [3, 0, 2, 1, 5, 10**6]})
    shown = rows.with_columns(share=pl.Series([0.5, None, 2.0, None, 1.0, 0.25]))
    return Report(
        title="Six systems & <more>",
        tables=(Table("", shown, {"mean": "+.3f"}), Table("Again [bold]", rows.head(2))),
        rows=rows,
        remarks=("A remark of [some] words " * 12, "Another."),
        notes=("A note for those who ask.",),
        facts={"topics": ["1", "θ"], "share": 0.5},
        signatures=("RPP|topics:3|" + "part:1|" * 30,),
        next_step="Why?  " + "a command of many words " * 9,
    )


@pytest.fixture
def answered(report: Report) -> Report:
    sentences = "It wins 3 of 9 topics & loses <2> of them. Is it 50 % or_more?"
    return replace(report, answer=("[a] is better than *b*.", sentences, "Ends: https://a.org/x"))


def rows_of(text: str) -> list[str]:
    below = text.partition("─\n")[2]
    return below.partition("\n\n")[0].splitlines()


def test_the_table_shows_every_name_and_number(report: Report) -> None:
    text = render(report)
    assert text.startswith("Six systems & <more>\n")
    rows = rows_of(text)
    assert len(rows) == 6
    shares = ["0.5", None, "2", None, "1", "0.25"]
    for row, name, value, wins, share in zip(
        rows, NAMES, VALUES, (3, 0, 2, 1, 5, 10**6), shares, strict=True
    ):
        assert row.startswith(name)
        cells = row.removeprefix(name).split()
        assert cells == [f"{value:+.3f}", str(wins), *([share] if share else [])]
    assert "Again [bold]" in text
    assert report.signatures[0] in text.splitlines()
    assert "\x1b" not in text
    assert not any(line != line.rstrip() for line in text.splitlines())
    assert text.endswith("\n")


def test_remarks_are_wrapped_and_nothing_is_lost(report: Report) -> None:
    text = render(report)
    lines = text.partition("A remark")[2].partition("RPP|")[0].splitlines()
    assert max(map(len, lines)) <= 100
    assert " ".join(text.split()).count("A remark of [some] words") == 12


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html", "json", "csv"])
def test_notes_are_for_those_who_ask(report: Report, form: Any) -> None:
    """A page has them folded, and JSON beside the remarks; rows have neither."""
    note = "A note for those who ask"
    assert (note in render(report, form)) is (form in ("html", "json"))
    assert (note in render(report, form, notes=True)) is (form != "csv")
    if form == "html":
        assert note in render(report, form).partition('<details id="notes">')[2]
        assert note not in report.to_html()
        assert note in report.to_html(notes=True)


def test_several_signatures_are_one_line_that_shares_what_is_equal() -> None:
    lines = ["a:1|b:2|c:3|v:0", "a:1|x:9|c:3|y:8|v:0", "a:1|c:3|v:0"]
    assert joined(lines) == "{b:2;x:9|y:8;}|a:1|c:3|v:0"
    assert joined(lines[:1] * 3) == lines[0]
    assert joined(["a:1|v:0", "b:1|w:0"]) == "{a:1|v:0;b:1|w:0}"


@given(st.lists(st.sets(st.sampled_from("abcd"), min_size=1), min_size=1, max_size=4))
def test_different_signatures_have_different_lines(parts: list[set[str]]) -> None:
    """What stands in braces, with what is shared, gives the parts of every signature."""
    sets = list(map(set, dict.fromkeys(frozenset(part) for part in parts)))
    own, closed, shared = joined(["|".join(sorted(part)) for part in sets]).rpartition("}")
    lines = (
        [f"{each}|{shared}" for each in own.removeprefix("{").split(";")] if closed else [shared]
    )
    assert [set(line.split("|")) - {""} for line in lines] == sets


@pytest.mark.parametrize("width", [30, 60, 80])
def test_narrow_terminals_lose_nothing(report: Report, width: int) -> None:
    text = render(report, screen={"width": width})
    lines = text.partition("Why?")[0].splitlines()
    assert max(map(len, lines)) <= width
    # Names are shortened; numbers stay whole.
    assert text.count("x" * 11) >= 1
    assert f"{'x' * 11}…" in text or width > 60
    for value, wins in zip(VALUES, (3, 0, 2, 1, 5, 10**6), strict=True):
        assert f"{value:+.3f}" in text
        assert f" {wins}" in text
    # Lines that are copied are not folded.
    assert text.splitlines()[-1] == report.next_step.rstrip()
    signed = render(report, screen={"width": width}, signatures=True)
    assert signed == text.replace(report.next_step.rstrip(), report.signatures[0])


def test_a_file_says_how_it_was_made_and_a_screen_what_to_type_next(report: Report) -> None:
    step, (signature,) = report.next_step.rstrip(), report.signatures
    for width in (None, 80):
        for asked in (None, True, False):
            last = render(report, screen={"width": width}, signatures=asked).splitlines()[-1]
            signed = width is None if asked is None else asked
            assert last == (signature if signed else step)
    for form in ("csv", "json", "latex", "markdown", "html"):
        assert "Why?" not in render(report, form)
    assert "Why?" in report.to_html()
    bare = replace(report, next_step="", remarks=(), notes=())
    assert render(bare, screen={"width": 80}).endswith("\n")
    assert not render(bare, screen={"width": 80}).endswith("\n\n")


@pytest.mark.parametrize("width", [20, 40, 80, None])
def test_the_answer_stands_in_place_of_the_title(answered: Report, width: int | None) -> None:
    text = render(answered, screen={"width": width})
    said = text.partition("\n\n")[0].splitlines()
    assert max(map(len, said)) <= (width or 100)
    assert " ".join(said) == " ".join(answered.answer)
    # Each of its paragraphs begins a line.
    beginnings = [each[:2] for each in answered.answer]
    assert [line[:2] for line in said if line[:2] in beginnings] == beginnings
    assert answered.title not in text


def test_every_format_begins_with_the_answer(answered: Report) -> None:
    headline, *more = answered.answer
    assert json.loads(render(answered, "json"))["answer"] == list(answered.answer)
    assert "answer" not in json.loads(render(replace(answered, answer=()), "json"))
    markdown = render(answered, "markdown")
    assert markdown.startswith(
        "**\\[a\\] is better than \\*b\\*.**\n\n"
        "It wins 3 of 9 topics \\& loses \\<2\\> of them. Is it 50 % or\\_more?\n\n"
        "Ends: https\\://a.org/x\n\n| system"
    )
    captions = [line for line in render(answered, "latex").splitlines() if "caption" in line]
    said = (
        r"\caption{[a] is better than *b*. It wins 3 of 9 topics \& loses \textless{}2\textgreater{} of "
        r"them. Is it 50 \% or\_more? Ends: https://a.org/x. "
    )
    assert [each.removeprefix(said)[:7] for each in captions] == ["A remar", "Again ["]
    page = assert_well_formed(render(answered, "html"))
    assert [each.text for each in page.all("h1")] == [headline]
    assert [each.text for each in page.all("title")] == [answered.title]
    assert [each.text for each in page.all("p")[: len(more)]] == more
    assert page.seen.index("h1") < page.seen.index("p") < page.seen.index("table")
    fragment = assert_well_formed(answered.to_html())
    assert fragment.seen[:2] == ["p", "strong"]
    assert [each.text for each in fragment.all("strong")] == [headline]
    assert [each.text for each in fragment.all("p")[1 : len(answered.answer)]] == more
    # A table for programs holds nothing else.
    assert render(answered, "csv") == render(replace(answered, answer=()), "csv")


def test_spaces_around_a_headline_do_not_undo_its_emphasis(report: Report) -> None:
    padded = replace(report, answer=("  padded leads.  ",))
    assert padded.to_markdown().startswith("**padded leads.**\n")


def test_options_of_the_answer_and_of_the_next_step_are_spelled(report: Report) -> None:
    said = Message("Cut at 5 (", Option("depth", 5), ").")
    written = replace(report, answer=("First.", said), next_step=Message("Try ", Option("top")))
    typed = written.spelled(lambda option: f"--{option.name}")
    assert typed.answer == ("First.", "Cut at 5 (--depth).")
    assert typed.next_step == "Try --top"
    assert "depth=5" in written.to_text()


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "TTY_COMPATIBLE"])
def test_there_are_no_colour_codes_whatever_the_environment_says(
    report: Report, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = render(report)
    monkeypatch.setenv(variable, "1")
    monkeypatch.setenv("COLUMNS", "20")
    assert render(report) == plain


def test_notebooks_get_a_text(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = render(report)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert render(report) == plain


def test_csv_holds_the_records(report: Report) -> None:
    text = render(report, "csv")
    assert "\r" not in text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["system"] for row in rows] == NAMES
    assert [float(row["mean"]) for row in rows] == VALUES
    assert [row["wins"] for row in rows] == ["3", "0", "2", "1", "5", "1000000"]


def test_json_holds_the_records_and_the_facts(report: Report) -> None:
    content = json.loads(render(report, "json"))
    assert content["title"] == report.title
    assert content["facts"] == {"topics": ["1", "θ"], "share": 0.5}
    assert content["signatures"] == list(report.signatures)
    assert [row["system"] for row in content["results"]] == NAMES
    assert [row["mean"] for row in content["results"]] == VALUES
    assert [row["wins"] for row in content["results"]] == [3, 0, 2, 1, 5, 10**6]


def test_json_has_null_where_there_is_nothing() -> None:
    records = pl.DataFrame({"a": [1e-20, float("nan")], "b": [1, None], "c": ["ni", None]})
    text = render(Report("", (), records), "json")
    content = json.loads(text, parse_constant=pytest.fail)
    assert content["results"] == [
        {"a": 1e-20, "b": 1, "c": "ni"},
        {"a": None, "b": None, "c": None},
    ]
    assert render(Report("", (), records), "csv") == "a,b,c\n1e-20,1,ni\n,,\n"


class Reader(HTMLParser):
    """Reads the cells of the tables, and checks that every tag is closed in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open[-1:] == ["td"]:
            self.cells[-1] += data


def test_html_is_well_formed_and_holds_the_same(report: Report) -> None:
    reader = Reader()
    reader.feed(report.to_html())
    reader.close()
    assert reader.open == []
    numbers = [
        *zip(NAMES, VALUES, (3, 0, 2, 1, 5, 10**6), ("0.5", "", "2", "", "1", "0.25"), strict=True)
    ]
    shown = [(name, f"{value:+.3f}", str(wins), share) for name, value, wins, share in numbers]
    again = [(name, str(value), str(wins)) for name, value, wins, _ in numbers[:2]]
    assert reader.cells == [cell for row in [*shown, *again] for cell in row]
    assert report.title in reader.text
    assert all(remark in reader.text for remark in report.remarks)
    assert report.signatures[0] in reader.text


def test_an_unknown_format_is_refused_with_the_nearest(report: Report) -> None:
    with pytest.raises(ValueError, match=r"unknown format 'jsn'; did you mean 'json'\?"):
        render(report, "jsn")  # type: ignore[arg-type]


def test_a_report_without_rows_keeps_its_columns() -> None:
    empty = pl.DataFrame({"system": [], "mean": []})
    report = Report("None", (Table("", empty, {"mean": "+.3f"}),), empty)
    assert render(report).splitlines()[0] == "None"
    assert render(report, "csv") == "system,mean\n"
    assert json.loads(render(report, "json"))["results"] == []


def test_a_question_ends_as_one_in_a_caption(report: Report) -> None:
    asked = replace(report, title="Who wins?", remarks=("One does.", "Often."))
    assert r"\caption{Who wins? One does. Often}" in asked.to_latex()
    assert r"\caption{Who wins? Again [bold]. One does. Often}" in asked.to_latex()


def test_json_says_the_type_of_every_column_and_what_json_lacks() -> None:
    frame = pl.DataFrame(
        {
            "text": ["a\x1b\x9b\n", None],
            "flag": [True, None],
            "nothing": [None, None],
            "whole": pl.Series([2**64 - 1, None], dtype=pl.UInt64),
            "small": pl.Series([-128, 127], dtype=pl.Int8),
            "single": pl.Series([-math.inf, 1.5], dtype=pl.Float32),
            "double": [1e308, math.nan],
        }
    )
    report = Report("", (Table("", frame, {"absent": "p"}, keys=99),), frame)
    content = json.loads(report.to_json())
    assert [list(row.values()) for row in content["results"]] == [
        ["a\x1b\x9b\n", True, None, 2**64 - 1, -128, "-inf", 1e308],
        [None, None, None, None, 127, 1.5, None],
    ]
    types = ["String", "Boolean", "Null", "UInt64", "Int8", "Float32", "Float64"]
    assert list(content["types"].values()) == types
    (table,) = content["tables"]
    assert (table["rows"], table["types"]) == (content["results"], content["types"])
    assert (table["formats"], table["keys"]) == ({}, frame.width)
    empty = json.loads(Report("", (Table("", pl.DataFrame()),), pl.DataFrame()).to_json())
    assert empty["results"] == []


def test_names_like_formulas_come_back_as_they_are() -> None:
    names = ["=1+1", "=cmd|' /C calc'!A0", "+x", "-abc", "@SUM(1)", "\t=1", "'=1"]
    frame = pl.DataFrame({"system": names, "mean": [-0.5] * len(names)})
    read = pd.read_csv(io.StringIO(Report("", (Table("", frame),), frame).to_csv()))
    assert read["system"].tolist() == names
    assert read["mean"].tolist() == [-0.5] * len(names)
