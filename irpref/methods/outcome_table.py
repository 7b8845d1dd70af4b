"""Side-by-side judgments as a criterion, from a frame or a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from irpref.base.errors import InputError, warn
from irpref.base.escape import shown
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


def outcome_table(outcomes: Any, name: str = "judges") -> Outcomes:
    """The judgments of a frame, or of a file with a header.

    Args:
        outcomes: Columns topic, a and b (systems) and outcome: ``a``, ``b``, ``tie``, or a number from -1
            to +1, above 0 if a is better; or as Chatbot Arena and MT-bench call them. A row without an
            outcome was not judged. Where no column says who the judge is, each row is of another one.
        name: What the judgments are called.

    Raises:
        InputError: The file is unreadable; or a column, a name or an outcome is missing or unusable.

    Warns:
        UserWarning: A system is called ``a`` or ``b``, rows have no outcome, or no outcome is below 0.
    """
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
    value = named["outcome"].map(_value).to_numpy(dtype=np.float64)
    remedy = "say a or b, the column of the better system and not its name, tie, or a number from -1 to +1"
    refuse(~(np.abs(value) <= 1), "unknown outcome {1}", remedy)
    if value.min() >= 0 and named["outcome"].map(number_or_nan).notna().all():
        warn(f"{source}: no outcome is below 0: 0 is a tie here, and -1 says that b is better")
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


def _value(outcome: Any) -> float:
    """The outcome as a number; NaN if it is none."""
    word = str(outcome).strip().lower()
    # Arenas add why: "tie (bothbad)", "tie (inconsistent)".
    meant = _WORDS.get(word.partition(" (")[0])
    return number_or_nan(word) if meant is None else meant
