"""Every picture shows the numbers of the comparison, and nothing else."""

from __future__ import annotations

import math
import re
from itertools import product

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import irpref
from irpref import PairTest
from irpref.pairwise.feeds.plot_numbers import system_means
from irpref.pairwise.testing_options import ReportTest
from irpref.show.plots.colours import BLUE, TIE, VERMILLION, ahead_or_behind, by_root
from tests import literal
from tests.random_cases import Case, make_case
from tests.show.plots.drawn import (
    comparison_of,
    free,
    hatched,
    row_names,
    segments,
    texts,
    title,
)

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (False, ""),
        (None, "randomization test (exact), all 15 pairs, α = 0.05"),
        ("sign", "exact sign test, all 15 pairs, corrected by Holm, α = 0.05"),
        ("t", "paired t-test, all 15 pairs, corrected by Holm, α = 0.05"),
        (
            PairTest(method="t", correction=None, alpha=0.3),
            "paired t-test, all 15 pairs, not corrected, α = 0.3",
        ),
    ],
)
def test_cells_are_means_in_the_order_of_the_ranks(test: ReportTest, words: str) -> None:
    axes = free(SIX).matrix("LR", test=test)
    order = list(SIX.leaderboard("LR", test=TEST).index)
    assert row_names(axes) == [f"{name}  {rank}" for rank, name in enumerate(order, start=1)]
    mean = SIX.mean("LR").loc[order, order].to_numpy()
    assert axes.images[0].get_array().filled(9.0) == pytest.approx(mean)
    assert title(axes).split("\n")[0] == "Every pair of 6 systems by LR, 12 topics"
    if test is False:
        assert (title(axes).count("\n"), hatched(axes)) == (0, set())
        return
    said = " ".join(title(axes).split("\n", 1)[1].split())
    assert said == f"Hatched pairs are not significant: {words}"
    tests = SIX.test("LR", test=test).set_index(["a", "b"])["significant"]
    assert (0 < tests.sum() < len(tests)) == isinstance(test, PairTest)
    found = hatched(axes)
    for row, column in product(range(6), range(6)):
        pair = order[row], order[column]
        significant = tests.get(pair, tests.get(pair[::-1], True))
        assert ((row, column) in found) == (not significant)


def test_a_matrix_says_why_there_is_no_test() -> None:
    single = irpref.compare({"1": {"d": 1}}, {"a": {"1": ["d"]}, "b": {"1": ["e", "d"]}}, "RPP")
    axes = free(single).matrix()
    assert hatched(axes) == set()
    said = " ".join(title(axes).split("\n", 1)[1].split())
    assert said.startswith("Nothing was tested: ")
    assert said in " ".join([*single.report().answer, *single.report().notes])
    with pytest.raises(
        ValueError, match="a matrix shows which systems differ: leave out the margin"
    ):
        free(SIX).matrix(test=PairTest(margin=0.1, alternative="equivalent"))


def test_pairs_of_too_few_runs_are_dotted_and_not_called_insignificant() -> None:
    case = make_case(3, topics=9, systems=11)
    groups = {"one": ["s0", "s1", "s2", "s3", "s4"], "other": ["s5", "s6", "s7", "s8", "s9"]}
    data = irpref.collect(case.qrels, case.runs, groups=groups)
    axes = free(data.compare("RPP")).matrix()
    said = " ".join(title(axes).split("\n", 1)[1].split())
    assert said.startswith("Hatched pairs are not significant: t-test with runs and topics crossed")
    assert said.endswith("Dotted ones were not tested")
    order = [each.split()[0] for each in row_names(axes)]
    dotted = hatched(axes, "....")
    alone = order.index("s10")
    assert dotted == {
        pair for each in {0, 1, 2} - {alone} for pair in ((each, alone), (alone, each))
    }
    assert hatched(axes, "////").isdisjoint(dotted)
    few = data.select(systems=["s0", "s1", "s5", "s6", "s10"]).compare("RPP")
    axes = free(few).matrix()
    assert hatched(axes) == set()
    assert title(axes).split("\n")[1] == "Nothing was tested: a test takes 5 runs of each system."
    with pytest.raises(ValueError, match="a test takes 5 runs of each system"):
        free(few).matrix(test="crossed")


def test_ranks_need_a_test() -> None:
    case = make_case(3, topics=9, systems=6)
    data = irpref.collect(case.qrels, case.runs, groups={"one": ["s0", "s1", "s2", "s3"]})
    with pytest.raises(ValueError, match="a test takes 5 runs of each system"):
        free(data.compare("RPP")).ranks()


