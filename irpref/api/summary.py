"""What is left of a comparison where only sums over the topics are kept: they add up."""

from __future__ import annotations

import io
import json
import math
import os
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt
from numpy.lib.format import read_array, read_array_header_1_0, read_magic

from irpref.api.compared import Asked, Compared
from irpref.base.checks import check_whole
from irpref.base.errors import InputError
from irpref.base.escape import shortened
from irpref.base.reading_options import Reading, refuse_groups
from irpref.base.version import __version__
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_rows import PairRows
from irpref.pairwise.pair_tests import requires_topics
from irpref.pairwise.provenance import Provenance, provenance_of, topics_left_out
from irpref.pairwise.totals import SUMS, Totals, counted
from irpref.pairwise.unequal_depths import differ, without_cutoff
from irpref.positions.coverage import NAMED, Coverage, Part, SomeTopics
from irpref.positions.placements import Placements
from irpref.report.output import write_whole
from irpref.show.reports.coverage_report import DepthsSaid, sums_depth_note
from irpref.show.reports.results import Results

_FORMAT = 4
# One byte of a file becomes so many bytes at most (zlib, "Technical Details").
_MOST_DEFLATED = 1032
# The header of 30,000 systems, whose arrays hardly any memory holds, has a tenth of it.
_LONGEST_HEADER = 1 << 26
_COUNTED = "counts."
# By the name of each sum, the kind of its numbers.
_SUMS = dict(zip(SUMS, "iffb", strict=True))
# The fields of a coverage that are arrays.
_COUNTS = tuple(each.name for each in fields(Coverage) if each.type == "Integers")
_Kind: TypeAlias = tuple[str, tuple[int, ...]]
"""The kinds that the numbers of an array may be, and its shape."""
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

    _draws: ClassVar[bool] = False

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
            raise AttributeError(requires_topics(name), name=name, obj=self)
        return self.__getattribute__(name)

    @property
    def _run_info(self) -> Coverage:
        return self.coverage

    @property
    def topic_count(self) -> int:
        """How many topics have at least one relevant item."""
        return self.coverage.topic_count

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the summary to a file, which :meth:`load` reads.

        Args:
            path: The file, such as ``"part-1.npz"``: arrays as NumPy keeps them, without Python objects.

        Raises:
            InputError: It cannot be written.
            ValueError: It compares by a function or by scores of another tool, which no file can keep.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> from tempfile import TemporaryDirectory
            >>> with TemporaryDirectory() as folder:
            ...     irpref.compare(*demo_paths(), keep="summary").save(f"{folder}/summary.npz")
            ...     irpref.Summary.load(f"{folder}/summary.npz").topic_count
            12
        """
        arrays: dict[str, Any] = {name: getattr(self.coverage, name) for name in _COUNTS}
        for number, (criterion, of) in enumerate(self.totals.items()):
            _check_text(criterion)
            sums = {name: getattr(of, name) for name in SUMS}
            sums |= {f"{_COUNTED}{name}": counts for name, counts in of.counts.items()}
            arrays |= {f"{number}.{name}": array for name, array in sums.items()}
        header = json.dumps({"irpref": __version__, **self._header(arrays)})
        content = io.BytesIO()
        np.savez_compressed(content, header=np.array(header), **arrays)
        write_whole(Path(path), content.getvalue())

    def _header(self, arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, Any]:
        """What a file says beside the arrays."""
        said = {name: of for name, of in asdict(self.coverage).items() if name not in _COUNTS}
        return said | {
            "irpref_summary": _FORMAT,
            "preferences": list(map(str, self.totals)),
            "topics_left_out": [asdict(each) for each in self.topics_left_out.values()],
            "fingerprint": self.fingerprint,
            "checksums": {name: crc32(np.ascontiguousarray(of)) for name, of in arrays.items()},
        }

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Summary:
        """The summary in a file that :meth:`save` wrote.

        Raises:
            InputError: There is no such file, or it holds no summary as :meth:`save` wrote it.
        """
        source = os.fspath(path)
        if not os.path.exists(path):
            raise InputError("there is no such file", source=source)
        try:
            with zipfile.ZipFile(path) as file, warnings.catch_warnings():
                # Python warns of signs in a damaged header.
                warnings.simplefilter("ignore", SyntaxWarning)
                if sum(each.compress_size for each in file.infolist()) > os.path.getsize(path):
                    raise ValueError("parts of the file are there twice")
                # NumPy makes texts of numbers that are no characters.
                header = json.loads(_read(file, "header", ("U", ())).item().encode("ascii"))
                version = str(header.pop("irpref"))
                if header["irpref_summary"] != _FORMAT:
                    raise InputError(
                        f"this summary was written by irpref {shortened(version)}, in another form",
                        source=source,
                        remedy="read it with that version, or compare again",
                    )
                criteria = list(map(as_criterion, header["preferences"]))
                expected = _expected(len(header["systems"]), criteria)
                arrays = {name: _read(file, name, of) for name, of in expected.items()}
            left_out = map(_some, header["topics_left_out"])
            summary = cls(
                _coverage(header, arrays),
                {each: _totals(number, each, arrays) for number, each in enumerate(criteria)},
                dict(zip(criteria, left_out, strict=True)),
                int(header["fingerprint"]),
            )
            # What is of another type or number would not be written so again.
            again = json.dumps(summary._header(arrays), sort_keys=True)
            if again != json.dumps(header, sort_keys=True):
                raise ValueError("the file is not as it was written")
            return summary
        except (InputError, MemoryError):
            raise
        # Of such files zipfile, NumPy and json raise anything.
        except Exception as error:
            raise InputError(
                "this is no summary of irpref, or a damaged one",
                source=source,
                remedy="Summary.save writes one",
            ) from error

    def _rank(self, criterion: Criterion, asked: Asked) -> PairRows:
        from irpref.pairwise.leaderboard import leaderboard, refuse_margin

        refuse_margin(asked.test)
        tests = self._test(criterion, asked)
        return leaderboard(self.coverage, criterion, self.totals[criterion], asked.test, tests)

    def _results(
        self, pair: tuple[int | None, int | None], asked: Asked | None, **made: Any
    ) -> Results:
        depths = self.coverage.depths
        if without_cutoff(self.totals) and differ(depths[:, None], depths).any():
            made["depths"] = DepthsSaid(sums_depth_note(depths.tolist()), False, {})
        return super()._results(pair, asked, **made)

    def _provenance(self, second: int | None, signatures: Sequence[str]) -> Provenance:
        left_out = self.topics_left_out
        return provenance_of(
            self.coverage, self.preferences, left_out=left_out, signatures=signatures
        )


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


def _expected(systems: int, criteria: Sequence[Criterion]) -> dict[str, _Kind]:
    """By the name of each array, what it must be."""
    expected: dict[str, _Kind] = dict.fromkeys(_COUNTS, ("i", (systems,)))
    square = systems, systems
    for number, criterion in enumerate(criteria):
        expected |= {f"{number}.{name}": (kind, square) for name, kind in _SUMS.items()}
        # Over all orders of tied scores, counts are expected ones.
        expected |= {f"{number}.{_COUNTED}{name}": ("if", square) for name in counted(criterion)}
    return expected


def _read(file: zipfile.ZipFile, name: str, expected: _Kind) -> npt.NDArray[Any]:
    """An array of the file, which must be what is expected: memory is taken for nothing else."""
    kinds, shape = expected
    content = f"{name}.npy"
    most = _MOST_DEFLATED * file.getinfo(content).compress_size
    with file.open(content) as member:
        if read_magic(member) != (1, 0):
            raise ValueError(f"{name} is written in another way")
        announced, _, dtype = read_array_header_1_0(member)
        if announced != shape or dtype.kind not in kinds:
            raise ValueError(f"{name} has another shape or type")
        if math.prod(shape) * dtype.itemsize > (most if shape else min(most, _LONGEST_HEADER)):
            raise ValueError(f"{name} claims more numbers than the file can hold")
        member.seek(0)
        array: npt.NDArray[Any] = read_array(member, allow_pickle=False)
        # At the end of the member its own checksum is compared.
        if member.read(1):
            raise ValueError(f"{name} holds more numbers than it says")
    return array


def _coverage(header: dict[str, Any], arrays: dict[str, Any]) -> Coverage:
    systems = tuple(map(str, header["systems"]))
    check_whole("system", systems)
    if not len(set(systems)) == len(systems) == len(header["lacking"]) == len(header["unanswered"]):
        raise ValueError("it is not of so many different systems")
    return Coverage(
        systems=systems,
        reading=Reading(**header["reading"]),
        parts=tuple(Part(str(a), int(b), int(c), str(d)) for a, b, c, d in header["parts"]),
        has_rankings=bool(header["has_rankings"]),
        all_topics=int(header["all_topics"]),
        topic_count=int(header["topic_count"]),
        without_relevant=_some(header["without_relevant"]),
        lacking=tuple(map(_some, header["lacking"])),
        unanswered=tuple(map(_some, header["unanswered"])),
        **{name: arrays[name] for name in _COUNTS},
    )


def _totals(number: int, criterion: Criterion, arrays: dict[str, Any]) -> Totals:
    sums = {name: arrays[f"{number}.{name}"] for name in _SUMS}
    counts = {name: arrays[f"{number}.{_COUNTED}{name}"] for name in counted(criterion)}
    return Totals(**sums, counts=counts)


def _some(topics: dict[str, Any]) -> SomeTopics:
    return SomeTopics(int(topics["count"]), tuple(map(str, topics["first"])))
