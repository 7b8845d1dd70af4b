"""What all measures share, and what all preferences share: parameters, and a reference run.

ir_measures compares and parses measures by their texts, so every value of a parameter must have one.
"""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, ClassVar, TypeVar

from ir_measures.measures import Measure, ParamInfo

from irpref import for_adapters
from irpref_ir_measures.references import FirstRun, reference_to


def choice(choices: list[str], desc: str) -> ParamInfo:
    """A parameter that is one of some texts, by default the first."""
    return ParamInfo(dtype=str, choices=choices, default=choices[0], desc=desc)


_OF_ALL = {
    "cutoff": ParamInfo(dtype=int, required=False, desc="ranking cutoff threshold"),
    "rel": ParamInfo(
        dtype=Real, default=1, desc="minimum relevance score to be considered relevant"
    ),
    "judged_only": ParamInfo(
        dtype=bool, default=False, desc="ignore returned documents without relevance judgments"
    ),
    "duplicates": choice(
        ["error", "first"],
        "a document twice in a topic is an error, or counts at its best position",
    ),
}
_OF_PREFERENCES = {
    "ref": ParamInfo(dtype=str, required=True, desc="the reference run: a path"),
    "ref_order": choice(
        ["score", "rank"], "order the reference run by its scores, or by its rank column"
    ),
}
OTHERWISE = {
    # ir_measures gives one run at a time, so the pool of all runs is unknown.
    "n": ParamInfo(dtype=int, required=True, desc="number of documents to rank"),
    # As texts, which it compares measures by.
    "weights": ParamInfo(
        dtype=str,
        default="uniform",
        desc="weights of the recall levels: uniform, dcg, inverse, or numbers as in '3,2,1'",
    ),
}
"""Options of irpref that are other parameters here."""
LEFT_OUT = {
    # It asks which documents of the two lists are unjudged, and only positions are kept here.
    "unjudged"
}
"""Options of irpref that are no parameters here."""


def _plain_gains(gains: Any) -> Any:
    """The gains in plain numbers and texts; a gain of 0 for a grade that is not relevant says nothing.

    Example:
        >>> from fractions import Fraction
        >>> _plain_gains({-1: 0, 1: 1, 2: Fraction(7, 3)})
        {1: 1, 2: '7/3'}
    """
    if not isinstance(gains, Mapping):
        return gains
    plain = for_adapters.plain_number
    given = {plain(grade): plain(gain) for grade, gain in gains.items()}
    return {
        grade: gain
        for grade, gain in given.items()
        if gain != 0 or not isinstance(grade, int | float) or grade > 0
    }


def _text_of_weights(weights: Any) -> Any:
    """The weights as a text: their name, or their numbers.

    Raises:
        ValueError: The weights are a function, or no numbers.

    Example:
        >>> _text_of_weights([1, 0.5, 0.25])
        '1,0.5,0.25'
    """
    if callable(weights):
        raise ValueError(
            "weights: ir_measures compares measures by their texts, and a function has none; give "
            "numbers, one for each recall level: weights=function(numpy.arange(1, 1001))"
        )
    if isinstance(weights, str | Mapping) or not isinstance(weights, Iterable):
        return weights
    try:
        return ",".join(repr(float(number)).removesuffix(".0") for number in weights)
    except (TypeError, ValueError):
        raise ValueError(f"weights must be a name or a list of numbers, not {weights!r}") from None


def _weights_of(text: Any) -> Any:
    """The weights that a text stands for: the text itself if it is no list of numbers.

    Example:
        >>> _weights_of("1,0.5,0.25"), _weights_of("dcg")
        ((1.0, 0.5, 0.25), 'dcg')
    """
    try:
        return tuple(map(float, text.split(",")))
    except (AttributeError, ValueError):
        return text


Bound = TypeVar("Bound", bound="CorePreference")

_NO_RANKS = (
    "{name} takes no order=: ir_measures hands over scores and no ranks, so the scores order the evaluated "
    "run; where only its ranks are right, give -rank as the score: ScoredDoc(topic, document, -rank)"
)
_REF_ORDER = "; ref_order='rank' orders the reference run by its rank column"


