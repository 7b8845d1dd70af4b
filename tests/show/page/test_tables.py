"""The tables of a page in a real browser: copied, filtered, searched, they hold what the library says."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import irpref
from irpref import ASL, IPSO, LP, RPP, demo_paths, nDCG
from tests.browser import Browser, Opened
from tests.random_cases import Case, make_case
from tests.show.page.test_browser import cells_of, ranked, show, shown

COMPARED = [RPP, LP, IPSO @ 3]
TOOLS = "[role=group][aria-label=Topics]"
PRESSED = f"{TOOLS} [aria-pressed=true]"


@pytest.fixture(scope="module")
def case() -> Case:
    """Long tables of topics and of systems."""
    return make_case(7, topics=48, systems=32, documents=12)


@pytest.fixture(scope="module")
def data(case: Case) -> irpref.Collection:
    return irpref.collect(case.qrels, case.runs, lists=6)


@pytest.fixture(scope="module")
def comparison(data: irpref.Collection) -> irpref.Comparison:
    return data.compare(COMPARED)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, comparison: irpref.Comparison) -> Path:
    path = tmp_path_factory.mktemp("tables") / "long.html"
    queries = {topic: f"query {topic}" for topic in comparison.topics}
    comparison.to_html(path, test=False, topics=queries, docs=TEXTS)
    return path


WORDS = ("red", "green", "blue", "white")
TEXTS = {
    f"d{number}": f"{WORDS[number % 4]} {WORDS[number % 3]} house {number}" for number in range(12)
}


@pytest.fixture
def opened(browser: Browser, page: Path) -> Iterator[Opened]:
    with browser.opened(page) as found:
        found.page.wait_for_selector("html[data-shown]", state="attached")
        yield found
        assert found.complaints == []
        assert found.requests == []


def copied(opened: Opened, table: str, button: str) -> str:
    """What a button of the menu copies."""
    page = opened.page
    page.evaluate("navigator.clipboard.writeText('')")
    page.evaluate("document.querySelector('#menu').open = true")
    page.click(f"#menu [role=group][aria-label^='{table}'] >> text={button}")
    opened.until("navigator.clipboard.readText()")
    text: str = page.evaluate("navigator.clipboard.readText()")
    page.keyboard.press("Escape")
    return text


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def topics_shown(opened: Opened) -> list[str]:
    return [row[0] for row in cells_of(opened.page, "#topics")]


def search(opened: Opened, text: str) -> None:
    """Search the topics, and wait until that is done."""
    opened.page.evaluate("document.querySelector('#status').textContent = ''")
    opened.page.fill(f"{TOOLS} input[type=search]", text)
    opened.until("document.querySelector('#status').textContent !== ''")


def count_said(opened: Opened) -> str:
    said: str = opened.page.inner_text(f"{TOOLS} .count")
    return said


def open_menu(opened: Opened) -> None:
    """Open the menu, or close it; a browser fills it a moment later."""
    opened.page.click("#menu summary")
    opened.until(
        "document.querySelector('#menu').open === !!document.querySelector('#menu [role=group]')"
    )


def test_one_menu_copies_every_table_of_the_page(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    page, systems = opened.page, ranked(comparison)
    show(opened, comparison, 0, 3)
    assert page.locator("button:visible", has_text=re.compile("^(Copy|Save)")).count() == 0
    open_menu(opened)
    headings = page.locator("#menu [role=group] p").all_inner_texts()
    assert [each.rsplit(" ", 2)[0] for each in headings] == [
        *("Systems", "The profile in numbers", "Preferences and outcomes", "Topics")
    ]
    rows = rows_of(copied(opened, "Topics", "Copy CSV"))
    assert rows[0] == ["topic", "query", *map(str, comparison.preferences), "relevant"]
    values = comparison.per_topic(RPP, systems[0], systems[3])
    assert [row[2] for row in rows[1:]] == [shown(value) for value in values]
    latex = copied(opened, "Topics", "Copy LaTeX")
    assert latex.count(r"\\") == len(rows)
    assert r"\toprule" in latex
    assert f"% {comparison.signature(RPP)}" in latex
    open_menu(opened)
    with page.expect_download() as download:
        page.click("#menu [role=group][aria-label^=Topics] >> text=Save CSV")
    assert rows_of(Path(download.value.path()).read_text(encoding="utf-8")) == rows
    assert page.inner_text("#menu > div > p") == f"Saved {systems[0]}-{systems[3]}-topics.csv."


def test_the_menu_has_the_tables_of_the_pair_that_is_shown(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    page, systems = opened.page, ranked(comparison)
    show(opened, comparison, 0, 3)
    open_menu(opened)
    show(opened, comparison, 1, 2)
    assert page.locator("#menu [role=group]").count() == 4
    values = [
        shown(value) for value in comparison.per_topic(RPP, systems[1], systems[2]) if value > 0
    ]
    page.click(f"{TOOLS} .first-words")
    rows = rows_of(copied(opened, "Topics", "Copy CSV"))
    assert [row[2] for row in rows[1:]] == values
    open_menu(opened)
    said = f"Topics {len(values)} of {len(comparison.topics)} found"
    assert page.inner_text("#menu [role=group][aria-label^=Topics] p") == said
    page.click("text=Copy link to this view")
    opened.until(
        "navigator.clipboard.readText().then(text => text === location.href.split('/').pop())"
    )


def test_the_menu_is_left_by_escape_and_by_a_click_elsewhere(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    page, is_open = opened.page, "document.querySelector('#menu').open"
    show(opened, comparison, 0, 1, 2)
    page.focus("#menu summary")
    page.keyboard.press("Enter")
    opened.until("document.querySelector('#menu button') !== null")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Copy CSV"
    page.keyboard.press("Escape")
    assert not page.evaluate(is_open)
    assert page.evaluate("document.activeElement.textContent") == "Copy or save"
    # The topic is still there.
    assert page.is_visible("#topic")
    open_menu(opened)
    assert page.evaluate(is_open)
    page.click("h1")
    assert not page.evaluate(is_open)


def test_the_report_is_copied_with_its_test_and_without_marks(
    browser: Browser, tmp_path: Path
) -> None:
    comparison = irpref.compare(*demo_paths())
    test = irpref.PairTest(method="t", correction="bh", alpha=0.5)
    report = comparison.report(baseline="first-sentence", test=test)
    comparison.to_html(tmp_path / "tested.html", baseline="first-sentence", test=test)
    with browser.opened(tmp_path / "tested.html") as opened:
        latex = copied(opened, "Systems", "Copy LaTeX")
        assert [line[2:] for line in latex.splitlines() if line[0] == "%"] == [*report.signatures]
        assert "correction:bh" in latex
        assert "†" in opened.page.inner_text("#leaderboard tbody")
        head, *rows = rows_of(copied(opened, "Systems", "Copy CSV"))
        # The bars are pictures.
        assert len(head) == opened.page.locator("#leaderboard th:not(.picture)").count()
        assert opened.page.locator("#leaderboard th.picture button").count() == 0
        assert {row[0] for row in rows} == set(comparison.systems) - {"first-sentence"}
        for row in rows:
            assert all(math.isfinite(float(text)) for text in row[1:] if " to " not in text)


def test_tables_are_sorted_and_searched(opened: Opened, comparison: irpref.Comparison) -> None:
    page, all_topics = opened.page, len(comparison.topics)
    show(opened, comparison, 0, 6)
    page.click("#topics-place .rest button")
    page.click("#topics th button:has-text('RPP')")
    values = [float(row[2]) for row in cells_of(page, "#topics")]
    assert values == sorted(values, reverse=True)
    assert len(values) == all_topics
    assert page.get_attribute("#topics th:has(button:has-text('RPP'))", "aria-sort") == "descending"
    page.click("#topics th button:has-text('RPP')")
    assert [float(row[2]) for row in cells_of(page, "#topics")] == sorted(values)
    search(opened, "query t13")
    assert topics_shown(opened) == ["t13"]
    assert count_said(opened) == f"1 of {all_topics} found"
    assert page.inner_text("#status") == f"1 of {all_topics} found."


def test_long_tables_show_their_first_rows(opened: Opened) -> None:
    page = opened.page
    for place, table in (("#leaderboard", "table"), ("#topics-place", "#topics")):
        rows = f"{place} {table} tbody tr"
        rest = page.locator(f"{place} .rest")
        whole = int(re.sub(r".*all ", "", rest.get_by_role("button").inner_text()))
        assert whole > 30
        assert page.locator(rows).count() == 20
        assert rest.inner_text() == f"20 of {whole} shown Show all {whole}"
        first = page.locator(rows).all_inner_texts()
        page.click(f"{place} th button:has-text('LP')")
        assert page.locator(rows).count() == 20
        assert page.locator(rows).all_inner_texts() != first
        rest.get_by_role("button").click()
        assert page.locator(rows).count() == whole
        assert page.inner_text("#status") == f"{whole} of {whole} shown."
        assert rest.inner_text() == f"{whole} of {whole} shown Show the first 20"
        rest.get_by_role("button").click()
        assert page.locator(rows).count() == 20
        assert rest.is_visible()


def test_a_search_finds_rows_that_are_not_shown(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    page, last = opened.page, ranked(comparison)[-1]
    tools = page.locator("[role=group][aria-label=Systems]")
    assert last not in page.locator("#leaderboard tbody button").all_inner_texts()
    tools.get_by_role("searchbox").fill(last)
    assert last in page.locator("#leaderboard tbody button").all_inner_texts()
    assert f"of {len(comparison.systems)} found" in tools.inner_text()
    assert page.locator("#leaderboard .rest").is_hidden()


def scores_page(path: Path, *, topics: int, ahead: float) -> None:
    """A page of two systems, x being ahead of y by ever more from the second topic on."""
    rows = [
        (name, f"{topic}", topic * ahead * (name == "x"))
        for name in ("x", "y")
        for topic in range(topics)
    ]
    scores = pd.DataFrame(rows, columns=["system", "topic", "value"])
    irpref.compare_scores(scores).to_html(path)


def test_of_thousands_of_topics_so_many_are_shown_as_are_quick(
    browser: Browser, tmp_path: Path
) -> None:
    scores_page(tmp_path / "many.html", topics=5_100, ahead=0.1)
    with browser.opened(tmp_path / "many.html") as opened:
        opened.page.wait_for_selector("html[data-shown]", state="attached")
        more = opened.page.locator("#topics-place .rest button")
        for said, rows in (("Show 5,000 more", 20), ("Show all 5,100", 5_020)):
            assert more.inner_text() == said
            assert opened.page.locator("#topics tbody tr").count() == rows
            more.evaluate("button => button.click()")
        assert more.inner_text() == "Show the first 20"


def test_a_closed_topic_leads_back_to_its_row(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    last = len(comparison.topics) - 1
    show(opened, comparison, 0, 1, last)
    assert opened.page.locator(f"#topics [data-topic='{last}']").count() == 0
    opened.page.keyboard.press("Escape")
    focused = opened.page.evaluate("document.activeElement.textContent")
    assert focused == comparison.topics[last]


def test_paper_shows_what_the_screen_does(opened: Opened, comparison: irpref.Comparison) -> None:
    page = opened.page
    page.click(f"{TOOLS} .second-words")
    before = topics_shown(opened)
    page.emulate_media(media="print")
    assert topics_shown(opened) == before
    assert (
        page.locator("#menu, .chips, .rest button, select, input").locator("visible=true").count()
        == 0
    )
    assert page.inner_text("#leaderboard .rest").strip() == f"20 of {len(comparison.systems)} shown"
    assert page.is_visible(f"{TOOLS} .count")
    assert page.evaluate(
        "[...document.querySelectorAll('.box')].every(box => getComputedStyle(box).overflowX === 'visible')"
    )


def test_headings_stay_in_view_while_the_page_scrolls(opened: Opened) -> None:
    page = opened.page
    page.click("#topics-place .rest button")
    page.evaluate("document.querySelector('#topics tbody tr:nth-child(30)').scrollIntoView()")
    top = "document.querySelector('#topics thead th').getBoundingClientRect().top"
    assert page.evaluate(top) == 0
    # No box has a bar of its own.
    assert page.evaluate(
        "[...document.querySelectorAll('.box')].every(box => box.scrollHeight <= box.clientHeight)"
    )
    # Whoever goes back by keys sees where they are.
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
    focused = page.evaluate("document.activeElement.getBoundingClientRect().top")
    assert focused > page.evaluate(top) + 25


def test_only_a_box_that_is_too_narrow_is_scrolled_by_keys(browser: Browser, page: Path) -> None:
    boxes = "[...document.querySelectorAll('.box')].map(box => [box.scrollWidth > box.clientWidth, "
    keys = "box.tabIndex === 0, box.getAttribute('role') === 'region' && box.ariaLabel !== null])"
    with browser.opened(page) as found:
        for width, some in ((1280, False), (390, True)):
            found.page.set_viewport_size({"width": width, "height": 844})
            narrow = "document.querySelector('#topics-place .box').tabIndex === 0"
            found.until(
                f"document.documentElement.dataset.shown && {narrow} === {str(some).lower()}"
            )
            said = found.page.evaluate(boxes + keys)
            assert [len(set(box)) for box in said] == [1] * len(said)
            assert any(box[0] for box in said) == some
            assert found.page.evaluate("document.documentElement.scrollWidth") <= width
        open_menu(found)
        found.until("document.querySelector('#menu button') !== null")
        menu = found.page.locator("#menu > div").bounding_box()
        assert menu["x"] >= 0
        assert menu["x"] + menu["width"] <= 390


def signs(comparison: irpref.Comparison, a: str, b: str) -> dict[str, list[float]]:
    """By topic, who wins by each preference: 1, 0 or -1."""
    found: dict[str, list[float]] = {topic: [] for topic in comparison.topics}
    for preference in comparison.preferences:
        if preference.has_relations:
            said = comparison.relations(preference, a, b)["relation"]
            values = said.map({"ni": 1, "ns": -1}).fillna(0)
        else:
            values = comparison.per_topic(preference, a, b)
        for topic, value in values.items():
            found[str(topic)].append(float(value > 0) - float(value < 0))
    return found


def winners(comparison: irpref.Comparison, a: str, b: str) -> dict[str, list[str]]:
    """The topics of each button above the table, by its first word or words."""
    won = signs(comparison, a, b)
    return {
        "all": list(won),
        f"{a} wins": [topic for topic, (first, *_) in won.items() if first > 0],
        f"{b} wins": [topic for topic, (first, *_) in won.items() if first < 0],
        "tied": [topic for topic, (first, *_) in won.items() if first == 0],
        "preferences disagree": [topic for topic, each in won.items() if {1, -1} <= {*each}],
    }


def test_topics_are_filtered_by_who_wins(opened: Opened, comparison: irpref.Comparison) -> None:
    page, systems = opened.page, ranked(comparison)
    show(opened, comparison, 2, 5)
    expected = winners(comparison, systems[2], systems[5])
    chips = page.locator(f"{TOOLS} .chips button")
    assert chips.all_inner_texts() == [f"{name} {len(each)}" for name, each in expected.items()]
    outcomes = cells_of(page, "#outcomes")[0]
    assert [str(len(each)) for each in expected.values()][1:4] == [outcomes[i] for i in (2, 4, 3)]
    page.click("#topics-place .rest button")
    for chip, topics in zip(chips.all(), expected.values(), strict=True):
        chip.click()
        assert page.locator(PRESSED).all_inner_texts() == [chip.inner_text()]
        assert topics_shown(opened) == topics
        found = f"{len(topics)} of {len(comparison.topics)} found"
        assert count_said(opened) == ("" if topics == expected["all"] else found)


def test_filters_act_together_and_hold_for_another_pair(
    opened: Opened, comparison: irpref.Comparison, case: Case
) -> None:
    page, systems = opened.page, ranked(comparison)

    def expected(a: str, b: str) -> list[str]:
        values = comparison.per_topic(RPP, a, b)
        relevant = {t: sum(g > 0 for g in case.grades[t].values()) for t in comparison.topics}
        return [
            t for t in comparison.topics if values[t] >= 0.25 and 1 <= relevant[t] <= 5 and "3" in t
        ]

    show(opened, comparison, 0, 20)
    column = [row[-1] for row in cells_of(page, "#topics")]
    assert column == [
        str(sum(grade > 0 for grade in case.grades[topic].values()))
        for topic in comparison.topics[:20]
    ]
    page.click(f"{TOOLS} .first-words")
    page.get_by_label("RPP difference at least").select_option("0.25")
    relevant = page.locator(TOOLS).get_by_label("Relevant documents")
    assert relevant.locator("option").all_inner_texts() == ["any", "1–5", "6–20"]
    relevant.select_option("1–5")
    search(opened, "query 3")
    page.click("#topics th button:has-text('RPP')")
    for a, b in ((0, 20), (1, 25)):
        show(opened, comparison, a, b)
        topics = expected(systems[a], systems[b])
        assert topics
        assert sorted(topics_shown(opened)) == sorted(topics)
        assert count_said(opened) == f"{len(topics)} of {len(comparison.topics)} found"
        assert page.locator(PRESSED).inner_text().startswith(f"{systems[a]} wins ")
        assert relevant.input_value() == "1–5"


@pytest.mark.parametrize(
    ("preferences", "steps"),
    [
        ([LP, RPP], None),
        ([IPSO @ 3], None),
        ([nDCG @ 5], ["any", "0.1", "0.25", "0.5"]),
        ([ASL], ["any", "1", "2.5"]),
    ],
    ids=str,
)
def test_differences_have_steps_that_fit_them(
    browser: Browser, case: Case, tmp_path: Path, preferences: list[Any], steps: list[str] | None
) -> None:
    runs = {name: case.runs[name] for name in ("s0", "s1")}
    irpref.compare(case.qrels, runs, preferences).to_html(tmp_path / "steps.html", test=False)
    with browser.opened(tmp_path / "steps.html") as opened:
        opened.page.wait_for_selector("html[data-shown]", state="attached")
        field = opened.page.get_by_label(f"{preferences[0]} difference at least")
        assert field.count() == (steps is not None)
        assert steps is None or field.locator("option").all_inner_texts() == steps
        chips = opened.page.locator(f"{TOOLS} .chips").inner_text()
        assert ("neither wins" in chips) == (preferences == [IPSO @ 3])
        assert ("tied" in chips) != ("neither wins" in chips)
        assert ("disagree" in chips) == (len(preferences) > 1)


def test_who_is_ahead_by_less_than_is_written_wins(browser: Browser, tmp_path: Path) -> None:
    scores_page(tmp_path / "tiny.html", topics=9, ahead=0.00005)
    with browser.opened(tmp_path / "tiny.html") as opened:
        opened.page.wait_for_selector("html[data-shown]", state="attached")
        chips = opened.page.locator(f"{TOOLS} .chips button").all_inner_texts()
        assert chips == ["all 9", "x wins 8", "y wins 0", "tied 1"]


def documents_found(
    data: irpref.Collection, systems: Collection[str], words: Collection[str]
) -> set[str]:
    """The topics where one of the systems has a document with all of the words."""
    lists = data.lists
    topics = set(data.compare(LP).topics)
    return topics & {
        row["topic"]
        for row in lists[lists["system"].isin(systems)].to_dict("records")
        if all(word in f"{row['document']} {TEXTS.get(row['document'])}" for word in words)
    }


def test_topics_are_found_by_the_documents_of_both_rankings(
    opened: Opened, comparison: irpref.Comparison, data: irpref.Collection
) -> None:
    systems = ranked(comparison)
    for text in ("red BLUE house", "U0", "white house 7"):
        for a, b in ((0, 1), (4, 9)):
            show(opened, comparison, a, b)
            search(opened, text)
            found = documents_found(data, (systems[a], systems[b]), text.lower().split())
            assert 0 < len(found) < len(comparison.topics)
            expected = f"{len(found)} of {len(comparison.topics)} found"
            opened.until(f"document.querySelector('{TOOLS} .count').textContent === '{expected}'")
            assert set(topics_shown(opened)) <= found
    assert opened.page.get_by_label("Search topics, queries, documents").count() == 1


def test_leads_are_shown_as_deep_as_the_page_says(
    browser: Browser, page: Path, tmp_path: Path
) -> None:
    text = page.read_text(encoding="utf-8")
    (tmp_path / "depth.html").write_text(
        text.replace('id="facts">{', 'id="facts">{"lead_depth":3,'), encoding="utf-8"
    )
    with browser.opened(tmp_path / "depth.html") as opened:
        opened.page.wait_for_selector("html[data-shown]", state="attached")
        assert opened.page.locator("#topics th", has_text="ahead at depths 1 to 3").count() == 1
        assert opened.complaints == []
