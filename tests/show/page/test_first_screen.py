"""The first screen of a page: what stands there is what Python says, and everybody can read it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import irpref
from irpref import IPSO, LP, LR, RPP, demo_paths, nDCG
from tests.browser import Browser, Opened

DEMO = Path(demo_paths()[0]).parent
DATA = Path(__file__).parents[4] / "shared/data"
TEXTS = {"topics": DEMO / "topics.tsv", "docs": DEMO / "documents.jsonl"}
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
# By kind of page, the widths and the colours that it is opened with, and the others.
FIRST = {
    "many": ((WIDE, PHONE), ("light", "dark")),
    "baseline": ((PHONE, WIDE), ("dark", "light")),
    "two": ((WIDE, PHONE), ("dark", "light")),
    "users": ((PHONE, WIDE), ("light", "dark")),
}
# Axe takes most of its time to say where each thing is that passes.
ONLY_VIOLATIONS = {"resultTypes": ["violations"]}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    qrels, runs = demo_paths()
    demo = irpref.collect(qrels, runs, lists=100)
    demo.compare().to_html(folder / "many.html", title="Garden", **TEXTS)
    demo.compare().to_html(folder / "baseline.html", baseline="bm25", **TEXTS)
    two = demo.select(systems=["bm25-prf", "tfidf"])
    two.compare().to_html(folder / "two.html", title="Garden", **TEXTS)
    users = irpref.compare(qrels, runs, [RPP, nDCG @ 5, IPSO(ties="expected") @ 5], users=True)
    users.to_html(folder / "users.html", test=False)
    return folder


@pytest.mark.parametrize("name", FIRST)
def test_axe_finds_nothing_to_mend(browser: Browser, pages: Path, name: str) -> None:
    """As it comes; and in both colours and both widths, with everything open that can be opened."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    (width, other_width), (colours, other_colours) = FIRST[name]
    with browser.opened(pages / f"{name}.html", viewport=width, color_scheme=colours) as opened:
        wait(opened)
        assert problems(axe, opened) == []
        opened.page.click("#topics tbody tr:nth-child(6) button")
        opened.page.evaluate(
            "for (const each of document.querySelectorAll('details')) each.open = true"
        )
        opened.until("document.documentElement.dataset.shown.includes('topic=')")
        for viewport, scheme in ((other_width, colours), (width, other_colours)):
            opened.page.set_viewport_size(viewport)
            opened.page.emulate_media(color_scheme=scheme)
            # What a box is to the keyboard follows its width a moment later.
            opened.until(
                "[...document.querySelectorAll('.box')].every("
                "box => (box.tabIndex === 0) === (box.scrollWidth > box.clientWidth))"
            )
            assert problems(axe, opened) == []
        assert (opened.complaints, opened.requests) == ([], [])


def problems(axe: Any, opened: Opened) -> list[str]:
    """What axe-core complains of, and where."""
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in axe.run(opened.page, options=ONLY_VIOLATIONS).response["violations"]
        for node in each["nodes"]
    ]


def wait(opened: Opened) -> None:
    opened.page.wait_for_selector("html[data-shown]", state="attached")


def cells(opened: Opened) -> list[list[str]]:
    """What the first table says, its pictures left out."""
    found: list[list[str]] = opened.page.eval_on_selector_all(
        "#first table tbody tr",
        "rows => rows.map(row => [...row.cells].filter(cell => !cell.classList.contains('picture'))"
        ".map(cell => cell.textContent.trim()))",
    )
    return found


def bars(opened: Opened) -> list[tuple[float, float, float, str]]:
    """Where the bars of the first table begin, where their dots are, where they end, and their colours."""
    found: list[tuple[float, float, float, str]] = opened.page.eval_on_selector_all(
        "#first svg.bar",
        """bars => bars.map(bar => [
          parseFloat(bar.querySelector(".between").getAttribute("x1")),
          parseFloat(bar.querySelector("circle").getAttribute("cx")),
          parseFloat(bar.querySelector(".between").getAttribute("x2")),
          bar.querySelector(".between").classList[1],
        ])""",
    )
    return [tuple(each) for each in found]  # type: ignore[misc]


