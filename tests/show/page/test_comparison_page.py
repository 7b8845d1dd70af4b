"""What a page of a comparison holds, how much of it, and what it says that it leaves out."""

from __future__ import annotations

import base64
import json
import re
import zlib
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irpref
from irpref import IPSO, LP, RPP, InputError, PairTest, demo_paths
from irpref.methods.preferences.reasons import OwnFunction, Reasons
from irpref.positions.topic_batch import TopicBatch
from irpref.show.page import comparison_page as module
from irpref.show.reports.answers import WHICH_PREFERENCE
from tests.command_line import fail, succeed
from tests.html import assert_well_formed
from tests.random_cases import make_case

DEMO = demo_paths()[0].parent
TEXTS = {"topics": DEMO / "topics.tsv", "docs": DEMO / "documents.jsonl"}
SIZES = {"uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "uint32": 4, "int32": 4, "float64": 8}


def facts_of(page: str) -> dict[str, Any]:
    [text] = re.findall(r'<script type="application/json" id="facts">(.*?)</script>', page)
    found: dict[str, Any] = json.loads(text)
    return found


def parts_of(page: str) -> dict[str, bytes]:
    found = re.findall(r'id="part:([^"]+)">([^<]*)</script>', page)
    return {name: zlib.decompress(base64.b64decode(text), 31) for name, text in found}


def warnings_of(page: str) -> list[str]:
    """What the page warns of, and what it says that it leaves out."""
    found = re.search(r'<div class="warnings">(.*?)</div>', page, re.DOTALL)
    return [] if found is None else [each.text for each in assert_well_formed(found[1]).all("p")]


@pytest.fixture(scope="module")
def demo() -> irpref.Comparison:
    return irpref.collect(*demo_paths(), lists=100).compare()


def test_every_part_is_described_and_has_its_numbers(demo: irpref.Comparison) -> None:
    page = demo.to_html(**TEXTS)
    assert page is not None
    facts, parts = facts_of(page), parts_of(page)
    assert set(parts) == set(facts["arrays"])
    texts = {name for name, part in facts["arrays"].items() if part["type"] == "json"}
    assert texts == {"verdicts", "lists/names", "lists/texts"}
    for name, part in facts["arrays"].items():
        if name not in texts:
            assert len(parts[name]) == prod(part["shape"]) * SIZES[part["type"]], name
    names, said = (json.loads(parts[f"lists/{each}"]) for each in ("names", "texts"))
    assert len(names) == len(said) == len(set(names))
    assert said[names.index("garden-001")].startswith("Bath and washing-up water")
    assert facts["queries"][0] == "keep slugs from eating young lettuce"
    verdicts = json.loads(parts["verdicts"])
    assert len(verdicts["form"]) == 15
    assert warnings_of(page) == []


def test_the_page_is_well_formed_and_asks_for_nothing(demo: irpref.Comparison) -> None:
    page = demo.to_html(test=PairTest(rng=1, n_resamples=99), **TEXTS)
    assert page is not None
    # The scripts between their tags are no text.
    shown = re.sub(r"<script[^>]*>.*?</script>", "", page, flags=re.DOTALL)
    read = assert_well_formed(shown)
    assert "pref:RPP|" in read.text
    addresses = set(re.findall(r"\w+://[^\s\"'<>]+", page))
    # A link to our own page asks for nothing before somebody follows it.
    assert addresses == {WHICH_PREFERENCE}


def test_systems_are_best_first_and_rows_name_them(demo: irpref.Comparison) -> None:
    ranked = demo.order("RPP").index.to_list()
    page = demo.to_html(top=4)
    assert page is not None
    facts = facts_of(page)
    assert (facts["systems"], facts["compared"], facts["pair"]) == (ranked, 6, None)
    assert facts["rows"] == [0, 1, 2, 3]
    page = demo.to_html(baseline="tfidf")
    assert page is not None
    facts = facts_of(page)
    place = ranked.index("tfidf")
    assert facts["pair"] == [0, place]
    assert sorted(facts["rows"]) == [each for each in range(6) if each != place]
    page = demo.to_html(baseline=ranked[0])
    assert page is not None
    assert facts_of(page)["pair"] == [0, 1]


def test_names_that_look_the_same_get_numbers() -> None:
    names = ["a\nb", "a\\nb", "a\\nb (2)"]
    runs = {name: {topic: {"d": 1.0} for topic in names} for name in names}
    page = irpref.compare({topic: {"d": 1} for topic in names}, runs).to_html()
    assert page is not None
    facts = facts_of(page)
    assert facts["topics"] == ["a\\nb", "a\\nb (3)", "a\\nb (2)"]
    assert sorted(facts["systems"]) == ["a\\nb", "a\\nb (2)", "a\\nb (3)"]


@pytest.mark.parametrize(("baseline", "first"), [(None, "b"), ("b", "a"), ("a", "b")])
def test_two_systems_are_in_the_order_of_the_report(baseline: str | None, first: str) -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {
        name: {topic: {"x": 2.0, "d": score} for topic in qrels}
        for name, score in (("a", 1.0), ("b", 3.0))
    }
    page = irpref.compare(qrels, runs).to_html(baseline=baseline)
    assert page is not None
    assert facts_of(page)["systems"][0] == first
    second = {"a": "b", "b": "a"}[first]
    assert f"<title>{first} against {second} on 2 topics<" in page
    assert "<h1>b is ahead of a by RPP; nothing was tested.</h1>" in page


@pytest.mark.parametrize("test", [None, False])
def test_of_two_systems_the_answer_stands_above_and_nowhere_else(test: Any) -> None:
    two = irpref.collect(demo_paths()[0], demo_paths()[1][:2], lists=100).compare()
    page = two.to_html(test=test)
    assert page is not None
    headline, *more = two.report(test=test).answer
    # The text of a link belongs to its paragraph.
    hidden = r"<script[^>]*>.*?</script>|</?a[^>]*>"
    shown = assert_well_formed(re.sub(hidden, "", page, flags=re.DOTALL))
    assert [each.text for each in shown.all("h1")] == [headline]
    paragraphs = shown.all("p")
    assert [each.text for each in paragraphs if each.attributes.get("class") == "answer"] == more
    assert headline not in [each.text for each in paragraphs]


@pytest.mark.parametrize("baseline", [None, "worst"])
def test_of_too_many_pairs_those_of_the_best_systems_are_there(
    baseline: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_case(5, topics=6, systems=7, ties=False)
    comparison = irpref.compare(case.qrels, case.runs, [RPP, LP])
    ranked = comparison.order("RPP").index.to_list()
    named = ranked[-1] if baseline else None
    # 3 systems have 3 pairs, and 4 have 6.
    monkeypatch.setattr(module, "_MOST_CELLS", len(comparison.topics) * 5)
    page = comparison.to_html(baseline=named)
    assert page is not None
    facts = facts_of(page)
    assert facts["compared"] == 3
    kept = [*ranked[:2], ranked[-1]] if baseline else ranked[:3]
    assert facts["systems"] == [*kept, *(name for name in ranked if name not in kept)]
    assert facts["arrays"]["0/values"]["shape"] == [len(comparison.topics), 3]
    assert facts["pair"] == ([0, 2] if baseline else None)
    assert warnings_of(page)[0].startswith("Pairs are of 3 of the 7 systems, the best ones")
    monkeypatch.setattr(module, "_MOST_CELLS", 1)
    page = comparison.to_html()
    assert page is not None
    assert facts_of(page)["compared"] == 2


def test_of_too_many_documents_lists_are_shorter(
    demo: irpref.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The runs of the demo list 30 documents at most, and some of them fewer.
    lengths = demo.placements.by_topic.retrieved
    sizes = {depth: int(np.minimum(lengths, depth).sum()) for depth in (30, 20, 10)}
    assert sizes[30] < 6 * 12 * 30
    for most, depth in ((sizes[30] - 1, 20), (sizes[20], 20), (sizes[10], 10)):
        monkeypatch.setattr(module, "_MOST_DOCUMENTS", most)
        page = demo.to_html()
        assert page is not None
        facts = facts_of(page)
        assert facts["lists"]["depth"] == depth
        assert warnings_of(page) == [
            f"Rankings show the first {depth} documents: with more, this page would be too large."
        ]
    monkeypatch.setattr(module, "_MOST_DOCUMENTS", sizes[30])
    whole = demo.to_html()
    assert whole is not None
    assert (facts_of(whole)["lists"]["depth"], warnings_of(whole)) == (30, [])
    monkeypatch.setattr(module, "_MOST_DOCUMENTS", sizes[10] - 1)
    page = demo.to_html(docs=TEXTS["docs"])
    assert page is not None
    facts = facts_of(page)
    assert facts["lists"] is None
    assert "Rankings show relevant documents only: with the others" in warnings_of(page)[0]


def test_lists_are_shorter_where_the_page_would_be_too_large(
    demo: irpref.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {}
    for first in (20, 10, 5):
        kept = irpref.collect(*demo_paths(), lists=first).compare()
        monkeypatch.setattr(module, "_MOST_BYTES", 10**9)
        page = kept.to_html(docs=TEXTS["docs"])
        bare = kept.to_html()
        assert page is not None
        assert bare is not None
        assert len(page) > len(bare)
        sizes[first] = len(bare.encode())
    assert sizes[20] > sizes[10] > sizes[5]
    # 200 for the sentence that says so.
    for most, depth in ((sizes[20] + 200, 20), (sizes[10] + 200, 10), (1, 10)):
        monkeypatch.setattr(module, "_MOST_BYTES", most)
        page = demo.to_html(docs=TEXTS["docs"])
        assert page is not None
        facts = facts_of(page)
        assert (facts["lists"]["depth"], facts["lists"]["texts"]) == (depth, True)
        [note] = warnings_of(page)
        assert note.startswith(f"Rankings show the first {depth} documents: with more")


def test_texts_of_documents_that_were_not_kept_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"docs= gives the texts.*with lists=100 irpref keeps"):
        irpref.compare(*demo_paths()).to_html(tmp_path / "x.html", docs=TEXTS["docs"])


def test_what_was_not_kept_is_said_with_the_way_to_keep_it() -> None:
    page = irpref.compare(*demo_paths()).to_html()
    assert page is not None
    [note] = warnings_of(page)
    assert "with lists=100 irpref keeps the first 100 of each run, as the command" in note
    few = irpref.collect(*demo_paths(), lists=5).compare().to_html()
    assert few is not None
    facts = facts_of(few)
    assert (facts["lists"]["depth"], warnings_of(few)) == (5, [])


def test_a_preference_with_a_reason_of_its_own_says_it_in_the_page() -> None:
    class Loud(type(RPP)):  # type: ignore[misc]
        name = "Loud"

        def reasons(self, batch: TopicBatch) -> Reasons:
            always = np.ones(len(batch.topics), dtype=np.bool_)
            return Reasons(kind=OwnFunction, constants={"label": "loud"}, relevant=always)

    comparison = irpref.compare(*demo_paths(), [RPP, Loud()])
    explained = comparison.explain("6", "bm25", "tfidf").decisions["decided_by"]
    assert explained["Loud"] == "the function loud"
    page = comparison.to_html()
    assert page is not None
    facts = facts_of(page)
    said = facts["preferences"][1]["reasons"]
    assert (said["forms"], said["said"]) == (["the function {label}"], [{"label": "loud"}])


def test_relations_name_who_wins_in_the_page() -> None:
    case = make_case(3, topics=6, systems=3)
    page = irpref.compare(case.qrels, case.runs, [IPSO @ 3, IPSO(unjudged="any") @ 3]).to_html()
    assert page is not None
    cells = [[row["cell"] for row in of["relations"]] for of in facts_of(page)["preferences"]]
    assert cells == [["=", "{a}", "{b}", "both"], ["=", "{a}", "{b}", "both", "uncertain"]]


def test_of_many_measures_fewer_pairs_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CELLS", 12 * 15)
    measures = [irpref.nDCG @ k for k in range(1, 9)]
    for asked, paired in ((measures[:4], 6), (measures, 4)):
        page = irpref.compare(*demo_paths(), asked).to_html()
        assert page is not None
        assert facts_of(page)["compared"] == paired


def test_long_texts_are_cut(demo: irpref.Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    long = {f"garden-{n:03d}": "word " * 99 for n in range(1, 151)}
    for most, longest in ((10**7, 300), (150 * 20, 20)):
        monkeypatch.setattr(module, "_MOST_CHARACTERS", most)
        page = demo.to_html(docs=long)
        assert page is not None
        texts = json.loads(parts_of(page)["lists/texts"])
        assert max(map(len, filter(None, texts))) in (longest, longest - 1)
        assert texts[0].endswith("…")


def test_a_page_is_written_whole_or_not_at_all(demo: irpref.Comparison, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("as it was")
    with pytest.raises(InputError, match="none of the 12 topics asked for"):
        demo.to_html(path, topics={"nothing": "of this"})
    with pytest.raises(ValueError, match="unknown baseline"):
        demo.to_html(path, baseline="nobody")
    assert path.read_text() == "as it was"
    assert demo.to_html(path) is None
    assert path.read_text(encoding="utf-8") == demo.to_html()
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]
    with pytest.raises(InputError, match="its folder does not exist"):
        demo.to_html(tmp_path / "nowhere" / "page.html")
    with pytest.raises(InputError, match="this is a directory"):
        demo.to_html(tmp_path)


def test_the_command_writes_a_page_with_lists_and_texts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    qrels, runs = demo_paths()
    words = ["compare", str(qrels), *map(str, runs)]
    path = tmp_path / "report.html"
    texts = [f"--{name}={file}" for name, file in TEXTS.items()]
    assert succeed(capsys, *words, *texts, "-o", str(path)) == ""
    page = path.read_text(encoding="utf-8")
    # The runs have no more than 30.
    assert facts_of(page)["lists"]["depth"] == 30
    assert facts_of(page)["queries"][5] == "bottling, drying or freezing a glut of tomatoes"
    printed = succeed(capsys, *words, *texts, "--format", "html")
    assert printed.rstrip("\n") == page.rstrip("\n")
    for form in (["--per-topic", "-o", str(path)], ["--keep", "summary", "-o", str(path)]):
        succeed(capsys, *words, *form)
        assert 'id="facts"' not in path.read_text(encoding="utf-8")
        assert "give texts to a page" in fail(capsys, *words, *form, *texts).replace(
            "gives", "give"
        )
    assert "--docs gives texts to a page" in fail(capsys, *words, texts[1])


def test_the_page_shows_what_looks_wrong_with_its_runs_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "upside.txt").write_text("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n")
    for name in ("other", "third"):
        (tmp_path / f"{name}.txt").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    (tmp_path / "strange.txt").write_text("1 Q0 x-a 1 2 t\n1 Q0 x-b 2 1 t\n")
    runs = [tmp_path / f"{name}.txt" for name in ("upside", "other", "strange", "third")]
    with pytest.warns(UserWarning, match="upside.txt: the rank column contradicts"):
        data = irpref.collect({"1": {"a": 1, "b": 0}}, runs)
    page = data.compare(["RPP", "LR"]).to_html()
    assert page is not None
    assert "upside: the rank column contradicts the scores" in page
    assert "strange: the run retrieves no judged document" in page
    assert str(tmp_path) not in page
    # A part shows those of its runs.
    part = data.select(systems=["other", "strange", "third"]).compare("RPP").to_html()
    assert part is not None
    assert "rank column" not in part
    assert "strange: the run" in part


# Random runs are of unequal depth.
UNEVEN = pytest.mark.filterwarnings("ignore:.* documents a topic")
SEEDS = {"one": ["s0", "s1", "s2", "s3", "s4"], "other": ["s5", "s6", "s7", "s8", "s9"]}


@UNEVEN
def test_systems_of_several_runs_have_no_rankings_and_the_page_says_where_these_are() -> None:
    case = make_case(3, topics=9, systems=11)
    data = irpref.collect(case.qrels, case.runs, groups=SEEDS, lists=5)
    page = data.compare([RPP, LP]).to_html()
    assert page is not None
    assert "3 systems" in page
    assert "11 runs" in page
    assert "Choose a topic for the reasons." in page
    facts, parts = facts_of(page), parts_of(page)
    assert [facts[each] for each in ("profile", "positions", "lengths", "lists")] == [None] * 4
    assert warnings_of(page)[:1] == [
        "Systems have several runs, and rankings are of one: a page of the runs without groups shows them."
    ]
    forms = json.loads(parts["verdicts"])["forms"]
    # One pair is of systems of five runs, the others are not tested.
    assert any("p = " in each for each in forms)
    assert any("nothing was tested" in each for each in forms)
    with pytest.raises(InputError, match="rankings are of one: leave docs or groups out"):
        data.compare(RPP).to_html(docs={"d1": "text"})


@UNEVEN
def test_the_page_of_two_systems_says_what_their_mean_varies_by() -> None:
    case = make_case(3, topics=9, systems=10)
    page = irpref.collect(case.qrels, case.runs, groups=SEEDS).compare(RPP).to_html()
    assert page is not None
    assert "What the mean by RPP varies by" in page
    assert "wins most clearly" not in page
