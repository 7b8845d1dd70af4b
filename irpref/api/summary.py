"""What is left of a comparison where only sums over the topics are kept: they add up."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import polars as pl

from irpref.api.compared import Compared, Sides
from irpref.base.checks import check_whole
from irpref.base.reading_options import Reading, refuse_groups
from irpref.methods.gains import LARGEST
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.provenance import Provenance, provenance_of_sums, topics_left_out
from irpref.pairwise.totals import SUMS, Totals, counted
from irpref.positions.archive import Archive, ArchiveWriter, Column, Form
from irpref.positions.coverage import NAMED, Coverage, Part, SomeTopics, topics_lost
from irpref.positions.placements import Placements
from irpref.report.output import write_whole
from irpref.show.reports.check_words import unchecked_words
from irpref.show.reports.results import Results

SUMMARY = Form("summary", 5, "Summary.save writes one")
# By the name of each sum, what its numbers may be; squares are never below 0, but for what floats lose.
_KINDS = (
    Column(pl.Int64, 0),
    Column(pl.Float64, -(LARGEST**1.5), LARGEST**1.5),
    Column(pl.Float64, -1e-6, LARGEST**3),
    Column(pl.Boolean),
)
_SUMS = dict(zip(SUMS, _KINDS, strict=True))
_COUNTED = "counts."
# The fields of a coverage that are arrays.
_COUNTS = tuple(each.name for each in fields(Coverage) if each.type == "Integers")
# What a comparison has, and a summary cannot.
_OF_TOPICS = ("topics", "per_topic", "relations", "profile", "explain", "verdict", "plot")


@dataclass(frozen=True, eq=False, repr=False)
class Summary(Compared):
    """A comparison without its topics: sums over them, for every pair of systems.

    It takes as much room for ten topics as for a billion. Summaries of different topics add up: their sum
    is the summary of all of these topics. :func:`irpref.compare` gives one with ``keep="summary"``, and
    :attr:`irpref.Comparison.summary` is one.

    Two summaries of the very same topics cannot be added. Where they share only some topics, a summary
    cannot see it, and these count twice; the parts that irpref makes itself have none in common.

    Attributes:
        coverage: What runs and qrels have in common.
        totals: Sums over topics of each preference or measure, for every pair.
        topics_left_out: By preference or measure, the topics without items relevant to it.
        fingerprint: The sum of hashes of the topics' names, by which the same topics are known again.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> parts = [data.select(topics=some) for some in (data.topics[:5], data.topics[5:])]
        >>> one, other = (part.compare(["RPP", "IPSO@10"]).summary for part in parts)
        >>> both = one + other
        >>> both.mean("RPP").loc["bm25", "tfidf"].round(3).item()
        0.103
    """

    coverage: Coverage
    totals: Mapping[Criterion, Totals]
    topics_left_out: Mapping[Criterion, SomeTopics]
    fingerprint: int

    @classmethod
    def of(cls, placements: Placements, totals: Mapping[Criterion, Totals]) -> Summary:
        """The summary of a comparison.

        Raises:
            ValueError: Systems have several runs.
        """
        refuse_groups(placements.reading, "sums over topics do not say how runs of a system differ")
        return cls(
            placements.covered(NAMED),
            totals,
            topics_left_out(placements, totals, NAMED),
            _fingerprint(placements.by_topic.topics),
        )

    def __add__(self, other: Summary) -> Summary:
        """The summary of the topics of both, which must have none in common.

        Raises:
            ValueError: They are of the same topics, have other systems or other preferences, or were read
                in another way.
        """
        if not isinstance(other, Summary):
            return NotImplemented
        if set(self.totals) != set(other.totals):
            one = sorted(map(str, set(self.totals) ^ set(other.totals)))
            raise ValueError(f"only one of the summaries compares by {one[0]}")
        coverage = self.coverage + other.coverage
        if self.fingerprint == other.fingerprint and self.coverage.all_topics:
            raise ValueError("both summaries are of the same topics, which would count twice")
        return Summary(
            coverage,
            {each: sums + other.totals[each] for each, sums in self.totals.items()},
            {
                each: topics + other.topics_left_out[each]
                for each, topics in self.topics_left_out.items()
            },
            (self.fingerprint + other.fingerprint) % 2**64,
        )

    def __radd__(self, other: object) -> Summary:
        # sum() begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __getattr__(self, name: str) -> Any:
        if name in _OF_TOPICS:
            raise AttributeError(topics_lost(name), name=name, obj=self)
        return self.__getattribute__(name)

    @property
    def _basis(self) -> Coverage:
        return self.coverage

    @property
    def topic_count(self) -> int:
        """How many topics have at least one relevant item."""
        return self.coverage.topic_count

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the summary to a file, which :meth:`load` reads.

        Args:
            path: The file, such as ``"part-1.summary"``: a zip of Parquet tables, as a saved collection is.

        Raises:
            InputError: It cannot be written.
            ValueError: It compares by a function or by scores of another tool, which no file can keep.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> from tempfile import TemporaryDirectory
            >>> with TemporaryDirectory() as folder:
            ...     irpref.compare(*demo_paths(), keep="summary").save(f"{folder}/part.summary")
            ...     irpref.Summary.load(f"{folder}/part.summary").topic_count
            12
        """
        content = io.BytesIO()
        with ZipFile(content, "w") as file:
            archive = ArchiveWriter(file, SUMMARY)
            counts = {name: getattr(self.coverage, name) for name in _COUNTS}
            archive.add("systems", pl.DataFrame(counts))
            for number, (criterion, totals) in enumerate(self.totals.items()):
                _check_text(criterion)
                sums = {name: getattr(totals, name).ravel() for name in SUMS}
                sums |= {f"{_COUNTED}{name}": of.ravel() for name, of in totals.counts.items()}
                archive.add(str(number), pl.DataFrame(sums))
            archive.finish(self._header())
        write_whole(Path(path), content.getvalue())

    def _header(self) -> dict[str, Any]:
        """What a file says beside the tables."""
        coverage = {name: of for name, of in asdict(self.coverage).items() if name not in _COUNTS}
        return coverage | {
            "preferences": list(map(str, self.totals)),
            "topics_left_out": [asdict(topics) for topics in self.topics_left_out.values()],
            "fingerprint": self.fingerprint,
        }

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Summary:
        """The summary in a file that :meth:`save` wrote.

        Raises:
            InputError: There is no such file, or it holds no summary as :meth:`save` wrote it.
        """
        archive = Archive(os.fspath(path), SUMMARY)
        header = archive.header
        with archive.reading():
            criteria = list(map(as_criterion, header["preferences"]))
            left_out = map(_some, header["topics_left_out"])
            coverage = _coverage(archive)
            summary = cls(
                coverage,
                {
                    criterion: _totals(archive, number, criterion, coverage.topic_count)
                    for number, criterion in enumerate(criteria)
                },
                dict(zip(criteria, left_out, strict=True)),
                int(header["fingerprint"]),
            )
            texts = [json.dumps(each, sort_keys=True) for each in (summary._header(), header)]
            # What is of another type or number would not be written so again.
            if texts[0] != texts[1]:
                raise ValueError("the header is not as it was written")
        return summary

    def _completed(self, results: Results, sides: Sides) -> Results:
        doubts = unchecked_words(self.coverage, self.preferences, sums=True)
        return replace(results, warnings=tuple(doubts))

    def _provenance(self, second: int | None, signatures: Sequence[str]) -> Provenance:
        return provenance_of_sums(self.coverage, self.preferences, self.topics_left_out, signatures)


