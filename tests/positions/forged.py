"""Archives that somebody changed: members of other bytes, whose checksums are right again or not."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo
from zlib import crc32

import polars as pl

import irpref
from irpref import demo_paths

HEADER = "irpref.json"
Members = dict[str, bytes]


def saved_bytes(**how: Any) -> bytes:
    """Three runs of the demo, saved."""
    qrels, runs = demo_paths()
    with tempfile.TemporaryDirectory() as folder:
        irpref.convert(qrels, runs[:3], f"{folder}/x.irpref", **how)
        return Path(folder, "x.irpref").read_bytes()


def said_of(path: Path) -> tuple[str | None, str]:
    """A hash of all that is said of a collection, or the one line that refuses it."""
    try:
        data = irpref.collect(path)
        tables = [data.judgments, data.coverage.frame, data.evaluate(["AP", "nDCG", "TieAP"])]
        if data.reading.lists is not None:
            tables.append(data.lists)
        preferences = ["RPP", "LP", "IPSO@3", "RPP(ties='expected')", "LexiRecall(n='pool')"]
        report = data.compare(preferences).report(test=False).to_json()
    except ValueError as error:
        # What is no zip file any more is no collection, but qrels without runs.
        source, line = getattr(error, "source", str(path)), str(error)
    else:
        told = "".join([*(table.to_csv() for table in tables), report])
        return sha256(told.encode()).hexdigest(), ""
    assert source == str(path)
    assert "\n" not in line
    assert len(line) < 500
    return None, line


def members_of(content: bytes) -> Members:
    """The members of an archive, by name."""
    with ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def packed(members: Members, how: int = ZIP_STORED) -> bytes:
    """An archive of these members; the header says what it said."""
    content = io.BytesIO()
    with ZipFile(content, "w") as file:
        for name, member in members.items():
            file.writestr(ZipInfo(name), member, compress_type=how)
    return content.getvalue()


def header_of(members: Members) -> dict[str, Any]:
    """What the header says."""
    header: dict[str, Any] = json.loads(members[HEADER])
    return header


def with_header(members: Members, header: Any) -> Members:
    """The members with another header."""
    return {**members, HEADER: json.dumps(header).encode()}


def signed(members: Members) -> Members:
    """The members with a header whose checksums and numbers of rows fit them."""
    header = header_of(members)
    tables = {name: of for name, of in members.items() if name != HEADER}
    header["tables"] = {
        name.removesuffix(".parquet"): {"rows": rows_of(of), "crc32": crc32(of)}
        for name, of in tables.items()
    }
    return with_header(members, header)


def rows_of(table: bytes) -> int:
    """How many rows a table has; none if it cannot be read."""
    try:
        return pl.read_parquet(table).height
    except (Exception, pl.exceptions.PanicException):
        return 0


def with_table(
    members: Members, name: str, change: Callable[[pl.DataFrame], pl.DataFrame]
) -> Members:
    """The members with another table, whose checksum fits."""
    content = io.BytesIO()
    change(pl.read_parquet(members[f"{name}.parquet"])).write_parquet(content, statistics=False)
    return signed({**members, f"{name}.parquet": content.getvalue()})
