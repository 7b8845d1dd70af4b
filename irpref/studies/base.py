"""The base classes of experiments: what is done on each collection, and how it becomes a study."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from irpref.api.collection import Collection
from irpref.base.arrays import Values
from irpref.base.errors import refuse_unknown_options, warn
from irpref.base.keywords import keep_checked
from irpref.base.literals import Progress, watched
from irpref.base.message import Message
from irpref.base.named import in_signature
from irpref.base.reading_options import ReadingOptions, refuse_groups
from irpref.base.wording import Words
from irpref.methods.names import ComparedBy, as_criteria
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.provenance import provenance_of
from irpref.pairwise.signature import signature
from irpref.pairwise.testing_options import PairTest
from irpref.positions.placements import Placements
from irpref.show.reports.coverage_report import coverage_notes, coverage_remarks
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.claims import Facts, Judged, judge
from irpref.studies.findings import COLUMNS, Finding, Study
from irpref.studies.numbers.order_agreement import AGREEMENTS, agreement_of, agreement_size
from irpref.studies.numbers.topic_bootstrap import Estimate, TopicBootstrap

Self = TypeVar("Self", bound="AnyExperiment")
Findings: TypeAlias = Iterator[Finding]
"""What comes out of an experiment, one number after the other."""


@dataclass(frozen=True, eq=False)
class Context:
    """What an experiment is done on: a collection, and the methods to try.

    Attributes:
        name: The name of the collection.
        collection: The collection; several systems.
        methods: The preferences, measures, functions and scores to try.
        seed: The seed of all that is random.
        n_resamples: How often the topics are drawn for an interval.
        progress: Called after every part of the work.
    """

    name: str
    collection: Collection
    methods: tuple[Criterion, ...]
    seed: int
    n_resamples: int
    progress: Progress | None = None

    @property
    def placements(self) -> Placements:
        """The positions of the relevant items."""
        return self.collection.placements

    @cached_property
    def rng(self) -> np.random.Generator:
        """Random numbers, the same ones for every collection."""
        return np.random.default_rng(self.seed)

    @cached_property
    def bootstrap(self) -> TopicBootstrap:
        """Draws of the topics, for intervals."""
        return TopicBootstrap(len(self.placements.topics), self.n_resamples, self.seed)

    def watched(self, items: Sequence[Any], doing: str) -> Iterator[Any]:
        """The items; it is said when what is done with each is done."""
        return watched(items, doing, self.progress)

    def tell(self, doing: str, done: int, of: int) -> None:
        """Say how far the work is."""
        if self.progress is not None:
            self.progress(doing, done, of)


class _Part(NamedTuple):
    """What came out on one collection, how it was made, and what to know of it."""

    name: str
    findings: Sequence[Finding]
    claims: Sequence[Judged]
    signature: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class AnyExperiment(ABC):
    """An experiment of a paper. Its fields are its options; calling it does it."""

    question: ClassVar[str]
    """What it asks, in a line."""
    layouts: ClassVar[tuple[Layout, ...]]
    """How the findings become tables."""
    picture: ClassVar[Picture]
    """How they become a picture."""
    notes: ClassVar[tuple[str, ...]] = ()
    """What one should know to read them."""
    draws: ClassVar[bool] = True
    """Whether anything is random."""

    @property
    def name(self) -> str:
        """Its name on the command line: class ``LabelDegradation`` is ``label-degradation``."""
        return re.sub(r"(?<!^)(?=[A-Z])", "-", type(self).__name__).lower()

    @property
    def options(self) -> dict[str, Any]:
        """Its options by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __post_init__(self) -> None:
        keep_checked(self)

    def with_options(self: Self, options: Mapping[str, Any]) -> Self:
        """The same experiment with other options.

        Raises:
            TypeError: There is no such option; the nearest one is named.
            ValueError: A value is out of range.
        """
        refuse_unknown_options(self.name, options, [field.name for field in fields(self)])
        return replace(self, **options)

    def _study(self, parts: Sequence[_Part]) -> Study:
        frame = pd.DataFrame(
            [(part.name, *finding[:-1]) for part in parts for finding in part.findings],
            columns=list(COLUMNS),
        )
        claimed = pd.DataFrame(
            [(part.name, *claim) for part in parts for claim in part.claims],
            columns=["collection", *Judged._fields],
            dtype=object,
        )
        frame.attrs["signature"] = "\n".join(part.signature for part in parts)
        return Study(
            name=self.name,
            title=self.question,
            frame=frame,
            claims=claimed,
            layouts=self.layouts,
            picture=self.picture,
            notes=(*self.notes, *(note for part in parts for note in part.notes)),
            options=self.options,
        )

    def _signature(self, seed: int | None) -> dict[str, object]:
        """What a signature says of the experiment."""
        said: dict[str, object] = {"study": self.name}
        for name, value in self.options.items():
            said[name] = ",".join(map(in_signature, value)) if isinstance(value, tuple) else value
        return said if seed is None else said | {"rng": seed}


