"""Score runs by any measure of ir_measures, read and ordered as irpref does."""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ir_measures
from ir_measures import Qrel, parse_measure
from ir_measures.measures import Measure, registry
from ir_measures.providers import Evaluator
from ir_measures.providers import registry as providers

import irpref
from irpref import for_adapters
from irpref_ir_measures.base import CoreMeasure, CorePreference

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack

    from irpref.for_adapters import Progress, ReadingOptions


def scores(
    qrels: Any,
    runs: Any,
    measures: Any,
    *,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> pd.DataFrame:
    """Score every run on every topic by measures of ir_measures.

    irpref reads the runs, and ir_measures gets them without ties, in the order that irpref compares: tied
    documents are in trec_eval's order for every tool behind ir_measures. (irpref's own measures, such as
    ``TieRR``, still see the ties.) A document that is judged more than once has its highest grade, but
    for measures of subtopics.

    Args:
        qrels: As :func:`irpref.collect` takes them. Measures of subtopics read column 2 of the qrels.
        runs: As there: paths, or ``{name: run}``.
        measures: A measure of ir_measures, its text, or several: ``["ERR_IA@20", "RBP(p=0.5)"]``.
        progress: Called after every run, with what is done, how many are done, and how many there are.
        reading: As there: ``order``, ``duplicates``, ``judged_only``, ``missing``.

    Returns:
        Columns system, topic, measure, value, like :func:`irpref.evaluate`. Topics are those of the qrels;
        a topic that a run lacks has the measure's own default, 0 for most, or with ``missing="skip"`` no
        row. :func:`irpref.compare` takes the scores of one measure as ``{"a name": frame}``.

    Raises:
        InputError: A file or object is unreadable, nothing is relevant, or a grade is not a whole number.
        ValueError: There is no such measure, or nothing installed computes it; it needs subtopics, and the
            qrels name none; an option has an unknown value.

    Example:
        >>> import irpref
        >>> import irpref_ir_measures
        >>> qrels = {"301": {"d1": 1, "d2": 2}}
        >>> runs = {"a": {"301": {"d1": 2.0, "d2": 1.0}}, "b": {"301": {"d2": 1.0}}}
        >>> found = irpref_ir_measures.scores(qrels, runs, "nDCG@10")
        >>> dict(zip(found["system"], found["value"].round(3)))
        {'a': 0.86, 'b': 0.76}
        >>> comparison = irpref.compare(qrels, runs, ["RPP", {"theirs": found}])
        >>> comparison.per_topic("theirs", "a", "b").round(3).to_dict()
        {'301': 0.1}
    """
    import numpy as np
    import pandas as pd

    asked = _measures(measures)
    options = for_adapters.from_keywords(irpref.Reading, scores, reading)
    if options.lists is not None:
        raise ValueError("scores() keeps no lists: leave out lists=")
    named = for_adapters.name_runs(runs)
    options.check_names(named)
    judged_in = for_adapters.source_of(qrels, "qrels")
    judgments = for_adapters.Judgments(
        for_adapters.read_qrels(qrels, options), source=judged_in, rel=options.rel
    )
    # gdeval, which is behind ir_measures, reads no other names of topics.
    numbers = {topic: str(number) for number, topic in enumerate(judgments.topics, start=1)}
    tools = list(_tools(asked, judgments, numbers, judged_in))

    topics, systems = judgments.topics, list(named)
    column = {measure: number for number, measure in enumerate(asked)}
    values = np.empty((len(asked), len(systems), len(topics)))
    values[:] = np.array([measure.DEFAULT for measure in asked])[:, None, None]
    retrieved = np.zeros((len(systems), len(topics)), dtype=np.bool_)
    for system, (name, run) in enumerate(named.items()):
        ranking, source = for_adapters.read_ranking(name, run, judgments, options)
        if ranking.warning is not None:
            for_adapters.warn(f"{source}: {ranking.warning}")
        retrieved[system] = np.isin(topics, ranking.listed.topics.to_list())
        for evaluator, tied in tools:
            for found in evaluator.iter_calc(_ordered_run(ranking, numbers, tied=tied)):
                values[column[found.measure], system, int(found.query_id) - 1] = found.value
        if progress is not None:
            progress("scoring runs", system + 1, len(systems))

    rows = pd.MultiIndex.from_product(
        [map(str, asked), systems, topics], names=["measure", "system", "topic"]
    )
    frame = pd.DataFrame({"value": values.ravel()}, rows).reset_index()
    frame = frame[["system", "topic", "measure", "value"]]
    if options.missing == "skip":
        frame = frame[np.tile(retrieved.ravel(), len(asked))].reset_index(drop=True)
    missing = int(retrieved.size - retrieved.sum())
    texts = ",".join(str(measure).replace(" ", "") for measure in asked)
    scored = [
        f"measure:{texts}" if len(asked) == 1 else f"of:{texts}",
        f"topics:{len(topics)}",
        f"missing:{missing}{':skipped' if options.missing == 'skip' else ''}",
        *options.signature_parts,
        f"ir_measures:{ir_measures.__version__}",
    ]
    frame.attrs["signature"] = for_adapters.signature(_Scored(scored), None, table="scores")
    return frame


@dataclass(frozen=True)
class _Scored:
    """What was scored, for the signature."""

    described: list[str]


def _measures(given: Any) -> list[Measure]:
    """The measures, each once.

    Raises:
        ValueError: One is none of ir_measures, or a parameter of it is wrong, or there is none.
    """
    alone = isinstance(given, str | Measure) or not isinstance(given, Iterable)
    asked = list(dict.fromkeys(map(_measure, [given] if alone else given)))
    if not asked:
        raise ValueError("there is no measure to score by")
    return asked


def _measure(given: Any) -> Measure:
    if not isinstance(given, str | Measure):
        raise ValueError(f"a measure must be one of ir_measures or its text, not {given!r}")
    try:
        measure: Measure = parse_measure(given) if isinstance(given, str) else given
        if isinstance(measure, CorePreference):
            raise ValueError(
                "scores over a reference must not be compared with each other: irpref.compare(qrels, runs, "
                f"[{measure.NAME!r}]) compares all pairs"
            )
        measure.validate_params()
    except NameError:
        name = str(given).partition("(")[0].partition("@")[0].strip()
        raise for_adapters.unknown("measure of ir_measures", name, registry) from None
    except (AssertionError, ValueError) as error:
        raise ValueError(f"{given}: {error}" if str(given) not in str(error) else error) from None
    return measure


def _tools(
    measures: list[Measure],
    judgments: for_adapters.Judgments,
    names: dict[str, str],
    source: str,
) -> Iterator[tuple[Evaluator, bool]]:
    """What computes the measures: evaluators of ir_measures, which know the qrels.

    Args:
        measures: The measures.
        judgments: The judgments.
        names: What each topic is called.
        source: Where the judgments are.

    Yields:
        An evaluator for some of the measures, and whether it gets runs with their ties.

    Raises:
        InputError: A grade is not a whole number.
        ValueError: Nothing installed computes a measure, or it needs subtopics that there are not.
    """
    kinds = {measure.NAME for measure in providers["pyndeval"].SUPPORTED_MEASURES}
    own = [each for each in measures if getattr(each, "PROVIDER", None) == CoreMeasure.PROVIDER]
    of_subtopics = [each for each in measures if each.NAME in kinds]
    others = [each for each in measures if each not in own and each not in of_subtopics]
    if of_subtopics and judgments.subtopics.null_count() == judgments.table.height:
        raise ValueError(
            f"{of_subtopics[0]} needs subtopics, and {source} names none: column 2 of TREC's qrels, or a "
            "column 'subtopic'"
        )
    # Of several measures of subtopics at once, with different parameters, ir_measures 0.4.3 computes the
    # first ones: for the others it has read the run to its end.
    for group in filter(None, [own, *([each] for each in of_subtopics), others]):
        qrels = _qrels(judgments, names, source, highest=group is others)
        yield _evaluator(group, qrels), group is own


def _evaluator(measures: list[Measure], qrels: Any) -> Evaluator:
    try:
        return ir_measures.evaluator(measures, qrels)
    except ValueError as error:
        # ir_measures says in several lines what could be installed.
        raise ValueError(" ".join(str(error).split())) from None


def _qrels(
    judgments: for_adapters.Judgments, names: dict[str, str], source: str, *, highest: bool = False
) -> list[Qrel]:
    """Every judgment, with its subtopic; or the highest grade of every judged document.

    Args:
        judgments: The judgments.
        names: What each topic is called.
        source: Where the judgments are.
        highest: Whether only the highest grades are given, without subtopics.

    Raises:
        InputError: A grade is not a whole number.
    """
    table, grades = judgments.table, judgments.table["grade"].to_numpy()
    subtopics = ["0" if each is None else str(each) for each in judgments.subtopics]
    if highest:
        table, grades = judgments.keys, judgments.key_grades
        subtopics = ["0"] * table.height
    broken = grades != grades.round()
    if broken.any():
        first = int(broken.argmax())
        raise irpref.InputError(
            f"the grade {grades[first]:g} is not a whole number, which ir_measures needs",
            source=source,
            topic=table["topic"][first],
            document=table["document"][first],
        )
    topics = (names[topic] for topic in table["topic"])
    return list(map(Qrel, topics, table["document"], grades.astype(int).tolist(), subtopics))


def _ordered_run(
    ranking: for_adapters.Ranking, names: dict[str, str], *, tied: bool
) -> dict[str, dict[str, float]]:
    """The run on the topics that have a name, with scores that say its order.

    Args:
        ranking: The ranking.
        names: What each topic is called.
        tied: Whether tied documents stay tied, or have trec_eval's order.
    """
    places = ranking.everywhere.tie_first if tied else ranking.everywhere.position
    lengths = ranking.segments.lengths
    # Above 0, which Compat takes for the score of what is not retrieved.
    standing = (lengths.repeat(lengths) + 1.0 - places).tolist()
    documents = ranking.documents.to_list()
    found, end = {}, 0
    for topic, length in zip(ranking.segments.topics, lengths.tolist(), strict=True):
        start, end = end, end + length
        if topic in names:
            listed = zip(documents[start:end], standing[start:end], strict=True)
            found[names[topic]] = dict(listed)
    return found
