"""TREC text files: what is legal reads the same in every guise, what is not is named."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irpref.base.errors import InputError
from irpref.base.reading_options import Reading
from irpref.read import read_qrels, read_run, read_to_fault
from tests.read.files import QRELS, RUN, many, refused, written

RUN_ROWS = [("301", "d1", 1, 2.5), ("301", "d2", 2, 1.5), ("302", "d1", 1, 7.0)]
QRELS_ROWS = [("301", "0", "d1", 2.0), ("301", "0", "d2", 0.0), ("302", "4.5", "d1", -1.0)]


def run_of(tmp_path: Path, content: str | bytes, name: str = "run.txt") -> pl.DataFrame:
    return read_run(written(tmp_path, content, name))


def qrels_of(tmp_path: Path, content: str | bytes, name: str = "qrels.txt") -> pl.DataFrame:
    # Grades below 1 need somebody to say which are relevant: here all above 0.
    return read_qrels(written(tmp_path, content, name), Reading(rel=5e-324))


def rows(table: pl.DataFrame) -> list[tuple[Any, ...]]:
    return table.drop("line").rows()


def folded(text: str, separator: str) -> str:
    return text.replace(" ", separator)


GUISES = {
    "as it is": lambda text: text,
    "tabs": lambda text: folded(text, "\t"),
    "several spaces": lambda text: folded(text, "   "),
    "spaces and tabs mixed": lambda text: folded(text, " \t "),
    "one line with tabs": lambda text: text.replace("302 ", "302\t"),
    "first line with tabs": lambda text: "\t".join(text.split(" ", 3)),
    "leading and trailing blanks": lambda text: re.sub(r"(?m)^(?=.)|(?<=.)$", " \t", text),
    "trailing blanks": lambda text: re.sub(r"(?m)(?<=.)$", " ", text),
    "a leading blank in one line": lambda text: text.replace("302 ", " 302 "),
    "blank lines": lambda text: "\n\n" + text.replace("\n", "\n\n") + "\n\n",
    "lines of blanks": lambda text: "  \n \t\n" + text.replace("\n", "\n \t \n") + "   ",
    "no final newline": lambda text: text.rstrip("\n"),
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "Windows without a final one": lambda text: text.replace("\n", "\r\n").rstrip("\r\n"),
    "Windows blank lines": lambda text: "\r\n" + text.replace("\n", "\r\n\r\n"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "a byte order mark, tabs, Windows": lambda text: (
        "\ufeff" + folded(text, "\t").replace("\n", "\r\n")
    ),
}


@pytest.mark.parametrize("guise", GUISES.values(), ids=GUISES.keys())
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
def test_every_guise_reads_the_same(guise: Any, packed: bool, tmp_path: Path) -> None:
    pack = gzip.compress if packed else bytes
    assert rows(run_of(tmp_path, pack(guise(RUN).encode()))) == RUN_ROWS
    assert rows(qrels_of(tmp_path, pack(guise(QRELS).encode()))) == QRELS_ROWS


def test_a_run_may_have_five_columns_without_tags(tmp_path: Path) -> None:
    assert rows(run_of(tmp_path, RUN.replace(" bm25", ""))) == RUN_ROWS
    assert rows(run_of(tmp_path, RUN.replace(" bm25", "\t").replace("\n", "\r\n"))) == RUN_ROWS


def test_a_line_may_lack_the_tag(tmp_path: Path) -> None:
    assert (
        rows(run_of(tmp_path, "301 Q0 d1 1 2.5 bm25\n301 Q0 d2 2 1.5\n302 Q0 d1 1 7 x\n"))
        == RUN_ROWS
    )


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("inf", np.inf),
        ("-inf", -np.inf),
        ("Infinity", np.inf),
        ("-0.0", 0.0),
        ("1e-400", 0.0),
        ("+1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("-1E3", -1000.0),
        ("0.1", 0.1),
        ("123456789.123456789", 123456789.123456789),
    ],
)
def test_every_way_to_write_a_number_is_read(text: str, score: float, tmp_path: Path) -> None:
    assert run_of(tmp_path, f"301 Q0 d1 1 {text} x\n")["score"].to_list() == [score]
    if np.isfinite(score) and score < 1e6:
        assert qrels_of(tmp_path, f"301 0 d1 {text}\n")["grade"].to_list() == [score]
        return
    problem = (
        "the grade is infinite" if np.isinf(score) else "column 4 holds 123456789, which is no"
    )
    with pytest.raises(InputError, match=f"line 1, topic 301, document d1: {problem}"):
        qrels_of(tmp_path, f"301 0 d1 {text}\n")


@given(values=st.lists(st.floats(allow_nan=False), min_size=1, max_size=30))
def test_scores_are_read_to_the_last_bit(values: list[float], tmp_path: Path) -> None:
    text = "".join(f"q Q0 d{i} {i} {value!r} x\n" for i, value in enumerate(values))
    assert run_of(tmp_path, text)["score"].to_list() == values


def test_a_whole_rank_may_be_written_as_a_float(tmp_path: Path) -> None:
    assert run_of(tmp_path, "301 Q0 d1 1.0 2 x\n301 Q0 d2 2 1 x\n")["rank"].to_list() == [1, 2]


@pytest.mark.parametrize("rank", ["1.5", "first", "99999999999999999999", "NaN"])
def test_a_rank_that_is_no_whole_number_is_unknown(rank: str, tmp_path: Path) -> None:
    table = run_of(tmp_path, f"301 Q0 d1 {rank} 2.5 x\n301 Q0 d2 -2 1.5 x\n")
    assert table["rank"].to_list() == [None, -2]
    assert table["score"].to_list() == [2.5, 1.5]


@pytest.mark.parametrize(
    "name",
    [
        "é",
        "文書",
        "🙂-1",
        "#1",
        '"quoted',
        "a,b;c",
        "null",
        "NA",
        "true",
        "007",
        "1.50",
        "a\u00a0b",
        "-",
    ],
)
def test_ids_are_any_text_without_blanks(name: str, tmp_path: Path) -> None:
    text = f"{name} Q0 {name} 1 2.5 x\n{name} Q0 other 2 1.5 x\n"
    assert rows(run_of(tmp_path, text)) == [(name, name, 1, 2.5), (name, "other", 2, 1.5)]
    assert rows(qrels_of(tmp_path, f"{name} {name} {name} 1\n")) == [(name, name, name, 1.0)]


def test_topics_interleaved_and_in_any_order_stay_in_file_order(tmp_path: Path) -> None:
    text = "9 Q0 a 1 1 x\n10 Q0 a 1 2 x\n9 Q0 b 2 3 x\n1 Q0 a 1 1 x\n10 Q0 b 2 1 x\n"
    assert run_of(tmp_path, text)["topic"].to_list() == ["9", "10", "9", "1", "10"]


def test_a_hundred_thousand_documents_in_one_topic_are_read(tmp_path: Path) -> None:
    text = "".join(f"301 Q0 d{i} {i + 1} {-i} x\n" for i in range(100_000))
    table = run_of(tmp_path, gzip.compress(text.encode(), 1))
    assert table.height == table["document"].n_unique() == 100_000
    assert table.row(99_999) == ("301", "d99999", 100_000, -99_999.0, 100_000)


@pytest.mark.parametrize(
    "before", ["301 Q0 d0 1 3.5 x\n", "301\tQ0\td0\t1\t3.5\tx\r\n", "\n", "\t"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_inside_is_named_with_its_line(
    before: str, end: str, tmp_path: Path
) -> None:
    """As where two files were put together: the topic would be another one."""
    mine = f"\ufeff301 Q0 d1 1 2.5 x{end}302 Q0 d1 1 2.5 x{end}"
    for first in ("", "\ufeff"):
        line = 1 + before.count("\n")
        error = refused(tmp_path, first + before + mine + mine, line=line)
        assert "begins with a byte order mark (U+FEFF)" in error.problem
    assert refused(tmp_path, "\ufeff" + mine, line=1).remedy
    assert run_of(tmp_path, mine)["topic"].to_list() == ["301", "302"]


def test_a_byte_order_mark_inside_a_line_is_a_part_of_a_name(tmp_path: Path) -> None:
    table = run_of(tmp_path, "301 Q0 \ufeffd1 1 2.5 \ufeff\n301 Q0 d2 1 2.5 x\n")
    assert table["document"].to_list() == ["\ufeffd1", "d2"]


def test_lines_are_counted_with_the_blank_ones(tmp_path: Path) -> None:
    text = "\n\n301 Q0 d1 1 2.5 x\n\n301 Q0 d2 2 1.5 x\n \n301 Q0 d3 3 1 x"
    assert run_of(tmp_path, text)["line"].to_list() == [3, 5, 7]
    assert run_of(tmp_path, folded(text, "\t"))["line"].to_list() == [3, 5, 7]


TOKENS = st.text(
    st.characters(
        blacklist_categories=("Cs", "Cc", "Zs", "Zl", "Zp"), blacklist_characters="\ufeff"
    ),
    min_size=1,
    max_size=6,
)
LINES = st.lists(
    st.tuples(TOKENS, TOKENS, TOKENS, st.integers(-9, 10**9), st.floats(allow_nan=False)),
    min_size=1,
    max_size=25,
)


@given(lines=LINES, seed=st.integers(0, 2**32), packed=st.booleans(), tagged=st.booleans())
def test_any_table_written_in_any_way_reads_the_same(
    lines: list[tuple], seed: int, packed: bool, tagged: bool, tmp_path: Path
) -> None:
    rng = random.Random(seed)
    separators = rng.choice(([" "], ["\t"], [" ", "\t", "  ", " \t"]))
    margins = rng.choice(([""], ["", " ", "\t "]))
    end = rng.choice(("\n", "\r\n"))
    blank = rng.choice((0.0, 0.3))

    def write(table: list[list[str]]) -> bytes:
        text = rng.choice(("", "\ufeff"))
        for fields in table:
            while rng.random() < blank:
                text += rng.choice(margins) + end
            line = fields[0] + "".join(rng.choice(separators) + field for field in fields[1:])
            text += rng.choice(margins) + line + rng.choice(margins) + end
        data = (text if rng.random() < 0.5 else text.removesuffix(end)).encode()
        return gzip.compress(data) if packed else data

    run = [[t, i, d, str(r), repr(s), *["tag"] * tagged] for t, i, d, r, s in lines]
    assert rows(run_of(tmp_path, write(run))) == [(t, d, r, s) for t, _, d, r, s in lines]
    finite = [(t, i, d, s if np.isfinite(s) and s < 1e6 else 0.0) for t, i, d, _, s in lines]
    qrels = [[t, i, d, repr(s)] for t, i, d, s in finite]
    assert rows(qrels_of(tmp_path, write(qrels))) == finite


def plain_reader(text: str, widths: tuple[int, ...]) -> tuple[list[tuple[Any, ...]], int | None]:
    """The rows by the plainest reader, or the first line that is wrong."""
    found: list[tuple[Any, ...]] = []
    width, run = None, False
    for line, fields in enumerate((line.split() for line in text.split("\n")), start=1):
        if not fields:
            continue
        if width is None:
            if len(fields) not in widths:
                return [], line
            # Only a tag may be missing, and only where it could be nothing else.
            named = len(fields) == 6 and fields[5] not in NUMERALS
            widths = (5, 6) if named else (len(fields),)
            run = len(fields) > 4
            width = len(fields)
        if len(fields) not in widths:
            return [], line
        number = fields[4 if run else 3]
        if number not in NUMERALS:
            return [], line
        if run:
            rank = int(fields[3]) if re.fullmatch(r"-?\d+", fields[3]) else None
            found.append((fields[0], fields[2], rank, float(number)))
        else:
            found.append((fields[0], fields[1], fields[2], float(number)))
    return found, None


NUMERALS = ("1", "2.5", "-3")
FIELD = st.sampled_from([*NUMERALS, *NUMERALS, "a", "é"])
SEPARATOR = st.sampled_from(["\t", " ", "  ", " \t", "\t\t"])


@settings(max_examples=150)
@given(data=st.data(), kind=st.sampled_from(["run", "qrels"]), packed=st.booleans())
def test_as_a_plain_reader_does(
    data: st.DataObject, kind: str, packed: bool, tmp_path: Path
) -> None:
    """Lines of about the right length, mostly separated in one way, mostly with numbers."""
    usual = data.draw(st.sampled_from([" ", "\t"]))
    right = 4 if kind == "qrels" else data.draw(st.sampled_from([5, 6]))
    text = ""
    for _ in range(data.draw(st.integers(1, 6))):
        length = data.draw(st.sampled_from([right] * 12 + [right - 1, right + 1, 0]))
        for position in range(length):
            separator = data.draw(SEPARATOR) if data.draw(st.integers(0, 15)) == 0 else usual
            text += (separator if position else "") + data.draw(FIELD)
        text += data.draw(st.sampled_from(["\n"] * 6 + ["\r\n", " \n", "\n\n", "\t\n"]))
    wanted, bad = plain_reader(text, (4,) if kind == "qrels" else (5, 6))
    path = written(tmp_path, gzip.compress(text.encode()) if packed else text, "any")
    read = read_qrels if kind == "qrels" else read_run
    if wanted:
        assert rows(read(path)) == wanted
        return
    with pytest.raises(InputError) as error:
        read(path)
    # A first line of several columns without a number names columns, and here none that are known.
    cells = next((line.split("\t") for line in text.splitlines() if line), [])
    words = len([cell for cell in cells if cell.strip()]) > 1
    headed = words and not any(numeral in "\t".join(cells) for numeral in NUMERALS)
    assert error.value.line == (None if headed else bad)


# What is wrong


@pytest.mark.parametrize("line", [1, 2, 2000, 3000])
@pytest.mark.parametrize(
    ("kind", "bad", "columns"),
    [
        ("run", "301 Q0 d 1 2.5 my tag", 7),
        ("run", "301 Q0 my document 1 2.5 tag", 7),
        ("run", "301\tQ0\td\t1\t2.5\tmy\ttag", 7),
        ("run", "301 Q0 d", 3),
        ("run", "x", 1),
        ("qrels", "301 0 d", 3),
        ("qrels", "301 0 d 1 2 3 4", 7),
        ("qrels", "301  0   d", 3),
    ],
)
def test_malformed_lines_are_refused_with_their_number_and_columns(
    kind: str, bad: str, columns: int, line: int, tmp_path: Path
) -> None:
    error = refused(tmp_path, many(kind, bad, line), kind=kind, line=line)
    assert f"has {columns} column" in error.problem
    assert " ".join(bad.split()) in error.problem


def test_a_line_with_a_tag_in_a_run_without_tags_is_refused(tmp_path: Path) -> None:
    error = refused(tmp_path, "301 Q0 d1 1 2.5\n301 Q0 d2 2 1.5 x\n", line=2)
    assert "has 6 columns" in error.problem
    assert "the first line has 5: give every line a tag, or no line" in str(error)


def test_a_line_without_a_tag_that_is_a_number_could_lack_another_column(tmp_path: Path) -> None:
    """Without column 2, document d2 with score 3 would read as document 2 with score 7."""
    error = refused(tmp_path, "301 Q0 d1 1 9 7\n301 d2 2 3 7\n", line=2)
    assert "has 5 columns" in error.problem


def test_no_column_is_lost_between_two_spaces(tmp_path: Path) -> None:
    """Two ways to split must not disagree: at every space, or at several together."""
    run = run_of(tmp_path, "1 Q0 10 1 9 t\n1  Q0 7 2 8\n")
    assert rows(run) == [("1", "10", 1, 9.0), ("1", "7", 2, 8.0)]
    assert "has 4 columns" in refused(tmp_path, "301 Q0 d1 1 2\n301  d32 4 -.9\n", line=2).problem


@pytest.mark.parametrize("character", ["\r", "\v", "\f", "\0", "\x1b", "\x1c", "\x7f"])
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_a_control_character_is_refused_wherever_it_is(
    character: str, kind: str, tmp_path: Path
) -> None:
    good = "301 Q0 d1 1 2.5 x" if kind == "run" else "301 0 d1 1"
    for place in range(len(good)):
        bad = good[:place] + character + good[place:]
        error = refused(tmp_path, f"{good}\n\n{bad}\n{good}\n", kind=kind, line=3)
        assert "control character" in error.problem
        assert character not in str(error)


def test_the_end_of_a_file_may_be_that_of_a_windows_line(tmp_path: Path) -> None:
    assert rows(run_of(tmp_path, "301 Q0 d1 1 2.5 x\r")) == [("301", "d1", 1, 2.5)]


def test_rows_before_a_fault_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, "\n301 Q0 d1 1 2.5 x\n301 Q0 d2 2 nan x\n301 Q0 d3 3\n", "run.txt")
    table, fault = read_to_fault(path, "run")
    assert table.rows() == [("301", "d1", 1, 2.5, 2)]
    assert fault is not None
    assert fault.line == 3


def test_one_enormous_line_is_refused_within_bounds(tmp_path: Path) -> None:
    error = refused(tmp_path, "a " * 5_000_000, line=1)
    assert "has 8 or more columns" in error.problem
    assert len(str(error)) < 500


def test_a_field_too_many_is_not_made_up_for_by_one_too_few(tmp_path: Path) -> None:
    """A blank within a document's name, and elsewhere a line without a tag."""
    text = RUN + "303 Q0 my 17 2 0.5 bm25\n303 Q0 d1 1 2\n"
    assert "has 7 columns" in refused(tmp_path, text, line=4).problem
    assert "has 7 columns" in refused(tmp_path, folded(text, "\t"), line=4).problem
    assert "has 7 columns" in refused(tmp_path, folded(text, "  "), line=4).problem


