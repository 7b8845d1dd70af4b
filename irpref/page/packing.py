"""Numbers and texts packed for a page: few bytes, which a browser unpacks without a library."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Values

# gzip; higher levels take several times as long on long repetitions, for 2 % less.
_LEVEL, _GZIP = 6, 31
_NEARLY = 1e-6


@dataclass(frozen=True)
class Packed:
    """An array or a JSON value, packed.

    Attributes:
        text: Base64 of gzip of the bytes.
        type: The type of the numbers; ``"json"`` if it is no array.
        shape: The shape of the array.
        scale: What the numbers were multiplied by.
    """

    text: str
    type: str
    shape: tuple[int, ...] = ()
    scale: int = 1


def pack(values: Values, scale: int = 1) -> Packed:
    """Pack numbers as whole ones of the shortest type that holds them.

    The least value of a signed type, and the greatest of an unsigned one, stand for NaN. Numbers that no
    type of 4 bytes holds stay as they are, of 8 bytes. Bytes of equal significance stand together, since
    the high ones are much alike.

    Args:
        values: The numbers.
        scale: What to multiply them by before they are rounded, such as 1000 for three decimals.

    Example:
        >>> packed = pack(np.array([0.25, -0.5, np.nan]), scale=1000)
        >>> packed.type, packed.shape, packed.scale
        ('int16', (3,), 1000)
        >>> list(zlib.decompress(base64.b64decode(packed.text), 31))  # 250, -500, the least one
        [250, 12, 0, 0, 254, 128]
    """
    whole = values if values.dtype.kind in "iub" else _scaled(values, scale)
    missing = np.isnan(whole) if whole.dtype.kind == "f" else np.zeros(whole.shape, dtype=np.bool_)
    known = whole[~missing]
    least, greatest = (int(known.min()), int(known.max())) if known.size else (0, 0)
    for name in ("uint8", "uint16", "uint32") if least >= 0 else ("int8", "int16", "int32"):
        limits = np.iinfo(name)
        absent = limits.max if least >= 0 else limits.min
        if (greatest < absent) if least >= 0 else (least > absent and greatest <= limits.max):
            chosen = np.where(missing, 0, whole).astype(np.dtype(name).newbyteorder("<"))
            chosen[missing] = absent
            return Packed(_packed(_by_significance(chosen)), name, values.shape, scale)
    exact = values.astype("<f8")
    return Packed(_packed(_by_significance(exact)), "float64", values.shape)


def pack_json(value: object) -> Packed:
    """Pack texts, or lists of them."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Half of a character, as damaged files have them, is no UTF-8.
    return Packed(_packed(text.encode("utf-8", "replace")), "json")


def _scaled(values: Floats, scale: int) -> Floats:
    """The numbers times the scale, rounded as Python rounds when it writes them."""
    times = values * scale
    whole = np.asarray(np.rint(times))
    # The product may be rounded to a half, from which rint would go the wrong way.
    near = np.abs(times - np.floor(times) - 0.5) < _NEARLY
    if near.any():
        decimals = len(str(scale)) - 1
        for value in np.unique(values[near]):
            whole[values == value] = round(float(f"{value:.{decimals}f}") * scale)
    return whole


def _by_significance(values: Values) -> bytes:
    flat = np.ascontiguousarray(values).reshape(-1)
    return flat.view(np.uint8).reshape(-1, flat.itemsize).T.tobytes()


def _packed(content: bytes) -> str:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return base64.b64encode(packer.compress(content) + packer.flush()).decode("ascii")
