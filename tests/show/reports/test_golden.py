"""What reports of the demo collection say: the files of ``golden/``.

The words of every report are there once, as a terminal shows them; its values and their structure once, of
its JSON, a row a line; and one report stands in every format.

Where a change is meant, ``pytest tests/show/reports/test_golden.py --update-golden`` writes the files
anew, and ``git diff tests/show/reports/golden`` shows what a user will see of it. In the files the
version is ``VERSION``. The last digits of numbers written out in full may differ, as they do between
releases of numpy and scipy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import irpref
from irpref import AP, RR, TieRR, demo_paths, nDCG
from irpref.api.evaluation import evaluation_report
from irpref.report.report import Report, joined
from tests.html import assert_well_formed

GOLDEN = Path(__file__).parent / "golden"
QRELS, RUNS = demo_paths()
WIDTH = 80
RUNS_OF_PAIR = ["bm25-prf", "bm25"]
TASKS = ("flowers", "vegetables", "fruit trees")


def values_of(report: Report) -> str:
    """What the JSON of a report has besides sentences: a line for each row, and for each other part."""
    content = json.loads(report.to_json(), parse_constant=pytest.fail)
    parts = {name: content[name] for name in ("results", "types", "facts", "signatures")}
    for number, table in enumerate(content["tables"]):
        parts[f"rows of table {number}"] = table.pop("rows")
        parts[f"table {number}"] = {name: of for name, of in table.items() if name != "caption"}
    lines = [
        f"{name}: {json.dumps(entry, ensure_ascii=False)}\n"
        for name, part in parts.items()
        for entry in (part if isinstance(part, list) else [part])
    ]
    return "".join(lines)


FORMATS: dict[str, Callable[[Report], str]] = {
    "80.txt": lambda report: report.to_text(WIDTH),
    "txt": Report.to_text,
    "tex": Report.to_latex,
    "md": Report.to_markdown,
    "html": Report.to_html,
    "csv": Report.to_csv,
    "json": Report.to_json,
}
NAMES = (
    *("leaderboard", "baseline", "pair", "per_topic", "explanation"),
    *("collection", "evaluation", "ties", "corroboration"),
    *("tasks", "tasks_pair"),
)


GOLDENS = {
    **{f"{name}.80.txt": (name, FORMATS["80.txt"]) for name in NAMES},
    **{f"{name}.values": (name, values_of) for name in NAMES},
    **{f"baseline.{form}": ("baseline", write) for form, write in FORMATS.items()},
}
"""By file, the report and what writes it."""


@cache
def reports() -> dict[str, Report]:
    data = irpref.collect(QRELS, RUNS)
    everyone, pair = data.compare(), data.select(systems=RUNS_OF_PAIR).compare()
    corroboration = data.corroborate("bm25", ["bm25-prf", "tfidf"], measure=AP @ 10)
    tasks = irpref.compare_tasks(
        {name: data.select(topics=data.topics[n::3]) for n, name in enumerate(TASKS)}
    )
    two_on_tasks = irpref.compare_tasks(
        {
            name: data.select(topics=data.topics[n::3], systems=RUNS_OF_PAIR)
            for n, name in enumerate(TASKS)
        }
    )
    found = (
        everyone.report(test="fit"),
        everyone.report(baseline="bm25", test="fit"),
        pair.report(),
        pair.report(per_topic=True),
        everyone.explain("6", "bm25", "tfidf").report,
        data.report,
        evaluation_report(data.placements, [AP, nDCG @ 10, TieRR]),
        evaluation_report(data.placements, [AP, RR @ 5], ties=True),
        corroboration.report,
        tasks.report(test="fit"),
        two_on_tasks.report(test="fit", resample="topics"),
    )
    return dict(zip(NAMES, found, strict=True))


def text_of(name: str, write: Callable[[Report], str]) -> str:
    """The report, with a word for the version."""
    text = write(reports()[name])
    return text.replace(f"irpref:{irpref.__version__}", "irpref:VERSION")


def without_last_digits(text: str) -> str:
    """The same text, numbers that are written out in full with 9 digits, and noise as 0."""

    def rounded(found: re.Match[str]) -> str:
        number = float(found[0])
        return f"{0 if abs(number) < 1e-12 else number:.9g}"

    return re.sub(r"-?\b\d+\.\d{7,}(?:e[-+]?\d+)?\b|-?\b\d+(?:\.\d+)?e[-+]?\d+\b", rounded, text)


@pytest.mark.parametrize("file", GOLDENS)
def test_a_report_is_what_its_file_holds(file: str, request: pytest.FixtureRequest) -> None:
    path, text = GOLDEN / file, text_of(*GOLDENS[file])
    if request.config.getoption("--update-golden"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    assert without_last_digits(text) == without_last_digits(path.read_bytes().decode())


def test_there_is_a_file_for_every_report_and_no_other() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(GOLDENS)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_fits_the_terminal_and_no_file_knows_this_machine(name: str) -> None:
    text = text_of(name, FORMATS["80.txt"])
    assert max(len(line) for line in text.splitlines() if "|irpref:" not in line) <= WIDTH
    for form, write in FORMATS.items():
        text = text_of(name, write)
        assert str(QRELS.parent) not in text
        assert str(Path.home()) not in text
        assert not any(line != line.rstrip() for line in text.splitlines() if form != "tex"), form


@pytest.mark.parametrize("name", NAMES)
def test_html_is_well_formed_and_has_every_cell(name: str) -> None:
    report = reports()[name]
    parsed = assert_well_formed(report.to_html())
    assert parsed.seen.count("table") == len(report.tables)
    cells = sum(table.frame.height * table.frame.width for table in report.tables)
    assert parsed.seen.count("td") == cells


@pytest.mark.parametrize("name", NAMES)
def test_markdown_has_as_many_cells_in_every_row(name: str) -> None:
    report = reports()[name]
    rows = [line for line in report.to_markdown().splitlines() if line.startswith("|")]
    cells = [len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows]
    wanted = [table.frame.width for table in report.tables for _ in range(table.frame.height + 2)]
    assert cells == wanted


@pytest.mark.parametrize("name", NAMES)
def test_latex_is_well_formed_and_has_as_many_cells_in_every_row(name: str) -> None:
    report = reports()[name]
    lines = report.to_latex().splitlines()
    comments = [line for line in lines if line.startswith("%")]
    assert comments == [f"% {line}" for line in report.signature_lines]
    latex = "\n".join(line for line in lines if not line.startswith("%"))
    assert not re.search(r"(?<!\\)[%#]", latex)
    plain = re.sub(r"\\[{}]", "", latex)
    depth = 0
    for bracket in re.findall(r"[{}]", plain):
        depth += 1 if bracket == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"(?<!\\)\$", latex)) % 2 == 0
    opened: list[str] = []
    for begins, environment in re.findall(r"\\(begin|end)\{(\w+)\}", latex):
        if begins == "begin":
            opened.append(environment)
        else:
            assert opened.pop() == environment
    assert opened == []
    # Outside of mathematics the characters that LaTeX reads in its own way are escaped.
    outside = re.sub(r"(?<!\\)\$[^$]*(?<!\\)\$", "", latex)
    assert not re.search(r"(?<!\\)[_^]", outside)
    bodies = re.findall(r"\\toprule\n(.*?)\\bottomrule", latex, re.DOTALL)
    assert len(bodies) == len(report.tables)
    for table, body in zip(report.tables, bodies, strict=True):
        rows = [row for row in body.split("\n") if row and not row.startswith(r"\midrule")]
        assert len(rows) == table.frame.height + 1
        for row in rows:
            assert row.endswith(r" \\")
            assert len(re.findall(r"(?<!\\)&", row)) == table.frame.width - 1


@pytest.mark.parametrize("name", NAMES)
def test_json_has_what_the_text_says(name: str) -> None:
    report = reports()[name]
    written = json.loads(report.to_json(), parse_constant=pytest.fail)
    said = " ".join(report.to_text().split())
    told = written.get("answer", [written["title"]])
    for sentence in (*told, *written["remarks"], joined(written["signatures"])):
        assert " ".join(sentence.split()) in said
    rows = [row for table in written["tables"] for row in table["rows"]]
    assert all(isinstance(row, dict) for row in [*rows, *written["results"]])
