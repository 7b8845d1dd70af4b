"""Qrels and runs, read once: a collection, and what can be asked of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from irpref.challenge import Challenge, challenge
from irpref.choices import DEFAULT_PREFERENCES
from irpref.comparison import Comparison
from irpref.keywords import from_keywords
from irpref.names import AnyCriterion, AnyMeasure, as_criterion, as_measure, as_measures
from irpref.pair_test import AnyTest
from irpref.preferences.criterion import Criterion
from irpref.project.coverage import Coverage
from irpref.project.kept import Kept
from irpref.project.placements import Placements, place_rankings, place_runs
from irpref.project.selection import select
from irpref.read import name_runs
from irpref.reading import Progress, Reading, ReadingOptions
from irpref.render.collected import collection_report
from irpref.render.report import Report
from irpref.summarise.score_tables import score_table
from irpref.summarise.scores import topic_scores
from irpref.summarise.signature import signature

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from typing_extensions import Unpack

__all__ = [
    "Collection",
    "ComparedBy",
    "collect",
    "collect_for",
    "compare",
    "corroborate",
    "evaluate",
]

AnyScores: TypeAlias = Mapping[str, "pd.DataFrame"]
ComparedBy: TypeAlias = AnyCriterion | AnyScores | Iterable[AnyCriterion | AnyScores]
"""What systems are compared by: one or several, and scores of other tools by their names."""

_SHOWN = 12


@dataclass(frozen=True, eq=False, repr=False)
class Collection:
    """Qrels and runs, read once: where every run puts every relevant item, and what was left out.

    :func:`irpref.collect` makes one. A part of it is one too (:meth:`select`).

    Attributes:
        placements: The positions, as arrays.
        kept: What else was kept, so that a part can be taken.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> len(data.systems), len(data.topics), len(data.judgments)
        (6, 12, 255)
        >>> few = data.select(topics=data.topics[:4], judgments=lambda judged: judged["grade"] > 1)
        >>> few.compare([irpref.RPP, irpref.nDCG @ 10]).topics
        ('1', '2', '3', '4')
    """

    placements: Placements
    kept: Kept

    @classmethod
    def from_rankings(
        cls,
        judgments: pl.DataFrame,
        rankings: Mapping[str, pl.DataFrame],
        **reading: Unpack[ReadingOptions],
    ) -> Collection:
        """A collection of rankings that are in memory already, as frameworks have them.

        Any ranking may have retrieved nothing for the topics of the qrels.

        Args:
            judgments: Columns topic, document and grade, and subtopic where there are any.
            rankings: By name, columns topic, document and score, and rank where that orders them. Topics
                and documents are of any type that can be compared, the same as in the judgments.
            reading: As for :func:`irpref.collect`.

        Returns:
            The collection.

        Raises:
            InputError: Nothing is relevant, a table cannot be used, or a ranking has a document twice in a
                topic.

        Example:
            >>> import polars as pl
            >>> judgments = pl.DataFrame({"topic": ["1"], "document": ["d"], "grade": [1.0]})
            >>> ranking = pl.DataFrame({"topic": ["1"], "document": ["d"], "score": [0.5]})
            >>> data = Collection.from_rankings(judgments, {"a": ranking, "empty": ranking.clear()})
            >>> data.compare("LP").per_topic("LP", "a", "empty").to_dict()
            {'1': 1.0}
        """
        options = from_keywords(Reading, cls.from_rankings, reading)
        return cls(*place_rankings(judgments, rankings, options, pool=True))

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.placements.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics with at least one relevant item, in the order of the qrels."""
        return self.placements.topics

    @property
    def coverage(self) -> Coverage:
        """What the runs and the qrels have in common, topic by topic, and what was left out."""
        return self.placements.coverage

    @property
    def reading(self) -> Reading:
        """How the qrels and runs were read."""
        return self.placements.reading

    @property
    def judgments(self) -> pd.DataFrame:
        """All judgments, in the order of the qrels: columns topic, document, grade and subtopic."""
        # A copy, which may be changed.
        return self._judgments.copy()

    @cached_property
    def _judgments(self) -> pd.DataFrame:
        import pandas as pd

        judgments, chosen = self.kept.judgments, self.kept.chosen
        key = judgments.key_of_judgment[chosen]
        topics = np.array([str(topic) for topic in judgments.topics], dtype=object)
        frame = pd.DataFrame(
            {
                "topic": topics[judgments.key_topics[key]],
                "document": judgments.documents[key],
                "grade": judgments.judgment_grades[chosen],
                "subtopic": judgments.subtopics[chosen],
            }
        )
        frame.attrs["signature"] = signature((), self.placements)
        return frame

    @cached_property
    def lists(self) -> pd.DataFrame:
        """The first documents of every run, judged or not, as ``collect(…, lists=k)`` keeps them.

        Columns system, topic, position, document, tie_first and tie_last (the first and the last position
        of its group of tied scores) and grade, missing where not judged.

        Raises:
            ValueError: They were not kept.
        """
        import pandas as pd

        if self.kept.lists is None:
            raise ValueError(
                "the lists were not kept: irpref.collect(…, lists=k) keeps the first k"
            )
        lists, judgments = self.kept.lists, self.kept.judgments
        grades = np.append(self.kept.grades, np.nan)
        frame = pd.DataFrame(
            {
                "system": np.array(self.systems, dtype=object)[lists["system"].to_numpy()],
                "topic": np.array(list(map(str, judgments.topics)), dtype=object)[
                    lists["topic"].to_numpy()
                ],
                "position": lists["position"].to_numpy(),
                "document": lists["document"].to_numpy().astype(object),
                "tie_first": lists["tie_first"].to_numpy(),
                "tie_last": lists["tie_last"].to_numpy(),
                # What is not judged has the number -1, the last place.
                "grade": grades[lists["key"].to_numpy()],
            }
        )
        frame.attrs["signature"] = signature((), self.placements)
        return frame

    def select(
        self,
        *,
        topics: Iterable[object] | None = None,
        systems: Iterable[str] | None = None,
        judgments: npt.ArrayLike | Callable[[pd.DataFrame], npt.ArrayLike] | None = None,
        depth: int | None = None,
    ) -> Collection:
        """A part of the collection, without reading again.

        It is what reading would give if the files had been cut to it; what was not kept for that is an
        error, never an approximation.

        Args:
            topics: Topics of the qrels, by name; the files, cut to them, have no others.
            systems: Systems, by name, in the order that they shall have.
            judgments: Which of :attr:`judgments` to keep: as many booleans (a Series goes by its index),
                some rows of that frame, or a function of the frame that gives either. The documents of
                the others are unjudged; a topic that is left without judgments is dropped.
            depth: Cut every run to its first so many documents. (A cutoff, ``RPP @ 10``, leaves tied groups
                that reach below it as they are; cut lists have lost their ends.)

        Returns:
            The part.

        Raises:
            ValueError: There is no such topic or system, nothing relevant is left, or what was kept does
                not suffice: ``judgments=`` after ``judged_only=True`` needs ``lists=``.

        Example:
            Half of the judgments, drawn again and again, and the best system each time.

            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> data, rng = irpref.collect(*demo_paths()), np.random.default_rng(7)
            >>> parts = [data.select(judgments=rng.random(len(data.judgments)) < 0.5) for _ in range(3)]
            >>> [part.compare("RPP").order("RPP").index[0] for part in parts]
            ['bm25', 'bm25-prf', 'boolean']
        """
        mask = None if judgments is None else self._mask(judgments)
        return Collection(
            *select(
                self.placements,
                self.kept,
                topics=topics,
                systems=systems,
                judgments=mask,
                depth=depth,
            )
        )

    def compare(
        self,
        preferences: ComparedBy = DEFAULT_PREFERENCES,
        *,
        progress: Progress | None = None,
    ) -> Comparison:
        """Compare every pair of systems, topic by topic.

        Args:
            preferences: What to compare them by: preferences and measures as objects or texts, functions
                of two position vectors (see :func:`irpref.preference`), and scores of any other tool as
                ``{name: frame}`` with columns system, topic and value. A measure compares by the difference
                of the scores, on topics with relevant items.
            progress: Called after every part of the topics.

        Returns:
            The comparison. Above 0 prefers the first (row) system throughout.

        Raises:
            ValueError: There are fewer than two systems, or a preference is unknown.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> comparison = irpref.collect(*demo_paths()).compare(["RPP", "nDCG@10"])
            >>> comparison.order("nDCG@10").index[0]
            'lm-dirichlet'
        """
        return Comparison.of(self.placements, _criteria(preferences), progress=progress)

    def evaluate(self, measures: AnyMeasure | Iterable[AnyMeasure]) -> pd.DataFrame:
        """Score every system on every topic.

        Args:
            measures: Measure objects or their texts: ``[TieRR @ 10, "nDCG@10"]``.

        Returns:
            Columns system, topic, measure, value: every topic of the qrels, those without relevant items
            with 0. :func:`irpref.mean_scores` gives the mean of each system.

        Raises:
            ValueError: A measure is unknown, or cannot be computed from what was kept.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> scores = irpref.collect(*demo_paths()).evaluate(["AP", "RR"])
            >>> scores.columns.to_list(), len(scores)
            (['system', 'topic', 'measure', 'value'], 144)
        """
        return topic_scores(self.placements, as_measures(measures))

    def corroborate(
        self,
        champion: str,
        challengers: str | Iterable[str],
        *,
        measure: AnyMeasure | pd.DataFrame,
        depth: int | None = None,
        graded: bool = False,
        test: AnyTest = "t",
    ) -> Challenge:
        """Follow "Using IPSO as a Corroboration" (Moffat & Mackenzie 2024, section 3).

        One measure is chosen on principle and tested (†); then an exact sign test on IPSO says whether
        other measures at the same depth are likely to agree (‡). All is read from the challenger's side.

        Args:
            champion: Name of the champion.
            challengers: Names of the challengers.
            measure: A measure or its text; or scores by any other tool: columns system, topic and value,
                with the names of the runs.
            depth: Depth of IPSO; that of the measure if not given.
            graded: IPSO over all grades, for a graded measure.
            test: Test of the measure: ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"``, or an
                :class:`irpref.PairTest`, whose alpha is that of both tests. Each challenger is tested by
                itself.

        Returns:
            The challenge; ``.frame`` has the numbers, ``.report`` the table.

        Raises:
            ValueError: There is no such system, an option is unknown or out of place, or scores are
                missing.

        Warns:
            UserWarning: The depths differ, or the measure is graded and IPSO is not: IPSO at k binds only
                measures at k on the same relevance.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> data = irpref.collect(*demo_paths())
            >>> found = data.corroborate("bm25", ["bm25-prf", "tfidf"], measure="AP@10")
            >>> list(found.results["bm25-prf"].topics.values())
            [5, 2, 0, 5, 0]
        """
        return challenge(
            self.placements,
            champion,
            challengers,
            measure=measure,
            depth=depth,
            graded=graded,
            test=test,
        )

    @property
    def report(self) -> Report:
        """What it holds, system by system."""
        return collection_report(self.placements, self.kept)

    def __repr__(self) -> str:
        return repr(collection_report(self.placements, self.kept, top=_SHOWN))

    def _repr_html_(self) -> str:
        return collection_report(self.placements, self.kept, top=_SHOWN).to_html()

    def _mask(self, judgments: Any) -> npt.NDArray[np.bool_]:
        import pandas as pd

        given = judgments(self.judgments) if callable(judgments) else judgments
        if isinstance(given, pd.Series):
            given = given.reindex(self._judgments.index)
            if pd.api.types.is_bool_dtype(given.dtype) and not given.isna().any():
                # Of pandas' own booleans, which may be missing.
                given = given.astype(bool)
        if isinstance(given, pd.DataFrame) and given.index.isin(self._judgments.index).all():
            given = self._judgments.index.isin(given.index)
        mask = np.asarray(given)
        if mask.dtype != np.bool_ or mask.shape != (len(self._judgments),):
            raise ValueError(
                f"select(judgments=…) takes {len(self._judgments)} booleans, one for each row of "
                ".judgments, a part of that frame, or a function of it that gives either; not a "
                f"{type(given).__name__} of shape {mask.shape} and type {mask.dtype}"
            )
        return mask


