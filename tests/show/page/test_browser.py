"""The page of a comparison in a real browser: what it shows is what the library says, and nothing else."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, urlencode

import pytest

import irpref
from irpref import ASL, IPSO, LP, LR, RPP, demo_paths, nDCG
from irpref.base.escape import escaped
from tests.browser import Browser, Opened
from tests.random_cases import make_case
from tests.show.page.test_verdicts import text_of

COMPARED = [RPP, LP, LR, IPSO @ 3, nDCG @ 5]
EVIL = [
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"'><b>{a}</b> & {b} # \\ % _ , --",
]
# Names that mean something to an address, to JavaScript or to a screen.
ODD = [
    *("0", "12", "1", "__proto__", "constructor", "a b", "bm25+rm3", "a&b=c#d", "100%", "%41"),
    *("%2B", "('!*)", "/?;:@,.-_\\", "&#43;", "\u00fc \u6587", "\u05de\u05e2\u05e8\u05db\u05ea"),
    *("a\u202eb", "a\nb\x1b[2J"),
]
HEADINGS = {"wins": "won", "ties": "tied", "losses": "lost", "nonseparable": "not separable"}
DEMO = Path(demo_paths()[0]).parent


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def data() -> irpref.Collection:
    case = make_case(7, topics=14, systems=7, documents=12)
    return irpref.collect(case.qrels, case.runs, lists=6)


@pytest.fixture(scope="module")
def comparison(data: irpref.Collection) -> irpref.Comparison:
    return data.compare(COMPARED)


@pytest.fixture(scope="module")
def page(pages: Path, comparison: irpref.Comparison) -> Path:
    comparison.to_html(pages / "random.html")
    return pages / "random.html"


@pytest.fixture
def opened(browser: Browser, page: Path) -> Iterator[Opened]:
    with browser.opened(page) as found:
        yield found
        assert found.complaints == []
        assert found.requests == []


def cells_of(page: Any, selector: str) -> list[list[str]]:
    """The texts of the rows of a table's body, pictures left out."""
    found: list[list[str]] = page.eval_on_selector_all(
        f"{selector} tbody tr",
        "rows => rows.map(row => [...row.cells].filter(cell => !cell.classList.contains('picture'))"
        ".map(cell => cell.textContent.trim()))",
    )
    return found


def address(a: str, b: str, topic: str | None = None) -> str:
    """What the page writes behind ``#`` for two systems, the better one first, and a topic."""
    said = {"a": a, "b": b} | ({} if topic is None else {"topic": topic})
    return urlencode(said, safe="*", quote_via=quote)


def show(
    opened: Opened, comparison: irpref.Comparison, a: int, b: int, topic: int | None = None
) -> None:
    """Go to a pair, and to a topic of it, by their numbers; wait until it is there."""
    systems = ranked(comparison)
    named = None if topic is None else comparison.topics[topic]
    go_to(opened, address(systems[a], systems[b], named))


def go_to(opened: Opened, address: str) -> None:
    """Go to an address as the page writes it, and wait until it is there."""
    place = f"#{address}"
    opened.page.evaluate("place => { location.hash = place; }", place)
    opened.until("place => document.documentElement.dataset.shown === place", place)


def shown(value: float) -> str:
    """As the page writes a number: what is rounded to 0 has no sign of its own."""
    text = f"{value:+.3f}"
    return "+0.000" if text == "-0.000" else text


def paragraphs(opened: Opened, selector: str) -> list[str]:
    found: list[str] = opened.page.locator(selector).all_inner_texts()
    return found


def ranked(comparison: irpref.Comparison) -> list[str]:
    return [str(name) for name in comparison.order(comparison.preferences[0]).index]


def random_places(
    comparison: irpref.Comparison, *, seed: int, times: int
) -> Iterator[tuple[int, int, int, tuple[str, str]]]:
    """Two systems by their numbers, the number of a topic, and the names of the two."""
    systems, rng = ranked(comparison), random.Random(seed)
    for _ in range(times):
        a, b = sorted(rng.sample(range(len(systems)), 2))
        yield a, b, rng.randrange(len(comparison.topics)), (systems[a], systems[b])


