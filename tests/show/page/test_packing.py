"""What is packed is found again by whoever knows the layout, and every number is as it is written."""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from irpref.show.page.page_parts import Packed, Parts, pack

ABSENT = {
    "uint8": 2**8 - 1,
    "uint16": 2**16 - 1,
    "uint32": 2**32 - 1,
    "int8": -(2**7),
    "int16": -(2**15),
    "int32": -(2**31),
}


def content(packed: Packed) -> bytes:
    return zlib.decompress(base64.b64decode(packed.text), 31)


def unpacked(packed: Packed) -> list[float]:
    """The numbers, read byte by byte as the page's scripts do."""
    data, size = content(packed), np.dtype(packed.type).itemsize
    count = len(data) // size
    texts = [bytes(data[byte * count + each] for byte in range(size)) for each in range(count)]
    if packed.type == "float64":
        return [float(np.frombuffer(text, "<f8")[0]) for text in texts]
    signed = packed.type.startswith("int")
    numbers = [int.from_bytes(text, "little", signed=signed) for text in texts]
    return [
        float("nan") if number == ABSENT[packed.type] else number / packed.scale
        for number in numbers
    ]


@given(arrays(np.float64, st.integers(0, 9), elements=st.floats(-40, 40) | st.just(np.nan)))
def test_numbers_are_rounded_as_python_writes_them(values: np.ndarray) -> None:
    found = unpacked(pack(values, scale=1000))
    expected = [float(f"{value:.3f}") for value in values]
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_whole_numbers_of_any_type_stay(kind: str) -> None:
    limits = np.iinfo(kind)
    for numbers in ([0, limits.max], [limits.min, 0], [limits.min, limits.max]):
        assert unpacked(pack(np.array(numbers, dtype=kind))) == numbers


@pytest.mark.parametrize("value", [0.0625, 0.1235, 1.0005, -0.0005, 2.6745, 0.5, 0.0015])
def test_halves_are_rounded_as_python_writes_them(value: float) -> None:
    assert unpacked(pack(np.array([value]), scale=1000)) == [float(f"{value:.3f}")]


@given(st.lists(st.integers(-(2**33), 2**33), max_size=9))
def test_whole_numbers_stay(numbers: list[int]) -> None:
    values = np.array(numbers, dtype=np.int64)
    assert unpacked(pack(values)) == numbers


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([0, 254], "uint8"),
        ([0, 255], "uint16"),
        ([0, 2**16 - 2], "uint16"),
        ([2**16 - 1], "uint32"),
        ([-127, 127], "int8"),
        ([-128], "int16"),
        ([-1, 128], "int16"),
        ([-(2**15)], "int32"),
        ([2**32 - 1], "float64"),
        ([-(2**31)], "float64"),
        ([], "uint8"),
    ],
)
def test_the_shortest_type_that_leaves_one_number_for_what_is_missing(
    numbers: list[int], kind: str
) -> None:
    packed = pack(np.array(numbers, dtype=np.int64))
    assert packed.type == kind
    assert unpacked(packed) == numbers


def test_what_no_short_type_holds_stays_as_it_is() -> None:
    values = np.array([1e300, -0.1234567, np.nan])
    packed = pack(values, scale=1000)
    assert (packed.type, packed.scale) == ("float64", 1)
    assert unpacked(packed) == pytest.approx(values.tolist(), abs=0, nan_ok=True)


def test_flags_and_rows() -> None:
    packed = pack(np.array([[True, False], [True, True]]))
    assert (packed.type, packed.shape) == ("uint8", (2, 2))
    assert unpacked(packed) == [1, 0, 1, 1]


def test_texts() -> None:
    texts = ["</script>", None, "é文\ud800"]
    parts = Parts()
    parts.add_json("texts", texts)
    assert json.loads(content(parts.packed["texts"])) == ["</script>", None, "é文?"]
