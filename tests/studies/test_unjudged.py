"""The study of unjudged documents: list by list, and against all judgments that there could be."""

from __future__ import annotations

import pytest

import irpref
from tests.methods.preferences.every_judgment import truths, with_unjudged

CASE = with_unjudged(11, topics=15)
DATA = irpref.collect(CASE.qrels, CASE.runs, lists=6)


def test_lists_and_certain_wins_are_those_of_one_after_the_other() -> None:
    study = irpref.studies.unjudged(DATA, ["IPSO", "LP", "LR"], depths=(6, 2), n_resamples=20)
    frame = study.frame.set_index(["condition", "method", "treatment"])["estimate"]
    for depth in (2, 6):
        lists = DATA.lists[
            (DATA.lists["position"] <= depth) & DATA.lists["topic"].isin(DATA.topics)
        ]
        without = lists[lists["grade"].isna()]
        by_list = without.groupby(["system", "topic"])["position"]
        of = lists.groupby(["system", "topic"]).ngroups
        found = frame.xs(("", str(depth)), level=("method", "treatment"))
        assert found.tolist() == pytest.approx(
            [by_list.ngroups / of, by_list.min().mean(), by_list.size().mean()]
        )
        for name in ("IPSO", "LP", "LR"):
            won = [
                not true.beaten[name]
                for _, a, b, true in truths(CASE, depth)
                if a != b and true.observed[name] in (1, "ni")
            ]
            assert 0 < sum(won) < len(won)
            assert frame["certain wins", name, str(depth)] == pytest.approx(sum(won) / len(won))


def nobody(first: object, second: object) -> float:
    """Prefers neither."""
    return 0.0


def claim(data: irpref.Collection) -> tuple[str, str]:
    study = irpref.studies.unjudged(data, "IPSO", n_resamples=2)
    [found] = study.claims[["verdict", "note"]].to_numpy().tolist()
    return found[0], found[1]


def test_claim_holds_and_fails_and_cannot_be_tested() -> None:
    """The first run has the relevant document first, and of the second one nothing is judged but some."""
    lists = {name: {f"{name}{n}": 200.0 - n for n in range(110)} for name in ("first", "second")}
    runs = {name: {"1": listed, "2": listed} for name, listed in lists.items()}

    def judged(*unjudged: str) -> irpref.Collection:
        documents = [document for listed in lists.values() for document in listed]
        grades = {each: 0 for each in documents if each not in unjudged} | {"first0": 1}
        return irpref.collect({"1": grades, "2": grades}, runs, lists=100)

    # One relevant document makes it level, two make the second run better.
    alike = "cannot be tested", "no unjudged document makes a difference"
    assert claim(judged()) == claim(judged("second30")) == alike
    assert claim(judged("second30", "second50"))[0] == "holds"
    # Down to 20 it is as uncertain.
    assert claim(judged("second3", "second5")) == alike
    assert claim(judged("second15", "second16"))[0] == "undecided"
    shallow = judged("second3", "second5").select(depth=20)
    assert claim(shallow) == ("cannot be tested", "no list is deeper than 20")


@pytest.mark.parametrize(
    ("data", "methods", "said"),
    [
        (DATA.select(depth=3), ["AP"], "AP cannot say: take IPSO, LP, LR or"),
        (DATA.select(depth=3), ["IPSO@10"], "leave @10 out of IPSO@10"),
        (DATA.select(depth=3), ["RPP"], "RPP takes unjudged='any' with graded=False"),
        (DATA.select(depth=3), [nobody], "cannot say"),
        (irpref.collect(CASE.qrels, CASE.runs), ["LP"], r"irpref.collect\(…, lists=100\)"),
    ],
    ids=["measure", "cutoff", "graded", "function", "no-lists"],
)
def test_what_cannot_be_said_is_refused(
    data: irpref.Collection, methods: list[object], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        irpref.studies.unjudged(data, methods)
