"""The measures and preferences as objects of ir_measures, and the provider ``irpref`` that computes them.

The first use of a measure loads irpref.
"""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ir_measures
from ir_measures.measures import Measure, ParamInfo, registry
from ir_measures.providers import Evaluator, Provider
from ir_measures.providers import registry as providers
from ir_measures.providers.base import Any as AnyValue

from irpref_ir_measures.base import TIES, WEIGHTS, CoreMeasure, CorePreference, choice
from irpref_ir_measures.references import first_run_of


class _TieP(CoreMeasure):
    """Tie-aware precision at k: the exact mean over all orders of tied scores (McSherry & Najork 2008)."""


class _TieR(CoreMeasure):
    """Tie-aware recall at k: the exact mean over all orders of tied scores (McSherry & Najork 2008)."""


class _TieF1(CoreMeasure):
    """Tie-aware F1 at k: the exact mean over all orders of tied scores (McSherry & Najork 2008)."""


class _TieAP(CoreMeasure):
    """Tie-aware AP: the exact mean over all orders of tied scores (McSherry & Najork 2008)."""


class _TieRR(
    CoreMeasure,
    level=ParamInfo(dtype=int, default=1, desc="which relevant item counts, from the top"),
):
    """Tie-aware reciprocal rank: the exact mean over all orders of tied scores (McSherry & Najork 2008)."""


class _TienDCG(
    CoreMeasure,
    dcg=choice(["log2", "exp-log2"], "DCG formulation"),
    gains=ParamInfo(dtype=dict, default=None, desc="custom gain mapping (int-to-int)"),
):
    """Tie-aware nDCG: the exact mean over all orders of tied scores (McSherry & Najork 2008)."""


class _TSE(
    CoreMeasure,
    exposure=choice(["reciprocal", "log2", "rbp"], "exposure"),
    persistence=ParamInfo(dtype=float, default=0.8, desc="persistence of exposure='rbp'"),
):
    """Total search efficiency: the exposure of the last relevant item (Diaz & Mitra 2023)."""


class _WithUnretrieved(
    CoreMeasure, n=ParamInfo(dtype=int, required=True, desc="number of documents to rank")
):
    """A measure for which items that are not retrieved are at the end of all documents."""

    def validate_params(self) -> None:
        # ir_measures gives one run at a time, so the pool of all runs is unknown.
        if not isinstance(self.params.get("n"), int):
            raise ValueError(
                f"{self.NAME} needs n, how many documents there are to rank, as a number here: "
                f"{self.NAME}(n=1000)"
            )
        super().validate_params()


class _ASL(_WithUnretrieved, ties=TIES):
    """Average search length: the mean position of the relevant items (Diaz & Ferraro 2022).

    Lower is better. Items that are not retrieved are the last of ``n`` documents.
    """


class _ISL(_ASL):
    """Initial search length: the position of the first relevant item (Diaz & Ferraro 2022).

    Lower is better. Items that are not retrieved are the last of ``n`` documents.
    """


class _TSL(_ASL):
    """Total search length: the position of the last relevant item (Diaz & Ferraro 2022).

    Lower is better. Items that are not retrieved are the last of ``n`` documents.
    """


class _Lexicographic(_WithUnretrieved, value=choice(["log-odds", "share"], "what to score")):
    pass


class _LexiRecall(_Lexicographic):
    """Lexirecall as a metric: the log-odds that the ranking beats another arrangement."""


class _LexiPrecision(_Lexicographic):
    """Lexiprecision as a metric: the log-odds that the ranking beats another arrangement."""


class _LP(
    CorePreference,
    magnitude=choice(["sgn", "rr"], "+1 or -1, or the difference of the reciprocal positions"),
):
    """Lexiprecision: who serves the best-off user? (Diaz 2023)"""


class _LR(CorePreference):
    """Lexirecall: who serves the worst-off user? (Diaz & Mitra 2023)"""


