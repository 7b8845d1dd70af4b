"""A run that retrieves no judged document: refused as one of two that are compared, else a warning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import irpref
from irpref import InputError
from irpref.cli.main import main
from irpref.read import parts as reading_in_parts
from tests.command_line import fail

QRELS = {str(topic): {"d": 1, "e": 1} for topic in range(12)}
FOUND = {topic: {"d": 2.0, "e": 1.0} for topic in QRELS}
FEWER = {topic: {"d": 1.0} for topic in QRELS}
ASTRAY = {topic: {"x": 1.0} for topic in QRELS}
TWO = {"found": FOUND, "astray": ASTRAY}
THREE = {**TWO, "fewer": FEWER}
SAID = "the run retrieves no judged document"
# How many parts large data, or a saved collection, are cut into.
PARTS = pytest.mark.parametrize("parts", [1, 3])

pytestmark = pytest.mark.filterwarnings(f"ignore:.*{SAID}")


def ways(qrels: object, runs: object) -> list[Callable[[], object]]:
    return [
        lambda: irpref.collect(qrels, runs).compare("RPP"),
        lambda: irpref.compare(qrels, runs, "RPP"),
        lambda: irpref.compare(qrels, runs, "RPP", keep="summary"),
    ]


def cut(monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    """As if the data were so large."""
    if parts > 1:
        monkeypatch.setattr(reading_in_parts, "parts_for", lambda qrels, runs: parts)


@PARTS
@pytest.mark.parametrize("runs", [TWO, dict(reversed(TWO.items()))], ids=["second", "first"])
def test_one_of_two_is_refused(
    runs: dict[str, object], parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut(monkeypatch, parts)
    for compare in ways(QRELS, runs):
        with pytest.raises(
            InputError, match=f"^run 'astray': {SAID} .*written differently"
        ) as error:
            compare()
        assert error.value.source == "run 'astray'"


@PARTS
def test_two_of_a_saved_collection_are_two(parts: int, tmp_path: Path) -> None:
    path = tmp_path / "three.irpref"
    irpref.convert(QRELS, THREE, path, parts=parts)
    for compare in ways(path, ["found", "astray"]):
        with pytest.raises(InputError, match=f"run 'astray': {SAID}"):
            compare()
    with pytest.raises(InputError, match=f"run 'astray': {SAID}"):
        irpref.collect(path).select(systems=["fewer", "astray"]).compare("RPP")
    for compare in [*ways(path, ["found", "fewer"]), *ways(path, None)]:
        compare()
    # To read and to save is to compare nothing.
    irpref.convert(QRELS, TWO, path, parts=parts)


@PARTS
def test_one_of_three_is_a_warning(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cut(monkeypatch, parts)
    for compare in ways(QRELS, THREE):
        with pytest.warns(UserWarning, match=f"run 'astray': {SAID}"):
            compared = compare()
        assert isinstance(compared, irpref.Comparison | irpref.Summary)
        assert compared.mean("RPP").loc["found", "astray"] == 1


def test_scores_of_two_are_facts() -> None:
    with pytest.warns(UserWarning, match=f"run 'astray': {SAID}"):
        scores = irpref.evaluate(QRELS, TWO, "AP")
    assert scores.groupby("system")["value"].mean().to_dict() == {"astray": 0, "found": 1}


def test_one_task_of_several_may_have_such_a_run() -> None:
    tasks = {"here": (QRELS, {"a": FEWER, "b": FOUND}), "there": (QRELS, {"a": FEWER, "b": ASTRAY})}
    with pytest.warns(UserWarning, match=f"run 'b': {SAID}"):
        compared = irpref.compare_tasks(tasks, "LP")
    assert compared.by_task("LP")["a"].to_dict() == {"here": -1, "there": 1}


def test_commands_name_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {name: tmp_path / f"{name}.txt" for name in ("qrels", *THREE)}
    paths["qrels"].write_text(
        "".join(f"{topic} 0 {each} 1\n" for topic in QRELS for each in QRELS[topic])
    )
    for name, run in THREE.items():
        lines = [
            f"{topic} Q0 {document} 1 {score} t\n"
            for topic, scores in run.items()
            for document, score in scores.items()
        ]
        paths[name].write_text("".join(lines))
    qrels, found, astray, fewer = map(str, paths.values())
    for words in (
        ["compare", qrels, found, astray],
        ["compare", qrels, found, astray, "--keep", "summary"],
        ["explain", qrels, astray, found],
        ["explain", qrels, astray, found, "--topic", "1"],
        ["gate", qrels, found, astray, "--margin", "0.1"],
    ):
        assert f"{astray}: {SAID}" in fail(capsys, *words)
    for words in (["compare", qrels, found, astray, fewer], ["evaluate", qrels, found, astray]):
        assert main(words) == 0
        # Once: where the report stands, by the name of the run.
        captured = capsys.readouterr()
        assert f"astray: {SAID}" in " ".join(captured.out.split())
        assert captured.err == ""
        assert main([*words, "--format", "csv"]) == 0
        assert f"irpref: warning: {astray}: {SAID}" in capsys.readouterr().err


def test_among_many_such_a_run_is_no_worst_system_and_no_baseline() -> None:
    comparison = irpref.compare(QRELS, THREE, "RPP")
    answer = " ".join(comparison.report(baseline="found").answer)
    assert "Without judged documents: astray (nothing is known)." in answer
    assert "Worse: astray" not in answer
    for ask in (comparison.report, comparison.test, comparison.checks):
        with pytest.raises(InputError, match=f"run 'astray': {SAID}"):
            ask(baseline="astray")  # type: ignore[operator]
