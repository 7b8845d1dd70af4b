"""Rows that are read some at a time are those of the whole, with the same lines and faults."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from irpref.base.errors import InputError
from irpref.read import cutting, read_qrels, read_run

LINES = {
    "run": [
        "301 Q0 d{} 1 2.5 tag",
        "302\tQ0\td{}\t2\t1e3\ttag",
        "303 Q0  d{} 3 -1 tag ",
        "304 Q0 d{} 1.0 2 tag",
        "305 Q0 d{} 4 3.25",
        "",
        "  ",
    ],
    "qrels": ["301 0 d{} 1", "302\t0\td{}\t2", "303 0 d{} -1 ", ""],
}
WRONG = [
    "301 Q0 d1",
    "301 Q0 d1 1 high tag",
    "301 Q0 d1 1 nan tag",
    "301 Q0 d1 1 2 tag more",
    "301 \x01 d 1 2 t",
]


def written(folder: Path, lines: list[str], ends: str, packed: bool) -> Path:
    content = (ends.join(lines) + ends).encode()
    path = folder / "run.txt"
    path.write_bytes(gzip.compress(content) if packed else content)
    return path


def batches(path: Path, kind: str, source: str, **most: int) -> list[pl.DataFrame]:
    """So many ``rows`` or bytes (``size``) at a time, if it says so."""
    with pytest.MonkeyPatch.context() as patch:
        for name, number in most.items():
            patch.setattr(cutting, {"rows": "_ROWS", "size": "_BYTES"}[name], number)
        return list(cutting.batches(path, kind, source))  # type: ignore[arg-type]


def found_in(read: Callable[[], pl.DataFrame]) -> tuple[pl.DataFrame | None, str | None]:
    """The rows, or what is said to a fault."""
    try:
        return read(), None
    except InputError as error:
        return None, str(error)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(["run", "qrels"]),
    size=st.integers(8, 300),
    ends=st.sampled_from(["\n", "\r\n"]),
    packed=st.booleans(),
)
def test_blocks_of_text_are_the_whole(
    seed: int,
    kind: str,
    size: int,
    ends: str,
    packed: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rng = random.Random(seed)
    shapes = LINES[kind]
    first = shapes[0] if rng.random() < 0.7 else shapes[rng.choice([0, len(shapes) - 3])]
    lines = [first, *rng.choices(shapes, k=rng.randint(0, 40))]
    if "305" in first:
        lines = [line for line in lines if "tag" not in line]
    lines = [line.format(number) for number, line in enumerate(lines)]
    if rng.random() < 0.4 and kind == "run":
        lines.insert(rng.randint(1, len(lines)), rng.choice(WRONG))
    folder = tmp_path_factory.mktemp("text")
    path = written(folder, lines, ends, packed)
    read = read_run if kind == "run" else read_qrels
    whole, fault = found_in(lambda: read(path))
    parts, same = found_in(lambda: pl.concat(batches(path, kind, str(path), size=size)))
    assert same == fault
    if fault is None:
        assert_frame_equal(parts, whole)


@settings(max_examples=60)
@given(
    line=st.integers(1, 40),
    before=st.integers(0, 3),
    size=st.integers(4, 200),
    ends=st.sampled_from(["\n", "\r\n"]),
)
def test_a_byte_order_mark_inside_is_named_with_its_line(
    line: int,
    before: int,
    size: int,
    ends: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Wherever blocks begin, and also where all before it is blank."""
    lines = [""] * before + [f"301 Q0 d{number} 1 2.5 tag" for number in range(40)]
    line = min(line, len(lines) - 1)
    lines[line] = "\ufeff" + (lines[line] or lines[-1])
    for mark in ("", "\ufeff"):
        folder = tmp_path_factory.mktemp("text")
        path = written(folder, [mark + lines[0], *lines[1:]], ends, packed=False)
        _, said = found_in(partial(read_run, path))
        _, same = found_in(lambda: pl.concat(batches(path, "run", str(path), size=size)))  # noqa: B023
        assert said == same
        assert f"line {line + 1}: the line begins with a byte order mark" in str(said)


def test_small_blocks_are_several(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("".join(f"{topic} Q0 d{topic} 1 {topic} t\n" for topic in range(100)))
    parts = list(batches(path, "run", "run.txt", size=200))
    assert len(parts) > 5
    assert pl.concat(parts)["line"].to_list() == list(range(1, 101))


def test_a_gzip_file_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.txt.gz"
    text = "".join(f"{topic} Q0 d{topic} 1 {topic} t\n" for topic in range(5000))
    path.write_bytes(gzip.compress(text.encode())[:-20])
    with pytest.raises(InputError, match="cut short or damaged"):
        list(batches(path, "run", str(path), size=500))


def test_slices_of_parquet_are_the_whole_and_only_needed_columns_are_read(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "query_id": [1, 1, 2, 3, 3, 3, 4],
            "doc_id": [*"abcdefg"],
            "score": [1, 2, 3, 4, 5, 6, 7],
            "text": ["never read"] * 7,
        }
    )
    path = tmp_path / "run.parquet"
    frame.write_parquet(path)
    whole = read_run(path)
    for rows in (1, 2, 7, 100):
        parts = list(batches(path, "run", str(path), rows=rows))
        assert_frame_equal(pl.concat(parts), whole)
        assert len(parts) == -(-7 // rows)
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, some in enumerate((frame[:3], frame[3:])):
        some.write_parquet(folder / f"part-{number}.parquet")
    columns = ["topic", "document", "score"]
    assert_frame_equal(
        pl.concat(list(batches(folder, "run", "folder"))).select(columns), whole.select(columns)
    )
    assert_frame_equal(read_run(folder).select(columns), whole.select(columns))


def test_a_fault_in_parquet_names_its_row_and_file(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    scores = [1.0, 2.0, 3.0, float("nan"), 5.0]
    pl.DataFrame({"query_id": [*"11122"], "doc_id": [*"abcde"], "score": scores}).write_parquet(
        path
    )
    with pytest.raises(InputError, match="NaN") as found:
        list(batches(path, "run", str(path), rows=2))
    assert (found.value.line, found.value.topic, found.value.document) == (4, "2", "d")
    with pytest.raises(InputError) as again:
        read_run(path)
    assert str(again.value) == str(found.value)


def test_a_folder_with_mixed_types_of_ids_reads_as_text(tmp_path: Path) -> None:
    pl.DataFrame({"query_id": [1], "doc_id": [7], "score": [1.0]}).write_parquet(
        tmp_path / "a.parquet"
    )
    pl.DataFrame({"query_id": ["1"], "doc_id": ["d"], "score": [2]}).write_parquet(
        tmp_path / "b.parquet"
    )
    found = read_run(tmp_path)
    assert found.select("topic", "document", "score").rows() == [("1", "7", 1.0), ("1", "d", 2.0)]


def test_a_folder_that_holds_no_parquet_or_lacks_a_column_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a directory without Parquet files"):
        read_run(tmp_path)
    pl.DataFrame({"query_id": [1], "score": [1.0]}).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(
        InputError, match=r"a\.parquet: no column has a known name for the document"
    ):
        read_run(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1 damaged")
    with pytest.raises(InputError, match=r"a\.parquet: not a readable Parquet file"):
        read_run(tmp_path)