class CoreMeasure(Measure):
    """A measure that irpref computes; each class of measures adds parameters."""

    PROVIDER: ClassVar[str] = "irpref"
    SUPPORTED_PARAMS = _OF_ALL
    OF_ADAPTER: ClassVar[frozenset[str]] = frozenset({"cutoff", "judged_only", "duplicates"})
    """Parameters that are not options of irpref's object."""
    OF_SUBTOPICS: ClassVar[bool] = False
    """Whether it reads the subtopics in the qrels."""

    def __init__(self, **params: Any) -> None:
        """Take the parameters, as plain values that have a text.

        Raises:
            ValueError: There is no such parameter, or weights have no text.
        """
        for name in params:
            if name == "order":
                also = _REF_ORDER if "ref_order" in self.SUPPORTED_PARAMS else ""
                raise ValueError(_NO_RANKS.format(name=self.NAME) + also)
            if name not in self.SUPPORTED_PARAMS:
                kind = f"parameter of {self.NAME}"
                raise for_adapters.unknown(kind, name, self.SUPPORTED_PARAMS)
        super().__init__(**{name: _plain(name, value) for name, value in params.items()})
        # Where ir_measures and its documentation look for it.
        self.__name__ = str(self.NAME)

    def core(self) -> for_adapters.Named:
        """The object of irpref that computes the measure.

        Raises:
            ValueError: A parameter is unknown or out of range.
        """
        options = {
            name: _weights_of(value) if name == "weights" else value
            for name, value in self.params.items()
            if name not in self.OF_ADAPTER
        }
        found = for_adapters.known_names()[str(self.NAME)](**options)
        cutoff = self.params.get("cutoff")
        return found if cutoff is None else found @ cutoff

    def validate_params(self) -> None:
        """Check the parameters.

        Raises:
            ValueError: A parameter is missing, unknown or out of range.
        """
        if not self.validated:
            if "n" in self.SUPPORTED_PARAMS and not isinstance(self.params.get("n"), int):
                raise ValueError(
                    f"{self.NAME} needs n, how many documents there are to rank, as a number here: "
                    f"{self.NAME}(n=1000)"
                )
            self.core()
            for_adapters.check_flag("judged_only", self["judged_only"])
            # irpref's object checks its own options.
            for name in ("duplicates", "ref_order", "count"):
                known = self.SUPPORTED_PARAMS.get(name)
                if known is not None and self[name] not in (known.default, *known.choices):
                    raise for_adapters.unknown(name, self[name], known.choices)
            self.validated = True

    def _param_repr(self, v: Any) -> str:
        """The value as :func:`ir_measures.parse_measure` reads it, without spaces in a dict.

        ir_measures' own text leaves out gains that equal their grades, but IPSO needs a gain for every
        grade.
        """
        if not isinstance(v, dict):
            return repr(v)
        pairs = sorted(v.items(), key=lambda pair: (str(type(pair[0])), pair[0]))
        return "{" + ",".join(f"{key!r}:{item!r}" for key, item in pairs) + "}"


class CorePreference(CoreMeasure):
    """A preference for the run over a reference run, which irpref computes."""

    SUPPORTED_PARAMS = _OF_ALL | _OF_PREFERENCES
    RELATIONS: ClassVar[dict[Any, str]] = {}
    """irpref's labels of the relations, by the words for them here."""
    OF_ADAPTER: ClassVar[frozenset[str]] = CoreMeasure.OF_ADAPTER | {"ref", "ref_order", "count"}

    @property
    def reference(self) -> str | None:
        """The reference run: a path, or a :class:`Reference`; None if none is given yet."""
        reference: str | None = self.params.get("ref")
        return reference

    @property
    def relation(self) -> str | None:
        """irpref's label of the relation whose share of the topics is the value; None without ``count``."""
        return self.RELATIONS.get(self.params.get("count"))

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

    def over_first(self: Bound) -> Bound:
        """The same preference, over the first run that it is evaluated on: in ``pt.Experiment``, system 0.

        The first run itself has 0 on every topic. Make a new measure for each call: this one keeps its
        first run.

        Example:
            >>> import ir_measures
            >>> from irpref_ir_measures import RPP
            >>> qrels, measure = {"301": {"d1": 1}}, RPP.over_first()
            >>> for run in ({"301": {"d1": 1.0, "d2": 2.0}}, {"301": {"d1": 3.0, "d2": 2.0}}):
            ...     print(ir_measures.calc_aggregate([measure], qrels, run))
            {RPP(ref='<first>'): 0.0}
            {RPP(ref='<first>'): 1.0}
        """
        bound: Bound = self(ref=FirstRun())
        return bound

    def validate_params(self) -> None:
        """Check the parameters.

        Raises:
            ValueError: A parameter is unknown or out of range, or there is no reference run.
        """
        if not self.reference or not isinstance(self.reference, str):
            raise ValueError(
                f"{self.NAME} compares a run with a reference run: {self.NAME}(ref='baseline.run') names "
                f"a file, {self.NAME}.against(run) takes one in memory, {self.NAME}.over_first() the first "
                "run of a call"
            )
        if isinstance(self.reference, FirstRun) and self["ref_order"] != "score":
            raise ValueError(f"{self}: the first run has scores and no ranks: leave ref_order= out")
        super().validate_params()


def _plain(name: str, value: Any) -> Any:
    """The value of a parameter as a plain one: not of numpy, and a path as text."""
    if name == "gains":
        return _plain_gains(value)
    if hasattr(value, "columns"):
        raise ValueError(f"{name}= takes no frame: .against(run) takes a run in memory")
    if hasattr(value, "tolist"):
        value = value.tolist()
    elif isinstance(value, os.PathLike):
        value = os.fspath(value)
    return _text_of_weights(value) if name == "weights" else value
