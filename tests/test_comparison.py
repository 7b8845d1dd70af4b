"""The public face: a comparison and all that can be asked of it, against literal definitions."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html.parser import HTMLParser
from itertools import combinations, permutations
from pathlib import Path
from statistics import fmean

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import IPSO, LP, LR, RPP, STRPP, Comparison, FunctionPreference, Preference
from tests import literal
from tests.random_cases import Case, cases, make_case

Scores = dict[str, float]
Grades = dict[str, int]
Value = Callable[[Case, str, Scores, Scores], float]
GAINS = {1: Fraction(1, 10), 2: Fraction(1, 5), 3: Fraction(3, 10)}


# What each preference means, literally


@dataclass(frozen=True)
class Scan:
    """What a scan down two rankings finds, depth by depth."""

    relation: str
    leader: int | None
    decided: int | None
    nonseparable: int | None


def scan(sides: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> Scan:
    """Compare the sums over every prefix, for each way of looking at the two rankings."""
    led: dict[int, int] = {}
    for depth in range(1, len(sides[0][0]) + 1):
        for first, second in sides:
            side = literal.sign(sum(first[:depth]) - sum(second[:depth]))
            if side:
                led.setdefault(side, depth)
    relation = {(): "=", (1,): "ni", (-1,): "ns"}.get(tuple(led), "**")
    return Scan(
        relation,
        next(iter(led), None),
        min(led.values(), default=None),
        max(led.values()) if len(led) == 2 else None,
    )


def ordering(
    grades: Grades, first: Scores, second: Scores, *, way: str, rel: int, cutoff: int | None
) -> Scan:
    """IPSO by scanning the prefixes: binary, by every grade threshold, or by summed gains."""
    wanted = literal.relevant(grades, rel)
    if way == "gains":
        values = [{document: GAINS[grades[document]] for document in wanted}]
    else:
        thresholds = {grades[document] for document in wanted} if way == "graded" else {rel}
        values = [
            dict.fromkeys(literal.relevant(grades, threshold), Fraction(1))
            for threshold in thresholds
        ]
    depth = max(len(first), len(second))
    return scan(
        [tuple(literal.serp(side, v, cutoff, depth) for side in (first, second)) for v in values]
    )


def folded(fold: Callable[..., object], *, rel: int = 1, cutoff: int | None = None) -> Value:
    """A fold of the positions of the relevant items."""

    def value(case: Case, topic: str, first: Scores, second: Scores) -> float:
        wanted = literal.relevant(case.grades[topic], rel)
        return float(fold(*(literal.positions(side, wanted, cutoff) for side in (first, second))))

    return value


def relation_value(*, way: str = "binary", rel: int = 1, cutoff: int | None = None) -> Value:
    def value(case: Case, topic: str, first: Scores, second: Scores) -> float:
        found = ordering(case.grades[topic], first, second, way=way, rel=rel, cutoff=cutoff)
        return {"ni": 1, "ns": -1}.get(found.relation, 0)

    return value


def graded(weight: str, **options: int) -> Value:
    return lambda case, topic, first, second: literal.rounded(
        literal.graded_rpp(
            case.grades[topic], first, second, weight=literal.WEIGHTS[weight], **options
        )
    )


DEFINITIONS: dict[Preference, Value] = {
    LP: folded(literal.sgn_lp),
    LP(magnitude="rr", rel=2) @ 3: folded(literal.rr_lp, rel=2, cutoff=3),
    LR: folded(literal.lexirecall),
    LR @ 4: folded(literal.lexirecall, cutoff=4),
    RPP: graded("uniform"),
    RPP(weights="dcg", rel=2) @ 4: graded("dcg", rel=2, cutoff=4),
    RPP(weights="inverse", graded=False): folded(
        lambda p, q: literal.rpp(p, q, literal.WEIGHTS["inverse"])
    ),
    STRPP: lambda case, topic, first, second: literal.rounded(
        literal.subtopic_rpp(
            case.judgments[topic], first, second, weight=literal.WEIGHTS["uniform"]
        )
    ),
    IPSO: relation_value(),
    IPSO(rel=3) @ 3: relation_value(rel=3, cutoff=3),
    IPSO(graded=True) @ 4: relation_value(way="graded", cutoff=4),
    IPSO(gains=GAINS) @ 4: relation_value(way="gains", cutoff=4),
}
ORDERINGS = {
    preference: {"way": way, "rel": int(preference.rel), "cutoff": preference.cutoff}
    for preference, way in zip(
        list(DEFINITIONS)[-4:], ("binary", "binary", "graded", "gains"), strict=True
    )
}


def counted_topics(case: Case, preference: Preference, a: str, b: str, missing: str) -> list[str]:
    """The topics that count for a pair, in the order of the qrels."""
    return [
        topic
        for topic in case.judgments
        if literal.relevant(case.grades[topic], preference.rel)
        and (missing == "worst" or (case.run(a, topic) and case.run(b, topic)))
    ]


def literal_values(
    case: Case, preference: Preference, a: str, b: str, missing: str = "worst"
) -> dict[str, float]:
    return {
        topic: DEFINITIONS[preference](case, topic, case.run(a, topic), case.run(b, topic))
        for topic in counted_topics(case, preference, a, b, missing)
    }


def compare(case: Case, preferences: object = tuple(DEFINITIONS), **options: object) -> Comparison:
    return irpref.compare(case.qrels, case.runs, preferences, **options)


small_cases = cases(topics=6, systems=3, documents=6, subtopics=2)
missing_means = st.sampled_from(("worst", "skip"))


# What a comparison gives


@settings(max_examples=7)
@given(small_cases, missing_means)
def test_every_frame_equals_the_definition(case: Case, missing: str) -> None:
    comparison = compare(case, missing=missing)
    assert comparison.systems == tuple(case.runs)
    assert comparison.preferences == tuple(DEFINITIONS)
    assert comparison.topics == tuple(t for t in case.judgments if literal.relevant(case.grades[t]))
    for preference in DEFINITIONS:
        mean = comparison.mean(preference)
        assert list(mean.index) == list(mean.columns) == list(case.runs)
        means = {}
        outcomes = comparison.outcomes(preference).set_index(["a", "b"])
        for a, b in permutations(case.runs, 2):
            wanted = literal_values(case, preference, a, b, missing)
            found = comparison.per_topic(preference, a, b)
            assert list(found.index) == list(wanted)
            assert found.index.name == "topic"
            assert found.name == str(preference)
            assert found.to_numpy() == pytest.approx(list(wanted.values()), abs=1e-12)
            assert [v == 0 for v in found] == [v == 0 for v in wanted.values()]
            means[a, b] = fmean(wanted.values()) if wanted else 0
            assert mean.loc[a, b] == pytest.approx(means[a, b], abs=1e-12)
            assert mean.loc[a, b] == -mean.loc[b, a]
            signs = [literal.sign(value) for value in wanted.values()]
            if (a, b) in outcomes.index:
                row = outcomes.loc[a, b]
                ties = signs.count(0)
                if preference in ORDERINGS:
                    relations = comparison.relations(preference, a, b)["relation"]
                    assert row["nonseparable"] == list(relations).count("**")
                    ties -= row["nonseparable"]
                assert (row["wins"], row["ties"], row["losses"]) == (
                    signs.count(1),
                    ties,
                    signs.count(-1),
                )
                assert row.sum() == len(wanted)
        assert list(outcomes.index) == list(combinations(case.runs, 2))
        ordered = comparison.order(preference)
        wins = {a: fmean(means[a, b] for b in case.runs if b != a) for a in case.runs}
        assert ordered.to_dict() == pytest.approx(wins, abs=1e-12)
        assert ordered.is_monotonic_decreasing


@settings(max_examples=25)
@given(small_cases, missing_means)
def test_relations_equal_a_scan_over_the_prefixes(case: Case, missing: str) -> None:
    comparison = compare(case, list(ORDERINGS), missing=missing)
    names = {1: "s0", -1: "s1", None: None}
    for preference, options in ORDERINGS.items():
        found = comparison.relations(preference, "s0", "s1")
        topics = counted_topics(case, preference, "s0", "s1", missing)
        assert found.index.name == "topic"
        assert list(found.index) == topics
        assert list(found) == ["relation", "led_first", "decided_at", "nonseparable_at"]
        for topic, row in zip(topics, found.itertuples(index=False), strict=True):
            sides = case.run("s0", topic), case.run("s1", topic)
            wanted = ordering(case.grades[topic], *sides, **options)
            assert row.relation == wanted.relation
            known = [None if pd.isna(cell) else cell for cell in row[1:]]
            assert known == [names[wanted.leader], wanted.decided, wanted.nonseparable]


def test_graded_relations_name_one_leader() -> None:
    # Below the depth where two thresholds part, both sides have led.
    qrels = {"1": {"a": 1, "b": 1, "c": 2}}
    runs = {"one": {"1": {"a": 2, "b": 1}}, "two": {"1": {"x": 2, "c": 1}}}
    comparison = irpref.compare(qrels, runs, [IPSO(graded=True), IPSO(gains={1: 1, 2: 2})])
    (row,) = comparison.relations(IPSO(graded=True), "one", "two").itertuples()
    assert row[1:] == ("**", "one", 1, 2)
    (row,) = comparison.relations(IPSO(gains={1: 1, 2: 2}), "two", "one").itertuples()
    assert row.relation == "ns"
    assert (row.led_first, row.decided_at) == ("one", 1)
    assert pd.isna(row.nonseparable_at)


def test_figure_4_of_the_ipso_paper() -> None:
    # Equal to depth 3, ahead from depth 4 to 8, behind at 9: Moffat & Mackenzie 2024, section 2.
    serps = {"S1": "1011000000", "S2": "1010010010"}
    runs = {
        name: {
            "1": {f"{bit}{name * (bit == '0')}{rank}": 10.0 - rank for rank, bit in enumerate(serp)}
        }
        for name, serp in serps.items()
    }
    # The i-th relevant item of both is one document.
    for name, serp in serps.items():
        found = [rank for rank, bit in enumerate(serp) if bit == "1"]
        run = runs[name]["1"]
        runs[name]["1"] = {
            (f"r{found.index(rank)}" if rank in found else document): score
            for rank, (document, score) in enumerate(run.items())
        }
    depths = [IPSO @ k for k in range(1, 11)]
    comparison = irpref.compare({"1": {"r0": 1, "r1": 1, "r2": 1, "r3": 1}}, runs, depths)
    rows = [comparison.relations(ipso, "S1", "S2").iloc[0] for ipso in depths]
    assert [row["relation"] for row in rows] == ["="] * 3 + ["ni"] * 5 + ["**"] * 2
    assert all(pd.isna(row["led_first"]) for row in rows[:3])
    assert [row["led_first"] for row in rows[3:]] == ["S1"] * 7
    assert [row["decided_at"] for row in rows[3:]] == [4] * 7
    assert [row["nonseparable_at"] for row in rows[8:]] == [9] * 2
    assert all(pd.isna(row["nonseparable_at"]) for row in rows[:8])
    other = comparison.relations(IPSO @ 5, "S2", "S1").iloc[0]
    assert list(other[:3]) == ["ns", "S1", 4]


@settings(max_examples=15)
@given(
    small_cases,
    missing_means,
    st.sampled_from((1, 2, 3)),
    st.none() | st.integers(1, 6),
)
def test_profile_equals_the_signs_level_by_level(
    case: Case, missing: str, rel: int, cutoff: int | None
) -> None:
    comparison = compare(case, LP, missing=missing)
    found = comparison.profile("s1", "s2", by="level", rel=rel, cutoff=cutoff)
    by_level: dict[int, list[int]] = {}
    for topic in counted_topics(case, LP(rel=rel), "s1", "s2", missing):
        wanted = literal.relevant(case.grades[topic], rel)
        profile = literal.signs(
            *(literal.positions(case.run(side, topic), wanted, cutoff) for side in ("s1", "s2"))
        )
        for level, sign in enumerate(profile, start=1):
            by_level.setdefault(level, []).append(sign)
    assert list(found.index) == sorted(by_level)
    for level, signs in by_level.items():
        counts = [signs.count(1), signs.count(0), signs.count(-1), len(signs)]
        assert list(found.loc[level, ["wins", "ties", "losses", "topics"]]) == counts
        assert found.loc[level, "mean"] == pytest.approx(fmean(signs))


@settings(max_examples=8)
@given(small_cases, st.sampled_from((1, 2)))
def test_explanation_puts_the_items_side_by_side(case: Case, rel: int) -> None:
    comparison = compare(case, [LP, LR, RPP, IPSO @ 3])
    for topic in comparison.topics:
        explanation = comparison.explain(topic, "s0", "s1", rel=rel)
        grades = case.grades[topic]
        wanted = literal.relevant(grades, rel)
        for side, system in (("a", "s0"), ("b", "s1")):
            ranking = literal.ranked(case.run(system, topic))
            hits = [(d, grades[d], rank) for rank, d in enumerate(ranking, 1) if d in wanted]
            columns = [f"{column}_{side}" for column in ("document", "grade", "position")]
            rows = explanation.levels[columns]
            assert [tuple(row) for row in rows.dropna().to_numpy()] == hits
            assert len(rows) == len(wanted)
            assert rows.iloc[len(hits) :].isna().all(axis=None)
        assert list(explanation.levels["sign"]) == literal.signs(
            *(literal.positions(case.run(system, topic), wanted) for system in ("s0", "s1"))
        )
        values = explanation.decisions["value"].to_dict()
        assert values == {
            str(p): comparison.per_topic(p, "s0", "s1")[topic] for p in comparison.preferences
        }


def test_explanation_says_what_decides() -> None:
    qrels = {"7": {"a": 1, "b": 2, "c": 1}}
    runs = {
        "new": {"7": {"a": 9, "b": 8, "x": 7, "c": 6}},
        "old": {"7": {"a": 9, "x": 8, "c": 7}},
    }
    explanation = irpref.compare(qrels, runs).explain(7, "new", "old")
    reasons = explanation.decisions["decided_by"]
    assert reasons["LP"] == "2nd relevant document: new finds it at rank 2, old finds it at rank 3"
    assert reasons["LR"] == "3rd relevant document: new finds it at rank 4, old never finds it"
    # Both grades: levels 2 and 3 of three, and the only one of one.
    assert reasons["RPP"] == "new is earlier at 3 recall levels, old at 0; 1 tied (over 2 grades)"
    ahead = "ni: new is ahead from depth 2 and never behind, so metrics agree"
    assert reasons["IPSO@10"] == ahead
    text = repr(explanation)
    assert "b (2)" in text
    assert "not retrieved" in text
    assert_well_formed(explanation._repr_html_())


def test_explanation_of_a_long_topic_is_short_and_shows_what_decides() -> None:
    items = [f"d{i:03}" for i in range(300)]
    first = {item: float(-i) for i, item in enumerate(items)}
    second = {**first, "d199": first["d200"], "d200": first["d199"], "x": -290.5}
    qrels = {"1": {item: 1 for item in items if item != "d200"}}
    explanation = irpref.compare(qrels, {"a": {"1": first}, "b": {"1": second}}, [LP, LR]).explain(
        "1", "a", "b"
    )
    lines = repr(explanation).splitlines()
    assert len(lines) < 30
    shown = {line.split()[0] for line in lines if line.split()[:1] and line.split()[0].isdigit()}
    assert {"1", "200", "299"} <= shown
    assert len(explanation.levels) == 299


def test_explanation_of_runs_named_like_its_columns() -> None:
    qrels = {"1": {"d": 1}}
    runs = {"level": {"1": {"d": 1}}, "at": {"1": {"d": 1}}}
    text = repr(irpref.compare(qrels, runs).explain(1, "level", "at"))
    assert text.count("d (1)") == 2


# What is left out


@settings(max_examples=10)
@given(small_cases, missing_means)
def test_left_out_names_what_is_missing(case: Case, missing: str) -> None:
    for lists in list(case.runs.values())[:2]:
        lists["elsewhere"] = {"d0": 1.0}
    left_out = compare(case, missing=missing).coverage
    relevant = [t for t in case.judgments if literal.relevant(case.grades[t])]
    assert left_out.topics_without_relevant == tuple(
        topic for topic in case.judgments if topic not in relevant
    )
    assert left_out.missing == {
        system: absent
        for system in case.runs
        if (absent := tuple(t for t in case.judgments if not case.run(system, t)))
    }
    assert left_out.unjudged_topics == {"s0": 1, "s1": 1}
    for system, lists in case.runs.items():
        judged = [
            document in case.grades[topic]
            for topic, scores in lists.items()
            if topic in case.judgments
            for document in literal.ranked(scores)[:10]
        ]
        assert left_out.judged_at_10[system] == pytest.approx(fmean(judged))
    assert left_out.duplicates == {}


def test_missing_topics_lose_or_are_skipped() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}, "3": {"e": 0}}
    three = {"e": 1}
    runs = {
        "full": {"1": {"d": 1}, "2": {"d": 1}, "3": three},
        "half": {"1": {"d": 1}, "3": three},
    }
    worst = irpref.compare(qrels, runs, LP)
    assert worst.per_topic(LP, "full", "half").to_dict() == {"1": 0, "2": 1}
    assert worst.mean(LP).loc["full", "half"] == 0.5
    skipped = irpref.compare(qrels, runs, LP, missing="skip")
    assert skipped.per_topic(LP, "full", "half").to_dict() == {"1": 0}
    assert skipped.mean(LP).loc["full", "half"] == 0
    assert skipped.profile("full", "half").loc[1, "topics"] == 1
    assert "half lacks 1 (2)" in repr(worst)
    assert "counted as retrieving nothing" in repr(worst)
    assert "left out of its comparisons: half lacks 1 (2)" in repr(skipped)
    assert "1 topic (3)" in repr(worst)
    for comparison, topics in ((worst, 2), (skipped, 1)):
        assert f"on {topics} topic" in comparison.report().title
        assert f"topics:{topics}|" in comparison.report().signatures[0]


def test_a_topic_that_is_left_out_is_not_said_to_be_lost() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}, "3": {"d": 0}}
    both = {"1": {"d": 1}, "2": {"d": 1}}
    comparison = irpref.compare(qrels, {"all": {**both, "3": {"d": 1}}, "two": both})
    assert comparison.coverage.missing == {"two": ("3",)}
    assert "Left out, as nothing in them is relevant: 1 topic (3)." in repr(comparison)
    assert "missing from a run" not in repr(comparison)


def test_topics_without_the_grade_that_a_preference_asks_for_are_left_out_and_named() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 2}}
    runs = {"a": {"1": {"d": 1}, "2": {"d": 1}}, "b": {"1": {"x": 1}, "2": {"x": 1}}}
    strict = RPP(rel=2)
    comparison = irpref.compare(qrels, runs, [RPP, strict, IPSO(rel=3) @ 5])
    assert comparison.topics == ("1", "2")
    assert comparison.per_topic(strict, "a", "b").to_dict() == {"2": 1}
    assert comparison.mean(strict).loc["a", "b"] == 1
    assert list(comparison.outcomes(strict).iloc[0, 2:]) == [1, 0, 0]
    assert comparison.per_topic(IPSO(rel=3) @ 5, "a", "b").empty
    assert comparison.mean(IPSO(rel=3) @ 5).loc["a", "b"] == 0
    text = repr(comparison)
    assert "RPP(rel=2) leaves out 1 topic" in text
    assert "(1)" in text
    assert "IPSO(rel=3)@5 leaves out 2 topics" in text
    assert "RPP leaves out" not in text


@settings(max_examples=5)
@given(small_cases)
def test_judged_only_takes_unjudged_documents_out_first(case: Case) -> None:
    for lists in case.runs.values():
        lists["t0"]["d0"] = 9.0
    judged = {
        system: {
            topic: {d: s for d, s in scores.items() if d in case.grades[topic]}
            for topic, scores in lists.items()
            if topic in case.judgments
        }
        for system, lists in case.runs.items()
    }
    condensed = replace(
        case, runs={s: {t: d for t, d in r.items() if d} for s, r in judged.items()}
    )
    found, wanted = compare(case, judged_only=True), compare(condensed)
    for preference in DEFINITIONS:
        pd.testing.assert_frame_equal(found.mean(preference), wanted.mean(preference))
    assert set(found.coverage.judged_at_10.values()) == {1}
    assert "|judged-only|" in found.report().signatures[0]


def test_order_by_rank_reads_the_rank_column(tmp_path: Path) -> None:
    qrels = {"1": {"a": 1}}
    names = ("by_rank", "by_score")
    for name, ranks in zip(names, ((1, 2), (2, 1)), strict=True):
        lines = [f"1 Q0 {d} {rank} {score} x\n" for d, rank, score in zip("ab", ranks, (1, 2))]  # noqa: B905
        (tmp_path / f"{name}.txt").write_text("".join(lines))
    paths = [tmp_path / f"{name}.txt" for name in names]
    with pytest.warns(UserWarning, match=r"by_rank\.txt.*order='rank'"):
        by_score = irpref.compare(qrels, paths, LP)
    assert by_score.mean(LP).loc["by_rank", "by_score"] == 0
    by_rank = irpref.compare(qrels, paths, LP, order="rank")
    assert by_rank.mean(LP).loc["by_rank", "by_score"] == 1
    assert "|order:rank|" in by_rank.report().signatures[0]


def test_duplicates_are_counted(tmp_path: Path) -> None:
    run = tmp_path / "twice.txt"
    run.write_text("1 Q0 x 1 3 t\n1 Q0 d 2 2 t\n1 Q0 x 3 1 t\n")
    other = tmp_path / "once.txt"
    other.write_text("1 Q0 d 1 3 t\n")
    comparison = irpref.compare({"1": {"d": 1}}, [run, other], LP, duplicates="first")
    assert comparison.coverage.duplicates == {"twice": 1}
    assert comparison.mean(LP).loc["once", "twice"] == 1
    assert "Left out as repeated in a topic: 1 document." in repr(comparison)
    with pytest.raises(irpref.InputError, match=r"twice\.txt, line 3, topic 1, document x"):
        irpref.compare({"1": {"d": 1}}, [run, other], LP)


# Preferences of the user's, and texts


def reciprocal_rank(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    return float(1 / first[0] - 1 / second[0])


@settings(max_examples=8)
@given(small_cases)
def test_any_function_can_be_a_preference(case: Case) -> None:
    named = irpref.preference(reciprocal_rank, label="RR", rel=2) @ 3
    comparison = compare(case, [reciprocal_rank, named])
    for preference, rel, cutoff in ((reciprocal_rank, 1, None), (named, 2, 3)):
        for a, b in permutations(case.runs, 2):
            found = comparison.per_topic(preference, a, b)
            topics = counted_topics(case, LP(rel=rel), a, b, "worst")
            assert list(found.index) == topics
            for topic in topics:
                wanted = literal.relevant(case.grades[topic], rel)
                first, second = (
                    literal.positions(case.run(side, topic), wanted, cutoff) for side in (a, b)
                )
                value = literal.reciprocal(first[0]) - literal.reciprocal(second[0])
                assert found[topic] == pytest.approx(float(value))
    assert [str(p) for p in comparison.preferences] == ["reciprocal_rank", "RR(rel=2)@3"]


def test_decorated_function() -> None:
    @irpref.preference
    def deepest(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
        return float(first[-1] < second[-1]) - float(first[-1] > second[-1])

    assert isinstance(deepest, FunctionPreference)
    case = make_case(3, systems=3)
    comparison = compare(case, [deepest, deepest @ 2])
    assert str(deepest @ 2) == "deepest@2"
    for a, b in combinations(case.runs, 2):
        at_2 = comparison.per_topic(deepest @ 2, a, b)
        for topic, value in at_2.items():
            wanted = literal.relevant(case.grades[topic])
            first, second = (literal.positions(case.run(s, topic), wanted, 2)[-1] for s in (a, b))
            assert value == (first < second) - (first > second)
    assert "deepest@2" in repr(comparison)


def test_texts_objects_and_other_names_are_the_same() -> None:
    case = make_case(1)
    comparison = compare(case, ["sgnLP", LP, "RPP(weights='dcg')@3", irpref.dcgRPP @ 3])
    assert comparison.preferences == (LP, RPP(weights="dcg") @ 3)
    pd.testing.assert_frame_equal(comparison.mean("LP"), comparison.mean(LP))
    pd.testing.assert_frame_equal(
        comparison.outcomes("dcgRPP@3"), comparison.outcomes(RPP(weights="dcg") @ 3)
    )
    assert compare(case, "IPSO@2").preferences == (IPSO @ 2,)
    assert compare(case, LR).preferences == (LR,)
    assert irpref.compare(case.qrels, case.runs).preferences == (RPP, LP, LR, IPSO @ 10)


def test_order_keeps_equal_systems_as_given() -> None:
    runs = {name: {"1": {"d": 1.0}} for name in ("z", "m", "a", "q")}
    ordered = irpref.compare({"1": {"d": 1}}, {**runs, "worst": {"1": {"x": 1}}}, LP).order(LP)
    assert list(ordered.index) == ["z", "m", "a", "q", "worst"]
    assert ordered.name == "LP"


def test_progress_is_told_of_both_steps() -> None:
    told: list[tuple[str, int, int]] = []
    irpref.compare(*collection_of(3, 5), LP, progress=lambda *step: told.append(step))
    reading = [step for step in told if step[0] == "reading runs"]
    assert reading == [("reading runs", done, 3) for done in (1, 2, 3)]
    comparing = [step for step in told if step[0] == "comparing topics"]
    assert comparing[-1][1] == comparing[-1][2] == len(comparing)


# Mistakes


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda c: c.mean(LR), "LR was not compared; compared: LP, IPSO@2"),
        (lambda c: c.mean("IPSO@3"), "IPSO@3 was not compared"),
        (lambda c: c.outcomes("RPP"), "RPP was not compared"),
        (lambda c: c.order("LR"), "LR was not compared"),
        (lambda c: c.per_topic("RPP", "s0", "s1"), "RPP was not compared"),
        (lambda c: c.relations("IPSO", "s0", "s1"), "IPSO was not compared"),
        (lambda c: c.relations(LP, "s0", "s1"), "relations are of IPSO; LP has values"),
        (lambda c: c.per_topic(LP, "s0", "s11"), r"unknown system 's11'; did you mean 's1'\?"),
        (lambda c: c.relations("IPSO@2", "S0", "s1"), r"unknown system 'S0'; did you mean 's0'\?"),
        (lambda c: c.profile("s0", "none"), "unknown system 'none'"),
        (lambda c: c.profile("s0", "s1", cutoff=0), "a cutoff must be a whole number"),
        (lambda c: c.profile("s0", "s1", cutoff=1.5), "a cutoff must be a whole number"),
        (lambda c: c.explain("t99", "s0", "s1"), "unknown topic 't99'"),
        (lambda c: c.explain("t0", "s0", "nobody"), "unknown system 'nobody'"),
        (lambda c: c.report(baseline="s9"), "unknown baseline 's9'"),
        (lambda c: c.order(LP, method="meen"), "'meen'; did you mean 'mean'"),
        (lambda c: c.mean("LPP"), r"unknown preference or measure 'LPP' \(did you mean 'LP'\?\)"),
        (lambda c: c.mean(3), "a preference must be an object, a text or a function, not 3"),
    ],
)
def test_asking_for_what_is_not_there(ask: Callable[[Comparison], object], message: str) -> None:
    comparison = compare(make_case(1), [LP, IPSO @ 2])
    with pytest.raises(ValueError, match=message):
        ask(comparison)


@pytest.mark.parametrize(
    ("preferences", "options", "message"),
    [
        ([], {}, "there is no preference"),
        (5, {}, "a preference must be an object, a text or a function, not 5"),
        ([None], {}, "not None"),
        ("STRP", {}, r"unknown preference or measure 'STRP' \(did you mean 'STRPP'\?\)"),
        ("LP@0", {}, "a cutoff must be a whole number of at least 1, not 0"),
        (lambda first, second: 0.0, {}, "a function without a name needs a label"),
        (
            [RPP(weights=lambda i: 1 / i), RPP(weights=lambda i: 1 / i**2)],
            {},
            "two different preferences are both called",
        ),
        (LP, {"missing": "worse"}, r"unknown missing 'worse'; did you mean 'worst'\?"),
        (LP, {"order": "ranks"}, r"unknown order 'ranks'; did you mean 'rank'\?"),
        (LP, {"duplicates": "last"}, "unknown duplicates 'last'"),
        (IPSO(gains={1: 1}), {}, r"gains: topic t\d+ has grade [23], which has no gain"),
    ],
)
def test_mistaken_input(preferences: object, options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compare(make_case(2), preferences, **options)


def test_it_takes_two_runs() -> None:
    with pytest.raises(ValueError, match=r"there is only one run \(alone\): it takes two"):
        irpref.compare({"1": {"d": 1}}, {"alone": {"1": {"d": 1}}})


def test_subtopics_must_be_there() -> None:
    runs = {"a": {"1": {"d": 1}}, "b": {"1": {"d": 1}}}
    with pytest.raises(ValueError, match="the qrels name no subtopics"):
        irpref.compare({"1": {"d": 1}}, runs, STRPP)


def test_function_that_gives_nan() -> None:
    @irpref.preference
    def undefined(first: object, second: object) -> float:
        return float("nan")

    with pytest.raises(ValueError, match="undefined is not a number for positions"):
        compare(make_case(1), undefined)


# What is shown


def collection_of(
    systems: int, topics: int
) -> tuple[dict[str, Grades], dict[str, dict[str, Scores]]]:
    """Systems of falling skill with names as long as TREC's."""
    rng = np.random.default_rng(7)
    documents = [f"d{i}" for i in range(20)]
    qrels = {f"{t}": {d: 1 + (i < 3) for i, d in enumerate(documents[:8])} for t in range(topics)}
    runs = {
        f"participant-run-{s:03}": {
            topic: {
                document: float(score)
                for document, score in zip(
                    documents, rng.normal(-np.arange(20) / (1 + s)), strict=True
                )
            }
            for topic in qrels
        }
        for s in range(systems)
    }
    return qrels, runs


