"""How much memory runs take while they are read."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import polars as pl
import pytest

from irpref.positions import locating
from irpref.positions.locating import MEMORY_BUDGET, memory_of
from tests.positions.found_positions import QRELS, RUNS, found_in
from tests.random_cases import place

LINES = b"301 Q0 d1 1 2.5 x\n" * 1000


def test_a_file_takes_as_much_as_its_text(tmp_path: Path) -> None:
    plain, packed, parquet = tmp_path / "a.txt", tmp_path / "a.gz", tmp_path / "a.parquet"
    plain.write_bytes(LINES)
    packed.write_bytes(gzip.compress(LINES))
    assert memory_of(plain) == memory_of(str(plain)) == len(LINES)
    assert memory_of(packed) == len(LINES)
    pl.DataFrame({"topic": ["301"] * 1000}).write_parquet(parquet)
    assert memory_of(parquet) > parquet.stat().st_size
    assert memory_of(tmp_path / "missing.txt") == 0
    (tmp_path / "empty.txt").touch()
    assert memory_of(tmp_path / "empty.txt") == 0


def test_a_pipe_keeps_what_it_holds() -> None:
    reader, writer = os.pipe()
    os.write(writer, LINES)
    os.close(writer)
    assert memory_of(f"/dev/fd/{reader}") == MEMORY_BUDGET
    with os.fdopen(reader, "rb") as pipe:
        assert pipe.read() == LINES


def test_a_run_in_memory_takes_as_much_as_it_has_documents() -> None:
    frame = pl.DataFrame({"topic": ["301"] * 10})
    assert memory_of(
        {"301": dict.fromkeys(range(6), 1.0), "302": dict.fromkeys(range(4), 1.0)}
    ) == (memory_of(frame))
    assert memory_of(iter([])) == MEMORY_BUDGET


@pytest.mark.parametrize("budget", [0, 1, 100])
def test_the_budget_does_not_change_the_positions(
    budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locating, "MEMORY_BUDGET", budget)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    many = {f"{name}{number}": run for number in range(9) for name, run in RUNS.items()}
    found = found_in(place(QRELS, many))
    wanted = found_in(place(QRELS, RUNS))
    for (topic, document, system), places in found.items():
        assert places == wanted[topic, document, system[:-1]]