class DataFree(AnyExperiment):
    """An experiment without data: exact, or on rankings drawn at random."""

    draws: ClassVar[bool] = False

    def __call__(
        self,
        *,
        rng: int | np.random.Generator | None = 0,
        progress: Progress | None = None,
        **options: Any,
    ) -> Study:
        """Do the experiment.

        Args:
            rng: A seed or Generator, for what is random; None draws a seed, and the signature says it.
            progress: Called after every part of the work.
            options: The options of the experiment, by name.

        Raises:
            TypeError: There is no such option.
            ValueError: A value is out of range.
        """
        experiment = self.with_options(options)
        seed = PairTest(rng=rng).seed()
        findings = list(experiment.findings(np.random.default_rng(seed), progress))
        claims = list(judge(experiment.name, findings, Facts()))
        said = experiment._signature(seed if self.draws else None)
        return experiment._study([_Part("", findings, claims, signature((), None, more=said))])

    @abstractmethod
    def findings(self, rng: np.random.Generator, progress: Progress | None) -> Findings:
        """What comes out."""


@dataclass(frozen=True, kw_only=True)
class Experiment(AnyExperiment):
    """An experiment on qrels and runs.

    Attributes:
        n_resamples: How often the topics are drawn for an interval.
    """

    default_methods: ClassVar[tuple[str, ...]] = ()
    """The methods of the paper; empty if the experiment takes none."""
    takes_judges: ClassVar[bool] = False
    """Whether side-by-side judgments can be a method, which need not have every pair on every topic."""

    @property
    def lists(self) -> int | None:
        """How many first documents of each run it needs (``irpref.collect(…, lists=k)``); None for none."""
        return None

    n_resamples: int = options.draws("how often the topics are drawn for an interval")

    def __call__(
        self,
        data: Collection | Mapping[str, Collection],
        methods: ComparedBy | None = None,
        *,
        rng: int | np.random.Generator | None = 0,
        progress: Progress | None = None,
        **options: Any,
    ) -> Study:
        """Do the experiment.

        Args:
            data: A collection (:func:`irpref.collect`), or several by name.
            methods: What to try: preferences and measures as objects or texts, functions of two position
                vectors, and scores of any other tool as ``{name: frame}``; by default the paper's. The
                study agreement takes side-by-side judgments in the same way.
            rng: A seed or Generator, for what is random; every collection begins with it anew. None draws a
                seed, and the signature says it.
            progress: Called after every part of the work.
            options: The options of the experiment, by name.

        Raises:
            TypeError: There is no such option.
            ValueError: A method is unknown, a value is out of range, or the data cannot be studied so.
        """
        for name in options.keys() & ReadingOptions.__annotations__.keys():
            reads = f"{name} says how runs are read: irpref.collect(…, {name}=…)"
            raise TypeError(f"{self.name}: {reads}")
        experiment = self.with_options(options)
        collections = data if isinstance(data, Mapping) else {"": data}
        experiment._check(collections, methods)
        seed = PairTest(rng=rng).seed()
        tried = self.default_methods if methods is None else methods
        criteria = tuple(as_criteria(tried)) if self.default_methods else ()
        for criterion in criteria:
            if criterion.pair_by_pair and not self.takes_judges:
                raise ValueError(
                    f"{self.name} needs every pair on every topic, and {criterion} are side-by-side "
                    "judgments: irpref.studies.agreement takes them"
                )
            if criterion.pair_by_pair and len(collections) > 1:
                raise ValueError(
                    f"{criterion} do not say of which collection their topics are: study each collection "
                    "by itself"
                )
        parts, names = list[_Part](), list[str]()
        for name, collection in collections.items():
            context = Context(
                str(name), collection, criteria, seed, experiment.n_resamples, progress
            )
            findings = list(experiment.findings(context))
            retrieved = context.placements.retrieved
            topics, systems = retrieved.shape
            facts = Facts(topics, systems, int(retrieved.max(initial=0)))
            claims = list(judge(experiment.name, findings, facts))
            of = {"collection": context.name} if context.name else {}
            said = signature(criteria, context.placements, more=of | experiment._signature(seed))
            # What takes no methods leaves out the topics that every preference does.
            provenance = provenance_of(context.placements, criteria or as_criteria("LP"))
            whose = f"{context.name}. " if context.name else ""
            for criterion in criteria:
                warn(criterion.warning(context.placements))
            notes = [
                Message(whose, note)
                for note in (*coverage_remarks(provenance), *coverage_notes(provenance))
            ]
            parts.append(_Part(context.name, findings, claims, said, notes))
            names += [context.name, *provenance.names]
        alike = {collection.placements.words.unnamed for collection in collections.values()}
        words = alike.pop() if len(alike) == 1 else Words()
        return replace(experiment._study(parts), words=words.naming(names))

    @abstractmethod
    def findings(self, context: Context) -> Findings:
        """What comes out on one collection.

        Raises:
            ValueError: The collection cannot be studied so.
        """

    def _check(self, collections: Mapping[Any, Any], methods: ComparedBy | None) -> None:
        if methods is not None and not self.default_methods:
            raise ValueError(f"{self.name} compares no methods: leave them out")
        if not collections:
            raise ValueError(f"{self.name} needs a collection, and {{}} holds none")
        for name, collection in collections.items():
            if not isinstance(collection, Collection):
                raise ValueError(
                    f"{self.name} takes a collection, or several by name, not a "
                    f"{type(collection).__name__}: irpref.collect(qrels, runs) makes one"
                )
            refuse_groups(collection.reading, "a study looks at each run by itself")
            if len(collection.systems) < 2:
                which = f"collection {name}: " if name else ""
                raise ValueError(
                    f"{which}{self.name} compares systems, and there is one only "
                    f"({collection.systems[0]})"
                )


