"""The provider ``irpref`` of ir_measures, and the registration of provider and measures."""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from ir_measures.measures import Measure, registry
from ir_measures.providers import Evaluator, Provider
from ir_measures.providers import registry as providers
from ir_measures.providers.base import Any as AnyValue

from irpref_ir_measures.base import CoreMeasure
from irpref_ir_measures.measures import MEASURES


def _with_any_values(measure: CoreMeasure) -> Measure:
    """The measure as providers list what they support; irpref itself checks the values."""
    required = {name for name, info in measure.SUPPORTED_PARAMS.items() if info.required}
    return type(measure)(
        **{name: AnyValue(required=name in required) for name in measure.SUPPORTED_PARAMS}
    )


class IrprefProvider(Provider):
    """Computes the measures and preferences of irpref."""

    NAME = CoreMeasure.PROVIDER
    SUPPORTED_MEASURES = list(map(_with_any_values, MEASURES))  # noqa: RUF012  # as ir_measures has it

    def supports(self, measure: Measure) -> bool:
        """Whether the measure is one of irpref.

        Raises:
            ValueError: A parameter of such a measure is missing or out of range.
        """
        # Not by class: after a reload, older objects have another class.
        if getattr(measure, "PROVIDER", None) != self.NAME:
            return False
        measure.validate_params()
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        from irpref_ir_measures.evaluator import CoreEvaluator

        asked = list(measures)
        for measure in asked:
            if not self.supports(measure):
                # In the words of ir_measures' own providers.
                raise ValueError(f"unsupported measure {measure}")
        return CoreEvaluator(asked, qrels)

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The needed columns of the qrels, for STRPP with subtopics."""
        inputs: list[str] = super().qrel_inputs(measures)
        if any(measure.NAME == "STRPP" for measure in measures):
            inputs = [*inputs, "iteration"]
        return inputs


def register(framework: ModuleType, measures: Mapping[str, Measure]) -> IrprefProvider:
    """Register the measures and the provider with ir_measures; a second call changes nothing.

    Raises:
        ImportError: Another plugin has a measure with one of the names.
    """
    for name, measure in measures.items():
        other = registry.get(name)
        if other is not None and getattr(other, "PROVIDER", None) != CoreMeasure.PROVIDER:
            raise ImportError(f"ir_measures knows another measure {name} already ({type(other)})")
        registry[name] = measure
    provider = IrprefProvider()
    providers[provider.NAME] = provider
    pipeline = framework.DefaultPipeline.providers
    pipeline[:] = [known for known in pipeline if known.NAME != provider.NAME] + [provider]
    return provider
