"""``irpref.compare``: from qrels and runs to a comparison of every pair of systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from irpref.choices import (
    DEFAULT_PREFERENCES,
    AnyCorrection,
    AnyMethod,
    Duplicates,
    Missing,
    Order,
    OrderMethod,
)
from irpref.errors import unknown
from irpref.names import parse
from irpref.options import check_count
from irpref.preferences import FunctionPreference, Preference
from irpref.preferences.ipso import InnateOrdering
from irpref.project import Collection, Coverage, collect
from irpref.project.collection import Progress
from irpref.render.compared import baseline_report, leaderboard_report, pair_report
from irpref.render.report import Report
from irpref.summarise import frames
from irpref.summarise.bootstrap import rank_intervals
from irpref.summarise.letters import compact_letters
from irpref.summarise.orders import order_systems
from irpref.summarise.signature import signature
from irpref.summarise.tested import PairTestOptions, baseline_numbers, compare_pairs
from irpref.summarise.totals import Totals, sum_topics

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "Explanation", "as_preference", "compare"]


AnyPreference = Preference | str | Callable[..., float]
_SHOWN = 12


def compare(
    qrels: Any,
    runs: Any,
    preferences: AnyPreference | Iterable[AnyPreference] = DEFAULT_PREFERENCES,
    *,
    order: Order = "score",
    duplicates: Duplicates = "error",
    judged_only: bool = False,
    missing: Missing = "worst",
    progress: Progress | None = None,
) -> Comparison:
    """Compare every pair of systems, topic by topic.

    Args:
        qrels: The judgments: a path (TREC text, plain or gzipped, or Parquet), a dict
            ``{topic: {document: grade}}``, a pandas or polars frame, or an iterable of records like
            ir_measures' ``Qrel``.
        runs: ``{name: run}`` or a list of paths; a run is anything that qrels may be, with scores.
        preferences: What to compare them by: preference objects, their texts, or functions of two
            position vectors (see :func:`irpref.preference`).
        order: What orders a run: its ``"score"`` (descending, ties by document name descending, as
            trec_eval has it), or its ``"rank"`` column.
        duplicates: A document twice in a topic is an ``"error"``, or its ``"first"`` (best-placed)
            place counts.
        judged_only: Take unjudged documents out of the runs first.
        missing: On a topic that a run lacks it retrieved nothing (``"worst"``), or its pairs
            leave the topic out (``"skip"``).
        progress: Called with what is being done, how much is done, and how much there is.

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
    chosen = _preferences(preferences)
    collection = collect(
        qrels,
        runs,
        order=order,
        duplicates=duplicates,
        judged_only=judged_only,
        missing=missing,
        progress=progress,
    )
    if len(collection.systems) < 2:
        raise ValueError(
            f"there is only one run ({collection.systems[0]}): it takes two to compare"
        )
    totals = sum_topics(collection, chosen, progress=progress)
    return Comparison(collection=collection, totals=dict(zip(chosen, totals, strict=True)))


def as_preference(preference: AnyPreference) -> Preference:
    """The preference that an object, a text or a function stands for.

    Raises:
        ValueError: It is none.
    """
    if isinstance(preference, Preference):
        return preference
    if isinstance(preference, str):
        parsed = parse(preference)
        if not isinstance(parsed, Preference):
            raise ValueError(f"{preference!r} is a measure, not a preference")
        return parsed
    if callable(preference):
        return FunctionPreference(function=preference)
    raise ValueError(f"a preference must be an object, a text or a function, not {preference!r}")


