"""Every picture shows the numbers of the comparison, and nothing else."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import irpref
from irpref import PairTest
from irpref.show.plots.colours import BLUE, GREY, TIE, VERMILLION, ahead_or_behind
from tests import literal
from tests.random_cases import make_case
from tests.show.plots.drawn import comparison_of, free, row_names, segments, texts

TEST = irpref.PairTest(rng=3, n_resamples=60)
SIX = comparison_of([f"s{each}" for each in range(6)], topics=12)


def test_bars_are_outcomes() -> None:
    axes = free(SIX).outcomes("s1", "s4")
    assert row_names(axes) == ["RPP", "LP", "LR", "IPSO@10"]
    bars = [(each.get_y(), to_hex(each.get_facecolor()), each.get_width()) for each in axes.patches]
    assert {each.get_hatch() for each in axes.patches} == {None, "////"}
    colours = {"wins": BLUE, "ties": TIE, "losses": VERMILLION, "nonseparable": "#FFFFFF"}
    for row, preference in enumerate(SIX.preferences):
        outcomes = SIX.outcomes(preference).set_index(["a", "b"]).loc[("s1", "s4")]
        wanted = {colours[name].lower(): count for name, count in outcomes.items()}
        drawn = {colour: width for y, colour, width in bars if y == pytest.approx(row - 0.34)}
        assert drawn == wanted
        numbers = [each.get_text() for each in axes.texts if each.get_position()[1] == row]
        assert numbers == [str(count) for count in outcomes[list(_order(outcomes))] if count]


def _order(outcomes: object) -> list[str]:
    order = ["wins", "ties", "nonseparable", "losses"]
    return [name for name in order if name in outcomes]  # type: ignore[operator]


def test_expected_outcomes_have_a_digit() -> None:
    case = make_case(4, topics=30, systems=2)
    comparison = irpref.compare(case.qrels, case.runs, irpref.IPSO(ties="expected") @ 5)
    texts = [each.get_text() for each in free(comparison).outcomes("s0", "s1").texts]
    assert any("." in text for text in texts)


@pytest.mark.parametrize("tested", [False, True])
def test_cells_are_means_in_the_order_of_the_ranks(tested: bool) -> None:
    test = irpref.PairTest(method="t", correction=None, alpha=0.3) if tested else None
    axes = free(SIX).matrix("LR", test=test)
    order = list(SIX.leaderboard("LR", test=TEST).index)
    assert row_names(axes) == [f"{name}  {rank}" for rank, name in enumerate(order, start=1)]
    mean = SIX.mean("LR").loc[order, order].to_numpy()
    cells = axes.images[0].get_array()
    if test is None:
        assert cells.filled(9.0) == pytest.approx(mean)
        assert axes.get_legend() is None
        return
    tests = SIX.test("LR", test=PairTest(method="t", correction=None, alpha=0.3))
    tests = tests.set_index(["a", "b"])["significant"]
    seen = np.array(
        [[bool(tests.get((a, b), tests.get((b, a), False))) for b in order] for a in order]
    )
    itself = np.eye(len(order), dtype=bool)
    assert (~np.ma.getmaskarray(cells)).tolist() == (seen | itself).tolist()
    assert 0 < seen.sum() < seen.size - len(order)
    assert cells.filled(9.0)[seen] == pytest.approx(mean[seen])


def test_not_significant_does_not_look_like_zero() -> None:
    colours, norm = ahead_or_behind(0.4)
    masked = np.ma.masked_invalid([np.nan, 0.0, 0.002, -0.002])
    shown = [to_hex(each).upper() for each in colours(norm(masked))]
    assert shown[:2] == [GREY, "#FFFFFF"]
    assert len(set(shown)) == 4


def test_intervals_are_those_of_the_leaderboard() -> None:
    axes = free(SIX).ranks("RPP", test=TEST, top=4)
    board = SIX.leaderboard("RPP", test=TEST).head(4)
    assert row_names(axes) == list(board.index)
    lines = [each.get_xydata().tolist() for each in axes.lines]
    for row, (rank, low, high) in enumerate(
        board[["rank", "rank_low", "rank_high"]].itertuples(index=False)
    ):
        assert lines[2 * row : 2 * row + 2] == [[[low, row], [high, row]], [[rank, row]]]
    assert "among 6 systems by RPP" in axes.get_xlabel()
    assert "its 95 % interval (bar: bootstrap over topics, seed 3)" in axes.get_xlabel()
    joint = free(SIX).ranks("RPP", test=TEST, ranks="simultaneous")
    assert "its joint 95 % interval (bar: sign flips, seed 3)" in joint.get_xlabel()


def test_dots_are_means_over_all_others() -> None:
    axes = free(SIX).scatter("LP", "LR", "RPP")
    (dots,) = axes.collections
    names = {each.get_text(): each.xy for each in axes.texts}
    assert sorted(names) == sorted(SIX.systems)
    orders = [SIX.order(each) for each in ("LP", "LR", "RPP")]
    for name, at in names.items():
        assert at == pytest.approx((orders[0][name], orders[1][name]))
    wanted = sorted(tuple(order[name] for order in orders) for name in SIX.systems)
    drawn = zip(dots.get_offsets(), dots.get_array(), strict=True)
    assert sorted((*at, colour) for at, colour in drawn) == pytest.approx(np.array(wanted))
    with pytest.raises(ValueError, match=r"nDCG@3 was not compared; compared: RPP"):
        free(SIX).scatter("nDCG@3")


def test_leads_are_differences_of_retrieved_items_in_the_groups_of_ipso() -> None:
    case = make_case(4, topics=30, systems=2)
    comparison = irpref.compare(case.qrels, case.runs, irpref.IPSO @ 6)
    axes = free(comparison).topics("s0", "s1", depth=6)
    rows = dict(zip(row_names(axes), axes.images[0].get_array().tolist(), strict=True))
    relations = comparison.relations("IPSO@6", "s0", "s1")
    assert sorted(rows) == sorted(relations.index)
    groups = []
    for topic, leads in rows.items():
        wanted = literal.relevant(case.grades[topic])
        one, other = (literal.positions(case.run(s, topic), wanted) for s in ("s0", "s1"))
        assert leads == [
            sum(each <= depth for each in one) - sum(each <= depth for each in other)
            for depth in range(1, 7)
        ]
        relation, led = relations.loc[topic, ["relation", "led_first"]]
        groups.append({"ni": 1, "=": 2, "ns": 3}.get(relation, 0 if led == "s0" else 4))
    assert groups == sorted(groups)
    assert set(groups) == {0, 1, 2, 3, 4}
    labels = [each.get_text() for each in axes.figure.axes[-1].get_yticklabels()]
    assert [int(each.split("(")[1][:-1]) for each in labels] == [
        groups.count(group) for group in range(5)
    ]
    lines = [each.get_ydata()[0] for each in axes.lines]
    assert lines == [sum(each <= group for each in groups) - 0.5 for group in range(4)]


def test_strips_have_a_bar_for_each_relevant_item_and_a_line_for_each_difference() -> None:
    case = make_case(8, topics=9, systems=2)
    comparison = irpref.compare(case.qrels, case.runs, ["LP", "LR"])
    for topic in comparison.topics:
        axes = free(comparison).strip(topic, "s0", "s1")
        wanted = literal.relevant(case.grades[topic])
        one, other = (literal.positions(case.run(s, topic), wanted) for s in ("s0", "s1"))
        bars = segments(axes)
        for base, places in ((1.0, one), (0.0, other)):
            found = sorted(line[0][0] for line in bars if line[0][1] == base)
            assert found == [each for each in places if math.isfinite(each)]
        thin = [each for each in axes.lines if each.get_linewidth() == 0.7]
        signs = literal.signs(one, other)
        assert [to_hex(each.get_color()).upper() for each in thin] == [
            {1: BLUE, -1: VERMILLION}[sign] for sign in signs if sign
        ]
        levels = [level for level, sign in enumerate(signs, start=1) if sign]
        names = {f"level {level}" for level in (levels[:1] + levels[-1:])}
        drawn = {each.get_text().split(": ")[1] for each in axes.texts if ":" in each.get_text()}
        assert drawn == names


def test_an_axes_that_is_given_is_drawn_into() -> None:
    plot = free(SIX)
    for draw in (
        lambda ax: plot.strip("t0", "s0", "s1", ax=ax),
        lambda ax: plot.topics("s0", "s1", ax=ax),
        lambda ax: plot.outcomes("s0", "s1", ax=ax),
        lambda ax: plot.ranks(test=TEST, ax=ax),
        lambda ax: plot.matrix(ax=ax),
        lambda ax: plot.scatter(ax=ax),
    ):
        given, other = Figure().subplots(1, 2)
        assert draw(given) is given
        assert given.has_data()
        assert not other.has_data()


def test_pictures_of_users_say_user_and_item() -> None:
    case = make_case(5, topics=8, systems=2)
    runs = dict(zip(["topic-model", "topic 7"], case.runs.values(), strict=True))
    plot = free(irpref.compare(case.qrels, runs, users=True))
    topic = next(iter(plot.placements.topics))
    for drawn in (
        plot.profile(*runs),
        plot.strip(topic, *runs).figure,
        plot.topics(*runs).figure,
        plot.outcomes(*runs).figure,
        plot.ranks(test=TEST).figure,
    ):
        said = " ".join(text.get_text() for text in texts(drawn))
        assert "user" in said.lower()
        assert not re.search("topics?|document", re.sub("topic-model|topic 7", "", said), re.I)
    bar = plot.topics(*runs).images[0].colorbar
    assert bar.ax.get_ylabel() == "relevant items ahead"
