"""The picture of a study shows the findings, no others, and all of them."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from irpref.show.plots.figures import free_figure
from irpref.show.plots.study_plot import draw_study
from irpref.show.reports.study_report import Picture
from irpref.studies.findings import Finding

NAN = math.nan


def frame_of(*rows: tuple[str, Finding]) -> pd.DataFrame:
    return pd.DataFrame(
        [(name, *finding) for name, finding in rows], columns=["collection", *Finding._fields]
    )


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
    picture = Picture("lines", x="share kept", y="tau", where=TAU, reference=0.5)
    axes = draw_study(LINES[LINES["collection"] == "one"], picture, new_figure=free_figure)
    reference, *lines = axes.get_lines()
    assert list(reference.get_ydata()) == [0.5, 0.5]
    assert [list(line.get_xdata()) for line in lines] == [[0.1, 0.5, 1.0]] * 2
    assert [list(line.get_ydata()) for line in lines] == [
        pytest.approx([0.5, 0.6, 0.7]),
        pytest.approx([0.7, 0.8, 0.9]),
    ]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["RR", r"\$x\$"]
    low, high = axes.collections[0].get_paths()[0].get_extents().intervaly
    assert (low, high) == pytest.approx((0.4, 0.8))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("share kept", "tau")


def test_panels_have_one_scale_and_say_whose_they_are() -> None:
    lines = Picture("lines", x="x", y="y", where=TAU, scale="log")
    figure = draw_study(LINES, lines, new_figure=free_figure)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in shown] == ["one", "two"]
    assert shown[0].get_ylim() == shown[1].get_ylim()
    assert {axes.get_xscale() for axes in shown} == {"log"}
    assert [axes.get_legend() is not None for axes in shown] == [False, True]


def test_a_method_has_one_colour_in_all_panels() -> None:
    findings = frame_of(
        ("one", Finding("LP", "", "tau", "0.1", 0.3)),
        ("one", Finding("RR", "", "tau", "0.1", 0.4)),
        ("two", Finding("RR", "", "tau", "0.1", 0.5)),
    )
    one, two = draw_study(findings, Picture("lines", x="x", y="y"), new_figure=free_figure).axes
    colours = [
        {line.get_label(): line.get_color() for line in axes.get_lines() if len(line.get_xdata())}
        for axes in (one, two)
    ]
    assert list(colours[1]) == ["RR"]
    assert colours[0]["RR"] == colours[1]["RR"] != colours[0]["LP"]
    # The legend is beside the last panel of the first row, and has the methods of all panels.
    assert [text.get_text() for text in two.get_legend().get_texts()] == ["LP", "RR"]


def test_a_dot_for_each_method_with_its_interval() -> None:
    dots = frame_of(
        ("", Finding("LP", "", "strict", "", 0.2, 0.1, 0.4, 9)),
        ("", Finding("RR", "", "strict", "", 0.6, 0.5, 0.7, 9)),
        ("", Finding("RR", "", "half", "", 0.8, NAN, NAN, 9)),
    )
    picture = Picture("dots", x="agreement", series=("method", "condition"))
    axes = draw_study(dots, picture, new_figure=free_figure)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["LP", "RR"]
    bars = [tuple(line.get_xdata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert (0.1, 0.4) in bars
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["strict", "half"]
    shown = {
        (float(x), round(float(y)))
        for line in axes.get_lines()
        if line.get_marker() not in ("", "None", None)
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    }
    assert shown == {(0.2, 0), (0.6, 1), (0.8, 1)}


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(ValueError, match="no number that its picture shows"):
        draw_study(
            LINES, Picture("lines", x="x", where={"condition": ["no"]}), new_figure=free_figure
        )
