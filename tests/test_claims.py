"""What README and the guide say in their sentences and tables: each number is computed here anew."""

from __future__ import annotations

import re
import warnings
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

import irpref
from irpref import demo_paths

_ROOT = Path(__file__).parent.parent
_FOLDERS = {
    "TREC-COVID 5": "trec-covid-r5",
    "CLEF TAR 2017": "clef-tar17",
    "TREC Web 2012": "web12",
    "LLMJudge": "llmjudge",
    "MovieLens": "recsys-ml-small",
}
_CALLED = {"reciprocal rank": "RR", "the last relevant document": "TSE", "average precision": "AP"}


def text(page: str) -> str:
    """A page with its lines joined, as sentences go on from line to line."""
    return re.sub(r"\s+", " ", (_ROOT / page).read_text(encoding="utf-8"))


def table(page: str, heading: str) -> list[list[str]]:
    """The cells of the table of a page that has this heading."""
    lines = (_ROOT / page).read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(heading))
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return [rows[0], *rows[2:]]


def named(cell: str) -> str:
    """The preference or measure of a row."""
    if code := re.search("`(.+?)`", cell):
        return code[1]
    return next((name for words, name in _CALLED.items() if cell.startswith(words)), cell)


@cache
def compared(shared_data: Path, folder: str) -> irpref.Comparison:
    """By what README's tables have, of whole lists and, on TREC-COVID, of the first ten documents."""
    names = [named(row[0]) for row in table("README.md", "| compared by | TREC-COVID 5 |")[2:]]
    if folder == "trec-covid-r5":
        whole = [named(row[0]) for row in table("README.md", "| compared by | whole lists |")[1:]]
        names = list(dict.fromkeys([*names, *whole, *(f"{name}@10" for name in whole)]))
    where = shared_data / folder
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        runs = sorted((where / "runs").iterdir())
        return irpref.compare(where / "qrels.txt", runs, names, duplicates="first")


@cache
def demo() -> irpref.Comparison:
    return irpref.compare(*demo_paths(), ["RPP", "IPSO@10", "AP"])


# The example


def test_topics_leave_open_what_the_picture_shows() -> None:
    two = irpref.collect(*demo_paths()).select(systems=["bm25-prf", "tfidf"]).compare()
    p = two.verdict("bm25-prf", "tfidf").records.set_index("preference")["p_adjusted"]
    readme = text("README.md")
    # By the first preference, and by the one that the page names.
    assert p["RPP"] > 0.05
    assert demo().test("AP").query("a == 'bm25-prf' and b == 'tfidf'")["p"].item() > 0.05
    assert "Twelve topics leave open whether this is luck" in readme
    mean = demo().per_topic("AP", "bm25-prf", "tfidf").mean()
    assert f"Average precision says {mean:+.3f} for `bm25-prf`" in readme


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_tfidf_leads_up_to_a_third_by_one_to_three_topics(page: str) -> None:
    leads = demo().profile("bm25-prf", "tfidf")["mean"] * 12
    impatient, thorough = leads[leads.index <= 0.33], leads[leads.index > 1 / 3]
    assert impatient.max() == pytest.approx(-1)
    assert impatient.min() == pytest.approx(-3)
    assert thorough.min() > 0
    assert "up to a third of the documents" in text(page)
    assert "by one to three topics" in text(page)


def test_metrics_can_disagree_on_half_of_the_topics() -> None:
    relations = demo().relations("IPSO@10", "bm25-prf", "tfidf")["relation"]
    apart = int((relations == "**").sum())
    said = f"on {apart} of the {len(relations)} topics above metrics can disagree"
    assert said in text("README.md")


@pytest.mark.parametrize(
    ("there", "instead", "said"),
    [
        ("nDCG @ 5", "nDCG @ 5", "wins {first:.0f} points more than the other"),
        ("nDCG @ 5", "nDCG @ 5", "nDCG@5, by which these judges were made, reaches {others:.2f}"),
        (
            "nDCG @ 5",
            "nDCG @ 30",
            "`{instead}`), RPP would agree more ({RPP:.2f}) than LP ({LP:.2f})",
        ),
        (" + 0.05 + ", " + ", "without the liking it would be {changed:.0f} %"),
    ],
)
def test_what_other_simulated_judges_would_say(
    there: str, instead: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (_ROOT / "docs/judges.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    assert code.count(there) == 1
    names: dict[str, pd.DataFrame] = {}
    exec(code.replace(there, instead), names)
    judged = names["judged"]
    value = judged["outcome"].map({"a": 1, "tie": 0, "b": -1})
    pair = judged[["a", "b"]].apply(sorted, axis=1).str.join(" ")
    by_system = value.where(judged["a"] < judged["b"], -value)
    changed = by_system.groupby([judged["topic"], pair, judged["judge"]]).nunique() > 1
    methods = ["RPP", "LP", "nDCG@5", {"judges": judged}]
    found = irpref.studies.agreement(irpref.collect(*demo_paths()), methods).frame
    decided = found[found["condition"] == "judged pair-topics, decided"].set_index("method")
    left_out = found[found["condition"] == "one judge left out, decided"].set_index("method")
    numbers = {"first": 100 * value.mean(), "changed": 100 * changed.mean()}
    numbers["others"] = left_out.loc["nDCG@5", "estimate"]
    assert said.format_map({**decided["estimate"], **numbers, "instead": instead}) in text(
        "docs/judges.md"
    )


def test_files_take_a_quarter_of_the_time_of_trec_eval() -> None:
    _, first, *_ = table("docs/speed.md", "| work |")
    assert "files to six preferences" in first[0]
    assert "trec_eval" in first[2]
    assert 0.2 < float(first[-1]) < 0.3
    assert "a quarter of the time" in text("README.md")


# Real runs


def test_ties_on_trec_covid(shared_data: Path) -> None:
    _, *rows = table("README.md", "| compared by | whole lists |")
    names = [named(row[0]) for row in rows]
    cut = [f"{name}@10" for name in names]
    comparison = compared(shared_data, "trec-covid-r5")
    for row, *both in zip(rows, names, cut, strict=True):
        shown = []
        for name in both:
            outcomes = comparison.outcomes(name)
            topics = outcomes[["wins", "ties", "losses"]].to_numpy().sum()
            assert topics == 387_500
            shown.append(f"{100 * outcomes['ties'].sum() / topics:.2f} %")
        assert row[1:] == shown, row[0]


@pytest.mark.parametrize("collection", _FOLDERS)
def test_pairs_that_differ(shared_data: Path, collection: str) -> None:
    heading, sizes, *rows = table("README.md", "| compared by | TREC-COVID 5 |")
    column = heading.index(collection)
    names = [named(row[0]) for row in rows]
    comparison = compared(shared_data, _FOLDERS[collection])
    assert sizes[column] == f"{len(comparison.systems)} × {len(comparison.topics)}"
    shown = {name: row[column] for name, row in zip(names, rows, strict=True)}
    found = {}
    for name in names:
        tests = comparison.test(name)
        assert tests.attrs["test"] == "randomization"
        found[name] = f"{100 * tests['significant'].mean():.1f}"
    assert shown == found
