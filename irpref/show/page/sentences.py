"""The reasons of many topics and pairs in words: forms of sentences, and the numbers that fill them."""

from __future__ import annotations

from typing import Any

import numpy as np

from irpref.base.arrays import Values
from irpref.base.escape import escaped
from irpref.methods.preferences.reasons import Reasons
from irpref.show.reports.explanation_report import SLOT, filled, form_of

_LOOKED_UP = ("first", "second")


def sentences(reasons: Reasons, shape: tuple[int, int, int]) -> dict[str, Any]:
    """The sentences of the pairs of some systems with those behind them, in the order of :func:`.pairs_of`.

    Args:
        reasons: Reasons for all topics, and all of these systems against all.
        shape: (T, S, S).

    Returns:
        For T topics and P pairs, by name:

        - ``forms``: Their forms, with slots as :func:`irpref.show.reports.explanation_report.filled` fills
          them.
        - ``said``: Of each form, the slots that are filled with the same in all of its sentences, by name.
        - ``form``: (T, P) the number of each one's form.
        - ``columns``: By slot, (T, P) the numbers that fill it.
        - ``rest``: The slot that is what the numbers of other slots leave of a number of each topic: its
          name, ``slot``, these slots, ``less``, and the (T,) numbers, ``of``; None if there is none.
        - ``at_level``: If the slots ``first`` and ``second`` are the positions of the ``level``-th of all
          items of at least this grade, ``rel``, and not among the columns; else None.
        - ``scores``: If they are the scores of the two systems, and not among the columns: the (T, S)
          scores; else None.
    """
    above = np.triu_indices(shape[1], 1)

    def of_pairs(values: Values) -> Values:
        return np.asarray(np.broadcast_to(values, shape)[:, above[0], above[1]])

    # Nothing is relevant: one form more.
    variant = np.where(reasons.relevant[:, None], of_pairs(reasons.variant).astype(np.int64), -1)
    # Only scores are no whole numbers.
    first = reasons.columns.get("first")
    scores = None if first is None or first.dtype.kind != "f" else first[:, :, 0]
    known = _LOOKED_UP if scores is not None or reasons.rel is not None else ()
    numbers = [
        name
        for name, column in reasons.columns.items()
        if name not in reasons.labels and name not in known and column.dtype.kind in "iu"
    ]
    _, examples, form = np.unique(variant, return_index=True, return_inverse=True)
    forms, said = [], []
    for example in examples.tolist():
        topic, pair = divmod(example, variant.shape[1])
        reason = reasons.row((topic, int(above[0][pair]), int(above[1][pair])), shape)
        text = form_of(reason)
        forms.append(text)
        said.append(
            {
                slot[1]: escaped(filled(slot[0], {slot[1]: getattr(reason, slot[1])}))
                for slot in SLOT.finditer(text)
                if slot[1] not in ("a", "b", *numbers, *known)
            }
        )
    used = {slot[1] for text in forms for slot in SLOT.finditer(text)}
    columns = {name: of_pairs(reasons.columns[name]) for name in numbers if name in used}
    rest = None
    if reasons.rest is not None and reasons.rest[0] in columns:
        name, others = reasons.rest
        whole = sum((columns[each] for each in others), columns.pop(name))[:, 0]
        rest = {"slot": name, "of": whole, "less": others}
    return {
        "forms": forms,
        "said": said,
        "form": form.reshape(variant.shape),
        "columns": columns,
        "rest": rest,
        "at_level": None if reasons.rel is None else {"rel": reasons.rel},
        "scores": scores,
    }
