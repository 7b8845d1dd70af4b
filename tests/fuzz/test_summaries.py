"""Saved sums at random: a damaged or foreign file is refused in a line, or gives the same numbers back."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref import InputError, Summary, demo_paths
from tests.fuzz.damage import damaged, other_headers
from tests.fuzz.effort import effort
from tests.positions.forged import Members, header_of, members_of, packed, signed, with_header


@pytest.fixture(scope="module")
def summary() -> Summary:
    return irpref.compare(*demo_paths(), ["RPP", "IPSO@3", "RPP(ties='expected')"], keep="summary")


@pytest.fixture(scope="module")
def whole(summary: Summary, path: Path) -> bytes:
    summary.save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def members(whole: bytes) -> Members:
    return members_of(whole)


def loaded(content: bytes, path: Path) -> Summary | InputError:
    path.write_bytes(content)
    try:
        return Summary.load(path)
    except InputError as error:
        return error


def usable(content: bytes, path: Path) -> Summary | None:
    """What is read, if anything is; then it can be used."""
    back = loaded(content, path)
    if isinstance(back, InputError):
        assert "\n" not in str(back)
        assert len(str(back)) < 500
        assert back.source == str(path)
        return None
    back.report(test="t").to_json()
    repr(back.coverage)
    back.leaderboard(back.preferences[0])
    return back


def check(content: bytes, path: Path, summary: Summary) -> bool:
    """Whether the file is read; then it has the same numbers, and can be used."""
    back = usable(content, path)
    if back is None:
        return False
    assert list(map(str, back.preferences)) == list(map(str, summary.preferences))
    for sums, wanted in zip(back.totals.values(), summary.totals.values(), strict=True):
        for name in ("topics", "total", "deviations", "signs"):
            assert (getattr(sums, name) == getattr(wanted, name)).all()
    return True


@effort(400)
@given(seed=st.integers(0, 2**32))
def test_damaged_bytes(seed: int, whole: bytes, path: Path, summary: Summary) -> None:
    check(damaged(whole, seed), path, summary)


@effort(200)
@given(seed=st.integers(0, 2**32), number=st.integers(0, 99))
def test_damaged_tables_in_a_sound_zip(
    seed: int, number: int, members: Members, path: Path, summary: Summary
) -> None:
    name = list(members)[number % len(members)]
    changed = {**members, name: damaged(members[name], seed)}
    check(packed(changed), path, summary)
    if name.endswith(".parquet"):
        usable(packed(signed(changed)), path)


@effort(200)
@given(draw=st.data())
def test_another_header(
    draw: st.DataObject, members: Members, path: Path, summary: Summary
) -> None:
    header, another_value = draw.draw(other_headers(header_of(members)))
    read = check(packed(with_header(members, header)), path, summary)
    # Another name or number may be right; a field more or less is not.
    assert not read or another_value


def test_exchanged_and_missing_tables(members: Members, path: Path, summary: Summary) -> None:
    names = list(members)
    for number, name in enumerate(names):
        other = names[(number + 1) % len(names)]
        exchanged = {**members, name: members[other], other: members[name]}
        assert not check(packed(exchanged), path, summary)
        few = {each: of for each, of in members.items() if each != name}
        assert not check(packed(few), path, summary)


@pytest.mark.parametrize("header", [b"[" * 100_000, b'{"irpref": "' + b"7\\n" * 999 + b'"}'])
def test_a_header_that_is_deep_or_long(
    header: bytes, members: Members, path: Path, summary: Summary
) -> None:
    assert not check(packed({**members, "irpref.json": header}), path, summary)


def test_another_version_is_named_in_a_line(members: Members, path: Path, summary: Summary) -> None:
    header = {**header_of(members), "irpref_summary": 2, "irpref": "0.0\n" * 999}
    assert not check(packed(with_header(members, header)), path, summary)
    with pytest.raises(InputError, match=r"irpref .* saved this summary, in another form"):
        Summary.load(path)


def test_other_files(members: Members, whole: bytes, path: Path, summary: Summary) -> None:
    class Runs:
        def __reduce__(self) -> tuple[Any, ...]:
            return pytest.fail, ("a pickle was run",)

    np.savez(path.with_name("other"), header=np.array(Runs(), dtype=object))
    for content in (
        pickle.dumps(Runs()),
        path.with_name("other.npz").read_bytes(),
        packed({**members, "0.parquet": pickle.dumps(Runs())}),
        packed({"x.summary": whole}),
        packed({"word/document.xml": b"<w/>"}),
        packed({}),
        members["irpref.json"],
        *(packed(members, how) for how in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)),
    ):
        assert not check(content, path, summary)