def collect(
    qrels: Any,
    runs: Any,
    *,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Collection:
    """Read qrels and runs once, to compare, evaluate and select from them.

    Args:
        qrels: The judgments: a path (TREC text, plain or gzipped, or Parquet), a dict
            ``{topic: {document: grade}}``, a pandas or polars frame, or an iterable of records like
            ir_measures' ``Qrel``.
        runs: ``{name: run}`` or a list of paths; a run is anything that qrels may be, with scores.
        progress: Called with what is being done, how much is done, and how much there is.
        reading: Those of :class:`irpref.Reading`: ``order`` (``"score"`` or ``"rank"``), ``duplicates``
            (``"error"`` or ``"first"``), ``judged_only``, ``missing`` (``"worst"`` or ``"skip"``) and
            ``lists`` (how many first documents of each run to keep).

    Returns:
        The collection.

    Raises:
        InputError: A file or object cannot be used, or a run has no topic in common with the qrels; the
            error names file, line, topic and document.
        ValueError: An option is set to what it cannot be, or two runs have one name.
        TypeError: There is no such option.

    Example:
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> runs = {
        ...     "new": {"301": {"d1": 3.0, "d2": 2.0, "d9": 1.0}},
        ...     "old": {"301": {"d1": 3.0, "d9": 2.0, "d2": 1.0}},
        ... }
        >>> data = irpref.collect(qrels, runs, judged_only=True)
        >>> data.compare("RPP").per_topic("RPP", "new", "old").to_dict()
        {'301': 0.0}
    """
    options = from_keywords(Reading, collect, reading)
    return collect_for(None, qrels, runs, options, progress=progress)


def compare(
    qrels: Any,
    runs: Any,
    preferences: ComparedBy = DEFAULT_PREFERENCES,
    *,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Comparison:
    """Compare every pair of systems, topic by topic: ``collect(qrels, runs, …).compare(preferences)``.

    Args:
        qrels: As for :func:`irpref.collect`.
        runs: As for :func:`irpref.collect`.
        preferences: As for :meth:`irpref.Collection.compare`.
        progress: Called with what is being done, how much is done, and how much there is.
        reading: As for :func:`irpref.collect`.

    Returns:
        The comparison. Above 0 prefers the first (row) system throughout.

    Raises:
        InputError: A file or object cannot be used; the error names file, line, topic and document.
        ValueError: There are fewer than two runs, or an option or preference is unknown.

    Example:
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> runs = {
        ...     "new": {"301": {"d1": 3.0, "d2": 2.0, "d9": 1.0}},
        ...     "old": {"301": {"d1": 3.0, "d9": 2.0, "d2": 1.0}},
        ... }
        >>> comparison = irpref.compare(qrels, runs, [irpref.RPP, irpref.LP])
        >>> comparison.per_topic("RPP", "new", "old").to_dict()
        {'301': 0.5}
    """
    options = from_keywords(Reading, compare, reading)
    criteria = _criteria(preferences)
    asked = [criterion.named for criterion in criteria]
    collection = collect_for(asked, qrels, runs, options, progress=progress)
    return Comparison.of(collection.placements, criteria, progress=progress)


def evaluate(
    qrels: Any,
    runs: Any,
    measures: AnyMeasure | Iterable[AnyMeasure],
    *,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> pd.DataFrame:
    """Score every system on every topic: ``collect(qrels, runs, …).evaluate(measures)``.

    Args:
        qrels: As for :func:`irpref.collect`.
        runs: As for :func:`irpref.collect`; one is enough.
        measures: As for :meth:`irpref.Collection.evaluate`.
        progress: As for :func:`irpref.collect`.
        reading: As for :func:`irpref.collect`. A topic that a run lacks scores 0 (``missing="worst"``, as
            trec_eval with ``-c``), or is left out of its scores (``"skip"``, as trec_eval without).

    Returns:
        Columns system, topic, measure, value: every topic of the qrels, those without relevant items with
        0. :func:`irpref.mean_scores` gives the mean of each system.

    Raises:
        InputError: A file or object cannot be used; the error names file, line, topic and document.
        ValueError: An option or measure is unknown.

    Example:
        >>> import irpref
        >>> qrels = {"301": {"d1": 1}}
        >>> runs = {"tied": {"301": {"d1": 1.0, "d2": 1.0}}}
        >>> scores = irpref.evaluate(qrels, runs, [irpref.RR, irpref.TieRR])
        >>> dict(zip(scores["measure"], scores["value"]))
        {'RR': 0.5, "RR(ties='expected')": 0.75}
    """
    options = from_keywords(Reading, evaluate, reading)
    chosen = as_measures(measures)
    return collect_for(chosen, qrels, runs, options, progress=progress).evaluate(chosen)


def corroborate(
    qrels: Any,
    champion: Any,
    challengers: Any,
    *,
    measure: AnyMeasure | pd.DataFrame,
    depth: int | None = None,
    graded: bool = False,
    test: AnyTest = "t",
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Challenge:
    """Test challengers against a champion by one measure, corroborated by IPSO.

    The runs are read, and then :meth:`irpref.Collection.corroborate` is asked.

    Args:
        qrels: As for :func:`irpref.collect`.
        champion: A run (its path gives its name), or ``{name: run}``.
        challengers: A run, a list of paths, or ``{name: run}``: one or several challengers.
        measure: As for :meth:`irpref.Collection.corroborate`.
        depth: Likewise.
        graded: Likewise.
        test: Likewise.
        progress: As for :func:`irpref.collect`.
        reading: As for :func:`irpref.collect`.

    Returns:
        The challenge; ``.frame`` has the numbers, ``.report`` the table.

    Raises:
        InputError: A file or object cannot be used.
        ValueError: An option is unknown, or scores are missing.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> qrels, (bm25_prf, bm25, *_) = demo_paths()
        >>> found = irpref.corroborate(qrels, bm25, bm25_prf, measure=irpref.AP @ 10)
        >>> list(found.results["bm25-prf"].topics.values())
        [5, 2, 0, 5, 0]
    """
    options = from_keywords(Reading, corroborate, reading)
    champions = _named(champion, "champion")
    others = _named(challengers, "challenger")
    if len(champions) != 1:
        raise ValueError(f"there is one champion, not {len(champions)}: {', '.join(champions)}")
    both = set(champions) & set(others)
    if both:
        raise ValueError(f"the champion and a challenger are both named {both.pop()!r}")
    if isinstance(measure, str):
        measure = as_measure(measure)
    collection = collect_for([measure], qrels, {**champions, **others}, options, progress=progress)
    [name] = champions
    return collection.corroborate(
        name, list(others), measure=measure, depth=depth, graded=graded, test=test
    )


def collect_for(
    asked: Iterable[object] | None,
    qrels: Any,
    runs: Any,
    reading: Reading,
    *,
    progress: Progress | None = None,
) -> Collection:
    """A collection that counts the pools only where what is asked needs them, which saves time.

    None asks for anything.

    Raises:
        InputError: As for :func:`collect`.
        ValueError: As for :func:`collect`.
    """
    pool = asked is None or any(getattr(each, "needs_pool", False) for each in asked)
    return Collection(*place_runs(qrels, runs, reading, pool=pool, progress=progress))


def _criteria(preferences: Any) -> list[Criterion]:
    """What systems are to be compared by, each once."""
    alone = isinstance(preferences, str | Mapping) or not isinstance(preferences, Iterable)
    chosen: list[Criterion] = []
    for each in [preferences] if alone else preferences:
        if isinstance(each, Mapping):
            chosen += [score_table(scores, str(name)) for name, scores in each.items()]
        else:
            chosen.append(as_criterion(each))
    return list(dict.fromkeys(chosen))


def _named(run: Any, role: str) -> dict[str, Any]:
    """The runs by name: paths have names of their own, and one run in memory is named by its role."""
    if isinstance(run, str | os.PathLike):
        return name_runs([run])
    if isinstance(run, Mapping):
        first = next(iter(run.values()), None)
        scores = isinstance(first, Mapping) and all(
            not isinstance(value, Mapping) for value in first.values()
        )
        return {role: run} if scores else name_runs(run)
    if isinstance(run, Iterable) and not hasattr(run, "columns"):
        listed = list(run)
        if all(isinstance(path, str | os.PathLike) for path in listed):
            return name_runs(listed)
        return {role: listed}
    return {role: run}
