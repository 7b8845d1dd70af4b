"""What a command imports: nothing that takes long unless it needs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from irpref import demo_paths
from irpref.stats.tests import TESTS
from irpref.studies import DataFree, known_studies
from tests.cli.test_help import COMMANDS

pytestmark = pytest.mark.slow

# In one process, as each takes a while to start: what is imported stays so, and the strictest come first.
CODE = """
import contextlib, io, json, sys
import irpref

slow, commands = map(json.loads, sys.argv[1:])
found = [[name for name in slow if name in sys.modules]]
from irpref.cli.main import main

for words in commands:
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = main(words)
    except SystemExit as stopped:
        code = stopped.code
    assert code == 0, words
    assert printed.getvalue() or "-o" in words, words
    found.append([name for name in slow if name in sys.modules])
print(json.dumps(found))
"""
# For which the help has no use, and for which comparisons have none until something is tested.
FOR_WORK, FOR_TESTS = {"numpy", "polars", "rich"}, {"pandas", "scipy"}
SLOW = sorted({*FOR_WORK, *FOR_TESTS, "scipy.special", "scipy.stats"})

TESTS = ("fit", *(name for name in TESTS if name != "crossed"))
# Less than they do by themselves, which takes longer.
FEWER = {
    **{
        name: ["--resamples", "50"]
        for name in ("agreement", "discriminative-power", "ipso-significance", "locality")
    },
    "ipso-space": ["--depths", "3"],
    "label-degradation": ["--samples", "1", "--fractions", "0.5"],
    "orientation": ["--relevant", "2"],
    "tie-probability": ["--items", "100", "--relevant", "2", "--depths", "10"],
    "topic-degradation": ["--samples", "2", "--fractions", "0.5"],
    "worst-case": ["--items", "1000", "--samples", "100", "--relevant", "2"],
}


def imported(commands: list[list[str]]) -> list[set[str]]:
    """What of the slow modules has been imported with irpref, and after each command."""
    words = [sys.executable, "-c", CODE, json.dumps(SLOW), json.dumps(commands)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return [set(names) for names in json.loads(ended.stdout)]


def test_a_command_imports_what_it_needs_only(tmp_path: Path) -> None:
    qrels, runs = demo_paths()
    two, several = ([str(path) for path in (qrels, *some)] for some in (runs[:2], runs[:3]))
    slow = {"pandas", "scipy.stats"}
    helps = (["--help"], ["help"], ["compare", "--help"])
    not_imported: list[tuple[list[str], set[str]]] = [
        *((words, {*FOR_WORK, *FOR_TESTS}) for words in helps),
        *(
            (["compare", *several, *more, "--no-test"], FOR_TESTS)
            for more in ([], ["--baseline", "bm25"])
        ),
        # Two are averaged over tie orders, for which a product is sparse.
        *(
            (["compare", *two, *more, "--no-test"], {*slow, "scipy.special"})
            for more in ([], ["--baseline", "bm25"])
        ),
        (["compare", *several, "--baseline", "bm25"], slow),
        (["explain", *two], slow),
        *((["compare", *some], slow) for some in (two, several)),
        *((["compare", *several, "--test", test], slow) for test in TESTS),
        (["compare", *two, "-p", "LP", "--test", "sign"], slow),
        (["compare", *several, "--test", "randomization", "--resamples", "400"], slow),
    ]
    later = [
        ["compare", *several, "--test", "t", "--keep", "summary"],
        ["explain", *two, "--topic", "6"],
        ["evaluate", *several],
        ["corroborate", *several, "-m", "AP"],
        ["gate", *two, "--margin", "0.2"],
        ["list"],
        ["demo"],
        ["convert", *two, "-o", str(tmp_path / "parts")],
        ["compare", *two, "-o", str(tmp_path / "page.html")],
        *(
            ["study", name, *([] if isinstance(study, DataFree) else several), *FEWER.get(name, [])]
            for name, study in known_studies().items()
        ),
        # Of all runs: those of two hold no statistics.
        *(
            ["plot", name, *several, "-o", str(tmp_path / f"{name}.svg")]
            for name in ("ranks", "matrix")
        ),
    ]
    not_imported += [(words, {"scipy.stats"}) for words in later]
    planned = ["plan", *several, "-p", "RPP", "--difference", "0.2"]
    assert {words[0] for words, _ in not_imported[len(helps) :]} | {"plan"} == set(COMMANDS)
    first, *found, last = imported([*(words for words, _ in not_imported), planned])
    assert first == set()
    for (words, left_out), names in zip(not_imported, found, strict=True):
        assert not names & left_out, words
    assert last >= {*slow, "scipy.special"}
