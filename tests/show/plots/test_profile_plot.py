"""The picture of the profile shows what counting by hand gives."""

from __future__ import annotations

from collections import Counter
from math import isnan, nan, sqrt
from statistics import fmean, stdev

import pandas as pd
import pytest
import scipy.stats
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

import irpref
from irpref import LP, LR, RPP
from irpref.show.plots.colours import BLUE, VERMILLION
from tests.pairwise.test_profile import signs_by_topic
from tests.random_cases import Case, make_case
from tests.show.plots.drawn import comparison_of, free, row_names, title

_SCORES = {"system": ["a", "b"], "topic": ["1", "1"], "value": [0.5, 0.25]}
CASES = [make_case(seed, topics=9, systems=2, documents=6) for seed in (1, 2, 3)]


def parts(figure: Figure, panel: int = 0) -> tuple[list[float], list[float], list[float]]:
    """The heights of both areas and of the line, in percent of the topics."""
    won, lost, _, net = (list(each.get_data().values) for each in steps(figure, panel))
    return won, lost, net


def steps(figure: Figure, panel: int = 0) -> list[StepPatch]:
    """Both areas, the band and the line."""
    return [each for each in figure.axes[3 * panel + 1].patches if isinstance(each, StepPatch)]


def literal_shares(case: Case, rel: int, cutoff: int | None) -> list[tuple[float, float]]:
    """By bin of 120, the percent of the topics that either system wins; 6 levels and fewer fit."""
    topics = signs_by_topic(case, rel, cutoff)
    found = []
    for place in range(120):
        signs = [signs[place * len(signs) // 120] for signs in topics]
        found.append(tuple(100 * signs.count(sign) / len(signs) for sign in (1, -1)))
    return found


@pytest.mark.parametrize(("number", "rel", "cutoff"), [(0, 1, None), (1, 2, 3), (2, 1, 4)])
def test_heights_are_the_topics_won_and_lost(number: int, rel: int, cutoff: int | None) -> None:
    case = CASES[number]
    binary = RPP(graded=False, rel=rel)
    binary = binary if cutoff is None else binary @ cutoff
    comparison = irpref.compare(case.qrels, case.runs, binary)
    figure = free(comparison).profile("s0", "s1", rel=rel, cutoff=cutoff)
    won, lost, net = parts(figure)
    wanted = literal_shares(case, rel, cutoff)
    assert won == pytest.approx([each for each, _ in wanted])
    assert lost == pytest.approx([-each for _, each in wanted])
    assert net == pytest.approx([one - other for one, other in wanted])
    mean = comparison.mean(binary).loc["s0", "s1"]
    assert sum(net) / len(net) / 100 == pytest.approx(mean)
    said = f"net {mean:+.3f} on average = binary RPP".replace("-", "−")
    band, text = figure.axes[1].get_legend().get_texts()
    assert band.get_text() == "its pointwise 95 % interval"
    assert text.get_text() == said + ("" if cutoff is None else f"@{cutoff}")


@pytest.mark.parametrize("number", range(3))
def test_the_band_is_students_interval_at_each_share(number: int) -> None:
    case = CASES[number]
    figure = free(irpref.compare(case.qrels, case.runs, RPP)).profile("s0", "s1")
    topics = signs_by_topic(case)
    band = steps(figure)[2].get_data()
    lowest, highest = figure.axes[1].get_ylim()
    for place, (low, high) in enumerate(zip(band.baseline, band.values, strict=True)):
        signs = [each[place * len(each) // 120] for each in topics]
        wanted = [nan, nan]
        if (spread := stdev(signs)) > 0:
            half = scipy.stats.t.ppf(0.975, len(signs) - 1) * spread / sqrt(len(signs))
            wanted = [100 * max(fmean(signs) - half, -1), 100 * min(fmean(signs) + half, 1)]
        assert [low, high] == pytest.approx(wanted, nan_ok=True)
        assert isnan(low) or lowest < low < high < highest
    assert (
        title(figure) == f"Who reaches each share of recall first: s0 or s1, {len(topics)} topics"
    )


@pytest.mark.parametrize("number", range(3))
def test_ticks_are_the_topics_that_lp_and_lr_decide(number: int) -> None:
    case = CASES[number]
    comparison = irpref.compare(case.qrels, case.runs, [LP, LR])
    figure = free(comparison).profile("s0", "s1")
    topics = signs_by_topic(case)
    for axes, preference, first in ((figure.axes[0], "LP", True), (figure.axes[2], "LR", False)):
        decided: Counter[tuple[float, int]] = Counter()
        for signs in topics:
            levels = [level for level, sign in enumerate(signs) if sign]
            if levels:
                level = levels[0 if first else -1]
                decided[round(100 * (level + 1) / len(signs), 9), signs[level]] += 1
        most = max(decided.values())
        drawn = {}
        [ticks] = axes.collections
        for ((x, _), (_, top)), colour in zip(ticks.get_segments(), ticks.get_color(), strict=True):
            sign = {BLUE: 1, VERMILLION: -1}[to_hex(colour).upper()]
            assert (top > 0) == (sign > 0)
            drawn[round(float(x), 9), sign] = round(abs(top) * most)
        assert drawn == dict(decided)
        values = comparison.per_topic(preference, "s0", "s1")
        assert row_names(axes) == [str((values > 0).sum()), str((values < 0).sum())]


def test_each_grade_has_a_panel_that_says_its_own_rpp() -> None:
    comparison = comparison_of(["a", "b"], topics=12)
    figure = free(comparison).profile("a", "b", graded=True)
    assert len(figure.axes) == 9
    for panel, rel in enumerate((1, 2, 3)):
        mean = comparison.profile("a", "b", rel=rel)["mean"].mean()
        (heading,) = figure.axes[3 * panel].texts
        said = f"grade ≥ {rel}\nnet {mean:+.3f} on average = binary RPP"
        assert heading.get_text() == said.replace("-", "−")
        assert sum(parts(figure, panel)[2]) / 120 == pytest.approx(100 * mean)


def test_a_part_of_a_figure_is_drawn_into() -> None:
    figure = Figure(figsize=(12, 5))
    left, right = figure.subfigures(1, 2)
    assert free(comparison_of(["a", "b"])).profile("a", "b", figure=right) is right
    assert (len(left.axes), len(right.axes)) == (0, 3)


def test_what_cannot_be_drawn_is_said() -> None:
    plot = free(comparison_of(["a", "b"]))
    with pytest.raises(ValueError, match="no topic of a and b has a relevant item of grade 9"):
        plot.profile("a", "b", rel=9)
    with pytest.raises(ValueError, match="no topic of a and b has a relevant item of grade 9"):
        plot.topics("a", "b", rel=9)
    with pytest.raises(ValueError, match="topic t0 has no relevant item of grade 9 or above"):
        plot.strip("t0", "a", "b", rel=9)
    with pytest.raises(ValueError, match="graded must be True or False"):
        plot.profile("a", "b", graded=2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a cutoff must be a whole number of at least 1, not 0"):
        plot.profile("a", "b", cutoff=0)
    with pytest.raises(ValueError, match="depth must be a whole number of at least 1, not 0"):
        plot.topics("a", "b", depth=0)
    with pytest.raises(ValueError, match="unknown system 'c'"):
        plot.outcomes("a", "c")
    scores = irpref.compare_scores(pd.DataFrame(_SCORES))
    with pytest.raises(ValueError, match=r"plot\.profile needs rankings"):
        free(scores).profile("a", "b")