def _preferences(preferences: Any) -> list[Preference]:
    if not isinstance(preferences, Iterable) or isinstance(preferences, str):
        preferences = [preferences]
    chosen = list(dict.fromkeys(as_preference(preference) for preference in preferences))
    if not chosen:
        raise ValueError("there is no preference to compare by")
    texts = [str(preference) for preference in chosen]
    for text in texts:
        if texts.count(text) > 1:
            raise ValueError(
                f"two different preferences are both called {text!r}; give their functions other names"
            )
    return chosen


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why one ranking of a topic is preferred to another.

    Attributes:
        topic: The topic.
        a: The first system.
        b: The second system.
        levels: By recall level: document_a, grade_a, position_a, document_b, grade_b, position_b, sign.
        decisions: By preference: its value, and for lexiprecision and lexirecall the deciding recall
            level with the items there; for IPSO the relation and its depths.
    """

    topic: str
    a: str
    b: str
    levels: pd.DataFrame
    decisions: pd.DataFrame

    def __repr__(self) -> str:
        return repr(self.report)

    @property
    def report(self) -> Report:
        """The explanation as a report."""
        from irpref.render.explained import explanation_report

        return explanation_report(self.topic, self.a, self.b, self.levels, self.decisions)

    def _repr_html_(self) -> str:
        return self.report.to_html()


@dataclass(frozen=True, repr=False)
class Comparison:
    """Every pair of systems, compared by some preferences.

    Values per pair and topic are not kept but computed when asked for.

    Attributes:
        collection: Where every run puts every relevant item.
        totals: Sums over topics of each preference, for every pair.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> comparison = irpref.compare(*demo_paths(), [irpref.LP])
        >>> comparison.outcomes(irpref.LP).columns.to_list()
        ['a', 'b', 'wins', 'ties', 'losses']
    """

    collection: Collection
    totals: dict[Preference, Totals]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs, in the order in which they were given."""
        return self.collection.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics with at least one relevant item, in the order of the qrels."""
        return self.collection.topics

    @property
    def preferences(self) -> tuple[Preference, ...]:
        """What was compared by."""
        return tuple(self.totals)

    @property
    def left_out(self) -> Coverage:
        """What was left out or is missing."""
        return self.collection.coverage

    def mean(self, preference: AnyPreference) -> pd.DataFrame:
        """The mean preference of the row system over the column system.

        Returns:
            Systems × systems, antisymmetric, from -1 to 1.

        Raises:
            ValueError: The preference was not compared.
        """
        import pandas as pd

        totals = self.totals[self._compared(preference)]
        systems = list(self.systems)
        return pd.DataFrame(totals.mean, index=systems, columns=systems)

    def outcomes(self, preference: AnyPreference) -> pd.DataFrame:
        """Wins, ties and losses of every pair.

        Returns:
            Columns a, b, wins, ties, losses, and nonseparable for IPSO; one row a pair.

        Raises:
            ValueError: The preference was not compared.
        """
        found = self._compared(preference)
        return frames.outcomes(self.collection, found, self.totals[found])

    def per_topic(self, preference: AnyPreference, a: str, b: str) -> pd.Series:
        """The preference of a over b on every topic.

        Returns:
            Values by topic.

        Raises:
            ValueError: The preference was not compared, or there is no such system.
        """
        found = self._compared(preference)
        return frames.topic_values(self.collection, found, *self._pair(a, b))

    def relations(self, preference: AnyPreference, a: str, b: str) -> pd.DataFrame:
        """How IPSO relates a to b on every topic.

        Returns:
            Index topic; columns relation (``ni``, ``ns``, ``=``, ``**``), led_first, decided_at and
            nonseparable_at.

        Raises:
            ValueError: The preference is not IPSO or was not compared, or there is no such system.
        """
        found = self._compared(preference)
        if not isinstance(found, InnateOrdering):
            raise ValueError(f"relations are of IPSO; {found} has values: ask per_topic for them")
        return frames.relations(self.collection, found, *self._pair(a, b))

    def order(
        self, preference: AnyPreference, *, method: OrderMethod = "mean", teleport: float = 0.0
    ) -> pd.Series[float]:
        """The systems from best to worst.

        Args:
            preference: What to order by.
            method: ``"mean"``: the mean preference over all other systems (Diaz & Ferraro 2022, Eq. 7,
                divided by S - 1). ``"borda"``, ``"copeland"``, ``"mc4"``, ``"kemeny"`` and
                ``"bradley-terry"`` see on how many topics each system is preferred to each other:
                :func:`irpref.summarise.orders.order_systems` says how.
            teleport: Of mc4 only: the chance of a jump to any system at every step.

        Returns:
            The value by system, best first. ``attrs`` have the method, what became of ties, and the
            groups of systems whose majorities go round in a circle (Condorcet cycles).

        Raises:
            ValueError: The preference was not compared, the method is unknown or cannot order these
                systems.
        """
        import pandas as pd

        found = self._compared(preference)
        totals = self.totals[found]
        ordered = order_systems(
            method, mean=totals.mean, wins=totals.wins, topics=totals.topics, teleport=teleport
        )
        systems = np.array(self.systems, dtype=object)
        series = pd.Series(
            ordered.value[ordered.order],
            index=pd.Index(systems[ordered.order], name="system"),
            name=str(found),
        )
        series.attrs.update(
            method=method,
            ties=ordered.ties,
            cycles=tuple(tuple(systems[list(cycle)]) for cycle in ordered.cycles),
            signature=self.signature(found, {"order": method}),
        )
        return series

    def test(
        self,
        preference: AnyPreference,
        *,
        method: AnyMethod | None = None,
        correction: AnyCorrection = "auto",
        baseline: str | Sequence[str] | None = None,
        alpha: float = 0.05,
        rng: int | np.random.Generator | None = None,
        n_resamples: int = 10_000,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Which pairs of systems the preference tells apart.

        Args:
            preference: What to test.
            method: ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"`` or ``"hsd"`` (randomised Tukey
                HSD). By default the test that fits: the exact sign test for sgnLP, LR and IPSO, whose
                values are signs, and the t-test otherwise.
            correction: ``"holm"``, ``"bonferroni"``, ``"bh"`` or None, over the whole family; by default
                Holm, and none for hsd, which holds the error rate of all pairs by itself.
            baseline: Test every other system against this one or these; by default all pairs.
            alpha: Significance level, and 1 - alpha the level of the intervals.
            rng: A seed or Generator for randomization and hsd.
            n_resamples: Their number of resamples.
            progress: Told after every batch of shuffles of hsd.

        Returns:
            One row a pair: a, b, mean, low and high (confidence interval of the mean; simultaneous for
            hsd), effect (:class:`~irpref.summarise.significance.PairedTests` says which), statistic, p,
            p_adjusted, significant, topics (that count), used (by the test: the sign test leaves out
            ties) and, for IPSO, nonseparable. ``attrs`` say how it was made.

        Raises:
            ValueError: The preference was not compared; a method, correction or baseline is unknown or
                out of place; alpha is outside (0, 1); there are too few topics.

        Warns:
            UserWarning: So few resamples cannot make anything significant after the correction.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> tests = irpref.compare(*demo_paths(), irpref.RPP).test("RPP", method="hsd", rng=7)
            >>> tests.attrs["test"], len(tests)
            ('hsd', 15)
        """
        found = self._compared(preference)
        options = PairTestOptions(
            method=method,
            correction=correction,
            baselines=baseline_numbers(baseline, self.systems),
            alpha=alpha,
            rng=rng,
            n_resamples=n_resamples,
        )
        return compare_pairs(self.collection, found, options, progress)

    def leaderboard(
        self,
        preference: AnyPreference,
        *,
        method: AnyMethod | None = None,
        correction: AnyCorrection = "auto",
        alpha: float = 0.05,
        rng: int | np.random.Generator | None = None,
        n_resamples: int = 10_000,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Every system against all others, with how sure its place is.

        Args:
            preference: What to order by.
            method: Test of all pairs, as for :meth:`test`.
            correction: As for :meth:`test`.
            alpha: As for :meth:`test`, and the intervals of the ranks have level 1 - alpha.
            rng: A seed or Generator for the bootstrap over topics, and for the test.
            n_resamples: Resamples of both.
            progress: As for :meth:`test`.

        Returns:
            Index system, best first; columns mean, wins, ties, losses (summed over the others; for IPSO
            also nonseparable), rank, rank_low and rank_high (bootstrap interval of the rank), and
            letters: two systems share a letter if and only if the test does not tell them apart.
            ``attrs`` say how the test was made.

        Raises:
            ValueError: As for :meth:`test`.
        """
        found = self._compared(preference)
        generator = np.random.default_rng(rng)
        seeds = [int(seed) for seed in generator.integers(2**32, size=2)]
        tests = self.test(
            found,
            method=method,
            correction=correction,
            alpha=alpha,
            rng=seeds[0],
            n_resamples=n_resamples,
            progress=progress,
        )
        board = frames.leaderboard(self.collection, found, self.totals[found])
        rates = frames.win_rates(self.collection, found)
        rates = rates.loc[:, list(self.systems)].dropna()
        intervals = rank_intervals(
            rates.to_numpy(), rng=seeds[1], n_resamples=n_resamples, alpha=alpha
        )
        number = {system: i for i, system in enumerate(self.systems)}
        different = np.zeros((len(number), len(number)), dtype=bool)
        apart = tests[tests["significant"]]
        rows = apart["a"].map(number).to_numpy(dtype=np.intp)
        columns = apart["b"].map(number).to_numpy(dtype=np.intp)
        different[rows, columns] = different[columns, rows] = True
        places = [number[system] for system in board.index]
        letters = compact_letters(different, order=places)
        board["rank"] = intervals.rank[places]
        board["rank_low"] = intervals.low[places]
        board["rank_high"] = intervals.high[places]
        board["letters"] = [letters[place] for place in places]
        board.attrs.update(tests.attrs)
        board.attrs["rng"] = rng if isinstance(rng, int) else None
        board.attrs["signature"] = self.signature(
            found, {"test": tests.attrs["test"], "B": n_resamples, "rng": board.attrs["rng"]}
        )
        return board

    def signature(self, preference: AnyPreference, more: Mapping[str, object] | None = None) -> str:
        """The line that says how the results of a preference were made.

        Raises:
            ValueError: The preference was not compared.
        """
        found = self._compared(preference)
        topics = self.totals[found].most_topics
        return signature(found, self.collection, topics=topics, more=more)

    def profile(self, a: str, b: str, *, rel: float = 1, cutoff: int | None = None) -> pd.DataFrame:
        """Where a wins over b: the mean sign by recall level.

        Returns:
            Index level, from 1; columns mean, wins, ties, losses, and topics (those with that many
            relevant items).

        Raises:
            ValueError: There is no such system, or the cutoff is not a whole number above 0.
        """
        return frames.profile(self.collection, *self._pair(a, b), rel=rel, cutoff=cutoff)

    def explain(self, topic: object, a: str, b: str, *, rel: float = 1) -> Explanation:
        """Why a is preferred to b on a topic, or b to a: the items side by side, and what decides.

        Raises:
            ValueError: There is no such topic with relevant items, or no such system.
        """
        number = self.collection.topic(topic)
        pair = self._pair(a, b)
        levels = frames.explanation(self.collection, number, *pair, rel=rel)
        decisions = frames.decisions(self.collection, self.preferences, number, *pair)
        return Explanation(topic=str(topic), a=a, b=b, levels=levels, decisions=decisions)

    def report(
        self,
        *,
        baseline: str | None = None,
        top: int | None = None,
        test: AnyMethod | Literal["fit"] | None = None,
        correction: AnyCorrection = "auto",
        alpha: float = 0.05,
        rng: int | np.random.Generator | None = None,
        n_resamples: int = 10_000,
        progress: Progress | None = None,
    ) -> Report:
        """What there is to say: of a pair, of all against a baseline, or a leaderboard.

        The report goes to text, LaTeX (booktabs), Markdown, HTML, CSV and JSON, and back from JSON.

        Args:
            baseline: Compare all systems to this one.
            top: How many systems the table shows, the best ones; :attr:`Report.records` have all.
            test: Test the differences, as :meth:`test` does; ``"fit"`` for the test that fits each
                preference. None for no test.
            correction: As for :meth:`test`.
            alpha: As for :meth:`test`.
            rng: As for :meth:`test`.
            n_resamples: As for :meth:`test`.
            progress: As for :meth:`test`.

        Raises:
            ValueError: The baseline is not among the runs, or top is not a whole number above 0; and as
                for :meth:`test`.
        """
        if baseline is not None and baseline not in self.systems:
            raise unknown("baseline", baseline, self.systems)
        if top is not None:
            check_count("top", top)
        method = None if test == "fit" else test
        one_pair = len(self.systems) == 2
        if test is not None and not one_pair and baseline is None:
            board = self.leaderboard(
                self.preferences[0],
                method=method,
                correction=correction,
                alpha=alpha,
                rng=rng,
                n_resamples=n_resamples,
                progress=progress,
            )
            return leaderboard_report(self.collection, self.totals, board, top=top)
        tests = None
        if test is not None:
            tests = {
                preference: self.test(
                    preference,
                    method=method,
                    correction=correction,
                    baseline=None if one_pair else baseline,
                    alpha=alpha,
                    rng=rng,
                    n_resamples=n_resamples,
                    progress=progress,
                )
                for preference in self.preferences
            }
        if one_pair:
            second = 1 if baseline is None else self.systems.index(baseline)
            return pair_report(self.collection, self.totals, 1 - second, second, tests)
        if baseline is not None:
            number = self.systems.index(baseline)
            return baseline_report(self.collection, self.totals, number, tests, top=top)
        return leaderboard_report(self.collection, self.totals, top=top)

    def __repr__(self) -> str:
        return repr(self.report(top=_SHOWN))

    def _repr_html_(self) -> str:
        return self.report(top=_SHOWN).to_html()

    def _compared(self, preference: AnyPreference) -> Preference:
        found = as_preference(preference)
        if found not in self.totals:
            raise ValueError(
                f"{found} was not compared; compared: {', '.join(map(str, self.totals))}"
            )
        return found

    def _pair(self, a: str, b: str) -> tuple[int, int]:
        return self.collection.system(a), self.collection.system(b)