def rows(
    numbers: Estimate | npt.ArrayLike,
    *,
    method: object = "",
    against: object = "",
    condition: object = "",
    treatment: object = "",
    n: npt.ArrayLike = 0,
    spread: npt.ArrayLike = float("nan"),
) -> Findings:
    """A finding for each number, with its interval if it has one.

    Args:
        numbers: Numbers of any shape.
        method: What each is about; of a shape that broadcasts with the numbers, and so for the others.
        against: What that is compared with.
        condition: What is measured.
        treatment: What was varied.
        n: How many it is of.
        spread: The standard deviation over random samples.

    Example:
        >>> [each.treatment for each in rows(np.array([0.5, 0.7]), treatment=(10, 20))]
        ['10', '20']
    """
    estimate = numbers if isinstance(numbers, Estimate) else Estimate.without_interval([numbers])
    names = [np.asarray(each, dtype=object) for each in (method, against, condition, treatment)]
    found = np.broadcast(*names, *estimate[:3], n, spread)
    shape = len(estimate.drawn), *found.shape
    draws = np.broadcast_to(estimate.drawn, shape).reshape(len(estimate.drawn), -1)
    for place, (*about, value, low, high, of, apart) in enumerate(found):
        one, other, measured, varied = map(str, about)
        said = float(value), float(low), float(high), int(of), float(apart)
        yield Finding(one, other, measured, varied, *said, drawn=draws[:, place])


def of_every_two(
    context: Context, numbers: Estimate, *, once: bool = False, n: npt.ArrayLike, condition: str
) -> Findings:
    """Findings that are of every two methods.

    Args:
        context: The collection and the C methods.
        numbers: (C, C) numbers, of each method (first) and what it is compared with.
        once: Whether one order says what the other one does.
        n: How many each is of; of a shape that broadcasts.
        condition: What is measured.
    """
    names = np.array(context.methods, dtype=object)
    apart = np.triu(np.ones(numbers.value.shape), 1) if once else 1 - np.eye(len(names))
    pairs = np.nonzero(apart)
    of = np.broadcast_to(n, apart.shape)[pairs]
    one, other = names[np.array(pairs)]
    return rows(numbers.at(*pairs), method=one, against=other, condition=condition, n=of)


def shares(context: Context, counts: Values, of: Values, **about: Any) -> Findings:
    """Findings that are shares, with intervals.

    Args:
        context: The collection, whose topics are drawn.
        counts: (T, …) numbers by topic.
        of: (T, …) what they are of; of a shape that broadcasts.
        about: What they are about, as for :func:`rows`.
    """
    return rows(context.bootstrap.of_ratio(counts, of), n=of.sum(axis=0), **about)


def agreements(context: Context, counts: Values, *, where: str, **about: Any) -> Findings:
    """How often methods agree with a target, for each way to count ties.

    Args:
        context: The collection, whose topics are drawn.
        counts: (T, …, 3) counts by topic, see :func:`.agreement_sums`.
        where: The condition, but for the way.
        about: As for :func:`rows`, where the ways are the last axis.
    """
    estimate = context.bootstrap.of_sums(agreement_of, counts)
    if np.count_nonzero(counts.reshape(len(counts), -1).any(axis=1)) < 2:
        # One topic says nothing of others.
        estimate = Estimate.without_interval([estimate.value])
    return rows(
        estimate,
        condition=[f"{where}, {kind}" for kind in AGREEMENTS],
        n=agreement_size(counts.sum(axis=0)),
        **about,
    )
