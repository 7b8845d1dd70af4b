"""IPSO's sign test beside tests of metrics: every pair by scipy, and its neighbours cell by cell."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, ttest_1samp

import irpref
from irpref.show.plots.figures import free_figure
from irpref.studies.ipso_significance import neighbours
from tests.literal import algorithm_1, positions, relevant, serp, sign
from tests.random_cases import collection_of, make_case

CASE = make_case(5, topics=40, systems=6, documents=8, ties=False)
DATA = irpref.collect(CASE.qrels, CASE.runs)
DEPTHS = (2, 4)
ALPHA = 0.4  # So that all kinds of pairs occur.
TESTS = ("t", "sign")
STUDY = irpref.studies.ipso_significance(DATA, ["P", "AP"], depths=DEPTHS, tests=TESTS, alpha=ALPHA)
FRAME = STUDY.frame


def score(metric: str, depth: int, topic: str, system: str) -> float:
    found = positions(CASE.run(system, topic), relevant(CASE.grades[topic]), depth)
    precisions = [level / position for level, position in enumerate(found, start=1)]
    hits = sum(position <= depth for position in found)
    return {"P": hits / depth, "AP": sum(precisions) / len(found)}[metric]


def differences(metric: str, depth: int, pair: tuple[str, str]) -> list[float]:
    scores = [[score(metric, depth, topic, system) for system in pair] for topic in DATA.topics]
    return [0.0 if abs(one - other) < 1e-12 else one - other for one, other in scores]


def sign_test(wins: int, losses: int) -> float:
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


def p_and_better(test: str, values: list[float]) -> tuple[float, int]:
    wins, losses = sum(value > 0 for value in values), sum(value < 0 for value in values)
    if test == "sign":
        return sign_test(wins, losses), sign(wins - losses)
    return float(ttest_1samp(values, 0).pvalue), sign(fmean(values))


def ipso(depth: int, pair: tuple[str, str]) -> tuple[float, int]:
    counts: Counter[str] = Counter()
    for topic in DATA.topics:
        wanted = dict.fromkeys(relevant(CASE.grades[topic]), Fraction(1))
        counts[
            algorithm_1(*(serp(CASE.run(system, topic), wanted, depth, depth) for system in pair))
        ] += 1
    return sign_test(counts["ni"], counts["ns"]), sign(counts["ni"] - counts["ns"])


def kinds(metric: str, depth: int, test: str) -> dict[tuple[str, str], str]:
    found = {}
    for pair in combinations(DATA.systems, 2):
        by_metric = p_and_better(test, differences(metric, depth, pair))[0] < ALPHA
        by_ipso = ipso(depth, pair)[0] < ALPHA
        names = {
            (True, True): "both",
            (False, False): "neither",
            (True, False): "metric only",
            (False, True): "IPSO only",
        }
        found[pair] = names[by_metric, by_ipso]
    return found


def estimates(metric: str, depth: int, test: str) -> dict[str, float]:
    chosen = FRAME[(FRAME["method"] == metric) & (FRAME["treatment"] == str(depth))]
    conditions = chosen["condition"].str.removesuffix(f", {test} test")
    own = conditions != chosen["condition"]
    return dict(zip(conditions[own], chosen["estimate"][own], strict=True))


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("metric", ["P", "AP"])
@pytest.mark.parametrize("depth", DEPTHS)
def test_shares_pair_by_pair(metric: str, depth: int, test: str) -> None:
    found, by_pair = estimates(metric, depth, test), kinds(metric, depth, test)
    for kind in ("both", "neither", "metric only", "IPSO only"):
        assert found[kind] == pytest.approx(fmean(each == kind for each in by_pair.values()))
    assert found["agreement"] == pytest.approx(found["both"] + found["neither"])
    conflict = [
        kind == "both"
        and p_and_better(test, differences(metric, depth, pair))[1] == -ipso(depth, pair)[1]
        for pair, kind in by_pair.items()
    ]
    assert found["conflict"] == pytest.approx(fmean(conflict))


def test_all_kinds_of_pairs_occur() -> None:
    occurring = {
        kind for depth in DEPTHS for test in TESTS for kind in kinds("P", depth, test).values()
    }
    assert occurring == {"both", "neither", "metric only", "IPSO only"}


@pytest.mark.parametrize("depth", DEPTHS)
def test_neighbours_cell_by_cell(depth: int) -> None:
    found, by_pair = estimates("AP", depth, "t"), kinds("AP", depth, "t")
    means = {
        system: fmean(score("AP", depth, topic, system) for topic in DATA.topics)
        for system in DATA.systems
    }
    ordered = sorted(means, key=means.__getitem__, reverse=True)
    assert len(set(means.values())) == len(means)
    cells = {}
    for (one, other), kind in by_pair.items():
        row, column = sorted((ordered.index(one), ordered.index(other)))
        cells[row, column] = kind
    for own in ("IPSO only", "metric only"):
        beside = [
            cells[row + down, column + right]
            for (row, column), kind in cells.items()
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if kind == own and (down or right) and (row + down, column + right) in cells
        ]
        for neighbour in ("neither", "both"):
            name = f"{neighbour} beside {own}"
            assert (name in found) == bool(beside)
            if beside:
                assert found[name] == pytest.approx(fmean(each == neighbour for each in beside))


def pairs_of(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["condition"].str.endswith(", pair")]


def test_every_pair_is_a_finding_from_the_best_systems_on() -> None:
    means = {
        system: fmean(score("P", 2, topic, system) for topic in DATA.topics)
        for system in DATA.systems
    }
    by_pair = kinds("P", 2, "t")
    found = pairs_of(FRAME)
    ranked = list(dict.fromkeys([*found["method"], *found["against"]]))
    assert sorted(ranked, key=means.__getitem__, reverse=True) == ranked
    assert [*zip(found["method"], found["against"], strict=True)] == [*combinations(ranked, 2)]
    for row in found.to_dict("records"):
        pair = row["method"], row["against"]
        kind = by_pair[pair] if pair in by_pair else by_pair[pair[::-1]]
        assert row["condition"] == f"{kind}, pair"
        assert row["estimate"] == pytest.approx(means[pair[0]] - means[pair[1]])
        assert (row["n"], row["treatment"]) == (len(DATA.topics), "P@2, t test")


def test_the_pairs_are_of_the_paper_if_they_can_be() -> None:
    asked = {"methods": ["AP", "P"], "depths": (5, 10), "tests": ("sign", "t")}
    study = irpref.studies.ipso_significance(DATA, **asked)
    assert set(pairs_of(study.frame)["treatment"]) == {"P@10, t test"}
    study = irpref.studies.ipso_significance(DATA, "AP", depths=5, tests="sign")
    assert set(pairs_of(study.frame)["treatment"]) == {"AP@5, sign test"}


def test_the_picture_has_all_shares_and_a_cell_for_each_pair() -> None:
    figure = STUDY.plot(new_figure=free_figure)
    *bars, triangle = figure.axes
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "t test",
        "sign test",
        "P@2, t test",
    ]
    for test, axes in zip(TESTS, bars, strict=True):
        drawn = sorted(bar.get_width() for bar in axes.patches)
        shares = [
            estimates(metric, depth, test)[kind]
            for metric in ("P", "AP")
            for depth in DEPTHS
            for kind in ("both", "neither", "metric only", "IPSO only")
        ]
        assert drawn == pytest.approx(sorted(shares))
        assert sum(drawn) == pytest.approx(len(shares) / 4)
    names = [text.get_text() for text in triangle.get_legend().get_texts()]
    colours = [patch.get_facecolor()[:3] for patch in triangle.get_legend().get_patches()]
    [image] = triangle.get_images()
    seen = Counter(tuple(cell) for cell in np.asarray(image.get_array()).reshape(-1, 3))
    counted = Counter(pairs_of(FRAME)["condition"].str.removesuffix(", pair"))
    shown = {name: seen[colour] for name, colour in zip(names, colours, strict=True)}
    assert Counter(shown) == counted


def test_neighbours_are_mutual_and_one_step_away() -> None:
    ranks = np.random.default_rng(3).permutation(8)
    one, other = neighbours(ranks)
    both = set(zip(one.tolist(), other.tolist(), strict=True))
    assert len(both) == len(one)
    assert {pair[::-1] for pair in both} == both
    cells = np.sort(ranks[np.array(np.triu_indices(8, 1))], axis=0)
    apart = np.abs(cells[:, :, None] - cells[:, None]).max(axis=0)
    assert both == set(zip(*(each.tolist() for each in np.nonzero(apart == 1)), strict=True))


def test_methods_that_cannot_be_cut_are_taken_as_they_are() -> None:
    scores = pd.DataFrame(
        [
            {"system": system, "topic": topic, "value": score("P", 4, topic, system)}
            for system in DATA.systems
            for topic in DATA.topics
        ]
    )
    frame = irpref.studies.ipso_significance(
        DATA, ["P@4", {"mine": scores}], depths=DEPTHS, tests="t", alpha=ALPHA
    ).frame
    frame = frame[frame["against"] == "IPSO"]
    wide = frame.pivot_table(index=["condition", "treatment"], columns="method", values="estimate")
    assert wide["mine"].to_list() == wide["P@4"].to_list()
    at_4 = wide["P@4"].xs("4", level="treatment").to_dict()
    expected = {f"{name}, t test": share for name, share in estimates("P", 4, "t").items()}
    assert at_4 == pytest.approx(expected)


def test_claims_are_judged_by_draws() -> None:
    data = irpref.collect(*collection_of(12, 30))
    study = irpref.studies.ipso_significance(data, depths=(2, 10))
    claims, frame = study.claims.set_index("item"), study.frame
    agreement = claims.loc["Figure 7"].iloc[0]
    least = frame[frame["condition"].str.startswith("agreement")]["estimate"].min()
    assert agreement["parts"] == 6 * 2 * 3
    assert agreement["low"] < agreement["theta"] < agreement["high"]
    assert agreement["theta"] == pytest.approx(least - 0.75, abs=0.1)
    shares = frame[frame["against"] == "IPSO"]
    assert shares["low"].isna().all()
    few = irpref.studies.ipso_significance(DATA, depths=DEPTHS)
    assert set(few.claims["note"]) == {"15 pairs of systems, of 50 needed"}


def test_mistakes() -> None:
    with pytest.raises(ValueError, match=r"unknown test 'wilcoxn'; did you mean 'wilcoxon'\?"):
        irpref.studies.ipso_significance(DATA, tests=("t", "wilcoxn"))
    with pytest.raises(ValueError, match="tests names none"):
        irpref.studies.ipso_significance(DATA, tests=())
    with pytest.raises(ValueError, match="depths must be a whole number"):
        irpref.studies.ipso_significance(DATA, depths=1.5)
