"""The answers on all pairs are those on each pair, and no name can change them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import LP, LR, RPP, PairTest, demo_paths
from irpref.base.escape import escaped
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.feeds.page_numbers import pairs_of
from irpref.pairwise.pair_checks import check_pairs
from irpref.pairwise.pair_facts import pair_facts
from irpref.pairwise.pair_table import PairTable
from irpref.pairwise.pair_tests import compare_pairs
from irpref.report.report import Report
from irpref.report.table import p_words
from irpref.show.page.page_parts import answers_in_words, numbers_apart
from irpref.show.reports.check_words import checks_by_pair
from tests.random_cases import Case, cases, topics_of
from tests.show.page.test_comparison_page import facts_of, parts_of

TEXTS = st.lists(st.text(alphabet="ab {}#,.+-e019\n"), max_size=6)
UNTESTED = "Nothing was tested: "


def filled(said: dict[str, Any], number: int, a: str, b: str) -> str:
    """One of the texts, filled as the page's script does it: in one go."""
    numbers = iter([column[number] for column in said["numbers"]])
    names = {"{a}": a, "{b}": b}
    return re.sub(
        r"\{a\}|\{b\}|#",
        lambda slot: names[slot[0]] if slot[0] in names else next(numbers),
        said["forms"][said["form"][number]],
    )


def answers_of(comparison: irpref.Comparison, order: Sequence[int]) -> dict[str, Any]:
    """What a page has of the pairs of some systems."""
    placements, totals = comparison.placements, comparison.totals
    tests: dict[Criterion, PairTable] = {}
    # There may be too few topics for a test.
    with suppress(ValueError):
        how = PairTest().seeded()
        tests = {
            each: compare_pairs(placements, each, totals[each], how, intervals=True)
            for each in list(totals)[: None if len(placements.systems) == 2 else 1]
        }
    pairs, how = pairs_of(order), PairTest().seeded()
    checks = {
        each: checks_by_pair(check_pairs(placements, each, table, how))
        for each, table in tests.items()
    }
    tables = {
        each: PairTable.of(placements.systems, each, sums, pairs).with_tests(tests.get(each))
        for each, sums in totals.items()
    }
    said = answers_in_words(pair_facts(placements, tables, order, checks))
    found: dict[str, Any] = json.loads(json.dumps(said))
    return found


def text_of(verdict: Report) -> str:
    """Its paragraphs; why nothing was tested stands above all pairs, not in each."""
    doubts = [line for line in verdict.remarks if line.startswith(("Ties decide", "Judged of"))]
    answer = [each for each in verdict.answer if not each.startswith(UNTESTED)]
    return "\n".join((*answer, *doubts))


@pytest.mark.filterwarnings("ignore:Runs list", "ignore:run .* retrieves no judged")
@settings(max_examples=15)
@given(
    cases(topics=6, systems=4),
    st.permutations(range(4)),
    st.sampled_from(["worst", "skip"]),
    st.sampled_from([(RPP,), (LP, RPP, LR)]),
)
def test_they_are_those_on_each_pair(
    case: Case, order: list[int], missing: str, compared: tuple[Any, ...]
) -> None:
    comparison = irpref.collect(case.qrels, case.runs, missing=missing).compare(compared)
    chosen = order[:3]
    said = answers_of(comparison, chosen)
    for number, pair in enumerate(combinations(chosen, 2)):
        a, b = (comparison.placements.systems[each] for each in pair)
        assert filled(said, number, a, b) == text_of(comparison.verdict(a, b))


def pairs_in(page: str | None) -> Iterator[tuple[str, str, str]]:
    """The two systems of every pair of a page, and what it says of them."""
    assert page is not None
    facts, said = facts_of(page), json.loads(parts_of(page)["verdicts"])
    names = combinations(facts["systems"][: facts["compared"]], 2)
    for number, (a, b) in enumerate(names):
        yield a, b, filled(said, number, a, b)


@pytest.mark.parametrize(
    ("test", "kinds"),
    [
        (None, ["Neither "]),
        (False, [" is ahead of "]),
        (PairTest(method="t", alpha=0.7), ["Neither ", " is better than "]),
        (
            PairTest(n_resamples=20, alpha=0.2, rng=3),
            ["Neither ", " is better than ", "(n_resamples=…)"],
        ),
    ],
    ids=str,
)
def test_a_page_says_of_every_pair_what_its_verdict_says(test: Any, kinds: list[str]) -> None:
    comparison = irpref.compare(*demo_paths())
    pairs = list(pairs_in(comparison.to_html(test=test)))
    assert len(pairs) == 15
    for a, b, said in pairs:
        assert said == text_of(comparison.verdict(a, b, test=test))
        assert ("nothing was tested" in said) is (test is False)
    assert all(any(kind in said for *_, said in pairs) for kind in kinds)
    every = ["Neither ", " is ahead of ", " is better than ", "(n_resamples=…)"]
    assert not any(kind in said for *_, said in pairs for kind in {*every} - {*kinds})


