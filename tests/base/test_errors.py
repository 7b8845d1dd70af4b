"""What is said of a name that there is not."""

from __future__ import annotations

import pytest

from irpref.base.errors import nearest, needing, unknown, warn


def test_the_error_for_an_unknown_name() -> None:
    assert str(unknown("run", "bm52", ["bm25", "tfidf"])) == (
        "unknown run 'bm52'; did you mean 'bm25'? (known: bm25, tfidf)"
    )
    assert str(unknown("run", "zzz", ["bm25"])) == "unknown run 'zzz' (known: bm25)"
    many = [f"run-{i}" for i in range(100)]
    assert str(unknown("run", 7, many)).endswith("run-11, … (100 in all))")


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("99", ["914916", "98", "990"], None),
        ("31", ["301", "13"], None),
        ("305", ["350"], None),
        ("6", ["16"], None),
        ("PLAIN-3", ["PLAIN-2", "PLAIN-33"], None),
        ("bm26", ["bm25"], None),
        ("bm52", ["bm25"], "bm25"),
        ("bm", ["bm25"], "bm25"),
        ("nDCG10", ["nDCG"], "nDCG"),
        ("run-12a", ["run-12b", "run-13a"], "run-12b"),
        ("zebra", ["bert", "tfidf"], None),
        ("***", ["***a"], None),
    ],
)
def test_a_number_is_near_no_other_number(name: str, known: list[str], near: str | None) -> None:
    assert nearest(name, known) == near


def test_only_the_library_that_is_needed_is_said_to_be_missing() -> None:
    for missing in ("paint", "paint.brushes"):
        with (
            pytest.raises(ImportError, match=r"^get paint$"),
            needing("get paint", "canvas", "paint"),
        ):
            raise ModuleNotFoundError(name=missing)
    for other in (ModuleNotFoundError("no oil", name="oil"), ImportError("no oil", name="paint")):
        with pytest.raises(ImportError, match=r"^no oil$"), needing("get paint", "paint"):
            raise other


def test_code_without_a_module_is_warned_too() -> None:
    # What exec runs may have no __name__.
    with pytest.warns(UserWarning, match="careful"):
        exec("warn('careful')", {"warn": warn, "__builtins__": {}})