def test_cells_that_nobody_would_test_are_not_tested_unasked() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irpref.pairwise.untested._MOST_SYSTEMS", 5)
        axes = free(SIX).matrix("LR")
        assert title(axes).split("\n")[1] == "6 systems on 12 topics were not tested"
        assert hatched(axes) == set()
        assert hatched(free(SIX).matrix("LR", test="fit"))


def test_all_matrices_have_one_scale() -> None:
    """What a mean can be at most, or where that has no end, what the picture says."""
    close = irpref.compare(
        {each: {"d": 1} for each in "123456789"},
        {
            "a": {each: ["d"] for each in "123456789"},
            "b": {each: ["e", "d"] for each in "123456789"},
        },
        ["RPP", "ASL"],
    )
    for comparison, preference in ((SIX, "RPP"), (close, "RPP"), (SIX, "IPSO@10")):
        image = free(comparison).matrix(preference, test=False).images[0]
        assert image.get_clim() == (-1, 1)
        numbers = [each.get_text() for each in image.colorbar.ax.get_yticklabels()]
        assert numbers == ["−1.00", "−0.25", "0.00", "0.25", "1.00"]
    image = free(close).matrix("ASL", test=False).images[0]
    end = image.get_clim()[1]
    assert end / 10 < np.abs(close.mean("ASL").to_numpy()).max() <= end
    assert float(image.colorbar.ax.get_yticklabels()[-1].get_text()) == end


def test_a_small_difference_does_not_look_like_none() -> None:
    norm = by_root(1)
    shown = [to_hex(ahead_or_behind()(norm(each))).upper() for each in (0.0, 0.002, -0.002, 0.5)]
    assert shown[0] == "#FFFFFF"
    assert len(set(shown)) == 4
    assert np.asarray(norm.inverse(norm([-0.3, 0.7]))) == pytest.approx([-0.3, 0.7])


def test_intervals_are_those_of_the_leaderboard() -> None:
    axes = free(SIX).ranks("RPP", test=TEST, top=4)
    board = SIX.leaderboard("RPP", test=TEST).head(4)
    assert row_names(axes) == list(board.index)
    [bars], [dots] = axes.collections, axes.lines
    assert dots.get_xydata().tolist() == [[rank, row] for row, rank in enumerate(board["rank"])]
    ends = zip(board["rank_low"], board["rank_high"], strict=True)
    assert [each.tolist() for each in bars.get_segments()] == [
        [[low, row], [high, row]] for row, (low, high) in enumerate(ends)
    ]
    assert title(axes) == "The best 4 of 6 systems by RPP, 12 topics"
    tested = " ".join(axes.get_xlabel().split())
    assert tested.startswith(
        "rank (dot), and where it may lie by the tests (bar): randomization test"
    )
    whole = free(SIX).ranks("RPP", test=TEST)
    assert title(whole) == "Ranks of 6 systems by RPP, 12 topics"
    for drawn, last in ((axes, int(board["rank_high"].max())), (whole, 6)):
        assert drawn.spines["bottom"].get_bounds() == (1, last)
        assert drawn.get_xticks()[[0, -1]].tolist() == [1, last]


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
    assert title(axes) == "6 systems by LP and LR, coloured by RPP, 12 topics"
    assert axes.get_xlim() == axes.get_ylim() == (-1.04, 1.04)
    assert dots.get_clim() == (-1, 1)
    with pytest.raises(ValueError, match=r"nDCG@3 was not compared; compared: RPP"):
        free(SIX).scatter("nDCG@3")


def test_the_best_systems_are_named_and_those_on_which_two_preferences_disagree() -> None:
    many = comparison_of([f"s{each}" for each in range(40)], topics=12)
    means = system_means(many.systems, [many.totals[each] for each in many.preferences[:3]])
    best = list(many.order("LR").index)[:10]
    assert list(means.index[:10]) == best
    ranks = [many.order(each).rank() for each in many.preferences[:2]]
    apart = (ranks[0] - ranks[1]).abs().drop(best)
    assert means["apart"].iloc[10:].to_list() == sorted(apart, reverse=True)
    axes = free(many).scatter("RPP", "LP", "LR")
    named = {each.get_text() for each in axes.texts}
    assert named <= set(means.index[:20])
    assert len(named & set(best)) >= 8
    assert "the 10 best by LR, and those on which RPP and LP" in title(axes).replace("\n", " ")


