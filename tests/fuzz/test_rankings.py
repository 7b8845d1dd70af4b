"""Whole rankings of fuzzed runs: every document in its place, by score or by rank, whatever the options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

import irpref
from irpref.base.errors import InputError
from tests.fuzz.agreement import assert_refused, assert_said_well, warnings_said_well
from tests.fuzz.effort import effort
from tests.fuzz.strict_reader import Fault, Reading, Row, read_bytes
from tests.fuzz.texts import File, text_files

QRELS = "".join(f"{topic} 0 d1 1\n" for topic in ("301", "302", "q-1", "007"))
RUN = text_files("run", most_faults=1).map(lambda file: file.content)
ORDERS = st.sampled_from(("score", "rank"))
DUPLICATES = st.sampled_from(("error", "first"))


def usable(read: Reading, order: str, duplicates: str) -> Reading:
    """The rows before the first that these options refuse, and that as the fault."""
    seen = set()
    for number, row in enumerate(read.rows):
        again = duplicates == "error" and (row.topic, row.document) in seen
        if again or (order == "rank" and row.rank is None):
            why = "repeated" if again else "no rank"
            return Reading(read.rows[:number], Fault(why, row.line, row.topic, row.document))
        seen.add((row.topic, row.document))
    if read.fault is None and order == "rank" and not orders_something(read.rows):
        return replace(read, fault=Fault("the ranks order nothing"))
    return read


def orders_something(rows: Sequence[Row]) -> bool:
    """Whether any two rows of a topic have different ranks, if there are two."""
    pairs = [(a, b) for a in rows for b in rows if a is not b and a.topic == b.topic]
    return not pairs or any(a.rank != b.rank for a, b in pairs)


def listed(rows: Sequence[Row], order: str) -> dict[str, list[str]]:
    """The documents of every topic, best first: by score, or by rank and then by score; then by name."""
    best_first = sorted(rows, key=lambda row: (row.number, row.document.encode()), reverse=True)
    if order == "rank":
        best_first.sort(key=lambda row: row.rank or 0)
    best_first.sort(key=lambda row: row.topic)
    return {
        topic: list(dict.fromkeys(row.document for row in of_topic))
        for topic, of_topic in groupby(best_first, key=lambda row: row.topic)
    }


@effort(300)
@example(run=b'q-1 \tQ0 \t"', order="score", duplicates="error")
@given(run=RUN, order=ORDERS, duplicates=DUPLICATES)
def test_every_document_is_in_its_place(
    run: bytes, order: Any, duplicates: Any, path: Path
) -> None:
    path.write_bytes(run)
    path.with_name("qrels").write_text(QRELS)
    wanted = usable(read_bytes(run, "run"), order, duplicates)
    pairs = {(line.split()[0], line.split()[2]) for line in QRELS.splitlines()}
    judged = {topic for topic, _ in pairs}
    if wanted.fault is None and judged.isdisjoint(row.topic for row in wanted.rows):
        wanted = replace(wanted, fault=Fault("no topic of the qrels"))
    if wanted.fault is None and pairs.isdisjoint((row.topic, row.document) for row in wanted.rows):
        wanted = replace(wanted, fault=Fault("no judged document"))
    try:
        with warnings_said_well():
            data = irpref.collect(
                path.with_name("qrels"), [path], order=order, duplicates=duplicates, lists=99
            )
    except InputError as error:
        assert_refused(error, wanted)
        return
    assert wanted.fault is None, wanted.fault
    found: dict[str, list[str]] = {}
    for row in data.lists.sort_values(["topic", "position"]).itertuples():
        found.setdefault(str(row.topic), []).append(str(row.document))
        assert row.position == len(found[str(row.topic)])
    literal = listed(wanted.rows, order)
    assert found == {topic: names for topic, names in literal.items() if topic in judged}


OPTIONS = st.fixed_dictionaries(
    {
        "order": st.sampled_from(("score", "rank")),
        "duplicates": st.sampled_from(("error", "first")),
        "judged_only": st.booleans(),
        "missing": st.sampled_from(("worst", "skip")),
        "lists": st.sampled_from((None, 1, 10)),
    }
)


@effort(100)
@given(qrels=text_files("qrels", most_faults=1), run=RUN, options=OPTIONS)
def test_no_option_makes_a_file_a_traceback(
    qrels: File, run: bytes, options: dict[str, Any], path: Path
) -> None:
    path.with_name("qrels").write_bytes(qrels.content)
    path.write_bytes(run)
    try:
        with warnings_said_well():
            irpref.evaluate(path.with_name("qrels"), [path], ["AP", "nDCG@2"], **options)
    except InputError as error:
        assert_said_well(error)