class _RPP(
    CorePreference,
    weights=WEIGHTS,
    graded=ParamInfo(dtype=bool, default=True, desc="one profile for each grade"),
):
    """Recall-paired preference: who serves more users? (Diaz & Ferraro 2022)"""


class _STRPP(CorePreference, weights=WEIGHTS):
    """Subtopic recall-paired preference: RPP for each subtopic and for all of them together.

    Subtopics are read from ``iteration``.
    """


_COUNTS = {"ni": "ni", "ns": "ns", "eq": "=", "nonsep": "**"}


class _IPSO(
    CorePreference,
    count=ParamInfo(
        dtype=str, choices=list(_COUNTS), default=None, desc="the share of topics so related"
    ),
    graded=ParamInfo(dtype=bool, default=False, desc="unanimity over all grades"),
    gains=ParamInfo(dtype=dict, default=None, desc="gain of each grade (Algorithm 1)"),
):
    """Innate pairwise SERP orderings: would every binary metric agree? (Moffat & Mackenzie 2024)

    Values are +1 for non-inferior, -1 for non-superior, 0 for equal or non-separable. With ``count``, the
    value is the share of topics with one of these relations.
    """

    @property
    def relation(self) -> str | None:
        """irpref's label of the relation to count; None without ``count``."""
        count = self["count"]
        return None if count is None else _COUNTS[count]


TieP = _TieP()
TieR = _TieR()
TieF1 = _TieF1()
TieAP = _TieAP()
TieRR = _TieRR()
TienDCG = _TienDCG()
TSE = _TSE()
ASL = _ASL()
ISL = _ISL()
TSL = _TSL()
LexiRecall = _LexiRecall()
LexiPrecision = _LexiPrecision()
LP = _LP()
LR = _LR()
RPP = _RPP()
STRPP = _STRPP()
IPSO = _IPSO()
sgnLP = LP
rrLP = LP(magnitude="rr")
dcgRPP = RPP(weights="dcg")
invRPP = RPP(weights="inverse")

__all__ = ["ASL", "IPSO", "ISL", "LP", "LR", "RPP", "STRPP", "TSE", "TSL"]
__all__ += ["LexiPrecision", "LexiRecall"]
__all__ += ["TieAP", "TieF1", "TieP", "TieR", "TieRR", "TienDCG"]
__all__ += ["dcgRPP", "invRPP", "rrLP", "sgnLP"]

MEASURES: list[CoreMeasure] = [globals()[name] for name in __all__ if name == globals()[name].NAME]
"""All of them, each once."""
for _measure in MEASURES:
    # What ir_measures says of a measure is the beginning of its docstring, which python -OO leaves out.
    _kind: Any = type(_measure)
    _said = (_kind.__doc__ or _kind.NAME).partition("\n")[0]
    _kind.PRETTY_NAME, _, _kind.SHORT_DESC = _said.partition(": ")


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
        """The needed columns of the qrels, for STRPP with subtopics."""
        inputs: list[str] = super().qrel_inputs(measures)
        if any(measure.NAME == "STRPP" for measure in measures):
            inputs = [*inputs, "iteration"]
        return inputs


def register() -> IrprefProvider:
    """Register the measures and the provider with ir_measures; a second call changes nothing.

    Raises:
        ImportError: Another plugin has a measure with one of the names.
    """
    for name in __all__:
        other = registry.get(name)
        if other is not None and getattr(other, "PROVIDER", None) != CoreMeasure.PROVIDER:
            raise ImportError(f"ir_measures knows another measure {name} already ({type(other)})")
        registry[name] = globals()[name]
        for other_case in (name.lower(), name.upper()):
            registry.setdefault(other_case, globals()[name])
    provider = IrprefProvider()
    providers[provider.NAME] = provider
    # A version that reads entry points may import this while it is imported itself, and builds it later.
    if hasattr(ir_measures, "DefaultPipeline"):
        pipeline = ir_measures.DefaultPipeline.providers
        pipeline[:] = [known for known in pipeline if known.NAME != provider.NAME] + [provider]
    return provider
