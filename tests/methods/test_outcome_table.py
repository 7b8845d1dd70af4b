"""Frames and files of side-by-side judgments: what is understood, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.errors import InputError
from irpref.cli.main import main
from irpref.methods.outcome_table import outcome_table
from irpref.methods.preferences.side_by_side import Outcomes

COLUMNS = ["topic", "a", "b", "outcome", "judge"]


def table(*rows: tuple[Any, ...], scale: Any = None) -> Outcomes:
    return outcome_table(pd.DataFrame(rows, columns=COLUMNS[: len(rows[0])]), scale=scale)


def values(outcomes: Outcomes) -> list[float]:
    return outcomes.given.answers.value.tolist()


def test_words_and_numbers_are_outcomes() -> None:
    said = ["a", "b", "tie", "A", " Tie ", 0.5, "-0.25", "model_a", "model_b", "tie (bothbad)"]
    found = table(*((str(n), "x", "y", each) for n, each in enumerate(said)))
    assert values(found) == [1, -1, 0, 1, 0, 0.5, -0.25, 1, -1, 0]
    assert (found.systems, len(found.topics)) == (("x", "y"), 10)


def test_the_columns_of_mt_bench_are_known_in_any_library() -> None:
    rows = {
        "question_id": [81, 82],
        "model_a": ["x", "y"],
        "model_b": ["y", "x"],
        "winner": ["model_a", "tie"],
        "judge": ["gpt", "gpt"],
        "turn": [1, 1],
    }
    for frame in (pd.DataFrame(rows), pl.DataFrame(rows), pl.DataFrame(rows).to_arrow()):
        found = outcome_table(frame)
        assert (found.topics, found.systems, values(found)) == (("81", "82"), ("x", "y"), [1, 0])


def test_without_judges_each_row_is_of_another_one() -> None:
    rows = [("1", "x", "y", "a"), ("1", "x", "y", "b"), ("1", "y", "x", "a"), ("2", "x", "y", "a")]
    for order in (rows, [rows[each] for each in (1, 2, 0, 3)]):
        found = table(*order).given
        assert found.by_pair.value.tolist() == pytest.approx([-1 / 3, 1])
        asking = found.asking
        assert (asking.most_judges, asking.both_orders, asking.first_place) == (3, 1, 0.5)


def test_a_row_without_an_outcome_was_not_judged() -> None:
    found = table(
        *((str(n), "x", "y", each) for n, each in enumerate(["a", None, "", np.nan, "b"]))
    )
    assert (found.topics, values(found)) == (("0", "4"), [1, -1])
    with pytest.raises(InputError, match="there are no outcomes"):
        table(("1", "x", "y", None))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("7", "x", "x", "a"), "line 2, topic 7: 'x' is judged against itself; leave the row out"),
        (("7", "x", "y", "x"), "line 2, topic 7: unknown outcome 'x'; say a or b"),
        (("7", "x", "y", 1.5), "unknown outcome '1.5'"),
        (("7", "x", "y", "inf"), "unknown outcome 'inf'"),
        ((None, "x", "y", "a"), "line 2: the row names no topic"),
        (("7", None, "y", "a"), "line 2: the row names no system a; name it"),
        (("7", "x", "", "a"), "the row names no system b"),
        (("7", "x", "y", "tier 2"), "unknown outcome 'tier 2'"),
    ],
)
def test_a_row_that_says_nothing_is_an_error_with_its_place(
    row: tuple[Any, ...], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        table(("1", "x", "y", "a"), row)


def test_a_judge_is_known_in_any_spelling() -> None:
    rows = [("1", "x", "y", "a", ["gpt", "pair"]), ("1", "x", "y", "b", ["gpt", "pair"])]
    found = outcome_table(pd.DataFrame(rows, columns=["Topic", "A", "B", "Outcome", "Judge"]))
    assert found.given.asking.most_judges == 1
    assert found.given.by_pair.value.tolist() == [0.0]


def test_a_missing_column_is_named() -> None:
    with pytest.raises(InputError, match="there is no column 'outcome' or 'winner'"):
        outcome_table(pd.DataFrame([("1", "x", "y")], columns=COLUMNS[:3]))
    with pytest.raises(
        InputError, match="the outcomes: give a frame or a file with a header, not a list"
    ):
        outcome_table([("1", "x", "y", "a")])


@given(
    numbers=st.lists(st.sampled_from([0, 0.25, 0.5, 1]) | st.floats(-1, 1), min_size=1),
    column=st.sampled_from(["outcome", "winner"]),
    as_text=st.booleans(),
    word=st.sampled_from([None, "tie", "a"]),
)
def test_numbers_of_which_none_is_below_0_need_a_scale(
    numbers: list[float], column: str, as_text: bool, word: str | None
) -> None:
    values_of = list(map(str, numbers)) if as_text else list(numbers)
    listed = [*values_of, *([word] if word else [])]
    rows = [(str(row), "x", "y", outcome) for row, outcome in enumerate(listed)]
    frame = pd.DataFrame(rows, columns=["topic", "a", "b", column])
    meant = {"tie": [0.0], "a": [1.0], None: []}[word]
    assert values(outcome_table(frame, scale="-1..1")) == [*numbers, *meant]
    if min(numbers) < 0:
        assert values(outcome_table(frame)) == [*numbers, *meant]
        with pytest.raises(InputError, match="unknown outcome"):
            outcome_table(frame, scale="0..1")
        return
    doubt = r"line 1, topic 0: no outcome is below 0, so .* may be a win or a loss"
    with pytest.raises(InputError, match=doubt) as error:
        outcome_table(frame)
    assert "scale='0..1') (1: a is better, 0: b)" in str(error.value)
    assert values(outcome_table(frame, scale="0..1")) == [*(2 * x - 1 for x in numbers), *meant]


def test_a_win_rate_is_that_of_its_winner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """x won once, lost twice and tied once: that is no lead of x."""
    rows = [("1", "x", "y", 1), ("2", "x", "y", 0), ("3", "x", "y", 0), ("4", "x", "y", 0.5)]
    (tmp_path / "judged.csv").write_text(
        pd.DataFrame(rows, columns=COLUMNS[:4]).to_csv(index=False)
    )
    words = ["compare", "--outcomes", str(tmp_path / "judged.csv")]
    assert main(words) == 2
    assert (
        "--scale 0..1 (1: a is better, 0: b), or --scale=-1..1 (0: a tie)"
        in capsys.readouterr().err
    )
    assert main([*words, "--scale", "0..1", "--format", "csv"]) == 0
    assert ",0.25," in capsys.readouterr().out
    assert main([*words, "--scale=-1..1", "--format", "csv"]) == 0
    assert ",0.375," in capsys.readouterr().out
    with pytest.raises(ValueError, match="unknown scale '0-1'"):
        table(*rows, scale="0-1")


def test_a_scale_is_of_outcomes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "qrels.txt", "a.txt", "b.txt", "--scale", "0..1"]) == 2
    assert "--scale is of --outcomes: leave it out" in capsys.readouterr().err


def test_a_system_called_b_is_a_doubt() -> None:
    with pytest.warns(UserWarning, match="a system is called a or b"):
        found = table(("1", "b", "c", "b"))
    assert values(found) == [-1.0]


def test_a_file_gives_its_lines(tmp_path: Path) -> None:
    text = "topic;a;b;outcome\n1;x;y;a\n\n2;x;y;no\n"
    file = tmp_path / "judged.csv.gz"
    file.write_bytes(gzip.compress(text.encode()))
    with pytest.raises(InputError, match=r"judged.csv.gz, line 4, topic 2: unknown outcome 'no'"):
        outcome_table(file)
    file.write_bytes(gzip.compress(text.replace("2;x;y;no", "2;;y;a").encode()))
    with pytest.raises(InputError, match=r"line 4: the row names no system a"):
        outcome_table(file)
    file = tmp_path / "judged.tsv"
    file.write_text(text.replace("no", "b").replace(";", "\t"))
    assert values(outcome_table(file)) == [1, -1]


def in_json(rows: list[dict[str, Any]], lines: bool, path: Path) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)) if lines else json.dumps(rows))
    return path


@pytest.mark.parametrize("lines", [True, False])
def test_types_and_columns_come_from_all_rows_of_json(lines: bool, tmp_path: Path) -> None:
    whole = [{"topic": n, "a": "x", "b": "y", "outcome": n % 2} for n in range(100)]
    late = [{"topic": 7.5, "a": "x", "b": "y", "outcome": -0.9}]
    found = outcome_table(in_json(whole + late, lines, tmp_path / "judged"))
    assert values(found)[-2:] == [1, -0.9]
    assert len(found.topics) == 101
    large = [{**whole[0], "topic": 2**53 + n} for n in range(3)]
    assert outcome_table(in_json(large, lines, tmp_path / "judged"), scale="0..1").topics[1] == str(
        2**53 + 1
    )
    judged = [*whole, {**late[0], "judge": "me"}]
    with pytest.raises(InputError, match="line 1: the row names no judge"):
        outcome_table(in_json(judged, lines, tmp_path / "judged"))


def test_a_key_twice_and_a_number_too_large_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    row = '{"topic": 1, "a": "x", "b": "y", "outcome": %s}\n'
    for wrong, problem in (
        ('1, "outcome": -1', "'outcome' is there twice"),
        ("1e400", "too large"),
    ):
        path.write_text(row % 1 + row % wrong)
        with pytest.raises(InputError, match=f"line 2: .*{problem}"):
            outcome_table(path)


def test_names_as_bytes_are_their_texts() -> None:
    rows = {"topic": ["1", "2"], "a": [b"x", "x"], "b": ["y", b"y"], "outcome": ["a", "b"]}
    assert outcome_table(pd.DataFrame(rows)).systems == ("x", "y")
