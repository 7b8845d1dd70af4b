"""Saved sums at random: a damaged or foreign file is refused in a line, or gives the same numbers back."""

from __future__ import annotations

import io
import json
import pickle
import random
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref import InputError, Summary, demo_paths
from tests.fuzz.effort import effort

Members = dict[str, bytes]
# What a field of the header may be instead.
OTHERS: list[Any] = [
    *(None, True, 0, 1, -1, 2**63, 10**30, -(10**30), 1.5, float("nan"), float("inf")),
    *("", "x", "\ud800", "\x1b[2J\n", "9" * 5000, "score"),
    *([], [1], ["a"], [[]], ["systems", 1, 2, "hash"], [["systems", "x", None, 5]]),
    *({}, {"a": 1}, {"count": -5, "first": ["x"]}, {"count": "1", "first": "ab"}),
    *({"count": 1, "first": [5]}, {"count": 1.5, "first": []}, {"bm25": "rank"}),
]


@pytest.fixture(scope="module")
def summary() -> Summary:
    return irpref.compare(*demo_paths(), ["RPP", "IPSO@3", "RPP(ties='expected')"], keep="summary")


@pytest.fixture(scope="module")
def whole(summary: Summary, path: Path) -> bytes:
    summary.save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def members(whole: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(whole)) as file:
        return {name: file.read(name) for name in file.namelist()}


