"""The verdicts on all pairs are those on each pair, and no name can change them."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import RPP
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.verdict import family_in_view, verdicts
from irpref.show.page.page_parts import numbers_apart, verdicts_in_words
from tests.random_cases import Case, cases, topics_of

TEXTS = st.lists(st.text(alphabet="ab {},.+-e019\n"), max_size=6)


def filled(said: dict[str, Any], number: int, a: str, b: str) -> str:
    """One of the texts, filled as the page's script does it: in one go."""
    numbers = iter([column[number] for column in said["numbers"]])
    names = {"{a}": a, "{b}": b}
    return re.sub(
        r"\{a\}|\{b\}|#",
        lambda slot: names[slot[0]] if slot[0] in names else next(numbers),
        said["forms"][said["form"][number]],
    )


@settings(max_examples=40)
@given(
    cases(topics=6, systems=4),
    st.permutations(range(4)),
    st.sampled_from(["worst", "skip"]),
)
def test_they_are_those_on_each_pair(case: Case, order: list[int], missing: str) -> None:
    comparison = irpref.collect(case.qrels, case.runs, missing=missing).compare(RPP)
    placements, chosen = comparison.placements, order[:3]
    tests, _ = family_in_view(placements, comparison.totals, None, PairTest(), None)
    said = json.loads(json.dumps(verdicts_in_words(verdicts(placements, chosen, tests=tests))))
    for number, pair in enumerate(combinations(chosen, 2)):
        a, b = (placements.systems[each] for each in pair)
        text = filled(said, number, a, b)
        if text:
            assert text == comparison.verdict(a, b).text
        else:
            with pytest.raises(ValueError, match="share no topic with relevant documents"):
                comparison.verdict(a, b)


@pytest.mark.parametrize(
    "names", [("{b}", "{a}"), ("#", "##"), ("12", "+0.5"), ("{", "}"), ("won, 3 tied", "\\1\\g<0>")]
)
def test_names_are_data(names: tuple[str, str]) -> None:
    qrels, runs = topics_of([1, 2, 3], [2, 1, 1])
    renamed = dict(zip(names, runs.values(), strict=True))
    comparison = irpref.compare(qrels, renamed, RPP)
    order = [comparison.placements.system(name) for name in names]
    tests, _ = family_in_view(comparison.placements, comparison.totals, None, PairTest(), None)
    said = verdicts_in_words(verdicts(comparison.placements, order, tests=tests))
    text = comparison.verdict(*names).text
    assert names[1] in text
    assert filled(said, 0, *names) == text
    # The same forms and numbers as under any other names.
    other = irpref.compare(qrels, runs, RPP)
    plain = other.placements
    tests, _ = family_in_view(plain, other.totals, None, PairTest(), None)
    order = [plain.system(name) for name in runs]
    assert said == verdicts_in_words(verdicts(plain, order, tests=tests))


def test_two_systems_that_share_no_topic_have_an_empty_text() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {
        "a": {"1": {"d": 1.0}},
        "b": {"2": {"d": 1.0}},
        "c": {"1": {"e": 2.0, "d": 1.0}, "2": {"d": 1.0}},
    }
    placements = irpref.collect(qrels, runs, missing="skip").placements
    said = verdicts_in_words(
        verdicts(placements, [placements.system(name) for name in ("a", "b", "c")])
    )
    texts = [filled(said, number, "A", "B") for number in range(3)]
    assert texts[0] == ""
    assert "1 topic won" in texts[1]
    assert "neither system serves them better" in texts[2]


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
