"""What ``irpref demo`` prints: the main job on the demo collection, and what one learns from it."""

from __future__ import annotations

import textwrap
from math import comb

from irpref.arrays import Floats
from irpref.comparison import Comparison
from irpref.demo import demo_paths
from irpref.measures import AP
from irpref.preferences import IPSO, LP, LR, RPP, FunctionPreference
from irpref.render.report import Report
from irpref.verbs import compare


def reciprocal_rank(first: Floats, second: Floats) -> float:
    """The difference of the reciprocal ranks: a metric is a preference too."""
    return float(1 / first[0] - 1 / second[0])


def tour(width: int | None = None, encoding: str | None = None, *, colour: bool = False) -> str:
    """The text of the tour, for a terminal of this width and encoding; all is there if not given."""

    def shown(report: Report) -> str:
        return report.to_text(width, encoding=encoding, colour=colour)

    qrels, runs = demo_paths()
    metric = FunctionPreference(function=reciprocal_rank)
    comparison = compare(qrels, runs, [RPP, LP, LR, IPSO @ 10, metric])
    precision = compare(qrels, runs, AP)
    tied = _tied_share(comparison, metric)
    left, left_by_precision = _tied_share(comparison, LP), _tied_share(precision, AP)
    board = comparison.order(RPP)
    best, second = board.index[0], board.index[1]
    values = comparison.per_topic(RPP, best, second)
    topic = values.abs().idxmax()
    by_metric = comparison.order(metric)
    levels = comparison.profile(best, second, by="level")
    common = levels[levels["topics"] > len(comparison.topics) / 2]
    profile = ", ".join(f"{level}: {mean:+.2f}" for level, mean in common["mean"].items())
    pair = [runs[0].with_name(f"{system}.txt") for system in (best, second)]
    two = compare(qrels, pair)
    chances = ", ".join(f"{two.test(each)['p'].item():.2f} by {each}" for each in (RPP, LP, LR))
    found, found_by_precision = (
        tests["significant"].sum() for tests in (comparison.test(RPP), precision.test(AP))
    )
    learned = [
        f"- Reciprocal rank cannot tell two rankers apart on {tied:.0%} of their topics; "
        f"average precision, on {left_by_precision:.0%}; lexiprecision, which goes on to the next relevant "
        f"document, on {left:.0%}.",
        f"- {by_metric.index[0]} leads by reciprocal rank, {best} leads by RPP, which counts the users "
        "who want more than one document as well.",
        f"- {best} against {second} by the number of relevant documents that a user wants (above 0: "
        f"more of them find theirs earlier with {best}): {profile}.",
        f"- {len(comparison.topics)} topics leave open whether this is luck: of {comb(len(runs), 2)} pairs "
        f"{found} differ significantly by RPP, {found_by_precision} by average precision; {best} "
        f"against {second} has p = {chances} (--test fit).",
    ]
    return "\n".join(
        [
            _wrapped(
                f"The demo collection: {len(runs)} rankers on {len(comparison.topics)} topics of a small "
                "handbook on growing food, judged 0, 1 or 2.",
                width,
            ),
            f"  irpref compare {qrels} {runs[0].parent}/*.txt",
            "",
            shown(comparison.report()),
            "What one learns",
            "",
            *(_wrapped(sentence, width) for sentence in learned),
            "",
            "The first two, in detail:",
            f"  irpref compare {qrels} {pair[0]} {pair[1]}",
            "",
            shown(two.report()),
            f"And why, on topic {topic}:  comparison.explain({topic!r}, {best!r}, {second!r})",
            "",
            shown(comparison.explain(topic, best, second).report),
        ]
    )


def _wrapped(sentence: str, width: int | None) -> str:
    if width is None:
        return sentence
    return textwrap.fill(sentence, width, subsequent_indent="  ", break_on_hyphens=False)


def _tied_share(comparison: Comparison, preference: object) -> float:
    outcomes = comparison.outcomes(preference)  # type: ignore[arg-type]
    return float(outcomes["ties"].sum() / outcomes[["wins", "ties", "losses"]].to_numpy().sum())
