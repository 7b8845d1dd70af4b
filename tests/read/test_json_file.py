"""JSON files ``{topic: {document: number}}``: read as the dict that they hold, or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref.base.errors import InputError
from irpref.read import read_run
from tests.read.files import refused, written

# All of what UTF-8 can hold.
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(
    run=st.dictionaries(
        NAMES, st.dictionaries(NAMES, st.floats(allow_nan=False), min_size=1), min_size=1
    ),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 1, "\t"]),
    mark=st.sampled_from(["", "\ufeff", "\n "]),
)
def test_a_file_reads_as_the_dict_in_it(
    run: dict[str, Any], ascii_only: bool, indent: Any, mark: str, tmp_path: Path
) -> None:
    text = mark + json.dumps(run, ensure_ascii=ascii_only, indent=indent) + "\n"
    assert read_run(written(tmp_path, text, "run.json")).rows() == read_run(run).rows()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"q": {"d": 1}, "q": {"e": 1}}', "the key 'q' is there twice in an object"),
        ('{"q": {"d": 1, "e": 2, "d": 1}}', "the key 'd' is there twice in an object"),
        ('{"q": {"d": }}', "this is no JSON (Expecting value"),
        ('{"q": {"d": 1}} {"r": {"d": 1}}', "this is no JSON (Extra data"),
        ('{"q": {"d": ' + "9" * 5000 + "}}", "this is no JSON that can be read"),
        ('{"q": ' * 100_000 + "1" + "}" * 100_000, "this is no JSON that can be read"),
        ('{"q": 5}', "expected {document: score}, found int"),
        ('{"q": {"d": {"e": 1}}}', "the score {'e': 1} is not a number"),
        ('{"q": {"d": "1_0"}}', "the score '1_0' is not a number"),
        ('{"q": {"d": null}}', "the score None is not a number"),
        ('{"q": {"d": NaN}}', "the score is not a number (NaN)"),
        ('{"q": {"": 1}}', "the document is empty"),
        ('{"q": {"\\ud800": 1}}', r"the document '\ud800' has half of a character"),
        ("{}", "the run is empty"),
        (
            '[\n {"user_input": "q", "retrieved": ["d", "d"]}]',
            "no column has a known name for the topic (found: user_input, retrieved)",
        ),
        ('{"q": {"d": 1e400}}', "the number '1e400' is too large, at 'q' > 'd'"),
        ('{"\ufeffq": {"d": 1}}', "begins with a byte order mark (U+FEFF)"),
    ],
)
def test_what_is_wrong_is_named(text: str, problem: str, tmp_path: Path) -> None:
    path = written(tmp_path, text, "run.json")
    with pytest.raises(InputError) as error:
        read_run(path)
    assert problem in error.value.problem
    assert error.value.source == str(path)
    assert len(str(error.value)) < 500


def test_a_list_of_objects_without_known_names_is_refused(tmp_path: Path) -> None:
    found = written(tmp_path, '[{"id": ["c2", "c2"]}, {"id": ["c2"]}]', "old.json")
    with pytest.raises(InputError, match="no column has a known name for the topic"):
        irpref.compare({"q": {"c2": 1}}, [found, found.with_name("new.json")], "RPP")


def test_a_line_of_json_that_is_wrong_is_named(tmp_path: Path) -> None:
    error = refused(tmp_path, '{"q":\n {"d" 1}\n}', line=2)
    assert error.problem == "this is no JSON (Expecting ':' delimiter, column 7)"


@pytest.mark.parametrize("blanks", [0, 100, 5000])
def test_a_list_of_objects_is_rows(blanks: int, tmp_path: Path) -> None:
    rows = '[{"topic": 1, "document": "a", "score": 2}, {"score": 1, "document": "b", "topic": 1}]'
    run = read_run(written(tmp_path, " " * blanks + rows, "run.json"))
    assert run.select("topic", "document", "score").rows() == [("1", "a", 2), ("1", "b", 1)]
