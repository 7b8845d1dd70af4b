"""What the papers' experiments found: the page says what the kept files say, and these can be checked."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from bs4 import BeautifulSoup, Tag

from irpref.studies import known_studies
from irpref.studies.claims import VERDICTS, all_claims
from irpref.studies.findings import Finding
from scripts.studies import claims_of, keep, page, write

_DOCS = Path(__file__).parents[2] / "docs"
_FOUND = _DOCS / "found"
_PAGE = _DOCS / "what-papers-found.md"
_COLLECTIONS = ["covid", "web12", "llm", "movies", "tar17"]


@pytest.fixture(scope="module")
def claims() -> pl.DataFrame:
    return pl.read_parquet(_FOUND / "claims.parquet")


@pytest.fixture(scope="module")
def frames() -> dict[str, pl.DataFrame]:
    files = (path for path in _FOUND.glob("*.parquet") if path.stem in known_studies())
    return {path.stem: pl.read_parquet(path) for path in files}


def test_the_page_is_made_of_the_files_alone(tmp_path: Path) -> None:
    for path in (*_FOUND.glob("*.parquet"), _FOUND / "page.md.jinja"):
        shutil.copy(path, tmp_path)
    assert page(tmp_path) == _PAGE.read_text(encoding="utf-8"), "make studies writes it anew"


def test_the_files_are_small() -> None:
    assert sum(path.stat().st_size for path in _FOUND.glob("*.parquet")) < 1e6


def test_every_number_says_how_it_was_made(frames: dict[str, pl.DataFrame]) -> None:
    for name, frame in frames.items():
        made = frame["signature"].str.split("|")
        assert made.list.contains(f"study:{name}").all()
        on = frame.filter(pl.col("collection") != "")
        assert (
            on["signature"].str.extract(r"\|collection:(\w+)").to_list()
            == on["collection"].to_list()
        )


def test_every_claim_is_judged(claims: pl.DataFrame) -> None:
    judged = {tuple(row) for row in claims.filter(seed=0)["study", "claim"].unique().rows()}
    assert judged == {(claim.study, claim.claim) for claim in all_claims()}
    assert set(claims["verdict"]) <= set(VERDICTS)


def test_the_frames_have_the_number_of_each_claim(
    claims: pl.DataFrame, frames: dict[str, pl.DataFrame]
) -> None:
    rows = {(claim.study, claim.claim): claim for claim in all_claims()}
    tested = claims.filter(pl.col("theta").is_not_null(), seed=0)
    for of in tested.iter_rows(named=True):
        found = frames[of["study"]].filter(collection=of["collection"])
        about = found.select(Finding._fields[:-1]).with_columns(
            pl.col("estimate").fill_null(float("nan"))
        )
        found = rows[of["study"], of["claim"]].parts([Finding(*row) for row in about.rows()])
        parts = [part for part in found if np.isfinite(part.theta[0])]
        assert len(parts) == of["parts"], of["claim"]
        assert min(abs(part.theta[0] - of["theta"]) for part in parts) < 1e-9, of["claim"]


def test_the_page_names_the_papers_and_links_to_the_studies(claims: pl.DataFrame) -> None:
    text = _PAGE.read_text(encoding="utf-8")
    for paper in claims["paper"].unique():
        assert f"\n| {paper} | *" in text
    for study in claims["study"].unique():
        assert f"\n## {study}\n" in text


# A page of claims that were made up.
_CLAIM = {
    **{
        "paper": "Doe 2001",
        "item": "Table 1",
        "note": "",
        "evidence": "RR 0.4, LP 0.1",
        "reading": "",
    },
    **{"verdict": "holds", "theta": 0.3, "low": 0.2, "high": 0.4, "parts": 1},
}
_FOUND_OUT = {
    "ties": [
        *(
            {"claim": "RR ties < LP & more", "collection": each, **_CLAIM}
            for each in _COLLECTIONS[:3]
        ),
        {"claim": "RR ties < LP & more", "collection": "movies", **_CLAIM, "verdict": "fails"}
        | {"theta": -0.3, "low": -0.4, "high": -0.2, "note": "depends on how ties count: holds"},
        {
            "claim": "RR ties < LP & more",
            "collection": "tar17",
            **_CLAIM,
            "verdict": "cannot be tested",
        }
        | {"theta": None, "low": None, "high": None, "note": "no list is deep"},
        *(
            {"claim": "true of itself", "collection": each, **_CLAIM, "verdict": "by definition"}
            | {"note": "nothing else can be"}
            for each in _COLLECTIONS
        ),
    ],
    "ipso-space": [{"claim": "a share", "collection": "", **_CLAIM, "low": 0.3, "high": 0.3}],
}


def _kept(name: str, seed: int, **changed: Any) -> None:
    claims = [{**claim, **changed} for claim in _FOUND_OUT[name]]
    keep(claims_of({"facts": {"claims": claims}}, name, seed), name, seed)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("scripts.studies._FOUND", tmp_path)
    shutil.copy(_FOUND / "page.md.jinja", tmp_path)
    for name in _FOUND_OUT:
        _kept(name, 0)
    write(pl.DataFrame({"collection": []}), tmp_path / "ties.parquet")
    return tmp_path


def rows_of(text: str, kind: str) -> list[Tag]:
    return BeautifulSoup(text, "html.parser").select(f"table.{kind} tr")


def test_a_claim_has_a_verdict_on_each_collection_or_one_on_all(folder: Path) -> None:
    head, *rows = rows_of(page(folder), "claims")
    assert [cell.get_text() for cell in head.select("th")] == ["Doe 2001", *_COLLECTIONS]
    # In the order of the studies.
    said = [str(row.summary and row.summary.get_text()) for row in rows]
    assert said == ["A share. Table 1", "RR ties < LP & more. Table 1", "True of itself. Table 1"]
    verdicts = [[cell.get_text() for cell in row.select("td")[1:]] for row in rows]
    assert verdicts == [
        ["holds"],
        ["holds", "holds", "holds", "fails*", "cannot be tested"],
        ["by definition"],
    ]
    assert [cell["colspan"] for cell in rows[2].select("td.by-definition")] == ["5"]
    assert rows[1].select_one("td.cannot-be-tested")


def test_a_sentence_unfolds_its_numbers(folder: Path) -> None:
    _, exact, tested, known = rows_of(page(folder), "claims")
    assert [line.get_text() for line in tested.select("li")] == [
        "covid, web12, llm: +0.3 [+0.2, +0.4]; RR 0.4, LP 0.1",
        "movies: -0.3 [-0.4, -0.2]; RR 0.4, LP 0.1; depends on how ties count: holds",
        "tar17: no list is deep",
    ]
    assert [line.get_text() for line in exact.select("li")] == ["+0.3; RR 0.4, LP 0.1"]
    assert known.get_text().count("Nothing else can be.") == 1
    assert str(tested.a) == '<a href="#ties">Command</a>'


def test_verdicts_are_counted_on_each_collection_and_once_where_no_data_decides(
    folder: Path,
) -> None:
    head, row = rows_of(page(folder), "counts")
    counts = zip(head.select("th"), row.select("td"), strict=True)
    assert {name.get_text(): of.get_text() for name, of in counts if of.get_text()} == {
        **{"paper": "Doe 2001", "claims": "3", "holds": "4", "fails": "1"},
        **{"by definition": "1", "cannot be tested": "1"},
    }


def test_what_changes_under_another_seed_is_shown(folder: Path) -> None:
    assert "None has been tried yet." in page(folder)
    _kept("ties", 1)
    _kept("ties", 2, verdict="undecided")
    text = page(folder)
    # Six others are the same on any data.
    assert (
        "\n| 1 | 4 | 0 | 0.0 % |\n| 2 | 10 | 10 | 100.0 % |\n| together | 14 | 10 | 71.4 % |\n"
        in text
    )
    assert "movies: fails, undecided under 2</li>" in text


def test_other_seeds_say_nothing_of_a_claim_that_has_changed(folder: Path) -> None:
    _kept("ties", 1)
    _kept("ties", 0)
    assert len(pl.read_parquet(folder / "claims.parquet").filter(seed=1)) == 10
    _kept("ties", 0, theta=0.25)
    assert pl.read_parquet(folder / "claims.parquet").filter(seed=1).is_empty()
