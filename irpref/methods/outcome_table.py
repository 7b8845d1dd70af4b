"""Side-by-side judgments as a criterion, from a frame or a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from irpref.base.checks import check_choice
from irpref.base.errors import InputError, warn
from irpref.base.escape import shown
from irpref.base.literals import Scale
from irpref.base.message import Message, Option
from irpref.methods.preferences.side_by_side import Outcomes
from irpref.methods.score_tables import frame_of, number_or_nan, with_names
from irpref.read.column_names import OF_OUTCOMES, columns_called
from irpref.read.columns import is_missing
from irpref.report.table import count_of
from irpref.stats.judges import Answers, Panel

_WORDS = {"a": 1.0, "model_a": 1.0, "b": -1.0, "model_b": -1.0, "tie": 0.0}
_REMEDY = (
    "give a row for each judgment, with columns topic, a, b, outcome and maybe judge, or question_id, "
    "model_a, model_b, winner"
)


_NAME_THE_SCALE = Message(
    "say a, b or tie, or name the scale of the numbers: ",
    *(
        Option("scale", "0..1", python="irpref.compare_outcomes(…, scale='0..1')"),
        " (1: a is better, 0: b), or ",
    ),
    *(Option("scale", "-1..1", python="scale='-1..1'"), " (0: a tie)"),
)


def outcome_table(outcomes: Any, name: str = "judges", *, scale: Scale | None = None) -> Outcomes:
    """The judgments of a frame, or of a file with a header.

    Args:
        outcomes: Columns topic, a and b (systems) and outcome: ``a``, ``b``, ``tie``, or a number from -1
            to +1, above 0 if a is better; or as Chatbot Arena and MT-bench call them. A row without an
            outcome was not judged. Where no column says who the judge is, each row is of another one.
        name: What the judgments are called.
        scale: What numbers mean: from -1 to 1, or from 0 (b is better) to 1 (a is). Needed where no number
            is below 0.

    Raises:
        InputError: The file is unreadable; or a column, a name or an outcome is missing or unusable; or
            no number is below 0, and no scale was named.
        ValueError: There is no such scale.

    Warns:
        UserWarning: A system is called ``a`` or ``b``, or rows have no outcome.
    """
    if scale is not None:
        check_choice("scale", scale, Scale)
    frame, lines, source = frame_of(outcomes, "outcomes")
    named = frame.rename(columns=columns_called(OF_OUTCOMES, frame.columns, source, _REMEDY))
    unjudged = named["outcome"].map(is_missing).to_numpy(dtype=np.bool_)
    named, lines = named[~unjudged].reset_index(drop=True), lines[~unjudged]
    if not len(named):
        raise InputError("there are no outcomes", source=source, remedy=_REMEDY)
    if unjudged.any():
        warn(f"{source}: {count_of(int(unjudged.sum()), 'row')} without an outcome: not judged")

    def refuse(rows: Any, problem: str, remedy: str) -> None:
        if (found := np.flatnonzero(rows)).size:
            row = found[0]
            said = problem.format(shown(named["a"][row]), shown(str(named["outcome"][row])))
            line, topic = int(lines[row]), named["topic"][row]
            raise InputError(said, source=source, line=line, topic=topic, remedy=remedy)

    kinds = [each for each in ("topic", "a", "b", "judge") if each in named]
    named = with_names(named, kinds, lines, source)
    refuse(named["a"] == named["b"], "{} is judged against itself", "leave the row out")
    value = named["outcome"].map(_word).to_numpy(dtype=np.float64, copy=True)
    numeric = np.isnan(value)
    numbers = named["outcome"][numeric].map(number_or_nan).to_numpy(dtype=np.float64)
    least = 0 if scale == "0..1" else -1
    remedy = (
        "say a or b, the column of the better system and not its name, tie, or a number from "
        f"{least} to +1"
    )
    numbers = np.where((numbers >= least) & (numbers <= 1), numbers, np.nan)
    value[numeric] = numbers if least else 2 * numbers - 1
    refuse(np.isnan(value), "unknown outcome {1}", remedy)
    if scale is None and numbers.min(initial=1) >= 0:
        problem = "no outcome is below 0, so {1} may be a win or a loss"
        refuse(numeric, problem, _NAME_THE_SCALE)
    if ((named["a"] == "b") | (named["b"] == "a")).any():
        warn(
            f"{source}: a system is called a or b, and an outcome a or b is the column, not the system"
        )
    numbered, systems = pd.factorize(pd.concat([named["a"], named["b"]]))
    first, second = np.split(numbered, 2)
    topic, topics = pd.factorize(named["topic"])
    known = "judge" in named
    judge = pd.factorize(named["judge"])[0] if known else np.arange(len(named))
    judged = Panel(Answers(topic, first, second, judge, value), known)
    return Outcomes(name, tuple(systems), tuple(topics), judged)


def _word(outcome: Any) -> float:
    """What the outcome is in words, as a number; NaN if it is no word."""
    # Arenas add why: "tie (bothbad)", "tie (inconsistent)".
    return _WORDS.get(str(outcome).strip().lower().partition(" (")[0], np.nan)