def test_an_axis_says_where_it_ends_before_the_greatest_mean() -> None:
    close = {
        f"s{each}": {t: ["d"] if each or t else ["e", "d"] for t in "123456789"} for each in "ab"
    }
    close["sb"]["1"] = ["e", "d"]
    comparison = irpref.compare({t: {"d": 1} for t in "123456789"}, close, ["RR", "LP", "RPP"])
    axes = free(comparison).scatter("RR", "LP", "RPP")
    assert axes.get_xlabel() == "mean RR over all other systems (−0.06 to 0.06; at most 1)"
    assert axes.get_xlim() == pytest.approx((-0.0624, 0.0624))


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


def test_the_groups_of_topics_are_those_of_the_ipso_beside_them() -> None:
    """By default; and the picture ends where the longest list does."""
    case = make_case(4, topics=20, systems=2, documents=40)
    for compared, depth in (("IPSO@4", 4), ("IPSO@10", 10), ("LP", 10)):
        comparison = irpref.compare(case.qrels, case.runs, ["LP", compared])
        axes = free(comparison).topics("s0", "s1")
        at = irpref.IPSO @ depth
        outcomes = irpref.compare(case.qrels, case.runs, at).outcomes(at).iloc[0]
        labels = [each.get_text() for each in axes.figure.axes[-1].get_yticklabels()]
        counts = {
            each.split()[0]: int(each.split("(")[1][:-1]) for each in labels if "both" not in each
        }
        assert tuple(counts.get(each, 0) for each in ("s0", "never", "s1")) == (
            outcomes["wins"],
            outcomes["ties"],
            outcomes["losses"],
        )
        assert title(axes) == f"s0 against s1 in the groups of IPSO@{depth}, 20 topics"
        assert axes.get_xlim() == (0.5, min(depth, _longest(case)) + 0.5)
    deep = free(irpref.compare(case.qrels, case.runs, "LP")).topics("s0", "s1", depth=500)
    assert deep.get_xlim() == (0.5, _longest(case) + 0.5)


def _longest(case: Case) -> int:
    return max(len(ranked) for run in case.runs.values() for ranked in run.values())


def test_axes_end_where_the_lists_end_and_a_shorter_list_is_named() -> None:
    runs = {"long": {"1": [f"d{each}" for each in range(12)]}, "short": {"1": ["d1", "x", "d0"]}}
    qrels = {"1": {"d0": 1, "d1": 1, "d11": 1}}
    for names, end in ((["long", "short"], 12), (["short", "other"], 3)):
        ranked = {**runs, "other": {"1": ["x", "d0", "y"]}}
        plot = free(irpref.compare(qrels, {name: ranked[name] for name in names}, "LP"))
        strip = plot.strip("1", *names, depth=20)
        assert strip.spines["bottom"].get_bounds() == (1, end)
        lists = [max(each.get_xdata()) for each in strip.lines[:2]]
        assert lists == [len(ranked[name]["1"]) + 0.5 for name in names]
        topics = plot.topics(*names, depth=20)
        assert topics.get_xlim() == (0.5, end + 0.5)
        said = "; short lists 3" if "long" in names else ""
        assert topics.get_xlabel() == f"depth k{said}"
        assert strip.get_xlabel().startswith(f"position in the ranking{said}\nbar: a relevant")


def test_one_grade_is_said_to_be_one() -> None:
    runs = {"a": {"1": ["d1", "d2"]}, "b": {"1": ["d2"]}}
    for grades, said in (
        ((2, 2), "all of grade 2"),
        ((1, 2), "higher for a higher grade (1 to 2)"),
    ):
        qrels = {"1": dict(zip(["d1", "d2"], grades, strict=True))}
        plot = free(irpref.compare(qrels, runs, "LP"))
        assert f"bar: a relevant document, {said}\n" in plot.strip("1", "b", "a").get_xlabel()
        headings = [
            text.get_text()
            for axes in plot.profile("a", "b", graded=True).axes
            for text in axes.texts
        ]
        assert ("all of grade 2" in headings) == (grades == (2, 2))


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
    by_topic = plot.topics(*runs)
    for drawn in (
        plot.profile(*runs),
        plot.strip(topic, *runs).figure,
        by_topic.figure,
        plot.outcomes(*runs).figure,
        plot.ranks(test=TEST).figure,
    ):
        said = " ".join(text.get_text() for text in texts(drawn))
        assert "user" in said.lower()
        assert not re.search("topics?|document", re.sub("topic-model|topic 7", "", said), re.I)
    bar = by_topic.images[0].colorbar
    assert bar.ax.get_ylabel().startswith("relevant items ahead\n(darkest: ")