def packed(members: Members, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", how) as file:
        for name, of in members.items():
            file.writestr(name, of)
    return content.getvalue()


def header_of(members: Members) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(np.load(io.BytesIO(members["header.npy"])).item())
    return header


def with_header(members: Members, header: Any) -> bytes:
    content = io.BytesIO()
    np.save(content, np.array(json.dumps(header)))
    return packed({**members, "header.npy": content.getvalue()})


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all fields, and to the first two of a list."""
    yield way
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else range(min(len(value), 2))
        for key in keys:
            yield from places(value[key], (*way, key))


def loaded(content: bytes, path: Path) -> Summary | InputError:
    path.write_bytes(content)
    try:
        return Summary.load(path)
    except InputError as error:
        return error


def check(content: bytes, path: Path, summary: Summary) -> bool:
    """Whether the file is read; then it has the same numbers, and can be used."""
    back = loaded(content, path)
    if isinstance(back, InputError):
        assert "\n" not in str(back)
        assert len(str(back)) < 500
        assert back.source == str(path)
        return False
    assert list(map(str, back.preferences)) == list(map(str, summary.preferences))
    for sums, wanted in zip(back.totals.values(), summary.totals.values(), strict=True):
        for name in ("topics", "total", "deviations", "signs"):
            assert (getattr(sums, name) == getattr(wanted, name)).all()
    back.report(test="t").to_json()
    repr(back.coverage)
    back.leaderboard("RPP")
    return True


def damaged(whole: bytes, seed: int) -> bytes:
    """Bytes that others write over, drop, double or cut off."""
    draw, content = random.Random(seed), bytearray(whole)
    for _ in range(draw.choice([1, 1, 2, 5, 50])):
        at, kind = draw.randrange(len(content) or 1), draw.randrange(10)
        if kind < 5:
            content[at : at + 1] = draw.randbytes(1)
        elif kind == 5:
            del content[at : at + draw.randrange(1, 200)]
        elif kind == 6:
            content[at:at] = draw.randbytes(draw.randrange(1, 30))
        elif kind == 7:
            number = draw.choice([0, 1, 2**31 - 1, 2**32 - 1])
            content[at : at + 4] = number.to_bytes(4, "little")
        elif kind == 8:
            other = draw.randrange(len(content) or 1)
            content[at : at + 50] = content[other : other + 50]
        else:
            content = content[: max(at, 1)]
    return bytes(content)


@effort(400)
@given(seed=st.integers(0, 2**32))
def test_damaged_bytes(seed: int, whole: bytes, path: Path, summary: Summary) -> None:
    check(damaged(whole, seed), path, summary)


@effort(200)
@given(seed=st.integers(0, 2**32), name=st.integers(0, 99))
def test_damaged_arrays_in_a_sound_zip(
    seed: int, name: int, members: Members, path: Path, summary: Summary
) -> None:
    chosen = list(members)[name % len(members)]
    # Most of the damage is where the array says what it is.
    start, rest = members[chosen][:128], members[chosen][128:]
    parts = (damaged(start, seed), rest) if seed % 4 else (start, damaged(rest, seed))
    check(packed({**members, chosen: b"".join(parts)}), path, summary)


@effort(200)
@given(draw=st.data())
def test_another_header(
    draw: st.DataObject, members: Members, path: Path, summary: Summary
) -> None:
    header: Any = header_of(members)
    way = draw.draw(st.sampled_from(list(places(header))))
    other, how = draw.draw(st.sampled_from(OTHERS)), draw.draw(st.sampled_from("=-+"))
    inner = header
    for key in way[:-1]:
        inner = inner[key]
    if not way:
        header = other
    elif how == "=" or isinstance(inner, list):
        inner[way[-1]] = other
    elif how == "-":
        del inner[way[-1]]
    else:
        inner["another"] = other
    read = check(with_header(members, header), path, summary)
    # Another name or number may be right; a field more or less is not.
    assert not read or (way and (how == "=" or isinstance(inner, list)))


def test_exchanged_and_missing_arrays(members: Members, path: Path, summary: Summary) -> None:
    names = list(members)
    for number, name in enumerate(names):
        other = names[(number + 1) % len(names)]
        check(packed({**members, name: members[other], other: members[name]}), path, summary)
        assert not check(
            packed({each: of for each, of in members.items() if each != name}), path, summary
        )


@pytest.mark.parametrize("header", [b"[" * 100_000, b'{"irpref": "' + b"7\n" * 999 + b'"}'])
def test_a_header_that_is_deep_or_long(
    header: bytes, members: Members, path: Path, summary: Summary
) -> None:
    content = io.BytesIO()
    np.save(content, np.array(header.decode().replace("\n", r"\n")))
    assert not check(packed({**members, "header.npy": content.getvalue()}), path, summary)


def test_numbers_that_are_no_characters(members: Members, path: Path, summary: Summary) -> None:
    name = np.array("bm25-prf").tobytes()
    wrong = members["header.npy"].replace(name, b"\xff\xff\xff\x7f" + name[4:])
    assert wrong != members["header.npy"]
    assert not check(packed({**members, "header.npy": wrong}), path, summary)


def test_another_version_is_named_in_a_line(members: Members, path: Path, summary: Summary) -> None:
    header = {**header_of(members), "irpref_summary": 2, "irpref": "0.0\n" * 999}
    assert not check(with_header(members, header), path, summary)
    with pytest.raises(InputError, match=r"written by irpref .*, in another form"):
        Summary.load(path)


def test_other_files(members: Members, whole: bytes, path: Path, summary: Summary) -> None:
    class Runs:
        def __reduce__(self) -> tuple[Any, ...]:
            return pytest.fail, ("a pickle was run",)

    objects = io.BytesIO()
    np.save(objects, np.array(Runs(), dtype=object), allow_pickle=True)
    for content in (
        pickle.dumps(Runs()),
        objects.getvalue(),
        packed({"header.npy": objects.getvalue()}),
        packed({**members, "0.total.npy": objects.getvalue()}),
        packed({"summary.npz": whole}),
        packed({"word/document.xml": b"<w/>"}),
        packed({}),
        members["header.npy"],
    ):
        assert not check(content, path, summary)
    for how in (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        check(packed(members, how), path, summary)


def test_a_bomb_takes_no_memory(members: Members, path: Path, summary: Summary) -> None:
    announced = io.BytesIO()
    text = {"descr": f"<U{2**25}", "fortran_order": False, "shape": ()}
    np.lib.format.write_array_header_1_0(announced, text)
    content = packed({**members, "header.npy": announced.getvalue() + bytes(2**27)})
    tracemalloc.start()
    assert not check(content, path, summary)
    assert tracemalloc.get_traced_memory()[1] < 2**25
    tracemalloc.stop()


def test_members_that_share_their_bytes_are_refused(whole: bytes, path: Path) -> None:
    # A small file may hold any number of members so.
    start = whole.index(b"PK\x01\x02")
    end = whole.rindex(b"PK\x05\x06")
    directory, last = whole[start:end], bytearray(whole[end:])
    number = int.from_bytes(last[8:10], "little")
    for at in (8, 10):
        last[at : at + 2] = (20 * number).to_bytes(2, "little")
    last[12:16] = (20 * len(directory)).to_bytes(4, "little")
    refused = loaded(whole[:start] + directory * 20 + last, path)
    assert isinstance(refused, InputError)
    assert "parts of the file are there twice" in str(refused.__cause__)