def _fingerprint(topics: Sequence[str]) -> int:
    """The sum of hashes of the names: the same on every machine, in any order; those of parts add up.

    Example:
        >>> _fingerprint(["301", "302"]) == (_fingerprint(["302"]) + _fingerprint(["301"])) % 2**64
        True
    """
    from pandas.util import hash_array

    hashes = hash_array(np.array(topics, dtype=object), categorize=False)
    return int(hashes.sum(dtype=np.uint64))


def _check_text(criterion: Criterion) -> None:
    """Refuse what a text cannot give back."""
    with suppress(ValueError):
        if criterion.named is not None and as_criterion(str(criterion)) == criterion:
            return
    raise ValueError(
        f"{criterion} is a function of yours or the score of another tool, which a file cannot keep: "
        "leave it out of the comparison to save"
    )


def _coverage(archive: Archive) -> Coverage:
    header = archive.header
    systems = tuple(header["systems"])
    check_whole("system", systems)
    if not len(set(systems)) == len(systems) == len(header["lacking"]) == len(header["unanswered"]):
        raise ValueError("it is not of so many different systems")
    columns = dict.fromkeys(_COUNTS, Column(pl.Int64, 0))
    counts = archive.table("systems", columns, rows=len(systems))
    return Coverage(
        systems=systems,
        reading=Reading(**header["reading"]),
        parts=tuple(Part(str(a), int(b), int(c), str(d)) for a, b, c, d in header["parts"]),
        has_rankings=bool(header["has_rankings"]),
        all_topics=_number(header["all_topics"]),
        topic_count=_number(header["topic_count"]),
        without_relevant=_some(header["without_relevant"]),
        lacking=tuple(map(_some, header["lacking"])),
        unanswered=tuple(map(_some, header["unanswered"])),
        **{name: counts[name].to_numpy() for name in _COUNTS},
    )


def _totals(archive: Archive, number: int, criterion: Criterion, topics: int) -> Totals:
    """Sums over no more than so many topics."""
    systems, names = len(archive.header["systems"]), counted(criterion)
    # Over all orders of tied scores, counts are expected ones.
    columns = _SUMS | {f"{_COUNTED}{name}": Column(pl.Float64) for name in names}
    table = archive.table(str(number), columns, rows=systems**2)
    square = {name: table[name].to_numpy().reshape(systems, systems) for name in columns}
    counts = {name: square.pop(f"{_COUNTED}{name}") for name in names}
    compared, slack = square["topics"], 1e-9 * (1 + square["topics"])
    parts = [*counts.values(), compared - sum(counts.values()), topics - compared]
    if any((part < -slack).any() for part in parts):
        raise ValueError(f"{criterion} has more or fewer outcomes than topics")
    return Totals(**square, counts=counts)


def _some(topics: dict[str, Any]) -> SomeTopics:
    return SomeTopics(_number(topics["count"]), tuple(map(str, topics["first"])))


def _number(value: Any) -> int:
    number = int(value)
    if not 0 <= number < 2**63:
        raise ValueError("a number of topics is out of range")
    return number
