"""The picture of a study shows the findings, no others, and all of them, with names that are whole."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from irpref.show.plots.figures import free_figure
from irpref.show.plots.labels import whole_figure
from irpref.show.plots.study_plot import draw_study
from irpref.show.reports.study_report import Picture
from irpref.studies import known_studies
from irpref.studies.findings import Finding
from tests.show.plots.drawn import misplaced, row_names

pytestmark = pytest.mark.slow

NAN = math.nan


def frame_of(*rows: tuple[str, Finding]) -> pd.DataFrame:
    return pd.DataFrame(
        [(name, *finding) for name, finding in rows], columns=["collection", *Finding._fields]
    )


def drawn(frame: pd.DataFrame, picture: Picture, title: str = "") -> list[Axes]:
    whole = draw_study(frame, picture, title=title, new_figure=free_figure)
    assert misplaced(whole_figure(whole)) == []
    return whole.axes if isinstance(whole, Figure) else [whole]


def line_of(method: str, *heights: float, name: str = "") -> list[tuple[str, Finding]]:
    return [
        (name, Finding(method, "", "tau", str(place + 1), y, n=5))
        for place, y in enumerate(heights)
    ]


def names_of(axes: Axes) -> list[str]:
    """What is written behind the lines, from below."""
    names = [text for text in axes.texts if text.get_text()]
    return [text.get_text() for text in sorted(names, key=lambda each: each.get_position()[1])]


def lines_of(axes: Axes) -> list[Line2D]:
    """The points of each line; what joins them has no marks."""
    return [line for line in axes.get_lines() if line.get_marker() != "None"]


def strokes_of(axes: Axes) -> list[Line2D]:
    return [line for line in axes.get_lines() if line.get_marker() == "None"]


def seen_colours(axes: Axes, x: float, y: float, around: int = 12) -> set[str]:
    """The colours of the styles that are seen so many pixels around a point."""
    canvas = FigureCanvasAgg(whole_figure(axes))
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[::-1, :, :3]
    column, row = (round(float(each)) for each in axes.transData.transform((x, y)))
    part = pixels[row - around : row + around, column - around : column + around].reshape(-1, 3)
    return {
        colour
        for colour in {line.get_color() for line in lines_of(axes)}
        if (np.abs(part - 255 * np.array(to_rgb(colour))).max(axis=1) < 30).any()
    }


LINES = frame_of(
    *(
        (name, Finding(method, "", "tau", str(x), y, y - 0.1, y + 0.1, 5))
        for name in ("one", "two")
        for method, height in (("RR", 0.5), ("$x$", 0.7))
        # The treatments are in no order.
        for x, y in ((1, height + 0.2), (0.1, height), (0.5, height + 0.1))
    ),
    ("one", Finding("RR", "", "other", "0.1", 9.0)),
    ("one", Finding("RR", "", "tau", "0.2", NAN)),
)
TAU = {"condition": ["tau"]}


def test_a_line_for_each_method_in_the_order_of_what_was_varied() -> None:
    picture = Picture("lines", x="share kept", y="tau", where=TAU)
    [axes] = drawn(LINES[LINES["collection"] == "one"], picture, "What is it?")
    lines = lines_of(axes)
    assert [list(line.get_xdata()) for line in lines] == [[0.1, 0.5, 1.0]] * 2
    assert [list(line.get_ydata()) for line in lines] == [
        pytest.approx([0.5, 0.6, 0.7]),
        pytest.approx([0.7, 0.8, 0.9]),
    ]
    assert names_of(axes) == ["RR", r"\$x\$"]
    low, high = axes.collections[0].get_paths()[0].get_extents().intervaly
    assert (low, high) == pytest.approx((0.4, 0.8))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("share kept", "tau")
    assert axes.get_title(loc="left") == "What is it? (with 95 % intervals)\none"


def test_panels_of_one_kind_have_one_scale_and_say_whose_they_are() -> None:
    below = frame_of(*line_of("RR", 0.1, -0.2, name="two"), *line_of("RR", 0.1, 0.2, name="one"))
    picture = Picture("lines", x="x", y="y", where=TAU)
    one, two = drawn(below, picture, "What is it?")
    assert [axes.get_title(loc="left") for axes in (one, two)] == ["two", "one"]
    assert one.figure.get_suptitle() == "What is it?"
    # An axis begins at a quarter.
    assert one.get_ylim() == two.get_ylim() == pytest.approx((-0.2875, 1.0375))
    assert (one.get_ylabel(), two.get_ylabel()) == ("y", "")
    # A share is from 0 to 1; an interval may be beyond.
    [axes, _] = drawn(LINES, picture)
    assert axes.get_ylim() == pytest.approx((-0.03, 1.03))
    [axes, _] = drawn(LINES.assign(high=3.0), picture)
    assert axes.get_ylim() == pytest.approx((-0.09, 3.09))


def test_collections_with_several_panels_have_a_row_each_also_if_one_is_missing() -> None:
    rows = [
        (name, Finding("RR", "", condition, "1", 0.5, n=5))
        for name, condition in (("a", "strict"), ("a", "tau"), ("b", "tau"), ("c", "strict"))
    ]
    picture = Picture("lines", x="x", y="y", panels=("condition",))
    places = {
        axes.get_title(loc="left"): (spec.rowspan.start, spec.colspan.start, axes.get_xlabel())
        for axes in drawn(frame_of(*rows), picture)
        if (spec := axes.get_subplotspec())
    }
    assert places == {
        "a, strict": (0, 0, ""),
        "a, tau": (0, 1, ""),
        "b, tau": (1, 1, "x"),
        "c, strict": (2, 0, "x"),
    }


def test_lines_on_each_other_are_all_seen() -> None:
    lines = frame_of(
        *line_of("AP", 1, 0.5, 0.3),
        *line_of("RP", 1, 0.5001, 0.3),
        *line_of("TSE", 1, 0, 0),
        *line_of("R@1000", 1, 0.5, 0.3),
        # It ends where others do.
        *line_of("RR", 1, 0.9, 0.3),
    )
    [axes] = drawn(lines, Picture("lines", x="x", y="y"))
    assert names_of(axes) == ["TSE", "AP", "R@1000", "RP", "RR"]
    colours = [line.get_color() for line in lines_of(axes)]
    assert len(set(colours)) == 5
    # All three on their way, with no mark near by; and the others are seen whole.
    assert seen_colours(axes, 1.5, 0.75) == set(colours[1:4])
    assert len(seen_colours(axes, 1.5, 0.5, 2)) == len(seen_colours(axes, 1.5, 0.95, 2)) == 1
    # No two have one style over the same piece.
    styles: dict[tuple[float, ...], list[tuple[str, str]]] = {}
    for stroke in strokes_of(axes):
        place = *stroke.get_xdata(), *np.round(stroke.get_ydata(), 2)
        styles.setdefault(place, []).append(
            (stroke.get_color(), str(stroke._unscaled_dash_pattern))
        )
    shared = [each for each in styles.values() if len(each) > 1]
    assert shared
    for each in shared:
        own, dashes = zip(*each, strict=True)
        assert len(set(own)) == len(set(dashes)) == len(each)


def test_each_point_has_one_mark_and_each_line_has_some() -> None:
    lines = frame_of(
        *line_of("AP", 1, 0.5, 0.3, 0.2),
        *line_of("RP", 1, 0.5, 0.3, 0.2),
        # Its only point is below others.
        *line_of("RR", 1),
    )
    [axes] = drawn(lines, Picture("lines", x="x", y="y"))
    marks = [line.get_markevery() for line in lines_of(axes)]
    assert sorted(point for each in marks for point in each) == [0, 1, 2, 3]
    assert sorted(len(each) for each in marks) == [1, 1, 2]
    assert len({line.get_marker() for line in lines_of(axes)}) == 3


def test_a_line_goes_on_over_what_only_others_have() -> None:
    lines = [each for each in line_of("AP", 0.2, 0.8, 0.4) if each[1].treatment != "2"]
    [axes] = drawn(frame_of(*lines, *line_of("RR", 0, 0, 0)), Picture("lines", x="x", y="y"))
    assert len(seen_colours(axes, 1.5, 0.25)) == len(seen_colours(axes, 2.5, 0.35)) == 1


def test_bands_of_the_spread_are_the_estimate_and_one_deviation_on_each_side() -> None:
    heights, spreads = (0.5, 0.7, 0.9), (0.2, 0.1, 0.3)
    lines = frame_of(
        *(
            ("", Finding("RR", "", "tau", str(x), y, 0.0, 1.0, n=5, spread=spread))
            for x, (y, spread) in enumerate(zip(heights, spreads, strict=True))
        )
    )
    [axes] = drawn(lines, Picture("lines", x="x", y="y", spread=True), "What?")
    assert axes.get_title(loc="left").strip() == "What? (with ± 1 standard deviation)"
    corners = axes.collections[0].get_paths()[0].vertices.round(3).tolist()
    for x, (y, spread) in enumerate(zip(heights, spreads, strict=True)):
        assert [x, round(y - spread, 3)] in corners
        assert [x, round(y + spread, 3)] in corners
    # A band may be cut where no correlation can be.
    assert axes.get_ylim() == pytest.approx((-0.03, 1.03))


def test_many_lines_that_end_together_have_names_beside_each_other() -> None:
    lines = [
        each for number in range(40) for each in line_of(f"method-{number:02}", number / 40, 1)
    ]
    [axes] = drawn(frame_of(*lines), Picture("lines", x="x", y="y"))
    assert names_of(axes) == [f"method-{number:02}" for number in range(40)]


def test_long_names_are_whole() -> None:
    long = [f"{letter}-name-of-more-than-forty-letters-with-{letter}-in-it" for letter in "abcd"]
    lines = [each for name in long for each in line_of(name, 0.1, 0.2)]
    [axes] = drawn(frame_of(*lines), Picture("lines", x="x", y="y"))
    assert [name.replace("\n", "") for name in names_of(axes)] == long
    assert axes.get_position().width > 0.3


@pytest.mark.parametrize(
    ("varied", "scale", "ticks"),
    [
        ([1, 5, 6, 15], "linear", ["1", "5", "15"]),
        ([10, 100, 1000, 100_000, 250_000], "log", ["10", "100", "1,000", "100,000"]),
        (range(1, 16), "linear", ["1", "3", "5", "7", "9", "11", "13", "15"]),
    ],
)
def test_ticks_are_at_what_was_varied(varied: list[int], scale: str, ticks: list[str]) -> None:
    found = frame_of(*(("", Finding("RR", "", "tau", str(each), 0.5)) for each in varied))
    [axes] = drawn(found, Picture("lines", x="x", y="y"))
    assert axes.get_xscale() == scale
    assert [label.get_text() for label in axes.get_xticklabels()] == ticks
    assert not list(axes.xaxis.get_minor_locator()())


def test_a_method_has_one_colour_in_all_panels() -> None:
    findings = frame_of(
        *line_of("LP", 0.3, name="one"),
        *line_of("RR", 0.4, name="one"),
        *line_of("RR", 0.5, name="two"),
    )
    one, two = drawn(findings, Picture("lines", x="x", y="y"))
    assert (names_of(one), names_of(two)) == (["LP", "RR"], ["RR"])
    lp, rr = (line.get_color() for line in lines_of(one))
    assert [line.get_color() for line in lines_of(two)] == [rr] != [lp]


def test_a_dot_for_each_method_with_its_interval() -> None:
    dots = frame_of(
        ("", Finding("LP", "", "strict", "", 0.2, 0.1, 0.4, 9)),
        ("", Finding("RR", "", "strict", "", 0.6, 0.5, 0.7, 9)),
        ("", Finding("RR", "", "half", "", 0.8, NAN, NAN, 9)),
    )
    picture = Picture("dots", x="agreement", series=("method", "condition"))
    [axes] = drawn(dots, picture, "A question that is long enough for more than a line, is it not?")
    assert row_names(axes) == ["LP", "RR"]
    bars = [
        tuple(part[:, 0]) for each in axes.collections for part in each.get_segments() if len(part)
    ]
    assert (0.1, 0.4) in bars
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["strict", "half"]
    shown = {
        (float(x), round(float(y)))
        for line in axes.get_lines()
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    }
    assert shown == {(0.2, 0), (0.6, 1), (0.8, 1)}
    assert axes.get_xlim() == pytest.approx((-0.03, 1.03))


def test_the_legend_is_beside_the_first_row_with_the_dots_of_all_panels() -> None:
    dots = frame_of(
        *((name, Finding("LP", "", "strict", "", 0.2)) for name in "abc"),
        ("c", Finding("LP", "", "half", "", 0.8)),
    )
    panels = drawn(dots, Picture("dots", x="agreement", series=("method", "condition")))
    legends = [axes.get_legend() for axes in panels]
    assert [legend is not None for legend in legends] == [False, True, False]
    assert [text.get_text() for text in legends[1].get_texts()] == ["strict", "half"]


def cells_of(systems: int, names: str = "ABC") -> pd.DataFrame:
    return frame_of(
        *(
            (name, Finding(one, other, "tau", "", -0.126, -1.0, 0.5, systems))
            for name in ("one", "two")
            for one in names
            for other in names
            if one < other
        ),
    )


CELLS = Picture("cells", x="tau", series=("method", "against"), least=3)


def test_a_cell_for_every_two_methods_with_its_interval() -> None:
    findings = cells_of(3)
    findings.loc[0, ["estimate", "low", "high"]] = NAN
    one, _ = drawn(findings, CELLS, "Is it so?")
    assert row_names(one) == ["A", "B"]
    assert [label.get_text() for label in one.get_xticklabels()] == ["B", "C"]
    assert {text.get_position(): text.get_text() for text in one.texts} == {
        (0, 0): "–",
        (1, 0): "−.13\n[−1.00, .50]",
        (1, 1): "−.13\n[−1.00, .50]",
    }
    [image] = one.get_images()
    # The other half is empty; 0 is white.
    assert image.get_array().mask.tolist() == [[True, False], [True, False]]
    assert image.norm.vmin == -image.norm.vmax


def test_the_same_method_has_one_place_among_rows_and_columns() -> None:
    rows = [("", Finding(one, other, "", "", 0.5)) for one in "CAB" for other in "CAB"]
    [axes] = drawn(
        frame_of(*(each for each in rows if each[1][0] != each[1][1])),
        CELLS.__class__("cells", x="share", series=("method", "against")),
    )
    assert row_names(axes) == [label.get_text() for label in axes.get_xticklabels()]
    assert row_names(axes) == ["C", "A", "B"]


def test_too_many_cells_have_no_intervals() -> None:
    one, _ = drawn(cells_of(9, "ABCDEFGHIJKLMNOP"), CELLS)
    assert {text.get_text() for text in one.texts} == {"−.13"}


def test_of_two_systems_the_picture_says_that_there_is_nothing_to_draw() -> None:
    figure = draw_study(cells_of(2), CELLS, title="Is it so?", new_figure=free_figure)
    assert isinstance(figure, Figure)
    assert figure.get_suptitle() == "Is it so?"
    figure.draw_without_rendering()
    for axes in figure.axes:
        [text] = axes.texts
        assert text.get_text() == "nothing to draw of 2 systems:\n3 or more are needed"
        assert axes.bbox.contains(*text.get_window_extent().min)
        assert not axes.axison
    assert known_studies()["correlation"].picture.least == 3


SHARES = {"both": 0.5, "neither": 0.25, "metric only": 0.2, "IPSO only": 0.05}
STACKS = Picture(
    "stacks",
    x="share",
    y="k",
    where={"condition": [f"{kind}, {test}" for kind in SHARES for test in "ab"]},
    series=("part",),
    panels=("case",),
    beside=Picture(
        "triangle",
        x="ranks",
        where={"condition": [f"{kind}, pair" for kind in SHARES]},
        series=("part",),
        panels=("treatment",),
    ),
)
PAIRS = {("s", "t"): "IPSO only", ("s", "u"): "both", ("t", "u"): "neither"}


def stacks_of(*names: str) -> pd.DataFrame:
    shares = [
        (name, Finding(method, "IPSO", f"{kind}, {test}", k, share, n=3))
        for name in names
        for method in ("RR", "P")
        for k in ("5", "10")
        for test in "ab"
        for kind, share in SHARES.items()
    ]
    pairs = [
        (name, Finding(*systems, f"{kind}, pair", "P@10", 0.1, n=9))
        for name in names
        for systems, kind in PAIRS.items()
    ]
    return frame_of(*shares, *pairs)


def test_stacks_are_bars_of_shares_that_make_up_a_whole() -> None:
    panels = drawn(stacks_of("one", "two"), STACKS)
    titles = [f"{name}, {what}" for name in ("one", "two") for what in ("a", "b", "P@10")]
    assert [axes.get_title(loc="left") for axes in panels] == titles
    for axes in (panels[0], panels[1]):
        bars = sorted((round(bar.get_y(), 3), bar.get_x(), bar) for bar in axes.patches)
        rows = [bars[start : start + 4] for start in range(0, 16, 4)]
        for row in rows:
            assert len({y for y, _, _ in row}) == 1
            assert [bar.get_width() for _, _, bar in row] == pytest.approx([*SHARES.values()])
            assert row[-1][1] + row[-1][2].get_width() == pytest.approx(1)
            assert len({bar.get_facecolor() for _, _, bar in row}) == 4
    assert row_names(panels[0]) == ["RR\nk = 5 … 10", "P\nk = 5 … 10"]
    # Names stand on the left of the first panel only.
    shown = [axes.yaxis.get_major_ticks()[0].label1.get_visible() for axes in panels[:3]]
    assert shown == [True, False, True]


def test_cells_of_the_triangle_have_the_colours_of_their_bars_by_rank() -> None:
    first, _, triangle = drawn(stacks_of("one"), STACKS)
    by_width = {round(bar.get_width(), 3): bar.get_facecolor()[:3] for bar in first.patches}
    [image] = triangle.get_images()
    cells = image.get_array()
    for (better, other), kind in PAIRS.items():
        cell = cells["stu".index(other), "stu".index(better)]
        assert tuple(cell) == pytest.approx(by_width[SHARES[kind]])
    assert (np.asarray(cells)[np.triu_indices(3)] == 1).all()
    # From the first rank, on the left and below, to the last.
    assert (image.get_extent(), image.origin) == ([0.5, 3.5, 0.5, 3.5], "lower")
    legend = triangle.get_legend()
    names = [text.get_text() for text in legend.get_texts()]
    colours = [patch.get_facecolor()[:3] for patch in legend.get_patches()]
    assert dict(zip(names, colours, strict=True)) == {
        kind: by_width[share] for kind, share in SHARES.items()
    }


def test_shades_differ_in_grey() -> None:
    [first, *_] = drawn(stacks_of("one"), STACKS)
    greys = sorted(
        np.dot((0.299, 0.587, 0.114), colour[:3])
        for colour in {bar.get_facecolor() for bar in first.patches}
    )
    assert min(np.diff(greys)) > 0.12


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(ValueError, match="no number that its picture shows"):
        draw_study(
            LINES, Picture("lines", x="x", where={"condition": ["no"]}), new_figure=free_figure
        )
