"""Random collections that are saved in parts: the sums of the parts are those of the whole."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from tests.fuzz.effort import effort
from tests.random_cases import Case, make_case
from tests.read.test_partitions import assert_same

ASKED = ["RPP", "LP", "LR", "IPSO@3", "AP", "nDCG@2", "RPP(ties='expected')", "STRPP"]
CASES = st.builds(
    make_case,
    seed=st.integers(0, 2**32),
    topics=st.integers(1, 12),
    systems=st.integers(2, 4),
    documents=st.integers(1, 8),
    ties=st.booleans(),
    subtopics=st.integers(1, 3),
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.just("skip"),
        "judged_only": st.just(True),
        "depth": st.integers(1, 5),
        "rel": st.sampled_from([0.5, 2]),
    },
)


@pytest.mark.filterwarnings("ignore")
@effort(40)
@given(case=CASES, how=OPTIONS, parts=st.integers(1, 5), stranger=st.booleans())
def test_the_parts_of_a_collection_say_what_the_whole_says(
    case: Case, how: dict[str, Any], parts: int, stranger: bool
) -> None:
    """Counts are the same, and sums to the twelfth digit; what the whole refuses, the parts refuse."""
    runs = {
        # A topic that the qrels do not have is left out, and counted.
        name: {**of, "stranger": {"d0": 1.0}} if stranger else of
        for name, of in case.runs.items()
    }
    data = None
    with suppress(irpref.InputError):
        data = irpref.collect(case.qrels, runs, **how)
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "saved.irpref"
        if data is None:
            with pytest.raises(irpref.InputError):
                irpref.convert(case.qrels, runs, saved, parts=parts, **how)
            assert not list(Path(folder).iterdir())
            return
        irpref.convert(case.qrels, runs, saved, parts=parts, **how)
        ways = (
            lambda: irpref.compare(saved, None, ASKED, keep="summary"),
            lambda: irpref.compare(saved, None, ASKED).summary,
        )
        try:
            whole = data.compare(ASKED).summary
        except irpref.InputError:
            # One of two runs retrieves no judged document: it is saved, and not compared.
            for compare in ways:
                with pytest.raises(irpref.InputError):
                    compare()
            return
        for compare in ways:
            assert_same(compare(), whole)