def test_blanks_around_tabs_are_no_part_of_the_names(tmp_path: Path) -> None:
    assert rows(run_of(tmp_path, "301 \tQ0\t d1\t1\t2.5\tx\n")) == RUN_ROWS[:1]
    assert rows(qrels_of(tmp_path, "301 0 d1\t 2\n")) == QRELS_ROWS[:1]


def test_a_long_malformed_line_is_shown_in_part(tmp_path: Path) -> None:
    error = refused(tmp_path, "301 Q0 " + "d" * 10_000 + "\n", line=1)
    assert len(str(error)) < 400


@pytest.mark.parametrize("line", [1, 2, 2000])
@pytest.mark.parametrize(
    "score", ["x", "1e400", "-1e999", "1,5", "1_000", "0x10", "--1", "1d5", "٣", "True", "infinit"]
)
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_what_is_no_number_is_refused_with_its_place(
    kind: str, score: str, line: int, tmp_path: Path
) -> None:
    bad = f"301 Q0 odd 7 {score} x" if kind == "run" else f"301 0 odd {score}"
    content = many(kind, bad, line)
    error = refused(tmp_path, content, kind=kind, line=line, topic="301", document="odd")
    column = "score" if kind == "run" else "grade"
    assert error.problem == f"the {column} {score!r} is not a number"


