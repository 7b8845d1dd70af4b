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

from irpref.errors import InputError
from irpref.read import read_qrels, read_run

RUN = "301 Q0 d1 1 2.5 bm25\n301 Q0 d2 2 1.5 bm25\n302 Q0 d1 1 7 bm25\n"
RUN_ROWS = [("301", "d1", 1, 2.5), ("301", "d2", 2, 1.5), ("302", "d1", 1, 7.0)]
QRELS = "301 0 d1 2\n301 0 d2 0\n302 4.5 d1 -1\n"
QRELS_ROWS = [("301", "0", "d1", 2.0), ("301", "0", "d2", 0.0), ("302", "4.5", "d1", -1.0)]


def run_of(tmp_path: Path, content: str | bytes, name: str = "run.txt") -> pl.DataFrame:
    return read_run(written(tmp_path, content, name))


def qrels_of(tmp_path: Path, content: str | bytes, name: str = "qrels.txt") -> pl.DataFrame:
    return read_qrels(written(tmp_path, content, name))


def written(tmp_path: Path, content: str | bytes, name: str) -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


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


def test_gzip_is_told_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    assert rows(run_of(tmp_path, gzip.compress(RUN.encode()), "run.txt")) == RUN_ROWS
    assert rows(run_of(tmp_path, RUN, "run.txt.gz")) == RUN_ROWS
    two_members = gzip.compress(RUN.encode()[:21]) + gzip.compress(RUN.encode()[21:])
    assert rows(run_of(tmp_path, two_members, "run")) == RUN_ROWS


def test_parquet_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    frame = pl.DataFrame(
        [(topic, document, score) for topic, document, _, score in RUN_ROWS],
        schema=["query_id", "doc_id", "score"],
        orient="row",
    )
    frame.write_parquet(path)
    assert rows(read_run(path)) == [(t, d, None, s) for t, d, _, s in RUN_ROWS]
    frame.rename({"score": "relevance"}).write_parquet(path)
    assert rows(read_qrels(str(path))) == [(t, None, d, s) for t, d, _, s in RUN_ROWS]


def test_damaged_parquet_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a readable Parquet file") as error:
        run_of(tmp_path, b"PAR1" + bytes(40))
    assert error.value.source == str(tmp_path / "run.txt")


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("inf", np.inf),
        ("-inf", -np.inf),
        ("Infinity", np.inf),
        ("1e400", np.inf),
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
    assert qrels_of(tmp_path, f"301 0 d1 {text}\n")["grade"].to_list() == [score]


@given(values=st.lists(st.floats(allow_nan=False), min_size=1, max_size=30))
def test_scores_are_read_to_the_last_bit(values: list[float], tmp_path: Path) -> None:
    text = "".join(f"q Q0 d{i} {i} {value!r} x\n" for i, value in enumerate(values))
    assert run_of(tmp_path, text)["score"].to_list() == values


@pytest.mark.parametrize("rank", ["1.0", "first", "99999999999999999999", "NaN"])
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
    qrels = [[t, i, d, repr(s)] for t, i, d, _, s in lines]
    assert rows(qrels_of(tmp_path, write(qrels))) == [(t, i, d, s) for t, i, d, _, s in lines]


def plain_reader(text: str, widths: tuple[int, ...]) -> tuple[list[tuple[Any, ...]], int | None]:
    """The rows by the plainest reader, or the first line that is wrong."""
    found: list[tuple[Any, ...]] = []
    width = None
    for line, fields in enumerate((line.split() for line in text.split("\n")), start=1):
        if not fields:
            continue
        if width is None:
            if len(fields) not in widths:
                return [], line
            width = len(fields)
        if not min(widths) <= len(fields) <= width:
            return [], line
        number = fields[4 if min(widths) == 5 else 3]
        if number not in NUMERALS:
            return [], line
        if min(widths) == 5:
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
    assert error.value.line == bad


# What is wrong


def refused(
    tmp_path: Path, content: str | bytes, *, kind: str = "run", **where: object
) -> InputError:
    """The error, which names the file and what else is known."""
    path = written(tmp_path, content, f"bad.{kind}")
    with pytest.raises(InputError) as caught:
        (read_run if kind == "run" else read_qrels)(path)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.source == str(path)
    assert str(error).startswith(str(path))
    for name in ("line", "topic", "document"):
        assert getattr(error, name) == where.get(name), name
        if name in where:
            assert f"{name} {where[name]}" in str(error)
    return error


def many(kind: str, bad: str, line: int) -> str:
    """A file of 3,000 lines of which one is bad."""
    good = "301 Q0 d{0} {0} 1.5 x" if kind == "run" else "301 0 d{0} 1"
    lines = [good.format(number) for number in range(1, 3001)]
    lines[line - 1] = bad
    return "\n".join(lines) + "\n"


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
    assert "the first line has no tag" in str(error)


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
    "score", ["x", "1,5", "1_000", "0x10", "--1", "1d5", "٣", "True", "infinit"]
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


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_a_directory_is_refused(kind: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a directory") as error:
        (read_run if kind == "run" else read_qrels)(tmp_path)
    assert error.value.source == str(tmp_path)


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_a_missing_file_is_refused(kind: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "no.txt")
    with pytest.raises(InputError, match="there is no such file") as error:
        (read_run if kind == "run" else read_qrels)(missing)
    assert error.value.source == missing


def test_a_file_that_may_not_be_read_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, RUN, "secret")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)") as error:
        read_run(path)
    assert error.value.source == str(path)


PACKED = gzip.compress((RUN * 2000).encode())


@pytest.mark.parametrize("left", [2, 9, 10, 25, len(PACKED) // 2, len(PACKED) - 9, len(PACKED) - 1])
def test_truncated_gzip_is_refused(left: int, tmp_path: Path) -> None:
    assert "gzip file is cut short or damaged" in refused(tmp_path, PACKED[:left]).problem


@pytest.mark.parametrize("where", [3, 20, len(PACKED) // 2, len(PACKED) - 6, len(PACKED) - 2])
def test_damaged_gzip_is_refused(where: int, tmp_path: Path) -> None:
    damaged = bytearray(PACKED)
    damaged[where] ^= 0xFF
    assert "gzip file is cut short or damaged" in refused(tmp_path, bytes(damaged)).problem


@pytest.mark.parametrize("line", [1, 2, 2000])
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_invalid_utf_8_is_refused_with_its_line(kind: str, line: int, tmp_path: Path) -> None:
    bad = "301 Q0 d\ufffd 7 1.5 x" if kind == "run" else "301 0 d\ufffd 1"
    content = many(kind, bad, line).encode().replace("\ufffd".encode(), b"\xe9")
    error = refused(tmp_path, content, kind=kind, line=line)
    assert "not valid UTF-8" in error.problem


def test_utf_16_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, QRELS.encode("utf-16"), kind="qrels", line=1)
