"""Options that are said once, for functions and for the command line."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest

import irpref
from irpref import demo_paths
from irpref.base.reading_options import Reading, ReadingOptions

QRELS, RUNS = demo_paths()


def test_the_keywords_of_functions_are_the_fields() -> None:
    # The one is for what runs, the other for the type checker.
    assert {field.name: field.type for field in fields(Reading)} == {
        name: getattr(kind, "__forward_arg__", kind)
        for name, kind in ReadingOptions.__annotations__.items()
    }


def test_documented_options_are_those_that_there_are() -> None:
    for name in ("order", "duplicates", "judged_only", "missing", "lists"):
        assert f"``{name}``" in (inspect.getdoc(irpref.collect) or "")


def test_the_nearest_name_may_be_one_of_the_function_itself() -> None:
    with pytest.raises(TypeError, match="unknown option 'progres'; did you mean 'progress'"):
        irpref.collect(QRELS, RUNS, progres=None)  # type: ignore[call-arg]