@pytest.mark.parametrize("line", [1, 2, 2000])
@pytest.mark.parametrize("score", ["nan", "NaN", "-nan", "NAN"])
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_nan_is_refused_with_its_place(kind: str, score: str, line: int, tmp_path: Path) -> None:
    bad = f"301 Q0 odd 7 {score} x" if kind == "run" else f"301 0 odd {score}"
    for text in (many(kind, bad, line), "\t".join(many(kind, bad, line).split(" "))):
        error = refused(tmp_path, text, kind=kind, line=line, topic="301", document="odd")
        assert "NaN" in error.problem


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"  \t \r\n \n", gzip.compress(b"", mtime=0), gzip.compress(b" \n", mtime=0)],
)
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_an_empty_file_is_refused(kind: str, content: bytes, tmp_path: Path) -> None:
    assert "empty" in refused(tmp_path, content, kind=kind).problem


def test_a_file_of_a_byte_order_mark_only_is_empty(tmp_path: Path) -> None:
    assert "empty" in refused(tmp_path, b"\xef\xbb\xbf\n").problem


def test_swapped_qrels_and_runs_are_recognised(tmp_path: Path) -> None:
    error = refused(tmp_path, QRELS, kind="run", line=1)
    assert "looks like a qrels file: were qrels and run swapped?" in str(error)
    for run in (RUN, RUN.replace(" bm25", "")):
        error = refused(tmp_path, run, kind="qrels", line=1)
        assert "looks like a run file: were qrels and run swapped?" in str(error)


@pytest.mark.parametrize("line", [1, 2, 2000])
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_invalid_utf_8_is_refused_with_its_line(kind: str, line: int, tmp_path: Path) -> None:
    bad = "301 Q0 d\ufffd 7 1.5 x" if kind == "run" else "301 0 d\ufffd 1"
    content = many(kind, bad, line).encode().replace("\ufffd".encode(), b"\xe9")
    error = refused(tmp_path, content, kind=kind, line=line)
    byte = bad.index("\ufffd") + 1
    assert error.problem == f"byte {byte} of the line is not valid UTF-8"
