"""What is said of a name that there is not."""

from __future__ import annotations

import pytest

from irpref.base.errors import unknown, warn


def test_the_error_for_an_unknown_name() -> None:
    assert str(unknown("run", "bm52", ["bm25", "tfidf"])) == (
        "unknown run 'bm52'; did you mean 'bm25'? (known: bm25, tfidf)"
    )
    assert str(unknown("run", "zzz", ["bm25"])) == "unknown run 'zzz' (known: bm25)"
    many = [f"run-{i}" for i in range(100)]
    assert str(unknown("run", 7, many)).endswith("run-11, … (100 in all))")


def test_code_without_a_module_is_warned_too() -> None:
    # What exec runs may have no __name__.
    with pytest.warns(UserWarning, match="careful"):
        exec("warn('careful')", {"warn": warn, "__builtins__": {}})
