"""The study of agreement, by the definitions of both methods, pair by pair."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from statistics import fmean

import numpy as np
import pandas as pd
import pytest

import irpref
from tests import literal, literal_judges
from tests.literal import Positions, sign
from tests.literal_judges import Row
from tests.random_cases import collection_of, make_case
from tests.studies.turned import turned, verdicts

CASE = make_case(5, topics=30, systems=6, documents=7, binary=True)
DATA = irpref.collect(CASE.qrels, CASE.runs)

METHODS: dict[str, Callable[[Positions, Positions], Fraction]] = {
    "RPP": lambda p, q: literal.rpp(p, q, lambda level: Fraction(1)),
    "LP": lambda p, q: Fraction(literal.sgn_lp(p, q)),
    "RR": lambda p, q: literal.reciprocal(p[0]) - literal.reciprocal(q[0]),
    "AP": lambda p, q: precision(p) - precision(q),
}
FRAME = irpref.studies.agreement(DATA, list(METHODS), n_resamples=20).frame
FOUND = FRAME.set_index(["method", "against", "condition", "treatment"])


def precision(positions: Positions) -> Fraction:
    """Average precision."""
    return sum(
        (level * literal.reciprocal(p) for level, p in enumerate(positions, start=1)), Fraction(0)
    ) / len(positions)


def values(name: str) -> list[list[Fraction]]:
    """By pair of systems, the value on each topic."""
    found = []
    for a, b in combinations(DATA.systems, 2):
        found.append([])
        for topic in DATA.topics:
            wanted = literal.relevant(CASE.grades[topic])
            p, q = (literal.positions(CASE.run(each, topic), wanted) for each in (a, b))
            found[-1].append(METHODS[name](p, q))
    return found


BY_PAIR = {name: values(name) for name in METHODS}
ON_TOPICS = {name: [each for pair in BY_PAIR[name] for each in pair] for name in METHODS}
ON_SYSTEMS = {name: [sum(pair) / len(pair) for pair in BY_PAIR[name]] for name in METHODS}
BOTH = [("pair-topics", ON_TOPICS), ("pairs of systems", ON_SYSTEMS)]


@pytest.mark.parametrize(("where", "given"), BOTH, ids=["topics", "systems"])
def test_methods_agree_as_often_as_pair_by_pair(
    where: str, given: dict[str, list[Fraction]]
) -> None:
    for method, target in permutations(METHODS, 2):
        said = [
            sign(one) * sign(other)
            for one, other in zip(given[method], given[target], strict=True)
            if other
        ]
        right, tied, wrong = (said.count(each) for each in (1, 0, -1))
        expected = {
            "strict": (right, len(said)),
            "half": (right + tied / 2, len(said)),
            "decided": (right, right + wrong),
        }
        for kind, (agree, of) in expected.items():
            row = FOUND.loc[(method, target, f"{where}, {kind}", "")]
            assert (row["estimate"], row["n"]) == (pytest.approx(agree / of), of)


@pytest.mark.parametrize(("where", "given"), BOTH, ids=["topics", "systems"])
def test_correlation_is_that_of_both_orders_of_each_pair(
    where: str, given: dict[str, list[Fraction]]
) -> None:
    for method, target in combinations(METHODS, 2):
        one, other = ([float(each) for each in given[name]] for name in (method, target))
        both = [[*side, *(-each for each in side)] for side in (one, other)]
        row = FOUND.loc[(method, target, f"{where}, Pearson's r", "")]
        assert row["estimate"] == pytest.approx(np.corrcoef(*both)[0, 1])
        assert row["n"] == len(one)


def test_conflicts_are_counted_by_the_size_of_the_targets_difference() -> None:
    conflicts = FRAME[FRAME["condition"].str.startswith("conflicts")]
    pairs = set(zip(conflicts["method"], conflicts["against"], strict=True))
    assert pairs == {("RPP", "RR"), ("RPP", "AP"), ("LP", "RR"), ("LP", "AP")}
    for method, target in pairs:
        sizes = sorted(abs(float(each)) for each in ON_TOPICS[target] if each)
        # The size at which a tenth of them is reached.
        ends = [sizes[-(-tenth * len(sizes) // 10) - 1] for tenth in range(1, 10)]
        told: list[list[bool]] = [[] for _ in range(10)]
        for one, other in zip(ON_TOPICS[method], ON_TOPICS[target], strict=True):
            if one and other:
                size = abs(float(other))
                tenth = sum(end < size - 1e-12 for end in ends)
                told[tenth].append(sign(one) != sign(other))
        for tenth, conflicting in enumerate(told, start=1):
            row = FOUND.loc[(method, target, "conflicts by tenth of the differences", str(tenth))]
            assert row["n"] == len(conflicting)
            mean = fmean(conflicting) if conflicting else np.nan
            assert row["estimate"] == pytest.approx(mean, nan_ok=True)


def test_intervals_hold_their_estimates() -> None:
    rows = FRAME[FRAME["estimate"].between(0.2, 0.97) & (FRAME["n"] > 100)]
    assert len(rows) > 10
    assert (rows["low"] < rows["high"]).all()
    assert (
        (rows["low"] - 0.05 < rows["estimate"]) & (rows["estimate"] < rows["high"] + 0.05)
    ).all()


def test_where_all_are_of_one_kind_any_two_can_conflict() -> None:
    frame = irpref.studies.agreement(DATA, ["LP", "LR"], n_resamples=2).frame
    conflicts = frame[frame["condition"].str.startswith("conflicts")]
    assert set(conflicts["method"]) == {"LP", "LR"}


CLOSE = "RPP agrees in sign with AP, nDCG and ASL on close to .90 of the pairs"
LOWER = "The sign agreement of RPP with RR is lower than with AP, nDCG and ASL"


@pytest.mark.parametrize(
    ("shown_as", "close", "lower"),
    [({"RR": "P@1"}, "holds", "holds"), ({"nDCG": "P@1", "RR": "AP"}, "fails", "fails")],
    ids=["RR ties", "nDCG ties"],
)
def test_agreement_is_claimed_of_some_metrics_and_not_of_rr(
    shown_as: dict[str, str], close: str, lower: str
) -> None:
    data = irpref.collect(*collection_of(systems=5, topics=20))
    names = dict.fromkeys(("RPP", "AP", "nDCG", "ASL", "RR"), "AP")
    study = irpref.studies.agreement(data, turned(data, names | shown_as), n_resamples=30)
    found = verdicts(study)
    assert (found[CLOSE], found[LOWER]) == (close, lower)


@pytest.mark.parametrize("reverse", [False, True], ids=["small", "large"])
def test_conflicts_at_small_or_large_differences(reverse: bool) -> None:
    """AP decides by the first item, and RPP by the three others; how far apart these are differs."""
    runs: dict[str, dict[str, dict[str, float]]] = {"a": {}, "b": {}}
    qrels = {}
    for topic in range(40):
        # The larger AP's difference, the more (or less) often RPP goes with it.
        first = 2 + topic
        agrees = (topic >= 20) != reverse
        rest = [100 + topic, 102 + topic, 104 + topic]
        for system, places in (
            ("a", [1, *(place if agrees else place + 1 for place in rest)]),
            ("b", [first, *(place + 1 if agrees else place for place in rest)]),
        ):
            runs[system][str(topic)] = {
                f"d{places.index(rank)}" if rank in places else f"x{rank}": 999.0 - rank
                for rank in range(1, places[-1] + 1)
            }
        qrels[str(topic)] = {f"d{item}": 1 for item in range(4)}
    data = irpref.collect(qrels, runs)
    methods = ["RPP", *turned(data, {"AP": "AP", "nDCG": "AP", "ASL": "AP"})]
    found = verdicts(irpref.studies.agreement(data, methods, n_resamples=30))
    assert list(found.values()) == (
        ["fails", "fails", "fails"] if reverse else ["fails", "holds", "holds"]
    )


def test_scores_of_another_tool_are_one_more_method() -> None:
    scores = {"other": DATA.evaluate("AP")}
    frame = irpref.studies.agreement(DATA, ["AP", "RR", scores], n_resamples=2).frame
    frame = frame[frame["treatment"] == ""]
    found = frame.set_index(["method", "against", "condition"])["estimate"]
    for where in ("pair-topics", "pairs of systems"):
        for condition in (f"{where}, strict", f"{where}, Pearson's r"):
            assert found["AP", "other", condition] == pytest.approx(1)
        assert found["RR", "other", f"{where}, strict"] == found["RR", "AP", f"{where}, strict"]


def test_skipped_topics_count_for_no_pair() -> None:
    data = irpref.collect(CASE.qrels, CASE.runs, missing="skip")
    frame = irpref.studies.agreement(data, ["LP", "AP"], n_resamples=20).frame
    # Old pandas wants an index without doubles.
    frame = frame[frame["treatment"] == ""]
    found = frame.set_index(["method", "against", "condition"])
    means: dict[str, list[Fraction]] = {"LP": [], "AP": []}
    for (a, b), *both in zip(
        combinations(DATA.systems, 2), BY_PAIR["LP"], BY_PAIR["AP"], strict=True
    ):
        kept = [bool(CASE.run(a, topic) and CASE.run(b, topic)) for topic in DATA.topics]
        for name, by_topic in zip(means, both, strict=True):
            counted = [each for each, keep in zip(by_topic, kept, strict=True) if keep]
            means[name].append(sum(counted) / len(counted))
    assert not all(kept)
    said = [
        sign(one) * sign(other)
        for one, other in zip(means["LP"], means["AP"], strict=True)
        if other
    ]
    row = found.loc[("LP", "AP", "pairs of systems, strict")]
    assert (row["estimate"], row["n"]) == (pytest.approx(said.count(1) / len(said)), len(said))
    both_orders = [[*map(float, each), *(-float(x) for x in each)] for each in means.values()]
    row = found.loc[("LP", "AP", "pairs of systems, Pearson's r")]
    assert row["estimate"] == pytest.approx(np.corrcoef(*both_orders)[0, 1])


def test_tables_have_their_columns_in_the_order_of_their_rows() -> None:
    text = str(irpref.studies.agreement(DATA, ["RPP", "LP", "AP"], n_resamples=2).table())
    assert "method   RPP    LP    AP" in text


def test_one_method_agrees_with_none() -> None:
    with pytest.raises(ValueError, match=r"between methods, and there is one only \(LP\)"):
        irpref.studies.agreement(DATA, "LP")


def test_nothing_is_said_where_nothing_differs() -> None:
    run = {"1": {"d": 2.0, "e": 1.0}}
    same = irpref.collect({"1": {"d": 1}}, {"a": run, "b": run})
    found = verdicts(irpref.studies.agreement(same, n_resamples=2))
    assert set(found.values()) == {"cannot be tested"}


BY_TOPIC = {
    (name, topic, *pair): value * turn
    for name in METHODS
    for systems, values in zip(combinations(DATA.systems, 2), BY_PAIR[name], strict=True)
    for topic, value in zip(DATA.topics, values, strict=True)
    for pair, turn in ((systems, 1), (systems[::-1], -1))
}


def judged(answer: Callable[[str, str, str], str], judges: str = "xyz") -> pd.DataFrame:
    """Judgments on all topics and pairs but the last pair; of a topic, a pair and a judge, the answer."""
    rows = [
        (topic, a, b, answer(topic, a + b, judge), judge)
        for topic in DATA.topics
        for a, b in list(combinations(DATA.systems, 2))[:-1]
        for judge in judges
    ]
    return pd.DataFrame(rows, columns=["topic", "a", "b", "outcome", "judge"])


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """The same with numbers."""
    numbers = {"a": Fraction(1), "tie": Fraction(0), "b": Fraction(-1)}
    return [Row(topic, a, b, numbers[said], judge) for topic, a, b, said, judge in frame.to_numpy()]


def noisy(topic: str, pair: str, judge: str) -> str:
    """An answer that looks random, and is always the same."""
    return ("a", "tie", "b", "a")[zlib.crc32(f"{topic} {pair} {judge}".encode()) % 4]


@pytest.mark.slow
def test_methods_agree_with_the_judges_as_often_as_pair_by_pair() -> None:
    frame = judged(noisy)
    study = irpref.studies.agreement(DATA, ["RPP", "RR", {"people": frame}], n_resamples=20)
    # The tenths have treatments: without them there is one row of each.
    once = study.frame.query("treatment == ''").set_index(["method", "against", "condition"])
    found, sizes = once["estimate"], once["n"]
    rows = [
        Row(*row[:3], Fraction({"a": 1, "tie": 0, "b": -1}[row[3]]), row[4])
        for row in frame.to_numpy()
    ]
    for name in ("RPP", "RR"):
        counts = [0, 0, 0]
        for (a, b), values in zip(combinations(DATA.systems, 2), BY_PAIR[name], strict=True):
            for topic, own in zip(DATA.topics, values, strict=True):
                said = literal_judges.value(rows, topic, a, b)
                if said:
                    counts[1 - sign(own) * sign(said)] += 1
        agree, tie, not_so = counts
        assert min(agree, tie, not_so) > 0
        wanted = {
            "strict": agree / (agree + tie + not_so),
            "half": (agree + tie / 2) / (agree + tie + not_so),
            "decided": agree / (agree + not_so),
        }
        for kind, share in wanted.items():
            assert found[name, "people", f"judged pair-topics, {kind}"] == pytest.approx(share)
            assert found[name, "people", f"pair-topics, {kind}"] == pytest.approx(share)
    for name in ("RPP", "RR", "the judge left out"):
        counts = [0, 0, 0]
        for topic in DATA.topics:
            for a, b, own, target in literal_judges.left_out(rows, topic):
                said = BY_TOPIC.get((name, topic, a, b), own)
                counts[1 - sign(said) * target] += 1
        agree, tie, not_so = counts
        where = name, "people", "one judge left out, decided"
        assert found[where] == pytest.approx(agree / (agree + not_so))
        assert sizes[where] == agree + not_so
        where = name, "people", "one judge left out, half"
        assert found[where] == pytest.approx((agree + tie / 2) / sum(counts))


def test_two_kinds_of_judges_have_rows_of_their_own() -> None:
    both = {"people": judged(noisy), "model": judged(lambda topic, pair, judge: "a")}
    study = irpref.studies.agreement(DATA, ["RPP", both], n_resamples=2)
    agreement, left_out, contradictions = study.table().tables[:3]
    for shown, names in ((agreement, ["RPP"]), (left_out, ["RPP", "the judge left out"])):
        rows = [*shown.frame.select("method", "judges").iter_rows()]
        of_people, of_model = ([*names, other] for other in ("model", "people"))
        wanted = {(name, "people") for name in of_people} | {(name, "model") for name in of_model}
        assert set(rows) == wanted
        assert len(rows) == len(wanted)
    assert set(contradictions.frame["judges"]) == {"people", "model"}


def test_one_judged_topic_says_nothing_of_others() -> None:
    frame = judged(noisy)
    frame = frame[frame["topic"] == DATA.topics[0]]
    study = irpref.studies.agreement(DATA, ["RPP", {"people": frame}], n_resamples=20)
    found = study.frame.query("condition == 'judged pair-topics, decided'")
    assert found["estimate"].notna().all()
    assert found["low"].isna().all()


def test_judges_do_not_say_of_which_collection_they_are() -> None:
    with pytest.raises(ValueError, match="people do not say of which collection their topics are"):
        irpref.studies.agreement({"x": DATA, "y": DATA}, ["RPP", {"people": judged(noisy)}])


def test_one_judge_has_no_ceiling() -> None:
    study = irpref.studies.agreement(DATA, ["RPP", {"people": judged(noisy, "x")}], n_resamples=20)
    assert "the judge left out" not in set(study.frame["method"])
    assert any("one judge for each pair and topic" in str(note) for note in study.notes)


@pytest.mark.slow
def test_the_clearest_contradiction_has_the_largest_product() -> None:
    frame = judged(noisy)
    rows = [
        Row(*row[:3], Fraction({"a": 1, "tie": 0, "b": -1}[row[3]]), row[4])
        for row in frame.to_numpy()
    ]
    study = irpref.studies.agreement(DATA, ["AP", {"people": frame}], n_resamples=20)
    found = study.frame.query("condition == 'clearest contradiction'")
    products = sorted(
        own * (literal_judges.value(rows, topic, a, b) or 0)
        for (a, b), values in zip(combinations(DATA.systems, 2), BY_PAIR["AP"], strict=True)
        for topic, own in zip(DATA.topics, values, strict=True)
    )
    assert list(found["method"]) == ["AP"] * 2
    for place, (estimate, where) in enumerate(
        zip(found["estimate"], found["treatment"], strict=True)
    ):
        topic, _, pair = where.partition(": ")
        better, worse = pair.split(", ")
        said = literal_judges.value(rows, topic, better, worse)
        assert said is not None
        assert said < 0 < estimate
        assert estimate * float(said) == pytest.approx(float(products[place]))


def test_judges_who_say_what_a_method_says_never_contradict_it() -> None:
    by_text = {
        (topic, a + b): ("b", "tie", "a")[sign(own) + 1]
        for (a, b), values in zip(combinations(DATA.systems, 2), BY_PAIR["RR"], strict=True)
        for topic, own in zip(DATA.topics, values, strict=True)
    }
    frame = judged(lambda topic, pair, _: by_text[topic, pair])
    study = irpref.studies.agreement(DATA, ["RR", {"people": frame}], n_resamples=20)
    assert study.frame.query("condition == 'clearest contradiction'").empty
    shares = study.frame[study.frame["condition"].str.startswith("judged")]
    assert set(shares["estimate"]) == {1.0}


def test_other_studies_take_no_judges() -> None:
    with pytest.raises(
        ValueError, match=r"correlation needs every pair on every topic, and people are"
    ):
        irpref.studies.correlation(DATA, ["RPP", {"people": judged(noisy)}])
