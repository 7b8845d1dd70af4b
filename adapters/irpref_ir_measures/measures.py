"""The measures and preferences as objects of ir_measures, and the provider ``irpref`` that computes them.

The first use of a measure loads irpref.
"""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

import builtins
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import ir_measures
from ir_measures.measures import Measure, ParamInfo, registry
from ir_measures.providers import Evaluator, Provider
from ir_measures.providers import registry as providers
from ir_measures.providers.base import Any as AnyValue

from irpref_ir_measures.base import LEFT_OUT, OTHERWISE, CoreMeasure, CorePreference
from irpref_ir_measures.references import first_run_of

# What irpref's classes say, as an import of them takes too long: scripts/make_ir_measures_table.py.
_CORE = json.loads(Path(__file__).with_name("core.json").read_text(encoding="utf-8"))


def _measure(name: str, core: Mapping[str, Any]) -> CoreMeasure:
    """A measure of a class of its own, from what irpref says of its name."""
    base = CorePreference if core["preference"] else CoreMeasure
    parameters = dict(base.SUPPORTED_PARAMS)
    for option, info in core["options"].items():
        if option not in LEFT_OUT:
            alike = ParamInfo(**{**info, "dtype": getattr(builtins, info["dtype"])})
            parameters[option] = OTHERWISE.get(option, alike)
    members = {"NAME": name, "SUPPORTED_PARAMS": parameters, "__module__": __name__}
    kind: Any = type(f"_{name}", (base,), members | core["members"])
    # Where pickle looks for it.
    globals()[kind.__name__] = kind
    measure: CoreMeasure = kind()
    return measure


NAMED: dict[str, CoreMeasure] = {}
"""The measures by name, those that are short for others too."""
for _name, _core in _CORE.items():
    if _core["of"] in NAMED:
        NAMED[_name] = NAMED[_core["of"]](**_core["preset"])
    else:
        NAMED[_name] = _measure(_name, _core)
MEASURES = [measure for name, measure in NAMED.items() if name == measure.NAME]
"""All of them, each once."""
globals().update(NAMED)
__all__ = list(NAMED)


def _with_any_values(measure: CoreMeasure) -> Measure:
    """The measure as providers list what they support; irpref itself checks the values."""
    parameters = measure.SUPPORTED_PARAMS.items()
    return type(measure)(**{name: AnyValue(required=info.required) for name, info in parameters})


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

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The needed columns of the run. ``pt.Experiment`` asks for them when a call begins, and only then.

        Raises:
            ValueError: A measure has its first run of an earlier call.
        """
        for measure in measures:
            first = first_run_of(measure)
            if first is not None:
                first.refuse_second_call(measure)
        inputs: list[str] = super().run_inputs(measures)
        return inputs

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The needed columns of the qrels, with subtopics if a measure reads them."""
        inputs: list[str] = super().qrel_inputs(measures)
        if any(getattr(measure, "OF_SUBTOPICS", False) for measure in measures):
            inputs = [*inputs, "iteration"]
        return inputs


def register() -> IrprefProvider:
    """Register the measures and the provider with ir_measures; a second call changes nothing.

    Raises:
        ImportError: Another plugin has a measure with one of the names.
    """
    for name, measure in NAMED.items():
        other = registry.get(name)
        if other is not None and getattr(other, "PROVIDER", None) != CoreMeasure.PROVIDER:
            raise ImportError(f"ir_measures knows another measure {name} already ({type(other)})")
        registry[name] = measure
        for other_case in (name.lower(), name.upper()):
            registry.setdefault(other_case, measure)
    provider = IrprefProvider()
    providers[provider.NAME] = provider
    # A version that reads entry points may import this while it is imported itself, and builds it later.
    if hasattr(ir_measures, "DefaultPipeline"):
        pipeline = ir_measures.DefaultPipeline.providers
        pipeline[:] = [known for known in pipeline if known.NAME != provider.NAME] + [provider]
    return provider
