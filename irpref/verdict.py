"""Who serves which users better: :meth:`irpref.Comparison.verdict`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from irpref.checks import check_count, check_number
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.render.comparison_notes import mark_notes
from irpref.render.verdict import Verdict
from irpref.summarise.totals import Totals

if TYPE_CHECKING:
    from irpref.summarise.unequal_depths import UnequalDepths


def verdict(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    depths: UnequalDepths | None,
    first: int,
    second: int,
    *,
    rel: float,
    cutoff: int | None,
) -> Verdict:
    """See :meth:`irpref.Comparison.verdict`."""
    from irpref.summarise.clearest_wins import clearest_wins
    from irpref.summarise.verdict import answers_frame, family_in_view, questions, verdicts

    check_number("rel", rel)
    if cutoff is not None:
        check_count("a cutoff", cutoff)
    a, b = (placements.systems[each] for each in (first, second))
    tests, at_depth = family_in_view(placements, totals, depths, PairTest())
    [(answers, doubts)] = verdicts(
        placements, [first, second], rel=rel, cutoff=cutoff, tests=tests, at_depth=at_depth
    )
    if not answers:
        raise ValueError(f"{a} and {b} share no topic with relevant documents")
    asked = questions(rel, cutoff)
    # The clearest wins are those by the preference of most users.
    ordered = [asked["most"], asked["best-off"], asked["worst-off"]]
    return Verdict(
        a=a,
        b=b,
        frame=answers_frame(
            placements, first, second, answers, rel=rel, cutoff=cutoff, tests=tests
        ),
        answers=tuple(answers),
        doubts=doubts,
        clearest=clearest_wins(placements, ordered, first, second),
        how=tuple(mark_notes({each: tests[each] for each in ordered if each in tests})),
    )
