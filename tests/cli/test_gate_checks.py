"""The gate passes only what passes in every check, by a literal oracle on made-up runs."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irpref
from irpref.cli.main import main

CASES = 60
CODES = {"passed": 0, "failed": 1, "undecided": 3}


def written(path: Path, lists: dict[str, Any], columns: str) -> str:
    """The path of a qrels (``Q0 document grade``) or run file of these lists."""
    lines = [
        f"{topic} 0 {document} {number}"
        if columns == "qrels"
        else f"{topic} Q0 {document} 1 {number} x"
        for topic, documents in lists.items()
        for document, number in documents.items()
    ]
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def made_up(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Qrels, and a new and an old run: either may have shorter lists, or lack topics, or neither."""
    pool = [f"d{number}" for number in range(30)]
    topics = [f"t{number}" for number in range(rng.choice((8, 12, 15)))]
    qrels = {topic: dict.fromkeys(rng.sample(pool, 6), 1) for topic in topics}
    runs = []
    for _ in range(2):
        depth, lacking = rng.choice((4, 9, 10, 20)), rng.choice((0, 0, 0.07, 0.3, 0.7))
        skill = rng.choice((0, 0.3, 0.6, 0.9))
        kept = topics[int(lacking * len(topics)) :]
        if rng.random() < 0.3:
            kept = topics[: len(kept)]
        run = {}
        for topic in kept:
            found = rng.sample(pool, depth)
            first = [d for d in found if d in qrels[topic] and rng.random() < skill]
            order = [*first, *(d for d in found if d not in first)]
            run[topic] = {d: -float(rank) for rank, d in enumerate(order)}
        # One that retrieves no judged document is refused.
        first = kept[0] if kept else topics[0]
        run[first] = {next(iter(qrels[first])): 1.0} | {"x": 0.5} | run.get(first, {})
        runs.append(run)
    return qrels, runs[0], runs[1]


def answer(qrels: Any, new: Any, base: Any, margin: float | None) -> str:
    """What one question says of these very lists: by scipy, or by the randomization test."""
    comparison = irpref.compare(qrels, {"new": new, "base": base}, "RPP")
    if margin is None:
        test = comparison.test("RPP").iloc[0]
        better = "passed" if test["mean"] > 0 else "failed"
        return better if test["p"] < 0.05 else "undecided"
    values = comparison.per_topic("RPP", "new", "base").to_numpy()
    if np.ptp(values) == 0:
        beyond = values[0] + margin
        sure = 2.0 ** -len(values) < 0.05
        return "undecided" if not sure or beyond == 0 else "passed" if beyond > 0 else "failed"
    above, below = (
        stats.ttest_1samp(values, -margin, alternative=side).pvalue for side in ("greater", "less")
    )
    return "passed" if above < 0.05 else "failed" if below < 0.05 else "undecided"


def decision(qrels: Any, new: Any, base: Any, margin: float | None) -> str:
    """The definition, step by step."""
    whole = answer(qrels, new, base, margin)
    if whole != "passed":
        return whole
    lacking = [len(set(qrels) - set(run)) for run in (new, base)]
    if 10 * lacking[0] > len(qrels):
        return "undecided"
    depths = [max(map(len, run.values())) for run in (new, base)]
    if 10 * (max(depths) - min(depths)) > max(depths):
        cut = [
            {topic: dict(list(of.items())[: min(depths)]) for topic, of in run.items()}
            for run in (new, base)
        ]
        if answer(qrels, *cut, margin) != "passed":
            return "undecided"
    if 10 * max(lacking) > len(qrels):
        shared = [topic for topic in qrels if topic in new and topic in base]
        parts = ({topic: each[topic] for topic in shared} for each in (qrels, new, base))
        try:
            return "passed" if answer(*parts, margin) == "passed" else "undecided"
        except ValueError:
            # Too few topics for the test.
            return "undecided"
    return whole


@pytest.mark.slow
def test_a_gate_passes_only_what_passes_in_every_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, decisions, taken_back = random.Random(66), list[str](), 0
    for number in range(CASES):
        qrels, new, base = made_up(rng)
        margin = None if number % 2 else rng.choice((0.05, 0.3))
        wanted = decision(qrels, new, base, margin)
        words = [
            *("gate", written(tmp_path / "qrels.txt", qrels, "qrels")),
            *(
                written(tmp_path / f"{name}.txt", run, "run")
                for name, run in (("new", new), ("base", base))
            ),
            *(["--require", "better"] if margin is None else ["--margin", str(margin)]),
        ]
        assert main([*words, "--format", "json"]) == CODES[wanted], (number, wanted)
        found = json.loads(capsys.readouterr().out)
        assert found["results"][0]["decision"] == wanted
        assert found["answer"][0].startswith(f"{wanted.capitalize()}: ")
        # Without checks, the files as given decide.
        given = answer(qrels, new, base, margin)
        assert main([*words, "--no-checks", "--format", "json"]) == CODES[given], number
        assert "|checks:none|" in json.loads(capsys.readouterr().out)["signatures"][0]
        decisions.append(wanted)
        taken_back += given != wanted
    assert set(decisions) == set(CODES)
    assert taken_back > CASES // 10


def one_topic_lists(topics: int, depth: int, at: int) -> dict[str, Any]:
    return {
        f"t{n}": {("d0" if rank == at else f"x{rank}"): -float(rank) for rank in range(depth)}
        for n in range(topics)
    }


@pytest.mark.parametrize(
    ("new", "base", "words", "code", "headline"),
    [
        # By its longer lists.
        (
            *(one_topic_lists(12, 20, 15), one_topic_lists(12, 10, 99)),
            *(["--require", "better"], 3),
            "Undecided: cut at 10 both (--depth 10), nothing is decided (",
        ),
        # By topics that the other lacks.
        (
            *(one_topic_lists(12, 10, 3), one_topic_lists(4, 10, 3)),
            *(["--require", "better"], 3),
            "Undecided: base has no list for 8 topics; on the 4 topics that both have, nothing can be",
        ),
        # Lists for 4 of 12 topics, and a wide margin.
        (
            *(one_topic_lists(4, 10, 3), one_topic_lists(12, 10, 3)),
            *(["--margin", "0.95"], 3),
            "Undecided: new has no list for 8 of 12 topics: --missing worst counts them as lost, "
            "--missing skip leaves them out.",
        ),
        (
            *(one_topic_lists(4, 10, 3), one_topic_lists(12, 10, 3)),
            *(["--margin", "0.95", "--missing", "worst"], 0),
            "Passed: by RPP, new is better than base, or less than 0.95 worse.",
        ),
    ],
)
def test_the_check_that_decides_is_named_first(
    new: Any,
    base: Any,
    words: list[str],
    code: int,
    headline: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    qrels = {f"t{n}": {"d0": 1, "x1": 0} for n in range(12)}
    files = [
        written(tmp_path / f"{name}.txt", lists, "qrels" if name == "qrels" else "run")
        for name, lists in (("qrels", qrels), ("new", new), ("base", base))
    ]
    assert main(["gate", *files, *words, "--format", "json"]) == code
    assert json.loads(capsys.readouterr().out)["answer"][0].startswith(headline)
