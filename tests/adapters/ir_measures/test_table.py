"""ir_measures is told what irpref's classes say now, of every option that there is."""

from __future__ import annotations

from irpref.for_adapters import known_names
from irpref_ir_measures.base import LEFT_OUT
from irpref_ir_measures.measures import MEASURES
from scripts.make_ir_measures_table import STUB, TABLE, stub, table

OLD = "run python scripts/make_ir_measures_table.py"


def test_the_table_says_what_the_classes_say() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), OLD
    assert STUB.read_text(encoding="utf-8") == stub(), OLD


def test_every_option_is_a_parameter_or_left_out_for_a_reason() -> None:
    for measure in MEASURES:
        named = known_names()[str(measure.NAME)]
        options = {*named.options, "rel", "cutoff"} - LEFT_OUT
        if measure.NAME.startswith("Tie"):
            options.remove("ties")
        added = {"judged_only", "duplicates", "ref", "ref_order", "count"}
        assert measure.SUPPORTED_PARAMS.keys() - added == options
