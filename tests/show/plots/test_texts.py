"""Texts in pictures: as they are, whole, beside each other; and nothing outside of a picture changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import irpref
from irpref.api.comparison_plots import ComparisonPlots
from irpref.show.plots.figures import picture
from irpref.show.plots.labels import plain_names, whole_figure
from tests.random_cases import make_case
from tests.show.plots.drawn import comparison_of, free, misplaced, row_names, texts, title

pytestmark = pytest.mark.slow

TEST = irpref.PairTest(method="t", rng=3, n_resamples=40)
LONG = "a-very-long-name-of-a-system-with-{}-in-its-middle-and-an-end"
HOSTILE = [
    LONG.format("$x$"),
    LONG.format("$y_$"),
    "$x$",
    r"\$\frac{1}{2}$",
    "_hidden",
    "two\nlines",
    "naïve Ω",
    "%s {}",
]

PICTURES: dict[str, Callable[[ComparisonPlots, str, str], object]] = {
    "profile": lambda plot, a, b: plot.profile(a, b),
    "graded": lambda plot, a, b: plot.profile(a, b, graded=True),
    "strip": lambda plot, a, b: plot.strip("t0", a, b, depth=9),
    "topics": lambda plot, a, b: plot.topics(a, b),
    "outcomes": lambda plot, a, b: plot.outcomes(a, b),
    "ranks": lambda plot, a, b: plot.ranks(test=TEST),
    "matrix": lambda plot, a, b: plot.matrix(test=TEST),
    "scatter": lambda plot, a, b: plot.scatter(),
}
OF_ALL = ("ranks", "matrix", "scatter")


def drawn(name: str, systems: list[str]) -> Figure:
    plot = free(comparison_of(systems))
    return whole_figure(PICTURES[name](plot, *systems[:2]))  # type: ignore[arg-type]


# Of 20, cells have numbers; with 70 a matrix grows, and a scatter names the best only.
@pytest.mark.parametrize(
    ("name", "systems"),
    [
        *(("matrix", systems) for systems in (2, 20, 70)),
        *(("ranks", systems) for systems in (2, 70)),
        *(("scatter", systems) for systems in (2, 20, 70)),
    ],
)
def test_no_text_runs_into_another_or_out_of_the_picture(name: str, systems: int) -> None:
    figure = drawn(name, [f"system-of-a-longer-name-{each}" for each in range(systems)])
    assert misplaced(figure) == []
    if name != "scatter":
        assert len(row_names(figure.axes[0])) == systems
        assert min(each.get_fontsize() for each in figure.axes[0].get_yticklabels()) >= 6.5


@pytest.mark.parametrize("systems", [2, 12])
def test_names_are_whole_when_a_picture_is_first_written(systems: int) -> None:
    """At another number of dots than it was laid out for."""
    figure = drawn("matrix", [f"a-system-of-a-longer-name-{each}" for each in range(systems)])
    seen: list[float] = []
    figure.canvas.mpl_connect(
        "draw_event",
        lambda event: seen.extend(
            label.get_window_extent(event.renderer).x0  # type: ignore[attr-defined]
            for label in figure.axes[0].get_yticklabels()
        ),
    )
    figure.savefig(BytesIO(), dpi=80)
    assert min(seen) > 0


@pytest.mark.parametrize("name", PICTURES)
def test_a_title_says_of_whom_and_on_how_many_topics_and_nothing_names_a_seed(name: str) -> None:
    systems = ["some-system", "other-system", "third-system"]
    figure, topics = drawn(name, systems), len(comparison_of(systems).topics)
    said = [each.get_text().replace("\n", " ") for each in texts(figure)]
    titles = [each for each in said if f" {topics} topics" in each or "t0" in each]
    whom = "3 systems" if name in OF_ALL else "some-system"
    assert any(whom in each for each in titles)
    assert not any("seed" in each for each in said)


def test_a_long_title_is_broken_where_the_picture_ends() -> None:
    preferences = [f"RPP(weights='inverse', rel={each})@100" for each in (1, 2, 3)]
    case = make_case(5, topics=8, systems=22)
    figure = whole_figure(
        free(irpref.compare(case.qrels, case.runs, preferences)).scatter(*preferences)
    )
    assert misplaced(figure) == []
    assert title(figure.axes[0]).count("\n") >= 2


def test_in_a_small_axes_names_are_left_out_rather_than_written_over_each_other() -> None:
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    free(comparison_of([f"system-{each}" for each in range(70)])).matrix(ax=axes)
    assert misplaced(figure) == []
    assert 0 < len(row_names(axes)) < 70


@pytest.mark.parametrize("name", PICTURES)
def test_names_are_drawn_letter_by_letter_the_same_every_time(name: str) -> None:
    before = dict(mpl.rcParams)
    figure = drawn(name, HOSTILE)
    first = picture(figure, "svg") if name == "topics" else b""
    assert misplaced(figure) == []
    said = "\n".join(_shown(each) for each in texts(figure))
    assert "$x$-in-its" in said or "a-very-l…x$-in-it" in said
    assert "two\nlines" not in said
    if name in ("ranks", "matrix"):
        for each in HOSTILE[2:]:
            assert each.replace("\n", r"\n") in said
    if first:
        assert picture(drawn(name, HOSTILE), "svg") == first
        assert b"<dc:date>" not in first
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("depth", [None, 12])
def test_names_of_two_deciding_levels_stand_above_each_other(depth: int | None) -> None:
    places = {"x": (2, 9, 11, 15, 18), "y": (2, 10, 12, 15, 18)}
    runs = {
        name: {"1": {f"d{at.index(p)}" if p in at else f"u{p}": 99.0 - p for p in range(1, 21)}}
        for name, at in places.items()
    }
    comparison = irpref.compare({"1": {f"d{each}": 1 for each in range(5)}}, runs)
    axes = free(comparison).strip("1", "y", "x", depth=depth)
    assert misplaced(whole_figure(axes)) == []
    cut = "" if depth is None else "@12"
    assert [each.get_text() for each in axes.texts] == [f"LP{cut}: level 2", f"LR{cut}: level 3"]


def _shown(text: Text) -> str:
    """What matplotlib makes of a text: nothing in it is a formula."""
    shown, formula = text._preprocess_math(text.get_text())
    assert formula is False
    return shown


def test_long_names_are_shortened_and_still_differ() -> None:
    names = [LONG.format(each) for each in range(30)]
    short = plain_names(names)
    assert len(set(short)) == 30
    assert max(map(len, short)) <= 28
    assert plain_names(["same", "same"]) == ["same", "same"]
    assert plain_names(["x" * 40, "x" * 50]) != ["x" * 40, "x" * 50]


def test_without_an_axes_pyplot_has_the_figure() -> None:
    comparison = comparison_of(["a", "b"])
    try:
        axes = comparison.plot.outcomes("a", "b")
        assert plt.gcf() is axes.figure
        assert comparison.plot.profile("a", "b") is plt.gcf()
    finally:
        plt.close("all")


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = comparison_of(["a", "b"])
    for name in list(sys.modules):
        if name.startswith(("irpref.show.plots", "irpref.api.comparison_plots")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pictures need matplotlib: pip install matplotlib"):
        _ = comparison.plot
