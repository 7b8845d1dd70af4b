"""What all measures share, and what all preferences share: parameters, checks, texts."""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ir_measures.measures import Measure, ParamInfo

from irpref_ir_measures.parameters import (
    CUTOFF,
    DUPLICATES,
    JUDGED_ONLY,
    REF,
    REF_ORDER,
    REL,
    TIES,
    plain_gains,
    plain_value,
    text_of,
    text_of_weights,
    weights_of,
)
from irpref_ir_measures.reference import reference_to

if TYPE_CHECKING:
    from irpref.for_adapters import Named


Bound = TypeVar("Bound", bound="CorePreference")

_NO_RANKS = (
    "{name} takes no order=: ir_measures hands over scores and no ranks, so the scores order the evaluated "
    "run; where only its ranks are right, give -rank as the score: ScoredDoc(topic, document, -rank)"
)
_REF_ORDER = "; ref_order='rank' orders the reference run by its rank column"


def with_parameters(parent: type[Measure], **more: ParamInfo) -> dict[str, ParamInfo]:
    """The parameters of a class of measures, and some more."""
    return {**parent.SUPPORTED_PARAMS, **more}


class CoreMeasure(Measure):
    """A measure that irpref computes."""

    PROVIDER: ClassVar[str] = "irpref"
    SUPPORTED_PARAMS = with_parameters(
        Measure, cutoff=CUTOFF, rel=REL, judged_only=JUDGED_ONLY, duplicates=DUPLICATES
    )
    OF_ADAPTER: ClassVar[frozenset[str]] = frozenset({"cutoff", "judged_only", "duplicates"})
    """Parameters that are not options of irpref's object."""

    def __init_subclass__(cls) -> None:
        cls.NAME = cls.__name__.removeprefix("_")
        # ir_measures' documentation goes on right after it.
        cls.__doc__ = inspect.cleandoc(cls.__doc__ or "") + "\n"

    def __init__(self, **params: Any) -> None:
        """Take the parameters, as plain values that have a text.

        Raises:
            ValueError: There is no such parameter, or weights have no text.
        """
        for name in params:
            if name not in self.SUPPORTED_PARAMS:
                raise self._unknown(name)
        super().__init__(**{name: _plain(name, value) for name, value in params.items()})
        # Where ir_measures and its documentation look for it.
        self.__name__ = str(self.NAME)

    def _unknown(self, name: str) -> ValueError:
        if name == "order":
            return ValueError(_NO_RANKS.format(name=self.NAME))
        from irpref.for_adapters import unknown

        return unknown(f"parameter of {self.NAME}", name, self.SUPPORTED_PARAMS)

    def core(self) -> Named:
        """The object of irpref that computes the measure.

        Raises:
            ValueError: A parameter is unknown or out of range.
        """
        from irpref.for_adapters import known_names

        options = {
            name: weights_of(value) if name == "weights" else value
            for name, value in self.params.items()
            if name not in self.OF_ADAPTER
        }
        found = known_names()[str(self.NAME)](**options)
        cutoff = self.params.get("cutoff")
        return found if cutoff is None else found @ cutoff

    def validate_params(self) -> None:
        """Check the parameters.

        Raises:
            ValueError: A parameter is unknown or out of range.
        """
        if not self.validated:
            from irpref.for_adapters import check_flag, unknown

            self.core()
            check_flag("judged_only", self["judged_only"])
            # irpref's object checks its own options.
            for name in ("duplicates", "ref_order", "count"):
                known = self.SUPPORTED_PARAMS.get(name)
                if known is not None and self[name] not in (known.default, *known.choices):
                    raise unknown(name, self[name], known.choices)
            self.validated = True

    def _param_repr(self, v: Any) -> str:
        return text_of(v)


class CorePreference(CoreMeasure):
    """A preference for the run over a reference run, which irpref computes."""

    SUPPORTED_PARAMS = with_parameters(CoreMeasure, ref=REF, ref_order=REF_ORDER, ties=TIES)
    OF_ADAPTER: ClassVar[frozenset[str]] = CoreMeasure.OF_ADAPTER | {"ref", "ref_order", "count"}

    @property
    def reference(self) -> str | None:
        """The reference run: a path, or a :class:`Reference`; None if none is given yet."""
        reference: str | None = self.params.get("ref")
        return reference

    def against(self: Bound, run: Any, *, name: str | None = None) -> Bound:
        """The same preference, over this reference run.

        Args:
            run: A path, or a run in memory of any kind that ir_measures, PyTerrier or ranx has. irpref
                reads a run in memory, or a path with a ``name``, at once.
            name: The name of the run in ``ref=``; two runs need two names. By default the path, or a hash
                of the content.

        Raises:
            ValueError: The run is unreadable, or a different run in memory has this name.

        Example:
            >>> from irpref_ir_measures import RPP
            >>> RPP.against({"301": {"d1": 1.0}}, name="bm25") @ 100
            RPP(ref='bm25')@100
        """
        bound: Bound = self(ref=reference_to(run, name))
        return bound

    def validate_params(self) -> None:
        """Check the parameters.

        Raises:
            ValueError: A parameter is unknown or out of range, or there is no reference run.
        """
        if not self.reference or not isinstance(self.reference, str):
            raise ValueError(
                f"{self.NAME} compares a run with a reference run: {self.NAME}(ref='baseline.run') names "
                f"a file, {self.NAME}.against(run) takes one in memory"
            )
        super().validate_params()

    def _unknown(self, name: str) -> ValueError:
        error = super()._unknown(name)
        return ValueError(f"{error}{_REF_ORDER}") if name == "order" else error


def _plain(name: str, value: Any) -> Any:
    if name == "gains":
        return plain_gains(value)
    plain = plain_value(value)
    return text_of_weights(plain) if name == "weights" else plain