def test_pairs_and_topics_are_those_of_the_comparison(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    for a, b, _, names in random_places(comparison, seed=1, times=6):
        show(opened, comparison, a, b)
        for preference, row in zip(
            comparison.preferences, cells_of(opened.page, "#outcomes"), strict=True
        ):
            assert row[:2] == [str(preference), shown(comparison.mean(preference).loc[names])]
            counts = outcomes_of(comparison, preference, *names)
            columns = opened.page.eval_on_selector_all(
                "#outcomes thead th", "cells => cells.map(cell => cell.innerText.trim())"
            )
            said = dict(zip(columns[2:], row[2:], strict=False))
            for name, count in counts.items():
                assert said[HEADINGS[name]] == str(int(count))
        rows = {row[0]: row[1:] for row in cells_of(opened.page, "#topics")}
        assert list(rows) == list(comparison.topics)
        for column, preference in enumerate(comparison.preferences):
            values = comparison.per_topic(preference, *names)
            if preference.has_relations:
                words = dict(zip(("ni", "ns", "=", "**"), (*names, "=", "both"), strict=True))
                labels = comparison.relations(preference, *names)["relation"]
                expected = {str(topic): words[label] for topic, label in labels.items()}
            else:
                expected = {str(topic): shown(value) for topic, value in values.items()}
            assert {topic: row[column] for topic, row in rows.items()} == expected


def test_verdicts_and_reasons_are_those_of_the_comparison(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    for a, b, topic, names in random_places(comparison, seed=2, times=8):
        show(opened, comparison, a, b, topic)
        verdict = text_of(comparison.verdict(*names))
        assert paragraphs(opened, "#verdict p") == verdict.split("\n")
        assert opened.page.inner_text("#verdict-how").startswith("† significant, ")
        explained = comparison.explain(comparison.topics[topic], *names)
        # The page does not know how long the lists are.
        expected = explained.decisions["decided_by"].str.replace(
            r"not in its [\d,]*\d", "not in its list", regex=True
        )
        rows = cells_of(opened.page, "#reasons")
        assert [row[0] for row in rows] == list(expected.index)
        assert [row[2] for row in rows] == list(expected)


def test_lower_scores_that_are_better_are_said_as_they_are(browser: Browser, pages: Path) -> None:
    qrels, runs = demo_paths()
    comparison = irpref.compare(qrels, runs, [ASL, LP(ties="expected"), IPSO(ties="expected") @ 5])
    comparison.to_html(pages / "lower.html")
    names = ranked(comparison)[1], ranked(comparison)[4]
    with browser.opened(pages / "lower.html") as found:
        show(found, comparison, 1, 4, 2)
        explained = comparison.explain(comparison.topics[2], *names).decisions["decided_by"]
        assert [row[2] for row in cells_of(found.page, "#reasons")] == list(explained)
        values = [comparison.per_topic(each, *names).iloc[2] for each in comparison.preferences]
        assert [row[1] for row in cells_of(found.page, "#reasons")] == list(map(shown, values))
        counts = [float(each) for each in cells_of(found.page, "#outcomes")[2][2:]]
        outcomes = outcomes_of(comparison, comparison.preferences[2], *names)
        assert counts == [round(count, 1) for count in outcomes.values()]
        assert found.complaints == []


def outcomes_of(comparison: irpref.Comparison, preference: Any, a: str, b: str) -> dict[str, float]:
    """The outcomes of a pair, from the side of a."""
    table = comparison.outcomes(preference)
    for first, second, turned in ((a, b, {}), (b, a, {"wins": "losses", "losses": "wins"})):
        found = table[(table["a"] == first) & (table["b"] == second)]
        if len(found):
            counts = found.drop(columns=["a", "b"]).iloc[0].to_dict()
            return {turned.get(name, name): count for name, count in counts.items()}
    raise ValueError(f"{a} and {b} were not compared")


def test_the_profile_is_that_of_the_comparison(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    systems = ranked(comparison)
    show(opened, comparison, 1, 4)
    opened.page.click("text=The profile in numbers")
    profile = comparison.profile(systems[1], systems[4], bins=25)
    rows = cells_of(opened.page, "#profile-numbers")
    assert len(rows) == 25
    for row, (_, expected) in zip(rows, profile.iterrows(), strict=True):
        net = expected["wins"] - expected["losses"]
        for said, count in zip(row[1:4], (expected["wins"], expected["losses"], net), strict=True):
            assert float(said) == pytest.approx(100 * count / expected["topics"], abs=0.501)


def test_the_lists_of_a_topic_are_those_of_the_collection(
    opened: Opened, comparison: irpref.Comparison, data: irpref.Collection
) -> None:
    systems = ranked(comparison)
    for a, b, topic in ((0, 1, 0), (2, 5, 3), (3, 6, 9)):
        show(opened, comparison, a, b, topic)
        found = opened.page.eval_on_selector_all(
            "#lists ol",
            "lists => lists.map(list => [...list.querySelectorAll('[data-document]')]"
            ".map(item => item.textContent))",
        )
        for system, items in zip((systems[a], systems[b]), found, strict=True):
            lists = data.lists
            expected = lists[
                (lists["system"] == system) & (lists["topic"] == comparison.topics[topic])
            ]
            assert len(items) == len(expected)
            for item, document in zip(items, expected["document"], strict=True):
                assert document in item


def test_a_pair_is_picked_by_rows_and_by_names(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    page, systems = opened.page, ranked(comparison)
    page.click(f"#leaderboard tbody tr:has-text('{systems[5]}')")
    page.click(f"#leaderboard tbody tr:has-text('{systems[2]}')")
    chosen = f"location.hash === '#{address(systems[2], systems[5])}'"
    opened.until(chosen)
    assert f"{systems[2]} against {systems[5]}" in page.inner_text("#pair-heading")
    page.fill("#a", systems[6])
    page.press("#a", "Enter")
    opened.until(f"location.hash.includes('b={systems[6]}')")
    page.fill("#a", "nobody")
    page.press("#a", "Enter")
    assert "No system here" in page.inner_text("#choice-problem")
    page.go_back()
    opened.until(chosen)
    opened.until("document.querySelector('#choice-problem').textContent === ''")
    assert {page.input_value("#a"), page.input_value("#b")} == {systems[2], systems[5]}


def test_the_names_that_stand_there_are_those_of_the_pair(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    page, systems = opened.page, ranked(comparison)
    show(opened, comparison, 0, 1)
    for field, text, problem in (
        ("#a", systems[1], "Choose two different systems."),
        ("#a", "", "Type the name of a system, or a part of it."),
        ("#b", systems[3], ""),
    ):
        page.fill(field, text)
        page.press(field, "Enter")
        assert page.inner_text("#choice-problem") == problem
    opened.until(f"location.hash === '#{address(systems[0], systems[3])}'")
    assert [page.input_value(field) for field in ("#a", "#b")] == [systems[0], systems[3]]
    page.fill("#a", "nobody")
    page.press("#a", "Enter")
    page.click(f"#leaderboard tbody tr:has-text('{systems[4]}')")
    opened.until("document.querySelector('#choice-problem').textContent === ''")
    assert [page.input_value(field) for field in ("#a", "#b")] == [systems[3], systems[4]]


def test_a_link_to_a_topic_leads_to_it(browser: Browser, page: Path) -> None:
    with browser.opened(page, address("s2", "s5", "t8")) as opened:
        opened.until("document.querySelector('#topic').getBoundingClientRect().top < 20")
        assert opened.page.evaluate("scrollY") > 500
        assert said_of(opened) == ({"s2", "s5"}, "Topic t8")
        opened.page.keyboard.press("j")
        opened.until("location.hash.endsWith('&topic=t9')")
        opened.page.go_back()
        opened.until("document.querySelector('#topic-heading').textContent === 'Topic t8'")


def said_of(opened: Opened) -> tuple[set[str], str | None]:
    """The two systems that the page says it shows, and the heading of the open topic."""
    opened.page.wait_for_selector("html[data-shown]", state="attached")
    heading = opened.page.inner_text("#pair-heading").partition(" on ")[0]
    topic = opened.page.locator("#topic-heading")
    return set(heading.split(" against ")), topic.inner_text() if topic.is_visible() else None


def test_an_address_holds_where_runs_and_topics_change(
    browser: Browser, pages: Path, page: Path, data: irpref.Collection
) -> None:
    fewer = data.select(systems=["s6", "s5", "s2"], topics=["t13", "t8"])
    fewer.compare(LP).to_html(pages / "fewer.html")
    for path in (page, pages / "fewer.html"):
        with browser.opened(path, address("s2", "s5", "t8")) as opened:
            assert said_of(opened) == ({"s2", "s5"}, "Topic t8")


@pytest.mark.parametrize(
    "unknown",
    ["", "a=s2&b=nobody&topic=t8", "a=0&b=3&topic=8", "a=s2&b=s2", "a=s2", "b=%zz&a=s2&=&"],
)
def test_an_address_that_names_no_pair_shows_the_first_one(
    browser: Browser, page: Path, comparison: irpref.Comparison, unknown: str
) -> None:
    with browser.opened(page, unknown) as opened:
        assert said_of(opened) == (set(ranked(comparison)[:2]), None)
        assert opened.complaints == []


def test_an_address_that_names_no_topic_shows_the_pair(browser: Browser, page: Path) -> None:
    for topic in ("8", ""):
        with browser.opened(page, address("s2", "s5", topic)) as opened:
            assert said_of(opened) == ({"s2", "s5"}, None)
            assert opened.complaints == []


def test_any_names_are_safe_in_an_address(browser: Browser, pages: Path) -> None:
    comparison = odd_names(ODD)
    comparison.to_html(pages / "odd.html")
    systems, topics = (
        [escaped(name) for name in names] for names in (ranked(comparison), comparison.topics)
    )
    with browser.opened(pages / "odd.html") as opened:
        for place, topic in enumerate(topics):
            a, b = sorted((place, (place + 3) % len(systems)))
            go_to(opened, address(systems[a], systems[b], topic))
            assert said_of(opened) == ({systems[a], systems[b]}, f"Topic {topic}")
        assert opened.complaints == []
    # As people type it, who mean a plus.
    with browser.opened(pages / "odd.html", "a=bm25+rm3&b=a b&topic=100%") as opened:
        assert said_of(opened) == ({"bm25+rm3", "a b"}, "Topic 100%")


def test_systems_and_topics_that_look_the_same_are_all_reached(
    browser: Browser, pages: Path
) -> None:
    odd_names(["a\nb", "a\\nb", "a\\nb (2)"]).to_html(pages / "same.html")
    names = ["a\\nb", "a\\nb (2)", "a\\nb (3)"]
    with browser.opened(pages / "same.html") as opened:
        page = opened.page
        for place in (2, 0, 1):
            page.click(f"#leaderboard tbody tr:nth-child({place + 1}) button")
            page.click(f"#topics tbody tr:nth-child({place + 1}) button")
            opened.until("location.hash === document.documentElement.dataset.shown")
            rows = page.locator("[aria-pressed=true]")
            systems, topic = said_of(opened)
            assert (rows.count(), len(systems)) == (2, 2)
            assert page.locator("#topics .chosen").get_attribute("data-topic") == str(place)
            with browser.opened(pages / "same.html", page.url.partition("#")[2]) as again:
                assert said_of(again) == (systems, topic)
            assert systems < set(names)
        page.fill("#a", names[0])
        page.fill("#b", names[2])
        opened.until(f"location.hash.startsWith('#{address(names[0], names[2])}')")


def odd_names(names: Sequence[str]) -> irpref.Comparison:
    """Random runs with these names, on topics with these names."""
    rng, documents = random.Random(5), [f"d{number}" for number in range(9)]
    runs = {
        name: {topic: {d: rng.random() for d in documents} for topic in names} for name in names
    }
    return irpref.compare({topic: dict.fromkeys(documents[:3], 1) for topic in names}, runs, RPP)


def test_a_baseline_is_the_one_that_was_asked_for(browser: Browser, pages: Path) -> None:
    case = make_case(3, topics=6, systems=5)
    comparison = irpref.compare(case.qrels, case.runs, RPP)
    systems = ranked(comparison)
    comparison.to_html(pages / "baseline.html", baseline=systems[2], top=1)
    with browser.opened(pages / "baseline.html") as opened:
        hint = opened.page.inner_text("#chosen")
        assert hint.startswith(f"Choose a row to compare the system with {systems[2]}. Chosen: ")


@pytest.mark.parametrize(("test", "column"), [(None, 3), (False, 2)])
def test_numbers_are_names_of_systems_too(
    browser: Browser, pages: Path, test: Literal[False] | None, column: int
) -> None:
    case = make_case(3, topics=6, systems=4)
    runs = dict(zip("3124", case.runs.values(), strict=True))
    comparison = irpref.compare(case.qrels, runs, [RPP, LP])
    comparison.to_html(pages / "numbers.html", test=test)
    with browser.opened(pages / "numbers.html") as opened:
        names = opened.page.locator(f"#leaderboard tbody td:nth-child({column}) button")
        assert names.all_inner_texts() == ranked(comparison)
        assert opened.page.locator("#leaderboard tbody button").count() == 4


def test_deep_rankings_are_drawn_whole(browser: Browser, pages: Path) -> None:
    documents = [f"d{number}" for number in range(31_000)]
    runs = {
        name: {"1": {each: float(score) for score, each in enumerate(order)}}
        for name, order in (("up", documents), ("down", documents[1:]))
    }
    comparison = irpref.compare({"1": dict.fromkeys(documents, 1)}, runs, RPP)
    comparison.to_html(pages / "deep.html")
    with browser.opened(pages / "deep.html", address("up", "down", "1")) as opened:
        opened.until("document.querySelector('#strip svg') !== null")
        opened.page.select_option("#depth", "all")
        opened.until("document.querySelectorAll('#strip svg *').length > 60_000")
        assert opened.complaints == []


def test_names_from_the_right_leave_numbers_where_they_are(browser: Browser, pages: Path) -> None:
    runs = {
        name: {"1": {"d": 1.0, "e": score}}
        for name, score in (("\u05de\u05e2\u05e8\u05db\u05ea", 2.0), ("b", 0.5))
    }
    irpref.compare({"1": {"d": 1}}, runs, LR).to_html(pages / "right.html")
    with browser.opened(
        pages / "right.html", address("\u05de\u05e2\u05e8\u05db\u05ea", "b", "1")
    ) as opened:
        opened.until("document.querySelector('#reasons tbody tr') !== null")
        said = opened.page.inner_text("#reasons tbody")
        assert "\u2068\u05de\u05e2\u05e8\u05db\u05ea\u2069 at rank" in said
        assert "b at rank" in said


def test_the_keyboard_opens_turns_and_closes_topics(
    opened: Opened, comparison: irpref.Comparison
) -> None:
    page = opened.page
    show(opened, comparison, 0, 1)
    page.focus("#topics tbody tr:first-child button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#topic:not([hidden])")
    opened.until("document.querySelector('#topic-heading').textContent === 'Topic t0'")
    page.keyboard.press("j")
    opened.until("document.querySelector('#topic-heading').textContent === 'Topic t1'")
    page.keyboard.press("k")
    opened.until("document.querySelector('#topic-heading').textContent === 'Topic t0'")
    page.keyboard.press("Escape")
    page.wait_for_selector("#topic", state="hidden")


def hostile_page(folder: Path, names: Sequence[str]) -> tuple[Path, irpref.Comparison]:
    """A page of these systems; everything else is called by :data:`EVIL` too."""
    documents = [f"{name} {number}" for number, name in enumerate(EVIL * 3)]
    topics = [f"{name} topic" for name in EVIL]
    qrels = {topic: {name: n % 3 for n, name in enumerate(documents)} for topic in topics}
    rng = random.Random(3)
    runs = {
        name: {topic: {d: rng.randint(0, 5) for d in documents} for topic in topics}
        for name in names
    }
    path = folder / f"hostile{len(names)}.html"
    texts = {document: f"text of {document}" for document in documents}
    queries = {topic: f"query of {topic}" for topic in topics}
    compared = irpref.collect(qrels, runs, lists=10).compare([RPP, IPSO @ 3])
    compared.to_html(path, topics=queries, docs=texts)
    return path, compared


@pytest.mark.parametrize("names", [EVIL, EVIL[::2]], ids=len)
def test_hostile_names_and_texts_stay_texts(
    browser: Browser, pages: Path, names: Sequence[str]
) -> None:
    place = address(EVIL[0], EVIL[2], f"{EVIL[1]} topic")
    path, compared = hostile_page(pages, names)
    with browser.opened(path, place) as found:
        page = found.page
        page.wait_for_selector("#lists [data-document]")
        report = compared.report()
        assert page.title() == report.title
        headline, *more = report.answer
        assert page.inner_text("h1") == headline
        assert paragraphs(found, "p.answer") == more
        if len(names) > 2:
            said = compared.verdict(*(EVIL[place] for place in shown_first(found)))
            shown = [each for each in said.answer if not each.startswith("Nothing was tested")]
            assert paragraphs(found, "#verdict p") == shown
        text = page.inner_text("body")
        for name in EVIL:
            assert name in text
            assert f"{name} topic" in text
        assert page.locator("main img, main b").count() == 0
        scripts = page.eval_on_selector_all("script", "all => all.map(each => each.type)")
        assert scripts.count("") == 1
        assert set(scripts) <= {"", "application/json", "application/octet-stream"}
        assert found.complaints == []
        assert found.requests == []


def test_a_phone_shows_it_without_scrolling_sideways(browser: Browser, pages: Path) -> None:
    path = pages / "demo.html"
    demo = irpref.collect(*demo_paths(), lists=100).compare()
    demo.to_html(path, topics=DEMO / "topics.tsv", docs=DEMO / "documents.jsonl")
    phone = {"viewport": {"width": 390, "height": 844}}
    with browser.opened(path, address("bm25-prf", "first-sentence", "6"), **phone) as found:
        found.page.wait_for_selector("#lists [data-document]")
        assert found.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert "bottling, drying or freezing" in found.page.inner_text("#query")
        assert "Home-made ketchup" in found.page.inner_text("#lists")
        assert (found.complaints, found.requests) == ([], [])


def test_without_scripts_the_leaderboard_is_there(browser: Browser, page: Path) -> None:
    with browser.opened(page, java_script_enabled=False) as found:
        assert len(cells_of_markup(found.page)) == 7
        assert "Without JavaScript" in found.page.inner_text("body")


def shown_first(opened: Opened) -> list[int]:
    """The places of the two systems of the open pair among the evil names."""
    return [EVIL.index(opened.page.input_value(field)) for field in ("#a", "#b")]


def cells_of_markup(page: Any) -> list[str]:
    return [row.inner_text() for row in page.locator("table.dataframe tbody tr").all()]


def test_two_systems_and_only_scores(browser: Browser, pages: Path) -> None:
    qrels, runs = demo_paths()
    two = irpref.compare(qrels, runs[:2])
    two.to_html(pages / "two.html")
    headline, *more = two.report().answer
    with browser.opened(pages / "two.html", address(*two.systems, "3")) as found:
        found.page.wait_for_selector("#reasons tbody tr")
        named = found.page.locator("h1 .named").all_inner_texts()
        assert set(named) == set(two.systems)
        # The answer stands above, once.
        assert found.page.inner_text("h1") == headline
        assert paragraphs(found, "p.answer") == more
        assert found.page.locator("#verdict:visible, #verdict-how:visible").count() == 0
        assert found.page.inner_text("body").count(headline) == 1
        assert "with lists=100 irpref keeps" in found.page.inner_text(".warnings")
        assert found.complaints == []
    scores = irpref.evaluate(qrels, runs, ["AP", "RR"])
    only = scores[scores["measure"] == "AP"].drop(columns="measure")
    irpref.compare(qrels, runs, {"AP": only}).to_html(pages / "scores.html")
    with browser.opened(pages / "scores.html", address(*two.systems, "3")) as found:
        found.page.wait_for_selector("#reasons tbody tr")
        assert found.complaints == []


def test_topics_that_do_not_count_are_empty(browser: Browser, pages: Path) -> None:
    case = make_case(3, topics=9, systems=4)
    compared = irpref.collect(case.qrels, case.runs, missing="skip").compare([RPP, IPSO @ 2])
    compared.to_html(pages / "skip.html")
    systems = ranked(compared)
    with browser.opened(pages / "skip.html") as found:
        show(found, compared, 0, 3)
        values = compared.per_topic(RPP, systems[0], systems[3])
        assert len(values) < len(compared.topics)
        for row in cells_of(found.page, "#topics"):
            value = values.get(row[0], math.nan)
            assert row[1] == ("" if math.isnan(value) else shown(value))
        assert f"on {len(values)} topics" in found.page.inner_text("#pair-heading")
        assert found.complaints == []


def test_a_topic_of_systems_of_several_runs_says_of_how_many_pairs_one_is_ahead(
    browser: Browser, pages: Path
) -> None:
    case = make_case(7, topics=5, systems=5)
    groups = {"one": ["s0", "s1"], "other": ["s2", "s3", "s4"]}
    found = irpref.collect(case.qrels, case.runs, groups=groups, lists=6, depth=3).compare(
        [RPP, LP]
    )
    found.to_html(pages / "groups.html")
    topic = found.topics[1]
    place = pages / "groups.html"
    with browser.opened(place, urlencode({"a": "one", "b": "other", "topic": topic})) as opened:
        opened.until("document.querySelectorAll('#reasons tbody tr').length === 2")
        reasons = opened.page.locator("#reasons .reason").all_inner_texts()
        assert all("of 6 pairs of runs, other in" in each for each in reasons)
        assert opened.page.locator("#lists").inner_text() == ""
        assert not opened.page.locator("#strip-part").is_visible()
        assert opened.complaints == []
