"""Tables whose first line names the columns."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irpref.read import read_qrels, read_run
from tests.read.files import refused, written

# What any program can write into a table; a file has no name of nothing.
NAMES = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"), min_size=1
)
ROWS = st.lists(st.tuples(NAMES, NAMES, st.floats(allow_nan=False)), min_size=1, max_size=9)


@given(rows=ROWS, separator=st.sampled_from(["\t", ","]), end=st.sampled_from(["\n", "\r\n"]))
def test_a_table_that_pandas_wrote_reads_as_its_frame(
    rows: list[tuple[str, str, float]], separator: str, end: str, tmp_path: Path
) -> None:
    frame = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    path = tmp_path / "run.tsv"
    frame.to_csv(path, sep=separator, index=False, lineterminator=end)
    assert read_run(path).drop("line").rows() == read_run(frame).drop("line").rows()


CELLS = st.text(" \t'#éNa.,1\ufeff\u2028", min_size=1, max_size=3)
# No line begins with a byte order mark.
FIRST_CELLS = CELLS.filter(lambda cell: "\ufeff" not in cell)


@given(
    rows=st.lists(
        st.tuples(FIRST_CELLS, CELLS, st.floats(allow_nan=False)), min_size=1, max_size=5
    ),
    end=st.sampled_from(["\n", "\r\n"]),
    before=st.sampled_from(["", "\ufeff", "\n\n"]),
)
def test_quotes_around_a_name_change_nothing(
    rows: list[tuple[str, str, float]], end: str, before: str, tmp_path: Path
) -> None:
    """Only a file without quotes is read by columns; a file with some is read line by line."""
    # Behind blanks it would be the mark of a second file.
    assume(not any(document[:1] == "\ufeff" and not topic.strip() for topic, document, _ in rows))
    separator = "," if any("\t" in cell for row in rows for cell in row[:2]) else "\t"
    lines = [tuple(str(cell).replace(separator, "") or "x" for cell in row) for row in rows]
    table, quoted = (
        read_run(written(tmp_path, before + end.join(map(separator.join, [header, *lines])), "run"))
        for header in (("qid", "docno", "score"), ('"qid"', "docno", "score"))
    )
    assert table.equals(quoted)
    assert table["topic"].to_list() == [topic for topic, _, _ in lines]


def test_lines_are_counted_with_the_header_and_the_blank_ones(tmp_path: Path) -> None:
    text = "\nqid\tdocno\tscore\tnote\n1\td1\t2\t\n\n1\td2\t1\tx\n"
    table = read_run(written(tmp_path, text, "run.tsv"))
    assert table["line"].to_list() == [3, 5]
    error = refused(tmp_path, text + "1\td3\tx\t\n", line=6, topic="1", document="d3")
    assert error.problem == "the score 'x' is not a number"


def test_the_qrels_of_beir_are_read(tmp_path: Path) -> None:
    text = "query-id\tcorpus-id\tscore\n1\td1\t2\n1\td2\t0\n"
    table = read_qrels(written(tmp_path, text, "test.tsv"))
    assert table.rows() == [("1", None, "d1", 2.0, 2), ("1", None, "d2", 0.0, 3)]


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    error = refused(tmp_path, "qid\tdocno\tpoints\n1\td\t1\n")
    assert "no column has a known name for the score (found: qid, docno, points)" in error.problem


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("1\td\t1\n1\td\n", "the line has 2 columns, and the first line names 3"),
        ('1\td\t1\n1\t"d\t1\n', "the line cannot be read (unexpected end of data)"),
        ("1\td\t1\n1\td\n1\td\t1\t2\n", "the line has 2 columns, and the first line names 3"),
        ("1\td\t1\n1\td\t1\t2\n", "the line has 4 columns, and the first line names 3"),
        ("1\td\t1\n1\td\x1b\t1\n", "byte 4 of the line is a control character (code 27)"),
    ],
)
def test_a_line_that_does_not_fit_is_named(rest: str, problem: str, tmp_path: Path) -> None:
    assert refused(tmp_path, "qid\tdocno\tscore\n" + rest, line=3).problem == problem


@pytest.mark.parametrize("cell", ["d", '"d"'], ids=["plain", "quoted"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", ["\t", ","])
def test_a_byte_order_mark_inside_is_named_with_its_line(
    separator: str, end: str, cell: str, tmp_path: Path
) -> None:
    """Whether the second of two files that were put together has a header or not."""
    header = separator.join(("qid", "docno", "score")) + end
    one, other = (separator.join((topic, cell, "1")) + end for topic in "12")
    for mark in ("", "\ufeff"):
        for rest in (other, header + other, header):
            for blank in ("", end):
                text = mark + header + one + blank + "\ufeff" + rest + "\ufeff3\n"
                error = refused(tmp_path, text, line=4 if blank else 3)
                assert "begins with a byte order mark (U+FEFF)" in error.problem
    assert refused(tmp_path, "\ufeff\ufeff" + header + one, line=1).remedy
    text = header + one.replace("d", "\ufeffd")
    assert read_run(written(tmp_path, text, "run"))["document"].to_list() == ["\ufeffd"]


def test_the_first_of_two_faults_is_named(tmp_path: Path) -> None:
    text = "qid\tdocno\tscore\n1\td\tnan\n1\te\t1\t2\n"
    error = refused(tmp_path, text, line=2, topic="1", document="d")
    assert "NaN" in error.problem
    assert "4 columns" in refused(tmp_path, text.replace("nan", "1"), line=3).problem


@pytest.mark.parametrize("header", ["qid\tqid\tdocno\tscore", "qid,docno,score,score"])
def test_a_column_that_is_named_twice_is_refused(header: str, tmp_path: Path) -> None:
    assert "twice" in refused(tmp_path, f"{header}\n1\t1\td\t1\n").problem


def test_text_that_is_no_utf_8_is_named(tmp_path: Path) -> None:
    content = b"qid\tdocno\tscore\n1\td\t1\n1\t\xe9\t1\n"
    assert "not valid UTF-8" in refused(tmp_path, content, line=3).problem


def test_an_end_of_a_line_inside_quotes_stays_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_bytes(b'qid,docno,score\r\n1,"a\r\nb",3\r\n1,"a\nb",2\r\n2,c,1\r\n')
    run = read_run(path)
    assert run["document"].to_list() == ["a\r\nb", "a\nb", "c"]
    assert run["line"].to_list() == [2, 4, 6]
