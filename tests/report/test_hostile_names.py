"""Names are data: whatever systems, topics, documents and measures are called, every report shows it.

Every format is read by a strict reader, which finds the texts of the report and nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.cells import cell_len

import irpref
from irpref import AP, IPSO, RPP, PairTest, TieRR
from irpref.api.evaluation import evaluation_report
from irpref.base.escape import escaped
from irpref.report.markup import clean_csv, clean_latex
from irpref.report.report import Report
from irpref.report.terminal import in_encoding
from tests.html import assert_well_formed
from tests.report.test_markup import typeset

HOSTILE = [
    "\x1b[2J\x1b]0;owned\x07",
    "\x9b31m",
    "a\n\\input{/etc/passwd}",
    "a\r% b",
    "\u2028\\input{x}",
    "evil\u202egnp.exe",
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    "@user me@here.org",
    "owner/name#1 GH-1",
    "-1.5",
    "<script>alert(1)</script>",
    "<!-- a",
    "&amp;&#27;",
    "![a](http://b/c.png)",
    "[a](javascript:b)",
    "`code` ``",
    "| a | b |",
    "**bold** __x__ ~~y~~",
    "# head",
    "[red]run[/red]",
    "\\\\[1cm] & \\hline",
    "$x$ ^^M {",
    "* star",
    "a,b\"c\"'d'",
    "文書:smile:",
    "x" * 70,
    " padded ",
    "mean",
    "system",
    "topic",
    "rank",
    "level",
]
CHARACTERS = st.characters(categories=None, exclude_categories=["Cs"])
NAMES = st.sampled_from(HOSTILE) | st.text(CHARACTERS, min_size=1, max_size=12)
# What acts on a terminal, but for the ends of lines.
ACTING = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)


@st.composite
def collections(draw: st.DrawFn) -> irpref.Collection:
    """Three systems on two topics with four documents, all of them called anything."""
    systems = draw(st.lists(NAMES, min_size=3, max_size=3, unique=True))
    topics = draw(st.lists(NAMES, min_size=2, max_size=2, unique=True))
    documents = draw(st.lists(NAMES, min_size=4, max_size=4, unique=True))
    grades = [2, 1, 1, 0]
    qrels = {topic: dict(zip(documents, grades, strict=True)) for topic in topics}
    orders = draw(st.tuples(*(st.permutations(range(4)) for _ in range(6))))
    scores = iter(orders)
    runs = {
        system: {topic: dict(zip(documents, next(scores), strict=True)) for topic in topics}
        for system in systems
    }
    return irpref.collect(qrels, runs)


def reports(data: irpref.Collection) -> Iterator[Report]:
    """A report of every kind."""
    first, second, _ = data.systems
    everyone = data.compare([RPP, IPSO @ 2, AP])
    pair = data.select(systems=[first, second]).compare()
    yield everyone.report()
    yield everyone.report(test=PairTest(method="sign", rng=7, n_resamples=20))
    yield everyone.report(baseline=first, test="t")
    yield everyone.report(per_topic=True)
    yield everyone.report(per_topic=True, baseline=second)
    yield pair.report()
    names = {topic: f"text of {topic}" for topic in data.topics}
    documents = {name: f"text of {name}" for name in data.judgments["document"]}
    yield everyone.explain(data.topics[0], first, second, topics=names, docs=documents).report
    yield everyone.verdict(first, second)
    yield everyone.report(test=False)
    yield pair.report(test=False)
    yield data.report
    yield evaluation_report(data.placements, [AP, TieRR])
    yield evaluation_report(data.placements, [AP, TieRR], per_topic=True)
    yield evaluation_report(data.placements, [AP], ties=True)
    yield data.corroborate(first, [second], measure=AP @ 2).report


def said_by(report: Report) -> list[str]:
    """What people read first."""
    return list(map(escaped, report.answer or (report.title,)))


def check_text(report: Report) -> None:
    for width, encoding in ((None, None), (40, None), (80, "ascii")):
        text = report.to_text(width, encoding=encoding)
        assert not ACTING.search(text)
        text.encode(encoding or "utf-8")
        said = text.partition("\n\n")[0]
        if width is not None:
            assert max(map(cell_len, said.splitlines())) <= width
        if encoding is None:
            # A word that is wider than the screen goes over several lines.
            assert "".join(said.split()) == "".join("".join(said_by(report)).split())
        if width is not None and report.next_step:
            # In one line, however long: people copy it.
            step = in_encoding(escaped(report.next_step), encoding)
            assert text.endswith(f"\n\n{step}\n")
    text = report.to_text()
    for table in report.tables:
        for row in table.cells():
            # Every row is one line, which has its cells in their order.
            assert any(
                re.search(r"\s+".join(map(re.escape, filter(None, map(str.strip, row)))), line)
                for line in text.splitlines()
            )


def check_csv(report: Report) -> None:
    text = report.to_csv()
    assert not ACTING.search(text.replace("\t", ""))
    headings, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert headings == [clean_csv(name) for name in report.rows.columns]
    for row, wanted in zip(rows, report.rows.iter_rows(), strict=True):
        for cell, value in zip(row, wanted, strict=True):
            if isinstance(value, str):
                assert cell == clean_csv(value)


def check_json(report: Report) -> None:
    text = report.to_json()
    assert not ACTING.search(text)
    content = json.loads(text)
    for row, wanted in zip(content["results"], report.rows.iter_rows(named=True), strict=True):
        texts = {name: value for name, value in wanted.items() if isinstance(value, str)}
        assert {name: row[name] for name in texts} == texts
    assert content.get("answer", []) == list(report.answer)


def check_html(report: Report) -> None:
    text = report.to_html()
    assert not ACTING.search(text)
    parsed = assert_well_formed(text)
    known = {
        "p",
        "strong",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "sup",
        "small",
        "code",
    }
    assert set(parsed.seen) <= known
    cells = [cell for table in report.tables for row in table.cells() for cell in row]
    assert parsed.seen.count("td") == len(cells)
    headline, *more = said_by(report)
    assert [each.text for each in parsed.all("strong")] == [headline]
    # The first paragraph is around the headline, and those at the end around the signatures.
    notes = [*map(escaped, report.remarks), *filter(None, [escaped(report.next_step)])]
    signed = [""] * len(report.signature_lines)
    assert [each.text for each in parsed.all("p")] == ["", *more, *notes, *signed]
    assert all(escaped(line) in parsed.text for line in report.signature_lines)


def check_markdown(report: Report) -> None:
    text = report.to_markdown()
    assert not ACTING.search(text)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    blocks = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert blocks <= {"paragraph", "inline", "table", "thead", "tbody", "tr", "th", "td"}
    inline = [token for token in tokens if token.type == "inline"]
    kinds = {child.type for token in inline for child in token.children or []}
    assert kinds <= {"text", "strong_open", "strong_close", "code_inline"}
    codes = [
        child for token in inline for child in token.children or [] if child.type == "code_inline"
    ]
    paragraphs = [
        token.children or []
        for before, token in pairwise(tokens)
        if before.type == "paragraph_open"
    ]
    said = said_by(report)
    for children, wanted in zip(paragraphs, said, strict=False):
        assert "".join(child.content for child in children).split() == wanted.split()
    # The whole headline is bold, and nothing else.
    first, *_, last = [
        child.type for child in paragraphs[0] if child.type != "text" or child.content
    ]
    assert (first, last) == ("strong_open", "strong_close")
    assert [child.type for token in inline for child in token.children or []].count(first) == 1
    captions = [table.caption for table in report.tables if table.caption]
    assert len(paragraphs) == len([*said, *captions, *report.remarks, *report.signature_lines])
    signed = [code.content for code in codes[len(codes) - len(report.signature_lines) :]]
    assert signed == list(map(escaped, report.signature_lines))
    cells = iter(list(cells_of(tokens)))
    for table in report.tables:
        for row in ([escaped(name) for name in table.frame.columns], *table.cells()):
            for cell in row:
                assert next(cells).split() == cell.split()
    assert next(cells, None) is None


def cells_of(tokens: list[Token]) -> Iterator[str]:
    for before, token in pairwise(tokens):
        if before.type in ("th_open", "td_open"):
            yield "".join(child.content for child in token.children or [])


def check_latex(report: Report) -> None:
    text = report.to_latex()
    assert not ACTING.search(text)
    lines = text.splitlines()
    comments = [line for line in lines if line.startswith("%")]
    assert comments == [f"% {escaped(line)}" for line in report.signature_lines]
    latex = "\n".join(line for line in lines if not line.startswith("%"))
    commands = set(re.findall(r"(?<!\\)(?:\\\\)*\\([a-zA-Z]+)", re.sub(r"\\\\\n", "\n", latex)))
    known = {"begin", "end", "caption", "centering", "toprule", "midrule", "bottomrule"}
    known |= {"textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater"}
    known |= {"textdagger", "textdaggerdbl", "dagger", "ddagger", "alpha", "pm", "times", "infty"}
    known |= {"delta", "tau", "Sigma"}
    assert commands <= known
    assert not re.search(r"(?<!\\)[%#]", latex)
    captions = re.findall(r"^\\caption\{(.*)\}$", latex, re.MULTILINE)
    assert len(captions) == len(report.tables)
    for each in said_by(report):
        assert all(clean_latex(each.rstrip(".")) in caption for caption in captions)
    bodies = re.findall(r"\\toprule\n(.*?)\\bottomrule", latex, re.DOTALL)
    for table, body in zip(report.tables, bodies, strict=True):
        rows = [row for row in body.split("\n") if row and row != r"\midrule"]
        headings = [escaped(name) for name in table.frame.columns]
        for row, wanted in zip_longest(rows, [headings, *table.cells(lambda mark: "")]):
            assert not re.match(r" *[\[*]", row)
            cells = re.split(r"(?<!\\) & ", row.removesuffix(r" \\").removeprefix("{}"))
            assert len(cells) == len(wanted)
            for cell, text in zip(cells, wanted, strict=True):
                if not re.search("[†‡α±×∞−]", text):
                    assert typeset(re.sub(r"\$\^.*\$$", "", cell)).split() == text.split()


CHECKS: list[Callable[[Report], None]] = [
    check_text,
    check_csv,
    check_json,
    check_html,
    check_markdown,
    check_latex,
]


@settings(max_examples=4)
@given(collections())
def test_every_report_shows_every_name_in_every_format(data: irpref.Collection) -> None:
    for report in reports(data):
        for check in CHECKS:
            check(report)


# In twos: each is a system, a topic and a document.
@pytest.mark.parametrize(("name", "other"), zip(HOSTILE[::2], [*HOSTILE[1::2], "b"], strict=True))
def test_a_name_is_shown_wherever_it_stands(name: str, other: str) -> None:
    scores = {other: 2.0, name: 1.0, "c": 0.5}
    turned = {other: 1.0, name: 2.0, "c": 0.5}
    topics = [f"{other} ", f"{name} "]
    lists = {name: (scores, scores), other: (turned, turned), "third": (scores, turned)}
    runs = {system: dict(zip(topics, each, strict=True)) for system, each in lists.items()}
    qrels = {topic: {name: 1, other: 1, "d": 0} for topic in topics}
    for report in reports(irpref.collect(qrels, runs)):
        for check in CHECKS:
            check(report)


# A byte that is no UTF-8 is half of a character in Python, and JSON may name any.
HALVES = ["\udcff", "a\ud800", "\udc00\ud800"]
QRELS = {"1": {"d1": 1, "d2": 0}, "2": {"d1": 1}}
RUN = {"1": {"d1": 2.0, "d2": 1.0}, "2": {"d2": 2.0, "d1": 1.0}}


def frame(**columns: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(of, dtype=object) for name, of in columns.items()})


def named(name: str) -> Callable[[Any, Any], float]:
    def function(first: Any, second: Any) -> float:
        return 0.0

    function.__name__ = name
    return function


def scores(**columns: list[Any]) -> pd.DataFrame:
    return frame(**{"system": ["a", "b"], "topic": ["1", "1"], "value": [1, 2], **columns})


def compared(by: Any) -> irpref.Comparison:
    return irpref.compare(QRELS, {"a": RUN, "b": RUN}, by)


GIVEN: dict[str, Callable[[str], Any]] = {
    "topic of qrels": lambda half: irpref.collect({half: {"d1": 1}}, {"a": RUN}),
    "document of qrels": lambda half: irpref.collect({"1": {half: 1}}, {"a": RUN}),
    "topic of a run": lambda half: irpref.collect(QRELS, {"a": {half: {"d1": 1.0}}}),
    "document of a run": lambda half: irpref.collect(QRELS, {"a": {"1": {half: 1.0}}}),
    "frame": lambda half: irpref.collect(QRELS, {"a": frame(qid=[half], docno=["d"], score=[1])}),
    "name of a run": lambda half: irpref.collect(QRELS, {half: RUN}),
    "systems in a frame": lambda half: irpref.collect(
        QRELS, frame(system=["a", half], qid=["1", "1"], docno=["d1", "d1"], score=[1, 2])
    ),
    "task": lambda half: irpref.compare_tasks({half: (QRELS, {"a": RUN, "b": RUN})}),
    "function": lambda half: compared(named(half)),
    "judge": lambda half: compared({half: scores()}),
    "topic of a judge": lambda half: compared({"judge": scores(topic=["1", half])}),
    "system of a judge": lambda half: compared({"judge": scores(system=["a", half])}),
    "path": lambda half: irpref.collect(QRELS, [f"no {half}.txt"]),
}


@pytest.mark.parametrize("half", HALVES, ids=ascii)
@pytest.mark.parametrize("give", GIVEN.values(), ids=GIVEN)
def test_half_of_a_character_in_a_name_is_refused_in_a_line(
    give: Callable[[str], Any], half: str
) -> None:
    said = "half of a character|names no system|no such file|cannot be read"
    with pytest.raises(ValueError, match=said) as raised:
        give(half)
    assert not isinstance(raised.value, UnicodeError)
    assert "\n" not in str(raised.value)
    str(raised.value).encode()


def test_half_of_a_character_in_a_text_is_shown() -> None:
    runs = {"a": RUN, "b": {"1": RUN["2"], "2": RUN["1"]}}
    texts: Any = {"topics": {"1": "half \ud800"}, "docs": {"d1": "\udcff of"}}
    comparison = irpref.collect(QRELS, runs, lists=2).compare()
    report = comparison.explain("1", "a", "b", **texts).report
    assert r"half \ud800" in report.to_text()
    assert r"\udcff of" in report.to_text()
    for check in CHECKS:
        check(report)
    comparison.to_html(**texts).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
def test_files_whose_names_are_no_utf8_have_different_names(tmp_path: Path) -> None:
    for number, name in enumerate([b"caf\xe9.txt", b"caf\xe8.txt"]):
        path = os.path.join(os.fsencode(tmp_path), name)
        with open(path, "wb") as file:
            file.write(f"1 Q0 d1 1 {number}.5 x\n1 Q0 d2 2 1 x\n".encode())
    data = irpref.collect(QRELS, sorted(tmp_path.iterdir()))
    assert data.systems == (r"caf\xe8", r"caf\xe9")
    for report in (data.report, data.compare().report(), data.compare().report(per_topic=True)):
        for check in CHECKS:
            check(report)
    summary = data.compare("RPP").summary
    path = tmp_path / os.fsdecode(b"\xff.npz")
    summary.save(path)
    assert irpref.Summary.load(path).systems == data.systems
    assert pickle.loads(pickle.dumps(summary)).systems == data.systems