@pytest.mark.filterwarnings("ignore:RPP. 1 of 5 pairs")
def test_against_a_baseline_the_pairs_of_the_baseline_are_tested() -> None:
    comparison = irpref.compare(*demo_paths())
    tests = comparison.test("RPP", baseline="bm25").set_index("a")["p_adjusted"]
    for a, b, said in pairs_in(comparison.to_html(baseline="bm25")):
        others = {a, b} - {"bm25"}
        if len(others) == 1:
            assert p_words(tests[others.pop()], 0.05) in said
            assert "nothing was tested" not in said
        else:
            assert "nothing was tested" in said
            assert " p " not in said
    # A margin asks for something else than these sentences say: the report above has it.
    margin = PairTest(margin=0.3, alternative="equivalent")
    page = comparison.to_html(baseline="bm25", test=margin)
    assert all("nothing was tested" in said for *_, said in pairs_in(page))
    assert f"<h1>{comparison.report(baseline='bm25', test=margin).answer[0]}</h1>" in str(page)


def test_pairs_of_unequal_depth_say_what_a_check_takes_back() -> None:
    qrels = {str(topic): {f"d{number}": 1 for number in range(0, 40, 2)} for topic in range(9)}
    runs = {
        name: {topic: {f"d{n}": -float(n) for n in range(start, depth)} for topic in qrels}
        for name, start, depth in (("long", 1, 40), ("short", 0, 20), ("brief", 2, 20))
    }
    comparison = irpref.compare(qrels, runs, ["LR", "RPP"])
    page = comparison.to_html()
    for a, b, said in pairs_in(page):
        verdict = comparison.verdict(a, b)
        cut = {"short": "cut at 20 both, ", "brief": "cut at 18 both, "}
        assert [words in said for words in cut.values()] == [{a, b} == {"long", of} for of in cut]
        if "long" in (a, b):
            # Of the first preference pairs are corrected; a verdict is of the same family.
            assert said.startswith(f"long is ahead of {({a, b} - {'long'}).pop()} by LR (p = ")
        assert said == text_of(verdict)
    # Above stands the report, which says it of all.
    assert "; 2 of its 2 wins do not hold at equal depth." in str(page)


@pytest.mark.parametrize(
    "names", [("{b}", "{a}"), ("#", "##"), ("12", "+0.5"), ("{", "}"), ("won, 3 tied", "\\1\\g<0>")]
)
def test_names_are_data(names: tuple[str, str]) -> None:
    qrels, runs = topics_of([1, 2, 3], [2, 1, 1])
    renamed = dict(zip(names, runs.values(), strict=True))
    comparison = irpref.compare(qrels, renamed, RPP)
    order = [comparison.placements.system(name) for name in names]
    said = answers_of(comparison, order)
    text = text_of(comparison.verdict(*names))
    assert names[1] in text
    assert filled(said, 0, *names) == text
    # The same forms and numbers as under any other names.
    plain = irpref.compare(qrels, runs, RPP)
    assert said == answers_of(plain, [plain.placements.system(name) for name in runs])


@pytest.mark.parametrize(
    "label", ["{b} # 3", "{a}{b}", "a\x1b[2J\nb", "x\u202ey", "#", "\\ud800 & <b>"]
)
def test_names_of_preferences_are_data_and_act_on_no_screen(label: str) -> None:
    def first(one: Any, other: Any) -> float:
        return float(one.min() < other.min()) - float(one.min() > other.min())

    comparison = irpref.compare(*demo_paths(), irpref.preference(first, label=label))
    page = comparison.to_html()
    assert (
        f": {escaped(label)} by randomization test (exact)."
        in facts_of(str(page))["verdicts"]["how"]
    )
    for a, b, said in pairs_in(page):
        assert said == "\n".join(map(escaped, comparison.verdict(a, b).answer))
        assert f" by {escaped(label)}" in said


def test_of_two_systems_that_share_no_topic_this_is_said() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {
        "a": {"1": {"d": 1.0}},
        "b": {"2": {"d": 1.0}},
        "c": {"1": {"e": 2.0, "d": 1.0}, "2": {"d": 1.0}},
    }
    comparison = irpref.collect(qrels, runs, missing="skip").compare(RPP)
    said = answers_of(comparison, [comparison.placements.system(name) for name in runs])
    texts = [filled(said, number, "A", "B") for number in range(3)]
    assert texts[0] == "A and B share no topic with relevant documents."
    assert text_of(comparison.verdict("a", "b")) == texts[0].replace("A", "a").replace("B", "b")
    assert "A wins 1 of 1 topic and loses 0" in texts[1]
    assert texts[2].startswith("A and B tie on every topic by RPP.\n")


@given(TEXTS)
def test_texts_can_be_put_together_again(texts: list[str]) -> None:
    said = numbers_apart(texts)
    restored = []
    for number, form in enumerate(said["form"]):
        numbers = iter([column[number] for column in said["numbers"]])
        restored.append(re.sub("#", lambda _, left=numbers: next(left), said["forms"][form]))
        # What a form does not need is empty.
        assert not any(numbers)
    assert restored == texts
    assert not any(re.search(r"\d", form) for form in said["forms"])
    assert len(set(said["forms"])) == len(said["forms"])
    assert all(len(column) == len(texts) for column in said["numbers"])
