"""Whole pages: they load nothing, run nothing but their own scripts, and show every text as it is."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markupsafe import Markup

import irpref
from irpref import demo_paths
from irpref.base.escape import escaped
from irpref.base.wording import Words
from irpref.cli.main import main
from irpref.report.html.document import document, filled, scripts
from irpref.report.report import Report, render
from irpref.report.table import Table
from tests.html import Balance, assert_well_formed

QRELS, RUNS = demo_paths()
TEXTS = st.text(st.characters(categories=None), max_size=12) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</script>",
        "</title><script>",
        "</style>",
        "<!-- a",
        "a --> b",
        '"><img src=x onerror=alert(1)>',
        "' onclick='x",
        "&amp;&#27;",
        "{{ title }}{% raw %}",
        "\u2028\u2029",
        "\ud800",
        "文書",
    ]
)
EMPTY = Markup("")


def policy_of(page: Balance) -> dict[str, list[str]]:
    (text,) = [
        each.attributes["content"] or ""
        for each in page.all("meta")
        if each.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    directives = [directive.split() for directive in text.split(";")]
    return {name: sources for name, *sources in directives}


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def running(page: Balance) -> list[str]:
    """The texts of the scripts that a browser runs."""
    return [each.text for each in page.all("script") if "type" not in each.attributes]


def assert_safe(page: Balance) -> None:
    """Nothing runs and nothing styles but what the policy names; nothing is loaded."""
    policy = policy_of(page)
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == ["'none'"]
    assert policy["script-src"] == [*map(hash_of, running(page))] or (
        policy["script-src"] == ["'none'"] and not running(page)
    )
    assert policy["style-src"] == [hash_of(each.text) for each in page.all("style")]
    for element in page.elements:
        assert {"src", "href", "style", "srcset", "data", "action"}.isdisjoint(element.attributes)
        assert not any(name.startswith("on") for name in element.attributes)
    assert {"link", "iframe", "object", "embed", "base", "form", "img"}.isdisjoint(page.seen)


def report_of(
    title: str, caption: str, cell: str, mark: str, note: str, signature: str, *said: str
) -> Report:
    """A report of one table; the cell is no half of a character, which a frame cannot hold.

    What is said more is its answer, and what to type next.
    """
    rows = pl.DataFrame({"system": [cell, "b"], "mean": [0.5, None]})
    table = Table(caption, rows, {"mean": "+.3f"}, {"mean": [mark, ""]})
    return Report(
        title=title,
        tables=(table,),
        rows=rows,
        answer=said[:-1],
        remarks=(note,),
        signatures=(signature,),
        next_step="".join(said[-1:]),
    )


@settings(max_examples=50)
@given(st.lists(TEXTS, min_size=9, max_size=9))
@example(["<script>alert(1)</script>"] * 9)
@example(["</title>"] * 9)
def test_every_text_of_a_report_is_shown_and_does_nothing(texts: list[str]) -> None:
    texts[2] = texts[2].encode(errors="replace").decode()
    report = report_of(*texts)
    page = assert_well_formed(render(report, "html"))
    assert_safe(page)
    known = "html head meta title style body main h1 div table caption thead tbody tr th td sup p"
    assert set(page.seen) <= {*known.split(), "details", "summary", "small", "code"}
    title, caption, cell, mark, note, signature, headline, more, step = map(escaped, texts)
    (named,), (heading,) = page.all("title"), page.all("h1")
    assert (named.text, heading.text) == (title, headline)
    assert [each.text for each in page.all("caption")] == [caption] * bool(caption)
    assert [each.text for each in page.all("td")] == [cell, "+0.500", "b", ""]
    assert [each.text for each in page.all("sup")] == [mark] * bool(mark)
    # The last one is around the signature.
    assert [each.text for each in page.all("p")] == [more, note, ""]
    assert [each.text for each in page.all("code")] == [signature]
    (box,) = page.all("div")
    assert box.attributes["aria-label"] == (caption or title)
    fragment = assert_well_formed(report.to_html())
    assert set(fragment.seen) <= {*known.split(), "strong", "small", "code"} - {"h1", "div"}
    assert [each.text for each in fragment.all("strong")] == [headline]
    steps = [step] if step else []
    assert [each.text for each in fragment.all("p")] == ["", more, note, *steps, ""]
    assert not any(element.attributes.keys() - {"class", "scope"} for element in fragment.elements)
    # Where nothing is answered, the title is the heading.
    (heading,) = assert_well_formed(render(replace(report, answer=()), "html")).all("h1")
    assert heading.text == title


@given(st.dictionaries(TEXTS, TEXTS, max_size=3), TEXTS)
def test_values_come_to_the_scripts_as_they_are(texts: dict[str, str], key: str) -> None:
    value = {"texts": [*texts.items()], "number": 0.1, "none": None}
    made = document(EMPTY, title="", data={f"a{key}": value}, packed={f"b{key}": "QUJD+/=="})
    page = assert_well_formed(made)
    assert_safe(page)
    data, packed = page.all("script")
    assert (data.attributes["type"], packed.attributes["type"]) == (
        "application/json",
        "application/octet-stream",
    )
    assert json.loads(data.text) == json.loads(json.dumps(value))
    assert data.text.isascii()
    assert packed.text == "QUJD+/=="
    assert not re.search("[<>&]", data.text)


def test_ids_are_those_of_the_data() -> None:
    made = document(EMPTY, title="", data={"facts": 1}, packed={'0/"><b>': "QQ=="})
    first, second = assert_well_formed(made).all("script")
    assert first.attributes["id"] == "facts"
    assert second.attributes["id"] == 'part:0/"><b>'


def test_what_is_packed_cannot_end_its_element() -> None:
    page = assert_well_formed(document(EMPTY, title="", packed={"a": "</script><script>x()"}))
    assert page.seen.count("script") == 1
    assert_safe(page)


def test_json_has_no_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        document(EMPTY, title="", data={"facts": [float("nan")]})


def test_the_policy_names_the_scripts_and_styles_by_their_hashes() -> None:
    texts = ["const a = '<b>&amp;';\n", "\n  void 0; // 文\n", scripts()]
    page = assert_well_formed(document(EMPTY, title="", running=texts))
    assert running(page) == texts
    assert policy_of(page)["script-src"] == [hash_of(text) for text in texts]
    assert_safe(page)
    without = assert_well_formed(document(EMPTY, title=""))
    assert policy_of(without)["script-src"] == ["'none'"]
    assert "unsafe" not in document(EMPTY, title="", running=texts).partition("</head>")[0]


# A browser makes other characters of the last two, so that the text would not have its hash.
@pytest.mark.parametrize("ending", ["</script", "</style", "<!--", "<script", "\r", "\0"])
def test_no_script_and_no_style_ends_its_element(ending: str) -> None:
    style = files("irpref.report.html").joinpath("style.css").read_bytes().decode()
    assert ending not in scripts().lower()
    assert ending not in style.lower()


def test_text_that_is_no_markup_is_escaped() -> None:
    # The type says Markup; whoever forgets it shows tags, and runs none.
    page = assert_well_formed(document("<b>x</b>", title=""))  # type: ignore[arg-type]
    assert "b" not in page.seen
    assert "<b>x</b>" in page.text


def test_a_page_says_first_what_its_characters_are() -> None:
    text = render(report_of("é" * 2000, "", "a", "", "", ""), "html")
    assert text.startswith('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n')
    page = assert_well_formed(text)
    assert [each.attributes.get("name") for each in page.all("meta")][2:] == [
        "viewport",
        "color-scheme",
    ]
    seen = page.seen
    # The policy holds from where it stands.
    assert seen.index("style") > seen.index("meta") + 1
    assert "maximum-scale" not in text


def test_numbers_stand_at_the_right() -> None:
    page = assert_well_formed(render(report_of("t", "", "a", "†", "", ""), "html"))
    cells = [*page.all("th"), *page.all("td")]
    assert [each.attributes.get("class") for each in cells] == [None, "number"] * 3
    assert [each.attributes.get("scope") for each in page.all("th")] == ["col", "col"]


def test_a_fragment_and_a_page_say_the_same() -> None:
    report = irpref.compare(QRELS, RUNS).report(baseline="bm25", test="fit")
    report = replace(report, tables=tuple(replace(each, bars=None) for each in report.tables))
    whole = assert_well_formed(filled("report", report=report, whole=True).strip())
    fragment = assert_well_formed(report.to_html(notes=True))
    assert {"html", "h1", "div"}.isdisjoint(fragment.seen)
    # A page is not read at the prompt.
    assert report.next_step.startswith("Why?  comparison.verdict(")
    assert report.next_step not in whole.text
    assert fragment.text.count(report.next_step) == 1
    folds = whole.text.replace("How this was made", "").replace("Notes", "")
    said = folds, fragment.text.replace(report.next_step, "")
    assert said[0].split() == said[1].split()
    assert [each.text for each in whole.all("h1")] == [report.answer[0]]
    assert whole.seen.count("div") == len(report.tables)
    # Markup would escape what is added to it.
    assert type(report.to_html()) is str
    assert type(render(report, "html")) is str


COMMANDS = {
    "evaluate": ["evaluate", str(QRELS), *map(str, RUNS), "-m", "RR", "-m", "AP"],
    "explain": ["explain", str(QRELS), *map(str, RUNS[:2]), "--topic", "6"],
    "per topic": ["compare", str(QRELS), *map(str, RUNS[:2]), "--per-topic"],
    "list": ["list"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_writes_a_page_without_addresses_and_scripts(name: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert main([*COMMANDS[name], "-o", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    page = assert_well_formed(text)
    assert_safe(page)
    assert running(page) == []
    assert not re.search("https?:|//www|url\\(|@import", text)


def test_the_parts_of_an_interactive_page_load_nothing() -> None:
    explorer = filled("explorer", say=Words())
    assert not re.search("https?:|url\\(|@import", scripts() + explorer)
    assert not re.search(r"\beval\b|\bnew Function\b|\.innerHTML|outerHTML", scripts())
    page = assert_well_formed(document(explorer, title="", running=[scripts()]))
    assert_safe(page)
    ids = [each.attributes["id"] for each in page.elements if "id" in each.attributes]
    assert len(ids) == len(set(ids))
