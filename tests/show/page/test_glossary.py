"""What the words of a page mean: every one has an entry, which is there on hover, on focus and on touch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import irpref
from irpref import ASL, IPSO, LP, RPP, PairTest, demo_paths, nDCG
from tests.browser import Browser, Opened
from tests.random_cases import make_case

COMPARED = ["RPP", "LP", "LR", "IPSO@10", "nDCG@10", "IPSO(ties='expected')@10", "rrLP", "ASL"]
DEMO = Path(demo_paths()[0]).parent
HOW: dict[str, dict[str, Any]] = {
    "two": {},
    "two with a margin": {"test": PairTest(margin=0.05, alternative="equivalent", alpha=0.1)},
    "four": {},
    "four without a test": {"test": False},
    "baseline": {"baseline": "bm25"},
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    qrels, runs = demo_paths()
    data, two = (irpref.collect(qrels, some, lists=10) for some in (runs[:4], runs[:2]))
    for name, how in HOW.items():
        # A margin needs a preference that has one.
        compared = [RPP, LP] if "margin" in name else COMPARED
        found = (two if "two" in name else data).compare(compared)
        found.to_html(folder / f"{name}.html", topics=DEMO / "topics.tsv", **how)
    return {name: folder / f"{name}.html" for name in HOW}


@pytest.fixture
def four(browser: Browser, pages: dict[str, Path]) -> Iterator[Opened]:
    with browser.opened(pages["four"]) as found:
        found.page.wait_for_selector("html[data-shown]", state="attached")
        yield found
        assert (found.complaints, found.requests) == ([], [])


def entries(page: Any) -> dict[str, str]:
    """What each word means."""
    found: list[list[str]] = page.eval_on_selector_all(
        "#glossary dt", "all => all.map(each => [each, each.nextElementSibling])"
        ".map(pair => pair.map(each => each.textContent.trim()))",
    )  # fmt: skip
    return dict(found)


@pytest.mark.parametrize("name", HOW)
def test_every_heading_and_preference_has_an_entry(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    with browser.opened(pages[name]) as found:
        page = found.page
        page.wait_for_selector("html[data-shown]", state="attached")
        page.click("#topics tbody button >> nth=0")
        page.wait_for_selector("#reasons tbody tr")
        headings = page.eval_on_selector_all(
            "thead th", "all => [...new Set(all.map(each => each.textContent.trim()))]"
        )
        compared = page.locator("#reasons tbody th").all_inner_texts()
        said = entries(page)
        shown = page.evaluate(
            "[...document.querySelector('main').children].filter(each => each.id !== 'glossary')"
            ".map(each => each.textContent).join(' ')"
        )
        assert {*headings, *compared} <= set(said)
        assert {word for word in said if word not in shown} == set()
        assert all(each[-1] == "." for each in said.values())
        assert "{" not in "".join(said.values())
        explained = "cells => cells.filter(cell => cell.textContent.trim())"
        for cells in ("thead th", "#reasons tbody th", "#outcomes tbody th"):
            missing = f"{explained}.filter(cell => !cell.querySelector('.term')).length"
            assert page.eval_on_selector_all(cells, missing) == 0
        assert (found.complaints, found.requests) == ([], [])


def test_entries_say_what_the_thing_itself_says() -> None:
    case = make_case(3, topics=6, systems=3)
    # Of no such function anybody knows the bounds.
    own = irpref.preference(lambda first, second: 1 / first[0] - 1 / second[0], label="sooner")
    page = irpref.compare(case.qrels, case.runs, [LP @ 5, IPSO @ 3, nDCG, own]).to_html()
    assert page is not None
    assert page.count("From -1 to +1.") == 2
    for said in (
        f"{(LP @ 5).what.capitalize()}. It asks about those who {LP.audience}. A relevant document below",
        "On a topic it names who is ahead at some depth and behind at none; both: each is ahead",
        "The difference of two scores.",
    ):
        assert said.replace("(diaz", "(Diaz") in page
    assert (RPP(weights="dcg") @ 3).what.startswith("recall-paired preference: ")
    assert ASL.what.startswith("average search length: ")


def test_a_word_says_what_it_means_on_hover_and_on_focus(four: Opened) -> None:
    page, said = four.page, entries(four.page)
    tip = page.locator("[role=tooltip]")
    assert tip.is_hidden()
    page.hover("#leaderboard th:has-text('better than') button")
    tip.wait_for(state="visible")
    assert tip.text_content() == said["better than"]
    page.hover("h1 .term")
    assert tip.text_content() == said["RPP"]
    page.mouse.move(5, 5)
    tip.wait_for(state="hidden")
    page.focus("#leaderboard th:has-text('better than') button")
    page.keyboard.press("Tab")
    tip.wait_for(state="visible")
    assert page.evaluate("document.activeElement.textContent.trim()") == "LP"
    assert tip.text_content() == said["LP"]
    assert page.get_attribute(":focus", "aria-describedby") == tip.get_attribute("id")
    page.keyboard.press("Shift+Tab")
    assert tip.text_content() == said["better than"]


def test_escape_hides_it_and_leaves_the_topic_open(four: Opened) -> None:
    page = four.page
    page.click("#topics tbody button >> nth=0")
    page.wait_for_selector("#reasons tbody .term")
    page.hover("#reasons thead .term >> nth=2")
    tip = page.locator("[role=tooltip]")
    tip.wait_for(state="visible")
    page.keyboard.press("Escape")
    assert (tip.is_hidden(), page.locator("#topic").is_visible()) == (True, True)
    page.keyboard.press("Escape")
    assert page.locator("#topic").is_hidden()


def test_a_heading_still_sorts(four: Opened) -> None:
    page = four.page
    page.click("#topics th:has-text('RPP') button")
    assert page.get_attribute("#topics th:has-text('RPP')", "aria-sort") == "descending"
    page.focus("#topics th:has-text('RPP') button")
    page.keyboard.press("Enter")
    assert page.get_attribute("#topics th:has-text('RPP')", "aria-sort") == "ascending"


@pytest.mark.parametrize("name", ["two", "four"])
def test_a_touch_shows_it_inside_of_the_window(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, "has_touch": True}
    with browser.opened(pages[name], **phone) as found:
        page = found.page
        page.wait_for_selector("html[data-shown]", state="attached")
        tip, terms = page.locator("[role=tooltip]"), page.locator(".term:visible")
        for place in range(0, terms.count(), 9):
            terms.nth(place).tap()
            tip.wait_for(state="visible")
            box = tip.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= 390 - box["width"]
            assert 0 <= box["y"] <= 800 - box["height"]
            # It may hide the next word.
            tip.tap()
            assert tip.is_hidden()
        terms.first.tap()
        page.locator("h2").first.tap()
        assert tip.is_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert found.complaints == []


def test_without_scripts_the_list_is_there(browser: Browser, pages: dict[str, Path]) -> None:
    with browser.opened(pages["four"], java_script_enabled=False) as found:
        assert found.page.locator("#glossary dl").is_hidden()
        found.page.click("#glossary summary")
        assert "who serves more users?" in found.page.inner_text("#glossary")
        assert (
            found.page.locator("#glossary dt").count() == found.page.locator("#glossary dd").count()
        )


def test_names_of_systems_and_topics_are_no_words(browser: Browser, tmp_path: Path) -> None:
    topics, systems = ["p", "mean", "topic", "RPP"], ["RPP", "x RPP", "LP-run"]
    runs = {name: {topic: {"d": 1.0, "e": place} for topic in topics}
            for place, name in enumerate(systems)}  # fmt: skip
    compared = irpref.compare({topic: {"d": 1} for topic in topics}, runs, [RPP, LP])
    compared.to_html(tmp_path / "names.html")
    with browser.opened(tmp_path / "names.html") as found:
        found.page.wait_for_selector("html[data-shown]", state="attached")
        assert found.page.locator("#topics tbody .term, #leaderboard tbody .term").count() == 0
        words = found.page.locator("h1 .term, #verdict .term").all_inner_texts()
        assert "RPP" not in words
        assert found.page.inner_text("h1") == compared.report().answer[0]


# All that is said on a page, but for signatures, which programs read.
SAID = """() => {
  document.getElementById("made").remove();
  const told = [...document.querySelectorAll("main [aria-label], main [title], main [placeholder]")];
  const labels = ["aria-label", "title"].map(name => told.map(each => each.getAttribute(name)));
  return [document.body.innerText, ...labels.flat().filter(Boolean)].join("\\n");
}"""


@pytest.mark.parametrize("several", [False, True])
def test_users_and_items_are_called_so(
    browser: Browser, tmp_path: Path, shared_data: Path, several: bool
) -> None:
    folder = shared_data / "recsys-ml-small"
    runs = sorted((folder / "runs").iterdir())[: 3 if several else 2]
    whole = irpref.collect(folder / "qrels.txt", runs, users=True, lists=10)
    data = whole.select(topics=whole.topics[:40])
    assert not any(word in str(data.systems) for word in ("topic", "document"))
    compared = data.compare([RPP, LP, IPSO @ 5, IPSO(unjudged="any") @ 5, nDCG @ 5])
    queries = {topic: f"likes {topic}" for topic in data.topics[:9]}
    compared.to_html(tmp_path / "users.html", topics=queries)
    with browser.opened(tmp_path / "users.html") as found:
        page = found.page
        page.wait_for_selector("html[data-shown]", state="attached")
        page.eval_on_selector_all("details", "all => all.forEach(each => each.open = true)")
        page.click("#topics tbody button >> nth=2")
        page.wait_for_selector("#lists [data-document]")
        assert page.inner_text("#topic-heading") == f"User {data.topics[2]}"
        text = page.evaluate(SAID)
        assert re.findall(r".*(?:topic|document)(?!ation).*", text, re.IGNORECASE) == []
        assert (found.complaints, found.requests) == ([], [])


def test_names_stay_what_they_are_where_topics_are_users(browser: Browser, tmp_path: Path) -> None:
    runs = {name: {"topic 1": {"document 1": 1.0, "e": place}}
            for place, name in enumerate(["topic", "a document"])}  # fmt: skip
    data = irpref.collect({"topic 1": {"document 1": 1}}, runs, users=True, lists=5)
    topics, docs = {"topic 1": "the topic of a document"}, {"e": "a topic"}
    data.compare(RPP).to_html(tmp_path / "names.html", topics=topics, docs=docs)
    with browser.opened(tmp_path / "names.html") as found:
        found.page.wait_for_selector("html[data-shown]", state="attached")
        found.page.click("#topics tbody button")
        found.page.wait_for_selector("#lists [data-document]")
        assert found.page.inner_text("#topic-heading") == "User topic 1"
        assert found.page.inner_text("#query") == "the topic of a document"
        lists = found.page.inner_text("#lists")
        assert all(name in lists for name in ("topic\n", "a document", "document 1", "a topic"))
        assert "topic=topic%201" in found.page.url
        assert "User by user" in found.page.inner_text("#explorer-heading")
        assert found.complaints == []