def answer(opened: Opened) -> list[str]:
    page = opened.page
    return [page.inner_text("h1"), *page.locator("p.answer").all_inner_texts()]


@pytest.fixture(scope="module")
def real(request: pytest.FixtureRequest) -> irpref.Collection:
    """Four runs of a real collection."""
    folder = DATA / request.param
    if not folder.is_dir():
        pytest.skip(f"the real collections are not here: {folder}")
    runs = sorted((folder / "runs").iterdir())
    some = runs[:: max(1, len(runs) // 6)][:4]
    users = request.param.startswith("recsys")
    return irpref.collect(folder / "qrels.txt", some, lists=20, users=users)


@pytest.mark.parametrize("real", ["clef-tar17", "recsys-ml-small", "web12"], indirect=True)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_of_many_every_number_is_that_of_python(
    browser: Browser, tmp_path: Path, real: irpref.Collection
) -> None:
    comparison = real.compare([RPP, LP, LR, IPSO @ 10])
    report = comparison.report()
    comparison.to_html(tmp_path / "many.html", title="A real one")
    board = comparison.leaderboard()
    with browser.opened(tmp_path / "many.html") as opened:
        wait(opened)
        assert answer(opened) == list(report.answer)
        assert cells(opened) == report.tables[0].cells(lambda mark: mark)
        about = opened.page.inner_text("#about").split(" · ")
        users = comparison.placements.reading.users
        nouns = ("users", "models") if users else ("topics", "systems")
        assert [about[0], about[1], *about[3:5]] == [
            *("A real one", "qrels.txt"),
            f"{len(comparison.topics):,} {nouns[0]}",
            f"{len(comparison.systems)} {nouns[1]}",
        ]
        drawn = bars(opened)
        assert len(drawn) == len(board)
        last = len(board) - 1
        for place, (_, row) in enumerate(board.iterrows()):
            ends = [(row[each] - 1) / last for each in ("rank_low", "rank_high")]
            # Systems of equal means share a rank.
            expected = [100 * each for each in (ends[0], (row["rank"] - 1) / last, ends[1])]
            assert list(drawn[place][:3]) == pytest.approx(expected, abs=0.06)
            assert drawn[place][3] == ("first" if row["best"] else "even")
        assert (opened.complaints, opened.requests) == ([], [])


@pytest.mark.parametrize("real", ["recsys-ml-small", "trec-covid-r5"], indirect=True)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_of_two_every_number_is_that_of_python(
    browser: Browser, tmp_path: Path, real: irpref.Collection
) -> None:
    comparison = real.select(systems=list(real.systems[:2])).compare([RPP, LP, LR, IPSO @ 10])
    a, b = comparison.systems
    report = comparison.report()
    comparison.to_html(tmp_path / "two.html")
    profile = comparison.profile(a, b, bins=25)
    with browser.opened(tmp_path / "two.html", viewport=WIDE) as opened:
        wait(opened)
        page = opened.page
        assert answer(opened) == list(report.answer)
        assert cells(opened) == report.tables[0].cells(lambda mark: mark)
        # The picture stands beside the table, on the first screen.
        picture, table = (
            page.locator(each).bounding_box() for each in ("#profile", "#first table")
        )
        assert picture["x"] + picture["width"] <= table["x"]
        assert max(picture["y"] + picture["height"], table["y"] + table["height"]) < WIDE["height"]
        assert page.locator("#picture svg").count() == 1
        page.click("text=The profile in numbers")
        rows = page.eval_on_selector_all(
            "#profile-numbers tbody tr",
            "rows => rows.map(row => [...row.cells].map(cell => Number(cell.textContent)))",
        )
        for row, (_, expected) in zip(rows, profile.iterrows(), strict=True):
            half = (expected["high"] - expected["low"]) / 2
            net = expected["wins"] - expected["losses"]
            said = [expected["wins"], expected["losses"], net]
            for number, count in zip(row[1:4], said, strict=True):
                assert number == pytest.approx(100 * count / expected["topics"], abs=0.501)
            # Ends beyond all topics are cut in Python, and in the picture.
            if max(abs(expected["low"]), abs(expected["high"])) < 1 and not math.isnan(half):
                assert row[4] == pytest.approx(100 * half, abs=0.501)
        assert (opened.complaints, opened.requests) == ([], [])


@pytest.mark.parametrize("real", ["clef-tar17", "llmjudge"], indirect=True)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_against_a_baseline_every_number_is_that_of_python(
    browser: Browser, tmp_path: Path, real: irpref.Collection
) -> None:
    comparison = real.compare([RPP, LR])
    baseline = comparison.systems[2]
    report = comparison.report(baseline=baseline)
    comparison.to_html(tmp_path / "baseline.html", baseline=baseline)
    tests = comparison.test(baseline=baseline).set_index("a")
    with browser.opened(tmp_path / "baseline.html") as opened:
        wait(opened)
        assert answer(opened) == list(report.answer)
        assert cells(opened) == report.tables[0].cells(lambda mark: mark)
        names = [row[0] for row in cells(opened)]
        for name, (low, at, high, colour) in zip(names, bars(opened), strict=True):
            row = tests.loc[name]
            ends = row[["low", "mean", "high"]].fillna(row["mean"])
            expected = (50 * (1 + ends)).tolist()
            assert [low, at, high] == pytest.approx(expected, abs=0.06)
            better = "first" if row["mean"] > 0 else "second"
            assert colour == (better if row["significant"] else "even")


@pytest.mark.parametrize("names", [("e", "s"), ("better", "is"), ("all", "users"), ("RPP", "a|b")])
def test_only_names_of_systems_have_their_colours(
    browser: Browser, tmp_path: Path, names: tuple[str, str]
) -> None:
    qrels, runs = demo_paths()
    two = irpref.compare(qrels, dict(zip(names, runs[:2], strict=True)))
    two.to_html(tmp_path / "names.html")
    headline, *more = two.report().answer
    with browser.opened(tmp_path / "names.html") as opened:
        wait(opened)
        assert answer(opened) == [headline, *more]
        found = opened.page.locator("h1 .named").all_inner_texts()
        assert sorted(found) == sorted(names)
        assert opened.page.locator("h1 .first-words").inner_text() == two.systems[0]
        assert opened.complaints == []


def test_a_topic_says_which_list_ends_before_the_other(browser: Browser, tmp_path: Path) -> None:
    documents = [f"d{number:02}" for number in range(30)]
    runs = {
        name: {"1": {each: -float(place) for place, each in enumerate(documents[:depth])}}
        for name, depth in (("long", 30), ("short", 12))
    }
    qrels = {"1": {"d00": 1, "d20": 1}}
    irpref.collect(qrels, runs, lists=100).compare().to_html(tmp_path / "ends.html")
    with browser.opened(tmp_path / "ends.html", "a=long&b=short&topic=1") as opened:
        wait(opened)
        page = opened.page
        said = "short lists 12 documents here, long 30: what stands below 12 counts for long only."
        assert page.inner_text("#topic-depths") == said
        ends = page.eval_on_selector_all(
            "#strip line.axis.faint", "lines => lines.map(line => Number(line.getAttribute('x2')))"
        )
        assert ends[1] / ends[0] == pytest.approx(12.5 / 20.5, abs=0.02)
        # A list of the same length needs no such sentence.
        page.evaluate("location.hash = 'a=long&b=short'")
        assert opened.complaints == []


def test_with_a_margin_bars_have_the_colour_of_the_verdict(
    browser: Browser, tmp_path: Path
) -> None:
    qrels, runs = demo_paths()
    demo = irpref.compare(qrels, runs, "LR")
    how = irpref.PairTest(method="t", margin=0.95, alternative="noninferior")
    report = demo.report(baseline="lm-dirichlet", test=how)
    demo.to_html(tmp_path / "margin.html", baseline="lm-dirichlet", test=how)
    with browser.opened(tmp_path / "margin.html") as opened:
        wait(opened)
        verdicts = report.tables[0].frame["verdict"].to_list()
        assert len(set(verdicts)) > 1
        colours = {"undecided": "even", "worse": "second"}
        assert [each[3] for each in bars(opened)] == [
            colours.get(verdict, "first") for verdict in verdicts
        ]
        assert "only what the first table shows was tested" in opened.page.inner_text(
            "#verdict-how"
        )