@pytest.mark.parametrize("systems", [2, 3, 125])
def test_repr_is_short(systems: int) -> None:
    qrels, runs = collection_of(systems, 6)
    comparison = irpref.compare(qrels, runs)
    lines = repr(comparison).splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 110
    for preference in comparison.preferences:
        assert str(preference) in repr(comparison)
    best = comparison.order(RPP)
    if systems == 2:
        assert f"{comparison.mean(RPP).iloc[0, 1]:+.3f}" in repr(comparison)
        return
    rows = [line.split() for line in lines if "participant-run-" in line]
    shown = [row[1] for row in rows if row[0].isdigit()]
    kept = list(best.index[:12])
    assert shown == kept
    for _, name, mean, *counts in rows[: len(kept)]:
        assert mean == f"{best[name]:+.3f}"
        assert sum(map(int, counts[:3])) == 6 * (systems - 1)
    below = "113 more systems below these: top=125 (--top 125) shows all."
    assert (below in lines) == (systems == 125)


class Balance(HTMLParser):
    """Finds tags that are not closed, or closed in another order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_well_formed(fragment: str) -> Balance:
    parser = Balance()
    parser.feed(fragment)
    parser.close()
    assert parser.open == []
    return parser


@pytest.mark.parametrize("systems", [2, 3])
def test_html_is_well_formed_and_names_are_escaped(systems: int) -> None:
    names = ["<b>", "a & b", "</td><script>x</script>"][:systems]
    qrels, runs = collection_of(systems, 3)
    renamed = dict(zip(names, runs.values(), strict=True))
    fragment = irpref.compare(qrels, renamed)._repr_html_()
    parsed = assert_well_formed(fragment)
    assert {"b", "script"}.isdisjoint(parsed.seen)
    assert all(name in parsed.text for name in names)
    assert "table" in parsed.seen


def test_a_notebook_gets_the_text_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # In a notebook rich displays by itself what it is asked to write, and says nothing.
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = repr(irpref.compare(*collection_of(3, 2)))
    assert "participant-run-000" in text
    assert "\x1b" not in text


def test_values_per_pair_and_topic_are_not_kept() -> None:
    systems, topics = 30, 150
    qrels, runs = collection_of(systems, topics)
    one, many = (
        irpref.compare(qrels, runs, preferences) for preferences in ([LP], [LP, LR, RPP, IPSO @ 10])
    )
    for comparison in (one, many):
        repr(comparison)
        comparison.per_topic(LP, *comparison.systems[:2])
    more = len(pickle.dumps(many)) - len(pickle.dumps(one))
    assert 0 < more / 3 < systems**2 * topics / 2


def test_signatures_tell_how_each_was_made() -> None:
    case = make_case(4, systems=2)
    chosen = [RPP(weights="dcg", graded=False, rel=2) @ 7, LP, IPSO(gains=GAINS) @ 5]
    lines = compare(case, chosen, missing="skip").report().signatures
    assert len(lines) == len(set(lines)) == 3
    assert lines[0].split("|")[0].endswith("RPP")
    for part in (
        "weights:dcg",
        "graded:no",
        "rel:2",
        "cutoff:7",
        f"irpref:{irpref.__version__}",
    ):
        assert part in lines[0].split("|")
    assert "cutoff:none" in lines[1].split("|")
    assert all(":skipped|" in line for line in lines) == bool(compare(case).coverage.missing)
