"""What holds however the unjudged documents are judged: all judgments are tried, one after the other."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import IPSO, LP, LR, RPP, demo_paths
from irpref.base.literals import Missing
from irpref.methods.preferences import dcgRPP, rrLP
from irpref.methods.preferences.unjudged import first_difference, open_lists
from irpref.pairwise.certain_wins import certain_wins, certain_wins_by_topic
from irpref.positions.topic_batch import TopicBatch
from tests.command_line import succeed
from tests.literal import ranked
from tests.methods.preferences.every_judgment import ANY, truths, with_unjudged
from tests.random_cases import make_case, place


@pytest.mark.parametrize(("seed", "depth", "rel"), [(1, 1, 1), (2, 3, 1), (3, 5, 2), (4, 9, 1)])
def test_a_relation_is_certain_if_all_judgments_agree(seed: int, depth: int, rel: int) -> None:
    case = with_unjudged(seed)
    placements = place(case.qrels, case.runs, lists=depth)
    batch = TopicBatch(placements)
    found = {}
    for name, each in ANY.items():
        preference = each(rel=rel) @ depth
        labels = np.array([relation.label for relation in preference.relations], dtype=object)
        codes = preference.relation_codes(preference.values(batch))
        found[name] = labels[codes], preference.unbeaten(batch)
    cases = sure = missed = 0
    for topic, a, b, true in truths(case, depth, rel):
        at = placements.topic(topic), placements.system(a), placements.system(b)
        cases += len(true.possible["RPP"]) > 1
        for name, (relations, unbeaten) in found.items():
            relation, where = true.relation(name), f"{name} of {a} and {b} on {topic}"
            if a == b:
                assert relations[at] == (relation if name == "IPSO" else "sure tie"), where
            elif name == "RPP":
                # Its bounds are proved, and need not be reached.
                assert relations[at] in (relation, "uncertain"), where
                assert not (unbeaten[at] and true.beaten[name]), where
                sure += relation != "uncertain"
                missed += relation != relations[at]
            else:
                assert relations[at] == relation, where
                assert unbeaten[at] == (not true.beaten[name]), where
    assert cases > 30
    assert missed < 0.01 * sure


def test_blocks_of_pairs_and_parts_of_the_systems_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = with_unjudged(5, topics=40, systems=4, documents=9)
    placements = place(case.qrels, case.runs, lists=9)
    whole, part = TopicBatch(placements), np.array([3, 1])
    few = TopicBatch(placements, topics=np.arange(5, 20), first=part, second=np.array([0, 3]))
    for preference in ANY.values():
        values, unbeaten = (preference @ 9).values(whole), (preference @ 9).unbeaten(whole)
        with monkeypatch.context() as patch:
            patch.setattr(open_lists, "MEMORY", 20)
            patch.setattr(first_difference, "CACHE", 20)
            np.testing.assert_array_equal((preference @ 9).values(whole), values)
            some = (preference @ 9).values(few), (preference @ 9).unbeaten(few)
        for found, all_of_them in zip(some, (values, unbeaten), strict=True):
            wanted = all_of_them[5:20][:, part][:, :, [0, 3]]
            other = np.ones((2, 2), dtype=bool)
            other[0, 1] = False  # a system and itself
            np.testing.assert_array_equal(found[:, other], wanted[:, other])


def test_a_part_has_unjudged_documents_of_its_own() -> None:
    case = make_case(6, topics=40, systems=4, documents=9, ties=True)
    data = irpref.collect(case.qrels, case.runs, lists=20)
    keep = np.random.default_rng(6).random(len(data.judgments)) < 0.5
    keep[(data.judgments["topic"] == "t0") & (data.judgments["document"] == "d0")] = True
    systems, asked = ["s2", "s0", "s3"], [each @ 5 for each in ANY.values()]
    part = data.select(judgments=keep, systems=systems, topics=[f"t{t}" for t in range(25)])
    frame = part.judgments.rename(
        columns={"topic": "query_id", "document": "doc_id", "grade": "relevance"}
    )
    again = irpref.compare(frame, {name: case.runs[name] for name in systems}, asked)
    assert again.outcomes(asked[0])["uncertain"].sum() > 0
    for each in asked:
        pd.testing.assert_frame_equal(part.compare(each).outcomes(each), again.outcomes(each))
    # Runs cut at 3 end there, so that their lists are known to the end.
    cut = data.select(depth=3).compare(LP(unjudged="any") @ 50)
    three = data.compare(LP(unjudged="any") @ 3)
    pd.testing.assert_frame_equal(
        cut.outcomes(cut.preferences[0]), three.outcomes(three.preferences[0])
    )


@pytest.mark.parametrize("missing", ["worst", "skip"])
def test_everything_after_the_fold_counts_what_is_certain(missing: Missing) -> None:
    case = with_unjudged(7, topics=30)
    comparison = irpref.compare(
        case.qrels, case.runs, [each @ 4 for each in ANY.values()], missing=missing
    )
    relations: dict[tuple[str, str, str], dict[str, str]] = {}
    wins = dict.fromkeys(ANY, 0)
    certain = dict.fromkeys(ANY, 0)
    for topic, a, b, true in truths(case, 4):
        if a == b or (missing == "skip" and not (case.run(a, topic) and case.run(b, topic))):
            continue
        for name in ANY:
            relations.setdefault((name, a, b), {})[topic] = true.relation(name)
            won = true.observed[name] in (1, "ni")
            wins[name] += won
            certain[name] += won and not true.beaten[name]
    for (name, a, b), by_topic in relations.items():
        preference = ANY[name] @ 4
        frame = comparison.relations(preference, a, b)
        if name != "RPP":
            assert frame["relation"].to_dict() == by_topic
        values = comparison.per_topic(preference, a, b)
        numbers = {"ni": 1, "sure win": 1, "ns": -1, "sure loss": -1}
        assert values.to_list() == [numbers.get(each, 0) for each in frame["relation"]]
        outcomes = comparison.outcomes(preference)
        found = outcomes[(outcomes["a"] == a) & (outcomes["b"] == b)]
        assert found.empty or (
            found[["uncertain", "wins"]].iloc[0].to_list()
            == [(frame["relation"] == "uncertain").sum(), (values > 0).sum()]
        )
        counts = frame[["unjudged_a", "unjudged_b"]]
        for side, system in zip(counts, (a, b), strict=True):
            for name_of_topic, count in counts[side].items():
                judged = case.grades[str(name_of_topic)]
                shown = ranked(case.run(system, str(name_of_topic)))[:4]
                assert count == sum(each not in judged for each in shown)
    facts = json.loads(comparison.report().to_json())["facts"]["certain_wins"]
    for name in ANY:
        counted = facts[str(ANY[name](unjudged="nonrelevant") @ 4)]
        assert counted == {"wins": wins[name], "certain": certain[name]}
    noted = f"{certain['IPSO']:,} of {wins['IPSO']:,} wins of IPSO@4"
    text = " ".join(comparison.report().to_text(notes=True).split())
    certain_of = text.partition("Certain: ")[2]
    assert noted in certain_of.partition(" cannot become losses, however the")[0]
    tests = comparison.test(ANY["LP"] @ 4)
    assert tests.attrs["test"] == "randomization"
    assert tests["uncertain"].sum() == comparison.outcomes(ANY["LP"] @ 4)["uncertain"].sum()


def test_certain_wins_over_a_baseline_are_those_of_both_sides() -> None:
    case = with_unjudged(8, topics=40, systems=4)
    placements = place(case.qrels, case.runs, lists=5)
    criteria = [ANY["IPSO"] @ 5, LP]
    counts = np.array(
        [
            certain_wins_by_topic(placements, criteria[0], [a], [b]).sum(axis=0)
            for a, b in itertools.combinations(range(4), 2)
        ]
    )
    for baseline, of in ((None, counts), (0, counts[:3])):
        wins, certain = of.sum(axis=0).tolist()
        found = certain_wins(placements, criteria, baseline)
        assert found == {"IPSO@5": {"wins": wins, "certain": certain}}
        assert certain > 0


def demo() -> irpref.Collection:
    """Two runs, one with an unjudged document."""
    return irpref.collect(
        {"1": {"d1": 1, "d2": 0, "d3": 1, "d4": 1}, "2": {"d1": 1}},
        {
            "a": {"1": {"d1": 3.0, "d2": 2.0}, "2": {"d1": 1.0}},
            "b": {"1": {"d2": 4.0, "u": 3.0, "d3": 2.0, "d4": 1.0}, "2": {"u": 2.0, "d1": 1.0}},
        },
        lists=5,
    )


def test_a_report_says_what_is_certain_and_why() -> None:
    asked = IPSO(unjudged="any") @ 5
    comparison = demo().compare([asked, RPP])
    assert comparison.relations(asked, "a", "b")["relation"].to_list() == ["**", "uncertain"]
    text = " ".join(comparison.report(per_topic=True).to_text(300, notes=True).split())
    assert "uncertain: it depends on how the unjudged documents are judged; =: as good" in text
    certain = (
        "0 of 1 wins of IPSO@5 cannot become losses, however the unjudged documents are judged."
    )
    assert f"Certain: {certain}" in text
    assert "count as not relevant, but to IPSO(unjudged='any')@5 as either." in text
    alone = demo().compare(asked)
    assert "not relevant" not in alone.report().to_text(300)
    explained = alone.explain("2", "a", "b")
    reason = explained.reasons[str(asked)]
    assert (reason.kind, reason.first, reason.second) == ("however judged", 0, 1)  # type: ignore[attr-defined]
    assert explained.decisions["decided_by"].item() == (
        "uncertain: it depends on how somebody would judge the unjudged documents down to rank 5 "
        "(0 of a, 1 of b)"
    )
    sure = (
        demo().compare(LP(unjudged="any") @ 1).explain("1", "a", "b").decisions["decided_by"].item()
    )
    assert sure == "a: neither has an unjudged document down to rank 1"
    either = demo().compare(asked).explain("1", "a", "b").decisions["decided_by"].item()
    assert either.startswith("both: no judging of the unjudged documents down to rank 5")


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("IPSO(unjudged='any')@10", "IPSO@10"),
        ("LP(unjudged='any', rel=2)@10", "LP(rel=2)@10"),
        ("LR(unjudged='any')", "LR"),
        ("RPP(unjudged='any', graded=False)@7", "RPP(graded=False)@7"),
    ],
)
def test_it_is_text_and_the_default_leaves_no_trace(text: str, default: str) -> None:
    asked = irpref.parse(text)
    assert irpref.parse(str(asked)) == asked
    assert "unjudged:any" in asked.described
    plain = asked(unjudged="nonrelevant")
    assert str(plain) == default
    assert plain == irpref.parse(default)
    assert not any("unjudged" in part for part in plain.described)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: IPSO(unjudged="all"), "unjudged"),
        (
            lambda: LP(unjudged="any", ties="expected"),
            "LP takes unjudged='any' with ties='trec' only",
        ),
        (
            lambda: rrLP(unjudged="any"),
            "with magnitude='sgn' only: leave out magnitude= or unjudged=",
        ),
        (
            lambda: RPP(unjudged="any"),
            "with graded=False, binary relevance only: leave out graded=True",
        ),
        (lambda: dcgRPP(unjudged="any", graded=False), "with weights='uniform' only"),
        (lambda: IPSO(unjudged="any", graded=True), "binary relevance only: leave out graded="),
        (lambda: IPSO(unjudged="any", gains={1: 1}), "binary relevance only: leave out gains="),
        (lambda: demo().compare(LR(unjudged="any")), r"LR\(unjudged='any'\) needs a cutoff"),
        (
            lambda: demo().compare(LR).preferences[0].unbeaten(TopicBatch(demo().placements)),
            "LR goes by the judgments there are",
        ),
    ],
    ids=[
        *("value", "ties", "magnitude", "graded-rpp", "weights", "graded-ipso", "gains"),
        *("no-cutoff", "not-asked"),
    ],
)
def test_what_cannot_be_certain_is_refused(make: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()  # type: ignore[operator]


def test_a_collection_must_have_kept_the_lists_and_a_function_keeps_them() -> None:
    case = with_unjudged(9, topics=20)
    asked = [IPSO(unjudged="any") @ 5, LP(unjudged="any") @ 3]
    with pytest.raises(ValueError, match=r"keep them with irpref.collect\(…, lists=5\)"):
        irpref.collect(case.qrels, case.runs).compare(asked)
    with pytest.raises(ValueError, match=r"of every run \(4 were kept\): keep them with .*lists=5"):
        irpref.collect(case.qrels, case.runs, lists=4).compare(asked)
    enough = irpref.collect(case.qrels, case.runs, lists=5).compare(asked)
    for lists in (None, 4, 8):
        again = irpref.compare(case.qrels, case.runs, asked, lists=lists)
        for each in asked:
            pd.testing.assert_frame_equal(again.outcomes(each), enough.outcomes(each))
    # Lists that end before are known to their ends.
    assert len(demo().compare(IPSO(unjudged="any") @ 100).topics) == 2
    with pytest.raises(ValueError, match=r"judged_only=True took the unjudged documents out"):
        irpref.compare(case.qrels, case.runs, asked, judged_only=True)


def test_the_command_line_keeps_the_lists_too(capsys: pytest.CaptureFixture[str]) -> None:
    qrels, runs = demo_paths()
    asked = ("-p", "IPSO(unjudged='any')@10", "--format", "json")
    found = json.loads(succeed(capsys, "compare", str(qrels), *map(str, runs[:2]), *asked))
    assert found["results"][0]["uncertain"] == 0
    assert found["facts"]["certain_wins"]["IPSO@10"] == {"wins": 7, "certain": 7}
