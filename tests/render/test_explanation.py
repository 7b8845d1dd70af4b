"""How an explanation is shown: short where it is long, whatever the systems are called."""

from __future__ import annotations

import irpref
from irpref import LP, LR


def test_explanation_of_a_long_topic_is_short_and_shows_what_decides() -> None:
    items = [f"d{i:03}" for i in range(300)]
    first = {item: float(-i) for i, item in enumerate(items)}
    second = {**first, "d199": first["d200"], "d200": first["d199"], "x": -290.5}
    qrels = {"1": {item: 1 for item in items if item != "d200"}}
    explanation = irpref.compare(qrels, {"a": {"1": first}, "b": {"1": second}}, [LP, LR]).explain(
        "1", "a", "b"
    )
    lines = repr(explanation).splitlines()
    assert len(lines) < 30
    shown = {line.split()[0] for line in lines if line.split()[:1] and line.split()[0].isdigit()}
    assert {"1", "200", "299"} <= shown
    assert len(explanation.levels) == 299


def test_runs_may_be_named_like_the_columns_of_an_explanation() -> None:
    qrels = {"1": {"d": 1}}
    runs = {"level": {"1": {"d": 1}}, "at": {"1": {"d": 1}}}
    text = repr(irpref.compare(qrels, runs).explain(1, "level", "at"))
    assert text.count("d (1)") == 2
