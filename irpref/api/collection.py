"""Qrels and runs, read once: a collection, and what can be asked of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.api.comparison import Comparison
from irpref.base.arrays import Flags, Objects
from irpref.base.errors import warn
from irpref.base.keywords import from_keywords
from irpref.base.literals import DEFAULT_PREFERENCES, Progress
from irpref.base.message import Option
from irpref.base.reading_options import Reading, ReadingOptions
from irpref.methods.names import AnyCriterion, AnyMeasure, ComparedBy, as_criteria, as_measures
from irpref.pairwise.provenance import provenance_of
from irpref.pairwise.signature import signature
from irpref.pairwise.testing_options import AnyTest
from irpref.pairwise.totals import totals_of_pairs
from irpref.positions.coverage import Coverage
from irpref.positions.grouped import grouped
from irpref.positions.locating import locate_rankings, refuse_nothing_judged
from irpref.positions.placements import Placements
from irpref.positions.saving import collection_file
from irpref.positions.selection import names_in, select
from irpref.positions.selection_index import SelectionIndex
from irpref.report.report import SHOWN, Report, SeenAsReport
from irpref.report.table import Table, count_of
from irpref.show.reports.coverage_report import with_provenance

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack

    from irpref.show.reports.corroboration_report import Corroboration


_FORMATS = {"documents a topic": ",.1f", "relevant found": ".0%", "judged at 10": ".0%"}


@dataclass(frozen=True, eq=False, repr=False)
class Collection(SeenAsReport):
    """Qrels and runs, read once: where every run puts every relevant item, and what was left out.

    :func:`irpref.collect` makes one. A part of it is one too (:meth:`select`).

    Attributes:
        placements: The positions, as arrays.
        index: What else was kept, so that a part can be taken.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> len(data.systems), len(data.topics), len(data.judgments)
        (6, 12, 255)
        >>> few = data.select(topics=data.topics[:4], judgments=lambda judged: judged["grade"] > 1)
        >>> few.compare([irpref.RPP, irpref.nDCG @ 10]).topics
        ('1', '2', '3', '4')
    """

    placements: Placements
    index: SelectionIndex

    @classmethod
    def from_rankings(
        cls,
        judgments: pl.DataFrame,
        rankings: Mapping[str, pl.DataFrame],
        **reading: Unpack[ReadingOptions],
    ) -> Collection:
        """A collection of rankings that are in memory already, as frameworks have them.

        A ranking may have retrieved nothing for the topics of the qrels, but not all of them.

        Args:
            judgments: Columns topic, document and grade, and subtopic where there are any.
            rankings: By name, columns topic, document and score, and rank where that orders them. Topics
                and documents are of any type that can be compared, the same as in the judgments.
            reading: See :func:`irpref.collect`.

        Returns:
            The collection.

        Raises:
            InputError: Nothing is relevant, a table cannot be used, a ranking has a document twice in a
                topic, or none retrieves a judged document.
            ValueError: ``columns`` are named.

        Example:
            >>> import polars as pl
            >>> judgments = pl.DataFrame({"topic": ["1"], "document": ["d"], "grade": [1.0]})
            >>> ranking = pl.DataFrame({"topic": ["1"], "document": ["d"], "score": [0.5]})
            >>> rankings = {"a": ranking, "b": ranking, "empty": ranking.clear()}
            >>> data = Collection.from_rankings(judgments, rankings)
            >>> data.compare("LP").per_topic("LP", "a", "empty").to_dict()
            {'1': 1.0}
        """
        options = from_keywords(Reading, cls.from_rankings, reading)
        if options.columns is not None:
            raise ValueError("rankings in memory have columns of fixed names: leave columns= out")
        placed = locate_rankings(judgments, rankings, options, pool=True, whole=True)
        return cls(placed.placements, placed.selection_index)

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
        """What the runs and the qrels have in common, and what was left out."""
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

        judgments, chosen = self.index.judgments, self.index.chosen
        key = judgments.key_of_judgment[chosen]
        frame = pd.DataFrame(
            {
                "topic": self._all_topics[judgments.key_topics[key]],
                "document": judgments.keys["document"].gather(key).to_numpy().astype(object),
                "grade": judgments.table["grade"].to_numpy()[chosen],
                "subtopic": np.array(judgments.subtopics.filter(chosen).to_list(), dtype=object),
            }
        )
        frame.attrs["signature"] = signature((), self.placements, table="judgments")
        return frame

    @property
    def _all_topics(self) -> Objects:
        """The names of the topics by the numbers that they have in what was kept."""
        return np.array([str(topic) for topic in self.index.judgments.topics], dtype=object)

    @cached_property
    def lists(self) -> pd.DataFrame:
        """The first documents of every run, judged or not, as ``collect(…, lists=k)`` keeps them.

        Columns system, topic, position, document, tie_first and tie_last (the first and the last position
        of its group of tied scores) and grade, missing where not judged.

        Raises:
            ValueError: They were not kept.
        """
        import pandas as pd

        lists = self.index.lists
        if lists is None:
            raise ValueError(
                "the lists were not kept: irpref.collect(…, lists=k) keeps the first k"
            )
        # An unjudged document has the key -1, which takes the last grade: NaN.
        grades = np.append(self.index.grades, np.nan)
        frame = pd.DataFrame(
            {
                "system": np.array(self.systems, dtype=object)[lists["system"].to_numpy()],
                "topic": self._all_topics[lists["topic"].to_numpy()],
                "position": lists["position"].to_numpy(),
                "document": lists["document"].to_numpy().astype(object),
                "tie_first": lists["tie_first"].to_numpy(),
                "tie_last": lists["tie_last"].to_numpy(),
                "grade": grades[lists["key"].to_numpy()],
            }
        )
        more = {"lists": self.reading.lists}
        frame.attrs["signature"] = signature((), self.placements, more=more)
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
            depth: Cut every run to this many documents, those that ``judged_only`` left out included.
                (A cutoff, ``RPP @ 10``, leaves tied groups that reach below it as they are; cut lists have
                lost their ends.)

        Returns:
            The part.

        Raises:
            ValueError: There is no such topic or system, nothing relevant is left, or what was kept does
                not suffice: ``judgments=`` and ``depth=`` after ``judged_only=True`` need ``lists=``.

        Example:
            Half of the judgments, drawn again and again, and the best system each time.

            >>> import irpref, numpy as np
            >>> from irpref import demo_paths
            >>> data, rng = irpref.collect(*demo_paths()), np.random.default_rng(7)
            >>> parts = [data.select(judgments=rng.random(len(data.judgments)) < 0.5) for _ in range(3)]
            >>> [part.compare("RPP").order("RPP").index[0] for part in parts]
            ['bm25', 'bm25-prf', 'boolean']
        """
        mask = None if judgments is None else self._mask(judgments)
        part = select(
            self.placements,
            self.index,
            topics=names_in(topics),
            systems=names_in(systems),
            judgments=mask,
            depth=depth,
        )
        return Collection(*part)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the collection to a file, which every function and command that reads takes as qrels.

        The file is a zip of Parquet tables, which other tools open too. It has the positions of all
        relevant documents, the judgments, and the lists as far as they were kept (``lists=``). How the runs
        were ordered and what was relevant is settled (``order``, ``duplicates``, ``judged_only``, ``rel``,
        ``columns``): to ask otherwise is an error, and so is a larger ``depth``, or more of the lists.

        Args:
            path: The file, such as ``"covid.irpref"``; one that is there is replaced.

        Raises:
            InputError: It cannot be written.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> from tempfile import TemporaryDirectory
            >>> with TemporaryDirectory() as folder:
            ...     irpref.collect(*demo_paths()).save(f"{folder}/demo.irpref")
            ...     irpref.collect(f"{folder}/demo.irpref").compare("RPP").order("RPP").index[0]
            'bm25-prf'
        """
        with collection_file(Path(path)) as file:
            file.add(self.placements, self.index)
            file.finish(self.placements.warnings)

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
                ``{name: frame}`` with columns system, topic and value; so side-by-side judgments, with the
                columns of :func:`irpref.compare_outcomes`. A measure compares by the difference of the
                scores, on topics with relevant items.
            progress: Called after every batch of topics.

        Returns:
            The comparison. Positive: the first (row) system is better.

        Raises:
            InputError: One of two runs retrieves no judged document.
            ValueError: There are fewer than two systems, a preference is unknown, or it needs the first
                documents of the runs and they were not kept (``lists=``).

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> comparison = irpref.collect(*demo_paths()).compare(["RPP", "nDCG@10"])
            >>> comparison.order("nDCG@10").index[0]
            'lm-dirichlet'
        """
        refuse_nothing_judged(self.placements.warnings, len(self.systems))
        placements = grouped(self.placements)
        totals = totals_of_pairs(placements, as_criteria(preferences), progress=progress)
        comparison = Comparison(placements, totals)
        for warning in comparison.warnings:
            warn(warning)
        return comparison

    def evaluate(self, measures: AnyMeasure | Iterable[AnyMeasure]) -> pd.DataFrame:
        """Score every system on every topic.

        Args:
            measures: Measure objects or their texts: ``[TieRR @ 10, "nDCG@10"]``.

        Returns:
            Columns system, topic, measure, value: every topic of the qrels, those without relevant items
            with 0. ``scores.pivot_table("value", "system", "measure")`` has the mean of each system.

        Raises:
            ValueError: A measure is unknown, or cannot be computed from what was kept.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> scores = irpref.collect(*demo_paths()).evaluate(["AP", "RR"])
            >>> scores.columns.to_list(), len(scores)
            (['system', 'topic', 'measure', 'value'], 144)
        """
        from irpref.pairwise.frames import topic_scores

        return topic_scores(grouped(self.placements), as_measures(measures))

    def corroborate(
        self,
        champion: str,
        challengers: str | Iterable[str],
        *,
        measure: AnyMeasure | pd.DataFrame,
        preference: AnyCriterion = "IPSO",
        test: AnyTest = "t",
    ) -> Corroboration:
        """Follow "Using IPSO as a Corroboration" (Moffat & Mackenzie 2024, section 3).

        One measure is chosen on principle and tested (†); then an exact sign test on IPSO says whether
        other measures at the same depth are likely to agree (‡). All is read from the challenger's side.

        Args:
            champion: Name of the champion.
            challengers: Names of the challengers.
            measure: A measure or its text; or scores by any other tool: columns system, topic and value,
                with the names of the runs.
            preference: IPSO with its options, such as ``IPSO(graded=True)`` for a graded measure. What it
                does not say of cutoff and rel, the measure says.
            test: Test of the measure: the name of one that tests each pair by itself, or an
                :class:`irpref.PairTest`, whose alpha and correction (over the challengers, by default
                Holm's) are those of both tests. With ``correction=None``, each challenger is tested by
                itself: the more there are, the likelier is one † or ‡ by chance.

        Returns:
            The corroboration; ``.frame`` has the numbers, ``.report`` the table.

        Raises:
            ValueError: There is no such system, an option is unknown or does not fit, or scores are
                missing.

        Warns:
            UserWarning: The depths differ, or the measure is graded and IPSO is not: IPSO at k binds only
                measures at k on the same relevance. Or the resamples are too few for any †.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> data = irpref.collect(*demo_paths())
            >>> found = data.corroborate("bm25", ["bm25-prf", "tfidf"], measure="AP@10")
            >>> list(found.results["bm25-prf"].topics.values())
            [5, 2, 0, 5, 0]
        """
        from irpref.api.evaluation import corroborate_systems

        return corroborate_systems(
            self.placements, champion, challengers, measure, preference, test
        )

    @property
    def report(self) -> Report:
        """What it holds, system by system."""
        placements, coverage = self.placements, self.coverage
        relevant = np.diff(placements.starts)
        found = (placements.positions != placements.unretrieved).sum(axis=0)
        topics = np.array([coverage.all_topics - lacking.count for lacking in coverage.lacking])
        rows = pl.DataFrame(
            {
                "system": list(self.systems),
                "topics": topics,
                "documents a topic": coverage.retrieved / np.maximum(topics, 1),
                "relevant found": found / max(1, int(relevant.sum())),
                "judged at 10": list(coverage.judged_at_10.values()),
            }
        )
        shown = rows if coverage.shows_judged else rows.drop("judged at 10")
        judgments = int(np.count_nonzero(self.index.chosen))
        notes = [
            f"{count_of(judgments, 'judgment')}, {count_of(int(relevant.sum()), 'relevant document')}: "
            f"{relevant.mean():.1f} a topic, from {relevant.min()} to {relevant.max()}.",
        ]
        if self.reading.lists is not None:
            notes.append(f"The first {self.reading.lists:,} documents of every run are kept.")
        provenance = provenance_of(placements)
        report = Report(
            title=f"{count_of(rows.height, 'system')}, {count_of(len(self.topics), 'topic')} with "
            "relevant documents",
            tables=(Table("", shown, _FORMATS),),
            rows=rows.with_columns(pl.lit(provenance.signatures[0]).alias("signature")),
            remarks=tuple(notes),
        )
        return with_provenance(report, provenance)

    def _view(self) -> Report:
        return self.report.first(SHOWN, Option("report", python=".report"))

    def _mask(self, judgments: Any) -> Flags:
        """Which judgments a selection keeps: booleans (a Series goes by its index), or rows of the frame.

        Raises:
            ValueError: It is neither.
        """
        import pandas as pd

        given = judgments(self.judgments) if callable(judgments) else judgments
        known = self._judgments
        if isinstance(given, pd.Series):
            given = given.reindex(known.index)
            if pd.api.types.is_bool_dtype(given.dtype) and not given.isna().any():
                # pandas' own booleans may be missing.
                given = given.astype(bool)
        if isinstance(given, pd.DataFrame) and given.index.isin(known.index).all():
            given = known.index.isin(given.index)
        mask = np.asarray(given)
        if mask.dtype != np.bool_ or mask.shape != (len(known),):
            raise ValueError(
                f"select(judgments=…) takes {len(known)} booleans, one for each row of "
                ".judgments, a part of that frame, or a function of that frame that returns either; not a "
                f"{type(given).__name__} of shape {mask.shape} and type {mask.dtype}"
            )
        return mask
