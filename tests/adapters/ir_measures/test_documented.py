"""What ir_measures' own documentation shows of its measures and providers, ours have too."""

from __future__ import annotations

import inspect

import ir_measures
import pytest
from ir_measures import measures, providers

from irpref_ir_measures import RPP, LexiRecall, TieAP, provider
from irpref_ir_measures.measures import MEASURES, CoreMeasure


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_measure_has_what_its_page_shows(measure: CoreMeasure) -> None:
    # Like a measure of ir_measures: every name that its generator of pages reads is a text.
    for like in (ir_measures.AP, measure):
        assert like.__name__ == like.NAME
        assert measures.registry[like.NAME] == like
        assert isinstance(inspect.getdoc(type(like)), str)
        # Its page goes on right after the docstring, which must end its paragraph.
        assert type(like).__doc__.rstrip(" ").endswith("\n")
        for name, parameter in like.SUPPORTED_PARAMS.items():
            assert isinstance(parameter.dtype.__name__, str), name
            assert isinstance(parameter.desc, str), name
    listed = [each for each in provider.SUPPORTED_MEASURES if each.__name__ == measure.__name__]
    assert len(listed) == 1
    assert set(listed[0].params) == set(measure.SUPPORTED_PARAMS)


def test_the_defaults_and_any_choice_are_valid_values() -> None:
    for measure in MEASURES:
        for parameter in measure.SUPPORTED_PARAMS.values():
            if isinstance(parameter.choices, list):
                assert all(map(parameter.validate, parameter.choices))
            if isinstance(parameter.default, int | float | str):
                assert parameter.validate(parameter.default)
    assert RPP.SUPPORTED_PARAMS["weights"].validate(RPP(weights=[1, 2])["weights"])


def test_the_provider_lists_what_it_supports_as_native_ones_do() -> None:
    shown = [str(measure) for measure in providers.registry["irpref"].SUPPORTED_MEASURES]
    assert "TieAP(rel=ANY,judged_only=ANY,duplicates=ANY)@ANY" in shown
    assert len(shown) == len(set(shown)) == len(MEASURES)
    assert any(text.startswith("RPP(") and "ref=REQUIRED" in text for text in shown)
    assert isinstance(provider.__doc__, str)
    for measure in (TieAP @ 10, RPP(ref="b", weights="dcg"), LexiRecall(n=10)):
        # The walk over the list that native providers do.
        supported = next(s for s in provider.SUPPORTED_MEASURES if s.NAME == measure.NAME)
        assert all(spec.validate(measure[name]) for name, spec in supported.params.items())
        assert provider.supports(measure)
    assert not provider.supports(ir_measures.AP)
