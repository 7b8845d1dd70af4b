"""Files that tests write, and what is said of those that cannot be read."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from irpref.base.errors import InputError
from irpref.read import read_qrels, read_run

__all__ = ["QRELS", "RUN", "many", "mutated", "refused", "written"]

RUN = "301 Q0 d1 1 2.5 bm25\n301 Q0 d2 2 1.5 bm25\n302 Q0 d1 1 7 bm25\n"
QRELS = "301 0 d1 2\n301 0 d2 0\n302 4.5 d1 -1\n"


def written(tmp_path: Path, content: str | bytes, name: str) -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


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


def mutated(packed: bytes, rng: random.Random) -> bytes:
    """A gzip file that still begins as one, but for some bytes that are others, lost, or too many."""
    damaged = bytearray(packed)
    for _ in range(rng.choice((1, 1, 2, 9))):
        place, size = rng.randrange(2, len(packed)), rng.choice((1, 1, 4, 99))
        new = rng.randbytes(rng.choice((0, size, size)))
        damaged[place : place + rng.choice((0, size, size))] = new
    return bytes(damaged[: rng.choice((len(packed), len(packed), rng.randrange(2, len(packed))))])
