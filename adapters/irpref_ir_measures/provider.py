"""The provider ``irpref`` of ir_measures, and how measures and provider are made known to it."""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from ir_measures.measures import Measure, registry
from ir_measures.providers import Evaluator, Provider
from ir_measures.providers import registry as providers

from irpref_ir_measures.measures import CoreMeasure

__all__ = ["IrprefProvider", "register"]


class IrprefProvider(Provider):
    """Computes the measures and preferences of irpref."""

    NAME = CoreMeasure.PROVIDER

    def supports(self, measure: Measure) -> bool:
        """Whether it is one of irpref.

        Raises:
            ValueError: It is, and a parameter is missing or out of range.
        """
        # Not by class: the objects made before a reload are of another one.
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
        """The columns needed in the qrels: subtopics too where STRPP is asked for."""
        inputs: list[str] = super().qrel_inputs(measures)
        if any(measure.NAME == "STRPP" for measure in measures):
            inputs = [*inputs, "iteration"]
        return inputs


def register(framework: ModuleType, measures: Mapping[str, Measure]) -> IrprefProvider:
    """Make the measures and the provider known to ir_measures; again is as good as once.

    Raises:
        ImportError: Another plugin has given one of the names to a measure of its own.
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
